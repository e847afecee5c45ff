//! Expressions → text, with those parentheses that the order of operations asks for and no others.

use super::super::syntax::{
    Binder, CompareOp, Expr, ExprKind, ProductOp, SumOp, Target, TargetIndex, Text, Unit, UnitFactor,
};
use super::pen::Pen;

/// How tightly an expression holds together, loosest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Grip {
    Or,
    And,
    Not,
    Compare,
    On,
    Sum,
    Product,
    Minus,
    Power,
    Prime,
    Member,
}

fn grip(expr: &Expr) -> Grip {
    match &expr.kind {
        ExprKind::Or(_) => Grip::Or,
        ExprKind::And(_) => Grip::And,
        ExprKind::Not(_) => Grip::Not,
        ExprKind::Compare(..) => Grip::Compare,
        ExprKind::On(..) => Grip::On,
        ExprKind::Sum(..) => Grip::Sum,
        ExprKind::Product(..) => Grip::Product,
        // `2 m^2` is two square metres, so a quantity does not hold a power.
        ExprKind::Negate(_) | ExprKind::Quantity(..) => Grip::Minus,
        ExprKind::Power(..) => Grip::Power,
        ExprKind::Prime(..) => Grip::Prime,
        _ => Grip::Member,
    }
}

/// Whether the text of an expression ends with a unit, which would swallow `*name` or `/name` after it.
fn ends_with_unit(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Quantity(..) => true,
        ExprKind::Negate(inner) => ends_with_unit(inner),
        ExprKind::Product(first, rest) => ends_with_unit(rest.last().map_or(first, |(_, last)| last)),
        _ => false,
    }
}

