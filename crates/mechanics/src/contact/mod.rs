//! Contacts: which of them hold, slide or push, decided together.
//!
//! Friction at rest and in motion, one-sided rows and forces that depend on the reactions they change are one problem: forces act at
//! contacts, the constrained system answers to them linearly, and each has a law. `touch` has the numbers of frictional contacts at a
//! state and `law` what friction laws make of them; `parts` finds what acts on each other, and `split` asks the kernel about each part;
//! `scene` puts the problem together, which `solver` solves, and `outcome` takes the answer apart. `check`, `run`, `explain` and the batch all
//! ask `stage`.

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
