//! Fronts with their scales, and answers to right sides: through the fronts and back, refined.

use super::decisions::Kind;
use super::error::SparseError;
use super::front::Elimination;
use super::scales::Scales;
use super::symbolic::Symbolic;
use super::values::SparseValues;
use crate::linalg::tolerance::rank_tolerance;

/// Residuals below this part of their terms are rounding; where margins are narrow, below a part of it.
pub(super) const EXACT: f64 = 1024.0 * f64::EPSILON;
/// Terms below this part of the largest are measured against this part of it.
const FAINT: f64 = 1e-6;
/// A narrow margin.
const NARROW: f64 = 1e-3;
/// Steps of refinement at most.
const STEPS: usize = 3;

/// How an answer stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SparseVerdict {
    /// Whether the constraints can all be met. If not, the acceleration is their least-squares answer.
    pub consistent: bool,
    /// Whether every force on a massless, unconstrained direction vanishes. If not, it was left aside.
    pub balanced: bool,
    /// What is left of `M q̈ = Q + Aᵀλ` and `A q̈ = b`, relative to the terms of each line: the largest. Not a number where
    /// the answer is more than numbers hold.
    pub residual: f64,
    /// Steps of iterative refinement taken.
    pub refinements: usize,
}

/// The factors of one system by fronts.
#[derive(Clone, Debug, Default)]
pub(super) struct Factors {
    pub(super) scales: Scales,
    pub(super) elimination: Elimination,
    /// The right sides of a front; what is left of them all; what that changes; and the sizes of their terms.
    local: [Vec<f64>; 2],
    residual: [Vec<f64>; 2],
    correction: [Vec<f64>; 2],
    sizes: Vec<f64>,
    row_sizes: Vec<f64>,
}

impl Factors {
    /// Decides all fronts, once scales are set.
    pub(super) fn decide(
        &mut self,
        symbolic: &Symbolic,
        values: &SparseValues,
        tolerance: f64,
    ) -> Result<(), SparseError> {
        self.elimination.decide(symbolic, &mut self.scales, values, tolerance)
    }

    /// Follows the decisions made before, in the same scales.
    pub(super) fn follow(&mut self, symbolic: &Symbolic, values: &SparseValues) -> Result<(), SparseError> {
        self.elimination.follow(symbolic, &self.scales, values)
    }

    /// The answer to right sides that can be met, refined; multipliers of rows that depend on others are zero.
    pub(super) fn answer(
        &mut self,
        symbolic: &Symbolic,
        values: &SparseValues,
        force: &[f64],
        right: &[f64],
        x: &mut [f64],
        lambda: &mut [f64],
    ) -> SparseVerdict {
        self.respond(symbolic, force, right, x, lambda);
        let mut residual = self.residuals(symbolic, values, force, right, x, lambda);
        let mut refinements = 0;
        let (rows, masses) = (self.elimination.row_margin.kept, self.elimination.mass_margin.kept);
        let exact = if rows.min(masses).min(self.scales.spread) < NARROW { 0.004 * EXACT } else { EXACT };
        while residual > exact && refinements < STEPS {
            let [f, r] = std::mem::take(&mut self.residual);
            let [mut dx, mut dl] = std::mem::take(&mut self.correction);
            dx.resize(x.len(), 0.0);
            dl.resize(lambda.len(), 0.0);
            self.respond(symbolic, &f, &r, &mut dx, &mut dl);
            x.iter_mut().zip(&dx).for_each(|(x, d)| *x += d);
            lambda.iter_mut().zip(&dl).for_each(|(x, d)| *x += d);
            self.residual = [f, r];
            let next = self.residuals(symbolic, values, force, right, x, lambda);
            refinements += 1;
            let worse = !(next < residual);
            if worse {
                x.iter_mut().zip(&dx).for_each(|(x, d)| *x -= d);
                lambda.iter_mut().zip(&dl).for_each(|(x, d)| *x -= d);
            }
            self.correction = [dx, dl];
            if worse {
                break;
            }
            let slow = next > 0.1 * residual;
            residual = next;
            if slow {
                break;
            }
        }
        SparseVerdict { consistent: true, balanced: true, residual, refinements }
    }

