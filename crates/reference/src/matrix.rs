//! A dense matrix with the few operations the formulas need. No tricks: entry (i, j) is `data[i*cols + j]`.

use crate::real::Real;
use std::ops::{Add, Mul, Range, Sub};

/// A dense matrix, row by row. Either size may be zero.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix<T> {
    rows: usize,
    cols: usize,
    data: Vec<T>,
}

impl<T: Real> Matrix<T> {
    /// The matrix whose entry (i, j) is `entry(i, j)`; called row by row.
    pub fn from_fn(rows: usize, cols: usize, mut entry: impl FnMut(usize, usize) -> T) -> Matrix<T> {
        let mut data = Vec::with_capacity(rows * cols);
        for i in 0..rows {
            for j in 0..cols {
                data.push(entry(i, j));
            }
        }
        Matrix { rows, cols, data }
    }

    /// The matrix with the given entries, row by row.
    ///
    /// # Panics
    /// If `entries` does not hold `rows * cols` numbers.
    pub fn from_f64(rows: usize, cols: usize, entries: &[f64]) -> Matrix<T> {
        assert_eq!(entries.len(), rows * cols, "a {rows} x {cols} matrix");
        Matrix { rows, cols, data: lift(entries) }
    }

    /// All zeros.
    pub fn zeros(rows: usize, cols: usize) -> Matrix<T> {
        Matrix { rows, cols, data: vec![T::zero(); rows * cols] }
    }

    /// The identity of order n.
    pub fn identity(n: usize) -> Matrix<T> {
        Matrix::from_fn(n, n, |i, j| if i == j { T::one() } else { T::zero() })
    }

    /// The square matrix with the given diagonal.
    pub fn diagonal(entries: &[T]) -> Matrix<T> {
        let n = entries.len();
        Matrix::from_fn(n, n, |i, j| if i == j { entries[i] } else { T::zero() })
    }

    /// A vector as a matrix of one column.
    pub fn column(entries: &[T]) -> Matrix<T> {
        Matrix { rows: entries.len(), cols: 1, data: entries.to_vec() }
    }

