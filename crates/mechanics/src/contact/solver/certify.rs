//! Whether forces obey all conditions, and what each member does under them.
//!
//! Nothing leaves this stage as an answer that has not passed here. The modes are read off the forces, so that it does not matter how
//! they were found. Each residual is measured by the magnitudes of the terms it is the sum of.

use super::ROUNDING;
use super::polyhedron::{SOLVED, norm};
use super::problem::{Answer, Friction, Load, Member, Mode, Problem};

/// What forces do, with what each number is measured by.
pub(super) struct Effect {
    pub(super) motion: Vec<f64>,
    pub(super) motion_size: Vec<f64>,
    load: Vec<f64>,
    load_size: Vec<f64>,
}

impl Effect {
    pub(super) fn of(problem: &Problem, x: &[f64]) -> Effect {
        let sum = |row: &[f64], start: f64, size: f64| {
            let terms = row.iter().zip(x).map(|(a, x)| a * x);
            terms.fold((start, size.max(start.abs())), |(sum, size), t| (sum + t, size + t.abs()))
        };
        let motion = (0..problem.unknowns)
            .map(|i| sum(problem.response_row(i), problem.motion[i], problem.motion_size[i]))
            .unzip();
        let load =
            (0..problem.load.len()).map(|r| sum(problem.load_row(r), problem.load[r], problem.load_size[r])).unzip();
        Effect { motion: motion.0, motion_size: motion.1, load: load.0, load_size: load.1 }
    }

    /// N and what it is measured by.
    pub(super) fn normal(&self, load: &Load, x: &[f64]) -> (f64, f64) {
        match load {
            Load::Own(at) => (x[*at].max(0.0), x[*at].abs()),
            Load::Magnitude(rows) => (norm(&self.load[rows.clone()]), norm(&self.load_size[rows.clone()])),
            Load::Positive(row) => (self.load[*row].max(0.0), self.load_size[*row]),
        }
    }
}

/// Forces of a solve below this share of the largest are tried as zero, in the units of a group.
const DUST: f64 = 1e-15;

/// The answer with the forces that a solve found, in the units of a group; if possible without what is rounding beside the largest.
pub(super) fn certify_solved(problem: &Problem, x: &[f64]) -> Option<Answer> {
    let reach = x.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    let is_dust = |v: f64| v != 0.0 && v.abs() <= DUST * reach;
    if x.iter().any(|&v| is_dust(v)) {
        let clean: Vec<f64> = x.iter().map(|&v| if is_dust(v) { 0.0 } else { v }).collect();
        let answer = certify(problem, &clean, 1.0);
        if answer.is_some() {
            return answer;
        }
    }
    certify(problem, x, 1.0)
}

/// The answer with these forces, where they obey everything to `slack` times rounding.
pub(super) fn certify(problem: &Problem, x: &[f64], slack: f64) -> Option<Answer> {
    if x.iter().any(|v| !v.is_finite()) {
        return None;
    }
    let effect = Effect::of(problem, x);
    let reach = x.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    let judge = Judge { problem, x, effect: &effect, rounding: slack * ROUNDING, reach };
    let mut answer = Answer { forces: x.to_vec(), modes: Vec::new(), normals: Vec::new(), is_shared: false };
    for member in &problem.members {
        let (mode, normal) = match member {
            Member::Open { .. } => (Mode::Open, 0.0),
            Member::Follows { at, row } => {
                let size = x[*at].abs() + effect.load_size[*row];
                ((x[*at] - effect.load[*row]).abs() <= judge.rounding * size).then_some((Mode::Follows, 0.0))?
            }
            Member::OneSided { at } => (judge.one_sided(*at, &mut answer.forces)?, x[*at].max(0.0)),
            Member::Friction(friction) => {
                let (normal, size) = effect.normal(&friction.load, x);
                (judge.friction(friction, normal, size)?, normal)
            }
        };
        answer.modes.push(mode);
        answer.normals.push(normal);
    }
    Some(answer)
}

struct Judge<'a> {
    problem: &'a Problem,
    x: &'a [f64],
    effect: &'a Effect,
    rounding: f64,
    /// The largest force.
    reach: f64,
}

impl Judge<'_> {
    /// What a force is measured by: the one that would cause the terms of y, or, where it moves nothing, the rounding of a solve.
    fn force_of_rounding(&self, at: usize) -> f64 {
        let own = self.problem.response_row(at)[at];
        if own > 0.0 { self.effect.motion_size[at] / own } else { SOLVED * self.reach }
    }

    /// A row that touches without a load pushes: it stays.
    fn one_sided(&self, at: usize, forces: &mut [f64]) -> Option<Mode> {
        let (x, y) = (self.x[at], self.effect.motion[at]);
        let still = self.rounding * self.effect.motion_size[at];
        let nothing = self.rounding * (x.abs() + self.force_of_rounding(at));
        if x < -nothing || y < -still {
            return None;
        }
        if y <= still {
            forces[at] = x.max(0.0);
            return Some(Mode::Pushes);
        }
        (x <= nothing).then(|| {
            forces[at] = 0.0;
            Mode::Open
        })
    }

    fn friction(&self, f: &Friction, normal: f64, size: f64) -> Option<Mode> {
        let places = f.at..f.at + f.components;
        let force = &self.x[places.clone()];
        let y = &self.effect.motion[places.clone()];
        let rounding_of_force = norm(&places.clone().map(|at| self.force_of_rounding(at)).collect::<Vec<_>>());
        let allowed = self.rounding
            * (norm(force)
                + f.constant.abs()
                + f.limit_constant.abs()
                + (f.coefficient.abs() + f.limit.abs()) * size
                + rounding_of_force);
        let magnitude = f.constant + f.coefficient * normal;
        let misses =
            |direction: &[f64]| norm(&force.iter().zip(direction).map(|(x, d)| x + magnitude * d).collect::<Vec<_>>());
        if let Some(s) = f.sliding {
            return (misses(&s[..f.components]) <= allowed).then_some(Mode::Slides(s));
        }
        let (speed, still) = (norm(y), self.rounding * norm(&self.effect.motion_size[places]));
        if speed <= still {
            return (norm(force) <= f.limit_constant + f.limit * normal + allowed).then_some(Mode::Sticks);
        }
        let mut direction = [0.0; 3];
        direction.iter_mut().zip(y).for_each(|(d, y)| *d = y / speed);
        // Of a slip near rounding the direction is known only roughly; of one component always.
        let turned = if f.components == 1 { 0.0 } else { magnitude.abs() * still / speed };
        (misses(&direction[..f.components]) <= allowed + turned).then_some(Mode::Slides(direction))
    }
}
