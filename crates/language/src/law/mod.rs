//! Friction laws: each is a file here and a line in [`LAWS`].
//!
//! A file has the name of a law, its arguments, and two expressions of the speed of slip and of the load: the friction of sliding, and the
//! largest friction at rest. Everything else follows from these expressions.

mod coulomb;
mod own;
mod quadratic;
mod stribeck;
mod table;
mod viscous;

use super::checked::FrictionLaw;
use super::units::Dimension;
use holonom_symbols::expr::{Graph, Id, Symbol, Zero};

pub(super) use table::TABLE;

/// All laws, in the order in which messages list them.
const LAWS: [&Law; 6] =
    [&coulomb::COULOMB, &viscous::VISCOUS, &quadratic::QUADRATIC, &stribeck::STRIBECK, &own::OWN, &TABLE];

/// A friction law of the language.
pub(super) struct Law {
    /// The word that calls it; for a law that is not called, what it is.
    pub(super) name: &'static str,
    /// How it is written, for messages.
    pub(super) forms: &'static [&'static str],
    /// What its arguments are.
    pub(super) parameters: &'static [Parameter],
    /// How many arguments must be given; the others have defaults.
    pub(super) required: usize,
    /// The places of the coefficient of sliding and of that at rest: the first must not exceed the second.
    pub(super) order: Option<[usize; 2]>,
    /// The magnitudes of friction for some arguments.
    build: fn(&mut Graph, Contact, &[Id]) -> Friction,
}

/// An argument of a law.
pub(super) struct Parameter {
    /// What it is, for messages.
    pub(super) what: &'static str,
    pub(super) kind: Kind,
}

/// What an argument may be.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A number that is not negative.
    Coefficient,
    /// A force over a power of the speed of slip, not negative.
    Resistance(u8),
    /// A speed of slip, not negative.
    Speed,
    /// A force: any expression of slip and load.
    Force,
    /// The name of a table that gives a coefficient for a speed.
    Table,
}

/// The quantities that a law is about.
#[derive(Clone, Copy)]
struct Contact {
    /// Its friction of the model, by number.
    friction: u32,
    /// The speed of slip.
    slip: Id,
    /// The load.
    normal: Id,
}

/// The magnitudes of friction at a contact.
struct Friction {
    /// While it slides.
    sliding: Id,
    /// The largest at rest; nothing for a law that cannot hold.
    limit: Option<Id>,
}

impl Kind {
    /// The dimension of such an argument, at a contact with this dimension of slip and of forces.
    pub(super) fn dimension(self, slip: Dimension, force: Dimension) -> Dimension {
        match self {
            Self::Coefficient | Self::Table => Dimension::NUMBER,
            Self::Resistance(power) => (0..power).fold(force, |dimension, _| dimension.over(slip).unwrap_or(dimension)),
            Self::Speed => slip,
            Self::Force => force,
        }
    }
}

impl Law {
    /// The law with these arguments, for a friction of the model by number.
    pub(super) fn with(&self, graph: &mut Graph, friction: u32, arguments: &[Id]) -> FrictionLaw {
        let (slip, normal) = (graph.symbol(Symbol::Slip(friction)), graph.symbol(Symbol::Normal(friction)));
        let Friction { sliding, limit } = (self.build)(graph, Contact { friction, slip, normal }, arguments);
        FrictionLaw { name: self.name, arguments: arguments.to_vec(), sliding, limit }
    }

    fn is_called(&self) -> bool {
        self.parameters.iter().all(|parameter| parameter.kind != Kind::Table)
    }
}

/// The law that a word calls.
pub(super) fn called(name: &str) -> Option<&'static Law> {
    LAWS.into_iter().find(|law| law.is_called() && law.name == name)
}

/// The words that call a law.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    LAWS.into_iter().filter(|law| law.is_called()).map(|law| law.name)
}

/// All laws, as they are written: `a, b and c`.
pub(super) fn listed() -> String {
    let forms: Vec<&str> = LAWS.iter().flat_map(|law| law.forms).copied().collect();
    match forms.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        _ => forms.concat(),
    }
}

/// The friction of a contact at rest by a law for any speed: none where the law vanishes with the speed.
fn at_rest(graph: &mut Graph, contact: Contact, sliding: Id) -> Option<Id> {
    let slip = Symbol::Slip(contact.friction);
    let limit = graph.substitute(&[sliding], |symbol| (symbol == slip).then_some(Id::ZERO))[0];
    (graph.is_zero(limit) != Zero::Proved).then_some(limit)
}

#[cfg(test)]
mod tests;
