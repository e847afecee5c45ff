//! Mechanisms whose motion or whose formulas are known.

use holonom::language::Diagnostic;
use holonom::symbols::expr::Notation;
use holonom::{Run, System};

pub const PENDULUM: &str = "\
param      m = 1 kg, L = 1 m, g = 9.81 m/s^2
body       arm: rod(L) of m, from (0, 0, 0) to (0, L, 0)
gravity    (0, 0, -g)
joint      pin: hinge(ground, arm), at (0, 0, 0), axis x
start      pin = 20 deg
";

/// Bricard's mechanism (P8): rank 29 of 30.
pub const BRICARD: &str = "\
param      g = 9.81
let        P[0] = (0, 0, 0), P[1] = (1, 0, 0), P[2] = (1, -1, 0), P[3] = (1, -1, 1),
           P[4] = (0, -1, 1), P[5] = (0, 0, 1)
let        n[0] = (0, 1, 0), n[1] = (0, 0, 1), n[2] = (1, 0, 0), n[i in 3..5] = n[i-3]
body       link[i in 1..5]: box(1, 0.1, 0.1) of 1, from P[i-1] to P[i]
gravity    (0, -g, 0)
joint      h[0]: hinge(ground, link[1]), at P[0], axis n[0]
joint      h[i in 1..4]: hinge(link[i], link[i+1]), at P[i], axis n[i]
joint      h[5]: hinge(link[5], ground), at P[5], axis n[5]
output     vertex: link[3](0.5, 0, 0)
";

pub fn system(text: &str) -> System {
    System::parse("mechanism.holo", text).unwrap_or_else(|rejection| panic!("{rejection}\n{text}"))
}

/// The same model with coordinates of joints.
pub fn by_joints(text: &str) -> System {
    system(&format!("{text}formulation joints\n"))
}

/// The same model with every body in coordinates of its own.
pub fn by_bodies(text: &str) -> System {
    system(&format!("{text}formulation bodies\n"))
}

pub fn close(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{found} instead of {expected}");
}

fn codes(messages: &[Diagnostic]) -> Vec<&'static str> {
    messages.iter().map(|message| message.code).collect()
}

/// A uniform rod on a hinge at its end: φ̈ = −(3g/2L) cos φ, as a textbook prints it.
#[test]
fn a_pendulum_has_the_formula_of_a_textbook() {
    let formula = system(PENDULUM).explain().unwrap().acceleration("pin").unwrap();
    assert_eq!(formula.print(Notation::Text).replace(' ', ""), "-3*g*cos(pin)/(2*L)");
    for system in [system(PENDULUM), by_bodies(PENDULUM)] {
        let found = system.check().unwrap().acceleration("pin").unwrap();
        close(found, -1.5 * 9.81 * 20f64.to_radians().cos(), 1e-12);
    }
}

/// The coordinates are those of the formulation: neither is the other in disguise.
#[test]
fn formulations_have_their_own_coordinates() {
    for (text, joints, bodies) in [(PENDULUM, 1, 8), (BRICARD, 5, 35)] {
        assert_eq!(by_joints(text).equations().model.coordinates.len(), joints);
        assert_eq!(by_bodies(text).equations().model.coordinates.len(), bodies);
    }
}

/// P8: the vertex after 1 s and 2 s, energy and closure, in both formulations.
#[test]
fn bricard_moves_as_it_should() {
    for system in [by_joints(BRICARD), by_bodies(BRICARD)] {
        let motion = system.run(Run::until(2.0)).unwrap();
        let vertex = |t: f64| [1, 2, 3].map(|axis| motion.value_at(t, &format!("vertex.{axis}")).unwrap());
        for (t, expected) in
            [(1.0, [0.51050146, -1.64916760, 0.14012311]), (2.0, [-0.96934034, -1.22124689, 0.75427801])]
        {
            for (found, expected) in vertex(t).into_iter().zip(expected) {
                close(found, expected, 1e-8);
            }
        }
    }
}

