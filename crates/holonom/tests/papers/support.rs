//! Matrices in 32 digits, comparison by relative size, and numbers to try things on.

pub use holonom_random::Random;
use holonom_reference::{Cut, Matrix, Real, Twofold, null_space, pseudo_inverse, singular_values};

/// A matrix, or a vector as one column, in 32 digits.
pub type Mat = Matrix<Twofold>;

/// Data below are exact, so what vanishes does so to 30 digits and what does not is far above this.
const CUT: Cut = Cut::Relative(1e-20);

/// The Moore–Penrose inverse.
pub fn plus(X: &Mat) -> Mat {
    pseudo_inverse(X, CUT)
}

/// The rank.
pub fn rank(X: &Mat) -> usize {
    CUT.rank(&singular_values(X))
}

/// An orthonormal basis of the null space.
pub fn null(X: &Mat) -> Mat {
    null_space(X, CUT)
}

/// A vector.
pub fn column(entries: &[f64]) -> Mat {
    Mat::from_f64(entries.len(), 1, entries)
}

/// A matrix, row by row.
pub fn matrix(rows: usize, cols: usize, entries: &[f64]) -> Mat {
    Mat::from_f64(rows, cols, entries)
}

/// xᵀy.
pub fn dot(x: &Mat, y: &Mat) -> Twofold {
    (x.transpose() * y).get(0, 0)
}

/// The numbers of a vector, rounded.
pub fn rounded(x: &Mat) -> Vec<f64> {
    x.to_f64().entries().to_vec()
}

/// Anything made of numbers, for the assertions below.
pub trait Numbers {
    /// The numbers, in order.
    fn numbers(&self) -> Vec<Twofold>;
}

impl Numbers for f64 {
    fn numbers(&self) -> Vec<Twofold> {
        vec![Twofold::from(*self)]
    }
}

impl Numbers for Twofold {
    fn numbers(&self) -> Vec<Twofold> {
        vec![*self]
    }
}

impl Numbers for [f64] {
    fn numbers(&self) -> Vec<Twofold> {
        self.iter().map(|x| Twofold::from(*x)).collect()
    }
}

impl<const N: usize> Numbers for [f64; N] {
    fn numbers(&self) -> Vec<Twofold> {
        self.as_slice().numbers()
    }
}

impl Numbers for Vec<f64> {
    fn numbers(&self) -> Vec<Twofold> {
        self.as_slice().numbers()
    }
}

impl Numbers for Mat {
    fn numbers(&self) -> Vec<Twofold> {
        self.entries().to_vec()
    }
}

impl<X: Numbers + ?Sized> Numbers for &X {
    fn numbers(&self) -> Vec<Twofold> {
        (*self).numbers()
    }
}

/// The greatest magnitude.
pub fn size(x: &(impl Numbers + ?Sized)) -> f64 {
    x.numbers().iter().fold(0.0, |m: f64, x| m.max(x.to_f64().abs()))
}

/// The greatest difference, relative to the greatest number on either side.
pub fn distance(got: &(impl Numbers + ?Sized), want: &(impl Numbers + ?Sized)) -> f64 {
    let (x, y) = (got.numbers(), want.numbers());
    assert_eq!(x.len(), y.len(), "as many numbers on either side");
    let apart = x.iter().zip(&y).fold(0.0, |m: f64, (x, y)| m.max((*x - *y).to_f64().abs()));
    if apart == 0.0 { 0.0 } else { apart / size(got).max(size(want)) }
}

/// Both sides agree to 12 digits, or to the tolerance given, of the greatest number in them; where they are
/// differences that may be nothing but rounding, of what they are differences of.
macro_rules! assert_close {
    ($got:expr, $want:expr $(,)?) => {
        assert_close!($got, $want, 1e-12)
    };
    ($got:expr, $want:expr, beside $beside:expr) => {
        let (got, want) = (&$got, &$want);
        let whole = $crate::support::size(&$beside).max($crate::support::size(want));
        let apart = $crate::support::distance(got, want) * $crate::support::size(got).max($crate::support::size(want));
        assert!(
            apart <= 1e-12 * whole,
            "{} is not {}, by {apart:.1e} beside {whole:.1e}",
            stringify!($got),
            stringify!($want)
        );
    };
    ($got:expr, $want:expr, $tolerance:expr $(,)?) => {
        let (got, want) = (&$got, &$want);
        let apart = $crate::support::distance(got, want);
        assert!(
            apart <= $tolerance,
            "{} is not {}, by {apart:.1e} of its size\n  left {:?}\n right {:?}",
            stringify!($got),
            stringify!($want),
            $crate::support::printed(got),
            $crate::support::printed(want)
        );
    };
}

/// The numbers vanish beside the size of what should cancel in them.
macro_rules! assert_zero {
    ($got:expr, beside $beside:expr) => {
        assert_zero!($got, beside $beside, 1e-12)
    };
    ($got:expr, beside $beside:expr, $tolerance:expr) => {
        let (got, beside) = ($crate::support::size(&$got), $crate::support::size(&$beside));
        assert!(got <= $tolerance * beside, "{} is {got:.1e} beside {beside:.1e}, not zero", stringify!($got));
    };
}

/// The numbers differ visibly: by more than a thousandth of the greatest.
macro_rules! assert_apart {
    ($got:expr, $want:expr) => {
        let apart = $crate::support::distance(&$got, &$want);
        assert!(apart > 1e-3, "{} agrees with {} to {apart:.1e}", stringify!($got), stringify!($want));
    };
}

/// For messages.
pub fn printed(x: &(impl Numbers + ?Sized)) -> Vec<f64> {
    x.numbers().iter().map(|x| x.to_f64()).collect()
}

/// Matrices of eighths, with which a few sums and products are exact.
pub trait Draw {
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
