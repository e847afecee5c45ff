//! States to ask at: what holds at several unrelated ones holds everywhere, for all practical purposes.

use holonom_mechanics::derive::Equations;
use holonom_symbols::expr::Symbol;

/// How many states are asked.
pub(super) const STATES: u64 = 6;

/// The values of the parameters as the model gives them, in order.
pub(super) fn parameters(equations: &Equations) -> Vec<f64> {
    let mut values: Vec<f64> = Vec::with_capacity(equations.model.parameters.len());
    for parameter in &equations.model.parameters {
        let value = equations.graph.evaluate(&[parameter.value], |symbol| match symbol {
            Symbol::Parameter(which) => values.get(which as usize).copied().unwrap_or(f64::NAN),
            _ => f64::NAN,
        })[0];
        values.push(value);
    }
    values
}

/// The value of a time, position or velocity at a state: between 0.3 and 1.7 in magnitude, of either sign.
pub(super) fn value(state: u64, symbol: Symbol) -> f64 {
    let (kind, number) = match symbol {
        Symbol::Time => (1, 0),
        Symbol::Position(which) => (2, which),
        Symbol::Velocity(which) => (3, which),
        _ => (4, 0),
    };
    // Steele, Lea & Flood's finaliser of 64 bits: neighbours have nothing in common.
    let mut bits = (state << 40 | kind << 32 | u64::from(number)).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^= bits >> 31;
    let magnitude = 0.3 + 1.4 * ((bits >> 12) as f64 / (1u64 << 52) as f64);
    if bits & 1 == 0 { magnitude } else { -magnitude }
}

/// A value, or another where the symbol is a parameter.
pub(super) fn value_with(state: u64, symbol: Symbol, parameters: &[f64]) -> f64 {
    match symbol {
        Symbol::Parameter(which) => parameters.get(which as usize).copied().unwrap_or(f64::NAN),
        other => value(state, other),
    }
}
