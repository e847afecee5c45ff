//! What is kept of a run, and how it is written down.

use holonom_language::Diagnostic;
use holonom_simulate::integrate::{End, Evidence, Outcome, Statistics};

/// How the run of a point ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// It reached its time.
    Finished,
    /// An event stopped it.
    Stopped,
    /// Something went wrong on the way.
    Failed,
    /// It could not begin.
    Refused,
    /// The sweep ended before it did.
    Interrupted,
}

impl Ended {
    /// All of them, in the order in which they are counted.
    pub const ALL: [Self; 5] = [Self::Finished, Self::Stopped, Self::Failed, Self::Refused, Self::Interrupted];

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Finished => "finished",
            Self::Stopped => "stopped",
            Self::Failed => "failed",
            Self::Refused => "refused",
            Self::Interrupted => "interrupted",
        }
    }

    /// Whether it did not get as far as it should have.
    pub fn is_bad(self) -> bool {
        matches!(self, Self::Failed | Self::Refused)
    }
}

/// The names of what the numbers say about themselves.
pub(super) const EVIDENCE: [&str; 6] =
    ["position_residual", "velocity_residual", "energy_imbalance", "energy_scale", "energy_of_events", "clearance"];
/// The names of what is counted.
pub(super) const STATISTICS: [&str; 7] =
    ["rows", "steps", "rejected", "evaluations", "factorisations", "corrections", "jacobians"];

/// What is kept of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// How it ended.
    pub end: Ended,
    /// Why: a code and a message, or the event that stopped it. Nothing where it finished and all is as expected.
    pub reason: String,
    /// The time reached.
    pub time: f64,
    /// Whether expectations hold, where there are any.
    pub expectations: Option<bool>,
    /// The last row of its trajectory; empty where there is none.
    pub last: Vec<f64>,
    /// The least and the greatest value of each output component over all rows.
    pub extremes: Vec<(f64, f64)>,
    /// What the numbers say about themselves, in the order of their names.
    pub evidence: [f64; 6],
    /// What is counted, in the order of their names.
    pub statistics: [u64; 7],
}

impl Record {
    /// A run that did not begin.
    pub(super) fn without_run(end: Ended, reason: String) -> Self {
        Self {
            end,
            reason,
            time: f64::NAN,
            expectations: None,
            last: Vec::new(),
            extremes: Vec::new(),
            evidence: [f64::NAN; 6],
            statistics: [0; 7],
        }
    }

    /// A run that has ended.
    pub(super) fn of(outcome: &Outcome, last: Vec<f64>, extremes: Vec<(f64, f64)>) -> Self {
        let first = outcome.diagnostics.iter().find(|message| message.is_error()).map(reason).unwrap_or_default();
        let (end, reason) = match &outcome.end {
            End::Finished => (Ended::Finished, first),
            End::Stopped { event } => (Ended::Stopped, if first.is_empty() { event.clone() } else { first }),
            End::Failed => (Ended::Failed, first),
            End::Interrupted => (Ended::Interrupted, first),
        };
        let Evidence {
            position_residual,
            velocity_residual,
            energy_imbalance,
            energy_scale,
            energy_of_events,
            clearance,
        } = outcome.evidence;
        let Statistics { steps, rejected, evaluations, factorisations, corrections, jacobians } = outcome.statistics;
        let expected = &outcome.expectations;
        Self {
            end,
            reason,
            time: outcome.time,
            expectations: (!expected.is_empty()).then(|| expected.iter().all(|one| one.holds)),
            last,
            extremes,
            evidence: [
                position_residual,
                velocity_residual,
                energy_imbalance,
                energy_scale,
                energy_of_events,
                clearance,
            ],
            statistics: [outcome.rows, steps, rejected, evaluations, factorisations, corrections, jacobians],
        }
    }

    /// The code of the reason, by which failures are alike.
    pub fn code(&self) -> &str {
        self.reason.split_once(": ").map_or(self.reason.as_str(), |(code, _)| code)
    }

