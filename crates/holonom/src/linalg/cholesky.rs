//! `D M D = P [L₁; L₂] [L₁; L₂]ᵀ Pᵀ` for a symmetric positive semi-definite M.
//!
//! D makes the diagonal comparable, so that masses over twelve orders look alike. A clearly positive
//! definite matrix is factored as it stands; otherwise the largest diagonal goes first and the factor
//! stops at the rank r. The last n − r coordinates are then massless in the coordinates of the factor.

use super::echelon::Margin;
use super::large::{self, Scratch};
use super::scale::inverse_root_power;
use super::singular::SingularValues;
use super::twofold::TwofoldSum;
use super::vector::{add_scaled, dot, max_abs};

/// Pivots above this fraction of their diagonal show a positive definite matrix beyond doubt.
const CLEAR: f64 = 1e-8;

/// Why a matrix is not positive semi-definite, by the entry that shows it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct NotSemidefinite {
    pub(crate) row: usize,
    pub(crate) column: usize,
}

/// The factor of a mass matrix.
#[derive(Clone, Default)]
pub(crate) struct MassFactor {
    n: usize,
    /// Row-major n × n; row p holds L at positions up to `min(p, r − 1)`.
    l: Vec<f64>,
    /// Position → coordinate.
    pub(crate) order: Vec<usize>,
    /// D, by coordinate. That of a coordinate without any mass is free and set by the caller.
    pub(crate) scale: Vec<f64>,
    pub(crate) rank: usize,
    margin: Option<Margin>,
    scratch: Scratch,
    singular: SingularValues,
}

impl MassFactor {
    fn load(&mut self, n: usize, M: &[f64]) -> Result<(), NotSemidefinite> {
        (self.n, self.rank, self.margin) = (n, 0, None);
        self.scale.clear();
        for j in 0..n {
            let diagonal = M[j * n + j];
            if diagonal < 0.0 {
                return Err(NotSemidefinite { row: j, column: j });
            }
            self.scale.push(inverse_root_power(diagonal));
        }
        self.order.clear();
        self.order.extend(0..n);
        self.fill(M);
        Ok(())
    }

    fn fill(&mut self, M: &[f64]) {
        self.l.clear();
        for &i in &self.order {
            let (row, d) = (&M[i * self.n..(i + 1) * self.n], self.scale[i]);
            self.l.extend(self.order.iter().map(|&j| d * row[j] * self.scale[j]));
        }
    }

    /// Factors M and decides its rank by `tolerance`.
    pub(crate) fn decide(&mut self, n: usize, M: &[f64], tolerance: f64) -> Result<(), NotSemidefinite> {
        self.load(n, M)?;
        self.singular.reserve(n * n, n);
        if let Some(kept) = self.definite(CLEAR) {
            self.rank = n;
            self.margin = Some(Margin { kept, dropped: 0.0 });
            return Ok(());
        }
        self.fill(M);
        self.semidefinite(M, tolerance)
    }

    /// Factors M in an order and with a rank held from an earlier decision.
    pub(crate) fn follow(&mut self, n: usize, M: &[f64], order: &[usize], rank: usize) -> Result<(), NotSemidefinite> {
        self.load(n, M)?;
        if rank == n && self.definite(f64::EPSILON).is_some() {
            self.rank = n;
            return Ok(());
        }
        self.order.copy_from_slice(order);
        self.fill(M);
        for p in 0..rank {
            if self.l[p * n + p] <= 0.0 {
                return Err(NotSemidefinite { row: self.order[p], column: self.order[p] });
            }
            self.step(p);
        }
        self.rank = rank;
        Ok(())
    }

