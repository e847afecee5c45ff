//! Where friction changes: a contact that slides comes to rest or turns, one that holds gives way.
//!
//! At the end of a step every contact says how far it is from doing something else. Where one has passed that, the first
//! moment is found on the dense output, the motion goes back there, and what contacts do from then on is decided for all that
//! are at rest together.

use super::mechanics::{Level, Trouble};
use super::outcome::EventRecord;
use super::root::first_root;
use super::run::{Runner, Stop};
use crate::model::Drift;

/// Transitions within so small a time that they are one.
const CHATTER: usize = 200;

/// A moment at which contacts change.
pub(super) struct Transition {
    pub(super) time: f64,
    /// The contacts that are at rest there.
    resting: Vec<usize>,
}

impl Runner<'_> {
    /// Looks whether contacts change in the step that ends at `t`, whose rate has been found. The state at that moment is put
    /// into `middle`.
    pub(super) fn find_transition(&mut self, t: f64) -> Result<Option<Transition>, Stop> {
        let Some(contacts) = &self.mechanics.contacts else { return Ok(None) };
        if contacts.list.is_empty() {
            return Ok(None);
        }
        let at = |trouble| Stop::Trouble(trouble, t);
        let mut end = std::mem::take(&mut self.triggers);
        end.clear();
        self.mechanics.contact_triggers(&mut end);
        let open = self.mechanics.sticking_is_open();
        if open {
            let n = self.mechanics.n;
            let (q, v) = self.next[..2 * n].split_at(n);
            let holds = self.mechanics.still_sticks(t, q, v).map_err(at)?;
            self.answer_for_sticking(&mut end, holds);
        }
        let changes = end.iter().any(|trigger| *trigger < 0.0);
        self.triggers = end;
        if !changes {
            return Ok(None);
        }
        self.method.make_dense(&mut self.mechanics, &self.next, &self.next_rate).map_err(at)?;
        let (t0, h) = (self.t, t - self.t);
        let end = self.triggers.clone();
        let mut failure = None;
        let mut room = Vec::new();
        let theta = first_root(&end, |theta, out| {
            room.clear();
            match self.triggers_at(t0 + theta * h, theta, open, &mut room) {
                Ok(()) => out.clone_from(&room),
                Err(trouble) => failure = Some(trouble),
            }
            failure.is_none()
        });
        if let Some(trouble) = failure {
            return Err(Stop::Trouble(trouble, t));
        }
        let time = t0 + theta * h;
        room.clear();
        self.triggers_at(time, theta, open, &mut room).map_err(at)?;
        // At rest are those that hold, and those that slid until now.
        let contacts = self.mechanics.contacts.as_ref().map_or(&[][..], |contacts| &contacts.list);
        let mut resting = Vec::new();
        for (which, pair) in room.chunks_exact(2).enumerate() {
            if contacts[which].is_at_rest(pair[0]) {
                resting.push(which);
            }
        }
        Ok(Some(Transition { time, resting }))
    }

    /// Where reactions are not unique, the limits of single contacts say nothing: all of them hold, or do not.
    fn answer_for_sticking(&self, triggers: &mut [f64], holds: bool) {
        let contacts = self.mechanics.contacts.as_ref().map_or(&[][..], |contacts| &contacts.list);
        for (contact, pair) in contacts.iter().zip(triggers.chunks_exact_mut(2)) {
            if contact.sticks() {
                pair[0] = if holds { 1.0 } else { -1.0 };
            }
        }
    }

    /// How far contacts are from doing something else at a part of the last step; its state is left in `middle`.
    fn triggers_at(&mut self, t: f64, theta: f64, open: bool, out: &mut Vec<f64>) -> Result<(), Trouble> {
        let n = self.mechanics.n;
        self.method.interpolate(theta, &mut self.middle);
        let (q, v) = self.middle[..2 * n].split_at_mut(n);
        if self.plan.settings.drift == Drift::Projection {
            self.mechanics.project(Level::Position, t, q, v)?;
            self.mechanics.project(Level::Velocity, t, q, v)?;
        }
        self.mechanics.accelerate(t, q, v, false)?;
        self.mechanics.contact_triggers(out);
        if open {
            let holds = self.mechanics.still_sticks(t, q, v)?;
            self.answer_for_sticking(out, holds);
        }
        Ok(())
    }

    /// Goes on from a moment at which contacts change, which is the present one.
    pub(super) fn pass_transition(&mut self, transition: &Transition) -> Result<(), Stop> {
        let (n, t) = (self.mechanics.n, transition.time);
        let at = |trouble| Stop::Trouble(trouble, t);
        let before = self.contact_words();
        let touching = self.mechanics.one_sided_in_force();
        let (q, v) = self.y[..2 * n].split_at_mut(n);
        self.mechanics.decide_contacts(t, q, v, &transition.resting, &touching).map_err(at)?;
        let after = self.contact_words();
        let equations = self.mechanics.system.equations();
        for (which, (before, after)) in before.iter().zip(&after).enumerate() {
            if before != after || transition.resting.contains(&which) {
                let constraint = equations.model.frictions[equations.frictions[which].friction].constraint;
                let name = equations.model.constraints[constraint].name.clone();
                let turned = before == after && *after == "slides";
                let action = if turned { "turns" } else { after }.to_string();
                if before != after || turned {
                    self.events.push(EventRecord { time: t, name, action });
                }
            }
        }
        self.recent.retain(|time| t - time <= 1e-9 * self.plan.settings.until);
        self.recent.push(t);
        if self.recent.len() > CHATTER {
            return Err(Stop::Chatter(t));
        }
        self.mechanics.rate_deciding(t, &self.y, &mut self.rate).map_err(at)?;
        self.method.restart(&self.mechanics);
        self.begin_step(self.mechanics.linear.clearance());
        Ok(())
    }

    fn contact_words(&self) -> Vec<&'static str> {
        let contacts = self.mechanics.contacts.as_ref().map_or(&[][..], |contacts| &contacts.list);
        contacts.iter().map(|contact| contact.word()).collect()
    }
}
