//! Parts that are placed as a whole: everything that is written in such a part is meant in the part's own frame.
//!
//! Values of expressions are components in the frame of the part at hand. Bodies, particles and joints lie in the world, and are seen
//! from there; the model gets places and directions of the world. A vector that goes from one part to another changes its components, and
//! for that it must be known whether it is a point or a direction.

use super::place::Runs;
use super::space::{self, Vector};
use super::{Elaborator, GROUND, PartFrame, Placed, Placing};
use crate::diagnostic::Diagnostic;
use crate::elaborate::expression::Found;
use crate::elaborate::scope::{Local, Member};
use crate::elaborate::value::{Data, Value};
use crate::source::Span;
use crate::syntax::{Expr, ExprKind, PartItem, PlaceClause, SumOp};
use holonom_symbols::expr::{Depends, Id};

/// How deep expressions may lie in each other where it is asked what a vector is.
const DEEPEST: usize = 40;

/// Which change of a vector a step of the frame's origin causes: none for a direction, one such step for a point. Plain numbers in
/// parentheses may be either, so this is a range.
type Steps = (i32, i32);
const DIRECTION: Steps = (0, 0);
const POINT: Steps = (1, 1);
const EITHER: Steps = (0, 1);

impl<'a> Elaborator<'a> {
    /// The part that was placed, and that a scope belongs to; nothing for the world.
    fn part_of(&self, mut scope: usize) -> Option<usize> {
        loop {
            if self.scopes[scope].placement.is_some() {
                return Some(scope);
            }
            scope = self.scopes[scope].parent?;
        }
    }

    /// Works out where all parts lie.
    pub(in crate::elaborate) fn place_all_parts(&mut self) {
        if self.exhausted || self.scopes.iter().all(|scope| scope.placement.is_none()) {
            return;
        }
        if self.bodies.is_planar.is_none() {
            let known = self.known_lets();
            self.find_plane();
            self.forget_lets(&known);
        }
        for scope in 0..self.scopes.len() {
            self.frame_of(scope);
        }
    }

    /// The frame of the part that the scope at hand belongs to; nothing where that is the world.
    fn frame_here(&mut self) -> Option<PartFrame> {
        self.frame_of(self.scope)
    }

    fn frame_of(&mut self, scope: usize) -> Option<PartFrame> {
        let part = self.part_of(scope)?;
        match self.bodies.parts.get(&part) {
            Some((Placing::Running, _)) => {
                self.part_in_circle(part);
                return None;
            }
            Some(&(_, known)) => return known,
            None => {}
        }
        // Before the plane is known nobody asks for more than the number of components.
        self.bodies.is_planar?;
        self.bodies.parts.insert(part, (Placing::Running, None));
        let frame = self.place_part(part);
        self.bodies.parts.insert(part, (Placing::Done, frame));
        frame
    }

    fn part_in_circle(&mut self, part: usize) {
        let name = self.scopes[part].prefix.trim_end_matches('.').to_string();
        let Some(span) = self.scopes[part].placement.as_ref().map(|(item, _)| item.target.span) else { return };
        let error = Diagnostic::error("cyclic-definition", format!("`{name}` is placed by itself"))
            .at(span, "its place is asked for to find its place")
            .help("a part may be placed by points of bodies outside it");
        self.report(error);
    }

    /// Whether the part at hand has a place, or needs none. Where it is wrong, that has been reported.
    pub(super) fn is_placed_here(&mut self) -> bool {
        self.part_of(self.scope).is_none() || self.frame_here().is_some()
    }

    fn place_part(&mut self, part: usize) -> Option<PartFrame> {
        let (item, case) = self.scopes[part].placement.clone()?;
        let parent = self.scopes[part].parent.unwrap_or(0);
        let placed = self.elsewhere(parent, &case, |this| {
            let placed = this.placement_of_part(item)?;
            this.is_placed_here().then(|| this.placed_in_world(placed))
        });
        placed.map(|placed| PartFrame { origin: placed.origin, axes: placed.axes, angle: placed.angle })
    }

