//! The motion with a C that depends on the reactions it changes: Newton's method around the kernel's feedback.
//!
//! Friction is −f(|slip|, normal) along the slip, and the normal force is the magnitude of something linear in the
//! reactions. For given signs that is linear, one solve; all signs are tried where there are few, and each answer must
//! have the signs it was made for. No answer, or two, is Painlevé's paradox.

use super::contact::{Branch, Nonideals, Touch};
use super::entries::Numbers;
use super::numbers::{Evaluator, Point, State};
use crate::expr::Symbol;
use crate::{Motion, MotionError, Snapshot, Workspace};

const STEPS: usize = 40;
/// Above this many contacts, signs are followed instead of all being tried.
const TRIED: usize = 6;

/// What a contact does.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Mode {
    /// Nothing.
    Loose,
    /// It slides along a unit vector, with a speed.
    Slides(Vec<f64>, f64),
    /// It holds.
    Sticks,
}

/// A motion and the C that goes with it.
#[derive(Clone, Debug)]
pub(super) struct Balance {
    pub(super) motion: Motion,
    pub(super) nonideal: Vec<f64>,
    /// Over all rows of the equations.
    pub(super) multipliers: Vec<f64>,
    pub(super) reactions: Vec<f64>,
    /// The force that each contact that sticks needs, by component.
    pub(super) holding: Vec<Vec<f64>>,
    /// Combinations of reactions, over all rows of the equations, that contacts that stick leave open.
    pub(super) shared: Vec<Vec<f64>>,
}

/// What came of looking for the motion.
#[derive(Debug)]
pub(super) enum Found {
    One(Box<Balance>),
    /// Friction and load have no answer together.
    None,
    /// … or more than one.
    Many(usize),
    /// The friction hangs on reactions of these rows of the equations, which are not unique.
    NotUnique(Vec<usize>),
    /// No mechanical system.
    Wrong(MotionError),
}

/// A system at one state, with its contacts.
pub(super) struct Scene<'a> {
    pub(super) evaluator: &'a Evaluator<'a>,
    pub(super) nonideals: &'a Nonideals,
    pub(super) state: &'a State,
    pub(super) numbers: &'a Numbers,
    pub(super) touches: &'a [Touch],
}

