//! The formulation: which coordinates describe the mechanism. It changes no answer.

use super::kind::{Freedom, Kind};
use super::rows::Measure;
use super::used::Used;
use super::{Elaborator, GROUND};
use crate::checked::Formulation;
use crate::diagnostic::Diagnostic;
use crate::names::closest;
use crate::source::Span;
use crate::syntax::Ident;
use crate::units::Dimension;
use holonom_symbols::expr::{Id, Symbol};
use std::collections::VecDeque;

/// Beyond so many joints between a body and its root, coordinates of their own are better: relative angles of long straight chains lose
/// digits, and the mass matrix of a tree fills with the square of its depth.
const DEEPEST: usize = 8;

/// How a body hangs in the tree of joints.
#[derive(Clone, Copy)]
pub(super) struct Branch {
    pub(super) body: usize,
    /// The joint and the side that the body is on; nothing for a body with coordinates of its own.
    pub(super) joint: Option<(usize, usize)>,
}

impl<'a> Elaborator<'a> {
    pub(super) fn declare_formulation(&mut self, word: &'a Ident) {
        if !matches!(word.text.as_str(), "joints" | "bodies") {
            let error = Diagnostic::error("unknown-option", format!("there is no formulation `{}`", word.text));
            let error = match closest(&word.text, ["joints", "bodies"]) {
                Some(right) => error.at(word.span, format!("did you mean `{right}`?")).suggest(word.span, right),
                None => error.at(word.span, "write `joints` or `bodies`"),
            };
            return self.report(error);
        }
        if let Some(first) = self.bodies.formulation {
            let error = Diagnostic::error("given-twice", "`formulation` is given twice")
                .at(word.span, "given again")
                .at(first.span, "given here first")
                .help("remove one of them");
            return self.report(error);
        }
        self.bodies.formulation = Some(word);
    }

    /// Chooses the coordinates, declares them, and gives every body its pose in them.
    pub(super) fn choose_coordinates(&mut self) {
        let used = self.used_names();
        self.find_idle_axes();
        let chosen = self.bodies.formulation.map(|word| word.text == "bodies");
        let mut branches = self.spanning_tree(&used, chosen == Some(true));
        let depth = self.depth_of(&branches);
        // Where everything is fixed, joints leave no coordinates at all.
        let is_rigid =
            depth == 0 && self.model.coordinates.is_empty() && branches.iter().all(|branch| branch.joint.is_some());
        let by_bodies = chosen.unwrap_or(depth > DEEPEST) || is_rigid;
        if by_bodies && chosen != Some(true) {
            branches = self.spanning_tree(&used, true);
        }
        let extent = self.size_of(Measure::Length);
        self.model.formulation = Some(Formulation { by_bodies, is_chosen: chosen.is_some(), depth, extent });
        for branch in &branches {
            if let Some((joint, side)) = branch.joint {
                self.bodies.joints[joint].side = side;
                self.bodies.joints[joint].is_in_tree = true;
                self.bodies.all[branch.body].carrier = Some((joint, side));
            }
        }
        // Coordinates in the order in which bodies and joints were written.
        let mut roots: Vec<usize> =
            branches.iter().filter(|branch| branch.joint.is_none()).map(|branch| branch.body).collect();
        roots.sort_unstable();
        for body in roots {
            self.own_coordinates_of(body);
        }
        for joint in 0..self.bodies.joints.len() {
            let one = &self.bodies.joints[joint];
            let name = &one.item.target.steps.last().map_or("", |step| step.name.text.as_str());
            if one.is_in_tree || used.is_value(name) {
                self.coordinates_of_joint(joint);
            }
        }
        for body in 1..self.bodies.all.len() {
            if self.bodies.all[body].placed.moves {
                self.pose_by_placement(body);
            }
        }
        for branch in branches {
            match branch.joint {
                None => self.pose_by_own(branch.body),
                Some((joint, side)) => self.pose_by_joint(branch.body, joint, side),
            }
        }
    }

