//! How many members all families together will have, counted before any of them is made.

use super::elaborator::{Elaborator, MOST_MEMBERS};
use crate::syntax::{Binder, Expr, ExprKind, StatementKind, TargetIndex};
use holonom_symbols::expr::Number;

impl<'a> Elaborator<'a> {
    /// Refuses families that have too many members, from their ranges alone. What depends on other indices or on a `where` is
    /// counted as it is made.
    pub(super) fn foresee_members(&mut self) {
        let order = std::mem::take(&mut self.order);
        let mut total = self.members;
        self.each(&order, |this, statement| {
            let mut each = |binders: Vec<&'a Binder>, condition: Option<&'a Expr>, span| {
                let Some(more) = this.foreseen(&binders, condition) else { return };
                total = total.saturating_add(more);
                if total > MOST_MEMBERS {
                    this.too_many_members(span);
                }
            };
            for target in statement.kind.families() {
                let indices = target.steps.iter().flat_map(|step| &step.indices);
                let binders = indices.filter_map(|index| match index {
                    TargetIndex::Over(binder) => Some(binder),
                    TargetIndex::At(_) => None,
                });
                each(binders.collect(), target.condition.as_deref(), target.span);
            }
            if let StatementKind::Draw(item) = &statement.kind {
                each(item.binders.iter().collect(), item.condition.as_ref(), item.span);
            }
        });
        self.order = order;
    }

    /// The members of one family, where its ranges alone say it: nothing for what is no family.
    pub(super) fn foreseen(&mut self, binders: &[&'a Binder], condition: Option<&'a Expr>) -> Option<usize> {
        if binders.is_empty() || condition.is_some() {
            return None;
        }
        let names: Vec<&str> = binders.iter().filter_map(|binder| Some(binder.name.as_ref()?.text.as_str())).collect();
        binders.iter().try_fold(1_usize, |product, binder| {
            if mentions(&binder.from, &names) || mentions(&binder.to, &names) {
                return None;
            }
            let [from, to] = [&binder.from, &binder.to].map(|bound| self.exact(bound).and_then(Number::as_integer));
            let (from, to) = (from?, to?);
            let length = if from > to { 0 } else { to.abs_diff(from).saturating_add(1) };
            Some(product.saturating_mul(usize::try_from(length).unwrap_or(usize::MAX)))
        })
    }
}

/// Whether an expression has one of these names in it.
fn mentions(expression: &Expr, names: &[&str]) -> bool {
    if let ExprKind::Name(name) = &expression.kind {
        return names.contains(&name.as_str());
    }
    let mut found = false;
    crate::visit::children(expression, &mut |child| found |= mentions(child, names));
    found
}
