//! Statements about energies, forces and constraints.

use super::cursor::{Parsed, Parser, Reported, shorten};
use super::one_sided::{Sides, without_parentheses};
use super::target::Form;
use crate::diagnostic::Diagnostic;
use crate::lex::TokenKind;
use crate::source::Span;
use crate::syntax::{
    CompareOp, ConstraintItem, Expr, ExprKind, ForceItem, ForceTarget, FrictionItem, Ident, NonidealItem, Sign,
    StatementKind, Target, TargetStep,
};

type Kinds = Vec<(StatementKind, Span)>;

impl Parser<'_> {
    pub(crate) fn kinetic(&mut self, out: &mut Kinds) -> Parsed<()> {
        let all = self.energies("kinetic")?;
        out.push((StatementKind::Kinetic(all), self.gap()));
        Ok(())
    }

    pub(crate) fn potential(&mut self, out: &mut Kinds) -> Parsed<()> {
        let all = self.energies("potential")?;
        out.push((StatementKind::Potential(all), self.gap()));
        Ok(())
    }

    pub(crate) fn lagrangian(&mut self, out: &mut Kinds) -> Parsed<()> {
        let all = self.energies("lagrangian")?;
        out.push((StatementKind::Lagrangian(all), self.gap()));
        Ok(())
    }

    pub(crate) fn dissipation(&mut self, out: &mut Kinds) -> Parsed<()> {
        let all = self.energies("dissipation")?;
        out.push((StatementKind::Dissipation(all), self.gap()));
        Ok(())
    }

    fn energies(&mut self, keyword: &str) -> Parsed<Vec<Expr>> {
        self.some_items("an expression", |p| {
            let value = p.expression()?;
            let next = p.kind();
            if matches!(next, Some(TokenKind::Equal | TokenKind::Colon)) {
                let name = shorten(p.slice(value.span));
                let error =
                    Diagnostic::error("unexpected-equals", format!("`{keyword}` takes an expression, not an equation"))
                        .at(p.here(), "")
                        .help(format!(
                            "write only the right side; to name it, write `let {name} = …` and `{keyword} {name}`"
                        ));
                return Err(p.report(error));
            }
            Ok(value)
        })
    }

    pub(crate) fn gravity(&mut self, out: &mut Kinds) -> Parsed<()> {
        let value = self.expression()?;
        if self.kind() == Some(TokenKind::Comma) {
            let error = Diagnostic::error("missing-parentheses", "a vector is written in parentheses")
                .at(self.here(), "")
                .help("write `gravity (0, -g)`");
            return Err(self.report(error));
        }
        out.push((StatementKind::Gravity(value), self.gap()));
        Ok(())
    }

    pub(crate) fn mass(&mut self, out: &mut Kinds) -> Parsed<()> {
        if self.kind() == Some(TokenKind::Name) && matches!(self.separator(), Some(TokenKind::Equal | TokenKind::Colon))
        {
            let name = self.word(0).unwrap_or("m");
            let error = Diagnostic::error("mass-matrix", "`mass` takes the mass matrix")
                .at(self.here(), "a name")
                .help(format!(
                    "for a number write `param {name} = …`, for a point with mass `particle {name}: m at (x, y)`"
                ))
                .help("a matrix is written by its rows: `mass [[m, 0], [0, m]]`");
            return Err(self.report(error));
        }
        let value = self.expression()?;
        out.push((StatementKind::Mass(value), self.gap()));
        Ok(())
    }

    pub(crate) fn force(&mut self, out: &mut Kinds) -> Parsed<()> {
        let all = self.some_items("a force", |p| p.force_item("force"))?;
        out.push((StatementKind::Force(all), self.gap()));
        Ok(())
    }

    pub(crate) fn torque(&mut self, out: &mut Kinds) -> Parsed<()> {
        let all = self.some_items("a torque", |p| p.force_item("torque"))?;
        out.push((StatementKind::Torque(all), self.gap()));
        Ok(())
    }

    /// `target: value`; a force over all coordinates has no target.
    fn force_item(&mut self, keyword: &str) -> Parsed<ForceItem> {
        let start = self.here();
        while self.separator() == Some(TokenKind::Colon) && self.eat(TokenKind::Plus).is_some() {} // a sign that says nothing
        let on = match (self.separator(), self.kind()) {
            (Some(TokenKind::Colon), Some(TokenKind::Name)) if !self.point_ahead() => {
                Some(ForceTarget::Named(self.target(Form::Named, &format!("what a {keyword} acts on"))?))
            }
            (Some(TokenKind::Colon), _) => Some(ForceTarget::Point(self.expression()?)),
            _ => None,
        };
        let targeted = on.is_some();
        if targeted {
            self.expect(TokenKind::Colon, "missing-colon", ":", &format!("write `{keyword} x: …`"))?;
        }
        let value = self.expression()?;
        let list = matches!(value.kind, ExprKind::List(_)) && keyword == "force";
        if !targeted && !list || self.kind() == Some(TokenKind::Equal) {
            return Err(if keyword == "force" {
                self.force_on_nothing(&value)
            } else {
                self.torque_on_nothing(&value)
            });
        }
        Ok(ForceItem { on, value, span: self.since(start) })
    }

    /// Whether an expression and not a bare target stands before the colon: `force p + (1, 0): …`.
    fn point_ahead(&self) -> bool {
        let mut depth = 0usize;
        for count in 0.. {
            match self.kind_ahead(count) {
                None => return false,
                Some(TokenKind::Colon) if depth == 0 => return false,
                Some(TokenKind::OpenBracket) => depth += 1,
                Some(TokenKind::CloseBracket) => depth = depth.saturating_sub(1),
                Some(
                    TokenKind::Plus | TokenKind::Minus | TokenKind::Star | TokenKind::Slash | TokenKind::OpenParen,
                ) if depth == 0 => {
                    return true;
                }
                Some(TokenKind::Name) if depth == 0 && count > 0 && self.is_word(count, "on") => return true,
                Some(_) => {}
            }
        }
        false
    }

    fn force_on_nothing(&mut self, value: &Expr) -> Reported {
        let error = Diagnostic::error("missing-colon", "what does this force act on?")
            .at(value.span, "")
            .help("write a coordinate, a particle or a point and a colon: `force x: -k*x`, `force p: (0, -m*g)`")
            .help("a force over all coordinates is a list: `force [0, -m*g]`");
        self.report(error)
    }

    fn torque_on_nothing(&mut self, value: &Expr) -> Reported {
        let error = Diagnostic::error("missing-colon", "what does this torque act on?")
            .at(value.span, "")
            .help("write a body or a joint and a colon: `torque arm: (0, 0, M)`, `torque pin: M`");
        self.report(error)
    }

    pub(crate) fn constraint(&mut self, out: &mut Kinds) -> Parsed<()> {
        self.equations("constraint", StatementKind::Constraint, out)
    }

    pub(crate) fn connect(&mut self, out: &mut Kinds) -> Parsed<()> {
        self.equations("connect", StatementKind::Connect, out)
    }

    /// `NAME: left = right`, perhaps `, off`; several make several statements.
    fn equations(&mut self, keyword: &str, kind: fn(ConstraintItem) -> StatementKind, out: &mut Kinds) -> Parsed<()> {
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
        out.extend(all.into_iter().map(|item| {
            let span = item.span;
            (kind(item), span)
        }));
        Ok(())
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

    pub(crate) fn nonideal(&mut self, out: &mut Kinds) -> Parsed<()> {
        let all = self.items("a force", |p| {
            let start = p.here();
            if p.separator() != Some(TokenKind::Colon) {
                let value = p.expression()?;
                if !matches!(value.kind, ExprKind::List(_)) {
                    let error = Diagnostic::error("missing-colon", "which constraint does this force belong to?")
                        .at(value.span, "")
                        .help("write `nonideal NAME: [..]`, `nonideal NAME on p: (..)`, or a list over all coordinates, `nonideal [..]`");
                    return Err(p.report(error));
                }
                return Ok(NonidealItem { target: None, on: None, value, span: p.since(start) });
            }
            let target = p.target(Form::Named, "a constraint")?;
            let on = match p.eat_word("on") {
                Some(_) => Some(p.expression()?),
                None => None,
            };
            p.expect(TokenKind::Colon, "missing-colon", ":", "write `nonideal NAME: [..]` or `nonideal NAME on p: (..)`")?;
            let value = p.expression()?;
            Ok(NonidealItem { target: Some(target), on, value, span: p.since(start) })
        });
        out.extend(all.into_iter().map(|item| {
            let span = item.span;
            (StatementKind::Nonideal(item), span)
        }));
        Ok(())
    }

    pub(crate) fn friction(&mut self, out: &mut Kinds) -> Parsed<()> {
        let mut all: Vec<FrictionItem> = vec![];
        self.items("a friction law", |p| {
            let start = p.here();
            if let (Some(TokenKind::Equal), Some(last)) = (p.separator(), all.last_mut()) {
                let setting = p.setting()?;
                last.span = last.span.to(setting.span);
                last.options.push(setting);
                return Ok(());
            }
            let target = p.target(Form::Named, "a constraint")?;
            let missing = p.kind() != Some(TokenKind::Colon);
            let plane = if missing { p.some_constraint().unwrap_or("plane") } else { "" };
            let help = format!("write the constraint, a colon and the law: `friction {plane}: coulomb(mu)`");
            p.expect(TokenKind::Colon, "missing-colon", ":", &help)?;
            if p.word(0).is_some() && p.kind_ahead(1) == Some(TokenKind::Equal) {
                return Err(p.coefficient_alone(target.span));
            }
            let law = p.expression()?;
            all.push(FrictionItem { target, law, options: vec![], span: p.since(start) });
            Ok(())
        });
        out.extend(all.into_iter().map(|item| {
            let span = item.span;
            (StatementKind::Friction(item), span)
        }));
        Ok(())
    }

    /// `friction floor: mu = 0.3`.
    fn coefficient_alone(&mut self, target: Span) -> Reported {
        let Ok(setting) = self.setting() else { return Reported };
        let (name, value) = (shorten(self.slice(target)), shorten(self.slice(setting.value.span)));
        let error = Diagnostic::error("unknown-law", format!("`{}` is not a law of friction", setting.name.text))
            .at(setting.span, "a law and its coefficients stand here")
            .help(format!("for dry friction write `friction {name}: coulomb({value})`"))
            .suggest(setting.span, format!("coulomb({value})"));
        self.report(error)
    }

    pub(crate) fn hidden(&mut self, out: &mut Kinds) -> Parsed<()> {
        if self.eat_word("find").is_none() {
            let error = Diagnostic::error("missing-item", format!("expected `find`, found {}", self.found()))
                .at(self.here(), "")
                .help("write `hidden find`");
            return Err(self.report(error));
        }
        out.push((StatementKind::Hidden, self.gap()));
        Ok(())
    }
}
