//! Series of blows without end, of one constraint or of several in turns: when they end, and that what they leave rests.

use super::running::{Ran, prepare, run};
use holonom::simulate::integrate::{End, RecordedRows, Run};
use std::path::Path;

const G: f64 = 9.81;
/// What a closed form and a run at the default tolerance may differ by.
const CLOSE: f64 = 1e-9;

/// The last change of a constraint.
fn last_change(run: &Ran, name: &str) -> f64 {
    run.outcome.events.iter().rfind(|event| event.name == name).unwrap_or_else(|| panic!("nothing of `{name}`")).time
}

/// Columns are zero, to the last digit, in all rows after a time.
fn vanish(run: &Ran, after: f64, names: &[&str]) {
    let times = run.column("t");
    for name in names {
        let column = run.column(name);
        let rest: Vec<f64> = times.iter().zip(&column).filter(|(t, _)| **t > after).map(|(_, x)| *x).collect();
        assert!(rest.len() > 5, "too few rows after {after}");
        assert!(rest.iter().all(|x| *x == 0.0), "{name} creeps: {rest:?}");
    }
}

/// Two masses on a rope over a pulley. The heavy one lands after t₁ = √(2h/a) with v₁ = a t₁, a = (m₁ − m₂)g/(m₁ + m₂). The light one flies on for
/// 2 v₁/g, the jerk of the rope leaves r = m₂/(m₁ + m₂) of its velocity, and the heavy one is up for 2 r v₁/a; then the same with r v₁. It ends after
/// t₁ + (2 v₁/g + 2 r v₁/a)/(1 − r).
#[test]
fn a_rope_and_a_floor_strike_in_turns_until_all_rests() {
    for (m1, m2) in [(3.0, 2.0), (2.5, 2.0), (8.0, 1.0)] {
        let text = format!(
            "coord u, v
kinetic {m1}*u'^2/2 + {m2}*v'^2/2
potential {G}*({m1}*u + {m2}*v)
constraint rope: u + v >= 1
constraint floor: u >= 0
start u = 1, v = 0
run until 6, every 0.1
"
        );
        let run = run(&text, &Run::default(), &[]);
        let (a, r) = ((m1 - m2) / (m1 + m2) * G, m2 / (m1 + m2));
        let land = (2.0 / a).sqrt();
        let end = land + (2.0 * a * land / G + 2.0 * r * land) / (1.0 - r);
        let found = last_change(&run, "rope").max(last_change(&run, "floor"));
        assert!((found - end).abs() < CLOSE, "{m1} and {m2}: {:e}", found - end);
        vanish(&run, end, &["u'", "v'", "u''", "v''"]);
        let lost = run.outcome.evidence.energy_of_events + G * (m1 - m2);
        assert!(lost.abs() < CLOSE, "{lost:e}");
    }
}

/// A plate on two feet, of the row of four that it would need: r₁ = z + a/2 + b/2, r₂ = z − a/2 + b/2. With M = (1, 1/6, 1/6) a unit impulse at a foot moves it by 4
/// and the other by 1. While one foot rests the other falls with 7.5, and where it lands the first parts with a quarter of its velocity: from w at the
/// start it rocks for 2w/7.5·(1 + 1/4 + 1/16 + …) = 16w/45. Meanwhile it turns over its feet: with d = (1, 0, −2), along which they do not push,
/// z' − b'/3 falls with 10, and once both rest z = −b/2.
#[test]
fn a_plate_that_rocks_from_foot_to_foot_comes_to_rest() {
    for w in [0.5, 1.0, 2.0] {
        let text = format!(
            "coord z, a, b
kinetic z'^2/2 + a'^2/12 + b'^2/12
potential 10*z
constraint left: z + a/2 + b/2 >= 0
constraint right: z - a/2 + b/2 >= 0
start z = 0, a = 0, b = 0, z' = {w}/2, a' = {w}
run until 2, every 0.05
"
        );
        let run = run(&text, &Run::default(), &[]);
        let end = 16.0 * w / 45.0;
        let found = last_change(&run, "left").max(last_change(&run, "right"));
        assert!((found - end).abs() < CLOSE, "{w}: {:e}", found - end);
        let rows = run.columns(["t", "z", "z'", "a"]);
        for [t, z, speed, a] in rows.into_iter().filter(|row| row[0] > end) {
            let exact = [0.6 * (0.5 * w * t - 5.0 * t * t), 0.6 * (0.5 * w - 10.0 * t)];
            assert!((z - exact[0]).abs() < CLOSE && (speed - exact[1]).abs() < CLOSE, "{t}: {z} {speed} {exact:?}");
            assert!(a.abs() < CLOSE, "{t}: {a:e}");
        }
    }
}

