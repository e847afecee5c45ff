//! A file that appears whole or not at all.
//!
//! On Linux the file has no name until it is complete, so that whoever ends the program, and however, leaves nothing
//! behind. Elsewhere, and on file systems that know no files without names, it is written under a hidden name beside
//! its own. Its writer holds a lock on it; a hidden file that nobody holds was left by a program that was killed, and
//! is removed by the next one that writes a file of the same name there.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A file in the making. It takes the place of its target in [`publish`](Self::publish); dropped before that, it leaves
/// no trace, and what was there stays as it was.
#[derive(Debug)]
pub struct Draft {
    file: File,
    /// The hidden name that it has for now; nothing for a file without a name.
    hidden: Option<PathBuf>,
    target: PathBuf,
}

impl Draft {
    /// A draft of the file `path`. Through a link, the file that it points to is replaced and not the link.
    ///
    /// # Errors
    ///
    /// Where no file can be made in the folder of `path`, or where `path` is a folder.
    pub fn new(path: &Path) -> io::Result<Self> {
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        if target.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        sweep(&target);
        let (file, hidden) = match nameless(folder_of(&target)) {
            Some(file) => (file, None),
            None => {
                let (file, hidden) = named(&target)?;
                (file, Some(hidden))
            }
        };
        Ok(Self { file, hidden, target })
    }

    /// Makes sure that all of it is on the disk, and returns its length. What can still fail after that is little.
    pub fn settle(&mut self) -> io::Result<u64> {
        self.file.sync_all()?;
        Ok(self.file.metadata()?.len())
    }

    /// Does what may need room on the disk and changes nothing yet: where another file is to be replaced, this one gets
    /// a hidden name beside it, since only a file with a name can take the place of another at one stroke.
    pub fn stage(&mut self) -> io::Result<()> {
        if self.hidden.is_none() && fs::symlink_metadata(&self.target).is_ok() {
            self.hidden = Some(hide(&self.file, &self.target)?);
        }
        Ok(())
    }

    /// The file is complete, and is now what is found under its name.
    pub fn publish(mut self) -> io::Result<()> {
        self.file.sync_all()?;
        self.place()?;
        sync_folder(folder_of(&self.target));
        Ok(())
    }

    /// Gives the file its name.
    pub(super) fn place(&mut self) -> io::Result<()> {
        if self.hidden.is_none() {
            match link(&self.file, &self.target) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => self.stage()?,
                other => return other,
            }
        }
        if let Some(hidden) = &self.hidden {
            fs::rename(hidden, &self.target)?;
            self.hidden = None; // it is no draft any more
        }
        Ok(())
    }
}

impl Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if let Some(hidden) = &self.hidden {
            let _ = fs::remove_file(hidden);
        }
    }
}

/// The folder that a file is in.
fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Makes sure that the names in a folder are on the disk. Not every system can, and the files themselves are there.
pub(super) fn sync_folder(folder: &Path) {
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
}

/// `.NAME.` and `.part`: how hidden names begin and end.
fn hidden_name(target: &Path) -> (OsString, &'static str) {
    let mut begin = OsString::from(".");
    begin.push(target.file_name().unwrap_or_default());
    begin.push(".");
    (begin, ".part")
}

