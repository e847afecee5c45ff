//! What an error is measured against: the sizes of the terms that enter.

use crate::rounding::Rounding;
use crate::subject::{Subject, largest};
use holonom::Motion;

/// What two ways to the same number may differ by, relative to its size.
const AGREEMENT: f64 = 1e-11;
/// The same, where the answer need be no better than the data: in roundings of the data.
const ROUNDINGS: f64 = 300.0;

/// The sizes that belong to a system and a motion.
pub struct Sizes {
    /// For each row, Σⱼ|Aᵢⱼ q̈ⱼ| + |bᵢ|: what adds up to the residual.
    pub rows: Vec<f64>,
    /// For each coordinate, |Q| + |C| + |Qᵢ| + |Qₙᵢ| + Σₖ|Mⱼₖ q̈ₖ|: what adds up in Newton's equation.
    pub balance: Vec<f64>,
    /// For each coordinate, the largest acceleration in its unit. Where the motion is not unique, its least norm mixes
    /// units, and the largest component counts for all.
    pub acceleration: Vec<f64>,
    /// For each coordinate, the largest force in its unit.
    pub force: Vec<f64>,
    /// For each row, the largest multiplier in its unit, or what the largest force would take of the row alone.
    pub multiplier: Vec<f64>,
}

impl Sizes {
    /// Measured on a motion.
    pub fn of(subject: &Subject, motion: &Motion) -> Sizes {
        let (a, units) = (subject.arrays(), &subject.system.units);
        let (n, C) = (a.n(), a.C_or_zero());
        let terms = |row: &[f64]| row.iter().zip(&motion.acceleration).map(|(a, x)| (a * x).abs()).sum::<f64>();
        let rows = a.rows().zip(&a.b).map(|(row, b)| terms(row) + b.abs()).collect();
        let forces: Vec<f64> = (0..n)
            .map(|j| a.Q[j].abs() + C[j].abs() + motion.ideal_force[j].abs() + motion.nonideal_force[j].abs())
            .collect();
        let balance: Vec<f64> = (0..n).map(|j| forces[j] + terms(a.mass_row(j))).collect();
        let unique = motion.is_unique();
        let unit = |j: usize| if unique { units[j] } else { 1.0 };
        let acceleration = (0..n).fold(0.0, |m: f64, j| m.max((motion.acceleration[j] / unit(j)).abs()));
        // Where forces vanish that M q̈ is made of, they are its rounding: a hundredth stands for that.
        let force = (0..n).fold(0.0, |m: f64, j| m.max(forces[j].max(1e-2 * balance[j]) * unit(j)));
        // Light coordinates take the rounding of heavy ones: M q̈ comes with one error in the norm of M.
        let root = |j: usize| a.M[j * n + j].sqrt();
        let kinetic = (0..n).fold(0.0, |m: f64, j| m.max(motion.acceleration[j].abs() * root(j)));
        // What the forces would do alone is taken back by the constraints, up to its own rounding.
        let pushed = (0..n).filter(|j| root(*j) > 0.0).fold(0.0, |m: f64, j| m.max(forces[j] / root(j)));
        let inherited = |j: usize| if root(j) > 0.0 { (1e-2 * kinetic + 1e-4 * pushed) / root(j) } else { 0.0 };
        let length: Vec<f64> =
            a.rows().map(|row| largest(&row.iter().zip(units).map(|(a, u)| a * u).collect::<Vec<_>>())).collect();
        let along = |x: &[f64]| x.iter().zip(&length).fold(0.0, |m: f64, (x, l)| m.max((x * l).abs()));
        let pull = force.max(along(&motion.reactions)).max(along(&motion.ideal_multipliers));
        Sizes {
            rows,
            balance,
            acceleration: (0..n).map(|j| (acceleration * unit(j)).max(inherited(j))).collect(),
            force: (0..n).map(|j| force / unit(j)).collect(),
            multiplier: length.iter().map(|l| if *l > 0.0 { pull / l } else { 0.0 }).collect(),
        }
    }
}

/// What two ways to the same answer may differ by.
///
/// Exact data with a unique motion and constraints that can be met have their answer to the last digits, however
/// ill-conditioned: the kernel refines it. Elsewhere the answer is as good as the data: rounded data, least
/// squares over contradictory rows, and least norms over free directions, where what the free directions carry is
/// first taken out of the forces and that rounds them.
pub struct Allowed {
    /// Of q̈.
    pub acceleration: Vec<f64>,
    /// Of Qᵢ and Qₙᵢ.
    pub force: Vec<f64>,
    /// Of λ and λᵢ.
    pub multiplier: Vec<f64>,
}

impl Allowed {
    /// For a motion; nothing where the rounding of the data counts but cannot be followed.
    pub fn of(subject: &Subject, motion: &Motion, sizes: &Sizes) -> Option<Allowed> {
        let sharp = subject.system.exact && motion.is_unique() && motion.consistent;
        let rounding = if sharp { Rounding::none(subject) } else { Rounding::of(subject, motion)? };
        let sum = |size: &[f64], rounding: &[f64]| {
            size.iter().zip(rounding).map(|(size, r)| AGREEMENT * size + ROUNDINGS * r).collect()
        };
        Some(Allowed {
            acceleration: sum(&sizes.acceleration, &rounding.acceleration),
            force: sum(&sizes.force, &rounding.force),
            multiplier: sum(&sizes.multiplier, &rounding.multiplier),
        })
    }
}
