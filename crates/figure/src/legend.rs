//! Names of lines: at their ends where they fit, otherwise in rows above the plot. Never over the data.

use crate::canvas::{Anchor, Canvas, Paint, TextStyle, centred};
use crate::colour::{Palette, dash};
use crate::font;
use crate::model::Line;
use crate::rect::Rect;
use crate::thin::Point;

const SIZE: f64 = 11.5;
/// Distance of names at the ends of lines.
const SPACING: f64 = 16.0;
/// A name may be moved this far from the end of its line.
const MOST_MOVED: f64 = 34.0;
/// From the end of a line to its name.
const LEADER: f64 = 12.0;
const ROW: f64 = 17.0;
const MOST_ROWS: usize = 8;
/// The share of the height of a plot that rows may take.
const MOST_HEIGHT: f64 = 0.35;
const SAMPLE: f64 = 24.0;
const SAMPLE_GAP: f64 = 5.0;
const ENTRY_GAP: f64 = 16.0;

/// Where the names go.
pub(crate) enum Legend {
    None,
    /// Number of the line and its name.
    AtEnds(Vec<(usize, String)>),
    Rows(Vec<Vec<Entry>>),
}

/// A name in a row.
pub(crate) struct Entry {
    /// Its line; `None` for the note that some are left out.
    line: Option<usize>,
    text: String,
    /// From the left of the plot.
    x: f64,
}

/// Chooses a legend. `ends` are the last points of the lines in an `area` that is about the final one.
pub(crate) fn decide(lines: &[Line], y_label: &str, ends: Vec<Option<Point>>, area: Rect) -> Legend {
    let named = |i: &usize| !lines[*i].label.is_empty() && ends[*i].is_some();
    let names: Vec<usize> = (0..lines.len()).filter(named).collect();
    let alone =
        lines.len() == 1 && (lines[0].label == y_label || y_label.starts_with(&format!("{} [", lines[0].label)));
    if names.is_empty() || alone {
        return Legend::None;
    }
    at_ends(lines, &names, &ends, area).unwrap_or_else(|| rows(lines, &names, area))
}

fn at_ends(lines: &[Line], names: &[usize], ends: &[Option<Point>], area: Rect) -> Option<Legend> {
    let widest = names.iter().map(|i| font::width(&lines[*i].label, SIZE)).fold(0.0, f64::max);
    if names.len() as f64 * SPACING > area.h || widest > 0.24 * area.w || names.len() > 10 {
        return None;
    }
    let heights: Vec<f64> =
        names.iter().map(|i| ends[*i].filter(|p| p[0] > area.right() - 5.0).map(|p| p[1])).collect::<Option<_>>()?;
    let moved = spread(&heights, area.y, area.bottom());
    if heights.iter().zip(&moved).any(|(a, b)| (a - b).abs() > MOST_MOVED) {
        return None;
    }
    Some(Legend::AtEnds(names.iter().map(|i| (*i, lines[*i].label.clone())).collect()))
}

fn rows(lines: &[Line], names: &[usize], area: Rect) -> Legend {
    let width = area.w;
    let most = ((MOST_HEIGHT * area.h / ROW) as usize).min(MOST_ROWS);
    if most == 0 {
        return Legend::None;
    }
    let mut rows: Vec<Vec<Entry>> = vec![Vec::new()];
    let mut x = 0.0;
    for (k, i) in names.iter().enumerate() {
        let text = font::fitted(&lines[*i].label, SIZE, (width - SAMPLE - SAMPLE_GAP).max(20.0));
        let entry = SAMPLE + SAMPLE_GAP + font::width(&text, SIZE);
        // The last row keeps room for the note.
        let note = format!("… {} more", names.len() - k);
        let full = rows.len() == most && k + 1 < names.len();
        let reserve = if full { ENTRY_GAP + font::width(&note, SIZE) } else { 0.0 };
        if x > 0.0 && x + entry + reserve > width {
            if rows.len() == most {
                rows[most - 1].push(Entry { line: None, text: note, x });
                break;
            }
            rows.push(Vec::new());
            x = 0.0;
        }
        if let Some(row) = rows.last_mut() {
            row.push(Entry { line: Some(*i), text, x });
        }
        x += entry + ENTRY_GAP;
    }
    Legend::Rows(rows)
}

impl Legend {
    /// The room it needs at the right.
    pub fn right(&self) -> f64 {
        match self {
            Legend::AtEnds(names) => LEADER + 8.0 + names.iter().map(|(_, n)| font::width(n, SIZE)).fold(0.0, f64::max),
            _ => 0.0,
        }
    }

