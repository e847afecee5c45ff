//! Expressions: names looked up, operators applied, dimensions carried along.

use super::elaborator::{Elaborator, MOST_NODES, MOST_WORK};
use super::scope::{Local, Member, Members, Name, with_indices};
use super::value::{Data, Dim, Value};
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::syntax::{CompareOp, Expr, ExprKind, Ident, Unit};
use crate::units::{self, Dimension};
use holonom_symbols::expr::{Depends, Id, Number, Relation, Symbol};

/// What a path of names means.
pub(super) enum Found<'a> {
    Member(Member),
    /// A family without its index.
    Family(usize, &'a str),
    Value(Value),
}

impl<'a> Elaborator<'a> {
    /// The value of an expression; nothing where a mistake was found, which then has been reported.
    pub(super) fn eval(&mut self, expression: &'a Expr) -> Option<Value> {
        if self.need.is_some() || self.exhausted {
            return None;
        }
        self.work += 1;
        if self.work > MOST_WORK {
            self.too_large(expression.span, "the model takes too many steps to write out");
            return None;
        }
        if self.graph.len() > MOST_NODES {
            self.too_large(expression.span, "the model has too many different expressions");
            return None;
        }
        self.depth += 1;
        let value = self.eval_kind(expression);
        self.depth -= 1;
        value
    }

    fn eval_kind(&mut self, expression: &'a Expr) -> Option<Value> {
        match &expression.kind {
            ExprKind::Number(text) => self.literal(text, expression.span),
            ExprKind::Quantity(text, unit) => self.quantity(text, unit, expression.span),
            ExprKind::Name(_) | ExprKind::Index(..) | ExprKind::Member(..) => {
                let found = self.path(expression)?;
                self.found_value(found, expression.span)
            }
            ExprKind::Prime(inner, primes) => self.prime(inner, *primes, expression.span),
            ExprKind::Call(name, arguments) => self.call(name, arguments, expression),
            ExprKind::Apply(..) => self.apply(expression),
            ExprKind::On(..) => self.call_of_body(expression)?,
            ExprKind::Power(base, exponent) => self.power(base, exponent),
            ExprKind::Negate(inner) => {
                let value = self.eval(inner)?;
                self.numeric(inner, &value)?;
                value.map(&mut self.graph, &mut |graph, id| graph.negate(id), &Some)
            }
            ExprKind::Product(first, rest) => self.product(first, rest),
            ExprKind::Sum(first, rest) => self.sum(first, rest),
            ExprKind::Total(total) => self.total(total, expression.span),
            ExprKind::Compare(op, a, b) => self.compare(*op, a, b, expression),
            ExprKind::Not(inner) => {
                let truth = self.truth(inner)?;
                Some(Value::truth(self.graph.not(truth)))
            }
            ExprKind::And(all) | ExprKind::Or(all) => {
                let and = matches!(expression.kind, ExprKind::And(_));
                let truths: Vec<Option<Id>> = all.iter().map(|one| self.truth(one)).collect();
                let mut result = if and { Id::ONE } else { Id::ZERO };
                for truth in truths {
                    let truth = truth?;
                    result = match result {
                        Id::ONE if and => truth,
                        Id::ZERO if !and => truth,
                        _ if and => self.graph.and(result, truth),
                        _ => self.graph.or(result, truth),
                    };
                }
                Some(Value::truth(result))
            }
            ExprKind::Paren(inner) => self.eval(inner),
            ExprKind::Tuple(all) => self.tuple(all, expression.span),
            ExprKind::List(all) => {
                let elements: Vec<Option<Value>> = all.iter().map(|one| self.eval(one)).collect();
                Some(Value::list(elements.into_iter().collect::<Option<_>>()?))
            }
            ExprKind::Text(_) => {
                let error = Diagnostic::error("number-expected", "quoted text is not a value")
                    .at(expression.span, "text here")
                    .help("quotes are for names of files: `table f = \"f.csv\"`");
                self.report(error);
                None
            }
            ExprKind::Broken => None,
        }
    }

    fn literal(&mut self, text: &str, span: Span) -> Option<Value> {
        let Some(number) = Number::decimal(text) else {
            self.report(Diagnostic::error("number-range", format!("`{text}` is too large")).at(span, "beyond 1e308"));
            return None;
        };
        let dim = if number.is_zero() { Dim::Any } else { Dim::NUMBER };
        Some(Value::scalar(self.graph.number(number), dim))
    }

