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

use super::error::MotionError;
use super::snapshot::Snapshot;
use super::structure::Structure;
use crate::linalg::cholesky::{MassFactor, NotSemidefinite};
use crate::linalg::echelon::{Echelon, Margin};
use crate::linalg::lq::Lq;
use crate::linalg::refill;
use crate::linalg::scale::{equilibrate, inverse_power};
use crate::linalg::twofold::TwofoldSum;
use crate::linalg::vector::{add_transposed, dot};

/// Answers are refined when scales spread, or margins multiply, to less than this.
const WELL_CONDITIONED: f64 = 1e-3;

/// Relative to comparable size, how small a pivot or singular value still counts: between n·10⁻¹⁵
/// and 10⁻¹², so that a gap of 10⁻¹¹ is full rank and rounding is not.
pub(crate) fn rank_tolerance(dimension: usize) -> f64 {
    (dimension as f64 * 1e-15).clamp(1e-13, 1e-12)
}

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
    changed: Vec<f64>,
    /// Inverse pivots of the echelon rows: Ũ = diag(pivot)⁻¹ U.
    inverse_pivot: Vec<f64>,
    /// `F`: B₁ of the k₀ rows that determine massless components.
    F: Vec<f64>,
    lq: Lq,
    /// Scratch over rows, coordinates and massless components.
    over_rows: [Vec<f64>; 2],
    over_coordinates: [Vec<f64>; 2],
    place: Vec<usize>,
    B0: Vec<f64>,
    bound: Vec<f64>,
    /// Whether rounding alone cannot have spoiled an answer.
    pub(crate) well_conditioned: bool,
}

impl Factor {
    /// Factors and decides every rank.
    pub(crate) fn decide(&mut self, s: &Snapshot) -> Result<(), MotionError> {
        self.load(s);
        let n = self.n;
        let tolerance = rank_tolerance(n.max(self.m));
        self.rows.decide(tolerance, 0, s.A);
        self.mass.decide(n, s.M, tolerance).map_err(indefinite)?;
        self.change_coordinates(s);
        self.separate_massless(s, None)?;
        self.finish()
    }

    /// Factors with the ranks and pivots of an earlier decision.
    pub(crate) fn follow(&mut self, s: &Snapshot, held: &Structure) -> Result<(), MotionError> {
        if (held.coordinates, held.rows.len()) != (s.coordinates(), s.rows()) {
            return Err(MotionError::HeldShape {
                held: (held.coordinates, held.rows.len()),
                system: (s.coordinates(), s.rows()),
            });
        }
        self.load(s);
        let lost = |position: usize| MotionError::HeldRankLost { row: held.rows[position] };
        self.rows.follow(&held.rows, &held.columns, held.rank).map_err(lost)?;
        let lost = |e: NotSemidefinite| MotionError::HeldRankLost { row: e.row };
        self.mass.follow(self.n, s.M, &held.mass_order, held.mass_rank).map_err(lost)?;
        self.change_coordinates(s);
        self.separate_massless(s, Some(held))?;
        self.finish()
    }

    fn load(&mut self, s: &Snapshot) {
        (self.n, self.m) = (s.coordinates(), s.rows());
        let n = self.n;
        self.rows.load(self.m, n, s.A, |row, column| equilibrate(s.A, n, row, column));
        for v in &mut self.over_rows {
            refill(v, self.m, 0.0);
        }
        for v in &mut self.over_coordinates {
            refill(v, n, 0.0);
        }
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
        let massless = self.massless.margin();
        Margin { kept: self.mass.margin().kept.min(massless.kept), dropped: massless.dropped }
    }

    /// Steps 1 and 2: rows Ũ D⁻¹ … in the coordinates of the mass factor.
    fn change_coordinates(&mut self, s: &Snapshot) {
        let (n, k) = (self.n, self.rank());
        if self.massless_count() > 0 {
            self.mass.scale_massless(s.M, &self.rows.column_scale);
        }
        refill(&mut self.changed, k * n, 0.0);
        self.inverse_pivot.clear();
        // Where each column of the echelon form goes, with its change of scale.
        let factor = &mut self.over_coordinates[0];
        refill(&mut self.place, n, 0);
        if self.mass.rank == n {
            // Nothing was exchanged in M: positions are coordinates.
            self.place.copy_from_slice(&self.rows.columns);
        } else {
            for (column, place) in self.rows.columns.iter().zip(&mut self.place) {
                *place = self.mass.order.iter().position(|j| j == column).unwrap_or(0);
            }
        }
        for (factor, &coordinate) in factor.iter_mut().zip(&self.rows.columns) {
            *factor = self.mass.scale[coordinate] / self.rows.column_scale[coordinate];
        }
        for (i, out) in self.changed.chunks_exact_mut(n).enumerate() {
            let row = self.rows.upper(i);
            let inverse = 1.0 / row[i];
            self.inverse_pivot.push(inverse);
            for ((u, factor), place) in row[i..].iter().zip(&factor[i..]).zip(&self.place[i..]) {
                out[*place] = u * inverse * factor;
            }
        }
    }

