//! Models from files, and what is said about them.

use std::io::Read;
use std::path::Path;

use holonom::language::{self, Diagnostic, Loaded, Sources};
use holonom::{Rejection, System};
use serde_json::Value;

use crate::setting::Setting;
use crate::terminal;

/// Endings of files that hold data, pictures or pages and no models.
const OTHERS: [&str; 8] = ["csv", "tsv", "parquet", "html", "svg", "png", "pdf", "py"];

/// Models that are named where one is not found.
const MODELS: usize = 6;

/// Parameters that are set, by name.
pub fn settings(set: &[Setting]) -> Vec<(String, f64)> {
    set.iter().map(|setting| (setting.name.clone(), setting.value)).collect()
}

/// Reads a model and derives its equations; the outer error is that of a command that cannot do its work.
pub fn system(path: &Path, set: &[Setting]) -> Result<Result<System, Rejection>, String> {
    Ok(System::of(load(path, set)?, settings(set)))
}

/// What is wrong with the value of an option.
pub fn of_option(option: &str, rejection: &Rejection) -> String {
    let Some(error) = rejection.errors().next() else { return format!("`{option}` cannot be read") };
    let help: String = error.help.iter().map(|help| format!("\n  help: {help}")).collect();
    format!("`{option}`: {}{help}", error.message)
}

/// Reads a model, with some of its parameters set; `-` is standard input.
pub fn load(path: &Path, set: &[Setting]) -> Result<Loaded, String> {
    let settings = settings(set);
    if path.as_os_str() == "-" {
        let mut text = String::new();
        std::io::stdin()
            .lock()
            .read_to_string(&mut text)
            .map_err(|error| format!("cannot read standard input: {error}"))?;
        return fitting(language::from_text_with("standard input", &text, &language::NoFiles, &settings), set);
    }
    // `run wheel` means wheel.holo where nothing has the bare name.
    let with_ending = path.with_extension("holo");
    let path = if !path.exists() && path.extension().is_none() && with_ending.is_file() { &with_ending } else { path };
    // A file that cannot be read is no model with a mistake.
    match std::fs::metadata(path) {
        Err(error) => return Err(unreadable(path, &error)),
        Ok(found) if found.is_dir() => {
            return Err(format!("`{}` is a folder; name a model file in it", path.display()));
        }
        Ok(_) => {}
    }
    if path.extension().is_some_and(|ending| OTHERS.iter().any(|other| ending.eq_ignore_ascii_case(other))) {
        return Err(format!(
            "`{}` is not a model\n  help: models are files ending in .holo; a model reads numbers from a file with `table f = \"f.csv\"`",
            path.display()
        ));
    }
    fitting(language::load_with(path, &settings), set)
}

/// Why a file cannot be read, and which one may have been meant.
fn unreadable(path: &Path, error: &std::io::Error) -> String {
    let shown = path.display();
    if error.kind() != std::io::ErrorKind::NotFound {
        return format!("cannot read `{shown}`: {error}");
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let Ok(entries) = std::fs::read_dir(folder) else {
        return format!("there is no folder `{}`", folder.display());
    };
    let mut models: Vec<String> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|one| one.extension().is_some_and(|ending| ending == "holo" || ending == "json"))
        .filter_map(|one| Some(one.file_name()?.to_str()?.to_string()))
        .collect();
    models.sort_unstable();
    let asked = path.file_name().and_then(|name| name.to_str()).unwrap_or("");
    if let Some(near) = nearest(asked, &models) {
        return format!("there is no file `{shown}`\n  help: did you mean `{}`?", path.with_file_name(near).display());
    }
    models.truncate(MODELS);
    match models.is_empty() {
        true => format!("there is no file `{shown}`, and no model beside it"),
        false => format!("there is no file `{shown}`\n  help: models in that folder: {}", models.join(", ")),
    }
}

/// The model whose name differs least from the one that was typed, if it is near.
fn nearest<'a>(asked: &str, models: &'a [String]) -> Option<&'a String> {
    let stem = |name: &str| name.rsplit_once('.').map_or(name.to_string(), |(stem, _)| stem.to_string());
    let same = models.iter().find(|one| stem(one) == stem(asked));
    let near = || {
        let near = language::closest(asked, models.iter().map(String::as_str))?;
        models.iter().find(|one| *one == near)
    };
    same.or_else(near)
}

/// A model whose parameters are of the kinds that they were set to.
pub fn fitting(loaded: Loaded, set: &[Setting]) -> Result<Loaded, String> {
    if let Some(model) = &loaded.model {
        set.iter().try_for_each(|setting| setting.fits(model))?;
    }
    Ok(loaded)
}

/// Messages as text for standard error, in lines that fit if it is a terminal; nothing where there are none.
pub fn text(diagnostics: &[Diagnostic], sources: &Sources, colour: bool) -> String {
    language::render_within(diagnostics, sources, terminal::columns_of_errors().unwrap_or(usize::MAX), colour)
}

/// A message as data.
pub fn json(diagnostic: &Diagnostic, sources: &Sources) -> Value {
    serde_json::from_str(&language::diagnostic_to_json(diagnostic, sources)).unwrap_or(Value::Null)
}
