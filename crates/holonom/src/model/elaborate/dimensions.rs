//! Dimensions that are due: what must be an energy, a force, a time, and what to say where it is not.

use super::Elaborator;
use super::value::{Data, Dim, Value, describe};
use crate::expr::{Depends, Id};
use crate::model::diagnostic::Diagnostic;
use crate::model::source::Span;
use crate::model::syntax::{Expr, ExprKind, Unit};
use crate::model::units::Dimension;

impl<'a> Elaborator<'a> {
    /// `dimension / s^count`, or a pure number in a model without units.
    pub(super) fn per_second(&self, dimension: Dimension, count: i32) -> Dimension {
        if !self.checking {
            return dimension;
        }
        Dimension::TIME.power(-count, 1).and_then(|rate| dimension.times(rate)).unwrap_or(dimension)
    }

    /// `dimension` where the model has units.
    pub(super) fn due(&self, dimension: Dimension) -> Dimension {
        if self.checking { dimension } else { Dimension::NUMBER }
    }

    /// The dimension of the generalised force of a coordinate.
    pub(super) fn generalised_force(&self, coordinate: usize) -> Dimension {
        let energy = self.due(Dimension::energy());
        energy.over(self.model.coordinates[coordinate].dimension).unwrap_or(energy)
    }

    /// The value as one number of the dimension that is due; `what` is what it is for.
    pub(super) fn scalar(
        &mut self,
        expression: &'a Expr,
        value: Option<Value>,
        due: Dimension,
        what: &str,
    ) -> Option<Id> {
        let value = value?;
        let Data::Scalar(id) = value.data else {
            let mut error = Diagnostic::error("number-expected", format!("{what} must be a number"))
                .at(expression.span, format!("this is {}", value.kind()));
            if matches!(value.data, Data::Vector(_)) {
                error = error.help("take a component such as `v.x`, or `norm(v)`, or `dot(u, v)`");
            }
            self.report(error);
            return None;
        };
        self.fits(expression, value.dim, due, what).then_some(id)
    }

    /// The value as a vector of the dimension that is due.
    pub(super) fn point(
        &mut self,
        expression: &'a Expr,
        value: Option<Value>,
        due: Dimension,
        what: &str,
    ) -> Option<Vec<Id>> {
        let value = value?;
        let Data::Vector(components) = value.data else {
            let error = Diagnostic::error("vector-expected", format!("{what} must be a vector"))
                .at(expression.span, format!("this is {}", value.kind()))
                .help("write its components in parentheses: `(x, y)` or `(x, y, z)`");
            self.report(error);
            return None;
        };
        self.fits(expression, value.dim, due, what).then_some(components)
    }

    /// The coordinates that lists run over: all of them, or within a part its own.
    pub(super) fn own_coordinates(&self) -> std::ops::Range<usize> {
        self.scopes[self.scope].coordinates.clone()
    }

    /// The value as a list of generalised forces over the coordinates of the scope at hand, placed among all of them.
    pub(super) fn force_list(&mut self, expression: &'a Expr, value: Option<Value>, what: &str) -> Option<Vec<Id>> {
        let value = value?;
        let own = self.own_coordinates();
        let Data::List(elements) = value.data else {
            let mut error = Diagnostic::error("list-expected", format!("{what} must be a list over all coordinates"))
                .at(expression.span, format!("this is {}", value.kind()));
            if matches!(value.data, Data::Vector(_)) {
                error = error.help("lists over coordinates are written in brackets: `[a, b]`");
            }
            self.report(error);
            return None;
        };
        if elements.len() != own.len() {
            self.wrong_length(expression.span, what, elements.len());
            return None;
        }
        let count = self.model.coordinates.len();
        if self.scope > 0 && !self.count_members(count, expression.span) {
            return None;
        }
        let mut ids = vec![Id::ZERO; count];
        for (place, element) in elements.into_iter().enumerate() {
            let part = match &expression.kind {
                ExprKind::List(all) => all.get(place).unwrap_or(expression),
                _ => expression,
            };
            let which = own.start + place;
            let due = self.generalised_force(which);
            let name = self.model.coordinates[which].name.clone();
            ids[which] = self.scalar(part, Some(element), due, &format!("the force on `{name}`"))?;
        }
        Some(ids)
    }

