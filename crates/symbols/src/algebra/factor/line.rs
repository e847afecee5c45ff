//! Factors of a polynomial in one variable modulo a prime (D. Cantor and H. Zassenhaus, 1981).

use crate::algebra::budget::{Budget, Exhausted};
use crate::algebra::modular::{Line, Modulus, trim};
use holonom_random::Random;

/// Products of all factors of the same degree, with that degree. The polynomial has no repeated factor.
pub(super) fn by_degree(modulus: &Modulus, line: &Line, budget: &Budget) -> Result<Vec<(Line, usize)>, Exhausted> {
    let mut rest = line.clone();
    modulus.monic(&mut rest);
    let mut found = Vec::new();
    let mut frobenius: Line = vec![0, modulus.one];
    for degree in 1.. {
        if rest.len() <= 2 * degree {
            break;
        }
        // x^(pᵈ) − x has all polynomials of degree d as factors.
        frobenius = power(modulus, &frobenius, modulus.characteristic(), &rest, budget)?;
        let mut difference = frobenius.clone();
        difference.resize(difference.len().max(2), 0);
        difference[1] = modulus.minus(difference[1], modulus.one);
        let common = modulus.gcd_line(rest.clone(), difference, budget)?;
        if common.len() > 1 {
            rest = modulus.divide_line(&mut rest, &common, budget)?;
            modulus.divide_line(&mut frobenius, &rest, budget)?;
            found.push((common, degree));
        }
    }
    if rest.len() > 1 {
        let degree = rest.len() - 1;
        found.push((rest, degree));
    }
    Ok(found)
}

/// The factors, each with leading coefficient 1, of what [`by_degree`] found.
pub(super) fn irreducible(
    modulus: &Modulus,
    parts: Vec<(Line, usize)>,
    random: &mut Random,
    budget: &Budget,
) -> Result<Vec<Line>, Exhausted> {
    let mut found = Vec::new();
    let mut waiting = parts;
    while let Some((part, degree)) = waiting.pop() {
        if part.len() == degree + 1 {
            found.push(part);
            continue;
        }
        // A random polynomial to the power (pᵈ − 1)/2 is 1 modulo half of the factors, and −1 modulo the others.
        let mut trial: Line = (1..part.len()).map(|_| modulus.random(random)).collect();
        trim(&mut trial);
        let mut norm = trial.clone();
        for _ in 1..degree {
            trial = power(modulus, &trial, modulus.characteristic(), &part, budget)?;
            norm = modulus.multiply_lines(&norm, &trial, budget)?;
            trim(&mut norm);
            modulus.divide_line(&mut norm, &part, budget)?;
        }
        let mut sign = power(modulus, &norm, modulus.characteristic() / 2, &part, budget)?;
        if let Some(first) = sign.first_mut() {
            *first = modulus.minus(*first, modulus.one);
        }
        let common = modulus.gcd_line(part.clone(), sign, budget)?;
        if common.len() > 1 && common.len() < part.len() {
            let other = modulus.divide_line(&mut part.clone(), &common, budget)?;
            waiting.extend([(common, degree), (other, degree)]);
        } else {
            waiting.push((part, degree));
        }
    }
    found.sort();
    Ok(found)
}

/// A power modulo a polynomial.
fn power(modulus: &Modulus, base: &Line, exponent: u64, modulo: &[u64], budget: &Budget) -> Result<Line, Exhausted> {
    let times = |a: &Line, b: &Line| -> Result<Line, Exhausted> {
        let mut product = modulus.multiply_lines(a, b, budget)?;
        trim(&mut product);
        modulus.divide_line(&mut product, modulo, budget)?;
        Ok(product)
    };
    let mut result: Line = vec![modulus.one];
    for bit in (0..64 - exponent.leading_zeros()).rev() {
        result = times(&result, &result)?;
        if exponent >> bit & 1 == 1 {
            result = times(&result, base)?;
        }
    }
    Ok(result)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_product_of_known_factors_comes_apart() {
        let (m, budget) = (Modulus::first(), Budget::unlimited());
        let mut random = Random::new(9);
        for round in 0..20 {
            let mut roots: Vec<Line> = (0..2 + round % 5).map(|_| vec![m.random(&mut random), m.one]).collect();
            roots.sort();
            let mut product = vec![m.one];
            for root in &roots {
                product = m.multiply_lines(&product, root, &budget).unwrap();
            }
            let parts = by_degree(&m, &product, &budget).unwrap();
            assert_eq!(irreducible(&m, parts, &mut random, &budget).unwrap(), roots);
        }
    }
}
