//! Factors: contents by every variable and repeated factors.

use super::budget::{Budget, Exhausted};
use super::gcd::{content_in, gcd};
use super::integer::Integer;
use super::polynomial::Polynomial;

/// A polynomial as a product.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Factors {
    /// The integer in front, with the sign.
    pub coefficient: Integer,
    /// The factors with their exponents: each with content 1 and a positive leading coefficient, no two with a
    /// common divisor, in ascending order.
    pub factors: Vec<(Polynomial, u32)>,
}

/// Takes a polynomial apart, as far as that is cheap.
///
/// The product of what is returned is the polynomial. Single variables, contents with respect to every variable and
/// repeated factors are always found.
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
    for part in contents(primitive.lower(&least), budget)? {
        for (factor, exponent) in square_free(&part, budget)? {
            found.push((factor, exponent));
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
            if !content.is_constant() {
                if let Some(rest) = part.divide_exactly(&content, budget)? {
                    waiting.extend([rest.primitive(), content.primitive()]);
                    continue 'next;
                }
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
