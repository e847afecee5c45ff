//! Whole files: named outputs of a model as functions that stand for themselves.

use super::helpers::helpers;
use super::identifier::Identifiers;
use super::writer::Writer;
use super::{Language, argument, c, commentable, python, rust, sympy};
use crate::expr::graph::{Graph, Id, Symbol};

/// What a file of code is made from.
///
/// ```
/// use holonom::expr::{Coordinate, Function, Graph, Language, Number, Output, Parameter, Program, Shape, Symbol};
///
/// let mut graph = Graph::new();
/// let (g, l) = (graph.symbol(Symbol::Parameter(0)), graph.symbol(Symbol::Parameter(1)));
/// let angle = graph.symbol(Symbol::Position(0));
/// let sine = graph.call(Function::Sin, angle);
/// let swing = graph.product(Number::MINUS_ONE, &[(g, 1), (sine, 1), (l, -1)]);
/// let program = Program {
///     graph: &graph,
///     title: "pendulum",
///     coordinates: &[Coordinate { name: "theta".into(), unit: "rad".into() }],
///     parameters: &[
///         Parameter { name: "g".into(), unit: "m/s^2".into(), value: 9.81 },
///         Parameter { name: "l".into(), unit: "m".into(), value: 1.0 },
///     ],
///     outputs: &[Output { name: "acceleration".into(), shape: Shape::Vector, entries: vec![swing] }],
///     name: &|_| String::new(),
/// };
/// let python = program.generate(Language::Python);
/// assert!(python.contains("def acceleration(t, q, v, p=PARAMETERS):"));
/// assert!(python.contains("-g * np.sin(theta) / l"));
/// ```
pub struct Program<'a> {
    /// The expressions.
    pub graph: &'a Graph,
    /// What it is about, for a comment.
    pub title: &'a str,
    /// The coordinates, in the order of `q` and `v`.
    pub coordinates: &'a [Coordinate],
    /// The parameters, in the order of `p`.
    pub parameters: &'a [Parameter],
    /// What is computed: a function for each.
    pub outputs: &'a [Output],
    /// The names of what else occurs: multipliers, reactions, slip.
    pub name: &'a dyn Fn(Symbol) -> String,
}

/// A coordinate of a [`Program`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coordinate {
    /// Its name in the model.
    pub name: String,
    /// Its unit, or nothing.
    pub unit: String,
}

/// A parameter of a [`Program`].
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Its name in the model.
    pub name: String,
    /// Its unit, or nothing.
    pub unit: String,
    /// The value it has unless another is given, in this unit.
    pub value: f64,
}

/// An output of a [`Program`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// What the function is called.
    pub name: String,
    /// How the entries are arranged.
    pub shape: Shape,
    /// The entries, row by row.
    pub entries: Vec<Id>,
}

/// How the entries of an [`Output`] are arranged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// One number.
    Scalar,
    /// A vector.
    Vector,
    /// A matrix with this many columns.
    Matrix(usize),
}

