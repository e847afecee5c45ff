//! What `check --principles` says, beside NumPy written from the papers (principles.py): D'Alembert's principle, Gauss's, Δa = K₁e, the general
//! equation and every matrix. Where there is no NumPy this says nothing, unless `HOLONOM_REQUIRE_TOOLS` is set.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs};

use serde_json::{Value, json};

const PYTHON: &str = "/usr/bin/python3";
const GALLERY: [&str; 24] = [
    "appell/appell",
    "appell/breathing",
    "atwood/atwood",
    "bead/bead",
    "block/block",
    "block/by-hand",
    "cart-pole/cart-pole",
    "constant-speed/constant-speed",
    "double-pendulum/double-pendulum",
    "falling-ladder/falling-ladder",
    "four-bar/four-bar",
    "hoop/held",
    "ladder/rests",
    "massless-first/massless-first",
    "parallelogram/parallelogram",
    "pendulum/pendulum",
    "pulley/pulley",
    "redundant/redundant",
    "rolling-disc/rolling-disc",
    "sleigh/sleigh",
    "slider-crank/slider-crank",
    "two-masses/two-masses",
    "vertical-disc/vertical-disc",
    "wheel/wheel",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn holonom(arguments: &[&str]) -> (Value, String) {
    let ran = Command::new(env!("CARGO_BIN_EXE_holonom")).args(arguments).output().unwrap();
    let text = String::from_utf8(ran.stdout).unwrap();
    let value = serde_json::from_str(&text).unwrap_or_else(|_| {
        panic!("{arguments:?}: {text}{}", String::from_utf8_lossy(&ran.stderr));
    });
    (value, text)
}

/// The models: of the gallery, and of `models.txt`, which are separated by lines of dashes.
fn models() -> Vec<(String, PathBuf)> {
    let mut list: Vec<_> =
        GALLERY.iter().map(|name| (name.to_string(), root().join(format!("gallery/{name}.holo")))).collect();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("principles");
    fs::create_dir_all(&folder).unwrap();
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/principles/models.txt")).unwrap();
    for model in text.split("----\n").map(str::trim_start).filter(|model| !model.is_empty()) {
        let name = model.lines().next().unwrap().trim_start_matches("title").trim().to_string();
        let file = folder.join(format!("{}.holo", name.replace(' ', "-")));
        fs::write(&file, model).unwrap();
        list.push((name, file));
    }
    list
}

fn numpy(lines: &str, more: &[&str]) -> (bool, String) {
    python("principles.py", lines, more)
}

/// Runs a script of this folder; whether it ended well, and what it printed.
fn python(script: &str, lines: &str, more: &[&str]) -> (bool, String) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/principles").join(script);
    let mut run = Command::new(PYTHON);
    let mut child =
        run.arg(script).args(more).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    let ran = child.wait_with_output().unwrap();
    let text = String::from_utf8_lossy(&ran.stdout).into_owned() + &String::from_utf8_lossy(&ran.stderr);
    (ran.status.success(), text)
}

#[test]
fn principles_are_those_of_the_papers() {
    let has = Command::new(PYTHON).args(["-c", "import numpy"]).output().is_ok_and(|output| output.status.success());
    if !has {
        assert!(env::var_os("HOLONOM_REQUIRE_TOOLS").is_none(), "NumPy is missing; .ci/setup installs it");
        eprintln!("NumPy is missing: nothing was compared; .ci/setup installs it");
        return;
    }
    let models = models();
    assert!(models.len() >= 44, "{}", models.len());
    let mut lines = String::new();
    for (name, file) in &models {
        let file = file.to_str().unwrap();
        let (checked, _) = holonom(&["check", "--principles", "--states", "0", "--json", file]);
        let principles = &checked["report"]["principles"];
        assert!(!principles.is_null(), "{name}: {checked}");
        let (shown, _) = holonom(&["show", "system", "--json", file]);
        lines += &format!("{}\n", json!({"name": name, "system": shown["system"], "principles": principles}));
    }
    let (agrees, text) = numpy(&lines, &[]);
    assert!(agrees, "{text}");
    assert_eq!(text.lines().count(), models.len());
    // The comparison itself can fail.
    let (found, text) = numpy(&lines, &["--spoil"]);
    assert!(found, "{text}");
}

