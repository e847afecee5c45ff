//! The loop of a run: try a step, put its end on the constraints, look what happened in it, take it.
//!
//! `control` says how long steps are, `arrive` tries and takes them.

use super::event::Approach;
use super::mechanics::Mechanics;
use super::outcome::{End, Observer, Outcome};
use super::plan::Plan;
use super::progress::{doubts, undefined};
use super::rounding::Rounding;
use super::runner::{Runner, Stop};
use holonom_language::{Drift, Method};

/// Baumgarte's terms let a violation die out so many times as fast as motion of typical speed covers a typical size.
const BAUMGARTE: f64 = 5.0;

impl Plan {
    /// Runs it.
    pub fn run(&self, observer: &mut dyn Observer) -> Outcome {
        let mechanics = match self.settings.method {
            Method::Explicit => Mechanics::new(self.system.clone()),
            Method::Stiff => Mechanics::dense(self.system.clone()),
        };
        Runner::new(self, mechanics, observer).run()
    }
}

impl Runner<'_> {
    /// Runs to the end, whatever that is.
    fn run(mut self) -> Outcome {
        let end = match self.steps() {
            Ok(end) => end,
            Err(Stop::Observer) => End::Interrupted,
            Err(stop) => {
                self.explain(stop);
                End::Failed
            }
        };
        self.told.statistics.evaluations = self.mechanics.counts.evaluations;
        self.told.statistics.factorisations = self.mechanics.factorisations();
        self.told.statistics.corrections = self.mechanics.counts.corrections;
        self.told.statistics.jacobians = self.method.jacobians();
        self.told.evidence.energy_scale = self.recorder.energy_scale;
        self.look();
        if end == End::Finished {
            let (equations, limited) = (
                self.mechanics.system.equations(),
                self.control.rounding.limited(&self.mechanics.sizes, self.plan.settings.rtol),
            );
            let largest = self.recorder.largest_energy.max(self.mechanics.natural_energy());
            let found =
                doubts(equations, &self.plan.settings, &self.told.statistics, &self.told.evidence, largest, limited);
            self.told.diagnostics.extend(found);
        }
        self.told.diagnostics.extend(undefined(&self.mechanics.system.equations().model, &self.recorder.undefined));
        self.told.events.sort_by(|a, b| a.time.total_cmp(&b.time));
        let expectations = self.recorder.expectations.finish(&self.mechanics, &mut self.told.diagnostics);
        Outcome {
            end,
            time: self.state.t,
            rows: self.told.rows,
            unlisted_ranks: self.control.progress.unlisted(),
            principles: self.recorder.principles.as_ref().map(|principles| principles.held),
            statistics: self.told.statistics,
            ranks: self.told.ranks,
            events: self.told.events,
            evidence: self.told.evidence,
            expectations,
            diagnostics: self.told.diagnostics,
        }
    }

    /// Steps to the end of the time, or to an event that ends the run.
    fn steps(&mut self) -> Result<End, Stop> {
        self.begin()?;
        while self.occasions.schedule.take(0.0).is_some() {
            // The start is recorded once.
        }
        self.record(0.0, false)?;
        self.control.length = self.first_step();
        if self.plan.settings.drift == Drift::Baumgarte {
            let (n, sizes) = (self.mechanics.n, self.mechanics.sizes.kind());
            let fastest = (0..n).map(|j| sizes[n + j] / sizes[j]).fold(0.0, f64::max);
            self.mechanics.drift.baumgarte = Some(BAUMGARTE * fastest);
        }
        while let Some((length, end)) = self.next_step()? {
            self.set_tolerance(length);
            self.occasions.triggers.foresee(&mut self.mechanics, length);
            match self.attempt(length) {
                Ok(error) if error <= 1.0 => {
                    if let Some(end) = self.go_on(length, end, error)? {
                        return Ok(end);
                    }
                }
                Ok(error) => self.refuse(length, error)?,
                Err(trouble) => self.give_up(length, trouble)?,
            }
        }
        Ok(End::Finished)
    }

    /// Goes on with a step whose error is small enough, to time `t`: takes it as far as nothing happens and does what happens there, or
    /// finds that it has to be tried with another length. The end of the run, if it is one.
    fn go_on(&mut self, length: f64, t: f64, error: f64) -> Result<Option<End>, Stop> {
        if self.occasions.watch.hurries(&self.mechanics.seen.watched) {
            return self.halve(length);
        }
        let wish = self.control.length.max(length);
        let looks = &self.mechanics.seen.watched;
        if let Some(other) = self.occasions.watch.better_length(self.state.t, (length, wish), looks) {
            return self.try_again(wish, other);
        }
        let held = self.mechanics.linear.rank();
        let mut arrival = self.arrive(t)?;
        let mut held_at_seam = None;
        match arrival.event.map(|time| self.occasions.triggers.approach(&mut self.mechanics, self.state.t, t, time)) {
            None => {
                self.control.chosen = self.occasions.triggers.crossing(t);
                if self.control.chosen.is_some() && self.changes_at_seam(t)? {
                    self.control.chosen = None;
                    arrival.event = Some(t);
                } else {
                    held_at_seam = self.look_across(t, self.control.chosen)?;
                }
            }
            Some(Approach::Cut) => {}
            Some(Approach::Whole) => arrival.event = Some(t),
            Some(Approach::Again(other)) => {
                self.go_back(held)?;
                return self.try_again(self.control.length.max(length), other);
            }
        }
        if self.leaves_branch(&mut arrival)? {
            self.go_back(held)?;
            return self.halve(length);
        }
        if let Some(time) = self.accept(&arrival)? {
            self.go_back(held)?;
            self.try_again(length, time - self.state.t)?;
            self.count_attempt(true)?;
            return Ok(None);
        }
        if let Some(message) = held_at_seam {
            return Err(Stop::Said(Box::new(message)));
        }
        self.count_attempt(false)?;
        self.grow(length, error);
        if arrival.event.is_none() {
            self.occasions.triggers.leave_seams(&mut self.mechanics);
            return Ok(None);
        }
        let happened = self.happen(self.occasions.triggers.contacts_change())?;
        if happened.end.is_none() && (std::mem::take(&mut self.control.is_fresh) || happened.events) {
            self.control.length = self.first_step();
        }
        Ok(happened.end)
    }

    /// Whether contacts change with a force that jumps at the end of the step: it has its new value there, and the seam counts as passed.
    fn changes_at_seam(&mut self, t: f64) -> Result<bool, Stop> {
        let Self { occasions, mechanics, state, .. } = self;
        let joined = occasions.triggers.join_contacts(mechanics, t, &state.next);
        let changes = joined.map_err(|trouble| Stop::Trouble(trouble, t))?;
        if changes {
            occasions.triggers.choose_again();
        }
        Ok(changes)
    }

    /// Ranks, contacts and the rate at the start.
    fn begin(&mut self) -> Result<(), Stop> {
        self.recorder.balance(&self.mechanics, 0.0, &self.state.y);
        self.begin_anew()?;
        self.told.evidence.energy_of_events += self.recorder.rebalance(&self.mechanics, 0.0, &self.state.y);
        let at = |trouble| Stop::Trouble(trouble, 0.0);
        self.occasions.triggers.begin(&mut self.mechanics, &self.state.y, &mut self.told.diagnostics).map_err(at)?;
        if !self.occasions.due.is_empty() {
            self.happen(true)?;
        }
        Ok(())
    }

    /// Decides ranks and what contacts do, for a motion that begins at the present state.
    pub(super) fn begin_anew(&mut self) -> Result<(), Stop> {
        let (n, t) = (self.mechanics.n, self.state.t);
        let at = |trouble| Stop::Trouble(trouble, t);
        let held_seams = self.release_seams();
        self.mechanics.rate_deciding(t, &self.state.y, &mut self.state.rate).map_err(at)?;
        self.look();
        if self.occasions.sided.is_some() {
            let became = self.meet(&[], &[])?;
            self.note_sides(&became);
        } else {
            let (q, v) = self.state.y[..2 * n].split_at_mut(n);
            self.mechanics.decide_contacts(t, q, v, &[], &[]).map_err(at)?;
        }
        self.decide_seams_anew(&held_seams)?;
        self.mechanics.rate_deciding(t, &self.state.y, &mut self.state.rate).map_err(at)?;
        self.begin_step(self.mechanics.linear.clearance());
        // Velocities may have jumped: what rounding was thought to be before says nothing.
        self.control.rounding = Rounding::new(n, self.state.y.len());
        self.control.rounding.measure(&mut self.mechanics, t, &self.state.y, &self.state.rate);
        Ok(())
    }

    /// A step begins at the present state, whose clearance is known.
    pub(super) fn begin_step(&mut self, clearance: f64) {
        let n = self.mechanics.n;
        self.occasions.watch.begin(clearance);
        if self.occasions.watch.is_careful() {
            self.be_careful();
        }
        let (q, v) = self.state.y[..2 * n].split_at(n);
        self.mechanics.begin_step(self.state.t, q, v);
    }

    /// Keeps track of the sizes of coordinates and the scales of rows.
    pub(super) fn look(&mut self) {
        let Self { mechanics, state, .. } = self;
        mechanics.sizes.look(&state.y[..2 * mechanics.n], &state.rate);
        let (q, v) = state.y[..2 * mechanics.n].split_at(mechanics.n);
        mechanics.measure(state.t, q, v);
    }
}
