//! Velocity rows that are the rate of something: `x' = R*theta'` says no more than `x = R*theta + constant`.
//!
//! Only the integrated form keeps positions from drifting, so it is worth knowing. A row Σ aᵢ(q, t) q̇ᵢ + a₀(q, t) is a total
//! derivative exactly when its mixed derivatives agree. Then it is integrated coordinate by coordinate, term by term, as far
//! as the terms are simple; what comes out is differentiated again and must give the row back.

use super::constraint::top_terms;
use super::eliminate::sides;
use super::lagrange::jacobian_row;
use super::probe::{Probe, without};
use super::row::{ConstraintKind, Row};
use holonom_symbols::expr::{Depends, Function, Graph, Id, Node, Number, Symbol};

/// A velocity row that is the rate of a function of positions and time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Integrable {
    /// Which row of the equations.
    pub row: usize,
    /// Which constraint of the model it belongs to.
    pub constraint: usize,
    /// The function; its rate is the row. A constant may be added.
    pub position: Id,
    /// `position = 0` with its terms on two sides, for printing.
    pub left: Id,
    /// The other side.
    pub right: Id,
}

/// Those of `rows` that can be integrated.
pub(super) fn integrable(graph: &mut Graph, probe: &Probe, rows: &[Row]) -> Vec<Integrable> {
    let mut found = Vec::new();
    for (index, row) in rows.iter().enumerate().filter(|(_, row)| row.kind == ConstraintKind::Velocity) {
        let Some(position) = row.velocity.and_then(|velocity| integral(graph, probe, velocity)) else { continue };
        let (left, right) = sides(graph, position);
        let Some((constraint, _)) = row.constraint else { continue };
        found.push(Integrable { row: index, constraint, position, left, right });
    }
    found
}

/// A function whose rate is `velocity`.
fn integral(graph: &mut Graph, probe: &Probe, velocity: Id) -> Option<Id> {
    let mut slopes: Vec<(Symbol, Id)> = Vec::new();
    for (i, slope) in jacobian_row(graph, velocity, Symbol::Velocity) {
        slopes.push((Symbol::Position(i as u32), without(graph, probe, slope, Depends::VELOCITY)?));
    }
    let rest = graph.substitute(&[velocity], |s| matches!(s, Symbol::Velocity(_)).then_some(Id::ZERO))[0];
    if slopes.len() > 64 || graph.depends(rest).on(Depends::ACCELERATION | Depends::FORCE) {
        return None;
    }
    slopes.push((Symbol::Time, rest));
    let mut whole = Id::ZERO;
    for (symbol, slope) in slopes {
        // What of the slope is not accounted for yet; it must not bring back earlier symbols, which the last test sees.
        let accounted = graph.partial(whole, symbol);
        let open = graph.subtract(slope, accounted);
        let more = by_terms(graph, open, symbol)?;
        whole = graph.add(whole, more);
    }
    let whole = graph.simplify(whole, 200);
    let rate = graph.rate(&[whole])[0];
    let difference = graph.subtract(rate, velocity);
    (whole != Id::ZERO && probe.is_zero(graph, difference)).then_some(whole)
}

/// ∫ expression d(symbol), term by term.
fn by_terms(graph: &mut Graph, expression: Id, symbol: Symbol) -> Option<Id> {
    let terms = multiplied_out(graph, expression)?;
    let sum = graph.sum(&terms);
    let mut integrals = Vec::new();
    for term in top_terms(graph, sum) {
        integrals.push((Number::ONE, term_integral(graph, term, symbol)?));
    }
    Some(graph.sum(&integrals))
}

/// An expression as a sum of products of what are no sums; nothing if there would be too many.
fn multiplied_out(graph: &mut Graph, expression: Id) -> Option<Vec<(Number, Id)>> {
    const MOST: usize = 200;
    let mut open = vec![(Number::ONE, expression)];
    let mut done = Vec::new();
    while let Some((outer, term)) = open.pop() {
        if open.len() + done.len() > MOST {
            return None;
        }
        match graph.node(term).clone() {
            Node::Sum { constant, terms } => {
                done.push((outer.times(constant)?, Id::ONE));
                for &(coefficient, term) in terms.iter() {
                    open.push((outer.times(coefficient)?, term));
                }
            }
            Node::Product { coefficient, factors } => {
                let is_sum = |&(factor, exponent): &(Id, i32)| {
                    (1..=4).contains(&exponent) && matches!(graph.node(factor), Node::Sum { .. })
                };
                let Some(place) = factors.iter().position(is_sum) else {
                    done.push((outer, term));
                    continue;
                };
                let (sum, _) = factors[place];
                let mut rest = factors.to_vec();
                rest[place].1 -= 1;
                let rest = graph.product(Number::ONE, &rest);
                let outer = outer.times(coefficient)?;
                for summand in top_terms(graph, sum) {
                    open.push((outer, graph.multiply(summand, rest)));
                }
            }
            _ => done.push((outer, term)),
        }
    }
    Some(done)
}

/// ∫ term d(symbol) for factors without the symbol times one power, sine, cosine or exponential of an affine argument.
fn term_integral(graph: &mut Graph, term: Id, symbol: Symbol) -> Option<Id> {
    let (coefficient, factors) = match graph.node(term) {
        Node::Product { coefficient, factors } => (*coefficient, factors.to_vec()),
        Node::Number(number) => (*number, Vec::new()),
        _ => (Number::ONE, vec![(term, 1)]),
    };
    let contains = |graph: &Graph, factor: Id| graph.symbols(&[factor]).contains(&symbol);
    let (varying, fixed): (Vec<_>, Vec<_>) = factors.into_iter().partition(|&(factor, _)| contains(graph, factor));
    let x = graph.symbol(symbol);
    let inner = match varying[..] {
        [] => x,
        [(base, exponent)] => {
            let argument = match *graph.node(base) {
                Node::Call(Function::Sin | Function::Cos | Function::Exp, argument, _) if exponent == 1 => argument,
                _ => base,
            };
            let slope = graph.partial(argument, symbol);
            if contains(graph, slope) || slope == Id::ZERO {
                return None;
            }
            let outer = match *graph.node(base) {
                Node::Call(Function::Sin, ..) if argument != base => {
                    let cosine = graph.call(Function::Cos, argument);
                    graph.negate(cosine)
                }
                Node::Call(Function::Cos, ..) if argument != base => graph.call(Function::Sin, argument),
                Node::Call(Function::Exp, ..) if argument != base => base,
                _ if exponent != -1 => {
                    let next = exponent.checked_add(1)?;
                    graph.product(Number::ratio(1, i128::from(next))?, &[(base, next)])
                }
                _ => return None,
            };
            graph.divide(outer, slope)
        }
        _ => return None,
    };
    let outer = graph.product(coefficient, &fixed);
    Some(graph.multiply(outer, inner))
}
