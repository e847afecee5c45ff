//! A model → the equations of its motion, programs that evaluate them, and what contacts do at a state.
//!
//! [`mod@derive`] differentiates energies and constraints: M, Q, A, b and C in the symbols of the model. [`compile`] turns
//! them into a program for the interpreter or into machine code. [`contact`] decides which contacts stick, slide or push.

#![allow(non_snake_case)]

pub mod compile;
pub mod contact;
pub mod derive;
