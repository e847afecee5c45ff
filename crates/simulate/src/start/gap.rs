//! One-sided constraints at the start: none of their gaps may be negative, and those that touch may push.

use super::numbers::{Evaluator, State};
use super::said::Said;
use super::scale::MET;
use super::words::{MESSAGES, number};
use holonom_language::{Diagnostic, Span};
use holonom_mechanics::contact::AT_REST;
use holonom_mechanics::derive::Row;
use holonom_symbols::expr::Id;

/// Places where start values were given that one message shows.
const PLACES: usize = 4;

/// The gaps of one-sided constraints that take part: (row of the equations, gap, the sum of its terms).
fn gaps(evaluator: &Evaluator, state: &State) -> Vec<(usize, f64, f64)> {
    let equations = evaluator.equations;
    let rows: Vec<usize> = equations.one_sided_rows().collect();
    if rows.is_empty() {
        return Vec::new();
    }
    // All at once: an evaluation goes over all that they share.
    let of = |row: usize| &equations.rows[row];
    let ids: Vec<Id> = rows
        .iter()
        .flat_map(|&row| {
            std::iter::once(of(row).position.unwrap_or(Id::ZERO)).chain(of(row).scale_terms.iter().copied())
        })
        .collect();
    let values = evaluator.values(&ids, &state.point());
    let mut rest = &values[..];
    let mut gaps = Vec::new();
    for row in rows {
        let (own, after) = rest.split_at(1 + of(row).scale_terms.len());
        rest = after;
        gaps.push((row, own[0], own[1..].iter().map(|term| term.abs()).sum::<f64>()));
    }
    gaps
}

/// The one-sided constraints that a state violates by more than the rounding of their terms.
pub(crate) fn messages(evaluator: &Evaluator, state: &State, said: &[Said]) -> Vec<Diagnostic> {
    let violated = |(_, gap, scale): &(usize, f64, f64)| *gap < -MET * scale || gap.is_nan();
    let gaps = gaps(evaluator, state).into_iter().filter(violated).take(MESSAGES);
    gaps.map(|(row, gap, _)| message(evaluator, &evaluator.equations.rows[row], gap, said)).collect()
}

/// The one-sided rows that touch at a state.
#[derive(Default)]
pub(crate) struct Touching {
    /// Those that neither part nor close.
    pub(crate) resting: Vec<usize>,
    /// Those that close, and how fast: their motion begins with an impact.
    pub(crate) closing: Vec<(usize, f64)>,
}

impl Touching {
    pub(crate) fn at(evaluator: &Evaluator, state: &State) -> Self {
        let mut touching = Self::default();
        for (row, ..) in gaps(evaluator, state).into_iter().filter(|(_, gap, scale)| gap.abs() <= MET * scale) {
            let of = &evaluator.equations.rows[row];
            // A limit that no coordinate reaches, such as `y + h >= y` with h = 0, pushes nothing.
            let (Some(velocity), false) = (of.velocity, of.a.is_empty()) else { continue };
            let ids: Vec<Id> = std::iter::once(velocity).chain(of.a.iter().map(|entry| entry.1)).collect();
            let values = evaluator.values(&ids, &state.point());
            let terms = of.a.iter().zip(&values[1..]).map(|((j, _), a)| a * state.velocities[*j]);
            let (rate, moved, size) = (values[0], terms.clone().sum::<f64>(), terms.map(f64::abs).sum::<f64>());
            if rate.abs() <= AT_REST * (size + (rate - moved).abs()) {
                touching.resting.push(row);
            } else if rate < 0.0 {
                touching.closing.push((row, -rate));
            }
        }
        touching
    }
}

fn message(evaluator: &Evaluator, row: &Row, gap: f64, said: &[Said]) -> Diagnostic {
    let at = |message: Diagnostic, label: String| match row.span {
        Some(span) => message.at(span, label),
        None => message.note(label),
    };
    if !gap.is_finite() {
        let message = Diagnostic::error(
            "not-finite",
            format!("the constraint `{}` is not a finite number{}", row.name, evaluator.there),
        );
        return at(message, format!("its gap is {gap}{}", evaluator.there)).help(super::finite::HELP);
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
