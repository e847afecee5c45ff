//! Kernels for matrices above the crossover, in blocks, with the widest registers that the machine has.
//!
//! Nearly all the time goes into `tile::subtract`. No result depends on the width of registers, so the bits are the same
//! on every machine. Nothing is allocated after the first call of a size.

use super::block::Blocks;
use super::tile::{self, HEIGHT, Tile, WIDEST};
use pulp::{Arch, Simd, WithSimd};

/// Below this dimension the hand-written kernels for short rows are faster (measured in `benches`).
pub(crate) const CROSSOVER: usize = 32;

/// `A = UᵀU` in place for the upper half of A; the smallest pivot relative to its diagonal if all exceed `least`.
///
/// `diagonal` receives the diagonal of A. What stands below the diagonal of A is lost.
pub(crate) fn cholesky(a: &mut Blocks, n: usize, least: f64, diagonal: &mut [f64]) -> Option<f64> {
    for (i, diagonal) in diagonal[..n].iter_mut().enumerate() {
        *diagonal = a.get(i, i);
    }
    let stride = a.stride();
    Arch::new().dispatch(Cholesky { a: a.flat_mut(), stride, n, least, diagonal })
}

struct Cholesky<'a> {
    a: &'a mut [f64],
    stride: usize,
    n: usize,
    least: f64,
    diagonal: &'a [f64],
}

impl WithSimd for Cholesky<'_> {
    type Output = Option<f64>;

    /// Four rows after the other: first what the rows above take from them, then the four among themselves.
    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> Option<f64> {
        let (stride, n) = (self.stride, self.n);
        let mut smallest: f64 = 1.0;
        for first in (0..n).step_by(HEIGHT) {
            let rows = HEIGHT.min(n - first);
            let (above, below) = self.a.split_at_mut(first * stride);
            let four = &mut below[..rows * stride];
            for start in (first..stride).step_by(tile::width::<S>()) {
                let mut c = Tile::load(simd, &four[start..], stride, (rows, stride - start));
                c.subtract(simd, above.chunks_exact(stride).map(|row| (four_of(&row[first..]), &row[start..])));
                c.store(simd, &mut four[start..], stride);
            }
            for p in 0..rows {
                let (row, others) = four[p * stride..].split_at_mut(stride);
                let pivot = row[first + p];
                let relative = pivot / self.diagonal[first + p];
                // A diagonal of zero gives 0/0, which is not above either.
                if relative <= self.least || relative.is_nan() {
                    return None;
                }
                smallest = smallest.min(relative);
                let inverse = 1.0 / pivot.sqrt();
                row[first..].iter_mut().for_each(|x| *x *= inverse);
                for (q, other) in others.chunks_exact_mut(stride).enumerate() {
                    tile::subtract_scaled(simd, &mut other[first..], row[first + p + 1 + q], &row[first..]);
                }
            }
        }
        Some(smallest)
    }
}

/// The first four numbers of a row.
#[inline(always)]
fn four_of(row: &[f64]) -> [f64; HEIGHT] {
    [row[0], row[1], row[2], row[3]]
}

/// `x ← U⁻ᵀ x` for every row x of `X`, with ones on the diagonal of U.
pub(crate) fn solve_unit_rows(u: &Blocks, n: usize, X: &mut Blocks) {
    let (u_stride, x_stride) = (u.stride(), X.stride());
    Arch::new().dispatch(SolveUnitRows { u: u.flat(), u_stride, n, x: X.flat_mut(), x_stride });
}

struct SolveUnitRows<'a> {
    u: &'a [f64],
    u_stride: usize,
    n: usize,
    x: &'a mut [f64],
    x_stride: usize,
}

