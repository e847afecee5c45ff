//! How far a run is, on a terminal.

use holonom_elementary as elementary;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::solve::text::digits;
use crate::terminal::has_braille;

/// The bar has so many ticks.
const TICKS: u64 = 100_000;
/// It is drawn anew after this time at the earliest.
const PAUSE: Duration = Duration::from_millis(100);
/// The clock is looked at once in so many steps.
const STRIDE: u32 = 16;

/// What a line looks like; the bar is of letters that the terminal has.
fn style(template: &str) -> ProgressStyle {
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    if has_braille() { style } else { style.progress_chars("##.") }
}

/// A bar with the time that is left.
pub struct Progress {
    bar: ProgressBar,
    until: f64,
    unit: String,
    steps: u32,
    drawn: Instant,
}

impl Progress {
    /// A bar on standard error that ends at the time `until` of the model, in this unit.
    pub fn new(until: f64, unit: Option<&str>) -> Self {
        let bar = ProgressBar::with_draw_target(Some(TICKS), ProgressDrawTarget::stderr());
        bar.set_style(style("{wide_bar} t = {msg}, {eta} left"));
        let unit = unit.map_or(String::new(), |unit| format!(" {unit}"));
        Self { bar, until, unit, steps: 0, drawn: Instant::now() }
    }

    /// The run has come to the time `t`.
    pub fn step(&mut self, t: f64) {
        self.steps = self.steps.wrapping_add(1);
        if self.steps.is_multiple_of(STRIDE) && self.drawn.elapsed() >= PAUSE {
            self.drawn = Instant::now();
            self.bar.set_message(format!("{} of {}{}", reached(t, self.until), digits(self.until, 4), self.unit));
            self.bar.set_position((t / self.until * TICKS as f64) as u64);
        }
    }

    /// Takes the bar away.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

/// A time on the way to another, always of the same length so that the bar stands still.
fn reached(t: f64, until: f64) -> String {
    match elementary::log10(until.abs()).floor() {
        size @ -3.0..6.0 => format!("{t:.*}", (2.0 - size).max(0.0) as usize),
        _ => format!("{t:.2e}"),
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
        bar.set_style(style("{wide_bar} {pos} of {len} runs{msg}, {eta} left"));
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

#[cfg(test)]
mod tests {
    use super::reached;

    #[test]
    fn times_on_the_way_have_the_digits_of_the_end() {
        for (t, until, text) in [
            (0.5, 10.0, "0.5"),
            (3.24159, 5.0, "3.24"),
            (12.0, 4000.0, "12"),
            (1e-3, 0.02, "0.0010"),
            (1e-10, 3e-9, "1.00e-10"),
            (2e6, 1e7, "2.00e6"),
        ] {
            assert_eq!(reached(t, until), text);
        }
    }
}
