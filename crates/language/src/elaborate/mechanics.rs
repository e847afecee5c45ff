//! Energies, particles, gravity, masses and impressed forces.

use super::Elaborator;
use super::expression::Found;
use super::scope::Member;
use super::value::{Data, Dim, Value};
use crate::checked::{Force, ForceOn, MassMatrix, Particle, Term};
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::syntax::{Expr, ExprKind, ForceItem, ForceTarget, Ident, Statement, StatementKind, Target};
use crate::units::Dimension;
use holonom_symbols::expr::{Depends, Id, Node, Number, Symbol};

/// Entries that the mass matrices of parts may have when they are placed among all coordinates.
const MOST_ENTRIES: usize = 4_000_000;

/// Energies of particles that are compared with other energies.
const MOST_PAIRS: usize = 10_000;

/// What a target of a statement means.
pub(super) enum Aim {
    Coordinate(usize),
    /// A particle or a point.
    Point(Vec<Id>),
    Parameter(usize),
    Constraint(usize),
    /// A body: its reference point, or all of it.
    Body(usize),
    /// The angular velocity of a body.
    Spin(usize),
    /// A value made of coordinates.
    Scalar(Id, Dim),
}

impl<'a> Elaborator<'a> {
    /// Positions and masses of all particles.
    pub(super) fn place_particles(&mut self) {
        let length = self.due(Dimension::LENGTH);
        let mass_unit = self.due(Dimension::MASS);
        for which in 0..self.positions.len() {
            let item = self.particle_items[which];
            let at = self.positions[which];
            let value = self.let_value(at);
            let place = self.lets[at].value;
            let position = self.point(place, value, length, "the place of a particle");
            self.scope = self.lets[at].scope;
            let locals = self.lets[at].indices.clone();
            self.locals = locals.into_iter().map(|(name, value)| (name, super::scope::Local::Index(value))).collect();
            let value = self.value(&item.mass);
            let mass = self.scalar(&item.mass, value, mass_unit, "a mass");
            self.locals.clear();
            let mass = mass.filter(|&mass| self.only(&item.mass, &[mass], Depends::TIME, "a mass"));
            let state = Depends::TIME | Depends::POSITION;
            let position = position.filter(|position| self.only(place, position, state, "the place of a particle"));
            let position = position.and_then(|position| self.point_into_world(position, place.span));
            if let Some(mass) = mass
                && self.graph.depends(mass).is_fixed()
                && self.fixed_number(mass) < 0.0
            {
                let error = Diagnostic::error("negative", "a mass cannot be negative")
                    .at(item.mass.span, format!("this is {}", self.fixed_number(mass)));
                self.report(error);
            }
            self.model.particles.push(Particle {
                name: self.lets[at].name.clone(),
                mass: mass.unwrap_or(Id::ZERO),
                position: position.unwrap_or_default(),
                span: item.span,
            });
        }
    }

    /// Whether an expression contains a function without a value: nobody knows its number.
    pub(super) fn is_unspecified(&self, id: Id) -> bool {
        !self.graph.unspecified_in(&[id]).is_empty()
    }

    /// The number that an expression of parameters is at their values; NaN where nobody knows.
    pub(super) fn fixed_number(&self, id: Id) -> f64 {
        if self.is_unspecified(id) {
            return f64::NAN;
        }
        self.graph.evaluate(&[id], |symbol| super::declare::value_of(symbol, &self.parameter_values))[0]
    }

