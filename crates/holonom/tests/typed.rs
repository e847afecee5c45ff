//! Every help line is typed: what it says to write must make its message go away.
//!
//! `tests/typed.txt` has an edit for each help line that quotes something to write, of each bad model of the catalogue and of the
//! pages in `errors/`. Suggestions, which replace characters, are taken as they are. After either, the model must have fewer messages of
//! that code, and no error that it did not have before.
//!
//! ```text
//! ## NAME                 a model of tests/bad, or errors/CODE for the bad model of a page
//! > the help line
//! - a line of the model   is removed; lines with + after it stand in its place
//! + a line                without a - before it, comes last
//! ! why                   for what is no text of a model, such as an option of the command line
//! ```

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use holonom::language::{Diagnostic, Suggestion};

mod checking;

use checking::{Checked, check_text, run_text};

/// Steps that models may take whose message only a run gives.
const STEPS: u64 = 2000;

fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// What to do about one help line.
#[derive(Debug)]
enum Typed {
    /// Lines to remove, each with those that come in its place, and lines to add at the end.
    Edit { replaced: Vec<(String, Vec<String>)>, added: Vec<String> },
    /// It is not about the text of a model.
    Elsewhere,
}

/// The edits, by model and help line.
fn typed() -> BTreeMap<(String, String), Typed> {
    let text = fs::read_to_string(here("tests/typed.txt")).unwrap();
    let (mut all, mut model, mut help) = (BTreeMap::new(), String::new(), String::new());
    for line in text.lines() {
        let (sign, rest) = line.split_once(' ').unwrap_or((line, ""));
        let key = (model.clone(), help.clone());
        let empty = || Typed::Edit { replaced: vec![], added: vec![] };
        match sign {
            "##" => model = rest.to_string(),
            ">" => help = rest.to_string(),
            "-" => {
                if let Typed::Edit { replaced, .. } = all.entry(key).or_insert_with(empty) {
                    replaced.push((rest.to_string(), vec![]));
                }
            }
            "+" => {
                if let Typed::Edit { replaced, added } = all.entry(key).or_insert_with(empty) {
                    replaced.last_mut().map_or(added, |(_, lines)| lines).push(rest.to_string());
                }
            }
            "!" => drop(all.insert(key, Typed::Elsewhere)),
            "" | "#" => {}
            _ => panic!("`{line}` begins with no sign that is known"),
        }
    }
    all
}

/// The model with the lines changed; nothing where a line to remove is not in it.
fn edited(text: &str, replaced: &[(String, Vec<String>)], added: &[String]) -> Option<String> {
    let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
    for (old, new) in replaced {
        let at = lines.iter().position(|line| line.trim_end() == old.trim_end())?;
        lines.splice(at..=at, new.iter().cloned());
    }
    lines.extend(added.iter().cloned());
    Some(lines.join("\n") + "\n")
}

/// A model of which something is wrong.
struct Bad {
    name: String,
    text: String,
    runs: bool,
}

impl Bad {
    fn look(&self, text: &str) -> Checked {
        let folder = here("tests/bad");
        if self.runs { run_text(text, &folder, STEPS) } else { check_text(text, &folder) }
    }

    /// What is wrong with typing this instead of what stands there.
    fn still_wrong(&self, before: &Checked, code: &str, text: &str) -> Option<String> {
        let after = self.look(text);
        let count = |checked: &Checked| checked.diagnostics().iter().filter(|one| one.code == code).count();
        let known = before.codes();
        let errors = after.diagnostics().iter().filter(|one| one.is_error()).map(|one| one.code);
        let new: Vec<&str> = errors.filter(|code| !known.contains(code)).collect();
        let gone = count(&after) < count(before);
        (!gone || !new.is_empty())
            .then(|| format!("gives {new:?} and {}{text}\n{}", if gone { "" } else { "the same\n" }, after.text()))
    }
}

/// The models of `tests/bad`, and those of the pages that are others.
fn bad_models() -> Vec<Bad> {
    let mut all = Vec::new();
    for entry in fs::read_dir(here("tests/bad")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|end| end == "holo") {
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            all.push(Bad { name, text: fs::read_to_string(&path).unwrap(), runs: false });
        }
    }
    for entry in fs::read_dir(here("../../errors")).unwrap() {
        let path = entry.unwrap().path();
        let page = fs::read_to_string(&path).unwrap();
        let Some(begin) = page.find("```holo bad\n").map(|at| at + 12) else { continue };
        let text = page[begin..].split("```").next().unwrap().to_string();
        if all.iter().any(|known| known.text.ends_with(&text)) {
            continue;
        }
        let code = path.file_stem().unwrap().to_string_lossy().into_owned();
        let runs = !check_text(&text, &here("tests/bad")).codes().contains(code.as_str());
        all.push(Bad { name: format!("errors/{code}"), text, runs });
    }
    all.sort_by(|a, b| a.name.cmp(&b.name));
    all
}

fn replaced(text: &str, suggestion: &Suggestion) -> String {
    let (start, end) = (suggestion.span.start as usize, suggestion.span.end as usize);
    format!("{}{}{}", &text[..start], suggestion.replacement, &text[end..])
}

#[test]
fn every_help_line_leads_to_a_model_without_its_message() {
    let typed = typed();
    let (mut wrong, mut used, mut tried) = (String::new(), Vec::new(), 0);
    for bad in bad_models() {
        let before = bad.look(&bad.text);
        for Diagnostic { code, help, suggestion, .. } in before.diagnostics() {
            if let Some(suggestion) = suggestion.as_ref().filter(|one| one.span.file.0 == 0) {
                tried += 1;
                if let Some(why) = bad.still_wrong(&before, code, &replaced(&bad.text, suggestion)) {
                    wrong += &format!("## {}\n# the suggestion of {code} {why}\n", bad.name);
                }
            }
            for line in help.iter().filter(|line| line.contains('`')) {
                tried += 1;
                let key = (bad.name.clone(), line.clone());
                let (name, entry) = (&bad.name, typed.get(&key));
                used.push(key);
                let Some(Typed::Edit { replaced, added }) = entry else {
                    if entry.is_none() {
                        wrong += &format!("## {name}\n> {line}\n# {code}: nothing is typed for it in\n{}\n", bad.text);
                    }
                    continue;
                };
                let Some(text) = edited(&bad.text, replaced, added) else {
                    wrong += &format!("## {name}\n> {line}\n# a line to remove is not in the model\n");
                    continue;
                };
                if let Some(why) = bad.still_wrong(&before, code, &text) {
                    wrong += &format!("## {name}\n> {line}\n# {code} {why}\n");
                }
            }
        }
    }
    for key in typed.keys().filter(|key| !used.contains(key)) {
        wrong += &format!("## {}\n> {}\n# no message has this help line\n", key.0, key.1);
    }
    assert!(tried > 200, "only {tried} help lines");
    assert!(wrong.is_empty(), "{wrong}");
}
