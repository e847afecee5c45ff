//! Forces that hang on the reactions which they change: friction that slides, and non-ideal parts written with reactions.
//!
//! Each is a channel: a direction in which it pushes and a law for how much, fₖ = Fₖ(λ). Reactions are linear in the pushes,
//! λ = λ₀ + Σ fₖ Λₖ, so with the factors at hand there is one small system for f; for Coulomb's law it is linear. Where it is
//! singular there is no answer, or more than one (Painlevé).
//!
//! Channels in parts of the system that do not act on each other have small systems of their own, and one answer of the kernel serves one
//! channel of each: a hundred blocks side by side take two answers, as one block does. Friction that changes no load is no channel: it
//! `follow`s.

mod follow;

use super::contact::{Contacts, Mode};
use super::linear::Linear;
use follow::Followers;
use holonom_kernel::MotionError;
use holonom_mechanics::compile::{CompiledSystem, GroupPart, Inputs, Values};
use holonom_mechanics::contact::Parts;
use holonom_symbols::expr::Symbol;
use std::ops::Range;

/// Steps of Newton's method before laws count as without an answer.
const STEPS: usize = 40;
/// Pushes that differ from what laws ask for by no more than this part of the largest have settled.
const SETTLED: f64 = 1e-14;

/// What pushes.
#[derive(Clone, Copy, Debug)]
enum Channel {
    /// A contact that slides, and changes loads.
    Friction(usize),
    /// The non-ideal parts of a coordinate.
    Coordinate(usize),
}

/// A coordinate that a channel pushes: the place of its friction among those of all contacts, and in `directions`.
#[derive(Clone, Copy, Debug)]
struct Pushed {
    channel: usize,
    coordinate: usize,
    push: usize,
    at: usize,
}

/// A coordinate that a channel moves, or a row that it loads, and the place of the answer.
#[derive(Clone, Copy, Debug)]
struct Felt {
    channel: usize,
    place: usize,
    at: usize,
}

/// Room for the channels of a system.
#[derive(Clone, Default)]
pub(super) struct Feedback {
    /// Channels in order of the parts of the system that they are in, and the channels of each part: what they push stays there.
    channels: Vec<Channel>,
    groups: Vec<Range<usize>>,
    /// Coordinates on which non-ideal parts push that hang on reactions.
    coordinates: Vec<usize>,
    /// The place of each row of the equations among those in force.
    place_of: Vec<Option<usize>>,
    /// One direction, one answer and its multipliers for the first channels of all groups, for the second ones, and so on.
    directions: Vec<f64>,
    answers: Vec<f64>,
    multipliers: Vec<f64>,
    /// Where these numbers are, and whose they are.
    pushed: Vec<Pushed>,
    moved: Vec<Felt>,
    loaded: Vec<Felt>,
    /// How much each channel pushes.
    forces: Vec<f64>,
    zeros: Vec<f64>,
    /// One matrix after the other, group by group.
    jacobian: Vec<f64>,
    residual: Vec<f64>,
    /// Reactions over all rows of the equations.
    reactions: Vec<f64>,
    /// The derivatives of a law by reactions: (row of the equations, derivative).
    slopes: Vec<(usize, f64)>,
    /// The most that a unit of all pushes together changes one of them: below 1 there is no second answer, whatever the signs of loads.
    pub(super) reach: f64,
    /// Contacts that slide and change no load.
    followers: Followers,
}

/// A state, and what is in force.
pub(super) struct Scene<'a> {
    pub(super) system: &'a CompiledSystem,
    pub(super) dynamics: &'a Values,
    pub(super) inputs: Inputs<'a>,
    /// The rows in force.
    pub(super) rows: &'a [usize],
    /// For each constraint, whether it is in force.
    pub(super) in_force: &'a [bool],
}

impl Feedback {
    pub(super) fn new(system: &CompiledSystem) -> Self {
        let equations = system.equations();
        let mut coordinates: Vec<usize> = Vec::new();
        for part in &equations.nonideal {
            coordinates.extend(part.by_reaction.iter().map(|entry| entry.0));
            coordinates.extend(part.nonlinear.iter().map(|force| force.coordinate));
        }
        coordinates.sort_unstable();
        coordinates.dedup();
        Self { coordinates, reactions: vec![0.0; system.rows()], ..Self::default() }
    }

