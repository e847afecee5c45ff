//! Which rows are independent: elimination with complete pivoting on a scaled matrix.
//!
//! `P (R A S) = L [U; 0]` with R, S powers of two, L unit lower trapezoidal and U of k = rank A rows, upper
//! trapezoidal once its columns are taken in the order of the pivots. Rank is decided as in `rank`, by one tolerance.

use std::ops::RangeInclusive;

use super::block::{self, Block, Blocks, LANES, by_stride};
use super::large;
use super::rank::Margin;
use super::singular::SingularValues;
use super::twofold::{self, Twofold};
use super::vector::{Pair, add_scaled, add_scaled_pair, dot_pair, minus, times};

/// The echelon form of an m × n matrix.
#[derive(Clone, Default)]
pub(crate) struct Echelon {
    m: usize,
    n: usize,
    /// The rows of A as they are eliminated, each at its own place: nothing is ever exchanged.
    u: Blocks,
    /// Multipliers, m × min(m, n), by row of A and position of the pivot.
    l: Vec<f64>,
    largest: Vec<f64>,
    pivot_row: Vec<Block>,
    /// Position → row of A.
    pub(crate) rows: Vec<usize>,
    /// How many of the first positions may give pivots: all, unless the independent rows are held.
    candidates: usize,
    /// Position → column of A.
    pub(crate) columns: Vec<usize>,
    /// R, by row of A.
    pub(crate) row_scale: Vec<f64>,
    /// S, by column of A; padded with ones.
    pub(crate) column_scale: Vec<f64>,
    /// Whether any column was scaled at all.
    pub(crate) columns_scaled: bool,
    pub(crate) rank: usize,
    margin: Margin,
    singular: SingularValues,
    twofold: Vec<Twofold>,
    /// Whether the rows have all their digits already.
    sharp: bool,
}

impl Echelon {
    /// Takes an m × n matrix with the scaling that `scale_by` writes into (rows, columns).
    pub(crate) fn load(
        &mut self,
        m: usize,
        n: usize,
        A: &[f64],
        scale_by: impl FnOnce(&mut [f64], &mut [f64]) -> bool,
    ) {
        if (self.m, self.n) != (m, n) {
            (self.m, self.n) = (m, n);
            self.u.shape(m, n);
            self.l.resize(m * m.min(n), 0.0);
            self.largest.resize(m, 0.0);
            self.row_scale.resize(m, 1.0);
            self.column_scale.clear();
            self.column_scale.resize(block::padded(n), 1.0);
            self.rows.resize(m, 0);
            self.columns.resize(n, 0);
            self.singular.reserve(m * n, m.min(n));
            self.twofold.clear();
            self.twofold.reserve(m * n);
        }
        (self.rank, self.margin, self.sharp, self.candidates) = (0, Margin::CLEAR, false, m);
        self.columns_scaled = scale_by(&mut self.row_scale, &mut self.column_scale[..n]);
        for (i, r) in self.row_scale.iter().enumerate() {
            self.u.set_row_scaled(i, &A[i * n..(i + 1) * n], *r, self.column_scale.as_chunks().0);
        }
        self.rows.iter_mut().enumerate().for_each(|(i, row)| *row = i);
        self.columns.iter_mut().enumerate().for_each(|(j, column)| *column = j);
    }

    /// Room for matrices of up to this size; to be loaded before anything else.
    pub(crate) fn reserve(&mut self, m: usize, n: usize) {
        (self.m, self.n) = (0, 0);
        self.u.reserve(m, n);
        for v in [&mut self.row_scale, &mut self.largest] {
            v.clear();
            v.reserve(m);
        }
        self.l.clear();
        self.l.reserve(m * m.min(n));
        self.column_scale.clear();
        self.column_scale.reserve(block::padded(n));
        self.rows.clear();
        self.rows.reserve(m);
        self.columns.clear();
        self.columns.reserve(n);
        self.twofold.clear();
        self.twofold.reserve(m * n);
        self.pivot_row.clear();
        self.pivot_row.reserve(block::padded(n) / LANES);
        self.singular.reserve(m * n, m.min(n));
    }

