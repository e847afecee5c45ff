//! Which forces act at contacts, given the linear response of a constrained system to them.
//!
//! In: a [`Problem`]. Out: a [`Verdict`]. It does not depend on mechanics: friction at rest and in motion, rows that only push and impacts are
//! the same problem. Promises: every answer is certified; "none" is proved; where several motions are possible they are listed.
//!
//! | file | story |
//! |---|---|
//! | `problem` | the question and its answers |
//! | `order` | which decisions can be made before others |
//! | `groups` | members that influence each other, scaled |
//! | `certify` | whether forces obey all conditions |
//! | `polyhedron` | the nearest point of a polyhedron, or a proof that it is empty |
//! | `modes` | decisions as equations and inequalities |
//! | `newton` | an answer by Newton's method, fast |
//! | `unique` | sufficient tests that the motion is the only one |
//! | `choice` | whether an answer is preferred, where contacts hold more than they exert when they slide |
//! | `search` | all answers |
//! | `shared` | whether other forces give the same motion |
//! | `solve` | runs these in turn |

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
