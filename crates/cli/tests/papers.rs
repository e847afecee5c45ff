//! `holonom papers`, as a shell sees it.

use std::process::{Command, Output};

use serde_json::Value;

fn papers(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_holonom")).arg("papers").args(arguments).output().unwrap()
}

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn everything_holds() {
    let found = papers(&[]);
    assert!(found.status.success());
    let text = out(&found);
    let last = text.lines().last().unwrap();
    assert!(last.contains(" hold; 9 misprints corrected: "), "{last}");
    let (hold, rest) = last.split_once(" of ").unwrap();
    assert!(rest.starts_with(&format!("{hold} hold")), "{last}");
    assert!(!text.contains('\x1b'), "no colours into a pipe");
}

#[test]
fn one_paper_and_one_entry() {
    let text = out(&papers(&["science"]));
    assert!(text.starts_with("2005s") && text.contains("(32)") && !text.contains("(5.39)"), "{text}");
    let text = out(&papers(&["2006:5.39"]));
    assert!(text.contains("(5.39)") && text.contains("identical in the symbols"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 120), "{text}");
}

/// A section is a page: all its entries with formula, evidence and verdict.
#[test]
fn a_section_is_a_page() {
    let found = papers(&["2006:3", "--width", "240"]); // no line is broken
    assert!(found.status.success());
    let text = out(&found);
    assert!(text.starts_with("Udwadia & Phohomsiri 2006, section 3: The necessary and sufficient condition"), "{text}");
    for key in ["2006:lemma-3.1", "2006:3.1 ", "2006:3.11", "2006:result-3", "2006:corollary-3.2", "2006:remark-ii"] {
        assert!(text.contains(key), "{key} in {text}");
    }
    assert!(!text.contains("2006:4.1") && !text.contains("2006:2.15 "));
    assert_eq!(text.matches("random systems").count(), 16);
    assert!(text.contains("16 of 16 hold"), "{text}");
    let group = out(&papers(&["1992:5"]));
    assert!(group.contains("1992:5a′") || group.contains("1992:5a'"), "{group}");
    assert!(group.contains("5 of 5 hold"), "{group}");
}

#[test]
fn forms_of_a_page() {
    assert!(out(&papers(&["2006:5.17", "--as", "latex"])).contains("\\end{document}"));
    assert!(out(&papers(&["2006:5.17", "--as", "html"])).contains("</math>"));
    assert!(out(&papers(&["2006:5.17", "--as", "markdown"])).contains("$$"));
}

#[test]
fn json_is_one_object_per_entry() {
    let text = out(&papers(&["1992", "2005p:37", "--json"]));
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 17);
    assert!(lines.iter().all(|line| line["holds"] == true));
    let last = lines.last().unwrap();
    assert_eq!(last["key"], "2005p:37");
    assert_eq!(last["identical"], true);
    assert!(last["misprint"].is_null() && last["remark"]["note"].as_str().unwrap().contains("one convention"));
    let misprint: Value = serde_json::from_str(&out(&papers(&["2006:5.48", "--json"]))).unwrap();
    assert!(misprint["misprint"]["as_printed"].as_str().unwrap().starts_with("fails"));
    assert_eq!(misprint["section"], "5");
}

#[test]
fn what_is_not_there_is_said_with_what_may_be_meant() {
    let found = papers(&["2005:30"]);
    assert_eq!(found.status.code(), Some(2));
    let message = "error: more than one paper has `2005:30`; did you mean `2005p:30` or `2005s:30`?\n";
    assert_eq!(err(&found), message);
    let found = papers(&["2006:7"]);
    assert_eq!(found.status.code(), Some(2));
    assert!(err(&found).contains("`2006:7`; did you mean `2006:2`, `2006:3`, "), "{}", err(&found));
}
