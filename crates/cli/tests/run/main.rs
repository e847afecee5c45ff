//! The command `holonom run`, from the outside: what it writes, what it says, and how it ends.

mod faults;
mod files;
#[cfg(unix)]
mod open;
#[cfg(unix)]
mod signals;
#[cfg(unix)]
mod terminal;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs, process};

use serde_json::Value;

/// How a run ended and what it said.
struct Run {
    status: Option<i32>,
    out: String,
    err: String,
}

fn holonom() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_holonom"));
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn end(command: &mut Command) -> Run {
    let output = command.output().expect("the command starts");
    Run {
        status: output.status.code(),
        out: String::from_utf8(output.stdout).expect("output is text"),
        err: String::from_utf8(output.stderr).expect("messages are text"),
    }
}

/// Runs `holonom run` with these arguments.
fn run(arguments: &[&str]) -> Run {
    end(holonom().arg("run").args(arguments))
}

/// A folder of a test's own, gone when the test is over.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = env::temp_dir().join(format!("holonom-run-{}-{name}", process::id()));
        fs::create_dir_all(&path).expect("a folder for temporary files");
        Self(path)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("a path in UTF-8").into()
    }

    /// Writes a model, and gives its path.
    fn model(&self, name: &str, text: &str) -> String {
        fs::write(self.path(name), text).expect("a model is written");
        self.path(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The names in a folder, in order; nothing where it does not exist.
fn names(folder: &str) -> Vec<String> {
    let Ok(entries) = fs::read_dir(folder) else { return vec![] };
    let mut names: Vec<_> =
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

const FILES: [&str; 4] = ["report.html", "summary.json", "trajectory.csv", "trajectory.parquet"];

fn summary(folder: &str) -> Value {
    let text = fs::read_to_string(Path::new(folder).join("summary.json")).expect("a summary");
    serde_json::from_str(&text).expect("the summary is JSON")
}

/// The names and the rows of the table.
fn table(folder: &str) -> (Vec<String>, Vec<Vec<f64>>) {
    let text = fs::read_to_string(Path::new(folder).join("trajectory.csv")).expect("a table");
    assert!(text.ends_with('\n'), "the last line is whole");
    let mut lines = text.lines();
    let names: Vec<_> = lines.next().expect("a line of names").split(',').map(String::from).collect();
    let rows = lines.map(|line| line.split(',').map(|number| number.parse().expect("a number")).collect());
    let rows: Vec<Vec<f64>> = rows.collect();
    assert!(rows.iter().all(|row| row.len() == names.len()), "every row is whole");
    (names, rows)
}

/// The files of a run are there, all of them, whole, and say the same.
fn assert_whole(folder: &str) -> Value {
    assert_eq!(names(folder), FILES);
    let summary = summary(folder);
    let (names, rows) = table(folder);
    assert_eq!(summary["rows"], rows.len());
    let columns: Vec<_> = summary["columns"].as_array().unwrap().iter().map(|column| &column["name"]).collect();
    assert_eq!(columns, names.iter().collect::<Vec<_>>());
    assert!(rows.windows(2).all(|pair| pair[0][0] <= pair[1][0]), "rows come in the order of time");
    for file in summary["files"].as_array().unwrap() {
        let path = Path::new(folder).join(file["name"].as_str().unwrap());
        assert_eq!(file["bytes"], fs::metadata(path).unwrap().len(), "{file}");
    }
    let parquet = fs::read(Path::new(folder).join("trajectory.parquet")).unwrap();
    assert!(parquet.starts_with(b"PAR1") && parquet.ends_with(b"PAR1"));
    let report = fs::read_to_string(Path::new(folder).join("report.html")).unwrap();
    assert!(report.starts_with("<!doctype html>") && report.ends_with("</html>\n"));
    summary
}

fn gallery(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../gallery/{name}/{name}.holo"));
    path.to_str().expect("a path in UTF-8").into()
}
