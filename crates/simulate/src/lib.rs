//! A system → where its motion starts, whether there is one, and the motion itself.

#![allow(non_snake_case)]

pub mod analysis;
pub mod batch;
pub mod integrate;
pub mod start;
