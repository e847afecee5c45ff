//! A short page of labels and what is said under each: verdicts and summaries, for a terminal and for files.

use super::Tone;
use super::inline::{Inline, Rich};
use super::terminal::hue;
use super::tile::columns;
use crate::expr::Notation;

/// Where text begins, right of the labels.
const INDENT: usize = 15;
/// Longer lines are hard to read, however wide the terminal is.
const WIDEST: usize = 100;
/// Narrower lines have no room beside the labels.
const NARROWEST: usize = 30;

/// How a [`Sheet`] is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    width: usize,
    between_words: bool,
    colour: bool,
}

impl Layout {
    /// For files and pipes: 100 columns, items are never broken, no colours.
    pub const PLAIN: Self = Self { width: WIDEST, between_words: false, colour: false };

    /// The same with or without colours.
    #[must_use]
    pub fn with_colour(self, colour: bool) -> Self {
        Self { colour, ..self }
    }

    /// For a terminal: no line is longer than `width`, unless one word is.
    pub fn terminal(width: usize) -> Self {
        Self { width: width.clamp(NARROWEST, WIDEST), between_words: true, colour: false }
    }
}

/// Lines with a label each.
///
/// ```
/// use holonom_symbols::page::{Layout, Rich, Sheet, Tone};
///
/// let mut sheet = Sheet::new(Layout::PLAIN);
/// sheet.head(&Rich::default().words("wheel.holo: ").judged(Tone::Good, "finished"));
/// sheet.entry("set", vec!["m = 2".to_string(), "R = 1".to_string()], ", ");
/// assert_eq!(sheet.to_string(), "wheel.holo: finished\n  set          m = 2, R = 1\n");
/// ```
#[derive(Clone, Debug)]
pub struct Sheet {
    text: String,
    layout: Layout,
}

/// A piece of a line, and how it is judged.
type Piece<'a> = (&'a str, Option<Tone>);

impl Sheet {
    /// An empty sheet.
    pub fn new(layout: Layout) -> Self {
        Self { text: String::new(), layout }
    }

    /// A line without a label.
    pub fn head(&mut self, line: &Rich) {
        self.lines("", None, 4, std::slice::from_ref(line), "");
    }

    /// A label and what it is about, broken into lines between items. Nothing where there are none.
    pub fn entry(&mut self, label: &str, items: Vec<String>, between: &str) {
        let items: Vec<Rich> = items.iter().map(|item| Rich::default().words(item)).collect();
        self.judged(label, None, &items, between);
    }

    /// The same with judgements, of the whole in the colour of its label or of words in it.
    pub fn judged(&mut self, label: &str, tone: Option<Tone>, items: &[Rich], between: &str) {
        self.lines(&format!("  {label:<width$}", width = INDENT - 2), tone, INDENT, items, between);
    }

    fn lines(&mut self, label: &str, tone: Option<Tone>, indent: usize, items: &[Rich], between: &str) {
        let Some(last) = items.len().checked_sub(1) else { return };
        let Layout { width, between_words, .. } = self.layout;
        let mut line = vec![(label.to_string(), tone)];
        let (mut used, mut fresh) = (columns(label), true);
        for (index, item) in items.iter().enumerate() {
            let texts = pieces(item);
            let mut pieces: Vec<Piece> = texts.iter().map(|(text, tone)| (text.as_str(), *tone)).collect();
            if index < last {
                pieces.push((between, None));
            }
            let whole: String = pieces.iter().map(|(text, _)| *text).collect();
            let wide = columns(whole.trim_end());
            let fits_alone = !between_words || indent + wide <= width;
            if !fresh && used + wide > width && fits_alone {
                self.put(&mut line, indent);
                used = indent;
            }
            fresh = false;
            for word in words(&pieces, between_words) {
                let text: String = word.iter().map(|(text, _)| *text).collect();
                // Where nothing but the indent is on the line, a break gains nothing.
                if between_words && used > indent && used + columns(text.trim_end()) > width {
                    self.put(&mut line, indent);
                    used = indent;
                }
                used += columns(&text);
                for (text, tone) in word {
                    match line.last_mut().filter(|(_, before)| *before == tone) {
                        Some((before, _)) => before.push_str(text),
                        None => line.push((text.to_string(), tone)),
                    }
                }
            }
        }
        self.put(&mut line, 0);
    }