impl Scene<'_> {
    /// A and b with the rows that hold what sticks.
    pub(super) fn rows(&self, modes: &[Mode]) -> (Vec<f64>, Vec<f64>) {
        let (mut a, mut b) = (self.numbers.a.clone(), self.numbers.b.clone());
        for (touch, _) in self.touches.iter().zip(modes).filter(|(_, mode)| **mode == Mode::Sticks) {
            a.extend(&touch.directions);
            b.extend(&touch.hold);
        }
        (a, b)
    }

    /// The system with the rows of the model alone.
    pub(super) fn snapshot(&self) -> Snapshot<'_> {
        let numbers = self.numbers;
        Snapshot::new(&numbers.mass, &numbers.force).constrained(&numbers.a, &numbers.b)
    }

    /// What holds contacts that stick is a C of theirs, C = Dᵀh: splits the forces as for the same C written out.
    pub(super) fn split(&self, workspace: &mut Workspace, balance: &mut Balance) -> Result<(), MotionError> {
        let n = self.evaluator.coordinates();
        for (touch, holding) in self.touches.iter().zip(&balance.holding) {
            for (row, force) in touch.directions.chunks_exact(n.max(1)).zip(holding) {
                balance.nonideal.iter_mut().zip(row).for_each(|(c, d)| *c += d * force);
            }
        }
        let split = workspace.prepare(&self.snapshot())?.finish(&balance.nonideal)?;
        let motion = &mut balance.motion;
        motion.ideal_force.clone_from(&split.ideal_force);
        motion.nonideal_force.clone_from(&split.nonideal_force);
        motion.ideal_multipliers.clone_from(&split.ideal_multipliers);
        motion.reactions.clone_from(&split.reactions);
        motion.constraint_rank = split.constraint_rank;
        Ok(())
    }

    /// From rows in force to all rows of the equations.
    pub(super) fn spread(&self, values: &[f64]) -> Vec<f64> {
        self.evaluator.place.iter().map(|place| place.map_or(0.0, |at| values[at])).collect()
    }

    /// The forces that hold what sticks, from the reactions of the rows that were added.
    pub(super) fn holding(&self, modes: &[Mode], reactions: &[f64]) -> Vec<Vec<f64>> {
        let mut at = self.evaluator.rows.len();
        let sticks = self.touches.iter().zip(modes).map(|(touch, mode)| {
            if *mode != Mode::Sticks {
                return Vec::new();
            }
            at += touch.hold.len();
            reactions[at - touch.hold.len()..at].to_vec()
        });
        sticks.collect()
    }

    /// The motion with every contact in its mode.
    pub(super) fn solve(&self, workspace: &mut Workspace, modes: &[Mode]) -> Found {
        let contacts = &self.nonideals.contacts;
        let open: Vec<usize> = (0..contacts.len())
            .filter(|&i| matches!(modes[i], Mode::Slides(..)) && contacts[i].branches(self.evaluator).len() > 1)
            .collect();
        let mut branches = vec![Branch::Magnitude; contacts.len()];
        if open.len() > TRIED {
            return self.follow(workspace, modes, &open, branches);
        }
        let mut found: Vec<Balance> = Vec::new();
        for choice in 0..1usize << open.len() {
            for (bit, &i) in open.iter().enumerate() {
                branches[i] = contacts[i].branches(self.evaluator)[(choice >> bit) & 1];
            }
            match self.with_branches(workspace, modes, &branches) {
                Ok(Some(balance)) => {
                    let fits = open.iter().all(|&i| self.fits(i, branches[i], &balance));
                    if fits && found.iter().all(|other| differ(other, &balance)) {
                        found.push(balance);
                    }
                }
                Ok(None) | Err(MotionError::NoReaction) => {}
                Err(MotionError::ReactionNotUnique { rows }) => {
                    let known = rows.iter().filter_map(|&at| self.evaluator.rows.get(at).copied());
                    return Found::NotUnique(known.collect());
                }
                Err(error) => return Found::Wrong(error),
            }
        }
        match found.len() {
            0 => Found::None,
            1 => found.pop().map_or(Found::None, |one| Found::One(Box::new(one))),
            many => Found::Many(many),
        }
    }

    /// Signs as the last answer had them, until they stay.
    fn follow(&self, workspace: &mut Workspace, modes: &[Mode], open: &[usize], mut branches: Vec<Branch>) -> Found {
        open.iter().for_each(|&i| branches[i] = self.nonideals.contacts[i].branches(self.evaluator)[0]);
        for _ in 0..4 * open.len() {
            match self.with_branches(workspace, modes, &branches) {
                Ok(Some(balance)) => {
                    let wrong: Vec<usize> =
                        open.iter().copied().filter(|&i| !self.fits(i, branches[i], &balance)).collect();
                    if wrong.is_empty() {
                        return Found::One(Box::new(balance));
                    }
                    for i in wrong {
                        let ways = self.nonideals.contacts[i].branches(self.evaluator);
                        branches[i] = if branches[i] == ways[0] { ways[1] } else { ways[0] };
                    }
                }
                Ok(None) | Err(MotionError::NoReaction) => return Found::None,
                Err(MotionError::ReactionNotUnique { rows }) => {
                    let known = rows.iter().filter_map(|&at| self.evaluator.rows.get(at).copied());
                    return Found::NotUnique(known.collect());
                }
                Err(error) => return Found::Wrong(error),
            }
        }
        Found::None
    }

    /// Whether the normal force has the sign that it was taken with.
    fn fits(&self, i: usize, branch: Branch, balance: &Balance) -> bool {
        let point = self.point(&balance.multipliers, &balance.reactions);
        let (value, slopes) = self.nonideals.contacts[i].normal(self.evaluator, &self.touches[i], branch, &point);
        let size: f64 = slopes.iter().map(|&(row, x)| (x * balance.reactions[row]).abs()).sum();
        match branch {
            Branch::Magnitude => true,
            Branch::Positive | Branch::Negative => value >= -1e-10 * size,
            Branch::None => value <= 1e-10 * value.abs(),
        }
    }

    pub(super) fn point<'b>(&'b self, multipliers: &'b [f64], reactions: &'b [f64]) -> Point<'b> {
        Point { multipliers, reactions, ..self.state.point() }
    }

    /// Newton's method for signs that are given.
    fn with_branches(
        &self,
        workspace: &mut Workspace,
        modes: &[Mode],
        branches: &[Branch],
    ) -> Result<Option<Balance>, MotionError> {
        let (n, (a, b)) = (self.evaluator.coordinates(), self.rows(modes));
        let m = b.len();
        let snapshot = Snapshot::new(&self.numbers.mass, &self.numbers.force).constrained(&a, &b);
        // Ideal multipliers are those of the model: what sticks is no constraint of it.
        let ideal = workspace.prepare(&self.snapshot())?.ideal_multipliers().to_vec();
        let multipliers = self.spread(&ideal);
        let mut reactions = multipliers.clone();
        let (mut constant, mut feedback) = (vec![0.0; n], vec![0.0; n * m]);
        for _ in 0..STEPS {
            constant.fill(0.0);
            feedback.fill(0.0);
            self.linearise(modes, branches, &multipliers, &reactions, &mut constant, &mut feedback);
            let prepared = workspace.prepare(&snapshot)?;
            let (motion, nonideal) = if feedback.iter().all(|x| *x == 0.0) {
                (prepared.finish(&constant)?.clone(), constant.clone())
            } else {
                let (motion, nonideal) = prepared.finish_with_feedback(&constant, &feedback)?;
                (motion.clone(), nonideal.to_vec())
            };
            let next = self.spread(&motion.reactions);
            let size = next.iter().fold(0.0, |size: f64, x| size.max(x.abs()));
            let change = next.iter().zip(&reactions).fold(0.0, |change: f64, (x, y)| change.max((x - y).abs()));
            reactions = next;
            if change <= 1e-12 * size || change == 0.0 {
                let holding = self.holding(modes, &motion.reactions);
                let shared = Vec::new();
                return Ok(Some(Balance { motion, nonideal, multipliers, reactions, holding, shared }));
            }
        }
        Ok(None)
    }

    /// C = constant + feedback·λ near the reactions given.
    fn linearise(
        &self,
        modes: &[Mode],
        branches: &[Branch],
        multipliers: &[f64],
        reactions: &[f64],
        constant: &mut [f64],
        feedback: &mut [f64],
    ) {
        let evaluator = self.evaluator;
        let n = constant.len();
        let m = feedback.len() / n.max(1);
        let point = self.point(multipliers, reactions);
        let place = |row: usize| evaluator.place.get(row).copied().flatten();
        let at = |row: usize| reactions.get(row).copied().unwrap_or(0.0);
        for &part in &self.nonideals.parts {
            let nonideal = &evaluator.equations.nonideal[part];
            for (c, value) in constant.iter_mut().zip(evaluator.values(&nonideal.force, &point)) {
                *c += value;
            }
            for force in &nonideal.nonlinear {
                let j = force.coordinate;
                constant[j] += evaluator.value(force.value, &point);
                for &(symbol, slope) in &force.slopes {
                    let Symbol::Reaction(row) = symbol else { continue };
                    let Some(column) = place(row as usize) else { continue };
                    let slope = evaluator.value(slope, &point);
                    feedback[j * m + column] += slope;
                    constant[j] -= slope * at(row as usize);
                }
            }
            for &(j, row, coefficient) in &nonideal.by_multiplier {
                constant[j] += evaluator.value(coefficient, &point) * multipliers.get(row).copied().unwrap_or(0.0);
            }
            for &(j, row, coefficient) in &nonideal.by_reaction {
                if let Some(column) = place(row) {
                    feedback[j * m + column] += evaluator.value(coefficient, &point);
                }
            }
        }
        for (i, (contact, touch)) in self.nonideals.contacts.iter().zip(self.touches).enumerate() {
            let Mode::Slides(along, speed) = &modes[i] else { continue };
            let (normal, slopes) = contact.normal(evaluator, touch, branches[i], &point);
            // What the branch leaves out is no load at all.
            let normal = if branches[i] == Branch::None { 0.0 } else { normal };
            let (force, by_normal) = contact.force(evaluator, *speed, normal, &point);
            let slopes: Vec<(usize, f64)> =
                slopes.iter().filter_map(|&(row, x)| Some((row, place(row)?, x))).map(|(row, _, x)| (row, x)).collect();
            let zero = force - by_normal * slopes.iter().map(|&(row, x)| x * at(row)).sum::<f64>();
            for (component, along) in along.iter().enumerate() {
                for j in 0..n {
                    let d = -touch.directions[component * n + j] * along;
                    if d == 0.0 {
                        continue;
                    }
                    constant[j] += d * zero;
                    for &(row, x) in &slopes {
                        if let Some(column) = place(row) {
                            feedback[j * m + column] += d * by_normal * x;
                        }
                    }
                }
            }
        }
    }
}

fn differ(a: &Balance, b: &Balance) -> bool {
    let apart = |x: &[f64], y: &[f64]| {
        let size = x.iter().chain(y).fold(0.0, |size: f64, x| size.max(x.abs()));
        x.iter().zip(y).any(|(x, y)| (x - y).abs() > 1e-9 * size)
    };
    apart(&a.motion.acceleration, &b.motion.acceleration) || apart(&a.reactions, &b.reactions)
}
