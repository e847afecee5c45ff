//! Products of powers in place of a variable, so that a coefficient becomes a single term.
//!
//! The search for a divisor needs the first or last coefficients of both polynomials in the main variable x, and is
//! slow where these are long. But y xʷ in place of every other variable y changes no number of terms, can be undone,
//! and sorts the terms by weights: with suitable ones, one term alone is the first, or the last.

use crate::algebra::budget::{Budget, Exhausted};
use crate::algebra::polynomial::Polynomial;
use holonom_random::Random;

/// How many weights are tried.
const TRIALS: u64 = 24;
/// Degrees above this are left alone.
const DEGREE: u32 = 100;

/// The variable to change and the weights of all, that of the variable itself 1, for the least degrees; `None` if no good ones are found.
pub(super) fn choose(a: &Polynomial, b: &Polynomial, budget: &Budget) -> Result<Option<(usize, Vec<u32>)>, Exhausted> {
    if [a, b].iter().any(|p| p.degrees().into_iter().any(|degree| degree > DEGREE)) {
        return Ok(None);
    }
    let mut random = Random::new(0x7765_6967_6874);
    let mut best: Option<(u32, usize, Vec<u32>)> = None;
    for trial in 0..TRIALS {
        budget.spend(((a.len() + b.len()) * a.width() / 4) as u64)?;
        let column = (random.bits() % a.width() as u64) as usize;
        let mut weights: Vec<u32> = (0..a.width()).map(|_| (random.bits() % (2 + trial / 8)) as u32).collect();
        weights[column] = 1;
        let (spread_a, single_a) = ends(a, &weights);
        let (spread_b, single_b) = ends(b, &weights);
        let degree = spread_a + spread_b;
        if (single_a || single_b) && best.as_ref().is_none_or(|(least, ..)| degree < *least) {
            best = Some((degree, column, weights));
        }
    }
    Ok(best.map(|(_, column, weights)| (column, weights)))
}

fn weight(row: &[u32], weights: &[u32]) -> u32 {
    row.iter().zip(weights).map(|(e, w)| e * w).sum()
}

/// The difference between the greatest and the least weight, and whether a single term has one of these.
fn ends(polynomial: &Polynomial, weights: &[u32]) -> (u32, bool) {
    let mut values: Vec<u32> = (0..polynomial.len()).map(|i| weight(polynomial.row(i), weights)).collect();
    values.sort_unstable();
    let last = values.len() - 1;
    (values[last] - values[0], last > 0 && (values[0] < values[1] || values[last - 1] < values[last]))
}

/// With weights as exponents of the variable, less the least.
pub(super) fn shear(polynomial: &Polynomial, column: usize, weights: &[u32]) -> Polynomial {
    let all = 0..polynomial.len();
    let least = all.clone().map(|i| weight(polynomial.row(i), weights)).min().unwrap_or(0);
    let mut rows = Vec::with_capacity(polynomial.len() * weights.len());
    for i in all {
        rows.extend_from_slice(polynomial.row(i));
        let last = rows.len() - weights.len() + column;
        rows[last] = weight(polynomial.row(i), weights) - least;
    }
    Polynomial::from_rows(polynomial.variables().to_vec(), rows, polynomial.coefficients().to_vec())
}

/// Undoes [`shear`], up to a power of the variable, which no divisor here has as a factor.
pub(super) fn unshear(polynomial: &Polynomial, variables: &[u32], column: usize, weights: &[u32]) -> Polynomial {
    let mut rows = polynomial.rows_in(variables).into_owned();
    let mut others = weights.to_vec();
    others[column] = 0;
    let exponent = |row: &[u32]| i64::from(row[column]) - i64::from(weight(row, &others));
    let least = rows.chunks_exact(variables.len()).map(exponent).min().unwrap_or(0);
    for row in rows.chunks_exact_mut(variables.len()) {
        row[column] = (exponent(row) - least) as u32;
    }
    Polynomial::from_rows(variables.to_vec(), rows, polynomial.coefficients().to_vec()).primitive()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_replacement_can_be_undone() {
        let mut random = Random::new(3);
        for _ in 0..100 {
            let term = |random: &mut Random| {
                let powers: Vec<(u32, u32)> = (0..4).map(|v| (v, (random.bits() % 4) as u32)).collect();
                (crate::algebra::Integer::from(1 + (random.bits() % 9) as i64), powers)
            };
            let terms: Vec<_> = (0..6).map(|_| term(&mut random)).collect();
            let polynomial = Polynomial::from_terms(terms);
            let polynomial = polynomial.lower(&polynomial.least_exponents()).primitive();
            if polynomial.width() < 4 {
                continue;
            }
            let weights = [2, 1, 0, 3];
            let sheared = shear(&polynomial, 1, &weights);
            assert_eq!(unshear(&sheared, polynomial.variables(), 1, &weights), polynomial);
        }
    }
}
