//! What the author expects of the motion: proved, held up, refuted.

use super::instant::Instant;
use super::magnitude::Magnitudes;
use super::natural::measure;
use crate::start::kernel::Direction;
use crate::start::numbers::{Evaluator, Point};
use crate::start::words::{both, number};
use holonom_language::{Diagnostic, Expectation, Expected};
use holonom_symbols::expr::{Depends, Id, Symbol};

/// The relative tolerance where none is given.
const WITHIN: f64 = 1e-8;

/// An expectation and what came of it.
#[derive(Clone, Debug, PartialEq)]
pub struct ExpectationReport {
    /// As it was written.
    pub text: String,
    /// The line that it stands on.
    pub line: usize,
    /// What came of it.
    pub outcome: ExpectationOutcome,
    /// The left side at the start, or where it was refuted: of the component that fits worst.
    pub left: Option<f64>,
    /// The right side there.
    pub right: Option<f64>,
}

/// What came of an expectation.
#[derive(Clone, Debug, PartialEq)]
pub enum ExpectationOutcome {
    /// Both sides are the same expression.
    Proved,
    /// It holds at the start and at this many states around it.
    Holds(usize),
    /// It holds at the start, which is all that is claimed.
    HoldsAtStart,
    /// It holds at the start, but not all around it: only the motion itself can tell.
    OnlyAtStart,
    /// It does not hold.
    Refuted,
    /// It could not be looked at, and why.
    NotCheckable(String),
}

impl ExpectationOutcome {
    /// Whether it is not refuted.
    pub fn stands(&self) -> bool {
        !matches!(self, Self::Refuted)
    }

    /// In words.
    pub fn text(&self) -> String {
        match self {
            Self::Proved => "proved".to_string(),
            Self::Holds(0) | Self::HoldsAtStart => "holds at the start".to_string(),
            Self::Holds(states) => format!("holds at the start and at {states} states around it"),
            Self::OnlyAtStart => "holds at the start; `run` will check it along the motion".to_string(),
            Self::Refuted => "refuted".to_string(),
            Self::NotCheckable(why) => format!("not checked: {why}"),
        }
    }
}

/// What one side of a claim comes to at a state.
enum Compared {
    Equal,
    Apart,
    /// The value is open: some choice of what is not determined changes it.
    Open(String),
}

/// Looks at every expectation. The start is absent where there is no motion.
pub(super) fn expectations(
    evaluator: &mut Evaluator,
    start: Option<&Instant>,
    around: &[Instant],
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<ExpectationReport> {
    let model = &evaluator.equations.model;
    let mut reports = Vec::new();
    for expectation in &model.expects {
        let mut report = ExpectationReport {
            text: one_line(
                model
                    .sources
                    .files()
                    .get(expectation.span.file.0 as usize)
                    .map_or("", |_| model.sources.text(expectation.span)),
            ),
            line: if model.sources.files().is_empty() { 0 } else { model.sources.position(expectation.span).0 },
            outcome: ExpectationOutcome::Proved,
            left: None,
            right: None,
        };
        look(evaluator, expectation, start, around, &mut report);
        diagnostics.extend(message(expectation, &report));
        reports.push(report);
    }
    reports
}

/// The text of a statement on one line, with single blanks.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn look(
    evaluator: &mut Evaluator,
    expectation: &Expectation,
    start: Option<&Instant>,
    around: &[Instant],
    report: &mut ExpectationReport,
) {
    let pairs: Vec<(Id, Id)> = match &expectation.claim {
        Expected::Equal(left, right) | Expected::AtMost(left, right) => {
            left.iter().copied().zip(right.iter().copied()).collect()
        }
        Expected::Constant(values) => {
            let on_motion = Depends::ACCELERATION | Depends::FORCE;
            if values.iter().any(|&value| evaluator.graph.depends(value).on(on_motion)) {
                let why = "accelerations and multipliers have no rate here; `run` will check it along the motion";
                report.outcome = ExpectationOutcome::NotCheckable(why.to_string());
                return;
            }
            evaluator.graph.rate(values).into_iter().map(|rate| (rate, Id::ZERO)).collect()
        }
        Expected::True(condition) => vec![(*condition, Id::ONE)],
    };
    if pairs.iter().all(|&(left, right)| evaluator.same(left, right)) {
        report.outcome = ExpectationOutcome::Proved;
        return;
    }
    let Some(start) = start else {
        report.outcome = ExpectationOutcome::NotCheckable("there is no motion".to_string());
        return;
    };
    let within = expectation.within.map_or(WITHIN, |within| evaluator.value(within, &Point::default()).abs());
    let truth = matches!(expectation.claim, Expected::True(_));
    let rate = matches!(expectation.claim, Expected::Constant(_));
    let at_most = matches!(expectation.claim, Expected::AtMost(..));
    let ids: Vec<Id> = pairs.iter().flat_map(|&(left, right)| [left, right]).collect();
    let compare = |instant: &Instant, values: &[f64]| -> Compared {
        if let Some(open) = open(evaluator, &ids, values, instant) {
            return Compared::Open(open);
        }
        let size = |id: Id| instant.sizes(evaluator).of(evaluator, instant, id);
        let equal = |i: usize| {
            let (left, right) = (values[2 * i], values[2 * i + 1]);
            if truth {
                return left != 0.0;
            }
            if at_most && left <= right {
                return true;
            }
            // NaN is equal to nothing.
            let apart = (left - right).abs();
            let floor = |part: f64| part * (size(ids[2 * i]) + size(ids[2 * i + 1]));
            if apart <= within * left.abs().max(right.abs())
                || apart <= floor(1e-12)
                || (rate && apart <= floor(within))
            {
                return true;
            }
            if rate || apart.is_nan() {
                return false;
            }
            // What should be zero may be so only beside others.
            let pair = [ids[2 * i], ids[2 * i + 1]];
            let own = Magnitudes::own(instant);
            let natural = instant.natural_sizes(evaluator);
            let [own, natural] = [&own, natural].map(|sizes| pair.map(|id| sizes.of(evaluator, instant, id)));
            own[0].min(own[1]) == 0.0 && apart <= within * measure(apart, own, natural)
        };
        if (0..pairs.len()).all(equal) { Compared::Equal } else { Compared::Apart }
    };
    let values = evaluator.values(&ids, &start.point());
    let worst = (0..pairs.len())
        .max_by(|&a, &b| {
            let off = |i: usize| match values[2 * i] - values[2 * i + 1] {
                less if at_most && less < 0.0 => 0.0,
                off => off.abs(),
            };
            off(a).total_cmp(&off(b))
        })
        .unwrap_or(0);
    if !truth {
        (report.left, report.right) = (values.get(2 * worst).copied(), values.get(2 * worst + 1).copied());
    }
    report.outcome = match compare(start, &values) {
        Compared::Open(why) => ExpectationOutcome::NotCheckable(why),
        Compared::Apart => ExpectationOutcome::Refuted,
        Compared::Equal if expectation.at_start => ExpectationOutcome::HoldsAtStart,
        Compared::Equal => {
            let holds = |instant: &&Instant| {
                matches!(compare(instant, &evaluator.values(&ids, &instant.point())), Compared::Equal)
            };
            let held = around.iter().filter(holds).count();
            if held == around.len() { ExpectationOutcome::Holds(held) } else { ExpectationOutcome::OnlyAtStart }
        }
    };
}