    /// `at P, turned z by a`
    fn placement_of_part(&mut self, item: &'a PartItem) -> Option<Placed> {
        for place in &item.placement {
            if let PlaceClause::Along(one, other) = place {
                return self.not_for_parts(one.span.to(other.span));
            }
            if let PlaceClause::Up(direction) = place {
                return self.not_for_parts(direction.span);
            }
            for expression in place.expressions() {
                // `x`, `y` and `z` are axes here.
                if matches!(&expression.kind, ExprKind::Name(name) if matches!(name.as_str(), "x" | "y" | "z")) {
                    continue;
                }
                let components = self.value(expression)?.components();
                self.only(expression, &components, Depends::NOTHING, "the placement of a part").then_some(())?;
            }
        }
        self.placement(&item.placement, Runs::First, item.span)
    }

    fn not_for_parts(&mut self, span: Span) -> Option<Placed> {
        let error = Diagnostic::error("unknown-option", "a part has no ends that could be placed")
            .at(span, "for bodies")
            .help("write `at P`, and turn it by `turned z by a` or `axes (a) (b)`");
        self.report(error);
        None
    }

    /// A placement in the frame of the part at hand as one in the world.
    pub(super) fn placed_in_world(&mut self, placed: Placed) -> Placed {
        let Some(frame) = self.frame_here() else { return placed };
        Placed {
            origin: self.in_world(placed.origin),
            axes: space::times(&mut self.graph, frame.axes, placed.axes),
            angle: self.graph.add(frame.angle, placed.angle),
            ..placed
        }
    }

    /// The placement of a body in the frame of the part at hand, with coordinates and time at zero.
    pub(super) fn placement_here(&mut self, body: usize) -> Placed {
        // It may be due for placement.
        let placed = self.fixed_placement(body);
        let is_own = body != GROUND && self.part_of(self.bodies.all[body].scope) == self.part_of(self.scope);
        if is_own {
            let placed = self.bodies.all[body].placed_in_part;
            return self.at_zero(placed);
        }
        let Some(frame) = self.frame_here() else { return placed };
        Placed {
            origin: self.point_from_world(placed.origin),
            axes: placed.axes.map(|axis| space::turn_back(&mut self.graph, frame.axes, axis)),
            angle: self.graph.subtract(placed.angle, frame.angle),
            ..placed
        }
    }

    /// A point of a body in the frame of the part at hand.
    pub(super) fn point_from_here(&mut self, body: usize, point: Vector) -> Vector {
        if self.bodies.in_picture {
            let placed = self.placement_here(body);
            let out = space::turn(&mut self.graph, placed.axes, point);
            return space::add(&mut self.graph, placed.origin, out);
        }
        let world = self.point_of_body(body, point);
        self.point_from_world(world)
    }

    /// A point in the frame of the part at hand as a point of the world.
    pub(super) fn in_world(&mut self, point: Vector) -> Vector {
        let Some(frame) = self.frame_here() else { return point };
        let out = space::turn(&mut self.graph, frame.axes, point);
        space::add(&mut self.graph, frame.origin, out)
    }

    fn point_from_world(&mut self, point: Vector) -> Vector {
        let Some(frame) = self.frame_here() else { return point };
        let out = space::subtract(&mut self.graph, point, frame.origin);
        space::turn_back(&mut self.graph, frame.axes, out)
    }

    /// A direction in the frame of the part at hand as a direction of the world.
    pub(in crate::elaborate) fn direction_into_world(&mut self, direction: Vector) -> Vector {
        match self.frame_here() {
            Some(frame) => space::turn(&mut self.graph, frame.axes, direction),
            None => direction,
        }
    }

    pub(super) fn direction_from_world(&mut self, direction: Vector) -> Vector {
        match self.frame_here() {
            Some(frame) => space::turn_back(&mut self.graph, frame.axes, direction),
            None => direction,
        }
    }

    /// In the plane: an angle in the frame of the part at hand as one from the world's first axis.
    pub(in crate::elaborate) fn angle_into_world(&mut self, angle: Id) -> Id {
        match self.frame_here() {
            Some(frame) => self.graph.add(angle, frame.angle),
            None => angle,
        }
    }

    pub(super) fn angle_from_world(&mut self, angle: Id) -> Id {
        match self.frame_here() {
            Some(frame) => self.graph.subtract(angle, frame.angle),
            None => angle,
        }
    }

    /// The components of a point of the part at hand as those in the world.
    pub(in crate::elaborate) fn point_into_world(&mut self, point: Vec<Id>, span: Span) -> Option<Vec<Id>> {
        if self.frame_here().is_none() {
            return Some(point);
        }
        let padded = self.padded(&point, span)?;
        let world = self.in_world(padded);
        Some(self.shown(world))
    }

