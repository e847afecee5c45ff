//! The formulas that `explain` prints are those of textbooks (book/textbook.md), shown equal by SymPy on the constraints. Where there is no
//! SymPy this says nothing, unless `HOLONOM_REQUIRE_TOOLS` is set.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

const PYTHON: &str = "/usr/bin/python3";
/// Models of the gallery; the double pendulum is the one of the page.
const GALLERY: [&str; 7] =
    ["pendulum", "spherical-pendulum", "four-bar", "slider-crank", "wheel", "appell", "rolling-disc"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The text of a model that a page of the guide shows.
fn shown(page: &str, file: &str) -> String {
    let page = fs::read_to_string(root().join("book").join(page)).unwrap();
    let begins = format!("```holo {file}\n");
    let (_, rest) = page.split_once(&begins).unwrap_or_else(|| panic!("the page does not show {file}"));
    rest.split_once("```").unwrap().0.to_string()
}

#[test]
fn formulas_are_those_of_textbooks() {
    let has = Command::new(PYTHON).args(["-c", "import sympy"]).output().is_ok_and(|output| output.status.success());
    if !has {
        assert!(env::var_os("HOLONOM_REQUIRE_TOOLS").is_none(), "SymPy is missing; .ci/setup installs it");
        eprintln!("SymPy is missing: nothing was compared; .ci/setup installs it");
        return;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("textbook");
    fs::create_dir_all(&folder).unwrap();
    let double = folder.join("double-pendulum.holo");
    fs::write(&double, shown("textbook.md", "double.holo")).unwrap();
    let models = GALLERY.map(|name| root().join(format!("gallery/{name}/{name}.holo")));
    for model in models.iter().chain([&double]) {
        let name = model.file_stem().unwrap().to_str().unwrap().replace('-', "_");
        let ran = Command::new(env!("CARGO_BIN_EXE_holonom"))
            .args(["explain", model.to_str().unwrap(), "--only", "acceleration", "--as", "sympy"])
            .output()
            .unwrap();
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
        fs::write(folder.join(format!("{name}.py")), ran.stdout).unwrap();
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/textbook/textbook.py");
    let ran = Command::new(PYTHON).arg(script).arg(&folder).output().unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    assert_eq!(String::from_utf8(ran.stdout).unwrap().lines().count(), GALLERY.len() + 1);
}
