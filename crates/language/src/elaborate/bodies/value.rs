//! Bodies and joints in expressions: `arm`, `arm.e1`, `arm(a, b, c)`, `P on arm`, `pin`, `reaction(pin)`.

use super::kind::Freedom;
use super::space::{self, Vector, ZERO};
use super::{Elaborator, GROUND, Part};
use crate::diagnostic::Diagnostic;
use crate::elaborate::expression::Found;
use crate::elaborate::lazy::State;
use crate::elaborate::scope::{Member, Members};
use crate::elaborate::value::{Dim, Value};
use crate::names::closest;
use crate::source::Span;
use crate::syntax::{Expr, ExprKind, Ident};
use crate::units::Dimension;
use holonom_symbols::expr::{Id, Number, Symbol};

/// What may stand after the name of a body.
const OF_BODY: [&str; 12] = ["x", "y", "z", "e1", "e2", "e3", "spin", "angle", "q0", "q1", "q2", "q3"];

impl<'a> Elaborator<'a> {
    /// The reference point of a body.
    pub(in crate::elaborate) fn body_value(&mut self, body: usize) -> Option<Value> {
        if self.bodies.all[body].is_broken {
            return None;
        }
        let point = self.point_from_here(body, ZERO);
        Some(Value::vector(self.shown(point), Dim::Of(self.due(Dimension::LENGTH))))
    }

    /// `arm.x`, `arm.e1`, `arm.spin`, `arm.q0`
    pub(in crate::elaborate) fn body_member(&mut self, body: usize, ident: &Ident) -> Option<Value> {
        if self.bodies.all[body].is_broken {
            return None;
        }
        let name = ident.text.as_str();
        let length = Dim::Of(self.due(Dimension::LENGTH));
        let planar = self.is_planar();
        if let Some(place) = ["x", "y", "z"].iter().position(|one| *one == name).filter(|&place| place < 2 || !planar) {
            let point = self.point_from_here(body, ZERO);
            return Some(Value::scalar(point[place], length));
        }
        if let Some(place) =
            ["e1", "e2", "e3"].iter().position(|one| *one == name).filter(|&place| place < 2 || !planar)
        {
            let axes = self.axes_of_body(body);
            return Some(Value::vector(self.shown(axes[place]), Dim::NUMBER));
        }
        if name == "spin" {
            let rate = Dim::Of(self.per_second(Dimension::NUMBER, 1));
            if self.bodies.in_picture {
                return Some(if planar { Value::scalar(Id::ZERO, rate) } else { Value::vector(ZERO.to_vec(), rate) });
            }
            let pose = self.bodies.all[body].pose;
            let spin = space::turn(&mut self.graph, pose.axes, pose.spin);
            let spin = self.direction_from_world(spin);
            return Some(if planar { Value::scalar(spin[2], rate) } else { Value::vector(spin.to_vec(), rate) });
        }
        let own: &[&str] = if planar { &["x", "y", "angle"] } else { &["x", "y", "z", "q0", "q1", "q2", "q3"] };
        if planar && name == "angle" && !self.bodies.in_picture {
            let angle = self.bodies.all[body].pose.angle;
            return Some(Value::number(self.angle_from_world(angle)));
        }
        let text = self.bodies.all[body].name.clone();
        if let Some(place) = own.iter().position(|one| *one == name)
            && !self.bodies.in_picture
        {
            if let Some(&coordinate) = self.bodies.all[body].own.get(place) {
                return Some(Value::number(self.position(coordinate)));
            }
            let error = Diagnostic::error("no-component", format!("`{text}` has no coordinates of its own"))
                .at(ident.span, "joints or coordinates of yours carry it")
                .help(format!("its axes are `{text}.e1`, `{text}.e2` and `{text}.e3`; `formulation bodies` gives every body its own coordinates"));
            self.report(error);
            return None;
        }
        let error = Diagnostic::error("no-component", format!("the body `{text}` has no `{name}`"));
        let error = match closest(name, OF_BODY) {
            Some(right) => error.at(ident.span, format!("did you mean `{right}`?")),
            None => error.at(ident.span, "not part of a body"),
        };
        self.report(error.help(format!(
            "a body has `{text}.x`, its axes `{text}.e1`, `{text}.spin`, and points `{text}(a, b{})`",
            if planar { "" } else { ", c" }
        )));
        None
    }

