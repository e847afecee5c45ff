//! How far a law is from being broken: amounts against what is allowed.

use holonom::MotionError;
use std::fmt;

/// A law that does not hold.
#[derive(Clone, Debug, PartialEq)]
pub struct Violation {
    /// The name of the law.
    pub law: &'static str,
    /// Which part of it.
    pub what: String,
    /// What there is.
    pub amount: f64,
    /// What there may be.
    pub allowed: f64,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: {:.3e}, allowed {:.3e}", self.law, self.what, self.amount, self.allowed)
    }
}

/// The worst amount over what is allowed, or nothing where the law does not speak of the system.
pub type Verdict = Result<Option<f64>, Violation>;

/// Collects what a law measures on one system.
pub struct Gauge {
    law: &'static str,
    floor: f64,
    worst: Option<f64>,
    violation: Option<Violation>,
}

impl Gauge {
    /// Nothing measured yet. Amounts up to `floor` are rounding of the largest numbers of the system, and nothing
    /// else can be expected of what should be exactly zero.
    pub fn new(law: &'static str, floor: f64) -> Gauge {
        Gauge { law, floor, worst: None, violation: None }
    }

    /// The amount must not exceed what is allowed.
    pub fn at_most(&mut self, what: &str, amount: f64, allowed: f64) {
        let ratio = if amount == 0.0 { 0.0 } else { amount / (allowed + self.floor) };
        let ratio = if ratio.is_nan() { f64::INFINITY } else { ratio };
        if ratio > 1.0 && self.worst.is_none_or(|worst| ratio > worst) {
            self.violation = Some(Violation { law: self.law, what: what.to_owned(), amount, allowed });
        }
        self.worst = Some(self.worst.map_or(ratio, |worst| worst.max(ratio)));
    }

    /// Each of the differences must not exceed what is allowed for it.
    pub fn same(&mut self, what: &str, found: &[f64], expected: &[f64], allowed: impl Fn(usize) -> f64) {
        self.holds(what, found.len() == expected.len());
        for (i, (found, expected)) in found.iter().zip(expected).enumerate() {
            self.at_most(what, (found - expected).abs(), allowed(i));
        }
    }

    /// The statement must be true.
    pub fn holds(&mut self, what: &str, truth: bool) {
        self.at_most(what, if truth { 0.0 } else { f64::INFINITY }, 0.0);
    }

    /// The kernel must answer.
    pub fn answered<T>(&mut self, what: &str, answer: Result<T, MotionError>) -> Option<T> {
        answer.map_err(|error| self.holds(&format!("{what}: {error}"), false)).ok()
    }

    /// What all of it comes to.
    pub fn verdict(self) -> Verdict {
        match self.violation {
            Some(violation) => Err(violation),
            None => Ok(self.worst),
        }
    }
}
