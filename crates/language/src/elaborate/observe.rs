//! What is looked at: outputs, events, expectations, drawings.

use std::collections::{BTreeSet, HashSet};

use super::Elaborator;
use super::case::Case;
use super::mechanics::Aim;
use super::value::{Data, Value};
use crate::checked::{Event, EventAction, Expectation, Expected, FamilyKind, Output, When};
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::syntax::{
    Action, Change, Claim, Condition, EventItem, ExpectItem, Expr, OutputItem, StartItem, Statement, StatementKind,
};
use crate::units::Dimension;
use holonom_symbols::expr::{Depends, Graph, Id, Node, Relation, Symbol};

impl<'a> Elaborator<'a> {
    pub(super) fn observe_statement(&mut self, statement: &'a Statement) {
        match &statement.kind {
            StatementKind::Output(items) => items.iter().for_each(|item| self.output(item)),
            StatementKind::Event(item) => self.event(item),
            StatementKind::Expect(items) => items.iter().for_each(|item| self.expect(item)),
            StatementKind::Draw(item) => self.draw(item),
            _ => {}
        }
    }

    fn everything() -> Depends {
        Depends::TIME | Depends::POSITION | Depends::VELOCITY | Depends::ACCELERATION | Depends::FORCE
    }

    fn output(&mut self, item: &'a OutputItem) {
        let Some(step) = self.plain(&item.target, "an output") else { return };
        let mut members = Vec::new();
        for case in self.cases(&item.target) {
            let name = self.full_name(&step.name.text, case.last().as_deref());
            if let Some(&first) = self.scopes[0].outputs.get(&name) {
                self.twice("output", &name, item.target.span, first);
                continue;
            }
            self.scopes[0].outputs.insert(name.clone(), item.target.span);
            let Some(value) = self.within(&case, |this| this.value(&item.value)) else { continue };
            let components = value.components();
            if self.is_column(item, &name, components.len()) {
                continue;
            }
            let dimension = value.dim.or_number();
            self.check_constants(&item.value, &name, &components);
            if self.only(&item.value, &components, Self::everything(), "an output") {
                if let Some(indices) = case.last() {
                    members.push((indices, self.model.outputs.len()));
                }
                self.model.outputs.push(Output { name, components, dimension, span: item.span });
            }
        }
        self.family(&item.target, FamilyKind::Output, step, members);
    }

    /// Refuses the name of something that is recorded anyway: the table of results would have it twice.
    fn is_column(&mut self, item: &'a OutputItem, name: &str, count: usize) -> bool {
        let error = if matches!(name, "t" | "kinetic" | "potential") {
            Diagnostic::error("reserved-name", format!("results have a column `{name}` of their own"))
                .at(item.target.span, "choose another name")
        } else {
            if self.columns.is_empty() {
                let own = self.model.coordinates.iter().enumerate().map(|(which, one)| (one.name.clone(), which));
                self.columns = own.collect();
            }
            let column = match count {
                1 => self.columns.get(name),
                _ => ["x", "y", "z"].iter().find_map(|axis| self.columns.get(&format!("{name}.{axis}"))),
            };
            let Some(&which) = column else { return false };
            let coordinate = &self.model.coordinates[which];
            let message = format!("the output `{name}` has the name of the coordinate `{}`", coordinate.name);
            Diagnostic::error("redefined-name", message)
                .at(item.target.span, "coordinates are recorded anyway")
                .at(coordinate.span, "declared here")
                .help("choose another name for the output")
        };
        self.report(error);
        true
    }

    fn twice(&mut self, kind: &str, name: &str, again: Span, first: Span) {
        let error = Diagnostic::error("redefined-name", format!("the {kind} `{name}` is declared twice"))
            .at(again, "declared again")
            .at(first, "declared here first");
        self.report(error);
    }

    fn event(&mut self, item: &'a EventItem) {
        let Some(step) = self.plain(&item.target, "an event") else { return };
        let mut members = Vec::new();
        for case in self.cases(&item.target) {
            let name = self.full_name(&step.name.text, case.last().as_deref());
            if let Some(&first) = self.scopes[0].events.get(&name) {
                self.twice("event", &name, item.target.span, first);
                continue;
            }
            self.scopes[0].events.insert(name.clone(), item.target.span);
            let event = self.within(&case, |this| {
                let when = this.when(&item.condition);
                let mut actions = Some(Vec::new());
                for action in &item.actions {
                    let done = this.action(action);
                    actions = match (actions, done) {
                        (Some(mut all), Some(more)) => {
                            all.extend(more);
                            Some(all)
                        }
                        _ => None,
                    };
                }
                Some(Event { name, when: when?, actions: actions?, span: item.span })
            });
            if let Some(event) = event {
                if let Some(indices) = case.last() {
                    members.push((indices, self.model.events.len()));
                }
                self.model.events.push(event);
            }
        }
        self.family(&item.target, FamilyKind::Event, step, members);
    }

