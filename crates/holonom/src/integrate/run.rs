//! The loop of a run: steps under error control, each ended on the constraints, records on the way.

use super::branch::DIPS;
use super::event::{Approach, Path, Triggers, put_on_constraints};
use super::field::Field;
use super::mechanics::{Level, Mechanics, Trouble};
use super::method::{Method, Step};
use super::outcome::{End, EventRecord, Evidence, Observer, Outcome, RankChange, Settings, Statistics};
use super::plan::Plan;
use super::progress::{Attempted, Progress, doubts};
use super::record::Recorder;
use super::rounding::Rounding;
use super::schedule::Schedule;
use super::sided::Sided;
use super::singular::{DIP, PIVOT_DIP, Watch};
use crate::model::{self, Diagnostic, Drift};

/// The part of what projection moves that counts as error.
const MOVED: f64 = 0.01;
/// … measured by the tolerance, or by this where that is finer: rounding is magnified there.
const FINEST: f64 = 1e-10;
/// The part of the tolerance that a single step may use up: errors add up over many.
const SHARE: f64 = 0.05;
/// So many steps at the edge of stability mean that a motion is stiff.
const STIFF_STEPS: u32 = 15;
/// Where so many attempts have failed, and this part of the steps that were taken, what may be dust is no longer followed.
const MANY: u64 = 32;
const FAILED: f64 = 0.1;
/// … nor where so many steps have covered no more than this part of the time.
const SLOW_STEPS: u64 = 1000;
const SLOW: f64 = 1e-3;
/// Steps between looks at the scales of rows and coordinates.
const LOOK: u64 = 16;
/// … and between measurements of rounding.
const MEASURE: u64 = 64;

/// A run on its way.
pub(super) struct Runner<'p> {
    pub(super) plan: &'p Plan,
    pub(super) mechanics: Mechanics,
    observer: &'p mut dyn Observer,
    pub(super) method: Method,
    pub(super) recorder: Recorder,
    pub(super) t: f64,
    pub(super) y: Vec<f64>,
    pub(super) rate: Vec<f64>,
    pub(super) next: Vec<f64>,
    pub(super) next_rate: Vec<f64>,
    /// A state in the middle of a step.
    pub(super) middle: Vec<f64>,
    /// What errors of q and q̇ are measured by.
    tolerance: Vec<f64>,
    pub(super) rounding: Rounding,
    pub(super) schedule: Schedule,
    pub(super) watch: Watch,
    pub(super) ranks: Vec<RankChange>,
    pub(super) progress: Progress,
    /// Whether rounding decided about the error of the last attempt.
    rounded: bool,
    statistics: Statistics,
    pub(super) evidence: Evidence,
    rows: u64,
    pub(super) diagnostics: Vec<Diagnostic>,
    stiff_steps: u32,
    /// Whether it was said that more than one motion fits the friction.
    doubted: bool,
    /// What projection left of the residuals at the end of the last attempt, of positions and velocities.
    left: Option<(f64, f64)>,
    /// What may happen on the way.
    pub(super) occasions: Triggers,
    /// Whether the present state has been recorded.
    pub(super) recorded: bool,
    pub(super) events: Vec<EventRecord>,
    /// One-sided rows.
    pub(super) sided: Option<Sided>,
    /// Events of the model that follow from what they do.
    pub(super) due: Vec<usize>,
    /// Whether velocities have just jumped, so that the length of the last step says nothing about the next.
    pub(super) is_fresh: bool,
    /// Those in force before an event of the model, while it is carried out.
    pub(super) in_contact: Option<Vec<usize>>,
    /// When contacts changed lately.
    pub(super) recent: Vec<f64>,
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

