//! How expressions are written: as the language itself, with Greek letters, for print, for the web, and as code.
//!
//! One engine puts every node together from the pieces of its operands, in the order of evaluation; a notation says how
//! the pieces look. What grows beyond a limit gets a name of its own and is written once, so that no sharing in the graph
//! and no depth makes the text long out of proportion.

mod code;
mod latex;
mod mathml;
mod matrix;
mod name;
mod order;
mod text;
mod unicode;

pub use code::{Language, expression, function};
pub use matrix::Matrix;

use super::function::{Function, Relation};
use super::graph::{FastMap, Graph, Id, Node, Symbol};
use super::number::Number;
use order::Order;

/// How an expression is to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Notation {
    /// The language of models: what is printed can be read back.
    Text,
    /// One line with Greek letters, dots and superscripts.
    Unicode,
    /// LaTeX with amsmath, without the dollar signs.
    Latex,
    /// Presentation MathML, without the enclosing `math` element.
    MathMl,
}

/// A notation and the names that things have in it.
#[derive(Clone, Copy)]
pub struct Style<'a> {
    /// How it looks.
    pub notation: Notation,
    /// What a symbol is called in the model: `x`, `theta[3]`, `p.x'`, `multiplier(rod)`.
    pub name: &'a dyn Fn(Symbol) -> String,
    /// What a table is called in the model.
    pub table: &'a dyn Fn(u32) -> String,
}

impl<'a> Style<'a> {
    /// A style in which tables are called `table1`, `table2`, ….
    pub fn new(notation: Notation, name: &'a dyn Fn(Symbol) -> String) -> Self {
        Self { notation, name, table: &|table| format!("table{}", u64::from(table) + 1) }
    }
}

/// Expressions in print.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Printed {
    /// Parts with a name of their own, each after those it uses.
    pub definitions: Vec<(String, String)>,
    /// The expressions asked for.
    pub expressions: Vec<String>,
}

/// Beyond this many characters [`Graph::print`] gives parts a name.
const LIMIT: usize = 2000;

impl Graph {
    /// An expression in a style; where it is long, followed by `where x1 = …, x2 = …`.
    ///
    /// ```
    /// use holonom::expr::{Function, Graph, Notation, Style, Symbol};
    ///
    /// let mut graph = Graph::new();
    /// let (m, g) = (graph.symbol(Symbol::Parameter(0)), graph.symbol(Symbol::Parameter(1)));
    /// let angle = graph.symbol(Symbol::Position(0));
    /// let sine = graph.call(Function::Sin, angle);
    /// let weight = graph.multiply(m, g);
    /// let force = graph.multiply(sine, weight);
    /// let name = |symbol| match symbol {
    ///     Symbol::Parameter(0) => "m".to_string(),
    ///     Symbol::Parameter(_) => "g".to_string(),
    ///     _ => "theta".to_string(),
    /// };
    /// assert_eq!(graph.print(force, &Style::new(Notation::Text, &name)), "m*g*sin(theta)");
    /// assert_eq!(graph.print(force, &Style::new(Notation::Unicode, &name)), "m·g·sin(θ)");
    /// ```
    pub fn print(&self, id: Id, style: &Style) -> String {
        let Printed { definitions, expressions } = self.print_with_names(&[id], style, LIMIT);
        let mut all = expressions.concat();
        for (index, (name, text)) in definitions.iter().enumerate() {
            all += match (style.notation, index) {
                (Notation::Latex, _) => ",\\quad ",
                (Notation::MathMl, _) => "<mo>,</mo><mspace width=\"1em\"/>",
                (_, 0) => " where ",
                _ => ", ",
            };
            all += &equation(style.notation, name, text);
        }
        all
    }

