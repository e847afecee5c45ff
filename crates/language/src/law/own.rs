//! `law(EXPR)`: any expression of slip and load, for sliding as for the limit at rest.

use super::definition::{Contact, Friction, Kind, Law, Parameter, at_rest};
use holonom_symbols::expr::{Graph, Id};

pub(super) const OWN: Law = Law {
    name: "law",
    forms: &["`law(EXPR of slip and normal)`"],
    parameters: &[Parameter { what: "the magnitude of friction", kind: Kind::Force }],
    required: 1,
    order: None,
    build,
};

fn build(graph: &mut Graph, contact: Contact, arguments: &[Id]) -> Friction {
    let sliding = arguments[0];
    Friction { sliding, limit: at_rest(graph, contact, sliding) }
}
