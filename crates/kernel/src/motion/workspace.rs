//! The solve: factor once, answer Q and C, refine where needed. What it calls stands in the files beside it.

use super::answer::Motion;
use super::error::MotionError;
use super::factor::Factor;
use super::nonideal::{Coupled, Prepared};
use super::snapshot::Snapshot;
use super::structure::Structure;
use crate::linalg::dependency::Dependencies;
use crate::linalg::reach::Reach;
use crate::linalg::refill;
use crate::linalg::tolerance::Agreement;
use crate::linalg::vector::{Pair, add_scaled_pair, dot_pair, times};

/// Two accelerations side by side and the multipliers that go with them: the answer to (Q, b), which is the
/// motion if every constraint were ideal, and the answer to (C, 0).
#[derive(Clone, Debug, Default)]
pub(crate) struct Answers {
    pub(crate) qdd: Vec<Pair>,
    /// Over the rows of A; zero on rows that depend on others.
    pub(crate) lambda: Vec<Pair>,
    /// What rounding left of them, where refinement found it.
    pub(crate) lambda_low: Vec<Pair>,
    /// Gauss's function of both together, where M > 0 and both were answered at once.
    pub(crate) deviation: Option<f64>,
}

impl Answers {
    pub(super) fn reset(&mut self, n: usize, m: usize) {
        refill(&mut self.qdd, n, [0.0; 2]);
        refill(&mut self.lambda, m, [0.0; 2]);
        refill(&mut self.lambda_low, m, [0.0; 2]);
    }
}

/// Everything that a solve needs to store: keep one per thread and reuse it.
///
/// After the first solve of a size, no further one allocates.
///
/// # Examples
///
/// ```
/// use holonom_kernel::{Snapshot, Workspace};
///
/// let mut workspace = Workspace::new();
/// for step in 0..3 {
///     let force = [0.0, -9.81 * step as f64];
///     let snapshot = Snapshot::new(&[1.0, 0.0, 0.0, 1.0], &force).constrained(&[1.0, 0.0], &[0.0]);
///     let motion = workspace.solve(&snapshot)?;
///     assert_eq!(motion.acceleration, [0.0, force[1]]);
/// }
/// # Ok::<(), holonom_kernel::MotionError>(())
/// ```
#[derive(Clone)]
pub struct Workspace {
    pub(super) factor: Factor,
    pub(super) motion: Motion,
    pub(super) answers: Answers,
    /// Both answers added up, where that needs refinement of its own.
    pub(super) total: Answers,
    pub(super) correction: Answers,
    /// Q and C without what lies along free directions.
    pub(super) forces: Vec<Pair>,
    /// b, or the nearest right side that the constraints can meet.
    pub(super) reachable: Vec<f64>,
    pub(super) residual_force: Vec<Pair>,
    pub(super) residual_rows: Vec<Pair>,
    pub(super) over_rows: [Vec<f64>; 3],
    pub(super) reach: Reach,
    /// The free directions, orthonormal, with all their components, and before they were made so.
    pub(super) free: Vec<f64>,
    pub(super) free_as_found: Vec<f64>,
    pub(super) dependencies: Dependencies,
    pub(super) shortest_first: Vec<usize>,
    pub(super) coupled: Coupled,
}

impl Default for Workspace {
    fn default() -> Self {
        Self::new()
    }
}

impl Workspace {
    /// An empty workspace; it grows to the systems that it meets.
    pub fn new() -> Self {
        Self {
            factor: Factor::default(),
            motion: Motion::empty(),
            answers: Answers::default(),
            total: Answers::default(),
            correction: Answers::default(),
            forces: Vec::new(),
            reachable: Vec::new(),
            residual_force: Vec::new(),
            residual_rows: Vec::new(),
            over_rows: Default::default(),
            reach: Reach::default(),
            free: Vec::new(),
            free_as_found: Vec::new(),
            dependencies: Dependencies::default(),
            shortest_first: Vec::new(),
            coupled: Coupled::default(),
        }
    }