    /// Once through the fronts and back.
    fn respond(&mut self, symbolic: &Symbolic, force: &[f64], right: &[f64], x: &mut [f64], lambda: &mut [f64]) {
        for ((x, g), scale) in x.iter_mut().zip(force).zip(&self.scales.column) {
            *x = g * scale;
        }
        for (((l, b), scale), unit) in lambda.iter_mut().zip(right).zip(&self.scales.row).zip(&self.scales.unit) {
            *l = b * scale * unit;
        }
        let [g, beta] = &mut self.local;
        let decisions = &self.elimination.decisions;
        let mut at = 0;
        for record in &decisions.records {
            let coordinates = &decisions.coordinates[record.coordinates()];
            let rows = &decisions.rows[record.rows()];
            let kinds = &decisions.kinds[record.coordinates()];
            let (size, count, gone) = (coordinates.len(), rows.len(), record.gone as usize);
            gather(g, coordinates, x);
            gather(beta, rows, lambda);
            for k in 0..gone {
                let (head, g) = g.split_at_mut(k + 1);
                let own = head[k];
                match kinds[k] {
                    Kind::Row => {
                        let rest = size - k - 1;
                        let (inverse, f) = (self.elimination.factors[at], &self.elimination.factors[at + 2..]);
                        let (t, f) = f.split_at(rest);
                        let (h, f) = f.split_at(rest);
                        let (head, beta) = beta.split_at_mut(k + 1);
                        for (b, l) in beta.iter_mut().zip(&f[..count - k - 1]) {
                            *b -= l * head[k];
                        }
                        let value = head[k] * inverse;
                        head[k] = value;
                        for ((g, t), h) in g.iter_mut().zip(t).zip(h) {
                            *g -= t * own + h * value;
                        }
                        at += 2 + 2 * rest + count - k - 1;
                    }
                    Kind::Mass => {
                        for (g, t) in g.iter_mut().zip(&self.elimination.factors[at + 1..]) {
                            *g -= t * own;
                        }
                        at += size - k;
                    }
                    Kind::Free => {}
                }
            }
            scatter(g, coordinates, x);
            scatter(beta, rows, lambda);
        }
        for record in decisions.records.iter().rev() {
            let coordinates = &decisions.coordinates[record.coordinates()];
            let rows = &decisions.rows[record.rows()];
            let kinds = &decisions.kinds[record.coordinates()];
            let (size, count, gone) = (coordinates.len(), rows.len(), record.gone as usize);
            gather(g, coordinates, x);
            gather(beta, rows, lambda);
            beta[(record.by_rows + record.passed) as usize..].fill(0.0);
            for k in (0..gone).rev() {
                let (head, g) = g.split_at_mut(k + 1);
                match kinds[k] {
                    Kind::Row => {
                        let rest = size - k - 1;
                        at -= 2 + 2 * rest + count - k - 1;
                        let (inverse, own, f) = (
                            self.elimination.factors[at],
                            self.elimination.factors[at + 1],
                            &self.elimination.factors[at + 2..],
                        );
                        let (t, f) = f.split_at(rest);
                        let (h, f) = f.split_at(rest);
                        let (given, beta) = beta.split_at_mut(k + 1);
                        let value = given[k];
                        let (mut position, mut force) = (value, own * value - head[k]);
                        for ((x, t), h) in g.iter().zip(t).zip(h) {
                            position -= t * x;
                            force += h * x;
                        }
                        head[k] = position;
                        let mut multiplier = force * inverse;
                        for (b, l) in beta.iter().zip(&f[..count - k - 1]) {
                            multiplier -= l * b;
                        }
                        given[k] = multiplier;
                    }
                    Kind::Mass => {
                        at -= size - k;
                        let f = &self.elimination.factors[at..];
                        head[k] *= f[0];
                        for (x, t) in g.iter().zip(&f[1..]) {
                            head[k] -= t * x;
                        }
                    }
                    Kind::Free => head[k] = 0.0,
                }
            }
            scatter(&g[..gone], coordinates, x);
            scatter(beta, rows, lambda);
        }
        for row in &symbolic.empty_rows {
            lambda[*row as usize] = 0.0;
        }
        x.iter_mut().zip(&self.scales.column).for_each(|(x, scale)| *x *= scale);
        for ((l, scale), unit) in lambda.iter_mut().zip(&self.scales.row).zip(&self.scales.unit) {
            *l = *l * unit * scale;
        }
    }

