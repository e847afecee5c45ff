//! Marks: vertical lines through a plot, named above it where there is room.

use crate::canvas::{Anchor, Canvas, Paint, TextStyle};
use crate::colour::Palette;
use crate::font;
use crate::model::Mark;
use crate::rect::Rect;
use crate::tick::{Axis, tame};

/// The height of a row of names.
pub(crate) const ROW: f64 = 14.0;
const SIZE: f64 = 10.5;
const MOST_ROWS: usize = 2;
/// Marks closer than this are one line.
const CLOSE: f64 = 2.5;

struct Placed {
    x: f64,
    /// Text, the middle of it and its row.
    name: Option<(String, f64, usize)>,
}

/// How many rows of names the marks need.
pub(crate) fn rows(marks: &[Mark], x: &Axis, area: Rect) -> usize {
    let rows = place(marks, x, area, MOST_ROWS);
    rows.iter().filter_map(|p| p.name.as_ref()).map(|n| n.2 + 1).max().unwrap_or(0)
}

fn place(marks: &[Mark], axis: &Axis, area: Rect, most_rows: usize) -> Vec<Placed> {
    let inside = |m: &Mark| {
        let share = axis.share(tame(m.x)?);
        (-1e-9..=1.0 + 1e-9).contains(&share).then_some(area.x + area.w * share)
    };
    let mut found: Vec<(f64, &Mark)> = marks.iter().filter_map(|m| Some((inside(m)?, m))).collect();
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut free = vec![f64::NEG_INFINITY; most_rows];
    let mut placed: Vec<Placed> = Vec::new();
    for (x, mark) in found {
        if placed.last().is_some_and(|p| x - p.x < CLOSE) {
            continue;
        }
        let text = font::fitted(&mark.label, SIZE, 0.6 * area.w);
        let half = font::width(&text, SIZE) / 2.0;
        let middle = x.clamp(area.x + half, (area.right() - half).max(area.x + half));
        let row = free.iter().position(|end| middle - half >= *end).filter(|_| !text.is_empty());
        if let Some(row) = row {
            free[row] = middle + half + 8.0;
        }
        placed.push(Placed { x, name: row.map(|row| (text, middle, row)) });
    }
    placed
}

/// Draws the marks; there is room for `rows` of names above the area.
pub(crate) fn draw(marks: &[Mark], x: &Axis, area: Rect, rows: usize, palette: &Palette, canvas: &mut dyn Canvas) {
    let placed = place(marks, x, area, rows);
    let line = |p: &Placed| {
        let top = p.name.as_ref().map_or(area.y, |n| area.y - 3.0 - ROW * n.2 as f64);
        vec![[p.x, area.bottom()], [p.x, top]]
    };
    let lines: Vec<_> = placed.iter().map(line).collect();
    canvas.lines(&lines, false, Paint::dashed(palette.faint(palette.axis, 0.8), 1.0, &[3.0, 3.0]));
    let style = TextStyle { halo: Some(palette.paper), ..TextStyle::new(SIZE, palette.muted, Anchor::Middle) };
    for (text, middle, row) in placed.into_iter().filter_map(|p| p.name) {
        canvas.text(&text, [middle, area.y - 6.0 - ROW * row as f64], style);
    }
}
