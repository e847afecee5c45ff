//! `hidden find`: constraints that follow from those that are written are looked for.

use super::notation::{Found, Notation};
use crate::builder::ModelBuilder;
use crate::diagnostic::Diagnostic;
use crate::format::pen::Pen;
use crate::json::reader::Reader;
use crate::json::value::{Value, quote};
use crate::parse::cursor::{Parsed, Parser};
use crate::syntax::Expr;

#[cfg(test)]
use crate::random::Author;

pub(super) struct Hidden;

impl Notation for Hidden {
    type Content = ();

    fn read(&self, p: &mut Parser) -> Parsed<Found<()>> {
        if p.eat_word("find").is_none() {
            let error = Diagnostic::error("missing-item", format!("expected `find`, found {}", p.found()))
                .at(p.here(), "")
                .help("write `hidden find`");
            return Err(p.report(error));
        }
        Ok(Found::One(()))
    }

    fn print(&self, _item: &(), pen: &mut Pen) {
        pen.pad_keyword();
        pen.text("find");
    }

    fn to_json(&self, _item: &()) -> String {
        quote("find")
    }

    fn read_json(&self, value: &Value, reader: &mut Reader) {
        reader.only_word(value, "find");
    }

    fn values<'c>(&self, _item: &'c ()) -> Vec<&'c Expr> {
        vec![]
    }

    #[cfg(test)]
    fn random(&self, _author: &mut Author) {}
}

impl ModelBuilder {
    /// `hidden find`
    pub fn hidden_find(self) -> Self {
        self.begin("hidden").put("find")
    }
}
