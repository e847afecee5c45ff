//! States that satisfy the constraints, for other parameters too, and the kernel's answer there.
//!
//! Formulas are held against the kernel at such states, and what is true of all of them (ranks, rows that repeat
//! others) is taken as true in general. The same seed gives the same states.

use super::entries::Numbers;
use super::find;
use super::kernel::Kernel;
use super::least::{Measure, Which, least_step, meet_within};
use super::nonideal::Nonideals;
use super::numbers::{Evaluator, Point, State};
use super::random::seeded;
use holonom_kernel::{Audit, Motion, Snapshot, Workspace};
use holonom_mechanics::compile::CompiledSystem;
use holonom_mechanics::contact::Does;
use holonom_mechanics::derive::Equations;

/// Newton steps towards one state.
const STEPS: usize = 30;
/// States satisfy the constraints to this part of the size of their terms.
const MET: f64 = 1e-12;
/// How often one state is tried, each time nearer to the start.
const ATTEMPTS: usize = 4;
/// How far from the start states are looked for, in turn, as a part of the size of the coordinates.
pub const WIDE: [f64; 3] = [0.1, 0.3, 0.6];
/// The same for states that are to be on the branch of the start, where constraints have several.
pub const NEAR: [f64; 3] = [0.02, 0.01, 0.04];

/// A state on the constraints, with the numbers of the system there and its motion.
pub struct Sample {
    /// All parameters.
    pub parameters: Vec<f64>,
    /// Where the system is.
    pub state: State,
    /// What counts as typical of each position and of each velocity.
    pub sizes: [Vec<f64>; 2],
    /// M.
    pub mass: Vec<f64>,
    /// Q.
    pub force: Vec<f64>,
    /// A of the active rows.
    pub a: Vec<f64>,
    /// b of the active rows.
    pub b: Vec<f64>,
    /// Which rows repeat which.
    pub audit: Audit,
    /// The motion with C; nothing where friction has no answer, or several.
    pub answer: Option<Answer>,
    /// The motion without C.
    pub ideal: Motion,
}

impl Sample {
    /// The system there, as the kernel takes it, without C.
    pub fn snapshot(&self) -> Snapshot<'_> {
        Snapshot::new(&self.mass, &self.force).constrained(&self.a, &self.b)
    }
}

/// What the kernel says, contacts decided.
pub struct Answer {
    pub motion: Motion,
    /// λᵢ and λ over all rows of the equations.
    pub multipliers: Vec<f64>,
    pub reactions: Vec<f64>,
    /// For each friction of the equations, its normal force where it slides.
    pub sliding: Vec<Option<f64>>,
}

/// Makes samples around the start of a model.
pub struct Sampler {
    system: CompiledSystem,
    start: State,
    /// Whether the start satisfies the constraints.
    pub good: bool,
    /// Whether the constraints are numbers there, with slopes.
    pub finite: bool,
    /// Rows of the equations whose positions, and whose velocities, repeat those of others at the start.
    repeats: [Vec<usize>; 2],
}

impl Sampler {
    /// Around the start of the model, with some parameters set.
    pub fn new(equations: &Equations, set: &[(usize, f64)]) -> Self {
        Self::of(CompiledSystem::new(equations.clone()).with_places(set))
    }

    /// Around the start of the model of a system, with its parameters.
    pub(crate) fn of(system: CompiledSystem) -> Self {
        let evaluator = Evaluator::new(&system);
        let (mut workspace, mut kernel) = (Workspace::new(), Kernel::dense());
        let mut found = find::start(&evaluator, &mut kernel, false);
        if !found.on_constraints {
            found = find::start(&evaluator, &mut kernel, true);
        }
        let good = found.on_constraints && found.finite;
        let mut repeats = [Vec::new(), Vec::new()];
        if good {
            let mass: Vec<f64> = evaluator.numbers(&found.state).mass;
            let none = vec![0.0; evaluator.coordinates()];
            let levels = [evaluator.positions(&found.state), evaluator.velocities(&found.state)];
            for (repeats, level) in repeats.iter_mut().zip(&levels) {
                let zero = vec![0.0; level.rows.len()];
                let jacobian = level.jacobian.dense(none.len());
                let rows = Snapshot::new(&mass, &none).constrained(&jacobian, &zero);
                if let Ok(audit) = workspace.audit(&rows) {
                    repeats.extend(audit.redundant.iter().map(|r| level.rows[r.row]));
                }
            }
        }
        Self { start: found.state, good, finite: found.finite, repeats, system }
    }

