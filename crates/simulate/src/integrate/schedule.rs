//! When to record.

use super::plan::Plan;

/// Records where nothing else was asked for.
const RECORDS: f64 = 500.0;
/// … unless a table would have more numbers than this: then fewer, but never fewer than `FEWEST`.
const NUMBERS: f64 = 2e7;
const FEWEST: f64 = 20.0;

/// When to record.
pub(super) struct Schedule {
    every: Option<f64>,
    count: u64,
    at: Vec<f64>,
    next_at: usize,
    /// `count` and `next_at` before the last record.
    before: (u64, usize),
    until: f64,
    /// Whether ends of steps are recorded as well.
    pub(super) ends: bool,
}

impl Schedule {
    pub(super) fn new(plan: &Plan) -> Self {
        let settings = &plan.settings;
        let is_open = settings.every.is_none() && settings.at.is_empty();
        let records = RECORDS.min((NUMBERS / plan.columns.len() as f64).floor().max(FEWEST));
        let every = if is_open { Some(settings.until / records) } else { settings.every };
        let ends = is_open && records == RECORDS;
        let every = every.filter(|every| *every > 0.0);
        Self { every, count: 0, at: settings.at.clone(), next_at: 0, before: (0, 0), until: settings.until, ends }
    }

    /// The next of the equally spaced times.
    fn regular(&self) -> f64 {
        let regular = self.every.map_or(f64::INFINITY, |every| self.count as f64 * every);
        // The last of them may miss the end by rounding.
        if (regular - self.until).abs() <= 1e-12 * self.until { self.until } else { regular }
    }

    /// The next time to record, if it is not after `limit`; it is taken.
    pub(super) fn take(&mut self, limit: f64) -> Option<f64> {
        let regular = self.regular();
        let special = self.at.get(self.next_at).copied().unwrap_or(f64::INFINITY);
        let next = regular.min(special);
        if next > limit {
            return None;
        }
        self.before = (self.count, self.next_at);
        if regular == next {
            self.count += 1;
        }
        if special == next {
            self.next_at += 1;
        }
        Some(next)
    }

    /// What was taken last is still to be recorded.
    pub(super) fn put_back(&mut self) {
        (self.count, self.next_at) = self.before;
    }

    /// Whether something is to be recorded up to a time.
    pub(super) fn has(&self, limit: f64) -> bool {
        self.regular() <= limit || self.at.get(self.next_at).is_some_and(|at| *at <= limit)
    }
}
