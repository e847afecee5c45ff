//! A page as one HTML file with MathML.

use super::inline::{Inline, Rich};
use super::{Block, Equation, Page};
use crate::expr::mathml::{escaped, write as formula};

const STYLE: &str = include_str!("page.css");

pub(super) fn write(page: &Page) -> String {
    let body = body(page, 0);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{}</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n{body}</main>\n</body>\n</html>\n",
        escaped(&page.title())
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
            Inline::Words(words) => escaped(words),
            Inline::Strong(words) => format!("<strong>{}</strong>", escaped(words)),
            Inline::Code(code) => format!("<code>{}</code>", escaped(code)),
            Inline::Formula(inside) => format!("<math>{}</math>", formula(inside)),
        })
        .collect()
}

/// Equations in a table: left sides, signs, right sides, and numbers that stay in sight when a long one is scrolled.
fn display(equations: &[Equation]) -> String {
    let mut rows = String::new();
    for equation in equations {
        let math = |inside: &str| format!("<math displaystyle=\"true\">{inside}</math>");
        let left = equation.left.as_ref().map_or(String::new(), |left| math(&formula(left)));
        let sign = match &equation.sign[..] {
            "" => String::new(),
            sign => math(&format!("<mo>{}</mo>", escaped(sign))),
        };
        let number = equation.number.as_ref().map_or(String::new(), |number| format!("({})", escaped(number)));
        rows += &format!(
            "<tr><td class=\"left\">{left}</td><td class=\"sign\">{sign}</td><td class=\"right\">{}</td>\
             <td class=\"number\">{number}</td></tr>\n",
            math(&formula(&equation.right))
        );
    }
    format!("<div class=\"scroll\" tabindex=\"0\"><table class=\"equations\">\n{rows}</table></div>\n")
}
