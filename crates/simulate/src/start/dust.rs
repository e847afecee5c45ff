//! Zero up to rounding is zero.
//!
//! Newton's method leaves 3e-19 where 0 is meant: what rounding made of steps along other coordinates. Such a value is no
//! start and must never become the scale of a row. It is told from a small value by trial: with all that may be dust at
//! zero, no row may be off by more than its own terms are rounded. A row that depends on a small value says so, and that
//! value and all others in the row stay as they were found.

use super::least::Which;
use super::numbers::{Evaluator, Level, State};
use super::random::seeded;
use holonom_kernel::linalg::tolerance::DUST;

/// Values above this part of their size are too large to be rounding, whatever rows say: the square root of the precision.
const LARGE: f64 = 1.49e-8;
/// The same for velocities as parts of the energy, which no row protects.
const LARGE_IN_ENERGY: f64 = 1024.0 * f64::EPSILON;
/// Numbers below this have lost digits to the end of the range of doubles.
const UNDERFLOWN: f64 = f64::MIN_POSITIVE / f64::EPSILON;
/// How many roundings of its terms a row may be off by.
const ROUNDINGS: f64 = 4.0;
/// Rounds of trial: each puts back what a row needs.
const ROUNDS: usize = 32;
/// How often positions are rounded otherwise, to see what that makes of velocities.
const SHAKES: usize = 3;

/// Puts to zero what of the coordinates in `found` is zero up to rounding. `from` is where they were looked for: what has not
/// moved is rounding only where it is that beside its size.
pub(crate) fn clear(evaluator: &Evaluator, state: &mut State, which: Which, found: &[usize], from: &State) {
    let values = values_of(state, which);
    let begun = values_of(from, which);
    let other_than_zero: Vec<usize> = found.iter().copied().filter(|&j| values[j] != 0.0).collect();
    if other_than_zero.is_empty() {
        return;
    }
    let level = which.level(evaluator, state);
    let energy = (which == Which::Velocities).then(|| {
        let mass = evaluator.entries(state).mass;
        let twice = |v: &[f64]| mass.times(v, |term| term).iter().zip(v).map(|(p, v)| p * v).sum::<f64>();
        // What is left of a guess that rows bring to rest is rounding of the guess.
        (mass.diagonal(values.len()), twice(values).max(twice(begun)).max(0.0))
    });
    let small = |&j: &usize| match (&energy, values[j].abs()) {
        (_, value) if value < UNDERFLOWN => true,
        (_, value) if values[j] == begun[j] => value <= DUST * level.felt[j],
        (Some((mass, twice)), value) if mass[j] > 0.0 => mass[j].sqrt() * value <= LARGE_IN_ENERGY * twice.sqrt(),
        (_, value) => value <= LARGE * level.sizes[j].max(begun[j].abs()),
    };
    let mut dust: Vec<usize> = other_than_zero.into_iter().filter(small).collect();
    let noise = match which {
        Which::Positions => vec![0.0; level.rows.len()],
        Which::Velocities if dust.is_empty() => Vec::new(),
        Which::Velocities => shaken(evaluator, state, &level),
    };
    for _ in 0..ROUNDS {
        if dust.is_empty() {
            return;
        }
        let mut trial = state.clone();
        for &j in &dust {
            which.values(&mut trial)[j] = 0.0;
        }
        let there = which.level(evaluator, &trial);
        let mut needed = vec![false; values.len()];
        for (at, noise) in noise.iter().enumerate().take(there.rows.len()) {
            let allowed = ROUNDINGS * f64::EPSILON * there.rounding[at] + noise;
            let holds = there.residual[at].abs() <= allowed.max(level.residual[at].abs());
            if !holds {
                there.jacobian.columns(at).iter().for_each(|&j| needed[j] = true);
            }
        }
        let before = dust.len();
        if !needed.contains(&true) {
            *state = trial;
            return;
        }
        dust.retain(|&j| !needed[j]);
        if dust.len() == before {
            return;
        }
    }
}

fn values_of(state: &State, which: Which) -> &[f64] {
    match which {
        Which::Positions => &state.positions,
        Which::Velocities => &state.velocities,
    }
}

/// How much rows of velocities change where positions are rounded otherwise: the slope of a crank at 180° is rounding itself.
fn shaken(evaluator: &Evaluator, state: &State, level: &Level) -> Vec<f64> {
    let mut noise = vec![0.0_f64; level.rows.len()];
    let mut random = seeded(5);
    for _ in 0..SHAKES {
        let mut other = state.clone();
        for q in &mut other.positions {
            *q += 2.0 * f64::EPSILON * *q * random.uniform(-1.0, 1.0).signum();
        }
        let there = evaluator.velocities(&other);
        for (noise, (a, b)) in noise.iter_mut().zip(there.residual.iter().zip(&level.residual)) {
            *noise = noise.max((a - b).abs());
        }
    }
    noise
}
