//! Where the numbers of some rows of A stand: all of them, or those that are not identically zero.

use crate::derive::Equations;
use std::ops::Range;
use std::sync::Arc;

/// The layout of a matrix of rows over n coordinates.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    n: usize,
    /// Nothing where every entry has its place.
    entries: Option<Arc<Entries>>,
}

/// By row, the coordinates that it has entries for.
#[derive(Debug)]
struct Entries {
    start: Vec<usize>,
    columns: Vec<u32>,
}

impl Shape {
    /// Rows with an entry for each of n coordinates.
    pub(super) fn dense(n: usize) -> Self {
        Self { n, entries: None }
    }

    /// Some rows of the equations, without what is identically zero.
    pub(super) fn sparse(equations: &Equations, rows: impl Iterator<Item = usize>) -> Self {
        let mut entries = Entries { start: vec![0], columns: Vec::new() };
        for row in rows {
            entries.columns.extend(equations.rows[row].a.iter().map(|&(column, _)| column as u32));
            entries.start.push(entries.columns.len());
        }
        Self { n: equations.force.len(), entries: Some(Arc::new(entries)) }
    }

    /// Where a row stands.
    pub(super) fn range(&self, row: usize) -> Range<usize> {
        match &self.entries {
            None => row * self.n..(row + 1) * self.n,
            Some(entries) => entries.start[row]..entries.start[row + 1],
        }
    }

    /// The coordinates of a row that has entries for some alone; ascending.
    pub(super) fn columns(&self, row: usize) -> &[u32] {
        self.entries.as_ref().map_or(&[], |entries| &entries.columns[entries.start[row]..entries.start[row + 1]])
    }

    /// How many numbers the first rows have.
    pub(super) fn len(&self, rows: usize) -> usize {
        self.entries.as_ref().map_or(rows * self.n, |entries| entries.start[rows])
    }

    /// The sum of what a function makes of the entries of a row and of numbers that belong to coordinates.
    #[inline(always)]
    pub(super) fn sum(&self, row: usize, a: &[f64], x: &[f64], of: impl Fn(f64, f64) -> f64) -> f64 {
        let own = &a[self.range(row)];
        match &self.entries {
            None => own.iter().zip(x).map(|(a, x)| of(*a, *x)).sum(),
            Some(_) => own.iter().zip(self.columns(row)).map(|(a, j)| of(*a, x[*j as usize])).sum(),
        }
    }

    /// The entries of a row, with their coordinates.
    pub(super) fn entries<'a>(&'a self, row: usize, a: &'a [f64]) -> impl Iterator<Item = (usize, f64)> + 'a {
        let columns = self.columns(row);
        let column = move |at: usize| columns.get(at).map_or(at, |j| *j as usize);
        a[self.range(row)].iter().enumerate().map(move |(at, a)| (column(at), *a))
    }

    /// a·x for a row.
    #[inline(always)]
    pub(super) fn dot(&self, row: usize, a: &[f64], x: &[f64]) -> f64 {
        self.sum(row, a, x, |a, x| a * x)
    }
}
