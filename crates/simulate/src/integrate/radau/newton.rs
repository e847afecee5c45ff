//! Newton's method for the stages, with the Jacobian of the start or of an earlier step.

use super::super::field::StiffField;
use super::linear::Complex;
use super::tableau::{COMPLEX, FROM_MODES, NODES, REAL, TO_MODES};
use super::{FAST, Radau};
use holonom_elementary as elementary;

/// The stages are settled when what is left of them is this part of the tolerance.
const SETTLED: f64 = 1e-3;

/// Where they do not settle, it will do if they change by no more than this part of it.
const STALLED: f64 = 1e-2;

/// More iterations than this mean that a shorter step is cheaper.
const MOST: usize = 12;

/// How Newton's method fares, from step to step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Iteration {
    /// By what factor an iteration shrank the change, last time.
    pub contraction: f64,
    /// What is left after an iteration, in units of its change: θ/(1 − θ).
    left: f64,
}

impl Default for Iteration {
    fn default() -> Self {
        Self { contraction: 1.0, left: 1.0 }
    }
}

impl Radau {
    /// Finds the stages, first from the earlier step, and if rates fail there from the start; the rate that failed if there are none.
    pub(super) fn iterate<F: StiffField>(
        &mut self,
        field: &mut F,
        t: f64,
        scale: &[f64],
    ) -> Result<(), Option<F::Failure>> {
        if !self.factor() {
            return Err(None);
        }
        match self.iterate_from(field, t, scale, false) {
            Err(Some(_)) if self.earlier_step.is_some() => self.iterate_from(field, t, scale, true),
            found => found,
        }
    }

    fn iterate_from<F: StiffField>(
        &mut self,
        field: &mut F,
        t: f64,
        scale: &[f64],
        fresh: bool,
    ) -> Result<(), Option<F::Failure>> {
        self.guess(fresh);
        // What is left may have grown since the last step.
        let mut left = elementary::powf(self.newton.left.max(f64::EPSILON), 0.8);
        let (mut last_change, mut last_ratio) = (0.0, 0.0);
        for iteration in 1..=MOST {
            self.counts.iterations += 1;
            self.evaluate_stages(field, t)?;
            let change = self.correct(scale);
            let rounding = self.rounding(scale);
            if !change.is_finite() {
                return Err(None);
            }
            let ratio = if iteration > 1 { change / last_change } else { 0.0 };
            if iteration > 1 && change <= rounding {
                self.newton.contraction = self.newton.contraction.min(ratio);
            } else if iteration > 1 {
                let contraction = if iteration == 2 { ratio } else { f64::sqrt(ratio * last_ratio) };
                last_ratio = ratio;
                self.newton.contraction = contraction;
                left = if contraction < 0.99 { contraction / (1.0 - contraction) } else { f64::INFINITY };
                let expected = left * change * elementary::powi(contraction, (MOST - iteration) as i32);
                if expected > SETTLED.max(rounding) {
                    // What noise there is in rates may keep the stages from settling.
                    return if change.max(last_change) <= STALLED { Ok(()) } else { Err(None) };
                }
            }
            self.apply();
            if change <= rounding || left * change <= SETTLED {
                self.newton.left = left;
                if iteration == 1 {
                    // Nothing was left to be seen of the contraction; it cannot be a bad one.
                    self.newton.contraction = self.newton.contraction.min(FAST);
                }
                return Ok(());
            }
            last_change = change;
        }
        Err(None)
    }

    /// The rates at the stages as they are now.
    fn evaluate_stages<F: StiffField>(&mut self, field: &mut F, t: f64) -> Result<(), Option<F::Failure>> {
        let length = self.length;
        for (i, node) in NODES.into_iter().enumerate() {
            let stage = &self.increments[i * length..(i + 1) * length];
            // Quadratures stay as they were: nothing depends on them.
            let moved = self.room[..2 * self.n].iter_mut().zip(&self.start).zip(stage);
            moved.for_each(|((x, y), z)| *x = y + z);
            self.room[2 * self.n..].copy_from_slice(&self.start[2 * self.n..]);
            self.counts.evaluations += 1;
            let rate = &mut self.rates[i * length..(i + 1) * length];
            field.rate(t + node * self.step, &self.room, rate).map_err(Some)?;
        }
        Ok(())
    }

    /// Solves for the changes of the velocities in the coordinates of the eigenvectors, and says how large all changes are.
    fn correct(&mut self, scale: &[f64]) -> f64 {
        let (n, length, h) = (self.n, self.length, self.step);
        let eigenvalue = Complex::new(COMPLEX.0, COMPLEX.1);
        for k in 0..n {
            let at = |values: &[f64], j: usize| values[j * length + n + k];
            let modes = |values: &[f64]| {
                TO_MODES.map(|row| row[0] * at(values, 0) + row[1] * at(values, 1) + row[2] * at(values, 2))
            };
            let (w, f) = (modes(&self.increments), modes(&self.rates));
            self.real_side[k] = REAL * (h * f[0] - REAL * w[0]);
            let (w, f) = (Complex::new(w[1], w[2]), Complex::new(f[1], f[2]));
            self.complex_side[k] = eigenvalue * (f.scaled(h) - eigenvalue * w);
        }
        self.real.solve(&mut self.real_side);
        self.complex.solve(&mut self.complex_side);
        // ΔZq = hAΔZv = h T Λ⁻¹ ΔW.
        let inverse = super::linear::Scalar::inverse(eigenvalue);
        let mut sum = 0.0;
        for k in 0..n {
            let (real, complex) = (self.real_side[k], self.complex_side[k]);
            let (moved, turned) = (h * real / REAL, (complex * inverse).scaled(h));
            for row in FROM_MODES {
                let velocity = row[0] * real + row[1] * complex.re + row[2] * complex.im;
                let position = row[0] * moved + row[1] * turned.re + row[2] * turned.im;
                let (q, v) = (position / scale[k], velocity / scale[n + k]);
                sum += q * q + v * v;
            }
        }
        (sum / (6 * n).max(1) as f64).sqrt()
    }

    /// Takes the changes that [`correct`](Self::correct) found.
    fn apply(&mut self) {
        let (n, length) = (self.n, self.length);
        for (i, row) in FROM_MODES.iter().enumerate() {
            let velocities = &mut self.increments[i * length + n..i * length + 2 * n];
            for ((z, real), complex) in velocities.iter_mut().zip(&self.real_side).zip(&self.complex_side) {
                *z += row[0] * real + row[1] * complex.re + row[2] * complex.im;
            }
        }
        self.positions_follow();
    }

    /// Changes below this are rounding: no iteration makes them smaller.
    fn rounding(&self, scale: &[f64]) -> f64 {
        let n = self.n;
        let end = &self.increments[2 * self.length..];
        let size = |k: usize| 8.0 * f64::EPSILON * self.start[k].abs().max(end[k].abs()) / scale[k];
        let sum: f64 = (0..2 * n).map(|k| size(k) * size(k)).sum();
        (sum / (2 * n).max(1) as f64).sqrt()
    }
}
