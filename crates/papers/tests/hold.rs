//! All of all hold, and what is printed wrong fails.

use holonom_papers::{all, check, find, list, sheet, summary};

#[test]
fn all_hold() {
    let checked: Vec<_> = all().iter().map(|entry| (entry, check(entry))).collect();
    let wrong: Vec<String> = checked
        .iter()
        .filter(|(_, outcome)| !outcome.holds)
        .map(|(entry, outcome)| format!("{entry}: {} {:?}", outcome.evidence, outcome.as_printed))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let end = summary(&checked);
    let count = all().len();
    assert!(end.starts_with(&format!("{count} of {count} hold; 9 misprints corrected: dalembert:15, ")), "{end}");
    let page = list(&checked, false);
    assert!(page.ends_with(&end) && !page.contains('✗'));
    assert_eq!(page.lines().filter(|line| line.contains('✓')).count(), count);
}

/// Misprints are refuted; where only the notation changes, nothing is.
#[test]
fn misprints_fail_as_printed() {
    for entry in all() {
        let found = check(entry).as_printed;
        assert_eq!(found.is_some(), entry.misprint.is_some(), "{entry}");
        assert!(found.iter().all(|found| found.starts_with("fails")), "{entry}: {found:?}");
        assert!(entry.misprint.is_none() || entry.remark.is_none(), "{entry}");
    }
}

#[test]
fn a_page_shows_both_formulas() {
    let entry = find("2006:5.48").unwrap();
    let page = sheet("", &[(entry, check(entry))]);
    let text = page.unicode(80, false);
    for piece in ["(5.48)", "ours", "misprint", "✓ identical in the symbols", "as printed: fails"] {
        assert!(text.contains(piece), "{piece} in\n{text}");
    }
    assert!(text.lines().all(|line| line.chars().count() <= 90), "{text}");
    assert!(page.latex().contains(r"\begin{document}") && page.html().contains("<math"));
}
