//! Contradictions, singular starts, forces on nothing, masses that are none.

use super::{checked, codes};

const BOB: &str = "coord x, y\nparticle bob: 1 at (x, y)\ngravity (0, -9.81)\nconstraint rod: x^2 + y^2 = 1\n";

#[test]
fn contradictory_constraints_are_named_with_their_numbers() {
    let (report, diagnostics) =
        checked(&format!("{BOB}constraint longer: x^2 + y^2 = 1.21\nstart x = 0.6, y = -0.8\n"));
    assert_eq!(diagnostics[0].code, "contradiction");
    assert_eq!(diagnostics[0].message, "`rod` and `longer` contradict each other");
    assert_eq!(diagnostics[0].labels.len(), 2);
    assert_eq!(report.conflicts.len(), 1);
    let gap = report.conflicts[0].gap.abs();
    assert!((gap - 0.21).abs() < 1e-9, "{gap}");
    // Also where only the accelerations are asked for.
    let text = "coord x\nkinetic x'^2/2\nconstraint a: x'' = 1\nconstraint b: 2*x'' = 3\nstart x = 0\n";
    assert_eq!(codes(text)[0], "contradiction");
    let text = "coord x\nkinetic x'^2/2\nconstraint a: x' = 1\nconstraint b: 2*x' = 3\nstart x = 0\n";
    assert_eq!(codes(text)[0], "contradiction");
    let text = "coord x\nkinetic x'^2/2\nconstraint a: x^2 = -1\nstart x = 0\n";
    assert!(["contradiction", "start-unsolved"].contains(&codes(text)[0]), "{:?}", codes(text));
}

#[test]
fn forces_on_nothing_are_unbalanced() {
    let text = "coord x, y\nkinetic x'^2/2\nforce y: 3\nstart x = 0, y = 0\n";
    let (report, diagnostics) = checked(text);
    assert_eq!(diagnostics.iter().map(|d| d.code).collect::<Vec<_>>(), ["unbalanced"]);
    assert_eq!(report.verdict.expect("a motion").unbalanced, [("y".to_string(), 3.0)]);
    // Balanced at the start by chance, but not next to it.
    let text = "\
coord x1, q1, q2
kinetic (q1' + q2')^2/2
potential 30*x1^2/2 + 20*q2^2/2
constraint joint: q1 = x1
start x1 = 0.1, q2 = 0.15
";
    assert_eq!(codes(text), ["hidden-constraint"]);
}

#[test]
fn masses_are_not_negative() {
    assert_eq!(codes("coord x, y\nkinetic x'^2/2 - y'^2/2\nstart x = 0, y = 0\n")[0], "indefinite-mass");
    assert_eq!(codes("param m = -1\ncoord x\nkinetic m*x'^2/2\nstart x = 0\n")[0], "negative-mass");
    assert_eq!(codes("coord x, y\nkinetic x'^2/2 + 3*x'*y' + y'^2/2\nstart x = 0, y = 0\n")[0], "indefinite-mass");
}

#[test]
fn a_singular_configuration_is_told_from_redundancy() {
    // A crank and a coupler of equal length, folded: the slider may stay or go.
    let text = "\
coord a, b, s
kinetic (a'^2 + b'^2 + s'^2)/2
constraint along: cos(a) + cos(b) = s
constraint across: sin(a) + sin(b) = 0
constraint same: a + b = 0
start a = 0.4, b = -0.4
";
    // sin a + sin b = 0 with a + b = 0: one repeats the other on the manifold, everywhere.
    let (report, diagnostics) = checked(text);
    assert!(diagnostics.iter().all(|d| d.code == "redundant"), "{diagnostics:#?}\n{report}");
    // A four-bar of equal links, all in one line: rank 1 instead of 2 across.
    let text = "\
coord a, b, c
kinetic (a'^2 + b'^2 + c'^2)/2
constraint across: sin(a) + sin(b) - sin(c) = 0
constraint along: cos(a) + cos(b) - cos(c) = 1
start a = 0, b = 0, c = 0
";
    let (report, diagnostics) = checked(text);
    assert_eq!(diagnostics[0].code, "singular-start", "{diagnostics:#?}\n{report}");
}

/// `free zero` decides what nothing else does, and may be counted on.
#[test]
fn free_zero_is_an_answer() {
    let text = "coord x, y\nkinetic y'^2/2\nfree zero\nstart x = 0, y = 1\nexpect at start x'' = 0\n";
    let report = super::sound(text, &[]);
    assert_eq!(report.coordinates[0].acceleration, Some(0.0));
    assert!(report.verdict.expect("a verdict").unique);
}

/// What is built to judge a chain of twice the length is that of a few of its motions, whose matrices are four times as large: nothing is
/// worked out in symbols that grows faster.
#[test]
fn a_long_chain_takes_no_more_work_than_it_is_worth() {
    let built = |links: usize| {
        let text = format!(
            "param N = {links}, L = 1
particle p[1..N]: 1 in plane
let p[0] = (0, 0)
gravity (0, -9.81)
constraint rod[i in 1..N]: norm(p[i] - p[i-1]) = L/N
start p[i in 1..N] = (i*L/N, 0)
expect at start p[N].y'' = -9.81
"
        );
        let (report, built) = holonom_testing::bytes(|| super::sound(&text, &[]));
        assert!(report.states >= 8, "{}", report.states);
        built
    };
    let (half, whole) = (built(20), built(40));
    assert!(whole <= 4 * half, "{half} bytes for 20 links, {whole} for 40");
}

/// A square that vanishes has no slope, and a constraint without slope holds nothing: `run` would be off it at once.
#[test]
fn a_constraint_that_is_squared_is_refused() {
    let text = "coord x, y\nkinetic (x'^2 + y'^2)/2\npotential 9.81*y\nconstraint c: (x^2 + y^2 - 1)^2 = 0\nstart x = 0.6, y = -0.8\n";
    assert_eq!(codes(text), ["constraint-without-slope"]);
    // One that is identically satisfied restricts nothing, and is no mistake of this kind.
    let text = "coord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint a: x = y\nconstraint c: (x - y)*(x + 1) = (x - y)*(x + 1)\nstart x = 1\n";
    assert!(!codes(text).contains(&"constraint-without-slope"));
}

/// Limits that the value of a parameter makes independent of every coordinate touch at all states, and push nothing.
#[test]
fn a_limit_that_no_coordinate_reaches() {
    let text = "param h = 0\ncoord y\nkinetic y'^2/2\npotential 3*y\nconstraint open: y + h >= y\nstart y = 1\n";
    super::close(super::acceleration(&checked(text).0, "y"), -3.0);
}
