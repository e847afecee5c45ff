//! Seams that forces hold the motion at: what keeps it there, and which of them do.

use super::Mechanics;
use crate::integrate::filippov::{Does, Problem, Side, decide};
use crate::integrate::reading::Reading;
use crate::integrate::seam::{Branch, Seams};
use crate::integrate::trouble::Trouble;
use holonom_mechanics::compile::Inputs;

/// A force is at the end of its jump where it lies beyond by more than this part of the jump: less may be rounding. The moment that is
/// found is that of the end itself.
const AT_END: f64 = 1e-10;
/// Corrections of velocities that bring them on to the seams, to the last digit.
const CORRECTIONS: usize = 3;

/// A seam that a state lies on.
#[derive(Clone, Copy, Debug)]
pub(in crate::integrate) struct Reached {
    pub(in crate::integrate) seam: usize,
    /// The side that the motion would go on to, where it comes from the other.
    pub(in crate::integrate) to: Option<Side>,
    /// Whether it held until now, and its force has come to the end of its jump on that side.
    pub(in crate::integrate) is_released: bool,
}

impl Mechanics {
    /// Whether forces hold the motion at some seam.
    pub(in crate::integrate) fn slides(&self) -> bool {
        self.seams.as_ref().is_some_and(|seams| !seams.held().is_empty())
    }

    /// The branch that the forces of a seam take.
    pub(in crate::integrate) fn branch(&self, seam: usize) -> Branch {
        self.seams.as_ref().map_or(Branch::Own, |seams| seams.branch(seam))
    }

    /// Lets the forces of a seam take a branch.
    pub(in crate::integrate) fn take_branch(&mut self, seam: usize, branch: Branch) {
        if let Some(seams) = &mut self.seams {
            let mut branches = seams.branches().to_vec();
            branches[seam] = branch;
            seams.take(branches, &self.system);
        }
    }

    /// All forces take the branch of the state.
    pub(in crate::integrate) fn take_own_branches(&mut self) {
        if let Some(seams) = &mut self.seams {
            let own = vec![Branch::Own; seams.len()];
            seams.take(own, &self.system);
        }
    }

    /// Q at a state, where forces that jump do not take the branch of the state: those of seams that hold are where they were last.
    pub(in crate::integrate) fn forces_at_seams(&mut self, t: f64, q: &[f64], v: &[f64]) -> Option<Vec<f64>> {
        self.seams.as_ref().filter(|seams| !seams.are_own())?;
        self.evaluate(t, q, v);
        self.seams.as_ref()?.add_forces(self.in_force.dynamics.force_mut());
        Some(self.in_force.force().to_vec())
    }

    /// Forces no longer hold the motion at any seam, and stay where they are between their values: velocities may jump.
    pub(in crate::integrate) fn release_seams(&mut self) {
        if let Some(seams) = &mut self.seams {
            let release = |branch: &Branch| if *branch == Branch::Held { Branch::Idle } else { *branch };
            let branches = seams.branches().iter().map(release).collect();
            seams.take(branches, &self.system);
        }
    }

    /// The seams that a state lies on.
    pub(in crate::integrate) fn seams_at(&mut self, t: f64, q: &[f64], v: &[f64]) -> Vec<usize> {
        let Some(seams) = &mut self.seams else { return Vec::new() };
        seams.at_zero(&self.system, &Inputs { t, q, v, ..Inputs::default() }, &self.sizes.kind()[self.n..])
    }

    /// Decides what the motion does at seams that a state lies on, together with those that hold already, and goes by that from now on:
    /// velocities are put on the seams that hold. Or names a seam for which that cannot be decided.
    pub(in crate::integrate) fn decide_seams(
        &mut self,
        t: f64,
        q: &[f64],
        v: &mut [f64],
        reached: &[Reached],
    ) -> Result<Result<(), usize>, Trouble> {
        let mut branches = self.seams.as_ref().map_or_else(Vec::new, |seams| seams.branches().to_vec());
        reached.iter().for_each(|one| branches[one.seam] = Branch::Held);
        self.try_branches(&branches, t, q, v)?;
        // What does not lead back is passed, unless something else holds it there.
        let Some(seams) = &self.seams else { return Ok(Ok(())) };
        for (place, &seam) in seams.held().iter().enumerate() {
            let one = reached.iter().find(|one| one.seam == seam);
            if seams.attracts(place) || one.is_some_and(|one| one.is_released) {
                continue;
            }
            let middle = seams.middle_rate(place);
            branches[seam] = match one.and_then(|one| one.to) {
                _ if seams.is_held_otherwise(place) => Branch::Idle,
                Some(to) => Branch::Of(to),
                None if middle != 0.0 => Branch::Of(Side::of(middle)),
                None => Branch::Own,
            };
        }
        self.try_branches(&branches, t, q, v)?;
        let inputs = Inputs { t, q, v, ..Inputs::default() };
        let Some(seams) = &mut self.seams else { return Ok(Ok(())) };
        let held = seams.held().to_vec();
        if held.len() > 1 && seams.are_entangled(&self.system, &inputs) {
            return Ok(Err(held[0]));
        }
        let released = |seam: &usize| {
            let one = reached.iter().find(|one| one.seam == *seam && one.is_released);
            one.and_then(|one| one.to)
        };
        // Those whose force changes nothing are not asked.
        let asked: Vec<usize> = (0..held.len()).filter(|&place| branches[held[place]] == Branch::Held).collect();
        let held: Vec<usize> = asked.iter().map(|&place| held[place]).collect();
        let leaving: Vec<Option<Side>> = held.iter().map(released).collect();
        let none = vec![None; held.len()];
        let (rates, answers, sizes) = seams.problem(&asked);
        let moves = seams.answers_of(&asked);
        let problem = |leaving| Problem { rates: &rates, answers: &answers, sizes: &sizes, moves: &moves, leaving };
        let does = match decide(&problem(&leaving)).or_else(|_| decide(&problem(&none))) {
            Ok(does) => does,
            Err(place) => return Ok(Err(held[place])),
        };
        for (&seam, does) in held.iter().zip(does) {
            branches[seam] = match does {
                Does::Holds => Branch::Held,
                Does::Leaves(side) => Branch::Of(side),
            };
        }
        self.try_branches(&branches, t, q, v)?;
        self.hold_seams(t, q, v);
        Ok(Ok(()))
    }

