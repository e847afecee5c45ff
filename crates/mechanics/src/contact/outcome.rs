//! From the forces at contacts back to the motion, and to what each contact does.

use super::law::LoadLine;
use super::response::dot;
use super::scene::{Feedback, Force, Scene};
use super::solver::{Answer, Mode};
use super::stage::{Decided, Does, Moment, Settled, Stage, Undone};
use holonom_kernel::motion::Motion;
use holonom_symbols::expr::Symbol;

/// What a combination of rows without effect makes of accelerations below this part of its terms is rounding.
const UNFELT: f64 = 1e-10;

impl Scene {
    /// What an answer says of each frictional contact: which, what it does, its load.
    pub(super) fn words(&self, answer: &Answer) -> Vec<(usize, Does, f64)> {
        let each = self.contacts.iter().enumerate();
        each.map(|(place, &which)| (which, self.does(place, answer), answer.normals[place])).collect()
    }

    fn does(&self, place: usize, answer: &Answer) -> Does {
        let components = self.slips[place].len();
        match &answer.modes[place] {
            Mode::Slides(along) => Does::Slides(along[..components].to_vec(), self.speeds[place]),
            Mode::Sticks => Does::Sticks(answer.forces[self.at[place]..self.at[place] + components].to_vec()),
            _ => Does::Rests,
        }
    }

    /// The motion where nothing depends on contacts.
    pub(super) fn without_contacts(self) -> Decided {
        Decided {
            motion: self.base,
            nonideal: self.constant,
            multipliers: self.multipliers,
            reactions: self.response.reactions,
            shared: Vec::new(),
            contacts: Vec::new(),
            pushing: Vec::new(),
            is_certain: true,
        }
    }

    /// The motion with the forces of an answer, split as the papers split it.
    pub(super) fn finish(
        &self,
        stage: &mut Stage,
        moment: &Moment,
        answer: &Answer,
        is_certain: bool,
    ) -> Result<Decided, Undone> {
        // Members of the problem are frictions first, then the other forces in order.
        let others = self.forces.iter().filter(|force| !matches!(force, Force::Friction(_)));
        let mut pushing: Vec<usize> = others
            .zip(&answer.modes[self.contacts.len()..])
            .filter_map(|(force, mode)| match force {
                Force::Push(row) if *mode == Mode::Pushes => Some(*row),
                _ => None,
            })
            .collect();
        pushing.sort_unstable();
        let mut reactions = self.response.reactions_under(&answer.forces);
        self.refuse_open_friction(stage, answer, &reactions)?;
        let pushed = pushing.iter().map(|&row| (stage.row(row), stage.dynamics.b()[row]));
        let split = self.split.clone().with_rows(pushed);
        let rows: Vec<usize> = stage.rows.iter().chain(&pushing).copied().collect();
        // C: what depends on nothing here, what slides, and what holds.
        let mut c = self.constant.clone();
        let mut held = Vec::new();
        for (k, force) in self.forces.iter().enumerate() {
            let direction = self.response.direction(k);
            match *force {
                Force::Friction(place) if matches!(answer.modes[place], Mode::Sticks) => {
                    held.push((direction.iter().copied(), self.holds[k]));
                }
                Force::Friction(_) | Force::Coordinate(_) => add(&mut c, answer.forces[k], direction),
                Force::Push(_) | Force::Share => {}
            }
        }
        let mut nonideal = c.clone();
        for (k, force) in self.forces.iter().enumerate() {
            if let Force::Friction(place) = *force
                && matches!(answer.modes[place], Mode::Sticks)
            {
                add(&mut nonideal, answer.forces[k], self.response.direction(k));
            }
        }
        let mut motion = split.motion(&mut stage.memory, &nonideal)?;
        let mut shared = Vec::new();
        if !held.is_empty() {
            // Rows that hold make the acceleration exact; how they share their load with others is open where they depend on them.
            let with_holds = split.with_rows(held.into_iter());
            let Motion { acceleration, free_directions, system_rank, .. } = with_holds.motion(&mut stage.memory, &c)?;
            (motion.acceleration, motion.free_directions, motion.system_rank) =
                (acceleration, free_directions, system_rank);
            let felt = |z: &&Vec<f64>| z[rows.len()..].iter().any(|x| *x != 0.0);
            let spread = |z: &Vec<f64>| {
                let mut over_all = vec![0.0; reactions.len()];
                rows.iter().zip(z).for_each(|(&row, x)| over_all[row] = *x);
                over_all
            };
            let open = with_holds.null_combinations(&mut stage.memory)?;
            shared = open.iter().filter(felt).map(spread).collect();
        }
        if shared.is_empty() && self.idle.is_empty() {
            rows.iter().zip(&motion.reactions).for_each(|(&row, x)| reactions[row] = *x);
        }
        let mut multipliers = self.multipliers.clone();
        rows.iter().zip(&motion.ideal_multipliers).for_each(|(&row, x)| multipliers[row] = *x);
        self.evaluate_laws(stage, moment, &reactions);
        let mut contacts = self.settled(stage, answer, &reactions, shared.is_empty() && !answer.is_shared);
        let is_negative = |contact: &&Settled| {
            [contact.force, contact.limit.unwrap_or(0.0)]
                .iter()
                .any(|force| LoadLine::is_negative(*force, contact.normal))
        };
        if let Some(contact) = contacts.iter().find(is_negative) {
            return Err(Undone::Negative(contact.which, contact.force.min(contact.limit.unwrap_or(0.0))));
        }
        for contact in &mut contacts {
            // Where a one-sided row touches and does not push, its friction does not hold either.
            let constraint = stage.touches.constraint(contact.which);
            let is_own =
                |row: &usize| stage.system.equations().rows[*row].constraint.is_some_and(|(own, _)| own == constraint);
            if moment.touching.iter().any(is_own) && !pushing.iter().any(is_own) {
                contact.does = Does::Rests;
            }
        }
        Ok(Decided { motion, nonideal, multipliers, reactions, shared, contacts, pushing, is_certain })
    }

