//! Joints in the picture: which bodies they join, and the frame of the joint on each of them.

use super::space::{self, E1, E3, Matrix, Vector, ZERO};
use super::{Elaborator, GROUND, Kind, Part, Rod};
use crate::diagnostic::Diagnostic;
use crate::elaborate::expression::Found;
use crate::elaborate::scope::{Local, Member};
use crate::elaborate::value::Value;
use crate::source::Span;
use crate::syntax::{Expr, ExprKind, JointItem};
use crate::units::Dimension;
use holonom_elementary as elementary;
use holonom_symbols::expr::{Function, Id};

/// Axes whose cosine is below this are perpendicular.
const SQUARE: f64 = 1e-9;
/// Ends that are further apart than this part of the sizes do not fit.
const FITS: f64 = 1e-9;
/// How many lets may lie between the end of a joint and the point that it is.
const DEEPEST: usize = 20;

/// What two joints have in common that are the same: bodies, kind, and their frames.
type Same = ([usize; 2], Kind, [Vector; 2], [Matrix; 2]);

/// What one side of a joint is.
#[derive(Clone, Copy)]
pub(super) enum End {
    Body(usize),
    /// A point of a body, in its own axes.
    Point(usize, Vector),
    Frame(usize),
    /// A point that belongs to no body.
    Free,
}

impl End {
    fn body(self, frames: &[super::Frame]) -> Option<usize> {
        match self {
            Self::Body(body) | Self::Point(body, _) => Some(body),
            Self::Frame(frame) => Some(frames[frame].body),
            Self::Free => None,
        }
    }
}

impl<'a> Elaborator<'a> {
    pub(super) fn place_all_joints(&mut self) {
        for which in 0..self.bodies.joints.len() {
            let joint = &self.bodies.joints[which];
            if joint.is_broken {
                continue;
            }
            let (scope, item, case) = (joint.scope, joint.item, joint.case.clone());
            let done = self.at_home(scope, &case, |this| this.place_joint(which, item));
            self.bodies.joints[which].is_broken = done.is_none();
        }
        self.warn_of_twins();
    }

    fn place_joint(&mut self, which: usize, item: &'a JointItem) -> Option<()> {
        let kind = self.bodies.joints[which].kind;
        let [first, second] = &item.ends[..] else {
            let error = Diagnostic::error("joint-ends", format!("a {} joins two things", kind.name()))
                .at(item.kind.span, format!("{} here", item.ends.len()))
                .help(format!("write `{}(A, B)` with two bodies; what is fixed is `ground`", kind.name()));
            self.report(error);
            return None;
        };
        if self.is_planar() && !kind.is_in_plane() {
            let error = Diagnostic::error("joint-in-plane", format!("a {} needs space", kind.name()))
                .at(item.kind.span, "the mechanism lies in a plane")
                .help("in the plane there are `hinge`, `slider`, `fixed` and `rod`");
            self.report(error);
            return None;
        }
        for option in &item.options {
            self.known_option(
                option,
                if kind == Kind::Rod { &["length"] } else { &[] },
                &format!("a {}", kind.name()),
            )?;
        }
        let ends = [self.joint_end(first)?, self.joint_end(second)?];
        if kind == Kind::Rod {
            return self.place_rod(which, item, ends);
        }
        let mut bodies = [GROUND; 2];
        for (place, end) in ends.iter().enumerate() {
            let Some(body) = end.body(&self.bodies.frames) else {
                let error = Diagnostic::error("joint-ends", format!("a {} joins bodies", kind.name()))
                    .at(item.ends[place].span, "belongs to no body")
                    .help("name a body, a point of a body `arm(a, b, c)`, or a frame; a `rod` joins any two points");
                self.report(error);
                return None;
            };
            bodies[place] = body;
        }
        if bodies[0] == bodies[1] {
            let error = Diagnostic::error("joint-ends", "a joint joins two different bodies")
                .at(first.span.to(second.span), format!("both are `{}`", self.bodies.all[bodies[0]].name))
                .help("name the other body, or `ground`");
            self.report(error);
            return None;
        }
        self.bodies.joints[which].bodies = bodies;
        let is_two_sided = ends.iter().any(|end| !matches!(end, End::Body(_)));
        match is_two_sided {
            true => self.between_points(which, item, ends, bodies),
            false => self.placed(which, item, kind, bodies),
        }
    }

