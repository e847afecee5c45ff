//! The clauses of bodies, frames and joints: where something is, and what stands there instead of a clause.
//!
//! Clauses are separated by commas. Prepositions take no `=`, options do: `at P, axis N, pitch = p`.

use super::cursor::{Parsed, Parser, Reported, begins_argument, ends_operand, looked, shorten};
use super::target::Form;
use crate::diagnostic::Diagnostic;
use crate::lex::{Token, TokenKind};
use crate::names::closest;
use crate::source::Span;
use crate::syntax::{Expr, PlaceClause, Setting, Target, Turn};
use std::collections::BTreeMap;

/// Words that begin a clause of a placement.
pub(crate) const PLACES: &[&str] = &["at", "from", "up", "turned", "axes"];

/// Words that begin a clause of some statement, and those that belong to one.
const CLAUSES: [&str; 7] = ["at", "from", "up", "turned", "then", "axes", "axis"];

/// Words inside a clause, after which something of any name may stand.
const LINKS: [&str; 4] = ["of", "to", "by", "on"];

/// What people write for a clause or an option.
const OTHER_WORDS: [(&str, &[&str]); 7] = [
    ("at", &["position", "pos", "origin", "location", "located", "point", "through", "com"]),
    ("turned", &["rotated", "rotate", "rotation", "turn", "tilted", "tilt", "orientation", "angle", "angles"]),
    ("axis", &["about", "around", "along", "direction", "normal"]),
    ("centre", &["center", "cg", "cog"]),
    ("stiffness", &["k", "constant", "spring"]),
    ("rest", &["L", "L0", "l0", "l", "length", "natural", "free"]),
    ("rate", &["c", "d", "damping", "viscosity", "coefficient"]),
];

/// What messages about a statement say.
#[derive(Clone, Copy)]
pub(crate) struct Wording {
    pub(crate) keyword: &'static str,
    /// With its article.
    pub(crate) what: &'static str,
    /// A name to suggest.
    pub(crate) name: &'static str,
    /// How it is written.
    pub(crate) form: &'static str,
    /// The clauses without `=`.
    pub(crate) clauses: &'static [&'static str],
    /// The words that stand alone.
    pub(crate) flags: &'static [&'static str],
    /// The options that are written with `=`; others are found out later.
    pub(crate) settings: &'static [&'static str],
}

impl Wording {
    fn words(self) -> impl Iterator<Item = &'static str> {
        self.clauses.iter().chain(self.flags).chain(self.settings).copied()
    }
}

