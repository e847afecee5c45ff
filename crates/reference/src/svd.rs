//! The singular value decomposition by Hestenes' one-sided Jacobi method, and the inverses made from it.
//!
//! Vectors are rotated in pairs until all are orthogonal; their lengths are then the singular values. The
//! method works on each vector relative to its own length, so rows that differ by fifteen orders keep
//! their digits as long as it is the rows that are rotated: [`svd`] picks the side that is scaled worse.

use crate::matrix::{Matrix, dot, norm, power_of_two_below};
use crate::real::Real;

/// How many singular values count as different from zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cut {
    /// Those greater than this fraction of the largest.
    Relative(f64),
    /// Exactly the k largest, because the rank is known (fewer only if some of these are zero).
    Rank(usize),
}

impl Cut {
    /// The rank of a matrix with these singular values, given in descending order.
    pub fn rank<T: Real>(self, values: &[T]) -> usize {
        let nonzero = values.iter().filter(|&&s| s > T::zero()).count();
        match self {
            Cut::Rank(k) => k.min(nonzero),
            Cut::Relative(tolerance) => {
                let least = values.first().map_or(T::zero(), |&s| s * T::from_f64(tolerance));
                values.iter().filter(|&&s| s > T::zero() && s > least).count()
            }
        }
    }
}

/// `matrix = u diag(s) vᵀ` with orthonormal columns in `u` and `v` and `s` in descending order.
#[derive(Clone, Debug)]
pub struct Svd<T> {
    /// Left singular vectors, rows x min(rows, cols).
    pub u: Matrix<T>,
    /// Singular values; zero where they are lost in the third power of the rounding.
    pub s: Vec<T>,
    /// Right singular vectors, cols x min(rows, cols).
    pub v: Matrix<T>,
}

impl<T: Real> Svd<T> {
    /// The inverse of the part of rank k, applied to `right` factor by factor.
    ///
    /// A product with the explicit inverse would spread the rounding of its largest entries over all
    /// directions; here each direction keeps its own.
    pub fn solve(&self, k: usize, right: &Matrix<T>) -> Matrix<T> {
        let along = self.u.columns(0..k).transpose() * right;
        let divided = Matrix::from_fn(k, right.cols(), |i, j| along.get(i, j) / self.s[i]);
        self.v.columns(0..k) * divided
    }
}

/// The singular value decomposition of any matrix: any shape, rank and scale, also empty.
pub fn svd<T: Real>(matrix: &Matrix<T>) -> Svd<T> {
    let transposed = matrix.transpose();
    let rows = spread(&transposed);
    let cols = spread(matrix);
    let rotate_rows = if rows > 16.0 * cols {
        true
    } else if cols > 16.0 * rows {
        false
    } else {
        matrix.rows() < matrix.cols() // fewer vectors, and none that must vanish
    };
    if rotate_rows {
        let (v, s, u) = rotate_columns(&transposed);
        Svd { u, s, v }
    } else {
        let (u, s, v) = rotate_columns(matrix);
        Svd { u, s, v }
    }
}

/// The ratio of the longest to the shortest nonzero column.
fn spread<T: Real>(matrix: &Matrix<T>) -> f64 {
    let lengths = (0..matrix.cols()).map(|j| norm(&matrix.column_at(j)).to_f64());
    let (least, greatest) = lengths
        .filter(|&length| length > 0.0)
        .fold((f64::INFINITY, 0.0), |(least, greatest), x| (least.min(x), f64::max(greatest, x)));
    if greatest > 0.0 { greatest / least } else { 1.0 }
}

