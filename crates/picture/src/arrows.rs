//! Arrows on points, for whoever wants to see them: velocities, and the forces of constraints on particles.

use super::shapes::Picture;
use holonom_language::DrawnShape;
use holonom_mechanics::derive::Equations;
use holonom_symbols::expr::{Depends, FastMap, Id, Node, Symbol};

/// Points that have arrows: more would hide the mechanism.
const MOST: usize = 200;

/// Vectors that belong to points of a picture.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Arrows {
    /// Points by their numbers in [`Picture::points`], and the numbers of their velocities, which are there too.
    pub velocities: Vec<[usize; 2]>,
    /// Particles by their points, and for each component the coordinate whose constraint force is the force on the particle.
    pub reactions: Vec<(usize, [Option<usize>; 3])>,
}

impl Picture {
    /// Adds the velocities of all points that are drawn as dots or bodies, and says which coordinates have the force on which
    /// particle.
    ///
    /// A generalised force is the force on a particle only where the coordinate is a component of its position and moves no other
    /// mass. Other particles have no reaction here, because the coordinates do not say how it is shared out.
    pub fn arrows(&mut self, equations: &Equations) -> Arrows {
        let mut dots: Vec<usize> = Vec::new();
        let later = Depends::VELOCITY | Depends::ACCELERATION;
        for shape in self.shapes.iter().filter(|shape| matches!(shape.kind, DrawnShape::Point | DrawnShape::Body)) {
            let point = shape.points[0];
            let kinds = self.points[point].iter().fold(Depends::NOTHING, |kinds, &id| kinds | self.graph.depends(id));
            if !kinds.is_fixed() && !kinds.on(later) && !dots.contains(&point) && dots.len() < MOST {
                dots.push(point);
            }
        }
        let all: Vec<Id> = dots.iter().flat_map(|&dot| self.points[dot]).collect();
        let rates = self.graph.rate(&all);
        let mut arrows = Arrows::default();
        for (&dot, rate) in dots.iter().zip(rates.chunks(3)) {
            arrows.velocities.push([dot, self.points.len()]);
            self.points.push([rate[0], rate[1], rate[2]]);
        }
        let own = own_coordinates(equations);
        let by_place: FastMap<[Id; 3], usize> = dots.iter().map(|&dot| (self.points[dot], dot)).collect();
        for particle in &equations.model.particles {
            let component = |id: &Id| match equations.graph.node(*id) {
                Node::Symbol(Symbol::Position(which)) => own[*which as usize].then_some(Some(*which as usize)),
                _ => equations.graph.depends(*id).is_fixed().then_some(None),
            };
            let found: Option<Vec<Option<usize>>> = particle.position.iter().map(component).collect();
            let Some(found) = found.filter(|found| found.iter().any(Option::is_some)) else { continue };
            let mut coordinates = [None; 3];
            let mut at = [Id::ZERO; 3];
            let mut all_moving = true;
            for (place, which) in found.into_iter().enumerate() {
                coordinates[place] = which;
                match which {
                    Some(which) => at[place] = self.graph.symbol(Symbol::Position(which as u32)),
                    // The coordinates do not say with what force a guide holds what it leads.
                    None => all_moving = false,
                }
            }
            if let Some(&dot) = by_place.get(&at).filter(|_| all_moving) {
                arrows.reactions.push((dot, coordinates));
            }
        }
        arrows
    }
}

/// Coordinates that move one particle and nothing else that has mass.
fn own_coordinates(equations: &Equations) -> Vec<bool> {
    let (model, graph) = (&equations.model, &equations.graph);
    let mut users = vec![0; model.coordinates.len()];
    for particle in &model.particles {
        for symbol in graph.symbols(&particle.position) {
            if let Symbol::Position(which) = symbol {
                users[which as usize] += 1;
            }
        }
    }
    let energies: Vec<Id> = model.kinetic.iter().chain(&model.lagrangian).map(|term| term.value).collect();
    for symbol in graph.symbols(&energies) {
        if let Symbol::Position(which) | Symbol::Velocity(which) = symbol {
            users[which as usize] += 2;
        }
    }
    users.iter().map(|&users| users == 1 && model.mass.is_empty()).collect()
}
