//! Point masses on massless rods in the plane, hung from a pivot that rests or is driven.

use crate::choose::{named, rewritten, signed, size, tolerance, units};
use crate::compare::Twins;
use crate::draft::Draft;
use crate::units::{Units, number};
use holonom_random::Random;

struct Chain {
    rods: Vec<f64>,
    masses: Vec<f64>,
    /// Angles from the vertical, and their rates.
    angles: Vec<f64>,
    rates: Vec<f64>,
    gravity: f64,
    /// From a mass to a point of the plane, or to another mass: stiffness and rest length.
    anchors: Vec<(usize, [f64; 2], f64)>,
    ties: Vec<(usize, usize, f64, f64)>,
    damping: f64,
    /// Amplitude and frequency of the pivot, which moves along x.
    drive: Option<(f64, f64)>,
}

/// Draws a chain in three or four formulations.
pub fn draw(random: &mut Random, driven: bool, most: usize) -> Twins {
    let n = random.between(1, most);
    let swing = random.pick(&[1.0, 1.0, 0.5, 1e-3, 1e-6]);
    let list = |random: &mut Random, least, most| (0..n).map(|_| size(random, least, most)).collect::<Vec<f64>>();
    let (rods, masses) = (list(random, 0.3, 3.0), list(random, 0.1, 10.0));
    let angles = (0..n).map(|_| swing * 2.0 * random.real()).collect();
    let at_rest = random.chance(1, 3);
    let rates = (0..n).map(|_| if at_rest { 0.0 } else { swing * 2.0 * random.real() }).collect();
    let place = |random: &mut Random| [2.0 * random.real(), -2.0 * random.real()];
    let anchors = (0..random.index(3)).map(|_| (random.index(n), place(random), size(random, 0.1, 20.0))).collect();
    let mut ties = Vec::new();
    if n > 2 && random.chance(1, 2) {
        let i = random.index(n - 2);
        ties.push((i, i + 2, size(random, 0.1, 20.0), size(random, 0.3, 2.0)));
    }
    let damping = if random.chance(1, 3) { size(random, 0.01, 1.0) } else { 0.0 };
    let drive = driven.then(|| (signed(random, 0.05, 0.5), size(random, 0.5, 6.0)));
    let gravity = if random.chance(1, 5) { 0.0 } else { 9.81 };
    let chain = Chain { rods, masses, angles, rates, gravity, anchors, ties, damping, drive };
    let horizon = size(random, 0.5, 10.0);
    let mut writers: Vec<Writer> = vec![cartesian, relative, pairs, parts, mixed, middles];
    let mut drafts = vec![angles_only(&chain, &units(random), random)];
    for _ in 0..random.between(1, 3) {
        let writer = writers.remove(random.index(writers.len()));
        let written = writer(&chain, &units(random), random);
        drafts.push(rewritten(written, random, chain.masses[0]));
    }
    let outputs = drafts[0].outputs.len();
    let energies = 2 * usize::from(!driven && chain.damping == 0.0);
    let mut groups = vec![0; outputs - energies];
    groups.resize(outputs, 1);
    Twins {
        kind: if driven { "driven" } else { "chain" },
        drafts,
        horizon,
        rtol: tolerance(random),
        groups,
        refused_as: &[],
    }
}

type Writer = fn(&Chain, &Units, &mut Random) -> Draft;

impl Chain {
    /// Where the masses are, and how fast, in the scenario's units.
    fn points(&self) -> Vec<([f64; 2], [f64; 2])> {
        let (mut p, mut v) = ([0.0, 0.0], [self.drive.map_or(0.0, |(a, w)| a * w), 0.0]);
        let mut points = Vec::new();
        for ((l, a), w) in self.rods.iter().zip(&self.angles).zip(&self.rates) {
            p = [p[0] + l * a.sin(), p[1] - l * a.cos()];
            v = [v[0] + l * w * a.cos(), v[1] + l * w * a.sin()];
            points.push((p, v));
        }
        points
    }

    /// The pivot `p0`: the driven coordinate put in, or a coordinate held by a row.
    fn pivot(&self, draft: &mut Draft, units: &Units, random: &mut Random) {
        let Some((amplitude, frequency)) = self.drive else {
            draft.lets.push("p0 = (0, 0)".to_string());
            return;
        };
        draft.driven = true;
        let way = format!("{}*sin({}*t)", units.length(amplitude), units.rate(frequency));
        if random.chance(1, 2) {
            draft.lets.push(format!("p0 = ({way}, 0)"));
            return;
        }
        draft.coordinate("pivot", 0.0, amplitude * frequency * units.factor(0, 1, -1));
        draft.lets.push("p0 = (pivot, 0)".to_string());
        draft.row("drive", "pivot", way);
        if random.chance(1, 2) {
            draft.kinetic.push(format!("{}/2*pivot'^2", units.mass(1.0)));
        }
        draft.name += ", pivot by a row";
    }

