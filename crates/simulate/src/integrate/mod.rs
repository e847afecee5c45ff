//! System → trajectory: integration in time, on the constraints.
//!
//! `plan` decides how to run and finds the start; `runner` is what a run remembers, `run` the loop of steps, `control` says how long they are, `arrive` tries and takes them. `method` is one of two: `explicit` (with
//! `tableau`) of order 8(5,3), and `radau` for what is stiff, both on any `field`. `mechanics` is the field of a system:
//! it evaluates accelerations with ranks held, projects on the constraints, and keeps the `ledger` of works; `linear` factors,
//! `stiff` adds derivatives, `sizes` says what coordinates are measured by, `rounding` how little of an error can be asked for. `free` prescribes what nothing determines,
//! `contact` and `feedback` are forces that hang on reactions, `transition` decides what contacts
//! do where they change, `singular` where constraints lose rank, `branch` finds them in a step, and `crossing` tells whether branches cross there. `event` knows
//! what may happen on the way, with the seams that `switch` finds in the equations; `seam` has the forces that jump there, `filippov` decides
//! which of them hold the motion, and `slide` follows it; `locate` finds when it does, `happen` and
//! `action` do what follows, impacts (`impact`) included. `progress` ends runs that do not get on. `record` makes the rows of the table, `table` says where its columns stand, `principles` those of the papers on request, `expect` holds them against what the author
//! expects, `schedule` says when, `outcome` says what came of it all, and `blame` why a run ended early.

mod action;
mod arrive;
mod blame;
mod branch;
mod contact;
mod control;
mod crossing;
mod event;
mod expect;
mod explicit;
mod feedback;
mod field;
mod filippov;
mod free;
mod happen;
mod impact;
mod ledger;
mod linear;
mod locate;
mod mechanics;
mod meet;
mod method;
mod outcome;
mod plan;
mod principles;
mod progress;
mod radau;
mod reading;
mod record;
mod rounding;
mod run;
mod runner;
mod schedule;
mod seam;
mod series;
mod sided;
mod singular;
mod sizes;
mod slide;
mod stiff;
mod switch;
mod table;
mod tableau;
mod transition;
mod trouble;

pub use explicit::Explicit;
pub use field::{Field, StiffField};
pub use outcome::{
    Column, End, EventRecord, Evidence, ExpectationResult, Observer, Outcome, PrinciplesHeld, RankChange, Run,
    Settings, Statistics,
};
pub use plan::{Plan, plan};
pub use radau::{Attempt, Radau, RadauCounts};
pub use record::RecordedRows;
pub use table::{Recorded, TableLayout, columns};
