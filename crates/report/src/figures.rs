//! Single figures of a run, for papers and slides: plots by name, and the motion as a stroboscopic picture.

use crate::data::readable;
use crate::plots::{Plot as Chosen, plots};
use crate::series::{Series, Track};
use crate::{Run, picture, verdict};
use holonom::compile::System;
use holonom::integrate::Column;
use holonom::model::{DrawnShape, Stroke, closest};
use holonom_figure::{Figure, Frame, Kind, Line, Mark, Panel, Picture, Plot, Shape, Theme, Weight};

/// Kinds of plots that can be asked for by one word.
const KINDS: [&str; 8] =
    ["coordinates", "velocities", "accelerations", "outputs", "forces", "constraints", "energy", "drift"];
/// How often the mechanism is seen in a picture.
const FRAMES: usize = 9;
/// Points of a trace.
const TRACE: usize = 1_500;
/// Marks beyond this many would hide the lines.
const MARKS: usize = 12;

/// What a figure is to show.
#[derive(Clone, Debug, PartialEq)]
pub struct Wanted {
    what: What,
}

#[derive(Clone, Debug, PartialEq)]
enum What {
    /// All plots of a kind.
    Kind(String),
    /// Quantities over time.
    Lines(Vec<String>),
    /// Quantities over another.
    Over(Vec<String>, String),
    /// The motion.
    Picture,
}

impl Wanted {
    /// Reads `x, y`, `y over x`, `energy` or `picture`; nothing means the coordinates.
    ///
    /// # Errors
    /// What is wrong, and what could be meant.
    pub fn read(text: &str, system: &System, columns: &[Column]) -> Result<Self, String> {
        let mut names: Vec<String> = columns.iter().map(|column| column.name.clone()).collect();
        names.push("energy".to_string());
        names.extend(system.equations().model.coordinates.iter().map(|c| format!("Q.{}", c.name)));
        let known = |name: &str| -> Result<String, String> {
            let name = name.trim();
            if names.iter().any(|known| known == name) {
                return Ok(name.to_string());
            }
            let near = closest(name, names.iter().map(String::as_str).chain(KINDS).chain(["picture"]));
            let help = near.map_or_else(
                || format!("a kind ({}, picture) or columns of the table", KINDS.join(", ")),
                |near| format!("did you mean `{near}`?"),
            );
            Err(format!("there is no `{name}` to plot\n  help: {help}"))
        };
        let list = |text: &str| text.split(',').map(known).collect::<Result<Vec<_>, _>>();
        let text = text.trim();
        let what = match text {
            "" => What::Kind("coordinates".to_string()),
            "picture" if picture::width(system).is_none() => {
                return Err("the model has no picture\n  help: add `draw` statements".to_string());
            }
            "picture" => What::Picture,
            // `energy` is a column too; as a word of its own it means all energies.
            _ if KINDS.contains(&text) => What::Kind(text.to_string()),
            _ => match text.split_once(" over ") {
                Some((y, x)) => What::Over(list(y)?, known(x)?),
                None => What::Lines(list(text)?),
            },
        };
        Ok(Self { what })
    }
}

/// A figure of a run.
///
/// # Errors
/// Where there is nothing to show.
pub fn figure(run: &Run, wanted: &Wanted) -> Result<Figure, String> {
    let series = Series::new(run.system, run.rows);
    let marks = marks(run);
    let plot = |y: &[usize], x: usize, log: bool, title: Option<String>| {
        Panel::Plot(Plot {
            title,
            x_label: axis(&series.tracks[x], true),
            y_label: common(&series, y),
            log_y: log,
            lines: y.iter().map(|&place| line(&series.tracks[x], &series.tracks[place])).collect(),
            marks: if x == 0 { marks.clone() } else { Vec::new() },
        })
    };
    let place = |name: &String| series.place(name).ok_or_else(|| format!("there is no `{name}` to plot"));
    let panels = match &wanted.what {
        What::Picture => vec![still(run)?],
        What::Lines(names) => {
            let y: Vec<usize> = names.iter().map(place).collect::<Result<_, _>>()?;
            by_unit(&series, &y).into_iter().map(|y| plot(&y, 0, false, None)).collect()
        }
        What::Over(names, x) => {
            let y: Vec<usize> = names.iter().map(place).collect::<Result<_, _>>()?;
            vec![plot(&y, place(x)?, false, None)]
        }
        What::Kind(kind) => {
            let all = plots(run.system, &series);
            let is_one = |chosen: &&Chosen| {
                let rest = chosen.id.strip_prefix(kind.as_str());
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
            };
            let chosen: Vec<&Chosen> = all.iter().filter(is_one).take(4).collect();
            if chosen.is_empty() {
                return Err(format!("there is nothing to plot of `{kind}`"));
            }
            let many = chosen.len() > 1;
            let title = |chosen: &Chosen| many.then(|| chosen.title.clone());
            chosen.iter().map(|chosen| plot(&chosen.y, 0, chosen.log, title(chosen))).collect()
        }
    };
    let height = if panels.len() > 2 { 720 } else { 420 };
    let title = run.summary["title"].as_str().map(String::from);
    Ok(Figure { title, width: 720, height, theme: Theme::Light, columns: None, panels })
}

