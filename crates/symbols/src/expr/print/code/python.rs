//! A file in Python that needs NumPy alone.

use std::fmt::Write as _;

use super::language::{Language, commentable};
use super::program::{Code, CodeProgram, CodeShape, Function};

/// Both branches of a choice are computed, and what is wrong in the one not taken is nobody's business.
const HEAD: &str = "    with np.errstate(all=\"ignore\"):\n";

pub(super) fn file(program: &CodeProgram) -> String {
    let mut text = String::from("\"\"\"");
    for (index, line) in program.heading().iter().enumerate() {
        let line = line.replace("\"\"\"", "'''");
        let _ = writeln!(text, "{}", if index == 0 { line.trim_end_matches('"') } else { &line });
    }
    text += "\nNumbers, or arrays of many states at a time: q[i] and v[i] are then arrays of one shape.\nWhere a formula does not hold, \
             its function raises ConditionError, which names the condition that fails.\n\"\"\"\n\n";
    let code = program.code(Language::Python);
    if code.has_evaluate() {
        text += "from collections import namedtuple\n\n";
    }
    text += "import numpy as np\n\n";
    text += &dictionary(program, "PARAMETERS", &mut |name| format!("\"{}\"", key_of(name)));
    let Code { functions, common, conditions, helpers } = &code;
    text += "\n# What the formulas need.\nCONDITIONS = (\n";
    conditions.iter().for_each(|condition| text += &format!("    \"{condition}\",\n"));
    text += ")\n\n\n";
    text += REQUIRE;
    text += helpers;
    text += STACK;
    if let Some(common) = common {
        text += "def common(t, q, v, p):\n    \"\"\"What several of the functions need.\"\"\"\n";
        text += &indented(program, common);
        let list: String = common.results.iter().map(|result| format!("            {result},\n")).collect();
        let _ = writeln!(text, "        return (\n{list}        )\n\n");
    }
    for (function, output) in functions.iter().zip(program.outputs) {
        let extra: String = function.extra.iter().map(|extra| format!(", {extra}")).collect();
        // What has no value of its own comes before what has one.
        let (name, inner) = (&function.name, function.inner());
        let _ = writeln!(text, "def {name}(t, q, v{extra}, p=PARAMETERS):");
        if function.has_common {
            let _ = writeln!(text, "    shared = common(t, q, v, p)\n    return {}\n\n", call(function));
            let _ = writeln!(text, "def {inner}(shared, t, q, v{extra}, p):");
        }
        text += &indented(program, function);
        for (check, number) in &function.checks {
            let _ = writeln!(text, "        require({check}, {number})");
        }
        let finite = function.finite;
        let _ = match output.shape {
            CodeShape::Scalar => {
                let only = function.results.first().map_or("0.0", String::as_str);
                writeln!(text, "        return finite({only}, 0, {finite})")
            }
            CodeShape::Vector => {
                let list: String = function.results.iter().map(|result| format!("            {result},\n")).collect();
                writeln!(text, "        return finite(stack([\n{list}        ], t, q, v), 1, {finite})")
            }
            CodeShape::Matrix(columns) => {
                let rows: String =
                    function.rows(columns).map(|row| format!("            {},\n", row.join(", "))).collect();
                let columns = columns.max(1);
                writeln!(
                    text,
                    "        return finite(stack([\n{rows}        ], t, q, v, columns={columns}), 2, {finite})"
                )
            }
        };
        text += "\n\n";
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
    let names: Vec<String> = code.functions.iter().map(|function| format!("\"{}\"", function.name)).collect();
    let mut text = format!("Values = namedtuple(\"Values\", [{}])\n\n\n", names.join(", "));
    let extra: String = code.extra().iter().map(|extra| format!(", {extra}")).collect();
    let _ = writeln!(text, "def evaluate(t, q, v{extra}, p=PARAMETERS):");
    text += "    \"\"\"All of it at once: what several of the functions need is computed once.\"\"\"\n";
    if code.common.is_some() {
        text += "    shared = common(t, q, v, p)\n";
    }
    text += "    return Values(\n";
    for function in &code.functions {
        let _ = writeln!(text, "        {}={},", function.name, call(function));
    }
    text + "    )\n"
}

/// What is taken from the arguments, and variables.
fn indented(program: &CodeProgram, function: &Function) -> String {
    let mut text = String::new();
    // Floats of Python itself would raise an error of their own where a denominator vanishes.
    for array in ["t", "q", "v"].into_iter().chain(function.extra.iter().copied()).filter(|array| function.uses(array))
    {
        let _ = writeln!(text, "    {array} = np.asarray({array}, dtype=float)[()]");
    }
    text += HEAD;
    for (name, array, place) in function.unpacked() {
        let key = program.parameters.get(place as usize).filter(|_| array == "p");
        let _ = match key {
            Some(parameter) => {
                writeln!(text, "        {name} = np.asarray(p[\"{}\"], dtype=float)[()]", key_of(&parameter.name))
            }
            None => writeln!(text, "        {name} = {array}[{place}]"),
        };
    }
    for line in function.locals.lines() {
        let _ = writeln!(text, "    {line}");
    }
    text
}

/// A name between quotation marks.
fn key_of(name: &str) -> String {
    commentable(name).replace('"', "'")
}

/// The parameters by name.
pub(super) fn dictionary(program: &CodeProgram, name: &str, key: &mut dyn FnMut(&str) -> String) -> String {
    let mut text = format!("{name} = {{\n");
    for parameter in program.parameters {
        let value = match parameter.value {
            value if value.is_finite() => format!("{value:?}"),
            value if value.is_nan() => "float(\"nan\")".to_string(),
            value => format!("float(\"{}inf\")", if value < 0.0 { "-" } else { "" }),
        };
        let unit = match parameter.unit.as_str() {
            "" | "1" => String::new(),
            unit => format!("  # {}", commentable(unit)),
        };
        let _ = writeln!(text, "    {}: {value},{unit}", key(&parameter.name));
    }
    text + "}\n"
}

const REQUIRE: &str = "\
class ConditionError(ValueError):
    \"\"\"A formula does not hold: `condition` fails, among many states at those of the indices `states`.\"\"\"

    def __init__(self, number, holds):
        self.condition = CONDITIONS[number]
        self.states = np.argwhere(np.logical_not(holds)) if np.ndim(holds) else None
        where = \"here\" if self.states is None else \"at state \" + \", \".join(map(str, self.states[0]))
        super().__init__(f\"the formula does not hold {where}: it needs {self.condition}\")


def require(holds, number):
    if not np.all(holds):
        raise ConditionError(number, holds)


def finite(values, axes, number):
    require(np.isfinite(values).all(axis=tuple(range(axes))), number)
    return values


";

const STACK: &str = "\
def stack(values, t, q, v, columns=None):
    \"\"\"Values as a vector, or a matrix; constants take the shape of the states.\"\"\"
    shape = np.broadcast_shapes(np.shape(t), np.shape(q)[1:], np.shape(v)[1:])
    values = np.array([np.broadcast_to(value, shape) for value in values])
    return values if columns is None else values.reshape((-1, columns) + shape)


";
