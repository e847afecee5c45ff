//! Placements: where bodies and frames lie in the picture.

use super::space::{self, E1, E2, E3, IDENTITY, Matrix, Vector, ZERO};
use super::{Elaborator, Placed, Placing};
use crate::diagnostic::Diagnostic;
use crate::elaborate::value::Data;
use crate::source::Span;
use crate::syntax::{BodyItem, Expr, ExprKind, ParticlePlace, PlaceClause, StatementKind, Turn};
use crate::units::Dimension;
use holonom_symbols::expr::{Depends, Function, Id, Number, Symbol};

/// Directions shorter than this part of what they are made of are none.
const NO_DIRECTION: f64 = 1e-9;

/// The axis of a body that runs along `from P to Q`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Runs {
    First,
    Third,
    /// The third, from the base of a cone to its tip.
    FromBase,
}

impl<'a> Elaborator<'a> {
    /// Whether the points of placements and joints have two components or three.
    pub(super) fn find_plane(&mut self) {
        let mut points: Vec<(usize, super::Case<'a>, &'a Expr)> = Vec::new();
        for body in &self.bodies.all {
            let Some((item, case)) = &body.item else { continue };
            points.extend(first_point(&item.placement).map(|point| (body.scope, case.clone(), point)));
        }
        for joint in &self.bodies.joints {
            let item = joint.item;
            let point = item.at.as_ref().or(item.along.as_ref().map(|(from, _)| from));
            points.extend(point.map(|point| (joint.scope, joint.case.clone(), point)));
        }
        for scope in &self.scopes {
            let Some((item, case)) = &scope.placement else { continue };
            points.extend(first_point(&item.placement).map(|point| (scope.parent.unwrap_or(0), case.clone(), point)));
        }
        for (scope, case, point) in points {
            // Mistakes in it are reported where it is read.
            let before = (self.diagnostics.len(), self.reported.clone());
            let value = self.at_home(scope, &case, |this| this.value(point));
            self.diagnostics.truncate(before.0);
            self.reported = before.1;
            if let Some(Data::Vector(components)) = value.map(|value| value.data) {
                self.bodies.is_planar = Some(components.len() == 2);
                return;
            }
        }
        // Nothing has a point: gravity or particles may tell.
        let planar = self.order.iter().any(|(_, statement)| match &statement.kind {
            StatementKind::Gravity(value) => matches!(&value.kind, ExprKind::Tuple(all) if all.len() == 2),
            StatementKind::Particle(items) if self.bodies.is_empty() => items.iter().any(|item| match &item.place {
                ParticlePlace::At(point) => matches!(&point.kind, ExprKind::Tuple(all) if all.len() == 2),
                ParticlePlace::Plane(_) => true,
                ParticlePlace::Space(_) => false,
            }),
            _ => false,
        });
        self.bodies.is_planar = Some(planar);
    }

    /// A point or a direction of the picture: three components, the third zero in the plane.
    pub(super) fn picture_vector(
        &mut self,
        expression: &'a Expr,
        due: Option<Dimension>,
        what: &str,
    ) -> Option<Vector> {
        let value = self.value(expression)?;
        let due = due.unwrap_or(value.dim.or_number());
        let components = self.point(expression, Some(value), due, what)?;
        let count = if self.is_planar() { 2 } else { 3 };
        if components.len() != count {
            let error = Diagnostic::error("wrong-length", format!("{what} has {} components", components.len()))
                .at(
                    expression.span,
                    if count == 2 { "the mechanism lies in a plane" } else { "the mechanism lies in space" },
                )
                .help(format!("all points of bodies and joints have {count} components"));
            self.report(error);
            return None;
        }
        Some([components[0], components[1], components.get(2).copied().unwrap_or(Id::ZERO)])
    }