    /// Writes a line and begins the next.
    fn put(&mut self, line: &mut Vec<(String, Option<Tone>)>, indent: usize) {
        while let Some((text, _)) = line.last_mut() {
            text.truncate(text.trim_end().len());
            if !text.is_empty() {
                break;
            }
            line.pop();
        }
        for (text, tone) in line.drain(..) {
            match tone.filter(|_| self.layout.colour) {
                Some(tone) => {
                    let (before, words) = text.split_at(text.len() - text.trim_start().len());
                    let (words, after) = words.split_at(words.trim_end().len());
                    self.text += &format!("{before}{}{words}\x1b[0m{after}", hue(tone));
                }
                None => self.text += &text,
            }
        }
        self.text.push('\n');
        line.push((" ".repeat(indent), None));
    }
}

impl std::fmt::Display for Sheet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

/// The texts of an item.
fn pieces(item: &Rich) -> Vec<(String, Option<Tone>)> {
    item.parts
        .iter()
        .map(|part| match part {
            Inline::Words(text) | Inline::Strong(text) | Inline::Code(text) => (text.clone(), None),
            Inline::Judged(tone, text) => (text.clone(), Some(*tone)),
            Inline::Formula(formula) => (formula.print(Notation::Unicode), None),
        })
        .collect()
}

/// Pieces up to each blank, with the blank; all of them as one where lines are not broken between words.
fn words<'a>(pieces: &[Piece<'a>], between_words: bool) -> Vec<Vec<Piece<'a>>> {
    if !between_words {
        return vec![pieces.to_vec()];
    }
    let mut words = vec![Vec::new()];
    for (text, tone) in pieces {
        for part in text.split_inclusive(' ') {
            if let Some(word) = words.last_mut() {
                word.push((part, *tone));
            }
            if part.ends_with(' ') {
                words.push(Vec::new());
            }
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sheet(layout: Layout) -> String {
        let mut sheet = Sheet::new(layout);
        sheet.head(&Rich::default().words("wheel.holo: ").judged(Tone::Bad, "failed").words(" at t = 2 of 10 s; kept"));
        let motion = Rich::default().judged(Tone::Bad, "not unique").words(": [M; A] has rank 1 of 2");
        sheet.judged("motion", None, &[motion, Rich::default().words("M has rank 1")], "; ");
        sheet.judged("redundant", Some(Tone::Doubtful), &[Rich::default().words("again = 2*no_slip")], "; ");
        sheet.entry("nothing", Vec::new(), ", ");
        sheet.to_string()
    }

    #[test]
    fn items_stay_whole_in_files_and_lines_fit_on_a_terminal() {
        let plain = sheet(Layout::PLAIN);
        let motion = "  motion       not unique: [M; A] has rank 1 of 2; M has rank 1\n";
        assert!(plain.contains(motion) && !plain.contains("nothing") && !plain.contains('\x1b'), "{plain}");
        for width in [30, 40, 53, 80] {
            let narrow = sheet(Layout::terminal(width));
            assert!(narrow.lines().all(|line| columns(line) <= width && line.trim_end() == line), "{width}:\n{narrow}");
            let words = |text: &str| text.split_whitespace().map(String::from).collect::<Vec<_>>();
            assert_eq!(words(&narrow), words(&plain), "{width}: the same words");
        }
    }

    /// Colours change no letter, and end where their words end.
    #[test]
    fn judgements_have_colours() {
        for width in [30, 80] {
            let plain = Layout::terminal(width);
            let mut bare = sheet(plain.with_colour(true));
            assert!(
                bare.contains("\x1b[1;31mnot unique\x1b[0m:") && bare.contains("\x1b[1;33mredundant\x1b[0m"),
                "{bare}"
            );
            for code in ["\x1b[1;31m", "\x1b[1;33m", "\x1b[0m"] {
                bare = bare.replace(code, "");
            }
            assert_eq!(bare, sheet(plain));
        }
    }
}
