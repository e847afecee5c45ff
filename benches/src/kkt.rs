//! Lagrange's multipliers: `[M −Aᵀ; A 0] [q̈; λ] = [Q + C; b]` by faer's LU. Dies on a repeated row.

use crate::systems::System;
use faer::Mat;
use faer::linalg::solvers::Solve;

/// q̈ and λ, one below the other.
pub fn solve(s: &System) -> Mat<f64> {
    let (n, m) = (s.n, s.m);
    let K = Mat::from_fn(n + m, n + m, |i, j| match (i < n, j < n) {
        (true, true) => s.M[i * n + j],
        (true, false) => -s.A[(j - n) * n + i],
        (false, true) => s.A[(i - n) * n + j],
        (false, false) => 0.0,
    });
    let right = Mat::from_fn(n + m, 1, |i, _| if i < n { s.Q[i] + s.C[i] } else { s.b[i - n] });
    K.partial_piv_lu().solve(right)
}
