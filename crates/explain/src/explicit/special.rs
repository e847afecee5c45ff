//! Values of parameters at which ranks drop: `m1 = 0` in the paper's two masses (2006, case 5.2).

use super::sample::{Ground, lookup, point};
use super::solution::Special;
use holonom_symbols::expr::{Graph, Id, Symbol};

/// Those of `factors`, expressions of parameters alone, whose vanishing lowers the rank of A or of `[M; A]`.
///
/// A factor of the determinant is a candidate; the kernel decides, at the states that are known. A parameter is looked
/// for in which the factor has a real root near its value: what is positive for all positive masses has none.
pub(super) fn special(graph: &mut Graph, ground: &Ground, factors: &[Id]) -> Vec<Special> {
    let Some(sample) = ground.samples.first().or(ground.start.as_ref()) else { return Vec::new() };
    let at = point(sample);
    let mut found: Vec<Special> = Vec::new();
    for &expression in factors {
        // What vanishes for a stand-in need not vanish for the function that it stands for.
        if !graph.unspecified_in(&[expression]).is_empty() {
            continue;
        }
        let symbols: Vec<Symbol> = graph.symbols(&[expression]);
        for symbol in symbols {
            let Symbol::Parameter(i) = symbol else { continue };
            let i = i as usize;
            let Some(value) = root(graph, expression, symbol, &at) else { continue };
            // Masses and lengths that would have to be negative are no special values.
            if value * lookup(&at, symbol) < 0.0 {
                continue;
            }
            let Some(ranks) = ground.sampler.ranks(sample, &[(i, value)]) else { continue };
            if ranks.0 < ground.ranks.constraints || ranks.1 < ground.ranks.system {
                found.push(Special { expression, parameter: (i, value), constraints: ranks.0, system: ranks.1 });
                break;
            }
        }
    }
    found
}

/// A value of one symbol at which an expression vanishes: 0, or what Newton's method finds.
fn root(graph: &mut Graph, expression: Id, symbol: Symbol, at: &[(Symbol, f64)]) -> Option<f64> {
    let slope = graph.partial(expression, symbol);
    let value_at = |x: f64| {
        let both = graph.evaluate(&[expression, slope], |s| if s == symbol { x } else { lookup(at, s) });
        (both[0], both[1])
    };
    if value_at(0.0).0 == 0.0 {
        return Some(0.0);
    }
    let mut x = lookup(at, symbol);
    let size = value_at(x).0.abs();
    for _ in 0..60 {
        let (value, slope) = value_at(x);
        if value.abs() <= 1e-14 * size {
            return Some(x);
        }
        let step = value / slope;
        if !step.is_finite() {
            return None;
        }
        x -= step;
    }
    None
}
