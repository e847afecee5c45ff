//! What is worked out when it is first asked for: lets, and the arguments of declared functions.

use super::value::Value;
use crate::source::Span;
use crate::syntax::{Expr, FunctionItem, Ident};
use crate::units::Dimension;
use holonom_symbols::expr::Unspecified;
use std::sync::Arc;

/// A named expression.
pub(super) struct Let<'a> {
    pub(super) name: String,
    pub(super) value: &'a Expr,
    pub(super) scope: usize,
    pub(super) indices: Vec<(&'a str, i64)>,
    pub(super) arguments: &'a [Ident],
    pub(super) state: State,
    pub(super) span: Span,
}

/// How far a let has come.
#[derive(Clone, Debug)]
pub(super) enum State {
    Unseen,
    Running,
    /// Its value; nothing where a mistake was found.
    Done(Option<Value>),
}

/// A declared function.
pub(super) struct Declared<'a> {
    pub(super) function: Arc<Unspecified>,
    pub(super) item: &'a FunctionItem,
    pub(super) scope: usize,
    pub(super) arguments: Arguments,
}

/// What is known of the dimensions of its arguments.
#[derive(Clone)]
pub(super) enum Arguments {
    Unseen,
    Running,
    /// Nothing where a mistake was found.
    Done(Option<Vec<Dimension>>),
}
