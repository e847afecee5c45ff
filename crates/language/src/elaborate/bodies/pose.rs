//! Poses: where bodies are and how they move, from one to the next along the tree.
//!
//! Velocities are carried along in the axes of the bodies: ω_B = Rᵀω_A + n θ̇ costs a few products per joint, where the derivative of the
//! rotation matrix of the tenth body would contain the nine before it.

use super::kind::Freedom;
use super::space::{self, E3, IDENTITY, Matrix, Vector, ZERO};
use super::{Elaborator, GROUND, Pose, Velocity};
use crate::checked::Term;
use holonom_symbols::expr::{Id, Number};

/// How the second frame of a joint lies and moves relative to the first.
pub(super) struct Relative {
    /// Its axes in the first frame.
    pub(super) axes: Matrix,
    /// Its origin in the first frame.
    pub(super) origin: Vector,
    /// The relative angular velocity, in the second frame.
    spin: Vector,
    /// The relative velocity of its origin, in the first frame.
    velocity: Vector,
    /// In the plane: the angle.
    angle: Id,
}

impl<'a> Elaborator<'a> {
    /// A body whose placement is made of coordinates and time.
    pub(super) fn pose_by_placement(&mut self, body: usize) {
        let placed = self.bodies.all[body].placed;
        let velocity = placed.origin.map(|one| self.graph.rate_with(one, &mut self.rates));
        self.bodies.all[body].pose = Pose {
            origin: placed.origin,
            axes: placed.axes,
            spin: placed.spin,
            velocity: Velocity::InWorld(velocity),
            angle: placed.angle,
        };
    }

    /// A body with coordinates of its own.
    pub(super) fn pose_by_own(&mut self, body: usize) {
        let own = self.bodies.all[body].own.clone();
        let q: Vec<Id> = own.iter().map(|&one| self.position(one)).collect();
        let v: Vec<Id> = own.iter().map(|&one| self.velocity(one)).collect();
        let pose = if self.is_planar() {
            // The angle is that of the body's first axis.
            Pose {
                origin: [q[0], q[1], Id::ZERO],
                axes: space::rotation(&mut self.graph, E3, q[2]),
                spin: [Id::ZERO, Id::ZERO, v[2]],
                velocity: Velocity::InWorld([v[0], v[1], Id::ZERO]),
                angle: q[2],
            }
        } else {
            let (parts, rates) = ([q[3], q[4], q[5], q[6]], [v[3], v[4], v[5], v[6]]);
            Pose {
                origin: [q[0], q[1], q[2]],
                axes: space::of_quaternion(&mut self.graph, parts),
                spin: space::quaternion_spin(&mut self.graph, parts, rates),
                velocity: Velocity::InWorld([v[0], v[1], v[2]]),
                angle: Id::ZERO,
            }
        };
        self.bodies.all[body].pose = pose;
    }

    /// A body that a joint carries: the one on this side of it.
    pub(super) fn pose_by_joint(&mut self, body: usize, joint: usize, side: usize) {
        let q: Vec<Id> =
            self.bodies.joints[joint].coordinates.clone().into_iter().map(|one| self.position(one)).collect();
        let v: Vec<Id> =
            self.bodies.joints[joint].coordinates.clone().into_iter().map(|one| self.velocity(one)).collect();
        let relative = self.relative(joint, &q, &v);
        let pose = self.carried(joint, side, &relative);
        self.bodies.all[body].pose = pose;
    }

    /// How one side of a joint lies relative to the other, for these values and rates of its coordinates.
    pub(super) fn relative(&mut self, joint: usize, q: &[Id], v: &[Id]) -> Relative {
        let kind = self.bodies.joints[joint].kind;
        let mut result = Relative { axes: IDENTITY, origin: ZERO, spin: ZERO, velocity: ZERO, angle: Id::ZERO };
        let g = &mut self.graph;
        let mut next = 0;
        for freedom in kind.freedoms(self.bodies.is_planar == Some(true)) {
            match freedom {
                Freedom::Along(axis) => {
                    result.origin[*axis] = q[next];
                    result.velocity[*axis] = v[next];
                    next += 1;
                }
                Freedom::About => {
                    result.axes = space::rotation(g, E3, q[next]);
                    result.spin = [Id::ZERO, Id::ZERO, v[next]];
                    result.angle = q[next];
                    next += 1;
                }
                Freedom::Cross => {
                    let cross = space::rotation(g, space::E1, q[next]);
                    let before = space::turn_back(g, cross, result.spin);
                    result.spin = space::add(g, before, [v[next], Id::ZERO, Id::ZERO]);
                    result.axes = space::times(g, result.axes, cross);
                    next += 1;
                }
                Freedom::Any => {
                    let (parts, rates) = ([q[0], q[1], q[2], q[3]], [v[0], v[1], v[2], v[3]]);
                    result.axes = space::of_quaternion(g, parts);
                    result.spin = space::quaternion_spin(g, parts, rates);
                    next += 4;
                }
            }
        }
        result
    }

