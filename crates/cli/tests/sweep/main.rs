//! The command `holonom sweep`, from the outside: its tables, what it refuses, and that nothing is lost when it is killed.

#[cfg(unix)]
mod killed;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs, process};

use serde_json::Value;

const PENDULUM: &str = "title      A pendulum
param      L = 1 m, m = 2 kg, g = 9.81 m/s^2
coord      x: m, y: m
particle   bob: m at (x, y)
gravity    (0 m/s^2, -g)
constraint rod: x^2 + y^2 = L^2
start      x = 0.6*L, y ~ -1 m
output     height: y + L
expect     constant energy()
run        until 2 s, every 0.25 s
";

fn holonom() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_holonom"));
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// How a command ended and what it said.
struct Ended {
    status: Option<i32>,
    out: String,
    err: String,
}

fn end(command: &mut Command) -> Ended {
    let output = command.output().expect("the command starts");
    Ended {
        status: output.status.code(),
        out: String::from_utf8(output.stdout).expect("output is text"),
        err: String::from_utf8(output.stderr).expect("messages are text"),
    }
}

/// A folder of a test's own with the pendulum in it, gone when the test is over.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = env::temp_dir().join(format!("holonom-sweep-{}-{name}", process::id()));
        fs::create_dir_all(&path).expect("a folder for temporary files");
        fs::write(path.join("pendulum.holo"), PENDULUM).expect("a model is written");
        Self(path)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// A sweep of the pendulum, in this folder.
    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = holonom();
        command.current_dir(&self.0).args(["sweep", "pendulum.holo"]).args(arguments);
        command
    }

    fn sweep(&self, arguments: &[&str]) -> Ended {
        end(&mut self.command(arguments))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The table: by row the fields, which have no commas in these tests.
fn table(folder: &Path) -> (Vec<String>, Vec<Vec<String>>) {
    let text = fs::read_to_string(folder.join("runs.csv")).expect("a table");
    let mut rows = text.lines().map(|line| line.split(',').map(String::from).collect());
    (rows.next().expect("names"), rows.collect())
}

fn summary(folder: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(folder.join("summary.json")).expect("a summary")).expect("JSON")
}

#[test]
fn a_sweep_makes_one_table() {
    let folder = Folder::new("table");
    let said = folder.sweep(&["--vary", "L=50 cm:2:4", "--vary", "m=1,-2 kg"]);
    assert_eq!((said.status, said.err.as_str()), (Some(0), ""));
    assert!(said.out.starts_with("pendulum.holo: 8 points, 4 finished, 4 refused\n"), "{}", said.out);
    assert!(said.out.contains("refused      4 by negative, such as point 2 (L = 0.5, m = -2)"), "{}", said.out);
    let out = folder.path("pendulum.sweep");
    let (names, rows) = table(&out);
    let column = |name: &str| names.iter().position(|one| one == name).unwrap_or_else(|| panic!("{name}"));
    assert_eq!(names[..7], ["point", "L", "m", "end", "reason", "time", "expectations"]);
    let varied: Vec<&[String]> = rows.iter().map(|row| &row[..4]).collect();
    assert_eq!(varied[6], ["7", "2.0", "1.0", "finished"]);
    assert_eq!(varied[7], ["8", "2.0", "-2.0", "refused"]);
    assert_eq!(rows[7][column("x")], "", "what is missing is empty");
    let summary = summary(&out);
    assert_eq!((&summary["points"], &summary["counts"]["refused"]), (&8.into(), &4.into()));
    assert_eq!((&summary["varied"]["L"], &summary["reasons"][0]["point"]), (&"0.5:2.0:4".into(), &2.into()));
    assert_eq!(summary["sources"][0]["text"], PENDULUM);

    // A point is what a run says.
    let run = end(holonom().current_dir(&folder.0).args([
        "run",
        "pendulum.holo",
        "--no-report",
        "--set",
        "L=2",
        "--set",
        "m=1",
    ]));
    assert_eq!(run.status, Some(0), "{}", run.err);
    let alone = fs::read_to_string(folder.path("pendulum.run/trajectory.csv")).unwrap();
    let last = alone.lines().last().unwrap();
    assert_eq!(rows[6][column("t")..=column("height")].join(","), last);
}

