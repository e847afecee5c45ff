//! Where the motion starts: what was given, what follows from the constraints, and what does not fit.

use std::collections::HashMap;

use super::found::{Inferred, Start};
use super::kernel::{Kernel, Open};
use super::least::{Measure, Which, least_step, meet, places};
use super::missing::touching;
use super::moving::Moving;
use super::nearest::restarts;
use super::numbers::{Evaluator, State};
use super::random::seeded;
use super::said::{Said, said};
use super::scale::{MET, ROUNDED};
use super::words::{MESSAGES, position};
use super::{dust, finite, gap, missing};
use holonom_language::Diagnostic;

/// The part of their sizes by which given values may move without a word: digits that nobody wrote.
const DIGITS: f64 = 1e-9;
/// Finds the start. With `assemble`, given values may move as well.
pub(crate) fn start(evaluator: &Evaluator, kernel: &mut Kernel, assemble: bool) -> Start {
    start_at(evaluator, kernel, assemble, 0.0)
}

/// The same at another time.
pub(crate) fn start_at(evaluator: &Evaluator, kernel: &mut Kernel, assemble: bool, time: f64) -> Start {
    let n = evaluator.coordinates();
    let mut diagnostics = Vec::new();
    let (q, v) = said(evaluator, time, &mut diagnostics);
    let begin = |said: &[Said]| said.iter().map(|s| s.value.or(s.guess).unwrap_or(0.0)).collect::<Vec<f64>>();
    let state = State { time, positions: begin(&q), velocities: begin(&v) };
    let mut start = Start {
        reported: state.clone(),
        known: vec![true; n],
        finite: true,
        state,
        inferred: Vec::new(),
        on_constraints: true,
        contradiction: None,
        tied: None,
        notes: Vec::new(),
        diagnostics,
    };
    start.find_positions(evaluator, kernel, &q, assemble);
    if start.on_constraints {
        start.reported.clone_from(&start.state);
        start.find_velocities(evaluator, kernel, &v, assemble);
    }
    if start.on_constraints && start.diagnostics.is_empty() {
        start.polish(evaluator, kernel);
    }
    if start.on_constraints {
        start.diagnostics.extend(gap::messages(evaluator, &start.state, &q));
    }
    if start.is_good() {
        start.reported.clone_from(&start.state);
    } else {
        let keep = |list: &mut [f64], said: &[Said]| {
            list.iter_mut().zip(said).for_each(|(x, said)| *x = said.value.unwrap_or(*x));
        };
        keep(&mut start.reported.positions, &q);
        if !start.on_constraints {
            start.known.iter_mut().zip(&q).for_each(|(known, said)| *known = said.value.is_some());
        }
        keep(&mut start.reported.velocities, &v);
    }
    let place: HashMap<&str, usize> = (0..n).rev().map(|j| (evaluator.name(j), j)).collect();
    for i in &mut start.inferred {
        if let Some(&j) = place.get(i.name.trim_end_matches('\'')) {
            let list = if i.name.ends_with('\'') { &start.reported.velocities } else { &start.reported.positions };
            i.value = list[j];
        }
    }
    start
}

impl Start {
    /// Takes away what the digits of given values leave of the constraints, silently. What is zero stays zero.
    fn polish(&mut self, evaluator: &Evaluator, kernel: &mut Kernel) {
        let worst = |state: &State| evaluator.positions(state).worst().max(evaluator.velocities(state).worst());
        let before = worst(&self.state);
        if before <= ROUNDED {
            return;
        }
        // Zeros may be all that keeps the others from rest: then they move, too.
        for keeps_zeros in [true, false] {
            let mut polished = self.state.clone();
            for which in [Which::Positions, Which::Velocities] {
                let may_move = |x: f64| !keeps_zeros || x != 0.0;
                let values = which.values(&mut polished).iter().enumerate();
                let free: Vec<usize> = values.filter(|(_, x)| may_move(**x)).map(|(j, _)| j).collect();
                meet(evaluator, kernel, &mut polished, which, &free, Measure::Mass);
            }
            if worst(&polished) < 0.1 * before && self.is_within_digits(evaluator, &polished) {
                self.state = polished;
                return;
            }
        }
    }

