//! What contacts do from one moment on: decided together, and held until one of them does something else.

use super::{Level, Mechanics, Trouble};
use crate::analysis::{ContactMode, Judge, Judgement, State};
use crate::compile::{Inputs, System};
use crate::model::Diagnostic;

impl Mechanics {
    /// Decides what contacts do at a state on the constraints, where those in `resting` do not slip, and goes by that from
    /// now on. Velocities are changed so that what sticks does not move.
    pub(in crate::integrate) fn decide_contacts(
        &mut self,
        t: f64,
        q: &mut [f64],
        v: &mut [f64],
        resting: &[usize],
    ) -> Result<(), Trouble> {
        if self.contacts.as_ref().is_none_or(|contacts| contacts.list.is_empty()) {
            return Ok(());
        }
        let state = State { time: t, positions: q.to_vec(), velocities: v.to_vec() };
        let judgement = self.judge(&state, resting).map_err(Trouble::Friction)?;
        self.evaluate(t, q, v);
        let Some(contacts) = &mut self.contacts else { return Ok(()) };
        for (place, &row) in self.rows.iter().enumerate() {
            self.multipliers[row] = self.ideal[place];
        }
        let inputs =
            Inputs { t, q, v, reaction: &judgement.reactions, multiplier: &self.multipliers, ..Inputs::default() };
        contacts.evaluate_laws(&self.system, &inputs);
        contacts.set_modes(&judgement.modes, &judgement.reactions);
        contacts.evaluate(&self.system, t, q, v);
        let sticks = contacts.stick_rows();
        self.shape(sticks);
        self.accelerate(t, q, v, true)?;
        self.decide_parts()?;
        self.measure(t, q, v);
        if sticks > 0 {
            self.factor_here(Level::Velocity)?;
            self.project(Level::Velocity, t, q, v)?;
            let small = v.iter().zip(&self.sizes.kind()[self.n..]).all(|(v, size)| v.abs() <= 1e-9 * size);
            if small && self.linear.rank() == self.n {
                self.step.fill(0.0);
                let still = std::mem::take(&mut self.step);
                if self.drift(Level::Velocity, t, q, &still) == 0.0 {
                    v.fill(0.0);
                }
                self.step = still;
            }
        }
        Ok(())
    }

    /// A step begins at a state: contacts slide as they do there.
    pub(in crate::integrate) fn begin_step(&mut self, t: f64, q: &[f64], v: &[f64]) {
        if let Some(contacts) = &mut self.contacts {
            contacts.evaluate(&self.system, t, q, v);
            contacts.begin_step();
        }
    }

    /// What contacts do at a state.
    fn judge(&self, state: &State, resting: &[usize]) -> Result<Judgement, Box<Diagnostic>> {
        let given = self.system.equations();
        let as_declared = given.rows.iter().enumerate().all(|(row, of)| of.off != self.rows.contains(&row));
        if as_declared {
            return Judge::new(&self.system).contacts(state, resting);
        }
        let mut equations = given.clone();
        for (row, of) in equations.rows.iter_mut().enumerate() {
            of.off = !self.rows.contains(&row);
        }
        for (constraint, in_force) in equations.model.constraints.iter_mut().zip(&self.in_force) {
            constraint.off = !in_force;
        }
        let parameters: Vec<(usize, f64)> = self.system.parameters().iter().copied().enumerate().collect();
        Judge::new(&System::new(equations).with_places(&parameters)).contacts(state, resting)
    }

    /// Whether contacts that stick still can, where their reactions are not unique: somebody has to look for some that fit.
    pub(in crate::integrate) fn sticking_is_open(&self) -> bool {
        self.sticks > 0 && self.linear.rank() < self.rows.len() + self.sticks
    }

    /// Whether everything that sticks goes on sticking at a state.
    pub(in crate::integrate) fn still_sticks(&self, t: f64, q: &[f64], v: &[f64]) -> Result<bool, Trouble> {
        let Some(contacts) = &self.contacts else { return Ok(true) };
        let resting = contacts.sticking_ones();
        let state = State { time: t, positions: q.to_vec(), velocities: v.to_vec() };
        let judgement = self.judge(&state, &resting).map_err(Trouble::Friction)?;
        let sticks = |which: usize| judgement.modes.iter().any(|(i, mode)| *i == which && *mode == ContactMode::Sticks);
        Ok(resting.into_iter().all(sticks))
    }

    /// How far each contact is from doing something else, at the state whose acceleration was found last: two numbers each,
    /// negative when it does.
    pub(in crate::integrate) fn contact_triggers(&self, out: &mut Vec<f64>) {
        if let Some(contacts) = &self.contacts {
            contacts.triggers(&self.system, &self.reaction[self.rows.len()..], out);
        }
    }
}
