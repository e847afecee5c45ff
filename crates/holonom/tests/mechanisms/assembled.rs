//! Joints with gaps are closed by the least movement of bodies, in both formulations.

use super::known::{by_bodies, by_joints};
use holonom::{Run, System};

/// The first value of each column.
fn start_of(system: &System, names: &[String]) -> Vec<f64> {
    let run = system.run(Run::until(1e-9)).unwrap_or_else(|rejection| panic!("{rejection}"));
    names.iter().map(|name| run.column(name).unwrap()[0]).collect()
}

/// The names of points on each body, by component.
fn columns(bodies: &[&str], components: usize) -> Vec<String> {
    let points = bodies.iter().flat_map(|body| ["o", "p", "q"].map(|point| format!("{point}{body}")));
    points.flat_map(|point| (1..=components).map(move |k| format!("{point}.{k}"))).collect()
}

/// Both formulations find the same pose for gaps that leave freedom, in the plane and in space.
#[test]
fn gaps_close_alike_in_both_formulations() {
    let outputs = |bodies: &[&str], points: [&str; 3]| -> String {
        let of = |body: &&str| {
            let [o, p, q] = points;
            format!("output o{body}: {body}{o}, p{body}: {body}{p}, q{body}: {body}{q}\n")
        };
        bodies.iter().map(of).collect()
    };
    let planar = "\
body a: rod(1) of 1, at (0.5, 0.05), turned z by 0.1
body b: box(1, 0.2) of 2, at (1.6, 0.2)
body c: rod(1.2) of 0.5, at (2.6, -0.4), turned z by -0.8
joint A: hinge(ground(0, 0), a(-0.5, 0))
joint B: hinge(a(0.5, 0), b(-0.5, 0))
joint C: hinge(b(0.5, 0), c(-0.6, 0))
joint D: hinge(c(0.6, 0), ground(2.9, -0.7))
assemble
";
    let spatial = "\
body a: box(1, 0.2, 0.1) of 1, from (0, 0, 0) to (1, 0, 0)
body b: rod(1) of 2, at (1.15, 0.4, 0.1), turned z by 1.4, then y by -0.2
body c: ball(0.3) of 0.5, at (1.3, 1.4, 0.3)
joint A: ball(ground, a), at (0, 0, 0)
joint B: hinge(a(0.5, 0, 0), b(-0.5, 0, 0)), axis z
joint C: ball(b(0.5, 0, 0), c(0, -0.4, 0))
joint D: rod(c, (2, 2, 0)), length = 1
assemble
";
    for (text, bodies, points, components) in [
        (planar, ["a", "b", "c"], ["(0, 0)", "(0.5, 0)", "(0, 0.5)"], 2),
        (spatial, ["a", "b", "c"], ["(0, 0, 0)", "(0.5, 0, 0)", "(0, 0.5, 0.2)"], 3),
    ] {
        let names = columns(&bodies, components);
        let text = format!("{text}{}", outputs(&bodies, points));
        let [joints, own] = [by_joints(&text), by_bodies(&text)].map(|one| start_of(&one, &names));
        for ((name, joints), own) in names.iter().zip(joints).zip(own) {
            assert!((joints - own).abs() < 1e-8, "{name}: {joints} and {own}\n{text}");
        }
    }
}

/// A rod that is hung up 0.3 beside where it was drawn: no other angle moves its material less.
#[test]
fn the_movement_is_the_least() {
    let text = "\
body a: rod(1) of 1, from (0.3, 0) to (1.3, 0)
joint A: hinge(ground(0, 0.2), a(-0.5, 0))
assemble
output o: a, e: a.e1
";
    // The middle moves from (0.8, 0) to (0, 0.2) + (cos φ, sin φ)/2, the material by 1/12 |Δe|² besides.
    let moved = |angle: f64| {
        let (c, s) = (angle.cos(), angle.sin());
        (c / 2.0 - 0.8).powi(2) + (0.2 + s / 2.0).powi(2) + ((c - 1.0).powi(2) + s * s) / 12.0
    };
    for system in [by_joints(text), by_bodies(text)] {
        let run = system.run(Run::until(1e-9)).unwrap();
        let [c, s] = ["e.1", "e.2"].map(|name| run.column(name).unwrap()[0]);
        let found = s.atan2(c);
        let slope = (moved(found + 1e-5) - moved(found - 1e-5)) / 2e-5;
        assert!(slope.abs() < 1e-7 && moved(found) < moved(found + 0.1).min(moved(found - 0.1)), "{found} {slope}");
    }
}

/// What no pose closes is said by joint, with the lengths that would do; and they do.
#[test]
fn a_length_that_would_do_is_named() {
    let text = "\
param L = 1.2 m, s = 1 m, far = 3.4 m, m = 1 kg
body a: rod(s) of m, at (0.5 m, 0.05 m), turned z by 0.1
body b: box(1 m, 0.2 m) of 2 kg, at (1.6 m, 0.2 m)
body c: rod(L) of 0.5 kg, at (2.6 m, -0.4 m), turned z by -0.8
joint A: hinge(ground(0 m, 0 m), a(-s/2, 0 m))
joint B: hinge(a(s/2, 0 m), b(-0.5 m, 0 m))
joint C: hinge(b(0.5 m, 0 m), c(-L/2, 0 m))
joint D: hinge(c(L/2, 0 m), ground(far, -0.7 m))
assemble
";
    for system in [by_joints(text), by_bodies(text)] {
        let verdict = system.check().unwrap();
        let message = verdict.messages_of("start-unsolved").next().unwrap();
        assert!(message.labels.iter().all(|label| label.text.starts_with("still open by ")), "{verdict}");
        let advice = message.help.iter().filter_map(|help| help.strip_prefix("they can hold with `"));
        let lengths: Vec<(&str, &str)> =
            advice.map(|help| help.split_once('`').unwrap().0.split_once(" = ").unwrap()).collect();
        assert_eq!(lengths.iter().map(|one| one.0).collect::<Vec<_>>(), ["far", "L", "s"], "{verdict}");
        for (name, value) in lengths {
            let value: f64 = value.strip_suffix(" m").unwrap().parse().unwrap();
            assert!(system.set(name, value).unwrap().check().unwrap().is_accepted(), "{name} = {value}");
        }
    }
}
