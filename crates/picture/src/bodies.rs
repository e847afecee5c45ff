//! The picture of a mechanism: bodies with their shapes, joints, springs, supports.

use super::shapes::Shape;
use super::sketch::{Point, Sketch};
use holonom_language::{BodyShape, DrawnShape, Joint, Model, RigidBody, Stroke};
use holonom_symbols::expr::{Id, Number};

/// Draws all bodies and joints of a model.
pub(super) fn bodies(sketch: &mut Sketch, model: &Model) {
    for (which, body) in model.bodies.iter().enumerate() {
        let joints = model.joints.iter().filter(|joint| joint.bodies.contains(&Some(which)));
        draw_body(sketch, body, joints);
    }
    for [from, to] in &model.springs {
        let ends = [from, to].map(|end| sketch.vector(end));
        add(sketch, DrawnShape::Spring, &ends, |_| {});
    }
    for joint in model.joints.iter().filter(|joint| joint.kind == "rod") {
        let ends: Vec<Point> = joint.points.iter().map(|point| sketch.vector(point)).collect();
        add(sketch, DrawnShape::Line, &ends, |shape| shape.stroke = Some(Stroke::Normal));
    }
    for joint in &model.joints {
        draw_joint(sketch, joint);
    }
    for particle in model.particles.iter().filter(|particle| !particle.position.is_empty()) {
        let at = sketch.vector(&particle.position);
        add(sketch, DrawnShape::Point, &[at], |_| {});
    }
}

fn add(sketch: &mut Sketch, kind: DrawnShape, points: &[Point], with: impl FnOnce(&mut Shape)) {
    let points = points.iter().map(|&point| sketch.point(point)).collect();
    let mut shape = Shape::new(kind, points);
    with(&mut shape);
    sketch.shapes.push(shape);
}

/// A body's frame in the graph of the sketch.
struct Frame {
    origin: Point,
    axes: Vec<Point>,
}

impl Frame {
    fn new(sketch: &mut Sketch, body: &RigidBody) -> Self {
        let origin = sketch.vector(&body.origin);
        let axes = body.axes.iter().map(|axis| sketch.vector(axis)).collect();
        Self { origin, axes }
    }

    /// The point at `Σ share·size·axis` from the origin.
    fn point(&self, sketch: &mut Sketch, shares: &[(usize, Number, Id)]) -> Point {
        let mut at = self.origin.at;
        for (component, id) in at.iter_mut().enumerate() {
            let mut terms = vec![(Number::ONE, *id)];
            for &(axis, share, size) in shares {
                let along = sketch.graph.multiply(size, self.axes[axis].at[component]);
                terms.push((share, along));
            }
            *id = sketch.graph.sum(&terms);
        }
        Point { at, components: self.origin.components }
    }
}

