//! Lifting of a factor in two variables, modulo a prime.

use crate::algebra::budget::{Budget, Exhausted};
use crate::algebra::modular::{Line, Modulus, trim};

/// Lifts a factor of a polynomial in x at y = 0 to one in x and y.
///
/// The leading coefficients in x, of the factor as of the other factor, are made those of the polynomial f, so that
/// their product is f times its leading coefficient. `None` if there is no such factor.
pub(super) fn lift(
    modulus: &Modulus,
    rows: &[Line],
    start: Line,
    budget: &Budget,
) -> Result<Option<Vec<Line>>, Exhausted> {
    let width = rows[0].len();
    let lead: Vec<u64> = rows.iter().map(|row| row[width - 1]).collect();
    if lead[0] == 0 || start.last() != Some(&lead[0]) {
        return Ok(None);
    }
    // The product: f times its leading coefficient.
    let depth = 2 * rows.len() - 1;
    budget.spend((rows.len() * rows.len() * width) as u64)?;
    let mut product = vec![vec![0; width]; depth];
    for (i, &factor) in lead.iter().enumerate() {
        for (j, row) in rows.iter().enumerate() {
            for (sum, &c) in product[i + j].iter_mut().zip(row) {
                *sum = modulus.plus(*sum, modulus.times(factor, c));
            }
        }
    }
    while product.len() > 1 && product.last().is_some_and(|row| row.iter().all(|&c| c == 0)) {
        product.pop();
    }
    let mut rest = product[0].clone();
    let mut other = modulus.divide_line(&mut rest, &start, budget)?;
    trim(&mut other);
    if !rest.is_empty() {
        return Ok(None);
    }
    let Some(inverse) = modulus.invert_line(&start, &other, budget)? else { return Ok(None) };
    let (mut left, mut right) = (vec![start.clone()], vec![other.clone()]);
    for k in 1..product.len() {
        let top = lead.get(k).copied().unwrap_or(0);
        let blank = |length: usize| -> Line { std::iter::repeat_n(0, length - 1).chain([top]).collect() };
        left.push(blank(start.len()));
        right.push(blank(other.len()));
        let mut error = product[k].clone();
        for i in 0..=k {
            if left[i].iter().all(|&c| c == 0) {
                continue;
            }
            for (sum, &c) in error.iter_mut().zip(&modulus.multiply_lines(&left[i], &right[k - i], budget)?) {
                *sum = modulus.minus(*sum, c);
            }
        }
        trim(&mut error);
        if error.is_empty() {
            continue;
        }
        // error = δleft·right₀ + δright·left₀
        let mut change = modulus.multiply_lines(&error, &inverse, budget)?;
        trim(&mut change);
        modulus.divide_line(&mut change, &other, budget)?;
        for (sum, &c) in right[k].iter_mut().zip(&change) {
            *sum = modulus.plus(*sum, c);
        }
        let part = modulus.multiply_lines(&change, &start, budget)?;
        error.resize(error.len().max(part.len()), 0);
        error.iter_mut().zip(&part).for_each(|(sum, &c)| *sum = modulus.minus(*sum, c));
        trim(&mut error);
        let change = modulus.divide_line(&mut error, &other, budget)?;
        for (sum, &c) in left[k].iter_mut().zip(&change) {
            *sum = modulus.plus(*sum, c);
        }
    }
    let height = |rows: &[Line]| rows.iter().rposition(|row| row.iter().any(|&c| c != 0)).unwrap_or(0);
    if height(&left) + height(&right) >= product.len() {
        return Ok(None);
    }
    left.truncate(height(&left) + 1);
    Ok(Some(left))
}
