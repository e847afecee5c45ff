//! C: what constraints do beyond being obeyed, as its author gives it.
//!
//! C may depend on the forces of constraints: linearly in most laws, through a magnitude in others. What is linear is
//! taken apart into coefficients, so that one linear solve settles it; the rest is kept whole, with its derivatives.

use super::equations::{NonidealTerm, NonlinearForce};
use super::lagrange::{generalised, spread};
use super::probe::{Probe, without};
use holonom_language::{Diagnostic, Model};
use holonom_symbols::expr::{Depends, Graph, Id, Number, Symbol};

/// The non-ideal parts of a model, in order.
pub(super) fn nonideal(
    model: &Model,
    graph: &mut Graph,
    probe: &Probe,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<NonidealTerm> {
    let n = model.coordinates.len();
    let mut parts = Vec::with_capacity(model.nonideals.len());
    for given in &model.nonideals {
        let mut terms: Vec<Vec<(Number, Id)>> = vec![Vec::new(); n];
        for (i, component) in generalised(graph, n, (&given.on, &given.components, given.span), diagnostics) {
            spread(graph, &mut terms[i], Number::ONE, component);
        }
        let mut part = NonidealTerm {
            constraint: given.constraint,
            force: vec![Id::ZERO; n],
            by_multiplier: Vec::new(),
            by_reaction: Vec::new(),
            nonlinear: Vec::new(),
            span: given.span,
        };
        for (i, terms) in terms.iter().enumerate() {
            let component = graph.sum(terms);
            take_apart(graph, probe, i, component, &mut part);
        }
        parts.push(part);
    }
    parts
}

/// Puts a component of C where it belongs: linear in the forces of constraints, or not.
fn take_apart(graph: &mut Graph, probe: &Probe, coordinate: usize, component: Id, part: &mut NonidealTerm) {
    if !graph.depends(component).on(Depends::FORCE) {
        part.force[coordinate] = component;
        return;
    }
    let is_force = |&symbol: &Symbol| matches!(symbol, Symbol::Multiplier(_) | Symbol::Reaction(_));
    let symbols: Vec<Symbol> = graph.symbols(&[component]).into_iter().filter(is_force).collect();
    let slopes = graph.gradient(component, &symbols);
    let constant: Option<Vec<Id>> = slopes.iter().map(|&slope| without(graph, probe, slope, Depends::FORCE)).collect();
    let rest = graph.substitute(&[component], |symbol| is_force(&symbol).then_some(Id::ZERO))[0];
    // Steps have constant slopes too: only what the slopes give back is linear.
    let linear = constant.filter(|constant| {
        let mut terms = vec![(Number::ONE, component), (Number::MINUS_ONE, rest)];
        for (&symbol, &slope) in symbols.iter().zip(constant) {
            let symbol = graph.symbol(symbol);
            terms.push((Number::MINUS_ONE, graph.multiply(slope, symbol)));
        }
        let difference = graph.sum(&terms);
        probe.is_zero(graph, difference)
    });
    let Some(linear) = linear else {
        let slopes = symbols.into_iter().zip(slopes).filter(|&(_, slope)| slope != Id::ZERO).collect();
        part.nonlinear.push(NonlinearForce { coordinate, value: component, slopes });
        return;
    };
    part.force[coordinate] = rest;
    for (symbol, slope) in symbols.into_iter().zip(linear).filter(|&(_, slope)| slope != Id::ZERO) {
        match symbol {
            Symbol::Multiplier(row) => part.by_multiplier.push((coordinate, row as usize, slope)),
            Symbol::Reaction(row) => part.by_reaction.push((coordinate, row as usize, slope)),
            _ => {}
        }
    }
}
