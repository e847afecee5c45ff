//! A step: tried, ended on the constraints, and taken as far as it goes, with records on the way.

use super::control::{FINEST, SHARE};
use super::event::{Path, put_on_constraints};
use super::mechanics::Level;
use super::method::Step;
use super::runner::{Arrival, DIPS, Runner, State, Stop};
use super::trouble::Trouble;
use holonom_language::{Diagnostic, Drift};

/// The part of what projection moves that counts as error, measured by the tolerance.
const MOVED: f64 = 0.01;
/// Times that differ by no more than this part are one moment: an event is found at the first number after it.
const SAME: f64 = 16.0 * f64::EPSILON;
/// Steps between looks at the scales of rows and coordinates.
const LOOK: u64 = 16;
/// … and between measurements of rounding.
const MEASURE: u64 = 64;
/// Residuals below this part of the scales of rows say all by themselves.
const CLEAR: f64 = 1e-12;

impl Runner<'_> {
    /// Tries a step, and puts its end on the constraints; the error that is left.
    ///
    /// Near a singular configuration, what projection takes away is no error as long as it is small: it is far larger than
    /// what stays there, and a method that heeded all of it would hardly pass.
    pub(super) fn attempt(&mut self, h: f64) -> Result<f64, Trouble> {
        let Self { method, mechanics, state, control, .. } = self;
        let State { t, y, rate, next, .. } = state;
        let has_rows = self.plan.settings.drift == Drift::Projection && !mechanics.in_force.rows.is_empty();
        let projected = has_rows || mechanics.slides();
        mechanics.seen.watched.clear();
        mechanics.seen.samples.clear();
        mechanics.drift.scales.restore();
        control.left = None;
        let step =
            Step { t: *t, h, y, rate, tolerance: &control.tolerance, projected, near: self.occasions.watch.near() };
        let error = method.attempt(mechanics, &step, next)?;
        let error =
            error / (1.0 + self.occasions.watch.rounding(&mechanics.seen.watched) / (SHARE * self.plan.settings.rtol));
        if !next.iter().sum::<f64>().is_finite() {
            return Ok(f64::NAN);
        }
        if !projected || error > 1.0 || error.is_nan() {
            return Ok(error);
        }
        let moved = self.project(self.state.t + h)?;
        self.control.left = Some(self.mechanics.drift.left);
        let usual = self.plan.settings.rtol.max(FINEST) / MOVED;
        let most = self.occasions.watch.most_moved(&self.mechanics.seen.watched, usual);
        Ok(error.max(moved / most))
    }

    /// Projects `next`; how far it moved, relative to the sizes of coordinates.
    fn project(&mut self, t: f64) -> Result<f64, Trouble> {
        let n = self.mechanics.n;
        let (q, v) = self.state.next[..2 * n].split_at_mut(n);
        let positions = self.mechanics.project(Level::Position, t, q, v)?;
        let velocities = self.mechanics.project(Level::Velocity, t, q, v)?;
        Ok(positions.max(velocities))
    }

    /// Ends the step at `t`: ranks are decided there, and it is looked whether something happens on the way.
    pub(super) fn arrive(&mut self, t: f64) -> Result<Arrival, Stop> {
        let at = |trouble| Stop::Trouble(trouble, t);
        let held = self.mechanics.linear.rank();
        self.mechanics.rate_deciding(t, &self.state.next, &mut self.state.next_rate).map_err(at)?;
        if self.mechanics.linear.rank() > held && self.plan.settings.drift == Drift::Projection {
            // Rows that were left to follow the others lead now.
            self.state.middle.copy_from_slice(&self.state.next);
            if self.project(t).is_err() {
                self.state.next.copy_from_slice(&self.state.middle);
            }
            self.mechanics.rate_deciding(t, &self.state.next, &mut self.state.next_rate).map_err(at)?;
        }
        let clearance = self.mechanics.linear.clearance();
        let Self { method, mechanics, occasions, state, .. } = self;
        let (triggers, State { t: start, next, next_rate, middle, .. }) = (&mut occasions.triggers, state);
        let (mut event, mut dense) = (None, false);
        if !triggers.is_quiet(mechanics, t, next).map_err(at)? {
            method.make_dense(mechanics, next, next_rate).map_err(at)?;
            dense = true;
            let projected = self.plan.settings.drift == Drift::Projection;
            let mut path =
                Path { method, start: *start, length: t - *start, end: t, at_end: next, projected, room: middle };
            event = triggers.first(mechanics, &mut path).map_err(at)?;
        }
        Ok(Arrival { t, clearance, event, dense, dips: [None; DIPS] })
    }

    /// Whether the motion cannot leave the seam that the next step, of a chosen length, is to cross.
    pub(super) fn look_across(&mut self, t: f64, crossing: Option<f64>) -> Result<Option<Diagnostic>, Stop> {
        let Some(length) = crossing else { return Ok(None) };
        let Self { occasions, mechanics, state, .. } = self;
        let found = occasions.triggers.stays_at_seam(mechanics, (t, length), &state.next, &state.rate);
        found.map_err(|trouble| Stop::Trouble(trouble, t))
    }

    /// The end of a step is given up: ranks are those of its start again.
    pub(super) fn go_back(&mut self, held: usize) -> Result<(), Stop> {
        if self.mechanics.linear.rank() == held {
            return Ok(());
        }
        let t = self.state.t;
        self.mechanics
            .rate_deciding(t, &self.state.y, &mut self.state.rate)
            .map_err(|trouble| Stop::Trouble(trouble, t))
    }

    /// Takes a step as far as it goes; records are made on the way. A record that cannot be put on the constraints is where the step has to
    /// end instead: then that time is returned, and nothing is taken.
    pub(super) fn accept(&mut self, arrival: &Arrival) -> Result<Option<f64>, Stop> {
        let (n, before, h) = (self.mechanics.n, self.state.t, arrival.t - self.state.t);
        let t = arrival.end();
        let at = |trouble| Stop::Trouble(trouble, t);
        if !arrival.dense && self.occasions.schedule.has(t) {
            self.method.make_dense(&mut self.mechanics, &self.state.next, &self.state.next_rate).map_err(at)?;
        }
        let factors = arrival.dips[0].is_some();
        // What is recorded at the moment of an event, but for its last digits, is what comes of it.
        let last = if arrival.event.is_some() { t - SAME * t.abs() } else { t };
        let mut at_end = self.occasions.schedule.ends.then_some(t);
        while let Some(time) = self.occasions.schedule.take(t) {
            if time < last {
                match self.record_inside(time, (time - before) / h, factors) {
                    Err(Stop::Trouble(Trouble::OffConstraints, _)) => {
                        self.occasions.schedule.put_back();
                        return Ok(Some(time));
                    }
                    done => done?,
                }
            } else {
                at_end = Some(time);
            }
        }
        for dip in arrival.dips.into_iter().flatten() {
            self.look_at_dip(dip, h);
        }
        if before == 0.0 {
            self.told.start = 8.0 * SAME * arrival.t;
        }
        self.told.statistics.steps += 1;
        self.notice_stiffness();
        self.method.accepted();
        self.mechanics.drift.scales.keep();
        self.state.t = t;
        self.state.recorded = false;
        self.mechanics.sizes.see(&self.state.next[..2 * n]);
        if t < arrival.t {
            self.go_to((t - before) / h)?;
        } else {
            std::mem::swap(&mut self.state.y, &mut self.state.next);
            std::mem::swap(&mut self.state.rate, &mut self.state.next_rate);
            self.begin_step(arrival.clearance);
        }
        if arrival.event.is_some() {
            self.occasions.triggers.join_contacts(&mut self.mechanics, t, &self.state.y).map_err(at)?;
        }
        let changes = arrival.event.is_some() && self.occasions.triggers.contacts_change();
        if changes {
            self.occasions.triggers.pass(&mut self.mechanics, t, &self.state.y).map_err(at)?;
            self.pass_transition(before, h)?;
        }
        if let Some(time) = at_end {
            self.record(time, false)?;
        }
        if !changes && let Some(message) = self.fallen_through() {
            return Err(Stop::Said(Box::new(message)));
        }
        if let Some(stop) = self.negative_friction() {
            return Err(stop);
        }
        let (q, v) = self.state.y[..2 * n].split_at(n);
        let (position, velocity) = match self.control.left {
            Some(left) if t == arrival.t && !changes && left.0.max(left.1) < CLEAR => left,
            _ => (self.mechanics.missed(Level::Position, t, q, v), self.mechanics.missed(Level::Velocity, t, q, v)),
        };
        self.told.evidence.position_residual = self.told.evidence.position_residual.max(position);
        self.told.evidence.velocity_residual = self.told.evidence.velocity_residual.max(velocity);
        self.recorder.balance(&self.mechanics, t, &self.state.y);
        self.told.evidence.energy_imbalance = self.told.evidence.energy_imbalance.max(self.recorder.imbalance.abs());
        self.told.evidence.clearance = self.told.evidence.clearance.min(arrival.clearance);
        if !self.mechanics.friction_is_certain() && !self.told.doubted {
            let (q, v) = self.state.y[..2 * n].split_at(n);
            let doubt = self.mechanics.other_motions(t, q, v);
            self.told.doubted = doubt.is_some();
            self.told.diagnostics.extend(doubt.map(|doubt| doubt.when(t)));
        }
        if self.told.statistics.steps.is_multiple_of(LOOK) {
            self.look();
        }
        if self.told.statistics.steps.is_multiple_of(MEASURE) {
            self.control.rounding.measure(&mut self.mechanics, t, &self.state.y, &self.state.rate);
        }
        if self.observer.step(t) { Ok(None) } else { Err(Stop::Observer) }
    }

    /// Records a state inside the last step, put on the constraints with the factors at hand, or with its own where these are those of a
    /// singular configuration or lead nowhere.
    fn record_inside(&mut self, t: f64, theta: f64, mut with_own: bool) -> Result<(), Stop> {
        loop {
            self.method.interpolate(theta, &mut self.state.middle);
            if with_own {
                let (q, v) = self.state.middle[..2 * self.mechanics.n].split_at(self.mechanics.n);
                self.mechanics.factor_at(t, q, v);
            }
            match self.record(t, true) {
                Err(Stop::Trouble(Trouble::OffConstraints, _)) if !with_own => with_own = true,
                done => return done,
            }
        }
    }

    /// Goes to a part of the last step, at the present time, and begins anew there.
    fn go_to(&mut self, theta: f64) -> Result<(), Stop> {
        let t = self.state.t;
        let at = |trouble| Stop::Trouble(trouble, t);
        self.method.interpolate(theta, &mut self.state.y);
        if self.plan.settings.drift == Drift::Projection {
            put_on_constraints(&mut self.mechanics, t, &mut self.state.y).map_err(at)?;
        }
        self.mechanics.rate_deciding(t, &self.state.y, &mut self.state.rate).map_err(at)?;
        self.method.restart(&self.mechanics);
        self.begin_step(self.mechanics.linear.clearance());
        Ok(())
    }

    /// Records the present state, or one in the middle of a step, which is put on the constraints first.
    pub(super) fn record(&mut self, t: f64, middle: bool) -> Result<(), Stop> {
        let at = |trouble| Stop::Trouble(trouble, t);
        let y = if middle {
            if self.plan.settings.drift == Drift::Projection {
                let n = self.mechanics.n;
                let (q, v) = self.state.middle[..2 * n].split_at_mut(n);
                self.mechanics.project_aside(t, q, v).map_err(at)?;
            }
            &self.state.middle
        } else {
            self.state.recorded = true;
            &self.state.y
        };
        let row = self.recorder.row(&mut self.mechanics, t, y).map_err(at)?;
        self.told.rows += 1;
        self.observer.row(row).map_err(|_| Stop::Observer)
    }
}
