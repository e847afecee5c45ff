//! How far joints move along what they leave free, and how fast they and bodies do: by this the start finds what nobody gives.
//!
//! Where the rows of the joints hold, the rates are the same in all coordinates.

use super::kind::Freedom;
use super::rows::Measure;
use super::space::{self, Vector};
use super::{Elaborator, GROUND};
use crate::units::Dimension;
use holonom_symbols::expr::{Function, Id, Number, Symbol};

impl<'a> Elaborator<'a> {
    /// Lists the rates of all joints and bodies, and how far joints have moved.
    pub(super) fn list_rates(&mut self) {
        let extent = self.size_of(Measure::Length);
        let mut joints = self.own_rates(extent);
        for joint in 0..self.bodies.joints.len() {
            if self.bodies.joints[joint].item.off {
                continue;
            }
            joints.extend(self.rates_of_joint(joint, extent));
            if !self.is_assembled() {
                self.model.joints[joint].moved = self.moved(joint, extent);
            }
        }
        let mut bodies = Vec::new();
        for which in GROUND + 1..self.bodies.all.len() {
            bodies.extend(self.rates_of_body(which, extent));
        }
        for root in self.loose_roots() {
            joints.extend(self.rates_of_body(root, extent));
            if let Some(body) = self.model.bodies.get_mut(root - 1) {
                body.stays = true;
            }
        }
        for list in [&mut joints, &mut bodies] {
            list.retain(|&rate| rate != Id::ZERO);
        }
        self.model.rates = crate::checked::Rates { joints, bodies };
    }

    /// Those of a body: its centre over the size of the picture, and its spin.
    fn rates_of_body(&mut self, which: usize, extent: Id) -> Vec<Id> {
        let pose = self.bodies.all[which].pose;
        let velocity = self.velocity_of_centre(which, &pose);
        velocity.map(|part| self.graph.divide(part, extent)).into_iter().chain(pose.spin).collect()
    }

    /// The first body of each mechanism that nothing joins to the ground, in the order of the file.
    fn loose_roots(&self) -> Vec<usize> {
        let count = self.bodies.all.len();
        let mut group: Vec<usize> = (0..count).collect();
        let find = |group: &[usize], mut body: usize| {
            while group[body] != body {
                body = group[body];
            }
            body
        };
        // What coordinates of one's own place moves with them.
        let placed = (0..count).filter(|&body| self.bodies.all[body].placed.moves).map(|body| [GROUND, body]);
        let joined = self.bodies.joints.iter().filter(|joint| !joint.item.off).map(|joint| joint.bodies);
        for [one, other] in placed.chain(joined) {
            let [one, other] = [one, other].map(|body| find(&group, body));
            group[one.max(other)] = one.min(other);
        }
        (GROUND + 1..count).filter(|&body| group[body] == body).collect()
    }

    /// Those of coordinates of one's own that place bodies.
    fn own_rates(&mut self, extent: Id) -> Vec<Id> {
        let moving = self.bodies.all.iter().filter(|body| body.placed.moves);
        let placed: Vec<Id> = moving
            .flat_map(|body| body.placed.origin.into_iter().chain(body.placed.axes.into_iter().flatten()))
            .collect();
        let mut rates = Vec::new();
        for symbol in self.graph.symbols(&placed) {
            let Symbol::Position(coordinate) = symbol else { continue };
            let rate = self.velocity(coordinate as usize);
            let is_length = self.model.coordinates[coordinate as usize].dimension == Dimension::LENGTH;
            rates.push(if is_length { self.graph.divide(rate, extent) } else { rate });
        }
        rates
    }

