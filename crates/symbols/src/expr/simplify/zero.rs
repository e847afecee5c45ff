//! Whether an expression is zero wherever it is defined.
//!
//! A value that is clearly not zero at some point refutes it; every value carries a bound of its own rounding error, so
//! that what cancels is judged by the size of what was added. The proof multiplies everything out: sums of angles are
//! taken apart, denominators are cleared, squares of roots and of cosines replaced, until nothing is left.

use super::polynomial::{Poly, collect};
use super::{Work, rebuild};
use crate::expr::function::{Function, Relation};
use crate::expr::graph::{FastMap, Graph, Id, Node, Symbol};
use crate::expr::number::Number;
use holonom_elementary as elementary;

/// What is known about an expression being zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Zero {
    /// It is zero wherever it is defined.
    Proved,
    /// There is a point where it is defined and not zero.
    Refuted,
    /// Neither was found.
    Unknown,
}

/// How many terms a proof may use.
const BUDGET: usize = 4000;
/// At how many points a value is looked at.
const POINTS: u64 = 24;
/// How often a proof may clear denominators and multiply out.
const ROUNDS: usize = 200;

impl Graph {
    /// Whether an expression is zero wherever it is defined, whatever its symbols are.
    ///
    /// ```
    /// use holonom_symbols::expr::{Function, Graph, Symbol, Zero};
    ///
    /// let mut graph = Graph::new();
    /// let (a, b) = (graph.symbol(Symbol::Position(0)), graph.symbol(Symbol::Position(1)));
    /// let both = graph.add(a, b);
    /// let (square, aa, bb) = (graph.integer_power(both, 2), graph.integer_power(a, 2), graph.integer_power(b, 2));
    /// let squares = graph.add(aa, bb);
    /// let difference = graph.subtract(square, squares);
    /// assert_eq!(graph.is_zero(difference), Zero::Refuted);
    /// let product = graph.multiply(a, b);
    /// let twice = graph.add(product, product);
    /// let nothing = graph.subtract(difference, twice);
    /// assert_eq!(graph.is_zero(nothing), Zero::Proved);
    /// ```
    pub fn is_zero(&self, id: Id) -> Zero {
        if let Some(number) = self.as_number(id) {
            return if number.is_zero() { Zero::Proved } else { Zero::Refuted };
        }
        let order = self.reachable(&[id]);
        let mut scales = FastMap::default();
        for point in 0..POINTS {
            let (value, error) = self.value_with_error(&order, id, point, &mut scales);
            // A bound that is not a number, or not finite, decides nothing.
            if value.is_finite() && value.abs() > 1e-290 && value.abs() > 64.0 * error {
                return Zero::Refuted;
            }
        }
        let mut work = Work::new(BUDGET, order.len());
        if work.simplify(self, &[id])[0] == Id::ZERO || Work::new(BUDGET, order.len()).vanishes(self, &order, id) {
            Zero::Proved
        } else {
            Zero::Unknown
        }
    }

