//! The loop of a run: steps under error control, each ended on the constraints, records on the way.

use super::action::{Done, Refused, act, records_first};
use super::event::{Approach, Path, Triggers, put_on_constraints};
use super::expect::Expectations;
use super::explicit::Explicit;
use super::field::Field;
use super::mechanics::{Level, Mechanics, Trouble};
use super::outcome::{End, EventRecord, Evidence, Observer, Outcome, RankChange, Statistics};
use super::plan::Plan;
use super::record::Recorder;
use super::singular::{Watch, minimum};
use crate::analysis::words::number;
use crate::model::{Diagnostic, Drift};

/// Records where nothing else was asked for.
const RECORDS: f64 = 500.0;
/// The part of what projection moves that counts as error.
const MOVED: f64 = 0.01;
/// … measured by the tolerance, or by this where that is finer: rounding is magnified there.
const FINEST: f64 = 1e-10;
/// The part of the tolerance that a single step may use up: errors add up over many.
const SHARE: f64 = 0.05;
/// Steps between looks at the scales of rows and coordinates.
const LOOK: u64 = 32;

/// A run on its way.
pub(super) struct Runner<'p> {
    plan: &'p Plan,
    mechanics: Mechanics,
    observer: &'p mut dyn Observer,
    method: Explicit,
    recorder: Recorder,
    t: f64,
    y: Vec<f64>,
    rate: Vec<f64>,
    next: Vec<f64>,
    next_rate: Vec<f64>,
    /// A state in the middle of a step.
    middle: Vec<f64>,
    /// What errors of q and q̇ are measured by.
    tolerance: Vec<f64>,
    /// The largest q and q̇ so far, by coordinate.
    sizes: Vec<f64>,
    schedule: Schedule,
    watch: Watch,
    triggers: Triggers,
    events: Vec<EventRecord>,
    /// Whether the present state has been recorded.
    recorded: bool,
    /// Of the step that is about to be taken: the clearance at its end, and where it dips inside.
    arrival: f64,
    dip: Option<(f64, f64)>,
    ranks: Vec<RankChange>,
    statistics: Statistics,
    evidence: Evidence,
    rows: u64,
    diagnostics: Vec<Diagnostic>,
}

/// Why a run ends before its time.
enum Stop {
    Trouble(Trouble, f64),
    Observer,
    TooManySteps,
    StepTooSmall(f64),
    Said(Diagnostic),
}

/// When to record.
struct Schedule {
    every: Option<f64>,
    count: u64,
    at: Vec<f64>,
    next_at: usize,
    until: f64,
    /// Whether ends of steps are recorded as well.
    ends: bool,
}

impl Schedule {
    fn new(plan: &Plan) -> Self {
        let settings = &plan.settings;
        let ends = settings.every.is_none() && settings.at.is_empty();
        let every = if ends { Some(settings.until / RECORDS) } else { settings.every };
        let every = every.filter(|every| *every > 0.0);
        Self { every, count: 0, at: settings.at.clone(), next_at: 0, until: settings.until, ends }
    }

    /// The next time to record, if it is not after `limit`; it is taken.
    fn take(&mut self, limit: f64) -> Option<f64> {
        let regular = self.every.map_or(f64::INFINITY, |every| self.count as f64 * every);
        // The last regular time may miss the end by rounding.
        let regular = if (regular - self.until).abs() <= 1e-12 * self.until { self.until } else { regular };
        let special = self.at.get(self.next_at).copied().unwrap_or(f64::INFINITY);
        let next = regular.min(special);
        if next > limit {
            return None;
        }
        if regular == next {
            self.count += 1;
        }
        if special == next {
            self.next_at += 1;
        }
        Some(next)
    }

    /// Whether something is to be recorded up to a time.
    fn has(&self, limit: f64) -> bool {
        self.every.is_some_and(|every| self.count as f64 * every <= limit)
            || self.at.get(self.next_at).is_some_and(|at| *at <= limit)
    }
}

