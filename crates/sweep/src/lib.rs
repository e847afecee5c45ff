//! A model at many values of its parameters: the points, their runs on all cores, a journal, and one table of all of them.
//!
//! `points` gives the values of the parameters; `study` derives and compiles the model once and runs it at a point; `work` does that
//! on all cores. `record` is what is kept of a run and `journal` the file of records, so that an interrupted sweep continues where it
//! stopped. `tables` writes the results in order, complete or not at all.
//! ```
//! use std::sync::atomic::AtomicBool;
//! use holonom_language::from_text;
//! use holonom_simulate::integrate::Run;
//! use holonom_sweep as sweep;
//!
//! let text = "param L = 1, g = 9.81\ncoord a\nkinetic L^2*a'^2/2\npotential -g*L*cos(a)\nstart a = 0.1\nrun until 2\n";
//! let loaded = from_text("pendulum.holo", text);
//! let values = sweep::ParameterValues::List(vec![0.5, 1.0, 2.0]);
//! let points = sweep::Points::product(vec![sweep::Vary { name: "L".into(), values }])?;
//! let study = sweep::Study::new(&loaded, &[], &Run::default(), points, false)?;
//!
//! # let folder = std::env::temp_dir().join(format!("holonom-doc-sweep-{}", std::process::id()));
//! let mut journal = sweep::Journal::open(&folder, &study.identity(), study.points().count(), false)?;
//! let stop = AtomicBool::new(false);
//! let work = sweep::Work { jobs: 2, stop_on_failure: false, stop: &stop };
//! sweep::run(&study, &mut journal, &work, &mut |_| {})?;
//! let (counts, files) = sweep::publish(&study, &journal, &folder, |_, _| "{}".into())?;
//! assert_eq!(counts.of(sweep::Ended::Finished), 3);
//! assert_eq!(files[0].name, "runs.parquet");
//! # std::fs::remove_dir_all(folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod journal;
mod points;
mod record;
mod study;
mod tables;
#[cfg(test)]
mod tests;
mod work;

pub use journal::{Identity, JOURNAL, Journal, JournalError};
pub use points::{MOST_POINTS, ParameterValues, Points, PointsError, Vary};
pub use record::{Ended, Record};
pub use study::{MOST_SHAPES, Study, SweepRefusal};
pub use tables::{Counts, FailureReason, publish};
pub use work::{Progress, Work, processor_seconds, run};