    /// A joint at a point and along an axis of the picture: its frame is the same on both bodies there.
    fn placed(&mut self, which: usize, item: &'a JointItem, kind: Kind, bodies: [usize; 2]) -> Option<()> {
        let length = self.due(Dimension::LENGTH);
        let planar = self.is_planar();
        let along = match &item.along {
            Some((from, to)) => {
                let start = self.picture_vector(from, Some(length), "the place of a joint")?;
                let end = self.picture_vector(to, Some(length), "the place of a joint")?;
                self.stays_in_picture(from, start)?;
                self.stays_in_picture(to, end)?;
                let span = from.span.to(to.span);
                let difference = space::subtract(&mut self.graph, end, start);
                Some((start, self.unit_vector(difference, span, "`from … to`")?, span))
            }
            None => None,
        };
        let place = match (&item.at, along) {
            (Some(point), _) => {
                let place = self.picture_vector(point, Some(length), "the place of a joint")?;
                self.stays_in_picture(point, place)?;
                place
            }
            (None, Some((start, ..))) => start,
            // Only where bodies may turn does it matter where they do.
            (None, None) if matches!(kind, Kind::Fixed | Kind::Slider | Kind::Planar) => {
                self.placement_here(bodies[1]).origin
            }
            (None, None) => {
                let error = Diagnostic::error("joint-place", format!("where is this {}?", kind.name()))
                    .at(item.span, "no `at P`")
                    .help("write `at P`, a point of the picture in which everything was placed");
                self.report(error);
                return None;
            }
        };
        let needed = kind.axes(planar);
        let mut axes = self.axes_of_joint(item, kind)?;
        if let Some((_, direction, span)) = along
            && axes.is_empty()
        {
            axes.push((direction, span));
        }
        if axes.len() != needed {
            return self.wrong_axes(item, kind, needed, &axes);
        }
        let frame = match (needed, planar) {
            (0, _) if planar => space::IDENTITY,
            (0, _) => self.placement_here(bodies[0]).axes,
            (2, _) => self.universal_frame(axes[0], axes[1])?,
            (_, true) => self.frame_along(axes[0].0),
            _ => self.frame_about(axes[0].0, bodies[0]),
        };
        let mut found = [(ZERO, frame); 2];
        for (side, body) in bodies.into_iter().enumerate() {
            found[side] = self.in_body(body, place, frame);
        }
        let angles = bodies.map(|body| self.placement_here(body).angle).map(|angle| self.graph.negate(angle));
        let joint = &mut self.bodies.joints[which];
        joint.origins = [found[0].0, found[1].0];
        joint.axes = [found[0].1, found[1].1];
        joint.angles = angles;
        Some(())
    }

    fn wrong_axes(&mut self, item: &'a JointItem, kind: Kind, needed: usize, axes: &[(Vector, Span)]) -> Option<()> {
        let error = match (needed, axes.len()) {
            (_, 0) => Diagnostic::error("joint-axis", format!("about which axis is this {}?", kind.name()))
                .at(item.span, "no `axis`")
                .help(if needed == 2 {
                    "write `axis N1 N2`: the axis on the first body and the one on the second"
                } else {
                    "write `axis N` with `x`, `y`, `z` or a vector such as `(0, 1, 1)`"
                }),
            (0, _) => Diagnostic::error("joint-axis", format!("a {} has no axis here", kind.name()))
                .at(axes[0].1, if self.is_planar() { "in the plane bodies turn about `z` alone" } else { "not needed" })
                .help("remove it"),
            _ => Diagnostic::error(
                "joint-axis",
                format!("a {} has {}", kind.name(), if needed == 1 { "one axis" } else { "two axes" }),
            )
            .at(axes[axes.len() - 1].1, format!("{} here", axes.len())),
        };
        self.report(error);
        None
    }

