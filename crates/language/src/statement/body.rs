//! `body arm: rod(L) of m, from (0, 0, 0) to (0, L, 0)`: a rigid body.

use super::notation::{Found, Notation};
use crate::builder::{ModelBuilder, Placement, Written};
use crate::compose::Role;
use crate::diagnostic::Diagnostic;
use crate::format::pen::Pen;
use crate::json::object::{expr, object, options, placed, target};
use crate::json::placement::PLACES as KEYS;
use crate::json::reader::{Reader, has};
use crate::json::value::Value;
use crate::lex::TokenKind;
use crate::parse::cursor::{Parsed, Parser, Reported, ends_quantity, shorten};
use crate::parse::placement::{PLACES, Wording};
use crate::source::Span;
use crate::syntax::{Expr, ExprKind, PlaceClause, Setting, Target};
use crate::visit::visit_fields;

#[cfg(test)]
use crate::random::Author;

/// `arm: rod(L) of m, from P to Q`, or `arm: mass = m, inertia = (Jx, Jy, Jz), at P`.
#[derive(Clone, Debug)]
pub struct BodyItem {
    /// The name, perhaps a family.
    pub target: Target,
    /// The shape, which gives inertia and picture: a call such as `rod(L)`. Nothing for a body given by its inertia.
    pub shape: Option<Expr>,
    /// The mass after `of`.
    pub mass: Option<Expr>,
    /// `mass = …`, `inertia = …`, `centre = …`, `density = …`
    pub options: Vec<Setting>,
    /// Where it is, in the order in which it was written.
    pub placement: Vec<PlaceClause>,
    /// All of it.
    pub span: Span,
}

visit_fields! {
    BodyItem { target, shape, mass, options, placement, span }
}

const BODY: Wording = Wording {
    keyword: "body",
    what: "a body",
    name: "b1",
    form: "body arm: rod(L) of m, from P to Q",
    clauses: PLACES,
    flags: &[],
    settings: &["mass", "inertia", "centre", "density"],
};

pub(super) struct Body;

impl Notation for Body {
    type Content = BodyItem;

    fn read(&self, p: &mut Parser) -> Parsed<Found<BodyItem>> {
        let start = p.here();
        let target = p.named(BODY)?;
        let (shape, mass, options, placement) = (None, None, vec![], vec![]);
        let mut item = BodyItem { target, shape, mass, options, placement, span: start };
        let mut first = true;
        p.clauses("a shape, an option or a place", |p| p.body_clause(&mut item, std::mem::replace(&mut first, false)))?;
        p.each_once(&item.options)?;
        item.span = p.since(start);
        Ok(Found::One(item))
    }

    fn print(&self, item: &BodyItem, pen: &mut Pen) {
        pen.pad_keyword();
        pen.target(&item.target);
        pen.colon();
        let mut comma = false;
        if let Some(shape) = &item.shape {
            pen.expression(shape);
            comma = true;
        }
        if let Some(mass) = &item.mass {
            pen.word("of", mass.span);
            pen.expression(mass);
        }
        for setting in &item.options {
            if std::mem::replace(&mut comma, true) {
                pen.comma();
            }
            pen.setting(setting);
        }
        pen.placement(&item.placement, comma);
    }

    fn to_json(&self, item: &BodyItem) -> String {
        let shaped = object().with("name", target(&item.target)).with("shape", item.shape.as_ref().map(expr));
        let given = shaped.with("of", item.mass.as_ref().map(expr)).with("options", options(&item.options));
        placed(given, &item.placement).end()
    }

    fn read_json(&self, value: &Value, reader: &mut Reader) {
        let may = [&["name", "shape", "of", "options"][..], &KEYS].concat();
        let must = if has(value, "of") { &["name", "shape"][..] } else { &["name"] };
        let Some(fields) = reader.fields(value, &may, must) else { return };
        reader.given(&fields, "name", Role::Name);
        reader.composer.put(": ");
        reader.given(&fields, "shape", Role::Expression);
        if let Some(mass) = fields.get("of") {
            reader.composer.put(" of ");
            reader.give(Role::Expression, mass);
        }
        let mut comma = fields.get("shape").is_some();
        reader.settings(fields.get("options"), &mut comma);
        reader.placement(value, &fields, comma);
    }

