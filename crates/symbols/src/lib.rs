//! Expressions: one shared graph of them, derivatives, simplification, exact algebra, formulas and pages.
//!
//! This crate does not depend on mechanics.

pub mod algebra;
pub mod expr;
pub mod markup;
pub mod page;
