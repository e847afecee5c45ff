//! A line of source as a terminal can show it, and the column at which each of its bytes stands there.

use std::borrow::Cow;
use std::fmt::Write;

/// The widest piece of a line that is shown.
const WIDTH: usize = 100;

/// How much of a line that is cut is kept in front of the place in question.
const LEAD: usize = 30;

/// Every so many columns there is a tab stop.
const TAB: usize = 4;

/// A line, or the piece of it around a place.
pub(super) struct Excerpt {
    /// What to show.
    pub text: String,
    /// The bytes of the line that are shown, with the column of each character; one more for the end.
    columns: Vec<(usize, usize)>,
}

impl Excerpt {
    /// The line if it fits into `room` columns, else the piece of it around the byte `focus`.
    pub fn around(line: &str, focus: usize, room: usize) -> Self {
        if let Some(whole) = Self::whole(line, room) {
            return whole;
        }
        let focus = line.floor_char_boundary(focus.min(line.len()));
        let mut from = focus;
        let mut lead = 0;
        for (at, letter) in line[..focus].char_indices().rev() {
            lead += breadth(letter, 0);
            if lead > LEAD.min(room / 3) {
                break;
            }
            from = at;
        }
        Self::piece(line, from, WIDTH.min(room))
    }

    /// The whole line if it fits into `room` columns.
    pub fn whole(line: &str, room: usize) -> Option<Self> {
        if line.len() > 4 * WIDTH {
            return None;
        }
        let whole = Self::piece(line, 0, usize::MAX);
        (whole.column(line.len()) <= WIDTH.min(room)).then_some(whole)
    }

    fn piece(line: &str, from: usize, width: usize) -> Self {
        let mut text = String::new();
        let mut columns = Vec::new();
        let mut column = 0;
        if from > 0 {
            text.push('…');
            column = 1;
        }
        let mut end = line.len();
        for (at, letter) in line[from..].char_indices() {
            let step = breadth(letter, column);
            if column.saturating_add(step) >= width {
                end = from + at;
                text.push('…');
                break;
            }
            columns.push((from + at, column));
            show(letter, step, &mut text);
            column += step;
        }
        columns.push((end, column));
        Self { text, columns }
    }

    /// Whether the byte is among those shown, or just after them.
    pub fn contains(&self, byte: usize) -> bool {
        self.columns.first().is_some_and(|(first, _)| byte >= *first)
            && self.columns.last().is_some_and(|(last, _)| byte <= *last)
    }

    /// The column of a byte; that of the nearest shown one if it is not.
    pub fn column(&self, byte: usize) -> usize {
        let after = self.columns.partition_point(|(at, _)| *at < byte);
        self.columns.get(after).or(self.columns.last()).map_or(0, |(_, column)| *column)
    }
}

/// Text from a user inside a message: nothing that a terminal would obey. Line breaks stay.
pub(super) fn harmless(text: &str) -> Cow<'_, str> {
    if text.chars().all(|letter| letter == '\n' || !is_unseen(letter)) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::new();
    for letter in text.chars() {
        if letter == '\n' { shown.push('\n') } else { show(letter, 1, &mut shown) }
    }
    Cow::Owned(shown)
}

/// Whether a letter is a command to the terminal, or turns the direction of writing, or cannot be seen.
fn is_unseen(letter: char) -> bool {
    letter.is_control()
        || matches!(letter,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

fn show(letter: char, step: usize, text: &mut String) {
    match letter {
        '\t' => text.extend(std::iter::repeat_n(' ', step)),
        '\0'..='\x1f' => text.push(char::from_u32(0x2400 + letter as u32).unwrap_or('\u{fffd}')),
        '\x7f' => text.push('\u{2421}'),
        _ if is_unseen(letter) => {
            let _ = write!(text, "<U+{:04X}>", letter as u32);
        }
        _ => text.push(letter),
    }
}

/// How many columns a letter takes at a column.
pub(super) fn breadth(letter: char, column: usize) -> usize {
    match letter {
        '\t' => TAB - column % TAB,
        ' '..='~' | '\0'..='\x1f' | '\x7f' => 1,
        _ if is_unseen(letter) => {
            if (letter as u32) > 0xffff {
                9
            } else {
                8
            }
        }
        // Marks that stand on the letter before them.
        '\u{300}'..='\u{36f}'
        | '\u{483}'..='\u{489}'
        | '\u{591}'..='\u{5bd}'
        | '\u{610}'..='\u{61a}'
        | '\u{64b}'..='\u{65f}'
        | '\u{93a}'
        | '\u{93c}'
        | '\u{941}'..='\u{948}'
        | '\u{94d}'
        | '\u{e31}'
        | '\u{e34}'..='\u{e3a}'
        | '\u{e47}'..='\u{e4e}'
        | '\u{1ab0}'..='\u{1aff}'
        | '\u{1dc0}'..='\u{1dff}'
        | '\u{20d0}'..='\u{20ff}'
        | '\u{fe00}'..='\u{fe0f}'
        | '\u{fe20}'..='\u{fe2f}' => 0,
        // East Asian letters and pictures.
        '\u{1100}'..='\u{115f}'
        | '\u{231a}'..='\u{231b}'
        | '\u{23e9}'..='\u{23ec}'
        | '\u{2614}'..='\u{2615}'
        | '\u{26a1}'
        | '\u{2705}'
        | '\u{274c}'
        | '\u{2e80}'..='\u{303e}'
        | '\u{3041}'..='\u{a4cf}'
        | '\u{a960}'..='\u{a97f}'
        | '\u{ac00}'..='\u{d7a3}'
        | '\u{f900}'..='\u{faff}'
        | '\u{fe30}'..='\u{fe6f}'
        | '\u{ff00}'..='\u{ff60}'
        | '\u{ffe0}'..='\u{ffe6}'
        | '\u{1f300}'..='\u{1f64f}'
        | '\u{1f680}'..='\u{1f6ff}'
        | '\u{1f900}'..='\u{1faff}'
        | '\u{20000}'..='\u{3fffd}' => 2,
        _ => 1,
    }
}
