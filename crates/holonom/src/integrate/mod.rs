//! Motion → trajectory.

mod field;
mod radau;

pub use field::{Field, StiffField};
pub use radau::{Counts, Outcome, Radau};
