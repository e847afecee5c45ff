//! Which rows are independent and which coordinates have mass, to be held along a motion.

use super::factor::Factor;

/// The rank decisions of a solve, kept for later ones.
///
/// Rows that are redundant only on the constraint manifold look independent a hair off it. So rank and
/// independent rows are decided at states that satisfy the constraints, and held for the stages of the
/// step that follows: see [`Workspace::solve_held`](crate::Workspace::solve_held).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Structure {
    pub(crate) coordinates: usize,
    pub(crate) rank: usize,
    pub(crate) rows: Vec<usize>,
    pub(crate) columns: Vec<usize>,
    pub(crate) mass_rank: usize,
    pub(crate) mass_order: Vec<usize>,
    pub(crate) massless_rank: usize,
    pub(crate) massless_rows: Vec<usize>,
    pub(crate) massless_columns: Vec<usize>,
    pub(crate) consistent: bool,
}

impl Structure {
    pub(crate) fn of(f: &Factor, consistent: bool) -> Self {
        Self {
            coordinates: f.n,
            rank: f.rank(),
            rows: f.rows.rows.clone(),
            columns: f.rows.columns.clone(),
            mass_rank: f.mass.rank,
            mass_order: f.mass.order.clone(),
            massless_rank: f.massless.rank,
            massless_rows: f.massless.rows.clone(),
            massless_columns: f.massless.columns.clone(),
            consistent,
        }
    }

    /// Takes over the decisions of another solve without allocating, once it has had one of this size.
    pub(crate) fn take(&mut self, f: &Factor, consistent: bool) {
        self.coordinates = f.n;
        self.rank = f.rank();
        self.rows.clone_from(&f.rows.rows);
        self.columns.clone_from(&f.rows.columns);
        self.mass_rank = f.mass.rank;
        self.mass_order.clone_from(&f.mass.order);
        self.massless_rank = f.massless.rank;
        self.massless_rows.clone_from(&f.massless.rows);
        self.massless_columns.clone_from(&f.massless.columns);
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
