//! A file in Rust that needs no crate.

use std::fmt::Write as _;

use super::program::{Code, Program, Shape};
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
    let Code { functions, helpers, .. } = program.code(Language::Rust);
    text += &helpers;
    for (function, output) in functions.iter().zip(program.outputs) {
        let kind = match output.shape {
            Shape::Scalar => "f64".to_string(),
            Shape::Vector => format!("[f64; {}]", output.entries.len()),
            Shape::Matrix(columns) => {
                format!("[[f64; {}]; {}]", columns.max(1), output.entries.len() / columns.max(1))
            }
        };
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
        let _ = writeln!(text, "pub fn {}({arguments}) -> {kind} {{", function.name);
        for (name, array, place) in function.unpacked() {
            let _ = writeln!(text, "    let {name} = {array}[{place}];");
        }
        text += &function.locals;
        match output.shape {
            Shape::Scalar => {
                let _ = writeln!(text, "    {}", function.results.first().map_or("0.0", String::as_str));
            }
            Shape::Vector => {
                text += "    [\n";
                function.results.iter().for_each(|result| text += &format!("        {result},\n"));
                text += "    ]\n";
            }
            Shape::Matrix(columns) => {
                text += "    [\n";
                function.rows(columns).for_each(|row| text += &format!("        [{}],\n", row.join(", ")));
                text += "    ]\n";
            }
        }
        text += "}\n\n";
    }
    text.trim_end().to_string() + "\n"
}

fn number(value: f64) -> String {
    match value {
        value if value.is_nan() => "f64::NAN".to_string(),
        value if value.is_infinite() => format!("f64::{}INFINITY", if value < 0.0 { "NEG_" } else { "" }),
        value => format!("{value:?}"),
    }
}
