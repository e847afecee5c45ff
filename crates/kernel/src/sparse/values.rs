//! The numbers that stand in a pattern, and whether they are any.

use super::error::SparseError;
use super::pattern::Pattern;
use crate::{Array, MotionError};

/// The numbers of a system, in the order of its [`Pattern`](super::Pattern).
#[derive(Clone, Copy, Debug)]
pub struct SparseValues<'a> {
    /// The lower triangle of M.
    pub mass: &'a [f64],
    /// A, row by row.
    pub a: &'a [f64],
}

impl SparseValues<'_> {
    /// Sizes fit.
    pub(super) fn check_sizes(&self, pattern: &Pattern) -> Result<(), SparseError> {
        for (array, given, wanted) in
            [(Array::M, self.mass, pattern.mass.len()), (Array::A, self.a, pattern.columns.len())]
        {
            if given.len() != wanted {
                return Err(SparseError::Motion(MotionError::Shape {
                    array,
                    rows: wanted,
                    columns: 1,
                    found: given.len(),
                }));
            }
        }
        Ok(())
    }

    /// Sizes fit, and every number is one.
    pub(super) fn check(&self, pattern: &Pattern) -> Result<(), SparseError> {
        self.check_sizes(pattern)?;
        for (array, given) in [(Array::M, self.mass), (Array::A, self.a)] {
            // Nothing but numbers: nought times each is nought. Four sums side by side fit vector registers.
            let (fours, rest) = given.as_chunks::<4>();
            let mut sums = [0.0; 4];
            for four in fours {
                for lane in 0..4 {
                    sums[lane] += four[lane] * 0.0;
                }
            }
            if sums.iter().sum::<f64>() + rest.iter().map(|x| x * 0.0).sum::<f64>() == 0.0 {
                continue;
            }
            if let Some(at) = given.iter().position(|x| !x.is_finite()) {
                let (row, column) = match array {
                    Array::M => pattern.mass[at],
                    _ => (pattern.row_start.partition_point(|s| *s as usize <= at) as u32 - 1, pattern.columns[at]),
                };
                let (row, column) = (row as usize, column as usize);
                return Err(SparseError::Motion(MotionError::NotFinite { array, row, column, value: given[at] }));
            }
        }
        Ok(())
    }
}
