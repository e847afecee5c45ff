//! `E = Π L̄ Yᵀ`: the rows of E as combinations of orthonormal vectors, by Householder reflections.
//!
//! It carries the least-norm solution of `E y = e` and the multipliers of `E Eᵀ µ = e` without ever
//! forming `E Eᵀ`. Rows are taken in the order of what is left of them (pivoting).

use super::block::{self, Blocks, LANES, by_stride};
use super::large;
use super::large_lq::LargeLq;
use super::vector::{Pair, add_scaled_pair, dot_pair, minus, times};

/// The factors of a p × r matrix with p ≤ r and full row rank.
#[derive(Clone, Default)]
pub(crate) struct Lq {
    p: usize,
    r: usize,
    /// E; once factored, the vectors of the reflections, with zeros before their own place.
    e: Blocks,
    /// L̄, p × p, below its diagonal.
    lower: Vec<f64>,
    /// 1 / L̄ᵢᵢ.
    inverse: Vec<f64>,
    tau: Vec<f64>,
    /// Position → row of E.
    order: Vec<usize>,
    /// What is left of the square of each row, and what it was.
    left: Vec<f64>,
    whole: Vec<f64>,
    /// The least of |L̄ᵢᵢ| relative to the length of its row: how nearly dependent the rows are.
    pub(crate) margin: f64,
    large: LargeLq,
}

impl Lq {
    /// Room for a p × r matrix, to be filled row by row and then factored.
    pub(crate) fn storage(&mut self, p: usize, r: usize) -> &mut Blocks {
        if (self.p, self.r) != (p, r) {
            (self.p, self.r) = (p, r);
            self.e.shape(p, r);
            self.lower.resize(p * p, 0.0);
            for v in [&mut self.inverse, &mut self.tau, &mut self.left, &mut self.whole] {
                v.resize(p, 0.0);
            }
            self.order.resize(p, 0);
        }
        &mut self.e
    }

    /// Room for matrices of up to this size; to be stored before anything else.
    pub(crate) fn reserve(&mut self, p: usize, r: usize) {
        (self.p, self.r) = (usize::MAX, 0);
        self.e.reserve(p, r);
        self.lower.clear();
        self.lower.reserve(p * p);
        for v in [&mut self.inverse, &mut self.tau, &mut self.left, &mut self.whole] {
            v.clear();
            v.reserve(p);
        }
        self.order.clear();
        self.order.reserve(p);
        self.large.reserve(p, r);
    }

    /// Factors what was stored.
    pub(crate) fn factor(&mut self) {
        let p = self.p;
        for i in 0..p {
            self.order[i] = i;
            self.left[i] = block::dot(self.e.row(i), self.e.row(i));
            self.whole[i] = self.left[i];
        }
        self.margin = 1.0;
        if self.r >= large::CROSSOVER {
            self.large.factor(&mut self.e, p, &mut self.lower, &mut self.inverse);
            for i in 0..p {
                self.measure(i, self.inverse[i]);
            }
            self.margin = self.margin.sqrt();
            return;
        }
        by_stride!(self.e.blocks(), reflect_all(self), ());
        self.margin = self.margin.sqrt();
    }

    fn measure(&mut self, i: usize, diagonal: f64) {
        self.inverse[i] = 1.0 / diagonal;
        let relative = diagonal * diagonal / self.whole[i];
        if relative < self.margin || relative.is_nan() {
            self.margin = if relative.is_nan() { 0.0 } else { relative };
        }
    }

    /// `z = L̄⁻¹ Πᵀ e`: coordinates of the least-norm solution along Y.
    pub(crate) fn solve(&self, e: &[Pair], z: &mut [Pair]) {
        for i in 0..self.p {
            let (done, rest) = z.split_at_mut(i);
            let row = &self.lower[i * self.p..i * self.p + i];
            rest[0] = times(self.inverse[i], minus(e[self.order[i]], dot_pair(row, done)));
        }
    }

    /// `µ = Π L̄⁻ᵀ z`, so that `Eᵀ µ = Y z`. Ruins `z`.
    pub(crate) fn multipliers(&self, z: &mut [Pair], mu: &mut [Pair]) {
        for i in (0..self.p).rev() {
            let (before, rest) = z.split_at_mut(i);
            let value = times(self.inverse[i], rest[0]);
            add_scaled_pair(before, times(-1.0, value), &self.lower[i * self.p..i * self.p + i]);
            mu[self.order[i]] = value;
        }
    }

    /// `y ← Yᵀ y`, over all of the space: the first p entries are the part that the rows reach.
    ///
    /// `y` is padded to whole blocks with zeros, here and in `rotate_back`.
    pub(crate) fn rotate(&mut self, y: &mut [Pair]) {
        if self.r >= large::CROSSOVER {
            self.large.apply_transposed(&self.e, self.p, y);
            return;
        }
        by_stride!(self.e.blocks(), rotate_fixed(self, y, false), ())
    }

