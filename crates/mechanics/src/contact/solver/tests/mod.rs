//! Cases with known answers, and random ones against exact arithmetic.

mod cases;
mod cones;
mod coupled;
mod exact;
mod planted;
mod random;
