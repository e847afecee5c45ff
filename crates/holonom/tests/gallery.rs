//! The gallery: every model is read, derived and checked, and what it expects is true.

use std::fs;
use std::path::{Path, PathBuf};

mod checking;

use checking::check;
use holonom_testing::{gallery, models};

/// The folders of the papers' examples, which fit on fifteen lines.
const PAPERS: [&str; 8] =
    ["wheel", "virtual-particle", "two-masses", "massless-first", "massless-second", "appell", "block", "bead"];

fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

#[test]
fn every_model_holds_what_it_expects() {
    let mut wrong = String::new();
    let gallery = gallery();
    for path in models(&gallery).into_iter().chain(models(&here("tests/pages"))) {
        let name = path.strip_prefix(&gallery).unwrap_or(&path).with_extension("").to_string_lossy().into_owned();
        let known = holonom_gallery::model(&name);
        if known.is_none() && path.starts_with(&gallery) {
            // Part of another model.
            continue;
        }
        let checked = check(&path);
        match known.and_then(|model| model.diagnosis) {
            Some(code) if checked.codes().contains(&code) => {}
            Some(code) => wrong += &format!("{name}: `{code}` is missing\n{}\n", checked.text()),
            None if checked.has_errors() => wrong += &format!("{name}:\n{}\n", checked.text()),
            None => {}
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn examples_of_the_papers_fit_on_fifteen_lines() {
    for folder in PAPERS {
        for path in models(&gallery().join(folder)) {
            let lines = fs::read_to_string(&path).unwrap().lines().count();
            assert!(lines <= 15, "{} has {lines} lines", path.display());
        }
    }
}

#[test]
fn every_folder_tells_its_story() {
    for entry in fs::read_dir(gallery()).unwrap() {
        let folder = entry.unwrap().path();
        assert!(!folder.is_dir() || folder.join("README.md").exists(), "{} has no README.md", folder.display());
    }
}
