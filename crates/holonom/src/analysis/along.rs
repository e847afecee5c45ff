//! Questions that come up along a motion: what contacts do now, and what is wrong with a state.

use super::contact::Nonideals;
use super::friction::decide;
use super::instant::{Failure, Instant};
use super::kernel::Kernel;
use super::nonideal::{Found, Mode};
use super::numbers::{Evaluator, State};
use super::{failure, finite, verdict};
use crate::compile::System;
use crate::model::Diagnostic;
use crate::{Motion, Workspace};

/// What a contact does from now on.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ContactMode {
    /// Its law exerts nothing at rest.
    Loose,
    /// It slides along a unit vector, or begins to.
    Slides(Vec<f64>),
    /// It holds.
    Sticks,
}

/// What every contact in force does at a state: (contact of the equations, what it does), and the reactions over all rows.
pub(crate) struct Judgement {
    pub(crate) modes: Vec<(usize, ContactMode)>,
    pub(crate) reactions: Vec<f64>,
}

/// Decides about contacts of one set of constraints in force.
pub(crate) struct Judge<'e> {
    evaluator: Evaluator<'e>,
    nonideals: Nonideals,
    workspace: Workspace,
}

impl<'e> Judge<'e> {
    /// For a system whose rows in force are those that are not `off`.
    pub(crate) fn new(system: &'e System) -> Self {
        let evaluator = Evaluator::new(system);
        let nonideals = Nonideals::new(&evaluator);
        Self { evaluator, nonideals, workspace: Workspace::new() }
    }

    /// The motion at a state, with forces that hang on reactions.
    pub(crate) fn motion(&mut self, state: &State) -> Result<Motion, Box<Diagnostic>> {
        let numbers = self.evaluator.numbers(state);
        let decided = decide(&self.evaluator, &self.nonideals, &mut self.workspace, state, &numbers, |_| false);
        let failure = match decided.found {
            Found::One(balance) => return Ok(balance.motion),
            Found::None => Failure::NoFriction,
            Found::Many(count) => Failure::ManyFrictions(count),
            Found::NotUnique(rows) => Failure::NotUnique(rows),
            Found::Wrong(error) => Failure::Wrong(error),
        };
        Err(Box::new(failure::failure(&self.evaluator, &failure, state)))
    }

    /// What every contact does at a state on the constraints; those in `resting` do not slip.
    pub(crate) fn contacts(&mut self, state: &State, resting: &[usize]) -> Result<Judgement, Box<Diagnostic>> {
        let numbers = self.evaluator.numbers(state);
        let rests = |which: usize| resting.contains(&which);
        let decided = decide(&self.evaluator, &self.nonideals, &mut self.workspace, state, &numbers, rests);
        let failure = match decided.found {
            Found::One(balance) => {
                let modes = decided.modes.into_iter().zip(&self.nonideals.contacts).map(|(mode, contact)| {
                    let mode = match mode {
                        Mode::Loose => ContactMode::Loose,
                        Mode::Slides(along, _) => ContactMode::Slides(along),
                        Mode::Sticks => ContactMode::Sticks,
                    };
                    (contact.which, mode)
                });
                return Ok(Judgement { modes: modes.collect(), reactions: balance.reactions });
            }
            Found::None => Failure::NoFriction,
            Found::Many(count) => Failure::ManyFrictions(count),
            Found::NotUnique(rows) => Failure::NotUnique(rows),
            Found::Wrong(error) => Failure::Wrong(error),
        };
        Err(Box::new(failure::failure(&self.evaluator, &failure, state)))
    }
}

/// What is wrong with a state where a motion could not go on, by the statements of the model.
pub(crate) fn explain(system: &System, state: &State) -> Vec<Diagnostic> {
    let mut evaluator = Evaluator::new(system);
    let nonideals = Nonideals::new(&evaluator);
    let broken = finite::statements(&mut evaluator, state);
    if !broken.is_empty() {
        return broken;
    }
    let mut messages = Vec::new();
    let mut kernel = match Kernel::choose(&evaluator, &nonideals, None) {
        Ok(kernel) => kernel,
        Err(refused) => return vec![failure::refused(&evaluator, &refused)],
    };
    match Instant::at(&evaluator, &nonideals, &mut kernel, state) {
        Ok(instant) => {
            verdict::judge(&evaluator, &instant, &[], &[], &mut messages);
            messages.retain(Diagnostic::is_error);
        }
        Err(why) => messages.push(failure::failure(&evaluator, &why, state)),
    }
    messages
}
