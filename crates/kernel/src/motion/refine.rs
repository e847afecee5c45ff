//! Iterative refinement: residuals in twice the precision, corrections with the factors at hand.
//!
//! It is what makes masses over twelve orders and nearly dependent rows come out to the last digits:
//! each step gains as many digits as the factorisation has right.

use super::snapshot::Snapshot;
use super::workspace::{Answers, Workspace};
use crate::linalg::twofold::{self, TwofoldSum};
use crate::linalg::vector::Pair;

/// More steps than a factorisation with a single correct digit needs.
const MOST_STEPS: usize = 30;

impl Workspace {
    /// Improves the answers to the forces g and to the right sides (b, 0) in place; counts its steps.
    ///
    /// Each of the two stops by itself: when a step changes nothing any more, or when it would not converge; then
    /// the step is not taken.
    pub(crate) fn refine(&mut self, s: &Snapshot, g: &[Pair], b: &[f64], answers: &mut Answers) {
        let (mut last, mut active) = ([f64::INFINITY; 2], [true; 2]);
        for _ in 0..MOST_STEPS {
            self.residuals(s, g, b, answers);
            let Answers { qdd, lambda, .. } = &mut self.correction;
            let (force, rows) = (&self.residual_force, &self.residual_rows);
            self.factor.respond(|j| force[j], |i| rows[i], qdd, lambda);
            let scale = &self.factor.mass.scale;
            for lane in 0..2 {
                // Multipliers are judged by the force they make: they may be large, and cancel.
                let change =
                    relative(lane, qdd, &answers.qdd, scale).max(relative_force(lane, force, g, &answers.qdd, scale));
                active[lane] &= change < 0.9 * last[lane];
                if !active[lane] {
                    continue;
                }
                for (x, dx) in answers.qdd.iter_mut().zip(&*qdd) {
                    x[lane] += dx[lane];
                }
                for ((x, low), dx) in answers.lambda.iter_mut().zip(&mut answers.lambda_low).zip(&*lambda) {
                    (x[lane], low[lane]) = twofold::add(x[lane], low[lane], dx[lane]);
                }
                last[lane] = change;
                active[lane] = change >= f64::EPSILON / 8.0;
            }
            self.motion.refinements += 1;
            if active == [false; 2] {
                return;
            }
        }
    }

    /// `g + Aᵀλ − M q̈` and, on the independent rows, `b − A q̈`.
    fn residuals(&mut self, s: &Snapshot, g: &[Pair], b: &[f64], answers: &Answers) {
        let n = s.coordinates();
        for (j, out) in self.residual_force.iter_mut().enumerate() {
            let mut sums = g[j].map(TwofoldSum::from);
            for (lane, sum) in sums.iter_mut().enumerate() {
                for (m, x) in s.M[j * n..(j + 1) * n].iter().zip(&answers.qdd) {
                    sum.add_product(-m, x[lane]);
                }
                answers.add_force(s, j, lane, sum);
            }
            *out = sums.map(TwofoldSum::value);
        }
        self.residual_rows.fill([0.0; 2]);
        for &i in &self.factor.rows.rows[..self.factor.rank()] {
            // With the row at size one, so that every term is a number.
            let scale = self.factor.rows.row_scale[i];
            let mut sums = [b[i] * scale, 0.0].map(TwofoldSum::from);
            for (lane, sum) in sums.iter_mut().enumerate() {
                for (a, x) in s.row(i).iter().zip(&answers.qdd) {
                    sum.add_product(-a * scale, x[lane]);
                }
            }
            self.residual_rows[i] = sums.map(|sum| sum.value() / scale);
        }
    }
}

impl Answers {
    /// Adds `(Aᵀλ)ⱼ`, with all the digits of λ.
    ///
    /// Multipliers of nearly dependent rows are huge and cancel: 10¹¹ to give a force of 1. In double
    /// precision alone, five digits of that force would be left.
    pub(crate) fn add_force(&self, s: &Snapshot, j: usize, lane: usize, sum: &mut TwofoldSum) {
        let n = s.coordinates();
        for (i, (high, low)) in self.lambda.iter().zip(&self.lambda_low).enumerate() {
            if high[lane] != 0.0 {
                sum.add_product(s.A[i * n + j], high[lane]);
                sum.add_product(s.A[i * n + j], low[lane]);
            }
        }
    }
}

/// The largest change against the largest value in one of the lanes, both in comparable units.
fn relative(lane: usize, change: &[Pair], value: &[Pair], scale: &[f64]) -> f64 {
    let largest = |x: &[Pair]| x.iter().zip(scale).fold(0.0, |m: f64, (x, d)| m.max((x[lane] / d).abs()));
    let (change, value) = (largest(change), largest(value));
    if change == 0.0 { 0.0 } else { change / value.max(change) }
}

/// The largest force that is missing against the largest that acts, both in comparable units.
fn relative_force(lane: usize, missing: &[Pair], acting: &[Pair], qdd: &[Pair], scale: &[f64]) -> f64 {
    let (mut missed, mut largest) = (0.0f64, 0.0f64);
    for (((missing, g), x), d) in missing.iter().zip(acting).zip(qdd).zip(scale) {
        missed = missed.max((missing[lane] * d).abs());
        largest = largest.max((g[lane] * d).abs()).max((x[lane] / d).abs());
    }
    if missed == 0.0 { 0.0 } else { missed / largest.max(missed) }
}
