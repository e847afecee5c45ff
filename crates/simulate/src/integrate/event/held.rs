//! Functions that constraints in force hold at zero: what they do there is rounding, and no event.

use super::source::Evaluation;
use crate::integrate::mechanics::{Level, Mechanics};
use holonom_mechanics::compile::Group;

/// Directions in which it is tried whether a function can change.
const DIRECTIONS: usize = 3;
/// How far, as a part of the sizes of coordinates.
const STEP: f64 = 1e-6;
/// A function is held that changes by no more than this part along the constraints of what it changes across them.
const TANGENT: f64 = 1e-5;
/// Rows are parallel to a function where the sine of the angle between them is below this.
const PARALLEL: f64 = 1e-4;

/// The constraint that holds a function, if it is a single one.
pub(super) struct Held {
    pub(super) constraint: Option<usize>,
}

/// Whether the rows in force hold a function at zero, at a state on them where it and its rate vanish.
pub(super) fn held(
    evaluation: &mut Evaluation,
    mechanics: &mut Mechanics,
    t: f64,
    y: &[f64],
    i: usize,
) -> Option<Held> {
    let n = mechanics.n;
    let (level, at) = if evaluation.on_velocity[i] { (Level::Velocity, n) } else { (Level::Position, 0) };
    let mut across = [0.0; DIRECTIONS];
    let mut tried: Vec<Vec<f64>> = Vec::new();
    for (k, change) in across.iter_mut().enumerate() {
        let sizes = &mechanics.sizes.kind()[at..at + n];
        let mut along: Vec<f64> = sizes.iter().enumerate().map(|(j, size)| STEP * spread(j, k) * size).collect();
        tried.push(along.clone());
        *change = difference(evaluation, mechanics, t, y, (i, at), &along);
        mechanics.make_tangential(level, &mut along);
        let inside = difference(evaluation, mechanics, t, y, (i, at), &along);
        if *change == 0.0 || inside.abs() > TANGENT * change.abs() || !(inside + *change).is_finite() {
            return None;
        }
    }
    Some(Held { constraint: parallel(mechanics, t, y, &across, &tried) })
}

/// Numbers between −1 and 1 without a pattern.
fn spread(j: usize, k: usize) -> f64 {
    let x = 0.754_877_666 * (j + 1) as f64 + 0.569_840_291 * (k + 1) as f64;
    2.0 * (x - x.floor()) - 1.0
}

/// What a function changes by along a direction, to both sides.
fn difference(
    evaluation: &mut Evaluation,
    mechanics: &Mechanics,
    t: f64,
    y: &[f64],
    (i, at): (usize, usize),
    along: &[f64],
) -> f64 {
    let mut moved = y[..2 * mechanics.n].to_vec();
    let mut side = |sign: f64| {
        moved.copy_from_slice(&y[..2 * mechanics.n]);
        moved[at..].iter_mut().zip(along).for_each(|(y, x)| *y += sign * x);
        evaluation.value(mechanics, t, &moved, i)
    };
    0.5 * (side(1.0) - side(-1.0))
}

/// The constraint in force of which one row changes in proportion to a function.
fn parallel(mechanics: &Mechanics, t: f64, y: &[f64], across: &[f64; DIRECTIONS], tried: &[Vec<f64>]) -> Option<usize> {
    let (q, v) = y[..2 * mechanics.n].split_at(mechanics.n);
    let mut drift = mechanics.system.values(Group::VelocityDrift);
    mechanics.system.at(t, q, v, &mut drift);
    let here = drift.residual().to_vec();
    let mut changes = vec![[0.0; DIRECTIONS]; here.len()];
    for (k, along) in tried.iter().enumerate() {
        let moved: Vec<f64> = v.iter().zip(along).map(|(v, x)| v + x).collect();
        mechanics.system.at(t, q, &moved, &mut drift);
        for (change, (now, here)) in changes.iter_mut().zip(drift.residual().iter().zip(&here)) {
            change[k] = now - here;
        }
    }
    let dot = |a: &[f64; DIRECTIONS], b: &[f64; DIRECTIONS]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let rows = &mechanics.system.equations().rows;
    mechanics.in_force.rows.iter().find_map(|&row| {
        let (own, other) = (dot(across, across), dot(&changes[row], &changes[row]));
        let cosine = dot(across, &changes[row]);
        let is_parallel = other > 0.0 && own * other - cosine * cosine <= PARALLEL * PARALLEL * own * other;
        rows[row].constraint.filter(|_| is_parallel).map(|constraint| constraint.0)
    })
}
