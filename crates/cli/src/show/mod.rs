//! `holonom show`: a model at each stage of its way.

mod equations;
mod matrices;
mod model;
mod system;
mod tokens;

use std::path::Path;
use std::process::ExitCode;

use holonom::derive::{Equations, derive};
use holonom::model::{Diagnostic, Loaded, Sources};
use serde_json::{Value, json};

use crate::setting::Setting;
use crate::terminal::{Colour, WRONG, complain, fail, say};
use crate::{at, messages};

/// Show a model at each stage of processing
#[derive(clap::Args)]
pub struct Options {
    #[command(subcommand)]
    stage: Stage,
}

#[derive(clap::Subcommand)]
enum Stage {
    Tokens(tokens::Options),
    Model(model::Options),
    Equations(equations::Options),
    System(system::Options),
    Matrices(matrices::Options),
}

pub fn run(options: &Options) -> ExitCode {
    match &options.stage {
        Stage::Tokens(options) => tokens::run(options),
        Stage::Model(options) => model::run(options),
        Stage::Equations(options) => equations::run(options),
        Stage::System(options) => system::run(options),
        Stage::Matrices(options) => matrices::run(options),
    }
}

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
fn loaded(file: &Path, set: &[Setting], json: bool, colour: Colour) -> Result<(Loaded, Shown), ExitCode> {
    let loaded = messages::load(file, set).map_err(|why| fail(&why))?;
    let shown = tell(file, &loaded.diagnostics, &loaded.sources, json, colour)?;
    Ok((loaded, shown))
}

/// Reads a model and derives its equations.
pub(crate) fn derived(
    file: &Path,
    set: &[Setting],
    json: bool,
    colour: Colour,
) -> Result<(Equations, Shown), ExitCode> {
    let loaded = messages::load(file, set).map_err(|why| fail(&why))?;
    let Loaded { sources, model, mut diagnostics, .. } = loaded;
    let mut equations = None;
    if let Some(model) = model {
        let derived = derive(model);
        diagnostics.extend(derived.diagnostics);
        equations = derived.equations;
    }
    let shown = tell(file, &diagnostics, &sources, json, colour)?;
    equations.map(|equations| (equations, shown)).ok_or(ExitCode::from(WRONG))
}

/// Rejects a model with functions that have no value, for what needs numbers.
pub(crate) fn with_numbers(file: &Path, equations: &Equations, json: bool, colour: Colour) -> Result<(), ExitCode> {
    let missing: Vec<Diagnostic> = equations.model.unspecified().into_iter().collect();
    match missing.is_empty() {
        true => Ok(()),
        false => tell(file, &missing, &equations.model.sources, json, colour).map(|_| ()),
    }
}

/// The same at the state and the time of `--at`.
fn moved((mut equations, shown): (Equations, Shown), at: Option<&str>) -> Result<(Equations, Shown, f64), ExitCode> {
    let time = at.map_or(Ok(0.0), |values| at::move_start(values, &mut equations));
    time.map(|time| (equations, shown, time)).map_err(|why| fail(&why))
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