impl<'p> Runner<'p> {
    pub(super) fn new(plan: &'p Plan, mechanics: Mechanics, observer: &'p mut dyn Observer) -> Self {
        let n = mechanics.n;
        let size = 2 * n + mechanics.quadratures();
        let mut y = plan.start.positions.clone();
        y.extend_from_slice(&plan.start.velocities);
        y.resize(size, 0.0);
        let zeros = || vec![0.0; size];
        Self {
            method: Explicit::new(size),
            recorder: Recorder::new(
                &mechanics.system,
                plan.columns.len(),
                Expectations::new(&mechanics.system, &plan.report),
            ),
            t: 0.0,
            y,
            rate: zeros(),
            next: zeros(),
            next_rate: zeros(),
            middle: zeros(),
            tolerance: vec![1.0; 2 * n],
            sizes: vec![0.0; 2 * n],
            schedule: Schedule::new(plan),
            watch: Watch::new(),
            triggers: Triggers::new(&mechanics.system, plan.settings.until),
            events: Vec::new(),
            recorded: false,
            arrival: 1.0,
            dip: None,
            ranks: Vec::new(),
            statistics: Statistics::default(),
            evidence: Evidence { clearance: 1.0, ..Evidence::default() },
            rows: 0,
            diagnostics: Vec::new(),
            plan,
            mechanics,
            observer,
        }
    }

    /// Runs to the end, whatever that is.
    pub(super) fn run(mut self) -> Outcome {
        let end = match self.steps() {
            Ok(end) => end,
            Err(Stop::Observer) => End::Interrupted,
            Err(stop) => {
                self.explain(stop);
                End::Failed
            }
        };
        self.statistics.evaluations = self.mechanics.evaluations;
        self.statistics.factorisations = self.mechanics.linear.factorisations;
        self.statistics.corrections = self.mechanics.corrections;
        self.evidence.energy_scale = self.recorder.energy_scale;
        let expectations = self.recorder.expectations.finish(&self.mechanics.system, &mut self.diagnostics);
        Outcome {
            end,
            time: self.t,
            rows: self.rows,
            statistics: self.statistics,
            ranks: self.ranks,
            events: self.events,
            evidence: self.evidence,
            expectations,
            diagnostics: self.diagnostics,
        }
    }

    fn steps(&mut self) -> Result<End, Stop> {
        let until = self.plan.settings.until;
        self.begin()?;
        while self.schedule.take(0.0).is_some() {
            // The start is recorded once.
        }
        self.record(0.0, false)?;
        let mut h = self.first_step();
        let (mut rejected, mut chosen) = (false, None);
        while self.t < until {
            if self.statistics.steps + self.statistics.rejected >= self.plan.settings.max_steps {
                return Err(Stop::TooManySteps);
            }
            let wanted = chosen.take().unwrap_or(h);
            let last = self.t + 1.01 * wanted >= until;
            let length = if last { until - self.t } else { wanted };
            if length <= 4.0 * f64::EPSILON * self.t.max(until * 1e-6) {
                if last {
                    // An event came just before the end.
                    self.t = until;
                    if self.schedule.take(until).is_some() && !self.recorded {
                        self.record(until, false)?;
                    }
                    break;
                }
                return Err(Stop::StepTooSmall(self.t));
            }
            self.set_tolerance(length);
            match self.attempt(length) {
                Ok(error) if error <= 1.0 => {
                    if let Some(other) = self.watch.better_length(self.t, length, &self.mechanics.watched) {
                        self.statistics.rejected += 1;
                        (h, chosen) = (length, Some(other));
                        continue;
                    }
                    let t = if last { until } else { self.t + length };
                    let mut event = self.arrive(t)?;
                    match event.map(|time| self.triggers.approach(self.t, t, time)) {
                        None => chosen = self.triggers.crossing(t),
                        Some(Approach::Cut) => {}
                        Some(Approach::Whole) => event = Some(t),
                        Some(Approach::Again(shorter)) => {
                            self.statistics.rejected += 1;
                            (h, chosen) = (h.max(length), Some(shorter));
                            continue;
                        }
                    }
                    self.accept(t, event)?;
                    let growth = (0.9 * error.max(1e-14).powf(-0.125)).clamp(0.333, if rejected { 1.0 } else { 6.0 });
                    // A step that was cut short for another reason says little about the next.
                    h = if length < h { h } else { length * growth };
                    rejected = false;
                    if event.is_some() {
                        let known = self.events.len();
                        if let Some(end) = self.happen()? {
                            return Ok(end);
                        }
                        h = if self.events.len() > known { self.first_step() } else { h };
                    }
                }
                Ok(error) => {
                    self.statistics.rejected += 1;
                    rejected = true;
                    h = length * (0.9 * error.powf(-0.125)).clamp(0.1, 0.9);
                    if error.is_nan() {
                        h = 0.1 * length;
                    }
                    self.watch.choose_again();
                    self.triggers.choose_again();
                }
                Err(trouble) => {
                    self.statistics.rejected += 1;
                    rejected = true;
                    h = 0.25 * length;
                    if h <= 1e-10 * until.min(self.t.max(1e-3 * until)) {
                        return Err(Stop::Trouble(trouble, self.t));
                    }
                }
            }
        }
        Ok(End::Finished)
    }

