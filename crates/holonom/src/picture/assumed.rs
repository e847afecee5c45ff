//! The picture of a model that says nothing about it: dots, rods, and the way of the last point.

use super::links::Skeleton;
use super::probe;
use super::rods::{Centre, End, rods};
use super::sketch::{Point, Sketch};
use super::{Picture, Rail, Shape};
use crate::derive::Equations;
use crate::expr::{Graph, Id, Node, Number, Symbol};
use crate::model::DrawnShape;

/// Rails that a picture may have: more are no scenery.
const MOST_RAILS: usize = 32;

pub(super) fn assumed(equations: &Equations) -> Option<Picture> {
    let parameters = probe::parameters(equations);
    let mut sketch = Sketch::new(&equations.graph);
    let found = rods(&mut sketch, equations, &parameters);
    let particles = equations.model.particles.len();
    let ends = sides(&mut sketch, equations);
    let centres: Vec<Option<Point>> = found
        .rods
        .iter()
        .map(|rod| match &rod.to {
            End::Point(_) => None,
            End::Centre(centre) => Some(place(&mut sketch, found.points[rod.from], centre)),
        })
        .collect();
    let mut skeleton = Skeleton::new(&mut sketch, &parameters, &found.points);
    let places = skeleton.know(&found.points);
    skeleton.know(&ends);
    for (rod, centre) in found.rods.iter().zip(centres) {
        let from = (found.points[rod.from], places[rod.from]);
        match (&rod.to, centre) {
            (End::Point(to), _) => skeleton.rod((found.points[*to], places[*to]), from),
            (End::Centre(centre), Some(at)) => skeleton.rod((at, centre.place), from),
            (End::Centre(_), None) => {}
        }
    }
    found.points[..particles].iter().chain(&ends).for_each(|&point| skeleton.reach(point));
    let rods = skeleton.rods();
    // Without particles, what constraints keep at a distance is all that is known to be a point.
    let dots = found.points;
    let last = match particles {
        0 => *dots.iter().rfind(|point| moves(&sketch.graph, point))?,
        _ => dots[particles - 1],
    };
    let mut add = |kind: DrawnShape, points: &[Point]| {
        let points = points.iter().map(|&point| sketch.point(point)).collect();
        sketch.shapes.push(Shape::new(kind, points));
    };
    add(DrawnShape::Trace, &[last]);
    rods.iter().for_each(|&(from, to)| add(DrawnShape::Line, &[from, to]));
    dots.iter().for_each(|&dot| add(DrawnShape::Point, &[dot]));
    for kept in found.rails.iter().take(MOST_RAILS) {
        let (curve, gradient) = (sketch.copy(kept.curve), kept.gradient.map(|slope| sketch.copy(slope)));
        let point = sketch.point(dots[kept.point]);
        sketch.rails.push(Rail { point, coordinates: kept.coordinates, curve, gradient });
    }
    Some(sketch.finish(true))
}

fn moves(graph: &Graph, point: &Point) -> bool {
    point.at.iter().any(|&id| !graph.depends(id).is_fixed())
}

/// The two sides of vector equations between positions, which are points that coincide. An equation with 0 on one side may be
/// between anything.
fn sides(sketch: &mut Sketch, equations: &Equations) -> Vec<Point> {
    let model = &equations.model;
    let mut points = Vec::new();
    for row in &equations.rows {
        let Some((which, 0)) = row.constraint else { continue };
        let constraint = &model.constraints[which];
        let is_length = !model.has_units || constraint.dimension == crate::model::units::Dimension::LENGTH;
        let bare = |side: &[Id]| side.iter().all(|&id| id == Id::ZERO);
        if row.position.is_some()
            && !constraint.off
            && is_length
            && (2..=3).contains(&constraint.left.len())
            && !bare(&constraint.left)
            && !bare(&constraint.right)
        {
            for side in [&constraint.left, &constraint.right] {
                let point = sketch.vector(side);
                points.extend(moves(&sketch.graph, &point).then_some(point));
            }
        }
    }
    points
}

/// A centre as an expression of parameters, where the row is quadratic and says so; else by its numbers.
fn place(sketch: &mut Sketch, point: Point, centre: &Centre) -> Point {
    let mut at = point.at;
    for ((component, &gradient), &number) in at.iter_mut().zip(&centre.gradient).zip(&centre.place) {
        let Some(gradient) = gradient else { continue };
        let gradient = sketch.copy(gradient);
        let graph = &mut sketch.graph;
        let symbol = match graph.node(*component) {
            Node::Symbol(symbol) => *symbol,
            _ => Symbol::Time,
        };
        // ∂φ/∂x = k(x − c) with k fixed: c = −(∂φ/∂x at 0)/k.
        let slope = graph.partial(gradient, symbol);
        let at_zero =
            graph.substitute(&[gradient], |symbol| matches!(symbol, Symbol::Position(_)).then_some(Id::ZERO))[0];
        *component = match graph.depends(slope).is_fixed() {
            true if slope != Id::ZERO && graph.depends(at_zero).is_fixed() => {
                let ratio = graph.divide(at_zero, slope);
                graph.negate(ratio)
            }
            _ => {
                // What rounding leaves of a round number is taken off.
                let round = (number * 1e9).round() / 1e9;
                graph.number(Number::rounded(round).unwrap_or(Number::ZERO))
            }
        };
    }
    Point { at, ..point }
}
