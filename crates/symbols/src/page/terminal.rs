//! A page for a terminal: text wrapped at its width, formulas in two dimensions.

use super::blocks::{Block, Equation, Page};
use super::inline::{Inline, Rich, Tone};
use super::layout::lay;
use super::tile::{Align, Tile, columns};
use crate::expr::{Formula, Notation};

/// How far formulas, lists and code are indented.
const INDENT: usize = 4;

pub(super) fn write(page: &Page, width: usize, colour: bool) -> String {
    let terminal = Terminal { width, colour };
    let mut text = String::new();
    for block in &page.blocks {
        if !text.is_empty() {
            text.push('\n');
        }
        for line in terminal.block(block) {
            text += line.trim_end();
            text.push('\n');
        }
    }
    text
}

struct Terminal {
    width: usize,
    colour: bool,
}

/// How a word looks: the sequence that begins it.
const PLAIN: &str = "";
const BOLD: &str = "\x1b[1m";
const DIM: &str = "\x1b[2m";
const CODE: &str = "\x1b[36m";

/// The colour of a judgement: green, yellow, red, as messages have them.
pub(super) fn hue(tone: Tone) -> &'static str {
    match tone {
        Tone::Good => "\x1b[1;32m",
        Tone::Doubtful => "\x1b[1;33m",
        Tone::Bad => "\x1b[1;31m",
    }
}

impl Terminal {
    fn painted(&self, text: &str, colour: &str) -> String {
        if self.colour && !colour.is_empty() && !text.is_empty() {
            format!("{colour}{text}\x1b[0m")
        } else {
            text.to_string()
        }
    }

    fn block(&self, block: &Block) -> Vec<String> {
        match block {
            Block::Heading(level, text) => self.heading(*level, &text.plain()),
            Block::Text(text) => self.wrapped(text, "", "", PLAIN),
            Block::Note(text) => self.wrapped(text, "  ", "  ", DIM),
            Block::Equations(equations) => self.equations(equations),
            Block::List(items) => items.iter().flat_map(|item| self.wrapped(item, "  • ", "    ", PLAIN)).collect(),
            Block::Table { head, rows } => self.table(head, rows),
            Block::Code { text, .. } => {
                let line = |line: &str| self.painted(&format!("{}{}", " ".repeat(INDENT), clean(line)), CODE);
                text.lines().map(line).collect()
            }
        }
    }

    /// The title is underlined twice, what is below it once, and what is below that not at all.
    fn heading(&self, level: u8, text: &str) -> Vec<String> {
        let lines = self.wrapped(&Rich::default().words(text), "", "", BOLD);
        let longest = columns(&clean(text)).min(self.width);
        let line = match level {
            1 => Some("═".repeat(longest)),
            2 => Some("─".repeat(longest)),
            _ => None,
        };
        lines.into_iter().chain(line.map(|line| self.painted(&line, BOLD))).collect()
    }

    /// Words in lines, the first after `first`, the others after `next`.
    fn wrapped(&self, text: &Rich, first: &str, next: &str, look: &str) -> Vec<String> {
        // A word is what stands between blanks; its pieces may look different.
        let mut words: Vec<Vec<(String, &str)>> = vec![Vec::new()];
        for part in &text.parts {
            let (written, style) = match part {
                Inline::Words(words) => (clean(words), look),
                Inline::Strong(words) => (clean(words), BOLD),
                Inline::Judged(tone, words) => (clean(words), hue(*tone)),
                Inline::Code(code) => (if self.colour { clean(code) } else { format!("`{}`", clean(code)) }, CODE),
                Inline::Formula(formula) => (clean(&formula.print(Notation::Unicode)), look),
            };
            for (index, word) in written.split(' ').enumerate() {
                if index > 0 {
                    words.push(Vec::new());
                }
                if let (false, Some(last)) = (word.is_empty(), words.last_mut()) {
                    last.push((word.to_string(), style));
                }
            }
        }
        let mut lines = vec![self.painted(first, look)];
        let (mut used, mut empty) = (columns(first), true);
        for word in words.iter().filter(|word| !word.is_empty()) {
            let wide: usize = word.iter().map(|(piece, _)| columns(piece)).sum();
            if !empty && used + 1 + wide > self.width {
                lines.push(next.to_string());
                (used, empty) = (columns(next), true);
            }
            if let Some(line) = lines.last_mut() {
                if !empty {
                    line.push(' ');
                    used += 1;
                }
                for (piece, style) in word {
                    line.push_str(&self.painted(piece, style));
                }
            }
            (used, empty) = (used + wide, false);
        }
        lines
    }

