//! The point of a polyhedron {a·x = b, c·x ≥ d} that is nearest to another, or the proof that the polyhedron is empty.
//!
//! Equations are kept as an orthonormal basis of their rows, so that rows which depend on others are harmless and the point
//! is that of least norm. Inequalities join by the dual method of Goldfarb and Idnani (1983) with the identity for a Hessian:
//! it begins at the nearest point of the equations, adds the most violated inequality, and drops those that pull the wrong way. It
//! needs no first phase. Where no step is possible the violated row is a combination of active rows with
//! multipliers of the wrong sign: Farkas' proof that nothing satisfies all of them.

use std::borrow::Borrow;

use super::ROUNDING;

/// A row is a combination of others where less than this share of it is left over. G is a Gram matrix: the share is the square
/// of a sine, so that contacts count as different down to angles of 1e-6.
pub(super) const DEPENDENT: f64 = 1e-12;

/// A force that a solve finds has the rounding of the largest beside it: this share of [`ROUNDING`], some ten units in the last place.
pub(super) const SOLVED: f64 = 1e-2;

/// Coefficients that cancel leave less than this share: a force that would have to be larger than its causes by the inverse is none.
const CANCELLED: f64 = 64.0 * f64::EPSILON;

/// Steps of the dual method before it is called unclear; it takes about one per active inequality.
const STEPS_PER_ROW: usize = 8;

/// An affine function of the forces, a·x + constant, with what its value is measured by.
#[derive(Clone, Debug)]
pub(super) struct Form {
    pub(super) a: Vec<f64>,
    pub(super) constant: f64,
    pub(super) size: f64,
}

impl Form {
    pub(super) fn zero(n: usize) -> Form {
        Form { a: vec![0.0; n], constant: 0.0, size: 0.0 }
    }

    pub(super) fn unknown(n: usize, at: usize) -> Form {
        let mut form = Form::zero(n);
        form.a[at] = 1.0;
        form
    }

    pub(super) fn constant(n: usize, value: f64) -> Form {
        Form { a: vec![0.0; n], constant: value, size: value.abs() }
    }

    /// self + factor·other.
    pub(super) fn plus(mut self, factor: f64, other: &Form) -> Form {
        for (a, b) in self.a.iter_mut().zip(&other.a) {
            let sum = *a + factor * b;
            *a = if sum.abs() <= CANCELLED * a.abs() { 0.0 } else { sum };
        }
        self.constant += factor * other.constant;
        self.size += factor.abs() * other.size;
        self
    }

    pub(super) fn times(mut self, factor: f64) -> Form {
        self.a.iter_mut().for_each(|a| *a *= factor);
        self.constant *= factor;
        self.size *= factor.abs();
        self
    }

    pub(super) fn less(mut self, value: f64) -> Form {
        self.constant -= value;
        self
    }

    pub(super) fn at(&self, x: &[f64]) -> f64 {
        dot(&self.a, x) + self.constant
    }

    /// The error that rounding may have in the value at x.
    pub(super) fn rounding(&self, x: &[f64]) -> f64 {
        let (mut terms, mut largest, mut reach) = (0.0, 0.0_f64, 0.0_f64);
        for (a, x) in self.a.iter().zip(x) {
            terms += (a * x).abs();
            largest = largest.max(a.abs());
            reach = reach.max(x.abs());
        }
        ROUNDING * (self.size + terms + SOLVED * largest * reach)
    }

    pub(super) fn is_constant(&self) -> bool {
        self.a.iter().all(|&a| a == 0.0)
    }
}

pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

pub fn norm(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}

/// Orthonormal rows that span others, which are R times these, R lower triangular.
#[derive(Clone, Debug, Default)]
struct Basis {
    rows: Vec<Vec<f64>>,
    triangle: Vec<Vec<f64>>,
}

impl Basis {
    /// The row without what the basis spans of it, and the coefficients of that.
    fn remainder(&self, row: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let mut rest = row.to_vec();
        let mut coefficients = vec![0.0; self.rows.len()];
        // Twice is enough: the second pass removes what the first left by cancellation.
        for _ in 0..2 {
            for (q, total) in self.rows.iter().zip(&mut coefficients) {
                let c = dot(q, &rest);
                *total += c;
                rest.iter_mut().zip(q).for_each(|(r, q)| *r -= c * q);
            }
        }
        (rest, coefficients)
    }

    fn push(&mut self, mut rest: Vec<f64>, mut coefficients: Vec<f64>) {
        let length = norm(&rest);
        rest.iter_mut().for_each(|r| *r /= length);
        coefficients.push(length);
        self.rows.push(rest);
        self.triangle.push(coefficients);
    }

    /// Multipliers m with Σ m (rows added) = Σ c (orthonormal rows).
    fn multipliers(&self, c: &[f64]) -> Vec<f64> {
        let mut m = c.to_vec();
        for k in (0..m.len()).rev() {
            m[k] /= self.triangle[k][k];
            for j in 0..k {
                m[j] -= m[k] * self.triangle[k][j];
            }
        }
        m
    }
}

