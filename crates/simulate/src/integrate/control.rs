//! How long steps are: what errors are measured by, and what follows from an attempt for the next one.

use super::field::Field;
use super::outcome::{End, Settings, Statistics};
use super::progress::Attempted;
use super::runner::{Runner, Stop};
use super::trouble::Trouble;
use holonom_elementary as elementary;
use holonom_language::{self, Diagnostic};

/// What rounding is measured by where the tolerance is finer: it is magnified there.
pub(super) const FINEST: f64 = 1e-10;
/// The part of the tolerance that a single step may use up: errors add up over many.
pub(super) const SHARE: f64 = 0.05;
/// So many steps at the edge of stability mean that a motion is stiff.
const STIFF_STEPS: u32 = 15;
/// Where so many attempts have failed, and this part of the steps that were taken, what may be dust is no longer followed.
const MANY: u64 = 32;
const FAILED: f64 = 0.1;
/// … nor where so many steps have covered no more than this part of the time.
const SLOW_STEPS: u64 = 1000;
const SLOW: f64 = 1e-3;
/// A step is the last one where this many times its length reach the end.
const REACHES: f64 = 1.01;
/// Steps are not shorter than so many roundings of the time, or of this part of the whole.
const SHORTEST: f64 = 4.0 * f64::EPSILON;
const BEGINNING: f64 = 1e-6;
/// … and where there is no acceleration not shorter than this part of the time, or of the time near the beginning.
const GIVEN_UP: f64 = 1e-10;
const EARLY: f64 = 1e-3;

