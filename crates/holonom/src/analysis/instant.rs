//! Everything about one state: the motion, what is open in it, and what the constraints say about each other.

use std::cell::OnceCell;

use super::contact::Nonideals;
use super::friction::{ContactReport, decide};
use super::least::{Measure, Which, meet_within};
use super::magnitude::Magnitudes;
use super::nonideal::{Balance, Found};
use super::numbers::{Evaluator, Numbers, Point, State};
use super::random::Random;
use crate::{Audit, MotionError, Snapshot, Workspace};

/// A state and its motion.
pub(super) struct Instant {
    pub(super) state: State,
    pub(super) numbers: Numbers,
    pub(super) audit: Audit,
    pub(super) balance: Balance,
    pub(super) contacts: Vec<ContactReport>,
    /// Directions in which any acceleration may be added.
    pub(super) free: Vec<Vec<f64>>,
    /// Combinations of reactions that exert nothing, over all rows of the equations.
    pub(super) idle: Vec<Vec<f64>>,
    /// What rounding is measured by, once somebody asks: it serves all expectations.
    sizes: OnceCell<Magnitudes>,
}

/// Why there is no motion at a state.
pub(super) enum Failure {
    /// Numbers that describe no mechanical system.
    Wrong(MotionError),
    /// Friction without an answer: none.
    NoFriction,
    /// … or several.
    ManyFrictions(usize),
    /// Friction that hangs on reactions of these rows, which are not unique.
    NotUnique(Vec<usize>),
}

/// Combinations of rows of A that vanish, from the rows that repeat others.
pub(super) fn null_combinations(audit: &Audit, rows: usize) -> Vec<Vec<f64>> {
    let one = |redundancy: &crate::Redundancy| {
        let mut combination = vec![0.0; rows];
        combination[redundancy.row] = 1.0;
        for (&row, c) in redundancy.repeats.iter().zip(&redundancy.coefficients) {
            combination[row] = -c;
        }
        combination
    };
    audit.redundant.iter().map(one).collect()
}

impl Instant {
    /// The motion at a state.
    pub(super) fn at(
        evaluator: &Evaluator,
        nonideals: &Nonideals,
        workspace: &mut Workspace,
        state: &State,
    ) -> Result<Self, Failure> {
        let numbers = evaluator.numbers(state);
        let snapshot = Snapshot::new(&numbers.mass, &numbers.force).constrained(&numbers.a, &numbers.b);
        let audit = workspace.audit(&snapshot).map_err(Failure::Wrong)?;
        let decided = decide(evaluator, nonideals, workspace, state, &numbers, |_| false);
        let mut balance = match decided.found {
            Found::One(balance) => *balance,
            Found::None => return Err(Failure::NoFriction),
            Found::Many(count) => return Err(Failure::ManyFrictions(count)),
            Found::NotUnique(rows) => return Err(Failure::NotUnique(rows)),
            Found::Wrong(error) => return Err(Failure::Wrong(error)),
        };
        let mut free: Vec<Vec<f64>> = balance.motion.free_directions().map(<[f64]>::to_vec).collect();
        if !free.is_empty() && !evaluator.equations.model.free.is_empty() {
            free = prescribe(evaluator, workspace, state, &mut balance, &free);
        }
        if evaluator.equations.model.free_zero.is_some() {
            // The answer as it is: η = 0 (2006, eq. 2.14).
            free.clear();
        }
        let idle = null_combinations(&audit, numbers.b.len())
            .into_iter()
            .map(|z| evaluator.place.iter().map(|place| place.map_or(0.0, |at| z[at])).collect())
            .collect();
        let (contacts, sizes) = (decided.contacts, OnceCell::new());
        Ok(Self { state: state.clone(), numbers, audit, balance, contacts, free, idle, sizes })
    }

    /// The sizes of what expressions are made of here.
    pub(super) fn sizes(&self, evaluator: &Evaluator) -> &Magnitudes {
        self.sizes.get_or_init(|| Magnitudes::new(evaluator, self))
    }

    /// The point at which an expression of this state, its motion and its forces is evaluated.
    pub(super) fn point(&self) -> Point<'_> {
        Point {
            accelerations: &self.balance.motion.acceleration,
            multipliers: &self.balance.multipliers,
            reactions: &self.balance.reactions,
            ..self.state.point()
        }
    }
}

