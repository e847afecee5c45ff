//! A candidate, fast: guess what every contact does, solve the linear equations of that, correct the guess.
//!
//! This is Newton's method on the natural map F = P(F − y), P the projection on what friction can do. For one component each guess is linear and
//! the end is reached when the guess repeats; for several the direction of sliding is linearised. A contact at rest begins to slide beyond its limit, and one that slides
//! sticks again when its slip would turn, so that a limit above the force of sliding does not make it alternate. Where Newton's method
//! cycles, sweeps over the contacts, one at a time, give it a better start.

use super::certify::certify_solved;
use super::modes::{Decision, Kind, Normal, System};
use super::polyhedron::{Flat, Form, Work, elimination, norm};
use super::problem::{Answer, Friction, Member};

/// Guesses from one start; each takes a linear solve, and a good start needs fewer than ten.
const ROUNDS: usize = 30;

/// Rounds after an answer with directions is certified, for the last digits.
const POLISH: usize = 2;

/// Sweeps before Newton's method, from few to many.
const SWEEPS: [usize; 3] = [0, 10, 200];

/// Looks for an answer; `held` says what is decided.
pub(super) fn candidate(system: &System, held: &[Decision], work: &mut Work) -> Option<Answer> {
    let mut all_stick = Guess::new(system, held, vec![0.0; system.n], true);
    if let Some(answer) = all_stick.newton(work) {
        return Some(answer);
    }
    let mut x = vec![0.0; system.n];
    SWEEPS.iter().find_map(|&sweeps| {
        (0..sweeps).for_each(|_| sweep(system, &mut x));
        Guess::new(system, held, x.clone(), false).newton(work)
    })
}

/// Looks for an answer near forces where everything is decided but directions.
pub(super) fn from_start(system: &System, held: &[Decision], x: &[f64], work: &mut Work) -> Option<Answer> {
    Guess::new(system, held, x.to_vec(), false).newton(work)
}

struct Guess<'a> {
    system: &'a System<'a>,
    held: &'a [Decision],
    x: Vec<f64>,
    /// Whether each member sticks or pushes in the present guess.
    rests: Vec<bool>,
    /// Whether the guess is `rests` as it stands, for the first round.
    is_given: bool,
}

