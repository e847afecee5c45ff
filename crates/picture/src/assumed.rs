//! The picture of a model that says nothing about it: masses, joints, rods, springs, supports, and the path of the last point.

use std::collections::HashSet;

use super::catalogue::{Catalogue, Entry, moving_symbols};
use super::links::Skeleton;
use super::named::{distance_row, join, line_row, masses, named};
use super::probe;
use super::rods::{Centre, End, Rods, rods};
use super::shapes::{Picture, Rail, Shape, Slide};
use super::sketch::{Point, Sketch};
use super::springs::springs;
use holonom_language::DrawnShape;
use holonom_language::units::Dimension;
use holonom_mechanics::derive::Equations;
use holonom_symbols::expr::{FastMap, Graph, Id, Node, Number, Symbol};

/// Guides that a picture may have: more are no scenery.
const MOST_SLIDES: usize = 32;
/// Particles whose rails and floors are looked at. How many curves are drawn is another matter: many particles may share one.
const MOST_RAILS: usize = 1_000;
/// Supports that a picture may have.
const MOST_SUPPORTS: usize = 500;

pub(super) fn assumed(equations: &Equations) -> Option<Picture> {
    let parameters = probe::parameters(equations);
    let mut sketch = Sketch::new(&equations.graph);
    let found = rods(&mut sketch, equations, &parameters);
    let particles = equations.model.particles.len();
    let (ends, pins) = sides(&mut sketch, equations);
    let (moving, still) = named(&mut sketch, equations);
    let has_mass = masses(&mut sketch, equations, &moving);
    let heavy: HashSet<[Id; 3]> =
        moving.iter().zip(&has_mass).filter(|(_, mass)| **mass).map(|(point, _)| point.at).collect();
    let is_mass = |entry: &Entry| heavy.contains(&entry.point.at);
    let mut skeleton = skeleton(&mut sketch, &parameters, &found, &ends, particles);

    let mut members: Vec<Point> = found.points.iter().chain(&ends).copied().collect();
    members.extend(skeleton.rods().iter().flat_map(|&(from, to)| [from, to]));
    let mut catalogue = Catalogue::new(&parameters);
    let members = skeleton.distinct(&members);
    catalogue.add(&skeleton.sketch.graph, &members, true);
    catalogue.add(&skeleton.sketch.graph, &skeleton.distinct(&still), false);
    let first = catalogue.entries.len();
    catalogue.add(&skeleton.sketch.graph, &moving, false);
    let has_units = equations.model.has_units;
    join(&mut skeleton, &mut catalogue, first, &is_mass, has_units);
    let mut lines = Vec::new();
    for &(row, one_sided) in &found.others {
        if !distance_row(&mut skeleton, &mut catalogue, (row, one_sided)) {
            lines.push((row, one_sided));
        }
    }
    join(&mut skeleton, &mut catalogue, first, &is_mass, has_units);

    let held = held_coordinates(equations);
    let is_held = |symbol: Symbol| matches!(symbol, Symbol::Position(which) if held[which as usize]);
    let springs = springs(skeleton.sketch, equations, &catalogue, &parameters, &is_held);

    // Filled dots are masses, or all joints of a model without particles; hollow ones have no mass of their own.
    let mut dots = found.points.clone();
    let with_mass = catalogue.entries[first..].iter().filter(|entry| entry.belongs && is_mass(entry));
    dots.extend(with_mass.map(|entry| entry.point));
    let dots = skeleton.distinct(&dots);
    let rods = skeleton.rods().to_vec();
    let ends = rods.iter().map(|&(from, to)| [from, to]).chain(springs.iter().copied()).flatten();
    let lets = catalogue.entries[first..].iter().filter(|entry| entry.belongs).map(|entry| entry.point);
    let all: Vec<Point> = dots.iter().copied().chain(ends.clone()).chain(lets).collect();
    let graph = &skeleton.sketch.graph;
    let joints = skeleton.distinct(&all).into_iter().skip(dots.len()).filter(|point| moves(graph, point)).collect();
    let pins = pins.into_iter().filter(|(point, _)| skeleton.knows(*point)).map(|(_, place)| place);
    let supports: Vec<Point> = ends.filter(|point| !moves(graph, point)).chain(pins).collect();
    let supports = skeleton.distinct(&supports);
    let mechanism = Mechanism { particles, dots, joints, rods, springs, supports };
    mechanism.draw(&mut sketch)?;
    rails(&mut sketch, &found, &catalogue, &lines);
    slides(&mut sketch, &mechanism, &parameters);
    Some(sketch.finish(true))
}

