//! What all tables of numbers have in common.

use std::io::{self, Write};

/// What the entries of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnKind {
    /// Numbers, all of them finite.
    Number,
    /// Numbers, of which some may be missing: those that are no finite numbers.
    Perhaps,
    /// Counts.
    Count,
    /// Texts.
    Text,
}

/// An entry of a table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cell<'a> {
    /// For a column of numbers.
    Number(f64),
    /// For a column of counts.
    Count(u64),
    /// For a column of texts.
    Text(&'a str),
}

/// A table that is written row by row. What it holds in memory does not grow with its length.
pub trait TableWriter<W> {
    /// Adds a row: a number for each column, all of them finite.
    ///
    /// # Errors
    ///
    /// Where it cannot be written; and [`InvalidInput`](io::ErrorKind::InvalidInput) where a row has too many or too few
    /// numbers.
    fn row(&mut self, values: &[f64]) -> io::Result<()>;

    /// Adds a row of entries, each of the kind of its column.
    ///
    /// # Errors
    ///
    /// As [`TableWriter::row`]; and [`InvalidInput`](io::ErrorKind::InvalidInput) where an entry is of another kind than its column.
    fn cells(&mut self, cells: &[Cell<'_>]) -> io::Result<()>;

    /// There are no more rows; `facts` about all of them go where the format has a place for them. Gives back what the
    /// table was written to.
    ///
    /// # Errors
    ///
    /// Where the rest cannot be written.
    fn finish(self: Box<Self>, facts: &[(String, String)]) -> io::Result<W>;
}

/// A row must fit the columns.
pub(super) fn fits(length: usize, columns: usize) -> io::Result<()> {
    if length == columns {
        return Ok(());
    }
    let what = format!("a row of {length} entries in a table of {columns} columns");
    Err(io::Error::new(io::ErrorKind::InvalidInput, what))
}

/// An entry is not of the kind of its column.
pub(super) fn of_another_kind() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "an entry of another kind than its column")
}

/// Writes a buffer and empties it.
pub(super) fn drain(to: &mut impl Write, buffer: &mut Vec<u8>) -> io::Result<()> {
    to.write_all(buffer)?;
    buffer.clear();
    Ok(())
}
