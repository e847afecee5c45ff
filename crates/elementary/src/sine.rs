//! Sine and cosine, of one number or of several at once.
//!
//! The argument is reduced by multiples of π/2 in three parts (Cody and Waite), so that nothing is lost where sine or cosine
//! is near zero; minimax polynomials do the rest (their coefficients are those of Sun's fdlibm). There are no branches, so
//! several numbers go through the same operations side by side in vector registers and get the bits that each gets alone.
//! Arguments that are large, not finite, or a hair from a multiple of π/2 go to `libm`, which reduces by more digits of π.

/// Up to here the multiple of π/2 has few enough digits that its product with a part of π/2 is exact.
const LARGE: f64 = 65536.0;
/// Closer to a multiple of π/2 than this, more digits of π would be needed.
const CLOSE: f64 = 1e-10;

/// π/2 in parts of 33 bits, and what is left.
const HALF_PI: [f64; 3] = [1.570_796_326_734_125_6, 6.077_100_506_303_966e-11, 2.022_266_248_795_950_6e-21];
/// Added and taken away again, it rounds to an integer, whose last bits are then those of the sum.
const ROUND: f64 = 6_755_399_441_055_744.0; // 1.5·2⁵²

/// The sine of x radians.
#[inline]
pub fn sin(x: f64) -> f64 {
    sin_cos(x).0
}

/// The cosine of x radians.
#[inline]
pub fn cos(x: f64) -> f64 {
    sin_cos(x).1
}

/// Sine and cosine of x radians: to the bit what [`sin`] and [`cos`] give.
#[inline]
pub fn sin_cos(x: f64) -> (f64, f64) {
    let (sine, cosine, easy) = reduced(x);
    if easy { (sine, cosine) } else { hard(x) }
}

/// Sines and cosines of several numbers: to the bit what [`sin`] and [`cos`] give.
#[inline(always)]
pub fn sines_cosines<const N: usize>(x: &[f64; N]) -> ([f64; N], [f64; N]) {
    let (mut sines, mut cosines) = ([0.0; N], [0.0; N]);
    let mut all_easy = true;
    for lane in 0..N {
        let (sine, cosine, easy) = reduced(x[lane]);
        (sines[lane], cosines[lane]) = (sine, cosine);
        all_easy &= easy;
    }
    if !all_easy {
        for lane in 0..N {
            (sines[lane], cosines[lane]) = sin_cos(x[lane]);
        }
    }
    (sines, cosines)
}

/// Sine and cosine of an argument that takes more care.
#[cold]
fn hard(x: f64) -> (f64, f64) {
    libm::sincos(x)
}

/// Sine and cosine of one number, and whether they are good.
#[inline(always)]
fn reduced(x: f64) -> (f64, f64, bool) {
    let shifted = x * std::f64::consts::FRAC_2_PI + ROUND;
    let quadrant = shifted.to_bits();
    let turns = shifted - ROUND;
    // x − turns·π/2 = high + low.
    let first = x - turns * HALF_PI[0];
    let part = turns * HALF_PI[1];
    let second = first - part;
    let rest = turns * HALF_PI[2] - ((first - second) - part);
    let high = second - rest;
    let low = (second - high) - rest;
    let easy = (x.abs() < LARGE) & ((high.abs() > CLOSE) | (turns == 0.0));
    let (sine, cosine) = (sine_polynomial(high, low), cosine_polynomial(high, low));
    // A quarter turn swaps them; signs by quadrant.
    let odd = (quadrant & 1).wrapping_neg();
    let (sine_bits, cosine_bits) = (sine.to_bits(), cosine.to_bits());
    let swapped = (sine_bits ^ cosine_bits) & odd;
    let sine_sign = (quadrant & 2) << 62;
    let cosine_sign = (quadrant.wrapping_add(1) & 2) << 62;
    (f64::from_bits((sine_bits ^ swapped) ^ sine_sign), f64::from_bits((cosine_bits ^ swapped) ^ cosine_sign), easy)
}

