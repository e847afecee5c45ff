//! Which constraint repeats which, which contradict each other, and which reactions are unique.

use super::error::MotionError;
use super::snapshot::Snapshot;
use super::workspace::Workspace;
use crate::linalg::dependency::Dependencies;
use crate::linalg::tolerance::CONSISTENT;
use crate::linalg::vector::max_abs;

/// A row that follows from others: `A_row = Σ coefficient · A_repeats`.
#[derive(Clone, Debug, PartialEq)]
pub struct Redundancy {
    /// The redundant row.
    pub row: usize,
    /// The rows that it repeats; none for a row of zeros.
    pub repeats: Vec<usize>,
    /// One coefficient for each of them.
    pub coefficients: Vec<f64>,
}

/// A smallest set of rows that cannot hold together: without any one of them, the others can.
#[derive(Clone, Debug, PartialEq)]
pub struct Conflict {
    /// The rows, in order.
    pub rows: Vec<usize>,
    /// Coefficients with which the left sides add up to zero…
    pub coefficients: Vec<f64>,
    /// … while the right sides add up to this.
    pub gap: f64,
}

/// What the constraints say about each other.
#[derive(Clone, Debug, PartialEq)]
pub struct Audit {
    /// The rows that could be left out, with what they repeat. Later rows are said to repeat earlier ones.
    pub redundant: Vec<Redundancy>,
    /// The contradictions.
    pub conflicts: Vec<Conflict>,
    /// For each row, whether its multipliers λᵢ and λ are unique or only the choice of least norm.
    pub determinate_multipliers: Vec<bool>,
    /// For each row, whether its own reaction force `Aᵢᵀλᵢ` is unique.
    pub determinate_reactions: Vec<bool>,
}

impl Audit {
    /// What is said of m rows that do not depend on each other.
    pub(crate) fn of_independent(m: usize) -> Self {
        Self {
            redundant: Vec::new(),
            conflicts: Vec::new(),
            determinate_multipliers: vec![true; m],
            determinate_reactions: vec![true; m],
        }
    }

    /// Adds a row that repeats others with some coefficients.
    pub(crate) fn add(&mut self, row: usize, repeats: Vec<(usize, f64)>, is_empty: impl Fn(usize) -> bool) {
        for i in repeats.iter().map(|(other, _)| *other).chain([row]) {
            self.determinate_multipliers[i] = false;
            self.determinate_reactions[i] &= is_empty(i);
        }
        let (repeats, coefficients) = repeats.into_iter().unzip();
        self.redundant.push(Redundancy { row, repeats, coefficients });
    }
}

impl Workspace {
    /// Audits the constraints of the system that was solved last.
    ///
    /// # Errors
    ///
    /// As [`solve`](Self::solve): the system is solved first.
    ///
    /// # Examples
    ///
    /// ```
    /// use holonom_kernel::{Snapshot, Workspace};
    ///
    /// // Row 2 is twice row 0; row 1 stands alone.
    /// let rows = [1.0, 1.0, 0.0, /* */ 0.0, 0.0, 1.0, /* */ 2.0, 2.0, 0.0];
    /// let mass = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
    /// let snapshot = Snapshot::new(&mass, &[0.0; 3]).constrained(&rows, &[1.0, 0.0, 3.0]);
    /// let audit = Workspace::new().audit(&snapshot)?;
    /// assert_eq!(audit.redundant[0].row, 2);
    /// assert_eq!(audit.redundant[0].repeats, [0]);
    /// assert_eq!(audit.redundant[0].coefficients, [2.0]);
    /// assert_eq!(audit.conflicts[0].rows, [0, 2]); // twice 1 is not 3
    /// assert_eq!(audit.determinate_multipliers, [false, true, false]);
    /// # Ok::<(), holonom_kernel::MotionError>(())
    /// ```
    pub fn audit(&mut self, snapshot: &Snapshot) -> Result<Audit, MotionError> {
        self.solve(snapshot)?;
        let m = snapshot.rows();
        // Coefficients to the last digit, so that what is not there can be told from rounding. Later rows are
        // said to repeat earlier ones.
        self.factor.rows.sharpen(snapshot.A);
        let mut dependencies = Dependencies::default();
        if !dependencies.find(&self.factor.rows, m, (0..m).rev()) {
            return Err(MotionError::OutOfRange);
        }
        let mut audit = Audit::of_independent(m);
        for (row, all) in dependencies.iter() {
            let mut used: Vec<(usize, f64)> = dependencies.basis.iter().copied().zip(all.iter().copied()).collect();
            used.retain(|(_, c)| *c != 0.0);
            used.sort_by_key(|(other, _)| *other);
            audit.add(row, used, |i| max_abs(snapshot.row(i)) == 0.0);
        }
        audit.redundant.sort_by_key(|r| r.row);
        if !self.motion.consistent {
            audit.conflicts = self.conflicts(snapshot, &audit.redundant);
        }
        Ok(audit)
    }

    /// The redundant rows that ask for something else than what they repeat.
    fn conflicts(&self, s: &Snapshot, redundant: &[Redundancy]) -> Vec<Conflict> {
        conflicts(redundant, s.b, |i: usize| {
            let terms: f64 = s.row(i).iter().zip(&self.motion.acceleration).map(|(a, x)| (a * x).abs()).sum();
            terms + s.b[i].abs()
        })
    }
}

/// Those of redundant rows whose right sides are not what they repeat, beside the sizes of the rows.
pub(crate) fn conflicts(redundant: &[Redundancy], right: &[f64], size_of_row: impl Fn(usize) -> f64) -> Vec<Conflict> {
    let measured: Vec<(f64, f64)> = redundant
        .iter()
        .map(|r| {
            let (mut gap, mut size) = (right[r.row], size_of_row(r.row));
            for (i, c) in r.repeats.iter().zip(&r.coefficients) {
                gap -= c * right[*i];
                size += c.abs() * size_of_row(*i);
            }
            (gap, if gap == 0.0 { 0.0 } else { gap.abs() / size })
        })
        .collect();
    // The rows contradict each other, so at least the worst of them does.
    let worst = measured.iter().fold(0.0, |m: f64, (_, relative)| m.max(*relative));
    let threshold = CONSISTENT.min(0.5 * worst);
    let contradictory = redundant.iter().zip(measured).filter(|(_, (_, relative))| *relative > threshold);
    let mut found: Vec<Conflict> = contradictory
        .map(|(r, (gap, _))| {
            let others = r.repeats.iter().copied().zip(r.coefficients.iter().map(|c| -c));
            let mut all: Vec<(usize, f64)> = others.chain([(r.row, 1.0)]).collect();
            all.sort_by_key(|(row, _)| *row);
            let (rows, coefficients) = all.into_iter().unzip();
            Conflict { rows, coefficients, gap }
        })
        .collect();
    found.sort_by(|a, b| a.rows.cmp(&b.rows));
    found
}