impl WithSimd for SolveUnitRows<'_> {
    type Output = ();

    /// Some columns after the other: first what the columns before take from them, then those among themselves.
    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { u, u_stride, n, x, x_stride } = self;
        for start in (0..n).step_by(tile::width::<S>()) {
            let end = n.min(start + tile::width::<S>());
            let (above, beside) = u.split_at(start * u_stride);
            for four in x.chunks_mut(HEIGHT * x_stride) {
                let mut c = Tile::load(simd, &four[start..], x_stride, (four.len() / x_stride, end - start));
                c.subtract(
                    simd,
                    tile::columns_of(four, x_stride, 0..start)
                        .zip(above.chunks_exact(u_stride).map(|row| &row[start..])),
                );
                c.store(simd, &mut four[start..], x_stride);
                // Column after column, as the four rows do not depend on each other.
                let mut columns = [[0.0; HEIGHT]; WIDEST];
                let columns = &mut columns[..end - start];
                for (i, row) in four.chunks_exact(x_stride).enumerate() {
                    columns.iter_mut().zip(&row[start..]).for_each(|(column, x)| column[i] = *x);
                }
                for (k, row) in beside.chunks_exact(u_stride).take(columns.len()).enumerate() {
                    let (done, rest) = columns.split_at_mut(k + 1);
                    for (column, u) in rest.iter_mut().zip(&row[start + k + 1..]) {
                        column.iter_mut().zip(done[k]).for_each(|(x, done)| *x -= u * done);
                    }
                }
                for (i, row) in four.chunks_exact_mut(x_stride).enumerate() {
                    columns.iter().zip(&mut row[start..]).for_each(|(column, x)| *x = column[i]);
                }
            }
        }
    }
}

/// `y += s x` for rows of whole blocks and returns the largest magnitude of the new y, with the widest
/// registers that the machine has. The result does not depend on which: nothing is fused, and what is not a number
/// is passed over wherever it stands.
pub(crate) fn add_scaled_and_measure(y: &mut [f64], s: f64, x: &[f64]) -> f64 {
    Arch::new().dispatch(AddScaled { y, s, x })
}

struct AddScaled<'a> {
    y: &'a mut [f64],
    s: f64,
    x: &'a [f64],
}

