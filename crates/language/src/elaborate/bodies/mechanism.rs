//! Bodies, frames and joints as they are kept: what was written, where it was placed, and how it moves.

use super::kind::{Kind, Part};
use super::space::{IDENTITY, Matrix, Vector, ZERO};
use crate::checked::BodyShape;
use crate::elaborate::case::Case;
use crate::source::Span;
use crate::syntax::{BodyItem, ElementItem, Expr, FrameItem, Ident, JointItem, StartItem};
use holonom_symbols::expr::Id;
use std::collections::HashMap;

/// A body that does not move, and to which everything may be fixed.
pub(in crate::elaborate) const GROUND: usize = 0;

/// What bodies and joints there are, and how far they are worked out.
pub(in crate::elaborate) struct Bodies<'a> {
    /// All bodies; the first is the ground.
    pub(in crate::elaborate) all: Vec<Body<'a>>,
    pub(in crate::elaborate) frames: Vec<Frame<'a>>,
    pub(in crate::elaborate) joints: Vec<Joint<'a>>,
    /// Springs and dampers, which have names and no values.
    pub(in crate::elaborate) elements: Vec<&'a ElementItem>,
    /// `formulation`, as it was written.
    pub(in crate::elaborate) formulation: Option<&'a Ident>,
    /// Whether points of bodies lie where bodies were placed.
    pub(in crate::elaborate) in_picture: bool,
    /// Whether something of the picture was made of a joint's coordinate, which was reported.
    pub(super) was_asked_early: bool,
    /// Whether the mechanism lies in a plane; nothing while nobody knows.
    pub(in crate::elaborate) is_planar: Option<bool>,
    /// How large the picture is, once somebody asked.
    pub(in crate::elaborate) extent: Option<f64>,
    /// Angular velocities that bodies on ball joints start with, in the world.
    pub(super) spins: Vec<(usize, Vector, &'a StartItem)>,
    /// Sides of constraints that nobody wrote, by constraint: left, right.
    pub(in crate::elaborate) made: HashMap<usize, (Vec<Id>, Vec<Id>)>,
    /// Where parts that are placed as a whole lie, by scope; nothing where their placement is wrong.
    pub(super) parts: HashMap<usize, (Placing, Option<PartFrame>)>,
}

/// The frame of a part in the world: what is written in the part is meant in it.
#[derive(Clone, Copy)]
pub(super) struct PartFrame {
    pub(super) origin: Vector,
    pub(super) axes: Matrix,
    /// In the plane: the angle of its first axis.
    pub(super) angle: Id,
}

/// A rigid body.
pub(in crate::elaborate) struct Body<'a> {
    pub(in crate::elaborate) name: String,
    pub(in crate::elaborate) span: Span,
    pub(super) scope: usize,
    /// What was written; nothing for the ground.
    pub(super) item: Option<(&'a BodyItem, Case<'a>)>,
    /// Where it was placed, in the world.
    pub(super) placed: Placed,
    /// The same in the frame of the part that it was written in.
    pub(super) placed_in_part: Placed,
    pub(super) placing: Placing,
    pub(in crate::elaborate) mass: Id,
    /// About the centre of mass, along its own axes.
    pub(super) inertia: Matrix,
    /// The centre of mass in its own axes, from its reference point.
    pub(super) centre: Vector,
    pub(super) shape: BodyShape,
    /// Whether something is wrong with it, which has been reported.
    pub(super) is_broken: bool,
    pub(in crate::elaborate) pose: Pose,
    /// The joint that carries it, and the side that it is on; nothing for a body with coordinates of its own.
    pub(super) carrier: Option<(usize, usize)>,
    /// An axis about which it may turn without anything that feels it.
    pub(super) idle: Option<Vector>,
    /// Its own coordinates: position, then quaternion or angle.
    pub(in crate::elaborate) own: Vec<usize>,
}

/// How far a placement has come: it may be made of points of other bodies, in any order.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Placing {
    Waiting,
    Running,
    Done,
}

/// Where a body or a frame lies: its origin and its axes in the world.
#[derive(Clone, Copy)]
pub(in crate::elaborate) struct Placed {
    pub(in crate::elaborate) origin: Vector,
    pub(in crate::elaborate) axes: Matrix,
    /// Whether coordinates or the time occur in it: then it needs no coordinates besides.
    pub(super) moves: bool,
    /// The angular velocity along its axes, where it moves.
    pub(super) spin: Vector,
    /// In the plane: the angle of its first axis.
    pub(super) angle: Id,
}