    /// Those of a joint: of its coordinates where they carry a body, otherwise of the second body relative to the first.
    fn rates_of_joint(&mut self, joint: usize, extent: Id) -> Vec<Id> {
        let one = &self.bodies.joints[joint];
        let (bodies, frames, is_in_tree, coordinates) = (one.bodies, one.axes, one.is_in_tree, one.coordinates.clone());
        let freedoms = one.kind.freedoms(self.is_planar());
        let poses = bodies.map(|body| self.bodies.all[body].pose);
        let mut rates = Vec::new();
        for (place, freedom) in freedoms.iter().enumerate() {
            match freedom {
                Freedom::Along(axis) => {
                    let rate = match is_in_tree {
                        true => self.velocity(coordinates[place]),
                        false => {
                            let [(a, first), (b, _)] = self.sides_of_joint(joint);
                            let between = space::subtract(&mut self.graph, b, a);
                            let travel = space::dot(&mut self.graph, between, first[*axis]);
                            self.graph.rate_with(travel, &mut self.rates)
                        }
                    };
                    rates.push(self.graph.divide(rate, extent));
                }
                Freedom::About | Freedom::Cross if is_in_tree => rates.push(self.velocity(coordinates[place])),
                // Its axes are perpendicular: the squares of both rates are that of the relative spin.
                Freedom::Cross => {}
                Freedom::About if freedoms.contains(&Freedom::Cross) => {
                    rates.extend(self.relative_spin(bodies));
                }
                // Both bodies share the axis.
                Freedom::About => {
                    let g = &mut self.graph;
                    let [first, second] = [0, 1].map(|side| space::dot(g, poses[side].spin, frames[side][2]));
                    rates.push(g.subtract(second, first));
                }
                Freedom::Any => rates.extend(self.relative_spin(bodies)),
            }
        }
        rates
    }

    /// How far a joint has moved from the picture.
    fn moved(&mut self, joint: usize, extent: Id) -> Vec<Id> {
        let one = &self.bodies.joints[joint];
        let (angles, is_in_tree, coordinates) = (one.angles, one.is_in_tree, one.coordinates.clone());
        let planar = self.is_planar();
        let freedoms = one.kind.freedoms(planar);
        if freedoms.is_empty() {
            return Vec::new();
        }
        let poses = one.bodies.map(|body| self.bodies.all[body].pose);
        let [(a, first), (b, second)] = self.sides_of_joint(joint);
        let g = &mut self.graph;
        if freedoms.iter().any(|freedom| matches!(freedom, Freedom::Any | Freedom::Cross)) {
            // The sum of squares is 4 sin²(θ/2) for a turn by θ.
            let share = g.number(Number::rounded(std::f64::consts::FRAC_1_SQRT_2).unwrap_or(Number::ONE));
            let axes = first.into_iter().zip(second).map(|(first, second)| {
                let moved = space::subtract(g, second, first);
                space::scaled(g, share, moved)
            });
            return axes.flatten().collect();
        }
        let mut moved = Vec::new();
        for (place, freedom) in freedoms.iter().enumerate() {
            let coordinate = coordinates.get(place).filter(|_| is_in_tree);
            let coordinate = coordinate.map(|&coordinate| g.symbol(Symbol::Position(coordinate as u32)));
            moved.push(match (freedom, coordinate) {
                (Freedom::Along(_), Some(travel)) => g.divide(travel, extent),
                (Freedom::Along(axis), None) => {
                    let between = space::subtract(g, b, a);
                    let travel = space::dot(g, between, first[*axis]);
                    g.divide(travel, extent)
                }
                (_, Some(angle)) => angle,
                (_, None) if planar => g.sum(&[
                    (Number::ONE, poses[1].angle),
                    (Number::ONE, angles[1]),
                    (Number::MINUS_ONE, poses[0].angle),
                    (Number::MINUS_ONE, angles[0]),
                ]),
                (_, None) => {
                    let [cosine, sine] = [0, 1].map(|axis| space::dot(g, first[axis], second[0]));
                    g.call2(Function::Atan2, sine, cosine)
                }
            });
        }
        moved
    }

    /// The angular velocity of one body relative to another, in the world.
    fn relative_spin(&mut self, bodies: [usize; 2]) -> Vector {
        let poses = bodies.map(|body| self.bodies.all[body].pose);
        let g = &mut self.graph;
        let [first, second] = poses.map(|pose| space::turn(g, pose.axes, pose.spin));
        space::subtract(g, second, first)
    }
}
