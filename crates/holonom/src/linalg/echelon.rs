//! Which rows are independent: elimination with complete pivoting on a scaled matrix.
//!
//! `P (R A S) Πᵀ = L [U; 0]` with R, S powers of two, L unit lower trapezoidal and U upper trapezoidal
//! with k = rank A rows. Rank is decided here and nowhere else, by one tolerance. Clear pivots decide
//! alone; a pivot in the grey zone calls the singular values in.

use super::refill;
use super::singular::SingularValues;
use super::vector::{add_scaled, dot};

/// How a rank was decided and by what margin, relative to the largest pivot or singular value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Margin {
    /// The smallest size that was counted; 1 when nothing had to be counted.
    pub(crate) kept: f64,
    /// The largest size that was not counted; 0 when nothing was left.
    pub(crate) dropped: f64,
}

/// Pivots above this are independent beyond doubt, whatever the elimination did to them.
const CLEAR: f64 = 1e-8;

/// The echelon form of an m × n matrix.
#[derive(Clone, Default)]
pub(crate) struct Echelon {
    m: usize,
    n: usize,
    lu: Vec<f64>,
    /// Position → row of A.
    pub(crate) rows: Vec<usize>,
    /// Position → column of A.
    pub(crate) columns: Vec<usize>,
    /// R, by row of A.
    pub(crate) row_scale: Vec<f64>,
    /// S, by column of A.
    pub(crate) column_scale: Vec<f64>,
    pub(crate) rank: usize,
    margin: Option<Margin>,
    singular: SingularValues,
}

impl Echelon {
    /// Takes an m × n matrix with the scaling that `scale_by` writes into (rows, columns).
    pub(crate) fn load(&mut self, m: usize, n: usize, A: &[f64], scale_by: impl FnOnce(&mut [f64], &mut [f64])) {
        (self.m, self.n, self.rank, self.margin) = (m, n, 0, None);
        refill(&mut self.row_scale, m, 1.0);
        refill(&mut self.column_scale, n, 1.0);
        scale_by(&mut self.row_scale, &mut self.column_scale);
        self.lu.clear();
        for (r, row) in self.row_scale.iter().zip(A.chunks_exact(n.max(1))) {
            self.lu.extend(row.iter().zip(&self.column_scale).map(|(a, s)| a * r * s));
        }
        self.rows.clear();
        self.rows.extend(0..m);
        self.columns.clear();
        self.columns.extend(0..n);
        self.singular.reserve(m * n, m.min(n));
    }

    /// Eliminates and decides the rank by `tolerance`; at least `least` pivots are taken.
    ///
    /// `A` is the matrix that was loaded, should the singular values be asked.
    pub(crate) fn decide(&mut self, tolerance: f64, least: usize, A: &[f64]) {
        let (m, n) = (self.m, self.n);
        let noise = (16.0 * m.max(n) as f64 * f64::EPSILON).min(0.1 * tolerance);
        let (mut first, mut grey) = (1.0, false);
        let (mut kept, mut dropped) = (1.0, 0.0);
        let mut pivot = self.largest();
        while self.rank < m.min(n) {
            let size = pivot.0;
            if self.rank == 0 {
                // Comparable size is 1. A matrix whose largest entry is far below that is rounding.
                first = size.max(1.0);
            }
            let relative = size / first;
            if size == 0.0 || (relative <= noise && self.rank >= least) {
                dropped = relative;
                break;
            }
            grey |= relative < CLEAR;
            kept = relative;
            self.exchange(pivot.1, pivot.2);
            pivot = self.eliminate();
        }
        if grey {
            let (row, column) = (&self.row_scale, &self.column_scale);
            self.singular.compute(m, n, |i, j| A[i * n + j] * row[i] * column[j]);
            let values = &self.singular.values;
            let largest = values[0].max(1.0);
            let above = values.iter().filter(|s| **s > tolerance * largest).count();
            self.rank = above.clamp(least.min(self.rank), self.rank);
            kept = if self.rank == 0 { 1.0 } else { values[self.rank - 1] / largest };
            dropped = values.get(self.rank).map_or(0.0, |s| s / largest);
        }
        self.margin = Some(Margin { kept, dropped });
    }

    /// Eliminates along pivots chosen earlier; the position of one that has become zero is the error.
    pub(crate) fn follow(&mut self, rows: &[usize], columns: &[usize], rank: usize) -> Result<(), usize> {
        let mut margin = Margin { kept: 1.0, dropped: 0.0 };
        let mut largest: f64 = 0.0;
        for position in 0..rank {
            // Where the wanted row and column are now: earlier exchanges have moved them.
            let find = |list: &[usize], wanted: usize| list.iter().position(|x| *x == wanted).ok_or(position);
            let (i, j) = (find(&self.rows, rows[position])?, find(&self.columns, columns[position])?);
            let size = self.lu[i * self.n + j].abs();
            largest = largest.max(size);
            if size <= f64::EPSILON * largest {
                return Err(position);
            }
            margin.kept = margin.kept.min(size / largest);
            self.exchange(i, j);
            margin.dropped = self.eliminate().0;
        }
        margin.dropped = if largest > 0.0 { margin.dropped / largest } else { 0.0 };
        self.margin = Some(margin);
        Ok(())
    }

