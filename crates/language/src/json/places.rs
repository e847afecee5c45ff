//! Spans in the text that was made of JSON → spans in the JSON.

use super::super::compose::Fragment;
use super::super::diagnostic::Diagnostic;
use super::super::source::{FileId, Span};
use super::super::syntax::Document;
use super::super::visit::{Visit, Visitor};

/// Where the pieces of the text came from, in the order in which they stand.
pub(super) struct Places<'f> {
    file: FileId,
    fragments: &'f [Fragment],
}

impl<'f> Places<'f> {
    pub fn new(file: FileId, fragments: &'f [Fragment]) -> Self {
        Self { file, fragments }
    }

    /// Moves all spans of a document.
    pub fn move_document(&self, document: &mut Document) {
        document.visit(&mut Mover(self));
    }

    /// Moves the spans of a message; a suggestion stays only where it can be taken letter by letter.
    pub fn move_message(&self, message: &mut Diagnostic) {
        for label in &mut message.labels {
            label.span = self.moved(label.span);
        }
        message.suggestion = message.suggestion.take().filter(|suggestion| {
            let (start, end) = (suggestion.span.start as usize, suggestion.span.end as usize);
            let plain = !suggestion.replacement.contains(['"', '\\', '\n']);
            let whole = |fragment: &Fragment| fragment.range.start <= start && end <= fragment.range.end;
            plain && self.piece(start).is_some_and(|piece| whole(piece) && piece.origin.is_some_and(|(_, exact)| exact))
        });
        if let Some(suggestion) = &mut message.suggestion {
            suggestion.span = self.moved(suggestion.span);
        }
    }

    /// The last piece that begins at a byte or before it.
    fn piece(&self, byte: usize) -> Option<&'f Fragment> {
        let after = self.fragments.partition_point(|fragment| fragment.range.start <= byte);
        self.fragments.get(after.saturating_sub(1))
    }

    fn moved(&self, span: Span) -> Span {
        let (start, end) = (span.start as usize, span.end.max(span.start) as usize);
        let first = self.piece(start);
        // What ends where a piece begins is not in it.
        let last = if end > start { self.piece(end - 1) } else { first };
        let start = match first.and_then(|piece| Some((piece, piece.origin?))) {
            Some((piece, (origin, true))) if piece.range.contains(&start) || start == piece.range.end => {
                origin.start + 1 + (start - piece.range.start) as u32
            }
            Some((_, (origin, _))) => origin.start,
            None => 0,
        };
        let end = match last.and_then(|piece| Some((piece, piece.origin?))) {
            Some((piece, (origin, true))) if end <= piece.range.end => {
                origin.start + 1 + (end - piece.range.start.min(end)) as u32
            }
            Some((_, (origin, _))) => origin.end,
            None => start,
        };
        Span { file: self.file, start, end: end.max(start) }
    }
}

struct Mover<'p, 'f>(&'p Places<'f>);

impl Visitor for Mover<'_, '_> {
    fn span(&mut self, span: &mut Span) {
        *span = self.0.moved(*span);
    }
}
