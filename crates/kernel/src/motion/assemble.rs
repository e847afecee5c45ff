//! The answers to (Q, b) and (C, 0) become a motion: accelerations, the split of the forces, residuals.

use super::answer::{Gauss, Motion};
use super::error::MotionError;
use super::snapshot::Snapshot;
use super::workspace::Workspace;
use crate::linalg::twofold::TwofoldSum;
use crate::linalg::vector::{add_scaled, add_scaled_pair, dot, max_abs};

impl Workspace {
    /// The parts of the answer, put together and judged.
    pub(crate) fn assemble(&mut self, s: &Snapshot) -> Result<&Motion, MotionError> {
        let n = s.coordinates();
        self.judge_balance(s);
        self.add_up(s);
        if !self.motion.is_unique() {
            // What is taken away may be far larger than what is left: refine, and take away again what then shows.
            self.remove_free_part();
            self.refine_total(s);
            self.remove_free_part();
            self.remove_free_part();
        }
        if self.factor.rank() < s.rows() {
            self.shorten_multipliers(s);
        }
        let motion = &mut self.motion;
        // Qᵢ = Aᵀλᵢ; Qₙᵢ = C + Aᵀ(λ − λᵢ), as Q^c = C + Aᵀλ.
        let forces = &mut self.residual_force;
        match s.C {
            None => forces.fill([0.0; 2]),
            Some(C) => forces.iter_mut().zip(C).for_each(|(f, c)| *f = [0.0, *c]),
        }
        let mut finite = 0.0;
        for ((i, residual), lambda) in motion.residuals.iter_mut().enumerate().zip(&self.answers.lambda) {
            *residual = s.residual(i, &motion.acceleration, self.factor.rows.row_scale[i]);
            finite += (*residual + lambda[0] + lambda[1]) * 0.0; // 0, unless something is not a number
            if self.factor.well_conditioned {
                add_scaled_pair(forces, *lambda, s.row(i));
            }
        }
        if !self.factor.well_conditioned {
            for (j, force) in forces.iter_mut().enumerate() {
                for (lane, force) in force.iter_mut().enumerate() {
                    let mut sum = TwofoldSum::from(*force);
                    self.answers.add_force(s, j, lane, &mut sum);
                    *force = sum.value();
                }
            }
        }
        // q̈ᵀMq̈ = q̈ᵀ(Q + Qᵢ + Qₙᵢ), as q̈ has nothing along the free directions.
        let parts = motion.ideal_force.iter_mut().zip(&mut motion.nonideal_force);
        let moving = motion.acceleration.iter().zip(s.Q);
        let mut general = 0.0;
        for ((force, (ideal, nonideal)), (qdd, q)) in forces.iter().zip(parts).zip(moving) {
            [*ideal, *nonideal] = *force;
            general += 0.5 * qdd * (force[0] + force[1] - q);
            finite += (force[0] + force[1]) * 0.0;
        }
        if let Some(C) = s.C {
            general -= dot(C, &motion.acceleration);
        }
        let deviation = if motion.mass_rank < n {
            None
        } else if self.factor.well_conditioned && self.answers.deviation.is_some() {
            self.answers.deviation
        } else {
            let C = |j: usize| s.C.map_or(0.0, |C| C[j]);
            Some(self.factor.inverse_mass_norm(|j| forces[j][0] + forces[j][1] - C(j))) // ‖Q^c − C‖² (17)
        };
        motion.gauss = Gauss { deviation, general };
        finite += (general + deviation.unwrap_or(0.0)) * 0.0;
        if finite == 0.0 && self.rows_are_met(s) { Ok(&self.motion) } else { Err(MotionError::OutOfRange) }
    }

    /// The last look: where the factors had to be helped, independent rows must hold all the same.
    ///
    /// Far from rounding on purpose: it guards against answers that are plainly wrong.
    pub(crate) fn rows_are_met(&self, s: &Snapshot) -> bool {
        if self.factor.well_conditioned || !self.motion.consistent {
            return true;
        }
        // The largest acceleration that entered, in comparable units: of both answers, and of the forces alone.
        let mut largest: f64 = 0.0;
        for (j, d) in self.factor.mass.scale[..s.coordinates()].iter().enumerate() {
            let [ideal, nonideal] = self.answers.qdd[j];
            let force = s.Q[j].abs() + s.C.map_or(0.0, |C| C[j].abs());
            largest = largest.max(ideal.abs() / d).max(nonideal.abs() / d).max(force * d);
        }
        self.factor.rows.rows[..self.factor.rank()].iter().all(|&i| {
            // With the row at size one, so that every term is a number.
            let scale = self.factor.rows.row_scale[i];
            let (mut terms, mut noise) = (s.b[i].abs() * scale, 0.0);
            for ((a, x), d) in s.row(i).iter().zip(&self.motion.acceleration).zip(&self.factor.mass.scale) {
                terms += (a * scale * x).abs();
                noise += (a * scale).abs() * d * largest;
            }
            self.motion.residuals[i].abs() * scale <= 1e-6 * terms + 1e-9 * noise
        })
    }

    /// Acceleration and reactions from both answers, refined once more where the two may cancel.
    pub(crate) fn add_up(&mut self, s: &Snapshot) {
        let motion = &mut self.motion;
        motion.acceleration.iter_mut().zip(&self.answers.qdd).for_each(|(q, x)| *q = x[0] + x[1]);
        let multipliers = motion.ideal_multipliers.iter_mut().zip(&mut motion.reactions);
        multipliers.zip(&self.answers.lambda).for_each(|((ideal, all), x)| (*ideal, *all) = (x[0], x[0] + x[1]));
        if s.C.is_none() {
            return;
        }
        let cancels = || {
            let mut largest = 0.0;
            for [ideal, _] in &self.answers.qdd {
                largest = if ideal.abs() > largest { ideal.abs() } else { largest };
            }
            max_abs(&motion.acceleration) < 0.1 * largest
        };
        if !self.factor.well_conditioned || cancels() {
            self.refine_total(s);
        }
    }

    /// η = 0 in (2.14): nothing along the free directions.
    fn remove_free_part(&mut self) {
        let acceleration = &mut self.motion.acceleration;
        for w in self.free.chunks_exact(acceleration.len()) {
            let along = dot(w, acceleration);
            add_scaled(acceleration, -along, w);
        }
    }

    /// Refines acceleration and reactions as they stand, under both forces together.
    fn refine_total(&mut self, s: &Snapshot) {
        let mut total = std::mem::take(&mut self.total);
        for (t, x) in total.qdd.iter_mut().zip(&self.motion.acceleration) {
            *t = [*x, 0.0];
        }
        for (t, x) in total.lambda.iter_mut().zip(&self.motion.reactions) {
            *t = [*x, 0.0];
        }
        total.lambda_low.fill([0.0; 2]);
        let mut forces = std::mem::take(&mut self.forces);
        forces.iter_mut().for_each(|f| *f = [f[0] + f[1], 0.0]);
        let reachable = std::mem::take(&mut self.reachable);
        self.refine(s, &forces, &reachable, &mut total);
        self.motion.acceleration.iter_mut().zip(&total.qdd).for_each(|(x, t)| *x = t[0]);
        self.motion.reactions.iter_mut().zip(&total.lambda).for_each(|(x, t)| *x = t[0]);
        (self.total, self.forces, self.reachable) = (total, forces, reachable);
    }
}