    fn when(&mut self, condition: &'a Condition) -> Option<When> {
        match condition {
            Condition::Becomes(expression) => {
                let value = self.value(expression)?;
                let Data::Truth(id) = value.data else {
                    let error = Diagnostic::error("condition-expected", "an event needs a condition")
                        .at(expression.span, format!("this is {}", value.kind()))
                        .help("write an inequality that becomes true, `y < 0`, or `EXPR rises`, `falls`, `crosses`");
                    self.report(error);
                    return None;
                };
                self.only(expression, &[id], Self::everything(), "an event").then_some(When::Becomes(id))
            }
            Condition::Passes(expression, direction) => {
                let value = self.value(expression)?;
                let any = Value { dim: super::value::Dim::Any, ..value };
                let id = self.scalar(expression, Some(any), Dimension::NUMBER, "what passes through zero")?;
                self.only(expression, &[id], Self::everything(), "an event").then_some(When::Passes(id, *direction))
            }
            Condition::Contact(name, change) => {
                let which = self.one_sided_constraint(name, *change)?;
                Some(match change {
                    Change::Catches => When::Catches(which),
                    Change::LetsGo => When::LetsGo(which),
                })
            }
        }
    }

    fn action(&mut self, action: &'a Action) -> Option<Vec<EventAction>> {
        match action {
            Action::Stop(_) => Some(vec![EventAction::Stop]),
            Action::Record(_) => Some(vec![EventAction::Record]),
            Action::Drop(target) | Action::Add(target) => {
                let drop = matches!(action, Action::Drop(_));
                let mut all = Vec::new();
                for case in self.cases(target) {
                    for which in self.within(&case, |this| this.switched_aim(target, &case.indices))? {
                        self.two_sided(which, target.span, if drop { "drop" } else { "add" })?;
                        all.push(if drop { EventAction::Drop(which) } else { EventAction::Add(which) });
                    }
                }
                Some(all)
            }
            Action::Impact { target, restitution, .. } => {
                let mut all = Vec::new();
                for case in self.cases(target) {
                    let struck = self.within(&case, |this| {
                        let struck = this.switched_aim(target, &case.indices)?;
                        struck.iter().try_for_each(|&which| this.two_sided(which, target.span, "impact"))?;
                        let restitution = this.restitution(restitution.as_ref())?;
                        Some(struck.into_iter().map(move |which| EventAction::Impact(which, restitution)))
                    })?;
                    all.extend(struck);
                }
                Some(all)
            }
            Action::Set(item) => {
                let mut all = Vec::new();
                for case in self.cases(&item.target) {
                    all.extend(self.within(&case, |this| this.set(item, &case))?);
                }
                Some(all)
            }
        }
    }

    fn set(&mut self, item: &'a StartItem, case: &Case<'a>) -> Option<Vec<EventAction>> {
        let target = &item.target;
        let aim = self.aim(target, &case.indices)?;
        let value = self.value(&item.value);
        let state = Depends::TIME | Depends::POSITION | Depends::VELOCITY | Depends::FORCE;
        if let Aim::Parameter(which) = aim
            && target.primes == 0
        {
            self.set_in_events.push((which, target.span));
            let dimension = self.model.parameters[which].dimension;
            let what = format!("`{}`", self.model.parameters[which].name);
            let id = self.scalar(&item.value, value, dimension, &what)?;
            return self
                .only(&item.value, &[id], state, "a value that is set")
                .then(|| vec![EventAction::Set(Symbol::Parameter(which as u32), id)]);
        }
        if matches!(aim, Aim::Parameter(_) | Aim::Constraint(_) | Aim::Spin(_)) || target.primes > 1 {
            let error = Diagnostic::error("wrong-target", "`set` changes coordinates, velocities and parameters")
                .at(target.span, "none of them")
                .help("write `set y' = -r*y'` or `set k = 3`; constraints are switched by `drop NAME` and `add NAME`");
            self.report(error);
            return None;
        }
        let targets = self.coordinates_at(target, aim)?;
        let ids = self.spread(&item.value, value, &targets, i32::from(target.primes))?;
        self.only(&item.value, &ids, state, "a value that is set").then_some(())?;
        let symbol = |which: usize| {
            if target.primes == 0 { Symbol::Position(which as u32) } else { Symbol::Velocity(which as u32) }
        };
        Some(targets.into_iter().zip(ids).map(|(which, id)| EventAction::Set(symbol(which), id)).collect())
    }