/// Hestenes' method: `X J = W` with `J` orthogonal and the columns of `W` orthogonal to each other.
///
/// Returns the columns of `W` normalised, their lengths, and the columns of `J`, in descending order of
/// length, as many as the smaller size of `X`.
fn rotate_columns<T: Real>(X: &Matrix<T>) -> (Matrix<T>, Vec<T>, Matrix<T>) {
    let (d, p) = (X.rows(), X.cols());
    // A power of two changes no digit, and the squares below can neither overflow nor underflow.
    let scale = T::from_f64(power_of_two_below(X.max_abs().to_f64()));
    let mut W: Vec<Vec<T>> = (0..p).map(|j| X.column_at(j).iter().map(|&x| x / scale).collect()).collect();
    let mut J: Vec<Vec<T>> = (0..p).map(|j| Matrix::identity(p).column_at(j)).collect();
    sort_by_length(&mut W, &mut J); // long columns first: fewer sweeps where scales differ

    // More vectors than dimensions, or a lack of rank: some vectors must vanish. Each sweep leaves of
    // them only rounding, so they pass below this floor after three sweeps and are then left alone.
    let floor = T::EPSILON * T::EPSILON * T::EPSILON;
    let orthogonal = T::EPSILON * T::from_f64(d.max(4) as f64);
    const SWEEPS: usize = 80; // ten suffice in practice; the bound only makes the end certain
    for _ in 0..SWEEPS {
        let mut rotated = false;
        for i in 0..p {
            for j in i + 1..p {
                let (ii, jj, ij) = (dot(&W[i], &W[i]), dot(&W[j], &W[j]), dot(&W[i], &W[j]));
                let small = ii.sqrt() <= floor || jj.sqrt() <= floor;
                if small || ij.abs() <= orthogonal * ii.sqrt() * jj.sqrt() {
                    continue;
                }
                rotated = true;
                let (c, s) = rotation(ii, jj, ij);
                rotate(&mut W, i, j, c, s);
                rotate(&mut J, i, j, c, s);
            }
        }
        if !rotated {
            break;
        }
    }

    sort_by_length(&mut W, &mut J);
    W.truncate(d.min(p));
    J.truncate(d.min(p));
    let mut lengths: Vec<T> = W.iter().map(|w| norm(w)).collect();
    let kept = lengths.iter().filter(|&&length| length > floor).count();
    lengths[kept..].fill(T::zero());
    let unit: Vec<Vec<T>> =
        W[..kept].iter().zip(&lengths).map(|(w, &length)| w.iter().map(|&x| x / length).collect()).collect();
    let unit = Matrix::from_columns(d, &unit);
    let rest = complement(&unit);
    let full = Matrix::from_fn(d, W.len(), |i, j| if j < kept { unit.get(i, j) } else { rest.get(i, j - kept) });
    (full, lengths.iter().map(|&length| length * scale).collect(), Matrix::from_columns(p, &J))
}

/// Cosine and sine of the smaller rotation that takes `ij` to zero in `[ii ij; ij jj]`.
pub(crate) fn rotation<T: Real>(ii: T, jj: T, ij: T) -> (T, T) {
    let (gap, twice) = (jj - ii, ij + ij);
    let root = (gap * gap + twice * twice).sqrt();
    let tangent = if gap < T::zero() { twice / (gap - root) } else { twice / (gap + root) };
    let cosine = T::one() / (T::one() + tangent * tangent).sqrt();
    (cosine, cosine * tangent)
}

/// Vectors i and j become `c vᵢ - s vⱼ` and `s vᵢ + c vⱼ`.
pub(crate) fn rotate<T: Real>(vectors: &mut [Vec<T>], i: usize, j: usize, c: T, s: T) {
    for k in 0..vectors[i].len() {
        let (x, y) = (vectors[i][k], vectors[j][k]);
        vectors[i][k] = c * x - s * y;
        vectors[j][k] = s * x + c * y;
    }
}

fn sort_by_length<T: Real>(W: &mut Vec<Vec<T>>, J: &mut Vec<Vec<T>>) {
    let mut order: Vec<(f64, usize)> = W.iter().enumerate().map(|(j, w)| (norm(w).to_f64(), j)).collect();
    order.sort_by(|a, b| b.0.total_cmp(&a.0)); // stable: equal lengths keep their order
    *W = order.iter().map(|&(_, j)| W[j].clone()).collect();
    *J = order.iter().map(|&(_, j)| J[j].clone()).collect();
}

