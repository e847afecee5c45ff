//! Expressions, by precedence.
//!
//! Tightest first: call, index and component; `'`; `^`; unary minus; `* /`; `+ -`; `on`; comparison; `not`; `and`; `or`.
//! The equality sign and `..` belong to statements, brackets and sums.

use super::cursor::{DEEPEST, Parsed, Parser, Reported, ends_quantity};
use crate::diagnostic::Diagnostic;
use crate::function_names::is_function;
use crate::law;
use crate::lex::{Token, TokenKind};
use crate::source::Span;
use crate::syntax::{Binder, CompareOp, Expr, ExprKind, Ident, ProductOp, SumOp, Total};

/// How tightly operators bind, loosest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    Or,
    And,
    Not,
    Compare,
    On,
    Sum,
    Product,
}

fn boxed(kind: ExprKind, span: Span) -> Expr {
    Expr { kind, span }
}

impl Parser<'_> {
    /// An expression without a comparison at its top, or with one: whatever stands there.
    pub(crate) fn expression(&mut self) -> Parsed<Expr> {
        self.nested(|p| p.binary(Level::Or))
    }

    /// A condition over indices, in which `=` may stand for `==`.
    pub(crate) fn index_condition(&mut self) -> Parsed<Expr> {
        self.nested(|p| p.condition_or())
    }

    fn condition_or(&mut self) -> Parsed<Expr> {
        let start = self.here();
        let mut all = vec![];
        loop {
            let mut every = vec![];
            loop {
                every.push(self.condition_one()?);
                if self.eat_word("and").is_none() {
                    break;
                }
            }
            all.push(joined(every, ExprKind::And));
            if self.eat_word("or").is_none() {
                break;
            }
        }
        let mut whole = joined(all, ExprKind::Or);
        whole.span = self.since(start);
        Ok(whole)
    }

    fn condition_one(&mut self) -> Parsed<Expr> {
        let start = self.here();
        if self.eat_word("not").is_some() {
            let inner = self.nested(|p| p.condition_one())?;
            return Ok(boxed(ExprKind::Not(Box::new(inner)), self.since(start)));
        }
        let left = self.binary(Level::Compare)?;
        if self.eat(TokenKind::Equal).is_none() {
            return Ok(left);
        }
        let right = self.binary(Level::Sum)?;
        let both = (Box::new(left), Box::new(right));
        Ok(boxed(ExprKind::Compare(CompareOp::Equal, both.0, both.1), self.since(start)))
    }

    /// An operand and all operators after it that bind at least as tightly as `least`.
    pub(crate) fn binary(&mut self, least: Level) -> Parsed<Expr> {
        let start = self.here();
        let mut left = match self.eat_word("not") {
            Some(_) => {
                let inner = self.nested(|p| p.binary(Level::Not))?;
                boxed(ExprKind::Not(Box::new(inner)), self.since(start))
            }
            None => self.signed()?,
        };
        if least <= Level::Product {
            left = self.product(left, start)?;
        }
        if least <= Level::Sum {
            left = self.sum(left, start)?;
        }
        if least <= Level::On {
            left = self.point_on(left, start)?;
        }
        if least <= Level::Compare {
            left = self.comparison(left, start)?;
        }
        if least <= Level::And && self.is_word(0, "and") {
            let mut all = vec![left];
            while self.eat_word("and").is_some() {
                all.push(self.binary(Level::Not)?);
            }
            left = boxed(ExprKind::And(all), self.since(start));
        }
        if least <= Level::Or && self.is_word(0, "or") {
            let mut all = vec![left];
            while self.eat_word("or").is_some() {
                all.push(self.binary(Level::And)?);
            }
            left = boxed(ExprKind::Or(all), self.since(start));
        }
        Ok(left)
    }

    fn product(&mut self, first: Expr, start: Span) -> Parsed<Expr> {
        let mut rest = vec![];
        loop {
            let op = match self.kind() {
                Some(TokenKind::Star) => ProductOp::Times,
                Some(TokenKind::Slash) => ProductOp::Over,
                _ => break,
            };
            self.at += 1;
            rest.push((op, self.signed()?));
        }
        if rest.is_empty() {
            return Ok(first);
        }
        Ok(boxed(ExprKind::Product(Box::new(first), rest), self.since(start)))
    }

    fn sum(&mut self, first: Expr, start: Span) -> Parsed<Expr> {
        let mut rest = vec![];
        loop {
            let op = match self.kind() {
                Some(TokenKind::Plus) => SumOp::Plus,
                Some(TokenKind::Minus) => SumOp::Minus,
                _ => break,
            };
            self.at += 1;
            rest.push((op, self.binary(Level::Product)?));
        }
        if rest.is_empty() {
            return Ok(first);
        }
        Ok(boxed(ExprKind::Sum(Box::new(first), rest), self.since(start)))
    }

    /// `P on BODY`.
    fn point_on(&mut self, point: Expr, start: Span) -> Parsed<Expr> {
        if self.eat_word("on").is_none() {
            return Ok(point);
        }
        let body = self.binary(Level::Sum)?;
        if self.is_word(0, "on") {
            let error = Diagnostic::error("unexpected-word", "unexpected `on`")
                .at(self.here(), "a point lies on one body")
                .help("write `P on arm`, with the point where it is in the picture");
            return Err(self.report(error));
        }
        Ok(boxed(ExprKind::On(Box::new(point), Box::new(body)), self.since(start)))
    }

    fn comparison(&mut self, left: Expr, start: Span) -> Parsed<Expr> {
        let Some(op) = self.kind().and_then(comparison) else { return Ok(left) };
        self.at += 1;
        let right = self.binary(Level::On)?;
        if let Some(next) = self.peek().filter(|token| comparison(token.kind).is_some()) {
            let (a, b) = (self.slice(left.span.to(right.span)), self.slice(right.span));
            let mut error = Diagnostic::error("chained-comparison", "comparisons cannot be chained")
                .at(next.span, "a second comparison");
            if a.len() + b.len() < 60 {
                error = error
                    .help(format!("join two comparisons by `and`: `{a} and {b} {} …`", self.slice(next.span)))
                    .suggest(Span { end: next.span.start, start: next.span.start, ..next.span }, format!("and {b} "));
            } else {
                error = error.help("join two comparisons by `and`");
            }
            return Err(self.report(error));
        }
        Ok(boxed(ExprKind::Compare(op, Box::new(left), Box::new(right)), self.since(start)))
    }

    /// A minus, perhaps, and a power.
    fn signed(&mut self) -> Parsed<Expr> {
        let start = self.here();
        if self.eat(TokenKind::Minus).is_some() {
            let inner = self.nested(Self::signed)?;
            return Ok(boxed(ExprKind::Negate(Box::new(inner)), self.since(start)));
        }
        if self.eat(TokenKind::Plus).is_some() {
            return self.nested(Self::signed);
        }
        let base = self.postfix()?;
        let power = match (self.kind(), self.kind_ahead(1)) {
            (Some(TokenKind::Caret), _) => 1,
            (Some(TokenKind::Star), Some(TokenKind::Star)) if self.ahead(1).is_some_and(|t| !t.blank_before) => {
                let span = Span { start: self.here().start, end: self.here().end + 1, ..self.here() };
                let error = Diagnostic::error("power-sign", "unexpected `**`")
                    .at(span, "a power is written `^`")
                    .suggest(span, "^");
                self.report(error);
                2
            }
            _ => return Ok(base),
        };
        self.at += power;
        let exponent = self.nested(Self::signed)?;
        Ok(boxed(ExprKind::Power(Box::new(base), Box::new(exponent)), self.since(start)))
    }

    /// A name, number or bracket with what is attached to it: calls, indices, components and primes.
    fn postfix(&mut self) -> Parsed<Expr> {
        let start = self.here();
        let mut all = self.primary()?;
        let mut length = 0;
        while let Some(token) = self.peek() {
            length += 1;
            if length > DEEPEST {
                return Err(self.too_deep());
            }
            let apart = self.tight && token.blank_before;
            match token.kind {
                TokenKind::OpenParen if !apart && applicable(&all.kind) => {
                    self.at += 1;
                    let arguments = self.list(token, TokenKind::CloseParen)?;
                    all = boxed(ExprKind::Apply(Box::new(all), arguments), self.since(start));
                }
                TokenKind::OpenParen if !apart && callable(&all.kind) => {
                    let name = self.callee(&all)?;
                    self.at += 1;
                    let named = self.word(0).is_some() && self.kind_ahead(1) == Some(TokenKind::Equal);
                    if named && name.text != "if" {
                        return Err(self.named_argument());
                    }
                    let arguments = self.list(token, TokenKind::CloseParen)?;
                    all = boxed(ExprKind::Call(name, arguments), self.since(start));
                }
                TokenKind::OpenBracket if !apart && indexable(&all.kind) => {
                    if let ExprKind::Prime(..) = all.kind {
                        let error = Diagnostic::error("index-after-prime", "the prime follows the index")
                            .at(token.span, "an index after a prime")
                            .help("write `x[i]'`, not `x'[i]`");
                        return Err(self.report(error));
                    }
                    self.at += 1;
                    let indices = self.list(token, TokenKind::CloseBracket)?;
                    if indices.is_empty() {
                        return Err(self.nothing_in_brackets(token));
                    }
                    all = boxed(ExprKind::Index(Box::new(all), indices), self.since(start));
                }
                TokenKind::OpenBracket if !apart && matches!(all.kind, ExprKind::Index(..)) => {
                    let between = self.last().map_or(token.span, |last| last.span.to(token.span));
                    let error = Diagnostic::error("second-bracket", "several indices share one bracket")
                        .at(token.span, "a second bracket")
                        .help("write `x[i, j]`, not `x[i][j]`")
                        .suggest(between, ", ");
                    return Err(self.report(error));
                }
                TokenKind::Dot => {
                    self.at += 1;
                    let name = self.member()?;
                    all = boxed(ExprKind::Member(Box::new(all), name), self.since(start));
                }
                TokenKind::Prime => {
                    let primes = self.primes()?;
                    all = boxed(ExprKind::Prime(Box::new(all), primes), self.since(start));
                }
                _ => break,
            }
        }
        Ok(all)
    }

    /// The name of what is called: a function, a let, one of a part such as `arm.e`, or the derivative `f'` of a table.
    fn callee(&mut self, all: &Expr) -> Parsed<Ident> {
        let mut text = String::new();
        let mut rest = all;
        if let ExprKind::Prime(inner, primes) = &all.kind {
            text = "'".repeat(usize::from(*primes));
            rest = inner;
        }
        while let ExprKind::Member(inner, name) = &rest.kind {
            text = format!(".{}{text}", name.text);
            rest = inner;
        }
        match &rest.kind {
            ExprKind::Name(name) => Ok(Ident { text: format!("{name}{text}"), span: all.span }),
            _ => Err(self.unexpected()),
        }
    }

    fn nothing_in_brackets(&mut self, open: Token) -> Reported {
        let error =
            Diagnostic::error("missing-item", "there is no index in these brackets").at(self.since(open.span), "");
        self.report(error.help("write which member is meant: `x[1]`"))
    }

    /// What stands after a dot: a name, or the number of a row.
    pub(crate) fn member(&mut self) -> Parsed<Ident> {
        let digits = |p: &Self, token: Token| p.slice(token.span).bytes().all(|byte| byte.is_ascii_digit());
        match self.peek() {
            Some(token) if token.kind == TokenKind::Name || token.kind == TokenKind::Number && digits(self, token) => {
                self.at += 1;
                Ok(self.ident(token))
            }
            Some(token) if matches!(token.kind, TokenKind::Caret | TokenKind::Star | TokenKind::Slash) => {
                let (sign, dot) = (self.slice(token.span), self.last().map_or(token.span, |last| last.span));
                let error = Diagnostic::error("missing-name", format!("expected a name after `.`, found `{sign}`"))
                    .at(dot.to(token.span), format!("write `{sign}`: numbers have no elements"))
                    .suggest(dot, "");
                Err(self.report(error))
            }
            _ => {
                let error =
                    Diagnostic::error("missing-name", format!("expected a name after `.`, found {}", self.found()))
                        .at(self.here(), "a component, a member of a part or the number of a row")
                        .help("write `p.x`, `arm.tip` or `pin.1`");
                Err(self.report(error))
            }
        }
    }

    /// The primes at this place, of which there may be two.
    pub(crate) fn primes(&mut self) -> Parsed<u8> {
        let start = self.here();
        let mut count = 0usize;
        while self.eat(TokenKind::Prime).is_some() {
            count += 1;
        }
        if count > 2 {
            let error = Diagnostic::error("third-derivative", "there is nothing beyond the second derivative")
                .at(self.since(start), format!("{count} primes"))
                .note("mechanics is about positions, velocities `x'` and accelerations `x''`");
            return Err(self.report(error));
        }
        Ok(count as u8)
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let Some(token) = self.peek() else { return Err(self.no_operand()) };
        match token.kind {
            TokenKind::Number => self.quantity(),
            TokenKind::Text => {
                self.at += 1;
                let text = self.slice(token.span).trim_matches('"').to_string();
                Ok(boxed(ExprKind::Text(text), token.span))
            }
            TokenKind::Name => {
                let word = self.slice(token.span);
                if matches!(word, "and" | "or" | "not" | "where") {
                    return Err(self.no_operand());
                }
                if word == "sum" && self.kind_ahead(1) == Some(TokenKind::OpenParen) {
                    return self.nested(Self::total);
                }
                self.at += 1;
                let argument = self.peek().is_some_and(|next| {
                    matches!(next.kind, TokenKind::Name | TokenKind::Number) && next.indent.is_none()
                });
                let ends = self.word(0).is_some_and(ends_quantity);
                let opens = |next: Token| next.kind == TokenKind::OpenParen && !(self.tight && next.blank_before);
                if word == "if" && !self.peek().is_some_and(opens) {
                    return Err(self.case_in_words(token));
                }
                if (is_function(word) || law::called(word).is_some()) && argument && !ends && !self.tight {
                    return Err(self.missing_parentheses(token));
                }
                Ok(boxed(ExprKind::Name(self.ident(token).text), token.span))
            }
            TokenKind::OpenParen => {
                self.at += 1;
                let mut inner = self.list(token, TokenKind::CloseParen)?;
                let span = self.since(token.span);
                match inner.len() {
                    0 => {
                        let error = Diagnostic::error("expected-expression", "there is nothing in these parentheses");
                        Err(self.report(error.at(span, "an expression is missing")))
                    }
                    1 => Ok(boxed(ExprKind::Paren(Box::new(inner.remove(0))), span)),
                    _ => Ok(boxed(ExprKind::Tuple(inner), span)),
                }
            }
            TokenKind::OpenBracket => {
                self.at += 1;
                let inner = self.list(token, TokenKind::CloseBracket)?;
                Ok(boxed(ExprKind::List(inner), self.since(token.span)))
            }
            _ => Err(self.no_operand()),
        }
    }

    /// `sin x`: functions take parentheses.
    fn missing_parentheses(&mut self, function: Token) -> Reported {
        let argument = self.here();
        let (name, operand) = (self.slice(function.span), self.slice(argument));
        let error = Diagnostic::error("missing-parentheses", format!("write the argument of `{name}` in parentheses"))
            .at(argument, format!("write `{name}({operand})`"))
            .suggest(function.span.to(argument), format!("{name}({operand})"));
        self.report(error)
    }

    /// `if c then a else b`.
    fn case_in_words(&mut self, start: Token) -> Reported {
        let mut depth = 0usize;
        let mut words = [None; 2];
        let mut last = start;
        for &token in &self.tokens[self.at..self.end] {
            match token.kind {
                TokenKind::OpenParen | TokenKind::OpenBracket => depth += 1,
                TokenKind::CloseParen | TokenKind::CloseBracket if depth == 0 => break,
                TokenKind::CloseParen | TokenKind::CloseBracket => depth -= 1,
                TokenKind::Comma if depth == 0 => break,
                TokenKind::Name if depth == 0 => match self.slice(token.span) {
                    "then" => words[0] = words[0].or(Some(token.span)),
                    "else" => words[1] = words[1].or(Some(token.span)),
                    _ => {}
                },
                _ => {}
            }
            last = token;
        }
        let error = Diagnostic::error("missing-parentheses", "a case is written `if(condition, this, that)`")
            .at(start.span, "its condition and its two values stand in parentheses");
        let error = match words {
            [Some(then), Some(otherwise)] if then.start < otherwise.start && otherwise.end < last.span.end => {
                let text = |start: u32, end: u32| self.slice(Span { start, end, ..then }).trim();
                let case = format!(
                    "if({}, {}, {})",
                    text(start.span.end, then.start),
                    text(then.end, otherwise.start),
                    text(otherwise.end, last.span.end)
                );
                error.suggest(start.span.to(last.span), case)
            }
            _ => error.help("for example `if(x > 0, x, 0)`"),
        };
        self.report(error)
    }

    /// `coulomb(mu = 0.3)`.
    fn named_argument(&mut self) -> Reported {
        let span = self.here().to(self.ahead(1).map_or(self.here(), |token| token.span));
        let value = self.ahead(2).map_or(span, |token| token.span);
        let error = Diagnostic::error("unexpected-equals", "arguments are given without their names")
            .at(span, "leave this out")
            .suggest(Span { end: value.start, ..span }, "");
        self.report(error)
    }

    /// Expressions separated by commas up to the bracket that closes.
    pub(crate) fn list(&mut self, open: Token, close: TokenKind) -> Parsed<Vec<Expr>> {
        let mut all = vec![];
        let tight = std::mem::take(&mut self.tight);
        if self.eat(close).is_none() {
            all.push(self.expression()?);
            while self.eat(TokenKind::Comma).is_some() {
                all.push(self.expression()?);
            }
            self.close(open, close)?;
        }
        self.tight = tight;
        Ok(all)
    }

    /// Takes the bracket that closes `open`.
    pub(crate) fn close(&mut self, open: Token, close: TokenKind) -> Parsed<()> {
        if self.eat(close).is_some() {
            return Ok(());
        }
        if self.peek().is_none() {
            let sign = if close == TokenKind::CloseParen { ")" } else { "]" };
            let error = Diagnostic::error("unclosed-bracket", format!("`{}` is never closed", self.slice(open.span)))
                .at(open.span, format!("no `{sign}` belongs to this"))
                .at(self.gap(), "the statement ends here")
                .help(format!("add `{sign}`; indented lines continue a statement"));
            return Err(self.report(error));
        }
        Err(self.unexpected())
    }

    /// `sum(i in 1..N, j in 1..N where j /= i, body)`.
    fn total(&mut self) -> Parsed<Expr> {
        let start = self.here();
        self.at += 1;
        let Some(open) = self.next() else { return Err(Reported) };
        let mut binders = vec![];
        let mut conditions = vec![];
        while self.word(0).is_some() && self.is_word(1, "in") {
            binders.push(self.binder()?);
            if self.eat_word("where").is_some() {
                conditions.push(self.index_condition()?);
            }
            let help = "write the index first, then what is summed: `sum(i in 1..N, x[i])`";
            self.expect(TokenKind::Comma, "missing-item", ",", help)?;
        }
        if binders.is_empty() {
            let error = Diagnostic::error("sum-without-index", "`sum` needs an index")
                .at(self.since(start), "what is it to run over?")
                .help("write `sum(i in 1..N, x[i])`; single terms are added with `+`");
            return Err(self.report(error));
        }
        let body = self.expression()?;
        self.close(open, TokenKind::CloseParen)?;
        let condition = (!conditions.is_empty()).then(|| joined(conditions, ExprKind::And));
        Ok(boxed(ExprKind::Total(Box::new(Total { binders, condition, body })), self.since(start)))
    }

    /// `i in a..b`.
    pub(crate) fn binder(&mut self) -> Parsed<Binder> {
        let start = self.here();
        let name = self.next().map(|token| self.ident(token));
        self.at += 1;
        let from = self.bound()?;
        self.range(start, name, from)
    }

    /// `..b` after the first bound.
    pub(crate) fn range(&mut self, start: Span, name: Option<Ident>, from: Expr) -> Parsed<Binder> {
        let help = "write the first and the last value: `1..N`";
        self.expect(TokenKind::DotDot, "missing-range", "..", help)?;
        let to = self.bound()?;
        Ok(Binder { name, from: Box::new(from), to: Box::new(to), span: self.since(start) })
    }

    /// A bound of a range, or an index: nothing looser than `on`.
    pub(crate) fn bound(&mut self) -> Parsed<Expr> {
        self.nested(|p| p.binary(Level::On))
    }
}

