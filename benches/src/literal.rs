//! The papers' formulas as they stand, with faer's SVD and eigenvalues for ⁺ and M^{1/2}.

use crate::systems::System;
use faer::{Mat, MatRef};

fn matrix(a: &[f64], rows: usize, columns: usize) -> MatRef<'_, f64> {
    MatRef::from_row_major_slice(a, rows, columns)
}

fn pseudo_inverse(a: MatRef<'_, f64>) -> Mat<f64> {
    let svd = a.thin_svd().expect("the SVD converges");
    let (u, s, v) = (svd.U(), svd.S().column_vector(), svd.V());
    let tolerance = 1e-13 * s[0];
    let scaled = Mat::from_fn(v.nrows(), v.ncols(), |i, j| if s[j] > tolerance { v[(i, j)] / s[j] } else { 0.0 });
    scaled * u.transpose()
}

/// Udwadia 2005, eq. 26: M^{1/2} by eigenvalues, (A M^{-1/2})⁺ by SVD; q̈ and both forces.
pub fn definite(s: &System) -> (Mat<f64>, Mat<f64>, Mat<f64>) {
    let (n, m) = (s.n, s.m);
    let (M, A) = (matrix(&s.M, n, n), matrix(&s.A, m, n));
    let (Q, b, C) = (matrix(&s.Q, n, 1), matrix(&s.b, m, 1), matrix(&s.C, n, 1));
    let eigen = M.self_adjoint_eigen(faer::Side::Lower).expect("the eigenvalues converge");
    let (V, w) = (eigen.U(), eigen.S().column_vector());
    let power = |p: f64| Mat::from_fn(n, n, |i, j| V[(i, j)] * w[j].powf(p)) * V.transpose();
    let (root, inverse_root) = (power(0.5), power(-0.5));
    let B = A * &inverse_root;
    let Bp = pseudo_inverse(B.as_ref());
    let a = &inverse_root * (&inverse_root * Q);
    let Qi = &root * (&Bp * (b - A * &a));
    let half = &inverse_root * C;
    let Qni = &root * (&half - &Bp * (&B * &half));
    let qdd = &inverse_root * (&inverse_root * (Q + &Qi + &Qni));
    (qdd, Qi, Qni)
}

/// Udwadia & Phohomsiri 2006, eq. 2.15: q̈ = M̄⁺[Q + C; b].
pub fn general(s: &System) -> Mat<f64> {
    let (n, m) = (s.n, s.m);
    let (M, A) = (matrix(&s.M, n, n), matrix(&s.A, m, n));
    let PM = M - pseudo_inverse(A) * (A * M);
    let Mbar = Mat::from_fn(n + m, n, |i, j| if i < n { PM[(i, j)] } else { A[(i - n, j)] });
    let right = Mat::from_fn(n + m, 1, |i, _| if i < n { s.Q[i] + s.C[i] } else { s.b[i - n] });
    pseudo_inverse(Mbar.as_ref()) * right
}