/// sin(x + y) for |x| ≤ π/4 and tiny y.
#[inline(always)]
fn sine_polynomial(x: f64, y: f64) -> f64 {
    const S: [f64; 6] = [
        -1.666_666_666_666_663_2e-1,
        8.333_333_333_322_49e-3,
        -1.984_126_982_985_795e-4,
        2.755_731_370_707_006_8e-6,
        -2.505_076_025_340_686_3e-8,
        1.589_690_995_211_55e-10,
    ];
    let z = x * x;
    // Two short chains instead of a long one.
    let tail = (S[1] + z * (S[2] + z * S[3])) + z * (z * z) * (S[4] + z * S[5]);
    let cube = z * x;
    x - ((z * (0.5 * y - cube * tail) - y) - cube * S[0])
}

/// cos(x + y) for |x| ≤ π/4 and tiny y.
#[inline(always)]
fn cosine_polynomial(x: f64, y: f64) -> f64 {
    const C: [f64; 6] = [
        4.166_666_666_666_66e-2,
        -1.388_888_888_887_411e-3,
        2.480_158_728_947_673e-5,
        -2.755_731_435_139_066_3e-7,
        2.087_572_321_298_175e-9,
        -1.135_964_755_778_819_5e-11,
    ];
    let z = x * x;
    let fourth = z * z;
    let tail = z * (C[0] + z * (C[1] + z * C[2])) + fourth * fourth * (C[3] + z * (C[4] + z * C[5]));
    let half = 0.5 * z;
    let sum = 1.0 - half;
    sum + (((1.0 - sum) - half) + (z * tail - x * y))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::{FRAC_PI_2, PI};

    /// Both are within a unit in the last place of the truth, so they are the same or neighbours.
    fn check(x: f64) {
        let (sine, cosine) = sin_cos(x);
        for (found, expected) in [(sine, libm::sin(x)), (cosine, libm::cos(x))] {
            let neighbours = [expected.next_down(), expected, expected.next_up()].contains(&found);
            assert!(neighbours || found.is_nan() && expected.is_nan(), "at {x:?}: {found:?} instead of {expected:?}");
        }
        let (sines, cosines) = sines_cosines(&[x, 0.3, 1e9, x]);
        for lane in [0, 3] {
            assert_eq!(sines[lane].to_bits(), sine.to_bits(), "at {x:?}");
            assert_eq!(cosines[lane].to_bits(), cosine.to_bits(), "at {x:?}");
        }
        let (sines, cosines) = sines_cosines(&[0.7, x]);
        assert_eq!([sines[1].to_bits(), cosines[1].to_bits()], [sine.to_bits(), cosine.to_bits()], "at {x:?}");
    }

    #[test]
    fn sines_and_cosines_are_those_of_libm_to_rounding() {
        let mut state = 7u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
        };
        for exponent in -40..40 {
            for _ in 0..3000 {
                check(crate::powi(2.0, exponent) * random());
            }
        }
    }

    #[test]
    fn nothing_is_lost_near_zeros_and_nothing_far_away() {
        for multiple in 0..60_000 {
            let zero = FRAC_PI_2 * f64::from(multiple);
            for x in [zero, zero.next_up(), zero * (1.0 + 1e-9), -zero - 1e-7, -zero + 2e-10] {
                check(x);
            }
        }
        for x in [0.0, 1e10, 1e300, f64::MAX, f64::MIN_POSITIVE, 5e-324, f64::INFINITY, f64::NAN, 65535.999, 65536.0] {
            check(x);
            check(-x);
        }
        assert_eq!(sin(-0.0).to_bits(), (-0.0f64).to_bits());
    }

    /// Digits from tables: near a zero, and far away (Ng, 1992).
    #[test]
    fn known_values() {
        assert_eq!(sin(PI), 1.224_646_799_147_353_2e-16);
        assert_eq!(cos(FRAC_PI_2), 6.123_233_995_736_766e-17);
        assert_eq!(sin(1e22), -0.852_200_849_767_188_8);
        assert_eq!(sin_cos(0.5), (0.479_425_538_604_203, 0.877_582_561_890_372_8));
    }
}
