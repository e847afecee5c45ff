//! `constraint rod: norm(p) = L`, `constraint floor: y >= 0`, `connect pin: arm.tip = base.pin`: equations and inequalities.

use super::notation::{Found, Notation};
use super::one_sided::{Sides, Sign};
use crate::builder::ModelBuilder;
use crate::compose::Role;
use crate::diagnostic::Diagnostic;
use crate::format::pen::Pen;
use crate::format::print_expression;
use crate::json::object::{expr, flag, object, target};
use crate::json::reader::Reader;
use crate::json::value::{Value, quote};
use crate::lex::TokenKind;
use crate::parse::cursor::{Parsed, Parser, Reported, shorten};
use crate::parse::target::Form;
use crate::source::Span;
use crate::syntax::{CompareOp, Expr, ExprKind, Ident, Target, TargetStep};
use crate::visit::visit_fields;

#[cfg(test)]
use crate::random::Author;

/// `rod: norm(p) = L, off`, or `floor: y >= 0, restitution = 0.3`.
#[derive(Clone, Debug)]
pub struct ConstraintItem {
    /// The name, perhaps a family.
    pub target: Target,
    /// What stands left of the sign.
    pub left: Expr,
    /// The sign between the sides.
    pub sign: Sign,
    /// What stands right of it.
    pub right: Expr,
    /// `restitution = r` of a one-sided constraint; 0 without it.
    pub restitution: Option<Expr>,
    /// Declared, but not yet in force.
    pub off: bool,
    /// All of it.
    pub span: Span,
}

visit_fields! {
    ConstraintItem { target, left, right, restitution, span }
}

/// An equation or an inequality with a name, after this keyword.
pub(super) struct Equation(pub(super) &'static str);

impl Notation for Equation {
    type Content = ConstraintItem;

    fn read(&self, p: &mut Parser) -> Parsed<Found<ConstraintItem>> {
        p.equations(self.0)
    }

    fn print(&self, item: &ConstraintItem, pen: &mut Pen) {
        pen.pad_keyword();
        pen.target(&item.target);
        pen.colon();
        pen.expression(&item.left);
        pen.equals(item.sign.text(), &item.right);
        pen.one_sided(item.restitution.as_ref(), item.off);
    }

    fn to_json(&self, item: &ConstraintItem) -> String {
        let (left, right) = (print_expression(&item.left), print_expression(&item.right));
        let equation = quote(&format!("{left} {} {right}", item.sign.text()));
        let named = object().with("name", target(&item.target)).with("equation", equation);
        named.with("restitution", item.restitution.as_ref().map(expr)).with("off", flag(item.off)).end()
    }

    fn read_json(&self, value: &Value, reader: &mut Reader) {
        let may = ["name", "equation", "restitution", "off"];
        let Some(fields) = reader.fields(value, &may, &["name", "equation"]) else { return };
        reader.given(&fields, "name", Role::Name);
        reader.composer.put(": ");
        reader.given(&fields, "equation", Role::Equation);
        reader.one_sided(&fields);
    }

    fn values<'c>(&self, item: &'c ConstraintItem) -> Vec<&'c Expr> {
        [&item.left, &item.right].into_iter().chain(&item.restitution).collect()
    }

    fn declares<'c>(&self, item: &'c ConstraintItem) -> Vec<(&'c Target, &'static str)> {
        vec![(&item.target, "constraint")]
    }

    fn families<'c>(&self, item: &'c ConstraintItem) -> Vec<&'c Target> {
        vec![&item.target]
    }

    #[cfg(test)]
    fn random(&self, author: &mut Author) -> ConstraintItem {
        let (target, left, right) = (author.declared(), author.value(3), author.value(2));
        let one_sided = self.0 == "constraint" && author.coin();
        let sign = if one_sided { [Sign::AtLeast, Sign::AtMost][author.below(2)] } else { Sign::Equal };
        let restitution = if one_sided { author.maybe(|author| author.value(2)) } else { None };
        ConstraintItem { target, left, sign, right, restitution, off: author.coin(), span: Span::default() }
    }
}

