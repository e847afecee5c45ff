//! `assemble`: the start is moved to where the constraints hold.

use super::notation::{Found, Notation};
use crate::builder::ModelBuilder;
use crate::format::pen::Pen;
use crate::json::reader::Reader;
use crate::json::value::{Kind, Value};
use crate::parse::cursor::{Parsed, Parser};
use crate::syntax::Expr;

#[cfg(test)]
use crate::random::Author;

pub(super) struct Assemble;

impl Notation for Assemble {
    type Content = ();

    fn read(&self, _p: &mut Parser) -> Parsed<Found<()>> {
        Ok(Found::One(()))
    }

    fn print(&self, _item: &(), _pen: &mut Pen) {}

    fn to_json(&self, _item: &()) -> String {
        "true".to_string()
    }

    fn read_json(&self, value: &Value, reader: &mut Reader) {
        if !matches!(value.kind, Kind::Bool(true)) {
            reader.wrong_type(value, "`true`");
        }
    }

    fn values<'c>(&self, _item: &'c ()) -> Vec<&'c Expr> {
        vec![]
    }

    #[cfg(test)]
    fn random(&self, _author: &mut Author) {}
}

impl ModelBuilder {
    /// `assemble`
    pub fn assemble(self) -> Self {
        self.begin("assemble")
    }
}
