//! The orthogonal projector on the range of a matrix, in its rows as given.
//!
//! Least squares over rows that may differ by 10⁶ or more: the longest rows go first and columns are
//! pivoted, which makes Householder's method stable row by row (Powell and Reid; Cox and Higham).

use super::refill;
use super::vector::{add_scaled, dot, max_abs};

/// An orthonormal basis of the range of an m × k matrix of full column rank, as reflections.
#[derive(Clone, Default)]
pub(crate) struct Range {
    m: usize,
    k: usize,
    /// k vectors of length m: the columns, reflected in place.
    columns: Vec<f64>,
    tau: Vec<f64>,
    order: Vec<usize>,
    size: Vec<f64>,
    work: Vec<f64>,
}

impl Range {
    /// Factors the matrix whose entry (i, j) is `entry(i, j)`.
    pub(crate) fn factor(&mut self, m: usize, k: usize, entry: impl Fn(usize, usize) -> f64) {
        (self.m, self.k) = (m, k);
        self.size.clear();
        for i in 0..m {
            self.size.push((0..k).fold(0.0, |s: f64, j| s.max(entry(i, j).abs())));
        }
        self.order.clear();
        self.order.extend(0..m);
        let size = &self.size;
        self.order.sort_unstable_by(|a, b| size[*b].total_cmp(&size[*a]).then(a.cmp(b)));
        self.columns.clear();
        for j in 0..k {
            self.columns.extend(self.order.iter().map(|&i| entry(i, j)));
        }
        refill(&mut self.tau, k, 0.0);
        refill(&mut self.work, m, 0.0);
        for j in 0..k {
            self.pivot(j);
            self.reflect(j);
        }
    }

    fn column(&self, j: usize) -> &[f64] {
        &self.columns[j * self.m..(j + 1) * self.m]
    }

    fn pivot(&mut self, j: usize) {
        let length = |i: usize| dot(&self.column(i)[j..], &self.column(i)[j..]);
        let best = (j..self.k).max_by(|a, b| length(*a).total_cmp(&length(*b))).unwrap_or(j);
        if best != j {
            let (head, tail) = self.columns.split_at_mut(best * self.m);
            head[j * self.m..(j + 1) * self.m].swap_with_slice(&mut tail[..self.m]);
        }
    }

    fn reflect(&mut self, j: usize) {
        let m = self.m;
        let (head, tail) = self.columns.split_at_mut((j + 1) * m);
        let x = &mut head[j * m + j..];
        let largest = max_abs(x);
        if largest == 0.0 {
            return;
        }
        let length = largest * x.iter().map(|v| (v / largest) * (v / largest)).sum::<f64>().sqrt();
        let beta = if x[0] > 0.0 { -length } else { length };
        self.tau[j] = (beta - x[0]) / beta;
        let divisor = x[0] - beta;
        for v in &mut x[1..] {
            *v /= divisor;
        }
        x[0] = beta;
        for other in tail.chunks_exact_mut(m) {
            apply(self.tau[j], &x[1..], &mut other[j..]);
        }
    }

    /// `x ← F F⁺ x`, the part of x that the columns of F can make.
    pub(crate) fn project(&mut self, x: &mut [f64]) {
        let mut work = std::mem::take(&mut self.work);
        for (w, &i) in work.iter_mut().zip(&self.order) {
            *w = x[i];
        }
        for j in 0..self.k {
            apply(self.tau[j], &self.column(j)[j + 1..], &mut work[j..]);
        }
        work[self.k..].fill(0.0);
        for j in (0..self.k).rev() {
            apply(self.tau[j], &self.column(j)[j + 1..], &mut work[j..]);
        }
        for (w, &i) in work.iter().zip(&self.order) {
            x[i] = *w;
        }
        self.work = work;
    }
}

/// The reflection with vector (1, v) on y.
fn apply(tau: f64, v: &[f64], y: &mut [f64]) {
    let (head, tail) = y.split_at_mut(1);
    let w = tau * (head[0] + dot(v, tail));
    head[0] -= w;
    add_scaled(tail, -w, v);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repeated_row_scaled_by_a_million_keeps_its_weight() {
        // Range of (1, 10⁶)ᵀ: the projection of (1, 0) is (1, 10⁶)/(1 + 10¹²).
        let mut range = Range::default();
        range.factor(2, 1, |i, _| [1.0, 1e6][i]);
        let mut x = [1.0, 0.0];
        range.project(&mut x);
        let w = 1.0 / (1.0 + 1e12);
        assert!((x[0] - w).abs() < 1e-20 && (x[1] - 1e6 * w).abs() < 1e-20, "{x:?}");
    }

    #[test]
    fn projecting_twice_changes_nothing() {
        let A = [1.0, 2.0, 3.0, -1.0, 4.0, 1.0, 0.0, 2.0];
        let mut range = Range::default();
        range.factor(4, 2, |i, j| A[2 * i + j]);
        let mut x = [1.0, -2.0, 0.5, 3.0];
        range.project(&mut x);
        let once = x;
        range.project(&mut x);
        assert!(x.iter().zip(once).all(|(a, b)| (a - b).abs() < 1e-14));
        // The residual is orthogonal to every column.
        for j in 0..2 {
            let r = [1.0 - x[0], -2.0 - x[1], 0.5 - x[2], 3.0 - x[3]];
            assert!((0..4).map(|i| r[i] * A[2 * i + j]).sum::<f64>().abs() < 1e-14);
        }
    }
}
