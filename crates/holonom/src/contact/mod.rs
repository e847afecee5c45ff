//! Contacts: which of them hold, slide or push, decided together.
//!
//! Friction at rest and in motion, one-sided rows and forces that depend on the reactions they change are one problem: forces act at
//! contacts, the constrained system answers to them linearly, and each has a law. `touch` has the numbers of frictional contacts at a
//! state and `law` what friction laws make of them; `stage` asks the kernel how the system answers and puts the problem together, which `solver` solves.
//! `check`, `run`, `explain` and the batch all decide here.

mod impact;
mod law;
mod response;
mod solver;
mod stage;
mod touch;

pub(crate) use stage::{Decided, Does, Moment, Settled, Stage, Undone};
pub(crate) use touch::{AT_REST, Touches};
