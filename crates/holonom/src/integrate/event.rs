//! What happens along a run: triggers, and where they stand.
//!
//! A trigger is a function of time and state whose passage through zero ends a step. Those of users carry out actions; those
//! at the seams of `if abs sign min max clamp` are silent, so that no step goes across one. This is the only place that
//! knows where triggers come from and how they are evaluated; `locate` finds when they pass, `action` does what follows.

use super::locate::{Heed, Look, Search};
use super::mechanics::{Level, Mechanics, Trouble};
use super::method::Method;
use super::switch::{has_seams, margin, switches};
use crate::compile::{Fixed, Inputs, Memory, Program, System};
use crate::expr::{Depends, Id};
use crate::model::syntax::Direction;
use crate::model::{Diagnostic, When};

/// Events of one trigger that come at once, as far as numbers tell, before it is said that there is no end of them.
const ZENO: u32 = 20;
/// Passages of a switch in a short time before it is left to error control.
const CHATTER: u32 = 50;

/// Below this part of the largest so far, a rate is none.
const STILL: f64 = 1e-15;

/// Where a trigger comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// An event of the model.
    User(usize),
    /// A seam of the equations.
    Switch,
}

/// What to do with a step in which something was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Approach {
    /// End it there.
    Cut,
    /// Take it whole.
    Whole,
    /// Try it again with this length.
    Again(f64),
}

/// How a trigger is evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Needs {
    State,
    Acceleration,
    Forces,
}

/// How often a trigger passed without pause, and when last.
#[derive(Clone, Copy, Debug)]
struct Repeats {
    last: f64,
    count: u32,
}

/// All triggers of a run.
pub(super) struct Triggers {
    pub(super) sources: Vec<Source>,
    pub(super) search: Search,
    evaluation: Evaluation,
    repeats: Vec<Repeats>,
    /// The sides before something happened, and the look at the start of the step.
    before: Vec<f64>,
    origin: Look,
    /// Below this, functions that have just passed are still at zero.
    slack: Vec<f64>,
    until: f64,
    /// Whether the step is to end at a switch, or to cross one.
    approaching: bool,
}

/// The functions, compiled.
struct Evaluation {
    count: usize,
    program: Program,
    fixed: Fixed,
    memory: Memory,
    needs: Needs,
    /// Functions whose rate is known.
    rated: Vec<bool>,
    multipliers: Vec<f64>,
    reactions: Vec<f64>,
}

/// The way through a step.
pub(super) struct Path<'a> {
    pub(super) method: &'a Method,
    pub(super) start: f64,
    /// The length of the step.
    pub(super) length: f64,
    /// How far it is taken, and the state there.
    pub(super) end: f64,
    pub(super) at_end: &'a [f64],
    /// Whether states are put on the constraints.
    pub(super) projected: bool,
    pub(super) room: &'a mut [f64],
}

impl Path<'_> {
    /// The state at a time, on the constraints.
    pub(super) fn state(&mut self, mechanics: &mut Mechanics, t: f64) -> Result<&[f64], Trouble> {
        if t == self.end {
            return Ok(self.at_end);
        }
        self.method.interpolate((t - self.start) / self.length, self.room);
        if self.projected {
            put_on_constraints(mechanics, t, self.room)?;
        }
        Ok(self.room)
    }
}

/// Projects positions and then velocities.
pub(super) fn put_on_constraints(mechanics: &mut Mechanics, t: f64, y: &mut [f64]) -> Result<(), Trouble> {
    let n = mechanics.n;
    let (q, v) = y[..2 * n].split_at_mut(n);
    mechanics.project(Level::Position, t, q, v)?;
    mechanics.project(Level::Velocity, t, q, v)?;
    Ok(())
}

impl Evaluation {
    /// All functions at a state on the constraints.
    fn look(&mut self, mechanics: &mut Mechanics, t: f64, y: &[f64], look: &mut Look) -> Result<(), Trouble> {
        let n = mechanics.n;
        let (q, v) = y[..2 * n].split_at(n);
        match self.needs {
            Needs::State => {}
            Needs::Acceleration => mechanics.accelerate(t, q, v, false)?,
            Needs::Forces => {
                mechanics.examine(t, q, v)?;
                spread(mechanics, &mut self.multipliers, &mut self.reactions);
            }
        }
        self.evaluate(mechanics, t, q, v);
        let (values, rates) = self.memory.outputs().split_at(self.count);
        look.t = t;
        look.values.copy_from_slice(values);
        for ((rate, known), value) in look.rates.iter_mut().zip(&self.rated).zip(rates) {
            *rate = if *known { *value } else { f64::NAN };
        }
        Ok(())
    }

