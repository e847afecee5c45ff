//! What was decided in each front: which coordinates and rows were eliminated, and how.

/// How a coordinate was eliminated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// By a row.
    Row,
    /// By its mass.
    Mass,
    /// Not at all: nothing determines it.
    Free,
}

/// What was decided for a front. Coordinates and rows stand in the order of elimination.
#[derive(Clone, Debug, Default)]
pub(super) struct Record {
    /// Where its coordinates begin, and how many there are.
    pub(super) coordinates: u32,
    pub(super) size: u32,
    /// How many of them it could eliminate, being fully summed.
    pub(super) summed: u32,
    /// How many it did eliminate, and how many of these by rows.
    pub(super) gone: u32,
    pub(super) by_rows: u32,
    /// Where its rows begin, how many there are, and how many are handed on: after those used, before those dropped.
    pub(super) rows: u32,
    pub(super) row_count: u32,
    pub(super) passed: u32,
    /// Where its factors begin.
    pub(super) factors: usize,
    /// Where what it hands on is kept meanwhile.
    pub(super) handed: usize,
}

impl Record {
    pub(super) fn coordinates(&self) -> std::ops::Range<usize> {
        self.coordinates as usize..(self.coordinates + self.size) as usize
    }

    pub(super) fn rows(&self) -> std::ops::Range<usize> {
        self.rows as usize..(self.rows + self.row_count) as usize
    }

    /// How many coordinates are handed on.
    pub(super) fn left(&self) -> usize {
        (self.size - self.gone) as usize
    }

    /// How many of them should have been eliminated here.
    pub(super) fn delayed(&self) -> usize {
        (self.summed - self.gone) as usize
    }
}

/// All that `factor_held` takes over from an earlier factorisation.
#[derive(Clone, Debug, Default)]
pub(super) struct Decisions {
    pub(super) records: Vec<Record>,
    /// By record: the coordinates in the order of elimination.
    pub(super) coordinates: Vec<u32>,
    pub(super) kinds: Vec<Kind>,
    /// By record: from the order of assembly to that of elimination.
    pub(super) place: Vec<u32>,
    pub(super) rows: Vec<u32>,
    pub(super) row_place: Vec<u32>,
    /// (record, place) of rows that vanished, and of coordinates that nothing determines.
    pub(super) dropped: Vec<(u32, u32)>,
    pub(super) free: Vec<(u32, u32)>,
}

impl Decisions {
    pub(super) fn clear(&mut self) {
        self.records.clear();
        self.coordinates.clear();
        self.kinds.clear();
        self.place.clear();
        self.rows.clear();
        self.row_place.clear();
        self.dropped.clear();
        self.free.clear();
    }
}
