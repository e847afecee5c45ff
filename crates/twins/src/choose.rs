//! Random choices that scenarios share.

use crate::draft::Draft;
use crate::space::{Quaternion, Vector, normal, unit};
use crate::units::Units;
use holonom_random::Random;

/// From `least` to `most`, evenly over magnitudes.
pub fn size(random: &mut Random, least: f64, most: f64) -> f64 {
    let part = (random.real() + 1.0) / 2.0;
    least * (most / least).powf(part)
}

/// A size with a sign.
pub fn signed(random: &mut Random, least: f64, most: f64) -> f64 {
    let sign = if random.chance(1, 2) { 1.0 } else { -1.0 };
    sign * size(random, least, most)
}

/// A direction in space.
pub fn direction(random: &mut Random) -> Vector {
    if random.chance(1, 4) {
        return random.pick(&[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]);
    }
    loop {
        let v = [random.real(), random.real(), random.real()];
        let square: f64 = v.iter().map(|x| x * x).sum();
        if (0.01..1.0).contains(&square) {
            return unit(v);
        }
    }
}

/// An orientation: any, along the axes, a quarter turn, or a hair off one.
pub fn orientation(random: &mut Random) -> Quaternion {
    const HALF: f64 = std::f64::consts::FRAC_1_SQRT_2;
    match random.index(8) {
        0 | 1 => [1.0, 0.0, 0.0, 0.0],
        2 => {
            random.pick(&[[0.0, 1.0, 0.0, 0.0], [HALF, 0.0, HALF, 0.0], [HALF, 0.0, 0.0, -HALF], [0.5, 0.5, 0.5, 0.5]])
        }
        3 => {
            let small = size(random, 1e-9, 1e-2);
            normal([1.0, small * random.real(), small * random.real(), small * random.real()])
        }
        _ => loop {
            let q = [random.real(), random.real(), random.real(), random.real()];
            let square: f64 = q.iter().map(|x| x * x).sum();
            if (0.01..1.0).contains(&square) {
                return normal(q);
            }
        },
    }
}

/// Units for a formulation: in most cases those of the scenario.
pub fn units(random: &mut Random) -> Units {
    if random.chance(2, 3) {
        return Units::PLAIN;
    }
    Units {
        length: random.pick(&[1.0, 1000.0, 0.001]),
        time: random.pick(&[1.0, 1000.0, 1.0 / 60.0]),
        mass: random.pick(&[1.0, 1000.0, 0.001]),
    }
}

/// The units' part of a formulation's name.
pub fn named(name: &str, units: &Units) -> Draft {
    let mut draft = Draft::new(name);
    draft.time = units.time;
    if *units != Units::PLAIN {
        draft.plain = false;
        draft.name += &format!(" (units {:.3}, {:.3}, {:.3})", units.length, units.time, units.mass);
    }
    draft
}

/// Rewrites a formulation, or leaves it.
pub fn rewritten(mut draft: Draft, random: &mut Random, mass: f64) -> Draft {
    if random.chance(1, 4) {
        draft = draft.augmented(random, mass);
    }
    if random.chance(1, 4) {
        draft = draft.repeated(random);
    }
    if random.chance(1, 3) {
        draft = draft.shuffled(random);
    }
    if random.chance(1, 5) {
        draft = draft.dusty(random);
    }
    draft
}

/// The tolerance of the looser run.
pub fn tolerance(random: &mut Random) -> f64 {
    random.pick(&[1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10])
}
