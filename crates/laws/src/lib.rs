//! The laws of constrained motion as checks on generated systems.
//!
//! [`generate()`] makes a system from a seed, with known facts about it; [`LAWS`] lists what every answer of the
//! kernel must satisfy; [`examine`] checks a system against them. The binary `laws` examines a hundred thousand
//! systems, the tests a few thousand.
#![allow(non_snake_case)]

mod exact;
mod gauge;
mod generate;
mod laws;
mod mass;
mod rounded;
mod rounding;
mod sizes;
mod subject;
mod system;

pub use exact::Span;
pub use gauge::{Gauge, Verdict, Violation};
pub use generate::generate;
pub use laws::{LAWS, Law, examine, law};
pub use rounding::Rounding;
pub use sizes::{Allowed, Sizes};
pub use subject::{Answer, Subject, largest};
pub use system::{Arrays, Facts, System};
