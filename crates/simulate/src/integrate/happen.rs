//! What happens at one moment of a run: the events that are due, those that follow from them, and what is written down.

use super::action::{Done, Refused, act, records_first};
use super::outcome::End;
use super::runner::{Runner, Stop};
use crate::analysis;

/// What came of a moment.
pub(super) struct Happened {
    /// The end of the run, if it is one.
    pub(super) end: Option<End>,
    /// Whether events of the model happened.
    pub(super) events: bool,
}

impl Runner<'_> {
    /// Does what happens at the present time, and what follows from it at the same instant; the end, if it is one. Contacts
    /// may have changed already.
    pub(super) fn happen(&mut self, mut changed: bool) -> Result<Happened, Stop> {
        let t = self.state.t;
        let at = |trouble| Stop::Trouble(trouble, t);
        if !changed {
            self.occasions.triggers.pass(&mut self.mechanics, t, &self.state.y).map_err(at)?;
        }
        if let Some(without_end) = self.occasions.triggers.count(&self.mechanics, t) {
            return Err(Stop::Said(Box::new(without_end)));
        }
        let (mut happened, mut end) = (Vec::new(), None);
        loop {
            let mut events = self.occasions.triggers.events();
            events.append(&mut self.occasions.due);
            events.sort_unstable();
            for event in events {
                happened.push(event);
                let done = self.carry_out(event)?;
                changed |= done.changed;
                if done.stop {
                    let event = self.mechanics.system.equations().model.events[event].name.clone();
                    end = end.or(Some(End::Stopped { event }));
                }
            }
            if !changed {
                break;
            }
            self.occasions
                .triggers
                .settle(&mut self.mechanics, t, &self.state.y, &mut self.told.diagnostics)
                .map_err(at)?;
            if !self.occasions.triggers.followers(&happened) {
                break;
            }
            self.occasions.triggers.remember();
            changed = false;
        }
        if !happened.is_empty() && !self.state.recorded && (end.is_some() || self.occasions.schedule.ends) {
            self.record(t, false)?;
        }
        Ok(Happened { end, events: !happened.is_empty() })
    }

    /// Carries out the actions of an event, and writes down what it did.
    fn carry_out(&mut self, event: usize) -> Result<Done, Stop> {
        let t = self.state.t;
        let actions = &self.mechanics.system.equations().model.events[event].actions;
        if records_first(actions) && !self.state.recorded {
            self.record(t, false)?;
        }
        self.recorder.balance(&self.mechanics, t, &self.state.y);
        let in_contact = self.mechanics.one_sided_in_force();
        let done = act(event, &mut self.mechanics, t, &mut self.state.y).map_err(|refused| match refused {
            Refused::Said(message) => Stop::Said(message),
            Refused::Trouble(trouble) => Stop::Trouble(trouble, t),
        })?;
        let mut words = done.words.join("; ");
        if done.changed {
            self.state.recorded = false;
            self.occasions.in_contact = Some(in_contact);
            // What is struck at this moment is struck with the restitution that it has now.
            if let Some(sided) = &mut self.occasions.sided {
                sided.take_parameters(&self.mechanics.system);
                let wrong = sided.wrong_restitution(&self.mechanics.system, event, t);
                wrong.map_or(Ok(()), |message| Err(Stop::Said(Box::new(message))))?;
            }
            self.begin_anew()?;
            self.method.restart(&self.mechanics);
            self.occasions.triggers.take_parameters(&self.mechanics.system);
            self.recorder.expectations.take_parameters(&self.mechanics.system);
            let energy = self.recorder.rebalance(&self.mechanics, t, &self.state.y);
            self.told.evidence.energy_of_events += energy;
            if energy.abs() > 1e-12 * self.recorder.energy_scale {
                words.push_str(&format!("; energy changes by {}", analysis::number(energy)));
            }
        }
        if done.record {
            self.record(t, false)?;
        }
        let name = self.mechanics.system.equations().model.events[event].name.clone();
        self.told.happened(t, name, words);
        Ok(done)
    }
}
