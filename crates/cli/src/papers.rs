//! `holonom papers`: every numbered result of the five papers, reproduced.

use std::process::ExitCode;

use holonom::expr::Notation;
use holonom_papers::{Entry, Outcome, all, check_all, find, list, of_paper, sheet};
use serde_json::{Value, json};

use crate::terminal::{Colour, WRONG, fail, say, width};

/// List the results and worked examples of the five papers, and check each
///
/// Laws are checked on random systems with repeated rows, missing masses and
/// constraints that do work, in 32 digits and with the kernel. Formulas of examples are
/// compared with the models of the gallery, in symbols and at random states.
#[derive(clap::Args)]
#[command(after_long_help = HELP)]
pub struct Options {
    /// Papers (`2006`) or single entries (`2006:5.39`) [default: everything]
    #[arg(value_name = "KEY")]
    keys: Vec<String>,

    /// Show only misprints, with the correct version
    #[arg(long)]
    misprints: bool,

    /// Write a page with all formulas, in this format
    #[arg(long = "as", value_enum, value_name = "FORM", conflicts_with = "json")]
    form: Option<Form>,

    /// Width of lines [default: that of the terminal, or 80]
    #[arg(long, value_name = "COLUMNS", value_parser = clap::value_parser!(u16).range(20..=1000))]
    width: Option<u16>,

    /// Print one JSON object per entry, on one line
    #[arg(long)]
    json: bool,

    /// When to use colours
    #[arg(long, value_enum, default_value_t = Colour::Auto, value_name = "WHEN")]
    color: Colour,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Form {
    /// Two dimensions, for a terminal
    Unicode,
    /// Markdown with formulas in LaTeX
    Markdown,
    /// A LaTeX document
    Latex,
    /// A web page with MathML
    Html,
}

const HELP: &str = "Papers:
  1992       Udwadia & Kalaba, A new perspective on constrained motion
  dalembert  Udwadia & Kalaba, An alternate proof
  2005p      Udwadia, New general principle of mechanics
  2005s      Udwadia, Kalaba & Fan, Theoretical or experimental science?
  2006       Udwadia & Phohomsiri, Singular mass matrices

Examples:
  Everything, with a count at the end:
    holonom papers
  One paper, one equation, one lemma:
    holonom papers 2006
    holonom papers 2006:5.39
    holonom papers 2006:lemma-3.1
  Misprints only:
    holonom papers --misprints
  A page with all formulas of a paper, for a browser:
    holonom papers 2006 --as html > 2006.html

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
    let form = options.form.or(single.then_some(Form::Unicode));
    if options.json {
        checked.iter().for_each(|(entry, outcome)| say(&format!("{}\n", to_json(entry, outcome))));
    } else {
        say(&match form {
            None => list(&checked, colour),
            Some(Form::Unicode) => {
                let width = options.width.map(usize::from).or_else(width).unwrap_or(80);
                sheet(&checked).unicode(width, colour)
            }
            Some(Form::Markdown) => sheet(&checked).markdown(),
            Some(Form::Latex) => sheet(&checked).latex(),
            Some(Form::Html) => sheet(&checked).html(),
        });
    }
    match checked.iter().all(|(_, outcome)| outcome.holds) {
        true => ExitCode::SUCCESS,
        false => ExitCode::from(WRONG),
    }
}

fn to_json(entry: &Entry, outcome: &Outcome) -> Value {
    let ours: Vec<Value> = outcome
        .ours
        .iter()
        .map(|ours| {
            json!({
                "what": ours.left.print(Notation::Unicode),
                "unicode": ours.right.print(Notation::Unicode),
                "latex": ours.right.print(Notation::Latex),
                "text": ours.text,
                "nodes": ours.nodes,
                "nodes_in_paper": ours.nodes_in_paper,
            })
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
