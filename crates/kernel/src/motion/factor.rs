//! One factorisation of (M, A), for any number of right sides.
//!
//! Three changes of variables lead to a problem that is trivial:
//!
//! 1. Rows: `A` becomes its echelon rows Ũ, k of them, independent and of comparable size. Rank is
//!    decided on A alone, so masses over twelve orders cannot hide a row.
//! 2. Coordinates: with `D M D = L Lᵀ`, `y = Lᵀ D⁻¹ q̈` has unit mass in its first r components and none
//!    in the other n₀ = n − r. Rows become `[B₁ B₀]`; for M > 0, `B₁ = A L⁻ᵀ` is the papers' B.
//! 3. Massless components: elimination on B₀ leaves k₀ rows that determine them (`T`) and k − k₀ rows `E`
//!    that speak of y₁ alone. rank [M; A] = r + k₀ (2006, result 3).
//!
//! What remains is the least change of y₁ under `E y₁ = e`: orthonormal rows, no pseudo-inverse formed.

use std::ops::RangeInclusive;

use super::error::MotionError;
use super::snapshot::Snapshot;
use super::structure::Structure;
use crate::linalg::block::{self, Block, Blocks, LANES, padded};
use crate::linalg::cholesky::{MassFactor, NotSemidefinite};
use crate::linalg::echelon::Echelon;
use crate::linalg::lq::Lq;
use crate::linalg::rank::Margin;
use crate::linalg::refill;
use crate::linalg::scale::{FAR, LEAST, equilibrate, inverse_power};
use crate::linalg::tolerance::rank_tolerance;
use crate::linalg::twofold::TwofoldSum;
use crate::linalg::vector::{Pair, add_scaled_pair, dot_pair, max_abs, minus, times};

/// Answers are refined when scales spread, or margins multiply, to less than this.
const WELL_CONDITIONED: f64 = 1e-3;

/// Up to this many steps, elimination is repeated in twice the precision where margins are narrow: some milliseconds.
const SHARPENED: usize = 1_000_000;

/// Rows closer to dependence than this, relative to their length, cannot be told apart.
const DEPENDENT: f64 = 1e-12;

/// How many roundings of its entries a null vector of M gathers, before they are divided by its least eigenvalue.
const DIRECTION: f64 = 16.0;

/// The factors of M and A and the room to use them.
#[derive(Clone, Default)]
pub(crate) struct Factor {
    pub(crate) n: usize,
    pub(crate) m: usize,
    /// Echelon form of A.
    pub(crate) rows: Echelon,
    /// Factor of M.
    pub(crate) mass: MassFactor,
    /// Echelon form of B₀.
    pub(crate) massless: Echelon,
    /// Ũ in the coordinates y, k × n; later its B₁ part for the rows that hold massless components.
    changed: Blocks,
    /// Inverse pivots of the echelon rows, times a power of two where masses are extreme: Ũ = diag(inverse) U.
    inverse_pivot: Vec<f64>,
    /// `F`: B₁ of the k₀ rows that determine massless components.
    F: Vec<f64>,
    reduced: Vec<f64>,
    lq: Lq,
    /// Scratch over rows, coordinates and massless components.
    pairs_over_rows: [Vec<Pair>; 2],
    pairs_over_coordinates: [Vec<Pair>; 2],
    over_coordinates: [Vec<Block>; 2],
    B0: Vec<f64>,
    bound: Vec<f64>,
    /// What decides the rank of B₀: the same in the rows of A.
    witness: Echelon,
    massless_margin: Margin,
    witness_rows: Vec<f64>,
    /// Whether rounding alone cannot have spoiled an answer.
    pub(crate) well_conditioned: bool,
}

impl Factor {
    /// Factors and decides every rank.
    pub(crate) fn decide(&mut self, s: &Snapshot) -> Result<(), MotionError> {
        let decided = self.load(s).and_then(|()| {
            let n = self.n;
            self.rows.decide(rank_tolerance(n.max(self.m)), 0..=n, s.A);
            self.factor_mass(s, n)
        });
        decided.inspect_err(|_| self.forget_rows())
    }

