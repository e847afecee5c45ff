//! Which coordinates of a null vector of M are left without mass: those that the rows see best.
//!
//! A unit quaternion at (1, d₁, d₂, d₃) with d of 10⁻¹⁷ has masses of (10⁻³⁴, 1, 1, 1), of rank 3. With comparable diagonals all
//! four look alike, and M alone cannot tell which one to leave out. Were it one of the last three, rows would be written in units
//! in which the first counts 10¹⁷ times as much as the others, and no digit of these would be left. The null vector, which is the
//! quaternion itself, tells: the coordinate that the rows see most of along it must be left out. Ranks are not decided here.

use super::block::{LANES, padded};
use super::cholesky::{MassFactor, NotSemidefinite};
use super::refill;
use super::scale::inverse_power;

/// Coordinates whose units, as rows see them, lie within this factor of each other are comparable.
const COMPARABLE: f64 = 1024.0;

/// An exchange lowers a pivot by the square of a component of a null vector: below this, nothing would be left of it.
const LEAST: f64 = 1e-5;
/// How many roundings a component of a null vector gathers, before they are divided by the smallest pivot.
const ROUNDINGS: f64 = 64.0;

impl MassFactor {
    /// Chooses anew what is massless, where that makes a difference, for rows whose largest entries by coordinate are `seen`.
    ///
    /// A coordinate that is far lighter than what it shares its mass with, and left without it, gets the units of the others.
    /// `tolerance` is that of the rank, which stays as it was decided.
    pub(crate) fn leave_lightest(&mut self, M: &[f64], seen: &[f64], tolerance: f64) -> Result<(), NotSemidefinite> {
        self.find_null_vectors();
        let exchanged = self.exchange(seen);
        let scaled = self.scale_light(seen);
        if (exchanged || scaled) && !self.factor_in_order(M, tolerance) {
            return self.decide(self.n, M, tolerance);
        }
        Ok(())
    }

    /// The components of the null vectors at massive positions, r × n₀; at massless ones each has a single 1.
    fn find_null_vectors(&mut self) {
        let (r, n0) = (self.rank, self.n - self.rank);
        refill(&mut self.null, r * n0, 0.0);
        let mut w = std::mem::take(&mut self.grown);
        for c in 0..n0 {
            refill(&mut w, padded(self.n) / LANES, [0.0; LANES]);
            w.as_flattened_mut()[r + c] = 1.0;
            self.backward(&mut w);
            self.null.iter_mut().skip(c).step_by(n0).zip(w.as_flattened()).for_each(|(null, w)| *null = *w);
        }
        self.grown = w;
    }

    /// Whether a component of a null vector is one, and not what rounding left of none.
    fn is_part(&self, null: f64) -> bool {
        null.abs() > LEAST && null.abs() * self.margin().kept > ROUNDINGS * f64::EPSILON
    }

    /// Exchanges massive for massless positions, while rows see much more of a massive coordinate; whether there was any.
    fn exchange(&mut self, seen: &[f64]) -> bool {
        let (r, n0) = (self.rank, self.n - self.rank);
        let size = |j: usize| self.scale[j] * seen[j];
        // Each exchange makes the volume that rows see of the null vectors much larger: there are few.
        for count in 0..self.n {
            let (mut most, mut at) = (COMPARABLE, None);
            for p in 0..r {
                for c in 0..n0 {
                    let null = self.null[p * n0 + c];
                    let gain = null * null * size(self.order[p]) / size(self.order[r + c]);
                    if gain > most && self.is_part(null) {
                        (most, at) = (gain, Some((p, c)));
                    }
                }
            }
            let Some((p, c)) = at else { return count > 0 };
            self.order.swap(p, r + c);
            let pivot = std::mem::replace(&mut self.null[p * n0 + c], 1.0);
            for row in self.null.chunks_exact_mut(n0) {
                row[c] /= pivot;
            }
            for other in (0..n0).filter(|other| *other != c) {
                let taken = std::mem::take(&mut self.null[p * n0 + other]);
                for row in self.null.chunks_exact_mut(n0).filter(|_| taken != 0.0) {
                    row[other] -= taken * row[c];
                }
            }
        }
        true
    }

    /// Gives massless coordinates that are far lighter than the others of their null vectors the units of these.
    fn scale_light(&mut self, seen: &[f64]) -> bool {
        let (r, n0, mut any) = (self.rank, self.n - self.rank, false);
        for c in 0..n0 {
            let mut others: f64 = 0.0;
            for (null, &j) in self.null.iter().skip(c).step_by(n0).zip(&self.order[..r]) {
                if self.is_part(*null) {
                    others = others.max(self.scale[j] * seen[j]);
                }
            }
            let j = self.order[r + c];
            let size = self.scale[j] * seen[j];
            if others > 0.0 && size > COMPARABLE * others {
                self.scale[j] *= inverse_power(size / others);
                any = true;
            }
        }
        any
    }
}
