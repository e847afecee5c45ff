//! Equations that nobody wrote: a force along a direction without mass has to vanish.

use std::collections::HashSet;

use super::report::Report;
use crate::start::numbers::Evaluator;
use crate::start::words::{few, name, number};
use holonom_language::Diagnostic;
use holonom_mechanics::derive::{self, Equations};

/// Reports the equations that are missing, or were found. `varies` says that the numbers themselves show a force on a
/// massless direction that vanishes at some states only, whether or not algebra found its equation.
pub(super) fn report(evaluator: &Evaluator, varies: bool, report: &mut Report, diagnostics: &mut Vec<Diagnostic>) {
    let given = evaluator.equations;
    // Whether a direction is massless depends on the values of parameters.
    let anew = derive::at_values(given, &evaluator.system.set());
    let equations = anew.as_ref().unwrap_or(given);
    report.hidden = named(equations);
    let mut messages = equations.hidden.messages(equations);
    // What `hidden find` has added stands in the report; only what is wrong is a message.
    messages.retain(|message| message.is_error() || message.code != "hidden-constraint");
    let said = |messages: &[Diagnostic], code: &str| messages.iter().any(|m| m.code == code);
    if said(&messages, "unbalanced") {
        diagnostics.retain(|diagnostic| diagnostic.code != "unbalanced");
    }
    if said(&messages, "unbalanced") || said(&messages, "hidden-constraint") {
        diagnostics.retain(|diagnostic| diagnostic.code != "not-unique");
    } else if varies {
        messages.push(unnamed(evaluator, report));
    }
    diagnostics.extend(messages);
}

/// The equations, with the names of their rows where they have been added.
fn named(equations: &Equations) -> Vec<String> {
    let rows = equations.hidden.found.iter().zip(equations.hidden.equations(equations));
    let added = equations.model.hidden.is_some();
    rows.map(|(row, text)| if added { format!("{}: {text}", row.name) } else { text }).collect()
}

/// A constraint that is missing, and that algebra did not find.
fn unnamed(evaluator: &Evaluator, report: &Report) -> Diagnostic {
    let mut message = Diagnostic::error(
        "hidden-constraint",
        "a force acts along a direction without mass and must vanish: a constraint is missing",
    );
    let undetermined: HashSet<&String> = report.verdict.iter().flat_map(|v| v.undetermined.iter()).collect();
    let coordinates = &evaluator.equations.model.coordinates;
    for coordinate in coordinates.iter().filter(|c| undetermined.contains(&c.name)).take(8) {
        message = message.at(coordinate.span, "a direction without mass moves this");
    }
    if let Some(verdict) = report.verdict.as_ref().filter(|verdict| !verdict.unbalanced.is_empty()) {
        let forces: Vec<String> =
            verdict.unbalanced.iter().map(|(j, force)| format!("{} on {}", number(*force), name(j))).collect();
        message = message.note(format!("at the start nothing balances {}", few(forces).join(", ")));
    }
    message.help("add the constraint under which this force vanishes")
}