    /// A direction of length 1: `x`, `y`, `z`, or a vector.
    pub(super) fn direction(&mut self, expression: &'a Expr, what: &str) -> Option<Vector> {
        if let ExprKind::Name(name) = &expression.kind
            && self.local(name).is_none()
            && let Some(axis) = axis_named(name)
        {
            // A coordinate of that name is a number, and no direction.
            let is_vector = self.scope_of(self.scope, name).is_some_and(|scope| {
                let kind = self.scopes[scope].names[name.as_str()].kind;
                matches!(kind, "let" | "particle" | "body")
            });
            if !is_vector {
                if self.is_planar() && axis == E3 && what == "the axis of a joint" {
                    let error = Diagnostic::error("joint-axis", "this axis does not lie in the plane")
                        .at(expression.span, "perpendicular to the mechanism")
                        .help("a slider in the plane moves along `x`, `y` or a vector such as `(1, 2)`");
                    self.report(error);
                    return None;
                }
                return Some(axis);
            }
        }
        let v = self.picture_vector(expression, None, what)?;
        self.unit_vector(v, expression.span, what)
    }

    /// A vector divided by its length.
    pub(super) fn unit_vector(&mut self, v: Vector, span: Span, what: &str) -> Option<Vector> {
        if let Some(fixed) = self.unit_along(v) {
            return Some(fixed);
        }
        let size: f64 = self.vector_numbers(v).iter().map(|one| one * one).sum::<f64>().sqrt();
        if size == 0.0 || !size.is_finite() {
            let error = Diagnostic::error("no-direction", format!("{what} has no direction"))
                .at(span, "its length is zero")
                .help("give a vector that is not zero, such as `(0, 0, 1)`, or `x`, `y` or `z`");
            self.report(error);
            return None;
        }
        let length = self.vector_length(v);
        Some(v.map(|one| self.graph.divide(one, length)))
    }

    /// The direction of a vector along an axis of the world: it has length 1 without a root.
    fn unit_along(&mut self, v: Vector) -> Option<Vector> {
        let mut there = (0..3).filter(|&i| v[i] != Id::ZERO);
        let (first, second) = (there.next()?, there.next());
        let number = self.numbers(&[v[first]])[0];
        if second.is_none() {
            self.decided_by(&[v[first]]);
        }
        if second.is_some() || number == 0.0 || !number.is_finite() {
            return None;
        }
        let mut unit = ZERO;
        unit[first] = self.graph.integer(if number < 0.0 { -1 } else { 1 });
        Some(unit)
    }

    pub(super) fn vector_length(&mut self, v: Vector) -> Id {
        let signs: Vec<bool> = self.numbers(&v).iter().map(|&one| one < 0.0).collect();
        let is_negative =
            |_: &holonom_symbols::expr::Graph, id: Id| v.iter().position(|&one| one == id).is_some_and(|i| signs[i]);
        space::length(&mut self.graph, v, is_negative)
    }

    /// The part of `v` that is perpendicular to the unit vector `to`, of length 1; nothing where there is none.
    pub(super) fn perpendicular(&mut self, v: Vector, to: Vector) -> Option<Vector> {
        let along = space::dot(&mut self.graph, v, to);
        let part = space::scaled(&mut self.graph, along, to);
        let rest = space::subtract(&mut self.graph, v, part);
        self.decided_by(&rest);
        let size = |v: [f64; 3]| v.iter().map(|one| one * one).sum::<f64>().sqrt();
        let (left, all) = (size(self.vector_numbers(rest)), size(self.vector_numbers(v)));
        if left <= NO_DIRECTION * all || left.is_nan() {
            return None;
        }
        if let Some(fixed) = self.unit_along(rest) {
            return Some(fixed);
        }
        let length = self.vector_length(rest);
        Some(rest.map(|one| self.graph.divide(one, length)))
    }

    /// Where everything is placed.
    pub(super) fn place_all_bodies(&mut self) {
        for which in 1..self.bodies.all.len() {
            self.place_first(which);
        }
    }

    /// Places a body, where that has not been done: others may be placed by its points.
    fn place_first(&mut self, which: usize) {
        match self.bodies.all[which].placing {
            Placing::Done => return,
            Placing::Running => return self.placed_by_itself(which),
            Placing::Waiting => {}
        }
        let Some((item, case)) = self.bodies.all[which].item.clone() else { return };
        let scope = self.bodies.all[which].scope;
        self.bodies.all[which].placing = Placing::Running;
        let done = self.elsewhere(scope, &case, |this| this.place_body(which, item));
        let body = &mut self.bodies.all[which];
        body.placing = Placing::Done;
        body.is_broken |= done.is_none();
    }

