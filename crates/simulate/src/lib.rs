//! A compiled system → its start values, the verdict about its motion, and the motion.
//!
//! [`start`] finds a state that satisfies the constraints, [`analysis`] checks the model there, [`integrate`] computes the
//! motion, and [`batch`] computes the accelerations of many states at once.

#![allow(non_snake_case)]

pub mod analysis;
pub mod batch;
pub mod integrate;
pub mod start;
