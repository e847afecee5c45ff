//! The solve: factor once, respond to Q and to C, refine where needed, judge, split the forces.

use super::answer::{Gauss, Motion, Rank};
use super::error::MotionError;
use super::factor::Factor;
use super::nonideal::{Coupled, Prepared};
use super::snapshot::Snapshot;
use super::structure::Structure;
use crate::linalg::dependency::Dependencies;
use crate::linalg::echelon::Margin;
use crate::linalg::range::Range;
use crate::linalg::refill;
use crate::linalg::twofold::{self, TwofoldSum};
use crate::linalg::vector::{Pair, add_scaled, add_scaled_pair, dot, dot_pair, max_abs, norm, times};

/// A row is met when its residual is below this fraction of the terms that make it up.
pub(crate) const CONSISTENT: f64 = 1e-10;
/// A free direction is balanced when the force along it is below this fraction of its terms.
const BALANCED: f64 = 1e-10;
/// What a direction computed to rounding can make of a force that it does not meet at all.
const ROUNDING: f64 = 1e-14;

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
    deviation: Option<f64>,
}

impl Answers {
    fn reset(&mut self, n: usize, m: usize) {
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
/// use holonom::{Snapshot, Workspace};
///
/// let mut workspace = Workspace::new();
/// for step in 0..3 {
///     let force = [0.0, -9.81 * step as f64];
///     let snapshot = Snapshot::new(&[1.0, 0.0, 0.0, 1.0], &force).constrained(&[1.0, 0.0], &[0.0]);
///     let motion = workspace.solve(&snapshot)?;
///     assert_eq!(motion.acceleration, [0.0, force[1]]);
/// }
/// # Ok::<(), holonom::MotionError>(())
/// ```
#[derive(Clone)]
pub struct Workspace {
    pub(crate) factor: Factor,
    pub(crate) motion: Motion,
    pub(crate) answers: Answers,
    /// Both answers added up, where that needs refinement of its own.
    total: Answers,
    pub(crate) correction: Answers,
    /// Q and C without what lies along free directions.
    forces: Vec<Pair>,
    /// b, or the nearest right side that the constraints can meet.
    reachable: Vec<f64>,
    pub(crate) residual_force: Vec<Pair>,
    pub(crate) residual_rows: Vec<Pair>,
    over_rows: [Vec<f64>; 2],
    range: Range,
    pub(crate) dependencies: Dependencies,
    shortest_first: Vec<usize>,
    independent: Vec<usize>,
    /// For each row, which dependency is solved for it.
    dependent: Vec<Option<usize>>,
    pub(crate) coupled: Coupled,
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
            range: Range::default(),
            dependencies: Dependencies::default(),
            shortest_first: Vec::new(),
            independent: Vec::new(),
            dependent: Vec::new(),
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

    /// The motion with ranks and independent rows held from an earlier solve of the same system.
    ///
    /// Rows outside the held ones are not consulted, and `consistent` is that of the earlier solve.
    ///
    /// # Errors
    ///
    /// As [`solve`](Self::solve), and when a held row has become dependent on the others.
    ///
    /// # Examples
    ///
    /// A row that is redundant only on the manifold, a hair off it, changes nothing while the rank is held:
    ///
    /// ```
    /// use holonom::{Snapshot, Workspace};
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
    /// # Ok::<(), holonom::MotionError>(())
    /// ```
    pub fn solve_held(&mut self, snapshot: &Snapshot, held: &Structure) -> Result<&Motion, MotionError> {
        self.solve_with(snapshot, Some(held))
    }

    /// The rank decisions of the last solve, to be held for later ones.
    pub fn structure(&self) -> Structure {
        Structure::of(&self.factor, self.motion.consistent)
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
        match held {
            None => self.factor.decide(s)?,
            Some(held) => self.factor.follow(s, held)?,
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
        }
        if self.factor.rank() < m {
            self.find_dependencies(s);
        } else {
            self.dependencies.clear();
        }
        let rank = |r: usize, margin: Margin| Rank { rank: r, gap: margin.kept, dropped: margin.dropped };
        self.motion.constraint_rank = rank(self.factor.rank(), self.factor.rows.margin());
        self.motion.system_rank = rank(self.factor.system_rank(), self.factor.system_margin());
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
        self.motion.consistent = held.map_or_else(|| self.right_sides_agree(s), |held| held.consistent);
        if !self.motion.consistent && held.is_none() {
            self.find_reachable(s);
            self.answer_all(s);
        }
    }

    fn answer_all(&mut self, s: &Snapshot) {
        let Answers { qdd, lambda, lambda_low, deviation } = &mut self.answers;
        let (forces, reachable) = (&self.forces, &self.reachable);
        *deviation = Some(self.factor.respond(|j| forces[j], |i| [reachable[i], 0.0], qdd, lambda));
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
        if self.motion.free_directions.is_empty() {
            return;
        }
        for w in self.motion.free_directions.chunks_exact(self.factor.n) {
            let along = dot_pair(w, &self.forces);
            add_scaled_pair(&mut self.forces, times(-1.0, along), w);
        }
    }

    /// Whether rows that depend on others ask for what those give.
    ///
    /// Judged on the right sides themselves, against the terms that make the row up: Σⱼ|Aᵢⱼ q̈ⱼ| + |bᵢ|.
    fn right_sides_agree(&self, s: &Snapshot) -> bool {
        self.dependencies.iter().all(|(row, nu)| {
            let (mut sum, mut summands) = (0.0, 0.0);
            for (nu, b) in nu.iter().zip(s.b) {
                sum += nu * b;
                summands += (nu * b).abs();
            }
            let acceleration = s.row(row).iter().zip(&self.answers.qdd);
            let terms: f64 = acceleration.map(|(a, x)| (a * (x[0] + x[1])).abs()).sum();
            let size = nu[row].abs() * (terms + s.b[row].abs());
            sum.abs() <= CONSISTENT * size + 32.0 * f64::EPSILON * summands
        })
    }

    /// How dependent rows follow from the others, solved for the shortest rows.
    ///
    /// Then no coefficient is large, and least squares over rows of any size is well-posed: long rows that
    /// repeat each other are eliminated exactly, not up to a rounding error that would drown short ones.
    fn find_dependencies(&mut self, s: &Snapshot) {
        let m = s.rows();
        self.shortest_first.clear();
        self.shortest_first.extend(0..m);
        let scale = &self.factor.rows.row_scale;
        self.shortest_first.sort_unstable_by(|a, b| scale[*b].total_cmp(&scale[*a]).then(b.cmp(a)));
        self.dependencies.find(&self.factor.rows, m, &self.shortest_first);
        refill(&mut self.dependent, m, None);
        for (t, (row, _)) in self.dependencies.iter().enumerate() {
            self.dependent[row] = Some(t);
        }
        self.independent.clear();
        self.independent.extend((0..m).filter(|i| self.dependent[*i].is_none()));
        // range A = range F: unit rows where a row is independent, coefficients where it is not.
        let (dependencies, dependent, independent) = (&self.dependencies, &self.dependent, &self.independent);
        self.range.factor(m, independent.len(), |i, j| match dependent[i] {
            None => f64::from(independent[j] == i),
            Some(t) => {
                let nu = dependencies.combination(t);
                -nu[independent[j]] / nu[i]
            }
        });
    }

    /// `x ← A A⁺ x` in the rows as given, where rows depend on each other.
    pub(crate) fn project_on_range(&mut self, x: &mut [f64]) {
        if self.factor.rank() < self.factor.m {
            self.range.project(x);
        }
    }

    /// The right side nearest to b that the constraints can meet: A A⁺ b.
    ///
    /// Refined like everything else: rows of 10⁶ that contradict each other leave a residual of 10⁶, and
    /// what is left for rows of 1 must not drown in its rounding.
    fn find_reachable(&mut self, s: &Snapshot) {
        let (dependencies, independent) = (&self.dependencies, &self.independent);
        let high = &mut self.reachable;
        let [residual, low] = &mut self.over_rows;
        high.fill(0.0);
        low.fill(0.0);
        for _ in 0..3 {
            for &i in independent {
                let mut sum = TwofoldSum::from(s.b[i]);
                sum.add_product(-1.0, high[i]);
                sum.add_product(-1.0, low[i]);
                residual[i] = sum.value();
            }
            for (i, nu) in dependencies.iter() {
                let mut sum = TwofoldSum::from(s.b[i]);
                for &j in independent {
                    let coefficient = nu[j] / nu[i];
                    sum.add_product(coefficient, high[j]);
                    sum.add_product(coefficient, low[j]);
                }
                residual[i] = sum.value();
            }
            self.range.project(residual);
            for &i in independent {
                (high[i], low[i]) = twofold::add(high[i], low[i], residual[i]);
            }
        }
        for (i, nu) in dependencies.iter() {
            let mut sum = TwofoldSum::default();
            for &j in independent {
                sum.add_product(-nu[j] / nu[i], high[j]);
                sum.add_product(-nu[j] / nu[i], low[j]);
            }
            high[i] = sum.value();
        }
    }

    /// The parts of the answer, put together and judged.
    pub(crate) fn assemble(&mut self, s: &Snapshot) -> Result<&Motion, MotionError> {
        let (n, m) = (s.coordinates(), s.rows());
        self.judge_balance(s);
        self.add_up(s);
        let motion = &mut self.motion;
        if !motion.is_unique() {
            // η = 0 in (2.14): nothing along the free directions.
            for w in motion.free_directions.chunks_exact(n) {
                let along = dot(w, &motion.acceleration);
                add_scaled(&mut motion.acceleration, -along, w);
            }
        }
        // Qᵢ = Aᵀλᵢ; Qₙᵢ = C + Aᵀ(λ − λᵢ), as Q^c = C + Aᵀλ.
        let forces = &mut self.residual_force;
        match s.C {
            None => forces.fill([0.0; 2]),
            Some(C) => forces.iter_mut().zip(C).for_each(|(f, c)| *f = [0.0, *c]),
        }
        let mut finite = 0.0;
        for ((i, residual), lambda) in motion.residuals.iter_mut().enumerate().zip(&self.answers.lambda) {
            *residual = dot(s.row(i), &motion.acceleration) - s.b[i];
            finite += (*residual + lambda[0] + lambda[1]) * 0.0; // 0, unless something is not a number
            if self.factor.well_conditioned {
                add_scaled_pair(forces, *lambda, s.row(i));
            }
        }
        if !self.factor.well_conditioned {
            for (j, force) in forces.iter_mut().enumerate() {
                for (lane, force) in force.iter_mut().enumerate() {
                    let mut sum = TwofoldSum::from(*force);
                    self.answers.add_force(s, j, lane, &mut sum);
                    *force = sum.value();
                }
            }
        }
        if self.factor.rank() < m {
            self.range.project(&mut motion.ideal_multipliers);
            self.range.project(&mut motion.reactions);
        }

        // q̈ᵀMq̈ = q̈ᵀ(Q + Qᵢ + Qₙᵢ), as q̈ has nothing along the free directions.
        let parts = motion.ideal_force.iter_mut().zip(&mut motion.nonideal_force);
        let moving = motion.acceleration.iter().zip(s.Q);
        let mut general = 0.0;
        for ((force, (ideal, nonideal)), (qdd, q)) in forces.iter().zip(parts).zip(moving) {
            [*ideal, *nonideal] = *force;
            general += 0.5 * qdd * (force[0] + force[1] - q);
            finite += (force[0] + force[1]) * 0.0;
        }
        if let Some(C) = s.C {
            general -= dot(C, &motion.acceleration);
        }
        let deviation = if motion.mass_rank < n {
            None
        } else if self.factor.well_conditioned && self.answers.deviation.is_some() {
            self.answers.deviation
        } else {
            let C = |j: usize| s.C.map_or(0.0, |C| C[j]);
            Some(self.factor.inverse_mass_norm(|j| forces[j][0] + forces[j][1] - C(j))) // ‖Q^c − C‖² (17)
        };
        motion.gauss = Gauss { deviation, general };
        finite += (general + deviation.unwrap_or(0.0)) * 0.0;
        if finite == 0.0 && self.rows_are_met(s) { Ok(&self.motion) } else { Err(MotionError::OutOfRange) }
    }

    /// The last look: where the factors had to be helped, independent rows must hold all the same.
    fn rows_are_met(&self, s: &Snapshot) -> bool {
        if self.factor.well_conditioned || !self.motion.consistent {
            return true;
        }
        let scale = &self.factor.mass.scale;
        let size = |x: f64, d: f64| (x / d).abs();
        let largest = self.motion.acceleration.iter().zip(scale).fold(0.0, |m: f64, (x, d)| m.max(size(*x, *d)));
        self.factor.rows.rows[..self.factor.rank()].iter().all(|&i| {
            let (mut terms, mut noise) = (s.b[i].abs(), 0.0);
            for ((a, x), d) in s.row(i).iter().zip(&self.motion.acceleration).zip(scale) {
                terms += (a * x).abs();
                noise += a.abs() * d * largest;
            }
            self.motion.residuals[i].abs() <= 1e-8 * terms + 1e-12 * noise
        })
    }

    /// Acceleration and reactions from both answers, refined once more where the two may cancel.
    fn add_up(&mut self, s: &Snapshot) {
        let motion = &mut self.motion;
        motion.acceleration.iter_mut().zip(&self.answers.qdd).for_each(|(q, x)| *q = x[0] + x[1]);
        let multipliers = motion.ideal_multipliers.iter_mut().zip(&mut motion.reactions);
        multipliers.zip(&self.answers.lambda).for_each(|((ideal, all), x)| (*ideal, *all) = (x[0], x[0] + x[1]));
        if s.C.is_none() {
            return;
        }
        let cancels = || {
            let mut largest = 0.0;
            for [ideal, _] in &self.answers.qdd {
                largest = if ideal.abs() > largest { ideal.abs() } else { largest };
            }
            max_abs(&motion.acceleration) < 0.1 * largest
        };
        if !self.factor.well_conditioned || cancels() {
            let mut total = std::mem::take(&mut self.total);
            for (t, x) in total.qdd.iter_mut().zip(&motion.acceleration) {
                *t = [*x, 0.0];
            }
            for (t, x) in total.lambda.iter_mut().zip(&motion.reactions) {
                *t = [*x, 0.0];
            }
            total.lambda_low.fill([0.0; 2]);
            let mut forces = std::mem::take(&mut self.forces);
            forces.iter_mut().for_each(|f| *f = [f[0] + f[1], 0.0]);
            let reachable = std::mem::take(&mut self.reachable);
            self.refine(s, &forces, &reachable, &mut total);
            self.motion.acceleration.iter_mut().zip(&total.qdd).for_each(|(x, t)| *x = t[0]);
            self.motion.reactions.iter_mut().zip(&total.lambda).for_each(|(x, t)| *x = t[0]);
            (self.total, self.forces, self.reachable) = (total, forces, reachable);
        }
    }

    /// Whether the force along the free directions vanishes, and what of it does not.
    fn judge_balance(&mut self, s: &Snapshot) {
        let n = s.coordinates();
        let motion = &mut self.motion;
        if !motion.balanced {
            motion.balanced = true;
            motion.unbalanced_force.fill(0.0);
        }
        if motion.free_directions.is_empty() {
            return;
        }
        for w in motion.free_directions.chunks_exact(n) {
            let scaled = w.iter().zip(&self.factor.mass.scale).map(|(w, d)| w / d);
            let length = norm_of(scaled);
            let (mut along, mut size, mut noise) = (0.0, 0.0, 0.0);
            for j in (0..n).filter(|j| w[*j] != 0.0) {
                let (q, c) = (s.Q[j], s.C.map_or(0.0, |C| C[j]));
                along += w[j] * (q + c);
                size += w[j].abs() * (q.abs() + c.abs());
                noise += length * self.factor.mass.scale[j] * (q.abs() + c.abs());
            }
            if along.abs() > BALANCED * size && along.abs() > ROUNDING * noise {
                motion.balanced = false;
                add_scaled(&mut motion.unbalanced_force, along, w);
            }
        }
    }

    /// An orthonormal basis of N(M) ∩ N(A), each direction with its first component positive.
    fn find_free_directions(&mut self, s: &Snapshot) {
        let n = s.coordinates();
        let count = n - self.factor.system_rank();
        let mut directions = std::mem::take(&mut self.motion.free_directions);
        refill(&mut directions, count * n, 0.0);
        for index in 0..count {
            let (done, rest) = directions.split_at_mut(index * n);
            let w = &mut rest[..n];
            self.factor.free_direction(index, w);
            self.refine_free(s, w);
            // Twice is enough: Gram–Schmidt loses at most what the first pass left.
            for _ in 0..2 {
                for other in done.chunks_exact(n) {
                    let along = dot(other, w);
                    add_scaled(w, -along, other);
                }
                let length = norm(w);
                w.iter_mut().for_each(|x| *x /= length);
            }
            let scaled_length = norm_of(w.iter().zip(&self.factor.mass.scale).map(|(w, d)| w / d));
            for (w, d) in w.iter_mut().zip(&self.factor.mass.scale) {
                // What is below rounding in comparable units is no part of the direction.
                if w.abs() <= 1e-13 * d * scaled_length {
                    *w = 0.0;
                }
            }
            if w.iter().find(|x| **x != 0.0).is_some_and(|x| *x < 0.0) {
                w.iter_mut().for_each(|x| *x = -*x);
            }
        }
        self.motion.free_directions = directions;
    }

    /// Makes `M w = 0`, `A w = 0` hold to the last digits.
    fn refine_free(&mut self, s: &Snapshot, w: &mut [f64]) {
        let mut answers = std::mem::take(&mut self.total);
        answers.reset(s.coordinates(), s.rows());
        answers.qdd.iter_mut().zip(&*w).for_each(|(x, w)| x[0] = *w);
        let mut forces = std::mem::take(&mut self.forces);
        refill(&mut forces, s.coordinates(), [0.0; 2]);
        let mut nothing = std::mem::take(&mut self.reachable);
        refill(&mut nothing, s.rows(), 0.0);
        self.refine(s, &forces, &nothing, &mut answers);
        w.iter_mut().zip(&answers.qdd).for_each(|(w, x)| *w = x[0]);
        (self.total, self.forces, self.reachable) = (answers, forces, nothing);
    }
}

fn norm_of(values: impl Iterator<Item = f64>) -> f64 {
    values.map(|v| v * v).sum::<f64>().sqrt()
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
/// use holonom::{Snapshot, solve};
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
/// # Ok::<(), holonom::MotionError>(())
/// ```
pub fn solve(snapshot: &Snapshot) -> Result<Motion, MotionError> {
    let mut workspace = Workspace::new();
    workspace.solve(snapshot)?;
    Ok(workspace.motion)
}
