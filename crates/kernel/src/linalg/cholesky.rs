//! `D M D = P UᵀU Pᵀ` for a symmetric positive semi-definite M, U upper trapezoidal with r rows.
//!
//! D makes the diagonal comparable, so that masses over twelve orders look alike. A clearly positive
//! definite matrix is factored as it stands; otherwise the largest diagonal goes first and the factor
//! stops at the rank r. The last n − r coordinates are then massless in the coordinates of the factor.
//! U = [L₁ᵀ L₂ᵀ] of the usual lower factor. It is stored by rows, each divided by its diagonal: `U = G (I + N)`
//! with G diagonal and N strictly upper, zero below, so that loops may run over whole blocks. The diagonal of
//! N holds `1 − 1/Uₚₚ`: subtracting `xₚ Nₚ` from x then also divides xₚ by Uₚₚ.

use super::block::{self, Block, Blocks, LANES, PairBlock, by_stride};
use super::large;
use super::rank::Margin;
use super::scale::{LEAST, inverse_root_power};
use super::singular::SingularValues;
use super::twofold::TwofoldSum;
use super::vector::{Pair, add_scaled, minus, times};

/// Pivots above this fraction of their diagonal show a positive definite matrix beyond doubt. Far above rounding,
/// as a pivot of 10⁻⁸ on the way lets rounding grow to 10⁻⁸ in a later one.
const CLEAR: f64 = 1e-4;

/// Pivots above this leave no room for an eigenvalue that would cost digits.
const HARMLESS: f64 = 0.1;

/// Why a matrix is not positive semi-definite, by the entry that shows it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NotSemidefinite {
    pub(crate) row: usize,
    pub(crate) column: usize,
}

/// The factor of a mass matrix.
#[derive(Clone, Default)]
pub struct MassFactor {
    pub(super) n: usize,
    /// N with its diagonal, n × n; rows p < r are in use.
    u: Blocks,
    /// 1 / Uₚₚ.
    inverse: Vec<f64>,
    /// Position → coordinate.
    pub(crate) order: Vec<usize>,
    /// D, by coordinate; padded with ones. That of a coordinate without any mass is free and set by the caller.
    pub(crate) scale: Vec<f64>,
    /// How many coordinates have mass.
    pub rank: usize,
    margin: Margin,
    singular: SingularValues,
    pub(super) grown: Vec<Block>,
    /// Null vectors, for the choice of what is massless.
    pub(super) null: Vec<f64>,
}

impl MassFactor {
    fn load(&mut self, n: usize, M: &[f64]) -> Result<(), NotSemidefinite> {
        if self.n != n {
            self.n = n;
            self.u.shape(n, n);
            self.inverse.resize(n, 0.0);
            self.scale.clear();
            self.scale.resize(block::padded(n), 1.0);
            self.order.resize(n, 0);
            self.singular.reserve(n * n, n);
            self.grown.clear();
            self.grown.reserve(block::padded(n) / LANES);
            self.null.clear();
            self.null.reserve(n * n);
        }
        (self.rank, self.margin) = (0, Margin::CLEAR);
        for (j, (scale, order)) in self.scale.iter_mut().zip(&mut self.order).enumerate() {
            let diagonal = M[j * n + j];
            if diagonal < 0.0 {
                return Err(NotSemidefinite { row: j, column: j });
            }
            *scale = if diagonal < LEAST { 1.0 } else { inverse_root_power(diagonal) };
            *order = j;
        }
        Ok(())
    }

    /// U = D M D in the order of the coordinates.
    fn fill_in_order(&mut self, M: &[f64]) {
        let n = self.n;
        for (i, d) in self.scale[..n].iter().enumerate() {
            self.u.set_row_scaled(i, &M[i * n..(i + 1) * n], *d, self.scale.as_chunks().0);
        }
    }

    /// U = D M D in the order held, all of it.
    fn fill(&mut self, M: &[f64]) {
        let n = self.n;
        for (p, &i) in self.order.iter().enumerate() {
            for (u, &j) in self.u.numbers_mut(p).iter_mut().zip(&self.order) {
                *u = self.scale[i] * M[i * n + j] * self.scale[j];
            }
        }
    }

