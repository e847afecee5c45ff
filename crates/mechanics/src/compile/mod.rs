//! Equations → numbers: a plain interpreter, machine code, and many states at a time.
//!
//! In: [`Equations`](crate::derive::Equations). Out: a [`CompiledSystem`], immutable and shared, and [`Values`], the memory that one
//! thread evaluates it in. A group of expressions becomes a [`Program`]: straight-line code in which every common
//! sub-expression is computed once, and whatever depends on parameters alone once per set of parameters. A large group whose
//! expressions repeat a few shapes becomes families instead: a small program for each shape, evaluated for many instances in lanes.

mod batch;
mod choice;
mod code;
mod constant;
mod evaluator;
mod expand;
mod factor;
mod families;
mod group;
mod layout;
mod lower;
#[cfg(feature = "native")]
mod native;
mod program;
#[cfg(test)]
mod random;
mod rows;
mod system;
mod tape;
mod wide;

pub use batch::Rows;
pub use batch::{Batch, ProgramStates};
pub use choice::runs_sparse;
pub use group::{Group, GroupPart};
pub use program::{Fixed, Inputs, Memory, Program};
#[cfg(test)]
pub(crate) use random::Random;
pub use rows::RowLayout;
pub use system::{CompiledSystem, Tangent, UnknownParameter, Values};