    /// Ranks and the rate at the start.
    fn begin(&mut self) -> Result<(), Stop> {
        let at = |trouble| Stop::Trouble(trouble, 0.0);
        self.mechanics.rate_deciding(0.0, &self.y, &mut self.rate).map_err(at)?;
        self.watch.begin(self.mechanics.linear.clearance());
        self.look();
        self.triggers.begin(&mut self.mechanics, &self.y, &self.sizes, &mut self.diagnostics).map_err(at)
    }

    /// Keeps track of the sizes of coordinates and the scales of rows.
    fn look(&mut self) {
        let n = self.mechanics.n;
        let coordinates = &self.mechanics.system.equations().model.coordinates;
        for (j, coordinate) in coordinates.iter().enumerate() {
            // What falls from rest moves like this soon.
            let moving = self.y[n + j].abs().max((self.mechanics.acceleration[j] * self.sizes[j]).abs().sqrt());
            self.sizes[j] = self.sizes[j].max(self.y[j].abs());
            self.sizes[n + j] = self.sizes[n + j].max(moving);
            // Coordinates of a kind are measured alike.
            for other in 0..j {
                if coordinates[other].dimension == coordinate.dimension {
                    for k in [0, n] {
                        let size = self.sizes[k + j].max(self.sizes[k + other]);
                        (self.sizes[k + j], self.sizes[k + other]) = (size, size);
                    }
                }
            }
        }
        self.sizes.iter_mut().for_each(|size| *size = if *size > 0.0 { *size } else { 1.0 });
        let (q, v) = self.y[..2 * n].split_at(n);
        let (position, velocity) = self.sizes.split_at(n);
        self.mechanics.measure(self.t, q, v, position, velocity);
    }

    /// What errors are measured by in a step.
    fn set_tolerance(&mut self, h: f64) {
        let (rtol, atol) = (self.plan.settings.rtol, self.plan.settings.atol);
        for (i, tolerance) in self.tolerance.iter_mut().enumerate() {
            let size = self.sizes[i];
            let value = self.y[i].abs().max((self.y[i] + h * self.rate[i]).abs());
            *tolerance = SHARE * (atol * size + rtol * value);
        }
    }

    /// The length of the first step, from how fast the rate changes.
    fn first_step(&mut self) -> f64 {
        self.set_tolerance(0.0);
        let n2 = self.tolerance.len();
        let norm = |x: &[f64], tolerance: &[f64]| {
            let sum: f64 = x.iter().zip(tolerance).map(|(x, s)| (x / s) * (x / s)).sum();
            (sum / n2.max(1) as f64).sqrt()
        };
        let (size, slope) = (norm(&self.y[..n2], &self.tolerance), norm(&self.rate[..n2], &self.tolerance));
        let until = self.plan.settings.until;
        let guess = if size < 1e-10 || slope < 1e-10 { 1e-6 * until } else { 0.01 * size / slope };
        let left = until - self.t;
        let guess = guess.max(1e-12 * until).max(1e3 * f64::EPSILON * self.t).min(left);
        for i in 0..self.y.len() {
            self.next[i] = self.y[i] + guess * self.rate[i];
        }
        if self.mechanics.rate(self.t + guess, &self.next, &mut self.next_rate).is_err() {
            return 1e-3 * guess;
        }
        for i in 0..n2 {
            self.next[i] = self.next_rate[i] - self.rate[i];
        }
        let bend = norm(&self.next[..n2], &self.tolerance) / guess;
        let largest = slope.max(bend);
        let better = if largest <= 1e-15 { 1e-3 * guess } else { (0.01 / largest).powf(0.125) };
        better.max(1e-12 * until).min(100.0 * guess).min(left)
    }