    /// Without rows: what is left where they could not be factored, so that whoever asks all the same gets an answer to nothing.
    fn forget_rows(&mut self) {
        (self.rows.rank, self.massless.rank) = (0, 0);
        self.lq.storage(0, self.mass.rank);
        self.lq.factor();
    }

    /// Factors with the independent rows of an earlier decision. Pivots, and all that concerns mass, are decided anew.
    pub(crate) fn decide_held(&mut self, s: &Snapshot, held: &Structure) -> Result<(), MotionError> {
        if (held.coordinates, held.rows.len()) != (s.coordinates(), s.rows()) {
            return Err(MotionError::HeldShape {
                held: (held.coordinates, held.rows.len()),
                system: (s.coordinates(), s.rows()),
            });
        }
        self.factor_held(s, held).inspect_err(|_| self.forget_rows())
    }

    fn factor_held(&mut self, s: &Snapshot, held: &Structure) -> Result<(), MotionError> {
        self.load(s)?;
        let lost = |row: usize| MotionError::HeldRankLost { row };
        self.rows.decide_held(rank_tolerance(self.n.max(self.m)), &held.rows, held.rank, s.A).map_err(lost)?;
        self.factor_mass(s, held.system_rank)?;
        if self.system_rank() < held.system_rank {
            let component = self.massless.columns[self.massless.rank];
            return Err(lost(self.mass.order[self.mass.rank + component]));
        }
        Ok(())
    }

    /// Factors M beside the rows, with rank [M; A] at most `most` if that is possible: what looks determined off the
    /// manifold need not be so on it.
    fn factor_mass(&mut self, s: &Snapshot, most: usize) -> Result<(), MotionError> {
        let tolerance = rank_tolerance(self.n.max(self.m));
        self.mass.decide(self.n, s.M, tolerance).map_err(indefinite)?;
        if (1..self.n).contains(&self.mass.rank) {
            let seen = &mut self.over_coordinates[0];
            seen.fill([0.0; LANES]);
            for &i in &self.rows.rows[..self.rows.rank] {
                let row = s.row(i).iter().map(|a| (a * self.rows.row_scale[i]).abs());
                seen.as_flattened_mut().iter_mut().zip(row).for_each(|(seen, a)| *seen = seen.max(a));
            }
            self.mass.leave_lightest(s.M, seen.as_flattened(), tolerance).map_err(indefinite)?;
        }
        self.sharpen(s);
        self.change_coordinates(s);
        let (k, r, n0) = (self.rank(), self.mass.rank, self.massless_count());
        // The k rows are independent, so at least k − r of them must reach massless components.
        let (least, most) = (k.saturating_sub(r), most.saturating_sub(r));
        let found = if n0 == 0 { 0 } else { self.decide_massless_rank(s).min(most).max(least) };
        let separated = self.separate_massless(s, found..=found);
        if n0 > 0 && (separated.is_err() || self.lq.margin < DEPENDENT) {
            // Rows that nearly depend on others differ in nothing but massless components. Magnified, that shows.
            self.change_coordinates(s);
            self.separate_massless(s, least..=n0.min(most).max(least))?;
            self.massless_margin = self.massless.margin();
        }
        self.finish()
    }

    /// Gives the echelon rows all their digits, where some may be missing and it does not take for ever.
    fn sharpen(&mut self, s: &Snapshot) {
        // Redundant rows too: what they repeat, and what not, is read off these digits.
        let redundant = self.rank() < self.m;
        let narrow = self.rows.margin().kept < WELL_CONDITIONED || self.rows.columns_scaled || self.mass.rank < self.n;
        if (narrow || redundant) && self.m * self.n * self.rank() <= SHARPENED {
            self.rows.sharpen(s.A);
        }
    }

