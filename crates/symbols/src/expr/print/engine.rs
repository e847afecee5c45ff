//! From expressions to formulas: every node is put together from the formulas of its operands, in the order of
//! evaluation. What grows beyond a limit gets a name of its own and is written once.

use super::formula::{Derivative, Formula, Shape};
use super::order::Order;
use crate::expr::function::{Function, Relation};
use crate::expr::graph::{FastMap, Graph, Id, Node};
use crate::expr::number::Number;

/// What things are called.
#[derive(Clone, Copy)]
pub struct Names<'a> {
    /// What a symbol is called in the model: `x`, `theta[3]`, `p.x'`, `multiplier(rod)`.
    pub symbol: &'a dyn Fn(crate::expr::Symbol) -> String,
    /// What a table is called in the model.
    pub table: &'a dyn Fn(u32) -> String,
}

impl<'a> Names<'a> {
    /// Names in which tables are called `table1`, `table2`, ….
    pub fn new(symbol: &'a dyn Fn(crate::expr::Symbol) -> String) -> Self {
        Self { symbol, table: &|table| format!("table{}", u64::from(table) + 1) }
    }
}

/// Expressions as formulas.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormulaList {
    /// Parts with a name of their own, each after those it uses.
    pub definitions: Vec<(Formula, Formula)>,
    /// The expressions asked for.
    pub expressions: Vec<Formula>,
}

impl Graph {
    /// Expressions as formulas, with a name for every part that would be longer than `limit` characters.
    ///
    /// The length of all is at most that of the nodes times a multiple of the limit, however much they share.
    pub fn formulas(&self, roots: &[Id], names: &Names, limit: usize) -> FormulaList {
        let reachable = self.reachable(roots);
        let mut engine = Engine {
            graph: self,
            names,
            order: Order::new(self, &reachable),
            pieces: FastMap::default(),
            prefix: prefix(self, roots, names),
            definitions: Vec::new(),
        };
        let mut wanted: FastMap<Id, Option<Formula>> = roots.iter().map(|&root| (root, None)).collect();
        let mut used: FastMap<Id, ()> = FastMap::default();
        for &id in &reachable {
            self.node(id).operands(|operand| {
                used.insert(operand, ());
            });
        }
        for &id in &reachable {
            let piece = engine.piece(id);
            let long = piece.width > limit.max(8) || piece.formula.depth() > DEEPEST;
            let long = long && used.contains_key(&id);
            let piece = if long { engine.named(&piece) } else { piece };
            if let Some(formula) = wanted.get_mut(&id) {
                *formula = Some(piece.finished());
            }
            engine.pieces.insert(id, piece);
        }
        let expressions = roots.iter().filter_map(|id| wanted[id].clone()).collect();
        FormulaList { definitions: engine.definitions, expressions }
    }

    /// One expression as a formula, whatever its length up to a page; parts beyond that have names whose definitions
    /// [`Graph::formulas`] gives.
    pub fn formula(&self, id: Id, names: &Names) -> Formula {
        let mut formulas = self.formulas(&[id], names, PAGE);
        formulas.expressions.pop().unwrap_or_else(|| Formula::integer(0))
    }
}

/// What is nested deeper gets a name: nobody could read it, and what renders it goes down step by step.
const DEEPEST: usize = 100;
/// The characters of a page.
const PAGE: usize = 4000;

/// The beginning of names for parts: one that no name of the model can be mistaken for.
fn prefix(graph: &Graph, roots: &[Id], names: &Names) -> &'static str {
    let names: Vec<String> = graph.symbols(roots).into_iter().map(names.symbol).collect();
    let taken = |prefix: &str| {
        let numbered = |rest: &str| rest.starts_with(|c: char| c.is_ascii_digit());
        names.iter().any(|name| name.strip_prefix(prefix).is_some_and(numbered))
    };
    ["x", "u", "w", "s", "z"].into_iter().find(|prefix| !taken(prefix)).unwrap_or("part")
}

/// A part of an expression, without its sign.
#[derive(Clone)]
struct Piece {
    formula: Formula,
    /// About how many characters it takes on paper.
    width: usize,
    /// Whether a minus belongs before it.
    negative: bool,
    /// Whether it is a condition and no number.
    condition: bool,
    /// Whether it is the name of a part.
    named: bool,
}

impl Piece {
    fn new(shape: Shape, width: usize) -> Self {
        Self { formula: Formula::new(shape), width, negative: false, condition: false, named: false }
    }

