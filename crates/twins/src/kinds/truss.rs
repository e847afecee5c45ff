//! Particles in the plane or in space with rods and springs between them, floating freely.

use crate::choose::{direction, named, rewritten, size, tolerance, units};
use crate::compare::Twins;
use crate::draft::Draft;
use crate::space::{Vector, add, cross, length};
use crate::units::Units;
use holonom_random::Random;

struct Truss {
    size: usize,
    masses: Vec<f64>,
    points: Vec<Vector>,
    velocities: Vec<Vector>,
    rods: Vec<(usize, usize)>,
    springs: Vec<(usize, usize, f64, f64)>,
    gravity: f64,
    damping: f64,
}

/// Draws a truss of two to nine particles in three formulations.
pub fn draw(random: &mut Random) -> Twins {
    let size_of_space = random.between(2, 3);
    let n = random.between(2, 18 / size_of_space);
    let flat = |v: Vector| if size_of_space == 2 { [v[0], v[1], 0.0] } else { v };
    let mut points: Vec<Vector> = Vec::new();
    while points.len() < n {
        let p = flat([2.0 * random.real(), 2.0 * random.real(), 2.0 * random.real()]);
        if points.iter().all(|q| length(add(p, -1.0, *q)) > 0.4) {
            points.push(p);
        }
    }
    let mut rods: Vec<(usize, usize)> = (1..n).filter(|_| random.chance(3, 4)).map(|i| (i - 1, i)).collect();
    for _ in 0..random.index(n + 1) {
        let (i, j) = (random.index(n), random.index(n));
        if i < j && !rods.contains(&(i, j)) {
            rods.push((i, j));
        }
    }
    let distance = |i: usize, j: usize| length(add(points[i], -1.0, points[j]));
    let springs = (1..n)
        .map(|j| {
            let i = random.index(j);
            (i, j, size(random, 1.0, 50.0), distance(i, j) * (1.0 + 0.2 * random.real()))
        })
        .filter(|(i, j, ..)| !rods.contains(&(*i, *j)))
        .collect();
    // A rigid motion satisfies every rod.
    let omega = if size_of_space == 2 {
        [0.0, 0.0, 2.0 * random.real()]
    } else {
        direction(random).map(|x| 2.0 * x * random.real())
    };
    let drift = flat(direction(random));
    let velocities = points.iter().map(|p| add(drift, 1.0, cross(omega, *p))).collect();
    let masses = (0..n).map(|_| size(random, 0.2, 5.0)).collect();
    let gravity = if random.chance(1, 2) { 9.81 } else { 0.0 };
    let damping = if random.chance(1, 4) { size(random, 0.05, 1.0) } else { 0.0 };
    let truss = Truss { size: size_of_space, masses, points, velocities, rods, springs, gravity, damping };
    let mut drafts = vec![truss.write(&units(random), "norms", false, false)];
    for squared in [true, false] {
        let middles = random.chance(1, 3);
        let name = if middles {
            "massless middles"
        } else if squared {
            "squares"
        } else {
            "norms, rewritten"
        };
        drafts.push(rewritten(truss.write(&units(random), name, squared, middles), random, 1.0));
    }
    let energies = 2 * usize::from(truss.damping == 0.0);
    let mut groups = vec![0; n * size_of_space];
    groups.resize(groups.len() + energies, 1);
    Twins { kind: "truss", drafts, horizon: size(random, 0.3, 5.0), rtol: tolerance(random), groups, refused_as: &[] }
}

impl Truss {
    fn write(&self, units: &Units, name: &str, squared: bool, middles: bool) -> Draft {
        let mut draft = named(name, units);
        let speed = units.factor(0, 1, -1);
        let axes = &["x", "y", "z"][..self.size];
        let place = |draft: &mut Draft, name: &str, p: Vector, v: Vector| {
            for (k, axis) in axes.iter().enumerate() {
                draft.coordinate(&format!("{axis}{name}"), p[k] * units.length, v[k] * speed);
            }
            let list: Vec<String> = axes.iter().map(|axis| format!("{axis}{name}")).collect();
            draft.lets.push(format!("p{name} = ({})", list.join(", ")));
        };
        for (i, m) in self.masses.iter().enumerate() {
            place(&mut draft, &format!("{i}"), self.points[i], self.velocities[i]);
            draft.kinetic.push(format!("{}/2*dot(p{i}', p{i}')", units.mass(*m)));
            if self.gravity > 0.0 {
                draft.potential.push(format!("{}*p{i}.y", units.write(m * self.gravity, 1, 1, -2)));
            }
            if self.damping > 0.0 {
                let c = units.write(self.damping, 1, 0, -1);
                draft.statements.push(format!("dissipation {c}/2*dot(p{i}', p{i}')"));
            }
            draft.observe(self.size, &format!("p{i}"), |one| units.back(one));
        }
        for (i, j) in &self.rods {
            let mut way = format!("p{i} - p{j}");
            let mut l = length(add(self.points[*i], -1.0, self.points[*j]));
            if middles && (i + j) % 2 == 1 {
                let name = format!("{i}m{j}");
                let half = |a: &[Vector]| add(a[*i], 1.0, a[*j]).map(|x| x / 2.0);
                place(&mut draft, &name, half(&self.points), half(&self.velocities));
                draft.rows_of(&format!("middle{name}"), self.size, &format!("p{name}"), &format!("(p{i} + p{j})/2"));
                way = format!("p{name} - p{i}");
                l /= 2.0;
            }
            let l = units.length(l);
            match squared {
                true => draft.row(&format!("rod{i}_{j}"), format!("dot({way}, {way})"), format!("{l}^2")),
                false => draft.row(&format!("rod{i}_{j}"), format!("norm({way})"), l),
            }
        }
        for (i, j, k, l) in &self.springs {
            let l = units.length(*l);
            draft.potential.push(format!("{}/2*(norm(p{i} - p{j}) - {l})^2", units.stiffness(*k)));
        }
        if self.damping == 0.0 {
            draft.observe_energies(units);
        }
        draft
    }
}