    /// `y ← Y y`, back again.
    pub(crate) fn rotate_back(&mut self, y: &mut [Pair]) {
        if self.r >= large::CROSSOVER {
            self.large.apply(&self.e, self.p, y);
            return;
        }
        by_stride!(self.e.blocks(), rotate_fixed(self, y, true), ())
    }
}

/// Householder's reflections, one row after the other, in rows of known length.
fn reflect_all<const S: usize>(lq: &mut Lq) {
    let p = lq.p;
    for j in 0..p {
        let mut best = j;
        for i in j + 1..p {
            if lq.left[i] > lq.left[best] {
                best = i;
            }
        }
        if best != j {
            lq.order.swap(j, best);
            lq.left.swap(j, best);
            lq.whole.swap(j, best);
        }
        reflect::<S>(lq, j);
    }
}

/// Reflects row j onto its diagonal and applies the reflection to the rows that are left.
#[inline]
fn reflect<const S: usize>(lq: &mut Lq, j: usize) {
    let (first, lane, pivot) = (j / LANES, j % LANES, lq.order[j]);
    let rows = lq.e.fixed_mut::<S>();
    // A copy of a few blocks: the rows that follow can then be changed freely.
    let mut v = rows[pivot];
    for (lower, number) in lq.lower[j * lq.p..j * lq.p + j].iter_mut().zip(rows[pivot].as_flattened()) {
        *lower = *number;
    }
    v[..first].fill([0.0; LANES]);
    block::keep_from(&mut v[first], lane);
    let x0 = rows[pivot][first][lane];
    let square = block::dot_fixed(&v, &v, first);
    if square == 0.0 {
        rows[pivot] = v;
        lq.tau[j] = 0.0;
        lq.measure(j, 0.0);
        return;
    }
    let length = square.sqrt();
    let beta = if x0 > 0.0 { -length } else { length };
    let tau = 1.0 - x0 / beta;
    lq.tau[j] = tau;
    block::scale_fixed(&mut v, 1.0 / (x0 - beta), first);
    block::put(&mut v[first], lane, 1.0);
    rows[pivot] = v;
    for (&i, left) in lq.order[j + 1..].iter().zip(&mut lq.left[j + 1..]) {
        let other = &mut rows[i];
        let w = tau * block::dot_fixed(other, &v, first);
        block::add_scaled_fixed(other, -w, &v, first);
        let taken = other[first][lane];
        *left -= taken * taken;
    }
    lq.measure(j, beta);
}

/// All reflections on a pair of vectors, the last one first if `back`.
fn rotate_fixed<const S: usize>(lq: &Lq, y: &mut [Pair], back: bool) {
    let Some(y) = y.as_chunks_mut::<LANES>().0.first_chunk_mut::<S>() else { return };
    let rows = lq.e.fixed::<S>();
    for step in 0..lq.p {
        let j = if back { lq.p - 1 - step } else { step };
        let v = &rows[lq.order[j]];
        let w = times(-lq.tau[j], block::dot_pair_fixed(v, y, j / LANES));
        block::add_scaled_pair_fixed(y, w, v, j / LANES);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn least_norm_solution_and_multipliers_of_small_and_large_matrices() {
        for (p, r) in [(1, 1), (2, 3), (3, 3), (5, 9), (20, 40), (25, 41), (50, 70)] {
            let mut seed = 1u64;
            let mut next = || {
                seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                (seed >> 11) as f64 / (1u64 << 53) as f64 - 0.5
            };
            let E: Vec<f64> = (0..p * r).map(|_| next()).collect();
            let e: Vec<f64> = (0..p).map(|_| next()).collect();
            let mut lq = Lq::default();
            let storage = lq.storage(p, r);
            for i in 0..p {
                storage.numbers_mut(i).copy_from_slice(&E[i * r..(i + 1) * r]);
            }
            lq.factor();
            let pairs: Vec<Pair> = e.iter().map(|e| [*e, -2.0 * e]).collect();
            let (mut z, mut mu) = (vec![[0.0; 2]; p], vec![[0.0; 2]; p]);
            let mut y = vec![[0.0; 2]; block::padded(r)];
            lq.solve(&pairs, &mut z);
            y[..p].copy_from_slice(&z);
            lq.rotate_back(&mut y);
            let mut again = y.clone();
            lq.rotate(&mut again);
            for j in 0..r {
                let expected = if j < p { z[j] } else { [0.0; 2] };
                assert!((again[j][0] - expected[0]).abs() < 1e-12 && (again[j][1] - expected[1]).abs() < 1e-12);
            }
            lq.multipliers(&mut z, &mut mu);
            for i in 0..p {
                let reached = dot_pair(&E[i * r..(i + 1) * r], &y);
                assert!((reached[0] - e[i]).abs() < 1e-12 && (reached[1] + 2.0 * e[i]).abs() < 1e-12);
            }
            for j in 0..r {
                let sum: f64 = (0..p).map(|i| E[i * r + j] * mu[i][0]).sum();
                assert!((sum - y[j][0]).abs() < 1e-11, "{p} {r}");
            }
        }
    }
}
