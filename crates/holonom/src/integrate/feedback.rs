//! Forces that hang on the reactions which they change: friction that slides, and non-ideal parts written with reactions.
//!
//! Each is a channel: a direction in which it pushes and a law for how much, fₖ = Fₖ(λ). Reactions are linear in the pushes,
//! λ = λ₀ + Σ fₖ Λₖ, so with the factors at hand there is one small system for f; for Coulomb's law it is linear. Where it is
//! singular there is no answer, or more than one (Painlevé).

use super::contact::{Contacts, Mode};
use super::linear::Linear;
use crate::MotionError;
use crate::compile::{Inputs, Part, System, Values};
use crate::expr::Symbol;

const STEPS: usize = 40;

/// What pushes.
#[derive(Clone, Copy, Debug)]
enum Channel {
    /// A contact that slides.
    Friction(usize),
    /// The non-ideal parts of a coordinate.
    Coordinate(usize),
}

/// Room for the channels of a system.
#[derive(Clone, Default)]
pub(super) struct Feedback {
    channels: Vec<Channel>,
    /// Coordinates on which non-ideal parts push that hang on reactions.
    coordinates: Vec<usize>,
    /// One direction, one answer and its multipliers for each channel.
    directions: Vec<f64>,
    answers: Vec<f64>,
    multipliers: Vec<f64>,
    /// How much each pushes.
    forces: Vec<f64>,
    zeros: Vec<f64>,
    jacobian: Vec<f64>,
    residual: Vec<f64>,
    /// Reactions over all rows of the equations.
    reactions: Vec<f64>,
    slopes: Vec<f64>,
    /// The most that a unit of all pushes together changes one of them: below 1 there is no second answer, whatever the signs of loads.
    pub(super) reach: f64,
    /// No reaction on any row of the equations.
    pub(super) zero_reactions: Vec<f64>,
}

/// A state, and what is in force.
pub(super) struct Scene<'a> {
    pub(super) system: &'a System,
    pub(super) dynamics: &'a Values,
    pub(super) inputs: Inputs<'a>,
    /// The rows in force.
    pub(super) rows: &'a [usize],
    /// For each constraint, whether it is in force.
    pub(super) in_force: &'a [bool],
}

impl Feedback {
    pub(super) fn new(system: &System) -> Self {
        let equations = system.equations();
        let mut coordinates: Vec<usize> = Vec::new();
        for part in &equations.nonideal {
            coordinates.extend(part.by_reaction.iter().map(|entry| entry.0));
            coordinates.extend(part.nonlinear.iter().map(|force| force.coordinate));
        }
        coordinates.sort_unstable();
        coordinates.dedup();
        let over_rows = || vec![0.0; system.rows()];
        let (reactions, slopes, zero_reactions) = (over_rows(), over_rows(), over_rows());
        Self { coordinates, reactions, slopes, zero_reactions, ..Self::default() }
    }

    /// Finds how much every channel pushes, and adds that to C, to the acceleration and to the reactions, which are those
    /// without the channels. `total` is the number of rows, with those that hold what sticks.
    pub(super) fn settle(
        &mut self,
        scene: &Scene,
        contacts: &mut Contacts,
        linear: &mut Linear,
        acceleration: &mut [f64],
        reaction: &mut [f64],
        c: &mut [f64],
    ) -> Result<(), MotionError> {
        let (n, total) = (acceleration.len(), reaction.len());
        self.channels.clear();
        let sliding = contacts.list.iter().enumerate().filter(|(_, contact)| contact.mode == Mode::Slides);
        self.channels.extend(sliding.map(|(which, _)| Channel::Friction(which)));
        self.channels.extend(self.coordinates.iter().map(|&j| Channel::Coordinate(j)));
        let p = self.channels.len();
        self.directions.resize(p * n, 0.0);
        self.answers.resize(p * n, 0.0);
        self.multipliers.resize(p * total, 0.0);
        self.forces.resize(p, 0.0);
        self.jacobian.resize(p * p, 0.0);
        self.residual.resize(p, 0.0);
        self.zeros.resize(total, 0.0);
        for (k, channel) in self.channels.iter().enumerate() {
            let direction = &mut self.directions[k * n..(k + 1) * n];
            match *channel {
                Channel::Friction(which) => contacts.write_direction(which, direction),
                Channel::Coordinate(j) => {
                    direction.fill(0.0);
                    direction[j] = 1.0;
                }
            }
            let answer = &mut self.answers[k * n..(k + 1) * n];
            let multipliers = &mut self.multipliers[k * total..(k + 1) * total];
            linear.respond(direction, &self.zeros, answer, multipliers);
        }
        self.forces.fill(0.0);
        self.reach = 0.0;
        for step in 0..STEPS {
            self.spread(scene.rows, reaction, total);
            contacts.evaluate_laws(scene.system, &Inputs { reaction: &self.reactions, ..scene.inputs });
            let mut change: f64 = 0.0;
            let mut size: f64 = 0.0;
            for k in 0..p {
                let wanted = self.law(scene, contacts, k);
                self.residual[k] = wanted - self.forces[k];
                // 1 − ∂F/∂λ·Λ
                let mut reach = 0.0;
                for l in 0..p {
                    let multipliers = &self.multipliers[l * total..(l + 1) * total];
                    let along: f64 = scene.rows.iter().zip(multipliers).map(|(&row, x)| self.slopes[row] * x).sum();
                    self.jacobian[k * p + l] = f64::from(k == l) - along;
                    reach += along.abs();
                }
                self.reach = self.reach.max(reach);
                change = change.max(self.residual[k].abs());
                size = size.max(wanted.abs());
            }
            if change <= 1e-14 * size || change == 0.0 {
                break;
            }
            if step + 1 == STEPS || !solve(&mut self.jacobian, &mut self.residual, p) {
                return Err(MotionError::NoReaction);
            }
            self.forces.iter_mut().zip(&self.residual).for_each(|(f, d)| *f += d);
        }
        for (k, force) in self.forces.iter().enumerate() {
            let add = |out: &mut [f64], of: &[f64]| out.iter_mut().zip(of).for_each(|(x, y)| *x += force * y);
            add(acceleration, &self.answers[k * n..(k + 1) * n]);
            add(reaction, &self.multipliers[k * total..(k + 1) * total]);
            add(c, &self.directions[k * n..(k + 1) * n]);
        }
        self.forces.fill(0.0);
        self.spread(scene.rows, reaction, total);
        Ok(())
    }

