//! `coulomb(mu)`, `coulomb(mu_k, mu_s)`: a coefficient times the load, perhaps a larger one at rest.

use super::definition::{Contact, Friction, Kind, Law, Parameter};
use holonom_symbols::expr::{Graph, Id};

pub(super) const COULOMB: Law = Law {
    name: "coulomb",
    forms: &["`coulomb(mu)`", "`coulomb(mu_k, mu_s)`"],
    parameters: &[COEFFICIENT, COEFFICIENT],
    required: 1,
    order: Some([0, 1]),
    build,
};

/// A coefficient, of sliding or at rest.
pub(super) const COEFFICIENT: Parameter = Parameter { what: "a coefficient of friction", kind: Kind::Coefficient };

fn build(graph: &mut Graph, contact: Contact, arguments: &[Id]) -> Friction {
    let kinetic = arguments[0];
    let resting = arguments.get(1).copied().unwrap_or(kinetic);
    let limit = graph.multiply(resting, contact.normal);
    Friction { sliding: graph.multiply(kinetic, contact.normal), limit: Some(limit) }
}