    /// Eliminates and decides the rank by `tolerance`, within the `limits` that are known beforehand.
    ///
    /// `A` is the matrix that was loaded, should the singular values be asked.
    pub(crate) fn decide(&mut self, tolerance: f64, limits: RangeInclusive<usize>, A: &[f64]) {
        let (m, n) = (self.m, self.n);
        let noise = (16.0 * m.max(n) as f64 * f64::EPSILON).min(0.1 * tolerance);
        let (mut first, mut margin) = (1.0, Margin::CLEAR);
        let (least, most) = (*limits.start(), *limits.end());
        let mut pivot = self.largest();
        while self.rank < self.candidates.min(n).min(most) {
            let size = pivot.0;
            if self.rank == 0 {
                // Comparable size is 1. A matrix whose largest entry is far below that is rounding.
                first = size.max(1.0);
            }
            if size == 0.0 || !margin.counts(size / first, if self.rank >= least { noise } else { 0.0 }) {
                break;
            }
            self.choose(pivot.1, pivot.2);
            pivot = self.eliminate();
        }
        if margin.is_grey() {
            let (row, column, order) = (&self.row_scale, &self.column_scale, &self.rows);
            let entry = |i: usize, j: usize| A[order[i] * n + j] * row[order[i]] * column[j];
            self.singular.compute(self.candidates, n, entry);
            self.rank = margin.ask(&self.singular, tolerance, least.min(self.rank)..=self.rank);
        }
        self.margin = margin;
    }

    /// Eliminates with pivots in the first `held` of `rows` only, which must be independent up to the last digit; else a row
    /// that depends on the others is the error. `A` is as in [`decide`](Self::decide).
    ///
    /// What is held is the set. Pivots are chosen anew: those of another state may be poor here.
    pub(crate) fn decide_held(&mut self, tolerance: f64, rows: &[usize], held: usize, A: &[f64]) -> Result<(), usize> {
        self.rows.copy_from_slice(rows);
        self.candidates = held;
        self.decide(tolerance, held..=self.n.max(held), A);
        // Near a singular configuration rows count up to the last digit: the motion passes it with the rank that it had before.
        if self.rank < held || self.margin.kept <= f64::EPSILON {
            return Err(self.rows[self.rank.min(held - 1)]);
        }
        // How far the other rows are from following.
        let left = self.rows[held..].iter().map(|row| self.largest[*row]);
        self.margin.dropped = left.fold(0.0, f64::max);
        Ok(())
    }

    /// Repeats the elimination along the pivots chosen, in twice the precision, and keeps its leading digits.
    ///
    /// Where rows depend on each other up to 10⁻¹¹, what elimination leaves of them has lost eleven digits. A
    /// zero among it would look like 10⁻⁵, and a coefficient of 1 like 1.00001.
    pub(crate) fn sharpen(&mut self, A: &[f64]) {
        if std::mem::replace(&mut self.sharp, true) {
            return;
        }
        let (m, n, width) = (self.m, self.n, self.m.min(self.n));
        self.twofold.clear();
        for (i, r) in self.row_scale.iter().enumerate() {
            let row = A[i * n..(i + 1) * n].iter().zip(&self.column_scale);
            self.twofold.extend(row.map(|(a, s)| (a * r * s, 0.0)));
        }
        for p in 0..self.rank {
            let (pivot_row, column) = (self.rows[p], self.columns[p]);
            for &i in &self.rows[p + 1..m] {
                let factor = twofold::quotient(self.twofold[i * n + column], self.twofold[pivot_row * n + column]);
                self.l[i * width + p] = factor.0;
                if factor.0 != 0.0 {
                    for j in 0..n {
                        let taken = self.twofold[pivot_row * n + j];
                        self.twofold[i * n + j] = twofold::subtract_product(self.twofold[i * n + j], factor, taken);
                    }
                    self.twofold[i * n + column] = (0.0, 0.0);
                }
            }
        }
        for (i, row) in self.twofold.chunks_exact(n.max(1)).enumerate() {
            let largest = row.iter().fold(0.0, |m: f64, x| m.max(x.0.abs()));
            for (out, x) in self.u.numbers_mut(i).iter_mut().zip(row) {
                // Sixteen digits below the largest of its row, an entry is what rounding left of nothing.
                *out = if x.0.abs() > f64::EPSILON * f64::EPSILON.sqrt() * largest { x.0 } else { 0.0 };
            }
        }
    }

