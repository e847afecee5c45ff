//! What was found by trying to break motions: each model is small, and its right answer is known in closed form.

use holonom::System;
use holonom::simulate::integrate::{End, Outcome, RecordedRows, Run};

/// The last row of outputs of a text, and what came of its run.
fn last(text: &str, until: f64, rtol: f64) -> (Vec<f64>, Outcome) {
    let system = System::parse("found.holo", text).expect("a model");
    let outputs: usize = system.equations().model.outputs.iter().map(|output| output.components.len()).sum();
    let options = Run { until: Some(until), rtol: Some(rtol), max_steps: Some(50_000), ..Run::default() };
    let plan = system.plan(&options).expect("a plan").value;
    let mut trajectory = RecordedRows::default();
    let outcome = plan.run(&mut trajectory);
    let row = trajectory.rows.last().cloned().unwrap_or_default();
    (row[row.len() - outputs..].to_vec(), outcome)
}

/// Two mechanisms in one model have their bends at different times: each moves as it does alone.
#[test]
fn two_slider_cranks_that_nearly_cross() {
    let crank = |i: usize, start: &str| {
        format!(
            "coord x{i}, y{i}, s{i}\nkinetic (x{i}'^2 + y{i}'^2 + s{i}'^2)/2\nconstraint crank{i}: x{i}^2 + y{i}^2 = 1\n\
             constraint rod{i}: (s{i} - x{i})^2 + y{i}^2 = (1 + 1e-8)^2\nstart {start}\noutput o{i}: (x{i}, s{i})\n"
        )
    };
    let (one, two) = ("x1 = 0.6, y1 = 0.8, s1 ~ 1.2, x1' = -0.8", "x2 = 0.8, y2 = 0.6, s2 ~ 1.6, x2' = -0.6");
    for rtol in [1e-5, 1e-7, 1e-9] {
        let (both, outcome) = last(&(crank(1, one) + &crank(2, two)), 4.0, rtol);
        assert!(outcome.end == End::Finished && outcome.ranks.is_empty(), "{rtol:e}: {:?}", outcome.diagnostics);
        let alone = [last(&crank(1, one), 4.0, 1e-10).0, last(&crank(2, two), 4.0, 1e-10).0].concat();
        for (a, b) in both.iter().zip(&alone) {
            assert!((a - b).abs() < 1000.0 * rtol + 1e-6, "{rtol:e}: {both:?} {alone:?}");
        }
    }
}

/// A hyperboloid has one sheet or two: a motion along y = 0 turns back at its waist, or cannot leave its sheet.
#[test]
fn a_hyperboloid_with_a_narrow_waist() {
    for (c, x, z) in [(1e-8, 1.0, 1.0), (-1e-8, -1.0, -1.0), (1e-10, 1.0, 1.0)] {
        let text = format!(
            "coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nconstraint cone: x^2 + y^2 = z^2 + {c:?}\n\
             start x = 1, y = 0, z ~ -1, x' = -1, y' = 0\noutput o: (x, z)\n"
        );
        for exponent in 4..=8 {
            let (found, outcome) = last(&text, 3.0, 10f64.powi(-exponent));
            assert_eq!(outcome.end, End::Finished, "{:?}", outcome.diagnostics);
            assert!(
                (found[0] - 2.0 * x).abs() < 1e-3 && (found[1] - 2.0 * z).abs() < 1e-3,
                "{c:e}, 1e-{exponent}: {found:?}"
            );
        }
    }
}

/// The two coordinates of a pendulum in units that differ by 10¹¹: the motion is that of its angle.
#[test]
fn coordinates_of_very_different_units_in_one_row() {
    let text = |x: f64, y: f64| {
        format!(
            "coord x, y\nlet p = (x/{x:?}, y/{y:?})\nkinetic dot(p', p')/2\npotential 9.81*p.y\nconstraint rod: dot(p, p) = 1\n\
             start x = {:?}, y ~ {:?}\noutput q: p\n",
            0.6 * x,
            -0.8 * y
        )
    };
    let right = last(&text(1.0, 1.0), 2.0, 1e-12).0;
    for (x, y) in [(1e6, 1e-5), (1e6, 1e-6), (1e12, 1.0), (1.0, 1e-12)] {
        for rtol in [1e-5, 1e-7, 1e-9] {
            let (found, outcome) = last(&text(x, y), 2.0, rtol);
            let error = (found[0] - right[0]).abs().max((found[1] - right[1]).abs());
            assert!(error < 1000.0 * rtol, "({x:e}, {y:e}) at {rtol:e}: {error:e} {:?}", outcome.statistics);
        }
    }
}