    pub(super) fn mechanics_statement(&mut self, statement: &'a Statement) {
        let state = Depends::TIME | Depends::POSITION;
        let moving = state | Depends::VELOCITY;
        match &statement.kind {
            StatementKind::Title(title) if self.scope == 0 => self.model.title = Some(title.clone()),
            StatementKind::Kinetic(terms) => {
                for term in terms {
                    if let Some(one) = self.energy_term(term, moving, "a kinetic energy") {
                        self.kinetic_terms.push((self.scope, term, one.value));
                        self.model.kinetic.push(one);
                    }
                }
            }
            StatementKind::Potential(terms) => {
                for term in terms {
                    if let Some(one) = self.energy_term(term, state, "a potential") {
                        self.check_potential(term, one.value);
                        self.model.potential.push(one);
                    }
                }
            }
            StatementKind::Lagrangian(terms) => {
                let terms: Vec<_> =
                    terms.iter().filter_map(|term| self.energy_term(term, moving, "a Lagrangian")).collect();
                self.model.lagrangian.extend(terms);
            }
            StatementKind::Dissipation(terms) => {
                let power = self.per_second(self.due(Dimension::energy()), 1);
                for term in terms {
                    let value = self.value(term);
                    if let Some(value) = self.scalar(term, value, power, "a dissipation")
                        && self.only(term, &[value], moving, "a dissipation")
                    {
                        self.check_dissipation(term, value);
                        self.model.dissipation.push(Term { value, span: term.span });
                    }
                }
            }
            StatementKind::Gravity(value) => self.gravity(value),
            StatementKind::Mass(value) => self.mass_matrix(value),
            StatementKind::Force(items) => items.iter().for_each(|item| self.force_item(item)),
            other => self.element_statement(other),
        }
    }

    fn energy_term(&mut self, term: &'a Expr, allowed: Depends, what: &str) -> Option<Term> {
        let value = self.value(term);
        let energy = self.due(Dimension::energy());
        let value = self.scalar(term, value, energy, what)?;
        self.only(term, &[value], allowed, what).then_some(Term { value, span: term.span })
    }

    fn check_potential(&mut self, term: &'a Expr, value: Id) {
        if value != Id::ZERO && !self.graph.depends(value).on(Depends::POSITION) {
            let height = self.model.coordinates.iter().find(|one| matches!(one.name.as_str(), "y" | "z" | "h"));
            let height = height.or(self.model.coordinates.first()).map_or("y", |one| one.name.as_str());
            let text = self.sources.text(term.span).trim();
            let text = if text.is_empty() { "m*g" } else { text };
            let warning = Diagnostic::warning(
                "constant-potential",
                "this potential has no coordinate in it, so it exerts no force",
            )
            .at(term.span, "the same everywhere")
            .help(format!("a potential is an energy: a weight times a height, `{text}*{height}`"));
            self.report(warning);
        }
    }

    /// `lagrangian` excludes `kinetic` and `potential`.
    pub(super) fn check_energies(&mut self) {
        let own = self.model.kinetic.first().or(self.model.potential.first()).map(|term| term.span);
        if let (Some(lagrangian), Some(other)) = (self.model.lagrangian.first().map(|term| term.span), own) {
            let error = Diagnostic::error("lagrangian-and-energies", "a Lagrangian already holds both energies")
                .at(other, "an energy besides")
                .at(lagrangian, "the Lagrangian")
                .help("write either `lagrangian`, or `kinetic` and `potential`");
            self.report(error);
        }
        self.spread_gravity();
        if !self.has_mistakes() {
            self.warn_of_double_energies();
        }
    }

