//! What a terminal is told: text, colours where they are wanted, and how it ended.

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use std::sync::OnceLock;

/// When to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Colour {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl Colour {
    /// Whether to colour what goes to standard error.
    pub fn on_errors(self) -> bool {
        self.wanted(io::stderr().is_terminal())
    }

    /// Whether to colour what goes to standard output.
    pub fn on_output(self) -> bool {
        self.wanted(io::stdout().is_terminal())
    }

    fn wanted(self, terminal: bool) -> bool {
        match self {
            Self::Auto => terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()),
            Self::Always => true,
            Self::Never => false,
        }
    }
}

/// How many columns the terminal has, if there is one.
pub fn width() -> Option<usize> {
    terminal_size::terminal_size().map(|(width, _)| usize::from(width.0))
}

/// The model is wrong, or a claim about it is.
pub const WRONG: u8 = 1;
/// The command could not do its work: a file that cannot be read, an option that means nothing.
pub const UNABLE: u8 = 2;

/// Why standard output could not be written, where it could not.
static UNWRITTEN: OnceLock<String> = OnceLock::new();

/// Writes to standard output. A reader who has gone away is no reason to complain; any other failure is reported by [`ended`].
pub fn say(text: &str) {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            UNWRITTEN.get_or_init(|| error.to_string());
        }
        _ => {}
    }
}

/// How a command ends: with its own code, or with [`UNABLE`] and a message where its output could not be written.
pub fn ended(code: ExitCode) -> ExitCode {
    match UNWRITTEN.get() {
        Some(why) => fail(&format!("cannot write to standard output: {why}")),
        None => code,
    }
}

/// Writes to standard error.
pub fn complain(text: &str) {
    let mut err = io::stderr().lock();
    let _ = err.write_all(text.as_bytes());
}

/// Says why the command could not do its work.
pub fn fail(why: &str) -> ExitCode {
    complain(&format!("error: {why}\n"));
    ExitCode::from(UNABLE)
}