    /// Bodies in an order in which each comes after the one that carries it: breadth first from the ground, in the order of the file.
    fn spanning_tree(&self, used: &Used, by_bodies: bool) -> Vec<Branch> {
        let bodies = &self.bodies;
        let count = bodies.all.len();
        let mut at: Vec<Vec<usize>> = vec![Vec::new(); count];
        for (which, joint) in bodies.joints.iter().enumerate() {
            let name = joint.item.target.steps.last().map_or("", |step| step.name.text.as_str());
            // Rows have reactions; coordinates have none.
            // Where a body may turn about itself unfelt, coordinates of its own are the simpler ones.
            let is_idle = joint.bodies.iter().any(|&body| bodies.all[body].idle.is_some());
            let has_rows = is_idle && joint.kind == Kind::Ball
                || by_bodies
                || joint.item.cut
                || joint.item.off
                || !joint.kind.carries()
                || used.is_force(name);
            if !has_rows {
                joint.bodies.iter().for_each(|&body| at[body].push(which));
            }
        }
        let mut reached: Vec<bool> = bodies.all.iter().map(|body| body.placed.moves).collect();
        reached[GROUND] = true;
        let mut queue: VecDeque<usize> = (0..count).filter(|&body| reached[body]).collect();
        let mut branches = Vec::new();
        let mut next = 1;
        loop {
            while let Some(body) = queue.pop_front() {
                for &joint in &at[body] {
                    let side = usize::from(bodies.joints[joint].bodies[0] == body);
                    let other = bodies.joints[joint].bodies[side];
                    if !reached[other] {
                        reached[other] = true;
                        branches.push(Branch { body: other, joint: Some((joint, side)) });
                        queue.push_back(other);
                    }
                }
            }
            while next < count && reached[next] {
                next += 1;
            }
            if next == count {
                return branches;
            }
            reached[next] = true;
            branches.push(Branch { body: next, joint: None });
            queue.push_back(next);
        }
    }

    /// The number of joints with freedom between a body and its root, at most.
    fn depth_of(&self, branches: &[Branch]) -> usize {
        let mut depth = vec![0; self.bodies.all.len()];
        for branch in branches {
            let Some((joint, side)) = branch.joint else { continue };
            let joint = &self.bodies.joints[joint];
            let moves = usize::from(!joint.kind.freedoms(self.is_planar()).is_empty());
            depth[branch.body] = depth[joint.bodies[1 - side]] + moves;
        }
        depth.into_iter().max().unwrap_or(0)
    }

    /// `arm.x`, `arm.y`, `arm.z`, `arm.q0` … `arm.q3`; in the plane `arm.x`, `arm.y`, `arm.angle`.
    fn own_coordinates_of(&mut self, body: usize) {
        let length = self.due(Dimension::LENGTH);
        let (name, span) = (self.bodies.all[body].name.clone(), self.bodies.all[body].span);
        let names: &[&str] =
            if self.is_planar() { &["x", "y", "angle"] } else { &["x", "y", "z", "q0", "q1", "q2", "q3"] };
        let places = if self.is_planar() { 2 } else { 3 };
        for (which, axis) in names.iter().enumerate() {
            let kind = if which < places { (length, Measure::Length) } else { (Dimension::NUMBER, Measure::Number) };
            let place = self.body_coordinate(format!("{name}.{axis}"), kind, span);
            self.bodies.all[body].own.push(place);
        }
    }

    fn coordinates_of_joint(&mut self, joint: usize) {
        let length = self.due(Dimension::LENGTH);
        let planar = self.is_planar();
        let one = &self.bodies.joints[joint];
        let (name, span, kind) = (one.name.clone(), one.span, one.kind);
        // The quaternion of a ball joint is a coordinate only where it carries a body.
        if kind.freedoms(planar) == [Freedom::Any] && !one.is_in_tree {
            return;
        }
        let mut kinds = Vec::new();
        for freedom in kind.freedoms(planar) {
            match freedom {
                Freedom::Along(_) => kinds.push((length, Measure::Length)),
                Freedom::About | Freedom::Cross => kinds.push((Dimension::NUMBER, Measure::Number)),
                Freedom::Any => kinds.extend([(Dimension::NUMBER, Measure::Number); 4]),
            }
        }
        for (own, measured) in kind.coordinate_names(planar).iter().zip(kinds) {
            let full = if own.is_empty() { name.clone() } else { format!("{name}.{own}") };
            let place = self.body_coordinate(full, measured, span);
            self.bodies.joints[joint].coordinates.push(place);
        }
    }

    /// A coordinate of a body or of a joint: it belongs to the whole model, and to no part's lists.
    fn body_coordinate(&mut self, name: String, (dimension, measure): (Dimension, Measure), span: Span) -> usize {
        let size = self.size_of(measure);
        let inner = std::mem::replace(&mut self.scope, 0);
        let place = self.coordinate(name, dimension, span);
        self.model.coordinates[place].size = Some(size);
        self.scope = inner;
        place
    }

    pub(super) fn position(&mut self, coordinate: usize) -> Id {
        self.graph.symbol(Symbol::Position(coordinate as u32))
    }

    pub(super) fn velocity(&mut self, coordinate: usize) -> Id {
        self.graph.symbol(Symbol::Velocity(coordinate as u32))
    }
}
