//! Friction laws with numbers: how much a contact holds back, as a straight line over its load.

use super::touch::Touches;
use crate::compile::{Part, System};
use crate::model::FrictionLaw;

/// `constant + coefficient·N`: a force as a function of the load, exact or around the load at hand.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Line {
    pub(crate) constant: f64,
    pub(crate) coefficient: f64,
}

impl Line {
    fn through_zero(coefficient: f64) -> Self {
        Self { constant: 0.0, coefficient }
    }

    fn level(constant: f64) -> Self {
        Self { constant, coefficient: 0.0 }
    }

    /// The force under a load.
    pub(crate) fn at(&self, normal: f64) -> f64 {
        self.constant + self.coefficient * normal
    }
}

impl Touches {
    /// The magnitude of the friction of a contact that slides with a speed, around the load that its law was evaluated with.
    pub(crate) fn sliding(&self, system: &System, which: usize, speed: f64) -> Line {
        let [first, second, third] = self.law_numbers(which);
        match self.law(which) {
            FrictionLaw::Coulomb { .. } => Line::through_zero(first),
            FrictionLaw::Viscous(_) => Line::level(first * speed),
            FrictionLaw::Quadratic(_) => Line::level(first * speed * speed),
            FrictionLaw::Stribeck { .. } => {
                let ratio = if speed == 0.0 { 0.0 } else { speed / third };
                Line::through_zero(first + (second - first) * (-ratio * ratio).exp())
            }
            FrictionLaw::Law(_) => self.around(which),
            FrictionLaw::Table(table) => Line::through_zero(coefficient(system, *table, speed)),
        }
    }

    /// The largest friction with which a contact can hold, around the load that its law was evaluated with.
    pub(crate) fn limit(&self, system: &System, which: usize) -> Line {
        let [_, second, _] = self.law_numbers(which);
        match self.law(which) {
            FrictionLaw::Coulomb { .. } | FrictionLaw::Stribeck { .. } => Line::through_zero(second),
            FrictionLaw::Viscous(_) | FrictionLaw::Quadratic(_) => Line::default(),
            FrictionLaw::Law(_) => self.around(which),
            FrictionLaw::Table(table) => Line::through_zero(coefficient(system, *table, 0.0)),
        }
    }

    /// A law of the author's own, as its tangent at the load at hand.
    fn around(&self, which: usize) -> Line {
        let ([value, ..], slope) = (self.law_numbers(which), self.law_slope(which));
        Line { constant: value - slope * self.normal(which), coefficient: slope }
    }

    /// Whether the forces of a contact are straight lines over its load at any load.
    pub(crate) fn has_straight_law(&self, which: usize) -> bool {
        !matches!(self.law(which), FrictionLaw::Law(_))
    }

    /// Whether a contact can hold at rest: laws that know of no load and vanish with the speed cannot.
    pub(crate) fn can_hold(&self, system: &System, which: usize) -> bool {
        match self.law(which) {
            FrictionLaw::Viscous(_) | FrictionLaw::Quadratic(_) => false,
            FrictionLaw::Law(law) => system.equations().graph.depends(*law).on(crate::expr::Depends::CONTACT),
            _ => true,
        }
    }
}

/// The coefficient that a table gives at a speed.
fn coefficient(system: &System, table: u32, speed: f64) -> f64 {
    system.equations().graph.tables().get(table as usize).map_or(0.0, |table| table.value(speed, 0))
}

/// The numbers of a law, three to a contact.
pub(super) fn numbers_of(values: &crate::compile::Values, which: usize) -> [f64; 3] {
    match values.part(Part::Law)[3 * which..3 * which + 3] {
        [first, second, third] => [first, second, third],
        _ => [0.0; 3],
    }
}
