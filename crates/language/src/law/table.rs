//! The name of a table: a coefficient measured over the speed of slip, times the load.

use super::definition::{Contact, Friction, Kind, Law, Parameter, at_rest};
use holonom_symbols::expr::{Graph, Id};

/// Its argument is the coefficient, as the table gives it for the speed of slip.
pub(crate) const TABLE: Law = Law {
    name: "a table",
    forms: &["tables"],
    parameters: &[Parameter { what: "a table of the coefficient of friction", kind: Kind::Table }],
    required: 1,
    order: None,
    build,
};

fn build(graph: &mut Graph, contact: Contact, arguments: &[Id]) -> Friction {
    let sliding = graph.multiply(arguments[0], contact.normal);
    Friction { sliding, limit: at_rest(graph, contact, sliding) }
}
