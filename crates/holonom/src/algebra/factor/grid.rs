//! Polynomials in two variables modulo a prime: evaluation at many points, and lifting of factors.

use crate::algebra::budget::{Budget, Exhausted};
use crate::algebra::modular::{Line, Modulus, Powers, trim};
use crate::algebra::polynomial::Polynomial;

/// A polynomial in x and y at successive points of its other variables.
pub(super) struct Grid {
    /// Per term the exponents of x and y, the value at the last point, and the factor that leads to the next.
    terms: Vec<(usize, usize, u64, u64)>,
    width: usize,
    height: usize,
    place: u64,
}

impl Grid {
    /// With some variables at successive powers of numbers and the others fixed.
    pub(super) fn new(
        modulus: &Modulus,
        polynomial: &Polynomial,
        coefficients: &[u64],
        (x, y): (usize, usize),
        moving: &[(usize, u64)],
        fixed: &[(usize, u64)],
        place: u64,
    ) -> Self {
        let degrees = polynomial.degrees();
        let tables = |list: &[(usize, u64)]| -> Vec<(usize, Powers)> {
            list.iter().map(|&(column, base)| (column, Powers::new(modulus, base, degrees[column]))).collect()
        };
        let (moving, fixed) = (tables(moving), tables(fixed));
        let product = |start: u64, row: &[u32], tables: &[(usize, Powers)]| {
            let factors = tables.iter().filter(|(column, _)| row[*column] > 0);
            factors.fold(start, |product, (column, powers)| modulus.times(product, powers.get(modulus, row[*column])))
        };
        let term = |(i, &coefficient): (usize, &u64)| {
            let row = polynomial.row(i);
            let value = product(coefficient, row, &fixed);
            (row[x] as usize, row[y] as usize, value, product(modulus.one, row, &moving))
        };
        Self {
            terms: coefficients.iter().enumerate().map(term).collect(),
            width: degrees[x] as usize + 1,
            height: degrees[y] as usize + 1,
            place,
        }
    }

    /// At the next point, the polynomials in x that are the coefficients of powers of y less its place.
    pub(super) fn next(&mut self, modulus: &Modulus, budget: &Budget) -> Result<Vec<Line>, Exhausted> {
        budget.room(self.width.saturating_mul(self.height), 0)?;
        budget.spend((self.terms.len() + self.width * self.height * self.height) as u64)?;
        let mut columns = vec![vec![0; self.height]; self.width];
        for (x, y, value, step) in &mut self.terms {
            *value = modulus.times(*value, *step);
            columns[*x][*y] = modulus.plus(columns[*x][*y], *value);
        }
        columns.iter_mut().for_each(|column| modulus.shift_line(column, self.place));
        Ok((0..self.height).map(|y| columns.iter().map(|column| column[y]).collect()).collect())
    }
}

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
