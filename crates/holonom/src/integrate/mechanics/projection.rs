//! Back to the constraints: how far a state is off, by what that is measured, and the least step against it.

use super::{Mechanics, Trouble, rows_of};
use crate::compile::Inputs;
use crate::compile::Shape;
use crate::derive::Kind;
use crate::integrate::linear::{Linear, Numbers};

/// How far a state may be off, relative to the scale of each row, before it is projected once more.
pub(super) const MET: f64 = 2e-14;
/// … as a part of the tolerance, where that is less: what is left off in every step, always to the same side, adds up.
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
/// A row whose own terms are below this part of what its coordinates would make of it says nothing of its scale.
const DUST: f64 = 1e-13;
/// … and one that is smaller than this part of what others of its kind would make of it is met as soon as they are.
const TINY: f64 = 1e-13;
/// What rounding may leave of a row that is made of terms as large as others of its kind would make them.
const ROUNDINGS: f64 = 32.0 * f64::EPSILON;
/// Corrections of one projection.
const CORRECTIONS: usize = 10;

/// What projection moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::integrate) enum Level {
    Position,
    Velocity,
}

/// Some of the rows in force, with a factorisation of their own.
#[derive(Clone)]
pub(super) struct Part {
    /// Places among the rows in force.
    places: Vec<usize>,
    shape: Shape,
    a: Vec<f64>,
    right: Vec<f64>,
    linear: Linear,
}

impl Part {
    pub(super) fn new(places: Vec<usize>, shape: Shape, linear: Linear) -> Self {
        let m = places.len();
        Self { a: vec![0.0; shape.len(m)], right: vec![0.0; m], shape, linear, places }
    }

    /// Takes its rows from those of a shape.
    fn load(&mut self, shape: &Shape, a: &[f64]) {
        for (own, &place) in self.places.iter().enumerate() {
            self.a[self.shape.range(own)].copy_from_slice(&a[shape.range(place)]);
        }
    }
}

impl Mechanics {
    /// Projects as closely as a relative tolerance needs it.
    pub(in crate::integrate) fn aim_for(&mut self, rtol: f64) {
        self.aim = (LEFT_OFF * rtol).clamp(BEST, MET);
        self.jitter = (JITTER * rtol).clamp(BEST, MET);
    }

