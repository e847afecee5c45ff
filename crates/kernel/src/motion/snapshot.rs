//! What the kernel is given: M, Q, A, b, C at one instant.

use super::error::{Array, MotionError};
use crate::linalg::scale::FAR;
use crate::linalg::vector::{dot, finite};

/// A mechanical system at one instant: `M q̈ = Q + Q^c`, `A q̈ = b`, and what its constraints do.
///
/// Matrices are row-major slices; nothing is copied. The number of coordinates n is the length of the
/// force, the number of constraint rows m that of the right side.
///
/// # Examples
///
/// A bead of 1 kg on the line x₂ = x₁ under gravity, with the constraint written as x₁ − x₂ = 0:
///
/// ```
/// use holonom_kernel::{Snapshot, solve};
///
/// let snapshot = Snapshot::new(&[1.0, 0.0, 0.0, 1.0], &[0.0, -9.81]).constrained(&[1.0, -1.0], &[0.0]);
/// let motion = solve(&snapshot)?;
/// assert!((motion.acceleration[0] + 9.81 / 2.0).abs() < 1e-14);
/// # Ok::<(), holonom_kernel::MotionError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Snapshot<'a> {
    /// Mass, row-major n × n.
    pub M: &'a [f64],
    /// Given force.
    pub Q: &'a [f64],
    /// Rows of the constraints, row-major m × n.
    pub A: &'a [f64],
    pub(crate) b: &'a [f64],
    pub(crate) C: Option<&'a [f64]>,
}

impl<'a> Snapshot<'a> {
    /// An unconstrained system with the mass matrix M (n × n, positive semi-definite) and the impressed force Q.
    pub fn new(mass: &'a [f64], force: &'a [f64]) -> Self {
        Self { M: mass, Q: force, A: &[], b: &[], C: None }
    }

    /// Adds the constraints `A q̈ = b`, m rows. They may repeat, depend on or contradict each other.
    pub fn constrained(mut self, matrix: &'a [f64], right_side: &'a [f64]) -> Self {
        (self.A, self.b) = (matrix, right_side);
        self
    }

    /// Makes the constraints non-ideal: on a virtual displacement v they do the work vᵀC
    /// (Udwadia 2005, eq. 9). What opposes motion carries a minus sign.
    pub fn nonideal(mut self, work: &'a [f64]) -> Self {
        self.C = Some(work);
        self
    }

    /// The number of coordinates, n.
    pub fn coordinates(&self) -> usize {
        self.Q.len()
    }

    /// The number of constraint rows, m.
    pub fn rows(&self) -> usize {
        self.b.len()
    }

    /// One row of A.
    pub(crate) fn row(&self, i: usize) -> &'a [f64] {
        let n = self.coordinates();
        &self.A[i * n..(i + 1) * n]
    }

    /// `A q̈ − b` of one row. `scale` brings the row to size one: its terms may be too large for numbers as they stand, while
    /// their sum is not.
    pub(crate) fn residual(&self, i: usize, acceleration: &[f64], scale: f64) -> f64 {
        if (FAR..=1.0 / FAR).contains(&scale) {
            return dot(self.row(i), acceleration) - self.b[i];
        }
        let terms = self.row(i).iter().zip(acceleration).map(|(a, x)| a * scale * x);
        (terms.sum::<f64>() - self.b[i] * scale) / scale
    }

    /// Shapes fit, every entry is a number, and M is symmetric.
    pub(crate) fn validate(&self) -> Result<(), MotionError> {
        let (n, m) = (self.coordinates(), self.rows());
        if n == 0 {
            return Err(MotionError::NoCoordinates);
        }
        let C = self.C.unwrap_or(self.Q);
        let fits = self.M.len() == n * n && self.A.len() == m * n && C.len() == n;
        let sum = finite(self.M) + finite(self.Q) + finite(self.A) + finite(self.b) + finite(C);
        if !fits || sum != 0.0 {
            // Something is wrong: look again, for what it is.
            check(Array::M, self.M, n, n)?;
            check(Array::Q, self.Q, n, 1)?;
            check(Array::A, self.A, m, n)?;
            check(Array::B, self.b, m, 1)?;
            check(Array::C, C, n, 1)?;
        }
        // Almost always all equal: one pass without a way out, and a second look only if not.
        let mut equal = true;
        for i in 1..n {
            let mut mirrored = i;
            for lower in &self.M[i * n..i * n + i] {
                equal &= *lower == self.M[mirrored];
                mirrored += n;
            }
        }
        if !equal {
            (1..n).try_for_each(|i| self.nearly_symmetric(i))?;
        }
        Ok(())
    }

    /// Row i equals column i up to rounding.
    fn nearly_symmetric(&self, i: usize) -> Result<(), MotionError> {
        let n = self.coordinates();
        for j in 0..i {
            let (lower, upper) = (self.M[i * n + j], self.M[j * n + i]);
            let size = lower.abs().max(upper.abs());
            let diagonal = (self.M[i * n + i] * self.M[j * n + j]).abs().sqrt();
            if (lower - upper).abs() > 1e-12 * size.max(diagonal) {
                return Err(MotionError::NotSymmetric { row: j, column: i, upper, lower });
            }
        }
        Ok(())
    }
}

/// The array has rows × columns entries, all of them finite.
pub(crate) fn check(array: Array, data: &[f64], rows: usize, columns: usize) -> Result<(), MotionError> {
    if Some(data.len()) != rows.checked_mul(columns) {
        return Err(MotionError::Shape { array, rows, columns, found: data.len() });
    }
    if let Some(at) = data.iter().position(|x| !x.is_finite()) {
        let (row, column) = (at / columns, at % columns);
        return Err(MotionError::NotFinite { array, row, column, value: data[at] });
    }
    Ok(())
}