/// The end of a step that was good: where it is taken to, and why not to its end.
pub(super) struct Arrival {
    /// The end of the step.
    pub(super) t: f64,
    clearance: f64,
    /// When something happens.
    event: Option<f64>,
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

impl<'p> Runner<'p> {
    pub(super) fn new(plan: &'p Plan, mut mechanics: Mechanics, observer: &'p mut dyn Observer) -> Self {
        mechanics.aim_for(plan.settings.rtol);
        let n = mechanics.n;
        let size = 2 * n + mechanics.quadratures();
        let mut y = plan.start.positions.clone();
        y.extend_from_slice(&plan.start.velocities);
        y.resize(size, 0.0);
        let zeros = || vec![0.0; size];
        Self {
            method: Method::new(plan.settings.method, &mechanics, plan.settings.rtol),
            recorder: Recorder::new(&mechanics.system, plan.columns.len(), plan.expectations.clone()),
            t: 0.0,
            y,
            rate: zeros(),
            next: zeros(),
            next_rate: zeros(),
            middle: zeros(),
            tolerance: vec![1.0; 2 * n],
            rounding: Rounding::new(n, size),
            schedule: Schedule::new(plan),
            watch: Watch::new(if mechanics.is_sparse() { PIVOT_DIP } else { DIP }),
            ranks: Vec::new(),
            progress: Progress::default(),
            rounded: false,
            statistics: Statistics::default(),
            evidence: Evidence { clearance: 1.0, ..Evidence::default() },
            rows: 0,
            diagnostics: Vec::new(),
            stiff_steps: 0,
            doubted: false,
            left: None,
            occasions: Triggers::new(&mechanics.system, plan.settings.until),
            recorded: false,
            events: Vec::new(),
            sided: Sided::new(&mechanics.system),
            due: Vec::new(),
            in_contact: None,
            is_fresh: false,
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
                self.explain(stop);
                End::Failed
            }
        };
        self.statistics.evaluations = self.mechanics.evaluations;
        self.statistics.factorisations = self.mechanics.factorisations();
        self.statistics.corrections = self.mechanics.corrections;
        self.statistics.jacobians = self.method.jacobians();
        self.evidence.energy_scale = self.recorder.energy_scale;
        self.look();
        if end == End::Finished {
            let (equations, limited) = (
                self.mechanics.system.equations(),
                self.rounding.limited(&self.mechanics.sizes, self.plan.settings.rtol),
            );
            let largest = self.recorder.largest_energy.max(self.mechanics.natural_energy());
            let found = doubts(equations, &self.plan.settings, &self.statistics, &self.evidence, largest, limited);
            self.diagnostics.extend(found);
        }
        let expectations = self.recorder.expectations.finish(&self.mechanics, &mut self.diagnostics);
        Outcome {
            end,
            time: self.t,
            rows: self.rows,
            unlisted_ranks: self.progress.unlisted(),
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
        if self.plan.settings.drift == Drift::Baumgarte {
            // A violation dies out in a fifth of the time that motion of typical speed takes over a typical size.
            let (n, sizes) = (self.mechanics.n, self.mechanics.sizes.kind());
            let fastest = (0..n).map(|j| sizes[n + j] / sizes[j]).fold(0.0, f64::max);
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
            self.occasions.foresee(&mut self.mechanics, length);
            match self.attempt(length) {
                Ok(error) if error <= 1.0 && self.watch.hurries(&self.mechanics.watched) => {
                    self.statistics.rejected += 1;
                    (rejected, h) = (true, 0.5 * length);
                    self.count_attempt(true)?;
                }
                Ok(error) if error <= 1.0 => {
                    if let Some(other) = self.watch.better_length(self.t, length, &self.mechanics.watched) {
                        self.statistics.rejected += 1;
                        (h, chosen) = (length, Some(other));
                        continue;
                    }
                    let t = if last { until } else { self.t + length };
                    let held = self.mechanics.linear.rank();
                    let mut arrival = self.arrive(t)?;
                    let mut held_at_seam = None;
                    match arrival.event.map(|time| self.occasions.approach(&mut self.mechanics, self.t, t, time)) {
                        None => {
                            chosen = self.occasions.crossing(t);
                            held_at_seam = self.look_across(t, chosen)?;
                        }
                        Some(Approach::Cut) => {}
                        Some(Approach::Whole) => arrival.event = Some(t),
                        Some(Approach::Smooth) => {
                            self.go_back(held)?;
                            self.statistics.rejected += 1;
                            (h, chosen) = (h.max(length), Some(length));
                            continue;
                        }
                        Some(Approach::Again(shorter)) => {
                            self.go_back(held)?;
                            self.statistics.rejected += 1;
                            (h, chosen) = (h.max(length), Some(shorter));
                            continue;
                        }
                    }
                    if self.leaves_branch(&mut arrival)? {
                        self.go_back(held)?;
                        self.statistics.rejected += 1;
                        (rejected, h) = (true, 0.5 * length);
                        self.count_attempt(true)?;
                        continue;
                    }
                    if let Some(time) = self.accept(&arrival)? {
                        self.go_back(held)?;
                        self.statistics.rejected += 1;
                        (h, chosen) = (length, Some(time - self.t));
                        self.count_attempt(true)?;
                        continue;
                    }
                    if let Some(message) = held_at_seam {
                        return Err(Stop::Said(Box::new(message)));
                    }
                    self.count_attempt(false)?;
                    let growth = self.method.growth(error).clamp(0.333, if rejected { 1.0 } else { 6.0 });
                    // A step that was cut short for another reason says little about the next.
                    h = if length < h { h } else { self.method.favour(length * growth) };
                    rejected = false;
                    if arrival.event.is_none() {
                        self.occasions.leave_seams(&mut self.mechanics);
                    }
                    if arrival.event.is_some() {
                        let happened = self.happen(self.occasions.contacts_change())?;
                        if let Some(end) = happened.end {
                            return Ok(end);
                        }
                        let is_fresh = std::mem::take(&mut self.is_fresh) || happened.events;
                        h = if is_fresh { self.first_step() } else { h };
                    }
                }
                Ok(error) => {
                    self.statistics.rejected += 1;
                    if self.smooth_step(length, !error.is_nan()) {
                        chosen = Some(length);
                        continue;
                    }
                    rejected = true;
                    h = length * self.method.growth(error).clamp(0.1, 0.9);
                    if error.is_nan() {
                        h = 0.1 * length;
                    }
                    self.watch.choose_again();
                    self.occasions.choose_again();
                    self.suspect_rounding(length);
                    self.count_attempt(true)?;
                }
                Err(trouble) => {
                    self.statistics.rejected += 1;
                    if self.smooth_step(length, false) {
                        chosen = Some(length);
                        continue;
                    }
                    rejected = true;
                    h = if trouble == Trouble::NotConverged { 0.5 } else { 0.25 } * length;
                    if h <= 1e-10 * until.min(self.t.max(1e-3 * until)) {
                        return Err(Stop::Trouble(trouble, self.t));
                    }
                    self.suspect_rounding(length);
                    self.count_attempt(true)?;
                }
            }
        }
        Ok(End::Finished)
    }

