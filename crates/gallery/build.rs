//! Writes a list of all files of the gallery: a new entry is a new folder, and nothing else has to be told.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = Path::new(&env::var("CARGO_MANIFEST_DIR").unwrap_or_default()).join("../../gallery");
    println!("cargo:rerun-if-changed={}", root.display());
    let mut list = String::from("&[\n");
    for folder in sorted(&root)? {
        if !folder.is_dir() {
            continue;
        }
        let name = text(folder.file_name());
        let mut files = String::new();
        for file in all(&folder)? {
            let path = file.strip_prefix(&folder).unwrap_or(&file);
            let parts: Vec<String> = path.iter().map(|part| text(Some(part))).collect();
            let _ = writeln!(files, "        ({:?}, include_str!({:?})),", parts.join("/"), file.canonicalize()?);
        }
        let _ = writeln!(list, "    GalleryEntry {{ name: {name:?}, files: &[\n{files}    ] }},");
    }
    list += "]\n";
    fs::write(Path::new(&env::var("OUT_DIR").unwrap_or_default()).join("entries.rs"), list)
}

/// What is in a folder, in the order of names.
fn sorted(folder: &Path) -> io::Result<Vec<PathBuf>> {
    println!("cargo:rerun-if-changed={}", folder.display());
    let mut found: Vec<PathBuf> =
        fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
    found.sort();
    Ok(found)
}

/// Texts in a folder and below it.
fn all(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for path in sorted(folder)? {
        if path.is_dir() {
            found.extend(all(&path)?);
        } else if ["holo", "md", "csv", "json"].iter().any(|end| path.extension().is_some_and(|is| is == *end)) {
            found.push(path);
        }
    }
    Ok(found)
}

fn text(name: Option<&std::ffi::OsStr>) -> String {
    name.unwrap_or_default().to_string_lossy().into_owned()
}