    fn placed_by_itself(&mut self, which: usize) {
        let body = &mut self.bodies.all[which];
        let is_known = std::mem::replace(&mut body.is_broken, true);
        let (name, span) = (body.name.clone(), body.span);
        if !is_known {
            let error = Diagnostic::error("cyclic-definition", format!("`{name}` is placed by itself"))
                .at(span, "its place is asked for to find its place")
                .help("bodies may be placed by points of others in any order, but not in a circle");
            self.report(error);
        }
    }

    /// Does something in another scope from the middle of an expression.
    pub(super) fn elsewhere<T>(&mut self, scope: usize, case: &super::Case<'a>, run: impl FnOnce(&mut Self) -> T) -> T {
        let locals = std::mem::take(&mut self.locals);
        let contact = self.contact.take();
        let depth = std::mem::take(&mut self.depth);
        let in_picture = std::mem::replace(&mut self.bodies.in_picture, true);
        let result = self.at_home(scope, case, run);
        self.bodies.in_picture = in_picture;
        self.depth = depth;
        self.contact = contact;
        self.locals = locals;
        result
    }

    fn place_body(&mut self, which: usize, item: &'a BodyItem) -> Option<()> {
        self.is_placed_here().then_some(())?;
        let (runs, length) = self.shape_of(which, item)?;
        let placed = self.placement(&item.placement, runs, item.span)?;
        if let (Some(length), Some((from, to))) = (length, ends(&item.placement)) {
            self.check_length(item, length, from, to)?;
        }
        self.bodies.all[which].placed_in_part = placed;
        self.bodies.all[which].placed = self.placed_in_world(placed);
        Some(())
    }

    /// A rod that was placed from one point to another has that length.
    fn check_length(&mut self, item: &'a BodyItem, length: Id, from: &'a Expr, to: &'a Expr) -> Option<()> {
        let (p, q) = (
            self.picture_vector(from, None, "the end of a body")?,
            self.picture_vector(to, None, "the end of a body")?,
        );
        let gap = space::subtract(&mut self.graph, q, p);
        let placed = self.vector_length(gap);
        let numbers = self.numbers(&[length, placed]);
        if (numbers[0] - numbers[1]).abs() <= 1e-6 * numbers[0].abs().max(numbers[1].abs()) {
            return Some(());
        }
        let shape = item.shape.as_ref().map_or(item.span, |shape| shape.span);
        let error = Diagnostic::error("body-length", "the body and its placement have different lengths")
            .at(shape, format!("this long: {}", shown(numbers[0])))
            .at(from.span.to(to.span), format!("this far apart: {}", shown(numbers[1])))
            .help("correct one of the two, or place the body by its middle: `at P`");
        self.report(error);
        None
    }

    pub(super) fn place_all_frames(&mut self) {
        for which in 0..self.bodies.frames.len() {
            let (scope, item, case) = {
                let frame = &self.bodies.frames[which];
                (frame.scope, frame.item, frame.case.clone())
            };
            let done = self.at_home(scope, &case, |this| {
                let body = this.body_of(&item.on)?;
                let placed = this.placement(&item.placement, Runs::First, item.span)?;
                let (origin, axes) = this.in_body(body, placed.origin, placed.axes);
                let own = this.placement_here(body).angle;
                let angle = this.graph.subtract(placed.angle, own);
                let frame = &mut this.bodies.frames[which];
                (frame.body, frame.origin, frame.axes, frame.angle) = (body, origin, axes, angle);
                Some(())
            });
            self.bodies.frames[which].is_broken = done.is_none();
        }
    }

    /// A point and axes of the picture, in the frame of the part at hand, in the axes of a body.
    pub(super) fn in_body(&mut self, body: usize, origin: Vector, axes: Matrix) -> (Vector, Matrix) {
        let placed = self.placement_here(body);
        let from = space::subtract(&mut self.graph, origin, placed.origin);
        let origin = space::turn_back(&mut self.graph, placed.axes, from);
        (origin, axes.map(|axis| space::turn_back(&mut self.graph, placed.axes, axis)))
    }

