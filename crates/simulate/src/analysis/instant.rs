//! Everything about one state: the motion, what is open in it, and what the constraints say about each other.

use std::cell::OnceCell;

use super::friction::{ContactReport, reports};
use super::magnitude::Magnitudes;
use crate::start::entries::{Entries, Rows};
use crate::start::failure::Failure;
use crate::start::kernel::{Direction, Kernel, Lean, lists, sparse_of};
use crate::start::least::{Measure, Which, least_step, meet_within};
use crate::start::nonideal::Nonideals;
use crate::start::numbers::{Evaluator, Point, State};
use crate::start::random::seeded;
use holonom_kernel::{Audit, Motion, Redundancy, Snapshot, Workspace};

/// A state and its motion.
pub(super) struct Instant {
    pub(super) state: State,
    pub(super) entries: Entries,
    /// The motion, over the rows in force, and what these say about each other.
    pub(super) motion: Motion,
    pub(super) audit: Audit,
    /// C.
    pub(super) nonideal: Vec<f64>,
    /// λᵢ and λ over all rows of the equations.
    pub(super) multipliers: Vec<f64>,
    pub(super) reactions: Vec<f64>,
    pub(super) contacts: Vec<ContactReport>,
    /// Whether it is known that no other motion fits the laws of contacts.
    pub(super) is_certain: bool,
    /// Directions in which any acceleration may be added: by M and A, and those of them that `free` leaves.
    pub(super) open: Vec<Direction>,
    pub(super) free: Vec<Direction>,
    /// Combinations of reactions that exert nothing, over all rows of the equations.
    pub(super) idle: Vec<Direction>,
    /// The same for reactions that contacts that stick leave open.
    pub(super) shared: Vec<Direction>,
    /// What rounding is measured by, once somebody asks: it serves all expectations.
    sizes: OnceCell<Magnitudes>,
    natural: OnceCell<Magnitudes>,
}

impl Instant {
    /// The motion at a state.
    pub(super) fn at(
        evaluator: &Evaluator,
        nonideals: &Nonideals,
        kernel: &mut Kernel,
        state: &State,
    ) -> Result<Self, Failure> {
        let mut instant = match kernel {
            Kernel::Dense(workspace) => Self::dense(evaluator, nonideals, workspace, state)?,
            Kernel::Sparse(lean) => Self::sparse(evaluator, nonideals, lean, state)?,
        };
        if !instant.free.is_empty() && !evaluator.equations.model.free.is_empty() {
            instant.prescribe(evaluator, kernel);
        }
        if evaluator.equations.model.free_zero.is_some() {
            // The answer as it is: η = 0 (2006, eq. 2.14).
            instant.free.clear();
        }
        Ok(instant)
    }

    /// What the motion over the rows in force leaves open.
    fn new(evaluator: &Evaluator, state: &State, entries: Entries, motion: Motion, audit: Audit) -> Self {
        let open = lists(&motion.free_directions);
        let idle = |r: &Redundancy| {
            let others = r.repeats.iter().zip(&r.coefficients).map(|(&row, c)| (evaluator.rows[row], -c));
            let mut all: Direction = others.chain([(evaluator.rows[r.row], 1.0)]).collect();
            all.sort_unstable_by_key(|entry| entry.0);
            all
        };
        Self {
            state: state.clone(),
            entries,
            free: open.clone(),
            open,
            idle: audit.redundant.iter().map(idle).collect(),
            motion,
            audit,
            nonideal: Vec::new(),
            multipliers: Vec::new(),
            reactions: Vec::new(),
            contacts: Vec::new(),
            is_certain: true,
            shared: Vec::new(),
            sizes: OnceCell::new(),
            natural: OnceCell::new(),
        }
    }

    fn dense(
        evaluator: &Evaluator,
        nonideals: &Nonideals,
        workspace: &mut Workspace,
        state: &State,
    ) -> Result<Self, Failure> {
        let entries = evaluator.entries(state);
        let numbers = entries.full();
        let snapshot = Snapshot::new(&numbers.mass, &numbers.force).constrained(&numbers.a, &numbers.b);
        let audit = workspace.audit(&snapshot).map_err(Failure::Wrong)?;
        let decided = nonideals.decide(evaluator, state)?;
        Ok(Self {
            nonideal: decided.nonideal,
            multipliers: decided.multipliers,
            reactions: decided.reactions,
            contacts: reports(evaluator.equations, &decided.contacts),
            is_certain: decided.is_certain,
            shared: decided.shared.iter().map(|z| sparse_of(z)).collect(),
            ..Self::new(evaluator, state, entries, decided.motion, audit)
        })
    }

