//! Cases with known answers, and random ones against exact arithmetic.

mod cases;
mod exact;
mod random;
