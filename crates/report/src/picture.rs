//! The picture of a model over the rows of a run: what stands still as numbers, what moves as columns.

use crate::rows::KeptRows;
use crate::run::ReportedRun;
use crate::series::{Series, Track};
use holonom::mechanics::compile::CompiledSystem;
use holonom::picture::{Amount, Arrows, Frames, Picture, Place, picture};
use holonom::simulate::integrate::{Recorded, TableLayout};
use holonom::symbols::expr::{Node, Symbol};
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
pub(crate) fn width(system: &CompiledSystem) -> Option<usize> {
    let picture = picture(system.equations())?;
    Some(Frames::new(&picture, system.parameters()).width()).filter(|width| *width <= LARGEST)
}

/// The picture of a system, and its frames for the parameters of the system; rails as far as the motion goes.
pub(crate) fn frames(system: &CompiledSystem, rows: &KeptRows) -> Option<(Picture, Frames)> {
    let mut picture = picture(system.equations())?;
    lay_scenery(&mut picture, system, rows);
    let frames = Frames::new(&picture, system.parameters());
    (frames.width() <= LARGEST).then_some((picture, frames))
}

/// Rails, floors and guides, as far as the motion goes, and supports on the side away from it.
fn lay_scenery(picture: &mut Picture, system: &CompiledSystem, rows: &KeptRows) {
    let (step, layout) = (rows.len().div_ceil(PLACES).max(1), TableLayout::of(system));
    if !picture.rails.is_empty() {
        let mut frames = Frames::new(picture, system.parameters());
        let mut places: Vec<Vec<[f64; 3]>> = vec![Vec::new(); picture.rails.len()];
        let mut values = Vec::new();
        for row in rows.iter().step_by(step) {
            let (q, v) = layout.state(row);
            frames.at(row[0], &q, &v, &mut values);
            for (rail, places) in picture.rails.iter().zip(&mut places) {
                places.push(frames.place(rail.point, &values));
            }
        }
        let mut places = places.into_iter();
        picture.lay_rails(system.parameters(), |_| {
            let places = places.next().unwrap_or_default();
            places.into_iter().map(|[x, y, _]| [x, y]).collect()
        });
    }
    picture.turn_supports(
        system.parameters(),
        rows.iter().step_by(step).map(|row| {
            let (q, v) = layout.state(row);
            (row[0], q, v)
        }),
    );
    picture.lay_slides(system.parameters(), |slide| {
        let values = rows
            .iter()
            .step_by(step)
            .map(|row| row[layout.place(Recorded::Position(slide.coordinate))])
            .filter(|x| x.is_finite());
        values.fold(None, |range: Option<(f64, f64)>, x| {
            let (low, high) = range.unwrap_or((x, x));
            Some((low.min(x), high.max(x)))
        })
    });
}

impl Stage {
    /// Adds the columns of what moves to the series.
    pub(crate) fn new(run: &ReportedRun, series: &mut Series) -> Option<Self> {
        let (mut picture, _) = frames(run.system, run.rows)?;
        let arrows = picture.arrows(run.system.equations());
        let mut frames = Frames::new(&picture, run.system.parameters());
        let layout = TableLayout::of(run.system);
        // Velocities of coordinates are columns of the table already.
        let table = table_columns(&picture, &frames, &layout);
        let mut places = vec![0; frames.width()];
        let mut kept = Vec::new();
        for (which, known) in table.iter().enumerate() {
            places[which] = known.unwrap_or_else(|| {
                kept.push(which);
                series.tracks.len() + kept.len() - 1
            });
        }
        let mut columns = vec![Vec::with_capacity(run.rows.len()); kept.len()];
        let mut values = Vec::new();
        for row in run.rows.iter() {
            let (q, v) = layout.state(row);
            frames.at(row[0], &q, &v, &mut values);
            columns.iter_mut().zip(&kept).for_each(|(column, &which)| column.push(values[which]));
        }
        for (which, values) in columns.into_iter().enumerate() {
            let name = format!("picture.{which}");
            // The scale bar is in this unit.
            let unit = run.system.equations().model.has_units.then(|| "m".to_string());
            series.tracks.push(Track { label: name.clone(), name, unit, values });
        }
        Some(Self { description: description(&picture, &frames, &places, &arrows, &layout, run.rows.columns.len()) })
    }
}

/// For each value of a frame the column of the table that has it, if it is the velocity of a coordinate.
fn table_columns(picture: &Picture, frames: &Frames, layout: &TableLayout) -> Vec<Option<usize>> {
    let mut table = vec![None; frames.width()];
    for (point, place) in picture.points.iter().zip(frames.points()) {
        let Place::Moving(columns) = place else { continue };
        for (&id, column) in point.iter().zip(columns) {
            if let (Node::Symbol(Symbol::Velocity(j)), Some(column)) = (picture.graph.node(id), *column) {
                table[column] = Some(layout.place(Recorded::Velocity(*j as usize)));
            }
        }
    }
    table
}

/// A number as the viewer takes it; what is none is 0.
fn finite(x: f64) -> f64 {
    if x.is_finite() { x } else { 0.0 }
}

fn description(
    picture: &Picture,
    frames: &Frames,
    places: &[usize],
    arrows: &Arrows,
    layout: &TableLayout,
    width: usize,
) -> Value {
    let points: Vec<Value> = frames
        .points()
        .iter()
        .map(|place| match place {
            Place::Fixed(place) => json!({ "fixed": place.map(finite) }),
            Place::Moving(columns) => json!({ "columns": columns.map(|column| column.map(|c| places[c])) }),
        })
        .collect();
    let scalars: Vec<Value> = frames
        .scalars()
        .iter()
        .map(|amount| match amount {
            Amount::Fixed(value) => json!({ "fixed": finite(*value) }),
            Amount::Moving(column) => json!({ "column": places[*column] }),
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
    let force = |j: usize| [Recorded::IdealForce(j), Recorded::NonidealForce(j)].map(|what| layout.place(what));
    let reactions: Vec<Value> = match width >= layout.states_and_forces() {
        true => arrows.reactions.iter().map(|(point, of)| json!([point, of.map(|one| one.map(force))])).collect(),
        false => vec![],
    };
    let arrows = json!({ "velocities": arrows.velocities, "reactions": reactions });
    json!({ "dimension": picture.dimension, "arrows": arrows, "assumed": picture.assumed, "points": points, "scalars": scalars, "shapes": shapes })
}
