//! Rates of joints along what they leave free, and of bodies: by them the start finds velocities that nobody gives.
//!
//! Where the rows of the joints hold, the rates are the same in all coordinates.

use super::kind::Freedom;
use super::rows::Measure;
use super::space::{self, Vector};
use super::{Elaborator, GROUND};
use crate::units::Dimension;
use holonom_symbols::expr::{Id, Symbol};

impl<'a> Elaborator<'a> {
    /// Lists the rates of all joints and bodies.
    pub(super) fn list_rates(&mut self) {
        let extent = self.size_of(Measure::Length);
        let mut joints = self.own_rates(extent);
        for joint in 0..self.bodies.joints.len() {
            if !self.bodies.joints[joint].item.off {
                joints.extend(self.rates_of_joint(joint, extent));
            }
        }
        let mut bodies = Vec::new();
        for which in GROUND + 1..self.bodies.all.len() {
            let pose = self.bodies.all[which].pose;
            let velocity = self.velocity_of_centre(which, &pose);
            bodies.extend(velocity.map(|part| self.graph.divide(part, extent)));
            bodies.extend(pose.spin);
        }
        for list in [&mut joints, &mut bodies] {
            list.retain(|&rate| rate != Id::ZERO);
        }
        self.model.rates = crate::checked::Rates { joints, bodies };
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

    /// The angular velocity of one body relative to another, in the world.
    fn relative_spin(&mut self, bodies: [usize; 2]) -> Vector {
        let poses = bodies.map(|body| self.bodies.all[body].pose);
        let g = &mut self.graph;
        let [first, second] = poses.map(|pose| space::turn(g, pose.axes, pose.spin));
        space::subtract(g, second, first)
    }
}