/// Freedom by rank and by counting, and the joint that closes what is closed.
#[test]
fn a_verdict_speaks_of_joints() {
    for system in [by_joints(BRICARD), by_bodies(BRICARD)] {
        let verdict = system.check().unwrap();
        assert_eq!(verdict.degrees_of_freedom(), Some(1));
        let mechanism = verdict.report.mechanism.as_ref().unwrap();
        assert_eq!((mechanism.counted, mechanism.formula.as_deref()), (0, Some("6·5 - 5·6")));
        assert_eq!(mechanism.closing.len(), 1);
        assert_eq!(mechanism.closing[0].1, 1);
        assert_eq!(verdict.messages_of("redundant").count(), 1);
    }
    // A door on three hinges.
    let door = "\
body door: box(0.8, 2, 0.04) of 20, at (0.4, 0, 0)
joint low: hinge(ground, door), at (0, -0.8, 0), axis y
joint middle: hinge(ground, door), at (0, 0, 0), axis y
joint high: hinge(ground, door), at (0, 0.8, 0), axis y
start low' = 1
";
    for system in [system(door), by_bodies(door)] {
        let verdict = system.check().unwrap();
        assert_eq!(verdict.degrees_of_freedom(), Some(1));
        assert_eq!(verdict.report.mechanism.as_ref().unwrap().counted, -9);
    }
}

/// A joint given twice is named, and changes nothing.
#[test]
fn a_joint_given_twice_changes_nothing() {
    let twice = format!("{PENDULUM}joint again: hinge(ground, arm), at (0, 0, 0), axis x\n");
    for (once, twice) in [(system(PENDULUM), system(&twice)), (by_bodies(PENDULUM), by_bodies(&twice))] {
        assert!(codes(twice.messages()).contains(&"joint-twice"), "{:?}", twice.messages());
        let [once, twice] = [once, twice].map(|one| one.check().unwrap());
        assert_eq!(twice.degrees_of_freedom(), Some(1));
        close(twice.acceleration("pin").unwrap(), once.acceleration("pin").unwrap(), 1e-12);
    }
}

/// A Stewart platform whose legs have prescribed lengths: their forces carry the plate and accelerate it.
#[test]
fn legs_of_a_platform_carry_it() {
    let text = "\
param      N = 6, w = 2 1/s, g = 9.81 m/s^2, a = 1 m, c = 0.5 m
let        u(i) = pi/3*i + 0.2*(-1)^i, v(i) = pi/3*i - 0.25*(-1)^i
let        foot[i in 1..N] = a*(cos(u(i)), sin(u(i)), 0)
body       plate: disc(c) of 10 kg, at (0, 0, a)
let        head[i in 1..N] = plate(c*cos(v(i)), c*sin(v(i)), 0)
gravity    (0, 0, -g)
drive      leg[i in 1..N]: distance(foot[i], head[i]) = 1.07*a + 0.1*a*(1 - cos(w*t))
output     push[i in 1..N]: reaction(leg[i])
output     lift: plate.z'', lean[i in 1..N]: (head[i].z - foot[i].z)/distance(foot[i], head[i])
assemble
";
    let motion = system(text).run(Run::until(1.0)).unwrap();
    let at = |name: &str| motion.last(name).unwrap();
    let carried: f64 = (1..=6).map(|i| at(&format!("push[{i}]")) * at(&format!("lean[{i}]"))).sum();
    close(carried, 10.0 * (9.81 + at("lift")), 1e-7);
}

