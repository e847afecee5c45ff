//! Functions that are declared without a value: `function F(x, t): N`.
//!
//! The declaration says what a function depends on, by names of the model. From them come the number of arguments, the dimension of each, and what
//! derivatives are called. In a call any expressions of these dimensions may stand in their places. The names may be those of lets, which
//! have no order, so the dimensions are found when they are first asked for.

use std::sync::Arc;

use super::Elaborator;
use super::lazy::{Arguments, Declared};
use super::scope::Member;
use super::value::{Dim, Value};
use crate::checked::FunctionSymbol;
use crate::diagnostic::Diagnostic;
use crate::format::print_expression;
use crate::function_names::is_function;
use crate::source::Span;
use crate::syntax::{Expr, ExprKind, FunctionItem, Ident};
use crate::units::Dimension;
use holonom_symbols::expr::Unspecified;

/// Whether an argument is a name, perhaps of a velocity or of a member.
fn is_name(argument: &Expr) -> bool {
    match &argument.kind {
        ExprKind::Prime(inner, _) => is_name(inner),
        _ => Elaborator::is_name(argument),
    }
}

impl<'a> Elaborator<'a> {
    pub(super) fn declare_function(&mut self, item: &'a FunctionItem) {
        let Some(step) = self.plain(&item.target, "a function") else { return };
        let name = &step.name;
        if is_function(&name.text) {
            let error = Diagnostic::error("reserved-name", format!("`{}` is a function already", name.text))
                .at(name.span, "choose another name");
            return self.report(error);
        }
        if !step.indices.is_empty() {
            let error = Diagnostic::error("plain-name-expected", "a function has no index")
                .at(item.target.span, "has an index")
                .help("declare each by a name of its own");
            self.define(name, None, "function", Member::Broken);
            return self.report(error);
        }
        let unit = item.unit.as_ref().map(|unit| self.unit(unit));
        let arguments: Vec<String> = item.arguments.iter().map(print_expression).collect();
        let mut fine = unit.as_ref().is_none_or(Option::is_some);
        for (at, argument) in item.arguments.iter().enumerate() {
            let error = if !is_name(argument) {
                Diagnostic::error("plain-name-expected", "a function is declared with names as its arguments")
                    .at(argument.span, "not a name")
                    .help("write what it depends on, as in `function F(x, x', t)`; a call may have any expression in each place")
            } else if arguments[..at].contains(&arguments[at]) {
                Diagnostic::error("given-twice", format!("the argument `{}` is given twice", arguments[at]))
                    .at(argument.span, "given again")
            } else {
                continue;
            };
            fine = false;
            self.report(error);
        }
        if !fine {
            return self.define(name, None, "function", Member::Broken);
        }
        let function = Arc::new(Unspecified { name: self.full_name(&name.text, None), arguments });
        let dimension = unit.flatten().map_or(Dimension::NUMBER, |info| info.dimension);
        self.define(name, None, "function", Member::Function(self.functions.len()));
        self.model.functions.push(FunctionSymbol {
            function: function.clone(),
            dimension,
            used: false,
            span: item.span,
        });
        self.functions.push(Declared { function, item, scope: self.scope, arguments: Arguments::Unseen });
    }

    /// `g(t)`, `F(x - 1, t)`, and `g'(t)` for a function of one argument.
    pub(super) fn call_function(
        &mut self,
        which: usize,
        name: &'a Ident,
        primes: usize,
        arguments: &'a [Expr],
        span: Span,
    ) -> Option<Value> {
        let function = self.functions[which].function.clone();
        let called = name.text.trim_end_matches('\'');
        let form = format!("{called}({})", function.arguments.join(", "));
        self.arity(name, arguments, function.arguments.len(), &form, span)?;
        if primes > 0 && arguments.len() > 1 {
            let error = Diagnostic::error("not-a-function", format!("`{}` does not say by which argument", name.text))
                .at(name.span, "a function of several arguments")
                .help(format!("for the rate of change write `{form}'`"));
            self.report(error);
            return None;
        }
        let dimensions = self.argument_dimensions(which)?;
        let mut ids = Vec::with_capacity(arguments.len());
        for ((argument, dimension), declared) in arguments.iter().zip(&dimensions).zip(&function.arguments) {
            let value = self.eval(argument);
            let what = format!("the argument `{declared}` of `{called}`");
            ids.push(self.scalar(argument, value, *dimension, &what));
        }
        let ids = ids.into_iter().collect::<Option<Vec<_>>>()?;
        self.model.functions[which].used = true;
        let mut dimension = self.model.functions[which].dimension;
        for _ in 0..primes {
            dimension = dimension.over(dimensions[0])?;
        }
        let mut orders = vec![0; ids.len()];
        orders[0] = primes as u8;
        Some(Value::scalar(self.graph.unspecified(&function, &orders, &ids), Dim::Of(dimension)))
    }

    /// The name of a function without its arguments.
    pub(super) fn function_alone(&mut self, which: usize, span: Span) -> Option<Value> {
        let Unspecified { name, arguments } = &*self.functions[which].function;
        let error = Diagnostic::error("arguments", format!("the function `{name}` needs its arguments"))
            .at(span, format!("takes {}", arguments.len()))
            .help(format!("write `{name}({})`", arguments.join(", ")));
        self.report(error);
        None
    }

    /// The dimensions of the arguments; nothing where a declaration is wrong, or must wait for a let.
    fn argument_dimensions(&mut self, which: usize) -> Option<Vec<Dimension>> {
        let Declared { item, scope, .. } = self.functions[which];
        match std::mem::replace(&mut self.functions[which].arguments, Arguments::Running) {
            Arguments::Done(known) => {
                self.functions[which].arguments = Arguments::Done(known.clone());
                return known;
            }
            Arguments::Running => {
                let name = &self.functions[which].function.name;
                let error = Diagnostic::error("cyclic-definition", format!("`{name}` is a function of itself"))
                    .at(item.span, "an argument is made of this function");
                self.report(error);
                return None;
            }
            Arguments::Unseen => {}
        }
        let locals = std::mem::take(&mut self.locals);
        let outer = std::mem::replace(&mut self.scope, scope);
        let mut dimensions = Some(Vec::new());
        for argument in &item.arguments {
            let value = self.eval(argument);
            let dim = value.as_ref().map_or(Dim::Any, |value| value.dim);
            let bare = value.map(|value| Value { dim: Dim::Any, ..value });
            let id = self.scalar(argument, bare, Dimension::NUMBER, "an argument of a function");
            dimensions = dimensions.zip(id).map(|(mut all, _)| {
                all.push(dim.or_number());
                all
            });
        }
        self.scope = outer;
        self.locals = locals;
        self.functions[which].arguments =
            if self.need.is_some() { Arguments::Unseen } else { Arguments::Done(dimensions.clone()) };
        dimensions
    }

    /// Looks at the arguments of functions that nobody called, for their mistakes.
    pub(super) fn check_functions(&mut self) {
        for which in 0..self.functions.len() {
            while !self.exhausted {
                self.argument_dimensions(which);
                match self.need.take() {
                    Some(needed) => {
                        self.let_value(needed);
                    }
                    None => break,
                }
            }
        }
    }
}
