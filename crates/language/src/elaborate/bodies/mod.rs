//! Rigid bodies and joints: placements become poses in coordinates, joints become coordinates or rows.
//!
//! All placements are read first, as the picture in which everything was placed (`place`, `shape`, `joint`). Then the formulation
//! decides which coordinates there are (`tree`), and each body gets its pose and its velocities in them (`pose`). Joints that are
//! no coordinates become rows (`rows`). From then on bodies and joints are values of expressions (`value`), act and are acted upon
//! (`element`), and give start values to their coordinates (`start`).

mod element;
mod joint;
mod kind;
mod place;
mod pose;
mod rows;
mod shape;
pub(super) mod space;
mod start;
mod tree;
mod used;
mod value;

use super::Elaborator;
use super::exact::Case;
use super::lets::State;
use super::scope::Member;
use crate::source::Span;
use crate::syntax::{BodyItem, ElementItem, FrameItem, Ident, JointItem, StatementKind};
use holonom_symbols::expr::{Id, Symbol};
pub(super) use kind::Kind;
use space::{IDENTITY, Matrix, Vector, ZERO};
use std::collections::HashMap;

/// A body that does not move, and to which everything may be fixed.
pub(super) const GROUND: usize = 0;

/// What bodies and joints there are, and how far they are worked out.
pub(super) struct Bodies<'a> {
    /// All bodies; the first is the ground.
    pub(super) all: Vec<Body<'a>>,
    pub(super) frames: Vec<Frame<'a>>,
    pub(super) joints: Vec<Joint<'a>>,
    /// Springs and dampers, which have names and no values.
    pub(super) elements: Vec<&'a ElementItem>,
    /// `formulation`, as it was written.
    pub(super) formulation: Option<&'a Ident>,
    /// Whether points of bodies lie where bodies were placed.
    pub(super) in_picture: bool,
    /// Whether the mechanism lies in a plane; nothing while nobody knows.
    pub(super) is_planar: Option<bool>,
    /// Sides of constraints that nobody wrote, by constraint: left, right.
    pub(super) made: HashMap<usize, (Vec<Id>, Vec<Id>)>,
}

/// A rigid body.
pub(super) struct Body<'a> {
    pub(super) name: String,
    pub(super) span: Span,
    scope: usize,
    /// What was written; nothing for the ground.
    item: Option<(&'a BodyItem, Case<'a>)>,
    /// Where it was placed.
    placed: Placed,
    pub(super) mass: Id,
    /// About the centre of mass, along its own axes.
    inertia: Matrix,
    /// The centre of mass in its own axes, from its reference point.
    centre: Vector,
    shape: crate::checked::BodyShape,
    /// Whether something is wrong with it, which has been reported.
    is_broken: bool,
    pub(super) pose: Pose,
    /// Its own coordinates: position, then quaternion or angle.
    pub(super) own: Vec<usize>,
}

/// Where a body or a frame lies: its origin and its axes in the world.
#[derive(Clone, Copy)]
pub(super) struct Placed {
    pub(super) origin: Vector,
    pub(super) axes: Matrix,
    /// Whether coordinates or the time occur in it: then it needs no coordinates besides.
    moves: bool,
    /// The angular velocity along its axes, where it moves.
    spin: Vector,
    /// In the plane: the angle of its first axis.
    angle: Id,
}

impl Placed {
    const UNTURNED: Self = Self { origin: ZERO, axes: IDENTITY, moves: false, spin: ZERO, angle: Id::ZERO };
}

/// Where a body is, and how it moves, in the coordinates of the model.
#[derive(Clone, Copy)]
pub(super) struct Pose {
    /// Its reference point.
    pub(super) origin: Vector,
    /// Its axes in the world.
    pub(super) axes: Matrix,
    /// Its angular velocity along its own axes.
    pub(super) spin: Vector,
    /// The velocity of its reference point: along its own axes, or in the world.
    velocity: Velocity,
    /// In the plane: the angle of its first axis, through whole turns.
    angle: Id,
}

#[derive(Clone, Copy)]
enum Velocity {
    InBody(Vector),
    InWorld(Vector),
}

