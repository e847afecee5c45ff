//! `coord x: m, y: m`: what moves.

use super::notation::{Found, Notation};
use crate::builder::ModelBuilder;
use crate::compose::Role;
use crate::diagnostic::Diagnostic;
use crate::format::pen::Pen;
use crate::format::print_unit;
use crate::json::object::{list, object, target};
use crate::json::reader::Reader;
use crate::json::value::{Value, quote};
use crate::lex::TokenKind;
use crate::parse::cursor::{Parsed, Parser, Reported, shorten};
use crate::parse::target::Form;
use crate::source::Span;
use crate::syntax::{Expr, Target, Unit};
use crate::visit::visit_fields;

#[cfg(test)]
use crate::random::Author;
#[cfg(test)]
use crate::syntax::{ExprKind, TargetIndex};

/// `x: m` or `x[1..N]: m`.
#[derive(Clone, Debug)]
pub struct CoordItem {
    /// The name, perhaps a family.
    pub target: Target,
    /// The unit after the colon.
    pub unit: Option<Unit>,
    /// All of it.
    pub span: Span,
}

visit_fields! {
    CoordItem { target, unit, span }
}

pub(super) struct Coord;

impl Notation for Coord {
    type Content = Vec<CoordItem>;

    fn read(&self, p: &mut Parser) -> Parsed<Found<Vec<CoordItem>>> {
        let all = p.some_items("a coordinate", |p| {
            let start = p.here();
            if p.unit_in_brackets() {
                return Err(p.unit_without_colon());
            }
            let target = p.target(Form::Declared, "a coordinate")?;
            if p.kind() == Some(TokenKind::OpenParen) {
                return Err(p.arguments_of_coordinate());
            }
            if p.kind() == Some(TokenKind::Equal) {
                let error = Diagnostic::error("coordinate-value", "a coordinate has no value of its own")
                    .at(p.here(), "")
                    .help(format!("its value at the beginning is given by `start {} = …`", p.slice(target.span)));
                return Err(p.report(error));
            }
            if let Some(word) = p.word(0) {
                let error = Diagnostic::error("missing-colon", format!("a sign is missing before `{word}`"))
                    .at(p.here(), "a unit follows a colon, another coordinate a comma")
                    .help(format!("write `{}: {word}` or `{0}, {word}`", p.slice(target.span)));
                return Err(p.report(error));
            }
            let unit = match p.eat(TokenKind::Colon) {
                Some(_) => Some(p.unit()?),
                None => None,
            };
            Ok(CoordItem { target, unit, span: p.since(start) })
        })?;
        Ok(Found::One(all))
    }

    fn print(&self, items: &Vec<CoordItem>, pen: &mut Pen) {
        pen.items(items, |pen, item| {
            pen.target(&item.target);
            if let Some(unit) = &item.unit {
                pen.colon();
                pen.at(unit.span);
                pen.unit(unit);
            }
        });
    }

    fn to_json(&self, items: &Vec<CoordItem>) -> String {
        let unit = |item: &CoordItem| item.unit.as_ref().map(|unit| quote(&print_unit(unit)));
        list(items, |item| object().with("name", target(&item.target)).with("unit", unit(item)).end())
    }

    fn read_json(&self, value: &Value, reader: &mut Reader) {
        reader.each(value, |reader, value| {
            let Some(fields) = reader.fields(value, &["name", "unit"], &["name"]) else { return };
            reader.given(&fields, "name", Role::Name);
            if let Some(unit) = fields.get("unit") {
                reader.composer.put(": ");
                reader.give(Role::Unit, unit);
            }
        });
    }

    fn values<'c>(&self, _items: &'c Vec<CoordItem>) -> Vec<&'c Expr> {
        vec![]
    }

    fn units<'c>(&self, items: &'c Vec<CoordItem>) -> Vec<&'c Unit> {
        items.iter().filter_map(|item| item.unit.as_ref()).collect()
    }

    fn declares<'c>(&self, items: &'c Vec<CoordItem>) -> Vec<(&'c Target, &'static str)> {
        items.iter().map(|item| (&item.target, "coordinate")).collect()
    }

    fn families<'c>(&self, items: &'c Vec<CoordItem>) -> Vec<&'c Target> {
        items.iter().map(|item| &item.target).collect()
    }

    #[cfg(test)]
    fn random(&self, author: &mut Author) -> Vec<CoordItem> {
        author.some(1, 4, Author::coordinate)
    }
}

impl Parser<'_> {
    /// `x(t)`: reading goes on after the parenthesis.
    fn arguments_of_coordinate(&mut self) -> Reported {
        let open = self.here();
        let close = (0..self.end - self.at).find(|&count| self.kind_ahead(count) == Some(TokenKind::CloseParen));
        let span = close.and_then(|count| self.ahead(count)).map_or(open, |token| open.to(token.span));
        let error = Diagnostic::error("unexpected-arguments", "a coordinate takes no arguments")
            .at(span, "every coordinate is a function of the time anyway")
            .suggest(span, "");
        self.report(error)
    }

    /// Whether `x [m]` or `x[m]` stands here, with a unit that is not meant as an index.
    fn unit_in_brackets(&self) -> bool {
        let brackets = [1, 3].map(|count| self.kind_ahead(count));
        let unit = self.word(2).filter(|name| crate::units::lookup(name).is_some());
        let apart = self.ahead(1).is_some_and(|open| open.blank_before);
        brackets == [Some(TokenKind::OpenBracket), Some(TokenKind::CloseBracket)]
            && self.kind_ahead(4) != Some(TokenKind::Colon)
            && unit.is_some_and(|name| apart || !self.seems_declared(name))
    }

    fn unit_without_colon(&mut self) -> Reported {
        let (name, unit) = (shorten(self.slice(self.here())), self.word(2).unwrap_or("m"));
        let span = [1, 3].map(|count| self.ahead(count).map_or(self.here(), |token| token.span));
        let gap = Span { start: self.here().end, ..span[0].to(span[1]) };
        let error = Diagnostic::error("missing-colon", "the unit of a coordinate follows a colon")
            .at(span[0].to(span[1]), format!("write `{name}: {unit}`"))
            .suggest(gap, format!(": {unit}"));
        self.report(error)
    }
}

impl ModelBuilder {
    /// `coord name: unit`; without a unit if that is empty.
    pub fn coord(self, name: &str, unit: &str) -> Self {
        let named = self.begin("coord").give(Role::Name, name);
        if unit.is_empty() { named } else { named.put(": ").give(Role::Unit, unit) }
    }
}

#[cfg(test)]
impl Author {
    /// A coordinate; `x[m]` without a colon would be read as a coordinate in metres.
    fn coordinate(&mut self) -> CoordItem {
        let (mut target, unit) = (self.declared(), self.maybe(Self::unit));
        for step in &mut target.steps {
            if let ([TargetIndex::At(index)], None) = (&mut step.indices[..], &unit)
                && let ExprKind::Name(_) = index.kind
            {
                index.kind = ExprKind::Number("1".to_string());
            }
        }
        CoordItem { target, unit, span: Span::default() }
    }
}
