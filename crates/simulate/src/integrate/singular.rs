//! Singular configurations on the way: constraints that lose rank at one moment and have it again after it.
//!
//! The clearance (the least squared sine between rows) touches zero without changing its sign. Every stage of a step
//! sees it; where it dips, its minimum is located on the dense output. Steps must not end there: the acceleration at the
//! very place would be that of fewer constraints, and beside it rounding is magnified.

/// A dip below this part of the largest clearance is looked at, where clearances are squared sines.
pub(super) const DIP: f64 = 0.01;
/// … and where they are squares of pivots, which fall later.
pub(super) const PIVOT_DIP: f64 = 0.1;
/// Looks that are all above this part of the largest clearance have no dip between them.
const SHALLOW: f64 = 0.25;
/// Looks at the clearance that are kept: those of the stages of a step.
pub(super) const WATCHED: usize = 32;

/// A dip is a loss of rank if it goes below this part.
const LOST: f64 = 1e-9;

/// A dip below this part is looked at for branches that come near each other without crossing: a step may lead from one to the other.
const BEND: f64 = 1e-3;
const DEEP: f64 = 1e-5;
/// Where branches do not cross, no step may begin at a clearance and go through one below this part of it: half the sine.
const CAREFUL: f64 = 0.25;
const HALVINGS: u32 = 30;
/// … until it is above this part of the largest again,
const AWAY: f64 = 1e-2;
/// … or below this one, where rounding decides on which branch a state is.
const BLURRED: f64 = 1e-13;

/// What projection may move across a singular configuration, relative to the sizes of coordinates: records on the way are that far off.
const ACROSS: f64 = 1e-3;

/// The error that rounding makes across a singular configuration, where sines between rows are 1: stages come within a tenth of the step to it.
const ROUNDING: f64 = 1e4 * f64::EPSILON;

/// Where in a step the method does not look: half way between the stages at 1/3 and 3/5. A singular configuration is crossed there.
const BLIND: f64 = 0.467;
/// A configuration in this part of the step is far enough from all stages.
const UNSEEN: std::ops::Range<f64> = 0.40..0.54;
/// A length is chosen this many times at most before the step is taken as it is.
const MOST_CHOICES: u32 = 3;
/// A sine that falls to zero within one and a half steps is less than this part of what it was at the end of the first.
const FALLS: f64 = 0.4;
/// A step that failed is not tried again with so many times its length.
const MUCH_LONGER: f64 = 1.5;

/// A minimum in this part of the step beside one of its ends counts as at that end.
const EDGE: f64 = 1e-6;

/// Losses of rank that are no further apart than this part of a step are one.
const SAME: f64 = 1e-3;

/// What is known of the clearance.
#[derive(Clone, Debug)]
pub(super) struct Watch {
    /// A dip below this part of the largest clearance is looked at.
    dip: f64,
    /// The largest clearance so far.
    largest: f64,
    /// That at the start of the step.
    start: f64,
    /// How often the length of the step was chosen with respect to a singular configuration: where speeds change, it is nearer than it seemed.
    chosen: u32,
    /// Whether a length was chosen for it after a failure: not twice from one state.
    tried: bool,
    /// The singular configuration that was found last.
    last: f64,
    /// Whether the clearance was least at the very end of the last step.
    at_end: bool,
    /// Whether branches come near each other here and do not cross.
    careful: bool,
    /// Attempts in a row that went too fast.
    halvings: u32,
}

impl Watch {
    pub(super) fn new(dip: f64) -> Self {
        Self {
            dip,
            largest: 0.0,
            start: 0.0,
            chosen: 0,
            tried: false,
            last: f64::NEG_INFINITY,
            at_end: false,
            careful: false,
            halvings: 0,
        }
    }

    /// Another step begins at a clearance.
    pub(super) fn begin(&mut self, clearance: f64) {
        self.start = clearance;
        self.largest = self.largest.max(clearance);
        (self.chosen, self.tried) = (0, false);
        self.careful &= (BLURRED * self.largest..AWAY * self.largest).contains(&clearance);
    }

    /// Whether the clearance was so small at a time inside a step that it has to be known whether branches cross there.
    pub(super) fn is_deep(&self, (time, least): (f64, f64), t0: f64, t1: f64) -> bool {
        !self.careful && least <= BEND * self.largest && self.is_inside(time, t0, t1)
    }

