//! When something happens in a step: the first of many functions of time to pass through zero.
//!
//! Every function has a side, the sign that it had last. A step is looked at in a few places; a function that is on the other
//! side there, or that turns round on its way to zero, is searched in between. A function that stands at zero
//! (it has just passed, or begins there) has the side that was decided for it, so that nothing happens twice at one instant.

use super::reading::Reading;
use holonom_elementary as elementary;

/// The parts of a step at whose ends all functions are looked at.
const PARTS: u32 = 4;
/// The shortest part of a step between two looks at functions that are watched.
const FINEST: f64 = 1e-4;
/// A function is known between two looks where the cubic through them misses it by less than this part of its distance from zero.
const KNOWN: f64 = 0.2;
/// Bisections of the rate when a function may touch zero and turn back.
const TURNS: usize = 40;

/// Which passages of a function count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Heed {
    pub(super) rising: bool,
    pub(super) falling: bool,
}

impl Heed {
    /// Whether leaving a side counts.
    pub(super) fn leaving(self, side: f64) -> bool {
        if side > 0.0 { self.falling } else { self.rising }
    }

    /// The only side whose leaving counts, if there is one.
    pub(super) fn only_side(self) -> Option<f64> {
        match (self.rising, self.falling) {
            (false, true) => Some(1.0),
            (true, false) => Some(-1.0),
            _ => None,
        }
    }
}

/// All functions at one time.
#[derive(Clone, Debug, Default)]
pub(super) struct Look {
    pub(super) t: f64,
    pub(super) values: Vec<f64>,
    /// Their rates; not a number where they are not known.
    pub(super) rates: Vec<f64>,
    /// What may be rounding of zero, by function.
    pub(super) noise: Vec<f64>,
    /// The function whose value alone is wanted, if it is only one.
    pub(super) wanted: Option<usize>,
}

impl Look {
    pub(super) fn new(count: usize) -> Self {
        Self { t: 0.0, values: vec![0.0; count], rates: vec![f64::NAN; count], noise: vec![0.0; count], wanted: None }
    }

    /// Becomes the same as another one.
    pub(super) fn take(&mut self, other: &Self) {
        self.t = other.t;
        self.values.copy_from_slice(&other.values);
        self.rates.copy_from_slice(&other.rates);
        self.noise.copy_from_slice(&other.noise);
    }

    /// Takes the numbers of one function.
    pub(super) fn put(&mut self, i: usize, reading: Reading) {
        (self.values[i], self.rates[i], self.noise[i]) = (reading.value, reading.rate, reading.noise);
    }
}

/// The search for the first passage, on memory of its own.
#[derive(Clone, Debug)]
pub(super) struct Search {
    /// Which passages count, by function.
    pub(super) heed: Vec<Heed>,
    /// The side on which each function is: −1 or 1; 0 where that is open.
    pub(super) side: Vec<f64>,
    /// While a function has not left zero, what counts as zero; 0 for the others.
    pub(super) floor: Vec<f64>,
    /// Rates below this are none.
    pub(super) still: Vec<f64>,
    /// … nor those below this while a function has not left zero.
    pub(super) slow: Vec<f64>,
    /// Functions that constraints in force hold at zero: nothing that they do is a passage.
    pub(super) held: Vec<bool>,
    /// Functions that are looked at between two looks until they are known there: they may pass and come back while the state is in free
    /// flight, whose steps are long.
    watched: Vec<bool>,
    /// Further times at which to look, beside the ends of the parts.
    pub(super) suspects: Vec<f64>,
    /// Where the step begins.
    pub(super) from: Look,
    pub(super) to: Look,
    probe: Look,
    /// The functions that pass at the time that was found.
    pub(super) found: Vec<usize>,
    /// The side to which each of them passes.
    pub(super) passes_to: Vec<f64>,
    /// Candidates: function, time, and the side that it leaves.
    times: Vec<(usize, f64, f64)>,
}

/// Two times between which a function leaves a side.
#[derive(Clone, Copy, Debug)]
struct Bracket {
    from: f64,
    to: f64,
    side: f64,
    at_from: f64,
    at_to: f64,
}

