//! The model as it was written: statements and expressions with their spans, nothing looked up yet.
//!
//! Long sums, products and chains of `and` are lists and not nested pairs, so that the depth of a tree is the depth
//! of the brackets somebody typed, which the parser bounds.

mod expression;

pub use super::statement::*;
pub use expression::{
    Binder, Comment, CompareOp, Direction, Expr, ExprKind, Ident, PlaceClause, ProductOp, Setting, SumOp, Target,
    TargetIndex, TargetStep, Text, Total, Turn, Unit, UnitFactor,
};
