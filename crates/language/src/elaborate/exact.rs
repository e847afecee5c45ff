//! Indices: exact integers made of parameters and other indices, the ranges they run over, and the members they give.

use super::case::Case;
use super::elaborator::{Elaborator, MOST_MEMBERS, MOST_WORK};
use super::scope::{Local, Member, Members};
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::syntax::{Binder, CompareOp, Expr, ExprKind, ProductOp, SumOp, Target, TargetIndex};
use crate::units;
use holonom_symbols::expr::Number;

impl<'a> Elaborator<'a> {
    /// The exact value of an expression of numbers, parameters and indices; nothing where it has none.
    pub(super) fn exact(&mut self, expression: &'a Expr) -> Option<Number> {
        match &expression.kind {
            ExprKind::Number(text) => Number::decimal(text),
            ExprKind::Quantity(text, unit) => {
                let scale = units::resolve(unit).ok()?.scale;
                let scale = if scale.pi == 0 { Number::ratio(scale.num, scale.den) } else { None };
                Number::decimal(text)?.times(scale?)
            }
            ExprKind::Name(name) => match self.local(name) {
                Some(Local::Index(value)) => Some(Number::integer(*value)),
                Some(Local::Argument(_)) => None,
                None => self.exact_path(expression),
            },
            ExprKind::Index(..) | ExprKind::Member(..) => self.exact_path(expression),
            ExprKind::Paren(inner) => self.exact(inner),
            ExprKind::Negate(inner) => Some(self.exact(inner)?.negated()),
            ExprKind::Sum(first, rest) => {
                let mut total = self.exact(first)?;
                for (op, term) in rest {
                    let term = self.exact(term)?;
                    total = total.plus(if *op == SumOp::Minus { term.negated() } else { term })?;
                }
                Some(total)
            }
            ExprKind::Product(first, rest) => {
                let mut total = self.exact(first)?;
                for (op, factor) in rest {
                    let factor = self.exact(factor)?;
                    total = total.times(if *op == ProductOp::Over { factor.inverse()? } else { factor })?;
                }
                Some(total)
            }
            ExprKind::Power(base, exponent) => {
                let exponent = i32::try_from(self.exact(exponent)?.as_integer()?).ok()?;
                self.exact(base)?.power(exponent)
            }
            ExprKind::Call(name, arguments) => {
                let values: Option<Vec<_>> = arguments.iter().map(|argument| self.exact(argument)).collect();
                match (name.text.as_str(), &values?[..]) {
                    ("abs", [value]) => Some(value.magnitude()),
                    ("min", all @ [_, ..]) => {
                        all.iter().copied().reduce(|a, b| if b.compare(a).is_lt() { b } else { a })
                    }
                    ("max", all @ [_, ..]) => {
                        all.iter().copied().reduce(|a, b| if b.compare(a).is_gt() { b } else { a })
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn exact_path(&mut self, expression: &'a Expr) -> Option<Number> {
        match self.quiet_path(expression)? {
            Member::Parameter(which) => {
                if self.indexing {
                    self.sizes.insert(which);
                }
                self.exact_parameters.get(which).copied().flatten()
            }
            _ => None,
        }
    }

    /// The member that a path means, without a word where it means none.
    fn quiet_path(&mut self, expression: &'a Expr) -> Option<Member> {
        let (scope, name, indices) = match &expression.kind {
            ExprKind::Name(name) => (self.scope_of(self.scope, name)?, name, None),
            ExprKind::Member(base, ident) => match self.quiet_path(base)? {
                Member::Part(scope) => (scope, &ident.text, None),
                _ => return None,
            },
            ExprKind::Index(base, indices) => {
                let values: Option<Vec<i64>> =
                    indices.iter().map(|index| self.exact(index).and_then(Number::as_integer)).collect();
                match &base.kind {
                    ExprKind::Name(name) => (self.scope_of(self.scope, name)?, name, values),
                    ExprKind::Member(part, ident) => match self.quiet_path(part)? {
                        Member::Part(scope) => (scope, &ident.text, values),
                        _ => return None,
                    },
                    _ => return None,
                }
            }
            _ => return None,
        };
        let known = self.scopes[scope].names.get_mut(name.as_str())?;
        known.used = true;
        match (&known.members, indices) {
            (Members::One(member), None) => Some(*member),
            (Members::Family(members), Some(indices)) => members.get(&indices).copied(),
            _ => None,
        }
    }

    /// Whether a condition on indices holds; nothing where that is not a question of parameters and indices alone.
    pub(super) fn exact_truth(&mut self, expression: &'a Expr) -> Option<bool> {
        match &expression.kind {
            ExprKind::Paren(inner) => self.exact_truth(inner),
            ExprKind::Not(inner) => Some(!self.exact_truth(inner)?),
            ExprKind::And(all) => {
                for one in all {
                    if !self.exact_truth(one)? {
                        return Some(false);
                    }
                }
                Some(true)
            }
            ExprKind::Or(all) => {
                for one in all {
                    if self.exact_truth(one)? {
                        return Some(true);
                    }
                }
                Some(false)
            }
            ExprKind::Compare(op, a, b) => {
                let order = self.exact(a)?.compare(self.exact(b)?);
                Some(match op {
                    CompareOp::Less => order.is_lt(),
                    CompareOp::LessEqual => order.is_le(),
                    CompareOp::Greater => order.is_gt(),
                    CompareOp::GreaterEqual => order.is_ge(),
                    CompareOp::Equal => order.is_eq(),
                    CompareOp::NotEqual => order.is_ne(),
                })
            }
            _ => None,
        }
    }

    /// An index or a bound.
    pub(super) fn integer(&mut self, expression: &'a Expr) -> Option<i64> {
        let outer = std::mem::replace(&mut self.indexing, true);
        let value = self.exact(expression);
        self.indexing = outer;
        if let Some(integer) = value.and_then(Number::as_integer) {
            return Some(integer);
        }
        if matches!(expression.kind, ExprKind::Broken) || self.name_unknown(expression) {
            return None;
        }
        let what = match value {
            Some(number) => format!("this is {number}"),
            None => "not an integer made of parameters and indices".to_string(),
        };
        let error = Diagnostic::error("not-an-integer", "an index must be an integer")
            .at(expression.span, what)
            .help("indices and bounds are made of integers, parameters and other indices: `i - 1`, `N`");
        self.report(error);
        None
    }

    /// Reports a name in `expression` that does not exist at all.
    fn name_unknown(&mut self, expression: &'a Expr) -> bool {
        if let ExprKind::Name(name) = &expression.kind {
            let known = self.local(name).is_some()
                || self.scope_of(self.scope, name).is_some()
                || (self.parameters_done && self.scopes[self.scope].outline.contains_key(name.as_str()));
            if !known {
                self.unknown_name(self.scope, name, expression.span);
            }
            return !known;
        }
        // The indices of a sum are no names of the model.
        if let ExprKind::Total(_) = expression.kind {
            return false;
        }
        let mut names = Vec::new();
        crate::visit::children(expression, &mut |child| names.push(child));
        names.into_iter().any(|child| self.name_unknown(child))
    }

    /// Whether a `where` holds.
    pub(super) fn condition(&mut self, expression: &'a Expr) -> Option<bool> {
        let outer = std::mem::replace(&mut self.indexing, true);
        let truth = self.exact_truth(expression);
        self.indexing = outer;
        if truth.is_none() && !matches!(expression.kind, ExprKind::Broken) && !self.name_unknown(expression) {
            let error = Diagnostic::error("not-an-integer", "`where` needs a condition on indices")
                .at(expression.span, "not a comparison of parameters and indices")
                .help("compare indices: `where j /= i`, `where i < N`");
            self.report(error);
        }
        truth
    }

    /// The first and the last value of a range.
    pub(super) fn range(&mut self, binder: &'a Binder) -> Option<(i64, i64)> {
        let (from, to) = (self.integer(&binder.from), self.integer(&binder.to));
        Some((from?, to?))
    }

    /// Calls `visit` for all values of some indices, outer ones first, of which `condition` holds.
    pub(super) fn over(
        &mut self,
        binders: &[&'a Binder],
        condition: Option<&'a Expr>,
        span: Span,
        visit: &mut dyn FnMut(&mut Self, &[i64]) -> Option<()>,
    ) -> Option<()> {
        self.different(binders)?;
        let mut values = Vec::with_capacity(binders.len());
        self.over_rest(binders, condition, span, &mut values, visit)
    }

    /// Refuses two indices of one name side by side.
    fn different(&mut self, binders: &[&'a Binder]) -> Option<()> {
        for (place, binder) in binders.iter().enumerate() {
            let Some(name) = &binder.name else { continue };
            let mut before = binders[..place].iter().filter_map(|other| other.name.as_ref());
            if let Some(first) = before.find(|other| other.text == name.text) {
                let error = Diagnostic::error("redefined-name", format!("the index `{}` is declared twice", name.text))
                    .at(name.span, "declared again")
                    .at(first.span, "declared here first")
                    .help("give each index a name of its own: `[i in 1..2, j in 1..2]`");
                self.report(error);
                return None;
            }
        }
        Some(())
    }

    fn over_rest(
        &mut self,
        binders: &[&'a Binder],
        condition: Option<&'a Expr>,
        span: Span,
        values: &mut Vec<i64>,
        visit: &mut dyn FnMut(&mut Self, &[i64]) -> Option<()>,
    ) -> Option<()> {
        let Some((&binder, rest)) = binders.split_first() else {
            if let Some(condition) = condition
                && !self.condition(condition)?
            {
                return Some(());
            }
            return visit(self, values);
        };
        let (from, to) = self.range(binder)?;
        if from <= to && to.abs_diff(from) >= MOST_WORK {
            self.too_large(span, format!("a range from {from} to {to} is too long"));
        }
        for value in from..=to {
            self.work += 1;
            if self.exhausted || self.work > MOST_WORK {
                self.too_large(span, "the model takes too many steps to write out");
                return None;
            }
            if let Some(name) = &binder.name {
                self.locals.push((name.text.as_str(), Local::Index(value)));
            }
            values.push(value);
            let done = self.over_rest(rest, condition, span, values, visit);
            values.pop();
            if binder.name.is_some() {
                self.locals.pop();
            }
            done?;
        }
        Some(())
    }

    /// The members that a target speaks of: one, or all of a family.
    pub(super) fn cases(&mut self, target: &'a Target) -> Vec<Case<'a>> {
        let binders: Vec<&'a Binder> = target
            .steps
            .iter()
            .flat_map(|step| &step.indices)
            .filter_map(|index| match index {
                TargetIndex::Over(binder) => Some(binder),
                TargetIndex::At(_) => None,
            })
            .collect();
        let mut cases = Vec::new();
        let span = target.span;
        let more = self.foreseen(&binders, target.condition.as_deref());
        if more.is_some_and(|more| self.members.saturating_add(more) > MOST_MEMBERS) {
            self.too_many_members(span);
            return cases;
        }
        let done = self.over(&binders, target.condition.as_deref(), span, &mut |this, values| {
            let mut next = values.iter();
            let mut indices = Vec::with_capacity(target.steps.len());
            for step in &target.steps {
                let mut here = Vec::with_capacity(step.indices.len());
                for index in &step.indices {
                    here.push(match index {
                        TargetIndex::Over(_) => *next.next()?,
                        TargetIndex::At(expression) => this.integer(expression)?,
                    });
                }
                indices.push((!step.indices.is_empty()).then_some(here));
            }
            let named = binders
                .iter()
                .zip(values)
                .filter_map(|(binder, &value)| binder.name.as_ref().map(|name| (name.text.as_str(), value)));
            if binders.is_empty() || this.count_members(1, span) {
                cases.push(Case { locals: named.collect(), indices });
                Some(())
            } else {
                None
            }
        });
        // A family with a mistake in its head has members that nobody knows.
        if let (None, Some(step)) = (done, target.steps.first()) {
            self.doubtful.insert(step.name.text.clone());
        }
        cases
    }

    /// Whether a target stands for a family.
    pub(super) fn is_family(target: &Target) -> bool {
        target.steps.iter().flat_map(|step| &step.indices).any(|index| matches!(index, TargetIndex::Over(_)))
    }

    /// Does something with the indices of a case in force.
    pub(super) fn within<T>(&mut self, case: &Case<'a>, run: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.locals.len();
        self.locals.extend(case.locals.iter().map(|&(name, value)| (name, Local::Index(value))));
        let result = run(self);
        self.locals.truncate(before);
        result
    }

    /// The index or argument of this name.
    pub(super) fn local(&self, name: &str) -> Option<&Local> {
        let find = |locals: &'_ [(&'a str, Local)]| locals.iter().rposition(|(known, _)| *known == name);
        if let Some(place) = find(&self.locals) {
            return Some(&self.locals[place].1);
        }
        let mut scope = Some(self.scope);
        while let Some(here) = scope {
            if let Some(place) = find(&self.scopes[here].indices) {
                return Some(&self.scopes[here].indices[place].1);
            }
            if self.scopes[here].names.contains_key(name) {
                return None;
            }
            scope = self.scopes[here].outer;
        }
        None
    }
}
