//! Where bodies and joints begin: in the picture, moved to the values of joints that are given.

use super::kind::Freedom;
use super::space::{self, Matrix, Vector, ZERO};
use super::{Elaborator, GROUND, Pose, Velocity};
use crate::checked::{Begin, StartValue};
use crate::diagnostic::Diagnostic;
use crate::elaborate::value::Data;
use crate::source::Span;
use crate::syntax::StartItem;
use crate::units::Dimension;
use holonom_symbols::expr::{Depends, Id, Symbol};

/// A spin that a body is given, as a vector in the world.
struct Spin<'a> {
    world: Vector,
    item: &'a StartItem,
}

impl<'a> Elaborator<'a> {
    /// Guesses for all coordinates of bodies and joints that nobody started: the picture, with the joints at their values.
    pub(in crate::elaborate) fn start_bodies(&mut self) {
        if self.model.bodies.is_empty() && self.model.joints.is_empty() {
            return;
        }
        let (poses, begins) = self.start_poses();
        for (body, pose) in poses.into_iter().enumerate().skip(1) {
            let begin = if self.is_assembled() { begins[body] } else { self.pose_in_picture(body) };
            self.begin_body(body, &begin);
            let own = self.bodies.all[body].own.clone();
            if own.is_empty() {
                continue;
            }
            let span = self.bodies.all[body].span;
            let mut values = self.shown(pose.origin);
            if self.is_planar() {
                values.push(pose.angle);
            } else {
                values.extend(self.quaternion_of(pose.axes));
            }
            for (&coordinate, value) in own.iter().zip(values) {
                self.placed_start(coordinate, value, span);
            }
        }
        for joint in 0..self.bodies.joints.len() {
            let span = self.bodies.joints[joint].span;
            for (place, coordinate) in self.bodies.joints[joint].coordinates.clone().into_iter().enumerate() {
                let value = self.start_of_joint(joint, place);
                self.placed_start(coordinate, value, span);
            }
        }
    }

    fn pose_in_picture(&mut self, body: usize) -> Pose {
        let placed = self.fixed_placement(body);
        Pose { origin: placed.origin, axes: placed.axes, angle: placed.angle, ..Pose::AT_REST }
    }

    /// Remembers where the start looks for a body.
    fn begin_body(&mut self, which: usize, pose: &Pose) {
        let body = &self.bodies.all[which];
        let (moves, centre) = (body.placed.moves, body.centre);
        if moves || self.model.bodies.len() < which {
            return;
        }
        let spread = self.spread_of(which);
        let origin = self.shown(pose.origin);
        let axes = pose.axes.iter().map(|&axis| self.shown(axis)).collect();
        self.model.bodies[which - 1].begins = Some(Begin { origin, axes, centre, spread });
    }

    fn placed_start(&mut self, coordinate: usize, value: Id, span: Span) {
        let symbol = Symbol::Position(coordinate as u32);
        if !self.start_depths.contains_key(&symbol) {
            self.model.start.push(StartValue { symbol, value, guess: true, is_placed: true, span });
        }
    }

    /// The quaternion of an orientation of the picture.
    fn quaternion_of(&mut self, axes: Matrix) -> [Id; 4] {
        self.decided_by(axes.as_flattened());
        let numbers = axes.map(|axis| self.vector_numbers(axis));
        space::to_quaternion(&mut self.graph, axes, space::largest_part(numbers))
    }

    /// The value at which something is started, as an expression of parameters.
    fn started_at(&mut self, symbol: Symbol) -> Option<Id> {
        let place = self.start_depths.get(&symbol)?.1;
        let mut value = self.model.start[place].value;
        // Start values may be made of others.
        for _ in 0..8 {
            if !self.graph.depends(value).on(Depends::POSITION | Depends::VELOCITY) {
                return Some(value);
            }
            let known: Vec<(Symbol, Id)> = self.model.start.iter().map(|start| (start.symbol, start.value)).collect();
            let find = |symbol: Symbol| known.iter().find(|(one, _)| *one == symbol).map(|(_, value)| *value);
            value = self.graph.substitute(&[value], find)[0];
        }
        None
    }

