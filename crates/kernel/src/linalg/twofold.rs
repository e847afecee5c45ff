//! Residuals in twice the working precision, the one place where refinement needs it.

/// `(high + low) + x` as a number and what rounding left of it.
#[inline]
pub(crate) fn add(high: f64, low: f64, x: f64) -> (f64, f64) {
    let (sum, error) = exact_sum(high, x);
    exact_sum(sum, low + error)
}

/// Knuth's sum: `x + y` rounded, and its rounding error.
#[inline]
fn exact_sum(x: f64, y: f64) -> (f64, f64) {
    let sum = x + y;
    let back = sum - x;
    (sum, (x - (sum - back)) + (y - back))
}

/// A number of twice the precision: `high + low`, with `low` below the last digit of `high`.
pub type Twofold = (f64, f64);

/// `x − f y` in twice the precision.
#[inline]
pub(crate) fn subtract_product(x: Twofold, f: Twofold, y: Twofold) -> Twofold {
    let product = f.0 * y.0;
    let error = f.0.mul_add(y.0, -product) + (f.0 * y.1 + f.1 * y.0);
    let (sum, sum_error) = exact_sum(x.0, -product);
    exact_sum(sum, sum_error + (x.1 - error))
}

/// `x / y` in twice the precision.
#[inline]
pub fn quotient(x: Twofold, y: Twofold) -> Twofold {
    let first = x.0 / y.0;
    let rest = subtract_product(x, (first, 0.0), y);
    exact_sum(first, (rest.0 + rest.1) / y.0)
}

/// A running sum `high + low` of products, each product and each addition without rounding error
/// in `high` (Dekker's and Knuth's error-free transformations).
#[derive(Clone, Copy, Default)]
pub(crate) struct TwofoldSum {
    high: f64,
    low: f64,
}

impl TwofoldSum {
    /// Starts from the number `x`.
    #[inline]
    pub(crate) fn from(x: f64) -> Self {
        Self { high: x, low: 0.0 }
    }

    /// Adds the exact product `x · y`.
    #[inline]
    pub(crate) fn add_product(&mut self, x: f64, y: f64) {
        let product = x * y;
        let product_error = x.mul_add(y, -product);
        let (sum, sum_error) = exact_sum(self.high, product);
        self.high = sum;
        self.low += product_error + sum_error;
    }

    /// Adds `sign · xᵀy`.
    #[inline]
    pub(crate) fn add_dot(&mut self, sign: f64, x: &[f64], y: &[f64]) {
        for (x, y) in x.iter().zip(y) {
            self.add_product(sign * x, *y);
        }
    }

    /// The sum, rounded once.
    #[inline]
    pub(crate) fn value(self) -> f64 {
        self.high + self.low
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_third_three_times_is_one_to_thirty_digits() {
        let third = quotient((1.0, 0.0), (3.0, 0.0));
        let rest = subtract_product((1.0, 0.0), (3.0, 0.0), third);
        assert!((rest.0 + rest.1).abs() < 1e-31, "{rest:?}");
    }

    #[test]
    fn cancellation_of_twenty_digits_is_exact() {
        let mut sum = TwofoldSum::from(1e20);
        sum.add_product(1.0 / 3.0, 3.0);
        sum.add_product(-1e10, 1e10);
        // 3 · fl(1/3) = 1 − 2⁻⁵⁴ exactly, a result that needs more than 53 + 66 bits on the way.
        assert_eq!(sum.value(), 1.0 - 2f64.powi(-54));
    }
}
