//! Rust and C: expressions, and functions of many outputs in which every shared part is computed once.

use std::fmt::Write as _;

use super::super::function::{Function, Relation};
use super::super::graph::{FastMap, Graph, Id, Node, Symbol};
use super::super::number::Number;

/// A language to write code in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// Rust, with nothing but the methods of `f64`.
    Rust,
    /// C99 with `math.h`.
    C,
}

/// Beyond this many characters a part gets a variable of its own even if it is used once.
const LONGEST: usize = 100;

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

/// A function that computes `outputs` into its last argument, `out`.
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
    let rust = language == Language::Rust;
    let mut text = String::new();
    if !rust {
        text += "#include <math.h>\n\n";
    }
    text += &writer.helpers();
    for &symbol in &symbols {
        let shown: String = name(symbol).chars().filter(|&c| !c.is_control() && c != '\\').collect();
        let _ = writeln!(text, "// {} is {shown}", place(symbol));
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
        .map(|&array| match (rust, array) {
            (true, "t") => format!("{}t: f64", if used(array) { "" } else { "_" }),
            (true, _) => format!("{}{array}: &[f64]", if used(array) { "" } else { "_" }),
            (false, "t") => "double t".to_string(),
            (false, _) => format!("const double *{array}"),
        })
        .collect();
    if rust {
        let _ = writeln!(text, "pub fn {function_name}({}, out: &mut [f64]) {{", list.join(", "));
    } else {
        let _ = writeln!(text, "void {function_name}({}, double *out) {{", list.join(", "));
        let unused: Vec<String> = arguments.iter().filter(|a| !used(a)).map(|a| format!("(void){a};")).collect();
        if !unused.is_empty() {
            let _ = writeln!(text, "    {}", unused.join(" "));
        }
    }
    for (name, value) in &writer.definitions {
        let keyword = if rust { "let" } else { "const double" };
        let _ = writeln!(text, "    {keyword} {name} = {value};");
    }
    for (index, result) in results.iter().enumerate() {
        let _ = writeln!(text, "    out[{index}] = {result};");
    }
    text + "}\n"
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

/// How tightly code holds together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
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
struct Piece {
    text: String,
    level: Level,
    /// Whether it is true or false rather than a number.
    condition: bool,
}

impl Piece {
    fn new(text: String, level: Level) -> Self {
        Self { text, level, condition: false }
    }
}

struct Writer<'a> {
    graph: &'a Graph,
    language: Language,
    name: &'a dyn Fn(Symbol) -> String,
    order: Vec<Id>,
    /// How often each node is written.
    uses: FastMap<Id, u32>,
    pieces: FastMap<Id, Piece>,
    definitions: Vec<(String, String)>,
    /// Whether what is used twice gets a variable.
    share: bool,
    longest: usize,
    sign: bool,
    tables: Vec<u32>,
}

