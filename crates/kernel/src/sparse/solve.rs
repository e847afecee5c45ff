//! Answers to right sides, by the band or by fronts, judged.

use super::factors::{EXACT, SparseVerdict};
use super::numeric::Numeric;
use super::symbolic::Symbolic;
use super::values::SparseValues;
use crate::linalg::tolerance::{Agreement, BALANCED, SUMMED};

impl Numeric {
    /// The acceleration under the force Q with right sides b, and the multipliers: `M q̈ = Q + Aᵀλ`, `A q̈ = b`.
    ///
    /// The acceleration is that of Udwadia & Phohomsiri 2006, eq. 2.14 with η = 0; multipliers are of least norm.
    /// `values` are those that were factored last. With constraints that are not ideal the answer is the sum of those
    /// to (Q, b) and to (C, 0), and the multipliers of both add up to the reactions.
    ///
    /// # Panics
    ///
    /// When a slice does not have the length that the pattern asks for.
    pub fn solve(
        &mut self,
        symbolic: &Symbolic,
        values: SparseValues,
        force: &[f64],
        right: &[f64],
        acceleration: &mut [f64],
        multipliers: &mut [f64],
    ) -> SparseVerdict {
        let (n, m) = (symbolic.pattern.n, symbolic.pattern.rows());
        assert_eq!((force.len(), acceleration.len()), (n, n), "one force and one acceleration for each coordinate");
        assert_eq!((right.len(), multipliers.len()), (m, m), "one right side and one multiplier for each row");
        if let Some(plan) = symbolic.band.as_ref().filter(|_| self.by_band) {
            let given = (force, right);
            let residual = self.band.solve(plan, &symbolic.pattern, values, given, acceleration, multipliers);
            if let Some(residual) = residual {
                return SparseVerdict { consistent: true, balanced: true, residual, refinements: 0 };
            }
            // The certificate failed: the fronts decide.
            let held = self.held;
            if self.factor_fronts(symbolic, values).is_err() {
                acceleration.fill(f64::NAN);
                multipliers.fill(f64::NAN);
                return SparseVerdict { consistent: false, balanced: false, residual: f64::NAN, refinements: 0 };
            }
            self.held = held;
        }
        let mut kept = std::mem::take(&mut self.force);
        kept.clear();
        kept.extend_from_slice(force);
        let balanced = self.judge_balance(force);
        self.null.free.project(&mut kept);
        let mut verdict = self.factors.answer(symbolic, &values, &kept, right, acceleration, multipliers);
        verdict.balanced = balanced;
        let agreement = if self.held { None } else { Some(self.agreement(symbolic, &values, right, acceleration)) };
        if let Some(agreement) = agreement {
            self.consistent = agreement < Agreement::None;
        }
        verdict.consistent = self.consistent;
        if agreement > Some(Agreement::Exact) {
            let mut reachable = std::mem::take(&mut self.reachable);
            reachable.clear();
            reachable.extend_from_slice(right);
            self.shorten(symbolic, &values, &mut reachable);
            let again = self.factors.answer(symbolic, &values, &kept, &reachable, acceleration, multipliers);
            (verdict.residual, verdict.refinements) = (again.residual, again.refinements);
            self.reachable = reachable;
        }
        self.force = kept;
        self.shorten(symbolic, &values, multipliers);
        self.null.free.project(acceleration);
        verdict
    }

    /// `x ← A A⁺ x` over rows: multipliers of least norm, or the nearest right side that can be met.
    fn shorten(&mut self, symbolic: &Symbolic, values: &SparseValues, x: &mut [f64]) {
        match self.dual.as_mut().filter(|_| self.null.wide) {
            Some(dual) => dual.project(&symbolic.pattern, values.a, x),
            None => self.null.rows.project(x),
        }
    }

    /// How well rows that depend on others agree with what those give.
    ///
    /// Judged on the right sides themselves, where the combinations are known. If not: the others are met up to
    /// rounding, so what is left of a row that depends on them is the contradiction.
    fn agreement(&self, symbolic: &Symbolic, values: &SparseValues, right: &[f64], x: &[f64]) -> Agreement {
        let pattern = &symbolic.pattern;
        // The terms of a row and what is left of it, with the row at size one.
        let measured = |row: usize| {
            let (entries, scale) = (pattern.entries(row), self.factors.scales.row[row]);
            let mut sum = right[row] * scale;
            let mut size = sum.abs();
            for (a, j) in values.a[entries.clone()].iter().zip(&pattern.columns[entries]) {
                let term = a * scale * x[*j as usize];
                sum -= term;
                size += term.abs();
            }
            (sum, size)
        };
        if !self.null.wide {
            let agreement = |t: usize| {
                // The sizes of these rows are comparable as given: one factor serves all.
                let unit =
                    self.null.rows.vector(t).map(|(row, _)| self.factors.scales.row[row]).fold(f64::INFINITY, f64::min);
                let (mut gap, mut summands, mut terms) = (0.0, 0.0, f64::INFINITY);
                for (row, z) in self.null.rows.vector(t) {
                    let part = z * right[row] * unit;
                    gap += part;
                    summands += part.abs();
                    terms = terms.min(z.abs() * measured(row).1 * (unit / self.factors.scales.row[row]));
                }
                Agreement::of(gap.abs(), terms, SUMMED * summands)
            };
            return (0..self.null.rows.len()).map(agreement).max().unwrap_or(Agreement::Exact);
        }
        let agreement = |row: u32| {
            let (sum, size) = measured(row as usize);
            Agreement::of(sum.abs(), size, EXACT * size)
        };
        let decisions = &self.factors.elimination.decisions;
        let dropped =
            decisions.dropped.iter().map(|(f, at)| decisions.rows[(decisions.records[*f as usize].rows + at) as usize]);
        dropped.chain(symbolic.empty_rows.iter().copied()).map(agreement).max().unwrap_or(Agreement::Exact)
    }

    /// Whether the force along the free directions vanishes.
    fn judge_balance(&self, force: &[f64]) -> bool {
        (0..self.null.free.len()).all(|t| {
            let (mut along, mut size) = (0.0, 0.0);
            for (j, w) in self.null.free.vector(t) {
                along += w * force[j];
                size += (w * force[j]).abs();
            }
            along.abs() <= BALANCED * size
        })
    }
}
