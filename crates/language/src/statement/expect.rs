//! `expect at start x'' = -g within 1e-9`: what a run must come to.

use super::notation::{Found, Notation};
use crate::builder::{ModelBuilder, Written};
use crate::compose::Role;
use crate::diagnostic::Diagnostic;
use crate::format::pen::Pen;
use crate::format::print_expression;
use crate::json::object::{expr, flag, list, object, target};
use crate::json::reader::Reader;
use crate::json::value::{Kind, Value, quote};
use crate::lex::TokenKind;
use crate::parse::cursor::{Parsed, Parser, Reported, shorten};
use crate::parse::expression::is_condition;
use crate::parse::target::Form;
use crate::source::Span;
use crate::syntax::{CompareOp, Expr, ExprKind, Target};
use crate::visit::{visit_fields, visit_variants};

#[cfg(test)]
use crate::random::Author;

/// `at start x'' = -g within 1e-9`.
#[derive(Clone, Debug)]
pub struct ExpectItem {
    /// A name for the family index or for messages: `expect law[i in 1..N]: …`.
    pub target: Option<Target>,
    /// Only at the start.
    pub at_start: bool,
    /// What is claimed.
    pub claim: Claim,
    /// `within 1e-9`
    pub within: Option<Expr>,
    /// All of it.
    pub span: Span,
}

/// What an `expect` claims.
#[derive(Clone, Debug)]
pub enum Claim {
    /// `E1 = E2`
    Equal(Expr, Expr),
    /// `constant energy()`
    Constant(Expr),
    /// A comparison, such as `x > 0`.
    True(Expr),
}

visit_fields! {
    ExpectItem { target, claim, within, span }
}

visit_variants! {
    Claim { Equal(left, right) Constant(value) True(value) }
}

pub(super) struct Expect;

impl Notation for Expect {
    type Content = Vec<ExpectItem>;

    fn read(&self, p: &mut Parser) -> Parsed<Found<Vec<ExpectItem>>> {
        let mut all: Vec<ExpectItem> = vec![];
        p.items("a claim", |p| {
            if let (true, Some(last)) = (p.is_word(0, "within"), all.last_mut()) {
                p.at += 1;
                last.within = Some(p.expression()?);
                last.span = last.span.to(p.gap());
                return Ok(());
            }
            let mut item = p.claim()?;
            // Items of a statement read as one: what holds at the start of it holds for those that follow.
            item.at_start |= all.last().is_some_and(|last| last.at_start);
            all.push(item);
            Ok(())
        });
        if all.is_empty() {
            return Err(Reported);
        }
        Ok(Found::One(all))
    }

    fn print(&self, items: &Vec<ExpectItem>, pen: &mut Pen) {
        // `at start` holds for all items after it, so that those without it come first.
        let mut items: Vec<&ExpectItem> = items.iter().collect();
        items.sort_by_key(|item| item.at_start);
        pen.items(items, |pen, item| {
            pen.at(item.span);
            if let Some(target) = &item.target {
                pen.target(target);
                pen.colon();
            }
            if item.at_start {
                pen.text("at start");
                pen.blank();
            }
            match &item.claim {
                Claim::Equal(left, right) => {
                    pen.expression(left);
                    pen.equals("=", right);
                }
                Claim::Constant(value) => {
                    pen.text("constant");
                    pen.blank();
                    // `constant -x` would be a difference.
                    pen.operand(value, !print_expression(value).starts_with(['-', '[', '"']));
                }
                Claim::True(claim) => pen.expression(claim),
            }
            if let Some(within) = &item.within {
                pen.word("within", within.span);
                pen.expression(within);
            }
        });
    }

    fn to_json(&self, items: &Vec<ExpectItem>) -> String {
        list(items, expect)
    }

    fn read_json(&self, value: &Value, reader: &mut Reader) {
        // In a text `at start` holds for all items after it, so that those without it are read first.
        let at_start = |one: &&Value| matches!(&one.kind, Kind::Object(fields) if fields.iter().any(|(key, value)| key.text == "at_start" && matches!(value.kind, Kind::Bool(true))));
        let mut items: Vec<&Value> = reader.items(value).iter().collect();
        items.sort_by_key(at_start);
        for (which, one) in items.into_iter().enumerate() {
            if which > 0 {
                reader.composer.put(", ");
            }
            reader.expect(one);
        }
    }

    fn values<'c>(&self, items: &'c Vec<ExpectItem>) -> Vec<&'c Expr> {
        let claimed = |item: &'c ExpectItem| match &item.claim {
            Claim::Equal(left, right) => vec![left, right],
            Claim::Constant(value) | Claim::True(value) => vec![value],
        };
        items.iter().flat_map(claimed).collect()
    }

    fn families<'c>(&self, items: &'c Vec<ExpectItem>) -> Vec<&'c Target> {
        items.iter().filter_map(|item| item.target.as_ref()).collect()
    }

    #[cfg(test)]
    fn random(&self, author: &mut Author) -> Vec<ExpectItem> {
        // `at start` holds for all items after it.
        let mut items = author.some(1, 3, Author::expect);
        items.sort_by_key(|item| item.at_start);
        items
    }
}

