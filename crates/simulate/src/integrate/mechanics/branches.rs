//! Whether branches of the motion cross near a state, as far as the model's constraints tell.

use super::{Level, Mechanics};
use crate::integrate::crossing::{Saddle, Surfaces, changes_orientation, saddles};
use holonom_mechanics::derive::ConstraintKind;

/// Models with more rows or coordinates than this are not looked at: the work grows with the cube.
pub(in crate::integrate) const LARGEST: usize = 300;
/// Combinations of rows that miss zero by less than this part of their slopes times the sizes of coordinates cross.
const CROSSES: f64 = 1e-12;
/// Combinations of rows that keep more than this part of their slope lose no rank.
const FLAT: f64 = 1e-8;
/// Velocities that differ from what accelerations make of them by more than this part of the speed have jumped.
const JUMP: f64 = 0.2;
/// What rounding leaves of a row, relative to its terms.
const ROUNDING: f64 = 64.0 * f64::EPSILON;
/// Where branches meet in an apex, a motion that comes no nearer to it than this part of its size, or this many times its tolerance, goes past it.
const PAST: f64 = 1e-6;
const PAST_TOLERANCES: f64 = 100.0;

impl Mechanics {
    /// Whether a motion on the constraints has to turn aside near a state (q, v) at time t, where rows seem to lose rank: branches come near each
    /// other there and do not cross, or cross elsewhere. `ends` are states with all their ranks, in the same step.
    pub(in crate::integrate) fn turns_aside(
        &mut self,
        state: (f64, &[f64], &[f64]),
        ends: [(f64, &[f64]); 2],
        rtol: f64,
    ) -> bool {
        let past = PAST.max(PAST_TOLERANCES * rtol);
        let turns = |(misses, saddle): (bool, Saddle)| misses || (saddle.is_apex && saddle.distance > past);
        let found = self.saddles(state, ends).unwrap_or_default();
        found.iter().all(Option::is_some) && found.into_iter().flatten().any(turns)
    }

    /// Whether branches that come near each other at a state cross, wherever the motion is; nothing where that cannot be told.
    pub(in crate::integrate) fn crosses(
        &mut self,
        state: (f64, &[f64], &[f64]),
        ends: [(f64, &[f64]); 2],
    ) -> Option<bool> {
        let found = self.saddles(state, ends)?;
        let is_known = found.len() == 1 || found.iter().all(Option::is_some);
        let crosses = found.into_iter().flatten().any(|(misses, saddle)| !misses && saddle.slope <= FLAT);
        // Several combinations that are weak together may hide a saddle of one of them.
        (crosses || is_known).then_some(crosses)
    }

    /// Whether the rows at one end of a step are on another side of each other than at the other end: det(A₀A₁ᵀ) < 0, as where one of them passes
    /// through a combination of the others.
    pub(in crate::integrate) fn changes_sides(&mut self, ends: [(f64, &[f64]); 2]) -> bool {
        let Some(frame) = self.frame(ends[0].0, None) else { return false };
        let [one, other] = ends.map(|(t, q)| self.surfaces(&frame, &vec![1.0; frame.places.len()], &frame.place(t, q)));
        changes_orientation(frame.places.len(), self.n, &one.slopes, &other.slopes)
    }

    /// Whether velocities of what the rows hold together jump in a step of length h between two states with their rates, as where it went on to
    /// another branch: those of two branches that cross differ by as much as they are.
    pub(in crate::integrate) fn changes_course(&self, states: [(&[f64], &[f64]); 2], h: f64) -> bool {
        let (n, a) = (self.n, self.in_force.a());
        let sizes = &self.sizes.kind()[n..];
        let mut is_held = vec![false; n];
        for place in 0..self.in_force.rows.len() {
            self.in_force.shape.entries(place, a).filter(|(_, a)| *a != 0.0).for_each(|(j, _)| is_held[j] = true);
        }
        let [(y0, rate0), (y1, rate1)] = states;
        let (mut jump, mut speeds) = (0.0, [0.0; 2]);
        for j in (0..n).filter(|&j| is_held[j]) {
            let expected = y0[n + j] + 0.5 * h * (rate0[n + j] + rate1[n + j]);
            jump += ((y1[n + j] - expected) / sizes[j]).powi(2);
            speeds[0] += (y0[n + j] / sizes[j]).powi(2);
            speeds[1] += (y1[n + j] / sizes[j]).powi(2);
        }
        jump > JUMP * JUMP * f64::max(speeds[0], speeds[1])
    }