    /// The axes of a body in the frame of the part at hand. Those of the ground are the axes of that frame.
    fn axes_of_body(&mut self, body: usize) -> [Vector; 3] {
        match self.bodies.in_picture {
            _ if body == GROUND => space::IDENTITY,
            true => self.placement_here(body).axes,
            false => self.bodies.all[body].pose.axes.map(|axis| self.direction_from_world(axis)),
        }
    }

    /// The coordinate of a joint that has one: an angle or a travel.
    pub(in crate::elaborate) fn joint_value(&mut self, joint: usize, span: Span) -> Option<Value> {
        let one = &self.bodies.joints[joint];
        if one.is_broken {
            return None;
        }
        let planar = self.is_planar();
        let names = one.kind.coordinate_names(planar);
        if names == [""] {
            return self.coordinate_of_joint(joint, 0, span);
        }
        let (name, kind) = (one.name.clone(), one.kind);
        let error = Diagnostic::error("not-a-value", format!("`{name}` is a {}, not one value", kind.name()))
            .at(span, "which part of it?");
        let error = match names {
            [] => error.help(format!("what it exerts is `reaction({name})`")),
            _ => {
                let list: Vec<String> = names.iter().map(|own| format!("`{name}.{own}`")).collect();
                error.help(format!("its coordinates are {}", list.join(", ")))
            }
        };
        self.report(error);
        None
    }

    /// `cyl.travel`, `uni.1`
    pub(in crate::elaborate) fn joint_member(&mut self, joint: usize, ident: &Ident) -> Option<Value> {
        let one = &self.bodies.joints[joint];
        if one.is_broken {
            return None;
        }
        let names = one.kind.coordinate_names(self.is_planar());
        if let Some(place) = names.iter().position(|own| !own.is_empty() && *own == ident.text) {
            return self.coordinate_of_joint(joint, place, ident.span);
        }
        let (name, kind) = (one.name.clone(), one.kind);
        let error = Diagnostic::error("no-component", format!("the {} `{name}` has no `{}`", kind.name(), ident.text))
            .at(ident.span, "not part of it");
        let list: Vec<String> = names
            .iter()
            .map(|own| if own.is_empty() { format!("`{name}`") } else { format!("`{name}.{own}`") })
            .collect();
        let error = if list.is_empty() { error } else { error.help(format!("its value is {}", list.join(", "))) };
        self.report(error);
        None
    }

    fn coordinate_of_joint(&mut self, joint: usize, place: usize, span: Span) -> Option<Value> {
        if self.bodies.in_picture {
            self.bodies.was_asked_early = true;
            let text = self.sources.text(span).to_string();
            let error = Diagnostic::error("not-fixed", format!("`{text}` has no value in the picture"))
                .at(span, "the coordinate of a joint")
                .note("places, sizes and masses of bodies and places of joints are known before there are joints")
                .help("make it of parameters");
            self.report(error);
            return Some(Value::zero());
        }
        let Some(&coordinate) = self.bodies.joints[joint].coordinates.get(place) else {
            let one = &self.bodies.joints[joint];
            let (name, body) = (one.name.clone(), self.bodies.all[one.bodies[1]].name.clone());
            let error = Diagnostic::error("no-component", format!("the ball `{name}` has no coordinates here"))
                .at(span, "this joint is held by rows")
                .help(format!("for a start write `start {body}.spin = (..)`; the orientation is in `{body}.e1`, `{body}.e2`, `{body}.e3`"))
                .note("a ball joint has a quaternion where it carries a body: in `formulation joints`, where no reaction of it is asked for");
            self.report(error);
            return None;
        };
        let id = self.position(coordinate);
        Some(Value::scalar(id, Dim::Of(self.model.coordinates[coordinate].dimension)))
    }

