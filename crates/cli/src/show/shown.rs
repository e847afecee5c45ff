//! What the stages have in common: the model with its messages, and the answer in JSON.

use std::path::Path;
use std::process::ExitCode;

use holonom::System;
use holonom::language::{Diagnostic, Loaded, Sources};
use serde_json::{Value, json};

use crate::messages;
use crate::setting::Setting;
use crate::terminal::{Colour, WRONG, complain, fail, say};

/// Which model is shown, with what was said about it on the way.
pub(crate) struct Shown {
    file: String,
    messages: Vec<Value>,
}

impl Shown {
    /// Shows more messages about it, none of which is an error.
    pub(crate) fn add(&mut self, diagnostics: &[Diagnostic], sources: &Sources, json: bool, colour: Colour) {
        self.messages.extend(diagnostics.iter().map(|diagnostic| messages::json(diagnostic, sources)));
        if !json {
            complain(&messages::text(diagnostics, sources, colour.on_errors()));
        }
    }
}

/// Reads a model. Where it has errors they are shown, and there is nothing else to show.
pub(super) fn loaded(file: &Path, set: &[Setting], json: bool, colour: Colour) -> Result<(Loaded, Shown), ExitCode> {
    let loaded = messages::load(file, set).map_err(|why| fail(&why))?;
    let shown = tell(file, &loaded.diagnostics, &loaded.sources, json, colour)?;
    Ok((loaded, shown))
}

/// Reads a model and derives its equations.
pub(crate) fn derived(file: &Path, set: &[Setting], json: bool, colour: Colour) -> Result<(System, Shown), ExitCode> {
    match messages::system(file, set).map_err(|why| fail(&why))? {
        Ok(system) => {
            let shown = tell(file, system.messages(), system.sources(), json, colour)?;
            Ok((system, shown))
        }
        Err(rejection) => Err(match tell(file, &rejection.messages, &rejection.sources, json, colour) {
            Err(code) => code,
            Ok(_) => ExitCode::from(WRONG),
        }),
    }
}

/// Rejects a model with functions that have no value, for what needs numbers.
pub(crate) fn with_numbers(file: &Path, system: &System, json: bool, colour: Colour) -> Result<(), ExitCode> {
    let missing: Vec<Diagnostic> = system.equations().model.unspecified().into_iter().collect();
    match missing.is_empty() {
        true => Ok(()),
        false => tell(file, &missing, system.sources(), json, colour).map(|_| ()),
    }
}

/// The same at the state and the time of `--at`.
pub(super) fn moved((system, shown): (System, Shown), at: Option<&str>) -> Result<(System, Shown), ExitCode> {
    let Some(values) = at else { return Ok((system, shown)) };
    let moved = system.at(values).map_err(|why| fail(&messages::of_option("--at", &why)))?;
    Ok((moved, shown))
}

/// Says why there is nothing to show.
pub(super) fn refused(file: &Path, messages: &[Diagnostic], system: &System, json: bool, colour: Colour) -> ExitCode {
    match tell(file, messages, system.sources(), json, colour) {
        Err(code) => code,
        Ok(_) => ExitCode::from(WRONG),
    }
}

/// Shows messages; with errors among them, that was all.
fn tell(
    file: &Path,
    diagnostics: &[Diagnostic],
    sources: &Sources,
    json: bool,
    colour: Colour,
) -> Result<Shown, ExitCode> {
    let messages: Vec<Value> = diagnostics.iter().map(|diagnostic| messages::json(diagnostic, sources)).collect();
    let shown = Shown { file: file.display().to_string(), messages };
    let wrong = diagnostics.iter().any(Diagnostic::is_error);
    if !json {
        complain(&messages::text(diagnostics, sources, colour.on_errors()));
    } else if wrong {
        say(&format!("{}\n", json!({"file": shown.file, "ok": false, "messages": shown.messages})));
    }
    if wrong { Err(ExitCode::from(WRONG)) } else { Ok(shown) }
}

/// The answer as one line of JSON.
pub(crate) fn finish(shown: &Shown, stage: &str, data: Value) -> ExitCode {
    say(&format!("{}\n", json!({"file": shown.file, "ok": true, "messages": shown.messages, stage: data})));
    ExitCode::SUCCESS
}
