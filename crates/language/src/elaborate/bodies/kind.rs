//! The kinds of joints: what one body may do relative to another.

/// What a joint is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(in crate::elaborate) enum Kind {
    Hinge,
    Slider,
    Cylindrical,
    Ball,
    Universal,
    Planar,
    Fixed,
    Rod,
}

/// A way in which the second body may move relative to the first, in the joint's frame.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Freedom {
    /// Along this axis of the frame on the first body.
    Along(usize),
    /// About the third axis, which both bodies share.
    About,
    /// About the third axis of the first body, then about the first axis of the second.
    Cross,
    /// Any turn: four parts of a quaternion.
    Any,
}

/// What the rows of a joint hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::elaborate) enum Part {
    /// A point in place: three rows along the world's axes, two in the plane.
    Point,
    /// A point on a line or in a plane: a row for each of these axes of the joint's frame on the first body.
    Line([bool; 3]),
    /// Orientations: a row for each pair of perpendicular axes, one of the first body and one of the second.
    Axes(&'static [(usize, usize)]),
    /// The length of a rod.
    Length,
    /// The value of a coordinate: no force of the joint.
    Value,
}

/// Pairs of axes that stay perpendicular: one of the first body, one of the second. The frame of the joint is the same for both at the
/// placement.
const PARALLEL: Part = Part::Axes(&[(0, 2), (1, 2)]);
const ALIGNED: Part = Part::Axes(&[(0, 2), (1, 2), (0, 1)]);
const CROSSED: Part = Part::Axes(&[(2, 0)]);
/// In the plane the third axis of a slider lies in the plane, and the first is perpendicular to it there.
const IN_LINE: Part = Part::Axes(&[(0, 2)]);
const IN_ANGLE: Part = Part::Axes(&[(0, 1)]);

/// Each kind: how it is called, how it is called elsewhere, and what follows its ends.
pub(super) const KINDS: [(Kind, &str, &[&str]); 8] = [
    (Kind::Hinge, "hinge", &["revolute", "pin", "rotational", "rotary", "pivot"]),
    (Kind::Slider, "slider", &["prismatic", "slide", "linear", "translational"]),
    (Kind::Cylindrical, "cylindrical", &["cylinder", "sleeve"]),
    (Kind::Ball, "ball", &["spherical", "socket", "ball_joint"]),
    (Kind::Universal, "universal", &["cardan", "hooke"]),
    (Kind::Planar, "planar", &["plane"]),
    (Kind::Fixed, "fixed", &["weld", "rigid", "weldjoint"]),
    (Kind::Rod, "rod", &["distance", "link", "massless_link"]),
];

impl Kind {
    /// Its name in the language.
    pub(in crate::elaborate) fn name(self) -> &'static str {
        KINDS.iter().find(|(kind, ..)| *kind == self).map_or("joint", |(_, name, _)| name)
    }

    /// Whether it has an axis, which then must be given: one, or two.
    pub(super) fn axes(self, is_planar: bool) -> usize {
        match self {
            Self::Slider => 1,
            Self::Hinge | Self::Cylindrical | Self::Planar if !is_planar => 1,
            Self::Universal => 2,
            _ => 0,
        }
    }

    /// Whether it makes sense in the plane.
    pub(super) fn is_in_plane(self) -> bool {
        matches!(self, Self::Hinge | Self::Slider | Self::Fixed | Self::Rod | Self::Ball)
    }

    /// What it leaves free, in the order of its coordinates.
    pub(super) fn freedoms(self, is_planar: bool) -> &'static [Freedom] {
        match self {
            Self::Hinge => &[Freedom::About],
            Self::Ball if is_planar => &[Freedom::About],
            Self::Slider => &[Freedom::Along(2)],
            Self::Cylindrical => &[Freedom::Along(2), Freedom::About],
            Self::Ball => &[Freedom::Any],
            Self::Universal => &[Freedom::About, Freedom::Cross],
            Self::Planar => &[Freedom::Along(0), Freedom::Along(1), Freedom::About],
            Self::Fixed | Self::Rod => &[],
        }
    }

    /// The names of its coordinates after its own name; an empty one is the joint itself.
    pub(super) fn coordinate_names(self, is_planar: bool) -> &'static [&'static str] {
        match self {
            Self::Hinge | Self::Slider => &[""],
            Self::Ball if is_planar => &[""],
            Self::Cylindrical => &["travel", "angle"],
            Self::Universal => &["1", "2"],
            Self::Planar => &["x", "y", "angle"],
            Self::Ball => &["q0", "q1", "q2", "q3"],
            Self::Fixed | Self::Rod => &[],
        }
    }

    /// Whether its coordinates can carry a body.
    pub(super) fn carries(self) -> bool {
        self != Self::Rod
    }

    /// How many directions it holds.
    pub(super) fn held(self, is_planar: bool) -> usize {
        let rows = |part: &Part| match part {
            Part::Point => {
                if is_planar {
                    2
                } else {
                    3
                }
            }
            Part::Line(held) => held.iter().filter(|held| **held).count(),
            Part::Axes(pairs) => pairs.len(),
            Part::Length => 1,
            Part::Value => 0,
        };
        self.parts(is_planar).iter().map(rows).sum()
    }

    /// What its rows hold.
    pub(super) fn parts(self, is_planar: bool) -> &'static [Part] {
        if is_planar {
            return match self {
                Self::Slider => &[Part::Line([true, false, false]), IN_LINE],
                Self::Fixed => &[Part::Point, IN_ANGLE],
                Self::Rod => &[Part::Length],
                _ => &[Part::Point],
            };
        }
        match self {
            Self::Hinge => &[Part::Point, PARALLEL],
            Self::Slider => &[Part::Line([true, true, false]), ALIGNED],
            Self::Cylindrical => &[Part::Line([true, true, false]), PARALLEL],
            Self::Ball => &[Part::Point],
            Self::Universal => &[Part::Point, CROSSED],
            Self::Planar => &[Part::Line([false, false, true]), PARALLEL],
            Self::Fixed => &[Part::Point, ALIGNED],
            Self::Rod => &[Part::Length],
        }
    }
}
