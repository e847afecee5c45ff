//! Statements → text in the layout of `holonom fmt`.
//!
//! ```text
//! param      m = 2 kg, g = 9.81 m/s^2   # the keyword, then items from column 12 on
//! kinetic    m*(R*theta')^2/2 + Ic*theta'^2/2
//! part       arm                        # statements of a part are indented by two
//!   coord      q: rad
//! ```
//!
//! Numbers and parentheses stay as they were typed. Statements of more than 100 columns continue below their first
//! item. Comments keep their place; several empty lines become one.

pub(crate) mod clause;
pub(crate) mod expression;
mod layout;
pub(crate) mod pen;
mod placement;

#[cfg(test)]
pub(super) mod tests;

pub use expression::print_expression;
pub(crate) use expression::{print_family, print_target, print_unit};

use super::source::Span;
use super::syntax::{Comment, Document, PartSource, Statement, StatementKind};
use layout::Line;
use pen::{Pen, own_line};

/// The document in its canonical layout. `source` is the text it was parsed from.
///
/// Nothing if some of it could not be read: what is not understood is not rewritten.
pub fn format(document: &Document, source: &str) -> Option<String> {
    Formatter::new(&document.comments, Some(source)).document(document)
}

/// The text of a document that was not parsed from text; comments, which would have no place, are left out.
///
/// Nothing if some of it could not be read.
pub fn print(document: &Document) -> Option<String> {
    Formatter::new(&[], None).document(document)
}

/// The page so far, and where in the source it has come.
struct Formatter<'a> {
    comments: &'a [Comment],
    source: Option<&'a str>,
    lines: Vec<Line>,
    /// The end of what was last written down.
    last: usize,
}

impl<'a> Formatter<'a> {
    fn new(comments: &'a [Comment], source: Option<&'a str>) -> Self {
        Self { comments, source, lines: Vec::new(), last: 0 }
    }

    fn document(mut self, document: &Document) -> Option<String> {
        self.statements(&document.statements, 0)?;
        self.comments_before(usize::MAX, 0, 0);
        Some(layout::page(&self.lines))
    }

    fn statements(&mut self, statements: &[Statement], indent: usize) -> Option<()> {
        for (which, statement) in statements.iter().enumerate() {
            self.comments_before(statement.span.start as usize, indent, 0);
            self.empty_line(statement.span.start as usize);
            let next = statements.get(which + 1).map_or(usize::MAX, |next| next.span.start as usize);
            self.statement(statement, next, indent)?;
        }
        Some(())
    }

    /// A statement, where the next one begins at byte `next`.
    fn statement(&mut self, statement: &Statement, next: usize, indent: usize) -> Option<()> {
        let inline = match &statement.kind {
            StatementKind::Part(part) => match &part.source {
                PartSource::Inline(inner) => Some(inner),
                PartSource::File(_) => None,
            },
            _ => None,
        };
        let mut pen = Pen::new(self.comments, self.source);
        statement.kind.print(&mut pen);
        let (mut lines, rest) = pen.finish(indent)?;
        self.comments = rest;

        // The head of an inline part ends before its first statement, every other one where its span does.
        let end = match inline.map(|inner| inner.first()) {
            Some(Some(first)) => self.end_of_line_before(first.span),
            _ => statement.span.end as usize,
        };
        self.last = self.last.max(end);
        if let Some(source) = self.source {
            let line_end =
                source[end.min(source.len())..].find(['\n', '\r']).map_or(source.len(), |newline| end + newline);
            if let Some((comment, rest)) = self.comments.split_first()
                && (comment.span.start as usize) < line_end.min(next)
                && !own_line(source, comment.span)
                && let Some(line) = lines.last_mut()
                && line.comment.is_none()
            {
                line.comment = Some(comment.text.clone());
                self.comments = rest;
                self.last = self.last.max(comment.span.end as usize);
            }
        }
        self.lines.extend(lines);
        if let Some(inner) = inline {
            self.statements(inner, indent + 2)?;
            // Comments after the last statement belong to the part if they are indented.
            self.comments_before(next, indent + 2, self.column(statement.span.start as usize) + 1);
        }
        Some(())
    }

    /// Writes the comments that begin before a byte, on lines of their own; stops at one to the left of `margin`.
    fn comments_before(&mut self, byte: usize, indent: usize, margin: usize) {
        while let Some((comment, rest)) = self.comments.split_first()
            && (comment.span.start as usize) < byte
            && (margin == 0 || self.column(comment.span.start as usize) >= margin)
        {
            self.empty_line(comment.span.start as usize);
            self.lines.push(Line { text: format!("{:indent$}{}", "", comment.text), comment: None });
            self.last = comment.span.end as usize;
            self.comments = rest;
        }
    }

    /// An empty line, if there is one in the source before this byte and something above it.
    fn empty_line(&mut self, byte: usize) {
        let Some(between) = self.source.and_then(|source| source.get(self.last..byte)) else { return };
        if between.matches('\n').count() > 1 && !self.lines.is_empty() {
            self.lines.push(Line { text: String::new(), comment: None });
        }
    }

    /// How many characters stand before a byte on its line.
    fn column(&self, byte: usize) -> usize {
        let before = self.source.and_then(|source| source.get(..byte)).unwrap_or("");
        before[before.rfind(['\n', '\r']).map_or(0, |newline| newline + 1)..].chars().count()
    }

    /// The end of what stands before a span on the lines above it: comments and empty lines do not count.
    fn end_of_line_before(&self, span: Span) -> usize {
        let Some(source) = self.source else { return 0 };
        let first = self.comments.first().map_or(usize::MAX, |comment| comment.span.start as usize);
        let before = &source[..(span.start as usize).min(first).min(source.len())];
        before.trim_end().len()
    }
}