impl<'a> Writer<'a> {
    fn new(graph: &'a Graph, roots: &[Id], language: Language, name: &'a dyn Fn(Symbol) -> String) -> Self {
        let order = graph.reachable(roots);
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
            pieces: FastMap::default(),
            definitions: Vec::new(),
            share: true,
            longest: LONGEST,
            sign: false,
            tables: Vec::new(),
        }
    }

    /// All nodes in order; the code of `roots`.
    fn write(&mut self, roots: &[Id]) -> Vec<String> {
        for id in self.order.clone() {
            let mut piece = self.piece(id);
            let node = self.graph.node(id);
            let leaf = matches!(node, Node::Number(_) | Node::Pi | Node::Symbol(_));
            let often = self.share && self.uses[&id] > 1;
            // Bases of powers are written several times over.
            if !leaf && (often || piece.text.len() > self.longest) && (self.uses[&id] > 1 || !roots.contains(&id)) {
                let name = format!("x{}", id.index());
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
        Piece::new(self.choice(&piece.text, "1.0", "0.0"), Level::Choice)
    }

    fn choice(&self, condition: &str, then: &str, otherwise: &str) -> String {
        match self.language {
            Language::Rust => format!("if {condition} {{ {then} }} else {{ {otherwise} }}"),
            Language::C => format!("({condition}) ? ({then}) : ({otherwise})"),
        }
    }

    /// An operand as a number that holds together at least as tightly as `level`.
    fn operand(&self, id: Id, level: Level) -> String {
        let piece = self.number_of(&self.pieces[&id]);
        if piece.level < level { format!("({})", piece.text) } else { piece.text }
    }

    /// An operand as a condition.
    fn condition(&self, id: Id, level: Level) -> String {
        let piece = &self.pieces[&id];
        let piece = if piece.condition {
            piece.clone()
        } else {
            Piece::new(format!("{} != 0.0", self.operand(id, Level::Sum)), Level::Compare)
        };
        if piece.level < level { format!("({})", piece.text) } else { piece.text }
    }

    fn piece(&mut self, id: Id) -> Piece {
        let graph = self.graph;
        match *graph.node(id) {
            Node::Number(number) => literal(number),
            Node::Pi => {
                let text = match self.language {
                    Language::Rust => "std::f64::consts::PI",
                    Language::C => "3.141592653589793",
                };
                Piece::new(text.to_string(), Level::Atom)
            }
            Node::Symbol(symbol) => Piece::new((self.name)(symbol), Level::Atom),
            Node::Sum { constant, ref terms } => self.sum(constant, terms),
            Node::Product { coefficient, ref factors } => self.product(coefficient, factors),
            Node::Power(base, exponent) => {
                let text = match self.language {
                    Language::Rust => {
                        format!("{}.powf({})", self.receiver(base), self.operand(exponent, Level::Choice))
                    }
                    Language::C => {
                        format!("pow({}, {})", self.operand(base, Level::Choice), self.operand(exponent, Level::Choice))
                    }
                };
                Piece::new(text, Level::Atom)
            }
            Node::Call(function, a, b) => Piece::new(self.call(function, a, b), Level::Atom),
            Node::Table { table, order, argument } => {
                if !self.tables.contains(&table) {
                    self.tables.push(table);
                }
                let argument = self.operand(argument, Level::Choice);
                let text = match self.language {
                    Language::Rust => format!("spline({argument}, {order}, &TABLE{table})"),
                    Language::C => {
                        let points = graph.tables()[table as usize].points().count();
                        format!("spline({argument}, {order}, TABLE{table}, {points})")
                    }
                };
                Piece::new(text, Level::Atom)
            }
            Node::Compare(relation, a, b) => {
                let sign = if relation == Relation::Less { "<" } else { "<=" };
                let text = format!("{} {sign} {}", self.operand(a, Level::Sum), self.operand(b, Level::Sum));
                Piece { condition: true, ..Piece::new(text, Level::Compare) }
            }
            // Both languages warn of `or` beside `and` without parentheses, or may.
            Node::And(a, b) => {
                let text = format!("{} && {}", self.condition(a, Level::And), self.condition(b, Level::And));
                Piece { condition: true, ..Piece::new(text, Level::And) }
            }
            Node::Or(a, b) => {
                let inner = |id| {
                    let text = self.condition(id, Level::Or);
                    if self.pieces[&id].condition && self.pieces[&id].level == Level::And {
                        format!("({text})")
                    } else {
                        text
                    }
                };
                let text = format!("{} || {}", inner(a), inner(b));
                Piece { condition: true, ..Piece::new(text, Level::Or) }
            }
            Node::Not(a) => {
                let text = format!("!{}", self.condition(a, Level::Atom));
                Piece { condition: true, ..Piece::new(text, Level::Atom) }
            }
            Node::Select(condition, a, b) => {
                let condition = self.condition(condition, Level::Or);
                let (then, otherwise) = (self.operand(a, Level::Choice), self.operand(b, Level::Choice));
                Piece::new(self.choice(&condition, &then, &otherwise), Level::Choice)
            }
        }
    }

    /// What a method is called on, in Rust.
    fn receiver(&self, id: Id) -> String {
        let text = self.operand(id, Level::Atom);
        if self.graph.as_number(id).is_some() && !text.starts_with('(') { format!("{text}_f64") } else { text }
    }

    fn call(&mut self, function: Function, a: Id, b: Id) -> String {
        if function == Function::Sign {
            self.sign = true;
            return format!("sign({})", self.operand(a, Level::Choice));
        }
        match (self.language, function.arity()) {
            (Language::Rust, arity) => {
                let method = match function {
                    Function::Log => "ln",
                    other => other.name(),
                };
                let argument = if arity == 2 { self.operand(b, Level::Choice) } else { String::new() };
                format!("{}.{method}({argument})", self.receiver(a))
            }
            (Language::C, arity) => {
                let name = match function {
                    Function::Abs => "fabs",
                    Function::Min => "fmin",
                    Function::Max => "fmax",
                    other => other.name(),
                };
                let first = self.operand(a, Level::Choice);
                if arity == 2 {
                    format!("{name}({first}, {})", self.operand(b, Level::Choice))
                } else {
                    format!("{name}({first})")
                }
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
                format!("{} * {}", literal(c.magnitude()).text, self.operand(term, Level::Negative))
            };
            parts.push((c.is_negative(), text));
        }
        if !constant.is_zero() {
            parts.push((constant.is_negative(), literal(constant.magnitude()).text));
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
            above.push(literal(coefficient.magnitude()).text);
        }
        for &(factor, exponent) in factors {
            let side = if exponent > 0 { &mut above } else { &mut below };
            if repeated(exponent) || exponent.unsigned_abs() == 1 {
                let text = self.operand(factor, Level::Negative);
                side.extend(std::iter::repeat_n(text, exponent.unsigned_abs() as usize));
            } else {
                side.push(match self.language {
                    Language::Rust => format!("{}.powi({})", self.receiver(factor), exponent.saturating_abs()),
                    Language::C => {
                        format!("pow({}, {}.0)", self.operand(factor, Level::Choice), exponent.unsigned_abs())
                    }
                });
            }
        }
        let sign = if coefficient.is_negative() { "-" } else { "" };
        let numerator = if above.is_empty() { "1.0".to_string() } else { above.join(" * ") };
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
    fn helpers(&self) -> String {
        let mut text = String::new();
        if self.sign {
            text += match self.language {
                Language::Rust => RUST_SIGN,
                Language::C => C_SIGN,
            };
        }
        for &table in &self.tables {
            let curve = &self.graph.tables()[table as usize];
            let rows: Vec<(f64, f64, f64)> = curve.points().map(|(x, y)| (x, y, curve.value(x, 2))).collect();
            let cells = |open: char, close: char| -> String {
                rows.iter().map(|(x, y, bend)| format!("    {open}{x:?}, {y:?}, {bend:?}{close},\n")).collect()
            };
            text += &match self.language {
                Language::Rust => {
                    format!("static TABLE{table}: [[f64; 3]; {}] = [\n{}];\n\n", rows.len(), cells('[', ']'))
                }
                Language::C => {
                    format!("static const double TABLE{table}[{}][3] = {{\n{}}};\n\n", rows.len(), cells('{', '}'))
                }
            };
        }
        if !self.tables.is_empty() {
            text += match self.language {
                Language::Rust => RUST_SPLINE,
                Language::C => C_SPLINE,
            };
        }
        text
    }
}

/// Whether a power is written as a product.
fn repeated(exponent: i32) -> bool {
    (2..=4).contains(&exponent.unsigned_abs())
}

/// A number as a literal.
fn literal(number: Number) -> Piece {
    let level = if number.is_negative() { Level::Sum } else { Level::Atom };
    Piece::new(format!("{:?}", number.to_f64()), level)
}

const RUST_SIGN: &str = "fn sign(x: f64) -> f64 {
    if x > 0.0 {
        1.0
    } else if x < 0.0 {
        -1.0
    } else {
        x
    }
}

";

const C_SIGN: &str = "static double sign(double x) {
    return x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : x;
}

