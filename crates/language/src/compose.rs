//! A model put together from strings: each is checked to be what its place asks for, and nothing more.
//!
//! The builder and the JSON form give names, expressions and units as strings in the language. They are written
//! down as the text of a model, which is parsed like any other, so that both mean what the text means. What a string
//! must not do is to reach beyond its place: `"2 kg, g = 3"` is no value of one parameter. So every string is also
//! parsed by itself, in a small statement around it.

use std::ops::Range;

use super::source::Span;

mod check;

/// What a string has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// An expression.
    Expression,
    /// A limit, or what lies between limits: nothing looser than `on`.
    Bound,
    /// A name, perhaps of a family, of a part or with primes; the whole text says which of these fit.
    Name,
    /// A name of a `let`, perhaps with arguments.
    Head,
    /// A function with its arguments.
    Function,
    /// What a force acts on.
    Force,
    /// A unit.
    Unit,
    /// `left = right`
    Equation,
    /// When an event happens.
    Condition,
    /// What an event does.
    Action,
    /// What is expected.
    Claim,
    /// The indices of a family, as they stand between brackets.
    Family,
    /// A single word.
    Word,
    /// What stands between quotes.
    Path,
    /// A line of words.
    Title,
}

/// A model's text while it is put together.
#[derive(Clone, Debug, Default)]
pub(super) struct Composer {
    text: String,
    fragments: Vec<Fragment>,
}

/// A string that was given, where it stands now.
#[derive(Clone, Debug)]
pub(super) struct Fragment {
    /// Its bytes in the text.
    pub range: Range<usize>,
    role: Option<Role>,
    /// Where it came from, and whether it stands there letter by letter.
    pub origin: Option<(Span, bool)>,
}

impl Composer {
    /// Text of our own.
    pub fn put(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// A keyword, on a new line.
    pub fn keyword(&mut self, keyword: &str, origin: Option<(Span, bool)>) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        let start = self.text.len();
        self.text.push_str(keyword);
        self.fragments.push(Fragment { range: start..self.text.len(), role: None, origin });
        if keyword != "assemble" {
            self.text.extend(std::iter::repeat_n(' ', 11_usize.saturating_sub(keyword.len()).max(1)));
        }
    }

    /// The indices of a family directly after the keyword: `draw[FAMILY] `.
    pub fn family(&mut self, family: &str, origin: Option<(Span, bool)>) {
        self.text.truncate(self.text.trim_end().len());
        self.text.push('[');
        self.fragment(Role::Family, family, origin);
        self.text.push_str("] ");
    }

    /// Words of our own that stand for something that was given.
    pub fn word(&mut self, word: &str, origin: Option<(Span, bool)>) {
        let start = self.text.len();
        self.text.push_str(word);
        self.fragments.push(Fragment { range: start..self.text.len(), role: None, origin });
    }

    /// A string that was given.
    pub fn fragment(&mut self, role: Role, text: &str, origin: Option<(Span, bool)>) {
        let start = self.text.len();
        self.text.push_str(text);
        self.fragments.push(Fragment { range: start..self.text.len(), role: Some(role), origin });
    }

    /// What an `expect constant` is about: `constant -x` would be a difference.
    pub fn constant(&mut self, text: &str, origin: Option<(Span, bool)>) {
        let bare = !text.trim_start().starts_with(['-', '+', '[', '"']);
        self.put(if bare { "constant " } else { "constant (" });
        self.fragment(Role::Expression, text, origin);
        self.put(if bare { "" } else { ")" });
    }

    /// Arguments of `draw`, which blanks separate: in parentheses where they would run into each other.
    pub fn arguments<'t>(&mut self, arguments: impl IntoIterator<Item = (&'t str, Option<(Span, bool)>)>) {
        let mut arguments = arguments.into_iter().peekable();
        while let Some((text, origin)) = arguments.next() {
            let mut depth = 0_i32;
            let mut apart = false;
            for letter in text.trim().chars() {
                match letter {
                    '(' | '[' => depth += 1,
                    ')' | ']' => depth -= 1,
                    _ => apart |= depth == 0 && !(letter.is_alphanumeric() || matches!(letter, '_' | '.' | '\'')),
                }
            }
            let number = text.trim_start().starts_with(|first: char| first.is_ascii_digit() || first == '.');
            let runs_on = number && arguments.peek().is_some();
            let bare = !apart && !runs_on;
            self.put(if bare { " " } else { " (" });
            self.fragment(Role::Expression, text, origin);
            self.put(if bare { "" } else { ")" });
        }
    }

    /// The statements of an inline part, indented.
    pub fn indented(&mut self, inner: &Self) {
        let mut shifts = vec![0];
        for line in inner.text.split('\n') {
            self.text.push_str("\n  ");
            shifts.push(self.text.len());
            self.text.push_str(line);
        }
        // Fragments move with the line they begin on. One with a line break in it is an error anyway.
        let starts: Vec<usize> =
            std::iter::once(0).chain(inner.text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        for fragment in &inner.fragments {
            let line = starts.partition_point(|start| *start <= fragment.range.start) - 1;
            let start = shifts[line + 1] + fragment.range.start - starts[line];
            let end = (start + fragment.range.len()).min(self.text.len());
            self.fragments.push(Fragment { range: start..end, ..fragment.clone() });
        }
    }

    /// Where the strings came from.
    pub fn fragments(&self) -> &[Fragment] {
        &self.fragments
    }
}
