//! Functions at the evaluations of a step, which are there anyway: where one of them may be below zero for a while.

/// A parabola that goes below zero by less than this part of the values that it is made of may touch zero as well.
const SHALLOW: f64 = 1e-12;

/// One function at one time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Reading {
    pub(super) value: f64,
    /// Not a number where it is not known.
    pub(super) rate: f64,
    /// Values below this may be rounding of zero.
    pub(super) noise: f64,
}

impl Reading {
    /// A function that is far from zero, or has no number there.
    pub(super) fn fixed(value: f64) -> Self {
        Self { value, rate: f64::NAN, noise: 0.0 }
    }
}

/// Readings of several functions at the evaluations of a step, in no order of time.
#[derive(Clone, Debug, Default)]
pub(super) struct Samples {
    pub(super) times: Vec<f64>,
    /// Values and their noise, one after the other, as many for each time.
    readings: Vec<(f64, f64)>,
    /// The times between two others, in order, each with its place; and those two.
    order: Vec<(f64, usize)>,
    between: Option<[f64; 2]>,
    /// The most by which the way between two neighbours of a time is longer than the way to one of them.
    uneven: f64,
    sorted: Vec<(f64, f64)>,
}

impl Samples {
    /// Room for so many times with so many functions each.
    pub(super) fn with_room(times: usize, functions: usize) -> Self {
        Self {
            times: Vec::with_capacity(times),
            readings: Vec::with_capacity(times * functions),
            order: Vec::with_capacity(times),
            sorted: Vec::with_capacity(times + 2),
            ..Self::default()
        }
    }

    /// One more reading at the time that was added last.
    #[inline]
    pub(super) fn add(&mut self, reading: Reading) {
        self.readings.push((reading.value, reading.noise));
    }

    /// Forgets them.
    pub(super) fn clear(&mut self) {
        self.times.clear();
        self.readings.clear();
        self.between = None;
    }

    /// Puts the times between two others in order, once for all functions.
    fn arrange(&mut self, ends: [f64; 2]) {
        if self.between == Some(ends) {
            return;
        }
        self.between = Some(ends);
        self.order.clear();
        let inside = self.times.iter().enumerate().filter(|(_, t)| **t > ends[0] && **t < ends[1]);
        self.order.extend(inside.map(|(place, t)| (*t, place)));
        self.order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let (mut before, mut steps) = ([ends[0]; 2], 0);
        self.uneven = 0.0;
        for t in self.order.iter().map(|one| one.0).chain([ends[1]]) {
            if steps > 0 {
                let shorter = (before[1] - before[0]).min(t - before[1]);
                self.uneven = self.uneven.max((t - before[0]) / shorter);
            }
            (before, steps) = ([before[1], t], steps + 1);
        }
    }

    /// Finds where function `i` may be below zero between two readings that are known, (time, value): at samples, and
    /// where parabolas through three of them are.
    pub(super) fn suspects(&mut self, i: usize, ends: [(f64, f64); 2], mut each: impl FnMut(f64)) {
        self.arrange(ends.map(|end| end.0));
        let Self { times, readings, order, sorted, .. } = self;
        let stride = readings.len() / times.len().max(1);
        let (mut least, mut most) = (ends[0].1.min(ends[1].1), ends[0].1.max(ends[1].1));
        for &(t, place) in order.iter() {
            let (value, noise) = readings[place * stride + i];
            (least, most) = (least.min(value), most.max(value));
            if value < -noise {
                each(t);
            }
        }
        // Slopes are at most the spread over the shortest way, and the bend is at most two of them over the whole: no parabola
        // goes lower than that below its points. Most functions are far from zero.
        if least > 3.0 * self.uneven * (most - least) {
            return;
        }
        sorted.clear();
        sorted.push(ends[0]);
        sorted.extend(order.iter().map(|&(t, place)| (t, readings[place * stride + i].0)));
        sorted.push(ends[1]);
        for three in sorted.windows(3) {
            let size = three.iter().fold(0.0, |size: f64, point| size.max(point.1.abs()));
            if let Some((t, _)) = lowest(three).filter(|point| point.1 < -SHALLOW * size) {
                each(t);
            }
        }
    }
}

/// The lowest point of the parabola through three points, if it lies between them.
fn lowest(points: &[(f64, f64)]) -> Option<(f64, f64)> {
    let [(t0, y0), (t1, y1), (t2, y2)] = *points else { return None };
    let (first, second) = ((y1 - y0) / (t1 - t0), (y2 - y1) / (t2 - t1));
    let bend = (second - first) / (t2 - t0);
    // y0 + first (t − t0) + bend (t − t0)(t − t1)
    let t = 0.5 * (t0 + t1) - 0.5 * first / bend;
    let is_inside = bend > 0.0 && t > t0 && t < t2 && bend.is_finite();
    is_inside.then_some((t, y0 + (t - t0) * (first + bend * (t - t1))))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Suspects of a function between 0 and 1, sampled at some times.
    fn suspects(times: &[f64], of: impl Fn(f64) -> f64) -> Vec<f64> {
        let mut samples = Samples::default();
        samples.times.extend(times);
        times.iter().for_each(|&t| samples.add(Reading::fixed(of(t))));
        let mut found = Vec::new();
        samples.suspects(0, [(0.0, of(0.0)), (1.0, of(1.0))], |t| found.push(t));
        found
    }

    #[test]
    fn a_dip_between_samples_is_suspected() {
        let times = [0.1, 0.65, 0.3, 0.86];
        let found = suspects(&times, |t| (t - 0.48) * (t - 0.48) - 1e-4);
        assert!(found.iter().any(|t| (t - 0.48).abs() < 1e-12), "{found:?}");
        assert_eq!(suspects(&times, |t| t - 0.2), [0.1]);
    }

    #[test]
    fn what_touches_zero_or_stays_above_is_not() {
        for least in [0.0, 1e-9, 1.0] {
            assert!(suspects(&[0.1, 0.65, 0.3, 0.86], |t| (t - 0.48) * (t - 0.48) + least).is_empty(), "{least}");
        }
        assert!(suspects(&[0.5], |t| t * t).is_empty());
        assert!(suspects(&[], |_| 1.0).is_empty());
    }
}
