//! faer's blocked kernels for matrices above the crossover, on our row-major storage.
//!
//! The memory of a row-major matrix is that of its transpose, column-major, which is what faer likes
//! best. All scratch is kept, so nothing is allocated after the first call of a size.

use faer::dyn_stack::{MemBuffer, MemStack, StackReq};
use faer::linalg::cholesky::llt::factor::{LltParams, LltRegularization, cholesky_in_place, cholesky_in_place_scratch};
use faer::linalg::householder::{
    apply_block_householder_sequence_on_the_left_in_place_scratch,
    apply_block_householder_sequence_on_the_left_in_place_with_conj,
    apply_block_householder_sequence_transpose_on_the_left_in_place_with_conj,
};
use faer::linalg::qr::no_pivoting::factor::{QrParams, qr_in_place, qr_in_place_scratch, recommended_block_size};
use faer::linalg::triangular_solve::solve_lower_triangular_in_place;
use faer::{Auto, Conj, MatMut, MatRef, Par, Spec};

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

/// `A = L Lᵀ` in place for a full symmetric A; the smallest pivot relative to its diagonal if all exceed `least`.
pub(crate) fn cholesky(a: &mut [f64], n: usize, least: f64, scratch: &mut Scratch) -> Option<f64> {
    let params: Spec<LltParams, f64> = <LltParams as Auto<f64>>::auto().into();
    let stack = scratch.stack(cholesky_in_place_scratch::<f64>(n, Par::Seq, params));
    let view = MatMut::from_column_major_slice_mut(a, n, n);
    cholesky_in_place(view, LltRegularization::default(), Par::Seq, stack, params).ok()?;
    let mut smallest: f64 = 1.0;
    for i in 0..n {
        for j in 0..i {
            // Column-major lower is row-major upper: bring it to where our kernels look.
            a[i * n + j] = a[j * n + i];
        }
        let row = &a[i * n..=i * n + i];
        let diagonal: f64 = row.iter().map(|l| l * l).sum();
        let relative = row[i] * row[i] / diagonal;
        if relative <= least || relative.is_nan() {
            return None;
        }
        smallest = smallest.min(relative);
    }
    Some(smallest)
}

/// `x ← L⁻¹ x` for every row x of `X`.
pub(crate) fn solve_lower_rows(l: &[f64], n: usize, X: &mut [f64]) {
    let rows = X.len() / n;
    solve_lower_triangular_in_place(
        MatRef::from_row_major_slice(l, n, n),
        MatMut::from_column_major_slice_mut(X, n, rows),
        Par::Seq,
    );
}

/// Blocked Householder factors of a p × r matrix, by rows.
#[derive(Clone, Default)]
pub(crate) struct LargeLq {
    coefficients: Vec<f64>,
    block: usize,
    scratch: Scratch,
}

impl LargeLq {
    /// Factors in place: L̄ at and below the diagonal of the row-major matrix, reflections right of it.
    pub(crate) fn factor(&mut self, e: &mut [f64], p: usize, r: usize) {
        self.block = recommended_block_size::<f64>(r, p).max(1);
        super::refill(&mut self.coefficients, self.block * p, 0.0);
        let params: Spec<QrParams, f64> = <QrParams as Auto<f64>>::auto().into();
        let stack = self.scratch.stack(qr_in_place_scratch::<f64>(r, p, self.block, Par::Seq, params));
        let view = MatMut::from_column_major_slice_mut(e, r, p);
        let coefficients = MatMut::from_column_major_slice_mut(&mut self.coefficients, self.block, p);
        qr_in_place(view, coefficients, Par::Seq, stack, params);
    }

    /// `y ← Y y`.
    pub(crate) fn apply(&mut self, e: &[f64], p: usize, r: usize, y: &mut [f64]) {
        let request = apply_block_householder_sequence_on_the_left_in_place_scratch::<f64>(r, self.block, 1);
        apply_block_householder_sequence_on_the_left_in_place_with_conj(
            MatRef::from_column_major_slice(e, r, p),
            MatRef::from_column_major_slice(&self.coefficients, self.block, p),
            Conj::No,
            MatMut::from_column_major_slice_mut(y, r, 1),
            Par::Seq,
            self.scratch.stack(request),
        );
    }

    /// `y ← Yᵀ y`.
    pub(crate) fn apply_transposed(&mut self, e: &[f64], p: usize, r: usize, y: &mut [f64]) {
        let request = apply_block_householder_sequence_on_the_left_in_place_scratch::<f64>(r, self.block, 1);
        apply_block_householder_sequence_transpose_on_the_left_in_place_with_conj(
            MatRef::from_column_major_slice(e, r, p),
            MatRef::from_column_major_slice(&self.coefficients, self.block, p),
            Conj::No,
            MatMut::from_column_major_slice_mut(y, r, 1),
            Par::Seq,
            self.scratch.stack(request),
        );
    }
}
