//! Numbers and their units.
//!
//! After "number blank" the longest `(1/)?name(^int)?([*/]name(^int)?)*` of unit names is a unit. There are no blanks
//! in it: `2 m * R` is the quantity 2 m times R, `2 m*R` mixes a unit and a name and is rejected, and wherever a
//! reader could take one for the other the two ways to write it are shown.

use super::cursor::{Parsed, Parser, Reported, ends_quantity, shorten};
use crate::diagnostic::Diagnostic;
use crate::function_names::is_function;
use crate::lex::{Token, TokenKind};
use crate::source::Span;
use crate::syntax::{Expr, ExprKind, Ident, Unit, UnitFactor};
use crate::units;

/// Where a unit stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// After a number, where names may follow it.
    Number,
    /// After the colon of a coordinate, where nothing else can stand.
    Colon,
}

impl Parser<'_> {
    /// A number, perhaps with a unit.
    pub(crate) fn quantity(&mut self) -> Parsed<Expr> {
        let Some(number) = self.next() else { return Err(Reported) };
        let text = self.slice(number.span).to_string();
        let plain = |text| Expr { kind: ExprKind::Number(text), span: number.span };
        let Some(next) = self.peek().filter(|next| next.indent.is_none()) else { return Ok(plain(text)) };
        let begins = match next.kind {
            TokenKind::Percent => true,
            TokenKind::Name if ends_quantity(self.slice(next.span)) => false,
            TokenKind::Name if !next.blank_before => return Err(self.no_blank(number)),
            TokenKind::Name => {
                if !self.is_unit(0) {
                    return Err(self.not_a_unit(number, next));
                }
                true
            }
            TokenKind::Number if next.blank_before && self.slice(next.span) == "1" => {
                self.kind_ahead(1) == Some(TokenKind::Slash) && self.is_unit(2)
            }
            _ => false,
        };
        if !begins {
            return Ok(plain(text));
        }
        let unit = self.unit_run(Place::Number, Some(number))?;
        self.after_unit(number, &unit)?;
        Ok(Expr { kind: ExprKind::Quantity(text, unit), span: self.since(number.span) })
    }

    /// A unit where nothing else can stand: after the colon of a coordinate.
    pub(crate) fn unit(&mut self) -> Parsed<Unit> {
        let start = self.here();
        if self.kind() == Some(TokenKind::Number)
            && self.slice(start) == "1"
            && self.kind_ahead(1) != Some(TokenKind::Slash)
        {
            self.at += 1;
            return Ok(Unit { factors: vec![], span: start });
        }
        self.unit_run(Place::Colon, None)
    }

    /// Whether the token `count` places on is the name of a unit and not a name with something attached to it.
    pub(crate) fn is_unit(&self, count: usize) -> bool {
        let Some(token) = self.ahead(count) else { return false };
        let attached = self.ahead(count + 1).is_some_and(|next| {
            !next.blank_before
                && matches!(
                    next.kind,
                    TokenKind::Prime | TokenKind::OpenParen | TokenKind::OpenBracket | TokenKind::Dot
                )
        });
        match token.kind {
            TokenKind::Percent => true,
            TokenKind::Name => !attached && units::lookup(self.slice(token.span)).is_some(),
            _ => false,
        }
    }

    /// Whether the token `count` places on follows without a blank, where blanks end a unit.
    fn joined(&self, count: usize, place: Place) -> bool {
        place == Place::Colon || self.ahead(count).is_some_and(|token| !token.blank_before)
    }

    fn unit_run(&mut self, place: Place, number: Option<Token>) -> Parsed<Unit> {
        let start = self.here();
        let mut factors = vec![];
        let mut sign = 1;
        if self.kind() == Some(TokenKind::Number)
            && self.slice(start) == "1"
            && self.kind_ahead(1) == Some(TokenKind::Slash)
        {
            self.at += 2;
            sign = -1;
        }
        loop {
            let name = self.unit_name(place)?;
            let power = self.unit_power(place)?;
            factors.push(UnitFactor { name, power: sign * power });
            sign = match self.kind() {
                Some(TokenKind::Star) => 1,
                Some(TokenKind::Slash) => -1,
                _ => break,
            };
            if !self.joined(0, place) || place == Place::Number && !self.joined(1, place) {
                break;
            }
            if self.units_in_parentheses() {
                let error = Diagnostic::error("unit-parentheses", "units have no parentheses")
                    .at(self.ahead(1).map_or(self.here(), |token| token.span), "")
                    .help("repeat the `/`: `kg/m/s` is kg/(m*s)")
                    .help("for a quantity divided by names, put the quantity in parentheses: `(2 N)/(m*g)`");
                return Err(self.report(error));
            }
            match self.kind_ahead(1) {
                Some(TokenKind::Name) if self.is_unit(1) => {}
                Some(TokenKind::Percent) => {}
                Some(TokenKind::Name) => {
                    if let Some(number) = number {
                        return Err(self.mixed(number, start));
                    }
                }
                _ if place == Place::Number => break,
                _ => {}
            }
            self.at += 1;
        }
        Ok(Unit { factors, span: self.since(start) })
    }

    fn unit_name(&mut self, place: Place) -> Parsed<Ident> {
        let token = self.peek().filter(|token| matches!(token.kind, TokenKind::Name | TokenKind::Percent));
        let Some(token) = token else {
            let error = Diagnostic::error("expected-unit", format!("expected a unit, found {}", self.found()))
                .at(self.here(), "a unit such as `m`, `kg*m^2`, `1/s` or `rad`")
                .help("remove the colon if the coordinate has no unit");
            return Err(self.report(error));
        };
        if place == Place::Colon && token.kind == TokenKind::Name && !self.is_unit(0) {
            let error = units::unknown(self.slice(token.span), token.span);
            return Err(self.report(error));
        }
        self.at += 1;
        Ok(self.ident(token))
    }

    /// `^2`, `^-1`, or nothing.
    fn unit_power(&mut self, place: Place) -> Parsed<i32> {
        if self.kind() != Some(TokenKind::Caret) || !self.joined(0, place) {
            return Ok(1);
        }
        self.at += 1;
        let start = self.here();
        let sign = if self.eat(TokenKind::Minus).is_some() { -1 } else { 1 };
        let power = self.peek().filter(|token| token.kind == TokenKind::Number);
        let power = power.and_then(|token| self.slice(token.span).parse::<i32>().ok());
        let power = power.filter(|power| *power <= units::LARGEST_POWER);
        let Some(power) = power else {
            let error =
                Diagnostic::error("unit-power", format!("the power of a unit is an integer, found {}", self.found()))
                    .at(start.to(self.here()), "")
                    .help(format!("write `m^2` or `s^-1`, with a power up to {}", units::LARGEST_POWER))
                    .help("for a power of a name, join number and name by `*`: `2*m^n`");
            return Err(self.report(error));
        };
        self.at += 1;
        Ok(sign * power)
    }

    /// After an operator: a parenthesis with nothing but units in it, as in `kg/(m*s)`.
    fn units_in_parentheses(&self) -> bool {
        if self.kind_ahead(1) != Some(TokenKind::OpenParen) {
            return false;
        }
        let mut names = 0;
        for count in 2..24 {
            match self.kind_ahead(count) {
                Some(TokenKind::Name) if self.is_unit(count) => names += 1,
                Some(TokenKind::Star | TokenKind::Slash | TokenKind::Caret | TokenKind::Number) => {}
                Some(TokenKind::CloseParen) => return names > 0,
                _ => return false,
            }
        }
        false
    }

    /// `2x`, `30deg`, `2m`.
    fn no_blank(&mut self, number: Token) -> Reported {
        let (digits, name) = (self.slice(number.span), self.slice(self.here()));
        let (span, gap) = (number.span.to(self.here()), self.gap());
        let error = Diagnostic::error(
            "missing-operator",
            format!("a sign or a blank is missing in `{digits}{}`", shorten(name)),
        );
        let error = if is_digits(name) {
            error.at(span, "digits are not grouped").suggest(span, format!("{digits}{}", name.replace('_', "")))
        } else if !self.is_unit(0) {
            error.at(span, format!("did you mean `{digits}*{}`?", shorten(name))).suggest(gap, "*")
        } else if name.chars().count() == 1 {
            error
                .at(span, "a product or a quantity?")
                .help(format!("write `{digits}*{name}` for a product, `{digits} {name}` for a number with its unit"))
        } else {
            error.at(span, format!("did you mean `{digits} {name}`?")).suggest(gap, " ")
        };
        self.report(error)
    }

    /// `2 x`, `3 sec`.
    fn not_a_unit(&mut self, number: Token, name: Token) -> Reported {
        if self.item_follows() {
            return self.missing_comma();
        }
        let (digits, text) = (self.slice(number.span), self.slice(name.span));
        let known = units::suggest(text).is_some() || units::foreign(text).is_some();
        if (known || units::near(text).is_some() && !self.seems_declared(text)) && !is_function(text) {
            let error = units::unknown(text, name.span)
                .help(format!("for a product with something of this name write `{digits}*{text}`"));
            return self.report(error);
        }
        let gap = Span { start: number.span.end, end: name.span.start, ..name.span };
        let error = Diagnostic::error(
            "missing-operator",
            format!("a sign is missing between `{digits}` and `{}`", shorten(text)),
        )
        .at(name.span, format!("did you mean `{digits}*{}`?", shorten(text)))
        .note(format!("after a number and a blank a unit is expected, and `{}` is not a unit", shorten(text)))
        .suggest(gap, "*");
        self.report(error)
    }

    /// `2 m*R`: at the operator before the name.
    fn mixed(&mut self, number: Token, unit: Span) -> Reported {
        let name = self.ahead(1).map_or(self.here(), |token| token.span);
        let (digits, so_far) = (self.slice(number.span), shorten(self.slice(self.since(unit))));
        let (run, other) = (shorten(self.slice(unit.to(name))), shorten(self.slice(name)));
        let op = self.slice(self.here());
        let gap = Span { start: number.span.end, end: unit.start, ..unit };
        let error = Diagnostic::error("mixed-unit", format!("`{run}` mixes units and the name `{other}`"))
            .at(name, "not a unit");
        let whole = self.since(unit);
        let inside = |token: &&Token| whole.start <= token.span.start && token.span.end <= whole.end;
        let tokens: Vec<Token> = self.tokens.iter().filter(inside).copied().collect();
        let is_declared = |token: &Token| token.kind == TokenKind::Name && self.seems_declared(self.slice(token.span));
        let first = tokens.iter().position(is_declared);
        if first != Some(0) {
            // The quantity ends before the first factor that is a name, `(3 kg)*g*y`, though `g` is a unit too.
            let end =
                first.and_then(|first| tokens.get(first.checked_sub(2)?)).map_or(whole, |last| unit.to(last.span));
            let quantity = format!("({digits} {})", shorten(self.slice(end)));
            let rest = shorten(self.slice(Span { start: end.end, end: name.end, ..name }));
            let error = error
                .help(format!("put the quantity in parentheses: `{quantity}{rest}`"))
                .suggest(number.span.to(end), quantity);
            return self.report(error);
        }
        let error = error
            .help(format!("for a product of names write `{digits}*{run}`"))
            .help(format!("for a quantity and a name write `({digits} {so_far}){op}{other}`"))
            .suggest(gap, "*");
        self.report(error)
    }

    /// How many bytes there are from `from` to the end of its item.
    fn item_length(&self, from: Span) -> u32 {
        let ends = |kind| matches!(kind, TokenKind::Comma | TokenKind::Colon | TokenKind::Equal | TokenKind::Arrow);
        let item = self.tokens[..self.end].iter().filter(|token| token.span.start >= from.start);
        item.take_while(|token| !ends(token.kind)).last().map_or(0, |last| last.span.end - from.start)
    }

    /// Whether some statement seems to declare this name: for messages, where it need not be certain.
    pub(crate) fn seems_declared(&self, name: &str) -> bool {
        self.tokens.windows(3).any(|three| {
            let declares = match three[0].kind {
                TokenKind::Name => {
                    matches!(
                        self.slice(three[0].span),
                        "param"
                            | "coord"
                            | "let"
                            | "particle"
                            | "body"
                            | "frame"
                            | "joint"
                            | "table"
                            | "function"
                            | "part"
                    )
                }
                TokenKind::Comma => matches!(
                    three[2].kind,
                    TokenKind::Equal | TokenKind::Colon | TokenKind::Comma | TokenKind::OpenBracket | TokenKind::Name
                ),
                _ => false,
            };
            declares && three[1].kind == TokenKind::Name && self.slice(three[1].span) == name
        })
    }

    /// What follows a unit must not look like more of it.
    fn after_unit(&mut self, number: Token, unit: &Unit) -> Parsed<()> {
        let Some(next) = self.peek() else { return Ok(()) };
        let (digits, text) = (self.slice(number.span), shorten(self.slice(unit.span)));
        let whole = number.span.to(unit.span);
        let more = match next.kind {
            TokenKind::Caret => true,
            TokenKind::Star | TokenKind::Slash => {
                self.is_unit(1) && self.ahead(1).is_some_and(|token| token.indent.is_none())
            }
            TokenKind::Name if next.blank_before && next.indent.is_none() && !ends_quantity(self.slice(next.span)) => {
                if self.item_follows() {
                    return Err(self.missing_comma());
                }
                if self.tight {
                    return Ok(());
                }
                let name = self.slice(next.span);
                let first = unit.factors.first();
                let names =
                    self.seems_declared(name) && first.is_some_and(|first| self.seems_declared(&first.name.text));
                if names || !self.is_unit(0) {
                    let error =
                        Diagnostic::error("mixed-unit", format!("a sign is missing before `{}`", shorten(name)))
                            .at(next.span, if names { "the name of something here" } else { "not a unit" });
                    if unit.factors.first().is_some_and(|first| self.seems_declared(&first.name.text)) {
                        let product = self.with_stars(number.span);
                        let end = Span { end: number.span.start + self.item_length(number.span), ..number.span };
                        let error = error
                            .help(format!("for a product of names write `{}`", shorten(&product)))
                            .suggest(end, product);
                        return Err(self.report(error));
                    }
                    let error =
                        error.help(format!("for a quantity and a name write `({digits} {text})*{}`", shorten(name)));
                    return Err(self.report(error));
                }
                let error = Diagnostic::error("unit-blank", "there are no blanks in a unit")
                    .at(next.span, format!("did you mean `{digits} {text}*{name}`?"))
                    .suggest(Span { start: unit.span.end, end: next.span.start, ..next.span }, "*");
                return Err(self.report(error));
            }
            _ => false,
        };
        if !more {
            return Ok(());
        }
        let error = Diagnostic::error("unit-blank", "it is not clear where this unit ends")
            .at(whole.to(next.span), "more of the unit, or something else?")
            .help(format!("a unit has no blanks in it: `{digits} {text}{}…`", self.slice(next.span)))
            .help(format!("or put the quantity in parentheses: `({digits} {text}){}…`", self.slice(next.span)));
        Err(self.report(error))
    }
}

/// `_000` in `1_000`.
fn is_digits(name: &str) -> bool {
    name.starts_with('_') && name.bytes().all(|byte| byte == b'_' || byte.is_ascii_digit())
}
