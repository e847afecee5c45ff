//! The one-sided constraints of a system: the gap of each row, what it is measured by, and its restitution.
//!
//! A row is in force while it pushes. `meet` decides what happens to rows that touch, `series` follows bounces that become too small.

use super::mechanics::Mechanics;
use crate::analysis::number;
use holonom_language::Diagnostic;
use holonom_mechanics::compile::{CompiledSystem, Group, Inputs, Program, Values};
use holonom_symbols::expr::Id;

/// The one-sided rows of a system.
pub(super) struct Sided {
    rows: Vec<usize>,
    /// The restitution of each.
    restitution: Vec<f64>,
    gaps: Values,
    terms: Values,
    /// Where the terms of each row of the equations begin.
    begins: Vec<usize>,
    /// Whether it was said that a touch could not be told from a blow.
    pub(super) doubted: bool,
}

impl Sided {
    /// Nothing where there are none.
    pub(super) fn new(system: &CompiledSystem) -> Option<Self> {
        let equations = system.equations();
        let rows: Vec<usize> = equations.one_sided_rows().collect();
        if rows.is_empty() {
            return None;
        }
        let mut begins = vec![0];
        for row in &equations.rows {
            begins.push(begins.last().copied().unwrap_or(0) + row.scale_terms.len());
        }
        let (gaps, terms) = (system.values(Group::PositionDrift), system.values(Group::Scale));
        let mut sided = Self { rows, restitution: Vec::new(), gaps, terms, begins, doubted: false };
        sided.take_parameters(system);
        Some(sided)
    }

    /// Parameters have other values.
    pub(super) fn take_parameters(&mut self, system: &CompiledSystem) {
        let equations = system.equations();
        let restitution = |&row: &usize| {
            let constraint = equations.rows[row].constraint.map(|(constraint, _)| constraint);
            let side = constraint.and_then(|constraint| equations.model.constraints[constraint].side);
            side.map_or(Id::ZERO, |side| side.restitution)
        };
        let ids: Vec<Id> = self.rows.iter().map(restitution).collect();
        let program = Program::new(&equations.graph, &ids);
        let fixed = program.fixed(system.parameters());
        self.restitution = program.evaluate(&fixed, &Inputs::default(), &mut program.memory()).to_vec();
    }

    pub(super) fn restitution(&self, row: usize) -> f64 {
        let place = self.rows.iter().position(|one| *one == row);
        place.map_or(0.0, |place| self.restitution[place])
    }

    /// The gap of each row at a state and what it is measured by: (row, gap, scale).
    pub(super) fn gaps(&mut self, mechanics: &mut Mechanics, t: f64, q: &[f64], v: &[f64]) -> Vec<(usize, f64, f64)> {
        // As large as things ever were: what comes to rest must not make ever smaller bounces count.
        let sizes = &mechanics.sizes;
        let largest: Vec<f64> = (0..q.len()).map(|j| sizes.largest()[j].max(sizes.peak(j))).collect();
        let moved = mechanics.stage().gap_sizes(t, q, v, &self.rows, &largest);
        let system = &mechanics.system;
        system.at(t, q, v, &mut self.gaps);
        // The terms of other rows may be about accelerations; those of gaps are not.
        let zeros = vec![0.0; q.len().max(system.rows())];
        let inputs =
            Inputs { t, q, v, acceleration: &zeros, multiplier: &zeros, reaction: &zeros, ..Inputs::default() };
        system.evaluate(&inputs, &mut self.terms);
        let gap = |(&row, moved): (&usize, f64)| {
            let terms = &self.terms.all()[self.begins[row]..self.begins[row + 1]];
            let sum: f64 = terms.iter().map(|term| term.abs()).sum();
            (row, self.gaps.residual()[row], sum.max(moved))
        };
        self.rows.iter().zip(moved).map(gap).collect()
    }

    /// What is wrong with a restitution that an event has changed.
    pub(super) fn wrong_restitution(&self, system: &CompiledSystem, event: usize, t: f64) -> Option<Diagnostic> {
        let place = self.restitution.iter().position(|value| !(0.0..=1.0).contains(value))?;
        let equations = system.equations();
        let (row, event) = (&equations.rows[self.rows[place]], &equations.model.events[event]);
        let value = number(self.restitution[place]);
        let text = format!("at t = {t} `{}` would make the restitution of `{}` {value}", event.name, row.name);
        let mut message = Diagnostic::error("event-impossible", text).at(event.span, "what it sets changes it");
        if let Some(span) = row.span {
            message = message.at(span, "a restitution lies between 0 and 1");
        }
        let help = "let the event set values that give one from 0, which stays, to 1, which keeps its speed; what gives more is a \
                    motor: a force, or an event that sets velocities";
        Some(message.help(help))
    }
}
