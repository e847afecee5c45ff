//! Numbers of a model: exact rationals as long as they fit, rounded ones beyond.
//!
//! A literal such as `0.1` is one tenth, exactly, and is rounded once, when machine code is made of it. Numerators and
//! denominators of 128 bits hold every literal and every product of literals that one meets in mechanics; what does not
//! fit is rounded to a double, so no text can make a number expensive.

use holonom_elementary as elementary;
use std::fmt;

/// A rational number, or a double where the rational would not fit.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Number(Repr);

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Repr {
    /// In lowest terms, the denominator positive.
    Exact { num: i128, den: i128 },
    /// The bits of a finite double.
    Rounded(u64),
}

impl Number {
    /// 0.
    pub const ZERO: Self = Self::integer(0);
    /// 1.
    pub const ONE: Self = Self::integer(1);
    /// −1.
    pub const MINUS_ONE: Self = Self::integer(-1);

    /// An integer.
    pub const fn integer(value: i64) -> Self {
        Self(Repr::Exact { num: value as i128, den: 1 })
    }

    /// `num/den`; nothing if `den` is 0.
    pub fn ratio(num: i128, den: i128) -> Option<Self> {
        if den == 0 {
            return None;
        }
        let divisor = gcd(num.unsigned_abs(), den.unsigned_abs());
        // Only i128::MIN has no opposite; its divisor then is at least 1 and the checks below catch it.
        let (num, den) = match i128::try_from(divisor) {
            Ok(divisor) => (num / divisor, den / divisor),
            Err(_) => (num, den),
        };
        if den > 0 {
            Some(Self(Repr::Exact { num, den }))
        } else {
            Some(Self(Repr::Exact { num: num.checked_neg()?, den: den.checked_neg()? }))
        }
    }

    /// A double; nothing unless it is finite. Integers of up to 53 bits become exact.
    pub fn rounded(value: f64) -> Option<Self> {
        if !value.is_finite() {
            None
        } else if value == value.trunc() && value.abs() < 9e15 {
            Some(Self::integer(value as i64))
        } else {
            Some(Self(Repr::Rounded(value.to_bits())))
        }
    }

    /// A decimal literal such as `12`, `0.25`, `1e-9`: exact where it fits; nothing if it is none or not finite.
    pub fn decimal(text: &str) -> Option<Self> {
        let value: f64 = text.parse().ok()?;
        let exact = || {
            let (mantissa, exponent) = match text.split_once(['e', 'E']) {
                Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
                None => (text, 0),
            };
            let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
            let fraction = fraction.trim_end_matches('0');
            let mut num: i128 = 0;
            for digit in whole.bytes().chain(fraction.bytes()) {
                let digit = digit.is_ascii_digit().then(|| i128::from(digit - b'0'))?;
                num = num.checked_mul(10)?.checked_add(digit)?;
            }
            if num == 0 {
                return Some(Self::ZERO);
            }
            let exponent = exponent.checked_sub(i32::try_from(fraction.len()).ok()?)?;
            let power = 10i128.checked_pow(exponent.unsigned_abs())?;
            if exponent < 0 { Self::ratio(num, power) } else { Self::ratio(num.checked_mul(power)?, 1) }
        };
        if !text.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
            return None;
        }
        exact().or_else(|| Self::rounded(value))
    }

    /// Numerator and denominator, where the number is exact.
    pub fn as_ratio(self) -> Option<(i128, i128)> {
        match self.0 {
            Repr::Exact { num, den } => Some((num, den)),
            Repr::Rounded(_) => None,
        }
    }

    /// The integer that it is, where it is one.
    pub fn as_integer(self) -> Option<i64> {
        match self.0 {
            Repr::Exact { num, den: 1 } => i64::try_from(num).ok(),
            _ => None,
        }
    }

    /// The nearest double.
    pub fn to_f64(self) -> f64 {
        match self.0 {
            Repr::Exact { num, den } => nearest(num, den),
            Repr::Rounded(bits) => f64::from_bits(bits),
        }
    }

    /// Whether it is 0.
    pub fn is_zero(self) -> bool {
        self == Self::ZERO || matches!(self.0, Repr::Rounded(bits) if f64::from_bits(bits) == 0.0)
    }

    /// Whether it is 1.
    pub fn is_one(self) -> bool {
        self == Self::ONE
    }

    /// Whether it is below 0.
    pub fn is_negative(self) -> bool {
        match self.0 {
            Repr::Exact { num, .. } => num < 0,
            Repr::Rounded(bits) => f64::from_bits(bits) < 0.0,
        }
    }

    /// The sum; nothing if it is not finite.
    pub fn plus(self, other: Self) -> Option<Self> {
        if let (Repr::Exact { num: a, den: b }, Repr::Exact { num: c, den: d }) = (self.0, other.0) {
            if b == 1
                && d == 1
                && let Some(num) = a.checked_add(c)
            {
                return Some(Self(Repr::Exact { num, den: 1 }));
            }
            let exact = || Self::ratio(a.checked_mul(d)?.checked_add(c.checked_mul(b)?)?, b.checked_mul(d)?);
            if let Some(sum) = exact() {
                return Some(sum);
            }
        }
        Self::rounded(self.to_f64() + other.to_f64())
    }

    /// The product; nothing if it is not finite.
    pub fn times(self, other: Self) -> Option<Self> {
        if let (Repr::Exact { num: a, den: b }, Repr::Exact { num: c, den: d }) = (self.0, other.0) {
            let exact = || Self::ratio(a.checked_mul(c)?, b.checked_mul(d)?);
            if let Some(product) = exact() {
                return Some(product);
            }
        }
        Self::rounded(self.to_f64() * other.to_f64())
    }

    /// The opposite.
    #[must_use]
    pub fn negated(self) -> Self {
        match self.0 {
            Repr::Exact { num, den } if num != i128::MIN => Self(Repr::Exact { num: -num, den }),
            _ => Self(Repr::Rounded((-self.to_f64()).to_bits())),
        }
    }

    /// The magnitude.
    #[must_use]
    pub fn magnitude(self) -> Self {
        if self.is_negative() { self.negated() } else { self }
    }

    /// One over it; nothing for 0.
    pub fn inverse(self) -> Option<Self> {
        match self.0 {
            Repr::Exact { num, den } => Self::ratio(den, num),
            Repr::Rounded(bits) => Self::rounded(1.0 / f64::from_bits(bits)),
        }
    }

    /// An integer power; nothing if it is not finite.
    pub fn power(self, exponent: i32) -> Option<Self> {
        if exponent < 0 {
            return self.inverse()?.power(exponent.checked_neg()?);
        }
        if let Repr::Exact { num, den } = self.0 {
            let exact = || Some((num.checked_pow(exponent as u32)?, den.checked_pow(exponent as u32)?));
            if let Some((num, den)) = exact() {
                return Some(Self(Repr::Exact { num, den }));
            }
        }
        Self::rounded(elementary::powi(self.to_f64(), exponent))
    }

    /// The exact square root, where it is rational.
    pub fn square_root(self) -> Option<Self> {
        let Repr::Exact { num, den } = self.0 else { return None };
        let root = |value: i128| {
            let guess = u128::try_from(value).ok()?.isqrt();
            let guess = i128::try_from(guess).ok()?;
            (guess * guess == value).then_some(guess)
        };
        Self::ratio(root(num)?, root(den)?)
    }

    /// Which of the two is larger, by value.
    pub fn compare(self, other: Self) -> std::cmp::Ordering {
        if self == other {
            return std::cmp::Ordering::Equal;
        }
        if let (Repr::Exact { num: a, den: b }, Repr::Exact { num: c, den: d }) = (self.0, other.0)
            && let (Some(left), Some(right)) = (a.checked_mul(d), c.checked_mul(b))
        {
            return left.cmp(&right);
        }
        self.to_f64().total_cmp(&other.to_f64())
    }
}