    /// Expressions in a style, with a name for every part that would be longer than `limit` characters.
    ///
    /// The length of all is at most that of the nodes times a multiple of the limit, however much they share.
    pub fn print_with_names(&self, roots: &[Id], style: &Style, limit: usize) -> Printed {
        let reachable = self.reachable(roots);
        let mut printer = Printer {
            graph: self,
            style,
            order: Order::new(self, &reachable),
            pieces: FastMap::default(),
            prefix: prefix(self, roots, style),
            definitions: Vec::new(),
        };
        let mut wanted: FastMap<Id, String> = roots.iter().map(|&root| (root, String::new())).collect();
        let mut used: FastMap<Id, ()> = FastMap::default();
        for &id in &reachable {
            self.node(id).operands(|operand| {
                used.insert(operand, ());
            });
        }
        for &id in &reachable {
            let piece = printer.piece(id);
            let long = piece.width > limit.max(8) && used.contains_key(&id);
            let piece = if long { printer.named(&piece) } else { piece };
            if let Some(text) = wanted.get_mut(&id) {
                *text = printer.finished(&piece);
            }
            printer.pieces.insert(id, piece);
        }
        Printed { definitions: printer.definitions, expressions: roots.iter().map(|id| wanted[id].clone()).collect() }
    }
}

/// `name = text`
fn equation(notation: Notation, name: &str, text: &str) -> String {
    match notation {
        Notation::MathMl => format!("{name}<mo>=</mo>{text}"),
        _ => format!("{name} = {text}"),
    }
}

/// The beginning of names for parts: one that no name of the model can be mistaken for.
fn prefix(graph: &Graph, roots: &[Id], style: &Style) -> &'static str {
    let names: Vec<String> = graph.symbols(roots).into_iter().map(style.name).collect();
    let taken = |prefix: &str| {
        let numbered = |rest: &str| rest.starts_with(|c: char| c.is_ascii_digit());
        names.iter().any(|name| name.strip_prefix(prefix).is_some_and(numbered))
    };
    ["x", "u", "w", "s", "z"].into_iter().find(|prefix| !taken(prefix)).unwrap_or("part")
}

/// How tightly a piece holds together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Or,
    And,
    Not,
    Compare,
    Sum,
    Negative,
    Product,
    Power,
    Atom,
}

/// A piece of an expression, without its sign.
#[derive(Clone, Debug)]
struct Piece {
    text: String,
    /// About how many characters it takes on paper.
    width: usize,
    level: Level,
    /// Whether a minus belongs before it.
    negative: bool,
    /// Whether it is a condition and no number.
    condition: bool,
    /// Whether it is the name of a part.
    named: bool,
}

impl Piece {
    fn new(text: String, width: usize, level: Level) -> Self {
        Self { text, width, level, negative: false, condition: false, named: false }
    }
}

/// The engine: pieces of operands make the piece of a node.
struct Printer<'a> {
    graph: &'a Graph,
    style: &'a Style<'a>,
    order: Order,
    pieces: FastMap<Id, Piece>,
    prefix: &'static str,
    definitions: Vec<(String, String)>,
}

