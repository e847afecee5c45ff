//! Of several solutions for what is missing, the one nearest to the guesses.

use std::f64::consts::TAU;

use super::found::Start;
use super::kernel::Kernel;
use super::least::{Measure, Which, meet};
use super::movement::Movement;
use super::numbers::{Evaluator, State};
use super::random::seeded;
use super::said::Said;
use super::scale::MET;
use super::words::{number, position};
use holonom_language::Diagnostic;
use holonom_random::Random;
use holonom_symbols::expr::Symbol;

/// How often another solution is looked for, from elsewhere.
const RESTARTS: usize = 8;
/// The same for models with more coordinates than `LARGE`, where it takes longer.
const FEW_RESTARTS: usize = 2;
const LARGE: usize = 200;
/// How far from a guess to begin, and from where Newton's method begins without one, in the sizes of the coordinates.
const BESIDE: [f64; 4] = [0.02, 0.05, 0.1, 0.2];
const AWAY: [f64; 4] = [0.3, 1.0, 2.0, 3.0];
/// Another solution is nearer if its distance is below this part: the same one is off by rounding, and neighbours in a
/// family of solutions are not worth a choice.
const NEARER: f64 = 0.9;
/// A solution within this distance of the guesses is taken without a look around.
const AT_HAND: f64 = 1e-3;
/// Solutions whose distances differ by less than this part are as near as each other.
const AS_NEAR: f64 = 1e-6;
/// … and are two where they are this far apart.
const APART: f64 = 1e-3;
/// How many times as often solutions are looked for where guesses say which one is meant.
const THOROUGH: usize = 2;
/// More angles than this are brought back together or not at all.
const FEW_ANGLES: usize = 50;

impl Start {
    /// Newton's method over what is missing, from the guesses and then from around them; the worst residual that is left.
    ///
    /// With guesses the search goes on after the first solution: the nearest to them is taken.
    pub(crate) fn solve_missing(
        &mut self,
        evaluator: &Evaluator,
        kernel: &mut Kernel,
        unknown: &[usize],
        said: &[Said],
    ) -> f64 {
        let first = self.state.clone();
        let mut worst = meet(evaluator, kernel, &mut self.state, Which::Positions, unknown, Measure::Size);
        if unknown.is_empty() {
            return worst;
        }
        let (guessed, missing): (Vec<usize>, Vec<usize>) = unknown.iter().partition(|&&j| said[j].guess.is_some());
        let size = evaluator.position_sizes(&first);
        // A guess of 0.2 mm beside a coordinate of 1 m is meant in millimetres.
        let own =
            |j: usize| said[j].guess.filter(|guess| *guess != 0.0).map_or(size[j], |guess| guess.abs().min(size[j]));
        let own = (0..size.len()).map(own).collect();
        let movement = Movement::new(evaluator, &first, &size, said);
        let search = Search { evaluator, size, own, first: &first, guessed: &guessed };
        search.unwind(&mut self.state, unknown);
        let mut distance = movement.distance(&self.state);
        let mut random = seeded(1);
        for attempt in 0..restarts(evaluator) * if guessed.is_empty() { 1 } else { THOROUGH } {
            if worst <= MET && (guessed.is_empty() || search.is_at_hand(&self.state)) {
                break;
            }
            let some_guessed = !guessed.is_empty() && !missing.is_empty();
            let mut other = if some_guessed && attempt == 0 {
                first.clone()
            } else {
                search.beside(unknown, said, &mut random, attempt, distance)
            };
            if some_guessed {
                // What nobody knows settles first, so that guesses are not led away by it.
                meet(evaluator, kernel, &mut other, Which::Positions, &missing, Measure::Size);
            }
            let left = meet(evaluator, kernel, &mut other, Which::Positions, unknown, Measure::Size);
            search.unwind(&mut other, unknown);
            let there = movement.distance(&other);
            // The same solution, found again, is off by rounding.
            let nearer = left <= MET && there < NEARER * distance;
            if (worst > MET && left < worst) || (worst <= MET && nearer) {
                (worst, distance, self.state) = (left, there, other);
                self.tied = None;
            } else if left <= MET && (there - distance).abs() <= AS_NEAR * distance {
                let apart =
                    |j: &usize| (other.positions[*j] - self.state.positions[*j]).abs() > APART * search.size[*j];
                self.tied = unknown.iter().any(apart).then_some(other).or(self.tied.take());
            }
        }
        match worst <= MET {
            true => movement.make_least(kernel, &mut self.state, unknown, worst),
            false => worst,
        }
    }

    /// Looks for another solution where nobody chose one, or where guesses are as near to it.
    pub(crate) fn other_branches(
        &mut self,
        evaluator: &Evaluator,
        kernel: &mut Kernel,
        unknown: &[usize],
        said: &[Said],
    ) {
        // With very many coordinates the search would take longer than it is worth.
        if unknown.is_empty() {
            return;
        }
        if unknown.iter().any(|&j| said[j].guess.is_some()) {
            if let Some(other) = self.tied.take() {
                self.report_branch(evaluator, kernel, unknown, &other);
            }
            return;
        }
        if unknown.len() > LARGE {
            self.notes
                .push("whether other start values would satisfy the constraints too was not looked at".to_string());
            return;
        }
        let size = evaluator.position_sizes(&self.state);
        let mut random = seeded(2);
        let mut nearest: Option<(f64, State)> = None;
        for attempt in 0..restarts(evaluator) {
            let mut other = scattered(evaluator, &self.state, unknown, said, &mut random, attempt);
            if meet(evaluator, kernel, &mut other, Which::Positions, unknown, Measure::Size) > MET {
                continue;
            }
            let apart = |j: usize| (other.positions[j] - self.state.positions[j]).abs();
            let turns = |j: usize| {
                let turns = apart(j) / std::f64::consts::TAU;
                (turns - turns.round()).abs() < 1e-9
            };
            let distance = unknown.iter().map(|&j| apart(j) / size[j]).fold(0.0, f64::max);
            let is_other = distance > 1e-6 && !unknown.iter().all(|&j| apart(j) < 1e-9 * size[j] || turns(j));
            if is_other && nearest.as_ref().is_none_or(|(d, _)| distance < *d) {
                nearest = Some((distance, other));
            }
        }
        if let Some((_, other)) = nearest {
            self.report_branch(evaluator, kernel, unknown, &other);
        }
    }

