//! Code: expressions, functions of many outputs in which every shared part is computed once, and whole files.

mod c;
mod conditions;
mod helpers;
mod identifier;
mod javascript;
mod program;
mod python;
mod rust;
mod spelling;
mod sympy;
mod writer;

pub use program::{Coordinate, Output, Parameter, Program, Shape};

use std::fmt::Write as _;

use super::super::graph::{Graph, Id, Symbol};
use writer::Writer;

/// A language to write code in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// Rust, with nothing but the methods of `f64`.
    Rust,
    /// C99 with `math.h`.
    C,
    /// Python with NumPy.
    Python,
    /// Python with SymPy: expressions in symbols.
    SymPy,
    /// JavaScript as a module, with nothing but `Math`.
    JavaScript,
}

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
    let mut writer = Writer::new(graph, outputs, language, &place);
    let results = writer.write(outputs);
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
    let _ = match language {
        Language::Rust => writeln!(text, "pub fn {function_name}({}, out: &mut [f64]) {{", list.join(", ")),
        Language::C => writeln!(text, "void {function_name}({}, double *out) {{", list.join(", ")),
        Language::JavaScript => writeln!(text, "export function {function_name}({}, out) {{", list.join(", ")),
        Language::Python | Language::SymPy => writeln!(text, "def {function_name}({}):", list.join(", ")),
    };
    if language == Language::C {
        let unused: Vec<String> = arguments.iter().filter(|a| !used(a)).map(|a| format!("(void){a};")).collect();
        if !unused.is_empty() {
            let _ = writeln!(text, "    {}", unused.join(" "));
        }
    }
    text += &writer.locals();
    match language {
        Language::Rust | Language::C | Language::JavaScript => {
            for (index, result) in results.iter().enumerate() {
                let _ = writeln!(text, "    out[{index}] = {result};");
            }
            text + "}\n"
        }
        Language::Python | Language::SymPy => {
            let results: String = results.iter().map(|result| format!("        {result},\n")).collect();
            text + "    return [\n" + &results + "    ]\n"
        }
    }
}

/// A text that ends no comment.
fn commentable(text: &str) -> String {
    text.chars().filter(|&c| !c.is_control() && c != '\\').collect::<String>().replace("*/", "* /").replace("/*", "/ *")
}

/// The argument that holds a symbol, and its place there.
fn argument(symbol: Symbol) -> (&'static str, Option<u32>) {
    match symbol {
        Symbol::Time => ("t", None),
        Symbol::Parameter(index) => ("p", Some(index)),
        Symbol::Position(index) => ("q", Some(index)),
        Symbol::Velocity(index) => ("v", Some(index)),
        Symbol::Acceleration(index) => ("a", Some(index)),
        Symbol::Multiplier(index) => ("multiplier", Some(index)),
        Symbol::Reaction(index) => ("reaction", Some(index)),
        Symbol::Slip(index) => ("slip", Some(index)),
        Symbol::Normal(index) => ("normal", Some(index)),
    }
}

#[cfg(test)]
mod tests;
