//! One formulation through all stages of the library, with a bound on steps.

use crate::draft::Draft;
use holonom::language::{Diagnostic, from_text_with};
use holonom::simulate::integrate::{self, End, RecordedRows, Run};
use holonom::{mechanics::compile::CompiledSystem, mechanics::derive};

/// Steps a run may take.
pub const MAX_STEPS: u64 = 20_000;
/// Times at which formulations are compared.
pub const RECORDS: usize = 4;

/// Why there is no motion.
#[derive(Clone, Debug)]
pub struct Refusal {
    /// The code of the message.
    pub code: String,
    /// The message.
    pub message: String,
    /// The time that was reached, where it ran at all.
    pub time: Option<f64>,
}

impl Refusal {
    fn new(diagnostics: &[Diagnostic], time: Option<f64>) -> Refusal {
        match diagnostics.iter().find(|one| one.is_error()) {
            Some(error) => Refusal { code: error.code.to_string(), message: error.message.clone(), time },
            None => Refusal { code: "silent".to_string(), message: "no motion, and no error".to_string(), time },
        }
    }
}

/// What a run recorded.
#[derive(Clone, Debug)]
pub struct Track {
    /// Observables at each record, the start first.
    pub rows: Vec<Vec<f64>>,
    /// Accepted and rejected steps.
    pub steps: u64,
    /// Whether the run warns that its energy balance does not fit the tolerance.
    pub doubts_itself: bool,
    /// By how much, as a part of the size of a coordinate, the run says that rounding may change it; zero where it says nothing.
    pub rounding: f64,
}

/// A formulation that is compiled once for all its runs.
pub struct Runner {
    system: CompiledSystem,
    outputs: usize,
    time: f64,
}

impl Runner {
    /// Reads and derives.
    ///
    /// # Errors
    /// What the stages before a run refuse.
    pub fn new(draft: &Draft) -> Result<Runner, Refusal> {
        let loaded = from_text_with("twin.holo", &draft.text(), &draft.files, &[]);
        let model = loaded.model.ok_or_else(|| Refusal::new(&loaded.diagnostics, None))?;
        let equations = derive::derive(model).map_err(|errors| Refusal::new(&errors, None))?.value;
        Ok(Runner { system: CompiledSystem::new(equations), outputs: draft.outputs.len(), time: draft.time })
    }

    /// Runs until `horizon`, in the scenario's time.
    ///
    /// # Errors
    /// A start that is refused, or a run that fails.
    pub fn run(&self, horizon: f64, rtol: f64, nudge: f64) -> Result<Track, Refusal> {
        let (until, every) = (horizon * self.time, horizon * self.time / RECORDS as f64);
        let options = Run {
            until: Some(until),
            every: Some(every),
            rtol: Some(rtol),
            max_steps: Some(MAX_STEPS),
            ..Run::default()
        };
        let set = [("nudge".to_string(), nudge)];
        let system = self.system.with_settings(&set).map_err(|unknown| Refusal {
            code: "unknown-parameter".into(),
            message: unknown.to_string(),
            time: None,
        })?;
        let plan = integrate::plan(&system, &options).map_err(|messages| Refusal::new(&messages, None))?.value;
        let mut recorded = RecordedRows::default();
        let outcome = plan.run(&mut recorded);
        let reached = Some(outcome.time / self.time);
        if outcome.end != End::Finished {
            return Err(Refusal::new(&outcome.diagnostics, reached));
        }
        let first = plan.columns.len() - self.outputs;
        // Records at 0, every, …; a last one beside the end may differ from it by rounding of the time.
        let mut rows: Vec<Vec<f64>> = recorded.rows.iter().map(|row| row[first..].to_vec()).collect();
        rows.truncate(RECORDS + 1);
        if rows.len() != RECORDS + 1 || rows.iter().flatten().any(|x| !x.is_finite()) {
            let message = format!("{} records, or values that are not finite", rows.len());
            return Err(Refusal { code: "bad-table".into(), message, time: reached });
        }
        let doubts_itself = outcome.diagnostics.iter().any(|one| one.code == "energy-imbalance");
        let steps = outcome.statistics.steps + outcome.statistics.rejected;
        Ok(Track { rows, steps, doubts_itself, rounding: rounding_told(&outcome.diagnostics) })
    }
}

/// The number in the note of `tolerance-rounding`.
fn rounding_told(messages: &[Diagnostic]) -> f64 {
    let notes = messages.iter().filter(|one| one.code == "tolerance-rounding").flat_map(|one| &one.notes);
    let numbers = notes.flat_map(|note| note.split_whitespace()).filter_map(|word| word.parse().ok());
    numbers.fold(0.0, f64::max)
}
