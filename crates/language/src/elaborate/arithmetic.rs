//! Sums, products and powers of values.

use super::Elaborator;
use super::value::{Data, Dim, Value, over, times};
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::syntax::{Binder, Expr, ExprKind, ProductOp, SumOp, Total};
use holonom_symbols::expr::{Id, Number};

/// The highest power that is taken for meant.
const LARGEST_EXPONENT: i64 = 1000;

impl<'a> Elaborator<'a> {
    /// `dx/dt` where `x` moves and neither name is declared.
    fn rate_as_quotient(&self, first: &'a Expr, rest: &'a [(ProductOp, Expr)]) -> Option<Diagnostic> {
        let mut before = first;
        for (op, factor) in rest {
            let below = match &factor.kind {
                ExprKind::Power(base, _) => base,
                _ => factor,
            };
            if *op == ProductOp::Over
                && let (ExprKind::Name(above), ExprKind::Name(dt)) = (&before.kind, &below.kind)
                && let Some(base) = above.strip_prefix('d').filter(|base| dt == "dt" && self.moves(base))
                && [above, dt].iter().all(|name| self.scope_of(self.scope, name).is_none())
            {
                let span = before.span.to(below.span);
                let error = Diagnostic::error("unknown-name", format!("there is no `{above}` and no `dt`"))
                    .at(span, format!("the velocity of `{base}` is written `{base}'`"))
                    .suggest(span, format!("{base}'"));
                return Some(error);
            }
            before = factor;
        }
        None
    }

    /// `90/4 deg` is 90/(4 deg): nobody means that who divides a plain number.
    fn doubt_divisor(&mut self, above: &'a Expr, over: &Value, factor: &'a Expr) {
        let ExprKind::Quantity(number, unit) = &factor.kind else { return };
        let is_angle = |name: &str| matches!(name, "rad" | "mrad" | "deg" | "rev");
        let is_odd = unit.factors.len() > 1 || unit.factors.iter().any(|factor| is_angle(&factor.name.text));
        let is_plain = matches!(above.kind, ExprKind::Number(_) | ExprKind::Name(_) | ExprKind::Index(..));
        let is_number = matches!(&over.data, Data::Scalar(id) if self.graph.depends(*id).is_fixed());
        if !is_odd || !is_plain || !is_number || !over.dim.or_number().is_number() {
            return;
        }
        let (above_text, unit_text) = (self.sources.text(above.span), self.sources.text(unit.span));
        let right = format!("({above_text}/{number})*(1 {unit_text})");
        let warning = Diagnostic::warning("unit-in-divisor", format!("this divides by `{number} {unit_text}`"))
            .at(above.span.to(factor.span), "a unit belongs to the number before it")
            .help(format!("for the other reading write `{right}`; for this one `{above_text}/({number} {unit_text})`"))
            .suggest(above.span.to(factor.span), right);
        self.divisors.push(warning);
    }

    /// Whether this is the name of a coordinate or a particle.
    fn moves(&self, name: &str) -> bool {
        let scope = self.scope_of(self.scope, name);
        scope.is_some_and(|scope| matches!(self.scopes[scope].names[name].kind, "coordinate" | "particle"))
    }

    /// `a + b - c`
    pub(super) fn sum(&mut self, first: &'a Expr, rest: &'a [(SumOp, Expr)]) -> Option<Value> {
        let mut terms = Vec::with_capacity(rest.len() + 1);
        terms.push((Number::ONE, first, self.eval(first)));
        for (op, term) in rest {
            let sign = if *op == SumOp::Minus { Number::MINUS_ONE } else { Number::ONE };
            terms.push((sign, term, self.eval(term)));
        }
        let terms: Option<Vec<_>> = terms.into_iter().map(|(sign, term, value)| Some((sign, term, value?))).collect();
        self.add_up(terms?)
    }

