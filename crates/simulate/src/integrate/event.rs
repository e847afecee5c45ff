//! What happens along a run: triggers, and where they stand.
//!
//! A trigger is a function of time and state whose passage through zero ends a step. Those of users carry out actions; those
//! at the seams of `if abs sign min max clamp` are silent, so that no step goes across one; those of contacts decide anew what
//! contacts do. `source` knows where triggers come from and how they are evaluated, `held` which of them constraints hold at
//! zero; `locate` finds when they pass, `happen`, `action` and `transition` do what follows.

mod endless;
mod held;
mod seams;
mod source;
mod together;

pub(super) use source::{Path, put_on_constraints, spread};

use super::locate::{Heed, Look, Search};
use super::mechanics::Mechanics;
use super::seam::Branch;
use super::trouble::Trouble;
use endless::{chatters, without_end};
use held::held;
use holonom_language::{Diagnostic, EventAction, When};
use holonom_mechanics::compile::CompiledSystem;
use source::{Evaluation, Source, sources};

/// Events of one trigger that come at once, as far as numbers tell, before it is said that there is no end of them.
const ZENO: u32 = 20;
/// Passages of a switch in a short time before it is said that there is no end of them.
const CHATTER: u32 = 50;

/// Below this part of the largest so far, a rate is none.
const STILL: f64 = 1e-15;
/// What projection may leave of a function that constraints hold, in units of its rounding: they are met to 1e-12 of their
/// scale, and to 1e-9 where they come into force.
const LEFT: f64 = 1e6;
/// What has just passed, or was just decided, is at zero up to so many times its value there.
const SLACK: f64 = 4.0;
/// A gap that grazes goes no deeper than so many times what its acceleration promises, or it closes after all.
const DEEPER: f64 = 1.5;

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

/// How often a trigger passed without pause, and when last.
#[derive(Clone, Copy, Debug)]
struct Repeats {
    last: f64,
    count: u32,
}

/// All triggers of a run.
pub(super) struct Triggers {
    sources: Vec<Source>,
    search: Search,
    evaluation: Evaluation,
    repeats: Vec<Repeats>,
    /// The sides before something happened, and the look at the start of the step.
    before: Vec<f64>,
    origin: Look,
    /// Below this, functions that have just passed are still at zero.
    slack: Vec<f64>,
    /// How far below zero gaps may be while they graze, which is as long as the search takes them for slow.
    grazing: Vec<f64>,
    /// Events of which it was said that a constraint holds them.
    noted: Vec<bool>,
    /// Functions that have just passed and are led back at once.
    attracts: Vec<bool>,
    until: f64,
    /// Whether the step is to end at a switch, or to cross one.
    approaching: bool,
}

impl Triggers {
    /// The triggers of a system.
    pub(super) fn new(system: &CompiledSystem, until: f64) -> Self {
        let (list, graph, functions) = sources(system);
        let (sources, heed): (Vec<Source>, Vec<Heed>) = list.into_iter().unzip();
        let count = sources.len();
        let evaluation = Evaluation::new(system, graph, functions, count);
        let smooth = sources.iter().map(|source| matches!(source, Source::Gap(_))).collect();
        Self {
            sources,
            search: Search::new(heed, smooth),
            evaluation,
            repeats: vec![Repeats { last: f64::NEG_INFINITY, count: 0 }; count],
            before: vec![0.0; count],
            origin: Look::new(count),
            slack: vec![0.0; count],
            grazing: vec![0.0; count],
            noted: vec![false; count],
            attracts: vec![false; count],
            until,
            approaching: false,
        }
    }

    fn is_empty(&self) -> bool {
        self.sources.is_empty()
    }

