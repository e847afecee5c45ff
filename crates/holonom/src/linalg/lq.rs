//! `E = Π L̄ Yᵀ`: the rows of E as combinations of orthonormal vectors, by Householder reflections.
//!
//! It carries the least-norm solution of `E y = e` and the multipliers of `E Eᵀ µ = e` without ever
//! forming `E Eᵀ`. Rows are taken in the order of what is left of them (pivoting).

use super::large::{self, LargeLq};
use super::refill;
use super::vector::{add_scaled, dot};

/// The factors of a p × r matrix with p ≤ r and full row rank.
#[derive(Clone, Default)]
pub(crate) struct Lq {
    p: usize,
    r: usize,
    /// Row-major p × r: L̄ at and below the diagonal, Householder vectors right of it.
    e: Vec<f64>,
    tau: Vec<f64>,
    /// Position → row of E.
    order: Vec<usize>,
    left: Vec<f64>,
    /// The least of |L̄ᵢᵢ| relative to the length of its row: how nearly dependent the rows are.
    pub(crate) margin: f64,
    large: LargeLq,
}

impl Lq {
    /// Room for a p × r matrix, to be filled row by row and then factored.
    pub(crate) fn storage(&mut self, p: usize, r: usize) -> &mut [f64] {
        (self.p, self.r) = (p, r);
        refill(&mut self.e, p * r, 0.0);
        &mut self.e
    }

    /// Takes the matrix itself as storage (swapping buffers), to be factored.
    pub(crate) fn adopt(&mut self, p: usize, r: usize, e: &mut Vec<f64>) {
        (self.p, self.r) = (p, r);
        std::mem::swap(&mut self.e, e);
        self.e.truncate(p * r);
    }

    /// Factors what was stored.
    pub(crate) fn factor(&mut self) {
        let (p, r) = (self.p, self.r);
        self.order.clear();
        self.order.extend(0..p);
        refill(&mut self.tau, p, 0.0);
        self.left.clear();
        self.left.extend(self.e.chunks_exact(r.max(1)).take(p).map(|row| dot(row, row)));
        self.margin = 1.0;
        if r >= large::CROSSOVER {
            self.large.factor(&mut self.e, p, r);
            for i in 0..p {
                let relative = self.e[i * r + i].abs() / self.left[i].sqrt();
                self.margin = self.margin.min(if relative.is_nan() { 0.0 } else { relative });
            }
            return;
        }
        for j in 0..p {
            let mut best = j;
            for i in j + 1..p {
                if self.left[i] > self.left[best] {
                    best = i;
                }
            }
            self.exchange(j, best);
            self.reflect(j);
        }
    }

    fn exchange(&mut self, i: usize, j: usize) {
        if i != j {
            let (head, tail) = self.e.split_at_mut(j * self.r);
            head[i * self.r..(i + 1) * self.r].swap_with_slice(&mut tail[..self.r]);
            self.order.swap(i, j);
            self.left.swap(i, j);
        }
    }

    /// Reflects row j onto its diagonal and applies the reflection to the rows below.
    fn reflect(&mut self, j: usize) {
        let r = self.r;
        let (head, tail) = self.e.split_at_mut((j + 1) * r);
        let row = &mut head[j * r..];
        let whole = dot(row, row);
        let (before, x) = row.split_at_mut(j);
        let length = (whole - dot(before, before)).max(0.0);
        // Cancellation: take the length from what is really there.
        let length = if length > 0.1 * whole { length.sqrt() } else { dot(x, x).sqrt() };
        let relative = length / whole.sqrt();
        self.margin = self.margin.min(if relative.is_nan() { 0.0 } else { relative });
        if length == 0.0 {
            return;
        }
        let beta = if x[0] > 0.0 { -length } else { length };
        let tau = (beta - x[0]) / beta;
        let inverse = 1.0 / (x[0] - beta);
        for v in &mut x[1..] {
            *v *= inverse;
        }
        x[0] = beta;
        self.tau[j] = tau;
        for (i, other) in tail.chunks_exact_mut(r).enumerate() {
            let y = &mut other[j..];
            let w = tau * (y[0] + dot(&y[1..], &x[1..]));
            y[0] -= w;
            add_scaled(&mut y[1..], -w, &x[1..]);
            // What is left of the row's square; exact enough to order the rows.
            self.left[j + 1 + i] -= y[0] * y[0];
        }
    }