    /// Energies, forces and observables, once `p1`, `p2`, … are points.
    fn finish(&self, draft: &mut Draft, units: &Units) {
        for (i, m) in self.masses.iter().enumerate() {
            let p = format!("p{}", i + 1);
            draft.kinetic.push(format!("{}/2*dot({p}', {p}')", units.mass(*m)));
            if self.gravity > 0.0 {
                draft.potential.push(format!("{}*{}*{p}.y", units.mass(*m), units.acceleration(self.gravity)));
            }
            if self.damping > 0.0 {
                let c = units.write(self.damping, 1, 0, -1);
                draft.statements.push(format!("dissipation {c}/2*dot({p}', {p}')"));
            }
            draft.observe(2, &p, |one| units.back(one));
        }
        for (i, q, k) in &self.anchors {
            let way = format!("p{} - {}", i + 1, units.point(q));
            draft.potential.push(format!("{}/2*dot({way}, {way})", units.stiffness(*k)));
        }
        for (i, j, k, l) in &self.ties {
            let way = format!("norm(p{} - p{})", i + 1, j + 1);
            draft.potential.push(format!("{}/2*({way} - {})^2", units.stiffness(*k), units.length(*l)));
        }
        if self.drive.is_none() && self.damping == 0.0 {
            draft.observe_energies(units);
        }
    }

    fn point_from_angle(&self, i: usize, angle: &str, units: &Units) -> String {
        format!("p{} = p{i} + {}*(sin({angle}), -cos({angle}))", i + 1, units.length(self.rods[i]))
    }

    fn cartesian_coordinates(&self, draft: &mut Draft, i: usize, units: &Units) {
        let (p, v) = self.points()[i];
        for (k, axis) in ["x", "y"].iter().enumerate() {
            draft.coordinate(&format!("{axis}{}", i + 1), p[k] * units.length, v[k] * units.factor(0, 1, -1));
        }
        draft.lets.push(format!("p{0} = (x{0}, y{0})", i + 1));
    }

    fn rod_row(&self, draft: &mut Draft, i: usize, units: &Units, squared: bool) {
        let way = format!("p{} - p{i}", i + 1);
        let l = units.length(self.rods[i]);
        match squared {
            true => draft.row(&format!("rod{}", i + 1), format!("dot({way}, {way})"), format!("{l}^2")),
            false => draft.row(&format!("rod{}", i + 1), format!("norm({way})"), l),
        }
    }
}

fn angles_only(chain: &Chain, units: &Units, random: &mut Random) -> Draft {
    let mut draft = named("angles", units);
    chain.pivot(&mut draft, units, random);
    for i in 0..chain.rods.len() {
        draft.coordinate(&format!("a{}", i + 1), chain.angles[i], chain.rates[i] / units.time);
        draft.lets.push(chain.point_from_angle(i, &format!("a{}", i + 1), units));
    }
    chain.finish(&mut draft, units);
    draft
}

fn relative(chain: &Chain, units: &Units, random: &mut Random) -> Draft {
    let mut draft = named("relative angles", units);
    chain.pivot(&mut draft, units, random);
    let (mut before, mut speed, mut sum) = (0.0, 0.0, "0".to_string());
    for i in 0..chain.rods.len() {
        let name = format!("r{}", i + 1);
        draft.coordinate(&name, chain.angles[i] - before, (chain.rates[i] - speed) / units.time);
        (before, speed) = (chain.angles[i], chain.rates[i]);
        sum = if i == 0 { name } else { format!("{sum} + {name}") };
        draft.lets.push(chain.point_from_angle(i, &sum, units));
    }
    chain.finish(&mut draft, units);
    draft
}

fn cartesian(chain: &Chain, units: &Units, random: &mut Random) -> Draft {
    let mut draft = named("Cartesian", units);
    chain.pivot(&mut draft, units, random);
    for i in 0..chain.rods.len() {
        chain.cartesian_coordinates(&mut draft, i, units);
        let squared = random.chance(1, 2);
        chain.rod_row(&mut draft, i, units, squared);
    }
    chain.finish(&mut draft, units);
    draft
}

/// Each angle is the sum of two, tied by a row whose slope turns: M is singular.
fn pairs(chain: &Chain, units: &Units, random: &mut Random) -> Draft {
    let mut draft = named("angles as sums", units);
    chain.pivot(&mut draft, units, random);
    for i in 0..chain.rods.len() {
        let (u, v) = (format!("u{}", i + 1), format!("v{}", i + 1));
        let (bend, part) = (0.6 * random.real(), random.real());
        let (v0, u0) = (part, chain.angles[i] - part);
        let slope = 1.0 + bend * u0.cos();
        let rate = chain.rates[i] / units.time;
        draft.coordinate(&u, u0, rate * 2.0 / (2.0 + slope));
        draft.coordinate(&v, v0, rate * slope / (2.0 + slope));
        draft.lets.push(chain.point_from_angle(i, &format!("{u} + {v}"), units));
        let shift = number(u0 + bend * u0.sin() - 2.0 * v0);
        draft.row(&format!("tie{}", i + 1), format!("{u} + {}*sin({u})", number(bend)), format!("2*{v} + {shift}"));
    }
    chain.finish(&mut draft, units);
    draft
}

