//! Functions of the language, lets with arguments, and tables.

use super::Elaborator;
use super::lazy::State;
use super::scope::{Local, Member, Members};
use super::value::{Data, Dim, Value, over, times};
use crate::diagnostic::Diagnostic;
use crate::function_names::{functions, is_function};
use crate::names::closest;
use crate::source::Span;
use crate::syntax::{Expr, ExprKind, Ident};
use crate::units::Dimension;
use holonom_symbols::expr::{Function, Id, Number, Relation};

/// How deep calls may lie in calls.
const DEEPEST_CALL: usize = 150;

/// What the rate of change is called elsewhere.
const RATES: [&str; 8] = ["der", "diff", "ddt", "derivative", "Derivative", "D", "d", "dot_"];

/// Functions of other tools, their names here, and what they are.
const TRANSLATED: [(&str, &str, &str); 13] = [
    ("ln", "log", "the natural logarithm"),
    ("length", "norm", "the magnitude of a vector"),
    ("len", "norm", "the magnitude of a vector"),
    ("magnitude", "norm", "the magnitude of a vector"),
    ("mag", "norm", "the magnitude of a vector"),
    ("modulus", "norm", "the magnitude of a vector"),
    ("lambda", "multiplier", "the multiplier of a constraint"),
    ("tension", "reaction", "the force of a constraint"),
    ("normal_force", "reaction", "the force of a constraint"),
    ("constraint_force", "reaction", "the force of a constraint"),
    ("sgn", "sign", "the sign of a number"),
    ("signum", "sign", "the sign of a number"),
    ("fabs", "abs", "the magnitude of a number"),
];

impl<'a> Elaborator<'a> {
    /// `der(x)`, `diff(x, t)`: a prime.
    fn rate_as_function(&self, error: Diagnostic, arguments: &'a [Expr], whole: Span) -> Diagnostic {
        let text = self.sources.text(arguments[0].span);
        let simple =
            matches!(arguments[0].kind, ExprKind::Call(..) | ExprKind::Paren(_)) || Self::is_name(&arguments[0]);
        let twice = arguments.len() > 2;
        let primes = if twice { "''" } else { "'" };
        let rate = if simple { format!("{text}{primes}") } else { format!("({text}){primes}") };
        error.at(whole, format!("the rate of change is written `{rate}`")).suggest(whole, rate)
    }

    /// `name(arguments)`
    pub(super) fn call(&mut self, name: &'a Ident, arguments: &'a [Expr], whole: &'a Expr) -> Option<Value> {
        if let "multiplier" | "reaction" | "ideal" | "moment" = name.text.as_str()
            && let [argument] = arguments
            && let Some(joint) = self.joint_named(argument)
        {
            return self.joint_force(&name.text, joint, whole.span);
        }
        match name.text.as_str() {
            "moment" if self.scope_of(self.scope, "moment").is_none() && !self.bodies.is_empty() => {
                self.no_moment(arguments, whole.span);
                return None;
            }
            "multiplier" | "reaction" | "ideal" => return self.constraint_force(name, arguments, whole.span),
            "energy" | "kinetic" | "potential" => return self.energy(name, arguments, whole.span),
            "if" => return self.choice(name, arguments, whole.span),
            _ => {}
        }
        if !is_function(&name.text) {
            // Words of mechanisms are names like others where somebody declared them.
            if self.scope_of(self.scope, &name.text).is_none() {
                match name.text.as_str() {
                    "distance" => return self.distance(name, arguments, whole.span),
                    "in" => return self.seen_from(arguments, whole.span),
                    _ => {}
                }
            }
            if !self.bodies.is_empty()
                && let Some(value) = self.call_of_body(whole)
            {
                return value;
            }
            return self.call_named(name, arguments, whole);
        }
        let values: Vec<Option<Value>> = arguments.iter().map(|argument| self.eval(argument)).collect();
        let values: Vec<Value> = values.into_iter().collect::<Option<_>>()?;
        if let Some(function) = Function::from_name(&name.text) {
            return self.elementary(function, name, arguments, values, whole.span);
        }
        match name.text.as_str() {
            "clamp" => {
                self.arity(name, arguments, 3, "clamp(x, least, greatest)", whole.span)?;
                let (ids, dim) = self.alike(arguments, &values, "the arguments of `clamp`")?;
                let low = self.graph.call2(Function::Max, ids[0], ids[1]);
                Some(Value::scalar(self.graph.call2(Function::Min, low, ids[2]), dim))
            }
            "smoothstep" => self.smoothstep(name, arguments, values, whole.span),
            "dot" | "cross" => self.vector_product(name, arguments, values, whole.span),
            "norm" => {
                self.arity(name, arguments, 1, "norm(v)", whole.span)?;
                let Data::Vector(components) = &values[0].data else {
                    if values[0].is_bare_zero() {
                        return Some(Value::zero());
                    }
                    let error = Diagnostic::error("vector-expected", "`norm` is the magnitude of a vector")
                        .at(arguments[0].span, format!("this is {}", values[0].kind()))
                        .help("the magnitude of a number is `abs(x)`");
                    self.report(error);
                    return None;
                };
                let square = self.dot(components, components);
                Some(Value::scalar(self.graph.call(Function::Sqrt, square), values[0].dim))
            }
            _ => {
                let error = Diagnostic::error("arguments", "`sum` needs an index")
                    .at(whole.span, "over what?")
                    .help("write `sum(i in 1..N, x[i])`; a sum of two is `a + b`");
                self.report(error);
                None
            }
        }
    }

