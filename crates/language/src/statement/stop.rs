//! `stop end: x in 0 m..2 m, restitution = 0.2`: a value between two limits.

use super::notation::{Found, Notation};
use super::one_sided::{Sides, Sign};
use crate::builder::{ModelBuilder, Written};
use crate::compose::Role;
use crate::diagnostic::Diagnostic;
use crate::format::pen::Pen;
use crate::json::object::{expr, flag, object, target};
use crate::json::reader::Reader;
use crate::json::value::Value;
use crate::lex::TokenKind;
use crate::parse::cursor::{Parsed, Parser, shorten};
use crate::parse::target::Form;
use crate::source::Span;
use crate::syntax::{Expr, Target};
use crate::visit::visit_fields;

#[cfg(test)]
use crate::random::Author;

/// `end: x in 0 m..2 m, restitution = 0.2`.
#[derive(Clone, Debug)]
pub struct StopItem {
    /// The name, perhaps a family.
    pub target: Target,
    /// What is kept between the limits.
    pub value: Expr,
    /// The lower limit.
    pub low: Expr,
    /// The upper limit.
    pub high: Expr,
    /// `restitution = r`; 0 without it.
    pub restitution: Option<Expr>,
    /// Declared, but not in force.
    pub off: bool,
    /// All of it.
    pub span: Span,
}

visit_fields! {
    StopItem { target, value, low, high, restitution, span }
}

pub(super) struct Stop;

impl Notation for Stop {
    type Content = StopItem;

    fn read(&self, p: &mut Parser) -> Parsed<Found<StopItem>> {
        let mut all: Vec<StopItem> = vec![];
        let before = p.errors.len() + p.more;
        p.items("a stop", |p| {
            if let Some(last) = all.last_mut() {
                let sides = Sides { sign: Sign::AtLeast, left: last.value.span, right: last.low.span };
                if p.constraint_option(sides, &mut last.restitution, &mut last.off, &mut last.span)? {
                    return Ok(());
                }
            } else if p.is_setting("restitution") && p.errors.len() + p.more > before {
                // What it belongs to could not be read, and that has been said.
                return p.setting().map(|_| ());
            }
            let item = p.named_stop()?;
            all.push(item);
            Ok(())
        });
        Ok(Found::Each(all.into_iter().map(|item| (item.span, item)).collect()))
    }

    fn print(&self, item: &StopItem, pen: &mut Pen) {
        pen.pad_keyword();
        pen.target(&item.target);
        pen.colon();
        pen.bound(&item.value);
        pen.word("in", item.low.span);
        pen.range(&item.low, &item.high);
        pen.one_sided(item.restitution.as_ref(), item.off);
    }

    fn to_json(&self, item: &StopItem) -> String {
        let named = object().with("name", target(&item.target)).with("value", expr(&item.value));
        let limited = named.with("low", expr(&item.low)).with("high", expr(&item.high));
        limited.with("restitution", item.restitution.as_ref().map(expr)).with("off", flag(item.off)).end()
    }

    fn read_json(&self, value: &Value, reader: &mut Reader) {
        let must = ["name", "value", "low", "high"];
        let may = ["name", "value", "low", "high", "restitution", "off"];
        let Some(fields) = reader.fields(value, &may, &must) else { return };
        for (key, role, after) in [
            ("name", Role::Name, ": "),
            ("value", Role::Bound, " in "),
            ("low", Role::Bound, " .. "),
            ("high", Role::Bound, ""),
        ] {
            reader.given(&fields, key, role);
            reader.composer.put(after);
        }
        reader.one_sided(&fields);
    }

    fn values<'c>(&self, item: &'c StopItem) -> Vec<&'c Expr> {
        [&item.value, &item.low, &item.high].into_iter().chain(&item.restitution).collect()
    }

    fn declares<'c>(&self, item: &'c StopItem) -> Vec<(&'c Target, &'static str)> {
        vec![(&item.target, "stop")]
    }

    fn families<'c>(&self, item: &'c StopItem) -> Vec<&'c Target> {
        vec![&item.target]
    }

    #[cfg(test)]
    fn random(&self, author: &mut Author) -> StopItem {
        let (value, low, high) = (author.value(3), author.value(2), author.value(2));
        let (target, restitution, off) = (author.declared(), author.maybe(|r| r.value(2)), author.coin());
        StopItem { target, value, low, high, restitution, off, span: Span::default() }
    }
}

impl Parser<'_> {
    fn named_stop(&mut self) -> Parsed<StopItem> {
        const HELP: &str = "write a name, a value and its limits: `stop end: x in 0 m..2 m`";
        let start = self.here();
        if self.separator() != Some(TokenKind::Colon) {
            let error = Diagnostic::error("missing-constraint-name", "this stop has no name")
                .at(start, "write a name and a colon before the value")
                .note("forces, reports and events refer to it by its name")
                .help(HELP);
            return Err(self.report(error));
        }
        let target = self.target(Form::Declared, "a stop")?;
        self.expect(TokenKind::Colon, "missing-colon", ":", HELP)?;
        let value = self.bound()?;
        if self.kind() == Some(TokenKind::DotDot) {
            let (name, limits) = (shorten(self.slice(target.span)), shorten(self.slice(value.span)));
            let span = target.span.to(value.span);
            let error = Diagnostic::error("missing-range", "a stop has a name, a value and two limits")
                .at(span, format!("of which value is `{limits}` the lower limit?"))
                .help(format!("for limits of `{name}` write `stop limits: {name} in {limits}..…`"))
                .suggest(span, format!("limits: {name} in {limits}"));
            return Err(self.report(error));
        }
        if self.eat_word("in").is_none() {
            let name = shorten(self.slice(target.span));
            let text = shorten(self.slice(value.span));
            let error =
                Diagnostic::error("missing-range", format!("expected `in` and two limits, found {}", self.found()))
                    .at(self.here(), "a stop keeps a value between two limits")
                    .help(format!("write `stop {name}: {text} in low..high`"))
                    .help(format!("a single limit is a constraint: `constraint {name}: {text} >= low`"));
            return Err(self.report(error));
        }
        let low = self.bound()?;
        self.expect(TokenKind::DotDot, "missing-range", "..", "write the lower and the upper limit: `0 m..2 m`")?;
        let high = self.bound()?;
        Ok(StopItem { target, value, low, high, restitution: None, off: false, span: self.since(start) })
    }
}

impl ModelBuilder {
    /// `stop name: value in low..high`
    pub fn stop(
        self,
        name: &str,
        value: impl Into<Written>,
        low: impl Into<Written>,
        high: impl Into<Written>,
    ) -> Self {
        let value = self.begin("stop").give(Role::Name, name).put(": ").give(Role::Bound, value);
        let low = low.into();
        // `5.` is a number, too.
        let dots = if low.text().trim_end().ends_with('.') { " .." } else { ".." };
        value.put(" in ").give(Role::Bound, low).put(dots).give(Role::Bound, high)
    }
}
