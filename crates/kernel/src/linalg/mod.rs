//! Factor, rank, least norm. It does not depend on mechanics.
//!
//! Matrices are row-major slices. Every factorisation owns its storage, is refilled in place and
//! allocates only for a problem that is larger than any before.

#![allow(non_snake_case)]

pub(crate) mod block;
pub mod cholesky;
pub(crate) mod dependency;
pub(crate) mod echelon;
pub(crate) mod lanes;
pub(crate) mod large;
mod large_lq;
mod light;
pub(crate) mod lq;
pub(crate) mod range;
pub(crate) mod rank;
pub(crate) mod reach;
pub(crate) mod root;
pub(crate) mod scale;
pub mod singular;
mod tile;
pub mod tolerance;
pub mod twofold;
pub mod vector;

/// Gives `v` the length `len`, every entry `value`, without allocating when it was that long before.
pub(crate) fn refill<T: Clone>(v: &mut Vec<T>, len: usize, value: T) {
    v.clear();
    v.resize(len, value);
}
