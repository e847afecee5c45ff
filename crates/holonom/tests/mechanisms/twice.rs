//! One meaning in both formulations: coordinates of joints, and coordinates of bodies.

use super::known::{by_bodies, by_joints};
use holonom::Run;

/// Loops in space whose rows cancel but for rounding, in coordinates of joints: rounding is no constraint.
#[test]
fn rounding_of_a_loop_is_no_constraint() {
    let two = "\
body a: box(1, 0.3, 0.2) of 1, at (0.5, 0.2, 0.1)
body b: box(0.4, 0.3, 0.7) of 2, at (-0.5, 0.3, 0.4), turned x by 0.4
gravity (0, 0, -9.81)
";
    for (joints, freedom) in [
        (
            "joint h: hinge(ground, a), at (1.1, -0.5, -0.3), axis (0.8, 0.9, 0.8)
joint s: slider(a, b), axis (-0.9, -0.7, -0.4)
joint l: ball(b, a), at (0.7, -1.2, -0.9)
",
            1,
        ),
        (
            "joint h: hinge(a, b), at (-0.7, -0.7, -0.4), axis (0.172, 0.509, 0.668)
joint l: hinge(b, a), at (-0.5, -0.4, -0.8), axis (0.172, 0.509, 0.668)
",
            6,
        ),
        (
            "joint h: hinge(a, b), at (-0.3, 0.3, -0.2), axis (0.008, -0.967, -0.013)
joint l: ball(b, a), at (0.6, 0.3, -0.3)
",
            6,
        ),
        // Here the start is singular: what the planar joint holds has no slope in some directions.
        (
            "joint u: universal(a, ground), at (0, 0, 1), axis (1, 0, 1) (1, 0, -1)
joint p: planar(a, ground), axis z
joint f: fixed(a, b)
",
            1,
        ),
    ] {
        let text = format!("{two}{joints}");
        for one in [by_joints(&text), by_bodies(&text)] {
            let verdict = one.check().unwrap();
            assert!(verdict.is_accepted() && verdict.degrees_of_freedom() == Some(freedom), "{verdict}");
        }
    }
}

/// A spin is that of the body in the world, whatever carries it and wherever the start puts it.
#[test]
fn spins_are_those_of_bodies_in_the_world() {
    let carried = "\
body b1: box(0.6, 0.7, 0.4) of 0.7, at (-0.9, -0.6, 0.5)
body b2: box(1, 0.6, 0.3) of 0.6, at (0.4, 0.6, 0), turned x by 0.5
joint j0: ball(ground, b1), at (-0.6, 0.2, -0.4)
joint j1: ball(b1, b2), at (-0.4, -0.8, -0.7)
start b1.spin = (1, 2, 3), b2.spin = (3, -1, 2)
output w: b2.spin
output e: (3, -1, 2)
";
    let turned = "\
body b1: box(1, 0.5, 0.2) of 1.5, at (0.3, 0.1, 0.2)
body b2: box(1, 0.5, 0.2) of 2, at (1, 0, 0), turned x by 0.5
joint j1: hinge(ground, b1), at (0, 0, 0), axis (0.6, 0.8, 0)
joint j2: ball(b1, b2), at (0.5, 0, 0)
start j1 = 0.3, j1' = 0.5, b2.spin = 3*b2.e2 - b1.e1
output w: b2.spin
output e: 3*b2.e2 - b1.e1
";
    for text in [carried, turned] {
        for one in [by_joints(text), by_bodies(text)] {
            let run = one.run(Run::until(0.1)).unwrap();
            for axis in 1..=3 {
                let [found, given] = ["w", "e"].map(|name| run.column(&format!("{name}.{axis}")).unwrap()[0]);
                assert!((found - given).abs() < 1e-12, "{found} instead of {given}\n{text}");
            }
        }
    }
}

