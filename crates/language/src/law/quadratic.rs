//! `quadratic(c)`: c·v², whatever the load.

use super::definition::{Contact, Friction, Kind, Law, Parameter};
use holonom_symbols::expr::{Graph, Id};

pub(super) const QUADRATIC: Law = Law {
    name: "quadratic",
    forms: &["`quadratic(c)`"],
    parameters: &[Parameter { what: "the coefficient of quadratic friction", kind: Kind::Resistance(2) }],
    required: 1,
    order: None,
    build,
};

fn build(graph: &mut Graph, contact: Contact, arguments: &[Id]) -> Friction {
    let square = graph.integer_power(contact.slip, 2);
    Friction { sliding: graph.multiply(arguments[0], square), limit: None }
}
