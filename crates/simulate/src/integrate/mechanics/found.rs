//! What was found at the state that was looked at last: acceleration, multipliers and reactions, and what C adds to them.

use super::in_force::InForce;
use crate::integrate::linear::Linear;
use holonom_mechanics::compile::CompiledSystem;

/// The acceleration of a state, and the forces behind it.
#[derive(Clone)]
pub(in crate::integrate) struct Found {
    /// q̈.
    pub(in crate::integrate) acceleration: Vec<f64>,
    /// Ideal multipliers and total reactions of the rows in force; forces that hold contacts after them.
    pub(in crate::integrate) ideal: Vec<f64>,
    pub(in crate::integrate) reaction: Vec<f64>,
    /// Ideal multipliers over all rows of the equations.
    pub(super) multipliers: Vec<f64>,
    /// No reaction on any of them.
    no_reactions: Vec<f64>,
    /// C, and whether the model has any.
    pub(super) c: Vec<f64>,
    pub(super) has_c: bool,
    /// Room for an answer of the kernel: what it adds to accelerations, and to reactions.
    pub(super) added: Vec<f64>,
    /// Room for a number of each coordinate.
    pub(super) room: Vec<f64>,
}

impl Found {
    pub(super) fn new(system: &CompiledSystem) -> Self {
        let (n, rows) = (system.coordinates(), system.rows());
        Self {
            acceleration: vec![0.0; n],
            ideal: Vec::new(),
            reaction: Vec::new(),
            multipliers: vec![0.0; rows],
            no_reactions: vec![0.0; rows],
            c: vec![0.0; n],
            has_c: !system.equations().nonideal.is_empty(),
            added: Vec::new(),
            room: vec![0.0; n],
        }
    }

    /// Makes room for so many rows.
    pub(super) fn arrange(&mut self, total: usize) {
        let n = self.acceleration.len();
        for (list, size) in [(&mut self.ideal, total), (&mut self.reaction, total), (&mut self.added, n + total)] {
            list.clear();
            list.resize(size, 0.0);
        }
    }

    /// What of C hangs on no reaction, at the state that was evaluated last.
    pub(super) fn find_constant_c(&mut self, system: &CompiledSystem, in_force: &InForce) {
        // Reactions count as zero here: what hangs on them is feedback.
        let acts = |constraint: usize| in_force.constraints[constraint];
        system.nonideal(&in_force.dynamics, acts, &self.multipliers, &self.no_reactions, &mut self.c);
    }

    /// C, where the model has any.
    pub(super) fn c(&self) -> Option<&[f64]> {
        self.has_c.then_some(&self.c[..])
    }

    /// The acceleration and the reactions without C, with the factors at hand.
    pub(super) fn respond(&mut self, linear: &mut Linear, in_force: &InForce) {
        linear.respond(in_force.force(), &in_force.b, &mut self.acceleration, &mut self.ideal);
        self.reaction.copy_from_slice(&self.ideal);
    }

    /// Adds what C does to acceleration and reactions, with the factors at hand.
    pub(super) fn add_c(&mut self, linear: &mut Linear, in_force: &InForce) {
        let (x, lambda) = self.added.split_at_mut(self.acceleration.len());
        linear.respond(&self.c, in_force.no_right(), x, lambda);
        self.acceleration.iter_mut().zip(&*x).for_each(|(a, x)| *a += x);
        self.reaction.iter_mut().zip(&*lambda).for_each(|(r, x)| *r += x);
    }

    /// Spreads the ideal multipliers of the rows in force over all rows of the equations.
    pub(super) fn spread_ideal(&mut self, rows: &[usize]) {
        rows.iter().zip(&self.ideal).for_each(|(&row, ideal)| self.multipliers[row] = *ideal);
    }
}
