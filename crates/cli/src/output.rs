//! Where answers go: to standard output, or into a file that appears whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process;

/// A place for answers. A file is written under another name and takes its own in [`finish`](Self::finish);
/// dropped before that, it leaves no trace, and what was there stays as it was.
pub enum Output {
    Stream(Box<dyn Write>),
    Whole { file: File, draft: PathBuf, target: PathBuf },
}

impl Output {
    pub fn standard() -> Self {
        Self::Stream(Box::new(io::stdout()))
    }

    /// Answers go to `path` once they are all there. A pipe or a device is written as it comes.
    pub fn file(path: &Path) -> io::Result<Self> {
        // Through a link, the file that it points to is replaced and not the link.
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        if let Ok(found) = fs::metadata(&target)
            && !found.is_file()
        {
            return Ok(Self::Stream(Box::new(OpenOptions::new().write(true).open(&target)?)));
        }
        let name = target.file_name().ok_or(io::ErrorKind::InvalidFilename)?;
        let draft = target.with_file_name(format!(".{}.{}.part", name.to_string_lossy(), process::id()));
        let file = OpenOptions::new().write(true).create_new(true).open(&draft)?;
        Ok(Self::Whole { file, draft, target })
    }

    pub fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Self::Stream(stream) => {
                stream.write_all(bytes)?;
                stream.flush() // whoever waits at the other end of a pipe waits for this
            }
            Self::Whole { file, .. } => file.write_all(bytes),
        }
    }

    /// All answers are there.
    pub fn finish(mut self) -> io::Result<()> {
        match &mut self {
            Self::Stream(stream) => stream.flush(),
            Self::Whole { file, draft, target } => {
                file.sync_all()?;
                fs::rename(&*draft, &*target)
            }
        }
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        if let Self::Whole { draft, .. } = self {
            // After `finish` there is nothing left under this name.
            let _ = fs::remove_file(draft);
        }
    }
}
