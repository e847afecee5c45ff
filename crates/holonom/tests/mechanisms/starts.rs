//! How a mechanism starts does not depend on the coordinates that describe it: order of joints, `cut`, reactions, formulation.

use super::known::{by_bodies, by_joints, close, system};
use holonom::{Run, System};
use holonom_random::Random;

const TOLERANCE: f64 = 1e-9;

/// Where bodies are and how they move at the start, and the kinetic energy.
fn start_of(system: &System, bodies: &[&str]) -> Vec<f64> {
    let run = system.run(Run::until(1e-9)).unwrap_or_else(|rejection| panic!("{rejection}"));
    let components = if run.column(&format!("p{}.3", bodies[0])).is_ok() { 3 } else { 2 };
    let mut found = vec![run.column("kinetic").unwrap()[0]];
    for body in bodies {
        for what in ["p", "e"] {
            found.extend((1..=components).map(|k| run.column(&format!("{what}{body}.{k}")).unwrap()[0]));
        }
        let spin = ["", ".1", ".2", ".3"].iter().filter_map(|k| run.column(&format!("w{body}{k}")).ok());
        found.extend(spin.map(|column| column[0]));
    }
    found
}

/// Outputs of a point, an axis and the spin of each body.
fn outputs(bodies: &[&str]) -> String {
    let of = |b: &&str| format!("output p{b}: {b}, e{b}: {b}.e1, w{b}: {b}.spin\n");
    bodies.iter().map(of).collect()
}

fn assert_alike(found: &[f64], expected: &[f64], what: &str) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        assert!(
            (found - expected).abs() <= TOLERANCE * (1.0 + expected.abs()),
            "{found} instead of {expected}\n{what}"
        );
    }
}

/// The model with each of its joints cut in turn, with reactions asked for, and in both formulations.
fn each_description(text: &str, joints: &[String], mut look: impl FnMut(System, &str)) {
    let all = joints.join("\n");
    look(by_joints(&format!("{text}{all}\n")), &all);
    look(by_bodies(&format!("{text}{all}\n")), &all);
    for place in 0..joints.len() {
        let mut with = joints.to_vec();
        with[place] += ", cut";
        let with = with.join("\n");
        look(by_joints(&format!("{text}{with}\n")), &with);
        let name = joints[place].trim_start_matches("joint ").split(':').next().unwrap();
        let with = format!("{all}\noutput load: reaction({name})");
        look(by_joints(&format!("{text}{with}\n")), &with);
    }
}

/// All orders of some things.
fn orders(count: usize) -> Vec<Vec<usize>> {
    let Some(last) = count.checked_sub(1) else { return vec![Vec::new()] };
    let places = |order: Vec<usize>| {
        (0..=last).map(move |place| {
            let mut order = order.clone();
            order.insert(place, last);
            order
        })
    };
    orders(last).into_iter().flat_map(places).collect()
}

/// A four-bar whose coupler carries a pendulum: the pendulum is at rest relative to the coupler.
#[test]
fn an_open_branch_of_a_loop_stays_at_rest_relative_to_it() {
    let names = ["crank", "coupler", "rocker", "bob"];
    let bodies = "\
body crank: mass = 1, inertia = 0.1, at (0, 0.5)
body coupler: mass = 2, inertia = 0.7, at (1, 1.25)
body rocker: mass = 1, inertia = 0.2, at (2, 0.75)
body bob: mass = 1, inertia = 0.1, at (1, 0.5)
";
    let joints = [
        "joint A: hinge(ground, crank), at (0, 0)",
        "joint B: hinge(crank, coupler), at (0, 1)",
        "joint C: hinge(coupler, rocker), at (2, 1.5)",
        "joint D: hinge(rocker, ground), at (2, 0)",
    ];
    for start in ["start A' = 1", "start A = 0.3, C' = 1"] {
        let text = format!("{bodies}{}{start}\n", outputs(&names));
        let mut expected = None;
        for order in orders(joints.len()) {
            let mut lines: Vec<String> = order.iter().map(|&place| joints[place].to_string()).collect();
            lines.push("joint P: hinge(coupler, bob), at (1, 1.25)".to_string());
            each_description(&text, &lines, |system, what| {
                let found = start_of(&system, &names);
                // The spins are the last number of every body.
                let spin = |body: usize| found[5 * (body + 1)];
                close(spin(3), spin(1), TOLERANCE);
                // Axes of bodies that were placed alike stay alike.
                let axis = |body: usize| found[5 * body + 3];
                close(axis(3), axis(1), TOLERANCE);
                assert_alike(&found, expected.get_or_insert_with(|| found.clone()), &format!("{start}\n{what}"));
            });
        }
    }
}