    /// The motion of the system (Udwadia & Phohomsiri 2006, eq. 2.14 with η = 0), with every rank decided.
    ///
    /// # Errors
    ///
    /// Only for data that describe no mechanical system: wrong shapes, entries that are not numbers, an
    /// M that is not symmetric or not positive semi-definite, or sizes beyond double precision.
    pub fn solve(&mut self, snapshot: &Snapshot) -> Result<&Motion, MotionError> {
        self.solve_with(snapshot, None)
    }

    /// The motion with the independent rows held from an earlier solve of the same system.
    ///
    /// Rows outside the held ones are not consulted, and `consistent` is that of the earlier solve. Everything else is decided
    /// anew: the pivots among the held rows, and the rank of M.
    ///
    /// # Errors
    ///
    /// As [`solve`](Self::solve), and when a held row has become dependent on the others, or a coordinate undetermined.
    ///
    /// # Examples
    ///
    /// A row that is redundant only on the manifold, a hair off it, changes nothing while the rank is held:
    ///
    /// ```
    /// use holonom_kernel::{Snapshot, Workspace};
    ///
    /// let (mass, force) = ([1.0, 0.0, 0.0, 1.0], [0.0, -9.81]);
    /// let mut workspace = Workspace::new();
    /// let on = Snapshot::new(&mass, &force).constrained(&[1.0, 0.0, 2.0, 0.0], &[1.0, 2.0]);
    /// workspace.solve(&on)?;
    /// let held = workspace.structure();
    /// assert_eq!(held.independent_rows(), [0]);
    ///
    /// let off = Snapshot::new(&mass, &force).constrained(&[1.0, 0.0, 2.0, 1e-8], &[1.0, 2.0]);
    /// assert_eq!(workspace.solve_held(&off, &held)?.acceleration, [1.0, -9.81]);
    /// assert!(workspace.solve(&off)?.acceleration[1].abs() < 1e-6); // decided anew: another system
    /// # Ok::<(), holonom_kernel::MotionError>(())
    /// ```
    pub fn solve_held(&mut self, snapshot: &Snapshot, held: &Structure) -> Result<&Motion, MotionError> {
        self.solve_with(snapshot, Some(held))
    }

    /// The motion that was found last: by [`solve`](Self::solve), or on the way by [`audit`](Self::audit)
    /// (of the whole system) and [`explain`](Self::explain) (of the system as if ideal).
    pub fn motion(&self) -> &Motion {
        &self.motion
    }

    /// The independent rows of the last solve, to be held for later ones.
    pub fn structure(&self) -> Structure {
        Structure::of(&self.factor, self.motion.consistent)
    }

    /// Keeps the independent rows of the last solve in a structure that is there already; allocates nothing for a size it has held.
    pub fn hold(&self, held: &mut Structure) {
        held.take(&self.factor, self.motion.consistent);
    }

    /// The answer to no force at all and other right sides, with the factors at hand: the step of least mass norm that
    /// changes what the independent rows measure by `right`.
    pub fn least_step(&mut self, right: impl Fn(usize) -> f64, step: &mut [f64]) {
        self.make_room();
        let Answers { qdd, lambda, .. } = &mut self.correction;
        self.factor.respond(|_| [0.0; 2], |i| [right(i), 0.0], qdd, lambda);
        step.iter_mut().zip(&*qdd).for_each(|(step, x)| *step = x[0]);
    }

    /// Room for an answer, where no system of this size has been solved yet: the first may have had no factors.
    fn make_room(&mut self) {
        let (n, m) = (self.factor.n, self.factor.m);
        if (self.correction.qdd.len(), self.correction.lambda.len()) != (n, m) {
            self.correction.reset(n, m);
        }
    }