    /// Takes branches, and finds the acceleration with them.
    fn try_branches(&mut self, branches: &[Branch], t: f64, q: &[f64], v: &[f64]) -> Result<(), Trouble> {
        if let Some(seams) = &mut self.seams {
            seams.take(branches.to_vec(), &self.system);
        }
        self.accelerate(t, q, v, true)?;
        let (masses, force) = self.masses_and_force();
        let force = force.to_vec();
        if let Some(seams) = &mut self.seams {
            seams.measure(&force, &masses);
        }
        Ok(())
    }

    /// Finds where the forces of seams that hold are between their values, with the factors of the state that was evaluated last, and
    /// writes them into Q.
    pub(super) fn settle_seams(&mut self) {
        let Some(seams) = self.seams.as_mut().filter(|seams| !seams.held().is_empty()) else { return };
        let n = self.n;
        let (x, lambda) = self.found.added.split_at_mut(n);
        seams.write_below(self.in_force.dynamics.force_mut());
        self.linear.respond(self.in_force.force(), &self.in_force.b, x, lambda);
        if self.found.has_c {
            self.linear.respond(&self.found.c, self.in_force.no_right(), &mut self.found.room, lambda);
            x.iter_mut().zip(&self.found.room).for_each(|(x, change)| *x += change);
        }
        seams.find_rates(x);
        for place in 0..seams.held().len() {
            seams.write_direction(place);
            let holding = &mut seams.holding;
            let answer = &mut holding.answers[place * n..(place + 1) * n];
            self.linear.respond(&holding.direction, self.in_force.no_right(), answer, lambda);
        }
        seams.find_matrix();
        seams.find_alphas();
        seams.add_forces(self.in_force.dynamics.force_mut());
    }

    /// The same where forces hang on reactions: they change with what seams do, and are asked for each of it.
    pub(super) fn settle_seams_with_contacts(
        &mut self,
        t: f64,
        q: &[f64],
        v: &[f64],
        decide: bool,
    ) -> Result<(), Trouble> {
        let Some(mut seams) = self.seams.take() else { return Ok(()) };
        let settled = self.find_seams_with_contacts(&mut seams, t, q, v, decide);
        self.seams = Some(seams);
        settled
    }

    fn find_seams_with_contacts(
        &mut self,
        seams: &mut Seams,
        t: f64,
        q: &[f64],
        v: &[f64],
        decide: bool,
    ) -> Result<(), Trouble> {
        seams.write_below(self.in_force.dynamics.force_mut());
        self.answer_with_contacts(t, q, v, decide)?;
        seams.take_base(&self.found.acceleration, &self.found.reaction);
        let first = self.in_force.rows.len();
        for place in 0..seams.held().len() {
            seams.write_below(self.in_force.dynamics.force_mut());
            seams.add_change(place, self.in_force.dynamics.force_mut());
            self.answer_with_contacts(t, q, v, decide)?;
            seams.take_answer(place, &self.found.acceleration, &self.found.reaction, first);
        }
        seams.find_matrix();
        seams.find_alphas();
        seams.write_below(self.in_force.dynamics.force_mut());
        seams.add_forces(self.in_force.dynamics.force_mut());
        // Laws that are not straight lines of their load take some rounds.
        for round in 0..=CORRECTIONS {
            self.answer_with_contacts(t, q, v, decide)?;
            let is_last = round == CORRECTIONS;
            if is_last || (seams.correct_alphas(&self.found.acceleration) && !seams.ease(&self.found.reaction)) {
                break;
            }
            seams.write_below(self.in_force.dynamics.force_mut());
            seams.add_forces(self.in_force.dynamics.force_mut());
        }
        Ok(())
    }

    /// Puts velocities on the seams that hold.
    pub(super) fn hold_seams(&mut self, t: f64, q: &[f64], v: &mut [f64]) {
        let Some(seams) = self.seams.as_mut().filter(|seams| !seams.held().is_empty()) else { return };
        let mut before = f64::INFINITY;
        for _ in 0..CORRECTIONS {
            seams.look(&Inputs { t, q, v, ..Inputs::default() });
            let off = seams.correct(v);
            if off == 0.0 || off > 0.5 * before {
                break;
            }
            before = off;
        }
        seams.look(&Inputs { t, q, v, ..Inputs::default() });
        seams.pin_velocity(v);
    }

    /// What seams of a single velocity hold does not accelerate at all, not even by rounding.
    pub(super) fn pin_to_seams(&mut self) {
        if let Some(seams) = &self.seams {
            seams.pin_acceleration(&mut self.found.acceleration);
        }
    }

    /// How far the force of each seam that holds is from the ends of its jump, as a part of it: negative beyond them.
    pub(super) fn seam_triggers(&self, each: impl FnMut(Reading)) {
        let Some(seams) = &self.seams else { return };
        let reading = |seam| match seams.alpha(seam) {
            Some(alpha) => Reading { value: alpha.min(1.0 - alpha), rate: f64::NAN, noise: AT_END },
            None => Reading::fixed(1.0),
        };
        (0..seams.len()).map(reading).for_each(each);
    }
}
