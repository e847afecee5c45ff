//! A walk over a document that reaches every span and every expression, to move or to rewrite them.

use super::source::Span;
use super::syntax::*;

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

macro_rules! structs {
    ($($name:ident { $($field:ident),* })*) => {
        $(impl Visit for $name {
            fn visit(&mut self, visitor: &mut dyn Visitor) {
                $(self.$field.visit(visitor);)*
            }
        })*
    };
}

structs! {
    Ident { span }
    Text { span }
    Document { statements, comments }
    Comment { span }
    Statement { kind, keyword, span }
    Definition { target, arguments, value, span }
    CoordItem { target, unit, span }
    TableItem { target, path, options, span }
    FunctionItem { target, arguments, unit, span }
    Setting { name, value, span }
    ParticleItem { target, mass, place, span }
    BodyItem { target, shape, mass, options, placement, span }
    Turn { axis, angle, span }
    FrameItem { target, on, placement, span }
    JointItem { target, kind, ends, at, along, axis, options, span }
    DriveItem { target, value, motion, span }
    ElementItem { target, value, options, span }
    ForceItem { on, value, span }
    ConstraintItem { target, left, right, restitution, span }
    StopItem { target, value, low, high, restitution, span }
    NonidealItem { target, on, value, span }
    FrictionItem { target, law, options, span }
    StartItem { target, value, span }
    OutputItem { target, value, span }
    EventItem { target, condition, actions, span }
    ExpectItem { target, claim, within, span }
    DrawItem { binders, condition, shape, arguments, options, span }
    PartItem { target, source, with, placement, span }
    Target { steps, condition, span }
    TargetStep { name, indices }
    Binder { name, from, to, span }
    Unit { factors, span }
    UnitFactor { name }
    Total { binders, condition, body }
}

macro_rules! enums {
    ($($name:ident { $($variant:ident($($field:ident),*))* $(; $($bare:pat),*)? })*) => {
        $(impl Visit for $name {
            fn visit(&mut self, visitor: &mut dyn Visitor) {
                match self {
                    $(Self::$variant($($field),*) => { $($field.visit(visitor);)* })*
                    $($($bare => {})*)?
                }
            }
        })*
    };
}

enums! {
    StatementKind {
        Param(items) Coord(items) Let(items) Table(items) Function(items) Kinetic(items) Potential(items) Lagrangian(items)
        Dissipation(items) Gravity(value) Particle(items) Body(item) Frame(item) Joint(item) Drive(item) Spring(item)
        Damper(item) Torque(items) Formulation(word) Mass(value) Force(items) Constraint(item) Stop(item)
        Connect(item) Nonideal(item) Friction(item) Free(items) Start(items) Run(items) Output(items) Event(item) Expect(items)
        Draw(item) Part(item);
        Self::Title(_), Self::Hidden, Self::Assemble, Self::Broken
    }
    ParticlePlace { At(point) Plane(span) Space(span) }
    PlaceClause { At(point) Along(from, to) Up(direction) Turned(turns) Axes(first, second) }
    ForceTarget { Named(target) Point(point) }
    RunItem { Until(value) Every(value) At(value) Setting(setting) }
    Claim { Equal(left, right) Constant(value) True(value) }
    PartSource { File(path) Inline(statements) }
    TargetIndex { At(value) Over(binder) }
}

impl Visit for Condition {
    fn visit(&mut self, visitor: &mut dyn Visitor) {
        match self {
            Self::Becomes(value) | Self::Passes(value, _) | Self::Contact(value, _) => value.visit(visitor),
        }
    }
}

impl Visit for Action {
    fn visit(&mut self, visitor: &mut dyn Visitor) {
        match self {
            Self::Stop(span) | Self::Record(span) => span.visit(visitor),
            Self::Drop(target) | Self::Add(target) => target.visit(visitor),
            Self::Set(item) => item.visit(visitor),
            Self::Impact { target, restitution, span } => {
                target.visit(visitor);
                restitution.visit(visitor);
                span.visit(visitor);
            }
        }
    }
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
