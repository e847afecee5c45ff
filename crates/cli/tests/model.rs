//! The commands about models, as a shell sees them.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::{env, fs};

use serde_json::Value;

fn holonom(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_holonom")).args(arguments).output().unwrap()
}

fn with_input(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_holonom"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// A folder of its own for each test, gone afterwards.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = env::temp_dir().join(format!("holonom-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn path(&self, file: &str) -> String {
        self.0.join(file).display().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

const WHEEL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../gallery/wheel/wheel.holo");

#[test]
fn every_template_is_a_model_without_fault() {
    let folder = Folder::new("templates");
    let list = out(&holonom(&["new", "--list"]));
    assert!(list.lines().count() >= 6, "{list}");
    for line in list.lines() {
        let template = line.split_whitespace().next().unwrap();
        let made = holonom(&["new", &folder.path(template), "--template", template]);
        assert_eq!(made.status.code(), Some(0), "{}", err(&made));
        let file = folder.path(&format!("{template}.holo"));
        let checked = holonom(&["check", &file]);
        assert_eq!(checked.status.code(), Some(0), "{template}: {}", err(&checked));
        assert_eq!(err(&checked), "", "{template}: nothing to complain about");
        let laid = holonom(&["fmt", "--check", &file]);
        assert_eq!(laid.status.code(), Some(0), "{template} is laid out: {}{}", out(&laid), err(&laid));
    }
}

#[test]
fn new_overwrites_nothing_and_says_what_there_is() {
    let folder = Folder::new("new");
    let file = folder.path("mine.holo");
    fs::write(&file, "title mine\n").unwrap();
    let refused = holonom(&["new", &file]);
    assert_eq!(refused.status.code(), Some(2));
    assert_eq!(fs::read_to_string(&file).unwrap(), "title mine\n");
    let unknown = holonom(&["new", &folder.path("other"), "--template", "pendulm"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(err(&unknown).contains("pendulum"), "{}", err(&unknown));
}

#[test]
fn check_says_what_is_wrong_and_ends_accordingly() {
    let good = holonom(&["check", WHEEL]);
    assert_eq!((good.status.code(), err(&good).as_str()), (Some(0), ""));
    assert!(out(&good).contains("theta'' = 6.54"), "{}", out(&good));

    let bad = with_input(&["check", "-"], "coord x\nkinetic xx'^2/2\n");
    assert_eq!(bad.status.code(), Some(1));
    assert!(err(&bad).contains("error[unknown-name]"), "{}", err(&bad));
    assert!(!err(&bad).contains('\u{1b}'), "no colours but on a terminal");
    let coloured = with_input(&["check", "--color", "always", "-"], "coord x\nkinetic xx'^2/2\n");
    assert!(err(&coloured).contains('\u{1b}'));

    assert_eq!(holonom(&["check", "no-such-file.holo"]).status.code(), Some(2));
    assert_eq!(holonom(&["check", env!("CARGO_MANIFEST_DIR")]).status.code(), Some(2));
}

#[test]
fn check_takes_parameters_from_outside() {
    let report: Value =
        serde_json::from_str(&out(&holonom(&["check", "--json", "--set", "m=3", "--set", "R=2", WHEEL]))).unwrap();
    assert_eq!(report["ok"], true);
    // m g R sin α/(m R² + Ic) with the parameters set.
    let expected = 3.0 * 9.81 * 2.0 * 0.5 / (3.0 * 4.0 + 0.25);
    let found = report["report"]["coordinates"][0]["acceleration"].as_f64().unwrap();
    assert!((found - expected).abs() < 1e-12, "{found} {expected}");

    let chain = "param N = 3, M = 2*N\nparticle p[1..N]: 1 in plane\nstart p[i in 1..N] = (i, M)\n";
    let report: Value =
        serde_json::from_str(&out(&with_input(&["check", "--json", "--set", "N=5", "-"], chain))).unwrap();
    assert_eq!(report["report"]["coordinates"].as_array().unwrap().len(), 10, "families follow their parameters");
    assert_eq!(report["report"]["coordinates"][1]["position"], 10.0, "and so do other parameters");

    let unknown = holonom(&["check", "--set", "mm=3", WHEEL]);
    assert_eq!(unknown.status.code(), Some(1));
    assert!(err(&unknown).contains("`mm`"), "{}", err(&unknown));
    assert_eq!(holonom(&["check", "--set", "m=heavy", WHEEL]).status.code(), Some(2));
    assert_eq!(holonom(&["check", "--set", "m", WHEEL]).status.code(), Some(2));
}

#[test]
fn a_parameter_that_vanishes_shows_the_hidden_constraint() {
    // Udwadia & Phohomsiri 2006, example 3 and its case 5.2: without the mass m₁, k₁x₁ = k₂q₂ must hold.
    let model = "param m1 = 1, m2 = 1, k1 = 30, k2 = 20, l = 0.6\ncoord x1, q1, q2\n\
                 kinetic m1*x1'^2/2 + m2*(q1' + q2')^2/2\npotential k1*x1^2/2 + k2*q2^2/2\n\
                 constraint joint: q1 = x1 + l\nstart x1 = 0.1, q2 = 0.2\n";
    assert_eq!(with_input(&["check", "-"], model).status.code(), Some(0));
    let massless = with_input(&["check", "--set", "m1=0", "-"], model);
    assert_eq!(massless.status.code(), Some(1));
    assert!(err(&massless).contains("k1*x1 = k2*q2"), "{}", err(&massless));
}

#[test]
fn show_has_a_page_and_data_for_every_stage() {
    for stage in ["tokens", "model", "equations", "system"] {
        let page = holonom(&["show", stage, WHEEL]);
        assert_eq!(page.status.code(), Some(0), "{stage}: {}", err(&page));
        assert!(!out(&page).is_empty());
        let data = holonom(&["show", stage, "--json", WHEEL]);
        serde_json::from_str::<Value>(&out(&data)).unwrap_or_else(|error| panic!("{stage}: {error}"));
        let wrong = with_input(&["show", stage, "--json", "-"], "coord x\nkinetic xx'^2/2\n");
        let told: Value = serde_json::from_str(&out(&wrong)).unwrap();
        if stage == "tokens" {
            assert_eq!(wrong.status.code(), Some(0), "tokens have no meaning yet");
        } else {
            assert_eq!(wrong.status.code(), Some(1), "{stage}");
            assert_eq!(told["messages"][0]["code"], "unknown-name");
        }
    }
}

#[test]
fn equations_come_in_every_form() {
    for (form, mark) in [
        ("text", "m*R^2 + Ic"),
        ("unicode", "sin(α)"),
        ("latex", "\\begin{array}"),
        ("mathml", "<math"),
        ("rust", "pub fn equations"),
        ("c", "#include <math.h>"),
    ] {
        let page = holonom(&["show", "equations", "--as", form, WHEEL]);
        assert!(out(&page).contains(mark), "{form}: {}", out(&page));
    }
}

/// The numbers that `show system` gives are what `solve` reads.
#[test]
fn the_system_can_be_solved_by_hand() {
    let shown: Value = serde_json::from_str(&out(&holonom(&["show", "system", "--json", WHEEL]))).unwrap();
    let system = &shown["system"];
    let line = serde_json::json!({"M": system["M"], "Q": system["Q"], "A": system["A"], "b": system["b"]});
    let solved: Value = serde_json::from_str(&out(&with_input(&["solve"], &format!("{line}\n")))).unwrap();
    assert!((solved["qdd"][0].as_f64().unwrap() - 6.54).abs() < 1e-12);
}

#[test]
fn text_and_json_mean_the_same() {
    let folder = Folder::new("json");
    let file = folder.path("wheel.json");
    fs::write(&file, out(&holonom(&["show", "model", "--statements", WHEEL]))).unwrap();
    let report = |file: &str| {
        let all: Value = serde_json::from_str(&out(&holonom(&["check", "--json", file]))).unwrap();
        assert_eq!(all["ok"], true, "{all}");
        all["report"]["coordinates"].clone()
    };
    assert_eq!(report(&file), report(WHEEL));
}

#[test]
fn shells_and_manuals_are_served() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        assert!(out(&holonom(&["completions", shell])).contains("holonom"), "{shell}");
    }
    assert!(out(&holonom(&["man"])).contains(".TH holonom 1"));
    let folder = Folder::new("man");
    assert_eq!(holonom(&["man", &folder.path("")]).status.code(), Some(0));
    for page in ["holonom.1", "holonom-check.1", "holonom-show.1", "holonom-fmt.1", "holonom-new.1", "holonom-solve.1"]
    {
        assert!(fs::read_to_string(folder.path(page)).unwrap().contains(".TH"), "{page}");
    }
}
