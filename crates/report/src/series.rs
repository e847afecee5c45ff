//! Everything of a run that can be plotted: the columns of its table, and what follows from them.

use crate::KeptRows;
use holonom::language::units::readable;
use holonom::mechanics::compile::{CompiledSystem, Group};
use holonom::simulate::integrate::{Column, Recorded, TableLayout};
use holonom::symbols::expr::{Formula, Notation};
use std::collections::HashMap;

/// One quantity over the rows.
#[derive(Clone, Debug)]
pub struct Track {
    /// Its name, as the table has it: `theta'`, `Qi.x`; `Q.x` and `energy` are not in the table.
    pub name: String,
    /// How a person writes it: `θ̇`.
    pub label: String,
    /// Its unit, in models with units.
    pub unit: Option<String>,
    /// A number for each row.
    pub values: Vec<f64>,
}

/// All quantities; the first is time.
#[derive(Clone, Debug)]
pub struct Series {
    /// In the order of the table, then what follows from it.
    pub tracks: Vec<Track>,
    places: HashMap<String, usize>,
}

/// Coordinates up to which impressed forces are evaluated anew at every row.
const FORCES: usize = 200;

impl Series {
    /// How many there are beyond the columns of the table.
    pub fn more(system: &CompiledSystem) -> usize {
        1 + if system.coordinates() <= FORCES { system.coordinates() } else { 0 }
    }

    /// The quantities of a run of this system.
    pub fn new(system: &CompiledSystem, rows: &KeptRows) -> Self {
        let columns = rows.columns.iter().enumerate();
        let mut tracks: Vec<Track> = columns
            .map(|(place, column)| Track {
                name: column.name.clone(),
                label: label(&column.name),
                unit: column.unit.as_deref().map(|unit| unit_of(&column.name, unit)),
                values: rows.column(place),
            })
            .collect();
        if let (Some(kinetic), Some(potential)) = (rows.place("kinetic"), rows.place("potential")) {
            let values = rows.iter().map(|row| row[kinetic] + row[potential]).collect();
            let name = "energy".to_string();
            tracks.push(Track { label: name.clone(), name, unit: tracks[kinetic].unit.clone(), values });
        }
        let (n, layout) = (system.coordinates(), TableLayout::of(system));
        if n <= FORCES && rows.columns.len() > layout.place(Recorded::Acceleration(n.max(1) - 1)) {
            let mut values = system.values(Group::Sparse);
            let mut forces = vec![Vec::with_capacity(rows.len()); n];
            for row in rows.iter() {
                let (q, v) = layout.state(row);
                system.at(row[0], &q, &v, &mut values);
                forces.iter_mut().zip(values.force()).for_each(|(list, &force)| list.push(force + 0.0));
            }
            for (j, (coordinate, values)) in system.equations().model.coordinates.iter().zip(forces).enumerate() {
                let name = format!("Q.{}", coordinate.name);
                let unit = tracks.get(layout.place(Recorded::IdealForce(j))).and_then(|track| track.unit.clone());
                tracks.push(Track { label: label(&name), name, unit, values });
            }
        }
        let places = tracks.iter().enumerate().map(|(place, track)| (track.name.clone(), place)).collect();
        Self { tracks, places }
    }

    /// The place of a quantity.
    pub fn place(&self, name: &str) -> Option<usize> {
        self.places.get(name).copied()
    }

    /// Whether a quantity is never anything but zero.
    pub(crate) fn vanishes(&self, place: usize) -> bool {
        self.tracks[place].values.iter().all(|x| *x == 0.0)
    }
}

/// The unit of a column as a person writes it, `m/s²` or `N`; nothing for a pure number.
pub fn unit(column: &Column) -> Option<String> {
    let unit = unit_of(&column.name, column.unit.as_deref()?);
    Some(readable(&unit)).filter(|unit| !unit.is_empty())
}

/// The unit of a column. What turns is a moment, not an energy, though both have the same dimension.
fn unit_of(name: &str, unit: &str) -> String {
    let force = ["Qi.", "Qni.", "multiplier.", "reaction."].iter().any(|kind| name.starts_with(kind));
    if force && unit == "kg*m^2/s^2" { "N*m".to_string() } else { unit.to_string() }
}

/// How a person writes the name of a column.
fn label(name: &str) -> String {
    let pretty = |name: &str| Formula::name(name).print(Notation::Unicode);
    match name.split_once('.') {
        Some((kind @ ("Q" | "Qi" | "Qni"), of)) => {
            let kind = match kind {
                "Qi" => "Qᵢ",
                "Qni" => "Qₙᵢ",
                _ => "Q",
            };
            format!("{kind} {}", pretty(of))
        }
        Some(("da", of)) => format!("Δa {}", pretty(of)),
        Some(("e", of)) => format!("e {of}"),
        Some(("virtual", of)) => format!("virtual work {of}"),
        None if name == "Gni" => "Gₙᵢ".to_string(),
        Some(("multiplier", of)) => format!("λᵢ {of}"),
        Some(("reaction", of)) => format!("λ {of}"),
        Some((kind @ ("residual" | "work"), of)) => format!("{kind} {}", of.replace('_', " ")),
        // A coordinate has the name that the model gives it.
        _ => pretty(name),
    }
}
