//! A plot: the data made tame, the room its labels need, and the drawing.

use crate::canvas::{Anchor, Canvas, Paint, TextStyle, centred};
use crate::colour::{Palette, dash};
use crate::font;
use crate::legend::{self, Legend};
use crate::mark;
use crate::model::{Line, Plot};
use crate::rect::{Margins, Rect, crisp};
use crate::thin::{Point, thin};
use crate::tick::{Along, Axis, NUMBER_SIZE, tame, tame_positive};

pub(crate) const LABEL_SIZE: f64 = 12.0;
const TICK: f64 = 4.0;
const LINE_WIDTH: f64 = 1.6;

/// A plot with its data checked, its ranges known and its legend decided.
pub(crate) struct Prepared<'a> {
    plot: &'a Plot,
    /// Each line as unbroken pieces of values that the axes can place.
    pieces: Vec<Vec<Vec<Point>>>,
    x_range: Option<(f64, f64)>,
    y_range: Option<(f64, f64)>,
    x_margin: f64,
    legend: Legend,
    mark_rows: usize,
    pub margins: Margins,
}

impl<'a> Prepared<'a> {
    /// Decides all that depends on the room, which is `cell` with margins and all.
    pub fn new(plot: &'a Plot, cell: Rect) -> Prepared<'a> {
        let pieces: Vec<_> = plot.lines.iter().map(|line| unbroken(line, plot.log_y)).collect();
        let range = |k: usize| {
            let values = pieces.iter().flatten().flatten().map(|p| p[k]);
            values.fold(None, |r: Option<(f64, f64)>, v| Some(r.map_or((v, v), |(lo, hi)| (lo.min(v), hi.max(v)))))
        };
        // Lines over time begin and end at the frame; closed curves keep clear of it.
        let ordered = pieces.iter().flatten().all(|piece| piece.windows(2).all(|w| w[0][0] <= w[1][0]));
        let mut prepared = Prepared {
            plot,
            x_range: range(0),
            y_range: range(1),
            x_margin: if ordered { 0.0 } else { 0.04 },
            pieces,
            legend: Legend::None,
            mark_rows: 0,
            margins: Margins::default(),
        };
        prepared.reserve(cell);
        prepared
    }

    fn reserve(&mut self, cell: Rect) {
        let mut m = Margins { left: 0.0, right: 14.0, top: 6.0, bottom: TICK + 6.0 + NUMBER_SIZE };
        let x_note = !self.x_axis(cell.w).note.is_empty();
        if !self.plot.x_label.is_empty() || x_note {
            m.bottom += LABEL_SIZE + 8.0;
        }
        let y = self.y_axis((cell.h - m.bottom - m.top).max(8.0));
        if !y.note.is_empty() {
            m.top += NUMBER_SIZE + 5.0;
        }
        m.left = y.label_width() + TICK + 8.0 + if self.plot.y_label.is_empty() { 0.0 } else { LABEL_SIZE + 8.0 };

        let estimate = Rect {
            x: cell.x + m.left,
            y: cell.y + m.top,
            w: (cell.w - m.left - m.right).max(8.0),
            h: (cell.h - m.top - m.bottom).max(8.0),
        };
        self.mark_rows = mark::rows(&self.plot.marks, &self.x_axis(estimate.w), estimate);
        m.top += self.mark_rows as f64 * mark::ROW;

        self.legend = legend::decide(&self.plot.lines, &self.plot.y_label, self.ends(estimate), estimate);
        m.right = m.right.max(self.legend.right());
        m.top += self.legend.top();
        self.margins = m;
    }

    fn x_axis(&self, width: f64) -> Axis {
        Axis::linear(self.x_range, self.x_margin, width, Along::Horizontal)
    }

    fn y_axis(&self, height: f64) -> Axis {
        if self.plot.log_y {
            return Axis::decades(self.y_range, height, Along::Vertical);
        }
        Axis::linear(self.y_range, 0.05, height, Along::Vertical)
    }

    /// The last point of each line in pixels, if there is one.
    fn ends(&self, area: Rect) -> Vec<Option<Point>> {
        let (x, y) = (self.x_axis(area.w), self.y_axis(area.h));
        let last = |pieces: &Vec<Vec<Point>>| pieces.last()?.last().map(|p| place(*p, &x, &y, area));
        self.pieces.iter().map(last).collect()
    }

    /// Draws into `area`; `cell` is where labels may reach.
    pub fn draw(&self, cell: Rect, area: Rect, palette: &Palette, canvas: &mut dyn Canvas) {
        let (x, y) = (self.x_axis(area.w), self.y_axis(area.h));
        grid(&x, &y, area, palette, canvas);
        mark::draw(&self.plot.marks, &x, area, self.mark_rows, palette, canvas);
        self.axes(&x, &y, cell, area, palette, canvas);
        for (i, pieces) in self.pieces.iter().enumerate() {
            let placed: Vec<Vec<Point>> = pieces
                .iter()
                .map(|piece| thin(&piece.iter().map(|p| place(*p, &x, &y, area)).collect::<Vec<_>>()))
                .collect();
            let colour = palette.line(i);
            canvas.lines(&placed, false, Paint::dashed(colour, LINE_WIDTH, dash(i)));
            for dot in placed.iter().filter(|piece| piece.len() == 1).take(2000) {
                canvas.circle(dot[0], 1.5 * LINE_WIDTH, Paint::fill(colour));
            }
        }
        let above = area.y - 6.0 - self.mark_rows as f64 * mark::ROW - note_height(&y);
        self.legend.draw(&self.ends(area), area, above, palette, canvas);
    }

    fn axes(&self, x: &Axis, y: &Axis, cell: Rect, area: Rect, palette: &Palette, canvas: &mut dyn Canvas) {
        let base = area.bottom();
        let frame = vec![[area.x, area.y], [area.x, base], [area.right(), base]];
        let mut marks = vec![frame];
        let number = TextStyle::new(NUMBER_SIZE, palette.muted, Anchor::Middle);
        let at_x = |at: f64| crisp(area.x + area.w * x.share_of_tick(at));
        let at_y = |at: f64| crisp(base - area.h * y.share_of_tick(at));
        for t in &x.ticks {
            marks.push(vec![[at_x(t.at), base], [at_x(t.at), base + TICK]]);
        }
        for t in &y.ticks {
            marks.push(vec![[area.x - TICK, at_y(t.at)], [area.x, at_y(t.at)]]);
        }
        for at in &y.minor {
            marks.push(vec![[area.x - TICK / 2.0, at_y(*at)], [area.x, at_y(*at)]]);
        }
        canvas.lines(&marks, false, Paint::line(palette.axis, 1.0));
        for t in &x.ticks {
            canvas.text(&t.label, [at_x(t.at), base + TICK + 3.0 + NUMBER_SIZE], number);
        }
        let right = TextStyle { anchor: Anchor::End, ..number };
        for t in &y.ticks {
            canvas.text(&t.label, [area.x - TICK - 4.0, centred(at_y(t.at), NUMBER_SIZE)], right);
        }
        let below = base + TICK + 6.0 + NUMBER_SIZE + LABEL_SIZE + 2.0;
        if !x.note.is_empty() {
            canvas.text(&x.note, [area.right(), below], right);
        }
        if !y.note.is_empty() {
            let start = TextStyle { anchor: Anchor::Start, ..number };
            canvas.text(&y.note, [area.x, area.y - 7.0 - self.mark_rows as f64 * mark::ROW], start);
        }
        let label = TextStyle::new(LABEL_SIZE, palette.ink, Anchor::Middle);
        if !self.plot.x_label.is_empty() {
            let taken = if x.note.is_empty() { 0.0 } else { 2.0 * (font::width(&x.note, NUMBER_SIZE) + 8.0) };
            let text = font::fitted(&self.plot.x_label, LABEL_SIZE, (area.w - taken).max(30.0));
            canvas.text(&text, [area.x + area.w / 2.0, below], label);
        }
        if !self.plot.y_label.is_empty() {
            let upright = TextStyle { upright: true, ..label };
            // Longer than the axis is fine while the middle of the label can stay at the middle of the axis.
            let middle = area.y + area.h / 2.0;
            let room = 2.0 * (middle - cell.y).min(cell.bottom() - middle);
            let text = font::fitted(&self.plot.y_label, LABEL_SIZE, room);
            let beside = area.x - TICK - 4.0 - y.label_width() - 10.0;
            canvas.text(&text, [beside, middle], upright);
        }
    }

    /// What the plot shows, in words.
    pub fn describe(plot: &Plot) -> String {
        use crate::tick::short;
        let names: Vec<&str> = plot.lines.iter().map(|l| l.label.as_str()).filter(|l| !l.is_empty()).take(12).collect();
        let mut text = format!("Plot of {}", if names.is_empty() { plot.y_label.clone() } else { names.join(", ") });
        if !plot.x_label.is_empty() {
            text.push_str(&format!(" over {}", plot.x_label));
        }
        let xs = plot.lines.iter().flat_map(|l| &l.x).filter_map(|v| tame(*v));
        let range = xs.fold(None, |r: Option<(f64, f64)>, v| Some(r.map_or((v, v), |(a, b)| (a.min(v), b.max(v)))));
        if let Some((lo, hi)) = range {
            text.push_str(&format!(" from {} to {}", short(lo), short(hi)));
        }
        if plot.log_y {
            text.push_str(", on a logarithmic scale");
        }
        text.push('.');
        text
    }
}

/// Room for what the labels of the vertical axis have in common.
fn note_height(y: &Axis) -> f64 {
    if y.note.is_empty() { 0.0 } else { NUMBER_SIZE + 5.0 }
}

fn place(p: Point, x: &Axis, y: &Axis, area: Rect) -> Point {
    [area.x + area.w * x.share(p[0]), area.bottom() - area.h * y.share(p[1])]
}

fn grid(x: &Axis, y: &Axis, area: Rect, palette: &Palette, canvas: &mut dyn Canvas) {
    let upright = |at: &f64| {
        let u = crisp(area.x + area.w * x.share_of_tick(*at));
        vec![[u, area.y], [u, area.bottom()]]
    };
    let level = |at: &f64| {
        let v = crisp(area.bottom() - area.h * y.share_of_tick(*at));
        vec![[area.x, v], [area.right(), v]]
    };
    let lines: Vec<_> = x.ticks.iter().map(|t| upright(&t.at)).chain(y.ticks.iter().map(|t| level(&t.at))).collect();
    canvas.lines(&lines, false, Paint::line(palette.grid, 1.0));
    if !y.log && y.lo < 0.0 && y.hi > 0.0 {
        canvas.lines(&[level(&0.0)], false, Paint::line(palette.faint(palette.axis, 0.55), 1.0));
    }
}

/// The pieces of a line between values that cannot be placed.
fn unbroken(line: &Line, log_y: bool) -> Vec<Vec<Point>> {
    let mut pieces = Vec::new();
    let mut piece = Vec::new();
    for (x, y) in line.x.iter().zip(&line.y) {
        let y = if log_y { tame_positive(*y) } else { tame(*y) };
        match (tame(*x), y) {
            (Some(x), Some(y)) => piece.push([x, y]),
            _ if !piece.is_empty() => pieces.push(std::mem::take(&mut piece)),
            _ => {}
        }
    }
    if !piece.is_empty() {
        pieces.push(piece);
    }
    pieces
}
