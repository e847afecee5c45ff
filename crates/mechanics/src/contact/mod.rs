//! Contacts: which of them hold, slide or push, decided together.
//!
//! Friction at rest and in motion, one-sided rows and forces that depend on the reactions they change are one problem: forces act at
//! contacts, the constrained system responds to them linearly, and each has a law. `touch` has the numbers of frictional contacts at a
//! state, and `law` evaluates friction laws there; `parts` finds groups that influence each other, and `split` solves each by the kernel;
//! `scene` builds the problem, `solver` solves it, and `outcome` turns the answer into a motion. `check`, `run`, `explain` and the batch all
//! call `stage`.

mod impact;
mod law;
mod outcome;
mod parts;
mod response;
mod scene;
mod sets;
mod solver;
mod split;
mod stage;
mod touch;

pub use law::LoadLine;
pub use parts::Parts;
pub use response::norm;
pub use stage::{Decided, Does, Moment, Settled, Stage, Undone};
pub use touch::{AT_REST, Touches};
