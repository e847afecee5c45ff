//! The same acceleration by the shortest way, where nothing is in doubt: M > 0, or made so by some rows (`supplement`), and rows
//! that were found independent before are clearly so.
//!
//! M = LLᵀ, B = A L⁻ᵀ over the independent rows, S = B Bᵀ. Then S λ = b − B y with y = L⁻¹(Q + C), and
//! q̈ = L⁻ᵀ(y + Bᵀλ) (Udwadia & Kalaba 1992, eq. 5). S squares the condition of B, so this way is taken only while no
//! row comes near the others: the clearance tells, and with it the distance from a singular configuration.
//!
//! Matrices are kept by rows with the place of their first entry: diagonal masses and chains cost what they have.

// Triangles are written by their indices, and what is not a number must count as too small.
#![allow(clippy::needless_range_loop, clippy::neg_cmp_op_on_partial_ord)]

use super::supplement::{Filled, Supplement};
use crate::linalg::scale::inverse_power;

/// Below this clearance digits would be lost: it is the square of a sine.
const CLEAR: f64 = 1e-4;
/// Below this part of the diagonal, a pivot of M is in doubt.
const MASSIVE: f64 = 1e-8;
/// Below this part, rows are looked for that could be added to M …
const LIGHT: f64 = 1e-6;
/// … and where they are there, below this one, others.
const WORN: f64 = 1e-3;
/// Pivots of M whose roots differ by more than this: some coordinates have next to no mass.
const UNEVEN: f64 = 1e4;
/// Entries of a row that are always below this part of its largest do not count as its presence. On the constraints they may be roots of
/// rounding, near a configuration in which the row vanishes.
const NEXT_TO_NOTHING: f64 = 1e-6;
/// A row is met when what is left of it is below this part of its terms.
const MET: f64 = 16.0 * f64::EPSILON;

/// Factors of a system with M > 0 and independent rows.
#[derive(Clone, Debug, Default)]
pub struct Quick {
    n: usize,
    /// What is added to M, and M with it.
    supplement: Supplement,
    filled: Filled,
    /// The least part of its diagonal that a pivot of M left at the last factorisation, and when rows were chosen last.
    mass_margin: f64,
    chosen_margin: f64,
    /// Whether no rows were found that would make M positive.
    resigned: bool,
    /// Whether masses were compared with each other since rows were decided.
    weighed: bool,
    /// The independent rows.
    rows: Vec<usize>,
    /// What each is multiplied by: 1, or a power of two where its squares would be no numbers.
    scale: Vec<f64>,
    /// L by rows, and the inverse of its diagonal.
    l: Vec<f64>,
    l_first: Vec<usize>,
    l_inverse: Vec<f64>,
    /// B by rows, and where its entries begin and end.
    b: Vec<f64>,
    b_range: Vec<(usize, usize)>,
    /// The factor of S by rows.
    s: Vec<f64>,
    s_first: Vec<usize>,
    s_inverse: Vec<f64>,
    y: Vec<f64>,
    e: Vec<f64>,
    /// Whether some coordinates have next to no mass, or none without rows.
    is_uneven: bool,
    /// The independent rows of A, if so, and a step towards what they ask for.
    a: Vec<f64>,
    step: Vec<f64>,
    /// The least squared sine between a row and those before it, in the metric of M⁻¹; 1 without rows.
    clearance: f64,
    /// What is left of rows: one that vanishes says nothing any more.
    peaks: Peaks,
    /// The least part that is left of a row, squared; 1 without rows.
    presence: f64,
    /// Whether M was positive.
    massive: bool,
}

impl Quick {
    /// Room for a system of n coordinates and at most k independent rows.
    pub fn reserve(&mut self, n: usize, k: usize) {
        self.n = n;
        self.rows.clear();
        self.rows.reserve(k);
        for (list, size) in [
            (&mut self.l, n * n),
            (&mut self.l_inverse, n),
            (&mut self.b, k * n),
            (&mut self.s, k * k),
            (&mut self.s_inverse, k),
            (&mut self.scale, k),
            (&mut self.y, n),
            (&mut self.e, k),
            (&mut self.a, k * n),
            (&mut self.step, n),
        ] {
            list.clear();
            list.resize(size, 0.0);
        }
        self.l_first.clear();
        self.l_first.resize(n, 0);
        self.s_first.clear();
        self.s_first.resize(k, 0);
        self.b_range.clear();
        self.b_range.resize(k, (0, 0));
    }