    /// Factors M and decides its rank by `tolerance`.
    pub fn decide(&mut self, n: usize, M: &[f64], tolerance: f64) -> Result<(), NotSemidefinite> {
        self.load(n, M)?;
        self.fill_in_order(M);
        if let Some(kept) = self.definite(CLEAR) {
            self.rank = n;
            // Several small pivots may hide a smaller eigenvalue; large ones hide none that matters.
            self.margin.kept = if kept < HARMLESS { kept.min(self.least_eigenvalue()) } else { kept };
            return Ok(());
        }
        self.fill(M);
        self.semidefinite(M, tolerance)
    }

    /// Cholesky's algorithm in place; the smallest pivot relative to its diagonal, if all exceed `least`.
    fn definite(&mut self, least: f64) -> Option<f64> {
        let n = self.n;
        if n >= large::CROSSOVER {
            let kept = large::cholesky(&mut self.u, n, least, &mut self.inverse)?;
            self.rank = n;
            for p in 0..n {
                self.inverse[p] = 1.0 / self.u.get(p, p);
                let inverse = self.inverse[p];
                self.u.numbers_mut(p)[p..].iter_mut().for_each(|u| *u *= inverse);
            }
            self.normalise();
            return Some(kept);
        }
        let (u, inverse) = (&mut self.u, &mut self.inverse);
        by_stride!(u.blocks(), factor(u, inverse, least), None)
    }

    /// An estimate of the least eigenvalue of D M D = UᵀU: `1/‖x‖²` for a right side of ±1 that makes x in `U x = ±1`
    /// grow as fast as it can.
    fn least_eigenvalue(&mut self) -> f64 {
        self.grown.clear();
        self.grown.resize(block::padded(self.n) / LANES, [0.0; LANES]);
        for p in (0..self.n).rev() {
            let (first, lane) = (p / LANES, p % LANES);
            let beyond = block::dot(self.u.row_from(p, first), &self.grown[first..]);
            self.grown[first][lane] = -(beyond + self.inverse[p].copysign(beyond));
        }
        1.0 / block::dot(&self.grown, &self.grown)
    }

    fn semidefinite(&mut self, M: &[f64], tolerance: f64) -> Result<(), NotSemidefinite> {
        let n = self.n;
        // A coordinate without mass cannot share mass with another: |M_ij|² ≤ M_ii M_jj.
        for j in (0..n).filter(|j| M[j * n + j] < LEAST) {
            for i in 0..n {
                if M[j * n + i].abs() > (tolerance * M[i * n + i]).max(LEAST) {
                    return Err(NotSemidefinite { row: j, column: i });
                }
                self.u.set(j, i, 0.0);
                self.u.set(i, j, 0.0);
            }
        }
        let mut margin = self.eliminate(n, tolerance);
        // What remains must be rounding: anything else is a direction of negative mass.
        for p in self.rank..n {
            for q in self.rank..=p {
                let size = self.u.get(p, q).abs();
                // Also where it is not a number: an entry that no diagonal of this size allows.
                if size.is_nan() || size > 10.0 * tolerance {
                    return Err(NotSemidefinite { row: self.order[p], column: self.order[q] });
                }
                margin.dropped = margin.dropped.max(size);
            }
        }
        if margin.kept < CLEAR {
            // Rounding may have grown into a pivot on the way.
            let scale = &self.scale;
            self.singular.compute(n, n, |i, j| scale[i] * M[i * n + j] * scale[j]);
            self.rank = margin.ask(&self.singular, tolerance, 0..=self.rank);
        }
        self.margin = margin;
        self.normalise();
        Ok(())
    }

    /// Factors with what is massless as the order has it, and the rank as it is; whether the pivots allow it.
    pub(super) fn factor_in_order(&mut self, M: &[f64], tolerance: f64) -> bool {
        let (n, rank) = (self.n, self.rank);
        self.fill(M);
        for p in (rank..n).filter(|&p| M[self.order[p] * (n + 1)] < LEAST) {
            for q in 0..n {
                self.u.set(p, q, 0.0);
                self.u.set(q, p, 0.0);
            }
        }
        self.rank = 0;
        self.eliminate(rank, tolerance);
        self.normalise();
        self.rank == rank
    }

