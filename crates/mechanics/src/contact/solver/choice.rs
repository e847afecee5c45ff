//! Contacts at rest that hold more than they exert when they slide, under loads that no force of the group changes: whether an answer is the preferred one.
//!
//! With constant radii friction is a convex problem. Let two answers have forces within radii r and s at each contact, and reach them where they slide. Then
//! Δy·ΔF ≤ 0 at every contact where r = s, and also where the one that slides has the larger radius and the other sticks; so if that is so everywhere,
//! Δxᵀ G Δx ≤ 0, and both have the same motion.
//!
//! An answer that is not inferior to a known one, A, sticks at some set T of contacts where A slides. Take the convex problem with the limits of rest on T and the forces of
//! sliding elsewhere. Where it slides at none but those where A does, its motion is that of every such answer; if it does not stick on T, there is none. A contact
//! at which it slides besides is decided in both ways first.

use super::modes::{System, UNDECIDED};
use super::newton;
use super::polyhedron::{Work, norm};
use super::problem::{Answer, Friction, Load, Member, Mode, Problem};

/// Contacts that slide in the answer at most; each doubles the number of sets T.
const MOST: usize = 5;

/// Convex problems that are solved at most.
const PROBLEMS: usize = 64;

/// A contact with a choice.
struct Choice {
    member: usize,
    /// The force of sliding, and the largest at rest.
    slides: f64,
    holds: f64,
}

/// Whether no other answer sticks where this one slides: then it is the preferred one.
pub(super) fn is_preferred(system: &System, answer: &Answer) -> bool {
    let Some(choices) = choices(system, answer) else { return false };
    let sliding: Vec<usize> = (0..choices.len()).filter(|&k| slides(answer, choices[k].member)).collect();
    if sliding.is_empty() || sliding.len() > MOST {
        return false;
    }
    let mut left = PROBLEMS;
    (1..1usize << sliding.len()).all(|set| {
        let mut sticks = vec![None; choices.len()];
        sliding.iter().enumerate().for_each(|(place, &k)| sticks[k] = Some(set >> place & 1 == 1));
        has_none(system.problem, &choices, &sticks, &mut left)
    })
}

fn slides(answer: &Answer, member: usize) -> bool {
    matches!(answer.modes[member], Mode::Slides(_))
}

/// Whether it is proved that no answer sticks and slides as decided.
fn has_none(problem: &Problem, choices: &[Choice], sticks: &[Option<bool>], left: &mut usize) -> bool {
    let Some(less) = left.checked_sub(1) else { return false };
    *left = less;
    let convex = with_radii(problem, choices, sticks);
    let Some(motion) =
        newton::candidate(&System::of(&convex), &vec![UNDECIDED; convex.members.len()], &mut Work::ample())
    else {
        return false;
    };
    let slides = |k: usize| slides(&motion, choices[k].member);
    match (0..choices.len()).find(|&k| sticks[k].is_none() && slides(k)) {
        Some(k) => [true, false].into_iter().all(|way| {
            let mut sticks = sticks.to_vec();
            sticks[k] = Some(way);
            has_none(problem, choices, &sticks, left)
        }),
        None => (0..choices.len()).any(|k| sticks[k] == Some(slides(k))),
    }
}

/// The contacts with a choice; nothing where a load or another member is not of this kind.
fn choices(system: &System, answer: &Answer) -> Option<Vec<Choice>> {
    let mut choices = Vec::new();
    for (member, kind) in system.problem.members.iter().enumerate() {
        let Member::Friction(f) = kind else {
            if matches!(kind, Member::OneSided { .. }) {
                continue;
            }
            return None;
        };
        let normal = constant_load(system, f)?;
        let (slides, holds) = (f.constant + f.coefficient * normal, f.limit_constant + f.limit * normal);
        if f.sliding.is_some() {
            continue;
        }
        if holds > slides {
            choices.push(Choice { member, slides, holds });
        } else if holds < slides || answer.modes[member] != Mode::Sticks {
            return None;
        }
    }
    Some(choices)
}

/// N where no force of the group changes it.
fn constant_load(system: &System, f: &Friction) -> Option<f64> {
    let constant = |row: usize| {
        let load = &system.load[row];
        load.a.iter().all(|a| *a == 0.0).then_some(load.constant)
    };
    match &f.load {
        Load::Own(_) => None,
        Load::Positive(row) => constant(*row).map(|load| load.max(0.0)),
        Load::Magnitude(rows) => rows.clone().map(constant).collect::<Option<Vec<f64>>>().map(|loads| norm(&loads)),
    }
}

/// The convex problem in which some contacts hold as much as they can at rest, and the others what they exert when they slide.
fn with_radii(problem: &Problem, choices: &[Choice], sticks: &[Option<bool>]) -> Problem {
    let mut convex = problem.clone();
    for (one, sticks) in choices.iter().zip(sticks) {
        let radius = if *sticks == Some(true) { one.holds } else { one.slides };
        if let Member::Friction(f) = &mut convex.members[one.member] {
            (f.constant, f.limit_constant, f.coefficient, f.limit) = (radius, radius, 0.0, 0.0);
        }
    }
    convex
}
