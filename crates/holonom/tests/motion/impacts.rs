//! Blows: balls in a row that touch, rows that repeat each other, contacts that stick beside a blow.

use super::running::{Ran, run};
use holonom::simulate::integrate::Run;

const G: f64 = 9.81;
/// What a closed form and a run may differ by. Motions that are no parabolas run with a tolerance below it.
const CLOSE: f64 = 1e-9;

/// Five balls of diameter 1/4, each on a spring (or a long string) of frequency ω to its place in a row in which they touch.
fn cradle(lifted: usize, rows: &str) -> Ran {
    let text = format!(
        "param w = 2, A = 1, d = 0.25
coord x[1..5]
kinetic sum(i in 1..5, x[i]'^2/2)
potential sum(i in 1..5, w^2/2*(x[i] - d*i)^2)
{rows}
start x[i in 1..{lifted}] = d*i - A, x[i in {}..5] = d*i
run until 7, every 0.05, rtol = 1e-11
",
        lifted + 1
    );
    run(&text, &Run::default(), &[])
}

/// With restitution 1 as many balls leave as arrive, one blow after the other: with u = cos ωt the lifted ones are at −A max(u, 0) from their
/// places, as many at the other end at A max(−u, 0), and the others rest.
fn swings(run: &Ran, lifted: usize, what: &str) {
    for i in 1..=5 {
        let worst = run.deviation([&format!("x[{i}]")], |t| {
            let u = (2.0 * t).cos();
            let left = if i <= lifted { u.max(0.0) } else { 0.0 };
            let right = if i > 5 - lifted { (-u).max(0.0) } else { 0.0 };
            [0.25 * i as f64 - left + right]
        });
        assert!(worst < CLOSE, "{what}, {lifted} lifted, ball {i}: {worst:e}");
    }
    assert!(run.imbalance() < CLOSE, "{what}: {:e}", run.imbalance());
}

/// Ways to write that two balls touch.
const BELOW: &str = "constraint touch[i in 1..4]: x[i+1] - x[i] = d, off
event hit[i in 1..4]: x[i+1] - x[i] < d -> impact touch[i], restitution = 1";
const FALLS: &str = "constraint touch[i in 1..4]: x[i+1] - x[i] = d, off
event hit[i in 1..4]: x[i+1] - x[i] - d falls -> impact touch[i], restitution = 1";
const ONE_SIDED: &str = "constraint touch[i in 1..4]: x[i+1] - x[i] >= d, restitution = 1";

#[test]
fn a_cradle_swings_by_events_of_inequalities() {
    swings(&cradle(1, BELOW), 1, "<");
}

/// Gaps that are zero at the start fall as soon as a ball moves into them.
#[test]
fn a_cradle_swings_by_events_of_what_falls() {
    swings(&cradle(1, FALLS), 1, "falls");
}

#[test]
fn a_cradle_swings_by_one_sided_constraints() {
    swings(&cradle(1, ONE_SIDED), 1, ">=");
}

/// The two that are lifted touch all the time, to rounding, and that must not hide the blow between them.
#[test]
fn a_cradle_with_two_balls_lifted_swings_by_events() {
    swings(&cradle(2, BELOW), 2, "<");
    swings(&cradle(2, FALLS), 2, "falls");
}

#[test]
fn a_cradle_with_two_balls_lifted_swings_by_one_sided_constraints() {
    swings(&cradle(2, ONE_SIDED), 2, ">=");
}

/// A ball at y = 0 whose event is `y falls`: at rest or downwards it is struck at once, upwards when it returns after 2v/g.
#[test]
fn a_ball_on_its_floor_does_not_fall_through() {
    for (speed, first) in [(-1.0, 0.0), (1.0, 2.0 / G)] {
        let text = format!(
            "coord y
kinetic y'^2/2
force y: -{G}
constraint floor: y = 0, off
event hits: y falls -> impact floor, restitution = 1
start y = 0, y' = {speed:?}
run until 1, every 0.01
"
        );
        let run = run(&text, &Run::default(), &[]);
        let period = 2.0 / G;
        let worst = run.deviation(["y"], |t| {
            let s = t % period;
            [s - G * s * s / 2.0]
        });
        assert!(worst < CLOSE, "y' = {speed}: {worst:e}");
        assert!((run.outcome.events[0].time - first).abs() < CLOSE);
    }
}

/// A blow at c, 2c and 3c at once, at every blow.
#[test]
fn a_blow_at_rows_that_repeat_each_other_is_one_blow() {
    let text = format!(
        "coord x, y
particle ball: 1 at (x, y)
gravity (0, -{G})
constraint c[i in 1..3]: i*y = 0, off
event hit: y < 0 -> impact c[1], restitution = 0.5, impact c[2], restitution = 0.5, impact c[3], restitution = 0.5
start x = 0, y = 1, x' = 0.25
run until 1.25, every 0.05
"
    );
    let run = run(&text, &Run::default(), &[]);
    let first = (2.0 / G).sqrt();
    let worst = run.deviation(["x", "y"], |t| {
        let (mut s, mut v) = (t - first, 0.5 * G * first);
        if s < 0.0 {
            return [0.25 * t, 1.0 - G * t * t / 2.0];
        }
        while s > 2.0 * v / G {
            s -= 2.0 * v / G;
            v /= 2.0;
        }
        [0.25 * t, v * s - G * s * s / 2.0]
    });
    assert!(worst < CLOSE, "{worst:e}");
}

/// A blow beside rows that repeat each other: a pendulum whose rod is given three times strikes a wall at its lowest point with v² = 2g and
/// comes back with half of it: its energy is then a quarter.
#[test]
fn a_blow_beside_rows_that_repeat_each_other() {
    let text = format!(
        "coord x, y
particle bob: 1 at (x, y)
gravity (0, -{G})
constraint rod[i in 1..3]: i*(x^2 + y^2) = i
constraint wall: x = 0, off
event hit: x < 0 -> impact wall, restitution = 0.5
start x = 1, y = 0
output energy_now: kinetic() + potential()
run until 1, every 0.05, rtol = 1e-11
"
    );
    let run = run(&text, &Run::default(), &[]);
    let hit = run.outcome.events[0].time;
    // A quarter of the period 4K(1/2)/√g.
    assert!((hit - 2.3678419475762 / 4.0).abs() < CLOSE, "{hit}");
    let worst = run.deviation(["energy_now"], |t| [if t < hit { 0.0 } else { -0.75 * G }]);
    assert!(worst < 10.0 * CLOSE, "{worst:e}");
}

/// A blow along a floor has no impulse normal to it, and so none of friction: a block that sticks is struck as if it were free, with m₁m₂/(m₁ + m₂)(1 + e) v, and then slides by µ g.
#[test]
fn a_block_that_sticks_is_struck_like_a_free_one() {
    let two_sided = "constraint touch: x2 - x1 = 1, off\nevent hit: x2 - x1 < 1 -> impact touch, restitution = 0.5";
    for touch in [two_sided, "constraint touch: x2 - x1 >= 1, restitution = 0.5"] {
        let text = format!(
            "coord x1, x2, y1, y2
particle a: 1 at (x1, y1), b: 2 at (x2, y2)
gravity (0, -{G})
constraint f1: y1 = 0
constraint f2: y2 = 0
friction f2: coulomb(0.3)
{touch}
start x1 = 0, x1' = 3, x2 = 2
run until 1, every 0.05
"
        );
        let run = run(&text, &Run::default(), &[]);
        let (hit, v) = (1.0 / 3.0, 1.5);
        let stop = v / (0.3 * G);
        let worst = run.deviation(["x1", "x2"], |t| {
            let s = (t - hit).clamp(0.0, stop);
            [(3.0 * t).min(1.0), 2.0 + v * s - 0.3 * G * s * s / 2.0]
        });
        assert!(worst < CLOSE, "{worst:e}");
    }
}

/// A freewheel that drives b while a is driven, and lets it go where the drive turns round: b keeps its velocity. The velocities between which
/// it locks are equal but for rounding while it is locked, and when it has just let go.
#[test]
fn a_freewheel_lets_go_where_its_drive_turns() {
    for turn in [0.3, 0.7, 1.1, 2.0, 3.3] {
        for (start, open) in [(", off", "reaction(sprag) falls"), ("", "multiplier(sprag) < 0")] {
            let text = format!(
                "coord a, b\nkinetic (a'^2 + b'^2)/2\nforce a: if(t < {turn}, 5, -5)\nconstraint sprag: b' = a'{start}\n\
                 event lock: a' > b' -> add sprag\nevent open: {open} -> drop sprag\nstart a = 0, b = 0\nrun until 5, every 0.5\n"
            );
            let run = run(&text, &Run::default(), &[]);
            let opened = run.outcome.events.iter().filter(|event| event.name == "open").count();
            let locked = run.outcome.events.iter().filter(|event| event.name == "lock").count();
            assert!(opened == 1 && locked <= 1, "{turn}: {:?}", run.outcome.events);
            let worst = run.deviation(["b'"], |t| [2.5 * t.min(turn)]);
            assert!(worst < 1e-7, "{turn}: {worst:e}");
        }
    }
}

/// Bodies of 1, 1000, 1000 and 1,000,000 kg fall on each other in a column: the light one below is struck from both sides by a million times
/// what it keeps, and what rounding leaves of its velocity is no leap.
#[test]
fn a_light_body_under_heavy_ones_stays_on_the_floor() {
    let text = "coord q0, q1, q2, q3
kinetic q0'^2/2 + 1000*q1'^2/2 + 1000*q2'^2/2 + 1000000*q3'^2/2
potential 10*q0 + 10000*q1 + 10000*q2 + 10000000*q3
constraint c0: q0 >= 0, restitution = 0.3
constraint c1: q1 >= q0, restitution = 0.3
constraint c2: q2 >= q1, restitution = 0.3
constraint c3: q3 >= q2, restitution = 0.3
start q0 = 0.1, q0' = 0, q1 = 0.1, q1' = 0, q2 = 0.1, q2' = -1, q3 = 0.1, q3' = -1
run until 1, every 0.02
";
    let run = run(text, &Run::default(), &[]);
    for name in ["q0", "q1", "q2", "q3"] {
        let last = *run.column(name).last().unwrap();
        assert!(last.abs() < 1e-9, "{name} is at {last:e}");
    }
}

/// A ball bounces on a block that rests on a floor: p = m(1 + e)uₖ with uₖ = eᵏ√(2gh), and the floor takes as much at the same moment.
#[test]
fn a_contact_that_carries_lists_the_blows_that_it_takes() {
    let text = "coord y, z
kinetic 5*y'^2/2 + z'^2/2
potential 9.81*(5*y + z)
constraint floor: y >= 0
constraint ball: z - y >= 0, restitution = 0.5
start y = 0, z = 1
run until 1.5, every 0.1
";
    let run = run(text, &Run::default(), &[]);
    let of = |name: &str, word: &str| -> Vec<(f64, f64)> {
        let own = run.outcome.events.iter().filter(|event| event.name == name && event.action.starts_with(word));
        own.map(|event| (event.time, event.action.rsplit(' ').next().unwrap().parse().unwrap())).collect()
    };
    let (blows, carried) = (of("ball", "bounces"), of("floor", "is struck"));
    assert!(blows.len() > 10, "{:?}", run.outcome.events);
    assert_eq!(blows, carried[..blows.len()]);
    let first = (2.0_f64 / 9.81).sqrt();
    let (mut time, mut speed) = (first, 9.81 * first);
    for (t, impulse) in &blows[..8] {
        assert!((t - time).abs() < 1e-9 && (impulse - 1.5 * speed).abs() < 1e-6 * speed, "{t}: {impulse}");
        (time, speed) = (time + speed / 9.81, 0.5 * speed);
    }
    assert!(run.outcome.events.iter().all(|event| event.name != "floor" || !event.action.starts_with("catches")));
}

/// Velocities whose squares are too small for numbers are turned round as others are.
#[test]
fn the_slowest_velocities_bounce() {
    for size in [1.0, 1e-155, 1e-250] {
        let text = format!(
            "coord x, y
particle p: 1 at (x, y)
constraint floor: y >= 0, restitution = 0.5
constraint wall: x >= 0, restitution = 0.25
start x = 0, y = 0, x' = {:e}, y' = {:e}
run until 1
",
            -size,
            -2.0 * size
        );
        let run = run(&text, &Run::default(), &[]);
        for (found, exact) in run.last(["x'", "y'"]).into_iter().zip([0.25 * size, size]) {
            assert!((found / exact - 1.0).abs() <= 4.0 * f64::EPSILON, "{size:e}: {found:e}");
        }
        assert!(run.outcome.events.iter().all(|event| event.time == 0.0), "{:?}", run.outcome.events);
    }
}

/// Columns of bodies that fall on each other: no gap is ever lost, energy never grows, and whatever ends a run is named.
#[test]
fn columns_of_bodies_lose_no_gap() {
    for seed in 1..13_u32 {
        let number = |k: u32| {
            let x = 0.754_877_666 * f64::from(seed) + 0.569_840_291 * f64::from(k);
            x - x.floor()
        };
        let mass = |i: u32| 10.0_f64.powf(6.0 * number(i) - 3.0);
        let gap = |i: u32| if number(10 + i) < 0.5 { 0.0 } else { 10.0_f64.powf(-4.0 * number(20 + i)) };
        let sum = |f: &dyn Fn(u32) -> String| (0..4).map(f).collect::<Vec<_>>().join(" + ");
        let mut text = format!(
            "coord y[1..4]\nkinetic {}\npotential 9.81*({})\n",
            sum(&|i| format!("{:?}*y[{}]'^2/2", mass(i), i + 1)),
            sum(&|i| format!("{:?}*y[{}]", mass(i), i + 1))
        );
        let (mut height, mut start) = (0.0, Vec::new());
        for i in 0..4 {
            let below = if i == 0 { "0".to_string() } else { format!("y[{i}]") };
            text += &format!("constraint c{i}: y[{}] >= {below}, restitution = {:?}\n", i + 1, 0.8 * number(30 + i));
            height += gap(i);
            start.push(format!("y[{0}] = {height:?}, y[{0}]' = {1:?}", i + 1, number(40 + i) - 0.5));
        }
        text += &format!("start {}\nrun until 1, every 0.05\n", start.join(", "));
        let run = run(&text, &Run::default(), &[]);
        for row in run.columns(["y[1]", "y[2]", "y[3]", "y[4]"]) {
            let least = row[0].min(row[1] - row[0]).min(row[2] - row[1]).min(row[3] - row[2]);
            assert!(least > -1e-9 * row[3].abs().max(1e-4), "{seed}: {least:e} in {row:?}");
        }
        assert!(run.outcome.evidence.energy_of_events <= 1e-9, "{seed}");
    }
}
