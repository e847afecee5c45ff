//! Rows that repeat others, contradictions, frictions without a formula, sizes without bound.

use super::{closed, printed, solved, text};
use crate::explicit::{Form, SolveOptions, solve, steps};
use holonom_mechanics::derive::Equations;
use holonom_symbols::algebra::Budget;

/// A constraint repeated, scaled or combined with another leaves the formulas as they are.
#[test]
fn what_is_said_twice_is_said_once() {
    let model = |rows: &str| {
        let head = "
param      m = 2, M = 3, L = 1.5, g = 9.81
coord      s, x, y
kinetic    M*s'^2/2 + m*(x'^2 + y'^2)/2
potential  m*g*y
start      s = 0, x ~ 0.9, y ~ -1.2
";
        let equations = text(&format!("{head}{rows}"));
        let solution = closed(&equations);
        let mut all = solution.acceleration.clone();
        all.extend(&solution.ideal);
        (printed(&equations, &solution, &all), solution)
    };
    let rod = "constraint rod: (x - s)^2 + y^2 = L^2\n";
    let drive = "constraint drive: s = t^2/2 + x/4\n";
    let (plain, _) = model(&format!("{rod}{drive}"));
    let (twice, solution) = model(&format!("{rod}{drive}constraint again: L^2 = (x - s)^2 + y^2\n"));
    assert_eq!(plain, twice);
    assert_eq!(solution.dependent.len(), 1);
    assert_eq!((solution.dependent[0].row, solution.dependent[0].everywhere), (2, true));
    let scaled = "constraint rod: m*(x - s)^2 + m*y^2 = m*L^2\nconstraint drive: 4*s = 2*t^2 + x\n";
    assert_eq!(plain, model(scaled).0);
    let combined = "constraint sum: (x - s)^2 + y^2 + 4*s = L^2 + 2*t^2 + x\n";
    assert_eq!(plain, model(&format!("{rod}{combined}")).0);
    assert_eq!(plain, model(&format!("{rod}{combined}{drive}")).0);
}

/// The sides of a parallelogram are parallel already: the row that says so repeats the others on the constraints only,
/// and only because two lengths are equal.
#[test]
fn a_row_that_repeats_others_on_the_constraints_alone() {
    let equations = text(
        "
param      r = 1, R = 1, d = 2, g = 9.81
coord      x1, y1, x2, y2
kinetic    (x1'^2 + y1'^2 + x2'^2 + y2'^2)/2
potential  g*(y1 + y2)
constraint left: x1^2 + y1^2 = r^2
constraint right: (x2 - d)^2 + y2^2 = R^2
constraint coupler: (x2 - x1)^2 + (y2 - y1)^2 = d^2
constraint level: y1 = y2
start      x1 = 0.6, y1 = -0.8, x2 ~ 2.6, y2 ~ -0.8
",
    );
    let solution = solved(&equations);
    assert!(solution.is_explicit(), "{:?}", solution.form);
    assert_eq!((solution.ranks.constraints, solution.independent.len()), (3, 3));
    assert!(!solution.dependent[0].everywhere);
    assert_eq!(solution.substituted.len(), 1); // R is r
    assert!(solution.checked.states >= 16);
}

/// Accelerations that contradict each other, positions that do, and a force that nothing carries.
#[test]
fn what_would_have_to_hold() {
    let vanish = |model: &str| {
        let equations = text(model);
        let solution = closed(&equations);
        let all: Vec<_> = solution.contradictions.iter().map(|c| c.must_vanish).collect();
        printed(&equations, &solution, &all)
    };
    let rows = "
param      p = 1, q = 2
coord      x, y
kinetic    (x'^2 + y'^2)/2
constraint one: x'' + y'' = p
constraint two: 2*x'' + 2*y'' = q
start      x = 0, y = 0
";
    assert_eq!(vanish(rows), ["q - 2*p"]);
    let positions = "
param      a = 1, b = 1.1
coord      x, y
kinetic    (x'^2 + y'^2)/2
constraint rod: x^2 + y^2 = a^2
constraint longer: x^2 + y^2 = b^2
start      x = 0.6, y = -0.8
";
    assert_eq!(vanish(positions), ["(a - b)*(a + b)"]);
    let force = "
param      F = 3
coord      x, y
kinetic    x'^2/2
force      y: F
start      x = 0, y = 0
";
    assert_eq!(vanish(force), ["F"]);
}

