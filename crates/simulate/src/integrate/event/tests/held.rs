//! Events on what constraints in force hold at zero.

use super::*;

const BALL: &str = "param g = 9.81\ncoord x, y\nparticle ball: 2 at (x, y)\ngravity (0, -g)\n";

#[test]
fn a_ball_that_is_held_on_its_floor_does_not_land_again() {
    for when in ["y falls", "y crosses", "y < 0"] {
        let run = run(&format!(
            "{BALL}constraint rest: y = 0, off\nstart x = 0, y = 1, x' = 1\nevent floor: {when} -> add rest\nrun until 30\n"
        ));
        assert_eq!(run.outcome.end, End::Finished, "{when}: {:?}", run.outcome.diagnostics);
        assert_eq!(run.times("floor").len(), 1, "{when}");
        assert_eq!(run.codes(), ["event-held"], "{when}");
        assert!(run.outcome.diagnostics[0].help.iter().any(|help| help.contains("reaction(rest)")));
    }
}

/// On a curved floor rounding never ends.
#[test]
fn a_ball_that_is_held_on_a_curve_does_not_land_again() {
    for (curve, start) in [("x^2 + y^2 - 1", "x = 2, y = 0.6, x' = -3"), ("y - x^2", "x = 0.5, y = 1, x' = 0.1")] {
        for when in ["falls", "crosses", "< 0"] {
            let run = run(&format!(
                "{BALL}constraint rest: {curve} = 0, off\nstart {start}\nevent floor: {curve} {when} -> add rest\nrun until 10\n"
            ));
            assert_eq!(run.outcome.end, End::Finished, "{curve} {when}: {:?}", run.outcome.diagnostics);
            assert_eq!(run.times("floor").len(), 1, "{curve} {when}");
            assert_eq!(run.codes(), ["event-held"], "{curve} {when}");
        }
    }
}

/// After `drop` it is an event as before: the ball is let go, falls onto its floor again, and is held again.
#[test]
fn what_is_let_go_happens_again() {
    let run = run(&format!(
        "{BALL}constraint rest: y = 0, off\nstart x = 0, y = 1\nevent floor: y falls -> add rest\n\
         event up: t > 1 -> drop rest, set y' = 2\nrun until 3\n"
    ));
    let times = run.times("floor");
    let (fall, flight) = ((2.0f64 / 9.81).sqrt(), 4.0 / 9.81);
    assert!(times.len() == 2 && (times[0] - fall).abs() < 1e-11, "{times:?}");
    assert!((times[1] - 1.0 - flight).abs() < 1e-11, "{times:?}");
    assert_eq!(run.codes(), ["event-held"]);
}

#[test]
fn rows_hold_what_they_make_up_together() {
    let bob = "coord x, y, z\nparticle bob: 1 at (x, y, z)\ngravity (0, -9.81, 0)\nconstraint rod: x^2 + y^2 = 1\n\
        constraint plane: z = 0\nstart x = 1, y = 0, z = 0\n";
    for held in ["x^2 + y^2 - 1", "x^2 + y^2 + z - 1", "x*x' + y*y'", "2*z'"] {
        let run = run(&format!("{bob}event never: {held} crosses -> stop\nrun until 20\n"));
        assert_eq!(run.outcome.end, End::Finished, "{held}: {:?}", run.outcome.events);
        assert_eq!(run.codes(), ["event-held"], "{held}");
    }
    // What only stands still at the start is not held.
    let run = run(&format!("{bob}event swing: y falls -> stop\nrun until 20\n"));
    assert_eq!(run.outcome.end, End::Stopped { event: "swing".into() });
    assert!(run.codes().is_empty());
}