    /// Makes room for what contacts do, with some rows in force and after them those that hold what sticks.
    pub(super) fn arrange(&mut self, system: &CompiledSystem, rows: &[usize], in_force: &[bool], contacts: &Contacts) {
        let (equations, n) = (system.equations(), system.coordinates());
        let acting = || contacts.list.iter().enumerate().filter(|(_, contact)| contact.mode != Mode::Loose);
        let parts =
            Parts::new(system, rows.iter().copied(), &contacts.touches, acting().map(|(which, _)| which), in_force);
        let columns = |row: usize| equations.rows[row].a.iter().map(|entry| entry.0);
        let part_of = |channel: &Channel| match *channel {
            Channel::Friction(which) => {
                let own = contacts.touches.coordinates(which).iter().map(|j| *j as usize);
                let bears = contacts.touches.load_rows(which).flat_map(columns);
                parts.of_first(own.chain(bears))
            }
            Channel::Coordinate(j) => parts.of(j).0,
        };
        self.followers.find(system, rows, in_force, contacts);
        let sliding = acting().filter(|(which, contact)| contact.slides() && !self.followers.contain(*which));
        self.channels = sliding.map(|(which, _)| Channel::Friction(which)).collect();
        self.channels.extend(self.coordinates.iter().map(|&j| Channel::Coordinate(j)));
        self.channels.sort_by_key(part_of);
        self.place_of = vec![None; system.rows()];
        let mut places: Vec<Vec<usize>> = vec![Vec::new(); parts.len()];
        for (place, &row) in rows.iter().enumerate() {
            self.place_of[row] = Some(place);
            places[parts.of_first(columns(row))].push(place);
        }
        let mut total = rows.len();
        for columns in contacts.stick_columns() {
            places[parts.of_first(columns.iter().map(|j| *j as usize))].push(total);
            total += 1;
        }
        (self.pushed, self.moved, self.loaded) = (Vec::new(), Vec::new(), Vec::new());
        self.groups.clear();
        let mut most = 0;
        for (channel, what) in self.channels.iter().enumerate() {
            let part = part_of(what);
            match self.groups.last_mut() {
                Some(group) if part == part_of(&self.channels[group.start]) => group.end = channel + 1,
                _ => self.groups.push(channel..channel + 1),
            }
            let turn = self.groups.last().map_or(0, |group| group.len() - 1);
            most = most.max(turn + 1);
            if let Channel::Friction(which) = *what {
                let first = contacts.push_at[which];
                let own = contacts.touches.coordinates(which).iter().map(|j| *j as usize).enumerate();
                let pushed = |(i, j)| Pushed { channel, coordinate: j, push: first + i, at: turn * n + j };
                self.pushed.extend(own.map(pushed));
            }
            let felt = |size: usize| move |&place: &usize| Felt { channel, place, at: turn * size + place };
            self.moved.extend(parts.coordinates(part).iter().map(felt(n)));
            self.loaded.extend(places[part].iter().map(felt(total)));
        }
        let resize = |list: &mut Vec<f64>, size: usize| {
            list.clear();
            list.resize(size, 0.0);
        };
        resize(&mut self.directions, most * n);
        resize(&mut self.answers, most * n);
        resize(&mut self.multipliers, most * total);
        resize(&mut self.forces, self.channels.len());
        resize(&mut self.residual, self.channels.len());
        resize(&mut self.jacobian, self.groups.iter().map(|group| group.len().pow(2)).sum());
        resize(&mut self.zeros, total);
        for group in &self.groups {
            for (turn, channel) in self.channels[group.clone()].iter().enumerate() {
                if let Channel::Coordinate(j) = *channel {
                    self.directions[turn * n + j] = 1.0;
                }
            }
        }
    }

