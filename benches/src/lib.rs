//! Competitors of the kernel, and how they are timed: all in one run, interleaved, best of many.
#![allow(non_snake_case)]

pub mod bare;
pub mod by_hand;
pub mod chain;
pub mod kkt;
pub mod literal;
pub mod models;
pub mod squeezer;
pub mod systems;
pub mod timing;
