//! Files in and out, usage, and exit status.

use std::fs;

use crate::{Folder, holonom, run, solve};

const LINE: &str = "{\"M\": [[2]], \"Q\": [3]}\n";

#[test]
fn input_comes_from_a_file_or_from_standard_input() {
    let folder = Folder::new("input");
    fs::write(folder.path("in.jsonl"), LINE).unwrap();
    let from_file = solve(&[&folder.path("in.jsonl")], "");
    for arguments in [&[][..], &["-"]] {
        assert_eq!(solve(arguments, LINE).out, from_file.out);
    }
    assert_eq!((from_file.status, from_file.out.lines().count()), (0, 1));
    assert_eq!(solve(&[], "").status, 0, "nothing to answer is no mistake");
}

#[test]
fn an_output_file_is_written_whole() {
    let folder = Folder::new("whole");
    let out = folder.path("out.jsonl");
    fs::write(&out, "old").unwrap();
    let run = solve(&["--out", &out], LINE);
    assert_eq!((run.status, run.out.as_str(), run.err.as_str()), (0, "", ""));
    assert_eq!(fs::read_to_string(&out).unwrap(), solve(&[], LINE).out);
    // With bad lines it is whole as well: they are answered too.
    assert_eq!(solve(&["--out", &out], &format!("{LINE}oops\n{LINE}")).status, 1);
    assert_eq!(fs::read_to_string(&out).unwrap().lines().count(), 3);
    assert_eq!(folder.files(), ["out.jsonl"], "no draft is left behind");
}

#[test]
fn input_and_output_may_be_the_same_file() {
    let folder = Folder::new("same");
    let path = folder.path("systems.jsonl");
    fs::write(&path, LINE).unwrap();
    assert_eq!(solve(&[&path, "--out", &path], "").status, 0);
    assert_eq!(fs::read_to_string(&path).unwrap(), solve(&[], LINE).out);
}

#[test]
fn a_failure_leaves_the_output_file_as_it_was() {
    let folder = Folder::new("failure");
    let out = folder.path("out.jsonl");
    fs::write(&out, "old").unwrap();
    // A folder can be opened, but not read.
    let run = solve(&[folder.0.to_str().unwrap(), "--out", &out], "");
    assert_eq!((run.status, run.out.as_str()), (2, ""));
    assert!(run.err.starts_with("error[unreadable-input]: cannot read `"), "{}", run.err);
    assert_eq!(fs::read_to_string(&out).unwrap(), "old");
    assert_eq!(folder.files(), ["out.jsonl"], "no draft is left behind");
}

#[test]
fn a_file_that_cannot_be_read_or_written_is_named() {
    let folder = Folder::new("unwritable");
    let missing = folder.path("missing.jsonl");
    let run = solve(&[&missing], "");
    let expected = format!(
        "error[unreadable-input]: cannot read `{missing}`: no such file or directory\n  \
         = help: give a file of JSON lines, or `-` for standard input\n"
    );
    assert_eq!((run.status, run.err), (2, expected));
    let nowhere = folder.path("no/such/folder.jsonl");
    let run = solve(&["--out", &nowhere], LINE);
    let expected = format!("error[unwritable-output]: cannot write `{nowhere}`: no such file or directory\n");
    assert!(run.status == 2 && run.err.starts_with(&expected), "{}", run.err);
    let run = solve(&["--out", folder.0.to_str().unwrap()], LINE);
    assert!(run.status == 2 && run.err.contains("is a directory"), "{}", run.err);
}

#[cfg(target_os = "linux")]
#[test]
fn devices_are_written_to_and_not_replaced() {
    use std::os::unix::fs::FileTypeExt;
    assert_eq!(solve(&["--out", "/dev/null"], LINE).status, 0);
    assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
    let run = solve(&["--out", "/dev/full"], LINE);
    assert!(run.status == 2 && run.err.contains("no space left on device"), "{}", run.err);
}

#[test]
fn usage_is_explained() {
    for arguments in [&["solve", "--threads", "0"][..], &["solve", "--no-such"], &["solve", "a", "b"], &["sulve"], &[]]
    {
        let run = run(holonom().args(arguments), b"");
        assert_eq!((run.status, run.out.as_str()), (2, ""), "{arguments:?}");
        assert!(run.err.contains("--help") || run.err.contains("Usage:"), "{arguments:?}: {}", run.err);
    }
    let version = run(holonom().arg("--version"), b"");
    assert_eq!((version.status, version.out), (0, format!("holonom {}\n", env!("CARGO_PKG_VERSION"))));
    let help = run(holonom().args(["solve", "--help"]), b"").out;
    for word in ["--out", "--audit", "--pretty", "--threads", "Examples:", "Exit status:", "qdd"] {
        assert!(help.contains(word), "{word} is not in the help");
    }
}

/// The examples in the help do what it says.
#[test]
fn the_examples_in_the_help_work() {
    let help = run(holonom().args(["solve", "--help"]), b"").out;
    let lines: Vec<&str> = help.lines().filter_map(|line| line.trim().strip_prefix("echo '")).collect();
    assert!(!lines.is_empty());
    for line in lines {
        let (input, command) = line.split_once("' | holonom solve").expect("an example");
        let arguments: Vec<&str> = command.split_whitespace().collect();
        assert_eq!(solve(&arguments, input).status, 0, "{line}");
    }
}
