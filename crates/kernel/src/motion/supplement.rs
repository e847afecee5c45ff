//! Which rows to add to a mass matrix that is singular: M + AᵀSA in place of M.
//!
//! For some diagonal S ≥ 0 that matrix is positive definite exactly when [M; A] has full rank (2006, result 3). With Q + AᵀSb in place
//! of Q, neither q̈ nor λ changes, since A q̈ = b. So nothing has to be pivoted in M along a motion, whatever way its null vectors turn.
//! Rows are needed only where they reach the null space of M: for a body with a unit quaternion its own unit row.

// Triangles are written by their indices, and what is not a number must count as too small.
#![allow(clippy::needless_range_loop, clippy::neg_cmp_op_on_partial_ord)]

use super::snapshot::Snapshot;
use crate::linalg::refill;
use crate::linalg::scale::{LEAST, inverse_power};

/// Below this part of its diagonal, a pivot of M is light: a row is looked for that reaches that direction.
const LIGHT: f64 = 1e-6;
/// A row that reaches a light direction by less than this part of its length does not reach it.
const REACHES: f64 = 1e-3;
/// Entries above this part of the largest of their row set the scale of coordinates without mass.
const TELLING: f64 = 1e-6;
/// A coordinate that is lighter than the others of a row by the square of this has no mass beside them, if it is coupled to others by mass.
const NEGLIGIBLE: f64 = 1e8;
/// A mass that is this part of another one, both with coordinates at their sizes, and coupled to it by at least the square root of [`COUPLED`]
/// of what masses can be, is taken for what is left of the other one along a null vector that turns.
const FAINT: f64 = 1e-2;
const COUPLED: f64 = 1e-2;
/// Among rows that reach a direction by this part of the best, the one with the fewest entries is taken.
const COMPARABLE: f64 = 0.3;

/// M + Σ s aᵀa and Q + Σ s b aᵀ over some rows with weights s: another system with the same accelerations and multipliers.
#[derive(Clone, Debug, Default)]
pub struct Filled {
    /// M + Σ s aᵀa.
    pub mass: Vec<f64>,
    /// Q + Σ s b aᵀ.
    pub force: Vec<f64>,
}

impl Filled {
    /// The lower triangle of the mass alone.
    pub(crate) fn fill_lower(&mut self, n: usize, mass: &[f64], a: &[f64], rows: impl Iterator<Item = (usize, f64)>) {
        self.mass.clear();
        self.mass.extend_from_slice(mass);
        for (row, weight) in rows {
            let row = &a[row * n..(row + 1) * n];
            for i in (0..n).filter(|&i| row[i] != 0.0) {
                let factor = weight * row[i];
                self.mass[i * n..i * n + i + 1].iter_mut().zip(row).for_each(|(m, a)| *m += factor * a);
            }
        }
    }

    /// All of the mass, and the force.
    pub fn fill(&mut self, s: &Snapshot, rows: impl Iterator<Item = (usize, f64)> + Clone) {
        let n = s.coordinates();
        self.fill_lower(n, s.M, s.A, rows.clone());
        for i in 0..n {
            for j in 0..i {
                self.mass[j * n + i] = self.mass[i * n + j];
            }
        }
        self.force.clear();
        self.force.extend_from_slice(s.Q);
        for (row, weight) in rows {
            let factor = weight * s.b[row];
            self.force.iter_mut().zip(s.row(row)).for_each(|(q, a)| *q += factor * a);
        }
    }
}

/// The rows that are added, and room to choose them.
#[derive(Clone, Debug, Default)]
pub struct Supplement {
    /// Places among the independent rows, and their weights, which are powers of two.
    pub rows: Vec<(usize, f64)>,
    scale: Vec<f64>,
    /// What coordinates are measured by along a motion; empty where nobody says.
    sizes: Vec<f64>,
    /// The scaled mass matrix, eliminated in the order of its largest pivots.
    u: Vec<f64>,
    order: Vec<usize>,
    /// What the independent rows say along the light directions, and which rows are free to be taken.
    reach: Vec<f64>,
    is_taken: Vec<bool>,
    direction: Vec<f64>,
    length: Vec<f64>,
}

impl Supplement {
    /// What coordinates are measured by along a motion; 0 where nothing says that.
    pub(crate) fn measure(&mut self, sizes: &[f64]) {
        self.sizes.clear();
        self.sizes.extend_from_slice(sizes);
    }

    /// What coordinates are measured by, if it was said.
    pub(crate) fn sizes(&self) -> &[f64] {
        &self.sizes
    }