    /// Takes the rows over; those that have lost their digits are refused.
    fn load(&mut self, s: &Snapshot) -> Result<(), MotionError> {
        if (self.n, self.m) != (s.coordinates(), s.rows()) {
            (self.n, self.m) = (s.coordinates(), s.rows());
            self.reserve();
        }
        let n = self.n;
        self.rows.load(self.m, n, s.A, |row, column| equilibrate(s.A, n, row, column));
        for v in &mut self.pairs_over_rows {
            v.resize(self.m, [0.0; 2]);
        }
        for v in &mut self.pairs_over_coordinates {
            v.resize(padded(n), [0.0; 2]);
        }
        for v in &mut self.over_coordinates {
            v.resize(padded(n) / LANES, [0.0; LANES]);
        }
        // The factor of a row tells whether it is worth looking at its size.
        let lost = |(i, scale): (usize, &f64)| *scale > 1.0 / FAR && max_abs(s.row(i)) < LEAST;
        if self.rows.row_scale.iter().enumerate().any(lost) { Err(MotionError::OutOfRange) } else { Ok(()) }
    }

    /// Room for whatever ranks a system of this size may turn out to have.
    fn reserve(&mut self) {
        let (n, k) = (self.n, self.m.min(self.n));
        self.changed.reserve(k, n);
        self.lq.reserve(k, n);
        self.massless.reserve(k, n);
        self.witness.reserve(k, n);
        for v in [&mut self.F, &mut self.reduced, &mut self.B0, &mut self.bound, &mut self.witness_rows] {
            v.clear();
            v.reserve(k * n);
        }
        self.inverse_pivot.clear();
        self.inverse_pivot.reserve(k);
    }

    /// k, the rank of A.
    pub(crate) fn rank(&self) -> usize {
        self.rows.rank
    }

    /// n₀, the number of massless components.
    fn massless_count(&self) -> usize {
        self.n - self.mass.rank
    }

    /// The rank of [M; A].
    pub(crate) fn system_rank(&self) -> usize {
        self.mass.rank + self.massless.rank
    }

    /// By how much the rank of [M; A] is clear.
    pub(crate) fn system_margin(&self) -> Margin {
        let massless = self.massless_margin;
        Margin { kept: self.mass.margin().kept.min(massless.kept), dropped: massless.dropped }
    }

    /// Steps 1 and 2: rows Ũ D⁻¹ … in the coordinates of the mass factor.
    fn change_coordinates(&mut self, s: &Snapshot) {
        let (n, k) = (self.n, self.rank());
        if self.massless_count() > 0 {
            self.mass.scale_massless(s.M, &self.rows.column_scale);
        }
        let changed = if self.mass.rank == n { self.lq.storage(k, n) } else { &mut self.changed };
        changed.shape(k, n);
        self.inverse_pivot.resize(k, 0.0);
        let far = self.mass.scale[..n].iter().any(|d| !(FAR..=1.0 / FAR).contains(d));
        for (i, inverse) in self.inverse_pivot.iter_mut().enumerate() {
            *inverse = 1.0 / self.rows.pivot(i);
            if far {
                // Squares of what stands in the row must be numbers.
                let row = self.rows.upper(i).as_flattened().iter();
                let sizes = row.zip(&self.mass.scale).zip(&self.rows.column_scale).map(|((u, d), c)| (u * d / c).abs());
                *inverse *= inverse_power(sizes.fold(0.0, f64::max));
            }
        }
        if self.mass.in_order() && !self.rows.columns_scaled {
            for i in 0..k {
                let (row, out) = (self.rows.upper(i), changed.row_mut(i));
                block::product(out, self.inverse_pivot[i], row, self.mass.scale.as_chunks().0);
            }
            return;
        }
        // S⁻¹ D, by the position that a coordinate takes in the mass factor.
        let factors = &mut self.over_coordinates[0];
        let scales = self.mass.order.iter().map(|&j| self.mass.scale[j] / self.rows.column_scale[j]);
        factors.as_flattened_mut().iter_mut().zip(scales).for_each(|(factor, scale)| *factor = scale);
        for i in 0..k {
            let (row, out) = (self.rows.upper(i).as_flattened(), changed.numbers_mut(i));
            for ((out, &j), factor) in out.iter_mut().zip(&self.mass.order).zip(factors.as_flattened()) {
                *out = row[j] * self.inverse_pivot[i] * factor;
            }
        }
    }