    /// Ranks, contacts and the rate at the start.
    fn begin(&mut self) -> Result<(), Stop> {
        self.recorder.balance(&self.mechanics, 0.0, &self.y);
        self.begin_anew()?;
        self.evidence.energy_of_events += self.recorder.rebalance(&self.mechanics, 0.0, &self.y);
        let at = |trouble| Stop::Trouble(trouble, 0.0);
        self.occasions.begin(&mut self.mechanics, &self.y, &mut self.diagnostics).map_err(at)?;
        if !self.due.is_empty() {
            self.happen(true)?;
        }
        Ok(())
    }

    /// Decides ranks and what contacts do, for a motion that begins at the present state.
    pub(super) fn begin_anew(&mut self) -> Result<(), Stop> {
        let (n, t) = (self.mechanics.n, self.t);
        let at = |trouble| Stop::Trouble(trouble, t);
        self.mechanics.rate_deciding(t, &self.y, &mut self.rate).map_err(at)?;
        self.look();
        if self.sided.is_some() {
            let became = self.meet(&[], &[])?;
            self.note_sides(&became);
        } else {
            let (q, v) = self.y[..2 * n].split_at_mut(n);
            self.mechanics.decide_contacts(t, q, v, &[], &[]).map_err(at)?;
        }
        self.begin_on_seams()?;
        self.mechanics.rate_deciding(t, &self.y, &mut self.rate).map_err(at)?;
        self.begin_step(self.mechanics.linear.clearance());
        // Velocities may have jumped: what rounding was thought to be before says nothing.
        self.rounding = Rounding::new(n, self.y.len());
        self.rounding.measure(&mut self.mechanics, t, &self.y, &self.rate);
        Ok(())
    }