#[test]
fn points_come_from_chance_or_a_file() {
    let folder = Folder::new("chance");
    let random =
        ["--random", "5", "--seed", "7", "--vary", "L=normal(1 m, 0.1)", "--vary", "m=log:1:100", "--until", "0.5"];
    assert_eq!(folder.sweep(&[&random[..], &["--out", "a"]].concat()).status, Some(0));
    assert_eq!(folder.sweep(&[&random[..], &["--out", "b", "--jobs", "1"]].concat()).status, Some(0));
    let (_, rows) = table(&folder.path("a"));
    assert_eq!(rows.len(), 5);
    assert_eq!(fs::read(folder.path("a/runs.csv")).unwrap(), fs::read(folder.path("b/runs.csv")).unwrap());
    fs::write(folder.path("points.csv"), "m,L\n1,50 cm\n2 kg,1\n").unwrap();
    let said = folder.sweep(&["--points", "points.csv", "--until", "0.5", "--json"]);
    assert_eq!(said.status, Some(0), "{}", said.err);
    assert_eq!(serde_json::from_str::<Value>(&said.out).unwrap()["counts"]["finished"], 2);
    let (_, rows) = table(&folder.path("pendulum.sweep"));
    assert_eq!(
        (&rows[0][1..3], &rows[1][1..3]),
        (&["1.0".into(), "0.5".into()][..], &["2.0".into(), "1.0".into()][..])
    );
}

#[test]
fn what_cannot_be_is_said_before_anything_runs() {
    let folder = Folder::new("wrong");
    for (arguments, words) in [
        (&["--vary", "l=1,2"][..], "there is no parameter `l` to vary"),
        (&["--vary", "height=1,2"], "there is no parameter `height` to vary"),
        (&["--vary", "L=1 kg:2:3"], "is set to a value in `kg`, and the parameter is in `m`"),
        (&["--vary", "L=1:2:0"], "takes no value at all"),
        (&["--vary", "L=1:2:100000", "--vary", "m=1:2:1000"], "100000000 points, and a sweep has 10000000 at most"),
        (&["--vary", "L=1:2"], "how many values does `L` take?"),
        (&["--vary", "L=1:2:3", "--random", "3"], "is a grid, and points are drawn at random"),
        (&["--vary", "L=1,2", "--vary", "L=3"], "`L` is varied twice"),
        (&["--vary", "L=1,2", "--set", "L=3"], "`L` is set and varied"),
        (&["--vary", "L=1,2", "--points", "p.csv"], "cannot be used with"),
        (&["--points", "p.csv"], "cannot read `p.csv`"),
        (&[], "nothing is varied"),
    ] {
        let said = folder.sweep(arguments);
        assert!(said.status == Some(2) && said.err.contains(words), "{arguments:?}: {}", said.err);
        assert!(!folder.path("pendulum.sweep").exists(), "{arguments:?}");
    }
}

#[test]
fn another_sweep_is_not_overwritten() {
    let folder = Folder::new("another");
    let first = folder.sweep(&["--vary", "L=1,2", "--until", "0.5"]);
    assert_eq!(first.status, Some(0), "{}", first.err);
    let again = folder.sweep(&["--vary", "L=1,2", "--until", "0.5"]);
    assert_eq!(again.err, "note: 2 of 2 points were run before, and are not run again\n");
    let other = folder.sweep(&["--vary", "L=1,3", "--until", "0.5"]);
    assert_eq!(other.status, Some(2));
    assert!(other.err.contains("it differs in the points\n") && other.err.contains("--fresh"), "{}", other.err);
    assert_eq!(folder.sweep(&["--vary", "L=1,3", "--until", "0.5", "--fresh"]).status, Some(0));
    fs::write(folder.path("pendulum.holo"), PENDULUM.replace("9.81", "1.62")).unwrap();
    let moon = folder.sweep(&["--vary", "L=1,3", "--until", "0.5"]);
    assert!(moon.err.contains("it differs in the text of the model\n"), "{}", moon.err);
}

#[test]
fn the_first_failure_ends_it_where_that_is_asked_for() {
    let folder = Folder::new("first");
    let said = folder.sweep(&["--vary", "L=1:2:200", "--vary", "m=1,-1", "--stop-on-failure", "--jobs", "2"]);
    assert_eq!(said.status, Some(1), "{}", said.err);
    let counts = &summary(&folder.path("pendulum.sweep"))["counts"];
    assert!(counts["interrupted"].as_u64() > Some(300) && counts["refused"].as_u64() >= Some(1), "{counts}");
    let said = folder.sweep(&["--vary", "L=1,2", "--vary", "m=-1", "--out", "all"]);
    assert_eq!(said.status, Some(1), "no run came to its end");
}
