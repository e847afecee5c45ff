//! `--open`: the page comes up in a browser, and a browser that does not come costs nothing but the exit code.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use std::{fs, thread, time};

use crate::{Folder, Run, assert_whole, end, gallery, holonom};

/// A browser that does what a script says.
fn browser(folder: &Folder, name: &str, script: &str) -> String {
    let path = folder.model(name, &format!("#!/bin/sh\n{script}\n"));
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("it may be run");
    path
}

/// Runs a command with this for `$BROWSER`, where the platform has no other.
fn with(folder: &Folder, browser: &str, arguments: &[&str]) -> Run {
    end(holonom().args(arguments).current_dir(&folder.0).env("BROWSER", browser).env("PATH", "/nowhere"))
}

fn opened(folder: &Folder) -> String {
    fs::read_to_string(folder.path("opened")).unwrap_or_default()
}

/// A browser that writes down what it is asked for, by `/bin/sh` alone.
const NOTES: &str = "echo \"$*\" > opened";

#[test]
fn run_report_and_gallery_open_their_page() {
    let folder = Folder::new("open");
    let fake = browser(&folder, "fake", NOTES);
    let page = |name: &str| {
        let path = fs::canonicalize(&folder.0).expect("a folder").join(name).join("report.html");
        format!("file://{}\n", path.display())
    };
    let pendulum = gallery("pendulum");
    for (arguments, name) in [
        (vec!["run", &pendulum, "--until", "1", "--open", "--out", "a"], "a"),
        (vec!["gallery", "run", "wheel", "--open"], "wheel.run"),
        (vec!["report", "a", "--open", "--plot", "x.svg"], "a"),
    ] {
        let _ = fs::remove_file(folder.path("opened"));
        let done = with(&folder, &fake, &arguments);
        assert_eq!((done.status, done.err.as_str()), (Some(0), ""), "{arguments:?}");
        assert_eq!(opened(&folder), page(name), "{arguments:?}");
    }
    // The list of commands that BROWSER may be, and where in them the address goes.
    let list = format!("/nowhere/browser:{fake} --new %s now");
    assert_eq!(with(&folder, &list, &["report", "a", "--open"]).status, Some(0));
    assert_eq!(opened(&folder), format!("--new {} now\n", page("a").trim_end()));
    // Without the option nothing opens.
    fs::remove_file(folder.path("opened")).expect("it was there");
    assert_eq!(with(&folder, &fake, &["report", "a"]).status, Some(0));
    assert_eq!(opened(&folder), "");
}

#[test]
fn without_a_browser_the_results_are_kept() {
    let folder = Folder::new("no-browser");
    let broken = browser(&folder, "broken", "exit 3");
    for (browser, why) in [("", ""), ("/nowhere/browser", "`/nowhere/browser` is not installed"), (&broken, "failed")] {
        let done = with(&folder, browser, &["run", &gallery("pendulum"), "--until", "1", "--open", "--out", "a"]);
        assert_eq!(done.status, Some(2), "{}", done.err);
        assert!(done.err.starts_with("error: cannot open `") && done.err.contains(why), "{}", done.err);
        assert!(done.err.contains("a/report.html") && done.err.contains("set BROWSER"), "{}", done.err);
        assert_whole(&folder.path("a"));
    }
    let done = with(&folder, &broken, &["run", &gallery("pendulum"), "--open", "--no-report"]);
    assert_eq!(done.status, Some(2), "there is nothing to open: {}", done.err);
}

/// A browser that goes on is not waited for, and what it says does not come here.
#[test]
fn the_browser_goes_on_by_itself() {
    let folder = Folder::new("detached");
    let script = "echo $$ > opened\necho out\necho err >&2\nread line\nwhile :; do /bin/sleep 1; done";
    let slow = browser(&folder, "slow", script);
    let done = with(&folder, &slow, &["run", &gallery("pendulum"), "--until", "1", "--quiet", "--open", "--out", "a"]);
    assert_eq!((done.status, done.out.as_str(), done.err.as_str()), (Some(0), "", ""));
    let process = opened(&folder);
    let signal = |name: &str| Command::new("kill").args([name, process.trim()]).status().expect("`kill` is there");
    assert!(!process.trim().is_empty() && signal("-0").success(), "the browser lives on");
    assert!(signal("-KILL").success());
    while Path::new("/proc").join(process.trim()).join("cwd").exists() {
        thread::sleep(time::Duration::from_millis(5));
    }
}
