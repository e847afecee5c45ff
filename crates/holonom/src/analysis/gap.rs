//! One-sided constraints at the start: none of their gaps may be negative.

use super::least::MET;
use super::numbers::{Evaluator, State};
use super::said::Said;
use super::start::MESSAGES;
use super::words::number;
use crate::derive::Row;
use crate::expr::Id;
use crate::model::{Diagnostic, Span};

/// Places where start values were given that one message shows.
const PLACES: usize = 4;

/// The one-sided constraints that a state violates by more than the rounding of their terms.
pub(super) fn messages(evaluator: &Evaluator, state: &State, said: &[Said]) -> Vec<Diagnostic> {
    let model = &evaluator.equations.model;
    let acts = |row: &&Row| {
        let side = row.constraint.and_then(|(constraint, _)| model.constraints[constraint].side);
        side.is_some_and(|side| !side.disabled)
    };
    let rows: Vec<(&Row, Id)> =
        evaluator.equations.rows.iter().filter(acts).filter_map(|row| Some((row, row.position?))).collect();
    if rows.is_empty() {
        return Vec::new();
    }
    // All at once: an evaluation goes over all that they share.
    let ids: Vec<Id> =
        rows.iter().flat_map(|(row, gap)| std::iter::once(*gap).chain(row.scale_terms.iter().copied())).collect();
    let values = evaluator.values(&ids, &state.point());
    let mut rest = &values[..];
    let mut messages = Vec::new();
    for (row, _) in rows {
        let (own, after) = rest.split_at(1 + row.scale_terms.len());
        rest = after;
        let (gap, scale) = (own[0], own[1..].iter().map(|term| term.abs()).sum::<f64>());
        if (gap < -MET * scale || gap.is_nan()) && messages.len() < MESSAGES {
            messages.push(message(evaluator, row, gap, said));
        }
    }
    messages
}

fn message(evaluator: &Evaluator, row: &Row, gap: f64, said: &[Said]) -> Diagnostic {
    let at = |message: Diagnostic, label: String| match row.span {
        Some(span) => message.at(span, label),
        None => message.note(label),
    };
    if !gap.is_finite() {
        let message = Diagnostic::error(
            "not-finite",
            format!("the constraint `{}` is not a finite number at the start", row.name),
        );
        return at(message, format!("its gap is {gap} at the start")).help(super::finite::HELP);
    }
    let message = Diagnostic::error("start-inconsistent", format!("the start values do not satisfy `{}`", row.name));
    let mut message = at(message, format!("violated by {}", number(-gap)));
    // A vector gives several coordinates in one place.
    let mut given: Vec<Span> = Vec::new();
    for span in row.a.iter().filter_map(|&(j, _)| said[j].span.filter(|_| said[j].value.is_some())) {
        if !given.contains(&span) {
            given.push(span);
        }
    }
    for span in given.into_iter().take(PLACES) {
        message = message.at(span, "given here");
    }
    let names: Vec<String> = row.a.iter().map(|&(j, _)| format!("`{}`", evaluator.name(j))).take(PLACES).collect();
    message
        .note("one-sided constraints take no part in finding start values")
        .help(format!("start on the allowed side: choose another value of {}", names.join(" or ")))
}
