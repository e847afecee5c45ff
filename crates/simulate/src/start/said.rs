//! What the `start` statements say: values and guesses, before anything is looked for.

use super::numbers::Evaluator;
use super::scale::largest_alike;
use super::words::{MESSAGES, and, name};
use holonom_language::{Diagnostic, Span};
use holonom_symbols::expr::Symbol;

/// The part of the largest of its kind below which a start value is zero.
const NOTHING: f64 = 1e-60;

/// What `start` says of one number.
#[derive(Clone, Copy, Default)]
pub(crate) struct Said {
    pub(crate) value: Option<f64>,
    pub(crate) guess: Option<f64>,
    pub(crate) span: Option<Span>,
    /// Whether a message asks for it already: it, or what its own value needs, is missing.
    pub(crate) asked: bool,
}

/// The values of `start`: expressions of parameters and of each other, in any order.
pub(crate) fn said(evaluator: &Evaluator, time: f64, diagnostics: &mut Vec<Diagnostic>) -> (Vec<Said>, Vec<Said>) {
    let n = evaluator.coordinates();
    let model = &evaluator.equations.model;
    let mut found = (vec![Said::default(); n], vec![Said::default(); n]);
    let place = |symbol: Symbol| match symbol {
        Symbol::Position(i) if (i as usize) < n => Some(i as usize),
        Symbol::Velocity(i) if (i as usize) < n => Some(n + i as usize),
        _ => None,
    };
    let mut known: Vec<Option<f64>> = vec![None; 2 * n];
    let mut open: Vec<_> = model.start.iter().filter(|value| place(value.symbol).is_some()).collect();
    // Given values first: a guess may hang on them, but not they on a guess.
    loop {
        let before = open.len();
        open.retain(|value| {
            let needs: Vec<usize> = evaluator.graph.symbols(&[value.value]).into_iter().filter_map(place).collect();
            let Some(at) = place(value.symbol) else { return false };
            if needs.iter().any(|&need| known[need].is_none()) {
                return true;
            }
            let number = evaluator.graph.evaluate(&[value.value], |symbol| match symbol {
                Symbol::Parameter(i) => evaluator.system.parameters().get(i as usize).copied().unwrap_or(f64::NAN),
                Symbol::Time => time,
                other => place(other).and_then(|need| known[need]).unwrap_or(f64::NAN),
            })[0];
            let said = if at < n { &mut found.0[at] } else { &mut found.1[at - n] };
            said.span = Some(value.span);
            if !number.is_finite() {
                let what = model.symbol_name(value.symbol);
                diagnostics.push(
                    Diagnostic::error("start-not-finite", format!("the start of `{what}` is not a number"))
                        .at(value.span, format!("this is {number}"))
                        .help("look for a division by zero, or a root or logarithm of a negative number"),
                );
                said.value = Some(0.0);
            } else if value.guess {
                said.guess = Some(number);
            } else {
                said.value = Some(number);
            }
            if !value.guess {
                known[at] = said.value;
            }
            false
        });
        if open.len() == before {
            break;
        }
    }
    for value in open.into_iter().take(MESSAGES) {
        let what = model.symbol_name(value.symbol);
        let missing = evaluator.graph.symbols(&[value.value]).into_iter();
        let missing: Vec<String> = missing
            .filter(|&symbol| place(symbol).is_some_and(|at| known[at].is_none()))
            .map(|symbol| name(&model.symbol_name(symbol)))
            .collect();
        let symbols = evaluator.graph.symbols(&[value.value]).into_iter().chain([value.symbol]);
        for at in symbols.filter_map(place).filter(|&at| known[at].is_none()) {
            let said = if at < n { &mut found.0[at] } else { &mut found.1[at - n] };
            said.asked = true;
        }
        let circular =
            model.start.iter().any(|other| missing.contains(&name(&model.symbol_name(other.symbol))) && !other.guess);
        diagnostics.push(if circular {
            Diagnostic::error("start-cycle", format!("the start of `{what}` depends on itself"))
                .at(value.span, format!("needs the start of {}", and(&missing)))
                .help("give one of them as a number")
        } else {
            Diagnostic::error("start-missing", format!("the start of `{what}` needs that of {}", and(&missing)))
                .at(value.span, format!("{} has no start value", and(&missing)))
                .help(format!("add `start {} = …`", missing.first().map_or("", |m| m.trim_matches('`'))))
        });
    }
    forget_nothing(&evaluator.kinds, &mut found);
    found
}

/// What is nothing beside others of its kind, and beside how fast they are, is zero: a square of it is no number, or hardly one, and masses
/// and energies are made of squares.
fn forget_nothing(kinds: &[usize], (positions, velocities): &mut (Vec<Said>, Vec<Said>)) {
    let largest = |list: &[Said]| {
        let values: Vec<f64> = list.iter().map(|said| said.value.or(said.guess).unwrap_or(0.0)).collect();
        largest_alike(kinds, &values)
    };
    let largest: Vec<f64> = largest(positions).into_iter().zip(largest(velocities)).map(|(q, v)| q.max(v)).collect();
    for (said, largest) in positions.iter_mut().zip(&largest).chain(velocities.iter_mut().zip(&largest)) {
        for value in [&mut said.value, &mut said.guess].into_iter().flatten() {
            *value = if value.abs() < NOTHING * largest { 0.0 } else { *value };
        }
    }
}
