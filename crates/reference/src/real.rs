//! Numbers of 16 or 32 digits behind one trait.
//!
//! [`Twofold`] is the unevaluated sum of two `f64`, the low one at most half a unit in the last place of
//! the high one. Its sums are the accurate (IEEE-like) ones, so that cancellation between two numbers
//! costs no more than it does in `f64`; the cheaper variant may lose every digit there.

use std::cmp::Ordering;
use std::fmt::Debug;
use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

/// A real number: `f64` or [`Twofold`].
pub trait Real:
    Copy
    + Debug
    + PartialOrd
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
    + MulAssign
    + DivAssign
{
    /// A bound on the relative error of one operation.
    const EPSILON: Self;

    /// The number equal to `x`.
    fn from_f64(x: f64) -> Self;
    /// The nearest `f64`.
    fn to_f64(self) -> f64;
    /// The square root; not a number below zero.
    fn sqrt(self) -> Self;
    /// The magnitude.
    fn abs(self) -> Self;

    /// 0.
    fn zero() -> Self {
        Self::from_f64(0.0)
    }

    /// 1.
    fn one() -> Self {
        Self::from_f64(1.0)
    }

    /// The greater of two numbers.
    fn max(self, other: Self) -> Self {
        if other > self { other } else { self }
    }
}

impl Real for f64 {
    const EPSILON: f64 = f64::EPSILON;

    fn from_f64(x: f64) -> f64 {
        x
    }
    fn to_f64(self) -> f64 {
        self
    }
    fn sqrt(self) -> f64 {
        f64::sqrt(self)
    }
    fn abs(self) -> f64 {
        f64::abs(self)
    }
}

/// The sum `hi + lo` of two `f64`: about 32 digits in the exponent range of `f64`, finite values only.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Twofold {
    hi: f64,
    lo: f64,
}

impl Twofold {
    /// The exact sum of two `f64` (Knuth).
    pub fn sum(a: f64, b: f64) -> Twofold {
        let hi = a + b;
        let of_b = hi - a;
        let lo = (a - (hi - of_b)) + (b - of_b);
        Twofold { hi, lo }
    }

    /// The exact product of two `f64`, as long as its last bit does not underflow.
    pub fn product(a: f64, b: f64) -> Twofold {
        let hi = a * b;
        let lo = a.mul_add(b, -hi);
        Twofold { hi, lo }
    }

    /// The exact sum where `|a| >= |b|` or `a = 0` (Dekker): brings a pair back to normal form.
    fn ordered_sum(a: f64, b: f64) -> Twofold {
        let hi = a + b;
        Twofold { hi, lo: b - (hi - a) }
    }

    /// The leading `f64`.
    pub fn hi(self) -> f64 {
        self.hi
    }

    /// What `hi` leaves of the number.
    pub fn lo(self) -> f64 {
        self.lo
    }
}

impl From<f64> for Twofold {
    fn from(hi: f64) -> Twofold {
        Twofold { hi, lo: 0.0 }
    }
}

impl Real for Twofold {
    const EPSILON: Twofold = Twofold { hi: f64::EPSILON * f64::EPSILON, lo: 0.0 };

    fn from_f64(x: f64) -> Twofold {
        Twofold::from(x)
    }

    fn to_f64(self) -> f64 {
        self.hi + self.lo
    }

    fn sqrt(self) -> Twofold {
        if self == Twofold::zero() {
            return self;
        }
        // One step of Newton's method doubles the 16 digits of the f64 root.
        let root = Twofold::from(self.hi.sqrt());
        root + (self - root * root) / (root + root)
    }

    fn abs(self) -> Twofold {
        if self < Twofold::zero() { -self } else { self }
    }
}

impl Neg for Twofold {
    type Output = Twofold;
    fn neg(self) -> Twofold {
        Twofold { hi: -self.hi, lo: -self.lo }
    }
}

impl Add for Twofold {
    type Output = Twofold;
    fn add(self, other: Twofold) -> Twofold {
        let high = Twofold::sum(self.hi, other.hi);
        let low = Twofold::sum(self.lo, other.lo);
        let first = Twofold::ordered_sum(high.hi, high.lo + low.hi);
        Twofold::ordered_sum(first.hi, first.lo + low.lo)
    }
}

impl Sub for Twofold {
    type Output = Twofold;
    fn sub(self, other: Twofold) -> Twofold {
        self + -other
    }
}

impl Mul for Twofold {
    type Output = Twofold;
    fn mul(self, other: Twofold) -> Twofold {
        let product = Twofold::product(self.hi, other.hi);
        let cross = self.hi * other.lo + self.lo * other.hi;
        Twofold::ordered_sum(product.hi, product.lo + cross)
    }
}

impl Div for Twofold {
    type Output = Twofold;
    fn div(self, other: Twofold) -> Twofold {
        // Long division, 16 digits at a time; the third digit corrects the rounding of the second.
        let first = self.hi / other.hi;
        let rest = self - other * Twofold::from(first);
        let second = rest.hi / other.hi;
        let rest = rest - other * Twofold::from(second);
        let third = rest.hi / other.hi;
        Twofold::ordered_sum(first, second) + Twofold::from(third)
    }
}

impl AddAssign for Twofold {
    fn add_assign(&mut self, other: Twofold) {
        *self = *self + other;
    }
}

impl SubAssign for Twofold {
    fn sub_assign(&mut self, other: Twofold) {
        *self = *self - other;
    }
}

impl MulAssign for Twofold {
    fn mul_assign(&mut self, other: Twofold) {
        *self = *self * other;
    }
}

impl DivAssign for Twofold {
    fn div_assign(&mut self, other: Twofold) {
        *self = *self / other;
    }
}

impl PartialOrd for Twofold {
    fn partial_cmp(&self, other: &Twofold) -> Option<Ordering> {
        match self.hi.partial_cmp(&other.hi) {
            Some(Ordering::Equal) => self.lo.partial_cmp(&other.lo),
            order => order,
        }
    }
}

#[cfg(test)]
mod tests;
