//! Interrupted and killed at any moment: a run leaves whole files or none.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::{FILES, Folder, assert_whole, end, gallery, holonom, names, run};
use holonom_random::Random;

/// A run that will not end by itself, once it is under way: it listens before it makes its folder.
fn endless(out: &str) -> Child {
    let mut command = holonom();
    command.args(["run", &gallery("pendulum"), "--until", "1e7", "--every", "0.5", "--out", out]);
    let mut child = command.spawn().expect("the command starts");
    while !Path::new(out).exists() {
        assert_eq!(child.try_wait().unwrap(), None, "it ended and did not begin");
        sleep(Duration::from_millis(2));
    }
    child
}

fn signal(child: &Child, name: &str) {
    let sent =
        Command::new("kill").args([format!("-{name}"), child.id().to_string()]).status().expect("`kill` is there");
    assert!(sent.success());
}

#[test]
fn an_interruption_keeps_what_was_computed() {
    for name in ["INT", "TERM", "HUP"] {
        let folder = Folder::new(&format!("interrupted-{name}"));
        let out = folder.path("a");
        let child = endless(&out);
        sleep(Duration::from_millis(300));
        assert!(names(&out).is_empty() || !cfg!(target_os = "linux"), "nothing is seen before it is whole");
        signal(&child, name);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130), "{}", String::from_utf8_lossy(&output.stderr));
        let summary = assert_whole(&out);
        assert_eq!((&summary["end"], &summary["partial"]), (&"interrupted".into(), &true.into()));
        assert!(summary["time"].as_f64().unwrap() < 1e9);
        assert!(summary["rows"].as_u64().unwrap() > 1, "something was computed");
        let page = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(page.contains("interrupted at t = ") && page.contains("the rows so far are kept"), "{page}");
    }
}

/// Two requests while it is held up: it ends at once and writes nothing.
#[cfg(target_os = "linux")]
#[test]
fn who_insists_gets_nothing_half() {
    let folder = Folder::new("insists");
    let out = folder.path("a");
    let child = endless(&out);
    sleep(Duration::from_millis(50));
    for name in ["STOP", "INT", "TERM", "CONT"] {
        signal(&child, name);
    }
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(130), &[][..]));
    assert!(names(&out).is_empty());
}

/// Files that a run would leave behind, as bytes.
fn bytes(out: &str) -> [Option<Vec<u8>>; 4] {
    FILES.map(|name| fs::read(Path::new(out).join(name)).ok())
}

/// Killed at random moments, over nothing and over the files of an earlier run: each file is the old or the new one, and
/// where there is a summary, all are of the same run.
#[test]
fn killed_at_any_moment_files_are_whole() {
    let folder = Folder::new("killed");
    let (old, new, out) = (folder.path("old"), folder.path("new"), folder.path("out"));
    let pendulum = gallery("pendulum");
    assert_eq!(run(&[&pendulum, "--until", "1", "--every", "0.25", "--out", &old]).status, Some(0));
    let arguments = ["run", &pendulum, "--until", "10", "--every", "0.005", "--quiet", "--formulas", "--out"];
    let begin = Instant::now();
    assert_eq!(end(holonom().args(arguments).arg(&new)).status, Some(0));
    let length = begin.elapsed();
    let (old_files, new_files, none) = (bytes(&old), bytes(&new), [None, None, None, None]);
    let summary = FILES.iter().position(|name| *name == "summary.json").unwrap();

    let mut random = Random::new(1);
    let mut seen = [0; 3];
    for attempt in 0..100 {
        let fraction = random.uniform(0.0, 1.0);
        // Every other time near the end, when files take their names.
        let when = if attempt % 2 == 0 { 1.2 * fraction } else { 0.8 + 0.4 * fraction };
        let over_old = attempt % 4 < 2;
        let _ = fs::remove_dir_all(&out);
        if over_old {
            fs::create_dir(&out).unwrap();
            for name in FILES {
                fs::copy(Path::new(&old).join(name), Path::new(&out).join(name)).unwrap();
            }
        }
        let mut command = holonom();
        let mut child = command.args(arguments).arg(&out).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        sleep(length.mul_f64(when));
        child.kill().unwrap();
        child.wait().unwrap();

        let before = if over_old { &old_files } else { &none };
        let found = bytes(&out);
        for (which, name) in FILES.iter().enumerate() {
            let whole = found[which] == before[which] || found[which] == new_files[which];
            assert!(
                whole || (which == summary && found[summary].is_none()),
                "{name} is neither the old one nor the new one"
            );
        }
        if found[summary].is_some() {
            assert!(found == *before || found == new_files, "the summary tells of other files");
        }
        seen[if found == new_files { 2 } else { usize::from(found != *before) }] += 1;
    }
    // Whatever was left behind goes with the next run.
    assert_eq!(end(holonom().args(arguments).arg(&out)).status, Some(0));
    assert_eq!(bytes(&out), new_files);
    assert_whole(&out);
    assert!(seen[0] > 0 && seen[2] > 0, "killed before and after: {seen:?}");
}

/// A killed `solve` leaves no draft either.
#[cfg(target_os = "linux")]
#[test]
fn a_killed_solve_leaves_nothing() {
    let folder = Folder::new("solve");
    let out = folder.path("answers.jsonl");
    let mut child = holonom().args(["solve", "--out", &out]).stdin(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    std::io::Write::write_all(&mut input, b"{\"M\": [[2]], \"Q\": [3]}\n").unwrap();
    sleep(Duration::from_millis(100));
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(names(&folder.path("")).is_empty());
}