    /// The value at one of the fixed points and a bound of its error.
    fn value_with_error(&self, order: &[Id], root: Id, point: u64, scales: &mut FastMap<(u32, u8), f64>) -> (f64, f64) {
        const EPS: f64 = f64::EPSILON;
        let mut values: FastMap<Id, (f64, f64)> = FastMap::default();
        for &id in order {
            let at = |operand: Id| values[&operand];
            let result = match *self.node(id) {
                Node::Number(number) => (number.to_f64(), EPS * number.to_f64().abs()),
                Node::Pi => (std::f64::consts::PI, EPS * 4.0),
                Node::Symbol(symbol) => (coordinate(symbol, point), 0.0),
                Node::Sum { constant, ref terms } => {
                    let mut sum = constant.to_f64();
                    let mut size = sum.abs();
                    let mut error = 0.0;
                    for &(c, term) in terms.iter() {
                        let (value, term_error) = at(term);
                        let c = c.to_f64();
                        sum += c * value;
                        size += (c * value).abs();
                        error += c.abs() * term_error;
                    }
                    (sum, error + EPS * size * (terms.len() + 2) as f64)
                }
                Node::Product { coefficient, ref factors } => {
                    let mut value = coefficient.to_f64();
                    let mut bound = value.abs();
                    let mut operations = 2.0;
                    for &(factor, exponent) in factors.iter() {
                        let (x, e) = at(factor);
                        value *= elementary::powi(x, exponent);
                        let most = if exponent > 0 { x.abs() + e } else { (x.abs() - e).max(0.0) };
                        bound *= elementary::powi(most, exponent);
                        operations += f64::from(exponent.unsigned_abs()) + 1.0;
                    }
                    (value, (bound - value.abs()).max(0.0) + 2.0 * EPS * bound * operations)
                }
                Node::Power(base, exponent) => {
                    let ((x, e), (y, f)) = (at(base), at(exponent));
                    let value = elementary::powf(x, y);
                    let change = [(e, f), (e, -f), (-e, f), (-e, -f)]
                        .iter()
                        .fold(0.0, |most: f64, &(e, f)| larger(most, elementary::powf(x + e, y + f) - value));
                    (value, 2.0 * change + 8.0 * EPS * value.abs())
                }
                Node::Call(function, a, b) if function.arity() == 2 => {
                    let ((x, e), (y, f)) = (at(a), at(b));
                    let value = function.value(x, y);
                    let error = match function {
                        Function::Atan2 if y <= f && x.abs() <= e => f64::INFINITY,
                        Function::Atan2 => 2.0 * (e + f) / elementary::hypot(x, y),
                        _ => e.max(f),
                    };
                    (value, error + 8.0 * EPS * value.abs())
                }
                Node::Call(function, a, _) => {
                    let (x, e) = at(a);
                    let value = function.value(x, 0.0);
                    let error = match function {
                        Function::Sin | Function::Cos | Function::Atan | Function::Tanh | Function::Abs => e,
                        Function::Tan if e > 0.1 => f64::INFINITY,
                        _ => {
                            let up = function.value(x + e, 0.0) - value;
                            2.0 * larger(larger(0.0, up), function.value(x - e, 0.0) - value)
                        }
                    };
                    (value, error + 8.0 * EPS * value.abs())
                }
                Node::Table { table, order, argument } => {
                    let (x, e) = at(argument);
                    let curve = &self.tables()[table as usize];
                    let value = curve.value(x, order);
                    let scale = *scales.entry((table, order)).or_insert_with(|| {
                        curve.points().fold(0.0, |most: f64, (x, _)| most.max(curve.value(x, order).abs()))
                    });
                    let up = larger(0.0, curve.value(x + e, order) - value);
                    (value, 2.0 * larger(up, curve.value(x - e, order) - value) + 64.0 * EPS * (scale + value.abs()))
                }
                Node::Unspecified { ref function, ref orders, ref arguments } => {
                    let (x, e): (Vec<f64>, Vec<f64>) = arguments.iter().map(|&argument| at(argument)).unzip();
                    let curve = self.stand_in(function, orders);
                    (curve.value(&x), curve.error(&x, &e))
                }
                Node::Compare(relation, a, b) => {
                    let ((x, e), (y, f)) = (at(a), at(b));
                    let holds = if relation == Relation::Less { x < y } else { x <= y };
                    (f64::from(u8::from(holds)), if (x - y).abs() > e + f || e + f == 0.0 { 0.0 } else { 1.0 })
                }
                Node::And(a, b) | Node::Or(a, b) => {
                    let ((x, e), (y, f)) = (at(a), at(b));
                    let both = matches!(self.node(id), Node::And(..));
                    let holds = if both { x != 0.0 && y != 0.0 } else { x != 0.0 || y != 0.0 };
                    (f64::from(u8::from(holds)), if certain(x, e) && certain(y, f) { 0.0 } else { 1.0 })
                }
                Node::Not(a) => {
                    let (x, e) = at(a);
                    (f64::from(u8::from(x == 0.0)), if certain(x, e) { 0.0 } else { 1.0 })
                }
                Node::Select(condition, a, b) => match at(condition) {
                    (x, e) if !certain(x, e) => (f64::NAN, f64::INFINITY),
                    (x, _) if x != 0.0 => at(a),
                    _ => at(b),
                },
            };
            values.insert(id, result);
        }
        values[&root]
    }
}

