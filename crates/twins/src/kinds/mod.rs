//! The kinds of scenarios. A new one is a file and a line in `KINDS`.

mod body;
mod chain;
mod field;
mod glued;
mod linkage;
mod loops;
mod rolling;
mod sizes;
mod truss;
mod wrong;

use crate::compare::Twins;
use holonom_random::Random;

/// A kind of scenario.
pub struct Kind {
    /// Its name.
    pub name: &'static str,
    /// What is drawn.
    pub says: &'static str,
    draw: fn(&mut Random) -> Twins,
}

/// All of them, each as likely as the others.
pub const KINDS: &[Kind] = &[
    Kind {
        name: "chain",
        says: "planar chains: angles, Cartesian, sums of angles, parts",
        draw: |r| chain::draw(r, false, 5),
    },
    Kind {
        name: "driven",
        says: "the same with a driven pivot, put in or by a row",
        draw: |r| chain::draw(r, true, 4),
    },
    Kind { name: "body", says: "one rigid body: quaternions, directors, Euler angles", draw: body::draw },
    Kind {
        name: "linkage",
        says: "rigid bodies on hinges or balls: quaternions, directors, angles",
        draw: linkage::draw,
    },
    Kind { name: "loop", says: "planar closed loops: angles, points, bars, parts, bodies in space", draw: loops::draw },
    Kind { name: "rssr", says: "spatial four-bars: angles, points, quaternions", draw: loops::draw_spatial },
    Kind { name: "field", says: "points in fields: polar, Cartesian, both", draw: field::draw },
    Kind { name: "rolling", says: "blades and discs that roll: full and reduced", draw: rolling::draw },
    Kind {
        name: "sizes",
        says: "motions of very different sizes: as given, rescaled, tied by rows",
        draw: sizes::draw,
    },
    Kind { name: "truss", says: "particles with rods and springs: rows rewritten, massless points", draw: truss::draw },
    Kind { name: "wrong", says: "models that must be refused, and for what reason", draw: wrong::draw },
];

/// The scenario of a seed.
pub fn generate(seed: u64) -> Twins {
    let mut random = Random::new(seed);
    let kind = &KINDS[random.index(KINDS.len())];
    (kind.draw)(&mut random)
}
