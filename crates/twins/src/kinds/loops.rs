//! Closed loops of uniform bars: planar four-bars and slider-cranks, spatial four-bars.

use super::glued::{bars, files, parts};
use crate::choose::{direction, named, orientation, rewritten, signed, size, tolerance, units};
use crate::compare::Twins;
use crate::draft::Draft;
use crate::rigid::{Rigid, Style, Written, hinge, rod_axes};
use crate::space::{Quaternion, Vector, across, add, cross, dot, length, turn, unit};
use crate::units::{Units, vector};
use holonom_random::Random;

/// A loop O – A – B – C, with O and C on the ground, or B on a slider.
pub struct Loop {
    pub o: Vector,
    pub a: Vector,
    pub b: Vector,
    pub c: Vector,
    pub va: Vector,
    pub vb: Vector,
    /// Angular velocities of crank, coupler, rocker.
    pub omegas: [Vector; 3],
    /// Axes of the hinges at O and C.
    pub axes: [Vector; 2],
    pub masses: [f64; 3],
    pub gravity: Vector,
    /// The direction of the slider, which replaces the rocker.
    pub slider: Option<Vector>,
    /// Stiffness of a spring from B to the origin.
    pub spring: f64,
    pub planar: bool,
}

const Z: Vector = [0.0, 0.0, 1.0];

/// a − b.
pub fn minus(a: Vector, b: Vector) -> Vector {
    add(a, -1.0, b)
}

/// Draws a planar loop.
pub fn draw(random: &mut Random) -> Twins {
    let slider = random.chance(1, 3);
    let one = loop {
        let angle = 3.1 * random.real();
        let radius = 0.4 + 0.2 * random.real();
        let a = [radius * angle.cos(), radius * angle.sin(), 0.0];
        let c = [1.2 + 0.3 * random.real(), 0.3 * random.real(), 0.0];
        let angle = 3.1 * random.real();
        let b = add(c, 0.9 + 0.3 * random.real(), [angle.cos(), angle.sin(), 0.0]);
        let tilt = 0.3 * random.real();
        let way = slider.then(|| [tilt.cos(), tilt.sin(), 0.0]);
        let (ab, speed) = (minus(b, a), signed(random, 0.1, 5.0));
        // vB = vA + ω₂ × AB is along the slider, or normal to the rocker.
        let free = way.unwrap_or_else(|| cross(Z, minus(b, c)));
        let va = cross(Z, a).map(|x| x * speed);
        let slope = dot(ab, free) / (length(ab) * length(free));
        if slope.abs() < 0.4 || length(ab) < 0.4 {
            continue;
        }
        let rate = dot(ab, va) / dot(ab, free);
        let vb = free.map(|x| x * rate);
        let coupler = cross(ab, minus(vb, va))[2] / dot(ab, ab);
        let omegas = [speed, coupler, if slider { 0.0 } else { rate }].map(|w| [0.0, 0.0, w]);
        let masses = [0, 1, 2].map(|_| size(random, 0.2, 3.0));
        let gravity = if random.chance(1, 4) { [0.0; 3] } else { [0.0, -9.81, 0.0] };
        let spring = if random.chance(1, 2) { size(random, 1.0, 20.0) } else { 0.0 };
        let (o, axes, slider) = ([0.0; 3], [Z, Z], way);
        break Loop { o, a, b, c, va, vb, omegas, axes, masses, gravity, slider, spring, planar: true };
    };
    let mut writers: Vec<Writer> = vec![two_angles, three_angles, points, bars, parts, files];
    if !slider {
        writers.push(in_space);
    }
    finish_drawing(one, writers, random, "loop")
}

