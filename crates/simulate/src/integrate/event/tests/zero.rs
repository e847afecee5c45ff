//! Triggers that are exactly zero: at the start, and after what happens at the same instant.

use super::*;

const FLOOR: &str = "param g = 9.81, r = 0.8\ncoord y\nparticle ball: 2 at (0, y)\ngravity (0, -g)\n\
    constraint floor: y = 0, off\n";

/// Bounces at 0 with the speed v, then after 2 rv/g, 2 r²v/g, …
#[test]
fn a_ball_that_begins_on_its_floor_bounces_from_it() {
    for event in ["y falls -> impact floor, restitution = r", "y falls -> set y' = -r*y'", "y < 0 -> set y' = -r*y'"] {
        let run = run(&format!("{FLOOR}start y = 0, y' = -3\nevent bounce: {event}\nrun until 1.5, every 1.5\n"));
        let times = run.times("bounce");
        let (mut t, mut speed) = (0.0, 3.0);
        for found in &times {
            assert!((found - t).abs() < 1e-12, "{event}: {found} {t}");
            speed *= 0.8;
            t += 2.0 * speed / 9.81;
        }
        assert!(t > 1.5 && times.len() == 5, "{event}: {times:?} {:?}", run.outcome.diagnostics);
        assert!(run.last("y") > 0.0);
    }
}

#[test]
fn a_ball_that_leaves_its_floor_comes_back_to_it_once() {
    let run = run(&format!(
        "{FLOOR}start y = 0, y' = 3\nevent bounce: y falls -> impact floor, restitution = r\nrun until 1\n"
    ));
    let times = run.times("bounce");
    assert_eq!(times.len(), 1, "{times:?}");
    assert!((times[0] - 6.0 / 9.81).abs() < 1e-12);
}

/// At rest on its floor it does not fall through: it stays there, or it is said that bounces have no end.
#[test]
fn a_ball_at_rest_on_its_floor_does_not_fall_through() {
    let run = run(&format!("{FLOOR}start y = 0\nevent land: y falls -> add floor\nrun until 1\n"));
    assert_eq!(run.outcome.end, End::Finished, "{:?}", run.outcome.diagnostics);
    assert!(run.last("y").abs() < 1e-13 && run.times("land").len() == 1, "{}", run.last("y"));
    let endless = self::run(&format!("{FLOOR}start y = 0\nevent bounce: y falls -> set y' = -r*y'\nrun until 1\n"));
    assert_eq!(endless.codes(), ["event-zeno"]);
    assert!(endless.outcome.time < 1e-9, "{}", endless.outcome.time);
    // The other way up.
    let up = self::run("coord y\nkinetic y'^2/2\nforce y: 1\nstart y = 0\nevent up: y rises -> stop\nrun until 1\n");
    assert!(up.outcome.end == End::Stopped { event: "up".into() } && up.outcome.time < 1e-9, "{}", up.outcome.time);
}

/// Balls on a line that touch: the first one strikes, and the last one leaves with its speed.
#[test]
fn balls_that_touch_pass_a_stroke_on() {
    let row = "coord x1, x2, x3, x4, x5\nkinetic (x1'^2 + x2'^2 + x3'^2 + x4'^2 + x5'^2)/2\n\
        constraint a: x2 - x1 = 1, b: x3 - x2 = 1, c: x4 - x3 = 1, d: x5 - x4 = 1, off\n\
        event hit_a: x2 - x1 - 1 falls -> impact a, restitution = 1\nevent hit_b: x3 - x2 - 1 falls -> impact b, restitution = 1\n\
        event hit_c: x4 - x3 - 1 falls -> impact c, restitution = 1\nevent hit_d: x5 - x4 - 1 falls -> impact d, restitution = 1\n";
    let row = row.replace(" = 1, b", " = 1, off\nconstraint b").replace(" = 1, c", " = 1, off\nconstraint c");
    let row = row.replace(" = 1, d", " = 1, off\nconstraint d");
    for (x1, t) in [(-2.0, 1.0), (-1.0, 0.0)] {
        let run =
            run(&format!("{row}start x1 = {x1}, x2 = 0, x3 = 1, x4 = 2, x5 = 3, x1' = 1\nrun until 2, every 2\n"));
        for event in ["hit_a", "hit_b", "hit_c", "hit_d"] {
            let times = run.times(event);
            assert!(times.len() == 1 && (times[0] - t).abs() < 1e-9, "{event}: {times:?} {:?}", run.outcome.events);
        }
        let speeds = ["x1'", "x2'", "x3'", "x4'", "x5'"].map(|name| run.last(name));
        for (speed, exact) in speeds.iter().zip([0.0, 0.0, 0.0, 0.0, 1.0]) {
            assert!((speed - exact).abs() < 1e-12, "{speeds:?}");
        }
    }
}

