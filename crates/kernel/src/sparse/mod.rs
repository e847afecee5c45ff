//! M, Q, A, b with few entries → q̈ and multipliers, in time and memory linear for chains, ladders and trusses.
//!
//! The problem is that of the dense kernel: make ½ q̈ᵀMq̈ − Qᵀq̈ least subject to `A q̈ = b`
//! (Udwadia & Phohomsiri 2006, eq. 2.14 with η = 0). [`Pattern`] says where numbers can stand, [`Symbolic`] is the
//! analysis of it, made once, and [`Numeric`] the memory of one thread, refilled for each set of numbers.
//!
//! There are two solvers. Where every coordinate has mass, masses couple few coordinates each, and
//! `A M⁻¹Aᵀ` has a narrow band, that band is factored without pivoting, and pivots and residuals certify the result.
//! Everywhere else, and wherever the certificate fails, coordinates are eliminated front by front with rank decided
//! in each: redundant rows, missing masses and contradictions are reported, as by the dense kernel.
//!
//! Files build on each other in this order, and on no later one: `pattern`, `error`, `values`; the band: `strip`, `stencil`, `band`; the
//! plan: `order`, `symbolic`, `choice`; fronts: `scales`, `decisions`, `desk`, `front`, `factors`; what is redundant or free: `skyline`, `span`, `null`,
//! `dual`; all of it together: `numeric`, `solve`, `audit`.

// Places stand for themselves in elimination, and what is not a number must fail a comparison.
#![allow(clippy::needless_range_loop, clippy::neg_cmp_op_on_partial_ord)]

mod audit;
mod band;
pub mod choice;
mod decisions;
mod desk;
mod dual;
mod error;
mod factors;
mod front;
mod null;
mod numeric;
mod order;
mod pattern;
mod scales;
mod skyline;
mod solve;
mod span;
mod stencil;
mod strip;
mod symbolic;
mod values;

pub use error::{SparseError, TooLarge};
pub use factors::SparseVerdict;
pub use numeric::{Numeric, SparseRanks};
pub use pattern::{Pattern, PatternError};
pub use symbolic::Symbolic;
pub use values::SparseValues;