    /// Warns of energies of particles that a `kinetic` or a `potential` adds once more.
    fn warn_of_double_energies(&mut self) {
        let model = &self.model;
        let (particles, terms) = (model.particles.len(), model.kinetic.len() + model.potential.len());
        if particles == 0 || terms == 0 || particles * terms > MOST_PAIRS {
            return;
        }
        let states: Vec<Vec<[f64; 2]>> = (0..3).map(|sample| self.particle_energies(sample)).collect();
        let mut found = Vec::new();
        for (place, what) in ["kinetic", "potential"].into_iter().enumerate() {
            let own = if place == 0 { &model.kinetic } else { &model.potential };
            for term in own {
                let values: Vec<f64> = (0..3)
                    .map(|sample| self.graph.evaluate(&[term.value], |symbol| self.sampled(symbol, sample))[0])
                    .collect();
                let same = |energy: &dyn Fn(&Vec<[f64; 2]>) -> f64| {
                    values.iter().zip(&states).all(|(value, state)| {
                        let energy = energy(state);
                        energy != 0.0 && (value - energy).abs() <= 1e-12 * energy.abs()
                    })
                };
                let one = (0..particles).find(|&which| same(&|state| state[which][place]));
                let all = || same(&|state| state.iter().map(|energies| energies[place]).sum());
                if let Some(which) = one {
                    found.push((term.span, what, Some(which)));
                } else if particles > 1 && all() {
                    found.push((term.span, what, None));
                }
            }
        }
        for (span, what, which) in found {
            let (whose, place) = match which {
                Some(which) => (format!("`{}`", self.model.particles[which].name), self.model.particles[which].span),
                None => ("the particles".to_string(), self.model.particles[0].span),
            };
            let (message, label) = match what {
                "kinetic" => (format!("the kinetic energy of {whose} is counted twice"), "a particle brings its own"),
                _ => (format!("the weight of {whose} is counted twice"), "`gravity` acts on it already"),
            };
            let warning = Diagnostic::warning("counted-twice", message)
                .at(span, "the same energy once more")
                .at(place, label)
                .help(format!("remove this `{what}`"));
            self.report(warning);
        }
    }

    /// A number for each symbol, another one in each sample. Parameters change, too: a charge in a field is no weight, even where
    /// `q*E` happens to be the number that `m*g` is.
    fn sampled(&self, symbol: Symbol, sample: u32) -> f64 {
        let spread = |i: u32, salt: u32| 0.3 + 0.17 * f64::from((i * 7 + sample * 13 + salt) % 11);
        let known = || super::declare::value_of(symbol, &self.parameter_values);
        match symbol {
            Symbol::Position(i) => spread(i, 1),
            Symbol::Velocity(i) => spread(i, 5),
            Symbol::Time => f64::from(sample),
            Symbol::Parameter(i) => known() * (1.0 + f64::from(sample) * (0.07 + 0.013 * f64::from(i % 17))),
            _ => known(),
        }
    }

    /// The kinetic energy of each particle whose place is made of coordinates alone, and its energy in the gravity of the model.
    fn particle_energies(&self, sample: u32) -> Vec<[f64; 2]> {
        let at = |symbol| self.sampled(symbol, sample);
        let gravity = self.model.gravity.as_ref().map(|gravity| self.graph.evaluate(gravity, at)).unwrap_or_default();
        let particles = self.model.particles.iter().map(|particle| {
            let mass = self.graph.evaluate(&[particle.mass], at)[0];
            let places = self.graph.evaluate(&particle.position, at);
            let speeds = particle.position.iter().map(|&id| match *self.graph.node(id) {
                Node::Symbol(Symbol::Position(i)) => at(Symbol::Velocity(i)),
                _ => f64::NAN,
            });
            let kinetic = speeds.map(|speed| speed * speed).sum::<f64>() * mass / 2.0;
            let work: f64 = gravity.iter().zip(&places).map(|(g, place)| g * place).sum();
            [kinetic, -mass * work]
        });
        particles.collect()
    }

    fn gravity(&mut self, expression: &'a Expr) {
        let acceleration = self.per_second(self.due(Dimension::LENGTH), 2);
        let value = self.value(expression);
        let Some(components) = self.point(expression, value, acceleration, "gravity") else { return };
        // A field that changes from place to place is no gravity: its potential would not be −m g·r.
        if self.only(expression, &components, Depends::TIME, "gravity") {
            self.gravities.push((self.scope, components, expression.span));
        }
    }

