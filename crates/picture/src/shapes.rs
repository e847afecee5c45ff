//! What a picture consists of: shapes that name points and scalars by number, and curves that are drawn once the motion is known.

use holonom_language::{Color, DrawnShape, Stroke};
use holonom_symbols::expr::{Graph, Id};

/// What a model looks like.
///
/// Points and scalars are listed once each, and shapes name them by number.
#[derive(Clone, Debug)]
pub struct Picture {
    /// The expressions of `points` and `scalars`, over parameters, time, positions and velocities.
    pub graph: Graph,
    /// 3 as soon as one point has three components, else 2.
    pub dimension: usize,
    /// Points and directions: x, y and z, which is 0 in the plane. y points up in the plane, z in space.
    pub points: Vec<[Id; 3]>,
    /// Lengths, times and angles.
    pub scalars: Vec<Id>,
    /// What to draw, the farthest back first.
    pub shapes: Vec<Shape>,
    /// Curves that particles are kept on, which [`Picture::lay_rails`] draws once the motion is known. None where the model says
    /// what to draw.
    pub rails: Vec<Rail>,
    /// Curves along which a single coordinate leads particles, which [`Picture::lay_slides`] draws.
    pub slides: Vec<Slide>,
    /// Whether the model has no `draw`, so that this is a guess.
    pub assumed: bool,
}

/// Something in a picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    /// What it is.
    pub kind: DrawnShape,
    /// Its points, by their numbers in [`Picture::points`].
    pub points: Vec<usize>,
    /// Its colour, where one was chosen.
    pub color: Option<Color>,
    /// A word beside it.
    pub label: Option<String>,
    /// Whether its inside is coloured, where that was said.
    pub fill: Option<bool>,
    /// How thick its lines are, where that was said.
    pub stroke: Option<Stroke>,
    /// The radius of a dot, a disc or a ball, by its number in [`Picture::scalars`]. It depends on parameters alone.
    pub radius: Option<usize>,
    /// The width of a box. As `radius`.
    pub width: Option<usize>,
    /// The height of a box. As `radius`.
    pub height: Option<usize>,
    /// By how much a body is turned from +x, counter-clockwise, in radians; its number in [`Picture::scalars`].
    pub angle: Option<usize>,
    /// What a disc is normal to, or the way from a support into its ground, which is down otherwise: a direction, by its number in
    /// [`Picture::points`].
    pub axis: Option<usize>,
    /// The coils of a spring, where they were counted.
    pub coils: Option<u32>,
    /// How far back a trace reaches, in seconds. As `radius`.
    pub length: Option<usize>,
}

impl Shape {
    /// A shape without options.
    pub fn new(kind: DrawnShape, points: Vec<usize>) -> Self {
        Self {
            kind,
            points,
            color: None,
            label: None,
            fill: None,
            stroke: None,
            radius: None,
            width: None,
            height: None,
            angle: None,
            axis: None,
            coils: None,
            length: None,
        }
    }
}

/// The curve on which a constraint keeps a particle of the plane.
#[derive(Clone, Debug)]
pub struct Rail {
    /// The particle, by its number in [`Picture::points`].
    pub point: usize,
    /// The positions that stand for x and y in `curve`.
    pub coordinates: [usize; 2],
    /// φ, an expression of the graph of the picture.
    pub curve: Id,
    /// ∂φ/∂x and ∂φ/∂y.
    pub gradient: [Id; 2],
    /// Whether it is a floor: only the side where φ < 0 is forbidden.
    pub one_sided: bool,
}

/// The curve along which one coordinate leads a point of the plane.
#[derive(Clone, Copy, Debug)]
pub struct Slide {
    /// The point, by its number in [`Picture::points`].
    pub point: usize,
    /// The coordinate.
    pub coordinate: usize,
}