    /// A step begins at the present state, whose clearance is known.
    pub(super) fn begin_step(&mut self, clearance: f64) {
        let n = self.mechanics.n;
        self.watch.begin(clearance);
        if self.watch.is_careful() {
            self.be_careful();
        }
        let (q, v) = self.y[..2 * n].split_at(n);
        self.mechanics.begin_step(self.t, q, v);
    }

    /// Keeps track of the sizes of coordinates and the scales of rows.
    pub(super) fn look(&mut self) {
        let Self { mechanics, y, rate, t, .. } = self;
        mechanics.sizes.look(&y[..2 * mechanics.n], rate);
        let (q, v) = y[..2 * mechanics.n].split_at(mechanics.n);
        mechanics.measure(*t, q, v);
    }

    /// What errors are measured by in a step.
    fn set_tolerance(&mut self, h: f64) {
        let Settings { rtol, atol, method, .. } = self.plan.settings;
        let share = if method == model::Method::Explicit { SHARE } else { 4.0 * SHARE };
        let sizes = &self.mechanics.sizes;
        for (i, tolerance) in self.tolerance.iter_mut().enumerate() {
            let size = sizes.of(i);
            let value = self.y[i].abs().max((self.y[i] + h * self.rate[i]).abs());
            *tolerance = share * (atol * size + rtol * value);
        }
        let n = self.mechanics.n;
        self.rounded = false;
        self.rounding.attempt();
        for j in 0..n {
            let (position, velocity) = self.rounding.least(j, h, self.mechanics.sizes.of(j), method);
            self.mechanics.least_speed[j] = self.rounding.speed(j, h) / rtol.max(FINEST);
            let mut decides = false;
            for (i, least) in [(j, position), (n + j, velocity)] {
                decides |= least > self.tolerance[i];
                self.tolerance[i] = self.tolerance[i].max(least);
            }
            self.rounded |= decides;
            self.rounding.decides(j, (position, velocity), decides);
        }
    }

    /// Counts an attempt, and ends a run that does not get on.
    fn count_attempt(&mut self, rejected: bool) -> Result<(), Stop> {
        let what = Attempted { rejected, stiff: self.stiff_steps >= STIFF_STEPS, rounded: self.rounded };
        let times = (self.t, self.plan.settings.until);
        let Statistics { steps, rejected, .. } = self.statistics;
        let fails = rejected > MANY && rejected as f64 > FAILED * steps as f64;
        if fails || (steps >= SLOW_STEPS && self.t < SLOW * times.1) {
            self.mechanics.sizes.forget_dust();
        }
        let found = self.progress.attempt(times, || self.mechanics.sizes.pace(), what, &self.ranks);
        found.map_or(Ok(()), |message| Err(Stop::Said(Box::new(message))))
    }

