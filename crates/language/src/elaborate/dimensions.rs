//! Dimensions that are due: what must be an energy, a force, a time, and what to say where it is not.

use super::Elaborator;
use super::value::{Data, Dim, Value, describe};
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::syntax::{Expr, ExprKind, ProductOp, StatementKind, Unit};
use crate::units::Dimension;
use holonom_symbols::expr::{Depends, Id};

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
                .at(expression.span, format!("this is {}", value.kind()));
            let error = match self.as_vector(expression, &value.data, what) {
                Some(vector) => error
                    .help(format!("write its components in parentheses: `{vector}`"))
                    .suggest(expression.span, vector),
                None => error.help("write its components in parentheses: `(x, y)` or `(x, y, z)`"),
            };
            self.report(error);
            return None;
        };
        self.fits(expression, value.dim, due, what).then_some(components)
    }

    /// The vector that was probably meant by a number or a list: upwards is the last axis.
    fn as_vector(&self, expression: &'a Expr, data: &Data, what: &str) -> Option<String> {
        let text = self.sources.text(expression.span).trim();
        if text.is_empty() || text.len() > 60 || text.contains(['\n', '\r']) {
            return None;
        }
        let sum = matches!(expression.kind, ExprKind::Sum(..));
        match data {
            Data::List(all) if (2..=3).contains(&all.len()) => {
                Some(format!("({})", text.strip_prefix('[')?.strip_suffix(']')?.trim()))
            }
            Data::Scalar(_) if what == "gravity" || what.contains("force") => {
                let space = self.positions.iter().any(|&at| self.is_in_space(at));
                let text = match (what == "gravity" && !text.starts_with('-'), sum) {
                    (true, true) => format!("-({text})"),
                    (true, false) => format!("-{text}"),
                    _ => text.to_string(),
                };
                Some(if space { format!("(0, 0, {text})") } else { format!("(0, {text})") })
            }
            _ => None,
        }
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
        let torque = due == Dimension::energy() && Self::is_torque(what);
        let (code, message) = if energy {
            ("not-an-energy", format!("{what} must be an energy, `{due}`"))
        } else if what.contains("torque") && torque {
            ("dimension-mismatch", format!("{what} is a force times a length, `N*m`"))
        } else if torque {
            ("dimension-mismatch", format!("{what} acts on an angle or a pure number: it must be a torque, `N*m`"))
        } else {
            ("dimension-mismatch", format!("{what} must be {}", describe(due)))
        };
        let here = match found == Dimension::energy() && what.contains("force") && !self.bodies.is_empty() {
            true => format!("this is a torque or an energy, `{found}`"),
            false => format!("this is {}", describe(found)),
        };
        let mut error = Diagnostic::error(code, message).at(expression.span, here);
        if let Some((help, text)) = self.squared_velocity(expression, found, due, what) {
            error = error.help(help).suggest(expression.span, text);
        } else if let Some(help) = self.dimension_hint(expression, found, due, what) {
            error = error.help(help);
        } else if let Some((help, span, text)) = self.unit_of_factor(expression, found, due) {
            error = error.help(help).suggest(span, text);
        } else if found.is_number() {
            error = error.help(format!(
                "numbers without a unit are pure numbers: give each quantity its unit, such as `2 {due}`"
            ));
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
        let squared = |one: Dimension, other: Dimension| other.power(2, 1) == Some(one);
        let root = [(left, a, b), (right, b, a)].into_iter().find(|&(_, one, other)| squared(other, one));
        let number = [(left, a, b), (right, b, a)].into_iter().find(|&(_, one, _)| one.is_number());
        let remedy = number.and_then(|(side, one, other)| self.unit_of_factor(side, one, other));
        if let Some((side, ..)) = root.filter(|(side, ..)| Self::is_name(side)) {
            let text = self.sources.text(side.span);
            error = error
                .help(format!("did you forget a square? write `{text}^2`"))
                .suggest(side.span, format!("{text}^2"));
        } else if let Some(help) = hint {
            error = error.help(help);
        } else if let Some((help, span, text)) = remedy {
            error = error.help(help).suggest(span, text);
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
        if let Some((above, below)) = sides.iter().find_map(|side| self.unit_below(side, true)) {
            let (above, number, unit) = (self.sources.text(above), below.0, self.sources.text(below.1.span));
            error = error.note(format!(
                "`{above}/{number} {unit}` divides by `{number} {unit}`; for the other reading write `({above}/{number})*(1 {unit})`"
            ));
        }
        match self.lone_unit {
            Some(unit) => error
                .at(unit, "this unit switches checking on")
                .help("give every quantity its unit, or remove all units: then nothing is checked"),
            None => error,
        }
    }

    /// `20/0.3 rad/s`: a number over a quantity, here or in the parameter that is named here.
    fn unit_below(&self, expression: &'a Expr, through: bool) -> Option<(Span, (&'a str, &'a Unit))> {
        if let ExprKind::Product(first, rest) = &expression.kind {
            let mut before: &Expr = first;
            for (op, factor) in rest {
                if let (ProductOp::Over, ExprKind::Number(_), ExprKind::Quantity(number, unit)) =
                    (*op, &before.kind, &factor.kind)
                {
                    return Some((before.span, (number, unit)));
                }
                before = factor;
            }
        }
        if let (ExprKind::Name(name), true) = (&expression.kind, through) {
            let items = self.scopes[self.scope].statements.iter().filter_map(|statement| match &statement.kind {
                StatementKind::Param(items) => Some(items),
                _ => None,
            });
            let mut named = items.flatten().filter(
                |item| matches!(&item.target.steps[..], [step] if step.name.text == *name && step.indices.is_empty()),
            );
            return named.find_map(|item| self.unit_below(&item.value, false));
        }
        let mut found = None;
        crate::visit::children(expression, &mut |child| {
            if found.is_none() {
                found = self.unit_below(child, through);
            }
        });
        found
    }

    /// A kinetic energy or a dissipation in which a velocity stands that is not squared, and how it is written.
    fn squared_velocity(
        &self,
        expression: &'a Expr,
        found: Dimension,
        due: Dimension,
        what: &str,
    ) -> Option<(String, String)> {
        let text = self.sources.text(expression.span).trim();
        if text.len() > 60 || text.contains(['\n', '\r']) {
            return None;
        }
        if what == "a kinetic energy" && text.contains("''") {
            let right = text.replace("''^2", "'^2").replace("''", "'^2");
            return Some((format!("a kinetic energy has velocities squared: `{right}`"), right));
        }
        let ratio = due.over(found)?;
        let rate = Dimension::TIME.power(-1, 1)?;
        let is_velocity = ratio == rate || Some(ratio) == Dimension::LENGTH.times(rate);
        if what == "a dissipation" && is_velocity && text.matches('\'').count() == 1 {
            let force = text.trim_start_matches('-').trim_start();
            let right = force.replace('\'', "'^2") + "/2";
            return Some((format!("a dissipation has velocities squared: `{right}` for the force `-{force}`"), right));
        }
        None
    }

    /// The unit that a plain number would need: the help, the place and the text.
    fn unit_of_factor(&self, expression: &'a Expr, found: Dimension, due: Dimension) -> Option<(String, Span, String)> {
        let ratio = due.over(found).filter(|ratio| !ratio.is_number())?;
        let (number, digits) = self.plain_factor(expression)?;
        let alone = number == expression.span;
        let right = if alone { format!("{digits} {ratio}") } else { format!("({digits} {ratio})") };
        Some((format!("the number `{digits}` has no unit: write `{right}` if that is its unit"), number, right))
    }

    /// The number without a unit that an expression is, or that is its only factor besides something that moves.
    fn plain_factor(&self, expression: &'a Expr) -> Option<(Span, &'a str)> {
        match &expression.kind {
            ExprKind::Number(digits) => Some((expression.span, digits)),
            ExprKind::Negate(inner) => self.plain_factor(inner),
            ExprKind::Product(first, rest) => {
                let first = match &first.kind {
                    ExprKind::Negate(inner) => inner,
                    _ => first,
                };
                let ExprKind::Number(digits) = &first.kind else { return None };
                let ((ProductOp::Times, moving), others) = rest.split_first()? else { return None };
                let moves = match &moving.kind {
                    ExprKind::Prime(..) => true,
                    ExprKind::Power(base, _) => matches!(base.kind, ExprKind::Prime(..)),
                    _ => Self::is_name(moving) && self.bare_coordinate(moving).is_some(),
                };
                let halved =
                    others.iter().all(|(op, one)| *op == ProductOp::Over && matches!(one.kind, ExprKind::Number(_)));
                (moves && halved).then_some((first.span, digits.as_str()))
            }
            _ => None,
        }
    }

    /// Whether a particle has three coordinates.
    fn is_in_space(&self, position: usize) -> bool {
        let name = &self.lets[position].name;
        self.model.particles.iter().any(|one| one.name == *name && one.position.len() == 3)
    }

    /// A quantity whose unit ends in something that is declared: `3 N*s` where `s` is a parameter.
    fn unit_that_is_a_name(&self, expression: &'a Expr) -> Option<(&'a str, &'a Unit)> {
        if let ExprKind::Quantity(number, unit) = &expression.kind {
            let last = unit.factors.last().filter(|last| last.power.abs() == 1 && unit.factors.len() > 1)?;
            let written = self.sources.text(unit.span).ends_with(&last.name.text);
            return (written && self.scope_of(self.scope, &last.name.text).is_some()).then_some((number, unit));
        }
        let mut found = None;
        crate::visit::children(expression, &mut |child| {
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
        if ratio == Dimension::LENGTH && due == Dimension::energy() && Self::is_torque(what) {
            return Some("multiply the force by its lever arm, a length".to_string());
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

    /// Whether something that has the dimension of an energy is a torque.
    fn is_torque(what: &str) -> bool {
        let on_an_angle = ["the force on ", "the force of a spring", "this force", "`preload`", "`stiffness`"];
        what.contains("torque") || on_an_angle.iter().any(|begin| what.starts_with(begin))
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
