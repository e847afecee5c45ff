//! `mass [[m, 0], [0, m]]`: the mass matrix as a whole.

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

pub(super) struct Mass;

impl Notation for Mass {
    type Content = Expr;

    fn read(&self, p: &mut Parser) -> Parsed<Found<Expr>> {
        if p.kind() == Some(TokenKind::Name) && matches!(p.separator(), Some(TokenKind::Equal | TokenKind::Colon)) {
            let name = p.word(0).unwrap_or("m");
            let error = Diagnostic::error("mass-matrix", "`mass` takes the mass matrix")
                .at(p.here(), "a name")
                .help(format!(
                    "for a number write `param {name} = …`, for a point with mass `particle {name}: m at (x, y)`"
                ))
                .help("a matrix is written by its rows: `mass [[m, 0], [0, m]]`");
            return Err(p.report(error));
        }
        let value = p.expression()?;
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
        author.list()
    }
}

impl ModelBuilder {
    /// `mass [[m, 0], [0, m]]`
    pub fn mass(self, matrix: impl Into<Written>) -> Self {
        self.begin("mass").give(Role::Expression, matrix)
    }
}
