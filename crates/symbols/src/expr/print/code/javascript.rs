//! A module in JavaScript that needs `Math` alone.

use std::fmt::Write as _;

use super::language::{Language, commentable};
use super::program::{Code, CodeProgram, CodeShape, Function};

pub(super) fn file(program: &CodeProgram) -> String {
    let mut text = String::from("/*\n");
    for line in program.heading() {
        let _ = writeln!(text, "{}", format!(" * {line}").trim_end());
    }
    text += " *\n * Where a formula does not hold, its function throws a ConditionError, which names the condition that fails.\n */\n\n";
    text += "/** The parameters' values. */\nexport const PARAMETERS = Object.freeze({\n";
    for parameter in program.parameters {
        let about = commentable(&parameter.unit);
        let unit = if matches!(&about[..], "" | "1") { String::new() } else { format!(" // {about}") };
        let _ = writeln!(text, "    \"{}\": {},{unit}", key_of(&parameter.name), number(parameter.value));
    }
    text += "});\n\n";
    let code = program.code(Language::JavaScript);
    let Code { functions, common, conditions, helpers } = &code;
    text += "/** What the formulas need. */\nexport const CONDITIONS = Object.freeze([\n";
    conditions.iter().for_each(|condition| text += &format!("    \"{condition}\",\n"));
    text += "]);\n\n";
    text += CONDITION;
    text += helpers;
    if let Some(common) = common {
        text += "/** What several of the functions need. */\nfunction common(t, q, v, p) {\n";
        text += &body(program, common);
        let list: String = common.results.iter().map(|result| format!("        {result},\n")).collect();
        let _ = writeln!(text, "    return [\n{list}    ];\n}}\n");
    }
    for (function, output) in functions.iter().zip(program.outputs) {
        let extra: String = function.extra.iter().map(|extra| format!(", {extra}")).collect();
        let (name, inner) = (&function.name, function.inner());
        let _ = writeln!(text, "export function {name}(t, q, v{extra}, p = PARAMETERS) {{");
        if function.has_common {
            let _ = writeln!(text, "    const shared = common(t, q, v, p);\n    return {};\n}}\n", call(function));
            let _ = writeln!(text, "function {inner}(shared, t, q, v{extra}, p) {{");
        }
        text += &body(program, function);
        for (check, number) in &function.checks {
            let _ = writeln!(text, "    require({check}, {number});");
        }
        let finite = function.finite;
        let _ = match output.shape {
            CodeShape::Scalar => {
                let only = function.results.first().map_or("0", String::as_str);
                writeln!(text, "    return finite([{only}], {finite})[0];")
            }
            CodeShape::Vector => {
                let list: String = function.results.iter().map(|result| format!("        {result},\n")).collect();
                writeln!(text, "    return finite([\n{list}    ], {finite});")
            }
            CodeShape::Matrix(columns) => {
                let rows: String = function
                    .rows(columns)
                    .map(|row| format!("        finite([{}], {finite}),\n", row.join(", ")))
                    .collect();
                writeln!(text, "    return [\n{rows}    ];")
            }
        };
        text += "}\n\n";
    }
    if code.has_evaluate() {
        text += &evaluate(&code);
    }
    text.trim_end().to_string() + "\n"
}

/// A call of a function where what is common is in `shared`.
fn call(function: &Function) -> String {
    let shared = if function.has_common { "shared, " } else { "" };
    let extra: String = function.extra.iter().map(|extra| format!(", {extra}")).collect();
    format!("{}({shared}t, q, v{extra}, p)", function.inner())
}

/// The function of all outputs.
fn evaluate(code: &Code) -> String {
    let extra: String = code.extra().iter().map(|extra| format!(", {extra}")).collect();
    let mut text = String::from("/** All of it at once: what several of the functions need is computed once. */\n");
    let _ = writeln!(text, "export function evaluate(t, q, v{extra}, p = PARAMETERS) {{");
    if code.common.is_some() {
        text += "    const shared = common(t, q, v, p);\n";
    }
    text += "    return {\n";
    for function in &code.functions {
        let _ = writeln!(text, "        {}: {},", function.name, call(function));
    }
    text + "    };\n}\n"
}

/// What is taken from the arguments, and variables.
fn body(program: &CodeProgram, function: &Function) -> String {
    let mut text = String::new();
    for (name, array, place) in function.unpacked() {
        let key = program.parameters.get(place as usize).filter(|_| array == "p");
        let _ = match key {
            Some(parameter) => writeln!(text, "    const {name} = p[\"{}\"];", key_of(&parameter.name)),
            None => writeln!(text, "    const {name} = {array}[{place}];"),
        };
    }
    text + &function.locals
}

/// A name between quotation marks.
fn key_of(name: &str) -> String {
    commentable(name).replace('"', "'")
}

fn number(value: f64) -> String {
    match value {
        value if value.is_nan() => "NaN".to_string(),
        value if value.is_infinite() => format!("{}Infinity", if value < 0.0 { "-" } else { "" }),
        value => format!("{value:?}"),
    }
}

const CONDITION: &str = "\
/** Thrown where a formula does not hold: `condition` is what fails there, `number` its place in CONDITIONS. */
export class ConditionError extends Error {
    constructor(number) {
        super(`the formula does not hold here: it needs ${CONDITIONS[number]}`);
        this.name = \"ConditionError\";
        this.number = number;
        this.condition = CONDITIONS[number];
    }
}

function require(holds, number) {
    if (!holds) throw new ConditionError(number);
}

function finite(values, number) {
    require(values.every(Number.isFinite), number);
    return values;
}

";