    /// Step 3: B₁ and B₀ apart, B₀ eliminated, the rest to orthonormal rows.
    fn separate_massless(&mut self, s: &Snapshot, held: Option<&Structure>) -> Result<(), MotionError> {
        let (n, k, r, n0) = (self.n, self.rank(), self.mass.rank, self.massless_count());
        if n0 == 0 {
            self.massless.load(0, 0, &[], |_, _| ());
            self.mass.forward_rows(&mut self.changed);
            self.lq.adopt(k, r, &mut self.changed);
            self.lq.factor();
            return Ok(());
        }
        refill(&mut self.B0, k * n0, 0.0);
        refill(&mut self.bound, k * n0, 0.0);
        refill(&mut self.F, k * r, 0.0);
        let [w, correction] = &mut self.over_coordinates;
        for c in 0..n0 {
            self.mass.massless_direction(s.M, c, w, correction);
            for (i, row) in self.changed.chunks_exact(n).enumerate() {
                let mut sum = TwofoldSum::default();
                sum.add_dot(1.0, row, w);
                self.B0[i * n0 + c] = sum.value();
                self.bound[i * n0 + c] = row.iter().zip(w.iter()).map(|(u, w)| (u * w).abs()).sum();
            }
        }
        for (row, f) in self.changed.chunks_exact_mut(n).zip(self.F.chunks_exact_mut(r.max(1))) {
            self.mass.forward(&mut row[..r]);
            f.copy_from_slice(&row[..r]);
        }
        // Scaled by what was added up, not by what is left of it: cancellation must look like zero.
        let (B0, bound) = (&self.B0, &self.bound);
        self.massless.load(k, n0, B0, |row, column| equilibrate(bound, n0, row, column));
        match held {
            None => {
                // The k rows are independent, so at least k − r of them must reach massless components.
                let least = k.saturating_sub(r);
                self.massless.decide(rank_tolerance(self.n.max(self.m)), least, B0);
            }
            Some(held) => {
                let follow = self.massless.follow(&held.massless_rows, &held.massless_columns, held.massless_rank);
                follow
                    .map_err(|position| MotionError::HeldRankLost { row: held.rows[held.massless_rows[position]] })?;
            }
        }
        let k0 = self.massless.rank;
        if k - k0 > r {
            return Err(MotionError::OutOfRange);
        }
        refill(&mut self.changed, k * r, 0.0);
        self.massless.reduce_rows(&self.F, r, &mut self.changed);
        self.lq.storage(k - k0, r).copy_from_slice(&self.changed[k0 * r..]);
        self.lq.factor();
        self.F.clear();
        self.F.extend_from_slice(&self.changed[..k0 * r]);
        Ok(())
    }

    fn finish(&mut self) -> Result<(), MotionError> {
        if self.lq.margin < 1e-15 {
            return Err(MotionError::OutOfRange);
        }
        let comparable = |scales: &[f64]| {
            let (least, most) = scales.iter().fold((f64::INFINITY, 0.0f64), |(l, m), s| (l.min(*s), m.max(*s)));
            least > WELL_CONDITIONED * most
        };
        let margins = self.rows.margin().kept * self.system_margin().kept * self.lq.margin;
        self.well_conditioned = self.massless_count() == 0
            && margins > WELL_CONDITIONED
            && comparable(&self.mass.scale)
            && comparable(&self.rows.column_scale);
        Ok(())
    }