    /// `z = L̄⁻¹ Πᵀ e`: coordinates of the least-norm solution along Y.
    pub(crate) fn solve(&self, e: &[f64], z: &mut [f64]) {
        for i in 0..self.p {
            let row = &self.e[i * self.r..i * self.r + i + 1];
            z[i] = (e[self.order[i]] - dot(&row[..i], z)) / row[i];
        }
    }

    /// `µ = Π L̄⁻ᵀ z`, so that `Eᵀ µ = Y z`. Ruins `z`.
    pub(crate) fn multipliers(&self, z: &mut [f64], mu: &mut [f64]) {
        for i in (0..self.p).rev() {
            let row = &self.e[i * self.r..i * self.r + i + 1];
            z[i] /= row[i];
            let value = z[i];
            add_scaled(&mut z[..i], -value, &row[..i]);
        }
        for (z, &row) in z.iter().zip(&self.order) {
            mu[row] = *z;
        }
    }

    /// `y ← Yᵀ y`, over all of the space: the first p entries are the part that the rows reach.
    pub(crate) fn rotate(&mut self, y: &mut [f64]) {
        if self.r >= large::CROSSOVER {
            self.large.apply_transposed(&self.e, self.p, self.r, y);
            return;
        }
        for j in 0..self.p {
            self.reflection(j, y);
        }
    }

    /// `y ← Y y`, back again.
    pub(crate) fn rotate_back(&mut self, y: &mut [f64]) {
        if self.r >= large::CROSSOVER {
            self.large.apply(&self.e, self.p, self.r, y);
            return;
        }
        for j in (0..self.p).rev() {
            self.reflection(j, y);
        }
    }

    #[inline]
    fn reflection(&self, j: usize, y: &mut [f64]) {
        let v = &self.e[j * self.r + j + 1..(j + 1) * self.r];
        let (head, tail) = y[j..].split_at_mut(1);
        let w = self.tau[j] * (head[0] + dot(v, tail));
        head[0] -= w;
        add_scaled(tail, -w, v);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn least_norm_solution_and_multipliers_of_small_and_large_matrices() {
        for (p, r) in [(1, 1), (2, 3), (3, 3), (5, 9), (20, 40)] {
            let mut seed = 1u64;
            let mut next = || {
                seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                (seed >> 11) as f64 / (1u64 << 53) as f64 - 0.5
            };
            let E: Vec<f64> = (0..p * r).map(|_| next()).collect();
            let e: Vec<f64> = (0..p).map(|_| next()).collect();
            let mut lq = Lq::default();
            lq.storage(p, r).copy_from_slice(&E);
            lq.factor();
            let (mut z, mut y, mut mu) = (vec![0.0; p], vec![0.0; r], vec![0.0; p]);
            lq.solve(&e, &mut z);
            y[..p].copy_from_slice(&z);
            lq.rotate_back(&mut y);
            let mut again = y.clone();
            lq.rotate(&mut again);
            assert!((0..r).all(|j| (again[j] - if j < p { z[j] } else { 0.0 }).abs() < 1e-12));
            lq.multipliers(&mut z, &mut mu);
            for i in 0..p {
                assert!((dot(&E[i * r..(i + 1) * r], &y) - e[i]).abs() < 1e-12);
            }
            for j in 0..r {
                let sum: f64 = (0..p).map(|i| E[i * r + j] * mu[i]).sum();
                assert!((sum - y[j]).abs() < 1e-11, "{p} {r}");
            }
        }
    }
}
