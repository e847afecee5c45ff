//! Matrices of expressions with the names of their rows and columns.

use super::{Notation, Style, equation};
use crate::expr::graph::{Graph, Id};

/// Parts of entries beyond this many characters get a name.
const LIMIT: usize = 400;
/// A matrix wider than this is written entry by entry.
const WIDTH: usize = 100;

/// A matrix, or a vector if there is one column without a name.
#[derive(Clone, Copy, Debug)]
pub struct MatrixFormula<'a> {
    /// What it is called: `M`.
    pub label: &'a str,
    /// The names of its rows.
    pub rows: &'a [String],
    /// The names of its columns.
    pub columns: &'a [String],
    /// Its entries, row by row.
    pub entries: &'a [Id],
}

/// The columns that a text takes on a terminal: dots and bars over letters take none.
fn width(text: &str) -> usize {
    text.chars().filter(|c| !('\u{300}'..='\u{36f}').contains(c)).count()
}

impl MatrixFormula<'_> {
    /// The matrix in a style: `M = [[…], […]]` with names beside and above where it is small, entry by entry
    /// (`M[theta, y] = …`, without zeros) where it is large.
    pub fn print(&self, graph: &Graph, style: &Style) -> String {
        let printed = graph.print_with_names(self.entries, style, LIMIT);
        let mut text = match style.notation {
            Notation::Latex => self.latex(&printed.expressions),
            Notation::MathMl => self.mathml(&printed.expressions),
            _ => self.lines(&printed.expressions),
        };
        for (index, (name, part)) in printed.definitions.iter().enumerate() {
            text += match (style.notation, index) {
                (Notation::Latex, _) => ",\\quad ",
                (Notation::MathMl, _) => "<mo>,</mo>",
                (_, 0) => "where\n  ",
                _ => "  ",
            };
            text += &equation(style.notation, name, part);
            if matches!(style.notation, Notation::Text | Notation::Unicode) {
                text.push('\n');
            }
        }
        text
    }

    fn lines(&self, entries: &[String]) -> String {
        let columns = self.columns.len().max(1);
        let size = |text: &String| width(text);
        let widths: Vec<usize> = (0..columns)
            .map(|column| {
                let heading = self.columns.get(column).map_or(0, size);
                entries.iter().skip(column).step_by(columns).map(size).max().unwrap_or(0).max(heading)
            })
            .collect();
        let margin = self.label.chars().count() + 5;
        let total = margin + widths.iter().map(|width| width + 2).sum::<usize>();
        if total > WIDTH || self.rows.len() > 12 {
            return self.sparse(entries);
        }
        let pad = |text: &str, to: usize| format!("{text}{}", " ".repeat(to.saturating_sub(width(text))));
        let mut text = String::new();
        if !self.columns.is_empty() {
            let mut heading = pad("#", margin);
            for (name, width) in self.columns.iter().zip(&widths) {
                heading += &pad(name, width + 2);
            }
            text += heading.trim_end();
            text.push('\n');
        }
        for (row, name) in self.rows.iter().enumerate() {
            let first = if row == 0 { format!("{} = [[", self.label) } else { " ".repeat(margin - 1) + "[" };
            let mut line = first;
            for (column, width) in widths.iter().enumerate() {
                let entry = entries.get(row * columns + column).map_or("0", String::as_str);
                let end = match (column + 1 == columns, row + 1 == self.rows.len()) {
                    (false, _) => ",",
                    (true, false) => "],",
                    (true, true) => "]]",
                };
                line += &pad(&format!("{entry}{end}"), width + 2);
            }
            text += &format!("{line} # {name}\n");
        }
        text
    }

    /// Only what is not zero, one entry to a line.
    fn sparse(&self, entries: &[String]) -> String {
        let columns = self.columns.len().max(1);
        let mut text = String::new();
        for (index, entry) in entries.iter().enumerate().filter(|&(index, _)| self.entries[index] != Id::ZERO) {
            let row = self.rows.get(index / columns).map_or("", String::as_str);
            match self.columns.get(index % columns) {
                Some(column) => text += &format!("{}[{row}, {column}] = {entry}\n", self.label),
                None => text += &format!("{}[{row}] = {entry}\n", self.label),
            }
        }
        if text.is_empty() { format!("{} = 0\n", self.label) } else { text }
    }

    fn latex(&self, entries: &[String]) -> String {
        let columns = self.columns.len().max(1);
        let rows: Vec<String> = entries.chunks(columns).map(|row| row.join(" & ")).collect();
        // `pmatrix` takes ten columns; an array takes any number.
        format!(
            "{} = \\left(\\begin{{array}}{{{}}} {} \\end{{array}}\\right)",
            self.label,
            "c".repeat(columns),
            rows.join(" \\\\ ")
        )
    }

    fn mathml(&self, entries: &[String]) -> String {
        let columns = self.columns.len().max(1);
        let mut rows = String::new();
        for row in entries.chunks(columns) {
            rows += "<mtr>";
            for entry in row {
                rows += &format!("<mtd>{entry}</mtd>");
            }
            rows += "</mtr>";
        }
        let label = crate::markup::escaped(self.label);
        format!("<mrow><mi>{label}</mi><mo>=</mo><mo>(</mo><mtable>{rows}</mtable><mo>)</mo></mrow>")
    }
}
