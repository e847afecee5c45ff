//! What comes back where there is no answer: messages, and the text that they point at.

use std::{error, fmt};

use holonom_language::{Diagnostic, Sources, render_all};

use crate::Trajectory;

/// Why there is no answer: every message, errors and warnings alike, and whatever had been computed before the error.
///
/// Printed, it shows each message with the lines of the model that it is about, as the command does.
///
/// ```
/// let rejection = holonom::System::parse("mass.holo", "coord x\nkinetic m*x'^2/2\n").unwrap_err();
/// assert_eq!(rejection.errors().next().unwrap().code, "unknown-name");
/// assert!(rejection.to_string().contains("mass.holo:2:9"));
/// ```
#[derive(Clone)]
pub struct Rejection {
    /// Errors, and the warnings and notes that came with them.
    pub messages: Vec<Diagnostic>,
    /// The text that they point at.
    pub sources: Sources,
    /// The motion up to the error, where a run failed on its way or an expectation did not hold.
    pub so_far: Option<Box<Trajectory>>,
}

impl Rejection {
    pub(crate) fn new(messages: Vec<Diagnostic>, sources: &Sources) -> Self {
        Self { messages, sources: sources.clone(), so_far: None }
    }

    /// The errors alone.
    pub fn errors(&self) -> impl Iterator<Item = &Diagnostic> {
        self.messages.iter().filter(|message| message.is_error())
    }
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(render_all(&self.messages, &self.sources, false).trim_end())
    }
}

/// The same as printed: `unwrap` and `?` in `main` show it.
impl fmt::Debug for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rejected\n{self}")
    }
}

impl error::Error for Rejection {}