impl From<i64> for Number {
    fn from(value: i64) -> Self {
        Self::integer(value)
    }
}

impl fmt::Debug for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Number {
    /// As a fraction `1/3`, an integer, or the shortest decimal of a rounded one.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Repr::Exact { num, den: 1 } => write!(f, "{num}"),
            Repr::Exact { num, den } => write!(f, "{num}/{den}"),
            Repr::Rounded(bits) => write!(f, "{:?}", f64::from_bits(bits)),
        }
    }
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.max(1)
}

/// The double nearest to `num/den`, rounded once.
fn nearest(num: i128, den: i128) -> f64 {
    const EXACT: u128 = 1 << 53;
    let (above, below) = (num.unsigned_abs(), den.unsigned_abs());
    let magnitude = if above < EXACT && below < EXACT {
        above as f64 / below as f64
    } else {
        // Long division to 64 significant bits; the last one says whether anything was left over. A conversion from
        // there rounds once, since 64 bits with a sticky one hold more than 53.
        let (mut quotient, mut rest) = (above / below, above % below);
        let mut exponent = 0i32;
        while quotient < 1 << 63 && rest != 0 && exponent > -400 {
            // rest < below < 2^127, so the doubling fits.
            rest <<= 1;
            quotient <<= 1;
            exponent -= 1;
            if rest >= below {
                rest -= below;
                quotient |= 1;
            }
        }
        if rest != 0 {
            quotient |= 1;
        }
        quotient as f64 * elementary::powi(2.0, exponent)
    };
    if num < 0 { -magnitude } else { magnitude }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_are_exact_and_rounded_once() {
        for text in [
            "0.1",
            "9.81",
            "1e-9",
            "12",
            "0.06171389001427645",
            "4530",
            "1e22",
            "123456789.123456789",
            "3.14159265358979323846",
        ] {
            let number = Number::decimal(text).unwrap();
            assert!(number.as_ratio().is_some(), "{text}");
            assert_eq!(number.to_f64(), text.parse::<f64>().unwrap(), "{text}");
        }
        assert_eq!(Number::decimal("1e-300").unwrap().to_f64(), 1e-300);
        assert_eq!(Number::decimal("0e999999999"), Some(Number::ZERO));
        assert_eq!(Number::decimal("1e400"), None);
        assert_eq!(Number::decimal("nan"), None);
        assert_eq!(Number::decimal("inf"), None);
    }

    #[test]
    fn arithmetic_is_exact_where_it_fits() {
        let third = Number::ratio(1, 3).unwrap();
        assert_eq!(third.plus(third).unwrap().plus(third), Some(Number::ONE));
        assert_eq!(third.times(Number::integer(3)), Some(Number::ONE));
        assert_eq!(Number::ratio(4, 9).unwrap().square_root(), Number::ratio(2, 3));
        assert_eq!(Number::integer(2).power(-3), Number::ratio(1, 8));
        assert_eq!(Number::ZERO.inverse(), None);
        assert_eq!(Number::integer(10).power(400), None);
        assert!(Number::integer(10).power(60).unwrap().as_ratio().is_none());
        assert_eq!(Number::integer(10).power(60).unwrap().to_f64(), 1e60);
    }
}
