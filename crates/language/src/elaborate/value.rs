//! What an expression of the language is worth: a number, a vector, a list, a truth, each with its dimension.

use crate::units::Dimension;
use holonom_symbols::expr::{Graph, Id};

/// The dimension of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dim {
    /// That of a bare `0`, which fits everywhere.
    Any,
    /// This one.
    Of(Dimension),
}

impl Dim {
    /// A pure number.
    pub(super) const NUMBER: Self = Self::Of(Dimension::NUMBER);

    /// The dimension, where a bare 0 counts as a pure number.
    pub(super) fn or_number(self) -> Dimension {
        self.or(Dimension::NUMBER)
    }

    /// The dimension, where a bare 0 takes the one that is due.
    pub(super) fn or(self, due: Dimension) -> Dimension {
        match self {
            Self::Any => due,
            Self::Of(dimension) => dimension,
        }
    }

    /// Whether a value of this dimension may stand where `due` is.
    pub(super) fn fits(self, due: Dimension) -> bool {
        self == Self::Any || self == Self::Of(due)
    }
}

/// What an expression is worth.
#[derive(Clone, Debug)]
pub(super) struct Value {
    /// Its components.
    pub(super) data: Data,
    /// Its dimension; for a list that of nothing, since each element has its own.
    pub(super) dim: Dim,
}

/// The components of a value.
#[derive(Clone, Debug)]
pub(super) enum Data {
    /// A number.
    Scalar(Id),
    /// A vector of 2 or 3 components, all of one dimension.
    Vector(Vec<Id>),
    /// A list over coordinates, or a matrix as a list of rows.
    List(Vec<Value>),
    /// True or false.
    Truth(Id),
}

impl Value {
    pub(super) fn scalar(id: Id, dim: Dim) -> Self {
        Self { data: Data::Scalar(id), dim }
    }

    pub(super) fn number(id: Id) -> Self {
        Self::scalar(id, Dim::NUMBER)
    }

    pub(super) fn zero() -> Self {
        Self::scalar(Id::ZERO, Dim::Any)
    }

    pub(super) fn vector(components: Vec<Id>, dim: Dim) -> Self {
        Self { data: Data::Vector(components), dim }
    }

    pub(super) fn truth(id: Id) -> Self {
        Self { data: Data::Truth(id), dim: Dim::NUMBER }
    }

    pub(super) fn list(elements: Vec<Self>) -> Self {
        Self { data: Data::List(elements), dim: Dim::NUMBER }
    }

    /// Whether it is a bare 0, which fits every shape.
    pub(super) fn is_bare_zero(&self) -> bool {
        self.dim == Dim::Any && matches!(self.data, Data::Scalar(Id::ZERO))
    }

    /// What kind of thing it is, in words.
    pub(super) fn kind(&self) -> String {
        match &self.data {
            Data::Scalar(_) => "a number".to_string(),
            Data::Vector(components) => format!("a vector of {} components", components.len()),
            Data::List(elements) if elements.iter().all(|one| matches!(one.data, Data::List(_))) => {
                "a matrix".to_string()
            }
            Data::List(elements) => format!("a list of {}", elements.len()),
            Data::Truth(_) => "a condition".to_string(),
        }
    }

    /// All its numbers, in order.
    pub(super) fn components(&self) -> Vec<Id> {
        match &self.data {
            Data::Scalar(id) | Data::Truth(id) => vec![*id],
            Data::Vector(components) => components.clone(),
            Data::List(elements) => elements.iter().flat_map(Self::components).collect(),
        }
    }

    /// Every number changed by `change`, the shape kept, every dimension changed by `dimension`.
    pub(super) fn map(
        &self,
        graph: &mut Graph,
        change: &mut impl FnMut(&mut Graph, Id) -> Id,
        dimension: &impl Fn(Dim) -> Option<Dim>,
    ) -> Option<Self> {
        let data = match &self.data {
            Data::Scalar(id) => Data::Scalar(change(graph, *id)),
            Data::Truth(id) => Data::Truth(*id),
            Data::Vector(components) => Data::Vector(components.iter().map(|&id| change(graph, id)).collect()),
            Data::List(elements) => {
                let elements: Option<Vec<_>> = elements.iter().map(|one| one.map(graph, change, dimension)).collect();
                Data::List(elements?)
            }
        };
        let dim = if matches!(self.data, Data::List(_)) { self.dim } else { dimension(self.dim)? };
        Some(Self { data, dim })
    }
}

/// The dimension of a product.
pub(super) fn times(a: Dim, b: Dim) -> Option<Dim> {
    match (a, b) {
        (Dim::Of(a), Dim::Of(b)) => a.times(b).map(Dim::Of),
        _ => Some(Dim::Any),
    }
}

/// The dimension of a quotient.
pub(super) fn over(a: Dim, b: Dim) -> Option<Dim> {
    match (a, b) {
        (Dim::Of(a), Dim::Of(b)) => a.over(b).map(Dim::Of),
        _ => Some(Dim::Any),
    }
}

/// A dimension in words: its name where it has one, and its units.
pub(super) fn describe(dimension: Dimension) -> String {
    let of = |length: i32, mass: i32, time: i32| {
        let powers = [(Dimension::LENGTH, length), (Dimension::MASS, mass), (Dimension::TIME, time)];
        powers.into_iter().try_fold(Dimension::NUMBER, |all, (base, power)| all.times(base.power(power, 1)?))
    };
    if dimension.is_number() {
        return "a pure number".to_string();
    }
    let names = [
        (of(1, 0, 0), "a length"),
        (of(0, 1, 0), "a mass"),
        (of(0, 0, 1), "a time"),
        (of(0, 0, -1), "a rate"),
        (of(1, 0, -1), "a velocity"),
        (of(1, 0, -2), "an acceleration"),
        (of(1, 1, -2), "a force"),
        (of(2, 1, -2), "an energy"),
        (of(2, 1, -3), "a power"),
        (of(1, 1, -1), "a momentum"),
        (of(2, 1, 0), "a moment of inertia"),
    ];
    match names.into_iter().find(|(known, _)| *known == Some(dimension)) {
        Some((_, name)) => format!("{name}, `{dimension}`"),
        None => format!("`{dimension}`"),
    }
}
