//! Blows without end: bounces that become too small for the digits of a gap, of one row or of several in turns.
//!
//! Near the end of such a series only the velocities with which rows part still change: accelerations are constant between blows, blows are
//! linear, and a series with ρ times the velocities lasts ρ times as long. It is followed from where it is, with gaps of its own, so that
//! flights may be as low as they like. Once a blow leaves ρ times what an earlier one left, the rest is a geometric series: with T and Δv of
//! the cycle between them it ends after another T ρ/(1 − ρ), with velocities that are Δv ρ/(1 − ρ) further.

use super::runner::Runner;
use holonom_mechanics::contact::{AT_REST, Moment, Stage};

/// A flight that rises less than this part of the scale of its row is not followed by steps: what it misses is far below any tolerance, and
/// gaps still have digits enough to say which row comes first.
const LOW: f64 = 1e-11;
/// Flights that rise less than this part of what is low are at their end: what is left of their time is far below the rounding of the run's.
const GONE: f64 = 1e-17;
/// Other flights of the series may be so many times as high.
const ROOM: f64 = 8.0;
/// A gap below this part of the scale of its row is closed: that is its rounding.
const CLOSED: f64 = 4.0 * f64::EPSILON;
/// An acceleration below this part of its terms is their rounding.
const UNFELT: f64 = 1e-12;
/// Gaps that close together but for this part of the height of a flight close at once.
const TOGETHER: f64 = 1e-6;
/// Blows leave the same but for a factor where velocities agree to this part, and gaps to as much.
const SIMILAR: f64 = 1e-7;
/// A factor nearer to 1 than this is that of a series without end: nothing is lost in its blows.
const ELASTIC: f64 = 1e-7;
/// A series that has not come to its end in so many blows is followed again once its flights are this part of what they were.
const TRIED_AGAIN: f64 = 0.1;
/// Blows that are followed, and those of one cycle.
const BLOWS: usize = 2000;
const CYCLE: usize = 32;

/// A one-sided row that touches or nearly does.
#[derive(Clone, Copy, Debug)]
pub(super) struct Near {
    pub(super) row: usize,
    /// Zero where it has closed.
    pub(super) gap: f64,
    pub(super) scale: f64,
}

/// How a series of blows ends.
pub(super) struct Ended {
    /// After how long.
    pub(super) after: f64,
    /// The velocities with which rest begins now, to be at the end of the series what the blows leave.
    pub(super) velocities: Vec<f64>,
    /// The rows that rest then.
    pub(super) resting: Vec<usize>,
    /// The impulses of all its blows together: (row, impulse).
    pub(super) impulses: Vec<(usize, f64)>,
}

/// A series on its way, at the place where it was found; vectors are by place in `near`, but velocities.
struct Series<'a> {
    t: f64,
    q: &'a [f64],
    near: &'a [Near],
    rows: Vec<usize>,
    restitution: Vec<f64>,
    /// What keeps velocities along rows that turn. Velocities are those without it: their parts across rows are the rates of gaps.
    turning: Vec<f64>,
    /// Since it was found.
    after: f64,
    velocities: Vec<f64>,
    gaps: Vec<f64>,
    impulses: Vec<f64>,
    /// Q, where forces jump and do not take the branch of the state.
    force: Option<Vec<f64>>,
}

/// What a blow has left.
struct Left {
    after: f64,
    velocities: Vec<f64>,
    gaps: Vec<f64>,
    impulses: Vec<f64>,
    /// How fast rows part, and how fast that changes.
    rates: Vec<f64>,
    bends: Vec<f64>,
    acceleration: Vec<f64>,
    rests: Vec<bool>,
    pushes: Vec<bool>,
    /// How long until each that flies closes; nothing where it does not.
    times: Vec<Option<f64>>,
}

impl Near {
    /// A gap that may belong to a series; nothing if it is too far.
    pub(super) fn new((row, gap, scale): (usize, f64, f64), is_closed: bool) -> Option<Self> {
        let gap = if is_closed || gap <= CLOSED * scale { 0.0 } else { gap };
        (gap <= ROOM * LOW * scale).then_some(Self { row, gap, scale })
    }

    /// How high a flight with this velocity goes, back by an acceleration of this size, as a part of what is so low that it is not followed by
    /// steps.
    fn flight(&self, rate: f64, acceleration: f64) -> f64 {
        rate * rate / (2.0 * acceleration * LOW * self.scale)
    }
}

impl Left {
    /// The factor by which this is smaller than what an earlier blow left, if that is all by which they differ.
    fn factor(&self, earlier: &Left) -> Option<f64> {
        let returns = |left: &Left| left.times.iter().map(Option::is_some).collect::<Vec<bool>>();
        if returns(self) != returns(earlier) || self.pushes != earlier.pushes {
            return None;
        }
        let places = || (0..self.rates.len()).filter(|&place| !self.pushes[place]);
        let most = places().max_by(|&a, &b| earlier.rates[a].abs().total_cmp(&earlier.rates[b].abs()))?;
        let factor = self.rates[most] / earlier.rates[most];
        let close = |a: f64, b: f64| (a - b).abs() <= SIMILAR * a.abs().max(b.abs());
        let is_similar = places().all(|place| {
            close(self.rates[place], factor * earlier.rates[place])
                && close(self.gaps[place], factor * factor * earlier.gaps[place])
        });
        (is_similar && factor > 0.0).then_some(factor)
    }

