//! Whether a run gets on, and what its evidence says of the tolerance that was asked for.

use super::outcome::{Evidence, RankChange, Settings, Statistics};
use super::rounding::Limited;
use crate::analysis::{count, number};
use holonom_language::{Diagnostic, Drift, Model, Output};
use holonom_mechanics::derive::{Equations, Row};

/// Attempts between two looks at the time that they covered.
const WINDOW: u64 = 10_000;
/// A window that covers less than this part of a run would have to be followed by a billion more attempts. That is what a long
/// run of a fast motion needs, but not where such a window covers less than the motion takes over its own size.
const CRAWL: f64 = 1e-5;
/// Blows between two looks at the time that they covered.
const BLOWS: u64 = 2000;
/// So many windows of blows that hardly get on end a run where they are equal to this part: then it goes on like that. A ball between a wall and a heavy
/// one that comes nearer has as many blows in as little time, but not evenly …
const EVEN_WINDOWS: usize = 3;
const EVEN: f64 = 1e-4;
/// … and so many end it in any case.
const MOST_WINDOWS: usize = 100;
/// Losses of rank that are listed; beyond that they are counted.
const LISTED: usize = 1000;
/// Losses of rank in this many steps …
const LOOKED_AT: u64 = 400;
/// … that show that the motion does not pass singular configurations but goes along them.
const LOSSES: u64 = 200;
/// Energies may be off by this many times the tolerance in a run of a thousand steps, and by the root of their number in longer ones.
const IMBALANCE: f64 = 300.0;
/// Constraints are missed that are off by more than this part of their scale at the end of a step.
const MISSED: f64 = 1e-8;
/// What rounding makes of energies in a step.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

/// What has been seen of a run since the last look at the time.
#[derive(Clone, Debug, Default)]
pub(super) struct Progress {
    attempts: u64,
    since: f64,
    rejected: u64,
    stiff: u64,
    rounded: u64,
    /// Steps and losses of rank since the last look at them.
    steps: u64,
    losses: u64,
    /// Losses of rank that are not listed.
    unlisted: u64,
    /// Blows since the last look at them and when that was; what windows of them covered, while that was next to nothing.
    blows: u64,
    blows_since: f64,
    windows: Vec<f64>,
}

/// What an attempt was like.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Attempted {
    pub(super) rejected: bool,
    pub(super) stiff: bool,
    /// Whether rounding decided about its error.
    pub(super) rounded: bool,
}

impl Progress {
    /// Counts an attempt at time t of a motion that takes `pace()` over its own size; says why the run should end where it does not
    /// get on.
    pub(super) fn attempt(
        &mut self,
        (t, until): (f64, f64),
        pace: impl Fn() -> f64,
        what: Attempted,
        ranks: &[RankChange],
    ) -> Option<Diagnostic> {
        self.attempts += 1;
        self.rejected += u64::from(what.rejected);
        self.stiff += u64::from(what.stiff);
        self.rounded += u64::from(what.rounded);
        self.steps += u64::from(!what.rejected);
        if self.steps >= LOOKED_AT {
            let losses = std::mem::take(&mut self.losses);
            self.steps = 0;
            if losses >= LOSSES {
                return Some(self.along_singular(t, losses, ranks));
            }
        }
        if self.attempts < WINDOW {
            return None;
        }
        let covered = t - self.since;
        let found = (covered < CRAWL * until && covered < pace()).then(|| self.crawl(t, until, covered, ranks));
        *self = Self { since: t, attempts: 0, rejected: 0, stiff: 0, rounded: 0, ..self.clone() };
        found
    }

    /// Counts a blow of a row at time t; says why the run should end where blows follow each other so fast that it would take hundreds of
    /// millions of them.
    pub(super) fn blow(&mut self, (t, until): (f64, f64), row: &Row) -> Option<Diagnostic> {
        self.blows += 1;
        if self.blows < BLOWS {
            return None;
        }
        let covered = t - self.blows_since;
        (self.blows, self.blows_since) = (0, t);
        if covered >= CRAWL * until {
            self.windows.clear();
            return None;
        }
        self.windows.push(covered);
        let last = self.windows.last_chunk::<EVEN_WINDOWS>();
        let is_even = last.is_some_and(|last| last.iter().all(|one| (one - covered).abs() <= EVEN * covered));
        if !is_even && self.windows.len() < MOST_WINDOWS {
            return None;
        }
        let text =
            format!("at t = {} `{}` is struck again and again, and the run does not get on", number(t), row.name);
        let mut message = Diagnostic::error("run-crawl", text);
        if let Some(span) = row.span {
            message = message.at(span, "this constraint, perhaps with others");
        }
        Some(
            message
                .note(format!("the last {BLOWS} impacts covered {} of {}", number(covered), number(until)))
                .help("with a restitution below 1 bounces end in rest; with 1 they never end: run for a shorter time, or start at rest"),
        )
    }

    /// A loss of rank was found; whether it is to be listed.
    pub(super) fn lose_rank(&mut self, listed: usize) -> bool {
        self.losses += 1;
        self.unlisted += u64::from(listed >= LISTED);
        listed < LISTED
    }

    /// How many losses of rank are not listed.
    pub(super) fn unlisted(&self) -> u64 {
        self.unlisted
    }

