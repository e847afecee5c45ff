//! How large the terms of an expression are: what its rounding errors are measured by.

use super::instant::Instant;
use super::natural::Natural;
use crate::start::numbers::Evaluator;
use holonom_elementary as elementary;
use holonom_symbols::expr::{Function, Id, Node, Symbol};

/// The sizes of what expressions are made of at one state.
///
/// An acceleration that cancels to 1e-16 is a zero beside the forces that made it up, and only they can tell.
#[derive(Debug)]
pub(super) struct Magnitudes {
    positions: Vec<f64>,
    velocities: Vec<f64>,
    accelerations: Vec<f64>,
    multipliers: Vec<f64>,
}

impl Magnitudes {
    pub(super) fn new(evaluator: &Evaluator, instant: &Instant) -> Self {
        let entries = &instant.entries;
        let n = evaluator.coordinates();
        // The terms of M q̈ = Q + C + Aᵀλ.
        let mut force: Vec<f64> = entries.force.iter().zip(&instant.nonideal).map(|(q, c)| q.abs() + c.abs()).collect();
        for (row, lambda) in entries.a.iter().zip(&instant.motion.reactions) {
            row.for_each(|(j, a)| force[j] += (a * lambda).abs());
        }
        let inertia = entries.mass.times(&instant.motion.acceleration, f64::abs);
        force.iter_mut().zip(&inertia).for_each(|(force, inertia)| *force += inertia);
        // What balances along one coordinate is rounded as it is along others of its kind.
        let force = evaluator.alike(&force);
        let masses = entries.mass.diagonal(n);
        let mut accelerations: Vec<f64> = instant.motion.acceleration.iter().map(|x| x.abs()).collect();
        for j in (0..n).filter(|&j| masses[j] > 0.0) {
            accelerations[j] = accelerations[j].max(force[j] / masses[j]);
        }
        // Constraints pass it on by the terms of A q̈ = b.
        let known = accelerations.clone();
        for (row, b) in entries.a.iter().zip(&entries.b) {
            let largest = row.clone().fold(0.0, |largest: f64, (_, a)| largest.max(a.abs()));
            let terms: f64 = b.abs() + row.clone().map(|(j, a)| (a * known[j]).abs()).sum::<f64>();
            for (j, a) in row.filter(|(_, a)| *a != 0.0) {
                let by = if masses[j] > 0.0 { largest } else { a.abs() };
                accelerations[j] = accelerations[j].max(terms / by);
            }
        }
        let positions = evaluator.alike(&instant.state.positions);
        let velocities = evaluator.alike(&instant.state.velocities);
        let size = |(row, lambda): (usize, &f64)| {
            let squared: f64 = entries.a.row(row).map(|(_, a)| a * a).sum();
            let along: f64 = entries.a.row(row).map(|(j, a)| a.abs() * force[j]).sum();
            lambda.abs().max(if squared > 0.0 { along / squared } else { 0.0 })
        };
        let sizes: Vec<f64> = instant.motion.reactions.iter().take(entries.a.len()).enumerate().map(size).collect();
        let multipliers = evaluator.place.iter().map(|place| place.map_or(0.0, |at| sizes[at])).collect();
        Self { positions, velocities, accelerations, multipliers }
    }

    /// Each as large as it is.
    pub(super) fn own(instant: &Instant) -> Self {
        let both = instant.multipliers.iter().zip(&instant.reactions);
        Self {
            positions: instant.state.positions.clone(),
            velocities: instant.state.velocities.clone(),
            accelerations: instant.motion.acceleration.clone(),
            multipliers: both.map(|(multiplier, reaction)| multiplier.abs().max(reaction.abs())).collect(),
        }
    }

    /// Each as large as is natural for it, beside what others are.
    pub(super) fn natural(&self, evaluator: &Evaluator, instant: &Instant) -> Self {
        let largest = [&self.positions[..], &self.velocities, &self.accelerations];
        let masses = instant.entries.mass.diagonal(instant.entries.force.len());
        let natural = Natural::new(&evaluator.kinds, largest, &masses, &instant.entries.force);
        let most = self.multipliers.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        Self {
            positions: natural.positions,
            velocities: natural.velocities,
            accelerations: natural.accelerations,
            multipliers: vec![most; self.multipliers.len()],
        }
    }

    /// The sum of the magnitudes of the terms of an expression.
    pub(super) fn of(&self, evaluator: &Evaluator, instant: &Instant, id: Id) -> f64 {
        let graph = &evaluator.graph;
        let order = graph.reachable(&[id]);
        let values = evaluator.values(&order, &instant.point());
        let mut sizes: Vec<f64> = Vec::with_capacity(order.len());
        let place = |id: Id| order.binary_search(&id).unwrap_or(0);
        for (at, &id) in order.iter().enumerate() {
            let value = values[at].abs();
            let size = match graph.node(id) {
                Node::Symbol(Symbol::Position(i)) => self.positions[*i as usize].abs(),
                Node::Symbol(Symbol::Velocity(i)) => self.velocities[*i as usize].abs(),
                Node::Symbol(Symbol::Acceleration(i)) => self.accelerations[*i as usize].abs(),
                Node::Symbol(Symbol::Multiplier(i) | Symbol::Reaction(i)) => {
                    self.multipliers.get(*i as usize).copied().unwrap_or(0.0)
                }
                Node::Sum { constant, terms } => {
                    constant.to_f64().abs()
                        + terms.iter().map(|&(c, term)| c.to_f64().abs() * sizes[place(term)]).sum::<f64>()
                }
                Node::Product { coefficient, factors } => {
                    factors.iter().fold(coefficient.to_f64().abs(), |product, &(factor, exponent)| {
                        let at = place(factor);
                        let base = if exponent > 0 { sizes[at] } else { values[at].abs() };
                        product * elementary::powi(base, exponent)
                    })
                }
                Node::Call(Function::Abs, a, _) => sizes[place(*a)],
                Node::Call(Function::Sin | Function::Tan | Function::Tanh, a, _) => sizes[place(*a)].min(1.0),
                Node::Select(_, a, b) => sizes[place(*a)].max(sizes[place(*b)]),
                _ => value,
            };
            // Where the size itself overflows or is no number, the value has to do.
            sizes.push(if size.is_finite() { size.max(value) } else { value });
        }
        sizes.last().copied().unwrap_or(0.0)
    }
}
