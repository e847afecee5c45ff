//! Matrices over the exact field, as small as those of the examples.

use holonom::symbols::algebra::{Budget, Exhausted, FunctionField, Ratio};

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

    pub(crate) fn times(&self, right: &Grid, field: &FunctionField, budget: &Budget) -> Result<Grid, Exhausted> {
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

    pub(crate) fn minus(&self, right: &Grid, field: &FunctionField, budget: &Budget) -> Result<Grid, Exhausted> {
        let pairs = self.entries.iter().zip(&right.entries);
        let entries = pairs.map(|(a, b)| field.subtract(a, b, budget)).collect::<Result<_, _>>()?;
        Ok(Grid { entries, ..*self })
    }

    pub(crate) fn equals(&self, other: &Grid, field: &FunctionField, budget: &Budget) -> Result<bool, Exhausted> {
        for (a, b) in self.entries.iter().zip(&other.entries) {
            if !field.equal(a, b, budget)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether the entries are in the same proportions.
    pub(crate) fn is_multiple_of(
        &self,
        other: &Grid,
        field: &FunctionField,
        budget: &Budget,
    ) -> Result<bool, Exhausted> {
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