/// What was found of a mechanism.
struct Mechanism {
    particles: usize,
    /// Masses: particles first.
    dots: Vec<Point>,
    /// Points without mass that move.
    joints: Vec<Point>,
    rods: Vec<(Point, Point)>,
    springs: Vec<[Point; 2]>,
    /// Fixed ends.
    supports: Vec<Point>,
}

impl Mechanism {
    /// Its shapes; nothing where no point is known.
    fn draw(&self, sketch: &mut Sketch) -> Option<()> {
        // A particle whose place is not a number at the states looked at is no dot.
        let last_that_moves = || self.dots.iter().chain(&self.joints).rfind(|point| moves(&sketch.graph, point));
        let trace = self.dots.iter().take(self.particles).next_back().or_else(last_that_moves)?;
        let mut add = |kind: DrawnShape, points: &[Point], fill: Option<bool>| {
            let points = points.iter().map(|&point| sketch.point(point)).collect();
            sketch.shapes.push(Shape { fill, ..Shape::new(kind, points) });
        };
        add(DrawnShape::Trace, &[*trace], None);
        self.rods.iter().for_each(|&(from, to)| add(DrawnShape::Line, &[from, to], None));
        self.springs.iter().for_each(|ends| add(DrawnShape::Spring, ends, None));
        self.joints.iter().for_each(|&joint| add(DrawnShape::Point, &[joint], Some(false)));
        self.dots.iter().for_each(|&dot| add(DrawnShape::Point, &[dot], None));
        self.supports.iter().take(MOST_SUPPORTS).for_each(|&support| add(DrawnShape::Ground, &[support], None));
        Some(())
    }
}

/// Points and rods that particles, constraints and coordinates say.
fn skeleton<'s, 'a>(
    sketch: &'s mut Sketch<'a>,
    parameters: &'s [f64],
    found: &Rods,
    ends: &[Point],
    particles: usize,
) -> Skeleton<'s, 'a> {
    let centres: Vec<Option<Point>> = found
        .rods
        .iter()
        .map(|rod| match &rod.to {
            End::Point(_) => None,
            End::Centre(centre) => Some(place(sketch, found.points[rod.from], centre)),
        })
        .collect();
    let measured = if found.points.is_empty() { ends } else { &found.points };
    let mut skeleton = Skeleton::new(sketch, parameters, measured);
    let places = skeleton.know(&found.points);
    skeleton.know(ends);
    for (rod, centre) in found.rods.iter().zip(centres) {
        let from = (found.points[rod.from], places[rod.from]);
        match (&rod.to, centre) {
            (End::Point(to), _) => skeleton.rod((found.points[*to], places[*to]), from),
            (End::Centre(centre), Some(at)) => skeleton.rod((at, centre.place), from),
            (End::Centre(_), None) => {}
        }
    }
    found.points[..particles].iter().chain(ends).for_each(|&point| skeleton.reach(point));
    skeleton
}

/// Curves that constraints keep particles on, and lines that they keep other points on.
fn rails(sketch: &mut Sketch, found: &Rods, catalogue: &Catalogue, lines: &[(Id, bool)]) {
    for kept in found.rails.iter().take(MOST_RAILS) {
        let (curve, gradient) = (sketch.copy(kept.curve), kept.gradient.map(|slope| sketch.copy(slope)));
        let point = sketch.point(found.points[kept.point]);
        let coordinates = kept.coordinates;
        sketch.rails.push(Rail { point, coordinates, curve, gradient, one_sided: kept.one_sided });
    }
    for &(row, one_sided) in lines.iter().take(MOST_RAILS) {
        if let Some((point, curve, gradient)) = line_row(sketch, catalogue, row) {
            let point = sketch.point(point);
            sketch.rails.push(Rail { point, coordinates: [0, 1], curve, gradient, one_sided });
        }
    }
}

