//! Which stand-ins take the place of functions without a value while ranks and formulas are decided.
//!
//! Constraints may leave them little room: a piston that is driven by `x = g(t)` reaches only what its rod allows. So stand-ins of
//! several sizes are tried until some state satisfies the constraints, and M is the mass of something there.

use std::borrow::Cow;

use holonom_mechanics::derive::Equations;
use holonom_simulate::start::{NEAR, Sampler};
use holonom_symbols::expr::Level;

/// Where the state beside the start is looked for.
const SEED: u64 = 7;

/// Sizes of stand-ins, in the order in which they are tried: that of round numbers first. Those without a constant pass through zero.
const LEVELS: [Level; 14] = [
    of(1.0),
    of(0.3),
    of(0.1),
    of(3.0),
    of(0.03),
    of(10.0),
    of(0.01),
    of(-1.0),
    of(-0.3),
    of(-0.1),
    of(-3.0),
    of(100.0),
    Level { constant: 0.0, waves: 1.0 },
    Level { constant: 0.0, waves: 0.1 },
];

const fn of(level: f64) -> Level {
    Level { constant: level, waves: level }
}

/// The equations with stand-ins where functions have no value; otherwise, or where they have them already, as they are.
pub(crate) fn with_stand_ins<'a>(equations: &'a Equations, set: &[(usize, f64)]) -> Cow<'a, Equations> {
    if equations.graph.has_stand_ins() || equations.model.unspecified().is_none() {
        return Cow::Borrowed(equations);
    }
    let at = |level: Level| {
        let mut equations = equations.clone();
        equations.graph.use_stand_ins(level);
        equations
    };
    let admissible = |equations: &Equations| {
        let sampler = Sampler::new(equations, set);
        sampler.good && sampler.finite && !sampler.within(NEAR, &[], 1, SEED).is_empty()
    };
    Cow::Owned(LEVELS.into_iter().map(at).find(admissible).unwrap_or_else(|| at(LEVELS[0])))
}
