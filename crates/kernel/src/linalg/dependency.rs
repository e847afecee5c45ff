//! How dependent rows depend: each as a combination of the rows of a basis.
//!
//! A dependent row together with the rows that its combination needs is a circuit: they depend on each
//! other, and without any one of them they do not. Which rows make the basis is the caller's choice, by a
//! list of those that had better be dependent.

use super::echelon::Echelon;
use super::refill;
use super::tolerance::SOLVABLE;
use super::vector::{add_scaled, max_abs};

/// A coefficient below this, with rows at comparable size, is rounding.
const ROUNDING: f64 = 1e-14;

/// The m − k dependent rows as combinations of k others.
#[derive(Clone, Default)]
pub(crate) struct Dependencies {
    /// The k independent rows.
    pub(crate) basis: Vec<usize>,
    /// The m − k dependent ones.
    dependent: Vec<usize>,
    /// Row-major (m − k) × k: `A_dependent[t] = Σ coefficients[t][j] A_basis[j]`.
    coefficients: Vec<f64>,
    pivot: Vec<f64>,
    /// Where each row stands: its place in the basis, or k plus its place among the dependent.
    place: Vec<usize>,
    settled: Vec<bool>,
}

impl Dependencies {
    /// Room for m rows, however many of them depend on others.
    pub(crate) fn reserve(&mut self, m: usize) {
        self.clear();
        for list in [&mut self.basis, &mut self.dependent, &mut self.place] {
            list.clear();
            list.reserve(m);
        }
        self.settled.clear();
        self.settled.reserve(m);
        self.pivot.clear();
        self.pivot.reserve(m);
        self.coefficients.reserve(m * m / 4 + 1); // (m − k) k at most
    }

    /// Finds the combinations, with rows early in `preference` dependent where possible. False where a coefficient is
    /// too large or too small for a number, since rows that depend on each other differ in size by more than that.
    #[must_use]
    pub(crate) fn find(&mut self, rows: &Echelon, m: usize, preference: impl Iterator<Item = usize>) -> bool {
        let (k, count) = (rows.rank, m - rows.rank);
        self.basis.clear();
        self.basis.extend_from_slice(&rows.rows[..k]);
        self.dependent.clear();
        self.dependent.extend_from_slice(&rows.rows[k..m]);
        refill(&mut self.coefficients, count * k, 0.0);
        refill(&mut self.settled, count, false);
        refill(&mut self.place, m, 0);
        for (place, row) in rows.rows[..m].iter().enumerate() {
            self.place[*row] = place;
        }
        for t in 0..count {
            let c = &mut self.coefficients[t * k..(t + 1) * k];
            rows.comparable_coefficients(k + t, c);
            clean(c);
        }
        for row in preference {
            let place = self.place[row];
            if place >= k {
                self.settled[place - k] = true;
                continue;
            }
            let size = |t: usize| {
                let c = &self.coefficients[t * k..(t + 1) * k];
                c[place].abs() / max_abs(c).max(1.0)
            };
            let open = (0..count).filter(|t| !self.settled[*t]);
            let best = open.max_by(|a, b| size(*a).total_cmp(&size(*b)));
            if let Some(t) = best.filter(|t| size(*t) > SOLVABLE) {
                self.exchange(t, place);
                self.settled[t] = true;
            }
        }
        // From rows of comparable size to the rows as given.
        let mut held = true;
        for (t, row) in self.dependent.iter().enumerate() {
            let coefficients = self.coefficients[t * k..(t + 1) * k].iter_mut().zip(&self.basis);
            for (c, other) in coefficients.filter(|(c, _)| **c != 0.0) {
                *c *= rows.row_scale[*other] / rows.row_scale[*row];
                held &= c.is_normal();
            }
        }
        held
    }

    /// Dependent row t and the row at place j of the basis change places.
    fn exchange(&mut self, t: usize, j: usize) {
        let k = self.basis.len();
        // dₜ = Σ cᵢ bᵢ, so bⱼ = dₜ/cⱼ − Σ_{i≠j} (cᵢ/cⱼ) bᵢ.
        self.pivot.clear();
        self.pivot.extend_from_slice(&self.coefficients[t * k..(t + 1) * k]);
        let inverse = 1.0 / self.pivot[j];
        self.pivot.iter_mut().for_each(|c| *c *= -inverse);
        self.pivot[j] = inverse;
        for (s, c) in self.coefficients.chunks_exact_mut(k).enumerate() {
            if s == t {
                c.copy_from_slice(&self.pivot);
            } else if c[j] != 0.0 {
                let factor = c[j];
                c[j] = 0.0;
                add_scaled(c, factor, &self.pivot);
            }
            clean(c);
        }
        std::mem::swap(&mut self.dependent[t], &mut self.basis[j]);
        self.place[self.basis[j]] = j;
        self.place[self.dependent[t]] = k + t;
    }

    /// No row depends on others, as far as anybody has to know.
    pub(crate) fn clear(&mut self) {
        self.basis.clear();
        self.dependent.clear();
        self.coefficients.clear();
    }

    /// How many rows are dependent.
    pub(crate) fn count(&self) -> usize {
        self.dependent.len()
    }

    /// The coefficients of the t-th dependent row over the basis.
    pub(crate) fn coefficients(&self, t: usize) -> &[f64] {
        let k = self.basis.len();
        &self.coefficients[t * k..(t + 1) * k]
    }

    /// Each dependent row with its coefficients over the basis.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (usize, &[f64])> {
        let k = self.basis.len();
        self.dependent.iter().enumerate().map(move |(t, row)| (*row, &self.coefficients[t * k..(t + 1) * k]))
    }
}

/// Sets to zero what is rounding, for a row whose own coefficient is 1.
fn clean(c: &mut [f64]) {
    let least = ROUNDING * max_abs(c).max(1.0);
    c.iter_mut().filter(|x| x.abs() <= least).for_each(|x| *x = 0.0);
}

#[cfg(test)]
mod tests {
    use super::super::scale::equilibrate;
    use super::*;

    #[test]
    fn the_rows_asked_for_are_dependent_where_they_can_be() {
        // Three copies of one row, the middle one a million times larger, and a row of its own.
        let A = [1.0, 2.0, 1e6, 2e6, 1.0, 2.0, 0.0, 5.0];
        let mut e = Echelon::default();
        e.load(4, 2, &A, |r, c| equilibrate(&A, 2, r, c));
        e.decide(1e-13, 0..=2, &A);
        let mut d = Dependencies::default();
        for (preference, expected) in [([3, 2, 1, 0], [1, 2]), ([0, 2, 1, 3], [0, 2])] {
            assert!(d.find(&e, 4, preference.into_iter()));
            let mut found: Vec<usize> = d.iter().map(|(row, _)| row).collect();
            found.sort_unstable();
            // Row 3 is preferred first in the first list, but depends on nothing.
            assert_eq!(found, expected);
            for (row, c) in d.iter() {
                for j in 0..2 {
                    let sum: f64 = c.iter().zip(&d.basis).map(|(c, i)| c * A[2 * i + j]).sum();
                    assert!((sum - A[2 * row + j]).abs() <= 1e-15 * A[2 * row + j].abs());
                }
                assert!(c.iter().zip(&d.basis).all(|(c, i)| *i != 3 || *c == 0.0));
            }
        }
    }
}
