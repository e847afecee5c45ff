//! Where bodies and joints begin: in the picture, moved to the values of joints that are given.

use super::space::{self, Matrix, Vector, ZERO};
use super::{Elaborator, GROUND, Pose, Velocity};
use crate::checked::StartValue;
use crate::diagnostic::Diagnostic;
use crate::elaborate::value::Data;
use crate::source::Span;
use crate::syntax::StartItem;
use crate::units::Dimension;
use holonom_symbols::expr::{Depends, Id, Number, Symbol};

impl<'a> Elaborator<'a> {
    /// Guesses for all coordinates of bodies and joints that nobody started: the picture, with the joints at their values.
    pub(in crate::elaborate) fn start_bodies(&mut self) {
        if self.model.bodies.is_empty() && self.model.joints.is_empty() {
            return;
        }
        let poses = self.start_poses();
        for body in 1..self.bodies.all.len() {
            let own = self.bodies.all[body].own.clone();
            if own.is_empty() {
                continue;
            }
            let span = self.bodies.all[body].span;
            let (origin, axes, angle) = poses[body];
            let mut values = self.shown(origin);
            if self.is_planar() {
                values.push(angle);
            } else {
                let numbers = axes.map(|axis| self.vector_numbers(axis));
                let largest = space::largest_part(numbers);
                values.extend(space::to_quaternion(&mut self.graph, axes, largest));
            }
            for (coordinate, value) in own.into_iter().zip(values) {
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

    fn placed_start(&mut self, coordinate: usize, value: Id, span: Span) {
        let symbol = Symbol::Position(coordinate as u32);
        if !self.start_depths.contains_key(&symbol) {
            self.model.start.push(StartValue { symbol, value, guess: true, is_placed: true, span });
        }
    }

    /// The value at which a coordinate is started, as an expression of parameters.
    fn started_at(&mut self, coordinate: usize) -> Option<Id> {
        let symbol = Symbol::Position(coordinate as u32);
        let place = self.start_depths.get(&symbol)?.1;
        let mut value = self.model.start[place].value;
        // Start values may be made of others.
        for _ in 0..8 {
            if !self.graph.depends(value).on(Depends::POSITION) {
                return Some(value);
            }
            let known: Vec<(Symbol, Id)> = self.model.start.iter().map(|start| (start.symbol, start.value)).collect();
            let find = |symbol: Symbol| known.iter().find(|(one, _)| *one == symbol).map(|(_, value)| *value);
            value = self.graph.substitute(&[value], find)[0];
        }
        None
    }

    /// Where every body is when the joints of the tree have their start values: position, axes, and in the plane its angle.
    fn start_poses(&mut self) -> Vec<(Vector, Matrix, Id)> {
        let mut poses: Vec<(Vector, Matrix, Id)> = (0..self.bodies.all.len())
            .map(|body| {
                let placed = self.fixed_placement(body);
                (placed.origin, placed.axes, placed.angle)
            })
            .collect();
        let branches = self.tree_of_joints();
        // Bodies that stay where they were placed keep short values.
        let mut moved = vec![false; poses.len()];
        for (body, joint, side) in branches {
            let one = &self.bodies.joints[joint];
            let (carrier, coordinates) = (one.bodies[1 - side], one.coordinates.clone());
            let gap = !self.fits_in_picture(joint);
            let given: Vec<Option<Id>> = coordinates.iter().map(|&one| self.started_at(one)).collect();
            if !gap && !moved[carrier] && given.iter().all(Option::is_none) {
                continue;
            }
            let freedoms = self.bodies.joints[joint].kind.coordinate_names(self.is_planar()).len();
            let q: Vec<Id> = (0..freedoms)
                .map(|place| given.get(place).copied().flatten().unwrap_or_else(|| self.start_of_joint(joint, place)))
                .collect();
            let still = vec![Id::ZERO; freedoms];
            let relative = self.relative(joint, &q, &still);
            // The same step as for poses in coordinates, from where the carrier starts.
            let before = self.bodies.all[carrier].pose;
            let (origin, axes, angle) = poses[carrier];
            self.bodies.all[carrier].pose = Pose { origin, axes, spin: ZERO, velocity: Velocity::InBody(ZERO), angle };
            let pose = self.carried(joint, side, &relative);
            self.bodies.all[carrier].pose = before;
            poses[body] = (pose.origin, pose.axes, pose.angle);
            moved[body] = true;
        }
        poses
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
        if item.target.primes > 0 || own.is_empty() {
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
        // Orientations that nobody started are those of the picture.
        let placed = self.fixed_placement(body);
        let numbers = placed.axes.map(|axis| self.vector_numbers(axis));
        let picture = space::to_quaternion(&mut self.graph, placed.axes, space::largest_part(numbers));
        let q: Vec<Id> = (0..4)
            .map(|k| match self.started_at(own[3 + k]) {
                Some(value) => value,
                None => picture[k],
            })
            .collect();
        let q = [q[0], q[1], q[2], q[3]];
        let axes = space::of_quaternion(&mut self.graph, q);
        // The vector may be made of axes of the body, whose quaternion starts there.
        let known: Vec<(u32, Id)> = own[3..].iter().zip(q).map(|(&one, value)| (one as u32, value)).collect();
        let world = self.graph.substitute(&world, |symbol| match symbol {
            Symbol::Position(i) => known.iter().find(|(one, _)| *one == i).map(|(_, value)| *value),
            _ => None,
        });
        let spin = space::turn_back(&mut self.graph, axes, [world[0], world[1], world[2]]);
        // q̇ = q ⊗ (0, ω)/2
        let v = [q[1], q[2], q[3]];
        let g = &mut self.graph;
        let half = Number::ratio(1, 2)?;
        let along = space::dot(g, v, spin);
        let across = space::cross(g, v, spin);
        let mut rates = vec![g.scale(half.negated(), along)];
        for i in 0..3 {
            let forward = g.multiply(q[0], spin[i]);
            let sum = g.add(forward, across[i]);
            rates.push(g.scale(half, sum));
        }
        for (&coordinate, value) in own[3..].iter().zip(rates) {
            self.set_start_value(coordinate, value, item);
        }
        Some(())
    }

    fn set_start_value(&mut self, coordinate: usize, value: Id, item: &StartItem) {
        let symbol = Symbol::Velocity(coordinate as u32);
        self.set_start(StartValue { symbol, value, guess: item.guess, is_placed: false, span: item.span });
    }
}