    /// Step 3: B₁ and B₀ apart, B₀ eliminated, the rest to orthonormal rows.
    fn separate_massless(&mut self, s: &Snapshot, ranks: RangeInclusive<usize>) -> Result<(), MotionError> {
        let (n, k, r, n0) = (self.n, self.rank(), self.mass.rank, self.massless_count());
        if n0 == 0 {
            self.massless.load(0, 0, &[], |_, _| false);
            self.massless_margin = Margin::CLEAR;
            self.mass.forward_rows(self.lq.storage(k, r));
            self.lq.factor();
            return Ok(());
        }
        refill(&mut self.B0, k * n0, 0.0);
        refill(&mut self.bound, k * n0, 0.0);
        refill(&mut self.F, k * r, 0.0);
        let [w, correction] = &mut self.over_coordinates;
        for c in 0..n0 {
            self.mass.massless_direction(s.M, c, w, correction);
            let w = &w.as_flattened()[..n];
            for i in 0..k {
                let row = self.changed.numbers(i);
                let mut sum = TwofoldSum::default();
                sum.add_dot(1.0, row, w);
                self.B0[i * n0 + c] = sum.value();
                self.bound[i * n0 + c] = row.iter().zip(w).map(|(u, w)| (u * w).abs()).sum();
            }
        }
        self.mass.forward_rows(&mut self.changed);
        for (i, f) in self.F.chunks_exact_mut(r.max(1)).take(k).enumerate() {
            f.copy_from_slice(&self.changed.numbers(i)[..r]);
        }
        // Scaled by what was added up, not by what is left of it: cancellation must look like zero.
        let (B0, bound, F) = (&self.B0, &self.bound, &self.F);
        let is_decided = ranks.start() == ranks.end();
        self.massless.load(k, n0, B0, |row, column| {
            let columns_scaled = equilibrate(bound, n0, row, column);
            if is_decided {
                // Pivots must not be small beside what their rows say about y₁: a row that sees dust of massless components
                // would bring the others to its own size.
                for (i, scale) in row.iter_mut().enumerate() {
                    let massless = bound[i * n0..(i + 1) * n0].iter().zip(&*column).map(|(b, c)| b * c);
                    *scale = inverse_power(massless.fold(max_abs(&F[i * r..(i + 1) * r]), f64::max));
                }
            }
            columns_scaled
        });
        self.massless.decide(rank_tolerance(self.n.max(self.m)), ranks, B0);
        let k0 = self.massless.rank;
        if k - k0 > r {
            return Err(MotionError::OutOfRange);
        }
        refill(&mut self.reduced, k * r, 0.0);
        self.massless.reduce_rows(&self.F, r, &mut self.reduced);
        let E = self.lq.storage(k - k0, r);
        for (i, row) in self.reduced[k0 * r..].chunks_exact(r.max(1)).enumerate() {
            E.numbers_mut(i).copy_from_slice(row);
        }
        self.lq.factor();
        self.F.clear();
        self.F.extend_from_slice(&self.reduced[..k0 * r]);
        Ok(())
    }

    /// The rank of what the rows say about massless components: rank [M; A] − rank M.
    ///
    /// Decided on the independent rows of A as they stand. In echelon rows, those that nearly depend on others
    /// are magnified, and with them the rounding of data.
    fn decide_massless_rank(&mut self, s: &Snapshot) -> usize {
        let (n, k, r, n0) = (self.n, self.rank(), self.mass.rank, self.massless_count());
        let tolerance = rank_tolerance(n.max(self.m));
        // One rounding of M turns its null vectors by so much. A row that touches nothing else of them sees rounding.
        let uncertain = (DIRECTION * f64::EPSILON / self.mass.margin().kept).min(DEPENDENT);
        let [w, correction] = &mut self.over_coordinates;
        refill(&mut self.witness_rows, k * n0, 0.0);
        refill(&mut self.bound, k * n0, 0.0);
        for c in 0..n0 {
            self.mass.massless_direction(s.M, c, w, correction);
            let rounding = uncertain * block::max_abs(w);
            for (i, &row) in self.rows.rows[..k].iter().enumerate() {
                let (mut sum, mut size) = (TwofoldSum::default(), 0.0);
                for (w, &j) in w.as_flattened().iter().zip(&self.mass.order).filter(|(w, _)| w.abs() > rounding) {
                    let term = s.A[row * n + j] * self.rows.row_scale[row] * self.mass.scale[j];
                    sum.add_product(term, *w);
                    size += (term * w).abs();
                }
                self.witness_rows[i * n0 + c] = sum.value();
                self.bound[i * n0 + c] = size;
            }
        }
        let (rows, bound) = (&self.witness_rows, &self.bound);
        self.witness.load(k, n0, rows, |row, column| equilibrate(bound, n0, row, column));
        // The k rows are independent, so at least k − r of them must reach massless components.
        self.witness.decide(tolerance, k.saturating_sub(r)..=n0, rows);
        self.massless_margin = self.witness.margin();
        self.witness.rank
    }

