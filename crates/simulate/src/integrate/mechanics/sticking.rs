//! What contacts do from one moment on: decided together, and held until one of them does something else.

use super::{Level, Mechanics};
use crate::analysis::{self, State};
use crate::integrate::contact::Mode;
use crate::integrate::reading::Reading;
use crate::integrate::trouble::Trouble;
use holonom_language::Diagnostic;
use holonom_mechanics::compile::Inputs;
use holonom_mechanics::contact::{Decided, Does, Moment, Stage, Undone};

/// Steps of Newton's method that bring a gap to zero to its last digit.
const PINNED: usize = 3;
/// What is held in every direction and slower than this part of the usual speeds moves by rounding alone.
const STILL: f64 = 1e-9;
/// A reaction below this part of the forces that it holds up may be rounding of zero.
const PULLS: f64 = 1e-12;

impl Mechanics {
    /// Decides what contacts do at a state on the constraints, where those in `resting` do not slip and the one-sided rows in `touching`
    /// touch, and goes by that from now on. Velocities are changed so that what sticks does not move.
    pub(in crate::integrate) fn decide_contacts(
        &mut self,
        t: f64,
        q: &mut [f64],
        v: &mut [f64],
        resting: &[usize],
        touching: &[usize],
    ) -> Result<(), Trouble> {
        let has_frictions = self.contacts.as_ref().is_some_and(|contacts| !contacts.list.is_empty());
        if !has_frictions && touching.is_empty() && self.one_sided_in_force().is_empty() {
            return Ok(());
        }
        let decided = self.judge(t, q, v, resting, touching)?;
        if decided.pushing != self.one_sided_in_force() {
            self.hold(&decided.pushing, t, q, v)?;
        }
        self.evaluate(t, q, v);
        let Some(contacts) = &mut self.contacts else {
            self.still(t, q, v);
            return Ok(());
        };
        self.found.spread_ideal(&self.in_force.rows);
        let inputs =
            Inputs { t, q, v, reaction: &decided.reactions, multiplier: &self.found.multipliers, ..Inputs::default() };
        contacts.evaluate_laws(&self.system, &inputs);
        contacts.set_modes(&decided.contacts, &decided.reactions);
        contacts.evaluate(&self.system, t, q, v);
        let sticks = contacts.stick_rows();
        self.arrange(sticks);
        self.accelerate(t, q, v, true)?;
        self.decide_parts()?;
        self.measure(t, q, v);
        if sticks > 0 {
            self.factor_here(Level::Velocity)?;
            self.project(Level::Velocity, t, q, v)?;
        }
        self.still(t, q, v);
        Ok(())
    }

    /// What rows hold in every direction does not move at all, not even by rounding.
    fn still(&mut self, t: f64, q: &[f64], v: &mut [f64]) {
        let small = v.iter().zip(&self.sizes.kind()[self.n..]).all(|(v, size)| v.abs() <= STILL * size);
        if small && self.linear.rank() == self.n {
            self.drift.step.fill(0.0);
            let still = std::mem::take(&mut self.drift.step);
            if self.drift(Level::Velocity, t, q, &still) == 0.0 {
                v.fill(0.0);
            }
            self.drift.step = still;
        }
    }

    /// A step begins at a state: contacts slide as they do there.
    pub(in crate::integrate) fn begin_step(&mut self, t: f64, q: &[f64], v: &[f64]) {
        if let Some(contacts) = &mut self.contacts {
            contacts.evaluate(&self.system, t, q, v);
            contacts.begin_step();
        }
    }

    /// The one-sided rows in force.
    pub(in crate::integrate) fn one_sided_in_force(&self) -> Vec<usize> {
        self.in_force.one_sided(self.system.equations())
    }

    /// Other one-sided rows come into force, at a state where they touch.
    fn hold(&mut self, pushing: &[usize], t: f64, q: &mut [f64], v: &mut [f64]) -> Result<(), Trouble> {
        let rows = &self.system.equations().rows;
        let mut in_force: Vec<usize> = self
            .in_force
            .rows
            .iter()
            .copied()
            .filter(|&row| !rows[row].one_sided)
            .chain(pushing.iter().copied())
            .collect();
        in_force.sort_unstable();
        self.change(self.system.clone(), in_force);
        self.measure(t, q, v);
        // Ranks must be known before anything can be projected.
        self.accelerate(t, q, v, true)?;
        self.decide_parts()?;
        self.project(Level::Position, t, q, v)?;
        self.project(Level::Velocity, t, q, v)?;
        self.pin_state(t, q, v);
        Ok(())
    }

