//! From a state to what its contacts do: the question that callers ask, and the answer that they get.

use super::parts::Parts;
use super::scene::Scene;
use super::solver::{Answer, Verdict};
use super::split::Split;
use super::touch::Touches;
use crate::compile::runs_sparse;
use crate::compile::{CompiledSystem, Group, RowLayout, Values};
use holonom_kernel::motion::{Motion, MotionError, Workspace};
use std::sync::Arc;

/// Decides what the contacts of a system do, with some rows in force. It owns its memory; nothing is compiled in a query.
#[derive(Clone)]
pub struct Stage {
    pub(super) system: CompiledSystem,
    /// The rows in force, by their number among those of the equations.
    pub(super) rows: Vec<usize>,
    /// The frictional contacts whose constraint is in force or may come into force.
    pub(super) touches: Touches,
    pub(super) dynamics: Values,
    /// Where the rows of the equations stand among `dynamics`.
    given: RowLayout,
    /// One for each part of the system.
    pub(super) memory: Vec<Workspace>,
    /// How fast coordinates usually are: what is slow beside that may be rounding of it.
    pub(super) speeds: Vec<f64>,
    /// Contacts that have come to the limit with which they hold.
    at_limit: Vec<usize>,
}

/// A state, and what is known of it.
#[derive(Clone, Copy)]
pub struct Moment<'a> {
    /// Time.
    pub t: f64,
    /// Positions.
    pub q: &'a [f64],
    /// Velocities.
    pub v: &'a [f64],
    /// Contacts that do not slip, whatever rounding says.
    pub resting: &'a [usize],
    /// One-sided rows that touch and neither part nor approach.
    pub touching: &'a [usize],
    /// Q, where it is not that of the state: at a seam at which forces jump it may lie between two values.
    pub force: Option<&'a [f64]>,
}

/// What a frictional contact does.
#[derive(Clone, Debug, PartialEq)]
pub enum Does {
    /// It is at rest, and its law exerts nothing there.
    Rests,
    /// It slides along a unit vector with a speed; with speed 0 it begins to.
    Slides(Vec<f64>, f64),
    /// It holds, with these forces by component.
    Sticks(Vec<f64>),
}

/// A frictional contact, decided.
#[derive(Clone, Debug)]
pub struct Settled {
    /// Which contact of the equations.
    pub which: usize,
    /// What it does.
    pub does: Does,
    /// Its velocity of slip, by component.
    pub slip: Vec<f64>,
    /// Its load.
    pub normal: f64,
    /// The magnitude of the friction, and the largest with which it can hold where it sticks; none where its law cannot hold.
    pub force: f64,
    /// The largest friction at rest.
    pub limit: Option<f64>,
    /// Whether load and friction are unique.
    pub determinate: bool,
}

/// The motion at a state, contacts decided.
#[derive(Clone, Debug)]
pub struct Decided {
    /// Over the rows in force, then those that push.
    pub motion: Motion,
    /// C.
    pub nonideal: Vec<f64>,
    /// λᵢ and λ over all rows of the equations.
    pub multipliers: Vec<f64>,
    /// λ over all rows of the equations.
    pub reactions: Vec<f64>,
    /// Combinations of reactions, over all rows of the equations, that contacts that stick leave open.
    pub shared: Vec<Vec<f64>>,
    /// What each contact does.
    pub contacts: Vec<Settled>,
    /// One-sided rows that push.
    pub pushing: Vec<usize>,
    /// Whether it is known that no other motion fits.
    pub is_certain: bool,
}

/// Why there is no motion.
#[derive(Clone, Debug)]
pub enum Undone {
    /// Numbers that describe no mechanical system.
    Wrong(MotionError),
    /// It is proved that no forces at contacts fit their laws.
    None,
    /// More than one motion fits: for each, what contacts do and their loads.
    Several(Vec<Vec<(usize, Does, f64)>>),
    /// The law of a contact makes its friction negative: which, and the friction.
    Negative(usize, f64),
    /// Sliding friction depends on reactions of these rows of the equations, which are not unique.
    NotUnique(Vec<usize>),
    /// Nothing was found, and nothing proved.
    Undecided,
}

impl std::fmt::Display for Undone {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Wrong(error) => error.fmt(f),
            Self::None => f.write_str("no load fits the friction that it would cause (Painlevé's paradox)"),
            Self::Several(answers) => {
                write!(f, "{} motions fit the friction that they would cause (Painlevé's paradox)", answers.len())
            }
            Self::Negative(_, force) => write!(f, "a law makes friction negative: {force}"),
            Self::NotUnique(_) => f.write_str("sliding friction depends on reactions that are not unique"),
            Self::Undecided => f.write_str("no motion was found that fits the friction, and none was excluded"),
        }
    }
}

impl From<MotionError> for Undone {
    fn from(error: MotionError) -> Self {
        Self::Wrong(error)
    }
}

impl Stage {
    /// For a system with some active rows.
    pub fn new(system: &CompiledSystem, rows: Vec<usize>) -> Self {
        let (group, given) = match runs_sparse(system) {
            true => (Group::Sparse, RowLayout::sparse(system.equations(), 0..system.rows())),
            false => (Group::Dynamics, RowLayout::dense(system.coordinates())),
        };
        system.compile(group);
        Self {
            rows,
            touches: Touches::new(system),
            dynamics: system.values(group),
            given,
            memory: Vec::new(),
            speeds: vec![0.0; system.coordinates()],
            at_limit: Vec::new(),
            system: system.clone(),
        }
    }

