//! Small dense systems of real and of complex numbers: factored in place, with row exchanges.
//!
//! The matrices of an implicit step are general ones, as many as there are coordinates: no mass matrix, no structure
//! that could be relied upon. Both kinds go through the same elimination.

use std::ops::{Add, Mul, Neg, Sub};

/// What elimination needs of a number.
pub(super) trait Scalar:
    Copy + Default + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Neg<Output = Self>
{
    /// Something that grows with the magnitude.
    fn size(self) -> f64;
    /// One over it.
    fn inverse(self) -> Self;
}

impl Scalar for f64 {
    fn size(self) -> f64 {
        self.abs()
    }

    fn inverse(self) -> Self {
        1.0 / self
    }
}

/// A complex number.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Complex {
    pub re: f64,
    pub im: f64,
}

impl Complex {
    pub fn new(re: f64, im: f64) -> Self {
        Self { re, im }
    }

    /// A real multiple.
    pub fn scaled(self, factor: f64) -> Self {
        Self::new(factor * self.re, factor * self.im)
    }
}

impl Add for Complex {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self::new(self.re + other.re, self.im + other.im)
    }
}

impl Sub for Complex {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self::new(self.re - other.re, self.im - other.im)
    }
}

impl Mul for Complex {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        Self::new(self.re * other.re - self.im * other.im, self.re * other.im + self.im * other.re)
    }
}

impl Neg for Complex {
    type Output = Self;

    fn neg(self) -> Self {
        Self::new(-self.re, -self.im)
    }
}

impl Scalar for Complex {
    fn size(self) -> f64 {
        self.re.abs().max(self.im.abs())
    }

    fn inverse(self) -> Self {
        // Scaled first: squares of large or small parts would leave the range of doubles.
        let scale = 1.0 / self.size();
        let small = self.scaled(scale);
        let factor = scale / (small.re * small.re + small.im * small.im);
        Self::new(factor * small.re, -factor * small.im)
    }
}

/// A square matrix and its factors, in the same place.
#[derive(Clone, Debug)]
pub(super) struct Lu<S> {
    n: usize,
    /// Row-major; after [`Lu::factor`] the multipliers below the diagonal, inverse pivots on it.
    entries: Vec<S>,
    /// The row that was exchanged with row k at step k.
    exchanges: Vec<usize>,
}

impl<S: Scalar> Lu<S> {
    pub fn new(n: usize) -> Self {
        Self { n, entries: vec![S::default(); n * n], exchanges: vec![0; n] }
    }

    /// Sets the matrix, entry by entry, and factors it; false if it is singular or holds what is no number.
    pub fn factor(&mut self, entry: impl Fn(usize, usize) -> S) -> bool {
        let n = self.n;
        for (i, row) in self.entries.chunks_exact_mut(n.max(1)).enumerate() {
            row.iter_mut().enumerate().for_each(|(j, x)| *x = entry(i, j));
        }
        for k in 0..n {
            let size = |i: usize| self.entries[i * n + k].size();
            let pivot = (k + 1..n).fold(k, |best, i| if size(i) > size(best) { i } else { best });
            let largest = size(pivot);
            if !(largest > 0.0 && largest < f64::INFINITY) {
                return false;
            }
            self.exchanges[k] = pivot;
            let (above, below) = self.entries.split_at_mut((k + 1) * n);
            let row = &mut above[k * n..];
            if pivot != k {
                row.swap_with_slice(&mut below[(pivot - k - 1) * n..(pivot - k) * n]);
            }
            row[k] = row[k].inverse();
            for other in below.chunks_exact_mut(n) {
                let factor = other[k] * row[k];
                other[k] = factor;
                for (x, &p) in other[k + 1..].iter_mut().zip(&row[k + 1..]) {
                    *x = *x - factor * p;
                }
            }
        }
        true
    }

    /// Replaces a right side by the solution.
    pub fn solve(&self, x: &mut [S]) {
        let n = self.n;
        for (k, &other) in self.exchanges.iter().enumerate() {
            x.swap(k, other);
        }
        for i in 1..n {
            let row = &self.entries[i * n..i * n + i];
            x[i] = row.iter().zip(&x[..i]).fold(x[i], |sum, (&l, &x)| sum - l * x);
        }
        for i in (0..n).rev() {
            let row = &self.entries[i * n..(i + 1) * n];
            let sum = row[i + 1..].iter().zip(&x[i + 1..]).fold(x[i], |sum, (&u, &x)| sum - u * x);
            x[i] = sum * row[i];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Complex, Lu, Scalar};

    /// Entries without any order, among them zeros on the diagonal.
    fn entry(i: usize, j: usize) -> f64 {
        if i == j && i.is_multiple_of(2) { 0.0 } else { (((i * 37 + j * 101 + 11) * 7919) % 997) as f64 / 500.0 - 1.0 }
    }

    #[test]
    fn what_is_solved_satisfies_the_equations() {
        for n in [0, 1, 2, 3, 8, 25] {
            let at = |i, j| entry(i + usize::from(n == 1), j + usize::from(n == 1));
            let mut lu = Lu::new(n);
            assert!(lu.factor(at));
            let right: Vec<f64> = (0..n).map(|i| 1.0 + i as f64).collect();
            let mut x = right.clone();
            lu.solve(&mut x);
            for (i, right) in right.iter().enumerate() {
                let sum: f64 = (0..n).map(|j| at(i, j) * x[j]).sum();
                assert!((sum - right).abs() < 1e-10, "n = {n}");
            }
            let at = |i, j| Complex::new(entry(i, j), entry(j + 3, i + 1));
            let mut lu = Lu::new(n);
            assert!(lu.factor(at));
            let mut x: Vec<Complex> = right.iter().map(|&r| Complex::new(r, -0.5)).collect();
            lu.solve(&mut x);
            for (i, right) in right.iter().enumerate() {
                let sum = (0..n).fold(Complex::default(), |sum, j| sum + at(i, j) * x[j]);
                assert!((sum - Complex::new(*right, -0.5)).size() < 1e-10, "n = {n}");
            }
        }
    }

    #[test]
    fn singular_and_infinite_matrices_are_refused() {
        assert!(!Lu::new(2).factor(|_, _| 1.0));
        assert!(!Lu::new(2).factor(|_, _| f64::NAN));
        assert!(!Lu::new(2).factor(|_, _| f64::INFINITY));
    }

    #[test]
    fn inverses_keep_their_range() {
        let z = Complex::new(3e200, -4e200);
        let one = z * z.inverse();
        assert!((one - Complex::new(1.0, 0.0)).size() < 1e-15);
    }
}
