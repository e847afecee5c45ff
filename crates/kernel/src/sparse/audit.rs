//! Which constraint repeats which, which contradict each other, and which coordinates nothing determines.

use std::collections::{BTreeMap, BTreeSet};

use crate::linalg::tolerance::SOLVABLE;
use crate::{Audit, Conflict, Directions, Redundancy};

use super::numeric::Numeric;
use super::symbolic::Symbolic;
use super::values::SparseValues;

/// A coefficient below this, with rows at comparable size, is rounding.
const ROUNDING: f64 = 1e-11;

impl Numeric {
    /// Audits the system that was factored last, with right sides b and the acceleration found.
    pub fn audit(&mut self, symbolic: &Symbolic, values: SparseValues, right: &[f64], acceleration: &[f64]) -> Audit {
        let mut audit = Audit::of_independent(symbolic.pattern.rows());
        if self.by_band {
            return audit;
        }
        let wide = self.null.wide;
        if wide {
            self.null.find(symbolic, &self.factors, false);
        }
        let is_empty = |row: usize| values.a[symbolic.pattern.entries(row)].iter().all(|a| *a == 0.0);
        for vector in self.circuits(symbolic, &values) {
            let own = vector.all[&vector.row];
            let others = vector.all.iter().filter(|(row, _)| **row != vector.row);
            audit.add(vector.row, others.map(|(row, z)| (*row, -z / own)).collect(), is_empty);
        }
        self.null.wide = wide;
        audit.redundant.sort_by_key(|r| r.row);
        audit.conflicts = conflicts(symbolic, &values, right, acceleration, &audit.redundant, self.consistent);
        audit
    }

    /// The directions that nothing determines, of the system that was factored last, of length one. Where these would take more
    /// room than the system, one that moves all that any of them moves.
    pub fn free_directions(&self) -> Directions {
        let mut directions = Directions::default();
        for t in 0..if self.by_band { 0 } else { self.null.free.len() } {
            let mut direction: Vec<(usize, f64)> = self.null.free.vector(t).collect();
            direction.sort_unstable_by_key(|entry| entry.0);
            directions.push(direction.into_iter());
        }
        directions
    }

    /// Whether the directions that nothing determines are so many and so long that one stands for all of them.
    ///
    /// Accelerations are not those of least norm then, though right where they are determined.
    pub fn one_direction_stands_for_all(&self) -> bool {
        !self.by_band && self.null.loose
    }

    /// One coordinate for each direction that nothing determines: given these, all others follow.
    pub fn free_coordinates(&self) -> Vec<usize> {
        let decisions = &self.factors.elimination.decisions;
        let coordinate = |&(f, at): &(u32, u32)| {
            decisions.coordinates[(decisions.records[f as usize].coordinates + at) as usize] as usize
        };
        if self.by_band { Vec::new() } else { decisions.free.iter().map(coordinate).collect() }
    }

    /// The part of a force that acts along the directions that nothing determines.
    pub fn unbalanced(&mut self, force: &[f64]) -> Vec<f64> {
        let mut rest = force.to_vec();
        if self.one_direction_stands_for_all() {
            // All that acts on what it moves.
            self.null.free.vector(0).for_each(|(j, _)| rest[j] = 0.0);
        } else if !self.by_band {
            self.null.free.project(&mut rest);
        }
        let largest = force.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        let along = |(f, r): (&f64, &f64)| if (f - r).abs() > ROUNDING * largest { f - r } else { 0.0 };
        force.iter().zip(&rest).map(along).collect()
    }

    /// Combinations of rows that vanish, each solved for the last row that can be, which no other contains.
    fn circuits(&self, symbolic: &Symbolic, values: &SparseValues) -> Vec<Circuit> {
        let length = |row: usize| {
            let size = values.a[symbolic.pattern.entries(row)].iter().fold(0.0, |m: f64, x| m.max(x.abs()));
            if size > 0.0 { size } else { 1.0 }
        };
        // At comparable size: the coefficients of rows of length one.
        let mut open: Vec<Circuit> = Vec::new();
        let mut holders: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
        for t in 0..self.null.rows.len() {
            let mut all: BTreeMap<usize, f64> =
                self.null.rows.vector(t).map(|(row, z)| (row, z * length(row))).collect();
            let largest = all.values().fold(0.0, |m: f64, x| m.max(x.abs()));
            all.retain(|_, z| z.abs() > ROUNDING * largest);
            all.keys().for_each(|row| {
                holders.entry(*row).or_default().insert(t);
            });
            open.push(Circuit { row: usize::MAX, all });
        }
        let rows: Vec<usize> = holders.keys().copied().collect();
        for row in rows.into_iter().rev() {
            let Some(holding) = holders.get(&row).cloned() else { continue };
            let size = |t: &usize| {
                let largest = open[*t].all.values().fold(0.0, |m: f64, x| m.max(x.abs()));
                open[*t].all[&row].abs() / largest
            };
            let candidates = holding.iter().filter(|t| open[**t].row == usize::MAX);
            let best = candidates.max_by(|a, b| size(a).total_cmp(&size(b)).then(b.cmp(a))).copied();
            let Some(t) = best.filter(|t| size(t) > SOLVABLE) else { continue };
            open[t].row = row;
            let pivot = open[t].all.clone();
            for &other in holding.iter().filter(|other| **other != t) {
                let factor = open[other].all[&row] / pivot[&row];
                for (r, z) in &pivot {
                    *open[other].all.entry(*r).or_insert(0.0) -= factor * z;
                    holders.entry(*r).or_default().insert(other);
                }
                let largest = open[other].all.values().fold(0.0, |m: f64, x| m.max(x.abs()));
                let gone = |r: &usize, z: &f64| *r == row || z.abs() <= ROUNDING * largest;
                let removed: Vec<usize> = open[other].all.iter().filter(|(r, z)| gone(r, z)).map(|(r, _)| *r).collect();
                for r in removed {
                    open[other].all.remove(&r);
                    holders.entry(r).or_default().remove(&other);
                }
            }
        }
        for circuit in &mut open {
            if circuit.row == usize::MAX {
                circuit.row = circuit.all.keys().next_back().copied().unwrap_or(0);
            }
            circuit.all.iter_mut().for_each(|(row, z)| *z /= length(*row));
        }
        open
    }
}

struct Circuit {
    /// The row it is solved for.
    row: usize,
    all: BTreeMap<usize, f64>,
}

/// The redundant rows that ask for something else than what they repeat.
fn conflicts(
    symbolic: &Symbolic,
    values: &SparseValues,
    right: &[f64],
    x: &[f64],
    redundant: &[Redundancy],
    consistent: bool,
) -> Vec<Conflict> {
    if consistent {
        return Vec::new();
    }
    let pattern = &symbolic.pattern;
    let size_of_row = |row: usize| {
        let entries = pattern.entries(row);
        let terms = values.a[entries.clone()].iter().zip(&pattern.columns[entries]);
        terms.fold(right[row].abs(), |sum, (a, j)| sum + (a * x[*j as usize]).abs())
    };
    crate::motion::conflicts(redundant, right, size_of_row)
}