impl<'a> Guess<'a> {
    fn new(system: &'a System<'a>, held: &'a [Decision], x: Vec<f64>, rests: bool) -> Guess<'a> {
        Guess { system, held, x, rests: vec![rests; held.len()], is_given: rests }
    }

    fn newton(&mut self, work: &mut Work) -> Option<Answer> {
        let is_curved = |m: &Member| matches!(m, Member::Friction(f) if f.components > 1 && f.sliding.is_none());
        let polish = if self.system.problem.members.iter().any(is_curved) { POLISH } else { 0 };
        let mut found: Option<(Answer, usize)> = None;
        for _ in 0..ROUNDS {
            if !work.spend(elimination(self.system.n)) {
                break;
            }
            let mut flat = Flat::space(self.system.n);
            // A contradiction leaves an equation unsatisfied, which certification sees.
            for member in 0..self.held.len() {
                self.equations(member, &mut flat);
            }
            self.is_given = false;
            let next = flat.point();
            let change = norm(&next.iter().zip(&self.x).map(|(a, b)| a - b).collect::<Vec<_>>());
            let stays = change <= f64::EPSILON * norm(&next);
            self.x = next;
            if let Some(answer) = certify_solved(self.system.problem, &self.x) {
                let rounds = found.map_or(0, |(_, rounds)| rounds + 1);
                found = Some((answer, rounds));
            } else if found.is_some() {
                break;
            }
            if stays || found.as_ref().is_some_and(|(_, rounds)| *rounds >= polish) {
                break;
            }
            if !self.x.iter().all(|v| v.is_finite()) {
                break;
            }
        }
        found.map(|(answer, _)| answer)
    }

    /// The load at the present forces, and its linearisation.
    fn normal(&self, member: usize) -> Form {
        if let Some(form) = self.system.normal(member, self.held[member]) {
            return form;
        }
        match &self.system.normals[member] {
            Normal::Known(form) => form.clone(),
            Normal::Magnitude(l) => l.clone().times(if l.at(&self.x) < 0.0 { -1.0 } else { 1.0 }),
            Normal::Positive(l) => l.clone().times(if l.at(&self.x) < 0.0 { 0.0 } else { 1.0 }),
            Normal::Norm(l) => {
                let values: Vec<f64> = l.iter().map(|l| l.at(&self.x)).collect();
                let length = norm(&values);
                let share = |v: &f64| if length > 0.0 { v / length } else { 0.0 };
                l.iter().zip(&values).fold(Form::zero(self.system.n), |sum, (l, v)| sum.plus(share(v), l))
            }
        }
    }

    fn equations(&mut self, member: usize, flat: &mut Flat) {
        let (system, held) = (self.system, self.held[member]);
        match &system.problem.members[member] {
            Member::OneSided { at } => {
                let kind = match held.kind {
                    Kind::Undecided => {
                        if !self.is_given {
                            self.rests[member] = self.x[*at] - system.motion[*at].at(&self.x) >= 0.0;
                        }
                        if self.rests[member] { Kind::Pushes } else { Kind::Lifts }
                    }
                    decided => decided,
                };
                let _ = system.equations(member, Decision { kind, ..held }, flat);
            }
            Member::Friction(f) => self.friction(member, f, flat),
            _ => {
                let _ = system.equations(member, held, flat);
            }
        }
    }

    fn friction(&mut self, member: usize, f: &Friction, flat: &mut Flat) {
        let (system, held) = (self.system, self.held[member]);
        let normal = self.normal(member);
        let magnitude = system.affine(f.constant, f.coefficient, &normal);
        let force = |k: usize| Form::unknown(system.n, f.at + k);
        let mut against = |s: &[f64]| {
            (0..f.components).for_each(|k| {
                let _ = flat.add(&force(k).plus(s[k], &magnitude));
            });
        };
        if let Some(s) = f.sliding {
            return against(&s);
        }
        let asks: Vec<f64> = (f.at..f.at + f.components).map(|at| self.x[at] - system.motion[at].at(&self.x)).collect();
        let length = norm(&asks);
        let load = normal.at(&self.x).max(0.0);
        match held.kind {
            Kind::Slides(sign) => return against(&[sign]),
            Kind::Sticks => self.rests[member] = true,
            Kind::Turns { .. } => self.rests[member] = false,
            _ if self.is_given => {}
            _ if self.rests[member] => {
                let limit = f.limit_constant + f.limit * load;
                self.rests[member] = length <= limit + magnitude.rounding(&self.x);
            }
            _ => self.rests[member] = length <= f.constant + f.coefficient * load,
        }
        if self.rests[member] || length == 0.0 {
            (f.at..f.at + f.components).for_each(|at| {
                let _ = flat.add(&system.motion[at]);
            });
            return;
        }
        let direction: Vec<f64> = asks.iter().map(|v| -v / length).collect();
        // F = m(x) v/|v| with v = F − y: to first order the direction turns by what v changes across itself.
        let turning = if f.components == 1 { 0.0 } else { magnitude.at(&self.x).max(0.0) / length };
        for k in 0..f.components {
            let mut row = force(k).plus(direction[k], &magnitude);
            for j in 0..f.components {
                let across = f64::from(u8::from(j == k)) - direction[j] * direction[k];
                if turning * across != 0.0 {
                    row = row.plus(-turning * across, &force(j)).plus(turning * across, &system.motion[f.at + j]);
                }
            }
            let _ = flat.add(&row);
        }
    }
}

/// Settles the members one after the other, each with the others as they are.
fn sweep(system: &System, x: &mut [f64]) {
    for (member, kind) in system.problem.members.iter().enumerate() {
        match kind {
            Member::Open { .. } => {}
            Member::Follows { at, row } => x[*at] = system.load[*row].at(x),
            Member::OneSided { at } => x[*at] = (x[*at] - system.motion[*at].at(x)).max(0.0),
            Member::Friction(f) => {
                let load = match &system.normals[member] {
                    Normal::Known(n) | Normal::Positive(n) => n.at(x).max(0.0),
                    Normal::Magnitude(l) => l.at(x).abs(),
                    Normal::Norm(l) => norm(&l.iter().map(|l| l.at(x)).collect::<Vec<_>>()),
                };
                let most = f.constant + f.coefficient * load;
                let asks: Vec<f64> = (f.at..f.at + f.components).map(|at| x[at] - system.motion[at].at(x)).collect();
                let length = norm(&asks);
                for k in 0..f.components {
                    x[f.at + k] = match f.sliding {
                        Some(s) => -most * s[k],
                        None if length > most => asks[k] * most / length,
                        None => asks[k],
                    };
                }
            }
        }
    }
}
