//! The loop of a run: steps under error control, each ended on the constraints, records on the way.

use super::field::Field;
use super::mechanics::{Level, Mechanics, Trouble};
use super::method::{Method, Step};
use super::outcome::{End, EventRecord, Evidence, Observer, Outcome, RankChange, Settings, Statistics};
use super::plan::Plan;
use super::record::Recorder;
use super::singular::{Watch, minimum};
use crate::analysis;
use crate::model::{self, Diagnostic, Drift};

/// Records where nothing else was asked for.
const RECORDS: f64 = 500.0;
/// The part of what projection moves that counts as error.
const MOVED: f64 = 0.01;
/// … measured by the tolerance, or by this where that is finer: rounding is magnified there.
const FINEST: f64 = 1e-10;
/// The part of the tolerance that a single step may use up: errors add up over many.
const SHARE: f64 = 0.05;
/// So many steps at the edge of stability mean that a motion is stiff.
const STIFF_STEPS: u32 = 15;
/// Steps between looks at the scales of rows and coordinates.
const LOOK: u64 = 32;

/// A run on its way.
pub(super) struct Runner<'p> {
    pub(super) plan: &'p Plan,
    pub(super) mechanics: Mechanics,
    observer: &'p mut dyn Observer,
    pub(super) method: Method,
    recorder: Recorder,
    pub(super) t: f64,
    pub(super) y: Vec<f64>,
    pub(super) rate: Vec<f64>,
    pub(super) next: Vec<f64>,
    pub(super) next_rate: Vec<f64>,
    /// A state in the middle of a step.
    pub(super) middle: Vec<f64>,
    /// The state at a moment inside a step at which something changes.
    arrival: Vec<f64>,
    /// What errors of q and q̇ are measured by.
    tolerance: Vec<f64>,
    /// The largest q and q̇ so far, by coordinate.
    pub(super) sizes: Vec<f64>,
    schedule: Schedule,
    watch: Watch,
    ranks: Vec<RankChange>,
    statistics: Statistics,
    evidence: Evidence,
    rows: u64,
    diagnostics: Vec<Diagnostic>,
    stiff_steps: u32,
    pub(super) events: Vec<EventRecord>,
    /// How far contacts are from doing something else.
    pub(super) triggers: Vec<f64>,
    /// When they did so lately.
    pub(super) recent: Vec<f64>,
}

/// Why a run ends before its time.
pub(super) enum Stop {
    Trouble(Trouble, f64),
    Observer,
    TooManySteps,
    StepTooSmall(f64),
    Chatter(f64),
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

    /// The next of the equally spaced times.
    fn regular(&self) -> f64 {
        let regular = self.every.map_or(f64::INFINITY, |every| self.count as f64 * every);
        // The last of them may miss the end by rounding.
        if (regular - self.until).abs() <= 1e-12 * self.until { self.until } else { regular }
    }

