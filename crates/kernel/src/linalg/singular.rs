//! Singular values by one-sided Jacobi rotations, for the rank decisions that pivots leave open.
//!
//! Slow, but accurate where a bidiagonal method is not, and it needs no memory beyond its copy.

use super::vector::dot;

/// Scratch and result of the Jacobi iteration.
#[derive(Clone, Default)]
pub(crate) struct SingularValues {
    rows: Vec<f64>,
    /// In decreasing order, `min(m, n)` of them.
    pub(crate) values: Vec<f64>,
}

impl SingularValues {
    /// Makes room for matrices of up to `entries` entries and `count` singular values.
    pub(crate) fn reserve(&mut self, entries: usize, count: usize) {
        self.rows.clear();
        self.rows.reserve(entries);
        self.values.clear();
        self.values.reserve(count);
    }

    /// The singular values of the m × n matrix whose entry (i, j) is `entry(i, j)`.
    pub(crate) fn compute(&mut self, m: usize, n: usize, entry: impl Fn(usize, usize) -> f64) {
        let (count, length) = (m.min(n), m.max(n));
        self.rows.clear();
        for i in 0..count {
            for j in 0..length {
                self.rows.push(if m <= n { entry(i, j) } else { entry(j, i) });
            }
        }
        orthogonalise(&mut self.rows, count, length, length);
        self.values.clear();
        for row in self.rows.chunks_exact(length.max(1)) {
            self.values.push(dot(row, row).sqrt());
        }
        self.values.sort_unstable_by(|a, b| b.total_cmp(a));
    }
}

/// The singular values of the m × n matrix `A`, in decreasing order, each with its left singular vector: m of them.
pub fn left_singular(m: usize, n: usize, A: &[f64]) -> Vec<(f64, Vec<f64>)> {
    // Rotations that make the rows of A orthogonal, applied to the identity beside it, become Uᵀ.
    let width = n + m;
    let mut rows = vec![0.0; m * width];
    for (i, row) in rows.chunks_exact_mut(width).enumerate() {
        row[..n].copy_from_slice(&A[i * n..(i + 1) * n]);
        row[n + i] = 1.0;
    }
    orthogonalise(&mut rows, m, n, width);
    let pair = |row: &[f64]| (dot(&row[..n], &row[..n]).sqrt(), row[n..].to_vec());
    let mut found: Vec<(f64, Vec<f64>)> = rows.chunks_exact(width.max(1)).map(pair).collect();
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    found
}

/// Rotates rows of some width until their first `length` entries are orthogonal.
fn orthogonalise(rows: &mut [f64], count: usize, length: usize, width: usize) {
    // Forty sweeps are far more than the quadratic convergence ever needs.
    for _ in 0..40 {
        if !sweep(rows, count, length, width) {
            break;
        }
    }
}

/// Rotates every pair of rows to orthogonality; false when all of them were orthogonal.
fn sweep(rows: &mut [f64], count: usize, length: usize, width: usize) -> bool {
    let mut rotated = false;
    for p in 0..count {
        for q in p + 1..count {
            let (head, tail) = rows.split_at_mut(q * width);
            let (x, y) = (&mut head[p * width..(p + 1) * width], &mut tail[..width]);
            let (xx, yy) = (dot(&x[..length], &x[..length]), dot(&y[..length], &y[..length]));
            let xy = dot(&x[..length], &y[..length]);
            if xy.abs() <= 4.0 * f64::EPSILON * (xx * yy).sqrt() || xy == 0.0 {
                continue;
            }
            rotated = true;
            let zeta = (yy - xx) / (2.0 * xy);
            let t = zeta.signum() / (zeta.abs() + (1.0 + zeta * zeta).sqrt());
            let c = 1.0 / (1.0 + t * t).sqrt();
            for (x, y) in x.iter_mut().zip(y) {
                (*x, *y) = (c * (*x - t * *y), c * (t * *x + *y));
            }
        }
    }
    rotated
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(m: usize, n: usize, A: &[f64]) -> Vec<f64> {
        let mut s = SingularValues::default();
        s.compute(m, n, |i, j| A[i * n + j]);
        s.values
    }

    #[test]
    fn known_values_of_any_shape() {
        let close = |a: &[f64], b: &[f64]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-15);
        assert!(close(&of(2, 2, &[3.0, 0.0, 4.0, 5.0]), &[45f64.sqrt(), 5f64.sqrt()]));
        assert!(close(&of(1, 3, &[1.0, 2.0, 2.0]), &[3.0]));
        assert!(close(&of(3, 1, &[1.0, 2.0, 2.0]), &[3.0]));
        assert!(of(0, 3, &[]).is_empty());
    }

    #[test]
    fn left_vectors_with_a_combination_that_vanishes() {
        // The third row is the sum of the others.
        let A = [1.0, 0.0, 2.0, 0.0, 3.0, 1.0, 1.0, 3.0, 3.0];
        let found = left_singular(3, 3, &A);
        let w = &found[2].1;
        assert!(found[2].0 < 1e-15 && (w[0] - w[1]).abs() < 1e-15 && (w[0] + w[2]).abs() < 1e-15, "{found:?}");
        for (sigma, u) in &found[..2] {
            let v: Vec<f64> = (0..3).map(|j| (0..3).map(|i| u[i] * A[3 * i + j]).sum()).collect();
            assert!((dot(&v, &v).sqrt() - sigma).abs() < 1e-14 && dot(u, w).abs() < 1e-15);
        }
    }

    #[test]
    fn a_gap_of_ten_to_the_minus_eleven_is_measured_not_guessed() {
        let s = of(2, 2, &[1.0, 1.0, 1.0, 1.0 + 1e-11]);
        assert!((s[1] / s[0] / 2.5e-12 - 1.0).abs() < 1e-3, "{s:?}");
        assert!(of(2, 2, &[1.0, 3.0, 2.0, 6.0])[1] < 1e-15);
    }
}
