//! Back to the constraints: the least steps against what a state is off by.

use super::drift::{Drift, MET};
use super::{Level, Mechanics};
use crate::integrate::trouble::Trouble;

/// A state may be off by this part of the tolerance, where that is less than `MET`: what is left off in every step, always to the same side, adds up.
const LEFT_OFF: f64 = 1e-6;
/// A clearance below which rows are met to a few roundings, whatever the tolerance.
const NARROW: f64 = 1e-4;
const MET_NARROWLY: f64 = 2e-15;
/// What error control lets rows be off by without following it, as a part of the tolerance: more than they are.
const JITTER: f64 = 1e-3;
/// Nothing is met better than this.
const BEST: f64 = 4.0 * f64::EPSILON;
/// A correction that changes no coordinate by more than this part of it is made of rounding.
const LAST_DIGITS: f64 = 4.0 * f64::EPSILON;
/// … unless rows are off by more than this part of their scale.
const LOST: f64 = 1e-10;
/// Corrections of one projection.
const CORRECTIONS: usize = 10;

impl Mechanics {
    /// Projects as closely as a relative tolerance needs it.
    pub(in crate::integrate) fn aim_for(&mut self, rtol: f64) {
        self.drift.aim = (LEFT_OFF * rtol).clamp(BEST, MET);
        self.drift.jitter = (JITTER * rtol).clamp(BEST, MET);
    }

    /// Moves positions or velocities on to the constraints, and velocities on to the seams that hold as well; says how far for the constraints.
    pub(in crate::integrate) fn project(
        &mut self,
        level: Level,
        t: f64,
        q: &mut [f64],
        v: &mut [f64],
    ) -> Result<f64, Trouble> {
        let moved = self.project_on_rows(level, t, q, v).inspect_err(|_| self.seen.remember_failure(t, q, v))?;
        if level == Level::Velocity {
            self.hold_seams(t, q, v);
        }
        Ok(moved)
    }

    /// Moves positions or velocities on to the constraints, with the factors of a state near by, and says how far, measured in
    /// the sizes of their kinds.
    fn project_on_rows(&mut self, level: Level, t: f64, q: &mut [f64], v: &mut [f64]) -> Result<f64, Trouble> {
        let n = self.n;
        let (mut moved, mut before, mut is_fresh) = (0.0, f64::INFINITY, false);
        // Beside a singular configuration whatever is left of the rows is magnified, and so is rounding that each correction adds.
        let met = if self.linear.clearance() < NARROW { MET_NARROWLY } else { self.drift.aim };
        for correction in 0..CORRECTIONS {
            let mut worst = self.drift(level, t, q, v);
            // What sticks must not creep, not even by rounding.
            let creeps = correction == 0 && level == Level::Velocity && self.creeps();
            let is_met = worst <= met && !creeps;
            if correction > 1 && !is_met && worst > 0.1 * before && !is_fresh {
                // Rows may have become larger since they were measured.
                is_fresh = true;
                self.measure_in_passing(t, q, v);
                worst = self.drift(level, t, q, v);
            }
            match level {
                Level::Position => self.drift.left.0 = worst,
                Level::Velocity => self.drift.left.1 = worst,
            }
            if (worst <= met && !creeps) || self.drift.residual.is_empty() {
                return Ok(moved);
            }
            if !worst.is_finite() {
                return Err(Trouble::OffConstraints);
            }
            // What rounding leaves cannot be improved.
            if worst < 1e-12 && worst > 0.3 * before && !creeps {
                return Ok(moved);
            }
            // Nor what it leaves of rows whose terms hide larger ones that cancel.
            if correction > 1 && worst > 0.3 * before && !creeps && self.drift.is_rounding(level, 1e-12) {
                return Ok(moved);
            }
            if correction > 0 && worst > 0.1 * before {
                // The factors were those of another place.
                self.evaluate(t, q, v);
                self.factor_here(level)?;
            }
            before = worst;
            self.counts.corrections += 1;
            self.drift.correct(level, &mut self.linear);
            let (target, sizes) = match level {
                Level::Position => (&mut *q, &self.sizes.kind()[..n]),
                Level::Velocity => (&mut *v, &self.sizes.kind()[n..]),
            };
            let (mut sum, mut changes) = (0.0, false);
            for (j, ((x, step), size)) in target.iter_mut().zip(&self.drift.step).zip(sizes).enumerate() {
                let size = if level == Level::Velocity { size.max(self.drift.least_speed[j]) } else { *size };
                changes |= step.abs() > LAST_DIGITS * x.abs();
                *x += step;
                sum += (step / size) * (step / size);
            }
            moved += (sum / n as f64).sqrt();
            if !changes && worst < LOST {
                return Ok(moved);
            }
        }
        if self.drift(level, t, q, v) < LOST || self.drift.is_rounding(level, LOST) {
            Ok(moved)
        } else {
            Err(Trouble::OffConstraints)
        }
    }

    /// Whether some contact that sticks slips by rounding.
    fn creeps(&self) -> bool {
        self.drift.residual[self.in_force.rows.len()..].iter().any(|slip| *slip != 0.0)
    }

    /// Factors what projection needs at the state that was evaluated.
    pub(super) fn factor_here(&mut self, level: Level) -> Result<(), Trouble> {
        let Self { in_force, linear, drift, .. } = self;
        match &mut drift.parts[level as usize] {
            Some(part) => part.factor(in_force),
            None => linear.factor(in_force.mass(), in_force.a()),
        }
    }

    /// Puts a state between steps on the constraints. What rows are measured by there is forgotten: records must not disturb.
    pub(in crate::integrate) fn project_aside(&mut self, t: f64, q: &mut [f64], v: &mut [f64]) -> Result<(), Trouble> {
        let is_remeasured = self.drift.scales.put_aside();
        let done = self.project(Level::Position, t, q, v).and_then(|_| self.project(Level::Velocity, t, q, v));
        self.drift.scales.take_back(is_remeasured);
        done.map(|_| ())
    }

    /// How far projection moves positions or velocities for rows that are off by what counts as met, with some signs; nothing where no row
    /// restricts them.
    pub(in crate::integrate) fn jitter(&mut self, level: Level, sign: impl Fn(usize) -> f64) -> Option<&[f64]> {
        if !self.in_force.restrict(level, self.system.equations()) {
            return None;
        }
        let Drift { residual, scales, jitter, .. } = &mut self.drift;
        for (row, (residual, scale)) in residual.iter_mut().zip(scales.of(level)).enumerate() {
            *residual = sign(row) * *jitter * scale;
        }
        self.drift.correct(level, &mut self.linear);
        Some(&self.drift.step)
    }

    /// Takes from a change of positions or velocities what projection will take away, with the factors at hand.
    pub(in crate::integrate) fn make_tangential(&mut self, level: Level, change: &mut [f64]) {
        // Where no row restricts it, nothing will be taken away.
        if !self.in_force.restrict(level, self.system.equations()) {
            return;
        }
        let a = self.in_force.a();
        for (row, residual) in self.drift.residual.iter_mut().enumerate() {
            *residual = self.in_force.shape.dot(row, a, change);
        }
        self.drift.correct(level, &mut self.linear);
        change.iter_mut().zip(&self.drift.step).for_each(|(x, step)| *x += step);
    }

    /// Decides ranks where a projection has rows of its own; at a state on the constraints that was evaluated.
    pub(super) fn decide_parts(&mut self) -> Result<(), Trouble> {
        let Self { in_force, drift, .. } = self;
        drift.parts.iter_mut().flatten().try_for_each(|part| part.decide(in_force))
    }
}
