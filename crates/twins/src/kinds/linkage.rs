//! Chains of rigid bodies in space, on hinges or ball joints.

use crate::choose::{direction, named, orientation, rewritten, size, tolerance, units};
use crate::compare::Twins;
use crate::draft::Draft;
use crate::rigid::{Rigid, Style, Written, hinge, rod_axes, velocity_at};
use crate::space::{Vector, add, unit};
use crate::units::{Units, number, vector};
use holonom_random::Random;

struct Linkage {
    /// The axis of each hinge in space at the start; none on ball joints.
    hinges: Vec<Vector>,
    rates: Vec<f64>,
    /// Each body from its joint to the next, in space at the start.
    rods: Vec<Vector>,
    masses: Vec<f64>,
    /// Across and along the rod.
    inertia: Vec<[f64; 2]>,
    gravity: f64,
    spring: Option<(Vector, f64)>,
    /// Angular velocities of bodies on ball joints.
    spins: Vec<Vector>,
}

/// Draws a linkage in two to four formulations.
pub fn draw(random: &mut Random) -> Twins {
    let balls = random.chance(1, 3);
    let n = if balls { random.between(1, 2) } else { random.between(1, 4) };
    let rods: Vec<Vector> = (0..n)
        .map(|_| {
            let long = size(random, 0.3, 1.5);
            direction(random).map(|x| x * long)
        })
        .collect();
    let hinges: Vec<Vector> = if balls { Vec::new() } else { (0..n).map(|_| direction(random)).collect() };
    let rest = random.chance(1, 3);
    let rates: Vec<f64> = (0..n).map(|_| if rest { 0.0 } else { 2.0 * random.real() }).collect();
    let spins: Vec<Vector> = (0..n).map(|i| direction(random).map(|x| x * rates[i])).collect();
    let masses: Vec<f64> = (0..n).map(|_| size(random, 0.2, 5.0)).collect();
    let inertia = (0..n)
        .map(|i| {
            let across = masses[i] * crate::space::dot(rods[i], rods[i]) / 12.0;
            [across * size(random, 1.0, 2.0), across * size(random, 0.02, 1.0)]
        })
        .collect();
    let spring = random.chance(1, 2).then(|| (direction(random), size(random, 1.0, 20.0)));
    let gravity = if random.chance(1, 5) { 0.0 } else { 9.81 };
    let linkage = Linkage { hinges, rates, rods, masses, inertia, gravity, spring, spins };
    let horizon = size(random, 0.2, 5.0);
    let mut drafts = Vec::new();
    if !balls {
        drafts.push(linkage.angles(&units(random)));
    }
    for plain in [true, false] {
        let draft = linkage.quaternions(&units(random), random, plain);
        drafts.push(if plain { draft } else { rewritten(draft, random, linkage.masses[0]) });
    }
    if n <= 2 && (balls || random.chance(1, 2)) {
        drafts.push(linkage.directors(&units(random), random));
    }
    let mut groups = vec![0; drafts[0].outputs.len() - 2];
    groups.extend([1, 1]);
    Twins { kind: "linkage", drafts, horizon, rtol: tolerance(random), groups, refused_as: &[] }
}

impl Linkage {
    fn omegas(&self) -> Vec<Vector> {
        let mut omega = [0.0; 3];
        (0..self.rods.len())
            .map(|i| match self.hinges.get(i) {
                Some(axis) => {
                    omega = add(omega, self.rates[i], *axis);
                    omega
                }
                None => self.spins[i],
            })
            .collect()
    }

    fn bodies(&self) -> Vec<Rigid> {
        let (mut end, mut speed) = ([0.0; 3], [0.0; 3]);
        let mut bodies = Vec::new();
        for (i, omega) in self.omegas().into_iter().enumerate() {
            let half = self.rods[i].map(|x| x / 2.0);
            let [across, along] = self.inertia[i];
            bodies.push(Rigid {
                name: format!("b{}", i + 1),
                mass: self.masses[i],
                inertia: [across, across, along],
                axes: rod_axes(unit(self.rods[i])),
                centre: add(end, 1.0, half),
                velocity: velocity_at(speed, omega, half),
                omega,
            });
            end = add(end, 1.0, self.rods[i]);
            speed = velocity_at(speed, omega, self.rods[i]);
        }
        bodies
    }