    /// Equations below each other, their signs in one column, their numbers at the right margin.
    fn equations(&self, equations: &[Equation]) -> Vec<String> {
        let mut open: Vec<Equation> = equations.to_vec();
        // A matrix that does not fit is given by its entries.
        let mut list: Vec<Equation> = Vec::new();
        for equation in open.drain(..) {
            let left = equation.left.as_ref().map_or(0, |left| lay(left, self.width).width);
            let room = self.width.saturating_sub(INDENT + left + 3 + number_width(&equation));
            match equation.entries() {
                Some(entries) if lay(&equation.right, room).width > room => list.extend(entries),
                _ => list.push(equation),
            }
        }
        let widest = self.width / 3;
        let lefts: Vec<Tile> = list
            .iter()
            .map(|equation| equation.left.as_ref().map_or_else(|| Tile::text(""), |left| lay(left, self.width)))
            .collect();
        let column = lefts.iter().map(|left| left.width).filter(|&wide| wide <= widest).max().unwrap_or(0);
        let mut lines = Vec::new();
        let mut tall = false;
        for (equation, left) in list.iter().zip(lefts) {
            let sign = match (&equation.left, &equation.sign[..]) {
                (_, "") => String::new(),
                (_, sign) => format!(" {sign} "),
            };
            let left = if sign.is_empty() { left } else { left.padded(column, Align::Right) };
            let before = left.width + columns(&sign);
            let room = self.width.saturating_sub(INDENT + before + number_width(equation)).max(16);
            let right = lay(&equation.right, room);
            let right = if right.width <= room { right } else { in_words(&equation.right, room) };
            let tile = Tile::beside([Tile::text(" ".repeat(INDENT)), left, Tile::text(sign), right]);
            let high = tile.height() > 1;
            if !lines.is_empty() && (high || tall) {
                lines.push(String::new());
            }
            tall = high;
            let (width, base) = (tile.width, tile.base);
            for (index, row) in tile.rows.into_iter().enumerate() {
                lines.push(match &equation.number {
                    Some(number) if index == base => {
                        let number = format!("({number})");
                        let gap = self.width.saturating_sub(width + columns(&number)).max(1);
                        format!("{row}{}{}", " ".repeat(gap), self.painted(&number, DIM))
                    }
                    _ => row,
                });
            }
        }
        lines
    }

    /// Columns as wide as what is in them; the last one takes what is left.
    fn table(&self, head: &[Rich], rows: &[Vec<Rich>]) -> Vec<String> {
        let count = rows.iter().map(Vec::len).max().unwrap_or(0).max(head.len());
        let cell = |row: &[Rich], column: usize| row.get(column).map_or(String::new(), |text| clean(&text.plain()));
        let mut widths: Vec<usize> = (0..count)
            .map(|column| {
                rows.iter().map(|row| columns(&cell(row, column))).max().unwrap_or(0).max(columns(&cell(head, column)))
            })
            .collect();
        let rest: usize = widths.iter().rev().skip(1).map(|width| width + 2).sum();
        if let Some(last) = widths.last_mut() {
            *last = (*last).min(self.width.saturating_sub(rest + 2)).max(10);
        }
        let mut lines = Vec::new();
        let mut put = |row: &[Rich], look: &str| {
            let mut before = "  ".to_string();
            for (column, width) in widths.iter().enumerate() {
                let text = cell(row, column);
                if column + 1 < count {
                    let blank = " ".repeat(width.saturating_sub(columns(&text)) + 2);
                    before += &format!("{}{blank}", self.painted(&text, look));
                    continue;
                }
                let narrow = Self { width: *width, colour: self.colour };
                let last = row.get(column).cloned().unwrap_or_default();
                for (index, line) in narrow.wrapped(&last, "", "", look).into_iter().enumerate() {
                    let blank = " ".repeat(rest + 2);
                    lines.push(if index == 0 { format!("{before}{line}") } else { format!("{blank}{line}") });
                }
            }
        };
        if head.iter().any(|heading| !heading.parts.is_empty()) {
            put(head, BOLD);
            let lines: Vec<Rich> = widths.iter().map(|width| Rich::default().words(&"─".repeat(*width))).collect();
            put(&lines, PLAIN);
        }
        rows.iter().for_each(|row| put(row, PLAIN));
        lines
    }
}

/// What cannot be laid out in the room there is: one line, broken at blanks.
fn in_words(formula: &Formula, room: usize) -> Tile {
    let mut lines = vec![String::new()];
    for word in formula.print(Notation::Unicode).split(' ') {
        match lines.last_mut() {
            Some(line) if line.is_empty() => *line = word.to_string(),
            Some(line) if columns(line) + 1 + columns(word) <= room => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_string()),
        }
    }
    Tile::above(lines.into_iter().map(Tile::text), Align::Left, 0)
}

/// What a number at the margin takes, with the blanks before it.
fn number_width(equation: &Equation) -> usize {
    equation.number.as_ref().map_or(0, |number| columns(number) + 4)
}

/// Without characters that would move the cursor.
fn clean(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