/// Adds what `free x'' = …` says along the free directions; those that are still free after that.
fn prescribe(
    evaluator: &Evaluator,
    workspace: &mut Workspace,
    state: &State,
    balance: &mut Balance,
    free: &[Vec<f64>],
) -> Vec<Vec<f64>> {
    let said = &evaluator.equations.model.free;
    let k = free.len();
    let (mut rows, mut right) = (Vec::new(), Vec::new());
    for direction in said {
        let point = Point { accelerations: &balance.motion.acceleration, ..state.point() };
        let value = evaluator.value(direction.value, &point);
        rows.extend(free.iter().map(|w| w[direction.coordinate]));
        right.push(value - balance.motion.acceleration[direction.coordinate]);
    }
    let (mass, force) = (vec![0.0; k * k], vec![0.0; k]);
    let Ok(answer) = workspace.solve(&Snapshot::new(&mass, &force).constrained(&rows, &right)) else {
        return free.to_vec();
    };
    let combine = |weights: &[f64]| {
        let n = evaluator.coordinates();
        (0..n).map(|j| weights.iter().zip(free).map(|(c, w)| c * w[j]).sum::<f64>()).collect::<Vec<f64>>()
    };
    for (x, more) in balance.motion.acceleration.iter_mut().zip(combine(&answer.acceleration)) {
        *x += more;
    }
    let left: Vec<Vec<f64>> = answer.free_directions().map(combine).collect();
    let clean = |w: Vec<f64>| w.into_iter().map(|x| if x.abs() < 1e-12 { 0.0 } else { x }).collect();
    left.into_iter().map(clean).collect()
}

/// How much work the states around the start are worth, in units of n²(n + m) or so operations each.
const BUDGET: usize = 500_000_000;
/// Steps of Newton's method towards one state: it comes near in a few, or begins again less far away.
const STEPS: usize = 14;
/// More coordinates than this make a large system.
const LARGE: usize = 30;

/// The motion at states near another that satisfy the constraints: as many as asked for, or as are worth their time.
pub(super) fn around(
    evaluator: &Evaluator,
    nonideals: &Nonideals,
    workspace: &mut Workspace,
    start: &State,
    count: usize,
    seed: u64,
) -> Vec<Instant> {
    let (n, m) = (evaluator.coordinates(), evaluator.rows.len());
    let all: Vec<usize> = (0..n).collect();
    let size = evaluator.position_sizes(start);
    let speed = evaluator.velocity_sizes(start);
    let span = evaluator.equations.model.run.until.map(|until| evaluator.value(until, &Point::default()));
    let span = span.filter(|span| span.is_finite() && *span > 0.0).unwrap_or(1.0);
    // A solve of n coordinates and m rows; the motion takes some of them, and more the more contacts there are.
    let solve = n.saturating_mul(n).saturating_mul(n + m).max(1000);
    let motion = 4 << nonideals.contacts.len().min(6);
    let mut solves = BUDGET / solve;
    if solves < STEPS + 2 * motion {
        // Not worth beginning: it would hardly find one.
        return Vec::new();
    }
    // In a large system, where one state failed at some distance, the next need not try it again.
    let mut farthest = f64::INFINITY;
    let mut found = Vec::new();
    for which in 0..count {
        let mut random = Random::new(seed ^ (which as u64 + 1) << 8);
        let mut reach = f64::min([0.02, 0.1, 0.3][which % 3], farthest);
        for _ in 0..3 {
            if solves <= motion {
                return found;
            }
            let mut state = start.clone();
            state.time += 0.3 * reach * span * random.between(0.0, 1.0);
            for j in all.iter().copied() {
                state.positions[j] += reach * size[j] * random.between(-1.0, 1.0);
                state.velocities[j] += (0.5 + reach) * speed[j] * random.between(-1.0, 1.0);
            }
            let mut steps = (if n > LARGE { STEPS / 2 } else { STEPS }).min(solves);
            let before = steps;
            let mut left =
                meet_within(evaluator, workspace, &mut state, Which::Positions, &all, Measure::Size, &mut steps);
            if left <= 1e-12 {
                let moving =
                    meet_within(evaluator, workspace, &mut state, Which::Velocities, &all, Measure::Size, &mut steps);
                left = left.max(0.1 * moving);
            }
            solves -= before - steps;
            // Not so far that it is another place altogether.
            let near = all.iter().all(|&j| (state.positions[j] - start.positions[j]).abs() <= 10.0 * size[j]);
            if left <= 1e-12 && near {
                solves = solves.saturating_sub(motion);
                found.extend(Instant::at(evaluator, nonideals, workspace, &state));
                break;
            }
            reach *= 0.3;
            if n > LARGE {
                farthest = f64::max(reach, 1e-3);
            }
        }
    }
    found
}
