//! What may be said of constraint forces: `multiplier`, `reaction`, `ideal`.

use super::Elaborator;
use super::expression::Found;
use super::scope::Member;
use super::value::{Dim, Value};
use crate::diagnostic::Diagnostic;
use crate::names::closest;
use crate::source::Span;
use crate::syntax::{Expr, ExprKind, Ident};
use crate::units::Dimension;
use holonom_symbols::expr::{Depends, Id, Number, Symbol};

impl<'a> Elaborator<'a> {
    /// `multiplier(NAME)`, `reaction(NAME)`, `ideal(NAME)`, `ideal(NAME, p)`
    pub(super) fn constraint_force(&mut self, name: &'a Ident, arguments: &'a [Expr], span: Span) -> Option<Value> {
        let function = name.text.as_str();
        let most = if function == "ideal" { 2 } else { 1 };
        if arguments.is_empty() || arguments.len() > most {
            let form = if most == 2 { "ideal(NAME)` or `ideal(NAME, p)" } else { "multiplier(NAME)" };
            let error = Diagnostic::error("arguments", format!("`{function}` needs the name of a constraint"))
                .at(span, format!("{} arguments here", arguments.len()))
                .help(format!("write `{form}`"));
            self.report(error);
            return None;
        }
        if !self.rows_known {
            let error = Diagnostic::error("too-early", format!("`{function}` cannot be used here"))
                .at(span, "constraint forces follow from this")
                .help("it can be used in `nonideal`, `friction`, `output`, `event` and `expect`");
            self.report(error);
            return None;
        }
        let (constraint, component) = self.constraint_row(&arguments[0])?;
        match function {
            "multiplier" => self.per_row(constraint, component, Symbol::Multiplier),
            "reaction" => self.per_row(constraint, component, Symbol::Reaction),
            _ => match arguments.get(1) {
                None => {
                    let force = self.ideal_force(constraint, component);
                    // A part speaks of its own coordinates.
                    let own = self.own_coordinates();
                    let elements = own
                        .map(|which| (which, force[which]))
                        .map(|(which, id)| Value::scalar(id, Dim::Of(self.generalised_force(which))))
                        .collect();
                    Some(Value::list(elements))
                }
                Some(point) => {
                    let value = self.eval(point);
                    let length = self.due(Dimension::LENGTH);
                    let position = self.point(point, value, length, "the point of `ideal`")?;
                    self.ideal_force_on((constraint, component), &position, point.span)
                }
            },
        }
    }

    /// The constraint that an expression names, and the component of a vector equation where it names one: `pin.2`.
    fn constraint_row(&mut self, expression: &'a Expr) -> Option<(usize, Option<usize>)> {
        let ExprKind::Member(base, ident) = &expression.kind else {
            return Some((self.constraint_named(expression)?, None));
        };
        if !ident.text.bytes().all(|byte| byte.is_ascii_digit()) {
            return Some((self.constraint_named(expression)?, None));
        }
        let constraint = self.constraint_named(base)?;
        // A constraint with a mistake has no components at all.
        let count = self.component_rows.get(constraint).map_or(0, Vec::len);
        let which = ident.text.parse::<usize>().ok().filter(|which| (1..=count).contains(which));
        if which.is_none() && count > 0 {
            let name = self.model.constraints[constraint].name.clone();
            let error = Diagnostic::error("out-of-range", format!("`{name}` has no row `{}`", ident.text));
            let error = if count == 1 {
                error.at(ident.span, "it has one row").help(format!("write `{name}` alone"))
            } else {
                error.at(ident.span, format!("its rows are `{name}.1` to `{name}.{count}`"))
            };
            self.report(error);
        }
        Some((constraint, Some(which? - 1)))
    }