    /// Moves positions or velocities on to the constraints, and velocities on to the seams that hold as well; says how far for the constraints.
    pub(in crate::integrate) fn project(
        &mut self,
        level: Level,
        t: f64,
        q: &mut [f64],
        v: &mut [f64],
    ) -> Result<f64, Trouble> {
        let moved = self.project_on_rows(level, t, q, v)?;
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
        let met = if self.linear.clearance() < NARROW { MET_NARROWLY } else { self.aim };
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
                Level::Position => self.left.0 = worst,
                Level::Velocity => self.left.1 = worst,
            }
            if (worst <= met && !creeps) || self.residual.is_empty() {
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
            if correction > 1 && worst > 0.3 * before && !creeps && self.is_rounding(level, 1e-12) {
                return Ok(moved);
            }
            if correction > 0 && worst > 0.1 * before {
                // The factors were those of another place.
                self.evaluate(t, q, v);
                self.factor_here(level)?;
            }
            before = worst;
            self.corrections += 1;
            self.correct(level);
            let (target, sizes) = match level {
                Level::Position => (&mut *q, &self.sizes.kind()[..n]),
                Level::Velocity => (&mut *v, &self.sizes.kind()[n..]),
            };
            let (mut sum, mut changes) = (0.0, false);
            for (j, ((x, step), size)) in target.iter_mut().zip(&self.step).zip(sizes).enumerate() {
                let size = if level == Level::Velocity { size.max(self.least_speed[j]) } else { *size };
                changes |= step.abs() > LAST_DIGITS * x.abs();
                *x += step;
                sum += (step / size) * (step / size);
            }
            moved += (sum / n as f64).sqrt();
            if !changes && worst < LOST {
                return Ok(moved);
            }
        }
        if self.drift(level, t, q, v) < LOST || self.is_rounding(level, LOST) {
            Ok(moved)
        } else {
            Err(Trouble::OffConstraints)
        }
    }

    /// Measures the scales of rows in the middle of an attempt, which may come to nothing.
    fn measure_in_passing(&mut self, t: f64, q: &[f64], v: &[f64]) {
        if !self.is_remeasured {
            let [positions, velocities] = &mut self.former_scales;
            positions.clone_from(&self.position_scale);
            velocities.clone_from(&self.velocity_scale);
            self.is_remeasured = true;
        }
        self.measure(t, q, v);
    }

    /// The last attempt was taken, and with it what it measured.
    pub(in crate::integrate) fn keep_scales(&mut self) {
        self.is_remeasured = false;
    }

    /// Takes back what an attempt measured that was not taken: a projection that goes astray measures rows by states that are far from all
    /// motion, and whatever is projected by such scales stays where it is.
    pub(in crate::integrate) fn restore_scales(&mut self) {
        if std::mem::replace(&mut self.is_remeasured, false) {
            let [positions, velocities] = &self.former_scales;
            self.position_scale.clone_from(positions);
            self.velocity_scale.clone_from(velocities);
        }
    }

    /// Whether what is left of all rows is rounding, be it a part of their scale or of what goes into them.
    fn is_rounding(&self, level: Level, part: f64) -> bool {
        let [of_positions, of_velocities] = &self.floors;
        let (scale, floors) = match level {
            Level::Position => (&self.position_scale, of_positions),
            Level::Velocity => (&self.velocity_scale, of_velocities),
        };
        let mut left = self.residual.iter().zip(scale).zip(floors);
        left.all(|((residual, scale), floor)| residual.abs() <= (part * scale).max(*floor))
    }

    /// Whether some contact that sticks slips by rounding.
    fn creeps(&self) -> bool {
        self.residual[self.rows.len()..].iter().any(|slip| *slip != 0.0)
    }

    /// Factors what projection needs at the state that was evaluated.
    pub(super) fn factor_here(&mut self, level: Level) -> Result<(), Trouble> {
        let (mass, a) = (self.dynamics.mass(), rows_of(self.is_direct, &self.dynamics, &self.a));
        let part = if level == Level::Position { &mut self.positions } else { &mut self.velocities };
        match part {
            Some(part) => {
                part.load(&self.shape, a);
                part.linear.factor(mass, &part.a)?;
            }
            None => self.linear.factor(mass, a)?,
        }
        Ok(())
    }

    /// The least step against the residual.
    fn correct(&mut self, level: Level) {
        let Self { linear, positions, velocities, residual, step, .. } = self;
        let part = if level == Level::Position { positions } else { velocities };
        match part {
            Some(part) => {
                part.right.iter_mut().zip(&part.places).for_each(|(r, &place)| *r = -residual[place]);
                part.linear.least_step(&part.right, step);
            }
            None => {
                residual.iter_mut().for_each(|r| *r = -*r);
                linear.least_step(residual, step);
            }
        }
    }

    /// Puts a state between steps on the constraints. What rows are measured by there is forgotten: records must not disturb.
    pub(in crate::integrate) fn project_aside(&mut self, t: f64, q: &mut [f64], v: &mut [f64]) -> Result<(), Trouble> {
        let [positions, velocities] = &mut self.kept_scales;
        positions.clone_from(&self.position_scale);
        velocities.clone_from(&self.velocity_scale);
        let is_remeasured = self.is_remeasured;
        let done = self.project(Level::Position, t, q, v).and_then(|_| self.project(Level::Velocity, t, q, v));
        self.is_remeasured = is_remeasured;
        let [positions, velocities] = &mut self.kept_scales;
        std::mem::swap(positions, &mut self.position_scale);
        std::mem::swap(velocities, &mut self.velocity_scale);
        done.map(|_| ())
    }

    /// How far projection moves positions or velocities for rows that are off by what counts as met, with some signs; nothing where no row
    /// restricts them.
    pub(in crate::integrate) fn jitter(&mut self, level: Level, sign: impl Fn(usize) -> f64) -> Option<&[f64]> {
        if !self.restricts(level) {
            return None;
        }
        let scale = if level == Level::Position { &self.position_scale } else { &self.velocity_scale };
        for (row, (residual, scale)) in self.residual.iter_mut().zip(scale).enumerate() {
            *residual = sign(row) * self.jitter * scale;
        }
        self.correct(level);
        Some(&self.step)
    }

    /// Whether some row restricts positions, or velocities.
    fn restricts(&self, level: Level) -> bool {
        let equations = self.system.equations();
        let restricts =
            |kind| if level == Level::Position { kind == Kind::Holonomic } else { kind != Kind::Acceleration };
        self.rows.iter().any(|&row| restricts(equations.rows[row].kind))
    }

    /// Takes from a change of positions or velocities what projection will take away, with the factors at hand.
    pub(in crate::integrate) fn make_tangential(&mut self, level: Level, change: &mut [f64]) {
        // Where no row restricts it, nothing will be taken away.
        if !self.restricts(level) {
            return;
        }
        let a = rows_of(self.is_direct, &self.dynamics, &self.a);
        for (row, residual) in self.residual.iter_mut().enumerate() {
            *residual = self.shape.dot(row, a, change);
        }
        self.correct(level);
        change.iter_mut().zip(&self.step).for_each(|(x, step)| *x += step);
    }

    /// How far a state is off the constraints, relative to their scales; the worst of the rows in force.
    pub(in crate::integrate) fn drift(&mut self, level: Level, t: f64, q: &[f64], v: &[f64]) -> f64 {
        let (values, scale) = match level {
            Level::Position => (&mut self.position_drift, &self.position_scale),
            Level::Velocity => (&mut self.velocity_drift, &self.velocity_scale),
        };
        self.system.at(t, q, v, values);
        let all = values.residual();
        let mut worst: f64 = 0.0;
        for ((own, &row), scale) in self.residual.iter_mut().zip(&self.rows).zip(scale) {
            *own = all[row];
            let part = own.abs() / scale;
            worst = if part > worst || part.is_nan() { part } else { worst };
        }
        if self.sticks > 0 {
            let slips = &mut self.residual[self.rows.len()..];
            slips.fill(0.0);
            if let (Level::Velocity, Some(contacts)) = (level, &mut self.contacts) {
                contacts.evaluate(&self.system, t, q, v);
                contacts.write_slips(slips);
            }
            for (slip, scale) in slips.iter().zip(&self.velocity_scale[self.rows.len()..]) {
                worst = worst.max(slip.abs() / scale);
            }
        }
        worst
    }

    /// Decides ranks where a projection has rows of its own; at a state on the constraints that was evaluated.
    pub(super) fn decide_parts(&mut self) -> Result<(), Trouble> {
        let (mass, n) = (self.dynamics.mass(), self.n);
        let a = rows_of(self.is_direct, &self.dynamics, &self.a);
        for part in [&mut self.positions, &mut self.velocities].into_iter().flatten() {
            part.load(&self.shape, a);
            let (force, b) = (&self.zeros[..n], &self.zeros[..part.right.len()]);
            if !part.linear.try_short_way(mass, &part.a) || part.linear.in_doubt() {
                part.linear.decide(&Numbers { mass, force, a: &part.a, b, c: None })?;
            }
        }
        Ok(())
    }

    /// The scales of the rows at a state: the magnitudes of their terms, floored by what the sizes of their coordinates make of their slopes.
    ///
    /// Where nothing is left of them, as for x₂ − x₁ at the origin, a row is measured by its largest coordinates, or by those of
    /// their kind elsewhere: what rounding makes of a zero must not become a scale.
    pub(in crate::integrate) fn measure(&mut self, t: f64, q: &[f64], v: &[f64]) {
        self.evaluate(t, q, v);
        // The terms of a row of accelerations contain some.
        let inputs = Inputs { t, q, v, acceleration: &self.acceleration, ..Inputs::default() };
        self.system.evaluate(&inputs, &mut self.scales);
        self.system.at(t, q, v, &mut self.velocity_drift);
        let terms = self.scales.all();
        let rates = self.velocity_drift.residual();
        let equations = self.system.equations();
        let n = self.n;
        let a = rows_of(self.is_direct, &self.dynamics, &self.a);
        let (sizes, shape) = (&self.sizes, &self.shape);
        let mut begin = 0;
        let mut place = 0;
        for (number, row) in equations.rows.iter().enumerate() {
            let end = begin + row.scale_terms.len();
            let size: f64 = terms[begin..end].iter().map(|x| x.abs()).sum();
            begin = end;
            if place == self.rows.len() || self.rows[place] != number {
                continue;
            }
            // By slopes, with the sizes that `of` gives to coordinates.
            let sloped =
                |of: &dyn Fn(usize) -> f64| -> f64 { shape.entries(place, a).map(|(j, a)| a.abs() * of(j)).sum() };
            let scale = |own_terms: f64, level: usize, now: &[f64]| {
                let own = |j: usize| sizes.own(level + j).max(now[j].abs());
                let from_terms = own_terms.max(sloped(&own));
                let alike = |j: usize| {
                    let mates = row.a.iter().map(|&(i, _)| i).filter(|&i| sizes.alike(i) == sizes.alike(j));
                    mates.fold(0.0, |most: f64, i| most.max(own(i)))
                };
                let from_mates = sloped(&alike);
                let found = if from_terms > DUST * from_mates { from_terms } else { from_mates };
                let from_kind = sloped(&|j| sizes.kind()[level + j]);
                let found = if found > 0.0 { found.max(TINY * from_kind) } else { from_kind };
                let floor = if from_kind.is_finite() { ROUNDINGS * from_kind } else { 0.0 };
                (if found > 0.0 && found.is_finite() { found } else { 1.0 }, floor)
            };
            let of_velocity = match row.kind {
                Kind::Holonomic => {
                    let (moved, moving) = (shape.dot(place, a, v), shape.sum(place, a, v, |a, v| (a * v).abs()));
                    moving + (rates[number] - moved).abs()
                }
                _ => size,
            };
            (self.position_scale[place], self.floors[0][place]) = scale(size, 0, q);
            (self.velocity_scale[place], self.floors[1][place]) = scale(of_velocity, n, v);
            place += 1;
        }
        for row in place..place + self.sticks {
            let size = shape.sum(row, a, &sizes.kind()[n..], |a, size| a.abs() * size);
            self.velocity_scale[row] = if size > 0.0 { size } else { 1.0 };
        }
    }
}