/// A five-bar of which one angle is given: the other joints move the least, whichever of them are rows.
#[test]
fn a_five_bar_moves_its_joints_the_least() {
    let names = ["a", "b", "c", "d"];
    let text = format!(
        "body a: mass = 1, inertia = 0.1, at (0, 0.5)
body b: mass = 2, inertia = 0.4, at (0.6, 1.45)
body c: mass = 3, inertia = 0.5, at (1.8, 1.45)
body d: mass = 4, inertia = 0.4, at (2.4, 0.5)
start B = 0.3
{}",
        outputs(&names)
    );
    let mut joints = [
        "joint A: hinge(ground, a), at (0, 0)",
        "joint B: hinge(a, b), at (0, 1)",
        "joint C: hinge(b, c), at (1.2, 1.9)",
        "joint D: hinge(c, d), at (2.4, 1)",
        "joint E: hinge(d, ground), at (2.4, 0)",
    ]
    .map(String::from);
    let mut expected = None;
    for _ in 0..joints.len() {
        joints.rotate_left(1);
        each_description(&text, &joints, |system, what| {
            let found = start_of(&system, &names);
            assert_alike(&found, expected.get_or_insert_with(|| found.clone()), what);
        });
    }
}

/// Two degrees of freedom and one rate: the rates of all joints together are the least.
#[test]
fn a_five_bar_starts_with_the_least_rates_of_joints() {
    let names = ["a", "b", "c", "d"];
    let text = format!(
        "body a: rod(1) of 1, from (0, 0) to (0, 1)
body b: rod(1.2) of 2, from (0, 1) to (1.2, 1)
body c: rod(1) of 1, from (1.2, 1) to (2.2, 1)
body d: rod(1) of 1, from (2.2, 1) to (2.2, 0)
start A' = 1
{}",
        outputs(&names)
    );
    let joints = [
        "joint A: hinge(ground, a), at (0, 0)",
        "joint B: hinge(a, b), at (0, 1)",
        "joint C: hinge(b, c), at (1.2, 1)",
        "joint D: hinge(c, d), at (2.2, 1)",
        "joint E: hinge(d, ground), at (2.2, 0)",
    ]
    .map(String::from);
    // Spins 1, b, c and d = 1 with 1.2 b + c = 0: (b − 1)² + (c − b)² + (1 − c)² is least there.
    let b = (1.0 - 1.2) / (1.0 + 2.2_f64.powi(2) + 1.2_f64.powi(2));
    each_description(&text, &joints, |system, what| {
        let found = start_of(&system, &names);
        for (body, expected) in [1.0, b, -1.2 * b, 1.0].into_iter().enumerate() {
            assert!((found[5 * (body + 1)] - expected).abs() < TOLERANCE, "{found:?}\n{what}");
        }
    });
}

/// In a tree, joints that nobody mentions are at rest, whatever moves what carries them: a coordinate of one's own, time, a motor.
#[test]
fn joints_of_a_tree_that_nobody_mentions_are_at_rest() {
    for (text, rate, expected) in [
        (
            "coord s
body cart: box(0.2, 0.2, 0.1) of 2, at (0, s, 0)
body arm: rod(1) of 1, from (0, 0, 0) to (0, 1, 0)
joint pin: hinge(cart, arm), at (0, 0, 0), axis x
start s = 0, s' = 1, pin = 30 deg
output rate: pin'
",
            "rate",
            0.0,
        ),
        (
            "coord s
body cart: box(0.2, 0.2, 0.1) of 2, at (0, s, 0)
body arm: rod(1) of 1, from (0, 0, 0) to (0, 1, 0)
joint pin: hinge(cart, arm), at (0, 0, 0), axis x
start s = 0, pin' = 2
output rate: s'
",
            "rate",
            0.0,
        ),
        (
            "body table: disc(1) of 2, at (0, 0, 0), turned z by 3*t
body arm: rod(1) of 1, from (0.5, 0, 0) to (1.5, 0, 0)
joint pin: hinge(table, arm), at (0.5, 0, 0), axis z
output spin: arm.spin
",
            "spin.3",
            3.0,
        ),
        (
            "body one: rod(1) of 1, from (0, 0) to (1, 0)
body two: rod(1) of 1, from (1, 0) to (2, 0)
joint pin: hinge(ground, one), at (0, 0)
joint knee: hinge(one, two), at (1, 0)
drive motor: pin = 2*t
output spin: two.spin
",
            "spin",
            2.0,
        ),
    ] {
        let name = if text.contains("knee") { "knee" } else { "pin" };
        let reaction = format!("{text}output load: reaction({name})\n");
        for system in [system(text), by_joints(text), by_bodies(text), by_joints(&reaction), by_bodies(&reaction)] {
            close(system.run(Run::until(1e-9)).unwrap().column(rate).unwrap()[0], expected, TOLERANCE);
        }
    }
}

