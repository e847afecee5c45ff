//! Constraints, their non-ideal parts, and what undetermined directions do.

use super::Elaborator;
use super::bodies::Part;
use super::mechanics::Aim;
use super::scope::{Member, Members};
use super::sides::Sides;
use super::value::{Data, Dim, Value};
use crate::checked::{ForceOn, FreeDirection, Nonideal};
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::syntax::{Expr, ExprKind, NonidealItem, StartItem, Statement, StatementKind, Target};
use crate::units::Dimension;
use holonom_symbols::expr::{Depends, Id, Symbol, Zero};
use std::collections::HashMap;

impl<'a> Elaborator<'a> {
    /// The rows of all constraints.
    pub(super) fn write_constraints(&mut self) {
        let mut next_row = 0;
        for which in 0..self.constraint_items.len() {
            if self.exhausted {
                return;
            }
            let components = match self.constraint_items[which].clone() {
                Some((scope, sides, case)) => {
                    self.scope = scope;
                    self.within(&case, |this| this.write_constraint(which, sides))
                }
                None => self.bodies.made.remove(&which).map(|(left, right)| self.fill_constraint(which, &left, &right)),
            };
            let rows = components.unwrap_or_default();
            let constraint = &mut self.model.constraints[which];
            constraint.first_row = next_row;
            let mut places = Vec::with_capacity(rows.len());
            for kept in rows {
                places.push(kept.then_some(next_row));
                next_row += usize::from(kept);
            }
            self.component_rows.push(places);
        }
        self.check_drives();
    }

    /// Two drives of one thing that prescribe different motions.
    fn check_drives(&mut self) {
        let mut first: HashMap<Id, usize> = HashMap::new();
        for which in 0..self.constraint_items.len() {
            let Some((_, sides, _)) = &self.constraint_items[which] else { continue };
            let (sides, constraint) = (*sides, &self.model.constraints[which]);
            let (&[left], &[right], true) = (&constraint.left[..], &constraint.right[..], sides.is_drive && !sides.off)
            else {
                continue;
            };
            let &mut other = first.entry(left).or_insert(which);
            let difference = self.graph.subtract(self.model.constraints[other].right[0], right);
            if other == which || self.graph.is_zero(difference) == Zero::Proved {
                continue;
            }
            let text = self.sources.text(sides.left.span).to_string();
            let (name, before) = (&self.model.constraints[which].name, &self.model.constraints[other]);
            let error = Diagnostic::error("given-twice", format!("`{text}` is driven twice"))
                .at(sides.span, "prescribes another motion")
                .at(before.span, "driven here first")
                .help(format!("remove one of them; a drive that takes over later is declared `, off` and switched by an event: `drop {}, add {name}`", before.name));
            self.report(error);
        }
    }

    /// Fills in one constraint; for each component whether it became a row.
    fn write_constraint(&mut self, which: usize, sides: Sides<'a>) -> Option<Vec<bool>> {
        let (left, right) = (self.value(sides.left), self.value(sides.right));
        let restitution = match sides.one_sided {
            true => self.one_sided_values(sides, left.as_ref(), right.as_ref())?,
            false => Id::ZERO,
        };
        let (left_ids, right_ids, dim) =
            self.equation(sides.left, left, sides.right, right, "the sides of this constraint")?;
        let state = Depends::TIME | Depends::POSITION | Depends::VELOCITY | Depends::ACCELERATION;
        let fine = self.only(sides.left, &left_ids, state, "a constraint")
            && self.only(sides.right, &right_ids, state, "a constraint");
        if !fine {
            return None;
        }
        if let Some(side) = &mut self.model.constraints[which].side {
            side.restitution = restitution;
        }
        self.model.constraints[which].dimension = dim;
        Some(self.fill_constraint(which, &left_ids, &right_ids))
    }

