//! Matrices over the exact field, as small as those of the examples.

use holonom::algebra::{Budget, Exhausted, Field, Ratio};

/// A matrix, row by row.
#[derive(Clone, Debug)]
pub(crate) struct Grid {
    pub(crate) rows: usize,
    pub(crate) cols: usize,
    pub(crate) entries: Vec<Ratio>,
}

impl Grid {
    pub(crate) fn identity(n: usize) -> Grid {
        let one = |at: usize| if at / n == at % n { Ratio::one() } else { Ratio::zero() };
        Grid { rows: n, cols: n, entries: (0..n * n).map(one).collect() }
    }

    fn at(&self, row: usize, col: usize) -> &Ratio {
        &self.entries[row * self.cols + col]
    }

    fn transpose(&self) -> Grid {
        let entries = (0..self.cols).flat_map(|j| (0..self.rows).map(move |i| self.at(i, j).clone())).collect();
        Grid { rows: self.cols, cols: self.rows, entries }
    }

    pub(crate) fn stack(&self, below: &Grid) -> Grid {
        let entries = [self.entries.as_slice(), &below.entries].concat();
        Grid { rows: self.rows + below.rows, cols: self.cols, entries }
    }

    pub(crate) fn times(&self, right: &Grid, field: &Field, budget: &Budget) -> Result<Grid, Exhausted> {
        let mut entries = Vec::with_capacity(self.rows * right.cols);
        for i in 0..self.rows {
            for j in 0..right.cols {
                let mut sum = Ratio::zero();
                for k in 0..self.cols {
                    let term = field.multiply(self.at(i, k), right.at(k, j), budget)?;
                    sum = field.add(&sum, &term, budget)?;
                }
                entries.push(sum);
            }
        }
        Ok(Grid { rows: self.rows, cols: right.cols, entries })
    }

    pub(crate) fn minus(&self, right: &Grid, field: &Field, budget: &Budget) -> Result<Grid, Exhausted> {
        let pairs = self.entries.iter().zip(&right.entries);
        let entries = pairs.map(|(a, b)| field.subtract(a, b, budget)).collect::<Result<_, _>>()?;
        Ok(Grid { entries, ..*self })
    }

    /// The inverse by elimination; nothing for a singular matrix.
    fn inverse(&self, field: &Field, budget: &Budget) -> Result<Option<Grid>, Exhausted> {
        let n = self.rows;
        let (mut left, mut right) = (self.clone(), Grid::identity(n));
        for pivot in 0..n {
            let mut row = pivot;
            while row < n && field.is_zero(left.at(row, pivot), budget)? {
                row += 1;
            }
            if row == n {
                return Ok(None);
            }
            for side in [&mut left, &mut right] {
                (0..n).for_each(|j| side.entries.swap(pivot * n + j, row * n + j));
            }
            let by = left.at(pivot, pivot).clone();
            for side in [&mut left, &mut right] {
                for j in 0..n {
                    side.entries[pivot * n + j] = field.divide(side.at(pivot, j), &by, budget)?;
                }
            }
            for row in (0..n).filter(|row| *row != pivot) {
                let factor = left.at(row, pivot).clone();
                for side in [&mut left, &mut right] {
                    for j in 0..n {
                        let part = field.multiply(&factor, side.at(pivot, j), budget)?;
                        side.entries[row * n + j] = field.subtract(side.at(row, j), &part, budget)?;
                    }
                }
            }
        }
        Ok(Some(right))
    }

    /// A⁺ = Aᵀ(AAᵀ)⁻¹ for independent rows; nothing for others.
    pub(crate) fn pseudo_inverse(&self, field: &Field, budget: &Budget) -> Result<Option<Grid>, Exhausted> {
        let transposed = self.transpose();
        match self.times(&transposed, field, budget)?.inverse(field, budget)? {
            Some(inverse) => transposed.times(&inverse, field, budget).map(Some),
            None => Ok(None),
        }
    }

    /// A⁺ = (AᵀA)⁻¹Aᵀ for independent columns; nothing for others (2006, after result 1).
    pub(crate) fn left_inverse(&self, field: &Field, budget: &Budget) -> Result<Option<Grid>, Exhausted> {
        let transposed = self.transpose();
        match transposed.times(self, field, budget)?.inverse(field, budget)? {
            Some(inverse) => inverse.times(&transposed, field, budget).map(Some),
            None => Ok(None),
        }
    }

    pub(crate) fn equals(&self, other: &Grid, field: &Field, budget: &Budget) -> Result<bool, Exhausted> {
        for (a, b) in self.entries.iter().zip(&other.entries) {
            if !field.equal(a, b, budget)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether the entries are in the same proportions.
    pub(crate) fn is_multiple_of(&self, other: &Grid, field: &Field, budget: &Budget) -> Result<bool, Exhausted> {
        let pairs = || self.entries.iter().zip(&other.entries);
        let Some((x, y)) = pairs().find(|(x, _)| !x.is_zero()) else { return Ok(false) };
        if y.is_zero() {
            return Ok(false);
        }
        for (a, b) in pairs() {
            if !field.equal(&field.multiply(a, y, budget)?, &field.multiply(b, x, budget)?, budget)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