    /// The constraint that an expression names.
    pub(super) fn constraint_named(&mut self, expression: &'a Expr) -> Option<usize> {
        if Self::is_name(expression) {
            if let ExprKind::Name(name) = &expression.kind
                && self.scope_of(self.scope, name).is_none()
            {
                self.no_constraint(name, expression.span);
                return None;
            }
            match self.path(expression)? {
                Found::Member(Member::Constraint(which)) => return Some(which),
                Found::Member(Member::Broken) => return None,
                Found::Member(Member::Element(which)) => {
                    self.no_reaction_of_element(which, expression.span);
                    return None;
                }
                Found::Member(Member::Body(body)) => {
                    self.no_reaction_of_body(body, expression.span);
                    return None;
                }
                Found::Member(Member::Stop(low)) => {
                    self.stop_without_side(low, expression.span);
                    return None;
                }
                found @ Found::Family(..) => {
                    self.found_value(found, expression.span);
                    return None;
                }
                _ => {}
            }
        }
        let text = self.sources.text(expression.span).to_string();
        self.no_constraint(&text, expression.span);
        None
    }

    /// The message about something that is no constraint.
    pub(super) fn no_constraint(&mut self, name: &str, span: Span) {
        if self.doubtful.contains(name) {
            return;
        }
        let joints = self.bodies.joints.iter().map(|one| one.name.as_str());
        let written = self.model.constraints.iter().filter(|one| !one.is_made).map(|one| one.name.as_str());
        let names: Vec<&str> = written.chain(joints).take(10_000).collect();
        let error = Diagnostic::error("unknown-constraint", format!("`{name}` is not a constraint"));
        let error = match closest(name, names.iter().copied()) {
            Some(right) => error.at(span, format!("did you mean `{right}`?")).suggest(span, right.to_string()),
            None if names.is_empty() => error.at(span, "the model has no constraints"),
            None => error.at(span, "not the name of a constraint").note(format!(
                "constraints and joints are {}{}",
                names[..names.len().min(8)].join(", "),
                if names.len() > 8 { ", …" } else { "" }
            )),
        };
        self.report(error);
    }

    /// How many time derivatives stand between a row and the accelerations: ∂φ/∂q, ∂φ/∂q̇ or ∂φ/∂q̈ is its Jacobian.
    fn level(&self, row: Id) -> i32 {
        let depends = self.graph.depends(row);
        if depends.on(Depends::ACCELERATION) { 2 } else { i32::from(depends.on(Depends::VELOCITY)) }
    }

    fn per_row(&mut self, constraint: usize, component: Option<usize>, symbol: fn(u32) -> Symbol) -> Option<Value> {
        let one = &self.model.constraints[constraint];
        let level = one.rows.iter().map(|&row| self.level(row)).max().unwrap_or(0);
        let energy = self.due(Dimension::energy());
        // λ has the dimension that makes (∂φ/∂q̇)ᵀλ an energy per coordinate.
        let dimension = self.per_second(energy, level);
        let dimension = dimension.over(one.dimension).unwrap_or(dimension);
        // A constraint with a mistake has no components at all.
        let rows = self.component_rows.get(constraint).filter(|rows| !rows.is_empty())?.clone();
        let rows = match component {
            Some(which) => vec![*rows.get(which)?],
            None => rows,
        };
        let ids: Vec<Id> =
            rows.iter().map(|row| row.map_or(Id::ZERO, |row| self.graph.symbol(symbol(row as u32)))).collect();
        let dim = Dim::Of(dimension);
        Some(if let [id] = ids[..] { Value::scalar(id, dim) } else { Value::vector(ids, dim) })
    }

