//! Singular configurations inside a step: where they are, whether the step led to another branch there, and what is reported of them.

use super::mechanics::LARGEST;
use super::outcome::RankChange;
use super::runner::{Arrival, Runner, State, Stop};
use super::singular::{edge_minimum, minimum};
use holonom_language::Drift;

/// Looks at the clearance inside a step in which it dips.
const SAMPLES: usize = 24;

impl Runner<'_> {
    /// Finds where in a step the constraints come near to losing rank, and whether the step leads to another branch there.
    pub(super) fn leaves_branch(&mut self, arrival: &mut Arrival) -> Result<bool, Stop> {
        let (n, t0, h, end) = (self.mechanics.n, self.state.t, arrival.t - self.state.t, arrival.end());
        let Some((from, to)) = self.occasions.watch.dip(&self.mechanics.seen.watched, t0, end) else {
            return Ok(false);
        };
        if !arrival.dense {
            let made = self.method.make_dense(&mut self.mechanics, &self.state.next, &self.state.next_rate);
            made.map_err(|trouble| Stop::Trouble(trouble, end))?;
            arrival.dense = true;
        }
        let wavers = self.occasions.watch.wavers(&self.mechanics.seen.watched);
        let Self { method, mechanics, state, .. } = self;
        let middle = &mut state.middle;
        let mut clearance = |t: f64| {
            method.interpolate((t - t0) / h, middle);
            let (q, v) = middle[..2 * n].split_at(n);
            mechanics.clearance_at(t, q, v)
        };
        // Where it falls or rises all along, as it does in the steps beside the one that crosses, nothing is to be searched.
        let dip = match edge_minimum(from, to, (t0, t0 + h), &mut clearance) {
            Some(found) => found,
            None => minimum(from, to, &mut clearance),
        };
        arrival.dips[0] = Some(dip);
        if (self.occasions.watch.is_inside(dip.0, t0, end) || wavers) && n <= LARGEST {
            // Another mechanism may come near a configuration of its own in the same step, perhaps at nearly the same time.
            let beside = 2.0 * (end - t0) / SAMPLES as f64;
            for (from, to) in [(t0, end), (t0.max(dip.0 - beside), end.min(dip.0 + beside))] {
                let at = |k: usize| from + (to - from) * k as f64 / SAMPLES as f64;
                let mut seen = [f64::INFINITY; SAMPLES + 1];
                seen.iter_mut().enumerate().for_each(|(k, seen)| *seen = clearance(at(k)));
                let lowest = (1..SAMPLES).filter(|&k| seen[k] < seen[k - 1] && seen[k] <= seen[k + 1]);
                for k in lowest.filter(|&k| self.occasions.watch.is_low(seen[k])) {
                    let is_known = arrival.dips.iter().flatten().any(|dip| (at(k - 1)..=at(k + 1)).contains(&dip.0));
                    let Some(place) = arrival.dips.iter_mut().find(|place| place.is_none()).filter(|_| !is_known)
                    else {
                        continue;
                    };
                    *place = Some(minimum(at(k - 1), at(k + 1), &mut clearance));
                }
            }
        }
        arrival.dips.sort_by(|a, b| {
            let time = |dip: &Option<(f64, f64)>| dip.map_or(f64::INFINITY, |dip| dip.0);
            time(a).total_cmp(&time(b))
        });
        let mut is_fast = false;
        for dip in arrival.dips.into_iter().flatten() {
            if self.plan.settings.drift != Drift::Projection || !self.occasions.watch.is_deep(dip, t0, end) {
                continue;
            }
            self.method.interpolate((dip.0 - t0) / h, &mut self.state.middle);
            let (q, v) = self.state.middle[..2 * n].split_at(n);
            let ends = [(t0, &self.state.y[..n]), (arrival.t, &self.state.next[..n])];
            // Where the clearance is not that small, rows must have changed sides.
            if !self.occasions.watch.is_very_deep(dip.1) && !self.mechanics.changes_sides(ends) {
                continue;
            }
            if self.mechanics.turns_aside((dip.0, q, v), ends, self.plan.settings.rtol) {
                is_fast |= self.occasions.watch.is_fast(dip.1);
                self.be_careful();
            } else if self.occasions.watch.is_lost(dip.1) {
                let states =
                    [(&self.state.y[..], &self.state.rate[..]), (&self.state.next[..], &self.state.next_rate[..])];
                is_fast |= self.mechanics.changes_course(states, h);
            }
        }
        Ok(is_fast)
    }

    /// Branches come near each other and do not cross: the motion has to be followed round a bend. What a clearance is then held against is that
    /// of the start as steps see it.
    pub(super) fn be_careful(&mut self) {
        let n = self.mechanics.n;
        let (q, v) = self.state.y[..2 * n].split_at(n);
        let clearance = self.mechanics.clearance_held(self.state.t, q, v);
        self.occasions.watch.be_careful(clearance);
    }

    /// Reports a loss of rank where the constraints came nearest to it in the last step, of length h.
    pub(super) fn look_at_dip(&mut self, (time, least): (f64, f64), h: f64) {
        let (n, t0) = (self.mechanics.n, self.state.t);
        let Self { method, mechanics, occasions, state, .. } = self;
        let State { middle, y, next, .. } = state;
        method.interpolate((time - t0) / h, middle);
        let (q, v) = middle[..2 * n].split_at(n);
        let crosses = || mechanics.crosses((time, q, v), [(t0, &y[..n]), (t0 + h, &next[..n])]);
        if !occasions.watch.is_loss(time, least, (t0, t0 + h), crosses) {
            return;
        }
        let found = self.mechanics.dependent(time, q, v, 1e3 * least.max(1e-13));
        let equations = self.mechanics.system.equations();
        let mut rows: Vec<usize> = found.iter().flat_map(|(row, of)| of.iter().chain([row])).copied().collect();
        rows.sort_unstable();
        rows.dedup();
        let rank = self.mechanics.linear.rank();
        if self.control.progress.lose_rank(self.told.ranks.len()) {
            self.told.ranks.push(RankChange {
                time,
                rank,
                rank_there: rank - found.len(),
                rows: rows.iter().map(|&row| equations.rows[row].name.clone()).collect(),
            });
        }
    }
}
