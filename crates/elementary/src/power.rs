//! Integer powers, and powers of two.

/// xⁿ by repeated squaring. For negative n it is the inverse of x⁻ⁿ.
#[inline]
pub fn powi(x: f64, n: i32) -> f64 {
    let (mut square, mut left, mut product) = (x, n.unsigned_abs(), 1.0);
    loop {
        if left % 2 == 1 {
            product *= square;
        }
        left /= 2;
        if left == 0 {
            break;
        }
        square *= square;
    }
    if n < 0 { 1.0 / product } else { product }
}

/// The largest power of two that is not larger than |x|, for any finite x but zero.
#[inline]
pub fn power_of_two_below(x: f64) -> f64 {
    const FRACTION: u64 = (1 << 52) - 1;
    let bits = x.abs().to_bits();
    // Where there is no exponent, the first bit of the fraction counts.
    f64::from_bits(if x.is_normal() { bits & !FRACTION } else { 1 << bits.checked_ilog2().unwrap_or(0) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integer_powers() {
        for x in [3.0, -0.5, 1.1, 1e-3] {
            let mut product = 1.0;
            for n in 0..60 {
                assert!((powi(x, n) - product).abs() <= 60.0 * f64::EPSILON * product.abs());
                assert_eq!(powi(x, -n), 1.0 / powi(x, n));
                product *= x;
            }
        }
        assert_eq!(powi(0.0, 0), 1.0);
        assert_eq!(powi(f64::NAN, 0), 1.0);
        assert_eq!(powi(2.0, -1022), f64::MIN_POSITIVE);
        assert_eq!(powi(-0.0, -1), f64::NEG_INFINITY);
        assert_eq!(powi(-1.0, i32::MIN), 1.0);
        assert_eq!(powi(2.0, i32::MIN), 0.0);
    }

    #[test]
    fn powers_of_two() {
        for exponent in -1022..1024 {
            let power = powi(2.0, exponent.max(-1000)) * powi(2.0, exponent.min(-1000) + 1000);
            for x in [power, power.next_up(), 1.9 * power, -power] {
                assert_eq!(power_of_two_below(x), power);
            }
            assert_eq!(power_of_two_below(power.next_down()), 0.5 * power);
        }
        for (x, power) in [(1u64, 1), (3, 2), (5, 4), ((1 << 52) - 1, 1 << 51)] {
            assert_eq!(power_of_two_below(f64::from_bits(x)), f64::from_bits(power));
        }
    }
}
