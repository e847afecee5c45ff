//! Members that influence each other, apart from the others and in units of their own.
//!
//! In a group every unknown is scaled so that its own response is 1, and everything is divided by the largest force that the motion
//! asks for: all that follows works with numbers near 1. Scales are powers of two and change no digit. Slip of
//! several components that lies in fewer dimensions gets as many components as it has dimensions: what force there is outside of them
//! moves nothing.

use super::polyhedron::{dot, norm};
use super::problem::{Friction, Load, Member, Problem};
use crate::contact::sets::Sets;
use holonom_elementary as elementary;

/// Couplings below this share of what they are compared with are rounding of whoever computed them.
const COUPLED: f64 = 1e-14;

/// Slip has a dimension less where what is left of it is below this share.
const FLAT_SLIP: f64 = 1e-10;

/// Some members of a problem as a problem of their own.
pub(super) struct Group {
    pub(super) problem: Problem,
    /// For every unknown of the group, the unknowns of the whole it stands for, with factors.
    columns: Vec<Vec<(usize, f64)>>,
}

impl Group {
    /// Adds the forces of the group to those of the whole.
    pub(super) fn spread(&self, x: &[f64], whole: &mut [f64]) {
        for (column, x) in self.columns.iter().zip(x) {
            column.iter().for_each(|(at, factor)| whole[*at] += factor * x);
        }
    }
}

/// The problem without couplings that are rounding: what one member does to another is left out everywhere or nowhere.
pub(super) fn without_rounding(problem: &Problem) -> Problem {
    let (scales, n) = (Scales::of(problem), problem.unknowns);
    let mut clean = problem.clone();
    for (k, entry) in clean.response.iter_mut().enumerate() {
        if !scales.moves(problem, k / n, k % n) {
            *entry = 0.0;
        }
    }
    for (k, entry) in clean.load_response.iter_mut().enumerate() {
        if !scales.loads(problem, k / n, k % n) {
            *entry = 0.0;
        }
    }
    clean
}

/// The groups of a problem.
pub(super) fn split(problem: &Problem) -> Vec<Group> {
    let mut sets = Sets::new(problem.members.len());
    let mut owner = vec![0; problem.unknowns];
    for (m, member) in problem.members.iter().enumerate() {
        member.unknowns().for_each(|at| owner[at] = m);
    }
    for (m, member) in problem.members.iter().enumerate() {
        for at in member.unknowns() {
            (0..problem.unknowns).filter(|&j| problem.response_row(at)[j] != 0.0).for_each(|j| sets.join(m, owner[j]));
        }
        for row in member.rows() {
            (0..problem.unknowns).filter(|&j| problem.load_row(row)[j] != 0.0).for_each(|j| sets.join(m, owner[j]));
        }
        if let Member::Friction(Friction { load: Load::Own(at), .. }) = member {
            sets.join(m, owner[*at]);
        }
    }
    let mut lists: Vec<Vec<usize>> = vec![Vec::new(); problem.members.len()];
    (0..problem.members.len()).for_each(|m| lists[sets.root(m)].push(m));
    lists.iter().filter(|list| !list.is_empty()).map(|list| extract(problem, list)).collect()
}

/// What unknowns are measured by.
struct Scales {
    /// 1/√G of the largest component of a member.
    unknown: Vec<f64>,
    /// Largest force that the motion asks for, in these units.
    force: f64,
}

impl Scales {
    fn of(problem: &Problem) -> Scales {
        let mut unknown = vec![0.0; problem.unknowns];
        let mut force = 0.0_f64;
        for member in &problem.members {
            let own = member.unknowns().map(|at| problem.response_row(at)[at]).fold(0.0, f64::max);
            let scale = match member {
                Member::Open { .. } | Member::Follows { .. } => 0.0,
                _ if own > 0.0 => power_of_two(1.0 / own.sqrt()),
                _ => 0.0,
            };
            for at in member.unknowns() {
                unknown[at] = scale;
                force = force.max(scale * problem.motion_size[at]).max(scale * problem.motion[at].abs());
            }
        }
        Scales { unknown, force }
    }

    /// Whether force j moves unknown i.
    fn moves(&self, problem: &Problem, i: usize, j: usize) -> bool {
        let g = problem.response_row(i)[j].abs();
        g > 0.0 && !(self.unknown[i] * self.unknown[j] > 0.0 && g * self.unknown[i] * self.unknown[j] <= COUPLED)
    }

    /// Whether force j changes a load.
    fn loads(&self, problem: &Problem, row: usize, j: usize) -> bool {
        let l = problem.load_row(row)[j].abs();
        let scale = self.unknown[j] * self.force;
        l > 0.0 && !(scale > 0.0 && l * scale <= COUPLED * problem.load_size[row])
    }
}

/// The power of two just below.
fn power_of_two(value: f64) -> f64 {
    if value.is_normal() { elementary::power_of_two_below(value) } else { 1.0 }
}

