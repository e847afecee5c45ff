//! The dense arrays of a front at work, and the steps of elimination on them.

use super::error::SparseError;

/// The dense arrays of the front at work.
#[derive(Clone, Debug, Default)]
pub(super) struct Desk {
    /// Lower triangle, row-major, `size` apart.
    pub(super) h: Vec<f64>,
    pub(super) w: Vec<f64>,
    pub(super) t: Vec<f64>,
    pub(super) column: Vec<f64>,
    pub(super) change: Vec<f64>,
    /// Places in the order of assembly, while deciding.
    pub(super) natural: Vec<u32>,
    pub(super) row_natural: Vec<u32>,
    /// Noise levels of columns, and what their masses were made of.
    pub(super) phi: Vec<f64>,
    pub(super) bound: Vec<f64>,
    pub(super) theta: Vec<f64>,
    /// Where coordinates of a child go.
    pub(super) map: Vec<u32>,
    /// Where the factors of each step begin, while deciding: later exchanges concern them too.
    pub(super) steps: Vec<usize>,
}

impl Desk {
    pub(super) fn swap_rows(&mut self, size: usize, i: usize, j: usize, factors: &mut [f64]) {
        if i == j {
            return;
        }
        for (k, step) in self.steps.iter().enumerate() {
            let l = step + 2 + 2 * (size - k - 1);
            factors.swap(l + i - k - 1, l + j - k - 1);
        }
        let (head, tail) = self.w.split_at_mut(i.max(j) * size);
        head[i.min(j) * size..][..size].swap_with_slice(&mut tail[..size]);
        self.theta.swap(i, j);
        self.row_natural.swap(i, j);
    }

    /// Exchanges coordinates; of the steps done, the first `by_rows` were by rows.
    pub(super) fn swap_columns(
        &mut self,
        size: usize,
        count: usize,
        (p, q): (usize, usize),
        by_rows: usize,
        factors: &mut [f64],
    ) {
        if p == q {
            return;
        }
        for (k, step) in self.steps.iter().enumerate() {
            if k < by_rows {
                factors.swap(step + 2 + p - k - 1, step + 2 + q - k - 1);
                let h = step + 2 + size - k - 1;
                factors.swap(h + p - k - 1, h + q - k - 1);
            } else if *step != usize::MAX {
                factors.swap(step + 1 + p - k - 1, step + 1 + q - k - 1);
            }
        }
        let (p, q) = (p.min(q), p.max(q));
        for r in 0..count {
            self.w.swap(r * size + p, r * size + q);
        }
        let h = &mut self.h;
        for k in 0..p {
            h.swap(p * size + k, q * size + k);
        }
        h.swap(p * size + p, q * size + q);
        for k in p + 1..q {
            h.swap(k * size + p, q * size + k);
        }
        for k in q + 1..size {
            h.swap(k * size + p, k * size + q);
        }
        self.phi.swap(p, q);
        self.bound.swap(p, q);
        self.natural.swap(p, q);
    }

    /// Row k removes coordinate k. Keeps 1/w, H_cc, t, h and the multipliers l of the rows below.
    pub(super) fn eliminate_by_row(&mut self, size: usize, count: usize, k: usize, factors: &mut Vec<f64>) {
        let inverse = 1.0 / self.w[k * size + k];
        let own = self.h[k * size + k];
        if self.t.len() < size {
            for v in [&mut self.t, &mut self.column, &mut self.change] {
                v.resize(size, 0.0);
            }
        }
        let (head, below) = self.w[..count * size].split_at_mut((k + 1) * size);
        let pivot = &head[k * size + k + 1..];
        let (t, column, change) =
            (&mut self.t[k + 1..size], &mut self.column[k + 1..size], &mut self.change[k + 1..size]);
        for (i, w) in pivot.iter().enumerate() {
            t[i] = w * inverse;
            column[i] = self.h[(k + 1 + i) * size + k];
            change[i] = column[i] - t[i] * own;
        }
        factors.extend([inverse, own]);
        factors.extend_from_slice(t);
        factors.extend_from_slice(change);
        // H ← H − t H_c − h tᵀ, on the lower triangle.
        for (i, row) in self.h[(k + 1) * size..size * size].chunks_exact_mut(size).enumerate() {
            let (ti, hi) = (t[i], change[i]);
            for ((x, c), t) in row[k + 1..k + 2 + i].iter_mut().zip(&*column).zip(&*t) {
                *x -= ti * c + hi * t;
            }
        }
        for row in below.chunks_exact_mut(size) {
            let l = row[k] * inverse;
            factors.push(l);
            row[k] = 0.0;
            for (x, w) in row[k + 1..].iter_mut().zip(pivot) {
                *x -= l * w;
            }
        }
    }

    /// Coordinate k follows from the cost. Keeps 1/H_cc and t.
    pub(super) fn eliminate_by_mass(&mut self, size: usize, k: usize, factors: &mut Vec<f64>) {
        let inverse = 1.0 / self.h[k * size + k];
        if self.t.len() < size {
            for v in [&mut self.t, &mut self.column, &mut self.change] {
                v.resize(size, 0.0);
            }
        }
        let (t, column) = (&mut self.t[k + 1..size], &mut self.column[k + 1..size]);
        for i in 0..t.len() {
            column[i] = self.h[(k + 1 + i) * size + k];
            t[i] = column[i] * inverse;
        }
        factors.push(inverse);
        factors.extend_from_slice(t);
        for (i, row) in self.h[(k + 1) * size..size * size].chunks_exact_mut(size).enumerate() {
            let ti = t[i];
            for (x, c) in row[k + 1..k + 2 + i].iter_mut().zip(&*column) {
                *x -= ti * c;
            }
        }
    }

    /// A coordinate without mass has no coupling either, or the mass matrix gives some motion a negative energy.
    pub(super) fn check_massless(&mut self, size: usize, k: usize, coordinates: &[u32]) -> Result<(), SparseError> {
        let bound = self.bound[k];
        let mut sound = self.h[k * size + k] >= -1e-10 * bound;
        let mut other = k;
        for j in k + 1..size {
            let coupled = self.h[j * size + k].abs() > 1e-5 * (bound * self.bound[j]).sqrt();
            self.h[j * size + k] = 0.0;
            if coupled && sound {
                (sound, other) = (false, j);
            }
        }
        if sound { Ok(()) } else { Err(SparseError::indefinite(coordinates[k], coordinates[other])) }
    }
}