    /// How far the rows are from losing rank, from 0 to 1: the least squared sine between them, or what is left of one that
    /// vanishes.
    pub fn clearance(&self) -> f64 {
        self.clearance.min(self.presence)
    }

    /// Whether rows stand in for mass that is missing.
    pub fn is_supplemented(&self) -> bool {
        !self.supplement.rows.is_empty()
    }

    /// The rows that stand in for mass that is missing, with their weights.
    pub fn supplement(&self) -> impl Iterator<Item = (usize, f64)> + Clone {
        self.supplement.rows.iter().filter_map(|&(place, weight)| Some((*self.rows.get(place)?, weight)))
    }

    /// Whether M, or what stands for it, was clearly positive at the last factorisation.
    pub fn is_massive(&self) -> bool {
        self.massive
    }

    /// Factors; says whether answers can be trusted. Where M is not clearly positive, the clearance is 0.
    pub fn factor(&mut self, mass: &[f64], a: &[f64], rows: &[usize]) -> bool {
        let (n, k) = (self.n, rows.len());
        if self.b_range.len() < k {
            self.reserve(n, k);
        }
        if self.rows != rows {
            self.rows.clear();
            self.rows.extend_from_slice(rows);
            self.supplement.rows.clear();
            self.reconsider();
        }
        self.clearance = 0.0;
        self.massive = self.factor_filled(mass, a);
        let least = if self.is_supplemented() { WORN } else { LIGHT };
        let is_light = self.mass_margin <= least.min(0.1 * self.chosen_margin);
        // A mass that is nothing beside others may look like one by itself: rows tell.
        let is_new = !std::mem::replace(&mut self.weighed, true) && !self.is_supplemented();
        if !self.resigned && (is_light || (is_new && self.supplement.weigh(n, mass, a, rows))) {
            self.choose_supplement(mass, a);
        }
        if !self.massive {
            return false;
        }
        (self.clearance, self.presence) = (1.0, 1.0);
        let mut sound = true;
        for (i, &row) in rows.iter().enumerate() {
            let entries = &a[row * n..(row + 1) * n];
            self.presence = self.presence.min(self.peaks.part(row, entries));
            self.change_row(i, entries);
            let (first, last) = self.b_range[i];
            let length = dot(&self.b[i * n + first..i * n + last], &self.b[i * n + first..i * n + last]);
            sound &= self.factor_row(i, length);
        }
        self.is_uneven = self.is_supplemented() || spread(&self.l_inverse[..n]) > UNEVEN;
        if self.is_uneven {
            self.a.clear();
            rows.iter().for_each(|&row| self.a.extend_from_slice(&a[row * n..(row + 1) * n]));
        }
        sound && self.clearance >= CLEAR
    }

    /// What coordinates are measured by along the motion; 0 where nothing says that.
    pub fn measure(&mut self, sizes: &[f64]) {
        self.supplement.measure(sizes);
    }

    /// Remembers how large rows are at a state of the motion. Those of attempts that fail may be anything.
    pub fn remember(&mut self, a: &[f64]) {
        for (row, entries) in a.chunks_exact(self.n.max(1)).enumerate() {
            self.peaks.see(row, entries, self.supplement.sizes());
        }
    }

    /// Rows are looked for again where M is singular, though none were found before.
    pub fn reconsider(&mut self) {
        (self.chosen_margin, self.resigned, self.weighed) = (f64::INFINITY, false, false);
    }

    /// Chooses anew which rows are added to M, and factors with them.
    fn choose_supplement(&mut self, mass: &[f64], a: &[f64]) {
        self.supplement.choose(self.n, mass, a, &self.rows);
        self.massive = self.factor_filled(mass, a);
        self.chosen_margin = self.mass_margin;
        self.resigned = !self.massive;
    }

    /// L of M + AᵀSA.
    fn factor_filled(&mut self, mass: &[f64], a: &[f64]) -> bool {
        if self.supplement.rows.is_empty() {
            return self.factor_mass(mass);
        }
        let mut filled = std::mem::take(&mut self.filled);
        filled.fill_lower(self.n, mass, a, self.supplement());
        let massive = self.factor_mass(&filled.mass);
        self.filled = filled;
        massive
    }

