//! `holonom explain` as a shell sees it.

use std::path::PathBuf;
use std::process::{Command, Output};
#[cfg(target_os = "linux")]
use std::time::Duration;
use std::{env, fs};

use serde_json::Value;

const WHEEL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../gallery/wheel/wheel.holo");

fn holonom(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_holonom")).args(arguments).output().unwrap()
}

fn out(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn scratch(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("explain");
    fs::create_dir_all(&folder).unwrap();
    folder.join(name)
}

/// Udwadia & Phohomsiri 2006, eq. 5.17, in two dimensions.
#[test]
fn the_wheel_as_the_paper_has_it() {
    let text = out(&holonom(&["explain", WHEEL, "--only", "acceleration"]));
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    assert_eq!(lines[..3], ["m R g sin α", "θ̈ = ───────────", "m R² + Ic"]);
    assert_eq!(lines[3..6], ["m R² g sin² α", "ÿ = ─────────────", "m R² + Ic"]);
    assert!(text.contains("Checked against the numerical solution"));
}

#[test]
fn every_form_is_written() {
    for (form, has) in [
        ("unicode", "θ̈"),
        ("text", "theta'' = m*R*g*sin(alpha)/(m*R^2 + Ic)"),
        ("markdown", "$$"),
        ("latex", "\\documentclass"),
        ("html", "<math"),
        ("rust", "pub fn acceleration"),
        ("c", "#include <math.h>"),
        ("python", "def acceleration(t, q, v, p=PARAMETERS)"),
        ("sympy", "dynamicsymbols"),
        ("javascript", "export function acceleration(t, q, v, p = PARAMETERS)"),
    ] {
        let text = out(&holonom(&["explain", WHEEL, "--as", form]));
        assert!(text.contains(has), "{form}: {text}");
    }
}

/// The one denominator of the wheel, in every language.
#[test]
fn code_names_its_conditions() {
    for (form, has) in [
        ("rust", "-> Result<[f64; 2], Condition>"),
        ("c", "const char *condition_text(int number)"),
        ("python", "class ConditionError(ValueError)"),
        ("javascript", "class ConditionError extends Error"),
    ] {
        let text = out(&holonom(&["explain", WHEEL, "--as", form]));
        assert!(text.contains(has) && text.contains("\"m*R^2 + Ic != 0\""), "{form}: {text}");
        assert_eq!(text.matches("sin(").count(), 1, "{form}: the sine is computed once");
    }
    let text = out(&holonom(&["explain", WHEEL, "--as", "sympy"]));
    assert!(text.contains("sp.Ne(s2, 0)") && text.contains("s2 = Ic + m * R ** 2"), "{text}");
}

#[test]
fn the_ending_of_a_file_says_how() {
    for (file, has) in [
        ("wheel.tex", "\\documentclass"),
        ("wheel.c", "math.h"),
        ("wheel.js", "export "),
        ("wheel.md", "$$"),
        ("wheel.html", "<math"),
    ] {
        let path = scratch(file);
        let output = holonom(&["explain", WHEEL, "--out", path.to_str().unwrap()]);
        assert_eq!(out(&output), "");
        assert!(fs::read_to_string(&path).unwrap().contains(has), "{file}");
    }
    let nowhere = holonom(&["explain", WHEEL, "--out", "/nonexistent/wheel.tex"]);
    assert_eq!(nowhere.status.code(), Some(2));
    assert!(err(&nowhere).contains("cannot be written"), "{}", err(&nowhere));
}

#[test]
fn parts_and_values() {
    let line = |arguments: &[&str]| {
        let all: Vec<&str> = ["explain", WHEEL, "--as", "text"].iter().chain(arguments).copied().collect();
        out(&holonom(&all)).trim_end().to_string()
    };
    assert_eq!(line(&["--only", "acceleration", "--for", "theta"]), "theta'' = m*R*g*sin(alpha)/(m*R^2 + Ic)");
    assert_eq!(
        line(&["--only", "acceleration", "--for", "theta", "--at", "Ic = m*R^2/2, alpha = 30 deg"]),
        "theta'' = g/(3*R)"
    );
    assert_eq!(line(&["--only", "b"]), "b[1] = 0");
}

#[test]
fn json_for_programs() {
    let text = out(&holonom(&["explain", WHEEL, "--json", "--only", "acceleration"]));
    let value: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(value["explanation"]["form"], "closed");
    assert_eq!(value["explanation"]["unique"], true);
    assert_eq!(value["explanation"]["formulas"]["theta''"], "m*R*g*sin(alpha)/(m*R^2 + Ic)");
}

#[test]
fn what_is_wrong_is_said() {
    for (arguments, code, says) in [
        (&["--only", "torque"][..], 2, "unknown part"),
        (&["--for", "phi"], 2, "unknown coordinate; the coordinates are theta, y"),
        (&["--at", "phi = 1"], 2, "there is no `phi`"),
        (&["--at", "theta"], 2, "NAME = VALUE"),
        (&["--at", "theta = 1, theta = 2"], 2, "twice"),
        (&["--at", "theta = y"], 2, "not a value"),
        (&["--only", "e"], 2, "M is singular"),
        (&["--only", "verdict", "--as", "rust"], 2, "no form as code"),
        (&["--at", "m = 0, Ic = 0"], 2, "its denominator vanishes"),
    ] {
        let all: Vec<&str> = ["explain", WHEEL].iter().chain(arguments).copied().collect();
        let output = holonom(&all);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}", err(&output));
        assert!(err(&output).contains(says), "{arguments:?}: {}", err(&output));
        assert!(output.stdout.is_empty());
    }
    assert_eq!(holonom(&["explain", "/nonexistent.holo"]).status.code(), Some(2));
}

