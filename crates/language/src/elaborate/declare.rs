//! Declarations: parameters with their values, then all other names.

use super::Elaborator;
use super::case::Case;
use super::lazy::{Let, State};
use super::scope::{Member, Scaling, with_indices};
use super::sides::Sides;
use super::value::{Dim, Value};
use crate::checked::{Constraint, Coordinate, Family, FamilyKind, OneSided, Parameter, TypedUnit};
use crate::diagnostic::Diagnostic;
use crate::format::print_unit;
use crate::function_names::is_function;
use crate::source::Span;
use crate::syntax::{
    ConstraintItem, CoordItem, Definition, DriveItem, Expr, ExprKind, ParticleItem, ParticlePlace, StatementKind,
    TableItem, Target, TargetStep, Unit,
};
use crate::units::{Dimension, Scale, resolve};
use holonom_symbols::expr::{Depends, Id, Symbol};

impl<'a> Elaborator<'a> {
    /// Parameters of a scope and of its parts, in the order in which they stand.
    pub(super) fn declare_parameters(&mut self, scope: usize) {
        for (which, statement) in self.scopes[scope].statements.iter().enumerate() {
            if self.exhausted {
                return;
            }
            self.scope = scope;
            match &statement.kind {
                StatementKind::Param(items) => items.iter().for_each(|item| self.declare_parameter(item)),
                StatementKind::Part(item) => self.declare_part(scope, which, item),
                _ => {}
            }
        }
    }

    fn declare_parameter(&mut self, item: &'a Definition) {
        let Some(step) = self.plain(&item.target, "a parameter") else { return };
        if !item.arguments.is_empty() {
            let error = Diagnostic::error("arguments", "a parameter takes no arguments")
                .at(item.span, "a function")
                .help("write `let` instead of `param`");
            return self.report(error);
        }
        let mut members = Vec::new();
        self.defining = &step.name.text;
        for case in self.cases(&item.target) {
            let indices = case.last();
            let key = indices.as_deref().map_or_else(|| step.name.text.clone(), |i| with_indices(&step.name.text, i));
            let (mut exact, mut value) = self.within(&case, |this| {
                let exact = this.exact(&item.value);
                (exact, this.parameter_value(&item.value))
            });
            let scope = self.scope;
            let mut unit = unit_behind(&item.value);
            if let Some(given) = self.scopes[scope].overrides.get_mut(&key) {
                given.used = true;
                let given = *given;
                // A bare number from outside is in SI units and is shown in the unit of the declaration.
                unit = given.unit.or(unit);
                if let (Some((_, Dim::Of(old))), Some((_, Dim::Of(new)))) = (value, given.value)
                    && self.checking
                    && old != new
                {
                    let error = Diagnostic::error("dimension-mismatch", format!("`{key}` is given another dimension"))
                        .at(given.span, format!("this is {}", super::value::describe(new)))
                        .at(item.span, format!("this is {}", super::value::describe(old)));
                    self.report(error);
                }
                let dim = value.map(|(_, dim)| dim);
                (exact, value) = (given.exact, given.value.map(|(id, own)| (id, dim.unwrap_or(own))));
            }
            let which = self.model.parameters.len();
            let (id, dim) = value.unwrap_or((Id::ZERO, Dim::Any));
            let known = std::mem::take(&mut self.parameter_values);
            let number = match self.graph.as_number(id) {
                Some(number) => number.to_f64(),
                None => self.graph.evaluate(&[id], |symbol| value_of(symbol, &known))[0],
            };
            self.parameter_values = known;
            self.parameter_values.push(number);
            if value.is_some() && !number.is_finite() {
                let error = Diagnostic::error("bad-number", format!("`{key}` is not a finite number"))
                    .at(item.value.span, format!("this is {number}"));
                self.report(error);
            }
            let name = self.full_name(&step.name.text, indices.as_deref());
            let dimension = dim.or_number();
            let unit = unit.and_then(|unit| typed(unit, dimension));
            self.model.parameters.push(Parameter { name, dimension, value: id, unit, span: item.span });
            self.exact_parameters.push(exact.or_else(|| self.graph.as_number(id)));
            if let Some(indices) = &indices {
                members.push((indices.clone(), which));
            }
            let member = if value.is_some() { Member::Parameter(which) } else { Member::Broken };
            self.define(&step.name, indices, "parameter", member);
        }
        self.family(&item.target, FamilyKind::Parameter, step, members);
    }