    /// The rows of a constraint from its two sides; for each component whether it became a row.
    fn fill_constraint(&mut self, which: usize, left_ids: &[Id], right_ids: &[Id]) -> Vec<bool> {
        let is_written = self.constraint_items[which].is_some();
        let mut kept = Vec::with_capacity(left_ids.len());
        for (place, (&a, &b)) in left_ids.iter().zip(right_ids).enumerate() {
            let mut row = self.graph.subtract(a, b);
            if self.graph.is_zero(row) == Zero::Proved {
                row = Id::ZERO;
            }
            let moving = Depends::POSITION | Depends::VELOCITY | Depends::ACCELERATION;
            if !self.graph.depends(row).on(moving) {
                // Rows of joints that say nothing, such as one between two bodies that turn about parallel axes, are no mistake.
                if is_written || row != Id::ZERO {
                    self.row_without_coordinates(which, row, (left_ids.len() > 1).then_some(place));
                }
                kept.push(false);
                continue;
            }
            let constraint = &mut self.model.constraints[which];
            constraint.rows.push(row);
            constraint.left.push(a);
            constraint.right.push(b);
            kept.push(true);
        }
        kept
    }

    /// A row that says nothing of the motion: true and idle, or false.
    fn row_without_coordinates(&mut self, which: usize, row: Id, place: Option<usize>) {
        let constraint = &self.model.constraints[which];
        let (name, span, is_one_sided) = (constraint.name.clone(), constraint.span, constraint.side.is_some());
        let name = place.map_or(name.clone(), |place| format!("{name}.{}", place + 1));
        let mut worst = 0.0_f64;
        let mut scale = 0.0_f64;
        for time in [0.0, 0.37, 1.0, 2.9, 11.3] {
            let known = &self.parameter_values;
            let terms = match self.graph.node(row) {
                holonom_symbols::expr::Node::Sum { terms, .. } => terms.iter().map(|&(_, id)| id).collect(),
                _ => vec![row],
            };
            let at = |symbol| if symbol == Symbol::Time { time } else { super::declare::value_of(symbol, known) };
            let value = self.graph.evaluate(&[row], at)[0];
            let size: f64 = self.graph.evaluate(&terms, at).iter().map(|term| term.abs()).sum();
            // A gap that is open is no violation.
            let broken = if is_one_sided { -value } else { value.abs() };
            if broken.is_nan() || broken > worst {
                worst = if broken.is_nan() { f64::INFINITY } else { broken };
            }
            scale = scale.max(size);
        }
        // Between bodies lengths are added up that the row no longer shows: its zero is one beside the size of the picture.
        if let Some(size) = self.model.constraints[which].size {
            scale = scale.max(self.numbers(&[size])[0].abs());
        }
        let is_made = self.model.constraints[which].is_made;
        if row == Id::ZERO || worst <= 1e-12 * scale {
            // Of a joint that repeats others the verdict speaks as a whole.
            if is_made {
                return;
            }
            let warning = Diagnostic::warning("idle-constraint", format!("the constraint `{name}` holds always"))
                .at(span, "no coordinate is left in it, and it is true")
                .help("it was dropped; remove it");
            self.report(warning);
        } else {
            let error = Diagnostic::error("impossible-constraint", format!("the constraint `{name}` can never hold"))
                .at(span, "no coordinate is left in it, and it is false")
                .help("a constraint contains coordinates: `x^2 + y^2 = L^2`");
            self.report(error);
        }
    }

