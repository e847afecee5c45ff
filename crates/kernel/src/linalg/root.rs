//! The symmetric square root of a positive definite matrix, and the inverse of that root.

use super::singular::left_singular;

/// `M^{1/2}` and `M^{-1/2}`, row-major; nothing where the n × n matrix is not positive definite.
///
/// With M = L Lᵀ, the left singular vectors of L are the eigenvectors of M, and its singular values the roots of their eigenvalues. One-sided
/// rotations find small ones to full relative accuracy, which rotations of M itself would not.
pub(crate) fn roots(n: usize, M: &[f64]) -> Option<(Vec<f64>, Vec<f64>)> {
    let L = lower(n, M)?;
    let (mut root, mut inverse) = (vec![0.0; n * n], vec![0.0; n * n]);
    for (sigma, u) in left_singular(n, n, &L) {
        for i in 0..n {
            for j in 0..n {
                root[i * n + j] += sigma * u[i] * u[j];
                inverse[i * n + j] += u[i] * u[j] / sigma;
            }
        }
    }
    inverse.iter().all(|x| x.is_finite()).then_some((root, inverse))
}

/// L with M = L Lᵀ, row-major.
fn lower(n: usize, M: &[f64]) -> Option<Vec<f64>> {
    let mut L = vec![0.0; n * n];
    for i in 0..n {
        for j in 0..=i {
            let sum: f64 = (0..j).map(|k| L[i * n + k] * L[j * n + k]).sum();
            let rest = M[i * n + j] - sum;
            if i == j {
                if rest.is_nan() || rest <= 0.0 {
                    return None;
                }
                L[i * n + i] = rest.sqrt();
            } else {
                L[i * n + j] = rest / L[j * n + j];
            }
        }
    }
    Some(L)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_are_the_matrix_and_its_inverse() {
        // Masses over ten orders, coupled.
        let M = [4.0, 1.0, 1e-5, 1.0, 3.0, -2e-5, 1e-5, -2e-5, 1e-9];
        let (root, inverse) = roots(3, &M).expect("it is positive definite");
        let at = |X: &[f64], i: usize, j: usize| X[3 * i + j];
        for i in 0..3 {
            for j in 0..3 {
                let square: f64 = (0..3).map(|k| at(&root, i, k) * at(&root, k, j)).sum();
                let unit: f64 = (0..3).map(|k| at(&root, i, k) * at(&inverse, k, j)).sum();
                let size = (at(&M, i, i) * at(&M, j, j)).sqrt();
                assert!((square - at(&M, i, j)).abs() < 1e-14 * size.max(1e-6), "{i} {j}: {square}");
                assert!((unit - f64::from(u8::from(i == j))).abs() < 1e-9, "{i} {j}: {unit}");
            }
        }
        assert!(roots(2, &[1.0, 1.0, 1.0, 1.0]).is_none() && roots(1, &[-1.0]).is_none());
    }
}
