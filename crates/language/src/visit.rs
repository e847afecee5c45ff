//! A walk over a document that reaches every span and every expression, to move or to rewrite them.

use super::source::Span;
use super::syntax::{
    Binder, Comment, Expr, ExprKind, Ident, PlaceClause, ProductOp, Setting, SumOp, Target, TargetIndex, TargetStep,
    Text, Total, Turn, Unit, UnitFactor,
};

/// What to do with what is met on the way.
pub(super) trait Visitor {
    /// A span.
    fn span(&mut self, _span: &mut Span) {}

    /// An expression, before its operands.
    fn expr(&mut self, _expr: &mut Expr) {}
}

/// What can be walked over.
pub(super) trait Visit {
    fn visit(&mut self, visitor: &mut dyn Visitor);
}

impl Visit for Span {
    fn visit(&mut self, visitor: &mut dyn Visitor) {
        visitor.span(self);
    }
}

impl Visit for String {
    fn visit(&mut self, _visitor: &mut dyn Visitor) {}
}

impl Visit for () {
    fn visit(&mut self, _visitor: &mut dyn Visitor) {}
}

impl<T: Visit> Visit for Vec<T> {
    fn visit(&mut self, visitor: &mut dyn Visitor) {
        self.iter_mut().for_each(|item| item.visit(visitor));
    }
}

impl<T: Visit> Visit for Option<T> {
    fn visit(&mut self, visitor: &mut dyn Visitor) {
        self.iter_mut().for_each(|item| item.visit(visitor));
    }
}

impl<T: Visit> Visit for Box<T> {
    fn visit(&mut self, visitor: &mut dyn Visitor) {
        self.as_mut().visit(visitor);
    }
}

impl Visit for (ProductOp, Expr) {
    fn visit(&mut self, visitor: &mut dyn Visitor) {
        self.1.visit(visitor);
    }
}

impl Visit for (SumOp, Expr) {
    fn visit(&mut self, visitor: &mut dyn Visitor) {
        self.1.visit(visitor);
    }
}

impl Visit for (Expr, Expr) {
    fn visit(&mut self, visitor: &mut dyn Visitor) {
        self.0.visit(visitor);
        self.1.visit(visitor);
    }
}

impl Visit for Expr {
    fn visit(&mut self, visitor: &mut dyn Visitor) {
        visitor.expr(self);
        self.span.visit(visitor);
        self.kind.visit(visitor);
    }
}

/// Visits the fields of a struct, in order.
macro_rules! visit_fields {
    ($($name:ident { $($field:ident),* })*) => {
        $(impl $crate::visit::Visit for $name {
            fn visit(&mut self, visitor: &mut dyn $crate::visit::Visitor) {
                $($crate::visit::Visit::visit(&mut self.$field, visitor);)*
            }
        })*
    };
}
pub(super) use visit_fields;

/// Visits what the variants of an enum hold, in order.
macro_rules! visit_variants {
    ($($name:ident { $($variant:ident($($field:ident),*))* })*) => {
        $(impl $crate::visit::Visit for $name {
            fn visit(&mut self, visitor: &mut dyn $crate::visit::Visitor) {
                match self {
                    $(Self::$variant($($field),*) => { $($crate::visit::Visit::visit($field, visitor);)* })*
                }
            }
        })*
    };
}
pub(super) use visit_variants;

visit_fields! {
    Ident { span }
    Text { span }
    Comment { span }
    Setting { name, value, span }
    Turn { axis, angle, span }
    Target { steps, condition, span }
    TargetStep { name, indices }
    Binder { name, from, to, span }
    Unit { factors, span }
    UnitFactor { name }
    Total { binders, condition, body }
}

visit_variants! {
    PlaceClause { At(point) Along(from, to) Up(direction) Turned(turns) Axes(first, second) }
    TargetIndex { At(value) Over(binder) }
}

impl Visit for ExprKind {
    fn visit(&mut self, visitor: &mut dyn Visitor) {
        match self {
            Self::Number(_) | Self::Name(_) | Self::Text(_) | Self::Broken => {}
            Self::Quantity(_, unit) => unit.visit(visitor),
            Self::Index(base, indices) => {
                base.visit(visitor);
                indices.visit(visitor);
            }
            Self::Member(base, name) => {
                base.visit(visitor);
                name.visit(visitor);
            }
            Self::Call(name, arguments) => {
                name.visit(visitor);
                arguments.visit(visitor);
            }
            Self::Prime(inner, _) | Self::Negate(inner) | Self::Not(inner) | Self::Paren(inner) => inner.visit(visitor),
            Self::Apply(base, arguments) => {
                base.visit(visitor);
                arguments.visit(visitor);
            }
            Self::Power(left, right) | Self::On(left, right) | Self::Compare(_, left, right) => {
                left.visit(visitor);
                right.visit(visitor);
            }
            Self::Product(first, rest) => {
                first.visit(visitor);
                rest.visit(visitor);
            }
            Self::Sum(first, rest) => {
                first.visit(visitor);
                rest.visit(visitor);
            }
            Self::Total(total) => total.visit(visitor),
            Self::And(items) | Self::Or(items) | Self::Tuple(items) | Self::List(items) => items.visit(visitor),
        }
    }
}

/// The units in an expression.
pub(crate) fn expression_units(expression: &Expr, visit: &mut dyn FnMut(&Unit)) {
    match &expression.kind {
        ExprKind::Quantity(_, unit) => visit(unit),
        _ => children(expression, &mut |child| expression_units(child, visit)),
    }
}

/// The expressions that an expression is made of.
pub(crate) fn children<'e>(expression: &'e Expr, visit: &mut dyn FnMut(&'e Expr)) {
    match &expression.kind {
        ExprKind::Number(_) | ExprKind::Quantity(..) | ExprKind::Name(_) | ExprKind::Text(_) | ExprKind::Broken => {}
        ExprKind::Index(base, indices) | ExprKind::Apply(base, indices) => {
            visit(base);
            indices.iter().for_each(visit);
        }
        ExprKind::Member(inner, _)
        | ExprKind::Prime(inner, _)
        | ExprKind::Negate(inner)
        | ExprKind::Not(inner)
        | ExprKind::Paren(inner) => visit(inner),
        ExprKind::Call(_, all)
        | ExprKind::And(all)
        | ExprKind::Or(all)
        | ExprKind::Tuple(all)
        | ExprKind::List(all) => all.iter().for_each(visit),
        ExprKind::Power(a, b) | ExprKind::On(a, b) | ExprKind::Compare(_, a, b) => {
            visit(a);
            visit(b);
        }
        ExprKind::Product(first, rest) => {
            visit(first);
            rest.iter().for_each(|(_, factor)| visit(factor));
        }
        ExprKind::Sum(first, rest) => {
            visit(first);
            rest.iter().for_each(|(_, term)| visit(term));
        }
        ExprKind::Total(total) => visit(&total.body),
    }
}