/// Euler's equations: a free body with its axes along the principal ones keeps energy and angular momentum, and two formulations of the
/// same body agree: a quaternion, and three angles of one's own.
#[test]
fn angles_of_ones_own_and_a_quaternion_agree() {
    let inertia = "mass = 2, inertia = (1, 2, 2.5)";
    let angles = format!(
        "coord psi, theta, phi\nbody top: {inertia}, at (0, 0, 0), turned z by psi, then x by theta, then z by phi\n\
         start psi = 0.3, theta = 1, phi = -0.2, psi' = 1, theta' = 0.5, phi' = 4\noutput s: top.spin, e: top.e3\n"
    );
    let by_angles = system(&angles);
    let start = by_angles.run(Run::until(1e-6)).unwrap();
    let spin = [1, 2, 3].map(|axis| start.column(&format!("s.{axis}")).unwrap()[0]);
    let quaternion = format!(
        "body top: {inertia}, at (0, 0, 0), turned z by 0.3, then x by 1, then z by (-0.2)\n\
         start top.spin = ({}, {}, {})\noutput s: top.spin, e: top.e3\n",
        spin[0], spin[1], spin[2]
    );
    let ends = [by_angles, system(&quaternion)].map(|one| one.run(Run::until(3.0)).unwrap());
    for name in ["s.1", "s.2", "s.3", "e.1", "e.2", "e.3"] {
        close(ends[0].last(name).unwrap(), ends[1].last(name).unwrap(), 1e-7);
    }
}

/// A crank that is driven through many turns: its angle counts them, in both formulations.
#[test]
fn angles_count_whole_turns() {
    let text = "\
body crank: rod(0.3) of 2, from (0, 0) to (0.3, 0)
body link: rod(0.8) of 1, from (0.3, 0) to (1.1, 0)
body block: box(0.1, 0.1) of 3, at (1.1, 0)
gravity (0, -9.81)
joint A: hinge(ground, crank), at (0, 0)
joint B: hinge(crank, link), at (0.3, 0)
joint C: hinge(link, block), at (1.1, 0)
joint D: slider(ground, block), axis x
drive motor: A = 20*t
output place: block.x, torque: reaction(motor)
";
    let exact = |t: f64| {
        let a = 20.0 * t;
        0.3 * a.cos() + (0.64 - (0.3 * a.sin()).powi(2)).sqrt()
    };
    let ends = [system(text), by_bodies(text)].map(|one| one.run(Run::until(10.0)).unwrap());
    for end in &ends {
        close(end.last("A").unwrap(), 200.0, 1e-9);
        close(end.last("place").unwrap(), exact(10.0), 1e-9);
    }
    close(ends[0].last("torque").unwrap(), ends[1].last("torque").unwrap(), 1e-5);
}

/// Reactions of a joint that carries a body: the weight of what hangs on it, and the moment of a cantilever.
#[test]
fn reactions_are_those_of_statics() {
    let text = "\
body beam: box(2, 0.1, 0.1) of 3, from (0, 0, 0) to (2, 0, 0)
body load: ball(0.1) of 5, at (2, 0, 0)
gravity (0, 0, -10)
joint root: fixed(ground, beam), at (0, 0, 0)
joint tip: fixed(beam, load), at (2, 0, 0)
coord x
kinetic x'^2/2
start x = 0
output F: reaction(root), M: moment(root), f: reaction(tip)
";
    for one in [system(text), by_bodies(text)] {
        let motion = one.run(Run::until(0.1)).unwrap();
        for (name, expected) in [
            ("F.1", 0.0),
            ("F.3", 80.0),
            ("f.3", 50.0),
            ("M.1", 0.0),
            ("M.2", -(3.0 * 10.0 + 2.0 * 50.0)),
            ("M.3", 0.0),
        ] {
            close(motion.last(name).unwrap(), expected, 1e-9);
        }
    }
}

