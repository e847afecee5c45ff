//! A page as one HTML file with MathML.

use super::blocks::{Block, Equation, Page};
use super::flow::flow;
use super::inline::{Inline, Rich};
use super::layout::{lay, widths};
use super::style::{class, style};
use crate::expr::FastMap;
use crate::expr::mathml::write as formula;
use crate::markup::escaped;

const STYLE: &str = include_str!("page.css");

pub(super) fn write(page: &Page) -> String {
    let body = body(page, 0);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{}</title>\n\
         <style>\n{STYLE}{}</style>\n</head>\n<body>\n<main>\n{body}</main>\n</body>\n</html>\n",
        escaped(&page.title()),
        style()
    )
}

pub(super) fn body(page: &Page, down: u8) -> String {
    page.blocks.iter().map(|one| block(one, down)).collect()
}

fn block(block: &Block, down: u8) -> String {
    match block {
        Block::Heading(level, text) => {
            let level = level.saturating_add(down).min(6);
            format!("<h{level}>{}</h{level}>\n", rich(text))
        }
        Block::Text(text) => format!("<p>{}</p>\n", rich(text)),
        Block::Note(text) => format!("<p class=\"note\">{}</p>\n", rich(text)),
        Block::Equations(equations) => display(equations),
        Block::List(items) => {
            let items: String = items.iter().map(|item| format!("<li>{}</li>\n", rich(item))).collect();
            format!("<ul>\n{items}</ul>\n")
        }
        Block::Table { head, rows } => {
            let cells = |row: &[Rich], tag: &str| -> String {
                let cells: String = row.iter().map(|cell| format!("<{tag}>{}</{tag}>", rich(cell))).collect();
                format!("<tr>{cells}</tr>\n")
            };
            let rows: String = rows.iter().map(|row| cells(row, "td")).collect();
            let head = if head.iter().any(|cell| !cell.parts.is_empty()) { cells(head, "th") } else { String::new() };
            format!("<div class=\"scroll\"><table>\n<thead>{head}</thead>\n<tbody>\n{rows}</tbody>\n</table></div>\n")
        }
        Block::Code { text, .. } => format!("<pre><code>{}</code></pre>\n", escaped(text)),
    }
}

fn rich(text: &Rich) -> String {
    text.parts
        .iter()
        .map(|part| match part {
            Inline::Words(words) | Inline::Judged(_, words) => escaped(words),
            Inline::Strong(words) => format!("<strong>{}</strong>", escaped(words)),
            Inline::Code(code) => format!("<code>{}</code>", escaped(code)),
            Inline::Formula(inside) => format!("<math>{}</math>", formula(inside)),
        })
        .collect()
}

/// Formulas up to so many columns fit on a phone; wider ones are taken apart there.
const NARROW: usize = 26;
/// Columns of the left and the right side together that fit on a phone.
const TOGETHER: usize = NARROW + 5;
/// Up to so many columns they fit on a sheet of paper.
const WIDE: usize = 84;
/// Up to so many columns a matrix stands on a screen; its entries one by one are harder to read.
const MATRIX: usize = 120;

/// Equations in a table: left sides, signs, right sides and numbers.
fn display(equations: &[Equation]) -> String {
    let groups: String = equations.iter().map(group).collect();
    format!("<div class=\"formulas\" tabindex=\"0\"><table class=\"equations\">\n{groups}</table></div>\n")
}

/// An equation; a matrix also as its entries, for where it does not fit.
fn group(equation: &Equation) -> String {
    let widths = widths(&equation.right);
    let width = widths.get(&equation.right.address()).copied().unwrap_or(0);
    let left = equation.left.as_ref().map_or(0, |left| lay(left, usize::MAX).width);
    let number = equation.number.as_ref().map_or(0, |number| number.chars().count() + 4);
    let body = |class: &str, rows: &str| format!("<tbody{class}>\n{rows}</tbody>\n");
    match equation.entries() {
        Some(entries) if left + width > TOGETHER => {
            let apart: String = entries.iter().map(|entry| row(entry, &widths)).collect();
            if left + width + number > MATRIX {
                return body("", &apart);
            }
            let class = class(left + width + number + 8);
            let whole = line(equation, &math(&formula(&equation.right)));
            body(&format!(" class=\"whole {class}\""), &whole) + &body(&format!(" class=\"broken {class}\""), &apart)
        }
        _ => body("", &row(equation, &widths)),
    }
}

/// An equation in one row of the table: for wide screens and, where that is something else, for narrow ones.
fn row(equation: &Equation, widths: &FastMap<usize, usize>) -> String {
    let left = equation.left.as_ref().map_or(0, |left| lay(left, usize::MAX).width);
    let number = equation.number.as_ref().map_or(0, |number| number.chars().count() + 4);
    let few = NARROW.min(TOGETHER.saturating_sub(left)).max(NARROW / 2);
    let (wide, narrow) = (flow(&equation.right, WIDE, widths), flow(&equation.right, few, widths));
    let (wide, narrow, needed) = (wide.html(), narrow.html(), left + wide.widest() + number + 4);
    if wide == narrow {
        return line(equation, &wide);
    }
    let class = class(needed);
    line(
        equation,
        &format!("<span class=\"whole {class}\">{wide}</span><span class=\"broken {class}\">{narrow}</span>"),
    )
}

fn math(inside: &str) -> String {
    format!("<math displaystyle=\"true\">{inside}</math>")
}

fn line(equation: &Equation, right: &str) -> String {
    let left = equation.left.as_ref().map_or(String::new(), |left| match widths(left) {
        widths if widths.get(&left.address()).is_some_and(|&wide| wide > NARROW / 2) => {
            flow(left, NARROW / 2, &widths).html()
        }
        _ => math(&formula(left)),
    });
    let long = if left.contains("<wbr/>") { " long" } else { "" };
    let sign = match &equation.sign[..] {
        "" => String::new(),
        sign => math(&format!("<mo>{}</mo>", escaped(sign))),
    };
    let number = equation.number.as_ref().map_or(String::new(), |number| format!("({})", escaped(number)));
    // Where there is no room beside the formula, its number stands below.
    let below = if number.is_empty() { String::new() } else { format!("<span class=\"below\">{number}</span>") };
    format!(
        "<tr><td class=\"left{long}\">{left}</td><td class=\"sign\">{sign}</td><td class=\"right\">{right}{below}</td>\
         <td class=\"number\">{number}</td></tr>\n"
    )
}