    /// The matrix of n rows whose columns are the given vectors.
    pub fn from_columns(n: usize, columns: &[Vec<T>]) -> Matrix<T> {
        Matrix::from_fn(n, columns.len(), |i, j| columns[j][i])
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of columns.
    pub fn cols(&self) -> usize {
        self.cols
    }

    /// Entry (i, j), from zero.
    pub fn get(&self, i: usize, j: usize) -> T {
        self.data[i * self.cols + j]
    }

    /// Puts `x` at (i, j).
    pub fn set(&mut self, i: usize, j: usize, x: T) {
        self.data[i * self.cols + j] = x;
    }

    /// All entries, row by row.
    pub fn entries(&self) -> &[T] {
        &self.data
    }

    /// Row i.
    pub fn row(&self, i: usize) -> Vec<T> {
        (0..self.cols).map(|j| self.get(i, j)).collect()
    }

    /// Column j as a vector.
    pub fn column_at(&self, j: usize) -> Vec<T> {
        (0..self.rows).map(|i| self.get(i, j)).collect()
    }

    /// The columns of a range, as a matrix.
    pub fn columns(&self, range: Range<usize>) -> Matrix<T> {
        Matrix::from_fn(self.rows, range.len(), |i, j| self.get(i, range.start + j))
    }

    /// The transpose.
    pub fn transpose(&self) -> Matrix<T> {
        Matrix::from_fn(self.cols, self.rows, |i, j| self.get(j, i))
    }

    /// `[self; below]`.
    ///
    /// # Panics
    /// If the two have different numbers of columns.
    pub fn stack(&self, below: &Matrix<T>) -> Matrix<T> {
        assert_eq!(self.cols, below.cols, "stacked matrices have equally many columns");
        let data = [self.data.as_slice(), &below.data].concat();
        Matrix { rows: self.rows + below.rows, cols: self.cols, data }
    }

    /// Every entry multiplied by `factor`.
    pub fn scaled(&self, factor: T) -> Matrix<T> {
        Matrix::from_fn(self.rows, self.cols, |i, j| self.get(i, j) * factor)
    }

    /// The greatest magnitude among the entries; zero if there are none.
    pub fn max_abs(&self) -> T {
        self.data.iter().fold(T::zero(), |greatest, x| greatest.max(x.abs()))
    }

    /// The entries rounded to `f64`.
    pub fn to_f64(&self) -> Matrix<f64> {
        Matrix { rows: self.rows, cols: self.cols, data: lower(&self.data) }
    }

    /// The entries of a matrix of one column, as a vector.
    pub(crate) fn into_vector(self) -> Vec<T> {
        debug_assert_eq!(self.cols, 1, "a vector is one column");
        self.data
    }
}

/// The same numbers in another type.
pub fn lift<T: Real>(entries: &[f64]) -> Vec<T> {
    entries.iter().map(|&x| T::from_f64(x)).collect()
}

/// The numbers rounded to `f64`.
pub fn lower<T: Real>(entries: &[T]) -> Vec<f64> {
    entries.iter().map(|x| x.to_f64()).collect()
}

/// The scalar product.
pub fn dot<T: Real>(x: &[T], y: &[T]) -> T {
    x.iter().zip(y).fold(T::zero(), |sum, (&x, &y)| sum + x * y)
}

/// The Euclidean norm, safe against overflow and underflow of the squares.
pub fn norm<T: Real>(x: &[T]) -> T {
    let greatest = x.iter().fold(T::zero(), |greatest, x| greatest.max(x.abs()));
    let scale = power_of_two_below(greatest.to_f64());
    let scaled: Vec<T> = x.iter().map(|&x| x / T::from_f64(scale)).collect();
    dot(&scaled, &scaled).sqrt() * T::from_f64(scale)
}

/// A power of two near `x > 0`, for scaling without rounding; 1 for zero.
pub(crate) fn power_of_two_below(x: f64) -> f64 {
    if x == 0.0 || !x.is_finite() { 1.0 } else { 2f64.powi((x.log2() as i32).clamp(-1000, 1000)) }
}

fn product<T: Real>(a: &Matrix<T>, b: &Matrix<T>) -> Matrix<T> {
    assert_eq!(a.cols, b.rows, "the columns of the left factor are the rows of the right one");
    Matrix::from_fn(a.rows, b.cols, |i, j| (0..a.cols).fold(T::zero(), |sum, k| sum + a.get(i, k) * b.get(k, j)))
}

fn entrywise<T: Real>(a: &Matrix<T>, b: &Matrix<T>, combine: impl Fn(T, T) -> T) -> Matrix<T> {
    assert_eq!((a.rows, a.cols), (b.rows, b.cols), "sums take matrices of one shape");
    Matrix::from_fn(a.rows, a.cols, |i, j| combine(a.get(i, j), b.get(i, j)))
}

/// Writes an operator for owned and borrowed operands, so that formulas read like formulas.
macro_rules! operator {
    ($trait:ident, $name:ident, |$a:ident, $b:ident| $body:expr) => {
        operator!(@one $trait, $name, Matrix<T>, Matrix<T>, |$a, $b| $body);
        operator!(@one $trait, $name, Matrix<T>, &Matrix<T>, |$a, $b| $body);
        operator!(@one $trait, $name, &Matrix<T>, Matrix<T>, |$a, $b| $body);
        operator!(@one $trait, $name, &Matrix<T>, &Matrix<T>, |$a, $b| $body);
    };
    (@one $trait:ident, $name:ident, $left:ty, $right:ty, |$a:ident, $b:ident| $body:expr) => {
        impl<T: Real> $trait<$right> for $left {
            type Output = Matrix<T>;
            #[allow(clippy::needless_borrow, reason = "one body serves owned and borrowed operands")]
            fn $name(self, right: $right) -> Matrix<T> {
                let ($a, $b): (&Matrix<T>, &Matrix<T>) = (&self, &right);
                $body
            }
        }
    };
}
operator!(Mul, mul, |a, b| product(a, b));
operator!(Add, add, |a, b| entrywise(a, b, |x, y| x + y));
operator!(Sub, sub, |a, b| entrywise(a, b, |x, y| x - y));

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(rows: usize, cols: usize, entries: &[f64]) -> Matrix<f64> {
        Matrix::from_f64(rows, cols, entries)
    }

    #[test]
    fn arithmetic_by_hand() {
        let a = matrix(2, 3, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        assert_eq!(&a * a.transpose(), matrix(2, 2, &[14.0, 32.0, 32.0, 77.0]));
        assert_eq!(&a - &a + &a, a.clone());
        assert_eq!(a.columns(1..3), matrix(2, 2, &[2.0, 3.0, 5.0, 6.0]));
        assert_eq!(a.stack(&matrix(1, 3, &[7.0, 8.0, 9.0])).column_at(0), [1.0, 4.0, 7.0]);
        assert_eq!(a.row(1), [4.0, 5.0, 6.0]);
        assert_eq!(Matrix::<f64>::identity(2) * &a, a);
    }

    /// No constraints at all: `A` is 0 x n and every formula must still make sense.
    #[test]
    fn empty_shapes_multiply_to_zero() {
        let none = Matrix::<f64>::zeros(0, 3);
        assert_eq!(none.transpose() * &none, Matrix::zeros(3, 3));
        assert_eq!(Matrix::<f64>::identity(3).stack(&none), Matrix::identity(3));
        assert_eq!(none.max_abs(), 0.0);
    }

    #[test]
    fn norms_do_not_overflow() {
        assert!((norm(&[3e200, 4e200]) / 5e200 - 1.0).abs() < 1e-15);
        assert!((norm(&[3e-200, 4e-200]) / 5e-200 - 1.0).abs() < 1e-15);
        assert_eq!(norm::<f64>(&[]), 0.0);
    }
}
