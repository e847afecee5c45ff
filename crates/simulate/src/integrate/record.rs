//! The rows of the table of a run.

use super::event::spread;
use super::expect::Expectations;
use super::mechanics::{Level, Mechanics};
use super::outcome::Observer;
use super::plan::Plan;
use super::principles::Along;
use super::trouble::Trouble;
use holonom_mechanics::compile::{CompiledSystem, Group, Inputs, Values};

/// A trajectory in memory: the rows as they were recorded.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RecordedRows {
    /// In the order of time; each in the order of the columns.
    pub rows: Vec<Vec<f64>>,
}

impl Observer for RecordedRows {
    fn row(&mut self, values: &[f64]) -> Result<(), std::io::Error> {
        self.rows.push(values.to_vec());
        Ok(())
    }
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
    /// The largest energy as it was computed, from whatever zero: its last digits are rounding.
    pub(super) largest_energy: f64,
    /// Where each component of the outputs was first no finite number.
    pub(super) undefined: Vec<Option<f64>>,
    /// What was expected, which is looked at wherever a row is made.
    pub(super) expectations: Expectations,
    /// The principles, where they were asked for.
    pub(super) principles: Option<Along>,
}

impl Recorder {
    pub(super) fn new(system: &CompiledSystem, plan: &Plan) -> Self {
        for group in [Group::Energy, Group::Output] {
            system.compile(group);
        }
        Self {
            row: Vec::with_capacity(plan.columns.len()),
            energy: system.values(Group::Energy),
            output: system.values(Group::Output),
            multipliers: vec![0.0; system.rows()],
            reactions: vec![0.0; system.rows()],
            energy_at_start: None,
            imbalance: 0.0,
            energy_scale: 0.0,
            largest_energy: 0.0,
            undefined: Vec::new(),
            expectations: plan.expectations.clone(),
            principles: plan.settings.principles.then(|| Along::new(plan.has_definite_mass())),
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
        self.largest_energy = self.largest_energy.max(kinetic.abs()).max(potential.abs());
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
            self.row.extend([q[j], v[j], mechanics.found.acceleration[j]]);
        }
        self.row.extend_from_slice(ideal);
        self.row.extend_from_slice(nonideal);
        spread(mechanics, &mut self.multipliers, &mut self.reactions);
        self.row.extend_from_slice(&self.multipliers);
        self.row.extend_from_slice(&self.reactions);
        self.balance(mechanics, t, y);
        self.row.extend([self.energy.kinetic_energy(), self.energy.potential_energy()]);
        self.row.extend_from_slice(works);
        let position = mechanics.missed(Level::Position, t, q, v);
        let velocity = mechanics.missed(Level::Velocity, t, q, v);
        self.row.extend([position, velocity]);
        let inputs = Inputs {
            t,
            q,
            v,
            acceleration: &mechanics.found.acceleration,
            multiplier: &self.multipliers,
            reaction: &self.reactions,
            ..Inputs::default()
        };
        mechanics.system.evaluate(&inputs, &mut self.output);
        self.row.extend_from_slice(self.output.all());
        self.undefined.resize(self.output.all().len(), None);
        for (first, value) in self.undefined.iter_mut().zip(self.output.all()) {
            if first.is_none() && !value.is_finite() {
                *first = Some(t);
            }
        }
        self.expectations.look(&inputs);
        if let Some(principles) = &mut self.principles {
            principles.write(mechanics, v, &self.reactions, &mut self.row)?;
        }
        // No negative zeros: −m g y at y = 0 is nothing that anybody wants to read.
        self.row.iter_mut().for_each(|x| *x += 0.0);
        Ok(&self.row)
    }
}
