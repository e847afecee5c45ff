//! `force x: -k*x`, `force p: (0, -m*g)`, `force [0, 1]`, `torque arm: (0, 0, M)`: forces and torques.

use super::notation::{Found, Notation};
use crate::builder::{ModelBuilder, Written};
use crate::compose::Role;
use crate::diagnostic::Diagnostic;
use crate::format::pen::Pen;
use crate::json::object::{expr, list, object, target};
use crate::json::reader::Reader;
use crate::json::value::Value;
use crate::lex::TokenKind;
use crate::parse::cursor::{Parsed, Parser, Reported};
use crate::parse::target::Form;
use crate::source::Span;
use crate::syntax::{Expr, ExprKind, Target};
use crate::visit::{visit_fields, visit_variants};

#[cfg(test)]
use crate::random::{Author, at};

/// `x: -k*x`.
#[derive(Clone, Debug)]
pub struct ForceItem {
    /// What it acts on; nothing for `force [..]` over all coordinates.
    pub on: Option<ForceTarget>,
    /// The force.
    pub value: Expr,
    /// All of it.
    pub span: Span,
}

/// What a force acts on.
#[derive(Clone, Debug)]
pub enum ForceTarget {
    /// A coordinate, a particle or a named point, perhaps a family of them.
    Named(Target),
    /// A point or a scalar that has no name: `(x + a, y)`, `distance(p, q)`.
    Point(Expr),
}

visit_fields! {
    ForceItem { on, value, span }
}

visit_variants! {
    ForceTarget { Named(target) Point(point) }
}

pub(super) struct Force;

impl Notation for Force {
    type Content = Vec<ForceItem>;

    fn read(&self, p: &mut Parser) -> Parsed<Found<Vec<ForceItem>>> {
        let all = p.some_items("a force", |p| p.force_item("force"))?;
        Ok(Found::One(all))
    }

    fn print(&self, items: &Vec<ForceItem>, pen: &mut Pen) {
        pen.items(items, Pen::force);
    }

    fn to_json(&self, items: &Vec<ForceItem>) -> String {
        forces(items)
    }

    fn read_json(&self, value: &Value, reader: &mut Reader) {
        reader.each(value, |reader, item| reader.force(item, &["value"]));
    }

    fn values<'c>(&self, items: &'c Vec<ForceItem>) -> Vec<&'c Expr> {
        values(items)
    }

    fn families<'c>(&self, items: &'c Vec<ForceItem>) -> Vec<&'c Target> {
        let named = |item: &'c ForceItem| match &item.on {
            Some(ForceTarget::Named(target)) => Some(target),
            _ => None,
        };
        items.iter().filter_map(named).collect()
    }

    #[cfg(test)]
    fn random(&self, author: &mut Author) -> Vec<ForceItem> {
        author.some(1, 3, |author| match author.below(3) {
            0 => ForceItem { on: None, value: author.list(), span: Span::default() },
            _ => ForceItem { on: Some(author.force_target()), value: author.value(3), span: Span::default() },
        })
    }
}

pub(super) struct Torque;

impl Notation for Torque {
    type Content = Vec<ForceItem>;

    fn read(&self, p: &mut Parser) -> Parsed<Found<Vec<ForceItem>>> {
        let all = p.some_items("a torque", |p| p.force_item("torque"))?;
        Ok(Found::One(all))
    }

    fn print(&self, items: &Vec<ForceItem>, pen: &mut Pen) {
        pen.items(items, Pen::force);
    }

    fn to_json(&self, items: &Vec<ForceItem>) -> String {
        forces(items)
    }

    fn read_json(&self, value: &Value, reader: &mut Reader) {
        reader.each(value, |reader, item| reader.force(item, &["on", "value"]));
    }

    fn values<'c>(&self, items: &'c Vec<ForceItem>) -> Vec<&'c Expr> {
        values(items)
    }

    #[cfg(test)]
    fn random(&self, author: &mut Author) -> Vec<ForceItem> {
        author.some(1, 3, |author| {
            let on = Some(author.force_target());
            ForceItem { on, value: author.value(3), span: Span::default() }
        })
    }
}