impl Pose {
    const AT_REST: Self =
        Self { origin: ZERO, axes: IDENTITY, spin: ZERO, velocity: Velocity::InWorld(ZERO), angle: Id::ZERO };
}

/// A frame on a body.
pub(super) struct Frame<'a> {
    scope: usize,
    item: &'a FrameItem,
    case: Case<'a>,
    pub(super) body: usize,
    /// In the axes of the body.
    origin: Vector,
    axes: Matrix,
    angle: Id,
    is_broken: bool,
}

/// A joint: a frame on each of two bodies, and what one may do relative to the other.
pub(super) struct Joint<'a> {
    pub(super) name: String,
    pub(super) span: Span,
    scope: usize,
    item: &'a JointItem,
    case: Case<'a>,
    pub(super) kind: Kind,
    /// The bodies: the second moves relative to the first.
    pub(super) bodies: [usize; 2],
    /// The joint's frame in the axes of each body: the third axis is that of the joint.
    origins: [Vector; 2],
    axes: [Matrix; 2],
    /// In the plane: the angle of its frame in the axes of each body.
    angles: [Id; 2],
    /// For a rod: its ends where they are no points of bodies, and its length.
    rod: Option<Rod<'a>>,
    /// Whether its coordinates carry a body: then it has no rows.
    pub(super) is_in_tree: bool,
    /// Its coordinates, in the order of `Kind::freedoms`; none where rows describe it and nobody asks for them.
    pub(super) coordinates: Vec<usize>,
    /// The constraints that its rows belong to: points, then axes.
    pub(super) constraints: Vec<(Part, usize)>,
    is_broken: bool,
}

/// A rod between two points.
#[derive(Clone)]
struct Rod<'a> {
    ends: [Option<&'a crate::syntax::Expr>; 2],
    length: Id,
}

/// What the rows of a joint hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Part {
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

impl<'a> Bodies<'a> {
    pub(super) fn new() -> Self {
        let ground = Body {
            name: "ground".into(),
            span: Span::default(),
            scope: 0,
            item: None,
            placed: Placed::UNTURNED,
            mass: Id::ZERO,
            inertia: [ZERO; 3],
            centre: ZERO,
            shape: crate::checked::BodyShape::Plain,
            is_broken: false,
            pose: Pose::AT_REST,
            own: Vec::new(),
        };
        Self {
            all: vec![ground],
            frames: Vec::new(),
            joints: Vec::new(),
            elements: Vec::new(),
            formulation: None,
            in_picture: false,
            is_planar: None,
            made: HashMap::new(),
        }
    }

    /// Whether the model has no bodies and no joints.
    pub(super) fn is_empty(&self) -> bool {
        self.all.len() == 1 && self.joints.is_empty()
    }
}

impl<'a> Elaborator<'a> {
    /// Names of bodies, frames, joints, springs and dampers.
    pub(super) fn declare_body_statement(&mut self, statement: &'a StatementKind) {
        match statement {
            StatementKind::Body(item) => self.declare_body(item),
            StatementKind::Frame(item) => self.declare_frame(item),
            StatementKind::Joint(item) => self.declare_joint(item),
            StatementKind::Spring(item) => self.declare_element(item, "spring"),
            StatementKind::Damper(item) => self.declare_element(item, "damper"),
            StatementKind::Formulation(word) => self.declare_formulation(word),
            _ => {}
        }
    }

    fn declare_body(&mut self, item: &'a BodyItem) {
        let Some(step) = self.plain(&item.target, "a body") else { return };
        for case in self.cases(&item.target) {
            let indices = case.last();
            let name = self.full_name(&step.name.text, indices.as_deref());
            let which = self.bodies.all.len();
            self.bodies.all.push(Body {
                name,
                span: item.target.span,
                scope: self.scope,
                item: Some((item, case)),
                placed: Placed::UNTURNED,
                mass: Id::ZERO,
                inertia: [ZERO; 3],
                centre: ZERO,
                shape: crate::checked::BodyShape::Plain,
                is_broken: false,
                pose: Pose::AT_REST,
                own: Vec::new(),
            });
            self.define(&step.name, indices, "body", Member::Body(which));
        }
    }