/// The solutions of some equations.
#[derive(Clone, Debug)]
pub(super) struct Flat {
    basis: Basis,
    /// The independent equations, for refinement.
    equations: Vec<Form>,
    /// The solution of least norm.
    point: Vec<f64>,
}

/// What a search for a point ended with.
#[derive(Clone, Debug)]
pub(super) enum Found {
    Point(Vec<f64>),
    /// Proved: the polyhedron is empty.
    Empty,
    /// Rounding decided nothing.
    Unclear,
}

impl Flat {
    /// The whole space.
    pub(super) fn space(n: usize) -> Flat {
        Flat { basis: Basis::default(), equations: Vec::new(), point: vec![0.0; n] }
    }

    /// Adds form(x) = 0; false where it contradicts the others.
    #[must_use]
    pub(super) fn add(&mut self, form: &Form) -> bool {
        let length = norm(&form.a);
        let (rest, coefficients) = self.basis.remainder(&form.a);
        let left = norm(&rest);
        let value = form.at(&self.point);
        // No more than fill the space are independent, whatever the rounding of numbers too small for their squares says.
        let is_full = self.basis.rows.len() >= self.point.len();
        if left <= DEPENDENT * length || length == 0.0 || is_full {
            // What a dependent row may miss grows with the multipliers by which it depends.
            let multipliers = self.basis.multipliers(&coefficients);
            let carried: f64 =
                self.equations.iter().zip(&multipliers).map(|(e, m)| m.abs() * e.rounding(&self.point)).sum();
            return value.abs() <= form.rounding(&self.point) + carried;
        }
        self.point.iter_mut().zip(&rest).for_each(|(x, r)| *x -= (value / left) * (r / left));
        self.basis.push(rest, coefficients);
        self.equations.push(form.clone());
        true
    }

    /// How many dimensions the solutions have.
    pub(super) fn dimension(&self) -> usize {
        self.point.len() - self.basis.rows.len()
    }

    /// The solution of least norm, refined once.
    pub(super) fn point(&self) -> Vec<f64> {
        let mut x = self.point.clone();
        let mut steps: Vec<f64> = Vec::with_capacity(self.equations.len());
        for (form, triangle) in self.equations.iter().zip(&self.basis.triangle) {
            let known: f64 = dot(&steps, triangle);
            steps.push((-form.at(&x) - known) / triangle[steps.len()]);
        }
        for (step, q) in steps.iter().zip(&self.basis.rows) {
            x.iter_mut().zip(q).for_each(|(x, q)| *x += step * q);
        }
        x
    }

    /// Orthonormal directions in which no equation changes.
    pub(super) fn directions(&self) -> Vec<Vec<f64>> {
        let n = self.point.len();
        let mut basis = self.basis.clone();
        let mut found = Vec::with_capacity(self.dimension());
        // The unit vector with the most left over comes next, so that none is taken whose remainder is rounding.
        let mut left: Vec<f64> = (0..n).map(|k| 1.0 - basis.rows.iter().map(|q| q[k] * q[k]).sum::<f64>()).collect();
        while found.len() < self.dimension() {
            let Some(best) = (0..n).max_by(|&a, &b| left[a].total_cmp(&left[b])) else { break };
            let (rest, coefficients) = basis.remainder(&Form::unknown(n, best).a);
            basis.push(rest, coefficients);
            let Some(q) = basis.rows.last() else { break };
            left.iter_mut().zip(q).for_each(|(l, q)| *l -= q * q);
            found.push(q.clone());
        }
        found
    }

    /// The solution nearest to `center` with all of `inequalities` ≥ 0.
    pub(super) fn nearest<F: Borrow<Form>>(
        &self,
        center: Option<&[f64]>,
        inequalities: &[F],
        work: &mut Work,
    ) -> Found {
        let n = self.point.len();
        let mut x = self.point();
        if let Some(center) = center {
            let (free, _) = self.basis.remainder(center);
            x.iter_mut().zip(free).for_each(|(x, f)| *x += f);
        }
        let inequality = |k: usize| -> &Form { inequalities[k].borrow() };
        let lengths: Vec<f64> = (0..inequalities.len()).map(|k| norm(&inequality(k).a)).collect();
        let mut basis = self.basis.clone();
        let fixed = basis.rows.len();
        let mut active: Vec<usize> = Vec::new();
        let mut pulls: Vec<f64> = Vec::new();
        for _ in 0..STEPS_PER_ROW * (inequalities.len() + n + 1) {
            if !work.spend((inequalities.len() + basis.rows.len()) * n) {
                return Found::Unclear;
            }
            let Some((worst, mut short)) = worst(inequalities, &lengths, &active, &x) else { return Found::Point(x) };
            if lengths[worst] == 0.0 {
                return Found::Empty;
            }
            let row = inequality(worst);
            let mut pull = 0.0;
            loop {
                let (rest, coefficients) = basis.remainder(&row.a);
                let left = norm(&rest);
                let multipliers = basis.multipliers(&coefficients);
                let loosest =
                    (0..active.len()).filter(|&k| multipliers[fixed + k] > DEPENDENT * lengths[worst]).min_by(
                        |&a, &b| (pulls[a] / multipliers[fixed + a]).total_cmp(&(pulls[b] / multipliers[fixed + b])),
                    );
                let most = loosest.map_or(f64::INFINITY, |k| pulls[k] / multipliers[fixed + k]);
                let full = if left <= DEPENDENT * lengths[worst] { f64::INFINITY } else { short / (left * left) };
                let step = most.min(full);
                if step == f64::INFINITY {
                    // A proof only where the violation is more than the rounding of the rows it combines.
                    let carried: f64 = active
                        .iter()
                        .zip(&multipliers[fixed..])
                        .map(|(&j, m)| m.abs() * inequality(j).rounding(&x))
                        .sum();
                    return if short > carried { Found::Empty } else { Found::Unclear };
                }
                if full.is_finite() {
                    x.iter_mut().zip(&rest).for_each(|(x, r)| *x += step * r);
                    short -= step * left * left;
                }
                pulls.iter_mut().zip(&multipliers[fixed..]).for_each(|(p, m)| *p -= step * m);
                pull += step;
                if full <= most {
                    basis.push(rest, coefficients);
                    active.push(worst);
                    pulls.push(pull);
                    break;
                }
                let Some(k) = loosest else { return Found::Unclear };
                active.remove(k);
                pulls.remove(k);
                basis.rows.truncate(fixed + k);
                basis.triangle.truncate(fixed + k);
                for &j in &active[k..] {
                    let (rest, coefficients) = basis.remainder(&inequality(j).a);
                    basis.push(rest, coefficients);
                }
                if !work.spend(basis.rows.len() * n) {
                    return Found::Unclear;
                }
            }
        }
        Found::Unclear
    }
}

