//! How large the terms of an expression are: what its rounding errors are measured by.

use super::instant::Instant;
use super::natural::Natural;
use super::numbers::Evaluator;
use crate::expr::{Function, Id, Node, Symbol};

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
        let (n, numbers) = (evaluator.coordinates(), &instant.numbers);
        let motion = &instant.balance.motion;
        let rows = || numbers.a.chunks_exact(n.max(1));
        // The terms of M q̈ = Q + C + Aᵀλ.
        let mut force: Vec<f64> =
            numbers.force.iter().zip(&instant.balance.nonideal).map(|(q, c)| q.abs() + c.abs()).collect();
        for (row, lambda) in rows().zip(&motion.reactions) {
            force.iter_mut().zip(row).for_each(|(f, a)| *f += (a * lambda).abs());
        }
        for (j, force) in force.iter_mut().enumerate() {
            let row = &numbers.mass[j * n..(j + 1) * n];
            *force += row.iter().zip(&motion.acceleration).map(|(m, x)| (m * x).abs()).sum::<f64>();
        }
        // What balances along one coordinate is rounded as it is along others of its kind.
        let force = evaluator.alike(&force);
        let mut accelerations: Vec<f64> = motion.acceleration.iter().map(|x| x.abs()).collect();
        for j in 0..n {
            let mass = numbers.mass[j * n + j];
            if mass > 0.0 {
                accelerations[j] = accelerations[j].max(force[j] / mass);
            }
        }
        // Constraints pass it on by the terms of A q̈ = b.
        let known = accelerations.clone();
        for (row, b) in rows().zip(&numbers.b) {
            let largest = row.iter().fold(0.0, |largest: f64, a| largest.max(a.abs()));
            let terms: f64 = b.abs() + row.iter().zip(&known).map(|(a, x)| (a * x).abs()).sum::<f64>();
            for j in (0..n).filter(|&j| row[j] != 0.0) {
                let by = if numbers.mass[j * n + j] > 0.0 { largest } else { row[j].abs() };
                accelerations[j] = accelerations[j].max(terms / by);
            }
        }
        let positions = evaluator.alike(&instant.state.positions);
        let velocities = evaluator.alike(&instant.state.velocities);
        let sizes: Vec<f64> = rows()
            .zip(&motion.reactions)
            .map(|(row, lambda)| {
                let squared: f64 = row.iter().map(|a| a * a).sum();
                let along: f64 = row.iter().zip(&force).map(|(a, f)| a.abs() * f).sum();
                lambda.abs().max(if squared > 0.0 { along / squared } else { 0.0 })
            })
            .collect();
        let multipliers = evaluator.place.iter().map(|place| place.map_or(0.0, |at| sizes[at])).collect();
        Self { positions, velocities, accelerations, multipliers }
    }

    /// Each as large as it is.
    pub(super) fn own(instant: &Instant) -> Self {
        let motion = &instant.balance.motion;
        let both = instant.balance.multipliers.iter().zip(&instant.balance.reactions);
        Self {
            positions: instant.state.positions.clone(),
            velocities: instant.state.velocities.clone(),
            accelerations: motion.acceleration.clone(),
            multipliers: both.map(|(multiplier, reaction)| multiplier.abs().max(reaction.abs())).collect(),
        }
    }

    /// Each as large as is natural for it, beside what others are.
    pub(super) fn natural(&self, evaluator: &Evaluator, instant: &Instant) -> Self {
        let coordinates = &evaluator.equations.model.coordinates;
        let first = |j: usize| coordinates.iter().position(|c| c.dimension == coordinates[j].dimension).unwrap_or(j);
        let alike: Vec<usize> = (0..coordinates.len()).map(first).collect();
        let largest = [&self.positions[..], &self.velocities, &self.accelerations];
        let masses: Vec<f64> = instant.numbers.mass.iter().step_by(alike.len() + 1).copied().collect();
        let natural = Natural::new(&alike, largest, &masses, &instant.numbers.force);
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
                        product * base.powi(exponent)
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
