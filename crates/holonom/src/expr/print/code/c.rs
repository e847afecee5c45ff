//! A file in C99 that needs `math.h` alone.

use std::fmt::Write as _;

use super::program::{Code, Function, Program, Shape};
use super::{Language, commentable};

pub(super) fn file(program: &Program) -> String {
    let mut text = String::from("/*\n");
    for line in program.heading() {
        let _ = writeln!(text, "{}", format!(" * {line}").trim_end());
    }
    text += " *\n * Every function returns 0, or the number of a condition that fails: condition_text gives it in words, and `out` has no meaning.\n \
             */\n#include <math.h>\n\n";
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
    let Code { functions, common, conditions, helpers } = program.code(Language::C);
    text += &texts(&conditions);
    text += &helpers;
    if functions.iter().any(|function| !function.results.is_empty()) {
        text += FINITE;
    }
    let arguments = |function: &Function| {
        let mut arguments = format!("double t, const double q[{n}], const double v[{n}], const double p[{count}]");
        for extra in &function.extra {
            let _ = write!(arguments, ", const double *{extra}");
        }
        arguments
    };
    if let Some(common) = &common {
        let (arguments, size) = (arguments(common), common.results.len());
        let _ = writeln!(
            text,
            "/* What several of the functions need. */\nstatic void common({arguments}, double shared[{size}]) {{"
        );
        text += &body(common, size);
        for (index, result) in common.results.iter().enumerate() {
            let _ = writeln!(text, "    shared[{index}] = {result};");
        }
        text += "}\n\n";
    }
    for (function, output) in functions.iter().zip(program.outputs) {
        let (rows, columns) = match output.shape {
            Shape::Matrix(columns) => (output.entries.len() / columns.max(1), columns.max(1)),
            _ => (output.entries.len(), 1),
        };
        let out = match output.shape {
            Shape::Scalar => "*out".to_string(),
            Shape::Vector => format!("out[{}]", rows.max(1)),
            Shape::Matrix(_) => format!("out[{}][{columns}]", rows.max(1)),
        };
        let _ = writeln!(text, "int {}({}, double {out}) {{", function.name, arguments(function));
        text += &body(function, common.as_ref().map_or(0, |common| common.results.len()));
        for (check, number) in &function.checks {
            let _ = writeln!(text, "    if (!({check})) return {};", number + 1);
        }
        for (index, result) in function.results.iter().enumerate() {
            let _ = match output.shape {
                Shape::Scalar => writeln!(text, "    *out = {result};"),
                Shape::Vector => writeln!(text, "    out[{index}] = {result};"),
                Shape::Matrix(_) => writeln!(text, "    out[{}][{}] = {result};", index / columns, index % columns),
            };
        }
        let first = if matches!(output.shape, Shape::Matrix(_)) { "&out[0][0]" } else { "out" };
        let (size, number) = (function.results.len(), function.finite + 1);
        let _ = match size {
            0 => writeln!(text, "    (void)out;\n    return 0;\n}}\n"),
            _ => writeln!(text, "    return all_finite({first}, {size}) ? 0 : {number};\n}}\n"),
        };
    }
    text.trim_end().to_string() + "\n"
}

/// What is taken from the arguments, and variables; `size` is that of what is common.
fn body(function: &Function, size: usize) -> String {
    let mut text = String::new();
    let unused: Vec<String> =
        ["t", "q", "v", "p"].iter().filter(|array| !function.uses(array)).map(|a| format!("(void){a};")).collect();
    if !unused.is_empty() {
        let _ = writeln!(text, "    {}", unused.join(" "));
    }
    if function.has_common {
        let _ = writeln!(text, "    double shared[{size}];\n    common(t, q, v, p, shared);");
    }
    for (name, array, place) in function.unpacked() {
        let _ = writeln!(text, "    const double {name} = {array}[{place}];");
    }
    text + &function.locals
}

/// The conditions by number, from 1.
fn texts(conditions: &[String]) -> String {
    let mut text = String::from("/* The condition that a function returned, in words; without one, nothing. */\n");
    text += "const char *condition_text(int number) {\n";
    let _ = writeln!(text, "    static const char *const CONDITIONS[{}] = {{", conditions.len() + 1);
    text += "        \"\",\n";
    conditions.iter().for_each(|condition| text += &format!("        \"{condition}\",\n"));
    let last = conditions.len();
    let _ = writeln!(text, "    }};\n    return CONDITIONS[number > 0 && number <= {last} ? number : 0];\n}}\n");
    text
}

const FINITE: &str = "\
static int all_finite(const double *values, int count) {
    for (int i = 0; i < count; i++) {
        if (!isfinite(values[i])) return 0;
    }
    return 1;
}

";

fn number(value: f64) -> String {
    match value {
        value if value.is_nan() => "NAN".to_string(),
        value if value.is_infinite() => format!("{}INFINITY", if value < 0.0 { "-" } else { "" }),
        value => format!("{value:?}"),
    }
}