    /// A list that has not one element per coordinate.
    pub(super) fn wrong_length(&mut self, span: Span, what: &str, found: usize) {
        let own = &self.model.coordinates[self.own_coordinates()];
        let names: Vec<&str> = own.iter().map(|one| one.name.as_str()).take(12).collect();
        let more = if own.len() > names.len() { ", …" } else { "" };
        let of_part = if self.scope > 0 { " of the part" } else { "" };
        let error = Diagnostic::error("wrong-length", format!("{what} needs one element per coordinate{of_part}"))
            .at(span, format!("{found} of {}", own.len()))
            .note(format!("the coordinates are, in order, {}{more}", names.join(", ")));
        self.report(error);
    }

    /// Whether a dimension is the one that is due; says so where it is not.
    pub(super) fn fits(&mut self, expression: &'a Expr, found: Dim, due: Dimension, what: &str) -> bool {
        let Dim::Of(found) = found else { return true };
        if !self.checking || found == due {
            return true;
        }
        let energy = matches!(what, "a kinetic energy" | "a potential" | "a Lagrangian");
        let (code, message) = if energy {
            ("not-an-energy", format!("{what} must be an energy, `{due}`"))
        } else {
            ("dimension-mismatch", format!("{what} must be {}", describe(due)))
        };
        let mut error = Diagnostic::error(code, message).at(expression.span, format!("this is {}", describe(found)));
        if let Some(help) = self.dimension_hint(expression, found, due, what) {
            error = error.help(help);
        } else if found.is_number() {
            error = error.help("numbers without a unit are pure numbers: give each quantity its unit, such as `2 kg`");
        }
        let error = self.about_units(error, &[expression]);
        self.report(error);
        false
    }

