//! The folder of a run: its tables and its summary, all of them or none.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use super::error::WriteError;
use super::table::TableWriter;
use super::whole::{Draft, sync_folder};
use super::{csv, parquet};
use holonom_simulate::integrate::Column;

/// The name of the summary of a run. It appears last: where it is, the tables beside it are those that it tells of.
pub const SUMMARY: &str = "summary.json";

/// Begins a table with these columns. What can be said at the beginning is written at once, so that a full disk is
/// noticed then and not after an hour.
type Begin = fn(Draft, &[Column]) -> io::Result<Box<dyn TableWriter<Draft>>>;

/// The tables that a run writes, in the order in which they appear. A format is a file, and a line here.
const TABLES: [(&str, Begin); 2] = [
    ("trajectory.parquet", |draft, columns| Ok(Box::new(parquet::Parquet::new(draft, columns)?))),
    ("trajectory.csv", |draft, columns| Ok(Box::new(csv::Csv::new(draft, columns)?))),
];

/// How long to wait for another run that is putting its files into the same folder.
const PATIENCE: Duration = Duration::from_secs(10);

/// A file that a run has written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenFile {
    /// Its name in the folder.
    pub name: &'static str,
    /// Its length.
    pub bytes: u64,
}

/// The results of a run in the making. Nothing is seen of them in their folder before [`publish`](Self::publish); dropped
/// before that, they leave the folder as it was.
pub struct Results {
    folder: PathBuf,
    /// The folder was made for this run.
    made: bool,
    tables: Vec<(&'static str, Box<dyn TableWriter<Draft>>)>,
    /// What else there will be, besides the summary.
    texts: Vec<(&'static str, Draft)>,
    summary: Option<Draft>,
}

impl Results {
    /// Makes the folder where there is none, sees that files can be written there, and begins the tables. There will be files
    /// of the names `texts` as well.
    ///
    /// # Errors
    ///
    /// Where the folder cannot be made or written to, and where something is in the way of a file.
    pub fn new(folder: &Path, columns: &[Column], texts: &[&'static str]) -> Result<Self, WriteError> {
        let made = !folder.exists();
        fs::create_dir_all(folder).map_err(WriteError::at(folder))?;
        let mut results =
            Self { folder: folder.to_path_buf(), made, tables: Vec::new(), texts: Vec::new(), summary: None };
        for (name, begin) in TABLES {
            let path = folder.join(name);
            let table = Draft::new(&path).and_then(|draft| begin(draft, columns)).map_err(WriteError::at(&path))?;
            results.tables.push((name, table));
        }
        for name in texts {
            let path = folder.join(name);
            results.texts.push((name, Draft::new(&path).map_err(WriteError::at(&path))?));
        }
        let path = folder.join(SUMMARY);
        results.summary = Some(Draft::new(&path).map_err(WriteError::at(&path))?);
        Ok(results)
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Adds a row to every table.
    ///
    /// # Errors
    ///
    /// Where it cannot be written. Then nothing will be.
    pub fn row(&mut self, values: &[f64]) -> Result<(), WriteError> {
        for (name, table) in &mut self.tables {
            table.row(values).map_err(|error| WriteError::at(&self.folder.join(*name))(error))?;
        }
        Ok(())
    }

    /// There are no more rows: puts the files into their folder, the summary last. `facts` go into the tables that have
    /// a place for them; `texts` are those that were announced, in that order; `summary` gets the list of files and gives the
    /// text of the summary.
    ///
    /// # Errors
    ///
    /// Where something cannot be written. Then the folder is as it was, unless the system fails in the middle of renaming
    /// files, which needs no room any more ([`WriteError::begun`]).
    pub fn publish(
        mut self,
        facts: &[(String, String)],
        texts: &[String],
        summary: impl FnOnce(&[WrittenFile]) -> String,
    ) -> Result<Vec<WrittenFile>, WriteError> {
        // First everything that takes room: after this, only names change.
        let mut drafts = Vec::new();
        let mut written = Vec::new();
        for (name, table) in self.tables.drain(..) {
            let path = self.folder.join(name);
            let failed = |error| WriteError::at(&path)(error);
            let mut draft = table.finish(facts).map_err(failed)?;
            written.push(WrittenFile { name, bytes: draft.settle().map_err(failed)? });
            drafts.push(draft);
        }
        for ((name, mut draft), text) in self.texts.drain(..).zip(texts) {
            let path = self.folder.join(name);
            let failed = |error| WriteError::at(&path)(error);
            draft.write_all(text.as_bytes()).map_err(failed)?;
            written.push(WrittenFile { name, bytes: draft.settle().map_err(failed)? });
            drafts.push(draft);
        }
        if let Some(mut draft) = self.summary.take() {
            let path = self.folder.join(SUMMARY);
            let failed = |error| WriteError::at(&path)(error);
            draft.write_all(summary(&written).as_bytes()).map_err(failed)?;
            written.push(WrittenFile { name: SUMMARY, bytes: draft.settle().map_err(failed)? });
            drafts.push(draft);
        }

        put(&self.folder, written.iter().map(|file| file.name).zip(drafts))?;
        self.made = false; // it has something in it
        Ok(written)
    }
}

/// Puts files that are complete and settled into a folder, all of them or none; the summary is the last.
pub fn put(folder: &Path, files: impl Iterator<Item = (&'static str, Draft)>) -> Result<(), WriteError> {
    // Somebody may have removed the folder meanwhile. What was computed is worth making it again.
    fs::create_dir_all(folder).map_err(WriteError::at(folder))?;
    let _alone = alone(folder);
    let mut files: Vec<(PathBuf, Draft)> = files.map(|(name, draft)| (folder.join(name), draft)).collect();
    for (path, draft) in &mut files {
        draft.stage().map_err(WriteError::at(path))?;
    }
    name(&mut files, &folder.join(SUMMARY))?;
    sync_folder(folder);
    Ok(())
}

/// Gives all files their names. Where one cannot have it, those that replaced nothing go again.
fn name(files: &mut [(PathBuf, Draft)], summary: &Path) -> Result<(), WriteError> {
    let fresh: Vec<bool> = files.iter().map(|(path, _)| fs::symlink_metadata(path).is_err()).collect();
    // From here on the old summary would tell of other tables than those beside it.
    let real = fs::canonicalize(summary).unwrap_or_else(|_| summary.to_path_buf());
    match fs::remove_file(real) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(WriteError::at(summary)(error)),
        _ => {}
    }
    for which in 0..files.len() {
        let (path, draft) = &mut files[which];
        if let Err(error) = draft.place() {
            let failed = WriteError { path: path.clone(), error, begun: fresh.contains(&false) };
            for ((path, _), _) in files[..which].iter().zip(&fresh).filter(|(_, fresh)| **fresh) {
                let _ = fs::remove_file(path);
            }
            return Err(failed);
        }
    }
    Ok(())
}

impl Drop for Results {
    fn drop(&mut self) {
        self.tables.clear();
        self.texts.clear();
        self.summary = None;
        if self.made {
            // It is removed only if it is empty.
            let _ = fs::remove_dir(&self.folder);
        }
    }
}

/// Keeps other runs from putting files into the same folder until it is dropped, where the system can do that.
fn alone(folder: &Path) -> Option<File> {
    let handle = File::open(folder).ok()?;
    let begin = Instant::now();
    loop {
        match handle.try_lock() {
            Ok(()) => return Some(handle),
            Err(fs::TryLockError::WouldBlock) if begin.elapsed() < PATIENCE => thread::sleep(Duration::from_millis(5)),
            Err(_) => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use holonom_testing::Scratch;

    fn columns() -> Vec<Column> {
        ["t", "x"].map(|name| Column { name: name.into(), unit: None }).to_vec()
    }

    fn publish(folder: &Path, x: f64) -> Vec<WrittenFile> {
        let mut results = Results::new(folder, &columns(), &[]).unwrap();
        results.row(&[0.0, x]).unwrap();
        results.publish(&[], &[], |tables| format!("{} tables", tables.len())).unwrap()
    }

    #[test]
    fn files_appear_together() {
        let scratch = Scratch::new("together");
        let folder = scratch.path("a/b.run");
        let written = publish(&folder, 1.0);
        assert_eq!(scratch.names_in("a/b.run"), ["summary.json", "trajectory.csv", "trajectory.parquet"]);
        assert_eq!(fs::read_to_string(folder.join("trajectory.csv")).unwrap(), "t,x\n0.0,1.0\n");
        assert_eq!(fs::read_to_string(folder.join("summary.json")).unwrap(), "2 tables");
        for one in written {
            assert_eq!(fs::metadata(folder.join(one.name)).unwrap().len(), one.bytes, "{}", one.name);
        }
        publish(&folder, 2.0);
        assert_eq!(fs::read_to_string(folder.join("trajectory.csv")).unwrap(), "t,x\n0.0,2.0\n");
        assert_eq!(scratch.names_in("a/b.run"), ["summary.json", "trajectory.csv", "trajectory.parquet"]);
    }

    #[test]
    fn texts_appear_with_the_tables() {
        let scratch = Scratch::new("texts");
        let folder = scratch.path("t.run");
        let mut results = Results::new(&folder, &columns(), &["page.html"]).unwrap();
        results.row(&[0.0, 1.0]).unwrap();
        let written = results.publish(&[], &["<p>".to_string()], |files| format!("{} files", files.len())).unwrap();
        assert_eq!(fs::read_to_string(folder.join("page.html")).unwrap(), "<p>");
        assert_eq!(fs::read_to_string(folder.join("summary.json")).unwrap(), "3 files");
        assert_eq!(written.len(), 4);
    }

    #[test]
    fn nothing_appears_before() {
        let scratch = Scratch::new("before");
        let folder = scratch.path("b.run");
        let mut results = Results::new(&folder, &columns(), &[]).unwrap();
        results.row(&[0.0, 1.0]).unwrap();
        #[cfg(target_os = "linux")]
        assert!(scratch.names_in("b.run").is_empty());
        drop(results);
        assert!(!folder.exists(), "a folder that was made for nothing goes again");
        fs::create_dir(&folder).unwrap();
        drop(Results::new(&folder, &columns(), &[]).unwrap());
        assert!(folder.exists(), "a folder that was there stays");
    }

    #[test]
    fn something_in_the_way_is_named_before_the_run() {
        let scratch = Scratch::new("way");
        fs::write(scratch.path("file"), "").unwrap();
        let refused = Results::new(&scratch.path("file"), &columns(), &[]).err().unwrap();
        assert!(refused.to_string().contains("/file`: "), "{refused}");
        assert!(refused.help().contains("in the way"), "{refused:?}");
        let refused = Results::new(&scratch.path("file/below"), &columns(), &[]).err().unwrap();
        assert!(refused.help().contains("in the way"), "{refused:?}");
        fs::create_dir_all(scratch.path("c.run/trajectory.csv")).unwrap();
        let refused = Results::new(&scratch.path("c.run"), &columns(), &[]).err().unwrap();
        assert!(refused.to_string().contains("trajectory.csv`: is a directory"), "{refused}");
        assert_eq!(scratch.names_in("c.run"), ["trajectory.csv"]);
    }

    /// Files that are links elsewhere stay links, and the files they lead to are replaced.
    #[cfg(unix)]
    #[test]
    fn links_are_followed() {
        let scratch = Scratch::new("links");
        fs::create_dir_all(scratch.path("f.run")).unwrap();
        for name in ["summary.json", "trajectory.csv"] {
            fs::write(scratch.path(format!("real-{name}")), "old").unwrap();
            std::os::unix::fs::symlink(scratch.path(format!("real-{name}")), scratch.path("f.run").join(name)).unwrap();
        }
        publish(&scratch.path("f.run"), 1.0);
        assert_eq!(fs::read_to_string(scratch.path("real-summary.json")).unwrap(), "2 tables");
        assert!(fs::symlink_metadata(scratch.path("f.run/trajectory.csv")).unwrap().is_symlink());
    }

    /// A folder that somebody removes during a run is made again, where files without names have outlived it.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_folder_that_vanishes_comes_back() {
        let scratch = Scratch::new("vanishes");
        let folder = scratch.path("d.run");
        let mut results = Results::new(&folder, &columns(), &[]).unwrap();
        fs::remove_dir(&folder).unwrap();
        results.row(&[0.0, 1.0]).unwrap();
        results.publish(&[], &[], |_| String::new()).unwrap();
        assert_eq!(scratch.names_in("d.run").len(), 3);
    }

    /// Two runs into one folder: the files are those of one of them.
    #[test]
    fn runs_at_the_same_time_do_not_mix() {
        let scratch = Scratch::new("mix");
        let folder = scratch.path("e.run");
        thread::scope(|scope| {
            for one in 0..8 {
                let folder = &folder;
                scope.spawn(move || {
                    for two in 0..10 {
                        let mut results = Results::new(folder, &columns(), &[]).unwrap();
                        let x = f64::from(one * 10 + two);
                        results.row(&[0.0, x]).unwrap();
                        results.publish(&[], &[], |_| format!("t,x\n0.0,{x:?}\n")).unwrap();
                    }
                });
            }
        });
        let [csv, summary] =
            ["trajectory.csv", "summary.json"].map(|name| fs::read_to_string(folder.join(name)).unwrap());
        assert_eq!(csv, summary);
        assert_eq!(scratch.names_in("e.run").len(), 3);
    }
}
