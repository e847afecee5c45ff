//! `nonideal plane: [..]`, `nonideal plane on p: (..)`, `nonideal [..]`: forces of constraints that do work.

use super::notation::{Found, Notation};
use crate::builder::{ModelBuilder, Written};
use crate::compose::Role;
use crate::diagnostic::Diagnostic;
use crate::format::pen::Pen;
use crate::json::object::{expr, object, target};
use crate::json::reader::Reader;
use crate::json::value::Value;
use crate::lex::TokenKind;
use crate::parse::cursor::{Parsed, Parser};
use crate::parse::target::Form;
use crate::source::Span;
use crate::syntax::{Expr, ExprKind, Target};
use crate::visit::visit_fields;

#[cfg(test)]
use crate::random::Author;

/// `plane on p: (..)`.
#[derive(Clone, Debug)]
pub struct NonidealItem {
    /// Which constraint; nothing for the system as a whole.
    pub target: Option<Target>,
    /// The point that the force acts on; nothing for a list over all coordinates.
    pub on: Option<Expr>,
    /// C.
    pub value: Expr,
    /// All of it.
    pub span: Span,
}

visit_fields! {
    NonidealItem { target, on, value, span }
}

pub(super) struct Nonideal;

impl Notation for Nonideal {
    type Content = NonidealItem;

    fn read(&self, p: &mut Parser) -> Parsed<Found<NonidealItem>> {
        let all = p.items("a force", |p| {
            let start = p.here();
            if p.separator() != Some(TokenKind::Colon) {
                let value = p.expression()?;
                if !matches!(value.kind, ExprKind::List(_)) {
                    let error = Diagnostic::error("missing-colon", "which constraint does this force belong to?")
                        .at(value.span, "")
                        .help("write `nonideal NAME: [..]`, `nonideal NAME on p: (..)`, or a list over all coordinates, `nonideal [..]`");
                    return Err(p.report(error));
                }
                return Ok(NonidealItem { target: None, on: None, value, span: p.since(start) });
            }
            let target = p.target(Form::Named, "a constraint")?;
            let on = match p.eat_word("on") {
                Some(_) => Some(p.expression()?),
                None => None,
            };
            p.expect(TokenKind::Colon, "missing-colon", ":", "write `nonideal NAME: [..]` or `nonideal NAME on p: (..)`")?;
            let value = p.expression()?;
            Ok(NonidealItem { target: Some(target), on, value, span: p.since(start) })
        });
        Ok(Found::Each(all.into_iter().map(|item| (item.span, item)).collect()))
    }

    fn print(&self, item: &NonidealItem, pen: &mut Pen) {
        pen.pad_keyword();
        if let Some(target) = &item.target {
            pen.target(target);
        }
        if let Some(point) = &item.on {
            pen.at(point.span);
            pen.blank();
            pen.text("on");
            pen.blank();
            pen.expression(point);
        }
        if item.target.is_some() || item.on.is_some() {
            pen.colon();
        }
        pen.expression(&item.value);
    }

    fn to_json(&self, item: &NonidealItem) -> String {
        let of = object().with("constraint", item.target.as_ref().map(target));
        of.with("on", item.on.as_ref().map(expr)).with("value", expr(&item.value)).end()
    }

    fn read_json(&self, value: &Value, reader: &mut Reader) {
        let Some(fields) = reader.fields(value, &["constraint", "on", "value"], &["value"]) else { return };
        reader.given(&fields, "constraint", Role::Name);
        if let Some(on) = fields.get("on") {
            reader.composer.put(" on ");
            reader.give(Role::Expression, on);
        }
        if fields.0.len() > 1 {
            reader.composer.put(": ");
        }
        reader.given(&fields, "value", Role::Expression);
    }

    fn values<'c>(&self, item: &'c NonidealItem) -> Vec<&'c Expr> {
        vec![&item.value]
    }

    fn families<'c>(&self, item: &'c NonidealItem) -> Vec<&'c Target> {
        item.target.iter().collect()
    }

    #[cfg(test)]
    fn random(&self, author: &mut Author) -> NonidealItem {
        if author.coin() {
            return NonidealItem { target: None, on: None, value: author.list(), span: Span::default() };
        }
        let target = Some(author.named());
        NonidealItem {
            target,
            on: author.maybe(|author| author.value(2)),
            value: author.value(2),
            span: Span::default(),
        }
    }
}

impl ModelBuilder {
    /// `nonideal constraint: [..]` over all coordinates.
    pub fn nonideal(self, constraint: &str, values: impl Into<Written>) -> Self {
        self.begin("nonideal").give(Role::Name, constraint).put(": ").give(Role::Expression, values)
    }

    /// `nonideal constraint on point: force`
    pub fn nonideal_on(self, constraint: &str, point: &str, force: impl Into<Written>) -> Self {
        let target = self.begin("nonideal").give(Role::Name, constraint).put(" on ");
        target.give(Role::Expression, point).put(": ").give(Role::Expression, force)
    }

    /// `nonideal [..]` for the system as a whole.
    pub fn nonideal_of_all(self, values: impl Into<Written>) -> Self {
        self.begin("nonideal").give(Role::Expression, values)
    }
}
