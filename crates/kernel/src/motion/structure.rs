//! Which rows are independent, to be held along a motion.

use super::factor::Factor;

/// The independent rows that a solve found, kept for later ones.
///
/// Rows that are redundant only on the constraint manifold look independent a hair off it. So rank and
/// independent rows are decided at states that satisfy the constraints, and held for the stages of the
/// step that follows: see [`Workspace::solve_held`](crate::Workspace::solve_held). Pivots are not held: where the null
/// space of M turns with the state, those of one state are poor at another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Structure {
    pub(crate) coordinates: usize,
    pub(crate) rank: usize,
    /// All rows, the independent ones first.
    pub(crate) rows: Vec<usize>,
    /// The rank of [M; A].
    pub(crate) system_rank: usize,
    pub(crate) consistent: bool,
}

impl Structure {
    pub(crate) fn of(f: &Factor, consistent: bool) -> Self {
        let mut held = Self { coordinates: 0, rank: 0, rows: Vec::new(), system_rank: 0, consistent };
        held.take(f, consistent);
        held
    }

    /// Takes over the decisions of another solve without allocating, once it has had one of this size.
    pub(crate) fn take(&mut self, f: &Factor, consistent: bool) {
        self.coordinates = f.n;
        self.rank = f.rank();
        self.rows.clone_from(&f.rows.rows);
        self.system_rank = f.system_rank();
        self.consistent = consistent;
    }

    /// The rows of A that carry the constraints; the others follow from them.
    pub fn independent_rows(&self) -> &[usize] {
        &self.rows[..self.rank]
    }

    /// The rank of A that is held.
    pub fn constraint_rank(&self) -> usize {
        self.rank
    }
}
