//! What the numbers of one answer must satisfy among themselves.

use crate::gauge::{Gauge, Verdict};
use crate::sizes::Sizes;
use crate::subject::{Answer, Subject, largest};
use holonom::{Motion, Workspace};
use holonom_reference::{Real, Twofold};

/// What rounding may leave of an equation, relative to its terms. Answers whose factors lose no more than three
/// digits are not refined (10⁻¹⁶ · 10³, over some ten terms).
const TIGHT: f64 = 1e-11;
/// The same, where the terms vanish and only the rounding of the largest number around is left.
const LAST: f64 = 1e-13;
/// What is left of the reference's own 32 digits.
const REFERENCE: f64 = 1e-26;

/// The sum of products, in twice the precision, of a vector of the reference and one of the kernel's.
fn work(v: &[Twofold], f: &[f64]) -> Twofold {
    v.iter().zip(f).fold(Twofold::zero(), |sum, (v, f)| sum + *v * Twofold::from_f64(*f))
}

/// Σ|vⱼ||fⱼ|.
fn size(v: &[Twofold], f: &[f64]) -> f64 {
    v.iter().zip(f).map(|(v, f)| (v.to_f64() * f).abs()).sum()
}

/// Ranks, uniqueness (2006, result 3), consistency and balance are what exact arithmetic says.
pub fn verdicts(subject: &Subject, answer: &Answer, _: &mut Workspace) -> Verdict {
    let (facts, motion) = (&subject.system.facts, &answer.motion);
    let mut gauge = Gauge::new("verdicts", subject.floor());
    let mut equal = |what: &str, found: usize, known: Option<usize>| {
        if let Some(known) = known {
            gauge.at_most(what, found.abs_diff(known) as f64, 0.0);
        }
    };
    equal("rank of A", motion.constraint_rank.rank, facts.rank_A);
    equal("rank of [M; A]", motion.system_rank.rank, facts.rank_Mhat);
    equal("rank of M", motion.mass_rank, facts.mass_rank);
    equal("consistent", motion.consistent.into(), facts.consistent.map(usize::from));
    equal("balanced", motion.balanced.into(), facts.balanced.map(usize::from));
    if let Some(undetermined) = &facts.undetermined {
        gauge.holds("undetermined coordinates", motion.undetermined().eq(undetermined.iter().copied()));
    }
    gauge.verdict()
}

/// `A q̈ = b` (1992, eq. 3; 2005, eq. 5), or `Aᵀ(A q̈ − b) = 0` where no q̈ satisfies it.
pub fn constraints(subject: &Subject, answer: &Answer, _: &mut Workspace) -> Verdict {
    let (a, motion, units) = (subject.arrays(), &answer.motion, &subject.system.units);
    let mut gauge = Gauge::new("constraints", subject.floor());
    let sizes = Sizes::of(subject, motion);
    let residuals: Vec<f64> = a
        .rows()
        .zip(&a.b)
        .map(|(row, b)| {
            let sum = row.iter().zip(&motion.acceleration).fold(Twofold::from_f64(-b), |sum, (a, x)| {
                sum + Twofold::product(*a, *x) // without rounding: the acceleration is on trial, not this sum
            });
            sum.to_f64()
        })
        .collect();
    for (i, residual) in residuals.iter().enumerate() {
        gauge.at_most("reported residual", (residual - motion.residuals[i]).abs(), TIGHT * sizes.rows[i]);
        if motion.consistent {
            // Where a row asks for no acceleration at all, the last digits of the largest one are left.
            let last: f64 = a.row(i).iter().zip(&sizes.acceleration).map(|(a, x)| (a * x).abs()).sum();
            gauge.at_most("A q̈ = b", residual.abs(), TIGHT * sizes.rows[i] + LAST * last);
        }
    }
    if !motion.consistent {
        for j in 0..a.n() {
            // Each row enters with its own terms, so that is what its rounding is relative to.
            let (mut sum, mut terms) = (0.0, 0.0);
            for (i, row) in a.rows().enumerate() {
                let last: f64 = row.iter().zip(&sizes.acceleration).map(|(a, x)| (a * x).abs()).sum();
                sum += row[j] * residuals[i];
                terms += row[j].abs() * (TIGHT * sizes.rows[i] + LAST * last);
            }
            // A long row that contradicts another leaves its residual's rounding to all rows.
            let longest = a.rows().zip(&residuals).fold(0.0, |l: f64, (row, r)| l.max((largest(row) * r).abs()));
            gauge.at_most("Aᵀ(A q̈ − b) = 0", sum.abs(), terms + TIGHT * longest / units[j]);
        }
    }
    gauge.verdict()
}