    /// An output that is made of numbers alone, and is none: `sqrt(-1)`.
    fn check_constants(&mut self, expression: &'a Expr, name: &str, components: &[Id]) {
        for &id in components {
            let is_constant = self.graph.symbols(&[id]).is_empty() && !self.is_unspecified(id);
            let value = self.fixed_number(id);
            if is_constant && !value.is_finite() {
                let error = Diagnostic::error("not-finite", format!("the output `{name}` is not a finite number"))
                    .at(expression.span, format!("{value} whatever the state is"))
                    .help("look for a division by zero, or a root or logarithm of a negative number");
                return self.report(error);
            }
        }
    }

    /// Parameters that indices and ranges were made of, and those that these are made of; in order.
    pub(super) fn all_sizes(&self) -> Vec<usize> {
        let mut open: Vec<usize> = self.sizes.iter().copied().collect();
        let mut all = BTreeSet::new();
        while let Some(which) = open.pop() {
            if all.insert(which) {
                let through = self.graph.symbols(&[self.model.parameters[which].value]).into_iter();
                open.extend(through.filter_map(|symbol| match symbol {
                    Symbol::Parameter(which) => Some(which as usize),
                    _ => None,
                }));
            }
        }
        all.into_iter().collect()
    }

    /// Refuses events that set what indices and ranges were made of.
    pub(super) fn check_set_parameters(&mut self) {
        let set_in_events = std::mem::take(&mut self.set_in_events);
        let sizes = if set_in_events.is_empty() { Vec::new() } else { self.all_sizes() };
        for (set, span) in set_in_events {
            if sizes.contains(&set) {
                let name = self.model.parameters[set].name.clone();
                let error = Diagnostic::error("wrong-target", format!("`{name}` cannot change during a run"))
                    .at(span, "families, indices or places of bodies are made of it")
                    .help("the members of a family are fixed; constraints are switched by `drop NAME` and `add NAME`");
                self.report(error);
            }
        }
    }

    /// Warns of what is allowed and hardly ever meant.
    pub(super) fn warn_of_odd_things(&mut self) {
        let divisors = std::mem::take(&mut self.divisors);
        if self.has_mistakes() {
            return;
        }
        divisors.into_iter().for_each(|warning| self.report(warning));
        self.warn_of_added();
        self.warn_of_free_fall();
    }

    /// Events that add what is on, and was never dropped.
    fn warn_of_added(&mut self) {
        let actions = || self.model.events.iter().flat_map(|event| event.actions.iter().map(move |one| (event, one)));
        let dropped: HashSet<usize> = actions()
            .filter_map(|(_, action)| if let EventAction::Drop(which) = action { Some(*which) } else { None })
            .collect();
        let mut warnings = Vec::new();
        let mut said = HashSet::new();
        for (event, action) in actions() {
            let EventAction::Add(which) = action else { continue };
            let constraint = &self.model.constraints[*which];
            if constraint.off || constraint.side.is_some() || dropped.contains(which) {
                continue;
            }
            let joint = self.model.joints.iter().find(|joint| joint.constraints.contains(which));
            let (kind, name, span) = match joint {
                Some(joint) => ("joint", &joint.name, joint.span),
                None => ("constraint", &constraint.name, constraint.name_span),
            };
            if said.insert((name.clone(), event.span)) {
                let warning =
                    Diagnostic::warning("always-on", format!("the {kind} `{name}` is on, and `add` changes nothing"))
                        .at(event.span, "adds it")
                        .at(span, "on from the start, and no event drops it")
                        .help(format!(
                            "declare it with `, off` if it begins with the event, or drop it before: `-> drop {name}`"
                        ));
                warnings.push(warning);
            }
        }
        warnings.into_iter().for_each(|warning| self.report(warning));
    }

    /// A mechanism under gravity that nothing holds.
    fn warn_of_free_fall(&mut self) {
        let acts = |statement: &StatementKind| {
            use StatementKind::{Damper, Force, Lagrangian, Potential, Spring, Torque};
            matches!(statement, Damper(_) | Force(_) | Lagrangian(_) | Potential(_) | Spring(_) | Torque(_))
        };
        let model = &self.model;
        let pulls = model.gravity.as_ref().is_some_and(|all| all.iter().any(|&one| one != Id::ZERO));
        let is_held = model.joints.iter().any(|joint| joint.bodies.contains(&None))
            || model.constraints.iter().any(|constraint| !constraint.is_made)
            || self.order.iter().any(|(_, statement)| acts(&statement.kind))
            || !self.bodies.all.iter().skip(1).all(|body| body.is_unattached());
        if model.joints.is_empty() || !pulls || is_held {
            return;
        }
        let warning = Diagnostic::warning("free-fall", "no joint holds this mechanism: it falls freely")
            .at(model.joints[0].span, "joins bodies, and none of them to the ground")
            .help("join a body to the ground, such as by `joint base: hinge(ground, arm), at P, axis N`");
        self.report(warning);
    }

