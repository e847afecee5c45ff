//! A script in Python with SymPy: the expressions in symbols, for whoever wants to go on with them.

use std::fmt::Write as _;

use super::program::{Code, Program, Shape};
use super::python::dictionary;
use super::{Language, argument};
use crate::expr::graph::Symbol;

pub(super) fn file(program: &Program) -> String {
    let mut text = String::from("\"\"\"");
    for (index, line) in program.heading().iter().enumerate() {
        let line = line.replace("\"\"\"", "'''");
        let _ = writeln!(text, "{}", if index == 0 { line.trim_end_matches('"') } else { &line });
    }
    text +=
        "\"\"\"\n\nimport sympy as sp\nfrom sympy.physics.mechanics import dynamicsymbols\n\nt = dynamicsymbols._t\n";
    let Code { functions, helpers, names } = program.code(Language::SymPy);
    let list = |count: usize, make: fn(u32) -> Symbol| -> Vec<String> {
        (0..count as u32).map(|index| names.get(make(index))).collect()
    };
    let coordinates = list(program.coordinates.len(), Symbol::Position);
    let velocities = list(program.coordinates.len(), Symbol::Velocity);
    let parameters = list(program.parameters.len(), Symbol::Parameter);
    for name in &coordinates {
        let _ = writeln!(text, "{name} = dynamicsymbols(\"{name}\", real=True)");
    }
    for (velocity, name) in velocities.iter().zip(&coordinates) {
        let _ = writeln!(text, "{velocity} = sp.Derivative({name}, t)");
    }
    for name in &parameters {
        let _ = writeln!(text, "{name} = sp.Symbol(\"{name}\", real=True)");
    }
    let mut others: Vec<&(Symbol, String)> = functions.iter().flat_map(|function| &function.symbols).collect();
    others.sort_unstable();
    others.dedup();
    for (symbol, name) in others {
        let _ = match argument(*symbol) {
            ("t" | "q" | "v" | "p", _) => Ok(()),
            ("a", Some(place)) => {
                writeln!(text, "{name} = sp.Derivative({}, t, t)", names.get(Symbol::Position(place)))
            }
            _ => writeln!(text, "{name} = sp.Symbol(\"{name}\", real=True)"),
        };
    }
    let _ = writeln!(
        text,
        "\nq = [{}]\nv = [{}]\np = [{}]",
        coordinates.join(", "),
        velocities.join(", "),
        parameters.join(", ")
    );
    let mut next = parameters.iter();
    text += &dictionary(program, "parameters", &mut |_| next.next().cloned().unwrap_or_default());
    text += "\n\n";
    text += &helpers;
    for (function, output) in functions.iter().zip(program.outputs) {
        // Built inside a function, so that its variables are nobody else's.
        let _ = writeln!(text, "def _{}():", function.name);
        text += &function.locals;
        let results: String = function.results.iter().map(|result| format!("        {result},\n")).collect();
        let _ = match output.shape {
            Shape::Scalar => {
                let only = function.results.first().map_or("0", String::as_str);
                writeln!(text, "    return sp.sympify({only})")
            }
            Shape::Vector => writeln!(text, "    return sp.Matrix([\n{results}    ])"),
            Shape::Matrix(columns) => {
                let (rows, columns) = (output.entries.len() / columns.max(1), columns.max(1));
                writeln!(text, "    return sp.Matrix({rows}, {columns}, [\n{results}    ])")
            }
        };
        let _ = writeln!(text, "\n\n{0} = _{0}()\n\n", function.name);
    }
    text.trim_end().to_string() + "\n"
}