    fn written(&self, draft: &mut Draft, units: &Units, mut style: impl FnMut(usize) -> Style) {
        let mut before: Option<(Written, String)> = None;
        for (i, body) in self.bodies().iter().enumerate() {
            let one = body.write(draft, style(i), units, true);
            let half = one.arm(self.rods[i].map(|x| x / 2.0), units);
            draft.lets.push(format!("near{0} = b{0} - {half}", i + 1));
            draft.lets.push(format!("p{0} = b{0} + {half}", i + 1));
            let end = before.as_ref().map_or("(0, 0, 0)", |(_, end)| end);
            draft.rows_of(&format!("joint{}", i + 1), 3, &format!("near{}", i + 1), end);
            if let Some(axis) = self.hinges.get(i) {
                hinge(draft, &format!("hinge{}_", i + 1), *axis, before.as_ref().map(|(one, _)| one), &one);
            }
            before = Some((one, format!("p{}", i + 1)));
        }
        self.finish(draft, units, |i| format!("b{}", i + 1));
    }

    /// Gravity, a spring at the last end, observables.
    fn finish(&self, draft: &mut Draft, units: &Units, centre: impl Fn(usize) -> String) {
        let n = self.rods.len();
        for (i, m) in self.masses.iter().enumerate().filter(|_| self.gravity > 0.0) {
            let weight = units.write(m * self.gravity, 1, 1, -2);
            draft.potential.push(format!("{weight}*({}).z", centre(i)));
        }
        if let Some((to, k)) = &self.spring {
            let way = format!("p{n} - {}", units.point(to));
            draft.potential.push(format!("{}/2*dot({way}, {way})", units.stiffness(*k)));
        }
        (1..=n).for_each(|i| draft.observe(3, &format!("p{i}"), |one| units.back(one)));
        draft.observe_energies(units);
    }

    /// `plain` has body frames along the axes of space.
    fn quaternions(&self, units: &Units, random: &mut Random, plain: bool) -> Draft {
        let mut draft = named(if plain { "quaternions at 1" } else { "quaternions" }, units);
        self.written(&mut draft, units, |_| {
            Style::Quaternion(if plain { [1.0, 0.0, 0.0, 0.0] } else { orientation(random) })
        });
        draft
    }

    fn directors(&self, units: &Units, random: &mut Random) -> Draft {
        let mut draft = named("directors", units);
        self.written(&mut draft, units, |_| Style::Directors(orientation(random)));
        draft
    }

    /// The angles of the hinges: minimal.
    fn angles(&self, units: &Units) -> Draft {
        let mut draft = named("hinge angles", units);
        draft.lets.push("rot(u, a, v) = cos(a)*v + sin(a)*cross(u, v) + (1 - cos(a))*dot(u, v)*u".to_string());
        draft.lets.push("p0 = (0, 0, 0)".to_string());
        draft.lets.push("w0 = (0, 0, 0)".to_string());
        draft.lets.push("s0(v) = v".to_string());
        for (i, axis) in self.hinges.iter().enumerate() {
            let (k, axis) = (i + 1, vector(axis));
            let q = format!("q{k}");
            draft.coordinate(&q, 0.0, self.rates[i] / units.time);
            draft.lets.push(format!("s{k}(v) = s{i}(rot({axis}, {q}, v))"));
            draft.lets.push(format!("w{k} = w{i} + {q}'*s{i}({axis})"));
            draft.lets.push(format!("r{k} = s{k}({})", units.point(&self.rods[i])));
            draft.lets.push(format!("c{k} = p{i} + r{k}/2"));
            draft.lets.push(format!("p{k} = p{i} + r{k}"));
            draft.kinetic.push(format!("{}/2*dot(c{k}', c{k}')", units.mass(self.masses[i])));
            let [across, along] = self.inertia[i];
            let square = number(crate::space::dot(self.rods[i], self.rods[i]) * units.factor(0, 2, 0));
            draft.kinetic.push(format!("{}/2*dot(w{k}, w{k})", units.inertia(across)));
            draft.kinetic.push(format!("{}/2*dot(w{k}, r{k})^2/{square}", units.inertia(along - across)));
        }
        self.finish(&mut draft, units, |i| format!("c{}", i + 1));
        draft
    }
}
