//! `holonom show matrices`: the matrices of the papers as numbers at a state.

use holonom_elementary as elementary;
use std::path::PathBuf;
use std::process::ExitCode;

use holonom::kernel::Matrix;
use holonom::language::Diagnostic;
use holonom::simulate::analysis::CheckOptions;
use serde_json::json;

use super::shown::{derived, finish, moved, refused};
use crate::check::matrices_json;
use crate::setting::Setting;
use crate::terminal::{Colour, fail, say};

/// Print the matrices of the papers as numbers at a state: A+, B, B+, Mbar, Mbar+, K1, K and others
///
/// `holonom explain --only A+,K1` has them as formulas, where these are not too large.
#[derive(clap::Args)]
pub struct Options {
    /// The model; `-` reads standard input
    file: PathBuf,

    /// Set a parameter: `--set m=3`; may be repeated
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<Setting>,

    /// The state, if it is not the start: `--at "x = 1, x' = 0, t = 2"`; what is not given follows from the constraints
    #[arg(long, value_name = "VALUES")]
    at: Option<String>,

    /// Print only these: `a`, `e`, `A+`, `A+A`, `I-A+A`, `B`, `B+`, `BBT`, `B14`, `Mbar`, `Mbar+`, `Mhat`, `Mbar14`, `K1`, `K`, `N`, `I-Mbar+Mbar`, `da`
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    only: Vec<String>,

    /// Print JSON: each matrix as a list of rows
    #[arg(long)]
    json: bool,

    /// When to use colours
    #[arg(long, value_enum, default_value_t = Colour::Auto, value_name = "WHEN")]
    color: Colour,
}

pub fn run(options: &Options) -> ExitCode {
    let found = derived(&options.file, &options.set, options.json, options.color);
    let (system, shown) = match found.and_then(|found| moved(found, options.at.as_deref())) {
        Ok(found) => found,
        Err(code) => return code,
    };
    let checking = CheckOptions { states: 0, principles: true, ..CheckOptions::default() };
    let (report, mut messages) = match system.check_with(&checking) {
        Ok(verdict) => (verdict.report, verdict.messages),
        Err(rejection) => return refused(&options.file, &rejection.messages, &system, options.json, options.color),
    };
    messages.retain(Diagnostic::is_error);
    let Some(principles) = &report.principles else {
        if let Some(why) = report.notes.iter().find(|note| note.contains("principles")) {
            return fail(&why.replace("principles are", "matrices are"));
        }
        return refused(&options.file, &messages, &system, options.json, options.color);
    };
    let form = &principles.numbers.form;
    let all = form.matrices();
    let only: Vec<&str> = options.only.iter().map(|name| name.trim()).collect();
    if let Some(unknown) = only.iter().find(|name| !all.iter().any(|matrix| matrix.name == **name)) {
        let names: Vec<&str> = all.iter().map(|matrix| matrix.name).collect();
        let why = match *unknown {
            "a" | "e" | "da" | "B" | "B+" | "BBT" | "B14" => ": M is singular here, and has no inverse",
            "Mbar14" => ": M is regular here, and `B14` takes its place",
            "v" => ": `holonom check --principles` names the virtual displacements",
            _ => "",
        };
        return fail(&format!("there is no matrix `{unknown}`{why}\n  help: there are {}", names.join(", ")));
    }
    let wanted = |matrix: &Matrix| only.is_empty() || only.contains(&matrix.name);
    if options.json {
        let mut matrices = matrices_json(form);
        if let Some(map) = matrices.as_object_mut() {
            map.retain(|name, _| only.is_empty() || only.contains(&name.as_str()));
        }
        let state = json!({"t": system.time(), "q": principles.state.positions, "v": principles.state.velocities});
        let names = json!({"coordinates": principles.coordinates, "constraints": principles.rows});
        return finish(&shown, "matrices", json!({"state": state, "names": names, "matrices": matrices}));
    }
    say(&all.iter().filter(|matrix| wanted(matrix)).map(table).collect::<Vec<_>>().join("\n"));
    ExitCode::SUCCESS
}

/// A matrix in columns, below its name.
fn table(matrix: &Matrix) -> String {
    let size = matrix.entries.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    // What is rounding beside the rest is 0.
    let number = |x: f64| if x.abs() <= 1e-14 * size { "0".to_string() } else { short(x) };
    let cells: Vec<String> = matrix.entries.iter().map(|&x| number(x)).collect();
    let width = cells.iter().map(String::len).max().unwrap_or(0);
    let mut text = format!("{} = {}   ({})\n", matrix.name, matrix.meaning, matrix.equation);
    if cells.is_empty() {
        text += &format!("  {} x {}, empty\n", matrix.rows, matrix.columns);
    }
    for row in cells.chunks(matrix.columns.max(1)) {
        let line: Vec<String> = row.iter().map(|cell| format!("{cell:>width$}")).collect();
        text += &format!("  {}\n", line.join("  "));
    }
    text
}

/// A number with eight digits.
fn short(x: f64) -> String {
    if (1e-4..1e8).contains(&x.abs()) {
        let digits = 7 - elementary::log10(x.abs()).floor() as i32;
        let text = format!("{x:.*}", digits.max(0) as usize);
        if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_string() } else { text }
    } else {
        format!("{x:.7e}")
    }
}
