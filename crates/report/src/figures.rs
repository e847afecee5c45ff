//! Single figures of a run, for papers and slides: plots by name, and the motion as a stroboscopic picture.

use crate::plots::{PlotSpec as Chosen, plots};
use crate::reel::Reel;
use crate::series::{Series, Track};
use crate::{Overlay, ReportedRun, picture, verdict};
use holonom::language::closest;
use holonom::language::units::readable;
use holonom::mechanics::compile::CompiledSystem;
use holonom::simulate::integrate::Column;
use holonom_figure::{Figure, Line, Mark, Panel, Plot, Theme};

/// Kinds of plots that can be asked for by one word.
const KINDS: [&str; 9] =
    ["coordinates", "velocities", "accelerations", "outputs", "forces", "constraints", "energy", "drift", "principles"];
/// How often the mechanism is seen in a picture.
const FRAMES: usize = 9;
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
    Picture(Overlay),
}

impl Wanted {
    /// Reads `x, y`, `y over x`, `energy`, `picture`, or `picture` and what is drawn on it, in any order; nothing means the
    /// coordinates.
    ///
    /// # Errors
    /// What is wrong, and what could be meant.
    pub fn read(text: &str, system: &CompiledSystem, columns: &[Column]) -> Result<Self, String> {
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
            _ if text.split(',').any(|word| word.trim() == "picture") => {
                if picture::width(system).is_none() {
                    return Err("the model has no picture\n  help: add `draw` statements".to_string());
                }
                What::Picture(Overlay::read(text.split(',').filter(|word| word.trim() != "picture"))?)
            }
            // `energy` is a column too; as a word of its own it means all energies.
            "principles" if !names.iter().any(|name| name == "virtual.C") => {
                return Err(
                    "the table has no columns of principles\n  help: run the model with `--principles`".to_string()
                );
            }
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
pub fn figure(run: &ReportedRun, wanted: &Wanted) -> Result<Figure, String> {
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
        What::Picture(overlay) => vec![still(run, *overlay)?],
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

fn marks(run: &ReportedRun) -> Vec<Mark> {
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
fn still(run: &ReportedRun, overlay: Overlay) -> Result<Panel, String> {
    let mut reel = Reel::new(run, overlay)?;
    let (begin, end) = reel.times();
    let mut times: Vec<f64> = (0..FRAMES).map(|i| begin + (end - begin) * i as f64 / (FRAMES - 1) as f64).collect();
    times.dedup();
    let frames = times.into_iter().map(|time| reel.frame(time, end)).collect();
    Ok(Panel::Picture(reel.picture(frames)))
}