    /// Parameters have other values.
    pub(super) fn take_parameters(&mut self, system: &CompiledSystem) {
        self.evaluation.take_parameters(system);
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
        self.settle(mechanics, 0.0, y, diagnostics)?;
        let events = &mechanics.system.equations().model.events;
        for (i, source) in self.sources.iter().enumerate() {
            let Source::User(number) = *source else { continue };
            let event = &events[number];
            if matches!(event.when, When::Becomes(_)) && self.search.side[i] > 0.0 {
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

    /// Whether nothing happens in the step to a state whose acceleration was found last, as far as its ends tell and what
    /// contacts said at the evaluations in between. That is enough for switches: what passes and comes back within an accepted
    /// step did no harm. Events of users are always looked for inside.
    pub(super) fn is_quiet(&mut self, mechanics: &mut Mechanics, t: f64, y: &[f64]) -> Result<bool, Trouble> {
        if self.is_empty() {
            return Ok(true);
        }
        self.wake_contacts(mechanics, t, y)?;
        let Self { search, evaluation, .. } = self;
        if evaluation.awake || self.sources.iter().any(|source| matches!(source, Source::User(_) | Source::Gap(_))) {
            return Ok(false);
        }
        search.is_quiet(t, |t, look| evaluation.look(mechanics, t, y, look))
    }

    /// Decides whether contacts are looked at inside the step to a state, and where: not if nothing points to a change.
    fn wake_contacts(&mut self, mechanics: &mut Mechanics, t: f64, y: &[f64]) -> Result<(), Trouble> {
        let first = self.first_contact();
        let Self { search, evaluation, sources, .. } = self;
        evaluation.awake = false;
        search.suspects.clear();
        if first == sources.len() {
            return Ok(());
        }
        evaluation.read_contacts(mechanics, t, y)?;
        evaluation.show_contacts(&mut search.to);
        for i in first..sources.len() {
            evaluation.awake |= search.has_left(i) || search.may_turn(i);
            // Where reactions are not unique, those that were read may be beyond a limit while others are not; but where they are not, all is well.
            let ends = [&search.from, &search.to].map(|look| (look.t, look.values[i]));
            mechanics.seen.samples.suspects(i - first, ends, |time| search.suspects.push(time));
        }
        evaluation.awake |= !search.suspects.is_empty();
        Ok(())
    }

    /// The number of the first function of a contact; they come last.
    fn first_contact(&self) -> usize {
        self.sources.iter().position(|source| source.is_contact()).unwrap_or(self.sources.len())
    }

    /// Whether contacts change at the present moment.
    pub(super) fn contacts_change(&self) -> bool {
        let changes = |source: Source| source.is_contact() || matches!(source, Source::Gap(_) | Source::Jump(_));
        self.search.found.iter().any(|&i| changes(self.sources[i]))
    }

    /// Where a force jumps, contacts may change with it: those that do are found at the same moment, and not a little later. Whether some do.
    pub(super) fn join_contacts(&mut self, mechanics: &mut Mechanics, t: f64, y: &[f64]) -> Result<bool, Trouble> {
        let Self { search, evaluation, sources, .. } = self;
        let has_contacts = sources.last().is_some_and(|source| source.is_contact());
        if !has_contacts || !search.found.iter().any(|&i| sources[i] == Source::Switch) {
            return Ok(false);
        }
        let before = search.found.len();
        evaluation.awake = true;
        evaluation.look(mechanics, t, y, &mut search.to)?;
        for i in (0..sources.len()).filter(|&i| sources[i].is_contact()) {
            if search.has_left(i) && !search.found.contains(&i) {
                search.found.push(i);
                search.passes_to[i] = -search.side[i];
            }
        }
        Ok(search.found.len() > before)
    }

    /// The one-sided rows whose gaps close at the present moment, and those in force that would pull.
    pub(super) fn sides(&self) -> (Vec<usize>, Vec<usize>) {
        let (mut closing, mut leaving) = (Vec::new(), Vec::new());
        for &i in &self.search.found {
            match self.sources[i] {
                Source::Gap(row) => closing.push(row),
                Source::Push(row) => leaving.push(row),
                _ => {}
            }
        }
        (closing, leaving)
    }

    /// Whether a gap that is to close is below zero at the end of the last step.
    pub(super) fn has_negative_gap(&self) -> bool {
        let is_below = |i: usize| matches!(self.sources[i], Source::Gap(_)) && self.search.heed[i].falling;
        let values = &self.search.from.values;
        (0..self.sources.len()).any(|i| is_below(i) && (values[i] < 0.0 || values[i].is_nan()))
    }

    /// A gap that closes at the present moment grazes: it opens again by itself and is at zero until then, no deeper than `depth` and no faster
    /// than `speed`.
    pub(super) fn graze(&mut self, row: usize, depth: f64, speed: f64) {
        if let Some(i) = self.gap(row) {
            (self.grazing[i], self.search.slow[i]) = (DEEPER * depth, DEEPER * speed);
        }
    }

    /// How far below zero a gap may be that grazes and has not opened since; zero for others.
    pub(super) fn grazing_depth(&self, row: usize) -> f64 {
        self.gap(row).filter(|&i| self.search.slow[i] > 0.0).map_or(0.0, |i| self.grazing[i])
    }

    /// The number of the function of a gap.
    fn gap(&self, row: usize) -> Option<usize> {
        self.sources.iter().position(|source| *source == Source::Gap(row))
    }

    /// Whether gaps alone have passed.
    pub(super) fn found_gaps_alone(&self) -> bool {
        self.search.found.iter().all(|&i| matches!(self.sources[i], Source::Gap(_)))
    }

    /// Gaps of rows in force do not close, and do not graze any more.
    pub(super) fn heed_gaps(&mut self, in_force: &[usize]) {
        for (i, source) in self.sources.iter().enumerate() {
            if let Source::Gap(row) = source {
                self.search.heed[i].falling = !in_force.contains(row);
                if in_force.contains(row) {
                    self.search.slow[i] = 0.0;
                }
            }
        }
    }

    /// Whether a contact came to rest, or reached its limit, at the present moment.
    pub(super) fn has_moved(&self, contact: usize) -> bool {
        self.search.found.iter().any(|&i| self.sources[i] == Source::Motion(contact))
    }

    /// What to do with a step in which something was found: beyond a switch it saw another branch.
    pub(super) fn approach(&mut self, mechanics: &mut Mechanics, start: f64, end: f64, time: f64) -> Approach {
        let mut is_smooth = true;
        for &i in &self.search.found {
            is_smooth &= !self.smooth(mechanics, i);
        }
        if !is_smooth {
            // As it is, with forces that do not jump at what was found.
            self.go_back();
            return Approach::Again(end - start);
        }
        if self.search.found.iter().any(|&i| self.sources[i] != Source::Switch) {
            self.approaching = false;
            return Approach::Cut;
        }
        // A seam at the very start of the step is crossed by a step of its own: what lies beyond it is another branch, where anything may happen.
        let (length, least) = (time - start, 64.0 * f64::EPSILON * end.abs());
        let shorter = if length > 0.5 * least { length } else { least };
        let again = shorter < (1.0 - 1e-6) * (end - start) && !self.approaching;
        self.approaching = again;
        if again {
            self.go_back();
            return Approach::Again(shorter);
        }
        Approach::Whole
    }

    /// Everything is where it was at the start of the step.
    fn go_back(&mut self) {
        self.search.side.copy_from_slice(&self.before);
        self.search.from.take(&self.origin);
    }

    /// The length of the step that crosses a switch, after one that came as near to it as it could; a tiny one.
    pub(super) fn crossing(&mut self, t: f64) -> Option<f64> {
        if !std::mem::take(&mut self.approaching) {
            return None;
        }
        let (search, on_velocity) = (&self.search, &self.evaluation.on_velocity);
        let left = |i: &usize| -> f64 {
            let left = -search.from.values[*i] / search.from.rates[*i];
            // At the seam itself, a rate that jumps is none.
            let is_there = search.from.values[*i] == 0.0 && on_velocity[*i];
            if left > 0.0 || is_there { left.max(0.0) } else { f64::INFINITY }
        };
        let nearest = search.found.iter().map(left).fold(f64::INFINITY, f64::min);
        if !nearest.is_finite() {
            return None;
        }
        self.approaching = true;
        Some((2.0 * nearest).max(64.0 * f64::EPSILON * t))
    }

    /// Whether a force that jumps leads back to the seam from both sides, at the end of a step that came as near to it as it
    /// could: looks at the states that lie the length of the crossing before and behind, along the rate at the step's start.
    pub(super) fn stays_at_seam(
        &mut self,
        mechanics: &mut Mechanics,
        (t, crossing): (f64, f64),
        y: &[f64],
        rate: &[f64],
    ) -> Result<Option<Diagnostic>, Trouble> {
        let Self { search, evaluation, origin, .. } = self;
        // Only what depends on velocities has a rate that jumps.
        if !search.found.iter().any(|&i| evaluation.on_velocity[i]) {
            return Ok(None);
        }
        let moved = |by: f64| -> Vec<f64> { y.iter().zip(rate).map(|(y, rate)| y + by * rate).collect() };
        evaluation.look(mechanics, t, &moved(-crossing), origin)?;
        evaluation.look(mechanics, t, &moved(crossing), &mut search.to)?;
        let attracts = |&i: &usize| {
            let (side, still) = (search.side[i], search.still[i]);
            let comes = side * origin.values[i] > 0.0 && side * origin.rates[i] < -still;
            comes && side * search.to.values[i] < 0.0 && side * search.to.rates[i] > still
        };
        Ok(search.found.iter().copied().find(attracts).map(|i| chatters(mechanics, t, i)))
    }

    /// The length of the step is chosen anew, for its error.
    pub(super) fn choose_again(&mut self) {
        self.approaching = false;
    }

    /// The events that happen now, in the order of the file.
    pub(super) fn events(&self) -> Vec<usize> {
        let user = |&i: &usize| match self.sources[i] {
            Source::User(event) => Some(event),
            _ => None,
        };
        self.search.found.iter().filter_map(user).collect()
    }

    /// Counts what comes without end, and finds what has passed and is led back at once: either is an error.
    pub fn count(&mut self, mechanics: &Mechanics, t: f64) -> Option<Diagnostic> {
        let found = self.search.found.clone();
        found.into_iter().find_map(|i| {
            let repeats = &mut self.repeats[i];
            let (pause, most) = match self.sources[i] {
                Source::User(_) => (1e-12 * t.max(1e-3 * self.until), ZENO),
                Source::Switch | Source::Jump(_) => (1e-7 * self.until, CHATTER),
                // `transition` counts contacts, all of them together; a seam that lets go and holds again is counted where it is reached.
                Source::Motion(_) | Source::Load(_) | Source::Gap(_) | Source::Push(_) | Source::Hold(_) => {
                    return None;
                }
            };
            repeats.count = if t - repeats.last <= pause { repeats.count + 1 } else { 0 };
            repeats.last = t;
            let endless = repeats.count >= most;
            match self.sources[i] {
                Source::User(number) if endless => Some(without_end(mechanics, t, number)),
                Source::Switch if endless || self.attracts[i] => Some(chatters(mechanics, t, i)),
                Source::Jump(_) if endless => Some(chatters(mechanics, t, i)),
                _ => None,
            }
        })
    }

    /// Takes `found` for passed: they are on their other side.
    pub(super) fn pass(&mut self, mechanics: &mut Mechanics, t: f64, y: &[f64]) -> Result<(), Trouble> {
        let contacts_change = self.contacts_change();
        let Self { search, evaluation, slack, sources, origin, attracts, .. } = self;
        origin.take(&search.from);
        // Where contacts change, they are looked at after that.
        evaluation.awake = sources.last().is_some_and(|source| source.is_contact()) && !contacts_change;
        evaluation.look(mechanics, t, y, &mut search.from)?;
        for i in (0..search.side.len()).filter(|&i| !sources[i].is_contact()) {
            let (value, rate) = (search.from.values[i], search.from.rates[i]);
            let has_passed = search.found.contains(&i);
            search.still[i] = search.still[i].max(STILL * rate.abs());
            let (still, to) = (search.still[i], search.passes_to[i]);
            attracts[i] = has_passed && to * origin.rates[i] > still && to * rate < -still;
            slack[i] = if has_passed { SLACK * value.abs() } else { 0.0 };
            if has_passed {
                search.side[i] = search.passes_to[i];
            } else if value.abs() > search.floor[i] && !search.held[i] && !matches!(sources[i], Source::Gap(_)) {
                search.side[i] = value.signum();
            }
        }
        self.remember();
        Ok(())
    }

    /// Decides on which side everything is, at a time at which `found` passed, after what that changed.
    pub(super) fn settle(
        &mut self,
        mechanics: &mut Mechanics,
        t: f64,
        y: &[f64],
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Result<(), Trouble> {
        let Self { search, evaluation, slack, grazing, repeats, sources, origin, .. } = self;
        // What was known of this moment before.
        origin.take(&search.from);
        let anew = origin.t != t || search.side.iter().all(|side| *side == 0.0);
        evaluation.awake = sources.last().is_some_and(|source| source.is_contact());
        evaluation.look(mechanics, t, y, &mut search.from)?;
        evaluation.rounding(mechanics, t, y, &mut search.floor, &mut search.still);
        let mut at_zero = Vec::new();
        for i in 0..search.side.len() {
            let (value, rate) = (search.from.values[i], search.from.rates[i]);
            search.still[i] = search.still[i].max(STILL * rate.abs());
            if sources[i].is_contact() {
                // They go on as was decided.
                (search.side[i], search.floor[i]) = (1.0, SLACK * (-value).max(0.0));
                continue;
            }
            let has_passed = search.found.contains(&i);
            let rounding = search.floor[i];
            let zero = rounding.max(slack[i]);
            if let Source::Gap(_) = sources[i] {
                // Gaps are never on their other side. One that is below zero closes from there at once, or opens.
                let zero = if search.slow[i] > 0.0 { zero.max(grazing[i]) } else { zero };
                (search.side[i], search.floor[i]) = (1.0, if value > zero { 0.0 } else { zero.max(-SLACK * value) });
                if value > zero {
                    search.slow[i] = 0.0;
                }
                continue;
            }
            if value.abs() <= LEFT * rounding && rate.abs() <= LEFT * search.still[i] {
                at_zero.push(i);
            }
            if let Source::Jump(seam) = sources[i]
                && let Branch::Of(side) = mechanics.branch(seam)
                && (has_passed || value.abs() <= zero)
            {
                // It goes on to the side that was decided.
                (search.side[i], search.floor[i]) = (side.sign(), SLACK * value.abs().max(zero));
                continue;
            }
            if value.abs() > zero && !(search.held[i] && value.abs() <= LEFT * rounding) {
                (search.side[i], search.floor[i]) = (value.signum(), 0.0);
                continue;
            }
            search.floor[i] = zero.max(value.abs());
            let moves = rate.abs() > search.still[i];
            if has_passed {
                // What has passed and stands still now has not passed yet, nor what passes too often for numbers to tell.
                search.side[i] = match repeats[i].count > 0 || !moves {
                    true => -search.passes_to[i],
                    false => rate.signum(),
                };
                continue;
            }
            // At zero: what leaves to the side that counts happens at once, unless it has just been there.
            let arrives = anew || origin.values[i].abs() > zero || search.side[i] == 0.0 || search.held[i];
            match search.heed[i].only_side() {
                Some(side) if arrives || (moves && rate.signum() == side) => search.side[i] = side,
                None if moves => search.side[i] = rate.signum(),
                None if arrives => search.side[i] = 0.0,
                _ => {}
            }
        }
        self.find_held(mechanics, t, y, &at_zero, diagnostics);
        Ok(())
    }

    /// Finds the functions that constraints in force hold at zero; of each event it is said once.
    fn find_held(
        &mut self,
        mechanics: &mut Mechanics,
        t: f64,
        y: &[f64],
        at_zero: &[usize],
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        for (held, source) in self.search.held.iter_mut().zip(&self.sources) {
            *held = matches!(*source, Source::Jump(seam) if mechanics.branch(seam) == Branch::Held);
        }
        for &i in at_zero {
            let Source::User(number) = self.sources[i] else { continue };
            let Some(by) = held(&mut self.evaluation, mechanics, t, y, i) else { continue };
            self.search.held[i] = true;
            if std::mem::replace(&mut self.noted[i], true) {
                continue;
            }
            let model = &mechanics.system.equations().model;
            let event = &model.events[number];
            // It has just happened and ends the run: what holds it from then on is of no interest.
            if self.search.found.contains(&i) && event.actions.iter().any(|action| matches!(action, EventAction::Stop))
            {
                continue;
            }
            let name = by.constraint.map(|which| model.constraints[which].name.as_str());
            let holds = name.map_or("the active constraints hold".to_string(), |name| format!("`{name}` holds"));
            diagnostics.push(
                Diagnostic::note_on(
                    "event-held",
                    format!("from t = {t} on, {holds} what the event `{}` watches at zero", event.name),
                )
                .at(event.span, "it does not happen while the constraint is active")
                .help(format!(
                    "to see where the constraint would let go, watch its force: `event NAME: reaction({}) falls -> …`",
                    name.unwrap_or("CONSTRAINT")
                )),
            );
        }
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

#[cfg(test)]
mod tests;