    fn factor_mass(&mut self, mass: &[f64]) -> bool {
        let n = self.n;
        self.mass_margin = 1.0;
        for i in 0..n {
            let given = &mass[i * n..i * n + i + 1];
            let first = given.iter().position(|x| *x != 0.0).unwrap_or(i);
            self.l_first[i] = first;
            let (done, rest) = self.l.split_at_mut(i * n);
            let row = &mut rest[..n];
            for j in first..i {
                let from = first.max(self.l_first[j]);
                let taken = if from < j { dot(&row[from..j], &done[j * n + from..j * n + j]) } else { 0.0 };
                row[j] = (given[j] - taken) * self.l_inverse[j];
            }
            let square = given[i] - dot(&row[first..i], &row[first..i]);
            if !(square > MASSIVE * given[i]) {
                self.mass_margin = 0.0;
                return false;
            }
            self.mass_margin = self.mass_margin.min(square / given[i]);
            row[i] = square.sqrt();
            self.l_inverse[i] = 1.0 / row[i];
        }
        true
    }

    /// Row i of B: L⁻¹ of a row of A.
    fn change_row(&mut self, i: usize, a: &[f64]) {
        let n = self.n;
        let row = &mut self.b[i * n..(i + 1) * n];
        let scale = power_of_two(a);
        self.scale[i] = scale;
        let first = a.iter().position(|x| *x != 0.0).unwrap_or(n);
        row[..first].fill(0.0);
        let mut last = first;
        for j in first..n {
            let from = first.max(self.l_first[j]);
            let taken = if from < j { dot(&row[from..j], &self.l[j * n + from..j * n + j]) } else { 0.0 };
            row[j] = (scale * a[j] - taken) * self.l_inverse[j];
            if row[j] != 0.0 {
                last = j + 1;
            }
        }
        self.b_range[i] = (first, last.max(first));
    }

    /// Row i of the factor of S.
    fn factor_row(&mut self, i: usize, whole: f64) -> bool {
        let (n, width) = (self.n, self.s_first.len());
        let (first, last) = self.b_range[i];
        let (done, rest) = self.s.split_at_mut(i * width);
        let row = &mut rest[..width];
        let mut begin = i;
        for j in 0..i {
            let (from, to) = (first.max(self.b_range[j].0), last.min(self.b_range[j].1));
            let product =
                if from < to { dot(&self.b[i * n + from..i * n + to], &self.b[j * n + from..j * n + to]) } else { 0.0 };
            if product != 0.0 && begin == i {
                begin = j;
            }
            row[j] = product;
        }
        self.s_first[i] = begin;
        for j in begin..i {
            let from = begin.max(self.s_first[j]);
            let taken = if from < j { dot(&row[from..j], &done[j * width + from..j * width + j]) } else { 0.0 };
            row[j] = (row[j] - taken) * self.s_inverse[j];
        }
        let square = whole - dot(&row[begin..i], &row[begin..i]);
        let part = if whole > 0.0 { square / whole } else { 0.0 };
        // Also where it is not a number.
        if !(part > 1e-15) {
            self.clearance = 0.0;
            self.s_inverse[i] = 0.0;
            row[i] = 0.0;
            return false;
        }
        self.clearance = self.clearance.min(part);
        row[i] = square.sqrt();
        self.s_inverse[i] = 1.0 / row[i];
        true
    }

