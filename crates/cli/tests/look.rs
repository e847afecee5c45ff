//! What people look at: the gallery, reports and figures, by the command.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// A folder of its own for each test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("holonom-look-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder");
        Self(path)
    }

    fn holonom(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_holonom"));
        command.args(arguments).current_dir(&self.0).output().expect("the command runs")
    }

    fn succeeds(&self, arguments: &[&str]) -> String {
        let found = self.holonom(arguments);
        let errors = String::from_utf8_lossy(&found.stderr);
        assert!(found.status.success(), "{arguments:?}: {errors}");
        String::from_utf8_lossy(&found.stdout).into_owned()
    }

    fn fails(&self, arguments: &[&str]) -> String {
        let found = self.holonom(arguments);
        assert_eq!(found.status.code(), Some(2), "{arguments:?}");
        String::from_utf8_lossy(&found.stderr).into_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Every model of the gallery runs into a report, and what it expects holds; those that are there for a message show it.
#[test]
fn every_entry_of_the_gallery_runs() {
    let folder = Folder::new("all");
    let names = folder.succeeds(&["gallery", "--names"]);
    let names: Vec<&str> = names.lines().collect();
    assert!(names.len() > 50, "{names:?}");
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(name) = names.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let out = format!("{}.run", name.replace('/', "-"));
                    let said = folder.succeeds(&["gallery", "run", name, "--out", &out]);
                    let report = fs::metadata(folder.0.join(&out).join("report.html"));
                    assert!(report.is_ok() != said.contains("it does not run"), "{name}: {said}");
                }
            });
        }
    });
}

#[test]
fn the_gallery_lists_shows_and_copies() {
    let folder = Folder::new("copy");
    let list = folder.succeeds(&["gallery"]);
    assert!(list.contains("Pendulums\n") && list.contains("  wheel "), "{list}");
    let shown = folder.succeeds(&["gallery", "show", "block/smooth"]);
    assert!(shown.contains("# Block on a rough incline") && shown.contains("smooth.holo:"), "{shown}");
    folder.succeeds(&["gallery", "copy", "two-arms", "mine"]);
    assert!(folder.0.join("mine.holo").exists() && folder.0.join("arm.holo").exists(), "what it reads comes along");
    folder.succeeds(&["run", "mine.holo", "--until", "0.1", "--quiet"]);
    let refused = folder.fails(&["gallery", "copy", "two-arms", "mine"]);
    assert!(refused.contains("overwrites nothing"), "{refused}");
    let refused = folder.fails(&["gallery", "run", "wheell"]);
    assert!(refused.contains("did you mean `wheel`"), "{refused}");
}

/// The page of an earlier run is the page of the run.
#[test]
fn a_report_can_be_written_again() {
    let folder = Folder::new("again");
    folder.succeeds(&["gallery", "run", "appell/measured", "--until", "1", "--quiet", "--formulas", "--out", "one"]);
    let first = fs::read(folder.0.join("one/report.html")).expect("a report");
    fs::remove_file(folder.0.join("one/report.html")).expect("it is there");
    folder.succeeds(&["report", "one"]);
    assert!(fs::read(folder.0.join("one/report.html")).expect("a report") == first, "another page");
    let said = folder.succeeds(&["report", "one", "--plot", "a.svg", "--plot", "b.png: energy"]);
    assert_eq!(said, "wrote a.svg\nwrote b.png\n");
    assert!(Path::new(&folder.0.join("b.png")).exists());
    let refused = folder.fails(&["report", "nowhere"]);
    assert!(refused.contains("is this the folder of a run"), "{refused}");
    // A table that is not that of the summary is not told of.
    let table = folder.0.join("one/trajectory.csv");
    let text = fs::read_to_string(&table).expect("a table");
    let lines: Vec<&str> = text.lines().collect();
    fs::write(&table, lines[..lines.len() - 1].join("\n") + "\n").expect("it can be written");
    let refused = folder.fails(&["report", "one"]);
    assert!(refused.contains("trajectory.csv") && refused.contains("rows"), "{refused}");
}

#[test]
fn figures_are_written_or_refused_before_the_run() {
    let folder = Folder::new("figures");
    folder.succeeds(&["gallery", "run", "wheel", "--quiet", "--plot", "w.svg: picture", "--plot", "e.png:energy"]);
    assert!(fs::read_to_string(folder.0.join("w.svg")).expect("a figure").starts_with("<svg"));
    let refused = folder.fails(&["gallery", "run", "wheel", "--out", "no", "--plot", "x.svg: thta"]);
    assert!(refused.contains("did you mean `theta`") && !folder.0.join("no").exists(), "{refused}");
    folder.fails(&["gallery", "run", "wheel", "--plot", "x.pdf"]);
    let without = folder.succeeds(&["gallery", "run", "wheel", "--no-report", "--out", "plain"]);
    assert!(!without.contains("report.html") && !folder.0.join("plain/report.html").exists());
}