    /// Gravity of the model acts on every particle; that of a part on the particles of the part.
    fn spread_gravity(&mut self) {
        for (scope, components, span) in std::mem::take(&mut self.gravities) {
            let prefix = self.scopes[scope].prefix.clone();
            for which in 0..self.model.particles.len() {
                let particle = &self.model.particles[which];
                let count = particle.position.len();
                if !particle.name.starts_with(&prefix) || count == 0 {
                    continue;
                }
                if count != components.len() {
                    let error =
                        Diagnostic::error("wrong-length", format!("gravity has {} components", components.len()))
                            .at(span, if components.len() == 2 { "lies in a plane" } else { "lies in space" })
                            .at(particle.span, format!("`{}` has {count}", particle.name));
                    self.report(error);
                    return;
                }
                if scope > 0 {
                    let (mass, position) = (particle.mass, particle.position.clone());
                    let work = self.dot(&components, &position);
                    let value = self.graph.product(Number::MINUS_ONE, &[(mass, 1), (work, 1)]);
                    self.model.potential.push(Term { value, span });
                }
            }
            self.weigh_bodies(&prefix, &components, span);
            if scope == 0 {
                self.model.gravity = Some(match self.model.gravity.take() {
                    Some(old) if old.len() == components.len() => {
                        old.iter().zip(&components).map(|(&a, &b)| self.graph.add(a, b)).collect()
                    }
                    _ => components,
                });
            }
        }
        if self.model.particles.is_empty()
            && self.bodies.is_empty()
            && self.model.gravity.is_some()
            && !self.has_mistakes()
        {
            let warning =
                Diagnostic::warning("gravity-without-particles", "gravity acts on particles, and there are none")
                    .help("declare `particle p: m at (x, y)`, or write the weight as `potential m*g*y`");
            self.report(warning);
        }
    }

    /// The potential energy of bodies in a gravity.
    fn weigh_bodies(&mut self, prefix: &str, gravity: &[Id], span: Span) {
        for which in 1..self.bodies.all.len() {
            let body = &self.bodies.all[which];
            if !body.name.starts_with(prefix) {
                continue;
            }
            let (mass, place) = (body.mass, body.span);
            let centre = self.centre_of(which);
            if centre.len() != gravity.len() {
                let error = Diagnostic::error("wrong-length", format!("gravity has {} components", gravity.len()))
                    .at(span, if gravity.len() == 2 { "lies in a plane" } else { "lies in space" })
                    .at(place, format!("`{}` has {}", self.bodies.all[which].name, centre.len()));
                return self.report(error);
            }
            let work = self.dot(gravity, &centre);
            let value = self.graph.product(Number::MINUS_ONE, &[(mass, 1), (work, 1)]);
            if value != Id::ZERO {
                self.model.potential.push(Term { value, span });
            }
        }
    }

