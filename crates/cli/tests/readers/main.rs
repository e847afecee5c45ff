//! The tables that `run` and `sweep` write, read by programs that are not ours: pyarrow reads the Parquet files and Python's csv module
//! the others, and both find the same bits. Where there is no pyarrow this says nothing, unless `HOLONOM_REQUIRE_TOOLS` is set.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::{env, fs};

use holonom_testing::Scratch;
use serde_json::{Value, json};

const PYTHON: &str = "/usr/bin/python3";

/// Whether pyarrow is there.
fn has_pyarrow() -> bool {
    let tried = Command::new(PYTHON).args(["-c", "import pyarrow.parquet"]).output();
    let has = tried.is_ok_and(|output| output.status.success());
    if !has {
        assert!(env::var_os("HOLONOM_REQUIRE_TOOLS").is_none(), "pyarrow is missing; .ci/setup installs it");
        eprintln!("pyarrow is missing: no table was read; .ci/setup installs it");
    }
    has
}

fn holonom(folder: &Scratch, arguments: &[&str]) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_holonom"));
    let ran = command.current_dir(folder.path("")).args(arguments).output().expect("the command starts");
    assert!(ran.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&ran.stderr));
}

/// What Python finds in the files of these names, without `.parquet` and `.csv`.
fn read(folder: &Scratch, names: &[&str]) -> Vec<Value> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/readers/readers.py");
    let paths = names.iter().map(|name| folder.path(name));
    let ran = Command::new(PYTHON).arg(script).args(paths).output().expect("Python starts");
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let text = String::from_utf8(ran.stdout).expect("output is text");
    let found: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(found.len(), names.len());
    found
}

/// Both readers find the same names and the same bits, and the least and greatest values of each column of doubles are what the file says.
fn assert_same(found: &Value) {
    assert_eq!(found["names"], found["csv"]["names"]);
    let (columns, types) = (found["columns"].as_array().unwrap(), found["types"].as_array().unwrap());
    for (at, column) in columns.iter().enumerate() {
        assert_eq!(*column, found["csv"]["columns"][at], "{}", found["names"][at]);
        if types[at] == "double" {
            let numbers: Vec<f64> = column.as_array().unwrap().iter().filter_map(number).collect();
            let ends = [f64::INFINITY, f64::NEG_INFINITY];
            let [least, greatest] = numbers.iter().fold(ends, |[low, high], &x| [low.min(x), high.max(x)]);
            let said = found["ranges"][at].as_array().unwrap();
            // Where all are missing nothing is said.
            let said = [number(&said[0]).unwrap_or(ends[0]), number(&said[1]).unwrap_or(ends[1])];
            assert_eq!(said, [least, greatest], "{}", found["names"][at]);
        }
    }
}

/// A double by its bits.
fn number(bits: &Value) -> Option<f64> {
    Some(f64::from_bits(u64::from_str_radix(bits.as_str()?, 16).expect("bits")))
}

fn column<'a>(found: &'a Value, name: &str) -> &'a Vec<Value> {
    let names = found["names"].as_array().unwrap();
    let at = names.iter().position(|one| one == name).unwrap_or_else(|| panic!("no column `{name}` in {names:?}"));
    found["columns"][at].as_array().unwrap()
}

fn summary(folder: &Scratch, run: &str) -> Value {
    let text = fs::read_to_string(folder.path(run).join("summary.json")).expect("a summary");
    serde_json::from_str(&text).expect("JSON")
}

/// The units that a file has in its metadata.
fn units(found: &Value) -> BTreeMap<String, String> {
    serde_json::from_str(found["facts"]["holonom.units"].as_str().expect("units")).expect("JSON")
}

