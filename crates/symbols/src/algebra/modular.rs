//! Arithmetic modulo a prime of 62 bits, and polynomials in one variable over it.
//!
//! Questions about polynomials over the integers are asked modulo such a prime first: the answers take nanoseconds
//! and are wrong with a probability of some 1e-15, so that everything that matters is verified afterwards. Numbers
//! are kept in Montgomery's form, multiplied by 2⁶⁴, in which a product takes two multiplications and no division.

use super::budget::{Budget, Exhausted};
use super::integer::Integer;
use super::polynomial::Polynomial;
use holonom_random::Random;

/// Primes just below 2⁶², by their distances to it.
const DISTANCES: [u64; 40] = [
    57, 87, 117, 143, 153, 167, 171, 195, 203, 273, 287, 317, 443, 483, 495, 575, 581, 603, 633, 663, 765, 773, 777,
    791, 813, 831, 923, 981, 993, 1001, 1007, 1017, 1197, 1241, 1293, 1353, 1433, 1515, 1553, 1575,
];

/// A prime modulus. Its numbers are meaningful only with it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Modulus {
    prime: u64,
    /// −1/prime modulo 2⁶⁴.
    inverse: u64,
    /// 2¹²⁸ modulo the prime.
    square: u64,
    /// The number 1.
    pub(super) one: u64,
}

impl Modulus {
    /// The primes in turn, `None` when there are no more.
    pub(super) fn number(index: usize) -> Option<Self> {
        let prime = (1 << 62) - DISTANCES.get(index)?;
        // Newton's iteration doubles the correct bits of the inverse.
        let mut inverse: u64 = prime;
        for _ in 0..6 {
            inverse = inverse.wrapping_mul(2u64.wrapping_sub(prime.wrapping_mul(inverse)));
        }
        let one = ((1u128 << 64) % u128::from(prime)) as u64;
        let square = (u128::from(one) * u128::from(one) % u128::from(prime)) as u64;
        Some(Self { prime, inverse: inverse.wrapping_neg(), square, one })
    }

    pub(super) fn first() -> Self {
        Self::number(0).expect("the list of primes is not empty")
    }

    /// The prime.
    pub(super) fn prime(&self) -> Integer {
        Integer::from(self.prime as i64)
    }

    /// The prime as a machine word.
    pub(super) fn characteristic(&self) -> u64 {
        self.prime
    }

    /// The number with this remainder.
    pub(super) fn enter(&self, value: u64) -> u64 {
        self.times(value, self.square)
    }

    /// The number that an integer is.
    pub(super) fn enter_integer(&self, value: &Integer) -> u64 {
        self.enter(value.modulo(self.prime))
    }

    /// Its remainder.
    pub(super) fn leave(&self, value: u64) -> u64 {
        self.times(value, 1)
    }

    /// Its remainder of least magnitude.
    pub(super) fn leave_signed(&self, value: u64) -> i64 {
        let value = self.leave(value);
        if value > self.prime / 2 { -((self.prime - value) as i64) } else { value as i64 }
    }

    #[inline]
    pub(super) fn times(&self, a: u64, b: u64) -> u64 {
        let product = u128::from(a) * u128::from(b);
        let multiple = (product as u64).wrapping_mul(self.inverse);
        let sum = (product + u128::from(multiple) * u128::from(self.prime)) >> 64;
        self.reduce(sum as u64)
    }

    #[inline]
    fn reduce(&self, value: u64) -> u64 {
        if value >= self.prime { value - self.prime } else { value }
    }

    #[inline]
    pub(super) fn plus(&self, a: u64, b: u64) -> u64 {
        self.reduce(a + b)
    }

    #[inline]
    pub(super) fn minus(&self, a: u64, b: u64) -> u64 {
        if a >= b { a - b } else { a + self.prime - b }
    }

    pub(super) fn power(&self, base: u64, mut exponent: u64) -> u64 {
        let (mut result, mut base) = (self.one, base);
        while exponent > 0 {
            if exponent & 1 == 1 {
                result = self.times(result, base);
            }
            base = self.times(base, base);
            exponent >>= 1;
        }
        result
    }

    /// A random number other than 0.
    pub(super) fn random(&self, random: &mut Random) -> u64 {
        1 + random.bits() % (self.prime - 1)
    }