    fn values<'c>(&self, item: &'c BodyItem) -> Vec<&'c Expr> {
        let mut all: Vec<&Expr> = item.shape.iter().chain(&item.mass).collect();
        all.extend(item.options.iter().map(|setting| &setting.value));
        all.extend(item.placement.iter().flat_map(PlaceClause::expressions));
        all
    }

    fn declares<'c>(&self, item: &'c BodyItem) -> Vec<(&'c Target, &'static str)> {
        vec![(&item.target, "body")]
    }

    #[cfg(test)]
    fn random(&self, author: &mut Author) -> BodyItem {
        let (target, span) = (author.declared(), Span::default());
        let shape = author.maybe(|r| r.call(&["rod", "box", "arm.f"]));
        let mass = if shape.is_some() { author.maybe(|r| r.value(2)) } else { None };
        let options = author.settings();
        let placement = author.placement(usize::from(shape.is_none() && options.is_empty()));
        BodyItem { target, shape, mass, options, placement, span }
    }
}

impl Parser<'_> {
    fn body_clause(&mut self, item: &mut BodyItem, first: bool) -> Parsed<()> {
        if self.clause_begins(PLACES) {
            return self.placed(&mut item.placement);
        }
        self.without_equals(PLACES)?;
        if self.is_word(0, "of") && !first {
            let skip = 1 + usize::from(self.kind_ahead(1) == Some(TokenKind::Equal));
            return Err(self.mass_after_comma(item, skip));
        }
        if self.word(0).is_some() && self.kind_ahead(1) == Some(TokenKind::Equal) {
            return self.option(&mut item.options);
        }
        if first {
            return self.shape(item);
        }
        let lone = self.word(0).is_none() || matches!(self.kind_ahead(1), None | Some(TokenKind::Comma));
        let known = self.word(0).is_some_and(|word| BODY.settings.contains(&word) || PLACES.contains(&word));
        if item.shape.is_some() && item.mass.is_none() && lone && !known {
            return Err(self.mass_after_comma(item, 0));
        }
        Err(self.no_clause(BODY))
    }

    /// `rod(L) of m`.
    fn shape(&mut self, item: &mut BodyItem) -> Parsed<()> {
        let called = matches!(self.kind_ahead(1), Some(TokenKind::OpenParen | TokenKind::Dot));
        let option = self.word(0).is_some_and(|word| BODY.settings.contains(&word));
        if option && !called {
            return Err(self.no_clause(BODY));
        }
        if self.word(0).is_none() || !called {
            return Err(self.no_shape(&item.target.span));
        }
        self.lost_comma()?;
        let start = self.here();
        let shape = self.expression()?;
        if !matches!(shape.kind, ExprKind::Call(..)) {
            self.at = self.at.saturating_sub(1);
            return Err(self.not_a_shape(start.to(shape.span)));
        }
        if self.eat_word("of").is_some() {
            let wordy = matches!(self.word(0), Some("mass" | "density" | "weight"))
                && matches!(self.kind_ahead(1), Some(TokenKind::Name | TokenKind::Number | TokenKind::Equal))
                && !self.word(1).is_some_and(ends_quantity);
            if wordy || self.kind() == Some(TokenKind::Equal) {
                return Err(self.mass_in_words(shape.span));
            }
            item.mass = Some(self.expression()?);
        } else if matches!(self.word(0), Some("with" | "mass" | "density" | "weight" | "weighing")) {
            return Err(self.mass_in_words(shape.span));
        }
        item.shape = Some(shape);
        Ok(())
    }

    /// `rod(L) with mass m`, `rod(L) of mass m`, `rod(L) of = m`: everything up to the value is replaced.
    fn mass_in_words(&mut self, shape: Span) -> Reported {
        let start = self.here();
        let mut density = false;
        while let Some(token) = self.peek() {
            let word = self.slice(token.span);
            density |= word == "density";
            if !matches!(word, "with" | "of" | "a" | "mass" | "density" | "weight" | "weighing" | "=") {
                break;
            }
            self.at += 1;
        }
        let gap = Span { start: shape.end, end: self.here().start.max(shape.end), ..shape };
        let right = if density { ", density = " } else { " of " };
        let (shape, value) = (shorten(self.slice(shape)), self.item_shown(0));
        let error = if density {
            Diagnostic::error("missing-comma", "a density is an option")
        } else {
            Diagnostic::error("unexpected-word", "the mass of a shape follows `of`")
        };
        self.report(error.at(start, format!("write `{shape}{right}{value}`")).suggest(gap, right))
    }

    /// `rod(L), m` and `rod(L), of m`: the mass stands `skip` tokens on.
    fn mass_after_comma(&mut self, item: &BodyItem, skip: usize) -> Reported {
        let here = self.here();
        let Some(shape) = item.shape.as_ref().filter(|_| item.mass.is_none()) else {
            return self.no_clause(BODY);
        };
        let mass = self.ahead(skip).map_or(here, |token| token.span);
        let gap = Span { start: shape.span.end, end: mass.start, ..here };
        let (shape, value) = (shorten(self.slice(shape.span)), self.item_shown(skip));
        let last = self.tokens[..self.at].iter().rev().find(|token| token.kind != TokenKind::Comma);
        let error = Diagnostic::error("unknown-option", "the mass of a shape follows `of`")
            .at(here, format!("write `{shape} of {value}`"));
        // Something may stand between the shape and its mass.
        let next = last.is_some_and(|last| last.span.end == gap.start);
        self.report(if next { error.suggest(gap, " of ") } else { error })
    }

    fn not_a_shape(&mut self, span: Span) -> Reported {
        let error = Diagnostic::error("unknown-shape", format!("`{}` is not a shape", shorten(self.slice(span))))
            .at(span, "a shape is a name with its sizes in parentheses")
            .help("write `rod(L) of m`, `box(a, b, c) of m`, `disc(r) of m`, `ball(r) of m`");
        self.report(error)
    }

    /// `body wheel: 2 at (0, 0)`.
    fn no_shape(&mut self, name: &Span) -> Reported {
        let (here, name) = (self.here(), shorten(self.slice(*name)));
        if let Some(word) = self.word(0).filter(|_| self.is_word(1, "of")) {
            let gap = Span { start: here.end, ..here };
            let error =
                Diagnostic::error("missing-parentheses", format!("the sizes of `{}` are missing", shorten(word)))
                    .at(here, format!("write `{}(…)`", shorten(word)))
                    .help("a shape has its sizes in parentheses: `rod(L)`, `box(a, b, c)`, `disc(r)`")
                    .suggest(gap, "(r)");
            return self.report(error);
        }
        let mass = self.item_shown(0);
        let place = if mass.contains(" at ") { "" } else { " at (x, y, z)" };
        let error = Diagnostic::error("unknown-shape", format!("{} is not a shape", self.found()))
            .at(here, "expected a shape or options")
            .help(format!(
                "write `body {name}: disc(r) of m, at P`, or `body {name}: mass = m, inertia = (Jx, Jy, Jz), at P`"
            ))
            .help(format!("for a mass at a point write `particle {name}: {mass}{place}`"));
        self.report(error)
    }
}

