//! The greatest common divisor by Euclid's algorithm in one variable, contents taken out at every step.

use super::{content_in, gcd as common, primitive_in};
use crate::algebra::budget::{Budget, Exhausted};
use crate::algebra::polynomial::Polynomial;

/// Of polynomials in the same variables with content 1. Certain, and slow when both are large.
pub(super) fn gcd(a: &Polynomial, b: &Polynomial, budget: &Budget) -> Result<Polynomial, Exhausted> {
    let degrees = a.degrees().into_iter().zip(b.degrees()).map(|(p, q)| p.max(q));
    let Some((_, &variable)) = degrees.zip(a.variables()).min() else { return Ok(Polynomial::one()) };
    let contents = (content_in(a, variable, budget)?, content_in(b, variable, budget)?);
    let content = common(&contents.0, &contents.1, budget)?;
    let mut high = primitive_in(a, variable, budget)?;
    let mut low = primitive_in(b, variable, budget)?;
    if high.degree(variable) < low.degree(variable) {
        std::mem::swap(&mut high, &mut low);
    }
    while !low.is_zero() {
        if low.degree(variable) == 0 {
            return Ok(content);
        }
        let rest = high.pseudo_remainder(&low, variable, budget)?;
        high = low;
        low = primitive_in(&rest.primitive(), variable, budget)?;
    }
    Ok(high.primitive().multiply(&content, budget)?.primitive())
}
