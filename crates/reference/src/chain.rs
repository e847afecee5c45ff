//! The matrices the papers name on the way: `K`, `K₁`, `M̄`, `M̂`, and `V`, `J`, `U` of the 2006 proof.

use crate::eigen::{inverse, square_roots};
use crate::matrix::{Matrix, dot};
use crate::real::Real;
use crate::svd::{Cut, pseudo_inverse};

/// `K = M^{1/2} (A M^{-1/2})⁺` (1992, after (5a')); nothing unless `M > 0`.
pub fn K<T: Real>(M: &Matrix<T>, A: &Matrix<T>, rank_A: Cut) -> Option<Matrix<T>> {
    let (M_root, M_inverse_root) = square_roots(M)?;
    Some(M_root * pseudo_inverse(&(A * M_inverse_root), rank_A))
}

/// `K₁ = M^{-1/2} (A M^{-1/2})⁺` (1992, after (5c')); nothing unless `M > 0`.
pub fn K1<T: Real>(M: &Matrix<T>, A: &Matrix<T>, rank_A: Cut) -> Option<Matrix<T>> {
    let (_, M_inverse_root) = square_roots(M)?;
    let B_plus = pseudo_inverse(&(A * &M_inverse_root), rank_A);
    Some(M_inverse_root * B_plus)
}

/// The last m columns of `M̄⁺`: `K₁` for any semi-definite `M`.
pub fn K1_general<T: Real>(M: &Matrix<T>, A: &Matrix<T>, rank_A: Cut, rank_Mhat: Cut) -> Matrix<T> {
    let A_plus = pseudo_inverse(A, rank_A);
    let Mbar_plus = pseudo_inverse(&Mbar(M, A, &A_plus), rank_Mhat);
    Mbar_plus.columns(M.rows()..M.rows() + A.rows())
}

/// `M̄ = [(I - A⁺A)M; A]` (2006, (2.13)).
pub fn Mbar<T: Real>(M: &Matrix<T>, A: &Matrix<T>, A_plus: &Matrix<T>) -> Matrix<T> {
    let I = Matrix::identity(M.rows());
    ((I - A_plus * A) * M).stack(A)
}

/// `M̂ = [M; A]` (2006, lemma 3.1).
pub fn Mhat<T: Real>(M: &Matrix<T>, A: &Matrix<T>) -> Matrix<T> {
    M.stack(A)
}

/// `V = M^{1/2} (I - A⁺A)` (2006, (4.4)); nothing unless `M > 0`.
pub fn V<T: Real>(M: &Matrix<T>, A: &Matrix<T>, rank_A: Cut) -> Option<Matrix<T>> {
    let (M_root, _) = square_roots(M)?;
    let I = Matrix::identity(M.rows());
    Some(M_root * (I - pseudo_inverse(A, rank_A) * A))
}

/// `J = (BᵀB + VVᵀ)⁻¹` (2006, (4.8)); nothing unless `M > 0`.
pub fn J<T: Real>(M: &Matrix<T>, A: &Matrix<T>, rank_A: Cut) -> Option<Matrix<T>> {
    let (_, M_inverse_root) = square_roots(M)?;
    let B = A * M_inverse_root; //                                           (4.3)
    let V = V(M, A, rank_A)?; //                                             (4.4)
    inverse(&(B.transpose() * &B + &V * V.transpose()))
}

/// `U = (M̄ᵀM̄)⁺` (2006, (4.14)). Singular values are squared here: give the rank if it is known.
pub fn U<T: Real>(M: &Matrix<T>, A: &Matrix<T>, rank_A: Cut, rank_Mhat: Cut) -> Matrix<T> {
    let Mbar = Mbar(M, A, &pseudo_inverse(A, rank_A));
    pseudo_inverse(&(Mbar.transpose() * &Mbar), rank_Mhat)
}

/// `vᵀ Y v`, which the 2005 paper calls the `Y` norm and which is its square (after (14)).
pub fn norm_squared<T: Real>(Y: &Matrix<T>, v: &[T]) -> T {
    dot(v, &(Y * Matrix::column(v)).into_vector())
}

/// Gauss's function for any `M`, `½ q̈ᵀM q̈ - fᵀq̈` with `f = Q + C`.
pub fn gauss<T: Real>(M: &Matrix<T>, f: &[T], qdd: &[T]) -> T {
    T::from_f64(0.5) * norm_squared(M, qdd) - dot(f, qdd)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Draw;
    use crate::real::Twofold;
    use holonom_random::Random;

    fn assert_equal(x: Matrix<Twofold>, y: &Matrix<Twofold>, what: &str) {
        let error = (x - y).max_abs().to_f64();
        assert!(error < 1e-26 * (1.0 + y.max_abs().to_f64()), "{what}: {error:e}");
    }

    /// The proof of section 4 of the 2006 paper, line by line, with and without repeated rows.
    #[test]
    fn the_chain_of_2006() {
        let mut random = Random::new(30);
        for (n, rank, repeat) in [(3, 1, false), (4, 2, true), (6, 3, true), (5, 0, false)] {
            let M = random.mass::<Twofold>(n, n) + Matrix::identity(n);
            let once: Matrix<Twofold> = random.matrix(rank, n);
            let A = if repeat { once.stack(&once) } else { once };
            let cut = Cut::Rank(rank);
            let (M_root, M_inverse_root) = square_roots(&M).unwrap();
            let A_plus = pseudo_inverse(&A, cut);
            let B = &A * &M_inverse_root;
            let B_plus = pseudo_inverse(&B, cut);
            let V = V(&M, &A, cut).unwrap();
            let J = J(&M, &A, cut).unwrap();
            let U = U(&M, &A, cut, Cut::Rank(n));
            let Mbar = Mbar(&M, &A, &A_plus);
            let Mbar_plus = pseudo_inverse(&Mbar, Cut::Rank(n));
            assert_equal(&B * &V, &Matrix::zeros(A.rows(), n), "(4.2)");
            assert_equal(&J * B.transpose(), &B_plus, "(4.12)");
            assert_equal(&U * Mbar.transpose(), &Mbar_plus, "(4.13)");
            assert_equal(&M_inverse_root * &J * &M_inverse_root, &U, "(4.16)");
            let K = K(&M, &A, cut).unwrap();
            let K1 = K1(&M, &A, cut).unwrap();
            assert_equal(&M * &K1, &K, "K = M K1, 1992");
            assert_equal(&M_root * &B_plus, &K, "K, 1992");
            assert_equal(K1_general(&M, &A, cut, Cut::Rank(n)), &K1, "K1 in the inverse of Mbar");
        }
    }

    #[test]
    fn definite_only_where_the_papers_say_so() {
        let M = Matrix::<Twofold>::diagonal(&[Twofold::one(), Twofold::zero()]);
        let A = Matrix::from_f64(1, 2, &[1.0, 1.0]);
        let cut = Cut::Rank(1);
        assert!(K(&M, &A, cut).is_none() && K1(&M, &A, cut).is_none());
        assert!(V(&M, &A, cut).is_none() && J(&M, &A, cut).is_none());
        assert_eq!(Mhat(&M, &A).rows(), 3);
    }
}