    /// By how much the rank was clear.
    pub(crate) fn margin(&self) -> Margin {
        self.margin
    }

    /// Size and positions of the largest entry.
    fn largest(&mut self) -> (f64, usize, usize) {
        for i in 0..self.m {
            self.largest[i] = block::max_abs(self.u.row(i));
        }
        self.locate()
    }

    /// The largest entry of the rows that are left.
    ///
    /// Strict comparison: among equals the first row wins, so a repeated row is the later one.
    fn locate(&self) -> (f64, usize, usize) {
        let (mut size, mut at) = (0.0, self.rank);
        for (i, &row) in self.rows[..self.candidates].iter().enumerate().skip(self.rank) {
            if self.largest[row] > size || (self.largest[row] == size && size > 0.0 && row < self.rows[at]) {
                (size, at) = (self.largest[row], i);
            }
        }
        if size == 0.0 {
            return (0.0, self.rank, self.rank);
        }
        let row = self.u.numbers(self.rows[at]);
        let column = self.columns.iter().position(|j| row[*j].abs() == size);
        (size, at, column.unwrap_or(self.rank))
    }

    /// Makes the entry at positions (i, j) the next pivot.
    fn choose(&mut self, i: usize, j: usize) {
        self.rows.swap(self.rank, i);
        self.columns.swap(self.rank, j);
    }

    /// Eliminates with the pivot chosen and returns size and positions of the largest entry that remains.
    fn eliminate(&mut self) -> (f64, usize, usize) {
        by_stride!(self.u.blocks(), eliminate_fixed(self), self.eliminate_long());
        self.rank += 1;
        self.locate()
    }

    fn eliminate_long(&mut self) {
        let (p, width) = (self.rank, self.m.min(self.n));
        let (pivot, column) = (self.rows[p], self.columns[p]);
        let inverse = 1.0 / self.u.get(pivot, column);
        // A copy without the pivot itself: what it eliminates is zero and stays so.
        self.pivot_row.clear();
        self.pivot_row.extend_from_slice(self.u.row(pivot));
        self.pivot_row[column / LANES][column % LANES] = 0.0;
        for &i in &self.rows[p + 1..] {
            let row = self.u.row_mut(i);
            let factor = row[column / LANES][column % LANES] * inverse;
            // Zero beforehand, so that the measure does not see what elimination leaves of it.
            row[column / LANES][column % LANES] = 0.0;
            self.l[i * width + p] = factor;
            let (row, pivot_row) = (row.as_flattened_mut(), self.pivot_row.as_flattened());
            self.largest[i] = large::add_scaled_and_measure(row, -factor, pivot_row);
        }
    }

    /// Row `i < k` of U, over the columns of A; zero at the pivots of earlier rows.
    pub(crate) fn upper(&self, i: usize) -> &[Block] {
        self.u.row(self.rows[i])
    }

    /// The pivot of row `i < k` of U.
    pub(crate) fn pivot(&self, i: usize) -> f64 {
        self.u.get(self.rows[i], self.columns[i])
    }

    /// Row `i` of L, that is, its multipliers at positions below `min(i, k)`.
    pub(crate) fn lower(&self, i: usize) -> &[f64] {
        let (row, width) = (self.rows[i], self.m.min(self.n));
        &self.l[row * width..row * width + i.min(self.rank)]
    }

    /// `out = L⁻¹ P R x` for a pair of vectors over the rows of A; as many positions as `out` has.
    pub(crate) fn reduce(&self, x: impl Fn(usize) -> Pair, out: &mut [Pair]) {
        for i in 0..out.len() {
            let row = self.rows[i];
            let (done, rest) = out.split_at_mut(i);
            rest[0] = minus(times(self.row_scale[row], x(row)), dot_pair(self.lower(i), done));
        }
    }

