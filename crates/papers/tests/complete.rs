//! The list is complete: every number that the papers give to an equation is in it.

use holonom_papers::{EntryKind, Paper, all, find, select};

/// The numbers in parentheses at the ends of the papers' displayed equations.
fn numbers(paper: Paper) -> Vec<String> {
    let plain = |range: std::ops::RangeInclusive<u32>| range.map(|i| i.to_string()).collect::<Vec<_>>();
    let section = |section: u32, last: u32| (1..=last).map(|i| format!("{section}.{i}")).collect::<Vec<_>>();
    match paper {
        Paper::Perspective => {
            ["1", "2", "3", "4", "5a", "5a'", "5b", "5c", "5c'", "6", "7", "8", "9"].map(String::from).to_vec()
        }
        Paper::Proof => plain(1..=15),
        Paper::Principle => plain(1..=39),
        Paper::Science => plain(0..=32),
        Paper::Singular => [section(2, 15), section(3, 11), section(4, 24), section(5, 56)].concat(),
    }
}

/// What the papers call results, lemmas, remarks, principles and examples.
const NAMED: &[&str] = &[
    "1992:principle",
    "1992:K",
    "1992:K1",
    "2005p:lemma-1",
    "2005p:lemma-2",
    "2005p:principle",
    "2005p:example-1",
    "2005p:example-2",
    "2006:result-1",
    "2006:result-2",
    "2006:result-3",
    "2006:lemma-3.1",
    "2006:corollary-3.2",
    "2006:remark-i",
    "2006:remark-ii",
    "2006:lemma-4.1",
    "2006:example-1",
    "2006:example-2",
    "2006:example-3",
    "2006:case-5.1",
    "2006:case-5.2",
    "2006:case-5.3",
    "2006:principle-v",
];

#[test]
fn every_number_of_the_papers_is_there() {
    let mut count = 0;
    for paper in Paper::ALL {
        for number in numbers(paper) {
            let key = format!("{}:{number}", paper.key());
            assert!(find(&key).is_ok(), "{key} is missing");
            count += 1;
        }
    }
    assert_eq!(count, 206);
    for key in NAMED {
        assert!(find(key).is_ok(), "{key} is missing");
    }
}

#[test]
fn keys_are_unique_and_every_entry_says_something() {
    let mut keys: Vec<String> = all().iter().map(|entry| entry.key()).collect();
    keys.sort();
    let count = keys.len();
    keys.dedup();
    assert_eq!(keys.len(), count);
    for entry in all() {
        assert!(!entry.says.is_empty() && !entry.latex.is_empty(), "{entry}");
        assert!(!entry.says.ends_with('.'), "{entry}: one line, no full stop");
        assert!(entry.says.chars().count() <= 110, "{entry}: one line");
        let line = entry.unicode();
        assert!(!line.contains('\\') && !line.contains("begin"), "{entry}: {line}");
    }
}

/// Worked examples come in order, between the numbers where the papers have them.
#[test]
fn numbers_come_in_order() {
    for paper in Paper::ALL {
        let place = |number: &String| all().iter().position(|entry| entry.paper == paper && entry.number == number);
        let places: Vec<_> = numbers(paper).iter().map(place).collect();
        assert!(places.is_sorted(), "{paper:?}");
    }
}

/// The misprints and the changes of notation in ERRATA.md are those of the list.
#[test]
fn misprints_are_those_of_the_errata() {
    let listed: Vec<String> = all().iter().filter(|entry| entry.misprint.is_some()).map(|entry| entry.key()).collect();
    let known = [
        "dalembert:15",
        "2005p:after-5",
        "2005p:after-19",
        "2005p:28",
        "2005p:29",
        "2005p:30",
        "2005s:26",
        "2006:5.16",
        "2006:5.48",
    ];
    assert_eq!(listed, known);
    let remarked: Vec<String> = all().iter().filter(|entry| entry.remark.is_some()).map(|entry| entry.key()).collect();
    let other_notation = ["2005p:36", "2005p:37", "2005p:38", "2006:5.31", "2006:5.32", "2006:5.47", "2006:5.50"];
    assert_eq!(remarked, other_notation);
    let errata = include_str!("../../../ERRATA.md");
    for key in known.into_iter().chain(other_notation) {
        assert!(errata.contains(&format!("`{key}`")), "ERRATA.md does not name `{key}`");
    }
}

#[test]
fn every_kind_occurs() {
    for kind in [EntryKind::Definition, EntryKind::Given, EntryKind::Law, EntryKind::Example] {
        assert!(all().iter().any(|entry| entry.kind == kind), "{}", kind.word());
    }
}

/// ERRATA.md names tests that exist, all of them in the file that it names first.
#[test]
fn tests_of_the_errata_exist() {
    let errata = include_str!("../../../ERRATA.md");
    let tests = include_str!("../../holonom/tests/papers/errata.rs");
    let mut count = 0;
    for line in errata.lines().filter(|line| line.starts_with("→ ")) {
        for name in line.split('`').skip(1).step_by(2).filter(|name| name.contains('_') && !name.contains(['…', '.']))
        {
            assert!(tests.contains(&format!("fn {name}()")), "there is no test `{name}`");
            count += 1;
        }
    }
    assert_eq!(count, tests.matches("#[test]").count(), "ERRATA.md names every test of errata.rs");
}

/// Keys in ERRATA.md and in the guide can be typed.
#[test]
fn keys_on_the_pages_can_be_typed() {
    let pages = [
        include_str!("../../../ERRATA.md"),
        include_str!("../../../book/papers.md"),
        include_str!("../../../README.md"),
        include_str!("../../cli/src/papers.rs"),
    ];
    let mut count = 0;
    for page in pages {
        for (_, rest) in page.match_indices("holonom papers ").map(|(at, found)| page[at..].split_at(found.len())) {
            let key = rest.split(|c: char| c.is_whitespace() || c == '`').next().unwrap_or_default();
            if key.starts_with(|c: char| c.is_ascii_digit()) {
                assert!(select(key).is_ok(), "{key}");
                count += 1;
            }
        }
    }
    assert!(count > 10, "{count}");
}
