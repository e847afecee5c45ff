//! Models from files, and what is said about them.

use std::io::Read;
use std::path::Path;

use holonom::model::{self, Diagnostic, Loaded, Sources};
use serde_json::Value;

use crate::setting::Setting;

/// Reads a model, with some of its parameters set; `-` is standard input.
pub fn load(path: &Path, set: &[Setting]) -> Result<Loaded, String> {
    let settings: Vec<(String, f64)> = set.iter().map(|setting| (setting.name.clone(), setting.value)).collect();
    if path.as_os_str() == "-" {
        let mut text = String::new();
        std::io::stdin()
            .lock()
            .read_to_string(&mut text)
            .map_err(|error| format!("cannot read standard input: {error}"))?;
        return fitting(model::from_text_with("standard input", &text, &model::NoFiles, &settings), set);
    }
    // A file that cannot be read is no model with a mistake.
    match std::fs::metadata(path) {
        Err(error) => return Err(format!("cannot read `{}`: {error}", path.display())),
        Ok(found) if found.is_dir() => {
            return Err(format!("`{}` is a folder; name a model file in it", path.display()));
        }
        Ok(_) => {}
    }
    fitting(model::load_with(path, &settings), set)
}

/// A model whose parameters are of the kinds that they were set to.
pub fn fitting(loaded: Loaded, set: &[Setting]) -> Result<Loaded, String> {
    if let Some(model) = &loaded.model {
        set.iter().try_for_each(|setting| setting.fits(model))?;
    }
    Ok(loaded)
}

/// Messages as text for a terminal; nothing where there are none.
pub fn text(diagnostics: &[Diagnostic], sources: &Sources, colour: bool) -> String {
    if diagnostics.is_empty() { String::new() } else { model::render_all(diagnostics, sources, colour) }
}

/// A message as data.
pub fn json(diagnostic: &Diagnostic, sources: &Sources) -> Value {
    serde_json::from_str(&model::diagnostic_to_json(diagnostic, sources)).unwrap_or(Value::Null)
}
