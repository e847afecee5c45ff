//! The inner loops: dot product, scaled sum, norms, and products with row-major matrices.
//!
//! A `Pair` is two vectors side by side: the answer to Q and the answer to C take the same steps, and two
//! numbers fill a vector register.

use super::lanes::{Four, Two};

/// One component of two vectors.
pub(crate) type Pair = [f64; 2];

/// `xᵀy`, in four independent sums so that the compiler may use vector registers.
#[inline]
pub fn dot(x: &[f64], y: &[f64]) -> f64 {
    let n = x.len().min(y.len());
    let (x, y) = (&x[..n], &y[..n]);
    let mut sums = [0.0; 4];
    let (xs, ys) = (x.chunks_exact(4), y.chunks_exact(4));
    let rest: f64 = xs.remainder().iter().zip(ys.remainder()).map(|(a, b)| a * b).sum();
    for (a, b) in xs.zip(ys) {
        for lane in 0..4 {
            sums[lane] += a[lane] * b[lane];
        }
    }
    (sums[0] + sums[2]) + (sums[1] + sums[3]) + rest
}

/// `y += s x`.
#[inline]
pub(crate) fn add_scaled(y: &mut [f64], s: f64, x: &[f64]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y += s * x;
    }
}

/// `xᵀy` for both vectors of the pair.
#[inline]
pub(crate) fn dot_pair(x: &[f64], y: &[Pair]) -> Pair {
    let mut sum = Two::zero();
    for (x, y) in x.iter().zip(y) {
        sum += Two::splat(*x) * Two::from(*y);
    }
    sum.to_array()
}

/// `y += s x`, with a factor of its own for each vector of the pair.
#[inline]
pub(crate) fn add_scaled_pair(y: &mut [Pair], s: Pair, x: &[f64]) {
    let s = Two::from(s);
    for (y, x) in y.iter_mut().zip(x) {
        *y = (Two::from(*y) + s * Two::splat(*x)).to_array();
    }
}

/// `x - y`, component by component.
#[inline]
pub(crate) fn minus(x: Pair, y: Pair) -> Pair {
    (Two::from(x) - Two::from(y)).to_array()
}

/// `s x`.
#[inline]
pub(crate) fn times(s: f64, x: Pair) -> Pair {
    (Two::splat(s) * Two::from(x)).to_array()
}

/// The largest magnitude, zero for an empty slice.
#[inline]
pub(crate) fn max_abs(x: &[f64]) -> f64 {
    let mut largest = 0.0;
    for v in x {
        // A comparison, not `f64::max`: the entries are numbers, and this is one instruction.
        largest = if v.abs() > largest { v.abs() } else { largest };
    }
    largest
}

/// Zero if every entry is finite, and not a number otherwise: x·0 is 0 for every finite x.
///
/// No early exit: it is rarely wanted. Such sums can be added up and compared with zero once.
#[inline]
pub(crate) fn finite(x: &[f64]) -> f64 {
    let (blocks, rest) = x.as_chunks::<4>();
    let mut sums = Four::zero();
    for block in blocks {
        sums += Four::from(*block) * Four::zero();
    }
    let sums = sums.to_array();
    rest.iter().fold((sums[0] + sums[1]) + (sums[2] + sums[3]), |sum, x| sum + x * 0.0)
}

/// The Euclidean norm, safe against overflow and underflow of the squares.
pub(crate) fn norm(x: &[f64]) -> f64 {
    let largest = max_abs(x);
    if largest == 0.0 || !largest.is_finite() {
        return largest;
    }
    largest * x.iter().map(|v| (v / largest) * (v / largest)).sum::<f64>().sqrt()
}

/// `out = A x` for a row-major `A` with `x.len()` columns.
#[inline]
pub fn apply(A: &[f64], x: &[f64], out: &mut [f64]) {
    for (o, row) in out.iter_mut().zip(A.chunks_exact(x.len().max(1))) {
        *o = dot(row, x);
    }
}