    fn declare_frame(&mut self, item: &'a FrameItem) {
        let Some(step) = self.plain(&item.target, "a frame") else { return };
        for case in self.cases(&item.target) {
            let indices = case.last();
            let which = self.bodies.frames.len();
            self.bodies.frames.push(Frame {
                scope: self.scope,
                item,
                case,
                body: GROUND,
                origin: ZERO,
                axes: IDENTITY,
                angle: Id::ZERO,
                is_broken: false,
            });
            self.define(&step.name, indices, "frame", Member::Frame(which));
        }
    }

    fn declare_joint(&mut self, item: &'a JointItem) {
        let Some(step) = self.plain(&item.target, "a joint") else { return };
        let kind = self.joint_kind(&item.kind);
        for case in self.cases(&item.target) {
            let indices = case.last();
            let name = self.full_name(&step.name.text, indices.as_deref());
            let which = self.bodies.joints.len();
            self.bodies.joints.push(Joint {
                name,
                span: item.target.span,
                scope: self.scope,
                item,
                case,
                kind: kind.unwrap_or(Kind::Fixed),
                bodies: [GROUND; 2],
                origins: [ZERO; 2],
                axes: [IDENTITY; 2],
                angles: [Id::ZERO; 2],
                rod: None,
                is_in_tree: false,
                coordinates: Vec::new(),
                constraints: Vec::new(),
                is_broken: kind.is_none(),
            });
            self.define(&step.name, indices, "joint", Member::Joint(which));
        }
    }

    fn declare_element(&mut self, item: &'a ElementItem, kind: &'static str) {
        let Some(step) = self.plain(&item.target, if kind == "spring" { "a spring" } else { "a damper" }) else {
            return;
        };
        for case in self.cases(&item.target) {
            let which = self.bodies.elements.len();
            self.bodies.elements.push(item);
            self.define(&step.name, case.last(), kind, Member::Element(which));
        }
    }

    /// Works out all bodies and joints: from then on they have poses in coordinates.
    pub(super) fn place_bodies(&mut self) {
        if self.bodies.is_empty() || self.exhausted {
            return;
        }
        let scope = self.scope;
        // Lets that are made of points of bodies mean the picture now, and the moving points later.
        let known: Vec<bool> = self.lets.iter().map(|one| matches!(one.state, State::Done(_))).collect();
        self.bodies.in_picture = true;
        self.find_plane();
        self.place_all_bodies();
        self.place_all_frames();
        self.place_all_joints();
        self.bodies.in_picture = false;
        for (one, known) in self.lets.iter_mut().zip(known) {
            if !known && !matches!(one.state, State::Done(None)) {
                one.state = State::Unseen;
            }
        }
        let broken = self.bodies.all.iter().any(|body| body.is_broken)
            || self.bodies.joints.iter().any(|joint| joint.is_broken)
            || self.bodies.frames.iter().any(|frame| frame.is_broken);
        if !broken {
            self.choose_coordinates();
            self.write_joints();
            self.add_energies_of_bodies();
            self.list_bodies();
        }
        self.scope = scope;
        self.locals.clear();
    }

    /// Does something in the scope and with the indices in which a body or joint was declared.
    fn at_home<T>(&mut self, scope: usize, case: &Case<'a>, run: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.scope, scope);
        let result = self.within(case, run);
        self.scope = outer;
        result
    }

    /// The values of fixed expressions, with coordinates and time at zero.
    pub(super) fn numbers(&self, ids: &[Id]) -> Vec<f64> {
        self.graph.evaluate(ids, |symbol| match symbol {
            Symbol::Parameter(_) => super::declare::value_of(symbol, &self.parameter_values),
            _ => 0.0,
        })
    }

    fn vector_numbers(&self, v: Vector) -> [f64; 3] {
        let found = self.numbers(&v);
        [found[0], found[1], found[2]]
    }

    /// Whether the mechanism lies in a plane.
    pub(super) fn is_planar(&self) -> bool {
        self.bodies.is_planar == Some(true)
    }

    /// The components of a vector that there are: two in the plane.
    pub(super) fn shown(&self, v: Vector) -> Vec<Id> {
        v[..if self.is_planar() { 2 } else { 3 }].to_vec()
    }
}