impl ModelBuilder {
    /// `body name: shape of mass, …` with a place after it.
    pub fn body(self, name: &str, shape: &str, mass: impl Into<Written>, place: &Placement) -> Self {
        let shape = self.begin("body").give(Role::Name, name).put(": ").give(Role::Expression, shape);
        shape.put(" of ").give(Role::Expression, mass).place(place, true)
    }

    /// `body name: shape, density = density, …` with a place after it.
    pub fn body_of_density(self, name: &str, shape: &str, density: impl Into<Written>, place: &Placement) -> Self {
        let shape = self.begin("body").give(Role::Name, name).put(": ").give(Role::Expression, shape);
        shape.put(", density = ").give(Role::Expression, density).place(place, true)
    }

    /// `body name: mass = …, inertia = …, …`: a body without a shape, by its options, with a place after them.
    pub fn body_with(self, name: &str, settings: &[(&str, &str)], place: &Placement) -> Self {
        let mut body = self.begin("body").give(Role::Name, name).put(": ");
        for (which, (name, value)) in settings.iter().enumerate() {
            body = body.put(if which > 0 { ", " } else { "" });
            body = body.give(Role::Word, *name).put(" = ").give(Role::Expression, *value);
        }
        body.place(place, !settings.is_empty())
    }
}