/// Massless bars with their middles and angles, and masses, as parts that are glued.
fn parts(chain: &Chain, units: &Units, random: &mut Random) -> Draft {
    let mut draft = named("parts", units);
    chain.pivot(&mut draft, units, random);
    let all = random.chance(1, 2);
    for (i, (p, v)) in chain.points().into_iter().enumerate() {
        let (l, name) = (units.length(chain.rods[i]), format!("bar{}", i + 1));
        let way = format!("{l}/2*(sin(a), -cos(a))");
        draft.statements.push(format!(
            "part {name}\n  coord      x, y, a\n  let        near = (x, y) - {way}, far = (x, y) + {way}"
        ));
        draft.statements.push(format!("part bob{0}\n  coord      x, y\n  let        at = (x, y)", i + 1));
        draft.lets.push(format!("p{0} = bob{0}.at", i + 1));
        let before = if i == 0 { "p0".to_string() } else { format!("bar{i}.far") };
        draft.statements.push(format!("connect near{}: {name}.near = {before}", i + 1));
        draft.statements.push(format!("connect far{0}: {name}.far = bob{0}.at", i + 1));
        let speed = units.factor(0, 1, -1);
        draft.starts(&format!("{name}.a"), chain.angles[i], chain.rates[i] / units.time);
        if all {
            let (half, w, a) = (chain.rods[i] / 2.0, chain.rates[i], chain.angles[i]);
            let (x, y) = (p[0] - half * a.sin(), p[1] + half * a.cos());
            let (vx, vy) = (v[0] - half * w * a.cos(), v[1] - half * w * a.sin());
            draft.starts(&format!("{name}.x"), x * units.length, vx * speed);
            draft.starts(&format!("{name}.y"), y * units.length, vy * speed);
            draft.starts(&format!("bob{}.x", i + 1), p[0] * units.length, v[0] * speed);
            draft.starts(&format!("bob{}.y", i + 1), p[1] * units.length, v[1] * speed);
        }
    }
    if !all {
        draft.name += ", start inferred";
    }
    chain.finish(&mut draft, units);
    draft
}

/// The first masses by angles, the others by Cartesian coordinates.
fn mixed(chain: &Chain, units: &Units, random: &mut Random) -> Draft {
    let mut draft = named("angles and Cartesian", units);
    chain.pivot(&mut draft, units, random);
    let n = chain.rods.len();
    let turned = random.index(n + 1);
    for i in 0..n {
        if i < turned {
            draft.coordinate(&format!("a{}", i + 1), chain.angles[i], chain.rates[i] / units.time);
            draft.lets.push(chain.point_from_angle(i, &format!("a{}", i + 1), units));
        } else {
            chain.cartesian_coordinates(&mut draft, i, units);
            chain.rod_row(&mut draft, i, units, true);
        }
    }
    // The angle of the last rod as well, without mass, in a row of its own.
    if turned < n {
        draft.coordinate("extra", chain.angles[n - 1], chain.rates[n - 1] / units.time);
        let rod = format!("(p{n} - p{})", n - 1);
        draft.row("extra_row", format!("{rod}.x*cos(extra) + {rod}.y*sin(extra)"), "0");
    }
    chain.finish(&mut draft, units);
    draft
}

/// Cartesian, with massless points in the middles of the rods.
fn middles(chain: &Chain, units: &Units, random: &mut Random) -> Draft {
    let mut draft = cartesian(chain, units, random);
    draft.name = draft.name.replacen("Cartesian", "massless middles", 1);
    let points = chain.points();
    let pivot = ([0.0, 0.0], [chain.drive.map_or(0.0, |(a, w)| a * w), 0.0]);
    for i in 0..chain.rods.len() {
        let (p, v) = points[i];
        let (q, w) = if i == 0 { pivot } else { points[i - 1] };
        for (k, axis) in ["x", "y"].iter().enumerate() {
            let (x, speed) = ((p[k] + q[k]) / 2.0, (v[k] + w[k]) / 2.0);
            draft.coordinate(&format!("m{axis}{}", i + 1), x * units.length, speed * units.factor(0, 1, -1));
        }
        draft.rows_of(
            &format!("middle{}", i + 1),
            2,
            &format!("(mx{0}, my{0})", i + 1),
            &format!("(p{i} + p{})/2", i + 1),
        );
        // Each rod is now held by its halves: the row of the whole is the square of the same.
        let half = format!("(mx{0}, my{0}) - p{i}", i + 1);
        if random.chance(1, 2) {
            let l = units.length(chain.rods[i] / 2.0);
            draft.rows.retain(|row| row.name != format!("rod{}", i + 1));
            draft.row(&format!("half{}", i + 1), format!("dot({half}, {half})"), format!("{l}^2"));
        }
    }
    draft
}
