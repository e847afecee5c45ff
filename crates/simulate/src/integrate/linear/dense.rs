//! With every entry in its place: by the shortest way while nothing is in doubt, by the dense kernel otherwise.

use holonom_kernel::linalg::tolerance::GROWN;
use holonom_kernel::motion::quick::Quick;
use holonom_kernel::motion::supplement::{Filled, Supplement};
use holonom_kernel::{Leaders, MotionError, Snapshot, Structure, Workspace};

/// A factorisation of M and some rows of A, with ranks that are decided at states on the constraints and held in between.
#[derive(Clone)]
pub(crate) struct Dense {
    n: usize,
    m: usize,
    quick: Quick,
    pub(super) workspace: Workspace,
    pub(super) held: Option<Structure>,
    /// What coordinates and rows are measured by along the motion, if it is known, and room to choose leading rows by it.
    sizes: Vec<f64>,
    scales: Vec<f64>,
    leaders: Leaders,
    /// Whether the last factorisation is the short one.
    by_short_way: bool,
    zeros: Vec<f64>,
    filled: Filled,
    supplement: Supplement,
    /// How often it factored.
    pub(super) factorisations: u64,
}

impl Dense {
    /// For n coordinates and m rows.
    pub(super) fn new(n: usize, m: usize) -> Self {
        let mut quick = Quick::default();
        quick.reserve(n, m.min(n));
        Self {
            n,
            m,
            quick,
            workspace: Workspace::new(),
            held: None,
            sizes: Vec::new(),
            scales: Vec::new(),
            leaders: Leaders::default(),
            by_short_way: false,
            zeros: vec![0.0; n.max(m)],
            filled: Filled::default(),
            supplement: Supplement::default(),
            factorisations: 0,
        }
    }

    /// Decides ranks and independent rows anew, by the kernel.
    pub(super) fn decide(&mut self, snapshot: &Snapshot) -> Result<(), MotionError> {
        self.factorisations += 1;
        self.by_short_way = false;
        if self.solve_filled(snapshot, false).is_err() {
            // Mass that is nothing but rounding can make M itself unusable. The rank of A does not hang on it.
            let rows: Vec<usize> = (0..snapshot.rows()).collect();
            let all = self.supplement.all(self.n, snapshot.M, snapshot.A, &rows);
            self.filled.fill(snapshot, all);
            let mut filled = *snapshot;
            (filled.M, filled.Q) = (&self.filled.mass, &self.filled.force);
            self.workspace.solve(&filled)?;
        }
        let found = self.workspace.motion().constraint_rank;
        if self.held.as_ref().is_some_and(|held| found.rank > held.constraint_rank())
            && found.gap < GROWN
            && self.solve_filled(snapshot, true).is_ok()
        {
            return Ok(());
        }
        match &mut self.held {
            Some(held) => self.workspace.hold(held),
            None => self.held = Some(self.workspace.structure()),
        }
        if let Some(held) = &mut self.held {
            self.leaders.choose(held, snapshot.A, &self.sizes, &self.scales);
        }
        // Where mass is missing and no row stands in for it, the kernel's gap tells how far rank is from being lost, and it is measured alike
        // only with rows held.
        self.quick.reconsider();
        if let Some(held) = &self.held
            && !self.quick.is_massive()
            && !self.quick.factor(snapshot.M, snapshot.A, held.independent_rows())
            && !self.quick.is_massive()
        {
            self.solve_filled(snapshot, true)?;
        }
        Ok(())
    }

    /// The whole motion by the kernel, with rows in place of mass that is missing where the short way has chosen some: neither
    /// accelerations nor multipliers hang on that.
    fn solve_filled(&mut self, snapshot: &Snapshot, hold: bool) -> Result<(), MotionError> {
        let mut filled = *snapshot;
        if self.quick.is_supplemented() {
            self.filled.fill(snapshot, self.quick.supplement());
            (filled.M, filled.Q) = (&self.filled.mass, &self.filled.force);
        }
        match self.held.as_ref().filter(|_| hold) {
            Some(held) => self.workspace.solve_held(&filled, held)?,
            None => self.workspace.solve(&filled)?,
        };
        Ok(())
    }

    /// What coordinates are measured by along the motion, and what rows are made of.
    pub(super) fn measure(&mut self, sizes: &[f64], scales: &[f64]) {
        self.quick.measure(sizes);
        self.sizes.clear();
        self.sizes.extend_from_slice(sizes);
        self.scales.clear();
        self.scales.extend_from_slice(scales);
    }

    /// Remembers how large rows are at a state of the motion.
    pub(super) fn remember(&mut self, a: &[f64]) {
        self.quick.remember(a);
    }

    /// Whether the last factorisation is the short one.
    pub(super) fn is_short(&self) -> bool {
        self.by_short_way
    }

