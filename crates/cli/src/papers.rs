//! `holonom papers`: every numbered result of the five papers, reproduced.

use std::process::ExitCode;

use holonom::symbols::expr::Notation;
use holonom_papers::{Entry, EntryOutcome, Selection, all, check_all, list, select, sheet};
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
    /// Papers (`2006`), sections (`2006:3`) or single entries (`2006:5.39`) [default: everything]
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
  A section, or entries that begin alike, each with its formula and check:
    holonom papers 2006:3
    holonom papers 1992:5
  Misprints only:
    holonom papers --misprints
  A page with all formulas of a paper, for a browser:
    holonom papers 2006 --as html > 2006.html

Exit status:
  0  everything that was looked at holds
  1  something does not
  2  there is no such paper, section or entry";

pub fn run(options: &Options) -> ExitCode {
    let (mut chosen, mut pages, mut headings) = (Vec::new(), !options.keys.is_empty(), Vec::new());
    for key in &options.keys {
        let selection = match select(key) {
            Ok(selection) => selection,
            Err(why) => return fail(&why.to_string()),
        };
        pages &= !matches!(selection, Selection::Papers(_));
        chosen.extend(selection.entries());
        if let Selection::Group(heading, _) = selection {
            headings.push(heading);
        }
    }
    if options.keys.is_empty() {
        chosen = all().iter().collect();
    }
    if options.misprints {
        chosen.retain(|entry| entry.misprint.is_some());
        pages = true;
    }
    let heading = match &headings[..] {
        [one] if options.keys.len() == 1 => one,
        _ => "The papers, checked",
    };
    let checked = check_all(&chosen);
    let colour = options.color.on_output();
    let form = options.form.or(pages.then_some(Form::Unicode));
    if options.json {
        checked.iter().for_each(|(entry, outcome)| say(&format!("{}\n", to_json(entry, outcome))));
    } else {
        say(&match form {
            None => list(&checked, colour),
            Some(Form::Unicode) => {
                let width = options.width.map(usize::from).or_else(width).unwrap_or(80);
                sheet(heading, &checked).unicode(width, colour)
            }
            Some(Form::Markdown) => sheet(heading, &checked).markdown(),
            Some(Form::Latex) => sheet(heading, &checked).latex(),
            Some(Form::Html) => sheet(heading, &checked).html(),
        });
    }
    match checked.iter().all(|(_, outcome)| outcome.holds) {
        true => ExitCode::SUCCESS,
        false => ExitCode::from(WRONG),
    }
}

fn to_json(entry: &Entry, outcome: &EntryOutcome) -> Value {
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
            "as_printed": outcome.as_printed,
        })
    });
    let remark = entry.remark.map(|remark| json!({ "printed": remark.printed, "note": remark.note }));
    json!({
        "key": entry.key(),
        "paper": entry.paper.key(),
        "section": entry.section,
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
        "remark": remark,
    })
}
