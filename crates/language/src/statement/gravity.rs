//! `gravity (0, -g)`: the weight of all particles and bodies.

use super::notation::{Found, Notation};
use crate::builder::{ModelBuilder, Written};
use crate::compose::Role;
use crate::diagnostic::Diagnostic;
use crate::format::pen::Pen;
use crate::json::object::expr;
use crate::json::reader::Reader;
use crate::json::value::Value;
use crate::lex::TokenKind;
use crate::parse::cursor::{Parsed, Parser};
use crate::syntax::Expr;

#[cfg(test)]
use crate::random::Author;

pub(super) struct Gravity;

impl Notation for Gravity {
    type Content = Expr;

    fn read(&self, p: &mut Parser) -> Parsed<Found<Expr>> {
        let value = p.expression()?;
        if p.kind() == Some(TokenKind::Comma) {
            let error = Diagnostic::error("missing-parentheses", "a vector is written in parentheses")
                .at(p.here(), "")
                .help("write `gravity (0, -g)`");
            return Err(p.report(error));
        }
        Ok(Found::One(value))
    }

    fn print(&self, value: &Expr, pen: &mut Pen) {
        pen.items([value], Pen::expression);
    }

    fn to_json(&self, value: &Expr) -> String {
        expr(value)
    }

    fn read_json(&self, value: &Value, reader: &mut Reader) {
        reader.give(Role::Expression, value);
    }

    fn values<'c>(&self, value: &'c Expr) -> Vec<&'c Expr> {
        vec![value]
    }

    #[cfg(test)]
    fn random(&self, author: &mut Author) -> Expr {
        author.value(3)
    }
}

impl ModelBuilder {
    /// `gravity (0, -g)`
    pub fn gravity(self, acceleration: impl Into<Written>) -> Self {
        self.begin("gravity").give(Role::Expression, acceleration)
    }
}
