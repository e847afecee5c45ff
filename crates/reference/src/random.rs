//! A small deterministic generator, so that a failing test fails again.

use crate::matrix::Matrix;
use crate::real::Real;

/// Steele, Lea and Flood's splitmix64.
pub(crate) struct SplitMix(u64);

impl SplitMix {
    pub(crate) fn new(seed: u64) -> SplitMix {
        SplitMix(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Uniform in [-1, 1).
    pub(crate) fn symmetric(&mut self) -> f64 {
        (self.next() >> 11) as f64 * 2f64.powi(-52) - 1.0
    }

    /// A multiple of 1/8 in [-1, 1]: sums and products of a few of these are exact in `f64`.
    pub(crate) fn eighth(&mut self) -> f64 {
        (self.next() % 17) as f64 / 8.0 - 1.0
    }

    pub(crate) fn vector<T: Real>(&mut self, n: usize) -> Vec<T> {
        (0..n).map(|_| T::from_f64(self.symmetric())).collect()
    }

    pub(crate) fn matrix<T: Real>(&mut self, rows: usize, cols: usize) -> Matrix<T> {
        Matrix::from_fn(rows, cols, |_, _| T::from_f64(self.symmetric()))
    }

    /// `G Gᵀ` with `G` of n rows and `rank` columns of eighths: of that rank exactly, without rounding.
    pub(crate) fn mass<T: Real>(&mut self, n: usize, rank: usize) -> Matrix<T> {
        let G = Matrix::from_fn(n, rank, |_, _| T::from_f64(self.eighth()));
        &G * G.transpose()
    }
}

#[test]
fn splitmix_gives_the_published_numbers() {
    let mut random = SplitMix::new(1234567);
    assert_eq!(random.next(), 6457827717110365317);
    assert_eq!(random.next(), 3203168211198807973);
}
