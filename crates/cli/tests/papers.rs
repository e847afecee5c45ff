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
    assert!(last.contains(" hold; 16 misprints corrected: "), "{last}");
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
    assert!(last["misprint"]["as_printed"].as_str().unwrap().starts_with("fails"));
}

#[test]
fn what_is_not_there_is_said_with_what_may_be_meant() {
    let found = papers(&["2005:30"]);
    assert_eq!(found.status.code(), Some(2));
    assert_eq!(err(&found), "error: no paper has an entry `2005:30`; did you mean `2005p:30` or `2005s:30`?\n");
}
