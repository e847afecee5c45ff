//! Small charts of a run, drawn with characters in the terminal.

mod canvas;
mod outline;

use std::io::{self, IsTerminal};

use holonom::simulate::integrate::{Column, Plan, Recorded, TableLayout};

use crate::solve::text::digits;
use crate::terminal::{Colour, columns, has_braille};
use canvas::Canvas;
use outline::Outline;

/// So many quantities are shown.
const SHOWN: usize = 4;
/// Charts stand side by side where a terminal has this many columns.
const TWO_ABREAST: usize = 100;
/// Wider charts are hard to follow.
const WIDEST: usize = 200;
/// What is left of a chart that has no room.
const LEAST_ROOM: usize = 8;
/// A change below this part of a value is rounding: the line is flat.
const FLAT: f64 = 1e-9;
/// Numbers at the axis are as exact as this part of the range.
const EXACT: f64 = 0.005;

/// When to show charts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum When {
    /// If standard output is a terminal
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl When {
    pub fn wanted(self) -> bool {
        match self {
            Self::Auto => io::stdout().is_terminal(),
            Self::Always => true,
            Self::Never => false,
        }
    }
}

/// What charts are drawn with.
#[derive(Clone, Copy, Debug)]
pub struct Paper {
    width: usize,
    braille: bool,
    colour: bool,
}

impl Paper {
    /// What the terminal can show.
    pub fn terminal(colour: Colour) -> Self {
        Self { width: columns(), braille: has_braille(), colour: colour.on_output() }
    }

    fn painted(&self, style: &str, text: &str) -> String {
        if self.colour && !text.is_empty() { format!("\x1b[{style}m{text}\x1b[0m") } else { text.to_string() }
    }

    /// A unit in letters that can be shown.
    fn unit(&self, column: &Column) -> Option<String> {
        let written = holonom_report::unit(column)?;
        if self.braille || written.is_ascii() { Some(written) } else { column.unit.clone() }
    }
}

/// The quantities of a run that are shown, as its rows come.
pub struct Charts {
    time: Column,
    tracks: Vec<Track>,
    /// What is left out: `3 more outputs`.
    rest: Option<String>,
}

/// One quantity.
struct Track {
    column: Column,
    place: usize,
    outline: Outline,
}

impl Charts {
    /// The outputs of the model; its coordinates where it has none.
    pub fn new(plan: &Plan) -> Self {
        let model = &plan.system().equations().model;
        let outputs: usize = model.outputs.iter().map(|output| output.components.len()).sum();
        let all = plan.columns.len();
        let layout = TableLayout::of(plan.system());
        // Outputs are the last columns.
        let (places, word): (Vec<usize>, _) = match outputs {
            0 => ((0..model.coordinates.len()).map(|j| layout.place(Recorded::Position(j))).collect(), "coordinate"),
            _ => ((all.saturating_sub(outputs)..all).collect(), "output"),
        };
        let columns: Vec<(usize, Column)> =
            places.iter().filter_map(|place| Some((*place, plan.columns.get(*place)?.clone()))).collect();
        let time = plan.columns.first().cloned().unwrap_or(Column { name: "t".to_string(), unit: None });
        Self::of(time, columns, plan.settings.until, word)
    }

    fn of(time: Column, columns: Vec<(usize, Column)>, duration: f64, word: &str) -> Self {
        let rest = match columns.len().saturating_sub(SHOWN) {
            0 => None,
            1 => Some(format!("1 more {word}")),
            more => Some(format!("{more} more {word}s")),
        };
        let track = |(place, column)| Track { column, place, outline: Outline::new(duration) };
        Self { time, tracks: columns.into_iter().take(SHOWN).map(track).collect(), rest }
    }

    /// Adds a row of the table.
    pub fn push(&mut self, row: &[f64]) {
        for track in &mut self.tracks {
            if let (Some(t), Some(x)) = (row.first(), row.get(track.place)) {
                track.outline.push((*t, *x));
            }
        }
    }

    /// The charts, below each other or two abreast. `file` has what is left out.
    pub fn text(&self, paper: &Paper, file: &str) -> String {
        let axes: Vec<(&Track, Axis)> =
            self.tracks.iter().filter_map(|track| Some((track, Axis::new(track.outline.range()?)))).collect();
        let Some(margin) = axes.iter().map(|(_, axis)| axis.margin()).max() else { return String::new() };
        let abreast = if paper.width >= TWO_ABREAST && axes.len() > 1 { 2 } else { 1 };
        let wide = paper.width.min(WIDEST) / abreast;
        // Two blanks, the number and a blank, the axis; and a blank before the next chart.
        let room = wide.saturating_sub(margin + 5).max(LEAST_ROOM);
        let high = if axes.len() > 2 { 3 } else { 4 };
        let mut blocks: Vec<Vec<Line>> =
            axes.iter().map(|(track, axis)| block(track, axis, paper, (margin, room, high))).collect();
        // All have the same time: it stands below the last of each column.
        let timed = blocks.len().saturating_sub(abreast);
        for (block, (track, _)) in blocks.iter_mut().zip(&axes).skip(timed) {
            block.push(self.span(track, paper, (margin, room)));
        }
        let mut text = "\n".to_string();
        for row in blocks.chunks(abreast) {
            for line in 0..row.iter().map(Vec::len).max().unwrap_or(0) {
                let mut used = 0;
                for (place, block) in row.iter().enumerate() {
                    let Some(Line { bare, painted }) = block.get(line) else { continue };
                    text += &" ".repeat((place * wide).saturating_sub(used));
                    text += painted;
                    used = place * wide + bare.chars().count();
                }
                text.push('\n');
            }
        }
        if let Some(rest) = &self.rest {
            text += &format!("  {rest}: see {file}\n");
        }
        text
    }

