//! A state as a problem: forces at contacts, how the system answers to them, and their laws as straight lines.

use super::response::{Response, Unit, norm};
use super::solver::{Friction, Load, Member, Problem, Verdict, solve};
use super::split::Split;
use super::stage::{Moment, Stage, Undone};
use super::touch::Bears;
use crate::compile::{CompiledSystem, GroupPart, Inputs};
use holonom_kernel::motion::Motion;
use holonom_symbols::expr::Symbol;

/// Rounds of Newton's method where laws or loads are not straight lines.
const ROUNDS: usize = 40;
/// Reactions that change by less than this part of the largest have settled.
const SETTLED: f64 = 1e-12;
/// … or, after all rounds, by less than this.
const NEARLY: f64 = 1e-9;

/// A force at a contact: which unknown of the problem it is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Force {
    /// Component of the friction of a contact, by place among those in force.
    Friction(usize),
    /// The push of a one-sided row.
    Push(usize),
    /// How rows that repeat each other share their load.
    Share,
    /// Non-ideal parts on a coordinate that depend on reactions.
    Coordinate(usize),
}

/// A state with its contacts in force, and how it answers to forces at them.
pub(super) struct Scene {
    pub(super) split: Split,
    pub(super) contacts: Vec<usize>,
    pub(super) slips: Vec<Vec<f64>>,
    /// Their magnitudes.
    pub(super) speeds: Vec<f64>,
    /// For each constraint, whether it is in force or touches.
    pub(super) constraints: Vec<bool>,
    /// What of C depends on no reaction, and the motion with it.
    pub(super) constant: Vec<f64>,
    pub(super) base: Motion,
    pub(super) forces: Vec<Force>,
    pub(super) holds: Vec<f64>,
    /// The first unknown of each contact.
    pub(super) at: Vec<usize>,
    pub(super) response: Response,
    /// λᵢ over all rows of the equations.
    pub(super) multipliers: Vec<f64>,
    /// Combinations of the rows in force that vanish, over all rows of the equations.
    pub(super) idle: Vec<Vec<f64>>,
}

