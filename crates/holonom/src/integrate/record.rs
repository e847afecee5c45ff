//! The table of a run: which columns there are, and a row of it.

use super::event::spread;
use super::expect::Expectations;
use super::mechanics::{Level, Mechanics, Trouble};
use super::outcome::{Column, Observer};
use crate::compile::{Group, Inputs, System, Values};

/// A trajectory in memory: the rows as they were recorded.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trajectory {
    /// In the order of time; each in the order of the columns.
    pub rows: Vec<Vec<f64>>,
}

impl Observer for Trajectory {
    fn row(&mut self, values: &[f64]) -> Result<(), std::io::Error> {
        self.rows.push(values.to_vec());
        Ok(())
    }
}

/// The columns of a run of this system.
pub(super) fn columns(system: &System) -> Vec<Column> {
    let equations = system.equations();
    let coordinates = &equations.model.coordinates;
    let mut names = vec!["t".to_string()];
    for coordinate in coordinates {
        names.extend(["", "'", "''"].map(|primes| format!("{}{primes}", coordinate.name)));
    }
    for kind in ["Qi", "Qni"] {
        names.extend(coordinates.iter().map(|coordinate| format!("{kind}.{}", coordinate.name)));
    }
    for kind in ["multiplier", "reaction"] {
        names.extend(equations.rows.iter().map(|row| format!("{kind}.{}", row.name)));
    }
    names.extend(["kinetic", "potential"].map(String::from));
    names.extend(super::ledger::Ledger::new(equations, &[]).names());
    names.extend(["residual.position", "residual.velocity"].map(String::from));
    for output in &equations.model.outputs {
        if output.components.len() == 1 {
            names.push(output.name.clone());
        } else {
            names.extend((1..=output.components.len()).map(|component| format!("{}.{component}", output.name)));
        }
    }
    names.into_iter().map(|name| Column { name, unit: None }).collect()
}

/// Makes rows.
pub(super) struct Recorder {
    row: Vec<f64>,
    energy: Values,
    output: Values,
    /// Multipliers and reactions of all rows of the equations.
    pub(super) multipliers: Vec<f64>,
    pub(super) reactions: Vec<f64>,
    /// T + V and what was worked, at the start and now.
    pub(super) energy_at_start: Option<f64>,
    pub(super) imbalance: f64,
    pub(super) energy_scale: f64,
    /// What was expected, which is looked at wherever a row is made.
    pub(super) expectations: Expectations,
}

impl Recorder {
    pub(super) fn new(system: &System, columns: usize, expectations: Expectations) -> Self {
        Self {
            row: Vec::with_capacity(columns),
            energy: system.values(Group::Energy),
            output: system.values(Group::Output),
            multipliers: vec![0.0; system.rows()],
            reactions: vec![0.0; system.rows()],
            energy_at_start: None,
            imbalance: 0.0,
            energy_scale: 0.0,
            expectations,
        }
    }

    /// Takes the state as it is for balanced: what an event made of the energy is no error. Says how much that was.
    pub(super) fn rebalance(&mut self, mechanics: &Mechanics, t: f64, y: &[f64]) -> f64 {
        let before = self.imbalance;
        self.balance(mechanics, t, y);
        let change = self.imbalance - before;
        self.energy_at_start = self.energy_at_start.map(|start| start + change);
        self.imbalance = before;
        change
    }

    /// The energy at a state, and how the ledger stands.
    pub(super) fn balance(&mut self, mechanics: &Mechanics, t: f64, y: &[f64]) {
        let n = mechanics.n;
        mechanics.system.at(t, &y[..n], &y[n..2 * n], &mut self.energy);
        let (kinetic, potential) = (self.energy.kinetic_energy(), self.energy.potential_energy());
        let works = &y[2 * n..];
        let start = *self.energy_at_start.get_or_insert(kinetic + potential);
        self.energy_scale = works.iter().fold(self.energy_scale.max(kinetic.abs()), |m, w| m.max(w.abs()));
        self.energy_scale = self.energy_scale.max((potential - start).abs());
        self.imbalance = kinetic + potential - start - works.iter().sum::<f64>();
    }

    /// A row for a state that is on the constraints.
    pub(super) fn row(&mut self, mechanics: &mut Mechanics, t: f64, y: &[f64]) -> Result<&[f64], Trouble> {
        let n = mechanics.n;
        let (q, v, works) = (&y[..n], &y[n..2 * n], &y[2 * n..]);
        mechanics.examine(t, q, v)?;
        let (ideal, nonideal) = mechanics.forces();
        self.row.clear();
        self.row.push(t);
        for j in 0..n {
            self.row.extend([q[j], v[j], mechanics.acceleration[j]]);
        }
        self.row.extend_from_slice(ideal);
        self.row.extend_from_slice(nonideal);
        spread(mechanics, &mut self.multipliers, &mut self.reactions);
        self.row.extend_from_slice(&self.multipliers);
        self.row.extend_from_slice(&self.reactions);
        self.balance(mechanics, t, y);
        self.row.extend([self.energy.kinetic_energy(), self.energy.potential_energy()]);
        self.row.extend_from_slice(works);
        let position = mechanics.drift(Level::Position, t, q, v);
        let velocity = mechanics.drift(Level::Velocity, t, q, v);
        self.row.extend([position, velocity]);
        let inputs = Inputs {
            t,
            q,
            v,
            acceleration: &mechanics.acceleration,
            multiplier: &self.multipliers,
            reaction: &self.reactions,
            ..Inputs::default()
        };
        mechanics.system.evaluate(&inputs, &mut self.output);
        self.row.extend_from_slice(self.output.all());
        self.expectations.look(&inputs);
        // No negative zeros: −m g y at y = 0 is nothing that anybody wants to read.
        self.row.iter_mut().for_each(|x| *x += 0.0);
        Ok(&self.row)
    }
}