#[test]
fn others_read_the_tables_of_a_run() {
    if !has_pyarrow() {
        return;
    }
    let folder = Scratch::new("readers-run");
    for name in ["pendulum", "wheel", "bouncing-ball"] {
        let model = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../gallery/{name}/{name}.holo"));
        let run = format!("{name}.run");
        holonom(&folder, &["run", model.to_str().unwrap(), "--no-report", "--out", &run]);
        let found = &read(&folder, &[&format!("{run}/trajectory")])[0];
        assert_same(found);
        assert!(found["types"].as_array().unwrap().iter().all(|kind| kind == "double"), "{}", found["types"]);

        // Our own reading of the digits.
        let text = fs::read_to_string(folder.path(&run).join("trajectory.csv")).unwrap();
        for (row, line) in text.lines().skip(1).enumerate() {
            for (at, digits) in line.split(',').enumerate() {
                let bits = digits.parse::<f64>().unwrap().to_bits();
                assert_eq!(found["columns"][at][row], format!("{bits:016x}"), "row {row} of {}", found["names"][at]);
            }
        }

        let (summary, facts) = (summary(&folder, &run), &found["facts"]);
        assert_eq!(summary["rows"], column(found, "t").len());
        assert_eq!(facts["holonom.version"], env!("CARGO_PKG_VERSION"));
        assert_eq!((&facts["holonom.end"], &facts["holonom.partial"]), (&json!("finished"), &json!("false")));
        assert_eq!(facts["holonom.title"], summary["title"]);
        let columns = summary["columns"].as_array().unwrap().iter();
        let due =
            columns.filter_map(|one| Some((one["name"].as_str()?.to_string(), one["unit"].as_str()?.to_string())));
        let due: BTreeMap<String, String> = due.collect();
        assert_eq!(due["t"], "s");
        assert_eq!(units(found), due);
    }
}

/// Counts, texts, and numbers that are missing.
#[test]
fn others_read_the_tables_of_a_sweep() {
    if !has_pyarrow() {
        return;
    }
    let folder = Scratch::new("readers-sweep");
    let model = "param m = 1 kg, g = 9.81 m/s^2\ncoord x: m\nkinetic m*x'^2/2\npotential m*g*x\nstart x = 0 m, x' = 1 m/s\nrun until 1 s, every 0.25 s\n";
    fs::write(folder.path("thrown.holo"), model).unwrap();
    let points = ["sweep", "thrown.holo", "--vary", "m=1,-2,0.1", "--vary", "g=9.81,1.62", "--trajectories"];
    holonom(&folder, &points);
    let found = read(&folder, &["thrown.sweep/runs", "thrown.sweep/trajectories"]);
    let (runs, rows) = (&found[0], &found[1]);
    assert_same(runs);
    assert_eq!(*column(runs, "point"), [1, 2, 3, 4, 5, 6].map(Value::from));
    let ended = column(runs, "end");
    assert_eq!(*ended, ["finished", "finished", "refused", "refused", "finished", "finished"].map(Value::from));
    assert!(column(runs, "reason")[2].as_str().unwrap().len() > 10, "{}", column(runs, "reason")[2]);
    let x = column(runs, "x");
    assert!(x[2].is_null() && !x[4].is_null(), "{x:?}");
    assert_eq!((units(runs)["m"].as_str(), units(runs)["x"].as_str()), ("kg", "m"));
    assert_eq!(runs["facts"]["holonom.partial"], "false");

    // The trajectory of a point is that of a run.
    assert_eq!(rows["csv"], Value::Null);
    holonom(&folder, &["run", "thrown.holo", "--no-report", "--set", "m=0.1", "--set", "g=1.62"]);
    let alone = &read(&folder, &["thrown.run/trajectory"])[0];
    assert_same(alone);
    let last: Vec<usize> = (0..column(rows, "point").len()).filter(|&row| column(rows, "point")[row] == 6).collect();
    for name in alone["names"].as_array().unwrap() {
        let name = name.as_str().unwrap();
        let of_point: Vec<&Value> = last.iter().map(|&row| &column(rows, name)[row]).collect();
        assert_eq!(of_point, column(alone, name).iter().collect::<Vec<_>>(), "{name}");
    }
}