    /// Cholesky's algorithm in place; the smallest pivot relative to its diagonal, if all exceed `least`.
    fn definite(&mut self, least: f64) -> Option<f64> {
        let n = self.n;
        if n >= large::CROSSOVER {
            return large::cholesky(&mut self.l, n, least, &mut self.scratch);
        }
        let mut smallest: f64 = 1.0;
        for i in 0..n {
            let (head, tail) = self.l.split_at_mut(i * n);
            let row = &mut tail[..n];
            for j in 0..i {
                let other = &head[j * n..j * n + j + 1];
                row[j] = (row[j] - dot(&row[..j], &other[..j])) * (1.0 / other[j]);
            }
            let diagonal = row[i];
            let pivot = diagonal - dot(&row[..i], &row[..i]);
            let relative = pivot / diagonal;
            // A diagonal of zero gives 0/0, which is not above either.
            if relative <= least || relative.is_nan() {
                return None;
            }
            smallest = smallest.min(relative);
            row[i] = pivot.sqrt();
        }
        Some(smallest)
    }

    fn semidefinite(&mut self, M: &[f64], tolerance: f64) -> Result<(), NotSemidefinite> {
        let n = self.n;
        // A coordinate without mass cannot share mass with another: |M_ij|² ≤ M_ii M_jj.
        for j in (0..n).filter(|j| M[j * n + j] == 0.0) {
            for i in 0..n {
                if M[j * n + i].abs() > tolerance * M[i * n + i] {
                    return Err(NotSemidefinite { row: j, column: i });
                }
                self.l[j * n + i] = 0.0;
                self.l[i * n + j] = 0.0;
            }
        }
        let mut kept: f64 = 1.0;
        for p in 0..n {
            let mut best = p;
            for q in p + 1..n {
                if self.l[q * n + q] > self.l[best * n + best] {
                    best = q;
                }
            }
            if self.l[best * n + best] <= tolerance {
                break;
            }
            kept = kept.min(self.l[best * n + best]);
            self.exchange(p, best);
            self.step(p);
            self.rank = p + 1;
        }
        // What remains must be rounding: anything else is a direction of negative mass.
        let mut dropped: f64 = 0.0;
        for p in self.rank..n {
            for q in self.rank..=p {
                let size = self.l[p * n + q].abs();
                if size > 10.0 * tolerance {
                    return Err(NotSemidefinite { row: self.order[p], column: self.order[q] });
                }
                dropped = dropped.max(size);
            }
        }
        if kept < CLEAR {
            // Rounding may have grown into a pivot on the way: ask the singular values.
            let scale = &self.scale;
            self.singular.compute(n, n, |i, j| scale[i] * M[i * n + j] * scale[j]);
            let values = &self.singular.values;
            let largest = values[0].max(1.0);
            let above = values.iter().filter(|s| **s > tolerance * largest).count();
            self.rank = self.rank.min(above);
            kept = values[self.rank.max(1) - 1] / largest;
            dropped = values.get(self.rank).map_or(0.0, |s| s / largest);
        }
        self.margin = Some(Margin { kept, dropped });
        Ok(())
    }

    fn exchange(&mut self, p: usize, q: usize) {
        if p == q {
            return;
        }
        let n = self.n;
        for j in 0..n {
            self.l.swap(p * n + j, q * n + j);
        }
        for i in 0..n {
            self.l.swap(i * n + p, i * n + q);
        }
        self.order.swap(p, q);
    }

    /// One right-looking step with the pivot at `p`, on the full symmetric remainder.
    fn step(&mut self, p: usize) {
        let n = self.n;
        let root = self.l[p * n + p].sqrt();
        self.l[p * n + p] = root;
        for i in p + 1..n {
            self.l[i * n + p] /= root;
        }
        for i in p + 1..n {
            let factor = self.l[i * n + p];
            if factor != 0.0 {
                for j in p + 1..n {
                    self.l[i * n + j] -= factor * self.l[j * n + p];
                }
            }
        }
    }

    /// By how much the rank of M was clear; held ranks have no margin.
    pub(crate) fn margin(&self) -> Margin {
        self.margin.unwrap_or(Margin { kept: 1.0, dropped: 0.0 })
    }

