//! From the graph to code, with the same structure in every language.

use super::helpers::helpers;
use super::language::Language;
use crate::expr::function::{Function, Relation};
use crate::expr::graph::{FastMap, Graph, Id, Node, Symbol};
use crate::expr::number::Number;

/// Beyond this many characters a part gets a variable of its own even if it is used once.
const LONGEST: usize = 100;

/// How tightly code holds together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    Choice,
    Or,
    And,
    Compare,
    Sum,
    Product,
    Negative,
    Atom,
}

#[derive(Clone)]
pub(super) struct Piece {
    pub(super) text: String,
    pub(super) level: Level,
    /// Whether it is true or false rather than a number.
    pub(super) condition: bool,
}

impl Piece {
    pub(super) fn new(text: String, level: Level) -> Self {
        Self { text, level, condition: false }
    }
}

/// Nodes in the order of evaluation become code; what is used twice becomes a variable.
pub(super) struct Writer<'a> {
    pub(super) graph: &'a Graph,
    pub(super) language: Language,
    name: &'a dyn Fn(Symbol) -> String,
    order: Vec<Id>,
    /// How often each node is written.
    uses: FastMap<Id, u32>,
    pieces: FastMap<Id, Piece>,
    /// Variables, each after those it uses.
    pub(super) definitions: Vec<(String, String)>,
    /// How the names of variables begin.
    pub(super) prefix: &'static str,
    /// Whether what is used twice gets a variable.
    pub(super) share: bool,
    /// Beyond this many characters a part gets a variable of its own even if it is used once.
    pub(super) longest: usize,
    /// Whether the sign is used.
    pub(super) sign: bool,
    /// The tables that are used.
    pub(super) tables: Vec<u32>,
    /// Whether something is used that has a name already.
    pub(super) has_known: bool,
}

impl<'a> Writer<'a> {
    pub(super) fn new(graph: &'a Graph, roots: &[Id], language: Language, name: &'a dyn Fn(Symbol) -> String) -> Self {
        Self::with_known(graph, roots, language, name, &FastMap::default())
    }

    /// A writer for whom some expressions have names already.
    pub(super) fn with_known(
        graph: &'a Graph,
        roots: &[Id],
        language: Language,
        name: &'a dyn Fn(Symbol) -> String,
        known: &FastMap<Id, String>,
    ) -> Self {
        let mut needed: FastMap<Id, ()> = roots.iter().map(|&root| (root, ())).collect();
        let mut order = graph.reachable(roots);
        for &id in order.iter().rev().filter(|id| !known.contains_key(id)) {
            if needed.contains_key(&id) {
                graph.node(id).operands(|operand| {
                    needed.insert(operand, ());
                });
            }
        }
        let pieces: FastMap<Id, Piece> = known
            .iter()
            .filter(|(id, _)| needed.contains_key(id))
            .map(|(&id, name)| (id, Piece::new(name.clone(), Level::Atom)))
            .collect();
        order.retain(|id| needed.contains_key(id) && !pieces.contains_key(id));
        let mut uses: FastMap<Id, u32> = FastMap::default();
        for &id in &order {
            let node = graph.node(id);
            node.operands(|operand| *uses.entry(operand).or_insert(0) += 1);
            if let Node::Product { factors, .. } = node {
                // x³ is written x*x*x.
                for &(factor, exponent) in factors.iter().filter(|(_, e)| repeated(*e)) {
                    *uses.entry(factor).or_insert(0) += exponent.unsigned_abs() - 1;
                }
            }
        }
        for &root in roots {
            *uses.entry(root).or_insert(0) += 1;
        }
        Self {
            graph,
            language,
            name,
            order,
            uses,
            has_known: !pieces.is_empty(),
            pieces,
            definitions: Vec::new(),
            prefix: "x",
            share: true,
            longest: LONGEST,
            sign: false,
            tables: Vec::new(),
        }
    }