/// The name of something that is not determined and yet changes these values.
fn open(evaluator: &Evaluator, ids: &[Id], values: &[f64], instant: &Instant) -> Option<String> {
    let model = &evaluator.equations.model;
    let changed = |point: &Point| {
        let moved = evaluator.values(ids, point);
        moved.iter().zip(values).any(|(x, y)| (x - y).abs() > 1e-9 * x.abs().max(y.abs()))
    };
    if instant.free.is_empty() && instant.idle.is_empty() && instant.shared.is_empty() {
        return None;
    }
    let symbols = evaluator.graph.symbols(ids);
    let size = |list: &[f64]| list.iter().fold(1.0, |size: f64, x| size.max(x.abs()));
    let has = |w: &Direction, i: u32| w.binary_search_by_key(&(i as usize), |entry| entry.0).is_ok();
    let shift = |list: &[f64], by: &Direction| {
        let (mut moved, size) = (list.to_vec(), size(list));
        by.iter().for_each(|&(i, x)| moved[i] += size * x);
        moved
    };
    for w in &instant.free {
        let concerned = |s: &Symbol| matches!(s, Symbol::Acceleration(i) if has(w, *i));
        let Some(&symbol) = symbols.iter().find(|s| concerned(s)) else { continue };
        if changed(&Point { accelerations: &shift(&instant.motion.acceleration, w), ..instant.point() }) {
            return Some(format!("`{}` is not determined", model.symbol_name(symbol)));
        }
    }
    let (multipliers, reactions) = (&instant.multipliers, &instant.reactions);
    for z in &instant.idle {
        let concerned = |s: &Symbol| matches!(s, Symbol::Multiplier(i) | Symbol::Reaction(i) if has(z, *i));
        let Some(&symbol) = symbols.iter().find(|s| concerned(s)) else { continue };
        let (multipliers, reactions) = (shift(multipliers, z), shift(reactions, z));
        if changed(&Point { multipliers: &multipliers, reactions: &reactions, ..instant.point() }) {
            return Some(format!("`{}` is not unique", model.symbol_name(symbol)));
        }
    }
    for z in &instant.shared {
        let concerned = |s: &Symbol| matches!(s, Symbol::Reaction(i) if has(z, *i));
        let Some(&symbol) = symbols.iter().find(|s| concerned(s)) else { continue };
        if changed(&Point { reactions: &shift(reactions, z), ..instant.point() }) {
            return Some(format!("`{}` is not unique", model.symbol_name(symbol)));
        }
    }
    None
}

fn message(expectation: &Expectation, report: &ExpectationReport) -> Option<Diagnostic> {
    match &report.outcome {
        ExpectationOutcome::Refuted => {
            let message = Diagnostic::error("expect-refuted", "the motion is not as expected at the start");
            Some(match (&expectation.claim, report.left, report.right) {
                (Expected::Equal(..), Some(left), Some(right)) => {
                    let (left, right) = both(left, right);
                    message
                        .at(expectation.span, format!("left is {left}, right is {right}"))
                        .help("look for a sign or a factor on either side; `within` sets another tolerance")
                }
                (Expected::AtMost(..), Some(left), Some(right)) => {
                    message.at(expectation.span, format!("this is missed by {}", number(left - right)))
                }
                (Expected::Constant(_), Some(rate), _) => message
                    .at(expectation.span, format!("it changes at the rate of {}", number(rate)))
                    .help("friction, dissipation and constraints that move do work; leave the claim out or state their balance"),
                _ => message.at(expectation.span, "this does not hold"),
            })
        }
        ExpectationOutcome::NotCheckable(why) => Some(
            Diagnostic::warning("expect-not-checked", "this expectation could not be checked")
                .at(expectation.span, why),
        ),
        _ => None,
    }
}
