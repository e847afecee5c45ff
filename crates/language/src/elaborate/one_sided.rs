//! One-sided constraints: their values and restitution, stops with two of them, and what events may say of them.

use super::Elaborator;
use super::scope::Member;
use super::sides::Sides;
use super::value::{Data, Value};
use crate::diagnostic::Diagnostic;
use crate::names::closest;
use crate::source::Span;
use crate::syntax::{Change, Expr, Ident, StopItem};
use crate::units::Dimension;
use holonom_symbols::expr::Id;

/// The names of the two constraints of a stop, in their order.
const LIMITS: [&str; 2] = ["low", "high"];

impl<'a> Elaborator<'a> {
    /// `stop NAME: value in low..high` declares `NAME.low` and `NAME.high`.
    pub(super) fn declare_stop(&mut self, item: &'a StopItem) {
        let Some(step) = self.plain(&item.target, "a stop") else { return };
        for case in self.cases(&item.target) {
            let indices = case.last();
            let name = self.full_name(&step.name.text, indices.as_deref());
            let low = self.model.constraints.len();
            for (sides, limit) in Sides::of_stop(item).into_iter().zip(LIMITS) {
                self.add_constraint(format!("{name}.{limit}"), sides, item.target.span, case.clone());
            }
            self.define(&step.name, indices, "stop", Member::Stop(low));
        }
    }

    /// The name of the stop whose lower limit is this constraint.
    pub(super) fn stop_name(&self, low: usize) -> String {
        self.model.constraints[low].name.trim_end_matches(".low").to_string()
    }

    /// The constraint that `low` or `high` of a stop is.
    pub(super) fn side_of_stop(&mut self, low: usize, limit: &Ident) -> Option<usize> {
        if let Some(place) = LIMITS.iter().position(|one| *one == limit.text) {
            return Some(low + place);
        }
        let name = self.stop_name(low);
        let error = Diagnostic::error("unknown-name", format!("the stop `{name}` has no `{}`", limit.text));
        let error = match closest(&limit.text, LIMITS) {
            Some(right) => error.at(limit.span, format!("did you mean `{right}`?")).suggest(limit.span, right),
            None => error.at(limit.span, "not one of its limits"),
        };
        self.report(error.help(format!("its limits are `{name}.low` and `{name}.high`")));
        None
    }

    /// The message about a stop where one constraint is meant.
    pub(super) fn stop_without_side(&mut self, low: usize, span: Span) {
        let name = self.stop_name(low);
        let error = Diagnostic::error("unknown-constraint", format!("`{name}` is a stop, which has two constraints"))
            .at(span, "which of its limits?")
            .help(format!("write `{name}.low` or `{name}.high`"));
        self.report(error);
    }

    /// Looks at the sides of a one-sided constraint; its restitution, where all is well.
    pub(super) fn one_sided_values(
        &mut self,
        sides: Sides<'a>,
        left: Option<&Value>,
        right: Option<&Value>,
    ) -> Option<Id> {
        let restitution = self.restitution(sides.restitution);
        for (expression, value) in [(sides.left, left?), (sides.right, right?)] {
            if let Data::Vector(_) | Data::List(_) = value.data {
                let text = self.sources.text(expression.span);
                let is_path = text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '[' | ']'));
                let whole = if is_path { text.to_string() } else { format!("({text})") };
                let error = Diagnostic::error("one-sided-vector", "an inequality compares two numbers")
                    .at(expression.span, format!("this is {}", value.kind()));
                let help = match &value.data {
                    Data::Vector(_) => {
                        format!(
                            "write one constraint for each component, such as `{whole}.x`, or compare `norm({text})`"
                        )
                    }
                    _ => "write one constraint for each element".to_string(),
                };
                self.report(error.help(help));
                return None;
            }
        }
        if let Some(high) = sides.other {
            self.ordered_limits(sides.right, high)?;
        }
        restitution
    }

    /// Refuses limits of a stop with nothing between them, where both are known.
    fn ordered_limits(&mut self, low: &'a Expr, high: &'a Expr) -> Option<()> {
        let values = [self.value(low)?, self.value(high)?];
        let [Data::Scalar(least), Data::Scalar(most)] = [&values[0].data, &values[1].data] else { return Some(()) };
        if [least, most].iter().any(|&&id| !self.graph.depends(id).is_fixed()) {
            return Some(());
        }
        let [least, most] = [self.fixed_number(*least), self.fixed_number(*most)];
        if least < most || least.is_nan() || most.is_nan() {
            return Some(());
        }
        let error = Diagnostic::error("stop-order", "this stop leaves no room between its limits")
            .at(low.span, format!("the lower limit is {least}"))
            .at(high.span, format!("the upper limit is {most}"));
        let error = if least > most {
            error.help("the lower limit comes first: `stop NAME: x in low..high`")
        } else {
            error.help("for a fixed value write an equation: `constraint NAME: x = …`")
        };
        self.report(error);
        None
    }

    /// A restitution: a number between 0 and 1 made of parameters; 0 where nothing is said.
    pub(super) fn restitution(&mut self, said: Option<&'a Expr>) -> Option<Id> {
        let Some(expression) = said else { return Some(Id::ZERO) };
        let id = self.fixed(expression, Dimension::NUMBER, "a restitution")?;
        let number = self.fixed_number(id);
        if (0.0..=1.0).contains(&number) || self.is_unspecified(id) {
            return Some(id);
        }
        let error = Diagnostic::error("negative", "a restitution lies between 0 and 1")
            .at(expression.span, format!("this is {number}"))
            .help("0 stops the approach, 1 turns it round with the same speed");
        self.report(error);
        None
    }

    /// The one-sided constraint that `catches` or `lets go` is said of.
    pub(super) fn one_sided_constraint(&mut self, name: &'a Expr, change: Change) -> Option<usize> {
        let which = self.constraint_named(name)?;
        let constraint = &self.model.constraints[which];
        if constraint.side.is_some() {
            return Some(which);
        }
        let (name_of, text) = (constraint.name.clone(), self.sources.text(constraint.span));
        let with = |sign: &str| text.replacen('=', sign, 1);
        let error =
            Diagnostic::error("not-one-sided", format!("`{name_of}` is an equation and never {}", change.text()))
                .at(name.span, "holds at all times")
                .at(constraint.span, "declared here")
                .help(format!("write `{}` or `{}` there if it holds in one direction", with(">="), with("<=")))
                .help("or write a condition: `y < 0`, `EXPR rises`, `falls`, `crosses`");
        self.report(error);
        None
    }

    /// Refuses actions on constraints that come and go by themselves.
    pub(super) fn two_sided(&mut self, which: usize, span: Span, action: &str) -> Option<()> {
        let constraint = &self.model.constraints[which];
        if constraint.side.is_none() {
            return Some(());
        }
        let (name, declared) = (constraint.name.clone(), constraint.span);
        let error = Diagnostic::error(
            "one-sided-action",
            format!("an event cannot `{action}` the one-sided constraint `{name}`"),
        )
        .at(span, "a run switches it on and off")
        .at(declared, "declared here");
        let error = match action {
            "impact" => error.help("give its restitution where it is declared: `…, restitution = 0.3`"),
            _ => error.help("remove this action; for a constraint that events switch write an equation with `, off`"),
        };
        self.report(error);
        None
    }
}
