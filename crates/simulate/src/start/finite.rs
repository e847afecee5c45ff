//! What is no number at the start, by the statement that it stands in.
//!
//! A logarithm of −1 is no energy, and the root of 0 has no slope. The kernel would say which entry of which matrix that
//! spoils; here it is said which line.

use super::least::Which;
use super::numbers::{Evaluator, State};
use super::words::name;
use holonom_language::{Diagnostic, Span};
use holonom_mechanics::derive::messages::text;
use holonom_symbols::expr::{FastMap, Id, Node, Symbol};

/// Messages about statements are bounded.
const SHOWN: usize = 12;
/// More rows than this are first looked at together.
const MANY: usize = 100;
/// Statements with more symbols than this are not differentiated twice to see what is wrong with them.
const FEW: usize = 40;

pub(crate) const HELP: &str = "look for a division by zero, or a root or logarithm of a negative number";
const TOO_LARGE: &str =
    "the start values are too large: numbers end at 1.8e308, and products of these are beyond; choose larger units";
/// The square of this is no number any more.
const SQUARE: f64 = 1e154;

/// What to do about a number that is none at a state.
fn help(state: &State) -> &'static str {
    let most = state.positions.iter().chain(&state.velocities).fold(0.0, |most: f64, x| most.max(x.abs()));
    if most > SQUARE { TOO_LARGE } else { HELP }
}

/// The rows of one level whose equation or slope is no finite number.
pub(crate) fn rows(evaluator: &Evaluator, state: &State, which: Which) -> Vec<Diagnostic> {
    let (mut messages, there) = (Vec::new(), evaluator.there);
    if evaluator.rows.len() > MANY {
        // All at once, which is quick; one by one only where something is wrong.
        let level = if which == Which::Positions { evaluator.positions(state) } else { evaluator.velocities(state) };
        if level.residual.iter().chain(&level.jacobian.values).all(|x| x.is_finite()) {
            return messages;
        }
    }
    for row in evaluator.rows.iter().map(|&row| &evaluator.equations.rows[row]) {
        let equation = if which == Which::Positions { row.position } else { row.velocity };
        let Some(equation) = equation else { continue };
        let mut ids = vec![equation];
        ids.extend(row.a.iter().map(|&(_, id)| id));
        let values = evaluator.values(&ids, &state.point());
        let Some(at) = values.iter().position(|value| !value.is_finite()) else { continue };
        let (text, label, help) = match at {
            0 => ("is not a finite number", format!("left side − right side is {}{there}", values[0]), HELP),
            at => (
                "has no derivative",
                format!("its derivative by `{}` is {}{there}", evaluator.name(row.a[at - 1].0), values[at]),
                "a root or a `norm` of 0 has no slope there: write `a = b` for `norm(a - b) = 0`, square both sides of others, or start elsewhere",
            ),
        };
        let text = format!("the constraint {} {text}{there}", name(&row.name));
        messages.push(pointing("not-finite", text, row.span, label).help(help));
        if messages.len() == SHOWN {
            break;
        }
    }
    messages
}

