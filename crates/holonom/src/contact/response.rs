//! How a constrained system answers to forces at contacts: accelerations and reactions, each linear in them.

use crate::motion::{Audit, Motion, MotionError, Snapshot, Workspace};

/// A system with its rows, solved without forces at contacts, and its answers to a unit of each of them.
#[derive(Clone, Debug, Default)]
pub(super) struct Response {
    n: usize,
    /// Rows of the equations: reactions are kept for all of them.
    rows: usize,
    /// The motion without forces at contacts, and its reactions.
    pub(super) acceleration: Vec<f64>,
    pub(super) reactions: Vec<f64>,
    directions: Vec<f64>,
    accelerations: Vec<f64>,
    changes: Vec<f64>,
}

impl Response {
    pub(super) fn new(n: usize, rows: usize, acceleration: Vec<f64>, reactions: Vec<f64>) -> Self {
        Self { n, rows, acceleration, reactions, ..Self::default() }
    }

    /// How many forces there are.
    pub(super) fn len(&self) -> usize {
        self.directions.len() / self.n.max(1)
    }

    /// Adds a force: its direction, and what a unit of it makes of accelerations and reactions.
    pub(super) fn push(&mut self, direction: &[f64], acceleration: &[f64], reactions: &[f64]) {
        self.directions.extend_from_slice(direction);
        self.accelerations.extend_from_slice(acceleration);
        self.changes.extend_from_slice(reactions);
    }

    pub(super) fn direction(&self, k: usize) -> &[f64] {
        &self.directions[k * self.n..(k + 1) * self.n]
    }

    /// What a unit of force k makes of the acceleration along force l.
    pub(super) fn between(&self, l: usize, k: usize) -> f64 {
        dot(self.direction(l), &self.accelerations[k * self.n..(k + 1) * self.n])
    }

    /// What a unit of force k makes of the reaction of a row.
    pub(super) fn change(&self, k: usize, row: usize) -> f64 {
        self.changes[k * self.rows + row]
    }

    /// The reactions under forces.
    pub(super) fn reactions_under(&self, forces: &[f64]) -> Vec<f64> {
        let mut reactions = self.reactions.clone();
        for (k, force) in forces.iter().enumerate().filter(|(_, force)| **force != 0.0) {
            let changes = &self.changes[k * self.rows..(k + 1) * self.rows];
            reactions.iter_mut().zip(changes).for_each(|(r, change)| *r += force * change);
        }
        reactions
    }

    /// The acceleration under forces.
    pub(super) fn acceleration_under(&self, forces: &[f64]) -> Vec<f64> {
        let mut acceleration = self.acceleration.clone();
        for (k, force) in forces.iter().enumerate().filter(|(_, force)| **force != 0.0) {
            let changes = &self.accelerations[k * self.n..(k + 1) * self.n];
            acceleration.iter_mut().zip(changes).for_each(|(a, change)| *a += force * change);
        }
        acceleration
    }
}

/// M, Q, A and b at a state, of some rows.
#[derive(Clone, Debug, Default)]
pub(super) struct Numbers {
    pub(super) mass: Vec<f64>,
    pub(super) force: Vec<f64>,
    pub(super) a: Vec<f64>,
    pub(super) b: Vec<f64>,
}

impl Numbers {
    pub(super) fn snapshot(&self) -> Snapshot<'_> {
        Snapshot::new(&self.mass, &self.force).constrained(&self.a, &self.b)
    }

    /// The same with more rows.
    pub(super) fn with_rows(&self, a: &[f64], b: &[f64]) -> Self {
        let mut more = self.clone();
        more.a.extend_from_slice(a);
        more.b.extend_from_slice(b);
        more
    }

    /// The motion with a non-ideal part.
    pub(super) fn motion(&self, workspace: &mut Workspace, c: &[f64]) -> Result<Motion, MotionError> {
        Ok(workspace.prepare(&self.snapshot())?.finish(c)?.clone())
    }
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

pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
