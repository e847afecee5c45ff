//! Mechanisms with rough guides that hold both ways.

use super::jet::Jet;
use super::scenario::{Scenario, between, short};
use super::system::Contact;
use crate::units::number as n;
use holonom_random::Random;

const G: f64 = 9.81;

/// Coefficients in motion and at rest.
pub(super) fn coefficients(random: &mut Random) -> (f64, f64) {
    let kinetic = short(random, 0.05, 0.7);
    let more = if random.chance(1, 2) { 0.0 } else { short(random, 0.01, 0.3) };
    (kinetic, ((kinetic + more) * 1000.0).round() / 1000.0)
}

/// A drive F cos(w t).
fn drive(random: &mut Random, most: f64) -> (f64, f64) {
    (short(random, 0.1, most), short(random, 0.5, 6.0))
}

/// A block on an inclined belt, on a spring, shaken.
pub(super) fn incline(random: &mut Random) -> Scenario {
    let (m, k, a) = (short(random, 0.3, 3.0), short(random, 1.0, 40.0), between(random, -0.6, 0.6));
    let ((mk, ms), (f, w)) = (coefficients(random), drive(random, 15.0));
    let belt = if random.chance(1, 2) { 0.0 } else { between(random, -1.0, 1.0) };
    let speed = if random.chance(1, 3) { belt } else { between(random, -2.0, 2.0) };
    let s0 = between(random, -0.5, 0.5);
    let (sin, cos) = a.sin_cos();
    let mut scenario = Scenario::new("block on a belt", &[(s0 * cos, speed * cos), (s0 * sin, speed * sin)], 4.0);
    let system = &mut scenario.system;
    system.mass(m, |q| q[0]);
    system.mass(m, |q| q[1]);
    system.force(|q| q[1], move |_, _, _| -m * G);
    system.force(move |q| cos * q[0] + sin * q[1], move |t, s, _| f * (w * t).cos() - k * s);
    system.contacts.push(Contact::guide(move |q| cos * q[1] - sin * q[0]).rough(
        move |q| (cos * q[0] + sin * q[1]).rate() - belt,
        mk,
        ms,
    ));
    scenario.draft.coordinate("x", s0 * cos, speed * cos);
    scenario.draft.coordinate("y", s0 * sin, speed * sin);
    let s = format!("(x*cos({a:?}) + y*sin({a:?}))");
    scenario.say(format!("particle block: {} at (x, y)", n(m)));
    scenario.say(format!("gravity (0, -{G})"));
    scenario.say(format!("potential {}*{s}^2/2", n(k)));
    scenario.say(format!("force block: {}*cos({}*t)*(cos({a:?}), sin({a:?}))", n(f), n(w)));
    scenario.say(format!("constraint belt: y*cos({a:?}) = x*sin({a:?})"));
    let law = format!("coulomb({mk:?}, {ms:?})");
    scenario.say(format!(
        "friction belt: {law}, slip = x'*cos({a:?}) + y'*sin({a:?}) - {}, normal = reaction(belt)",
        n(belt)
    ));
    scenario.observe(&s, move |q| cos * q[0] + sin * q[1]);
    scenario
}

/// A bead on a rough circular wire that holds it from both sides.
pub(super) fn wire(random: &mut Random) -> Scenario {
    let (m, r, k) = (short(random, 0.3, 3.0), short(random, 0.5, 2.0), short(random, 0.5, 20.0));
    let ((mk, ms), (f, w)) = (coefficients(random), drive(random, 10.0));
    let (angle, speed) = (between(random, -3.0, 3.0), between(random, -4.0, 4.0));
    let (sin, cos) = angle.sin_cos();
    let start = [(r * cos, -speed * sin), (r * sin, speed * cos)];
    let mut scenario = Scenario::new("bead on a wire", &start, 3.0);
    let system = &mut scenario.system;
    system.mass(m, |q| q[0]);
    system.mass(m, |q| q[1]);
    system.force(|q| q[1], move |_, _, _| -m * G);
    system.force(|q| q[0], move |t, x, _| f * (w * t).cos() - k * x);
    let length = |q: &[Jet]| (q[0] * q[0] + q[1] * q[1]).sqrt();
    system.contacts.push(Contact::guide(move |q| length(q) - r).rough(
        move |q| (q[0] * q[1].rate() - q[1] * q[0].rate()) / length(q),
        mk,
        ms,
    ));
    scenario.draft.coordinate("x", start[0].0, start[0].1);
    scenario.draft.coordinate("y", start[1].0, start[1].1);
    scenario.say(format!("particle bead: {} at (x, y)", n(m)));
    scenario.say(format!("gravity (0, -{G})"));
    scenario.say(format!("potential {}*x^2/2", n(k)));
    scenario.say(format!("force x: {}*cos({}*t)", n(f), n(w)));
    scenario.say(format!("constraint wire: norm(bead) = {}", n(r)));
    scenario.say(format!("friction wire: coulomb({mk:?}, {ms:?})"));
    scenario.observe("x", |q| q[0]);
    scenario.observe("y", |q| q[1]);
    scenario
}