    /// Three components of a vector that has as many as the placements of parts.
    fn padded(&mut self, vector: &[Id], span: Span) -> Option<Vector> {
        match (vector, self.is_planar()) {
            (&[x, y], true) => Some([x, y, Id::ZERO]),
            (&[x, y, z], false) => Some([x, y, z]),
            (_, is_planar) => {
                let (due, where_) = if is_planar { (2, "in the plane") } else { (3, "in space") };
                let error = Diagnostic::error("wrong-length", format!("this vector has {} components", vector.len()))
                    .at(span, format!("its part is placed {where_}"))
                    .help(format!("points and directions of this part need {due} components"));
                self.report(error);
                None
            }
        }
    }

    /// The position of a particle, as it is seen from the part at hand.
    pub(in crate::elaborate) fn particle_from(&mut self, which: usize, value: Value) -> Value {
        let home = self.lets[which].scope;
        if self.part_of(home) == self.part_of(self.scope) {
            return value;
        }
        match self.carried_vector(home, &value, true, self.lets[which].span) {
            Some(Some(components)) => Value::vector(components, value.dim),
            _ => value,
        }
    }

    /// The value of a let, as it is seen from the part at hand.
    pub(in crate::elaborate) fn let_from(&mut self, which: usize, value: Value, span: Span) -> Option<Value> {
        let home = self.lets[which].scope;
        if !matches!(value.data, Data::Vector(_)) || self.part_of(home) == self.part_of(self.scope) {
            return Some(value);
        }
        let Some(is_point) = self.is_point(which) else {
            self.not_known_from(home, span);
            return None;
        };
        let components = self.carried_vector(home, &value, is_point, span)?;
        Some(components.map_or(value.clone(), |components| Value::vector(components, value.dim)))
    }

    /// The components of a vector of another scope, as they are seen from the part at hand; nothing inside where they are the same.
    fn carried_vector(&mut self, home: usize, value: &Value, is_point: bool, span: Span) -> Option<Option<Vec<Id>>> {
        let Data::Vector(components) = &value.data else { return Some(None) };
        if self.bodies.is_planar.is_none() {
            return Some(None);
        }
        let vector = self.padded(components, span)?;
        let here = std::mem::replace(&mut self.scope, home);
        let world = if is_point { self.in_world(vector) } else { self.direction_into_world(vector) };
        self.scope = here;
        let seen = if is_point { self.point_from_world(world) } else { self.direction_from_world(world) };
        Some(Some(self.shown(seen)))
    }

    /// A let of a part as a point of the world; nothing where it is no point.
    pub(in crate::elaborate) fn let_in_world(&mut self, which: usize, components: Vec<Id>) -> Option<Vec<Id>> {
        let home = self.lets[which].scope;
        if self.part_of(home).is_none() {
            return Some(components);
        }
        let is_alike = components.len() == if self.is_planar() { 2 } else { 3 };
        if !is_alike || self.is_point(which) != Some(true) {
            return None;
        }
        let here = std::mem::replace(&mut self.scope, home);
        let world = self.point_into_world(components, self.lets[which].span);
        self.scope = here;
        world
    }

    /// Refuses vectors as arguments of a function of another part: it would take them as vectors of its own.
    pub(in crate::elaborate) fn check_vectors_for(&mut self, which: usize, values: &[Value], span: Span) -> Option<()> {
        let home = self.lets[which].scope;
        let any = values.iter().any(|value| matches!(value.data, Data::Vector(_)));
        if !any || self.part_of(home) == self.part_of(self.scope) {
            return Some(());
        }
        let name = self.lets[which].name.clone();
        let (there, here) = (self.frame_in_words(home), self.frame_in_words(self.scope));
        let error = Diagnostic::error("two-frames", format!("`{name}` takes its vectors {there}"))
            .at(span, format!("given {here}"))
            .note("the components of a point and of a direction change differently from one frame to the other")
            .help("give it numbers, or declare the function where it is used");
        self.report(error);
        None
    }

    fn frame_in_words(&self, scope: usize) -> String {
        match self.part_of(scope) {
            Some(part) => format!("in the frame of `{}`", self.scopes[part].prefix.trim_end_matches('.')),
            None => "in the world".to_string(),
        }
    }

