//! What may be changed in a system without changing its motion, and what changes it in proportion.

use crate::gauge::{Gauge, Verdict};
use crate::generate::change_units;
use crate::sizes::{Allowed, Sizes};
use crate::subject::{Answer, Subject, largest};
use crate::system::Arrays;
use holonom::{Motion, Workspace};
use holonom_random::Random;

/// q̈, Qᵢ and Qₙᵢ of two answers are the same, up to what rounding does to the answer.
pub(super) fn same_motion(gauge: &mut Gauge, allowed: &Allowed, found: &Motion, expected: &Motion) {
    gauge.same("q̈", &found.acceleration, &expected.acceleration, |j| allowed.acceleration[j]);
    gauge.same("Qᵢ", &found.ideal_force, &expected.ideal_force, |j| allowed.force[j]);
    gauge.same("Qₙᵢ", &found.nonideal_force, &expected.nonideal_force, |j| allowed.force[j]);
}

/// What the answer may differ by when the system is written differently.
pub(super) fn allowed(subject: &Subject, motion: &Motion) -> Option<Allowed> {
    Allowed::of(subject, motion, &Sizes::of(subject, motion))
}

/// Rows times 2ᵏ or 10⁶, with their right sides, leave a consistent motion alone and divide the multipliers of
/// independent rows (any {1,4}-inverse serves: 2005, after eq. 22).
pub fn row_scale(subject: &Subject, answer: &Answer, workspace: &mut Workspace) -> Verdict {
    let (a, motion) = (subject.arrays(), &answer.motion);
    let mut gauge = Gauge::new("row-scale", subject.floor());
    // Of nearly dependent rows, other pivots leave other digits: 10⁻⁵ of the force, as their data do.
    if !motion.consistent || a.m() == 0 || subject.system.has("near-dependent") {
        return gauge.verdict();
    }
    let mut random = Random::new(subject.system.seed ^ 0xf00d);
    let mut scaled = a.clone();
    let factors: Vec<f64> = (0..a.m())
        .map(|i| {
            let factor = if random.chance(1, 2) { 1e6 } else { random.power(20) };
            let rounds = |x: &f64| x.mul_add(factor, -(x * factor)) != 0.0;
            // Rounded rows times 10⁶ would be other rows.
            if a.row(i).iter().chain([&a.b[i]]).any(rounds) { 1024.0 } else { factor }
        })
        .collect();
    let n = a.n();
    scaled.A.iter_mut().enumerate().for_each(|(at, x)| *x *= factors[at / n]);
    scaled.b.iter_mut().zip(&factors).for_each(|(b, f)| *b *= f);
    let Some(other) = gauge.answered("scaled rows", workspace.solve(&scaled.snapshot())) else {
        return gauge.verdict();
    };
    let Some(allowed) = allowed(subject, motion) else { return gauge.verdict() };
    same_motion(&mut gauge, &allowed, other, motion);
    if motion.constraint_rank.rank == a.m() {
        let back = |x: &[f64]| x.iter().zip(&factors).map(|(x, f)| x * f).collect::<Vec<_>>();
        gauge.same("λ", &back(&other.reactions), &motion.reactions, |i| allowed.multiplier[i]);
        gauge.same("λᵢ", &back(&other.ideal_multipliers), &motion.ideal_multipliers, |i| allowed.multiplier[i]);
    }
    gauge.verdict()
}

/// q = S q′ turns M, Q, A, C into SMS, SQ, AS, SC and a unique motion into S⁻¹q̈.
pub fn units(subject: &Subject, answer: &Answer, workspace: &mut Workspace) -> Verdict {
    let (a, motion) = (subject.arrays(), &answer.motion);
    let mut gauge = Gauge::new("units", subject.floor());
    // Contradictory rows are weighed against each other by least squares over A alone, and a gap of 10⁻¹¹ may
    // fall below what counts when columns change: neither is a matter of units only.
    // Nor are units over more than sixteen orders, where a column is taken for rounding of the others.
    let wild = subject.system.has("near-dependent") || subject.system.has("units");
    if !motion.is_unique() || !motion.consistent || wild {
        return gauge.verdict();
    }
    let mut random = Random::new(subject.system.seed ^ 0xbeef);
    let units: Vec<f64> = (0..a.n()).map(|_| random.power(10)).collect();
    let mut changed = a.clone();
    change_units(&mut changed, &units);
    let Some(other) = gauge.answered("other units", workspace.solve(&changed.snapshot())) else {
        return gauge.verdict();
    };
    let mut other = other.clone();
    other.acceleration.iter_mut().zip(&units).for_each(|(x, u)| *x /= u);
    let forces = other.ideal_force.iter_mut().zip(&units).chain(other.nonideal_force.iter_mut().zip(&units));
    forces.for_each(|(f, u)| *f *= u);
    if let Some(allowed) = allowed(subject, motion) {
        same_motion(&mut gauge, &allowed, &other, motion);
    }
    gauge.verdict()
}