    fn evaluate(&mut self, mechanics: &Mechanics, t: f64, q: &[f64], v: &[f64]) {
        let inputs = Inputs {
            t,
            q,
            v,
            acceleration: &mechanics.acceleration,
            multiplier: &self.multipliers,
            reaction: &self.reactions,
            ..Inputs::default()
        };
        self.program.evaluate(&self.fixed, &inputs, &mut self.memory);
    }

    /// What the last digits of the state make of the functions.
    fn rounding(&mut self, mechanics: &Mechanics, t: f64, y: &[f64], floor: &mut [f64]) {
        let n = mechanics.n;
        let mut moved = y[..2 * n].to_vec();
        self.evaluate(mechanics, t, &moved[..n], &moved[n..]);
        let here = self.memory.outputs()[..self.count].to_vec();
        floor.fill(0.0);
        for (j, size) in mechanics.sizes.kind().iter().enumerate() {
            let value = moved[j];
            moved[j] += 1e-7 * size;
            self.evaluate(mechanics, t, &moved[..n], &moved[n..]);
            moved[j] = value;
            for ((floor, now), here) in floor.iter_mut().zip(self.memory.outputs()).zip(&here) {
                let change = (now - here).abs();
                if change.is_finite() {
                    *floor += change * (16.0 * f64::EPSILON / 1e-7);
                }
            }
        }
    }
}

/// Multipliers and reactions of the rows in force, as those of all rows.
pub(super) fn spread(mechanics: &Mechanics, multipliers: &mut [f64], reactions: &mut [f64]) {
    multipliers.fill(0.0);
    reactions.fill(0.0);
    for (place, &row) in mechanics.rows.iter().enumerate() {
        multipliers[row] = mechanics.ideal[place];
        reactions[row] = mechanics.reaction[place];
    }
}