/// An orthonormal basis of the complement of the range of `basis`, whose columns are orthonormal.
pub fn complement<T: Real>(basis: &Matrix<T>) -> Matrix<T> {
    let n = basis.rows();
    let mut all: Vec<Vec<T>> = (0..basis.cols()).map(|j| basis.column_at(j)).collect();
    while all.len() < n {
        // The coordinate vector least contained so far; at least (n - k)/n of its square is left.
        let inside = |i: usize| all.iter().fold(T::zero(), |sum, v| sum + v[i] * v[i]);
        let start = (0..n).fold(0, |best, i| if inside(i) < inside(best) { i } else { best });
        let mut v = Matrix::identity(n).column_at(start);
        for _ in 0..2 {
            // twice is enough: the second pass removes the rounding of the first
            for u in &all {
                let along = dot(u, &v);
                for (x, &y) in v.iter_mut().zip(u) {
                    *x -= along * y;
                }
            }
        }
        let length = norm(&v);
        all.push(v.iter().map(|&x| x / length).collect());
    }
    Matrix::from_columns(n, &all[basis.cols()..])
}

/// The singular values, in descending order, min(rows, cols) of them.
pub fn singular_values<T: Real>(matrix: &Matrix<T>) -> Vec<T> {
    svd(matrix).s
}

/// The Moore–Penrose inverse.
pub fn pseudo_inverse<T: Real>(matrix: &Matrix<T>, cut: Cut) -> Matrix<T> {
    let factors = svd(matrix);
    factors.solve(cut.rank(&factors.s), &Matrix::identity(matrix.rows()))
}

/// An orthonormal basis of the null space, cols x (cols - rank).
pub fn null_space<T: Real>(matrix: &Matrix<T>, cut: Cut) -> Matrix<T> {
    let Svd { s, v, .. } = svd(matrix);
    complement(&v.columns(0..cut.rank(&s)))
}

/// An orthonormal basis of the row space of a matrix of known rank, cols x rank.
///
/// It is read off the rows brought to comparable length (by powers of two): else the rounding of a long
/// redundant row would be taken for a direction, and a short independent row be dropped.
pub fn row_space<T: Real>(matrix: &Matrix<T>, rank: usize) -> Matrix<T> {
    let Svd { s, v, .. } = svd(&(row_scales(matrix) * matrix));
    v.columns(0..Cut::Rank(rank).rank(&s))
}

/// The Moore–Penrose inverse `Y (A Y)⁺` of a matrix of known rank, `Y` its [`row_space`].
///
/// `A Y` has full column rank, so nothing is left to decide; least squares is in the rows as given.
pub fn pseudo_inverse_of_rank<T: Real>(matrix: &Matrix<T>, rank: usize) -> Matrix<T> {
    let Y = row_space(matrix, rank);
    let AY = matrix * &Y;
    Y * pseudo_inverse(&AY, Cut::Rank(rank))
}

/// The {1,4}-inverse `(D A)⁺ D`, `D` bringing the rows to comparable length: `A⁺ b` for consistent `b`.
pub fn row_scaled_inverse<T: Real>(matrix: &Matrix<T>, rank: usize) -> Matrix<T> {
    let D = row_scales(matrix);
    pseudo_inverse(&(&D * matrix), Cut::Rank(rank)) * D
}

fn row_scales<T: Real>(matrix: &Matrix<T>) -> Matrix<T> {
    let scales: Vec<T> =
        (0..matrix.rows()).map(|i| T::from_f64(1.0 / power_of_two_below(norm(&matrix.row(i)).to_f64()))).collect();
    Matrix::diagonal(&scales)
}

/// The {1,4}-inverse `A⁺ + W (I - A A⁺)`; every one of them is reached by some `W` (cols x rows).
pub fn one_four_inverse<T: Real>(A: &Matrix<T>, A_plus: &Matrix<T>, W: &Matrix<T>) -> Matrix<T> {
    A_plus + W * (Matrix::identity(A.rows()) - A * A_plus)
}

#[cfg(test)]
mod tests;
