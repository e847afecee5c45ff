//! Some rows of a system, factored: small systems with every entry in its place, large ones through the sparse kernel.

mod dense;
mod sparse;
#[cfg(test)]
mod tests;

use super::trouble::Trouble;
use dense::Dense;
use holonom_kernel::{Directions, Snapshot};
use holonom_mechanics::compile::RowLayout;
use holonom_mechanics::derive::Equations;
use sparse::Sparse;

/// M, Q, A, b and C at a state; M and A with all their entries or with few, as the one who factors them expects.
#[derive(Clone, Copy)]
pub(super) struct Numbers<'a> {
    pub(super) mass: &'a [f64],
    pub(super) force: &'a [f64],
    pub(super) a: &'a [f64],
    pub(super) b: &'a [f64],
    pub(super) c: Option<&'a [f64]>,
}

impl<'a> Numbers<'a> {
    pub(super) fn snapshot(&self) -> Snapshot<'a> {
        let snapshot = Snapshot::new(self.mass, self.force).constrained(self.a, self.b);
        self.c.map_or(snapshot, |c| snapshot.nonideal(c))
    }
}

/// What the kernel says of a state.
pub struct Answer<'a> {
    pub(super) acceleration: &'a [f64],
    pub(super) ideal: &'a [f64],
    pub reactions: &'a [f64],
    pub(super) ideal_force: &'a [f64],
    pub(super) nonideal_force: &'a [f64],
    /// Directions that nothing determines.
    pub(super) free_directions: &'a Directions,
    /// Whether the rows can all be met.
    pub(super) consistent: bool,
}

/// A factorisation of M and some rows of A, with ranks that are decided at states on the constraints and held in between.
#[derive(Clone)]
pub(super) enum Linear {
    Dense(Box<Dense>),
    Sparse(Box<Sparse>),
}

impl Linear {
    /// For n coordinates and m rows with all their entries.
    pub(super) fn dense(n: usize, m: usize) -> Self {
        Self::Dense(Box::new(Dense::new(n, m)))
    }

    /// For the M of the equations and m rows with few entries.
    pub(super) fn sparse(equations: &Equations, shape: &RowLayout, m: usize) -> Self {
        Self::Sparse(Box::new(Sparse::new(equations, shape, m)))
    }

    /// Decides ranks and independent rows anew, by the kernel.
    pub(super) fn decide(&mut self, numbers: &Numbers) -> Result<(), Trouble> {
        match self {
            Self::Dense(linear) => Ok(linear.decide(&numbers.snapshot())?),
            Self::Sparse(linear) => linear.decide(numbers),
        }
    }

    /// What coordinates are measured by along the motion, and what rows are made of.
    pub(super) fn measure(&mut self, sizes: &[f64], scales: &[f64]) {
        if let Self::Dense(linear) = self {
            linear.measure(sizes, scales);
        }
    }

    /// Remembers how large rows are at a state of the motion: one that is small later has vanished.
    pub(super) fn remember(&mut self, a: &[f64]) {
        match self {
            Self::Dense(linear) => linear.remember(a),
            Self::Sparse(linear) => linear.remember(a),
        }
    }

    /// Whether the last factorisation is the short one.
    pub(super) fn is_short(&self) -> bool {
        match self {
            Self::Dense(linear) => linear.is_short(),
            Self::Sparse(linear) => linear.is_short(),
        }
    }

    /// Whether ranks may have changed: rows depend on others, or come near them, or mass is missing.
    pub(super) fn in_doubt(&self) -> bool {
        match self {
            Self::Dense(linear) => linear.in_doubt(),
            Self::Sparse(linear) => linear.in_doubt(),
        }
    }

    /// Whether M and the rows determined every coordinate when ranks were decided last.
    pub(super) fn determines_all(&self) -> bool {
        match self {
            Self::Dense(linear) => linear.determines_all(),
            // Along what nothing determines its steps are none.
            Self::Sparse(_) => true,
        }
    }

    /// The coordinates that nothing determines, where the kernel that found them does not go on from there.
    pub(super) fn undetermined(&self) -> Vec<usize> {
        match self {
            Self::Dense(_) => Vec::new(),
            Self::Sparse(linear) => linear.undetermined(),
        }
    }

    /// How far the rows are from losing rank, as of the last factorisation: the least squared sine between them, or what is
    /// left of one that vanishes.
    pub(super) fn clearance(&self) -> f64 {
        match self {
            Self::Dense(linear) => linear.clearance(),
            Self::Sparse(linear) => linear.clearance(),
        }
    }

    /// How far the rows are from losing rank at another state. The factors at hand are those of a place near by afterwards.
    pub(super) fn clearance_of(&mut self, mass: &[f64], a: &[f64]) -> f64 {
        match self {
            Self::Dense(linear) => linear.clearance_of(mass, a),
            Self::Sparse(linear) => linear.clearance_of(mass, a),
        }
    }