    fn not_known_from(&mut self, home: usize, span: Span) {
        let text = self.sources.text(span).to_string();
        let (there, here) = (self.frame_in_words(home), self.frame_in_words(self.scope));
        let error = Diagnostic::error("two-frames", format!("is `{text}` a point or a direction?"))
            .at(span, format!("written {there}, used {here}"))
            .note("the components of a point and of a direction change differently from one frame to the other")
            .help("name a point of a body such as `arm(0, 0, 1)`, a particle, or an axis such as `arm.e1`; or write the vector where it is used");
        self.report(error);
    }

    /// Whether the value of a let is a point; nothing where it may as well be a direction.
    fn is_point(&mut self, which: usize) -> Option<bool> {
        // What the arguments of a function are is not known here.
        let one = &self.lets[which];
        if !one.arguments.is_empty()
            && !matches!(one.value.kind, ExprKind::Call(..) | ExprKind::Apply(..) | ExprKind::On(..))
        {
            return None;
        }
        let (least, most) = self.steps_of_let(which, 0)?;
        match (least..=most).filter(|steps| matches!(steps, 0 | 1)).collect::<Vec<i32>>()[..] {
            [steps] => Some(steps == 1),
            _ => None,
        }
    }

    fn steps_of_let(&mut self, which: usize, depth: usize) -> Option<Steps> {
        let one = &self.lets[which];
        let (expression, home) = (one.value, one.scope);
        if self.positions.contains(&which) {
            return Some(POINT);
        }
        let indices = one.indices.iter().map(|&(name, value)| (name, Local::Index(value))).collect();
        let locals = std::mem::replace(&mut self.locals, indices);
        let here = std::mem::replace(&mut self.scope, home);
        let before = self.diagnostics.len();
        let found = self.steps(expression, depth + 1);
        self.diagnostics.truncate(before);
        self.scope = here;
        self.locals = locals;
        found
    }

    /// How a vector follows the origin of its frame.
    fn steps(&mut self, expression: &'a Expr, depth: usize) -> Option<Steps> {
        if depth > DEEPEST {
            return None;
        }
        match &expression.kind {
            ExprKind::Paren(inner) => self.steps(inner, depth + 1),
            ExprKind::Tuple(_) => Some(EITHER),
            ExprKind::On(..) => Some(POINT),
            ExprKind::Prime(..) => Some(DIRECTION),
            ExprKind::Negate(inner) => self.steps(inner, depth + 1).map(|(least, most)| (-most, -least)),
            ExprKind::Name(_) | ExprKind::Index(..) | ExprKind::Member(..) => {
                if let ExprKind::Member(base, ident) = &expression.kind
                    && matches!(ident.text.as_str(), "e1" | "e2" | "e3" | "spin")
                    && let Some(Found::Member(Member::Body(_))) = self.path(base)
                {
                    return Some(DIRECTION);
                }
                match self.path(expression)? {
                    Found::Member(Member::Body(_) | Member::Particle(_)) => Some(POINT),
                    Found::Member(Member::Let(which)) => self.steps_of_let(which, depth),
                    _ => None,
                }
            }
            ExprKind::Call(name, _)
                if matches!(name.text.as_str(), "reaction" | "moment" | "ideal" | "multiplier" | "cross") =>
            {
                Some(DIRECTION)
            }
            ExprKind::Call(..) | ExprKind::Apply(..) => match self.called_body(expression)? {
                (_, None, _) => Some(POINT),
                (_, Some(_), _) => Some(DIRECTION),
            },
            ExprKind::Sum(first, rest) => {
                let mut all = self.steps(first, depth + 1)?;
                for (sign, term) in rest {
                    let (least, most) = self.steps(term, depth + 1)?;
                    all = if *sign == SumOp::Minus {
                        (all.0 - most, all.1 - least)
                    } else {
                        (all.0 + least, all.1 + most)
                    };
                }
                Some(all)
            }
            ExprKind::Product(first, rest) => {
                let mut factors = std::iter::once(&**first).chain(rest.iter().map(|(_, factor)| factor));
                let vector =
                    factors.find(|factor| matches!(self.eval(factor), Some(Value { data: Data::Vector(_), .. })))?;
                // Twice a point is neither.
                self.steps(vector, depth + 1).filter(|&steps| steps != POINT)
            }
            _ => None,
        }
    }
}