/// Draws a spatial four-bar: hinge, ball, ball, hinge.
pub fn draw_spatial(random: &mut Random) -> Twins {
    let one = loop {
        let axes = [direction(random), direction(random)];
        let normal_to = |axis: Vector, random: &mut Random| {
            let [one, two] = across(axis);
            let angle = 3.1 * random.real();
            add(one.map(|x| x * angle.cos()), angle.sin(), two)
        };
        let radius = 0.4 + 0.2 * random.real();
        let a = normal_to(axes[0], random).map(|x| x * radius);
        let c = add([1.0, 0.3, 0.1], 0.4, direction(random));
        let b = add(c, 0.8 + 0.2 * random.real(), normal_to(axes[1], random));
        let (ab, speed) = (minus(b, a), signed(random, 0.1, 4.0));
        let va = cross(axes[0], a).map(|x| x * speed);
        let free = cross(axes[1], minus(b, c));
        let slope = dot(ab, free) / (length(ab) * length(free));
        if slope.abs() < 0.4 || length(ab) < 0.4 {
            continue;
        }
        let rate = dot(ab, va) / dot(ab, free);
        let vb = free.map(|x| x * rate);
        let coupler = cross(ab, minus(vb, va)).map(|x| x / dot(ab, ab));
        let omegas = [axes[0].map(|x| x * speed), coupler, axes[1].map(|x| x * rate)];
        let masses = [0, 1, 2].map(|_| size(random, 0.2, 3.0));
        let gravity = if random.chance(1, 4) { [0.0; 3] } else { [0.0, 0.0, -9.81] };
        let spring = if random.chance(1, 2) { size(random, 1.0, 20.0) } else { 0.0 };
        let o = [0.0; 3];
        break Loop { o, a, b, c, va, vb, omegas, axes, masses, gravity, slider: None, spring, planar: false };
    };
    let writers: Vec<Writer> = vec![spatial_angles, points, quaternions_at_1, in_space, in_space];
    finish_drawing(one, writers, random, "rssr")
}

type Writer = fn(&Loop, &Units, &mut Random) -> Draft;

fn finish_drawing(one: Loop, mut writers: Vec<Writer>, random: &mut Random, kind: &'static str) -> Twins {
    let mut drafts = Vec::new();
    for _ in 0..random.between(2, 4) {
        let writer = writers.remove(random.index(writers.len()));
        let written = writer(&one, &units(random), random);
        drafts.push(if drafts.is_empty() { written } else { rewritten(written, random, 1.0) });
    }
    let mut groups = vec![0; drafts[0].outputs.len() - 2];
    groups.extend([1, 1]);
    Twins { kind, drafts, horizon: size(random, 0.3, 6.0), rtol: tolerance(random), groups, refused_as: &[] }
}

impl Loop {
    /// From, to, velocities of both ends, of each bar.
    pub fn ends(&self) -> Vec<(Vector, Vector, Vector, Vector)> {
        let zero = [0.0; 3];
        let mut ends = vec![(self.o, self.a, zero, self.va), (self.a, self.b, self.va, self.vb)];
        if self.slider.is_none() {
            ends.push((self.c, self.b, zero, self.vb));
        }
        ends
    }

    fn size(&self) -> usize {
        if self.planar { 2 } else { 3 }
    }

    pub fn point(&self, v: Vector, units: &Units) -> String {
        units.point(&v[..self.size()])
    }

    pub fn direction(&self, v: Vector) -> String {
        vector(&v[..self.size()])
    }

    /// Energies of uniform bars by their ends, once `A` and `B` are points.
    fn by_ends(&self, draft: &mut Draft, units: &Units) {
        draft.lets.push(format!("O = {}", self.point(self.o, units)));
        draft.lets.push(format!("C = {}", self.point(self.c, units)));
        let mut bars = vec![("O", "A"), ("A", "B")];
        if self.slider.is_none() {
            bars.push(("C", "B"));
        }
        for ((p, q), m) in bars.into_iter().zip(self.masses) {
            draft.kinetic.push(format!("{}/6*(dot({p}', {p}') + dot({q}', {q}') + dot({p}', {q}'))", units.mass(m)));
            self.weigh(draft, units, m, &format!("({p} + {q})/2"));
        }
        if self.slider.is_some() {
            draft.kinetic.push(format!("{}/2*dot(B', B')", units.mass(self.masses[2])));
            self.weigh(draft, units, self.masses[2], "B");
        }
        self.observe(draft, units, "A", "B", &|v| self.direction(v), self.size());
    }

    pub fn weigh(&self, draft: &mut Draft, units: &Units, mass: f64, at: &str) {
        if dot(self.gravity, self.gravity) > 0.0 {
            let weight: Vec<String> =
                self.gravity[..self.size()].iter().map(|g| units.write(-mass * g, 1, 1, -2)).collect();
            draft.potential.push(format!("dot(({}), {at})", weight.join(", ")));
        }
    }

