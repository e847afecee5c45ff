//! From a state to what its contacts do: the kernel's answers put together as one problem, solved, and taken apart again.

use super::response::{Numbers, Response, dot, null_combinations};
use super::solver::{Answer, Friction, Load, Member, Mode, Problem, Verdict, solve};
use super::touch::{Bears, Touches};
use crate::compile::{Group, Inputs, Part, System, Values};
use crate::expr::Symbol;
use crate::motion::{Motion, MotionError, Workspace};

/// Rounds of Newton's method where laws or loads are not straight lines.
const ROUNDS: usize = 40;
/// Reactions that change by less than this part of the largest have settled.
const SETTLED: f64 = 1e-12;
/// … or, after all rounds, by less than this.
const NEARLY: f64 = 1e-9;
/// What a combination of rows without effect makes of accelerations below this part of its terms is rounding.
const UNFELT: f64 = 1e-10;

/// Decides what the contacts of a system do, with some rows in force. It owns its memory; nothing is compiled in a query.
#[derive(Clone)]
pub(crate) struct Stage {
    pub(super) system: System,
    /// The rows in force, by their number among those of the equations.
    pub(super) rows: Vec<usize>,
    /// The frictional contacts whose constraint is in force or may come into force.
    pub(super) touches: Touches,
    pub(super) dynamics: Values,
    pub(super) workspace: Workspace,
    /// How fast coordinates usually are: what is slow beside that may be rounding of it.
    pub(super) speeds: Vec<f64>,
}

/// A state, and what is known of it.
#[derive(Clone, Copy)]
pub(crate) struct Moment<'a> {
    pub(crate) t: f64,
    pub(crate) q: &'a [f64],
    pub(crate) v: &'a [f64],
    /// Contacts that do not slip, whatever rounding says.
    pub(crate) resting: &'a [usize],
    /// One-sided rows that touch and neither part nor approach.
    pub(crate) touching: &'a [usize],
}

/// What a frictional contact does.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Does {
    /// It is at rest, and its law exerts nothing there.
    Rests,
    /// It slides along a unit vector with a speed; with speed 0 it begins to.
    Slides(Vec<f64>, f64),
    /// It holds, with these forces by component.
    Sticks(Vec<f64>),
}

/// A frictional contact, decided.
#[derive(Clone, Debug)]
pub(crate) struct Settled {
    /// Which contact of the equations.
    pub(crate) which: usize,
    pub(crate) does: Does,
    pub(crate) slip: Vec<f64>,
    pub(crate) normal: f64,
    /// The magnitude of the friction, and the largest with which it can hold where it sticks; none where its law cannot hold.
    pub(crate) force: f64,
    pub(crate) limit: Option<f64>,
    /// Whether load and friction are unique.
    pub(crate) determinate: bool,
}

/// The motion at a state, contacts decided.
#[derive(Clone, Debug)]
pub(crate) struct Decided {
    /// Over the rows in force, then those that push.
    pub(crate) motion: Motion,
    /// C.
    pub(crate) nonideal: Vec<f64>,
    /// λᵢ and λ over all rows of the equations.
    pub(crate) multipliers: Vec<f64>,
    pub(crate) reactions: Vec<f64>,
    /// Combinations of reactions, over all rows of the equations, that contacts that stick leave open.
    pub(crate) shared: Vec<Vec<f64>>,
    pub(crate) contacts: Vec<Settled>,
    /// One-sided rows that push.
    pub(crate) pushing: Vec<usize>,
    /// Whether it is known that no other motion fits.
    pub(crate) is_certain: bool,
}

