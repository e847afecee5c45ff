//! `holonom show equations`: M, Q, A, b and C in the symbols of the model.

use std::path::PathBuf;
use std::process::ExitCode;

use holonom::mechanics::derive::{ConstraintKind, Equations};
use holonom::symbols::expr::{Id, Language, MatrixFormula, Notation, Style, Symbol, code_function};
use serde_json::{Value, json};

use super::shown::{derived, finish, with_numbers};
use crate::setting::Setting;
use crate::terminal::{Colour, say};

/// Print M, Q, A, b and C in the symbols of the model
#[derive(clap::Args)]
pub struct Options {
    /// The model; `-` reads standard input
    file: PathBuf,

    /// Set a parameter: `--set m=3`; may be repeated
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<Setting>,

    /// Output format
    #[arg(long = "as", value_enum, default_value_t = Form::Text, value_name = "FORM")]
    form: Form,

    /// Do not simplify
    #[arg(long)]
    raw: bool,

    /// Print JSON, with expressions in the chosen format
    #[arg(long)]
    json: bool,

    /// When to use colours
    #[arg(long, value_enum, default_value_t = Colour::Auto, value_name = "WHEN")]
    color: Colour,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Form {
    /// The language of models
    Text,
    /// Greek letters, dots and superscripts
    Unicode,
    /// LaTeX with amsmath
    Latex,
    /// MathML
    Mathml,
    /// A Rust function
    Rust,
    /// A C function
    C,
}

/// Work that simplification may do on one expression.
const BUDGET: usize = 2_000;
/// Beyond this many expressions nothing is simplified: nobody reads them one by one.
const READABLE: usize = 20_000;

pub fn run(options: &Options) -> ExitCode {
    let (system, shown) = match derived(&options.file, &options.set, options.json, options.color) {
        Ok(found) => found,
        Err(code) => return code,
    };
    if matches!(options.form, Form::Rust | Form::C)
        && let Err(code) = with_numbers(&options.file, &system, options.json, options.color)
    {
        return code;
    }
    let mut equations = system.equations().clone();
    if !options.raw && equations.graph.len() < READABLE {
        simplify(&mut equations);
    }
    let text = match options.form {
        Form::Rust => code(&equations, Language::Rust),
        Form::C => code(&equations, Language::C),
        form => {
            let notation = match form {
                Form::Unicode => Notation::Unicode,
                Form::Latex => Notation::Latex,
                Form::Mathml => Notation::MathMl,
                _ => Notation::Text,
            };
            let name = |symbol: Symbol| equations.model.symbol_name(symbol);
            let style = Style::new(notation, &name);
            if options.json {
                return finish(&shown, "equations", data(&equations, &style));
            }
            page(&equations, &style)
        }
    };
    if options.json {
        return finish(&shown, "equations", json!({ "code": text }));
    }
    say(&text);
    ExitCode::SUCCESS
}

/// Makes what is printed readable; what is computed stays as it was derived.
fn simplify(equations: &mut Equations) {
    let Equations { graph, mass, force, rows, nonideal, .. } = equations;
    let entries: Vec<(usize, usize, Id)> = mass.iter().collect();
    let ids: Vec<Id> = mass.ids().collect();
    for (&(i, j, _), short) in entries.iter().zip(graph.simplify_all(&ids, BUDGET)) {
        mass.set(i, j, short);
    }
    *force = graph.simplify_all(force, BUDGET);
    for part in nonideal {
        part.force = graph.simplify_all(&part.force, BUDGET);
    }
    for row in rows {
        for (_, entry) in &mut row.a {
            *entry = graph.simplify(*entry, BUDGET);
        }
        row.b = graph.simplify(row.b, BUDGET);
    }
}

/// Names of coordinates, names of rows, and A in full.
fn table(equations: &Equations) -> (Vec<String>, Vec<String>, Vec<Id>) {
    let columns: Vec<String> = equations.model.coordinates.iter().map(|c| c.name.clone()).collect();
    let rows: Vec<String> = equations.rows.iter().map(|row| row.name.clone()).collect();
    let mut a = vec![Id::ZERO; rows.len() * columns.len()];
    for (at, row) in equations.rows.iter().enumerate() {
        for &(column, entry) in &row.a {
            a[at * columns.len() + column] = entry;
        }
    }
    (columns, rows, a)
}

/// All C that does not depend on which constraint it belongs to, added up.
fn nonideal(equations: &Equations) -> Vec<(String, Vec<Id>)> {
    let label = |part: &holonom::mechanics::derive::NonidealTerm| match part.constraint {
        Some(at) => format!("C({})", equations.model.constraints[at].name),
        None => "C".to_string(),
    };
    equations.nonideal.iter().map(|part| (label(part), part.force.clone())).collect()
}

fn page(equations: &Equations, style: &Style) -> String {
    let (columns, rows, a) = table(equations);
    let b: Vec<Id> = equations.rows.iter().map(|row| row.b).collect();
    let graph = &equations.graph;
    let mut matrices = vec![
        MatrixFormula { label: "M", rows: &columns, columns: &columns, entries: &equations.mass.dense() }
            .print(graph, style),
        MatrixFormula { label: "Q", rows: &columns, columns: &[], entries: &equations.force }.print(graph, style),
    ];
    if !rows.is_empty() {
        matrices.push(MatrixFormula { label: "A", rows: &rows, columns: &columns, entries: &a }.print(graph, style));
        matrices.push(MatrixFormula { label: "b", rows: &rows, columns: &[], entries: &b }.print(graph, style));
    }
    for (label, force) in nonideal(equations) {
        matrices
            .push(MatrixFormula { label: &label, rows: &columns, columns: &[], entries: &force }.print(graph, style));
    }
    matrices.extend(gaps(equations, style));
    match style.notation {
        Notation::Text | Notation::Unicode => matrices.join("\n"),
        Notation::Latex => matrices.iter().map(|matrix| format!("\\[ {matrix} \\]\n")).collect(),
        Notation::MathMl => {
            matrices.iter().map(|matrix| format!("<math display=\"block\">{matrix}</math>\n")).collect()
        }
    }
}

/// What one-sided rows keep from becoming negative: they are in force while it is zero.
fn gaps(equations: &Equations, style: &Style) -> Option<String> {
    let one_sided = equations.rows.iter().filter(|row| row.one_sided);
    let gaps: Vec<(&str, String)> =
        one_sided.filter_map(|row| Some((row.name.as_str(), equations.graph.print(row.position?, style)))).collect();
    if gaps.is_empty() {
        return None;
    }
    let width = gaps.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    let line = |(name, gap): &(&str, String)| match style.notation {
        Notation::Text => format!("  {name:width$}  {gap} >= 0\n"),
        Notation::Unicode => format!("  {name:width$}  {gap} ≥ 0\n"),
        Notation::Latex => format!("{gap} \\ge 0"),
        Notation::MathMl => format!("<mtr><mtd>{gap}<mo>≥</mo><mn>0</mn></mtd></mtr>"),
    };
    let lines: Vec<String> = gaps.iter().map(line).collect();
    Some(match style.notation {
        Notation::Text | Notation::Unicode => format!("one-sided, active while it touches:\n{}", lines.concat()),
        Notation::Latex => format!("\\begin{{gathered}} {} \\end{{gathered}}", lines.join(" \\\\ ")),
        Notation::MathMl => format!("<mtable>{}</mtable>", lines.concat()),
    })
}

fn code(equations: &Equations, language: Language) -> String {
    let (columns, rows, a) = table(equations);
    let (n, m) = (columns.len(), rows.len());
    let mut outputs = [&equations.mass.dense()[..], &equations.force, &a].concat();
    outputs.extend(equations.rows.iter().map(|row| row.b));
    let comment = format!(
        "// out: M ({n} x {n}, row by row), Q ({n}), A ({m} x {n}, row by row), b ({m})\n// coordinates: {}\n{}",
        columns.join(", "),
        if m == 0 { String::new() } else { format!("// constraints: {}\n", rows.join(", ")) }
    );
    let name = |symbol: Symbol| equations.model.symbol_name(symbol);
    comment + &code_function(&equations.graph, &outputs, language, "equations", &name)
}

fn data(equations: &Equations, style: &Style) -> Value {
    let (columns, _, _) = table(equations);
    let graph = &equations.graph;
    let entries = |list: &[(usize, usize, Id)]| -> Vec<Value> {
        list.iter()
            .filter(|&&(_, _, id)| id != Id::ZERO)
            .map(|&(row, column, id)| json!({"row": row, "column": column, "value": graph.print(id, style)}))
            .collect()
    };
    let mass: Vec<_> = equations.mass.iter().collect();
    let kind = |kind| match kind {
        ConstraintKind::Holonomic => "holonomic",
        ConstraintKind::Velocity => "velocity",
        ConstraintKind::Acceleration => "acceleration",
    };
    let print = |id: Id| graph.print(id, style);
    let rows: Vec<Value> = equations
        .rows
        .iter()
        .map(|row| {
            json!({
                "name": row.name,
                "kind": kind(row.kind),
                "rheonomic": row.rheonomic,
                "off": row.off,
                "one_sided": row.one_sided,
                "position": row.position.map(print),
                "velocity": row.velocity.map(print),
                "A": row.a.iter().map(|&(column, id)| json!({"column": column, "value": print(id)})).collect::<Vec<_>>(),
                "b": print(row.b),
            })
        })
        .collect();
    json!({
        "coordinates": columns,
        "M": entries(&mass),
        "Q": equations.force.iter().map(|&id| print(id)).collect::<Vec<_>>(),
        "rows": rows,
        "C": nonideal(equations).iter().map(|(label, force)| json!({"name": label, "force": force.iter().map(|&id| print(id)).collect::<Vec<_>>()})).collect::<Vec<_>>(),
        "kinetic_energy": print(equations.kinetic_energy),
        "potential_energy": print(equations.potential_energy),
    })
}
