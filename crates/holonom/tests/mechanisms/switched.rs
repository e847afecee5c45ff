//! Joints that events switch.

use super::known::{by_bodies, by_joints, close, system};
use holonom::{Run, System};

const G: f64 = 9.81;

fn vector(motion: &holonom::Trajectory, t: f64, name: &str, count: usize) -> Vec<f64> {
    (1..=count).map(|axis| motion.value_at(t, &format!("{name}.{axis}")).unwrap()).collect()
}

/// A pendulum whose hinge is dropped flies on as a free body: its centre on a parabola, its spin constant.
#[test]
fn a_pendulum_that_is_dropped_flies() {
    let space = "\
body arm: box(1, 0.1, 0.2) of 2, from (0, 0, 0) to (0, 1, 0)
gravity (0, 0, -9.81)
joint pin: hinge(ground, arm), at (0, 0, 0), axis x
start pin = 20 deg, pin' = 1
event cut: t > 1 -> drop pin
output p: arm, v: arm', w: arm.spin, F: reaction(pin), M: moment(pin), a: pin
";
    let plane = "\
body arm: box(1, 0.1) of 2, from (0, 0) to (1, 0)
gravity (0, -9.81)
joint pin: hinge(ground, arm), at (0, 0)
start pin = 20 deg, pin' = 1
event cut: t > 1 -> drop pin
output p: arm, v: arm', w: (arm.spin, 0), F: reaction(pin), a: pin
";
    for (text, count) in [(space, 3), (plane, 2)] {
        for form in [by_joints, by_bodies] {
            let motion = form(text).run(Run::until(2.0)).unwrap();
            let at = |t: f64, name: &str| vector(&motion, t, name, count);
            let (p, v, w) = (at(1.0, "p"), at(1.0, "v"), at(1.0, "w"));
            let (later, speed, spin) = (at(1.7, "p"), at(1.7, "v"), at(1.7, "w"));
            for axis in 0..count {
                let g = if axis == count - 1 { -G } else { 0.0 };
                close(later[axis], p[axis] + 0.7 * v[axis] + g * 0.7 * 0.7 / 2.0, 1e-6);
                close(speed[axis], v[axis] + 0.7 * g, 1e-6);
                close(spin[axis], w[axis], 1e-6);
            }
            close(at(1.7, "F").iter().map(|one| one.abs()).sum(), 0.0, 0.0);
            assert!(at(0.5, "F").iter().map(|one| one.abs()).sum::<f64>() > 1.0);
            // The angle goes on as that of the body.
            let turned = motion.value_at(1.7, "a").unwrap() - motion.value_at(1.0, "a").unwrap();
            close(turned, 0.7 * w[0], 1e-6);
        }
    }
}

/// A beam that falls is caught at one end: what remains is the angular momentum about the peg.
#[test]
fn a_beam_that_falls_is_caught() {
    let text = "\
body arm: box(1, 0.1, 0.2) of 2, from (0, 0, 0) to (1, 0, 0)
gravity (0, 0, -9.81)
joint peg: hinge(ground(0, 0, -0.5), arm(-0.5, 0, 0)), axis y, off
event catch: arm(-0.5, 0, 0).z < -0.5 -> record, add peg, record
output p: arm, e: arm(-0.5, 0, 0), w: arm.spin
";
    let speed = (2.0 * G * 0.5).sqrt();
    let inertia = 2.0 * ((1.0 + 0.1f64.powi(2)) / 12.0 + 0.25);
    let spin = 2.0 * speed * 0.5 / inertia;
    let fall = speed / G;
    for form in [by_joints, by_bodies] {
        let motion = form(text).run(Run::until(0.6)).unwrap();
        // Its end stays, and it turns downwards: right-handed about y.
        let end = vector(&motion, 0.6, "e", 3);
        for (found, expected) in end.into_iter().zip([0.0, 0.0, -0.5]) {
            close(found, expected, 1e-8);
        }
        close(vector(&motion, fall - 1e-6, "w", 3)[1], 0.0, 1e-12);
        close(vector(&motion, fall + 1e-9, "w", 3)[1], spin, 1e-6);
        // Energy after the impact: m g (z + 1/2) + J w²/2.
        let (z, w) = (vector(&motion, 0.6, "p", 3)[2], vector(&motion, 0.6, "w", 3)[1]);
        close(2.0 * G * (z + 0.5) + inertia * w * w / 2.0, inertia * spin * spin / 2.0, 1e-6);
    }
}

