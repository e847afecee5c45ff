//! The inner loops: dot product, scaled sum, norms, and products with row-major matrices.

/// `xᵀy`, in four independent sums so that the compiler may use vector registers.
#[inline]
pub(crate) fn dot(x: &[f64], y: &[f64]) -> f64 {
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

/// The largest magnitude, zero for an empty slice.
#[inline]
pub(crate) fn max_abs(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |m: f64, v| m.max(v.abs()))
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
pub(crate) fn apply(A: &[f64], x: &[f64], out: &mut [f64]) {
    for (o, row) in out.iter_mut().zip(A.chunks_exact(x.len().max(1))) {
        *o = dot(row, x);
    }
}

/// `out += Aᵀ y` for a row-major `A` with `out.len()` columns.
#[inline]
pub(crate) fn add_transposed(A: &[f64], y: &[f64], out: &mut [f64]) {
    for (y, row) in y.iter().zip(A.chunks_exact(out.len().max(1))) {
        if *y != 0.0 {
            add_scaled(out, *y, row);
        }
    }
}
