//! `particle p: m at (x, y)`, `particle p[i in 1..N]: m[i] in plane`: points with mass.

use super::notation::{Found, Notation};
use crate::builder::{ModelBuilder, Written};
use crate::compose::Role;
use crate::diagnostic::Diagnostic;
use crate::format::pen::Pen;
use crate::json::object::{expr, list, object, target};
use crate::json::reader::Reader;
use crate::json::value::{Value, quote};
use crate::lex::TokenKind;
use crate::parse::cursor::{Parsed, Parser, shorten};
use crate::parse::target::Form;
use crate::source::Span;
use crate::syntax::{Expr, Target};
use crate::visit::{visit_fields, visit_variants};

#[cfg(test)]
use crate::random::Author;

/// `p: m at (x, y)`.
#[derive(Clone, Debug)]
pub struct ParticleItem {
    /// The name, perhaps a family.
    pub target: Target,
    /// Its mass.
    pub mass: Expr,
    /// Where it is.
    pub place: ParticlePlace,
    /// All of it.
    pub span: Span,
}

/// Where a particle is.
#[derive(Clone, Debug)]
pub enum ParticlePlace {
    /// `at POINT`
    At(Expr),
    /// `in plane`: coordinates `p.x`, `p.y` of its own.
    Plane(Span),
    /// `in space`: coordinates `p.x`, `p.y`, `p.z` of its own.
    Space(Span),
}

visit_fields! {
    ParticleItem { target, mass, place, span }
}

visit_variants! {
    ParticlePlace { At(point) Plane(span) Space(span) }
}

pub(super) struct Particle;

impl Notation for Particle {
    type Content = Vec<ParticleItem>;

    fn read(&self, p: &mut Parser) -> Parsed<Found<Vec<ParticleItem>>> {
        let all = p.some_items("a particle", |p| {
            let start = p.here();
            let target = p.target(Form::Declared, "a particle")?;
            let name = p.slice(target.span);
            if p.eat(TokenKind::Colon).is_none() {
                let error = Diagnostic::error("missing-colon", format!("expected `:` and a mass, found {}", p.found()))
                    .at(p.here(), "the mass is missing here")
                    .help(format!("write `particle {name}: m at (x, y)`; the mass may be 0"));
                return Err(p.report(error));
            }
            if p.is_word(0, "in") || p.is_word(0, "at") {
                let place = shorten(p.slice(p.here()));
                let error = Diagnostic::error(
                    "expected-expression",
                    format!("the mass of the particle `{name}` is missing"),
                )
                .at(p.here(), format!("write a mass before `{place}`"))
                .help(format!(
                    "write `particle {name}: m {place} …`, with a parameter or a number as the mass; it may be 0"
                ));
                return Err(p.report(error));
            }
            let mass = p.expression()?;
            let place = p.particle_place(name)?;
            Ok(ParticleItem { target, mass, place, span: p.since(start) })
        })?;
        Ok(Found::One(all))
    }

    fn print(&self, items: &Vec<ParticleItem>, pen: &mut Pen) {
        pen.items(items, |pen, item| {
            pen.target(&item.target);
            pen.colon();
            pen.expression(&item.mass);
            match &item.place {
                ParticlePlace::At(point) => {
                    pen.word("at", point.span);
                    pen.expression(point);
                }
                ParticlePlace::Plane(_) => pen.text(" in plane"),
                ParticlePlace::Space(_) => pen.text(" in space"),
            }
        });
    }

    fn to_json(&self, items: &Vec<ParticleItem>) -> String {
        list(items, |item| {
            let named = object().with("name", target(&item.target)).with("mass", expr(&item.mass));
            match &item.place {
                ParticlePlace::At(point) => named.with("at", expr(point)),
                ParticlePlace::Plane(_) => named.with("in", quote("plane")),
                ParticlePlace::Space(_) => named.with("in", quote("space")),
            }
            .end()
        })
    }

    fn read_json(&self, value: &Value, reader: &mut Reader) {
        reader.each(value, |reader, value| {
            let Some(fields) = reader.fields(value, &["name", "mass", "at", "in"], &["name", "mass"]) else { return };
            reader.given(&fields, "name", Role::Name);
            reader.composer.put(": ");
            reader.given(&fields, "mass", Role::Expression);
            match (fields.get("at"), fields.get("in")) {
                (Some(point), None) => {
                    reader.composer.put(" at ");
                    reader.give(Role::Expression, point);
                }
                (None, Some(place)) => {
                    reader.composer.put(" in ");
                    reader.give(Role::Word, place);
                }
                _ => reader.either(value, "at", "in"),
            }
        });
    }

    fn values<'c>(&self, items: &'c Vec<ParticleItem>) -> Vec<&'c Expr> {
        let mut all = vec![];
        for item in items {
            all.push(&item.mass);
            if let ParticlePlace::At(point) = &item.place {
                all.push(point);
            }
        }
        all
    }

    fn declares<'c>(&self, items: &'c Vec<ParticleItem>) -> Vec<(&'c Target, &'static str)> {
        items.iter().map(|item| (&item.target, "particle")).collect()
    }

    fn families<'c>(&self, items: &'c Vec<ParticleItem>) -> Vec<&'c Target> {
        items.iter().map(|item| &item.target).collect()
    }

    #[cfg(test)]
    fn random(&self, author: &mut Author) -> Vec<ParticleItem> {
        author.some(1, 3, |author| {
            let place = match author.below(3) {
                0 => ParticlePlace::Plane(Span::default()),
                1 => ParticlePlace::Space(Span::default()),
                _ => ParticlePlace::At(author.value(3)),
            };
            ParticleItem { target: author.declared(), mass: author.value(2), place, span: Span::default() }
        })
    }
}

impl Parser<'_> {
    /// `at POINT`, `in plane`, `in space`.
    fn particle_place(&mut self, name: &str) -> Parsed<ParticlePlace> {
        if self.eat_word("at").is_some() {
            return Ok(ParticlePlace::At(self.expression()?));
        }
        if self.eat_word("in").is_some() {
            if let Some(token) = self.eat_word("plane") {
                return Ok(ParticlePlace::Plane(token.span));
            }
            if let Some(token) = self.eat_word("space") {
                return Ok(ParticlePlace::Space(token.span));
            }
        } else if self.peek().is_some_and(|token| token.kind != TokenKind::Comma) {
            return Err(self.unexpected());
        }
        let error = Diagnostic::error("missing-place", format!("where is the particle `{name}`?"))
            .at(self.here(), "expected `at`, `in plane` or `in space`")
            .help("say where it is, `at (x, y)`, or give it coordinates of its own, `in plane` or `in space`");
        Err(self.report(error))
    }
}

impl ModelBuilder {
    /// `particle name: mass at point`
    pub fn particle_at(self, name: &str, mass: impl Into<Written>, point: impl Into<Written>) -> Self {
        self.particle(name, mass).put(" at ").give(Role::Expression, point)
    }

    /// `particle name: mass in plane`
    pub fn particle_in_plane(self, name: &str, mass: impl Into<Written>) -> Self {
        self.particle(name, mass).put(" in plane")
    }

    /// `particle name: mass in space`
    pub fn particle_in_space(self, name: &str, mass: impl Into<Written>) -> Self {
        self.particle(name, mass).put(" in space")
    }

    fn particle(self, name: &str, mass: impl Into<Written>) -> Self {
        self.begin("particle").give(Role::Name, name).put(": ").give(Role::Expression, mass)
    }
}
