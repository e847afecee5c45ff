//! Rows that repeat others, contradictions, frictions without a formula, sizes without bound.

use super::{closed, printed, solved, text};
use crate::algebra::Budget;
use crate::explicit::{Form, Options, solve};

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
    let solution = solve(&equations, &Options { limit: 20, ..Options::default() }, &budget);
    assert!(matches!(&solution.form, Form::Named { definitions } if !definitions.is_empty()), "{:?}", solution.form);
    let solution = solve(&equations, &Options { limit: 20, total: 5, ..Options::default() }, &budget);
    assert!(matches!(&solution.form, Form::Implicit { size, .. } if *size > 5), "{:?}", solution.form);
    let solution = solve(&equations, &Options::default(), &Budget::new(1000));
    assert!(matches!(&solution.form, Form::Implicit { .. } | Form::Named { .. }), "{:?}", solution.form);
}

/// Six coordinates and four dense quadratic constraints: an answer, in bounded time.
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
    let begun = std::time::Instant::now();
    let solution = solved(&equations);
    assert!(solution.is_explicit(), "{:?}", solution.form);
    assert!(begun.elapsed().as_secs() < 10);
}
