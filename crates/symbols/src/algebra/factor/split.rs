//! Takes a polynomial without repeated factors apart.
//!
//! With numbers for all variables but one, x, and modulo a prime, the polynomial falls into factors of one variable.
//! At several points the degrees of these are compared: a degree that no subset of them has at one of the points is
//! the degree of no factor, and often that proves that there is none. Else some of the factors together are the image
//! of one. Each choice is lifted to all variables, and tried.

use super::line::{by_degree, irreducible};
use crate::algebra::budget::{Budget, Exhausted};
use crate::algebra::gcd::content_in;
use crate::algebra::lift::Lift;
use crate::algebra::modular::Line;
use crate::algebra::polynomial::Polynomial;
use holonom_random::Random;

/// How many points are compared.
const POINTS: usize = 6;
/// No more factors modulo the prime than this are combined.
const PARTS: usize = 12;

/// A factor and the rest, if one is found: of a polynomial with content 1 with respect to every variable and without
/// repeated factors.
pub(super) fn split(polynomial: &Polynomial, budget: &Budget) -> Result<Option<(Polynomial, Polynomial)>, Exhausted> {
    let degrees = polynomial.degrees();
    let ends = |column: usize| (0..polynomial.len()).filter(|&i| polynomial.row(i)[column] == degrees[column]).count();
    let Some(column) = (0..degrees.len()).min_by_key(|&c| (degrees[c], ends(c))) else { return Ok(None) };
    if degrees[column] < 2 {
        return Ok(None);
    }
    budget.room(degrees[column] as usize, 0)?;
    let mut random = Random::new(0x0066_6163_746f_7273);
    let search = Lift::new(polynomial, column);
    let whole = degrees[column] as usize;
    let best = best_point(&search, whole, degrees.len() > 1, &mut random, budget)?;
    let Some((point, parts, allowed)) = best else { return Ok(None) };
    if parts.len() > PARTS {
        return Ok(None);
    }
    let degree = |set: usize| (0..parts.len()).filter(|i| set >> i & 1 == 1).map(|i| parts[i].len() - 1).sum::<usize>();
    // One of a set and its complement is enough: the one of lesser degree.
    let mut sets: Vec<usize> = (1..(1 << parts.len()) - 1).filter(|&set| allowed[degree(set)]).collect();
    sets.retain(|&set| 2 * degree(set) < whole || (2 * degree(set) == whole && set & 1 == 1));
    sets.sort_by_key(|&set| (set.count_ones(), degree(set), set));
    for set in sets {
        let mut start: Line = vec![search.modulus.one];
        for (_, part) in parts.iter().enumerate().filter(|(i, _)| set >> i & 1 == 1) {
            start = search.modulus.multiply_lines(&start, part, budget)?;
        }
        let Some(candidate) = search.grow(&start, &point, &mut random, budget)? else { continue };
        let content = content_in(&candidate, polynomial.variables()[column], budget)?;
        let Some(factor) = candidate.divide_exactly(&content, budget)? else { continue };
        if let Some(rest) = polynomial.divide_exactly(&factor, budget)? {
            return Ok(Some((factor, rest)));
        }
    }
    Ok(None)
}

/// The point with the fewest factors, these factors, and which degrees a factor can have by what all points say.
/// `None` if there is no factor, or no point without repeated factors.
#[allow(clippy::type_complexity)]
fn best_point(
    search: &Lift,
    whole: usize,
    several: bool,
    random: &mut Random,
    budget: &Budget,
) -> Result<Option<(Vec<u64>, Vec<Line>, Vec<bool>)>, Exhausted> {
    let modulus = &search.modulus;
    let mut allowed = vec![true; whole + 1];
    let mut best: Option<(usize, Vec<u64>, Vec<(Line, usize)>)> = None;
    // Without other variables all points are the same.
    for _ in 0..if several { POINTS } else { 1 } {
        let point = search.point(random);
        let line = search.at(&point, budget)?;
        let slope: Line = (1u64..).zip(&line[1..]).map(|(k, &c)| modulus.times(modulus.enter(k), c)).collect();
        if line.last() == Some(&0) || modulus.gcd_line(line.clone(), slope, budget)?.len() != 1 {
            continue;
        }
        let parts = by_degree(modulus, &line, budget)?;
        let mut sums = vec![false; whole + 1];
        sums[0] = true;
        let mut count = 0;
        for (part, degree) in &parts {
            for _ in 0..(part.len() - 1) / degree {
                count += 1;
                for sum in (*degree..=whole).rev() {
                    sums[sum] |= sums[sum - degree];
                }
            }
        }
        allowed.iter_mut().zip(sums).for_each(|(allowed, sum)| *allowed &= sum);
        if !allowed[1..whole].contains(&true) {
            return Ok(None);
        }
        if best.as_ref().is_none_or(|(least, ..)| count < *least) {
            best = Some((count, point, parts));
        }
    }
    let Some((_, point, parts)) = best else { return Ok(None) };
    Ok(Some((point, irreducible(modulus, parts, random, budget)?, allowed)))
}