    pub(super) fn to_bytes(&self, bytes: &mut Vec<u8>) {
        let end = Ended::ALL.iter().position(|end| *end == self.end).unwrap_or(0);
        let expectations = self.expectations.map_or(2, u8::from);
        bytes.extend([end as u8, expectations]);
        bytes.extend(self.time.to_le_bytes());
        bytes.extend(self.evidence.iter().flat_map(|value| value.to_le_bytes()));
        bytes.extend(self.statistics.iter().flat_map(|value| value.to_le_bytes()));
        for length in [self.last.len(), self.extremes.len()] {
            bytes.extend((length as u32).to_le_bytes());
        }
        bytes.extend(self.last.iter().flat_map(|value| value.to_le_bytes()));
        bytes.extend(self.extremes.iter().flat_map(|(least, greatest)| [*least, *greatest]).flat_map(f64::to_le_bytes));
        bytes.extend(self.reason.as_bytes());
    }

    /// Nothing where these bytes are no record.
    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut reader = Reader(bytes);
        let [end, expectations] = reader.take::<2>()?;
        let end = *Ended::ALL.get(usize::from(end))?;
        let expectations = [Some(false), Some(true), None].get(usize::from(expectations)).copied()?;
        let time = reader.number()?;
        let mut evidence = [0.0; 6];
        let mut statistics = [0; 7];
        for value in &mut evidence {
            *value = reader.number()?;
        }
        for value in &mut statistics {
            *value = u64::from_le_bytes(reader.take()?);
        }
        let [last, extremes] = [reader.take()?, reader.take()?].map(|length| u32::from_le_bytes(length) as usize);
        let last = reader.numbers(last)?;
        let extremes = reader.numbers(2 * extremes)?.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect();
        let reason = std::str::from_utf8(reader.0).ok()?.to_string();
        Some(Self { end, reason, time, expectations, last, extremes, evidence, statistics })
    }
}

/// A message as a reason.
pub(super) fn reason(message: &Diagnostic) -> String {
    format!("{}: {}", message.code, message.message)
}

/// Bytes that are read from the front.
pub(super) struct Reader<'a>(pub &'a [u8]);

impl Reader<'_> {
    pub(super) fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (first, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*first)
    }

    fn number(&mut self) -> Option<f64> {
        Some(f64::from_le_bytes(self.take()?))
    }

    /// So many numbers.
    pub(super) fn numbers(&mut self, count: usize) -> Option<Vec<f64>> {
        let (first, rest) = self.0.split_at_checked(count.checked_mul(8)?)?;
        self.0 = rest;
        first.chunks_exact(8).map(|bytes| Some(f64::from_le_bytes(bytes.try_into().ok()?))).collect()
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in super::super) fn sample(reason: &str) -> Record {
        Record {
            end: Ended::Failed,
            reason: reason.into(),
            time: 0.1,
            expectations: Some(true),
            last: vec![0.1, -2.0, f64::MIN_POSITIVE],
            extremes: vec![(-1.0, 1.0)],
            evidence: [1e-13, 0.0, 0.3, 4.0, 0.0, 1.0],
            statistics: [5, 6, 0, 7, 8, 9, u64::MAX],
        }
    }

    #[test]
    fn a_record_comes_back() {
        for record in [
            sample("run-stuck: at t = 0,1 – „steif“"),
            sample(""),
            Record { expectations: None, last: vec![], extremes: vec![], end: Ended::Finished, ..sample("") },
        ] {
            let mut bytes = Vec::new();
            record.to_bytes(&mut bytes);
            assert_eq!(Record::from_bytes(&bytes), Some(record.clone()));
            for length in 0..bytes.len() - record.reason.len() {
                assert_eq!(Record::from_bytes(&bytes[..length]), None);
            }
        }
        assert_eq!(sample("run-stuck: at t = 1").code(), "run-stuck");
        assert_eq!(sample("ground").code(), "ground");
    }
}
