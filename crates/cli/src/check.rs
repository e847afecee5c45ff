//! `holonom check`: what can be said about a model before it runs.

use std::path::PathBuf;
use std::process::ExitCode;

use holonom::kernel::{ExplicitForm, Matrix};
use holonom::language::{Diagnostic, Sources};
use holonom::simulate::analysis::{CheckOptions, JointReport, MechanismReport, PrinciplesReport, Report};
use holonom::{Rejection, System, Verdict};
use serde_json::{Value, json};

use crate::messages;
use crate::setting::Setting;
use crate::terminal::{Colour, UNABLE, WRONG, columns, complain, fail, say};

/// Check models: syntax, names, units, ranks, redundant and contradictory constraints, and expectations
///
/// Exit code 0 if everything is fine, 1 if a model is wrong or an expectation does not hold, 2 if a file cannot be read.
#[derive(clap::Args)]
pub struct Options {
    /// Model files; `-` reads standard input
    #[arg(required = true)]
    files: Vec<PathBuf>,

    /// Set a parameter: `--set m=3`; may be repeated
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<Setting>,

    /// Change given start values as little as possible so that the constraints hold
    #[arg(long)]
    assemble: bool,

    /// How many states around the start to check
    #[arg(long, value_name = "COUNT", default_value_t = 32, value_parser = clap::value_parser!(u32).range(0..=10_000))]
    states: u32,

    /// Show the principles of mechanics at the start: virtual displacements and the work on them, Gauss's function, and
    /// the deviation Δa = K₁e
    #[arg(long)]
    principles: bool,

    /// Check at another state than the start: `--at "x = 1, x' = 0, t = 2"`; what is not given follows from the constraints
    #[arg(long, value_name = "VALUES")]
    at: Option<String>,

    /// Print one JSON object per model, on one line
    #[arg(long)]
    json: bool,

    /// Print messages only
    #[arg(long, short)]
    quiet: bool,

    /// When to use colours
    #[arg(long, value_enum, default_value_t = Colour::Auto, value_name = "WHEN")]
    color: Colour,
}

/// What came of one model.
struct Checked {
    sources: Sources,
    report: Option<Report>,
    diagnostics: Vec<Diagnostic>,
}

pub fn run(options: &Options) -> ExitCode {
    let mut worst = 0;
    for file in &options.files {
        let system = match messages::system(file, &options.set) {
            Ok(system) => system,
            Err(why) => {
                fail(&why);
                worst = UNABLE;
                continue;
            }
        };
        let checked = match check(system, options) {
            Ok(checked) => checked,
            Err(why) => {
                complain(&format!("error: {why}\n"));
                worst = UNABLE;
                continue;
            }
        };
        if checked.diagnostics.iter().any(Diagnostic::is_error) {
            worst = worst.max(WRONG);
        }
        if options.json {
            say(&format!("{}\n", to_json(&file.display().to_string(), &checked)));
        } else {
            complain(&messages::text(&checked.diagnostics, &checked.sources, options.color.on_errors()));
            if let Some(report) = checked.report.filter(|_| !options.quiet) {
                say(&report.page(options.color.layout()));
                if let Some(principles) = &report.principles {
                    say(&format!("\n{}", principles.page().unicode(columns(), options.color.on_output())));
                }
            }
        }
    }
    ExitCode::from(worst)
}

fn check(system: Result<System, Rejection>, options: &Options) -> Result<Checked, String> {
    let rejected = |Rejection { sources, messages, .. }| Checked { sources, report: None, diagnostics: messages };
    let system = match (system, &options.at) {
        (Err(rejection), _) => return Ok(rejected(rejection)),
        (Ok(system), Some(values)) => system.at(values).map_err(|why| messages::of_option("--at", &why))?,
        (Ok(system), None) => system,
    };
    let asked = CheckOptions {
        assemble: options.assemble,
        states: options.states as usize,
        principles: options.principles,
        ..CheckOptions::default()
    };
    Ok(match system.check_with(&asked) {
        Ok(Verdict { report, mut messages, sources }) => {
            // With `--at` it is meant that other values stay where they were.
            messages.retain(|message| options.at.is_none() || message.code != "start-guess");
            Checked { sources, report: Some(report), diagnostics: messages }
        }
        Err(rejection) => rejected(rejection),
    })
}

fn to_json(file: &str, checked: &Checked) -> Value {
    let messages: Vec<Value> =
        checked.diagnostics.iter().map(|diagnostic| messages::json(diagnostic, &checked.sources)).collect();
    let ok = !checked.diagnostics.iter().any(Diagnostic::is_error);
    json!({ "file": file, "ok": ok, "messages": messages, "report": checked.report.as_ref().map(report_json) })
}