    fn finish(&mut self) -> Result<(), MotionError> {
        // Nothing at all is left of a row: sizes differ by more than can be carried. Anything more is for refinement,
        // and for the last look at the rows.
        if self.lq.margin == 0.0 {
            return Err(MotionError::OutOfRange);
        }
        let margins = self.rows.margin().kept * self.system_margin().kept * self.lq.margin;
        self.well_conditioned = self.massless_count() == 0
            && margins > WELL_CONDITIONED
            && comparable(&self.mass.scale[..self.n])
            && (!self.rows.columns_scaled || comparable(&self.rows.column_scale[..self.n]));
        Ok(())
    }

    /// The accelerations under a pair of forces g and right sides b, and the multipliers on the rows of A.
    ///
    /// Rows that depend on others get no multiplier; free directions get no acceleration. The return value is, of
    /// both together, ‖y₁ − g₁‖², which for M > 0 is Gauss's function, and ‖y₁‖², what is left of the motion.
    pub(crate) fn respond(
        &mut self,
        g: impl Fn(usize) -> Pair,
        b: impl Fn(usize) -> Pair,
        qdd: &mut [Pair],
        lambda: &mut [Pair],
    ) -> (f64, f64) {
        let (k, r, n0, k0) = (self.rank(), self.mass.rank, self.massless_count(), self.massless.rank);
        let p = k - k0;
        let [y, x] = &mut self.pairs_over_coordinates;
        let [e, z] = &mut self.pairs_over_rows;
        let (e, z) = (&mut e[..k], &mut z[..k]);
        let n = self.n;
        self.mass.gather(&mut y[..n], |j, d| times(d, g(j)));
        self.mass.forward_pair(y); // y₁ = L₁⁻¹ g₁, y₂ = g₂ − L₂ y₁
        self.rows.reduce(b, e);
        for (e, inverse) in e.iter_mut().zip(&self.inverse_pivot) {
            *e = times(*inverse, *e); // Ũ q̈ = e
        }
        if n0 > 0 {
            self.massless.reduce(|i| e[i], z);
            e.copy_from_slice(z);
            // Tᵀ µ₁ = −g₀: the force on a massless component is carried by the rows that determine it.
            let massless = &self.massless;
            massless.solve_upper_transposed(|c| times(-massless.column_scale[c], y[r + c]), &mut z[..k0]);
            for (z, f) in z[..k0].iter().zip(self.F.chunks_exact(r.max(1))) {
                add_scaled_pair(&mut y[..r], *z, f);
            }
        }
        // E y₁ = e₂ with the least change of y₁: replace its part along the rows of E.
        // Reflections run over whole blocks: what lies beyond r must be zero meanwhile.
        y[r..].fill([0.0; 2]);
        self.lq.rotate(&mut y[..padded(r)]);
        self.lq.solve(&e[k0..], &mut z[k0..]);
        let mut change = 0.0;
        for (step, y) in z[k0..].iter_mut().zip(&mut y[..p]) {
            let now = *step;
            *step = minus(now, *y);
            *y = now;
            change += (step[0] + step[1]) * (step[0] + step[1]);
        }
        let left = y[..r].iter().fold(0.0, |sum, y| sum + (y[0] + y[1]) * (y[0] + y[1]));
        self.lq.rotate_back(&mut y[..padded(r)]);
        // µ₂ from its coordinates along the rows.
        self.lq.multipliers(&mut z[k0..], &mut x[..p]);
        z[k0..].copy_from_slice(&x[..p]);
        if n0 > 0 {
            // T y₂ = e₁ − F y₁
            for (e, f) in e[..k0].iter_mut().zip(self.F.chunks_exact(r.max(1))) {
                *e = minus(*e, dot_pair(f, &y[..r]));
            }
            let x = &mut x[..n0];
            x.fill([0.0; 2]);
            self.massless.solve_upper(&e[..k0], x);
            for ((y, x), scale) in y[r..n].iter_mut().zip(x).zip(&self.massless.column_scale) {
                *y = times(*scale, *x);
            }
            self.massless.expand(z, e);
            z.copy_from_slice(e);
        }
        for (z, inverse) in z.iter_mut().zip(&self.inverse_pivot) {
            *z = times(*inverse, *z);
        }
        self.rows.expand(z, lambda);
        self.mass.backward_pair(y); // q̈ = D L⁻ᵀ y
        self.mass.scatter_pair(&y[..n], qdd);
        (change, left)
    }

