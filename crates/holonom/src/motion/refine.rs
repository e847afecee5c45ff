//! Iterative refinement: residuals in twice the precision, corrections with the factors at hand.
//!
//! It is what makes masses over twelve orders and nearly dependent rows come out to the last digits:
//! each step gains as many digits as the factorisation has right.

use super::snapshot::Snapshot;
use super::workspace::{Answers, Workspace};
use crate::linalg::twofold::{self, TwofoldSum};
use crate::linalg::vector::Pair;

/// More steps than a factorisation with three correct digits needs.
const MOST_STEPS: usize = 10;

impl Workspace {
    /// Improves the answers to the forces g and to the right sides (b, 0) in place; counts its steps.
    ///
    /// Stops when a step changes nothing any more or stops converging; then the step is not taken.
    pub(crate) fn refine(&mut self, s: &Snapshot, g: &[Pair], b: &[f64], answers: &mut Answers) {
        let mut last = f64::INFINITY;
        for _ in 0..MOST_STEPS {
            self.residuals(s, g, b, answers);
            let Answers { qdd, lambda, .. } = &mut self.correction;
            let (force, rows) = (&self.residual_force, &self.residual_rows);
            self.factor.respond(|j| force[j], |i| rows[i], qdd, lambda);
            let (scale, row_scale) = (&self.factor.mass.scale, &self.factor.rows.row_scale);
            let change = relative(qdd, &answers.qdd, scale).max(relative(lambda, &answers.lambda, row_scale));
            if change >= 0.5 * last || change.is_nan() {
                return;
            }
            self.motion.refinements += 1;
            for (x, dx) in answers.qdd.iter_mut().zip(&*qdd) {
                *x = [x[0] + dx[0], x[1] + dx[1]];
            }
            for ((x, low), dx) in answers.lambda.iter_mut().zip(&mut answers.lambda_low).zip(&*lambda) {
                for lane in 0..2 {
                    (x[lane], low[lane]) = twofold::add(x[lane], low[lane], dx[lane]);
                }
            }
            if change < f64::EPSILON / 8.0 {
                return;
            }
            last = change;
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
            let mut sums = [b[i], 0.0].map(TwofoldSum::from);
            for (lane, sum) in sums.iter_mut().enumerate() {
                for (a, x) in s.row(i).iter().zip(&answers.qdd) {
                    sum.add_product(-a, x[lane]);
                }
            }
            self.residual_rows[i] = sums.map(TwofoldSum::value);
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

/// The largest change against the largest value, both in comparable units; the worse of the pair.
fn relative(change: &[Pair], value: &[Pair], scale: &[f64]) -> f64 {
    let largest = |x: &[Pair], lane: usize| x.iter().zip(scale).fold(0.0, |m: f64, (x, d)| m.max((x[lane] / d).abs()));
    let of_lane = |lane: usize| {
        let (change, value) = (largest(change, lane), largest(value, lane));
        if change == 0.0 { 0.0 } else { change / value.max(change) }
    };
    of_lane(0).max(of_lane(1))
}
