//! What was found of a start, and what is wrong with it.

use super::least::Which;
use super::numbers::{Level, State};
use holonom_language::Diagnostic;

/// A start value that nobody gave.
#[derive(Clone, Debug, PartialEq)]
pub struct Inferred {
    /// `y` or `y'`.
    pub name: String,
    /// Its value.
    pub value: f64,
    /// The constraints that it follows from; none for a velocity that is 0 because nothing asks for more.
    pub from: Vec<String>,
}

/// The start, as far as it could be found.
pub(crate) struct Start {
    pub(crate) state: State,
    /// The same with given values as they were given, where the start is wrong.
    pub(crate) reported: State,
    /// For each coordinate, whether its position was given or follows.
    pub(crate) known: Vec<bool>,
    /// Whether all constraints are numbers with slopes at the state.
    pub(crate) finite: bool,
    pub(crate) inferred: Vec<Inferred>,
    /// Whether the state satisfies the constraints, so that it is worth looking at.
    pub(crate) on_constraints: bool,
    /// What the rows are off by where they cannot hold together.
    pub(crate) contradiction: Option<(Which, Level)>,
    /// Positions that satisfy the constraints and are as near to the guesses as those that were taken.
    pub(crate) tied: Option<State>,
    pub(crate) notes: Vec<String>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

impl Start {
    /// Whether nothing is wrong with it.
    pub(crate) fn is_good(&self) -> bool {
        self.finite && self.contradiction.is_none() && !self.diagnostics.iter().any(Diagnostic::is_error)
    }
}
