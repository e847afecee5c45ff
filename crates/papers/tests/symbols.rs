//! Formulas of worked examples are identical in the symbols, not only at points.

use holonom_papers::{Kind, all, check};

/// Where the two sides agree on the constraints only, or by a sign that algebra does not know.
const AT_POINTS: &[&str] = &["2005p:36"];

#[test]
fn formulas_of_examples_are_identical_in_the_symbols() {
    let open: Vec<String> = all()
        .iter()
        .filter(|entry| {
            entry.kind == Kind::Example
                || matches!(entry.number.chars().next(), Some('5')) && entry.paper.key() == "2006"
        })
        .filter(|entry| check(entry).identical != Some(true))
        .map(|entry| entry.key())
        .collect();
    assert_eq!(open, AT_POINTS);
}