";

const RUST_SPLINE: &str = "/// The cubic spline through rows of (x, y, y''), or a derivative; beyond its ends a straight line.
fn spline(x: f64, order: u8, table: &[[f64; 3]]) -> f64 {
    let last = table.len() - 1;
    let piece = table.partition_point(|row| row[0] <= x).clamp(1, last) - 1;
    let ([x0, y0, b0], [x1, y1, b1]) = (table[piece], table[piece + 1]);
    let h = x1 - x0;
    let slope = |s: f64| (y1 - y0) / h + h / 6.0 * ((1.0 - 3.0 * (1.0 - s) * (1.0 - s)) * b0 + (3.0 * s * s - 1.0) * b1);
    if x < table[0][0] || x > table[last][0] {
        let (end, value, s) = if x < table[0][0] { (x0, y0, 0.0) } else { (x1, y1, 1.0) };
        return match order {
            0 => value + slope(s) * (x - end),
            1 => slope(s),
            _ => 0.0,
        };
    }
    let s = (x - x0) / h;
    let r = 1.0 - s;
    match order {
        0 => r * y0 + s * y1 + h * h / 6.0 * ((r * r * r - r) * b0 + (s * s * s - s) * b1),
        1 => slope(s),
        2 => r * b0 + s * b1,
        3 => (b1 - b0) / h,
        _ => 0.0,
    }
}

";

const C_SPLINE: &str =
    "/* The cubic spline through rows of (x, y, y''), or a derivative; beyond its ends a straight line. */
static double spline(double x, int order, const double table[][3], int points) {
    int piece = 0;
    int high = points - 1;
    while (high - piece > 1) {
        const int middle = (piece + high) / 2;
        if (table[middle][0] <= x) piece = middle; else high = middle;
    }
    const double x0 = table[piece][0], y0 = table[piece][1], b0 = table[piece][2];
    const double x1 = table[piece + 1][0], y1 = table[piece + 1][1], b1 = table[piece + 1][2];
    const double h = x1 - x0;
    const int before = x < table[0][0], after = x > table[points - 1][0];
    const double s = before ? 0.0 : after ? 1.0 : (x - x0) / h;
    const double r = 1.0 - s;
    const double slope = (y1 - y0) / h + h / 6.0 * ((1.0 - 3.0 * r * r) * b0 + (3.0 * s * s - 1.0) * b1);
    if (order == 1) return slope;
    if (before || after) return order > 0 ? 0.0 : before ? y0 + slope * (x - x0) : y1 + slope * (x - x1);
    if (order == 0) return r * y0 + s * y1 + h * h / 6.0 * ((r * r * r - r) * b0 + (s * s * s - s) * b1);
    return order == 2 ? r * b0 + s * b1 : order == 3 ? (b1 - b0) / h : 0.0;
}

";
