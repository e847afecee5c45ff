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

/// A parallelogram whose places are rounded decimals begins beside the pose in which it is flat, and passes it as a parallelogram.
#[test]
fn a_parallelogram_in_decimals_stays_one_past_flat() {
    let text = "\
body c0: mass = 1, inertia = 0.1, at (0.49997500020833263, 0.004999916667083332)
body pl: mass = 1, inertia = 0.2, at (1.7499500004166653, 0.009999833334166664)
body c1: mass = 1, inertia = 0.1, at (1.9999750002083325, 0.004999916667083332)
gravity (0, -2)
joint g0: hinge(ground, c0), at (0, 0)
joint h0: hinge(c0, pl), at (0.9999500004166653, 0.009999833334166664)
joint g1: hinge(ground, c1), at (1.5, 0)
joint h1: hinge(c1, pl), at (2.499950000416665, 0.009999833334166664)
start g0' = -1
output turn: pl.spin
";
    for (which, system) in [("joints", by_joints(text)), ("bodies", by_bodies(text))] {
        for until in [0.3, 0.6] {
            let run = system.run(Run::until(until)).unwrap_or_else(|rejection| panic!("{which}: {rejection}"));
            let turn = run.last("turn").expect("an output");
            assert!(turn.abs() < 1e-7, "{which}, until {until}: the plate turns at {turn}");
        }
    }
}

/// The hinges of a spherical loop lie near its centre, so that points say little of what axes say well: rows that are known best lead.
#[test]
fn a_spherical_loop_is_followed_at_every_tolerance() {
    let text = "\
body b1: mass = 0.23, inertia = [[0.11, 0.02, -0.02], [0.02, 0.141719133920238, 0.01], [-0.02, 0.01, 0.16]], centre = (-0.19970165722228464, 0.12, 0.17), at (-0.863, 0.0565501528406134, -1.42), axes (0.7001164026397566, -0.01, 0.714) (-0.6399, 0.432, 0.6354255416398285)
body b2: mass = 0.6443194392497121, inertia = [[0.032, 0.0, 0.005], [0.0, 0.04, -0.0], [0.005, -0.0, 0.03]], centre = (-0.08, 0.11, 0.54), at (1.1, 0.47, 1.48), axes (-0.62, 0.7285800266036232, 0.2983906243857729) (0.77, 0.4914, 0.4)
body b3: mass = 0.7289966182759646, inertia = [[0.07, 0.01, -0.0], [0.01, 0.0466, 0.010009209869138159], [-0.0, 0.010009209869138159, 0.08]], centre = (-0.15, -0.17, 0.1104), at (-1.216, 0.3148636794769924, 0.7789011563056419), axes (-0.008673336100842421, -0.6681885071785904, 0.7439414574516795) (0.6297949039399081, 0.574, 0.5230938026456105)
gravity (3.6293, -8.813561106224975, 2.320676940979478)
joint j0: hinge(ground, b1), at (0.5837066382817645, -1.876856530229569, -0.995307096724477), axis (0.9743503391011475, 0.1593476456401793, -0.15890168193700965)
joint j1: hinge(b1, b2), at (-0.23963866976206005, -0.8840781411580396, -0.6704712634506632), axis (0.2943935868353176, 0.9499630038463456, 0.10441603015564452)
joint j2: hinge(b2, b3), at (-0.6504642437493596, -2.5199789185149983, -0.7481858687731384), axis (0.09435673124865045, 0.9886978324766452, -0.1165049497834899)
joint j3: hinge(b3, ground), at (-1.7844670088909051, -3.1530962159650096, -1.2779104934357166), axis (-0.7055758399938732, -0.6483834420667034, -0.28593993437551557)
torque j3: 2.6211329448738665
start j3 = 0.03
";
    let mut ends = Vec::new();
    for rtol in [1e-7, 1e-8, 3e-9, 1e-9, 3e-10, 1e-10, 1e-11] {
        let run = by_joints(text).run(Run { rtol: Some(rtol), ..Run::until(0.4) });
        let run = run.unwrap_or_else(|rejection| panic!("{rtol}: {rejection}"));
        let held = run.evidence().position_residual.max(run.evidence().velocity_residual);
        assert!(held < 1e-12, "{rtol}: {held}");
        ends.push(run.last("j3").expect("a column"));
    }
    let last = ends[ends.len() - 1];
    assert!(ends.iter().all(|end| (end - last).abs() < 1e-6), "{ends:?}");
}