impl Triggers {
    /// The triggers of a system.
    pub(super) fn new(system: &System, until: f64) -> Self {
        let equations = system.equations();
        let mut sources = Vec::new();
        let mut heed = Vec::new();
        let mut graph = None;
        let mut functions: Vec<Id> = Vec::new();
        for (number, event) in equations.model.events.iter().enumerate() {
            let graph = graph.get_or_insert_with(|| equations.graph.clone());
            sources.push(Source::User(number));
            let (function, direction) = match event.when {
                When::Becomes(condition) => (margin(graph, condition), Direction::Rises),
                When::Passes(function, direction) => (function, direction),
                // Contact is found by the constraint itself: nothing here passes through zero.
                When::Catches(_) | When::LetsGo(_) => (Id::ONE, Direction::Falls),
            };
            functions.push(function);
            heed.push(Heed { rising: direction != Direction::Falls, falling: direction != Direction::Rises });
        }
        if has_seams(equations) {
            let graph = graph.get_or_insert_with(|| equations.graph.clone());
            for function in switches(equations, graph) {
                sources.push(Source::Switch);
                functions.push(function);
                heed.push(Heed { rising: true, falling: true });
            }
        }
        let graph = graph.unwrap_or_default();
        let count = functions.len();
        let evaluation = Evaluation::new(system, graph, functions);
        Self {
            sources,
            search: Search::new(heed),
            evaluation,
            repeats: vec![Repeats { last: f64::NEG_INFINITY, count: 0 }; count],
            before: vec![0.0; count],
            origin: Look::new(count),
            slack: vec![0.0; count],
            until,
            approaching: false,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.sources.is_empty()
    }

    /// Parameters have other values.
    pub(super) fn take_parameters(&mut self, system: &System) {
        self.evaluation.fixed = self.evaluation.program.fixed(system.parameters());
    }

    /// Where everything stands at the start. Conditions that hold there do not become true: they are named.
    pub(super) fn begin(
        &mut self,
        mechanics: &mut Mechanics,
        y: &[f64],
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Result<(), Trouble> {
        if self.is_empty() {
            return Ok(());
        }
        self.search.found.clear();
        self.settle(mechanics, 0.0, y, true)?;
        let events = &mechanics.system.equations().model.events;
        for (i, source) in self.sources.iter().enumerate() {
            let Source::User(number) = *source else { continue };
            let event = &events[number];
            if !matches!(event.when, When::Becomes(_)) {
                continue;
            }
            if self.search.floor[i] > 0.0 {
                // At its margin, a condition does not hold yet.
                self.search.side[i] = -1.0;
            } else if self.search.side[i] > 0.0 {
                diagnostics.push(
                    Diagnostic::note_on(
                        "event-at-start",
                        format!("the condition of `{}` holds at the start", event.name),
                    )
                    .at(event.span, "it happens when its condition becomes true, not while it is true"),
                );
            }
        }
        Ok(())
    }

    /// The first thing to happen on a path; nothing if it can be taken to its end.
    pub(super) fn first(&mut self, mechanics: &mut Mechanics, path: &mut Path) -> Result<Option<f64>, Trouble> {
        let Self { search, evaluation, before, origin, .. } = self;
        before.copy_from_slice(&search.side);
        origin.take(&search.from);
        search.first(path.end, |t, look| {
            let y = path.state(mechanics, t)?;
            evaluation.look(mechanics, t, y, look)
        })
    }

    /// Whether nothing happens in the step to a state, as far as its ends tell. That is enough for switches: what passes and
    /// comes back within an accepted step did no harm.
    pub(super) fn is_quiet(&mut self, mechanics: &mut Mechanics, t: f64, y: &[f64]) -> Result<bool, Trouble> {
        let Self { search, evaluation, .. } = self;
        if self.sources.iter().any(|source| *source != Source::Switch) {
            return Ok(self.sources.is_empty());
        }
        search.is_quiet(t, |t, look| evaluation.look(mechanics, t, y, look))
    }

    /// What to do with a step in which something was found: beyond a switch it saw another branch.
    pub(super) fn approach(&mut self, start: f64, end: f64, time: f64) -> Approach {
        if self.search.found.iter().any(|&i| self.sources[i] != Source::Switch) {
            self.approaching = false;
            return Approach::Cut;
        }
        let length = time - start;
        let again = length < (1.0 - 1e-6) * (end - start) && length > 32.0 * f64::EPSILON * end && !self.approaching;
        self.approaching = again;
        if again {
            self.search.side.copy_from_slice(&self.before);
            self.search.from.take(&self.origin);
            return Approach::Again(length);
        }
        Approach::Whole
    }

    /// The length of the step that crosses a switch, after one that came as near to it as it could; a tiny one.
    pub(super) fn crossing(&mut self, t: f64) -> Option<f64> {
        if !std::mem::take(&mut self.approaching) {
            return None;
        }
        let search = &self.search;
        let left = |i: &usize| -> f64 {
            let left = -search.from.values[*i] / search.from.rates[*i];
            if left > 0.0 { left } else { f64::INFINITY }
        };
        let nearest = search.found.iter().map(left).fold(f64::INFINITY, f64::min);
        if !nearest.is_finite() {
            return None;
        }
        self.approaching = true;
        Some((2.0 * nearest).max(64.0 * f64::EPSILON * t))
    }

    /// The length of the step is chosen anew, for its error.
    pub(super) fn choose_again(&mut self) {
        self.approaching = false;
    }

    /// The events that happen now, in the order of the file.
    pub(super) fn events(&self) -> Vec<usize> {
        let user = |&i: &usize| match self.sources[i] {
            Source::User(event) => Some(event),
            Source::Switch => None,
        };
        self.search.found.iter().filter_map(user).collect()
    }

    /// Counts what comes without end. An event that does is an error; a switch that does is left alone from then on.
    pub(super) fn count(
        &mut self,
        mechanics: &Mechanics,
        t: f64,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<Diagnostic> {
        let model = &mechanics.system.equations().model;
        for &i in &self.search.found {
            let repeats = &mut self.repeats[i];
            let pause = match self.sources[i] {
                Source::User(_) => 1e-12 * t.max(1e-3 * self.until),
                Source::Switch => 1e-7 * self.until,
            };
            repeats.count = if t - repeats.last <= pause { repeats.count + 1 } else { 0 };
            repeats.last = t;
            match self.sources[i] {
                Source::User(number) if repeats.count >= ZENO => {
                    let event = &model.events[number];
                    return Some(
                        Diagnostic::error(
                            "event-zeno",
                            format!("at t = {t} the event `{}` happens again and again, without time to pass", event.name),
                        )
                        .at(event.span, "its occurrences come ever closer, as those of a ball that comes to rest")
                        .help(
                            "let an event end this when it becomes small: `-> add NAME` holds it there by a constraint, \
                             `-> stop` ends the run",
                        ),
                    );
                }
                Source::Switch if repeats.count >= CHATTER => {
                    self.search.heed[i] = Heed { rising: false, falling: false };
                    diagnostics.push(
                        Diagnostic::warning(
                            "switch-chatters",
                            format!("at t = {t} an `if`, `abs`, `sign`, `min` or `max` changes its branch again and again"),
                        )
                        .help("a force that holds something at rest by its sign is friction: write `friction NAME: coulomb(mu)`"),
                    );
                }
                _ => {}
            }
        }
        None
    }

    /// Decides on which side everything is, at a time at which `found` passed; before and after what that changes.
    pub(super) fn settle(
        &mut self,
        mechanics: &mut Mechanics,
        t: f64,
        y: &[f64],
        changed: bool,
    ) -> Result<(), Trouble> {
        let Self { search, evaluation, slack, repeats, .. } = self;
        evaluation.look(mechanics, t, y, &mut search.from)?;
        if changed {
            evaluation.rounding(mechanics, t, y, &mut search.floor);
        }
        for i in 0..search.side.len() {
            let (value, rate) = (search.from.values[i], search.from.rates[i]);
            let has_passed = search.found.contains(&i);
            search.still[i] = search.still[i].max(STILL * rate.abs());
            if !changed {
                slack[i] = if has_passed { 4.0 * value.abs() } else { 0.0 };
                if has_passed {
                    search.side[i] = search.passes_to[i];
                } else if value != 0.0 && !value.is_nan() {
                    search.side[i] = value.signum();
                }
                continue;
            }
            let zero = search.floor[i].max(slack[i]);
            if value.abs() > zero {
                (search.side[i], search.floor[i]) = (value.signum(), 0.0);
                continue;
            }
            // At zero: the side that it leaves to. What has passed and stands still now has not passed yet, nor what passes
            // too often for numbers to tell.
            search.floor[i] = zero;
            if has_passed && (repeats[i].count > 0 || rate.abs() <= search.still[i]) {
                search.side[i] = -search.passes_to[i];
            } else if rate.abs() > search.still[i] {
                search.side[i] = rate.signum();
            }
        }
        Ok(())
    }

    /// Remembers the sides, so that `followers` can tell what changed them.
    pub(super) fn remember(&mut self) {
        self.before.copy_from_slice(&self.search.side);
    }

    /// The triggers that jumped to their other side because of what happened: they happen as well.
    pub(super) fn followers(&mut self, already: &[usize]) -> bool {
        let Self { search, before, sources, .. } = self;
        search.found.clear();
        for i in 0..search.side.len() {
            let jumped = before[i] * search.side[i] < 0.0;
            let heeded = if search.side[i] > 0.0 { search.heed[i].rising } else { search.heed[i].falling };
            let happened = matches!(sources[i], Source::User(event) if already.contains(&event));
            if jumped && heeded && !happened && matches!(sources[i], Source::User(_)) {
                search.found.push(i);
            }
        }
        !search.found.is_empty()
    }
}

impl Evaluation {
    fn new(system: &System, mut graph: crate::expr::Graph, functions: Vec<Id>) -> Self {
        let on_motion = Depends::ACCELERATION | Depends::FORCE;
        let rated: Vec<bool> = functions.iter().map(|&id| !graph.depends(id).on(on_motion)).collect();
        let mut roots = functions.clone();
        for (&function, &known) in functions.iter().zip(&rated) {
            roots.push(if known { graph.rate(&[function])[0] } else { Id::ZERO });
        }
        let any = |kind: Depends| roots.iter().any(|&id| graph.depends(id).on(kind));
        let needs = if any(Depends::FORCE) {
            Needs::Forces
        } else if any(Depends::ACCELERATION) {
            Needs::Acceleration
        } else {
            Needs::State
        };
        let program = Program::new(&graph, &roots);
        Self {
            count: functions.len(),
            fixed: program.fixed(system.parameters()),
            memory: program.memory(),
            program,
            needs,
            rated,
            multipliers: vec![0.0; system.rows()],
            reactions: vec![0.0; system.rows()],
        }
    }
}

#[cfg(test)]
mod tests;
