//! Random systems, each one instant of a mechanical system with every number exact.
//!
//! Full-rank random input proves nothing about formulas that were made for the other case: rows repeat,
//! vanish and combine, masses are missing, and C is not zero.

use std::sync::OnceLock;

use crate::numbers::{CUT, Draw, Mat, seeded};
use holonom_random::Random;
use holonom_reference::{Real, Twofold, singular_values};

/// Which systems a law speaks about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum On {
    /// M positive definite, C = 0.
    Ideal,
    /// Particles: M diagonal, with every mass three times; any C.
    Particles,
    /// M positive definite, any C.
    Definite,
    /// M singular or not, the motion unique.
    Unique,
    /// M singular or not, the motion unique or not.
    Every,
}

/// One instant: M q̈ = Q + Q^c, A q̈ = b, vᵀQ^c = vᵀC.
#[derive(Clone, Debug)]
pub(crate) struct System {
    pub(crate) M: Mat,
    pub(crate) Q: Mat,
    pub(crate) A: Mat,
    pub(crate) b: Mat,
    pub(crate) C: Mat,
    pub(crate) rank_A: usize,
    pub(crate) rank_Mhat: usize,
    pub(crate) mass_rank: usize,
    /// Different for every system: where its random vectors come from.
    pub(crate) seed: u64,
}

impl System {
    pub(crate) fn n(&self) -> usize {
        self.M.rows()
    }

    pub(crate) fn m(&self) -> usize {
        self.A.rows()
    }

    /// The same with ideal constraints.
    pub(crate) fn ideal(&self) -> System {
        System { C: Mat::zeros(self.n(), 1), ..self.clone() }
    }
}

/// The shape of a system to draw.
struct Recipe {
    n: usize,
    mass_rank: usize,
    rank: usize,
    rows: usize,
    rank_Mhat: usize,
    /// Particles: M is diagonal, with every mass three times.
    particles: bool,
}

impl Recipe {
    /// Draws until the ranks are as asked. Rows beyond the rank are a multiple, zeros, or a combination.
    fn draw(&self, seed: u64) -> System {
        let Recipe { n, mass_rank, rank: k, rows, rank_Mhat, particles } = *self;
        let mut random = seeded(seed);
        loop {
            let M = if particles {
                let masses: Vec<Twofold> = (0..n).map(|i| Twofold::from([0.5, 3.0, 40.0][i / 3 % 3])).collect();
                Mat::diagonal(&masses)
            } else {
                let G = random.matrix(n, mass_rank);
                let M = &G * G.transpose();
                if mass_rank == n { M + Mat::identity(n) } else { M }
            };
            let L = Mat::from_fn(rows, k, |i, j| {
                Twofold::from(match i.checked_sub(k).map(|extra| extra % 3) {
                    None => f64::from(i == j),
                    Some(0) => 2.0 * f64::from(j == 0),
                    Some(1) => 1.0 - j as f64,
                    Some(_) => 0.0,
                })
            });
            let A = L * random.matrix(k, n);
            let b = &A * random.vector(n);
            // A direction with neither mass nor constraint can carry no force: there would be no motion.
            let mut force = || match rank_Mhat == n {
                true => random.vector(n),
                false => &M * random.vector(n) + A.transpose() * random.vector(rows),
            };
            let (Q, C) = (force(), force());
            let tame = [(&M, mass_rank), (&A, k), (&M.stack(&A), rank_Mhat)];
            if tame.iter().all(|(X, rank)| is_tame(X, *rank)) {
                return System { M, Q, A, b, C, rank_A: k, rank_Mhat, mass_rank, seed };
            }
        }
    }
}

/// Of this rank, and far from any other: what a law misses is then not lost in rounding.
fn is_tame(X: &Mat, rank: usize) -> bool {
    let values = singular_values(X);
    let far = |least: &Twofold| least.to_f64() > 0.02 * values[0].to_f64();
    CUT.rank(&values) == rank && values[..rank].last().is_none_or(far)
}

