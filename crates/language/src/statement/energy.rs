//! `kinetic m*x'^2/2`, `potential m*g*y`, `lagrangian …`, `dissipation …`: energies, which add up.

use super::notation::{Found, Notation};
use crate::builder::{ModelBuilder, Written};
use crate::compose::Role;
use crate::diagnostic::Diagnostic;
use crate::format::pen::Pen;
use crate::json::object::{expr, list};
use crate::json::reader::Reader;
use crate::json::value::Value;
use crate::lex::TokenKind;
use crate::parse::cursor::{Parsed, Parser, shorten};
use crate::syntax::Expr;

#[cfg(test)]
use crate::random::Author;

/// A statement of this keyword.
pub(super) struct Energy(pub(super) &'static str);

impl Notation for Energy {
    type Content = Vec<Expr>;

    fn read(&self, p: &mut Parser) -> Parsed<Found<Vec<Expr>>> {
        let Self(keyword) = self;
        let all = p.some_items("an expression", |p| {
            let value = p.expression()?;
            let next = p.kind();
            if matches!(next, Some(TokenKind::Equal | TokenKind::Colon)) {
                let name = shorten(p.slice(value.span));
                let error =
                    Diagnostic::error("unexpected-equals", format!("`{keyword}` takes an expression, not an equation"))
                        .at(p.here(), "")
                        .help(format!(
                            "write only the right side; to name it, write `let {name} = …` and `{keyword} {name}`"
                        ));
                return Err(p.report(error));
            }
            Ok(value)
        })?;
        Ok(Found::One(all))
    }

    fn print(&self, items: &Vec<Expr>, pen: &mut Pen) {
        pen.items(items, Pen::expression);
    }

    fn to_json(&self, items: &Vec<Expr>) -> String {
        list(items, expr)
    }

    fn read_json(&self, value: &Value, reader: &mut Reader) {
        reader.each(value, |reader, item| reader.give(Role::Expression, item));
    }

    fn values<'c>(&self, items: &'c Vec<Expr>) -> Vec<&'c Expr> {
        items.iter().collect()
    }

    #[cfg(test)]
    fn random(&self, author: &mut Author) -> Vec<Expr> {
        author.some(1, 3, |author| author.value(4))
    }
}

impl ModelBuilder {
    /// `kinetic energy`
    pub fn kinetic(self, energy: impl Into<Written>) -> Self {
        self.begin("kinetic").give(Role::Expression, energy)
    }

    /// `potential energy`
    pub fn potential(self, energy: impl Into<Written>) -> Self {
        self.begin("potential").give(Role::Expression, energy)
    }

    /// `lagrangian expression`
    pub fn lagrangian(self, lagrangian: impl Into<Written>) -> Self {
        self.begin("lagrangian").give(Role::Expression, lagrangian)
    }

    /// `dissipation power`: Rayleigh's function.
    pub fn dissipation(self, power: impl Into<Written>) -> Self {
        self.begin("dissipation").give(Role::Expression, power)
    }
}
