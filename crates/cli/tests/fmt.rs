//! `holonom fmt` and `holonom show tokens`, from the outside.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::{env, fs, process};

const UNTIDY: &str = "param m=2 kg   # heavy\ncoord x:m\nkinetic m*x'^2 / 2\n";
const TIDY: &str = "param      m = 2 kg  # heavy\ncoord      x: m\nkinetic    m*x'^2/2\n";
const WRONG: &str = "param m = 2 kg\nkinetic m*x'^2/2 +\n";

/// A folder of its own for each test, gone when the test has passed.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = env::temp_dir().join(format!("holonom-fmt-{name}-{}", process::id()));
        fs::create_dir_all(&path).expect("a folder to work in");
        Self(path)
    }

    fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        fs::write(&path, text).expect("a file to work on");
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn holonom() -> Command {
    Command::new(env!("CARGO_BIN_EXE_holonom"))
}

fn ended(output: &Output) -> (Option<i32>, String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("text");
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn files_are_laid_out_in_place_and_then_stay() {
    let folder = Folder::new("place");
    let file = folder.file("a.holo", UNTIDY);
    for _ in 0..2 {
        let (status, out, err) = ended(&holonom().arg("fmt").arg(&file).output().expect("it runs"));
        assert_eq!((status, out.as_str(), err.as_str()), (Some(0), "", ""));
        assert_eq!(fs::read_to_string(&file).expect("it is there"), TIDY);
    }
    assert_eq!(fs::read_dir(&folder.0).expect("it is there").count(), 1, "no drafts are left behind");
}

#[test]
fn check_and_stdout_write_no_files() {
    let folder = Folder::new("check");
    let (untidy, tidy) = (folder.file("a.holo", UNTIDY), folder.file("b.holo", TIDY));
    let (status, out, _) = ended(&holonom().args(["fmt", "--check"]).args([&untidy, &tidy]).output().expect("it runs"));
    assert_eq!((status, out), (Some(1), format!("{} would change\n", untidy.display())));
    let (status, out, _) = ended(&holonom().args(["fmt", "--check"]).arg(&tidy).output().expect("it runs"));
    assert_eq!((status, out.as_str()), (Some(0), ""));
    let (status, out, _) = ended(&holonom().args(["fmt", "--stdout"]).arg(&untidy).output().expect("it runs"));
    assert_eq!((status, out.as_str()), (Some(0), TIDY));
    assert_eq!(fs::read_to_string(&untidy).expect("it is there"), UNTIDY);
}

#[test]
fn models_with_errors_are_shown_and_left_alone() {
    let folder = Folder::new("errors");
    let (wrong, untidy) = (folder.file("wrong.holo", WRONG), folder.file("a.holo", UNTIDY));
    let (status, out, err) = ended(&holonom().arg("fmt").args([&wrong, &untidy]).output().expect("it runs"));
    assert_eq!((status, out.as_str()), (Some(1), ""));
    assert!(err.contains("wrong.holo:2:") && err.ends_with("1 error\n") && !err.contains('\x1b'), "{err}");
    assert_eq!(fs::read_to_string(&wrong).expect("it is there"), WRONG);
    assert_eq!(fs::read_to_string(&untidy).expect("it is there"), TIDY, "one wrong model does not stop the others");
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let folder = Folder::new("missing");
    let (status, _, err) = ended(&holonom().arg("fmt").arg(folder.0.join("none.holo")).output().expect("it runs"));
    assert!(status == Some(2) && err.contains("none.holo"), "{err}");
    let latin = folder.0.join("latin.holo");
    fs::write(&latin, b"title \xe4\n").expect("a file to work on");
    let (status, _, err) = ended(&holonom().arg("fmt").arg(&latin).output().expect("it runs"));
    assert!(status == Some(2) && err.contains("UTF-8"), "{err}");
}

#[test]
fn standard_input_goes_to_standard_output() {
    let mut command = holonom();
    command.args(["fmt", "-"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().expect("it runs");
    child.stdin.take().expect("it has an input").write_all(UNTIDY.as_bytes()).expect("it reads");
    let (status, out, _) = ended(&child.wait_with_output().expect("it ends"));
    assert_eq!((status, out.as_str()), (Some(0), TIDY));
}

#[test]
fn what_was_done_as_json() {
    let folder = Folder::new("json");
    let files = [folder.file("a.holo", UNTIDY), folder.file("b.holo", TIDY), folder.file("c.holo", WRONG)];
    let (status, out, _) = ended(&holonom().args(["fmt", "--json"]).args(&files).output().expect("it runs"));
    let lines: Vec<serde_json::Value> = out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(status, Some(1));
    assert_eq!(
        lines.iter().map(|line| line["changed"].as_bool()).collect::<Vec<_>>(),
        [Some(true), Some(false), Some(false)]
    );
    assert_eq!(lines[2]["diagnostics"][0]["line"], 2);
}

#[test]
fn tokens_are_shown_with_their_places() {
    let folder = Folder::new("tokens");
    let file = folder.file("a.holo", "coord x:m # c\n");
    let (status, out, _) = ended(&holonom().args(["show", "tokens"]).arg(&file).output().expect("it runs"));
    let words: Vec<Vec<&str>> = out.lines().map(|line| line.splitn(3, ' ').map(str::trim).collect()).collect();
    assert_eq!(status, Some(0));
    assert_eq!(words.len(), 5, "{out}");
    assert_eq!(
        out.lines().last().map(|line| line.split_whitespace().collect::<Vec<_>>()),
        Some(vec!["1:11", "comment", "#", "c"])
    );

    let (status, out, _) = ended(&holonom().args(["show", "tokens", "--json"]).arg(&file).output().expect("it runs"));
    let all: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!((status, &all["tokens"][2]["kind"], &all["tokens"][2]["column"]), (Some(0), &"colon".into(), &8.into()));
}
