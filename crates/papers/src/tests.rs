//! The checks can fail: altered formulas are caught, and laws notice wrong answers.

use crate::all;
use crate::case::{Case, Source, cases};
use crate::claim::Claim;
use crate::differentiate;
use crate::entry::Check;
use crate::example::compare;
use crate::ledger::Ledger;
use crate::spoil::QUANTITIES;
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

/// The quantities that a law notices when they are off by a thousandth.
fn noticed(on: On, law: fn(&Case, &mut Ledger)) -> Vec<&'static str> {
    let fails = |case: &Case| {
        let mut ledger = Ledger::default();
        law(case, &mut ledger);
        ledger.worst > 1e-6
    };
    assert!(!cases(on).iter().any(|[case, _]| fails(case)));
    let notices = |quantity: &&(&'static str, _)| cases(on).iter().any(|[case, _]| fails(&case.spoiled(**quantity)));
    QUANTITIES.iter().filter(notices).map(|(name, _)| *name).collect()
}

/// Whether a claim fails when one entry of what is compared is off by a thousandth; for every entry.
fn notices_every_entry(claim: &Claim) -> bool {
    let places = (0..claim.says.len()).flat_map(|row| (0..claim.says[row].len()).map(move |col| (row, col)));
    places.into_iter().all(|(row, col)| {
        let mut wrong = claim.clone();
        wrong.says[row][col] = format!("({}) + 0.001", claim.says[row][col]);
        compare(&wrong).is_ok_and(|compared| !compared.holds())
    })
}

/// Every entry fails when something that it speaks of is spoiled. There are no exceptions.
#[test]
fn every_entry_can_fail() {
    let mut unnoticed = Vec::new();
    for entry in all() {
        let fails = match &entry.check {
            Check::Law(on, law) => !noticed(*on, *law).is_empty(),
            Check::Differentiation(level) => !differentiate::check_off(*level, 1e-3).holds,
            Check::Example(claims) => {
                let plain: Vec<&Claim> = claims.iter().filter(|claim| !claim.negated).collect();
                !plain.is_empty() && plain.into_iter().all(notices_every_entry)
            }
        };
        if !fails {
            unnoticed.push(entry.key());
        }
    }
    assert!(unnoticed.is_empty(), "nothing that is spoiled disturbs {unnoticed:?}");
}

/// What some laws notice: the quantities in their formulas, among others.
#[test]
fn laws_notice_what_they_speak_of() {
    for (key, quantities) in [
        ("1992:1", vec!["M", "Q", "a"]),
        ("1992:5a", vec!["M", "Q", "A", "b", "q̈", "K", "M⁻¹"]),
        ("2005p:9", vec!["A", "C", "Qᶜ"]),
        ("2005p:lemma-1", vec!["M"]),
        ("2005p:15", vec!["M", "M⁻¹"]),
        ("2005s:after-17", vec!["A", "Qᵢ", "A⁺"]),
        ("2006:2.14", vec!["Q", "b", "C", "q̈", "M̄", "M̄⁺", "N(M̄)"]),
        ("2006:3.11", vec!["M", "N(M̄)"]),
        ("2006:lemma-4.1", vec!["A⁺", "B⁺"]),
        ("2006:4.9", vec!["B", "V", "J"]),
        ("2006:remark-i", vec!["M", "A", "N(M̂)", "q̈"]),
        ("2006:remark-ii", vec!["M", "A", "b", "q̈", "Qᶜ"]),
        ("2006:principle-v", vec!["M", "Q", "A", "b", "C", "q̈", "M̄⁺"]),
    ] {
        let Check::Law(on, law) = crate::find(key).unwrap().check else { panic!("{key} is no law") };
        let found = noticed(on, law);
        assert!(quantities.iter().all(|quantity| found.contains(quantity)), "{key} notices {found:?}");
    }
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
