//! What `check` concludes.

use std::fmt;

use holonom_language::{Diagnostic, Sources, render_all};
use holonom_simulate::analysis::{CoordinateReport, Report, RowReport};
use holonom_symbols::page::Layout;

/// What can be said of a system before it runs. A verdict that finds errors is an answer: it names what is wrong.
///
/// Printed, it is the page of `holonom check`, with the messages before it.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// Everything by name: ranks, redundant and contradictory rows, start values, accelerations and forces at the start.
    pub report: Report,
    /// Errors, warnings and notes. With an error among them, a run rejects the system.
    pub messages: Vec<Diagnostic>,
    /// The text that they point at.
    pub sources: Sources,
}

impl Verdict {
    /// Whether a run accepts the system.
    pub fn is_accepted(&self) -> bool {
        !self.messages.iter().any(Diagnostic::is_error)
    }

    /// Whether the acceleration is unique (Udwadia & Phohomsiri 2006, result 3).
    pub fn is_unique(&self) -> bool {
        self.report.verdict.as_ref().is_some_and(|ranks| ranks.unique)
    }

    /// How many degrees of freedom there are, where there is a motion.
    pub fn degrees_of_freedom(&self) -> Option<usize> {
        self.report.verdict.as_ref().map(|ranks| ranks.degrees_of_freedom)
    }

    /// A coordinate at the start: position, velocity, acceleration, forces.
    pub fn coordinate(&self, name: &str) -> Option<&CoordinateReport> {
        self.report.coordinates.iter().find(|coordinate| coordinate.name == name)
    }

    /// A row of the constraints at the start: its kind, multiplier, reaction.
    pub fn row(&self, name: &str) -> Option<&RowReport> {
        self.report.rows.iter().find(|row| row.name == name)
    }

    /// The acceleration of a coordinate at the start, where it is determined.
    pub fn acceleration(&self, name: &str) -> Option<f64> {
        self.coordinate(name)?.acceleration
    }

    /// The messages with this code.
    pub fn messages_of<'a>(&'a self, code: &'a str) -> impl Iterator<Item = &'a Diagnostic> {
        self.messages.iter().filter(move |message| message.code == code)
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&render_all(&self.messages, &self.sources, false))?;
        f.write_str(&self.report.page(Layout::PLAIN))
    }
}