    /// Which of the independent rows depend on others before them up to a squared sine, and on which: places among `rows`.
    ///
    /// After a factorisation with `threshold`, which leaves such rows out.
    pub fn dependent(&mut self, mass: &[f64], a: &[f64], rows: &[usize], threshold: f64) -> Vec<(usize, Vec<usize>)> {
        let n = self.n;
        let mut found = Vec::new();
        if self.rows != rows || !self.factor_filled(mass, a) {
            return found;
        }
        let width = self.s_first.len();
        for (i, &row) in rows.iter().enumerate() {
            let entries = &a[row * n..(row + 1) * n];
            let present = self.peaks.part(row, entries) > threshold;
            self.change_row(i, entries);
            self.clearance = 1.0;
            let (first, last) = self.b_range[i];
            let whole = dot(&self.b[i * n + first..i * n + last], &self.b[i * n + first..i * n + last]);
            let sound = self.factor_row(i, whole);
            if sound && present && self.clearance > threshold {
                continue;
            }
            // b_i = Σ c_j b_j, with Lᵀc = the row of the factor.
            let mut c = self.s[i * width..i * width + i].to_vec();
            for j in (0..i).rev() {
                c[j] *= self.s_inverse[j];
                for k in 0..j {
                    c[k] -= c[j] * self.s[j * width + k] * f64::from(k >= self.s_first[j]);
                }
            }
            let length = |i: usize| dot(&self.b[i * n..(i + 1) * n], &self.b[i * n..(i + 1) * n]).sqrt();
            let concerned = (0..i).filter(|&j| present && (c[j] * length(j)).abs() > 1e-3 * whole.sqrt()).collect();
            found.push((i, concerned));
            self.s_inverse[i] = 0.0;
            self.s[i * width..i * width + i + 1].fill(0.0);
            self.s_first[i] = i;
        }
        found
    }

    /// x = q̈ under a force and right sides, and λ on the rows of A; rows that are not among the independent ones get nothing.
    pub fn respond(&mut self, force: &[f64], right: impl Fn(usize) -> f64, x: &mut [f64], lambda: &mut [f64]) {
        let n = self.n;
        for j in 0..n {
            let first = self.l_first[j];
            let taken = if first < j { dot(&self.y[first..j], &self.l[j * n + first..j * n + j]) } else { 0.0 };
            self.y[j] = (force[j] - taken) * self.l_inverse[j];
        }
        // The force that goes with what was added to M: AᵀSb.
        for &(place, weight) in &self.supplement.rows {
            let Some((&row, &(first, last))) = self.rows.get(place).zip(self.b_range.get(place)) else { continue };
            let factor = weight * right(row) / self.scale[place];
            let b = &self.b[place * n + first..place * n + last];
            self.y[first..last].iter_mut().zip(b).for_each(|(y, b)| *y += factor * b);
        }
        for (i, &row) in self.rows.iter().enumerate() {
            let (first, last) = self.b_range[i];
            self.e[i] = self.scale[i] * right(row) - dot(&self.b[i * n + first..i * n + last], &self.y[first..last]);
        }
        self.finish(x);
        lambda.fill(0.0);
        for ((&row, e), scale) in self.rows.iter().zip(&self.e).zip(&self.scale) {
            lambda[row] = scale * e;
        }
        if self.is_uneven {
            self.meet_rows(right, x, lambda);
        }
    }

    /// Gives accelerations the digits that rows know of them: a coordinate with next to no mass, as e₀ of a body that has hardly turned,
    /// is made of forces that cancel.
    fn meet_rows(&mut self, right: impl Fn(usize) -> f64, x: &mut [f64], lambda: &mut [f64]) {
        let n = self.n;
        let mut are_met = true;
        let rows = self.rows.iter().zip(&self.scale);
        for ((e, (&row, scale)), a) in self.e.iter_mut().zip(rows).zip(self.a.chunks_exact(n)) {
            let (mut left, mut size) = (right(row), right(row).abs());
            for (a, x) in a.iter().zip(&*x) {
                left -= a * x;
                size += (a * x).abs();
            }
            *e = scale * left;
            are_met &= left.abs() <= MET * size;
        }
        if are_met {
            return;
        }
        let mut step = std::mem::take(&mut self.step);
        self.y.fill(0.0);
        self.finish(&mut step);
        x.iter_mut().zip(&step).for_each(|(x, step)| *x += step);
        for ((&row, e), scale) in self.rows.iter().zip(&self.e).zip(&self.scale) {
            lambda[row] += scale * e;
        }
        self.step = step;
    }

    /// The least x in the mass norm with A x = the right sides.
    pub fn least_step(&mut self, right: impl Fn(usize) -> f64, x: &mut [f64]) {
        self.y.fill(0.0);
        for ((e, &row), scale) in self.e.iter_mut().zip(&self.rows).zip(&self.scale) {
            *e = scale * right(row);
        }
        self.finish(x);
    }