    /// `out = R Pᵀ L⁻ᵀ z`: what multipliers of the eliminated rows mean for the rows of A. Ruins `z`.
    ///
    /// Positions beyond the end of `z` count as zero.
    pub(crate) fn expand(&self, z: &mut [Pair], out: &mut [Pair]) {
        for i in (1..z.len()).rev() {
            let (head, tail) = z.split_at_mut(i);
            add_scaled_pair(head, times(-1.0, tail[0]), self.lower(i));
        }
        for (i, &row) in self.rows.iter().enumerate() {
            // Where factors are missing there may be no room either.
            if let Some(out) = out.get_mut(row) {
                *out = z.get(i).map_or([0.0; 2], |z| times(self.row_scale[row], *z));
            }
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

    /// Solves `U₁ x₁ = z − U₂ x₂` for the pivot columns; `x` is over columns, its other entries are given.
    pub(crate) fn solve_upper(&self, z: &[Pair], x: &mut [Pair]) {
        for i in (0..self.rank).rev() {
            let column = self.columns[i];
            // Zero at earlier pivots; at its own, nothing yet.
            x[column] = [0.0; 2];
            let rest = minus(z[i], dot_pair(self.u.numbers(self.rows[i]), x));
            x[column] = times(1.0 / self.pivot(i), rest);
        }
    }

    /// Solves `U₁ᵀ z = g`, where `g` is over columns and z over the pivot positions.
    pub(crate) fn solve_upper_transposed(&self, g: impl Fn(usize) -> Pair, z: &mut [Pair]) {
        for i in 0..self.rank {
            let column = self.columns[i];
            let mut rest = g(column);
            for (earlier, z) in z[..i].iter().enumerate() {
                rest = minus(rest, times(self.u.get(self.rows[earlier], column), *z));
            }
            z[i] = times(1.0 / self.pivot(i), rest);
        }
    }
}

/// One step of the elimination in rows of known length.
fn eliminate_fixed<const S: usize>(e: &mut Echelon) {
    let (p, width) = (e.rank, e.m.min(e.n));
    let (pivot, column) = (e.rows[p], e.columns[p]);
    let rows = e.u.fixed_mut::<S>();
    let pivot_row = rows[pivot];
    let (place, lane) = (column / LANES, column % LANES);
    let inverse = 1.0 / pivot_row[place][lane];
    for &i in &e.rows[p + 1..] {
        let row = &mut rows[i];
        let factor = row[place][lane] * inverse;
        block::add_scaled_fixed(row, -factor, &pivot_row, 0);
        block::put(&mut row[place], lane, 0.0);
        e.l[i * width + p] = factor;
        e.largest[i] = block::max_abs(row);
    }
}

#[cfg(test)]
mod tests {
    use super::super::scale::equilibrate;
    use super::*;

    fn echelon(m: usize, n: usize, A: &[f64]) -> Echelon {
        let mut e = Echelon::default();
        e.load(m, n, A, |r, c| equilibrate(A, n, r, c));
        e.decide(1e-13, 0..=n, A);
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
        let (mut rx, mut ez) = ([[0.0; 2]; 3], [[0.0; 2]; 3]);
        e.reduce(|i| [x[i], 0.0], &mut rx);
        e.expand(&mut z.map(|z| [0.0, z]), &mut ez);
        assert!((dot_pair(&z, &rx)[0] - dot_pair(&x, &ez)[1]).abs() < 1e-14);
    }

    #[test]
    fn held_rows_give_all_pivots_or_are_refused() {
        // Row 1 has the largest entry, but rows 0 and 2 are held.
        let A = [1.0, 2.0, 0.0, 9.0, 1.0, 1.0, 0.0, 1.0, 3.0];
        let mut held = Echelon::default();
        held.load(3, 3, &A, |r, c| equilibrate(&A, 3, r, c));
        assert_eq!(held.decide_held(1e-13, &[0, 2, 1], 2, &A), Ok(()));
        assert_eq!((held.rank, held.rows[2]), (2, 1));
        assert!(held.margin().dropped > 0.1, "row 1 does not follow from them");
        let A = [1.0, 2.0, 0.0, 9.0, 1.0, 1.0, 2.0, 4.0, 0.0];
        held.load(3, 3, &A, |r, c| equilibrate(&A, 3, r, c));
        assert!(held.decide_held(1e-13, &[0, 2, 1], 2, &A).is_err_and(|row| row != 1));
    }
}