/// Why there is no motion.
#[derive(Clone, Debug)]
pub(crate) enum Undone {
    /// Numbers that describe no mechanical system.
    Wrong(MotionError),
    /// It is proved that no forces at contacts fit their laws.
    None,
    /// More than one motion fits: for each, what contacts do and their loads.
    Several(Vec<Vec<(usize, Does, f64)>>),
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

/// A force at a contact: which unknown of the problem it is.
#[derive(Clone, Copy, Debug)]
enum Force {
    /// Component of the friction of a contact, by place among those in force.
    Friction(usize),
    /// The push of a one-sided row.
    Push(usize),
    /// How rows that repeat each other share their load.
    Share,
    /// Non-ideal parts on a coordinate that depend on reactions.
    Coordinate(usize),
}

impl Stage {
    pub(crate) fn new(system: &System, rows: Vec<usize>) -> Self {
        system.compile(Group::Dynamics);
        Self {
            rows,
            touches: Touches::new(system),
            dynamics: system.values(Group::Dynamics),
            workspace: Workspace::new(),
            speeds: vec![0.0; system.coordinates()],
            system: system.clone(),
        }
    }

    /// How fast coordinates usually are.
    pub(crate) fn set_speeds(&mut self, speeds: &[f64]) {
        self.speeds.copy_from_slice(speeds);
    }

    /// Parameters have other values.
    pub(crate) fn set_system(&mut self, system: &System) {
        self.system = system.clone();
    }

    /// Whether a constraint is in force, or touches.
    pub(super) fn is_in_force(&self, constraint: usize, touching: &[usize]) -> bool {
        let rows = &self.system.equations().rows;
        let own = |row: &&usize| rows[**row].constraint.is_some_and(|one| one.0 == constraint);
        self.rows.iter().chain(touching).any(|row| own(&row))
    }

    /// Decides what every contact does, and the motion with it.
    pub(crate) fn decide(&mut self, moment: &Moment) -> Result<Decided, Undone> {
        let Moment { t, q, v, touching, .. } = *moment;
        self.system.at(t, q, v, &mut self.dynamics);
        self.touches.evaluate(&self.system, t, q, v);
        let contacts: Vec<usize> = (0..self.touches.len())
            .filter(|&which| self.is_in_force(self.touches.constraint(which), touching))
            .collect();
        let slips: Vec<Vec<f64>> = contacts
            .iter()
            .map(|&which| match moment.resting.contains(&which) {
                true => vec![0.0; self.touches.components(which)],
                false => self.touches.clean_slip(which, v, &self.speeds),
            })
            .collect();
        let numbers = self.numbers(&self.rows);
        let mut scene = Scene::new(self, moment, numbers, &contacts, slips)?;
        if scene.forces.is_empty() {
            return Ok(scene.without_contacts());
        }
        let verdict = scene.settle(self, moment)?;
        let (answer, is_certain) = match verdict {
            Verdict::One(answer) => (answer, true),
            Verdict::Undecided(Some(answer)) => (answer, false),
            Verdict::Undecided(None) => return Err(Undone::Undecided),
            Verdict::None => return Err(Undone::None),
            Verdict::Several(answers) => {
                return Err(Undone::Several(answers.iter().map(|answer| scene.words(answer)).collect()));
            }
        };
        scene.finish(self, moment, &answer, is_certain)
    }

