//! A column of a group: how its entries are written, what is missing, and what is known of them.

use std::io;

use super::super::table::{Cell, ColumnKind, of_another_kind};
use super::thrift::Struct;

/// `Type.INT64`, `Type.DOUBLE`, `Type.BYTE_ARRAY`
const INT64: i32 = 2;
const DOUBLE: i32 = 5;
const BYTE_ARRAY: i32 = 6;
/// `FieldRepetitionType`
const REQUIRED: i32 = 0;
const OPTIONAL: i32 = 1;
/// `ConvertedType.UTF8`, for readers that know no logical types.
const UTF8: i32 = 0;

/// A column of a group that is being filled.
#[derive(Debug)]
pub(super) struct Pending {
    kind: ColumnKind,
    /// The entries that there are, as they stand in the file.
    values: Vec<u8>,
    /// Runs of entries that are there and that are not, by turns, beginning with those that are there.
    runs: Vec<usize>,
    missing: u64,
    range: Range,
}

/// The least and the greatest entry, as far as they are kept.
#[derive(Clone, Copy, Debug)]
enum Range {
    Numbers(f64, f64),
    Counts(u64, u64),
    /// Texts may be long, and nobody asks for those between two others.
    Unknown,
}

/// A column of a group that is written.
#[derive(Debug)]
pub(super) struct Chunk {
    pub offset: u64,
    pub bytes: u64,
    missing: u64,
    range: Range,
}

impl Pending {
    pub fn new(kind: ColumnKind) -> Self {
        Self { kind, values: Vec::new(), runs: vec![0], missing: 0, range: Range::of(kind) }
    }

    /// Whether an entry is of the kind of the column.
    pub fn takes(&self, cell: &Cell<'_>) -> bool {
        matches!(
            (self.kind, cell),
            (ColumnKind::Number | ColumnKind::Perhaps, Cell::Number(_))
                | (ColumnKind::Count, Cell::Count(_))
                | (ColumnKind::Text, Cell::Text(_))
        )
    }

    /// Adds an entry.
    pub fn push(&mut self, cell: Cell<'_>) -> io::Result<()> {
        match (self.kind, cell) {
            (ColumnKind::Perhaps, Cell::Number(value)) if !value.is_finite() => {
                self.missing += 1;
                self.note(false);
                return Ok(());
            }
            (ColumnKind::Number | ColumnKind::Perhaps, Cell::Number(value)) => {
                self.values.extend_from_slice(&value.to_le_bytes());
                if let Range::Numbers(least, greatest) = &mut self.range {
                    (*least, *greatest) = (least.min(value), greatest.max(value));
                }
            }
            (ColumnKind::Count, Cell::Count(value)) => {
                // Beyond what is signed there are no counts.
                let value = value.min(i64::MAX.cast_unsigned());
                self.values.extend_from_slice(&value.to_le_bytes());
                if let Range::Counts(least, greatest) = &mut self.range {
                    (*least, *greatest) = ((*least).min(value), (*greatest).max(value));
                }
            }
            (ColumnKind::Text, Cell::Text(text)) => {
                let length = u32::try_from(text.len()).map_err(|_| io::ErrorKind::FileTooLarge)?;
                self.values.extend_from_slice(&length.to_le_bytes());
                self.values.extend_from_slice(text.as_bytes());
            }
            _ => return Err(of_another_kind()),
        }
        self.note(true);
        Ok(())
    }

    /// Notes whether the next entry is there.
    fn note(&mut self, there: bool) {
        if self.kind == ColumnKind::Perhaps {
            let in_turn = (self.runs.len() % 2 == 1) == there;
            if !in_turn {
                self.runs.push(0);
            }
            if let Some(run) = self.runs.last_mut() {
                *run += 1;
            }
        }
    }

    /// How many bytes it has.
    pub fn length(&self) -> usize {
        self.values.len()
    }

    /// The levels that say which entries are there, and the entries.
    pub fn page(&self, rows: usize) -> (Vec<u8>, &[u8]) {
        let mut levels = Vec::new();
        if self.kind == ColumnKind::Perhaps {
            debug_assert_eq!(self.runs.iter().sum::<usize>(), rows);
            // Runs: their length, doubled, and the level: 1 for what is there. Their own length stands before them.
            for (which, &run) in self.runs.iter().enumerate().filter(|(_, run)| **run > 0) {
                super::thrift::varint(&mut levels, (run as u64) << 1);
                levels.push(u8::from(which % 2 == 0));
            }
            let length = levels.len() as u32;
            levels.splice(0..0, length.to_le_bytes());
        }
        (levels, &self.values)
    }

    /// The column is written there; the next group begins.
    pub fn take_chunk(&mut self, offset: u64, bytes: u64) -> Chunk {
        let chunk = Chunk { offset, bytes, missing: self.missing, range: self.range };
        self.values.clear();
        self.runs = vec![0];
        self.missing = 0;
        self.range = Range::of(self.kind);
        chunk
    }

    /// `Type`
    pub fn physical(&self) -> i32 {
        match self.kind {
            ColumnKind::Number | ColumnKind::Perhaps => DOUBLE,
            ColumnKind::Count => INT64,
            ColumnKind::Text => BYTE_ARRAY,
        }
    }

    /// `SchemaElement`
    pub fn leaf(&self, name: &str) -> Struct {
        let repetition = if self.kind == ColumnKind::Perhaps { OPTIONAL } else { REQUIRED };
        let leaf = Struct::default().i32(1, self.physical()).i32(3, repetition).binary(4, name.as_bytes());
        match self.kind {
            // The logical type is a union, of which `STRING` is the first.
            ColumnKind::Text => leaf.i32(6, UTF8).nested(10, Struct::default().nested(1, Struct::default())),
            _ => leaf,
        }
    }
}

impl Range {
    fn of(kind: ColumnKind) -> Self {
        match kind {
            ColumnKind::Number | ColumnKind::Perhaps => Self::Numbers(f64::INFINITY, f64::NEG_INFINITY),
            ColumnKind::Count => Self::Counts(u64::MAX, 0),
            ColumnKind::Text => Self::Unknown,
        }
    }
}

impl Chunk {
    /// `Statistics`. Readers may compare zeros by their sign, so that a zero at an end counts as both.
    pub fn statistics(&self) -> Struct {
        let missing = Struct::default().i64(3, self.missing.cast_signed());
        match self.range {
            Range::Numbers(least, greatest) if least <= greatest => {
                let least = if least == 0.0 { -0.0 } else { least };
                let greatest = if greatest == 0.0 { 0.0 } else { greatest };
                missing.binary(5, &greatest.to_le_bytes()).binary(6, &least.to_le_bytes())
            }
            Range::Counts(least, greatest) if least <= greatest => {
                missing.binary(5, &greatest.to_le_bytes()).binary(6, &least.to_le_bytes())
            }
            _ => missing,
        }
    }
}