impl Search {
    pub(super) fn new(heed: Vec<Heed>, watched: Vec<bool>) -> Self {
        let count = heed.len();
        let look = || Look::new(count);
        Self {
            side: vec![0.0; count],
            floor: vec![0.0; count],
            still: vec![0.0; count],
            slow: vec![0.0; count],
            held: vec![false; count],
            suspects: Vec::with_capacity(count),
            from: look(),
            to: look(),
            probe: look(),
            found: Vec::with_capacity(count),
            passes_to: vec![0.0; count],
            times: Vec::with_capacity(count),
            heed,
            watched,
        }
    }

    /// The time of the first passage that counts between `from` and `end`; `found` says of which functions. It is the
    /// first number at which they are on the other side.
    ///
    /// Without one, the sides are those at the end, and `from` is the look there.
    pub(super) fn first<E>(
        &mut self,
        end: f64,
        mut of: impl FnMut(f64, &mut Look) -> Result<(), E>,
    ) -> Result<Option<f64>, E> {
        let (start, h) = (self.from.t, end - self.from.t);
        let resolution = 2.0 * f64::EPSILON * end.abs() + 1e-15 * h;
        let mut t = start;
        while t < end {
            t = self.next_look(t, start, end);
            of(t, &mut self.to)?;
            while t - self.from.t > FINEST * h && self.watched.contains(&true) {
                let middle = 0.5 * (self.from.t + t);
                of(middle, &mut self.probe)?;
                if !self.is_unknown() {
                    break;
                }
                t = middle;
                std::mem::swap(&mut self.to, &mut self.probe);
            }
            self.times.clear();
            for i in 0..self.side.len() {
                if let Some(bracket) = self.bracket(i, &mut of)? {
                    let time = self.root(i, bracket, resolution, &mut of)?;
                    self.times.push((i, time, bracket.side));
                }
            }
            let earliest = self.times.iter().fold(f64::INFINITY, |least, candidate| least.min(candidate.1));
            if earliest.is_finite() {
                let mut time = earliest;
                self.found.clear();
                for &(i, own, side) in self.times.iter().filter(|(_, own, _)| *own <= earliest + 16.0 * resolution) {
                    self.found.push(i);
                    self.passes_to[i] = -side;
                    time = time.max(own);
                }
                return Ok(Some(time));
            }
            self.step_on();
        }
        Ok(None)
    }

    /// The time of the look after the one at `t`: the end of a part, or a suspect before it.
    fn next_look(&self, t: f64, start: f64, end: f64) -> f64 {
        let parts = (1..PARTS).map(|part| start + (end - start) * f64::from(part) / f64::from(PARTS));
        parts.chain(self.suspects.iter().copied()).filter(|look| *look > t && *look < end).fold(end, f64::min)
    }

    /// Whether nothing passes between `from` and `end`, as far as the ends tell; they are then where the next step begins.
    pub(super) fn is_quiet<E>(
        &mut self,
        end: f64,
        mut of: impl FnMut(f64, &mut Look) -> Result<(), E>,
    ) -> Result<bool, E> {
        of(end, &mut self.to)?;
        if (0..self.side.len()).any(|i| self.has_left(i) || self.may_turn(i)) {
            return Ok(false);
        }
        self.step_on();
        Ok(true)
    }

    /// Whether a function that is watched is not what its ends promise in the middle between the last two looks, and may therefore pass zero
    /// there: the cubic through both ends misses it by a good part of its distance from zero.
    fn is_unknown(&self) -> bool {
        let length = self.to.t - self.from.t;
        (0..self.side.len()).filter(|&i| self.watched[i] && self.heed[i].falling).any(|i| {
            let (a, b, middle) = (self.from.values[i], self.to.values[i], self.probe.values[i]);
            let promised = 0.5 * (a + b) + 0.125 * length * (self.from.rates[i] - self.to.rates[i]);
            let nearest = a.abs().min(b.abs()).min(middle.abs());
            a * b > 0.0 && (middle - promised).abs() > KNOWN * nearest
        })
    }

    /// Takes the last look for the beginning of the next part.
    fn step_on(&mut self) {
        for i in 0..self.side.len() {
            let value = self.to.values[i];
            if value.abs() > self.floor[i].max(self.to.noise[i]) && !self.held[i] {
                (self.side[i], self.floor[i], self.slow[i]) = (value.signum(), 0.0, 0.0);
            }
        }
        std::mem::swap(&mut self.from, &mut self.to);
    }

    /// Whether a function is on the other side at the last look. Near zero rounding has a sign as well: what has left moves.
    pub(super) fn has_left(&self, i: usize) -> bool {
        let value = self.side[i] * self.to.values[i];
        if self.held[i] {
            return false;
        }
        value < -self.floor[i].max(self.to.noise[i])
            || (value < 0.0 && self.side[i] * self.to.rates[i] < -self.still[i].max(self.slow[i]))
    }

