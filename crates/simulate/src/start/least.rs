//! Least steps on to the constraints: Newton's method with the kernel as its solver.
//!
//! A step d with J d = −φ that is least in the norm of a mass matrix is a motion: M d = Jᵀλ, J d = b. So the kernel
//! answers it, with rows that repeat and masses that are missing, and by least squares where rows disagree.

use std::sync::Arc;

use super::entries::Symmetric;
use super::kernel::{Kernel, Lean};
use super::numbers::{Evaluator, Level, State};
use super::scale::{MET, ROUNDED};
use holonom_kernel::{Snapshot, Workspace};

const STEPS: usize = 60;
/// Steps after that, for what is small by its own rows: they converge quadratically, or never.
const LAST_STEPS: usize = 3;
/// How often a step is halved before it counts as leading nowhere.
const HALVINGS: usize = 12;
/// The most that one step moves a coordinate, in its size where Newton's method began, or now if that is more: near a
/// singular Jacobian a full step would leave the neighbourhood in which there is a solution.
const LEAP: f64 = 0.5;

/// A solution further away than this many sizes is none that anybody looked for: steps along a slope of rounding lead there.
const FARTHEST: f64 = 1e10;

/// What is moved: positions or velocities.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Which {
    Positions,
    Velocities,
}

impl Which {
    /// The rows that restrict it.
    pub(crate) fn level(self, evaluator: &Evaluator, state: &State) -> Level {
        match self {
            Self::Positions => evaluator.positions(state),
            Self::Velocities => evaluator.velocities(state),
        }
    }

    /// The numbers themselves.
    pub(crate) fn values(self, state: &mut State) -> &mut Vec<f64> {
        match self {
            Self::Positions => &mut state.positions,
            Self::Velocities => &mut state.velocities,
        }
    }
}

/// How a step is measured.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Measure {
    /// In the size of the coordinates.
    Size,
    /// By the mass, then in the size of the coordinates where it is singular.
    Mass,
}

/// Moves the coordinates in `free` until the constraints hold; the worst residual that is left, as a part of its scale.
pub(crate) fn meet(
    evaluator: &Evaluator,
    kernel: &mut Kernel,
    state: &mut State,
    which: Which,
    free: &[usize],
    measure: Measure,
) -> f64 {
    // Short steps first, so that a solution near by is found; where they lead nowhere, as far as it takes.
    let from = state.clone();
    let near = approach(evaluator, kernel, state, (which, free, measure), LEAP, &mut { STEPS });
    if near <= MET || which == Which::Velocities {
        return near;
    }
    let (sizes, mut moved) = (which.level(evaluator, &from).sizes, from.clone());
    let far = approach(evaluator, kernel, &mut moved, (which, free, measure), f64::INFINITY, &mut { STEPS });
    let leaps = |j: &usize| (moved.positions[*j] - from.positions[*j]).abs() > FARTHEST * sizes[*j];
    if far < near && !free.iter().any(leaps) {
        *state = moved;
        return far;
    }
    near
}

/// By short steps only, with so many at most; what it takes is subtracted.
pub(crate) fn meet_within(
    evaluator: &Evaluator,
    kernel: &mut Kernel,
    state: &mut State,
    which: Which,
    free: &[usize],
    measure: Measure,
    steps: &mut usize,
) -> f64 {
    approach(evaluator, kernel, state, (which, free, measure), LEAP, steps)
}

/// Newton's method with steps that move no position by more than `farthest` of its size.
fn approach(
    evaluator: &Evaluator,
    kernel: &mut Kernel,
    state: &mut State,
    (which, free, measure): (Which, &[usize], Measure),
    farthest: f64,
    steps: &mut usize,
) -> f64 {
    let level_at = |state: &State| which.level(evaluator, state);
    let mut level = level_at(state);
    let mut worst = level.worst();
    let (begun, mut last) = (level.sizes.clone(), LAST_STEPS);
    while *steps > 0 {
        if worst == 0.0 || !worst.is_finite() || free.is_empty() || last == 0 {
            break;
        }
        *steps -= 1;
        last -= usize::from(worst <= ROUNDED);
        let mass = (measure == Measure::Mass).then(|| evaluator.entries(state).mass);
        let size = match which {
            Which::Positions => level.sizes.clone(),
            Which::Velocities => vec![1.0; evaluator.coordinates()],
        };
        let Some(step) = least_step(kernel, &level, mass.as_ref(), &size, free, None) else { break };
        let before = squares(&level.residual, &level.scale, worst);
        let mut part = match which {
            Which::Positions => leap(&step, free, [&begun, &size], farthest),
            Which::Velocities => 1.0,
        };
        let mut better = None;
        for _ in 0..HALVINGS {
            let mut moved = state.clone();
            let list = which.values(&mut moved);
            for (&j, d) in free.iter().zip(&step) {
                list[j] += part * d;
            }
            let there = level_at(&moved);
            // By the scale of here, so that a step cannot win by making the scale larger.
            if squares(&there.residual, &level.scale, worst) < before {
                better = Some((moved, there));
                break;
            }
            part /= 2.0;
        }
        let Some((moved, there)) = better else { break };
        let stalled = squares(&there.residual, &level.scale, worst) > 0.999_999 * before;
        (*state, level) = (moved, there);
        worst = level.worst();
        if stalled {
            break;
        }
    }
    worst
}

