//! Runs a model of `models/` with tolerances from 1e-5 to 1e-11 and compares it with the truth.

use holonom::simulate::integrate::{End, Outcome, RecordedRows, Run};
use holonom::{System, language};
use std::path::Path;

/// Times at which a motion is compared.
pub const RECORDS: usize = 4;
/// An error may be this many times the tolerance.
pub const GAIN: f64 = 1000.0;

/// The outputs at the records after the start, or why there are none.
pub fn run(name: &str, until: f64, rtol: f64, atol: Option<f64>) -> Result<Vec<Vec<f64>>, String> {
    motion(name, until, rtol, atol, &[]).map(|(outputs, _)| outputs)
}

/// The same with some parameters set, and what else came of the run.
pub fn motion(
    name: &str,
    until: f64,
    rtol: f64,
    atol: Option<f64>,
    set: &[(String, f64)],
) -> Result<(Vec<Vec<f64>>, Outcome), String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("models").join(format!("{name}.holo"));
    let loaded = language::load_with(&path, set);
    let say = |messages: &[language::Diagnostic]| {
        let error = messages.iter().find(|message| message.is_error());
        error.map_or("no error".to_string(), |error| format!("{}: {}", error.code, error.message))
    };
    let system = System::of(loaded, set.to_vec()).map_err(|why| say(&why.messages))?;
    let outputs: usize = system.equations().model.outputs.iter().map(|output| output.components.len()).sum();
    let every = Some(until / RECORDS as f64);
    let max_steps = Some(20_000);
    let options = Run { until: Some(until), every, rtol: Some(rtol), atol, max_steps, ..Run::default() };
    let plan = system.plan(&options).map_err(|why| say(&why.messages))?.value;
    let mut trajectory = RecordedRows::default();
    let outcome = plan.run(&mut trajectory);
    if outcome.end != End::Finished {
        return Err(format!("at t = {:e}: {}", outcome.time, say(&outcome.diagnostics)));
    }
    let first = plan.columns.len() - outputs;
    Ok((trajectory.rows[1..=RECORDS].iter().map(|row| row[first..].to_vec()).collect(), outcome))
}

/// What to expect of a motion.
pub struct Expected<'a> {
    pub name: &'a str,
    pub until: f64,
    /// The size of what is compared: errors are relative to it.
    pub size: f64,
    /// The error that rounding, or the digits of the truth, leave; relative to the size.
    pub floor: f64,
}

impl Expected<'_> {
    /// Compares the first outputs with the truth at each record.
    pub fn follows(&self, truth: impl Fn(f64) -> Vec<f64>) {
        let every = self.until / RECORDS as f64;
        let right: Vec<Vec<f64>> = (1..=RECORDS).map(|k| truth(k as f64 * every)).collect();
        let (mut before, mut faults) = (f64::INFINITY, Vec::new());
        for exponent in 5..=11 {
            let rtol = 10f64.powi(-exponent);
            match run(self.name, self.until, rtol, None) {
                Err(why) => faults.push(format!("rtol {rtol:e}: {why}")),
                Ok(rows) => {
                    let error = worst(&rows, &right) / self.size;
                    // An error within the tolerance is none, however lucky the coarser run was.
                    if error > 2.0 * before.max(0.5 * rtol) + self.floor {
                        faults.push(format!(
                            "rtol {rtol:e}: error {error:.2e}, and {before:.2e} with ten times the tolerance"
                        ));
                    }
                    if error > GAIN * rtol + self.floor {
                        faults.push(format!("rtol {rtol:e}: error {error:.2e}"));
                    }
                    before = error;
                }
            }
        }
        assert!(faults.is_empty(), "{}:\n{}", self.name, faults.join("\n"));
    }
}

/// The largest difference.
pub fn worst(rows: &[Vec<f64>], right: &[Vec<f64>]) -> f64 {
    let pairs = rows.iter().zip(right).flat_map(|(row, right)| right.iter().zip(row).map(|(a, b)| (a - b).abs()));
    pairs.fold(0.0, f64::max)
}

/// What holds where rounding is all that the tolerance leaves.
pub fn expected(name: &str, until: f64, size: f64) -> Expected<'_> {
    Expected { name, until, size, floor: 1e-11 }
}
