//! What makes constraints non-ideal at a state: C that depends on the state alone, or on reactions that it changes.

use std::cell::{OnceCell, RefCell};

use super::failure::Failure;
use super::numbers::{Evaluator, Point, State};
use holonom_mechanics::contact::{Decided, Moment, Stage};
use holonom_symbols::expr::Id;

/// All that makes constraints non-ideal and is in force.
pub(crate) struct Nonideals {
    /// Which non-ideal parts of the equations.
    parts: Vec<usize>,
    /// How many frictions there are.
    pub(crate) frictions: usize,
    hang_on_reactions: bool,
    /// Made when it is first asked: large models have none.
    stage: OnceCell<RefCell<Stage>>,
}

impl Nonideals {
    pub(crate) fn new(evaluator: &Evaluator) -> Self {
        let equations = evaluator.equations;
        let mut constraints = vec![false; equations.model.constraints.len()];
        for &row in &evaluator.rows {
            if let Some((constraint, _)) = equations.rows[row].constraint {
                constraints[constraint] = true;
            }
        }
        let in_force = |constraint: usize| constraints.get(constraint).is_some_and(|active| *active);
        let nonideals = equations.nonideal.iter().enumerate();
        let parts: Vec<usize> =
            nonideals.filter(|(_, part)| part.acts(constraints.len(), in_force)).map(|(which, _)| which).collect();
        let friction = |contact: &&holonom_mechanics::derive::Contact| {
            equations.model.frictions.get(contact.friction).is_some_and(|friction| in_force(friction.constraint))
        };
        let frictions = equations.frictions.iter().filter(friction).count();
        let feeds_back = |&part: &usize| {
            let part = &equations.nonideal[part];
            !part.by_reaction.is_empty() || !part.nonlinear.is_empty()
        };
        Self {
            hang_on_reactions: frictions > 0 || parts.iter().any(feeds_back),
            parts,
            frictions,
            stage: OnceCell::new(),
        }
    }

    /// Whether some force depends on reactions that it changes.
    pub(crate) fn hang_on_reactions(&self) -> bool {
        self.hang_on_reactions
    }

    /// The motion at a state, with what contacts do.
    pub(crate) fn decide(&self, evaluator: &Evaluator, state: &State) -> Result<Decided, Failure> {
        self.decide_touching(evaluator, state, &[])
    }

    /// The one-sided rows that push, of some that touch at a state.
    pub(crate) fn pushing(
        &self,
        evaluator: &Evaluator,
        state: &State,
        touching: &[usize],
    ) -> Result<Vec<usize>, Failure> {
        Ok(self.decide_touching(evaluator, state, touching)?.pushing)
    }

    fn decide_touching(&self, evaluator: &Evaluator, state: &State, touching: &[usize]) -> Result<Decided, Failure> {
        let State { time, positions, velocities } = state;
        let moment = Moment { t: *time, q: positions, v: velocities, resting: &[], touching, force: None };
        let stage = self.stage.get_or_init(|| RefCell::new(Stage::new(evaluator.system, evaluator.rows.clone())));
        Ok(stage.borrow_mut().decide(&moment)?)
    }

    /// C where it depends on no reactions, with the ideal multipliers over all rows of the equations.
    pub(crate) fn plain(&self, evaluator: &Evaluator, state: &State, multipliers: &[f64]) -> Vec<f64> {
        let mut force = vec![0.0; evaluator.coordinates()];
        let point = Point { multipliers, ..state.point() };
        for nonideal in self.parts.iter().map(|&part| &evaluator.equations.nonideal[part]) {
            let acting = nonideal.force.iter().enumerate().filter(|(_, id)| **id != Id::ZERO);
            let (coordinates, ids): (Vec<usize>, Vec<Id>) = acting.map(|(j, &id)| (j, id)).unzip();
            for (j, value) in coordinates.iter().zip(evaluator.values(&ids, &point)) {
                force[*j] += value;
            }
            let ids: Vec<Id> = nonideal.by_multiplier.iter().map(|entry| entry.2).collect();
            for (&(j, row, _), value) in nonideal.by_multiplier.iter().zip(evaluator.values(&ids, &point)) {
                force[j] += value * multipliers.get(row).copied().unwrap_or(0.0);
            }
        }
        force
    }
}
