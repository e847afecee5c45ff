//! The inverse question (Udwadia, Kalaba & Fan 2005): a motion says which forces are behind it, up to Aᵀµ.

use super::invariance::{allowed, same_motion as the_same};
use crate::gauge::{Gauge, Verdict};
use crate::rounding::Rounding;
use crate::sizes::{Allowed, Sizes};
use crate::subject::{Answer, Subject, largest};
use holonom::Workspace;
use holonom_random::Random;
use holonom_reference::{Matrix, lift, lower};

/// C and C + Aᵀµ do the same virtual work, so they give the same q̈ and Qₙᵢ.
pub fn same_motion(subject: &Subject, answer: &Answer, workspace: &mut Workspace) -> Verdict {
    let (a, motion) = (subject.arrays(), &answer.motion);
    let mut gauge = Gauge::new("same-motion", subject.floor());
    // C + Aᵀµ is rounded, and a gap of 10⁻¹¹ makes 10⁻⁵ of that.
    if a.m() == 0 || subject.system.has("near-dependent") {
        return gauge.verdict();
    }
    let mut random = Random::new(subject.system.seed ^ 0xc0de);
    let sizes = Sizes::of(subject, motion);
    let mut other = subject.system.clone();
    let mut C = a.C_or_zero();
    for (i, row) in a.rows().enumerate() {
        // A force comparable to those that act: anything larger would only add its own rounding.
        let size = if sizes.multiplier[i] == 0.0 { 1.0 } else { sizes.multiplier[i] };
        let mu = random.integer(2) * 2f64.powi(size.log2().floor() as i32);
        C.iter_mut().zip(row).for_each(|(c, a)| *c += mu * a);
    }
    other.arrays.C = Some(C);
    other.exact = false; // the sum is rounded, and M q̈ shows it
    let pushed = Subject::new(&other);
    let Some(found) = gauge.answered("C + Aᵀµ", workspace.solve(&other.arrays.snapshot())) else {
        return gauge.verdict();
    };
    // C + Aᵀµ is rounded: its rounding is a force of the size of the larger C.
    if let (Some(one), Some(two)) = (allowed(subject, motion), Allowed::of(&pushed, found, &Sizes::of(&pushed, found)))
    {
        let sum = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| x + y).collect();
        let mut both = Allowed {
            acceleration: sum(&one.acceleration, &two.acceleration),
            force: sum(&one.force, &two.force),
            multiplier: Vec::new(),
        };
        // M⁻¹Aᵀµ is taken back by the constraints, up to its own rounding.
        for (j, allowed) in both.acceleration.iter_mut().enumerate().filter(|(j, _)| a.mass_row(*j)[*j] > 0.0) {
            let added = other.arrays.C_or_zero()[j].abs() / a.mass_row(j)[j];
            *allowed += 10.0 * f64::EPSILON * added;
        }
        the_same(&mut gauge, &both, found, motion);
    }
    gauge.verdict()
}

/// From q̈ alone: F^L = Qᵢ and F^C = Qₙᵢ (science paper, eqs 10, 11), C without what no motion shows, and whether the
/// constraints allow it.
pub fn explain(subject: &Subject, answer: &Answer, _: &mut Workspace) -> Verdict {
    let (a, motion, why) = (subject.arrays(), &answer.motion, &answer.explanation);
    let mut gauge = Gauge::new("explain", subject.floor());
    // A motion that is zero but for the rounding of a C that is not told any more satisfies nothing; and forces of
    // 10⁹ may hide a contradiction of 1.
    let vanishes = largest(&motion.acceleration) < 1e-12 * largest(a.C.as_deref().unwrap_or_default());
    let hidden = !motion.consistent && subject.system.has("stack-scale");
    if !vanishes && !hidden {
        gauge.holds("admissible where the constraints can be met", why.admissible == motion.consistent);
    }
    if !motion.balanced {
        return gauge.verdict(); // no force explains a motion that leaves a force aside
    }
    let sizes = Sizes::of(subject, motion);
    // Forces come back as M q̈ − Q, with q̈ rounded: the terms of Newton's equation are what rounding is relative to.
    let allowed = |j: usize| 1e-12 * (sizes.balance[j] + sizes.force[j]);
    gauge.same("F^L = Qᵢ", &why.ideal_force, &motion.ideal_force, allowed);
    gauge.same("F^C = Qₙᵢ", &why.nonideal_force, &motion.nonideal_force, allowed);
    // The motion is rounded before it is observed, and a gap of 10⁻¹¹ makes 10⁻⁵ of that.
    if let Some(basis) = subject.virtual_displacements().filter(|_| !subject.system.has("near-dependent")) {
        // (I − A⁺A)C, over N(A), in any unit: one rounding for all.
        let C = Matrix::column(&lift(&a.C_or_zero()));
        let visible = lower(&(basis * (basis.transpose() * C)).column_at(0));
        let size = largest(&sizes.balance).max(largest(&sizes.force));
        // It is projected in f64, once: nearly dependent rows leave it as good as the data.
        let moved = Rounding::of_visible(subject, &sizes.balance).unwrap_or_default();
        gauge.same("C up to Aᵀµ", &why.nonideal_part, &visible, |j| 1e-12 * size + 100.0 * moved[j]);
    }
    let total = |j: usize| why.nonideal_part[j] + a.rows().zip(&why.reactions).map(|(r, l)| r[j] * l).sum::<f64>();
    let sum: Vec<f64> = (0..a.n()).map(total).collect();
    gauge.same("Q^c = C + Aᵀλ", &sum, &why.constraint_force, |j| {
        let terms: f64 = a.rows().zip(&why.reactions).map(|(r, l)| (r[j] * l).abs()).sum();
        let last: f64 = a.rows().zip(&sizes.multiplier).map(|(r, l)| (r[j] * l).abs()).sum();
        allowed(j) + 1e-12 * (terms + largest(&sizes.force)) + 4.0 * f64::EPSILON * last
    });
    gauge.verdict()
}