    /// How fast coordinates usually are.
    pub fn set_speeds(&mut self, speeds: &[f64]) {
        self.speeds.copy_from_slice(speeds);
    }

    /// Says which contacts have just come to the limit with which they hold. Where several motions fit, since a contact that slides exerts less
    /// than one that holds, these slide: the others had no reason to.
    pub fn set_at_limit(&mut self, at_limit: &[usize]) {
        self.at_limit = at_limit.to_vec();
    }

    /// Parameters have other values.
    pub fn set_system(&mut self, system: &CompiledSystem) {
        self.system = system.clone();
    }

    /// Decides what every contact does, and the motion with it.
    pub fn decide(&mut self, moment: &Moment) -> Result<Decided, Undone> {
        let Moment { t, q, v, touching, .. } = *moment;
        self.system.at(t, q, v, &mut self.dynamics);
        if let Some(force) = moment.force {
            self.dynamics.force_mut().copy_from_slice(force);
        }
        self.touches.evaluate(&self.system, t, q, v);
        let parts = self.parts(touching, self.contacts(touching).into_iter());
        let is_one = parts.len() == 1;
        match self.decide_in(parts, moment) {
            // The kernel names coordinates and rows of a part. Asked about the whole, it names those of the system.
            Err(Undone::Wrong(_)) if !is_one => self.decide_in(Parts::whole(q.len()), moment),
            decided => decided,
        }
    }

    /// The same with the system in parts.
    fn decide_in(&mut self, parts: Parts, moment: &Moment) -> Result<Decided, Undone> {
        let contacts = self.contacts(moment.touching);
        let slips = contacts
            .iter()
            .map(|&which| match moment.resting.contains(&which) {
                true => vec![0.0; self.touches.components(which)],
                false => self.touches.clean_slip(which, moment.v, &self.speeds),
            })
            .collect();
        let split = self.split(parts);
        let mut scene = Scene::new(self, moment, split, contacts, slips)?;
        if scene.is_without_forces() {
            return Ok(scene.without_contacts());
        }
        let verdict = scene.settle(self, moment)?;
        let (answer, is_certain) = match verdict {
            Verdict::One(answer) => (answer, true),
            Verdict::Undecided(Some(answer)) => (answer, false),
            Verdict::Undecided(None) => return Err(Undone::Undecided),
            Verdict::None => return Err(Undone::None),
            Verdict::Several(answers) => {
                let holds = |(which, does, _): &(usize, Does, f64)| {
                    self.at_limit.contains(which) && matches!(does, Does::Sticks(_))
                };
                let slides = |answer: &&Answer| !scene.words(answer).iter().any(holds);
                match &answers.iter().filter(slides).collect::<Vec<_>>()[..] {
                    [answer] if !self.at_limit.is_empty() => ((*answer).clone(), true),
                    _ => return Err(Undone::Several(answers.iter().map(|answer| scene.words(answer)).collect())),
                }
            }
        };
        scene.finish(self, moment, &answer, is_certain)
    }

    /// For each constraint, whether it is in force or touches.
    pub(super) fn in_force(&self, touching: &[usize]) -> Vec<bool> {
        let equations = self.system.equations();
        let mut in_force = vec![false; equations.model.constraints.len()];
        for &row in self.rows.iter().chain(touching) {
            if let Some((constraint, _)) = equations.rows[row].constraint {
                in_force[constraint] = true;
            }
        }
        in_force
    }

    /// The frictional contacts whose constraint is in force or touches.
    pub(super) fn contacts(&self, touching: &[usize]) -> Vec<usize> {
        let in_force = self.in_force(touching);
        (0..self.touches.len()).filter(|&which| in_force[self.touches.constraint(which)]).collect()
    }

    /// The parts of the system, where rows in force, rows that touch and contacts tie coordinates together.
    fn parts(&self, touching: &[usize], contacts: impl Iterator<Item = usize>) -> Parts {
        let rows = self.rows.iter().chain(touching).copied();
        Parts::new(&self.system, rows, &self.touches, contacts, &self.in_force(touching))
    }

    /// A row of A at the state that was evaluated: coordinates and entries.
    pub(super) fn row(&self, row: usize) -> impl Iterator<Item = (usize, f64)> + Clone {
        let (start, a, is_sparse) = (self.given.range(row).start, self.dynamics.a(), self.given.is_sparse());
        let entries = self.system.equations().rows[row].a.iter().enumerate();
        entries.map(move |(at, &(j, _))| (j, a[start + if is_sparse { at } else { j }]))
    }

    /// M, Q, A and b of the rows in force at the state that was evaluated.
    fn split(&self, parts: Parts) -> Split {
        let rows = self.rows.iter().map(|&row| (self.row(row), self.dynamics.b()[row]));
        Split::new(&Arc::new(parts), &self.system, &self.dynamics).with_rows(rows)
    }

    /// The same without forces and right sides, factored: how velocities answer to impulses at rows that touch and at contacts.
    pub(super) fn still(
        &mut self,
        touching: &[usize],
        contacts: impl Iterator<Item = usize>,
    ) -> Result<Split, MotionError> {
        let split = self.split(self.parts(touching, contacts)).still();
        match split.prepare(&mut self.memory) {
            Ok(_) => Ok(split),
            Err(_) => {
                // As above: the whole names what is wrong.
                let whole = self.split(Parts::whole(self.system.coordinates())).still();
                whole.prepare(&mut self.memory).map(|_| whole)
            }
        }
    }
}
