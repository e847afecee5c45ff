//! Multipliers of least norm where redundant rows hang together far and wide.
//!
//! Among all λ with the same force Aᵀλ the shortest is wanted: make ½λᵀλ least subject to `Aᵀλ = f`. That is the
//! problem of the kernel again, with rows for coordinates, unit masses, and Aᵀ for A. It takes no null space, whose
//! vectors may be long in a truss with bars to spare, and it does not mind rows of very different size.

use super::error::SparseError;
use super::factors::{Factors, rounding};
use super::pattern::Pattern;
use super::symbolic::Symbolic;
use super::values::SparseValues;
use crate::linalg::tolerance::ROUNDING;

/// The transposed problem, with memory of its own.
#[derive(Clone, Debug)]
pub(super) struct Dual {
    symbolic: Symbolic,
    factors: Factors,
    /// For each entry of Aᵀ its place in A.
    from: Vec<u32>,
    mass: Vec<f64>,
    a: Vec<f64>,
    force: Vec<f64>,
    right: Vec<f64>,
    unused: Vec<f64>,
    noise: Vec<f64>,
}

impl Dual {
    /// None where too many rows meet.
    pub(super) fn new(pattern: &Pattern) -> Option<Self> {
        let (n, m) = (pattern.n, pattern.rows());
        let mut rows: Vec<Vec<usize>> = vec![Vec::new(); n];
        let mut entries: Vec<Vec<u32>> = vec![Vec::new(); n];
        for row in 0..m {
            for entry in pattern.entries(row) {
                rows[pattern.columns[entry] as usize].push(row);
                entries[pattern.columns[entry] as usize].push(entry as u32);
            }
        }
        let transposed = Pattern::new(m, rows, (0..m).map(|i| (i, i))).ok()?;
        let from = entries.concat();
        Some(Self {
            symbolic: Symbolic::new(&transposed).ok()?,
            factors: Factors::default(),
            a: vec![0.0; from.len()],
            from,
            mass: vec![1.0; m],
            force: vec![0.0; m],
            right: vec![0.0; n],
            unused: vec![0.0; n],
            noise: Vec::new(),
        })
    }

    /// Takes over the numbers of A, without those that are rounding in their row.
    pub(super) fn factor(&mut self, pattern: &Pattern, a: &[f64]) -> Result<(), SparseError> {
        self.noise.clear();
        self.noise.extend((0..pattern.rows()).map(|row| {
            let largest = a[pattern.entries(row)].iter().fold(0.0, |m: f64, x| m.max(x.abs()));
            ROUNDING * largest
        }));
        for ((x, from), row) in self.a.iter_mut().zip(&self.from).zip(&self.symbolic.pattern.columns) {
            let value = a[*from as usize];
            *x = if value.abs() > self.noise[*row as usize] { value } else { 0.0 };
        }
        let values = SparseValues { mass: &self.mass, a: &self.a };
        self.factors.scales.set(&self.symbolic.pattern, &values);
        self.factors.decide(&self.symbolic, &values, rounding(&self.symbolic))
    }

    /// `x ← A A⁺ x`: of all vectors over rows with the same Aᵀx, the shortest.
    pub(super) fn project(&mut self, pattern: &Pattern, a: &[f64], x: &mut [f64]) {
        pattern.force(a, x, &mut self.right);
        let values = SparseValues { mass: &self.mass, a: &self.a };
        self.factors.answer(&self.symbolic, &values, &self.force, &self.right, x, &mut self.unused);
    }
}