    fn mass_matrix(&mut self, expression: &'a Expr) {
        let Some(value) = self.value(expression) else { return };
        let own = self.own_coordinates();
        let count = own.len();
        let rows: Option<Vec<Vec<Value>>> = match value.data {
            Data::List(rows) => rows
                .into_iter()
                .map(|row| match row.data {
                    Data::List(entries) => Some(entries),
                    _ => None,
                })
                .collect(),
            _ => None,
        };
        let Some(rows) = rows else {
            let text = self.sources.text(expression.span).trim();
            let entry = if text.is_empty() || text.len() > 12 || text.starts_with(['(', '[']) { "m" } else { text };
            let row = |i: usize| {
                let row: Vec<&str> = (0..count).map(|j| if i == j { entry } else { "0" }).collect();
                format!("[{}]", row.join(", "))
            };
            let error = Diagnostic::error("list-expected", "a mass matrix is a list of rows")
                .at(expression.span, "not a list of lists");
            let error = if (1..=3).contains(&count) {
                let rows: Vec<String> = (0..count).map(row).collect();
                error.help(format!("write `mass [{}]`", rows.join(", ")))
            } else {
                error.help("write one row for each coordinate: `mass [[m, 0], [0, m]]`")
            };
            return self.report(error);
        };
        if rows.len() != count || rows.iter().any(|row| row.len() != count) {
            return self.wrong_length(expression.span, "each row and column of the mass matrix", rows.len());
        }
        let mut entries = Vec::with_capacity(count * count);
        for (i, row) in rows.into_iter().enumerate() {
            for (j, entry) in row.into_iter().enumerate() {
                let part = match &expression.kind {
                    ExprKind::List(rows) => match rows.get(i).map(|row| &row.kind) {
                        Some(ExprKind::List(entries)) => entries.get(j).unwrap_or(expression),
                        _ => expression,
                    },
                    _ => expression,
                };
                // ½ q̇ᵀ M q̇ is an energy.
                let due = self.generalised_force(own.start + i);
                let due = due.over(self.model.coordinates[own.start + j].dimension).map(|due| self.per_second(due, -2));
                let name = format!("the mass of row {} and column {}", i + 1, j + 1);
                let Some(id) = self.scalar(part, Some(entry), due.unwrap_or(Dimension::NUMBER), &name) else { return };
                entries.push(id);
            }
        }
        if !self.only(expression, &entries, Depends::TIME | Depends::POSITION, "a mass matrix") {
            return;
        }
        for i in 0..count {
            for j in 0..i {
                if entries[i * count + j] != entries[j * count + i] {
                    let error = Diagnostic::error("not-symmetric", "a mass matrix must be symmetric").at(
                        expression.span,
                        format!("row {}, column {} differs from row {}, column {}", i + 1, j + 1, j + 1, i + 1),
                    );
                    return self.report(error);
                }
            }
        }
        if entries.iter().any(|&id| self.graph.depends(id).on(Depends::POSITION)) {
            let warning = Diagnostic::warning("mass-depends-on-coordinates", "this mass matrix depends on coordinates")
                .at(expression.span, "Coriolis terms are not added")
                .help("write `kinetic` instead: all terms then follow from the energy");
            self.report(warning);
        }
        let total = self.model.coordinates.len();
        if count == total {
            self.model.mass.push(MassMatrix { entries, span: expression.span });
        } else if total * total > MOST_ENTRIES {
            self.too_large(expression.span, format!("a mass matrix among {total} coordinates is too large"));
        } else {
            self.place_mass(entries, own, expression.span);
        }
    }

    /// The masses of a part among those of the whole.
    fn place_mass(&mut self, entries: Vec<Id>, own: std::ops::Range<usize>, span: Span) {
        let total = self.model.coordinates.len();
        // Many matrices of many parts would take more room than anybody has: from then on they share the last.
        if self.model.mass.is_empty() || (self.model.mass.len() + 1) * total * total <= MOST_ENTRIES {
            self.model.mass.push(MassMatrix { entries: vec![Id::ZERO; total * total], span });
        }
        let Some(matrix) = self.model.mass.last_mut() else { return };
        for (place, entry) in entries.into_iter().enumerate() {
            let (row, column) = (own.start + place / own.len(), own.start + place % own.len());
            let to = &mut matrix.entries[row * total + column];
            *to = self.graph.add(*to, entry);
        }
    }

    fn force_item(&mut self, item: &'a ForceItem) {
        match &item.on {
            None => {
                let value = self.value(&item.value);
                let Some(components) = self.force_list(&item.value, value, "a force on the system") else { return };
                self.push_force(item, ForceOn::System, components);
            }
            Some(ForceTarget::Point(point)) => {
                let value = self.value(point);
                if let Some(Value { data: Data::Scalar(id), dim }) = value {
                    return self.force_on(item, Aim::Scalar(id, dim));
                }
                let length = self.due(Dimension::LENGTH);
                if let Some(position) = self.point(point, value, length, "the point of a force") {
                    self.force_on(item, Aim::Point(position));
                }
            }
            Some(ForceTarget::Named(target)) => {
                for case in self.cases(target) {
                    self.within(&case, |this| {
                        if let Some(aim) = this.aim(target, &case.indices) {
                            this.force_on(item, aim);
                        }
                    });
                }
            }
        }
    }

