//! Statements about rigid bodies: body, frame, joint, formulation.

use super::cursor::{Parsed, Parser, Reported, ends_quantity, shorten};
use super::placement::{PLACES, Wording};
use super::target::Form;
use crate::diagnostic::Diagnostic;
use crate::lex::TokenKind;
use crate::source::Span;
use crate::syntax::{BodyItem, Expr, ExprKind, FrameItem, Ident, JointItem, Setting, StatementKind};

type Kinds = Vec<(StatementKind, Span)>;

const BODY: Wording = Wording {
    keyword: "body",
    what: "a body",
    name: "b1",
    form: "body arm: rod(L) of m, from P to Q",
    clauses: PLACES,
    flags: &[],
    settings: &["mass", "inertia", "centre", "density"],
};

const FRAME: Wording = Wording {
    keyword: "frame",
    what: "a frame",
    name: "f1",
    form: "frame tip on arm: at P, turned z by a",
    clauses: PLACES,
    flags: &[],
    settings: &[],
};

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

/// What has been read of a joint.
#[derive(Default)]
struct Joint {
    kind: Option<(Ident, Vec<Expr>)>,
    at: Option<Expr>,
    along: Option<(Expr, Expr)>,
    axis: Vec<Expr>,
    options: Vec<Setting>,
    off: Option<Span>,
    cut: Option<Span>,
}

impl Parser<'_> {
    pub(crate) fn body(&mut self, out: &mut Kinds) -> Parsed<()> {
        let start = self.here();
        let target = self.named(BODY)?;
        let (shape, mass, options, placement) = (None, None, vec![], vec![]);
        let mut item = BodyItem { target, shape, mass, options, placement, span: start };
        let mut first = true;
        self.clauses("a shape, an option or a place", |p| {
            p.body_clause(&mut item, std::mem::replace(&mut first, false))
        })?;
        self.each_once(&item.options)?;
        item.span = self.since(start);
        out.push((StatementKind::Body(item), self.gap()));
        Ok(())
    }

    /// Clauses separated by commas; an error where one of them could not be read.
    fn clauses(&mut self, what: &str, clause: impl FnMut(&mut Self) -> Parsed<()>) -> Parsed<()> {
        let before = self.errors.len() + self.more;
        self.items(what, clause);
        if self.errors.len() + self.more > before { Err(Reported) } else { Ok(()) }
    }

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

    pub(crate) fn frame(&mut self, out: &mut Kinds) -> Parsed<()> {
        let start = self.here();
        let target = self.target(Form::Declared, "a frame")?;
        if self.eat_word("on").is_none() {
            return Err(self.frame_on_nothing(target.span));
        }
        let on = self.expression()?;
        self.expect(TokenKind::Colon, "missing-colon", ":", &format!("write `{}`", FRAME.form))?;
        let mut placement = vec![];
        self.clauses("a place", |p| {
            if p.clause_begins(PLACES) {
                return p.placed(&mut placement);
            }
            p.without_equals(PLACES)?;
            Err(p.no_clause(FRAME))
        })?;
        let item = FrameItem { target, on, placement, span: self.since(start) };
        out.push((StatementKind::Frame(item), self.gap()));
        Ok(())
    }

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

    pub(crate) fn joint(&mut self, out: &mut Kinds) -> Parsed<()> {
        let start = self.here();
        let target = self.named(JOINT)?;
        let mut joint = Joint::default();
        let mut first = true;
        self.clauses("a kind of joint, a clause or an option", |p| {
            if std::mem::replace(&mut first, false) {
                joint.kind = Some(p.joint_kind()?);
                return Ok(());
            }
            p.joint_clause(&mut joint)
        })?;
        let Joint { kind: Some((kind, ends)), at, along, axis, options, off, cut } = joint else {
            return Err(Reported);
        };
        self.each_once(&options)?;
        let (off, cut, span) = (off.is_some(), cut.is_some(), self.since(start));
        let item = JointItem { target, kind, ends, at, along, axis, options, off, cut, span };
        out.push((StatementKind::Joint(item), self.gap()));
        Ok(())
    }

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

    fn joint_clause(&mut self, joint: &mut Joint) -> Parsed<()> {
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

    pub(crate) fn formulation(&mut self, out: &mut Kinds) -> Parsed<()> {
        const HELP: &str = "write `formulation joints` or `formulation bodies`";
        if let Some(sign) = self.peek().filter(|sign| matches!(sign.kind, TokenKind::Equal | TokenKind::Colon)) {
            let gap = Span { end: self.ahead(1).map_or(sign.span.end, |next| next.span.start), ..sign.span };
            let error = Diagnostic::error("unexpected-sign", format!("unexpected `{}`", self.slice(sign.span)))
                .at(sign.span, "the word follows the keyword")
                .help(HELP)
                .suggest(gap, "");
            return Err(self.report(error));
        }
        let Some(token) = self.eat(TokenKind::Name) else {
            let error = Diagnostic::error("missing-item", format!("expected a word, found {}", self.found()))
                .at(self.here(), "`joints` or `bodies` stands here")
                .help(HELP);
            return Err(self.report(error));
        };
        if self.peek().is_some() {
            let error = Diagnostic::error("unexpected-word", "a formulation is one word")
                .at(self.here(), "something follows it")
                .help(HELP);
            return Err(self.report(error));
        }
        out.push((StatementKind::Formulation(self.ident(token)), self.gap()));
        Ok(())
    }
}
