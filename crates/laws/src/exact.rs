//! Rank without rounding: every f64 is a fraction with a power of two below, so elimination modulo a prime
//! is exact.
//!
//! A rank modulo p is never above the true one and is below it only if p divides a certain minor: for a
//! prime near 2⁶⁴ that never happens by chance. Powers of two, by which the generator scales, are no danger:
//! 2⁶⁴ ≡ 59 and no smaller power comes back to 1.

/// The largest prime below 2⁶⁴.
const P: u64 = 18_446_744_073_709_551_557;

fn reduce(x: u128) -> u64 {
    let fold = |x: u128| (x >> 64) * 59 + (x & u128::from(u64::MAX)); // 2⁶⁴ = p + 59
    let x = fold(fold(x));
    (if x >= u128::from(P) { x - u128::from(P) } else { x }) as u64
}

fn multiply(x: u64, y: u64) -> u64 {
    reduce(u128::from(x) * u128::from(y))
}

fn power(mut base: u64, mut exponent: u64) -> u64 {
    let mut result = 1;
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = multiply(result, base);
        }
        base = multiply(base, base);
        exponent >>= 1;
    }
    result
}

fn negative(x: u64) -> u64 {
    if x == 0 { 0 } else { P - x }
}

/// A finite f64 as a residue.
fn residue(x: f64) -> u64 {
    if x == 0.0 {
        return 0;
    }
    let bits = x.to_bits();
    let (exponent, fraction) = ((bits >> 52) & 0x7ff, bits & ((1 << 52) - 1));
    let mantissa = if exponent == 0 { fraction } else { fraction | 1 << 52 };
    let exponent = exponent.max(1) as i64 - 1075;
    let two = if exponent < 0 { (P - 1) / 2 + 1 } else { 2 }; // (p + 1)/2 is the inverse of 2
    let value = multiply(mantissa % P, power(two, exponent.unsigned_abs()));
    if x < 0.0 { negative(value) } else { value }
}

/// The space spanned by some rows, exactly.
#[derive(Clone, Default)]
pub struct Span {
    /// Echelon rows with 1 at their leading place.
    rows: Vec<(usize, Vec<u64>)>,
}

impl Span {
    /// The space spanned by nothing.
    pub fn new() -> Span {
        Span::default()
    }

    /// The space spanned by the given rows.
    pub fn of<'a>(rows: impl IntoIterator<Item = &'a [f64]>) -> Span {
        let mut span = Span::new();
        for row in rows {
            span.add(row);
        }
        span
    }

    /// How many of the rows are independent.
    pub fn rank(&self) -> usize {
        self.rows.len()
    }

    /// Adds a row; whether it was not contained yet.
    pub fn add(&mut self, row: &[f64]) -> bool {
        let mut rest: Vec<u64> = row.iter().map(|x| residue(*x)).collect();
        self.subtract(&mut rest);
        let Some(leading) = rest.iter().position(|x| *x != 0) else { return false };
        let inverse = power(rest[leading], P - 2);
        rest.iter_mut().for_each(|x| *x = multiply(*x, inverse));
        self.rows.push((leading, rest));
        true
    }

    /// Whether the exact sum of the vectors lies in the space.
    pub fn contains_sum(&self, vectors: &[&[f64]]) -> bool {
        let length = vectors.first().map_or(0, |v| v.len());
        let mut rest = vec![0; length];
        for vector in vectors {
            for (sum, x) in rest.iter_mut().zip(*vector) {
                *sum = reduce(u128::from(*sum) + u128::from(residue(*x)));
            }
        }
        self.subtract(&mut rest);
        rest.iter().all(|x| *x == 0)
    }

    fn subtract(&self, rest: &mut [u64]) {
        for (leading, row) in &self.rows {
            let factor = negative(rest[*leading]);
            if factor != 0 {
                for (x, y) in rest.iter_mut().zip(row) {
                    *x = reduce(u128::from(*x) + u128::from(factor) * u128::from(*y));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetic_is_that_of_the_field() {
        assert_eq!(multiply(P - 1, P - 1), 1);
        assert_eq!(multiply(residue(0.125), 8), 1);
        assert_eq!(residue(-3.0), P - 3);
        assert_eq!(multiply(power(7, P - 2), 7), 1);
    }

    #[test]
    fn dependence_is_exact_down_to_the_last_bit() {
        let t = 2f64.powi(-52);
        assert_eq!(Span::of([[1.0, 1.0].as_slice(), &[1.0, 1.0 + t]]).rank(), 2);
        assert_eq!(Span::of([[1.0, 1.0 + t].as_slice(), &[2f64.powi(90), 2f64.powi(90) * (1.0 + t)]]).rank(), 1);
        assert_eq!(Span::of([[1.0, 2f64.powi(61)].as_slice(), &[1.0, 1.0]]).rank(), 2);
        let span = Span::of([[1.0, 1.0, 0.0].as_slice()]);
        assert!(span.contains_sum(&[&[1e300, 0.1, 0.0], &[0.0, 1e300, 0.0], &[0.1, 0.0, 0.0]]));
        assert!(!span.contains_sum(&[&[1.0, 1.0, t]]));
    }
}
