//! Where the motion starts: what was given, what follows from the constraints, and what does not fit.

use std::collections::HashMap;

use super::kernel::{Kernel, Open};
use super::least::{MET, Measure, Which, least_step, meet, places};
use super::numbers::{Evaluator, Level, State};
use super::random::Random;
use super::words::{and, both, few, name, number};
use super::{finite, missing};
use crate::expr::Symbol;
use crate::model::{Diagnostic, Span};

/// How often another solution is looked for, from elsewhere.
const RESTARTS: usize = 8;
/// The same for models with more coordinates than `LARGE`, where it takes longer.
const FEW_RESTARTS: usize = 2;
const LARGE: usize = 200;
/// Messages of one kind at most: a chain in the wrong place would fill pages.
const MESSAGES: usize = 100;

/// A start value that nobody gave.
#[derive(Clone, Debug, PartialEq)]
pub struct Inferred {
    /// `y` or `y'`.
    pub name: String,
    /// Its value.
    pub value: f64,
    /// The constraints that it follows from; none for a velocity that is 0 because nothing asks for more.
    pub from: Vec<String>,
}

/// The start, as far as it could be found.
pub(super) struct Start {
    pub(super) state: State,
    /// The same with given values as they were given, where the start is wrong.
    pub(super) reported: State,
    /// For each coordinate, whether its position was given or follows.
    pub(super) known: Vec<bool>,
    /// Whether all constraints are numbers with slopes at the state.
    pub(super) finite: bool,
    pub(super) inferred: Vec<Inferred>,
    /// Whether the state satisfies the constraints, so that it is worth looking at.
    pub(super) on_constraints: bool,
    /// What the rows are off by where they cannot hold together.
    pub(super) contradiction: Option<(Which, Level)>,
    pub(super) notes: Vec<String>,
    pub(super) diagnostics: Vec<Diagnostic>,
}

/// What `start` says of one number.
#[derive(Clone, Copy, Default)]
struct Said {
    value: Option<f64>,
    guess: Option<f64>,
    span: Option<Span>,
}