/// What `show system --json` prints at any state is accepted by `solve`, and means the same motion, with C.
#[test]
fn a_system_shown_can_be_solved() {
    for (name, file) in models() {
        let file = file.to_str().unwrap();
        let (checked, _) = holonom(&["check", "--states", "0", "--json", file]);
        let (_, line) = holonom(&["show", "system", "--json", file]);
        let mut run = Command::new(env!("CARGO_BIN_EXE_holonom"));
        let mut child = run.args(["solve", "--matrices"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(line.as_bytes()).unwrap();
        let solved = child.wait_with_output().unwrap();
        let solved: Value = serde_json::from_slice(&solved.stdout).unwrap();
        assert!(solved["matrices"]["K1"].is_array(), "{name}: {solved}");
        let accelerations: Vec<f64> = solved["qdd"].as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect();
        let size = accelerations.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        for (coordinate, x) in checked["report"]["coordinates"].as_array().unwrap().iter().zip(&accelerations) {
            // What nothing determines may be what `free` says.
            let Some(expected) = coordinate["acceleration"].as_f64() else { continue };
            assert!((expected - x).abs() <= 1e-12 * size.max(1.0), "{name}: {coordinate} {x}");
        }
    }
}

/// At another state the other coordinates follow from the constraints.
#[test]
fn states_are_completed() {
    let pendulum = root().join("gallery/pendulum/pendulum.holo");
    let at = ["show", "system", "--json", "--at", "bob.x = 0.6 m, bob.x' = 0 m/s", pendulum.to_str().unwrap()];
    let (shown, _) = holonom(&at);
    let q = &shown["system"]["start"]["q"];
    let (x, y) = (q[0].as_f64().unwrap(), q[1].as_f64().unwrap());
    assert!((x - 0.6).abs() < 1e-15 && (x * x + y * y - 1.0).abs() < 1e-12, "{q}");
}

/// Positions, velocities and parameters, as rationals.
type Rational = [&'static [&'static str]; 3];

/// A small model, with states that satisfy its constraints.
struct Small {
    text: &'static str,
    /// Whether M is diagonal and regular.
    is_regular: bool,
    states: &'static [Rational],
}

const SMALL: [Small; 5] = [
    Small {
        text: "param m = 2, L = 1, g = 9.81\ncoord x, y\nkinetic m*(x'^2 + y'^2)/2\npotential m*g*y\nconstraint rod: x^2 + y^2 = L^2\n\
         start x = 0.6, y = -0.8, x' = 4, y' = 3\n",
        is_regular: true,
        states: &[
            [&["3/5", "-4/5"], &["4", "3"], &["2", "1", "981/100"]],
            [&["0", "-1"], &["1", "0"], &["3", "1", "10"]],
        ],
    },
    Small {
        text: "param m = 2, g = 9.81\ncoord x, y\nkinetic m*(x'^2 + y'^2)/2\npotential m*g*y\nconstraint ramp: y = x/2\n\
         constraint again: 3*y = 3*x/2\nstart x = 0, x' = 1\n",
        is_regular: true,
        states: &[[&["2", "1"], &["2", "1"], &["2", "981/100"]]],
    },
    Small {
        text: "param m = 2\ncoord x, y, z\nkinetic m*(x'^2 + y'^2 + z'^2)/2\nconstraint edge: y' = z*x'\n\
         start x = 0, y = 0, z = 1, x' = 1, z' = 0.5\n",
        is_regular: true,
        states: &[[&["0", "0", "1"], &["1", "1", "1/2"], &["2"]], [&["1", "5", "0"], &["3", "0", "-2"], &["1/3"]]],
    },
    Small {
        text: "param m = 3, F = 12\ncoord x, s\nkinetic m*x'^2/2\nforce s: F\nconstraint gear: s = 2*x\nstart x = 0, x' = 0\n",
        is_regular: false,
        states: &[[&["1", "2"], &["1", "2"], &["3", "12"]]],
    },
    Small {
        text: "param k = 3\ncoord a, b\nkinetic k*a'^2/2 + a'*b' + b'^2\nconstraint link: a*b = 2\nstart a = 1, b = 2, a' = 1\n",
        is_regular: false,
        states: &[[&["1", "2"], &["1", "-2"], &["3"]], [&["1/2", "4"], &["1", "-8"], &["5"]]],
    },
];

/// Every matrix, as code, satisfies what the papers say of it exactly: Penrose's four conditions, and how one is made of others.
#[test]
fn matrices_satisfy_penroses_conditions_exactly() {
    let has = Command::new(PYTHON).args(["-c", "import sympy"]).output().is_ok_and(|output| output.status.success());
    if !has {
        assert!(env::var_os("HOLONOM_REQUIRE_TOOLS").is_none(), "SymPy is missing; .ci/setup installs it");
        eprintln!("SymPy is missing: nothing was compared; .ci/setup installs it");
        return;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("penrose");
    fs::create_dir_all(&folder).unwrap();
    let always = [
        ("M", "mass"),
        ("A", "constraints"),
        ("A+", "pseudo_inverse"),
        ("A+A", "constrained_part"),
        ("I-A+A", "virtual_part"),
        ("Mbar", "stacked"),
        ("Mbar+", "stacked_inverse"),
        ("K1", "acceleration_gain"),
        ("K", "force_gain"),
        ("N", "response"),
    ];
    let regular = [
        ("B", "weighted"),
        ("B+", "weighted_inverse"),
        ("BBT", "weighted_square"),
        ("e", "constraint_error"),
        ("da", "ideal_deviation"),
    ];
    let mut list = Vec::new();
    for (which, Small { text, is_regular, states }) in SMALL.iter().enumerate() {
        let file = folder.join(format!("small{which}.holo"));
        fs::write(&file, text).unwrap();
        let parts: Vec<_> = always.iter().chain(regular.iter().filter(|_| *is_regular)).collect();
        let only = parts.iter().map(|part| part.0).collect::<Vec<_>>().join(",");
        let mut run = Command::new(env!("CARGO_BIN_EXE_holonom"));
        let ran = run.args(["explain", "--as", "sympy", "--only", &only]).arg(&file).output().unwrap();
        assert!(ran.status.success(), "{text}\n{}", String::from_utf8_lossy(&ran.stderr));
        let states: Vec<Value> = states.iter().map(|[q, v, p]| json!({"q": q, "v": v, "p": p})).collect();
        let names: Vec<&str> = parts.iter().map(|part| part.1).collect();
        let code = String::from_utf8(ran.stdout).unwrap();
        list.push(json!({"name": text, "code": code, "parts": names, "states": states}));
    }
    let input = Value::from(list).to_string();
    let (holds, text) = python("penrose.py", &input, &[]);
    assert!(holds && text.trim().parse::<u32>().unwrap() >= 100, "{text}");
    let (found, text) = python("penrose.py", &input, &["--spoil"]);
    assert!(found, "{text}");
}

/// A run with principles can be reported again; without them there is nothing to plot, which is said before the run.
#[test]
fn runs_with_principles_are_read_again() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("with-principles");
    let _ = fs::remove_dir_all(&folder);
    let (model, out) = (root().join("gallery/lecture/rough.holo"), folder.to_str().unwrap());
    let of = |arguments: &[&str]| Command::new(env!("CARGO_BIN_EXE_holonom")).args(arguments).output().unwrap();
    let model = model.to_str().unwrap();
    let ran = of(&["run", model, "--principles", "--every", "0.5", "--out", out]);
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let page = fs::read_to_string(folder.join("report.html")).unwrap();
    assert!(page.contains("principles-virtual"));
    let again = of(&["report", out]);
    assert!(again.status.success(), "{}", String::from_utf8_lossy(&again.stderr));
    let figure = folder.join("p.svg");
    let plot = format!("{}: principles", figure.display());
    let none = of(&["run", model, "--out", out, "--plot", &plot]);
    assert!(String::from_utf8_lossy(&none.stderr).contains("--principles") && none.status.code() == Some(2));
    assert!(!figure.exists());
}