impl Scene {
    pub(super) fn new(
        stage: &mut Stage,
        moment: &Moment,
        split: Split,
        contacts: Vec<usize>,
        slips: Vec<Vec<f64>>,
    ) -> Result<Self, Undone> {
        let (n, all) = (stage.system.coordinates(), stage.system.rows());
        let rows = stage.rows.clone();
        let spread = |values: &[f64]| {
            let mut over_all = vec![0.0; all];
            rows.iter().zip(values).for_each(|(&row, value)| over_all[row] = *value);
            over_all
        };
        let constraints = stage.in_force(moment.touching);
        let feedback = coordinates_with_feedback(&stage.system, &constraints);
        let mut idle = Vec::new();
        if !(contacts.is_empty() && feedback.is_empty()) {
            idle = split.null_combinations(&mut stage.memory)?.iter().map(|z| spread(z)).collect();
        }
        let mut constant = vec![0.0; n];
        let multipliers = spread(&split.prepare(&mut stage.memory)?);
        let (system, none) = (&stage.system, vec![0.0; all]);
        system.nonideal(&stage.dynamics, |one| constraints[one], &multipliers, &none, &mut constant);
        let base = split.finish(&mut stage.memory, &constant)?;
        let mut response = Response::new(&split.parts, base.acceleration.clone(), spread(&base.reactions));
        response.set_reach(split.reach(&base));
        let (mut forces, mut holds, mut at) = (Vec::new(), Vec::new(), Vec::new());
        let mut push = |stage: &mut Stage, direction: Vec<(usize, f64)>, own: Option<usize>| {
            response.push(split.answer(&mut stage.memory, direction).on_rows(&rows, own));
        };
        for (place, &which) in contacts.iter().enumerate() {
            at.push(forces.len());
            for component in 0..stage.touches.components(which) {
                let direction = stage.touches.direction(which, component).collect();
                push(stage, direction, None);
                forces.push(Force::Friction(place));
                holds.push(stage.touches.hold(which)[component]);
            }
        }
        for &row in moment.touching {
            let direction = stage.row(row).collect();
            push(stage, direction, Some(row));
            forces.push(Force::Push(row));
            holds.push(stage.dynamics.b()[row]);
        }
        for j in feedback {
            push(stage, vec![(j, 1.0)], None);
            forces.push(Force::Coordinate(j));
            holds.push(0.0);
        }
        let speeds: Vec<f64> = slips.iter().map(|slip| norm(slip)).collect();
        let mut scene = Self {
            split,
            contacts,
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

    /// Whether nothing depends on contacts.
    pub(super) fn is_without_forces(&self) -> bool {
        self.forces.is_empty()
    }

    /// How rows that repeat each other share their load matters to what is at rest: a limit may be reached or not.
    fn share(&mut self, stage: &Stage) {
        let felt = |z: &Vec<f64>| {
            self.contacts.iter().enumerate().any(|(place, &which)| {
                let rests = self.speeds[place] == 0.0 && stage.touches.can_hold(which);
                rests && self.felt_by(stage, which, z)
            })
        };
        let shares: Vec<Vec<f64>> = self.idle.iter().filter(|z| felt(z)).cloned().collect();
        for z in shares {
            let changes = z.iter().copied().enumerate().filter(|(_, change)| *change != 0.0).collect();
            self.response.push(Unit {
                part: 0,
                direction: Vec::new(),
                acceleration: Vec::new(),
                changes,
                implied: None,
            });
            self.forces.push(Force::Share);
            self.holds.push(0.0);
        }
    }

    /// Whether the load of a contact changes where reactions change by z.
    pub(super) fn felt_by(&self, stage: &Stage, which: usize, z: &[f64]) -> bool {
        match stage.touches.bears(which) {
            Bears::Magnitude(components) => {
                components.iter().any(|component| component.iter().any(|&(row, x)| x * z[row] != 0.0))
            }
            Bears::Given(_, rows, _) => rows.iter().any(|&row| z[row] != 0.0),
        }
    }

    /// Solves, with laws and loads as straight lines around the last reactions until these have settled.
    pub(super) fn settle(&mut self, stage: &mut Stage, moment: &Moment) -> Result<Verdict, Undone> {
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
    pub(super) fn evaluate_laws(&self, stage: &mut Stage, moment: &Moment, reactions: &[f64]) {
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
            let (along, size) = self.response.along(l);
            problem.motion.push(along - self.holds[l]);
            problem.motion_size.push(size + self.holds[l].abs());
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
}

/// Non-ideal parts that depend on reactions, by coordinate.
pub(super) struct Feedback<'a> {
    pub(super) stage: &'a Stage,
    pub(super) constraints: &'a [bool],
}

impl Feedback<'_> {
    /// The force on a coordinate as `constant + Σ slope·λ` around reactions.
    pub(super) fn on(&self, j: usize, reactions: &[f64]) -> (f64, Vec<(usize, f64)>) {
        let mut linear = self.stage.dynamics.part(GroupPart::ByReaction).iter();
        let (values, slopes) = self.stage.touches.nonlinear();
        let (mut values, mut slopes) = (values.iter(), slopes.iter());
        let (mut constant, mut lines) = (0.0, Vec::new());
        for part in &self.stage.system.equations().nonideal {
            let active = part.acts(self.constraints.len(), |constraint| self.constraints[constraint]);
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
fn coordinates_with_feedback(system: &CompiledSystem, in_force: &[bool]) -> Vec<usize> {
    let mut coordinates = Vec::new();
    for part in &system.equations().nonideal {
        if part.acts(in_force.len(), |constraint| in_force[constraint]) {
            coordinates.extend(part.by_reaction.iter().map(|entry| entry.0));
            coordinates.extend(part.nonlinear.iter().map(|force| force.coordinate));
        }
    }
    coordinates.sort_unstable();
    coordinates.dedup();
    coordinates
}
