//! Upper bounds for the degrees of a common divisor, from one evaluation modulo a prime.

use crate::algebra::budget::{Budget, Exhausted};
use crate::algebra::modular::{Line, Modulus, Powers};
use crate::algebra::polynomial::Polynomial;
use holonom_random::Random;

/// For each variable a bound for its degree in the greatest common divisor of polynomials in the same variables.
///
/// With all variables but one replaced by numbers the divisor still divides both, and keeps its degree in that
/// one if the leading coefficient of one of the two does not vanish, for its own leading coefficient divides it. So
/// these are proofs, not guesses; only how sharp they are is a matter of luck, which fails once in 10¹⁵ times.
pub(super) fn degree_bounds(a: &Polynomial, b: &Polynomial, budget: &Budget) -> Result<Vec<u32>, Exhausted> {
    let modulus = Modulus::first();
    let mut random = Random::new(0x0070_6f6c_796e_6f6d);
    let point: Vec<u64> = a.variables().iter().map(|_| modulus.random(&mut random)).collect();
    budget.spend(2 * (a.width() * (a.len() + b.len())) as u64)?;
    let images = [a, b].map(|p| (p, modulus.terms(p, &point), p.degrees()));
    let mut bounds = Vec::with_capacity(a.width());
    for (column, inverse) in modulus.invert_all(&point).into_iter().enumerate() {
        let degree = images[0].2[column].max(images[1].2[column]);
        budget.room(degree as usize, 0)?;
        let powers = Powers::new(&modulus, inverse, degree);
        let lines = images.each_ref().map(|(polynomial, terms, degrees)| {
            let mut line: Line = vec![0; degrees[column] as usize + 1];
            for (i, &term) in terms.iter().enumerate() {
                let exponent = polynomial.row(i)[column];
                let value = modulus.times(term, powers.get(&modulus, exponent));
                line[exponent as usize] = modulus.plus(line[exponent as usize], value);
            }
            line
        });
        let least = images[0].2[column].min(images[1].2[column]);
        let sound = lines.iter().any(|line| line.last() != Some(&0));
        let [left, right] = lines;
        bounds.push(if sound {
            (modulus.common_line(left, right, budget)?.len() as u32).saturating_sub(1)
        } else {
            least
        });
    }
    Ok(bounds)
}