    /// Finds how much every channel pushes, and adds that to C, to the acceleration and to the reactions, which are those
    /// without the channels.
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
        self.pushed.iter().for_each(|one| self.directions[one.at] = contacts.pushes[one.push]);
        for (turn, answer) in self.answers.chunks_exact_mut(n.max(1)).enumerate() {
            let direction = &self.directions[turn * n..(turn + 1) * n];
            let multipliers = &mut self.multipliers[turn * total..(turn + 1) * total];
            linear.respond(direction, &self.zeros, answer, multipliers);
        }
        self.forces.fill(0.0);
        self.reach = 0.0;
        for step in 0..STEPS {
            self.spread(scene.rows, reaction);
            if step > 0 {
                self.add_pushes(scene.rows);
            }
            contacts.evaluate_laws(scene.system, &Inputs { reaction: &self.reactions, ..scene.inputs });
            let (change, size) = self.compare(scene, contacts);
            let is_settled = change <= SETTLED * size || change == 0.0;
            if is_settled && step > 0 {
                break;
            }
            self.linearise(scene, contacts, total);
            if is_settled {
                break;
            }
            if step + 1 == STEPS || !self.correct() {
                return Err(MotionError::NoReaction);
            }
        }
        let Self { forces, answers, multipliers, .. } = self;
        self.moved.iter().for_each(|one| acceleration[one.place] += forces[one.channel] * answers[one.at]);
        self.loaded.iter().for_each(|one| reaction[one.place] += forces[one.channel] * multipliers[one.at]);
        self.pushed.iter().for_each(|one| c[one.coordinate] += forces[one.channel] * contacts.pushes[one.push]);
        for (channel, force) in self.channels.iter().zip(&*forces) {
            if let Channel::Coordinate(j) = *channel {
                c[j] += force;
            }
        }
        // Laws were evaluated last with the loads that are left now.
        self.followers.push(contacts, linear, &self.zeros, (acceleration, reaction, c));
        Ok(())
    }

    /// What laws ask of the channels beyond what they push, in `residual`: the largest of that, and the largest push that is asked for.
    fn compare(&mut self, scene: &Scene, contacts: &Contacts) -> (f64, f64) {
        let (mut change, mut size) = (0.0_f64, 0.0_f64);
        for k in 0..self.channels.len() {
            let wanted = match self.channels[k] {
                Channel::Friction(which) => contacts.list[which].friction.0,
                Channel::Coordinate(j) => self.nonideal(scene, contacts, j),
            };
            self.residual[k] = wanted - self.forces[k];
            change = change.max(self.residual[k].abs());
            size = size.max(wanted.abs());
        }
        (change, size)
    }

    /// 1 − ∂F/∂λ·Λ, in `jacobian`.
    fn linearise(&mut self, scene: &Scene, contacts: &Contacts, total: usize) {
        let mut at = 0;
        for g in 0..self.groups.len() {
            let group = self.groups[g].clone();
            for (i, k) in group.clone().enumerate() {
                if let (1, Channel::Friction(which)) = (group.len(), self.channels[k]) {
                    // Alone in its part, as most are.
                    let (mut along, by_normal) = (0.0, contacts.list[which].friction.1);
                    contacts.normal_slopes(which, &self.reactions, |row, slope| {
                        if let Some(place) = self.place_of[row] {
                            along += by_normal * slope * self.multipliers[place];
                        }
                    });
                    self.jacobian[at] = 1.0 - along;
                    self.reach = self.reach.max(along.abs());
                    at += 1;
                    continue;
                }
                self.find_slopes(scene, contacts, k);
                let mut reach = 0.0;
                for turn in 0..group.len() {
                    let multipliers = &self.multipliers[turn * total..(turn + 1) * total];
                    let places = self.slopes.iter().filter_map(|&(row, slope)| Some((self.place_of[row]?, slope)));
                    let along: f64 = places.map(|(place, slope)| slope * multipliers[place]).sum();
                    self.jacobian[at] = f64::from(i == turn) - along;
                    at += 1;
                    reach += along.abs();
                }
                self.reach = self.reach.max(reach);
            }
        }
    }

    /// A step of Newton's method, group by group; `false` where one is singular.
    fn correct(&mut self) -> bool {
        let mut at = 0;
        for group in &self.groups {
            let p = group.len();
            let residual = &mut self.residual[group.clone()];
            if !solve(&mut self.jacobian[at..at + p * p], residual, p) {
                return false;
            }
            self.forces[group.clone()].iter_mut().zip(residual).for_each(|(f, d)| *f += *d);
            at += p * p;
        }
        true
    }

    /// The reactions over all rows of the equations, without what the channels push.
    fn spread(&mut self, rows: &[usize], reaction: &[f64]) {
        if rows.len() < self.reactions.len() {
            self.reactions.fill(0.0);
        }
        rows.iter().zip(reaction).for_each(|(&row, reaction)| self.reactions[row] = *reaction);
    }

    /// Adds what they push now.
    fn add_pushes(&mut self, rows: &[usize]) {
        for one in &self.loaded {
            // Rows that hold what sticks come after those in force.
            if let Some(&row) = rows.get(one.place) {
                self.reactions[row] += self.forces[one.channel] * self.multipliers[one.at];
            }
        }
    }

    /// The derivatives by reactions of how much a channel should push, in `slopes`.
    fn find_slopes(&mut self, scene: &Scene, contacts: &Contacts, k: usize) {
        self.slopes.clear();
        match self.channels[k] {
            Channel::Friction(which) => {
                let by_normal = contacts.list[which].friction.1;
                let slopes = &mut self.slopes;
                contacts.normal_slopes(which, &self.reactions, |row, slope| slopes.push((row, by_normal * slope)));
            }
            Channel::Coordinate(j) => _ = self.nonideal(scene, contacts, j),
        }
    }

    /// How much the non-ideal parts of a coordinate should push; the derivatives of that by reactions in `slopes`.
    fn nonideal(&mut self, scene: &Scene, contacts: &Contacts, j: usize) -> f64 {
        self.slopes.clear();
        let equations = scene.system.equations();
        let mut linear = scene.dynamics.part(GroupPart::ByReaction).iter();
        let (values, slopes) = contacts.nonlinear();
        let (mut values, mut slopes) = (values.iter(), slopes.iter());
        let mut force = 0.0;
        for part in &equations.nonideal {
            let active = part.acts(scene.in_force.len(), |constraint| scene.in_force[constraint]);
            for (&(coordinate, row, _), value) in part.by_reaction.iter().zip(&mut linear) {
                if active && coordinate == j {
                    force += value * self.reactions[row];
                    self.slopes.push((row, *value));
                }
            }
            for (nonlinear, value) in part.nonlinear.iter().zip(&mut values) {
                let mine = active && nonlinear.coordinate == j;
                force += if mine { *value } else { 0.0 };
                for (&(symbol, _), slope) in nonlinear.slopes.iter().zip(&mut slopes) {
                    if let (true, Symbol::Reaction(row)) = (mine, symbol) {
                        self.slopes.push((row as usize, *slope));
                    }
                }
            }
        }
        force
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