    /// 1/a; 0 for 0.
    pub(super) fn invert(&self, a: u64) -> u64 {
        self.power(a, self.prime - 2)
    }

    /// 1/a for numbers other than 0, at the price of a single division.
    pub(super) fn invert_all(&self, numbers: &[u64]) -> Vec<u64> {
        let mut product = self.one;
        let mut inverses = Vec::with_capacity(numbers.len());
        for &number in numbers {
            inverses.push(product);
            product = self.times(product, number);
        }
        let mut inverse = self.invert(product);
        for (result, &number) in inverses.iter_mut().zip(numbers).rev() {
            *result = self.times(*result, inverse);
            inverse = self.times(inverse, number);
        }
        inverses
    }

    /// The values of all terms at a point with one coordinate for each variable of the polynomial.
    pub(super) fn terms(&self, polynomial: &Polynomial, point: &[u64]) -> Vec<u64> {
        let powers: Vec<Powers> =
            point.iter().zip(polynomial.degrees()).map(|(&x, degree)| Powers::new(self, x, degree)).collect();
        let term = |(i, coefficient): (usize, &Integer)| {
            let start = self.enter_integer(coefficient);
            polynomial.row(i).iter().zip(&powers).fold(start, |product, (&exponent, powers)| match exponent {
                0 => product,
                _ => self.times(product, powers.get(self, exponent)),
            })
        };
        polynomial.coefficients().iter().enumerate().map(term).collect()
    }
}

/// Powers of one number: a table where the exponents are small.
pub(super) struct Powers {
    base: u64,
    table: Vec<u64>,
}

impl Powers {
    pub(super) fn new(modulus: &Modulus, base: u64, degree: u32) -> Self {
        let mut table = vec![modulus.one];
        for i in 0..degree.min(256) as usize {
            table.push(modulus.times(table[i], base));
        }
        Self { base, table }
    }

    pub(super) fn get(&self, modulus: &Modulus, exponent: u32) -> u64 {
        match self.table.get(exponent as usize) {
            Some(&power) => power,
            None => modulus.power(self.base, u64::from(exponent)),
        }
    }
}

/// A polynomial in one variable modulo the prime: coefficients from the constant up, the last one not zero.
pub(super) type Line = Vec<u64>;

/// Drops leading zeros.
pub(super) fn trim(line: &mut Line) {
    while line.last() == Some(&0) {
        line.pop();
    }
}

impl Modulus {
    /// Divided by its leading coefficient.
    pub(super) fn monic(&self, line: &mut Line) {
        if let Some(&lead) = line.last() {
            let inverse = self.invert(lead);
            line.iter_mut().for_each(|c| *c = self.times(*c, inverse));
        }
    }

    /// The remainder, in place, and the quotient.
    pub(super) fn divide_line(&self, line: &mut Line, divisor: &[u64], budget: &Budget) -> Result<Line, Exhausted> {
        let Some(&lead) = divisor.last() else { return Ok(Vec::new()) };
        if line.len() < divisor.len() {
            return Ok(Vec::new());
        }
        let steps = line.len() - divisor.len() + 1;
        budget.spend((steps as u64).saturating_mul(divisor.len() as u64))?;
        let inverse = if lead == self.one { lead } else { self.invert(lead) };
        let mut quotient = vec![0; steps];
        for shift in (0..steps).rev() {
            let factor = self.times(line[shift + divisor.len() - 1], inverse);
            quotient[shift] = factor;
            if factor != 0 {
                for (c, &d) in line[shift..].iter_mut().zip(divisor) {
                    *c = self.minus(*c, self.times(factor, d));
                }
            }
        }
        line.truncate(divisor.len() - 1);
        trim(line);
        Ok(quotient)
    }

    /// The product.
    pub(super) fn multiply_lines(&self, a: &[u64], b: &[u64], budget: &Budget) -> Result<Line, Exhausted> {
        if a.is_empty() || b.is_empty() {
            return Ok(Vec::new());
        }
        budget.spend((a.len() as u64).saturating_mul(b.len() as u64))?;
        let mut product = vec![0; a.len() + b.len() - 1];
        for (i, &c) in a.iter().enumerate() {
            for (sum, &d) in product[i..].iter_mut().zip(b) {
                *sum = self.plus(*sum, self.times(c, d));
            }
        }
        Ok(product)
    }