/// On a virtual displacement, ideal constraints do no work and all constraints do that of C (2005, eqs 7, 9).
pub fn virtual_work(subject: &Subject, answer: &Answer, _: &mut Workspace) -> Verdict {
    let mut gauge = Gauge::new("virtual-work", subject.floor());
    let Some(basis) = subject.virtual_displacements() else { return gauge.verdict() };
    let (motion, sizes) = (&answer.motion, Sizes::of(subject, &answer.motion));
    let C = subject.arrays().C_or_zero();
    for column in 0..basis.cols() {
        let v = basis.column_at(column);
        // Qᵢ may vanish where Q does not: its rounding is relative to the forces that it balances.
        let allowed = TIGHT * size(&v, &sizes.balance) + REFERENCE * largest(&sizes.balance);
        let ideal = work(&v, &motion.ideal_force);
        gauge.at_most("vᵀQᵢ = 0", ideal.to_f64().abs(), allowed);
        let difference = ideal + work(&v, &motion.nonideal_force) - work(&v, &C);
        gauge.at_most("vᵀ(Qᵢ + Qₙᵢ) = vᵀC", difference.to_f64().abs(), allowed);
    }
    gauge.verdict()
}

/// Π f, the part of a force along the free directions.
fn free_part(motion: &Motion, f: &[f64]) -> Vec<f64> {
    let mut part = vec![0.0; f.len()];
    for w in motion.free_directions() {
        let along: f64 = w.iter().zip(f).map(|(w, f)| w * f).sum();
        part.iter_mut().zip(w).for_each(|(part, w)| *part += along * w);
    }
    part
}

/// `Qᵢ + Qₙᵢ = M q̈ − Q + Π(Q + C)` (2006, eq. 2.2; the last term where nothing can balance a force).
pub fn newton(subject: &Subject, answer: &Answer, _: &mut Workspace) -> Verdict {
    let (a, motion) = (subject.arrays(), &answer.motion);
    let mut gauge = Gauge::new("newton", subject.floor());
    let sizes = Sizes::of(subject, motion);
    let C = a.C_or_zero();
    let total: Vec<f64> = a.Q.iter().zip(&C).map(|(q, c)| q + c).collect();
    for (j, unbalanced) in free_part(motion, &total).into_iter().enumerate() {
        let mut sum = Twofold::from_f64(-a.Q[j]);
        for (mass, x) in a.mass_row(j).iter().zip(&motion.acceleration) {
            sum += Twofold::product(*mass, *x);
        }
        sum += Twofold::from_f64(unbalanced);
        sum -= Twofold::sum(motion.ideal_force[j], motion.nonideal_force[j]);
        // Where no force acts at all, the last digit of the largest one is left.
        let allowed = TIGHT * sizes.balance[j] + 4.0 * f64::EPSILON * sizes.force[j];
        gauge.at_most("Qᵢ + Qₙᵢ = M q̈ − Q + Π(Q + C)", sum.to_f64().abs(), allowed);
        // What is judged to be balanced is reported as zero, so the reported force may miss that much.
        let missing = (motion.unbalanced_force[j] - unbalanced).abs();
        gauge.at_most("reported unbalanced force", missing, 1e-10 * sizes.force[j]);
        if motion.balanced {
            gauge.at_most("balanced means no unbalanced force", motion.unbalanced_force[j].abs(), 0.0);
        }
    }
    gauge.verdict()
}

