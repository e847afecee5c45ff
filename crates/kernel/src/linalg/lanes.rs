//! Two and four numbers that go through the same arithmetic in one vector register, or two.
//!
//! Every operation is that of IEEE 754 on each number by itself, so the bits are the same on every machine. On x86-64
//! the instructions are asked for by name, since the compiler does not find them in all loops by itself; every such
//! processor has them. Elsewhere plain arithmetic on arrays has to do.

use std::ops::{Add, AddAssign, Mul, Sub};

/// Two numbers.
#[derive(Clone, Copy)]
pub(crate) struct Two(machine::Register);

/// Four numbers.
#[derive(Clone, Copy)]
pub(crate) struct Four(Two, Two);

impl Two {
    #[inline(always)]
    pub(crate) fn zero() -> Self {
        Self::splat(0.0)
    }

    #[inline(always)]
    pub(crate) fn splat(x: f64) -> Self {
        Self::from([x, x])
    }

    #[inline(always)]
    pub(crate) fn to_array(self) -> [f64; 2] {
        machine::unpack(self.0)
    }
}

impl From<[f64; 2]> for Two {
    #[inline(always)]
    fn from(x: [f64; 2]) -> Self {
        Self(machine::pack(x))
    }
}

impl Four {
    #[inline(always)]
    pub(crate) fn zero() -> Self {
        Self::splat(0.0)
    }

    #[inline(always)]
    pub(crate) fn splat(x: f64) -> Self {
        Self(Two::splat(x), Two::splat(x))
    }

    #[inline(always)]
    pub(crate) fn to_array(self) -> [f64; 4] {
        let ([a, b], [c, d]) = (self.0.to_array(), self.1.to_array());
        [a, b, c, d]
    }

    #[inline(always)]
    pub(crate) fn abs(self) -> Self {
        Self(Two(machine::abs(self.0.0)), Two(machine::abs(self.1.0)))
    }

    /// The larger of each two; all of them have to be numbers.
    #[inline(always)]
    pub(crate) fn max(self, other: Self) -> Self {
        Self(Two(machine::max(self.0.0, other.0.0)), Two(machine::max(self.1.0, other.1.0)))
    }
}

impl From<[f64; 4]> for Four {
    #[inline(always)]
    fn from([a, b, c, d]: [f64; 4]) -> Self {
        Self(Two::from([a, b]), Two::from([c, d]))
    }
}

macro_rules! operator {
    ($trait:ident, $method:ident) => {
        impl $trait for Two {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self(machine::$method(self.0, other.0))
            }
        }

        impl $trait for Four {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self(self.0.$method(other.0), self.1.$method(other.1))
            }
        }
    };
}
operator!(Add, add);
operator!(Sub, sub);
operator!(Mul, mul);

impl AddAssign for Two {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl AddAssign for Four {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

#[cfg(target_arch = "x86_64")]
mod machine {
    use safe_arch::bitandnot_m128d;
    pub(super) use safe_arch::{
        add_m128d as add, m128d as Register, max_m128d as max, mul_m128d as mul, sub_m128d as sub,
    };

    #[inline(always)]
    pub(super) fn pack(x: [f64; 2]) -> Register {
        Register::from_array(x)
    }

    #[inline(always)]
    pub(super) fn unpack(x: Register) -> [f64; 2] {
        x.to_array()
    }

    #[inline(always)]
    pub(super) fn abs(x: Register) -> Register {
        // All bits but the sign.
        bitandnot_m128d(pack([-0.0; 2]), x)
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod machine {
    pub(super) type Register = [f64; 2];

    #[inline(always)]
    pub(super) fn pack(x: [f64; 2]) -> Register {
        x
    }

    #[inline(always)]
    pub(super) fn unpack(x: Register) -> [f64; 2] {
        x
    }

    #[inline(always)]
    pub(super) fn add(x: Register, y: Register) -> Register {
        [x[0] + y[0], x[1] + y[1]]
    }

    #[inline(always)]
    pub(super) fn sub(x: Register, y: Register) -> Register {
        [x[0] - y[0], x[1] - y[1]]
    }

    #[inline(always)]
    pub(super) fn mul(x: Register, y: Register) -> Register {
        [x[0] * y[0], x[1] * y[1]]
    }

    #[inline(always)]
    pub(super) fn max(x: Register, y: Register) -> Register {
        let larger = |x: f64, y: f64| if x > y { x } else { y };
        [larger(x[0], y[0]), larger(x[1], y[1])]
    }

    #[inline(always)]
    pub(super) fn abs(x: Register) -> Register {
        x.map(f64::abs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_do_what_numbers_do() {
        let (x, y) = ([1.5, -0.0, -3e300, 0.1], [0.3, 5e-324, 2e300, -0.7]);
        let each = |f: fn(f64, f64) -> f64| [0, 1, 2, 3].map(|i| f(x[i], y[i]).to_bits());
        let bits = |z: Four| z.to_array().map(f64::to_bits);
        let (a, b) = (Four::from(x), Four::from(y));
        assert_eq!(bits(a + b), each(|x, y| x + y));
        assert_eq!(bits(a - b), each(|x, y| x - y));
        assert_eq!(bits(a * b), each(|x, y| x * y));
        assert_eq!(bits(a.abs().max(b.abs())), each(|x, y| x.abs().max(y.abs())));
        assert_eq!((Two::from([1.0, 2.0]) - Two::splat(3.0)).to_array(), [-2.0, -1.0]);
        let mut sum = Two::zero();
        sum += Two::from([0.1, 0.2]);
        assert_eq!(sum.to_array(), [0.1, 0.2]);
    }
}
