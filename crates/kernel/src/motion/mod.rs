//! M, Q, A, b, C → Motion: the equation of motion of constrained systems.
//!
//! `snapshot` is the input, `answer` the output. `workspace` computes one from the other: `factor`
//! factors M and A once and solves for any right side, `refine` corrects the last digits, `consistency`
//! and `uniqueness` judge, `assemble` splits the forces. `quick` is the fast solver along a motion, with a `supplement` where M is singular. `structure` holds decisions for later solves. The
//! other files answer questions around it: `audit` (what repeats what), `nonideal` (C that depends on the
//! reactions), `observed` (which forces explain a motion), `tangent` (how it changes with the state),
//! `explicit` (the papers' matrices), `gauss`, `principles` (all of them, for display).

#![allow(non_snake_case)]

mod answer;
mod assemble;
mod audit;
mod consistency;
#[cfg(test)]
mod dust;
mod error;
mod explicit;
mod factor;
mod gauss;
mod nonideal;
mod observed;
mod principles;
pub mod quick;
mod refine;
mod snapshot;
mod structure;
pub mod supplement;
mod tangent;
mod uniqueness;
mod workspace;

pub use answer::{Directions, Gauss, Motion, Rank};
pub(crate) use audit::conflicts;
pub use audit::{Audit, Conflict, Redundancy};
pub use error::{Array, MotionError};
pub use explicit::{ExplicitForm, Matrix};
pub use gauss::GaussForms;
pub use nonideal::Prepared;
pub use observed::ObservedForces;
pub use principles::{Principles, VirtualDisplacement};
pub use snapshot::Snapshot;
pub use structure::{Leaders, Structure};
pub use workspace::{Workspace, solve};