    /// How far a gap opens before it closes again.
    fn height(&self, place: usize) -> f64 {
        let (gap, rate, bend) = (self.gaps[place], self.rates[place], self.bends[place]);
        if rate > 0.0 && bend < 0.0 { gap + 0.5 * rate * rate / -bend } else { gap }
    }
}

impl Series<'_> {
    /// Strikes what has closed; nothing where that has no answer.
    fn strike(&mut self, stage: &mut Stage) -> Option<Left> {
        let (t, q, rows) = (self.t, self.q, &self.rows);
        let closed = (0..rows.len()).filter(|&place| self.gaps[place] == 0.0);
        let struck: Vec<(usize, f64)> = closed.map(|place| (rows[place], self.restitution[place])).collect();
        for (row, impulse) in stage.strike((t, q), &mut self.velocities, &struck).ok()?.impulses {
            if let Some(place) = rows.iter().position(|one| *one == row) {
                self.impulses[place] += impulse;
            }
        }
        let v = &self.velocities;
        let rates = stage.gap_rates(t, q, v, rows);
        let is_still = |(gap, (rate, size)): (&f64, &(f64, f64))| *gap == 0.0 && *rate <= AT_REST * size;
        let rests: Vec<bool> = self.gaps.iter().zip(&rates).map(is_still).collect();
        let touching: Vec<usize> = rows.iter().zip(&rests).filter(|one| *one.1).map(|one| *one.0).collect();
        let decided =
            stage.decide(&Moment { t, q, v, resting: &[], touching: &touching, force: self.force.as_deref() }).ok()?;
        let acceleration = decided.motion.acceleration;
        // Two that fall together have no acceleration between them.
        let felt = |(bend, size): &(f64, f64)| if bend.abs() <= UNFELT * size { 0.0 } else { *bend };
        let bends: Vec<f64> = stage.gap_accelerations(&acceleration, rows).iter().map(felt).collect();
        let rates: Vec<f64> = rates.iter().zip(&rests).map(|(rate, rests)| if *rests { 0.0 } else { rate.0 }).collect();
        let pushes: Vec<bool> = rows.iter().map(|row| decided.pushing.contains(row)).collect();
        let closes = |place: usize| match pushes[place] {
            true => None,
            false => closing_time(self.gaps[place], rates[place], bends[place]),
        };
        let times = (0..rows.len()).map(closes).collect();
        let (velocities, gaps, impulses) = (v.clone(), self.gaps.clone(), self.impulses.clone());
        Some(Left { after: self.after, velocities, gaps, impulses, rates, bends, acceleration, rests, pushes, times })
    }

    /// Goes on to the next blow.
    fn fly(&mut self, left: &Left, time: f64) {
        for place in (0..self.rows.len()).filter(|&place| !left.pushes[place]) {
            let gap = left.gaps[place] + time * (left.rates[place] + 0.5 * time * left.bends[place]);
            let is_closed = match left.times[place] {
                Some(own) => own == time || gap <= TOGETHER * left.height(place),
                None => false,
            };
            self.gaps[place] = if is_closed { 0.0 } else { gap.max(0.0) };
        }
        let changes = left.acceleration.iter().zip(&self.turning);
        self.velocities.iter_mut().zip(changes).for_each(|(v, (a, turning))| *v += time * (a - turning));
        self.after += time;
    }

    /// All that follows a blow that left `factor` times what an earlier one did. Returns whether it ends.
    fn sum(&mut self, left: &Left, earlier: &Left, factor: f64) -> bool {
        let more = factor / (1.0 - factor);
        let further = |now: &f64, then: &f64| now + more * (now - then);
        let all = |now: &[f64], then: &[f64]| now.iter().zip(then).map(|(a, b)| further(a, b)).collect();
        self.after = further(&left.after, &earlier.after);
        self.velocities = all(&left.velocities, &earlier.velocities);
        self.impulses = all(&left.impulses, &earlier.impulses);
        factor < 1.0 - ELASTIC
    }

    /// The end, with the rows that rest then.
    fn end(self, stage: &mut Stage, rests: impl Fn(usize) -> bool) -> Option<Ended> {
        let Self { t, q, rows, after, mut velocities, impulses, turning, force, .. } = self;
        let resting: Vec<usize> = (0..rows.len()).filter(|&place| rests(place)).map(|place| rows[place]).collect();
        let (v, touching, force) = (&velocities[..], &resting[..], force.as_deref());
        let decided = stage.decide(&Moment { t, q, v, resting: &[], touching, force }).ok()?;
        // Until then rest would have changed velocities, too. What lets go at the end is not at rest before.
        if decided.pushing.len() == resting.len() {
            let changes = decided.motion.acceleration.iter().zip(&turning);
            velocities.iter_mut().zip(changes).for_each(|(v, (a, turning))| *v -= after * (a - turning));
        }
        let impulses = rows.into_iter().zip(impulses).filter(|(_, impulse)| *impulse != 0.0).collect();
        Some(Ended { after, velocities, resting, impulses })
    }
}

