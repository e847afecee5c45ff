//! Mechanisms with contacts that open and close: floors, hills, ropes, stops, buffers, feet.

use super::jet::Jet;
use super::scenario::{Scenario, between, short};
use super::sliding::coefficients;
use super::system::Contact;
use crate::units::number as n;
use holonom_random::Random;

const G: f64 = 9.81;

fn restitution(random: &mut Random) -> f64 {
    random.pick(&[0.0, 0.0, 0.3, 0.5, 0.8, 1.0])
}

fn said(restitution: f64) -> String {
    if restitution == 0.0 { String::new() } else { format!(", restitution = {restitution:?}") }
}

/// A particle at (x, y) with gravity.
fn particle(scenario: &mut Scenario, m: f64) {
    let system = &mut scenario.system;
    system.mass(m, |q| q[0]);
    system.mass(m, |q| q[1]);
    system.force(|q| q[1], move |_, _, _| -m * G);
    let (q, v) = (scenario.start.q.clone(), scenario.start.v.clone());
    scenario.draft.coordinate("x", q[0], v[0]);
    scenario.draft.coordinate("y", q[1], v[1]);
    scenario.say(format!("particle ball: {} at (x, y)", n(m)));
    scenario.say(format!("gravity (0, -{G})"));
    scenario.observe("x", |q| q[0]);
    scenario.observe("y", |q| q[1]);
}

/// A ball between a rough slope and a smooth wall.
pub(super) fn bounce(random: &mut Random) -> Scenario {
    let (m, a, e) = (short(random, 0.3, 3.0), between(random, -0.4, 0.4), restitution(random));
    let (sin, cos) = a.sin_cos();
    let (x0, above) = (between(random, -0.5, 0.5), short(random, 0.05, 1.0));
    let start = [(x0, between(random, -3.0, 3.0)), (x0 * sin / cos + above, between(random, -2.0, 2.0))];
    let mut scenario = Scenario::new("ball on a slope", &start, 3.0);
    particle(&mut scenario, m);
    let mut slope = Contact::touch(move |q| cos * q[1] - sin * q[0], e);
    scenario.say(format!("constraint slope: y*cos({a:?}) >= x*sin({a:?}){}", said(e)));
    if random.chance(2, 3) {
        let (mk, ms) = coefficients(random);
        slope = slope.rough(move |q| (cos * q[0] + sin * q[1]).rate(), mk, ms);
        scenario.say(format!("friction slope: coulomb({mk:?}, {ms:?})"));
    }
    scenario.system.contacts.push(slope);
    if random.chance(1, 2) {
        let (wall, e) = (between(random, 0.8, 1.5), restitution(random));
        scenario.system.contacts.push(Contact::touch(move |q| Jet::constant(wall) - q[0], e));
        scenario.say(format!("constraint wall: x <= {wall:?}{}", said(e)));
    }
    scenario
}

/// A particle on the hills y = h cos k x. The gap is divided by its slope, so that the load is the force.
pub(super) fn hill(random: &mut Random) -> Scenario {
    let (m, h, k) = (short(random, 0.3, 3.0), short(random, 0.1, 0.6), short(random, 1.0, 3.0));
    let e = random.pick(&[0.0, 0.0, 0.0, 0.4]);
    let (x0, v) = (between(random, -2.0, 2.0), between(random, -5.0, 5.0));
    let slope = -h * k * (k * x0).sin();
    // On the ground, or some way above it.
    let (above, fall) =
        if random.chance(2, 3) { (0.0, 0.0) } else { (short(random, 0.05, 0.5), between(random, -1.0, 1.0)) };
    let start = [(x0, v), (h * (k * x0).cos() + above, slope * v + fall)];
    let mut scenario = Scenario::new("hills", &start, 2.0);
    particle(&mut scenario, m);
    let tangent = move |q: &[Jet]| {
        let rise = -(h * k) * (k * q[0]).sin();
        (rise, (rise * rise + 1.0).sqrt())
    };
    let mut ground = Contact::touch(move |q| (q[1] - h * (k * q[0]).cos()) / tangent(q).1, e);
    scenario.say(format!("constraint hill: y >= {h:?}*cos({k:?}*x){}", said(e)));
    if random.chance(1, 2) {
        let (mk, ms) = coefficients(random);
        let slip = move |q: &[Jet]| {
            let (rise, length) = tangent(q);
            (q[0].rate() + rise * q[1].rate()) / length
        };
        ground = ground.rough(slip, mk, ms);
        scenario.say(format!("friction hill: coulomb({mk:?}, {ms:?})"));
    }
    scenario.system.contacts.push(ground);
    scenario
}