    /// Whether two sides have one dimension; says so where they have not.
    pub(super) fn same(
        &mut self,
        (left, left_dim): (&'a Expr, Dim),
        (right, right_dim): (&'a Expr, Dim),
        what: &str,
    ) -> bool {
        let (Dim::Of(a), Dim::Of(b)) = (left_dim, right_dim) else { return true };
        if !self.checking || a == b {
            return true;
        }
        let mut error = Diagnostic::error("dimension-mismatch", format!("{what} have different dimensions"))
            .at(left.span, format!("this is {}", describe(a)))
            .at(right.span, format!("this is {}", describe(b)));
        let hint = self.dimension_hint(left, a, b, what).or_else(|| self.dimension_hint(right, b, a, what));
        if let Some(help) = hint {
            error = error.help(help);
        }
        let error = self.about_units(error, &[left, right]);
        self.report(error);
        false
    }

    /// Adds to a message about dimensions why they are checked at all, and which names were read as units.
    pub(super) fn about_units(&self, mut error: Diagnostic, sides: &[&'a Expr]) -> Diagnostic {
        if let Some((number, unit)) = sides.iter().find_map(|side| self.unit_that_is_a_name(side)) {
            let last = unit.factors.last().map_or("", |factor| factor.name.text.as_str());
            let text = self.sources.text(unit.span);
            let before = text.strip_suffix(last).unwrap_or(text);
            error = error.at(unit.span, format!("`{last}` is the unit here, not the name")).help(format!(
                "for the name `{last}` write `({number} {}){}{last}`",
                &before[..before.len() - 1],
                &before[before.len() - 1..]
            ));
        }
        match self.lone_unit {
            Some(unit) => error
                .at(unit, "this unit switches checking on")
                .help("give every quantity its unit, or remove all units: then nothing is checked"),
            None => error,
        }
    }

    /// A quantity whose unit ends in something that is declared: `3 N*s` where `s` is a parameter.
    fn unit_that_is_a_name(&self, expression: &'a Expr) -> Option<(&'a str, &'a Unit)> {
        if let ExprKind::Quantity(number, unit) = &expression.kind {
            let last = unit.factors.last().filter(|last| last.power.abs() == 1 && unit.factors.len() > 1)?;
            let written = self.sources.text(unit.span).ends_with(&last.name.text);
            return (written && self.scope_of(self.scope, &last.name.text).is_some()).then_some((number, unit));
        }
        let mut found = None;
        super::files::children(expression, &mut |child| {
            if found.is_none() {
                found = self.unit_that_is_a_name(child);
            }
        });
        found
    }

    /// What was probably forgotten where `found` stands in place of `due`.
    pub(super) fn dimension_hint(
        &mut self,
        expression: &'a Expr,
        found: Dimension,
        due: Dimension,
        what: &str,
    ) -> Option<String> {
        let ratio = due.over(found)?;
        for count in 1..=4 {
            if Some(ratio) == Dimension::TIME.power(-count, 1)
                && let Some(name) = self.bare_coordinate(expression)
            {
                return Some(format!("did you forget the prime? the velocity of `{name}` is `{name}'`"));
            }
        }
        if ratio == Dimension::LENGTH && due == Dimension::energy() && !what.contains("force") {
            let height = self.some_length();
            let text = self.sources.text(expression.span).trim();
            let text = if text.is_empty() || text.len() > 40 { "m*g" } else { text };
            return Some(if what.contains("potential") {
                format!("a potential is an energy, and this is a force: multiply by a height: `{text}*{height}`")
            } else {
                format!("this is a force: an energy is a force times a length such as `{height}`")
            });
        }
        None
    }

    fn some_length(&self) -> String {
        let lengths = || self.model.coordinates.iter().filter(|one| one.dimension == Dimension::LENGTH);
        let vertical = lengths().find(|one| matches!(one.name.as_str(), "y" | "z" | "h"));
        vertical.or_else(|| lengths().next()).map_or_else(|| "y".to_string(), |one| one.name.clone())
    }

    /// Refuses what an expression may not depend on.
    pub(super) fn only(&mut self, expression: &'a Expr, ids: &[Id], allowed: Depends, what: &str) -> bool {
        let kinds = [
            (Depends::TIME, "time"),
            (Depends::POSITION, "coordinates"),
            (Depends::VELOCITY, "velocities"),
            (Depends::ACCELERATION, "accelerations"),
            (Depends::FORCE, "constraint forces"),
            (Depends::CONTACT, "`slip` or `normal`"),
        ];
        for (kind, name) in kinds {
            if !allowed.on(kind) && ids.iter().any(|&id| self.graph.depends(id).on(kind)) {
                let allowed: Vec<&str> =
                    kinds.iter().filter(|(kind, _)| allowed.on(*kind)).map(|(_, name)| *name).collect();
                let of = match allowed.split_last() {
                    None => "parameters alone".to_string(),
                    Some((last, rest)) => {
                        let rest: String = rest.iter().map(|one| format!(", {one}")).collect();
                        format!("parameters{rest} and {last}")
                    }
                };
                let code = if allowed.is_empty() { "not-fixed" } else { "wrong-dependence" };
                let error = Diagnostic::error(code, format!("{what} cannot depend on {name}"))
                    .at(expression.span, format!("depends on {name}"))
                    .note(format!("{what} is made of {of}"));
                let error = match (what, kind) {
                    ("a potential", Depends::VELOCITY) => {
                        let text = self.sources.text(expression.span).split_whitespace().collect::<Vec<_>>().join(" ");
                        error.help(format!("what brakes is a dissipation, `dissipation {text}`; an energy of motion is `kinetic {text}`"))
                    }
                    _ => error,
                };
                self.report(error);
                return false;
            }
        }
        true
    }
}