    /// Warns of constraints that are off and stay so.
    pub(super) fn warn_of_off(&mut self) {
        if self.has_mistakes() {
            return;
        }
        let mut on = vec![false; self.model.constraints.len()];
        for action in self.model.events.iter().flat_map(|event| &event.actions) {
            if let EventAction::Add(which) | EventAction::Impact(which, _) = action {
                on[*which] = true;
            }
        }
        for which in (0..on.len()).filter(|&which| !on[which]) {
            let constraint = &self.model.constraints[which];
            let joint = self.model.joints.iter().find(|joint| joint.constraints.contains(&which));
            if let (Some(joint), true) = (joint, constraint.off) {
                let name = &joint.name;
                let warning = Diagnostic::warning("never-on", format!("the joint `{name}` is off and stays off"))
                    .at(joint.span, "no event adds it")
                    .help(format!("add it by an event, `event touch: … -> add {name}`, or remove `, off`"));
                self.report(warning);
            } else if constraint.side.is_some_and(|side| side.disabled) {
                let name = &constraint.name;
                let warning = Diagnostic::warning("never-on", format!("the constraint `{name}` is off and stays off"))
                    .at(constraint.name_span, "one-sided constraints come and go by themselves, and no event adds them")
                    .help("remove `, off` to let it act");
                self.report(warning);
            } else if constraint.off && constraint.side.is_none() {
                let name = &constraint.name;
                let warning = Diagnostic::warning("never-on", format!("the constraint `{name}` is off and stays off"))
                    .at(constraint.name_span, "no event adds it")
                    .help(format!("add it by an event, `event touch: … -> add {name}`, or remove `, off`"));
                self.report(warning);
            }
        }
    }

    fn expect(&mut self, item: &'a ExpectItem) {
        let cases = match &item.target {
            Some(target) => self.cases(target),
            None => vec![Case::default()],
        };
        for case in cases {
            self.within(&case, |this| this.expect_member(item));
        }
    }

    fn expect_member(&mut self, item: &'a ExpectItem) -> Option<()> {
        let within = match &item.within {
            None => None,
            Some(expression) => Some(self.positive(expression, Dimension::NUMBER, "a tolerance")?),
        };
        let claim = match &item.claim {
            Claim::Equal(left, right) => {
                let (a, b) = (self.value(left), self.value(right));
                let (a, b, _) = self.equation(left, a, right, b, "the sides of this expectation")?;
                let fine = self.only(left, &a, Self::everything(), "an expectation")
                    && self.only(right, &b, Self::everything(), "an expectation");
                fine.then_some(Expected::Equal(a, b))?
            }
            Claim::Constant(expression) => {
                let value = self.value(expression)?;
                self.numeric(expression, &value)?;
                let components = value.components();
                self.only(expression, &components, Self::everything(), "an expectation").then_some(())?;
                Expected::Constant(components)
            }
            Claim::True(expression) => {
                let value = self.value(expression)?;
                let Data::Truth(id) = value.data else {
                    let error = Diagnostic::error("condition-expected", "an expectation is an equation or a condition")
                        .at(expression.span, format!("this is {}", value.kind()))
                        .help("write `expect x'' = -g`, `expect x > 0`, or `expect constant energy()`");
                    self.report(error);
                    return None;
                };
                self.only(expression, &[id], Self::everything(), "an expectation").then_some(())?;
                match at_most(&self.graph, id) {
                    Some((left, right)) => Expected::AtMost(left, right),
                    None => Expected::True(id),
                }
            }
        };
        // What is claimed of a part alone need not hold where it is connected and started otherwise.
        if self.scope > 0 {
            return Some(());
        }
        self.model.expects.push(Expectation { claim, at_start: item.at_start, within, span: item.span });
        Some(())
    }
}

/// The sides of a condition that is one `<=`, or several joined by `and`.
fn at_most(graph: &Graph, condition: Id) -> Option<(Vec<Id>, Vec<Id>)> {
    let (mut left, mut right, mut open) = (Vec::new(), Vec::new(), vec![condition]);
    while let Some(id) = open.pop() {
        match *graph.node(id) {
            Node::And(a, b) => open.extend([b, a]),
            Node::Compare(Relation::LessEqual, a, b) => {
                left.push(a);
                right.push(b);
            }
            _ => return None,
        }
    }
    Some((left, right))
}