    /// M, Q, A and b at the state that was evaluated, with some rows.
    pub(super) fn numbers(&self, rows: &[usize]) -> Numbers {
        let (mut a, mut b) = (Vec::new(), Vec::new());
        for &row in rows {
            a.extend_from_slice(self.dynamics.row(row));
            b.push(self.dynamics.b()[row]);
        }
        Numbers { mass: self.dynamics.mass().to_vec(), force: self.dynamics.force().to_vec(), a, b }
    }
}

/// A state with its contacts in force, and how it answers to forces at them.
struct Scene {
    numbers: Numbers,
    contacts: Vec<usize>,
    slips: Vec<Vec<f64>>,
    /// Their magnitudes.
    speeds: Vec<f64>,
    /// For each constraint, whether it is in force or touches.
    constraints: Vec<bool>,
    /// What of C depends on no reaction, and the motion with it.
    constant: Vec<f64>,
    base: Motion,
    forces: Vec<Force>,
    holds: Vec<f64>,
    /// The first unknown of each contact.
    at: Vec<usize>,
    response: Response,
    /// λᵢ over all rows of the equations.
    multipliers: Vec<f64>,
    /// Combinations of the rows in force that vanish, over all rows of the equations.
    idle: Vec<Vec<f64>>,
}

impl Scene {
    fn new(
        stage: &mut Stage,
        moment: &Moment,
        numbers: Numbers,
        contacts: &[usize],
        slips: Vec<Vec<f64>>,
    ) -> Result<Self, Undone> {
        let (n, m, all) = (numbers.force.len(), numbers.b.len(), stage.system.rows());
        let rows = stage.rows.clone();
        let spread = |values: &[f64]| {
            let mut over_all = vec![0.0; all];
            rows.iter().zip(values).for_each(|(&row, value)| over_all[row] = *value);
            over_all
        };
        let constraints: Vec<bool> = (0..stage.system.equations().model.constraints.len())
            .map(|constraint| stage.is_in_force(constraint, moment.touching))
            .collect();
        let feedback = coordinates_with_feedback(&stage.system, &constraints);
        let snapshot = numbers.snapshot();
        let mut idle = Vec::new();
        if !(contacts.is_empty() && feedback.is_empty()) {
            let audit = stage.workspace.audit(&snapshot)?;
            idle = null_combinations(&audit, m).iter().map(|z| spread(z)).collect();
        }
        let mut constant = vec![0.0; n];
        let prepared = stage.workspace.prepare(&snapshot)?;
        let multipliers = spread(prepared.ideal_multipliers());
        let (system, none) = (&stage.system, vec![0.0; all]);
        system.nonideal(&stage.dynamics, |one| constraints[one], &multipliers, &none, &mut constant);
        let base = prepared.finish(&constant)?.clone();
        let mut response = Response::new(n, all, base.acceleration.clone(), spread(&base.reactions));
        let (mut forces, mut holds, mut at) = (Vec::new(), Vec::new(), Vec::new());
        let (mut x, mut lambda) = (vec![0.0; n], Vec::new());
        let mut push = |stage: &mut Stage, direction: &[f64], own: Option<usize>, response: &mut Response| {
            stage.workspace.answer_to_force(&snapshot, direction, &mut x, &mut lambda);
            let mut changes = spread(&lambda);
            if let Some(row) = own {
                changes[row] = 1.0;
            }
            response.push(direction, &x, &changes);
        };
        for (place, &which) in contacts.iter().enumerate() {
            at.push(forces.len());
            let (directions, hold) = (stage.touches.directions(which).to_vec(), stage.touches.hold(which).to_vec());
            for (direction, hold) in directions.chunks_exact(n.max(1)).zip(hold) {
                push(stage, direction, None, &mut response);
                forces.push(Force::Friction(place));
                holds.push(hold);
            }
        }
        for &row in moment.touching {
            let direction = stage.dynamics.row(row).to_vec();
            push(stage, &direction, Some(row), &mut response);
            forces.push(Force::Push(row));
            holds.push(stage.dynamics.b()[row]);
        }
        for j in feedback {
            let mut direction = vec![0.0; n];
            direction[j] = 1.0;
            push(stage, &direction, None, &mut response);
            forces.push(Force::Coordinate(j));
            holds.push(0.0);
        }
        let speeds: Vec<f64> = slips.iter().map(|slip| dot(slip, slip).sqrt()).collect();
        let mut scene = Self {
            numbers,
            contacts: contacts.to_vec(),
            slips,
            speeds,
            constraints,
            constant,
            base,
            forces,
            holds,
            at,
            response,
            multipliers,
            idle,
        };
        scene.share(stage);
        Ok(scene)
    }

    /// How rows that repeat each other share their load matters to what is at rest: a limit may be reached or not.
    fn share(&mut self, stage: &Stage) {
        let (n, felt) = (self.response.acceleration.len(), |z: &Vec<f64>| {
            self.contacts.iter().enumerate().any(|(place, &which)| {
                let rests = self.speeds[place] == 0.0 && stage.touches.can_hold(which);
                rests && self.felt_by(stage, which, z)
            })
        });
        let shares: Vec<Vec<f64>> = self.idle.iter().filter(|z| felt(z)).cloned().collect();
        for z in shares {
            self.response.push(&vec![0.0; n], &vec![0.0; n], &z);
            self.forces.push(Force::Share);
            self.holds.push(0.0);
        }
    }