    /// The value of a parameter: a number made of other parameters.
    pub(super) fn parameter_value(&mut self, expression: &'a Expr) -> Option<(Id, Dim)> {
        let value = self.value(expression)?;
        let dim = value.dim;
        let bare = Value { dim: Dim::Any, ..value };
        let id = self.scalar(expression, Some(bare), Dimension::NUMBER, "a parameter")?;
        self.only(expression, &[id], Depends::NOTHING, "a parameter").then_some((id, dim))
    }

    /// All names but parameters and parts, in the order in which they stand.
    pub(super) fn declare_names(&mut self) {
        let order = std::mem::take(&mut self.order);
        self.each(&order, |this, statement| match &statement.kind {
            StatementKind::Coord(items) => this.declare_coordinates(items),
            StatementKind::Let(items) => items.iter().for_each(|item| this.declare_let(item)),
            StatementKind::Table(items) => items.iter().for_each(|item| this.declare_table(item)),
            StatementKind::Function(items) => items.iter().for_each(|item| this.declare_function(item)),
            StatementKind::Particle(items) => items.iter().for_each(|item| this.declare_particle(item)),
            StatementKind::Constraint(item) | StatementKind::Connect(item) => this.declare_constraint(item),
            StatementKind::Stop(item) => this.declare_stop(item),
            StatementKind::Drive(item) => this.declare_drive(item),
            other => this.declare_body_statement(other),
        });
        self.order = order;
    }