    /// The time that a chart spans.
    fn span(&self, track: &Track, paper: &Paper, (margin, room): (usize, usize)) -> Line {
        let (begin, end) = track.outline.times().unwrap_or_default();
        let unit = paper.unit(&self.time).map_or(String::new(), |unit| format!(" {unit}"));
        let (left, right) = numbers(begin, end);
        let right = if begin == end { String::new() } else { format!("{right}{unit}") };
        let left = format!("{}t = {left}{unit}", " ".repeat(margin + 3));
        let gap = (margin + 4 + room).saturating_sub(left.chars().count() + right.chars().count()).max(1);
        let line = format!("{left}{}{right}", " ".repeat(gap)).trim_end().to_string();
        Line { painted: paper.painted("2", &line), bare: line }
    }
}

/// A chart: its name, and rows of letters beside an axis.
fn block(track: &Track, axis: &Axis, paper: &Paper, size: (usize, usize, usize)) -> Vec<Line> {
    let (margin, room, high) = size;
    let high = if axis.is_flat() { 1 } else { high };
    let (begin, end) = track.outline.times().unwrap_or_default();
    let unit = paper.unit(&track.column).map_or(String::new(), |unit| format!(" [{unit}]"));
    let remark = if begin == end { Some("one time only".to_string()) } else { axis.remark() };
    let remark = remark.map_or(String::new(), |remark| format!(", {remark}"));
    let name = shortened(&track.column.name, (margin + room + 1).saturating_sub(unit.len() + remark.len()), paper);
    let mut lines = vec![Line {
        bare: format!("  {name}{unit}{remark}"),
        painted: format!("  {}{unit}{remark}", paper.painted("1", &name)),
    }];
    let mut canvas = Canvas::new(room, high, paper.braille);
    canvas.draw(track.outline.points().map(|(t, x)| (part(t, begin, end).unwrap_or(0.0), axis.part(x))));
    for (row, letters) in canvas.lines().enumerate() {
        let number = axis.number(row, high);
        let bar = match (paper.braille, number.is_empty()) {
            (true, true) => '│',
            (true, false) => '┤',
            (false, _) => '|',
        };
        let left = format!("  {number:>margin$} ");
        let painted = format!("{left}{}{}", paper.painted("2", &bar.to_string()), paper.painted("36", &letters));
        lines.push(Line { bare: format!("{left}{bar}{letters}"), painted });
    }
    lines
}

/// A line as it is measured and as it is printed.
struct Line {
    bare: String,
    painted: String,
}

/// The range of a quantity.
struct Axis {
    low: f64,
    high: f64,
    labels: (String, String),
}

impl Axis {
    fn new((low, high): (f64, f64)) -> Self {
        Self { low, high, labels: numbers(low, high) }
    }

    /// Whether nothing but rounding moves.
    fn is_flat(&self) -> bool {
        self.high / 2.0 - self.low / 2.0 <= FLAT * (self.high.abs().max(self.low.abs()) / 2.0)
    }

    /// How far up a value is, from 0 to 1.
    fn part(&self, x: f64) -> f64 {
        if self.is_flat() { 0.5 } else { part(x, self.low, self.high).unwrap_or(0.5) }
    }

    /// What stands beside a row of letters.
    fn number(&self, row: usize, rows: usize) -> &str {
        match row {
            0 => &self.labels.1,
            row if row + 1 == rows => &self.labels.0,
            _ => "",
        }
    }

    fn margin(&self) -> usize {
        self.labels.0.len().max(self.labels.1.len())
    }

    fn remark(&self) -> Option<String> {
        match self.high - self.low {
            0.0 => Some("constant".to_string()),
            change if self.is_flat() => Some(format!("constant to {}", digits(change, 1))),
            _ => None,
        }
    }
}

/// How far a number is between two others; nothing where they are the same.
fn part(x: f64, low: f64, high: f64) -> Option<f64> {
    // Halves: the difference of two numbers may be too large for a number.
    let range = high / 2.0 - low / 2.0;
    (range > 0.0).then(|| (x / 2.0 - low / 2.0) / range)
}

/// Both ends of a range, with as many digits as it takes to read it.
fn numbers(low: f64, high: f64) -> (String, String) {
    let range = high / 2.0 - low / 2.0;
    // What is rounding beside the range is zero.
    let [low, high] = [low, high].map(|x| if x.abs() <= FLAT * range { 0.0 } else { x });
    let exact = |x: f64, text: &str| {
        let read: f64 = text.parse().unwrap_or(f64::NAN);
        let allowed = if range <= FLAT * x.abs() { EXACT * x.abs() } else { EXACT * 2.0 * range };
        (read - x).abs() <= allowed
    };
    let mut both = (digits(low, 3), digits(high, 3));
    for count in 4..=12 {
        if exact(low, &both.0) && exact(high, &both.1) {
            break;
        }
        both = (digits(low, count), digits(high, count));
    }
    both
}

/// A name that fits.
fn shortened(name: &str, room: usize, paper: &Paper) -> String {
    let room = room.max(4);
    if name.chars().count() <= room {
        return name.to_string();
    }
    let (end, length) = if paper.braille { ("…", 1) } else { ("...", 3) };
    name.chars().take(room - length).chain(end.chars()).collect()
}

#[cfg(test)]
mod tests;