    /// The parameters as given, or as set.
    pub fn parameters(&self) -> &[f64] {
        self.system.parameters()
    }

    /// What counts as typical of time.
    pub fn span(&self) -> f64 {
        span(&Evaluator::new(&self.system))
    }

    /// Where the motion starts.
    pub fn start(&self) -> Option<Sample> {
        let evaluator = Evaluator::new(&self.system);
        let nonideals = Nonideals::new(&evaluator);
        if !self.good {
            return None;
        }
        sample(&evaluator, &nonideals, &mut Workspace::new(), self.start.clone())
    }

    /// States on the constraints, up to `count`, for the parameters of `changed` besides those that were set.
    ///
    /// Where no start satisfies the constraints, because they contradict each other, these are states near where it should
    /// be that do not satisfy them either.
    pub fn around(&self, changed: &[(usize, f64)], count: usize, seed: u64) -> Vec<Sample> {
        self.within(WIDE, changed, count, seed)
    }

    /// The same, no farther from the start than `reach` says.
    pub fn within(&self, reach: [f64; 3], changed: &[(usize, f64)], count: usize, seed: u64) -> Vec<Sample> {
        self.reached(reach, 0.0, changed, count, seed)
    }

    /// States far from the start where coordinates are small there: what is a millionth everywhere near it has squares that look like
    /// rounding.
    pub fn far(&self, count: usize, seed: u64) -> Vec<Sample> {
        self.reached(WIDE, 1.0, &[], count, seed)
    }

    /// The same with coordinates of no less than a size.
    fn reached(&self, reach: [f64; 3], least: f64, changed: &[(usize, f64)], count: usize, seed: u64) -> Vec<Sample> {
        let system = self.system.with_places(changed);
        let evaluator = Evaluator::new(&system);
        let nonideals = Nonideals::new(&evaluator);
        let (mut workspace, mut kernel) = (Workspace::new(), Kernel::dense());
        let all: Vec<usize> = (0..evaluator.coordinates()).collect();
        let [mut size, speed] = sizes(&evaluator, &self.start);
        size.iter_mut().for_each(|size| *size = size.max(least));
        let span = span(&evaluator);
        let mut found = Vec::new();
        for which in 0..count {
            let mut random = seeded(seed ^ (which as u64 + 1) << 8);
            let mut reach = reach[which % 3];
            for _ in 0..ATTEMPTS {
                let mut state = self.start.clone();
                state.time += 0.3 * reach * span * random.uniform(0.0, 1.0);
                for &j in &all {
                    state.positions[j] += reach * size[j] * random.uniform(-1.0, 1.0);
                    state.velocities[j] += (0.5 + reach) * speed[j] * random.uniform(-1.0, 1.0);
                }
                let mut steps = STEPS;
                let mut meet = |which: Which, state: &mut State| {
                    let repeats = match which {
                        Which::Positions => &self.repeats[0],
                        Which::Velocities => &self.repeats[1],
                    };
                    if !repeats.is_empty() {
                        let mut without = state.clone();
                        let missed = meet_without(&evaluator, &mut kernel, &mut without, which, &all, repeats);
                        // Rows that repeat others only because the start is a singular state do not follow from them here.
                        if missed <= MET {
                            *state = without;
                            return missed;
                        }
                    }
                    meet_within(&evaluator, &mut kernel, state, which, &all, Measure::Size, &mut steps)
                };
                let met = !self.good
                    || meet(Which::Positions, &mut state) <= MET && meet(Which::Velocities, &mut state) <= 10.0 * MET;
                let near = all.iter().all(|&j| (state.positions[j] - self.start.positions[j]).abs() <= 10.0 * size[j]);
                if met
                    && near
                    && let Some(sample) = sample(&evaluator, &nonideals, &mut workspace, state)
                {
                    found.push(sample);
                    break;
                }
                reach *= 0.3;
            }
        }
        found
    }

