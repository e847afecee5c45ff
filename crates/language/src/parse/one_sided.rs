//! One-sided constraints: inequalities, stops, and what follows them.

use super::cursor::{Parsed, Parser, Reported, shorten};
use super::target::Form;
use crate::diagnostic::Diagnostic;
use crate::lex::TokenKind;
use crate::names::closest;
use crate::source::Span;
use crate::syntax::{Change, CompareOp, Condition, Expr, ExprKind, Sign, StatementKind, StopItem};

type Kinds = Vec<(StatementKind, Span)>;

/// What restitution is called elsewhere.
const RESTITUTIONS: [&str; 8] = ["e", "cor", "bounce", "bounciness", "elasticity", "elastic", "eps", "epsilon"];

/// Words that ask for friction.
const FRICTIONS: [&str; 5] = ["mu", "mu_k", "mu_s", "friction", "coulomb"];

/// What a constraint says, as far as its options depend on it.
#[derive(Clone, Copy)]
pub(crate) struct Sides {
    pub(crate) sign: Sign,
    pub(crate) left: Span,
    pub(crate) right: Span,
}

impl Parser<'_> {
    /// Whether `word = …` stands here.
    pub(crate) fn is_setting(&self, word: &str) -> bool {
        self.is_word(0, word) && self.kind_ahead(1) == Some(TokenKind::Equal)
    }

    /// `off` or `restitution = r` after a constraint; `false` where another constraint begins.
    pub(crate) fn constraint_option(
        &mut self,
        sides: Sides,
        restitution: &mut Option<Expr>,
        off: &mut bool,
        span: &mut Span,
    ) -> Parsed<bool> {
        let here = self.here();
        let Some(word) = self.word(0) else { return Ok(false) };
        match self.kind_ahead(1) {
            None | Some(TokenKind::Comma) if word == "off" => {
                self.at += 1;
                *off = true;
                *span = span.to(here);
                Ok(true)
            }
            None | Some(TokenKind::Comma | TokenKind::Number) if word == "restitution" => {
                let gap = Span { start: here.end, ..here };
                let error = Diagnostic::error("missing-equals", "expected `=` and a number after `restitution`")
                    .at(here, "write `restitution = 0.5`; 0 stops the approach, 1 turns it round with the same speed");
                let numbered = self.kind_ahead(1) == Some(TokenKind::Number);
                Err(self.report(if numbered { error.suggest(gap, " =") } else { error }))
            }
            Some(TokenKind::Colon) if word == "restitution" => {
                let colon = self.ahead(1).map_or(here, |token| token.span);
                let error = Diagnostic::error("missing-equals", "expected `=` and a number after `restitution`")
                    .at(colon, "write `=`")
                    .suggest(colon, " =");
                Err(self.report(error))
            }
            None | Some(TokenKind::Comma) => {
                let error = Diagnostic::error(
                    "unknown-option",
                    format!("`{}` is not an option of a constraint", shorten(word)),
                )
                .at(here, "write `off` here, or another constraint")
                .help("`off` declares a constraint that an event switches on");
                Err(self.report(error))
            }
            Some(TokenKind::Equal) if word == "restitution" => {
                let setting = self.setting()?;
                *span = span.to(setting.span);
                if sides.sign == Sign::Equal {
                    return Err(self.restitution_of_equation(setting.span, sides));
                }
                if let Some(first) = restitution {
                    let error = Diagnostic::error("given-twice", "`restitution` is given twice")
                        .at(setting.span, "given again")
                        .at(first.span, "given here first")
                        .help("remove one of them");
                    return Err(self.report(error));
                }
                *restitution = Some(setting.value);
                Ok(true)
            }
            Some(TokenKind::Equal)
                if sides.sign != Sign::Equal
                    && (RESTITUTIONS.contains(&word) || closest(word, ["restitution"]).is_some()) =>
            {
                let error = Diagnostic::error("unknown-option", format!("a constraint has no option `{word}`"))
                    .at(here, "did you mean `restitution`?")
                    .suggest(here, "restitution");
                Err(self.report(error))
            }
            Some(TokenKind::Equal) if FRICTIONS.contains(&word) => {
                let error = Diagnostic::error("unknown-option", format!("a constraint has no option `{word}`"))
                    .at(here, "friction is a statement of its own")
                    .help(self.friction_line());
                Err(self.report(error))
            }
            _ => Ok(false),
        }
    }

    /// How to write the friction that stands here as an option, with the name of the constraint and the number.
    fn friction_line(&self) -> String {
        let before = &self.tokens[..self.at];
        let colon = before.iter().rposition(|token| token.kind == TokenKind::Colon);
        let name =
            colon.and_then(|colon| before.get(colon.checked_sub(1)?)).map_or("NAME", |token| self.slice(token.span));
        let number = self.ahead(2).map_or("0.3", |token| self.slice(token.span));
        format!("write the friction on a line of its own: `friction {name}: coulomb({number})`")
    }

    fn restitution_of_equation(&mut self, span: Span, sides: Sides) -> Reported {
        let (left, right) = (shorten(self.slice(sides.left)), shorten(self.slice(sides.right)));
        let error = Diagnostic::error("unknown-option", "an equation has no `restitution`")
            .at(span, "only one-sided constraints are hit")
            .help(format!("write `{left} >= {right}` or `{left} <= {right}` if it holds in one direction"));
        self.report(error)
    }

    /// `left >= right` or `left <= right`; other signs are taken for these, with a message.
    pub(crate) fn one_sided(
        &mut self,
        keyword: &str,
        op: CompareOp,
        left: Expr,
        right: Expr,
    ) -> Parsed<(Expr, Sign, Expr)> {
        let span = left.span.to(right.span);
        let between = Span { start: left.span.end, end: right.span.start, ..span };
        if keyword == "connect" {
            let text = shorten(self.slice(span));
            let error = Diagnostic::error("inequality", "a connection is an equation, not an inequality")
                .at(span, "holds in one direction only")
                .help(format!("write `constraint NAME: {text}` for one-sided contact"));
            return Err(self.report(error));
        }
        let (sign, strict) = match op {
            CompareOp::GreaterEqual => return Ok((left, Sign::AtLeast, right)),
            CompareOp::LessEqual => return Ok((left, Sign::AtMost, right)),
            CompareOp::Greater => (Sign::AtLeast, true),
            CompareOp::Less => (Sign::AtMost, true),
            CompareOp::Equal | CompareOp::NotEqual => (Sign::AtLeast, false),
        };
        if !strict {
            let error = Diagnostic::error("inequality", "`/=` is not a constraint")
                .at(between, "compares integers in `where`")
                .help("write `=`, or `>=` or `<=` for contact from one side");
            return Err(self.report(error));
        }
        let (written, meant) = (if sign == Sign::AtLeast { ">" } else { "<" }, sign.text());
        let error = Diagnostic::error("inequality", format!("a one-sided constraint is written with `{meant}`"))
            .at(between, "excludes contact itself")
            .note(format!("`{written}` would forbid the two sides to touch, and contact is where they are equal"))
            .help(format!("write `{meant}` instead of `{written}`"))
            .suggest(between, format!(" {meant} "));
        self.report(error);
        Ok((left, sign, right))
    }

    /// After an error in the sides of a constraint: `0 <= x <= L` is a stop, and no pair of conditions.
    pub(crate) fn two_limits(&mut self, reported: Reported) -> Reported {
        if let Some(error) = self.errors.last_mut().filter(|error| error.code == "chained-comparison") {
            error.suggestion = None;
            error.help = vec!["for two limits of one value write `stop NAME: value in low..high`".to_string()];
        }
        reported
    }

    /// `x = y >= 0`.
    pub(crate) fn mixed_signs(&mut self, span: Span) -> Reported {
        let error = Diagnostic::error("inequality", "a constraint has one sign between its sides")
            .at(span, "a second comparison")
            .help("write two constraints, one with `=` and one with `>=` or `<=`");
        self.report(error)
    }

    /// `x >= 0 and y >= 0`.
    pub(crate) fn condition(&mut self, span: Span) -> Reported {
        let error = Diagnostic::error("inequality", "a constraint is one equation or one inequality")
            .at(span, "a condition made of several")
            .help("write one constraint for each; for two limits of one value write `stop NAME: x in low..high`");
        self.report(error)
    }

    /// `stop NAME: value in low..high`, perhaps `, restitution = r`; several make several statements.
    pub(crate) fn stop(&mut self, out: &mut Kinds) -> Parsed<()> {
        let mut all: Vec<StopItem> = vec![];
        let before = self.errors.len() + self.more;
        self.items("a stop", |p| {
            if let Some(last) = all.last_mut() {
                let sides = Sides { sign: Sign::AtLeast, left: last.value.span, right: last.low.span };
                if p.constraint_option(sides, &mut last.restitution, &mut last.off, &mut last.span)? {
                    return Ok(());
                }
            } else if p.is_setting("restitution") && p.errors.len() + p.more > before {
                // What it belongs to could not be read, and that has been said.
                return p.setting().map(|_| ());
            }
            let item = p.named_stop()?;
            all.push(item);
            Ok(())
        });
        out.extend(all.into_iter().map(|item| {
            let span = item.span;
            (StatementKind::Stop(item), span)
        }));
        Ok(())
    }

    fn named_stop(&mut self) -> Parsed<StopItem> {
        const HELP: &str = "write a name, a value and its limits: `stop end: x in 0 m..2 m`";
        let start = self.here();
        if self.separator() != Some(TokenKind::Colon) {
            let error = Diagnostic::error("missing-constraint-name", "this stop has no name")
                .at(start, "write a name and a colon before the value")
                .note("forces, reports and events refer to it by its name")
                .help(HELP);
            return Err(self.report(error));
        }
        let target = self.target(Form::Declared, "a stop")?;
        self.expect(TokenKind::Colon, "missing-colon", ":", HELP)?;
        let value = self.bound()?;
        if self.kind() == Some(TokenKind::DotDot) {
            let (name, limits) = (shorten(self.slice(target.span)), shorten(self.slice(value.span)));
            let span = target.span.to(value.span);
            let error = Diagnostic::error("missing-range", "a stop has a name, a value and two limits")
                .at(span, format!("of which value is `{limits}` the lower limit?"))
                .help(format!("for limits of `{name}` write `stop limits: {name} in {limits}..…`"))
                .suggest(span, format!("limits: {name} in {limits}"));
            return Err(self.report(error));
        }
        if self.eat_word("in").is_none() {
            let name = shorten(self.slice(target.span));
            let text = shorten(self.slice(value.span));
            let error =
                Diagnostic::error("missing-range", format!("expected `in` and two limits, found {}", self.found()))
                    .at(self.here(), "a stop keeps a value between two limits")
                    .help(format!("write `stop {name}: {text} in low..high`"))
                    .help(format!("a single limit is a constraint: `constraint {name}: {text} >= low`"));
            return Err(self.report(error));
        }
        let low = self.bound()?;
        self.expect(TokenKind::DotDot, "missing-range", "..", "write the lower and the upper limit: `0 m..2 m`")?;
        let high = self.bound()?;
        Ok(StopItem { target, value, low, high, restitution: None, off: false, span: self.since(start) })
    }

    /// `catches` or `lets go` after the name of a one-sided constraint.
    pub(crate) fn contact_change(&mut self, name: &Expr) -> Parsed<Option<Condition>> {
        let change = match self.word(0) {
            Some("catches") => Change::Catches,
            Some("lets") => Change::LetsGo,
            _ => return Ok(None),
        };
        self.at += 1;
        if change == Change::LetsGo && self.eat_word("go").is_none() {
            let shown = shorten(self.slice(name.span));
            let error =
                Diagnostic::error("unexpected-word", format!("expected `go` after `lets`, found {}", self.found()))
                    .at(self.here(), "`go` is missing here")
                    .help(format!("write `{shown} lets go`"));
            return Err(self.report(error));
        }
        Ok(Some(Condition::Contact(name.clone(), change)))
    }
}

/// A comparison without the parentheses around it.
pub(crate) fn without_parentheses(whole: Expr) -> Expr {
    let mut inner = &whole;
    while let ExprKind::Paren(next) = &inner.kind {
        inner = next;
    }
    if matches!(inner.kind, ExprKind::Compare(..)) { inner.clone() } else { whole }
}