    /// A frame whose third axis is given; the first is the projection of the first axis of a body.
    fn frame_about(&mut self, axis: Vector, body: usize) -> Matrix {
        let own = self.placement_here(body).axes;
        let first = own.iter().find_map(|&candidate| self.perpendicular_enough(candidate, axis));
        let first = first.unwrap_or(E1);
        let second = space::cross(&mut self.graph, axis, first);
        [first, second, axis]
    }

    /// The perpendicular part of an axis that does not all but lie along another.
    fn perpendicular_enough(&mut self, candidate: Vector, axis: Vector) -> Option<Vector> {
        let along = space::dot(&mut self.graph, candidate, axis);
        self.decided_by(&[along]);
        if self.numbers(&[along])[0].abs() > 0.9 { None } else { self.perpendicular(candidate, axis) }
    }

    /// The third axis is that on the first body, the first that on the second.
    fn universal_frame(&mut self, one: (Vector, Span), other: (Vector, Span)) -> Option<Matrix> {
        let cosine = space::dot(&mut self.graph, one.0, other.0);
        if self.numbers(&[cosine])[0].abs() > SQUARE {
            let error = Diagnostic::error("joint-axis", "the axes of a universal joint are perpendicular")
                .at(one.1.to(other.1), format!("their cosine is {}", super::place::shown(self.numbers(&[cosine])[0])))
                .help("give the axis on the first body, then the one on the second, with a right angle between them");
            self.report(error);
            return None;
        }
        let second = space::cross(&mut self.graph, one.0, other.0);
        Some([other.0, second, one.0])
    }

    /// A joint between points or frames of both bodies: what lies between them in the picture is a gap.
    fn between_points(&mut self, which: usize, item: &'a JointItem, ends: [End; 2], bodies: [usize; 2]) -> Option<()> {
        let kind = self.bodies.joints[which].kind;
        let planar = self.is_planar();
        if let Some(place) = &item.at {
            let error = Diagnostic::error("given-twice", "this joint has its place on each body already")
                .at(place.span, "a third place")
                .help("name the bodies alone, `hinge(a, b), at P`, or give each its point and remove `at`");
            self.report(error);
            return None;
        }
        let axes = self.axes_of_joint(item, kind)?;
        let needed = kind.axes(planar);
        let framed = ends.map(|end| matches!(end, End::Frame(_)));
        let has_frame = framed.contains(&true);
        if axes.len() != needed && (!axes.is_empty() || !has_frame) {
            return self.wrong_axes(item, kind, needed, &axes);
        }
        // What is written, or nothing known of axes, is of the picture, and the same for both bodies.
        let shared = match (needed, planar) {
            _ if axes.is_empty() && has_frame => None,
            (0, true) => Some(space::IDENTITY),
            (0, false) => Some(self.placement_here(bodies[0]).axes),
            (2, _) => Some(self.universal_frame(axes[0], axes[1])?),
            (_, true) => Some(self.frame_along(axes[0].0)),
            _ => Some(self.frame_about(axes[0].0, bodies[0])),
        };
        let frames = match shared {
            Some(shared) => [shared; 2],
            None => self.axes_of_frames(kind, ends, bodies),
        };
        let mut found = [(ZERO, space::IDENTITY); 2];
        let mut angles = [Id::ZERO; 2];
        for (side, end) in ends.into_iter().enumerate() {
            let placed = self.placement_here(bodies[side]);
            let axes = frames[side].map(|axis| space::turn_back(&mut self.graph, placed.axes, axis));
            let direction = match frames[0] == frames[1] {
                true => Id::ZERO,
                false => self.angle_in_plane(frames[side][if kind == Kind::Slider { 2 } else { 0 }]),
            };
            angles[side] = self.graph.subtract(direction, placed.angle);
            found[side] = match end {
                End::Frame(frame) => (self.bodies.frames[frame].origin, self.carried_by_frame(frame, axes)),
                End::Point(_, point) => (point, axes),
                _ => (ZERO, axes),
            };
            if let End::Frame(frame) = end {
                let angle = self.bodies.frames[frame].angle;
                let fixed = self.at_rest(&[angle])[0];
                let turned = self.graph.subtract(angle, fixed);
                angles[side] = self.graph.add(angles[side], turned);
            }
        }
        let joint = &mut self.bodies.joints[which];
        joint.origins = [found[0].0, found[1].0];
        joint.axes = [found[0].1, found[1].1];
        joint.angles = angles;
        self.check_gap(which, item)
    }

