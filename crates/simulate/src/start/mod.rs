//! System → its start, and states on the constraints around it, with the kernel's answers there.
//!
//! `numbers` evaluates a system at a state, `kernel` solves it, densely or sparsely; `least` moves states onto the constraints, `find`
//! finds where a motion starts and what is wrong with it (`found`), `nonideal` decides what friction does. `sample` makes states around
//! the start, at which formulas are compared with numbers. `analysis`, `explicit` and `batch` build on it.

pub(crate) mod adjust;
mod disagree;
pub(crate) mod dust;
pub(crate) mod entries;
pub(crate) mod failure;
pub(crate) mod find;
pub(crate) mod finite;
pub(crate) mod found;
pub(crate) mod gap;
pub(crate) mod kernel;
pub(crate) mod least;
pub(crate) mod missing;
mod movement;
mod moving;
pub(crate) mod nearest;
pub(crate) mod nonideal;
pub(crate) mod numbers;
pub(crate) mod random;
pub(crate) mod said;
mod sample;
pub(crate) mod scale;
pub mod words;

pub use found::Inferred;
pub use numbers::State;
pub use sample::{NEAR, Sample, Sampler, WIDE};