/// Some members as a problem of their own; others are left out.
pub(super) fn extract(problem: &Problem, list: &[usize]) -> Group {
    let scales = &Scales::of(problem);
    let inside: Vec<usize> = list.iter().flat_map(|&m| problem.members[m].unknowns()).collect();
    let rows: Vec<usize> = {
        let mut rows: Vec<usize> = list.iter().flat_map(|&m| problem.members[m].rows()).collect();
        rows.sort_unstable();
        rows.dedup();
        rows
    };
    let place_of_row = |row: usize| rows.binary_search(&row).unwrap_or(0);
    // Columns: what one unit of each new unknown is. Unknowns that move nothing get their units from loads, below.
    let mut columns: Vec<Vec<(usize, f64)>> = Vec::new();
    let mut members = Vec::new();
    let mut new_place = vec![0; problem.unknowns];
    for &m in list {
        let member = &problem.members[m];
        let at = columns.len();
        let scale = |old: usize| if scales.unknown[old] > 0.0 { scales.unknown[old] } else { 1.0 };
        match member {
            Member::Friction(f) if f.components > 1 && f.sliding.is_none() => {
                let axes = slip_axes(problem, f, &inside, scales);
                for axis in &axes {
                    let column = (0..f.components).filter(|&k| axis[k] != 0.0);
                    columns.push(column.map(|k| (f.at + k, axis[k] * scale(f.at))).collect());
                }
                members.push(Member::Friction(Friction { at, components: axes.len(), ..f.clone() }));
            }
            Member::Friction(f) => {
                (f.at..f.at + f.components).for_each(|old| columns.push(vec![(old, scale(old))]));
                members.push(Member::Friction(Friction { at, ..f.clone() }));
            }
            Member::Follows { at: old, row } => {
                columns.push(vec![(*old, 1.0)]);
                members.push(Member::Follows { at, row: place_of_row(*row) });
            }
            Member::Open { at: old } => {
                columns.push(vec![(*old, 1.0)]);
                members.push(Member::Open { at });
            }
            Member::OneSided { at: old } => {
                new_place[*old] = at;
                columns.push(vec![(*old, scale(*old))]);
                members.push(Member::OneSided { at });
            }
        }
    }
    let n = columns.len();
    let force = inside
        .iter()
        .map(|&at| scales.unknown[at] * problem.motion_size[at].max(problem.motion[at].abs()))
        .fold(0.0, f64::max);
    let force = if force > 0.0 { power_of_two(force) } else { 1.0 };
    columns.iter_mut().flatten().for_each(|(_, factor)| *factor *= force);

    // Loads: the largest of what forces change and what there is becomes 1. Several rows of one norm share a scale.
    let load_entry = |row: usize, column: &[(usize, f64)]| -> f64 {
        column.iter().map(|(j, t)| problem.load_row(row)[*j] * t).sum()
    };
    let scaled: Vec<usize> = (0..n).filter(|&j| scales.unknown[columns[j][0].0] > 0.0).collect();
    let mut load_scale: Vec<f64> = rows
        .iter()
        .map(|&row| {
            let changed = scaled.iter().map(|&j| load_entry(row, &columns[j]).abs()).fold(0.0, f64::max);
            let size = changed.max(problem.load_size[row]).max(problem.load[row].abs());
            if size > 0.0 { power_of_two(1.0 / size) } else { 0.0 }
        })
        .collect();
    // A load that is nothing but shares is measured by the friction it allows.
    for member in &members {
        let Member::Friction(f) = member else { continue };
        let of_friction = f.coefficient.max(f.limit) / norm(&columns[f.at].iter().map(|(_, t)| *t).collect::<Vec<_>>());
        for row in member.rows().map(place_of_row) {
            if load_scale[row] == 0.0 && of_friction > 0.0 {
                load_scale[row] = power_of_two(of_friction);
            }
        }
    }
    load_scale.iter_mut().filter(|scale| **scale == 0.0).for_each(|scale| *scale = 1.0);
    for &m in list {
        if let Member::Friction(Friction { load: Load::Magnitude(range), .. }) = &problem.members[m] {
            let least = range.clone().map(|row| load_scale[place_of_row(row)]).fold(f64::INFINITY, f64::min);
            range.clone().for_each(|row| load_scale[place_of_row(row)] = least);
        }
    }
    // A force that moves nothing is measured by the loads it changes, or by the friction that it lets act.
    for member in &members {
        for at in member.unknowns() {
            if let Member::Follows { row, .. } = member {
                columns[at][0].1 = 1.0 / load_scale[*row];
            } else if !scaled.contains(&at) {
                let most = (0..rows.len())
                    .map(|r| (load_scale[r] * load_entry(rows[r], &columns[at])).abs())
                    .fold(0.0, f64::max);
                let of_friction = members.iter().filter_map(|m| match m {
                    Member::Friction(f) if matches!(f.load, Load::Own(old) if old == columns[at][0].0) => {
                        Some(f.coefficient.max(f.limit) / columns[f.at][0].1.abs()).filter(|_| scaled.contains(&f.at))
                    }
                    _ => None,
                });
                let most = of_friction.fold(most / columns[at][0].1.abs(), f64::max);
                if most > 0.0 {
                    let factor = power_of_two(1.0 / most) / columns[at][0].1.abs();
                    columns[at].iter_mut().for_each(|(_, t)| *t *= factor);
                }
            }
        }
    }

    // y of a scaled unknown is measured by 1/force, too, so that G stays symmetric with ones on its diagonal.
    let unit = 1.0 / (force * force);
    let sum = |column: &[(usize, f64)], values: &dyn Fn(usize) -> f64| -> f64 {
        column.iter().map(|(at, t)| t * values(*at)).sum()
    };
    let mut response = vec![0.0; n * n];
    for i in 0..n {
        for j in 0..n {
            response[i * n + j] = unit * sum(&columns[i], &|a| sum(&columns[j], &|b| problem.response_row(a)[b]));
        }
    }
    let motion = columns.iter().map(|c| unit * sum(c, &|a| problem.motion[a])).collect();
    let size_of = |c: &[(usize, f64)]| c.iter().map(|(a, t)| t.abs() * problem.motion_size[*a]).sum::<f64>() * unit;
    let motion_size = columns.iter().map(|c| size_of(c)).collect();
    let mut load_response = Vec::with_capacity(rows.len() * n);
    for (&row, scale) in rows.iter().zip(&load_scale) {
        load_response.extend(columns.iter().map(|c| scale * load_entry(row, c)));
    }
    let load = rows.iter().zip(&load_scale).map(|(&r, s)| s * problem.load[r]).collect();
    let load_size = rows.iter().zip(&load_scale).map(|(&r, s)| s * problem.load_size[r]).collect();
    for member in &mut members {
        let Member::Friction(f) = member else { continue };
        // A unit of F in the old units, and of N.
        let of_force = norm(&columns[f.at].iter().map(|(_, t)| *t).collect::<Vec<_>>());
        let of_load;
        (f.load, of_load) = match &f.load {
            Load::Own(old) => (Load::Own(new_place[*old]), columns[new_place[*old]][0].1),
            Load::Magnitude(range) => {
                let first = place_of_row(range.start);
                (Load::Magnitude(first..first + range.len()), 1.0 / load_scale.get(first).copied().unwrap_or(1.0))
            }
            Load::Positive(row) => (Load::Positive(place_of_row(*row)), 1.0 / load_scale[place_of_row(*row)]),
        };
        (f.constant, f.limit_constant) = (f.constant / of_force, f.limit_constant / of_force);
        (f.coefficient, f.limit) = (f.coefficient * of_load / of_force, f.limit * of_load / of_force);
    }
    let problem = Problem { unknowns: n, motion, response, motion_size, load, load_response, load_size, members };
    Group { problem, columns }
}