/// A thin rod between two balls does not turn about itself, and nothing depends on that.
#[test]
fn a_spin_that_nothing_feels_is_at_rest() {
    let text = "\
body a: box(1, 0.1, 0.1) of 1, from (0, 0, 0) to (1, 0, 0)
body b: box(sqrt(0.29), 0.1, 0.1) of 2, from (0, 1, 0) to (0.5, 1, 0.2)
BAR
gravity (0, 0, -9.81)
joint left: hinge(ground, a), at (0, 0, 0), axis y
joint right: hinge(ground, b), at (0, 1, 0), axis (0.1, 1, 0)
start left = 0.1, left' = 1
output p: b(0.5, 0, 0)
";
    let bar = |mass: &str| {
        let bar = format!(
            "body bar: rod(sqrt(1.29)) of {mass}, from (1, 0, 0) to (0.5, 1, 0.2)\njoint B: ball(a, bar), at (1, 0, 0)\njoint C: ball(bar, b), at (0.5, 1, 0.2)"
        );
        text.replace("BAR", &bar)
    };
    let end = |system: System| {
        let motion = system.run(Run::until(0.5)).unwrap();
        [1, 2, 3].map(|axis| motion.last(&format!("p.{axis}")).unwrap())
    };
    let heavy = [system(&bar("3")), by_bodies(&bar("3"))];
    for one in &heavy {
        assert!(codes(one.messages()).contains(&"idle-spin"));
        assert_eq!(one.check().unwrap().degrees_of_freedom(), Some(1));
    }
    let [joints, bodies] = heavy.map(end);
    (0..3).for_each(|axis| close(joints[axis], bodies[axis], 1e-8));
}

/// A hydraulic cylinder: a loop that is closed by a slider, whose rows are all rounding at the start.
#[test]
fn a_slider_closes_a_loop() {
    let text = "\
body boom: box(1, 0.1) of 1, at (1, 0.5)
body k1: box(0.3, 0.2) of 1, at (0.8, -0.3)
body k2: box(0.3, 0.2) of 1, at (1.5, 0.9)
gravity (0, -1)
joint O: hinge(ground, boom), at (0, 0)
joint q: hinge(ground, k1), at (0.7, -0.4)
joint p: hinge(boom, k2), at (1.9, 0.9)
joint z: slider(k1, k2), axis (1.2, 1.3)
output tip: boom(0.5, 0)
";
    let ends = [system(text), by_bodies(text)].map(|one| one.run(Run::until(0.3)).unwrap());
    for name in ["tip.1", "tip.2"] {
        close(ends[0].last(name).unwrap(), ends[1].last(name).unwrap(), 1e-9);
    }
}

/// A body on a ball joint starts with an angular velocity, whether the joint is a coordinate or rows.
#[test]
fn a_body_on_a_ball_starts_spinning() {
    let text = "\
body a: box(0.4, 0.2, 0.1) of 2, at (0.3, 0.2, 0), turned z by 0.4
joint b: ball(ground, a), at (0, 0, 0)
start a.spin = (1, 2, 3)
output s: a.spin
";
    let asked = format!("{text}output R: reaction(b)\n");
    let all = [system(text), by_bodies(text), system(&asked)].map(|one| one.run(Run::until(0.5)).unwrap());
    for one in &all {
        let first = [1, 2, 3].map(|axis| one.column(&format!("s.{axis}")).unwrap()[0]);
        (0..3).for_each(|axis| close(first[axis], [1.0, 2.0, 3.0][axis], 1e-12));
        (1..=3).for_each(|axis| {
            let name = format!("s.{axis}");
            close(one.last(&name).unwrap(), all[0].last(&name).unwrap(), 1e-8);
        });
    }
}

/// A cone from its base to its tip: the centre of mass is a quarter of the height above the base.
#[test]
fn a_cone_stands_on_its_base() {
    let verdict =
        system("body b: cone(0.3, 0.8) of 2, from (0, 0, 0) to (0, 0, 0.8)\ngravity (0, 0, -10)\n").check().unwrap();
    close(verdict.report.potential_energy, 2.0 * 10.0 * 0.2, 1e-12);
}

/// What is held by rows of two ends must fit where they were placed: places across an axis, and orientations.
#[test]
fn ends_that_do_not_fit_are_said() {
    let bodies = "body a: box(1, 1, 1) of 1, at (0, 0, 0)\nbody b: box(1, 1, 1) of 1, at (1, 0, 0)\n";
    for joint in [
        "joint j: cylindrical(a(0, 0, 0), b(0, 0.5, 0.3)), axis z",
        "frame f on a: at (0, 0, 0), turned y by 0.5\nframe k on b: at (0, 0, 0)\njoint j: hinge(f, k)",
    ] {
        let rejection = System::parse("gap.holo", &format!("{bodies}{joint}\n")).err().unwrap();
        assert!(rejection.errors().any(|error| error.code == "joint-gap"), "{rejection}");
    }
    // Along its axis a cylindrical joint may be apart.
    system(&format!("{bodies}joint j: cylindrical(a(1, 0, 0), b(0, 0, 0.3)), axis z\n"));
}

