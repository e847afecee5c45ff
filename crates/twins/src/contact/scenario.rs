//! A mechanism in both forms: as the text of a model, and for the reference, with its motion by the reference.

use super::jet::Jet;
use super::modes::{Mode, Unclear};
use super::reference::Reference;
use super::system::{Scalar, State, System};
use crate::choose::size;
use crate::draft::Draft;
use crate::run::RECORDS;
use holonom_random::Random;

/// Steps of the reference. The difference to half of it says how good it is.
pub(super) const STEP: f64 = 2e-3;
/// A change of start velocities that must not change what contacts do on the way: one that is only just touched, or only just lets go, answers to it like a root.
const SHAKE: f64 = 1e-4;
/// Times of changes with the modes from there on, the start first.
pub type History = Vec<(f64, Vec<Mode>)>;

/// A mechanism in both forms.
pub struct Scenario {
    /// The text; its outputs are each observed scalar and then its rate.
    pub draft: Draft,
    /// The same for the reference.
    pub system: System,
    /// Where it starts.
    pub start: State,
    /// What is compared.
    pub observed: Vec<Scalar>,
    /// Until when.
    pub horizon: f64,
}

impl Scenario {
    pub(super) fn new(name: &str, start: &[(f64, f64)], horizon: f64) -> Scenario {
        Scenario {
            draft: Draft::new(name),
            system: System::default(),
            start: State { t: 0.0, q: start.iter().map(|s| s.0).collect(), v: start.iter().map(|s| s.1).collect() },
            observed: Vec::new(),
            horizon,
        }
    }

    pub(super) fn say(&mut self, statement: impl Into<String>) {
        self.draft.statements.push(statement.into());
    }

    pub(super) fn observe(&mut self, text: &str, scalar: impl Fn(&[Jet]) -> Jet + 'static) {
        self.draft.outputs.extend([text.to_string(), format!("({text})'")]);
        self.observed.push(Box::new(scalar));
    }

    /// Whether contacts do the same, one after the other, from a start that is a little different.
    pub(super) fn is_steady(&self, horizon: f64, history: &History) -> bool {
        let modes = |history: &History| history.iter().map(|(_, modes)| modes.clone()).collect::<Vec<_>>();
        [SHAKE, -SHAKE].into_iter().all(|nudge| match self.track(horizon, STEP, nudge) {
            // Near the horizon a change may come before it or after it.
            Ok((_, shaken)) => modes(&shaken).iter().zip(&modes(history)).all(|(a, b)| a == b),
            Err(_) => false,
        })
    }

    /// Observed scalars and their rates at the start and at the times of the records.
    pub(super) fn track(&self, horizon: f64, step: f64, nudge: f64) -> Result<(Vec<Vec<f64>>, History), Unclear> {
        let mut start = self.start.clone();
        start.v.iter_mut().for_each(|v| *v *= 1.0 + nudge);
        let mut reference = Reference::new(&self.system, start)?;
        let mut rows = Vec::new();
        for record in 0..=RECORDS {
            reference.until(horizon * record as f64 / RECORDS as f64, step)?;
            let state = reference.state();
            let jets: Vec<Jet> = state.q.iter().zip(&state.v).map(|(q, v)| Jet(*q, *v, 0.0)).collect();
            rows.push(self.observed.iter().map(|f| f(&jets)).flat_map(|Jet(value, rate, _)| [value, rate]).collect());
        }
        Ok((rows, reference.history))
    }
}

/// A size with three digits after the point, so that texts can be read.
pub(super) fn short(random: &mut Random, least: f64, most: f64) -> f64 {
    (size(random, least, most) * 1000.0).round() / 1000.0
}

/// The same, evenly between two bounds of any sign.
pub(super) fn between(random: &mut Random, least: f64, most: f64) -> f64 {
    let part = (random.real() + 1.0) / 2.0;
    ((least + part * (most - least)) * 1000.0).round() / 1000.0
}