/// One or two weights on ropes that begin slack.
pub(super) fn rope(random: &mut Random) -> Scenario {
    let count = random.between(1, 2);
    let start: Vec<(f64, f64)> = (0..count)
        .flat_map(|i| {
            let down = -0.25 - 0.5 * i as f64;
            [
                (between(random, 0.1, 0.4), between(random, -2.0, 2.0)),
                (down + between(random, -0.1, 0.1), between(random, -1.0, 2.0)),
            ]
        })
        .collect();
    let mut scenario = Scenario::new("weights on ropes", &start, 2.0);
    scenario.say(format!("gravity (0, -{G})"));
    for i in 0..count {
        let (x, y) = (2 * i, 2 * i + 1);
        let (m, length, e) = (short(random, 0.3, 3.0), short(random, 0.8, 1.5), random.pick(&[0.0, 0.0, 0.3, 0.6]));
        let system = &mut scenario.system;
        system.mass(m, move |q| q[x]);
        system.mass(m, move |q| q[y]);
        system.force(move |q| q[y], move |_, _, _| -m * G);
        system.contacts.push(Contact::touch(
            move |q| {
                let hook = if i == 0 { [Jet::constant(0.0); 2] } else { [q[x - 2], q[y - 2]] };
                let (dx, dy) = (q[x] - hook[0], q[y] - hook[1]);
                Jet::constant(length) - (dx * dx + dy * dy).sqrt()
            },
            e,
        ));
        scenario.draft.coordinate(&format!("x{i}"), start[x].0, start[x].1);
        scenario.draft.coordinate(&format!("y{i}"), start[y].0, start[y].1);
        scenario.say(format!("particle p{i}: {} at (x{i}, y{i})", n(m)));
        let span = if i == 0 { "p0".to_string() } else { format!("p{i} - p{}", i - 1) };
        scenario.say(format!("constraint rope{i}: norm({span}) <= {length:?}{}", said(e)));
        scenario.observe(&format!("x{i}"), move |q| q[x]);
        scenario.observe(&format!("y{i}"), move |q| q[y]);
    }
    scenario
}

/// A double pendulum whose elbow has stops. The model has Cartesian masses in `let`s of the angles.
pub(super) fn elbow(random: &mut Random) -> Scenario {
    let (m1, m2) = (short(random, 0.3, 3.0), short(random, 0.3, 3.0));
    let (l1, l2, e) = (short(random, 0.4, 1.2), short(random, 0.4, 1.2), restitution(random));
    let (low, high) = (between(random, -1.0, -0.1), between(random, 0.1, 1.0));
    let a = between(random, -1.5, 1.5);
    let b = a + low + (high - low) * (0.2 + 0.6 * (random.real() + 1.0) / 2.0);
    let start = [(a, between(random, -3.0, 3.0)), (b, between(random, -3.0, 3.0))];
    let mut scenario = Scenario::new("double pendulum with stops", &start, 2.0);
    let system = &mut scenario.system;
    let bob_x = move |q: &[Jet]| l1 * q[0].sin() + l2 * q[1].sin();
    let bob_y = move |q: &[Jet]| -(l1 * q[0].cos()) - l2 * q[1].cos();
    system.mass(m1, move |q| l1 * q[0].sin());
    system.mass(m1, move |q| l1 * q[0].cos());
    system.mass(m2, bob_x);
    system.mass(m2, bob_y);
    system.force(move |q| l1 * q[0].cos(), move |_, _, _| m1 * G);
    system.force(bob_y, move |_, _, _| -m2 * G);
    system.contacts.push(Contact::touch(move |q| q[1] - q[0] - low, e));
    system.contacts.push(Contact::touch(move |q| Jet::constant(high) - q[1] + q[0], e));
    scenario.draft.coordinate("a", start[0].0, start[0].1);
    scenario.draft.coordinate("b", start[1].0, start[1].1);
    scenario.say(format!("let knee = {}*(sin(a), -cos(a))", n(l1)));
    scenario.say(format!("particle upper: {} at knee, lower: {} at knee + {}*(sin(b), -cos(b))", n(m1), n(m2), n(l2)));
    scenario.say(format!("gravity (0, -{G})"));
    scenario.say(format!("stop elbow: b - a in {}..{high:?}{}", n(low), said(e)));
    scenario.observe("a", |q| q[0]);
    scenario.observe("b", |q| q[1]);
    scenario
}

