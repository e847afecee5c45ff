//! One-sided constraints against closed forms: floors, ropes, hills, stops and feet that catch, hold and let go by themselves.

use super::running::{Ran, finish, prepare, reference, run};
use holonom::simulate::integrate::{End, RecordedRows, Run};
use std::f64::consts::{FRAC_PI_2, PI};
use std::path::Path;

const G: f64 = 9.81;
/// What a closed form and a run may differ by. Motions that are no parabolas run with a tolerance below it.
const CLOSE: f64 = 1e-9;
/// Where several rows hold a body, rest is rest to the rounding of a projection.
const ROUNDING: f64 = 1e-14;
/// Steps of the reference for pieces without a closed form; it is good to 1e-12 with them.
const STEPS: usize = 2000;

/// The last change of a constraint.
fn last_change(run: &Ran, name: &str) -> f64 {
    run.outcome.events.iter().rfind(|event| event.name == name).unwrap_or_else(|| panic!("nothing of `{name}`")).time
}

/// Where a function that is positive before and negative after passes zero.
fn root(f: impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> f64 {
    for _ in 0..80 {
        let middle = 0.5 * (low + high);
        if f(middle) > 0.0 { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

/// Rows after a time are those of the first of them, and velocities are zero: to the last digit where one row holds, else to rounding.
fn rests_within(run: &Ran, after: f64, names: &[&str], rounding: f64) {
    let times = run.column("t");
    for name in names {
        let column = run.column(name);
        let rest: Vec<f64> = times.iter().zip(&column).filter(|(t, _)| **t > after).map(|(_, x)| *x).collect();
        assert!(rest.len() > 5, "too few rows after {after}");
        assert!(rest.iter().all(|x| (x - rest[0]).abs() <= rounding), "{name} creeps: {rest:?}");
        assert!(!name.ends_with('\'') || rest[0].abs() <= rounding, "{name} is {:e}", rest[0]);
    }
}

/// The same to the last digit.
fn rests(run: &Ran, after: f64, names: &[&str]) {
    rests_within(run, after, names, 0.0);
}

/// Height and velocity of a ball that fell from h with restitution e; it rests at (1 + e)/(1 − e) √(2h/g).
fn bouncing(h: f64, e: f64, t: f64) -> [f64; 2] {
    let first = (2.0 * h / G).sqrt();
    if t < first {
        return [h - G * t * t / 2.0, -G * t];
    }
    let (mut s, mut v) = (t - first, e * G * first);
    while s > 2.0 * v / G {
        s -= 2.0 * v / G;
        v *= e;
        if v < 1e-16 {
            return [0.0, 0.0];
        }
    }
    [v * s - G * s * s / 2.0, v - G * s]
}

#[test]
fn a_bouncing_ball_comes_to_rest_in_time() {
    for e in [0.8, 0.5, 0.1] {
        let text = format!(
            "coord x, y
particle ball: 2 at (x, y)
gravity (0, -{G})
constraint floor: y >= 0, restitution = {e}
start x = 0, y = 1, x' = 0.5
run until 6, every 0.05
"
        );
        let run = run(&text, &Run::default(), &[]);
        let rest = (1.0 + e) / (1.0 - e) * (2.0 / G).sqrt();
        assert!((last_change(&run, "floor") - rest).abs() < CLOSE, "{:e}", last_change(&run, "floor") - rest);
        let worst = run.deviation(["x", "y"], |t| [0.5 * t, bouncing(1.0, e, t)[0]]);
        assert!(worst < CLOSE, "e = {e}: {worst:e}");
        rests(&run, rest, &["y", "y'", "y''"]);
        let [y, load] = run.last(["y", "reaction.floor"]);
        assert!(y == 0.0 && (load - 2.0 * G).abs() < CLOSE, "{y:e} {load}");
    }
}

/// A ball that lands without restitution loses µ times the velocity of its fall at once, slides on by −µ g, and stops. With a velocity below that
/// it stops where it lands.
#[test]
fn a_ball_that_lands_slides_and_stops() {
    for speed in [2.0f64, -4.0, 1.0] {
        let text = format!(
            "coord x, y
particle ball: 2 at (x, y)
gravity (0, -{G})
constraint floor: y >= 0
friction floor: coulomb(0.5)
start x = 0, y = 0.5, x' = {speed:?}
run until 2, every 0.05
"
        );
        let run = run(&text, &Run::default(), &[]);
        let land = (1.0 / G).sqrt();
        let left = (speed.abs() - 0.5 * G * land).max(0.0);
        let stop = left / (0.5 * G);
        let worst = run.deviation(["x", "y"], |t| {
            let s = (t - land).clamp(0.0, stop);
            let far = speed.abs() * t.min(land) + left * s - 0.25 * G * s * s;
            [far * speed.signum(), (0.5 - G * t * t / 2.0).max(0.0)]
        });
        assert!(worst < CLOSE, "x' = {speed}: {worst:e}");
        rests(&run, land + stop, &["x", "y", "x'", "y'"]);
    }
}

/// Until it rests, all blows together have the impulse of its weight over that time, so friction has taken µ g t from x' by then, and goes on
/// at that rate.
#[test]
fn a_ball_that_bounces_loses_what_one_that_slides_does() {
    for e in [0.5, 0.8] {
        let text = format!(
            "coord x, y
particle ball: 2 at (x, y)
gravity (0, -{G})
constraint floor: y >= 0, restitution = {e}
friction floor: coulomb(0.2)
start x = 0, y = 1, x' = 12
run until 5, at [4.5, 5]
"
        );
        let run = run(&text, &Run::default(), &[]);
        let worst = run.deviation(["x'"], |t| [if t == 0.0 { 12.0 } else { 12.0 - 0.2 * G * t }]);
        assert!(worst < CLOSE, "e = {e}: {worst:e}");
    }
}

/// What touches at the start is decided by where it is going: at rest it stays, upwards it leaves, downwards it is struck at once.
#[test]
fn what_touches_at_the_start_is_decided_there() {
    for (speed, after) in [(0.0, 0.0), (1.0, 1.0), (-1.0, 0.5)] {
        let text = format!(
            "coord y
kinetic y'^2/2
force y: -{G}
constraint floor: y >= 0, restitution = 0.5
start y = 0, y' = {speed:?}
run until 0.1, every 0.01
"
        );
        let run = run(&text, &Run::default(), &[]);
        let worst = run.deviation(["y"], |t| [(after * t - G * t * t / 2.0) * f64::from(after != 0.0)]);
        assert!(worst < CLOSE, "y' = {speed}: {worst:e}");
        if after == 0.0 {
            rests(&run, -1.0, &["y", "y'"]);
        }
    }
}

/// Three rows for one floor: they share the load, and the ball rests.
#[test]
fn a_floor_that_is_given_three_times_is_one_floor() {
    let text = format!(
        "coord y
kinetic y'^2/2
force y: -{G}
constraint floor[i in 1..3]: i*y >= 0, restitution = 0.5
start y = 1
run until 3, every 0.05
"
    );
    let run = run(&text, &Run::default(), &[]);
    let worst = run.deviation(["y"], |t| [bouncing(1.0, 0.5, t)[0]]);
    assert!(worst < CLOSE, "{worst:e}");
    rests_within(&run, 3.0 * (2.0 / G).sqrt(), &["y", "y'"], ROUNDING);
}

/// A weight falls from (0.6, 0) beside a hook at the origin. At y = −0.8 its rope of length 1 is taut, after √(1.6/g): the part of its velocity
/// along the rope is gone, and it swings with φ′ = −v sin φ from sin φ = 0.6.
#[test]
fn a_slack_rope_becomes_a_pendulum() {
    let text = format!(
        "particle bob: 1.5 in plane
gravity (0, -{G})
constraint rope: norm(bob) <= 1
start bob = (0.6, 0)
run until 1.5, at [0.2, 1.5], rtol = 1e-11
"
    );
    let run = run(&text, &Run::default(), &[]);
    let taut = (1.6 / G).sqrt();
    let caught = run.outcome.events.iter().find(|event| event.name == "rope").expect("it is taut once").time;
    assert!((caught - taut).abs() < CLOSE, "{:e}", caught - taut);
    let start = [f64::asin(0.6), -0.6 * G * taut];
    let [phi, spin] = reference(|_, y| [y[1], -G * y[0].sin()], start, 1.5 - taut, STEPS);
    let found = run.last(["bob.x", "bob.y", "bob.x'", "bob.y'"]);
    let exact = [phi.sin(), -phi.cos(), spin * phi.cos(), spin * phi.sin()];
    assert!(found.iter().zip(exact).all(|(x, y)| (x - y).abs() < 3.0 * CLOSE), "{found:?} {exact:?}");
    assert!(run.last(["reaction.rope"])[0].abs() > 1.0, "a taut rope pulls");
}

/// A block slides from the top of y = 1 − x⁴/2 with x″ = −f′(g + f″x′²)/(1 + f′²), takes off where f″x′² = −g, flies, and lands on the ground,
/// where it keeps its horizontal velocity.
#[test]
fn a_block_takes_off_from_a_hill_and_lands() {
    let text = format!(
        "coord x, y
particle block: 2 at (x, y)
gravity (0, -{G})
constraint hill: y >= 1 - x^4/2
constraint ground: y >= 0
start x = 0, y = 1, x' = 1.5, y' = 0
run until 1.5, every 0.05, rtol = 1e-11
"
    );
    let run = run(&text, &Run::default(), &[]);
    let slopes = |x: f64| (-2.0 * x.powi(3), -6.0 * x * x);
    let slide = |t: f64| {
        let rate = |_: f64, s: &[f64; 2]| {
            let (f1, f2) = slopes(s[0]);
            [s[1], -f1 * (G + f2 * s[1] * s[1]) / (1.0 + f1 * f1)]
        };
        if t == 0.0 { [0.0, 1.5] } else { reference(rate, [0.0, 1.5], t, STEPS / 4) }
    };
    let off = root(
        |t| {
            let [x, v] = slide(t);
            G + slopes(x).1 * v * v
        },
        0.0,
        1.0,
    );
    let [x0, v] = slide(off);
    let (y0, rise) = (1.0 - x0.powi(4) / 2.0, slopes(x0).0 * v);
    let flight = (rise + (rise * rise + 2.0 * G * y0).sqrt()) / G;
    assert!((last_change(&run, "hill") - off).abs() < CLOSE, "{:e}", last_change(&run, "hill") - off);
    assert!((last_change(&run, "ground") - off - flight).abs() < CLOSE);
    let worst = run.deviation(["x", "y"], |t| {
        if t <= off {
            let x = slide(t)[0];
            return [x, 1.0 - x.powi(4) / 2.0];
        }
        let s = t - off;
        [x0 + v * s, if s < flight { y0 + rise * s - G * s * s / 2.0 } else { 0.0 }]
    });
    assert!(worst < CLOSE, "{worst:e}");
    rests(&run, off + flight, &["y", "y'"]);
}

/// A table that moves as A sin ωt with A ω² = 2g lets a block go at sin ωt = 1/2, and catches it again where the parabola meets it.
#[test]
fn a_shaken_table_lets_go_and_catches() {
    let (w, a) = (10.0, 2.0 * G / 100.0);
    let text = format!(
        "param A = {a:?}, w = {w:?}
coord y
kinetic y'^2/2
force y: -{G}
constraint table: y >= A*sin(w*t)
event up: table lets go -> record
event down: table catches -> record
start y = 0, y' = A*w
run until 0.6, every 0.01
"
    );
    let run = run(&text, &Run::default(), &[]);
    let off = PI / 6.0 / w;
    let fly = |t: f64| a / 2.0 + a * w * (PI / 6.0).cos() * (t - off) - G * (t - off).powi(2) / 2.0;
    let on = root(|t| fly(t) - a * (w * t).sin(), off + 0.1, 0.6);
    let worst = run.deviation(["y"], |t| [if t > off && t < on { fly(t) } else { a * (w * t).sin() }]);
    assert!(worst < CLOSE, "{worst:e}");
    let times =
        |name: &str| -> Vec<f64> { run.outcome.events.iter().filter(|e| e.name == name).map(|e| e.time).collect() };
    let (up, down) = (times("up"), times("down"));
    assert!(up.len() == 1 && (up[0] - off).abs() < CLOSE, "{up:?} {off}");
    assert!(down.len() == 1 && (down[0] - on).abs() < CLOSE, "{down:?} {on}");
}

/// A linear pendulum with a stop at its middle returns every half period with half the velocity.
#[test]
fn a_pendulum_strikes_a_stop_in_its_middle() {
    let (w, e) = (3.0f64, 0.5f64);
    let text = format!(
        "coord th
kinetic th'^2/2
potential {}*th^2/2
stop end: th in -2..0, restitution = {e}
start th = -1
run until 5, every 0.03, rtol = 1e-11
",
        w * w
    );
    let run = run(&text, &Run::default(), &[]);
    let worst = run.deviation(["th", "th'"], |t| {
        let s = w * t - FRAC_PI_2;
        if s < 0.0 {
            return [-(w * t).cos(), w * (w * t).sin()];
        }
        let (size, s) = (e.powf((s / PI).floor() + 1.0), s % PI);
        [-size * s.sin(), -size * w * s.cos()]
    });
    assert!(worst < 4.0 * CLOSE, "{worst:e}");
}

/// A stop at −b that the spring presses against: after the n-th blow it is away for 2/ω atan(uₙ/(ω b)), uₙ = eⁿ u₀, and then it rests there.
#[test]
fn a_pendulum_that_is_pressed_on_its_stop_rests() {
    let (w, b) = (3.0f64, 0.125f64);
    for e in [0.0f64, 0.5] {
        let text = format!(
            "coord th
kinetic th'^2/2
potential {}*th^2/2
stop end: th in -2..-{b}, restitution = {e:?}
start th = -1
run until 4, every 0.05, rtol = 1e-11
",
            w * w
        );
        let run = run(&text, &Run::default(), &[]);
        let (first, u) = (b.acos() / w, w * (1.0 - b * b).sqrt());
        let away: f64 = (1..60).map(|n| 2.0 / w * (u * e.powi(n) / (w * b)).atan()).sum();
        let found = last_change(&run, "end.high");
        assert!((found - first - away).abs() < CLOSE, "e = {e}: {:e}", found - first - away);
        rests(&run, first + away, &["th", "th'", "th''"]);
        assert_eq!(run.last(["th"])[0], -b);
    }
}

/// A uniform rod of half length a that falls at the angle θ on its left end: p = m v/(1 + 3cos²θ); then it turns about that end, which slides:
/// (cos²θ + 1/3) θ″ = sin θ cos θ θ′² − (g/a) cos θ; and when its right end lands both carry it, at rest.
#[test]
fn a_rod_lands_on_one_foot_and_then_on_the_other() {
    let (a, th0) = (0.5, 0.2f64);
    let model = |e: &str, th0: f64| {
        let text = format!(
            "param a = {a}, th0 = {th0:?}
coord x, y, theta
particle middle: 1 at (x, y)
kinetic a^2/6*theta'^2
gravity (0, -{G})
constraint left: y - a*sin(theta) >= 0{e}
constraint right: y + a*sin(theta) >= 0{e}
start x = 0, theta = th0, y = 0.3 + a*sin(th0), x' = 0.25
run until 2, every 0.02, rtol = 1e-11
"
        );
        run(&text, &Run::default(), &[])
    };
    let run = model("", th0);
    let first = (0.6 / G).sqrt();
    let c = th0.cos();
    let spin = -3.0 * c / a * (G * first) / (1.0 + 3.0 * c * c);
    let turn = |t: f64| {
        let rate = |_: f64, s: &[f64; 2]| {
            let (sin, cos) = s[0].sin_cos();
            [s[1], (sin * cos * s[1] * s[1] - G / a * cos) / (cos * cos + 1.0 / 3.0)]
        };
        if t == 0.0 { [th0, spin] } else { reference(rate, [th0, spin], t, STEPS / 4) }
    };
    let second = first + root(|t| turn(t)[0], 0.0, 0.5);
    let worst = run.deviation(["x", "y", "theta"], |t| {
        if t < first {
            return [0.25 * t, 0.3 + a * th0.sin() - G * t * t / 2.0, th0];
        }
        let theta = if t < second { turn(t - first)[0] } else { 0.0 };
        [0.25 * t, a * theta.sin(), theta]
    });
    assert!(worst < CLOSE, "{worst:e}");
    assert!((last_change(&run, "right") - second).abs() < CLOSE);
    rests_within(&run, second, &["y", "theta", "y'", "theta'"], ROUNDING);
    let [left, right] = run.last(["reaction.left", "reaction.right"]);
    assert!((left - G / 2.0).abs() < CLOSE && (right - G / 2.0).abs() < CLOSE);

    // Flat, both ends strike at once, and it bounces like a ball.
    let run = model(", restitution = 0.5", 0.0);
    let worst = run.deviation(["y", "theta"], |t| [bouncing(0.3, 0.5, t)[0], 0.0]);
    assert!(worst < CLOSE, "{worst:e}");
    rests_within(&run, 3.0 * first, &["y", "theta", "y'", "theta'"], ROUNDING);
}

/// Rows about accelerations have terms of their own beside those of a stop: x'' = −x, and the stops are not reached.
#[test]
fn a_stop_beside_a_constraint_of_accelerations() {
    let text = "coord x\nkinetic x'^2/2\nconstraint follow: x'' = -x\nstop end: x in -2..2\nstart x = 1\nrun until 3, every 0.5\n";
    let worst = run(text, &Run::default(), &[]).deviation(["x"], |t| [t.cos()]);
    assert!(worst < CLOSE, "{worst:e}");
}

#[test]
fn a_floor_that_is_missed_by_rounding_is_met_as_expected() {
    let ball =
        "coord y\nkinetic y'^2/2\npotential 10*y\nconstraint floor: y >= 0, restitution = 0.5\nstart y = 1, y' = 0\n";
    let outcome = |claim: &str| {
        let run = run(&format!("{ball}expect {claim}\nrun until 3, every 0.01\n"), &Run::default(), &[]);
        run.outcome.expectations[0].holds
    };
    assert!(outcome("y >= 0"));
    assert!(outcome("y >= 0 and y <= 1"));
    assert!(!outcome("y >= 1e-3"));
    assert!(!outcome("y >= 0 and y' >= -1"));
}

/// What an event sets counts at once, also for a blow at the same moment; outside of 0 to 1 it is refused.
#[test]
fn an_event_that_changes_a_restitution() {
    let text = "param e = 0.5
coord y
kinetic y'^2/2
potential 10*y
constraint floor: y >= 0, restitution = e
event change: t > 0.1 -> set e = VALUE
start y = 0.8
run until 0.5, at [0.45]
";
    let plan = |value: &str| prepare(&text.replace("VALUE", value), Path::new("."), &Run::default(), &[]);
    let run = finish(plan("0.25"));
    let worst =
        run.deviation(["y"], |t| [if t < 0.4 { 0.8 - 5.0 * t * t } else { (t - 0.4) - 5.0 * (t - 0.4).powi(2) }]);
    assert!(worst < CLOSE, "{worst:e}");
    for wrong in ["1.7", "-0.1"] {
        let outcome = plan(wrong).run(&mut RecordedRows::default());
        assert_eq!(outcome.end, End::Failed);
        assert_eq!(outcome.diagnostics[0].code, "event-impossible");
        let message = format!("`change` would make the restitution of `floor` {wrong}");
        assert!(outcome.diagnostics[0].message.contains(&message), "{:?}", outcome.diagnostics);
    }
}

/// A puck strikes a disc of radius 1 without restitution: it goes on along the tangent, off the disc at once. That is no bounce.
#[test]
fn what_is_struck_without_restitution_and_does_not_stay_touches() {
    let text = "particle p: 2 in plane
constraint disc: norm(p) >= 1
start p = (-2, 0.6), p' = (1, 0)
run until 3, every 0.5
";
    let run = run(text, &Run::default(), &[]);
    let events: Vec<&str> = run.outcome.events.iter().map(|event| event.action.as_str()).collect();
    assert_eq!(events, ["touches, impulse 1.6"]);
    assert!((run.outcome.events[0].time - 1.2).abs() < CLOSE);
    // Along the tangent (0.6, 0.8), with 0.6 of its speed.
    let worst = run.deviation(["p.x", "p.y"], |t| {
        let s = 0.6 * (t - 1.2).max(0.0);
        [(t - 2.0).min(-0.8) + 0.6 * s, 0.6 + 0.8 * s]
    });
    assert!(worst < CLOSE, "{worst:e}");
}

/// A force that jumps lifts a block from its floor at every full second: no row shows the new force with the contact of before.
#[test]
fn contacts_change_with_a_force_that_jumps() {
    let text = "coord y\nkinetic y'^2/2\npotential 10*y\nforce y: if(sin(2*pi*t) > 0, 12, 0)\nconstraint floor: y >= 0\nstart y = 0\n";
    for sampling in ["", ", every 0.5"] {
        let run = run(&format!("{text}run until 3{sampling}\n"), &Run::default(), &[]);
        assert!(run.column("reaction.floor").iter().all(|push| *push >= 0.0), "{:?}", run.column("reaction.floor"));
    }
    let text = "coord x\nkinetic x'^2/2\nforce x: if(t < 2, 3, if(t < 3, -3, 3))\nconstraint wall: x <= 0\nstart x = -1\nrun until 4, every 0.5\n";
    let run = run(text, &Run::default(), &[]);
    let pushes = run.column("reaction.wall");
    let expected = |t: f64| if t > 0.9 && t < 1.9 { 3.0 } else { 0.0 };
    let worst =
        run.column("t").iter().zip(&pushes).fold(0.0, |worst: f64, (t, push)| worst.max((push - expected(*t)).abs()));
    assert!(worst < CLOSE, "{pushes:?}");
}
