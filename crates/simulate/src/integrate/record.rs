//! The table of a run: which columns there are, and a row of it.

use super::event::spread;
use super::expect::Expectations;
use super::ledger::Ledger;
use super::mechanics::{Level, Mechanics, Trouble};
use super::outcome::{Column, Observer};
use super::plan::Plan;
use super::principles::Along;
use holonom_language::Model;
use holonom_language::units::Dimension;
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

/// The columns of a run of this system. In models with units each says its own, in SI.
pub fn columns(system: &CompiledSystem) -> Vec<Column> {
    let equations = system.equations();
    let model = &equations.model;
    let coordinates = &model.coordinates;
    let mut columns = Vec::new();
    let mut add = |name: String, dimension: Option<Dimension>| columns.push(column(model, name, dimension));
    let (energy, time) = (Dimension::energy(), Dimension::TIME);
    add("t".to_string(), Some(time));
    for coordinate in coordinates {
        let position = Some(coordinate.dimension);
        let velocity = position.and_then(|position| position.over(time));
        let acceleration = velocity.and_then(|velocity| velocity.over(time));
        for (primes, dimension) in [("", position), ("'", velocity), ("''", acceleration)] {
            add(format!("{}{primes}", coordinate.name), dimension);
        }
    }
    for kind in ["Qi", "Qni"] {
        coordinates.iter().for_each(|c| add(format!("{kind}.{}", c.name), energy.over(c.dimension)));
    }
    for kind in ["multiplier", "reaction"] {
        for row in &equations.rows {
            // λ ∂φ/∂q is a force on q; a row of velocities or accelerations has a time or two less in its denominator.
            let of_equation = row.constraint.map(|(constraint, _)| model.constraints[constraint].dimension);
            let times = row.kind as i32;
            let dimension = of_equation.and_then(|of| energy.over(of)?.over(time.power(times, 1)?));
            add(format!("{kind}.{}", row.name), dimension);
        }
    }
    ["kinetic", "potential"].into_iter().for_each(|name| add(name.to_string(), Some(energy)));
    Ledger::new(equations, &[]).names().into_iter().for_each(|name| add(name, Some(energy)));
    let number = Some(Dimension::NUMBER);
    ["residual.position", "residual.velocity"].into_iter().for_each(|name| add(name.to_string(), number));
    for output in &model.outputs {
        if output.components.len() == 1 {
            add(output.name.clone(), Some(output.dimension));
        } else {
            let component = |which: usize| format!("{}.{which}", output.name);
            (1..=output.components.len()).for_each(|which| add(component(which), Some(output.dimension)));
        }
    }
    columns
}

/// A column of a model, with its unit where the model has units.
pub(super) fn column(model: &Model, name: String, dimension: Option<Dimension>) -> Column {
    Column { name, unit: dimension.filter(|_| model.has_units).map(|dimension| dimension.to_string()) }
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
        self.expectations.look(&inputs);
        if let Some(principles) = &mut self.principles {
            principles.write(mechanics, v, &self.reactions, &mut self.row)?;
        }
        // No negative zeros: −m g y at y = 0 is nothing that anybody wants to read.
        self.row.iter_mut().for_each(|x| *x += 0.0);
        Ok(&self.row)
    }
}
