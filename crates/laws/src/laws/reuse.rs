//! What is kept from one solve to the next must not show in the answer.

use super::invariance::{allowed, same_motion};
use crate::gauge::{Gauge, Verdict};
use crate::sizes::Sizes;
use crate::subject::{Answer, Subject, largest};
use holonom::{Motion, MotionError, Workspace};
use holonom_random::Random;

/// The independent rows of a solve, held for the same system, give the same answer. Contradictory rows are not
/// consulted when ranks are held, so consistent systems only.
pub fn held(subject: &Subject, answer: &Answer, workspace: &mut Workspace) -> Verdict {
    let mut gauge = Gauge::new("held", subject.floor());
    let snapshot = subject.arrays().snapshot();
    if !answer.motion.consistent || gauge.answered("solve", workspace.solve(&snapshot)).is_none() {
        return gauge.verdict();
    }
    let structure = workspace.structure();
    gauge.holds("rank held", structure.constraint_rank() == answer.motion.constraint_rank.rank);
    gauge.holds("independent rows", subject.rank_of(structure.independent_rows()) == structure.constraint_rank());
    if let Some(other) = gauge.answered("held", workspace.solve_held(&snapshot, &structure)) {
        compare(&mut gauge, subject, other, &answer.motion);
    }
    gauge.verdict()
}

/// A C given after the system was factored is as good as one given before.
pub fn prepared(subject: &Subject, answer: &Answer, workspace: &mut Workspace) -> Verdict {
    let mut gauge = Gauge::new("prepared", subject.floor());
    let a = subject.arrays();
    let snapshot = a.snapshot();
    let Some(prepared) = gauge.answered("prepare", workspace.prepare(&snapshot)) else { return gauge.verdict() };
    if let Some(allowed) = allowed(subject, &answer.motion) {
        gauge.same("Qᵢ beforehand", prepared.ideal_force(), &answer.motion.ideal_force, |j| allowed.force[j]);
    }
    let C = a.C_or_zero();
    if let Some(other) = gauge.answered("finish", prepared.finish(&C)) {
        compare(&mut gauge, subject, other, &answer.motion);
    }
    gauge.verdict()
}

fn compare(gauge: &mut Gauge, subject: &Subject, found: &Motion, expected: &Motion) {
    if let Some(allowed) = allowed(subject, expected) {
        same_motion(gauge, &allowed, found, expected);
        let by = |i: usize| allowed.multiplier[i];
        gauge.same("λ", &found.reactions, &expected.reactions, by);
        gauge.same("λᵢ", &found.ideal_multipliers, &expected.ideal_multipliers, by);
    }
    let verdicts = |m: &Motion| (m.consistent, m.balanced, m.constraint_rank.rank, m.system_rank.rank);
    gauge.holds("same verdicts", verdicts(found) == verdicts(expected));
}

/// Friction is fed by the reactions that it changes itself: the C found is C₀ + N λ with the λ that it leads to.
pub fn feedback(subject: &Subject, answer: &Answer, workspace: &mut Workspace) -> Verdict {
    let mut gauge = Gauge::new("feedback", subject.floor());
    let a = subject.arrays();
    let (n, m, units) = (a.n(), a.m(), &subject.system.units);
    let determinate = &answer.audit.determinate_multipliers;
    // Reactions of nearly dependent rows are 10¹¹ times what they add up to, and so is a force fed by one of them.
    if !determinate.contains(&true) || !answer.motion.consistent || subject.system.has("near-dependent") {
        return gauge.verdict();
    }
    let mut random = Random::new(subject.system.seed ^ 0xfeed);
    let sizes = Sizes::of(subject, &answer.motion);
    let length: Vec<f64> =
        a.rows().map(|row| row.iter().zip(units).fold(0.0, |l: f64, (a, u)| l.max((a * u).abs()))).collect();
    // A force of the size of the row's own pull, in any direction.
    let mut N = vec![0.0; n * m];
    for i in (0..m).filter(|i| determinate[*i]) {
        (0..n).for_each(|j| N[j * m + i] = random.integer(2) * length[i] / units[j]);
    }
    // Small enough that the reactions converge: no Painlevé here.
    let (mut probe, mut gain) = (a.clone(), 0.0f64);
    probe.Q.fill(0.0);
    probe.b.fill(0.0);
    for i in 0..m {
        probe.C = Some((0..n).map(|j| N[j * m + i]).collect());
        let Some(motion) = gauge.answered("probe", workspace.solve(&probe.snapshot())) else { return gauge.verdict() };
        let pull: f64 = motion.reactions.iter().zip(&length).map(|(x, l)| (x * l).abs()).sum();
        gain += if length[i] > 0.0 { pull / length[i] } else { 0.0 };
    }
    N.iter_mut().for_each(|x| *x /= 4.0 * gain.max(1.0));
    let C0 = a.C_or_zero();
    let snapshot = a.snapshot();
    let Some(prepared) = gauge.answered("prepare", workspace.prepare(&snapshot)) else { return gauge.verdict() };
    let Some((motion, C)) = gauge.answered("feedback", prepared.finish_with_feedback(&C0, &N)) else {
        return gauge.verdict();
    };
    let (motion, C) = (motion.clone(), C.to_vec());
    let expected: Vec<f64> =
        (0..n).map(|j| C0[j] + (0..m).map(|i| N[j * m + i] * motion.reactions[i]).sum::<f64>()).collect();
    let pull = motion.reactions.iter().zip(&length).fold(0.0, |s: f64, (x, l)| s.max((x * l).abs()));
    let force = |j: usize| sizes.force[j].max(pull / units[j]);
    // λ comes out of a second linear solve, whose matrix I − Λ N is at most twice as sensitive as 1; what rounding
    // of the data does to λ, N passes on.
    let Some(moves) = allowed(subject, &motion) else { return gauge.verdict() };
    gauge.same("C = C₀ + N λ", &C, &expected, |j| {
        1e-11 * force(j) + (0..m).map(|i| (N[j * m + i] * moves.multiplier[i]).abs()).sum::<f64>()
    });
    // The motion that this C gives when it is given outright.
    let mut given = a.clone();
    given.C = Some(C);
    if let Some(other) = gauge.answered("given", workspace.solve(&given.snapshot())) {
        compare(&mut gauge, subject, other, &motion);
    }
    // Reactions of redundant rows are a choice: nothing may depend on them.
    if let Some(open) = (0..m).find(|i| !determinate[*i] && largest(a.row(*i)) > 0.0) {
        N[open] += length[open];
        let Some(prepared) = gauge.answered("prepare", workspace.prepare(&snapshot)) else { return gauge.verdict() };
        let refused = matches!(prepared.finish_with_feedback(&C0, &N), Err(MotionError::ReactionNotUnique { .. }));
        gauge.holds("open reactions are refused", refused);
    }
    gauge.verdict()
}
