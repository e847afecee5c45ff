//! `start x = 1, z' ~ 1`, `free x'' = 0`, `free zero`: values of coordinates and their derivatives.

use super::notation::{Found, Notation};
use crate::builder::{ModelBuilder, Written};
use crate::compose::Role;
use crate::diagnostic::Diagnostic;
use crate::format::pen::Pen;
use crate::json::object::{expr, list, object, target};
use crate::json::reader::Reader;
use crate::json::value::{Kind, Value, quote};
use crate::lex::{Token, TokenKind};
use crate::parse::cursor::{Parsed, Parser, shorten};
use crate::parse::target::Form;
use crate::source::Span;
use crate::syntax::{Expr, Target};
use crate::visit::visit_fields;

#[cfg(test)]
use crate::random::Author;

/// `x = 1`, `x' ~ 1`; for `free`, `x'' = …`.
#[derive(Clone, Debug)]
pub struct StartItem {
    /// A coordinate, a particle, or their derivatives; perhaps a family.
    pub target: Target,
    /// `~` instead of `=`.
    pub guess: bool,
    /// The value.
    pub value: Expr,
    /// All of it.
    pub span: Span,
}

visit_fields! {
    StartItem { target, value, span }
}

pub(super) struct Start;

impl Notation for Start {
    type Content = Vec<StartItem>;

    fn read(&self, p: &mut Parser) -> Parsed<Found<Vec<StartItem>>> {
        if let Some(error) = p.several_at_once() {
            return Err(p.report(error));
        }
        let all = p.some_items("a start value", |p| p.start_item("a coordinate", true))?;
        Ok(Found::One(all))
    }

    fn print(&self, items: &Vec<StartItem>, pen: &mut Pen) {
        pen.items(items, Pen::start);
    }

    fn to_json(&self, items: &Vec<StartItem>) -> String {
        list(items, start)
    }

    fn read_json(&self, value: &Value, reader: &mut Reader) {
        reader.each(value, Reader::start);
    }

    fn values<'c>(&self, items: &'c Vec<StartItem>) -> Vec<&'c Expr> {
        items.iter().map(|item| &item.value).collect()
    }

    fn families<'c>(&self, items: &'c Vec<StartItem>) -> Vec<&'c Target> {
        items.iter().map(|item| &item.target).collect()
    }

    #[cfg(test)]
    fn random(&self, author: &mut Author) -> Vec<StartItem> {
        author.some(1, 3, |author| author.start(true))
    }
}

/// An empty list is `free zero`.
pub(super) struct Free;

impl Notation for Free {
    type Content = Vec<StartItem>;

    fn read(&self, p: &mut Parser) -> Parsed<Found<Vec<StartItem>>> {
        let alone = p.is_word(0, "zero") && p.kind_ahead(1).is_none();
        let all = if alone {
            p.at += 1;
            vec![]
        } else {
            p.some_items("an acceleration", |p| p.start_item("a coordinate", false))?
        };
        Ok(Found::One(all))
    }

    fn print(&self, items: &Vec<StartItem>, pen: &mut Pen) {
        if items.is_empty() {
            pen.pad_keyword();
            pen.text("zero");
        } else {
            pen.items(items, Pen::start);
        }
    }

    fn to_json(&self, items: &Vec<StartItem>) -> String {
        if items.is_empty() { quote("zero") } else { list(items, start) }
    }

    fn read_json(&self, value: &Value, reader: &mut Reader) {
        match value.kind {
            Kind::Text(..) => reader.only_word(value, "zero"),
            _ => reader.each(value, Reader::start),
        }
    }

    fn values<'c>(&self, items: &'c Vec<StartItem>) -> Vec<&'c Expr> {
        items.iter().map(|item| &item.value).collect()
    }

    fn families<'c>(&self, items: &'c Vec<StartItem>) -> Vec<&'c Target> {
        items.iter().map(|item| &item.target).collect()
    }

    #[cfg(test)]
    fn random(&self, author: &mut Author) -> Vec<StartItem> {
        author.some(0, 3, |author| author.start(false))
    }
}