    /// The saddles between branches near a state, where they are found, and whether branches miss each other there.
    fn saddles(
        &mut self,
        (t, q, v): (f64, &[f64], &[f64]),
        ends: [(f64, &[f64]); 2],
    ) -> Option<Vec<Option<(bool, Saddle)>>> {
        let frame = self.frame(t, Some(v))?;
        let x = frame.place(t, q);
        let mut lengths = vec![0.0; frame.places.len()];
        for (t, q) in ends {
            let slopes = self.surfaces(&frame, &vec![1.0; frame.places.len()], &frame.place(t, q)).slopes;
            let norms = slopes.chunks_exact(x.len()).map(|row| row.iter().map(|a| a * a).sum::<f64>().sqrt());
            lengths.iter_mut().zip(norms).for_each(|(length, norm)| *length = f64::max(*length, norm));
        }
        if lengths.iter().any(|length| !(*length > 0.0 && length.is_finite())) {
            return None;
        }
        let scales = self.drift.scales.of(Level::Position);
        let rounding = frame.places.iter().zip(&lengths).map(|(&place, length)| scales[place] / length);
        let rounding = ROUNDING * rounding.fold(0.0, f64::max);
        let found = saddles(&x, |x| self.surfaces(&frame, &lengths, x))?;
        let judge = |saddle: Saddle| (saddle.value > CROSSES.max(rounding), saddle);
        Some(found.into_iter().map(|saddle| saddle.map(judge)).collect())
    }

    /// Which rows to look at near a time, and what to measure by; time takes part where constraints move, as fast as the motion goes.
    fn frame(&self, t: f64, v: Option<&[f64]>) -> Option<Frame> {
        let n = self.n;
        let independent = self.linear.independent_rows()?;
        let equations = self.system.equations();
        let is_holonomic = |place: &usize| {
            self.in_force.rows.get(*place).is_some_and(|&row| equations.rows[row].kind == ConstraintKind::Holonomic)
        };
        let places: Vec<usize> = independent.into_iter().filter(is_holonomic).collect();
        if places.is_empty() || n > LARGEST || places.len() > LARGEST {
            return None;
        }
        let sizes: Vec<f64> = (0..n).map(|j| self.sizes.extent(j)).collect();
        let moves = places.iter().any(|&place| equations.rows[self.in_force.rows[place]].rheonomic);
        let time = v.filter(|_| moves).and_then(|v| {
            let speed = v.iter().zip(&sizes).map(|(v, size)| (v / size) * (v / size)).sum::<f64>().sqrt();
            (speed > 0.0).then_some(1.0 / speed)
        });
        Some(Frame { places, sizes, time, t })
    }

    /// Rows and slopes at a place, in the sizes of coordinates and rows.
    fn surfaces(&mut self, frame: &Frame, lengths: &[f64], x: &[f64]) -> Surfaces {
        let n = self.n;
        let q: Vec<f64> = x.iter().zip(&frame.sizes).map(|(x, size)| x * size).collect();
        let t = frame.time.map_or(frame.t, |time| x[n] * time);
        let rest = vec![0.0; n];
        self.evaluate(t, &q, &rest);
        self.system.at(t, &q, &rest, &mut self.drift.positions);
        self.system.at(t, &q, &rest, &mut self.drift.velocities);
        let a = self.in_force.a();
        let (values, rates) = (self.drift.positions.residual(), self.drift.velocities.residual());
        let mut found = Surfaces { values: Vec::new(), slopes: vec![0.0; lengths.len() * x.len()] };
        let rows = found.slopes.chunks_exact_mut(x.len());
        for ((&place, length), slopes) in frame.places.iter().zip(lengths).zip(rows) {
            let row = self.in_force.rows[place];
            found.values.push(values[row] / length);
            self.in_force.shape.entries(place, a).for_each(|(j, a)| slopes[j] = a * frame.sizes[j] / length);
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

impl Frame {
    /// A state in these sizes.
    fn place(&self, t: f64, q: &[f64]) -> Vec<f64> {
        q.iter().zip(&self.sizes).map(|(q, size)| q / size).chain(self.time.map(|time| t / time)).collect()
    }
}