    /// What the kernel says beside a sample: everything is moved by `part` of its size, in two ways.
    ///
    /// States meet the constraints to rounding and no better. How much answers change here is how much that may matter.
    pub fn beside(&self, sample: &Sample, part: f64) -> Vec<Sample> {
        let all: Vec<(usize, f64)> = sample.parameters.iter().copied().enumerate().collect();
        let system = self.system.with_places(&all);
        let evaluator = Evaluator::new(&system);
        let nonideals = Nonideals::new(&evaluator);
        let mut workspace = Workspace::new();
        let mut random = seeded(sample.state.positions.len() as u64);
        let mut found = Vec::new();
        for _ in 0..2 {
            let mut state = sample.state.clone();
            for (list, sizes) in [&mut state.positions, &mut state.velocities].into_iter().zip(&sample.sizes) {
                for (x, size) in list.iter_mut().zip(sizes) {
                    let way = random.uniform(0.5, 1.0) * random.uniform(-1.0, 1.0).signum();
                    *x += part * way * size;
                }
            }
            found.extend(self::sample(&evaluator, &nonideals, &mut workspace, state));
        }
        found
    }

    /// The ranks of A and of `[M; A]` where a sample is, with other parameters; nothing where there is no system.
    pub fn ranks(&self, sample: &Sample, changed: &[(usize, f64)]) -> Option<(usize, usize)> {
        let numbers = Evaluator::new(&self.system.with_places(changed)).numbers(&sample.state);
        let motion = holonom_kernel::solve(&snapshot(&numbers)).ok()?;
        Some((motion.constraint_rank.rank, motion.system_rank.rank))
    }
}

/// Newton's method on all rows but those of `without`; the worst residual of all.
///
/// Rows that repeat others only where the constraints are met are nearly dependent beside them: with them, steps would be
/// long and lead nowhere.
fn meet_without(
    evaluator: &Evaluator,
    kernel: &mut Kernel,
    state: &mut State,
    which: Which,
    all: &[usize],
    without: &[usize],
) -> f64 {
    let level = |state: &State| which.level(evaluator, state);
    for _ in 0..STEPS {
        let rows = level(state);
        if rows.worst() <= 1e-13 {
            break;
        }
        let rows = rows.without(without);
        let size = evaluator.position_sizes(state);
        let Some(step) = least_step(kernel, &rows, None, &size, all, None) else { break };
        which.values(state).iter_mut().zip(&step).for_each(|(x, d)| *x += d);
    }
    level(state).worst()
}

/// How long a run takes, or 1.
fn span(evaluator: &Evaluator) -> f64 {
    let until = evaluator.equations.model.run.until.map(|until| evaluator.value(until, &Point::default()));
    until.filter(|span| span.is_finite() && *span > 0.0).unwrap_or(1.0)
}

/// What counts as typical of each position and of each velocity.
fn sizes(evaluator: &Evaluator, state: &State) -> [Vec<f64>; 2] {
    [evaluator.position_sizes(state), evaluator.velocity_sizes(state)]
}

fn snapshot(numbers: &Numbers) -> Snapshot<'_> {
    Snapshot::new(&numbers.mass, &numbers.force).constrained(&numbers.a, &numbers.b)
}

fn sample(evaluator: &Evaluator, nonideals: &Nonideals, workspace: &mut Workspace, state: State) -> Option<Sample> {
    let numbers = evaluator.numbers(&state);
    let audit = workspace.audit(&snapshot(&numbers)).ok()?;
    let ideal = workspace.solve(&snapshot(&numbers)).ok()?.clone();
    let answer = nonideals.decide(evaluator, &state).ok().map(|decided| {
        let mut sliding = vec![None; evaluator.equations.frictions.len()];
        for contact in &decided.contacts {
            let slides = matches!(contact.does, Does::Slides(_, speed) if speed > 0.0);
            sliding[contact.which] = slides.then_some(contact.normal);
        }
        Answer { motion: decided.motion, multipliers: decided.multipliers, reactions: decided.reactions, sliding }
    });
    let Numbers { mass, force, a, b } = numbers;
    let (parameters, sizes) = (evaluator.system.parameters().to_vec(), sizes(evaluator, &state));
    Some(Sample { parameters, state, sizes, mass, force, a, b, audit, answer, ideal })
}