fn draw_body<'m>(sketch: &mut Sketch, body: &RigidBody, joints: impl Iterator<Item = &'m Joint>) {
    let frame = Frame::new(sketch, body);
    let half = Number::ratio(1, 2).unwrap_or(Number::ONE);
    let is_planar = frame.origin.components == 2;
    match &body.shape {
        BodyShape::Rod { length } => {
            let length = sketch.copy(*length);
            let ends = [half.negated(), half].map(|share| frame.point(sketch, &[(0, share, length)]));
            add(sketch, DrawnShape::Line, &ends, |shape| shape.stroke = Some(Stroke::Thick));
        }
        BodyShape::Box { sizes } => {
            let sizes = sizes.map(|size| sketch.copy(size));
            let mut corner = |signs: [bool; 3]| {
                let share = |axis: usize| (axis, if signs[axis] { half } else { half.negated() }, sizes[axis]);
                let shares: Vec<_> = (0..if is_planar { 2 } else { 3 }).map(share).collect();
                frame.point(sketch, &shares)
            };
            let ring = [[false, false], [true, false], [true, true], [false, true]];
            if is_planar {
                let corners = ring.map(|[x, y]| corner([x, y, false]));
                return add(sketch, DrawnShape::Polygon, &corners, |_| {});
            }
            let low = ring.map(|[x, y]| corner([x, y, false]));
            let high = ring.map(|[x, y]| corner([x, y, true]));
            // All twelve edges in two strokes and two rungs.
            let around = |ring: &[Point; 4]| vec![ring[0], ring[1], ring[2], ring[3], ring[0]];
            let mut first = around(&low);
            first.extend(around(&high));
            add(sketch, DrawnShape::Line, &first, |shape| shape.stroke = Some(Stroke::Thin));
            for place in 1..4 {
                add(sketch, DrawnShape::Line, &[low[place], high[place]], |shape| shape.stroke = Some(Stroke::Thin));
            }
        }
        BodyShape::Disc { radius } | BodyShape::Hoop { radius } => {
            let is_ring = matches!(body.shape, BodyShape::Hoop { .. });
            disc(sketch, &frame, frame.origin, *radius, if is_ring { Some(false) } else { None });
            let radius = sketch.copy(*radius);
            // A spoke shows that it turns.
            let rim = frame.point(sketch, &[(0, Number::ONE, radius)]);
            add(sketch, DrawnShape::Line, &[frame.origin, rim], |shape| shape.stroke = Some(Stroke::Thin));
        }
        BodyShape::Ball { radius } => {
            let number = sketch.scalar(*radius);
            add(sketch, DrawnShape::Body, &[frame.origin], |shape| shape.radius = Some(number));
        }
        BodyShape::Cylinder { radius, height } => {
            let length = sketch.copy(*height);
            let axis = if is_planar { 0 } else { 2 };
            let ends = [half.negated(), half].map(|share| frame.point(sketch, &[(axis, share, length)]));
            add(sketch, DrawnShape::Line, &ends, |shape| shape.stroke = Some(Stroke::Thick));
            ends.into_iter().for_each(|end| disc(sketch, &frame, end, *radius, None));
        }
        BodyShape::Cone { radius, height } => {
            let (length, wide) = (sketch.copy(*height), sketch.copy(*radius));
            let axis = if is_planar { 0 } else { 2 };
            let [below, above] = [(-1, 4), (3, 4)].map(|(num, den)| Number::ratio(num, den).unwrap_or(Number::ONE));
            let (base, tip) =
                (frame.point(sketch, &[(axis, below, length)]), frame.point(sketch, &[(axis, above, length)]));
            disc(sketch, &frame, base, *radius, None);
            let across: &[usize] = if is_planar { &[1] } else { &[0, 1] };
            for &side in across {
                let rim = [Number::MINUS_ONE, Number::ONE]
                    .map(|sign| frame.point(sketch, &[(axis, below, length), (side, sign, wide)]));
                add(sketch, DrawnShape::Line, &[rim[0], tip, rim[1]], |shape| shape.stroke = Some(Stroke::Thin));
            }
        }
        // Without a shape, lines lead from its reference point to its joints.
        BodyShape::Plain => {
            for joint in joints.filter(|joint| joint.kind != "rod") {
                let place = joint.points.first().map(|point| sketch.vector(point));
                if let Some(place) = place.filter(|place| place.at != frame.origin.at) {
                    add(sketch, DrawnShape::Line, &[frame.origin, place], |shape| shape.stroke = Some(Stroke::Thick));
                }
            }
            add(sketch, DrawnShape::Point, &[frame.origin], |_| {});
        }
    }
}

fn disc(sketch: &mut Sketch, frame: &Frame, at: Point, radius: Id, fill: Option<bool>) {
    let radius = sketch.scalar(radius);
    let axis = (frame.origin.components == 3).then(|| sketch.point(frame.axes[2]));
    add(sketch, DrawnShape::Body, &[at], |shape| {
        (shape.radius, shape.axis, shape.fill) = (Some(radius), axis, fill);
    });
}

/// A hollow dot where bodies are joined, and ground where one of them does not move.
fn draw_joint(sketch: &mut Sketch, joint: &Joint) {
    let points: Vec<Point> = joint.points.iter().map(|point| sketch.vector(point)).collect();
    let is_fixed = |sketch: &Sketch, point: &Point| point.at.iter().all(|&id| sketch.graph.depends(id).is_fixed());
    for point in points {
        let on_ground = joint.bodies.contains(&None) && is_fixed(sketch, &point);
        if joint.kind != "fixed" {
            add(sketch, DrawnShape::Point, &[point], |shape| shape.fill = Some(false));
        }
        if on_ground {
            add(sketch, DrawnShape::Ground, &[point], |_| {});
        }
    }
}
