//! Whole files: named outputs of a model as functions that stand for themselves.

use super::conditions::{CodeCondition, Limit, conditions};
use super::helpers::helpers;
use super::identifier::Identifiers;
use super::language::{Language, argument, commentable};
use super::writer::Writer;
use crate::expr::graph::{FastMap, Graph, Id, Node, Symbol};

/// What a file of code is made from.
///
/// ```
/// use holonom_symbols::expr::{CodeCoordinate, Function, Graph, Language, Number, CodeOutput, CodeParameter, CodeProgram, CodeShape, Symbol};
///
/// let mut graph = Graph::new();
/// let (g, l) = (graph.symbol(Symbol::Parameter(0)), graph.symbol(Symbol::Parameter(1)));
/// let angle = graph.symbol(Symbol::Position(0));
/// let sine = graph.call(Function::Sin, angle);
/// let swing = graph.product(Number::MINUS_ONE, &[(g, 1), (sine, 1), (l, -1)]);
/// let program = CodeProgram {
///     graph: &graph,
///     title: "pendulum",
///     coordinates: &[CodeCoordinate { name: "theta".into(), unit: "rad".into() }],
///     parameters: &[
///         CodeParameter { name: "g".into(), unit: "m/s^2".into(), value: 9.81 },
///         CodeParameter { name: "l".into(), unit: "m".into(), value: 1.0 },
///     ],
///     outputs: &[CodeOutput { name: "acceleration".into(), shape: CodeShape::Vector, entries: vec![swing], limits: vec![] }],
///     name: &|_| String::new(),
/// };
/// let python = program.generate(Language::Python);
/// assert!(python.contains("def acceleration(t, q, v, p=PARAMETERS):"));
/// assert!(python.contains("-g * np.sin(theta) / l"));
/// ```
pub struct CodeProgram<'a> {
    /// The expressions.
    pub graph: &'a Graph,
    /// What it is about, for a comment.
    pub title: &'a str,
    /// The coordinates, in the order of `q` and `v`.
    pub coordinates: &'a [CodeCoordinate],
    /// The parameters, in the order of `p`.
    pub parameters: &'a [CodeParameter],
    /// What is computed: a function for each.
    pub outputs: &'a [CodeOutput],
    /// The names of what else occurs: multipliers, reactions, slip.
    pub name: &'a dyn Fn(Symbol) -> String,
}

/// A coordinate of a [`CodeProgram`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeCoordinate {
    /// Its name in the model.
    pub name: String,
    /// Its unit, or nothing.
    pub unit: String,
}

/// A parameter of a [`CodeProgram`].
#[derive(Clone, Debug, PartialEq)]
pub struct CodeParameter {
    /// Its name in the model.
    pub name: String,
    /// Its unit, or nothing.
    pub unit: String,
    /// The value it has unless another is given, in this unit.
    pub value: f64,
}

/// An output of a [`CodeProgram`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeOutput {
    /// What the function is called.
    pub name: String,
    /// How the entries are arranged.
    pub shape: CodeShape,
    /// The entries, row by row.
    pub entries: Vec<Id>,
    /// Where they hold.
    pub limits: Vec<Limit>,
}

/// How the entries of an [`CodeOutput`] are arranged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodeShape {
    /// One number.
    Scalar,
    /// A vector.
    Vector,
    /// A matrix with this many columns.
    Matrix(usize),
}

