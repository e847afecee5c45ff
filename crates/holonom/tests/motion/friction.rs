//! Friction in motion: closed forms of blocks on inclines, reactions that feel the friction they feed, and rest that is rest.

use super::running::{Ran, prepare, run, run_gallery, with};
use holonom::simulate::integrate::{End, RecordedRows, Run};
use std::path::Path;

const G: f64 = 9.81;

/// A block of 1 kg on a plane at an angle, released with a speed along it (positive upwards).
fn incline(degrees: f64, mu: f64, speed: f64) -> Ran {
    let text = "param th = 0.5, mu = 0, v0 = 0, g = 9.81
coord x, y
particle block: 1 at (x, y)
gravity (0, -g)
constraint plane: y*cos(th) = x*sin(th)
friction plane: coulomb(mu)
start x = 0, x' = v0*cos(th)
output s: x*cos(th) + y*sin(th)
output v: x'*cos(th) + y'*sin(th)
output a: x''*cos(th) + y''*sin(th)
run until 3, every 0.01
";
    run(text, &Run::default(), &[("th", degrees.to_radians()), ("mu", mu), ("v0", speed)])
}

/// s̈ = −g(sin θ + µ cos θ sgn ṡ) while it slides; it stays where it stops if µ ≥ tan θ.
fn exact(degrees: f64, mu: f64, speed: f64) -> impl Fn(f64) -> [f64; 2] {
    let (sin, cos) = degrees.to_radians().sin_cos();
    let a = -G * (sin + mu * cos * speed.signum() * f64::from(speed != 0.0));
    let stop = if speed != 0.0 && speed * a < 0.0 { -speed / a } else { f64::INFINITY };
    move |t| {
        if t <= stop {
            return [speed * t + a * t * t / 2.0, speed + a * t];
        }
        let there = speed * stop / 2.0;
        if mu * cos >= sin {
            return [there, 0.0];
        }
        let back = -G * (sin - mu * cos);
        [there + back * (t - stop).powi(2) / 2.0, back * (t - stop)]
    }
}

#[test]
fn blocks_on_inclines_follow_the_closed_form() {
    for (degrees, mu, speed) in [(36.0, 0.0, 0.0), (30.0, 0.8, 5.0), (30.0, 0.3, 5.0), (30.0, 0.8, -2.0)] {
        let run = incline(degrees, mu, speed);
        let worst = run.deviation(["s", "v"], exact(degrees, mu, speed));
        assert!(worst < 1e-9, "{degrees}° µ = {mu}, v = {speed}: {worst:e}");
        assert!(run.worst_residual() < 1e-12);
        assert!(run.imbalance() < 1e-12, "{:e}", run.imbalance());
    }
}

#[test]
fn rest_is_rest_to_the_last_digit() {
    for speed in [5.0, -2.0] {
        let run = incline(30.0, 0.8, speed);
        let stop = run.outcome.events[0].time;
        assert_eq!((run.outcome.events.len(), run.outcome.events[0].action.as_str()), (1, "sticks"));
        let rows = run.columns(["t", "x", "y", "x'", "y'", "x''", "y''"]);
        let rest: Vec<_> = rows.iter().filter(|row| row[0] > stop).collect();
        assert!(rest.len() > 150);
        for row in &rest {
            assert_eq!(row[1..3], rest[0][1..3], "it creeps");
            assert_eq!(row[3..], [0.0; 4]);
        }
    }
    let run = incline(30.0, 0.8, 0.0); // never moves
    assert!(run.columns(["x", "y", "x'", "y'"]).as_flattened().iter().all(|x| *x == 0.0));
}

#[test]
fn a_block_that_turns_does_so_at_the_right_moment() {
    let run = incline(30.0, 0.3, 5.0);
    let (sin, cos) = 30f64.to_radians().sin_cos();
    let turn = &run.outcome.events[0];
    assert_eq!((turn.name.as_str(), turn.action.as_str()), ("plane", "turns"));
    assert!((turn.time - 5.0 / (G * (sin + 0.3 * cos))).abs() < 1e-12);
}

/// The rail's load depends on the friction, and the friction on it: −1.962 m/s², where the ideal force would give −1.09.
#[test]
fn a_cart_on_a_rough_rail_feels_the_total_reaction() {
    let run = run_gallery("cart-and-bob/cart-and-bob", &with(|o| o.every = Some(0.01)), &[]);
    assert!((run.column("cart.x''")[0] + 1.962).abs() < 1e-12);
    assert!(run.column("cart.x'").iter().all(|v| *v > -1e-25), "friction never turns it round");
    assert!(run.imbalance() < 1e-9);
    assert_eq!(run.outcome.events[0].action, "sticks");
    let rows = run.columns(["t", "cart.x", "cart.x'"]);
    let held: Vec<_> = rows.iter().filter(|row| row[0] > run.outcome.events[0].time).collect();
    assert!(held.iter().all(|row| row[2] == 0.0 || row[2].abs() < 1e-25), "what sticks does not creep");
    assert!(held.iter().all(|row| (row[1] - held[0][1]).abs() < 1e-14), "nor do rounding errors move it");
}

