//! The papers as tests: one named test for each statement that can be checked.
//!
//! A file for each paper, a test for each numbered equation, lemma, result, remark and example; `errata`
//! holds their misprints and gaps. What the kernel answers is compared with the paper's formula evaluated
//! literally, in 32 digits, by `holonom-reference`. `ERRATA.md` at the root names the tests of `errata`.
#![allow(non_snake_case)]

#[macro_use]
mod support;

mod alternate_proof;
mod errata;
mod kalaba_1992;
mod principle_2005;
mod principle_2005_examples;
mod science_2005;
mod singular_2006;
mod singular_2006_examples;
mod singular_2006_proof;
mod systems;
