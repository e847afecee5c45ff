//! What a stage gives: a value with what there is to say about it, or errors.

use super::diagnostic::Diagnostic;

/// A value, and what there is to say about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Given<T> {
    /// The value.
    pub value: T,
    /// Warnings and notes. Only a check, whose value says what is wrong, has errors among them.
    pub messages: Vec<Diagnostic>,
}

/// The answer of every stage: a value with its warnings, or all messages where there are errors among them.
pub type Answer<T> = Result<Given<T>, Vec<Diagnostic>>;

impl<T> Given<T> {
    /// A value, and what there is to say about it.
    pub fn new(value: T, messages: Vec<Diagnostic>) -> Self {
        Self { value, messages }
    }

    /// Whether no message is an error.
    pub fn is_sound(&self) -> bool {
        !self.messages.iter().any(Diagnostic::is_error)
    }
}
