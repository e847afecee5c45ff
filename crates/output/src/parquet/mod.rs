//! Parquet: columns of doubles, counts and texts, as they are in memory.
//!
//! Rows are collected into groups, a group is written column by column, and the descriptions of all groups stand at the
//! end of the file. The crate `parquet` would take a fifth of the build time of the whole command,
//! and these tables need only three types, one encoding and no compression.
//! The format: <https://parquet.apache.org/docs/file-format/>; the numbers of fields are those of its `parquet.thrift`.

mod column;
mod thrift;

use std::io::{self, Write};

use super::table::{Cell, ColumnKind, TableWriter, drain, fits, of_another_kind};
use column::{Chunk, Pending};
use holonom_simulate::integrate::Column;
use thrift::Struct;

const MAGIC: &[u8; 4] = b"PAR1";
/// `Encoding.PLAIN`: eight bytes each, the lowest first; texts with their length before them.
const PLAIN: i32 = 0;
/// `Encoding.RLE`, of the levels that say which entries are missing.
const RLE: i32 = 3;

/// Numbers in a group, unless that makes too few rows of it: 8 MiB.
const GROUP: usize = 1 << 20;
/// A group has at least so many rows, so that descriptions are small beside what they describe.
const FEWEST: usize = 256;
/// A group with so many bytes in one column is full, however few its rows: texts may be long.
const LONGEST: usize = 1 << 26;

/// A table as a Parquet file.
#[derive(Debug)]
pub struct Parquet<W> {
    to: W,
    columns: Vec<Column>,
    /// Bytes written.
    at: u64,
    /// The group that is being filled.
    pending: Vec<Pending>,
    rows: usize,
    /// Rows in a full group.
    full: usize,
    groups: Vec<Group>,
}

/// A group of rows that is written.
#[derive(Debug)]
struct Group {
    rows: usize,
    chunks: Vec<Chunk>,
}

impl<W: Write> Parquet<W> {
    /// Begins a table of numbers.
    pub fn new(to: W, columns: &[Column]) -> io::Result<Self> {
        Self::of_kinds(to, columns, &vec![ColumnKind::Number; columns.len()])
    }

    /// Begins a table whose columns are of different kinds.
    ///
    /// # Errors
    ///
    /// Where the beginning cannot be written, or there are not as many kinds as columns.
    pub fn of_kinds(mut to: W, columns: &[Column], kinds: &[ColumnKind]) -> io::Result<Self> {
        fits(kinds.len(), columns.len())?;
        to.write_all(MAGIC)?;
        let full = (GROUP / columns.len().max(1)).max(FEWEST);
        let at = MAGIC.len() as u64;
        let pending = kinds.iter().map(|&kind| Pending::new(kind)).collect();
        Ok(Self { to, columns: columns.to_vec(), at, pending, rows: 0, full, groups: Vec::new() })
    }

    /// Counts a row, and writes the group if it is full.
    fn end_row(&mut self, longest: usize) -> io::Result<()> {
        self.rows += 1;
        if self.rows >= self.full || longest >= LONGEST { self.group() } else { Ok(()) }
    }

    /// Writes the pending rows as a group.
    fn group(&mut self) -> io::Result<()> {
        let mut buffer = Vec::new();
        let mut chunks = Vec::with_capacity(self.columns.len());
        for pending in &mut self.pending {
            let (levels, values) = pending.page(self.rows);
            let size = i32::try_from(levels.len() + values.len()).map_err(|_| io::ErrorKind::FileTooLarge)?;
            buffer.extend(page_header(size, i32::try_from(self.rows).map_err(|_| io::ErrorKind::FileTooLarge)?));
            buffer.extend_from_slice(&levels);
            buffer.extend_from_slice(values);
            let bytes = buffer.len() as u64;
            chunks.push(pending.take_chunk(self.at, bytes));
            self.at += bytes;
            drain(&mut self.to, &mut buffer)?;
        }
        self.groups.push(Group { rows: self.rows, chunks });
        self.rows = 0;
        Ok(())
    }