    /// Eliminates along the largest pivots at the first `end` positions, while they exceed `least`; by how much they do.
    fn eliminate(&mut self, end: usize, least: f64) -> Margin {
        let mut margin = Margin::CLEAR;
        for p in 0..end {
            let mut best = p;
            for q in p + 1..end {
                if self.u.get(q, q) > self.u.get(best, best) {
                    best = q;
                }
            }
            if !margin.counts(self.u.get(best, best), least) {
                break;
            }
            self.u.swap_rows(p, best);
            self.u.swap_columns(p, best);
            self.order.swap(p, best);
            self.step(p);
            self.rank = p + 1;
        }
        margin
    }

    /// One step with the pivot at `p`, on the full symmetric remainder. Leaves row p divided by its diagonal.
    fn step(&mut self, p: usize) {
        let pivot = self.u.get(p, p);
        self.inverse[p] = 1.0 / pivot.sqrt();
        for q in p + 1..self.n {
            let (row, other) = self.u.two_rows(p, q);
            let (row, other) = (row.as_flattened(), other.as_flattened_mut());
            add_scaled(&mut other[p + 1..], -row[q] / pivot, &row[p + 1..]);
        }
        self.u.numbers_mut(p)[p..].iter_mut().for_each(|u| *u /= pivot);
    }

    /// Zeros below the diagonal of the rows in use, and on it what divides.
    fn normalise(&mut self) {
        for p in 0..self.rank {
            let row = self.u.numbers_mut(p);
            row[..p].fill(0.0);
            row[p] = 1.0 - self.inverse[p];
        }
    }

    /// By how much the rank of M was clear.
    pub fn margin(&self) -> Margin {
        self.margin
    }

    /// In place over positions: `x₁ ← L₁⁻¹ x₁`, `x₂ ← x₂ − L₂ x₁`. What this does to a force, or to a row.
    ///
    /// The vectors of this and the following functions are padded to whole blocks.
    pub(crate) fn forward(&self, x: &mut [Block]) {
        for p in 0..self.rank {
            let (first, lane) = (p / LANES, p % LANES);
            let x = &mut x[first..];
            block::add_scaled(x, -x[0][lane], self.u.row_from(p, first));
        }
    }

    /// `forward` for a pair of vectors.
    pub(crate) fn forward_pair(&self, x: &mut [Pair]) {
        by_stride!(self.u.blocks(), forward_pair_fixed(self, x), {
            for p in 0..self.rank {
                let (first, lane) = (p / LANES, p % LANES);
                let x = &mut x[first * LANES..];
                block::add_scaled_pair(x, times(-1.0, x[lane]), self.u.row_from(p, first));
            }
        })
    }

    /// `forward` on every row of a matrix with n columns.
    pub(crate) fn forward_rows(&self, X: &mut Blocks) {
        if self.rank == self.n && self.n >= large::CROSSOVER {
            large::solve_unit_rows(&self.u, self.n, X);
            for i in 0..X.rows() {
                X.numbers_mut(i).iter_mut().zip(&self.inverse).for_each(|(x, inverse)| *x *= inverse);
            }
            return;
        }
        by_stride!(self.u.blocks(), forward_rows_fixed(self, X), {
            for i in 0..X.rows() {
                self.forward(X.row_mut(i));
            }
        })
    }

    /// In place over positions: `x₁ ← L₁⁻ᵀ(x₁ − L₂ᵀ x₂)`. From the factor's coordinates to an acceleration.
    pub(crate) fn backward(&self, x: &mut [Block]) {
        for p in (0..self.rank).rev() {
            let (first, lane) = (p / LANES, p % LANES);
            let x = &mut x[first..];
            x[0][lane] -= block::dot(self.u.row_from(p, first), x);
        }
    }

    /// `backward` for a pair of vectors.
    pub(crate) fn backward_pair(&self, x: &mut [Pair]) {
        by_stride!(self.u.blocks(), backward_pair_fixed(self, x), {
            for p in (0..self.rank).rev() {
                let (first, lane) = (p / LANES, p % LANES);
                let x = &mut x[first * LANES..];
                x[lane] = minus(x[lane], block::dot_pair(self.u.row_from(p, first), x));
            }
        })
    }