    /// The next time to record, if it is not after `limit`; it is taken.
    fn take(&mut self, limit: f64) -> Option<f64> {
        let regular = self.regular();
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
        self.regular() <= limit || self.at.get(self.next_at).is_some_and(|at| *at <= limit)
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
            method: Method::new(plan.settings.method, &mechanics, plan.settings.rtol),
            recorder: Recorder::new(&mechanics.system, plan.columns.len()),
            t: 0.0,
            y,
            rate: zeros(),
            next: zeros(),
            next_rate: zeros(),
            middle: zeros(),
            arrival: zeros(),
            tolerance: vec![1.0; 2 * n],
            sizes: vec![0.0; 2 * n],
            schedule: Schedule::new(plan),
            watch: Watch::new(),
            ranks: Vec::new(),
            statistics: Statistics::default(),
            evidence: Evidence { clearance: 1.0, ..Evidence::default() },
            rows: 0,
            diagnostics: Vec::new(),
            stiff_steps: 0,
            events: Vec::new(),
            triggers: Vec::new(),
            recent: Vec::new(),
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
                self.explain(&stop);
                End::Failed
            }
        };
        self.statistics.evaluations = self.mechanics.evaluations;
        self.statistics.factorisations = self.mechanics.factorisations();
        self.statistics.corrections = self.mechanics.corrections;
        self.statistics.jacobians = self.method.jacobians();
        self.evidence.energy_scale = self.recorder.energy_scale;
        Outcome {
            end,
            time: self.t,
            rows: self.rows,
            statistics: self.statistics,
            ranks: self.ranks,
            events: self.events,
            evidence: self.evidence,
            expectations: Vec::new(),
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
        if self.plan.settings.drift == Drift::Baumgarte {
            // A violation dies out in a fifth of the time that motion of typical speed takes over a typical size.
            let n = self.mechanics.n;
            let fastest = (0..n).map(|j| self.sizes[n + j] / self.sizes[j]).fold(0.0, f64::max);
            self.mechanics.baumgarte = Some(5.0 * fastest);
        }
        let (mut rejected, mut chosen) = (false, None);
        while self.t < until {
            if self.statistics.steps + self.statistics.rejected >= self.plan.settings.max_steps {
                return Err(Stop::TooManySteps);
            }
            let wanted = chosen.take().unwrap_or(h);
            let last = self.t + 1.01 * wanted >= until;
            let length = if last { until - self.t } else { wanted };
            if length <= 4.0 * f64::EPSILON * self.t.max(until * 1e-6) {
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
                    self.accept(t)?;
                    let growth = self.method.growth(error).clamp(0.333, if rejected { 1.0 } else { 6.0 });
                    // A step that was cut short for another reason says little about the next.
                    h = if length < h { h } else { self.method.favour(length * growth) };
                    rejected = false;
                }
                Ok(error) => {
                    self.statistics.rejected += 1;
                    rejected = true;
                    h = length * self.method.growth(error).clamp(0.1, 0.9);
                    if error.is_nan() {
                        h = 0.1 * length;
                    }
                    self.watch.choose_again();
                }
                Err(trouble) => {
                    self.statistics.rejected += 1;
                    rejected = true;
                    h = if trouble == Trouble::NotConverged { 0.5 } else { 0.25 } * length;
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
        let (n, at) = (self.mechanics.n, |trouble| Stop::Trouble(trouble, 0.0));
        self.mechanics.rate_deciding(0.0, &self.y, &mut self.rate).map_err(at)?;
        self.look();
        let (q, v) = self.y[..2 * n].split_at_mut(n);
        self.mechanics.decide_contacts(0.0, q, v, &self.sizes, &[]).map_err(at)?;
        self.mechanics.rate_deciding(0.0, &self.y, &mut self.rate).map_err(at)?;
        self.begin_step(self.mechanics.linear.clearance());
        Ok(())
    }

    /// A step begins at the present state, whose clearance is known.
    pub(super) fn begin_step(&mut self, clearance: f64) {
        let n = self.mechanics.n;
        self.watch.begin(clearance);
        let (q, v) = self.y[..2 * n].split_at(n);
        self.mechanics.begin_step(self.t, q, v);
    }

    /// Keeps track of the sizes of coordinates and the scales of rows.
    fn look(&mut self) {
        let n = self.mechanics.n;
        let coordinates = &self.mechanics.system.equations().model.coordinates;
        for level in [0, n] {
            for (j, coordinate) in coordinates.iter().enumerate() {
                // What falls from rest moves like this soon.
                let soon = if level == n { (self.rate[n + j] * self.sizes[j]).abs().sqrt() } else { 0.0 };
                self.sizes[level + j] = self.sizes[level + j].max(self.y[level + j].abs()).max(soon);
                // Coordinates of a kind are measured alike.
                for (other, known) in coordinates.iter().enumerate().take(j) {
                    if known.dimension == coordinate.dimension {
                        let size = self.sizes[level + j].max(self.sizes[level + other]);
                        (self.sizes[level + j], self.sizes[level + other]) = (size, size);
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
        let Settings { rtol, atol, method, .. } = self.plan.settings;
        let share = if method == model::Method::Explicit { SHARE } else { 4.0 * SHARE };
        for (i, tolerance) in self.tolerance.iter_mut().enumerate() {
            let size = self.sizes[i];
            let value = self.y[i].abs().max((self.y[i] + h * self.rate[i]).abs());
            *tolerance = share * (atol * size + rtol * value);
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
        let guess = guess.min(until);
        for i in 0..self.y.len() {
            self.next[i] = self.y[i] + guess * self.rate[i];
        }
        if self.mechanics.rate(guess, &self.next, &mut self.next_rate).is_err() {
            return 1e-3 * guess;
        }
        for i in 0..n2 {
            self.next[i] = self.next_rate[i] - self.rate[i];
        }
        let bend = norm(&self.next[..n2], &self.tolerance) / guess;
        let largest = slope.max(bend);
        let better = if largest <= 1e-15 { 1e-3 * guess } else { (0.01 / largest).powf(0.125) };
        better.min(100.0 * guess).min(until)
    }

    /// Tries a step, and puts its end on the constraints; the error that is left.
    ///
    /// What projection takes away is no error, as long as it is small: near a singular configuration it is far larger than
    /// what stays, and a method that heeded all of it would hardly pass.
    fn attempt(&mut self, h: f64) -> Result<f64, Trouble> {
        let Self { method, mechanics, t, y, rate, tolerance, next, .. } = self;
        let projected = self.plan.settings.drift == Drift::Projection && !mechanics.rows.is_empty();
        mechanics.watched.clear();
        let step = Step { t: *t, h, y, rate, tolerance, projected };
        let error = method.attempt(mechanics, &step, next)?;
        if !projected || error > 1.0 || error.is_nan() {
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

    /// Takes the step to `t`: ranks are decided there, records made on the way.
    fn accept(&mut self, t: f64) -> Result<(), Stop> {
        let n = self.mechanics.n;
        let at = |trouble| Stop::Trouble(trouble, t);
        self.mechanics.rate_deciding(t, &self.next, &mut self.next_rate).map_err(at)?;
        self.statistics.steps += 1;
        self.notice_stiffness();
        self.method.accepted();
        let (before, h) = (self.t, t - self.t);
        let clearance = self.mechanics.linear.clearance();
        let transition = self.find_transition(t)?;
        let t = transition.as_ref().map_or(t, |transition| transition.time);
        if transition.is_some() {
            // The state there is in `middle`; what is recorded on the way comes from the whole step.
            self.arrival.copy_from_slice(&self.middle);
        }
        let dip = self.watch.dip(&self.mechanics.watched, before, t);
        if transition.is_none() && (self.schedule.has(t) || dip.is_some()) {
            self.method.make_dense(&mut self.mechanics, &self.next, &self.next_rate).map_err(at)?;
        }
        if let Some((from, to)) = dip {
            self.look_at_dip(from, to, h);
        }
        if self.schedule.has(t) {
            while let Some(time) = self.schedule.take(t) {
                if time < t {
                    self.method.interpolate((time - before) / h, &mut self.middle);
                    self.record(time, true)?;
                } else if !self.schedule.ends {
                    self.middle.copy_from_slice(if transition.is_some() { &self.arrival } else { &self.next });
                    self.record(time, true)?;
                }
            }
        }
        self.t = t;
        if let Some(transition) = &transition {
            self.y.copy_from_slice(&self.arrival);
            self.pass_transition(transition)?;
        } else {
            std::mem::swap(&mut self.y, &mut self.next);
            std::mem::swap(&mut self.rate, &mut self.next_rate);
            self.begin_step(clearance);
        }
        if self.schedule.ends {
            self.record(t, false)?;
        }
        let (q, v) = self.y[..2 * n].split_at(n);
        let position = self.mechanics.drift(Level::Position, t, q, v);
        let velocity = self.mechanics.drift(Level::Velocity, t, q, v);
        self.evidence.position_residual = self.evidence.position_residual.max(position);
        self.evidence.velocity_residual = self.evidence.velocity_residual.max(velocity);
        self.recorder.balance(&self.mechanics, t, &self.y);
        self.evidence.energy_imbalance = self.evidence.energy_imbalance.max(self.recorder.imbalance.abs());
        self.evidence.clearance = self.evidence.clearance.min(clearance);
        if self.statistics.steps.is_multiple_of(LOOK) {
            self.look();
        }
        if self.observer.step(t) { Ok(()) } else { Err(Stop::Observer) }
    }

    /// Counts steps that are short for the sake of stability.
    fn notice_stiffness(&mut self) {
        let n = self.mechanics.n;
        if self.method.feels_stiff(&self.next, &self.next_rate, 2 * n) {
            self.stiff_steps += 1;
        } else {
            self.stiff_steps = self.stiff_steps.saturating_sub(1);
        }
        if self.stiff_steps == STIFF_STEPS && !self.diagnostics.iter().any(|message| message.code == "stiff") {
            let text =
                format!("the motion is stiff at t = {}: steps are short for the sake of stability alone", self.t);
            self.diagnostics.push(
                Diagnostic::warning("stiff", text)
                    .help("the stiff method takes longer steps: `method = stiff` in `run`, or `--method stiff`"),
            );
        }
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
        if !self.watch.is_loss(time, least, t0, t0 + h) {
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
        let n = self.mechanics.n;
        let at = |trouble| Stop::Trouble(trouble, t);
        let y = if middle {
            if self.plan.settings.drift == Drift::Projection {
                let (q, v) = self.middle[..2 * n].split_at_mut(n);
                let (of_q, of_v) = self.sizes.split_at(n);
                self.mechanics.project(Level::Position, t, q, v, of_q).map_err(at)?;
                self.mechanics.project(Level::Velocity, t, q, v, of_v).map_err(at)?;
            }
            &self.middle
        } else {
            &self.y
        };
        let row = self.recorder.row(&mut self.mechanics, t, y).map_err(at)?;
        self.rows += 1;
        self.observer.row(row).map_err(|_| Stop::Observer)
    }

    /// Says what went wrong, with the time, the state and the statement.
    fn explain(&mut self, stop: &Stop) {
        let message = match stop {
            Stop::Observer => return,
            Stop::Trouble(trouble, t) => self.explain_trouble(trouble, *t),
            Stop::TooManySteps => Diagnostic::error(
                "run-steps",
                format!("{} steps were not enough: the run came to t = {}", self.plan.settings.max_steps, self.t),
            )
            .help("allow more with `--max-steps`, or ask for less accuracy with `rtol`"),
            Stop::StepTooSmall(t) => Diagnostic::error(
                "run-stuck",
                format!("at t = {t} no step is short enough for the tolerance"),
            )
            .note("something is not smooth there, or grows without bound")
            .help(
                "look at the last records; a force that jumps should be written with `if` or `sign`, or as `friction`",
            ),
            Stop::Chatter(t) => {
                Diagnostic::error("run-chatter", format!("at t = {t} contacts stick and slide again without end"))
                    .help("a law of friction whose limit at rest is below its value in sliding does this")
            }
        };
        let state = self.state_in_words(&self.y[..2 * self.mechanics.n]);
        self.diagnostics.push(message.note(format!("the last good state, at t = {}, is {state}", self.t)));
    }

    /// Why there is no acceleration: by the statement of the model that is to blame, if one is.
    fn explain_trouble(&mut self, trouble: &Trouble, t: f64) -> Diagnostic {
        match trouble {
            Trouble::OffConstraints => {
                Diagnostic::error("run-lost", format!("at t = {t} the motion cannot be put back on the constraints"))
                    .note("they bend too fast there, or end: there may be no motion that obeys them beyond this time")
                    .help("a smaller `rtol` follows them more closely")
            }
            Trouble::NotConverged => {
                Diagnostic::error("run-stuck", format!("at t = {t} the stiff method finds no step, however short"))
                    .help("try `method = explicit`")
            }
            Trouble::Friction(message) => {
                let mut message = (**message).clone();
                message.message = format!("at t = {t}: {}", message.message);
                message
            }
            Trouble::Motion(error) => {
                let Mechanics { system, failed, .. } = &self.mechanics;
                let found = analysis::explain(system.equations(), system.parameters(), failed);
                let mut state = failed.positions.clone();
                state.extend_from_slice(&failed.velocities);
                let there = self.state_in_words(&state);
                let message = match found.into_iter().next() {
                    Some(mut message) => {
                        message.message =
                            format!("at t = {}: {}", failed.time, message.message).replace(" at the start", "");
                        message
                            .labels
                            .iter_mut()
                            .for_each(|label| label.text = label.text.replace(" at the start", ""));
                        message.help.iter_mut().for_each(|help| *help = help.replace(", at the start values", ""));
                        message
                    }
                    None => Diagnostic::error("run-failed", format!("at t = {t} there is no acceleration: {error}")),
                };
                message.note(format!("there {there}"))
            }
        }
    }

    /// A state, by name.
    fn state_in_words(&self, state: &[f64]) -> String {
        let coordinates = &self.mechanics.system.equations().model.coordinates;
        let (q, v) = state.split_at(coordinates.len());
        let mut words = Vec::new();
        for (coordinate, (q, v)) in coordinates.iter().zip(q.iter().zip(v)).take(12) {
            let name = &coordinate.name;
            words.push(format!("{name} = {}, {name}' = {}", analysis::number(*q), analysis::number(*v)));
        }
        if coordinates.len() > 12 {
            words.push("…".to_string());
        }
        words.join(", ")
    }
}
