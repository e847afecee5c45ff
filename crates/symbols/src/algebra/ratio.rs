//! Rational functions: a polynomial over a polynomial, without a common factor.

use super::{Budget, Exhausted, Integer, Polynomial, gcd};

/// A rational function over the integers.
///
/// Numerator and denominator have no factor in common, and the leading coefficient of the denominator is positive: so
/// equal functions have equal parts. Relations between variables are none of its business; see
/// [`FunctionField`](super::FunctionField) for these.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Ratio {
    numerator: Polynomial,
    denominator: Polynomial,
}

impl Ratio {
    /// 0.
    pub fn zero() -> Self {
        Self::from_polynomial(Polynomial::zero())
    }

    /// 1.
    pub fn one() -> Self {
        Self::from_polynomial(Polynomial::one())
    }

    /// An integer.
    pub fn integer(value: i64) -> Self {
        Self::from_polynomial(Polynomial::integer(value))
    }

    /// A variable.
    pub fn variable(variable: u32) -> Self {
        Self::from_polynomial(Polynomial::variable(variable))
    }

    /// A polynomial.
    pub fn from_polynomial(numerator: Polynomial) -> Self {
        Self { numerator, denominator: Polynomial::one() }
    }

    /// `numerator/denominator`, cancelled. Nothing if the denominator is 0.
    ///
    /// # Errors
    /// Where the greatest common divisor exhausts the budget.
    pub fn new(numerator: Polynomial, denominator: Polynomial, budget: &Budget) -> Result<Option<Self>, Exhausted> {
        if denominator.is_zero() {
            return Ok(None);
        }
        if numerator.is_zero() {
            return Ok(Some(Self::zero()));
        }
        if denominator.is_one() {
            return Ok(Some(Self::from_polynomial(numerator)));
        }
        let common = gcd(&numerator, &denominator, budget)?;
        if common.is_one() {
            return Ok(Some(Self::coprime(numerator, denominator)));
        }
        let numerator = numerator.divide_exactly(&common, budget)?.unwrap_or(numerator);
        let denominator = denominator.divide_exactly(&common, budget)?.unwrap_or(denominator);
        Ok(Some(Self::coprime(numerator, denominator)))
    }

    /// Parts that are known to have no common factor; the denominator is not 0.
    pub(super) fn coprime(numerator: Polynomial, denominator: Polynomial) -> Self {
        if denominator.leading_coefficient_sign() < 0 {
            return Self { numerator: numerator.negate(), denominator: denominator.negate() };
        }
        Self { numerator, denominator }
    }

    /// What stands above the line.
    pub fn numerator(&self) -> &Polynomial {
        &self.numerator
    }

    /// What stands below the line.
    pub fn denominator(&self) -> &Polynomial {
        &self.denominator
    }

    /// Whether it is 0.
    pub fn is_zero(&self) -> bool {
        self.numerator.is_zero()
    }

    /// Whether it is 1.
    pub fn is_one(&self) -> bool {
        self.numerator.is_one() && self.denominator.is_one()
    }

    /// Numerator and denominator, where it is a number.
    pub fn as_constant(&self) -> Option<(Integer, Integer)> {
        Some((self.numerator.as_constant()?, self.denominator.as_constant()?))
    }

    /// How many terms there are above and below.
    pub fn terms(&self) -> usize {
        self.numerator.len() + self.denominator.len()
    }

    /// The variables that occur, in order.
    pub fn variables(&self) -> Vec<u32> {
        let mut variables = self.numerator.variables().to_vec();
        variables.extend(self.denominator.variables());
        variables.sort_unstable();
        variables.dedup();
        variables
    }

    /// The opposite.
    #[must_use]
    pub fn negate(&self) -> Self {
        Self { numerator: self.numerator.negate(), denominator: self.denominator.clone() }
    }

    /// The sum.
    ///
    /// # Errors
    /// Where the budget is exhausted, as in all that follows.
    pub fn add(&self, other: &Self, budget: &Budget) -> Result<Self, Exhausted> {
        if self.is_zero() {
            return Ok(other.clone());
        }
        if other.is_zero() {
            return Ok(self.clone());
        }
        let (a, b, c, d) = (&self.numerator, &self.denominator, &other.numerator, &other.denominator);
        budget.spend((a.len() + c.len()) as u64)?;
        if b == d {
            let sum = a.add(c);
            return Ok(Self::new(sum, b.clone(), budget)?.unwrap_or_else(Self::zero));
        }
        // Henrici: with g = gcd(b, d) only what is in g can cancel.
        let common = gcd(b, d, budget)?;
        let (b_rest, d_rest) = if common.is_one() {
            (b.clone(), d.clone())
        } else {
            let b_rest = b.divide_exactly(&common, budget)?;
            let d_rest = d.divide_exactly(&common, budget)?;
            (b_rest.unwrap_or_else(Polynomial::one), d_rest.unwrap_or_else(Polynomial::one))
        };
        let sum = a.multiply(&d_rest, budget)?.add(&c.multiply(&b_rest, budget)?);
        if common.is_one() {
            if sum.is_zero() {
                return Ok(Self::zero());
            }
            return Ok(Self::coprime(sum, b.multiply(d, budget)?));
        }
        let rest = Self::new(sum, common, budget)?.unwrap_or_else(Self::zero);
        if rest.is_zero() {
            return Ok(rest);
        }
        let below = rest.denominator.multiply(&b_rest, budget)?.multiply(&d_rest, budget)?;
        Ok(Self::coprime(rest.numerator, below))
    }

    /// The difference.
    ///
    /// # Errors
    /// Where the budget is exhausted.
    pub fn subtract(&self, other: &Self, budget: &Budget) -> Result<Self, Exhausted> {
        self.add(&other.negate(), budget)
    }

    /// The product.
    ///
    /// # Errors
    /// Where the budget is exhausted.
    pub fn multiply(&self, other: &Self, budget: &Budget) -> Result<Self, Exhausted> {
        if self.is_zero() || other.is_zero() {
            return Ok(Self::zero());
        }
        let left = Self::new(self.numerator.clone(), other.denominator.clone(), budget)?.unwrap_or_else(Self::zero);
        let right = Self::new(other.numerator.clone(), self.denominator.clone(), budget)?.unwrap_or_else(Self::zero);
        let above = left.numerator.multiply(&right.numerator, budget)?;
        let below = left.denominator.multiply(&right.denominator, budget)?;
        Ok(Self::coprime(above, below))
    }

    /// One over it; nothing for 0.
    pub fn inverse(&self) -> Option<Self> {
        (!self.is_zero()).then(|| Self::coprime(self.denominator.clone(), self.numerator.clone()))
    }

    /// The quotient; nothing if the divisor is 0.
    ///
    /// # Errors
    /// Where the budget is exhausted.
    pub fn divide(&self, other: &Self, budget: &Budget) -> Result<Option<Self>, Exhausted> {
        match other.inverse() {
            Some(inverse) => self.multiply(&inverse, budget).map(Some),
            None => Ok(None),
        }
    }

    /// An integer power; nothing for 0 to a negative one.
    ///
    /// # Errors
    /// Where the budget is exhausted.
    pub fn power(&self, exponent: i32, budget: &Budget) -> Result<Option<Self>, Exhausted> {
        let Some(base) = (if exponent < 0 { self.inverse() } else { Some(self.clone()) }) else { return Ok(None) };
        let above = base.numerator.power(exponent.unsigned_abs(), budget)?;
        let below = base.denominator.power(exponent.unsigned_abs(), budget)?;
        Ok(Some(Self::coprime(above, below)))
    }
}