    /// The reactions over all rows of the equations, with what the channels push now.
    fn spread(&mut self, rows: &[usize], reaction: &[f64], total: usize) {
        self.reactions.fill(0.0);
        for (place, &row) in rows.iter().enumerate() {
            let pushed = self.forces.iter().enumerate().map(|(k, f)| f * self.multipliers[k * total + place]);
            self.reactions[row] = reaction[place] + pushed.sum::<f64>();
        }
    }

    /// How much a channel should push, and in `slopes` the derivatives of that by reactions.
    fn law(&mut self, scene: &Scene, contacts: &Contacts, k: usize) -> f64 {
        self.slopes.fill(0.0);
        match self.channels[k] {
            Channel::Friction(which) => {
                let (force, by_normal) = contacts.force(which);
                let slopes = &mut self.slopes;
                contacts.normal_slopes(which, &self.reactions, |row, slope| slopes[row] += by_normal * slope);
                force
            }
            Channel::Coordinate(j) => {
                let equations = scene.system.equations();
                let mut linear = scene.dynamics.part(Part::ByReaction).iter();
                let (values, slopes) = contacts.nonlinear();
                let (mut values, mut slopes) = (values.iter(), slopes.iter());
                let mut force = 0.0;
                for part in &equations.nonideal {
                    let active = part.constraint.is_none_or(|constraint| scene.in_force[constraint]);
                    for (&(coordinate, row, _), value) in part.by_reaction.iter().zip(&mut linear) {
                        if active && coordinate == j {
                            force += value * self.reactions[row];
                            self.slopes[row] += value;
                        }
                    }
                    for (nonlinear, value) in part.nonlinear.iter().zip(&mut values) {
                        let mine = active && nonlinear.coordinate == j;
                        force += if mine { *value } else { 0.0 };
                        for (&(symbol, _), slope) in nonlinear.slopes.iter().zip(&mut slopes) {
                            if let (true, Symbol::Reaction(row)) = (mine, symbol) {
                                self.slopes[row as usize] += slope;
                            }
                        }
                    }
                }
                force
            }
        }
    }
}

/// Solves a small system in place, with partial pivoting; `false` where it is singular.
pub(super) fn solve(a: &mut [f64], x: &mut [f64], n: usize) -> bool {
    for k in 0..n {
        let mut pivot = k;
        for i in k + 1..n {
            if a[i * n + k].abs() > a[pivot * n + k].abs() {
                pivot = i;
            }
        }
        let size = (0..n).fold(1.0, |m: f64, j| m.max(a[pivot * n + j].abs()));
        if a[pivot * n + k].abs() <= 1e-10 * size || a[pivot * n + k].is_nan() {
            return false;
        }
        if pivot != k {
            (0..n).for_each(|j| a.swap(pivot * n + j, k * n + j));
            x.swap(pivot, k);
        }
        for i in k + 1..n {
            let factor = a[i * n + k] / a[k * n + k];
            for j in k..n {
                a[i * n + j] -= factor * a[k * n + j];
            }
            x[i] -= factor * x[k];
        }
    }
    for k in (0..n).rev() {
        for j in k + 1..n {
            x[k] -= a[k * n + j] * x[j];
        }
        x[k] /= a[k * n + k];
    }
    true
}

#[cfg(test)]
mod tests {
    use super::solve;

    #[test]
    fn small_systems() {
        let (mut a, mut x) = ([0.0, 2.0, 1.0, 1.0, 0.0, 3.0, 4.0, 1.0, 0.0], [7.0, 10.0, 6.0]);
        assert!(solve(&mut a, &mut x, 3));
        for (x, y) in x.iter().zip([1.0, 2.0, 3.0]) {
            assert!((x - y).abs() < 1e-14);
        }
        assert!(!solve(&mut [1.0, 2.0, 2.0, 4.0], &mut [1.0, 1.0], 2));
    }
}
