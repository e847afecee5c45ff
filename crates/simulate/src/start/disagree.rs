//! Start values that do not satisfy the constraints: which, by how much, and what `assemble` would make of them.

use super::dust;
use super::found::Start;
use super::kernel::Kernel;
use super::least::{Measure, Which, meet};
use super::nearest::{restarts, scattered};
use super::numbers::{Evaluator, State};
use super::random::seeded;
use super::said::Said;
use super::scale::MET;
use super::words::{MESSAGES, both, few, number};
use holonom_kernel::linalg::tolerance::DUST;
use holonom_language::{Diagnostic, Span};

/// Places where start values were given that one message shows.
const PLACES: usize = 4;

impl Start {
    /// Given values that do not fit: what is wrong, and what `assemble` would make of it, or makes of it.
    pub(crate) fn disagree(
        &mut self,
        evaluator: &Evaluator,
        kernel: &mut Kernel,
        which: Which,
        said: &[Said],
        assemble: bool,
    ) {
        let level_at = |state: &State| which.level(evaluator, state);
        let all: Vec<usize> = (0..evaluator.coordinates()).collect();
        let mut assembled = self.state.clone();
        let mut left = meet(evaluator, kernel, &mut assembled, which, &all, Measure::Mass);
        let mut random = seeded(3);
        for attempt in 0..restarts(evaluator) {
            if left <= MET {
                break;
            }
            let mut other = match which {
                Which::Positions => scattered(evaluator, &self.state, &all, said, &mut random, attempt),
                Which::Velocities => {
                    let mut other = self.state.clone();
                    other.velocities.iter_mut().for_each(|v| *v += random.uniform(-1.0, 1.0));
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
        dust::clear(evaluator, &mut assembled, which, &all, &self.state);
        // What given values move by beside their sizes: rounding is no disagreement.
        let sizes = level_at(&self.state).sizes;
        let moved = |j: usize| (values(&assembled, j) - values(&self.state, j)).abs();
        let moves: Vec<String> = (0..evaluator.coordinates())
            .filter(|&j| said[j].value.is_some())
            .filter(|&j| moved(j) > MET * values(&self.state, j).abs().max(DUST / MET * sizes[j]))
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
            // A vector gives several coordinates in one place.
            let mut given: Vec<Span> = Vec::new();
            for span in row.a.iter().filter_map(|&(j, _)| said[j].span.filter(|_| said[j].value.is_some())) {
                if !given.contains(&span) {
                    given.push(span);
                }
            }
            for span in given.into_iter().take(PLACES) {
                message = message.at(span, "given here");
            }
            let free: Vec<String> = row
                .a
                .iter()
                .filter(|&&(j, _)| said[j].value.is_some())
                .map(|&(j, _)| format!("`{}{prime}`", evaluator.name(j)))
                .collect();
            let shown = moves.iter().take(6).cloned().collect::<Vec<_>>().join(", ");
            let assemble = format!("write `assemble`, which would make {shown}");
            message = match free.last() {
                Some(last) => message
                    .help(format!("leave out one of them, such as {last}, and it follows from `{}`", row.name))
                    .help(format!("or {assemble}")),
                None => message.help(assemble),
            };
            self.diagnostics.push(message);
        }
        // Look at the rest as if it had been asked for.
        self.state = assembled;
    }
}
