//! Rigid bodies and joints: placements become poses in coordinates, joints become coordinates or rows.
//!
//! All placements are read first, as the picture in which everything was placed (`place`, `shape`, `joint`). Then the formulation
//! decides which coordinates there are (`tree`), and each body gets its pose and its velocities in them (`pose`). Joints that are
//! no coordinates become rows (`rows`). Parts that are placed as a whole have frames of their own (`part`). From then on bodies and joints are values of expressions (`value`), act and are acted upon
//! (`element`), and give start values to their coordinates (`start`).

mod element;
mod idle;
mod joint;
mod kind;
mod mechanism;
mod part;
mod place;
mod pose;
mod rates;
mod rows;
mod shape;
pub(super) mod space;
mod start;
mod tree;
mod unforced;
mod used;
mod value;

use super::Elaborator;
use super::case::Case;
use super::lazy::State;
use super::scope::Member;
use crate::diagnostic::Diagnostic;
use crate::names::closest;
use crate::syntax::{BodyItem, ElementItem, FrameItem, Ident, JointItem, StatementKind};
use holonom_symbols::expr::{Id, Symbol};
pub(super) use kind::Part;
use kind::{KINDS, Kind};
pub(super) use mechanism::Bodies;
use mechanism::{Body, Frame, GROUND, Joint, PartFrame, Placed, Placing, Pose, Rod, Velocity};
use space::{IDENTITY, Vector, ZERO};

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
        if self.is_reserved(&step.name) {
            return;
        }
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
                placed_in_part: Placed::UNTURNED,
                placing: Placing::Waiting,
                mass: Id::ZERO,
                inertia: [ZERO; 3],
                centre: ZERO,
                shape: crate::checked::BodyShape::Plain,
                is_broken: false,
                pose: Pose::AT_REST,
                carrier: None,
                idle: None,
                own: Vec::new(),
            });
            self.define(&step.name, indices, "body", Member::Body(which));
        }
    }

    /// Whether this is the name of the body that does not move, which is reported.
    fn is_reserved(&mut self, name: &Ident) -> bool {
        if name.text != "ground" {
            return false;
        }
        let error = Diagnostic::error("reserved-name", "`ground` is the body that does not move")
            .at(name.span, "choose another name");
        self.doubtful.insert(name.text.clone());
        self.report(error);
        true
    }

    fn declare_frame(&mut self, item: &'a FrameItem) {
        let Some(step) = self.plain(&item.target, "a frame") else { return };
        if self.is_reserved(&step.name) {
            return;
        }
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
        if self.is_reserved(&step.name) {
            return;
        }
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
                side: 1,
                coordinates: Vec::new(),
                constraints: Vec::new(),
                is_broken: kind.is_none(),
            });
            self.define(&step.name, indices, "joint", Member::Joint(which));
        }
    }

    /// The kind of this name.
    fn joint_kind(&mut self, word: &Ident) -> Option<Kind> {
        if let Some((kind, ..)) = KINDS.iter().find(|(_, name, _)| *name == word.text) {
            return Some(*kind);
        }
        let error = Diagnostic::error("unknown-joint", format!("there is no joint `{}`", word.text));
        let lower = word.text.to_lowercase();
        let said = KINDS.iter().find(|(_, name, others)| *name == lower || others.contains(&lower.as_str()));
        let meant =
            said.map(|(_, name, _)| *name).or_else(|| closest(&word.text, KINDS.iter().map(|(_, name, _)| *name)));
        let error = match meant {
            Some(right) => error.at(word.span, format!("did you mean `{right}`?")).suggest(word.span, right),
            None => error.at(word.span, "not known"),
        };
        let names: Vec<String> = KINDS.iter().map(|(_, name, _)| format!("`{name}`")).collect();
        self.report(error.help(format!("joints are {}", names.join(", "))));
        None
    }

    fn declare_element(&mut self, item: &'a ElementItem, kind: &'static str) {
        let Some(step) = self.plain(&item.target, if kind == "spring" { "a spring" } else { "a damper" }) else {
            return;
        };
        if self.is_reserved(&step.name) {
            return;
        }
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
        let known = self.known_lets();
        self.bodies.in_picture = true;
        self.find_plane();
        self.forget_lets(&known);
        self.place_all_bodies();
        self.place_all_frames();
        self.place_all_joints();
        self.place_all_parts();
        self.bodies.in_picture = false;
        self.forget_lets(&known);
        let broken = self.bodies.all.iter().any(|body| body.is_broken)
            || self.bodies.joints.iter().any(|joint| joint.is_broken)
            || self.bodies.frames.iter().any(|frame| frame.is_broken);
        if broken {
            // Without coordinates nothing can be said of them.
            self.bodies.all.iter_mut().for_each(|body| body.is_broken = true);
            self.bodies.joints.iter_mut().for_each(|joint| joint.is_broken = true);
        } else {
            self.choose_coordinates();
            self.check_fixed_values();
            self.write_joints();
            self.hold_idle_spins();
            self.add_energies_of_bodies();
            self.list_bodies();
            self.list_rates();
        }
        self.scope = scope;
        self.locals.clear();
    }

    fn known_lets(&self) -> Vec<bool> {
        self.lets.iter().map(|one| matches!(one.state, State::Done(_))).collect()
    }

    /// Lets that were not `known` before are worked out anew.
    fn forget_lets(&mut self, known: &[bool]) {
        for (one, known) in self.lets.iter_mut().zip(known) {
            if !known && !matches!(one.state, State::Done(None)) {
                one.state = State::Unseen;
            }
        }
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

    /// What follows is decided by the numbers of these expressions: with other values of their parameters the equations may be others.
    pub(super) fn decided_by(&mut self, ids: &[Id]) {
        for symbol in self.graph.symbols(ids) {
            if let Symbol::Parameter(which) = symbol {
                self.sizes.insert(which as usize);
            }
        }
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