    /// The pose of the body on one side of a joint, from that of the body on the other side.
    pub(super) fn carried(&mut self, joint: usize, side: usize, relative: &Relative) -> Pose {
        let one = &self.bodies.joints[joint];
        let (bodies, origins, axes, angles) = (one.bodies, one.origins, one.axes, one.angles);
        let carrier = self.bodies.all[bodies[1 - side]].pose;
        let before = self.velocity_in_body(&carrier);
        let (reference, body_axes) = self.carried_place(joint, side, relative, (carrier.origin, carrier.axes));
        let (from, to) = (axes[1 - side], axes[side]);
        // How the joint's frame moves on each of its bodies, where its ends are made of coordinates or time.
        let (slip, own_slip) = (self.rate_of_point(origins[1 - side]), self.rate_of_point(origins[side]));
        let (twist, own_twist) = (self.spin_of_axes(from), self.spin_of_axes(to));
        let g = &mut self.graph;
        // Velocities, in the carrier's frame of the joint and then in the body's.
        let arm = space::cross(g, carrier.spin, origins[1 - side]);
        let at_joint = space::add(g, before, arm);
        let at_joint = space::add(g, at_joint, slip);
        let (spin, velocity) = (space::turn_back(g, from, carrier.spin), space::turn_back(g, from, at_joint));
        let spin = space::add(g, spin, twist);
        let (spin, velocity) = match side {
            1 => {
                let moved = space::cross(g, spin, relative.origin);
                let velocity = space::add(g, velocity, moved);
                let velocity = space::add(g, velocity, relative.velocity);
                let spin = space::turn_back(g, relative.axes, spin);
                (space::add(g, spin, relative.spin), space::turn_back(g, relative.axes, velocity))
            }
            _ => {
                let own = space::subtract(g, spin, relative.spin);
                let own = space::turn(g, relative.axes, own);
                let velocity = space::turn(g, relative.axes, velocity);
                let moved = space::cross(g, own, relative.origin);
                let velocity = space::subtract(g, velocity, moved);
                (own, space::subtract(g, velocity, relative.velocity))
            }
        };
        let spin = space::subtract(g, spin, own_twist);
        let (spin, velocity) = (space::turn(g, to, spin), space::turn(g, to, velocity));
        let arm = space::cross(g, spin, origins[side]);
        let velocity = space::subtract(g, velocity, arm);
        let velocity = space::subtract(g, velocity, own_slip);
        let sign = if side == 1 { Number::ONE } else { Number::MINUS_ONE };
        let angle = g.sum(&[
            (Number::ONE, carrier.angle),
            (Number::ONE, angles[1 - side]),
            (sign, relative.angle),
            (Number::MINUS_ONE, angles[side]),
        ]);
        Pose { origin: reference, axes: body_axes, spin, velocity: Velocity::InBody(velocity), angle }
    }

    /// The velocity of a point of a body along the body's axes, where its local coordinates move.
    fn rate_of_point(&mut self, point: Vector) -> Vector {
        point.map(|one| self.graph.rate_with(one, &mut self.rates))
    }

    /// The angular velocity, along themselves, of axes that move on a body: ω₁ = e₃·ė₂, and so on around.
    fn spin_of_axes(&mut self, axes: Matrix) -> Vector {
        if axes.as_flattened().iter().all(|&one| self.graph.depends(one).is_fixed()) {
            return ZERO;
        }
        let rates = axes.map(|axis| self.rate_of_point(axis));
        [(1, 2), (2, 0), (0, 1)].map(|(i, j)| space::dot(&mut self.graph, rates[i], axes[j]))
    }

    /// Whether an end of a joint moves on its body.
    pub(super) fn ends_move(&self, joint: usize) -> bool {
        let one = &self.bodies.joints[joint];
        let all = one.origins.as_flattened().iter().chain(one.axes.as_flattened().as_flattened());
        all.into_iter().any(|&id| !self.graph.depends(id).is_fixed())
    }

    /// Where the body on one side of a joint lies, where the body on the other side lies here.
    fn carried_place(
        &mut self,
        joint: usize,
        side: usize,
        relative: &Relative,
        (ahead, carrier): (Vector, Matrix),
    ) -> (Vector, Matrix) {
        let one = &self.bodies.joints[joint];
        let (origins, axes) = (one.origins, one.axes);
        let (from, to) = (axes[1 - side], axes[side]);
        let g = &mut self.graph;
        // The rotation from the carrier's frame of the joint to the body's, and where the latter's origin lies in the former.
        let (rotation, origin) = match side {
            1 => (relative.axes, relative.origin),
            _ => {
                let back = space::transposed(relative.axes);
                let out = space::turn(g, back, relative.origin);
                (back, space::negated(g, out))
            }
        };
        // R_B = R_A G_A Q G_Bᵀ, from the outside in: constant parts meet first.
        let from_axes = space::times(g, carrier, from);
        let turned = space::times(g, from_axes, rotation);
        let body_axes = space::times(g, turned, space::transposed(to));
        let out = space::turn(g, from, origin);
        let place = space::add(g, origins[1 - side], out);
        let (there, back) = (space::turn(g, carrier, place), space::turn(g, body_axes, origins[side]));
        let ahead = space::add(g, ahead, there);
        (space::subtract(g, ahead, back), body_axes)
    }

