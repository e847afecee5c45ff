//! `holonom papers`: every numbered result of the five papers, reproduced.

use std::process::ExitCode;

use holonom_papers::{Entry, Outcome, all, check_all, find, list, of_paper, page};
use serde_json::{Value, json};

use crate::terminal::{Colour, WRONG, fail, say};

/// List the results and worked examples of the five papers, and check each
///
/// Laws are held against random systems with repeated rows, missing masses and
/// constraints that do work, in 32 digits and by the kernel. Formulas of examples are
/// compared in the models of the gallery, in the symbols and at random states.
#[derive(clap::Args)]
#[command(verbatim_doc_comment, after_long_help = HELP)]
pub struct Options {
    /// What to look at: papers (`2006`) or single entries (`2006:5.39`); everything if nothing is named
    #[arg(value_name = "KEY")]
    keys: Vec<String>,

    /// Only what is misprinted in our copies, with what is correct
    #[arg(long)]
    misprints: bool,

    /// Formulas in LaTeX instead of Unicode
    #[arg(long, conflicts_with = "json")]
    latex: bool,

    /// One JSON object per entry, on one line
    #[arg(long)]
    json: bool,

    /// When to use colours
    #[arg(long, value_enum, default_value_t = Colour::Auto, value_name = "WHEN")]
    color: Colour,
}

const HELP: &str = "Papers:
  1992       Udwadia & Kalaba, A new perspective on constrained motion
  dalembert  Udwadia & Kalaba, An alternate proof
  2005p      Udwadia, New general principle of mechanics
  2005s      Udwadia, Kalaba & Fan, Theoretical or experimental science?
  2006       Udwadia & Phohomsiri, Singular mass matrices

Examples:
  Everything, with how many of how many hold at the end:
    holonom papers
  One paper, one equation, one lemma:
    holonom papers 2006
    holonom papers 2006:5.39
    holonom papers 2006:lemma-3.1
  What is misprinted:
    holonom papers --misprints

Exit status:
  0  everything that was looked at holds
  1  something does not
  2  there is no such paper or entry";

pub fn run(options: &Options) -> ExitCode {
    let (mut chosen, mut single) = (Vec::new(), !options.keys.is_empty());
    for key in &options.keys {
        let papers = of_paper(key);
        if papers.is_empty() {
            match find(key) {
                Ok(entry) => chosen.push(entry),
                Err(why) => return fail(&why.to_string()),
            }
        } else {
            single = false;
            chosen.extend(all().iter().filter(|entry| papers.contains(&entry.paper)));
        }
    }
    if options.keys.is_empty() {
        chosen = all().iter().collect();
    }
    if options.misprints {
        chosen.retain(|entry| entry.misprint.is_some());
        single = true;
    }
    let checked = check_all(&chosen);
    let colour = options.color.on_output();
    if options.json {
        checked.iter().for_each(|(entry, outcome)| say(&format!("{}\n", to_json(entry, outcome))));
    } else if options.latex {
        checked.iter().for_each(|(entry, outcome)| say(&latex(entry, outcome)));
    } else if single {
        let pages: Vec<String> = checked.iter().map(|(entry, outcome)| page(entry, outcome, colour)).collect();
        say(&pages.join("\n"));
    } else {
        say(&list(&checked, colour));
    }
    match checked.iter().all(|(_, outcome)| outcome.holds) {
        true => ExitCode::SUCCESS,
        false => ExitCode::from(WRONG),
    }
}

/// The formulas of an entry for a LaTeX document.
fn latex(entry: &Entry, outcome: &Outcome) -> String {
    let mut text = format!("% {}: {}\n\\[ {} \\tag{{{}}} \\]\n", entry.key(), entry.says, entry.latex, entry.number);
    for formula in &outcome.ours {
        text += &format!("% ours\n\\[ {} \\]\n", formula.latex);
    }
    text
}

fn to_json(entry: &Entry, outcome: &Outcome) -> Value {
    let ours: Vec<Value> = outcome
        .ours
        .iter()
        .map(|formula| {
            json!({ "what": formula.left, "unicode": formula.unicode, "latex": formula.latex, "text": formula.text })
        })
        .collect();
    let misprint = entry.misprint.map(|misprint| {
        json!({
            "printed": misprint.printed,
            "wrong": misprint.wrong,
            "harmless": misprint.harmless,
            "as_printed": outcome.as_printed,
        })
    });
    json!({
        "key": entry.key(),
        "paper": entry.paper.key(),
        "number": entry.number,
        "kind": entry.kind.word(),
        "says": entry.says,
        "latex": entry.latex,
        "unicode": entry.unicode(),
        "holds": outcome.holds,
        "evidence": outcome.evidence,
        "worst": serde_json::Number::from_f64(outcome.worst).map_or(Value::Null, Value::Number),
        "identical": outcome.identical,
        "ours": ours,
        "misprint": misprint,
    })
}