/// Lines that share a unit share a panel.
fn by_unit(series: &Series, places: &[usize]) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for &place in places {
        let same = |group: &&mut Vec<usize>| series.tracks[group[0]].unit == series.tracks[place].unit;
        match groups.iter_mut().find(same) {
            Some(group) => group.push(place),
            None => groups.push(vec![place]),
        }
    }
    groups
}

fn marks(run: &Run) -> Vec<Mark> {
    let events = verdict::events(run.summary);
    let all = if events.len() > MARKS { &[][..] } else { &events[..] };
    all.iter().map(|(time, name, _)| Mark { x: *time, label: name.clone() }).collect()
}

/// `θ [rad]`
fn axis(track: &Track, named: bool) -> String {
    let unit = track.unit.as_deref().map(readable).filter(|unit| !unit.is_empty());
    let name = if named { track.label.as_str() } else { "" };
    match unit {
        Some(unit) if named => format!("{name} [{unit}]"),
        Some(unit) => format!("[{unit}]"),
        None => name.to_string(),
    }
}

/// What the vertical axis is called: the one quantity, or the unit of all.
fn common(series: &Series, y: &[usize]) -> String {
    y.first().map_or(String::new(), |&place| axis(&series.tracks[place], y.len() == 1))
}

fn line(x: &Track, y: &Track) -> Line {
    Line { label: y.label.clone(), x: x.values.clone(), y: y.values.clone() }
}

/// The mechanism at a few instants.
fn still(run: &Run) -> Result<Panel, String> {
    let (picture, mut frames) = picture::frames(run.system, run.rows).ok_or("the model has no picture")?;
    let n = run.system.coordinates();
    let rows: Vec<&[f64]> = run.rows.iter().collect();
    let (Some(first), Some(last)) = (rows.first(), rows.last()) else { return Err("there are no rows".to_string()) };
    let (begin, end) = (first[0], last[0]);
    let mut values = Vec::new();
    let at = |row: &[f64], frames: &mut holonom::picture::Frames, values: &mut Vec<f64>| {
        let q: Vec<f64> = (0..n).map(|j| row[1 + 3 * j]).collect();
        let v: Vec<f64> = (0..n).map(|j| row[2 + 3 * j]).collect();
        frames.at(row[0], &q, &v, values);
    };
    let mut shown: Vec<usize> = (0..FRAMES)
        .map(|i| begin + (end - begin) * i as f64 / (FRAMES - 1) as f64)
        .map(|time| rows.partition_point(|row| row[0] < time).min(rows.len() - 1))
        .collect();
    shown.dedup();
    let step = rows.len().div_ceil(TRACE).max(1);
    let mut traces: Vec<Vec<[f64; 3]>> = vec![Vec::new(); picture.shapes.len()];
    for row in rows.iter().step_by(step).chain([last]) {
        at(row, &mut frames, &mut values);
        for (shape, trace) in
            picture.shapes.iter().zip(&mut traces).filter(|(shape, _)| shape.kind == DrawnShape::Trace)
        {
            trace.extend(shape.points.first().map(|&point| frames.place(point, &values)));
        }
    }
    let mut all = Vec::new();
    for which in shown {
        let row = rows[which];
        at(row, &mut frames, &mut values);
        let number = |scalar: Option<usize>| scalar.map(|scalar| frames.amount(scalar, &values));
        let shapes = picture.shapes.iter().zip(&traces).map(|(shape, trace)| Shape {
            kind: match shape.kind {
                DrawnShape::Point => Kind::Point,
                DrawnShape::Line => Kind::Line,
                DrawnShape::Path => Kind::Path,
                DrawnShape::Spring => Kind::Spring,
                DrawnShape::Trace => Kind::Trace,
                DrawnShape::Polygon => Kind::Polygon,
                DrawnShape::Body => Kind::Body,
            },
            points: match shape.kind {
                DrawnShape::Trace => trace.clone(),
                _ => shape.points.iter().map(|&point| frames.place(point, &values)).collect(),
            },
            color: shape.color.map(|color| color.to_string()),
            label: shape.label.clone(),
            radius: number(shape.radius),
            width: number(shape.width),
            height: number(shape.height),
            angle: number(shape.angle),
            axis: shape.axis.map(|axis| frames.place(axis, &values)),
            coils: shape.coils,
            line: shape.stroke.map(|stroke| match stroke {
                Stroke::Thin => Weight::Thin,
                Stroke::Normal => Weight::Normal,
                Stroke::Thick => Weight::Thick,
            }),
            fill: shape.fill,
        });
        all.push(Frame { time: row[0], shapes: shapes.collect() });
    }
    let unit = run.system.equations().model.has_units.then(|| "m".to_string());
    let time_unit = run.rows.columns.first().and_then(|column| column.unit.clone());
    Ok(Panel::Picture(Picture { title: None, spatial: picture.dimension == 3, unit, time_unit, frames: all }))
}