    /// λ = S⁻¹e in place of e, and x = L⁻ᵀ(y + Bᵀλ).
    fn finish(&mut self, x: &mut [f64]) {
        let (n, width) = (self.n, self.s_first.len());
        for i in 0..self.rows.len() {
            let begin = self.s_first[i];
            let taken = dot(&self.s[i * width + begin..i * width + i], &self.e[begin..i]);
            self.e[i] = (self.e[i] - taken) * self.s_inverse[i];
        }
        for i in (0..self.rows.len()).rev() {
            let value = self.e[i] * self.s_inverse[i];
            self.e[i] = value;
            let begin = self.s_first[i];
            for (e, s) in self.e[begin..i].iter_mut().zip(&self.s[i * width + begin..i * width + i]) {
                *e -= value * s;
            }
            let (first, last) = self.b_range[i];
            for (y, b) in self.y[first..last].iter_mut().zip(&self.b[i * n + first..i * n + last]) {
                *y += value * b;
            }
        }
        for j in (0..n).rev() {
            let value = self.y[j] * self.l_inverse[j];
            x[j] = value;
            let first = self.l_first[j];
            for (y, l) in self.y[first..j].iter_mut().zip(&self.l[j * n + first..j * n + j]) {
                *y -= value * l;
            }
        }
    }
}

/// The largest that each entry of A has been, and its inverse.
///
/// A row vanishes where all its entries do, each beside itself: coordinates need not be measured alike, nor masses stay what they are. Entries
/// that are next to nothing all along do not count: beside themselves they never vanish, as what rounding leaves of a coupler's height where
/// it stays level.
#[derive(Clone, Debug, Default)]
struct Peaks {
    most: Vec<f64>,
    inverse: Vec<f64>,
}

impl Peaks {
    /// Sees a row, with what its coordinates are measured by, if that is known.
    fn see(&mut self, row: usize, entries: &[f64], sizes: &[f64]) {
        let n = entries.len();
        if self.most.len() < (row + 1) * n {
            self.most.resize((row + 1) * n, 0.0);
            self.inverse.resize((row + 1) * n, 0.0);
        }
        let most = &mut self.most[row * n..(row + 1) * n];
        let size = |j: usize| sizes.get(j).copied().unwrap_or(0.0);
        let mut largest = 0.0_f64;
        for (j, (a, most)) in entries.iter().zip(most.iter_mut()).enumerate() {
            *most = most.max(a.abs());
            largest = largest.max(*most * size(j));
        }
        for (j, (most, inverse)) in most.iter().zip(&mut self.inverse[row * n..(row + 1) * n]).enumerate() {
            let counts = *most > 0.0 && (size(j) == 0.0 || *most * size(j) > NEXT_TO_NOTHING * largest);
            *inverse = if counts { 1.0 / *most } else { 0.0 };
        }
    }

    /// What is left of a row, squared; 1 where nothing was ever there.
    fn part(&self, row: usize, entries: &[f64]) -> f64 {
        let n = entries.len();
        let Some(inverse) = self.inverse.get(row * n..(row + 1) * n) else { return 1.0 };
        let left: f64 = entries.iter().zip(inverse).map(|(a, inverse)| (a * inverse) * (a * inverse)).sum();
        let is_known = left > 0.0 || inverse.iter().any(|inverse| *inverse > 0.0);
        // The entries of x² + y² = L² take turns.
        if is_known { left.min(1.0) } else { 1.0 }
    }
}

/// What brings the largest entry of a row near 1, where its square would be no number with all its digits; else 1.
fn power_of_two(row: &[f64]) -> f64 {
    const LARGE: f64 = 1e140;
    let largest = row.iter().fold(0.0_f64, |most, a| most.max(a.abs()));
    if largest == 0.0 || !largest.is_finite() || (1.0 / LARGE..LARGE).contains(&largest) {
        return 1.0;
    }
    inverse_power(largest)
}

/// The largest beside the smallest.
fn spread(values: &[f64]) -> f64 {
    let (least, most) = values.iter().fold((f64::INFINITY, 0.0), |(least, most), x| (x.min(least), x.max(most)));
    most / least
}

