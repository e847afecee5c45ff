//! The command `holonom solve`, from the outside: what goes in, what comes out, and how it ends.

mod answers;
mod faults;
mod files;
mod gallery;
mod notes;
mod streams;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs, process, thread};

use serde_json::Value;

/// How a run ended and what it wrote.
struct Run {
    status: i32,
    out: String,
    err: String,
}

impl Run {
    /// Every line of the output as JSON.
    fn lines(&self) -> Vec<Value> {
        self.out.lines().map(|line| serde_json::from_str(line).expect("an answer is JSON")).collect()
    }
}

fn holonom() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_holonom"));
    command.env_remove("NO_COLOR").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs `holonom solve` with these arguments and this input.
fn solve(arguments: &[&str], input: &str) -> Run {
    run(holonom().arg("solve").args(arguments), input.as_bytes())
}

fn run(command: &mut Command, input: &[u8]) -> Run {
    let mut child = command.spawn().expect("the command starts");
    let mut stdin = child.stdin.take().expect("it has an input");
    let input = input.to_vec();
    let feeder = thread::spawn(move || {
        // A command that needs no input may end before it has read it.
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().expect("the command ends");
    feeder.join().expect("the input was written");
    Run {
        status: output.status.code().expect("no signal ended it"),
        out: String::from_utf8(output.stdout).expect("output is text"),
        err: String::from_utf8(output.stderr).expect("messages are text"),
    }
}

/// The answer to one good line.
fn answer(arguments: &[&str], line: &str) -> Value {
    let run = solve(arguments, line);
    assert_eq!((run.status, run.err.as_str()), (0, ""), "{line}\n{}", run.out);
    let [answer] = run.lines().try_into().expect("one answer");
    answer
}

fn numbers(value: &Value) -> Vec<f64> {
    let list = value.as_array().unwrap_or_else(|| panic!("{value} is not a list"));
    list.iter().map(|x| x.as_f64().expect("a number")).collect()
}

#[track_caller]
fn assert_close(found: &Value, expected: &[f64]) {
    let found = numbers(found);
    let size = expected.iter().fold(1.0, |size: f64, x| size.max(x.abs()));
    let same = found.len() == expected.len() && found.iter().zip(expected).all(|(x, y)| (x - y).abs() < 1e-13 * size);
    assert!(same, "{found:?} is not {expected:?}");
}

/// A folder of a test's own, gone when the test is over.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = env::temp_dir().join(format!("holonom-{}-{name}", process::id()));
        fs::create_dir_all(&path).expect("a folder for temporary files");
        Self(path)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("a path in UTF-8").into()
    }

    fn files(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).expect("the folder is there");
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn gallery(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../gallery").join(path)
}
