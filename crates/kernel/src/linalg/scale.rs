//! Scaling by powers of two: exact, so that it decides ranks without touching the data.

use super::tolerance::ROUNDING;
use super::vector::max_abs;

/// Columns whose largest entries lie within this factor of each other are comparable as they stand.
const COMPARABLE: f64 = 1.0 / 1024.0;

/// Below this size a row has lost digits, or is about to: what it says cannot be scaled up again. A mass of that size is none.
pub(crate) const LEAST: f64 = 1e-305;
/// Between this and its inverse, products of four factors stay far from the ends of the range.
pub(crate) const FAR: f64 = 1e-75;

/// The power of two nearest below `1/x`: `x · inverse_power(x)` lies in `[1, 2)`; 1 for `x = 0`.
///
/// At the very ends of the range the power is the last that is a number of full precision: from 2¹⁰²³ on the product
/// lies in `[2, 4)`, and below 2⁻¹⁰²³ it is less than 1.
#[inline]
pub(crate) fn inverse_power(x: f64) -> f64 {
    if x == 0.0 {
        return 1.0;
    }
    power(-exponent(x))
}

/// The power of two nearest to `1/√x`; 1 for `x = 0`.
#[inline]
pub(crate) fn inverse_root_power(x: f64) -> f64 {
    if x == 0.0 {
        return 1.0;
    }
    power(-exponent(x).div_euclid(2))
}

/// `e` with `2^e ≤ |x| < 2^(e+1)`, also where x has lost digits near zero.
#[inline]
fn exponent(x: f64) -> i64 {
    let biased = ((x.to_bits() >> 52) & 0x7ff) as i64;
    if biased > 0 { biased - 1023 } else { ((x * TWO_52).to_bits() >> 52 & 0x7ff) as i64 - 1023 - 52 }
}

/// 2⁵², which lifts every number near zero to full precision.
const TWO_52: f64 = (1u64 << 52) as f64;

/// `2^exponent`, as far as numbers of full precision go. A product of two of these may overflow: multiply by one after
/// the other, starting from what they scale.
#[inline]
fn power(exponent: i64) -> f64 {
    f64::from_bits(((exponent.clamp(-1022, 1023) + 1023) as u64) << 52)
}

/// Row and column factors that bring the entries of `A` (n columns) to comparable size; whether columns needed any.
///
/// Rows first, then columns if they differ much, then rows again. A column that holds nothing but
/// rounding (entries of 10⁻¹⁶ of their rows) is left alone: lifting it would make noise look like rank.
pub(crate) fn equilibrate(A: &[f64], n: usize, row: &mut [f64], column: &mut [f64]) -> bool {
    column.fill(0.0);
    for (i, r) in row.iter_mut().enumerate() {
        let a = &A[i * n..(i + 1) * n];
        *r = inverse_power(max_abs(a));
        for (c, v) in column.iter_mut().zip(a) {
            let size = v.abs() * *r;
            *c = if size > *c { size } else { *c };
        }
    }
    let (mut smallest, mut largest) = (f64::INFINITY, 0.0);
    for c in column.iter_mut() {
        if *c > ROUNDING {
            smallest = if *c < smallest { *c } else { smallest };
            largest = if *c > largest { *c } else { largest };
        } else {
            *c = 0.0;
        }
    }
    if smallest >= COMPARABLE * largest {
        column.fill(1.0);
        return false;
    }
    for c in column.iter_mut() {
        *c = inverse_power(*c);
    }
    for (i, r) in row.iter_mut().enumerate() {
        let a = &A[i * n..(i + 1) * n];
        // From rows of size one: a row of 10³⁰⁰ times the factor of its column would be too large.
        let largest = a.iter().zip(column.iter()).fold(0.0, |m: f64, (v, c)| m.max((v * *r * c).abs()));
        *r *= inverse_power(largest);
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_are_exact_and_bracket_the_inverse() {
        for x in [1.0, 1.5, 3.0, 1e-9, 7e12, 1e-300, 1e300, f64::MIN_POSITIVE, f64::MAX, 1e-320, 5e-324] {
            let scaled = x * inverse_power(x);
            assert!((1.0..2.0).contains(&scaled) || x == f64::MAX || x < f64::MIN_POSITIVE, "{x} {scaled}");
            let rooted = x * inverse_root_power(x) * inverse_root_power(x);
            assert!((1.0..4.0).contains(&rooted), "{x} {rooted}");
        }
        assert_eq!((inverse_power(0.0), inverse_root_power(0.0)), (1.0, 1.0));
        assert!((2.0..4.0).contains(&(f64::MAX * inverse_power(f64::MAX))));
    }

    #[test]
    fn rows_and_columns_of_any_size_become_comparable() {
        let A = [1e15, 2e9, 0.0, 3.0, 4e-6, 1e-12];
        let (mut row, mut column) = ([0.0; 2], [0.0; 3]);
        equilibrate(&A, 3, &mut row, &mut column);
        for i in 0..2 {
            let largest = (0..3).map(|j| (A[3 * i + j] * row[i] * column[j]).abs()).fold(0.0, f64::max);
            assert!((1.0..2.0).contains(&largest));
        }
        assert!(column[2] > 1e6 * column[0]);
        let A = [1e300, 2e294, 0.0, 3e-300, 4e-309, 1e-300];
        equilibrate(&A, 3, &mut row, &mut column);
        for i in 0..2 {
            let largest = (0..3).map(|j| (A[3 * i + j] * row[i] * column[j]).abs()).fold(0.0, f64::max);
            assert!((1.0..2.0).contains(&largest));
        }
    }

    #[test]
    fn a_column_of_rounding_is_not_lifted() {
        let A = [1.0, 0.0, 1.0, 1e-17];
        let (mut row, mut column) = ([0.0; 2], [0.0; 2]);
        equilibrate(&A, 2, &mut row, &mut column);
        assert_eq!(column[1], 1.0);
    }
}
