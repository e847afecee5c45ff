//! The field by identities, by the papers' formulas, and by random expressions against numbers.

mod bench;
mod chain;
mod identities;
mod papers;
mod random;