/// One expression, or several joined.
fn joined(mut all: Vec<Expr>, join: impl FnOnce(Vec<Expr>) -> ExprKind) -> Expr {
    match (all.len(), all.first().map(|first| first.span)) {
        (0, _) | (_, None) => boxed(ExprKind::Broken, Span::default()),
        (1, _) => all.remove(0),
        (_, Some(first)) => {
            let span = all.last().map_or(first, |last| first.to(last.span));
            boxed(join(all), span)
        }
    }
}

fn comparison(kind: TokenKind) -> Option<CompareOp> {
    Some(match kind {
        TokenKind::Less => CompareOp::Less,
        TokenKind::LessEqual => CompareOp::LessEqual,
        TokenKind::Greater => CompareOp::Greater,
        TokenKind::GreaterEqual => CompareOp::GreaterEqual,
        TokenKind::EqualEqual => CompareOp::Equal,
        TokenKind::NotEqual => CompareOp::NotEqual,
        _ => return None,
    })
}

/// Whether this is a member of a family, or what belongs to one, so that a parenthesis after it holds arguments.
fn applicable(kind: &ExprKind) -> bool {
    let (mut rest, mut indexed) = (kind, false);
    loop {
        match rest {
            ExprKind::Member(inner, _) => rest = &inner.kind,
            ExprKind::Index(inner, _) => {
                indexed = true;
                rest = &inner.kind;
            }
            ExprKind::Name(_) => return indexed,
            _ => return false,
        }
    }
}

/// Whether a parenthesis right after this holds arguments.
fn callable(kind: &ExprKind) -> bool {
    match kind {
        ExprKind::Name(_) | ExprKind::Member(..) => true,
        ExprKind::Prime(inner, _) => {
            let mut rest = inner;
            while let ExprKind::Member(inner, _) = &rest.kind {
                rest = inner;
            }
            matches!(rest.kind, ExprKind::Name(_))
        }
        _ => false,
    }
}

fn indexable(kind: &ExprKind) -> bool {
    matches!(kind, ExprKind::Name(_) | ExprKind::Member(..) | ExprKind::Prime(..))
}

/// Whether this can be true or false.
pub(crate) fn is_condition(kind: &ExprKind) -> bool {
    match kind {
        ExprKind::Compare(..) | ExprKind::And(_) | ExprKind::Or(_) | ExprKind::Not(_) => true,
        ExprKind::Paren(inner) => is_condition(&inner.kind),
        _ => false,
    }
}
