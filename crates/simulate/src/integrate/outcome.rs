//! What is asked of a run, and what comes of it.

use holonom_language::{Diagnostic, Drift, Method};

/// How to run. What is absent comes from the model's `run` statement, or else from the defaults.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Run {
    /// The time at which it ends.
    pub until: Option<f64>,
    /// The time between records.
    pub every: Option<f64>,
    /// The method of integration.
    pub method: Option<Method>,
    /// The relative tolerance.
    pub rtol: Option<f64>,
    /// The absolute tolerance, as a part of the scale of each coordinate.
    pub atol: Option<f64>,
    /// How to stay on the constraints.
    pub drift: Option<Drift>,
    /// Whether given start values may move so that the constraints hold.
    pub assemble: bool,
    /// How many steps to take at most.
    pub max_steps: Option<u64>,
    /// Whether the table gets columns of the principles: Gauss's function, Δa, e, virtual work.
    pub principles: bool,
}

impl Run {
    /// A run that ends at this time; everything else as the model says.
    pub fn until(time: f64) -> Self {
        Self { until: Some(time), ..Self::default() }
    }

    /// … with a record at multiples of this time.
    #[must_use]
    pub fn every(self, time: f64) -> Self {
        Self { every: Some(time), ..self }
    }

    /// … to this relative tolerance; the absolute one follows it unless it is set as well.
    #[must_use]
    pub fn rtol(self, rtol: f64) -> Self {
        Self { rtol: Some(rtol), ..self }
    }

    /// … by this method.
    #[must_use]
    pub fn method(self, method: Method) -> Self {
        Self { method: Some(method), ..self }
    }
}

/// How a run is made, everything decided.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The time at which it ends.
    pub until: f64,
    /// The time between records, where one was asked for.
    pub every: Option<f64>,
    /// Times to record besides.
    pub at: Vec<f64>,
    /// The method of integration.
    pub method: Method,
    /// The relative tolerance.
    pub rtol: f64,
    /// The absolute tolerance, as a part of the scale of each coordinate.
    pub atol: f64,
    /// How to stay on the constraints.
    pub drift: Drift,
    /// How many steps to take at most.
    pub max_steps: u64,
    /// Whether the table has columns of the principles.
    pub principles: bool,
}

/// A column of the table that a run makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its name: `t`, `x'`, `Qi.x`, `reaction.rod`.
    pub name: String,
    /// Its unit, in models with units.
    pub unit: Option<String>,
}

/// Whoever watches a run. Rows come in the order of time.
pub trait Observer {
    /// A recorded state, in the order of the columns.
    ///
    /// # Errors
    /// Whatever ends the run.
    fn row(&mut self, values: &[f64]) -> Result<(), std::io::Error>;

    /// Called after every step with the time reached; `false` asks to stop.
    fn step(&mut self, t: f64) -> bool {
        let _ = t;
        true
    }
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// It reached its time.
    Finished,
    /// An event stopped it.
    Stopped {
        /// Its name.
        event: String,
    },
    /// The observer asked to stop, or could not take more.
    Interrupted,
    /// Something went wrong: the diagnostics say what.
    Failed,
}

/// Work, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Steps that were taken.
    pub steps: u64,
    /// Steps that were tried and were too long.
    pub rejected: u64,
    /// Evaluations of the acceleration.
    pub evaluations: u64,
    /// Factorisations of M and A.
    pub factorisations: u64,
    /// Corrections of positions and velocities towards the constraints.
    pub corrections: u64,
    /// Evaluations of Jacobians, by the stiff method.
    pub jacobians: u64,
}

/// A time at which constraints lost rank.
#[derive(Clone, Debug, PartialEq)]
pub struct RankChange {
    /// When.
    pub time: f64,
    /// The rank before and after.
    pub rank: usize,
    /// The rank at that time.
    pub rank_there: usize,
    /// The rows that depend on each other there.
    pub rows: Vec<String>,
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq)]
pub struct EventRecord {
    /// When.
    pub time: f64,
    /// Its name.
    pub name: String,
    /// What it did, in words.
    pub action: String,
}

/// What the numbers say about themselves.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Evidence {
    /// The worst residual of positions at the end of any step, relative to the scale of its row.
    pub position_residual: f64,
    /// The same of velocities.
    pub velocity_residual: f64,
    /// The largest change of energy that the works do not account for.
    pub energy_imbalance: f64,
    /// The largest energy, kinetic or potential or work, that it is to be measured by.
    pub energy_scale: f64,
    /// What events made of the energy, in sum: impacts take some, new parameters may give some. It is no imbalance.
    pub energy_of_events: f64,
    /// The least clearance of the constraints: the squared sine of the angle at which rows come nearest to each other.
    pub clearance: f64,
}

/// How well the principles of the papers held at the records of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PrinciplesHeld {
    /// How many virtual displacements were looked at, in all records.
    pub directions: u64,
    /// The largest difference of vᵀQᶜ and vᵀC, as a part of the terms of the forces along v (Udwadia 2005, eq. 9).
    pub virtual_work: f64,
    /// The largest slope of Gauss's function along v, as a part of its terms: zero at the minimum (eq. 13).
    pub gauss_slope: f64,
    /// The largest difference of Δa and K₁e with what C adds, as a part of the accelerations (1992, eq. 5c′). Where M has an inverse.
    pub proportional: Option<f64>,
}

/// An expectation, held against the motion.
#[derive(Clone, Debug, PartialEq)]
pub struct ExpectationResult {
    /// The line where it stands.
    pub line: usize,
    /// Whether it held at every record.
    pub holds: bool,
    /// The worst deviation, relative to the tolerance's measure, and when.
    pub worst: f64,
    /// When it was worst.
    pub time: f64,
}

/// How a run ended, and everything worth knowing about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// How it ended.
    pub end: End,
    /// The time reached.
    pub time: f64,
    /// Rows that were recorded.
    pub rows: u64,
    /// Work, counted.
    pub statistics: Statistics,
    /// Times at which constraints lost rank, the first thousand.
    pub ranks: Vec<RankChange>,
    /// How many times more they did.
    pub unlisted_ranks: u64,
    /// What happened.
    pub events: Vec<EventRecord>,
    /// What the numbers say about themselves.
    pub evidence: Evidence,
    /// How well the principles held, where that was asked for.
    pub principles: Option<PrinciplesHeld>,
    /// What was expected, and what came of it.
    pub expectations: Vec<ExpectationResult>,
    /// Errors, warnings and notes.
    pub diagnostics: Vec<Diagnostic>,
}