    /// Where every body is and how it moves when the joints of the tree have their start values and rates, and bodies the spins that they are given;
    /// and the same where gaps of joints in the picture are left open.
    fn start_poses(&mut self) -> (Vec<Pose>, Vec<Pose>) {
        let tree = self.tree_of_joints();
        let count = self.bodies.all.len();
        let mut spins: Vec<Option<Spin<'a>>> = (0..count).map(|_| None).collect();
        for (body, world, item) in std::mem::take(&mut self.bodies.spins) {
            spins[body] = Some(Spin { world, item });
        }
        let mut moved = vec![false; count];
        // By start values, and not by gaps alone.
        let mut started = vec![false; count];
        let mut poses: Vec<Pose> = Vec::with_capacity(count);
        for (body, moved) in moved.iter_mut().enumerate() {
            let mut pose = self.pose_in_picture(body);
            *moved = self.start_of_own(body, &mut pose);
            poses.push(pose);
        }
        for body in 1..count {
            let is_carried = tree.iter().any(|&(carried, ..)| carried == body);
            if (moved[body] || !is_carried)
                && let Some(spin) = spins[body].take()
            {
                poses[body].spin = self.given_spin(&spin, body, &poses);
                moved[body] = true;
                self.start_own_spin(body, &poses[body], spin.item);
            }
            started[body] = moved[body];
        }
        let mut begins = poses.clone();
        for (body, joint, side) in tree {
            let one = &self.bodies.joints[joint];
            let (carrier, coordinates) = (one.bodies[1 - side], one.coordinates.clone());
            let is_ball = one.kind.freedoms(self.is_planar()) == [Freedom::Any];
            let gap = !self.fits_in_picture(joint);
            let given: Vec<Option<Id>> =
                coordinates.iter().map(|&one| self.started_at(Symbol::Position(one as u32))).collect();
            let rates: Vec<Option<Id>> =
                coordinates.iter().map(|&one| self.started_at(Symbol::Velocity(one as u32))).collect();
            let spin = spins[body].take();
            let is_started = spin.is_some() || given.iter().chain(&rates).any(Option::is_some);
            // Bodies that stay where they were placed keep short values.
            if moved[body] || !gap && !moved[carrier] && !is_started && !self.ends_move(joint) {
                continue;
            }
            moved[body] = true;
            started[body] = started[carrier] || is_started;
            let freedoms = self.bodies.joints[joint].kind.coordinate_names(self.is_planar()).len();
            let at = |list: &[Option<Id>], place: usize| list.get(place).copied().flatten();
            let q: Vec<Id> = (0..freedoms)
                .map(|place| at(&given, place).unwrap_or_else(|| self.start_of_joint(joint, place)))
                .collect();
            let mut v: Vec<Id> = (0..freedoms).map(|place| at(&rates, place).unwrap_or(Id::ZERO)).collect();
            poses[body] = self.start_carried(joint, side, [&q, &v], poses[carrier]);
            if started[body] {
                begins[body] = poses[body];
            }
            let Some(spin) = spin else { continue };
            let own = self.given_spin(&spin, body, &poses);
            if is_ball {
                v = self.ball_rates(joint, side, &q, [poses[carrier].spin, own]).to_vec();
                poses[body] = self.start_carried(joint, side, [&q, &v], poses[carrier]);
            }
            poses[body].spin = own;
            if self.bodies.all[body].own.is_empty() {
                for (coordinate, value) in coordinates.into_iter().zip(v) {
                    self.set_start_value(coordinate, value, spin.item);
                }
            } else {
                self.start_own_spin(body, &poses[body], spin.item);
            }
        }
        (poses, begins)
    }

    /// The pose of a body that a joint carries, for values and rates of the joint and the pose of its carrier.
    fn start_carried(&mut self, joint: usize, side: usize, [q, v]: [&[Id]; 2], carrier: Pose) -> Pose {
        let relative = self.relative(joint, q, v);
        let which = self.bodies.joints[joint].bodies[1 - side];
        // The same step as for poses in coordinates, from where the carrier starts.
        let before = std::mem::replace(&mut self.bodies.all[which].pose, carrier);
        let pose = self.carried(joint, side, &relative);
        self.bodies.all[which].pose = before;
        pose
    }

