//! Where the numbers of rows over the coordinates stand: all of them, or those that are not identically zero.

use crate::derive::Equations;
use std::ops::Range;
use std::sync::Arc;

/// The layout of a matrix of rows over n coordinates.
#[derive(Clone, Debug)]
pub struct RowLayout {
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

impl RowLayout {
    /// Rows with an entry for each of n coordinates.
    pub fn dense(n: usize) -> Self {
        Self { n, entries: None }
    }

    /// Rows over n coordinates, each with entries for some of them; these ascend.
    pub fn with_columns<'a>(n: usize, rows: impl Iterator<Item = &'a [u32]>) -> Self {
        let mut entries = Entries { start: vec![0], columns: Vec::new() };
        for row in rows {
            entries.columns.extend_from_slice(row);
            entries.start.push(entries.columns.len());
        }
        Self { n, entries: Some(Arc::new(entries)) }
    }

    /// Some rows of the equations, without what is identically zero.
    pub fn sparse(equations: &Equations, rows: impl Iterator<Item = usize>) -> Self {
        let columns = |row: usize| -> Vec<u32> { equations.rows[row].a.iter().map(|entry| entry.0 as u32).collect() };
        let rows: Vec<Vec<u32>> = rows.map(columns).collect();
        Self::with_columns(equations.force.len(), rows.iter().map(Vec::as_slice))
    }

    /// Whether zeros have no place.
    pub fn is_sparse(&self) -> bool {
        self.entries.is_some()
    }

    /// Where a row stands.
    #[inline]
    pub fn range(&self, row: usize) -> Range<usize> {
        match &self.entries {
            None => row * self.n..(row + 1) * self.n,
            Some(entries) => entries.start[row]..entries.start[row + 1],
        }
    }

    /// Where the entry of a row for a coordinate stands.
    #[inline]
    pub fn place(&self, row: usize, coordinate: usize) -> Option<usize> {
        let start = self.range(row).start;
        match self.entries {
            None => Some(start + coordinate),
            Some(_) => self.columns(row).binary_search(&(coordinate as u32)).ok().map(|at| start + at),
        }
    }

    /// The coordinates of a row that has entries for some alone; ascending.
    #[inline]
    pub fn columns(&self, row: usize) -> &[u32] {
        self.entries.as_ref().map_or(&[], |entries| &entries.columns[entries.start[row]..entries.start[row + 1]])
    }

    /// How many numbers the first rows have.
    pub fn len(&self, rows: usize) -> usize {
        self.entries.as_ref().map_or(rows * self.n, |entries| entries.start[rows])
    }

    /// The sum of what a function makes of the entries of a row and of numbers that belong to coordinates.
    #[inline(always)]
    pub fn sum(&self, row: usize, a: &[f64], x: &[f64], of: impl Fn(f64, f64) -> f64) -> f64 {
        let own = &a[self.range(row)];
        match &self.entries {
            None => own.iter().zip(x).map(|(a, x)| of(*a, *x)).sum(),
            Some(_) => own.iter().zip(self.columns(row)).map(|(a, j)| of(*a, x[*j as usize])).sum(),
        }
    }

    /// The entries of a row, with their coordinates.
    #[inline]
    pub fn entries<'a>(&'a self, row: usize, a: &'a [f64]) -> impl Iterator<Item = (usize, f64)> + Clone + 'a {
        let columns = self.columns(row);
        let column = move |at: usize| columns.get(at).map_or(at, |j| *j as usize);
        a[self.range(row)].iter().enumerate().map(move |(at, a)| (column(at), *a))
    }

    /// a·x for a row.
    #[inline(always)]
    pub fn dot(&self, row: usize, a: &[f64], x: &[f64]) -> f64 {
        self.sum(row, a, x, |a, x| a * x)
    }
}
