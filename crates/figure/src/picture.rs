//! A stroboscopic picture: scenery, then early frames faintly, then the last frame, and a bar for the scale.

use holonom_elementary as elementary;
use std::f64::consts::TAU;

use crate::canvas::{Anchor, Canvas, Paint, TextStyle, centred};
use crate::colour::{Colour, Palette};
use crate::font;
use crate::label::{self, Labels};
use crate::model::{FrameShape, PictureFigure, ShapeKind, Weight};
use crate::rect::Rect;
use crate::symbol::{arrow, ground, spring};
use crate::thin::{Point, thin};
use crate::tick::short;
use crate::view::{Directions, Extent, FARTHEST, Scale, across};

const DOT: f64 = 3.4;
const MOST_LABELS: usize = 200;
const NOTE_SIZE: f64 = 11.0;

/// Draws a picture into `cell`.
pub(crate) fn draw(picture: &PictureFigure, cell: Rect, palette: &Palette, canvas: &mut dyn Canvas) {
    let foot = if picture.spatial { 46.0 } else { 24.0 };
    let area =
        Rect { x: cell.x + 14.0, y: cell.y + 12.0, w: (cell.w - 28.0).max(8.0), h: (cell.h - foot - 16.0).max(8.0) };
    let directions = Directions::new(picture.spatial);
    let Some((last, early)) = picture.frames.split_last() else { return };
    let scale = Scale::new(extent(picture, &directions), area);
    let mut brush = Brush { picture, directions: &directions, scale, palette, canvas, share: 1.0 };

    // What never moves and is large lies behind everything; a pivot does not.
    let rests = |i: usize, s: &FrameShape| early.iter().all(|f| f.shapes.get(i) == Some(s));
    let behind = |i: usize, s: &FrameShape| match s.kind {
        ShapeKind::Path | ShapeKind::Ground => true,
        ShapeKind::Polygon | ShapeKind::Body => !early.is_empty() && rests(i, s),
        _ => false,
    };
    let (back, front): (Vec<_>, Vec<_>) = last.shapes.iter().enumerate().partition(|(i, s)| behind(*i, s));
    for shape in brush.ordered(back.into_iter().map(|(_, s)| s)) {
        brush.shape(shape);
    }
    for (k, frame) in early.iter().enumerate() {
        brush.share = 0.16 + 0.3 * (k + 1) as f64 / picture.frames.len() as f64;
        let stays = |i: usize, s: &FrameShape| s.kind == ShapeKind::Trace || last.shapes.get(i) == Some(s);
        let moved = frame.shapes.iter().enumerate().filter(|(i, s)| !stays(*i, s)).map(|(_, s)| s);
        for shape in brush.ordered(moved) {
            brush.shape(shape);
        }
    }
    brush.share = 1.0;
    let (traces, front): (Vec<_>, Vec<_>) = front.into_iter().map(|(_, s)| s).partition(|s| s.kind == ShapeKind::Trace);
    for shape in traces.into_iter().chain(brush.ordered(front.into_iter())) {
        brush.shape(shape);
    }
    brush.labels(&last.shapes, area);
    foot_notes(picture, &directions, scale, cell, palette, canvas);
}

/// What all drawn shapes cover, in the model's units.
fn extent(picture: &PictureFigure, directions: &Directions) -> Extent {
    let mut extent = Extent::default();
    let count = picture.frames.len();
    for (k, frame) in picture.frames.iter().enumerate() {
        for shape in frame.shapes.iter().filter(|s| s.kind != ShapeKind::Trace || k + 1 == count) {
            let reach = match shape.kind {
                ShapeKind::Point => length(shape.radius).unwrap_or(0.0),
                ShapeKind::Body => body_reach(shape),
                _ => 0.0,
            };
            for p in shape.points.iter().filter_map(|p| directions.flat(*p)) {
                extent.add(p, reach);
            }
        }
    }
    picture.seen.iter().filter_map(|p| directions.flat(*p)).for_each(|p| extent.add(p, 0.0));
    extent
}

/// A length that can be drawn.
fn length(v: Option<f64>) -> Option<f64> {
    v.filter(|v| *v > 0.0 && *v <= FARTHEST)
}

fn body_reach(shape: &FrameShape) -> f64 {
    let half = |v| length(v).unwrap_or(0.0) / 2.0;
    length(shape.radius).unwrap_or_else(|| elementary::hypot(half(shape.width), half(shape.height)))
}

