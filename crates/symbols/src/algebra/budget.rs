//! What a computation may cost.
//!
//! Exact algebra has no small bound on its answers: the greatest common divisor of two short polynomials can be
//! long, and an expression of ten characters can expand to a million terms. Every operation that can grow takes a
//! [`Budget`], pays for its work in advance, and ends with [`Exhausted`] when the budget ends.

use std::cell::Cell;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The size that one polynomial may have, in machine words, unless the budget says otherwise: 64 MB.
const WORDS: u64 = 1 << 23;

/// Work that may still be done. A unit is about one product of two coefficients, some ten nanoseconds.
#[derive(Debug)]
pub struct Budget {
    left: Cell<u64>,
    words: u64,
    interrupt: Option<Arc<AtomicBool>>,
    /// Set when no more time is left.
    enough: Option<Arc<AtomicBool>>,
}

/// Why a computation ended without an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exhausted {
    /// Which of the bounds was met.
    pub reason: Reason,
}

/// The bounds of a [`Budget`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// It would have taken too long.
    TooMuchWork,
    /// A result, or something on the way to it, would have been too large.
    TooLarge,
    /// Somebody asked to stop.
    Interrupted,
    /// The time that was allowed is over: what is at hand is wanted now.
    OutOfTime,
}

impl Reason {
    /// Whether no further attempt is wanted, however cheap.
    pub fn is_final(self) -> bool {
        matches!(self, Self::Interrupted | Self::OutOfTime)
    }
}

impl Exhausted {
    pub(crate) const TOO_MUCH_WORK: Self = Self { reason: Reason::TooMuchWork };
    /// An intermediate result is too large.
    pub const TOO_LARGE: Self = Self { reason: Reason::TooLarge };
}

impl fmt::Display for Exhausted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.reason {
            Reason::TooMuchWork => "the exact computation takes more work than it was allowed",
            Reason::TooLarge => "the exact computation leads to an expression larger than allowed",
            Reason::Interrupted => "the exact computation was interrupted",
            Reason::OutOfTime => "the exact computation takes more time than it was allowed",
        })
    }
}

impl std::error::Error for Exhausted {}

impl Budget {
    /// Allows `work` units of work, and polynomials of up to 64 MB.
    pub fn new(work: u64) -> Self {
        Self { left: Cell::new(work), words: WORDS, interrupt: None, enough: None }
    }

    /// As [`Budget::new`], and ends as soon as `interrupt` is set.
    pub fn with_interrupt(work: u64, interrupt: Arc<AtomicBool>) -> Self {
        Self { interrupt: Some(interrupt), ..Self::new(work) }
    }

    /// No bound on the work; polynomials still have to fit.
    pub fn unlimited() -> Self {
        Self::new(u64::MAX)
    }

    /// Bounds every single polynomial to about this many machine words.
    pub fn with_words(self, words: u64) -> Self {
        Self { words, ..self }
    }

    /// What is left of the work allowed.
    pub fn left(&self) -> u64 {
        self.left.get()
    }

    /// Ends with [`Reason::OutOfTime`] as soon as `enough` is set, by whoever looks at the clock.
    pub fn until(self, enough: Arc<AtomicBool>) -> Self {
        Self { enough: Some(enough), ..self }
    }

    /// Whether somebody has asked to stop.
    pub fn is_interrupted(&self) -> bool {
        self.interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
    }

    /// Whether the time that was allowed is over.
    pub fn is_out_of_time(&self) -> bool {
        self.enough.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
    }

    /// Ends work that is paid for otherwise, or not at all, where nobody wants it any more.
    pub fn go_on(&self) -> Result<(), Exhausted> {
        match (self.is_interrupted(), self.is_out_of_time()) {
            (true, _) => Err(Exhausted { reason: Reason::Interrupted }),
            (_, true) => Err(Exhausted { reason: Reason::OutOfTime }),
            _ => Ok(()),
        }
    }

    /// Pays for work about to be done. A budget once exhausted stays so.
    pub fn spend(&self, work: u64) -> Result<(), Exhausted> {
        self.go_on()?;
        let left = self.left.get().checked_sub(work);
        self.left.set(left.unwrap_or(0));
        left.map(|_| ()).ok_or(Exhausted::TOO_MUCH_WORK)
    }

    /// Checks that this many terms in this many variables may be held.
    pub(crate) fn room(&self, terms: usize, variables: usize) -> Result<(), Exhausted> {
        let words = (terms as u64).saturating_mul(2 + variables as u64 / 2);
        if words > self.words { Err(Exhausted::TOO_LARGE) } else { Ok(()) }
    }

    /// Tries something that may fail cheaply: with at most `work`, and `None` when that was not enough although
    /// this budget has some left.
    pub fn attempt<T>(
        &self,
        work: u64,
        job: impl FnOnce(&Budget) -> Result<T, Exhausted>,
    ) -> Result<Option<T>, Exhausted> {
        let allowed = work.min(self.left());
        let (interrupt, enough) = (self.interrupt.clone(), self.enough.clone());
        let inner = Self { left: Cell::new(allowed), words: self.words, interrupt, enough };
        let result = job(&inner);
        let spent = self.spend(allowed - inner.left());
        match result {
            Ok(value) => spent.map(|()| Some(value)),
            Err(end) if end.reason.is_final() => Err(end),
            Err(_) if self.left() > 0 => Ok(None),
            Err(end) => Err(end),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_ends_and_stays_ended() {
        let budget = Budget::new(10);
        assert!(budget.spend(7).is_ok());
        assert_eq!(budget.spend(4), Err(Exhausted::TOO_MUCH_WORK));
        assert!(budget.spend(1).is_err());
    }

    #[test]
    fn an_attempt_costs_what_it_used() {
        let budget = Budget::new(100);
        assert_eq!(budget.attempt(20, |b| b.spend(5)), Ok(Some(())));
        assert_eq!(budget.left(), 95);
        assert_eq!(budget.attempt(20, |b| b.spend(21)), Ok(None));
        assert_eq!(budget.left(), 75);
        assert!(budget.attempt(1000, |b| b.spend(1000)).is_err());
    }

    #[test]
    fn an_interruption_is_heeded() {
        let flag = Arc::new(AtomicBool::new(false));
        let budget = Budget::with_interrupt(100, flag.clone());
        assert!(budget.spend(1).is_ok());
        flag.store(true, Ordering::Relaxed);
        assert_eq!(budget.spend(1), Err(Exhausted { reason: Reason::Interrupted }));
    }

    #[test]
    fn the_end_of_time_ends_attempts_too() {
        let flag = Arc::new(AtomicBool::new(false));
        let budget = Budget::new(100).until(flag.clone());
        assert_eq!(budget.attempt(10, |inner| inner.spend(1)), Ok(Some(())));
        flag.store(true, Ordering::Relaxed);
        let end = Err(Exhausted { reason: Reason::OutOfTime });
        assert_eq!(budget.attempt(10, |inner| inner.spend(1)).map(|_| ()), end);
        assert_eq!(budget.go_on(), end);
    }
}