    /// Whether a state differs from the present one in the last digits alone.
    fn is_within_digits(&self, evaluator: &Evaluator, other: &State) -> bool {
        let near = |size: Vec<f64>, here: &[f64], there: &[f64]| {
            here.iter().zip(there).zip(size).all(|((here, there), size)| (there - here).abs() <= DIGITS * size)
        };
        near(evaluator.position_sizes(&self.state), &self.state.positions, &other.positions)
            && near(evaluator.velocity_sizes(&self.state), &self.state.velocities, &other.velocities)
    }

    /// Whether the constraints of a level are numbers with slopes; where not, that is all there is to say.
    fn is_finite(&mut self, evaluator: &Evaluator, which: Which) -> bool {
        let broken = finite::rows(evaluator, &self.state, which);
        if broken.is_empty() {
            return true;
        }
        self.diagnostics.extend(broken);
        (self.finite, self.on_constraints) = (false, false);
        false
    }

    fn find_positions(&mut self, evaluator: &Evaluator, kernel: &mut Kernel, said: &[Said], assemble: bool) {
        let n = evaluator.coordinates();
        let unknown: Vec<usize> = (0..n).filter(|&j| said[j].value.is_none()).collect();
        let begun = self.state.clone();
        let worst = self.solve_missing(evaluator, kernel, &unknown, said);
        if worst <= MET {
            let movable = if assemble { (0..n).collect() } else { unknown.clone() };
            dust::clear(evaluator, &mut self.state, Which::Positions, &movable, &begun);
        }
        self.reported.clone_from(&self.state);
        if !self.is_finite(evaluator, Which::Positions) {
            return;
        }
        if worst > MET {
            self.disagree(evaluator, kernel, Which::Positions, said, assemble);
            if !self.on_constraints {
                return;
            }
        } else {
            self.other_branches(evaluator, kernel, &unknown, said);
        }
        // Does every missing position follow?
        let open: Vec<usize> = unknown.iter().copied().filter(|&j| said[j].guess.is_none() && !said[j].asked).collect();
        let found = self.undetermined(evaluator, kernel, &open);
        for &(at, w) in found.directions.iter().flatten() {
            self.known[open[at]] &= w.abs() <= 1e-9;
        }
        self.diagnostics.extend(missing::messages(evaluator, &open, &found));
        if found.directions.is_empty() && open.len() < unknown.len() && !assemble {
            self.guesses_taken(evaluator, kernel, &unknown, said);
        }
        for j in unknown {
            let from = touching(evaluator, j);
            self.inferred.push(Inferred {
                name: evaluator.name(j).to_string(),
                value: self.state.positions[j],
                from: from.iter().map(|f| f.trim_matches('`').to_string()).collect(),
            });
        }
    }

    /// Says what starts where its guess leads because nothing determines it: one coordinate for each direction that is open.
    fn guesses_taken(&mut self, evaluator: &Evaluator, kernel: &mut Kernel, unknown: &[usize], said: &[Said]) {
        let directions = self.undetermined(evaluator, kernel, unknown).directions;
        let mut taken: Vec<usize> = Vec::new();
        for direction in &directions {
            let open = direction.iter().map(|&(at, w)| (unknown[at], w.abs()));
            let guessed = open.filter(|(j, w)| said[*j].guess.is_some() && *w > 1e-9 && !taken.contains(j));
            taken.extend(guessed.max_by(|a, b| a.1.total_cmp(&b.1)).map(|(j, _)| j));
        }
        taken.sort_unstable();
        taken.retain(|&j| !said[j].is_placed);
        for j in taken.into_iter().take(MESSAGES) {
            let model = &evaluator.equations.model;
            let (what, value) = (evaluator.name(j), position(model, j, self.state.positions[j]));
            let is_kept = said[j].guess == Some(self.state.positions[j]);
            let text = match is_kept {
                true => format!("nothing determines `{what}`: its guess is taken as its value"),
                false => format!("nothing determines `{what}`: it starts near its guess, where constraints allow it"),
            };
            let mut message = Diagnostic::warning("start-guess", text);
            if let Some(span) = said[j].span {
                message = message.at(span, format!("it starts at {value}"));
            }
            self.diagnostics.push(message.help(format!("write `start {what} = {value}` if that is meant")));
        }
    }

