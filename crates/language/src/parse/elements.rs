//! Statements that act along one quantity: drive, spring, damper.

use super::cursor::{MOST_ERRORS, Parsed, Parser, Reported, shorten};
use super::placement::Wording;
use crate::diagnostic::Diagnostic;
use crate::lex::TokenKind;
use crate::source::Span;
use crate::syntax::{CompareOp, DriveItem, ElementItem, Expr, ExprKind, StatementKind};

type Kinds = Vec<(StatementKind, Span)>;

const DRIVE: Wording = Wording {
    keyword: "drive",
    what: "a drive",
    name: "d1",
    form: "drive crank: pin = w*t",
    clauses: &[],
    flags: &["off"],
    settings: &[],
};

const SPRING: Wording = Wording {
    keyword: "spring",
    what: "a spring",
    name: "s1",
    form: "spring s1: distance(p, q), stiffness = k, rest = L",
    clauses: &[],
    flags: &[],
    settings: &["stiffness", "rest", "preload", "law"],
};

const DAMPER: Wording = Wording {
    keyword: "damper",
    what: "a damper",
    name: "d1",
    form: "damper d1: distance(p, q), rate = c",
    clauses: &[],
    flags: &[],
    settings: &["rate", "law"],
};

impl Parser<'_> {
    /// `drive NAME: SCALAR = EXPR`, perhaps `, off`.
    pub(crate) fn drive(&mut self, out: &mut Kinds) -> Parsed<()> {
        let start = self.here();
        let target = self.named(DRIVE)?;
        let (value, motion) = self.driven()?;
        let mut off: Option<Span> = None;
        let before = self.errors.len() + self.more;
        if self.eat(TokenKind::Comma).is_some() {
            self.items("`off`", |p| {
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
        if self.errors.len() + self.more > before {
            return Err(Reported);
        }
        let item = DriveItem { target, value, motion, off: off.is_some(), span: self.since(start) };
        out.push((StatementKind::Drive(item), self.gap()));
        Ok(())
    }

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

    pub(crate) fn spring(&mut self, out: &mut Kinds) -> Parsed<()> {
        self.element(SPRING, StatementKind::Spring, out)
    }

    pub(crate) fn damper(&mut self, out: &mut Kinds) -> Parsed<()> {
        self.element(DAMPER, StatementKind::Damper, out)
    }

    /// `NAME: SCALAR, stiffness = k, rest = l`.
    fn element(&mut self, wording: Wording, kind: fn(ElementItem) -> StatementKind, out: &mut Kinds) -> Parsed<()> {
        let start = self.here();
        if self.separator() != Some(TokenKind::Colon) {
            return Err(self.nameless_element(wording));
        }
        let target = self.named(wording)?;
        if self.word(0).is_some() && self.kind_ahead(1) == Some(TokenKind::Equal) {
            return Err(self.acts_on_nothing(wording, target.span));
        }
        let from = self.at;
        let value = self.expression()?;
        if let Some(error) = self.two_points(from, wording) {
            return Err(self.report(error));
        }
        self.item_ends()?;
        let mut options = vec![];
        let before = self.errors.len() + self.more;
        if self.eat(TokenKind::Comma).is_some() {
            self.items("an option", |p| {
                if p.word(0).is_some() && p.kind_ahead(1) == Some(TokenKind::Equal) {
                    return p.option(&mut options);
                }
                if p.word(0).is_none() || matches!(p.kind_ahead(1), None | Some(TokenKind::Comma)) {
                    return Err(p.option_without_name(wording));
                }
                Err(p.no_clause(wording))
            });
        }
        if self.errors.len() + self.more > before {
            return Err(Reported);
        }
        self.each_once(&options)?;
        if options.is_empty() {
            return Err(self.element_without_options(wording, target.span, &value));
        }
        out.push((kind(ElementItem { target, value, options, span: self.since(start) }), self.gap()));
        Ok(())
    }

    /// `spring p q, k = 3`, `spring x, k`: what to write, with the names that stand there.
    fn nameless_element(&mut self, wording: Wording) -> Reported {
        let Wording { keyword, name, .. } = wording;
        let first = self.item_tokens(self.at);
        let on = match &self.operands(first)[..] {
            [(one, _)] => one.clone(),
            [(one, _), (other, _)] => format!("distance({one}, {other})"),
            _ => return self.named(wording).map_or_else(|reported| reported, |_| Reported),
        };
        let rest = self.tokens.get(self.at + first.len()..self.end).unwrap_or_default();
        let value = rest.split(|token| token.kind == TokenKind::Comma).find_map(|item| match item {
            [name, equal, first, .., last] | [name, equal, first @ last] if equal.kind == TokenKind::Equal => {
                let length = super::placement::means(self.slice(name.span), "rest");
                (!length).then(|| self.slice(first.span.to(last.span)))
            }
            [only] => Some(self.slice(only.span)),
            _ => None,
        });
        let (option, usual) = main_option(keyword);
        // Nobody knows how long a spring between two points is at rest.
        let length = if keyword == "spring" && on.starts_with("distance") { ", rest = 1" } else { "" };
        let start = self.here();
        let error = Diagnostic::error("missing-name", format!("this {keyword} has no name"))
            .at(start, "write a name and a colon before this")
            .note("forces, reports and other statements refer to it by its name")
            .help(format!("write `{keyword} {name}: {on}, {option} = {}{length}`", shorten(value.unwrap_or(usual))));
        self.report(error)
    }

    /// `spring s: stiffness = k`.
    fn acts_on_nothing(&mut self, wording: Wording, name: Span) -> Reported {
        let (keyword, name, rest) = (wording.keyword, shorten(self.slice(name)), self.item_shown(0));
        let error = Diagnostic::error("missing-item", format!("what does this {keyword} act on?"))
            .at(self.here(), "a joint, a coordinate or a distance stands here")
            .help(format!("write `{keyword} {name}: distance(p, q), {rest}`"));
        self.report(error)
    }

    /// `spring s: p q, …` and `spring s: p, q, stiffness = k`: two points in place of their distance. The first item
    /// begins at token `from` and has been read.
    fn two_points(&self, from: usize, wording: Wording) -> Option<Diagnostic> {
        let (option, _) = main_option(wording.keyword);
        let mut points = self.operands(self.item_tokens(from));
        if self.kind() == Some(TokenKind::Comma) {
            let rest = self.tokens.get(self.at..self.end)?;
            let given = rest.windows(2).any(|two| self.slice(two[0].span) == option && two[1].kind == TokenKind::Equal);
            points.truncate(1);
            points.extend(self.operands(self.item_tokens(self.at + 1)).into_iter().filter(|_| given));
        } else {
            self.peek()?;
        }
        let [(one, first), (other, last)] = &points[..] else { return None };
        let call = format!("distance({one}, {other})");
        Some(
            Diagnostic::error("missing-parentheses", "two points are no single value")
                .at(first.to(*last), "a joint, a coordinate or a distance stands here")
                .help(format!("for the distance of two points write `{call}`"))
                .suggest(first.to(*last), call),
        )
    }

    /// `spring s: x, k`.
    fn option_without_name(&mut self, wording: Wording) -> Reported {
        let (option, _) = main_option(wording.keyword);
        let here = self.here();
        let value = self.item_shown(0);
        if self.word(0).is_some_and(|word| wording.settings.contains(&word)) {
            return self.no_clause(wording);
        }
        let error = Diagnostic::error("missing-equals", format!("{} has options with names", wording.what))
            .at(here, format!("write `{option} = {value}`"))
            .suggest(Span { end: here.start, ..here }, format!("{option} = "));
        self.report(error)
    }

    /// `spring s: x`; `damper x: 2` is meant another way.
    fn element_without_options(&mut self, wording: Wording, name: Span, value: &Expr) -> Reported {
        let (keyword, (option, usual)) = (wording.keyword, main_option(wording.keyword));
        let (shown, on) = (shorten(self.slice(name)), shorten(self.slice(value.span)));
        let error = Diagnostic::error("missing-item", format!("{} needs an option such as `{option}`", wording.what));
        let number = matches!(value.kind, ExprKind::Number(_) | ExprKind::Quantity(..));
        if number || self.is_coordinate(&shown) && !self.is_coordinate(&on) {
            let whole = name.to(value.span);
            let error = error
                .at(whole, format!("`{shown}` is read as the name of the {keyword}, and `{on}` as what it acts on"))
                .suggest(whole, format!("{}: {shown}, {option} = {on}", wording.name));
            return self.report(error);
        }
        let error = error.at(self.gap(), format!("`{option}` is missing here"));
        self.report(error.help(format!("write `{keyword} {shown}: {on}, {option} = {usual}`")))
    }

    /// Whether `coord` declares what a text begins with: for messages that will be shown, where it need not be certain.
    fn is_coordinate(&self, text: &str) -> bool {
        if self.errors.len() >= MOST_ERRORS {
            return false;
        }
        let name = text.split(['[', '.']).next().unwrap_or(text);
        let mut declares = false;
        self.tokens.iter().any(|token| {
            if token.indent == Some(0) {
                declares = self.slice(token.span) == "coord";
            }
            declares && self.slice(token.span) == name
        })
    }
}

/// The option that an element cannot do without, and the usual letter for it.
fn main_option(keyword: &str) -> (&'static str, &'static str) {
    if keyword == "damper" { ("rate", "c") } else { ("stiffness", "k") }
}