    fn force_on(&mut self, item: &'a ForceItem, aim: Aim) {
        let value = self.value(&item.value);
        match aim {
            Aim::Coordinate(which) => {
                let due = self.generalised_force(which);
                let what = format!("the force on `{}`", self.model.coordinates[which].name);
                if let Some(id) = self.scalar(&item.value, value, due, &what) {
                    self.push_force(item, ForceOn::Coordinate(which), vec![id]);
                }
            }
            Aim::Point(position) => {
                if let Some(components) = self.point_force(&item.value, value, &position) {
                    self.push_force(item, ForceOn::Point(position), components);
                }
            }
            Aim::Body(body) => {
                if let Some(point) = self.body_value(body)
                    && let Some(components) = self.point_force(&item.value, value, &point.components())
                {
                    self.push_force(item, ForceOn::Point(point.components()), components);
                }
            }
            Aim::Scalar(id, dim) => {
                self.force_on_scalar(item, id, dim);
            }
            Aim::Parameter(_) | Aim::Constraint(_) | Aim::Spin(_) => {
                let error = Diagnostic::error("wrong-target", "a force acts on a coordinate, a particle or a point")
                    .at(item.span, "acts on something else")
                    .help("for the force of a constraint write `nonideal`");
                self.report(error);
            }
        }
    }

    /// A force on a point: as many components as the point has.
    pub(super) fn point_force(
        &mut self,
        expression: &'a Expr,
        value: Option<Value>,
        position: &[Id],
    ) -> Option<Vec<Id>> {
        let value = value?;
        if value.is_bare_zero() {
            return Some(vec![Id::ZERO; position.len()]);
        }
        let due = self.due(Dimension::energy().over(Dimension::LENGTH).unwrap_or_default());
        let components = self.point(expression, Some(value), due, "a force on a point")?;
        if components.len() != position.len() {
            let error = Diagnostic::error("wrong-length", "force and point have different numbers of components")
                .at(expression.span, format!("{} here, and the point has {}", components.len(), position.len()));
            self.report(error);
            return None;
        }
        Some(components)
    }

    pub(super) fn push_force(&mut self, item: &'a ForceItem, on: ForceOn, components: Vec<Id>) {
        let allowed = Depends::TIME | Depends::POSITION | Depends::VELOCITY;
        if self.only(&item.value, &components, allowed, "a force") {
            let (ids, moves): (&[Id], _) = match &on {
                ForceOn::Point(ids) => (ids, Depends::POSITION),
                ForceOn::Rate(ids) => (ids, Depends::VELOCITY),
                _ => (&[], Depends::POSITION),
            };
            if !ids.is_empty() && !ids.iter().any(|&id| self.graph.depends(id).on(moves)) {
                let warning =
                    Diagnostic::warning("idle-force", "what this acts on does not move, so it changes nothing")
                        .at(item.span, "does no work on anything that can move")
                        .help("let it act on a point or a body that moves, or remove it");
                self.report(warning);
            }
            self.model.forces.push(Force { on, components, span: item.span });
        }
    }

