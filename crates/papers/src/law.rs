//! Laws, held against random systems: the papers' formulas in 32 digits, and the kernel's answers in 16.

use crate::case::{Case, Source, cases};
use crate::ledger::Ledger;
use crate::outcome::{EntryOutcome, apart};
use crate::systems::{On, System, systems};

/// How far apart the two sides of a law may come out.
fn tolerance(source: Source) -> f64 {
    match source {
        Source::Reference => 1e-22,
        Source::Kernel => 1e-11,
    }
}

/// Holds a law against all systems that it speaks about.
pub(crate) fn check(on: On, law: fn(&Case, &mut Ledger)) -> EntryOutcome {
    let mut worst = [0.0; 2];
    let mut holds = true;
    for pair in cases(on) {
        for (case, worst) in pair.iter().zip(&mut worst) {
            let mut ledger = Ledger::default();
            law(case, &mut ledger);
            holds &= ledger.worst <= tolerance(case.source);
            *worst = f64::max(*worst, ledger.worst);
        }
    }
    let [exact, kernel] = worst;
    let evidence = format!("{} in 32 digits, {} by the kernel, on {}", apart(exact), apart(kernel), which(on));
    EntryOutcome { holds, evidence, as_printed: None, worst: exact.max(kernel), identical: None, ours: Vec::new() }
}

/// Which systems these are.
fn which(on: On) -> String {
    let all = systems(on);
    let count = |test: fn(&System) -> bool| all.iter().filter(|s| test(s)).count();
    let repeated = count(|s| s.m() > s.rank_A);
    let singular = count(|s| s.mass_rank < s.n());
    let free = count(|s| s.rank_Mhat < s.n());
    let mut text = format!("{} random systems ({repeated} with redundant rows", all.len());
    if singular > 0 {
        text += &format!(", {singular} with singular M");
    }
    if free > 0 {
        text += &format!(", {free} with free directions");
    }
    text + if on == On::Ideal { ", C = 0)" } else { ", C ≠ 0)" }
}