/// Draws shapes at one strength.
struct Brush<'a> {
    picture: &'a PictureFigure,
    directions: &'a Directions,
    scale: Scale,
    palette: &'a Palette,
    canvas: &'a mut dyn Canvas,
    /// 1 for the last frame, less for early ones.
    share: f64,
}

impl Brush<'_> {
    /// Shapes from back to front: as given in the plane, by their distance from the eye in space.
    fn ordered<'f>(&self, shapes: impl Iterator<Item = &'f FrameShape>) -> Vec<&'f FrameShape> {
        let mut shapes: Vec<&FrameShape> = shapes.collect();
        if self.picture.spatial {
            let nearness = |s: &FrameShape| {
                let each = s.points.iter().map(|p| self.directions.nearness(*p));
                match s.kind {
                    // A floor is as far as its far end: what stands on it is before it.
                    ShapeKind::Polygon | ShapeKind::Path => each.fold(f64::MAX, f64::min),
                    _ => each.sum::<f64>() / s.points.len().max(1) as f64,
                }
            };
            shapes.sort_by(|a, b| nearness(a).total_cmp(&nearness(b)));
        }
        shapes
    }

    fn place(&self, p: [f64; 3]) -> Option<Point> {
        self.directions.flat(p).map(|p| self.scale.place(p))
    }

    fn colour(&self, shape: &FrameShape) -> Colour {
        let named = shape.color.as_deref().and_then(|name| self.palette.named(name));
        named.unwrap_or_else(|| match shape.kind {
            ShapeKind::Point | ShapeKind::Body | ShapeKind::Polygon => self.palette.line(0),
            ShapeKind::Trace => self.palette.line(1),
            ShapeKind::Path | ShapeKind::Ground => self.palette.axis,
            ShapeKind::Arrow => self.palette.line(2),
            ShapeKind::Line | ShapeKind::Spring => self.palette.ink,
        })
    }

    fn shape(&mut self, shape: &FrameShape) {
        let full = self.colour(shape);
        let colour = self.palette.faint(full, self.share);
        let stroke = Paint::line(
            colour,
            match (shape.line, shape.kind) {
                (Some(Weight::Thin), _) => 1.0,
                (Some(Weight::Thick), _) => 4.5,
                (Some(Weight::Normal), _) | (None, ShapeKind::Line) => 2.2,
                (None, ShapeKind::Body | ShapeKind::Polygon) => 1.6,
                (None, _) => 1.3,
            },
        );
        match shape.kind {
            ShapeKind::Point => {
                let radius = length(shape.radius).map_or(DOT, |r| self.scale.length(r).max(1.2));
                let paint = if shape.fill == Some(false) {
                    Paint { fill: Some(self.palette.paper), ..Paint::line(colour, 1.4) }
                } else {
                    Paint::fill(colour)
                };
                for at in shape.points.iter().filter_map(|p| self.place(*p)).collect::<Vec<_>>() {
                    self.canvas.circle(at, radius, paint);
                }
            }
            ShapeKind::Line | ShapeKind::Path | ShapeKind::Trace => {
                let pieces = self.pieces(&shape.points);
                self.canvas.lines(&pieces, false, stroke);
            }
            ShapeKind::Spring => {
                if let (Some(a), Some(b)) = (shape.points.first(), shape.points.last())
                    && let (Some(a), Some(b)) = (self.place(*a), self.place(*b))
                {
                    let coils = shape.coils.unwrap_or(8).clamp(1, 200);
                    self.canvas.lines(&[spring(a, b, coils)], false, stroke);
                }
            }
            ShapeKind::Ground => {
                let lines = ground(&self.pieces(&shape.points), self.towards_ground(shape));
                self.canvas.lines(&lines, false, stroke);
            }
            ShapeKind::Arrow => {
                if let (Some(a), Some(b)) = (shape.points.first(), shape.points.last())
                    && let (Some(a), Some(b)) = (self.place(*a), self.place(*b))
                {
                    self.canvas.lines(&arrow(a, b), false, Paint::line(colour, 1.8));
                }
            }
            ShapeKind::Polygon => {
                let corners: Option<Vec<Point>> = shape.points.iter().map(|p| self.place(*p)).collect();
                if let Some(corners) = corners {
                    let paint = self.filled(shape, full, stroke);
                    self.canvas.lines(&[corners], true, paint);
                }
            }
            ShapeKind::Body => self.body(shape, full, stroke),
        }
    }

    /// The way from a support into its ground on the page, where pixels count downwards.
    fn towards_ground(&self, shape: &FrameShape) -> Point {
        let [right, up] = shape.axis.and_then(|axis| self.directions.flat(axis)).unwrap_or([0.0, -1.0]);
        let length = elementary::hypot(right, up);
        if length > 0.0 { [right / length, -up / length] } else { [0.0, 1.0] }
    }

    fn body(&mut self, shape: &FrameShape, full: Colour, stroke: Paint) {
        let Some(&middle) = shape.points.first() else { return };
        let Some(at) = self.place(middle) else { return };
        let paint = self.filled(shape, full, stroke);
        let flat = !self.picture.spatial;
        let [e, f] = across(shape.axis.filter(|_| !flat).unwrap_or([0.0, 0.0, 1.0]), shape.angle.unwrap_or(0.0));
        let (directions, scale) = (self.directions, self.scale);
        let corner = |u: f64, v: f64| {
            let p = [0, 1, 2].map(|k| middle[k] + u * e[k] + v * f[k]);
            directions.flat(p).map(|p| scale.place(p))
        };
        if let Some(radius) = length(shape.radius) {
            let pixels = self.scale.length(radius).max(1.2);
            if flat || shape.axis.is_none() {
                self.canvas.circle(at, pixels, paint);
            } else {
                let rim = (0..48).map(|k| elementary::sin_cos(TAU * f64::from(k) / 48.0));
                let rim: Option<Vec<Point>> = rim.map(|(s, c)| corner(radius * c, radius * s)).collect();
                let Some(rim) = rim else { return };
                self.canvas.lines(&[rim], true, paint);
            }
            let spoke = corner(radius, 0.0).filter(|_| flat || shape.axis.is_some());
            if let Some(end) = spoke.filter(|_| pixels > 3.0) {
                self.canvas.lines(&[vec![at, end]], false, stroke);
            }
            return;
        }
        let half = |v: Option<f64>| length(v).map(|v| v / 2.0);
        let (Some(w), Some(h)) = (half(shape.width.or(shape.height)), half(shape.height.or(shape.width))) else {
            self.canvas.circle(at, 1.6 * DOT, paint);
            return;
        };
        let corners = [(-w, -h), (w, -h), (w, h), (-w, h)].map(|(u, v)| corner(u, v));
        if let Some(corners) = corners.into_iter().collect::<Option<Vec<Point>>>() {
            self.canvas.lines(&[corners], true, paint);
        }
    }

    fn filled(&self, shape: &FrameShape, full: Colour, stroke: Paint) -> Paint {
        let fill = (shape.fill != Some(false)).then(|| self.palette.faint(full, 0.2 * self.share.sqrt()));
        Paint { fill, ..stroke }
    }

    /// The unbroken pieces of a polyline, thinned.
    fn pieces(&self, points: &[[f64; 3]]) -> Vec<Vec<Point>> {
        let placed: Vec<Option<Point>> = points.iter().map(|p| self.place(*p)).collect();
        let pieces = placed.split(Option::is_none).filter(|piece| !piece.is_empty());
        pieces.map(|piece| thin(&piece.iter().flatten().copied().collect::<Vec<_>>())).collect()
    }

    /// Names the shapes of the last frame.
    fn labels(&mut self, shapes: &[FrameShape], area: Rect) {
        let named = |s: &&FrameShape| s.label.as_deref().is_some_and(|t| !t.is_empty());
        if !shapes.iter().any(|s| named(&s)) {
            return;
        }
        let mut labels = Labels::new(area);
        for shape in shapes {
            let mut outline: Vec<Point> = shape.points.iter().filter_map(|p| self.place(*p)).collect();
            match (shape.kind, outline.first().copied()) {
                (ShapeKind::Body, Some([x, y])) => {
                    let r = self.reach(shape);
                    outline = (0..=24)
                        .map(|k| elementary::sin_cos(TAU * f64::from(k) / 24.0))
                        .map(|(s, c)| [x + r * c, y + r * s])
                        .collect();
                }
                (ShapeKind::Polygon, Some(first)) => outline.push(first),
                _ => {}
            }
            labels.avoid(&outline);
        }
        let style = TextStyle {
            halo: Some(self.palette.paper),
            ..TextStyle::new(label::SIZE, self.palette.ink, Anchor::Start)
        };
        for shape in shapes.iter().filter(named).take(MOST_LABELS) {
            let placed: Vec<Point> = shape.points.iter().filter_map(|p| self.place(*p)).collect();
            let (Some(a), Some(b)) = (placed.first(), placed.last()) else { continue };
            let at = match shape.kind {
                ShapeKind::Line | ShapeKind::Spring => [(a[0] + b[0]) / 2.0, (a[1] + b[1]) / 2.0],
                ShapeKind::Path | ShapeKind::Trace | ShapeKind::Ground | ShapeKind::Arrow => *b,
                _ => *a,
            };
            let (text, at) = labels.place(shape.label.as_deref().unwrap_or_default(), at, self.reach(shape));
            self.canvas.text(&text, at, style);
        }
    }

    /// How far a shape reaches around its place, in pixels.
    fn reach(&self, shape: &FrameShape) -> f64 {
        match shape.kind {
            ShapeKind::Body => self.scale.length(body_reach(shape)).max(DOT),
            ShapeKind::Point => length(shape.radius).map_or(DOT, |r| self.scale.length(r)),
            _ => 1.0,
        }
    }
}

