//! The whole gallery: a formula that agrees with the kernel, and what its author expects of it.

use super::{equal, gallery, path, solved};
use crate::explicit::Form;
use holonom_language::Expected;
use holonom_symbols::expr::{Depends, Symbol};
use std::path::PathBuf;

fn models() -> Vec<String> {
    let root = path("");
    let inside = |file: PathBuf| file.strip_prefix(&root).expect("inside").to_string_lossy().into_owned();
    holonom_testing::models(&root).into_iter().map(inside).collect()
}

/// Coordinates beyond which a model, such as a long chain, is left in the implicit form.
const LARGE: usize = 24;

/// Every model has a formula, checked at no fewer than 16 states; small ones have it in closed form. What the author
/// expects of accelerations and multipliers for all times holds in the symbols, as far as no constraint is needed to see it.
#[test]
fn every_model_has_a_formula() {
    let mut held = 0;
    for name in models() {
        let equations = gallery(&name);
        if equations.force.len() > LARGE {
            continue;
        }
        let mut solution = solved(&equations);
        assert!(solution.is_explicit(), "{name}: {:?}", solution.form);
        assert!(solution.checked.states >= 16, "{name}: {:?}", solution.checked);
        let small = equations.force.len() <= 3 && equations.frictions.len() < 2;
        assert!(!small || matches!(solution.form, Form::Closed), "{name}: {:?}", solution.form);
        if !small || solution.settled.is_some() {
            continue;
        }
        for expectation in equations.model.expects.iter().filter(|e| !e.at_start && e.within.is_none()) {
            let Expected::Equal(left, right) = &expectation.claim else { continue };
            for (&a, &b) in left.iter().zip(right) {
                if !solution.graph.depends(a).on(Depends::ACCELERATION | Depends::FORCE) {
                    continue;
                }
                let (q, l) = (solution.acceleration.clone(), solution.multipliers.clone());
                let both = solution.graph.substitute(&[a, b], |symbol| match symbol {
                    Symbol::Acceleration(i) => q.get(i as usize).copied(),
                    Symbol::Multiplier(i) => l.get(i as usize).copied(),
                    _ => None,
                });
                held += usize::from(equal(&solution.graph, both[0], both[1]));
            }
        }
    }
    assert!(held >= 40, "{held}");
}