impl Printer<'_> {
    /// A name for a piece that is too long.
    fn named(&mut self, piece: &Piece) -> Piece {
        let plain = format!("{}{}", self.prefix, self.definitions.len() + 1);
        let name = self.symbol(&plain);
        let text = self.finished(piece);
        self.definitions.push((name.clone(), text));
        let width = plain.len();
        Piece { condition: piece.condition, named: true, ..Piece::new(name, width, Level::Atom) }
    }

    /// A piece with its sign.
    fn finished(&self, piece: &Piece) -> String {
        match piece.negative {
            true if piece.level < Level::Product => self.minus(&self.parentheses(&piece.text)),
            true => self.minus(&piece.text),
            false => piece.text.clone(),
        }
    }

    /// A piece as an operand of something that needs at least `level`, in parentheses where it is looser.
    fn at_least(&self, level: Level, piece: &Piece) -> String {
        let own = if piece.negative { piece.level.min(Level::Negative) } else { piece.level };
        let text = self.finished(piece);
        if own < level { self.parentheses(&text) } else { text }
    }

    /// The piece of an operand as a number.
    fn value(&self, id: Id) -> Piece {
        let piece = &self.pieces[&id];
        if !piece.condition {
            return piece.clone();
        }
        let text = self.call("if", &[self.finished(piece), self.number(Number::ONE), self.number(Number::ZERO)]);
        Piece::new(text, piece.width + 10, Level::Atom)
    }

    /// The piece of an operand as a condition.
    fn condition(&self, id: Id) -> Piece {
        let piece = &self.pieces[&id];
        if piece.condition {
            return piece.clone();
        }
        let text = self.relation("/=", &self.at_least(Level::Sum, piece), &self.number(Number::ZERO));
        Piece { condition: true, ..Piece::new(text, piece.width + 5, Level::Compare) }
    }

    /// A node, given the pieces of its operands.
    fn piece(&self, id: Id) -> Piece {
        match *self.graph.node(id) {
            Node::Number(number) => self.number_piece(number),
            Node::Pi => Piece::new(self.pi(), 2, Level::Atom),
            Node::Symbol(symbol) => {
                let name = (self.style.name)(symbol);
                Piece::new(self.symbol(&name), name.chars().count(), Level::Atom)
            }
            Node::Sum { constant, ref terms } => self.sum_piece(constant, terms),
            Node::Product { coefficient, ref factors } => self.product_piece(coefficient, factors),
            Node::Power(base, exponent) => {
                let (base, exponent) = (self.value(base), self.value(exponent));
                let width = base.width + exponent.width + 2;
                Piece::new(self.power(&base, &exponent), width, Level::Power)
            }
            Node::Call(function, a, b) => {
                let a = self.value(a);
                let (mut width, mut arguments) = (a.width + 6, vec![self.finished(&a)]);
                if function.arity() == 2 {
                    let b = self.value(b);
                    width += b.width + 2;
                    arguments.push(self.finished(&b));
                }
                let text = match function {
                    Function::Sqrt => self.root(&a),
                    Function::Abs => self.magnitude(&arguments[0]),
                    _ => self.call(function.name(), &arguments),
                };
                // √x² would be read as the root of x².
                let loose = function == Function::Sqrt && self.style.notation == Notation::Unicode;
                Piece::new(text, width, if loose { Level::Power } else { Level::Atom })
            }
            Node::Table { table, order, argument } => {
                let argument = self.value(argument);
                let name = format!("{}{}", (self.style.table)(table), "'".repeat(usize::from(order)));
                let width = argument.width + name.len() + 2;
                Piece::new(self.apply(&name, &self.finished(&argument)), width, Level::Atom)
            }
            Node::Compare(relation, a, b) => {
                let (a, b) = (self.value(a), self.value(b));
                let sign = if relation == Relation::Less { "<" } else { "<=" };
                let text = self.relation(sign, &self.at_least(Level::Sum, &a), &self.at_least(Level::Sum, &b));
                Piece { condition: true, ..Piece::new(text, a.width + b.width + 4, Level::Compare) }
            }
            Node::And(a, b) | Node::Or(a, b) => {
                let (a, b) = (self.condition(a), self.condition(b));
                let both = matches!(self.graph.node(id), Node::And(..));
                let (level, word) = if both { (Level::And, "and") } else { (Level::Or, "or") };
                let text = self.connective(word, &self.at_least(level, &a), &self.at_least(level, &b));
                Piece { condition: true, ..Piece::new(text, a.width + b.width + 5, level) }
            }
            Node::Not(a) => {
                let a = self.condition(a);
                let text = self.connective("not", "", &self.at_least(Level::Not, &a));
                Piece { condition: true, ..Piece::new(text, a.width + 4, Level::Not) }
            }
            Node::Select(condition, a, b) => {
                let (condition, a, b) = (self.condition(condition), self.value(a), self.value(b));
                let parts = [self.finished(&condition), self.finished(&a), self.finished(&b)];
                Piece::new(self.call("if", &parts), condition.width + a.width + b.width + 8, Level::Atom)
            }
        }
    }

    /// A number: a short decimal, or a fraction.
    fn number_piece(&self, number: Number) -> Piece {
        let positive = number.magnitude();
        let piece = match (decimal(positive), positive.as_ratio()) {
            (None, Some((num, den))) => {
                let (num, den) = (num.to_string(), den.to_string());
                let width = num.len() + den.len() + 1;
                Piece::new(self.fraction(&self.digits(&num), &self.digits(&den)), width, Level::Product)
            }
            _ => {
                let text = self.number(positive);
                let width = text.len().min(24);
                Piece::new(text, width, Level::Atom)
            }
        };
        Piece { negative: number.is_negative(), ..piece }
    }

    /// A sum in a readable order, a positive term first where there is one.
    fn sum_piece(&self, constant: Number, terms: &[(Number, Id)]) -> Piece {
        let mut sorted = terms.to_vec();
        sorted.sort_by_cached_key(|&(_, term)| self.order.of_term(term));
        let mut pieces: Vec<Piece> = Vec::with_capacity(sorted.len() + 1);
        for (c, term) in sorted {
            pieces.push(self.scaled(c, term));
        }
        if !constant.is_zero() {
            pieces.push(self.number_piece(constant));
        }
        if let Some(first) = pieces.iter().position(|piece| !piece.negative) {
            pieces[..=first].rotate_right(1);
        }
        let width = pieces.iter().map(|piece| piece.width + 3).sum();
        let parts: Vec<(bool, String)> = pieces
            .iter()
            .map(|piece| {
                let bare = Piece { negative: false, ..piece.clone() };
                // After a minus, a sum needs its parentheses; a product does not.
                (piece.negative, self.at_least(Level::Product, &bare))
            })
            .collect();
        Piece::new(self.sum(&parts), width, Level::Sum)
    }

    /// A number times an expression.
    fn scaled(&self, c: Number, term: Id) -> Piece {
        if c.magnitude().is_one() {
            let piece = self.value(term);
            return Piece { negative: piece.negative != c.is_negative(), ..piece };
        }
        match self.graph.node(term) {
            // The product stands there already, but the number belongs inside its fraction. A part with a name stays one.
            Node::Product { coefficient, factors } if coefficient.is_one() && !self.pieces[&term].named => {
                self.product_piece(c, factors)
            }
            _ => self.product_piece(c, &[(term, 1)]),
        }
    }

    /// A product: numbers first, then what is fixed, then what varies, then functions; what is below goes below a line.
    fn product_piece(&self, coefficient: Number, factors: &[(Id, i32)]) -> Piece {
        let mut sorted = factors.to_vec();
        sorted.sort_by_cached_key(|&(factor, _)| self.order.of_factor(factor));
        let (mut above, mut below): (Vec<Piece>, Vec<Piece>) = (Vec::new(), Vec::new());
        let has_denominator = factors.iter().any(|&(_, exponent)| exponent < 0);
        let positive = coefficient.magnitude();
        match positive.as_ratio() {
            Some((num, den)) if den != 1 && as_fraction(positive, has_denominator) => {
                if num != 1 {
                    above.push(Piece::new(self.digits(&num.to_string()), 2, Level::Atom));
                }
                below.push(Piece::new(self.digits(&den.to_string()), 2, Level::Atom));
            }
            _ if positive.is_one() => {}
            _ => above.push(self.number_piece(positive)),
        }
        for &(factor, exponent) in &sorted {
            let side = if exponent > 0 { &mut above } else { &mut below };
            let base = self.value(factor);
            let exponent = exponent.unsigned_abs();
            side.push(if exponent == 1 {
                base
            } else {
                let width = base.width + 3;
                let exponent = Piece::new(self.digits(&exponent.to_string()), 1, Level::Atom);
                let call = match *self.graph.node(factor) {
                    Node::Call(Function::Sqrt | Function::Abs, ..) => None,
                    Node::Call(function, argument, _) if function.arity() == 1 && !base.named => {
                        let argument = self.finished(&self.value(argument));
                        self.powered_call(function.name(), &argument, &exponent)
                    }
                    _ => None,
                };
                let text = call.unwrap_or_else(|| self.power(&base, &exponent));
                Piece::new(text, width, Level::Power)
            });
        }
        let width = above.iter().chain(&below).map(|piece| piece.width + 1).sum::<usize>() + 2;
        let product = |pieces: &[Piece], whole: Level| match pieces {
            [] => self.digits("1"),
            [only] => self.at_least(whole, only),
            _ => {
                let parts: Vec<String> = pieces.iter().map(|piece| self.at_least(Level::Power, piece)).collect();
                self.times(&parts)
            }
        };
        let flat = matches!(self.style.notation, Notation::Text | Notation::Unicode);
        let text = if below.is_empty() {
            match &above[..] {
                [only] if !only.negative => {
                    return Piece { negative: coefficient.is_negative(), ..only.clone() };
                }
                _ => product(&above, Level::Power),
            }
        } else if flat {
            let below_text = product(&below, Level::Power);
            let below_text = if below.len() > 1 { self.parentheses(&below_text) } else { below_text };
            self.fraction(&product(&above, Level::Product), &below_text)
        } else {
            self.fraction(&product(&above, Level::Or), &product(&below, Level::Or))
        };
        Piece { negative: coefficient.is_negative(), ..Piece::new(text, width, Level::Product) }
    }
}

