//! Whether other forces give the same motion.

use super::certify::Effect;
use super::modes::{Decision, Kind, Normal, System, UNDECIDED};
use super::polyhedron::{Flat, Form, Found, Work, norm};
use super::problem::{Answer, Member, Mode};

/// Forces that differ by less than this share are the same.
const SAME_FORCE: f64 = 1e-6;

/// What the question may cost: about a thousand steps of a group with ten members.
const WORK: usize = 2_000_000;

/// Whether the forces of an answer can change without changing the motion, what slides and what lifts.
pub(super) fn is_shared(system: &System, answer: &Answer) -> bool {
    let x = &answer.forces;
    let mut flat = Flat::space(system.n);
    // Equations that x satisfies: the flat is that of forces without effect.
    let mut hold = |form: Form| {
        let value = form.at(x);
        let _ = flat.add(&form.less(value));
    };
    system.motion.iter().for_each(|y| hold(y.clone()));
    let effect = Effect::of(system.problem, x);
    let mut conditions = Vec::new();
    for (member, mode) in answer.modes.iter().enumerate() {
        let sign = match &system.normals[member] {
            Normal::Magnitude(l) => Some(if l.at(x) < 0.0 { -1.0 } else { 1.0 }),
            Normal::Positive(l) => Some(if l.at(x) < 0.0 { 0.0 } else { 1.0 }),
            _ => None,
        };
        let decision = Decision { sign, ..UNDECIDED };
        match (&system.problem.members[member], mode) {
            (Member::Follows { at, row }, _) => hold(Form::unknown(system.n, *at).plus(-1.0, &system.load[*row])),
            (Member::OneSided { at }, Mode::Open) => hold(Form::unknown(system.n, *at)),
            (Member::Friction(f), mode) => {
                let Some(normal) = system.normal(member, decision) else {
                    // The norm of several loads: their shares are held.
                    if let Normal::Norm(l) = &system.normals[member] {
                        l.iter().for_each(|l| hold(l.clone()));
                    }
                    continue;
                };
                let (load, _) = effect.normal(&f.load, x);
                match mode {
                    Mode::Slides(s) => {
                        let magnitude = system.affine(f.constant, f.coefficient, &normal);
                        (0..f.components).for_each(|k| hold(Form::unknown(system.n, f.at + k).plus(s[k], &magnitude)));
                    }
                    _ => {
                        let kind = Kind::Sticks;
                        system.inequalities(member, Decision { kind, sign }, false, &mut conditions);
                        let force = &x[f.at..f.at + f.components];
                        let length = norm(force);
                        if f.components > 1 && length > 0.0 && f.limit_constant + f.limit * load > 0.0 {
                            let direction: Vec<f64> = force.iter().map(|v| v / length).collect();
                            conditions.push(system.cut(
                                f,
                                &direction,
                                &system.affine(f.limit_constant, f.limit, &normal),
                            ));
                        }
                    }
                }
            }
            (Member::OneSided { .. }, _) => {
                system.inequalities(member, Decision { kind: Kind::Pushes, sign }, false, &mut conditions);
            }
            _ => {}
        }
    }
    let reach = norm(x).max(1.0);
    let mut work = Work::of(WORK);
    flat.directions().iter().any(|direction| {
        [reach, -reach].iter().any(|step| {
            let aim: Vec<f64> = x.iter().zip(direction).map(|(x, d)| x + step * d).collect();
            match flat.nearest(Some(&aim), &conditions, &mut work) {
                Found::Point(other) => {
                    norm(&other.iter().zip(x).map(|(a, b)| a - b).collect::<Vec<_>>()) > SAME_FORCE * reach
                }
                _ => false,
            }
        })
    })
}
