//! The generator itself: seeds repeat, and a twin that is not one is caught.

use holonom_twins::{Fault, generate};

/// The comparison can fail: a twin with another spring, and one that is not accurate.
#[test]
fn a_changed_twin_is_caught() {
    let mut twins = (1..).map(generate).find(|twins| twins.kind == "field").expect("one of many");
    twins.drafts.truncate(2);
    twins.drafts[1].potential.push("0.001*p0.x".to_string());
    assert!(twins.examine().faults.iter().any(|fault| matches!(fault, Fault::Disagree { .. })));
}

/// A seed makes the same model everywhere.
#[test]
fn a_seed_is_a_model() {
    for seed in 1..50 {
        let (one, two) = (generate(seed), generate(seed));
        assert_eq!(one.drafts.len(), two.drafts.len());
        one.drafts.iter().zip(&two.drafts).for_each(|(a, b)| assert_eq!(a.text(), b.text()));
    }
}
