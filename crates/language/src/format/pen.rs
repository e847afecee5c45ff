//! What a statement is written with: text, blanks, places for breaks, and the comments that lie on the way.

use super::super::source::Span;
use super::super::syntax::Comment;
use super::layout::{self, Atom, Line};

/// The width of a keyword, so that items begin in column 12.
const KEYWORD: usize = 10;

/// Writes one statement, or a part of one.
pub(crate) struct Pen<'a> {
    atoms: Vec<Atom>,
    blank: bool,
    may_break: Option<u32>,
    comments: &'a [Comment],
    source: Option<&'a str>,
    /// How many brackets are open.
    pub nesting: u32,
    /// Sums are written without blanks, as between the brackets of an index.
    pub tight: bool,
    /// Something was met that could not be read.
    pub broken: bool,
}

impl<'a> Pen<'a> {
    pub fn new(comments: &'a [Comment], source: Option<&'a str>) -> Self {
        let (atoms, blank, may_break) = (Vec::new(), false, None);
        Self { atoms, blank, may_break, comments, source, nesting: 0, tight: false, broken: false }
    }

    /// Text that stays with what stands before it, unless a blank or a place for a break was asked for.
    pub fn text(&mut self, text: &str) {
        let may_break = self.may_break.take();
        let blank = std::mem::take(&mut self.blank);
        match self.atoms.last_mut() {
            Some(last) if !blank && may_break.is_none() && last.comment.is_none() => last.text.push_str(text),
            _ => self.atoms.push(Atom { text: text.to_string(), blank, may_break, comment: None }),
        }
    }

    /// Whether what was written last ends with this letter.
    pub fn ends_with(&self, letter: char) -> bool {
        self.atoms.last().is_some_and(|atom| atom.text.ends_with(letter))
    }

    /// A blank before what follows.
    pub fn blank(&mut self) {
        self.blank = true;
    }

    /// A place for a break before what follows; of several on a line the smallest `rank` is taken.
    pub fn may_break(&mut self, rank: u32) {
        self.may_break = Some(rank);
    }

    /// What follows stands at `span`: comments that stand before it come first.
    pub fn at(&mut self, span: Span) {
        let Some(source) = self.source else { return };
        while let Some((comment, rest)) = self.comments.split_first()
            && comment.span.start < span.start
        {
            let first = self.atoms.last().is_none_or(|last| last.comment.is_some());
            let alone = first || own_line(source, comment.span);
            let stands = if alone { layout::Comment::Alone } else { layout::Comment::Behind };
            self.atoms.push(Atom { text: comment.text.clone(), blank: true, may_break: None, comment: Some(stands) });
            self.comments = rest;
        }
    }

    /// The keyword is written: blanks up to the column of the items.
    pub fn pad_keyword(&mut self) {
        if let [atom] = self.atoms.as_mut_slice() {
            let missing = KEYWORD.saturating_sub(atom.text.chars().count());
            atom.text.extend(std::iter::repeat_n(' ', missing));
        }
        self.blank = true;
    }

    /// The lines of the statement, and the comments that come after it. Nothing if it could not be read.
    pub(super) fn finish(self, indent: usize) -> Option<(Vec<Line>, &'a [Comment])> {
        let lines = layout::lines(&self.atoms, indent, indent + KEYWORD + 1);
        (!self.broken).then_some((lines, self.comments))
    }

    /// Everything on one line, without comments.
    pub fn one_line(self) -> String {
        let mut text = String::new();
        for (which, atom) in self.atoms.iter().enumerate() {
            if which > 0 && atom.blank {
                text.push(' ');
            }
            text.push_str(&atom.text);
        }
        text
    }
}

/// Whether nothing but blanks stands before a comment on its line.
pub(crate) fn own_line(source: &str, comment: Span) -> bool {
    let before = source.get(..comment.start as usize).unwrap_or("");
    before[before.rfind(['\n', '\r']).map_or(0, |newline| newline + 1)..].trim().is_empty()
}
