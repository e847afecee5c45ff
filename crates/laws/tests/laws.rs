//! Every law on a few hundred systems of its own, and proof that each law can fail.
//!
//! The long version is the binary: `cargo run --release -p holonom-laws`.
#![allow(non_snake_case)]

use holonom::Workspace;
use holonom_laws::{Answer, LAWS, Subject, System, examine, generate, law};

/// Systems for each law.
const SYSTEMS: u64 = 120;

/// Checks one law on seeds that no other law uses.
fn obeyed(name: &str) {
    let place = LAWS.iter().position(|law| law.name == name).expect("a law of that name") as u64;
    let (mut workspace, mut spoken, mut broken) = (Workspace::new(), 0, Vec::new());
    for seed in place * 1_000_000..place * 1_000_000 + SYSTEMS {
        let system = generate(seed);
        match examine(&system, &[*law(name)], &mut workspace) {
            Ok(None) => {}
            Ok(Some(verdicts)) => {
                spoken += verdicts.iter().filter(|v| !matches!(v, Ok(None))).count();
                broken.extend(verdicts.into_iter().filter_map(Result::err).map(|v| format!("seed {seed}: {v}")));
            }
            Err(error) => broken.push(format!("seed {seed}: refused: {error}")),
        }
    }
    assert!(spoken > SYSTEMS as usize / 6, "{name} speaks of {spoken} systems only");
    assert!(broken.is_empty(), "{} of {SYSTEMS} systems:\n{}", broken.len(), broken.join("\n"));
}

/// Multipliers of redundant rows in units twelve orders apart: large on the rows that carry the load while solving, small
/// where least norm leaves them.
#[test]
fn loads_are_shared_to_the_last_digits_by_rows_in_very_different_units() {
    for seed in [5_032_103, 5_097_277] {
        let verdicts = examine(&generate(seed), LAWS, &mut Workspace::new()).expect("a system").expect("a clear one");
        let broken: Vec<String> = verdicts.iter().filter_map(|v| v.as_ref().err()).map(ToString::to_string).collect();
        assert!(broken.is_empty(), "seed {seed}: {broken:?}");
    }
}

/// Udwadia & Phohomsiri 2006, result 3: the motion is unique exactly when [M; A] has rank n.
#[test]
fn verdicts_are_those_of_exact_arithmetic() {
    obeyed("verdicts");
}

/// Udwadia & Kalaba 1992, eq. 1; Udwadia 2005, eq. 5: A q̈ = b.
#[test]
fn constraints_are_met_or_missed_by_least_squares() {
    obeyed("constraints");
}

/// Udwadia 2005, eqs 7 and 9: vᵀQᵢ = 0 and vᵀQ^c = vᵀC for every virtual displacement v.
#[test]
fn constraints_do_the_virtual_work_of_C_and_no_other() {
    obeyed("virtual-work");
}

/// Udwadia & Phohomsiri 2006, eq. 2.2: M q̈ = Q + Q^c, but for forces that nothing can balance.
#[test]
fn forces_and_acceleration_satisfy_newton() {
    obeyed("newton");
}

/// Udwadia 2005, eq. 10: Q^c = C + Aᵀλ.
#[test]
fn forces_are_multipliers_times_rows() {
    obeyed("multipliers");
}

/// Udwadia & Phohomsiri 2006, eq. 2.14: η moves in N(M) ∩ N(A).
#[test]
fn free_directions_span_what_nothing_determines() {
    obeyed("free-directions");
}

/// Udwadia 2005, eq. 16: G is least at q̈ among all possible accelerations.
#[test]
fn no_possible_acceleration_lowers_gauss_function() {
    obeyed("gauss");
}

/// Udwadia 2005, eqs 16, 17 and 19: three forms, one number.
#[test]
fn the_forms_of_gauss_function_agree() {
    obeyed("gauss-forms");
}

/// Udwadia 2005, after eq. 22: any {1,4}-inverse serves.
#[test]
fn rows_may_be_written_in_any_unit() {
    obeyed("row-scale");
}

/// Udwadia 2005, eq. 26 is covariant: q = S q′.
#[test]
fn coordinates_may_be_measured_in_any_unit() {
    obeyed("units");
}

/// Udwadia & Phohomsiri 2006, eq. 2.14 knows no order.
#[test]
fn rows_and_coordinates_may_come_in_any_order() {
    obeyed("order");
}

