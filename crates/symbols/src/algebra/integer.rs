//! Integers of any size, quick while they are small.
//!
//! Nearly all coefficients of mechanics fit in a machine word; those that do not come from `dashu-int`, which is
//! used in this file alone.

use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, Mul, Neg, Sub};

use dashu_int::ops::{Abs, DivRem, Gcd, UnsignedAbs};
use dashu_int::{IBig, UBig};

/// An integer of any size.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Integer(Repr);

/// Big only where small does not do, so that equality is equality of fields.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Repr {
    Small(i64),
    Big(Box<IBig>),
}

use Repr::{Big, Small};

impl Integer {
    /// 0.
    pub const ZERO: Self = Self(Small(0));
    /// 1.
    pub const ONE: Self = Self(Small(1));
    /// −1.
    pub const MINUS_ONE: Self = Self(Small(-1));

    fn from_big(value: IBig) -> Self {
        match i64::try_from(&value) {
            Ok(small) => Self(Small(small)),
            Err(_) => Self(Big(Box::new(value))),
        }
    }

    fn to_big(&self) -> IBig {
        match &self.0 {
            Small(value) => IBig::from(*value),
            Big(value) => (**value).clone(),
        }
    }

    /// Whether it is 0.
    pub fn is_zero(&self) -> bool {
        self.0 == Small(0)
    }

    /// Whether it is 1.
    pub fn is_one(&self) -> bool {
        self.0 == Small(1)
    }

    /// Whether it is below 0.
    pub fn is_negative(&self) -> bool {
        self.sign() < 0
    }

    /// −1, 0 or 1.
    pub fn sign(&self) -> i32 {
        match &self.0 {
            Small(value) => value.signum() as i32,
            Big(value) => {
                if **value < IBig::ZERO {
                    -1
                } else {
                    1
                }
            }
        }
    }

    /// The value without its sign.
    pub fn abs(&self) -> Self {
        match &self.0 {
            Small(value) if *value != i64::MIN => Self(Small(value.abs())),
            _ => Self::from_big(self.to_big().abs()),
        }
    }

    /// As a machine word, if it fits.
    pub fn to_i64(&self) -> Option<i64> {
        match &self.0 {
            Small(value) => Some(*value),
            Big(_) => None,
        }
    }

    /// In 128 bits, if it fits.
    pub fn to_i128(&self) -> Option<i128> {
        match &self.0 {
            Small(value) => Some(i128::from(*value)),
            Big(value) => i128::try_from(&**value).ok(),
        }
    }

    /// The nearest floating-point number; infinite where there is none.
    pub fn to_f64(&self) -> f64 {
        match &self.0 {
            Small(value) => *value as f64,
            Big(value) => value.to_f64().value(),
        }
    }

    /// How many binary digits it has.
    pub fn bits(&self) -> usize {
        use dashu_int::ops::BitTest;
        match &self.0 {
            Small(value) => 64 - value.unsigned_abs().leading_zeros() as usize,
            Big(value) => value.as_ref().clone().unsigned_abs().bit_len(),
        }
    }

    /// How many machine words it takes.
    pub(crate) fn words(&self) -> u64 {
        match &self.0 {
            Small(_) => 1,
            Big(value) => value.as_sign_words().1.len() as u64,
        }
    }

    /// The greatest common divisor, not negative.
    pub fn gcd(&self, other: &Self) -> Self {
        match (&self.0, &other.0) {
            (Small(a), Small(b)) => {
                let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
                while b != 0 {
                    (a, b) = (b, a % b);
                }
                Self::from(i128::from(a))
            }
            _ if self.is_zero() => other.abs(),
            _ if other.is_zero() => self.abs(),
            _ => Self::from_big(IBig::from(self.to_big().gcd(other.to_big()))),
        }
    }

    /// The quotient, if it is an integer.
    pub fn divide_exactly(&self, divisor: &Self) -> Option<Self> {
        match (&self.0, &divisor.0) {
            (_, Small(0)) => None,
            (_, Small(1)) => Some(self.clone()),
            (_, Small(-1)) => Some(-self),
            (Small(a), Small(b)) => {
                if a % b == 0 {
                    Some(Self(Small(a / b)))
                } else {
                    None
                }
            }
            _ => {
                let (quotient, rest) = self.to_big().div_rem(divisor.to_big());
                if rest == IBig::ZERO { Some(Self::from_big(quotient)) } else { None }
            }
        }
    }

    /// The remainder in `0..modulus`. The modulus must not be 0.
    pub fn modulo(&self, modulus: u64) -> u64 {
        match &self.0 {
            Small(value) => i128::from(*value).rem_euclid(i128::from(modulus)) as u64,
            Big(value) => {
                let rest = (**value).clone().unsigned_abs() % UBig::from(modulus);
                let rest = u64::try_from(rest).unwrap_or(0);
                if rest != 0 && self.is_negative() { modulus - rest } else { rest }
            }
        }
    }

    /// This integer raised to a power. The caller pays for it beforehand.
    pub(crate) fn power(&self, exponent: u32) -> Self {
        match &self.0 {
            Small(value) if let Some(result) = value.checked_pow(exponent) => Self(Small(result)),
            _ => Self::from_big(self.to_big().pow(exponent as usize)),
        }
    }
}

impl From<i64> for Integer {
    fn from(value: i64) -> Self {
        Self(Small(value))
    }
}

