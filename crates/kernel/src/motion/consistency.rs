//! Constraints that depend on each other: whether they agree, and the nearest that can be met if not.

use super::answer::Motion;
use super::error::MotionError;
use super::snapshot::Snapshot;
use super::workspace::{Answers, Workspace};
use crate::linalg::tolerance::{Agreement, SUMMED};
use crate::linalg::twofold::{self, TwofoldSum};
use crate::linalg::vector::add_scaled;

/// How often shared multipliers are corrected: once gains sixteen digits, and no more than thirty are lost.
const CORRECTIONS: usize = 2;

impl Workspace {
    /// How well rows that depend on others agree with what those give.
    ///
    /// Judged on the right sides themselves, against the terms that make the row up: Σⱼ|Aᵢⱼ q̈ⱼ| + |bᵢ|, all of them with the
    /// row at size one.
    pub(crate) fn agreement(&self, s: &Snapshot) -> Agreement {
        let basis = &self.dependencies.basis;
        let agreement = |(row, coefficients): (usize, &[f64])| {
            let scale = self.factor.rows.row_scale[row];
            let right = s.b[row] * scale;
            let (mut sum, mut summands) = (-right, right.abs());
            for (c, other) in coefficients.iter().zip(basis) {
                let part = c * s.b[*other] * scale;
                sum += part;
                summands += part.abs();
            }
            let acceleration = s.row(row).iter().zip(&self.answers.qdd);
            let terms: f64 = acceleration.map(|(a, x)| (a * scale * (x[0] + x[1])).abs()).sum();
            Agreement::of(sum.abs(), terms + right.abs(), SUMMED * summands)
        };
        self.dependencies.iter().map(agreement).max().unwrap_or(Agreement::Exact)
    }

    /// How dependent rows follow from the others, solved for the shortest rows.
    ///
    /// Then no coefficient is large, and least squares over rows of any size is well-posed: long rows that
    /// repeat each other are eliminated exactly, not up to a rounding error that would drown short ones.
    pub(crate) fn find_dependencies(&mut self, s: &Snapshot) -> Result<(), MotionError> {
        let m = s.rows();
        self.shortest_first.clear();
        self.shortest_first.extend(0..m);
        let scale = &self.factor.rows.row_scale;
        self.shortest_first.sort_unstable_by(|a, b| scale[*b].total_cmp(&scale[*a]).then(b.cmp(a)));
        if !self.dependencies.find(&self.factor.rows, m, self.shortest_first.iter().copied()) {
            return Err(MotionError::OutOfRange);
        }
        self.reach.factor(&self.dependencies);
        Ok(())
    }

    /// Makes the multipliers those of least norm, without changing the forces that they make.
    ///
    /// The factors put all load on some of the rows. Where these are short, their multipliers are large, and what least norm
    /// leaves to them may be twelve orders smaller: a difference without digits. So the forces are compared, in twice the
    /// precision, and what is missing is shared in the same way.
    pub(crate) fn shorten_multipliers(&mut self, s: &Snapshot) {
        let Motion { ideal_multipliers, reactions, .. } = &mut self.motion;
        let [ideal, total, share] = &mut self.over_rows;
        ideal.copy_from_slice(ideal_multipliers);
        total.copy_from_slice(reactions);
        self.reach.project(&self.dependencies, ideal_multipliers);
        self.reach.project(&self.dependencies, reactions);
        if self.factor.rows_are_comparable() {
            return;
        }
        let Answers { qdd: force, lambda: shares, .. } = &mut self.correction;
        for _ in 0..CORRECTIONS {
            for (j, force) in force.iter_mut().enumerate() {
                let mut sums = [TwofoldSum::default(); 2];
                for i in 0..s.rows() {
                    let a = s.row(i)[j];
                    sums[0].add_product(a, ideal[i]);
                    if !self.factor.well_conditioned {
                        sums[0].add_product(a, self.answers.lambda_low[i][0]);
                    }
                    sums[0].add_product(-a, ideal_multipliers[i]);
                    sums[1].add_product(a, total[i]);
                    sums[1].add_product(-a, reactions[i]);
                }
                *force = sums.map(TwofoldSum::value);
            }
            self.factor.multipliers_of(force, shares);
            for (lane, multipliers) in [&mut *ideal_multipliers, &mut *reactions].into_iter().enumerate() {
                share.iter_mut().zip(&*shares).for_each(|(x, pair)| *x = pair[lane]);
                self.reach.project(&self.dependencies, share);
                add_scaled(multipliers, 1.0, share);
            }
        }
    }

    /// `x ← A A⁺ x` in the rows as given, where rows depend on each other.
    pub(crate) fn project_on_range(&mut self, x: &mut [f64]) {
        if self.factor.rank() < self.factor.m {
            self.reach.project(&self.dependencies, x);
        }
    }

    /// The right side nearest to b that the constraints can meet: A A⁺ b.
    ///
    /// Refined like everything else: rows of 10⁶ that contradict each other leave a residual of 10⁶, and
    /// what is left for rows of 1 must not drown in its rounding.
    pub(crate) fn find_reachable(&mut self, s: &Snapshot) {
        let (dependencies, basis) = (&self.dependencies, &self.dependencies.basis);
        let high = &mut self.reachable;
        let [residual, low, _] = &mut self.over_rows;
        high.fill(0.0);
        low.fill(0.0);
        // What the values of the independent rows make of a dependent one.
        let add = |sum: &mut TwofoldSum, sign: f64, coefficients: &[f64], high: &[f64], low: &[f64]| {
            for (c, &j) in coefficients.iter().zip(basis) {
                sum.add_product(sign * c, high[j]);
                sum.add_product(sign * c, low[j]);
            }
        };
        for _ in 0..3 {
            for &i in basis {
                let mut sum = TwofoldSum::from(s.b[i]);
                sum.add_product(-1.0, high[i]);
                sum.add_product(-1.0, low[i]);
                residual[i] = sum.value();
            }
            for (i, coefficients) in dependencies.iter() {
                let mut sum = TwofoldSum::from(s.b[i]);
                add(&mut sum, -1.0, coefficients, high, low);
                residual[i] = sum.value();
            }
            self.reach.project(dependencies, residual);
            for &i in basis {
                (high[i], low[i]) = twofold::add(high[i], low[i], residual[i]);
            }
        }
        for (i, coefficients) in dependencies.iter() {
            let mut sum = TwofoldSum::default();
            add(&mut sum, 1.0, coefficients, high, low);
            high[i] = sum.value();
        }
    }
}