/// M > 0: from one to six coordinates, every rank, up to three redundant rows; every fourth made of particles.
fn definite() -> Vec<System> {
    let mut random = seeded(1992);
    let recipe = |which: usize, random: &mut Random| {
        let particles = which % 4 == 3;
        let n = if particles { 3 * (1 + random.index(2)) } else { 1 + random.index(6) };
        let rank = random.index(n + 1);
        let rows = rank + if rank == 0 { 3 * random.index(2) } else { random.index(4) };
        Recipe { n, mass_rank: n, rank, rows, rank_Mhat: n, particles }
    };
    (0..40).map(|which| recipe(which, &mut random).draw(10_000 + which as u64)).collect()
}

/// One or two particles, every rank, up to three redundant rows.
fn particles() -> Vec<System> {
    let mut random = seeded(2005);
    let recipe = |random: &mut Random| {
        let n = 3 * (1 + random.index(2));
        let rank = 1 + random.index(n);
        Recipe { n, mass_rank: n, rank, rows: rank + random.index(4), rank_Mhat: n, particles: true }
    };
    (0..24).map(|which| recipe(&mut random).draw(40_000 + which)).collect()
}

/// M singular, the motion unique all the same.
fn singular() -> Vec<System> {
    let mut random = seeded(2006);
    let recipe = |random: &mut Random| {
        let n = 2 + random.index(5);
        let mass_rank = random.index(n);
        let rank = n - mass_rank + random.index(mass_rank + 1);
        let rows = rank + random.index(4);
        Recipe { n, mass_rank, rank, rows, rank_Mhat: n, particles: false }
    };
    (0..32).map(|which| recipe(&mut random).draw(20_000 + which)).collect()
}

/// M singular, and [M; A] lacks rank: some directions are free.
fn free() -> Vec<System> {
    let mut random = seeded(214);
    let recipe = |random: &mut Random| {
        let n = 2 + random.index(5);
        let rank_Mhat = 1 + random.index(n - 1);
        let rank = random.index(rank_Mhat + 1);
        let mass_rank = rank_Mhat - rank;
        let rows = if rank == 0 { 0 } else { rank + random.index(4) };
        Recipe { n, mass_rank, rank, rows, rank_Mhat, particles: false }
    };
    (0..24).map(|which| recipe(&mut random).draw(30_000 + which)).collect()
}

/// The systems that a law speaks about.
pub(crate) fn systems(on: On) -> &'static [System] {
    static ALL: OnceLock<[Vec<System>; 5]> = OnceLock::new();
    let [ideal, particles, definite, unique, every] = ALL.get_or_init(|| {
        let (particles, definite) = (particles(), definite());
        let ideal = definite.iter().map(System::ideal).collect();
        let unique = [definite.clone(), singular()].concat();
        let every = [unique.clone(), free()].concat();
        [ideal, particles, definite, unique, every]
    });
    match on {
        On::Ideal => ideal,
        On::Particles => particles,
        On::Definite => definite,
        On::Unique => unique,
        On::Every => every,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The hard cases are really among them.
    #[test]
    fn the_systems_reach_the_hard_cases() {
        let every = systems(On::Every);
        let count = |test: &dyn Fn(&System) -> bool| every.iter().filter(|s| test(s)).count();
        assert_eq!(every.len(), 96);
        assert!(count(&|s| s.m() > s.rank_A) > 30, "redundant rows");
        assert!(count(&|s| s.mass_rank < s.n()) > 50, "singular M");
        assert!(count(&|s| s.rank_Mhat < s.n()) > 20, "free directions");
        assert!(count(&|s| s.m() == 0) > 3, "no constraint");
        assert!(count(&|s| s.mass_rank == 0) > 1, "no mass at all");
        assert!(count(&|s| s.rank_A == s.n()) > 3, "no freedom left");
    }
}
