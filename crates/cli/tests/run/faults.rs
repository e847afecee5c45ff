//! Models and folders that are refused, runs that fail, and disks that are full: nothing half-written, nothing lost.

use std::fs;

use serde_json::Value;

use crate::{Folder, assert_whole, end, gallery, holonom, names, run};

#[test]
fn a_model_that_is_refused_leaves_no_folder() {
    let folder = Folder::new("refused");
    let model = folder.model("bad.holo", "coord x\nkinetic xx'^2/2\n");
    let out = folder.path("a");
    let refused = run(&[&model, "--out", &out]);
    assert_eq!((refused.status, refused.out.as_str()), (Some(1), ""));
    assert!(refused.err.contains("error[unknown-name]"), "{}", refused.err);
    let refused = run(&[&model, "--json", "--out", &out]);
    let answer: Value = serde_json::from_str(&refused.out).unwrap();
    assert_eq!((&answer["end"], &answer["messages"][0]["code"]), (&"refused".into(), &"unknown-name".into()));
    assert_eq!(run(&[&folder.path("missing.holo"), "--out", &out]).status, Some(2));
    assert!(!fs::exists(&out).unwrap());
}

#[test]
fn usage_is_explained() {
    let wheel = gallery("wheel");
    for (arguments, word) in [
        (&["--until", "3 kg"][..], "not a time"),
        (&["--until", "0"], "positive"),
        (&["--every=-1"], "positive"),
        (&["--rtol", "2"], "between 0 and 1"),
        (&["--method", "euler"], "explicit"),
        (&["--drift", "much"], "baumgarte"),
        (&["--no-such"], "--no-such"),
    ] {
        let refused = run(&[&[wheel.as_str()], arguments].concat());
        assert_eq!((refused.status, refused.out.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(refused.err.contains(word), "{arguments:?}: {}", refused.err);
    }
}

/// More records than any disk holds are refused before the run.
#[test]
fn too_many_records_are_refused() {
    for (every, records) in [("1e-300", "e300 records"), ("1e-12", "e12 records"), ("1e-9", "e9 records")] {
        let refused = run(&[&gallery("wheel"), "--until", "2", "--every", every]);
        assert_eq!(refused.status, Some(1), "{}", refused.out);
        assert!(refused.err.contains("error[run-setting]") && refused.err.contains(records), "{}", refused.err);
    }
}

/// A full disk behind standard output: every command says so and ends with 2. A reader who has gone away is no failure.
#[test]
#[cfg(target_os = "linux")]
fn output_that_cannot_be_written_is_a_failure() {
    let (folder, wheel) = (Folder::new("full"), gallery("wheel"));
    let out = folder.path("a");
    let commands: [&[&str]; 12] = [
        &["--help"],
        &["--version"],
        &["run", "--help"],
        &["check", &wheel],
        &["check", &wheel, "--json"],
        &["explain", &wheel],
        &["run", &wheel, "--out", &out],
        &["gallery"],
        &["papers"],
        &["new", "--list"],
        &["completions", "bash"],
        &["man"],
    ];
    for arguments in commands {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let ended = holonom().args(arguments).stdout(full).output().unwrap();
        let err = String::from_utf8_lossy(&ended.stderr);
        assert_eq!(ended.status.code(), Some(2), "{arguments:?}: {err}");
        assert!(err.contains("cannot write to standard output") && !err.contains("panicked"), "{arguments:?}: {err}");
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let ended = holonom().args(arguments).stdout(writer).output().unwrap();
        let err = String::from_utf8_lossy(&ended.stderr);
        assert!(!err.contains("standard output") && !err.contains("panicked"), "{arguments:?}: {err}");
        assert_eq!(ended.status.code(), Some(0), "{arguments:?}: {err}");
    }
}

/// A blow-up stops the run; what was computed until then is kept, and marked.
#[test]
fn what_a_failed_run_computed_is_kept() {
    let folder = Folder::new("failed");
    // x'' = 6 x² with x = 1/(1 - t)².
    let text = "title Blow-up\ncoord x\nkinetic x'^2/2\nforce x: 6*x^2\nstart x = 1, x' = 2\nrun until 5\n";
    let out = folder.path("a");
    let failed = run(&[&folder.model("blow.holo", text), "--out", &out]);
    assert_eq!(failed.status, Some(1), "{}", failed.out);
    assert!(failed.err.contains("error["), "{}", failed.err);
    let summary = assert_whole(&out);
    assert_eq!((&summary["end"], &summary["partial"]), (&"failed".into(), &true.into()));
    assert!(summary["time"].as_f64().unwrap() < 1.0 + 1e-6);
    assert!(!summary["messages"].as_array().unwrap().is_empty());
}

#[test]
fn a_folder_that_cannot_be_is_named_before_the_run() {
    let folder = Folder::new("way");
    fs::write(folder.path("file"), "mine").unwrap();
    fs::create_dir_all(folder.path("taken/trajectory.csv")).unwrap();
    for (out, word) in
        [("file", "in the way"), ("file/below", "in the way"), ("taken", "trajectory.csv`: is a directory")]
    {
        // A run of this length would take for ever: it does not begin.
        let refused = run(&[&gallery("pendulum"), "--until", "1e12", "--out", &folder.path(out)]);
        assert_eq!((refused.status, refused.out.as_str()), (Some(2), ""), "{out}");
        assert!(refused.err.starts_with("error[unwritable-output]: cannot write `"), "{}", refused.err);
        for word in [word, "nothing was run", "= help: ", &folder.path(out)] {
            assert!(refused.err.contains(word), "no `{word}` in {}", refused.err);
        }
    }
    assert_eq!(fs::read_to_string(folder.path("file")).unwrap(), "mine");
    assert_eq!(names(&folder.path("taken")), ["trajectory.csv"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_may_not_be_written_to_is_named() {
    let refused = run(&[&gallery("pendulum"), "--until", "1e12", "--out", "/proc/holonom.run"]);
    assert_eq!(refused.status, Some(2), "{}", refused.err);
    assert!(refused.err.contains("cannot write `/proc/holonom.run`"), "{}", refused.err);

    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new("rights");
    let out = folder.path("locked");
    fs::create_dir(&out).unwrap();
    fs::set_permissions(&out, fs::Permissions::from_mode(0o555)).unwrap();
    // Whoever runs this as root may write everywhere.
    if fs::write(format!("{out}/probe"), "").is_err() {
        let refused = run(&[&gallery("pendulum"), "--until", "1e12", "--out", &out]);
        assert_eq!(refused.status, Some(2), "{}", refused.err);
        assert!(refused.err.contains("permission denied"), "{}", refused.err);
        assert!(names(&out).is_empty());
    }
}

/// A file that may not grow is to a program what a full disk is. The folder is as it was, and the run says what was lost.
#[cfg(unix)]
#[test]
fn a_full_disk_loses_nothing_that_was_there() {
    let folder = Folder::new("full");
    let out = folder.path("a");
    let limited = |out: &str| {
        let mut command = std::process::Command::new("sh");
        command.args(["-c", "ulimit -f 64; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_holonom"), "run"]);
        end(command.args([&gallery("pendulum"), "--until", "100", "--every", "0.001", "--out", out]))
    };
    let failed = limited(&out);
    assert_eq!((failed.status, failed.out.as_str()), (Some(2), ""), "{}", failed.err);
    for word in
        ["error[unwritable-output]: cannot write `", "trajectory.", "file too large", "nothing was written", "ulimit"]
    {
        assert!(failed.err.contains(word), "no `{word}` in {}", failed.err);
    }
    assert!(!fs::exists(&out).unwrap(), "a folder that was made for this run goes with it");

    assert_eq!(end(holonom().args(["run", &gallery("wheel"), "--out", &out])).status, Some(0));
    let before = assert_whole(&out);
    assert_eq!(limited(&out).status, Some(2));
    assert_eq!(assert_whole(&out), before, "what was reported as written is still there");
}