    /// Where a body lies in the axes of one that carries it: what moves both of them does not occur. In those of the ground, the world's.
    pub(super) fn place_within(&mut self, body: usize, base: usize) -> (Vector, Matrix) {
        if body == base {
            return (ZERO, IDENTITY);
        }
        match self.bodies.all[body].carrier {
            Some((joint, side)) if base != GROUND => {
                let one = &self.bodies.joints[joint];
                let (other, coordinates) = (one.bodies[1 - side], one.coordinates.clone());
                let carrier = self.place_within(other, base);
                let q: Vec<Id> = coordinates.iter().map(|&one| self.position(one)).collect();
                let v: Vec<Id> = coordinates.iter().map(|&one| self.velocity(one)).collect();
                let relative = self.relative(joint, &q, &v);
                self.carried_place(joint, side, &relative, carrier)
            }
            _ => (self.bodies.all[body].pose.origin, self.bodies.all[body].pose.axes),
        }
    }

    /// The last body that carries both of two bodies, or is one of them; the ground where there is none.
    pub(super) fn common_carrier(&self, bodies: [usize; 2]) -> usize {
        let chain = |mut body: usize| {
            let mut chain = vec![body];
            while let Some((joint, side)) = self.bodies.all[body].carrier {
                body = self.bodies.joints[joint].bodies[1 - side];
                chain.push(body);
            }
            chain
        };
        let one = chain(bodies[0]);
        chain(bodies[1]).into_iter().find(|body| one.contains(body)).unwrap_or(GROUND)
    }

    /// The velocity of the reference point along the body's own axes.
    fn velocity_in_body(&mut self, pose: &Pose) -> Vector {
        match pose.velocity {
            Velocity::InBody(velocity) => velocity,
            Velocity::InWorld(velocity) => space::turn_back(&mut self.graph, pose.axes, velocity),
        }
    }

    /// A point of a body in the world.
    pub(super) fn point_of_body(&mut self, body: usize, point: Vector) -> Vector {
        let (origin, axes) = match self.bodies.in_picture {
            true => {
                let placed = self.fixed_placement(body);
                (placed.origin, placed.axes)
            }
            false => (self.bodies.all[body].pose.origin, self.bodies.all[body].pose.axes),
        };
        let out = space::turn(&mut self.graph, axes, point);
        space::add(&mut self.graph, origin, out)
    }

    /// T = m v²/2 + ω·Jω/2 of every body.
    pub(super) fn add_energies_of_bodies(&mut self) {
        let half = Number::ratio(1, 2).unwrap_or(Number::ONE);
        for which in 1..self.bodies.all.len() {
            let body = &self.bodies.all[which];
            let (pose, mass, inertia, centre, span) = (body.pose, body.mass, body.inertia, body.centre, body.span);
            // Its square is the same in all axes.
            let velocity = match pose.velocity {
                Velocity::InBody(velocity) | Velocity::InWorld(velocity) if centre == ZERO => velocity,
                _ => self.velocity_of_centre(which, &pose),
            };
            let g = &mut self.graph;
            let mut terms = Vec::new();
            for part in velocity {
                terms.push((Number::ONE, g.product(half, &[(mass, 1), (part, 2)])));
            }
            for (i, row) in inertia.iter().enumerate() {
                terms.push((Number::ONE, g.product(half, &[(row[i], 1), (pose.spin[i], 2)])));
                for (j, &entry) in row.iter().enumerate().take(i) {
                    let pair = [(entry, 1), (pose.spin[i], 1), (pose.spin[j], 1)];
                    terms.push((Number::ONE, g.product(Number::ONE, &pair)));
                }
            }
            let value = g.sum(&terms);
            self.model.kinetic.push(Term { value, span });
        }
    }

    /// The velocity of a body's centre of mass along its own axes.
    pub(super) fn velocity_of_centre(&mut self, which: usize, pose: &Pose) -> Vector {
        let reference = self.velocity_in_body(pose);
        let arm = space::cross(&mut self.graph, pose.spin, self.bodies.all[which].centre);
        space::add(&mut self.graph, reference, arm)
    }

    /// The centre of mass of a body.
    pub(in crate::elaborate) fn centre_of(&mut self, which: usize) -> Vec<Id> {
        let centre = self.bodies.all[which].centre;
        let point = self.point_of_body(which, centre);
        self.shown(point)
    }
}