    /// The one step of a target that declares a name.
    pub(super) fn plain(&mut self, target: &'a Target, what: &str) -> Option<&'a TargetStep> {
        let [step] = &target.steps[..] else {
            self.plain_target(target, what);
            return None;
        };
        if target.primes > 0 {
            let error = Diagnostic::error("plain-name-expected", format!("{what} is declared by a plain name"))
                .at(target.span, "has a prime")
                .help(format!(
                    "remove the prime: `{}` has the velocity `{}'` automatically",
                    step.name.text, step.name.text
                ));
            self.report(error);
            return None;
        }
        Some(step)
    }

    /// Remembers a family as it was declared.
    pub(super) fn family(
        &mut self,
        target: &Target,
        kind: FamilyKind,
        step: &TargetStep,
        members: Vec<(Vec<i64>, usize)>,
    ) {
        if Self::is_family(target) {
            let name = self.full_name(&step.name.text, None);
            self.model.families.push(Family { kind, name, members, span: target.span });
        }
    }

    fn declare_coordinates(&mut self, items: &'a [CoordItem]) {
        let mut declared: Vec<(&'a CoordItem, &'a TargetStep, Vec<Case<'a>>, Dimension)> = Vec::new();
        for item in items {
            let Some(step) = self.plain(&item.target, "a coordinate") else { continue };
            let unit = item.unit.as_ref().and_then(|unit| self.unit(unit));
            let cases = self.cases(&item.target);
            declared.push((item, step, cases, unit.map_or(Dimension::NUMBER, |info| info.dimension)));
        }
        let keys = |cases: &[Case<'a>]| -> Vec<Option<Vec<i64>>> { cases.iter().map(Case::last).collect() };
        let mut placed = vec![false; declared.len()];
        for first in 0..declared.len() {
            if placed[first] {
                continue;
            }
            // Families with equal ranges interleave: x[1] y[1] x[2] y[2] ….
            let range = keys(&declared[first].2);
            let group: Vec<usize> = (first..declared.len())
                .filter(|&other| {
                    other == first
                        || Self::is_family(&declared[first].0.target)
                            && Self::is_family(&declared[other].0.target)
                            && !placed[other]
                            && keys(&declared[other].2) == range
                })
                .collect();
            let mut members: Vec<Vec<(Vec<i64>, usize)>> = vec![Vec::new(); group.len()];
            for indices in &range {
                for (which, &one) in group.iter().enumerate() {
                    let (item, step, _, dimension) = &declared[one];
                    let place =
                        self.coordinate(self.full_name(&step.name.text, indices.as_deref()), *dimension, item.span);
                    let broken = item.unit.as_ref().is_some_and(|unit| crate::units::resolve(unit).is_err());
                    let member = if broken { Member::Broken } else { Member::Coordinate(place) };
                    if let Some(unit) = item.unit.as_ref().filter(|unit| is_pure_but_not_one(unit)) {
                        self.pure_units.insert(place, self.sources.text(unit.span).to_string());
                    }
                    self.define(&step.name, indices.clone(), "coordinate", member);
                    if let Some(indices) = indices {
                        members[which].push((indices.clone(), place));
                    }
                }
            }
            for (members, &one) in members.into_iter().zip(&group) {
                placed[one] = true;
                let (item, step, ..) = &declared[one];
                self.family(&item.target, FamilyKind::Coordinate, step, members);
            }
        }
    }

    pub(super) fn coordinate(&mut self, name: String, dimension: Dimension, span: Span) -> usize {
        self.model.coordinates.push(Coordinate { name, dimension, size: None, span });
        let which = self.model.coordinates.len() - 1;
        let mut scope = Some(self.scope);
        while let Some(here) = scope {
            let own = &mut self.scopes[here].coordinates;
            *own = if own.start == own.end { which..which + 1 } else { own.start..which + 1 };
            scope = self.scopes[here].parent;
        }
        which
    }

    fn declare_let(&mut self, item: &'a Definition) {
        let Some(step) = self.plain(&item.target, "a `let`") else { return };
        if !item.arguments.is_empty() {
            if is_function(&step.name.text) {
                let error = Diagnostic::error("reserved-name", format!("`{}` is a function already", step.name.text))
                    .at(step.name.span, "choose another name");
                return self.report(error);
            }
            if !step.indices.is_empty() {
                let error = Diagnostic::error("arguments", "a `let` has indices or arguments, not both")
                    .at(item.target.span, "has indices, and arguments after them")
                    .help("make the index an argument: `let f(i, a) = …`");
                return self.report(error);
            }
        }
        for case in self.cases(&item.target) {
            let indices = case.last();
            let which = self.lets.len();
            self.lets.push(Let {
                name: self.full_name(&step.name.text, indices.as_deref()),
                value: &item.value,
                scope: self.scope,
                indices: case.locals,
                arguments: &item.arguments,
                state: State::Unseen,
                span: item.span,
            });
            self.define(&step.name, indices, "let", Member::Let(which));
        }
    }

    fn declare_table(&mut self, item: &'a TableItem) {
        let Some(step) = self.plain(&item.target, "a table") else { return };
        if !step.indices.is_empty() {
            let error =
                Diagnostic::error("plain-name-expected", "a table has no index").at(item.target.span, "has an index");
            self.define(&step.name, None, "table", Member::Broken);
            return self.report(error);
        }
        let mut scaling = Scaling { argument: (Id::ONE, Dimension::NUMBER), value: (Id::ONE, Dimension::NUMBER) };
        for option in &item.options {
            let place = match option.name.text.as_str() {
                "argument" => &mut scaling.argument,
                "value" => &mut scaling.value,
                _ => {
                    let error =
                        Diagnostic::error("unknown-option", format!("a table has no option `{}`", option.name.text))
                            .at(option.name.span, "not known")
                            .help("the units of the columns are `argument = 1 s, value = 1 mm`");
                    self.report(error);
                    continue;
                }
            };
            if let Some((id, dim)) = self.parameter_value(&option.value) {
                *place = (id, dim.or_number());
            }
        }
        let member = match self.read_table(item) {
            Some(table) => Member::Table(self.graph.add_table(table), scaling),
            None => Member::Broken,
        };
        self.define(&step.name, None, "table", member);
    }

    fn declare_particle(&mut self, item: &'a ParticleItem) {
        let Some(step) = self.plain(&item.target, "a particle") else { return };
        let mut members = Vec::new();
        let length = self.due(Dimension::LENGTH);
        for case in self.cases(&item.target) {
            let indices = case.last();
            let name = self.full_name(&step.name.text, indices.as_deref());
            let axes: &[&str] = match &item.place {
                ParticlePlace::At(_) => &[],
                ParticlePlace::Plane(_) => &["x", "y"],
                ParticlePlace::Space(_) => &["x", "y", "z"],
            };
            let mut position = Vec::new();
            for axis in axes {
                let place = self.coordinate(format!("{name}.{axis}"), length, item.span);
                position.push(self.graph.symbol(Symbol::Position(place as u32)));
            }
            let (value, state) = match &item.place {
                ParticlePlace::At(point) => (point, State::Unseen),
                _ => (&item.mass, State::Done(Some(Value::vector(position, Dim::Of(length))))),
            };
            let which = self.positions.len();
            self.positions.push(self.lets.len());
            self.particle_items.push(item);
            self.lets.push(Let {
                name,
                value,
                scope: self.scope,
                indices: case.locals,
                arguments: &[],
                state,
                span: item.span,
            });
            if let Some(indices) = &indices {
                members.push((indices.clone(), which));
            }
            self.define(&step.name, indices, "particle", Member::Particle(which));
        }
        self.family(&item.target, FamilyKind::Particle, step, members);
    }

    fn declare_constraint(&mut self, item: &'a ConstraintItem) {
        let Some(step) = self.plain(&item.target, "a constraint") else { return };
        let mut members = Vec::new();
        for case in self.cases(&item.target) {
            let indices = case.last();
            let name = self.full_name(&step.name.text, indices.as_deref());
            let which = self.add_constraint(name, Sides::of(item), item.target.span, case);
            if let Some(indices) = &indices {
                members.push((indices.clone(), which));
            }
            self.define(&step.name, indices, "constraint", Member::Constraint(which));
        }
        self.family(&item.target, FamilyKind::Constraint, step, members);
    }

    /// A drive is a constraint between a value and its course in time.
    fn declare_drive(&mut self, item: &'a DriveItem) {
        let Some(step) = self.plain(&item.target, "a drive") else { return };
        for case in self.cases(&item.target) {
            let indices = case.last();
            let name = self.full_name(&step.name.text, indices.as_deref());
            let which = self.add_constraint(name, Sides::of_drive(item), item.target.span, case);
            self.define(&step.name, indices, "constraint", Member::Constraint(which));
        }
    }

    /// A constraint whose rows are written later; its place.
    pub(super) fn add_constraint(&mut self, name: String, sides: Sides<'a>, name_span: Span, case: Case<'a>) -> usize {
        let which = self.model.constraints.len();
        let side = sides.one_sided.then_some(OneSided { restitution: Id::ZERO, disabled: sides.off });
        self.model.constraints.push(Constraint {
            name,
            first_row: 0,
            rows: vec![],
            left: vec![],
            right: vec![],
            dimension: Dimension::NUMBER,
            off: sides.off || sides.one_sided,
            side,
            is_made: false,
            size: None,
            span: sides.span,
            name_span,
        });
        self.constraint_items.push(Some((self.scope, sides, case)));
        which
    }
}

/// The unit of a number that has one.
pub(super) fn unit_behind(expression: &Expr) -> Option<&Unit> {
    match &expression.kind {
        ExprKind::Quantity(_, unit) => Some(unit),
        ExprKind::Negate(inside) | ExprKind::Paren(inside) => unit_behind(inside),
        _ => None,
    }
}

/// A unit of this dimension, as it was typed.
fn typed(unit: &Unit, dimension: Dimension) -> Option<TypedUnit> {
    let known = resolve(unit).ok().filter(|known| known.dimension == dimension)?;
    Some(TypedUnit { text: print_unit(unit), scale: known.scale.to_f64() })
}

/// The value of a parameter among those known; nothing else occurs in parameters.
pub(super) fn value_of(symbol: Symbol, known: &[f64]) -> f64 {
    match symbol {
        Symbol::Parameter(which) => known.get(which as usize).copied().unwrap_or(f64::NAN),
        _ => f64::NAN,
    }
}

/// Whether a unit is a number other than 1, such as a degree.
fn is_pure_but_not_one(unit: &Unit) -> bool {
    let info = crate::units::resolve(unit);
    info.is_ok_and(|info| info.dimension == Dimension::NUMBER && info.scale != Scale::ONE)
}