    /// `FileMetaData`
    fn description(&self, facts: &[(String, String)]) -> Vec<u8> {
        let root = Struct::default().binary(4, b"table").i32(5, self.columns.len() as i32);
        let leaves = self.columns.iter().zip(&self.pending).map(|(column, pending)| pending.leaf(&column.name));
        let schema: Vec<Struct> = std::iter::once(root).chain(leaves).collect();
        let rows: usize = self.groups.iter().map(|group| group.rows).sum();
        let fact =
            |(key, value): &(String, String)| Struct::default().binary(1, key.as_bytes()).binary(2, value.as_bytes());
        // The natural order of each type, without which readers must not trust the least and greatest values.
        let order = |_: &Column| Struct::default().nested(1, Struct::default());
        Struct::default()
            .i32(1, 1)
            .structs(2, schema.into_iter())
            .i64(3, rows as i64)
            .structs(4, self.groups.iter().enumerate().map(|(which, group)| self.group_description(which, group)))
            .structs(5, facts.iter().map(fact))
            .binary(6, concat!("holonom version ", env!("CARGO_PKG_VERSION")).as_bytes())
            .structs(7, self.columns.iter().map(order))
            .end()
    }

    /// `RowGroup`
    fn group_description(&self, which: usize, group: &Group) -> Struct {
        let bytes: u64 = group.chunks.iter().map(|chunk| chunk.bytes).sum();
        let columns = self.columns.iter().zip(&self.pending).zip(&group.chunks).map(|((column, pending), chunk)| {
            // `ColumnMetaData`, then the `ColumnChunk` that holds it.
            let data = Struct::default()
                .i32(1, pending.physical())
                .i32s(2, &[PLAIN, RLE])
                .binaries(3, &[column.name.as_bytes()])
                .i32(4, 0) // not compressed
                .i64(5, group.rows as i64)
                .i64(6, chunk.bytes as i64)
                .i64(7, chunk.bytes as i64)
                .i64(9, chunk.offset as i64)
                .nested(12, chunk.statistics());
            Struct::default().i64(2, 0).nested(3, data)
        });
        let description = Struct::default()
            .structs(1, columns)
            .i64(2, bytes as i64)
            .i64(3, group.rows as i64)
            .i64(5, group.chunks.first().map_or(0, |chunk| chunk.offset as i64))
            .i64(6, bytes as i64);
        match i16::try_from(which) {
            Ok(which) => description.i16(7, which),
            Err(_) => description,
        }
    }
}

/// `PageHeader` of a page of `size` bytes.
fn page_header(size: i32, values: i32) -> Vec<u8> {
    let data = Struct::default().i32(1, values).i32(2, PLAIN).i32(3, RLE).i32(4, RLE);
    Struct::default().i32(1, 0).i32(2, size).i32(3, size).nested(5, data).end()
}

impl<W: Write> TableWriter<W> for Parquet<W> {
    fn row(&mut self, values: &[f64]) -> io::Result<()> {
        fits(values.len(), self.columns.len())?;
        for (pending, &value) in self.pending.iter_mut().zip(values) {
            pending.push(Cell::Number(value))?;
        }
        self.end_row(0)
    }

    fn cells(&mut self, cells: &[Cell<'_>]) -> io::Result<()> {
        fits(cells.len(), self.columns.len())?;
        if self.pending.iter().zip(cells).any(|(pending, cell)| !pending.takes(cell)) {
            return Err(of_another_kind());
        }
        let mut longest = 0;
        for (pending, &cell) in self.pending.iter_mut().zip(cells) {
            pending.push(cell)?;
            longest = longest.max(pending.length());
        }
        self.end_row(longest)
    }

    /// `facts` become the file's key-value metadata.
    fn finish(mut self: Box<Self>, facts: &[(String, String)]) -> io::Result<W> {
        if self.rows > 0 {
            self.group()?;
        }
        let mut end = self.description(facts);
        let length = u32::try_from(end.len()).map_err(|_| io::ErrorKind::FileTooLarge)?;
        end.extend_from_slice(&length.to_le_bytes());
        end.extend_from_slice(MAGIC);
        self.to.write_all(&end)?;
        self.to.flush()?;
        Ok(self.to)
    }
}

#[cfg(test)]
mod tests;