    /// What a target of a statement means, without its primes.
    pub(super) fn aim(&mut self, target: &'a Target, indices: &[Option<Vec<i64>>]) -> Option<Aim> {
        let mut scope = self.scope;
        let mut steps = target.steps.iter().zip(indices).peekable();
        let mut first = true;
        while let Some((step, indices)) = steps.next() {
            let name = step.name.text.as_str();
            let home = if first {
                self.scope_of(scope, name)
            } else {
                Some(scope).filter(|&s| self.scopes[s].names.contains_key(name))
            };
            let Some(home) = home else {
                if first {
                    self.unknown_name(scope, name, step.name.span);
                } else {
                    self.unknown_member(scope, &step.name);
                }
                return None;
            };
            first = false;
            let family = {
                let known = self.scopes[home].names.get_mut(name)?;
                known.used = true;
                matches!(known.members, super::scope::Members::Family(_))
            };
            let member = match (family, indices) {
                (true, Some(indices)) => self.family_member(home, name, indices, target.span)?,
                (false, None) => match self.scopes[home].names[name].members {
                    super::scope::Members::One(member) => member,
                    super::scope::Members::Family(_) => return None,
                },
                (true, None) => {
                    self.found_value(Found::Family(home, name), step.name.span);
                    return None;
                }
                (false, Some(_)) => {
                    let error = Diagnostic::error("not-a-family", format!("`{name}` has no members to choose from"))
                        .at(target.span, "not a family");
                    self.report(error);
                    return None;
                }
            };
            match member {
                Member::Broken => return None,
                Member::Part(part) => {
                    scope = part;
                    if steps.peek().is_none() {
                        self.found_value(Found::Member(member), target.span);
                        return None;
                    }
                    continue;
                }
                Member::Coordinate(which) => return self.end(target, steps.next().is_none(), Aim::Coordinate(which)),
                Member::Parameter(which) => return self.end(target, steps.next().is_none(), Aim::Parameter(which)),
                Member::Constraint(which) => return self.end(target, steps.next().is_none(), Aim::Constraint(which)),
                Member::Stop(low) => {
                    let Some((side, None)) = steps.next() else {
                        self.stop_without_side(low, target.span);
                        return None;
                    };
                    let which = self.side_of_stop(low, &side.name)?;
                    return self.end(target, steps.next().is_none(), Aim::Constraint(which));
                }
                Member::Body(body) => {
                    let next = steps.next().map(|(step, _)| &step.name);
                    return self.aim_at_body(target, body, next);
                }
                Member::Joint(joint) => {
                    let value = match steps.next() {
                        Some((step, _)) => self.joint_member(joint, &step.name)?,
                        None => self.joint_value(joint, target.span)?,
                    };
                    return self.aim_at_value(target, value, None);
                }
                Member::Frame(_) | Member::Element(_) => {
                    self.found_value(Found::Member(member), target.span);
                    return None;
                }
                Member::Particle(_) | Member::Let(_) | Member::Table(..) | Member::Function(_) => {
                    let value = loop {
                        let value = self.found_value(Found::Member(member), target.span);
                        match self.need.take() {
                            None => break value?,
                            Some(needed) => {
                                self.let_value(needed);
                            }
                        }
                    };
                    return self.aim_at_value(target, value, steps.next().map(|(step, _)| step.name.text.as_str()));
                }
            }
        }
        None
    }

    fn end(&mut self, target: &'a Target, at_end: bool, aim: Aim) -> Option<Aim> {
        if at_end {
            return Some(aim);
        }
        let text = self.sources.text(target.span).to_string();
        let error = Diagnostic::error("vector-expected", format!("`{text}` goes beyond a name that has no components"))
            .at(target.span, "no such component");
        self.report(error);
        None
    }

    fn aim_at_value(&mut self, target: &'a Target, value: Value, component: Option<&str>) -> Option<Aim> {
        let text = self.sources.text(target.span).to_string();
        let error = match (value.data, component) {
            (Data::Vector(position), None) => {
                let length = self.due(Dimension::LENGTH);
                if !self.checking || value.dim.fits(length) {
                    return Some(Aim::Point(position));
                }
                Diagnostic::error("dimension-mismatch", format!("`{text}` is not a point"))
                    .at(target.span, format!("this is {}", super::value::describe(value.dim.or_number())))
            }
            (Data::Vector(position), Some(axis)) => {
                let place = ["x", "y", "z"].iter().position(|one| *one == axis);
                match place.and_then(|place| position.get(place)) {
                    Some(&id) => match self.coordinate_of(id) {
                        Some(which) => return Some(Aim::Coordinate(which)),
                        None => Diagnostic::error("wrong-target", format!("`{text}` is not a coordinate of its own"))
                            .at(target.span, "follows from other coordinates"),
                    },
                    None => Diagnostic::error("no-component", format!("there is no `{text}`"))
                        .at(target.span, "the components of a vector are `.x`, `.y`, `.z`"),
                }
            }
            (Data::Scalar(id), None) => match self.coordinate_of(id) {
                Some(which) => return Some(Aim::Coordinate(which)),
                None => return Some(Aim::Scalar(id, value.dim)),
            },
            _ => Diagnostic::error("wrong-target", format!("`{text}` is neither a coordinate nor a point"))
                .at(target.span, "not a target"),
        };
        self.report(error);
        None
    }