    fn quantity(&mut self, text: &str, unit: &Unit, span: Span) -> Option<Value> {
        let number = self.literal(text, span)?.components()[0];
        let info = self.unit(unit)?;
        if unit.factors.iter().any(|factor| factor.name.text == "rpm") {
            self.report(units::counts_turns(text, unit));
        }
        let scale = Number::ratio(info.scale.num, info.scale.den)?;
        let pi = self.graph.pi();
        let id = self.graph.product(scale, &[(number, 1), (pi, info.scale.pi)]);
        Some(Value::scalar(id, Dim::Of(info.dimension)))
    }

    pub(super) fn unit(&mut self, unit: &Unit) -> Option<units::UnitInfo> {
        match units::resolve(unit) {
            Ok(info) => Some(info),
            Err(error) => {
                self.report(error.diagnostic(unit));
                None
            }
        }
    }

    /// What a name, perhaps with indices and parts, means.
    pub(super) fn path(&mut self, expression: &'a Expr) -> Option<Found<'a>> {
        match &expression.kind {
            ExprKind::Name(name) => self.name(name, expression.span),
            ExprKind::Index(base, indices) => {
                let found = self.path(base)?;
                let Found::Family(scope, name) = found else {
                    return self.not_a_family(base);
                };
                let indices: Option<Vec<i64>> = indices.iter().map(|index| self.integer(index)).collect();
                let indices = indices?;
                self.family_member(scope, name, &indices, expression.span).map(Found::Member)
            }
            ExprKind::Member(base, ident) => {
                let found = self.path(base)?;
                match found {
                    Found::Member(Member::Part(scope)) => {
                        if !self.scopes[scope].names.contains_key(ident.text.as_str()) {
                            self.unknown_member(scope, ident);
                            return None;
                        }
                        self.declared(scope, ident.text.as_str())
                    }
                    Found::Member(Member::Stop(low)) => {
                        let which = self.side_of_stop(low, ident)?;
                        Some(Found::Member(Member::Constraint(which)))
                    }
                    Found::Member(Member::Body(body)) => self.body_member(body, ident).map(Found::Value),
                    Found::Member(Member::Joint(joint)) => self.joint_member(joint, ident).map(Found::Value),
                    found => {
                        let value = self.found_value(found, base.span)?;
                        self.component(base, value, ident).map(Found::Value)
                    }
                }
            }
            ExprKind::Paren(inner) => self.path(inner),
            _ => self.eval(expression).map(Found::Value),
        }
    }

    fn not_a_family(&mut self, base: &'a Expr) -> Option<Found<'a>> {
        let text = self.sources.text(base.span);
        let error = Diagnostic::error("not-a-family", format!("`{text}` has no members to choose from"))
            .at(base.span, "not a family")
            .help("only what is declared with an index can be indexed; the components of a vector are `v.x`, `v.y`, `v.z`");
        self.report(error);
        None
    }

    /// A message about a name that a part does not have.
    pub(super) fn unknown_member(&mut self, scope: usize, ident: &Ident) {
        if self.doubtful.contains(&ident.text) {
            return;
        }
        let part = self.scopes[scope].prefix.trim_end_matches('.').to_string();
        let mut names: Vec<&str> = self.scopes[scope].names.keys().copied().collect();
        names.sort_unstable();
        let error = Diagnostic::error("unknown-name", format!("the part `{part}` has no `{}`", ident.text));
        let error = match crate::names::closest(&ident.text, names.iter().copied()) {
            Some(right) => error.at(ident.span, format!("did you mean `{right}`?")).suggest(ident.span, right),
            None => error.at(ident.span, "not declared there"),
        };
        self.report(error);
    }

    fn name(&mut self, name: &'a str, span: Span) -> Option<Found<'a>> {
        if let Some(local) = self.local(name) {
            return Some(Found::Value(match local.clone() {
                Local::Index(value) => Value::number(self.graph.integer(value)),
                Local::Argument(value) => value,
            }));
        }
        match name {
            "t" => {
                let id = self.graph.symbol(Symbol::Time);
                return Some(Found::Value(Value::scalar(id, Dim::Of(self.due(Dimension::TIME)))));
            }
            "pi" => return Some(Found::Value(Value::number(self.graph.pi()))),
            _ => {}
        }
        if let Some(scope) = self.scope_of(self.scope, name) {
            return self.declared(scope, name);
        }
        if let Some((which, slip)) = self.contact {
            let normal = self.contact_force(slip);
            match name {
                "slip" => {
                    let id = self.graph.symbol(Symbol::Slip(which));
                    return Some(Found::Value(Value::scalar(id, Dim::Of(slip))));
                }
                "normal" => {
                    let id = self.graph.symbol(Symbol::Normal(which));
                    return Some(Found::Value(Value::scalar(id, Dim::Of(normal))));
                }
                _ => {}
            }
        }
        self.unknown_name(self.scope, name, span);
        None
    }

    fn declared(&mut self, scope: usize, name: &'a str) -> Option<Found<'a>> {
        let known = self.scopes[scope].names.get_mut(name)?;
        known.used = true;
        Some(match known.members {
            Members::One(member) => Found::Member(member),
            Members::Family(_) => Found::Family(scope, name),
        })
    }

    /// The member of a family with these indices.
    pub(super) fn family_member(&mut self, scope: usize, name: &str, indices: &[i64], span: Span) -> Option<Member> {
        let Some(Name { members: Members::Family(members), kind, .. }) = self.scopes[scope].names.get(name) else {
            return None;
        };
        if let Some(&member) = members.get(indices) {
            return Some(member);
        }
        let arity = members.keys().next().map_or(0, Vec::len);
        let shown = with_indices(&format!("{}{name}", self.scopes[scope].prefix), indices);
        let error = Diagnostic::error("out-of-range", format!("there is no `{shown}`"));
        let error = if members.is_empty() || arity == indices.len() {
            let locals: Vec<String> = self
                .locals
                .iter()
                .filter_map(|(name, local)| match local {
                    Local::Index(value) => Some(format!("`{name}` is {value}")),
                    Local::Argument(_) => None,
                })
                .collect();
            let here =
                if locals.is_empty() { "not declared".to_string() } else { format!("when {}", locals.join(" and ")) };
            let error = error.at(span, here);
            if arity == 1 {
                let range = (members.keys().map(|key| key[0]).min(), members.keys().map(|key| key[0]).max());
                match range {
                    (Some(only), Some(last)) if only == last && last > 1 && *kind == "coordinate" => error
                        .note(format!("`coord {name}[{only}]` declares one coordinate, the one with the index {only}"))
                        .help(format!("for {last} of them write `coord {name}[1..{last}]`")),
                    (Some(first), Some(last)) => {
                        let error = error.note(format!("`{name}` is declared from {first} to {last}"));
                        match *kind {
                            "coordinate" | "particle" | "let" | "parameter" => error.help(format!(
                                "choose the range so that it stays inside, or declare the boundary: `let {} = …`",
                                with_indices(name, indices)
                            )),
                            _ => error.help("choose the range so that it stays inside"),
                        }
                    }
                    _ => error,
                }
            } else {
                error
            }
        } else {
            error.at(span, format!("`{name}` has {arity} indices, not {}", indices.len()))
        };
        self.report(error);
        None
    }

    /// The value of what a path means.
    pub(super) fn found_value(&mut self, found: Found<'a>, span: Span) -> Option<Value> {
        let member = match found {
            Found::Value(value) => return Some(value),
            Found::Member(member) => member,
            Found::Family(scope, name) => {
                let error = Diagnostic::error("index-missing", format!("`{name}` is a family"))
                    .at(span, "which member?")
                    .note(format!("declared as a family of {} members", self.family_size(scope, name)))
                    .help(format!("write `{name}[1]`, or `{name}[i]` where an index `i` is declared"));
                let error = match self.only_index(scope, name) {
                    Some(only) => {
                        error.help(format!("for {only} of them declare `{name}[1..{only}]`, not `{name}[{only}]`"))
                    }
                    None => error,
                };
                self.report(error);
                return None;
            }
        };
        match member {
            Member::Broken => None,
            Member::Parameter(which) => {
                let dim = Dim::Of(self.model.parameters[which].dimension);
                Some(Value::scalar(self.graph.symbol(Symbol::Parameter(which as u32)), dim))
            }
            Member::Coordinate(which) => {
                let dim = Dim::Of(self.model.coordinates[which].dimension);
                Some(Value::scalar(self.graph.symbol(Symbol::Position(which as u32)), dim))
            }
            Member::Particle(which) => {
                let at = self.positions[which];
                let value = self.force(at)?;
                Some(self.particle_from(at, value))
            }
            Member::Let(which) => {
                let one = &self.lets[which];
                if one.arguments.is_empty() {
                    let value = self.force(which)?;
                    return self.let_from(which, value, span);
                }
                let (name, count) = (one.name.clone(), one.arguments.len());
                let error = Diagnostic::error("arguments", format!("`{name}` needs its arguments"))
                    .at(span, format!("takes {count}"))
                    .help(format!("write `{name}(…)`"));
                self.report(error);
                None
            }
            Member::Table(..) => {
                let name = self.sources.text(span);
                let error = Diagnostic::error("arguments", format!("the table `{name}` needs its argument"))
                    .at(span, "a function of one argument")
                    .help(format!("write `{name}(t)`, or whatever it is a table over"));
                self.report(error);
                None
            }
            Member::Function(which) => self.function_alone(which, span),
            Member::Constraint(which) => {
                let constraint = &self.model.constraints[which];
                let (name, one_sided) = (constraint.name.clone(), constraint.side.is_some());
                let mut error = Diagnostic::error("not-a-value", format!("`{name}` is a constraint, not a value"))
                    .at(span, "a constraint");
                if one_sided {
                    error = error.help(format!("an event can wait for `{name} catches` or `{name} lets go`"));
                }
                let error = error.help(format!(
                    "its ideal multiplier is `multiplier({name})`, its total reaction `reaction({name})`"
                ));
                self.report(error);
                None
            }
            Member::Stop(low) => {
                let name = self.stop_name(low);
                let error = Diagnostic::error("not-a-value", format!("`{name}` is a stop, not a value"))
                    .at(span, "a stop")
                    .help(format!("its reactions are `reaction({name}.low)` and `reaction({name}.high)`"));
                self.report(error);
                None
            }
            Member::Body(body) => self.body_value(body),
            Member::Joint(joint) => self.joint_value(joint, span),
            Member::Frame(_) | Member::Element(_) => {
                let text = self.sources.text(span).to_string();
                let what = if matches!(member, Member::Frame(_)) { "frame" } else { "spring or damper" };
                let error = Diagnostic::error("not-a-value", format!("`{text}` is a {what}, not a value"))
                    .at(span, "has no value");
                self.report(error);
                None
            }
            Member::Part(scope) => {
                let name = self.scopes[scope].prefix.trim_end_matches('.').to_string();
                let error = Diagnostic::error("not-a-value", format!("`{name}` is a part, not a value"))
                    .at(span, "a part")
                    .help(format!("write which of its names is meant: `{name}.x`"));
                self.report(error);
                None
            }
        }
    }

    /// The index of a family's only member, where it is not the first: `coord x[3]` for three of them.
    fn only_index(&self, scope: usize, name: &str) -> Option<i64> {
        let Members::Family(members) = &self.scopes[scope].names.get(name)?.members else { return None };
        let mut keys = members.keys();
        match (keys.next().map(Vec::as_slice), keys.next()) {
            (Some(&[only]), None) if only > 1 => Some(only),
            _ => None,
        }
    }

    fn family_size(&self, scope: usize, name: &str) -> usize {
        match self.scopes[scope].names.get(name).map(|known| &known.members) {
            Some(Members::Family(members)) => members.len(),
            _ => 1,
        }
    }

    /// A component of a vector.
    fn component(&mut self, base: &'a Expr, value: Value, ident: &Ident) -> Option<Value> {
        let place = match ident.text.as_str() {
            "x" => Some(0),
            "y" => Some(1),
            "z" => Some(2),
            _ => None,
        };
        let text = self.sources.text(base.span).to_string();
        let error = match (&value.data, place) {
            (Data::Vector(components), Some(place)) if place < components.len() => {
                return Some(Value::scalar(components[place], value.dim));
            }
            (Data::Vector(components), Some(_)) => {
                Diagnostic::error("no-component", format!("`{text}` has {} components", components.len()))
                    .at(ident.span, "it lies in the plane: `.x` and `.y`")
            }
            (Data::Vector(_), None) => Diagnostic::error("no-component", format!("`{text}` has no `{}`", ident.text))
                .at(ident.span, "the components of a vector are `.x`, `.y`, `.z`"),
            (_, None) if matches!(ident.text.as_str(), "dot" | "d" | "diff" | "ddot") => {
                let primes = if ident.text == "ddot" { "''" } else { "'" };
                Diagnostic::error("unknown-name", format!("the velocity of `{text}` is written `{text}{primes}`"))
                    .at(ident.span, "no such component")
                    .suggest(base.span.to(ident.span), format!("{text}{primes}"))
            }
            _ => Diagnostic::error("vector-expected", format!("`{text}` has no components"))
                .at(base.span, format!("this is {}", value.kind())),
        };
        self.report(error);
        None
    }

    /// The total time derivative.
    fn prime(&mut self, inner: &'a Expr, primes: u8, span: Span) -> Option<Value> {
        let mut value = self.eval(inner)?;
        self.numeric(inner, &value)?;
        for _ in 0..primes {
            value = self.rate(&value, span)?;
        }
        Some(value)
    }

    fn rate(&mut self, value: &Value, span: Span) -> Option<Value> {
        let components = value.components();
        let depends = components.iter().fold(Depends::NOTHING, |all, &id| all | self.graph.depends(id));
        if depends.on(Depends::ACCELERATION) {
            let error = Diagnostic::error("third-derivative", "nothing goes beyond the second time derivative")
                .at(span, "the derivative of an acceleration")
                .help("positions have velocities `x'` and accelerations `x''`, and no more");
            self.report(error);
            return None;
        }
        if depends.on(Depends::FORCE | Depends::CONTACT) {
            let error = Diagnostic::error("derivative-of-force", "a constraint force has no time derivative here")
                .at(span, "depends on multipliers or reactions");
            self.report(error);
            return None;
        }
        let mut rates = std::mem::take(&mut self.rates);
        let second = self.due(Dimension::TIME);
        let result = value.map(&mut self.graph, &mut |graph, id| graph.rate_with(id, &mut rates), &|dim| {
            super::value::over(dim, Dim::Of(second))
        });
        self.rates = rates;
        result
    }

    fn tuple(&mut self, all: &'a [Expr], span: Span) -> Option<Value> {
        let values: Vec<Option<Value>> = all.iter().map(|one| self.eval(one)).collect();
        let values: Vec<Value> = values.into_iter().collect::<Option<_>>()?;
        if !(2..=3).contains(&values.len()) {
            let error = Diagnostic::error("wrong-length", "a vector has 2 or 3 components")
                .at(span, format!("{} components", values.len()))
                .help("lists over all coordinates are written in brackets: `[a, b, c, d]`");
            self.report(error);
            return None;
        }
        let mut dim = Dim::Any;
        let mut first = None;
        let mut components = Vec::with_capacity(values.len());
        for (one, value) in all.iter().zip(&values) {
            let Data::Scalar(id) = value.data else {
                let error = Diagnostic::error("number-expected", "the components of a vector are numbers")
                    .at(one.span, format!("this is {}", value.kind()));
                self.report(error);
                return None;
            };
            components.push(id);
            if let Some((first, _)) = first
                && !self.same((first, dim), (one, value.dim), "the components of this vector")
            {
                return None;
            }
            if dim == Dim::Any && value.dim != Dim::Any {
                dim = value.dim;
                first = Some((one, dim));
            }
        }
        Some(Value::vector(components, dim))
    }

    /// A condition.
    pub(super) fn truth(&mut self, expression: &'a Expr) -> Option<Id> {
        let value = self.eval(expression)?;
        match value.data {
            Data::Truth(id) => Some(id),
            _ => {
                let error = Diagnostic::error("condition-expected", "a condition is needed here")
                    .at(expression.span, format!("this is {}", value.kind()))
                    .help("compare it: `x < 0`");
                self.report(error);
                None
            }
        }
    }

    fn compare(&mut self, op: CompareOp, a: &'a Expr, b: &'a Expr, whole: &'a Expr) -> Option<Value> {
        if matches!(op, CompareOp::Equal | CompareOp::NotEqual) {
            if let Some(truth) = self.exact_truth(whole) {
                return Some(Value::truth(if truth { Id::ONE } else { Id::ZERO }));
            }
            let error = Diagnostic::error("equality-of-reals", "real numbers are never tested for equality")
                .at(whole.span, "rounding decides this")
                .help("compare with `<` or `>`, or write an event as `EXPR crosses`");
            self.report(error);
            return None;
        }
        let (left, right) = (self.eval(a), self.eval(b));
        let (left, right) = (left?, right?);
        let left_id =
            self.scalar(a, Some(Value { dim: Dim::Any, ..left.clone() }), Dimension::NUMBER, "what is compared")?;
        let right_id =
            self.scalar(b, Some(Value { dim: Dim::Any, ..right.clone() }), Dimension::NUMBER, "what is compared")?;
        if !self.same((a, left.dim), (b, right.dim), "what is compared must be alike, but the sides") {
            return None;
        }
        Some(Value::truth(match op {
            CompareOp::Less => self.graph.compare(Relation::Less, left_id, right_id),
            CompareOp::LessEqual => self.graph.compare(Relation::LessEqual, left_id, right_id),
            CompareOp::Greater => self.graph.compare(Relation::Less, right_id, left_id),
            _ => self.graph.compare(Relation::LessEqual, right_id, left_id),
        }))
    }

    /// Refuses conditions where numbers are due.
    pub(super) fn numeric(&mut self, expression: &'a Expr, value: &Value) -> Option<()> {
        if let Data::Truth(_) = value.data {
            let error = Diagnostic::error("number-expected", "a condition is not a number")
                .at(expression.span, "a condition")
                .help("write `if(condition, 1, 0)`");
            self.report(error);
            return None;
        }
        Some(())
    }
}
