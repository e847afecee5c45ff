//! A page as a LaTeX document.

use std::fmt::Write as _;

use super::blocks::{Block, Equation, Page};
use super::inline::{Inline, Rich};
use crate::expr::latex::{escaped, lines, width, write as formula};

/// The widths of an M that fit in a line.
const ROOM: f64 = 40.0;

pub(super) fn body(page: &Page) -> String {
    let mut body = String::new();
    for block in &page.blocks {
        // A display belongs to the paragraph before it.
        if !matches!(block, Block::Equations(_)) {
            body.push('\n');
        }
        body += &match block {
            Block::Heading(1, text) => format!("\\section*{{{}}}\n", rich(text)),
            Block::Heading(2, text) => format!("\\subsection*{{{}}}\n", rich(text)),
            Block::Heading(_, text) => format!("\\paragraph*{{{}}}\n", rich(text)),
            Block::Text(text) => format!("{}\n", rich(text)),
            Block::Note(text) => format!("{{\\small\\itshape {}\\par}}\n", rich(text)),
            Block::Equations(equations) => align(equations),
            Block::List(items) => {
                let items: String = items.iter().map(|item| format!("  \\item {}\n", rich(item))).collect();
                format!("\\begin{{itemize}}\n{items}\\end{{itemize}}\n")
            }
            Block::Table { head, rows } => table(head, rows),
            Block::Code { text, .. } => code(text),
        };
    }
    composed(&body)
}

pub(super) fn write(page: &Page) -> String {
    let body = body(page);
    let mut document = String::from(
        "\\documentclass[11pt,a4paper]{article}\n\
         \\usepackage[utf8]{inputenc}\n\
         \\usepackage{amsmath,amssymb}\n\
         \\usepackage[margin=22mm]{geometry}\n\
         \\allowdisplaybreaks\n\
         \\setlength{\\parindent}{0pt}\n\
         \\setlength{\\parskip}{0.6\\baselineskip}\n",
    );
    document += &declarations(&body);
    document + "\\begin{document}\n" + &body + "\\end{document}\n"
}

fn rich(text: &Rich) -> String {
    text.parts
        .iter()
        .map(|part| match part {
            Inline::Words(words) | Inline::Judged(_, words) => escaped(words),
            Inline::Strong(words) => format!("\\textbf{{{}}}", escaped(words)),
            Inline::Code(code) => format!("\\texttt{{{}}}", escaped(code)),
            Inline::Formula(inside) => format!("${}$", formula(inside)),
        })
        .collect()
}

/// Equations aligned at their signs, long ones in several lines.
fn align(equations: &[Equation]) -> String {
    let rows = rows(equations, ROOM);
    let mut text = String::from("\\begin{align*}\n");
    for (index, row) in rows.iter().enumerate() {
        let end = if index + 1 < rows.len() { " \\\\" } else { "" };
        let _ = writeln!(text, "  {}{}{end}", row.text, row.tag());
    }
    text + "\\end{align*}\n"
}

/// A line of aligned equations.
pub(super) struct Line {
    pub(super) text: String,
    number: Option<String>,
}

impl Line {
    pub(super) fn tag(&self) -> String {
        self.number.as_ref().map_or(String::new(), |number| format!(" \\tag{{{}}}", escaped(number)))
    }

    /// The number where there is no margin for it.
    pub(super) fn beside(&self) -> String {
        self.number.as_ref().map_or(String::new(), |number| format!(" \\qquad \\text{{({})}}", escaped(number)))
    }
}

/// The lines of aligned equations, with `&` before their signs.
pub(super) fn rows(equations: &[Equation], room: f64) -> Vec<Line> {
    let mut list: Vec<Equation> = Vec::new();
    for equation in equations {
        match equation.entries() {
            // Entries are broken before a matrix is given up, but not into shreds.
            Some(entries) if width(&equation.right) > 1.6 * room => list.extend(entries),
            _ => list.push(equation.clone()),
        }
    }
    let left_width = list.iter().filter_map(|equation| equation.left.as_ref()).map(width).fold(0.0, f64::max);
    let mut rows = Vec::new();
    for equation in &list {
        let number = equation.number.clone();
        let rest = room - left_width - 2.0 - number.as_ref().map_or(0.0, |number| 0.5 * number.len() as f64 + 2.0);
        let right = lines(&equation.right, rest.max(0.4 * room));
        let left = equation.left.as_ref().map_or(String::new(), |left| formula(left) + " ");
        let sign = match &equation.sign[..] {
            "" => String::new(),
            sign => formula(&crate::expr::Formula::sign(sign)) + " ",
        };
        for (index, line) in right.into_iter().enumerate() {
            rows.push(if index == 0 {
                Line { text: format!("{left}&{sign}{line}"), number: number.clone() }
            } else {
                Line { text: format!("&\\quad {line}"), number: None }
            });
        }
    }
    rows
}

