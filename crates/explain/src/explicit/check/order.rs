//! What was put in order beside what it was before.

use super::{SHARE, TOLERANCE, nudged};
use crate::explicit::solution::{Mismatch, Place};
use holonom_symbols::expr::{Graph, Id, Symbol};

/// Holds expressions that were put in order against what the kernel evaluates, at all places.
///
/// # Errors
/// The first that differ.
pub(crate) fn check_order(graph: &Graph, pairs: &[(Id, Id)], places: &[Place]) -> Result<(), Box<Mismatch>> {
    let pairs: Vec<(Id, Id)> = pairs.iter().copied().filter(|(before, after)| before != after).collect();
    let both: Vec<Id> = pairs.iter().flat_map(|&(before, after)| [before, after]).collect();
    if both.is_empty() {
        return Ok(());
    }
    for place in places {
        let near = nudged(&place.values);
        let known = |at: &[(Symbol, f64)], symbol: Symbol| match at.binary_search_by_key(&symbol, |(s, _)| *s) {
            Ok(found) => at[found].1,
            // η, names and loads of contacts: any numbers, the same on both sides.
            Err(after) => 0.37 + 0.11 * after as f64,
        };
        let values = graph.evaluate(&both, |symbol| known(&place.values, symbol));
        let moved = graph.evaluate(&both, |symbol| known(&near, symbol));
        let sizes = graph.magnitudes(&both, |symbol| known(&place.values, symbol));
        for (which, ((value, moved), size)) in values.chunks(2).zip(moved.chunks(2)).zip(sizes.chunks(2)).enumerate() {
            let (kernel, formula) = (value[0], value[1]);
            if !kernel.is_finite() || !formula.is_finite() {
                continue;
            }
            let change = (kernel - moved[0]).abs().max((formula - moved[1]).abs());
            let allowed = TOLERANCE * size[0] + SHARE * change + f64::MIN_POSITIVE;
            if (formula - kernel).abs() > allowed {
                return Err(Box::new(Mismatch::at(place.clone(), "expression in order", which, formula, kernel)));
            }
        }
    }
    Ok(())
}