    pub(super) fn arity(
        &mut self,
        name: &Ident,
        arguments: &[Expr],
        count: usize,
        form: &str,
        span: Span,
    ) -> Option<()> {
        if arguments.len() == count {
            return Some(());
        }
        let plural = if count == 1 { "" } else { "s" };
        let error = Diagnostic::error("arguments", format!("`{}` takes {count} argument{plural}", name.text))
            .at(span, format!("{} here", arguments.len()))
            .help(format!("write `{form}`"));
        self.report(error);
        None
    }

    fn elementary(
        &mut self,
        function: Function,
        name: &'a Ident,
        arguments: &'a [Expr],
        values: Vec<Value>,
        span: Span,
    ) -> Option<Value> {
        if matches!(function, Function::Min | Function::Max) && arguments.len() >= 2 {
            let (ids, dim) = self.alike(arguments, &values, &format!("the arguments of `{}`", name.text))?;
            let first = ids[0];
            let id = ids[1..].iter().fold(first, |least, &id| self.graph.call2(function, least, id));
            return Some(Value::scalar(id, dim));
        }
        let count = function.arity();
        let form = match function {
            Function::Atan2 => "atan2(y, x)".to_string(),
            _ if count == 2 => format!("{}(a, b)", name.text),
            _ => format!("{}(x)", name.text),
        };
        self.arity(name, arguments, count, &form, span)?;
        if function == Function::Atan2 {
            let (ids, _) = self.alike(arguments, &values, "the arguments of `atan2`")?;
            return Some(Value::number(self.graph.call2(function, ids[0], ids[1])));
        }
        let own = values[0].dim;
        if function == Function::Abs && matches!(values[0].data, Data::Vector(_)) {
            let error = Diagnostic::error("number-expected", "`abs` is the magnitude of a number")
                .at(arguments[0].span, "a vector")
                .help("the magnitude of a vector is `norm(v)`");
            self.report(error);
            return None;
        }
        let what = format!("the argument of `{}`", name.text);
        let id =
            self.scalar(&arguments[0], Some(Value { dim: Dim::Any, ..values[0].clone() }), Dimension::NUMBER, &what)?;
        let dim = match function {
            Function::Abs => own,
            Function::Sign => Dim::NUMBER,
            Function::Sqrt => match own {
                Dim::Any => Dim::Any,
                Dim::Of(dimension) => {
                    let root = dimension.power(1, 2).map(Dim::Of);
                    self.sane(root, &arguments[0])?
                }
            },
            _ => {
                self.pure(name, &arguments[0], own)?;
                Dim::NUMBER
            }
        };
        Some(Value::scalar(self.graph.call(function, id), dim))
    }