    /// What the beginning of a dotted name is, and what follows it: `arm.turn` is the body `arm`, and `turn`.
    fn begins_with<'n>(&mut self, called: &'n str) -> Option<(Member, Option<&'n str>)> {
        let mut steps = called.split('.');
        let first = steps.next()?;
        let mut scope = self.scope_of(self.scope, first)?;
        let mut name = first;
        loop {
            let known = self.scopes[scope].names.get_mut(name)?;
            let Members::One(member) = known.members else { return None };
            let next = steps.next();
            match (member, next) {
                (Member::Part(part), Some(next)) => {
                    known.used = true;
                    (scope, name) = (part, next);
                }
                (Member::Body(_), next) => {
                    known.used = true;
                    return steps.next().is_none().then_some((member, next));
                }
                _ => return None,
            }
        }
    }

    /// The body that is called, and what of it: `arm(…)`, `link[2](…)`, `arm.turn(…)`.
    pub(super) fn called_body(&mut self, expression: &'a Expr) -> Option<(usize, Option<String>, &'a [Expr])> {
        match &expression.kind {
            ExprKind::Call(name, arguments) => {
                if name.text == "ground" && self.scope_of(self.scope, "ground").is_none() {
                    return Some((GROUND, None, arguments));
                }
                match self.begins_with(&name.text)? {
                    (Member::Body(body), rest) => Some((body, rest.map(str::to_string), arguments)),
                    _ => None,
                }
            }
            ExprKind::Apply(base, arguments) => {
                if let ExprKind::Member(inner, ident) = &base.kind
                    && ident.text == "turn"
                    && let Some(Found::Member(Member::Body(body))) = self.path(inner)
                {
                    return Some((body, Some(ident.text.clone()), arguments));
                }
                match self.path(base)? {
                    Found::Member(Member::Body(body)) => Some((body, None, arguments)),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// A point of a body in its own axes: of `arm(a, b, c)` and `P on arm`; nothing inside where it is neither.
    pub(super) fn local_point(&mut self, expression: &'a Expr) -> Option<Option<(usize, Vector)>> {
        if let ExprKind::On(point, on) = &expression.kind {
            let body = self.body_of(on)?;
            let place = self.in_the_picture(|this| {
                let length = this.due(Dimension::LENGTH);
                this.picture_vector(point, Some(length), "a point on a body")
            })?;
            let fixed = self.graph.depends(place[0]) | self.graph.depends(place[1]) | self.graph.depends(place[2]);
            if !fixed.is_fixed() {
                let text = self.sources.text(point.span).to_string();
                let error = Diagnostic::error("moving-point", format!("`{text}` moves"))
                    .at(point.span, "has no fixed place in the picture")
                    .help("`P on BODY` takes a point of the picture in which everything was placed");
                self.report(error);
                return None;
            }
            let origin = self.in_body(body, place, space::IDENTITY).0;
            return Some(Some((body, origin)));
        }
        let Some((body, None, arguments)) = self.called_body(expression) else { return Some(None) };
        let point = self.local_vector(body, arguments, expression.span, Dimension::LENGTH)?;
        // Points of the ground are written in the frame of the part.
        Some(Some((body, if body == GROUND { self.in_world(point) } else { point })))
    }

    /// Reads something that belongs to the picture. Lets made of points of bodies mean other values there than elsewhere.
    fn in_the_picture<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        if self.bodies.in_picture {
            return read(self);
        }
        let moving: Vec<(usize, State)> = (self.lets.iter_mut().enumerate())
            .filter(|(_, one)| matches!(one.state, State::Done(Some(_))))
            .map(|(which, one)| (which, std::mem::replace(&mut one.state, State::Unseen)))
            .collect();
        let known: Vec<bool> = self.lets.iter().map(|one| !matches!(one.state, State::Unseen)).collect();
        self.bodies.in_picture = true;
        let found = read(self);
        self.bodies.in_picture = false;
        self.forget_lets(&known);
        for (which, state) in moving {
            if !matches!(self.lets[which].state, State::Done(None)) {
                self.lets[which].state = state;
            }
        }
        found
    }

    /// The arguments of `arm(a, b, c)`.
    fn local_vector(&mut self, body: usize, arguments: &'a [Expr], span: Span, dimension: Dimension) -> Option<Vector> {
        let count = if self.is_planar() { 2 } else { 3 };
        if arguments.len() != count {
            let name = self.bodies.all[body].name.clone();
            let form = if count == 2 { "a, b" } else { "a, b, c" };
            let error =
                Diagnostic::error("arguments", format!("a point of `{name}` has {count} coordinates along its axes"))
                    .at(span, format!("{} here", arguments.len()))
                    .help(format!("write `{name}({form})`"));
            self.report(error);
            return None;
        }
        let due = self.due(dimension);
        let mut point = ZERO;
        for (place, argument) in arguments.iter().enumerate() {
            let value = self.eval(argument);
            point[place] = self.scalar(argument, value, due, "a local coordinate")?;
        }
        Some(point)
    }

    /// The value of a call of a body; nothing inside where something else is called.
    pub(in crate::elaborate) fn call_of_body(&mut self, expression: &'a Expr) -> Option<Option<Value>> {
        if matches!(expression.kind, ExprKind::On(..)) {
            return match self.local_point(expression)? {
                Some((body, point)) => Some(self.point_value(body, point)),
                None => Some(None),
            };
        }
        let (body, what, arguments) = self.called_body(expression)?;
        if self.bodies.all[body].is_broken {
            return Some(None);
        }
        match what.as_deref() {
            None => {
                let point = self.local_vector(body, arguments, expression.span, Dimension::LENGTH);
                Some(
                    point
                        .map(|point| if body == GROUND { self.in_world(point) } else { point })
                        .and_then(|point| self.point_value(body, point)),
                )
            }
            Some("turn") => Some(self.turned(body, arguments, expression.span)),
            Some(other) => {
                let name = self.bodies.all[body].name.clone();
                let error =
                    Diagnostic::error("unknown-function", format!("the body `{name}` has no function `{other}`"))
                        .at(expression.span, "not known")
                        .help(format!(
                            "`{name}(a, b, c)` is one of its points, `{name}.turn(v)` a local direction in the world"
                        ));
                self.report(error);
                Some(None)
            }
        }
    }

    fn point_value(&mut self, body: usize, point: Vector) -> Option<Value> {
        let seen = self.point_from_here(body, point);
        Some(Value::vector(self.shown(seen), Dim::Of(self.due(Dimension::LENGTH))))
    }

    /// `arm.turn(v)`: a direction of the body in the world.
    fn turned(&mut self, body: usize, arguments: &'a [Expr], span: Span) -> Option<Value> {
        let (vector, dim) = self.only_vector(arguments, span, "arm.turn(v)")?;
        let axes = self.axes_of_body(body);
        let world = space::turn(&mut self.graph, axes, vector);
        Some(Value::vector(self.shown(world), dim))
    }

    /// `in(arm, v)`: a vector of the world in the axes of a body.
    pub(in crate::elaborate) fn seen_from(&mut self, arguments: &'a [Expr], span: Span) -> Option<Value> {
        let [body, rest @ ..] = arguments else {
            let error = Diagnostic::error("arguments", "`in` takes a body and a vector")
                .at(span, "nothing here")
                .help("write `in(arm, v)`");
            self.report(error);
            return None;
        };
        let body = self.body_of(body)?;
        let (vector, dim) = self.only_vector(rest, span, "in(arm, v)")?;
        let axes = self.axes_of_body(body);
        let own = space::turn_back(&mut self.graph, axes, vector);
        Some(Value::vector(self.shown(own), dim))
    }

    fn only_vector(&mut self, arguments: &'a [Expr], span: Span, form: &str) -> Option<(Vector, Dim)> {
        let [argument] = arguments else {
            let error = Diagnostic::error("arguments", "one vector is needed here")
                .at(span, format!("{} arguments", arguments.len()))
                .help(format!("write `{form}`"));
            self.report(error);
            return None;
        };
        let value = self.eval(argument)?;
        let dim = value.dim;
        let components =
            self.point(argument, Some(Value { dim: Dim::Any, ..value }), Dimension::NUMBER, "a direction")?;
        let at = |i: usize| components.get(i).copied().unwrap_or(Id::ZERO);
        Some(([at(0), at(1), at(2)], dim))
    }

    /// `distance(P, Q)`
    pub(in crate::elaborate) fn distance(&mut self, name: &Ident, arguments: &'a [Expr], span: Span) -> Option<Value> {
        self.arity(name, arguments, 2, "distance(P, Q)", span)?;
        let length = self.due(Dimension::LENGTH);
        let mut ends = Vec::new();
        for argument in arguments {
            let value = self.eval(argument);
            ends.push(self.point(argument, value, length, "the end of a distance")?);
        }
        if ends[0].len() != ends[1].len() {
            let error = Diagnostic::error("shape-mismatch", "the points have different numbers of components")
                .at(arguments[0].span, format!("{} components", ends[0].len()))
                .at(arguments[1].span, format!("{} components", ends[1].len()));
            self.report(error);
            return None;
        }
        let between: Vec<Id> = ends[0].iter().zip(&ends[1]).map(|(&a, &b)| self.graph.subtract(b, a)).collect();
        let square = self.dot(&between, &between);
        let distance = self.graph.call(holonom_symbols::expr::Function::Sqrt, square);
        Some(Value::scalar(distance, Dim::Of(length)))
    }

    /// The joint that an expression names.
    pub(in crate::elaborate) fn joint_named(&mut self, expression: &'a Expr) -> Option<usize> {
        if self.bodies.joints.is_empty() || !Self::is_name(expression) {
            return None;
        }
        // Mistakes are reported where the name is read again.
        let before = (self.diagnostics.len(), self.reported.clone());
        let found = self.path(expression);
        self.diagnostics.truncate(before.0);
        self.reported = before.1;
        match found {
            Some(Found::Member(Member::Joint(joint))) => Some(joint),
            _ => None,
        }
    }

    /// `reaction(pin)`, `moment(pin)`, `ideal(pin)`: what the first body exerts on the second, in the world.
    pub(in crate::elaborate) fn joint_force(&mut self, function: &str, joint: usize, span: Span) -> Option<Value> {
        if !self.rows_known {
            let error = Diagnostic::error("too-early", format!("`{function}` cannot be used here"))
                .at(span, "constraint forces follow from this")
                .help("it can be used in `nonideal`, `friction`, `output`, `event` and `expect`");
            self.report(error);
            return None;
        }
        let one = &self.bodies.joints[joint];
        if one.is_broken {
            return None;
        }
        let (parts, bodies, is_rod) = (one.constraints.clone(), one.bodies, one.rod.is_some());
        let symbol: fn(u32) -> Symbol =
            if matches!(function, "ideal" | "multiplier") { Symbol::Multiplier } else { Symbol::Reaction };
        let energy = self.due(Dimension::energy());
        let force = Dim::Of(energy.over(self.due(Dimension::LENGTH))?);
        let [(_, first), (_, second)] = [0, 1].map(|side| self.side_of_joint(joint, side, GROUND));
        let base = self.common_carrier(bodies);
        let along = self.bodies.all[base].pose.axes;
        let mut total = ZERO;
        for (part, constraint) in parts {
            let rows = self.component_rows.get(constraint)?.clone();
            let values: Vec<Id> =
                rows.iter().map(|row| row.map_or(Id::ZERO, |row| self.graph.symbol(symbol(row as u32)))).collect();
            if part == Part::Length {
                return Some(Value::scalar(*values.first()?, force));
            }
            let is_moment = matches!(part, Part::Axes(_));
            if is_moment != (function == "moment") {
                continue;
            }
            let g = &mut self.graph;
            let mut add = |g: &mut holonom_symbols::expr::Graph, value: Id, axis: Vector| {
                let share = space::scaled(g, value, axis);
                total = space::add(g, total, share);
            };
            match part {
                Part::Point => {
                    for (value, axis) in values.into_iter().zip(along) {
                        add(g, value, axis);
                    }
                }
                Part::Line(held) => {
                    for (value, place) in values.into_iter().zip((0..3).filter(|&i| held[i])) {
                        add(g, value, first[place]);
                    }
                }
                // φ = uᵢ·wⱼ changes by δθ·(wⱼ × uᵢ) where the second body turns by δθ.
                Part::Axes(pairs) => {
                    for (value, &(i, j)) in values.into_iter().zip(pairs) {
                        let axis = space::cross(g, second[j], first[i]);
                        add(g, value, axis);
                    }
                }
                Part::Length | Part::Value => {}
            }
        }
        if is_rod && function == "moment" {
            return Some(Value::zero());
        }
        let total = self.direction_from_world(total);
        Some(match (function == "moment", self.is_planar()) {
            (true, true) => Value::scalar(total[2], Dim::Of(energy)),
            (true, false) => Value::vector(total.to_vec(), Dim::Of(energy)),
            _ => Value::vector(self.shown(total), force),
        })
    }

    /// Whether the coordinates of a joint are angles and travels, one for each freedom.
    pub(super) fn start_of_joint(&mut self, joint: usize, place: usize) -> Id {
        let is_quaternion = self.bodies.joints[joint].kind.freedoms(self.is_planar()) == [Freedom::Any];
        if is_quaternion && place == 0 { Id::ONE } else { self.graph.number(Number::ZERO) }
    }
}
