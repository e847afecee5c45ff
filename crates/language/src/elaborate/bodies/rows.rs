//! Joints as rows of constraints, between the poses of their bodies.
//!
//! Rows are written in the axes of the last body that carries both: what moves both of them would cancel but for rounding, and rounding must not
//! be taken for a slope. Orientations are held by products of perpendicular unit vectors, which vanish: a cosine that is 1 would have no slope. The left side
//! belongs to the second body, so that multipliers are forces and moments that the first body exerts on the second.

use super::kind::Freedom;
use super::space::{self, Vector, ZERO};
use super::{Elaborator, GROUND, Part};
use crate::checked::{Constraint, RigidBody};
use crate::source::Span;
use crate::units::Dimension;
use holonom_symbols::expr::{Function, Id, Number};

/// What something of a mechanism is measured by, also where nobody wrote units.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Measure {
    Length,
    Number,
}

impl<'a> Elaborator<'a> {
    /// The rows of joints that are no coordinates, of values that are asked for besides, and of unit quaternions.
    pub(super) fn write_joints(&mut self) {
        for body in 1..self.bodies.all.len() {
            if let [_, _, _, parts @ ..] = &self.bodies.all[body].own[..]
                && parts.len() == 4
            {
                let (name, span, parts) =
                    (self.bodies.all[body].name.clone(), self.bodies.all[body].span, parts.to_vec());
                self.unit_row(&name, &parts, span);
            }
        }
        for joint in 0..self.bodies.joints.len() {
            if self.bodies.joints[joint].is_in_tree {
                let one = &self.bodies.joints[joint];
                if one.kind.freedoms(self.is_planar()) == [Freedom::Any] {
                    let (name, span, parts) = (one.name.clone(), one.span, one.coordinates.clone());
                    self.unit_row(&name, &parts, span);
                }
                continue;
            }
            for &part in self.bodies.joints[joint].kind.parts(self.is_planar()) {
                self.write_part(joint, part);
            }
            self.write_values(joint);
        }
    }

    /// q·q = 1
    fn unit_row(&mut self, name: &str, parts: &[usize], span: Span) {
        let terms: Vec<(Number, Id)> = parts
            .iter()
            .map(|&part| {
                let q = self.position(part);
                (Number::ONE, self.graph.integer_power(q, 2))
            })
            .collect();
        let square = self.graph.sum(&terms);
        self.made_constraint(
            format!("{name}.unit"),
            vec![square],
            vec![Id::ONE],
            (Dimension::NUMBER, None),
            false,
            span,
        );
    }

    /// The joint's point and axes on one of its bodies, in the axes of a body that carries it, or of the ground.
    pub(super) fn side_of_joint(&mut self, joint: usize, side: usize, base: usize) -> (Vector, [Vector; 3]) {
        let one = &self.bodies.joints[joint];
        let (body, point, axes) = (one.bodies[side], one.origins[side], one.axes[side]);
        let (origin, turned) = self.place_within(body, base);
        let g = &mut self.graph;
        let out = space::turn(g, turned, point);
        (space::add(g, origin, out), space::times(g, turned, axes))
    }

    /// Both sides of a joint, in the axes of the last body that carries both.
    pub(super) fn sides_of_joint(&mut self, joint: usize) -> [(Vector, [Vector; 3]); 2] {
        let base = self.common_carrier(self.bodies.joints[joint].bodies);
        [0, 1].map(|side| self.side_of_joint(joint, side, base))
    }

    fn write_part(&mut self, joint: usize, part: Part) {
        let length = self.due(Dimension::LENGTH);
        let one = &self.bodies.joints[joint];
        let (name, span, off) = (one.name.clone(), one.span, one.item.off);
        let is_alone = one.kind.parts(self.is_planar()).len() == 1;
        let named = |part: &str| if is_alone { name.clone() } else { format!("{name}.{part}") };
        let (full, left, right, kind) = match part {
            Part::Length => {
                self.read_length_of_rod(joint);
                let Some([from, to]) = self.ends_of_rod(joint) else { return };
                let between = space::subtract(&mut self.graph, to, from);
                let square = space::dot(&mut self.graph, between, between);
                let distance = self.graph.call(Function::Sqrt, square);
                let length_of_rod = self.bodies.joints[joint].rod.as_ref().map_or(Id::ZERO, |rod| rod.length);
                (named("length"), vec![distance], vec![length_of_rod], (length, Measure::Length))
            }
            Part::Point => {
                let [(a, _), (b, _)] = self.sides_of_joint(joint);
                (named("point"), self.shown(b), self.shown(a), (length, Measure::Length))
            }
            Part::Line(held) => {
                let [(a, axes), (b, _)] = self.sides_of_joint(joint);
                let between = space::subtract(&mut self.graph, b, a);
                let left: Vec<Id> =
                    (0..3).filter(|&i| held[i]).map(|i| space::dot(&mut self.graph, between, axes[i])).collect();
                let right = vec![Id::ZERO; left.len()];
                (named("line"), left, right, (length, Measure::Length))
            }
            Part::Axes(pairs) => {
                let [(_, first), (_, second)] = self.sides_of_joint(joint);
                let left: Vec<Id> =
                    pairs.iter().map(|&(i, j)| space::dot(&mut self.graph, first[i], second[j])).collect();
                let right = vec![Id::ZERO; left.len()];
                (named("axis"), left, right, (Dimension::NUMBER, Measure::Number))
            }
            Part::Value => return,
        };
        let constraint = self.made_constraint(full, left, right, (kind.0, Some(kind.1)), off, span);
        self.bodies.joints[joint].constraints.push((part, constraint));
    }