    /// All nodes in order; the code of `roots`.
    pub(super) fn write(&mut self, roots: &[Id]) -> Vec<String> {
        for id in self.order.clone() {
            let mut piece = self.piece(id);
            let node = self.graph.node(id);
            let leaf = matches!(node, Node::Number(_) | Node::Pi | Node::Symbol(_));
            let often = self.share && self.uses[&id] > 1;
            // Bases of powers are written several times over.
            if !leaf && (often || piece.text.len() > self.longest) && (self.uses[&id] > 1 || !roots.contains(&id)) {
                let name = format!("{}{}", self.prefix, self.definitions.len() + 1);
                let value = if piece.condition { self.number_of(&piece).text } else { piece.text };
                self.definitions.push((name.clone(), value));
                piece = Piece::new(name, Level::Atom);
            }
            self.pieces.insert(id, piece);
        }
        roots.iter().map(|root| self.number_of(&self.pieces[root]).text).collect()
    }

    /// A piece as a number.
    fn number_of(&self, piece: &Piece) -> Piece {
        if !piece.condition {
            return piece.clone();
        }
        let (one, zero) = (self.literal(Number::ONE).text, self.literal(Number::ZERO).text);
        self.choice(&piece.text, &one, &zero)
    }

    /// An operand as a number that holds together at least as tightly as `level`.
    pub(super) fn operand(&self, id: Id, level: Level) -> String {
        let piece = self.number_of(&self.pieces[&id]);
        if piece.level < level { format!("({})", piece.text) } else { piece.text }
    }

    /// What is written, as a condition.
    pub(super) fn condition_text(&self, id: Id) -> String {
        self.condition(id).text
    }

    /// The symbols that are written.
    pub(super) fn symbols(&self) -> Vec<Symbol> {
        let symbol = |id: &Id| if let Node::Symbol(symbol) = *self.graph.node(*id) { Some(symbol) } else { None };
        let mut symbols: Vec<Symbol> = self.order.iter().filter_map(symbol).collect();
        symbols.sort_unstable();
        symbols
    }

    /// An operand as a condition.
    fn condition(&self, id: Id) -> Piece {
        let piece = &self.pieces[&id];
        if piece.condition { piece.clone() } else { self.not_zero(&self.operand(id, Level::Sum)) }
    }

    fn piece(&mut self, id: Id) -> Piece {
        match *self.graph.node(id) {
            Node::Number(number) => self.literal(number),
            Node::Pi => self.pi(),
            Node::Symbol(symbol) => Piece::new((self.name)(symbol), Level::Atom),
            Node::Sum { constant, ref terms } => self.sum(constant, terms),
            Node::Product { coefficient, ref factors } => self.product(coefficient, factors),
            Node::Power(base, exponent) => self.power(base, exponent),
            Node::Call(function, a, b) => {
                self.sign |= function == Function::Sign;
                Piece::new(self.call(function, a, b), Level::Atom)
            }
            Node::Table { table, order, argument } => {
                if !self.tables.contains(&table) {
                    self.tables.push(table);
                }
                Piece::new(self.spline(table, order, &self.operand(argument, Level::Choice)), Level::Atom)
            }
            // Whoever takes the code supplies it: `F_0_1` is the derivative by the second argument.
            Node::Unspecified { ref function, ref orders, ref arguments } => {
                let orders: String = match orders.iter().any(|&order| order > 0) {
                    true => orders.iter().map(|order| format!("_{order}")).collect(),
                    false => String::new(),
                };
                let arguments: Vec<String> = arguments.iter().map(|&id| self.operand(id, Level::Choice)).collect();
                let name = function.name.replace('.', "_");
                Piece::new(format!("{name}{orders}({})", arguments.join(", ")), Level::Atom)
            }
            Node::Compare(relation, a, b) => {
                let sign = if relation == Relation::Less { "<" } else { "<=" };
                let text = format!("{} {sign} {}", self.operand(a, Level::Sum), self.operand(b, Level::Sum));
                Piece { condition: true, ..Piece::new(text, Level::Compare) }
            }
            Node::And(a, b) => self.both(&self.condition(a), &self.condition(b)),
            Node::Or(a, b) => self.either(&self.condition(a), &self.condition(b)),
            Node::Not(a) => self.contrary(&self.condition(a)),
            Node::Select(condition, a, b) => {
                let condition = self.condition(condition).text;
                let (then, otherwise) = (self.operand(a, Level::Choice), self.operand(b, Level::Choice));
                self.choice(&condition, &then, &otherwise)
            }
        }
    }