fn report_json(report: &Report) -> Value {
    let verdict = report.verdict.as_ref().map(|verdict| {
        json!({
            "rank_A": verdict.constraint_rank.rank,
            "gap_A": finite(verdict.constraint_rank.gap),
            "rank_Mhat": verdict.system_rank.rank,
            "gap_Mhat": finite(verdict.system_rank.gap),
            "rank_M": verdict.mass_rank,
            "rank_A_around": verdict.rank_around,
            "degrees_of_freedom": verdict.degrees_of_freedom,
            "unique": verdict.unique,
            "certain": verdict.certain,
            "undetermined": verdict.undetermined,
            "consistent": verdict.consistent,
            "balanced": verdict.balanced,
            "unbalanced": verdict.unbalanced.iter().map(|(name, force)| json!({"coordinate": name, "force": finite(*force)})).collect::<Vec<_>>(),
        })
    });
    let combination = |rows: &[(f64, String)]| -> Vec<Value> {
        rows.iter().map(|(factor, row)| json!({"factor": finite(*factor), "row": row})).collect()
    };
    json!({
        "title": report.title,
        "parameters": report.parameters.iter().map(|(name, value)| json!({"name": name, "value": finite(*value)})).collect::<Vec<_>>(),
        "coordinates": report.coordinates.iter().map(|c| json!({
            "name": c.name,
            "position": finite(c.position),
            "velocity": finite(c.velocity),
            "acceleration": c.acceleration.map(finite),
            "Q": finite(c.impressed),
            "C": finite(c.given_nonideal),
            "Qi": finite(c.ideal),
            "Qni": finite(c.nonideal),
        })).collect::<Vec<_>>(),
        "rows": report.rows.iter().map(|row| json!({
            "name": row.name,
            "kind": format!("{:?}", row.kind).to_lowercase(),
            "rheonomic": row.rheonomic,
            "off": row.off,
            "one_sided": row.one_sided,
            "multiplier": finite(row.multiplier),
            "reaction": finite(row.reaction),
            "determinate": row.determinate,
        })).collect::<Vec<_>>(),
        "inferred": report.inferred.iter().map(|value| json!({"name": value.name, "value": finite(value.value)})).collect::<Vec<_>>(),
        "verdict": verdict,
        "redundant": report.redundant.iter().map(|r| json!({"row": r.row, "of": combination(&r.of), "everywhere": r.everywhere})).collect::<Vec<_>>(),
        "conflicts": report.conflicts.iter().map(|c| json!({"rows": combination(&c.rows), "gap": finite(c.gap), "level": c.level})).collect::<Vec<_>>(),
        "hidden": report.hidden,
        "contacts": report.contacts.iter().map(|c| json!({
            "name": c.name,
            "state": c.state.word(),
            "normal": finite(c.normal),
            "force": finite(c.force),
            "limit": c.limit.map(finite),
            "determinate": c.determinate,
        })).collect::<Vec<_>>(),
        "kinetic_energy": finite(report.kinetic_energy),
        "potential_energy": finite(report.potential_energy),
        "expectations": report.expectations.iter().map(|e| json!({
            "line": e.line,
            "holds": e.outcome.stands(),
            "outcome": e.outcome.text(),
            "left": e.left.map(finite),
            "right": e.right.map(finite),
        })).collect::<Vec<_>>(),
        "states": report.states,
        "notes": report.notes,
        "mechanism": report.mechanism.as_ref().map(mechanism_json),
        "principles": report.principles.as_deref().map(principles_json),
    })
}

fn mechanism_json(mechanism: &MechanismReport) -> Value {
    let joint = |joint: &JointReport| json!({"name": joint.name, "kind": joint.kind, "coordinates": joint.coordinates, "rows": joint.rows});
    let closing = |(joint, rows, of): &(String, usize, usize)| json!({"joint": joint, "directions": rows, "of": of});
    json!({
        "formulation": mechanism.formulation,
        "because": mechanism.because,
        "bodies": mechanism.bodies,
        "joints": mechanism.joints.iter().map(joint).collect::<Vec<_>>(),
        "counted": mechanism.counted,
        "formula": mechanism.formula,
        "spins": mechanism.spins,
        "closing": mechanism.closing.iter().map(closing).collect::<Vec<_>>(),
    })
}

fn principles_json(report: &PrinciplesReport) -> Value {
    let found = &report.numbers;
    // The general form of Gauss's function has a half.
    let half = if found.gauss.by_acceleration.is_some() { 1.0 } else { 0.5 };
    let list = |numbers: &[f64]| -> Vec<Value> { numbers.iter().map(|&x| finite(x)).collect() };
    json!({
        "coordinates": report.coordinates,
        "rows": report.rows,
        "redundant": report.redundant,
        "displacements": found.displacements.iter().map(|v| json!({
            "words": report.words(v),
            "v": list(&v.direction),
            "work": finite(v.work),
            "work_of_C": finite(v.given_work),
            "work_of_Qi": finite(v.ideal_work),
            "gauss_gain": finite(half * v.measured_gain),
            "vMv": finite(v.gain),
            "gauss_slope": finite(half * v.slope),
        })).collect::<Vec<_>>(),
        "gauss": finite(found.gauss.by_acceleration.unwrap_or(found.gauss.general)),
        "gauss_form": if found.gauss.by_acceleration.is_some() { "deviation" } else { "general" },
        "C": list(&found.nonideal),
        "K1e": found.proportional.as_deref().map(list),
        "NC": list(&found.added),
        "qdd": list(&found.motion.acceleration),
        "qdd_by_14": list(&found.by_one_four),
        "rank_Mhat": found.motion.system_rank.rank,
        "matrices": matrices_json(&found.form),
    })
}

/// The matrices of the papers by name, each a list of rows; vectors are lists of numbers.
pub fn matrices_json(form: &ExplicitForm) -> Value {
    let one = |matrix: Matrix| {
        let rows = matrix.entries.chunks(matrix.columns.max(1));
        let value = match matrix.columns {
            1 if matches!(matrix.name, "a" | "e" | "da") => json!(matrix.entries),
            _ => json!(rows.take(matrix.rows).collect::<Vec<_>>()),
        };
        (matrix.name.to_string(), value)
    };
    Value::Object(form.matrices().into_iter().map(one).collect())
}

/// A number as JSON has them; what is not finite has no place there.
fn finite(value: f64) -> Value {
    serde_json::Number::from_f64(value).map_or(Value::Null, Value::Number)
}
