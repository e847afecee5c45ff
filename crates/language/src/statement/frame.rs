//! `frame tip on arm: at P, turned z by 30 deg`: a place fixed to a body.

use super::notation::{Found, Notation};
use crate::builder::{ModelBuilder, Placement};
use crate::compose::Role;
use crate::diagnostic::Diagnostic;
use crate::format::pen::Pen;
use crate::json::object::{expr, object, placed, target};
use crate::json::placement::PLACES as KEYS;
use crate::json::reader::Reader;
use crate::json::value::Value;
use crate::lex::TokenKind;
use crate::parse::cursor::{Parsed, Parser, Reported, shorten};
use crate::parse::placement::{PLACES, Wording};
use crate::parse::target::Form;
use crate::source::Span;
use crate::syntax::{Expr, PlaceClause, Target};
use crate::visit::visit_fields;

#[cfg(test)]
use crate::random::Author;

/// `tip on arm: at P, turned z by 30 deg`.
#[derive(Clone, Debug)]
pub struct FrameItem {
    /// The name, perhaps a family.
    pub target: Target,
    /// The body that it is fixed to.
    pub on: Expr,
    /// Where it is.
    pub placement: Vec<PlaceClause>,
    /// All of it.
    pub span: Span,
}

visit_fields! {
    FrameItem { target, on, placement, span }
}

const FRAME: Wording = Wording {
    keyword: "frame",
    what: "a frame",
    name: "f1",
    form: "frame tip on arm: at P, turned z by a",
    clauses: PLACES,
    flags: &[],
    settings: &[],
};

pub(super) struct Frame;

impl Notation for Frame {
    type Content = FrameItem;

    fn read(&self, p: &mut Parser) -> Parsed<Found<FrameItem>> {
        let start = p.here();
        let target = p.target(Form::Declared, "a frame")?;
        if p.eat_word("on").is_none() {
            return Err(p.frame_on_nothing(target.span));
        }
        let on = p.expression()?;
        p.expect(TokenKind::Colon, "missing-colon", ":", &format!("write `{}`", FRAME.form))?;
        let mut placement = vec![];
        p.clauses("a place", |p| {
            if p.clause_begins(PLACES) {
                return p.placed(&mut placement);
            }
            p.without_equals(PLACES)?;
            Err(p.no_clause(FRAME))
        })?;
        let item = FrameItem { target, on, placement, span: p.since(start) };
        Ok(Found::One(item))
    }

    fn print(&self, item: &FrameItem, pen: &mut Pen) {
        pen.pad_keyword();
        pen.target(&item.target);
        pen.at(item.on.span);
        pen.blank();
        pen.text("on");
        pen.blank();
        pen.expression(&item.on);
        pen.colon();
        pen.placement(&item.placement, false);
    }

    fn to_json(&self, item: &FrameItem) -> String {
        let named = object().with("name", target(&item.target)).with("on", expr(&item.on));
        placed(named, &item.placement).end()
    }

    fn read_json(&self, value: &Value, reader: &mut Reader) {
        let may = [&["name", "on"][..], &KEYS].concat();
        let Some(fields) = reader.fields(value, &may, &["name", "on"]) else { return };
        reader.given(&fields, "name", Role::Name);
        reader.composer.put(" on ");
        reader.given(&fields, "on", Role::Expression);
        reader.composer.put(": ");
        reader.placement(value, &fields, false);
    }

    fn values<'c>(&self, item: &'c FrameItem) -> Vec<&'c Expr> {
        std::iter::once(&item.on).chain(item.placement.iter().flat_map(PlaceClause::expressions)).collect()
    }

    fn declares<'c>(&self, item: &'c FrameItem) -> Vec<(&'c Target, &'static str)> {
        vec![(&item.target, "frame")]
    }

    #[cfg(test)]
    fn random(&self, author: &mut Author) -> FrameItem {
        let (target, on) = (author.declared(), author.value(2));
        FrameItem { target, on, placement: author.placement(1), span: Span::default() }
    }
}

impl Parser<'_> {
    /// `frame tip: at P`, `frame tip of arm: at P`.
    fn frame_on_nothing(&mut self, name: Span) -> Reported {
        let name = shorten(self.slice(name));
        let linked = self.word(0).filter(|word| matches!(*word, "of" | "in" | "at" | "to"));
        let error = Diagnostic::error("missing-item", format!("to which body is the frame `{name}` fixed?"))
            .at(self.here(), "`on` and a body are missing here")
            .help(format!("write `frame {name} on arm: at P`; `ground` is a body, too"));
        let here = self.here();
        self.report(if linked.is_some() && self.word(1).is_some() { error.suggest(here, "on") } else { error })
    }
}

impl ModelBuilder {
    /// `frame name on body: …` with a place after it.
    pub fn frame(self, name: &str, body: &str, place: &Placement) -> Self {
        let named = self.begin("frame").give(Role::Name, name).put(" on ").give(Role::Expression, body);
        named.put(": ").place(place, false)
    }
}