    /// Says which of two solutions was taken, and how to choose the other.
    fn report_branch(&mut self, evaluator: &Evaluator, kernel: &mut Kernel, unknown: &[usize], other: &State) {
        let size = evaluator.position_sizes(&self.state);
        // A whole family of solutions is not a branch: the missing value is reported as missing.
        if !self.undetermined(evaluator, kernel, unknown).directions.is_empty() {
            return;
        }
        let differs = |j: &&usize| (other.positions[**j] - self.state.positions[**j]).abs() > 1e-6 * size[**j];
        let list = |of: &[f64]| -> Vec<String> {
            unknown.iter().filter(differs).map(|&j| format!("{} = {}", evaluator.name(j), number(of[j]))).collect()
        };
        let Some(&j) = unknown.iter().find(differs) else { return };
        let symbol = Symbol::Position(j as u32);
        let guessed = evaluator.equations.model.start.iter().any(|one| one.guess && one.symbol == symbol);
        let advice = if guessed { "change the guess to choose" } else { "add a guess to choose" };
        let (taken, possible) = (list(&self.state.positions).join(", "), list(&other.positions).join(", "));
        self.notes.push(format!("the constraints also allow {possible}; taken is {taken}"));
        self.diagnostics.push(
            Diagnostic::warning(
                "start-branch",
                format!("the start of `{}` is not the only one possible", evaluator.name(j)),
            )
            .at(evaluator.equations.model.coordinates[j].span, format!("taken: {taken}"))
            .note(format!("the constraints also allow {possible}"))
            .help(format!(
                "{advice}: `start {} ~ {}`",
                evaluator.name(j),
                position(&evaluator.equations.model, j, other.positions[j])
            )),
        );
    }
}

/// What solutions are compared by.
struct Search<'a> {
    evaluator: &'a Evaluator<'a>,
    /// Where Newton's method begins: guesses, and 0 for what nobody knows.
    first: &'a State,
    size: Vec<f64>,
    /// The same, or what a guess says of its own size.
    own: Vec<f64>,
    guessed: &'a [usize],
}

impl Search<'_> {
    /// Whether no guess is missed by more than a small part of itself.
    fn is_at_hand(&self, state: &State) -> bool {
        let off = |&j: &usize| (state.positions[j] - self.first.positions[j]).abs();
        self.guessed.iter().all(|j| off(j) <= AT_HAND * self.own[*j])
    }

    /// Another place to begin, near the guesses, or anywhere nearer to them than a solution that is `within` from them.
    fn beside(&self, unknown: &[usize], said: &[Said], random: &mut Random, attempt: usize, within: f64) -> State {
        let mut state = self.first.clone();
        let guess = if attempt % 8 < 4 { BESIDE[attempt % 4] } else { BESIDE[attempt % 4].max(within) };
        // In turn by the sizes of coordinates and by those of guesses.
        let size = if attempt % 8 < 4 { &self.own } else { &self.size };
        for &j in unknown {
            let reach = if said[j].guess.is_some() { guess } else { AWAY[attempt % 4] };
            state.positions[j] += reach * size[j] * random.uniform(-1.0, 1.0);
        }
        state
    }

    /// Takes away whole turns that no constraint sees: an angle starts within half a turn of where it was looked for.
    fn unwind(&self, state: &mut State, unknown: &[usize]) {
        let turns = |j: usize| ((state.positions[j] - self.first.positions[j]) / TAU).round();
        let wound: Vec<(usize, f64)> = unknown.iter().map(|&j| (j, turns(j))).filter(|&(_, k)| k != 0.0).collect();
        if wound.is_empty() || wound.iter().any(|(_, turns)| !turns.is_finite()) {
            return;
        }
        let before = self.evaluator.positions(state).worst();
        let mut try_without = |turns: &[(usize, f64)]| {
            let mut other = state.clone();
            turns.iter().for_each(|&(j, turns)| other.positions[j] -= turns * TAU);
            let same = self.evaluator.positions(&other).worst() <= before.max(MET);
            if same {
                *state = other;
            }
            same
        };
        // Angles that turn together can only be brought back together.
        if !try_without(&wound) && wound.len() <= FEW_ANGLES {
            for one in &wound {
                try_without(std::slice::from_ref(one));
            }
        }
    }
}

/// Another place to begin: near the first, then further away.
pub(crate) fn scattered(
    evaluator: &Evaluator,
    from: &State,
    free: &[usize],
    said: &[Said],
    random: &mut Random,
    attempt: usize,
) -> State {
    let size = evaluator.position_sizes(from);
    Search { evaluator, first: from, own: size.clone(), size, guessed: &[] }.beside(free, said, random, attempt, 0.0)
}

/// How often to begin elsewhere.
pub(crate) fn restarts(evaluator: &Evaluator) -> usize {
    if evaluator.coordinates() > LARGE { FEW_RESTARTS } else { RESTARTS }
}