/// Whether a number before a product goes on a fraction line: halves, thirds and their like do, decimals do not.
fn as_fraction(positive: Number, has_denominator: bool) -> bool {
    match positive.as_ratio() {
        Some((num, den)) => decimal(positive).is_none() || (den <= 12 && den % 5 != 0 && (num == 1 || has_denominator)),
        None => false,
    }
}

/// The decimal digits of a number that is not negative, where they are short and exact, or all there is.
fn decimal(number: Number) -> Option<String> {
    let Some((num, den)) = number.as_ratio() else { return Some(format!("{:?}", number.to_f64())) };
    if den == 1 {
        let digits = num.to_string();
        let zeros = digits.len() - digits.trim_end_matches('0').len();
        return Some(if zeros > 6 { format!("{}e{zeros}", &digits[..digits.len() - zeros]) } else { digits });
    }
    // den divides a power of ten?
    let (mut rest, mut twos, mut fives) = (den, 0u32, 0u32);
    while rest % 2 == 0 {
        rest /= 2;
        twos += 1;
    }
    while rest % 5 == 0 {
        rest /= 5;
        fives += 1;
    }
    let places = twos.max(fives);
    if rest != 1 || places > 24 {
        return None;
    }
    let digits = num.checked_mul(2i128.checked_pow(places - twos)?)?.checked_mul(5i128.checked_pow(places - fives)?)?;
    let digits = digits.to_string();
    let places = places as usize;
    if digits.len() > 17 {
        return None;
    }
    if places > digits.len() + 3 {
        return Some(format!("{digits}e-{places}"));
    }
    let padded = format!("{digits:0>width$}", width = places + 1);
    let (whole, fraction) = padded.split_at(padded.len() - places);
    Some(format!("{whole}.{fraction}"))
}