    /// A body, one of its coordinates, or its spin.
    fn aim_at_body(&mut self, target: &'a Target, body: usize, next: Option<&'a Ident>) -> Option<Aim> {
        match next {
            None => Some(Aim::Body(body)),
            Some(name) if name.text == "spin" => Some(Aim::Spin(body)),
            Some(name) => {
                let value = self.body_member(body, name)?;
                self.aim_at_value(target, value, None)
            }
        }
    }

    /// The message about a value that statements cannot give, since it follows from coordinates.
    pub(super) fn not_a_coordinate(&mut self, target: &'a Target) {
        let text = self.sources.text(target.span).to_string();
        let error = Diagnostic::error("wrong-target", format!("`{text}` is neither a coordinate nor a point"))
            .at(target.span, "a number that follows from coordinates")
            .help("name a coordinate, a particle, or a `let` that is a point");
        self.report(error);
    }

    /// Kinetic and potential energy of everything.
    pub(super) fn total_energies(&mut self) {
        let mut kinetic: Vec<(Number, Id)> = self.model.kinetic.iter().map(|term| (Number::ONE, term.value)).collect();
        let mut potential: Vec<(Number, Id)> =
            self.model.potential.iter().map(|term| (Number::ONE, term.value)).collect();
        let half = Number::ratio(1, 2).unwrap_or(Number::ONE);
        for which in 0..self.model.particles.len() {
            let (mass, position) = (self.model.particles[which].mass, self.model.particles[which].position.clone());
            let velocity: Vec<Id> = position.iter().map(|&id| self.graph.rate_with(id, &mut self.rates)).collect();
            let square = self.dot(&velocity, &velocity);
            kinetic.push((Number::ONE, self.graph.product(half, &[(mass, 1), (square, 1)])));
            if let Some(gravity) = self.model.gravity.clone()
                && gravity.len() == position.len()
            {
                let work = self.dot(&gravity, &position);
                potential.push((Number::MINUS_ONE, self.graph.multiply(mass, work)));
            }
        }
        let count = self.model.coordinates.len();
        for matrix in self.model.mass.clone() {
            for (place, &entry) in matrix.entries.iter().enumerate() {
                let a = self.graph.symbol(Symbol::Velocity((place / count) as u32));
                let b = self.graph.symbol(Symbol::Velocity((place % count) as u32));
                kinetic.push((Number::ONE, self.graph.product(half, &[(entry, 1), (a, 1), (b, 1)])));
            }
        }
        if !self.model.lagrangian.is_empty() {
            let terms: Vec<(Number, Id)> = self.model.lagrangian.iter().map(|term| (Number::ONE, term.value)).collect();
            let whole = self.graph.sum(&terms);
            let at_rest =
                self.graph.substitute(&[whole], |symbol| matches!(symbol, Symbol::Velocity(_)).then_some(Id::ZERO))[0];
            kinetic.extend([(Number::ONE, whole), (Number::MINUS_ONE, at_rest)]);
            potential.push((Number::MINUS_ONE, at_rest));
        }
        self.model.kinetic_energy = self.graph.sum(&kinetic);
        self.model.potential_energy = self.graph.sum(&potential);
    }
}