/// Two or three blocks on a rough table, joined by springs, the last one on top of the one before it in some.
pub(super) fn blocks(random: &mut Random) -> Scenario {
    let count = random.between(2, 3);
    let stacked = random.chance(1, 2);
    let start: Vec<(f64, f64)> = (0..count)
        .flat_map(|i| {
            let v = if random.chance(1, 3) { 0.0 } else { between(random, -2.0, 2.0) };
            let height = if stacked && i + 1 == count { 0.25 } else { 0.0 };
            [(between(random, -0.3, 0.3) + i as f64, v), (height, 0.0)]
        })
        .collect();
    let mut scenario = Scenario::new("blocks on a table", &start, 3.0);
    scenario.say(format!("gravity (0, -{G})"));
    for i in 0..count {
        let (x, y) = (2 * i, 2 * i + 1);
        let (m, (mk, ms)) = (short(random, 0.3, 3.0), coefficients(random));
        let system = &mut scenario.system;
        system.mass(m, move |q| q[x]);
        system.mass(m, move |q| q[y]);
        system.force(move |q| q[y], move |_, _, _| -m * G);
        scenario.say(format!("particle block{i}: {} at (x{i}, y{i})", n(m)));
        scenario.draft.coordinate(&format!("x{i}"), start[x].0, start[x].1);
        scenario.draft.coordinate(&format!("y{i}"), start[y].0, start[y].1);
        let law = format!("coulomb({mk:?}, {ms:?})");
        let contact = if stacked && i + 1 == count {
            scenario.say(format!("constraint on{i}: y{i} - y{} = 0.25", i - 1));
            scenario.say(format!("friction on{i}: {law}, slip = x{i}' - x{}', normal = reaction(on{i})", i - 1));
            Contact::guide(move |q| q[y] - q[y - 2] - 0.25).rough(move |q| (q[x] - q[x - 2]).rate(), mk, ms)
        } else {
            scenario.say(format!("constraint on{i}: y{i} = 0"));
            scenario.say(format!("friction on{i}: {law}"));
            Contact::guide(move |q| q[y]).rough(move |q| q[x].rate(), mk, ms)
        };
        scenario.system.contacts.push(contact);
        if i > 0 {
            let k = short(random, 1.0, 40.0);
            scenario.system.force(move |q| q[x] - q[x - 2] - 1.0, move |_, s, _| -k * s);
            scenario.say(format!("potential {}*(x{i} - x{} - 1)^2/2", n(k), i - 1));
        }
        scenario.observe(&format!("x{i}"), move |q| q[x]);
    }
    let (f, w) = drive(random, 20.0);
    scenario.system.force(|q| q[0], move |t, _, _| f * (w * t).sin());
    scenario.say(format!("force x0: {}*sin({}*t)", n(f), n(w)));
    scenario
}

