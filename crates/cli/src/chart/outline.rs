//! A quantity over time in bounded memory: of every short interval its first, lowest, highest and last point.

/// A time and a value.
pub type Point = (f64, f64);

/// When there are more intervals than this, each is made twice as long. A chart has fewer columns than half of them.
const MOST: usize = 4096;
/// The first intervals are so small a part of the whole that nothing is lost where a run stops early.
const FIRST: f64 = 1.0 / (1_u64 << 40) as f64;

/// What is kept of a quantity.
#[derive(Clone, Debug)]
pub struct Outline {
    begin: Option<f64>,
    /// The length of an interval.
    length: f64,
    intervals: Vec<Interval>,
}

#[derive(Clone, Copy, Debug)]
struct Interval {
    which: u64,
    first: Point,
    low: Point,
    high: Point,
    last: Point,
}

impl Interval {
    fn join(&mut self, next: &Self) {
        if next.low.1 < self.low.1 {
            self.low = next.low;
        }
        if next.high.1 > self.high.1 {
            self.high = next.high;
        }
        self.last = next.last;
    }
}

impl Outline {
    /// Nothing yet, of a run that may last so long.
    pub fn new(duration: f64) -> Self {
        let length = Some(duration.abs() * FIRST).filter(|length| length.is_normal()).unwrap_or(f64::MIN_POSITIVE);
        Self { begin: None, length, intervals: Vec::new() }
    }

    /// Adds a point; times do not go back. What is not finite is left out.
    pub fn push(&mut self, point: Point) {
        if !(point.0.is_finite() && point.1.is_finite()) {
            return;
        }
        let begin = *self.begin.get_or_insert(point.0);
        let which = ((point.0 - begin) / self.length) as u64;
        self.add(Interval { which, first: point, low: point, high: point, last: point });
        while self.intervals.len() > MOST {
            self.length *= 2.0;
            for mut interval in std::mem::take(&mut self.intervals) {
                interval.which /= 2;
                self.add(interval);
            }
        }
    }

    fn add(&mut self, interval: Interval) {
        match self.intervals.last_mut().filter(|last| last.which >= interval.which) {
            Some(last) => last.join(&interval),
            None => self.intervals.push(interval),
        }
    }

    /// The points that are kept, in the order of time.
    pub fn points(&self) -> impl Iterator<Item = Point> {
        self.intervals.iter().flat_map(|one| {
            let (low, high) = (one.low, one.high);
            let [second, third] = if high.0 < low.0 { [high, low] } else { [low, high] };
            [one.first, second, third, one.last]
        })
    }

    /// The lowest and the highest value; nothing where there is no point.
    pub fn range(&self) -> Option<(f64, f64)> {
        let low = self.intervals.iter().map(|one| one.low.1).reduce(f64::min)?;
        let high = self.intervals.iter().map(|one| one.high.1).reduce(f64::max)?;
        Some((low, high))
    }

    /// The first and the last time.
    pub fn times(&self) -> Option<(f64, f64)> {
        Some((self.intervals.first()?.first.0, self.intervals.last()?.last.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// However many points come, memory is bounded, and no extreme of a column of a chart is lost.
    #[test]
    fn extremes_stay_and_memory_is_bounded() {
        let (count, columns) = (300_000_u32, 200_usize);
        let value = |i: u32| f64::from(i.wrapping_mul(2_654_435_761) >> 8);
        let mut outline = Outline::new(f64::from(count));
        let mut extremes = vec![(f64::MAX, f64::MIN); columns + 1];
        let column = |t: f64| (t / f64::from(count) * columns as f64) as usize;
        for i in 0..count {
            let (t, x) = (f64::from(i), value(i));
            outline.push((t, x));
            let both = &mut extremes[column(t)];
            *both = (both.0.min(x), both.1.max(x));
        }
        assert!(outline.intervals.len() <= MOST && outline.intervals.len() > MOST / 4, "{}", outline.intervals.len());
        let points: Vec<Point> = outline.points().collect();
        assert!(points.is_sorted_by(|a, b| a.0 <= b.0), "points come in the order of time");
        assert_eq!((points[0], points[points.len() - 1]), ((0.0, value(0)), (f64::from(count - 1), value(count - 1))));
        let mut kept = vec![(f64::MAX, f64::MIN); columns + 1];
        for (t, x) in points {
            let both = &mut kept[column(t)];
            *both = (both.0.min(x), both.1.max(x));
        }
        assert_eq!(kept, extremes);
    }

    /// A run that stops after a millionth of its time is as sharp as another.
    #[test]
    fn an_early_stop_keeps_its_shape() {
        let mut outline = Outline::new(1e6);
        (0..100).for_each(|i| outline.push((0.01 * f64::from(i), f64::from(i % 2))));
        assert_eq!(outline.intervals.len(), 100);
        assert_eq!((outline.range(), outline.times()), (Some((0.0, 1.0)), Some((0.0, 0.99))));
    }

    /// Times at the edges of what numbers can be, and values that are none.
    #[test]
    fn odd_numbers_do_no_harm() {
        for duration in [0.0, f64::MIN_POSITIVE, 1e-300, f64::MAX, f64::INFINITY, f64::NAN] {
            let mut outline = Outline::new(duration);
            assert_eq!(outline.range(), None);
            for i in 0..10_000 {
                outline.push((f64::from(i) * 1e300, -1e308));
                outline.push((f64::from(i) * 1e300, 1e308));
                outline.push((f64::from(i) * 1e300, f64::NAN));
            }
            assert!(outline.intervals.len() <= MOST);
            assert_eq!(outline.range(), Some((-1e308, 1e308)));
        }
    }
}