/// At both ends of a ladder that slides, friction is µ times the reaction that is there with it.
#[test]
fn a_ladder_slides_with_friction_from_its_actual_reactions() {
    let run = run_gallery("ladder/ladder", &with(|o| o.every = Some(0.01)), &[]);
    let (mu, l, m) = (0.2, 1.0, 1.0);
    for row in run.columns(["theta", "theta'", "theta''", "reaction.floor", "reaction.wall"]) {
        let [th, w, a, floor, wall] = row;
        let (sin, cos) = f64::sin_cos(th);
        // The centre moves by (L/2)(cos, sin): its acceleration against what acts on it.
        let (ax, ay) = (l / 2.0 * (-a * sin - w * w * cos), l / 2.0 * (a * cos - w * w * sin));
        assert!((m * ax - (wall - mu * floor)).abs() < 1e-9, "{row:?}");
        assert!((m * ay - (floor + mu * wall - m * G)).abs() < 1e-9, "{row:?}");
    }
    let steep = run_gallery("ladder/rests", &with(|o| o.every = Some(0.1)), &[]);
    assert!(steep.columns(["theta'", "theta''", "x'", "y'"]).as_flattened().iter().all(|x| *x == 0.0));
}

/// A block on a belt, held by a spring: it sticks until the spring pulls µₛ N, slides back, and sticks again, for ever alike.
#[test]
fn a_block_on_a_belt_sticks_and_slips_in_a_cycle() {
    let text = "param m = 1, k = 4, mk = 0.2, ms = 0.4, g = 9.81, belt = 0.3
coord x, y
particle block: m at (x, y)
gravity (0, -g)
potential k*x^2/2
constraint table: y = 0
friction table: coulomb(mk, ms), slip = x' - belt, normal = reaction(table)
start x = 0, x' = belt
run until 30, every 0.01
";
    let run = run(text, &Run::default(), &[]);
    let events = &run.outcome.events;
    let sliding: Vec<f64> = events.iter().filter(|e| e.action == "slides").map(|e| e.time).collect();
    let sticking: Vec<f64> = events.iter().filter(|e| e.action == "sticks").map(|e| e.time).collect();
    assert!(sliding.len() > 4 && sticking.len() + 1 >= sliding.len(), "{events:?}");
    // It first gives way where k x = µₛ m g.
    assert!((sliding[0] - 0.4 * G / 4.0 / 0.3).abs() < 1e-8, "{} {}", sliding[0], 0.4 * G / 4.0 / 0.3);
    // Then it slides as x = x₀ + A cos(ω(t − t₁) − δ) about µₖ m g/k until its speed is that of the belt again.
    let (w, middle, first) = (2.0f64, 0.2 * G / 4.0, 0.4 * G / 4.0);
    let slip = 2.0 / w * (std::f64::consts::PI - f64::atan(w * (first - middle) / 0.3));
    assert!((sticking[0] - sliding[0] - slip).abs() < 1e-9, "{} {slip}", sticking[0] - sliding[0]);
    let period = sliding[2] - sliding[1];
    assert!((sliding[4] - sliding[3] - period).abs() < 1e-9);
    assert!(run.imbalance() < 1e-9, "{:e}", run.imbalance());
}

/// A law that becomes negative would drive what slides: that ends a run by name, at the start or where it happens.
#[test]
fn friction_that_drives_is_an_error() {
    let text = "coord x, y
particle block: 1 at (x, y)
gravity (0, -9.81)
constraint floor: y = 0
friction floor: LAW
start x = 0, x' = 3
run until 1
";
    for (law, code) in
        [("coulomb(0.3 - x)", "negative"), ("law(normal*(0.2 - t))", "negative"), ("viscous(1 - 2*x)", "negative")]
    {
        let plan = prepare(&text.replace("LAW", law), Path::new("."), &Run::default(), &[]);
        let outcome = plan.run(&mut RecordedRows::default());
        assert_eq!(outcome.end, End::Failed, "{law}");
        assert_eq!(outcome.diagnostics[0].code, code, "{law}");
        assert!(outcome.diagnostics[0].message.contains("the friction of `floor` is negative"), "{law}");
    }
}

/// A slip that is 10⁻³⁰⁰ of a velocity feels next to no friction, and is slip all the same: its square is not.
#[test]
fn the_smallest_slip_is_no_rest() {
    for factor in ["1", "1e-150", "1e-300"] {
        let text = format!(
            "coord x, y
particle block: 1 at (x, y)
gravity (0, -9.81)
constraint floor: y = 0
friction floor: coulomb(0.1), slip = {factor}*x', normal = reaction(floor)
start x = 0, x' = 3
run until 1
"
        );
        let felt = factor.parse::<f64>().unwrap();
        let [v] = run(&text, &Run::default(), &[]).last(["x'"]);
        assert!((v - (3.0 - 0.981 * felt)).abs() < 1e-9, "{factor}: {v}");
    }
}
