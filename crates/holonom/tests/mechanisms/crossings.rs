//! Motions through singular configurations, and of chains that are straight: alike in both formulations.

use super::known::{by_bodies, by_joints};
use holonom::Run;

/// Two parallel sliders and two hinges: as the last hinge comes abreast of the first one, the first body could begin to turn. It never does,
/// whatever steps the run takes there.
#[test]
fn sliders_that_are_parallel_stay_so_past_the_hinge() {
    let text = "\
body b1: box(1.249, 0.515) of 1.567, at (0.025, 0.436)
body b2: box(0.612, 0.641) of 2.416, at (0.160, -0.360), turned z by (0.401)
body b3: box(0.957, 0.548) of 1.789, at (0.180, -0.107), turned z by (2.139)
body b4: box(1.479, 0.301) of 2.951, at (0.060, 0.948)
body b5: box(1.380, 1.379) of 2.844, at (0.718, -0.935)
gravity (0, -9.81)
joint j1: hinge(b1, ground), at (-0.997, -0.317)
joint j2: slider(b2, ground), at (-0.227, 0.481), axis (0.3, 0.8)
joint j3: slider(b1, b3), at (0.524, 0.063), axis (0.3, 0.8)
joint j4: hinge(ground, b4), at (-0.017, 0.099)
joint j5: hinge(b5, b2), at (-0.073, -0.431)
joint j6: hinge(b2, b3), at (-0.521, -0.478)
output turn: b1.spin
";
    for (which, system) in [("joints", by_joints(text)), ("bodies", by_bodies(text))] {
        for until in [0.07, 0.1, 0.12, 0.15, 0.2, 0.22, 0.25, 0.3, 0.5] {
            let run = system.run(Run::until(until)).unwrap_or_else(|rejection| panic!("{which}: {rejection}"));
            let turn = run.last("turn").expect("an output");
            assert!(turn.abs() < 1e-8, "{which}, until {until}: turns at {turn}");
            let steps = run.outcome().statistics.steps + run.outcome().statistics.rejected;
            assert!(steps < 40, "{which}, until {until}: {steps} attempts");
        }
    }
}

/// A chain that begins straight: no mass is lost on the way along it, and what rounding makes of its accelerations is no motion.
#[test]
fn straight_chains_take_few_steps_and_fall_alike() {
    for count in [14, 30] {
        let text = format!(
            "param g = 9.81\nbody b[i in 1..{count}]: rod(1) of 1, from (i-1, 0, 0) to (i, 0, 0)\ngravity (0, 0, -g)\n\
             joint j[1]: hinge(ground, b[1]), at (0, 0, 0), axis y\n\
             joint j[i in 2..{count}]: hinge(b[i-1], b[i]), at (i-1, 0, 0), axis y\noutput tip: b[{count}](0.5, 0, 0)\n"
        );
        let [joints, bodies] = [by_joints(&text), by_bodies(&text)].map(|system| {
            let verdict = system.check().unwrap_or_else(|rejection| panic!("{rejection}"));
            assert!(verdict.is_accepted() && verdict.degrees_of_freedom() == Some(count), "{verdict}");
            let run = system.run(Run::until(0.1)).unwrap_or_else(|rejection| panic!("{rejection}"));
            let steps = run.outcome().statistics.steps + run.outcome().statistics.rejected;
            assert!(steps < 60, "{count}: {steps} attempts");
            ["tip.1", "tip.3"].map(|name| run.last(name).expect("an output"))
        });
        for (joints, bodies) in joints.iter().zip(bodies) {
            assert!((joints - bodies).abs() < 1e-7 * count as f64, "{count}: {joints} and {bodies}");
        }
    }
}