impl Runner<'_> {
    /// The length of the next attempt and the time at its end; nothing at the end of the run.
    pub(super) fn next_step(&mut self) -> Result<Option<(f64, f64)>, Stop> {
        let (t, until) = (self.state.t, self.plan.settings.until);
        if t >= until {
            return Ok(None);
        }
        if self.told.statistics.steps + self.told.statistics.rejected >= self.plan.settings.max_steps {
            return Err(Stop::TooManySteps);
        }
        let wanted = self.control.chosen.take().unwrap_or(self.control.length);
        let is_last = t + REACHES * wanted >= until;
        let length = if is_last { until - t } else { wanted };
        if length > SHORTEST * t.max(until * BEGINNING) {
            return Ok(Some((length, if is_last { until } else { t + length })));
        }
        if !is_last {
            return Err(Stop::StepTooSmall(t));
        }
        // An event came just before the end.
        self.state.t = until;
        if self.occasions.schedule.take(until).is_some() && !self.state.recorded {
            self.record(until, false)?;
        }
        Ok(None)
    }

    /// A step is tried again with another length, chosen for that attempt; those after it go by `length`.
    pub(super) fn try_again(&mut self, length: f64, chosen: f64) -> Result<Option<End>, Stop> {
        self.told.statistics.rejected += 1;
        (self.control.length, self.control.chosen) = (length, Some(chosen));
        Ok(None)
    }

    /// A step is tried again with half its length.
    pub(super) fn halve(&mut self, length: f64) -> Result<Option<End>, Stop> {
        self.told.statistics.rejected += 1;
        (self.control.has_failed, self.control.length) = (true, 0.5 * length);
        self.count_attempt(true)?;
        Ok(None)
    }

    /// A step was taken: the next one may be longer, for its error.
    pub(super) fn grow(&mut self, length: f64, error: f64) {
        let most = if self.control.has_failed { 1.0 } else { 6.0 };
        let growth = self.method.growth(error).clamp(0.333, most);
        // A step that was cut short for another reason says little about the next.
        if length >= self.control.length {
            self.control.length = self.method.favour(length * growth);
        }
        self.control.has_failed = false;
    }

    /// The error of an attempt is too large.
    pub(super) fn refuse(&mut self, length: f64, error: f64) -> Result<(), Stop> {
        self.told.statistics.rejected += 1;
        if self.smooth_step(length, !error.is_nan()) {
            self.control.chosen = Some(length);
            return Ok(());
        }
        let across = self.occasions.watch.length_across(self.state.t, length, &self.mechanics.seen.watched);
        if across.is_some() {
            self.control.chosen = across;
            return self.count_attempt(true);
        }
        self.control.has_failed = true;
        self.control.length = length * self.method.growth(error).clamp(0.1, 0.9);
        if error.is_nan() {
            self.control.length = 0.1 * length;
        }
        self.occasions.watch.choose_again();
        self.occasions.triggers.choose_again();
        self.suspect_rounding(length);
        self.count_attempt(true)
    }

    /// An attempt came to nothing.
    pub(super) fn give_up(&mut self, length: f64, trouble: Trouble) -> Result<(), Stop> {
        self.told.statistics.rejected += 1;
        if self.smooth_step(length, false) {
            self.control.chosen = Some(length);
            return Ok(());
        }
        let (t, until) = (self.state.t, self.plan.settings.until);
        self.control.has_failed = true;
        self.control.length = if trouble == Trouble::NotConverged { 0.5 } else { 0.25 } * length;
        if self.control.length <= GIVEN_UP * until.min(t.max(EARLY * until)) {
            return Err(Stop::Trouble(trouble, t));
        }
        self.suspect_rounding(length);
        self.count_attempt(true)
    }

    /// What errors are measured by in a step.
    pub(super) fn set_tolerance(&mut self, h: f64) {
        let Settings { rtol, atol, method, .. } = self.plan.settings;
        let share = if method == holonom_language::Method::Explicit { SHARE } else { 4.0 * SHARE };
        let sizes = &self.mechanics.sizes;
        for (i, tolerance) in self.control.tolerance.iter_mut().enumerate() {
            let size = sizes.of(i);
            let value = self.state.y[i].abs().max((self.state.y[i] + h * self.state.rate[i]).abs());
            *tolerance = share * (atol * size + rtol * value);
        }
        let n = self.mechanics.n;
        self.control.rounded = false;
        self.control.rounding.attempt();
        for j in 0..n {
            let (position, velocity) = self.control.rounding.least(j, h, self.mechanics.sizes.of(j), method);
            self.mechanics.drift.least_speed[j] = self.control.rounding.speed(j, h) / rtol.max(FINEST);
            let mut decides = false;
            for (i, least) in [(j, position), (n + j, velocity)] {
                decides |= least > self.control.tolerance[i];
                self.control.tolerance[i] = self.control.tolerance[i].max(least);
            }
            self.control.rounded |= decides;
            self.control.rounding.decides(j, (position, velocity), decides);
        }
    }

    /// Counts an attempt, and ends a run that does not get on.
    pub(super) fn count_attempt(&mut self, rejected: bool) -> Result<(), Stop> {
        let what =
            Attempted { rejected, stiff: self.control.stiff_steps >= STIFF_STEPS, rounded: self.control.rounded };
        let times = (self.state.t, self.plan.settings.until);
        let Statistics { steps, rejected, .. } = self.told.statistics;
        let fails = rejected > MANY && rejected as f64 > FAILED * steps as f64;
        if fails || (steps >= SLOW_STEPS && self.state.t < SLOW * times.1) {
            self.mechanics.sizes.forget_dust();
        }
        let found = self.control.progress.attempt(times, || self.mechanics.sizes.pace(), what, &self.told.ranks);
        found.map_or(Ok(()), |message| Err(Stop::Said(Box::new(message))))
    }

    /// An attempt has failed: that may be for rounding alone.
    pub(super) fn suspect_rounding(&mut self, h: f64) {
        let Self { control, mechanics, state, .. } = self;
        control.rounding.suspect(mechanics, (state.t, h), &state.y, &state.rate);
    }

    /// The length of the first step, from how fast the rate changes.
    pub(super) fn first_step(&mut self) -> f64 {
        self.set_tolerance(0.0);
        let n2 = self.control.tolerance.len();
        let norm = |x: &[f64], tolerance: &[f64]| {
            let sum: f64 = x.iter().zip(tolerance).map(|(x, s)| (x / s) * (x / s)).sum();
            (sum / n2.max(1) as f64).sqrt()
        };
        let (size, slope) =
            (norm(&self.state.y[..n2], &self.control.tolerance), norm(&self.state.rate[..n2], &self.control.tolerance));
        let until = self.plan.settings.until;
        let guess = if size < 1e-10 || slope < 1e-10 { 1e-6 * until } else { 0.01 * size / slope };
        let left = until - self.state.t;
        let guess = guess.max(1e-12 * until).max(1e3 * f64::EPSILON * self.state.t).min(left);
        for i in 0..self.state.y.len() {
            self.state.next[i] = self.state.y[i] + guess * self.state.rate[i];
        }
        if self.mechanics.rate(self.state.t + guess, &self.state.next, &mut self.state.next_rate).is_err() {
            return 1e-3 * guess;
        }
        for i in 0..n2 {
            self.state.next[i] = self.state.next_rate[i] - self.state.rate[i];
        }
        let bend = norm(&self.state.next[..n2], &self.control.tolerance) / guess;
        let largest = slope.max(bend);
        let better = if largest <= 1e-15 { 1e-3 * guess } else { elementary::powf(0.01 / largest, 0.125) };
        better.max(1e-12 * until).min(100.0 * guess).min(left)
    }

    /// Counts steps that are short for the sake of stability.
    pub(super) fn notice_stiffness(&mut self) {
        let n = self.mechanics.n;
        if self.method.feels_stiff(&self.state.next, &self.state.next_rate, 2 * n) {
            self.control.stiff_steps += 1;
        } else {
            self.control.stiff_steps = self.control.stiff_steps.saturating_sub(1);
        }
        if self.control.stiff_steps == STIFF_STEPS
            && !self.told.diagnostics.iter().any(|message| message.code == "stiff")
        {
            let text = format!("the motion is stiff at t = {}: stability alone keeps the steps short", self.state.t);
            self.told.diagnostics.push(
                Diagnostic::warning("stiff", text)
                    .help("the stiff method takes longer steps: `method = stiff` in `run`, or `--method stiff`")
                    .when(self.state.t),
            );
        }
    }
}
