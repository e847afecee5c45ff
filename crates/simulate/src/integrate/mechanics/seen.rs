//! What evaluations leave behind for the run to look at: clearances, readings of contacts, the last failure, and counts.

use crate::analysis::State;
use crate::integrate::reading::Samples;
use crate::integrate::singular::WATCHED;
use holonom_mechanics::compile::CompiledSystem;

/// What was seen at the evaluations of a step.
#[derive(Clone)]
pub(in crate::integrate) struct Seen {
    /// How far the rows were from losing rank at the evaluations since it was last cleared: (time, clearance).
    pub(in crate::integrate) watched: Vec<(f64, f64)>,
    /// What contacts said at the evaluations since it was last cleared.
    pub(in crate::integrate) samples: Samples,
    /// The last state at which there was no acceleration.
    pub(in crate::integrate) failed: State,
}

impl Seen {
    pub(super) fn new(system: &CompiledSystem) -> Self {
        let (n, equations) = (system.coordinates(), system.equations());
        let functions = 2 * equations.frictions.len() + equations.one_sided_rows().count();
        Self {
            watched: Vec::with_capacity(WATCHED),
            samples: Samples::with_room(WATCHED, functions),
            failed: State { time: 0.0, positions: vec![0.0; n], velocities: vec![0.0; n] },
        }
    }

    /// Remembers how far the rows are from losing rank.
    pub(super) fn watch(&mut self, t: f64, clearance: f64) {
        if self.watched.len() < WATCHED {
            self.watched.push((t, clearance));
        }
    }

    /// Keeps a state at which there was no acceleration.
    pub(super) fn remember_failure(&mut self, t: f64, q: &[f64], v: &[f64]) {
        self.failed.time = t;
        self.failed.positions.copy_from_slice(q);
        self.failed.velocities.copy_from_slice(v);
    }
}

/// How much work was done.
#[derive(Clone, Copy, Default)]
pub(in crate::integrate) struct Counts {
    /// Evaluations of the acceleration, and corrections of projections.
    pub(in crate::integrate) evaluations: u64,
    pub(in crate::integrate) corrections: u64,
    /// Factorisations of factors that are gone.
    pub(super) factorisations: u64,
    /// States at which ranks were decided since accelerations were held against M itself.
    pub(super) unaudited: u64,
}