    /// Whether a clearance is so small that branches may be changed there, whatever else is known.
    pub(super) fn is_very_deep(&self, least: f64) -> bool {
        least <= DEEP * self.largest
    }

    /// Whether a time is not at an end of a step.
    pub(super) fn is_inside(&self, time: f64, t0: f64, t1: f64) -> bool {
        let edge = EDGE * (t1 - t0);
        time - t0 > edge && t1 - time > edge
    }

    /// Whether the stages of a step saw a low clearance rise again before its end.
    pub(super) fn wavers(&self, looks: &[(f64, f64)]) -> bool {
        let mut ordered = [(f64::INFINITY, 0.0); WATCHED];
        let count = ordered.iter_mut().zip(looks).map(|(place, look)| *place = *look).count();
        ordered[..count].sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let rises = |at: &[(f64, f64)]| at[1].1 < at[0].1 && at[1].1 < at[2].1 && self.is_low(at[1].1);
        ordered[..count].windows(3).any(rises)
    }

    /// Whether a clearance is worth a look at where it is least.
    pub(super) fn is_low(&self, clearance: f64) -> bool {
        clearance < SHALLOW * self.largest
    }

    /// Whether a step went through this clearance too fast to follow a bend.
    pub(super) fn is_fast(&self, least: f64) -> bool {
        least < CAREFUL * self.start
    }

    /// Branches come near each other and do not cross: the motion has to be followed round a bend, from this clearance on.
    pub(super) fn be_careful(&mut self, clearance: f64) {
        (self.careful, self.start) = (true, clearance);
    }

    pub(super) fn is_careful(&self) -> bool {
        self.careful
    }

    /// Whether an attempt went too fast where branches come near each other. So many halvings in a row do not help.
    pub(super) fn hurries(&mut self, looks: &[(f64, f64)]) -> bool {
        let hurries = self.careful && self.halvings < HALVINGS && looks.iter().any(|look| self.is_fast(look.1));
        self.halvings = if hurries { self.halvings + 1 } else { 0 };
        hurries
    }

    /// The clearance below which a singular configuration is near.
    pub(super) fn near(&self) -> f64 {
        0.1 * self.largest
    }

    /// How far projection may move the end of a step, relative to the sizes of coordinates, where it usually may do so by `usual`.
    ///
    /// Near a singular configuration projection takes away errors and rounding, magnified, along the row that is about to be lost. They are
    /// motion only as far as that row turns within the step, which is about as much as its sine changes; across the configuration the error
    /// estimate has them all.
    pub(super) fn most_moved(&self, looks: &[(f64, f64)], usual: f64) -> f64 {
        if self.crosses(looks) {
            return ACROSS;
        }
        if self.careful || looks.iter().all(|look| look.1 >= self.near()) {
            return usual;
        }
        let turn = (self.start.max(at_end(looks)) / self.largest).sqrt();
        (usual / turn).min(ACROSS)
    }

    /// The relative error that rounding makes of a step: next to nothing, except across a singular configuration. There what is left of rows is
    /// divided by their sines twice, and turned into motion by one.
    pub(super) fn rounding(&self, looks: &[(f64, f64)]) -> f64 {
        if self.crosses(looks) { ROUNDING * (self.largest / self.start).sqrt() } else { 0.0 }
    }

    /// Whether the stages of a step saw the clearance dip and rise again, where branches are not known to miss each other.
    fn crosses(&self, looks: &[(f64, f64)]) -> bool {
        let least = looks.iter().map(|look| look.1).fold(f64::INFINITY, f64::min);
        !self.careful && least <= BEND * self.largest && least < CAREFUL * self.start.min(at_end(looks))
    }

    /// Whether rank is lost at a clearance.
    pub(super) fn is_lost(&self, clearance: f64) -> bool {
        clearance <= LOST * self.largest
    }

    /// The length of the step is chosen anew, for its error.
    pub(super) fn choose_again(&mut self) {
        self.chosen = 0;
    }

