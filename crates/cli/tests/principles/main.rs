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
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/principles/principles.py");
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
