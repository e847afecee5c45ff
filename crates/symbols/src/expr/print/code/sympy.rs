//! A script in Python with SymPy: the expressions in symbols, for whoever wants to go on with them.

use std::fmt::Write as _;

use super::language::{Language, argument};
use super::program::{CodeProgram, CodeShape};
use super::python::dictionary;
use super::writer::Writer;
use crate::expr::graph::{Id, Symbol};

pub(super) fn file(program: &CodeProgram) -> String {
    let mut text = String::from("\"\"\"");
    for (index, line) in program.heading().iter().enumerate() {
        let line = line.replace("\"\"\"", "'''");
        let _ = writeln!(text, "{}", if index == 0 { line.trim_end_matches('"') } else { &line });
    }
    text +=
        "\"\"\"\n\nimport sympy as sp\nfrom sympy.physics.mechanics import dynamicsymbols\n\nt = dynamicsymbols._t\n";
    let (names, outputs) = program.identifiers();
    let (graph, needed) = program.conditions();
    let results: Vec<Id> = program.outputs.iter().flat_map(|output| output.entries.iter().copied()).collect();
    let tests = needed.iter().flatten().map(|condition| condition.exact);
    let roots: Vec<Id> = results.iter().copied().chain(tests).collect();
    let get = |symbol: Symbol| names.get(symbol);
    let mut writer = Writer::new(&graph, &roots, Language::SymPy, &get);
    writer.prefix = names.prefix();
    let mut results = writer.write(&roots).into_iter();
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
    for symbol in writer.symbols() {
        let name = names.get(symbol);
        let _ = match argument(symbol) {
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
    text += &writer.helpers();
    // Built inside a function, so that its variables are nobody else's.
    text += "def build():\n";
    text += &writer.locals();
    text += "    return (\n";
    for output in program.outputs {
        let entries: Vec<String> = results.by_ref().take(output.entries.len()).collect();
        let list: String = entries.iter().map(|result| format!("            {result},\n")).collect();
        let _ = match output.shape {
            CodeShape::Scalar => {
                let only = entries.first().map_or("0", String::as_str);
                writeln!(text, "        sp.sympify({only}),")
            }
            CodeShape::Vector => writeln!(text, "        sp.Matrix([\n{list}        ]),"),
            CodeShape::Matrix(columns) => {
                let (rows, columns) = (output.entries.len() / columns.max(1), columns.max(1));
                writeln!(text, "        sp.Matrix({rows}, {columns}, [\n{list}        ]),")
            }
        };
    }
    text += "        {\n";
    for (name, needed) in outputs.iter().zip(&needed) {
        let list = needed.iter().map(|condition| writer.condition_text(condition.exact));
        let list: String = list.map(|condition| format!("                sp.sympify({condition}),\n")).collect();
        let _ = writeln!(text, "            \"{name}\": [\n{list}            ],");
    }
    let given: String = outputs.iter().map(|name| format!("{name}, ")).collect();
    let _ = writeln!(
        text,
        "        }},\n    )\n\n\n# Each of these holds where the conditions of its name do.\n{given}conditions = build()"
    );
    text
}
