//! Numbers where they can be other than zero: rows of A, and the lower triangle of M.
//!
//! A chain of ten thousand links has four numbers in each row and two hundred million places for them. What is needed
//! with its zeros, for the dense kernel, is made here from what is there.

use std::sync::Arc;

use holonom_kernel::linalg::tolerance::ROUNDING;

/// Where the entries of rows stand.
#[derive(Debug, Default)]
pub(crate) struct Shape {
    start: Vec<usize>,
    columns: Vec<usize>,
}

impl Shape {
    pub(crate) fn new<'a>(rows: impl Iterator<Item = &'a [(usize, holonom_symbols::expr::Id)]>) -> Self {
        let (mut start, mut columns) = (vec![0], Vec::new());
        for row in rows {
            columns.extend(row.iter().map(|entry| entry.0));
            start.push(columns.len());
        }
        Self { start, columns }
    }
}

/// Rows with few entries each.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rows {
    shape: Arc<Shape>,
    pub(crate) values: Vec<f64>,
}

impl Rows {
    pub(crate) fn new(shape: Arc<Shape>, values: Vec<f64>) -> Self {
        Self { shape, values }
    }

    /// Rows written out: (column, value), ascending.
    pub(crate) fn from_lists(lists: impl Iterator<Item = Vec<(usize, f64)>>) -> Self {
        let (mut shape, mut values) = (Shape { start: vec![0], columns: Vec::new() }, Vec::new());
        for list in lists {
            for (column, value) in list {
                shape.columns.push(column);
                values.push(value);
            }
            shape.start.push(values.len());
        }
        Self { shape: Arc::new(shape), values }
    }

    /// Some of the entries, each changed, with the columns in other places; columns still ascend.
    pub(crate) fn picked(&self, entry: impl Fn(usize, usize, f64) -> Option<(usize, f64)>) -> Self {
        let mut shape = Shape { start: Vec::with_capacity(self.len() + 1), columns: Vec::new() };
        let mut values = Vec::new();
        shape.start.push(0);
        for (at, row) in self.iter().enumerate() {
            for (column, value) in row.filter_map(|(j, value)| entry(at, j, value)) {
                shape.columns.push(column);
                values.push(value);
            }
            shape.start.push(values.len());
        }
        Self { shape: Arc::new(shape), values }
    }

    /// Puts to zero what is rounding beside other entries of its row, where columns have these sizes: with y = 1e-17 on a circle, y' does not
    /// follow from x'.
    pub(crate) fn clear_rounding(&mut self, sizes: &[f64]) {
        let Self { shape, values } = self;
        for range in shape.start.windows(2).map(|pair| pair[0]..pair[1]) {
            let columns = &shape.columns[range.clone()];
            let part = |a: f64, j: usize| (a * sizes[j]).abs();
            let largest =
                values[range.clone()].iter().zip(columns).fold(0.0_f64, |most, (a, j)| most.max(part(*a, *j)));
            for (a, &j) in values[range].iter_mut().zip(columns) {
                if part(*a, j) <= ROUNDING * largest && largest.is_finite() {
                    *a = 0.0;
                }
            }
        }
    }

    /// How many entries there are.
    pub(crate) fn entries(&self) -> usize {
        self.shape.columns.len()
    }

    pub(crate) fn len(&self) -> usize {
        self.shape.start.len().saturating_sub(1)
    }

    /// The columns of a row.
    pub(crate) fn columns(&self, row: usize) -> &[usize] {
        &self.shape.columns[self.shape.start[row]..self.shape.start[row + 1]]
    }

    /// The entries of a row: (column, value), ascending.
    pub(crate) fn row(&self, row: usize) -> impl Iterator<Item = (usize, f64)> + Clone {
        let range = self.shape.start[row]..self.shape.start[row + 1];
        self.shape.columns[range.clone()].iter().copied().zip(self.values[range].iter().copied())
    }

    /// All rows in turn.
    pub(crate) fn iter(&self) -> impl Iterator<Item = impl Iterator<Item = (usize, f64)> + Clone> {
        (0..self.len()).map(|row| self.row(row))
    }

    /// With zeros, row-major.
    pub(crate) fn dense(&self, n: usize) -> Vec<f64> {
        let mut all = vec![0.0; self.len() * n];
        for (at, row) in self.iter().enumerate() {
            row.for_each(|(j, value)| all[at * n + j] += value);
        }
        all
    }
}

/// A symmetric matrix by its lower triangle, row by row.
#[derive(Clone, Debug, Default)]
pub(crate) struct Symmetric {
    pub(crate) places: Arc<Vec<(usize, usize)>>,
    pub(crate) values: Vec<f64>,
}

impl Symmetric {
    /// Ones on the diagonal.
    pub(crate) fn one(n: usize) -> Self {
        Self { places: Arc::new((0..n).map(|j| (j, j)).collect()), values: vec![1.0; n] }
    }

    /// Row, column, value of the lower triangle.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (usize, usize, f64)> {
        self.places.iter().zip(&self.values).map(|(&(i, j), &value)| (i, j, value))
    }

    /// With zeros and with the upper triangle, row-major.
    pub(crate) fn dense(&self, n: usize) -> Vec<f64> {
        let mut all = vec![0.0; n * n];
        for (i, j, value) in self.iter() {
            all[i * n + j] = value;
            all[j * n + i] = value;
        }
        all
    }

    pub(crate) fn diagonal(&self, n: usize) -> Vec<f64> {
        let mut diagonal = vec![0.0; n];
        self.iter().filter(|entry| entry.0 == entry.1).for_each(|(i, _, value)| diagonal[i] = value);
        diagonal
    }

    /// The product with a vector, each term passed through `term`.
    pub(crate) fn times(&self, x: &[f64], term: impl Fn(f64) -> f64) -> Vec<f64> {
        let mut product = vec![0.0; x.len()];
        for (i, j, value) in self.iter() {
            product[i] += term(value * x[j]);
            if i != j {
                product[j] += term(value * x[i]);
            }
        }
        product
    }
}

/// M, Q, A and b at one state, as far as they can be other than zero; A and b over the rows that are in force.
#[derive(Clone, Debug)]
pub(crate) struct Entries {
    pub(crate) mass: Symmetric,
    pub(crate) force: Vec<f64>,
    pub(crate) a: Rows,
    pub(crate) b: Vec<f64>,
}

/// The same with all zeros, row-major.
#[derive(Clone, Debug)]
pub(crate) struct Numbers {
    pub(crate) mass: Vec<f64>,
    pub(crate) force: Vec<f64>,
    pub(crate) a: Vec<f64>,
    pub(crate) b: Vec<f64>,
}

impl Entries {
    pub(crate) fn full(&self) -> Numbers {
        let n = self.force.len();
        Numbers { mass: self.mass.dense(n), force: self.force.clone(), a: self.a.dense(n), b: self.b.clone() }
    }
}