    fn along_singular(&self, t: f64, losses: u64, ranks: &[RankChange]) -> Diagnostic {
        let text = format!("at t = {} the motion goes along singular configurations", number(t));
        name_rows(Diagnostic::error("run-crawl", text), ranks)
            .note(format!("the constraints lost rank {losses} times in the last {LOOKED_AT} steps"))
            .help("start beside the singular configuration, or remove a redundant constraint")
    }

    /// Why so many attempts led nowhere, as far as they tell.
    fn crawl(&self, t: f64, until: f64, covered: f64, ranks: &[RankChange]) -> Diagnostic {
        let text = format!("at t = {} the run does not get on", number(t));
        let message = Diagnostic::error("run-crawl", text).note(format!(
            "the last {} covered {} of {}",
            count(self.attempts as usize, "attempt", "attempts"),
            number(covered),
            number(until)
        ));
        let most = |number: u64| 2 * number > self.attempts;
        if self.losses > 0 || ranks.last().is_some_and(|last| last.time >= self.since) {
            return name_rows(message, ranks)
                .help("start beside the singular configuration, or remove a redundant constraint");
        }
        if most(self.stiff) {
            return message
                .note("stability alone keeps the steps short: the motion is stiff")
                .help("use `method = stiff` in `run`, or `--method stiff`");
        }
        if most(self.rounded) {
            return message
                .note("the tolerance is below what rounding makes of the accelerations")
                .help("ask for less with a larger `rtol`");
        }
        if 4 * self.rejected > self.attempts {
            return message
                .note("most steps fail, however short: a force jumps, or changes faster than anything else")
                .help("write what jumps with `if` or `sign`, or as `friction`; smooth a table of forces");
        }
        message
            .note("something in the model is far faster than the time that the run is to cover")
            .help("look at the last records; replace a very hard spring by a constraint, or run for a shorter time")
    }
}

fn name_rows(message: Diagnostic, ranks: &[RankChange]) -> Diagnostic {
    let Some(last) = ranks.last() else { return message };
    let rows: Vec<String> = last.rows.iter().take(8).map(|row| format!("`{row}`")).collect();
    message.note(format!("there {} depend on each other, at last at t = {}", rows.join(", "), number(last.time)))
}

/// Warnings where the evidence of a run does not fit the tolerance that was asked for.
pub(super) fn doubts(
    equations: &Equations,
    settings: &Settings,
    statistics: &Statistics,
    evidence: &Evidence,
    largest_energy: f64,
    limited: Option<Limited>,
) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let rtol = settings.rtol;
    if let Some(Limited { coordinate, kept }) = limited {
        let name = equations.model.coordinates.get(coordinate).map_or("", |coordinate| &coordinate.name);
        found.push(
            Diagnostic::warning(
                "tolerance-rounding",
                format!("`rtol` = {} is below the rounding of `{name}`", number(rtol)),
            )
            .note(format!("rounding of the accelerations may change it by {} of its size", number(kept)))
            .help("tighter tolerances gain little; measure positions from a nearer origin, or use angles, to lose fewer digits"),
        );
    }
    let missed = evidence.position_residual.max(evidence.velocity_residual);
    if settings.drift == Drift::Projection && (missed > MISSED || missed.is_nan()) {
        found.push(
            Diagnostic::warning(
                "constraints-missed",
                format!("constraints are missed by {} of their size", number(missed)),
            )
            .note("some of them were taken for redundant and led away from the others, or they cannot all hold along the motion")
            .help("`holonom check` names redundant constraints; remove them, or start where none is redundant"),
        );
    }
    let long = (1.0 + statistics.steps as f64 / 1000.0).sqrt();
    let allowed = IMBALANCE * long * (rtol * evidence.energy_scale).max(ROUNDING * largest_energy);
    if evidence.energy_imbalance > allowed || evidence.energy_imbalance.is_nan() {
        let by = evidence.energy_imbalance / evidence.energy_scale;
        found.push(
            Diagnostic::warning(
                "energy-imbalance",
                format!("the energy is off by {} of its size, and `rtol` is {}", number(by), number(rtol)),
            )
            .note("works and energies are computed apart from the motion; in an accurate motion they balance")
            .help("run again with a hundredth of `rtol`: digits that stay can be relied upon"),
        );
    }
    found
}

/// Outputs that were no numbers, with the time when they first were none.
pub(super) fn undefined(model: &Model, first: &[Option<f64>]) -> Vec<Diagnostic> {
    let components = model.outputs.iter().flat_map(|output| {
        let count = output.components.len();
        (1..=count).map(move |place| (output, if count == 1 { String::new() } else { format!(".{place}") }))
    });
    let mut found: Vec<((&Output, String), f64)> =
        components.zip(first).filter_map(|(at, first)| Some((at, (*first)?))).collect();
    // One component stands for all that fail at once.
    found.dedup_by(|next, before| next.0.0.name == before.0.0.name && next.1 == before.1);
    let warning = |((output, component), t): ((&Output, String), f64)| {
        let text = format!("the output `{}{component}` is not a finite number at t = {}", output.name, number(t));
        Diagnostic::warning("output-not-finite", text)
            .at(output.span, "the first time at which it is none")
            .help("look for a division by zero, or a root or logarithm of a negative number")
            .when(t)
    };
    found.into_iter().map(warning).collect()
}
