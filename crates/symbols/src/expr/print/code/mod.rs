//! Code: expressions, functions of many outputs in which every shared part is computed once, and whole files.

mod c;
mod conditions;
mod helpers;
mod identifier;
mod javascript;
mod language;
mod program;
mod python;
mod rust;
mod spelling;
mod sympy;
mod writer;

pub use conditions::{CodeCondition, Limit, Test};
pub use language::Language;
pub use program::{CodeCoordinate, CodeOutput, CodeParameter, CodeProgram, CodeShape};

use std::fmt::Write as _;

use super::super::graph::{Graph, Id, Symbol};
use conditions::conditions;
use language::{argument, commentable};
use writer::Writer;

/// An expression as code, with `name` for its symbols. What it shares is written as often as it occurs, and parts that
/// grow too long by that come first as definitions; for large expressions [`function`] is the better way.
pub fn expression(
    graph: &Graph,
    id: Id,
    language: Language,
    name: &dyn Fn(Symbol) -> String,
) -> (Vec<(String, String)>, String) {
    let mut writer = Writer::new(graph, &[id], language, name);
    writer.share = false;
    writer.longest = 2000;
    let mut outputs = writer.write(&[id]);
    (writer.definitions, outputs.pop().unwrap_or_default())
}

/// A function that computes `outputs` into its last argument, `out`; in Python it returns them in a list.
///
/// Its arguments are time `t`, coordinates `q`, velocities `v` and parameters `p`, then whatever else occurs:
/// accelerations `a`, `multiplier`, `reaction`, `slip`, `normal`. `name` gives the names of the model for a comment. The text
/// stands for itself: tables come with it as data.
///
/// Where an output has no value, the function says which condition fails: in Rust the error, in C a text in place of a null pointer, in
/// Python a `ValueError`, in JavaScript an `Error`. SymPy keeps expressions as they are.
pub fn function(
    graph: &Graph,
    outputs: &[Id],
    language: Language,
    function_name: &str,
    name: &dyn Fn(Symbol) -> String,
) -> String {
    let symbols = graph.symbols(outputs);
    let place = |symbol: Symbol| match argument(symbol) {
        (array, Some(index)) => format!("{array}[{index}]"),
        (array, None) => array.to_string(),
    };
    let mut graph = graph.clone();
    let needed = match language {
        Language::SymPy => Vec::new(),
        _ => conditions(&mut graph, outputs, &[], name),
    };
    let roots: Vec<Id> = outputs.iter().copied().chain(needed.iter().map(|condition| condition.test)).collect();
    let mut writer = Writer::new(&graph, &roots, language, &place);
    let mut results = writer.write(&roots);
    results.truncate(outputs.len());
    let mut text = String::new();
    text += match language {
        Language::Rust | Language::JavaScript => "",
        Language::C => "#include <math.h>\n\n",
        Language::Python => "import numpy as np\n\n\n",
        Language::SymPy => "import sympy as sp\n\n\n",
    };
    text += &writer.helpers();
    let comment = if matches!(language, Language::Python | Language::SymPy) { "#" } else { "//" };
    for &symbol in &symbols {
        let _ = writeln!(text, "{comment} {} is {}", place(symbol), commentable(&name(symbol)));
    }
    match language {
        Language::Rust => text += "// Err: the condition that fails; `out` has no meaning then.\n",
        Language::C => text += "// Returns 0, or the condition that fails; `out` has no meaning then.\n",
        _ => {}
    }
    let mut arguments: Vec<&str> = vec!["t", "q", "v", "p"];
    for &symbol in &symbols {
        let (array, _) = argument(symbol);
        if !arguments.contains(&array) {
            arguments.push(array);
        }
    }
    let used = |array: &str| symbols.iter().any(|&symbol| argument(symbol).0 == array);
    let list: Vec<String> = arguments
        .iter()
        .map(|&array| match (language, array) {
            (Language::Rust, "t") => format!("{}t: f64", if used(array) { "" } else { "_" }),
            (Language::Rust, _) => format!("{}{array}: &[f64]", if used(array) { "" } else { "_" }),
            (Language::C, "t") => "double t".to_string(),
            (Language::C, _) => format!("const double *{array}"),
            (Language::Python | Language::SymPy | Language::JavaScript, _) => array.to_string(),
        })
        .collect();
    let list = list.join(", ");
    let _ = match language {
        Language::Rust => {
            writeln!(text, "pub fn {function_name}({list}, out: &mut [f64]) -> Result<(), &'static str> {{")
        }
        Language::C => writeln!(text, "const char *{function_name}({list}, double *out) {{"),
        Language::JavaScript => writeln!(text, "export function {function_name}({list}, out) {{"),
        Language::Python | Language::SymPy => writeln!(text, "def {function_name}({list}):"),
    };
    if language == Language::C {
        let unused: Vec<String> = arguments.iter().filter(|a| !used(a)).map(|a| format!("(void){a};")).collect();
        if !unused.is_empty() {
            let _ = writeln!(text, "    {}", unused.join(" "));
        }
    }
    text += &writer.locals();
    for condition in &needed {
        let check = writer.condition_text(condition.test);
        text += &refusal(language, &format!("!({check})"), &format!("not ({check})"), &condition.text);
    }
    let count = results.len();
    match language {
        Language::Rust | Language::C | Language::JavaScript => {
            for (index, result) in results.iter().enumerate() {
                let _ = writeln!(text, "    out[{index}] = {result};");
            }
        }
        Language::Python | Language::SymPy => {
            let results: String = results.iter().map(|result| format!("        {result},\n")).collect();
            text += &format!("    out = [\n{results}    ]\n");
        }
    }
    if count > 0 {
        let infinite = match language {
            Language::Rust => format!("out[..{count}].iter().any(|value| !value.is_finite())"),
            Language::JavaScript => format!("!out.slice(0, {count}).every(Number.isFinite)"),
            _ => "!isfinite(out[i])".to_string(),
        };
        if language == Language::C {
            let _ = write!(text, "    for (int i = 0; i < {count}; i++) {{\n    ");
        }
        text += &refusal(language, &infinite, "not np.all(np.isfinite(out))", "finite entries");
        text += if language == Language::C { "    }\n" } else { "" };
    }
    text += match language {
        Language::Rust => "    Ok(())\n}\n",
        Language::C => "    return 0;\n}\n",
        Language::JavaScript => "}\n",
        Language::Python | Language::SymPy => "    return out\n",
    };
    text
}

impl CodeProgram<'_> {
    /// The file in a language.
    pub fn generate(&self, language: Language) -> String {
        match language {
            Language::Rust => rust::file(self),
            Language::C => c::file(self),
            Language::Python => python::file(self),
            Language::SymPy => sympy::file(self),
            Language::JavaScript => javascript::file(self),
        }
    }
}

/// A line that ends a function where something fails: as Rust, C and JavaScript have it, and as Python has it.
fn refusal(language: Language, fails: &str, fails_in_python: &str, needs: &str) -> String {
    match language {
        Language::Rust => format!("    if {fails} {{\n        return Err(\"{needs}\");\n    }}\n"),
        Language::C => format!("    if ({fails}) return \"{needs}\";\n"),
        Language::JavaScript => format!("    if ({fails}) throw new Error(\"no value here: it needs {needs}\");\n"),
        Language::Python => {
            format!("    if {fails_in_python}:\n        raise ValueError(\"no value here: it needs {needs}\")\n")
        }
        Language::SymPy => String::new(),
    }
}

#[cfg(test)]
mod tests;
