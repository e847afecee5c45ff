//! One rigid body: free, on a fixed point, or on springs.

use crate::choose::{direction, named, orientation, rewritten, size, tolerance, units};
use crate::compare::Twins;
use crate::draft::Draft;
use crate::rigid::{Rigid, Style, rod_axes};
use crate::space::{Quaternion, Vector, add, conjugate, times, turn};
use crate::units::{Units, vector};
use holonom_random::Random;

struct Scenario {
    body: Rigid,
    /// Whether the centre moves; else the origin of the body is a fixed point.
    moves: bool,
    gravity: f64,
    /// The heavy point of a body on a fixed point.
    heavy: Vector,
    /// From a point of the body to a point of space.
    springs: Vec<(Vector, Vector, f64)>,
    damping: f64,
}

/// Draws a body in three or four formulations.
pub fn draw(random: &mut Random) -> Twins {
    let moves = random.chance(1, 3);
    let loaded = random.chance(2, 3);
    // Moments of inertia of some distribution of mass: J₁ = E₂ + E₃ and so on. A plate has one E of zero.
    let mut e = [size(random, 0.05, 1.0), size(random, 0.05, 1.0), size(random, 0.05, 1.0)];
    if random.chance(1, 6) {
        e[2] = 0.0;
    }
    let [one, two] = crate::space::across(direction(random));
    let axes = rod_axes(crate::space::unit(add(one, random.real(), two)));
    let speed = size(random, 0.1, 5.0);
    let omega = match random.index(4) {
        // Near the middle axis: it turns over.
        0 => add(axes[1].map(|x| x * speed), 0.01 * speed, axes[0]),
        1 => axes[random.index(3)].map(|x| x * speed),
        _ => direction(random).map(|x| x * speed),
    };
    let velocity = if moves { direction(random).map(|x| 2.0 * x * random.real()) } else { [0.0; 3] };
    let inertia = [e[1] + e[2], e[0] + e[2], e[0] + e[1]];
    let body =
        Rigid { name: "b".into(), mass: size(random, 0.3, 5.0), inertia, axes, centre: [0.0; 3], velocity, omega };
    let heavy = direction(random).map(|x| 0.5 * x);
    let gravity = if loaded { 9.81 } else { 0.0 };
    let place = |random: &mut Random| {
        let far = size(random, 0.2, 2.0);
        direction(random).map(|x| x * far)
    };
    let count = if loaded { random.index(3) } else { 0 };
    let springs = (0..count).map(|_| (place(random), place(random), size(random, 0.3, 10.0))).collect();
    let damping = if random.chance(1, 4) { size(random, 0.01, 0.3) } else { 0.0 };
    let scenario = Scenario { body, moves, gravity, heavy, springs, damping };
    let horizon = if loaded { size(random, 0.3, 2.0) } else { size(random, 1.0, 25.0) / speed };
    let small = !loaded && speed * horizon < 1.0;
    let mass = scenario.body.mass;
    let mut drafts = Vec::new();
    if small || (loaded && horizon < 0.5 && speed < 1.0) {
        drafts.push(scenario.euler(&units(random), random));
    }
    let frame = orientation(random);
    drafts.push(rewritten(scenario.write(Style::Directors(frame), "directors", &units(random)), random, mass));
    let frame = orientation(random);
    drafts.push(scenario.write(Style::Quaternion([1.0, 0.0, 0.0, 0.0]), "quaternion at 1", &units(random)));
    drafts.push(rewritten(scenario.write(Style::Quaternion(frame), "quaternion", &units(random)), random, mass));
    if random.chance(1, 3) {
        let frame = orientation(random);
        drafts.push(scenario.write(Style::TwoDirectors(frame), "two directors", &units(random)));
    }
    let energies = 2 * usize::from(scenario.damping == 0.0);
    let mut groups = vec![0, 0, 0, 0, 0, 0, 1, 1, 1];
    groups.resize(drafts[0].outputs.len() - energies, 2);
    groups.resize(drafts[0].outputs.len(), 3);
    Twins { kind: "body", drafts, horizon, rtol: tolerance(random), groups, refused_as: &[] }
}

impl Scenario {
    fn write(&self, style: Style, name: &str, units: &Units) -> Draft {
        let mut draft = named(name, units);
        let body = self.body.write(&mut draft, style, units, self.moves);
        self.finish(&mut draft, units, &|v| body.carried(v), &|v| body.spin(v));
        draft
    }