    /// Tries a step, and puts its end on the constraints; the error that is left.
    ///
    /// What projection takes away is no error, as long as it is small: near a singular configuration it is far larger than
    /// what stays, and a method that heeded all of it would hardly pass.
    fn attempt(&mut self, h: f64) -> Result<f64, Trouble> {
        let n = self.mechanics.n;
        let Self { method, mechanics, t, y, rate, tolerance, next, .. } = self;
        mechanics.watched.clear();
        let error = method.attempt(mechanics, *t, h, y, rate, tolerance, next)?;
        if self.plan.settings.drift != Drift::Projection || mechanics.rows.is_empty() || error.is_nan() {
            return Ok(error);
        }
        for estimate in method.error_estimates() {
            mechanics.make_tangential(Level::Position, &mut estimate[..n]);
            mechanics.make_tangential(Level::Velocity, &mut estimate[n..2 * n]);
        }
        let error = method.error(tolerance);
        if error > 1.0 || error.is_nan() {
            return Ok(error);
        }
        let moved = self.project(self.t + h)?;
        Ok(error.max(MOVED * moved / self.plan.settings.rtol.max(FINEST)))
    }

    /// Projects `next`; how far it moved, relative to the sizes of coordinates.
    fn project(&mut self, t: f64) -> Result<f64, Trouble> {
        let n = self.mechanics.n;
        let (q, v) = self.next[..2 * n].split_at_mut(n);
        let (of_q, of_v) = self.sizes.split_at(n);
        let positions = self.mechanics.project(Level::Position, t, q, v, of_q)?;
        let velocities = self.mechanics.project(Level::Velocity, t, q, v, of_v)?;
        Ok(positions.max(velocities))
    }

    /// Ends the step at `t`: ranks are decided there, and its inside is made ready to be looked at. The time of the first
    /// event on the way, if there is one.
    fn arrive(&mut self, t: f64) -> Result<Option<f64>, Stop> {
        let at = |trouble| Stop::Trouble(trouble, t);
        self.mechanics.rate_deciding(t, &self.next, &mut self.next_rate).map_err(at)?;
        self.arrival = self.mechanics.linear.clearance();
        self.dip = self.watch.dip(&self.mechanics.watched, self.t, t);
        let quiet = self.triggers.is_quiet(&mut self.mechanics, t, &self.next).map_err(at)?;
        if self.schedule.has(t) || self.dip.is_some() || !quiet {
            self.method.make_dense(&mut self.mechanics, &self.next, &self.next_rate).map_err(at)?;
        }
        if quiet {
            return Ok(None);
        }
        let sizes = (self.plan.settings.drift == Drift::Projection).then_some(&self.sizes[..]);
        let Self { method, mechanics, triggers, next, middle, .. } = self;
        let mut path = Path { method, start: self.t, end: t, next, sizes, room: middle };
        triggers.first(mechanics, &mut path).map_err(at)
    }