    /// With its sign.
    fn finished(&self) -> Formula {
        if self.negative { self.formula.clone().minus() } else { self.formula.clone() }
    }
}

/// Formulas of operands make the formula of a node.
struct Engine<'a> {
    graph: &'a Graph,
    names: &'a Names<'a>,
    order: Order,
    pieces: FastMap<Id, Piece>,
    prefix: &'static str,
    definitions: Vec<(Formula, Formula)>,
}

fn digits(text: impl ToString) -> Formula {
    Formula::new(Shape::Number(text.to_string()))
}

impl Engine<'_> {
    /// A name for a piece that is too long.
    fn named(&mut self, piece: &Piece) -> Piece {
        let name = format!("{}{}", self.prefix, self.definitions.len() + 1);
        let width = name.len();
        let name = Piece { condition: piece.condition, named: true, ..Piece::new(Shape::Name(name), width) };
        self.definitions.push((name.formula.clone(), piece.finished()));
        name
    }

    /// The piece of an operand as a number.
    fn value(&self, id: Id) -> Piece {
        let piece = &self.pieces[&id];
        if !piece.condition {
            return piece.clone();
        }
        let condition = piece.finished();
        Piece::new(Shape::Choice { condition, then: digits(1), otherwise: digits(0) }, piece.width + 10)
    }

    /// The piece of an operand as a condition.
    fn condition(&self, id: Id) -> Piece {
        let piece = &self.pieces[&id];
        if piece.condition {
            return piece.clone();
        }
        let relation = Shape::Relation("/=", piece.finished(), digits(0));
        Piece { condition: true, ..Piece::new(relation, piece.width + 5) }
    }

    /// A node, given the pieces of its operands.
    fn piece(&self, id: Id) -> Piece {
        match *self.graph.node(id) {
            Node::Number(number) => number_piece(number),
            Node::Pi => Piece::new(Shape::Pi, 2),
            Node::Symbol(symbol) => {
                let name = (self.names.symbol)(symbol);
                let width = name.chars().count();
                Piece::new(Shape::Name(name), width)
            }
            Node::Sum { constant, ref terms } => self.sum_piece(constant, terms),
            Node::Product { coefficient, ref factors } => self.product_piece(coefficient, factors),
            Node::Power(base, exponent) => {
                let (base, exponent) = (self.value(base), self.value(exponent));
                Piece::new(Shape::Power(base.finished(), exponent.finished()), base.width + exponent.width + 2)
            }
            Node::Call(function, a, b) => {
                let a = self.value(a);
                let mut width = a.width + 6;
                let shape = match function {
                    Function::Sqrt => Shape::Root(a.finished()),
                    Function::Abs => Shape::Magnitude(a.finished()),
                    _ => {
                        let mut arguments = vec![a.finished()];
                        if function.arity() == 2 {
                            let b = self.value(b);
                            width += b.width + 2;
                            arguments.push(b.finished());
                        }
                        Shape::Call { function: function.name(), power: None, arguments }
                    }
                };
                Piece::new(shape, width)
            }
            Node::Table { table, order, argument } => {
                self.applied((self.names.table)(table), Derivative::Primes(order.into()), &[argument])
            }
            Node::Unspecified { ref function, ref orders, ref arguments } => {
                let derivative = match orders[..] {
                    [order] => Derivative::Primes(order.into()),
                    _ => {
                        let named = function.arguments.iter().cloned().zip(orders.iter().map(|&order| order.into()));
                        Derivative::Partial(named.filter(|(_, order)| *order > 0).collect())
                    }
                };
                self.applied(function.name.clone(), derivative, arguments)
            }
            Node::Compare(relation, a, b) => {
                let (a, b) = (self.value(a), self.value(b));
                let sign = if relation == Relation::Less { "<" } else { "<=" };
                let shape = Shape::Relation(sign, a.finished(), b.finished());
                Piece { condition: true, ..Piece::new(shape, a.width + b.width + 4) }
            }
            Node::And(a, b) | Node::Or(a, b) => {
                let (a, b) = (self.condition(a), self.condition(b));
                let width = a.width + b.width + 5;
                let (a, b) = (a.finished(), b.finished());
                let both = matches!(self.graph.node(id), Node::And(..));
                let shape = if both { Shape::And(a, b) } else { Shape::Or(a, b) };
                Piece { condition: true, ..Piece::new(shape, width) }
            }
            Node::Not(a) => {
                let a = self.condition(a);
                Piece { condition: true, ..Piece::new(Shape::Not(a.finished()), a.width + 4) }
            }
            Node::Select(condition, a, b) => {
                let (condition, a, b) = (self.condition(condition), self.value(a), self.value(b));
                let width = condition.width + a.width + b.width + 8;
                let (condition, then, otherwise) = (condition.finished(), a.finished(), b.finished());
                Piece::new(Shape::Choice { condition, then, otherwise }, width)
            }
        }
    }

    /// A function that the model declares.
    fn applied(&self, name: String, derivative: Derivative, arguments: &[Id]) -> Piece {
        let arguments: Vec<Piece> = arguments.iter().map(|&argument| self.value(argument)).collect();
        let inside: usize = arguments.iter().map(|argument| argument.width + 2).sum();
        let width = name.len() + derivative.width() + inside;
        let arguments = arguments.iter().map(Piece::finished).collect();
        Piece::new(Shape::Applied { name, derivative, arguments }, width)
    }

    /// A sum in a readable order, a positive term first where there is one.
    fn sum_piece(&self, constant: Number, terms: &[(Number, Id)]) -> Piece {
        let mut sorted = terms.to_vec();
        sorted.sort_by_cached_key(|&(_, term)| self.order.of_term(term));
        let mut pieces: Vec<Piece> = sorted.into_iter().map(|(c, term)| self.scaled(c, term)).collect();
        if !constant.is_zero() {
            pieces.push(number_piece(constant));
        }
        if let Some(first) = pieces.iter().position(|piece| !piece.negative) {
            pieces[..=first].rotate_right(1);
        }
        let width = pieces.iter().map(|piece| piece.width + 3).sum();
        let terms = pieces.into_iter().map(|piece| (piece.negative, piece.formula)).collect();
        Piece::new(Shape::Sum(terms), width)
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
                    above.push(Piece::new(Shape::Number(num.to_string()), 2));
                }
                below.push(Piece::new(Shape::Number(den.to_string()), 2));
            }
            _ if positive.is_one() => {}
            _ => above.push(number_piece(positive)),
        }
        for &(factor, exponent) in &sorted {
            let side = if exponent > 0 { &mut above } else { &mut below };
            side.push(self.factor_piece(factor, exponent.unsigned_abs()));
        }
        let width = above.iter().chain(&below).map(|piece| piece.width + 1).sum::<usize>() + 2;
        if below.is_empty()
            && let [only] = &above[..]
            && !only.negative
        {
            return Piece { negative: coefficient.is_negative(), ..only.clone() };
        }
        let product = |pieces: Vec<Piece>| match &pieces[..] {
            [] => digits(1),
            [only] => only.finished(),
            _ => Formula::product(pieces.iter().map(Piece::finished)),
        };
        let formula = match below.is_empty() {
            true => product(above),
            false => product(above).over(product(below)),
        };
        let negative = coefficient.is_negative();
        Piece { formula, width, negative, condition: false, named: false }
    }

    /// A factor with a positive exponent; for functions it goes to their name: sin²(θ).
    fn factor_piece(&self, factor: Id, exponent: u32) -> Piece {
        let base = self.value(factor);
        if exponent == 1 {
            return base;
        }
        let width = base.width + 3;
        if let Shape::Call { function, power: None, arguments } = base.formula.shape()
            && arguments.len() == 1
            && !base.named
        {
            let power = Some(exponent.to_string());
            return Piece::new(Shape::Call { function, power, arguments: arguments.clone() }, width);
        }
        Piece::new(Shape::Power(base.finished(), digits(exponent)), width)
    }
}

/// A number: a short decimal, or a fraction.
fn number_piece(number: Number) -> Piece {
    let positive = number.magnitude();
    let piece = match (decimal(positive), positive.as_ratio()) {
        (None, Some((num, den))) => {
            let width = num.to_string().len() + den.to_string().len() + 1;
            Piece::new(Shape::Fraction(digits(num), digits(den)), width)
        }
        (text, _) => {
            let text = text.unwrap_or_else(|| positive.to_string());
            let width = text.len().min(24);
            Piece::new(Shape::Number(text), width)
        }
    };
    Piece { negative: number.is_negative(), ..piece }
}

/// Whether a number before a product goes on a fraction line: halves, thirds, sixteenths and their like do, decimals do not.
fn as_fraction(positive: Number, has_denominator: bool) -> bool {
    let Some((num, den)) = positive.as_ratio() else { return false };
    // Nobody types 0.1875: it comes of halving.
    let halved = den & (den - 1) == 0 && (2..=1024).contains(&den);
    decimal(positive).is_none() || halved || (den <= 12 && den % 5 != 0 && (num == 1 || has_denominator))
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