impl Runner<'_> {
    /// How high the rows near contact that move will fly, at the present velocities and with the rate found last, as a part of what is low; nothing
    /// where none moves.
    fn highest_flight(&mut self, near: &[Near]) -> Option<f64> {
        let (n, t) = (self.mechanics.n, self.state.t);
        let rows: Vec<usize> = near.iter().map(|one| one.row).collect();
        let (q, v) = self.state.y[..2 * n].split_at(n);
        let rates = self.mechanics.stage().gap_rates(t, q, v, &rows);
        let bends = self.mechanics.stage().gap_accelerations(&self.state.rate[n..2 * n], &rows);
        let moves = |place: &usize| rates[*place].0.abs() > AT_REST * rates[*place].1;
        // Of two that fall together, what their accelerations are counts, not what is left between them until one lands.
        let flight = |place: usize| near[place].flight(rates[place].0, bends[place].1);
        (0..near.len()).filter(moves).map(flight).reduce(f64::max)
    }

    /// The end of a series of blows that is near it at the present state; nothing if there is none.
    pub(super) fn series_at_its_end(&mut self, near: &[Near]) -> Option<Ended> {
        let highest = self.highest_flight(near)?;
        if highest > 1.0 {
            self.occasions.tried_series = None;
            return None;
        }
        if self.occasions.tried_series.is_some_and(|tried| highest > TRIED_AGAIN * tried) {
            return None;
        }
        let (n, t) = (self.mechanics.n, self.state.t);
        let (q, v) = self.state.y[..2 * n].split_at(n);
        let rows: Vec<usize> = near.iter().map(|one| one.row).collect();
        let force = self.mechanics.forces_at_seams(t, q, v);
        let mut series = Series {
            t,
            force,
            q,
            near,
            restitution: rows.iter().map(|&row| self.restitution(row)).collect(),
            turning: self.mechanics.stage().turning(&rows),
            after: 0.0,
            velocities: v.to_vec(),
            gaps: near.iter().map(|one| one.gap).collect(),
            impulses: vec![0.0; rows.len()],
            rows,
        };
        let stage = self.mechanics.stage();
        let mut past: Vec<Left> = Vec::new();
        for _ in 0..BLOWS {
            let left = series.strike(stage)?;
            let Some(next) = left.times.iter().flatten().copied().reduce(f64::min) else {
                return series.end(stage, |place| left.rests[place]);
            };
            let repeats = past.iter().rev().take(CYCLE).find_map(|earlier| Some((earlier, left.factor(earlier)?)));
            if let Some((earlier, factor)) = repeats {
                let ends = series.sum(&left, earlier, factor);
                return if ends { series.end(stage, |at| left.rests[at] || left.times[at].is_some()) } else { None };
            }
            // Not all series repeat themselves; what they leave becomes nothing all the same.
            let is_gone = |place: usize| left.height(place) <= GONE * LOW * series.near[place].scale;
            if (0..near.len()).all(|place| left.times[place].is_none() || is_gone(place)) {
                return series.end(stage, |at| left.rests[at] || left.times[at].is_some());
            }
            let is_high = |place: usize| left.height(place) > ROOM * LOW * series.near[place].scale;
            if (0..near.len()).any(|place| left.times[place].is_some() && is_high(place)) {
                return None;
            }
            series.fly(&left, next);
            past.push(left);
        }
        self.occasions.tried_series = Some(highest);
        None
    }
}

/// When a gap closes that has a velocity and an acceleration; nothing if it does not.
fn closing_time(gap: f64, rate: f64, bend: f64) -> Option<f64> {
    if gap == 0.0 && rate <= 0.0 {
        // What has closed and was struck does not close again.
        return None;
    }
    let under = rate * rate - 2.0 * bend * gap;
    if bend >= 0.0 && (rate >= 0.0 || under < 0.0) {
        return None;
    }
    let root = under.sqrt();
    let time = if rate > 0.0 { (rate + root) / -bend } else { 2.0 * gap / (root - rate) };
    time.is_finite().then_some(time)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_close_when_their_parabola_does() {
        assert_eq!(closing_time(0.0, 3.0, -2.0), Some(3.0));
        assert_eq!(closing_time(8.0, 0.0, -4.0), Some(2.0));
        assert_eq!(closing_time(2.0, -2.0, 0.0), Some(1.0));
        assert_eq!(closing_time(1.5, -2.0, 1.0), Some(1.0));
        assert_eq!(closing_time(1.0, -1.0, 1.0), None);
        assert_eq!(closing_time(1.0, 1.0, 0.0), None);
        assert_eq!(closing_time(0.0, 0.0, -1.0), None);
    }
}
