//! Helpers that the tests of several crates share.

mod scratch;

pub use scratch::Scratch;