    /// A length that was written may be made of points of bodies, which move now.
    fn read_length_of_rod(&mut self, joint: usize) {
        let one = &self.bodies.joints[joint];
        let (item, scope, case) = (one.item, one.scope, one.case.clone());
        let Some(option) = item.options.iter().find(|option| option.name.text == "length") else { return };
        let due = self.due(Dimension::LENGTH);
        let length = self.at_home(scope, &case, |this| {
            let value = this.value(&option.value);
            this.scalar(&option.value, value, due, "the length of a rod")
        });
        if let (Some(length), Some(rod)) = (length, &mut self.bodies.joints[joint].rod) {
            rod.length = length;
        }
    }

    /// The ends of a rod in the world.
    pub(super) fn ends_of_rod(&mut self, joint: usize) -> Option<[Vector; 2]> {
        let one = &self.bodies.joints[joint];
        let (rod, bodies, origins, scope, case) =
            (one.rod.clone()?, one.bodies, one.origins, one.scope, one.case.clone());
        let mut ends = [ZERO; 2];
        for side in 0..2 {
            ends[side] = match rod.ends[side] {
                None => self.point_of_body(bodies[side], origins[side]),
                Some(point) => {
                    let length = self.due(Dimension::LENGTH);
                    self.at_home(scope, &case, |this| {
                        let end = this.picture_vector(point, Some(length), "the end of a rod")?;
                        Some(this.in_world(end))
                    })?
                }
            };
        }
        Some(ends)
    }

    /// Coordinates of a joint that carry nothing follow from the bodies: angles through whole turns.
    fn write_values(&mut self, joint: usize) {
        let one = &self.bodies.joints[joint];
        let (name, span, coordinates, angles, bodies) =
            (one.name.clone(), one.span, one.coordinates.clone(), one.angles, one.bodies);
        let planar = self.is_planar();
        let freedoms = one.kind.freedoms(planar);
        let names = one.kind.coordinate_names(planar);
        let length = self.due(Dimension::LENGTH);
        for ((&coordinate, freedom), own) in coordinates.iter().zip(freedoms).zip(names) {
            let q = self.position(coordinate);
            let [(a, first), (b, second)] = self.sides_of_joint(joint);
            let g = &mut self.graph;
            let number = (Dimension::NUMBER, Measure::Number);
            let (left, right, kind) = match freedom {
                Freedom::Along(axis) => {
                    let between = space::subtract(g, b, a);
                    (q, space::dot(g, between, first[*axis]), (length, Measure::Length))
                }
                Freedom::About if planar => {
                    let [one, other] = [self.bodies.all[bodies[0]].pose.angle, self.bodies.all[bodies[1]].pose.angle];
                    let turned = g.sum(&[
                        (Number::ONE, other),
                        (Number::ONE, angles[1]),
                        (Number::MINUS_ONE, one),
                        (Number::MINUS_ONE, angles[0]),
                    ]);
                    (q, turned, number)
                }
                // The first axis of the second body has turned by q: it is perpendicular to what the second axis of the first one becomes.
                Freedom::About => {
                    let turned = space::rotation(g, space::E3, q);
                    let across = space::turn(g, first, turned[1]);
                    (space::dot(g, across, second[0]), Id::ZERO, number)
                }
                // About the first axis of the second body, which is perpendicular to the third of the first one.
                Freedom::Cross => {
                    let beside = space::cross(g, first[2], second[0]);
                    let (sine, cosine) = (g.call(Function::Sin, q), g.call(Function::Cos, q));
                    let one = space::scaled(g, cosine, beside);
                    let other = space::scaled(g, sine, first[2]);
                    let across = space::add(g, one, other);
                    (space::dot(g, across, second[2]), Id::ZERO, number)
                }
                Freedom::Any => continue,
            };
            let full = if own.is_empty() { format!("{name}.value") } else { format!("{name}.{own}.value") };
            let constraint = self.made_constraint(full, vec![left], vec![right], (kind.0, Some(kind.1)), false, span);
            self.bodies.joints[joint].constraints.push((Part::Value, constraint));
        }
    }

