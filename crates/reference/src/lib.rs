//! The formulas of the papers, written down literally, generic in the number type.
//!
//! Tests and benchmarks compare Holonom with this crate. It shares no code with Holonom, depends on
//! nothing, and is slow on purpose: dense matrices, explicit pseudo-inverses by one-sided Jacobi, and
//! [`Twofold`] numbers of 32 digits where 16 are not enough. Callers state the ranks, or the tolerance
//! that decides them: reliable rank decisions are the task of Holonom's kernel.
//! The symbols are the papers': `M q̈ = Q + Qi + Qni`, `A q̈ = b`, and `vᵀ(Qi + Qni) = vᵀC` for every `v`
//! with `A v = 0`.
#![allow(non_snake_case)]

mod chain;
mod eigen;
mod matrix;
mod papers;
#[cfg(test)]
mod random;
mod real;
mod svd;

pub use chain::{J, K, K1, K1_general, Mbar, Mhat, U, V, gauss, norm_squared};
pub use eigen::{Eigen, eigen_symmetric, inverse, is_definite, sqrt_psd, square_roots};
pub use matrix::{Matrix, dot, lift, lower, norm};
pub use papers::{
    Cuts, Ranks, Reference, motion_2005, motion_2005_with, motion_2006, motion_by_parts, motion_by_parts_with,
};
pub use real::{Real, Twofold};
pub use svd::{
    Cut, Svd, complement, null_space, one_four_inverse, pseudo_inverse, pseudo_inverse_of_rank, row_scaled_inverse,
    row_space, singular_values, svd,
};
