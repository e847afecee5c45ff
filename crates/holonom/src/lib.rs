//! Explicit equations of motion for constrained mechanical systems.
#![allow(non_snake_case)]

mod linalg;
mod motion;

pub use motion::{
    Array, Audit, Conflict, Explanation, ExplicitForm, Gauss, GaussForms, Motion, MotionError, Prepared, Rank,
    Redundancy, Snapshot, Structure, Workspace, solve,
};