impl Parser<'_> {
    /// `target: value`; a force over all coordinates has no target.
    fn force_item(&mut self, keyword: &str) -> Parsed<ForceItem> {
        let start = self.here();
        while self.separator() == Some(TokenKind::Colon) && self.eat(TokenKind::Plus).is_some() {} // a sign that says nothing
        let on = match (self.separator(), self.kind()) {
            (Some(TokenKind::Colon), Some(TokenKind::Name)) if !self.point_ahead() => {
                Some(ForceTarget::Named(self.target(Form::Named, &format!("what a {keyword} acts on"))?))
            }
            (Some(TokenKind::Colon), _) => Some(ForceTarget::Point(self.expression()?)),
            _ => None,
        };
        let targeted = on.is_some();
        if targeted {
            self.expect(TokenKind::Colon, "missing-colon", ":", &format!("write `{keyword} x: …`"))?;
        }
        let value = self.expression()?;
        let list = matches!(value.kind, ExprKind::List(_)) && keyword == "force";
        if !targeted && !list || self.kind() == Some(TokenKind::Equal) {
            return Err(if keyword == "force" {
                self.force_on_nothing(&value)
            } else {
                self.torque_on_nothing(&value)
            });
        }
        Ok(ForceItem { on, value, span: self.since(start) })
    }

    /// Whether an expression and not a bare target stands before the colon: `force p + (1, 0): …`.
    fn point_ahead(&self) -> bool {
        let mut depth = 0usize;
        for count in 0.. {
            match self.kind_ahead(count) {
                None => return false,
                Some(TokenKind::Colon) if depth == 0 => return false,
                Some(TokenKind::OpenBracket) => depth += 1,
                Some(TokenKind::CloseBracket) => depth = depth.saturating_sub(1),
                Some(
                    TokenKind::Plus | TokenKind::Minus | TokenKind::Star | TokenKind::Slash | TokenKind::OpenParen,
                ) if depth == 0 => {
                    return true;
                }
                Some(TokenKind::Name) if depth == 0 && count > 0 && self.is_word(count, "on") => return true,
                Some(_) => {}
            }
        }
        false
    }

    fn force_on_nothing(&mut self, value: &Expr) -> Reported {
        let error = Diagnostic::error("missing-colon", "what does this force act on?")
            .at(value.span, "")
            .help("write a coordinate, a particle or a point and a colon: `force x: -k*x`, `force p: (0, -m*g)`")
            .help("a force over all coordinates is a list: `force [0, -m*g]`");
        self.report(error)
    }

    fn torque_on_nothing(&mut self, value: &Expr) -> Reported {
        let error = Diagnostic::error("missing-colon", "what does this torque act on?")
            .at(value.span, "")
            .help("write a body or a joint and a colon: `torque arm: (0, 0, M)`, `torque pin: M`");
        self.report(error)
    }
}

impl Pen<'_> {
    fn force(&mut self, item: &ForceItem) {
        match &item.on {
            Some(ForceTarget::Named(target)) => self.target(target),
            Some(ForceTarget::Point(point)) => self.expression(point),
            None => return self.expression(&item.value),
        }
        self.colon();
        self.expression(&item.value);
    }
}

fn forces(items: &[ForceItem]) -> String {
    let on = |item: &ForceItem| {
        item.on.as_ref().map(|on| match on {
            ForceTarget::Named(named) => target(named),
            ForceTarget::Point(point) => expr(point),
        })
    };
    list(items, |item| object().with("on", on(item)).with("value", expr(&item.value)).end())
}

/// The expressions in items, in order.
fn values(items: &[ForceItem]) -> Vec<&Expr> {
    let mut all = vec![];
    for item in items {
        all.push(&item.value);
        if let Some(ForceTarget::Point(point)) = &item.on {
            all.push(point);
        }
    }
    all
}

impl Reader {
    fn force(&mut self, value: &Value, must: &[&str]) {
        let Some(fields) = self.fields(value, &["on", "value"], must) else { return };
        if let Some(on) = fields.get("on") {
            self.give(Role::Force, on);
            self.composer.put(": ");
        }
        self.given(&fields, "value", Role::Expression);
    }
}

impl ModelBuilder {
    /// `force on: value`, on a coordinate, a particle or a point.
    pub fn force(self, on: &str, value: impl Into<Written>) -> Self {
        self.begin("force").give(Role::Force, on).put(": ").give(Role::Expression, value)
    }

    /// `force [..]` over all coordinates.
    pub fn force_on_all(self, values: impl Into<Written>) -> Self {
        self.begin("force").give(Role::Expression, values)
    }

    /// `torque on: value`, on a body or a joint.
    pub fn torque(self, on: &str, value: impl Into<Written>) -> Self {
        self.begin("torque").give(Role::Force, on).put(": ").give(Role::Expression, value)
    }
}

#[cfg(test)]
impl Author {
    /// What a force or a torque acts on.
    fn force_target(&mut self) -> ForceTarget {
        let boxed = |r: &mut Self| Box::new(r.value(1));
        ForceTarget::Point(match self.below(5) {
            0 | 1 => return ForceTarget::Named(self.named()),
            2 => at(ExprKind::Tuple(self.some(2, 3, |r| r.value(2)))),
            3 => self.call(&["distance"]),
            _ if self.coin() => at(ExprKind::On(boxed(self), boxed(self))),
            _ => at(self.applied(1)),
        })
    }
}