/// A body that is fixed to the ground has no freedom, in both formulations.
#[test]
fn a_fixed_body_rests() {
    let text = "body a: ball(0.4) of 1, at (0, 0, 0)\ngravity (0, 0, -10)\njoint f: fixed(ground, a), at (0, 0, 0)\n";
    for system in [system(text), by_joints(text), by_bodies(text)] {
        assert_eq!(system.check().unwrap().degrees_of_freedom(), Some(0));
    }
}

/// A thin rod between two balls turns about its own axis without inertia, and a row of velocities alone says how.
#[test]
fn a_spin_that_only_a_row_of_velocities_determines() {
    let text = "\
body a: box(1, 0.1, 0.1) of 1, from (0, 0, 0) to (1, 0, 0)
body b: box(sqrt(0.29), 0.1, 0.1) of 2, from (0, 1, 0) to (0.5, 1, 0.2)
body bar: rod(sqrt(1.29)) of 3, from (1, 0, 0) to (0.5, 1, 0.2)
torque bar: (0, 0, 0)
constraint spin: dot(bar.spin, bar.e1) = 0
joint B: ball(a, bar), at (1, 0, 0)
joint C: ball(bar, b), at (0.5, 1, 0.2)
gravity (0, 0, -9.81)
joint left: hinge(ground, a), at (0, 0, 0), axis y
joint right: hinge(ground, b), at (0, 1, 0), axis (0.1, 1, 0)
start left = 0.1, left' = 1
output end: b(1, 0, 0)
output side: bar.e2
";
    let ends = [by_joints(text), by_bodies(text)].map(|one| one.run(Run::until(0.5)).unwrap());
    for axis in 1..=3 {
        for name in ["end", "side"] {
            let [one, other] = ends.each_ref().map(|one| one.last(&format!("{name}.{axis}")).unwrap());
            close(one, other, 1e-7);
        }
    }
}

/// A hinge between bodies that are fixed to each other has no freedom, and the start is not singular: a row may vanish where others repeat it.
#[test]
fn a_hinge_beside_a_fixed_joint_is_rigid() {
    let space = "\
body arm: rod(1) of 1, from (0, 0, 0) to (1, 0, 0)
body fore: rod(1) of 1, from (1, 0, 0) to (2, 0, 0)
gravity (0, 0, -10)
joint base: hinge(ground, arm), at (0, 0, 0), axis y
joint pin: hinge(arm, fore), at (1, 0, 0), axis y
joint f: fixed(arm, fore)
output tip: fore(0.5, 0, 0)''
";
    let plane = "\
body arm: rod(1) of 1, from (0, 0) to (1, 0)
body fore: rod(1) of 1, from (1, 0) to (2, 0)
gravity (0, -10)
joint base: hinge(ground, arm), at (0, 0)
joint pin: hinge(arm, fore), at (1, 0)
joint f: fixed(arm, fore)
output tip: fore(0.5, 0)''
";
    for (text, last) in [(space, 3), (plane, 2)] {
        for system in [system(text), by_joints(text), by_bodies(text)] {
            let verdict = system.check().unwrap();
            assert!(verdict.is_accepted(), "{verdict}");
            assert_eq!(verdict.degrees_of_freedom(), Some(1));
            assert!(
                verdict.messages_of("redundant").count() == 1 && verdict.messages_of("singular-start").count() == 0
            );
            // A rod of length 2 and mass 2: 3g/2 at its end.
            let motion = system.run(Run::until(0.01)).unwrap();
            close(motion.column(&format!("tip.{last}")).unwrap()[0], -15.0, 1e-9);
        }
    }
}
