//! Why a file could not be written, and what to do.

use std::fmt;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// A file or a folder could not be written.
#[derive(Debug)]
pub struct WriteError {
    /// Which.
    pub path: PathBuf,
    /// What the system says.
    pub error: io::Error,
    /// It happened while the files of an earlier run were being replaced: its summary is gone, and tables may be of either
    /// run.
    pub begun: bool,
}

impl WriteError {
    /// What turns an error at a path into this.
    pub fn at(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |error| Self { path: path.to_path_buf(), error, begun: false }
    }

    /// What to do.
    pub fn help(&self) -> &'static str {
        match self.error.kind() {
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
                "make room on the disk, or name a folder on another one"
            }
            ErrorKind::FileTooLarge => {
                "the system sets a limit to the size of files: raise it (`ulimit -f`), or record fewer rows"
            }
            ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => "name a folder that you may write to",
            ErrorKind::NotADirectory | ErrorKind::AlreadyExists => {
                "a file of this name is in the way: remove it, or name another folder"
            }
            ErrorKind::IsADirectory => "a folder of this name is in the way: remove it, or name another",
            ErrorKind::NotFound => "check that the folder exists and is not removed meanwhile",
            _ => "see that the folder exists, can be written to and has room",
        }
    }
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot write `{}`: {}", self.path.display(), reason(&self.error))
    }
}

impl std::error::Error for WriteError {}

/// The system's words for an error, in lower case and without its number.
pub fn reason(error: &io::Error) -> String {
    let words = error.to_string();
    let words = words.split(" (os error").next().unwrap_or_default();
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}
