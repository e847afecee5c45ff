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
        // Forty sweeps are far more than the quadratic convergence ever needs.
        for _ in 0..40 {
            if !self.sweep(count, length) {
                break;
            }
        }
        self.values.clear();
        for row in self.rows.chunks_exact(length.max(1)) {
            self.values.push(dot(row, row).sqrt());
        }
        self.values.sort_unstable_by(|a, b| b.total_cmp(a));
    }

    /// Rotates every pair of rows to orthogonality; false when all of them were orthogonal.
    fn sweep(&mut self, count: usize, length: usize) -> bool {
        let mut rotated = false;
        for p in 0..count {
            for q in p + 1..count {
                let (head, tail) = self.rows.split_at_mut(q * length);
                let (x, y) = (&mut head[p * length..(p + 1) * length], &mut tail[..length]);
                let (xx, yy, xy) = (dot(x, x), dot(y, y), dot(x, y));
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
    fn a_gap_of_ten_to_the_minus_eleven_is_measured_not_guessed() {
        let s = of(2, 2, &[1.0, 1.0, 1.0, 1.0 + 1e-11]);
        assert!((s[1] / s[0] / 2.5e-12 - 1.0).abs() < 1e-3, "{s:?}");
        assert!(of(2, 2, &[1.0, 3.0, 2.0, 6.0])[1] < 1e-15);
    }
}