/// Orthonormal axes of the slip that a contact can have; the given ones where none is missing.
fn slip_axes(problem: &Problem, f: &Friction, inside: &[usize], scales: &Scales) -> Vec<[f64; 3]> {
    let unit = |k: usize| std::array::from_fn(|j| f64::from(u8::from(j == k)));
    let slip_of = |entry: &dyn Fn(usize) -> f64| -> [f64; 3] {
        std::array::from_fn(|k| if k < f.components { entry(f.at + k) } else { 0.0 })
    };
    let mut slips: Vec<[f64; 3]> = inside
        .iter()
        .filter(|&&j| scales.unknown[j] > 0.0)
        .map(|&j| slip_of(&|at| problem.response_row(at)[j] * scales.unknown[at] * scales.unknown[j]))
        .collect();
    let size = norm(&slip_of(&|at| problem.motion_size[at].max(problem.motion[at].abs())));
    if size > 0.0 {
        slips.push(slip_of(&|at| problem.motion[at] / size));
    }
    let mut axes: Vec<[f64; 3]> = Vec::new();
    while axes.len() < f.components {
        let Some(longest) = slips.iter().max_by(|a, b| norm(&a[..]).total_cmp(&norm(&b[..]))) else { break };
        let length = norm(longest);
        if length <= FLAT_SLIP {
            break;
        }
        let axis = longest.map(|v| v / length);
        for slip in &mut slips {
            for _ in 0..2 {
                let along = dot(slip, &axis);
                slip.iter_mut().zip(axis).for_each(|(s, a)| *s -= along * a);
            }
        }
        axes.push(axis);
    }
    match axes.len() {
        0 => vec![unit(0)],
        full if full == f.components => (0..full).map(unit).collect(),
        _ => axes,
    }
}
