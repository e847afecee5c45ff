//! `stribeck(mu_k, mu_s, v_s)`: a coefficient that falls from µₛ to µₖ over the speed v_s, times the load.

use super::coulomb::COEFFICIENT;
use super::definition::{Contact, Friction, Kind, Law, Parameter};
use holonom_symbols::expr::{Function, Graph, Id};

pub(super) const STRIBECK: Law = Law {
    name: "stribeck",
    forms: &["`stribeck(mu_k, mu_s, v_s)`"],
    parameters: &[COEFFICIENT, COEFFICIENT, Parameter { what: "the speed of `stribeck`", kind: Kind::Speed }],
    required: 3,
    order: Some([0, 1]),
    build,
};

/// µₖ + (µₛ − µₖ)·exp(−(v/v_s)²)
fn build(graph: &mut Graph, contact: Contact, arguments: &[Id]) -> Friction {
    let [kinetic, resting, speed] = [arguments[0], arguments[1], arguments[2]];
    let ratio = graph.divide(contact.slip, speed);
    let square = graph.integer_power(ratio, 2);
    let minus = graph.negate(square);
    let fades = graph.call(Function::Exp, minus);
    let more = graph.subtract(resting, kinetic);
    let more = graph.multiply(more, fades);
    let coefficient = graph.add(kinetic, more);
    let limit = graph.multiply(resting, contact.normal);
    Friction { sliding: graph.multiply(coefficient, contact.normal), limit: Some(limit) }
}