    /// The placement of a body in the world, with its coordinates and the time at zero.
    pub(super) fn fixed_placement(&mut self, body: usize) -> Placed {
        // Before the plane is known nobody asks for more than the number of components.
        if self.bodies.is_planar.is_some() {
            self.place_first(body);
        }
        let placed = self.bodies.all[body].placed;
        self.at_zero(placed)
    }

    /// A placement with coordinates and time at zero.
    pub(super) fn at_zero(&mut self, placed: Placed) -> Placed {
        if !placed.moves {
            return placed;
        }
        let mut all: Vec<Id> = placed.origin.to_vec();
        all.extend(placed.axes.iter().flatten());
        all.push(placed.angle);
        let fixed = self.at_rest(&all);
        let at = |i: usize| [fixed[i], fixed[i + 1], fixed[i + 2]];
        Placed { origin: at(0), axes: [at(3), at(6), at(9)], moves: false, spin: ZERO, angle: fixed[12] }
    }

    /// Expressions with coordinates and time at zero.
    pub(super) fn at_rest(&mut self, all: &[Id]) -> Vec<Id> {
        self.graph.substitute(all, |symbol| match symbol {
            Symbol::Time | Symbol::Position(_) | Symbol::Velocity(_) => Some(Id::ZERO),
            _ => None,
        })
    }

    /// What clauses say, in the frame of the part at hand.
    pub(super) fn placement(&mut self, places: &'a [PlaceClause], runs: Runs, span: Span) -> Option<Placed> {
        let length = self.due(Dimension::LENGTH);
        let mut origin = ZERO;
        let mut axes = IDENTITY;
        let mut up = None;
        let mut turns: &'a [Turn] = &[];
        let (mut has_place, mut along) = (false, None);
        for place in places {
            match place {
                PlaceClause::At(point) => {
                    origin = self.picture_vector(point, Some(length), "a placement")?;
                    has_place = true;
                }
                PlaceClause::Along(from, to) => {
                    let ends = (
                        self.picture_vector(from, Some(length), "a placement")?,
                        self.picture_vector(to, Some(length), "a placement")?,
                    );
                    along = Some((ends, from.span.to(to.span)));
                }
                PlaceClause::Up(direction) => up = Some((self.direction(direction, "`up`")?, direction.span)),
                PlaceClause::Turned(all) => turns = all,
                PlaceClause::Axes(first, second) => {
                    let one = self.direction(first, "the first axis")?;
                    let other = self.direction(second, "the second axis")?;
                    let Some(other) = self.perpendicular(other, one) else {
                        let error = Diagnostic::error("no-direction", "the two axes are parallel")
                            .at(
                                first.span.to(second.span),
                                "the second axis has no part that is perpendicular to the first",
                            )
                            .help("the second axis need not be perpendicular to the first, but must not lie along it");
                        self.report(error);
                        return None;
                    };
                    axes = [one, other, space::cross(&mut self.graph, one, other)];
                }
            }
        }
        if let Some(((from, to), span)) = along {
            if has_place {
                let error = Diagnostic::error("given-twice", "`at` and `from … to` both say where it is")
                    .at(span, "its middle lies between these points")
                    .help("remove one of them");
                self.report(error);
                return None;
            }
            let sum = space::add(&mut self.graph, from, to);
            let half = self.graph.number(Number::ratio(1, 2)?);
            origin = space::scaled(&mut self.graph, half, sum);
            let difference = space::subtract(&mut self.graph, to, from);
            if runs == Runs::FromBase {
                // A cone has its centre of mass a quarter of its height above the base.
                let quarter = self.graph.number(Number::ratio(1, 4)?);
                let up = space::scaled(&mut self.graph, quarter, difference);
                origin = space::add(&mut self.graph, from, up);
            }
            let direction = self.unit_vector(difference, span, "`from … to`")?;
            axes = self.axes_along(direction, up, runs)?;
        } else if let Some((_, span)) = up {
            let error = Diagnostic::error("unknown-option", "`up` needs `from … to`")
                .at(span, "turns the body about the line between two points")
                .help("give both axes instead: `axes (1, 0, 0) (0, 1, 0)`");
            self.report(error);
            return None;
        }
        let mut ids: Vec<Id> = origin.to_vec();
        ids.extend(axes.iter().flatten());
        let mut spin = ZERO;
        let mut angle_of_first = Id::ZERO;
        if self.is_planar() && axes[0] != E1 {
            angle_of_first = self.graph.call2(Function::Atan2, axes[0][1], axes[0][0]);
        }
        for turn in turns {
            let axis = self.direction(&turn.axis, "the axis of a turn")?;
            let angle = self.value(&turn.angle);
            let angle = self.scalar(&turn.angle, angle, Dimension::NUMBER, "the angle of a turn")?;
            if self.is_planar() && axis != E3 {
                let error = Diagnostic::error("no-direction", "in the plane bodies turn about `z`")
                    .at(turn.axis.span, "not perpendicular to the plane")
                    .help("write `turned z by …`");
                self.report(error);
                return None;
            }
            let rotation = space::rotation(&mut self.graph, axis, angle);
            axes = space::times(&mut self.graph, axes, rotation);
            // ω in the turned axes: what was there, seen from them, and the new turn.
            let rate = self.graph.rate_with(angle, &mut self.rates);
            let before = space::turn_back(&mut self.graph, rotation, spin);
            let own = space::scaled(&mut self.graph, rate, axis);
            spin = space::add(&mut self.graph, before, own);
            angle_of_first = self.graph.add(angle_of_first, angle);
            ids.push(angle);
        }
        let depends = ids.iter().fold(Depends::NOTHING, |all, &id| all | self.graph.depends(id));
        if depends.on(Depends::VELOCITY | Depends::ACCELERATION | Depends::FORCE) {
            let error = Diagnostic::error("velocity-in-point", "a placement depends on velocities")
                .at(span, "made of positions and time alone")
                .help("write the placement with coordinates, without primes");
            self.report(error);
            return None;
        }
        let moves = depends.on(Depends::TIME | Depends::POSITION);
        if moves && turns.is_empty() && !places.iter().all(|place| matches!(place, PlaceClause::At(_))) {
            let error = Diagnostic::error("moving-axes", "the axes of this placement depend on coordinates")
                .at(span, "moves")
                .help("turn the body by coordinates: `at P, turned z by phi`");
            self.report(error);
            return None;
        }
        Some(Placed { origin, axes, moves, spin, angle: angle_of_first })
    }

