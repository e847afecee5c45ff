//! Which forces act at contacts, given how a constrained system answers to them linearly.
//!
//! In: a [`Problem`]. Out: a [`Verdict`]. It knows no mechanics: friction at rest and in motion, rows that only push and impacts are
//! the same question. Promises: every answer is certified; "none" is proved; where several motions are possible they are listed.
//!
//! | file | story |
//! |---|---|
//! | `problem` | the question and its answers |
//! | `order` | what can be known before other things |
//! | `groups` | members that influence each other, scaled |
//! | `certify` | whether forces obey all conditions |
//! | `polyhedron` | the nearest point of a polyhedron, or a proof that it is empty |
//! | `modes` | what decisions say in equations and inequalities |
//! | `newton` | an answer, fast |
//! | `unique` | sufficient tests that the motion is the only one |
//! | `choice` | whether an answer is preferred, where contacts hold more than they exert when they slide |
//! | `search` | all answers |
//! | `shared` | whether other forces give the same motion |
//! | `solve` | these in turn |

mod certify;
mod choice;
mod groups;
mod modes;
mod newton;
mod order;
mod polyhedron;
mod problem;
mod search;
mod shared;
mod solve;
#[cfg(test)]
mod tests;
mod unique;

pub(crate) use problem::{Answer, Friction, Load, Member, Mode, Problem, Verdict};
pub(crate) use solve::solve;

/// What is below this share of the terms it is the sum of is rounding.
const ROUNDING: f64 = 1e-12;