/// A cradle of pendulums that touch: half a period later the first ball is where it began.
#[test]
fn a_cradle_swings_from_side_to_side() {
    let balls = 4;
    let mut text = "param g = 9.81, L = 1, d = 0.1\ncoord a0, a1, a2, a3\ngravity (0, -g)\n".to_string();
    for i in 0..balls {
        text += &format!("particle p{i}: 1 at (d*{i} + L*sin(a{i}), -L*cos(a{i}))\n");
    }
    for i in 0..balls - 1 {
        let gap = format!("L*(sin(a{}) - sin(a{i}))", i + 1);
        text += &format!(
            "constraint touch{i}: {gap} = 0, off\nevent hit{i}: {gap} falls -> impact touch{i}, restitution = 1\n"
        );
    }
    let run = run(&format!("{text}start a0 = -0.5, a1 = 0, a2 = 0, a3 = 0\nrun until 2, every 0.01\n"));
    // A quarter of the period: K(sin 0.25)/√g, by the mean of arithmetic and geometric means.
    let (mut a, mut b) = (1.0f64, 0.25f64.cos());
    for _ in 0..6 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    let quarter = std::f64::consts::FRAC_PI_2 / a / 9.81f64.sqrt();
    for i in 0..balls - 1 {
        // Balls that rest together may touch once more with what rounding left of their speeds.
        let mut times = run.times(&format!("hit{i}"));
        times.dedup_by(|later, earlier| *later - *earlier < 1e-9);
        assert!(times.len() == 2 && (times[0] - quarter).abs() < 1e-7, "{i}: {times:?} {quarter}");
        assert!((times[1] - 3.0 * quarter).abs() < 1e-7, "{i}: {times:?}");
    }
    let highest = run.rows.iter().map(|row| row[run.plan.column("a3").unwrap()]).fold(0.0, f64::max);
    assert!((highest - 0.5).abs() < 1e-3, "{highest}");
}

/// A bead that slides off a dome leaves it where 3 cos φ = 2 cos φ₀ + v²/g, once: what rounding has left of the gap there does not close it.
#[test]
fn what_lets_go_does_not_catch_at_once() {
    for i in 0..40 {
        let (angle, v) = (0.02 + 0.005 * f64::from(i), 0.3f64);
        let (s, c) = angle.sin_cos();
        let run = run(&format!(
            "coord x, y\nparticle p: 1 at (x, y)\ngravity (0, -9.81)\nconstraint dome: x^2 + y^2 >= 1\n\
             event off: dome lets go -> record\n\
             start x = {s:?}, y = {c:?}, x' = {:?}, y' = {:?}\nrun until 2, every 2\n",
            v * c,
            -v * s
        ));
        assert_eq!(run.outcome.end, End::Finished, "{:?}", run.outcome.diagnostics);
        assert_eq!(run.times("dome").len(), 1, "{angle}: {:?}", run.outcome.events);
        let y = run.at(run.times("off")[0], "y")[0];
        assert!((y - (2.0 * c + v * v / 9.81) / 3.0).abs() < 1e-9, "{angle}: {y}");
    }
}