    /// The spin that a body is given, along its own axes at the start; it may be made of axes of bodies.
    fn given_spin(&mut self, spin: &Spin<'a>, body: usize, poses: &[Pose]) -> Vector {
        let mut known: Vec<(u32, Id)> = Vec::new();
        if spin.world.iter().any(|&one| self.graph.depends(one).on(Depends::POSITION)) {
            for (which, pose) in poses.iter().enumerate().skip(1) {
                let own = self.bodies.all[which].own.clone();
                if let [_, _, _, parts @ ..] = &own[..]
                    && parts.len() == 4
                {
                    let quaternion = self.quaternion_of(pose.axes);
                    known.extend(parts.iter().zip(quaternion).map(|(&one, value)| (one as u32, value)));
                }
            }
            for joint in 0..self.bodies.joints.len() {
                for (place, one) in self.bodies.joints[joint].coordinates.clone().into_iter().enumerate() {
                    let started = self.started_at(Symbol::Position(one as u32));
                    let value = started.unwrap_or_else(|| self.start_of_joint(joint, place));
                    known.push((one as u32, value));
                }
            }
        }
        let world = self.graph.substitute(&spin.world, |symbol| match symbol {
            Symbol::Position(i) => known.iter().find(|(one, _)| *one == i).map(|(_, value)| *value),
            _ => None,
        });
        space::turn_back(&mut self.graph, poses[body].axes, [world[0], world[1], world[2]])
    }

    /// The rates of a body's own quaternion at its spin.
    fn start_own_spin(&mut self, body: usize, pose: &Pose, item: &StartItem) {
        let own = self.bodies.all[body].own.clone();
        // Orientations that nobody started are those of the pose.
        let found = self.quaternion_of(pose.axes);
        let q = [0, 1, 2, 3].map(|k| self.started_at(Symbol::Position(own[3 + k] as u32)).unwrap_or(found[k]));
        let rates = space::quaternion_rate(&mut self.graph, q, pose.spin);
        for (&coordinate, value) in own[3..].iter().zip(rates) {
            self.set_start_value(coordinate, value, item);
        }
    }

    /// The rates of the quaternion of a ball joint between a carrier and a body with these spins, each along its own axes.
    fn ball_rates(&mut self, joint: usize, side: usize, q: &[Id], [carrier, own]: [Vector; 2]) -> [Id; 4] {
        let frames = self.bodies.joints[joint].axes;
        let spins = if side == 1 { [carrier, own] } else { [own, carrier] };
        let q = [q[0], q[1], q[2], q[3]];
        let g = &mut self.graph;
        // ω of the second frame relative to the first, in the second.
        let first = space::turn_back(g, frames[0], spins[0]);
        let second = space::turn_back(g, frames[1], spins[1]);
        let turned = space::of_quaternion(g, q);
        let first = space::turn_back(g, turned, first);
        let relative = space::subtract(g, second, first);
        space::quaternion_rate(g, q, relative)
    }

    /// Puts the start values of a body's own coordinates into its pose; whether there are any.
    fn start_of_own(&mut self, body: usize, pose: &mut Pose) -> bool {
        let own = self.bodies.all[body].own.clone();
        let values: Vec<Option<Id>> = own.iter().map(|&one| self.started_at(Symbol::Position(one as u32))).collect();
        let rates: Vec<Option<Id>> = own.iter().map(|&one| self.started_at(Symbol::Velocity(one as u32))).collect();
        if values.iter().chain(&rates).all(Option::is_none) {
            return false;
        }
        let places = if self.is_planar() { 2 } else { 3 };
        let mut velocity = ZERO;
        for place in 0..places {
            pose.origin[place] = values[place].unwrap_or(pose.origin[place]);
            velocity[place] = rates[place].unwrap_or(Id::ZERO);
        }
        pose.velocity = Velocity::InWorld(velocity);
        if self.is_planar() {
            if let Some(angle) = values[2] {
                pose.angle = angle;
                pose.axes = space::rotation(&mut self.graph, space::E3, angle);
            }
            pose.spin = [Id::ZERO, Id::ZERO, rates[2].unwrap_or(Id::ZERO)];
            return true;
        }
        let mut q = self.quaternion_of(pose.axes);
        let mut rate = [Id::ZERO; 4];
        for part in 0..4 {
            q[part] = values[3 + part].unwrap_or(q[part]);
            rate[part] = rates[3 + part].unwrap_or(Id::ZERO);
        }
        if values[3..].iter().any(Option::is_some) {
            pose.axes = space::of_quaternion(&mut self.graph, q);
        }
        if rates[3..].iter().any(Option::is_some) {
            pose.spin = space::quaternion_spin(&mut self.graph, q, rate);
        }
        true
    }

    /// The ball joint whose quaternion carries a body.
    fn ball_of(&self, body: usize) -> Option<usize> {
        let planar = self.is_planar();
        self.bodies.joints.iter().position(|joint| {
            let carries = joint.is_in_tree && joint.bodies[joint.side] == body;
            carries && joint.kind.freedoms(planar) == [Freedom::Any]
        })
    }