    /// An attempt has failed: that may be for rounding alone.
    fn suspect_rounding(&mut self, h: f64) {
        let Self { rounding, mechanics, t, y, rate, .. } = self;
        rounding.suspect(mechanics, (*t, h), y, rate);
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
    /// Near a singular configuration, what projection takes away is no error as long as it is small: it is far larger than
    /// what stays there, and a method that heeded all of it would hardly pass.
    fn attempt(&mut self, h: f64) -> Result<f64, Trouble> {
        let Self { method, mechanics, t, y, rate, tolerance, next, .. } = self;
        let has_rows = self.plan.settings.drift == Drift::Projection && !mechanics.rows.is_empty();
        let projected = has_rows || mechanics.slides();
        mechanics.watched.clear();
        mechanics.samples.clear();
        mechanics.restore_scales();
        self.left = None;
        let step = Step { t: *t, h, y, rate, tolerance, projected, near: self.watch.near() };
        let error = method.attempt(mechanics, &step, next)?;
        let error = error / (1.0 + self.watch.rounding(&mechanics.watched) / (SHARE * self.plan.settings.rtol));
        if !next.iter().sum::<f64>().is_finite() {
            return Ok(f64::NAN);
        }
        if !projected || error > 1.0 || error.is_nan() {
            return Ok(error);
        }
        let moved = self.project(self.t + h)?;
        self.left = Some(self.mechanics.left);
        let usual = self.plan.settings.rtol.max(FINEST) / MOVED;
        let most = self.watch.most_moved(&self.mechanics.watched, usual);
        Ok(error.max(moved / most))
    }

    /// Projects `next`; how far it moved, relative to the sizes of coordinates.
    fn project(&mut self, t: f64) -> Result<f64, Trouble> {
        let n = self.mechanics.n;
        let (q, v) = self.next[..2 * n].split_at_mut(n);
        let positions = self.mechanics.project(Level::Position, t, q, v)?;
        let velocities = self.mechanics.project(Level::Velocity, t, q, v)?;
        Ok(positions.max(velocities))
    }

    /// Ends the step at `t`: ranks are decided there, and it is looked whether something happens on the way.
    fn arrive(&mut self, t: f64) -> Result<Arrival, Stop> {
        let at = |trouble| Stop::Trouble(trouble, t);
        let held = self.mechanics.linear.rank();
        self.mechanics.rate_deciding(t, &self.next, &mut self.next_rate).map_err(at)?;
        if self.mechanics.linear.rank() > held && self.plan.settings.drift == Drift::Projection {
            // Rows that were left to follow the others lead now.
            self.middle.copy_from_slice(&self.next);
            if self.project(t).is_err() {
                self.next.copy_from_slice(&self.middle);
            }
            self.mechanics.rate_deciding(t, &self.next, &mut self.next_rate).map_err(at)?;
        }
        let clearance = self.mechanics.linear.clearance();
        let Self { method, mechanics, occasions, next, next_rate, middle, .. } = self;
        let (mut event, mut dense) = (None, false);
        if !occasions.is_quiet(mechanics, t, next).map_err(at)? {
            method.make_dense(mechanics, next, next_rate).map_err(at)?;
            dense = true;
            let projected = self.plan.settings.drift == Drift::Projection;
            let mut path =
                Path { method, start: self.t, length: t - self.t, end: t, at_end: next, projected, room: middle };
            event = occasions.first(mechanics, &mut path).map_err(at)?;
        }
        Ok(Arrival { t, clearance, event, dense, dips: [None; DIPS] })
    }

    /// Whether the motion cannot leave the seam that the next step, of a chosen length, is to cross.
    fn look_across(&mut self, t: f64, crossing: Option<f64>) -> Result<Option<Diagnostic>, Stop> {
        let Some(length) = crossing else { return Ok(None) };
        let Self { occasions, mechanics, next, rate, .. } = self;
        let found = occasions.stays_at_seam(mechanics, (t, length), next, rate);
        found.map_err(|trouble| Stop::Trouble(trouble, t))
    }

    /// The end of a step is given up: ranks are those of its start again.
    fn go_back(&mut self, held: usize) -> Result<(), Stop> {
        if self.mechanics.linear.rank() == held {
            return Ok(());
        }
        let t = self.t;
        self.mechanics.rate_deciding(t, &self.y, &mut self.rate).map_err(|trouble| Stop::Trouble(trouble, t))
    }

    /// Takes a step as far as it goes; records are made on the way. A record that cannot be put on the constraints is where the step has to
    /// end instead: then that time is returned, and nothing is taken.
    fn accept(&mut self, arrival: &Arrival) -> Result<Option<f64>, Stop> {
        let (n, before, h) = (self.mechanics.n, self.t, arrival.t - self.t);
        let t = arrival.end();
        let at = |trouble| Stop::Trouble(trouble, t);
        if !arrival.dense && self.schedule.has(t) {
            self.method.make_dense(&mut self.mechanics, &self.next, &self.next_rate).map_err(at)?;
        }
        let factors = arrival.dips[0].is_some();
        let mut at_end = self.schedule.ends;
        while let Some(time) = self.schedule.take(t) {
            if time < t {
                match self.record_inside(time, (time - before) / h, factors) {
                    Err(Stop::Trouble(Trouble::OffConstraints, _)) => {
                        self.schedule.put_back();
                        return Ok(Some(time));
                    }
                    done => done?,
                }
            } else {
                at_end = true;
            }
        }
        for dip in arrival.dips.into_iter().flatten() {
            self.look_at_dip(dip, h);
        }
        self.statistics.steps += 1;
        self.notice_stiffness();
        self.method.accepted();
        self.mechanics.keep_scales();
        self.t = t;
        self.recorded = false;
        self.mechanics.sizes.see(&self.next[..2 * n]);
        if t < arrival.t {
            self.go_to((t - before) / h)?;
        } else {
            std::mem::swap(&mut self.y, &mut self.next);
            std::mem::swap(&mut self.rate, &mut self.next_rate);
            self.begin_step(arrival.clearance);
        }
        let changes = arrival.event.is_some() && self.occasions.contacts_change();
        if changes {
            self.occasions.pass(&mut self.mechanics, t, &self.y).map_err(at)?;
            self.pass_transition(before, h)?;
        }
        if at_end {
            self.record(t, false)?;
        }
        let (position, velocity) = match self.left {
            Some(left) if t == arrival.t && !changes => left,
            _ => {
                let (q, v) = self.y[..2 * n].split_at(n);
                (self.mechanics.drift(Level::Position, t, q, v), self.mechanics.drift(Level::Velocity, t, q, v))
            }
        };
        self.evidence.position_residual = self.evidence.position_residual.max(position);
        self.evidence.velocity_residual = self.evidence.velocity_residual.max(velocity);
        self.recorder.balance(&self.mechanics, t, &self.y);
        self.evidence.energy_imbalance = self.evidence.energy_imbalance.max(self.recorder.imbalance.abs());
        self.evidence.clearance = self.evidence.clearance.min(arrival.clearance);
        if !self.mechanics.friction_is_certain() && !self.doubted {
            let (q, v) = self.y[..2 * n].split_at(n);
            let doubt = self.mechanics.other_motions(t, q, v);
            self.doubted = doubt.is_some();
            self.diagnostics.extend(doubt);
        }
        if self.statistics.steps.is_multiple_of(LOOK) {
            self.look();
        }
        if self.statistics.steps.is_multiple_of(MEASURE) {
            self.rounding.measure(&mut self.mechanics, t, &self.y, &self.rate);
        }
        if self.observer.step(t) { Ok(None) } else { Err(Stop::Observer) }
    }

    /// Records a state inside the last step, put on the constraints with the factors at hand, or with its own where these are those of a
    /// singular configuration or lead nowhere.
    fn record_inside(&mut self, t: f64, theta: f64, mut with_own: bool) -> Result<(), Stop> {
        loop {
            self.method.interpolate(theta, &mut self.middle);
            if with_own {
                let (q, v) = self.middle[..2 * self.mechanics.n].split_at(self.mechanics.n);
                self.mechanics.factor_at(t, q, v);
            }
            match self.record(t, true) {
                Err(Stop::Trouble(Trouble::OffConstraints, _)) if !with_own => with_own = true,
                done => return done,
            }
        }
    }

    /// Goes to a part of the last step, at the present time, and begins anew there.
    fn go_to(&mut self, theta: f64) -> Result<(), Stop> {
        let t = self.t;
        let at = |trouble| Stop::Trouble(trouble, t);
        self.method.interpolate(theta, &mut self.y);
        if self.plan.settings.drift == Drift::Projection {
            put_on_constraints(&mut self.mechanics, t, &mut self.y).map_err(at)?;
        }
        self.mechanics.rate_deciding(t, &self.y, &mut self.rate).map_err(at)?;
        self.method.restart(&self.mechanics);
        self.begin_step(self.mechanics.linear.clearance());
        Ok(())
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

    /// Records the present state, or one in the middle of a step, which is put on the constraints first.
    pub(super) fn record(&mut self, t: f64, middle: bool) -> Result<(), Stop> {
        let at = |trouble| Stop::Trouble(trouble, t);
        let y = if middle {
            if self.plan.settings.drift == Drift::Projection {
                let n = self.mechanics.n;
                let (q, v) = self.middle[..2 * n].split_at_mut(n);
                self.mechanics.project_aside(t, q, v).map_err(at)?;
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
}
