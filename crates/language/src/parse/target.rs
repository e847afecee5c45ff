//! What a statement declares or speaks of: names with indices, ranges, dots and primes.

use super::cursor::{Parsed, Parser};
use crate::diagnostic::Diagnostic;
use crate::lex::TokenKind;
use crate::source::Span;
use crate::syntax::{Binder, Expr, ExprKind, Ident, Target, TargetIndex, TargetStep};

/// What may stand in a target.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// A new name: no dots, no primes.
    Declared,
    /// Something declared elsewhere, perhaps in a part.
    Named,
    /// A coordinate or one of its derivatives.
    State,
}

impl Parser<'_> {
    /// A target in this form; `what` is for messages: "a parameter", "a constraint".
    pub(crate) fn target(&mut self, form: Form, what: &str) -> Parsed<Target> {
        let start = self.here();
        let name = self.name(what)?;
        let mut target = Target { steps: vec![], condition: None, primes: 0, span: start };
        self.step(&mut target, name)?;
        while let Some(dot) = self.eat(TokenKind::Dot) {
            let name = self.member()?;
            if form == Form::Declared {
                let error = Diagnostic::error("dotted-name", format!("the name of {what} has no dot in it"))
                    .at(dot.span.to(name.span), "")
                    .note("dots are for components, such as `p.x`, and for members of parts, such as `arm.tip`");
                return Err(self.report(error));
            }
            self.step(&mut target, name)?;
        }
        if let Some(prime) = self.peek().filter(|token| token.kind == TokenKind::Prime) {
            target.primes = self.primes()?;
            if form != Form::State {
                let error = Diagnostic::error("primed-name", format!("the name of {what} has no prime"))
                    .at(prime.span, "")
                    .help("remove the prime; derivatives are written where a name is used");
                return Err(self.report(error));
            }
            if let Some(open) = self.peek().filter(|token| token.kind == TokenKind::OpenBracket) {
                let error = Diagnostic::error("index-after-prime", "the prime follows the index")
                    .at(open.span, "an index after a prime")
                    .help("write `x[i]'`, not `x'[i]`");
                return Err(self.report(error));
            }
        }
        if self.eat_word("where").is_some() {
            let condition = self.expression()?;
            self.add_condition(&mut target.condition, condition);
        }
        target.span = self.since(start);
        Ok(target)
    }

    /// A name that stands alone.
    pub(crate) fn name(&mut self, what: &str) -> Parsed<Ident> {
        if let Some(token) = self.eat(TokenKind::Name) {
            return Ok(self.ident(token));
        }
        if (self.kind(), self.tokens_before()) == (Some(TokenKind::Number), [TokenKind::Number, TokenKind::Comma]) {
            let comma = Span { start: self.gap().end - 1, end: self.here().start, ..self.here() };
            let error = Diagnostic::error("decimal-comma", "a decimal point is written `.`")
                .at(comma.to(self.here()), "a comma separates items")
                .suggest(comma, ".");
            return Err(self.report(error));
        }
        let error = Diagnostic::error("missing-name", format!("expected the name of {what}, found {}", self.found()))
            .at(self.here(), "a name begins with a letter");
        Err(self.report(error))
    }

    /// The kinds of the last two tokens.
    fn tokens_before(&self) -> [TokenKind; 2] {
        let kind = |back: usize| self.at.checked_sub(back).and_then(|at| self.tokens.get(at)).map(|token| token.kind);
        [kind(2), kind(1)].map(|kind| kind.unwrap_or(TokenKind::Stray))
    }

    fn step(&mut self, target: &mut Target, name: Ident) -> Parsed<()> {
        let indices = match self.kind() {
            Some(TokenKind::OpenBracket) => self.indices(&mut target.condition)?,
            _ => vec![],
        };
        if let Some(open) = self.peek().filter(|token| token.kind == TokenKind::OpenBracket) {
            let error = Diagnostic::error("second-bracket", "several indices share one bracket")
                .at(open.span, "a second bracket")
                .help("write `x[1, 2]`");
            return Err(self.report(error));
        }
        target.steps.push(TargetStep { name, indices });
        Ok(())
    }

    /// `[i in 1..N, 3 where i /= 2]`.
    fn indices(&mut self, condition: &mut Option<Box<Expr>>) -> Parsed<Vec<TargetIndex>> {
        let Some(open) = self.next() else { return Ok(vec![]) };
        let mut indices = vec![];
        loop {
            let start = self.here();
            if self.word(0).is_some() && self.is_word(1, "in") {
                indices.push(TargetIndex::Over(self.binder()?));
            } else {
                let from = self.bound()?;
                if self.kind() == Some(TokenKind::DotDot) {
                    indices.push(TargetIndex::Over(self.range(start, None, from)?));
                } else {
                    indices.push(TargetIndex::At(from));
                }
            }
            if self.eat_word("where").is_some() {
                let more = self.index_condition()?;
                self.add_condition(condition, more);
            }
            if self.eat(TokenKind::Comma).is_none() {
                break;
            }
        }
        self.close(open, TokenKind::CloseBracket)?;
        Ok(indices)
    }

    /// Indices that only ranges can be: those of `draw[i in 1..N]`.
    pub(crate) fn binders(&mut self) -> Parsed<(Vec<Binder>, Option<Expr>)> {
        let mut condition = None;
        let mut binders = vec![];
        for index in self.indices(&mut condition)? {
            match index {
                TargetIndex::Over(binder) => binders.push(binder),
                TargetIndex::At(single) => return Err(self.not_a_range(single.span)),
            }
        }
        Ok((binders, condition.map(|condition| *condition)))
    }

    fn not_a_range(&mut self, span: Span) -> super::cursor::Reported {
        let error = Diagnostic::error("missing-range", "an index runs over a range here")
            .at(span, "a single value")
            .help("write `[i in 1..N]`");
        self.report(error)
    }

    /// Joins what two `where` demand.
    fn add_condition(&self, all: &mut Option<Box<Expr>>, more: Expr) {
        let grouped = |one: Expr| match one.kind {
            ExprKind::Or(_) => Expr { span: one.span, kind: ExprKind::Paren(Box::new(one)) },
            _ => one,
        };
        *all = Some(Box::new(match all.take() {
            None => more,
            Some(first) => {
                let span = first.span.to(more.span);
                Expr { kind: ExprKind::And(vec![grouped(*first), grouped(more)]), span }
            }
        }));
    }
}
