//! How the equations change with the state: what stiff methods need.
//!
//! With r₁ = Q + C + Aᵀλ − M q̈ and r₂ = b − A q̈, the motion is r₁ = 0 and r₂ = 0. Differentiated with q̈ and λ held, and then with
//! all that follows from them,
//!
//! ```text
//! M ∂q̈ − Aᵀ ∂λ = ∂r₁,   A ∂q̈ = ∂r₂,
//! ```
//!
//! which the factors of the acceleration itself can answer. The derivatives of r₁ and r₂ are expressions of t, q, q̇, q̈ and λ. They are made in a copy
//! of the graph when they are asked for: models that no stiff method integrates do not pay for them.

use super::equations::{Equations, NonidealTerm};
use holonom_symbols::expr::{Depends, Graph, Id, Number, Symbol};

/// The derivatives of r₁ and r₂ by positions and velocities.
///
/// They depend on `Symbol::Acceleration`, `Symbol::Reaction` and, where C does, `Symbol::Multiplier`. Frictions are not in C here.
#[derive(Clone, Debug)]
pub struct Stiffness {
    /// All expressions.
    pub graph: Graph,
    /// Of Q + Aᵀλ − M q̈, by coordinate.
    pub force: Slopes,
    /// Of the parts of C, in the order of [`Equations::nonideal`]: those of constraints that are not in force do not count.
    pub nonideal: Vec<Slopes>,
    /// Of b − A q̈, by row.
    pub rows: Slopes,
}

/// The entries of ∂r/∂q and ∂r/∂q̇ that are not identically zero: (component, coordinate, expression).
#[derive(Clone, Debug, Default)]
pub struct Slopes {
    /// By positions.
    pub by_position: Vec<(usize, usize, Id)>,
    /// By velocities.
    pub by_velocity: Vec<(usize, usize, Id)>,
}

impl Stiffness {
    /// Differentiates.
    pub fn of(equations: &Equations) -> Self {
        let mut graph = equations.graph.clone();
        let n = equations.force.len();
        let accelerations: Vec<Id> = (0..n).map(|i| graph.symbol(Symbol::Acceleration(i as u32))).collect();
        let mut forces: Vec<Vec<(Number, Id)>> =
            equations.force.iter().map(|&force| vec![(Number::ONE, force)]).collect();
        for (i, j, mass) in equations.mass.iter() {
            forces[i].push((Number::MINUS_ONE, graph.multiply(mass, accelerations[j])));
        }
        let mut misses = Vec::with_capacity(equations.rows.len());
        for (number, row) in equations.rows.iter().enumerate() {
            let reaction = graph.symbol(Symbol::Reaction(number as u32));
            let mut miss = vec![(Number::ONE, row.b)];
            for &(coordinate, entry) in &row.a {
                forces[coordinate].push((Number::ONE, graph.multiply(entry, reaction)));
                miss.push((Number::MINUS_ONE, graph.multiply(entry, accelerations[coordinate])));
            }
            misses.push(graph.sum(&miss));
        }
        let forces: Vec<Id> = forces.iter().map(|terms| graph.sum(terms)).collect();
        let parts: Vec<Vec<Id>> = equations.nonideal.iter().map(|part| whole(&mut graph, part)).collect();
        let force = Slopes::of(&mut graph, &forces, n);
        let nonideal = parts.iter().map(|part| Slopes::of(&mut graph, part, n)).collect();
        let rows = Slopes::of(&mut graph, &misses, n);
        Self { graph, force, nonideal, rows }
    }

    /// All derivatives in one order: of forces, of the parts of C, of rows; each by positions first.
    pub(crate) fn slopes(&self) -> impl Iterator<Item = &Slopes> {
        [&self.force].into_iter().chain(&self.nonideal).chain([&self.rows])
    }
}

/// A part of C with the forces of constraints in it.
fn whole(graph: &mut Graph, part: &NonidealTerm) -> Vec<Id> {
    let mut terms: Vec<Vec<(Number, Id)>> = part.force.iter().map(|&force| vec![(Number::ONE, force)]).collect();
    for (entries, symbol) in [
        (&part.by_multiplier, Symbol::Multiplier as fn(u32) -> Symbol),
        (&part.by_reaction, Symbol::Reaction as fn(u32) -> Symbol),
    ] {
        for &(coordinate, row, coefficient) in entries {
            let force = graph.symbol(symbol(row as u32));
            terms[coordinate].push((Number::ONE, graph.multiply(coefficient, force)));
        }
    }
    for force in &part.nonlinear {
        terms[force.coordinate].push((Number::ONE, force.value));
    }
    terms.iter().map(|terms| graph.sum(terms)).collect()
}

impl Slopes {
    /// Along every symbol of the state that occurs, those components that it occurs in.
    fn of(graph: &mut Graph, components: &[Id], n: usize) -> Self {
        let mut concerned: [Vec<Vec<usize>>; 2] = [vec![Vec::new(); n], vec![Vec::new(); n]];
        for (i, &component) in components.iter().enumerate() {
            if !graph.depends(component).on(Depends::POSITION | Depends::VELOCITY) {
                continue;
            }
            for symbol in graph.symbols(&[component]) {
                match symbol {
                    Symbol::Position(j) => concerned[0][j as usize].push(i),
                    Symbol::Velocity(j) => concerned[1][j as usize].push(i),
                    _ => {}
                }
            }
        }
        let [by_position, by_velocity] = [
            (&concerned[0], Symbol::Position as fn(u32) -> Symbol),
            (&concerned[1], Symbol::Velocity as fn(u32) -> Symbol),
        ]
        .map(|(concerned, symbol)| {
            let mut entries = Vec::new();
            for (j, concerned) in concerned.iter().enumerate().filter(|(_, concerned)| !concerned.is_empty()) {
                let along = symbol(j as u32);
                let chosen: Vec<Id> = concerned.iter().map(|&i| components[i]).collect();
                let slopes = graph.derivatives(&chosen, |symbol, _| (symbol == along).then_some(Id::ONE));
                let found = concerned.iter().zip(slopes).filter(|(_, slope)| *slope != Id::ZERO);
                entries.extend(found.map(|(&i, slope)| (i, j, slope)));
            }
            entries
        });
        Self { by_position, by_velocity }
    }
}
