//! Placements → text.

use super::super::syntax::{Expr, PlaceClause};
use super::pen::Pen;

impl Pen<'_> {
    /// The clauses of a placement, where a `comma` stands before the first of them or not.
    pub(crate) fn placement(&mut self, placement: &[PlaceClause], mut comma: bool) {
        for place in placement {
            if std::mem::replace(&mut comma, true) {
                self.comma();
            }
            match place {
                PlaceClause::At(point) => self.clause("at", [point]),
                PlaceClause::Along(from, to) => self.two_ends(from, to),
                PlaceClause::Up(direction) => self.clause("up", [direction]),
                PlaceClause::Turned(turns) => {
                    for (which, turn) in turns.iter().enumerate() {
                        if which > 0 {
                            self.comma();
                        }
                        self.clause(if which > 0 { "then" } else { "turned" }, [&turn.axis]);
                        self.word("by", turn.angle.span);
                        self.expression(&turn.angle);
                    }
                }
                PlaceClause::Axes(first, second) => self.clause("axes", [first, second]),
            }
        }
    }

    pub(crate) fn two_ends(&mut self, from: &Expr, to: &Expr) {
        self.clause("from", [from]);
        self.word("to", to.span);
        self.expression(to);
    }

    /// A preposition with what it is about; several stand side by side.
    pub(crate) fn clause<'e>(&mut self, word: &str, values: impl IntoIterator<Item = &'e Expr>) {
        let mut values = values.into_iter().peekable();
        if let Some(first) = values.peek() {
            self.at(first.span);
        }
        self.text(word);
        let mut alone = true;
        while let Some(value) = values.next() {
            self.blank();
            let last = values.peek().is_none();
            if alone && last {
                self.expression(value);
            } else {
                self.drawn(value, last);
            }
            alone = false;
        }
    }
}