/// Whether it is known if a value is zero.
fn certain(value: f64, error: f64) -> bool {
    value.abs() > error || (value == 0.0 && error == 0.0)
}

/// The larger magnitude, where what is no number wins.
fn larger(most: f64, value: f64) -> f64 {
    if value.abs() <= most { most } else { value.abs() }
}

/// The value of a symbol at one of the fixed points: moderate ones first, then small and wide ones, so that roots and
/// logarithms find some point where they are defined and switches are seen from both sides.
fn coordinate(symbol: Symbol, point: u64) -> f64 {
    let (kind, index) = match symbol {
        Symbol::Time => (0u64, 0),
        Symbol::Parameter(index) => (1, index),
        Symbol::Position(index) => (2, index),
        Symbol::Velocity(index) => (3, index),
        Symbol::Acceleration(index) => (4, index),
        Symbol::Multiplier(index) => (5, index),
        Symbol::Reaction(index) => (6, index),
        Symbol::Slip(index) => (7, index),
        Symbol::Normal(index) => (8, index),
    };
    // splitmix64: a fixed stream of well mixed bits.
    let mut bits = (point << 40 | kind << 32 | u64::from(index)).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    let unit = ((bits ^ (bits >> 31)) >> 11) as f64 / (1u64 << 53) as f64;
    let parameter = matches!(symbol, Symbol::Parameter(_));
    let (low, high) = match (point % 4, parameter) {
        (0, _) => (0.4, 1.6),
        (1, true) => (0.5, 2.0),
        (1, false) => (-1.5, 1.5),
        (2, true) => (1.0, 3.0),
        (2, false) => (-0.3, 0.3),
        (_, true) => (0.1, 10.0),
        (_, false) => (-20.0, 20.0),
    };
    low + (high - low) * unit
}

impl Work {
    /// Whether everything cancels when multiplied out.
    fn vanishes(&mut self, source: &Graph, order: &[Id], root: Id) -> bool {
        let root = self.taken_apart(source, order, root);
        let poly = self.terms_of(root);
        match self.normal(poly) {
            Some(poly) => poly.is_empty(),
            None => false,
        }
    }

    /// The expression with tangents, functions of sums of angles and exponentials of sums taken apart.
    fn taken_apart(&mut self, source: &Graph, order: &[Id], root: Id) -> Id {
        let mut new: FastMap<Id, Id> = FastMap::default();
        for &id in order {
            let copy = match *source.node(id) {
                Node::Call(function @ (Function::Sin | Function::Cos | Function::Tan), argument, _) => {
                    let (cosine, sine) = self.cosine_and_sine(new[&argument]);
                    match function {
                        Function::Sin => sine,
                        Function::Cos => cosine,
                        _ => self.graph.divide(sine, cosine),
                    }
                }
                Node::Call(Function::Exp, argument, _) => {
                    let terms = self.terms_of(new[&argument]);
                    let mut factors = Vec::with_capacity(terms.len());
                    for (term, k) in terms {
                        let (argument, exponent) = match k.as_integer().and_then(|k| i32::try_from(k).ok()) {
                            Some(k) => (term, k),
                            None => (self.graph.scale(k, term), 1),
                        };
                        factors.push((self.graph.call(Function::Exp, argument), exponent));
                    }
                    self.graph.product(Number::ONE, &factors)
                }
                ref node => rebuild(node, &mut self.graph, |operand| new[&operand]),
            };
            new.insert(id, copy);
        }
        new[&root]
    }

