//! `holonom show system`: the numbers that the kernel is given at a state, and what it costs to compute them.

use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use holonom::language::Diagnostic;
use holonom::mechanics::compile::Group;
use holonom::simulate::analysis::CheckOptions;
use serde_json::{Value, json};

use super::shown::{derived, finish, moved, refused};
use crate::setting::Setting;
use crate::terminal::{Colour, say};

/// Print M, Q, A, b and C as numbers at a state, and the cost of computing them
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

    /// Print JSON, which `holonom solve` reads
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
    let checking = CheckOptions { states: 0, ..CheckOptions::default() };
    let (report, mut messages) = match system.check_with(&checking) {
        Ok(verdict) => (verdict.report, verdict.messages),
        Err(rejection) => return refused(&options.file, &rejection.messages, &system, options.json, options.color),
    };
    messages.retain(Diagnostic::is_error);
    // Numbers of a start that is none would mislead: say why there are none.
    let refuse = || refused(&options.file, &messages, &system, options.json, options.color);
    if !report.start_is_good {
        return refuse();
    }
    let (time, system) = (system.time(), system.compiled());
    let (n, m) = (system.coordinates(), system.rows());
    let mut values = system.values(Group::Dynamics);
    system.at(time, &report.start.positions, &report.start.velocities, &mut values);
    let numbers = [values.mass(), values.force(), values.a(), values.b()];
    if numbers.iter().any(|list| list.iter().any(|x| !x.is_finite())) {
        return refuse();
    }
    let program = system.program(Group::Dynamics);
    let (operations, once) = (program.operations(), program.fixed_operations());
    let matrix = |entries: &[f64], columns: usize| -> Vec<Vec<f64>> {
        entries.chunks(columns.max(1)).map(<[f64]>::to_vec).collect()
    };
    // One-sided constraints that do not push are no rows.
    let active: Vec<usize> = (0..m).filter(|&row| !report.rows[row].off).collect();
    let nonideal: Vec<f64> = report.coordinates.iter().map(|coordinate| coordinate.given_nonideal).collect();
    if options.json {
        let start = json!({"t": time, "q": report.start.positions, "v": report.start.velocities});
        let cost = json!({"operations": operations, "once_per_parameters": once});
        let sparsity = json!({"M": system.mass_pattern(), "A": system.row_pattern()});
        let a = matrix(values.a(), n);
        let names = json!({
            "coordinates": report.coordinates.iter().map(|c| &c.name).collect::<Vec<_>>(),
            "constraints": active.iter().map(|&row| &report.rows[row].name).collect::<Vec<_>>(),
        });
        let data: Value = json!({
            "start": start,
            "M": matrix(values.mass(), n),
            "Q": values.force(),
            "A": active.iter().map(|&row| &a[row]).collect::<Vec<_>>(),
            "b": active.iter().map(|&row| values.b()[row]).collect::<Vec<_>>(),
            "C": nonideal,
            "names": names,
            "cost": cost,
            "pattern": sparsity,
        });
        return finish(&shown, "system", data);
    }
    let equations = system.equations();
    let mut text = String::new();
    let _ = writeln!(
        text,
        "coordinates: {n}, rows of constraints: {m}; operations: {operations} at every state, {once} once per set of parameters"
    );
    let number = |value: f64| format!("{value:.6}").trim_end_matches('0').trim_end_matches('.').to_string();
    for (at, coordinate) in equations.model.coordinates.iter().enumerate() {
        let (q, v) = (report.start.positions[at], report.start.velocities[at]);
        let _ = writeln!(
            text,
            "  {0} = {1}, {0}' = {2}, Q = {3}",
            coordinate.name,
            number(q),
            number(v),
            number(values.force()[at])
        );
    }
    for (row, coordinate) in equations.model.coordinates.iter().enumerate() {
        for column in system.mass_pattern().get(row).into_iter().flatten() {
            let other = &equations.model.coordinates[*column].name;
            let _ = writeln!(text, "  M[{}, {other}] = {}", coordinate.name, number(values.mass()[row * n + column]));
        }
    }
    for row in active {
        let constraint = &equations.rows[row];
        let pattern = system.row_pattern();
        let entries: Vec<String> = pattern[row]
            .iter()
            .map(|&column| {
                format!("{}*{}''", number(values.a()[row * n + column]), equations.model.coordinates[column].name)
            })
            .collect();
        let _ = writeln!(text, "  {}: {} = {}", constraint.name, entries.join(" + "), number(values.b()[row]));
    }
    for (coordinate, force) in report.coordinates.iter().zip(nonideal).filter(|(_, force)| *force != 0.0) {
        let _ = writeln!(text, "  C[{}] = {}", coordinate.name, number(force));
    }
    say(&text);
    ExitCode::SUCCESS
}