/// A table that falls flat on four feet, of which three would do, bounces as a ball does: (1 + 1/2 + …)·2 e u/g.
#[test]
fn a_table_on_four_feet_bounces_as_a_ball_does() {
    let text = "coord z, a, b
kinetic z'^2/2 + a'^2/12 + b'^2/12
potential 10*z
constraint l1: z + a/2 + b/2 >= 0, restitution = 0.5
constraint l2: z - a/2 + b/2 >= 0, restitution = 0.5
constraint l3: z + a/2 - b/2 >= 0, restitution = 0.5
constraint l4: z - a/2 - b/2 >= 0, restitution = 0.5
start z = 0, a = 0, b = 0, z' = SPEED
run until 1, every 0.02
";
    for (speed, end) in [(-1.0, 0.2), (0.0, 0.0)] {
        let run = run(&text.replace("SPEED", &format!("{speed:?}")), &Run::default(), &[]);
        if speed != 0.0 {
            assert!((last_change(&run, "l1") - end).abs() < CLOSE, "{:e}", last_change(&run, "l1") - end);
        }
        vanish(&run, end + 0.001, &["z'", "a'", "b'", "z''", "a''", "b''"]);
        assert!(run.outcome.diagnostics.is_empty(), "{:?}", run.outcome.diagnostics);
        assert!(run.outcome.statistics.steps < 150, "{} steps", run.outcome.statistics.steps);
    }
}

/// Dropped askew, without restitution, the table goes from foot to foot; it loses all it fell by.
#[test]
fn a_table_that_is_dropped_askew_comes_to_rest() {
    for (al, be) in [(0.1, 0.05), (0.05, -0.1), (0.12, 0.0)] {
        let text = format!(
            "coord z, al, be
kinetic 5*z'^2 + (al'^2 + be'^2)/2
potential 98.1*z
let leg[1] = z + 0.5*al + 0.5*be, leg[2] = z - 0.5*al + 0.5*be, leg[3] = z - 0.5*al - 0.5*be, leg[4] = z + 0.5*al - 0.5*be
constraint f[i in 1..4]: leg[i] >= 0
start z = 0.3, al = {al:?}, be = {be:?}
run until 2, every 0.05
"
        );
        let run = run(&text, &Run::default(), &[]);
        vanish(&run, 1.0, &["z'", "al'", "be'"]);
        let lost = run.outcome.evidence.energy_of_events + 0.3 * 98.1;
        assert!(lost.abs() < CLOSE, "{lost:e}");
    }
}

/// A rod with friction at both ends and restitution at one of them lies still in the end, half of its weight on each.
#[test]
fn a_rod_with_friction_at_both_ends_comes_to_rest() {
    for restitution in [0.5, 0.3, 0.8] {
        let text = format!(
            "coord x, y, a
kinetic (x'^2 + y'^2)/2 + a'^2/24
potential 10*y
constraint l: y - sin(a)/2 >= 0
constraint r: y + sin(a)/2 >= 0, restitution = {restitution}
friction l: coulomb(0.3), slip = (x - cos(a)/2)', normal = reaction(l)
friction r: coulomb(0.3), slip = (x + cos(a)/2)', normal = reaction(r)
start x = 0, y = 0, a = 0, y' = -1, a' = 2
run until 1, every 0.05
"
        );
        let run = run(&text, &Run::default(), &[]);
        vanish(&run, 0.6, &["x'", "y'", "a'"]);
        let [l, r] = run.last(["reaction.l", "reaction.r"]);
        assert!((l - 5.0).abs() < CLOSE && (r - 5.0).abs() < CLOSE, "{l} {r}");
    }
}

