//! From a problem to its verdict: what is known first, groups, a fast answer with a cheap proof, a search where that does not do.
//!
//! Where redundant rows share their load in an unknown way (`Open`), any preload would be possible, and with it any friction. Loads are therefore
//! first supposed to keep the signs of l0, the shares of the caller, so that rows do not work against each other; other signs are looked at
//! where nothing is found.

use super::ROUNDING;
use super::certify::certify;
use super::choice::is_preferred;
use super::groups::{Group, extract, split, without_rounding};
use super::modes::{Decision, Kind, Normal, System, UNDECIDED};
use super::newton;
use super::order::{parts, put_in};
use super::polyhedron::Work;
use super::problem::{Answer, Friction, Member, Mode, Problem, Verdict};
use super::search::{Harvest, search};
use super::shared::is_shared;
use super::unique::is_unique;

/// What a search of one group may cost, in multiplications: a few tenths of a second in an optimised build.
const SEARCH: usize = 400_000_000;

/// The units of the whole differ from those of groups by rotations and factors: a few more roundings.
const WHOLE_SLACK: f64 = 4.0;

/// The forces of a problem.
pub(crate) fn solve(problem: &Problem) -> Verdict {
    if !problem.is_well_formed() {
        return Verdict::Undecided(None);
    }
    let problem = &without_rounding(problem);
    let groups = split(problem);
    let mut verdicts = Vec::with_capacity(groups.len());
    for group in &groups {
        match in_order(&group.problem).unwrap_or_else(|| solve_group(&group.problem)) {
            Verdict::None => return Verdict::None,
            verdict => verdicts.push(verdict),
        }
    }
    combine(problem, &groups, &verdicts)
}

/// The forces of a group, one part after the other; nothing where one that others need has more than one answer, or none that is proved.
fn in_order(problem: &Problem) -> Option<Verdict> {
    let parts = parts(problem);
    // Shares are measured by the loads as they are given.
    let is_open = problem.members.iter().any(|member| matches!(member, Member::Open { .. }));
    if is_open || !parts.iter().any(|part| part.is_needed) {
        return None;
    }
    let mut left = problem.clone();
    let (mut groups, mut verdicts) = (Vec::new(), Vec::new());
    for part in parts {
        let group = extract(&left, &part.members);
        let verdict = solve_group(&group.problem);
        if matches!(verdict, Verdict::None) {
            return Some(Verdict::None);
        }
        if part.is_needed {
            let Verdict::One(answer) = &verdict else { return None };
            if answer.is_shared {
                return None;
            }
            let mut x = vec![0.0; problem.unknowns];
            group.spread(&answer.forces, &mut x);
            put_in(&mut left, &part.members, &x);
        }
        groups.push(group);
        verdicts.push(verdict);
    }
    Some(combine(problem, &groups, &verdicts))
}

fn solve_group(problem: &Problem) -> Verdict {
    let system = System::of(problem);
    let decisions = usual_signs(&system);
    let ample = &mut Work::ample();
    if let Some(answer) = newton::candidate(&system, &decisions, ample) {
        let is_proved = agrees(&system, &decisions, &answer)
            && (is_unique(&system, &decisions, ample)
                || all_stick(&system, &decisions, &answer)
                    .is_some_and(|sticking| is_unique(&system, &sticking, ample))
                || is_preferred(&system, &answer));
        if is_proved {
            return Verdict::One(with_shares(&system, answer));
        }
    }
    let mut work = Work::of(SEARCH);
    let free = vec![UNDECIDED; decisions.len()];
    // Borders between cases belong to one of them, so that ties are not looked at many times; rounding may hide an answer between two cases.
    let mut tries = vec![(&decisions, true), (&decisions, false)];
    if free != decisions {
        tries.extend([(&free, true), (&free, false)]);
    }
    let mut is_complete = true;
    for (decisions, strict) in tries {
        let harvest = search(&system, decisions, strict, &mut work);
        if !harvest.answers.is_empty() {
            return judge(&system, harvest);
        }
        is_complete = harvest.is_complete;
        if work.is_gone() {
            break;
        }
    }
    if is_complete { Verdict::None } else { Verdict::Undecided(newton::candidate(&system, &free, ample)) }
}