/// The times of the frames, the directions of space, and the bar.
fn foot_notes(
    picture: &PictureFigure,
    directions: &Directions,
    scale: Scale,
    cell: Rect,
    palette: &Palette,
    canvas: &mut dyn Canvas,
) {
    let style = TextStyle::new(NOTE_SIZE, palette.muted, Anchor::Start);
    let y = cell.bottom() - 8.0;
    let mut left = cell.x + 4.0;
    if picture.spatial {
        let origin = [cell.x + 24.0, cell.bottom() - 14.0];
        for (axis, name) in [([1.0, 0.0, 0.0], "x"), ([0.0, 1.0, 0.0], "y"), ([0.0, 0.0, 1.0], "z")] {
            let Some([u, v]) = directions.flat(axis) else { continue };
            let end = [origin[0] + 24.0 * u, origin[1] - 24.0 * v];
            canvas.lines(&[vec![origin, end]], false, Paint::line(palette.axis, 1.2));
            let middle = TextStyle { anchor: Anchor::Middle, ..style };
            canvas.text(name, [origin[0] + 32.0 * u, centred(origin[1] - 32.0 * v, NOTE_SIZE)], middle);
        }
        left += 66.0;
    }

    // The longest round length that takes at most a quarter of the width.
    let most = 0.25 * cell.w / scale.pixels;
    let power = elementary::log10(most).floor();
    let bar =
        [5.0, 2.0, 1.0].map(|m| m * elementary::powf(10.0, power)).into_iter().find(|b| *b <= most).unwrap_or(most);
    let right = cell.right() - 4.0;
    let start = right - bar * scale.pixels;
    let unit = picture.unit.as_deref().map(|u| format!(" {u}")).unwrap_or_default();
    let text = font::fitted(&format!("{}{unit}", short(bar)), NOTE_SIZE, 0.3 * cell.w);
    let ends = [start, right].map(|x| vec![[x, y - 3.0], [x, y + 3.0]]);
    canvas.lines(
        &[vec![[start, y], [right, y]], ends[0].clone(), ends[1].clone()],
        false,
        Paint::line(palette.axis, 1.2),
    );
    canvas.text(&text, [start - 6.0, centred(y, NOTE_SIZE)], TextStyle { anchor: Anchor::End, ..style });

    let room = start - 12.0 - font::width(&text, NOTE_SIZE) - left;
    let note = font::fitted(&times(picture), NOTE_SIZE, room.max(0.0));
    if !note.is_empty() {
        canvas.text(&note, [left, centred(y, NOTE_SIZE)], style);
    }
}

/// Which instants are shown, in words; empty if the frames have no times.
pub(crate) fn times(picture: &PictureFigure) -> String {
    let unit = picture.time_unit.as_deref().map(|u| format!(" {u}")).unwrap_or_default();
    let finite: Vec<f64> = picture.frames.iter().map(|f| f.time).filter(|t| t.is_finite()).collect();
    match finite[..] {
        [] => String::new(),
        [t] => format!("t = {}{unit}", short(t)),
        [first, .., last] => format!("t = {} … {}{unit}, {} frames", short(first), short(last), finite.len()),
    }
}