/// Two balls, one above the other: while the upper one flies the lower one has a series of its own. In the end both rest, and all the energy is lost.
#[test]
fn a_series_within_a_series_ends() {
    let text = format!(
        "coord a, b
kinetic 3*a'^2/2 + b'^2/2
potential {G}*(3*a + b)
constraint floor: a >= 0, restitution = 0.6
constraint on: b - a >= 0.2, restitution = 0.6
start a = 1, b = 1.2
run until 6, every 0.1
"
    );
    let run = run(&text, &Run::default(), &[]);
    vanish(&run, 2.0, &["a'", "b'"]);
    assert!((run.outcome.evidence.energy_of_events + 4.0 * G).abs() < CLOSE);
}

/// With restitution 1 there is no end, and a bounce of 10⁻¹⁷ would fill the run with hundreds of millions of them: that is said, soon.
#[test]
fn bounces_that_are_too_many_are_named() {
    let text = "coord y
kinetic y'^2/2
potential 10*y
constraint floor: y >= 0, restitution = 1
start y = 1e-17
run until 1
";
    let outcome = prepare(text, Path::new("."), &Run::default(), &[]).run(&mut RecordedRows::default());
    assert_eq!(outcome.end, End::Failed);
    assert_eq!(outcome.diagnostics[0].code, "run-crawl");
    assert!(outcome.diagnostics[0].message.contains("`floor` is struck again and again"), "{:?}", outcome.diagnostics);
    assert!(outcome.statistics.steps < 50_000, "{} steps", outcome.statistics.steps);
}

/// A heavy ball of mass 10⁴ presses a light one against a wall without loss: 314 blows in all (Galperin), most of them in no time, and then both fly off.
#[test]
fn many_blows_in_no_time_are_counted() {
    let text = "coord a, b
kinetic a'^2/2 + 1e4*b'^2/2
constraint wall: a >= 0, restitution = 1
constraint on: b - a >= 0, restitution = 1
start a = 1, b = 2, b' = -1
run until 100, every 10
";
    let run = run(text, &Run::default(), &[]);
    assert_eq!(run.outcome.events.iter().filter(|event| event.action.starts_with("bounces")).count(), 314);
    assert!(run.imbalance() < CLOSE, "{:e}", run.imbalance());
}

/// A block that rocks from foot to foot is the same block in any unit of length: its angle is a part of the gaps by its lever, not by itself.
#[test]
fn a_series_ends_alike_in_any_unit_of_length() {
    let events = |unit: f64| {
        let text = format!(
            "param m = 1 kg, b = {unit:?} m, g = {:?} m/s^2, h = {:?} m
coord z: m, a: rad
kinetic m*z'^2/2 + m*b^2*a'^2/12
potential m*g*z
constraint left: z + a*b/2 >= 0 m, restitution = 0.3
constraint right: z - a*b/2 >= 0 m, restitution = 0.3
start z = h, a = 0.05 rad
run until 1 s, every 0.1 s
",
            G * unit,
            0.1 * unit
        );
        run(&text, &Run::default(), &[]).outcome.events
    };
    let metres = events(1.0);
    assert!(metres.last().is_some_and(|event| event.action.starts_with("catches")), "{metres:?}");
    for power in [-40, -20, 20] {
        let other = events(2.0_f64.powi(power));
        assert_eq!(other.len(), metres.len(), "2^{power}");
        for (a, b) in other.iter().zip(&metres) {
            assert!(a.name == b.name && (a.time - b.time).abs() <= 1e-12 * b.time, "2^{power}: {a:?} {b:?}");
        }
    }
}
