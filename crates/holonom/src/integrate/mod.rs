//! Motion → Trajectory: integration in time, on the constraints.
//!
//! `plan` decides how to run and finds the start; `run` is the loop of steps. `explicit` (with `tableau`) is the
//! method of order 8(5,3), on any `field`; `mechanics` is the field of a system, which evaluates accelerations with ranks held,
//! projects on the constraints, and keeps the `ledger` of works. `linear` factors, `singular` watches for constraints that
//! lose rank. `event` knows what may happen on the way, with the seams that `switch` finds in the equations; `locate` finds
//! when it does, and `action` what follows, impacts (`impact`) included. `expect` holds what was
//! expected against the motion. `record` makes the rows of the table,
//! `outcome` says what came of it all.

mod action;
mod event;
mod expect;
mod explicit;
mod field;
mod impact;
mod ledger;
mod linear;
mod locate;
mod mechanics;
mod outcome;
mod plan;
mod record;
mod run;
mod singular;
mod switch;
mod tableau;

pub use explicit::Explicit;
pub use field::{Field, StiffField};
pub use outcome::{
    Column, End, EventRecord, Evidence, Expectation, Observer, Options, Outcome, RankChange, Settings, Statistics,
};
pub use plan::{Plan, plan};
pub use record::Trajectory;
