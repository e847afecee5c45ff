//! Why there are no factors.

use std::fmt;

use crate::MotionError;

/// A front, that is, the coordinates that must be held at once, would be larger than allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TooLarge {
    /// How many coordinates would meet.
    pub size: usize,
    /// How many may.
    pub limit: usize,
    /// Some of the coordinates that meet, ascending; at most sixteen.
    pub coordinates: Vec<usize>,
    /// Some of the constraint rows that bring them together; at most sixteen.
    pub rows: Vec<usize>,
}

impl TooLarge {
    pub(super) fn new(size: usize, limit: usize, coordinates: &[u32], rows: &[u32]) -> Self {
        let some = |list: &[u32]| {
            let mut list: Vec<usize> = list.iter().map(|x| *x as usize).collect();
            list.sort_unstable();
            list.truncate(16);
            list
        };
        Self { size, limit, coordinates: some(coordinates), rows: some(rows) }
    }
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { size, limit, coordinates, rows } = self;
        write!(f, "{size} coordinates meet at once, {coordinates:?} among them")?;
        if !rows.is_empty() {
            write!(f, ", in constraint rows such as {rows:?}")?;
        }
        write!(f, "; the sparse kernel takes {limit}")
    }
}

impl std::error::Error for TooLarge {}

/// Why there are no factors.
#[derive(Clone, Debug, PartialEq)]
pub enum SparseError {
    /// Numbers that describe no mechanical system, or a held rank that is lost.
    Motion(MotionError),
    /// Coordinates that had to wait for others have made a front too large.
    TooLarge(TooLarge),
}

impl fmt::Display for SparseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Motion(error) => error.fmt(f),
            Self::TooLarge(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for SparseError {}

impl From<TooLarge> for SparseError {
    fn from(error: TooLarge) -> Self {
        Self::TooLarge(error)
    }
}

impl SparseError {
    pub(super) fn held_lost(row: u32) -> Self {
        Self::Motion(MotionError::HeldRankLost { row: row as usize })
    }

    pub(super) fn held_mass(coordinate: u32) -> Self {
        Self::Motion(MotionError::HeldRankLost { row: coordinate as usize })
    }

    pub(super) fn indefinite(i: u32, j: u32) -> Self {
        Self::Motion(MotionError::Indefinite { row: i.min(j) as usize, column: i.max(j) as usize })
    }
}
