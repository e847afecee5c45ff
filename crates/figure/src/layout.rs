//! Where the panels go: a grid below the title, with the axes of a row and of a column in line.

use crate::canvas::{Anchor, Canvas, TextStyle, centred};
use crate::colour::Palette;
use crate::font;
use crate::model::{Figure, Panel};
use crate::picture;
use crate::plot::Prepared;
use crate::rect::{Margins, Rect};
use holonom_elementary as elementary;

const TITLE_SIZE: f64 = 15.0;
const PANEL_TITLE_SIZE: f64 = 12.5;
/// Free on all sides of the figure, and between panels.
const EDGE: f64 = 10.0;
const GAP: f64 = 14.0;

/// The size of the page.
pub(crate) fn size(figure: &Figure) -> (f64, f64) {
    (f64::from(figure.width.clamp(120, 8000)), f64::from(figure.height.clamp(90, 8000)))
}

/// Draws the whole figure.
pub(crate) fn draw(figure: &Figure, canvas: &mut dyn Canvas) {
    let palette = Palette::of(figure.theme);
    let (width, height) = size(figure);
    let mut page = Rect { x: EDGE, y: EDGE, w: width - 2.0 * EDGE, h: height - 2.0 * EDGE };
    if let Some(title) = &figure.title {
        let text = font::fitted(title, TITLE_SIZE, page.w);
        let style = TextStyle::new(TITLE_SIZE, palette.ink, Anchor::Middle);
        canvas.text(&text, [width / 2.0, centred(page.y + 9.0, TITLE_SIZE)], style);
        page.y += 28.0;
        page.h -= 28.0;
    }
    if figure.panels.is_empty() {
        return;
    }
    let columns = columns(figure, page);
    let cells = cells(page, columns, figure.panels.len());
    let prepared: Vec<Option<Prepared<'_>>> = figure
        .panels
        .iter()
        .zip(&cells)
        .map(|(panel, cell)| match panel {
            Panel::Plot(plot) => Some(Prepared::new(plot, below_title(plot.title.as_deref(), *cell))),
            Panel::Picture(_) => None,
        })
        .collect();
    let margins = aligned(&prepared, columns);
    for (i, panel) in figure.panels.iter().enumerate() {
        let cell = cells[i];
        match (panel, &prepared[i]) {
            (Panel::Plot(plot), Some(prepared)) => {
                let cell = below_title(plot.title.as_deref(), cell);
                let area = cell.inside(margins[i]);
                panel_title(plot.title.as_deref(), cells[i], area.x + area.w / 2.0, &palette, canvas);
                prepared.draw(cell, area, &palette, canvas);
            }
            (Panel::Picture(picture), _) => {
                panel_title(picture.title.as_deref(), cell, cell.x + cell.w / 2.0, &palette, canvas);
                picture::draw(picture, below_title(picture.title.as_deref(), cell), &palette, canvas);
            }
            (Panel::Plot(_), None) => {}
        }
    }
}

/// The margins of each panel: sideways those of all plots in its column, upwards and downwards those of its row.
fn aligned(prepared: &[Option<Prepared<'_>>], columns: usize) -> Vec<Margins> {
    let n = prepared.len();
    let mut sideways = vec![Margins::default(); columns];
    let mut upright = vec![Margins::default(); n.div_ceil(columns)];
    for (i, plot) in prepared.iter().enumerate() {
        let Some(m) = plot.as_ref().map(|p| p.margins) else { continue };
        let (s, u) = (&mut sideways[i % columns], &mut upright[i / columns]);
        (s.left, s.right) = (s.left.max(m.left), s.right.max(m.right));
        (u.top, u.bottom) = (u.top.max(m.top), u.bottom.max(m.bottom));
    }
    let both = |i: usize| {
        let (s, u) = (sideways[i % columns], upright[i / columns]);
        Margins { left: s.left, right: s.right, top: u.top, bottom: u.bottom }
    };
    (0..n).map(both).collect()
}

/// How many panels stand side by side: the number whose panels are closest to 1.6 times as wide as high.
fn columns(figure: &Figure, page: Rect) -> usize {
    let n = figure.panels.len();
    if let Some(columns) = figure.columns {
        return columns.clamp(1, n);
    }
    let unlike = |columns: usize| {
        let rows = n.div_ceil(columns);
        let shape = (page.w / columns as f64) / (page.h / rows as f64);
        let empty = (columns * rows - n) as f64 / n as f64;
        elementary::ln(shape / 1.6).abs() + empty
    };
    (1..=n.min(8)).min_by(|a, b| unlike(*a).total_cmp(&unlike(*b))).unwrap_or(1)
}

fn cells(page: Rect, columns: usize, n: usize) -> Vec<Rect> {
    let rows = n.div_ceil(columns);
    let w = ((page.w - GAP * (columns - 1) as f64) / columns as f64).max(8.0);
    let h = ((page.h - GAP * (rows - 1) as f64) / rows as f64).max(8.0);
    let cell = |i: usize| Rect {
        x: page.x + (i % columns) as f64 * (w + GAP),
        y: page.y + (i / columns) as f64 * (h + GAP),
        w,
        h,
    };
    (0..n).map(cell).collect()
}

fn below_title(title: Option<&str>, cell: Rect) -> Rect {
    let used = if title.is_some() { 20.0_f64.min(cell.h / 2.0) } else { 0.0 };
    Rect { y: cell.y + used, h: cell.h - used, ..cell }
}

fn panel_title(title: Option<&str>, cell: Rect, middle: f64, palette: &Palette, canvas: &mut dyn Canvas) {
    let Some(title) = title else { return };
    let room = 2.0 * (middle - cell.x).min(cell.right() - middle);
    let text = font::fitted(title, PANEL_TITLE_SIZE, room);
    let style = TextStyle::new(PANEL_TITLE_SIZE, palette.ink, Anchor::Middle);
    canvas.text(&text, [middle, centred(cell.y + 8.0, PANEL_TITLE_SIZE)], style);
}
