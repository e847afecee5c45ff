//! The mechanism of a run at any time of it, as figures draw it.

use crate::overlay::{Overlay, Pointers, trace_all};
use crate::{ReportedRun, picture};
use holonom::language::{DrawnShape, Stroke};
use holonom::picture::{Frames, Picture as Drawn};
use holonom::simulate::integrate::TableLayout;
use holonom_figure::{Frame, FrameShape, PictureFigure, ShapeKind, Weight};

/// Points of a trace.
const TRACE: usize = 1_500;

/// A run whose mechanism can be looked at.
pub(crate) struct Reel<'a> {
    run: &'a ReportedRun<'a>,
    rows: Vec<&'a [f64]>,
    layout: TableLayout,
    drawn: Drawn,
    frames: Frames,
    /// For every shape, where it was when, if it leaves a trace.
    traces: Vec<Vec<(f64, [f64; 3])>>,
    pointers: Pointers,
}

impl<'a> Reel<'a> {
    /// # Errors
    /// Where there is nothing to look at.
    pub(crate) fn new(run: &'a ReportedRun<'a>, overlay: Overlay) -> Result<Self, String> {
        let (mut drawn, _) = picture::frames(run.system, run.rows).ok_or("the model has no picture")?;
        if overlay.traces {
            trace_all(&mut drawn);
        }
        let pointers = Pointers::new(overlay, &mut drawn, run.system);
        let frames = Frames::new(&drawn, run.system.parameters());
        let rows: Vec<&[f64]> = run.rows.iter().collect();
        let Some(last) = rows.last() else { return Err("there are no rows".to_string()) };
        let traces = vec![Vec::new(); drawn.shapes.len()];
        let mut reel =
            Self { run, rows: rows.clone(), layout: TableLayout::of(run.system), drawn, frames, traces, pointers };
        let step = rows.len().div_ceil(TRACE).max(1);
        let mut values = Vec::new();
        for row in rows.iter().step_by(step).chain([last]) {
            reel.move_to(row[0], &mut values);
            let Self { drawn, frames, traces, .. } = &mut reel;
            let marked = drawn.shapes.iter().zip(traces).filter(|(shape, _)| shape.kind == DrawnShape::Trace);
            for (shape, trace) in marked {
                trace.extend(shape.points.first().map(|&point| (row[0], frames.place(point, &values))));
            }
        }
        if !reel.pointers.is_empty() {
            reel.measure_pointers();
        }
        Ok(reel)
    }

    /// Scales arrows by the largest that a few rows have, and by the size of what is seen in them.
    fn measure_pointers(&mut self) {
        let step = self.rows.len().div_ceil(TRACE).max(1);
        let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        let mut all = Vec::new();
        for row in self.rows.clone().into_iter().step_by(step) {
            let mut values = Vec::new();
            self.move_to(row[0], &mut values);
            for &point in self.drawn.shapes.iter().flat_map(|shape| &shape.points) {
                let place = self.frames.place(point, &values);
                for i in 0..3 {
                    (low[i], high[i]) = (low[i].min(place[i]), high[i].max(place[i]));
                }
            }
            all.push((values, row));
        }
        let size = (0..3).map(|i| high[i] - low[i]).filter(|size| size.is_finite()).fold(0.0, f64::max);
        let Self { pointers, frames, .. } = self;
        pointers.measure(size, frames, all.iter().map(|(values, row)| (&values[..], *row)));
    }

    /// The first and the last time.
    pub(crate) fn times(&self) -> (f64, f64) {
        let time = |row: Option<&&[f64]>| row.map_or(0.0, |row| row[0]);
        (time(self.rows.first()), time(self.rows.last()))
    }

    /// Positions and velocities between two rows, by the cubic that has those of both.
    fn move_to(&mut self, time: f64, values: &mut Vec<f64>) {
        let n = self.run.system.coordinates();
        let after = self.rows.partition_point(|row| row[0] < time).min(self.rows.len() - 1);
        let (a, b) = (self.rows[after.saturating_sub(1)], self.rows[after]);
        let step = b[0] - a[0];
        let s = if step > 0.0 { ((time - a[0]) / step).clamp(0.0, 1.0) } else { 1.0 };
        let (mut q, mut v) = (vec![0.0; n], vec![0.0; n]);
        let (from, to) = (self.layout.state(a), self.layout.state(b));
        for j in 0..n {
            let ([p, u], [r, w]) = ([from.0[j], from.1[j]], [to.0[j], to.1[j]]);
            let d = r - p;
            // At the ends the rows themselves, to the last bit.
            q[j] = match s {
                0.0 => p,
                1.0 => r,
                _ => p + s * (d + (1.0 - s) * ((1.0 - s) * (step * u - d) + s * (d - step * w))),
            };
            v[j] = u + s * (w - u);
        }
        self.frames.at(if s == 1.0 { b[0] } else { time.max(a[0]) }, &q, &v, values);
    }

    /// The mechanism at a time, with its traces up to another.
    pub(crate) fn frame(&mut self, time: f64, traced: f64) -> Frame {
        let mut values = Vec::new();
        self.move_to(time, &mut values);
        let Self { drawn, frames, traces, .. } = self;
        let number = |scalar: Option<usize>| scalar.map(|scalar| frames.amount(scalar, &values));
        let shapes = drawn.shapes.iter().zip(traces).map(|(shape, trace)| FrameShape {
            kind: match shape.kind {
                DrawnShape::Point => ShapeKind::Point,
                DrawnShape::Line => ShapeKind::Line,
                DrawnShape::Path => ShapeKind::Path,
                DrawnShape::Spring => ShapeKind::Spring,
                DrawnShape::Trace => ShapeKind::Trace,
                DrawnShape::Polygon => ShapeKind::Polygon,
                DrawnShape::Body => ShapeKind::Body,
                DrawnShape::Ground => ShapeKind::Ground,
            },
            points: match shape.kind {
                DrawnShape::Trace => {
                    let here =
                        shape.points.first().map(|&point| frames.place(point, &values)).filter(|_| traced == time);
                    trace.iter().take_while(|(when, _)| *when <= traced).map(|(_, place)| *place).chain(here).collect()
                }
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
        let mut shapes: Vec<FrameShape> = shapes.collect();
        if !self.pointers.is_empty() {
            // Forces are those of the row before.
            let after = self.rows.partition_point(|row| row[0] <= time).max(1);
            shapes.extend(self.pointers.shapes(&self.frames, &values, self.rows[after - 1]));
        }
        Frame { time, shapes }
    }

    /// A picture of some frames.
    pub(crate) fn picture(&self, frames: Vec<Frame>) -> PictureFigure {
        let unit = self.run.system.equations().model.has_units.then(|| "m".to_string());
        let time_unit = self.run.rows.columns.first().and_then(|column| column.unit.clone());
        PictureFigure { title: None, spatial: self.drawn.dimension == 3, unit, time_unit, frames, seen: Vec::new() }
    }
}
