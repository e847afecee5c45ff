//! The table of a run: which columns there are, and where each of them stands.

use super::ledger::Ledger;
use super::outcome::Column;
use holonom_language::Model;
use holonom_language::units::Dimension;
use holonom_mechanics::compile::CompiledSystem;
use std::ops::Range;

/// Where the columns of a table stand: time, then position, velocity and acceleration of each coordinate, then forces by coordinate, then
/// multipliers and reactions by row of the constraints; energies, works and residuals follow, and outputs come after them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableLayout {
    coordinates: usize,
    rows: usize,
}

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recorded {
    /// Time.
    Time,
    /// The position of a coordinate.
    Position(usize),
    /// Its velocity.
    Velocity(usize),
    /// Its acceleration.
    Acceleration(usize),
    /// Qᵢ on a coordinate.
    IdealForce(usize),
    /// Qₙᵢ on a coordinate.
    NonidealForce(usize),
    /// The ideal multiplier of a row of the constraints.
    Multiplier(usize),
    /// The total reaction of a row of the constraints.
    Reaction(usize),
    /// Energies, works, residuals, outputs, principles: by their names.
    Named,
}

/// Columns of each coordinate at the beginning: position, velocity, acceleration.
const STATE: usize = 3;

impl TableLayout {
    /// The table of a system.
    pub fn of(system: &CompiledSystem) -> Self {
        Self { coordinates: system.coordinates(), rows: system.rows() }
    }

    /// The place of a column.
    ///
    /// # Panics
    /// For [`Recorded::Named`], which has no one place.
    pub fn place(&self, what: Recorded) -> usize {
        let n = self.coordinates;
        let forces = 1 + STATE * n;
        let multipliers = forces + 2 * n;
        match what {
            Recorded::Time => 0,
            Recorded::Position(j) => 1 + STATE * j,
            Recorded::Velocity(j) => 2 + STATE * j,
            Recorded::Acceleration(j) => 3 + STATE * j,
            Recorded::IdealForce(j) => forces + j,
            Recorded::NonidealForce(j) => forces + n + j,
            Recorded::Multiplier(row) => multipliers + row,
            Recorded::Reaction(row) => multipliers + self.rows + row,
            Recorded::Named => panic!("columns with names of their own are found by name"),
        }
    }

    /// What a column holds.
    pub fn holds(&self, place: usize) -> Recorded {
        let (n, rows) = (self.coordinates, self.rows);
        let forces = 1 + STATE * n;
        let within = |range: Range<usize>| range.contains(&place).then(|| place - range.start);
        if place == 0 {
            return Recorded::Time;
        }
        if let Some(at) = within(1..forces) {
            return [Recorded::Position, Recorded::Velocity, Recorded::Acceleration][at % STATE](at / STATE);
        }
        let kinds = [Recorded::IdealForce, Recorded::NonidealForce, Recorded::Multiplier, Recorded::Reaction];
        let mut begin = forces;
        for (kind, count) in kinds.into_iter().zip([n, n, rows, rows]) {
            if let Some(at) = within(begin..begin + count) {
                return kind(at);
            }
            begin += count;
        }
        Recorded::Named
    }

    /// Positions and velocities of a row of the table.
    pub fn state(&self, row: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let of = |kind: fn(usize) -> Recorded| (0..self.coordinates).map(|j| row[self.place(kind(j))]).collect();
        (of(Recorded::Position), of(Recorded::Velocity))
    }

    /// How many columns are time, states and forces by coordinate: what a table must have for them to be read from it.
    pub fn states_and_forces(&self) -> usize {
        self.place(Recorded::Multiplier(0))
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

#[cfg(test)]
mod tests {
    use super::*;
    use holonom_language::from_text;
    use holonom_mechanics::derive::derive;

    /// The names of the columns and what they hold say the same.
    #[test]
    fn columns_hold_what_their_names_say() {
        let text = "coord x, y\nparticle p: 1 at (x, y)\nconstraint rod: x^2 + y^2 = 1\nconstraint also: 2*x^2 + 2*y^2 = 2\n\
                    start x = 1\noutput far: x^2\n";
        let system = CompiledSystem::new(derive(from_text("m.holo", text).model.unwrap()).unwrap().value);
        let (layout, columns) = (TableLayout::of(&system), columns(&system));
        let (names, rows) = (["x", "y"], ["rod", "also"]);
        for (place, column) in columns.iter().enumerate() {
            let what = layout.holds(place);
            let expected = match what {
                Recorded::Time => "t".to_string(),
                Recorded::Position(j) => names[j].to_string(),
                Recorded::Velocity(j) => format!("{}'", names[j]),
                Recorded::Acceleration(j) => format!("{}''", names[j]),
                Recorded::IdealForce(j) => format!("Qi.{}", names[j]),
                Recorded::NonidealForce(j) => format!("Qni.{}", names[j]),
                Recorded::Multiplier(row) => format!("multiplier.{}", rows[row]),
                Recorded::Reaction(row) => format!("reaction.{}", rows[row]),
                Recorded::Named => continue,
            };
            assert_eq!(column.name, expected);
            assert_eq!(layout.place(what), place);
        }
        assert_eq!(layout.holds(columns.len() - 1), Recorded::Named);
    }
}
