//! What is wrong with a model: where, what, why, and what to do.

use super::codes::CODES;
use super::source::Span;

/// Places at which one message points where the same is wrong at many.
const MOST_PLACES: usize = 4;

/// How grave it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// The model means nothing as it stands.
    Error,
    /// The model means something, but perhaps not what was meant.
    Warning,
    /// Worth knowing.
    Note,
}

/// Characters that a message is about, with a word on what they do there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Which characters.
    pub span: Span,
    /// What about them; may be empty.
    pub text: String,
}

/// Text to put in place of other text, as a remedy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestion {
    /// What to replace; empty to insert.
    pub span: Span,
    /// What to put there.
    pub replacement: String,
}

/// One message about a model.
///
/// Lower case, no full stop, names in backticks. The first label is the place the message is about.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// The name of the kind of mistake, such as `unknown-name`. Each has a page in `errors/`.
    pub code: &'static str,
    /// How grave it is.
    pub severity: Severity,
    /// What is wrong.
    pub message: String,
    /// When, where it is about a moment of a motion: the time up to which the motion is good.
    pub time: Option<f64>,
    /// Where: the main place first.
    pub labels: Vec<Label>,
    /// Why.
    pub notes: Vec<String>,
    /// What to do.
    pub help: Vec<String>,
    /// What to type instead, where that is certain enough to be offered.
    pub suggestion: Option<Suggestion>,
}

impl Diagnostic {
    fn new(severity: Severity, code: &'static str, message: impl Into<String>) -> Self {
        debug_assert!(CODES.binary_search(&code).is_ok(), "`{code}` is not in the registry of codes");
        let message = message.into();
        Self { code, severity, message, time: None, labels: vec![], notes: vec![], help: vec![], suggestion: None }
    }

    /// An error.
    pub fn error(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, message)
    }

    /// A warning.
    pub fn warning(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code, message)
    }

    /// A note.
    pub fn note_on(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(Severity::Note, code, message)
    }

    /// Points at one more place where the same is wrong, unless it points at many.
    pub(crate) fn also_at(&mut self, span: Span) {
        if self.labels.len() < MOST_PLACES && self.labels.iter().all(|label| label.span != span) {
            self.labels.push(Label { span, text: "and here".to_string() });
        }
    }

    /// … at these characters, of which `text` can be said.
    #[must_use]
    pub fn at(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label { span, text: text.into() });
        self
    }

    /// … at this moment of a motion.
    #[must_use]
    pub fn when(mut self, time: f64) -> Self {
        self.time = Some(time);
        self
    }

    /// … because.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(text.into());
        self
    }

    /// … so do this.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help.push(text.into());
        self
    }

    /// … so type this.
    #[must_use]
    pub fn suggest(mut self, span: Span, replacement: impl Into<String>) -> Self {
        self.suggestion = Some(Suggestion { span, replacement: replacement.into() });
        self
    }

    /// Whether the model cannot be used.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}