    /// By how much the rank was clear.
    pub(crate) fn margin(&self) -> Margin {
        self.margin.unwrap_or(Margin { kept: 1.0, dropped: 0.0 })
    }

    /// Size and position of the largest entry.
    fn largest(&self) -> (f64, usize, usize) {
        let mut best = (0.0, 0, 0);
        for (i, row) in self.lu.chunks_exact(self.n.max(1)).enumerate() {
            for (j, v) in row.iter().enumerate() {
                if v.abs() > best.0 {
                    best = (v.abs(), i, j);
                }
            }
        }
        best
    }

    /// Brings entry (i, j) to the pivot's place.
    fn exchange(&mut self, i: usize, j: usize) {
        let (p, n) = (self.rank, self.n);
        if i != p {
            let (head, tail) = self.lu.split_at_mut(i * n);
            head[p * n..(p + 1) * n].swap_with_slice(&mut tail[..n]);
            self.rows.swap(p, i);
        }
        if j != p {
            for row in self.lu.chunks_exact_mut(n) {
                row.swap(p, j);
            }
            self.columns.swap(p, j);
        }
    }

    /// Eliminates below the pivot and returns size and position of the largest entry that remains.
    ///
    /// Strict comparison: among equals the first row wins, so a repeated row is the later one.
    fn eliminate(&mut self) -> (f64, usize, usize) {
        let (p, n) = (self.rank, self.n);
        self.rank += 1;
        let (head, tail) = self.lu.split_at_mut((p + 1) * n);
        let pivot_row = &head[p * n + p..];
        let inverse = 1.0 / pivot_row[0];
        let mut best = (0.0, p + 1, p + 1);
        for (offset, row) in tail.chunks_exact_mut(n).enumerate() {
            let factor = row[p] * inverse;
            row[p] = factor;
            let rest = &mut row[p + 1..];
            if factor != 0.0 {
                add_scaled(rest, -factor, &pivot_row[1..]);
            }
            for (j, v) in rest.iter().enumerate() {
                if v.abs() > best.0 {
                    best = (v.abs(), p + 1 + offset, p + 1 + j);
                }
            }
        }
        best
    }

    /// Row `i < k` of U, entries at positions below `i` are not part of it.
    pub(crate) fn upper(&self, i: usize) -> &[f64] {
        &self.lu[i * self.n..(i + 1) * self.n]
    }

    /// Row `i` of L, that is, its multipliers at positions below `min(i, k)`.
    pub(crate) fn lower(&self, i: usize) -> &[f64] {
        &self.lu[i * self.n..i * self.n + i.min(self.rank)]
    }

    /// `out = L⁻¹ P R x` for a vector over the rows of A; as many positions as `out` has.
    pub(crate) fn reduce(&self, x: &[f64], out: &mut [f64]) {
        for i in 0..out.len() {
            let row = self.rows[i];
            out[i] = x[row] * self.row_scale[row] - dot(self.lower(i), out);
        }
    }

    /// `out = R Pᵀ L⁻ᵀ z`: what a multiplier of the eliminated rows means for the rows of A. Ruins `z`.
    pub(crate) fn expand(&self, z: &mut [f64], out: &mut [f64]) {
        for i in (1..self.m).rev() {
            let (head, tail) = z.split_at_mut(i);
            if tail[0] != 0.0 {
                add_scaled(head, -tail[0], self.lower(i));
            }
        }
        for (z, row) in z.iter().zip(&self.rows) {
            out[*row] = z * self.row_scale[*row];
        }
    }

    /// `X ← L⁻¹ P R X` row by row, for a matrix with one row for each row of A; `out` receives it.
    pub(crate) fn reduce_rows(&self, X: &[f64], width: usize, out: &mut [f64]) {
        for i in 0..self.m {
            let (done, rest) = out.split_at_mut(i * width);
            let (row, scale) = (self.rows[i], self.row_scale[self.rows[i]]);
            let target = &mut rest[..width];
            for (t, x) in target.iter_mut().zip(&X[row * width..(row + 1) * width]) {
                *t = x * scale;
            }
            for (j, l) in self.lower(i).iter().enumerate() {
                if *l != 0.0 {
                    add_scaled(target, -l, &done[j * width..(j + 1) * width]);
                }
            }
        }
    }