impl Program<'_> {
    /// The file in a language.
    pub fn generate(&self, language: Language) -> String {
        match language {
            Language::Rust => rust::file(self),
            Language::C => c::file(self),
            Language::Python => python::file(self),
            Language::SymPy => sympy::file(self),
        }
    }

    /// The name of a symbol in the model.
    pub(super) fn symbol_name(&self, symbol: Symbol) -> String {
        let coordinate = |index: u32| self.coordinates.get(index as usize).map(|coordinate| coordinate.name.clone());
        let found = match symbol {
            Symbol::Time => Some("t".to_string()),
            Symbol::Parameter(index) => self.parameters.get(index as usize).map(|parameter| parameter.name.clone()),
            Symbol::Position(index) => coordinate(index),
            Symbol::Velocity(index) => coordinate(index).map(|name| name + "'"),
            Symbol::Acceleration(index) => coordinate(index).map(|name| name + "''"),
            _ => None,
        };
        found.unwrap_or_else(|| (self.name)(symbol))
    }

    /// The functions of all outputs, and what they have in common.
    pub(super) fn code(&self, language: Language) -> Code {
        let roots: Vec<Id> = self.outputs.iter().flat_map(|output| output.entries.iter().copied()).collect();
        let symbols = self.graph.symbols(&roots);
        // Names are taken by the file itself first, then by outputs, then by what the model calls things.
        let own = ["t", "q", "v", "p", "parameters", "stack", "PARAMETERS"].map(str::to_string);
        let arrays = symbols.iter().map(|&symbol| argument(symbol).0.to_string());
        let tables = (0..self.graph.tables().len()).map(|table| format!("TABLE{table}"));
        let mut names = Identifiers::new(own.into_iter().chain(arrays).chain(tables));
        let outputs: Vec<String> = self.outputs.iter().map(|output| names.free(&output.name)).collect();
        let (n, count) = (self.coordinates.len() as u32, self.parameters.len() as u32);
        let all = (0..count).map(Symbol::Parameter).chain((0..n).map(Symbol::Position));
        names.add(all.chain((0..n).map(Symbol::Velocity)).chain(symbols), &|symbol| self.symbol_name(symbol));
        let mut functions = Vec::new();
        let (mut sign, mut tables): (bool, Vec<u32>) = (false, Vec::new());
        for (output, name) in self.outputs.iter().zip(outputs) {
            let symbols = self.graph.symbols(&output.entries);
            let get = |symbol: Symbol| names.get(symbol);
            let mut writer = Writer::new(self.graph, &output.entries, language, &get);
            writer.prefix = names.prefix();
            let results = writer.write(&output.entries);
            let mut extra: Vec<&'static str> = symbols.iter().map(|&symbol| argument(symbol).0).collect();
            extra.dedup();
            extra.retain(|array| !["t", "q", "v", "p"].contains(array));
            let symbols = symbols.iter().map(|&symbol| (symbol, names.get(symbol))).collect();
            functions.push(Function { name, locals: writer.locals(), results, symbols, extra });
            sign |= writer.sign;
            tables.extend(&writer.tables);
        }
        tables.sort_unstable();
        tables.dedup();
        Code { functions, helpers: helpers(self.graph, language, sign, &tables), names }
    }

    /// The comment at the top, without the signs that make it one.
    pub(super) fn heading(&self) -> Vec<String> {
        let mut lines = vec![commentable(self.title), String::new()];
        let with_unit = |name: &str, unit: &str| match unit {
            "" | "1" => commentable(name),
            unit => format!("{} ({})", commentable(name), commentable(unit)),
        };
        let listed = |lines: &mut Vec<String>, head: &str, names: Vec<String>| {
            if names.is_empty() {
                return;
            }
            let mut line = head.to_string();
            for (index, name) in names.iter().enumerate() {
                let comma = if index + 1 < names.len() { "," } else { "" };
                if line.chars().count() + name.chars().count() + 2 > 98 {
                    lines.push(std::mem::replace(&mut line, " ".repeat(head.len())));
                }
                line += &format!(" {name}{comma}");
            }
            lines.push(line);
        };
        let coordinates = self.coordinates.iter().map(|c| with_unit(&c.name, &c.unit)).collect();
        listed(&mut lines, "q, coordinates:", coordinates);
        lines.push("v, velocities: of the same, per second".to_string());
        let parameters = self.parameters.iter().map(|p| with_unit(&p.name, &p.unit)).collect();
        listed(&mut lines, "p, parameters: ", parameters);
        lines
    }
}

/// The functions of a file.
pub(super) struct Code {
    pub(super) functions: Vec<Function>,
    /// What they refer to.
    pub(super) helpers: String,
    /// What they call things.
    pub(super) names: Identifiers,
}

/// A function in a language, without its head.
pub(super) struct Function {
    pub(super) name: String,
    /// Lines of variables.
    pub(super) locals: String,
    pub(super) results: Vec<String>,
    /// What it uses, with what it calls it.
    pub(super) symbols: Vec<(Symbol, String)>,
    /// Arguments beyond t, q, v and p.
    pub(super) extra: Vec<&'static str>,
}

impl Function {
    /// Whether an argument is used.
    pub(super) fn uses(&self, array: &str) -> bool {
        self.symbols.iter().any(|&(symbol, _)| argument(symbol).0 == array)
    }

    /// What is taken from arguments that are arrays: name, array, place.
    pub(super) fn unpacked(&self) -> impl Iterator<Item = (&str, &'static str, u32)> {
        self.symbols.iter().filter_map(|(symbol, name)| {
            let (array, place) = argument(*symbol);
            Some((name.as_str(), array, place?))
        })
    }

    /// The rows of a matrix.
    pub(super) fn rows(&self, columns: usize) -> impl Iterator<Item = &[String]> {
        self.results.chunks(columns.max(1))
    }
}
