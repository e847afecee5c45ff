//! Factors: contents by every variable, repeated factors, then factors lifted from one variable.

mod line;
mod split;

use super::budget::{Budget, Exhausted};
use super::gcd::{content_in, gcd};
use super::integer::Integer;
use super::polynomial::Polynomial;

/// A polynomial as a product.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Factors {
    /// The integer in front, with the sign.
    pub coefficient: Integer,
    /// The factors with their exponents: each with content 1 and a positive leading coefficient, in ascending
    /// order. No two have a common divisor, unless the budget was too short to see it.
    pub factors: Vec<(Polynomial, u32)>,
}

/// Takes a polynomial apart, as far as that is cheap.
///
/// The product of what is returned is the polynomial. Each step, and each split, may take a quarter of what is left of
/// the budget and is done without when that is not enough. Found are single variables, contents with respect to every
/// variable, repeated factors, and all other factors with coefficients below 2⁶⁰.
///
/// ```
/// use holonom_symbols::algebra::{Budget, Integer, Polynomial, factors};
///
/// let (x, y) = (Polynomial::variable(0), Polynomial::variable(1));
/// let budget = Budget::new(1_000_000);
/// let difference = x.power(2, &budget)?.subtract(&y.power(2, &budget)?);
/// let parts = factors(&difference.scale(&Integer::from(3i64)), &budget)?;
/// assert_eq!(parts.coefficient, Integer::from(3i64));
/// assert_eq!(parts.factors, [(x.subtract(&y), 1), (x.add(&y), 1)]);
/// # Ok::<(), holonom_symbols::algebra::Exhausted>(())
/// ```
pub fn factors(polynomial: &Polynomial, budget: &Budget) -> Result<Factors, Exhausted> {
    if polynomial.is_constant() {
        let coefficient = polynomial.as_constant().unwrap_or(Integer::ZERO);
        return Ok(Factors { coefficient, factors: Vec::new() });
    }
    let primitive = polynomial.primitive();
    let content = polynomial.content();
    let coefficient = if polynomial.leading_coefficient_sign() < 0 { -&content } else { content };
    let least = primitive.least_exponents();
    let mut found: Vec<(Polynomial, u32)> = primitive
        .variables()
        .iter()
        .zip(&least)
        .filter(|(_, least)| **least > 0)
        .map(|(&variable, &least)| (Polynomial::variable(variable), least))
        .collect();
    let rest = primitive.lower(&least);
    let parts = budget.attempt(budget.left() / 4, |budget| contents(rest.clone(), budget))?;
    for part in parts.unwrap_or_else(|| vec![rest]) {
        let powers = budget.attempt(budget.left() / 4, |budget| square_free(&part, budget))?;
        for (factor, exponent) in powers.unwrap_or_else(|| vec![(part, 1)]) {
            found.extend(irreducible(factor, budget)?.into_iter().map(|factor| (factor, exponent)));
        }
    }
    found.sort();
    Ok(Factors { coefficient, factors: together(found) })
}

impl Factors {
    /// The product of the factors.
    pub fn product(&self, budget: &Budget) -> Result<Polynomial, Exhausted> {
        let mut product = Polynomial::constant(self.coefficient.clone());
        for (factor, exponent) in &self.factors {
            product = product.multiply(&factor.power(*exponent, budget)?, budget)?;
        }
        Ok(product)
    }
}

/// Splits as long as that succeeds at a reasonable price.
fn irreducible(polynomial: Polynomial, budget: &Budget) -> Result<Vec<Polynomial>, Exhausted> {
    let mut found = Vec::new();
    let mut waiting = vec![polynomial];
    while let Some(part) = waiting.pop() {
        match budget.attempt(budget.left() / 4, |budget| split::split(&part, budget))?.flatten() {
            Some((factor, rest)) => waiting.extend([factor.primitive(), rest.primitive()]),
            None => found.push(part),
        }
    }
    Ok(found)
}

/// Equal neighbours become one.
fn together(sorted: Vec<(Polynomial, u32)>) -> Vec<(Polynomial, u32)> {
    let mut result: Vec<(Polynomial, u32)> = Vec::with_capacity(sorted.len());
    for (factor, exponent) in sorted {
        match result.last_mut() {
            Some((last, sum)) if *last == factor => *sum += exponent,
            _ => result.push((factor, exponent)),
        }
    }
    result
}

/// Divides out contents until every part is primitive with respect to each of its variables.
fn contents(polynomial: Polynomial, budget: &Budget) -> Result<Vec<Polynomial>, Exhausted> {
    let mut parts = Vec::new();
    let mut waiting = vec![polynomial];
    'next: while let Some(part) = waiting.pop() {
        if part.is_constant() {
            continue;
        }
        for &variable in part.variables() {
            let content = content_in(&part, variable, budget)?;
            if !content.is_constant()
                && let Some(rest) = part.divide_exactly(&content, budget)?
            {
                waiting.extend([rest.primitive(), content.primitive()]);
                continue 'next;
            }
        }
        parts.push(part);
    }
    Ok(parts)
}

/// Factors without repetition, by how often they occur (Yun's algorithm), of a part that is primitive with respect to
/// each of its variables: then every factor contains the main variable, and its derivative shows all repetitions.
fn square_free(part: &Polynomial, budget: &Budget) -> Result<Vec<(Polynomial, u32)>, Exhausted> {
    let degrees = part.degrees();
    let Some((&degree, &variable)) = degrees.iter().zip(part.variables()).min() else { return Ok(Vec::new()) };
    if degree == 1 {
        return Ok(vec![(part.clone(), 1)]);
    }
    let quotient = |a: &Polynomial, b: &Polynomial| -> Result<Polynomial, Exhausted> {
        Ok(a.divide_exactly(b, budget)?.unwrap_or_else(|| a.clone()))
    };
    let slope = part.derivative(variable);
    let common = gcd(part, &slope, budget)?;
    if common.is_constant() {
        return Ok(vec![(part.clone(), 1)]);
    }
    let mut found = Vec::new();
    let mut rest = quotient(part, &common)?;
    let mut other = quotient(&slope, &common)?.subtract(&rest.derivative(variable));
    let mut exponent = 1;
    while !rest.is_constant() {
        let factor = gcd(&rest, &other, budget)?.primitive();
        rest = quotient(&rest, &factor)?;
        other = quotient(&other, &factor)?.subtract(&rest.derivative(variable));
        if !factor.is_constant() {
            found.push((factor, exponent));
        }
        exponent += 1;
    }
    Ok(found)
}