    /// Chooses rows at a state; says whether M with them is positive as far as rows can make it so.
    pub fn choose(&mut self, n: usize, mass: &[f64], a: &[f64], rows: &[usize]) -> bool {
        self.rows.clear();
        self.make_comparable(n, mass, a, rows);
        let light = self.eliminate(n, mass);
        if light == 0 {
            return true;
        }
        self.find_reach(n, light, a, rows);
        self.take_rows(n, light, a, rows)
    }

    /// All rows with the weights that they would have, if they are needed at a state.
    pub fn all(
        &mut self,
        n: usize,
        mass: &[f64],
        a: &[f64],
        rows: &[usize],
    ) -> impl Iterator<Item = (usize, f64)> + Clone {
        self.make_comparable(n, mass, a, rows);
        let weight = |length: &f64| if *length > 0.0 { inverse_power(*length).powi(2) } else { 0.0 };
        (0..rows.len()).zip(self.length.iter().map(weight))
    }

    /// Units of coordinates in which masses are 1, and 0 where there is none; whether there is one that counts for nothing.
    pub(crate) fn weigh(&mut self, n: usize, mass: &[f64], a: &[f64], rows: &[usize]) -> bool {
        refill(&mut self.scale, n, 0.0);
        for j in 0..n {
            let m = mass[j * n + j];
            self.scale[j] = if m >= LEAST { inverse_power(m.sqrt()) } else { 0.0 };
        }
        self.measure_faint_masses(n, mass);
        let mut negligible = false;
        for &row in rows {
            // The mass of a coordinate that outweighs all others of a row so far counts for nothing: it may be what
            // rounding left of none. Rounding leaves products as well: a mass that stands alone is meant.
            let row = &a[row * n..(row + 1) * n];
            let (mut most, mut second, mut at) = (0.0, 0.0, 0);
            for (j, (a, s)) in row.iter().zip(&self.scale).enumerate() {
                let size = (a * s).abs();
                if size > most {
                    (most, second, at) = (size, most, j);
                } else {
                    second = f64::max(second, size);
                }
            }
            let is_coupled = || (0..n).any(|j| j != at && mass[at * n + j] != 0.0);
            if second > 0.0 && most > NEGLIGIBLE * second && is_coupled() {
                (self.scale[at], negligible) = (0.0, true);
            }
        }
        negligible
    }

    /// Of a quaternion, a component has next to no mass where the null vector of M lies along it, which it leaves soon: its unit is that of the
    /// components which it is coupled to. Units of its own would make rows that contain it weigh next to nothing later.
    fn measure_faint_masses(&mut self, n: usize, mass: &[f64]) {
        if self.sizes.len() != n {
            return;
        }
        for j in (0..n).filter(|&j| mass[j * n + j] >= LEAST && self.sizes[j] > 0.0) {
            let energy = |i: usize| mass[i * n + i] * self.sizes[i] * self.sizes[i];
            let is_coupled = |i: usize| {
                let coupling = mass[i * n + j].abs().max(mass[j * n + i].abs());
                coupling * coupling > COUPLED * mass[i * n + i] * mass[j * n + j]
            };
            let most = (0..n).filter(|&i| i != j && is_coupled(i)).map(energy).fold(0.0, f64::max);
            if energy(j) < FAINT * most {
                self.scale[j] = inverse_power(most.sqrt() / self.sizes[j]);
            }
        }
    }

    /// Units of coordinates in which masses are 1; without mass, units in which rows weigh them like the others.
    fn make_comparable(&mut self, n: usize, mass: &[f64], a: &[f64], rows: &[usize]) {
        self.weigh(n, mass, a, rows);
        refill(&mut self.length, rows.len(), 0.0);
        refill(&mut self.direction, n, 0.0);
        // Units spread from coordinates that have some along rows. A row in which none has any tells how its coordinates compare, no more.
        for may_begin in [false, true] {
            while self.spread_units(n, a, rows, may_begin) {}
        }
        self.scale.iter_mut().filter(|scale| **scale == 0.0).for_each(|scale| *scale = 1.0);
        for (length, &row) in self.length.iter_mut().zip(rows) {
            let row = a[row * n..(row + 1) * n].iter().zip(&self.scale);
            *length = row.map(|(a, s)| (a * s) * (a * s)).sum::<f64>().sqrt();
        }
    }