    /// What a one-sided row of a single coordinate holds does not move at all: its gap is zero to the last digit, and so is its rate.
    fn pin_state(&mut self, t: f64, q: &mut [f64], v: &mut [f64]) {
        let equations = self.system.equations();
        for (row, _) in self.in_force.sided.iter().filter(|(_, place)| place.is_some()) {
            let row_of = &equations.rows[*row];
            let [(j, _)] = row_of.a[..] else { continue };
            if row_of.rheonomic {
                continue;
            }
            for _ in 0..PINNED {
                self.system.at(t, q, v, &mut self.drift.positions);
                self.system.at(t, q, v, &mut self.in_force.dynamics);
                let slope = self
                    .in_force
                    .given
                    .entries(*row, self.in_force.dynamics.a())
                    .find(|entry| entry.0 == j)
                    .map_or(0.0, |e| e.1);
                let step = self.drift.positions.residual()[*row] / slope;
                if step == 0.0 || !step.is_finite() {
                    break;
                }
                q[j] -= step;
            }
            v[j] = 0.0;
        }
    }

    /// What rows hold at rest in every direction, or those of a single coordinate, does not accelerate at all, not even by rounding.
    pub(super) fn pin_acceleration(&mut self) {
        let (n, m) = (self.n, self.in_force.rows.len());
        if self.linear.rank() == n && self.in_force.b.iter().all(|b| *b == 0.0) {
            self.found.acceleration.fill(0.0);
            return;
        }
        let equations = self.system.equations();
        for &(row, place) in &self.in_force.sided {
            let Some(place) = place else { continue };
            if let ([(j, _)], 0.0) = (&equations.rows[row].a[..], self.in_force.b[place]) {
                self.found.acceleration[*j] = 0.0;
            }
        }
        for (row, b) in (m..self.in_force.total()).zip(&self.in_force.b[m..]) {
            let mut entries = self.in_force.shape.entries(row, self.in_force.a()).filter(|(_, a)| *a != 0.0);
            if let (Some((j, _)), None, 0.0) = (entries.next(), entries.next(), *b) {
                self.found.acceleration[j] = 0.0;
            }
        }
    }

    /// The stage that decides about contacts, with the rows that are always in force.
    pub(in crate::integrate) fn stage(&mut self) -> &mut Stage {
        let (system, rows) = (&self.system, &self.in_force.rows);
        self.stage.get_or_insert_with(|| {
            let two_sided = rows.iter().copied().filter(|&row| !system.equations().rows[row].one_sided);
            Box::new(Stage::new(system, two_sided.collect()))
        })
    }

    /// What contacts do at a state; those in `resting` do not slip, and one-sided rows in `touching` touch.
    fn judge(
        &mut self,
        t: f64,
        q: &[f64],
        v: &[f64],
        resting: &[usize],
        touching: &[usize],
    ) -> Result<Decided, Trouble> {
        let force = self.forces_at_seams(t, q, v);
        let decided = self.stage().decide(&Moment { t, q, v, resting, touching, force: force.as_deref() });
        decided.map_err(|undone| self.trouble_at(undone, t, q, v))
    }

    /// Why contacts leave a state without a motion.
    pub(in crate::integrate) fn trouble_at(&self, undone: Undone, t: f64, q: &[f64], v: &[f64]) -> Trouble {
        match undone {
            Undone::Wrong(error) => Trouble::Motion(error),
            undone => {
                let state = State { time: t, positions: q.to_vec(), velocities: v.to_vec() };
                Trouble::Told(Box::new(analysis::undone(&self.system, undone, &state)))
            }
        }
    }

    /// Whether no second motion can fit the friction of the acceleration that was found last.
    pub(in crate::integrate) fn friction_is_certain(&self) -> bool {
        self.feedback.reach < 1.0
    }

    /// Other motions that fit the friction at a state, if there are some: a warning that names them.
    pub(in crate::integrate) fn other_motions(&mut self, t: f64, q: &[f64], v: &[f64]) -> Option<Diagnostic> {
        let resting = self.contacts.as_ref().map_or_else(Vec::new, |contacts| contacts.sticking_ones());
        let touching = self.one_sided_in_force();
        let Err(Trouble::Told(found)) = self.judge(t, q, v, &resting, &touching) else { return None };
        (found.code == "friction-many-solutions").then(|| {
            let mut warning = Diagnostic::warning(found.code, format!("at t = {t}: {}", found.message));
            (warning.labels, warning.notes) = (found.labels.clone(), found.notes.clone());
            warning.note("the run goes on with the motion that continues the one before")
        })
    }

    /// Whether contacts that stick still can, where their reactions are not unique: feasible reactions must be searched for.
    pub(in crate::integrate) fn sticking_is_open(&self) -> bool {
        self.in_force.sticks > 0 && self.linear.rank() < self.in_force.total()
    }