    /// Whether the load of a contact changes where reactions change by z.
    fn felt_by(&self, stage: &Stage, which: usize, z: &[f64]) -> bool {
        match stage.touches.bears(which) {
            Bears::Magnitude(components) => {
                components.iter().any(|component| component.iter().any(|&(row, x)| x * z[row] != 0.0))
            }
            Bears::Given(_, rows, _) => rows.iter().any(|&row| z[row] != 0.0),
        }
    }

    /// Solves, with laws and loads as straight lines around the last reactions until these have settled.
    fn settle(&mut self, stage: &mut Stage, moment: &Moment) -> Result<Verdict, Undone> {
        let straight = self.contacts.iter().all(|&which| stage.touches.is_straight(which))
            && stage.system.equations().nonideal.iter().all(|part| part.nonlinear.is_empty());
        let mut reactions = self.response.reactions.clone();
        let mut last = None;
        for _ in 0..ROUNDS {
            self.evaluate_laws(stage, moment, &reactions);
            let problem = self.problem(stage, &reactions);
            let verdict = solve(&problem);
            if straight {
                return Ok(verdict);
            }
            let (Verdict::One(answer) | Verdict::Undecided(Some(answer))) = &verdict else { return Ok(verdict) };
            let next = self.response.reactions_under(&answer.forces);
            let size = next.iter().fold(0.0, |size: f64, x| size.max(x.abs()));
            let change = next.iter().zip(&reactions).fold(0.0, |change: f64, (x, y)| change.max((x - y).abs()));
            reactions = next;
            if change <= SETTLED * size || change == 0.0 {
                return Ok(verdict);
            }
            last = Some((verdict, change / size));
        }
        // Where reactions are shared in no unique way, rounding may keep them from settling to the last digit.
        Ok(last.filter(|(_, change)| *change <= NEARLY).map_or(Verdict::Undecided(None), |(verdict, _)| verdict))
    }

    /// Evaluates laws at the loads that reactions make.
    fn evaluate_laws(&self, stage: &mut Stage, moment: &Moment, reactions: &[f64]) {
        let Stage { system, touches, .. } = stage;
        let Moment { t, q, v, .. } = *moment;
        let inputs = Inputs { t, q, v, multiplier: &self.multipliers, reaction: reactions, ..Inputs::default() };
        for (&which, &speed) in self.contacts.iter().zip(&self.speeds) {
            touches.set_speed(which, speed);
        }
        touches.evaluate_laws(system, &inputs);
        let mut again = false;
        for &which in &self.contacts {
            let normal = touches.load(which, reactions);
            touches.set_normal(which, normal);
            again |= !touches.has_straight_law(which);
        }
        if again {
            touches.evaluate_laws(system, &inputs);
        }
    }

    /// The problem of all forces at contacts, around reactions.
    fn problem(&self, stage: &Stage, reactions: &[f64]) -> Problem {
        let count = self.response.len();
        let mut problem = Problem { unknowns: count, ..Problem::default() };
        for l in 0..count {
            let direction = self.response.direction(l);
            let terms = direction.iter().zip(&self.response.acceleration).map(|(d, a)| d * a);
            problem.motion.push(terms.clone().sum::<f64>() - self.holds[l]);
            problem.motion_size.push(terms.map(f64::abs).sum::<f64>() + self.holds[l].abs());
            problem.response.extend((0..count).map(|k| self.response.between(l, k)));
        }
        for (place, &which) in self.contacts.iter().enumerate() {
            let member = self.friction(stage, place, which, reactions, &mut problem);
            problem.members.push(member);
        }
        let feedback = Feedback { stage, constraints: &self.constraints };
        for (at, force) in self.forces.iter().enumerate() {
            match *force {
                Force::Friction(_) => {}
                Force::Push(_) => problem.members.push(Member::OneSided { at }),
                Force::Share => problem.members.push(Member::Open { at }),
                Force::Coordinate(j) => {
                    let (constant, slopes) = feedback.on(j, reactions);
                    let row = self.add_load(&mut problem, constant, &slopes);
                    problem.members.push(Member::Follows { at, row });
                }
            }
        }
        problem
    }

