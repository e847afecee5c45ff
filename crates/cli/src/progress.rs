//! How far a run is, on a terminal.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// The bar has so many ticks.
const TICKS: u64 = 100_000;
/// It is drawn anew after this time at the earliest.
const PAUSE: Duration = Duration::from_millis(100);
/// The clock is looked at once in so many steps.
const STRIDE: u32 = 16;

/// A bar with the time that is left.
pub struct Progress {
    bar: ProgressBar,
    until: f64,
    steps: u32,
    drawn: Instant,
}

impl Progress {
    /// A bar on standard error that ends at the time `until` of the model.
    pub fn new(until: f64) -> Self {
        let bar = ProgressBar::with_draw_target(Some(TICKS), ProgressDrawTarget::stderr());
        let style = ProgressStyle::with_template("{wide_bar} t = {msg}, {eta} left");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Self { bar, until, steps: 0, drawn: Instant::now() }
    }

    /// The run has come to the time `t`.
    pub fn step(&mut self, t: f64) {
        self.steps = self.steps.wrapping_add(1);
        if self.steps.is_multiple_of(STRIDE) && self.drawn.elapsed() >= PAUSE {
            self.drawn = Instant::now();
            self.bar.set_message(format!("{t:.4} of {}", self.until));
            self.bar.set_position((t / self.until * TICKS as f64) as u64);
        }
    }

    /// Takes the bar away.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

/// A bar for many runs.
pub struct Runs {
    bar: ProgressBar,
    drawn: Instant,
}

impl Runs {
    /// A bar on standard error for so many runs, of which some were made before.
    pub fn new(all: u64, before: u64) -> Self {
        let bar = ProgressBar::with_draw_target(Some(all), ProgressDrawTarget::stderr());
        let style = ProgressStyle::with_template("{wide_bar} {pos} of {len} runs{msg}, {eta} left");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.set_position(before);
        // What was done before says nothing about the time that is left.
        bar.reset_eta();
        Self { bar, drawn: Instant::now() }
    }

    /// So many have ended, of which so many badly.
    pub fn show(&mut self, done: u64, bad: u64) {
        if self.drawn.elapsed() >= PAUSE {
            self.drawn = Instant::now();
            if bad > 0 {
                self.bar.set_message(format!(", {bad} failed"));
            }
            self.bar.set_position(done);
        }
    }

    /// Takes the bar away.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

/// Something that turns while an answer is looked for.
pub struct Spinner(Option<ProgressBar>);

impl Spinner {
    /// Turns on standard error after a while, if `wanted`.
    pub fn start(what: &'static str, wanted: bool) -> Self {
        if !wanted {
            return Self(None);
        }
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        let style = ProgressStyle::with_template("{spinner} {msg}, {elapsed}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
        bar.set_message(what);
        bar.enable_steady_tick(Duration::from_millis(250));
        Self(Some(bar))
    }

    /// Takes it away.
    pub fn stop(&self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}
