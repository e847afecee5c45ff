//! The acceleration at a state, by the factors at hand where they serve and by the kernel where they do not.

use super::Mechanics;
use super::found::Found;
use super::in_force::InForce;
use crate::integrate::feedback::Scene;
use crate::integrate::trouble::Trouble;
use holonom_kernel::MotionError;
use holonom_mechanics::compile::Inputs;

impl Mechanics {
    /// The acceleration at a state, with ranks held, or decided anew.
    pub(in crate::integrate) fn accelerate(
        &mut self,
        t: f64,
        q: &[f64],
        v: &[f64],
        decide: bool,
    ) -> Result<(), Trouble> {
        self.counts.evaluations += 1;
        self.evaluate(t, q, v);
        if self.contacts.is_some() {
            return self.accelerate_coupled(t, q, v, decide);
        }
        if self.found.has_c {
            self.found.find_constant_c(&self.system, &self.in_force);
        }
        let short = self.linear.try_short_way(self.in_force.mass(), self.in_force.a());
        if short && !(decide && self.linear.in_doubt()) {
            self.settle_seams();
            self.found.respond(&mut self.linear, &self.in_force);
            if self.found.has_c {
                self.found.add_c(&mut self.linear, &self.in_force);
            }
            self.pin_acceleration();
            self.pin_to_seams();
            let sum: f64 = self.found.acceleration.iter().sum();
            if sum.is_finite() {
                self.seen.watch(t, self.linear.clearance());
                return Ok(());
            }
            // Not a number: the kernel says which.
        }
        if self.slides() {
            self.factor_for_seams(decide)?;
            self.settle_seams();
        }
        let numbers = self.in_force.numbers(self.found.c());
        if decide {
            self.linear.decide(&numbers)?;
        } else {
            self.linear.solve(&numbers)?;
        }
        let motion = self.linear.answer();
        self.found.acceleration.copy_from_slice(motion.acceleration);
        self.found.ideal.copy_from_slice(motion.ideal);
        self.found.reaction.copy_from_slice(motion.reactions);
        self.pin_acceleration();
        self.pin_to_seams();
        self.seen.watch(t, self.linear.clearance());
        self.prescribe_free(t, q, v)
    }

    /// Factors by the kernel at the state that was evaluated, with ranks held or decided anew.
    pub(super) fn factor_for_seams(&mut self, decide: bool) -> Result<(), Trouble> {
        let Self { linear, in_force, .. } = self;
        match decide {
            true => linear.decide(&in_force.numbers(None)),
            false => linear.factor_by_kernel(in_force.mass(), in_force.a()),
        }
    }

    /// Adds what the model says of directions that nothing determines, after the kernel has found them.
    pub(super) fn prescribe_free(&mut self, t: f64, q: &[f64], v: &[f64]) -> Result<(), Trouble> {
        if let Some(free) = &mut self.free {
            let directions = self.linear.answer().free_directions;
            let inputs = Inputs { t, q, v, ..Inputs::default() };
            free.prescribe(&self.system, &inputs, directions, &mut self.found.acceleration)?;
        }
        Ok(())
    }

    /// The acceleration where forces hang on reactions.
    fn accelerate_coupled(&mut self, t: f64, q: &[f64], v: &[f64], decide: bool) -> Result<(), Trouble> {
        let Self { linear, in_force, .. } = self;
        let short = linear.try_short_way(in_force.mass(), in_force.a());
        if decide && (!short || linear.in_doubt()) {
            linear.decide(&in_force.numbers(None))?;
        } else if !short {
            linear.factor_by_kernel(in_force.mass(), in_force.a())?;
        }
        self.seen.watch(t, linear.clearance());
        match self.slides() {
            true => self.settle_seams_with_contacts(t, q, v, decide)?,
            false => self.answer_with_contacts(t, q, v, decide)?,
        }
        // What holds contacts is part of C: Dᵀh.
        let Self { in_force, found, .. } = self;
        let (m, a) = (in_force.rows.len(), in_force.a());
        for (row, force) in (m..in_force.total()).zip(&found.reaction[m..]) {
            in_force.shape.entries(row, a).for_each(|(j, d)| found.c[j] += d * force);
        }
        if !self.linear.is_short() {
            self.prescribe_free(t, q, v)?;
        }
        self.pin_acceleration();
        self.pin_to_seams();
        if are_finite(&self.found.acceleration) && are_finite(&self.found.reaction) {
            return Ok(());
        }
        // Not a number: the kernel says which.
        self.linear.solve(&self.in_force.numbers(Some(&self.found.c)))?;
        Err(Trouble::Motion(MotionError::OutOfRange))
    }

    /// What the forces of the state that was evaluated last cause, with the factors at hand: accelerations, reactions, and forces that hang on
    /// reactions.
    pub(super) fn answer_with_contacts(&mut self, t: f64, q: &[f64], v: &[f64], decide: bool) -> Result<(), Trouble> {
        self.found.respond(&mut self.linear, &self.in_force);
        // Otherwise they are asked for at the ends of steps alone.
        if decide || self.works.need_ideal {
            self.find_ideal()?;
        }
        if self.found.has_c {
            self.found.find_constant_c(&self.system, &self.in_force);
            self.found.add_c(&mut self.linear, &self.in_force);
        } else {
            self.found.c.fill(0.0);
        }
        let Self { system, in_force, contacts, feedback, linear, found, .. } = self;
        let Found { acceleration, reaction, multipliers, c, .. } = found;
        if let Some(contacts) = contacts {
            let InForce { dynamics, rows, constraints, .. } = in_force;
            let inputs = Inputs { t, q, v, multiplier: multipliers, ..Inputs::default() };
            let scene = Scene { system, dynamics, inputs, rows, in_force: constraints };
            feedback.settle(&scene, contacts, linear, acceleration, reaction, c)?;
        }
        Ok(())
    }

    /// The multipliers that the rows in force would have if all were ideal: without those that hold contacts.
    fn find_ideal(&mut self) -> Result<(), Trouble> {
        let Self { n, in_force, model, found, .. } = self;
        if let Some(model) = model {
            let numbers = in_force.numbers_of_model(None);
            if !model.try_short_way(numbers.mass, numbers.a) {
                model.decide(&numbers)?;
            }
            let (x, _) = found.added.split_at_mut(*n);
            model.respond(numbers.force, numbers.b, x, &mut found.ideal[..in_force.rows.len()]);
        }
        found.spread_ideal(&in_force.rows);
        Ok(())
    }
}

/// Whether numbers are finite, and so are their sums: several at once, since each term has to wait for the one before it.
fn are_finite(numbers: &[f64]) -> bool {
    let mut sums = [0.0; 8];
    let chunks = numbers.chunks_exact(sums.len());
    let rest: f64 = chunks.remainder().iter().sum();
    chunks.for_each(|chunk| sums.iter_mut().zip(chunk).for_each(|(sum, x)| *sum += x));
    (sums.iter().sum::<f64>() + rest).is_finite()
}