    /// The friction of a contact.
    fn friction(&self, stage: &Stage, place: usize, which: usize, reactions: &[f64], problem: &mut Problem) -> Member {
        let (touches, speed) = (&stage.touches, self.speeds[place]);
        let sliding = (speed > 0.0).then(|| {
            let mut along = [0.0; 3];
            along.iter_mut().zip(&self.slips[place]).for_each(|(along, slip)| *along = slip / speed);
            along
        });
        let (slides, limit) = (touches.sliding(which), touches.limit(which));
        let load = match touches.bears(which) {
            Bears::Magnitude(components) => match self.own_push(&components) {
                Some((at, 1.0)) => Load::Own(at),
                // It pushes or is open, and never pulls.
                Some((_, factor)) => Load::Positive(self.add_load(problem, 0.0, &[(components[0][0].0, factor.abs())])),
                None => {
                    let first = problem.load.len();
                    components.iter().for_each(|slopes| {
                        self.add_load(problem, 0.0, slopes);
                    });
                    Load::Magnitude(first..problem.load.len())
                }
            },
            Bears::Given(value, rows, slopes) => {
                let slopes: Vec<(usize, f64)> = rows.iter().copied().zip(slopes.iter().copied()).collect();
                let constant = value - slopes.iter().map(|&(row, x)| x * reactions[row]).sum::<f64>();
                Load::Positive(self.add_load(problem, constant, &slopes))
            }
        };
        Member::Friction(Friction {
            at: self.at[place],
            components: touches.components(which),
            load,
            sliding,
            constant: slides.constant,
            coefficient: slides.coefficient,
            limit_constant: limit.constant,
            limit: limit.coefficient,
        })
    }

    /// Where a load is a number times the push of one one-sided row: its unknown, and the number.
    fn own_push(&self, components: &[Vec<(usize, f64)>]) -> Option<(usize, f64)> {
        let [component] = components else { return None };
        let [(row, factor)] = component[..] else { return None };
        let at = self.forces.iter().position(|force| matches!(force, Force::Push(one) if *one == row))?;
        Some((at, factor))
    }

    /// Adds `constant + Σ slope·λ` to the loads of a problem; its row.
    fn add_load(&self, problem: &mut Problem, constant: f64, slopes: &[(usize, f64)]) -> usize {
        let terms = slopes.iter().map(|&(row, x)| x * self.response.reactions[row]);
        problem.load.push(constant + terms.clone().sum::<f64>());
        problem.load_size.push(constant.abs() + terms.map(f64::abs).sum::<f64>());
        let change = |k: usize| slopes.iter().map(|&(row, x)| x * self.response.change(k, row)).sum::<f64>();
        problem.load_response.extend((0..problem.unknowns).map(change));
        problem.load.len() - 1
    }

