//! Forces that jump along a run: seams that the motion reaches, slides along or leaves.
//!
//! A step towards such a seam is made with the forces of the side that it comes from, so that it is smooth and its end can be found. There
//! it is decided whether the motion goes on to the other side or is held (`filippov`), and forces take their branch from then on.

use super::mechanics::Reached;
use super::outcome::EventRecord;
use super::run::{Runner, Stop};
use super::seam::Branch;

impl Runner<'_> {
    /// Decides what the motion does at seams that the present state lies on, where it begins anew.
    pub(super) fn begin_on_seams(&mut self) -> Result<(), Stop> {
        let (n, t) = (self.mechanics.n, self.state.t);
        let before = self.held_seams();
        self.mechanics.take_own_branches();
        let (q, v) = self.state.y[..2 * n].split_at(n);
        let seams = self.mechanics.seams_at(t, q, v);
        let reached: Vec<Reached> =
            seams.into_iter().map(|seam| Reached { seam, to: None, is_released: false }).collect();
        if reached.is_empty() { Ok(()) } else { self.decide_seams(&reached, &before) }
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
    pub(super) fn pass_seams(&mut self, reached: &[Reached]) -> Result<(), Stop> {
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
        self.mechanics.seams.as_ref().map_or_else(Vec::new, |seams| seams.held().to_vec())
    }

    /// Decides, and writes down which seams hold that did not `before`, and which do no longer.
    fn decide_seams(&mut self, reached: &[Reached], before: &[usize]) -> Result<(), Stop> {
        let (n, t) = (self.mechanics.n, self.state.t);
        let (q, v) = self.state.y[..2 * n].split_at_mut(n);
        let decided = self.mechanics.decide_seams(t, q, v, reached);
        if let Err(seam) = decided.map_err(|trouble| Stop::Trouble(trouble, t))? {
            return Err(Stop::Said(Box::new(self.occasions.triggers.says_chatters(&self.mechanics, t, seam))));
        }
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
                self.told.diagnostics.push(note);
            }
            let action = if holds { "slides along it" } else { "leaves it" }.to_string();
            self.told.events.push(EventRecord { time: t, name, action });
        }
        Ok(())
    }
}
