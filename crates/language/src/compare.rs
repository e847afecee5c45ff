//! Whether two documents say the same, wherever their words stand.

use super::source::Span;
use super::syntax::{Document, Expr, ExprKind};
use super::visit::{Visit, Visitor};

/// Whether two documents have the same statements, however they are laid out.
///
/// Spans and comments do not count, nor do parentheses that somebody typed without need: the tree says what belongs
/// together. Numbers count as they were written, so `0.50` is not `0.5`.
pub fn same_meaning(left: &Document, right: &Document) -> bool {
    canonical(left) == canonical(right)
}

/// All that a document says, in a form that can be compared and, in a test, looked at.
pub(super) fn canonical(document: &Document) -> String {
    let mut bare = document.clone();
    bare.comments.clear();
    bare.visit(&mut Bare);
    format!("{:?}", bare.statements)
}

/// Takes away what does not count.
struct Bare;

impl Visitor for Bare {
    fn span(&mut self, span: &mut Span) {
        *span = Span::default();
    }

    fn expr(&mut self, expr: &mut Expr) {
        while let ExprKind::Paren(inner) = &mut expr.kind {
            let inner = std::mem::replace(&mut inner.kind, ExprKind::Broken);
            expr.kind = inner;
        }
    }
}