    /// Whether a function may pass and turn back between the last two looks. One that is convex towards zero stays on the far
    /// side of its tangents. A rate that may be rounding does not lead anywhere.
    pub(super) fn may_turn(&self, i: usize) -> bool {
        let (side, length) = (self.side[i], self.to.t - self.from.t);
        let (at_from, at_to) = (side * self.from.values[i], side * self.to.values[i]);
        let (slope, slope_to) = (side * self.from.rates[i], side * self.to.rates[i]);
        let turns = slope < -self.still[i].max(self.slow[i]) && slope_to > 0.0 && at_to >= 0.0 && at_from >= 0.0;
        let meet = (at_to - at_from - slope_to * length) / (slope - slope_to);
        turns && at_from + slope * meet <= 0.0 && !self.held[i]
    }

    /// Where between the last two looks a function leaves its side in a way that counts.
    fn bracket<E>(
        &mut self,
        i: usize,
        of: &mut impl FnMut(f64, &mut Look) -> Result<(), E>,
    ) -> Result<Option<Bracket>, E> {
        let (side, heed) = (self.side[i], self.heed[i]);
        if side == 0.0 {
            return Ok(None);
        }
        let (from, to) = (self.from.t, self.to.t);
        let (at_from, at_to) = (side * self.from.values[i], side * self.to.values[i]);
        if self.has_left(i) {
            return Ok(heed.leaving(side).then_some(Bracket { from, to, side, at_from, at_to }));
        }
        if !self.may_turn(i) || !(heed.rising || heed.falling) {
            return Ok(None);
        }
        let (mut left, mut right) = (from, to);
        for _ in 0..TURNS {
            let middle = 0.5 * (left + right);
            of(middle, &mut self.probe)?;
            let value = side * self.probe.values[i];
            if value < -self.floor[i] {
                return Ok(Some(if heed.leaving(side) {
                    Bracket { from, to: middle, side, at_from, at_to: value }
                } else {
                    Bracket { from: middle, to, side: -side, at_from: -value, at_to: -at_to }
                }));
            }
            if side * self.probe.rates[i] < 0.0 {
                left = middle;
            } else {
                right = middle;
            }
        }
        Ok(None)
    }