    /// The acceleration under the force g and the right side b, and the multipliers on the rows of A.
    ///
    /// Rows that depend on others get no multiplier; free directions get no acceleration. The return
    /// value is ‖Y₁ᵀ(y₁ − g₁)‖², Gauss's function for M > 0.
    pub(crate) fn respond(&mut self, g: &[f64], b: &[f64], qdd: &mut [f64], lambda: &mut [f64]) -> f64 {
        let (k, r, n0, k0) = (self.rank(), self.mass.rank, self.massless_count(), self.massless.rank);
        let p = k - k0;
        let [y, x] = &mut self.over_coordinates;
        let [e, z] = &mut self.over_rows;
        self.mass.gather(g, y);
        self.mass.forward(y); // y₁ = L₁⁻¹ g₁, y₂ = g₂ − L₂ y₁
        self.rows.reduce(b, &mut e[..k]);
        for (e, inverse) in e.iter_mut().zip(&self.inverse_pivot) {
            *e *= inverse; // Ũ q̈ = e
        }
        if n0 > 0 {
            self.massless.reduce(&e[..k], &mut z[..k]);
            e[..k].copy_from_slice(&z[..k]);
            // Tᵀ µ₁ = −g₀: the force on a massless component is carried by the rows that determine it.
            for (z, &c) in z[..k0].iter_mut().zip(&self.massless.columns) {
                *z = -y[r + c] * self.massless.column_scale[c];
            }
            self.massless.solve_upper_transposed(&mut z[..k0]);
            add_transposed(&self.F, &z[..k0], &mut y[..r]);
        }
        // E y₁ = e₂ with the least change of y₁: replace its part along the rows of E.
        self.lq.rotate(&mut y[..r]);
        let step = &mut z[k0..k];
        self.lq.solve(&e[k0..k], step);
        let mut change = 0.0;
        for (step, y) in step.iter_mut().zip(&mut y[..p]) {
            let now = *step;
            *step -= *y;
            *y = now;
            change += *step * *step;
        }
        self.lq.rotate_back(&mut y[..r]);
        // µ₂ from its coordinates along the rows.
        self.lq.multipliers(&mut z[k0..k], &mut x[..p]);
        z[k0..k].copy_from_slice(&x[..p]);
        if n0 > 0 {
            // T y₂ = e₁ − F y₁
            for (e, f) in e[..k0].iter_mut().zip(self.F.chunks_exact(r.max(1))) {
                *e -= dot(f, &y[..r]);
            }
            let x = &mut x[..n0];
            x.fill(0.0);
            self.massless.solve_upper(&e[..k0], x);
            for (x, &c) in x.iter().zip(&self.massless.columns) {
                y[r + c] = x * self.massless.column_scale[c];
            }
            let (from, to) = (&mut z[..k], &mut e[..k]);
            self.massless.expand(from, to);
            from.copy_from_slice(to);
        }
        for (z, inverse) in z.iter_mut().zip(&self.inverse_pivot) {
            *z *= inverse;
        }
        z[k..].fill(0.0);
        self.rows.expand(z, lambda);
        self.mass.backward(y); // q̈ = D L⁻ᵀ y
        self.mass.scatter(y, qdd);
        change
    }

    /// One vector of N(M) ∩ N(A) for each massless component that nothing determines; unscaled.
    pub(crate) fn free_direction(&mut self, index: usize, out: &mut [f64]) {
        let (r, n0, k0) = (self.mass.rank, self.massless_count(), self.massless.rank);
        let [y, x] = &mut self.over_coordinates;
        let [e, _] = &mut self.over_rows;
        let x = &mut x[..n0];
        x.fill(0.0);
        x[k0 + index] = 1.0;
        e[..k0].fill(0.0);
        self.massless.solve_upper(&e[..k0], x);
        y.fill(0.0);
        for (x, &c) in x.iter().zip(&self.massless.columns) {
            y[r + c] = x * self.massless.column_scale[c];
        }
        self.mass.backward(y);
        self.mass.scatter(y, out);
        let largest = out.iter().fold(0.0, |m: f64, v| m.max(v.abs()));
        let scale = inverse_power(largest);
        out.iter_mut().for_each(|v| *v *= scale);
    }

    /// `‖L⁻¹ D f‖²`: the size of a force in the norm of M⁻¹, for M > 0.
    pub(crate) fn inverse_mass_norm(&mut self, f: &[f64]) -> f64 {
        let [y, _] = &mut self.over_coordinates;
        self.mass.gather(f, y);
        self.mass.forward(y);
        dot(y, y)
    }
}

fn indefinite(e: NotSemidefinite) -> MotionError {
    MotionError::Indefinite { row: e.row, column: e.column }
}