    /// Directions in which the coordinates of `open` could be elsewhere with all others where they are.
    pub(crate) fn undetermined(&self, evaluator: &Evaluator, kernel: &mut Kernel, open: &[usize]) -> Open {
        if open.is_empty() {
            return Open::default();
        }
        let size = evaluator.position_sizes(&self.state);
        let (n, level) = (evaluator.coordinates(), evaluator.positions(&self.state));
        let place = places(n, open);
        let rows = level.jacobian.picked(|row, j, a| Some((place[j]?, a * size[j] / level.scale[row])));
        let mut found = kernel.open_directions(open.len(), &rows);
        // A double root has a free direction and yet nowhere to go: try. Many directions are no accident.
        const FAR: f64 = 1e-2;
        const FEW: usize = 8;
        if found.many.is_some() || found.directions.len() > FEW {
            return found;
        }
        found.directions.retain(|w| {
            let mut moved = self.state.clone();
            for &(at, w) in w {
                moved.positions[open[at]] += FAR * w * size[open[at]];
            }
            let left = meet(evaluator, kernel, &mut moved, Which::Positions, open, Measure::Size);
            let apart = |j: usize| ((moved.positions[j] - self.state.positions[j]) / size[j]).abs();
            left <= MET && open.iter().any(|&j| apart(j) > FAR / 8.0)
        });
        found
    }

    /// The least motion that the constraints and the given velocities allow.
    fn find_velocities(&mut self, evaluator: &Evaluator, kernel: &mut Kernel, said: &[Said], assemble: bool) {
        let n = evaluator.coordinates();
        let unknown: Vec<usize> = (0..n).filter(|&j| said[j].value.is_none()).collect();
        if !self.is_finite(evaluator, Which::Velocities) {
            return;
        }
        let first = self.state.clone();
        let mechanism = evaluator.equations.model.formulation.map(|_| Moving::new(evaluator, &first, said));
        let least = |start: &mut Self, kernel: &mut Kernel| match &mechanism {
            Some(moving) => moving.make_least(kernel, &mut start.state, &unknown),
            None => start.least_energy(evaluator, kernel, &unknown, &first),
        };
        let mut worst = least(self, kernel);
        let mut random = seeded(4);
        for _ in 0..restarts(evaluator) {
            if worst <= MET || unknown.is_empty() {
                break;
            }
            // At rest a constraint such as |v| = const has no slope to go down: begin elsewhere.
            self.state.clone_from(&first);
            for &j in &unknown {
                self.state.velocities[j] += random.uniform(0.5, 1.5);
            }
            worst = least(self, kernel);
        }
        if worst <= MET {
            let movable = if assemble { (0..n).collect() } else { unknown.clone() };
            dust::clear(evaluator, &mut self.state, Which::Velocities, &movable, &first);
        }
        self.reported.clone_from(&self.state);
        if worst > MET {
            self.disagree(evaluator, kernel, Which::Velocities, said, assemble);
        }
        for j in unknown {
            let value = self.state.velocities[j];
            let is_as_guessed = value == 0.0 || said[j].guess == Some(value);
            let from = if is_as_guessed { Vec::new() } else { touching(evaluator, j) };
            self.inferred.push(Inferred {
                name: format!("{}'", evaluator.name(j)),
                value,
                from: from.iter().map(|f| f.trim_matches('`').to_string()).collect(),
            });
        }
    }

    /// Moves the velocities in `free` towards the least of ‖q̇ − guess‖ in the norm of M, on the constraints.
    fn least_energy(&mut self, evaluator: &Evaluator, kernel: &mut Kernel, free: &[usize], guess: &State) -> f64 {
        let n = evaluator.coordinates();
        let size = vec![1.0; n];
        let place = places(n, free);
        let mass = evaluator.entries(&self.state).mass;
        for _ in 0..30 {
            let level = evaluator.velocities(&self.state);
            // Only what is missing is made small: a coordinate that nobody moves stays where it is.
            let apart: Vec<f64> = (0..n)
                .map(|j| if place[j].is_none() { 0.0 } else { self.state.velocities[j] - guess.velocities[j] })
                .collect();
            let pull: Vec<f64> = mass.times(&apart, |term| -term);
            let Some(step) = least_step(kernel, &level, Some(&mass), &size, free, Some(&pull)) else { break };
            let mut largest = 0.0_f64;
            for (&j, d) in free.iter().zip(&step) {
                self.state.velocities[j] += d;
                largest = largest.max(d.abs() / (self.state.velocities[j].abs() + d.abs()).max(1e-300));
            }
            if largest < 1e-14 {
                break;
            }
        }
        if self.state.velocities.iter().any(|v| !v.is_finite()) {
            self.state.clone_from(guess);
        }
        meet(evaluator, kernel, &mut self.state, Which::Velocities, free, Measure::Mass)
    }
}
