//! The greatest common divisor by lifting (after J. Moses and D. Yun, 1973).
//!
//! With numbers for all variables but one the divisor is found by Euclid's algorithm, modulo a prime. Where it has
//! nothing in common with the rest of one of the two polynomials it is lifted as a factor of that one, so that only
//! one of them is evaluated, and less often than interpolation would.

use super::sparse::Main;
use crate::algebra::budget::{Budget, Exhausted};
use crate::algebra::lift::{Lift, line_at};
use crate::algebra::polynomial::Polynomial;
use holonom_random::Random;

/// Of polynomials in the same variables, with content 1, without single variables as factors; one of the two has a
/// single term at the chosen end. `None` if lifting fails: both may share factors with the divisor, or its
/// coefficients exceed the prime.
pub(super) fn gcd(
    a: &Polynomial,
    b: &Polynomial,
    main: &Main,
    budget: &Budget,
) -> Result<Option<Polynomial>, Exhausted> {
    // The first coefficients are looked at: turn the powers of x around if it is the last that is short.
    let turn = |p: &Polynomial| if main.lead { p.clone() } else { p.reverse(main.variable) };
    let pair = [turn(a), turn(b)];
    let leads = pair.each_ref().map(|p| p.coefficients_in(main.variable).first().map_or(0, |(_, lead)| lead.len()));
    let mut order = [0, 1];
    order.sort_by_key(|&i| pair[i].len());
    for i in order.into_iter().filter(|&i| leads[i] == 1) {
        let lift = Lift::new(&pair[i], main.column);
        let mut random = Random::new(0x006c_6966_7465_6420 + i as u64);
        let point = lift.point(&mut random);
        let line = lift.at(&point, budget)?;
        let other = line_at(&lift.modulus, &pair[1 - i], main.column, &point, budget)?;
        let start = lift.modulus.gcd_line(line.clone(), other, budget)?;
        let rest = lift.modulus.divide_line(&mut line.clone(), &start, budget)?;
        // The degree is the bound, or the point is a bad one.
        let apart = lift.modulus.common_line(start.clone(), rest, budget)?.len() == 1;
        if line.last() == Some(&0) || start.len() != main.degree as usize + 1 || !apart {
            continue;
        }
        let Some(found) = lift.grow(&start, &point, &mut random, budget)? else { continue };
        let found = turn(&found.lower(&found.least_exponents())).primitive();
        if found.degree(main.variable) == main.degree
            && a.divide_exactly(&found, budget)?.is_some()
            && b.divide_exactly(&found, budget)?.is_some()
        {
            return Ok(Some(found));
        }
    }
    Ok(None)
}