/// Udwadia 2005, after eq. 5: constraints need not be independent.
#[test]
fn saying_a_constraint_twice_changes_nothing() {
    obeyed("repetition");
}

/// Udwadia & Phohomsiri 2006, eq. 2.14 is linear in (Q + C, b).
#[test]
fn answers_add_up() {
    obeyed("superposition");
}

/// Udwadia 2005, eq. 9: only vᵀC counts.
#[test]
fn no_motion_can_tell_C_from_C_plus_a_normal_force() {
    obeyed("same-motion");
}

/// Udwadia, Kalaba & Fan 2005, eqs 10 and 11: F^L and F^C from the motion.
#[test]
fn the_forces_behind_a_motion_are_found_again() {
    obeyed("explain");
}

/// Udwadia & Phohomsiri 2006, eqs 2.13 and 2.14, in 32 digits.
#[test]
fn the_kernel_agrees_with_the_papers() {
    obeyed("reference");
}

/// Udwadia & Phohomsiri 2006, eq. 2.3: rows may repeat, depend on and contradict each other.
#[test]
fn the_audit_says_what_is_so() {
    obeyed("audit");
}

/// Udwadia 2005, eq. 26, with the rank of A decided beforehand.
#[test]
fn held_ranks_give_the_same_answer() {
    obeyed("held");
}

/// Udwadia 2005, eq. 26: Qᵢ does not depend on C, so C may come late.
#[test]
fn a_late_C_is_as_good_as_an_early_one() {
    obeyed("prepared");
}

/// Udwadia 2005, eq. 36: friction depends on the reaction that it changes.
#[test]
fn friction_is_fed_by_the_reaction_it_leads_to() {
    obeyed("feedback");
}

/// A way to spoil an answer, and the laws that must notice.
struct Corruption {
    what: &'static str,
    spoil: fn(&System, &mut Answer),
    noticed_by: &'static [&'static str],
}

/// Adds a millionth of the largest entry (or of 1) to the entry in the middle.
fn nudge(x: &mut [f64]) {
    let size = x.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    let middle = x.len() / 2;
    if let Some(x) = x.get_mut(middle) {
        *x += 1e-6 * if size > 0.0 { size } else { 1.0 };
    }
}

const CORRUPTIONS: &[Corruption] = &[
    Corruption {
        what: "another acceleration",
        spoil: |_, a| nudge(&mut a.motion.acceleration),
        noticed_by: &[
            "constraints",
            "newton",
            "gauss",
            "gauss-forms",
            "row-scale",
            "units",
            "order",
            "repetition",
            "superposition",
            "same-motion",
            "reference",
            "held",
            "prepared",
        ],
    },
    Corruption {
        what: "another ideal force",
        spoil: |_, a| nudge(&mut a.motion.ideal_force),
        noticed_by: &["virtual-work", "newton", "multipliers", "reference", "explain", "order", "superposition"],
    },
    Corruption {
        what: "another non-ideal force",
        spoil: |_, a| nudge(&mut a.motion.nonideal_force),
        noticed_by: &["virtual-work", "newton", "multipliers", "reference", "explain", "same-motion", "held"],
    },
    Corruption {
        what: "another reaction",
        spoil: |_, a| nudge(&mut a.motion.reactions),
        noticed_by: &["multipliers", "reference", "held", "prepared", "order"],
    },
    Corruption {
        what: "a free direction less",
        spoil: |_, a| a.motion.free_directions.truncate(a.motion.free_directions.len().saturating_sub(1)),
        noticed_by: &["free-directions", "verdicts"],
    },
    Corruption {
        what: "another rank",
        spoil: |_, a| a.motion.system_rank.rank += 1,
        noticed_by: &["verdicts", "free-directions", "held", "prepared"],
    },
    Corruption {
        what: "another verdict",
        spoil: |_, a| a.motion.consistent = !a.motion.consistent,
        noticed_by: &["verdicts", "explain", "audit"],
    },
    Corruption { what: "a redundant row less", spoil: |_, a| drop(a.audit.redundant.pop()), noticed_by: &["audit"] },
    Corruption {
        what: "determinate turned round",
        spoil: |_, a| a.audit.determinate_multipliers.iter_mut().for_each(|d| *d = !*d),
        noticed_by: &["audit", "feedback"],
    },
    Corruption {
        what: "another value of Gauss's function",
        spoil: |_, a| {
            a.motion.gauss.general = a.motion.gauss.general * (1.0 + 1e-6) + 1e-6;
        },
        noticed_by: &["gauss-forms"],
    },
    Corruption {
        what: "another explanation",
        spoil: |_, a| {
            let size = a.explanation.constraint_force.iter().fold(1e-300, |m: f64, x| m.max(x.abs()));
            a.explanation.nonideal_part[0] += 1e-6 * size;
        },
        noticed_by: &["explain"],
    },
];

