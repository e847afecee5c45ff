//! Which rows are independent, to be held along a motion.

use super::factor::Factor;
use crate::linalg::refill;
use crate::linalg::vector::dot;

/// Rows whose sine to those chosen before is below this part do not lead, however well they are known.
const DISTINCT: f64 = 1e-4;

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

/// Room to choose which of the rows that repeat each other lead.
#[derive(Clone, Debug, Default)]
pub struct Leaders {
    rows: Vec<f64>,
    whole: Vec<f64>,
    left: Vec<f64>,
    chosen: Vec<usize>,
}

impl Leaders {
    /// Makes those rows independent ones of a structure that say most beside their rounding: `sizes` measures coordinates and `scales` what
    /// rows are made of. Beside the centre of a spherical loop the slopes of a point are small, though its terms are not: held by it, axes
    /// would be known a thousand times worse than they are.
    pub fn choose(&mut self, structure: &mut Structure, a: &[f64], sizes: &[f64], scales: &[f64]) {
        let (n, m, rank) = (structure.coordinates, structure.rows.len(), structure.rank);
        if rank == m || sizes.len() != n || scales.len() != m {
            return;
        }
        refill(&mut self.rows, m * n, 0.0);
        refill(&mut self.whole, m, 0.0);
        for (i, row) in self.rows.chunks_exact_mut(n).enumerate() {
            for ((x, a), size) in row.iter_mut().zip(&a[i * n..(i + 1) * n]).zip(sizes) {
                *x = a * size / scales[i];
            }
            self.whole[i] = dot(row, row);
        }
        self.left.clone_from(&self.whole);
        self.chosen.clear();
        for _ in 0..rank {
            let is_distinct = |i: &usize| self.left[*i] > DISTINCT * DISTINCT * self.whole[*i];
            let open = (0..m).filter(|i| !self.chosen.contains(i)).filter(is_distinct);
            let Some(best) = open.max_by(|&i, &j| self.left[i].total_cmp(&self.left[j])) else { return };
            self.chosen.push(best);
            let length = self.left[best];
            let (before, rest) = self.rows.split_at_mut(best * n);
            let (lead, after) = rest.split_at_mut(n);
            let others = before.chunks_exact_mut(n).enumerate();
            let others = others.chain(after.chunks_exact_mut(n).enumerate().map(|(i, row)| (best + 1 + i, row)));
            for (i, row) in others {
                let part = dot(lead, row) / length;
                row.iter_mut().zip(&*lead).for_each(|(x, y)| *x -= part * y);
                self.left[i] = dot(row, row);
            }
        }
        self.chosen.sort_unstable();
        if self.chosen.iter().all(|row| structure.independent_rows().contains(row)) {
            return;
        }
        let follows = (0..m).filter(|i| !self.chosen.contains(i));
        structure.rows.clear();
        structure.rows.extend(self.chosen.iter().copied().chain(follows));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Snapshot, Workspace};

    /// Of rows that say the same, the one leads whose terms are the smallest beside its slopes.
    #[test]
    fn rows_that_are_known_best_lead() {
        let a = [1e-3, 0.0, 1.0, 0.0, 0.0, 1.0];
        let mut workspace = Workspace::new();
        workspace.solve(&Snapshot::new(&[1.0, 0.0, 0.0, 1.0], &[0.0; 2]).constrained(&a, &[0.0; 3])).expect("a motion");
        for (scales, expected) in [([1.0, 1.0, 1.0], [1, 2]), ([1e-6, 1.0, 1.0], [0, 2])] {
            let mut held = workspace.structure();
            Leaders::default().choose(&mut held, &a, &[1.0; 2], &scales);
            let mut rows = held.independent_rows().to_vec();
            rows.sort_unstable();
            assert_eq!(rows, expected);
        }
    }
}
