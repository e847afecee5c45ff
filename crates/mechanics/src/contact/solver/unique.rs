//! Sufficient tests that a motion is the only one. They cost a factorisation.
//!
//! **Energy.** Let two answers differ by Δx, in motion by Δy = G Δx, in loads by ΔN. A one-sided row has Δy Δx ≤ 0, since x and y are nonnegative
//! and one of them is zero. For friction with radius r = constant + coefficient·N, the same at rest, and slips y = α d, z = β e along unit vectors,
//!
//! ```text
//! Δy·ΔF = −(α d − β e)·(r d − s e) = −(α − β)(r − s) − (1 − d·e)(α s + β r) ≤ |Δα| |Δr| ≤ |Δy| |Δr|
//! ```
//!
//! and likewise where one or both stick. The sum over all of them is
//!
//! ```text
//! Δxᵀ G Δx ≤ Σ coefficient |Δy| |ΔN| ≤ ½ Σ (t |Δy|² + coefficient² |ΔN|²/t),   any t > 0.
//! ```
//!
//! Both sides are quadratic forms of Δx. Where the difference of the forms is positive semi-definite, and zero only for forces that move nothing, the motion is
//! unique. Loads that friction does not change leave Δxᵀ G Δx ≤ 0: G positive semi-definite is enough. Whatever is decided already (what sticks, signs of loads)
//! restricts Δx by equations. Contacts that always have the same slip count as one, with the sum of their radii: so a table whose legs share
//! a load in an unknown way still has one motion.
//!
//! Where the directions of sliding in two components are known to within an angle w of d, the sign of the bound is known as well:
//! |Δα − d·Δy| ≤ ε |Δy| with ε = w²/2 + w/cos w, so that Δy·ΔF ≤ −(d·Δy) Δr + ε |Δy| |Δr|.
//!
//! **Contraction.** A force of one component is the projection of −(y − G_ii x)/G_ii on [−r, r], so that |Δx_i| ≤ Σ_j B_ij |Δx_j| with
//! B_ij = max(|G_ij|/G_ii, coefficient |∂N_i/∂x_j|), without the first for j = i. If some v > 0 has B v < v, then Δx = 0.

use super::modes::{Decision, Kind, Normal, System};
use super::polyhedron::{Flat, Form, Work, dot, elimination, norm};
use super::problem::{Friction, Member};
use holonom_elementary as elementary;

/// Relative to forms of the order of 1: pivots below this are zero.
const ZERO_PIVOT: f64 = 1e-11;

/// A direction of forces moves nothing where it moves less than this; the root of what a zero pivot may hide, with room.
pub(super) const NO_MOTION: f64 = 1e-5;

/// Half the angle of sectors narrow enough to say more than that |Δα| ≤ |Δy|.
const NARROW: f64 = 0.5;

/// B v < v is required with this much to spare.
const SPARE: f64 = 1e-6;

/// Tries to find v; each takes a product with B.
const POWERS: usize = 40;

/// Whether all answers that agree with `decisions` have the same motion.
pub(super) fn is_unique(system: &System, decisions: &[Decision], work: &mut Work) -> bool {
    // Each test eliminates the decisions and factors what is left.
    work.spend(2 * elimination(system.n));
    by_energy(system, decisions) || by_contraction(system, decisions)
}

/// A contact, or several with the same slip, that may do work on the difference of two answers.
struct Term<'a> {
    /// Slip in the components that count, as functions of the forces.
    slip: Vec<Form>,
    /// coefficient·N: where linear one form, otherwise one for each load, of which the norm is meant.
    radius: Vec<Form>,
    is_linear: bool,
    /// The middle of a narrow sector of directions, and ε.
    sector: Option<([f64; 2], f64)>,
    friction: &'a Friction,
}

