//! Which stand-ins take the place of functions without a value while ranks and formulas are decided.
//!
//! Constraints may leave them little room: a piston that is driven by `x = g(t)` reaches only what its rod allows. So stand-ins of
//! several sizes are tried until some state satisfies the constraints.

use std::borrow::Cow;

use crate::derive::Equations;
use crate::start::Sampler;

/// Sizes of stand-ins, in the order in which they are tried: that of round numbers first.
const LEVELS: [f64; 12] = [1.0, 0.3, 0.1, 3.0, 0.03, 10.0, 0.01, -1.0, -0.3, -0.1, -3.0, 100.0];

/// The equations with stand-ins where functions have no value; otherwise, or where they have them already, as they are.
pub(crate) fn with_stand_ins<'a>(equations: &'a Equations, set: &[(usize, f64)]) -> Cow<'a, Equations> {
    if equations.graph.has_stand_ins() || equations.model.unspecified().is_none() {
        return Cow::Borrowed(equations);
    }
    let at = |level: f64| {
        let mut equations = equations.clone();
        equations.graph.use_stand_ins(level);
        equations
    };
    let admissible = |equations: &Equations| {
        let sampler = Sampler::new(equations, set);
        sampler.good && sampler.finite
    };
    Cow::Owned(LEVELS.into_iter().map(at).find(admissible).unwrap_or_else(|| at(LEVELS[0])))
}