    /// The same for models with few entries to a row, without friction and without a C that depends on reactions.
    fn sparse(evaluator: &Evaluator, nonideals: &Nonideals, lean: &mut Lean, state: &State) -> Result<Self, Failure> {
        let entries = evaluator.entries(state);
        let spread = |list: &[f64]| -> Vec<f64> {
            evaluator.place.iter().map(|place| place.map_or(0.0, |at| list[at])).collect()
        };
        let (motion, audit, nonideal) =
            lean.motion(&entries, |multipliers| nonideals.plain(evaluator, state, &spread(multipliers)))?;
        let (model, open) = (&evaluator.equations.model, motion.acceleration.len() - motion.system_rank.rank);
        if motion.free_directions.len() < open && (model.free_zero.is_some() || !model.free.is_empty()) {
            return Err(Failure::TooFree(open));
        }
        Ok(Self {
            nonideal,
            multipliers: spread(&motion.ideal_multipliers),
            reactions: spread(&motion.reactions),
            ..Self::new(evaluator, state, entries, motion, audit)
        })
    }

    /// The sizes of what expressions are made of here.
    pub(super) fn sizes(&self, evaluator: &Evaluator) -> &Magnitudes {
        self.sizes.get_or_init(|| Magnitudes::new(evaluator, self))
    }

    /// The same, each as large as is natural for it.
    pub(super) fn natural_sizes(&self, evaluator: &Evaluator) -> &Magnitudes {
        self.natural.get_or_init(|| self.sizes(evaluator).natural(evaluator, self))
    }

    /// The point at which an expression of this state, its motion and its forces is evaluated.
    pub(super) fn point(&self) -> Point<'_> {
        Point {
            accelerations: &self.motion.acceleration,
            multipliers: &self.multipliers,
            reactions: &self.reactions,
            ..self.state.point()
        }
    }

    /// For each coordinate, whether some direction moves it.
    pub(super) fn moved(&self, directions: &[Direction]) -> Vec<bool> {
        let mut moved = vec![false; self.motion.acceleration.len()];
        directions.iter().flatten().for_each(|&(j, _)| moved[j] = true);
        moved
    }

    /// Adds what `free x'' = …` says along the free directions, and keeps those that are still free after that.
    fn prescribe(&mut self, evaluator: &Evaluator, kernel: &mut Kernel) {
        let said = &evaluator.equations.model.free;
        let mut along: Vec<Direction> = vec![Vec::new(); self.motion.acceleration.len()];
        for (at, w) in self.free.iter().enumerate() {
            w.iter().for_each(|&(j, x)| along[j].push((at, x)));
        }
        let (mut rows, mut right) = (Vec::new(), Vec::new());
        for direction in said {
            let point = Point { accelerations: &self.motion.acceleration, ..self.state.point() };
            let value = evaluator.value(direction.value, &point);
            rows.push(along[direction.coordinate].clone());
            right.push(value - self.motion.acceleration[direction.coordinate]);
        }
        let rows = Rows::from_lists(rows.into_iter());
        let Some((weights, left)) = kernel.weights(self.free.len(), &rows, &right) else { return };
        let mut more = vec![0.0; self.motion.acceleration.len()];
        for (c, w) in weights.iter().zip(&self.free) {
            w.iter().for_each(|&(j, x)| more[j] += c * x);
        }
        self.motion.acceleration.iter_mut().zip(&more).for_each(|(x, more)| *x += more);
        let combine = |weights: &Direction| {
            let mut sum = std::collections::BTreeMap::new();
            for &(at, c) in weights {
                self.free[at].iter().for_each(|&(j, x)| *sum.entry(j).or_insert(0.0) += c * x);
            }
            sum.into_iter().filter(|(_, x): &(usize, f64)| x.abs() >= 1e-12).collect()
        };
        self.free = left.iter().map(combine).collect();
    }
}

/// How much work the states around the start are worth, in units of n²(n + m) or so operations each.
const BUDGET: usize = 500_000_000;
/// Steps of Newton's method towards one state: it comes near in a few, or begins again less far away.
const STEPS: usize = 14;
/// Rows that are off by more than this part of their scale hold no longer.
const PARTED: f64 = 1e-9;
/// More coordinates than this make a large system.
const LARGE: usize = 30;

