//! What is wrong where an expression should begin, go on or end.

use super::cursor::{Parser, Reported, ends_quantity, shorten};
use crate::diagnostic::Diagnostic;
use crate::lex::{Token, TokenKind};
use crate::source::Span;

impl Parser<'_> {
    /// Nothing that has a value stands here.
    pub(crate) fn no_operand(&mut self) -> Reported {
        let found = self.found();
        let before = self.last().filter(|last| self.at > 0 && last.kind != TokenKind::Words);
        let after = before.map_or(String::new(), |token| format!(" after `{}`", shorten(self.slice(token.span))));
        let error = Diagnostic::error("expected-expression", format!("expected an expression{after}, found {found}"));
        let error = match self.kind() {
            Some(TokenKind::CloseParen | TokenKind::CloseBracket | TokenKind::Comma) | None => {
                error.at(self.here(), "something is missing before this")
            }
            Some(TokenKind::Prime) => {
                error.at(self.here(), "a prime follows what it differentiates").help("write `x'`")
            }
            Some(TokenKind::Slash | TokenKind::Star | TokenKind::Caret) => {
                error.at(self.here(), "a sign that needs something on its left")
            }
            _ => error.at(self.here(), "no name, number or bracket"),
        };
        self.report(error)
    }

    /// A token that cannot stand after what has been read: says why.
    pub(crate) fn unexpected(&mut self) -> Reported {
        let Some(token) = self.peek() else { return self.no_operand() };
        let text = shorten(self.slice(token.span));
        let error = match token.kind {
            TokenKind::Name | TokenKind::Number | TokenKind::OpenParen | TokenKind::OpenBracket | TokenKind::Text => {
                return self.missing_operator(token);
            }
            TokenKind::Equal => Diagnostic::error("unexpected-equals", "unexpected `=`")
                .at(token.span, "not part of an expression")
                .help("compare integers with `==` in `where`; write equations in `constraint`, definitions in `let` and `param`"),
            TokenKind::DotDot => Diagnostic::error("misplaced-range", "a range is not allowed in an expression")
                .at(token.span, "use a single index here")
                .help("write ranges in the brackets of a declaration, `x[1..N]`, or after `in`: `sum(i in 1..N, x[i])`"),
            TokenKind::CloseParen | TokenKind::CloseBracket => {
                Diagnostic::error("unmatched-bracket", format!("`{text}` has no opening bracket"))
                    .at(token.span, "no bracket of this kind is open")
                    .help("remove it, or add the bracket that opens")
            }
            TokenKind::Colon => Diagnostic::error("unexpected-sign", "unexpected `:`")
                .at(token.span, "only a name is allowed before `:`")
                .help("names begin with a letter and have no blanks in them"),
            _ => Diagnostic::error("unexpected-sign", format!("unexpected `{text}`")).at(token.span, ""),
        };
        self.report(error)
    }

    /// Whether another item begins here, so that a comma is missing before it: `y = 1`, `y' ~ 1`, `c: …`.
    pub(crate) fn item_follows(&self) -> bool {
        let primes = (1..3).take_while(|&count| self.kind_ahead(count) == Some(TokenKind::Prime)).count();
        let sign = self.kind_ahead(1 + primes);
        self.word(0).is_some() && matches!(sign, Some(TokenKind::Equal | TokenKind::Tilde | TokenKind::Colon))
    }

    pub(crate) fn missing_comma(&mut self) -> Reported {
        let (text, gap) = (shorten(self.slice(self.here())), self.gap());
        let error = Diagnostic::error("missing-comma", format!("a comma is missing before `{text}`"))
            .at(self.here(), "another item begins here")
            .help("items of one statement are separated by `,`")
            .suggest(gap, ",");
        self.report(error)
    }

    /// `2*pi m/s`: a unit after something that is no number.
    fn unit_after_name(&self, token: Token) -> Option<Diagnostic> {
        let last = self.last().filter(|last| matches!(last.kind, TokenKind::Name | TokenKind::CloseParen))?;
        if !self.is_unit(0) || token.indent.is_some() || !token.blank_before {
            return None;
        }
        let rest = self.tokens.get(self.at..self.end)?;
        let joined = |next: &&Token| {
            let sign = matches!(next.kind, TokenKind::Star | TokenKind::Slash | TokenKind::Caret | TokenKind::Number);
            !next.blank_before && (sign || next.kind == TokenKind::Name)
        };
        let run: Vec<&Token> = rest.iter().take(1).chain(rest.iter().skip(1).take_while(joined)).collect();
        let names: Vec<&str> =
            run.iter().filter(|one| one.kind == TokenKind::Name).map(|one| self.slice(one.span)).collect();
        let all_units = names.iter().all(|name| crate::units::lookup(name).is_some());
        // A single name that is declared is a factor whose `*` is missing.
        if !all_units || names.iter().all(|name| self.seems_declared(name)) {
            return None;
        }
        let span = token.span.to(run.last()?.span);
        let unit = shorten(self.slice(span));
        let gap = Span { start: last.span.end, ..span };
        Some(
            Diagnostic::error("missing-operator", format!("the unit `{unit}` follows no number"))
                .at(span, "a unit belongs to the number before it")
                .help(format!("multiply by one of it: `*(1 {unit})`"))
                .suggest(gap, format!("*(1 {unit})")),
        )
    }

    /// The text from token `from` to the end of its item, with `*` where factors stand side by side.
    pub(crate) fn with_stars(&self, from: Span) -> String {
        let operand = |kind| matches!(kind, TokenKind::Name | TokenKind::Number);
        let mut text = String::new();
        let mut last: Option<Token> = None;
        for &token in self.tokens[..self.end].iter().filter(|token| token.span.start >= from.start) {
            if matches!(token.kind, TokenKind::Comma | TokenKind::Colon | TokenKind::Equal | TokenKind::Arrow) {
                break;
            }
            if let Some(last) = last {
                let ends = operand(last.kind)
                    || matches!(last.kind, TokenKind::Prime | TokenKind::CloseParen | TokenKind::CloseBracket);
                let begins = operand(token.kind) || token.kind == TokenKind::OpenParen && token.blank_before;
                let gap = Span { start: last.span.end, end: token.span.start, ..token.span };
                text += if ends && begins { "*" } else { self.slice(gap) };
            }
            text += self.slice(token.span);
            last = Some(token);
        }
        text
    }

    fn missing_operator(&mut self, token: Token) -> Reported {
        if self.item_follows() {
            return self.missing_comma();
        }
        if let Some(word) = self.word(0).filter(|word| ends_quantity(word)) {
            let error = Diagnostic::error("unexpected-word", format!("unexpected `{word}`")).at(token.span, "");
            let error = match word {
                "at" => error.help("a claim about the beginning is written `expect at start …`"),
                "if" => error
                    .help("a case is written `if(condition, this, that)`; an event switches constraints on and off"),
                "in" | "where" => {
                    error.help("write indices in the brackets of a declaration: `x[i in 1..N where i /= 2]`")
                }
                _ => error.help("items are separated by `,`"),
            };
            return self.report(error);
        }
        if let Some(error) = self.unit_after_name(token) {
            return self.report(error);
        }
        let last = self.last().filter(|last| last.span.end <= token.span.start);
        let (before, after) = (last.map_or("", |last| self.slice(last.span)), shorten(self.slice(token.span)));
        let error = Diagnostic::error("missing-operator", format!("a sign is missing before `{after}`"));
        let plain = last.is_some_and(|last| {
            matches!(
                last.kind,
                TokenKind::Name
                    | TokenKind::Number
                    | TokenKind::CloseParen
                    | TokenKind::CloseBracket
                    | TokenKind::Prime
            )
        });
        let error = match last {
            Some(last) if plain && token.indent.is_none() && token.kind != TokenKind::Text => {
                let shown = if last.kind == TokenKind::Name || last.kind == TokenKind::Number { before } else { "…" };
                let gap = Span { start: last.span.end, end: token.span.start, ..token.span };
                let rest = if token.kind == TokenKind::OpenParen { "(…)" } else { after.as_str() };
                error.at(token.span, format!("did you mean `{}*{rest}`?", shorten(shown))).suggest(gap, "*")
            }
            _ => error.at(token.span, "no operator before this"),
        };
        self.report(error.help("items are separated by `,`, factors by `*`"))
    }
}