/// A joint that does not fit at the moment at which it is added is refused, as any constraint is; and one that is never added is said.
#[test]
fn a_joint_is_added_where_it_fits() {
    let text = "\
body arm: box(1, 0.1, 0.2) of 2, from (0, 0, 0) to (1, 0, 0)
gravity (0, 0, -9.81)
joint peg: hinge(ground(0, 0, -0.5), arm(-0.5, 0, 0)), axis y, off
";
    let late = format!("{text}event catch: arm.z < -0.7 -> add peg\n");
    let rejection = system(&late).run(Run::until(1.0)).map(|motion| format!("{:?}", motion.messages()));
    let said = match rejection {
        Ok(messages) => messages,
        Err(rejection) => rejection.to_string(),
    };
    assert!(said.contains("add-violated"), "{said}");
    let warnings: Vec<String> = system(text).messages().iter().map(|one| one.message.clone()).collect();
    assert_eq!(warnings, ["the joint `peg` is off and stays off"]);
}

/// Joints of parts, rods and families are switched by their names, too.
#[test]
fn joints_of_parts_and_families_are_switched() {
    let text = "\
part leg[i in 1..2], at (2*i, 0, 0), turned z by 0.3*i
  body arm: box(1, 0.1, 0.2) of 2, from (0, 0, 0) to (1, 0, 0)
  joint pin: hinge(ground, arm), at (0, 0, 0), axis y
body ball[i in 1..2]: ball(0.1) of 1, at (0, i, 0)
joint rope[i in 1..2]: rod((0, i, 1), ball[i])
gravity (0, 0, -9.81)
event cut: t > 0.5 -> drop leg[2].pin, drop rope[i in 1..2]
output a[i in 1..2]: leg[i].arm'', b[i in 1..2]: ball[i]''
";
    for form in [by_joints, by_bodies] {
        let motion = form(text).run(Run::until(1.0)).unwrap();
        for (name, falls) in [("a[1]", false), ("a[2]", true), ("b[1]", true), ("b[2]", true)] {
            let z = motion.last(&format!("{name}.3")).unwrap();
            assert_eq!((z + G).abs() < 1e-9, falls, "{name}: {z}");
        }
    }
}

/// Friction of joints is not there yet, and the message says what is.
#[test]
fn joints_have_no_friction_yet() {
    let text = "\
body arm: rod(1) of 1, from (0, 0, 0) to (0, 1, 0)
gravity (0, 0, -9.81)
joint pin: hinge(ground, arm), at (0, 0, 0), axis x
friction pin: coulomb(0.1)
";
    let rejection = System::parse("friction.holo", text).err().unwrap();
    assert!(rejection.errors().any(|error| error.code == "not-yet" && !error.message.contains("event")), "{rejection}");
}

/// Letting go of a load strikes nothing, in a loop whose joints repeat each other as well, at rest and where slopes of joints cancel but
/// for rounding.
#[test]
fn a_redundant_loop_lets_go() {
    let text = "\
body crank: mass = 1, inertia = (0.1, 0.1, 0.1), at (0.35, 0.35, 0)
body coupler: mass = 1, inertia = (0.1, 0.1, 0.1), at (0.85, 0.6, 0)
body rocker: mass = 1, inertia = (0.1, 0.1, 0.1), at (1.4, -0.15, 0)
body load: mass = 1, inertia = (0.1, 0.1, 0.1), at (0.85, 0.6, -1)
joint A: hinge(ground, crank), at (0, 0, 0), axis N
joint B: hinge(crank, coupler), at (0.7, 0.7, 0), axis N
joint C: hinge(coupler, rocker), at (1, 0.5, 0), axis N
joint D: hinge(rocker, ground), at (1.8, -0.8, 0), axis N
joint hook: ball(coupler, load), at (0.85, 0.6, 0)
event release: t > 0.1 -> drop hook
output place: load
";
    for axis in ["(0, 0, 1)", "(0, 0.1, 1)"] {
        for gravity in ["(0, 0, -9.81)", "(0, -1, -9.81)"] {
            let text = format!("{}gravity {gravity}\n", text.replace("axis N", &format!("axis {axis}")));
            let [joints, bodies] = [by_joints(&text), by_bodies(&text)].map(|system| {
                let run =
                    system.run(Run::until(0.3)).unwrap_or_else(|rejection| panic!("{axis} {gravity}: {rejection}"));
                ["place.1", "place.2", "place.3"].map(|name| run.last(name).expect("an output"))
            });
            for (joints, bodies) in joints.iter().zip(bodies) {
                assert!((joints - bodies).abs() < 1e-8, "{axis} {gravity}: {joints} and {bodies}");
            }
        }
    }
}