    /// What an answer says of each frictional contact: which, what it does, its load.
    fn words(&self, answer: &Answer) -> Vec<(usize, Does, f64)> {
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
    fn without_contacts(self) -> Decided {
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
    fn finish(&self, stage: &mut Stage, moment: &Moment, answer: &Answer, is_certain: bool) -> Result<Decided, Undone> {
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
        let more = stage.numbers(&pushing);
        let numbers = self.numbers.with_rows(&more.a, &more.b);
        let rows: Vec<usize> = stage.rows.iter().chain(&pushing).copied().collect();
        // C: what depends on nothing here, what slides, and what holds.
        let mut c = self.constant.clone();
        let (mut held, mut right) = (Vec::new(), Vec::new());
        for (k, force) in self.forces.iter().enumerate() {
            let direction = self.response.direction(k);
            match *force {
                Force::Friction(place) if matches!(answer.modes[place], Mode::Sticks) => {
                    held.extend_from_slice(direction);
                    right.push(self.holds[k]);
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
        let mut motion = numbers.motion(&mut stage.workspace, &nonideal)?;
        let mut shared = Vec::new();
        if !right.is_empty() {
            // Rows that hold make the acceleration exact; how they share their load with others is open where they depend on them.
            let with_holds = numbers.with_rows(&held, &right);
            let Motion { acceleration, free_directions, system_rank, .. } =
                with_holds.motion(&mut stage.workspace, &c)?;
            (motion.acceleration, motion.free_directions, motion.system_rank) =
                (acceleration, free_directions, system_rank);
            let audit = stage.workspace.audit(&with_holds.snapshot())?;
            let felt = |z: &&Vec<f64>| z[rows.len()..].iter().any(|x| *x != 0.0);
            let spread = |z: &Vec<f64>| {
                let mut over_all = vec![0.0; reactions.len()];
                rows.iter().zip(z).for_each(|(&row, x)| over_all[row] = *x);
                over_all
            };
            let open = null_combinations(&audit, with_holds.b.len());
            shared = open.iter().filter(felt).map(spread).collect();
        }
        if shared.is_empty() && self.idle.is_empty() {
            rows.iter().zip(&motion.reactions).for_each(|(&row, x)| reactions[row] = *x);
        }
        let mut multipliers = self.multipliers.clone();
        rows.iter().zip(&motion.ideal_multipliers).for_each(|(&row, x)| multipliers[row] = *x);
        self.evaluate_laws(stage, moment, &reactions);
        let mut contacts = self.settled(stage, answer, &reactions, shared.is_empty() && !answer.is_shared);
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
        let by_part = |part: &crate::derive::Nonideal| {
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

/// Non-ideal parts that depend on reactions, by coordinate.
struct Feedback<'a> {
    stage: &'a Stage,
    constraints: &'a [bool],
}

impl Feedback<'_> {
    /// The force on a coordinate as `constant + Σ slope·λ` around reactions.
    fn on(&self, j: usize, reactions: &[f64]) -> (f64, Vec<(usize, f64)>) {
        let mut linear = self.stage.dynamics.part(Part::ByReaction).iter();
        let (values, slopes) = self.stage.touches.nonlinear();
        let (mut values, mut slopes) = (values.iter(), slopes.iter());
        let (mut constant, mut lines) = (0.0, Vec::new());
        for part in &self.stage.system.equations().nonideal {
            let active = part.constraint.is_none_or(|constraint| self.constraints[constraint]);
            for (&(coordinate, row, _), value) in part.by_reaction.iter().zip(&mut linear) {
                if active && coordinate == j {
                    lines.push((row, *value));
                }
            }
            for (nonlinear, value) in part.nonlinear.iter().zip(&mut values) {
                let mine = active && nonlinear.coordinate == j;
                constant += if mine { *value } else { 0.0 };
                for (&(symbol, _), slope) in nonlinear.slopes.iter().zip(&mut slopes) {
                    if let (true, Symbol::Reaction(row)) = (mine, symbol) {
                        constant -= slope * reactions[row as usize];
                        lines.push((row as usize, *slope));
                    }
                }
            }
        }
        (constant, lines)
    }
}

/// Coordinates on which non-ideal parts push that depend on reactions.
fn coordinates_with_feedback(system: &System, in_force: &[bool]) -> Vec<usize> {
    let mut coordinates = Vec::new();
    for part in &system.equations().nonideal {
        if part.constraint.is_none_or(|constraint| in_force[constraint]) {
            coordinates.extend(part.by_reaction.iter().map(|entry| entry.0));
            coordinates.extend(part.nonlinear.iter().map(|force| force.coordinate));
        }
    }
    coordinates.sort_unstable();
    coordinates.dedup();
    coordinates
}

fn add(sum: &mut [f64], factor: f64, of: &[f64]) {
    sum.iter_mut().zip(of).for_each(|(sum, x)| *sum += factor * x);
}