    /// The acceleration under another force and other right sides, and the multipliers of independent rows, with the factors
    /// at hand. Nothing is refined or judged.
    pub fn answer_held(&mut self, force: &[f64], right: impl Fn(usize) -> f64, x: &mut [f64], multipliers: &mut [f64]) {
        self.make_room();
        let Answers { qdd, lambda, .. } = &mut self.correction;
        self.factor.respond(|j| [force[j], 0.0], |i| [right(i), 0.0], qdd, lambda);
        x.iter_mut().zip(&*qdd).for_each(|(x, pair)| *x = pair[0]);
        multipliers.iter_mut().zip(&*lambda).for_each(|(x, pair)| *x = pair[0]);
    }

    /// Factors the system and solves it as if its constraints were ideal, for a C that depends on the
    /// result: a C in the snapshot is ignored.
    ///
    /// # Errors
    ///
    /// As [`solve`](Self::solve).
    pub fn prepare<'a>(&'a mut self, snapshot: &Snapshot<'a>) -> Result<Prepared<'a>, MotionError> {
        let mut snapshot = *snapshot;
        snapshot.C = None;
        self.factor_for(&snapshot, None)?;
        self.settle(&snapshot, None);
        self.assemble(&snapshot)?;
        Ok(Prepared { workspace: self, snapshot })
    }

    fn solve_with(&mut self, s: &Snapshot, held: Option<&Structure>) -> Result<&Motion, MotionError> {
        self.factor_for(s, held)?;
        self.settle(s, held);
        self.assemble(s)
    }

    /// The acceleration for other forces and right sides of the system that is factored.
    pub(crate) fn answer(&mut self, s: &Snapshot) -> Result<&[f64], MotionError> {
        self.settle(s, None);
        self.assemble(s).map(|motion| motion.acceleration.as_slice())
    }

    /// Factors, and finds the free directions.
    pub(crate) fn factor_for(&mut self, s: &Snapshot, held: Option<&Structure>) -> Result<(), MotionError> {
        s.validate()?;
        let (n, m) = (s.coordinates(), s.rows());
        self.motion.free_directions.clear();
        self.free.clear();
        match held {
            None => self.factor.decide(s)?,
            Some(held) => self.factor.decide_held(s, held)?,
        }
        if self.residual_force.len() != n || self.residual_rows.len() != m {
            // Answers are overwritten in full: they need their size, not their zeros.
            for answers in [&mut self.answers, &mut self.total, &mut self.correction] {
                answers.reset(n, m);
            }
            self.residual_force.resize(n, [0.0; 2]);
            self.residual_rows.resize(m, [0.0; 2]);
            self.over_rows.iter_mut().for_each(|v| v.resize(m, 0.0));
            self.forces.resize(n, [0.0; 2]);
            self.reachable.resize(m, 0.0);
            self.motion.resize(n, m);
            // Room for whatever a system of this size may turn out to be, so that no later one allocates.
            self.motion.free_directions.reserve(n, n);
            self.free.reserve(n * n);
            self.free_as_found.clear();
            self.free_as_found.reserve(n * n);
            self.shortest_first.clear();
            self.shortest_first.reserve(m);
            self.dependencies.reserve(m);
            self.reach.reserve(m);
        }
        if self.factor.rank() < m {
            self.find_dependencies(s)?;
        } else {
            self.dependencies.clear();
        }
        self.motion.constraint_rank = self.factor.rows.margin().rank(self.factor.rank());
        self.motion.system_rank = self.factor.system_margin().rank(self.factor.system_rank());
        self.motion.mass_rank = self.factor.mass.rank;
        self.motion.refinements = 0;
        if self.factor.system_rank() < n {
            self.find_free_directions(s);
        }
        Ok(())
    }

    /// The answers to (Q, b) and, if the snapshot has one, to (C, 0), with b consistent or made so.
    fn settle(&mut self, s: &Snapshot, held: Option<&Structure>) {
        match s.C {
            None => self.forces.iter_mut().zip(s.Q).for_each(|(f, q)| *f = [*q, 0.0]),
            Some(C) => self.forces.iter_mut().zip(s.Q).zip(C).for_each(|((f, q), c)| *f = [*q, *c]),
        }
        self.split_off_free();
        self.reachable.iter_mut().zip(s.b).for_each(|(r, b)| *r = *b);
        self.answer_all(s);
        if let Some(held) = held {
            self.motion.consistent = held.consistent;
            return;
        }
        let agreement = self.agreement(s);
        self.motion.consistent = agreement < Agreement::None;
        if agreement > Agreement::Exact {
            self.find_reachable(s);
            self.answer_all(s);
        }
    }

