//! `viscous(c)`: c·v, whatever the load.

use super::definition::{Contact, Friction, Kind, Law, Parameter};
use holonom_symbols::expr::{Graph, Id};

pub(super) const VISCOUS: Law = Law {
    name: "viscous",
    forms: &["`viscous(c)`"],
    parameters: &[Parameter { what: "the coefficient of viscous friction", kind: Kind::Resistance(1) }],
    required: 1,
    order: None,
    build,
};

fn build(graph: &mut Graph, contact: Contact, arguments: &[Id]) -> Friction {
    Friction { sliding: graph.multiply(arguments[0], contact.slip), limit: None }
}
