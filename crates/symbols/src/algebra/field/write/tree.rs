//! What is going to be written: sums of products, before any of it stands in a graph.
//!
//! Many ways to write a result are tried and one is taken; only that one becomes nodes of the graph (`emit`).

use holonom_elementary as elementary;
use std::rc::Rc;

use crate::algebra::{Integer, Polynomial};
use crate::expr::Number;

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

/// A polynomial and what it is to be divided by.
pub(super) type Scaled = (Polynomial, Integer);

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

    pub(super) fn has_number(&self) -> bool {
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

/// The terms as they stand.
pub(super) fn plain(polynomial: &Polynomial) -> Sum {
    polynomial
        .terms()
        .map(|(coefficient, monomial)| Term {
            number: (coefficient.clone(), Integer::ONE),
            factors: monomial.map(|(variable, exponent)| (Base::Atom(variable), exponent as i32)).collect(),
        })
        .collect()
}

/// The powers of a single term.
pub(super) fn powers(term: &Polynomial) -> Vec<(Base, i32)> {
    let all = term.terms().next().map(|(_, powers)| powers.map(|(v, e)| (Base::Atom(v), e as i32)).collect());
    all.unwrap_or_default()
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