    /// Energies and observables, given what vectors of the body are now and how it spins about them.
    fn finish(
        &self,
        draft: &mut Draft,
        units: &Units,
        now: &dyn Fn(Vector) -> String,
        spin: &dyn Fn(Vector) -> String,
    ) {
        let centre = if self.moves { "b" } else { "(0, 0, 0)" };
        let arm = |v: Vector| now(v.map(|x| x * units.length));
        if self.gravity > 0.0 {
            let at = if self.moves { centre.to_string() } else { arm(self.heavy) };
            let weight = units.write(self.body.mass * self.gravity, 1, 1, -2);
            draft.potential.push(format!("{weight}*({at}).z"));
        }
        for (i, (on, to, k)) in self.springs.iter().enumerate() {
            draft.lets.push(format!("spring{i} = {centre} + {} - {}", arm(*on), units.point(to)));
            draft.potential.push(format!("{}/2*dot(spring{i}, spring{i})", units.stiffness(*k)));
        }
        if self.damping > 0.0 {
            let c = units.write(self.damping, 1, 2, -1);
            let square: Vec<String> = self.body.axes.iter().map(|axis| format!("({})^2", spin(*axis))).collect();
            draft.statements.push(format!("dissipation {c}/2*({})", square.join(" + ")));
        }
        for axis in &self.body.axes[..2] {
            draft.observe(3, &now(*axis), str::to_string);
        }
        for axis in self.body.axes {
            draft.outputs.push(units.back_from(&spin(axis), 0, 0, -1));
        }
        if self.moves {
            draft.observe(3, centre, |one| units.back(one));
        }
        if self.damping == 0.0 {
            draft.observe_energies(units);
        }
    }

    /// Yaw, pitch and roll of a frame that starts away from where they are singular.
    fn euler(&self, units: &Units, random: &mut Random) -> Draft {
        let mut draft = named("Euler angles", units);
        let (a, b, c) = (3.0 * random.real(), 0.4 * random.real(), 3.0 * random.real());
        let half = |angle: f64, k: usize| -> Quaternion {
            let mut q = [(angle / 2.0).cos(), 0.0, 0.0, 0.0];
            q[k] = (angle / 2.0).sin();
            q
        };
        let frame = times(half(a, 3), times(half(b, 2), half(c, 1)));
        let local = |v: Vector| turn(conjugate(frame), v);
        let w = local(self.body.omega);
        let pitch = w[1] * c.cos() - w[2] * c.sin();
        let yaw = (w[1] * c.sin() + w[2] * c.cos()) / b.cos();
        let roll = w[0] + yaw * b.sin();
        for (name, x, v) in [("yaw", a, yaw), ("pitch", b, pitch), ("roll", c, roll)] {
            draft.coordinate(name, x, v / units.time);
        }
        if self.moves {
            for (i, axis) in ["bx", "by", "bz"].iter().enumerate() {
                draft.coordinate(axis, 0.0, self.body.velocity[i] * units.factor(0, 1, -1));
            }
            draft.lets.push("b = (bx, by, bz)".to_string());
            draft.kinetic.push(format!("{}/2*dot(b', b')", units.mass(self.body.mass)));
        }
        draft.lets.extend([
            "rolled(v) = (v.x, v.y*cos(roll) - v.z*sin(roll), v.y*sin(roll) + v.z*cos(roll))".to_string(),
            "pitched(v) = (v.x*cos(pitch) + v.z*sin(pitch), v.y, v.z*cos(pitch) - v.x*sin(pitch))".to_string(),
            "yawed(v) = (v.x*cos(yaw) - v.y*sin(yaw), v.x*sin(yaw) + v.y*cos(yaw), v.z)".to_string(),
            "turned(v) = yawed(pitched(rolled(v)))".to_string(),
            "w = (roll' - yaw'*sin(pitch), pitch'*cos(roll) + yaw'*cos(pitch)*sin(roll), yaw'*cos(pitch)*cos(roll) - pitch'*sin(roll))"
                .to_string(),
        ]);
        for (j, axis) in self.body.inertia.iter().zip(self.body.axes) {
            draft.kinetic.push(format!("{}/2*dot(w, {})^2", units.inertia(*j), vector(&local(axis))));
        }
        self.finish(&mut draft, units, &|v| format!("turned({})", vector(&local(v))), &|v| {
            format!("dot(w, {})", vector(&local(v)))
        });
        draft
    }
}

#[test]
fn axes_are_orthonormal() {
    use crate::space::{cross, dot};
    let axes = rod_axes(crate::space::unit([1.0, 2.0, 3.0]));
    assert!(dot(axes[0], axes[1]).abs() < 1e-15);
    assert!((dot(cross(axes[0], axes[1]), axes[2]) - 1.0).abs() < 1e-15);
}