    /// Gives units to coordinates of rows in which another has some, or to those of rows in which none has; whether there were any.
    fn spread_units(&mut self, n: usize, a: &[f64], rows: &[usize], may_begin: bool) -> bool {
        self.direction.fill(0.0);
        for &row in rows {
            let row = &a[row * n..(row + 1) * n];
            let most = row.iter().fold(0.0, |most: f64, a| most.max(a.abs()));
            let tells = |a: f64| a.abs() > TELLING * most;
            let counted = row.iter().zip(&self.scale).filter(|(a, _)| tells(**a));
            let known = counted.fold(0.0, |most: f64, (a, s)| most.max((a * s).abs()));
            let unit = if known == 0.0 && may_begin { most } else { known };
            if unit > 0.0 {
                let parts = self.direction.iter_mut().zip(row).zip(&self.scale);
                let open = parts.filter(|((_, a), scale)| **scale == 0.0 && tells(**a));
                open.for_each(|((part, a), _)| *part = part.max(a.abs() / unit));
            }
        }
        let mut found = false;
        for (scale, part) in self.scale.iter_mut().zip(&self.direction).filter(|(scale, _)| **scale == 0.0) {
            if *part > 0.0 {
                (*scale, found) = (inverse_power(*part), true);
            }
        }
        found
    }

    /// Eliminates the scaled M along its largest pivots; how many directions are light.
    fn eliminate(&mut self, n: usize, mass: &[f64]) -> usize {
        refill(&mut self.u, n * n, 0.0);
        for i in 0..n {
            for j in 0..n {
                self.u[i * n + j] = self.scale[i] * mass[i * n + j] * self.scale[j];
            }
        }
        self.order.clear();
        self.order.extend(0..n);
        for p in 0..n {
            let Some(best) = (p..n).max_by(|&x, &y| {
                let size = |at: usize| self.u[self.order[at] * n + self.order[at]];
                size(x).total_cmp(&size(y))
            }) else {
                break;
            };
            let pivot = self.order[best];
            let size = self.u[pivot * n + pivot];
            if !(size > LIGHT) {
                return n - p;
            }
            self.order.swap(p, best);
            for at in p + 1..n {
                let i = self.order[at];
                let factor = self.u[i * n + pivot] / size;
                if factor == 0.0 {
                    continue;
                }
                for later in p + 1..n {
                    let j = self.order[later];
                    self.u[i * n + j] -= factor * self.u[pivot * n + j];
                }
            }
        }
        0
    }

    /// What each row says along each light direction, relative to its length.
    fn find_reach(&mut self, n: usize, light: usize, a: &[f64], rows: &[usize]) {
        let r = n - light;
        refill(&mut self.reach, rows.len() * light, 0.0);
        for c in 0..light {
            // M w = 0 up to what is light, with 1 in one of the coordinates that are left.
            self.direction.fill(0.0);
            self.direction[self.order[r + c]] = 1.0;
            for p in (0..r).rev() {
                let pivot = self.order[p];
                let row = &self.u[pivot * n..(pivot + 1) * n];
                let sum: f64 = self.order[p + 1..n].iter().map(|&j| row[j] * self.direction[j]).sum();
                self.direction[pivot] = -sum / row[pivot];
            }
            let norm = self.direction.iter().map(|w| w * w).sum::<f64>().sqrt();
            for (i, &row) in rows.iter().enumerate() {
                let row = &a[row * n..(row + 1) * n];
                let along: f64 = (0..n).map(|j| row[j] * self.scale[j] * self.direction[j]).sum();
                let length = self.length[i] * norm;
                self.reach[i * light + c] = if length > 0.0 { along / length } else { 0.0 };
            }
        }
    }