fn table(head: &[Rich], rows: &[Vec<Rich>]) -> String {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0).max(head.len()).max(1);
    let cells = |row: &[Rich]| {
        let mut cells: Vec<String> = row.iter().map(rich).collect();
        cells.resize(count, String::new());
        cells.join(" & ")
    };
    // The last column is the one with sentences in it.
    let long = rows.iter().filter_map(|row| row.get(count - 1)).any(|cell| cell.plain().chars().count() > 40);
    let last = if long { "p{0.5\\linewidth}" } else { "l" };
    let mut text = format!("\\begin{{tabular}}{{{}{last}}}\n", "l".repeat(count - 1));
    if head.iter().any(|cell| !cell.parts.is_empty()) {
        let _ = writeln!(text, "  {} \\\\ \\hline", cells(head));
    }
    for row in rows {
        let _ = writeln!(text, "  {} \\\\", cells(row));
    }
    text + "\\end{tabular}\n"
}

/// Text as it is, line by line: `verbatim` would take no character beyond ASCII and could be ended by the text.
fn code(text: &str) -> String {
    let mut all = String::from("{\\ttfamily\\small\\begin{flushleft}\n");
    for line in text.lines() {
        let bare = line.trim_start();
        let blanks = "~".repeat(line.len() - bare.len());
        let _ = writeln!(all, "\\mbox{{}}{blanks}{}\\\\", escaped(bare));
    }
    if text.lines().next().is_none() {
        return String::new();
    }
    all + "\\end{flushleft}}\n"
}

/// Letters followed by dots and bars, which LaTeX wants before them.
fn composed(text: &str) -> String {
    let mut all = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let command = letters.peek().and_then(|&mark| match mark {
            '\u{304}' | '\u{305}' => Some("bar"),
            '\u{302}' => Some("hat"),
            '\u{303}' => Some("tilde"),
            '\u{307}' => Some("dot"),
            '\u{308}' => Some("ddot"),
            _ => None,
        });
        match command {
            Some(command) if letter.is_alphabetic() => {
                letters.next();
                let _ = write!(all, "\\ensuremath{{\\{command}{{{letter}}}}}");
            }
            _ if ('\u{300}'..='\u{36f}').contains(&letter) => {}
            _ => all.push(letter),
        }
    }
    all
}

/// What characters beyond ASCII mean, for those that occur.
fn declarations(body: &str) -> String {
    let mut found: Vec<char> = body.chars().filter(|c| !c.is_ascii()).collect();
    found.sort_unstable();
    found.dedup();
    let mut text = String::new();
    for c in found {
        // Letters of Latin alphabets are known.
        if ('\u{c0}'..='\u{17f}').contains(&c) && c != '×' && c != '÷' {
            continue;
        }
        let meaning = match known(c) {
            Some(math) => format!("\\ensuremath{{{math}}}"),
            None => match c {
                '–' => "--".to_string(),
                '—' => "---".to_string(),
                '“' => "``".to_string(),
                '”' => "''".to_string(),
                '‘' => "`".to_string(),
                '’' => "'".to_string(),
                '\u{a0}' => "~".to_string(),
                '\u{202f}' | '\u{2009}' => "\\,".to_string(),
                'ẋ' => "\\ensuremath{\\dot{x}}".to_string(),
                'ẍ' => "\\ensuremath{\\ddot{x}}".to_string(),
                'ẏ' => "\\ensuremath{\\dot{y}}".to_string(),
                _ => format!("{{\\scriptsize U+{:04X}}}", u32::from(c)),
            },
        };
        let _ = writeln!(text, "\\DeclareUnicodeCharacter{{{:04X}}}{{{meaning}}}", u32::from(c));
    }
    text
}

/// A character that is a formula.
fn known(c: char) -> Option<String> {
    const SIGNS: &[(char, &str)] = &[
        ('−', "-"),
        ('·', "\\cdot"),
        ('×', "\\times"),
        ('÷', "\\div"),
        ('±', "\\pm"),
        ('≠', "\\ne"),
        ('≤', "\\le"),
        ('≥', "\\ge"),
        ('≈', "\\approx"),
        ('≡', "\\equiv"),
        ('→', "\\to"),
        ('⇒', "\\Rightarrow"),
        ('↦', "\\mapsto"),
        ('∈', "\\in"),
        ('∩', "\\cap"),
        ('∪', "\\cup"),
        ('∂', "\\partial"),
        ('∞', "\\infty"),
        ('∑', "\\sum"),
        ('Σ', "\\Sigma"),
        ('√', "\\surd"),
        ('…', "\\ldots"),
        ('°', "{}^{\\circ}"),
        ('′', "'"),
        ('″', "''"),
        ('µ', "\\mu"),
        ('ᵀ', "{}^{T}"),
        ('⁺', "{}^{+}"),
        ('⁻', "{}^{-}"),
        ('₊', "{}_{+}"),
        ('₋', "{}_{-}"),
        ('½', "\\tfrac12"),
        ('‖', "\\|"),
        ('•', "\\bullet"),
        ('✓', "\\checkmark"),
    ];
    if let Some((_, math)) = SIGNS.iter().find(|(sign, _)| *sign == c) {
        return Some((*math).to_string());
    }
    if let Some(digit) = "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().position(|small| small == c) {
        return Some(format!("{{}}^{{{digit}}}"));
    }
    const LETTERS: &str = "0123456789aehijklmnoprstuvx";
    if let Some(place) = "₀₁₂₃₄₅₆₇₈₉ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ".chars().position(|small| small == c)
    {
        return LETTERS.chars().nth(place).map(|letter| format!("{{}}_{{{letter}}}"));
    }
    let letter = crate::expr::latex::symbol(&c.to_string());
    (letter.starts_with('\\') && !letter.starts_with("\\text")).then_some(letter)
}
