//! What rounding makes of accelerations, and the least error that can be asked for beside it.
//!
//! Where forces balance, as they do at rest, what is left of them is rounding. An error control that took it for motion would
//! shorten steps without end and gain nothing. So it is measured: by the accelerations at states that differ from the present one in
//! their last digits.

use super::field::Field;
use super::mechanics::Mechanics;
use crate::model;

/// How far an estimate of errors may be made of rounding: it sums several evaluations, and the largest was hardly met.
const AMPLIFIED: f64 = 10.0;
/// Failed attempts between two measurements.
const SELDOM: u32 = 8;
/// Signs of the changes of coordinates, by bits.
const PATTERNS: [u64; 2] = [0x6996_9669_9669_6996, 0x3c5a_a5c3_5ac3_c35a];

/// The rounding of accelerations.
pub(super) struct Rounding {
    /// By coordinate: the change of its acceleration that the last digits of the state make.
    of_acceleration: Vec<f64>,
    state: Vec<f64>,
    rate: Vec<f64>,
    before: Vec<f64>,
    /// Failed attempts until it is measured again.
    wait: u32,
}

impl Rounding {
    /// Nothing is known yet, for states of a size.
    pub(super) fn new(n: usize, size: usize) -> Self {
        let zeros = || vec![0.0; size];
        Self { of_acceleration: vec![0.0; n], state: zeros(), rate: zeros(), before: zeros(), wait: 0 }
    }

    /// Forgets by and by, as sizes are forgotten.
    pub(super) fn forget(&mut self) {
        self.of_acceleration.iter_mut().for_each(|rounding| *rounding *= 0.5);
    }

    /// A step from y, whose rate is known, has failed: perhaps for rounding alone. `sizes` are those of q and q̇.
    pub(super) fn suspect(&mut self, mechanics: &mut Mechanics, t: f64, y: &[f64], rate: &[f64], sizes: &[f64]) {
        if self.wait > 0 {
            self.wait -= 1;
            return;
        }
        self.wait = SELDOM;
        let n = mechanics.n;
        for pattern in PATTERNS {
            // The lesser of the changes to either side: where the equations switch, one of them may be a jump.
            self.before.fill(f64::INFINITY);
            for sign in [1.0, -1.0] {
                self.state.copy_from_slice(y);
                for (i, (x, size)) in self.state.iter_mut().zip(sizes).enumerate() {
                    let bit = if pattern >> (i % 64) & 1 == 1 { sign } else { -sign };
                    *x += bit * f64::EPSILON * size;
                }
                if mechanics.rate(t, &self.state, &mut self.rate).is_err() {
                    return;
                }
                for j in n..2 * n {
                    self.before[j] = self.before[j].min((self.rate[j] - rate[j]).abs());
                }
            }
            for (own, change) in self.of_acceleration.iter_mut().zip(&self.before[n..]) {
                *own = own.max(if change.is_finite() { *change } else { 0.0 });
            }
        }
        let coordinates = &mechanics.system.equations().model.coordinates;
        for j in 0..n {
            // Coordinates of a kind are rounded alike.
            for other in 0..j {
                if coordinates[other].dimension == coordinates[j].dimension {
                    let largest = self.of_acceleration[j].max(self.of_acceleration[other]);
                    (self.of_acceleration[j], self.of_acceleration[other]) = (largest, largest);
                }
            }
        }
    }

    /// The least errors of q and q̇ of coordinate j that a step of length h can be asked for.
    pub(super) fn least(&self, j: usize, h: f64, size: f64, method: model::Method) -> (f64, f64) {
        let rounding = AMPLIFIED * self.of_acceleration[j];
        // An implicit method does not pass on what a stiff force makes of the last digits of positions: it returns to them.
        let h2 = h * h;
        let tamed = match method {
            model::Method::Explicit => 1.0,
            model::Method::Stiff => 1.0 + h2 * self.of_acceleration[j] / (f64::EPSILON * size),
        };
        (rounding * h2 / tamed, rounding * h / tamed)
    }
}
