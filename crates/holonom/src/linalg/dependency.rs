//! How dependent rows depend: combinations `νᵀA = 0`, each solved for one of its rows.
//!
//! Every combination is a circuit: its rows depend on each other, and without any one of them they do
//! not. Which rows are solved for is the caller's choice, by a list of preference.

use super::echelon::Echelon;
use super::refill;
use super::vector::{add_scaled, max_abs};

/// A coefficient below this, with rows at comparable size, is rounding.
const ROUNDING: f64 = 1e-11;
/// A combination may be solved for a row whose coefficient is at least this part of the largest.
const SOLVABLE: f64 = 1e-3;

/// The m − k independent combinations of rows that vanish.
#[derive(Clone, Default)]
pub(crate) struct Dependencies {
    m: usize,
    nu: Vec<f64>,
    /// The row that each combination is solved for.
    pub(crate) solved: Vec<usize>,
    coefficients: Vec<f64>,
}

impl Dependencies {
    /// Finds the combinations and solves them for rows as early in `preference` as possible.
    pub(crate) fn find(&mut self, rows: &Echelon, m: usize, preference: &[usize]) {
        self.m = m;
        let (k, count) = (rows.rank, m - rows.rank);
        refill(&mut self.nu, count * m, 0.0);
        refill(&mut self.coefficients, k, 0.0);
        for (position, nu) in (k..m).zip(self.nu.chunks_exact_mut(m.max(1))) {
            rows.comparable_coefficients(position, &mut self.coefficients);
            for (c, &j) in self.coefficients.iter().zip(&rows.rows) {
                nu[j] = -c;
            }
            nu[rows.rows[position]] = 1.0;
            clean(nu);
        }
        self.solved.clear();
        for &row in preference {
            let done = self.solved.len();
            if done == count {
                break;
            }
            let size = |t: usize| self.combination(t)[row].abs() / max_abs(self.combination(t));
            let best = (done..count).max_by(|a, b| size(*a).total_cmp(&size(*b)));
            let Some(best) = best.filter(|t| size(*t) > SOLVABLE) else { continue };
            if best != done {
                let (head, tail) = self.nu.split_at_mut(best * m);
                head[done * m..(done + 1) * m].swap_with_slice(&mut tail[..m]);
            }
            self.eliminate(done, row);
            self.solved.push(row);
        }
        // In real units: Σ νⱼ Aⱼ = 0.
        for nu in self.nu.chunks_exact_mut(m.max(1)) {
            for (nu, scale) in nu.iter_mut().zip(&rows.row_scale) {
                *nu *= scale;
            }
        }
    }

    /// Takes `row` out of every combination but the one at `pivot`.
    fn eliminate(&mut self, pivot: usize, row: usize) {
        let m = self.m;
        let (before, rest) = self.nu.split_at_mut(pivot * m);
        let (pivot, after) = rest.split_at_mut(m);
        for nu in before.chunks_exact_mut(m).chain(after.chunks_exact_mut(m)) {
            if nu[row] != 0.0 {
                add_scaled(nu, -nu[row] / pivot[row], pivot);
                nu[row] = 0.0;
                clean(nu);
            }
        }
    }

    /// No row depends on others.
    pub(crate) fn clear(&mut self) {
        self.nu.clear();
        self.solved.clear();
    }

    /// One of the combinations.
    pub(crate) fn combination(&self, t: usize) -> &[f64] {
        &self.nu[t * self.m..(t + 1) * self.m]
    }

    /// The combinations, with the row that each is solved for.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (usize, &[f64])> {
        self.solved.iter().copied().zip(self.nu.chunks_exact(self.m.max(1)))
    }
}

/// Sets to zero what is rounding.
fn clean(nu: &mut [f64]) {
    let least = ROUNDING * max_abs(nu);
    nu.iter_mut().filter(|x| x.abs() <= least).for_each(|x| *x = 0.0);
}

#[cfg(test)]
mod tests {
    use super::super::scale::equilibrate;
    use super::*;

    #[test]
    fn combinations_are_solved_for_the_rows_asked_for() {
        // Three copies of one row, the middle one a million times larger, and a row of its own.
        let A = [1.0, 2.0, 1e6, 2e6, 1.0, 2.0, 0.0, 5.0];
        let mut e = Echelon::default();
        e.load(4, 2, &A, |r, c| equilibrate(&A, 2, r, c));
        e.decide(1e-13, 0, &A);
        let mut d = Dependencies::default();
        for (preference, expected) in [([3, 2, 1, 0], [1, 2]), ([0, 2, 1, 3], [0, 2])] {
            d.find(&e, 4, &preference);
            let mut solved = d.solved.clone();
            solved.sort_unstable();
            // Row 3 is preferred first in the first list, but depends on nothing.
            assert_eq!(solved, expected);
            for (row, nu) in d.iter() {
                assert_eq!(nu[3], 0.0);
                for j in 0..2 {
                    let sum: f64 = (0..4).map(|i| nu[i] * A[2 * i + j]).sum();
                    assert!(sum.abs() < 1e-9 * (nu[row] * A[2 * row + j]).abs().max(1e-300));
                }
            }
        }
    }
}