/// Whether a process catches SIGINT, the second of its signals, and does not just die of it.
#[cfg(target_os = "linux")]
fn listens(process: u32) -> bool {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap();
    u64::from_str_radix(caught.trim(), 16).unwrap() & 0b10 != 0
}

/// A pendulum of many links would take minutes: the first Ctrl-C ends it, and nothing half is left.
#[cfg(target_os = "linux")]
#[test]
fn an_interruption_is_clean() {
    let mut text = String::from("param g = 9.81\ncoord a[1..7]\n");
    text +=
        "let x[0] = 0\nlet y[0] = 0\nlet x[i in 1..7] = x[i-1] + sin(a[i])\nlet y[i in 1..7] = y[i-1] - cos(a[i])\n";
    text += "particle p[i in 1..7]: i at (x[i], y[i])\ngravity (0, -g)\nstart a[i in 1..7] = 0.1\n";
    let (model, page) = (scratch("long.holo"), scratch("long.md"));
    fs::write(&model, text).unwrap();
    let _ = fs::remove_file(&page);
    let mut child = Command::new(env!("CARGO_BIN_EXE_holonom"))
        .args(["explain", model.to_str().unwrap(), "--limit", "100000000", "--out", page.to_str().unwrap()])
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    while !listens(child.id()) {
        assert_eq!(child.try_wait().unwrap(), None, "it ended and did not listen");
        std::thread::sleep(Duration::from_millis(5));
    }
    std::thread::sleep(Duration::from_millis(200));
    let _ = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(!page.exists());
}

/// A file of an unknown kind is not filled with text that its program cannot read.
#[test]
fn files_of_unknown_kinds_are_rejected() {
    let file = scratch("wheel.docx");
    let refused = holonom(&["explain", WHEEL, "--out", &file.display().to_string()]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(err(&refused).contains(".docx") && err(&refused).contains(".html"), "{}", err(&refused));
    assert!(!file.exists());
    let text = scratch("wheel.txt");
    out(&holonom(&["explain", WHEEL, "--out", &text.display().to_string()]));
    assert!(fs::read_to_string(&text).unwrap().contains("θ̈"));
}

/// What `check` rejects about the start is said by `explain`, too, which goes on with the formulas.
#[test]
fn a_start_that_is_wrong_is_named() {
    let file = scratch("start.holo");
    let model =
        "coord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint rod: x^2 + y^2 = 1\nstart x = 0.5, y = 0.5, x' = 0, y' = 0\n";
    fs::write(&file, model).unwrap();
    let explained = holonom(&["explain", &file.display().to_string(), "--only", "acceleration"]);
    assert!(out(&explained).contains("ẍ ="));
    assert!(err(&explained).contains("warning[start-inconsistent]"), "{}", err(&explained));
}
