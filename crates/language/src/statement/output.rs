//! `output speed: norm(p')`: what to record beside the coordinates.

use super::notation::{Found, Notation};
use crate::builder::{ModelBuilder, Written};
use crate::compose::Role;
use crate::diagnostic::Diagnostic;
use crate::format::pen::Pen;
use crate::json::object::{expr, list, object, target};
use crate::json::reader::Reader;
use crate::json::value::Value;
use crate::lex::TokenKind;
use crate::parse::cursor::{Parsed, Parser};
use crate::parse::target::Form;
use crate::source::Span;
use crate::syntax::{Expr, Target};
use crate::visit::visit_fields;

#[cfg(test)]
use crate::random::Author;

/// `speed: norm(p')`.
#[derive(Clone, Debug)]
pub struct OutputItem {
    /// The name, perhaps a family.
    pub target: Target,
    /// What to record.
    pub value: Expr,
    /// All of it.
    pub span: Span,
}

visit_fields! {
    OutputItem { target, value, span }
}

pub(super) struct Output;

impl Notation for Output {
    type Content = Vec<OutputItem>;

    fn read(&self, p: &mut Parser) -> Parsed<Found<Vec<OutputItem>>> {
        let all = p.some_items("an output", |p| {
            let start = p.here();
            if p.separator() != Some(TokenKind::Colon) {
                let error = Diagnostic::error("missing-colon", "this output has no name")
                    .at(start, "write a name and a colon before the expression")
                    .help("write `output speed: norm(p')`; coordinates and their derivatives are recorded anyway");
                return Err(p.report(error));
            }
            let target = p.target(Form::Declared, "an output")?;
            p.expect(TokenKind::Colon, "missing-colon", ":", "write `output NAME: EXPR`")?;
            let value = p.expression()?;
            Ok(OutputItem { target, value, span: p.since(start) })
        })?;
        Ok(Found::One(all))
    }

    fn print(&self, items: &Vec<OutputItem>, pen: &mut Pen) {
        pen.items(items, |pen, item| {
            pen.target(&item.target);
            pen.colon();
            pen.expression(&item.value);
        });
    }

    fn to_json(&self, items: &Vec<OutputItem>) -> String {
        list(items, |item| object().with("name", target(&item.target)).with("value", expr(&item.value)).end())
    }

    fn read_json(&self, value: &Value, reader: &mut Reader) {
        reader.each(value, |reader, item| reader.pair(item, ": "));
    }

    fn values<'c>(&self, items: &'c Vec<OutputItem>) -> Vec<&'c Expr> {
        items.iter().map(|item| &item.value).collect()
    }

    fn families<'c>(&self, items: &'c Vec<OutputItem>) -> Vec<&'c Target> {
        items.iter().map(|item| &item.target).collect()
    }

    #[cfg(test)]
    fn random(&self, author: &mut Author) -> Vec<OutputItem> {
        author.some(1, 3, |author| {
            let target = author.declared();
            OutputItem { target, value: author.value(3), span: Span::default() }
        })
    }
}

impl ModelBuilder {
    /// `output name: value`
    pub fn output(self, name: &str, value: impl Into<Written>) -> Self {
        self.begin("output").give(Role::Name, name).put(": ").give(Role::Expression, value)
    }
}
