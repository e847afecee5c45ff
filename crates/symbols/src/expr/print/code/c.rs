//! A file in C99 that needs `math.h` alone.

use std::fmt::Write as _;

use super::language::{Language, commentable};
use super::program::{Code, CodeOutput, CodeProgram, CodeShape, Function};

pub(super) fn file(program: &CodeProgram) -> String {
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
    let code = program.code(Language::C);
    let Code { functions, common, conditions, helpers } = &code;
    text += &texts(conditions);
    text += helpers;
    if functions.iter().any(|function| !function.results.is_empty()) {
        text += FINITE;
    }
    let arguments = |extra: &[&str]| {
        let extra: String = extra.iter().map(|extra| format!(", const double *{extra}")).collect();
        format!("double t, const double q[{n}], const double v[{n}], const double p[{count}]{extra}")
    };
    let size = common.as_ref().map_or(0, |common| common.results.len());
    if let Some(common) = common {
        let arguments = arguments(&common.extra);
        let _ = writeln!(
            text,
            "/* What several of the functions need. */\nstatic void common({arguments}, double shared[{size}]) {{"
        );
        text += &body(common);
        for (index, result) in common.results.iter().enumerate() {
            let _ = writeln!(text, "    shared[{index}] = {result};");
        }
        text += "}\n\n";
    }
    for (function, output) in functions.iter().zip(program.outputs) {
        let columns = if let CodeShape::Matrix(columns) = output.shape { columns.max(1) } else { 1 };
        let out = if output.shape == CodeShape::Scalar { "*out".to_string() } else { array("out", output) };
        let (name, inner, arguments) = (&function.name, function.inner(), arguments(&function.extra));
        if function.has_common {
            let _ = writeln!(text, "static int {inner}(const double shared[{size}], {arguments}, double {out}) {{");
        } else {
            let _ = writeln!(text, "int {name}({arguments}, double {out}) {{");
        }
        text += &body(function);
        for (check, number) in &function.checks {
            let _ = writeln!(text, "    if (!({check})) return {};", number + 1);
        }
        for (index, result) in function.results.iter().enumerate() {
            let _ = match output.shape {
                CodeShape::Scalar => writeln!(text, "    *out = {result};"),
                CodeShape::Vector => writeln!(text, "    out[{index}] = {result};"),
                CodeShape::Matrix(_) => writeln!(text, "    out[{}][{}] = {result};", index / columns, index % columns),
            };
        }
        let first = if matches!(output.shape, CodeShape::Matrix(_)) { "&out[0][0]" } else { "out" };
        let (count, number) = (function.results.len(), function.finite + 1);
        let _ = match count {
            0 => writeln!(text, "    (void)out;\n    return 0;\n}}\n"),
            _ => writeln!(text, "    return all_finite({first}, {count}) ? 0 : {number};\n}}\n"),
        };
        if function.has_common {
            let _ = writeln!(text, "int {name}({arguments}, double {out}) {{\n    double shared[{size}];");
            let _ = writeln!(text, "    common(t, q, v, p, shared);\n    return {};\n}}\n", call(function, "out"));
        }
    }
    if code.has_evaluate() {
        text += &evaluate(program, &code, &arguments(&code.extra()), size);
    }
    text.trim_end().to_string() + "\n"
}

/// The declarator of an output.
fn array(name: &str, output: &CodeOutput) -> String {
    let count = output.entries.len();
    match output.shape {
        CodeShape::Scalar => name.to_string(),
        CodeShape::Vector => format!("{name}[{}]", count.max(1)),
        CodeShape::Matrix(columns) => format!("{name}[{}][{}]", (count / columns.max(1)).max(1), columns.max(1)),
    }
}

/// A call of a function where what is common is in `shared`.
fn call(function: &Function, out: &str) -> String {
    let shared = if function.has_common { "shared, " } else { "" };
    let extra: String = function.extra.iter().map(|extra| format!(", {extra}")).collect();
    format!("{}({shared}t, q, v, p{extra}, {out})", function.inner())
}

/// The function of all outputs; `size` is that of what is common.
fn evaluate(program: &CodeProgram, code: &Code, arguments: &str, size: usize) -> String {
    let mut text = String::from("/* What evaluate computes. */\nstruct values {\n");
    for (function, output) in code.functions.iter().zip(program.outputs) {
        let _ = writeln!(text, "    double {};", array(&function.name, output));
    }
    text += "};\n\n/* All of it at once: what several of the functions need is computed once. */\n";
    let _ = writeln!(text, "int evaluate({arguments}, struct values *out) {{");
    if code.common.is_some() {
        let _ = writeln!(text, "    double shared[{size}];");
    }
    text += "    int failed = 0;\n";
    if code.common.is_some() {
        text += "    common(t, q, v, p, shared);\n";
    }
    for (function, output) in code.functions.iter().zip(program.outputs) {
        let address = if output.shape == CodeShape::Scalar { "&" } else { "" };
        let call = call(function, &format!("{address}out->{}", function.name));
        let _ = writeln!(text, "    if (!failed) failed = {call};");
    }
    text + "    return failed;\n}\n"
}

/// What is taken from the arguments, and variables.
fn body(function: &Function) -> String {
    let mut text = String::new();
    let unused: Vec<String> =
        ["t", "q", "v", "p"].iter().filter(|array| !function.uses(array)).map(|a| format!("(void){a};")).collect();
    if !unused.is_empty() {
        let _ = writeln!(text, "    {}", unused.join(" "));
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