    /// A length to try instead, where a step that is good otherwise comes too near to a singular configuration: it should
    /// be crossed where the method does not look, and no step should end near it. Errors would allow steps of the length `wish`.
    pub(super) fn better_length(&mut self, t: f64, (length, wish): (f64, f64), looks: &[(f64, f64)]) -> Option<f64> {
        let ahead = self.ahead(t, length, looks)?;
        self.chosen += 1;
        if ahead <= BLIND * wish || ahead - 0.9 * BLIND * wish < 0.05 * wish {
            return Some(ahead / BLIND);
        }
        Some(ahead - 0.9 * BLIND * wish)
    }

    /// A length to try instead, where a step across a singular configuration has too large an error: a stage beside it sees rounding
    /// magnified, the more so the nearer the step begins. Shorter steps would end nearer to it, and none would cross it.
    pub(super) fn length_across(&mut self, t: f64, length: f64, looks: &[(f64, f64)]) -> Option<f64> {
        let across = self.ahead(t, length, looks).filter(|_| !self.tried && self.crosses(looks))? / BLIND;
        (self.chosen, self.tried) = (MOST_CHOICES, true);
        (across < MUCH_LONGER * length).then_some(across)
    }

    /// How far ahead a singular configuration is, if the length of the step may still be chosen for it and a stage comes near it.
    fn ahead(&self, t: f64, length: f64, looks: &[(f64, f64)]) -> Option<f64> {
        if self.chosen >= MOST_CHOICES || self.careful || self.start == 0.0 {
            return None;
        }
        let mut ordered = [(t, self.start.sqrt()); WATCHED + 1];
        let later = looks.iter().filter(|look| look.0 > t).map(|look| (look.0, look.1.sqrt()));
        let count = 1 + ordered.iter_mut().skip(1).zip(later).map(|(place, look)| *place = look).count();
        let ordered = &mut ordered[..count];
        ordered.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        // The sine passes zero linearly: beside the stage that sees the least of it, or after the last one.
        let least = (1..count).min_by(|&i, &j| ordered[i].1.total_cmp(&ordered[j].1))?;
        if ordered[least].1 > FALLS * ordered[0].1 {
            return None;
        }
        let before = ordered[least - 1];
        let after = ordered.get(least + 1).map_or(ordered[least], |next| (next.0, -next.1));
        let ahead = before.0 - t + (after.0 - before.0) * before.1 / (before.1 - after.1);
        (ahead > 0.0 && ahead < 1.5 * length && !UNSEEN.contains(&(ahead / length))).then_some(ahead)
    }

    /// Where, among the looks of a step from `t0` to `t1`, the clearance dips, or may dip between two of them: between which times its
    /// minimum lies.
    pub(super) fn dip(&self, looks: &[(f64, f64)], t0: f64, t1: f64) -> Option<(f64, f64)> {
        let inside = looks.iter().filter(|(t, _)| (t0..=t1).contains(t));
        let least = inside.clone().min_by(|a, b| a.1.total_cmp(&b.1))?;
        if least.1 > SHALLOW * self.largest {
            return None;
        }
        // In the order of time, from the start on, without allocation.
        let mut ordered = [(t0, self.start); WATCHED + 1];
        let places = ordered.iter_mut().skip(1);
        let count = 1 + places.zip(inside).map(|(place, look)| *place = (look.0, look.1.sqrt())).count();
        ordered[0].1 = self.start.sqrt();
        let ordered = &mut ordered[..count];
        ordered.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let i = ordered.iter().position(|look| look.0 == least.0)?;
        let slope = |i: usize| match (ordered.get(i), ordered.get(i + 1)) {
            (Some(one), Some(other)) if other.0 > one.0 => ((other.1 - one.1) / (other.0 - one.0)).abs(),
            _ => 0.0,
        };
        // The sine cannot fall faster between two looks than it does around them.
        let steepest = (i.saturating_sub(2)..i + 2).map(slope).fold(0.0, f64::max);
        let lowest = |i: usize| match (ordered.get(i), ordered.get(i + 1)) {
            (Some(one), Some(other)) => 0.5 * (one.1 + other.1 - steepest * (other.0 - one.0)),
            _ => f64::INFINITY,
        };
        let lowest = lowest(i).min(i.checked_sub(1).map_or(f64::INFINITY, lowest)).max(0.0);
        if (lowest * lowest).min(least.1) > self.dip * self.largest {
            return None;
        }
        let before = ordered[..i].iter().map(|look| look.0).filter(|t| *t < least.0).fold(t0, f64::max);
        let after = ordered[i..].iter().map(|look| look.0).find(|t| *t > least.0).unwrap_or(t1);
        Some((before, after))
    }

