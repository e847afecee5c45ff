//! Starts at which constraints lose rank.

use super::{solved, text};

/// A start at which rows lose rank does not decide the ranks of the formulas: links that are aligned are independent elsewhere.
#[test]
fn a_singular_start_does_not_decide_the_ranks() {
    let flat = text(
        "
param      m = 1, g = 9.81, L = 1
particle   a: m in plane, b: m in plane
gravity    (0, -g)
constraint c1: norm(a) = L
constraint c2: norm(b - (2*L, 0)) = L
constraint rod: norm(b - a) = 2*L
start      a = (L, 0), b = (3*L, 0)
",
    );
    let solution = solved(&flat);
    assert_eq!((solution.ranks.constraints, solution.dependent.len()), (3, 0));
    assert!(solution.checked.states >= 16 || !solution.is_explicit(), "{:?}", solution.checked);
    // A bead on the curve in which a sphere and a cylinder meet (Viviani's), started where they touch.
    let viviani = text(
        "
param      R = 1, g = 9.81
coord      x, y, z
kinetic    (x'^2 + y'^2 + z'^2)/2
potential  g*z
constraint sphere: x^2 + y^2 + z^2 = 4*R^2
constraint cylinder: (x - R)^2 + y^2 = R^2
start      x = 2*R, y = 0, z = 0
",
    );
    let solution = solved(&viviani);
    assert_eq!((solution.ranks.constraints, solution.dependent.len()), (2, 0));
}

/// Constraints without a slope at the start, and without one anywhere, end in an answer, whatever it is.
#[test]
fn rows_that_vanish_at_the_start() {
    for row in ["x*y = 0", "x^2 = 0", "y^2 = x^3"] {
        let equations =
            text(&format!("coord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint c: {row}\nstart x = 0, y = 0\n"));
        let solution = solved(&equations);
        assert!(!solution.is_explicit() || solution.checked.states > 1, "{row}: {:?}", solution.checked);
    }
}