    /// Values of one shape and one dimension, added.
    fn add_up(&mut self, terms: Vec<(Number, &'a Expr, Value)>) -> Option<Value> {
        for (_, term, value) in &terms {
            self.numeric(term, value)?;
        }
        // The first that is no bare 0 says what shape and dimension the sum has.
        let Some((_, model, shape)) = terms.iter().find(|(_, _, value)| !value.is_bare_zero()).cloned() else {
            return Some(Value::zero());
        };
        let mut measure = (model, shape.dim);
        for (_, term, value) in &terms {
            if value.is_bare_zero() {
                continue;
            }
            let alike = match (&shape.data, &value.data) {
                (Data::Scalar(_), Data::Scalar(_)) => true,
                (Data::Vector(a), Data::Vector(b)) => a.len() == b.len(),
                (Data::List(a), Data::List(b)) => a.len() == b.len(),
                _ => false,
            };
            if !alike {
                let error = Diagnostic::error("shape-mismatch", "only things of one kind can be added")
                    .at(model.span, format!("this is {}", shape.kind()))
                    .at(term.span, format!("this is {}", value.kind()));
                self.report(error);
                return None;
            }
            if !matches!(value.data, Data::List(_)) {
                if !self.same(measure, (term, value.dim), "the terms of this sum") {
                    return None;
                }
                if measure.1 == Dim::Any {
                    measure = (term, value.dim);
                }
            }
        }
        let terms: Vec<_> = terms.into_iter().filter(|(_, _, value)| !value.is_bare_zero()).collect();
        match &shape.data {
            Data::Vector(components) => {
                let mut result = Vec::with_capacity(components.len());
                for place in 0..components.len() {
                    let parts: Vec<(Number, Id)> = terms
                        .iter()
                        .filter_map(|(sign, _, value)| match &value.data {
                            Data::Vector(components) => Some((*sign, components[place])),
                            _ => None,
                        })
                        .collect();
                    result.push(self.graph.sum(&parts));
                }
                Some(Value::vector(result, measure.1))
            }
            Data::List(elements) => {
                let mut result = Vec::with_capacity(elements.len());
                for place in 0..elements.len() {
                    let parts = terms
                        .iter()
                        .filter_map(|(sign, term, value)| match &value.data {
                            Data::List(elements) => Some((*sign, *term, elements[place].clone())),
                            _ => None,
                        })
                        .collect();
                    result.push(self.add_up(parts)?);
                }
                Some(Value::list(result))
            }
            _ => {
                let parts: Vec<(Number, Id)> =
                    terms.iter().map(|(sign, _, value)| (*sign, value.components()[0])).collect();
                Some(Value::scalar(self.graph.sum(&parts), measure.1))
            }
        }
    }

    /// `sum(i in 1..N, …)`
    pub(super) fn total(&mut self, total: &'a Total, span: Span) -> Option<Value> {
        let mut terms = Vec::new();
        let mut failed = false;
        let binders: Vec<&'a Binder> = total.binders.iter().collect();
        let done = self.over(&binders, total.condition.as_ref(), span, &mut |this, _| {
            match this.eval(&total.body) {
                Some(value) => terms.push((Number::ONE, &total.body, value)),
                None => failed = true,
            }
            (this.need.is_none() && !this.exhausted).then_some(())
        });
        done?;
        if failed { None } else { self.add_up(terms) }
    }

    /// `a*b/c`
    pub(super) fn product(&mut self, first: &'a Expr, rest: &'a [(ProductOp, Expr)]) -> Option<Value> {
        if let Some(error) = self.rate_as_quotient(first, rest) {
            self.report(error);
            return None;
        }
        let mut values = vec![(ProductOp::Times, first, self.eval(first))];
        for (op, factor) in rest {
            values.push((*op, factor, self.eval(factor)));
        }
        let mut dim = Dim::NUMBER;
        let mut factors: Vec<(Id, i32)> = Vec::with_capacity(values.len());
        let mut shaped: Option<(&'a Expr, Value)> = None;
        let values: Option<Vec<_>> = values.into_iter().map(|(op, factor, value)| Some((op, factor, value?))).collect();
        let mut before: Option<(&'a Expr, Value)> = None;
        for (op, factor, value) in values? {
            self.numeric(factor, &value)?;
            if let (ProductOp::Over, Some((above, over))) = (op, &before) {
                self.doubt_divisor(above, over, factor);
            }
            before = Some((factor, value.clone()));
            if let Data::Scalar(id) = value.data {
                if op == ProductOp::Over && id == Id::ZERO {
                    let error = Diagnostic::error("division-by-zero", "division by zero").at(factor.span, "this is 0");
                    self.report(error);
                    return None;
                }
                factors.push((id, if op == ProductOp::Over { -1 } else { 1 }));
                let changed = if op == ProductOp::Over { over(dim, value.dim) } else { times(dim, value.dim) };
                dim = self.sane(changed, factor)?;
            } else if op == ProductOp::Over {
                let error = Diagnostic::error("vector-product", format!("nothing can be divided by {}", value.kind()))
                    .at(factor.span, format!("this is {}", value.kind()))
                    .help("divide by its magnitude: `norm(v)`");
                self.report(error);
                return None;
            } else if let Some((other, _)) = shaped {
                let error = Diagnostic::error("vector-product", "two vectors have more than one product")
                    .at(other.span, "a vector")
                    .at(factor.span, "and another: dot or cross?")
                    .help("write `dot(u, v)` for the scalar product, `cross(u, v)` for the vector product");
                self.report(error);
                return None;
            } else {
                shaped = Some((factor, value));
            }
        }
        let Some((factor, value)) = shaped else {
            return Some(Value::scalar(self.graph.product(Number::ONE, &factors), dim));
        };
        let scale = self.graph.product(Number::ONE, &factors);
        let result = value.map(&mut self.graph, &mut |graph, id| graph.multiply(scale, id), &|own| times(own, dim));
        if result.is_none() {
            self.sane(None, factor)?;
        }
        result
    }

    /// `base^exponent`
    pub(super) fn power(&mut self, base: &'a Expr, exponent: &'a Expr) -> Option<Value> {
        let (base_value, exponent_value) = (self.eval(base), self.eval(exponent));
        let (base_value, exponent_value) = (base_value?, exponent_value?);
        if let Data::Vector(_) = base_value.data {
            let text = self.sources.text(base.span);
            let error = Diagnostic::error("vector-product", "a vector has no powers")
                .at(base.span, "a vector")
                .help(format!("the square of its magnitude is `dot({text}, {text})`"));
            self.report(error);
            return None;
        }
        let number = crate::units::Dimension::NUMBER;
        let raised = self.scalar(exponent, Some(exponent_value), number, "an exponent");
        let (dim, base_id) = (
            base_value.dim,
            match base_value.data {
                Data::Scalar(id) => id,
                _ => {
                    self.scalar(base, Some(base_value), number, "a base");
                    return None;
                }
            },
        );
        let raised = raised?;
        let constant = self.graph.as_number(raised);
        if constant.is_some_and(|number| number.magnitude().compare(Number::integer(LARGEST_EXPONENT)).is_gt()) {
            let error = Diagnostic::error("huge-exponent", "no quantity has such a high power")
                .at(exponent.span, format!("beyond {LARGEST_EXPONENT}"))
                .help("for steep functions use `exp`, `tanh` or `smoothstep`");
            self.report(error);
            return None;
        }
        let dim = match dim {
            Dim::Any => Dim::Any,
            Dim::Of(own) if own.is_number() => Dim::NUMBER,
            Dim::Of(own) => {
                let ratio = constant.and_then(Number::as_ratio);
                let Some((num, den)) = ratio else {
                    let error = Diagnostic::error(
                        "dimension-mismatch",
                        "the exponent of a quantity with a unit must be a constant",
                    )
                    .at(exponent.span, "not a constant")
                    .at(base.span, format!("this is {}", super::value::describe(own)))
                    .help("divide the base by a unit of its own first, or write the exponent as a number");
                    self.report(error);
                    return None;
                };
                let power = i32::try_from(num).ok().zip(i32::try_from(den).ok());
                let changed = power.and_then(|(num, den)| own.power(num, den)).map(Dim::Of);
                self.sane(changed, exponent)?
            }
        };
        if base_id == Id::ZERO && constant.is_some_and(Number::is_negative) {
            let error = Diagnostic::error("division-by-zero", "division by zero").at(base.span, "this is 0");
            self.report(error);
            return None;
        }
        let dim = if dim == Dim::Any && constant.is_some_and(Number::is_zero) { Dim::NUMBER } else { dim };
        Some(Value::scalar(self.graph.power(base_id, raised), dim))
    }

    /// A dimension whose powers are not beyond what anybody means.
    pub(super) fn sane(&mut self, dim: Option<Dim>, expression: &'a Expr) -> Option<Dim> {
        if dim.is_none() {
            let error = Diagnostic::error("unit-power", "no unit has such a power").at(expression.span, "leads there");
            self.report(error);
        }
        dim
    }
}
