//! What a run writes, where, and what it says about it.

use std::fs;
use std::io::Write;
use std::process::Stdio;

use serde_json::Value;

use crate::{FILES, Folder, assert_whole, end, gallery, holonom, names, run, table};

#[test]
fn a_run_writes_a_table_and_a_summary() {
    let folder = Folder::new("writes");
    let out = folder.path("new/folder");
    let done = run(&[&gallery("pendulum"), "--out", &out]);
    assert_eq!((done.status, done.err.as_str()), (Some(0), ""));
    let summary = assert_whole(&out);
    assert_eq!(summary["end"], "finished");
    assert_eq!(summary["partial"], false);
    assert_eq!((&summary["time"], &summary["until"]), (&10.0.into(), &10.0.into()));
    assert_eq!(summary["title"], "Pendulum in Cartesian coordinates");
    assert_eq!(summary["holonom"], env!("CARGO_PKG_VERSION"));
    for key in ["settings", "statistics", "evidence", "ranks", "events", "expectations", "messages", "set", "form"] {
        assert!(summary.get(key).is_some(), "no {key} in {summary}");
    }
    assert!(summary["statistics"]["steps"].as_u64().unwrap() > 10);
    for word in ["finished at t = 10", "rows", "steps", "trajectory.csv", &out] {
        assert!(done.out.contains(word), "no `{word}` in\n{}", done.out);
    }
}

#[test]
fn without_a_folder_results_lie_beside_us() {
    let folder = Folder::new("beside");
    let done = end(holonom().current_dir(&folder.0).args(["run", &gallery("wheel"), "--quiet"]));
    assert_eq!((done.status, done.out.as_str(), done.err.as_str()), (Some(0), "", ""), "quiet is quiet");
    assert_whole(&folder.path("wheel.run"));

    let text = fs::read_to_string(gallery("wheel")).unwrap();
    let mut command = holonom();
    let mut child =
        command.current_dir(&folder.0).args(["run", "-"]).stdin(Stdio::piped()).spawn().expect("the command starts");
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert_whole(&folder.path("model.run"));
}

#[test]
fn rows_are_recorded_as_asked() {
    let folder = Folder::new("every");
    let out = folder.path("a");
    let done = run(&[&gallery("pendulum"), "--until", "2 s", "--every", "500 ms", "--out", &out]);
    assert_eq!(done.status, Some(0), "{}", done.err);
    let times: Vec<f64> = table(&out).1.iter().map(|row| row[0]).collect();
    assert_eq!(times, [0.0, 0.5, 1.0, 1.5, 2.0]);
    assert_eq!(assert_whole(&out)["settings"]["every"], 0.5);
    // Without that, about 500 points and the ends of steps.
    run(&[&gallery("pendulum"), "--until", "2", "--out", &out]);
    assert!(table(&out).1.len() >= 500);
}

/// LANGUAGE: `t`, coordinates with their rates, forces of constraint, multipliers, energies, residuals, outputs.
#[test]
fn columns_are_named_as_in_the_model() {
    let folder = Folder::new("columns");
    let out = folder.path("a");
    run(&[&gallery("wheel"), "--out", &out]);
    let (names, _) = table(&out);
    assert_eq!(names[..7], ["t", "theta", "theta'", "theta''", "y", "y'", "y''"]);
    let more = ["Qi.theta", "Qi.y", "Qni.y", "multiplier.no_slip", "reaction.no_slip", "kinetic", "potential"];
    for name in more.iter().chain(&["residual.position", "residual.velocity"]) {
        assert!(names.iter().any(|found| found == name), "no column `{name}` in {names:?}");
    }
}

/// The wheel rolls down as θ = ½ θ̈ t² with the closed form of its acceleration, also with other parameters.
#[test]
fn parameters_are_set_from_outside() {
    let folder = Folder::new("set");
    let out = folder.path("a");
    let done = run(&[&gallery("wheel"), "--set", "m=3 kg", "--set", "R=200 cm", "--until", "1", "--out", &out]);
    assert_eq!(done.status, Some(0), "{}", done.err);
    let summary = assert_whole(&out);
    assert_eq!((&summary["set"]["m"], &summary["set"]["R"]), (&3.0.into(), &2.0.into()));
    let (_, rows) = table(&out);
    let last = rows.last().unwrap();
    let expected = 0.5 * 3.0 * 9.81 * 2.0 * 0.5 / (3.0 * 4.0 + 0.25);
    assert!((last[1] - expected).abs() < 1e-9, "{} is not {expected}", last[1]);

    for (set, status, word) in [("m=3 s", 2, "`kg`"), ("m=heavy", 2, "heavy"), ("mm=3", 1, "`mm`")] {
        let refused = run(&[&gallery("wheel"), "--set", set, "--out", &folder.path("b")]);
        assert_eq!(refused.status, Some(status), "{set}: {}", refused.err);
        assert!(refused.err.contains(word), "{set}: {}", refused.err);
    }
    assert!(names(&folder.path("b")).is_empty());
}

#[test]
fn the_summary_can_be_printed() {
    let folder = Folder::new("json");
    let out = folder.path("a");
    let done = run(&[&gallery("pendulum"), "--json", "--out", &out]);
    assert_eq!((done.status, done.err.as_str()), (Some(0), ""));
    assert_eq!(done.out.lines().count(), 1);
    let printed: Value = serde_json::from_str(&done.out).unwrap();
    assert_eq!(printed, assert_whole(&out));
}

/// The same input gives the same bytes, whoever else is at work.
#[test]
fn the_same_run_gives_the_same_bytes() {
    let folder = Folder::new("same");
    let bytes = |name: &str, threads: Option<&str>| {
        let out = folder.path(name);
        let mut command = holonom();
        command.args(["run", &gallery("four-bar"), "--quiet", "--formulas", "--until", "3", "--out", &out]);
        if let Some(threads) = threads {
            command.env("RAYON_NUM_THREADS", threads);
        }
        assert_eq!(end(&mut command).status, Some(0));
        FILES.map(|file| fs::read(folder.0.join(name).join(file)).unwrap())
    };
    let first = bytes("a", None);
    assert!(first == bytes("b", None));
    assert!(first == bytes("c", Some("1")));
}

/// An event that stops a run is an end like another.
#[test]
fn an_event_may_stop_a_run() {
    let folder = Folder::new("event");
    let text =
        "title Falling\ncoord y\nkinetic y'^2/2\nforce y: -2\nstart y = 1\nevent ground: y < 0 -> stop\nrun until 5\n";
    let out = folder.path("a");
    let done = run(&[&folder.model("fall.holo", text), "--out", &out]);
    assert_eq!(done.status, Some(0), "{}", done.err);
    let summary = assert_whole(&out);
    assert_eq!(
        (&summary["end"], &summary["event"], &summary["partial"]),
        (&"stopped".into(), &"ground".into(), &false.into())
    );
    assert!((summary["time"].as_f64().unwrap() - 1.0).abs() < 1e-9);
    assert_eq!(summary["events"][0]["name"], "ground");
    assert!(done.out.contains("stopped by ground at t = 1"), "{}", done.out);
}

#[test]
fn the_help_tells_how_it_ends() {
    let help = run(&["--help"]).out;
    for word in ["--until", "--every", "--rtol", "--out", "Exit status:", "130", "Examples:"] {
        assert!(help.contains(word), "no {word} in the help");
    }
}