    /// What is left of Newton's equation and of the rows; the largest part of their terms is returned.
    ///
    /// Rows that depend on others count for nothing: if they agree they are met with the others.
    fn residuals(
        &mut self,
        symbolic: &Symbolic,
        values: &SparseValues,
        force: &[f64],
        right: &[f64],
        x: &[f64],
        lambda: &[f64],
    ) -> f64 {
        let pattern = &symbolic.pattern;
        let [f, r] = &mut self.residual;
        let size = &mut self.sizes;
        f.clear();
        f.extend_from_slice(force);
        size.clear();
        size.extend(force.iter().map(|x| x.abs()));
        for ((i, j), value) in pattern.mass.iter().zip(values.mass) {
            let (i, j) = (*i as usize, *j as usize);
            f[i] -= value * x[j];
            size[i] += (value * x[j]).abs();
            if i != j {
                f[j] -= value * x[i];
                size[j] += (value * x[i]).abs();
            }
        }
        r.clear();
        let terms = &mut self.row_sizes;
        terms.clear();
        for row in 0..pattern.rows() {
            // With the row at size one, so that every term is a number.
            let scale = self.scales.row[row];
            let mut sum = right[row] * scale;
            let mut size_of = sum.abs();
            let entries = pattern.entries(row);
            for (a, j) in values.a[entries.clone()].iter().zip(&pattern.columns[entries]) {
                let j = *j as usize;
                let term = a * scale * x[j];
                sum -= term;
                size_of += term.abs();
                f[j] += a * lambda[row];
                size[j] += (a * lambda[row]).abs();
            }
            r.push(sum);
            terms.push(size_of);
        }
        for &(at, position) in &self.elimination.decisions.dropped {
            let row = self.elimination.decisions.rows
                [(self.elimination.decisions.records[at as usize].rows + position) as usize];
            r[row as usize] = 0.0;
        }
        for row in &symbolic.empty_rows {
            r[*row as usize] = 0.0;
        }
        let rows = largest(r, terms, &self.scales.unit);
        r.iter_mut().zip(&self.scales.row).for_each(|(r, scale)| *r /= scale);
        let newton = largest(f, size, &self.scales.column);
        if newton > rows { newton } else { rows }
    }
}

/// Rows that depend on others up to this part of their size do so but for rounding.
pub(super) fn rounding(symbolic: &Symbolic) -> f64 {
    rank_tolerance(symbolic.pattern.n.max(symbolic.pattern.rows()))
}

/// The largest residual relative to its terms, in comparable units. Lines whose terms are far below those of others
/// count by what is usual.
fn largest(rest: &[f64], terms: &[f64], scale: &[f64]) -> f64 {
    let usual = terms.iter().zip(scale).fold(0.0, |m: f64, (t, s)| m.max(t * s)) * FAINT;
    let mut worst = 0.0;
    for ((rest, terms), scale) in rest.iter().zip(terms).zip(scale) {
        let (rest, terms) = (rest.abs() * scale, (terms * scale).max(usual));
        // Also where it is not a number.
        if !(rest <= worst * terms) {
            worst = rest / terms;
        }
    }
    worst
}

fn gather(out: &mut Vec<f64>, list: &[u32], from: &[f64]) {
    out.clear();
    out.extend(list.iter().map(|i| from[*i as usize]));
}

fn scatter(values: &[f64], list: &[u32], to: &mut [f64]) {
    for (x, i) in values.iter().zip(list) {
        to[*i as usize] = *x;
    }
}