    /// The axes of a body that lies along a direction. The one beside it points up, or along the world's z, or y where it runs along z.
    fn axes_along(&mut self, direction: Vector, up: Option<(Vector, Span)>, runs: Runs) -> Option<Matrix> {
        if self.is_planar() {
            let across = space::cross(&mut self.graph, E3, direction);
            return Some([direction, across, E3]);
        }
        let beside = match up {
            Some((up, span)) => match self.perpendicular(up, direction) {
                Some(found) => found,
                None => {
                    let error = Diagnostic::error("no-direction", "`up` lies along the body")
                        .at(span, "parallel to `from … to`")
                        .help("give a direction that is not parallel to the body");
                    self.report(error);
                    return None;
                }
            },
            None => match self.perpendicular(E3, direction) {
                Some(found) => found,
                None => self.perpendicular(E2, direction)?,
            },
        };
        let third = space::cross(&mut self.graph, direction, beside);
        Some(match runs {
            Runs::First => [direction, beside, third],
            // e3 runs along, e2 points up.
            Runs::Third | Runs::FromBase => [space::cross(&mut self.graph, beside, direction), beside, direction],
        })
    }
}

/// The fixed axis of this name.
fn axis_named(name: &str) -> Option<Vector> {
    match name {
        "x" => Some(E1),
        "y" => Some(E2),
        "z" => Some(E3),
        _ => None,
    }
}

/// The first point of a placement.
fn first_point(places: &[PlaceClause]) -> Option<&Expr> {
    places.iter().find_map(|place| match place {
        PlaceClause::At(point) | PlaceClause::Along(point, _) => Some(point),
        _ => None,
    })
}

/// The points between which a body was placed.
fn ends(places: &[PlaceClause]) -> Option<(&Expr, &Expr)> {
    places.iter().find_map(|place| match place {
        PlaceClause::Along(from, to) => Some((from, to)),
        _ => None,
    })
}

/// A number for a message.
pub(super) fn shown(number: f64) -> String {
    let text = format!("{number:.6}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text.is_empty() || text == "-0" { "0".to_string() } else { text.to_string() }
}
