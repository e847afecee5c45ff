//! The picture of a model over the rows of a run: what stands still as numbers, what moves as columns.

use crate::series::{Series, Track};
use crate::{Rows, Run};
use holonom::compile::System;
use holonom::picture::{Amount, Frames, Picture, Place, picture};
use serde_json::{Value, json};

/// Values of a frame beyond which there is no picture: a browser would draw it once in a second.
const LARGEST: usize = 4_000;

/// What the viewer draws.
pub(crate) struct Stage {
    /// Points, scalars and shapes; columns are counted in the whole series.
    pub(crate) description: Value,
}

/// Places of a particle that say how much of its rail is seen.
const PLACES: usize = 200;

/// How many values a frame has; nothing where there is no picture.
pub(crate) fn width(system: &System) -> Option<usize> {
    let picture = picture(system.equations())?;
    Some(Frames::new(&picture, system.parameters()).width()).filter(|width| *width <= LARGEST)
}

/// The picture of a system, and its frames for the parameters of the system; rails as far as the motion goes.
pub(crate) fn frames(system: &System, rows: &Rows) -> Option<(Picture, Frames)> {
    let mut picture = picture(system.equations())?;
    let step = rows.len().div_ceil(PLACES).max(1);
    picture.lay_rails(system.parameters(), |rail| {
        let place = |row: &[f64]| rail.coordinates.map(|j| row[1 + 3 * j]);
        rows.iter().step_by(step).map(place).collect()
    });
    let frames = Frames::new(&picture, system.parameters());
    (frames.width() <= LARGEST).then_some((picture, frames))
}

impl Stage {
    /// Adds the columns of what moves to the series.
    pub(crate) fn new(run: &Run, series: &mut Series) -> Option<Self> {
        let (picture, mut frames) = frames(run.system, run.rows)?;
        let n = run.system.coordinates();
        let first = series.tracks.len();
        let mut columns = vec![Vec::with_capacity(run.rows.len()); frames.width()];
        let (mut q, mut v, mut values) = (vec![0.0; n], vec![0.0; n], Vec::new());
        for row in run.rows.iter() {
            for j in 0..n {
                (q[j], v[j]) = (row[1 + 3 * j], row[2 + 3 * j]);
            }
            frames.at(row[0], &q, &v, &mut values);
            columns.iter_mut().zip(&values).for_each(|(column, &value)| column.push(value));
        }
        for (which, values) in columns.into_iter().enumerate() {
            let name = format!("picture.{which}");
            // The scale bar is in this unit.
            let unit = run.system.equations().model.has_units.then(|| "m".to_string());
            series.tracks.push(Track { label: name.clone(), name, unit, values });
        }
        Some(Self { description: description(&picture, &frames, first) })
    }
}

/// A number as the viewer takes it; what is none is 0.
fn finite(x: f64) -> f64 {
    if x.is_finite() { x } else { 0.0 }
}

fn description(picture: &Picture, frames: &Frames, first: usize) -> Value {
    let points: Vec<Value> = frames
        .points()
        .iter()
        .map(|place| match place {
            Place::Fixed(place) => json!({ "fixed": place.map(finite) }),
            Place::Moving(columns) => json!({ "columns": columns.map(|column| column.map(|c| c + first)) }),
        })
        .collect();
    let scalars: Vec<Value> = frames
        .scalars()
        .iter()
        .map(|amount| match amount {
            Amount::Fixed(value) => json!({ "fixed": finite(*value) }),
            Amount::Moving(column) => json!({ "column": column + first }),
        })
        .collect();
    let number = |scalar: Option<usize>| match frames.scalars().get(scalar?)? {
        Amount::Fixed(value) => Some(finite(*value)),
        Amount::Moving(_) => None,
    };
    let shapes: Vec<Value> = picture
        .shapes
        .iter()
        .map(|shape| {
            json!({
                "kind": shape.kind.name(), "points": shape.points, "color": shape.color.map(|color| color.to_string()),
                "label": shape.label, "radius": number(shape.radius), "width": number(shape.width),
                "height": number(shape.height), "angle": shape.angle, "axis": shape.axis, "coils": shape.coils,
                "line": shape.stroke.map(|stroke| stroke.name()), "fill": shape.fill, "length": number(shape.length),
            })
        })
        .collect();
    json!({ "dimension": picture.dimension, "assumed": picture.assumed, "points": points, "scalars": scalars, "shapes": shapes })
}