    /// Two sides of one shape and one dimension, by component.
    pub(super) fn equation(
        &mut self,
        left: &'a Expr,
        left_value: Option<Value>,
        right: &'a Expr,
        right_value: Option<Value>,
        what: &str,
    ) -> Option<(Vec<Id>, Vec<Id>, Dimension)> {
        let (a, b) = (left_value?, right_value?);
        self.numeric(left, &a)?;
        self.numeric(right, &b)?;
        let count = a.components().len().max(b.components().len());
        let spread = |value: &Value| if value.is_bare_zero() { vec![Id::ZERO; count] } else { value.components() };
        // A 0 that somebody typed is a number; one that is left of an empty sum fits a vector.
        let spreads = |side: &Expr, value: &Value| value.is_bare_zero() && !matches!(side.kind, ExprKind::Number(_));
        let alike = spreads(left, &a)
            || spreads(right, &b)
            || std::mem::discriminant(&a.data) == std::mem::discriminant(&b.data)
                && a.components().len() == b.components().len();
        if !alike {
            let error = Diagnostic::error("shape-mismatch", format!("{what} are of different kinds"))
                .at(left.span, format!("this is {}", a.kind()))
                .at(right.span, format!("this is {}", b.kind()));
            let zero = if count == 2 { "(0, 0)" } else { "(0, 0, 0)" };
            let lists = [&a, &b].iter().filter(|side| matches!(side.data, Data::List(_))).count();
            let vector = [(left, &a), (right, &b)].into_iter().find(|(_, side)| matches!(side.data, Data::Vector(_)));
            let length = [&a, &b].iter().any(|side| matches!(side.data, Data::Scalar(_)) && !side.is_bare_zero());
            let error = if let (Some((vector, _)), true) = (vector, length) {
                let norm = format!("norm({})", self.sources.text(vector.span));
                error.help(format!("the magnitude of a vector is a number: `{norm}`")).suggest(vector.span, norm)
            } else if lists == 1 {
                error.help("a list over the coordinates is in brackets, with one element for each: `[…]`")
            } else if a.is_bare_zero() || b.is_bare_zero() {
                error.help(format!("the zero of vectors is written `{zero}`"))
            } else {
                error
            };
            self.report(error);
            return None;
        }
        if let (Data::List(first), Data::List(second)) = (&a.data, &b.data) {
            for (one, other) in first.iter().zip(second) {
                if !self.same((left, one.dim), (right, other.dim), what) {
                    return None;
                }
            }
        } else if !self.same((left, a.dim), (right, b.dim), what) {
            return None;
        }
        let dim = if a.dim == Dim::Any { b.dim } else { a.dim };
        Some((spread(&a), spread(&b), dim.or_number()))
    }

    /// `nonideal`, `friction`, `hidden`, `free`.
    pub(super) fn contact_statement(&mut self, statement: &'a Statement) {
        match &statement.kind {
            StatementKind::Nonideal(item) => self.nonideal(item),
            StatementKind::Friction(item) => self.friction(item),
            StatementKind::Hidden => self.model.hidden = Some(statement.span),
            StatementKind::Free(items) if items.is_empty() => self.model.free_zero = Some(statement.span),
            StatementKind::Free(items) => items.iter().for_each(|item| self.free(item)),
            _ => {}
        }
    }

    fn nonideal(&mut self, item: &'a NonidealItem) {
        let Some(target) = &item.target else {
            return self.nonideal_of(item, None);
        };
        for case in self.cases(target) {
            self.within(&case, |this| {
                if let Some(constraint) = this.constraint_aim(target, &case.indices) {
                    this.nonideal_of(item, Some(constraint));
                }
            });
        }
    }

    /// C is a property of constraints: without any there is nothing that could exert it (Udwadia 2005, after eq. 10).
    pub(super) fn check_lonely_nonideals(&mut self) {
        if !self.model.constraints.is_empty() || self.has_mistakes() {
            return;
        }
        let lonely: Vec<Span> = self.model.nonideals.iter().map(|nonideal| nonideal.span).collect();
        for span in lonely {
            let error = Diagnostic::error(
                "nonideal-without-constraint",
                "`nonideal` is a force of constraints, and there are none",
            )
            .at(span, "nothing exerts this force")
            .help("write `force [..]` for a given force, or add the constraint that exerts it");
            self.report(error);
        }
    }

    /// The constraint that a target names.
    pub(super) fn constraint_aim(&mut self, target: &'a Target, indices: &[Option<Vec<i64>>]) -> Option<usize> {
        let [step, ..] = &target.steps[..] else { return None };
        if self.scope_of(self.scope, &step.name.text).is_none() {
            self.no_constraint(&step.name.text, step.name.span);
            return None;
        }
        if self.joint_aim(target, indices).is_some() {
            let text = self.sources.text(target.span).to_string();
            let error = Diagnostic::error("not-yet", "joints have no friction and no other non-ideal forces yet")
                .at(target.span, "a joint")
                .help(format!(
                    "for losses in a hinge or a slider write a damper, `damper d: {text}, rate = c`, or dry friction of a given size, `torque {text}: -M*sign({text}')`"
                ));
            self.report(error);
            return None;
        }
        if target.steps.len() == 1 {
            let scope = self.scope_of(self.scope, &step.name.text)?;
            let kind = self.scopes[scope].names[step.name.text.as_str()].kind;
            if !matches!(kind, "constraint" | "stop") {
                let text = step.name.text.clone();
                self.no_constraint(&text, target.span);
                return None;
            }
        }
        match self.aim(target, indices)? {
            Aim::Constraint(which) => Some(which),
            _ => {
                let text = self.sources.text(target.span).to_string();
                self.no_constraint(&text, target.span);
                None
            }
        }
    }