/// Whether a law, content with an answer, rejects the spoilt one; nothing where it has nothing to say or the
/// spoilt answer is the same.
fn rejected(name: &str, system: &System, corruption: &Corruption, workspace: &mut Workspace) -> Option<bool> {
    let subject = Subject::new(system);
    let answer = Answer::of(&system.arrays, workspace).ok()?;
    let mut spoilt = answer.clone();
    (corruption.spoil)(system, &mut spoilt);
    let same = spoilt.motion == answer.motion
        && spoilt.audit == answer.audit
        && spoilt.explanation.nonideal_part == answer.explanation.nonideal_part;
    let check = law(name).check;
    if same || !matches!(check(&subject, &answer, workspace), Ok(Some(_))) {
        return None;
    }
    match check(&subject, &spoilt, workspace) {
        Ok(None) => None,
        verdict => Some(verdict.is_err()),
    }
}

/// A check that cannot fail checks nothing: each law rejects answers that are wrong in the seventh digit.
#[test]
fn every_law_can_be_broken() {
    let mut workspace = Workspace::new();
    for corruption in CORRUPTIONS {
        for name in corruption.noticed_by {
            let (mut tried, mut noticed) = (0, 0);
            for seed in 50_000_000..50_000_060 {
                // The middle entry of a vector need not be one that this law speaks of, and a nudge may be
                // small beside what a coordinate's scale allows: half of all tries is plenty.
                if let Some(rejected) = rejected(name, &generate(seed), corruption, &mut workspace) {
                    tried += 1;
                    noticed += usize::from(rejected);
                }
            }
            assert!(tried >= 5, "{}: {name} was tried {tried} times only", corruption.what);
            assert!(2 * noticed >= tried, "{}: {name} noticed {noticed} of {tried}", corruption.what);
        }
    }
    for law in LAWS {
        assert!(CORRUPTIONS.iter().any(|c| c.noticed_by.contains(&law.name)), "nothing was tried on {}", law.name);
    }
}

/// A seed is a system, for ever.
#[test]
fn the_same_seed_makes_the_same_system() {
    for seed in 0..200 {
        assert_eq!(generate(seed).arrays, generate(seed).arrays);
    }
}

/// The families are all reached, and so are the verdicts.
#[test]
fn every_family_and_every_verdict_is_reached() {
    let systems: Vec<System> = (0..3000).map(generate).collect();
    let families = [
        "free",
        "rounded",
        "repeated-rows",
        "combined-rows",
        "zero-rows",
        "near-dependent",
        "contradicted",
        "scaled-rows",
        "units",
        "stack-scale",
        "mass-definite",
        "mass-diagonal",
        "mass-graded",
        "mass-dense",
        "mass-zeros",
        "mass-gram",
        "mass-none",
        "C",
        "C-absent",
        "C-zero",
        "C-normal",
        "C-tangent",
        "free-untouched",
        "free-cancelled",
        "free-cancelled-rounded",
        "free-pushed",
    ];
    for family in families {
        let count = systems.iter().filter(|s| s.has(family)).count();
        assert!(count >= 15, "{family}: {count}");
    }
    let reached = |what: &dyn Fn(&System) -> bool| systems.iter().filter(|s| what(s)).count();
    assert!(reached(&|s| s.facts.consistent == Some(false)) > 200);
    assert!(reached(&|s| s.facts.balanced == Some(false)) > 150);
    assert!(reached(&|s| s.facts.rank_Mhat.is_some_and(|rank| rank < s.arrays.n())) > 400);
    assert!(reached(&|s| s.arrays.m() > s.arrays.n()) > 200);
    assert!(reached(&|s| s.arrays.m() == 0) > 100);
    assert!(reached(&|s| s.arrays.n() >= 32) > 20);
}