    /// A direction without mass, over positions: `M w = 0` with component 1 at the massless position r + index.
    ///
    /// Refined with residuals in twice the precision: a coefficient that cancels must come out as zero.
    pub(crate) fn massless_direction(&self, M: &[f64], index: usize, w: &mut [Block], correction: &mut [Block]) {
        let (n, r) = (self.n, self.rank);
        w.fill([0.0; LANES]);
        w.as_flattened_mut()[r + index] = 1.0;
        self.backward(w);
        for _ in 0..2 {
            // Zero beyond r: `backward` must not see the massless part again.
            correction.fill([0.0; LANES]);
            for (out, &i) in correction.as_flattened_mut()[..r].iter_mut().zip(&self.order) {
                let mut sum = TwofoldSum::default();
                for (w, &j) in w.as_flattened().iter().zip(&self.order) {
                    sum.add_product(-self.scale[i] * M[i * n + j] * self.scale[j], *w);
                }
                *out = sum.value();
            }
            self.forward(correction);
            correction.as_flattened_mut()[r..].fill(0.0);
            self.backward(correction);
            block::add_scaled(w, 1.0, correction);
        }
        let rounding = 4.0 * f64::EPSILON * block::max_abs(w);
        w.as_flattened_mut().iter_mut().filter(|w| w.abs() <= rounding).for_each(|w| *w = 0.0);
    }

    /// Copies a vector over coordinates to positions, scaled by D.
    pub(crate) fn gather<T>(&self, out: &mut [T], x: impl Fn(usize, f64) -> T) {
        for (o, &j) in out.iter_mut().zip(&self.order) {
            *o = x(j, self.scale[j]);
        }
    }

    /// Copies a vector over positions back to coordinates, scaled by D.
    pub(crate) fn scatter(&self, x: &[f64], out: &mut [f64]) {
        for (x, &j) in x.iter().zip(&self.order) {
            out[j] = x * self.scale[j];
        }
    }

    /// `scatter` for a pair of vectors.
    pub(crate) fn scatter_pair(&self, x: &[Pair], out: &mut [Pair]) {
        for (x, &j) in x.iter().zip(&self.order) {
            out[j] = times(self.scale[j], *x);
        }
    }

    /// Whether positions are coordinates: nothing was exchanged.
    pub(crate) fn in_order(&self) -> bool {
        self.order.iter().enumerate().all(|(p, j)| p == *j)
    }

    /// Gives the scale of coordinates that have no mass at all: the columns of the constraints know it.
    pub(crate) fn scale_massless(&mut self, M: &[f64], column_scale: &[f64]) {
        for p in self.rank..self.n {
            let j = self.order[p];
            if M[j * self.n + j] < LEAST {
                self.scale[j] = column_scale[j];
            }
        }
    }
}

/// Cholesky's algorithm in rows of known length; see `MassFactor::definite`.
fn factor<const S: usize>(u: &mut Blocks, inverse: &mut [f64], least: f64) -> Option<f64> {
    let u = u.fixed_mut::<S>();
    // The diagonals before elimination: pivots are measured against them.
    for (p, (row, diagonal)) in u.iter().zip(inverse.iter_mut()).enumerate() {
        *diagonal = row[p / LANES][p % LANES];
    }
    let mut smallest: f64 = 1.0;
    for (p, diagonal) in inverse.iter_mut().enumerate() {
        let (first, lane) = (p / LANES, p % LANES);
        let (head, below) = u.split_at_mut(p + 1);
        let row = &mut head[p];
        let pivot = row[first][lane];
        let relative = pivot / *diagonal;
        // A diagonal of zero gives 0/0, which is not above either.
        if relative <= least || relative.is_nan() {
            return None;
        }
        if relative < smallest {
            smallest = relative;
        }
        // Two roads, so that the next pivot does not wait for the root.
        *diagonal = 1.0 / pivot.sqrt();
        let inverse = 1.0 / pivot;
        // Nothing stands before the diagonal.
        row[..first].fill([0.0; LANES]);
        block::keep_from(&mut row[first], lane);
        for (q, other) in (p + 1..).zip(below) {
            let first = q / LANES;
            let factor = row[first][q % LANES] * -inverse;
            block::add_scaled_fixed(other, factor, row, first);
        }
        block::scale_fixed(row, inverse, first);
        block::put(&mut row[first], lane, 1.0 - *diagonal);
    }
    Some(smallest)
}

/// The first S blocks of a pair of vectors.
#[inline]
fn pairs<const S: usize>(x: &mut [Pair]) -> Option<&mut [PairBlock; S]> {
    x.as_chunks_mut::<LANES>().0.first_chunk_mut::<S>()
}

