//! What can be known before other things: members in an order in which each depends on earlier ones alone, or on its own part.
//!
//! Loads often do not depend on friction: in a stack of blocks the weights above decide them. Then they come first, sliding friction is a number after
//! them, and what it separates no longer acts on each other. A part that is known is put into the motion and the loads of the others.

use super::problem::{Friction, Load, Member, Problem};

/// Members that depend on each other.
pub(super) struct Part {
    pub(super) members: Vec<usize>,
    /// Whether others depend on them.
    pub(super) is_needed: bool,
}

/// The parts of a problem, each after those that it depends on.
pub(super) fn parts(problem: &Problem) -> Vec<Part> {
    let count = problem.members.len();
    let mut owner = vec![0; problem.unknowns];
    for (m, member) in problem.members.iter().enumerate() {
        member.unknowns().for_each(|at| owner[at] = m);
    }
    let mut needs = vec![Vec::new(); count];
    for (m, member) in problem.members.iter().enumerate() {
        let mut need = |from: &[f64]| {
            let others = from.iter().zip(&owner).filter(|(x, other)| **x != 0.0 && **other != m);
            needs[m].extend(others.map(|(_, other)| *other));
        };
        if is_moved(member) {
            member.unknowns().for_each(|at| need(problem.response_row(at)));
        }
        member.rows().for_each(|row| need(problem.load_row(row)));
        if let Member::Friction(Friction { load: Load::Own(at), .. }) = member {
            needs[m].push(owner[*at]);
        }
    }
    // Which of several motions is preferred is a question to all that they concern.
    for m in 0..count {
        for k in 0..needs[m].len() {
            let other = needs[m][k];
            if has_choice(&problem.members[other]) {
                needs[other].push(m);
            }
        }
    }
    let lists = components(&needs);
    let mut part_of = vec![0; count];
    lists.iter().enumerate().for_each(|(part, list)| list.iter().for_each(|&m| part_of[m] = part));
    let mut is_needed = vec![false; lists.len()];
    for m in 0..count {
        needs[m]
            .iter()
            .filter(|&&other| part_of[other] != part_of[m])
            .for_each(|&other| is_needed[part_of[other]] = true);
    }
    lists.into_iter().zip(is_needed).map(|(members, is_needed)| Part { members, is_needed }).collect()
}

/// Whether the law of a member asks how it moves: what slides or follows does not.
fn is_moved(member: &Member) -> bool {
    match member {
        Member::Follows { .. } => false,
        Member::Friction(friction) => friction.sliding.is_none(),
        Member::Open { .. } | Member::OneSided { .. } => true,
    }
}

/// Whether a member may do one thing or another: a contact that holds more than it exerts when it slides.
fn has_choice(member: &Member) -> bool {
    match member {
        Member::Friction(f) => f.sliding.is_none() && (f.limit != f.coefficient || f.limit_constant != f.constant),
        _ => false,
    }
}

/// Strongly connected components, each after those that it needs (Tarjan), members in order.
fn components(needs: &[Vec<usize>]) -> Vec<Vec<usize>> {
    const UNSEEN: usize = usize::MAX;
    let count = needs.len();
    let (mut number, mut lowest, mut on_stack) = (vec![UNSEEN; count], vec![UNSEEN; count], vec![false; count]);
    let (mut stack, mut lists, mut next) = (Vec::new(), Vec::new(), 0);
    for start in 0..count {
        // (member, how many of its needs have been looked at)
        let mut path = if number[start] == UNSEEN { vec![(start, 0)] } else { Vec::new() };
        while let Some((m, seen)) = path.last_mut() {
            let m = *m;
            if *seen == 0 {
                (number[m], lowest[m], on_stack[m]) = (next, next, true);
                next += 1;
                stack.push(m);
            }
            if let Some(&other) = needs[m].get(*seen) {
                *seen += 1;
                if number[other] == UNSEEN {
                    path.push((other, 0));
                } else if on_stack[other] {
                    lowest[m] = lowest[m].min(number[other]);
                }
                continue;
            }
            path.pop();
            if let Some((above, _)) = path.last() {
                lowest[*above] = lowest[*above].min(lowest[m]);
            }
            if lowest[m] == number[m] {
                let at = stack.iter().position(|one| *one == m).unwrap_or(0);
                let mut list = stack.split_off(at);
                list.iter().for_each(|&one| on_stack[one] = false);
                list.sort_unstable();
                lists.push(list);
            }
        }
    }
    lists
}

/// Puts forces that are known into the motion and the loads of the others.
pub(super) fn put_in(problem: &mut Problem, members: &[usize], x: &[f64]) {
    let n = problem.unknowns;
    let known: Vec<usize> = members.iter().flat_map(|&m| problem.members[m].unknowns()).collect();
    for &at in known.iter().filter(|&&at| x[at] != 0.0) {
        for i in 0..n {
            let moved = problem.response[i * n + at] * x[at];
            problem.motion[i] += moved;
            problem.motion_size[i] += moved.abs();
        }
        for row in 0..problem.load.len() {
            let more = problem.load_response[row * n + at] * x[at];
            problem.load[row] += more;
            problem.load_size[row] += more.abs();
        }
    }
    for m in 0..problem.members.len() {
        let Member::Friction(friction) = &mut problem.members[m] else { continue };
        if let Load::Own(at) = friction.load
            && known.contains(&at)
        {
            friction.load = Load::Positive(problem.load.len());
            problem.load.push(x[at]);
            problem.load_size.push(x[at].abs());
            problem.load_response.resize(problem.load_response.len() + n, 0.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_come_after_what_they_need() {
        // 0 needs 1 and 2, which need each other; 3 needs 0; 4 stands alone.
        let needs = [vec![1, 2], vec![2], vec![1], vec![0], vec![]];
        assert_eq!(components(&needs), [vec![1, 2], vec![0], vec![3], vec![4]]);
    }
}