    /// Refuses arguments with a unit where only pure numbers make sense.
    fn pure(&mut self, name: &Ident, argument: &'a Expr, dim: Dim) -> Option<()> {
        let Dim::Of(dimension) = dim else { return Some(()) };
        if !self.checking || dimension.is_number() {
            return Some(());
        }
        let text = self.sources.text(argument.span).to_string();
        let function = &name.text;
        let error =
            Diagnostic::error("dimension-mismatch", format!("the argument of `{function}` must be a pure number"))
                .at(argument.span, format!("this is {}", super::value::describe(dimension)));
        let error = if dimension == Dimension::TIME {
            error.help(format!("multiply by a rate: `{function}(w*{text})` with `param w = 1 1/s`"))
        } else {
            error.help(format!("divide by something alike: `{function}({text}/L)`"))
        };
        let error = self.about_units(error, &[argument]);
        self.report(error);
        None
    }

    /// Numbers of one dimension.
    fn alike(&mut self, arguments: &'a [Expr], values: &[Value], what: &str) -> Option<(Vec<Id>, Dim)> {
        let mut ids = Vec::with_capacity(values.len());
        let mut measure = (&arguments[0], values[0].dim);
        for (argument, value) in arguments.iter().zip(values) {
            let bare = Value { dim: Dim::Any, ..value.clone() };
            ids.push(self.scalar(argument, Some(bare), Dimension::NUMBER, "an argument")?);
            if !self.same(measure, (argument, value.dim), what) {
                return None;
            }
            if measure.1 == Dim::Any {
                measure = (argument, value.dim);
            }
        }
        Some((ids, measure.1))
    }

    /// `if(condition, a, b)`
    fn choice(&mut self, name: &Ident, arguments: &'a [Expr], span: Span) -> Option<Value> {
        self.arity(name, arguments, 3, "if(condition, a, b)", span)?;
        let condition = self.truth(&arguments[0]);
        let (then, otherwise) = (self.eval(&arguments[1]), self.eval(&arguments[2]));
        let (condition, then, otherwise) = (condition?, then?, otherwise?);
        self.numeric(&arguments[1], &then)?;
        self.numeric(&arguments[2], &otherwise)?;
        let shape = if then.is_bare_zero() { &otherwise } else { &then };
        let spread = |value: &Value, count: usize| {
            if value.is_bare_zero() { vec![Id::ZERO; count] } else { value.components() }
        };
        let count = shape.components().len();
        let alike = then.is_bare_zero()
            || otherwise.is_bare_zero()
            || std::mem::discriminant(&then.data) == std::mem::discriminant(&otherwise.data)
                && then.components().len() == otherwise.components().len();
        if !alike || matches!(shape.data, Data::List(_)) {
            let error =
                Diagnostic::error("shape-mismatch", "both values of `if` must be of one kind, a number or a vector")
                    .at(arguments[1].span, format!("this is {}", then.kind()))
                    .at(arguments[2].span, format!("this is {}", otherwise.kind()));
            self.report(error);
            return None;
        }
        if !self.same((&arguments[1], then.dim), (&arguments[2], otherwise.dim), "the values of `if`") {
            return None;
        }
        let dim = if then.dim == Dim::Any { otherwise.dim } else { then.dim };
        let pairs = spread(&then, count).into_iter().zip(spread(&otherwise, count));
        let ids: Vec<Id> = pairs.map(|(a, b)| self.graph.select(condition, a, b)).collect();
        Some(match shape.data {
            Data::Vector(_) => Value::vector(ids, dim),
            _ => Value::scalar(ids[0], dim),
        })
    }

