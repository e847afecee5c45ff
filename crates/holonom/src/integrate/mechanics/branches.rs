//! Whether branches of the motion cross near a state, as far as the model's constraints tell.

use super::{Mechanics, rows_of};
use crate::derive::Kind;
use crate::integrate::crossing::{Surfaces, worst_saddle};

/// Models with more rows or coordinates than this are not looked at: the work grows with the cube.
const LARGEST: usize = 300;
/// Combinations of rows that miss zero by less than this part of their slopes times the sizes of coordinates cross.
const CROSSES: f64 = 1e-12;
/// What rounding leaves of a row, relative to its terms.
const ROUNDING: f64 = 64.0 * f64::EPSILON;
/// Where branches cross, a motion that comes no nearer to the crossing than this part of its size, or this many times its tolerance, goes past it.
const PAST: f64 = 1e-6;
const PAST_TOLERANCES: f64 = 100.0;

impl Mechanics {
    /// Whether a motion on the constraints has to turn aside near a state (q, v) at time t, where rows seem to lose rank: branches come near each
    /// other there and do not cross, or cross elsewhere. `from` is a state with all its ranks, in the same step.
    pub(in crate::integrate) fn turns_aside(
        &mut self,
        (t, q, v): (f64, &[f64], &[f64]),
        (t0, from): (f64, &[f64]),
        rtol: f64,
    ) -> bool {
        let n = self.n;
        let Some(independent) = self.linear.independent_rows() else { return false };
        let equations = self.system.equations();
        let is_holonomic =
            |place: &usize| self.rows.get(*place).is_some_and(|&row| equations.rows[row].kind == Kind::Holonomic);
        let places: Vec<usize> = independent.into_iter().filter(is_holonomic).collect();
        if places.is_empty() || n > LARGEST || places.len() > LARGEST {
            return false;
        }
        let sizes: Vec<f64> = self.sizes.kind()[..n].to_vec();
        // Time is one more coordinate where constraints move: it takes the place that the motion gives it.
        let moves = places.iter().any(|&place| equations.rows[self.rows[place]].rheonomic);
        let speed = v.iter().zip(&sizes).map(|(v, size)| (v / size) * (v / size)).sum::<f64>().sqrt();
        let time = if moves && speed > 0.0 { Some(1.0 / speed) } else { None };
        let x: Vec<f64> = q.iter().zip(&sizes).map(|(q, size)| q / size).chain(time.map(|time| t / time)).collect();
        let mut start: Vec<f64> = from.iter().zip(&sizes).map(|(q, size)| q / size).collect();
        start.extend(time.map(|time| t0 / time));
        let frame = Frame { places, sizes, time, t };
        let slopes = self.surfaces(&frame, &vec![1.0; frame.places.len()], &start).slopes;
        let lengths: Vec<f64> =
            slopes.chunks_exact(x.len()).map(|row| row.iter().map(|a| a * a).sum::<f64>().sqrt()).collect();
        if lengths.iter().any(|length| !(*length > 0.0 && length.is_finite())) {
            return false;
        }
        let rounding = frame.places.iter().zip(&lengths).map(|(&place, length)| self.position_scale[place] / length);
        let rounding = ROUNDING * rounding.fold(0.0, f64::max);
        let Some(saddle) = worst_saddle(&x, |x| self.surfaces(&frame, &lengths, x)) else { return false };
        saddle.value > CROSSES.max(rounding) || saddle.distance > PAST.max(PAST_TOLERANCES * rtol)
    }

    /// Rows and slopes at a place, in the sizes of coordinates and rows.
    fn surfaces(&mut self, frame: &Frame, lengths: &[f64], x: &[f64]) -> Surfaces {
        let n = self.n;
        let q: Vec<f64> = x.iter().zip(&frame.sizes).map(|(x, size)| x * size).collect();
        let t = frame.time.map_or(frame.t, |time| x[n] * time);
        let rest = vec![0.0; n];
        self.evaluate(t, &q, &rest);
        self.system.at(t, &q, &rest, &mut self.position_drift);
        self.system.at(t, &q, &rest, &mut self.velocity_drift);
        let a = rows_of(self.is_direct, &self.dynamics, &self.a);
        let (values, rates) = (self.position_drift.residual(), self.velocity_drift.residual());
        let mut found = Surfaces { values: Vec::new(), slopes: vec![0.0; lengths.len() * x.len()] };
        let rows = found.slopes.chunks_exact_mut(x.len());
        for ((&place, length), slopes) in frame.places.iter().zip(lengths).zip(rows) {
            let row = self.rows[place];
            found.values.push(values[row] / length);
            self.shape.entries(place, a).for_each(|(j, a)| slopes[j] = a * frame.sizes[j] / length);
            if let Some(time) = frame.time {
                // At rest the rate of a constraint is its derivative by time.
                slopes[n] = rates[row] * time / length;
            }
        }
        found
    }
}

/// Which rows are looked at, and what coordinates and time are measured by; time stands still where no constraint moves.
struct Frame {
    places: Vec<usize>,
    sizes: Vec<f64>,
    time: Option<f64>,
    t: f64,
}