    /// Takes the step that ends at `t`, or as much of it as comes before an event; records are made on the way.
    fn accept(&mut self, t: f64, event: Option<f64>) -> Result<(), Stop> {
        let n = self.mechanics.n;
        self.statistics.steps += 1;
        let (before, h, end) = (self.t, t - self.t, event.unwrap_or(t));
        if let Some((from, to)) = self.dip.filter(|dip| dip.0 < end) {
            self.look_at_dip(from, to.min(end), h);
        }
        let mut at_end = self.schedule.ends;
        while let Some(time) = self.schedule.take(end) {
            if time < end {
                self.method.interpolate((time - before) / h, &mut self.middle);
                self.record(time, true)?;
            } else {
                at_end = true;
            }
        }
        if end < t {
            self.end_at(end, (end - before) / h)?;
        }
        self.watch.begin(self.arrival);
        self.t = end;
        std::mem::swap(&mut self.y, &mut self.next);
        std::mem::swap(&mut self.rate, &mut self.next_rate);
        self.recorded = false;
        if at_end {
            self.record(end, false)?;
        }
        let (q, v) = self.y[..2 * n].split_at(n);
        let position = self.mechanics.drift(Level::Position, end, q, v);
        let velocity = self.mechanics.drift(Level::Velocity, end, q, v);
        self.evidence.position_residual = self.evidence.position_residual.max(position);
        self.evidence.velocity_residual = self.evidence.velocity_residual.max(velocity);
        self.recorder.balance(&self.mechanics, end, &self.y);
        self.evidence.energy_imbalance = self.evidence.energy_imbalance.max(self.recorder.imbalance.abs());
        self.evidence.clearance = self.evidence.clearance.min(self.mechanics.linear.clearance());
        if self.statistics.steps.is_multiple_of(LOOK) {
            self.look();
        }
        if self.observer.step(end) { Ok(()) } else { Err(Stop::Observer) }
    }

    /// Puts the end of the step to a place inside it.
    fn end_at(&mut self, t: f64, theta: f64) -> Result<(), Stop> {
        let at = |trouble| Stop::Trouble(trouble, t);
        self.method.interpolate(theta, &mut self.next);
        if self.plan.settings.drift == Drift::Projection {
            put_on_constraints(&mut self.mechanics, t, &mut self.next, &self.sizes).map_err(at)?;
        }
        self.mechanics.rate_deciding(t, &self.next, &mut self.next_rate).map_err(at)?;
        self.arrival = self.mechanics.linear.clearance();
        Ok(())
    }

    /// Does what happens at the present time, and what follows from it at the same instant; the end, if it is one.
    fn happen(&mut self) -> Result<Option<End>, Stop> {
        let t = self.t;
        let at = |trouble| Stop::Trouble(trouble, t);
        if let Some(without_end) = self.triggers.count(&self.mechanics, t, &mut self.diagnostics) {
            return Err(Stop::Said(without_end));
        }
        self.triggers.settle(&mut self.mechanics, t, &self.y, &self.sizes, false).map_err(at)?;
        let (mut happened, mut end) = (Vec::new(), None);
        loop {
            self.triggers.remember();
            let mut changed = false;
            for event in self.triggers.events() {
                happened.push(event);
                let done = self.carry_out(event)?;
                changed |= done.changed;
                if done.stop {
                    let event = self.mechanics.system.equations().model.events[event].name.clone();
                    end = end.or(Some(End::Stopped { event }));
                }
            }
            if !changed {
                break;
            }
            self.mechanics.rate_deciding(t, &self.y, &mut self.rate).map_err(at)?;
            self.watch.begin(self.mechanics.linear.clearance());
            self.look();
            self.triggers.settle(&mut self.mechanics, t, &self.y, &self.sizes, true).map_err(at)?;
            if !self.triggers.followers(&happened) {
                break;
            }
        }
        if !happened.is_empty() && !self.recorded && (end.is_some() || self.schedule.ends) {
            self.record(t, false)?;
        }
        Ok(end)
    }

    /// Carries out the actions of an event, and writes down what it did.
    fn carry_out(&mut self, event: usize) -> Result<Done, Stop> {
        let t = self.t;
        let actions = &self.mechanics.system.equations().model.events[event].actions;
        if records_first(actions) && !self.recorded {
            self.record(t, false)?;
        }
        self.recorder.balance(&self.mechanics, t, &self.y);
        let done = act(event, &mut self.mechanics, t, &mut self.y, &self.sizes).map_err(|refused| match refused {
            Refused::Said(message) => Stop::Said(message),
            Refused::Trouble(trouble) => Stop::Trouble(trouble, t),
        })?;
        let mut words = done.words.join("; ");
        if done.changed {
            self.recorded = false;
            self.triggers.take_parameters(&self.mechanics.system);
            self.recorder.expectations.take_parameters(&self.mechanics.system);
            let energy = self.recorder.rebalance(&self.mechanics, t, &self.y);
            self.evidence.energy_of_events += energy;
            if energy.abs() > 1e-12 * self.recorder.energy_scale {
                words.push_str(&format!("; energy changes by {}", number(energy)));
            }
            self.mechanics.rate_deciding(t, &self.y, &mut self.rate).map_err(|trouble| Stop::Trouble(trouble, t))?;
        }
        if done.record {
            self.record(t, false)?;
        }
        let name = self.mechanics.system.equations().model.events[event].name.clone();
        self.events.push(EventRecord { time: t, name, action: words });
        Ok(done)
    }