    /// Axes that were written, where they say anything.
    fn axes_of_joint(&mut self, item: &'a JointItem, kind: Kind) -> Option<Vec<(Vector, Span)>> {
        let mut axes = Vec::new();
        for axis in &item.axis {
            // In the plane everything turns about this axis, and no vector can be written for it.
            let is_normal = matches!(&axis.kind, ExprKind::Name(name) if name == "z") && self.is_planar();
            if is_normal && kind.axes(true) == 0 && kind.axes(false) == 1 {
                continue;
            }
            let direction = self.direction(axis, "the axis of a joint")?;
            self.stays_in_picture(axis, direction)?;
            axes.push((direction, axis.span));
        }
        Some(axes)
    }

    /// What belongs to the picture does not move.
    fn stays_in_picture(&mut self, expression: &'a Expr, v: Vector) -> Option<()> {
        if v.iter().all(|&id| self.graph.depends(id).is_fixed()) {
            return Some(());
        }
        let text = self.sources.text(expression.span).to_string();
        let error = Diagnostic::error("moving-point", format!("`{text}` moves"))
            .at(expression.span, "has no fixed place in the picture")
            .note("place and axis of a joint belong to the picture in which everything was placed")
            .help(
                "an end that moves on its body is a point of each body: `hinge(ground(a, b, c), arm(a, b, c)), axis N`",
            );
        self.report(error);
        None
    }

    /// In the plane a slider moves along the third axis of its frame, and the second is perpendicular to the plane.
    fn frame_along(&mut self, axis: Vector) -> Matrix {
        [space::cross(&mut self.graph, E3, axis), E3, axis]
    }

    /// In the plane: the angle of an axis.
    fn angle_in_plane(&mut self, axis: Vector) -> Id {
        match self.is_planar() && axis != E1 {
            true => self.graph.call2(Function::Atan2, axis[1], axis[0]),
            false => Id::ZERO,
        }
    }

    /// The axes of a frame in the picture.
    fn frame_in_picture(&mut self, frame: usize) -> Matrix {
        let (body, axes) = (self.bodies.frames[frame].body, self.bodies.frames[frame].axes);
        let fixed = self.at_rest(axes.as_flattened());
        let placed = self.placement_here(body).axes;
        let axes = [0, 3, 6].map(|i| [fixed[i], fixed[i + 1], fixed[i + 2]]);
        space::times(&mut self.graph, placed, axes)
    }

    /// Axes on a body that a frame carries along where it turns on its body.
    fn carried_by_frame(&mut self, frame: usize, axes: Matrix) -> Matrix {
        let turned = self.bodies.frames[frame].axes;
        let fixed = self.at_rest(turned.as_flattened());
        if fixed == turned.as_flattened() {
            return axes;
        }
        let fixed = [0, 3, 6].map(|i| [fixed[i], fixed[i + 1], fixed[i + 2]]);
        let g = &mut self.graph;
        let own = space::times(g, space::transposed(fixed), axes);
        space::times(g, turned, own)
    }