fn judge(system: &System, harvest: Harvest) -> Verdict {
    let mut answers: Vec<Answer> = harvest.answers.into_iter().map(|answer| with_shares(system, answer)).collect();
    match (answers.len(), harvest.is_complete) {
        (1, true) => Verdict::One(answers.remove(0)),
        (1, false) => Verdict::Undecided(answers.pop()),
        _ => Verdict::Several(answers),
    }
}

fn with_shares(system: &System, mut answer: Answer) -> Answer {
    answer.is_shared = answer.is_shared || is_shared(system, &answer);
    answer
}

/// Signs of loads that redundant rows share: those of the loads as given.
fn usual_signs(system: &System) -> Vec<Decision> {
    let mut decisions = vec![UNDECIDED; system.problem.members.len()];
    for (member, decision) in decisions.iter_mut().enumerate() {
        if let Normal::Magnitude(l) | Normal::Positive(l) = &system.normals[member]
            && system.is_open(l)
            && l.constant.abs() > ROUNDING * l.size
        {
            decision.sign = if l.constant > 0.0 { Some(1.0) } else { system.signs(member).last().copied() };
        }
    }
    decisions
}

/// Whether the loads of an answer have the signs that were decided.
fn agrees(system: &System, decisions: &[Decision], answer: &Answer) -> bool {
    decisions.iter().zip(&system.normals).all(|(decision, normal)| match (decision.sign, normal) {
        (Some(sign), Normal::Magnitude(l) | Normal::Positive(l)) => {
            let value = l.at(&answer.forces);
            value.abs() <= l.rounding(&answer.forces) || (value > 0.0) == (sign > 0.0)
        }
        _ => true,
    })
}

/// The decisions that everything at rest sticks, if it does: then whatever sticks in fewer contacts is not preferred.
fn all_stick(system: &System, decisions: &[Decision], answer: &Answer) -> Option<Vec<Decision>> {
    let mut decisions = decisions.to_vec();
    for ((decision, member), mode) in decisions.iter_mut().zip(&system.problem.members).zip(&answer.modes) {
        match (member, mode) {
            (Member::Friction(Friction { sliding: None, .. }), Mode::Sticks) => decision.kind = Kind::Sticks,
            (Member::Friction(Friction { sliding: None, .. }), _) => return None,
            _ => {}
        }
    }
    Some(decisions)
}

/// The verdict on the whole. Where several groups have several answers, each varies with the others at their first.
fn combine(problem: &Problem, groups: &[Group], verdicts: &[Verdict]) -> Verdict {
    let first = |verdict: &Verdict| match verdict {
        Verdict::One(answer) | Verdict::Undecided(Some(answer)) => Some(answer.clone()),
        Verdict::Several(answers) => answers.first().cloned(),
        _ => None,
    };
    let is_decided = !verdicts.iter().any(|v| matches!(v, Verdict::Undecided(_)));
    let Some(firsts) = verdicts.iter().map(first).collect::<Option<Vec<_>>>() else { return Verdict::Undecided(None) };
    let whole = |parts: &[Answer]| {
        let mut x = vec![0.0; problem.unknowns];
        parts.iter().zip(groups).for_each(|(part, group)| group.spread(&part.forces, &mut x));
        let answer = certify(problem, &x, WHOLE_SLACK)?;
        Some(Answer { is_shared: parts.iter().any(|p| p.is_shared), ..answer })
    };
    let mut answers: Vec<Answer> = whole(&firsts).into_iter().collect();
    for (k, verdict) in verdicts.iter().enumerate() {
        let Verdict::Several(others) = verdict else { continue };
        for other in others.iter().skip(1) {
            let mut parts = firsts.clone();
            parts[k] = other.clone();
            answers.extend(whole(&parts));
        }
    }
    answers.truncate(Verdict::LISTED);
    let is_decided = is_decided && (answers.len() > 1 || !verdicts.iter().any(|v| matches!(v, Verdict::Several(_))));
    match (answers.len(), is_decided) {
        (0, _) => Verdict::Undecided(None),
        (1, true) => Verdict::One(answers.remove(0)),
        (1, false) => Verdict::Undecided(answers.pop()),
        _ => Verdict::Several(answers),
    }
}
