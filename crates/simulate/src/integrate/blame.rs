//! Why a run ended before its time, by the statement of the model that is to blame, if one is.

use super::runner::{Runner, Stop};
use super::trouble::Trouble;
use crate::analysis;
use holonom_language::{Diagnostic, Span};

/// Constraints with a smaller margin than this have as good as lost rank where no step is short enough.
const NEARLY_LOST: f64 = 1e-4;
/// Rows that come within so many times the least margin lose rank together.
const FROM_LEAST: f64 = 1e3;
/// As many constraints are named in one message.
const MOST_NAMED: usize = 8;

impl Runner<'_> {
    /// Says what went wrong, with the time, the state and the statement.
    pub(super) fn explain(&mut self, stop: Stop) {
        let message = match stop {
            Stop::Observer => return,
            Stop::Said(message) => *message,
            Stop::Trouble(trouble, t) => self.explain_trouble(&trouble, t),
            Stop::TooManySteps => Diagnostic::error(
                "run-steps",
                format!("{} steps were not enough: the run came to t = {}", self.plan.settings.max_steps, self.state.t),
            )
            .help("allow more with `--max-steps`, or ask for less accuracy with `rtol`"),
            Stop::StepTooSmall(t) => {
                let text = format!("at t = {t} no step is short enough for the tolerance");
                let message = Diagnostic::error("run-stuck", text);
                match self.lost_rank() {
                    Some(lost) => lost.name(message),
                    None => message.note("something is not smooth there, or grows without bound").help(
                        "look at the last records; write a force that jumps with `if` or `sign`, or as `friction`",
                    ),
                }
            }
            Stop::Chatter(t) => {
                Diagnostic::error("run-chatter", format!("at t = {t} contacts stick and slide again without end"))
                    .help("a law of friction whose limit at rest is below its value in sliding does this")
            }
        };
        let state = self.state_in_words(&self.state.y[..2 * self.mechanics.n]);
        let t = self.state.t;
        self.told.diagnostics.push(message.note(format!("the last good state, at t = {t}, is {state}")).when(t));
    }

    /// The constraints that are about to lose rank at the last good state, if some are.
    fn lost_rank(&mut self) -> Option<LostRank> {
        let Self { mechanics, state, .. } = self;
        let (q, v) = state.y[..2 * mechanics.n].split_at(mechanics.n);
        let margin = mechanics.clearance_at(state.t, q, v);
        if margin > NEARLY_LOST {
            return None;
        }
        let mut rows: Vec<usize> = Vec::new();
        for (row, of) in mechanics.dependent(state.t, q, v, FROM_LEAST * margin.max(f64::EPSILON)) {
            rows.extend(of.iter().chain([&row]));
        }
        rows.sort_unstable();
        rows.dedup();
        let equations = mechanics.system.equations();
        let rows = || rows.iter().take(MOST_NAMED).map(|&row| &equations.rows[row]);
        let names: Vec<String> = rows().map(|row| format!("`{}`", row.name)).collect();
        (!names.is_empty()).then(|| LostRank { margin, names, spans: rows().filter_map(|row| row.span).collect() })
    }

    /// Why there is no acceleration: by the statement of the model that is to blame, if one is.
    fn explain_trouble(&mut self, trouble: &Trouble, t: f64) -> Diagnostic {
        match trouble {
            Trouble::OffConstraints => {
                Diagnostic::error("run-lost", format!("at t = {t} the motion cannot be put back on the constraints"))
                    .note("they bend too fast there, or end: there may be no motion that obeys them beyond this time")
                    .help("a smaller `rtol` follows them more closely")
            }
            Trouble::Disagreement(apart) => Diagnostic::error(
                "run-uncertain",
                format!("at t = {t} two ways to the acceleration disagree by {} of its size", analysis::number(*apart)),
            )
            .note("M is singular there; with rows in place of the missing mass and without them the answers should be the same")
            .help("look whether mass or constraints nearly vanish there; other units or other coordinates may help"),
            Trouble::NotConverged => {
                let text = format!("at t = {t} the stiff method finds no step, however short");
                let message = Diagnostic::error("run-stuck", text);
                match self.lost_rank() {
                    Some(lost) => lost.name(message),
                    None => message.help("try `method = explicit`"),
                }
            }
            Trouble::Told(message) => {
                Diagnostic { message: format!("at t = {t}: {}", message.message), ..(**message).clone() }
            }
            Trouble::Motion(error) => self.explain_failure(error, t),
            Trouble::TooLarge(error) => self.explain_failure(error, t),
        }
    }

    /// What `check` says of the state at which there was no acceleration.
    fn explain_failure(&self, error: &dyn std::error::Error, t: f64) -> Diagnostic {
        let failed = &self.mechanics.seen.failed;
        let found = analysis::explain(&self.mechanics.system, failed);
        let mut state = failed.positions.clone();
        state.extend_from_slice(&failed.velocities);
        let there = self.state_in_words(&state);
        let message = match found.into_iter().next() {
            Some(found) => Diagnostic { message: format!("at t = {}: {}", failed.time, found.message), ..found },
            None => Diagnostic::error("run-failed", format!("at t = {t} there is no acceleration: {error}")),
        };
        message.note(format!("there {there}"))
    }

    /// A state, by name.
    fn state_in_words(&self, state: &[f64]) -> String {
        let coordinates = &self.mechanics.system.equations().model.coordinates;
        let (q, v) = state.split_at(coordinates.len());
        let mut words = Vec::new();
        for (coordinate, (q, v)) in coordinates.iter().zip(q.iter().zip(v)).take(12) {
            let name = &coordinate.name;
            words.push(format!("{name} = {}, {name}' = {}", analysis::number(*q), analysis::number(*v)));
        }
        if coordinates.len() > 12 {
            words.push("…".to_string());
        }
        words.join(", ")
    }
}

/// Constraints that are about to lose rank.
struct LostRank {
    margin: f64,
    names: Vec<String>,
    spans: Vec<Span>,
}

impl LostRank {
    /// Adds them to a message.
    fn name(self, message: Diagnostic) -> Diagnostic {
        let named =
            self.spans.into_iter().fold(message, |message, span| message.at(span, "loses its independence there"));
        let names = self.names.join(", ");
        named
            .note(format!(
                "{names} become dependent on each other (margin {}), and their forces grow without bound",
                analysis::number(self.margin)
            ))
            .help("the mechanism is stretched to its limit: end the run before, change its lengths, or use one-sided constraints")
    }
}
