//! Gauss's principle: the motion is the possible one that makes a function least.

use crate::gauge::{Gauge, Verdict};
use crate::sizes::Sizes;
use crate::subject::{Answer, Subject, largest};
use holonom::Workspace;
use holonom_random::Random;
use holonom_reference::{Matrix, Real, Twofold, singular_values};

/// `½q̈ᵀMq̈ − (Q + C)ᵀq̈` is no lower at any q̈ + v with A v = 0 (2005, eqs 11–16, for any M), and equal only where
/// M v = 0: along free directions.
pub fn least(subject: &Subject, answer: &Answer, _: &mut Workspace) -> Verdict {
    let (a, motion) = (subject.arrays(), &answer.motion);
    // An energy: forces times accelerations.
    let mut gauge = Gauge::new("gauss", subject.floor() * largest(&answer.motion.acceleration).max(1.0).powi(2));
    let Some(basis) = subject.virtual_displacements().filter(|_| motion.balanced) else { return gauge.verdict() };
    let (sizes, C) = (Sizes::of(subject, motion), a.C_or_zero());
    let mut random = Random::new(!subject.system.seed);
    // M q̈ − Q − C: what a small step gains or loses.
    let gradient: Vec<Twofold> = (0..a.n())
        .map(|j| {
            let force = Twofold::sum(a.Q[j], C[j]);
            let terms = a.mass_row(j).iter().zip(&motion.acceleration).map(|(m, x)| Twofold::product(*m, *x));
            terms.fold(-force, |sum, x| sum + x)
        })
        .collect();
    for step in [1e-3, 1.0, 1e3] {
        if basis.cols() == 0 {
            gauge.at_most("nothing else is possible", 0.0, 0.0);
            break;
        }
        let reach = step * largest(&motion.acceleration).max(1.0);
        let along: Vec<f64> = (0..basis.cols()).map(|_| reach * random.real()).collect();
        let v: Vec<Twofold> = (basis * Matrix::column(&holonom_reference::lift(&along))).column_at(0);
        let dot = |x: &[Twofold]| x.iter().zip(&v).fold(Twofold::zero(), |sum, (x, v)| sum + *x * *v);
        let pushed: Vec<Twofold> = (0..a.n())
            .map(|j| a.mass_row(j).iter().zip(&v).fold(Twofold::zero(), |s, (m, v)| s + Twofold::from_f64(*m) * *v))
            .collect();
        let half = Twofold::from_f64(0.5);
        let energy = half * dot(&pushed);
        let rise = (dot(&gradient) + energy).to_f64();
        // q̈ is rounded: its rounding times M is a slope, and the step goes down it.
        // (10⁻²⁶ is what the reference's own rounding of v leaves where no force acts.)
        let slope: f64 = v.iter().zip(&sizes.balance).map(|(v, s)| (v.to_f64() * s).abs()).sum();
        let allowed = 1e-11 * slope + 1e-26 * reach * (largest(&sizes.balance) + reach * largest(&a.M));
        gauge.at_most("no possible acceleration is lower", -rise, allowed);
        gauge.at_most("it rises by the energy of the step", (rise - energy.to_f64()).abs(), allowed);
    }
    for w in motion.free_directions() {
        let slope = gradient.iter().zip(&w).fold(Twofold::zero(), |sum, (g, w)| sum + *g * Twofold::from_f64(*w));
        let size: f64 = w.iter().zip(&sizes.balance).map(|(w, s)| (w * s).abs()).sum();
        gauge.at_most("level along free directions", slope.to_f64().abs(), 1e-10 * size);
    }
    gauge.verdict()
}

/// For M > 0, `‖M q̈ − (Q + C)‖²` and `‖Q^c − C‖²` in the norm of M⁻¹ and `‖q̈ − a − c‖²` in that of M are one
/// number (2005, eqs 16, 17, 19), the one that the motion reports.
pub fn forms(subject: &Subject, answer: &Answer, workspace: &mut Workspace) -> Verdict {
    let (a, motion) = (subject.arrays(), &answer.motion);
    let mut gauge = Gauge::new("gauss-forms", subject.floor());
    let Some(forms) = gauge.answered("gauss", workspace.gauss(&a.snapshot(), &motion.acceleration)) else {
        return gauge.verdict();
    };
    let sizes = Sizes::of(subject, motion);
    let terms: f64 = motion.acceleration.iter().zip(&sizes.balance).map(|(x, s)| (x * s).abs()).sum();
    if motion.balanced {
        gauge.at_most("general", (forms.general - motion.gauss.general).abs(), 1e-11 * terms);
    }
    let definite = motion.mass_rank == a.n();
    let all = [forms.by_momentum, forms.by_force, forms.by_acceleration, motion.gauss.deviation];
    gauge.holds("they exist where M is definite", all.iter().all(|form| form.is_some() == definite));
    if let [Some(momentum), Some(force), Some(acceleration), Some(reported)] = all {
        // The square of a difference: an error e of what is subtracted enters as 2e√G + e². Subtracted are
        // Q + C, M q̈ and Q^c, in the norm of M⁻¹; the rounding of M q̈ there is as large as M is ill-conditioned.
        let n = a.n();
        let root: Vec<f64> = (0..n).map(|j| a.M[j * n + j].sqrt()).collect();
        let scaled: Vec<f64> = (0..n * n).map(|at| a.M[at] / (root[at / n] * root[at % n])).collect();
        let values = singular_values(&Matrix::<f64>::from_f64(n, n, &scaled));
        let condition = values[0] / values[n - 1];
        let subtracted: f64 = sizes.balance.iter().zip(&root).map(|(s, root)| s / root).sum();
        let mut close = |what: &str, form: f64, amplified: f64| {
            let error = 1e-13 * amplified * subtracted;
            let allowed = 2.0 * error * reported.sqrt() + error * error + 1e-12 * reported;
            gauge.at_most(what, (form - reported).abs(), allowed);
        };
        close("momentum", momentum, condition.sqrt());
        close("force", force, condition.sqrt());
        // a + c is itself a quotient by M, and its rounding comes back through M: the root, twice.
        close("acceleration", acceleration, condition);
    }
    gauge.verdict()
}
