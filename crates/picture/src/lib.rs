//! Equations → what a model looks like: shapes, and where their points are at a state.
//!
//! In: [`Equations`]. Out: a [`Picture`], from the `draw` statements of the model or, where it has none, from its particles and
//! constraints; and [`Frames`], which give all positions at a time and a state for given parameters. The crate does not depend on
//! any display: shapes have lengths in SI units and colours by name.
//!
//! ```
//! use holonom_language::from_text;
//! use holonom_mechanics::derive::derive;
//! use holonom_picture::{Frames, Place, picture};
//!
//! let model = from_text("pendulum.holo", "
//! param      m = 1, L = 2, g = 9.81
//! particle   bob: m in plane
//! gravity    (0, -g)
//! constraint rod: norm(bob) = L
//! ".trim_start()).model.expect("nothing is wrong with it");
//! let equations = derive(model).expect("nor with its mechanics").value;
//! let picture = picture(&equations).expect("it has a particle");
//! assert!(picture.assumed); // no `draw`: a trace, a rod, a dot and a support
//! assert_eq!(picture.shapes.iter().map(|shape| shape.kind.name()).collect::<Vec<_>>(), ["trace", "line", "point", "ground"]);
//!
//! let mut frames = Frames::new(&picture, &[1.0, 2.0, 9.81]);
//! let mut values = Vec::new();
//! frames.at(0.0, &[1.2, -1.6], &[0.0, 0.0], &mut values);
//! assert_eq!(values, [1.2, -1.6]);
//! let rod = &picture.shapes[1].points;
//! assert_eq!(frames.points()[rod[0]], Place::Fixed([0.0; 3]));
//! assert_eq!(frames.points()[rod[1]], Place::Moving([Some(0), Some(1), None]));
//! ```

mod arrows;
mod assumed;
mod bodies;
mod catalogue;
mod frames;
mod links;
mod named;
mod probe;
mod rail;
mod rods;
mod shapes;
mod sketch;
mod springs;
mod support;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_found;

pub use arrows::Arrows;
pub use frames::{Amount, Frames, Place};
pub use shapes::{Picture, Rail, Shape, Slide};

use holonom_language::Drawing;
use holonom_mechanics::derive::Equations;
use holonom_symbols::expr::Id;
use sketch::Sketch;

/// The picture of a model: what its `draw` statements say, or a guess.
///
/// The guess has a dot for each particle and a hollow one for each joint without mass, a rod for whatever keeps its length, a spring
/// for each term of the potential that is one, a support for each fixed end, and a trace for the last particle. It is made at the
/// values of the parameters that the model gives. Bodies and joints are drawn with their shapes. A model in which nothing is known to be a point has no picture.
pub fn picture(equations: &Equations) -> Option<Picture> {
    let drawings = &equations.model.drawings;
    if drawings.is_empty() && !equations.model.bodies.is_empty() {
        let mut sketch = Sketch::new(&equations.graph);
        bodies::bodies(&mut sketch, &equations.model);
        return Some(sketch.finish(true));
    }
    if drawings.is_empty() {
        return assumed::assumed(equations);
    }
    let mut sketch = Sketch::new(&equations.graph);
    drawings.iter().for_each(|drawing| said(&mut sketch, drawing));
    Some(sketch.finish(false))
}

fn said(sketch: &mut Sketch, drawing: &Drawing) {
    let mut point = |components: &[Id]| {
        let point = sketch.vector(components);
        sketch.point(point)
    };
    let axis = drawing.axis.map(|axis| point(&axis));
    let points = drawing.points.iter().map(|components| point(components)).collect();
    let mut shape = Shape::new(drawing.shape, points);
    shape.color = drawing.color;
    shape.label.clone_from(&drawing.label);
    shape.fill = drawing.fill;
    shape.stroke = drawing.stroke;
    shape.radius = drawing.radius.map(|radius| sketch.scalar(radius));
    shape.width = drawing.size.map(|(width, _)| sketch.scalar(width));
    shape.height = drawing.size.map(|(_, height)| sketch.scalar(height));
    shape.angle = drawing.angle.map(|angle| sketch.scalar(angle));
    shape.axis = axis;
    shape.coils = drawing.coils;
    shape.length = drawing.length.map(|length| sketch.scalar(length));
    sketch.shapes.push(shape);
}