impl Parser<'_> {
    fn claim(&mut self) -> Parsed<ExpectItem> {
        let start = self.here();
        let mut target = None;
        if self.separator() == Some(TokenKind::Colon) {
            target = Some(self.target(Form::Declared, "a claim")?);
            self.expect(TokenKind::Colon, "missing-colon", ":", "write `expect NAME: E1 = E2`")?;
        }
        let at_start = self.is_word(0, "at") && self.is_word(1, "start");
        if at_start {
            self.at += 2;
        }
        let operand = |kind| matches!(kind, TokenKind::Name | TokenKind::Number | TokenKind::OpenParen);
        let claim = if self.is_word(0, "constant") && self.kind_ahead(1).is_some_and(operand) {
            self.at += 1;
            Claim::Constant(self.expression()?)
        } else {
            let left = self.expression()?;
            match self.eat(TokenKind::Equal) {
                Some(_) => {
                    let right = self.expression()?;
                    self.no_second_equation("a claim")?;
                    if let ExprKind::Name(word) = &right.kind
                        && matches!(word.as_str(), "constant" | "const" | "conserved")
                    {
                        return Err(self.claimed_constant(&left, left.span.to(right.span)));
                    }
                    Claim::Equal(left, right)
                }
                None => self.comparison_claim(left)?,
            }
        };
        let within = match self.eat_word("within") {
            Some(_) => Some(self.expression()?),
            None => None,
        };
        Ok(ExpectItem { target, at_start, claim, within, span: self.since(start) })
    }

    /// `expect energy = constant`.
    fn claimed_constant(&mut self, left: &Expr, span: Span) -> Reported {
        let text = shorten(self.slice(left.span));
        let call = matches!(text.as_str(), "energy" | "kinetic" | "potential");
        let claim = format!("constant {text}{}", if call { "()" } else { "" });
        let error = Diagnostic::error("missing-comparison", "what stays the same is claimed with `constant` before it")
            .at(span, format!("write `expect {claim}`"))
            .suggest(span, claim);
        self.report(error)
    }

    fn comparison_claim(&mut self, left: Expr) -> Parsed<Claim> {
        match left.kind {
            ExprKind::Compare(CompareOp::Equal, a, b) => {
                let sign = Span { start: a.span.end, end: b.span.start, ..left.span };
                let error = Diagnostic::error("double-equals", "an equation is written with one `=`")
                    .at(sign, "`==` compares integers in `where`")
                    .suggest(sign, " = ");
                self.report(error);
                Ok(Claim::Equal(*a, *b))
            }
            ref kind if is_condition(kind) => Ok(Claim::True(left)),
            _ if !matches!(self.kind(), None | Some(TokenKind::Comma)) && !self.is_word(0, "within") => {
                Err(self.unexpected())
            }
            _ => {
                let shown = shorten(self.slice(left.span));
                let error = Diagnostic::error("missing-comparison", "this claim has no comparison")
                    .at(left.span, "a value, not a claim")
                    .help(format!("write `expect {shown} = …`, `expect {shown} > 0` or `expect constant {shown}`"));
                Err(self.report(error))
            }
        }
    }
}

fn expect(item: &ExpectItem) -> String {
    let named = object().with("name", item.target.as_ref().map(target)).with("at_start", flag(item.at_start));
    match &item.claim {
        Claim::Equal(left, right) => {
            named.with("claim", quote(&format!("{} = {}", print_expression(left), print_expression(right))))
        }
        Claim::True(claim) => named.with("claim", expr(claim)),
        Claim::Constant(value) => named.with("constant", expr(value)),
    }
    .with("within", item.within.as_ref().map(expr))
    .end()
}

impl Reader {
    fn expect(&mut self, value: &Value) {
        let may = ["name", "at_start", "claim", "constant", "within"];
        let Some(fields) = self.fields(value, &may, &[]) else { return };
        if let Some(name) = fields.get("name") {
            self.give(Role::Name, name);
            self.composer.put(": ");
        }
        if self.flag(fields.get("at_start")) {
            self.composer.put("at start ");
        }
        match (fields.get("claim"), fields.get("constant")) {
            (Some(claim), None) => self.give(Role::Claim, claim),
            (None, Some(constant)) => match &constant.kind {
                Kind::Text(text, plain) => self.composer.constant(text, Some((constant.span, *plain))),
                _ => self.wrong_type(constant, "an expression as a string"),
            },
            _ => self.either(value, "claim", "constant"),
        }
        if let Some(within) = fields.get("within") {
            self.composer.put(" within ");
            self.give(Role::Expression, within);
        }
    }
}

impl ModelBuilder {
    /// `expect claim`, such as `expect x = sin(t)`, at every recorded time.
    pub fn expect(self, claim: &str) -> Self {
        self.begin("expect").give(Role::Claim, claim)
    }

    /// `expect at start claim`
    pub fn expect_at_start(self, claim: &str) -> Self {
        self.begin("expect").put("at start ").give(Role::Claim, claim)
    }

    /// `expect constant value`
    pub fn expect_constant(mut self, value: &str) -> Self {
        self = self.begin("expect");
        self.composer.constant(value, None);
        self
    }

    /// `… within tolerance`, directly after one of the `expect` statements.
    pub fn within(self, tolerance: impl Into<Written>) -> Self {
        self.put(" within ").give(Role::Expression, tolerance)
    }
}

#[cfg(test)]
impl Author {
    fn expect(&mut self) -> ExpectItem {
        let target = self.maybe(Self::declared);
        let claim = match self.below(3) {
            0 => Claim::Equal(self.value(2), self.value(2)),
            1 => Claim::Constant(self.value(2)),
            _ => Claim::True(self.condition(2)),
        };
        ExpectItem { target, at_start: self.coin(), claim, within: self.maybe(|r| r.value(1)), span: Span::default() }
    }
}
