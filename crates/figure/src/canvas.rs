//! What a layout may ask of an output: polylines, circles and text. SVG and PNG answer it.

use crate::colour::Colour;
use crate::thin::Point;

/// How a line is drawn.
#[derive(Clone, Copy)]
pub(crate) struct Stroke {
    pub colour: Colour,
    pub width: f64,
    /// Lengths of dashes and gaps in turn; empty for a solid line.
    pub dash: &'static [f64],
}

/// How a shape is drawn.
#[derive(Clone, Copy, Default)]
pub(crate) struct Paint {
    pub fill: Option<Colour>,
    pub stroke: Option<Stroke>,
}

impl Paint {
    pub fn line(colour: Colour, width: f64) -> Paint {
        Paint { fill: None, stroke: Some(Stroke { colour, width, dash: &[] }) }
    }

    pub fn dashed(colour: Colour, width: f64, dash: &'static [f64]) -> Paint {
        Paint { fill: None, stroke: Some(Stroke { colour, width, dash }) }
    }

    pub fn fill(colour: Colour) -> Paint {
        Paint { fill: Some(colour), stroke: None }
    }
}

/// Which part of a text lies at its place.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// How text is written.
#[derive(Clone, Copy)]
pub(crate) struct TextStyle {
    pub size: f64,
    pub colour: Colour,
    pub anchor: Anchor,
    /// From bottom to top, as at a vertical axis.
    pub upright: bool,
    /// With a rim of this colour, so that it can be read over lines.
    pub halo: Option<Colour>,
}

impl TextStyle {
    pub fn new(size: f64, colour: Colour, anchor: Anchor) -> TextStyle {
        TextStyle { size, colour, anchor, upright: false, halo: None }
    }
}

/// An output. All coordinates are pixels, y downwards, and finite.
pub(crate) trait Canvas {
    /// Several polylines of the same paint; `closed` joins the ends of each.
    fn lines(&mut self, lines: &[Vec<Point>], closed: bool, paint: Paint);
    fn circle(&mut self, centre: Point, radius: f64, paint: Paint);
    /// `at` is on the baseline.
    fn text(&mut self, text: &str, at: Point, style: TextStyle);
}

/// The baseline of text of `size` whose middle is at `y`.
pub(crate) fn centred(y: f64, size: f64) -> f64 {
    y + 0.36 * size
}