    /// What lengths or numbers are measured by: orientations by 1, lengths by the size of the picture.
    pub(super) fn size_of(&mut self, measure: Measure) -> Id {
        if measure == Measure::Number {
            return Id::ONE;
        }
        let extent = match self.bodies.extent {
            Some(extent) => extent,
            None => {
                let mut points: Vec<[f64; 3]> = Vec::new();
                for which in 0..self.bodies.joints.len() {
                    let (bodies, origins) = (self.bodies.joints[which].bodies, self.bodies.joints[which].origins);
                    for side in 0..2 {
                        let placed = self.fixed_placement(bodies[side]);
                        let out = space::turn(&mut self.graph, placed.axes, origins[side]);
                        let point = space::add(&mut self.graph, placed.origin, out);
                        points.push(self.vector_numbers(point));
                    }
                }
                for which in GROUND + 1..self.bodies.all.len() {
                    let placed = self.fixed_placement(which);
                    points.push(self.vector_numbers(placed.origin));
                }
                let spread = |axis: usize| {
                    let values = points.iter().map(|point| point[axis]).filter(|value| value.is_finite());
                    let (least, most) = values.fold((0.0_f64, 0.0_f64), |(a, b), x| (a.min(x), b.max(x)));
                    most - least
                };
                let found = (0..3).map(spread).fold(0.0, f64::max);
                let extent = if found > 0.0 { found } else { 1.0 };
                self.bodies.extent = Some(extent);
                extent
            }
        };
        self.graph.number(Number::rounded(extent).unwrap_or(Number::ONE))
    }

    /// A constraint that nobody wrote. What is made of parts that may cancel says what they are measured by.
    pub(super) fn made_constraint(
        &mut self,
        name: String,
        left: Vec<Id>,
        right: Vec<Id>,
        (dimension, measure): (Dimension, Option<Measure>),
        off: bool,
        span: Span,
    ) -> usize {
        let size = measure.map(|measure| self.size_of(measure));
        let which = self.model.constraints.len();
        self.model.constraints.push(Constraint {
            name,
            first_row: 0,
            rows: vec![],
            left: vec![],
            right: vec![],
            dimension,
            off,
            side: None,
            is_made: true,
            size,
            span,
            name_span: span,
        });
        self.constraint_items.push(None);
        self.bodies.made.insert(which, (left, right));
        which
    }

    /// Bodies and joints for the stages that come after: pictures, verdicts, reactions.
    pub(super) fn list_bodies(&mut self) {
        for which in 0..self.bodies.all.len() {
            let body = &self.bodies.all[which];
            let (name, mass, shape, pose, span, own) =
                (body.name.clone(), body.mass, body.shape.clone(), body.pose, body.span, body.own.clone());
            if which == GROUND {
                continue;
            }
            let origin = self.shown(pose.origin);
            let axes = pose.axes.iter().map(|&axis| self.shown(axis)).collect();
            self.model.bodies.push(RigidBody {
                name,
                mass,
                shape,
                origin,
                axes,
                coordinates: own,
                begins: None,
                stays: false,
                span,
            });
        }
        for which in 0..self.bodies.joints.len() {
            let joint = &self.bodies.joints[which];
            let (name, kind, span, is_in_tree) = (joint.name.clone(), joint.kind.name(), joint.span, joint.is_in_tree);
            let held = joint.kind.held(self.is_planar());
            let bodies = joint.bodies.map(|body| body.checked_sub(1));
            let coordinates = joint.coordinates.clone();
            let constraints: Vec<usize> =
                joint.constraints.iter().filter(|(part, _)| *part != Part::Value).map(|&(_, which)| which).collect();
            let (points, axis) = match joint.rod.is_some() {
                true => {
                    let ends = self.ends_of_rod(which).unwrap_or([ZERO; 2]);
                    (ends.map(|end| self.shown(end)).to_vec(), Vec::new())
                }
                false => {
                    let (point, axes) = self.side_of_joint(which, 0, GROUND);
                    (vec![self.shown(point)], axes[2].to_vec())
                }
            };
            self.model.joints.push(crate::checked::Joint {
                name,
                kind,
                bodies,
                points,
                axis,
                coordinates,
                constraints,
                held,
                is_in_tree,
                moved: Vec::new(),
                span,
            });
        }
    }
}
