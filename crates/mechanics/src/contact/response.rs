//! How a constrained system answers to forces at contacts: accelerations and reactions, each linear in them.

use super::parts::Parts;
use std::sync::Arc;

/// A system with its rows, solved without forces at contacts, and its answers to a unit of each of them.
#[derive(Clone, Debug)]
pub(super) struct Response {
    parts: Arc<Parts>,
    /// The motion without forces at contacts, and its reactions over all rows of the equations.
    pub(super) acceleration: Vec<f64>,
    pub(super) reactions: Vec<f64>,
    /// What each acceleration is measured by: the forces that may have cancelled in it.
    reach: Vec<f64>,
    units: Vec<Unit>,
}

/// A unit of force at a contact, and the answer to it, which stays within a part of the system.
#[derive(Clone, Debug)]
pub(super) struct Unit {
    pub(super) part: usize,
    /// Its direction: (coordinate, component).
    pub(super) direction: Vec<(usize, f64)>,
    /// What it makes of the accelerations of its part.
    pub(super) acceleration: Vec<f64>,
    /// What it makes of reactions: (row, change).
    pub(super) changes: Vec<(usize, f64)>,
    /// Where rows determine the acceleration along it, whatever forces act: that acceleration, and the sum of its terms.
    pub(super) implied: Option<(f64, f64)>,
}

impl Unit {
    /// The same with changes of rows of the equations: of those in force, which were counted by place, and of one more where the force is
    /// its reaction.
    pub(super) fn on_rows(mut self, in_force: &[usize], own: Option<usize>) -> Self {
        self.changes.iter_mut().for_each(|change| change.0 = in_force[change.0]);
        self.changes.extend(own.map(|row| (row, 1.0)));
        self
    }
}

impl Response {
    pub(super) fn new(parts: &Arc<Parts>, acceleration: Vec<f64>, reactions: Vec<f64>) -> Self {
        let reach = vec![0.0; acceleration.len()];
        Self { parts: parts.clone(), acceleration, reactions, reach, units: Vec::new() }
    }

    /// Says what accelerations are measured by, where that is more than they are.
    pub(super) fn set_reach(&mut self, reach: Vec<f64>) {
        self.reach = reach;
    }

    /// How many forces there are.
    pub(super) fn len(&self) -> usize {
        self.units.len()
    }

    /// Adds a force.
    pub(super) fn push(&mut self, mut unit: Unit) {
        unit.changes.sort_unstable_by_key(|change| change.0);
        self.units.push(unit);
    }

    /// Its direction: (coordinate, component).
    pub(super) fn direction(&self, k: usize) -> &[(usize, f64)] {
        &self.units[k].direction
    }

    /// What a unit of force k makes of the acceleration along force l.
    pub(super) fn between(&self, l: usize, k: usize) -> f64 {
        let (along, of) = (&self.units[l], &self.units[k]);
        // What moves nothing has no accelerations.
        let moves_nothing = of.acceleration.is_empty() || of.implied.is_some();
        if along.part != of.part || moves_nothing || along.implied.is_some() {
            return 0.0;
        }
        along.direction.iter().map(|&(j, d)| d * of.acceleration[self.parts.of(j).1]).sum()
    }

    /// The acceleration along force k without forces at contacts, and the sum of its terms.
    pub(super) fn along(&self, k: usize) -> (f64, f64) {
        let unit = &self.units[k];
        unit.implied.unwrap_or_else(|| {
            let terms = unit.direction.iter().map(|&(j, d)| d * self.acceleration[j]);
            let size = unit.direction.iter().map(|&(j, d)| d.abs() * self.acceleration[j].abs().max(self.reach[j]));
            (terms.sum(), size.sum())
        })
    }

    /// What a unit of force k makes of the reaction of a row.
    pub(super) fn change(&self, k: usize, row: usize) -> f64 {
        let changes = &self.units[k].changes;
        changes.binary_search_by_key(&row, |change| change.0).map_or(0.0, |at| changes[at].1)
    }

    /// The reactions under forces.
    pub(super) fn reactions_under(&self, forces: &[f64]) -> Vec<f64> {
        let mut reactions = self.reactions.clone();
        for (unit, force) in self.units.iter().zip(forces).filter(|(_, force)| **force != 0.0) {
            unit.changes.iter().for_each(|&(row, change)| reactions[row] += force * change);
        }
        reactions
    }

    /// The acceleration under forces.
    pub(super) fn acceleration_under(&self, forces: &[f64]) -> Vec<f64> {
        let mut acceleration = self.acceleration.clone();
        let moves = |(unit, force): &(&Unit, &f64)| **force != 0.0 && unit.implied.is_none();
        for (unit, force) in self.units.iter().zip(forces).filter(moves) {
            let own = self.parts.coordinates(unit.part).iter().zip(&unit.acceleration);
            own.for_each(|(&j, change)| acceleration[j] += force * change);
        }
        acceleration
    }
}

/// The length of a vector, also where squares of its components are too small for numbers.
pub fn norm(a: &[f64]) -> f64 {
    match a.iter().fold(0.0, |most: f64, a| most.max(a.abs())) {
        most if most > 0.0 && most.is_finite() => most * a.iter().map(|a| (a / most) * (a / most)).sum::<f64>().sqrt(),
        most => most,
    }
}

pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
