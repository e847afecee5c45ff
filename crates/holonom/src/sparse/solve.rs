//! Answers to right sides: through the fronts and back, refined, and judged.

use super::front::Kind;
use super::numeric::{Numeric, Values};
use super::symbolic::Symbolic;
use crate::linalg::tolerance::{Agreement, BALANCED, SUMMED};

/// Residuals below this part of their terms are rounding; where margins are narrow, below a part of it.
const EXACT: f64 = 1024.0 * f64::EPSILON;
/// Terms below this part of the largest are measured against this part of it.
const FAINT: f64 = 1e-6;
/// A narrow margin.
const NARROW: f64 = 1e-3;
/// Steps of refinement at most.
const STEPS: usize = 3;

/// How an answer stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Verdict {
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
        values: Values,
        force: &[f64],
        right: &[f64],
        acceleration: &mut [f64],
        multipliers: &mut [f64],
    ) -> Verdict {
        let (n, m) = (symbolic.pattern.n, symbolic.pattern.rows());
        assert_eq!((force.len(), acceleration.len()), (n, n), "one force and one acceleration for each coordinate");
        assert_eq!((right.len(), multipliers.len()), (m, m), "one right side and one multiplier for each row");
        if let Some(plan) = symbolic.band.as_ref().filter(|_| self.by_band) {
            let given = (force, right);
            let residual = self.band.solve(plan, &symbolic.pattern, values, given, acceleration, multipliers);
            if let Some(residual) = residual {
                return Verdict { consistent: true, balanced: true, residual, refinements: 0 };
            }
            // The certificate failed: the fronts decide.
            let held = self.held;
            if self.factor_fronts(symbolic, values).is_err() {
                acceleration.fill(f64::NAN);
                multipliers.fill(f64::NAN);
                return Verdict { consistent: false, balanced: false, residual: f64::NAN, refinements: 0 };
            }
            self.held = held;
        }
        let mut kept = std::mem::take(&mut self.force);
        kept.clear();
        kept.extend_from_slice(force);
        let balanced = self.judge_balance(force);
        self.free.project(&mut kept);
        let mut verdict = self.answer(symbolic, &values, &kept, right, acceleration, multipliers);
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
            let again = self.answer(symbolic, &values, &kept, &reachable, acceleration, multipliers);
            (verdict.residual, verdict.refinements) = (again.residual, again.refinements);
            self.reachable = reachable;
        }
        self.force = kept;
        self.shorten(symbolic, &values, multipliers);
        self.free.project(acceleration);
        verdict
    }

    /// `x ← A A⁺ x` over rows: multipliers of least norm, or the nearest right side that can be met.
    fn shorten(&mut self, symbolic: &Symbolic, values: &Values, x: &mut [f64]) {
        match self.dual.as_mut().filter(|_| self.wide) {
            Some(dual) => dual.project(&symbolic.pattern, values.a, x),
            None => self.row_null.project(x),
        }
    }

    /// The answer to right sides that can be met, refined; multipliers of rows that depend on others are zero.
    pub(super) fn answer(
        &mut self,
        symbolic: &Symbolic,
        values: &Values,
        force: &[f64],
        right: &[f64],
        x: &mut [f64],
        lambda: &mut [f64],
    ) -> Verdict {
        self.respond(symbolic, force, right, x, lambda);
        let mut residual = self.residuals(symbolic, values, force, right, x, lambda);
        let mut refinements = 0;
        let exact = if self.row_margin.kept.min(self.mass_margin.kept).min(self.spread) < NARROW {
            0.004 * EXACT
        } else {
            EXACT
        };
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
        Verdict { consistent: true, balanced: true, residual, refinements }
    }

    /// Once through the fronts and back.
    fn respond(&mut self, symbolic: &Symbolic, force: &[f64], right: &[f64], x: &mut [f64], lambda: &mut [f64]) {
        for ((x, g), scale) in x.iter_mut().zip(force).zip(&self.column_scale) {
            *x = g * scale;
        }
        for (((l, b), scale), unit) in lambda.iter_mut().zip(right).zip(&self.row_scale).zip(&self.row_unit) {
            *l = b * scale * unit;
        }
        let [g, beta] = &mut self.local;
        let decisions = &self.decisions;
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
                        let (inverse, f) = (self.factors[at], &self.factors[at + 2..]);
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
                        for (g, t) in g.iter_mut().zip(&self.factors[at + 1..]) {
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
                        let (inverse, own, f) = (self.factors[at], self.factors[at + 1], &self.factors[at + 2..]);
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
                        let f = &self.factors[at..];
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
        x.iter_mut().zip(&self.column_scale).for_each(|(x, scale)| *x *= scale);
        for ((l, scale), unit) in lambda.iter_mut().zip(&self.row_scale).zip(&self.row_unit) {
            *l = *l * unit * scale;
        }
    }

    /// What is left of Newton's equation and of the rows; the largest part of their terms is returned.
    ///
    /// Rows that depend on others count for nothing: if they agree they are met with the others.
    fn residuals(
        &mut self,
        symbolic: &Symbolic,
        values: &Values,
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
            let scale = self.row_scale[row];
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
        for &(at, position) in &self.decisions.dropped {
            let row = self.decisions.rows[(self.decisions.records[at as usize].rows + position) as usize];
            r[row as usize] = 0.0;
        }
        for row in &symbolic.empty_rows {
            r[*row as usize] = 0.0;
        }
        let rows = largest(r, terms, &self.row_unit);
        r.iter_mut().zip(&self.row_scale).for_each(|(r, scale)| *r /= scale);
        let newton = largest(f, size, &self.column_scale);
        if newton > rows { newton } else { rows }
    }

    /// How well rows that depend on others agree with what those give.
    ///
    /// Judged on the right sides themselves, where the combinations are known. If not: the others are met up to
    /// rounding, so what is left of a row that depends on them is the contradiction.
    fn agreement(&self, symbolic: &Symbolic, values: &Values, right: &[f64], x: &[f64]) -> Agreement {
        let pattern = &symbolic.pattern;
        // The terms of a row and what is left of it, with the row at size one.
        let measured = |row: usize| {
            let (entries, scale) = (pattern.entries(row), self.row_scale[row]);
            let mut sum = right[row] * scale;
            let mut size = sum.abs();
            for (a, j) in values.a[entries.clone()].iter().zip(&pattern.columns[entries]) {
                let term = a * scale * x[*j as usize];
                sum -= term;
                size += term.abs();
            }
            (sum, size)
        };
        if !self.wide {
            let agreement = |t: usize| {
                // The sizes of these rows are comparable as given: one factor serves all.
                let unit = self.row_null.vector(t).map(|(row, _)| self.row_scale[row]).fold(f64::INFINITY, f64::min);
                let (mut gap, mut summands, mut terms) = (0.0, 0.0, f64::INFINITY);
                for (row, z) in self.row_null.vector(t) {
                    let part = z * right[row] * unit;
                    gap += part;
                    summands += part.abs();
                    terms = terms.min(z.abs() * measured(row).1 * (unit / self.row_scale[row]));
                }
                Agreement::of(gap.abs(), terms, SUMMED * summands)
            };
            return (0..self.row_null.len()).map(agreement).max().unwrap_or(Agreement::Exact);
        }
        let agreement = |row: u32| {
            let (sum, size) = measured(row as usize);
            Agreement::of(sum.abs(), size, EXACT * size)
        };
        let decisions = &self.decisions;
        let dropped =
            decisions.dropped.iter().map(|(f, at)| decisions.rows[(decisions.records[*f as usize].rows + at) as usize]);
        dropped.chain(symbolic.empty_rows.iter().copied()).map(agreement).max().unwrap_or(Agreement::Exact)
    }

    /// Whether the force along the free directions vanishes.
    fn judge_balance(&self, force: &[f64]) -> bool {
        (0..self.free.len()).all(|t| {
            let (mut along, mut size) = (0.0, 0.0);
            for (j, w) in self.free.vector(t) {
                along += w * force[j];
                size += (w * force[j]).abs();
            }
            along.abs() <= BALANCED * size
        })
    }
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