/// Rows and coordinates in another order give the answer in that order.
pub fn order(subject: &Subject, answer: &Answer, workspace: &mut Workspace) -> Verdict {
    let (a, motion) = (subject.arrays(), &answer.motion);
    let mut gauge = Gauge::new("order", subject.floor());
    let mut random = Random::new(subject.system.seed ^ 0xcafe);
    let (rows, columns, n) = (random.order(a.m()), random.order(a.n()), a.n());
    let vector = |v: &[f64]| columns.iter().map(|j| v[*j]).collect::<Vec<_>>();
    let shuffled = Arrays {
        M: columns.iter().flat_map(|i| vector(&a.M[i * n..(i + 1) * n])).collect(),
        Q: vector(&a.Q),
        A: rows.iter().flat_map(|i| vector(a.row(*i))).collect(),
        b: rows.iter().map(|i| a.b[*i]).collect(),
        C: a.C.as_ref().map(|C| vector(C)),
    };
    let Some(other) = gauge.answered("another order", workspace.solve(&shuffled.snapshot())) else {
        return gauge.verdict();
    };
    let back = |v: &[f64], order: &[usize]| {
        let mut out = vec![0.0; v.len()];
        order.iter().zip(v).for_each(|(i, x)| out[*i] = *x);
        out
    };
    let mut other = other.clone();
    for v in [&mut other.acceleration, &mut other.ideal_force, &mut other.nonideal_force] {
        *v = back(v, &columns);
    }
    if let Some(allowed) = allowed(subject, motion) {
        same_motion(&mut gauge, &allowed, &other, motion);
        let by = |i: usize| allowed.multiplier[i];
        gauge.same("λ", &back(&other.reactions, &rows), &motion.reactions, by);
        gauge.same("λᵢ", &back(&other.ideal_multipliers, &rows), &motion.ideal_multipliers, by);
    }
    gauge.holds("same verdicts", (other.consistent, other.balanced) == (motion.consistent, motion.balanced));
    gauge.verdict()
}

/// A row said twice changes nothing but how the two share their multiplier.
pub fn repetition(subject: &Subject, answer: &Answer, workspace: &mut Workspace) -> Verdict {
    let (a, motion) = (subject.arrays(), &answer.motion);
    let mut gauge = Gauge::new("repetition", subject.floor());
    if !motion.consistent || a.m() == 0 {
        return gauge.verdict();
    }
    let mut random = Random::new(subject.system.seed ^ 0xd0d0);
    let (row, factor) = (random.index(a.m()), random.pick(&[1.0, -1.0, 4.0, 0.5]));
    let mut repeated = a.clone();
    repeated.A.extend(a.row(row).iter().map(|x| factor * x));
    repeated.b.push(factor * a.b[row]);
    let Some(other) = gauge.answered("a repeated row", workspace.solve(&repeated.snapshot())) else {
        return gauge.verdict();
    };
    gauge.holds("same rank", other.constraint_rank.rank == motion.constraint_rank.rank);
    gauge.holds("same verdicts", (other.consistent, other.balanced) == (motion.consistent, motion.balanced));
    if let Some(allowed) = allowed(subject, motion) {
        same_motion(&mut gauge, &allowed, other, motion);
    }
    gauge.verdict()
}

/// (2.14) is linear in (Q, b, C): the answer to −3 times the forces plus others is −3 times the answer plus the
/// others' answer.
pub fn superposition(subject: &Subject, answer: &Answer, workspace: &mut Workspace) -> Verdict {
    let (a, motion) = (subject.arrays(), &answer.motion);
    let units = &subject.system.units;
    let mut gauge = Gauge::new("superposition", subject.floor());
    // Contradictory right sides are weighed by least squares, where 10⁶ times a rounding may be all that is left.
    // Adding up rounds, and a gap of 10⁻¹¹ makes 10⁻⁵ of that.
    if !motion.consistent || subject.system.has("near-dependent") {
        return gauge.verdict();
    }
    let mut random = Random::new(subject.system.seed ^ 0xadd);
    let push = |random: &mut Random, size: f64| units.iter().map(|u| random.integer(4) * size / u).collect::<Vec<_>>();
    let scale = power_of_two(largest(&a.Q.iter().zip(units).map(|(q, u)| q * u).collect::<Vec<_>>()));
    let mut added = a.clone();
    added.Q = push(&mut random, scale);
    added.C = Some(push(&mut random, scale));
    let x: Vec<f64> = units.iter().map(|u| random.integer(3) * u).collect();
    added.b = a.rows().map(|row| row.iter().zip(&x).map(|(a, x)| a * x).sum()).collect();
    let sum = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| y - 3.0 * x).collect::<Vec<f64>>();
    let mut both = added.clone();
    both.Q = sum(&a.Q, &added.Q);
    both.C = Some(sum(&a.C_or_zero(), &added.C_or_zero()));
    both.b = sum(&a.b, &added.b);
    let Some(other) = gauge.answered("added", workspace.solve(&added.snapshot())).cloned() else {
        return gauge.verdict();
    };
    let Some(all) = gauge.answered("sum", workspace.solve(&both.snapshot())).cloned() else {
        return gauge.verdict();
    };
    let pair = [allowed(subject, motion), allowed(subject, &other), allowed(subject, &all)];
    let [Some(one), Some(two), Some(three)] = pair else { return gauge.verdict() };
    let expected = |x: fn(&Motion) -> &[f64]| sum(x(motion), x(&other));
    let allowed = |x: fn(&Allowed) -> &[f64], j: usize| 3.0 * x(&one)[j] + x(&two)[j] + x(&three)[j];
    let by = |j: usize| allowed(|a| &a.force, j);
    gauge.same("q̈", &all.acceleration, &expected(|m| &m.acceleration), |j| allowed(|a| &a.acceleration, j));
    gauge.same("Qᵢ", &all.ideal_force, &expected(|m| &m.ideal_force), by);
    gauge.same("Qₙᵢ", &all.nonideal_force, &expected(|m| &m.nonideal_force), by);
    gauge.verdict()
}

fn power_of_two(x: f64) -> f64 {
    if x == 0.0 { 1.0 } else { 2f64.powi(x.log2().floor() as i32) }
}