    /// Qᵢ of one constraint, or of one of its rows: Σ over its rows of its Jacobian times its ideal multiplier.
    fn ideal_force(&mut self, constraint: usize, component: Option<usize>) -> Vec<Id> {
        let only = component.map(|which| self.component_rows[constraint].get(which).copied().flatten());
        let count = self.model.coordinates.len() as u32;
        let first = self.model.constraints[constraint].first_row;
        let rows = self.model.constraints[constraint].rows.clone();
        let mut terms: Vec<Vec<(Number, Id)>> = vec![Vec::new(); count as usize];
        for (place, row) in rows.into_iter().enumerate() {
            if only.is_some_and(|only| only != Some(first + place)) {
                continue;
            }
            let symbol = match self.level(row) {
                0 => Symbol::Position,
                1 => Symbol::Velocity,
                _ => Symbol::Acceleration,
            };
            let symbols: Vec<Symbol> = (0..count).map(symbol).collect();
            let jacobian = self.graph.gradient(row, &symbols);
            let multiplier = self.graph.symbol(Symbol::Multiplier((first + place) as u32));
            for (terms, entry) in terms.iter_mut().zip(jacobian) {
                if entry != Id::ZERO {
                    terms.push((Number::ONE, self.graph.multiply(entry, multiplier)));
                }
            }
        }
        terms.into_iter().map(|terms| self.graph.sum(&terms)).collect()
    }

    /// The force F of least norm on a point r(q) with JᵀF = Aᵀλ, J = ∂r/∂q: F = (J Jᵀ)⁻¹ J Aᵀλ.
    fn ideal_force_on(
        &mut self,
        (constraint, component): (usize, Option<usize>),
        position: &[Id],
        span: Span,
    ) -> Option<Value> {
        let force = self.ideal_force(constraint, component);
        let count = self.model.coordinates.len() as u32;
        let dim = Dim::Of(self.due(Dimension::energy().over(Dimension::LENGTH)?));
        let plain: Option<Vec<usize>> = position.iter().map(|&id| self.coordinate_of(id)).collect();
        if let Some(coordinates) = plain {
            return Some(Value::vector(coordinates.into_iter().map(|which| force[which]).collect(), dim));
        }
        let symbols: Vec<Symbol> = (0..count).map(Symbol::Position).collect();
        let jacobian: Vec<Vec<Id>> = position.iter().map(|&id| self.graph.gradient(id, &symbols)).collect();
        let size = jacobian.len();
        let right: Vec<Id> = jacobian.iter().map(|row| self.dot(row, &force)).collect();
        let mut square = vec![vec![Id::ZERO; size]; size];
        for i in 0..size {
            for j in 0..size {
                square[i][j] = self.dot(&jacobian[i], &jacobian[j]);
            }
        }
        let determinant = self.determinant(&square);
        if determinant == Id::ZERO {
            let error = Diagnostic::error("point-not-free", "the force on this point is not determined by its motion")
                .at(span, "some force on it does no work at all")
                .help("write `ideal(NAME)`, the generalised force over all coordinates");
            self.report(error);
            return None;
        }
        // Cramer's rule, for two or three unknowns.
        let mut result = Vec::with_capacity(size);
        for column in 0..size {
            let mut replaced = square.clone();
            for (row, value) in replaced.iter_mut().zip(&right) {
                row[column] = *value;
            }
            let numerator = self.determinant(&replaced);
            result.push(self.graph.divide(numerator, determinant));
        }
        Some(Value::vector(result, dim))
    }

    fn determinant(&mut self, matrix: &[Vec<Id>]) -> Id {
        let g = &mut self.graph;
        let mut minor = |row: usize, i: usize, j: usize| {
            let (one, other) =
                (g.multiply(matrix[row][i], matrix[row + 1][j]), g.multiply(matrix[row][j], matrix[row + 1][i]));
            g.subtract(one, other)
        };
        if matrix.len() == 2 {
            return minor(0, 0, 1);
        }
        let minors = [minor(1, 1, 2), minor(1, 2, 0), minor(1, 0, 1)];
        self.dot(&matrix[0], &minors)
    }

    /// The coordinate that an expression is, where it is one.
    pub(super) fn coordinate_of(&self, id: Id) -> Option<usize> {
        match self.graph.node(id) {
            holonom_symbols::expr::Node::Symbol(Symbol::Position(which)) => Some(*which as usize),
            _ => None,
        }
    }
}
