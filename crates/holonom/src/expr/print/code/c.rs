//! A file in C99 that needs `math.h` alone.

use std::fmt::Write as _;

use super::program::{Code, Program, Shape};
use super::{Language, commentable};

pub(super) fn file(program: &Program) -> String {
    let mut text = String::from("/*\n");
    for line in program.heading() {
        let _ = writeln!(text, "{}", format!(" * {line}").trim_end());
    }
    text += " */\n#include <math.h>\n\n";
    // C has no arrays without elements.
    let (n, count) = (program.coordinates.len().max(1), program.parameters.len().max(1));
    let _ = writeln!(text, "/* The parameters' values. */\nconst double PARAMETERS[{count}] = {{");
    for parameter in program.parameters {
        let about = commentable(&format!("{} {}", parameter.name, parameter.unit));
        let _ = writeln!(text, "    {}, /* {} */", number(parameter.value), about.trim_end());
    }
    if program.parameters.is_empty() {
        text += "    0.0\n";
    }
    text += "};\n\n";
    let Code { functions, helpers, .. } = program.code(Language::C);
    text += &helpers;
    for (function, output) in functions.iter().zip(program.outputs) {
        let (rows, columns) = match output.shape {
            Shape::Matrix(columns) => (output.entries.len() / columns.max(1), columns.max(1)),
            _ => (output.entries.len(), 1),
        };
        let mut arguments = format!("double t, const double q[{n}], const double v[{n}], const double p[{count}]");
        for extra in &function.extra {
            let _ = write!(arguments, ", const double *{extra}");
        }
        let _ = match output.shape {
            Shape::Scalar => writeln!(text, "double {}({arguments}) {{", function.name),
            Shape::Vector => {
                writeln!(text, "void {}({arguments}, double out[{}]) {{", function.name, rows.max(1))
            }
            Shape::Matrix(_) => {
                writeln!(text, "void {}({arguments}, double out[{}][{columns}]) {{", function.name, rows.max(1))
            }
        };
        let unused: Vec<String> =
            ["t", "q", "v", "p"].iter().filter(|array| !function.uses(array)).map(|a| format!("(void){a};")).collect();
        if !unused.is_empty() {
            let _ = writeln!(text, "    {}", unused.join(" "));
        }
        for (name, array, place) in function.unpacked() {
            let _ = writeln!(text, "    const double {name} = {array}[{place}];");
        }
        text += &function.locals;
        for (index, result) in function.results.iter().enumerate() {
            let _ = match output.shape {
                Shape::Scalar => writeln!(text, "    return {result};"),
                Shape::Vector => writeln!(text, "    out[{index}] = {result};"),
                Shape::Matrix(_) => writeln!(text, "    out[{}][{}] = {result};", index / columns, index % columns),
            };
        }
        text += "}\n\n";
    }
    text.trim_end().to_string() + "\n"
}

fn number(value: f64) -> String {
    match value {
        value if value.is_nan() => "NAN".to_string(),
        value if value.is_infinite() => format!("{}INFINITY", if value < 0.0 { "-" } else { "" }),
        value => format!("{value:?}"),
    }
}