    fn row(&self, p: usize) -> &[f64] {
        &self.l[p * self.n..p * self.n + p.min(self.rank)]
    }

    /// In place over positions: `x₁ ← L₁⁻¹ x₁`, `x₂ ← x₂ − L₂ x₁`. What this does to a force, or to a row.
    ///
    /// Works on as many positions as `x` has.
    pub(crate) fn forward(&self, x: &mut [f64]) {
        for p in 0..x.len() {
            let value = x[p] - dot(self.row(p), x);
            x[p] = if p < self.rank { value / self.l[p * self.n + p] } else { value };
        }
    }

    /// `forward` on every row of a row-major matrix with n columns.
    pub(crate) fn forward_rows(&self, X: &mut [f64]) {
        if self.rank == self.n && self.n >= large::CROSSOVER {
            large::solve_lower_rows(&self.l, self.n, X);
            return;
        }
        for row in X.chunks_exact_mut(self.n.max(1)) {
            self.forward(row);
        }
    }

    /// A direction without mass, over positions: `M w = 0` with component 1 at the massless position r + index.
    ///
    /// Refined with residuals in twice the precision: a coefficient that cancels must come out as zero.
    pub(crate) fn massless_direction(&self, M: &[f64], index: usize, w: &mut [f64], correction: &mut [f64]) {
        let (n, r) = (self.n, self.rank);
        w.fill(0.0);
        w[r + index] = 1.0;
        self.backward(w);
        for _ in 0..2 {
            correction.fill(0.0);
            for (out, &i) in correction[..r].iter_mut().zip(&self.order) {
                let mut sum = TwofoldSum::default();
                for (w, &j) in w.iter().zip(&self.order) {
                    sum.add_product(-self.scale[i] * M[i * n + j] * self.scale[j], *w);
                }
                *out = sum.value();
            }
            self.forward(&mut correction[..r]);
            self.backward(&mut correction[..r]);
            add_scaled(&mut w[..r], 1.0, &correction[..r]);
        }
        let rounding = 4.0 * f64::EPSILON * max_abs(w);
        w.iter_mut().filter(|w| w.abs() <= rounding).for_each(|w| *w = 0.0);
    }

    /// In place over positions: `x₁ ← L₁⁻ᵀ(x₁ − L₂ᵀ x₂)`. From the factor's coordinates to an acceleration.
    pub(crate) fn backward(&self, x: &mut [f64]) {
        for p in (0..x.len()).rev() {
            if p < self.rank {
                x[p] /= self.l[p * self.n + p];
            }
            let value = x[p];
            if value != 0.0 {
                add_scaled(x, -value, self.row(p));
            }
        }
    }

    /// Copies a vector over coordinates to positions, scaled by D.
    pub(crate) fn gather(&self, x: &[f64], out: &mut [f64]) {
        for (o, &j) in out.iter_mut().zip(&self.order) {
            *o = x[j] * self.scale[j];
        }
    }

    /// Copies a vector over positions back to coordinates, scaled by D.
    pub(crate) fn scatter(&self, x: &[f64], out: &mut [f64]) {
        for (x, &j) in x.iter().zip(&self.order) {
            out[j] = x * self.scale[j];
        }
    }

    /// Gives the scale of coordinates that have no mass at all: the columns of the constraints know it.
    pub(crate) fn scale_massless(&mut self, M: &[f64], column_scale: &[f64]) {
        for p in self.rank..self.n {
            let j = self.order[p];
            if M[j * self.n + j] == 0.0 {
                self.scale[j] = column_scale[j];
            }
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
                let entry =
                    |p: usize, k: usize| if k <= p.min(f.rank.saturating_sub(1)) { f.l[p * n + k] } else { 0.0 };
                let sum: f64 = (0..f.rank).map(|k| entry(p, k) * entry(q, k)).sum();
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
