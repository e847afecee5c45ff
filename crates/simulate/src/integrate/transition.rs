//! Where friction changes: a contact that slides comes to rest or turns, one that holds gives way.
//!
//! Contacts are sources of `event`, which finds the first moment at which one of them changes. What contacts do from then on
//! is decided here, for all that are at rest together.

use super::contact::Contact;
use super::event::put_on_constraints;
use super::runner::{Runner, Stop};
use holonom_language::Drift;
use holonom_mechanics::contact::Undone;

/// Transitions within so small a time that they are one.
const CHATTER: usize = 200;
/// … as a part of the time of the run.
const INSTANT: f64 = 1e-9;
/// At its limit a contact may do either; what it does beyond is tried at such a part of the rest of the step, and at times
/// that are so much longer each.
const BEYOND: f64 = 1e-8;
const FURTHER: f64 = 10.0;

impl Runner<'_> {
    /// Goes on from a moment at which contacts change, which is the present one; the step that it was found in began at
    /// `before`, with the length `h`.
    pub(super) fn pass_transition(&mut self, before: f64, h: f64) -> Result<(), Stop> {
        let t = self.state.t;
        let at = |trouble| Stop::Trouble(trouble, t);
        let (closing, leaving) = self.occasions.triggers.sides();
        let closing = self.pass_grazes(closing);
        if !(closing.is_empty() && leaving.is_empty()) {
            return self.pass_sides(&closing, &leaving);
        }
        if self.occasions.triggers.found_gaps_alone() {
            return Ok(());
        }
        let reached = self.occasions.triggers.seams(&self.mechanics);
        if !reached.is_empty() {
            return self.pass_seams(reached);
        }
        let words = self.contact_words();
        let resting = self.resting_contacts();
        let touching = self.mechanics.one_sided_in_force();
        let at_limit = self.contacts_at_limit(&resting, &words);
        self.mechanics.stage().set_at_limit(&at_limit);
        let (q, v) = self.state.y[..2 * self.mechanics.n].split_at_mut(self.mechanics.n);
        self.mechanics.decide_contacts(t, q, v, &resting, &touching).map_err(at)?;
        self.decide_beyond(before, h, &resting, &at_limit)?;
        self.mechanics.stage().set_at_limit(&[]);
        self.tell_contacts(&words, &resting);
        self.occasions.recent.retain(|time| t - time <= INSTANT * self.plan.settings.until);
        self.occasions.recent.push(t);
        if self.occasions.recent.len() > CHATTER {
            return Err(Stop::Chatter(t));
        }
        self.begin_on_seams()?;
        self.mechanics.rate_deciding(t, &self.state.y, &mut self.state.rate).map_err(at)?;
        self.method.restart(&self.mechanics);
        self.begin_step(self.mechanics.linear.clearance());
        Ok(())
    }

    /// Contacts that are at rest now: those that hold, and those that slid until this moment.
    fn resting_contacts(&self) -> Vec<usize> {
        let contacts = self.mechanics.contacts.as_ref().map_or(&[][..], |contacts| &contacts.list);
        let is_resting = |&which: &usize| {
            let passed = if self.occasions.triggers.has_moved(which) { -1.0 } else { 1.0 };
            contacts[which].is_at_rest(passed)
        };
        (0..contacts.len()).filter(is_resting).collect()
    }

    /// Those at rest that have held until now and have come to their limit.
    fn contacts_at_limit(&self, resting: &[usize], words: &[&'static str]) -> Vec<usize> {
        let reaches_limit = |which: &usize| words[*which] == "sticks" && self.occasions.triggers.has_moved(*which);
        resting.iter().copied().filter(reaches_limit).collect()
    }

    /// A contact that is exactly at its limit still holds, for all that numbers tell: a little later in the step it does not,
    /// and what it does there it does from now on.
    fn decide_beyond(&mut self, before: f64, h: f64, resting: &[usize], at_limit: &[usize]) -> Result<(), Stop> {
        let n = self.mechanics.n;
        let all_hold = |words: &[&'static str]| at_limit.iter().all(|&which| words[which] == "sticks");
        if at_limit.is_empty() || !all_hold(&self.contact_words()) {
            return Ok(());
        }
        let (t, end) = (self.state.t, before + h);
        let mut part = BEYOND;
        while part < 1.0 {
            let time = t + part * (end - t);
            let at = |trouble| Stop::Trouble(trouble, time);
            self.method.interpolate((time - before) / h, &mut self.state.middle);
            if self.plan.settings.drift == Drift::Projection {
                put_on_constraints(&mut self.mechanics, time, &mut self.state.middle).map_err(at)?;
            }
            let (q, v) = self.state.middle[..2 * n].split_at_mut(n);
            let touching = self.mechanics.one_sided_in_force();
            self.mechanics.decide_contacts(time, q, v, resting, &touching).map_err(at)?;
            if !all_hold(&self.contact_words()) {
                break;
            }
            part *= FURTHER;
        }
        Ok(())
    }

    /// Writes down which contacts do something else than `before`; those that were `resting` and slide on have turned.
    pub(super) fn tell_contacts(&mut self, before: &[&'static str], resting: &[usize]) {
        let after = self.contact_words();
        let equations = self.mechanics.system.equations();
        for (which, (before, after)) in before.iter().zip(&after).enumerate() {
            let turned = before == after && *after == "slides" && resting.contains(&which);
            if before != after || turned {
                let constraint = equations.model.frictions[equations.frictions[which].friction].constraint;
                let name = equations.model.constraints[constraint].name.clone();
                let action = if turned { "turns" } else { after }.to_string();
                self.told.happened(self.state.t, name, action);
            }
        }
    }

    /// Whether contacts do what they were decided to do, at the present state and with the rate found last: what sticks is within its limit,
    /// what begins to slide does, rows that push do not pull, and rows that touch and do not push part.
    pub(super) fn contacts_fit(&mut self) -> bool {
        self.mechanics.contacts_fit() && self.open_rows_part()
    }

    /// Why the run ends where the law of a contact that slides has become negative at the present state.
    pub(super) fn negative_friction(&self) -> Option<Stop> {
        let contacts = self.mechanics.contacts.as_ref()?;
        let is_negative = |(_, contact): &(usize, &Contact)| contact.drives();
        let (which, contact) = contacts.list.iter().enumerate().find(is_negative)?;
        let (q, v) = self.state.y[..2 * self.mechanics.n].split_at(self.mechanics.n);
        let undone = Undone::Negative(which, contact.friction.0);
        Some(Stop::Trouble(self.mechanics.trouble_at(undone, self.state.t, q, v), self.state.t))
    }

    pub(super) fn contact_words(&self) -> Vec<&'static str> {
        let contacts = self.mechanics.contacts.as_ref().map_or(&[][..], |contacts| &contacts.list);
        contacts.iter().map(|contact| contact.word()).collect()
    }
}
