//! Random matrices for tests.

use crate::matrix::Matrix;
use crate::real::Real;
use holonom_random::Random;

/// What tests draw.
pub(crate) trait Draw {
    /// Uniform in [−1, 1).
    fn vector<T: Real>(&mut self, n: usize) -> Vec<T>;

    /// Entries uniform in [−1, 1).
    fn matrix<T: Real>(&mut self, rows: usize, cols: usize) -> Matrix<T>;

    /// `G Gᵀ` with `G` of n rows and `rank` columns of eighths: of that rank exactly, without rounding.
    fn mass<T: Real>(&mut self, n: usize, rank: usize) -> Matrix<T>;
}

impl Draw for Random {
    fn vector<T: Real>(&mut self, n: usize) -> Vec<T> {
        (0..n).map(|_| T::from_f64(self.real())).collect()
    }

    fn matrix<T: Real>(&mut self, rows: usize, cols: usize) -> Matrix<T> {
        Matrix::from_fn(rows, cols, |_, _| T::from_f64(self.real()))
    }

    fn mass<T: Real>(&mut self, n: usize, rank: usize) -> Matrix<T> {
        let G = Matrix::from_fn(n, rank, |_, _| T::from_f64(self.eighth()));
        &G * G.transpose()
    }
}
