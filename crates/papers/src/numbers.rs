//! Matrices in 32 digits, and numbers that come out the same in every run.

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

/// Steele, Lea and Flood's splitmix64: what fails once fails again.
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// One of 0, 1, …, count − 1.
    pub(crate) fn below(&mut self, count: usize) -> usize {
        (self.next() % count.max(1) as u64) as usize
    }

    /// A number between two others.
    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * ((self.next() >> 11) as f64 / (1u64 << 53) as f64)
    }

    /// A multiple of 1/8 in [−1, 1]: sums and products of a few of these are exact.
    pub(crate) fn eighth(&mut self) -> f64 {
        self.below(17) as f64 / 8.0 - 1.0
    }

    pub(crate) fn matrix(&mut self, rows: usize, cols: usize) -> Mat {
        Mat::from_fn(rows, cols, |_, _| Twofold::from(self.eighth()))
    }

    pub(crate) fn vector(&mut self, n: usize) -> Mat {
        self.matrix(n, 1)
    }
}