/// Velocities that contradict each other, and positions that do as time goes on, with accelerations that agree.
#[test]
fn what_would_have_to_hold_of_velocities() {
    let vanish = |equations: &Equations| {
        let solution = solved(equations);
        assert!(solution.is_explicit(), "{:?}", solution.form);
        let all: Vec<_> = solution.contradictions.iter().map(|c| c.must_vanish).collect();
        printed(equations, &solution, &all)
    };
    assert_eq!(vanish(&super::gallery("contradiction/contradiction.holo")), ["w*(1.9*r - R)*t/r"]);
    let model = |rows: &str| {
        text(&format!(
            "param p = 2, w = 1.5\ncoord x, y\nkinetic (x'^2 + y'^2)/2\nstart x ~ 0.6, y ~ 0.8, x' ~ 1\n{rows}"
        ))
    };
    assert_eq!(vanish(&model("constraint one: p*x' = w\nconstraint two: x' = p\n")), ["w/p - p"]);
    assert_eq!(vanish(&model("constraint one: y' = x*x'\nconstraint two: p*y' = p*x*x'\n")), [""; 0]);
    assert_eq!(vanish(&model("constraint one: x'^2 + y'^2 = p\nconstraint two: x'^2 + y'^2 = w\n")), ["p - w"]);
    // Special values of parameters that agree do not contradict each other.
    assert_eq!(vanish(&model("constraint one: x = w*t\nconstraint two: x = 3*t/p\n")), [""; 0]);
    // What rounding leaves of a velocity that is zero is no contradiction.
    assert_eq!(vanish(&model("constraint one: x = 0\nconstraint two: x*(x - 5) = 0\n")), [""; 0]);
    // An acceleration that repeats the left side of a position does not replace it.
    assert_eq!(vanish(&model("constraint one: x'' = w*t\nconstraint two: x = p*t\n")), ["-w*t"]);
}

/// Where constraints have several branches, what vanishes on one of them is not taken for zero on the others.
#[test]
fn formulas_hold_on_all_branches() {
    let equations = text(
        "
particle   P: 1 in plane, Q: 1 in plane
gravity    (0, -9.81)
constraint seat: dot(Q - P, Q - P) = 9
constraint left: dot(P, P) = 4
constraint third: dot((P + Q)/2 - (1.5, 0), (P + Q)/2 - (1.5, 0)) = 4
start      P = (1.2, -1.6), Q = P + (3, 0)
",
    );
    let solution = solved(&equations);
    assert!(solution.is_explicit(), "{:?}", solution.form);
    assert!(solution.checked.states >= 16, "{:?}", solution.checked);
}

/// Near a singular configuration the kernel's answer has fewer digits than elsewhere; that is no reason to doubt a formula.
#[test]
fn a_parallelogram_that_is_nearly_flat() {
    let equations = text(
        "
param      m = 30 kg, L = 2 m, w = 3 m, g = 9.81 m/s^2
particle   P: m in plane, Q: m in plane
gravity    (0, -g)
let        A = (0, 0), B = (w, 0), C = (A + B)/2, middle = (P + Q)/2
constraint seat: dot(Q - P, Q - P) = w^2
constraint left: dot(P - A, P - A) = L^2
constraint right: dot(Q - B, Q - B) = L^2
constraint third: dot(middle - C, middle - C) = L^2
start      P = L*(sin(60 deg), -cos(60 deg)), Q = P + (w, 0)
",
    );
    let solution = solved(&equations);
    assert!(solution.is_explicit(), "{:?}", solution.form);
    assert!(solution.checked.states >= 16, "{:?}", solution.checked);
}

/// A parallelogram by any three of many rows that hold for it: a formula, and the papers' way, or a reason; never a doubt.
#[test]
fn linkages_by_rows_that_repeat_each_other() {
    let rows = [
        "seat: dot(Q - P, Q - P) = w^2",
        "left: dot(P, P) = L^2",
        "third: dot((P + Q)/2 - (w/2, 0), (P + Q)/2 - (w/2, 0)) = L^2",
        "level: Q.y = P.y",
        "both: Q - P = (w, 0)",
        "scaled: 3*dot(P, P) = 3*L^2",
        "product: (Q.y - P.y)*(P.x + 7) = 0",
        "difference: dot(P, P) - dot(Q, Q) = w^2 - 2*w*Q.x",
    ];
    let head = "
param      m = 2, L = 1, w = 1.7, g = 9.81
particle   P: m in plane, Q: m in plane
gravity    (0, -g)
start      P = L*(sin(20 deg), -cos(20 deg)), Q = P + (w, 0)
";
    for first in 0..rows.len() {
        for second in first + 1..rows.len() {
            let third = (first + second) % rows.len();
            let mut model = format!("{head}constraint {}\nconstraint {}\n", rows[first], rows[second]);
            if third != first && third != second {
                model += &format!("constraint {}\n", rows[third]);
            }
            let equations = text(&model);
            let solution = solved(&equations);
            assert!(!matches!(solution.form, Form::Mismatch(_)), "{model}{:?}", solution.form);
            assert!(solution.is_explicit() == (solution.checked.states > 0), "{model}");
            assert!(solution.contradictions.is_empty(), "{model}");
            if first % 2 == 0 {
                let found = steps(&equations, &solution, &Budget::new(20_000_000));
                assert!(found.is_ok(), "{model}{:?}", found.err());
            }
        }
    }
}