/// A fixed joint that repeats another has rows that are constants: zero but for rounding, in any pose.
#[test]
fn a_fixed_joint_given_twice_changes_nothing() {
    let once = "\
body b0: mass = 1, inertia = (1, 1, 1), at (-0.5, 0, 1), axes (0.8724445156053311, 0.3505438259990124, -0.340528402991811) (-0.27661447110432574, 0.9286297973328598, 0.24724711096634877)
body b1: mass = 1, inertia = (1, 2, 1), at (1, 0, 0), turned x by 0.7, then y by 0.3
body b2: mass = 1, inertia = (1, 2, 1), at (1, 0.3, 0.1), turned z by 0.7, then y by 0.3
joint j1: hinge(ground, b1), at (0, 0, 0), axis (1, 2, 3)
joint j0: fixed(ground, b0), at (0, -0.3, -0.3)
joint j2: fixed(b1, b2), at (0.7, -0.3, -0.3)
gravity (0, 0, -9.81)
start j1 = 0
";
    let twice =
        format!("{once}joint d0: fixed(ground, b0), at (0, -0.3, -0.3)\njoint d2: fixed(b2, b1), at (0.1, 0.2, 0.7)\n");
    let found = [once.to_string(), twice].map(|text| [by_joints(&text), by_bodies(&text)]);
    let of = |system: &holonom::System| system.check().unwrap().acceleration("j1").unwrap();
    let expected = of(&found[0][0]);
    for system in found.iter().flatten() {
        assert!((of(system) - expected).abs() < 1e-9, "{} and {expected}", of(system));
        assert!(system.messages().iter().all(|message| message.code != "idle-constraint"));
    }
}

/// Two sliders along one direction and a hinge across them: the sliders move together, whatever rounding says along them.
#[test]
fn parallel_sliders_move_together() {
    for axis in ["(0.077, -0.767)", "(0.3, 0.8)", "(1, 0)", "(-0.613, 0.2117)"] {
        let text = format!(
            "body b1: box(0.420, 0.372) of 2.692, at (-0.307, 0.215), turned z by (0.865)\n\
             body b2: box(1.262, 1.171) of 2.216, at (-0.387, 0.416), turned z by (0.143)\n\
             body b3: box(0.403, 0.470) of 0.776, at (0.249, 0.030)\ngravity (0, -9.81)\n\
             joint j1: hinge(b1, ground), at (0.436, -0.097)\njoint j2: slider(b1, b2), at (0.202, -0.680), axis {axis}\n\
             joint j3: slider(b3, b2), at (0.626, -0.061), axis {axis}\njoint j4: hinge(b1, b3), at (-0.520, -0.310)\n"
        );
        for system in [by_joints(&text), by_bodies(&text)] {
            let verdict = system.check().unwrap_or_else(|rejection| panic!("{axis}: {rejection}"));
            assert_eq!(verdict.degrees_of_freedom(), Some(2), "{axis}");
        }
    }
}

/// A slider-crank driven through a thousand turns: angles are counted through all of them, places and reactions stay right.
#[test]
fn a_crank_is_driven_through_a_thousand_turns() {
    let text = "\
param w = 2*pi, r = 0.3, l = 1
body crank: rod(r) of 1, from (0, 0) to (r, 0)
body coupler: rod(l) of 2, from (r, 0) to (r + l, 0)
body piston: box(0.2, 0.1) of 3, at (r + l, 0)
gravity (0, -9.81)
joint A: hinge(ground, crank), at (0, 0)
joint B: hinge(crank, coupler), at (r, 0)
joint C: hinge(coupler, piston), at (r + l, 0)
joint D: slider(ground, piston), at (r + l, 0), axis x
drive motor: A = w*t
output off: piston.x - (r*cos(w*t) + sqrt(l^2 - r^2*sin(w*t)^2))
output turns: A/(2*pi), push: norm(reaction(A)), torque: reaction(motor)
run until 1000, every 7.37
";
    let runs = [by_joints(text), by_bodies(text)]
        .map(|system| system.run(Run::default()).unwrap_or_else(|rejection| panic!("{rejection}")));
    for run in &runs {
        let off = run.column("off").unwrap().iter().fold(0.0_f64, |most, off| most.max(off.abs()));
        assert!(off < 1e-10 && (run.last("turns").unwrap() - run.times().last().unwrap()).abs() < 1e-9, "{off}");
        assert!(run.evidence().energy_imbalance < 1e-5, "{}", run.evidence().energy_imbalance);
    }
    for name in ["push", "torque"] {
        let [one, other] = [0, 1].map(|which: usize| runs[which].column(name).unwrap());
        let apart = one.iter().zip(&other).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()));
        assert!(apart < 1e-8, "{name}: {apart}");
    }
}
