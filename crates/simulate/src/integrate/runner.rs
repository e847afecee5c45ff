//! What a run on its way remembers: where it is, how long its steps are, what may happen, and what is told of it in the end.
//!
//! `run` has the loop; `control`, `branch`, `arrive` and the files about what happens add what each of them does to a `Runner`.

use super::event::Triggers;
use super::field::Field;
use super::mechanics::Mechanics;
use super::method::Method;
use super::outcome::{EventRecord, Evidence, Observer, RankChange, Statistics};
use super::plan::Plan;
use super::progress::Progress;
use super::record::Recorder;
use super::rounding::Rounding;
use super::schedule::Schedule;
use super::sided::Sided;
use super::singular::{DIP, PIVOT_DIP, Watch};
use super::trouble::Trouble;
use holonom_language::Diagnostic;

/// Singular configurations of one step that are looked at.
pub(super) const DIPS: usize = 4;

/// A run on its way.
pub(super) struct Runner<'p> {
    pub(super) plan: &'p Plan,
    pub(super) mechanics: Mechanics,
    pub(super) observer: &'p mut dyn Observer,
    pub(super) method: Method,
    pub(super) recorder: Recorder,
    pub(super) state: State,
    pub(super) control: Control,
    pub(super) occasions: Occasions,
    pub(super) told: Told,
}

impl<'p> Runner<'p> {
    pub(super) fn new(plan: &'p Plan, mut mechanics: Mechanics, observer: &'p mut dyn Observer) -> Self {
        mechanics.aim_for(plan.settings.rtol);
        let size = 2 * mechanics.n + mechanics.quadratures();
        let mut y = plan.start.positions.clone();
        y.extend_from_slice(&plan.start.velocities);
        y.resize(size, 0.0);
        Self {
            method: Method::new(plan.settings.method, &mechanics, plan.settings.rtol),
            recorder: Recorder::new(&mechanics.system, plan),
            state: State::new(y),
            control: Control::new(mechanics.n, size),
            occasions: Occasions {
                triggers: Triggers::new(&mechanics.system, plan.settings.until),
                schedule: Schedule::new(plan),
                watch: Watch::new(if mechanics.in_force.is_sparse() { PIVOT_DIP } else { DIP }),
                sided: Sided::new(&mechanics.system),
                tried_series: None,
                in_contact: None,
                due: Vec::new(),
                recent: Vec::new(),
            },
            told: Told {
                diagnostics: Vec::new(),
                events: Vec::new(),
                ranks: Vec::new(),
                statistics: Statistics::default(),
                evidence: Evidence { clearance: 1.0, ..Evidence::default() },
                start: 0.0,
                latest: 0.0,
                rows: 0,
                doubted: false,
            },
            plan,
            mechanics,
            observer,
        }
    }
}

/// Where a run is.
pub(super) struct State {
    pub(super) t: f64,
    /// Positions, velocities and works, and their rates.
    pub(super) y: Vec<f64>,
    pub(super) rate: Vec<f64>,
    /// The same at the end of the last attempt.
    pub(super) next: Vec<f64>,
    pub(super) next_rate: Vec<f64>,
    /// A state in the middle of a step.
    pub(super) middle: Vec<f64>,
    /// Whether the present state has been recorded.
    pub(super) recorded: bool,
}

impl State {
    pub(super) fn new(y: Vec<f64>) -> Self {
        let zeros = || vec![0.0; y.len()];
        let (rate, next, next_rate, middle) = (zeros(), zeros(), zeros(), zeros());
        Self { t: 0.0, y, rate, next, next_rate, middle, recorded: false }
    }
}

/// The end of a step that was good: where it is taken to, and why not to its end.
pub(super) struct Arrival {
    /// The end of the step.
    pub(super) t: f64,
    pub(super) clearance: f64,
    /// When something happens.
    pub(super) event: Option<f64>,
    /// Whether the motion inside the step is available.
    pub(super) dense: bool,
    /// When the constraints came near to losing rank on the way, and how near; some of them at most.
    pub(super) dips: [Option<(f64, f64)>; DIPS],
}

impl Arrival {
    /// When the step ends.
    pub(super) fn end(&self) -> f64 {
        self.event.unwrap_or(self.t)
    }
}

/// How long steps are.
pub(super) struct Control {
    /// The length of the next step, by the errors of those before.
    pub(super) length: f64,
    /// Another one, for the next attempt alone.
    pub(super) chosen: Option<f64>,
    /// Whether the last attempt failed for its length.
    pub(super) has_failed: bool,
    /// Whether velocities have just jumped, so that the length of the last step says nothing about the next.
    pub(super) is_fresh: bool,
    /// What errors of q and q̇ are measured by.
    pub(super) tolerance: Vec<f64>,
    pub(super) rounding: Rounding,
    /// Whether rounding decided about the error of the last attempt.
    pub(super) rounded: bool,
    pub(super) progress: Progress,
    pub(super) stiff_steps: u32,
    /// What projection left of the residuals at the end of the last attempt, of positions and velocities.
    pub(super) left: Option<(f64, f64)>,
}

impl Control {
    /// For n coordinates and a state of some size.
    pub(super) fn new(n: usize, size: usize) -> Self {
        Self {
            length: 0.0,
            chosen: None,
            has_failed: false,
            is_fresh: false,
            tolerance: vec![1.0; 2 * n],
            rounding: Rounding::new(n, size),
            rounded: false,
            progress: Progress::default(),
            stiff_steps: 0,
            left: None,
        }
    }
}

/// What may happen on the way.
pub(super) struct Occasions {
    pub(super) triggers: Triggers,
    /// Records.
    pub(super) schedule: Schedule,
    /// Constraints that lose rank.
    pub(super) watch: Watch,
    /// One-sided rows.
    pub(super) sided: Option<Sided>,
    /// How high the flights of a series of blows were that was followed in vain.
    pub(super) tried_series: Option<f64>,
    /// Those in force before an event of the model, while it is carried out.
    pub(super) in_contact: Option<Vec<usize>>,
    /// Events of the model that follow from what they do.
    pub(super) due: Vec<usize>,
    /// When contacts changed lately.
    pub(super) recent: Vec<f64>,
}

/// What is told of a run in the end.
pub(super) struct Told {
    pub(super) diagnostics: Vec<Diagnostic>,
    pub(super) events: Vec<EventRecord>,
    pub(super) ranks: Vec<RankChange>,
    pub(super) statistics: Statistics,
    pub(super) evidence: Evidence,
    /// Events up to this time are those of the start: the first step cannot tell them from it.
    pub(super) start: f64,
    /// The time of the latest event so far.
    latest: f64,
    /// Rows of the table.
    pub(super) rows: u64,
    /// Whether it was said that more than one motion fits the friction.
    pub(super) doubted: bool,
}

impl Told {
    /// Writes down that something happened: not before what happened last to a thing of this name, which may be the end of a series of blows
    /// that the motion goes on from a little earlier.
    pub(super) fn happened(&mut self, time: f64, name: String, action: String) {
        let mut time = if time <= self.start { 0.0 } else { time };
        if time < self.latest {
            let last = self.events.iter().rfind(|event| event.name == name);
            time = last.map_or(time, |event| time.max(event.time));
        }
        self.latest = self.latest.max(time);
        self.events.push(EventRecord { time, name, action });
    }
}

/// Why a run ends before its time.
pub(super) enum Stop {
    Trouble(Trouble, f64),
    Observer,
    TooManySteps,
    StepTooSmall(f64),
    Chatter(f64),
    Said(Box<Diagnostic>),
}