    /// The inverse of a polynomial modulo another, if they have nothing in common.
    pub(super) fn invert_line(&self, a: &[u64], modulo: &[u64], budget: &Budget) -> Result<Option<Line>, Exhausted> {
        let (mut high, mut low): (Line, Line) = (modulo.to_vec(), a.to_vec());
        self.divide_line(&mut low, modulo, budget)?;
        let (mut before, mut now): (Line, Line) = (Vec::new(), vec![self.one]);
        while low.len() > 1 {
            let quotient = self.divide_line(&mut high, &low, budget)?;
            let mut next = self.multiply_lines(&quotient, &now, budget)?;
            next.resize(next.len().max(before.len()), 0);
            for (i, c) in next.iter_mut().enumerate() {
                *c = self.minus(before.get(i).copied().unwrap_or(0), *c);
            }
            trim(&mut next);
            before = std::mem::replace(&mut now, next);
            std::mem::swap(&mut high, &mut low);
        }
        let Some(&unit) = low.first() else { return Ok(None) };
        let inverse = self.invert(unit);
        now.iter_mut().for_each(|c| *c = self.times(*c, inverse));
        Ok(Some(now))
    }

    /// The coefficients of powers of x − a, from those of powers of x.
    pub(super) fn shift_line(&self, line: &mut [u64], a: u64) {
        for start in 0..line.len() {
            for i in (start..line.len().saturating_sub(1)).rev() {
                line[i] = self.plus(line[i], self.times(a, line[i + 1]));
            }
        }
    }

    /// The greatest common divisor, with leading coefficient 1.
    pub(super) fn gcd_line(&self, a: Line, b: Line, budget: &Budget) -> Result<Line, Exhausted> {
        let mut common = self.common_line(a, b, budget)?;
        self.monic(&mut common);
        Ok(common)
    }

    /// A greatest common divisor, with any leading coefficient.
    pub(super) fn common_line(&self, mut a: Line, mut b: Line, budget: &Budget) -> Result<Line, Exhausted> {
        trim(&mut a);
        trim(&mut b);
        if a.len() < b.len() {
            std::mem::swap(&mut a, &mut b);
        }
        // By cross-multiplication: a division takes as long as a hundred products.
        while let Some(&lead) = b.last() {
            if b.len() == 1 {
                return Ok(vec![self.one]);
            }
            budget.spend(((a.len() - b.len() + 1) as u64).saturating_mul(a.len() as u64))?;
            while a.len() >= b.len() {
                let top = a.pop().unwrap_or(0);
                let shift = a.len() + 1 - b.len();
                a[..shift].iter_mut().for_each(|c| *c = self.times(*c, lead));
                for (c, &d) in a[shift..].iter_mut().zip(&b) {
                    *c = self.minus(self.times(*c, lead), self.times(top, d));
                }
                trim(&mut a);
            }
            std::mem::swap(&mut a, &mut b);
        }
        Ok(a)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_obey_the_laws_of_a_field() {
        let mut random = Random::new(1);
        for index in 0.. {
            let Some(m) = Modulus::number(index) else { break };
            for _ in 0..100 {
                let (a, b) = (m.random(&mut random), m.random(&mut random));
                let expected = (u128::from(m.leave(a)) * u128::from(m.leave(b)) % u128::from(m.prime)) as u64;
                assert_eq!(m.leave(m.times(a, b)), expected);
                assert_eq!(m.times(a, m.invert(a)), m.one);
                assert_eq!(m.enter(m.leave(a)), a);
                assert_eq!(m.plus(m.minus(a, b), b), a);
                assert_eq!(m.invert_all(&[a, b]), [m.invert(a), m.invert(b)]);
            }
            assert_eq!(m.leave_signed(m.enter(m.prime - 5)), -5);
        }
    }

    #[test]
    fn the_divisor_of_two_products_is_found() {
        let m = Modulus::first();
        let line = |values: &[u64]| values.iter().map(|&v| m.enter(v)).collect::<Line>();
        // (x + 2)(x + 3) and (x + 2)(x + 5)
        let gcd = m.gcd_line(line(&[6, 5, 1]), line(&[10, 7, 1]), &Budget::new(100)).unwrap();
        assert_eq!(gcd, line(&[2, 1]));
    }
}