    /// Friction that slides must not depend on how rows that repeat each other share their load.
    fn refuse_open_friction(&self, stage: &Stage, answer: &Answer, reactions: &[f64]) -> Result<(), Undone> {
        for z in &self.idle {
            let mut forces = vec![0.0; self.response.len()];
            for (place, &which) in self.contacts.iter().enumerate() {
                let Mode::Slides(along) = answer.modes[place] else { continue };
                let sign = if stage.touches.raw_normal(which, reactions) < 0.0 { -1.0 } else { 1.0 };
                let mut change = 0.0;
                stage.touches.load_slopes(which, sign, reactions, |row, slope| change += slope * z[row]);
                let coefficient = stage.touches.sliding(which).coefficient;
                for (component, along) in along[..self.slips[place].len()].iter().enumerate() {
                    forces[self.at[place] + component] = -coefficient * change * along;
                }
            }
            let feedback = Feedback { stage, constraints: &self.constraints };
            for (at, force) in self.forces.iter().enumerate() {
                if let Force::Coordinate(j) = *force {
                    forces[at] = feedback.on(j, reactions).1.iter().map(|&(row, x)| x * z[row]).sum();
                }
            }
            let size = forces.iter().fold(0.0, |size: f64, x| size.max(x.abs()));
            let felt = (0..self.response.len()).any(|l| {
                let terms = (0..forces.len()).map(|k| forces[k] * self.response.between(l, k));
                terms.clone().sum::<f64>().abs() > UNFELT * terms.map(f64::abs).sum::<f64>()
            });
            if size > 0.0 && felt {
                let rows = (0..z.len()).filter(|&row| z[row] != 0.0 && self.loads_hang_on(stage, row));
                return Err(Undone::NotUnique(rows.collect()));
            }
        }
        Ok(())
    }

    /// Whether some force at a contact depends on the reaction of a row.
    fn loads_hang_on(&self, stage: &Stage, row: usize) -> bool {
        let mut unit = vec![0.0; stage.system.rows()];
        unit[row] = 1.0;
        let by_part = |part: &crate::derive::NonidealTerm| {
            part.by_reaction.iter().any(|entry| entry.1 == row)
                || part
                    .nonlinear
                    .iter()
                    .any(|force| force.slopes.iter().any(|&(symbol, _)| symbol == Symbol::Reaction(row as u32)))
        };
        self.contacts.iter().any(|&which| self.felt_by(stage, which, &unit))
            || stage.system.equations().nonideal.iter().any(by_part)
    }

    fn settled(&self, stage: &Stage, answer: &Answer, reactions: &[f64], is_unique: bool) -> Vec<Settled> {
        let each = self.contacts.iter().enumerate();
        each.map(|(place, &which)| {
            let touches = &stage.touches;
            let normal = touches.load(which, reactions);
            let does = self.does(place, answer);
            let (does, force, limit, rests) = match does {
                // A law that cannot hold exerts nothing at rest: the contact waits there for something that moves it.
                Does::Sticks(_) if !touches.can_hold(which) => (does, 0.0, None, true),
                Does::Sticks(ref holding) => {
                    let (force, limit) = (dot(holding, holding).sqrt(), touches.limit(which).at(normal));
                    (does, force, Some(limit), true)
                }
                Does::Slides(_, speed) => (does, touches.sliding(which).at(normal), None, speed == 0.0),
                Does::Rests => (does, 0.0, None, true),
            };
            let slip = self.slips[place].clone();
            Settled { which, does, slip, normal, force, limit, determinate: is_unique || !rests }
        })
        .collect()
    }
}

fn add(sum: &mut [f64], factor: f64, of: &[(usize, f64)]) {
    of.iter().for_each(|&(j, x)| sum[j] += factor * x);
}
