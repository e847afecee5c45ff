//! What a friction law is.

use crate::checked::FrictionLaw;
use crate::units::Dimension;
use holonom_symbols::expr::{Graph, Id, Symbol, Zero};

/// A friction law of the language.
pub(crate) struct Law {
    /// The word that calls it; for a law that is not called, what it is.
    pub(crate) name: &'static str,
    /// How it is written, for messages.
    pub(crate) forms: &'static [&'static str],
    /// What its arguments are.
    pub(crate) parameters: &'static [Parameter],
    /// How many arguments must be given; the others have defaults.
    pub(crate) required: usize,
    /// The places of the coefficient of sliding and of that at rest: the first must not exceed the second.
    pub(crate) order: Option<[usize; 2]>,
    /// The magnitudes of friction for some arguments.
    pub(super) build: fn(&mut Graph, Contact, &[Id]) -> Friction,
}

/// An argument of a law.
pub(crate) struct Parameter {
    /// What it is, for messages.
    pub(crate) what: &'static str,
    pub(crate) kind: Kind,
}

/// What an argument may be.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
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
pub(super) struct Contact {
    /// Its friction of the model, by number.
    pub(super) friction: u32,
    /// The speed of slip.
    pub(super) slip: Id,
    /// The load.
    pub(super) normal: Id,
}

/// The magnitudes of friction at a contact.
pub(super) struct Friction {
    /// While it slides.
    pub(super) sliding: Id,
    /// The largest at rest; nothing for a law that cannot hold.
    pub(super) limit: Option<Id>,
}

impl Kind {
    /// The dimension of such an argument, at a contact with this dimension of slip and of forces.
    pub(crate) fn dimension(self, slip: Dimension, force: Dimension) -> Dimension {
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
    pub(crate) fn with(&self, graph: &mut Graph, friction: u32, arguments: &[Id]) -> FrictionLaw {
        let (slip, normal) = (graph.symbol(Symbol::Slip(friction)), graph.symbol(Symbol::Normal(friction)));
        let Friction { sliding, limit } = (self.build)(graph, Contact { friction, slip, normal }, arguments);
        FrictionLaw { name: self.name, arguments: arguments.to_vec(), sliding, limit }
    }

    pub(super) fn is_called(&self) -> bool {
        self.parameters.iter().all(|parameter| parameter.kind != Kind::Table)
    }
}

/// The friction of a contact at rest by a law for any speed: none where the law vanishes with the speed.
pub(super) fn at_rest(graph: &mut Graph, contact: Contact, sliding: Id) -> Option<Id> {
    let slip = Symbol::Slip(contact.friction);
    let limit = graph.substitute(&[sliding], |symbol| (symbol == slip).then_some(Id::ZERO))[0];
    (graph.is_zero(limit) != Zero::Proved).then_some(limit)
}
