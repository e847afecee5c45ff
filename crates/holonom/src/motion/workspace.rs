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
use crate::linalg::vector::{add_scaled, add_transposed, dot, max_abs, norm};

/// A row is met when its residual is below this fraction of the terms that make it up.
pub(crate) const CONSISTENT: f64 = 1e-10;
/// A free direction is balanced when the force along it is below this fraction of its terms.
const BALANCED: f64 = 1e-10;
/// What a direction computed to rounding can make of a force that it does not meet at all.
const ROUNDING: f64 = 1e-14;

/// An acceleration and the multipliers that go with it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Response {
    pub(crate) qdd: Vec<f64>,
    /// Over the rows of A; zero on rows that depend on others.
    pub(crate) lambda: Vec<f64>,
    /// What rounding left of them, where refinement found it.
    pub(crate) lambda_low: Vec<f64>,
    /// ‖q̈ − M⁻¹g‖² in the norm of M, where M > 0.
    pub(crate) deviation: f64,
}

impl Response {
    fn reset(&mut self, n: usize, m: usize) {
        refill(&mut self.qdd, n, 0.0);
        refill(&mut self.lambda, m, 0.0);
        refill(&mut self.lambda_low, m, 0.0);
        self.deviation = 0.0;
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
    /// The answer to (Q, b): the motion if every constraint were ideal.
    pub(crate) ideal: Response,
    /// The answer to (C, 0).
    pub(crate) nonideal: Response,
    /// Both together, where refinement is needed.
    total: Response,
    pub(crate) correction: Response,
    /// Q and C without what lies along free directions, and their sum.
    forces: [Vec<f64>; 3],
    /// b, or the nearest right side that the constraints can meet.
    reachable: Vec<f64>,
    /// The right side of constraints that ask for nothing.
    nothing: Vec<f64>,
    pub(crate) residual_force: Vec<f64>,
    pub(crate) residual_rows: Vec<f64>,
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
            ideal: Response::default(),
            nonideal: Response::default(),
            total: Response::default(),
            correction: Response::default(),
            forces: Default::default(),
            reachable: Vec::new(),
            nothing: Vec::new(),
            residual_force: Vec::new(),
            residual_rows: Vec::new(),
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
        for response in [&mut self.ideal, &mut self.nonideal, &mut self.total, &mut self.correction] {
            response.reset(n, m);
        }
        refill(&mut self.residual_force, n, 0.0);
        refill(&mut self.residual_rows, m, 0.0);
        refill(&mut self.nothing, m, 0.0);
        if self.factor.rank() < m {
            self.find_dependencies(s);
        } else {
            self.dependencies.find(&self.factor.rows, m, &[]);
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
        self.split_off_free(0, s.Q);
        self.reachable.clear();
        self.reachable.extend_from_slice(s.b);
        self.answer_ideal();
        self.answer_nonideal(s);
        if !self.factor.well_conditioned {
            self.refine_ideal(s);
            self.refine_nonideal(s);
        }
        self.motion.consistent = held.map_or_else(|| self.right_sides_agree(s), |held| held.consistent);
        if !self.motion.consistent && held.is_none() {
            // The nearest right side within reach: least squares in the rows as given (ERRATA).
            self.find_reachable(s);
            self.ideal.reset(s.coordinates(), s.rows());
            self.answer_ideal();
            self.refine_ideal(s);
        }
    }

    fn answer_ideal(&mut self) {
        let Response { qdd, lambda, deviation, .. } = &mut self.ideal;
        *deviation = self.factor.respond(&self.forces[0], &self.reachable, qdd, lambda);
    }

    /// The answer to a non-ideal part alone.
    pub(crate) fn answer_nonideal(&mut self, s: &Snapshot) {
        let (n, m) = (s.coordinates(), s.rows());
        self.nonideal.reset(n, m);
        refill(&mut self.forces[1], n, 0.0);
        let Some(C) = s.C else { return };
        self.split_off_free(1, C);
        let Response { qdd, lambda, .. } = &mut self.nonideal;
        self.factor.respond(&self.forces[1], &self.nothing, qdd, lambda);
    }

    /// `forces[slot] = f − Π f`: what free directions carry can move nothing.
    fn split_off_free(&mut self, slot: usize, f: &[f64]) {
        let force = &mut self.forces[slot];
        force.clear();
        force.extend_from_slice(f);
        for w in self.motion.free_directions.chunks_exact(f.len()) {
            let along = dot(w, f);
            add_scaled(force, -along, w);
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
            let acceleration = self.ideal.qdd.iter().zip(&self.nonideal.qdd);
            let terms: f64 = s.row(row).iter().zip(acceleration).map(|(a, (x, y))| (a * (x + y)).abs()).sum();
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
    pub(crate) fn project_on_range(&mut self, s: &Snapshot, x: &mut [f64]) {
        if self.factor.rank() < s.rows() {
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
        let (residual, low) = (&mut self.residual_rows, &mut self.nothing);
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
        low.fill(0.0);
    }

    fn refine_ideal(&mut self, s: &Snapshot) {
        let mut answer = std::mem::take(&mut self.ideal);
        let force = std::mem::take(&mut self.forces[0]);
        let reachable = std::mem::take(&mut self.reachable);
        self.motion.refinements += self.refine(s, &force, &reachable, &mut answer);
        (self.ideal, self.forces[0], self.reachable) = (answer, force, reachable);
    }

    /// Refines the answer to C, where the factors are not good enough by themselves.
    pub(crate) fn refine_nonideal(&mut self, s: &Snapshot) {
        if s.C.is_none() || self.factor.well_conditioned {
            return;
        }
        let mut answer = std::mem::take(&mut self.nonideal);
        let force = std::mem::take(&mut self.forces[1]);
        let nothing = std::mem::take(&mut self.nothing);
        self.motion.refinements += self.refine(s, &force, &nothing, &mut answer);
        (self.nonideal, self.forces[1], self.nothing) = (answer, force, nothing);
    }

    /// The parts of the answer, put together and judged.
    pub(crate) fn assemble(&mut self, s: &Snapshot) -> Result<&Motion, MotionError> {
        let (n, m) = (s.coordinates(), s.rows());
        self.add_up(s);
        self.judge_balance(s);

        let motion = &mut self.motion;
        motion.acceleration.clone_from(&self.total.qdd);
        // η = 0 in (2.14): nothing along the free directions.
        for w in motion.free_directions.chunks_exact(n) {
            let along = dot(w, &motion.acceleration);
            add_scaled(&mut motion.acceleration, -along, w);
        }
        // Qᵢ = Aᵀλᵢ; Qₙᵢ = C + Aᵀ(λ − λᵢ), as Q^c = C + Aᵀλ.
        refill(&mut motion.ideal_force, n, 0.0);
        refill(&mut motion.nonideal_force, n, 0.0);
        if let Some(C) = s.C {
            motion.nonideal_force.copy_from_slice(C);
        }
        for (force, response) in [(&mut motion.ideal_force, &self.ideal), (&mut motion.nonideal_force, &self.nonideal)]
        {
            if self.factor.well_conditioned {
                add_transposed(s.A, &response.lambda, force);
            } else {
                for (j, force) in force.iter_mut().enumerate() {
                    let mut sum = TwofoldSum::from(*force);
                    response.add_force(s, j, &mut sum);
                    *force = sum.value();
                }
            }
        }
        motion.ideal_multipliers.clone_from(&self.ideal.lambda);
        motion.reactions.clone_from(&self.total.lambda);
        if self.factor.rank() < m {
            self.range.project(&mut motion.ideal_multipliers);
            self.range.project(&mut motion.reactions);
        }

        motion.residuals.clear();
        for i in 0..m {
            motion.residuals.push(dot(s.row(i), &motion.acceleration) - s.b[i]);
        }
        // q̈ᵀMq̈ = q̈ᵀ(Q + Qᵢ + Qₙᵢ), as q̈ has nothing along the free directions.
        let mut general = 0.0;
        for j in 0..n {
            let C = s.C.map_or(0.0, |C| C[j]);
            let constraint = motion.ideal_force[j] + motion.nonideal_force[j];
            self.residual_force[j] = constraint - C;
            general += motion.acceleration[j] * (0.5 * (constraint - s.Q[j]) - C);
        }
        let deviation = if motion.mass_rank < n {
            None
        } else if s.C.is_none() && self.factor.well_conditioned {
            Some(self.ideal.deviation)
        } else {
            Some(self.factor.inverse_mass_norm(&self.residual_force)) // ‖Q^c − C‖² (17)
        };
        motion.gauss = Gauss { deviation, general };
        let finite = |v: &[f64]| v.iter().map(|x| x * 0.0).sum::<f64>() == 0.0;
        let whole = finite(&motion.acceleration)
            && finite(&motion.ideal_force)
            && finite(&motion.nonideal_force)
            && finite(&motion.reactions)
            && finite(&motion.ideal_multipliers)
            && finite(&motion.residuals)
            && finite(&[motion.gauss.general, deviation.unwrap_or(0.0)]);
        if whole { Ok(motion) } else { Err(MotionError::OutOfRange) }
    }

    /// `total = ideal + nonideal`, refined once more where the two may cancel.
    fn add_up(&mut self, s: &Snapshot) {
        self.total.qdd.clone_from(&self.ideal.qdd);
        self.total.lambda.clone_from(&self.ideal.lambda);
        self.total.lambda_low.clone_from(&self.ideal.lambda_low);
        if s.C.is_none() {
            return;
        }
        add_scaled(&mut self.total.qdd, 1.0, &self.nonideal.qdd);
        add_scaled(&mut self.total.lambda, 1.0, &self.nonideal.lambda);
        let cancels = max_abs(&self.total.qdd) < 0.1 * max_abs(&self.ideal.qdd);
        if !self.factor.well_conditioned || cancels {
            let [q, c, sum] = &mut self.forces;
            sum.clone_from(q);
            add_scaled(sum, 1.0, c);
            let mut total = std::mem::take(&mut self.total);
            let force = std::mem::take(&mut self.forces[2]);
            let reachable = std::mem::take(&mut self.reachable);
            self.motion.refinements += self.refine(s, &force, &reachable, &mut total);
            (self.total, self.forces[2], self.reachable) = (total, force, reachable);
        }
    }

    /// Whether the force along the free directions vanishes, and what of it does not.
    fn judge_balance(&mut self, s: &Snapshot) {
        let n = s.coordinates();
        let motion = &mut self.motion;
        motion.balanced = true;
        refill(&mut motion.unbalanced_force, n, 0.0);
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
        let mut answer = std::mem::take(&mut self.total);
        answer.reset(s.coordinates(), s.rows());
        answer.qdd.copy_from_slice(w);
        let mut force = std::mem::take(&mut self.forces[2]);
        refill(&mut force, s.coordinates(), 0.0);
        let nothing = std::mem::take(&mut self.nothing);
        self.refine(s, &force, &nothing, &mut answer);
        w.copy_from_slice(&answer.qdd);
        (self.total, self.forces[2], self.nothing) = (answer, force, nothing);
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
