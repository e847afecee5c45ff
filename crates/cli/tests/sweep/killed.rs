//! Killed and interrupted at any moment: the same command goes on, and the tables are those of a sweep in one go.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::{Folder, summary, table};
use holonom_random::Random;

const TABLES: [&str; 3] = ["runs.parquet", "runs.csv", "trajectories.parquet"];
const POINTS: &[&str] = &["--vary", "L=0.5:2:60", "--vary", "m=1,-1", "--trajectories", "--quiet"];

fn bytes(folder: &Path) -> Vec<Vec<u8>> {
    TABLES.iter().map(|name| fs::read(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))).collect()
}

/// Killed outright, again and again, with other numbers of workers each time.
#[test]
fn killed_at_random_moments_and_resumed_it_is_the_same_to_the_bit() {
    let folder = Folder::new("killed");
    let begin = Instant::now();
    assert_eq!(folder.sweep(&[POINTS, &["--out", "whole"]].concat()).status, Some(0));
    let length = begin.elapsed();
    let expected = bytes(&folder.path("whole"));

    let mut random = Random::new(1);
    let mut kills = 0;
    for attempt in 0..4 {
        let out = format!("attempt-{attempt}");
        for kill in 0..4 {
            let jobs = ["1", "2", "3", "5"][(attempt + kill) % 4];
            let mut command = folder.command(&[POINTS, &["--out", &out, "--jobs", jobs]].concat());
            let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
            sleep(length.mul_f64(0.6 * random.uniform(0.0, 1.0)));
            kills += usize::from(child.try_wait().unwrap().is_none());
            child.kill().unwrap();
            child.wait().unwrap();
            for name in TABLES {
                let found = fs::read(folder.path(&out).join(name)).ok();
                let place = TABLES.iter().position(|one| *one == name).unwrap();
                assert!(found.is_none_or(|found| found == expected[place]), "{name} is there and not whole");
            }
        }
        // The end of the file as a disk without power may leave it.
        if attempt == 2 {
            let journal = folder.path(&out).join("journal");
            let mut found = fs::read(&journal).unwrap_or_default();
            found.truncate(found.len().saturating_sub(11));
            found.extend([0; 4096]);
            if found.len() > 4096 + 16 {
                fs::write(&journal, found).unwrap();
            }
        }
        let last = folder.sweep(&[POINTS, &["--out", &out]].concat());
        assert_eq!(last.status, Some(0), "{}", last.err);
        assert!(bytes(&folder.path(&out)) == expected, "attempt {attempt}");
        assert_eq!(summary(&folder.path(&out))["partial"], false);
    }
    // How many depends on what else the machine does.
    assert!(kills >= 4, "some are killed on the way: {kills}");
}

/// Without rows of runs under way, the journal of a sweep that was killed is as long as that of one that was not: nothing was run twice.
#[test]
fn nothing_is_run_twice() {
    let folder = Folder::new("twice");
    let points = ["--vary", "L=0.5:2:300", "--quiet"];
    let begin = Instant::now();
    assert_eq!(folder.sweep(&[&points[..], &["--out", "whole"]].concat()).status, Some(0));
    let length = begin.elapsed();
    for _ in 0..3 {
        let mut child = folder.command(&[&points[..], &["--out", "parts"]].concat()).spawn().unwrap();
        sleep(length.mul_f64(0.3));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert_eq!(folder.sweep(&[&points[..], &["--out", "parts"]].concat()).status, Some(0));
    let sizes = ["whole", "parts"].map(|out| fs::metadata(folder.path(out).join("journal")).unwrap().len());
    assert_eq!(sizes[0], sizes[1]);
    let tables = ["whole", "parts"].map(|out| fs::read(folder.path(out).join("runs.parquet")).unwrap());
    assert!(tables[0] == tables[1]);
}

/// Ctrl-C leaves a table of what there is, and the same command completes it.
#[test]
fn an_interrupted_sweep_goes_on() {
    let folder = Folder::new("interrupted");
    let arguments = ["--vary", "L=0.5:2:4000", "--until", "20"];
    let mut child = folder.command(&arguments).spawn().unwrap();
    let journal = folder.path("pendulum.sweep/journal");
    while fs::metadata(&journal).map_or(0, |found| found.len()) < 20_000 {
        assert_eq!(child.try_wait().unwrap(), None, "it ended and did not begin");
        sleep(Duration::from_millis(5));
    }
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", String::from_utf8_lossy(&output.stderr));
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.contains(" interrupted") && said.contains("the same command continues from here"), "{said}");
    let out = folder.path("pendulum.sweep");
    let done = summary(&out)["counts"]["finished"].as_u64().unwrap();
    let (_, rows) = table(&out);
    assert_eq!(rows.len(), 4000);
    assert_eq!(rows.iter().filter(|row| row[2] == "finished").count() as u64, done);
    assert!(rows.iter().any(|row| row[2..5] == ["interrupted", "the sweep ended before it was run", ""]));

    // What was done is not done again.
    let mut child = folder.command(&arguments).spawn().unwrap();
    sleep(Duration::from_millis(300));
    child.kill().unwrap();
    let err = String::from_utf8(child.wait_with_output().unwrap().stderr).unwrap();
    assert!(err.starts_with(&format!("note: {done} of 4000 points were run before")), "{err}");
}