    /// Rises from 0 to 1 as 6s⁵ − 15s⁴ + 10s³: twice continuously differentiable, since constraints are differentiated twice.
    fn smoothstep(&mut self, name: &Ident, arguments: &'a [Expr], values: Vec<Value>, span: Span) -> Option<Value> {
        let s = if arguments.len() == 3 {
            let (ids, _) = self.alike(arguments, &values, "the arguments of `smoothstep`")?;
            let (above, below) = (self.graph.subtract(ids[2], ids[0]), self.graph.subtract(ids[1], ids[0]));
            if below == Id::ZERO {
                let error = Diagnostic::error("division-by-zero", "`smoothstep` needs two different ends")
                    .at(span, "rises over no distance");
                self.report(error);
                return None;
            }
            self.graph.divide(above, below)
        } else {
            self.arity(name, arguments, 1, "smoothstep(x)` or `smoothstep(a, b, x)", span)?;
            let bare = Value { dim: Dim::Any, ..values[0].clone() };
            let id = self.scalar(&arguments[0], Some(bare), Dimension::NUMBER, "the argument of `smoothstep`")?;
            self.pure(name, &arguments[0], values[0].dim)?;
            id
        };
        let g = &mut self.graph;
        let term = |g: &mut holonom_symbols::expr::Graph, c: i64, e: i32| g.product(Number::integer(c), &[(s, e)]);
        let polynomial: Vec<(Number, Id)> =
            [(6, 5), (-15, 4), (10, 3)].into_iter().map(|(c, e)| (Number::ONE, term(g, c, e))).collect();
        let rise = g.sum(&polynomial);
        let (low, high) = (g.compare(Relation::LessEqual, s, Id::ZERO), g.compare(Relation::LessEqual, Id::ONE, s));
        let upper = g.select(high, Id::ONE, rise);
        Some(Value::number(g.select(low, Id::ZERO, upper)))
    }

    pub(super) fn dot(&mut self, a: &[Id], b: &[Id]) -> Id {
        let terms: Vec<(Number, Id)> =
            a.iter().zip(b).map(|(&a, &b)| (Number::ONE, self.graph.multiply(a, b))).collect();
        self.graph.sum(&terms)
    }

    fn vector_product(&mut self, name: &Ident, arguments: &'a [Expr], values: Vec<Value>, span: Span) -> Option<Value> {
        self.arity(name, arguments, 2, &format!("{}(u, v)", name.text), span)?;
        if values.iter().any(Value::is_bare_zero) {
            return Some(Value::zero());
        }
        for (argument, value) in arguments.iter().zip(&values) {
            if !matches!(value.data, Data::Vector(_)) {
                let error =
                    Diagnostic::error("vector-expected", format!("`{}` is a product of two vectors", name.text))
                        .at(argument.span, format!("this is {}", value.kind()))
                        .help("numbers are multiplied with `*`");
                self.report(error);
                return None;
            }
        }
        let (a, b) = (values[0].components(), values[1].components());
        if a.len() != b.len() {
            let error = Diagnostic::error("shape-mismatch", "the vectors have different numbers of components")
                .at(arguments[0].span, format!("this is {}", values[0].kind()))
                .at(arguments[1].span, format!("this is {}", values[1].kind()));
            self.report(error);
            return None;
        }
        let dim = times(values[0].dim, values[1].dim);
        let dim = self.sane(dim, &arguments[0])?;
        if name.text == "dot" {
            return Some(Value::scalar(self.dot(&a, &b), dim));
        }
        let mut minor = |i: usize, j: usize| {
            let (one, other) = (self.graph.multiply(a[i], b[j]), self.graph.multiply(a[j], b[i]));
            self.graph.subtract(one, other)
        };
        Some(if a.len() == 2 {
            Value::scalar(minor(0, 1), dim)
        } else {
            Value::vector(vec![minor(1, 2), minor(2, 0), minor(0, 1)], dim)
        })
    }