    /// Whether the two frames of a joint lie in one place in the picture.
    fn fits_in_picture(&mut self, joint: usize) -> bool {
        let one = &self.bodies.joints[joint];
        let (bodies, origins, frames) = (one.bodies, one.origins, one.axes);
        let mut sides = [[0.0; 12]; 2];
        for side in 0..2 {
            let placed = self.fixed_placement(bodies[side]);
            let out = space::turn(&mut self.graph, placed.axes, origins[side]);
            let point = space::add(&mut self.graph, placed.origin, out);
            let axes = space::times(&mut self.graph, placed.axes, frames[side]);
            let mut ids = point.to_vec();
            ids.extend(axes.iter().flatten());
            sides[side].copy_from_slice(&self.numbers(&ids));
        }
        let size = sides.iter().flatten().fold(1.0_f64, |all, one| all.max(one.abs()));
        sides[0].iter().zip(&sides[1]).all(|(a, b)| (a - b).abs() <= 1e-12 * size)
    }

    /// Joints that could carry bodies, whatever the formulation: the picture is the same in both.
    fn tree_of_joints(&self) -> Vec<(usize, usize, usize)> {
        let count = self.bodies.all.len();
        let mut reached: Vec<bool> =
            (0..count).map(|body| body == GROUND || self.bodies.all[body].placed.moves).collect();
        let mut order: Vec<usize> = (0..count).filter(|&body| reached[body]).collect();
        let mut at: Vec<Vec<usize>> = vec![Vec::new(); count];
        for (which, joint) in
            self.bodies.joints.iter().enumerate().filter(|(_, joint)| joint.kind.carries() && !joint.item.off)
        {
            joint.bodies.iter().for_each(|&body| at[body].push(which));
        }
        let mut branches = Vec::new();
        let (mut next, mut root) = (0, 1);
        loop {
            while let Some(&body) = order.get(next) {
                next += 1;
                for &joint in &at[body] {
                    let side = usize::from(self.bodies.joints[joint].bodies[0] == body);
                    let other = self.bodies.joints[joint].bodies[side];
                    if !reached[other] {
                        reached[other] = true;
                        branches.push((other, joint, side));
                        order.push(other);
                    }
                }
            }
            match (root..count).find(|&body| !reached[body]) {
                Some(body) => {
                    root = body;
                    reached[body] = true;
                    order.push(body);
                }
                None => return branches,
            }
        }
    }

    /// `start arm.spin = (0, 0, 50 1/s)`: the rates of the body's own coordinates.
    pub(in crate::elaborate) fn start_spin(&mut self, item: &'a StartItem, body: usize) -> Option<()> {
        let name = self.bodies.all[body].name.clone();
        let own = self.bodies.all[body].own.clone();
        let on_ball = own.is_empty() && self.ball_of(body).is_some();
        if item.target.primes > 0 || own.is_empty() && !on_ball {
            let error = match own.is_empty() {
                true => Diagnostic::error("wrong-target", format!("`{name}` has no coordinates of its own"))
                    .at(item.target.span, "joints or coordinates of yours carry it")
                    .help("start the joints instead: `start pin' = …`; or write `formulation bodies`"),
                false => Diagnostic::error("wrong-target", "accelerations are not started: they follow")
                    .at(item.target.span, "the rate of a spin"),
            };
            self.report(error);
            return None;
        }
        let rate = self.per_second(Dimension::NUMBER, 1);
        let value = self.value(&item.value)?;
        let state = Depends::POSITION;
        if self.is_planar() {
            let id = self.scalar(&item.value, Some(value), rate, "a spin in the plane")?;
            self.only(&item.value, &[id], state, "a start value").then_some(())?;
            self.set_start_value(own[2], id, item);
            return Some(());
        }
        let world = match &value.data {
            Data::Scalar(_) if value.is_bare_zero() => ZERO,
            _ => {
                let all = self.point(&item.value, Some(value), rate, "a spin")?;
                match all[..] {
                    [a, b, c] => [a, b, c],
                    _ => {
                        let error = Diagnostic::error("wrong-length", "a spin has three components")
                            .at(item.value.span, format!("{} here", all.len()));
                        self.report(error);
                        return None;
                    }
                }
            }
        };
        self.only(&item.value, &world, state, "a start value").then_some(())?;
        let world = self.direction_into_world(world);
        self.bodies.spins.push((body, world, item));
        Some(())
    }

    fn set_start_value(&mut self, coordinate: usize, value: Id, item: &StartItem) {
        let symbol = Symbol::Velocity(coordinate as u32);
        self.set_start(StartValue { symbol, value, guess: item.guess, is_placed: false, span: item.span });
    }
}