impl CodeProgram<'_> {
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

    /// Identifiers for the outputs, and for everything that the model has a name for.
    pub(super) fn identifiers(&self) -> (Identifiers, Vec<String>) {
        let roots: Vec<Id> = self.outputs.iter().flat_map(|output| output.entries.iter().copied()).collect();
        let symbols = self.graph.symbols(&roots);
        // Names are taken by the file itself first, then by outputs, then by what the model calls things.
        let arrays = symbols.iter().map(|&symbol| argument(symbol).0.to_string());
        let tables = (0..self.graph.tables().len()).map(|table| format!("TABLE{table}"));
        let mut names = Identifiers::new(OWN.map(str::to_string).into_iter().chain(arrays).chain(tables));
        let outputs: Vec<String> = self.outputs.iter().map(|output| names.free(&output.name)).collect();
        let (n, count) = (self.coordinates.len() as u32, self.parameters.len() as u32);
        let all = (0..count).map(Symbol::Parameter).chain((0..n).map(Symbol::Position));
        names.add(all.chain((0..n).map(Symbol::Velocity)).chain(symbols), &|symbol| self.symbol_name(symbol));
        (names, outputs)
    }

    /// The conditions that the function of each output tests, and a graph that holds them and the outputs.
    pub fn conditions(&self) -> (Graph, Vec<Vec<CodeCondition>>) {
        let mut graph = self.graph.clone();
        let name = |symbol: Symbol| self.symbol_name(symbol);
        let of = |output: &CodeOutput| conditions(&mut graph, &output.entries, &output.limits, &name);
        let found = self.outputs.iter().map(of).collect();
        (graph, found)
    }

    /// The functions of all outputs, and what they have in common.
    pub(super) fn code(&self, language: Language) -> Code {
        let (names, outputs) = self.identifiers();
        let (graph, needed) = self.conditions();
        let roots: Vec<Vec<Id>> = self
            .outputs
            .iter()
            .zip(&needed)
            .map(|(output, needed)| output.entries.iter().copied().chain(needed.iter().map(|one| one.test)).collect())
            .collect();
        let get = |symbol: Symbol| names.get(symbol);
        let (mut sign, mut tables): (bool, Vec<u32>) = (false, Vec::new());
        let mut body = |name: String, roots: &[Id], results: usize, known: &FastMap<Id, String>| {
            let mut writer = Writer::with_known(&graph, roots, language, &get, known);
            writer.prefix = names.prefix();
            let mut texts = writer.write(roots);
            texts.truncate(results);
            sign |= writer.sign;
            tables.extend(&writer.tables);
            let symbols = writer.symbols();
            let mut extra: Vec<&'static str> = symbols.iter().map(|&symbol| argument(symbol).0).collect();
            extra.dedup();
            extra.retain(|array| !["t", "q", "v", "p"].contains(array));
            Function {
                name,
                locals: writer.locals(),
                checks: roots[results..].iter().map(|&test| (writer.condition_text(test), 0)).collect(),
                results: texts,
                symbols: symbols.iter().map(|&symbol| (symbol, names.get(symbol))).collect(),
                extra,
                has_common: writer.has_known,
                finite: 0,
            }
        };
        let common = common(&graph, &roots);
        let known: FastMap<Id, String> =
            common.iter().enumerate().map(|(place, &id)| (id, format!("shared[{place}]"))).collect();
        let mut texts: Vec<String> = Vec::new();
        let mut number = |text: String| {
            let place = texts.iter().position(|known| *known == text);
            place.unwrap_or_else(|| {
                texts.push(text);
                texts.len() - 1
            })
        };
        let mut functions = Vec::new();
        for (((output, name), roots), needed) in self.outputs.iter().zip(outputs).zip(&roots).zip(needed) {
            let mut function = body(name, roots, output.entries.len(), &known);
            for (check, condition) in function.checks.iter_mut().zip(needed) {
                check.1 = number(condition.text);
            }
            function.finite = number(match output.shape {
                CodeShape::Scalar => format!("a finite {}", function.name),
                _ => format!("finite entries of {}", function.name),
            });
            functions.push(function);
        }
        let common = if common.is_empty() {
            None
        } else {
            Some(body("common".to_string(), &common, common.len(), &FastMap::default()))
        };
        tables.sort_unstable();
        tables.dedup();
        Code { functions, common, conditions: texts, helpers: helpers(&graph, language, sign, &tables) }
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

/// Names that files use themselves.
const OWN: [&str; 23] = [
    "t",
    "q",
    "v",
    "p",
    "parameters",
    "stack",
    "PARAMETERS",
    "common",
    "shared",
    "evaluate",
    "Values",
    "namedtuple",
    "build",
    "condition",
    "conditions",
    "CONDITIONS",
    "CodeCondition",
    "ConditionError",
    "finite",
    "require",
    "number",
    "fail",
    "condition_text",
];

/// What several outputs are made of, and no more than they need of it: each of these is used beside something that is not common.
fn common(graph: &Graph, roots: &[Vec<Id>]) -> Vec<Id> {
    let mut outputs: FastMap<Id, u32> = FastMap::default();
    for roots in roots {
        graph.reachable(roots).into_iter().for_each(|id| *outputs.entry(id).or_insert(0) += 1);
    }
    let mut order: Vec<Id> = outputs.keys().copied().collect();
    order.sort_unstable();
    // The arguments of all functions are t, q, v and p; what needs more is left to the function that has it.
    let mut usual: FastMap<Id, bool> = FastMap::default();
    let mut shared: FastMap<Id, bool> = FastMap::default();
    for &id in &order {
        let mut is_usual = match *graph.node(id) {
            Node::Symbol(symbol) => ["t", "q", "v", "p"].contains(&argument(symbol).0),
            _ => true,
        };
        graph.node(id).operands(|operand| is_usual &= usual[&operand]);
        usual.insert(id, is_usual);
        let leaf = matches!(graph.node(id), Node::Number(_) | Node::Pi | Node::Symbol(_));
        shared.insert(id, !leaf && is_usual && outputs[&id] > 1);
    }
    let mut used: Vec<Id> = roots.iter().flatten().copied().collect();
    order.iter().filter(|id| !shared[id]).for_each(|&id| graph.node(id).operands(|operand| used.push(operand)));
    used.retain(|id| shared[id]);
    used.sort_unstable();
    used.dedup();
    used
}

/// The functions of a file.
pub(super) struct Code {
    pub(super) functions: Vec<Function>,
    /// What several of them compute, into `shared`.
    pub(super) common: Option<Function>,
    /// The texts of all conditions.
    pub(super) conditions: Vec<String>,
    /// What they refer to.
    pub(super) helpers: String,
}

/// A function in a language, without its head.
pub(super) struct Function {
    pub(super) name: String,
    /// Lines of variables.
    pub(super) locals: String,
    /// What must hold, with the number of its text.
    pub(super) checks: Vec<(String, usize)>,
    pub(super) results: Vec<String>,
    /// The number of the condition that the results are finite.
    pub(super) finite: usize,
    /// Whether it uses what is common.
    pub(super) has_common: bool,
    /// What it uses, with what it calls it.
    pub(super) symbols: Vec<(Symbol, String)>,
    /// Arguments beyond t, q, v and p.
    pub(super) extra: Vec<&'static str>,
}

impl Code {
    /// Whether there is a function that computes all outputs at once.
    pub(super) fn has_evaluate(&self) -> bool {
        self.functions.len() > 1
    }

    /// Arguments beyond t, q, v and p of any function.
    pub(super) fn extra(&self) -> Vec<&'static str> {
        let mut all: Vec<&'static str> = Vec::new();
        for &extra in self.functions.iter().flat_map(|function| &function.extra) {
            if !all.contains(&extra) {
                all.push(extra);
            }
        }
        all
    }
}

impl Function {
    /// What the function is called that computes it from `shared`, or itself where it needs nothing of that.
    pub(super) fn inner(&self) -> String {
        if self.has_common { format!("{}_from", self.name) } else { self.name.clone() }
    }

    /// Whether an argument is used, other than for what is common.
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