    /// The room it needs above the plot.
    pub fn top(&self) -> f64 {
        match self {
            Legend::Rows(rows) => ROW * rows.len() as f64,
            _ => 0.0,
        }
    }

    /// Draws it; rows end at the height `above`.
    pub fn draw(&self, ends: &[Option<Point>], area: Rect, above: f64, palette: &Palette, canvas: &mut dyn Canvas) {
        match self {
            Legend::None => {}
            Legend::AtEnds(names) => {
                let heights: Vec<f64> = names.iter().map(|(i, _)| ends[*i].map_or(area.y, |p| p[1])).collect();
                for (((i, name), from), to) in names.iter().zip(&heights).zip(spread(&heights, area.y, area.bottom())) {
                    let colour = palette.line(*i);
                    let leader = vec![[area.right() + 2.0, *from], [area.right() + LEADER - 2.0, to]];
                    canvas.lines(&[leader], false, Paint::line(palette.faint(colour, 0.6), 1.0));
                    let style = TextStyle::new(SIZE, colour, Anchor::Start);
                    canvas.text(name, [area.right() + LEADER + 1.0, centred(to, SIZE)], style);
                }
            }
            Legend::Rows(rows) => {
                for (r, row) in rows.iter().enumerate() {
                    let y = above - ROW * (rows.len() - r) as f64 + ROW / 2.0;
                    for entry in row {
                        let x = area.x + entry.x;
                        let Some(i) = entry.line else {
                            let style = TextStyle::new(SIZE, palette.muted, Anchor::Start);
                            canvas.text(&entry.text, [x, centred(y, SIZE)], style);
                            continue;
                        };
                        let sample = vec![[x, y], [x + SAMPLE, y]];
                        canvas.lines(&[sample], false, Paint::dashed(palette.line(i), 2.0, dash(i)));
                        let style = TextStyle::new(SIZE, palette.ink, Anchor::Start);
                        canvas.text(&entry.text, [x + SAMPLE + SAMPLE_GAP, centred(y, SIZE)], style);
                    }
                }
            }
        }
    }
}

/// Moves heights apart until they keep their distance, as little as possible in the sense of least squares, and
/// keeps them between `low` and `high`. The answer is in the order of the question.
///
/// In their order, `height − rank·SPACING` must not decrease: neighbours that violate it are pooled at their mean.
fn spread(heights: &[f64], low: f64, high: f64) -> Vec<f64> {
    let mut order: Vec<usize> = (0..heights.len()).collect();
    order.sort_by(|a, b| heights[*a].total_cmp(&heights[*b]));
    let mut pools: Vec<(f64, usize)> = Vec::new();
    for (rank, i) in order.iter().enumerate() {
        pools.push((heights[*i] - rank as f64 * SPACING, 1));
        while let [.., (a, n), (b, m)] = pools[..]
            && a > b
        {
            pools.truncate(pools.len() - 2);
            pools.push(((a * n as f64 + b * m as f64) / (n + m) as f64, n + m));
        }
    }
    let top = (high - SPACING * heights.len().saturating_sub(1) as f64).max(low);
    let mut moved = vec![0.0; heights.len()];
    let flat = pools.iter().flat_map(|(mean, n)| std::iter::repeat_n(mean.clamp(low, top), *n));
    for ((rank, i), z) in order.iter().enumerate().zip(flat) {
        moved[*i] = z + rank as f64 * SPACING;
    }
    moved
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_move_as_little_as_they_can() {
        assert_eq!(spread(&[50.0, 10.0], 0.0, 100.0), [50.0, 10.0]);
        assert_eq!(spread(&[50.0, 50.0], 0.0, 100.0), [42.0, 58.0]);
        assert_eq!(spread(&[0.0, 0.0, 99.0], 0.0, 100.0), [0.0, 16.0, 99.0]);
        assert_eq!(spread(&[100.0, 100.0], 0.0, 100.0), [84.0, 100.0]);
    }

    #[test]
    fn many_names_are_bounded() {
        let lines: Vec<Line> = (0..500).map(|i| Line { label: format!("coordinate {i}"), ..Line::default() }).collect();
        let names: Vec<usize> = (0..500).collect();
        let Legend::Rows(rows) = rows(&lines, &names, Rect { x: 0.0, y: 0.0, w: 400.0, h: 900.0 }) else {
            panic!("rows")
        };
        assert_eq!(rows.len(), MOST_ROWS);
        let last = &rows[MOST_ROWS - 1];
        assert!(last[last.len() - 1].text.ends_with("more"));
    }
}