/// Finds the start. With `assemble`, given values may move as well.
pub(super) fn start(evaluator: &Evaluator, kernel: &mut Kernel, assemble: bool) -> Start {
    let n = evaluator.coordinates();
    let mut diagnostics = Vec::new();
    let (q, v) = said(evaluator, &mut diagnostics);
    let begin = |said: &[Said]| said.iter().map(|s| s.value.or(s.guess).unwrap_or(0.0)).collect::<Vec<f64>>();
    let state = State { time: 0.0, positions: begin(&q), velocities: begin(&v) };
    let mut start = Start {
        reported: state.clone(),
        known: vec![true; n],
        finite: true,
        state,
        inferred: Vec::new(),
        on_constraints: true,
        contradiction: None,
        notes: Vec::new(),
        diagnostics,
    };
    start.find_positions(evaluator, kernel, &q, assemble);
    if start.on_constraints {
        start.reported.clone_from(&start.state);
        start.find_velocities(evaluator, kernel, &v, assemble);
    }
    if start.on_constraints && start.diagnostics.is_empty() {
        // What rounding left of given values, silently.
        let all: Vec<usize> = (0..n).collect();
        let mut polished = start.state.clone();
        meet(evaluator, kernel, &mut polished, Which::Positions, &all, Measure::Mass);
        meet(evaluator, kernel, &mut polished, Which::Velocities, &all, Measure::Mass);
        let before = evaluator.positions(&start.state).worst().max(evaluator.velocities(&start.state).worst());
        if evaluator.positions(&polished).worst().max(evaluator.velocities(&polished).worst()) < 0.1 * before {
            start.state = polished;
        }
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

/// The values of `start`: expressions of parameters and of each other, in any order.
fn said(evaluator: &Evaluator, diagnostics: &mut Vec<Diagnostic>) -> (Vec<Said>, Vec<Said>) {
    let n = evaluator.coordinates();
    let model = &evaluator.equations.model;
    let mut found = (vec![Said::default(); n], vec![Said::default(); n]);
    let place = |symbol: Symbol| match symbol {
        Symbol::Position(i) if (i as usize) < n => Some(i as usize),
        Symbol::Velocity(i) if (i as usize) < n => Some(n + i as usize),
        _ => None,
    };
    let mut known: Vec<Option<f64>> = vec![None; 2 * n];
    let mut open: Vec<_> = model.start.iter().filter(|value| place(value.symbol).is_some()).collect();
    // Given values first: a guess may hang on them, but not they on a guess.
    loop {
        let before = open.len();
        open.retain(|value| {
            let needs: Vec<usize> = evaluator.graph.symbols(&[value.value]).into_iter().filter_map(place).collect();
            let Some(at) = place(value.symbol) else { return false };
            if needs.iter().any(|&need| known[need].is_none()) {
                return true;
            }
            let number = evaluator.graph.evaluate(&[value.value], |symbol| match symbol {
                Symbol::Parameter(i) => evaluator.parameters.get(i as usize).copied().unwrap_or(f64::NAN),
                Symbol::Time => 0.0,
                other => place(other).and_then(|need| known[need]).unwrap_or(f64::NAN),
            })[0];
            let said = if at < n { &mut found.0[at] } else { &mut found.1[at - n] };
            said.span = Some(value.span);
            if !number.is_finite() {
                let what = model.symbol_name(value.symbol);
                diagnostics.push(
                    Diagnostic::error("start-not-finite", format!("the start of `{what}` is not a number"))
                        .at(value.span, format!("this is {number}"))
                        .help("look for a division by zero, or a root or logarithm of a negative number"),
                );
                said.value = Some(0.0);
            } else if value.guess {
                said.guess = Some(number);
            } else {
                said.value = Some(number);
            }
            if !value.guess {
                known[at] = said.value;
            }
            false
        });
        if open.len() == before {
            break;
        }
    }
    for value in open.into_iter().take(MESSAGES) {
        let what = model.symbol_name(value.symbol);
        let missing = evaluator.graph.symbols(&[value.value]).into_iter();
        let missing: Vec<String> = missing
            .filter(|&symbol| place(symbol).is_some_and(|at| known[at].is_none()))
            .map(|symbol| name(&model.symbol_name(symbol)))
            .collect();
        let circular =
            model.start.iter().any(|other| missing.contains(&name(&model.symbol_name(other.symbol))) && !other.guess);
        diagnostics.push(if circular {
            Diagnostic::error("start-cycle", format!("the start of `{what}` depends on itself"))
                .at(value.span, format!("needs the start of {}", and(&missing)))
                .help("give one of them as a number")
        } else {
            Diagnostic::error("start-missing", format!("the start of `{what}` needs that of {}", and(&missing)))
                .at(value.span, format!("{} has no start value", and(&missing)))
                .help(format!("add `start {} = …`", missing.first().map_or("", |m| m.trim_matches('`'))))
        });
    }
    found
}

impl Start {
    /// Whether nothing is wrong with it.
    pub(super) fn is_good(&self) -> bool {
        self.finite && self.contradiction.is_none() && !self.diagnostics.iter().any(Diagnostic::is_error)
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
        let worst = self.solve_missing(evaluator, kernel, &unknown, said);
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
        let open: Vec<usize> = unknown.iter().copied().filter(|&j| said[j].guess.is_none()).collect();
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

    /// Says which guesses became values because nothing determines them.
    fn guesses_taken(&mut self, evaluator: &Evaluator, kernel: &mut Kernel, unknown: &[usize], said: &[Said]) {
        let directions = self.undetermined(evaluator, kernel, unknown).directions;
        let mut moves = vec![false; unknown.len()];
        directions.iter().flatten().for_each(|&(at, w)| moves[at] |= w.abs() > 1e-9);
        let taken = unknown.iter().zip(&moves).filter(|(j, moves)| said[**j].guess.is_some() && **moves);
        for (&j, _) in taken.take(MESSAGES) {
            let (what, value) = (evaluator.name(j), number(self.state.positions[j]));
            let mut message = Diagnostic::warning(
                "start-guess",
                format!("nothing determines `{what}`: its guess is taken as its value"),
            );
            if let Some(span) = said[j].span {
                message = message.at(span, format!("it starts at {value}"));
            }
            self.diagnostics.push(message.help(format!("write `start {what} = {value}` if that is meant")));
        }
    }

    /// Newton's method over what is missing, from the guesses and then from elsewhere.
    fn solve_missing(&mut self, evaluator: &Evaluator, kernel: &mut Kernel, unknown: &[usize], said: &[Said]) -> f64 {
        let first = self.state.clone();
        let mut worst = meet(evaluator, kernel, &mut self.state, Which::Positions, unknown, Measure::Size);
        let mut random = Random::new(1);
        for attempt in 0..restarts(evaluator) {
            if worst <= MET || unknown.is_empty() {
                break;
            }
            let mut other = scattered(evaluator, &first, unknown, said, &mut random, attempt);
            let left = meet(evaluator, kernel, &mut other, Which::Positions, unknown, Measure::Size);
            if left < worst {
                (worst, self.state) = (left, other);
            }
        }
        worst
    }

    /// Looks for another solution where nobody chose one.
    fn other_branches(&mut self, evaluator: &Evaluator, kernel: &mut Kernel, unknown: &[usize], said: &[Said]) {
        // With very many coordinates the search would take longer than it is worth.
        if unknown.is_empty() || unknown.iter().any(|&j| said[j].guess.is_some()) {
            return;
        }
        if unknown.len() > LARGE {
            self.notes
                .push("whether other start values would satisfy the constraints too was not looked at".to_string());
            return;
        }
        let size = evaluator.position_sizes(&self.state);
        let mut random = Random::new(2);
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
        // A whole family of solutions is not a branch: the missing value is reported as missing.
        let Some((_, other)) = nearest else { return };
        if !self.undetermined(evaluator, kernel, unknown).directions.is_empty() {
            return;
        }
        let differs = |j: &&usize| (other.positions[**j] - self.state.positions[**j]).abs() > 1e-6 * size[**j];
        let list = |of: &[f64]| -> Vec<String> {
            unknown.iter().filter(differs).map(|&j| format!("{} = {}", evaluator.name(j), number(of[j]))).collect()
        };
        let Some(&j) = unknown.iter().find(differs) else { return };
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
                "add a guess to choose: `start {} ~ {}`",
                evaluator.name(j),
                number(other.positions[j])
            )),
        );
    }

    /// Directions in which the coordinates of `open` could be elsewhere with all others where they are.
    fn undetermined(&self, evaluator: &Evaluator, kernel: &mut Kernel, open: &[usize]) -> Open {
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

    /// Given values that do not fit: what is wrong, and what `assemble` would make of it, or makes of it.
    fn disagree(&mut self, evaluator: &Evaluator, kernel: &mut Kernel, which: Which, said: &[Said], assemble: bool) {
        let level_at = |state: &State| match which {
            Which::Positions => evaluator.positions(state),
            Which::Velocities => evaluator.velocities(state),
        };
        let all: Vec<usize> = (0..evaluator.coordinates()).collect();
        let mut assembled = self.state.clone();
        let mut left = meet(evaluator, kernel, &mut assembled, which, &all, Measure::Mass);
        let mut random = Random::new(3);
        for attempt in 0..restarts(evaluator) {
            if left <= MET {
                break;
            }
            let mut other = match which {
                Which::Positions => scattered(evaluator, &self.state, &all, said, &mut random, attempt),
                Which::Velocities => {
                    let mut other = self.state.clone();
                    other.velocities.iter_mut().for_each(|v| *v += random.between(-1.0, 1.0));
                    other
                }
            };
            let there = meet(evaluator, kernel, &mut other, which, &all, Measure::Mass);
            if there < left {
                (left, assembled) = (there, other);
            }
        }
        let values = |state: &State, j: usize| match which {
            Which::Positions => state.positions[j],
            Which::Velocities => state.velocities[j],
        };
        let prime = if which == Which::Positions { "" } else { "'" };
        if left > MET {
            // Nothing satisfies them: not the start is wrong, but the constraints.
            self.on_constraints = false;
            self.contradiction = Some((which, level_at(&assembled)));
            self.state = assembled;
            return;
        }
        let moves: Vec<String> = (0..evaluator.coordinates())
            .filter(|&j| said[j].value.is_some())
            .filter(|&j| {
                (values(&assembled, j) - values(&self.state, j)).abs()
                    > 1e-12 * values(&self.state, j).abs().max(1e-300)
            })
            .map(|j| {
                let (to, from) = both(values(&assembled, j), values(&self.state, j));
                format!("`{}{prime}` {to} instead of {from}", evaluator.name(j))
            })
            .collect();
        // Where nothing that was given has to move, nothing that was given is wrong.
        if assemble || moves.is_empty() {
            if !moves.is_empty() {
                self.notes.push(format!("assembled: {}", few(moves).join(", ")));
            }
            self.state = assembled;
            return;
        }
        self.on_constraints = which == Which::Velocities;
        let level = level_at(&self.state);
        let off = |at: &usize| level.residual[*at].abs() > MET * level.scale[*at] || level.residual[*at].is_nan();
        let wrong: Vec<usize> = (0..level.rows.len()).filter(off).collect();
        if wrong.len() > MESSAGES {
            self.notes
                .push(format!("the start values do not satisfy {} rows; the first {MESSAGES} are named", wrong.len()));
        }
        for at in wrong.into_iter().take(MESSAGES) {
            let residual = level.residual[at];
            let row = &evaluator.equations.rows[level.rows[at]];
            let mut message = Diagnostic::error(
                "start-inconsistent",
                match which {
                    Which::Positions => format!("the start values do not satisfy `{}`", row.name),
                    Which::Velocities => format!("the velocities at the start do not satisfy `{}`", row.name),
                },
            );
            let lowest = (which == Which::Positions) == row.position.is_some();
            let sides = row.constraint.filter(|_| lowest).and_then(|(constraint, component)| {
                let constraint = &evaluator.equations.model.constraints[constraint];
                let sides = [*constraint.left.get(component)?, *constraint.right.get(component)?];
                Some(evaluator.values(&sides, &self.state.point()))
            });
            let by = match sides {
                Some(sides) => {
                    let (left, right) = both(sides[0], sides[1]);
                    format!("left is {left}, right is {right}")
                }
                None if lowest => format!("off by {}", number(residual)),
                None => format!("its rate of change is {} and must be 0", number(residual)),
            };
            if let Some(span) = row.span {
                message = message.at(span, by);
            } else {
                message = message.note(by);
            }
            let given = row.a.iter().filter_map(|&(j, _)| said[j].span.filter(|_| said[j].value.is_some()));
            for span in given.take(4) {
                message = message.at(span, "given here");
            }
            let free: Vec<String> = row
                .a
                .iter()
                .filter(|&&(j, _)| said[j].value.is_some())
                .map(|&(j, _)| format!("`{}{prime}`", evaluator.name(j)))
                .collect();
            if let Some(last) = free.last() {
                message =
                    message.help(format!("leave out one of them, such as {last}, and it follows from `{}`", row.name));
            }
            let shown = moves.iter().take(6).cloned().collect::<Vec<_>>().join(", ");
            message = message.help(format!("or write `assemble`, which would make {shown}"));
            self.diagnostics.push(message);
        }
        // Look at the rest as if it had been asked for.
        self.state = assembled;
    }

    /// The least kinetic energy that the constraints and the given velocities allow.
    fn find_velocities(&mut self, evaluator: &Evaluator, kernel: &mut Kernel, said: &[Said], assemble: bool) {
        let n = evaluator.coordinates();
        let unknown: Vec<usize> = (0..n).filter(|&j| said[j].value.is_none()).collect();
        if !self.is_finite(evaluator, Which::Velocities) {
            return;
        }
        let first = self.state.clone();
        let mut worst = self.least_energy(evaluator, kernel, &unknown, &first);
        let mut random = Random::new(4);
        for _ in 0..restarts(evaluator) {
            if worst <= MET || unknown.is_empty() {
                break;
            }
            // At rest a constraint such as |v| = const has no slope to go down: begin elsewhere.
            self.state.clone_from(&first);
            for &j in &unknown {
                self.state.velocities[j] += random.between(0.5, 1.5);
            }
            worst = self.least_energy(evaluator, kernel, &unknown, &first);
        }
        self.reported.clone_from(&self.state);
        if worst > MET {
            self.disagree(evaluator, kernel, Which::Velocities, said, assemble);
        }
        for j in unknown {
            let value = self.state.velocities[j];
            let from = if value == 0.0 { Vec::new() } else { touching(evaluator, j) };
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
            let pull: Vec<f64> = mass.times(&apart, |term| term).into_iter().map(|x| -x).collect();
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

/// Another place to begin: near the first, then further away.
fn scattered(
    evaluator: &Evaluator,
    from: &State,
    free: &[usize],
    said: &[Said],
    random: &mut Random,
    attempt: usize,
) -> State {
    let mut state = from.clone();
    let size = evaluator.position_sizes(from);
    for &j in free {
        // A guess is there to be near to.
        let reach = if said[j].guess.is_some() { 0.05 } else { [0.3, 1.0, 2.0, 3.0][attempt % 4] };
        state.positions[j] += reach * size[j] * random.between(-1.0, 1.0);
    }
    state
}

/// How often to begin elsewhere.
fn restarts(evaluator: &Evaluator) -> usize {
    if evaluator.coordinates() > LARGE { FEW_RESTARTS } else { RESTARTS }
}

/// The constraints in force that contain a coordinate, in backticks.
pub(super) fn touching(evaluator: &Evaluator, coordinate: usize) -> Vec<String> {
    let mut names: Vec<String> = evaluator.touching(coordinate).map(|row| name(&row.name)).collect();
    names.dedup();
    names
}