    /// Whether a dip at a time in a step from `t0` to `t1` is a loss of rank that was not reported yet; dips come in the order of time.
    ///
    /// The motion inside a step misses a crossing by some of its error, so that the clearance is not zero there: `crosses` tells whether
    /// branches cross near by, or nothing where that cannot be known.
    pub(super) fn is_loss(
        &mut self,
        t: f64,
        clearance: f64,
        (t0, t1): (f64, f64),
        crosses: impl FnOnce() -> Option<bool>,
    ) -> bool {
        // At an end it is a minimum only together with the next step.
        let edge = EDGE * (t1 - t0);
        let before = std::mem::replace(&mut self.at_end, t1 - t <= edge);
        if self.careful || self.at_end || (t - t0 <= edge && !before) {
            return false;
        }
        let is_low = clearance <= BEND * self.largest && t - self.last > SAME * (t1 - t0);
        let lost = is_low && crosses().unwrap_or(self.is_lost(clearance));
        if lost {
            self.last = t;
        }
        lost
    }
}

/// The clearance that was seen last in a step.
fn at_end(looks: &[(f64, f64)]) -> f64 {
    looks.iter().max_by(|a, b| a.0.total_cmp(&b.0)).map_or(0.0, |look| look.1)
}

/// The minimum of a function with one dip between two times, if it lies at an end that is also an end of the step.
pub(super) fn edge_minimum(
    from: f64,
    to: f64,
    (t0, t1): (f64, f64),
    mut of: impl FnMut(f64) -> f64,
) -> Option<(f64, f64)> {
    let edge = 0.5 * EDGE * (t1 - t0);
    [(from, t0, edge), (to, t1, -edge)].into_iter().filter(|(end, of_step, _)| (end - of_step).abs() <= edge).find_map(
        |(end, _, inwards)| {
            let there = of(end);
            (there < of(end + inwards)).then_some((end, there))
        },
    )
}

