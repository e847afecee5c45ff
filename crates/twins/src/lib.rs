//! Random models, each written in several formulations that must move alike.
//!
//! `kinds` draws a scenario from a seed and writes it as several [`Draft`]s, with `rigid` for bodies in space; `run` passes a
//! formulation through all stages of the library; `compare` defines agreement. `contact` compares mechanisms with contacts with a
//! separate integration, and `mechanism` both formulations of bodies and joints. `README.md` lists the scenarios.

pub mod choose;
pub mod compare;
pub mod contact;
pub mod draft;
pub mod kinds;
pub mod mechanism;
pub mod rigid;
pub mod run;
pub mod space;
pub mod units;

pub use compare::{Fault, Finding, Twins};
pub use draft::Draft;
pub use kinds::{KINDS, generate};
