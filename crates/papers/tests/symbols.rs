//! Formulas of worked examples are identical in the symbols, not only at points.

use holonom_papers::{EntryKind, all, check, find};

/// Where the two sides agree only by a sign that algebra does not know: √(ẋ²/cos²θ) is |ẋ|/cos θ for θ < π/2.
const AT_POINTS: &[&str] = &["2005p:36"];

#[test]
fn formulas_of_examples_are_identical_in_the_symbols() {
    let open = |entry: &&holonom_papers::Entry| {
        let outcome = check(entry);
        (entry.kind == EntryKind::Example || !outcome.ours.is_empty()) && outcome.identical != Some(true)
    };
    let keys: Vec<String> = all().iter().filter(open).map(|entry| entry.key()).collect();
    assert_eq!(keys, AT_POINTS);
}

/// The formulas that readers look for are not longer than twice what the paper needs.
#[test]
fn our_formulas_are_short() {
    for key in ["2006:5.17", "2006:5.23", "2006:5.39", "2006:5.47", "2006:5.56", "2005p:30", "2005p:39", "2005s:32"] {
        let outcome = check(find(key).unwrap());
        assert!(!outcome.ours.is_empty(), "{key}");
        for ours in &outcome.ours {
            assert!(ours.nodes <= 2 * ours.nodes_in_paper, "{key}: {} and {}", ours.nodes, ours.nodes_in_paper);
        }
    }
}