/// The minimum of a function with one dip between two times: (time, value).
///
/// Brent's way: by the parabola through the best three points, which is nearly the function itself, and by golden sections
/// where that leads nowhere.
pub(super) fn minimum(mut from: f64, mut to: f64, mut of: impl FnMut(f64) -> f64) -> (f64, f64) {
    let golden = 0.5 * (3.0 - 5f64.sqrt());
    let resolution = 1e-9 * (to - from) + 4.0 * f64::EPSILON * to.abs();
    let start = from + golden * (to - from);
    // The best, the second and the third so far.
    let mut best = (start, of(start));
    let (mut second, mut third) = (best, best);
    let (mut step, mut before): (f64, f64) = (0.0, 0.0);
    for _ in 0..100 {
        let middle = 0.5 * (from + to);
        if best.1 == 0.0 || (best.0 - middle).abs() + 0.5 * (to - from) <= 2.0 * resolution {
            break;
        }
        let r = (best.0 - second.0) * (best.1 - third.1);
        let q = (best.0 - third.0) * (best.1 - second.1);
        let (up, down) = ((best.0 - third.0) * q - (best.0 - second.0) * r, 2.0 * (q - r));
        let parabola = -up / down;
        let inside = (from..to).contains(&(best.0 + parabola));
        let last = std::mem::replace(&mut before, step);
        step = if inside && parabola.abs() < 0.5 * last.abs() {
            parabola
        } else {
            before = if best.0 < middle { to - best.0 } else { from - best.0 };
            golden * before
        };
        let length = step.abs().max(resolution);
        let t = best.0 + if step < 0.0 { -length } else { length };
        let new = (t, of(t));
        if new.1 <= best.1 {
            *(if t < best.0 { &mut to } else { &mut from }) = best.0;
            (third, second, best) = (second, best, new);
        } else {
            *(if t < best.0 { &mut from } else { &mut to }) = t;
            if new.1 <= second.1 || second.0 == best.0 {
                (third, second) = (second, new);
            } else if new.1 <= third.1 || third.0 == best.0 || third.0 == second.0 {
                third = new;
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dip_is_found_between_the_looks() {
        let of = |t: f64| (t - 0.37) * (t - 0.37);
        let looks: Vec<(f64, f64)> = [0.05, 0.25, 0.3, 0.6, 0.65, 1.0].iter().map(|&t| (t, of(t))).collect();
        let mut watch = Watch::new(DIP);
        watch.begin(1.0);
        let (from, to) = watch.dip(&looks, 0.0, 1.0).unwrap();
        assert_eq!((from, to), (0.25, 0.6));
        let mut looks = 0;
        let (t, value) = minimum(from, to, |t| {
            looks += 1;
            of(t)
        });
        assert!((t - 0.37).abs() < 1e-8 && looks < 20, "{t} {looks}");
        let unknown = || None;
        assert!(watch.is_loss(t, value, (0.0, 1.0), unknown) && !watch.is_loss(t + 1e-6, value, (0.0, 1.0), unknown));
        assert!(!watch.is_loss(2.0, 0.0, (1.5, 2.0), unknown)); // it may go on falling
        assert!(watch.is_loss(2.0, 0.0, (2.0, 2.5), unknown));
        // Branches that cross count where the step misses them by a little, and others do not.
        assert!(!watch.is_loss(2.7, 1e-6, (2.5, 3.0), unknown) && watch.is_loss(2.7, 1e-6, (2.5, 3.0), || Some(true)));
        assert!(!watch.is_loss(2.8, 0.0, (2.5, 3.0), || Some(false)));
    }

    #[test]
    fn a_dip_between_looks_that_are_far_apart_is_found_and_a_shallow_one_is_not() {
        let times = [0.05, 0.25, 0.31, 0.33, 0.6, 0.65, 1.0];
        let found = |of: &dyn Fn(f64) -> f64| {
            let looks: Vec<(f64, f64)> = times.iter().map(|&t| (t, of(t))).collect();
            let mut watch = Watch::new(DIP);
            watch.begin(1.0);
            watch.dip(&looks, 0.0, 1.0)
        };
        // |sin| passes zero half way between two looks, at which its square is 0.07.
        assert_eq!(found(&|t| (2.0 * (t - 0.46)).sin().powi(2)), Some((0.31, 0.6)));
        assert_eq!(found(&|t| 0.15 + (t - 0.465) * (t - 0.465)), None);
    }

    #[test]
    fn what_falls_to_the_end_of_a_step_is_not_searched() {
        let of = |t: f64| (t - 1.2) * (t - 1.2);
        assert_eq!(edge_minimum(0.7, 1.0, (0.0, 1.0), of).map(|found| found.0), Some(1.0));
        assert_eq!(edge_minimum(0.7, 0.9, (0.0, 1.0), of), None);
        assert_eq!(edge_minimum(1.5, 1.7, (1.5, 3.0), of).map(|found| found.0), Some(1.5));
        assert_eq!(edge_minimum(1.0, 1.5, (1.0, 1.5), of), None); // it lies inside
    }

    #[test]
    fn a_singular_configuration_is_crossed_where_the_method_does_not_look() {
        let looks = |length: f64, zero: f64| -> Vec<(f64, f64)> {
            [0.1, 0.33, 0.6, 1.0].iter().map(|c| (c * length, (zero - c * length).powi(2))).collect()
        };
        let mut watch = Watch::new(DIP);
        watch.begin(1.0);
        assert_eq!(watch.better_length(0.0, (0.5, 0.5), &looks(0.5, 1.0)), None); // far
        let shorter = watch.better_length(0.0, (1.01, 1.01), &looks(1.01, 1.0)).unwrap(); // it would end there
        assert!((0.4..0.7).contains(&shorter));
        let again = |watch: &mut Watch| watch.better_length(0.0, (1.01, 1.01), &looks(1.01, 1.0));
        assert!(again(&mut watch).is_some() && again(&mut watch).is_some() && again(&mut watch).is_none()); // enough
        watch.begin(1.0);
        let centred = watch.better_length(0.0, (3.0, 3.0), &looks(3.0, 1.0)).unwrap();
        assert!((1.0 / centred - BLIND).abs() < 1e-9);
        watch.begin(1.0);
        assert_eq!(watch.better_length(0.0, (2.1, 2.1), &looks(2.1, 1.0)), None); // just right
    }
}
