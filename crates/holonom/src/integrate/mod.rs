//! Stand-in for the stage that moves a system in time.

mod run;

pub use run::{
    Column, End, EventRecord, Evidence, Expectation, Observer, Options, Outcome, Plan, RankChange, Settings,
    Statistics, plan,
};