/// Friction at a constraint that another one repeats has no one answer, so that there is nothing to hold a formula against.
#[test]
fn a_formula_that_cannot_be_checked_is_not_given() {
    let equations = text(
        "
param      m = 1, L = 1, g = 9.81
particle   P: m in plane
gravity    (0, -g)
constraint rod: dot(P, P) = L^2
constraint same: P.x*P.x' + P.y*P.y' = 0
friction   rod: coulomb(0.1)
start      P.x ~ 0.8, P.y ~ -0.6
",
    );
    let solution = solved(&equations);
    assert!(matches!(&solution.form, Form::Implicit { .. }) || solution.checked.states > 0, "{:?}", solution.form);
}

/// The normal force of a wire in space is the magnitude of two reactions: it stays a symbol, with its equation.
#[test]
fn a_normal_force_without_a_formula() {
    let equations = text(
        "
param      m = 1, g = 9.81, mu = 0.1, h = 0.3
coord      x, y, z
particle   bead: m at (x, y, z)
gravity    (0, 0, -g)
constraint wire: (x, y) = (cos(z/h), sin(z/h))
friction   wire: coulomb(mu)
start      z = 0, z' = -1
",
    );
    let solution = solved(&equations);
    assert!(solution.is_explicit(), "{:?}", solution.form);
    assert_eq!(solution.unknowns.len(), 1);
    assert_eq!(solution.unknowns[0].name, "N.wire");
    assert!(solution.checked.states >= 16);
}

/// C that hangs on reactions, linearly and through a magnitude, is solved for them.
#[test]
fn a_c_that_hangs_on_reactions() {
    for law in ["mu*reaction(plane)", "mu*abs(reaction(plane))", "mu*multiplier(plane)", "mu*abs(multiplier(plane))"] {
        let equations = text(&format!(
            "
param      m = 2, g = 9.81, mu = 0.2, k = 0.5
coord      x, y
particle   block: m at (x, y)
gravity    (0, -g)
constraint plane: y = k*x
nonideal   plane: [-{law}, {law}/3]
start      x = 0, x' = 1
"
        ));
        let solution = closed(&equations);
        assert!(solution.unknowns.is_empty(), "{law}");
        assert_eq!(!solution.assumptions.is_empty(), law.contains("abs"), "{law}");
    }
}

/// A low limit gives names to parts; a lower one for all of them gives the implicit form. Both say so.
#[test]
fn limits_are_kept() {
    let equations = super::gallery("double-pendulum/double-pendulum.holo");
    let budget = Budget::new(300_000_000);
    let solution = solve(&equations, &SolveOptions { limit: 20, ..SolveOptions::default() }, &budget);
    assert!(matches!(&solution.form, Form::Named { definitions } if !definitions.is_empty()), "{:?}", solution.form);
    let solution = solve(&equations, &SolveOptions { limit: 20, total: 5, ..SolveOptions::default() }, &budget);
    assert!(matches!(&solution.form, Form::Implicit { size, .. } if *size > 5), "{:?}", solution.form);
    let solution = solve(&equations, &SolveOptions::default(), &Budget::new(1000));
    assert!(matches!(&solution.form, Form::Implicit { .. } | Form::Named { .. }), "{:?}", solution.form);
}

/// Six coordinates and four dense quadratic constraints: an answer, with a part of the work that is allowed.
#[test]
fn six_coordinates_and_four_quadratic_constraints() {
    let equations = text(
        "
coord      a, b, c, d, e, f
kinetic    (a'^2 + 2*b'^2 + 3*c'^2 + d'^2 + e'^2 + f'^2)/2 + a'*b'/3 + c'*f'/2
potential  a*b + c^2 - d*e + f^2*a
constraint one: a^2 + 2*b^2 - c*d + e*f + a*c = 1
constraint two: b^2 + 3*c^2 + d*e - f^2 + a*d = 2
constraint three: c^2 + a*b - e^2 + 2*d^2 + b*f = 3/2
constraint four: a*e + b*d + c*f + f^2 + d^2 = 1/2
start      a ~ 0.5, b ~ 0.4, c ~ 0.6, d ~ 0.7, e ~ 0.2, f ~ 0.3
",
    );
    const WORK: u64 = 300_000_000;
    let budget = Budget::new(WORK);
    let solution = solve(&equations, &SolveOptions::default(), &budget);
    assert!(solution.is_explicit(), "{:?}", solution.form);
    assert!(WORK - budget.left() < 5_000_000, "{} units of work", WORK - budget.left());
}

/// Numbers of many digits, whose products are rounded: what cancels on paper still cancels.
#[test]
fn a_driven_pendulum_with_numbers_of_many_digits() {
    let equations = text(
        "
coord      pivot, a
let        p = (pivot, 0) + 0.3263655646535411*(sin(a), -cos(a))
kinetic    pivot'^2/2 + 0.11315266926760643/2*dot(p', p')
potential  0.11315266926760643*9.81*p.y
potential  0.23652872255287427/2*dot(p - (1.526667624713649, 1.7744649033334667), p - (1.526667624713649, 1.7744649033334667))
constraint drive: pivot = 0.12636533892347188*sin(1.1657780864882592*t)
start      pivot = 0, pivot' = 0.1473139430086454, a = 1.2911511799829647, a' = 1.4779113759506073
",
    );
    let solution = closed(&equations);
    assert!(solution.conditions.is_empty());
}