/// Particles of the plane that one coordinate leads along a curve. A straight one is a guide only where something is fastened to
/// the particle; a circle has a rod instead.
fn slides(sketch: &mut Sketch, mechanism: &Mechanism, parameters: &[f64]) {
    let Mechanism { particles, dots, rods, springs, .. } = mechanism;
    let ends = rods.iter().map(|&(from, to)| [from, to]).chain(springs.iter().copied());
    let mut fastened: FastMap<[Id; 3], Vec<Point>> = FastMap::default();
    for [from, to] in ends {
        fastened.entry(from.at).or_default().push(to);
        fastened.entry(to.at).or_default().push(from);
    }
    for dot in dots.iter().take(*particles) {
        let [Symbol::Position(coordinate)] = moving_symbols(&sketch.graph, &dot.at)[..] else { continue };
        let none = vec![];
        let others = fastened.get(&dot.at).unwrap_or(&none);
        let rod_to = |point: &Point| rods.iter().any(|rod| [rod.0.at, rod.1.at] == [point.at, dot.at]);
        let turns = others.iter().any(|other| !moves(&sketch.graph, other) && rod_to(other));
        if dot.components != 2 || turns || sketch.slides.len() == MOST_SLIDES {
            continue;
        }
        let at = |state: u64| {
            let values = sketch.graph.evaluate(&dot.at, |symbol| probe::value_with(state, symbol, parameters));
            [values[0], values[1]]
        };
        let (a, b) = (at(0), at(1));
        let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
        let off = |p: [f64; 2]| ((p[0] - a[0]) * dy - (p[1] - a[1]) * dx).abs();
        let straight = (2..probe::STATES).all(|state| off(at(state)) <= 1e-9 * (dx * dx + dy * dy));
        if !straight || !others.is_empty() {
            let point = sketch.point(*dot);
            sketch.slides.push(Slide { point, coordinate: coordinate as usize });
        }
    }
}

/// Coordinates that a constraint of one coordinate keeps at one value.
fn held_coordinates(equations: &Equations) -> Vec<bool> {
    let mut held = vec![false; equations.model.coordinates.len()];
    for row in &equations.rows {
        let stands = row.constraint.is_some_and(|(which, _)| !equations.model.constraints[which].off);
        if let [(which, _)] = row.a[..]
            && stands
            && row.position.is_some()
            && !row.rheonomic
        {
            held[which] = true;
        }
    }
    held
}

fn moves(graph: &Graph, point: &Point) -> bool {
    point.at.iter().any(|&id| !graph.depends(id).is_fixed())
}

/// The two sides of vector equations between positions, which are points that coincide; and those of them that a fixed place is
/// the other side of. An equation with 0 on one side may be between anything.
fn sides(sketch: &mut Sketch, equations: &Equations) -> (Vec<Point>, Vec<(Point, Point)>) {
    let model = &equations.model;
    let (mut points, mut pins) = (Vec::new(), Vec::new());
    for row in &equations.rows {
        let Some((which, 0)) = row.constraint else { continue };
        let constraint = &model.constraints[which];
        let is_length = !model.has_units || constraint.dimension == Dimension::LENGTH;
        let bare = |side: &[Id]| side.iter().all(|&id| id == Id::ZERO);
        if row.position.is_none() || constraint.off || !is_length || !(2..=3).contains(&constraint.left.len()) {
            continue;
        }
        let [left, right] = [&constraint.left, &constraint.right].map(|side| sketch.vector(side));
        let [left_moves, right_moves] = [&left, &right].map(|side| moves(&sketch.graph, side));
        match (left_moves, right_moves) {
            (true, false) => pins.push((left, right)),
            (false, true) => pins.push((right, left)),
            _ => {}
        }
        if !bare(&constraint.left) && !bare(&constraint.right) {
            points.extend(left_moves.then_some(left));
            points.extend(right_moves.then_some(right));
        }
    }
    (points, pins)
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
