//! The kernel against the papers' formulas in 32 digits.

use crate::gauge::{Gauge, Verdict};
use crate::sizes::{Allowed, Sizes};
use crate::subject::{Answer, Subject, largest};
use holonom::Workspace;

/// (2.14) of 2006 and the split of its forces, by parts, with the ranks known beforehand.
pub fn reference(subject: &Subject, answer: &Answer, _: &mut Workspace) -> Verdict {
    let motion = &answer.motion;
    let mut gauge = Gauge::new("reference", subject.floor());
    let Some(reference) = subject.reference() else { return gauge.verdict() };
    let reference = reference.to_f64();
    let sizes = Sizes::of(subject, motion);
    let Some(allowed) = Allowed::of(subject, motion, &sizes) else { return gauge.verdict() };
    // The reference rounds too, in the 32nd digit of what it adds up: seen where nothing else is left.
    let a = subject.arrays();
    let own = 1e-24 * largest(&a.M) * largest(&reference.qdd);
    let own_q = 1e-24 * largest(&sizes.acceleration);
    gauge.same("q̈", &motion.acceleration, &reference.qdd, |j| allowed.acceleration[j] + own_q);
    gauge.same("Qᵢ", &motion.ideal_force, &reference.Qi, |j| allowed.force[j] + own);
    gauge.same("Qₙᵢ", &motion.nonideal_force, &reference.Qni, |j| allowed.force[j] + own);
    let shortest = a.rows().map(largest).filter(|l| *l > 0.0).fold(f64::INFINITY, f64::min);
    let by = |i: usize| allowed.multiplier[i] + own / shortest;
    // Least norms over rows that differ by more than that are beyond the reference's digits, too.
    if a.rows().map(largest).fold(0.0, f64::max) < 1e12 * shortest {
        gauge.same("λ", &motion.reactions, &reference.lambda, by);
        gauge.same("λᵢ", &motion.ideal_multipliers, &reference.lambda_ideal, by);
    }
    // A force below 10⁻¹⁰ of its terms is called balanced and reported as zero.
    gauge.same("unbalanced", &motion.unbalanced_force, &reference.unbalanced, |j| 1e-10 * sizes.force[j]);
    let last = |i: usize| a.row(i).iter().zip(&allowed.acceleration).map(|(a, x)| (a * x).abs()).sum::<f64>();
    gauge.same("A q̈ − b", &motion.residuals, &reference.residual, |i| 1e-12 * sizes.rows[i] + last(i));
    gauge.verdict()
}
