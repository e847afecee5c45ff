//! What can go wrong between a test and its browser.

use std::fmt;

/// Why the browser did not do what it was asked.
#[derive(Debug)]
pub enum Error {
    /// No browser was found.
    Absent,
    /// The browser, its pipes or a file could not be made, opened, written or read.
    Io(&'static str, std::io::Error),
    /// The browser ended, or closed its pipe.
    Ended,
    /// Nothing came back in time.
    Timeout(String),
    /// The browser answered a command with an error.
    Refused {
        /// The command, such as `Page.navigate`.
        method: String,
        /// What it said.
        message: String,
    },
    /// A script threw.
    Script(String),
    /// No element matches a selector, or it has no size.
    NoElement(String),
    /// An answer lacks what it should hold.
    Answer(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Absent => write!(
                f,
                "no Chromium found; install `chromium`, or name one in the environment variable HOLONOM_CHROMIUM"
            ),
            Self::Io(what, error) => write!(f, "cannot {what}: {error}"),
            Self::Ended => write!(f, "the browser ended before it answered"),
            Self::Timeout(what) => write!(f, "the browser did not answer in time: {what}"),
            Self::Refused { method, message } => write!(f, "the browser refused `{method}`: {message}"),
            Self::Script(message) => write!(f, "the script threw: {message}"),
            Self::NoElement(selector) => write!(f, "no element that can be seen matches `{selector}`"),
            Self::Answer(what) => write!(f, "the browser's answer holds no {what}"),
        }
    }
}

impl std::error::Error for Error {}
