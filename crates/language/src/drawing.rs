//! What `draw` can say: shapes, how many points each takes, its options, and colours.

use std::fmt;

use super::source::Span;
use holonom_symbols::expr::Id;

/// Something to draw, checked: the points fit the shape, and only options that the shape knows are there.
///
/// Expressions are in SI units. Points and `angle` and `axis` may depend on time, coordinates and velocities, all other
/// numbers on parameters alone.
#[derive(Clone, Debug)]
pub struct Drawing {
    /// What it looks like.
    pub shape: DrawnShape,
    /// Its points, 2 or 3 components each. Those of a family of `path` are all here, in order: one curve.
    pub points: Vec<Vec<Id>>,
    /// `color = red` or `color = "#c02020"`
    pub color: Option<Color>,
    /// `label = "A"`
    pub label: Option<String>,
    /// `fill = yes`
    pub fill: Option<bool>,
    /// `width = thin` of what is made of lines.
    pub stroke: Option<Stroke>,
    /// `radius = R` of a point or a body, a length.
    pub radius: Option<Id>,
    /// `width = W` and `height = H` of a body that is a box, lengths.
    pub size: Option<(Id, Id)>,
    /// `angle = EXPR` by which a body is turned: from +x, counter-clockwise, in radians.
    pub angle: Option<Id>,
    /// `axis = (x, y, z)`: what a disc is normal to.
    pub axis: Option<[Id; 3]>,
    /// `coils = 8` of a spring.
    pub coils: Option<u32>,
    /// `length = TIME`: how far back a trace reaches.
    pub length: Option<Id>,
    /// Where it stands.
    pub span: Span,
}

/// What is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DrawnShape {
    /// A dot.
    Point,
    /// A rod, or several in a row.
    Line,
    /// Scenery: a rail, the ground, an incline.
    Path,
    /// A spring between two points.
    Spring,
    /// The way of a point up to now.
    Trace,
    /// A filled area.
    Polygon,
    /// A disc, a box or a ball.
    Body,
    /// What is fixed: a hatched line, or the support of one point.
    Ground,
}

impl DrawnShape {
    /// All of them.
    pub const ALL: [Self; 8] =
        [Self::Point, Self::Line, Self::Path, Self::Spring, Self::Trace, Self::Polygon, Self::Body, Self::Ground];

    /// The word in the language.
    pub fn name(self) -> &'static str {
        match self {
            Self::Point => "point",
            Self::Line => "line",
            Self::Path => "path",
            Self::Spring => "spring",
            Self::Trace => "trace",
            Self::Polygon => "polygon",
            Self::Body => "body",
            Self::Ground => "ground",
        }
    }

    /// How many points it takes: at least, and at most.
    pub(super) fn points(self) -> (usize, usize) {
        match self {
            Self::Point | Self::Trace | Self::Body => (1, 1),
            Self::Spring => (2, 2),
            Self::Line | Self::Path => (2, usize::MAX),
            Self::Polygon => (3, usize::MAX),
            Self::Ground => (1, usize::MAX),
        }
    }

    /// The options that it knows.
    pub(super) fn options(self) -> &'static [&'static str] {
        match self {
            Self::Point => &["color", "label", "fill", "radius"],
            Self::Line | Self::Path => &["color", "label", "fill", "width"],
            Self::Spring => &["color", "label", "fill", "width", "coils"],
            Self::Trace => &["color", "label", "fill", "width", "length"],
            Self::Polygon | Self::Ground => &["color", "label", "fill"],
            Self::Body => &["color", "label", "fill", "radius", "width", "height", "angle", "axis"],
        }
    }
}

/// How thick a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stroke {
    /// `thin`
    Thin,
    /// `normal`
    Normal,
    /// `thick`
    Thick,
}

impl Stroke {
    /// All of them, thinnest first.
    pub const ALL: [Self; 3] = [Self::Thin, Self::Normal, Self::Thick];

    /// The word in the language.
    pub fn name(self) -> &'static str {
        match self {
            Self::Thin => "thin",
            Self::Normal => "normal",
            Self::Thick => "thick",
        }
    }
}

/// Names of colours. Their shades follow the theme of whoever shows them.
pub const COLORS: [&str; 12] =
    ["black", "gray", "red", "orange", "yellow", "green", "teal", "blue", "purple", "pink", "brown", "white"];

/// A colour. It prints as it is written: `red`, `#c02020`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Color {
    /// One of [`COLORS`].
    Named(&'static str),
    /// Red, green, blue.
    Rgb([u8; 3]),
}

impl Color {
    /// The colour of this name, or of `#rrggbb`.
    ///
    /// ```
    /// use holonom_language::Color;
    ///
    /// assert_eq!(Color::from_text("teal"), Some(Color::Named("teal")));
    /// assert_eq!(Color::from_text("#ff8000"), Some(Color::Rgb([255, 128, 0])));
    /// assert_eq!(Color::from_text("#ff80"), None);
    /// ```
    pub fn from_text(text: &str) -> Option<Self> {
        let Some(digits) = text.strip_prefix('#') else {
            return COLORS.into_iter().find(|name| *name == text).map(Self::Named);
        };
        if digits.len() != 6 || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return None;
        }
        let channel = |which: usize| u8::from_str_radix(&digits[2 * which..2 * which + 2], 16).ok();
        Some(Self::Rgb([channel(0)?, channel(1)?, channel(2)?]))
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Named(name) => f.write_str(name),
            Self::Rgb([red, green, blue]) => write!(f, "#{red:02x}{green:02x}{blue:02x}"),
        }
    }
}
