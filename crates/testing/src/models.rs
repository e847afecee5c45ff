//! Where the models are that many tests go through.

use std::fs;
use std::path::{Path, PathBuf};

/// The folder of the gallery.
pub fn gallery() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../gallery")
}

/// All models of a folder and of those below it, in order.
pub fn models(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(models(&path));
        } else if path.extension().is_some_and(|ending| ending == "holo") {
            found.push(path);
        }
    }
    found.sort();
    found
}
