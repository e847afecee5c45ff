//! Parquet: columns of doubles, none of them missing, as they are in memory.
//!
//! Rows are collected into groups, a group is written column by column, and the descriptions of all groups stand at the
//! end of the file. The crate `parquet` would do it too, and would be a fifth of the time that the whole command takes to
//! build: a table of doubles needs one type, one encoding and no compression.
//! The format: <https://parquet.apache.org/docs/file-format/>; the numbers of fields are those of its `parquet.thrift`.

mod thrift;

use std::io::{self, Write};

use super::table::{Table, drain, fits};
use crate::integrate::Column;
use thrift::Struct;

const MAGIC: &[u8; 4] = b"PAR1";
/// `Type.DOUBLE`
const DOUBLE: i32 = 5;
/// `FieldRepetitionType.REQUIRED`
const REQUIRED: i32 = 0;
/// `Encoding.PLAIN`: eight bytes each, the lowest first.
const PLAIN: i32 = 0;
/// `Encoding.RLE`, of the levels that required columns do not have.
const RLE: i32 = 3;

/// Numbers in a group, unless that makes too few rows of it: 8 MiB.
const GROUP: usize = 1 << 20;
/// A group has at least so many rows, so that descriptions are small beside what they describe.
const FEWEST: usize = 256;

/// A table as a Parquet file.
#[derive(Debug)]
pub struct Parquet<W> {
    to: W,
    columns: Vec<Column>,
    /// Bytes written.
    at: u64,
    /// The rows of the group that is being filled, one after the other.
    pending: Vec<f64>,
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

/// A column of a group.
#[derive(Debug)]
struct Chunk {
    offset: u64,
    bytes: u64,
    least: f64,
    greatest: f64,
}

impl<W: Write> Parquet<W> {
    /// Begins a table.
    pub fn new(mut to: W, columns: &[Column]) -> io::Result<Self> {
        to.write_all(MAGIC)?;
        let full = (GROUP / columns.len().max(1)).max(FEWEST);
        let at = MAGIC.len() as u64;
        Ok(Self { to, columns: columns.to_vec(), at, pending: Vec::new(), full, groups: Vec::new() })
    }

    /// Writes the pending rows as a group.
    fn group(&mut self) -> io::Result<()> {
        let width = self.columns.len();
        let rows = self.pending.len() / width.max(1);
        let mut buffer = Vec::with_capacity(64 + 8 * rows);
        let mut chunks = Vec::with_capacity(width);
        for column in 0..width {
            let values = self.pending[column..].iter().step_by(width);
            let size = i32::try_from(8 * rows).map_err(|_| io::ErrorKind::FileTooLarge)?;
            buffer.extend(page_header(size, size / 8));
            let (mut least, mut greatest) = (f64::INFINITY, f64::NEG_INFINITY);
            for &value in values {
                (least, greatest) = (least.min(value), greatest.max(value));
                buffer.extend_from_slice(&value.to_le_bytes());
            }
            chunks.push(Chunk { offset: self.at, bytes: buffer.len() as u64, least, greatest });
            self.at += buffer.len() as u64;
            drain(&mut self.to, &mut buffer)?;
        }
        self.pending.clear();
        self.groups.push(Group { rows, chunks });
        Ok(())
    }

    /// `FileMetaData`
    fn description(&self, facts: &[(String, String)]) -> Vec<u8> {
        let root = Struct::default().binary(4, b"trajectory").i32(5, self.columns.len() as i32);
        let leaf =
            |column: &Column| Struct::default().i32(1, DOUBLE).i32(3, REQUIRED).binary(4, column.name.as_bytes());
        let schema: Vec<Struct> = std::iter::once(root).chain(self.columns.iter().map(leaf)).collect();
        let rows: usize = self.groups.iter().map(|group| group.rows).sum();
        let fact =
            |(key, value): &(String, String)| Struct::default().binary(1, key.as_bytes()).binary(2, value.as_bytes());
        // The natural order of doubles, without which readers must not trust the least and greatest values.
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
        let columns = self.columns.iter().zip(&group.chunks).map(|(column, chunk)| {
            // `ColumnMetaData`, then the `ColumnChunk` that holds it.
            let data = Struct::default()
                .i32(1, DOUBLE)
                .i32s(2, &[PLAIN, RLE])
                .binaries(3, &[column.name.as_bytes()])
                .i32(4, 0) // not compressed
                .i64(5, group.rows as i64)
                .i64(6, chunk.bytes as i64)
                .i64(7, chunk.bytes as i64)
                .i64(9, chunk.offset as i64)
                .nested(12, statistics(chunk));
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

/// `Statistics`. Readers may compare zeros by their sign, so that a zero at an end counts as both.
fn statistics(chunk: &Chunk) -> Struct {
    let least = if chunk.least == 0.0 { -0.0 } else { chunk.least };
    let greatest = if chunk.greatest == 0.0 { 0.0 } else { chunk.greatest };
    Struct::default().i64(3, 0).binary(5, &greatest.to_le_bytes()).binary(6, &least.to_le_bytes())
}

impl<W: Write> Table<W> for Parquet<W> {
    fn row(&mut self, values: &[f64]) -> io::Result<()> {
        fits(values, self.columns.len())?;
        self.pending.extend_from_slice(values);
        if self.pending.len() >= self.full * self.columns.len().max(1) { self.group() } else { Ok(()) }
    }

    /// `facts` become the file's key-value metadata.
    fn finish(mut self: Box<Self>, facts: &[(String, String)]) -> io::Result<W> {
        if !self.pending.is_empty() {
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