/// The part of a step that moves no coordinate too far.
fn leap(step: &[f64], free: &[usize], [begun, now]: [&[f64]; 2], farthest: f64) -> f64 {
    let moved = step.iter().zip(free).map(|(d, &j)| d.abs() / begun[j].max(now[j])).fold(0.0, f64::max);
    if moved > farthest { farthest / moved } else { 1.0 }
}

/// The sum of squares of residuals in units of the largest of them, so that none is lost to the range of numbers.
fn squares(residual: &[f64], scale: &[f64], unit: f64) -> f64 {
    let sum: f64 = residual.iter().zip(scale).map(|(r, s)| (r / s / unit).powi(2)).sum();
    if sum.is_nan() { f64::INFINITY } else { sum }
}

/// The least step of the coordinates in `free`, ascending, that takes the residual away, to first order.
///
/// `mass` is over all coordinates, and so is `pull`, a generalised force on the step.
pub(crate) fn least_step(
    kernel: &mut Kernel,
    level: &Level,
    mass: Option<&Symmetric>,
    size: &[f64],
    free: &[usize],
    pull: Option<&[f64]>,
) -> Option<Vec<f64>> {
    let force: Vec<f64> = free.iter().map(|&j| pull.map_or(0.0, |pull| size[j] * pull[j])).collect();
    let right: Vec<f64> = level.residual.iter().zip(&level.scale).map(|(r, s)| -r / s).collect();
    let steps = match kernel {
        Kernel::Dense(workspace) => dense_step(workspace, level, mass, size, free, (&force, &right)),
        Kernel::Sparse(lean) => sparse_step(lean, level, mass, size, free, (&force, &right)),
    };
    match steps {
        Some(steps) => Some(steps.iter().zip(free).map(|(d, &j)| d * size[j]).collect()),
        // No mass matrix, or one that is not positive: any measure is better than none.
        None if mass.is_some() => least_step(kernel, level, None, size, free, None),
        None => None,
    }
}

/// In steps of the size of the coordinates, and rows of comparable size.
fn dense_step(
    workspace: &mut Workspace,
    level: &Level,
    mass: Option<&Symmetric>,
    size: &[f64],
    free: &[usize],
    (force, right): (&[f64], &[f64]),
) -> Option<Vec<f64>> {
    let (k, n) = (free.len(), size.len());
    let mut weight = vec![0.0; k * k];
    if let Some(mass) = mass {
        let mass = mass.dense(n);
        for (p, &i) in free.iter().enumerate() {
            for (q, &j) in free.iter().enumerate() {
                weight[p * k + q] = size[i] * mass[i * n + j] * size[j];
            }
        }
    } else {
        // All steps weigh the same. With no mass at all the answer would be the same as well, but the kernel would look
        // for every direction that nothing determines.
        (0..k).for_each(|p| weight[p * k + p] = 1.0);
    }
    let mut rows = Vec::with_capacity(level.rows.len() * k);
    for (row, scale) in level.jacobian.dense(n).chunks_exact(n).zip(&level.scale) {
        rows.extend(free.iter().map(|&j| row[j] * size[j] / scale));
    }
    let motion = workspace.solve(&Snapshot::new(&weight, force).constrained(&rows, right)).ok()?;
    Some(motion.acceleration.clone())
}

/// The same where entries are few.
fn sparse_step(
    lean: &mut Lean,
    level: &Level,
    mass: Option<&Symmetric>,
    size: &[f64],
    free: &[usize],
    (force, right): (&[f64], &[f64]),
) -> Option<Vec<f64>> {
    let place = places(size.len(), free);
    let weight = match mass {
        None => Symmetric::one(free.len()),
        Some(mass) => {
            let both = |(i, j, m): (usize, usize, f64)| Some(((place[i]?, place[j]?), size[i] * m * size[j]));
            let (places, values) = mass.iter().filter_map(both).unzip::<_, _, Vec<_>, _>();
            Symmetric { places: Arc::new(places), values }
        }
    };
    let rows = level.jacobian.picked(|row, j, a| Some((place[j]?, a * size[j] / level.scale[row])));
    lean.step(&weight, force, &rows, right)
}

/// The place of each of `n` coordinates among some.
pub(crate) fn places(n: usize, some: &[usize]) -> Vec<Option<usize>> {
    let mut place = vec![None; n];
    some.iter().enumerate().for_each(|(at, &j)| place[j] = Some(at));
    place
}