    fn answer_all(&mut self, s: &Snapshot) {
        let Answers { qdd, lambda, lambda_low, deviation } = &mut self.answers;
        let (forces, reachable) = (&self.forces, &self.reachable);
        let (change, left) = self.factor.respond(|j| forces[j], |i| [reachable[i], 0.0], qdd, lambda);
        *deviation = Some(change);
        // Constraints that take away a thousand times the motion that is left have taken its digits too.
        self.factor.well_conditioned &= change <= 1e6 * left;
        if !self.factor.well_conditioned {
            lambda_low.fill([0.0; 2]);
            self.refine_answers(s);
        }
    }

    fn refine_answers(&mut self, s: &Snapshot) {
        let mut answers = std::mem::take(&mut self.answers);
        let (forces, reachable) = (std::mem::take(&mut self.forces), std::mem::take(&mut self.reachable));
        self.refine(s, &forces, &reachable, &mut answers);
        (self.answers, self.forces, self.reachable) = (answers, forces, reachable);
    }

    /// The answer to another non-ideal part; that to (Q, b) stays.
    pub(crate) fn answer_nonideal(&mut self, s: &Snapshot, C: &[f64]) {
        for (force, c) in self.forces.iter_mut().zip(C) {
            force[1] = *c;
        }
        self.split_off_free();
        let Answers { qdd, lambda, .. } = &mut self.correction;
        let forces = &self.forces;
        self.factor.respond(|j| [0.0, forces[j][1]], |_| [0.0; 2], qdd, lambda);
        self.answers.deviation = None;
        for (x, new) in self.answers.qdd.iter_mut().zip(&*qdd) {
            x[1] = new[1];
        }
        let lambdas = self.answers.lambda.iter_mut().zip(&mut self.answers.lambda_low);
        for ((x, low), new) in lambdas.zip(&*lambda) {
            (x[1], low[1]) = (new[1], 0.0);
        }
        if !self.factor.well_conditioned {
            self.refine_answers(s);
        }
    }

    /// f − Π f for both forces: what free directions carry can move nothing.
    fn split_off_free(&mut self) {
        for w in self.free.chunks_exact(self.factor.n.max(1)) {
            let along = dot_pair(w, &self.forces);
            add_scaled_pair(&mut self.forces, times(-1.0, along), w);
        }
    }
}

/// The motion of the system, in one call. See [`Workspace`] for many.
///
/// # Errors
///
/// As [`Workspace::solve`].
///
/// # Examples
///
/// The wheel of Udwadia & Phohomsiri 2006, example 1: y has no mass, and the motion is unique all the same.
///
/// ```
/// use holonom_kernel::{Snapshot, solve};
///
/// let (m, R, Ic, g, sin) = (2.0, 0.5, 0.25, 9.81, 0.5); // an incline of 30 degrees
/// let mass = [m * R * R + Ic, 0.0, 0.0, 0.0];
/// let force = [0.0, m * g];
/// let no_slip = [-R * sin, 1.0];
/// let motion = solve(&Snapshot::new(&mass, &force).constrained(&no_slip, &[0.0]))?;
/// assert!(motion.is_unique() && motion.mass_rank == 1);
/// let theta = m * g * R * sin / (m * R * R + Ic); // eq. 5.17
/// assert!((motion.acceleration[0] - theta).abs() < 1e-14);
/// assert!((motion.ideal_force[1] + m * g).abs() < 1e-14); // the plane carries all of the weight
/// # Ok::<(), holonom_kernel::MotionError>(())
/// ```
pub fn solve(snapshot: &Snapshot) -> Result<Motion, MotionError> {
    let mut workspace = Workspace::new();
    workspace.solve(snapshot)?;
    Ok(workspace.motion)
}
