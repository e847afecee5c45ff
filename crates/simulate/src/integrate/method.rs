//! The methods behind one face: a step, its error, and the motion inside it.

use super::explicit::Explicit;
use super::field::Field;
use super::mechanics::{Level, Mechanics};
use super::radau::{Attempt, Radau};
use super::stiff::{Derivatives, Stiff};
use super::trouble::Trouble;

/// A method of integration.
pub(super) enum Method {
    Explicit(Box<Explicit>),
    Stiff(Box<StiffMethod>),
}

/// The stiff method, with the derivatives that it asks for.
pub(super) struct StiffMethod {
    radau: Radau,
    derivatives: Derivatives,
    /// Where the last step ended, and by how much that was moved: its own dense output leads to the end as it was.
    end: Vec<f64>,
    moved: Vec<f64>,
}

/// A step to try.
pub(super) struct Step<'a> {
    pub(super) t: f64,
    pub(super) h: f64,
    pub(super) y: &'a [f64],
    pub(super) rate: &'a [f64],
    /// What errors of q and q̇ are measured by.
    pub(super) tolerance: &'a [f64],
    /// Whether the end will be projected.
    pub(super) projected: bool,
    /// Where rows come nearer to each other than this clearance, what projection takes away is no error.
    pub(super) near: f64,
}

impl Method {
    /// A method for a system.
    pub(super) fn new(which: holonom_language::Method, mechanics: &Mechanics, rtol: f64) -> Self {
        let (n, works) = (mechanics.n, mechanics.quadratures());
        let size = 2 * n + works;
        match which {
            holonom_language::Method::Explicit => Self::Explicit(Box::new(Explicit::new(size))),
            holonom_language::Method::Stiff => Self::Stiff(Box::new(StiffMethod {
                radau: Radau::new(n, works).relaxed(rtol),
                derivatives: Derivatives::new(&mechanics.system),
                end: vec![0.0; size],
                moved: vec![0.0; size],
            })),
        }
    }

    /// Tries a step; the error that it makes, by the tolerance.
    pub(super) fn attempt(&mut self, mechanics: &mut Mechanics, step: &Step, next: &mut [f64]) -> Result<f64, Trouble> {
        let Step { t, h, y, rate, tolerance, projected, near } = *step;
        let n = mechanics.n;
        match self {
            Self::Explicit(method) => {
                let error = method.attempt(mechanics, t, h, y, rate, tolerance, next)?;
                let is_near = mechanics.seen.watched.iter().any(|look| look.1 < near);
                if !projected || !is_near || error.is_nan() {
                    return Ok(error);
                }
                for estimate in method.error_estimates() {
                    make_tangential(mechanics, n, estimate);
                }
                Ok(method.error(tolerance))
            }
            Self::Stiff(method) => {
                let StiffMethod { radau, derivatives, end, .. } = &mut **method;
                let done = radau.attempt(&mut Stiff { mechanics, derivatives }, t, h, y, rate, tolerance, next)?;
                end.copy_from_slice(next);
                match done {
                    Attempt::NotConverged { failure } => Err(failure.unwrap_or(Trouble::NotConverged)),
                    Attempt::Done { error } if !projected => Ok(error),
                    Attempt::Done { .. } => {
                        make_tangential(mechanics, n, radau.error_estimate());
                        Ok(radau.error(tolerance))
                    }
                }
            }
        }
    }

    /// By how much the next step may be longer, for the error of the last one: to the power −1/8 or −1/4, by square roots.
    pub(super) fn growth(&self, error: f64) -> f64 {
        match self {
            Self::Explicit(_) => 0.9 / error.max(1e-14).sqrt().sqrt().sqrt(),
            Self::Stiff(_) => 0.9 / error.max(1e-10).sqrt().sqrt(),
        }
    }

    /// The step to take instead of a wish, after one that was good.
    pub(super) fn favour(&self, wish: f64) -> f64 {
        match self {
            Self::Explicit(_) => wish,
            Self::Stiff(method) => method.radau.favour(wish),
        }
    }

    /// The last attempt was taken.
    pub(super) fn accepted(&mut self) {
        if let Self::Stiff(method) = self {
            method.radau.accepted();
        }
    }

    /// The state or the system was changed from outside.
    pub(super) fn restart(&mut self, mechanics: &Mechanics) {
        if let Self::Stiff(method) = self {
            method.radau.restart();
            method.derivatives = Derivatives::new(&mechanics.system);
        }
    }

    /// Makes the motion inside the last step available, which ended at `next` after projection, with a rate there.
    pub(super) fn make_dense(&mut self, mechanics: &mut Mechanics, next: &[f64], rate: &[f64]) -> Result<(), Trouble> {
        match self {
            Self::Explicit(method) => method.make_dense(mechanics, next, rate),
            Self::Stiff(method) => {
                let ends = method.moved.iter_mut().zip(next.iter().zip(&method.end));
                ends.for_each(|(moved, (next, end))| *moved = next - end);
                Ok(())
            }
        }
    }

    /// The state at a part of the last step.
    pub(super) fn interpolate(&self, theta: f64, out: &mut [f64]) {
        match self {
            Self::Explicit(method) => method.interpolate(theta, out),
            Self::Stiff(method) => {
                method.radau.interpolate(theta, out);
                let weight = theta * theta * (3.0 - 2.0 * theta);
                out.iter_mut().zip(&method.moved).for_each(|(x, moved)| *x += weight * moved);
            }
        }
    }

    /// Whether the last step of an explicit method was short for the sake of stability, not of its error.
    pub(super) fn feels_stiff(&self, next: &[f64], rate: &[f64], counted: usize) -> bool {
        match self {
            Self::Explicit(method) => method.stiffness(next, rate, counted) > 6.1,
            Self::Stiff(_) => false,
        }
    }

    /// Jacobians that were evaluated.
    pub(super) fn jacobians(&self) -> u64 {
        match self {
            Self::Explicit(_) => 0,
            Self::Stiff(method) => method.radau.counts.jacobians as u64,
        }
    }
}

fn make_tangential(mechanics: &mut Mechanics, n: usize, estimate: &mut [f64]) {
    mechanics.make_tangential(Level::Position, &mut estimate[..n]);
    mechanics.make_tangential(Level::Velocity, &mut estimate[n..2 * n]);
}