impl Parser<'_> {
    /// `x, y = 1, 0`: as many names before the only `=` as values after it.
    fn several_at_once(&self) -> Option<Diagnostic> {
        let tokens = self.tokens.get(self.at..self.end)?;
        let equals = tokens.iter().position(|token| token.kind == TokenKind::Equal)?;
        let (names, values) = (&tokens[..equals], &tokens[equals + 1..]);
        let (names, values) = (self.pieces(names)?, self.pieces(values)?);
        let plain = |text: &&str| !text.contains(['=', '~', '(', ':']);
        if names.len() < 2 || names.len() != values.len() || !names.iter().chain(&values).all(plain) {
            return None;
        }
        let span = tokens.first()?.span.to(tokens.last()?.span);
        let pairs: Vec<String> = names.iter().zip(&values).map(|(name, value)| format!("{name} = {value}")).collect();
        Some(
            Diagnostic::error("missing-equals", "each coordinate has its own `=`")
                .at(span, "several names before one `=`")
                .suggest(span, pairs.join(", ")),
        )
    }

    /// The texts between commas outside brackets.
    fn pieces(&self, tokens: &[Token]) -> Option<Vec<&str>> {
        let (mut all, mut depth, mut from) = (vec![], 0usize, 0);
        for (at, token) in tokens.iter().enumerate() {
            match token.kind {
                TokenKind::OpenParen | TokenKind::OpenBracket => depth += 1,
                TokenKind::CloseParen | TokenKind::CloseBracket => depth = depth.saturating_sub(1),
                TokenKind::Comma if depth == 0 => {
                    all.push(self.slice(tokens.get(from)?.span.to(tokens[at.checked_sub(1)?].span)));
                    from = at + 1;
                }
                _ => {}
            }
        }
        all.push(self.slice(tokens.get(from)?.span.to(tokens.last()?.span)));
        Some(all)
    }

    /// `x' = 1`, or `x' ~ 1` where a guess makes sense.
    pub(super) fn start_item(&mut self, what: &str, guesses: bool) -> Parsed<StartItem> {
        let start = self.here();
        let target = self.target(Form::State, what)?;
        let guess = match self.kind() {
            Some(TokenKind::Equal) => false,
            Some(TokenKind::Tilde) if guesses => true,
            _ => {
                let shown = shorten(self.slice(target.span));
                let error = Diagnostic::error(
                    "missing-equals",
                    format!("expected `=` after `{shown}`, found {}", self.found()),
                )
                .at(self.here(), format!("write `{shown} = …`"));
                let error = if guesses { error.help(format!("or `{shown} ~ …` for a guess")) } else { error };
                return Err(self.report(error));
            }
        };
        self.at += 1;
        let value = self.expression()?;
        self.no_second_equation("a value")?;
        Ok(StartItem { target, guess, value, span: self.since(start) })
    }
}

impl Pen<'_> {
    pub(super) fn start(&mut self, item: &StartItem) {
        self.target(&item.target);
        self.equals(if item.guess { "~" } else { "=" }, &item.value);
    }
}

fn start(item: &StartItem) -> String {
    let key = if item.guess { "guess" } else { "value" };
    object().with("name", target(&item.target)).with(key, expr(&item.value)).end()
}

impl Reader {
    fn start(&mut self, value: &Value) {
        let Some(fields) = self.fields(value, &["name", "value", "guess"], &["name"]) else { return };
        self.given(&fields, "name", Role::Name);
        let (sign, given) = match (fields.get("value"), fields.get("guess")) {
            (Some(given), None) => (" = ", given),
            (None, Some(guess)) => (" ~ ", guess),
            _ => return self.either(value, "value", "guess"),
        };
        self.composer.put(sign);
        self.give(Role::Expression, given);
    }
}

impl ModelBuilder {
    /// `start x = value`
    pub fn start(self, name: &str, value: impl Into<Written>) -> Self {
        self.begin("start").give(Role::Name, name).put(" = ").give(Role::Expression, value)
    }

    /// `start x ~ value`: a guess that selects a branch.
    pub fn start_near(self, name: &str, value: impl Into<Written>) -> Self {
        self.begin("start").give(Role::Name, name).put(" ~ ").give(Role::Expression, value)
    }

    /// `free x'' = value`
    pub fn free(self, acceleration: &str, value: impl Into<Written>) -> Self {
        self.begin("free").give(Role::Name, acceleration).put(" = ").give(Role::Expression, value)
    }

    /// `free zero`
    pub fn free_zero(self) -> Self {
        self.begin("free").put("zero")
    }
}

#[cfg(test)]
impl Author {
    pub(super) fn start(&mut self, guess: bool) -> StartItem {
        let guess = guess && self.coin();
        StartItem { target: self.target(true, true), guess, value: self.value(2), span: Span::default() }
    }
}
