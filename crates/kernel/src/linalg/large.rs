//! faer's blocked kernels for matrices above the crossover, on our row-major storage.
//!
//! The memory of a row-major matrix is that of its transpose, column-major, which is what faer likes
//! best. All scratch is kept, so nothing is allocated after the first call of a size.

use super::block::Blocks;
use super::vector::Pair;
use faer::dyn_stack::{MemBuffer, MemStack, StackReq};
use faer::linalg::cholesky::llt::factor::{LltParams, LltRegularization, cholesky_in_place, cholesky_in_place_scratch};
use faer::linalg::householder::{
    apply_block_householder_sequence_on_the_left_in_place_scratch,
    apply_block_householder_sequence_on_the_left_in_place_with_conj,
    apply_block_householder_sequence_transpose_on_the_left_in_place_with_conj,
};
use faer::linalg::qr::no_pivoting::factor::{QrParams, qr_in_place, qr_in_place_scratch, recommended_block_size};
use faer::linalg::triangular_solve::solve_unit_lower_triangular_in_place;
use faer::{Auto, Conj, MatMut, MatRef, Par, Spec};
use pulp::{Arch, Simd, WithSimd};

/// Below this dimension the hand-written kernels are faster (measured in `benches`).
pub(crate) const CROSSOVER: usize = 32;

/// Scratch memory that grows to the largest request and stays. A clone starts empty.
#[derive(Default)]
pub(crate) struct Scratch {
    buffer: Option<MemBuffer>,
    size: usize,
}

impl Clone for Scratch {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Scratch {
    fn stack(&mut self, request: StackReq) -> &mut MemStack {
        // Room for the alignment too, so that a smaller request of another alignment still fits.
        let size = request.unaligned_bytes_required();
        if self.size < size {
            self.size = size;
            self.buffer = None;
        }
        MemStack::new(self.buffer.get_or_insert_with(|| MemBuffer::new(StackReq::new::<u8>(size))))
    }
}

/// `A = UᵀU` in place for the upper half of A; the smallest pivot relative to its diagonal if all exceed `least`.
pub(crate) fn cholesky(a: &mut Blocks, n: usize, least: f64, scratch: &mut Scratch) -> Option<f64> {
    let params: Spec<LltParams, f64> = <LltParams as Auto<f64>>::auto().into();
    let stack = scratch.stack(cholesky_in_place_scratch::<f64>(n, Par::Seq, params));
    // Row-major upper is column-major lower.
    let stride = a.stride();
    let view = MatMut::from_column_major_slice_with_stride_mut(a.flat_mut(), n, n, stride);
    cholesky_in_place(view, LltRegularization::default(), Par::Seq, stack, params).ok()?;
    let mut smallest: f64 = 1.0;
    for i in 0..n {
        let diagonal: f64 = (0..=i).map(|k| a.get(k, i) * a.get(k, i)).sum();
        let relative = a.get(i, i) * a.get(i, i) / diagonal;
        if relative <= least || relative.is_nan() {
            return None;
        }
        smallest = smallest.min(relative);
    }
    Some(smallest)
}

/// `x ← U⁻ᵀ x` for every row x of `X`, with ones on the diagonal of U.
pub(crate) fn solve_unit_rows(u: &Blocks, n: usize, X: &mut Blocks) {
    let (rows, stride) = (X.rows(), X.stride());
    solve_unit_lower_triangular_in_place(
        MatRef::from_column_major_slice_with_stride(u.flat(), n, n, u.stride()),
        MatMut::from_column_major_slice_with_stride_mut(X.flat_mut(), n, rows, stride),
        Par::Seq,
    );
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

/// Blocked Householder factors of a p × r matrix, by rows.
#[derive(Clone, Default)]
pub(crate) struct LargeLq {
    coefficients: Vec<f64>,
    block: usize,
    scratch: Scratch,
}

impl LargeLq {
    /// Room for matrices of up to this size.
    pub(crate) fn reserve(&mut self, p: usize, r: usize) {
        if r >= CROSSOVER {
            let block = recommended_block_size::<f64>(r, p).max(1);
            self.coefficients.clear();
            self.coefficients.reserve(block * p);
            let params: Spec<QrParams, f64> = <QrParams as Auto<f64>>::auto().into();
            self.scratch.stack(qr_in_place_scratch::<f64>(r, p, block, Par::Seq, params));
        }
    }

    /// Factors in place: L̄ at and below the diagonal, reflections right of it.
    pub(crate) fn factor(&mut self, e: &mut Blocks, p: usize, r: usize) {
        self.block = recommended_block_size::<f64>(r, p).max(1);
        self.coefficients.resize(self.block * p, 0.0);
        let params: Spec<QrParams, f64> = <QrParams as Auto<f64>>::auto().into();
        let stack = self.scratch.stack(qr_in_place_scratch::<f64>(r, p, self.block, Par::Seq, params));
        let stride = e.stride();
        let view = MatMut::from_column_major_slice_with_stride_mut(e.flat_mut(), r, p, stride);
        let coefficients = MatMut::from_column_major_slice_mut(&mut self.coefficients, self.block, p);
        qr_in_place(view, coefficients, Par::Seq, stack, params);
    }

    /// `y ← Y y` for a pair of vectors.
    pub(crate) fn apply(&mut self, e: &Blocks, p: usize, r: usize, y: &mut [Pair]) {
        let request = apply_block_householder_sequence_on_the_left_in_place_scratch::<f64>(r, self.block, 2);
        apply_block_householder_sequence_on_the_left_in_place_with_conj(
            MatRef::from_column_major_slice_with_stride(e.flat(), r, p, e.stride()),
            MatRef::from_column_major_slice(&self.coefficients, self.block, p),
            Conj::No,
            MatMut::from_row_major_slice_mut(y[..r].as_flattened_mut(), r, 2),
            Par::Seq,
            self.scratch.stack(request),
        );
    }

    /// `y ← Yᵀ y` for a pair of vectors.
    pub(crate) fn apply_transposed(&mut self, e: &Blocks, p: usize, r: usize, y: &mut [Pair]) {
        let request = apply_block_householder_sequence_on_the_left_in_place_scratch::<f64>(r, self.block, 2);
        apply_block_householder_sequence_transpose_on_the_left_in_place_with_conj(
            MatRef::from_column_major_slice_with_stride(e.flat(), r, p, e.stride()),
            MatRef::from_column_major_slice(&self.coefficients, self.block, p),
            Conj::No,
            MatMut::from_row_major_slice_mut(y[..r].as_flattened_mut(), r, 2),
            Par::Seq,
            self.scratch.stack(request),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pulp::{Scalar, Scalar128b, Scalar256b, Scalar512b};

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
