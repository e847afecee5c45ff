//! Laws of the derivation, on models built by hand and on random ones.

mod constraints;
mod contacts;
mod hidden;
mod integrable;
mod lagrange;
mod one_sided;
mod sketch;
mod texts;
