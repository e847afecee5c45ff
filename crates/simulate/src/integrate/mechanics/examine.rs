//! What records and error control ask of a state: its forces, and how large they are.

use super::Mechanics;
use crate::integrate::principles::Numbers;
use crate::integrate::trouble::Trouble;
use holonom_kernel::MotionError;
use holonom_kernel::linalg::tolerance::DUST;
use holonom_symbols::expr::Depends;

impl Mechanics {
    /// Everything about a state for a record: with the kernel, so that redundant rows share their load as the papers say.
    pub(in crate::integrate) fn examine(&mut self, t: f64, q: &[f64], v: &[f64]) -> Result<(), Trouble> {
        self.find_forces(t, q, v).inspect_err(|_| self.seen.remember_failure(t, q, v))
    }

    fn find_forces(&mut self, t: f64, q: &[f64], v: &[f64]) -> Result<(), Trouble> {
        let coupled = self.contacts.is_some();
        if coupled {
            self.accelerate(t, q, v, false)?;
        } else {
            self.evaluate(t, q, v);
            if self.found.has_c {
                self.found.find_constant_c(&self.system, &self.in_force);
            }
            if self.slides() {
                self.factor_for_seams(false)?;
                self.settle_seams();
            }
        }
        let Self { linear, model, in_force, found, .. } = self;
        let c = (found.has_c || coupled).then_some(&found.c[..]);
        let linear = model.as_mut().unwrap_or(linear);
        let numbers = in_force.numbers_of_model(c);
        // A record may lie where rank is lost for a moment: it is decided for that record alone.
        let aside;
        let motion = match linear.solve(&numbers) {
            Err(Trouble::Motion(MotionError::HeldRankLost { .. })) => {
                let mut other = linear.clone();
                other.decide(&numbers)?;
                aside = other;
                aside.answer()
            }
            solved => {
                solved?;
                linear.answer()
            }
        };
        let m = in_force.rows.len();
        found.ideal[..m].copy_from_slice(motion.ideal);
        found.reaction[..m].copy_from_slice(motion.reactions);
        if !coupled {
            found.acceleration.copy_from_slice(motion.acceleration);
            self.pin_to_seams();
            self.prescribe_free(t, q, v)?;
        }
        Ok(())
    }

    /// Factors all rows by the kernel at the state that was examined last, where that was done for the rows in force alone.
    pub(in crate::integrate) fn factor_all(&mut self) -> Result<(), Trouble> {
        if self.model.is_some() {
            self.linear.factor_by_kernel(self.in_force.mass(), self.in_force.a())?;
        }
        Ok(())
    }

    /// The forces of the state that was examined last: ideal and non-ideal.
    pub(in crate::integrate) fn forces(&self) -> (&[f64], &[f64]) {
        let motion = self.model.as_ref().unwrap_or(&self.linear).answer();
        (motion.ideal_force, motion.nonideal_force)
    }

    /// M, Q, A, b and C of the model at the state that was examined last, every entry in its place.
    pub(in crate::integrate) fn full(&self) -> Numbers {
        let (n, in_force) = (self.n, &self.in_force);
        let mut mass = vec![0.0; n * n];
        if in_force.is_sparse() {
            for ((i, j, _), m) in self.system.equations().mass.lower().zip(in_force.mass()) {
                (mass[i * n + j], mass[j * n + i]) = (*m, *m);
            }
        } else {
            mass.copy_from_slice(&in_force.mass()[..n * n]);
        }
        let m = in_force.rows.len();
        let mut a = vec![0.0; m * n];
        for row in 0..m {
            in_force.shape.entries(row, in_force.a()).for_each(|(j, x)| a[row * n + j] = x);
        }
        let has_c = self.found.has_c || self.contacts.is_some();
        Numbers {
            mass,
            force: in_force.force().to_vec(),
            a,
            b: in_force.b[..m].to_vec(),
            c: if has_c { self.found.c.clone() } else { vec![0.0; n] },
            rows: in_force.rows.clone(),
        }
    }

    /// By coordinate, how far the acceleration at a state changes when the last digits of those entries of M do that turn with the state: angles
    /// that are nearly zero have none, and yet their sines and cosines are rounded. Nothing where that has no answer.
    pub(in crate::integrate) fn shaken_by_mass(
        &mut self,
        (t, q, v): (f64, &[f64], &[f64]),
        sign: impl Fn(usize) -> f64,
        mass: &mut Vec<f64>,
        out: &mut [f64],
    ) -> bool {
        self.evaluate(t, q, v);
        let Self { n, system, in_force, linear, found, .. } = self;
        let (x, lambda) = found.added.split_at_mut(*n);
        mass.clear();
        mass.extend_from_slice(in_force.mass());
        if linear.factor(mass, in_force.a()).is_err() {
            return false;
        }
        linear.respond(in_force.force(), &in_force.b, out, lambda);
        let equations = system.equations();
        for (place, (i, j, id)) in equations.mass.lower().enumerate() {
            if equations.graph.depends(id).on(Depends::POSITION) {
                let factor = 1.0 + sign(place) * f64::EPSILON;
                if in_force.is_sparse() {
                    mass[place] *= factor;
                } else {
                    mass[i * *n + j] *= factor;
                    mass[j * *n + i] = mass[i * *n + j];
                }
            }
        }
        if linear.factor(mass, in_force.a()).is_err() {
            return false;
        }
        linear.respond(in_force.force(), &in_force.b, x, lambda);
        out.iter_mut().zip(x).for_each(|(out, x)| *out = (*out - *x).abs());
        true
    }

    /// The masses of the coordinates, each by itself, and Q at the state that was evaluated last.
    pub(in crate::integrate) fn masses_and_force(&self) -> (Vec<f64>, &[f64]) {
        let mut masses = vec![0.0; self.n];
        self.in_force.write_masses(self.system.equations(), &mut masses);
        (masses, self.in_force.force())
    }

    /// The work that a force of the state that was evaluated last does where its coordinate moves by its size, or where it hardly moves by that
    /// of its kind: the largest.
    pub(in crate::integrate) fn natural_energy(&self) -> f64 {
        let size = |j: usize| match (self.sizes.peak(j), self.sizes.largest()[j]) {
            (own, kind) if own > DUST * kind => own,
            (_, kind) => kind,
        };
        let works = self.in_force.force().iter().enumerate().map(|(j, force)| (force * size(j)).abs());
        works.filter(|work| work.is_finite()).fold(0.0, f64::max)
    }

    /// By coordinate, how large the accelerations would be that impressed and ideal forces cause one by one, at the state that was evaluated last;
    /// `masses` is room.
    pub(in crate::integrate) fn drives(&self, out: &mut [f64], masses: &mut [f64]) {
        let Self { in_force, sizes, found, .. } = self;
        in_force.write_masses(self.system.equations(), masses);
        out.iter_mut().zip(in_force.force()).for_each(|(out, force)| *out = force.abs());
        let a = in_force.a();
        for (row, lambda) in found.ideal.iter().enumerate().take(in_force.rows.len()) {
            in_force.shape.entries(row, a).for_each(|(j, a)| out[j] += (a * lambda).abs());
        }
        for (out, mass) in out.iter_mut().zip(&*masses) {
            *out = if *mass > 0.0 { *out / mass } else { 0.0 };
        }
        // What has no mass follows others of its kind.
        for j in (0..self.n).filter(|&j| masses[j] <= 0.0) {
            let alike = (0..self.n).filter(|&i| sizes.alike(i) == sizes.alike(j));
            out[j] = alike.fold(0.0, |most: f64, i| most.max(out[i]));
        }
    }
}
