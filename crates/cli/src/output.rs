//! Where answers go: to standard output, or into a file that appears whole or not at all.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use holonom::output::Draft;

/// A place for answers. A file is seen only after [`finish`](Self::finish); without that it leaves no trace, and what was
/// there stays as it was.
pub enum Output {
    Stream(Box<dyn Write>),
    Whole(Draft),
}

impl Output {
    pub fn standard() -> Self {
        Self::Stream(Box::new(io::stdout()))
    }

    /// Answers go to `path` once they are all there. A pipe or a device is written as it comes.
    pub fn file(path: &Path) -> io::Result<Self> {
        match fs::metadata(path) {
            Ok(found) if !found.is_file() => Ok(Self::Stream(Box::new(OpenOptions::new().write(true).open(path)?))),
            _ => Ok(Self::Whole(Draft::new(path)?)),
        }
    }

    pub fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Self::Stream(stream) => {
                stream.write_all(bytes)?;
                stream.flush() // whoever waits at the other end of a pipe waits for this
            }
            Self::Whole(draft) => draft.write_all(bytes),
        }
    }

    /// All answers are there.
    pub fn finish(self) -> io::Result<()> {
        match self {
            Self::Stream(mut stream) => stream.flush(),
            Self::Whole(draft) => draft.publish(),
        }
    }
}