impl Pen<'_> {
    /// An expression.
    pub fn expression(&mut self, expr: &Expr) {
        self.at(expr.span);
        let level = 4 + 4 * self.nesting;
        match &expr.kind {
            ExprKind::Number(text) | ExprKind::Name(text) => self.text(text),
            ExprKind::Quantity(text, unit) => {
                self.text(text);
                self.text(" ");
                self.unit(unit);
            }
            ExprKind::Text(text) => self.quoted(text),
            ExprKind::Index(base, indices) => {
                self.base(base);
                self.bracketed("[", "]", true, |pen| pen.list(indices));
            }
            ExprKind::Member(base, name) => {
                self.base(base);
                self.text(".");
                self.text(&name.text);
            }
            ExprKind::Prime(base, primes) => {
                self.base(base);
                self.text(&"'".repeat(usize::from(*primes)));
            }
            ExprKind::Call(name, arguments) => {
                self.text(&name.text);
                self.arguments(arguments);
            }
            ExprKind::Apply(base, arguments) => {
                self.base(base);
                self.arguments(arguments);
            }
            ExprKind::On(point, body) => {
                self.operand(point, grip(point) >= Grip::Sum);
                self.blank();
                self.text("on");
                self.blank();
                self.operand(body, grip(body) >= Grip::Sum);
            }
            ExprKind::Power(base, exponent) => {
                self.operand(base, grip(base) >= Grip::Prime);
                self.text("^");
                let bare = match &exponent.kind {
                    ExprKind::Negate(inner) => grip(inner) >= Grip::Power,
                    _ => grip(exponent) >= Grip::Power,
                };
                self.operand(exponent, bare);
            }
            ExprKind::Negate(inner) => {
                self.text("-");
                self.operand(inner, grip(inner) >= Grip::Minus);
            }
            ExprKind::Product(first, rest) => {
                self.operand(first, grip(first) >= Grip::Minus && (rest.is_empty() || !ends_with_unit(first)));
                for (which, (op, factor)) in rest.iter().enumerate() {
                    self.text(if *op == ProductOp::Times { "*" } else { "/" });
                    let last = which + 1 == rest.len();
                    self.operand(factor, grip(factor) >= Grip::Minus && (last || !ends_with_unit(factor)));
                }
            }
            ExprKind::Sum(first, rest) => {
                self.operand(first, grip(first) >= Grip::Product);
                for (op, term) in rest {
                    let sign = if *op == SumOp::Plus { "+" } else { "-" };
                    if self.tight {
                        self.text(sign);
                    } else {
                        self.infix(sign, level + 3);
                    }
                    self.operand(term, grip(term) >= Grip::Product);
                }
            }
            ExprKind::Total(total) => {
                self.text("sum");
                self.bracketed("(", ")", false, |pen| {
                    pen.binders(&total.binders, total.condition.as_ref());
                    pen.comma();
                    pen.expression(&total.body);
                });
            }
            ExprKind::Compare(op, left, right) => {
                self.operand(left, grip(left) >= Grip::On);
                let sign = match op {
                    CompareOp::Less => "<",
                    CompareOp::LessEqual => "<=",
                    CompareOp::Greater => ">",
                    CompareOp::GreaterEqual => ">=",
                    CompareOp::Equal => "==",
                    CompareOp::NotEqual => "/=",
                };
                self.infix(sign, level + 2);
                self.operand(right, grip(right) >= Grip::On);
            }
            ExprKind::Not(inner) => {
                self.text("not ");
                self.operand(inner, grip(inner) >= Grip::Not);
            }
            ExprKind::And(items) => self.joined(items, "and", level + 1, Grip::Not),
            ExprKind::Or(items) => self.joined(items, "or", level, Grip::And),
            ExprKind::Paren(inner) => self.bracketed("(", ")", false, |pen| pen.expression(inner)),
            ExprKind::Tuple(items) => self.bracketed("(", ")", false, |pen| pen.list(items)),
            ExprKind::List(items) => self.bracketed("[", "]", false, |pen| pen.list(items)),
            ExprKind::Broken => self.broken = true,
        }
    }

    /// An operand, in parentheses unless it may stand bare.
    pub fn operand(&mut self, expr: &Expr, bare: bool) {
        if bare {
            self.expression(expr);
        } else {
            self.at(expr.span);
            self.bracketed("(", ")", false, |pen| pen.expression(expr));
        }
    }

    /// What a prime, an index or a component is taken of.
    fn base(&mut self, base: &Expr) {
        let bare = grip(base) >= Grip::Member && !matches!(base.kind, ExprKind::Number(_) | ExprKind::Text(_));
        self.operand(base, bare);
    }

    /// An argument of `draw`, where blanks separate: nothing that could run into the next.
    pub fn drawn(&mut self, expr: &Expr, last: bool) {
        let bare = match &expr.kind {
            ExprKind::Number(_) | ExprKind::Quantity(..) => last,
            _ => grip(expr) >= Grip::Prime,
        };
        self.operand(expr, bare);
    }

    fn joined(&mut self, items: &[Expr], word: &str, rank: u32, least: Grip) {
        for (which, item) in items.iter().enumerate() {
            if which > 0 {
                self.infix(word, rank);
            }
            self.operand(item, grip(item) >= least);
        }
    }

    /// A sign with blanks around it and a place for a break before it.
    fn infix(&mut self, sign: &str, rank: u32) {
        self.may_break(rank);
        self.blank();
        self.text(sign);
        self.blank();
    }

    fn bracketed(&mut self, open: &str, close: &str, tight: bool, inside: impl FnOnce(&mut Self)) {
        self.text(open);
        let outer = std::mem::replace(&mut self.tight, tight);
        self.nesting += 1;
        inside(self);
        self.nesting -= 1;
        self.tight = outer;
        self.text(close);
    }

    /// What stands in the parentheses of a call.
    pub fn arguments(&mut self, arguments: &[Expr]) {
        self.bracketed("(", ")", false, |pen| pen.list(arguments));
    }

    fn list(&mut self, items: &[Expr]) {
        for (which, item) in items.iter().enumerate() {
            if which > 0 {
                self.comma();
            }
            self.expression(item);
        }
    }

    /// A comma between brackets, or between the items of a statement, which are the best place for a break.
    pub fn comma(&mut self) {
        self.text(",");
        self.blank();
        self.may_break(4 * self.nesting);
    }

    fn quoted(&mut self, text: &str) {
        self.text("\"");
        self.text(text);
        self.text("\"");
    }

    /// A quoted string where it stands.
    pub fn path(&mut self, path: &Text) {
        self.at(path.span);
        self.quoted(&path.text);
    }

    /// `i in 1..N, j in 1..N where j /= i`
    pub fn binders(&mut self, binders: &[Binder], condition: Option<&Expr>) {
        for (which, binder) in binders.iter().enumerate() {
            if which > 0 {
                self.comma();
            }
            self.binder(binder);
        }
        self.family_condition(condition);
    }

    fn family_condition(&mut self, condition: Option<&Expr>) {
        if let Some(condition) = condition {
            self.text(" where ");
            let outer = std::mem::replace(&mut self.tight, false);
            self.expression(condition);
            self.tight = outer;
        }
    }

    fn binder(&mut self, binder: &Binder) {
        self.at(binder.span);
        if let Some(name) = &binder.name {
            self.text(&name.text);
            self.text(" in ");
        }
        self.range(&binder.from, &binder.to);
    }

    /// `from..to`.
    pub fn range(&mut self, from: &Expr, to: &Expr) {
        let outer = std::mem::replace(&mut self.tight, true);
        self.bound(from);
        // `5.` is a number too, and three dots are none of ours.
        self.text(if self.ends_with('.') { " .." } else { ".." });
        self.bound(to);
        self.tight = outer;
    }

    /// What stands beside `in` and `..`: nothing looser than `on`.
    pub fn bound(&mut self, expr: &Expr) {
        self.operand(expr, grip(expr) >= Grip::On);
    }

    /// `[i in 1..N where i /= 2]`, nothing without indices.
    pub fn family(&mut self, binders: &[Binder], condition: Option<&Expr>) {
        if !binders.is_empty() {
            self.bracketed("[", "]", true, |pen| pen.binders(binders, condition));
        }
    }

    /// What a statement declares or speaks of.
    pub fn target(&mut self, target: &Target) {
        self.at(target.span);
        let last = target.steps.iter().rposition(|step| !step.indices.is_empty());
        for (which, step) in target.steps.iter().enumerate() {
            if which > 0 {
                self.text(".");
            }
            self.text(&step.name.text);
            if step.indices.is_empty() {
                continue;
            }
            let condition = target.condition.as_deref().filter(|_| last == Some(which));
            self.bracketed("[", "]", true, |pen| {
                for (which, index) in step.indices.iter().enumerate() {
                    if which > 0 {
                        pen.comma();
                    }
                    match index {
                        TargetIndex::At(value) => pen.bound(value),
                        TargetIndex::Over(binder) => pen.binder(binder),
                    }
                }
                pen.family_condition(condition);
            });
        }
        self.text(&"'".repeat(usize::from(target.primes)));
        if last.is_none() {
            self.family_condition(target.condition.as_deref());
        }
    }

    /// `kg*m^2/s`, `1/s`.
    pub fn unit(&mut self, unit: &Unit) {
        if unit.factors.is_empty() {
            self.text("1");
        }
        for (which, UnitFactor { name, power }) in unit.factors.iter().enumerate() {
            match (which, *power < 0) {
                (0, false) => {}
                (0, true) => self.text("1/"),
                (_, false) => self.text("*"),
                (_, true) => self.text("/"),
            }
            self.text(&name.text);
            if power.unsigned_abs() != 1 {
                self.text(&format!("^{}", power.unsigned_abs()));
            }
        }
    }
}

/// The text of an expression, with those parentheses that it needs, on one line.
pub fn print_expression(expr: &Expr) -> String {
    let mut pen = Pen::new(&[], None);
    pen.expression(expr);
    pen.one_line()
}

/// The text of a target, on one line.
pub(crate) fn print_target(target: &Target) -> String {
    let mut pen = Pen::new(&[], None);
    pen.target(target);
    pen.one_line()
}

/// The text of the indices of a family, without brackets, on one line.
pub(crate) fn print_family(binders: &[Binder], condition: Option<&Expr>) -> String {
    let mut pen = Pen::new(&[], None);
    pen.binders(binders, condition);
    pen.one_line()
}

/// The text of a unit.
pub(crate) fn print_unit(unit: &Unit) -> String {
    let mut pen = Pen::new(&[], None);
    pen.unit(unit);
    pen.one_line()
}