    /// Cosine and sine of a sum of angles, by the addition formulas.
    fn cosine_and_sine(&mut self, argument: Id) -> (Id, Id) {
        let terms = self.terms_of(argument);
        let steps = |k: Number| k.as_integer().map_or(1, i64::unsigned_abs);
        let total = terms.iter().fold(0u64, |sum, &(_, k)| sum.saturating_add(steps(k)));
        if total > 12 {
            return (self.call(Function::Cos, argument), self.call(Function::Sin, argument));
        }
        let (mut cosine, mut sine) = (Id::ONE, Id::ZERO);
        for (term, k) in terms {
            let unit = if term == Id::ONE || k.as_integer().is_none() {
                k
            } else {
                Number::integer(k.as_integer().map_or(1, i64::signum))
            };
            let times = if term == Id::ONE { 1 } else { steps(k) };
            let angle = self.graph.scale(unit, term);
            let (c, s) = (self.graph.call(Function::Cos, angle), self.graph.call(Function::Sin, angle));
            for _ in 0..times {
                let (cc, ss) = (self.graph.multiply(cosine, c), self.graph.multiply(sine, s));
                let (sc, cs) = (self.graph.multiply(sine, c), self.graph.multiply(cosine, s));
                cosine = self.graph.subtract(cc, ss);
                sine = self.graph.add(sc, cs);
            }
        }
        (cosine, sine)
    }

    /// A polynomial without denominators, sums in products and squares of cosines, that is zero where the given one is.
    fn normal(&mut self, mut poly: Poly) -> Option<Poly> {
        for _ in 0..ROUNDS {
            if !self.spend(poly.len()) {
                return None;
            }
            if let Some(opened) = self.multiplied_out(&poly)? {
                poly = opened;
                continue;
            }
            let mut below: FastMap<Id, i32> = FastMap::default();
            for &(monomial, _) in &poly {
                for (base, exponent) in self.factors(monomial) {
                    if exponent < 0 {
                        let least = below.entry(base).or_insert(0);
                        *least = exponent.min(*least);
                    }
                }
            }
            if below.is_empty() {
                return self.without_squares(&poly, Function::Cos);
            }
            let mut denominator: Vec<_> = below.into_iter().map(|(base, e)| (base, e.saturating_neg())).collect();
            denominator.sort_unstable();
            let denominator = self.graph.product(Number::ONE, &denominator);
            let (denominator, _) = self.split(denominator);
            poly = self.times(&poly, &[(denominator, Number::ONE)])?;
        }
        None
    }

    /// One step of multiplying out, where there is something to do.
    fn multiplied_out(&mut self, poly: &Poly) -> Option<Option<Poly>> {
        let mut result: Vec<(Id, Number)> = Vec::with_capacity(poly.len());
        let mut changed = false;
        for &(monomial, k) in poly {
            let mut rest: Vec<(Id, i32)> = Vec::new();
            let mut sums: Vec<(Id, i32)> = Vec::new();
            let mut here = false;
            for (base, exponent) in self.factors(monomial) {
                match *self.graph.node(base) {
                    Node::Sum { .. } if exponent > 0 => {
                        if exponent > 64 {
                            return None;
                        }
                        sums.push((base, exponent));
                        here = true;
                    }
                    // Where √u is defined its square is u; |u|² is u² everywhere.
                    Node::Call(Function::Sqrt, u, _) if exponent.unsigned_abs() > 1 => {
                        rest.push((u, exponent / 2));
                        rest.push((base, exponent % 2));
                        here = true;
                    }
                    Node::Call(Function::Abs, u, _) if exponent.unsigned_abs() > 1 => {
                        rest.push((u, exponent / 2 * 2));
                        rest.push((base, exponent % 2));
                        here = true;
                    }
                    Node::Call(Function::Cosh, u, _) if exponent > 1 => {
                        let sinh = self.graph.call(Function::Sinh, u);
                        let square = self.graph.integer_power(sinh, 2);
                        let sum = self.graph.add(Id::ONE, square);
                        rest.push((base, exponent - 2));
                        sums.push((sum, 1));
                        here = true;
                    }
                    _ => rest.push((base, exponent)),
                }
            }
            if !here {
                result.push((monomial, k));
                continue;
            }
            changed = true;
            let rest = self.graph.product(k, &rest);
            let mut product = self.terms_of(rest);
            for (sum, exponent) in sums {
                let terms = self.terms_of(sum);
                for _ in 0..exponent {
                    product = self.times(&product, &terms)?;
                }
            }
            if result.len() + product.len() > self.budget.saturating_mul(4) {
                return None;
            }
            result.extend(product);
        }
        Some(changed.then(|| collect(result)))
    }
}
