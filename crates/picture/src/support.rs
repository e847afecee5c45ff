//! Supports: the ground of a single fixed point lies on the side away from what is fastened to it.
//!
//! A pendulum hangs below its support, a post stands on it, a spring leads away from its wall. Which of these it is depends on the
//! motion, so it is decided once that is known, by where the other ends of rods and springs are on average.

use super::frames::{Frames, Place};
use super::shapes::Picture;
use holonom_language::DrawnShape;
use holonom_symbols::expr::Number;

/// The mean of the unit vectors to what is fastened must be as long as this; shorter ones belong to what turns all around.
const CLEAR: f64 = 0.3;

/// A support, and the points that rods and springs lead to from it.
struct Fastened {
    shape: usize,
    at: [f64; 3],
    others: Vec<usize>,
    /// The sum of the unit vectors to the others, and how many there were.
    sum: [f64; 3],
    count: f64,
}

impl Picture {
    /// Turns each support of a single fixed point, so that its ground is on the side away from what is fastened to it; where that is
    /// below, nothing changes. The direction becomes the `axis` of the shape, a point that is fixed.
    ///
    /// `states` are times, positions and velocities during the motion; a few of them are enough.
    ///
    /// # Panics
    /// If there are fewer parameters, positions or velocities than the picture mentions.
    pub fn turn_supports(&mut self, parameters: &[f64], states: impl Iterator<Item = (f64, Vec<f64>, Vec<f64>)>) {
        let mut frames = Frames::new(self, parameters);
        let mut supports = self.fastened(&frames);
        if supports.is_empty() {
            return;
        }
        let mut values = Vec::new();
        for (t, q, v) in states {
            frames.at(t, &q, &v, &mut values);
            for support in &mut supports {
                for &other in &support.others {
                    let place = frames.place(other, &values);
                    let way = [0, 1, 2].map(|i| place[i] - support.at[i]);
                    let length = way.iter().map(|x| x * x).sum::<f64>().sqrt();
                    if length > 0.0 && length.is_finite() {
                        (0..3).for_each(|i| support.sum[i] += way[i] / length);
                        support.count += 1.0;
                    }
                }
            }
        }
        for support in supports {
            let mean = support.sum.map(|x| x / support.count);
            if let Some(axis) = self.towards_ground(mean) {
                let axis = axis.map(|x| self.graph.number(Number::integer(x)));
                self.points.push(axis);
                self.shapes[support.shape].axis = Some(self.points.len() - 1);
            }
        }
    }

    /// The direction into the ground, along an axis, where that is not down; y points up in the plane, z in space.
    fn towards_ground(&self, mean: [f64; 3]) -> Option<[i64; 3]> {
        let sign = |x: f64| if x < 0.0 { 1 } else { -1 };
        let [x, y, z] = mean;
        if self.dimension == 3 {
            return (z < -CLEAR).then_some([0, 0, 1]);
        }
        match x.abs() > y.abs() {
            true => (x.abs() > CLEAR).then_some([sign(x), 0, 0]),
            false => (y < -CLEAR).then_some([0, 1, 0]),
        }
    }

    /// Supports at which rods or springs end.
    fn fastened(&self, frames: &Frames) -> Vec<Fastened> {
        let fixed = |point: usize| match frames.points()[point] {
            Place::Fixed(place) => Some(place),
            Place::Moving(_) => None,
        };
        let links = || {
            let is_link = |kind| matches!(kind, DrawnShape::Line | DrawnShape::Spring);
            let links = self.shapes.iter().filter(move |shape| is_link(shape.kind));
            links.flat_map(|link| link.points.windows(2)).flat_map(|ends| [[ends[0], ends[1]], [ends[1], ends[0]]])
        };
        let mut all = Vec::new();
        for (which, shape) in self.shapes.iter().enumerate() {
            let (DrawnShape::Ground, [point], None) = (shape.kind, &shape.points[..], shape.axis) else { continue };
            let Some(at) = fixed(*point) else { continue };
            let others: Vec<usize> = links().filter(|[from, _]| fixed(*from) == Some(at)).map(|[_, to]| to).collect();
            if !others.is_empty() {
                all.push(Fastened { shape: which, at, others, sum: [0.0; 3], count: 0.0 });
            }
        }
        all
    }
}
