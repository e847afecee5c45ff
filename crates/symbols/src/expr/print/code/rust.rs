//! A file in Rust that needs no crate.

use std::fmt::Write as _;

use super::language::{Language, commentable};
use super::program::{Code, CodeOutput, CodeProgram, CodeShape, Function};

pub(super) fn file(program: &CodeProgram) -> String {
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
    let code = program.code(Language::Rust);
    let Code { functions, common, conditions, helpers } = &code;
    text += "/// What the formulas need; a [`Condition`] says which of these fails.\n";
    let _ = writeln!(text, "pub const CONDITIONS: [&str; {}] = [", conditions.len());
    conditions.iter().for_each(|condition| text += &format!("    \"{condition}\",\n"));
    text += "];\n\n";
    text += CONDITION;
    text += helpers;
    let kinds: Vec<String> = program.outputs.iter().map(kind).collect();
    if let Some(common) = common {
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
    for ((function, output), kind) in functions.iter().zip(program.outputs).zip(&kinds) {
        let (name, inner, all) = (&function.name, function.inner(), all_arguments(&function.extra, n, count));
        match common {
            Some(common) if function.has_common => {
                let own = arguments(function, n, count);
                let _ = writeln!(text, "pub fn {name}({all}) -> Result<{kind}, Condition> {{");
                let call = call(function);
                let _ = writeln!(text, "    {}\n}}\n", call.replace("&shared", "&common(t, q, v, p)"));
                let size = common.results.len();
                let _ = writeln!(text, "fn {inner}(shared: &[f64; {size}], {own}) -> Result<{kind}, Condition> {{");
            }
            _ => {
                let own = arguments(function, n, count);
                let _ = writeln!(text, "pub fn {name}({own}) -> Result<{kind}, Condition> {{");
            }
        }
        text += &body(function);
        for (check, number) in &function.checks {
            let _ =
                writeln!(text, "    if !({check}) {{\n        return Err(Condition {{ number: {number} }});\n    }}");
        }
        let (values, all) = match output.shape {
            CodeShape::Scalar => {
                (function.results.first().cloned().unwrap_or_else(|| "0.0".to_string()), "values.is_finite()")
            }
            CodeShape::Vector => {
                let list: String = function.results.iter().map(|result| format!("        {result},\n")).collect();
                (format!("[\n{list}    ]"), "values.iter().all(|value| value.is_finite())")
            }
            CodeShape::Matrix(columns) => {
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
    if code.has_evaluate() {
        text += &evaluate(&code, &kinds, &all_arguments(&code.extra(), n, count));
    }
    text.trim_end().to_string() + "\n"
}

/// The type of an output.
fn kind(output: &CodeOutput) -> String {
    match output.shape {
        CodeShape::Scalar => "f64".to_string(),
        CodeShape::Vector => format!("[f64; {}]", output.entries.len()),
        CodeShape::Matrix(columns) => format!("[[f64; {}]; {}]", columns.max(1), output.entries.len() / columns.max(1)),
    }
}

/// A call of a function where what is common is in `shared`.
fn call(function: &Function) -> String {
    let shared = if function.has_common { "&shared, " } else { "" };
    let extra: String = function.extra.iter().map(|extra| format!(", {extra}")).collect();
    format!("{}({shared}t, q, v, p{extra})", function.inner())
}

/// The function of all outputs.
fn evaluate(code: &Code, kinds: &[String], arguments: &str) -> String {
    let mut text = String::from(
        "/// What [`evaluate`] computes.\n#[derive(Clone, Copy, Debug, PartialEq)]\npub struct Values {\n",
    );
    for (function, kind) in code.functions.iter().zip(kinds) {
        let _ = writeln!(text, "    pub {}: {kind},", function.name);
    }
    text += "}\n\n/// All of it at once: what several of the functions need is computed once.\n";
    let _ = writeln!(text, "pub fn evaluate({arguments}) -> Result<Values, Condition> {{");
    if code.common.is_some() {
        text += "    let shared = common(t, q, v, p);\n";
    }
    text += "    Ok(Values {\n";
    for function in &code.functions {
        let _ = writeln!(text, "        {}: {}?,", function.name, call(function));
    }
    text + "    })\n}\n"
}

/// All arguments of a function.
fn all_arguments(extra: &[&str], n: usize, count: usize) -> String {
    let extra: String = extra.iter().map(|extra| format!(", {extra}: &[f64]")).collect();
    format!("t: f64, q: &[f64; {n}], v: &[f64; {n}], p: &[f64; {count}]{extra}")
}

/// The arguments of a function of `n` coordinates and `count` parameters, with a mark on those that it does not use.
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
        write!(f, \"the formula does not hold here: it needs {}\", CONDITIONS[self.number])
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
