//! A page as Markdown, formulas as LaTeX between dollar signs.

use super::blocks::{Block, Equation, Page};
use super::inline::{Inline, Rich};
use super::latex::rows;
use crate::expr::latex::write as formula;

/// The widths of an M that fit in a line.
const ROOM: f64 = 48.0;

pub(super) fn write(page: &Page) -> String {
    let blocks: Vec<String> = page
        .blocks
        .iter()
        .map(|block| match block {
            Block::Heading(level, text) => format!("{} {}\n", "#".repeat(usize::from(*level)), rich(text)),
            Block::Text(text) => format!("{}\n", rich(text)),
            Block::Note(text) => format!("> {}\n", rich(text)),
            Block::Equations(equations) => display(equations),
            Block::List(items) => items.iter().map(|item| format!("- {}\n", rich(item))).collect(),
            Block::Table { head, rows } => table(head, rows),
            Block::Code { language, text } => {
                // A fence longer than any in the text.
                let fence = "`".repeat(longest_run(text).max(2) + 1);
                format!("{fence}{language}\n{}\n{fence}\n", text.trim_end_matches('\n'))
            }
        })
        .collect();
    blocks.join("\n")
}

fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

fn rich(text: &Rich) -> String {
    text.parts
        .iter()
        .map(|part| match part {
            Inline::Words(words) | Inline::Judged(_, words) => escaped(words),
            Inline::Strong(words) => format!("**{}**", escaped(words)),
            Inline::Code(code) => {
                let fence = "`".repeat(longest_run(code) + 1);
                if code.starts_with('`') || code.ends_with('`') {
                    format!("{fence} {code} {fence}")
                } else {
                    format!("{fence}{code}{fence}")
                }
            }
            Inline::Formula(inside) => format!("${}$", math(&formula(inside))),
        })
        .collect()
}

/// Text in which no character is a command.
fn escaped(text: &str) -> String {
    let mut all = String::new();
    for c in text.chars() {
        if "\\*_`[]<>$|#".contains(c) {
            all.push('\\');
        }
        all.push(if c == '\n' { ' ' } else { c });
    }
    all
}

/// LaTeX in which nothing is taken for HTML.
fn math(text: &str) -> String {
    text.replace('<', "\\lt ").replace('>', "\\gt ")
}

fn display(equations: &[Equation]) -> String {
    let lines = rows(equations, ROOM);
    let text = match &lines[..] {
        [only] => math(&only.text.replacen('&', "", 1)) + &only.tag(),
        _ => {
            // A block of aligned lines has room for one number; each line shows its own.
            let lines: Vec<String> = lines.iter().map(|line| math(&line.text) + &line.beside()).collect();
            format!("\\begin{{aligned}}\n{}\n\\end{{aligned}}", lines.join(" \\\\\n"))
        }
    };
    format!("$$\n{text}\n$$\n")
}

fn table(head: &[Rich], rows: &[Vec<Rich>]) -> String {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0).max(head.len()).max(1);
    let line = |row: &[Rich]| {
        let mut cells: Vec<String> = row.iter().map(rich).collect();
        cells.resize(count, String::new());
        format!("| {} |\n", cells.join(" | "))
    };
    let rule = format!("|{}\n", "---|".repeat(count));
    line(head) + &rule + &rows.iter().map(|row| line(row)).collect::<String>()
}