fn forward_pair_fixed<const S: usize>(f: &MassFactor, x: &mut [Pair]) {
    let Some(x) = pairs::<S>(x) else { return };
    for (p, row) in f.u.fixed::<S>().iter().take(f.rank).enumerate() {
        let (first, lane) = (p / LANES, p % LANES);
        block::add_scaled_pair_fixed(x, times(-1.0, x[first][lane]), row, first);
    }
}

fn backward_pair_fixed<const S: usize>(f: &MassFactor, x: &mut [Pair]) {
    let Some(x) = pairs::<S>(x) else { return };
    for (p, row) in f.u.fixed::<S>().iter().take(f.rank).enumerate().rev() {
        let (first, lane) = (p / LANES, p % LANES);
        x[first][lane] = minus(x[first][lane], block::dot_pair_fixed(row, x, first));
    }
}

fn forward_rows_fixed<const S: usize>(f: &MassFactor, X: &mut Blocks) {
    let X = X.fixed_mut::<S>();
    for (p, row) in f.u.fixed::<S>().iter().take(f.rank).enumerate() {
        let (first, lane) = (p / LANES, p % LANES);
        for x in X.iter_mut() {
            block::add_scaled_fixed(x, -x[first][lane], row, first);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn factor(n: usize, M: &[f64]) -> Result<MassFactor, NotSemidefinite> {
        let mut f = MassFactor::default();
        f.decide(n, M, 1e-13).map(|()| f)
    }

    fn reproduces(n: usize, M: &[f64]) -> f64 {
        let f = factor(n, M).expect("semi-definite");
        let mut worst: f64 = 0.0;
        for p in 0..n {
            for q in 0..n {
                let entry = |k: usize, p: usize| if k == p { 1.0 } else { f.u.get(k, p) } / f.inverse[k];
                let sum: f64 = (0..f.rank).map(|k| entry(k, p) * entry(k, q)).sum();
                let (i, j) = (f.order[p], f.order[q]);
                worst = worst.max((sum - M[i * n + j] * f.scale[i] * f.scale[j]).abs());
            }
        }
        worst
    }

    #[test]
    fn definite_and_semidefinite_matrices_are_reproduced() {
        assert!(reproduces(2, &[4.0, 2.0, 2.0, 3.0]) < 1e-15);
        assert!(reproduces(3, &[0.0, 0.0, 0.0, 0.0, 2.0, 2.0, 0.0, 2.0, 2.0]) < 1e-15);
        assert!(reproduces(2, &[1e-6, 1e-1, 1e-1, 1e6]) < 1e-15);
        let large: Vec<f64> =
            (0..1600).map(|i| if i % 41 == 0 { 3.0 } else { 1.0 / (1 + i / 40 + i % 40) as f64 }).collect();
        assert!(reproduces(40, &large) < 1e-14);
    }

    #[test]
    fn solves_are_solves() {
        let M = [4.0, 2.0, 0.0, 2.0, 3.0, 1.0, 0.0, 1.0, 5.0];
        let f = factor(3, &M).expect("definite");
        let g = [1.0, -2.0, 0.5];
        let (mut y, mut x) = ([[0.0; LANES]; 1], [0.0; 3]);
        f.gather(&mut y[0], |j, d| g[j] * d);
        f.forward(&mut y);
        f.backward(&mut y);
        f.scatter(&y[0], &mut x);
        for i in 0..3 {
            let reached: f64 = (0..3).map(|j| M[3 * i + j] * x[j]).sum();
            assert!((reached - g[i]).abs() < 1e-15);
        }
    }

    #[test]
    fn a_rounded_singular_matrix_is_singular() {
        let j = [0.1, 0.7, 0.3];
        let M: Vec<f64> = (0..9).map(|i| 3.0 * j[i / 3] * j[i % 3]).collect();
        assert_eq!(factor(3, &M).expect("semi-definite").rank, 1);
    }

    #[test]
    fn the_offending_entry_of_an_indefinite_matrix_is_named() {
        let at = |row, column| Err(NotSemidefinite { row, column });
        assert_eq!(factor(2, &[1.0, 0.0, 0.0, -1.0]).map(|_| ()), at(1, 1));
        assert_eq!(factor(2, &[1.0, 2.0, 2.0, 1.0]).map(|_| ()), at(1, 1));
        assert_eq!(factor(2, &[1.0, 0.5, 0.5, 0.0]).map(|_| ()), at(1, 0));
    }
}
