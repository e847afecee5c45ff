//! Constants, rounded once.

use holonom_kernel::linalg::twofold::{Twofold, quotient};
use holonom_symbols::expr::Number;
use std::f64::consts::PI;

/// What π is beyond its nearest double.
const PI_REST: f64 = 1.224_646_799_147_353_2e-16;

/// The double nearest to `number·π`.
pub(crate) fn times_pi(number: Number) -> f64 {
    let (high, low) = match number.as_ratio() {
        Some((num, den)) => quotient(twofold(num), twofold(den)),
        None => (number.to_f64(), 0.0),
    };
    let product = high * PI;
    product + (high.mul_add(PI, -product) + (high * PI_REST + low * PI))
}

/// An integer to 106 bits.
fn twofold(integer: i128) -> Twofold {
    let high = integer as f64;
    (high, integer.saturating_sub(high as i128) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[allow(clippy::excessive_precision, clippy::approx_constant)]
    #[test]
    fn multiples_of_pi_are_rounded_once() {
        // Thirty degrees, and one: digits of π/6 and π/180 to more places than a double has.
        let of = |num, den| times_pi(Number::ratio(num, den).unwrap());
        assert_eq!(of(1, 6), 0.523_598_775_598_298_873_077_1);
        assert_eq!(of(1, 180), 0.017_453_292_519_943_295_769_24);
        assert_eq!(of(1, 1), PI);
        assert_eq!(of(7, 180), 0.122_173_047_639_603_070_384_6);
        assert_eq!(of(-1, 3), -1.047_197_551_196_597_746_154_2);
    }
}
