//! Iterative refinement: residuals in twice the precision, corrections with the factors at hand.
//!
//! It is what makes masses over twelve orders and nearly dependent rows come out to the last digits:
//! each step gains as many digits as the factorisation has right.

use super::snapshot::Snapshot;
use super::workspace::{Response, Workspace};
use crate::linalg::twofold::{self, TwofoldSum};

/// More steps than a factorisation with three correct digits needs.
const MOST_STEPS: usize = 10;

impl Workspace {
    /// Improves the answer to (g, b) in place and returns the number of steps taken.
    ///
    /// Stops when a step changes nothing any more or stops converging; then the step is not taken.
    pub(crate) fn refine(&mut self, s: &Snapshot, g: &[f64], b: &[f64], answer: &mut Response) -> usize {
        let mut last = f64::INFINITY;
        for step in 0..MOST_STEPS {
            self.residuals(s, g, b, answer);
            let Response { qdd, lambda, .. } = &mut self.correction;
            self.factor.respond(&self.residual_force, &self.residual_rows, qdd, lambda);
            let scale = &self.factor.mass.scale;
            let rows = &self.factor.rows.row_scale;
            let change = relative(qdd, &answer.qdd, scale).max(relative(lambda, &answer.lambda, rows));
            if change >= 0.5 * last || change.is_nan() {
                return step;
            }
            for (x, dx) in answer.qdd.iter_mut().zip(&*qdd) {
                *x += dx;
            }
            for ((x, low), dx) in answer.lambda.iter_mut().zip(&mut answer.lambda_low).zip(&*lambda) {
                (*x, *low) = twofold::add(*x, *low, *dx);
            }
            if change < f64::EPSILON / 8.0 {
                return step + 1;
            }
            last = change;
        }
        MOST_STEPS
    }

    /// `g + Aᵀλ − M q̈` and, on the independent rows, `b − A q̈`.
    fn residuals(&mut self, s: &Snapshot, g: &[f64], b: &[f64], answer: &Response) {
        let n = s.coordinates();
        for (j, out) in self.residual_force.iter_mut().enumerate() {
            let mut sum = TwofoldSum::from(g[j]);
            sum.add_dot(-1.0, &s.M[j * n..(j + 1) * n], &answer.qdd);
            answer.add_force(s, j, &mut sum);
            *out = sum.value();
        }
        self.residual_rows.fill(0.0);
        for &i in &self.factor.rows.rows[..self.factor.rank()] {
            let mut sum = TwofoldSum::from(b[i]);
            sum.add_dot(-1.0, s.row(i), &answer.qdd);
            self.residual_rows[i] = sum.value();
        }
    }
}

impl Response {
    /// Adds `(Aᵀλ)ⱼ`, with all the digits of λ.
    ///
    /// Multipliers of nearly dependent rows are huge and cancel: 10¹¹ to give a force of 1. In double
    /// precision alone, five digits of that force would be left.
    pub(crate) fn add_force(&self, s: &Snapshot, j: usize, sum: &mut TwofoldSum) {
        let n = s.coordinates();
        for (i, (high, low)) in self.lambda.iter().zip(&self.lambda_low).enumerate() {
            if *high != 0.0 {
                sum.add_product(s.A[i * n + j], *high);
                sum.add_product(s.A[i * n + j], *low);
            }
        }
    }
}

/// The largest change against the largest value, both in comparable units.
fn relative(change: &[f64], value: &[f64], scale: &[f64]) -> f64 {
    let largest = |x: &[f64]| x.iter().zip(scale).fold(0.0, |m: f64, (x, d)| m.max((x / d).abs()));
    let (change, value) = (largest(change), largest(value));
    if change == 0.0 { 0.0 } else { change / value.max(change) }
}