/// Carts in a row on springs, between two walls, that strike each other.
pub(super) fn buffers(random: &mut Random) -> Scenario {
    let count = random.between(1, 3);
    let start: Vec<(f64, f64)> =
        (0..count).map(|i| (i as f64 + between(random, -0.2, 0.2), between(random, -3.0, 3.0))).collect();
    let mut scenario = Scenario::new("carts and buffers", &start, 2.0);
    let (left, right) = (between(random, -0.6, -0.3), count as f64 - 1.0 + between(random, 0.3, 0.6));
    for (i, (x, v)) in start.iter().enumerate() {
        let (m, k, e) = (short(random, 0.3, 3.0), short(random, 1.0, 40.0), restitution(random));
        let rest = i as f64 + between(random, -0.8, 0.8);
        let system = &mut scenario.system;
        system.mass(m, move |q| q[i]);
        system.force(move |q| q[i] - rest, move |_, s, _| -k * s);
        scenario.draft.coordinate(&format!("x{i}"), *x, *v);
        scenario.say(format!("kinetic {}*x{i}'^2/2", n(m)));
        scenario.say(format!("potential {}*(x{i} - {})^2/2", n(k), n(rest)));
        if i > 0 {
            scenario.system.contacts.push(Contact::touch(move |q| q[i] - q[i - 1] - 0.5, e));
            scenario.say(format!("constraint buffer{i}: x{i} - x{} >= 0.5{}", i - 1, said(e)));
        } else {
            scenario.system.contacts.push(Contact::touch(move |q| q[0] - left, e));
            scenario.say(format!("constraint left: x0 >= {}{}", n(left), said(e)));
        }
        scenario.observe(&format!("x{i}"), move |q| q[i]);
    }
    let (last, e) = (count - 1, restitution(random));
    scenario.system.contacts.push(Contact::touch(move |q| Jet::constant(right) - q[last], e));
    scenario.say(format!("constraint right: x{last} <= {}{}", n(right), said(e)));
    scenario
}

/// A rigid body that falls on two feet, one of them rough in some. Its inertia is small enough that it does not rock from foot to foot
/// without end.
pub(super) fn feet(random: &mut Random) -> Scenario {
    let (m, a, h) = (short(random, 0.3, 3.0), short(random, 0.2, 0.6), short(random, 0.05, 0.3));
    let inertia = m * a * a * short(random, 0.1, 0.5);
    let (angle, above) = (between(random, -0.4, 0.4), short(random, 0.05, 0.5));
    let lowest = h * angle.cos() + a * angle.sin().abs();
    let start = [
        (0.0, between(random, -2.0, 2.0)),
        (lowest + above, between(random, -1.0, 1.0)),
        (angle, between(random, -2.0, 2.0)),
    ];
    let mut scenario = Scenario::new("body on two feet", &start, 1.5);
    let system = &mut scenario.system;
    system.mass(m, |q| q[0]);
    system.mass(m, |q| q[1]);
    system.mass(inertia, |q| q[2]);
    system.force(|q| q[1], move |_, _, _| -m * G);
    let height = move |side: f64| move |q: &[Jet]| q[1] + side * a * q[2].sin() - h * q[2].cos();
    let place = move |q: &[Jet]| q[0] - a * q[2].cos() + h * q[2].sin();
    ["x", "y", "theta"].iter().zip(start).for_each(|(name, s)| scenario.draft.coordinate(name, s.0, s.1));
    scenario.say(format!("particle centre: {} at (x, y)", n(m)));
    scenario.say(format!("kinetic {}*theta'^2/2", n(inertia)));
    scenario.say(format!("gravity (0, -{G})"));
    scenario.say("let turn(p, q) = (x + p*cos(theta) - q*sin(theta), y + p*sin(theta) + q*cos(theta))");
    scenario.say(format!("let left = turn(-{a:?}, -{h:?}), right = turn({a:?}, -{h:?})"));
    scenario.say("constraint left_foot: left.y >= 0");
    scenario.say("constraint right_foot: right.y >= 0");
    let mut left = Contact::touch(height(-1.0), 0.0);
    if random.chance(1, 2) {
        let (mk, ms) = coefficients(random);
        left = left.rough(move |q| place(q).rate(), mk, ms);
        let law = format!("coulomb({mk:?}, {ms:?})");
        scenario.say(format!("friction left_foot: {law}, slip = left.x', normal = reaction(left_foot)"));
    }
    scenario.system.contacts.extend([left, Contact::touch(height(1.0), 0.0)]);
    scenario.observe("x", |q| q[0]);
    scenario.observe("y", |q| q[1]);
    scenario.observe("theta", |q| q[2]);
    scenario
}