    /// The independent rows that depend on others up to a squared sine, with those others.
    pub(super) fn dependent(&mut self, mass: &[f64], a: &[f64], threshold: f64) -> Vec<(usize, Vec<usize>)> {
        match self {
            Self::Dense(linear) => linear.dependent(mass, a, threshold),
            Self::Sparse(linear) => linear.dependent(mass, a, threshold),
        }
    }

    /// The rows that are held as independent, where they are known one by one.
    pub(super) fn independent_rows(&self) -> Option<Vec<usize>> {
        match self {
            Self::Dense(linear) => linear.held.as_ref().map(|held| held.independent_rows().to_vec()),
            Self::Sparse(linear) => linear.independent_rows(),
        }
    }

    /// The rank that is held.
    pub(super) fn rank(&self) -> usize {
        match self {
            Self::Dense(linear) => linear.rank(),
            Self::Sparse(linear) => linear.rank(),
        }
    }

    /// Factors with ranks held, by the short way if it leads there.
    pub(super) fn try_short_way(&mut self, mass: &[f64], a: &[f64]) -> bool {
        match self {
            Self::Dense(linear) => linear.try_short_way(mass, a),
            Self::Sparse(linear) => linear.try_short_way(mass, a),
        }
    }

    /// The acceleration under a force, and the multipliers of independent rows, with the factors at hand.
    pub(super) fn respond(&mut self, force: &[f64], b: &[f64], x: &mut [f64], lambda: &mut [f64]) {
        match self {
            Self::Dense(linear) => linear.respond(force, b, x, lambda),
            Self::Sparse(linear) => linear.respond(force, b, x, lambda),
        }
    }

    /// Factors with ranks held.
    pub(super) fn factor(&mut self, mass: &[f64], a: &[f64]) -> Result<(), Trouble> {
        match self {
            Self::Dense(linear) => Ok(linear.factor(mass, a)?),
            Self::Sparse(linear) => linear.factor(mass, a),
        }
    }

    /// Factors with ranks held, where the short way does not lead.
    pub(super) fn factor_by_kernel(&mut self, mass: &[f64], a: &[f64]) -> Result<(), Trouble> {
        match self {
            Self::Dense(linear) => Ok(linear.factor_by_kernel(mass, a)?),
            Self::Sparse(linear) => linear.factor(mass, a),
        }
    }

    /// The whole motion, by the kernel, with ranks held.
    pub(super) fn solve(&mut self, numbers: &Numbers) -> Result<(), Trouble> {
        match self {
            Self::Dense(linear) => Ok(linear.solve(&numbers.snapshot())?),
            Self::Sparse(linear) => linear.solve(numbers),
        }
    }

    /// Whether rows stand in for mass that is missing.
    pub(super) fn is_supplemented(&self) -> bool {
        match self {
            Self::Dense(linear) => linear.is_supplemented(),
            Self::Sparse(_) => false,
        }
    }

    /// How far the acceleration that was found last is from that of M itself, where rows stand in for mass that is missing: the largest
    /// part of the size of its kind.
    pub(super) fn disagreement(
        &mut self,
        numbers: &Numbers,
        found: &[f64],
        sizes: impl Fn(usize) -> f64,
    ) -> Option<f64> {
        match self {
            Self::Dense(linear) => linear.disagreement(&numbers.snapshot(), found, sizes),
            // Its pivots are those of M itself, and residuals are looked at each time.
            Self::Sparse(_) => None,
        }
    }

    /// What the kernel found last, by [`decide`](Self::decide) or [`solve`](Self::solve).
    pub(super) fn answer(&self) -> Answer<'_> {
        match self {
            Self::Dense(linear) => {
                let motion = linear.workspace.motion();
                Answer {
                    acceleration: &motion.acceleration,
                    ideal: &motion.ideal_multipliers,
                    reactions: &motion.reactions,
                    ideal_force: &motion.ideal_force,
                    nonideal_force: &motion.nonideal_force,
                    free_directions: &motion.free_directions,
                    consistent: motion.consistent,
                }
            }
            Self::Sparse(linear) => linear.answer(),
        }
    }

    /// The step of least mass norm that changes the rows by `right`, with the factors at hand; rows that depend on others are
    /// left to follow.
    pub(super) fn least_step(&mut self, right: &[f64], step: &mut [f64]) {
        match self {
            Self::Dense(linear) => linear.least_step(right, step),
            Self::Sparse(linear) => linear.least_step(right, step),
        }
    }

    /// The answers to the columns of a matrix of forces and one of right sides, row-major, with the factors of the kernel. Stiff methods
    /// ask for this, and small systems alone have them.
    pub(super) fn respond_to_columns(&mut self, n: usize, forces: &[f64], rows: &[f64], out: &mut [f64]) {
        match self {
            Self::Dense(linear) => linear.workspace.respond(n, forces, rows, out),
            Self::Sparse(_) => out.fill(f64::NAN),
        }
    }

    /// How often it factored.
    pub(super) fn factorisations(&self) -> u64 {
        match self {
            Self::Dense(linear) => linear.factorisations,
            Self::Sparse(linear) => linear.factorisations,
        }
    }
}