    /// The axes of a joint in the picture where frames give them: the third axis of a frame is that of the joint, in the plane the first.
    /// Where the joint can hold the bodies as they were placed, both sides have the same axes: its coordinates are zero there, and nothing is turned over.
    fn axes_of_frames(&mut self, kind: Kind, ends: [End; 2], bodies: [usize; 2]) -> [Matrix; 2] {
        let in_plane = self.is_planar();
        let mut frames = [None; 2];
        for (side, end) in ends.into_iter().enumerate() {
            if let End::Frame(frame) = end {
                frames[side] = Some(self.frame_in_picture(frame));
            }
        }
        let (one, other) = match frames {
            [Some(one), Some(other)] => (one, other),
            [Some(one), None] | [None, Some(one)] => (one, one),
            [None, None] => return [self.placement_here(bodies[0]).axes; 2],
        };
        let mut pair = match kind {
            Kind::Slider if in_plane => [self.frame_along(one[0]), self.frame_along(other[0])],
            // The first axis of the second frame is the joint's on the second body.
            Kind::Universal => {
                let across = space::cross(&mut self.graph, one[2], other[0]);
                let cosine = space::dot(&mut self.graph, one[2], other[0]);
                self.decided_by(&[cosine]);
                match self.numbers(&[cosine])[0].abs() <= SQUARE {
                    true => [[other[0], across, one[2]]; 2],
                    false => [one, other],
                }
            }
            // A hinge turns freely about its axis: how the frames are turned about it does not matter.
            Kind::Hinge | Kind::Cylindrical | Kind::Planar if !in_plane => {
                let along = space::dot(&mut self.graph, one[2], other[2]);
                self.decided_by(&[along]);
                let third = match self.numbers(&[along])[0] < 0.0 {
                    true => space::negated(&mut self.graph, other[2]),
                    false => other[2],
                };
                let first = self.perpendicular_enough(one[0], third).unwrap_or(other[0]);
                let second = space::cross(&mut self.graph, third, first);
                [one, [first, second, third]]
            }
            _ => [one, other],
        };
        let all: Vec<Id> = pair.as_flattened().as_flattened().to_vec();
        self.decided_by(&all);
        let numbers = pair.map(|frame| frame.map(|axis| self.vector_numbers(axis)));
        let cosine = |i: usize, j: usize| (0..3).map(|k| numbers[0][i][k] * numbers[1][j][k]).sum::<f64>();
        let holds = kind.parts(in_plane).iter().all(|part| match part {
            Part::Axes(pairs) => pairs.iter().all(|&(i, j)| cosine(i, j).abs() <= SQUARE),
            _ => true,
        });
        if holds {
            pair[1] = pair[0];
        }
        pair
    }

    /// Without `assemble` a two-sided joint must fit where everything was placed, unless it is off there.
    fn check_gap(&mut self, which: usize, item: &'a JointItem) -> Option<()> {
        if item.off || self.is_assembled() {
            return Some(());
        }
        let joint = &self.bodies.joints[which];
        let (bodies, origins, axes, kind, name) =
            (joint.bodies, joint.origins, joint.axes, joint.kind, joint.name.clone());
        let planar = self.is_planar();
        let mut points = [[0.0; 3]; 2];
        let mut frames = [[[0.0; 3]; 3]; 2];
        for side in 0..2 {
            let placed = self.fixed_placement(bodies[side]);
            let out = space::turn(&mut self.graph, placed.axes, origins[side]);
            let point = space::add(&mut self.graph, placed.origin, out);
            let frame = space::times(&mut self.graph, placed.axes, axes[side]);
            points[side] = self.vector_numbers(point);
            frames[side] = frame.map(|axis| self.vector_numbers(axis));
        }
        let size = points.iter().flatten().fold(0.0_f64, |all, one| all.max(one.abs()));
        let between = [0, 1, 2].map(|i| points[1][i] - points[0][i]);
        let along = |axis: usize| (0..3).map(|i| between[i] * frames[0][axis][i]).sum::<f64>();
        // Only what the joint holds has to fit.
        let (mut gap, mut turned) = (0.0_f64, 0.0_f64);
        for part in kind.parts(planar) {
            match part {
                Part::Point => gap = between.iter().map(|x| x * x).sum::<f64>().sqrt(),
                Part::Line(held) => {
                    gap = (0..3).filter(|&axis| held[axis]).map(|axis| along(axis).powi(2)).sum::<f64>().sqrt();
                }
                Part::Axes(pairs) => {
                    for &(i, j) in *pairs {
                        let cosine: f64 = (0..3).map(|k| frames[0][i][k] * frames[1][j][k]).sum();
                        turned = turned.max(elementary::asin(cosine.abs().min(1.0)).to_degrees());
                    }
                }
                Part::Length | Part::Value => {}
            }
        }
        let message = if gap > FITS * size.max(1e-30) {
            format!("`{name}` does not fit: its ends are {} apart", super::place::shown(gap))
        } else if turned > FITS {
            format!(
                "`{name}` does not fit: its ends are turned against each other by {} deg",
                super::place::shown(turned)
            )
        } else {
            return Some(());
        };
        self.report_gap(item, message);
        None
    }

