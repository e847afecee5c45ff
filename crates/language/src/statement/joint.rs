//! `joint pin: hinge(ground, arm), at (0, 0, 0), axis x`: what joins two bodies.

use super::notation::{Found, Notation};
use crate::builder::ModelBuilder;
use crate::compose::Role;
use crate::diagnostic::Diagnostic;
use crate::format::pen::Pen;
use crate::json::object::{expr, flag, list, object, options, target};
use crate::json::reader::Reader;
use crate::json::value::{Value, quote};
use crate::lex::TokenKind;
use crate::parse::cursor::{Parsed, Parser, Reported, shorten};
use crate::parse::placement::Wording;
use crate::source::Span;
use crate::syntax::{Expr, Ident, Setting, Target};
use crate::visit::visit_fields;

#[cfg(test)]
use crate::random::Author;

/// `pin: hinge(ground, arm), at (0, 0, 0), axis x, off`.
#[derive(Clone, Debug)]
pub struct JointItem {
    /// The name, perhaps a family.
    pub target: Target,
    /// `hinge`, `slider`, `ball`, …
    pub kind: Ident,
    /// What it joins: bodies, points or frames.
    pub ends: Vec<Expr>,
    /// `at P`
    pub at: Option<Expr>,
    /// `from P to Q`: a point and the axis.
    pub along: Option<(Expr, Expr)>,
    /// `axis N`, or `axis N1 N2`.
    pub axis: Vec<Expr>,
    /// `pitch = p` and the like.
    pub options: Vec<Setting>,
    /// Declared, but not in force.
    pub off: bool,
    /// It becomes rows of constraints, and no coordinate.
    pub cut: bool,
    /// All of it.
    pub span: Span,
}

visit_fields! {
    JointItem { target, kind, ends, at, along, axis, options, span }
}

const JOINT: Wording = Wording {
    keyword: "joint",
    what: "a joint",
    name: "j1",
    form: "joint pin: hinge(ground, arm), at P, axis z",
    clauses: &["at", "from", "axis"],
    flags: &["off", "cut"],
    settings: &[],
};

/// Words between the two ends of a joint in plain English.
const BETWEEN: [&str; 6] = ["between", "of", "from", "and", "to", "with"];

pub(super) struct Joint;

impl Notation for Joint {
    type Content = JointItem;

    fn read(&self, p: &mut Parser) -> Parsed<Found<JointItem>> {
        let start = p.here();
        let target = p.named(JOINT)?;
        let mut joint = Draft::default();
        let mut first = true;
        p.clauses("a kind of joint, a clause or an option", |p| {
            if std::mem::replace(&mut first, false) {
                joint.kind = Some(p.joint_kind()?);
                return Ok(());
            }
            p.joint_clause(&mut joint)
        })?;
        let Draft { kind: Some((kind, ends)), at, along, axis, options, off, cut } = joint else {
            return Err(Reported);
        };
        p.each_once(&options)?;
        let (off, cut, span) = (off.is_some(), cut.is_some(), p.since(start));
        let item = JointItem { target, kind, ends, at, along, axis, options, off, cut, span };
        Ok(Found::One(item))
    }

    fn print(&self, item: &JointItem, pen: &mut Pen) {
        pen.pad_keyword();
        pen.target(&item.target);
        pen.colon();
        pen.at(item.kind.span);
        pen.text(&item.kind.text);
        pen.arguments(&item.ends);
        if let Some(point) = &item.at {
            pen.comma();
            pen.clause("at", [point]);
        }
        if let Some((from, to)) = &item.along {
            pen.comma();
            pen.two_ends(from, to);
        }
        if !item.axis.is_empty() {
            pen.comma();
            pen.clause("axis", &item.axis);
        }
        pen.settings(&item.options);
        pen.flag("off", item.off);
        pen.flag("cut", item.cut);
    }

    fn to_json(&self, item: &JointItem) -> String {
        let named = object().with("name", target(&item.target)).with("kind", quote(&item.kind.text));
        let mut joint = named.with("ends", list(&item.ends, expr)).with("at", item.at.as_ref().map(expr));
        if let Some((from, to)) = &item.along {
            joint = joint.with("from", expr(from)).with("to", expr(to));
        }
        let axis = match &item.axis[..] {
            [] => None,
            [one] => Some(expr(one)),
            several => Some(list(several, expr)),
        };
        let joint = joint.with("axis", axis).with("options", options(&item.options));
        joint.with("off", flag(item.off)).with("cut", flag(item.cut)).end()
    }