/// Four sums side by side, so that they fit vector registers.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (a4, a_rest) = a.as_chunks::<4>();
    let (b4, b_rest) = b.as_chunks::<4>();
    let mut sums = [0.0; 4];
    for (a, b) in a4.iter().zip(b4) {
        for lane in 0..4 {
            sums[lane] += a[lane] * b[lane];
        }
    }
    let mut sum = (sums[0] + sums[2]) + (sums[1] + sums[3]);
    for (a, b) in a_rest.iter().zip(b_rest) {
        sum += a * b;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Snapshot, solve};

    /// A system of n coordinates and k rows from a seed: M = G Gᵀ + I in a band, A dense.
    fn system(n: usize, k: usize, band: usize, seed: u64) -> (Vec<f64>, Vec<f64>, Vec<f64>, Vec<f64>) {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut next = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
        };
        let mut g = vec![0.0; n * n];
        for i in 0..n {
            for j in i.saturating_sub(band)..=i {
                g[i * n + j] = next();
            }
        }
        let mut mass = vec![0.0; n * n];
        for i in 0..n {
            for j in 0..n {
                let product: f64 = (0..n).map(|p| g[i * n + p] * g[j * n + p]).sum();
                mass[i * n + j] = product + f64::from(i == j);
            }
        }
        let a = (0..k * n).map(|_| next()).collect();
        let (force, right) = ((0..n).map(|_| next()).collect(), (0..k).map(|_| next()).collect());
        (mass, force, a, right)
    }

    #[test]
    fn agrees_with_the_kernel() {
        for (n, k, band) in [(1, 0, 0), (4, 3, 0), (7, 6, 6), (9, 4, 2), (20, 11, 1)] {
            let (mass, force, a, right) = system(n, k, band, n as u64);
            let mut quick = Quick::default();
            quick.reserve(n, k);
            let rows: Vec<usize> = (0..k).rev().collect();
            if !quick.factor(&mass, &a, &rows) {
                assert!(quick.clearance() < CLEAR);
                continue;
            }
            let (mut x, mut lambda) = (vec![0.0; n], vec![0.0; k]);
            quick.respond(&force, |i| right[i], &mut x, &mut lambda);
            let motion = solve(&Snapshot::new(&mass, &force).constrained(&a, &right)).unwrap();
            for (x, y) in x.iter().chain(&lambda).zip(motion.acceleration.iter().chain(&motion.reactions)) {
                assert!((x - y).abs() <= 1e-10 * (1.0 + y.abs()), "{n} {k}: {x} {y}");
            }
        }
    }

    #[test]
    fn clearance_sees_a_repeated_row_and_a_missing_mass() {
        let mut quick = Quick::default();
        quick.reserve(2, 2);
        assert!(!quick.factor(&[1.0, 0.0, 0.0, 1.0], &[1.0, 2.0, 2.0, 4.0], &[0, 1]));
        assert_eq!(quick.clearance(), 0.0);
        assert!(!quick.factor(&[1.0, 1.0, 1.0, 1.0], &[], &[]));
        let mut quick = Quick::default();
        quick.reserve(2, 2);
        assert!(quick.factor(&[1.0, 0.0, 0.0, 1.0], &[1.0, 0.0, 0.6, 0.8], &[0, 1]));
        assert!((quick.clearance() - 0.64).abs() < 1e-15);
        assert!(quick.factor(&[1.0, 0.0, 0.0, 1.0], &[0.1, 0.0, 0.6, 0.8], &[0, 1])); // what was no state of the motion says nothing
        assert!((quick.clearance() - 0.64).abs() < 1e-15);
        quick.remember(&[1.0, 0.0, 0.6, 0.8]);
        assert!(quick.factor(&[1.0, 0.0, 0.0, 1.0], &[0.1, 0.0, 0.6, 0.8], &[0, 1])); // as good, and nearly gone
        assert!((quick.clearance() - 0.01).abs() < 1e-15);
    }

    /// What rounding leaves of an entry does not keep a row present when the rest of it vanishes.
    #[test]
    fn entries_next_to_nothing_are_no_presence() {
        let mut quick = Quick::default();
        quick.reserve(2, 1);
        let mass = [1.0, 0.0, 0.0, 1.0];
        let gone = [1e-9, 1e-4];
        for (sizes, left) in [(&[1.0, 1.0][..], 1e-8), (&[], 1.0)] {
            let mut quick = quick.clone();
            quick.measure(sizes);
            quick.remember(&[1e-9, 1.0]);
            assert!(quick.factor(&mass, &gone, &[0]));
            assert!((quick.clearance() / left - 1.0).abs() < 1e-6, "{}", quick.clearance());
        }
    }
}
