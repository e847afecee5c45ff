//! Seams at which forces jump and may hold the motion, among what may happen.

use super::Triggers;
use super::endless::{chatters, slides};
use super::source::Source;
use crate::integrate::filippov::Side;
use crate::integrate::mechanics::{Mechanics, Reached};
use crate::integrate::seam::Branch;
use holonom_language::Diagnostic;

impl Triggers {
    /// Makes a step of some length smooth that promises to cross a seam at which forces jump: those beyond may lead back, so that its end
    /// would not tell.
    pub(in crate::integrate) fn foresee(&self, mechanics: &mut Mechanics, length: f64) {
        let from = &self.search.from;
        for (i, side) in self.search.side.iter().enumerate() {
            if side * (from.values[i] + length * from.rates[i]) < 0.0 {
                self.smooth(mechanics, i);
            }
        }
    }

    /// The same for a step that failed and ends beyond such a seam: that may be all that was wrong with it. Says whether it did.
    pub(in crate::integrate) fn has_crossed(&mut self, mechanics: &mut Mechanics, t: f64, y: &[f64]) -> bool {
        let mut found = false;
        for i in 0..self.sources.len() {
            let is_jump = matches!(self.sources[i], Source::Jump(_));
            if is_jump && self.search.side[i] * self.evaluation.value(mechanics, t, y, i) < 0.0 {
                found |= self.smooth(mechanics, i);
            }
        }
        found
    }

    /// Lets forces that jump where a function vanishes take the branch of the side that it is on, across the seam; whether they did not before.
    pub(super) fn smooth(&self, mechanics: &mut Mechanics, i: usize) -> bool {
        let Source::Jump(seam) = self.sources[i] else { return false };
        let is_own = mechanics.branch(seam) == Branch::Own;
        if is_own {
            mechanics.take_branch(seam, Branch::Of(Side::of(self.search.side[i])));
        }
        is_own
    }

    /// Forces whose branch was held for a step that has left their seam take their own again.
    pub(in crate::integrate) fn leave_seams(&self, mechanics: &mut Mechanics) {
        let search = &self.search;
        for (i, source) in self.sources.iter().enumerate() {
            let Source::Jump(seam) = *source else { continue };
            if let Branch::Of(side) = mechanics.branch(seam)
                && search.floor[i] == 0.0
                && side.sign() * search.from.values[i] > 0.0
            {
                mechanics.take_branch(seam, Branch::Own);
            }
        }
    }

    /// The seams that the motion reaches or leaves at the present moment.
    pub(in crate::integrate) fn seams(&self, mechanics: &Mechanics) -> Vec<Reached> {
        let reached = |&i: &usize| match self.sources[i] {
            Source::Jump(seam) => {
                Some(Reached { seam, to: Some(Side::of(self.search.passes_to[i])), is_released: false })
            }
            Source::Hold(seam) => {
                let alpha = mechanics.seams.as_ref().and_then(|seams| seams.alpha(seam))?;
                Some(Reached { seam, to: Some(Side::of(alpha - 0.5)), is_released: true })
            }
            _ => None,
        };
        self.search.found.iter().filter_map(reached).collect()
    }

    /// The number of the function of a seam.
    fn function_of(&self, seam: usize) -> Option<usize> {
        self.sources.iter().position(|source| *source == Source::Jump(seam))
    }

    /// What is said of a seam for which no motion is known.
    pub(in crate::integrate) fn says_chatters(&self, mechanics: &Mechanics, t: f64, seam: usize) -> Diagnostic {
        chatters(mechanics, t, self.function_of(seam).unwrap_or(self.sources.len()))
    }

    /// The function of a seam, as it is written, and what is said when a motion begins to slide along it.
    pub(in crate::integrate) fn says_slides(&self, mechanics: &Mechanics, t: f64, seam: usize) -> (String, Diagnostic) {
        slides(mechanics, t, self.function_of(seam).unwrap_or(self.sources.len()), seam)
    }
}
