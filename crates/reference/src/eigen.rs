//! Symmetric matrices: eigenvalues by Jacobi's method, `M^{1/2}`, `M^{-1/2}`; and the plain inverse.

use crate::matrix::Matrix;
use crate::real::Real;
use crate::svd::{rotate, rotation};

/// `matrix = vectors diag(values) vectorsᵀ` with orthonormal columns in `vectors`, in no special order.
#[derive(Clone, Debug)]
pub struct Eigen<T> {
    /// The eigenvalues.
    pub values: Vec<T>,
    /// The eigenvectors, as columns.
    pub vectors: Matrix<T>,
}

impl<T: Real> Eigen<T> {
    /// `vectors diag(f(values)) vectorsᵀ`.
    pub fn map(&self, f: impl Fn(T) -> T) -> Matrix<T> {
        let values: Vec<T> = self.values.iter().map(|&x| f(x)).collect();
        &self.vectors * Matrix::diagonal(&values) * self.vectors.transpose()
    }
}

/// Eigenvalues and eigenvectors of a symmetric matrix, by cyclic Jacobi rotations.
///
/// An entry counts as zero beside the geometric mean of its two diagonal entries, not beside the norm:
/// a small mass keeps its digits beside a large one (Demmel & Veselić 1992).
pub fn eigen_symmetric<T: Real>(matrix: &Matrix<T>) -> Eigen<T> {
    let n = matrix.rows();
    let mut S = matrix.clone();
    let mut vectors: Vec<Vec<T>> = (0..n).map(|j| Matrix::identity(n).column_at(j)).collect();
    const SWEEPS: usize = 80; // ten suffice in practice; the bound only makes the end certain
    for _ in 0..SWEEPS {
        let mut rotated = false;
        for i in 0..n {
            for j in i + 1..n {
                let (ii, jj, ij) = (S.get(i, i), S.get(j, j), S.get(i, j));
                if ij.abs() <= T::EPSILON * ii.abs().sqrt() * jj.abs().sqrt() {
                    continue;
                }
                rotated = true;
                let (c, s) = rotation(ii, jj, ij);
                // S ← Rᵀ S R: off the 2 x 2 block only one of the two products acts on an entry.
                for k in (0..n).filter(|&k| k != i && k != j) {
                    let (x, y) = (S.get(k, i), S.get(k, j));
                    set_symmetric(&mut S, k, i, c * x - s * y);
                    set_symmetric(&mut S, k, j, s * x + c * y);
                }
                let shift = s / c * ij;
                S.set(i, i, ii - shift);
                S.set(j, j, jj + shift);
                set_symmetric(&mut S, i, j, T::zero());
                rotate(&mut vectors, i, j, c, s);
            }
        }
        if !rotated {
            break;
        }
    }
    let values = (0..n).map(|i| S.get(i, i)).collect();
    Eigen { values, vectors: Matrix::from_columns(n, &vectors) }
}

fn set_symmetric<T: Real>(S: &mut Matrix<T>, i: usize, j: usize, x: T) {
    S.set(i, j, x);
    S.set(j, i, x);
}

/// The symmetric square root of a positive semi-definite matrix; eigenvalues below zero count as zero.
pub fn sqrt_psd<T: Real>(matrix: &Matrix<T>) -> Matrix<T> {
    eigen_symmetric(matrix).map(|x| x.max(T::zero()).sqrt())
}

/// `M^{1/2}` and `M^{-1/2}` of a positive definite matrix, or nothing if an eigenvalue is not above zero.
pub fn square_roots<T: Real>(M: &Matrix<T>) -> Option<(Matrix<T>, Matrix<T>)> {
    let eigen = eigen_symmetric(M);
    let positive = eigen.values.iter().all(|&x| x > T::zero());
    positive.then(|| (eigen.map(|x| x.sqrt()), eigen.map(|x| T::one() / x.sqrt())))
}

/// Whether a symmetric matrix is positive definite beyond the rounding of its entries to `f64`.
///
/// By the pivots of Cholesky's method with the diagonal scaled to one: masses over twelve orders pass, a
/// singular `M` that rounding made regular does not. The threshold is that of `f64` in any precision,
/// since that is where the entries come from.
pub fn is_definite<T: Real>(M: &Matrix<T>) -> bool {
    let n = M.rows();
    if (0..n).any(|i| !matches!(M.get(i, i).partial_cmp(&T::zero()), Some(std::cmp::Ordering::Greater))) {
        return false;
    }
    let root: Vec<T> = (0..n).map(|i| M.get(i, i).sqrt()).collect();
    let mut S = Matrix::from_fn(n, n, |i, j| M.get(i, j) / (root[i] * root[j]));
    let least = T::from_f64(1e-13);
    for k in 0..n {
        let pivot = S.get(k, k);
        if pivot <= least {
            return false;
        }
        for i in k + 1..n {
            let factor = S.get(i, k) / pivot;
            for j in k + 1..n {
                let x = S.get(i, j) - factor * S.get(k, j);
                S.set(i, j, x);
            }
        }
    }
    true
}

