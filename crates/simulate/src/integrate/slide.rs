//! Forces that jump along a run: seams that the motion reaches, slides along or leaves.
//!
//! A step towards such a seam is made with the forces of the side that it comes from, so that it is smooth and its end can be found. There
//! it is decided whether the motion goes on to the other side or is held (`filippov`), and forces take their branch from then on.

use super::mechanics::Reached;
use super::runner::{Runner, Stop};
use super::seam::Branch;

/// Rounds in which seams and contacts are decided in turns, until neither changes the other.
const ROUNDS: usize = 8;

impl Runner<'_> {
    /// Decides what the motion does at seams that the present state lies on, where it begins anew.
    pub(super) fn begin_on_seams(&mut self) -> Result<(), Stop> {
        if self.mechanics.seams.is_none() {
            return Ok(());
        }
        let before = self.held_seams();
        self.decide_seams_anew(&before)
    }

    /// Lets go of all seams, for velocities that may jump; those that held.
    pub(super) fn release_seams(&mut self) -> Vec<usize> {
        let before = self.held_seams();
        if !before.is_empty() {
            self.mechanics.release_seams();
        }
        before
    }

    /// Decides what the motion does at seams that the present state lies on, whatever it did `before`.
    pub(super) fn decide_seams_anew(&mut self, before: &[usize]) -> Result<(), Stop> {
        self.mechanics.take_own_branches();
        let reached = self.seams_here();
        if reached.is_empty() && before.is_empty() { Ok(()) } else { self.decide_seams(reached, before) }
    }

    /// The seams that the present state lies on.
    fn seams_here(&mut self) -> Vec<Reached> {
        let (n, t) = (self.mechanics.n, self.state.t);
        let (q, v) = self.state.y[..2 * n].split_at(n);
        let seams = self.mechanics.seams_at(t, q, v);
        seams.into_iter().map(|seam| Reached { seam, to: None, is_released: false }).collect()
    }

    /// Whether a step that failed is to be tried again as it is, with forces that no longer jump in it. Where its end is not known, it is
    /// what the rate at the start promises.
    pub(super) fn smooth_step(&mut self, length: f64, is_known: bool) -> bool {
        if self.mechanics.seams.is_none() {
            return false;
        }
        if !is_known {
            let ends = self.state.next.iter_mut().zip(self.state.y.iter().zip(&self.state.rate));
            ends.for_each(|(next, (y, rate))| *next = y + length * rate);
        }
        self.occasions.triggers.has_crossed(&mut self.mechanics, self.state.t + length, &self.state.next)
    }

    /// Goes on from a moment at which the motion reaches or leaves seams, which is the present one.
    pub(super) fn pass_seams(&mut self, reached: Vec<Reached>) -> Result<(), Stop> {
        let t = self.state.t;
        let before = self.held_seams();
        self.decide_seams(reached, &before)?;
        self.mechanics
            .rate_deciding(t, &self.state.y, &mut self.state.rate)
            .map_err(|trouble| Stop::Trouble(trouble, t))?;
        self.method.restart(&self.mechanics);
        self.begin_step(self.mechanics.linear.clearance());
        self.control.is_fresh = true;
        Ok(())
    }

    fn held_seams(&self) -> Vec<usize> {
        let count = self.mechanics.seams.as_ref().map_or(0, |seams| seams.len());
        (0..count).filter(|&seam| self.mechanics.branch(seam) == Branch::Held).collect()
    }

    /// Decides what the motion does at seams, and with them what contacts do; writes down which seams hold that did not `before`, and which
    /// do no longer.
    fn decide_seams(&mut self, mut reached: Vec<Reached>, before: &[usize]) -> Result<(), Stop> {
        let (n, t) = (self.mechanics.n, self.state.t);
        for _ in 0..ROUNDS {
            let (q, v) = self.state.y[..2 * n].split_at_mut(n);
            let decided = self.mechanics.decide_seams(t, q, v, &reached);
            if let Err(seam) = decided.map_err(|trouble| Stop::Trouble(trouble, t))? {
                return Err(self.chatters(seam));
            }
            if !self.contacts_follow()? {
                self.tell_seams(before);
                return Ok(());
            }
            reached = self.seams_here();
        }
        Err(self.chatters(reached.first().map_or(0, |one| one.seam)))
    }

    fn chatters(&self, seam: usize) -> Stop {
        Stop::Said(Box::new(self.occasions.triggers.says_chatters(&self.mechanics, self.state.t, seam)))
    }

    /// Decides anew what contacts do where that no longer fits, now that forces have jumped; whether something changed.
    fn contacts_follow(&mut self) -> Result<bool, Stop> {
        let (n, t) = (self.mechanics.n, self.state.t);
        let has_frictions = self.mechanics.contacts.as_ref().is_some_and(|contacts| !contacts.list.is_empty());
        if !has_frictions && self.occasions.sided.is_none() {
            return Ok(false);
        }
        let at = |trouble| Stop::Trouble(trouble, t);
        self.mechanics.rate_deciding(t, &self.state.y, &mut self.state.rate).map_err(at)?;
        if self.contacts_fit() {
            return Ok(false);
        }
        let (words, doing) = (self.contact_words(), self.mechanics.doing());
        let resting = self.mechanics.contacts_at_rest();
        if self.occasions.sided.is_some() {
            let became = self.meet(&[], &[])?;
            self.note_sides(&became);
        } else {
            let (q, v) = self.state.y[..2 * n].split_at_mut(n);
            self.mechanics.decide_contacts(t, q, v, &resting, &[]).map_err(at)?;
        }
        self.tell_contacts(&words, &[]);
        Ok(doing != self.mechanics.doing())
    }

    fn tell_seams(&mut self, before: &[usize]) {
        let t = self.state.t;
        let count = self.mechanics.seams.as_ref().map_or(0, |seams| seams.len());
        for seam in 0..count {
            let holds = self.mechanics.branch(seam) == Branch::Held;
            if holds == before.contains(&seam) {
                continue;
            }
            let (name, note) = self.occasions.triggers.says_slides(&self.mechanics, t, seam);
            if let Some(seams) = &mut self.mechanics.seams
                && !std::mem::replace(&mut seams.noted[seam], true)
            {
                self.told.diagnostics.push(note.when(t));
            }
            let action = if holds { "slides along it" } else { "leaves it" }.to_string();
            self.told.happened(t, name, action);
        }
    }
}
