//! The papers' own way: a, e, A⁺, M̄, M̄⁺, M̂, K₁, K, Δa and B.

use super::part::Step;
use super::writer::Writer;
use super::{Part, Refusal};

pub(super) fn show(writer: &mut Writer) -> Result<(), Refusal> {
    one(writer, Step::Mhat)
}

pub(super) fn one(_: &mut Writer, step: Step) -> Result<(), Refusal> {
    Err(Refusal::Absent(Part::Step(step), "not yet".to_string()))
}
