//! A model → the equations of its motion, code that evaluates them, and what contacts do at a state.

#![allow(non_snake_case)]

pub mod compile;
pub mod contact;
pub mod derive;