/// Energies and forces that are no finite numbers, or whose derivatives are none.
pub(crate) fn statements(evaluator: &mut Evaluator, state: &State) -> Vec<Diagnostic> {
    let model = &evaluator.equations.model;
    let mut terms: Vec<(&'static str, Vec<Id>, Span, bool)> = Vec::new();
    let energies = [
        ("the kinetic energy", &model.kinetic),
        ("the potential energy", &model.potential),
        ("the Lagrangian", &model.lagrangian),
        ("the dissipation", &model.dissipation),
    ];
    for (what, list) in energies {
        terms.extend(list.iter().map(|term| (what, vec![term.value], term.span, true)));
    }
    terms.extend(model.mass.iter().map(|mass| ("the mass matrix", mass.entries.clone(), mass.span, false)));
    terms.extend(model.forces.iter().map(|force| ("the force", force.components.clone(), force.span, false)));
    for particle in &model.particles {
        let ids = particle.position.iter().copied().chain([particle.mass]).collect();
        terms.push(("the place or mass of a particle", ids, particle.span, false));
    }
    let (mut messages, there) = (Vec::new(), evaluator.there);
    let all: Vec<Id> = terms.iter().flat_map(|term| term.1.iter().copied()).collect();
    let values = evaluator.values(&all, &state.point());
    let mut rest = values.iter();
    for (what, ids, span, _) in &terms {
        if let Some(value) = rest.by_ref().take(ids.len()).fold(None, |bad, x| bad.or((!x.is_finite()).then_some(x))) {
            let text = format!("{what} is not a finite number{there}");
            messages.push(pointing("not-finite", text, Some(*span), format!("{value}{there}")).help(help(state)));
        }
    }
    if messages.is_empty() {
        let terms = terms.iter().map(|(_, ids, span, _)| (ids.clone(), *span)).collect();
        messages.extend(divisions(evaluator, terms, state));
    }
    let energies = [evaluator.equations.kinetic_energy, evaluator.equations.potential_energy];
    for (what, value) in ["kinetic", "potential"].into_iter().zip(evaluator.values(&energies, &state.point())) {
        if messages.is_empty() && !value.is_finite() {
            let text = format!("the {what} energy is not a finite number{there}");
            messages.push(Diagnostic::error("not-finite", text).note(format!("it is {value}")).help(help(state)));
        }
    }
    let entries = evaluator.entries(state);
    let sound = entries.mass.values.iter().chain(&entries.force).all(|x| x.is_finite());
    if !messages.is_empty() || sound {
        messages.truncate(SHOWN);
        return messages;
    }
    for (what, ids, span, _) in terms.iter().filter(|term| term.3) {
        let symbols = evaluator.graph.symbols(ids);
        let of_state = |s: &&Symbol| matches!(s, Symbol::Position(_) | Symbol::Velocity(_));
        let symbols: Vec<Symbol> = symbols.iter().filter(of_state).copied().collect();
        let mut slopes: Vec<(Symbol, Id)> = Vec::new();
        for &symbol in &symbols {
            let slope = evaluator.graph.partial(ids[0], symbol);
            slopes.push((symbol, slope));
            if matches!(symbol, Symbol::Velocity(_)) && symbols.len() <= FEW {
                slopes.extend(symbols.iter().map(|&other| (other, evaluator.graph.partial(slope, other))));
            }
        }
        let slope_ids: Vec<Id> = slopes.iter().map(|&(_, id)| id).collect();
        let values = evaluator.values(&slope_ids, &state.point());
        if let Some(at) = values.iter().position(|value| !value.is_finite()) {
            let by = evaluator.equations.model.symbol_name(slopes[at].0);
            let text = format!("{what} has no derivative{there}");
            let label = format!("a derivative by `{by}` is {}{there}", values[at]);
            messages.push(pointing("not-finite", text, Some(*span), label).help(HELP));
        }
    }
    messages.truncate(SHOWN);
    messages
}

/// Divisions by something that is zero whatever the state is, because the parameters make it so. The value may look harmless: that of
/// `atan(1/a)` does.
fn divisions(evaluator: &Evaluator, terms: Vec<(Vec<Id>, Span)>, state: &State) -> Vec<Diagnostic> {
    let (graph, model) = (&evaluator.graph, &evaluator.equations.model);
    let rows = evaluator.equations.rows.iter().filter_map(|row| Some((row.position.or(row.velocity)?, row.span?)));
    let parameters = model.parameters.iter().map(|parameter| (parameter.value, parameter.span));
    let singles = parameters.chain(rows).map(|(id, span)| (vec![id], span));
    let mut below: Vec<(Id, Span)> = Vec::new();
    let mut seen: FastMap<Id, ()> = FastMap::default();
    for (mut stack, span) in singles.chain(terms) {
        while let Some(id) = stack.pop() {
            // What a case divides by may be zero only where another case is taken.
            if seen.insert(id, ()).is_some() || matches!(graph.node(id), Node::Select(..)) {
                continue;
            }
            if let Node::Product { factors, .. } = graph.node(id) {
                let fixed = |&&(factor, power): &&(Id, i32)| power < 0 && graph.depends(factor).is_fixed();
                below.extend(factors.iter().filter(fixed).map(|&(factor, _)| (factor, span)));
            }
            graph.node(id).operands(|operand| stack.push(operand));
        }
    }
    let ids: Vec<Id> = below.iter().map(|&(id, _)| id).collect();
    let values = evaluator.values(&ids, &state.point());
    let zeros = below.iter().zip(values).filter(|(_, value)| *value == 0.0).map(|(one, _)| one);
    let message = |&(id, span): &(Id, Span)| {
        let shown = text(model, graph, id);
        Diagnostic::error("division-by-zero", format!("division by `{shown}`, which is 0"))
            .at(span, "has no value for these parameters")
            .help(format!("give the parameters other values, so that `{shown}` is not 0"))
    };
    zeros.take(SHOWN).map(message).collect()
}

fn pointing(code: &'static str, text: String, span: Option<Span>, label: String) -> Diagnostic {
    let message = Diagnostic::error(code, text);
    match span {
        Some(span) => message.at(span, label),
        None => message.note(label),
    }
}