/// The motion at states near another that satisfy the constraints: as many as asked for, or as are worth their time.
pub(super) fn around(
    evaluator: &Evaluator,
    nonideals: &Nonideals,
    kernel: &mut Kernel,
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
    let solve = match kernel {
        Kernel::Dense(_) => n.saturating_mul(n).saturating_mul(n + m).max(1000),
        Kernel::Sparse(lean) => lean.cost(evaluator),
    };
    let motion = 4 + 2 * nonideals.frictions;
    let mut solves = BUDGET / solve;
    if solves < STEPS + 2 * motion {
        // Not worth beginning: it would hardly find one.
        return Vec::new();
    }
    // Links of a long chain are short: with the sparse kernel the states may have to be as near as one of them.
    let (attempts, nearer, least) = if kernel.is_sparse() { (6, 0.1, 1e-7) } else { (3, 0.3, 1e-3) };
    // In a large system, where one state failed at some distance, the next need not try it again.
    let mut farthest = f64::INFINITY;
    let mut found = Vec::new();
    for which in 0..count {
        let mut random = seeded(seed ^ (which as u64 + 1) << 8);
        let mut reach = f64::min([0.02, 0.1, 0.3][which % 3], farthest);
        for _ in 0..attempts {
            if solves <= motion {
                return found;
            }
            let mut state = start.clone();
            state.time += 0.3 * reach * span * random.uniform(0.0, 1.0);
            for j in all.iter().copied() {
                state.positions[j] += reach * size[j] * random.uniform(-1.0, 1.0);
                state.velocities[j] += (0.5 + reach) * speed[j] * random.uniform(-1.0, 1.0);
            }
            let mut steps = (if n > LARGE { STEPS / 2 } else { STEPS }).min(solves);
            let before = steps;
            let mut left =
                meet_within(evaluator, kernel, &mut state, Which::Positions, &all, Measure::Size, &mut steps);
            if left <= 1e-12 {
                let moving =
                    meet_within(evaluator, kernel, &mut state, Which::Velocities, &all, Measure::Size, &mut steps);
                left = left.max(0.1 * moving);
            }
            solves -= before - steps;
            // Not so far that it is another place altogether.
            let near = all.iter().all(|&j| (state.positions[j] - start.positions[j]).abs() <= 10.0 * size[j]);
            if left <= 1e-12 && near {
                solves = solves.saturating_sub(motion);
                found.extend(Instant::at(evaluator, nonideals, kernel, &state));
                break;
            }
            reach *= nearer;
            if n > LARGE {
                farthest = f64::max(reach, least);
            }
        }
    }
    found
}

/// Redundant rows that hold no longer where those that they repeat do: circles that touch. To be asked where no state around satisfies all rows.
pub(super) fn parted(evaluator: &Evaluator, kernel: &mut Kernel, start: &Instant) -> Vec<usize> {
    let n = evaluator.coordinates();
    let redundant: Vec<usize> = start.audit.redundant.iter().map(|r| evaluator.rows[r.row]).collect();
    if redundant.is_empty() || n > LARGE {
        return Vec::new();
    }
    let all: Vec<usize> = (0..n).collect();
    let size = evaluator.position_sizes(&start.state);
    let mut parted: Option<Vec<usize>> = None;
    for which in 0..6 {
        let mut random = seeded(8 + which);
        let reach = [0.3, 0.1, 0.03][which as usize % 3];
        let mut state = start.state.clone();
        state.time += reach * random.uniform(0.0, 1.0);
        for (q, size) in state.positions.iter_mut().zip(&size) {
            *q += reach * size * random.uniform(-1.0, 1.0);
        }
        let mut met = false;
        for _ in 0..STEPS {
            let level = evaluator.positions(&state).without(&redundant);
            met = level.worst() <= 1e-12;
            let Some(step) = (!met).then(|| least_step(kernel, &level, None, &level.sizes, &all, None)).flatten()
            else {
                break;
            };
            state.positions.iter_mut().zip(&step).for_each(|(q, step)| *q += step);
        }
        if !met {
            continue;
        }
        let level = evaluator.positions(&state);
        let off = |at: &usize| level.residual[*at].abs() > PARTED * level.scale[*at];
        let rows = (0..level.rows.len()).filter(off).filter_map(|at| evaluator.place[level.rows[at]]);
        let rows: Vec<usize> = rows.collect();
        parted = Some(match parted {
            None => rows,
            Some(before) => before.into_iter().filter(|row| rows.contains(row)).collect(),
        });
    }
    parted.unwrap_or_default()
}