fn by_energy(system: &System, decisions: &[Decision]) -> bool {
    let mut flat = Flat::space(system.n);
    for (member, decision) in decisions.iter().enumerate() {
        if !system.equations(member, *decision, &mut flat) {
            return false;
        }
    }
    let directions = flat.directions();
    let size = directions.len();
    let mut counts = vec![false; system.n];
    let mut terms: Vec<Term> = Vec::new();
    for (member, decision) in decisions.iter().enumerate() {
        match &system.problem.members[member] {
            Member::OneSided { at } if decision.kind == Kind::Undecided => counts[*at] = true,
            Member::Friction(f) => {
                let is_equal = f.limit == f.coefficient && f.limit_constant == f.constant;
                let normal = system.normal(member, *decision);
                let slip: Vec<Form> = match (f.sliding, decision.kind) {
                    (Some(_), _) | (None, Kind::Slides(_)) if normal.is_some() => continue,
                    (None, Kind::Sticks) => continue,
                    (None, Kind::Undecided) if !is_equal => return false,
                    (Some(s), _) => {
                        let slip = (0..f.components)
                            .fold(Form::zero(system.n), |sum, k| sum.plus(s[k], &system.motion[f.at + k]));
                        vec![slip]
                    }
                    _ => system.motion[f.at..f.at + f.components].to_vec(),
                };
                (f.at..f.at + f.components).for_each(|at| counts[at] = true);
                let is_linear = normal.is_some();
                let loads = match (normal, &system.normals[member]) {
                    (Some(form), _) => vec![form],
                    (None, Normal::Known(l) | Normal::Magnitude(l) | Normal::Positive(l)) => vec![l.clone()],
                    (None, Normal::Norm(l)) => l.clone(),
                };
                let radius = loads.into_iter().map(|l| l.times(f.coefficient)).collect();
                let sector = match decision.kind {
                    Kind::Turns { middle, within } if within < NARROW && is_linear && f.components == 2 => {
                        let (sin, cos) = elementary::sin_cos(middle);
                        Some(([cos, sin], 0.5 * within * within + within / elementary::cos(within)))
                    }
                    _ => None,
                };
                join(&mut terms, Term { slip, radius, is_linear, sector, friction: f });
            }
            _ => {}
        }
    }
    let along = |form: &Form| -> Vec<f64> { directions.iter().map(|z| dot(&form.a, z)).collect() };
    let moves: Vec<Vec<f64>> = system.motion.iter().map(along).collect();
    let mut form = vec![0.0; size * size];
    for at in (0..system.n).filter(|&at| counts[at]) {
        for i in 0..size {
            for j in 0..size {
                form[i * size + j] += 0.5 * (directions[i][at] * moves[at][j] + directions[j][at] * moves[at][i]);
            }
        }
    }
    let energy = Energy::of(&form, size);
    let measure = |v: &[Vec<f64>]| v.iter().map(|v| energy.square(v)).sum::<f64>().sqrt();
    for term in &terms {
        let slip: Vec<Vec<f64>> = term.slip.iter().map(along).collect();
        let radius: Vec<Vec<f64>> = term.radius.iter().map(along).collect();
        let (of_slip, of_radius) = (measure(&slip), measure(&radius));
        if of_slip == 0.0 || of_radius == 0.0 {
            continue;
        }
        let t = of_radius / of_slip;
        if let Some((d, _)) = term.sector {
            let along: Vec<f64> = slip[0].iter().zip(&slip[1]).map(|(a, b)| d[0] * a + d[1] * b).collect();
            for i in 0..size {
                for j in 0..size {
                    form[i * size + j] += 0.5 * (along[i] * radius[0][j] + along[j] * radius[0][i]);
                }
            }
        }
        let bound = term.sector.map_or(1.0, |(_, epsilon)| epsilon);
        for (v, factor) in slip.iter().map(|v| (v, t)).chain(radius.iter().map(|v| (v, 1.0 / t))) {
            for i in 0..size {
                for j in 0..size {
                    form[i * size + j] -= 0.5 * bound * factor * v[i] * v[j];
                }
            }
        }
    }
    zeros_of_nonnegative(form, size).is_some_and(|zeros| {
        zeros.iter().all(|zero| moves.iter().all(|row| dot(row, zero).abs() <= NO_MOTION * norm(zero)))
    })
}

/// What t is chosen by: |v|² in the inverse of the energy, for which t = |radius|/|slip| is best for a single contact.
struct Energy {
    /// The lower triangle C of C Cᵀ, row by row, with pivots that are no less than [`ZERO_PIVOT`].
    triangle: Vec<Vec<f64>>,
}

impl Energy {
    fn of(form: &[f64], size: usize) -> Energy {
        let mut triangle: Vec<Vec<f64>> = Vec::with_capacity(size);
        for i in 0..size {
            let mut row: Vec<f64> = Vec::with_capacity(i + 1);
            for (j, other) in triangle.iter().enumerate() {
                row.push((form[i * size + j] - dot(&row, &other[..j])) / other[j]);
            }
            row.push((form[i * size + i] - dot(&row, &row)).max(ZERO_PIVOT).sqrt());
            triangle.push(row);
        }
        Energy { triangle }
    }

    fn square(&self, v: &[f64]) -> f64 {
        let mut w: Vec<f64> = Vec::with_capacity(v.len());
        for (row, v) in self.triangle.iter().zip(v) {
            w.push((v - dot(&w, row)) / row[w.len()]);
        }
        dot(&w, &w)
    }
}

