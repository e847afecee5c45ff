//! Motion → Trajectory: integration in time, on the constraints.
//!
//! `plan` decides how to run and finds the start; `run` is the loop of steps. `explicit` (with `tableau`) is the
//! method of order 8(5,3), on any `field`; `mechanics` is the field of a system, which evaluates accelerations with ranks held,
//! projects on the constraints, and keeps the `ledger` of works. `linear` factors, `singular` watches for constraints that
//! lose rank. `record` makes the rows of the table,
//! `outcome` says what came of it all.

mod explicit;
mod field;
mod ledger;
mod linear;
mod mechanics;
mod outcome;
mod plan;
mod record;
mod run;
mod singular;
mod tableau;

pub use explicit::Explicit;
pub use field::{Field, StiffField};
pub use outcome::{
    Column, End, EventRecord, Evidence, Expectation, Observer, Options, Outcome, RankChange, Settings, Statistics,
};
pub use plan::{Plan, plan};
pub use record::Trajectory;