    /// A let with arguments, a table, or a function that stays a symbol.
    fn call_named(&mut self, name: &'a Ident, arguments: &'a [Expr], whole: &'a Expr) -> Option<Value> {
        let called = name.text.trim_end_matches('\'');
        let primes = name.text.len() - called.len();
        let (scope, last) = self.callee(called);
        let known = scope.and_then(|scope| self.scopes[scope].names.get_mut(last));
        let Some(known) = known else {
            if self.doubtful.contains(&name.text) {
                return None;
            }
            let mut candidates: Vec<&str> = functions().collect();
            let lets: Vec<&str> =
                self.lets.iter().filter(|one| !one.arguments.is_empty()).map(|one| one.name.as_str()).collect();
            candidates.extend(lets);
            candidates.extend(self.functions.iter().map(|one| one.function.name.as_str()));
            let error = Diagnostic::error("unknown-function", format!("there is no function `{}`", name.text));
            // `np.sin`, `Math.cos`: the function of another language's library.
            let bare = name.text.rsplit_once('.').map_or("", |(_, last)| last);
            let meant = candidates.iter().find(|one| **one == bare).copied();
            let translated = TRANSLATED.iter().find(|(said, ..)| *said == name.text);
            let error = match meant.or_else(|| closest(&name.text, candidates)) {
                _ if RATES.contains(&name.text.as_str()) && !arguments.is_empty() => {
                    self.rate_as_function(error, arguments, whole.span)
                }
                _ if translated.is_some() => {
                    let (_, right, what) = translated.copied().unwrap_or_default();
                    error.at(name.span, format!("{what} is `{right}`")).suggest(name.span, right)
                }
                Some(right) => {
                    error.at(name.span, format!("did you mean `{right}`?")).suggest(name.span, right.to_string())
                }
                None if matches!(name.text.as_str(), "deg" | "degrees" | "radians" | "rad") => {
                    error.at(name.span, "not a function").help("degrees are a unit: write `30 deg`")
                }
                None => error
                    .at(name.span, "not declared")
                    .help(format!("declare it: `let {}(a) = …`, or write `*` for a product", name.text)),
            };
            self.report(error);
            return None;
        };
        known.used = true;
        let member = match known.members {
            Members::One(member) => Some(member),
            Members::Family(_) => None,
        };
        match member {
            Some(Member::Let(which)) if !self.lets[which].arguments.is_empty() && primes == 0 => {
                self.call_let(which, arguments, whole.span)
            }
            Some(Member::Broken) => None,
            Some(Member::Table(table, scaling)) => {
                self.arity(name, arguments, 1, &format!("{}(t)", name.text), whole.span)?;
                let value = self.eval(&arguments[0]);
                let what = format!("the argument of `{}`", name.text);
                let id = self.scalar(&arguments[0], value, scaling.argument.1, &what)?;
                let argument = self.graph.divide(id, scaling.argument.0);
                let value = self.graph.table(table, primes as u8, argument);
                let mut value = self.graph.multiply(value, scaling.value.0);
                let mut dimension = scaling.value.1;
                for _ in 0..primes {
                    value = self.graph.divide(value, scaling.argument.0);
                    dimension = dimension.over(scaling.argument.1)?;
                }
                Some(Value::scalar(value, Dim::Of(dimension)))
            }
            Some(Member::Function(which)) => self.call_function(which, name, primes, arguments, whole.span),
            _ => {
                let text = self.sources.text(whole.span);
                let product =
                    text.strip_prefix(name.text.as_str()).map(|rest| format!("{}*{}", name.text, rest.trim_start()));
                let kind = scope.map_or("name", |scope| self.scopes[scope].names[last].kind);
                let error = Diagnostic::error("not-a-function", format!("the {kind} `{called}` is not a function"));
                let error = match member {
                    Some(Member::Let(which)) if !self.lets[which].arguments.is_empty() => {
                        Diagnostic::error("not-a-function", format!("`{}` is not declared as a function", name.text))
                            .at(name.span, "only tables and functions without a value have derivatives by their argument")
                            .help(format!(
                                "for the rate of change write `{called}(…)'`, or write the derivative out in a `let`"
                            ))
                    }
                    Some(Member::Coordinate(_) | Member::Particle(_)) if !arguments.is_empty() => {
                        error.at(whole.span, "it has one value at a time, and that is its name alone").help(format!(
                            "write `{called}` for its value as time goes on; `expect` and `event` ask for it at some time"
                        ))
                    }
                    _ => error.at(whole.span, "a product needs its `*`"),
                };
                let error = match product {
                    _ if error.help.len() == 1 => error,
                    Some(product) if arguments.len() == 1 => error.suggest(whole.span, product),
                    _ => error,
                };
                self.report(error);
                None
            }
        }
    }

    /// `link[2](a, b, c)`: only bodies are called by members of families.
    pub(super) fn apply(&mut self, whole: &'a Expr) -> Option<Value> {
        let before = self.diagnostics.len();
        if let Some(value) = self.call_of_body(whole) {
            return value;
        }
        if self.diagnostics.len() == before && self.need.is_none() {
            let error = Diagnostic::error("not-a-function", "only a body has points: `link[2](a, b, c)`")
                .at(whole.span, "not a body")
                .help("a product needs its `*`; a `let` takes its index as an argument");
            self.report(error);
        }
        None
    }

