//! Joints whose ends move on their bodies: by time, and by coordinates of one's own.

use super::known::{by_bodies, by_joints, close};
use holonom::{Run, System};

/// Accelerations of the joint at the start in both formulations.
fn both(text: &str) -> [System; 2] {
    [by_joints(text), by_bodies(text)]
}

/// A rod whose support is lifted by z = t²/10 feels g + 0.2: φ̈ = −(3/2)(g + 0.2) cos φ.
#[test]
fn a_lifted_support_adds_to_gravity() {
    let text = "\
body    arm: rod(1) of 1, from (0, 0, 0) to (0, 1, 0)
gravity (0, 0, -9.81)
joint   pin: hinge(ground(0, 0, 0.1*t^2), arm(-0.5, 0, 0)), axis x
start   pin = 0.3
expect  pin'' = -3/2*(9.81 + 0.2)*cos(pin)
";
    for system in both(text) {
        close(system.check().unwrap().acceleration("pin").unwrap(), -15.015 * 0.3f64.cos(), 1e-12);
        let motion = system.run(Run::until(1.0)).unwrap();
        close(motion.last("pin''").unwrap(), -15.015 * motion.last("pin").unwrap().cos(), 1e-7);
    }
}

/// Every way to write an end that moves is the same motion in both formulations: points, frames that slide, frames that turn, and either side of the joint.
#[test]
fn moving_ends_are_the_same_in_both_formulations() {
    let cart = "coord s\nkinetic s'^2\nstart s = 0.1, s' = 1, pin = 0.4, pin' = -0.7\noutput p: arm(0.5, 0, 0)\n";
    let rod = "body arm: rod(1) of 1, from (0, 0, 0) to (0, 1, 0)\ngravity (0, 0, -9.81)\n";
    let block = "body arm: box(1, 0.2, 0.3) of 1, from (0, 0, 0) to (0, 1, 0)\ngravity (0, 0, -9.81)\n";
    for text in [
        format!("{rod}{cart}joint pin: hinge(ground(0, s, 0), arm(-0.5, 0, 0)), axis x\n"),
        format!("{block}{cart}joint pin: hinge(arm(-0.5 + s/4, 0.1*s, 0), ground(0, 0, 0)), axis x\n").replace("s = 0.1", "s = 0"),
        format!("{block}{cart}frame f on ground: at (0, s, 0), turned z by s\njoint pin: hinge(f, arm(-0.5, 0, 0)), axis x\n"),
        format!("{block}{cart}frame f on arm: at (0, 0, 0), turned y by s/2\njoint pin: hinge(ground(0, 0, 0), f), axis x\n"),
        format!("{block}{cart}frame f on ground: at (0, 0.2*sin(t), 0), turned y by t, then x by s\njoint pin: hinge(f, arm(-0.5, 0, 0)), axis x\n"),
        "body arm: box(1, 0.1) of 1, from (0, 0) to (1, 0)\ncoord s\nkinetic s'^2\ngravity (0, -9.81)\nstart s = 0, s' = 1, pin = 0.4, pin' = 0.3\n\
         frame f on ground: at (s, 0.1*t), turned z by s\njoint pin: hinge(f, arm(-0.5, -0.1*t)), axis z\noutput p: arm(0.5, 0)\n".to_string(),
        "body arm: box(1, 0.1) of 1, from (0, 0) to (1, 0)\ncoord s\nkinetic s'^2\ngravity (0, -9.81)\nstart s = 0, s' = 1, pin = 0.4, pin' = 0.3\n\
         frame f on ground: at (s, 0), turned z by s\njoint pin: slider(f, arm(-0.5, 0))\noutput p: arm(0.5, 0)\n".to_string(),
    ] {
        let ends = both(&text).map(|system| system.run(Run::until(0.5)).unwrap_or_else(|error| panic!("{error}\n{text}")));
        for name in ["s", "s''", "pin", "pin''", "p.1", "p.2"] {
            let at = |time: f64| ends.each_ref().map(|end| end.value_at(time, name).unwrap());
            for [one, other] in [at(0.0), at(0.5)] {
                assert!((one - other).abs() <= 1e-6 * one.abs().max(1.0), "`{name}`: {one} and {other}\n{text}");
            }
        }
    }
}