impl WithSimd for AddScaled<'_> {
    type Output = f64;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> f64 {
        let (y, y_rest) = S::as_mut_simd_f64s(self.y);
        let (x, x_rest) = S::as_simd_f64s(self.x);
        let s = simd.splat_f64s(self.s);
        let mut largest = simd.splat_f64s(0.0);
        for (y, x) in y.iter_mut().zip(x) {
            // Two roundings, as everywhere else: the same bits on every machine.
            *y = simd.add_f64s(*y, simd.mul_f64s(s, *x));
            let size = simd.abs_f64s(*y);
            largest = simd.select_f64s(simd.greater_than_f64s(size, largest), size, largest);
        }
        let mut largest = simd.reduce_max_f64s(largest);
        for (y, x) in y_rest.iter_mut().zip(x_rest) {
            *y += self.s * x;
            largest = if y.abs() > largest { y.abs() } else { largest };
        }
        largest
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use pulp::{Scalar, Scalar128b, Scalar256b, Scalar512b};

    /// Numbers between -1/2 and 1/2.
    pub(in super::super) fn numbers(count: usize) -> Vec<f64> {
        let mut seed = 1u64;
        let next = || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 11) as f64 / (1u64 << 53) as f64 - 0.5
        };
        std::iter::repeat_with(next).take(count).collect()
    }

    pub(in super::super) fn blocks(rows: usize, columns: usize, entry: impl Fn(usize, usize) -> f64) -> Blocks {
        let mut a = Blocks::default();
        a.shape(rows, columns);
        for i in 0..rows {
            a.numbers_mut(i).iter_mut().enumerate().for_each(|(j, a)| *a = entry(i, j));
        }
        a
    }

    fn definite(n: usize) -> Blocks {
        let g = numbers(n * n);
        blocks(n, n, |i, j| (0..n).map(|k| g[i * n + k] * g[j * n + k]).sum::<f64>() + f64::from(i == j))
    }

    pub(in super::super) const SIZES: [(usize, usize); 6] = [(1, 32), (3, 33), (25, 38), (33, 33), (48, 64), (61, 99)];

    #[test]
    fn tiles_do_what_plain_loops_do_to_the_last_bit() {
        for (p, n) in SIZES {
            let (start, mut plain, mut found) = (definite(n), definite(n), definite(n));
            let mut smallest: f64 = 1.0;
            for k in 0..n {
                smallest = smallest.min(plain.get(k, k) / start.get(k, k));
                let inverse = 1.0 / plain.get(k, k).sqrt();
                plain.numbers_mut(k)[k..].iter_mut().for_each(|x| *x *= inverse);
                for i in k + 1..n {
                    for j in i..n {
                        plain.set(i, j, plain.get(i, j) - plain.get(k, i) * plain.get(k, j));
                    }
                }
            }
            let mut diagonal = vec![0.0; n];
            assert_eq!(cholesky(&mut found, n, 1e-3, &mut diagonal), Some(smallest));
            for (i, diagonal) in diagonal.iter().enumerate() {
                assert_eq!(*diagonal, start.get(i, i));
                assert_eq!(found.numbers(i)[i..], plain.numbers(i)[i..]);
            }
            assert_eq!(cholesky(&mut definite(n), n, 1.0, &mut diagonal), None);

            let x = numbers(p * n);
            let (mut plain, mut found) = (blocks(p, n, |i, j| x[i * n + j]), blocks(p, n, |i, j| x[i * n + j]));
            for i in 0..p {
                for k in 0..n {
                    for j in k + 1..n {
                        plain.set(i, j, plain.get(i, j) - start.get(k, j) * plain.get(i, k));
                    }
                }
            }
            solve_unit_rows(&start, n, &mut found);
            assert_eq!(found.flat(), plain.flat());
        }
    }

    /// All that the kernels of this file compute, in registers of one width.
    struct Bits(usize, usize);

    impl WithSimd for Bits {
        type Output = Vec<u64>;

        fn with_simd<S: Simd>(self, simd: S) -> Vec<u64> {
            let Self(p, n) = self;
            let mut u = definite(n);
            let stride = u.stride();
            let diagonal: Vec<f64> = (0..n).map(|i| u.get(i, i)).collect();
            let a = u.flat_mut();
            let smallest = simd.vectorize(Cholesky { a, stride, n, least: 0.0, diagonal: &diagonal });
            let numbers = numbers(p * n);
            let mut x = blocks(p, n, |i, j| numbers[i * n + j]);
            simd.vectorize(SolveUnitRows { u: u.flat(), u_stride: stride, n, x: x.flat_mut(), x_stride: stride });
            let upper = (0..n).flat_map(|i| &u.numbers(i)[i..]);
            upper.chain(x.flat()).chain(&smallest).map(|x| x.to_bits()).collect()
        }
    }

    #[test]
    fn the_width_of_registers_changes_no_bit_of_large_matrices() {
        for (p, n) in SIZES {
            let expected = Arch::new().dispatch(Bits(p, n));
            assert_eq!(Scalar::new().vectorize(Bits(p, n)), expected);
            assert_eq!(Scalar128b.vectorize(Bits(p, n)), expected);
            assert_eq!(Scalar256b.vectorize(Bits(p, n)), expected);
            assert_eq!(Scalar512b.vectorize(Bits(p, n)), expected);
        }
    }

    /// Registers of one, two, four and eight numbers, and those of this machine.
    #[test]
    fn the_width_of_registers_changes_no_bit() {
        for (length, spoiled) in [(4, None), (12, None), (36, None), (36, Some(3)), (36, Some(20)), (36, Some(35))] {
            let x: Vec<f64> = (0..length).map(|i| 0.1 + 0.37 * f64::from(i)).collect();
            let mut start: Vec<f64> = (0..length).map(|i| 1.0 / (1.0 + f64::from(i)) - 0.3).collect();
            if let Some(at) = spoiled {
                start[at] = f64::NAN;
            }
            let mut expected = start.clone();
            let largest = add_scaled_and_measure(&mut expected, -0.7, &x);
            assert!(largest > 0.0);
            macro_rules! check {
                ($($simd:expr),*) => {$({
                    let mut y = start.clone();
                    let found = $simd.vectorize(AddScaled { y: &mut y, s: -0.7, x: &x });
                    assert_eq!(found.to_bits(), largest.to_bits());
                    assert!(y.iter().zip(&expected).all(|(a, b)| a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()));
                })*};
            }
            check!(Scalar, Scalar128b, Scalar256b, Scalar512b);
        }
    }
}
