//! Helpers that the tests of several crates share.

mod counting;
mod models;
mod scratch;

pub use counting::{allocated, allocations, bytes};
pub use models::{gallery, models};
pub use scratch::Scratch;