/// A cart on a rough rail that carries a pendulum, whose swing loads and unloads the rail. The model has the bob in Cartesian coordinates.
pub(super) fn cart(random: &mut Random) -> Scenario {
    let (mc, mb, l) = (short(random, 0.5, 3.0), short(random, 0.2, 2.0), short(random, 0.4, 1.5));
    let ((mk, ms), (f, w)) = (coefficients(random), drive(random, 10.0));
    let (v, a, spin) = (between(random, -2.0, 2.0), between(random, -2.0, 2.0), between(random, -3.0, 3.0));
    let mut scenario = Scenario::new("cart with a pendulum", &[(0.0, v), (0.0, 0.0), (a, spin)], 2.0);
    let system = &mut scenario.system;
    system.mass(mc, |q| q[0]);
    system.mass(mc, |q| q[1]);
    system.mass(mb, bob_x(l));
    system.mass(mb, bob_y(l));
    system.force(|q| q[1], move |_, _, _| -mc * G);
    system.force(bob_y(l), move |_, _, _| -mb * G);
    system.force(|q| q[0], move |t, _, _| f * (w * t).cos());
    system.contacts.push(Contact::guide(|q| q[1]).rough(|q| q[0].rate(), mk, ms));
    let (sin, cos) = a.sin_cos();
    scenario.draft.coordinate("x", 0.0, v);
    scenario.draft.coordinate("h", 0.0, 0.0);
    scenario.draft.coordinate("bx", l * sin, v + l * spin * cos);
    scenario.draft.coordinate("by", -l * cos, l * spin * sin);
    scenario.say(format!("particle cart: {} at (x, h), bob: {} at (bx, by)", n(mc), n(mb)));
    scenario.say(format!("gravity (0, -{G})"));
    scenario.say(format!("force x: {}*cos({}*t)", n(f), n(w)));
    scenario.say("constraint rail: h = 0");
    scenario.say(format!("constraint rod: norm(bob - cart) = {}", n(l)));
    scenario.say(format!("friction rail: coulomb({mk:?}, {ms:?}), slip = x', normal = abs(reaction(rail))"));
    scenario.observe("x", |q| q[0]);
    scenario.observe("bx", bob_x(l));
    scenario.observe("by", bob_y(l));
    scenario
}

fn bob_x(l: f64) -> impl Fn(&[Jet]) -> Jet + 'static {
    move |q| q[0] + l * q[2].sin()
}

fn bob_y(l: f64) -> impl Fn(&[Jet]) -> Jet + 'static {
    move |q| q[1] - l * q[2].cos()
}

/// A rod whose end is guided along a rough rail, on springs. With much friction it has no motion, or two: those are drawn again.
pub(super) fn rod(random: &mut Random) -> Scenario {
    let (m, a, k) = (short(random, 0.3, 3.0), short(random, 0.3, 1.0), short(random, 1.0, 30.0));
    let inertia = m * a * a / 3.0;
    let ((mk, ms), (f, w)) = (coefficients(random), drive(random, 8.0));
    let (angle, v, spin) = (between(random, 0.2, 2.9), between(random, -2.0, 2.0), between(random, -3.0, 3.0));
    let (sin, cos) = angle.sin_cos();
    let start = [(0.0, v), (a * sin, a * cos * spin), (angle, spin)];
    let mut scenario = Scenario::new("rod on a rail", &start, 1.5);
    let system = &mut scenario.system;
    system.mass(m, |q| q[0]);
    system.mass(m, |q| q[1]);
    system.mass(inertia, |q| q[2]);
    system.force(|q| q[1], move |_, _, _| -m * G);
    system.force(|q| q[0], move |t, x, _| f * (w * t).sin() - k * x);
    system.contacts.push(Contact::guide(move |q| q[1] - a * q[2].sin()).rough(
        move |q| (q[0] - a * q[2].cos()).rate(),
        mk,
        ms,
    ));
    ["x", "y", "theta"].iter().zip(start).for_each(|(name, s)| scenario.draft.coordinate(name, s.0, s.1));
    scenario.say(format!("particle centre: {} at (x, y)", n(m)));
    scenario.say(format!("kinetic {}*theta'^2/2", n(inertia)));
    scenario.say(format!("gravity (0, -{G})"));
    scenario.say(format!("potential {}*x^2/2", n(k)));
    scenario.say(format!("force x: {}*sin({}*t)", n(f), n(w)));
    scenario.say(format!("let foot = (x - {a:?}*cos(theta), y - {a:?}*sin(theta))"));
    scenario.say("constraint rail: foot.y = 0");
    scenario.say(format!("friction rail: coulomb({mk:?}, {ms:?}), slip = foot.x', normal = abs(reaction(rail))"));
    scenario.observe("x", |q| q[0]);
    scenario.observe("theta", |q| q[2]);
    scenario
}