/// `Qᵢ = Aᵀλᵢ`, `Qᵢ + Qₙᵢ = C + Aᵀλ`, and no shorter λ does it: λ is orthogonal to every u with uᵀA = 0.
pub fn multipliers(subject: &Subject, answer: &Answer, _: &mut Workspace) -> Verdict {
    let (a, motion) = (subject.arrays(), &answer.motion);
    let mut gauge = Gauge::new("multipliers", subject.floor());
    let (C, sizes) = (a.C_or_zero(), Sizes::of(subject, motion));
    let pairs = [("Qᵢ = Aᵀλᵢ", &motion.ideal_multipliers), ("Qᵢ + Qₙᵢ = C + Aᵀλ", &motion.reactions)];
    for (which, (what, lambda)) in pairs.into_iter().enumerate() {
        for j in 0..a.n() {
            let force = if which == 0 {
                Twofold::from_f64(motion.ideal_force[j])
            } else {
                Twofold::sum(motion.ideal_force[j], motion.nonideal_force[j]) - Twofold::from_f64(C[j])
            };
            // λ is rounded, and large λ of nearly dependent rows cancel: the terms are what counts. Where rows of
            // very different length share a load, the least of them takes the last digit of the largest.
            let (mut difference, mut terms, mut last) = (force, sizes.balance[j], 0.0);
            for ((row, lambda), size) in a.rows().zip(lambda).zip(&sizes.multiplier) {
                difference -= Twofold::product(row[j], *lambda);
                terms += (row[j] * lambda).abs();
                last += (row[j] * size).abs();
            }
            gauge.at_most(what, difference.to_f64().abs(), TIGHT * terms + 4.0 * f64::EPSILON * last);
        }
        let Some(left) = subject.left_null() else { continue };
        for column in 0..left.cols() {
            let u = left.column_at(column);
            let allowed = TIGHT * size(&u, lambda) + f64::EPSILON * size(&u, &sizes.multiplier);
            gauge.at_most("λ of least norm", work(&u, lambda).to_f64().abs(), allowed);
        }
    }
    gauge.verdict()
}

/// An orthonormal basis of N(M) ∩ N(A), as many as rank [M; A] lacks (2006, result 3), none of it in q̈.
pub fn free_directions(subject: &Subject, answer: &Answer, _: &mut Workspace) -> Verdict {
    let (a, motion) = (subject.arrays(), &answer.motion);
    let (n, units) = (a.n(), &subject.system.units);
    let mut gauge = Gauge::new("free-directions", subject.floor());
    let directions: Vec<Vec<f64>> = motion.free_directions().collect();
    gauge.holds("as many as the rank lacks", directions.len() + motion.system_rank.rank == n);
    gauge.holds("unique means none", motion.is_unique() == directions.is_empty());
    let reached = (0..n).filter(|j| directions.iter().any(|w| w[*j] != 0.0));
    gauge.holds("they reach the undetermined coordinates", reached.eq(motion.undetermined()));
    let length = motion.acceleration.iter().map(|x| x * x).sum::<f64>().sqrt();
    let dot = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>();
    for (i, w) in directions.iter().enumerate() {
        for (j, other) in directions[..=i].iter().enumerate() {
            gauge.at_most("orthonormal", (dot(w, other) - f64::from(i == j)).abs(), TIGHT);
        }
        gauge.at_most("q̈ has nothing along them", dot(w, &motion.acceleration).abs(), TIGHT * length);
        // A direction is known up to rounding of its largest component, in the units of the coordinates.
        let size = w.iter().zip(units).fold(0.0, |m: f64, (w, u)| m.max((w / u).abs()));
        let vanishes = |gauge: &mut Gauge, what: &str, row: &[f64]| {
            let terms: f64 = row.iter().zip(units).map(|(x, u)| (x * u).abs() * size).sum();
            gauge.at_most(what, dot(row, w).abs(), TIGHT * terms);
        };
        (0..n).for_each(|j| vanishes(&mut gauge, "M w = 0", a.mass_row(j)));
        a.rows().for_each(|row| vanishes(&mut gauge, "A w = 0", row));
    }
    gauge.verdict()
}