    /// Whether placements are rough.
    pub(super) fn is_assembled(&self) -> bool {
        self.order.iter().any(|(_, statement)| matches!(statement.kind, crate::syntax::StatementKind::Assemble))
    }

    fn report_gap(&mut self, item: &'a JointItem, message: String) {
        let error = Diagnostic::error("joint-gap", message)
            .at(item.ends[0].span.to(item.ends[1].span), "placed in two different ways")
            .help("correct the placements, or write `assemble`: it closes the joints by moving the bodies as little as possible");
        self.report(error);
    }

    fn place_rod(&mut self, which: usize, item: &'a JointItem, ends: [End; 2]) -> Option<()> {
        let length = self.due(Dimension::LENGTH);
        let given = match item.options.iter().find(|option| option.name.text == "length") {
            Some(option) => {
                let value = self.value(&option.value);
                Some(self.scalar(&option.value, value, length, "the length of a rod")?)
            }
            None => None,
        };
        let mut places = [ZERO; 2];
        let mut free: [Option<&'a Expr>; 2] = [None; 2];
        let mut moves = false;
        for side in 0..2 {
            let (body, point) = match ends[side] {
                End::Body(body) => (body, ZERO),
                End::Point(body, point) => (body, point),
                End::Frame(frame) => (self.bodies.frames[frame].body, self.bodies.frames[frame].origin),
                End::Free => {
                    let place = self.picture_vector(&item.ends[side], Some(length), "the end of a rod")?;
                    free[side] = Some(&item.ends[side]);
                    if place.iter().any(|&id| !self.graph.depends(id).is_fixed()) {
                        moves = true;
                        continue;
                    }
                    // A point that does not move is one of the ground; a `let` may be a point of a body, which is known later.
                    (GROUND, self.in_world(place))
                }
            };
            if point.iter().any(|&id| !self.graph.depends(id).is_fixed()) {
                moves = true;
            }
            let placed = self.fixed_placement(body);
            let out = space::turn(&mut self.graph, placed.axes, point);
            places[side] = space::add(&mut self.graph, placed.origin, out);
            let joint = &mut self.bodies.joints[which];
            joint.bodies[side] = body;
            joint.origins[side] = point;
        }
        let between = space::subtract(&mut self.graph, places[1], places[0]);
        let apart = self.vector_length(between);
        let length = match given {
            Some(length) => length,
            None if !moves => apart,
            None => {
                let error = Diagnostic::error("rod-length", "how long is this rod?")
                    .at(item.span, "one of its ends moves on its own, and has no place in the picture")
                    .help("write its length: `, length = L`");
                self.report(error);
                return None;
            }
        };
        let number = self.numbers(&[length])[0];
        if number <= 0.0 || number.is_nan() {
            let error = Diagnostic::error("rod-length", "a rod has a length")
                .at(item.span, "its ends lie in one point")
                .help("for two points that stay together use a `ball`, in the plane a `hinge`");
            self.report(error);
            return None;
        }
        self.bodies.joints[which].rod = Some(Rod { ends: free, length });
        if given.is_some() && !moves && !item.off && !self.is_assembled() {
            let apart = self.numbers(&[apart])[0];
            let size = places.iter().flat_map(|&place| self.vector_numbers(place)).fold(number, |a, b| a.max(b.abs()));
            if (apart - number).abs() > FITS * size {
                let name = self.bodies.joints[which].name.clone();
                let [long, apart] = [number, apart].map(super::place::shown);
                let message = format!("`{name}` does not fit: it is {long} long, and its ends are {apart} apart");
                self.report_gap(item, message);
                return None;
            }
        }
        Some(())
    }

    /// What an end of a joint is.
    pub(super) fn joint_end(&mut self, expression: &'a Expr) -> Option<End> {
        self.end_within(expression, 0)
    }

    /// The same, `depth` lets deep.
    fn end_within(&mut self, expression: &'a Expr, depth: usize) -> Option<End> {
        match &expression.kind {
            ExprKind::Paren(inner) => self.end_within(inner, depth),
            ExprKind::Name(name) if name == "ground" && self.scope_of(self.scope, name).is_none() => {
                Some(End::Body(GROUND))
            }
            ExprKind::Name(_) | ExprKind::Index(..) | ExprKind::Member(..) => match self.path(expression)? {
                Found::Member(Member::Body(body)) => Some(End::Body(body)),
                Found::Member(Member::Frame(frame)) => Some(End::Frame(frame)),
                Found::Member(Member::Broken) => None,
                Found::Member(Member::Let(which)) => self.end_of_let(which, depth),
                Found::Member(Member::Particle(_)) | Found::Value(_) => Some(End::Free),
                found => {
                    self.found_value(found, expression.span);
                    let text = self.sources.text(expression.span).to_string();
                    let error = Diagnostic::error("joint-ends", format!("`{text}` is neither a body nor a point"))
                        .at(expression.span, "cannot be joined")
                        .help("name a body, a point of a body `arm(a, b, c)`, a frame, or `ground`");
                    self.report(error);
                    None
                }
            },
            ExprKind::Call(..) | ExprKind::Apply(..) | ExprKind::On(..) => match self.local_point(expression)? {
                Some((body, point)) => Some(End::Point(body, point)),
                None => Some(End::Free),
            },
            ExprKind::Broken => None,
            _ => Some(End::Free),
        }
    }

    /// `let tip = arm(a, b, c)` is a point of `arm`; a let of another form may be any point.
    fn end_of_let(&mut self, which: usize, depth: usize) -> Option<End> {
        let one = &self.lets[which];
        if depth == DEEPEST || !one.arguments.is_empty() {
            return Some(End::Free);
        }
        let (expression, scope) = (one.value, one.scope);
        let indices = one.indices.iter().map(|&(name, value)| (name, Local::Index(value))).collect();
        let locals = std::mem::replace(&mut self.locals, indices);
        let outer = std::mem::replace(&mut self.scope, scope);
        let end = self.end_within(expression, depth + 1);
        self.scope = outer;
        self.locals = locals;
        Some(match end? {
            End::Body(body) => End::Point(body, ZERO),
            End::Frame(_) => End::Free,
            end => end,
        })
    }

    /// A body that is named: `link[2]`, `ground`.
    pub(super) fn body_of(&mut self, expression: &'a Expr) -> Option<usize> {
        let found = match &expression.kind {
            ExprKind::Name(name) if name == "ground" && self.scope_of(self.scope, name).is_none() => {
                return Some(GROUND);
            }
            ExprKind::Name(_) | ExprKind::Index(..) | ExprKind::Member(..) | ExprKind::Paren(_) => {
                self.path(expression)?
            }
            ExprKind::Broken => return None,
            _ => Found::Value(Value::zero()),
        };
        match found {
            Found::Member(Member::Body(body)) => Some(body),
            Found::Member(Member::Broken) => None,
            found @ Found::Family(..) => {
                self.found_value(found, expression.span);
                None
            }
            _ => {
                let text = self.sources.text(expression.span).to_string();
                let error = Diagnostic::error("body-expected", format!("`{text}` is not a body"))
                    .at(expression.span, "a body is needed here")
                    .help("name a body, or `ground`");
                self.report(error);
                None
            }
        }
    }

    /// Two joints that are the same joint.
    fn warn_of_twins(&mut self) {
        let mut seen: std::collections::HashMap<Same, usize> = Default::default();
        let mut twins = Vec::new();
        for (which, joint) in self.bodies.joints.iter().enumerate() {
            if joint.is_broken || joint.rod.is_some() {
                continue;
            }
            let key = (joint.bodies, joint.kind, joint.origins, joint.axes);
            match seen.get(&key) {
                Some(&first) => twins.push((first, which)),
                None => {
                    seen.insert(key, which);
                }
            }
        }
        for (first, second) in twins {
            let (first, second) = (&self.bodies.joints[first], &self.bodies.joints[second]);
            let warning =
                Diagnostic::warning("joint-twice", format!("`{}` is the same joint as `{}`", second.name, first.name))
                    .at(second.span, "joins the same bodies at the same place")
                    .at(first.span, "the first one")
                    .note("this does not change the motion, but how the two share their load is not unique")
                    .help("remove one of them if that is not meant");
            self.report(warning);
        }
    }
}