/// Energy stays the same where the end of a joint slides along a coordinate with inertia of its own.
#[test]
fn a_bead_that_carries_a_pendulum_keeps_its_energy() {
    let text = "\
coord   s
body    arm: box(1, 0.1, 0.1) of 1, from (0, 0, 0) to (1, 0, 0)
body    bob: box(1, 0.1, 0.1) of 1, from (0.5, 0, 0) to (0.5, 0, -1)
particle bead: 0.5 at arm(s, 0, 0)
gravity (0, 0, -9.81)
joint   pin: hinge(ground, arm), at (0, 0, 0), axis y
joint   hang: hinge(arm(s, 0, 0), bob(-0.5, 0, 0)), axis y
start   s = 0, s' = 0.2, pin' = 0, hang' = 0
output  E: energy(), b: bob
";
    let ends = both(text).map(|system| system.run(Run::until(1.0)).unwrap());
    for end in &ends {
        close(end.last("E").unwrap(), end.value_at(0.0, "E").unwrap(), 1e-7);
    }
    for name in ["s", "b.1", "b.3"] {
        close(ends[0].last(name).unwrap(), ends[1].last(name).unwrap(), 1e-6);
    }
}

/// A point of a body that a `let` names is a point of that body.
#[test]
fn a_let_may_name_the_end_of_a_joint() {
    let model = |tip: &str, named: &str| {
        format!(
            "{named}body arm: rod(1) of 1, from (0, 0, 0) to (0, 1, 0)\nbody bob: ball(0.1) of 2, at (0, 2, 0)\n\
             body tail: rod(1) of 1, from (0, 1, 0) to (0, 1, -1)\ngravity (0, 0, -9.81)\n\
             joint pin: hinge(ground, arm), at (0, 0, 0), axis x\njoint bar: rod({tip}, bob)\n\
             joint end: hinge({tip}, tail(-0.5, 0, 0)), axis x\noutput b: bob, m: (0, 0.5, 0) on arm\n"
        )
    };
    let ends = [model("arm(0.5, 0, 0)", ""), model("tip", "let tip = arm(0.5, 0, 0)\n")]
        .map(|text| by_joints(&text).run(Run::until(0.5)).unwrap());
    for name in ["b.2", "b.3", "pin", "end"] {
        close(ends[0].last(name).unwrap(), ends[1].last(name).unwrap(), 1e-12);
    }
}

/// `P on BODY` takes P from the picture; elsewhere the same let goes on moving.
#[test]
fn a_let_on_a_body_is_not_frozen_elsewhere() {
    let text = "\
body    arm: rod(1) of 1, from (0, 0, 0) to (0, 1, 0)
gravity (0, 0, -9.81)
joint   pin: hinge(ground, arm), at (0, 0, 0), axis x
let     mid = arm(0.25, 0, 0)
output  a: mid on arm, b: mid, c: mid on arm
";
    for system in both(text) {
        let motion = system.run(Run::until(0.3)).unwrap();
        for axis in [2, 3] {
            let [a, b, c] = ["a", "b", "c"].map(|name| motion.last(&format!("{name}.{axis}")).unwrap());
            assert!(a == b && b == c, "{a} {b} {c}");
        }
    }
}

/// Rods may be as long as points of bodies say.
#[test]
fn the_length_of_a_rod_may_move() {
    let text = "\
body    arm: rod(1) of 1, from (0, 0, 0) to (0, 1, 0)
body    bob: ball(0.1) of 2, at (0, 1, 1)
gravity (0, 0, -9.81)
joint   pin: hinge(ground, arm), at (0, 0, 0), axis x
joint   rail: slider(ground, bob), axis z
joint   bar: rod((0, 0, 0), bob), length = sqrt(2) + arm.z
start   pin = 0
output  gap: sqrt(1 + bob.z^2) - sqrt(2) - arm.z
";
    for system in both(text) {
        let motion = system.run(Run::until(0.3)).unwrap();
        close(motion.last("gap").unwrap(), 0.0, 1e-9);
        assert!(motion.last("pin").unwrap() < -0.01);
    }
}