impl From<i128> for Integer {
    fn from(value: i128) -> Self {
        match i64::try_from(value) {
            Ok(small) => Self(Small(small)),
            Err(_) => Self(Big(Box::new(IBig::from(value)))),
        }
    }
}

impl Ord for Integer {
    fn cmp(&self, other: &Self) -> Ordering {
        match (&self.0, &other.0) {
            (Small(a), Small(b)) => a.cmp(b),
            (Big(a), Big(b)) => a.cmp(b),
            (Small(_), Big(_)) => {
                if other.is_negative() {
                    Ordering::Greater
                } else {
                    Ordering::Less
                }
            }
            (Big(_), Small(_)) => {
                if self.is_negative() {
                    Ordering::Less
                } else {
                    Ordering::Greater
                }
            }
        }
    }
}

impl PartialOrd for Integer {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Neg for &Integer {
    type Output = Integer;
    fn neg(self) -> Integer {
        match &self.0 {
            Small(value) => Integer::from(-i128::from(*value)),
            Big(value) => Integer::from_big(-(**value).clone()),
        }
    }
}

impl Add for &Integer {
    type Output = Integer;
    fn add(self, other: Self) -> Integer {
        match (&self.0, &other.0) {
            (Small(a), Small(b)) => Integer::from(i128::from(*a) + i128::from(*b)),
            _ => Integer::from_big(self.to_big() + other.to_big()),
        }
    }
}

impl Sub for &Integer {
    type Output = Integer;
    fn sub(self, other: Self) -> Integer {
        match (&self.0, &other.0) {
            (Small(a), Small(b)) => Integer::from(i128::from(*a) - i128::from(*b)),
            _ => Integer::from_big(self.to_big() - other.to_big()),
        }
    }
}

impl Mul for &Integer {
    type Output = Integer;
    fn mul(self, other: Self) -> Integer {
        match (&self.0, &other.0) {
            (Small(a), Small(b)) => Integer::from(i128::from(*a) * i128::from(*b)),
            _ => Integer::from_big(self.to_big() * other.to_big()),
        }
    }
}

impl fmt::Display for Integer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Small(value) => value.fmt(f),
            Big(value) => value.fmt(f),
        }
    }
}

impl fmt::Debug for Integer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A sum of products under way: in 128 bits while they do.
#[derive(Clone, Default)]
pub(crate) struct Sum {
    low: i128,
    high: Option<Box<IBig>>,
}

impl Sum {
    /// Adds `a b`.
    pub(crate) fn add_product(&mut self, a: &Integer, b: &Integer) {
        match (&a.0, &b.0) {
            (Small(a), Small(b)) => self.add_small(i128::from(*a) * i128::from(*b)),
            _ => self.add_big(a.to_big() * b.to_big()),
        }
    }

    /// Subtracts `a b`.
    pub(crate) fn subtract_product(&mut self, a: &Integer, b: &Integer) {
        match (&a.0, &b.0) {
            (Small(a), Small(b)) => self.add_small(-(i128::from(*a) * i128::from(*b))),
            _ => self.add_big(-(a.to_big() * b.to_big())),
        }
    }

    fn add_small(&mut self, value: i128) {
        match self.low.checked_add(value) {
            Some(sum) => self.low = sum,
            None => self.add_big(IBig::from(value)),
        }
    }

    fn add_big(&mut self, value: IBig) {
        **self.high.get_or_insert_default() += value;
    }

    /// The sum.
    pub(crate) fn finish(self) -> Integer {
        match self.high {
            None => Integer::from(self.low),
            Some(high) => Integer::from_big(*high + IBig::from(self.low)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn power_of_two(n: u32) -> Integer {
        Integer::from(2i64).power(n)
    }

    #[test]
    fn small_and_big_meet_at_the_border() {
        let border = power_of_two(63);
        assert_eq!(border.to_i64(), None);
        assert_eq!(&border - &Integer::ONE, Integer::from(i64::MAX));
        assert_eq!(-&border, Integer::from(i64::MIN));
        assert_eq!(Integer::from(i64::MIN).abs(), border);
        assert_eq!(-&Integer::from(i64::MIN), border);
        assert!(border > Integer::from(i64::MAX) && -&power_of_two(70) < Integer::from(i64::MIN));
    }

    #[test]
    fn big_arithmetic_is_exact() {
        let big = &power_of_two(200) + &Integer::ONE;
        let square = &big * &big;
        assert_eq!(square.divide_exactly(&big), Some(big.clone()));
        assert_eq!((&square + &Integer::ONE).divide_exactly(&big), None);
        assert_eq!(square.gcd(&(&big * &Integer::from(6i64))), big);
        assert_eq!(big.bits(), 201);
        assert_eq!(big.to_string().len(), 61);
        assert_eq!((-&big).modulo(7), (7 - (2u64.pow(2) + 1) % 7) % 7); // 2³ = 1 modulo 7 and 200 = 3·66 + 2
    }

    #[test]
    fn a_sum_may_leave_128_bits_and_come_back() {
        let big = Integer::from(i64::MIN);
        let mut sum = Sum::default();
        for _ in 0..5 {
            sum.add_product(&big, &big);
        }
        let all = &power_of_two(126) * &Integer::from(5i64);
        assert_eq!(sum.clone().finish(), all);
        sum.subtract_product(&all, &Integer::ONE);
        assert_eq!(sum.finish(), Integer::ZERO);
    }
}