/// The inequality that is violated most relative to its length, and by how much.
fn worst<F: Borrow<Form>>(inequalities: &[F], lengths: &[f64], active: &[usize], x: &[f64]) -> Option<(usize, f64)> {
    let mut found: Option<(usize, f64, f64)> = None;
    for (k, form) in inequalities.iter().enumerate() {
        let form = form.borrow();
        let value = form.at(x);
        if value >= 0.0 || active.contains(&k) || -value <= form.rounding(x) {
            continue;
        }
        let relative = if lengths[k] == 0.0 { f64::INFINITY } else { -value / lengths[k] };
        if found.is_none_or(|(_, _, most)| relative > most) {
            found = Some((k, -value, relative));
        }
    }
    found.map(|(k, short, _)| (k, short))
}

/// What a search may cost, in multiplications: counted, not timed, so that the same problem gets the same verdict everywhere.
#[derive(Clone, Debug)]
pub(super) struct Work {
    left: usize,
}

/// Multiplications to make as many equations as there are unknowns orthogonal to each other.
pub(super) fn elimination(unknowns: usize) -> usize {
    unknowns.saturating_pow(3)
}

impl Work {
    pub(super) fn of(multiplications: usize) -> Work {
        Work { left: multiplications }
    }

    /// Whether this much was left.
    pub(super) fn spend(&mut self, multiplications: usize) -> bool {
        match self.left.checked_sub(multiplications) {
            Some(left) => self.left = left,
            None => self.left = 0,
        }
        self.left > 0
    }

    /// As much as one likes, where the number of steps is bounded anyway.
    pub(super) fn ample() -> Work {
        Work { left: usize::MAX }
    }

    pub(super) fn is_gone(&self) -> bool {
        self.left == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(a: &[f64], constant: f64) -> Form {
        Form { a: a.to_vec(), constant, size: constant.abs() }
    }

    /// The point of x + y = 1, x ≥ 2 nearest to the origin is (2, −1); repeating a row changes nothing.
    #[test]
    fn nearest_point_with_repeated_rows() {
        let mut flat = Flat::space(2);
        assert!(flat.add(&form(&[1.0, 1.0], -1.0)));
        assert!(flat.add(&form(&[3.0, 3.0], -3.0)));
        assert!(!flat.clone().add(&form(&[3.0, 3.0], -3.1)));
        let rows = [form(&[1.0, 0.0], -2.0), form(&[2.0, 0.0], -4.0)];
        let Found::Point(x) = flat.nearest(None, &rows, &mut Work::of(10_000)) else { panic!("there is a point") };
        assert!((x[0] - 2.0).abs() < 1e-14 && (x[1] + 1.0).abs() < 1e-14, "{x:?}");
    }

    /// x ≥ 1, y ≥ 1, x + y ≤ 1.9 is empty, and with 2 it is a point.
    #[test]
    fn empty_is_proved_and_a_point_is_found() {
        let rows = |most: f64| [form(&[1.0, 0.0], -1.0), form(&[0.0, 1.0], -1.0), form(&[-1.0, -1.0], most)];
        let flat = Flat::space(2);
        assert!(matches!(flat.nearest(None, &rows(1.9), &mut Work::of(10_000)), Found::Empty));
        let Found::Point(x) = flat.nearest(Some(&[5.0, 3.0]), &rows(2.0), &mut Work::of(10_000)) else {
            panic!("a point")
        };
        assert!((x[0] - 1.0).abs() < 1e-14 && (x[1] - 1.0).abs() < 1e-14, "{x:?}");
    }
}