    /// The joint that a target names. Nothing is reported where it names something else.
    fn joint_aim(&mut self, target: &'a Target, indices: &[Option<Vec<i64>>]) -> Option<usize> {
        let mut scope = self.scope_of(self.scope, &target.steps.first()?.name.text)?;
        let last = target.steps.len() - 1;
        for (place, (step, indices)) in target.steps.iter().zip(indices).enumerate() {
            let known = self.scopes[scope].names.get_mut(step.name.text.as_str())?;
            let member = match (&known.members, indices) {
                (Members::One(member), None) => *member,
                (Members::Family(members), Some(indices)) => *members.get(indices)?,
                _ => return None,
            };
            known.used = true;
            match member {
                Member::Part(part) => scope = part,
                Member::Joint(joint) if place == last => return Some(joint),
                _ => return None,
            }
        }
        None
    }

    /// What an event switches: a constraint, or all rows of a joint.
    pub(super) fn switched_aim(&mut self, target: &'a Target, indices: &[Option<Vec<i64>>]) -> Option<Vec<usize>> {
        let Some(joint) = self.joint_aim(target, indices) else {
            return self.constraint_aim(target, indices).map(|which| vec![which]);
        };
        let one = &self.bodies.joints[joint];
        // What only gives a coordinate its value goes on.
        let held = one.constraints.iter().filter(|(part, _)| *part != Part::Value);
        let held: Vec<usize> = held.map(|&(_, which)| which).collect();
        (!one.is_broken).then_some(held)
    }

    fn nonideal_of(&mut self, item: &'a NonidealItem, constraint: Option<usize>) {
        let value = self.value(&item.value);
        let (on, components) = match &item.on {
            Some(point) => {
                let place = self.value(point);
                let length = self.due(Dimension::LENGTH);
                let Some(position) = self.point(point, place, length, "what `on` names") else { return };
                let Some(components) = self.point_force(&item.value, value, &position) else { return };
                (ForceOn::Point(position), components)
            }
            None => {
                let Some(components) = self.force_list(&item.value, value, "a non-ideal force") else { return };
                (ForceOn::System, components)
            }
        };
        let allowed = Depends::TIME | Depends::POSITION | Depends::VELOCITY | Depends::FORCE;
        if self.only(&item.value, &components, allowed, "a non-ideal force") {
            self.model.nonideals.push(Nonideal { constraint, on, components, span: item.span });
        }
    }

    fn free(&mut self, item: &'a StartItem) {
        for case in self.cases(&item.target) {
            self.within(&case, |this| this.free_member(item, &case.indices));
        }
    }

    fn free_member(&mut self, item: &'a StartItem, indices: &[Option<Vec<i64>>]) -> Option<()> {
        let aim = self.aim(&item.target, indices)?;
        let text = self.sources.text(item.target.span).to_string();
        if item.target.primes != 2 || matches!(aim, Aim::Parameter(_) | Aim::Constraint(_)) {
            let name = text.trim_end_matches('\'').to_string();
            let error = Diagnostic::error("wrong-target", "`free` gives accelerations")
                .at(item.target.span, "not an acceleration")
                .help(format!("write `free {name}'' = …`"));
            self.report(error);
            return None;
        }
        let value = self.value(&item.value);
        let targets = self.coordinates_at(&item.target, aim)?;
        let ids = self.spread(&item.value, value, &targets, 2)?;
        let state = Depends::TIME | Depends::POSITION | Depends::VELOCITY;
        self.only(&item.value, &ids, state, "a chosen acceleration").then_some(())?;
        for (coordinate, value) in targets.into_iter().zip(ids) {
            self.model.free.push(FreeDirection { coordinate, value, span: item.span });
        }
        Some(())
    }
}