    /// λ with Aᵀλ = f on the independent rows and zero on the others, for a pair of forces that the rows can make.
    pub(crate) fn multipliers_of(&mut self, f: &[Pair], lambda: &mut [Pair]) {
        let k = self.rank();
        let mu = &mut self.pairs_over_rows[0][..k];
        // Aᵀλ = f  ⇔  Uᵀµ = f over scaled columns, λ = R Pᵀ L⁻ᵀ µ.
        self.rows.solve_upper_transposed(|column| times(self.rows.column_scale[column], f[column]), mu);
        self.rows.expand(mu, lambda);
    }

    /// Whether no row is much longer than another.
    pub(crate) fn rows_are_comparable(&self) -> bool {
        comparable(&self.rows.row_scale)
    }

    /// One vector of N(M) ∩ N(A) for each massless component that nothing determines; unscaled.
    pub(crate) fn free_direction(&mut self, index: usize, out: &mut [f64]) {
        let (r, n0, k0) = (self.mass.rank, self.massless_count(), self.massless.rank);
        let [_, x] = &mut self.pairs_over_coordinates;
        let [e, _] = &mut self.pairs_over_rows;
        let y = &mut self.over_coordinates[0];
        let x = &mut x[..n0];
        x.fill([0.0; 2]);
        x[self.massless.columns[k0 + index]] = [1.0, 0.0];
        e[..k0].fill([0.0; 2]);
        self.massless.solve_upper(&e[..k0], x);
        y.fill([0.0; LANES]);
        for ((y, x), scale) in y.as_flattened_mut()[r..].iter_mut().zip(x).zip(&self.massless.column_scale) {
            *y = x[0] * scale;
        }
        self.mass.backward(y);
        self.mass.scatter(&y.as_flattened()[..self.n], out);
        let scale = inverse_power(max_abs(out));
        out.iter_mut().for_each(|v| *v *= scale);
    }

    /// `‖L⁻¹ D f‖²`: the size of a force in the norm of M⁻¹, for M > 0.
    pub(crate) fn inverse_mass_norm(&mut self, f: impl Fn(usize) -> f64) -> f64 {
        let [y, _] = &mut self.over_coordinates;
        y.as_flattened_mut()[self.n..].fill(0.0);
        self.mass.gather(&mut y.as_flattened_mut()[..self.n], |j, d| d * f(j));
        self.mass.forward(y);
        block::dot(y, y)
    }
}

/// Whether these scales lie within what costs no digits.
fn comparable(scales: &[f64]) -> bool {
    let (mut least, mut most) = (f64::INFINITY, 0.0);
    for s in scales {
        least = if *s < least { *s } else { least };
        most = if *s > most { *s } else { most };
    }
    least > WELL_CONDITIONED * most
}

fn indefinite(e: NotSemidefinite) -> MotionError {
    MotionError::Indefinite { row: e.row, column: e.column }
}