/// What the notations differ in: each is a `match` away from the next, and their own files say how it looks there.
macro_rules! notation {
    ($($(#[$doc:meta])* fn $method:ident(&self $(, $argument:ident: $kind:ty)*) -> $result:ty;)*) => {
        impl Printer<'_> {
            $($(#[$doc])* fn $method(&self $(, $argument: $kind)*) -> $result {
                match self.style.notation {
                    Notation::Text => text::$method(self $(, $argument)*),
                    Notation::Unicode => unicode::$method(self $(, $argument)*),
                    Notation::Latex => latex::$method(self $(, $argument)*),
                    Notation::MathMl => mathml::$method(self $(, $argument)*),
                }
            })*
        }
    };
}

notation! {
    /// A number that is not negative and has short digits.
    fn number(&self, number: Number) -> String;
    /// Digits of an integer.
    fn digits(&self, digits: &str) -> String;
    /// π.
    fn pi(&self) -> String;
    /// A name of the model.
    fn symbol(&self, name: &str) -> String;
    /// Something with a minus before it.
    fn minus(&self, text: &str) -> String;
    /// Something in parentheses.
    fn parentheses(&self, text: &str) -> String;
    /// Terms with their signs, true for minus.
    fn sum(&self, terms: &[(bool, String)]) -> String;
    /// Factors side by side.
    fn times(&self, factors: &[String]) -> String;
    /// A fraction, whose parts have the parentheses they need.
    fn fraction(&self, above: &str, below: &str) -> String;
    /// A power.
    fn power(&self, base: &Piece, exponent: &Piece) -> String;
    /// A power of a function, where the exponent goes to the function's name.
    fn powered_call(&self, name: &str, argument: &str, exponent: &Piece) -> Option<String>;
    /// A function of the language.
    fn call(&self, name: &str, arguments: &[String]) -> String;
    /// A table of the model, with a prime for every derivative.
    fn apply(&self, name: &str, argument: &str) -> String;
    /// A square root.
    fn root(&self, argument: &Piece) -> String;
    /// A magnitude.
    fn magnitude(&self, argument: &str) -> String;
    /// A comparison by `<`, `<=` or `/=`.
    fn relation(&self, sign: &str, left: &str, right: &str) -> String;
    /// `and`, `or`, or `not` with nothing on the left.
    fn connective(&self, word: &str, left: &str, right: &str) -> String;
}

#[cfg(test)]
mod tests;