/// A symmetric top without forces: q is a product of two turns, at √1601 about (1, 0, 40) and −20 about its own axis.
#[test]
fn a_fast_top_keeps_its_digits() {
    let text = "coord q0, q1, q2, q3\nlet w1 = 2*(-q1*q0' + q0*q1' + q3*q2' - q2*q3')\n\
        let w2 = 2*(-q2*q0' - q3*q1' + q0*q2' + q1*q3')\nlet w3 = 2*(-q3*q0' + q2*q1' - q1*q2' + q0*q3')\n\
        kinetic (w1^2 + w2^2 + 2*w3^2)/2\nconstraint unit: q0^2 + q1^2 + q2^2 + q3^2 = 1\n\
        start q0 = 1, q1 = 0, q2 = 0, q3 = 0, q1' = 0.5, q2' = 0, q3' = 10\noutput a: (q0, q1), b: (q2, q3)\n";
    let t = 20.0;
    let length = 1601f64.sqrt();
    let half = |angle: f64, axis: [f64; 3]| {
        let (s, c) = (angle / 2.0).sin_cos();
        [c, s * axis[0], s * axis[1], s * axis[2]]
    };
    let (a, b) = (half(length * t, [1.0 / length, 0.0, 40.0 / length]), half(-20.0 * t, [0.0, 0.0, 1.0]));
    let right =
        [a[0] * b[0] - a[3] * b[3], a[1] * b[0] + a[2] * b[3], a[2] * b[0] - a[1] * b[3], a[3] * b[0] + a[0] * b[3]];
    for (rtol, within) in [(1e-8, 3e-9), (1e-9, 5e-10), (1e-10, 1e-10), (1e-11, 1e-10)] {
        let (found, _) = last(text, t, rtol);
        let error = found.iter().zip(right).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max);
        assert!(error < within, "{rtol:e}: {error:e}");
    }
}

/// What hangs at rest stays there, in a few steps, also where its rods are given twice.
#[test]
fn a_double_pendulum_at_rest_with_repeated_rows() {
    let text = "particle p0: 1 in plane, p1: 1 in plane\ngravity (0, -9.81)\nconstraint a0: norm(p0) = 1.1\n\
        constraint b0: dot(p0, p0) = 1.1^2\nconstraint a1: norm(p1 - p0) = 0.8\nconstraint b1: dot(p1 - p0, p1 - p0) = 0.8^2\n\
        start p0 = (0, -1.1), p1 = (0, -1.9000000000000001)\noutput o: p1\n";
    for rtol in [1e-6, 1e-9, 1e-12] {
        let (found, outcome) = last(text, 5.0, rtol);
        assert!((found[1] + 1.9).abs() < 1e-14 && outcome.statistics.steps < 500, "{rtol:e}: {:?}", outcome.statistics);
    }
}

/// A row with a factor whose square is no number loses no rank for that.
#[test]
fn a_row_with_a_tiny_factor() {
    let text = |factor: &str| {
        format!(
            "particle p0: 1 in plane, p1: 1 in plane\ngravity (0, -9.81)\nconstraint a: dot(p0, p0) = 1\n\
             constraint b: {factor}*dot(p1 - p0, p1 - p0) = {factor}\nstart p0 = (0.6, -0.8), p1 = (1.4, -1.4)\noutput o: p1\n"
        )
    };
    let right = last(&text("1"), 2.0, 1e-9).0;
    for factor in ["1e-200", "1e200", "1e-290"] {
        let (found, outcome) = last(&text(factor), 2.0, 1e-9);
        assert!(outcome.end == End::Finished && outcome.ranks.is_empty(), "{factor}: {:?}", outcome.diagnostics);
        assert!((found[0] - right[0]).abs() < 1e-7 && (found[1] - right[1]).abs() < 1e-7, "{factor}: {found:?}");
    }
}