    /// The coefficients `c` with `R A_row = Σ c_j R A_rows[j]`, j < k, for the row at `position ≥ k`.
    pub(crate) fn comparable_coefficients(&self, position: usize, c: &mut [f64]) {
        c.copy_from_slice(self.lower(position));
        for j in (1..self.rank).rev() {
            let (head, tail) = c.split_at_mut(j);
            add_scaled(head, -tail[0], self.lower(j));
        }
    }

    /// Solves `U₁ x₁ = z − U₂ x₂` for the pivot columns; `x` is over positions, its tail is given.
    pub(crate) fn solve_upper(&self, z: &[f64], x: &mut [f64]) {
        for i in (0..self.rank).rev() {
            let row = self.upper(i);
            x[i] = (z[i] - dot(&row[i + 1..], &x[i + 1..])) / row[i];
        }
    }

    /// Solves `U₁ᵀ z = g` in place, over the pivot positions.
    pub(crate) fn solve_upper_transposed(&self, g: &mut [f64]) {
        for i in 0..self.rank {
            let row = self.upper(i);
            g[i] /= row[i];
            let value = g[i];
            add_scaled(&mut g[i + 1..self.rank], -value, &row[i + 1..self.rank]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::scale::equilibrate;
    use super::*;

    fn echelon(m: usize, n: usize, A: &[f64]) -> Echelon {
        let mut e = Echelon::default();
        e.load(m, n, A, |r, c| equilibrate(A, n, r, c));
        e.decide(1e-13, 0, A);
        e
    }

    #[test]
    fn rank_survives_repetition_scale_and_rounding() {
        let t = 1.0 / 3.0;
        assert_eq!(echelon(3, 2, &[1.0, t, 1e6, 1e6 * t, 1e-15, 1e-15 * t]).rank, 1);
        assert_eq!(echelon(2, 3, &[1e15, 1e15, 0.0, 1.0, 0.0, 1.0]).rank, 2);
        assert_eq!(echelon(2, 2, &[0.0; 4]).rank, 0);
        assert_eq!(echelon(0, 2, &[]).rank, 0);
        // 0.1 + 0.2 is not 0.3: the third row is the sum of the others up to rounding.
        assert_eq!(echelon(3, 3, &[0.1, 0.3, 0.7, 0.2, 0.1, 0.4, 0.1 + 0.2, 0.3 + 0.1, 0.7 + 0.4]).rank, 2);
    }

    #[test]
    fn the_grey_zone_is_decided_by_singular_values() {
        let narrow = echelon(2, 2, &[1.0, 1.0, 1.0, 1.0 + 1e-11]);
        assert_eq!(narrow.rank, 2);
        assert!((narrow.margin().kept / 2.5e-12 - 1.0).abs() < 1e-3);
        let noise = echelon(2, 2, &[1.0, 1.0, 1.0, 1.0 + 2e-14]);
        assert_eq!(noise.rank, 1);
        assert!(noise.margin().dropped < 1e-14);
    }

    #[test]
    fn coefficients_say_what_repeats_what() {
        // row 2 = 2 row 0 − 1e6 row 1
        let A = [1.0, 2.0, 0.0, 0.0, 1.0, 1.0, 2.0, 4.0 - 1e6, -1e6];
        let e = echelon(3, 3, &A);
        assert_eq!(e.rank, 2);
        let mut c = [0.0; 2];
        e.comparable_coefficients(2, &mut c);
        for j in 0..3 {
            let entry = |i: usize| A[3 * e.rows[i] + j] * e.row_scale[e.rows[i]];
            let sum: f64 = (0..2).map(|i| c[i] * entry(i)).sum();
            assert!((sum - entry(2)).abs() < 1e-15);
        }
    }

    #[test]
    fn reduce_and_expand_are_adjoint() {
        let A = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 5.0, 7.0, 9.0];
        let e = echelon(3, 3, &A);
        let (x, z) = ([0.3, -1.0, 2.0], [1.0, 0.5, -0.25]);
        let (mut rx, mut ez) = ([0.0; 3], [0.0; 3]);
        e.reduce(&x, &mut rx);
        e.expand(&mut z.clone(), &mut ez);
        assert!((dot(&rx, &z) - dot(&x, &ez)).abs() < 1e-14);
    }

    #[test]
    fn held_pivots_are_followed_or_refused() {
        let A = [1.0, 2.0, 0.0, 3.0, 1.0, 1.0];
        let e = echelon(2, 3, &A);
        let mut held = Echelon::default();
        held.load(2, 3, &A, |r, c| equilibrate(&A, 3, r, c));
        assert!(held.follow(&e.rows, &e.columns, e.rank).is_ok());
        assert_eq!((held.rows, held.columns), (e.rows.clone(), e.columns.clone()));
        let mut lost = Echelon::default();
        lost.load(2, 3, &[1.0, 2.0, 0.0, 2.0, 4.0, 0.0], |_, _| ());
        assert!(lost.follow(&e.rows, &e.columns, 2).is_err());
    }
}