/// The inverse of a square matrix by Gauss and Jordan with row exchanges; nothing if a pivot vanishes.
pub fn inverse<T: Real>(matrix: &Matrix<T>) -> Option<Matrix<T>> {
    let n = matrix.rows();
    let mut left = matrix.clone();
    let mut right = Matrix::identity(n);
    for k in 0..n {
        let pivot_row = (k..n).fold(k, |best, i| if left.get(i, k).abs() > left.get(best, k).abs() { i } else { best });
        let pivot = left.get(pivot_row, k);
        if pivot == T::zero() {
            return None;
        }
        for side in [&mut left, &mut right] {
            for j in 0..n {
                let (x, y) = (side.get(pivot_row, j), side.get(k, j));
                side.set(pivot_row, j, y);
                side.set(k, j, x / pivot);
            }
        }
        for i in (0..n).filter(|&i| i != k) {
            let factor = left.get(i, k);
            for side in [&mut left, &mut right] {
                for j in 0..n {
                    let x = side.get(i, j) - factor * side.get(k, j);
                    side.set(i, j, x);
                }
            }
        }
    }
    Some(right)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Draw;
    use crate::real::Twofold;
    use holonom_random::Random;

    fn roots<T: Real>() {
        let mut random = Random::new(20);
        let bound = 500.0 * T::EPSILON.to_f64();
        for n in 0..7 {
            for rank in 0..=n {
                let M: Matrix<T> = random.mass(n, rank);
                let root = sqrt_psd(&M);
                assert!((&root * &root - &M).max_abs().to_f64() < bound, "n = {n}, rank {rank}");
                let vectors = eigen_symmetric(&M).vectors;
                let gram = vectors.transpose() * &vectors;
                assert!((gram - Matrix::identity(n)).max_abs().to_f64() < bound);
            }
        }
    }

    #[test]
    fn square_roots_square_back() {
        roots::<f64>();
        roots::<Twofold>();
    }

    /// By hand: [2 1; 1 2] has eigenvalues 1 and 3.
    #[test]
    fn eigenvalues_by_hand() {
        let M = Matrix::<Twofold>::from_f64(2, 2, &[2.0, 1.0, 1.0, 2.0]);
        let values = eigen_symmetric(&M).values;
        assert!((values[0] - Twofold::one()).abs().to_f64() < 1e-30);
        assert!((values[1] - Twofold::from(3.0)).abs().to_f64() < 1e-30);
    }

    #[test]
    fn masses_over_twelve_orders_keep_their_digits() {
        let M = Matrix::<f64>::from_f64(2, 2, &[1e12, 0.5e6, 0.5e6, 1.0]);
        let (root, inverse_root) = square_roots(&M).unwrap();
        assert!((&root * &inverse_root - Matrix::identity(2)).max_abs() < 1e-9);
        let small = eigen_symmetric(&M).values[1];
        assert!((small - 0.75).abs() < 1e-12, "{small}"); // det / trace to within 1e-12
    }

    #[test]
    fn inverses_multiply_to_one() {
        let mut random = Random::new(21);
        for n in 0..8 {
            let A: Matrix<Twofold> = random.matrix(n, n);
            let product = &A * inverse(&A).unwrap();
            assert!((product - Matrix::identity(n)).max_abs().to_f64() < 1e-27, "n = {n}");
        }
        assert!(inverse(&Matrix::<f64>::from_f64(2, 2, &[1.0, 2.0, 2.0, 4.0])).is_none());
    }

    #[test]
    fn definite_means_beyond_rounding() {
        let definite = |entries: &[f64]| is_definite(&Matrix::<Twofold>::from_f64(2, 2, entries));
        assert!(definite(&[1e12, 0.5e6, 0.5e6, 1.0]));
        assert!(!definite(&[1.0, 1.0, 1.0, 1.0 + 4.0 * f64::EPSILON]));
        assert!(!definite(&[1.0, 0.0, 0.0, 0.0]));
        assert!(!definite(&[1.0, 2.0, 2.0, 1.0]));
        assert!(!definite(&[f64::NAN, 0.0, 0.0, 1.0]));
        assert!(square_roots(&Matrix::<f64>::from_f64(2, 2, &[1.0, 2.0, 2.0, 1.0])).is_none());
    }
}
