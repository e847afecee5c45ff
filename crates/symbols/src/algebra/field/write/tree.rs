//! What is going to be written: sums of products, with their length, before any of it stands in a graph.
//!
//! Many ways to write a result are tried and one is taken; only that one becomes nodes of the graph.

use holonom_elementary as elementary;
use std::rc::Rc;

use super::{Extra, Writer};
use crate::algebra::Integer;
use crate::expr::{Function, Id, Node, Number};

/// A sum. One term alone is that term; none is 0.
pub(super) type Sum = Vec<Term>;

/// A number times powers.
#[derive(Clone, Debug)]
pub(super) struct Term {
    /// Numerator and denominator; the latter positive, both without common factor.
    pub number: (Integer, Integer),
    pub factors: Vec<(Base, i32)>,
}

/// What is raised to a power.
#[derive(Clone, Debug)]
pub(super) enum Base {
    /// A variable of the field, or one that the writer added.
    Atom(u32),
    /// At least two terms.
    Sum(Rc<Sum>, u64),
}

impl Term {
    pub(super) fn number(above: Integer, below: Integer) -> Self {
        Self { number: lowest(above, below), factors: Vec::new() }
    }

    /// The product with a quotient of integers.
    pub(super) fn scaled(mut self, above: &Integer, below: &Integer) -> Self {
        self.number = lowest(&self.number.0 * above, &self.number.1 * below);
        self
    }

    pub(super) fn is_negative(&self) -> bool {
        self.number.0.is_negative()
    }

    fn has_number(&self) -> bool {
        !(self.number.0.is_one() && self.number.1.is_one())
    }
}

/// A fraction in lowest terms with a positive denominator.
pub(super) fn lowest(above: Integer, below: Integer) -> (Integer, Integer) {
    if above.is_zero() {
        return (Integer::ZERO, Integer::ONE);
    }
    let mut common = above.gcd(&below);
    if below.is_negative() {
        common = -&common;
    }
    if common.is_one() {
        return (above, below);
    }
    let divided = |value: Integer| value.divide_exactly(&common).unwrap_or(value);
    (divided(above), divided(below))
}

impl Writer<'_> {
    /// A sum as something to raise to powers.
    pub(super) fn base(&self, sum: Sum) -> Base {
        let size = self.size(&sum);
        Base::Sum(Rc::new(sum), size)
    }

    /// How many nodes it takes, as [`measure`](super::super::measure) counts them.
    pub(super) fn size(&self, sum: &[Term]) -> u64 {
        let terms = sum.iter().map(|term| self.term_size(term)).fold(0, u64::saturating_add);
        terms + u64::from(sum.len() != 1)
    }

    pub(super) fn term_size(&self, term: &Term) -> u64 {
        let number = u64::from(term.has_number());
        match &term.factors[..] {
            [] => 1,
            [(base, exponent)] if number == 0 => self.base_size(base) + if *exponent == 1 { 0 } else { 2 },
            factors => factors.iter().fold(1 + number, |sum: u64, (base, exponent)| {
                sum.saturating_add(self.base_size(base) + if *exponent == 1 { 0 } else { 2 })
            }),
        }
    }

    fn base_size(&self, base: &Base) -> u64 {
        match base {
            Base::Atom(variable) => self.atom_size(*variable),
            Base::Sum(_, size) => *size,
        }
    }

    /// A sum as an expression of the graph.
    pub(super) fn emit(&mut self, sum: &[Term]) -> Id {
        if let [term] = sum {
            return self.emit_term(term);
        }
        let mut terms: Vec<(Number, Id)> = Vec::with_capacity(sum.len());
        for term in sum {
            terms.push((Number::ONE, self.emit_term(term)));
        }
        self.graph.sum(&terms)
    }

    /// √2·√g·√h is √(2gh), and 1/√g·1/√h is 1/√(gh).
    fn with_roots_together(&mut self, factors: &[(Base, i32)]) -> Vec<(Base, i32)> {
        let mut together = factors.to_vec();
        for side in [1, -1] {
            let root = |(base, exponent): &(Base, i32)| match base {
                Base::Atom(variable) if *exponent == side && self.is_square_root(*variable) => Some(*variable),
                _ => None,
            };
            let roots: Vec<u32> = together.iter().filter_map(root).collect();
            if roots.len() > 1 {
                together.retain(|factor| root(factor).is_none());
                let joined = self.extra(Extra::Root(roots));
                together.push((Base::Atom(joined), side));
            }
        }
        together
    }

    /// Whether a variable is a square root as it stands.
    fn is_square_root(&self, variable: u32) -> bool {
        let Some(&id) = self.expressions.get(&variable) else { return false };
        variable < self.beyond() && matches!(self.graph.node(id), Node::Call(Function::Sqrt, ..))
    }

    fn emit_term(&mut self, term: &Term) -> Id {
        let mut factors = Vec::with_capacity(term.factors.len());
        for (base, exponent) in &self.with_roots_together(&term.factors) {
            let id = match base {
                Base::Atom(variable) => self.expression(*variable),
                Base::Sum(sum, _) => self.emit(&sum.clone()),
            };
            factors.push((id, *exponent));
        }
        self.graph.product(number(&term.number), &factors)
    }
}

/// A number of the graph; rounded where it does not fit.
pub(super) fn number((above, below): &(Integer, Integer)) -> Number {
    let exact = || Number::ratio(above.to_i128()?, below.to_i128()?);
    exact().or_else(|| Number::rounded(quotient(above, below))).unwrap_or(Number::ZERO)
}

/// The quotient of integers of any size.
fn quotient(above: &Integer, below: &Integer) -> f64 {
    let direct = above.to_f64() / below.to_f64();
    if direct.is_finite() && above.to_f64().is_finite() && below.to_f64().is_finite() {
        return direct;
    }
    // Both beyond the range of doubles: the leading digits of each.
    let scaled = |value: &Integer| {
        let text = value.abs().to_string();
        let head = text.get(..text.len().min(18)).unwrap_or(&text).parse::<f64>().unwrap_or(0.0);
        (head, text.len().saturating_sub(18) as i32)
    };
    let ((a, a_zeros), (b, b_zeros)) = (scaled(above), scaled(below));
    let sign = if above.is_negative() != below.is_negative() { -1.0 } else { 1.0 };
    sign * a / b * elementary::powi(10.0, a_zeros - b_zeros)
}
