//! The equation of motion, three times: as in 2005, as in 2006, and by parts.
//!
//! [`motion_2005`] needs `M > 0`. [`motion_2006`] takes any semi-definite `M` but stacks forces and
//! accelerations in one matrix: where their scales differ by 10¹⁵, even 32 digits are few.
//! [`motion_by_parts`] is the same vector with the two kept apart; compare against that one.
//!
//! Shapes that do not fit are a mistake in the calling test, and panic.

use crate::chain::{Mbar, Mhat, gauss, norm_squared};
use crate::eigen::{inverse, is_definite, square_roots};
use crate::matrix::{Matrix, lower};
use crate::real::Real;
use crate::svd::{
    Cut, complement, null_space, pseudo_inverse, pseudo_inverse_of_rank, row_space, singular_values, svd,
};

/// Everything the papers say about one instant.
#[derive(Clone, Debug)]
pub struct Reference<T> {
    /// The acceleration, of least norm where it is not unique (2006, (2.14) with η = 0).
    pub qdd: Vec<T>,
    /// The force of constraint were all constraints ideal; it does no virtual work.
    pub Qi: Vec<T>,
    /// The force added because they are not.
    pub Qni: Vec<T>,
    /// The reaction of least norm: `Qi + Qni = C + Aᵀλ`.
    pub lambda: Vec<T>,
    /// The ideal multiplier of least norm: `Qi = Aᵀλ`.
    pub lambda_ideal: Vec<T>,
    /// The rank of `A` that was used.
    pub rank_A: usize,
    /// The rank of `[M; A]` that was used: the motion is unique if it is n (2006, result 3).
    pub rank_Mhat: usize,
    /// An orthonormal basis of N(M) ∩ N(A), the undetermined directions, n x (n - rank_Mhat).
    pub null_space: Matrix<T>,
    /// `Π(Q + C)`: the force on directions that have neither mass nor constraint, Π their projector.
    pub unbalanced: Vec<T>,
    /// `A q̈ - b`: zero, or least in the rows as given where the constraints contradict each other.
    pub residual: Vec<T>,
    /// `‖q̈ - a - c‖²_M` for positive definite `M` (2005, (19)).
    pub gauss_deviation: Option<T>,
    /// `½ q̈ᵀM q̈ - (Q + C)ᵀq̈`, which no acceleration with the same `A q̈` can lower.
    pub gauss_general: T,
}

impl<T: Real> Reference<T> {
    /// The same answer rounded to `f64`.
    pub fn to_f64(&self) -> Reference<f64> {
        Reference {
            qdd: lower(&self.qdd),
            Qi: lower(&self.Qi),
            Qni: lower(&self.Qni),
            lambda: lower(&self.lambda),
            lambda_ideal: lower(&self.lambda_ideal),
            rank_A: self.rank_A,
            rank_Mhat: self.rank_Mhat,
            null_space: self.null_space.to_f64(),
            unbalanced: lower(&self.unbalanced),
            residual: lower(&self.residual),
            gauss_deviation: self.gauss_deviation.map(Real::to_f64),
            gauss_general: self.gauss_general.to_f64(),
        }
    }
}

/// How [`motion_2006`] reads the two ranks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cuts {
    /// For `A⁺`.
    pub A: Cut,
    /// For `M̄⁺` and for the null space of `[M; A]`: by lemma 3.1 the two have one null space.
    pub Mhat: Cut,
}

/// The two ranks, where they are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ranks {
    /// The rank of `A`.
    pub A: usize,
    /// The rank of `[M; A]`.
    pub Mhat: usize,
}

/// Udwadia 2005, (24) and (26), for positive definite `M`; nothing for any other `M`.
pub fn motion_2005<T: Real>(
    M: &Matrix<T>,
    Q: &[T],
    A: &Matrix<T>,
    b: &[T],
    C: &[T],
    rank_A: Cut,
) -> Option<Reference<T>> {
    let (_, M_inverse_root) = square_roots(M)?;
    let B_plus = pseudo_inverse(&(A * M_inverse_root), rank_A);
    motion_2005_with(M, Q, A, b, C, &B_plus)
}

