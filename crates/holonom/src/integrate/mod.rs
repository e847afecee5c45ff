//! Stand-in for the stage that moves a system in time.

mod outcome;
mod run;

pub use outcome::{
    Column, End, EventRecord, Evidence, Expectation, Observer, Options, Outcome, RankChange, Settings, Statistics,
};
pub use run::{Plan, plan};
