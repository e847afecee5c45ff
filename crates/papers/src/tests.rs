//! The checks can fail: altered formulas are caught, and laws notice wrong answers.

use crate::all;
use crate::case::{Case, Ledger, Source, cases};
use crate::entry::Check;
use crate::example::{Claim, compare};
use crate::systems::{On, systems};

/// The formula with one sign changed, in every place where there is one, and as a whole.
fn flipped(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    if text.parse::<f64>() != Ok(0.0) {
        all.push(format!("-({text})"));
    }
    for (sign, other) in [(" + ", " - "), (" - ", " + ")] {
        for (place, _) in text.match_indices(sign) {
            let after = &text[place + sign.len()..];
            // A zero has no sign, and a length at rest does not change.
            if after != "0" && !after.starts_with("0*") && !after.contains(".l0)'") {
                all.push(format!("{}{other}{after}", &text[..place]));
            }
        }
    }
    all
}

#[test]
fn signs_are_found() {
    assert_eq!(flipped("a - b*(c + d)"), ["-(a - b*(c + d))", "a - b*(c - d)", "a + b*(c + d)"]);
    assert!(flipped("0").is_empty());
}

/// Every sign in every formula of every example matters.
#[test]
fn an_altered_formula_is_caught() {
    let mut altered = 0;
    for entry in all() {
        let Check::Example(claims) = &entry.check else { continue };
        for claim in claims.iter().filter(|claim| !claim.negated) {
            for (row, col) in
                (0..claim.says.len()).flat_map(|row| (0..claim.says[row].len()).map(move |col| (row, col)))
            {
                // A term that is zero by itself has no sign.
                for text in flipped(&claim.says[row][col]).into_iter().filter(|text| !text.contains("k*0 - ")) {
                    let mut wrong: Claim = claim.clone();
                    wrong.says[row][col].clone_from(&text);
                    let caught = compare(&wrong).map_or(true, |compared| !compared.holds());
                    assert!(caught, "{entry}: `{text}` is taken for `{}`", claim.says[row][col]);
                    altered += 1;
                }
            }
        }
    }
    assert!(altered > 400, "{altered}");
}

/// A law holds for what was computed, and not for what is off by a thousandth; except where it says something of any
/// numbers: what is given, and the identities in proofs.
#[test]
fn laws_notice_wrong_answers() {
    let unnoticed = |entry: &&crate::Entry| {
        let Check::Law(on, law) = entry.check else { return false };
        !cases(on).iter().any(|[case, _]| {
            let mut ledger = Ledger::default();
            law(&case.spoiled(), &mut ledger);
            ledger.worst > 1e-6
        })
    };
    let keys: Vec<String> = all().iter().filter(unnoticed).map(crate::Entry::key).collect();
    let given = ["1992:1", "dalembert:1", "2005p:1"];
    let identities = ["2005p:lemma-1", "2005p:14", "2005p:lemma-2", "2005p:15", "2006:2.1"];
    let of_J = ["2006:4.6", "2006:4.7", "2006:4.8", "2006:4.9", "2006:4.10"];
    assert_eq!(keys, [&given[..], &identities, &of_J].concat());
}

/// Every law compares something on most systems.
#[test]
fn laws_compare_something() {
    for entry in all() {
        let Check::Law(on, law) = entry.check else { continue };
        let compared = cases(on).iter().filter(|[case, _]| {
            let mut ledger = Ledger::default();
            law(case, &mut ledger);
            ledger.compared > 0
        });
        assert!(2 * compared.count() > cases(on).len(), "{entry}");
    }
}

/// The two ways to a case are two ways: one has 32 digits, the other 16.
#[test]
fn the_reference_has_more_digits_than_the_kernel() {
    let rounded = systems(On::Definite).iter().filter(|s| {
        let [exact, kernel] = [Source::Reference, Source::Kernel].map(|source| Case::new(s, source).qdd);
        let apart = crate::numbers::size(&(exact - &kernel)) / crate::numbers::size(&kernel).max(1.0);
        assert!(apart < 1e-12);
        apart > 0.0
    });
    assert!(rounded.count() > 20);
}