/// The same with any {1,4}-inverse of `B = A M^{-1/2}` in place of `B⁺`, as the paper allows after (22).
pub fn motion_2005_with<T: Real>(
    M: &Matrix<T>,
    Q: &[T],
    A: &Matrix<T>,
    b: &[T],
    C: &[T],
    B_plus: &Matrix<T>,
) -> Option<Reference<T>> {
    let n = M.rows();
    let I = Matrix::identity(n);
    let (M_root, M_inverse_root) = square_roots(M)?;
    let M_inverse = inverse(M)?;
    let [Q, b, C] = [Q, b, C].map(Matrix::column);
    let a = &M_inverse * &Q; //                                              (2)
    let c = &M_inverse * &C; //                                              (18)
    let B = A * &M_inverse_root; //                                          (21)
    let r = B_plus * (&b - A * &a - A * &c); //                              (22)
    let qdd = &M_inverse_root * r + &a + &c; //                              (23)
    let Qi = &M_root * B_plus * (&b - A * &a); //                            (26)
    let Qni = &M_root * (I - B_plus * &B) * &M_inverse_root * &C; //         (26)
    // X B projects on the row space of B for every {1,4}-inverse X: its trace is the rank.
    let XB = B_plus * &B;
    let trace = (0..n).fold(T::zero(), |sum, i| sum + XB.get(i, i));
    let rank_A = trace.to_f64().round() as usize;
    let A_plus = pseudo_inverse_of_rank(A, rank_A);
    let N = Matrix::zeros(n, 0); // M v = 0 for no v
    Some(Found { qdd, Qi, Qni, A_plus, rank_A, N }.conclude(M, &Q, A, &b, &C))
}

/// Udwadia & Phohomsiri 2006, (2.14) with η = 0, and the split of the constraint force for singular `M`.
pub fn motion_2006<T: Real>(M: &Matrix<T>, Q: &[T], A: &Matrix<T>, b: &[T], C: &[T], cuts: Cuts) -> Reference<T> {
    let I = Matrix::identity(M.rows());
    let [Q, b, C] = [Q, b, C].map(Matrix::column);
    let no_b = Matrix::zeros(A.rows(), 1);
    let A_plus = pseudo_inverse(A, cuts.A); //                               (2.8)
    let Mbar_plus = pseudo_inverse(&Mbar(M, A, &A_plus), cuts.Mhat); //      (2.13)
    let qdd = &Mbar_plus * (&Q + &C).stack(&b); //                           (2.14)
    let N = null_space(&Mhat(M, A), cuts.Mhat); //                           result 3
    let Pi = &N * N.transpose(); //                                          on N(M) ∩ N(A)
    let Qi = M * &Mbar_plus * Q.stack(&b) - (I - &Pi) * &Q; //               ERRATA, gaps
    let Qni = M * &Mbar_plus * C.stack(&no_b) + Pi * &C; //                  ERRATA, gaps
    let rank_A = cuts.A.rank(&singular_values(A));
    Found { qdd, Qi, Qni, A_plus, rank_A, N }.conclude(M, &Q, A, &b, &C)
}

/// The vector of (2.14) as `A⁺b + Z (ZᵀMZ)⁺ Zᵀ(Q + C - M A⁺b)`, `Z` an orthonormal basis of N(A).
///
/// Why it is the same: `ZᵀM` and `ZᵀMZ` have one range as `M` is semi-definite, so the least squares of
/// (2.14) fall apart into `A q̈` nearest `b` and `ZᵀM q̈` nearest `Zᵀ(Q + C)`, and the two summands
/// are orthogonal. `rank_A` and `rank_Mhat`, the ranks of `A` and `[M; A]`, must be known.
pub fn motion_by_parts<T: Real>(
    M: &Matrix<T>,
    Q: &[T],
    A: &Matrix<T>,
    b: &[T],
    C: &[T],
    rank_A: usize,
    rank_Mhat: usize,
) -> Reference<T> {
    let A_plus = pseudo_inverse_of_rank(A, rank_A); // rows as given: least squares depends on them
    let ranks = Ranks { A: rank_A, Mhat: rank_Mhat };
    motion_by_parts_with(M, Q, A, b, C, &A_plus, ranks)
}