/// Tries hidden names until one is free.
fn first_free<T>(target: &Path, mut take: impl FnMut(&Path) -> io::Result<T>) -> io::Result<(T, PathBuf)> {
    if target.file_name().is_none() {
        return Err(io::ErrorKind::InvalidFilename.into());
    }
    let (begin, end) = hidden_name(target);
    for count in 0..1000 {
        let mut name = begin.clone();
        name.push(format!("{}-{count}{end}", std::process::id()));
        let path = target.with_file_name(name);
        match take(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
            Ok(taken) => return Ok((taken, path)),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// A file under a hidden name beside `target`, locked.
fn named(target: &Path) -> io::Result<(File, PathBuf)> {
    first_free(target, |path| {
        let file = OpenOptions::new().write(true).create_new(true).open(path)?;
        let _ = file.try_lock();
        // Between the two, another program may have taken it for abandoned.
        if path.exists() { Ok(file) } else { Err(io::ErrorKind::AlreadyExists.into()) }
    })
}

/// Removes what killed programs have left of `target`. What cannot be removed does no harm.
fn sweep(target: &Path) {
    let (begin, end) = hidden_name(target);
    let Ok(entries) = fs::read_dir(folder_of(target)) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let ours = name.as_encoded_bytes().starts_with(begin.as_encoded_bytes())
            && name.as_encoded_bytes().ends_with(end.as_bytes())
            && entry.file_type().is_ok_and(|kind| kind.is_file());
        if ours && File::open(entry.path()).is_ok_and(|file| file.try_lock().is_ok()) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// A file without a name in `folder`, locked, where there is such a thing and a way to name it later.
#[cfg(target_os = "linux")]
fn nameless(folder: &Path) -> Option<File> {
    use std::os::unix::fs::OpenOptionsExt;
    let flag = rustix::fs::OFlags::TMPFILE.bits().cast_signed();
    let file = OpenOptions::new().write(true).mode(0o666).custom_flags(flag).open(folder).ok()?;
    let _ = file.try_lock();
    own_path(&file).exists().then_some(file)
}

/// The path that leads to an open file, named or not.
#[cfg(target_os = "linux")]
fn own_path(file: &File) -> PathBuf {
    use std::os::fd::AsRawFd;
    PathBuf::from(format!("/proc/self/fd/{}", file.as_raw_fd()))
}

/// Gives a file without a name this one, if it is free.
#[cfg(target_os = "linux")]
fn link(file: &File, path: &Path) -> io::Result<()> {
    use rustix::fs::{AtFlags, CWD, linkat};
    Ok(linkat(CWD, own_path(file), CWD, path, AtFlags::SYMLINK_FOLLOW)?)
}

#[cfg(not(target_os = "linux"))]
fn nameless(_: &Path) -> Option<File> {
    None
}

#[cfg(not(target_os = "linux"))]
fn link(_: &File, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Gives a file without a name a hidden one beside `target`.
fn hide(file: &File, target: &Path) -> io::Result<PathBuf> {
    first_free(target, |path| link(file, path)).map(|((), path)| path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use holonom_testing::Scratch;

    fn draft(path: &Path, text: &str) -> Draft {
        let mut draft = Draft::new(path).unwrap();
        draft.write_all(text.as_bytes()).unwrap();
        draft
    }

    /// The same draft under a hidden name, as on systems without nameless files.
    fn with_name(path: &Path, text: &str) -> Draft {
        let (file, hidden) = named(path).unwrap();
        let mut draft = Draft { file, hidden: Some(hidden), target: path.to_path_buf() };
        draft.write_all(text.as_bytes()).unwrap();
        draft
    }

    #[test]
    fn a_file_appears_when_it_is_published() {
        for make in [draft, with_name] {
            let folder = Scratch::new("appears");
            let path = folder.path("a.txt");
            let first = make(&path, "first");
            assert!(!path.exists());
            first.publish().unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), "first");
            let second = make(&path, "second");
            assert_eq!(fs::read_to_string(&path).unwrap(), "first");
            second.publish().unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), "second");
            assert_eq!(folder.names(), ["a.txt"]);
        }
    }

    #[test]
    fn a_draft_that_is_dropped_leaves_no_trace() {
        for make in [draft, with_name] {
            let folder = Scratch::new("dropped");
            let path = folder.path("a.txt");
            draft(&path, "old").publish().unwrap();
            drop(make(&path, "new"));
            let mut staged = make(&path, "new");
            staged.stage().unwrap();
            drop(staged);
            assert_eq!(fs::read_to_string(&path).unwrap(), "old");
            assert_eq!(folder.names(), ["a.txt"]);
        }
    }

    /// What a killed program left is removed; what another is writing is not.
    #[test]
    fn only_what_is_abandoned_is_swept_away() {
        let folder = Scratch::new("swept");
        let path = folder.path("a.txt");
        fs::write(folder.path(".a.txt.1-0.part"), "left over").unwrap();
        fs::write(folder.path(".b.txt.1-0.part"), "another file's").unwrap();
        fs::write(folder.path(".a.txt.swp"), "an editor's").unwrap();
        let busy = with_name(&path, "busy");
        draft(&path, "new").publish().unwrap();
        let hidden = busy.hidden.clone().unwrap();
        assert!(hidden.exists());
        busy.publish().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "busy");
        assert_eq!(folder.names(), [".a.txt.swp", ".b.txt.1-0.part", "a.txt"]);
    }

    #[test]
    fn two_at_once_do_not_mix() {
        let folder = Scratch::new("two");
        let path = folder.path("a.txt");
        let (one, two) = (draft(&path, "one"), draft(&path, "two"));
        two.publish().unwrap();
        one.publish().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "one");
        assert_eq!(folder.names(), ["a.txt"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_a_link() {
        let folder = Scratch::new("link");
        fs::write(folder.path("real.txt"), "old").unwrap();
        std::os::unix::fs::symlink(folder.path("real.txt"), folder.path("link.txt")).unwrap();
        draft(&folder.path("link.txt"), "new").publish().unwrap();
        assert_eq!(fs::read_to_string(folder.path("real.txt")).unwrap(), "new");
        assert!(fs::symlink_metadata(folder.path("link.txt")).unwrap().is_symlink());
    }

    #[test]
    fn a_folder_is_not_replaced_by_a_file() {
        let folder = Scratch::new("folder");
        assert_eq!(Draft::new(&folder.path("")).unwrap_err().kind(), io::ErrorKind::IsADirectory);
        let missing = Draft::new(&folder.path("no/such/file")).unwrap_err();
        assert_eq!(missing.kind(), io::ErrorKind::NotFound);
    }
}
