//! What a figure says, before anything is laid out: titles, lines, frames of a mechanism.

/// Which colours a figure is drawn in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// Dark ink on white.
    #[default]
    Light,
    /// Light ink on a dark ground.
    Dark,
}

/// A figure: an optional title above one or more panels.
///
/// All lengths are in pixels of the SVG's view box; [`png`](Figure::png) multiplies them by its scale.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// Stands above the panels, and is the title a screen reader says.
    pub title: Option<String>,
    /// Width in pixels; values outside 120 to 8000 are brought into that range.
    pub width: u32,
    /// Height in pixels; values outside 90 to 8000 are brought into that range.
    pub height: u32,
    /// Light or dark.
    pub theme: Theme,
    /// Panels side by side; `None` picks the number whose panels come closest to a pleasant shape.
    pub columns: Option<usize>,
    /// From left to right, then from top to bottom.
    pub panels: Vec<Panel>,
}

impl Default for Figure {
    fn default() -> Self {
        Figure { title: None, width: 720, height: 420, theme: Theme::Light, columns: None, panels: Vec::new() }
    }
}

/// One part of a figure.
#[derive(Clone, Debug, PartialEq)]
pub enum Panel {
    /// Lines over an axis.
    Plot(Plot),
    /// A mechanism at a few instants.
    Picture(PictureFigure),
}

/// Lines over a common axis.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plot {
    /// Stands above the plot.
    pub title: Option<String>,
    /// Name and unit of the horizontal axis, such as `t [s]`.
    pub x_label: String,
    /// Name and unit of the vertical axis.
    pub y_label: String,
    /// Decades instead of equal distances; values that are not positive are left out.
    pub log_y: bool,
    /// The lines, in the order of their colours.
    pub lines: Vec<Line>,
    /// Instants to point out, such as events.
    pub marks: Vec<Mark>,
}

/// One line of a plot. A value that is not finite breaks it; surplus values of the longer list are left out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Line {
    /// Its name, written at its end or in a legend.
    pub label: String,
    /// Horizontal values, in any order.
    pub x: Vec<f64>,
    /// Vertical values.
    pub y: Vec<f64>,
}

/// A vertical line through a plot at `x`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mark {
    /// Where.
    pub x: f64,
    /// What happened; written above the plot where there is room.
    pub label: String,
}

/// A mechanism at a few instants, the early ones faint and the last one in full colour.
///
/// Scales are equal in all directions and a bar tells the length. What is the same in all frames is drawn once.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PictureFigure {
    /// Stands above the picture.
    pub title: Option<String>,
    /// `false`: the plane of x and y, y upwards. `true`: seen along a fixed direction (azimuth −60°, elevation 25°)
    /// without perspective, z upwards.
    pub spatial: bool,
    /// The unit of length, written at the scale bar.
    pub unit: Option<String>,
    /// The unit of time, written after the times of the first and the last frame.
    pub time_unit: Option<String>,
    /// From early to late.
    pub frames: Vec<Frame>,
    /// Places that are in sight whatever the frames show: a film has the same view throughout.
    pub seen: Vec<[f64; 3]>,
}

/// A mechanism at one instant.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frame {
    /// Its time; NaN if there is none. The first and last are written below the picture.
    pub time: f64,
    /// From back to front.
    pub shapes: Vec<FrameShape>,
}

/// What a [`FrameShape`] is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ShapeKind {
    /// A dot at each point.
    #[default]
    Point,
    /// A rod or polyline.
    Line,
    /// Scenery: rail, ground, incline.
    Path,
    /// A spring between the first and the last point.
    Spring,
    /// The way up to the instant of the frame; only that of the last frame is drawn.
    Trace,
    /// A closed, filled polygon.
    Polygon,
    /// A disc or ball with `radius`, or a box with `width` and `height`, around the first point.
    Body,
    /// What is fixed: the support of a single point, with its ground along `axis` or below; or a line hatched on its right, seen
    /// along its points.
    Ground,
    /// From the first point to the last, with a head.
    Arrow,
}

/// How thick a line is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Weight {
    /// As thin as scenery.
    Thin,
    /// A rod.
    #[default]
    Normal,
    /// A beam.
    Thick,
}

/// One shape of a frame, all its quantities numbers in the model's units.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FrameShape {
    /// What it is.
    pub kind: ShapeKind,
    /// Its points; the third component is not used in the plane.
    pub points: Vec<[f64; 3]>,
    /// A name (`black gray red orange yellow green teal blue purple pink brown white`) or `#rrggbb`.
    pub color: Option<String>,
    /// Written beside it in the last frame.
    pub label: Option<String>,
    /// Of a point or a disc, in units of length.
    pub radius: Option<f64>,
    /// Of a box, in units of length.
    pub width: Option<f64>,
    /// Of a box, in units of length.
    pub height: Option<f64>,
    /// Of a body, in radians from the x direction, counter-clockwise.
    pub angle: Option<f64>,
    /// The normal of a disc or box in space; of a support, the way into its ground.
    pub axis: Option<[f64; 3]>,
    /// Of a spring.
    pub coils: Option<u32>,
    /// How thick.
    pub line: Option<Weight>,
    /// Whether the inside is filled.
    pub fill: Option<bool>,
}