    /// Looks whether the constraints lose rank between two times of the last step, of length h.
    fn look_at_dip(&mut self, from: f64, to: f64, h: f64) {
        let (n, t0) = (self.mechanics.n, self.t);
        let Self { method, mechanics, middle, .. } = self;
        let mut clearance = |t: f64| {
            method.interpolate((t - t0) / h, middle);
            let (q, v) = middle[..2 * n].split_at(n);
            mechanics.clearance_at(t, q, v)
        };
        let (time, least) = minimum(from, to, &mut clearance);
        if !self.watch.is_loss(time, least, 1e-3 * h) {
            return;
        }
        self.method.interpolate((time - t0) / h, &mut self.middle);
        let (q, v) = self.middle[..2 * n].split_at(n);
        let found = self.mechanics.dependent(time, q, v, 1e3 * least.max(1e-13));
        let equations = self.mechanics.system.equations();
        let mut rows: Vec<usize> = found.iter().flat_map(|(row, of)| of.iter().chain([row])).copied().collect();
        rows.sort_unstable();
        rows.dedup();
        let rank = self.mechanics.linear.rank();
        self.ranks.push(RankChange {
            time,
            rank,
            rank_there: rank - found.len(),
            rows: rows.iter().map(|&row| equations.rows[row].name.clone()).collect(),
        });
    }

    /// Records the present state, or one in the middle of a step, which is put on the constraints first.
    fn record(&mut self, t: f64, middle: bool) -> Result<(), Stop> {
        let at = |trouble| Stop::Trouble(trouble, t);
        let y = if middle {
            if self.plan.settings.drift == Drift::Projection {
                put_on_constraints(&mut self.mechanics, t, &mut self.middle, &self.sizes).map_err(at)?;
            }
            &self.middle
        } else {
            self.recorded = true;
            &self.y
        };
        let row = self.recorder.row(&mut self.mechanics, t, y).map_err(at)?;
        self.rows += 1;
        self.observer.row(row).map_err(|_| Stop::Observer)
    }

    /// Says what went wrong, with the time, the state and the statement.
    fn explain(&mut self, stop: Stop) {
        let n = self.mechanics.n;
        let model = &self.mechanics.system.equations().model;
        let mut state: Vec<String> = Vec::new();
        for (j, coordinate) in model.coordinates.iter().enumerate().take(12) {
            state.push(format!("{} = {:.7}, {}' = {:.7}", coordinate.name, self.y[j], coordinate.name, self.y[n + j]));
        }
        let state = format!("the last state is {}", state.join(", "));
        let message = match stop {
            Stop::Trouble(Trouble::OffConstraints, t) => {
                Diagnostic::error("run-lost", format!("at t = {t} the motion cannot be put back on the constraints"))
            }
            Stop::Trouble(Trouble::Motion(error), t) => {
                Diagnostic::error("run-failed", format!("at t = {t} there is no acceleration: {error}"))
            }
            Stop::TooManySteps => Diagnostic::error(
                "run-steps",
                format!("{} steps were not enough: the run came to t = {}", self.plan.settings.max_steps, self.t),
            ),
            Stop::StepTooSmall(t) => Diagnostic::error(
                "run-stuck",
                format!(
                    "at t = {t} no step is short enough for the tolerance: something is not smooth there, or grows without bound"
                ),
            ),
            Stop::Said(message) => message,
            Stop::Observer => return,
        };
        self.diagnostics.push(message.note(state));
    }
}
