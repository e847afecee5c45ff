//! A file in Rust that needs no crate.

use std::fmt::Write as _;

use super::program::{Code, Function, Program, Shape};
use super::{Language, commentable};

pub(super) fn file(program: &Program) -> String {
    let mut text = String::new();
    for line in program.heading() {
        let _ = writeln!(text, "{}", format!("//! {line}").trim_end());
    }
    text += "\n#![allow(dead_code, non_snake_case)]\n\n";
    let (n, count) = (program.coordinates.len(), program.parameters.len());
    let _ = writeln!(text, "/// The parameters' values.\npub const PARAMETERS: [f64; {count}] = [");
    for parameter in program.parameters {
        let about = commentable(&format!("{} {}", parameter.name, parameter.unit));
        let _ = writeln!(text, "    {}, // {}", number(parameter.value), about.trim_end());
    }
    text += "];\n\n";
    let Code { functions, common, conditions, helpers } = program.code(Language::Rust);
    text += "/// What the formulas need; a [`Condition`] says which of these fails.\n";
    let _ = writeln!(text, "pub const CONDITIONS: [&str; {}] = [", conditions.len());
    conditions.iter().for_each(|condition| text += &format!("    \"{condition}\",\n"));
    text += "];\n\n";
    text += CONDITION;
    text += &helpers;
    if let Some(common) = &common {
        let arguments = arguments(common, n, count);
        let _ = writeln!(
            text,
            "/// What several of the functions need.\nfn common({arguments}) -> [f64; {}] {{",
            common.results.len()
        );
        text += &body(common);
        text += "    [\n";
        common.results.iter().for_each(|result| text += &format!("        {result},\n"));
        text += "    ]\n}\n\n";
    }
    for (function, output) in functions.iter().zip(program.outputs) {
        let kind = match output.shape {
            Shape::Scalar => "f64".to_string(),
            Shape::Vector => format!("[f64; {}]", output.entries.len()),
            Shape::Matrix(columns) => {
                format!("[[f64; {}]; {}]", columns.max(1), output.entries.len() / columns.max(1))
            }
        };
        let (name, arguments) = (&function.name, arguments(function, n, count));
        let _ = writeln!(text, "pub fn {name}({arguments}) -> Result<{kind}, Condition> {{");
        text += &body(function);
        for (check, number) in &function.checks {
            let _ =
                writeln!(text, "    if !({check}) {{\n        return Err(Condition {{ number: {number} }});\n    }}");
        }
        let (values, all) = match output.shape {
            Shape::Scalar => {
                (function.results.first().cloned().unwrap_or_else(|| "0.0".to_string()), "values.is_finite()")
            }
            Shape::Vector => {
                let list: String = function.results.iter().map(|result| format!("        {result},\n")).collect();
                (format!("[\n{list}    ]"), "values.iter().all(|value| value.is_finite())")
            }
            Shape::Matrix(columns) => {
                let rows: String =
                    function.rows(columns).map(|row| format!("        [{}],\n", row.join(", "))).collect();
                (format!("[\n{rows}    ]"), "values.iter().flatten().all(|value| value.is_finite())")
            }
        };
        let finite = function.finite;
        let _ = writeln!(
            text,
            "    let values: {kind} = {values};\n    if {all} {{ Ok(values) }} else {{ Err(Condition {{ number: {finite} }}) }}\n}}\n"
        );
    }
    text.trim_end().to_string() + "\n"
}

/// The arguments of a function of `n` coordinates and `count` parameters.
fn arguments(function: &Function, n: usize, count: usize) -> String {
    let unused = |array: &str| if function.uses(array) { "" } else { "_" };
    let mut arguments = format!(
        "{}t: f64, {}q: &[f64; {n}], {}v: &[f64; {n}], {}p: &[f64; {count}]",
        unused("t"),
        unused("q"),
        unused("v"),
        unused("p")
    );
    for extra in &function.extra {
        let _ = write!(arguments, ", {extra}: &[f64]");
    }
    arguments
}

/// What is taken from the arguments, and variables.
fn body(function: &Function) -> String {
    let mut text = String::new();
    if function.has_common {
        text += "    let shared = common(t, q, v, p);\n";
    }
    for (name, array, place) in function.unpacked() {
        let _ = writeln!(text, "    let {name} = {array}[{place}];");
    }
    text + &function.locals
}

const CONDITION: &str = "\
/// A condition of a formula that fails at a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Condition {
    /// Its place in [`CONDITIONS`].
    pub number: usize,
}

impl std::fmt::Display for Condition {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, \"the formula has no value here: it needs {}\", CONDITIONS[self.number])
    }
}

impl std::error::Error for Condition {}

";

fn number(value: f64) -> String {
    match value {
        value if value.is_nan() => "f64::NAN".to_string(),
        value if value.is_infinite() => format!("f64::{}INFINITY", if value < 0.0 { "NEG_" } else { "" }),
        value => format!("{value:?}"),
    }
}