/// What joints leave open has the least kinetic energy: a distance that grows pulls a body along and turns it.
#[test]
fn what_joints_leave_open_moves_the_least() {
    let (mass, inertia, arm) = (2.0, 0.1, 0.3);
    let text = format!(
        "body b: mass = {mass}, inertia = {inertia}, at (2, 0)\njoint prop: rod((2, -1), b)\n\
         drive pull: distance((0, 0), b(0, {arm})) = sqrt(4.09) + t\noutput v: b', w: b.spin\n"
    );
    // The rod holds the centre along y; the drive asks for along·(v - arm·w) = 1.
    let along = 2.0 / 4.09f64.sqrt();
    let push = 1.0 / (along * (1.0 / mass + arm * arm / inertia));
    for system in [by_joints(&text), by_bodies(&text)] {
        let run = system.run(Run::until(1e-9)).unwrap_or_else(|rejection| panic!("{rejection}"));
        close(run.column("v.1").unwrap()[0], push / mass, TOLERANCE);
        close(run.column("v.2").unwrap()[0], 0.0, TOLERANCE);
        close(run.column("w").unwrap()[0], -push * arm / inertia, TOLERANCE);
    }
}

fn vector(random: &mut Random) -> String {
    let mut number = || random.uniform(-1.0, 1.0);
    format!("({:.2}, {:.2}, {:.2})", number(), number(), number())
}

/// Random loops of three bodies in space, with an open branch on the second: one joint's rate is given, and positions move along.
#[test]
fn random_loops_start_alike() {
    let names = ["b1", "b2", "b3", "tip"];
    for seed in 0..8 {
        let mut random = Random::new(seed);
        let r = &mut random;
        let mut text = String::new();
        for name in names {
            let (at, turned) = (vector(r), r.uniform(-2.0, 2.0));
            text += &format!(
                "body {name}: box(0.5, 0.3, 0.2) of {:.2}, at {at}, turned x by {turned:.2}\n",
                r.uniform(0.5, 2.0)
            );
        }
        let ends = ["ground, b1", "b1, b2", "b2, b3", "b3, ground", "b2, tip"];
        // Seven degrees of freedom around the loop and more: one is left at least.
        let kinds =
            [["hinge", "ball", "ball", "cylindrical", "hinge"], ["hinge", "cylindrical", "ball", "universal", "ball"]];
        let kinds = kinds[seed as usize % 2];
        let mut joints: Vec<String> = (0..5)
            .map(|k| {
                let axis = match kinds[k] {
                    "ball" => String::new(),
                    "universal" => ", axis (1, 0.5, 0) (-0.5, 1, 0.3)".to_string(),
                    _ => format!(", axis {}", vector(r)),
                };
                format!("joint j{k}: {}({}), at {}{axis}", kinds[k], ends[k], vector(r))
            })
            .collect();
        text += &format!("start j0' = 1\n{}", outputs(&names));
        let mut expected = None;
        for turn in 0..joints.len() {
            joints.rotate_left(usize::from(turn > 0));
            each_description(&text, &joints, |system, what| {
                let found = start_of(&system, &names);
                assert_alike(&found, expected.get_or_insert_with(|| found.clone()), &format!("{text}{what}"));
            });
        }
    }
}

/// What nothing joins to the ground begins where its first body was placed, at rest but for what is given.
#[test]
fn the_first_body_of_a_loose_mechanism_stays() {
    let bodies = ["b", "a", "c"];
    let text = format!(
        "body b: box(1, 0.4, 0.2) of 2, at (0.3, 0.2, 0.1), turned z by 0.4\nbody a: box(0.5, 0.3, 0.2) of 1, at (1, 0.5, 0)\n\
         body c: rod(1) of 1, at (0, 1, 0.5), turned y by 0.3\njoint one: hinge(a, b), at (0.7, 0.4, 0), axis (0, 1, 1)\n\
         joint two: ball(c, b), at (0.1, 0.6, 0.3)\nstart one = 0.5, one' = 2\n{}",
        outputs(&bodies)
    );
    let [joints, own] = [by_joints(&text), by_bodies(&text)].map(|system| start_of(&system, &bodies));
    assert_alike(&joints, &own, &text);
    let (sine, cosine) = 0.4f64.sin_cos();
    assert_alike(&own[1..10], &[0.3, 0.2, 0.1, cosine, sine, 0.0, 0.0, 0.0, 0.0], &text);
}