    /// Whether ranks may have changed: rows depend on others, or come near them, or mass is missing.
    pub(super) fn in_doubt(&self) -> bool {
        !self.by_short_way || self.held.as_ref().is_none_or(|held| held.constraint_rank() < self.m)
    }

    /// Whether M and the rows determined every coordinate when ranks were decided last.
    pub(super) fn determines_all(&self) -> bool {
        self.by_short_way || self.workspace.motion().system_rank.rank == self.n
    }

    /// How far the rows are from losing rank, as of the last factorisation: the least squared sine between them, or, where mass
    /// is missing, the square of the kernel's gap.
    pub(super) fn clearance(&self) -> f64 {
        if self.quick.is_massive() || self.by_short_way {
            return self.quick.clearance();
        }
        let gap = self.workspace.motion().constraint_rank.gap;
        gap * gap
    }

    /// How far the rows are from losing rank at another state. The factors at hand are those of a place near by afterwards.
    pub(super) fn clearance_of(&mut self, mass: &[f64], a: &[f64]) -> f64 {
        // Where mass is there, the short way tells, whether it leads there or not.
        if self.try_short_way(mass, a) || self.quick.is_massive() || self.factor(mass, a).is_ok() {
            return self.clearance();
        }
        0.0
    }

    /// The independent rows that depend on others up to a squared sine, with those others.
    pub(super) fn dependent(&mut self, mass: &[f64], a: &[f64], threshold: f64) -> Vec<(usize, Vec<usize>)> {
        let Some(held) = &self.held else { return Vec::new() };
        let rows = held.independent_rows();
        let found = self.quick.dependent(mass, a, rows, threshold);
        found.into_iter().map(|(i, of)| (rows[i], of.into_iter().map(|j| rows[j]).collect())).collect()
    }

    /// The rank that is held.
    pub(super) fn rank(&self) -> usize {
        self.held.as_ref().map_or(0, Structure::constraint_rank)
    }

    /// Factors with ranks held, by the short way if it leads there.
    pub(super) fn try_short_way(&mut self, mass: &[f64], a: &[f64]) -> bool {
        let Some(held) = &self.held else { return false };
        self.factorisations += 1;
        self.by_short_way = self.quick.factor(mass, a, held.independent_rows());
        self.by_short_way
    }

    /// The acceleration under a force, and the multipliers of independent rows, with the factors at hand.
    pub(super) fn respond(&mut self, force: &[f64], b: &[f64], x: &mut [f64], lambda: &mut [f64]) {
        if self.by_short_way {
            self.quick.respond(force, |i| b[i], x, lambda);
        } else {
            self.workspace.answer_held(force, |i| b[i], x, lambda);
        }
    }

    /// Factors with ranks held.
    pub(super) fn factor(&mut self, mass: &[f64], a: &[f64]) -> Result<(), MotionError> {
        if self.try_short_way(mass, a) { Ok(()) } else { self.factor_by_kernel(mass, a) }
    }

    /// Factors with ranks held, where the short way does not lead.
    pub(super) fn factor_by_kernel(&mut self, mass: &[f64], a: &[f64]) -> Result<(), MotionError> {
        self.by_short_way = false;
        let zeros = std::mem::take(&mut self.zeros);
        let (force, b) = (&zeros[..self.n], &zeros[..self.m]);
        let solved = self.solve_filled(&Snapshot::new(mass, force).constrained(a, b), true);
        self.zeros = zeros;
        solved
    }

    /// The whole motion, by the kernel, with ranks held.
    pub(super) fn solve(&mut self, snapshot: &Snapshot) -> Result<(), MotionError> {
        self.by_short_way = false;
        self.solve_filled(snapshot, true)
    }

    /// Whether rows stand in for mass that is missing.
    pub(super) fn is_supplemented(&self) -> bool {
        self.by_short_way && self.quick.is_supplemented()
    }

    /// How far the acceleration that was found last is from that of M itself, with the rows held: the largest part of the size of
    /// its kind. Nothing where M was used as it is, or where rounding leaves the kernel without an answer.
    pub(super) fn disagreement(
        &mut self,
        snapshot: &Snapshot,
        found: &[f64],
        sizes: impl Fn(usize) -> f64,
    ) -> Option<f64> {
        let held = self.held.as_ref().filter(|_| self.is_supplemented())?;
        let motion = self.workspace.solve_held(snapshot, held).ok()?;
        let apart = motion.acceleration.iter().zip(found).enumerate().map(|(j, (a, b))| (a - b).abs() / sizes(j));
        Some(apart.fold(0.0, f64::max))
    }

    /// The step of least mass norm that changes the rows by `right`, with the factors at hand; rows that depend on others are
    /// left to follow.
    pub(super) fn least_step(&mut self, right: &[f64], step: &mut [f64]) {
        if self.by_short_way {
            self.quick.least_step(|i| right[i], step);
        } else {
            self.workspace.least_step(|i| right[i], step);
        }
    }
}
