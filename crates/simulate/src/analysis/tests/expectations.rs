//! Claims: proved, held up, refuted, out of reach.

use super::super::ExpectationOutcome;
use super::checked;

fn outcomes(text: &str) -> Vec<ExpectationOutcome> {
    checked(text).0.expectations.into_iter().map(|e| e.outcome).collect()
}

const STONE: &str = "param g = 9.81\ncoord y\nkinetic y'^2/2\npotential g*y\nstart y = 1\n";

#[test]
fn claims_meet_the_numbers() {
    let found = outcomes(&format!(
        "{STONE}expect y'' = -g\nexpect y'' = g\nexpect (y + 1)^2 = y^2 + 2*y + 1\nexpect y' = 0\nexpect at start y' = 0\n\
         expect y < 2\nexpect constant energy()\nexpect constant y'\n"
    ));
    assert_eq!(found[0], ExpectationOutcome::Holds(32));
    assert_eq!(found[1], ExpectationOutcome::Refuted);
    assert_eq!(found[2], ExpectationOutcome::Proved);
    assert_eq!(found[3], ExpectationOutcome::OnlyAtStart);
    assert_eq!(found[4], ExpectationOutcome::HoldsAtStart);
    assert!(matches!(found[5], ExpectationOutcome::Holds(_)), "{:?}", found[5]);
    assert_eq!(found[6], ExpectationOutcome::Holds(32));
    assert_eq!(found[7], ExpectationOutcome::Refuted);
    let (_, diagnostics) = checked(&format!("{STONE}expect y'' = g\n"));
    assert_eq!(diagnostics[0].code, "expect-refuted");
    assert_eq!(diagnostics[0].labels[0].text, "left is -9.81, right is 9.81");
}

#[test]
fn tolerance_is_relative_and_zero_is_measured_by_what_cancels() {
    let found =
        outcomes(&format!("{STONE}expect y'' = -9.81001\nexpect y'' = -9.81001 within 1e-5\nexpect y'' + g = 0\n"));
    assert_eq!(found[0], ExpectationOutcome::Refuted);
    assert_eq!(found[1], ExpectationOutcome::Holds(32));
    assert_eq!(found[2], ExpectationOutcome::Holds(32));
    // A straight chain at rest turns about its first joint only: the others' accelerations are rounding.
    let text = "\
param      g = 9.81
coord      a, b
particle   p: 1 at (sin(a), -cos(a)), q: 1 at (sin(a) + sin(b), -cos(a) - cos(b))
gravity    (0, -g)
start      a = pi/4, b = pi/4
expect     at start a'' = -g*sin(pi/4), at start b'' = 0
expect     constant energy()
";
    assert_eq!(
        outcomes(text),
        [ExpectationOutcome::HoldsAtStart, ExpectationOutcome::HoldsAtStart, ExpectationOutcome::Holds(32)]
    );
}

#[test]
fn a_claim_about_zero_is_measured_by_the_motion() {
    let turned = |phi: &str| {
        outcomes(&format!(
            "coord x: m, phi: rad\nkinetic (2 kg)*x'^2/2 + (3 kg*m^2)*phi'^2/2\nforce x: 1 N\n\
             start x = 2 m, phi = {phi}\nexpect at start phi = 0, at start 0 = 2*phi, at start phi'' = 0\n"
        ))
    };
    assert_eq!(
        turned("-3e-16"),
        [ExpectationOutcome::HoldsAtStart, ExpectationOutcome::HoldsAtStart, ExpectationOutcome::HoldsAtStart]
    );
    assert_eq!(
        turned("-2e-6"),
        [ExpectationOutcome::Refuted, ExpectationOutcome::Refuted, ExpectationOutcome::HoldsAtStart]
    );
}

#[test]
fn what_is_not_unique_is_not_checked() {
    let text = "\
coord x, y
particle bob: 1 at (x, y)
gravity (0, -9.81)
constraint rod: x^2 + y^2 = 1
constraint again: x^2 + y^2 = 1
start x = 0, y = -1
expect multiplier(rod) = -4.905
expect multiplier(rod) + multiplier(again) = -9.81/2
expect y'' = 0
";
    let found = outcomes(text);
    assert_eq!(found[0], ExpectationOutcome::NotCheckable("`multiplier(rod)` is not unique".to_string()));
    assert_eq!(found[1], ExpectationOutcome::OnlyAtStart);
    assert_eq!(found[2], ExpectationOutcome::OnlyAtStart);
}