    /// The scope and the plain name of what is called by `e` or, in a part, by `arm.e`.
    fn callee<'n>(&mut self, called: &'n str) -> (Option<usize>, &'n str) {
        let mut steps = called.split('.');
        let mut name = steps.next().unwrap_or(called);
        let mut scope = self.scope_of(self.scope, name);
        for step in steps {
            let part = scope.and_then(|scope| self.scopes[scope].names.get_mut(name));
            scope = match part.map(|part| {
                part.used = true;
                &part.members
            }) {
                Some(&Members::One(Member::Part(part))) => Some(part),
                _ => None,
            };
            name = step;
        }
        (scope, name)
    }

    fn call_let(&mut self, which: usize, arguments: &'a [Expr], span: Span) -> Option<Value> {
        let names = self.lets[which].arguments;
        let name = self.lets[which].name.clone();
        if names.len() != arguments.len() {
            let list: Vec<&str> = names.iter().map(|one| one.text.as_str()).collect();
            let plural = if names.len() == 1 { "" } else { "s" };
            let error = Diagnostic::error("arguments", format!("`{name}` takes {} argument{plural}", names.len()))
                .at(span, format!("{} here", arguments.len()))
                .help(format!("write `{name}({})`", list.join(", ")));
            self.report(error);
            return None;
        }
        let values: Vec<Option<Value>> = arguments.iter().map(|argument| self.eval(argument)).collect();
        let values: Vec<Value> = values.into_iter().collect::<Option<_>>()?;
        self.check_vectors_for(which, &values, span)?;
        if matches!(self.lets[which].state, State::Running) {
            let error = Diagnostic::error("cyclic-definition", format!("`{name}` is defined by itself"))
                .at(self.lets[which].span, "calls itself")
                .help("a `let` with arguments cannot call itself; for a recursion use a family `name[i]`");
            self.report(error);
            return None;
        }
        if self.depth > DEEPEST_CALL {
            let error = Diagnostic::error("too-deep", "calls lie too deep in calls").at(span, "here");
            self.report(error);
            return None;
        }
        let locals = names.iter().zip(values).map(|(one, value)| (one.text.as_str(), Local::Argument(value))).collect();
        let before = std::mem::replace(&mut self.lets[which].state, State::Running);
        let locals = std::mem::replace(&mut self.locals, locals);
        let (body, inner) = (self.lets[which].value, self.lets[which].scope);
        let scope = std::mem::replace(&mut self.scope, inner);
        let value = self.eval(body);
        self.scope = scope;
        self.locals = locals;
        self.lets[which].state = before;
        self.let_from(which, value?, span)
    }

    /// `energy()`, `kinetic()`, `potential()`
    fn energy(&mut self, name: &Ident, arguments: &'a [Expr], span: Span) -> Option<Value> {
        self.arity(name, arguments, 0, &format!("{}()", name.text), span)?;
        if !self.energies_known {
            let error = Diagnostic::error("too-early", format!("`{}()` cannot be used here", name.text))
                .at(span, "the energy is made of this")
                .help("it can be used in `nonideal`, `friction`, `output`, `event` and `expect`");
            self.report(error);
            return None;
        }
        let (kinetic, potential) = (self.model.kinetic_energy, self.model.potential_energy);
        let id = match name.text.as_str() {
            "kinetic" => kinetic,
            "potential" => potential,
            _ => self.graph.add(kinetic, potential),
        };
        Some(Value::scalar(id, Dim::Of(self.due(Dimension::energy()))))
    }

    /// The dimension of a normal force, where slip has this dimension: their product is a power.
    pub(super) fn contact_force(&self, slip: Dimension) -> Dimension {
        let power = self.per_second(self.due(Dimension::energy()), 1);
        match over(Dim::Of(power), Dim::Of(slip)) {
            Some(Dim::Of(dimension)) => dimension,
            _ => power,
        }
    }

    /// The name that an argument is, where constraints are named.
    pub(super) fn is_name(expression: &Expr) -> bool {
        matches!(expression.kind, ExprKind::Name(_) | ExprKind::Index(..) | ExprKind::Member(..))
    }
}