    fn sum(&self, constant: Number, terms: &[(Number, Id)]) -> Piece {
        let mut parts: Vec<(bool, String)> = Vec::with_capacity(terms.len() + 1);
        for &(c, term) in terms {
            let factor = self.operand(term, Level::Product);
            let text = if c.magnitude().is_one() {
                factor
            } else {
                format!("{} * {}", self.literal(c.magnitude()).text, self.operand(term, Level::Negative))
            };
            parts.push((c.is_negative(), text));
        }
        if !constant.is_zero() {
            parts.push((constant.is_negative(), self.literal(constant.magnitude()).text));
        }
        if let Some(first) = parts.iter().position(|(negative, _)| !negative) {
            parts[..=first].rotate_right(1);
        }
        let mut text = String::new();
        for (index, (negative, part)) in parts.iter().enumerate() {
            text += match (index, negative) {
                (0, true) => "-",
                (0, false) => "",
                (_, true) => " - ",
                (_, false) => " + ",
            };
            text += part;
        }
        Piece::new(text, Level::Sum)
    }

    fn product(&self, coefficient: Number, factors: &[(Id, i32)]) -> Piece {
        let (mut above, mut below): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
        if !coefficient.magnitude().is_one() {
            above.push(self.literal(coefficient.magnitude()).text);
        }
        for &(factor, exponent) in factors {
            let side = if exponent > 0 { &mut above } else { &mut below };
            if self.language != Language::SymPy && (repeated(exponent) || exponent.unsigned_abs() == 1) {
                let text = self.operand(factor, Level::Negative);
                side.extend(std::iter::repeat_n(text, exponent.unsigned_abs() as usize));
            } else if exponent.unsigned_abs() == 1 {
                side.push(self.operand(factor, Level::Negative));
            } else {
                side.push(self.integer_power(factor, exponent.unsigned_abs()));
            }
        }
        let sign = if coefficient.is_negative() { "-" } else { "" };
        let numerator = if above.is_empty() { self.literal(Number::ONE).text } else { above.join(" * ") };
        let text = match &below[..] {
            [] => format!("{sign}{numerator}"),
            [only] => format!("{sign}{numerator} / {only}"),
            _ => format!("{sign}{numerator} / ({})", below.join(" * ")),
        };
        // A minus before a product needs parentheses beside another operator; C and Rust would read `a - -b`.
        let level = match (coefficient.is_negative(), above.len() + below.len()) {
            (true, _) => Level::Sum,
            (false, 1) if below.is_empty() => Level::Negative,
            _ => Level::Product,
        };
        Piece::new(text, level)
    }

    /// Functions and data that the code refers to.
    pub(super) fn helpers(&self) -> String {
        helpers(self.graph, self.language, self.sign, &self.tables)
    }

    /// The variables, a line each.
    pub(super) fn locals(&self) -> String {
        let line = |(name, value): &(String, String)| match self.language {
            Language::Rust => format!("    let {name} = {value};\n"),
            Language::C => format!("    const double {name} = {value};\n"),
            Language::JavaScript => format!("    const {name} = {value};\n"),
            Language::Python | Language::SymPy => format!("    {name} = {value}\n"),
        };
        self.definitions.iter().map(line).collect()
    }
}

/// Whether a power is written as a product.
fn repeated(exponent: i32) -> bool {
    (2..=4).contains(&exponent.unsigned_abs())
}
