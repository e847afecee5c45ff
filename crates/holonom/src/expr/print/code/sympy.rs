//! A script in Python with SymPy: the expressions in symbols, for whoever wants to go on with them.

use std::fmt::Write as _;

use super::Language;
use super::identifier::Identifiers;
use super::program::{Program, Shape};
use super::python::dictionary;
use crate::expr::graph::Symbol;

pub(super) fn file(program: &Program) -> String {
    let mut text = String::from("\"\"\"");
    for (index, line) in program.heading().iter().enumerate() {
        let line = line.replace("\"\"\"", "'''");
        let _ = writeln!(text, "{}", if index == 0 { line.trim_end_matches('"') } else { &line });
    }
    text +=
        "\"\"\"\n\nimport sympy as sp\nfrom sympy.physics.mechanics import dynamicsymbols\n\nt = dynamicsymbols._t\n";
    // One name for a symbol in the whole script.
    let positions = (0..program.coordinates.len() as u32).map(Symbol::Position);
    let symbols: Vec<Symbol> = positions.chain((0..program.parameters.len() as u32).map(Symbol::Parameter)).collect();
    let names = Identifiers::new(&symbols, &|symbol| program.symbol_name(symbol), &["q", "v", "p", "parameters"]);
    let list = |count: usize, make: fn(u32) -> Symbol| -> Vec<String> {
        (0..count as u32).map(|index| names.get(make(index))).collect()
    };
    let coordinates = list(program.coordinates.len(), Symbol::Position);
    for name in &coordinates {
        let _ = writeln!(text, "{name} = dynamicsymbols(\"{name}\", real=True)");
    }
    let parameters = list(program.parameters.len(), Symbol::Parameter);
    for name in &parameters {
        let _ = writeln!(text, "{name} = sp.Symbol(\"{name}\", real=True)");
    }
    let _ = writeln!(text, "\nq = [{}]", coordinates.join(", "));
    text += "v = [sp.Derivative(coordinate, t) for coordinate in q]\n";
    let _ = writeln!(text, "p = [{}]", parameters.join(", "));
    let mut next = parameters.iter();
    let mut values = dictionary(program, "parameters", &|_| "@".to_string());
    while let (Some(place), Some(name)) = (values.find("    @:"), next.next()) {
        values.replace_range(place + 4..place + 5, name);
    }
    text += &values;
    text += "\n\n";
    let (functions, helpers) = program.functions(Language::SymPy);
    text += &helpers;
    for (function, output) in functions.iter().zip(program.outputs) {
        // Built inside a function, so that its variables are nobody else's.
        let _ = writeln!(text, "def _{}():", function.name);
        for (name, array, place) in function.unpacked() {
            let _ = match array {
                "q" | "v" | "p" => writeln!(text, "    {name} = {array}[{place}]"),
                "a" => writeln!(text, "    {name} = sp.Derivative(q[{place}], t, t)"),
                _ => writeln!(text, "    {name} = sp.Symbol(\"{name}\", real=True)"),
            };
        }
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