impl Parser<'_> {
    /// The name of a statement with the colon after it.
    pub(crate) fn named(&mut self, wording: Wording) -> Parsed<Target> {
        let Wording { keyword, what, name, form, .. } = wording;
        let start = self.here();
        if self.separator() == Some(TokenKind::Colon) && self.kind() != Some(TokenKind::Colon) {
            let target = self.target(Form::Declared, what)?;
            if self.kind() != Some(TokenKind::Colon) && self.word(0).is_some() {
                return Err(self.missing_colon_after(target.span, form));
            }
            self.expect(TokenKind::Colon, "missing-colon", ":", &format!("write `{form}`"))?;
            return Ok(target);
        }
        if self.word(0).is_some() && self.word(1).is_some() {
            return Err(self.missing_colon_after(start, form));
        }
        let colon = self.kind() == Some(TokenKind::Colon);
        let error = Diagnostic::error("missing-name", format!("this {keyword} has no name"))
            .at(start, if colon { "write a name before the colon" } else { "write a name and a colon before this" })
            .note("forces, reports and other statements refer to it by its name")
            .help(format!("write `{form}`"));
        let gap = Span { end: start.start, ..start };
        let insert = if colon { format!(" {name}") } else { format!("{name}: ") };
        let gap = if colon { self.gap() } else { gap };
        Err(self.report(error.suggest(gap, insert)))
    }

    fn missing_colon_after(&mut self, name: Span, form: &str) -> Reported {
        let shown = shorten(self.slice(name));
        let gap = Span { start: name.end, ..name };
        let error = Diagnostic::error("missing-colon", format!("a colon is missing after `{shown}`"))
            .at(name, format!("write `{shown}: …`"))
            .help(format!("write `{form}`"))
            .suggest(gap, ":");
        self.report(error)
    }

    /// Clauses separated by commas; an error where one of them could not be read.
    pub(crate) fn clauses(&mut self, what: &str, clause: impl FnMut(&mut Self) -> Parsed<()>) -> Parsed<()> {
        let before = self.errors.len() + self.more;
        self.items(what, clause);
        if self.errors.len() + self.more > before { Err(Reported) } else { Ok(()) }
    }

    /// Whether one of these clauses begins here.
    pub(crate) fn clause_begins(&self, words: &[&str]) -> bool {
        let attached = |next: Token| {
            matches!(next.kind, TokenKind::Dot | TokenKind::Prime)
                || next.kind == TokenKind::OpenBracket && !next.blank_before
        };
        let other = |next: Token| matches!(next.kind, TokenKind::Equal | TokenKind::Colon) || attached(next);
        self.word(0).is_some_and(|word| words.contains(&word)) && !self.ahead(1).is_some_and(other)
    }

    /// A clause of a placement, which begins here.
    pub(crate) fn placed(&mut self, all: &mut Vec<PlaceClause>) -> Parsed<()> {
        self.lost_comma()?;
        let (start, word) = (self.here(), self.word(0).unwrap_or(""));
        self.at += 1;
        let place = match word {
            "at" => PlaceClause::At(self.expression()?),
            "from" => {
                let (from, to) = self.two_ends()?;
                PlaceClause::Along(from, to)
            }
            "up" => PlaceClause::Up(self.expression()?),
            "turned" => PlaceClause::Turned(self.turns()?),
            _ => self.axes()?,
        };
        let same = |one: &&PlaceClause| std::mem::discriminant(*one) == std::mem::discriminant(&place);
        if let Some(first) = all.iter().find(same) {
            return Err(self.given_twice(word, self.since(start), spot(first)));
        }
        all.push(place);
        Ok(())
    }

    /// `P to Q`, after `from`.
    pub(crate) fn two_ends(&mut self) -> Parsed<(Expr, Expr)> {
        let from = self.expression()?;
        if self.eat_word("to").is_some() {
            return Ok((from, self.expression()?));
        }
        let comma = self.kind() == Some(TokenKind::Comma) && self.is_word(1, "to");
        let shown = shorten(self.slice(from.span));
        let error = Diagnostic::error(
            "missing-item",
            format!("expected `to` and the other end after `from {shown}`, found {}", self.found()),
        )
        .at(self.here(), "`to` is missing here")
        .help("write both ends: `from P to Q`");
        // What follows the comma belongs to this, and has been spoken of.
        let comma = if comma { self.next() } else { None };
        Err(self.report(match comma {
            Some(comma) => error.suggest(comma.span, ""),
            None => error,
        }))
    }

    /// `z by a, then x by b`, after `turned`.
    fn turns(&mut self) -> Parsed<Vec<Turn>> {
        let mut all = vec![];
        loop {
            all.push(self.turn()?);
            if self.kind() != Some(TokenKind::Comma) || !self.is_word(1, "then") {
                return Ok(all);
            }
            self.at += 2;
        }
    }

    fn turn(&mut self) -> Parsed<Turn> {
        const HELP: &str = "write the axis and the angle: `turned z by 30 deg, then x by a`";
        let start = self.here();
        if self.is_word(0, "by") {
            let error = Diagnostic::error("missing-item", "about which axis is it turned?")
                .at(start, "the axis is missing before `by`")
                .help(HELP)
                .suggest(self.gap(), " z");
            return Err(self.report(error));
        }
        if matches!(self.word(0), Some("about" | "around")) && self.peek_operand(1) {
            let after = Span { end: self.ahead(1).map_or(start.end, |next| next.span.start), ..start };
            let error = Diagnostic::error("unexpected-word", format!("unexpected `{}`", self.slice(start)))
                .at(start, "the axis follows `turned`")
                .help(HELP)
                .suggest(after, "");
            return Err(self.report(error));
        }
        let axis = self.expression()?;
        if self.eat_word("by").is_none() {
            let error =
                Diagnostic::error("missing-item", format!("expected `by` and an angle, found {}", self.found()))
                    .at(self.here(), "`by` is missing here")
                    .help(HELP);
            let gap = self.gap();
            let error = match self.peek() {
                Some(sign) if sign.kind == TokenKind::Equal => error.suggest(sign.span, "by"),
                _ if self.peek_operand(0) => error.suggest(gap, " by"),
                _ => error,
            };
            return Err(self.report(error));
        }
        let angle = self.expression()?;
        Ok(Turn { axis, angle, span: self.since(start) })
    }

    /// `(a) (b)`, after `axes`.
    fn axes(&mut self) -> Parsed<PlaceClause> {
        const HELP: &str =
            "write the first and the second axis of the body with a blank between them: `axes (1, 0, 0) (0, 1, 0)`";
        let start = self.here();
        let mut all = self.side_by_side()?;
        if let (Some(second), Some(first), true) = (all.pop(), all.pop(), all.is_empty()) {
            return Ok(PlaceClause::Axes(first, second));
        }
        let error = Diagnostic::error("missing-item", "`axes` takes two axes").at(self.since(start), "").help(HELP);
        if self.kind_ahead(1) == Some(TokenKind::OpenParen)
            && let Some(comma) = self.next()
        {
            return Err(self.report(error.suggest(comma.span, "")));
        }
        Err(self.report(error))
    }

    /// Values with blanks between them, up to a comma.
    pub(crate) fn side_by_side(&mut self) -> Parsed<Vec<Expr>> {
        let tight = std::mem::replace(&mut self.tight, true);
        let read = self.values();
        self.tight = tight;
        read
    }

    fn values(&mut self) -> Parsed<Vec<Expr>> {
        let mut all = vec![];
        loop {
            all.push(self.expression()?);
            match self.kind() {
                None | Some(TokenKind::Comma) => return Ok(all),
                Some(kind) if begins_argument(kind) => {}
                Some(_) => return Err(self.unexpected()),
            }
        }
    }

    /// Whether something that has a value begins `count` places on.
    fn peek_operand(&self, count: usize) -> bool {
        self.kind_ahead(count).is_some_and(|kind| begins_argument(kind) && kind != TokenKind::Comma)
    }

    /// `name = value`.
    pub(crate) fn option(&mut self, all: &mut Vec<Setting>) -> Parsed<()> {
        self.lost_comma()?;
        all.push(self.setting()?);
        Ok(())
    }

    /// Reports the options that are given twice.
    pub(crate) fn each_once(&mut self, options: &[Setting]) -> Parsed<()> {
        let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
        let mut all = Ok(());
        for setting in options {
            let name = setting.name.text.as_str();
            match seen.get(name) {
                Some(first) => all = Err(self.given_twice(name, setting.span, *first)),
                None => _ = seen.insert(name, setting.span),
            }
        }
        all
    }

    pub(crate) fn given_twice(&mut self, word: &str, again: Span, first: Span) -> Reported {
        let error = Diagnostic::error("given-twice", format!("`{}` is given twice", shorten(word)))
            .at(again, "given again")
            .at(first, "given here first");
        let error = match word {
            "turned" => error.help("write one turn after the other: `turned z by a, then x by b`"),
            _ => error.help("remove one of them"),
        };
        self.report(error)
    }

    /// Another clause within the item that begins here, so that a comma is missing before it: `at P axis z`.
    pub(crate) fn lost_comma(&mut self) -> Parsed<()> {
        let (from, mut depth) = (self.at, 0usize);
        let item = self.item_tokens(from);
        looked(item.len());
        let lost = (1..item.len()).find(|&at| {
            let (previous, token) = (item[at - 1], item[at]);
            match previous.kind {
                TokenKind::OpenParen | TokenKind::OpenBracket => depth += 1,
                TokenKind::CloseParen | TokenKind::CloseBracket => depth = depth.saturating_sub(1),
                _ => {}
            }
            let (before, word) = (self.slice(previous.span), self.slice(token.span));
            let apart = depth == 0 && token.kind == TokenKind::Name && ends_operand(previous.kind);
            if !apart || CLAUSES.contains(&before) || LINKS.contains(&before) {
                return false;
            }
            match item.get(at + 1) {
                Some(next) => CLAUSES.contains(&word) && begins_clause(next.kind),
                None => matches!(word, "off" | "cut"),
            }
        });
        let Some(lost) = lost else { return Ok(()) };
        self.at = from + lost;
        Err(self.missing_comma())
    }

    /// `at = (0, 0)`: a preposition that is written as an option. Nothing is reported where there is none.
    pub(crate) fn without_equals(&mut self, words: &[&str]) -> Parsed<()> {
        let Some(word) = self.word(0).filter(|word| words.contains(word)) else { return Ok(()) };
        let sign = match self.ahead(1) {
            Some(sign) if matches!(sign.kind, TokenKind::Equal | TokenKind::Colon) => sign,
            _ => return Ok(()),
        };
        let (start, shown) = (self.here(), self.item_shown(2));
        let error = Diagnostic::error("unexpected-equals", format!("`{word}` takes no `{}`", self.slice(sign.span)))
            .at(sign.span, format!("write `{word} {shown}`"))
            .note("prepositions stand before their values; options have `=`");
        let end = self.ahead(2).map_or(sign.span.end, |next| next.span.start);
        Err(self.report(error.suggest(Span { start: start.end, end, ..start }, " ")))
    }

    /// The text of the item from the token `count` places on, for messages.
    pub(crate) fn item_shown(&self, count: usize) -> String {
        let text = match self.item_tokens(self.at + count) {
            [first, .., last] => self.slice(first.span.to(last.span)),
            [only] => self.slice(only.span),
            [] => "",
        };
        if text.is_empty() || text.contains(['\n', '\r']) { "…".to_string() } else { shorten(text) }
    }

    /// What stands here is no clause of this statement: what was meant?
    pub(crate) fn no_clause(&mut self, wording: Wording) -> Reported {
        let Wording { keyword, what, form, .. } = wording;
        let here = self.here();
        let Some(word) = self.word(0) else {
            let error = Diagnostic::error("unknown-option", format!("{} is no clause of {what}", self.found()));
            return self
                .report(error.at(here, "a clause or an option begins with its name").help(format!("write `{form}`")));
        };
        let shown = shorten(word);
        if self.kind_ahead(1) == Some(TokenKind::Colon) {
            let error = Diagnostic::error("unknown-option", format!("a `{keyword}` statement declares one thing"))
                .at(here, "another one begins here")
                .help(format!("write it on a line of its own: `{keyword} {shown}: …`"));
            return self.report(error);
        }
        let error = Diagnostic::error("unknown-option", format!("{what} has no `{shown}`"));
        let lower = word.to_lowercase();
        let said = OTHER_WORDS.iter().find(|(_, others)| others.contains(&word) || others.contains(&lower.as_str()));
        let said = said.map(|(right, _)| *right).filter(|right| wording.words().any(|known| known == *right));
        if let Some(meant) = said.or_else(|| closest(word, wording.words())) {
            let error = error.at(here, format!("did you mean `{meant}`?"));
            return self.report(error.suggest(here, meant));
        }
        if wording.settings.contains(&word) || self.peek_operand(1) && !CLAUSES.contains(&word) {
            let gap = Span { start: here.end, ..here };
            let value = self.item_shown(1);
            let error = Diagnostic::error(
                "missing-equals",
                format!("expected `=` after `{shown}`, found {}", self.found_after(1)),
            );
            let error = error.at(here, format!("write `{shown} = {value}`"));
            return self.report(if self.peek_operand(1) { error.suggest(gap, " =") } else { error });
        }
        let error = match word {
            "then" => error.at(here, "`then` goes on after a turn: `turned x by 90 deg, then z by a`"),
            _ => error.at(here, "unknown"),
        };
        let known: Vec<String> = wording.words().map(|known| format!("`{known}`")).collect();
        let error =
            if known.is_empty() { error } else { error.help(format!("what may stand here: {}", known.join(", "))) };
        self.report(error.help(format!("write `{form}`")))
    }

    /// What stands `count` places on, for messages.
    fn found_after(&self, count: usize) -> String {
        match self.ahead(count) {
            None => "the end of the statement".to_string(),
            Some(token) => format!("`{}`", shorten(self.slice(token.span))),
        }
    }
}

/// Whether people write `word` for the option `right`.
pub(crate) fn means(word: &str, right: &str) -> bool {
    word == right || OTHER_WORDS.iter().any(|(known, others)| *known == right && others.contains(&word))
}

/// Whether what a clause is about can begin with this.
fn begins_clause(kind: TokenKind) -> bool {
    begins_argument(kind) && kind != TokenKind::Comma || kind == TokenKind::Equal
}

/// Where a clause stands, without its first word.
fn spot(place: &PlaceClause) -> Span {
    let all = place.expressions();
    match (all.first(), all.last()) {
        (Some(first), Some(last)) => first.span.to(last.span),
        _ => Span::default(),
    }
}