    /// Whether everything that sticks goes on sticking at a state.
    pub(in crate::integrate) fn still_sticks(&mut self, t: f64, q: &[f64], v: &[f64]) -> Result<bool, Trouble> {
        let Some(contacts) = &self.contacts else { return Ok(true) };
        let resting = contacts.sticking_ones();
        let touching = self.one_sided_in_force();
        let decided = self.judge(t, q, v, &resting, &touching)?;
        let sticks =
            |which: usize| decided.contacts.iter().any(|one| one.which == which && matches!(one.does, Does::Sticks(_)));
        Ok(resting.into_iter().all(sticks))
    }

    /// How far each contact is from doing something else, at the state whose acceleration was found last: two readings each,
    /// negative when it does.
    pub(in crate::integrate) fn contact_triggers(&self, out: &mut Vec<Reading>) {
        self.read_contacts(true, |reading| out.push(reading));
    }

    /// The same, with rates or without.
    #[inline]
    fn read_contacts(&self, with_rates: bool, mut each: impl FnMut(Reading)) {
        if let Some(contacts) = &self.contacts {
            let acceleration = with_rates.then_some(&self.found.acceleration[..]);
            contacts.triggers(acceleration, &self.found.reaction[self.in_force.rows.len()..], &mut each);
        }
        for (_, place) in &self.in_force.sided {
            each(match *place {
                None => Reading::fixed(1.0),
                Some(place) => {
                    let value = self.found.reaction[place];
                    Reading { value, rate: f64::NAN, noise: PULLS * self.push_size(place) }
                }
            });
        }
        self.seam_triggers(each);
    }

    /// What contacts and one-sided rows do.
    pub(in crate::integrate) fn doing(&self) -> (Vec<usize>, Vec<(Mode, [f64; 3])>) {
        let contacts = self.contacts.as_ref().map_or_else(Vec::new, |contacts| contacts.doing());
        (self.one_sided_in_force(), contacts)
    }

    /// The contacts that do not slip at the state that was evaluated last, up to rounding of usual speeds.
    pub(in crate::integrate) fn contacts_at_rest(&self) -> Vec<usize> {
        let speeds = &self.sizes.kind()[self.n..];
        self.contacts.as_ref().map_or_else(Vec::new, |contacts| contacts.at_rest(speeds))
    }

    /// Whether contacts do what they were decided to do, at the state whose acceleration was found last.
    pub(in crate::integrate) fn contacts_fit(&self) -> bool {
        let mut readings = Vec::new();
        self.contact_triggers(&mut readings);
        let seams = self.seams.as_ref().map_or(0, |seams| seams.len());
        let fits = |reading: &Reading| reading.value >= -reading.noise;
        let begins = self.contacts.as_ref().is_none_or(|contacts| contacts.begin_to_slide(&self.found.acceleration));
        begins && readings[..readings.len() - seams].iter().all(fits)
    }

    /// What the reaction of a row in force is made of: the forces that it holds up.
    fn push_size(&self, place: usize) -> f64 {
        let a = self.in_force.a();
        let (mut along, mut slope) = (0.0_f64, 0.0_f64);
        for (j, a) in self.in_force.shape.entries(place, a) {
            along = along.max((a * self.in_force.force()[j]).abs());
            slope = slope.max(a * a);
        }
        self.found.reaction[place].abs().max(if slope > 0.0 { along / slope } else { 0.0 })
    }

    /// Whether reactions of one-sided rows in force are not unique.
    pub(in crate::integrate) fn pushing_is_open(&self) -> bool {
        self.in_force.pushes() && self.linear.rank() < self.in_force.total()
    }

    /// Whether all one-sided rows in force still push at a state, with reactions that are not unique.
    pub(in crate::integrate) fn still_pushes(&mut self, t: f64, q: &[f64], v: &[f64]) -> Result<bool, Trouble> {
        let resting = self.contacts.as_ref().map_or_else(Vec::new, |contacts| contacts.sticking_ones());
        let in_force = self.one_sided_in_force();
        Ok(self.judge(t, q, v, &resting, &in_force)?.pushing == in_force)
    }

    /// Remembers what contacts say at the evaluations of a step.
    pub(super) fn note_contacts(&mut self, t: f64) {
        if self.in_force.pushes()
            || self.slides()
            || self.contacts.as_ref().is_some_and(|contacts| !contacts.list.is_empty())
        {
            let mut samples = std::mem::take(&mut self.seen.samples);
            samples.times.push(t);
            // Parabolas through values are all that is asked of them.
            self.read_contacts(false, |reading| samples.add(reading));
            self.seen.samples = samples;
        }
    }
}