    /// Takes a row for each light direction.
    fn take_rows(&mut self, n: usize, light: usize, a: &[f64], rows: &[usize]) -> bool {
        refill(&mut self.is_taken, rows.len(), false);
        let entries = |i: usize| a[rows[i] * n..(rows[i] + 1) * n].iter().filter(|a| **a != 0.0).count();
        for _ in 0..light {
            let Self { reach, is_taken, .. } = &*self;
            let left = || {
                let reach =
                    reach.chunks_exact(light).map(|reach| reach.iter().fold(0.0, |most: f64, x| most.max(x.abs())));
                reach.enumerate().filter(|(i, _)| !is_taken[*i])
            };
            let best = left().fold(0.0, |most: f64, (_, size)| most.max(size));
            let good = left().filter(|(_, size)| *size > REACHES && *size >= COMPARABLE * best);
            let Some((i, _)) = good.min_by_key(|(i, _)| entries(*i)) else { return false };
            self.is_taken[i] = true;
            let weight = inverse_power(self.length[i]);
            self.rows.push((i, weight * weight));
            // What is left to be reached: nothing along what this row reaches.
            let column =
                (0..light).max_by(|&x, &y| self.reach[i * light + x].abs().total_cmp(&self.reach[i * light + y].abs()));
            let Some(column) = column else { return false };
            let pivot = self.reach[i * light + column];
            for other in (0..rows.len()).filter(|&other| other != i && !self.is_taken[other]) {
                let factor = self.reach[other * light + column] / pivot;
                for c in 0..light {
                    let taken = self.reach[i * light + c];
                    self.reach[other * light + c] -= factor * taken;
                }
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::quick::Quick;
    use crate::{Snapshot, solve};

    fn random(state: &mut u64) -> f64 {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    /// M = 4EᵀJE of a unit quaternion, and its unit row.
    fn body(e: [f64; 4]) -> ([f64; 16], [f64; 4]) {
        let [a, b, c, d] = e;
        let rows = [[-b, a, d, -c], [-c, -d, a, b], [-d, c, -b, a]];
        let mut mass = [0.0; 16];
        for (row, inertia) in rows.iter().zip([1.0, 2.0, 3.0]) {
            for i in 0..4 {
                for j in 0..4 {
                    mass[4 * i + j] += 4.0 * inertia * row[i] * row[j];
                }
            }
        }
        (mass, e.map(|x| 2.0 * x))
    }

    /// The null vector of M turns with e: the short way follows it, with rows held from wherever it began.
    #[test]
    fn a_null_vector_that_turns_is_followed() {
        let (mut quick, mut state) = (Quick::default(), 7);
        quick.reserve(4, 1);
        for trial in 0..500 {
            let mut e = [0.0; 4].map(|_: f64| random(&mut state));
            if trial % 5 == 0 {
                e = [1.0, 1e-17 * e[1], 1e-18 * e[2], 1e-15 * e[3]];
            }
            let norm = e.iter().map(|x| x * x).sum::<f64>().sqrt();
            let (mass, row) = body(e.map(|x| x / norm));
            let force = [0.0; 4].map(|_: f64| random(&mut state));
            let b = [random(&mut state)];
            assert!(quick.factor(&mass, &row, &[0]), "{e:?}");
            let (mut x, mut lambda) = ([0.0; 4], [0.0]);
            quick.respond(&force, |_| b[0], &mut x, &mut lambda);
            // M q̈ = Q + Aᵀλ and A q̈ = b, with M itself.
            for i in 0..4 {
                let left: f64 = (0..4).map(|j| mass[4 * i + j] * x[j]).sum();
                assert!((left - force[i] - row[i] * lambda[0]).abs() < 1e-12, "{e:?}");
            }
            let along: f64 = row.iter().zip(x).map(|(a, x)| a * x).sum();
            assert!((along - b[0]).abs() < 1e-13, "{e:?}");
            if trial % 5 != 0 {
                let motion = solve(&Snapshot::new(&mass, &force).constrained(&row, &b)).expect("a motion");
                assert_eq!(motion.mass_rank, 3);
                let apart = x.iter().zip(&motion.acceleration).fold(0.0, |most: f64, (a, b)| most.max((a - b).abs()));
                assert!(apart < 1e-12, "{e:?} {apart:e}");
            }
        }
    }

    /// A component of a quaternion with next to no mass, as where a body has hardly turned, is measured like the others: what its unit row adds
    /// to M is felt when the null vector has turned.
    #[test]
    fn a_faint_mass_does_not_choose_the_weight_of_a_row() {
        let (mass, row) = body([1.0, 1e-5, 0.0, 0.0]);
        let weight = |sizes: &[f64]| {
            let mut supplement = super::Supplement::default();
            supplement.measure(sizes);
            assert!(supplement.choose(4, &mass, &row, &[0]));
            supplement.rows[0].1
        };
        let (measured, own) = (weight(&[1.0; 4]), weight(&[]));
        assert!((0.1..10.0).contains(&measured) && own > 1e6, "{measured} {own}");
    }

    /// Where nothing reaches a direction without mass, nothing can stand in for it.
    #[test]
    fn what_no_row_reaches_stays_singular() {
        let mut quick = Quick::default();
        quick.reserve(3, 1);
        let mass = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        assert!(!quick.factor(&mass, &[1.0, 1.0, 0.0], &[0]) && !quick.is_massive());
    }
}
