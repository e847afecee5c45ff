//! What constraints and stops have in common: the sign between the sides, `restitution` and `off`.

use crate::builder::{ModelBuilder, Written};
use crate::compose::Role;
use crate::diagnostic::Diagnostic;
use crate::format::pen::Pen;
use crate::json::reader::{Fields, Reader};
use crate::lex::TokenKind;
use crate::names::closest;
use crate::parse::cursor::{Parsed, Parser, Reported, shorten};
use crate::source::Span;
use crate::syntax::Expr;

/// What stands between the sides of a constraint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// `=`: it holds at all times.
    Equal,
    /// `>=`: one-sided.
    AtLeast,
    /// `<=`: one-sided.
    AtMost,
}

impl Sign {
    /// As it is written.
    pub fn text(self) -> &'static str {
        match self {
            Self::Equal => "=",
            Self::AtLeast => ">=",
            Self::AtMost => "<=",
        }
    }
}

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
    pub(super) fn is_setting(&self, word: &str) -> bool {
        self.is_word(0, word) && self.kind_ahead(1) == Some(TokenKind::Equal)
    }

    /// `off` or `restitution = r` after a constraint; `false` where another constraint begins.
    pub(super) fn constraint_option(
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
}

impl Pen<'_> {
    /// What follows the sides of a constraint.
    pub(super) fn one_sided(&mut self, restitution: Option<&Expr>, off: bool) {
        if let Some(restitution) = restitution {
            self.comma();
            self.restitution(restitution);
        }
        self.flag("off", off);
    }

    pub(super) fn restitution(&mut self, restitution: &Expr) {
        self.at(restitution.span);
        self.text("restitution");
        self.equals("=", restitution);
    }
}

impl Reader {
    /// What follows the sides of a constraint.
    pub(super) fn one_sided(&mut self, fields: &Fields) {
        if let Some(restitution) = fields.get("restitution") {
            self.composer.put(", restitution = ");
            self.give(Role::Expression, restitution);
        }
        if self.flag(fields.get("off")) {
            self.composer.put(", off");
        }
    }
}

impl ModelBuilder {
    /// `…, restitution = value`, directly after a one-sided constraint or a stop.
    pub fn restitution(self, value: impl Into<Written>) -> Self {
        self.put(", restitution = ").give(Role::Expression, value)
    }
}