/// The same with any {1,4}-inverse `X` of `A` in place of `A⁺`: the same motion where `b` is consistent.
///
/// The multipliers are still those of least norm, by `A⁺`.
pub fn motion_by_parts_with<T: Real>(
    M: &Matrix<T>,
    Q: &[T],
    A: &Matrix<T>,
    b: &[T],
    C: &[T],
    X: &Matrix<T>,
    ranks: Ranks,
) -> Reference<T> {
    let I = Matrix::identity(M.rows());
    let [Q, b, C] = [Q, b, C].map(Matrix::column);
    let Z = complement(&row_space(A, ranks.A)); //                           N(A)
    let S = svd(&(Z.transpose() * M * &Z));
    let rank_S = Cut::Rank(ranks.Mhat.saturating_sub(ranks.A)).rank(&S.s);
    let N = &Z * complement(&S.v.columns(0..rank_S)); //                     N(M) ∩ N(A)
    let Pi = &N * N.transpose();
    // Z (ZᵀMZ)⁺ Zᵀ f, refined once: a heavy mass turns rounding of q̈ into a force.
    let free = |f: &Matrix<T>| {
        let first = &Z * S.solve(rank_S, &(Z.transpose() * f));
        let rest = f - M * &first;
        first + &Z * S.solve(rank_S, &(Z.transpose() * rest))
    };
    let Xb = X * &b;
    let ideal = &Xb + free(&(&Q - M * &Xb)); //                              M̄⁺[Q; b]
    let nonideal = free(&C); //                                              M̄⁺[C; 0]
    let qdd = &Xb + free(&(&Q + &C - M * &Xb)); //                           (2.14)
    let Qi = M * ideal - (I - &Pi) * &Q; //                                  ERRATA, gaps
    let Qni = M * nonideal + Pi * &C; //                                     ERRATA, gaps
    let A_plus = pseudo_inverse_of_rank(A, ranks.A);
    let rank_A = M.rows() - Z.cols();
    Found { qdd, Qi, Qni, A_plus, rank_A, N }.conclude(M, &Q, A, &b, &C)
}

/// What the three routes find, each in its way; `N` is an orthonormal basis of N(M) ∩ N(A).
struct Found<T> {
    qdd: Matrix<T>,
    Qi: Matrix<T>,
    Qni: Matrix<T>,
    A_plus: Matrix<T>,
    rank_A: usize,
    N: Matrix<T>,
}

impl<T: Real> Found<T> {
    /// What follows from it in one way.
    fn conclude(self, M: &Matrix<T>, Q: &Matrix<T>, A: &Matrix<T>, b: &Matrix<T>, C: &Matrix<T>) -> Reference<T> {
        let Found { qdd, Qi, Qni, A_plus, rank_A, N } = self;
        let n = M.rows();
        let At_plus = A_plus.transpose();
        let lambda_ideal = &At_plus * &Qi; //                                Qi = Aᵀλ
        let lambda = At_plus * (&Qi + &Qni - C); //                          Qi + Qni = C + Aᵀλ
        let unbalanced = &N * (N.transpose() * (Q + C));
        let residual = A * &qdd - b;
        let M_inverse = if is_definite(M) { inverse(M) } else { None };
        let gauss_deviation = M_inverse.map(|M_inverse| {
            let deviation = &qdd - M_inverse * (Q + C); //                   q̈ - a - c
            norm_squared(M, &deviation.into_vector()) //                    2005 (19)
        });
        let total = (Q + C).into_vector();
        let qdd = qdd.into_vector();
        Reference {
            gauss_general: gauss(M, &total, &qdd),
            qdd,
            Qi: Qi.into_vector(),
            Qni: Qni.into_vector(),
            lambda: lambda.into_vector(),
            lambda_ideal: lambda_ideal.into_vector(),
            rank_A,
            rank_Mhat: n - N.cols(),
            null_space: N,
            unbalanced: unbalanced.into_vector(),
            residual: residual.into_vector(),
            gauss_deviation,
        }
    }
}

#[cfg(test)]
mod tests;