impl Parser<'_> {
    /// `NAME: left = right`, perhaps `, off`; several make several statements.
    fn equations(&mut self, keyword: &str) -> Parsed<Found<ConstraintItem>> {
        let mut all: Vec<ConstraintItem> = vec![];
        let before = self.errors.len() + self.more;
        self.items("a constraint", |p| {
            if let Some(last) = all.last_mut() {
                let sides = Sides { sign: last.sign, left: last.left.span, right: last.right.span };
                if p.constraint_option(sides, &mut last.restitution, &mut last.off, &mut last.span)? {
                    return Ok(());
                }
            } else if p.is_setting("restitution") && p.errors.len() + p.more > before {
                // What it belongs to could not be read, and that has been said.
                return p.setting().map(|_| ());
            }
            let item = p.named_equation(keyword, all.len())?;
            all.push(item);
            Ok(())
        });
        Ok(Found::Each(all.into_iter().map(|item| (item.span, item)).collect()))
    }

    fn named_equation(&mut self, keyword: &str, count: usize) -> Parsed<ConstraintItem> {
        let start = self.here();
        let target = if self.separator() == Some(TokenKind::Colon) {
            let target = self.target(Form::Declared, "a constraint")?;
            if self.eat(TokenKind::Colon).is_none() {
                return Err(self.unexpected());
            }
            target
        } else if let (Some(name), Some(_)) = (self.word(0), self.word(1)) {
            let gap = Span { start: start.end, ..start };
            let error = Diagnostic::error("missing-colon", format!("a colon is missing after `{name}`"))
                .at(start, format!("write `{keyword} {name}: …`"))
                .suggest(gap, ":");
            return Err(self.report(error));
        } else {
            let name = format!("c{}", count + 1);
            let gap = Span { end: start.start, ..start };
            let error = Diagnostic::error(
                "missing-constraint-name",
                format!("this {} has no name", if keyword == "connect" { "connection" } else { "constraint" }),
            )
            .at(start, "write a name and a colon before the equation")
            .note("forces, reports and events refer to it by its name")
            .help(format!("give it a name: `{keyword} {name}: {} …`", shorten(self.slice(start))))
            .suggest(gap, format!("{name}: "));
            self.report(error);
            let step = TargetStep { name: Ident { text: name, span: gap }, indices: vec![] };
            Target { steps: vec![step], condition: None, primes: 0, span: gap }
        };
        let (left, sign, right) = self.equation(keyword)?;
        Ok(ConstraintItem { target, left, sign, right, restitution: None, off: false, span: self.since(start) })
    }

    /// `left = right`, `left >= right` or `left <= right`, and one of them only.
    fn equation(&mut self, keyword: &str) -> Parsed<(Expr, Sign, Expr)> {
        let left = self.expression().map_err(|reported| self.two_limits(reported))?;
        if self.eat(TokenKind::Equal).is_none() {
            return self.no_equation(left, keyword);
        }
        let right = self.expression()?;
        if self.kind() == Some(TokenKind::Equal) {
            let shown = shorten(self.slice(right.span));
            let error = Diagnostic::error("chained-equation", "an equation has two sides")
                .at(self.here(), "a second `=`")
                .help(format!("write two constraints: `… = {shown}` and `{shown} = …`"));
            return Err(self.report(error));
        }
        for side in [&left, &right] {
            if let ExprKind::Compare(..) = side.kind {
                return Err(self.mixed_signs(side.span));
            }
        }
        Ok((left, Sign::Equal, right))
    }

    /// An equation without `=`: one-sided, or what was meant?
    fn no_equation(&mut self, left: Expr, keyword: &str) -> Parsed<(Expr, Sign, Expr)> {
        let left = without_parentheses(left);
        match left.kind {
            ExprKind::Compare(CompareOp::Equal, a, b) => {
                let sign = Span { start: a.span.end, end: b.span.start, ..left.span };
                let error = Diagnostic::error("double-equals", "an equation is written with one `=`")
                    .at(sign, "`==` compares integers in `where`")
                    .suggest(sign, " = ");
                self.report(error);
                Ok((*a, Sign::Equal, *b))
            }
            ExprKind::Compare(op, a, b) => self.one_sided(keyword, op, *a, *b),
            ExprKind::And(_) | ExprKind::Or(_) | ExprKind::Not(_) => Err(self.condition(left.span)),
            _ if matches!(self.kind(), None | Some(TokenKind::Comma)) => {
                let error = Diagnostic::error("missing-equals", "a constraint is an equation")
                    .at(left.span, "there is no `=` in it")
                    .help("write `= 0` after it if it is to vanish, `>= 0` if it is to stay above")
                    .suggest(self.gap(), " = 0");
                Err(self.report(error))
            }
            _ => Err(self.unexpected()),
        }
    }

    /// `left >= right` or `left <= right`; other signs are taken for these, with a message.
    fn one_sided(&mut self, keyword: &str, op: CompareOp, left: Expr, right: Expr) -> Parsed<(Expr, Sign, Expr)> {
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
    fn two_limits(&mut self, reported: Reported) -> Reported {
        if let Some(error) = self.errors.last_mut().filter(|error| error.code == "chained-comparison") {
            error.suggestion = None;
            error.help = vec!["for two limits of one value write `stop NAME: value in low..high`".to_string()];
        }
        reported
    }

    /// `x = y >= 0`.
    fn mixed_signs(&mut self, span: Span) -> Reported {
        let error = Diagnostic::error("inequality", "a constraint has one sign between its sides")
            .at(span, "a second comparison")
            .help("write two constraints, one with `=` and one with `>=` or `<=`");
        self.report(error)
    }

    /// `x >= 0 and y >= 0`.
    fn condition(&mut self, span: Span) -> Reported {
        let error = Diagnostic::error("inequality", "a constraint is one equation or one inequality")
            .at(span, "a condition made of several")
            .help("write one constraint for each; for two limits of one value write `stop NAME: x in low..high`");
        self.report(error)
    }
}

/// A comparison without the parentheses around it.
fn without_parentheses(whole: Expr) -> Expr {
    let mut inner = &whole;
    while let ExprKind::Paren(next) = &inner.kind {
        inner = next;
    }
    if matches!(inner.kind, ExprKind::Compare(..)) { inner.clone() } else { whole }
}

impl ModelBuilder {
    /// `constraint name: left = right`, or one-sided, `left >= right` and `left <= right`
    pub fn constraint(self, name: &str, equation: &str) -> Self {
        self.begin("constraint").give(Role::Name, name).put(": ").give(Role::Equation, equation)
    }

    /// `constraint name: left = right, off`: to be switched on by an event.
    pub fn constraint_off(self, name: &str, equation: &str) -> Self {
        self.constraint(name, equation).put(", off")
    }

    /// `connect name: arm.tip = base.pin`
    pub fn connect(self, name: &str, equation: &str) -> Self {
        self.begin("connect").give(Role::Name, name).put(": ").give(Role::Equation, equation)
    }
}