impl Placed {
    pub(super) const UNTURNED: Self = Self { origin: ZERO, axes: IDENTITY, moves: false, spin: ZERO, angle: Id::ZERO };
}

/// Where a body is, and how it moves, in the coordinates of the model.
#[derive(Clone, Copy)]
pub(in crate::elaborate) struct Pose {
    /// Its reference point.
    pub(in crate::elaborate) origin: Vector,
    /// Its axes in the world.
    pub(in crate::elaborate) axes: Matrix,
    /// Its angular velocity along its own axes.
    pub(in crate::elaborate) spin: Vector,
    /// The velocity of its reference point: along its own axes, or in the world.
    pub(super) velocity: Velocity,
    /// In the plane: the angle of its first axis, through whole turns.
    pub(super) angle: Id,
}

#[derive(Clone, Copy)]
pub(super) enum Velocity {
    InBody(Vector),
    InWorld(Vector),
}

impl Pose {
    pub(super) const AT_REST: Self =
        Self { origin: ZERO, axes: IDENTITY, spin: ZERO, velocity: Velocity::InWorld(ZERO), angle: Id::ZERO };
}

/// A frame on a body.
pub(in crate::elaborate) struct Frame<'a> {
    pub(super) scope: usize,
    pub(super) item: &'a FrameItem,
    pub(super) case: Case<'a>,
    pub(in crate::elaborate) body: usize,
    /// In the axes of the body.
    pub(super) origin: Vector,
    pub(super) axes: Matrix,
    pub(super) angle: Id,
    pub(super) is_broken: bool,
}

/// A joint: a frame on each of two bodies, and what one may do relative to the other.
pub(in crate::elaborate) struct Joint<'a> {
    pub(in crate::elaborate) name: String,
    pub(in crate::elaborate) span: Span,
    pub(super) scope: usize,
    pub(super) item: &'a JointItem,
    pub(super) case: Case<'a>,
    pub(in crate::elaborate) kind: Kind,
    /// The bodies: the second moves relative to the first.
    pub(in crate::elaborate) bodies: [usize; 2],
    /// The joint's frame in the axes of each body: the third axis is that of the joint.
    pub(super) origins: [Vector; 2],
    pub(super) axes: [Matrix; 2],
    /// In the plane: the angle of its frame in the axes of each body.
    pub(super) angles: [Id; 2],
    /// For a rod: its ends where they are no points of bodies, and its length.
    pub(super) rod: Option<Rod<'a>>,
    /// Whether its coordinates carry a body: then it has no rows.
    pub(in crate::elaborate) is_in_tree: bool,
    /// The side of the body that it carries.
    pub(super) side: usize,
    /// Its coordinates, in the order of `Kind::freedoms`; none where rows describe it and nobody asks for them.
    pub(in crate::elaborate) coordinates: Vec<usize>,
    /// The constraints that its rows belong to: points, then axes.
    pub(in crate::elaborate) constraints: Vec<(Part, usize)>,
    pub(in crate::elaborate) is_broken: bool,
}

/// A rod between two points.
#[derive(Clone)]
pub(super) struct Rod<'a> {
    pub(super) ends: [Option<&'a Expr>; 2],
    pub(super) length: Id,
}

impl Body<'_> {
    /// Whether neither coordinates of yours nor time carry it.
    pub(in crate::elaborate) fn is_unattached(&self) -> bool {
        !self.placed.moves
    }
}

impl<'a> Bodies<'a> {
    pub(in crate::elaborate) fn new() -> Self {
        let ground = Body {
            name: "ground".into(),
            span: Span::default(),
            scope: 0,
            item: None,
            placed: Placed::UNTURNED,
            placed_in_part: Placed::UNTURNED,
            placing: Placing::Done,
            mass: Id::ZERO,
            inertia: [ZERO; 3],
            centre: ZERO,
            shape: BodyShape::Plain,
            is_broken: false,
            pose: Pose::AT_REST,
            carrier: None,
            idle: None,
            own: Vec::new(),
        };
        Self {
            all: vec![ground],
            frames: Vec::new(),
            joints: Vec::new(),
            elements: Vec::new(),
            formulation: None,
            in_picture: false,
            was_asked_early: false,
            is_planar: None,
            extent: None,
            spins: Vec::new(),
            made: HashMap::new(),
            parts: HashMap::new(),
        }
    }

    /// Whether the model has no bodies and no joints.
    pub(in crate::elaborate) fn is_empty(&self) -> bool {
        self.all.len() == 1 && self.joints.is_empty()
    }
}