    fn read_json(&self, value: &Value, reader: &mut Reader) {
        let may = ["name", "kind", "ends", "at", "from", "to", "axis", "options", "off", "cut"];
        let Some(fields) = reader.fields(value, &may, &["name", "kind", "ends"]) else { return };
        reader.given(&fields, "name", Role::Name);
        reader.composer.put(": ");
        reader.given(&fields, "kind", Role::Word);
        reader.composer.put("(");
        if let Some(ends) = fields.get("ends") {
            reader.each(ends, |reader, end| reader.give(Role::Expression, end));
        }
        reader.composer.put(")");
        reader.placement(value, &fields, true);
        if let Some(axis) = fields.get("axis") {
            reader.composer.put(", axis");
            reader.side_by_side(axis);
        }
        reader.options(fields.get("options"));
        for flag in ["off", "cut"] {
            if reader.flag(fields.get(flag)) {
                reader.composer.put(", ");
                reader.composer.put(flag);
            }
        }
    }

    fn values<'c>(&self, item: &'c JointItem) -> Vec<&'c Expr> {
        let along = item.along.iter().flat_map(|(from, to)| [from, to]);
        let clauses = item.ends.iter().chain(&item.at).chain(along).chain(&item.axis);
        clauses.chain(item.options.iter().map(|setting| &setting.value)).collect()
    }

    fn declares<'c>(&self, item: &'c JointItem) -> Vec<(&'c Target, &'static str)> {
        vec![(&item.target, "joint")]
    }

    #[cfg(test)]
    fn random(&self, author: &mut Author) -> JointItem {
        let (target, kind) = (author.declared(), author.word(&["hinge", "ball", "gear", "m"]));
        let (ends, at) = (author.some(0, 2, |r| r.value(2)), author.maybe(|r| r.value(2)));
        let along = author.maybe(|r| (r.value(2), r.value(2)));
        let (axis, options) = (author.some(0, 2, |r| r.value(2)), author.settings());
        let (off, cut) = (author.coin(), author.coin());
        JointItem { target, kind, ends, at, along, axis, options, off, cut, span: Span::default() }
    }
}

/// What has been read of a joint.
#[derive(Default)]
struct Draft {
    kind: Option<(Ident, Vec<Expr>)>,
    at: Option<Expr>,
    along: Option<(Expr, Expr)>,
    axis: Vec<Expr>,
    options: Vec<Setting>,
    off: Option<Span>,
    cut: Option<Span>,
}

