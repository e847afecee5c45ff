//! Matrices in 32 digits, and numbers that come out the same in every run.

use holonom_random::Random;
use holonom_reference::{Cut, Matrix, Real, Twofold, null_space, pseudo_inverse, singular_values};

/// A matrix, or a vector as one column, in 32 digits.
pub(crate) type Mat = Matrix<Twofold>;

/// The data are exact: what vanishes does so to 30 digits, and what does not is far above this.
pub(crate) const CUT: Cut = Cut::Relative(1e-20);

/// The Moore–Penrose inverse.
pub(crate) fn plus(X: &Mat) -> Mat {
    pseudo_inverse(X, CUT)
}

/// The rank.
pub(crate) fn rank(X: &Mat) -> usize {
    CUT.rank(&singular_values(X))
}

/// An orthonormal basis of the null space, as columns.
pub(crate) fn null(X: &Mat) -> Mat {
    null_space(X, CUT)
}

/// A matrix of rounded numbers, row by row.
pub(crate) fn matrix(rows: usize, cols: usize, entries: &[f64]) -> Mat {
    Mat::from_f64(rows, cols, entries)
}

/// A vector of rounded numbers.
pub(crate) fn column(entries: &[f64]) -> Mat {
    matrix(entries.len(), 1, entries)
}

/// The identity, row by row.
pub(crate) fn unit(n: usize) -> Vec<f64> {
    (0..n * n).map(|i| f64::from(i % (n + 1) == 0)).collect()
}

/// A number as a 1 × 1 matrix, so that scalars are compared like everything else.
pub(crate) fn scalar(x: Twofold) -> Mat {
    Mat::from_fn(1, 1, |_, _| x)
}

/// xᵀ Y z.
pub(crate) fn form(x: &Mat, Y: &Mat, z: &Mat) -> Mat {
    x.transpose() * Y * z
}

/// xᵀ y.
pub(crate) fn dot(x: &Mat, y: &Mat) -> Mat {
    x.transpose() * y
}

/// The rounded entries, row by row.
pub(crate) fn rounded(x: &Mat) -> Vec<f64> {
    x.to_f64().entries().to_vec()
}

/// The greatest magnitude among the entries.
pub(crate) fn size(x: &Mat) -> f64 {
    x.max_abs().to_f64()
}

/// The numbers of a seed: what fails once fails again.
pub(crate) fn seeded(seed: u64) -> Random {
    Random::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

/// Matrices of eighths, with which a few sums and products are exact.
pub(crate) trait Draw {
    fn matrix(&mut self, rows: usize, cols: usize) -> Mat;

    fn vector(&mut self, n: usize) -> Mat {
        self.matrix(n, 1)
    }
}

impl Draw for Random {
    fn matrix(&mut self, rows: usize, cols: usize) -> Mat {
        Mat::from_fn(rows, cols, |_, _| Twofold::from(self.eighth()))
    }
}
