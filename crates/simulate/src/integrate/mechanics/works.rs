//! The powers that the ledger keeps, at the state and acceleration that were found last.

use super::found::Found;
use super::in_force::InForce;
use crate::integrate::ledger::Ledger;
use crate::integrate::seam::Seams;
use holonom_mechanics::compile::{CompiledSystem, Group, Inputs, Values};
use holonom_symbols::expr::Symbol;

/// Which works are kept, and what they are found from.
#[derive(Clone)]
pub(super) struct Works {
    ledger: Ledger,
    power: Values,
    /// Whether works or forces that hang on reactions ask for ideal multipliers at every evaluation.
    pub(super) need_ideal: bool,
}

impl Works {
    /// For certain rows in force.
    pub(super) fn new(system: &CompiledSystem, rows: &[usize]) -> Self {
        let equations = system.equations();
        system.compile(Group::Power);
        let ledger = Ledger::new(equations, rows);
        let need_ideal = ledger.needs_ideal()
            || equations.nonideal.iter().any(|part| !part.by_multiplier.is_empty())
            || (equations.hangs_on_reactions()
                && system.contains(Group::Law, |symbol| matches!(symbol, Symbol::Multiplier(_))));
        Self { ledger, power: system.values(Group::Power), need_ideal }
    }

    /// How many works are kept.
    pub(super) fn len(&self) -> usize {
        self.ledger.len()
    }

    /// The powers at a state whose acceleration was found; seams change those of impressed forces.
    pub(super) fn powers(
        &mut self,
        system: &CompiledSystem,
        (t, q, v): (f64, &[f64], &[f64]),
        (in_force, found): (&InForce, &Found),
        seams: Option<&mut Seams>,
        out: &mut [f64],
    ) {
        let inputs = Inputs { t, q, v, acceleration: &found.acceleration, ..Inputs::default() };
        if self.ledger.impressed {
            system.evaluate(&inputs, &mut self.power);
        }
        let mut impressed = if self.ledger.impressed { self.power.all()[0] } else { 0.0 };
        if let Some(seams) = seams.filter(|seams| !seams.are_own()) {
            impressed = seams.power(&inputs).unwrap_or(impressed);
        }
        let rate = |row: usize| in_force.shape.dot(row, in_force.a(), v);
        self.ledger.powers(impressed, v, rate, &found.ideal, &found.reaction, &found.c, out);
    }
}