impl Parser<'_> {
    /// `hinge(ground, arm)`.
    fn joint_kind(&mut self) -> Parsed<(Ident, Vec<Expr>)> {
        if self.word(0).is_none() || self.kind_ahead(1) != Some(TokenKind::OpenParen) {
            return Err(self.no_joint_kind());
        }
        self.lost_comma()?;
        let kind = self.name("a kind of joint")?;
        let Some(open) = self.next() else { return Err(Reported) };
        let ends = self.list(open, TokenKind::CloseParen)?;
        if let Some(word) = self.word(0).filter(|word| matches!(*word, "about" | "around" | "along" | "with")) {
            let (here, gap) = (self.here(), self.gap());
            let error = Diagnostic::error("unexpected-word", format!("unexpected `{word}`"))
                .at(here, "the axis of a joint follows `axis`")
                .help(format!("write `{}`", JOINT.form))
                .suggest(gap.to(here), ", axis");
            return Err(self.report(error));
        }
        Ok((kind, ends))
    }

    fn joint_clause(&mut self, joint: &mut Draft) -> Parsed<()> {
        let (start, word) = (self.here(), self.word(0).unwrap_or(""));
        if self.clause_begins(JOINT.clauses) {
            self.lost_comma()?;
            self.at += 1;
            let first = match word {
                "at" => joint.at.replace(self.expression()?).map(|first| first.span),
                "from" => joint.along.replace(self.two_ends()?).map(|(from, to)| from.span.to(to.span)),
                _ => {
                    let axis = self.side_by_side()?;
                    if let [_, _, third, ..] = &axis[..] {
                        let span = third.span;
                        return Err(self.third_axis(span));
                    }
                    let first = std::mem::replace(&mut joint.axis, axis);
                    first.first().map(|first| first.span)
                }
            };
            return match first {
                Some(first) => Err(self.given_twice(word, self.since(start), first)),
                None => Ok(()),
            };
        }
        self.without_equals(JOINT.clauses)?;
        let ends = matches!(self.kind_ahead(1), None | Some(TokenKind::Comma));
        if ends && JOINT.flags.contains(&word) {
            self.at += 1;
            let flag = if word == "off" { &mut joint.off } else { &mut joint.cut };
            return match flag.replace(start) {
                Some(first) => Err(self.given_twice(word, start, first)),
                None => Ok(()),
            };
        }
        if !word.is_empty() && self.kind_ahead(1) == Some(TokenKind::Equal) {
            return self.option(&mut joint.options);
        }
        let misspelt = crate::names::closest(word, JOINT.flags.iter().copied()).is_some();
        if joint.axis.len() == 1 && (word.is_empty() || ends && !misspelt && !JOINT.clauses.contains(&word)) {
            return Err(self.second_axis_after_comma());
        }
        Err(self.no_clause(JOINT))
    }

    fn third_axis(&mut self, span: Span) -> Reported {
        let error = Diagnostic::error("missing-comma", "a joint has one axis or two")
            .at(span, "a third one, or an option whose comma is missing")
            .help("a universal joint has two: `axis x y`; put sums and products in parentheses");
        self.report(error)
    }

    /// `axis (1, 0, 0), (0, 1, 0)`.
    fn second_axis_after_comma(&mut self) -> Reported {
        let here = self.here();
        let comma = self.last().map_or(here, |last| last.span);
        let error = Diagnostic::error("unknown-option", format!("{} is no clause of a joint", self.found()))
            .at(here, "a second axis?")
            .help("two axes stand side by side, without a comma: `axis x y`")
            .suggest(comma, "");
        self.report(error)
    }

    /// `joint pin: hinge a b`, `joint pin: arm.tip = base.pin`.
    fn no_joint_kind(&mut self) -> Reported {
        const KINDS: &str = "the kinds are `hinge`, `slider`, `cylindrical`, `ball`, `universal`, `planar`, `fixed`, `screw`, `gear`, `rack`, `rod`, `guide`, `rolling`";
        let here = self.here();
        if self.separator() == Some(TokenKind::Equal) {
            let text = self.item_shown(0);
            let error = Diagnostic::error("unexpected-equals", "a joint has a kind and two ends, and no equation")
                .at(here, "a kind such as `hinge` stands here")
                .help(format!("write `{}`", JOINT.form))
                .help(format!("for points that stay together write `connect NAME: {text}`"));
            return self.report(error);
        }
        let Some(kind) = self.word(0) else {
            let error = Diagnostic::error("missing-item", format!("expected a kind of joint, found {}", self.found()))
                .at(here, "a kind such as `hinge` stands here")
                .help(KINDS);
            return self.report(error.help(format!("write `{}`", JOINT.form)));
        };
        let item = self.item_tokens(self.at + 1);
        let next = self.at + 1 + item.len() + 1;
        let stop = item.iter().position(|token| matches!(self.slice(token.span), "at" | "axis"));
        let mut ends = self.operands(&item[..stop.unwrap_or(item.len())]);
        ends.retain(|(name, _)| !BETWEEN.contains(&name.as_str()));
        if let ([_], [second]) = (&ends[..], &self.operands(self.item_tokens(next))[..])
            && !JOINT.flags.contains(&second.0.as_str())
        {
            ends.push(second.clone());
        }
        let kind = shorten(kind);
        let error = Diagnostic::error("missing-parentheses", format!("what does the joint `{kind}` join?"));
        let error = match &ends[..] {
            [(one, _), (other, last)] => {
                let call = format!("{kind}({one}, {other})");
                // Reading goes on after both, also where a comma stands between them.
                while self.peek().is_some_and(|token| token.span.start <= last.start) {
                    self.at += 1;
                }
                error.at(here.to(*last), format!("write `{call}`")).suggest(here.to(*last), call)
            }
            _ => error
                .at(here, "two bodies in parentheses follow")
                .help(format!("write `{kind}(ground, arm)`; `ground` is a body, too")),
        };
        self.report(error)
    }
}

impl ModelBuilder {
    /// `joint name: kind(ends), at …, axis …`: each clause and each option with its value, in that order. `at`, `from`,
    /// `to` and `axis` are written without `=`; a second axis follows the first as another `axis`.
    pub fn joint(mut self, name: &str, kind: &str, ends: &[&str], clauses: &[(&str, &str)]) -> Self {
        self = self.begin("joint").give(Role::Name, name).put(": ").give(Role::Word, kind).put("(");
        for (which, end) in ends.iter().enumerate() {
            self = self.put(if which > 0 { ", " } else { "" }).give(Role::Expression, *end);
        }
        self = self.put(")");
        let mut rest = clauses;
        while let [(word, value), after @ ..] = rest {
            rest = after;
            match *word {
                "axis" => {
                    let more = rest.iter().take_while(|(word, _)| *word == "axis").count();
                    let axes = std::iter::once(*value).chain(rest[..more].iter().map(|(_, value)| *value));
                    self = self.put(", axis");
                    self.composer.arguments(axes.map(|axis| (axis, None)));
                    rest = &rest[more..];
                }
                "to" => self = self.put(" to ").give(Role::Expression, *value),
                _ => {
                    let sign = if matches!(*word, "at" | "from") { " " } else { " = " };
                    self = self.put(", ").give(Role::Word, *word).put(sign).give(Role::Expression, *value);
                }
            }
        }
        self
    }

    /// `…, cut`, directly after a joint: it becomes rows of constraints.
    pub fn cut(self) -> Self {
        self.put(", cut")
    }
}