/// Adds a term, or joins it to one with the same slip.
fn join<'a>(terms: &mut Vec<Term<'a>>, term: Term<'a>) {
    let is_same = |a: &Form, b: &Form| {
        let close = |x: f64, y: f64, size: f64| (x - y).abs() <= super::ROUNDING * size;
        close(a.constant, b.constant, a.size + b.size) && a.a.iter().zip(&b.a).all(|(x, y)| close(*x, *y, norm(&a.a)))
    };
    let friction = term.friction;
    let twin = terms.iter_mut().find(|other| {
        term.is_linear
            && other.is_linear
            && term.sector.is_none()
            && other.sector.is_none()
            && friction.sliding.is_none()
            && other.friction.sliding.is_none()
            && friction.components == other.friction.components
            && term.slip.iter().zip(&other.slip).all(|(a, b)| is_same(a, b))
    });
    match twin {
        Some(other) => {
            let sum = other.radius[0].clone().plus(1.0, &term.radius[0]);
            // Shares that cancel leave rounding, which would otherwise be taken for an influence of nothing but itself.
            let size = norm(&other.radius[0].a) + norm(&term.radius[0].a);
            let a = sum.a.iter().map(|v| if v.abs() <= super::ROUNDING * size { 0.0 } else { *v }).collect();
            other.radius[0] = Form { a, ..sum };
        }
        None => terms.push(term),
    }
}

/// The null space of a symmetric matrix, if that is positive semi-definite, by elimination along its largest pivots.
fn zeros_of_nonnegative(mut form: Vec<f64>, size: usize) -> Option<Vec<Vec<f64>>> {
    let mut order: Vec<usize> = (0..size).collect();
    let mut rank = 0;
    // Rows of the triangle, in the order of pivots.
    let mut rows: Vec<Vec<f64>> = Vec::new();
    while rank < size {
        let at = |k: usize| form[order[k] * size + order[k]];
        let best = (rank..size).max_by(|&a, &b| at(a).total_cmp(&at(b)))?;
        if (rank..size).any(|k| at(k) < -ZERO_PIVOT) {
            return None;
        }
        if at(best) <= ZERO_PIVOT {
            let left = (rank..size).any(|i| (rank..size).any(|j| form[order[i] * size + order[j]].abs() > ZERO_PIVOT));
            if left {
                return None;
            }
            break;
        }
        order.swap(rank, best);
        let p = order[rank];
        let pivot = form[p * size + p];
        let row: Vec<f64> = (0..size).map(|j| form[p * size + j] / pivot).collect();
        for &i in &order[rank + 1..] {
            let factor = form[i * size + p];
            (0..size).for_each(|j| form[i * size + j] -= factor * row[j]);
        }
        rows.push(row);
        rank += 1;
    }
    let zeros = order[rank..].iter().map(|&free| {
        let mut zero = vec![0.0; size];
        zero[free] = 1.0;
        for k in (0..rank).rev() {
            zero[order[k]] = -order[k + 1..].iter().map(|&j| rows[k][j] * zero[j]).sum::<f64>();
        }
        zero
    });
    Some(zeros.collect())
}

fn by_contraction(system: &System, decisions: &[Decision]) -> bool {
    let n = system.n;
    let mut bound = vec![0.0; n * n];
    for (member, decision) in decisions.iter().enumerate() {
        if decision.kind != Kind::Undecided {
            return false;
        }
        match &system.problem.members[member] {
            Member::Open { .. } => return false,
            Member::Follows { at, row } => {
                (0..n).for_each(|j| bound[at * n + j] = system.load[*row].a[j].abs());
            }
            Member::OneSided { at } => {
                let g = &system.motion[*at].a;
                if g[*at] <= 0.0 {
                    return false;
                }
                (0..n).filter(|j| j != at).for_each(|j| bound[at * n + j] = g[j].abs() / g[*at]);
            }
            Member::Friction(f) => {
                let slope = |j: usize| match &system.normals[member] {
                    Normal::Known(l) | Normal::Magnitude(l) | Normal::Positive(l) => f.coefficient.abs() * l.a[j].abs(),
                    Normal::Norm(l) => f.coefficient.abs() * norm(&l.iter().map(|l| l.a[j]).collect::<Vec<_>>()),
                };
                if let Some(s) = f.sliding {
                    (0..f.components)
                        .for_each(|k| (0..n).for_each(|j| bound[(f.at + k) * n + j] = s[k].abs() * slope(j)));
                    continue;
                }
                let g = &system.motion[f.at].a;
                let is_equal = f.limit == f.coefficient && f.limit_constant == f.constant;
                if f.components > 1 || !is_equal || g[f.at] <= 0.0 {
                    return false;
                }
                for j in 0..n {
                    let push = if j == f.at { 0.0 } else { g[j].abs() / g[f.at] };
                    bound[f.at * n + j] = push.max(slope(j));
                }
            }
        }
    }
    let mut v = vec![1.0; n];
    for _ in 0..POWERS {
        let w: Vec<f64> = (0..n).map(|i| dot(&bound[i * n..][..n], &v)).collect();
        if w.iter().zip(&v).all(|(w, v)| *w <= (1.0 - SPARE) * v) {
            return true;
        }
        // Half of the old keeps every entry positive and damps what alternates.
        let most = w.iter().chain(&v).copied().fold(0.0, f64::max);
        v.iter_mut().zip(&w).for_each(|(v, w)| *v = (*v + w) / (2.0 * most));
    }
    false
}