    /// The spring at B, and what is compared, in the loop's own frame.
    pub fn observe(
        &self,
        draft: &mut Draft,
        units: &Units,
        a: &str,
        b: &str,
        frame: &dyn Fn(Vector) -> String,
        size: usize,
    ) {
        if self.spring > 0.0 {
            draft.potential.push(format!("{}/2*dot({b}, {b})", units.stiffness(self.spring)));
        }
        for point in [a, b] {
            for axis in &[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], Z][..size] {
                draft.outputs.push(units.back(&format!("dot({point}, {})", frame(*axis))));
            }
        }
        draft.observe_energies(units);
    }

    pub fn angle(&self, bar: usize) -> (f64, f64) {
        let (from, to, ..) = self.ends()[bar];
        let way = minus(to, from);
        (way[1].atan2(way[0]), self.omegas[bar][2])
    }
}

fn planar_angle(one: &Loop, draft: &mut Draft, bar: usize, name: &str, units: &Units) -> String {
    let (from, to, ..) = one.ends()[bar];
    let (angle, rate) = one.angle(bar);
    draft.coordinate(name, angle, rate / units.time);
    format!("{}*(cos({name}), sin({name}))", units.length(length(minus(to, from))))
}

fn slide(one: &Loop, draft: &mut Draft, way: Vector, units: &Units) {
    draft.coordinate("s", 0.0, dot(one.vb, way) * units.factor(0, 1, -1));
    draft.lets.push(format!("B = {} + s*{}", one.point(one.b, units), one.direction(way)));
}

fn two_angles(one: &Loop, units: &Units, _: &mut Random) -> Draft {
    let mut draft = named("two coordinates", units);
    let crank = planar_angle(one, &mut draft, 0, "a1", units);
    draft.lets.push(format!("A = O + {crank}"));
    match one.slider {
        Some(way) => slide(one, &mut draft, way, units),
        None => {
            let rocker = planar_angle(one, &mut draft, 2, "a3", units);
            draft.lets.push(format!("B = C + {rocker}"));
        }
    }
    one.by_ends(&mut draft, units);
    draft.row("coupler", "norm(B - A)", units.length(length(minus(one.b, one.a))));
    draft
}

fn three_angles(one: &Loop, units: &Units, _: &mut Random) -> Draft {
    let mut draft = named("three coordinates", units);
    let crank = planar_angle(one, &mut draft, 0, "a1", units);
    let coupler = planar_angle(one, &mut draft, 1, "a2", units);
    draft.lets.push(format!("A = O + {crank}"));
    match one.slider {
        Some(way) => slide(one, &mut draft, way, units),
        None => {
            let rocker = planar_angle(one, &mut draft, 2, "a3", units);
            draft.lets.push(format!("B = C + {rocker}"));
        }
    }
    one.by_ends(&mut draft, units);
    draft.rows_of("close", 2, &format!("A + {coupler}"), "B");
    draft
}

fn points(one: &Loop, units: &Units, random: &mut Random) -> Draft {
    let mut draft = named("points", units);
    for (name, p, v) in [("A", one.a, one.va), ("B", one.b, one.vb)] {
        let axes = &["x", "y", "z"][..one.size()];
        for (k, axis) in axes.iter().enumerate() {
            draft.coordinate(&format!("{name}{axis}"), p[k] * units.length, v[k] * units.factor(0, 1, -1));
        }
        let list: Vec<String> = axes.iter().map(|axis| format!("{name}{axis}")).collect();
        draft.lets.push(format!("{name} = ({})", list.join(", ")));
    }
    one.by_ends(&mut draft, units);
    for (i, (name, way)) in [("crank", "A - O"), ("coupler", "B - A"), ("rocker", "B - C")].into_iter().enumerate() {
        let Some((from, to, ..)) = one.ends().get(i).copied() else { continue };
        let l = units.length(length(minus(to, from)));
        match random.chance(1, 2) {
            true => draft.row(name, format!("norm({way})"), l),
            false => draft.row(name, format!("dot({way}, {way})"), format!("{l}^2")),
        }
    }
    if let Some(way) = one.slider {
        let side = one.direction(cross(Z, way));
        draft.row("slide", format!("dot(B - {}, {side})", one.point(one.b, units)), "0");
    }
    if !one.planar {
        draft.row("plane1", format!("dot(A - O, {})", vector(&one.axes[0])), "0");
        draft.row("plane2", format!("dot(B - C, {})", vector(&one.axes[1])), "0");
    }
    draft
}