    /// The first number at which a function has left its side, by interpolation, truncation and projection (Oliveira & Takahashi
    /// 2021): never slower than bisection, and on smooth functions as fast as secants.
    fn root<E>(
        &mut self,
        i: usize,
        bracket: Bracket,
        resolution: f64,
        of: &mut impl FnMut(f64, &mut Look) -> Result<(), E>,
    ) -> Result<f64, E> {
        let Bracket { from: mut a, to: mut b, side, at_from: mut at_a, at_to: mut at_b } = bracket;
        // A function that begins at zero: how far does it come before it returns?
        let start = a;
        self.probe.wanted = Some(i);
        while (at_a <= 0.0 || at_a.is_nan()) && b - start > resolution {
            let t = start + 0.5 * (b - start);
            of(t, &mut self.probe)?;
            let value = side * self.probe.values[i];
            if value > 0.0 {
                (a, at_a) = (t, value);
            } else {
                (b, at_b) = (t, value);
            }
        }
        let half = 0.5 * resolution;
        let truncation = 0.2 / (b - a);
        let mut radius = half * elementary::exp2(elementary::log2((b - a) / resolution).ceil().max(0.0)) * 2.0;
        while b - a > resolution {
            let middle = 0.5 * (a + b);
            let secant = a + (b - a) * at_a / (at_a - at_b);
            let towards = (middle - secant).signum();
            let cut = truncation * (b - a) * (b - a);
            let t = if secant.is_finite() && cut <= (middle - secant).abs() { secant + towards * cut } else { middle };
            let room = (radius - 0.5 * (b - a)).max(0.0);
            let t = if (t - middle).abs() <= room { t } else { middle - towards * room };
            let t = if t > a && t < b { t } else { middle };
            if t <= a || t >= b {
                break;
            }
            of(t, &mut self.probe)?;
            let value = side * self.probe.values[i];
            if value > 0.0 {
                (a, at_a) = (t, value);
            } else {
                (b, at_b) = (t, value);
            }
            radius *= 0.5;
        }
        self.probe.wanted = None;
        Ok(b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RISES: Heed = Heed { rising: true, falling: false };
    const FALLS: Heed = Heed { rising: false, falling: true };
    const CROSSES: Heed = Heed { rising: true, falling: true };

    /// The first passage of functions with their rates, over a step, from sides that are their signs at its start.
    fn first(heed: &[Heed], end: f64, f: impl Fn(f64) -> Vec<(f64, f64)>) -> Option<(f64, Vec<usize>)> {
        let mut search = Search::new(heed.to_vec(), vec![false; heed.len()]);
        let fill = |t: f64, look: &mut Look| {
            look.t = t;
            for (i, (value, rate)) in f(t).into_iter().enumerate() {
                (look.values[i], look.rates[i]) = (value, rate);
            }
            Ok::<(), ()>(())
        };
        fill(0.0, &mut search.from).unwrap();
        for i in 0..heed.len() {
            let (value, rate) = (search.from.values[i], search.from.rates[i]);
            search.side[i] = if value == 0.0 { rate.signum() } else { value.signum() };
        }
        let time = search.first(end, fill).unwrap()?;
        Some((time, search.found))
    }

    /// (t − t₀)³ with a rate that rounding has made negative at the start, as that of a gap that opens.
    #[test]
    fn rounding_at_the_start_is_no_passage() {
        let mut search = Search::new(vec![FALLS], vec![false]);
        (search.side[0], search.floor[0], search.still[0]) = (1.0, 1e-15, 1e-14);
        let of = |t: f64, look: &mut Look| {
            look.t = t;
            (look.values[0], look.rates[0]) = (t * t * t - 1e-16 * t, 3.0 * t * t - 1e-16);
            Ok::<(), ()>(())
        };
        of(0.0, &mut search.from).unwrap();
        assert_eq!(search.first(0.02, of), Ok(None));
    }

    #[test]
    fn a_passage_is_located_to_the_last_digits() {
        let exact = std::f64::consts::FRAC_PI_2;
        for heed in [FALLS, CROSSES] {
            let (t, which) = first(&[heed], 2.0, |t| vec![(t.cos(), -t.sin())]).unwrap();
            assert!((t - exact).abs() < 4e-15 && t.cos() <= 0.0, "{t}");
            assert_eq!(which, [0]);
        }
        assert!(first(&[RISES], 2.0, |t| vec![(t.cos(), -t.sin())]).is_none());
        // Truth values have no slope.
        let (t, _) = first(&[RISES], 2.0, |t| vec![(if t > 0.3 { 1.0 } else { -1.0 }, f64::NAN)]).unwrap();
        assert!((t - 0.3).abs() < 4e-15);
    }

    #[test]
    fn a_function_that_turns_back_is_caught() {
        // 5 − y of a stone that is thrown up: above it for a moment, in a step that is a hundred times longer.
        let height = |t: f64| vec![(1.0 + 10.0 * t - 5.0 * t * t - 5.0, 10.0 - 10.0 * t)];
        let root = 1.0 - (1.0 - 0.8f64).sqrt();
        let (t, _) = first(&[RISES], 100.0, height).unwrap();
        assert!((t - root).abs() < 1e-12, "{t}");
        let (t, _) = first(&[FALLS], 100.0, height).unwrap();
        assert!((t - (2.0 - root)).abs() < 1e-12, "{t}");
        assert!(first(&[CROSSES], 100.0, |t| vec![(1.0 + (t - 3.0) * (t - 3.0), 2.0 * (t - 3.0))]).is_none());
    }

    #[test]
    fn what_begins_at_zero_happens_when_it_returns() {
        let (t, _) = first(&[FALLS], 7.0, |t| vec![(t * (1e-3 - t), 1e-3 - 2.0 * t)]).unwrap();
        assert!((t - 1e-3).abs() < 1e-14, "{t}");
        assert!(first(&[CROSSES], 3.0, |t| vec![(t.sin(), t.cos())]).is_none());
    }

    #[test]
    fn the_first_comes_first_and_what_comes_together_stays_together() {
        let f = |t: f64| vec![(t - 0.7, 1.0), (0.4 - t, -1.0), ((0.4 - t) * 3.0, -3.0)];
        let (t, which) = first(&[CROSSES; 3], 1.0, f).unwrap();
        assert!((t - 0.4).abs() < 1e-14);
        assert_eq!(which, [1, 2]);
    }
}
