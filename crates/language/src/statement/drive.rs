//! `drive crank: pin = w*t`: a joint, a coordinate or a distance with a given motion.

use super::notation::{Found, Notation};
use crate::builder::{ModelBuilder, Written};
use crate::compose::Role;
use crate::diagnostic::Diagnostic;
use crate::format::pen::Pen;
use crate::json::object::{expr, flag, object, target};
use crate::json::reader::Reader;
use crate::json::value::Value;
use crate::lex::TokenKind;
use crate::parse::cursor::{Parsed, Parser, Reported, shorten};
use crate::parse::placement::Wording;
use crate::source::Span;
use crate::syntax::{CompareOp, Expr, ExprKind, Target};
use crate::visit::visit_fields;

#[cfg(test)]
use crate::random::Author;

/// `crank: pin = w*t`.
#[derive(Clone, Debug)]
pub struct DriveItem {
    /// The name, perhaps a family.
    pub target: Target,
    /// What is driven: a joint, a coordinate, a distance.
    pub value: Expr,
    /// Its value at all times.
    pub motion: Expr,
    /// Declared, but not in force.
    pub off: bool,
    /// All of it.
    pub span: Span,
}

visit_fields! {
    DriveItem { target, value, motion, span }
}

const DRIVE: Wording = Wording {
    keyword: "drive",
    what: "a drive",
    name: "d1",
    form: "drive crank: pin = w*t",
    clauses: &[],
    flags: &["off"],
    settings: &[],
};

pub(super) struct Drive;

impl Notation for Drive {
    type Content = DriveItem;

    fn read(&self, p: &mut Parser) -> Parsed<Found<DriveItem>> {
        let start = p.here();
        let target = p.named(DRIVE)?;
        let (value, motion) = p.driven()?;
        let mut off: Option<Span> = None;
        let before = p.errors.len() + p.more;
        if p.eat(TokenKind::Comma).is_some() {
            p.items("`off`", |p| {
                let here = p.here();
                if p.eat_word("off").is_none() {
                    return Err(p.no_clause(DRIVE));
                }
                match off.replace(here) {
                    Some(first) => Err(p.given_twice("off", here, first)),
                    None => Ok(()),
                }
            });
        }
        if p.errors.len() + p.more > before {
            return Err(Reported);
        }
        let item = DriveItem { target, value, motion, off: off.is_some(), span: p.since(start) };
        Ok(Found::One(item))
    }

    fn print(&self, item: &DriveItem, pen: &mut Pen) {
        pen.pad_keyword();
        pen.target(&item.target);
        pen.colon();
        pen.expression(&item.value);
        pen.equals("=", &item.motion);
        pen.flag("off", item.off);
    }

    fn to_json(&self, item: &DriveItem) -> String {
        let named = object().with("name", target(&item.target)).with("value", expr(&item.value));
        named.with("motion", expr(&item.motion)).with("off", flag(item.off)).end()
    }

    fn read_json(&self, value: &Value, reader: &mut Reader) {
        let may = ["name", "value", "motion", "off"];
        let Some(fields) = reader.fields(value, &may, &["name", "value", "motion"]) else { return };
        for (key, role, after) in
            [("name", Role::Name, ": "), ("value", Role::Expression, " = "), ("motion", Role::Expression, "")]
        {
            reader.given(&fields, key, role);
            reader.composer.put(after);
        }
        if reader.flag(fields.get("off")) {
            reader.composer.put(", off");
        }
    }

    fn values<'c>(&self, item: &'c DriveItem) -> Vec<&'c Expr> {
        vec![&item.value, &item.motion]
    }

    fn declares<'c>(&self, item: &'c DriveItem) -> Vec<(&'c Target, &'static str)> {
        vec![(&item.target, "drive")]
    }

    #[cfg(test)]
    fn random(&self, author: &mut Author) -> DriveItem {
        let (target, value, motion) = (author.declared(), author.value(3), author.value(3));
        DriveItem { target, value, motion, off: author.coin(), span: Span::default() }
    }
}

impl Parser<'_> {
    /// `SCALAR = EXPR`.
    fn driven(&mut self) -> Parsed<(Expr, Expr)> {
        let value = self.expression()?;
        if let ExprKind::Compare(CompareOp::Equal, left, right) = &value.kind {
            let sign = Span { start: left.span.end, end: right.span.start, ..value.span };
            let error = Diagnostic::error("double-equals", "an equation is written with one `=`")
                .at(sign, "`==` compares integers in `where`")
                .suggest(sign, " = ");
            return Err(self.report(error));
        }
        if self.eat(TokenKind::Equal).is_none() {
            if !matches!(self.kind(), None | Some(TokenKind::Comma)) {
                return Err(self.unexpected());
            }
            let shown = shorten(self.slice(value.span));
            let error =
                Diagnostic::error("missing-equals", format!("expected `=` after `{shown}`, found {}", self.found()))
                    .at(self.here(), "a drive prescribes the value of something")
                    .help(format!("write `{}`, with a joint, a coordinate or a distance before `=`", DRIVE.form));
            return Err(self.report(error));
        }
        let motion = self.expression()?;
        self.no_second_equation("a drive")?;
        Ok((value, motion))
    }
}

impl ModelBuilder {
    /// `drive name: value = motion`
    pub fn drive(self, name: &str, value: impl Into<Written>, motion: impl Into<Written>) -> Self {
        let value = self.begin("drive").give(Role::Name, name).put(": ").give(Role::Expression, value);
        value.put(" = ").give(Role::Expression, motion)
    }
}
