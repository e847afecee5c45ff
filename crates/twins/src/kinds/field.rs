//! Points in the plane under central forces: Cartesian, polar, and both with the mass in either.

use crate::choose::{named, rewritten, signed, size, tolerance, units};
use crate::compare::Twins;
use crate::draft::Draft;
use crate::units::Units;
use holonom_random::Random;

struct Point {
    r: f64,
    phi: f64,
    speed: [f64; 2],
    mass: f64,
}

struct Field {
    points: Vec<Point>,
    attraction: f64,
    stiffness: f64,
    uniform: f64,
    springs: Vec<(usize, usize, f64)>,
    damping: f64,
}

#[derive(Clone, Copy)]
enum Style {
    Cartesian,
    Polar,
    /// Both, with this part of the mass in the Cartesian ones.
    Both(f64),
}

/// Draws one to four points in three formulations.
pub fn draw(random: &mut Random) -> Twins {
    let n = random.between(1, 4);
    let points = (0..n)
        .map(|_| Point {
            r: size(random, 0.5, 2.0),
            phi: 3.1 * random.real(),
            speed: [random.real(), signed(random, 0.3, 1.5)],
            mass: size(random, 0.2, 4.0),
        })
        .collect();
    let springs = if n > 1 { vec![(0, n - 1, size(random, 0.1, 5.0))] } else { Vec::new() };
    let field = Field {
        points,
        attraction: if random.chance(1, 2) { size(random, 0.3, 3.0) } else { 0.0 },
        stiffness: size(random, 0.1, 5.0),
        uniform: if random.chance(1, 2) { size(random, 0.1, 3.0) } else { 0.0 },
        springs,
        damping: if random.chance(1, 3) { size(random, 0.01, 0.1) } else { 0.0 },
    };
    let mut drafts = vec![field.write(&units(random), |_| Style::Cartesian, "Cartesian")];
    drafts.push(field.write(&units(random), |_| Style::Polar, "polar"));
    let mixed = |random: &mut Random| {
        let any = random.real().abs();
        let part = random.pick(&[1.0, 0.0, 0.5, any]);
        random.pick(&[Style::Both(1.0), Style::Both(0.0), Style::Both(part), Style::Both(part), Style::Polar])
    };
    let styles: Vec<Style> = (0..n).map(|_| mixed(random)).collect();
    let both = field.write(&units(random), |i| styles[i], "polar and Cartesian");
    drafts.push(rewritten(both, random, 1.0));
    let energies = 2 * usize::from(field.damping == 0.0);
    let mut groups = vec![0; 2 * n];
    groups.resize(2 * n + energies, 1);
    Twins { kind: "field", drafts, horizon: size(random, 0.5, 3.0), rtol: tolerance(random), groups, refused_as: &[] }
}

impl Field {
    fn write(&self, units: &Units, style: impl Fn(usize) -> Style, name: &str) -> Draft {
        let mut draft = named(name, units);
        let speed = units.factor(0, 1, -1);
        for (i, point) in self.points.iter().enumerate() {
            let (s, c) = point.phi.sin_cos();
            let [along, around] = point.speed;
            let (polar, cartesian, part) = match style(i) {
                Style::Cartesian => (false, true, 1.0),
                Style::Polar => (true, false, 0.0),
                Style::Both(part) => (true, true, part),
            };
            if cartesian {
                draft.coordinate(&format!("x{i}"), point.r * c * units.length, (along * c - around * s) * speed);
                draft.coordinate(&format!("y{i}"), point.r * s * units.length, (along * s + around * c) * speed);
                draft.lets.push(format!("p{i} = (x{i}, y{i})"));
            }
            if polar {
                draft.coordinate(&format!("r{i}"), point.r * units.length, along * speed);
                draft.coordinate(&format!("phi{i}"), point.phi, around / point.r / units.time);
                draft.lets.push(format!("q{i} = r{i}*(cos(phi{i}), sin(phi{i}))"));
            } else {
                draft.lets.push(format!("r{i} = norm(p{i})"));
            }
            if cartesian && polar {
                draft.rows_of(&format!("place{i}"), 2, &format!("p{i}"), &format!("q{i}"));
            } else if polar {
                draft.lets.push(format!("p{i} = q{i}"));
            }
            if part > 0.0 {
                draft.kinetic.push(format!("{}/2*dot(p{i}', p{i}')", units.mass(part * point.mass)));
            }
            if part < 1.0 {
                let m = units.mass((1.0 - part) * point.mass);
                draft.kinetic.push(format!("{m}/2*(r{i}'^2 + r{i}^2*phi{i}'^2)"));
            }
            self.load(&mut draft, units, i, point.mass);
            draft.observe(2, &format!("p{i}"), |one| units.back(one));
        }
        for (i, j, k) in &self.springs {
            draft.potential.push(format!("{}/2*dot(p{i} - p{j}, p{i} - p{j})", units.stiffness(*k)));
        }
        if self.damping == 0.0 {
            draft.observe_energies(units);
        }
        draft
    }

    fn load(&self, draft: &mut Draft, units: &Units, i: usize, mass: f64) {
        draft.potential.push(format!("{}/2*r{i}^2", units.stiffness(self.stiffness)));
        if self.attraction > 0.0 {
            // Softened: near a collision every formulation loses its digits.
            let (k, near) = (units.write(self.attraction, 1, 3, -2), units.length(0.3));
            draft.potential.push(format!("-{k}/sqrt(r{i}^2 + {near}^2)"));
        }
        if self.uniform > 0.0 {
            draft.potential.push(format!("{}*p{i}.y", units.write(self.uniform * mass, 1, 1, -2)));
        }
        if self.damping > 0.0 {
            let c = units.write(self.damping, 1, 0, -1);
            draft.statements.push(format!("dissipation {c}/2*dot(p{i}', p{i}')"));
        }
    }
}