fn spatial_angles(one: &Loop, units: &Units, _: &mut Random) -> Draft {
    let mut draft = named("two angles", units);
    draft.lets.push("rot(u, a, v) = cos(a)*v + sin(a)*cross(u, v) + (1 - cos(a))*dot(u, v)*u".to_string());
    for (i, (name, from, to, ground)) in [("A", one.o, one.a, "O"), ("B", one.c, one.b, "C")].into_iter().enumerate() {
        let angle = format!("a{name}");
        draft.coordinate(&angle, 0.0, dot(one.omegas[2 * i], one.axes[i]) / units.time);
        let arm = units.point(&minus(to, from));
        draft.lets.push(format!("{name} = {ground} + rot({}, {angle}, {arm})", vector(&one.axes[i])));
    }
    one.by_ends(&mut draft, units);
    draft.row("coupler", "norm(B - A)", units.length(length(minus(one.b, one.a))));
    draft
}

fn quaternions_at_1(one: &Loop, units: &Units, _: &mut Random) -> Draft {
    bodies(one, units, "quaternions at 1", [1.0, 0.0, 0.0, 0.0], || [1.0, 0.0, 0.0, 0.0])
}

/// Bodies in space with frames of their own; a planar loop lies in any plane then.
fn in_space(one: &Loop, units: &Units, random: &mut Random) -> Draft {
    let place = if one.planar { orientation(random) } else { [1.0, 0.0, 0.0, 0.0] };
    bodies(one, units, if one.planar { "bodies in space" } else { "quaternions" }, place, || orientation(random))
}

fn bodies(one: &Loop, units: &Units, name: &str, place: Quaternion, mut frame: impl FnMut() -> Quaternion) -> Draft {
    let mut draft = named(name, units);
    let put = |v: Vector| turn(place, v);
    let mut written: Vec<Written> = Vec::new();
    let mut tips = Vec::new();
    for (i, (from, to, u, v)) in one.ends().into_iter().enumerate() {
        let (way, mass) = (put(minus(to, from)), one.masses[i]);
        let across = mass * dot(way, way) / 12.0;
        let body = Rigid {
            name: format!("b{}", i + 1),
            mass,
            inertia: [across, across, across / 10.0],
            axes: rod_axes(unit(way)),
            centre: put(add(from, 1.0, to).map(|x| x / 2.0)),
            velocity: put(add(u, 1.0, v).map(|x| x / 2.0)),
            omega: put(one.omegas[i]),
        };
        let done = body.write(&mut draft, Style::Quaternion(frame()), units, true);
        let half = done.arm(way.map(|x| x / 2.0), units);
        draft.lets.push(format!("near{0} = b{0} - {half}", i + 1));
        draft.lets.push(format!("far{0} = b{0} + {half}", i + 1));
        if dot(one.gravity, one.gravity) > 0.0 {
            let weight: Vec<String> = put(one.gravity).iter().map(|g| units.write(-mass * g, 1, 1, -2)).collect();
            draft.potential.push(format!("dot(({}), b{})", weight.join(", "), i + 1));
        }
        written.push(done);
        tips.push(format!("far{}", i + 1));
    }
    draft.rows_of("atO", 3, "near1", &units.point(&put(one.o)));
    draft.rows_of("atA", 3, "far1", "near2");
    draft.rows_of("atB", 3, "far2", "far3");
    draft.rows_of("atC", 3, "near3", &units.point(&put(one.c)));
    hinge(&mut draft, "hingeO", put(one.axes[0]), None, &written[0]);
    hinge(&mut draft, "hingeC", put(one.axes[1]), None, &written[2]);
    if one.planar {
        hinge(&mut draft, "hingeA", put(Z), Some(&written[0]), &written[1]);
        hinge(&mut draft, "hingeB", put(Z), Some(&written[1]), &written[2]);
    }
    one.observe(&mut draft, units, "far1", "far2", &|v| vector(&put(v)), one.size());
    draft
}
