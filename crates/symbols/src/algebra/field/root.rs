//! Roots, magnitudes and signs.
//!
//! A root is taken apart as far as the signs are known: √(4a²b) is 2a√b for a positive a, and 2|a|√b otherwise. The
//! magnitude |x| is σx with the sign σ of x, whose square is 1; that holds wherever x is not 0, and at 0 as well
//! where the sign of 0 is taken as 0.

use super::atom::{Atom, Rule};
use super::reduce::powers_replaced;
use super::{Budget, Exhausted, FunctionField, Integer, Polynomial, Ratio, factors};

/// Primes up to here are looked for below a root.
const LARGEST_PRIME: i64 = 1000;

impl FunctionField {
    /// The variable of the root of a small prime.
    pub(super) fn root_of_prime(&mut self, prime: i64) -> u32 {
        self.root_variable(2, Polynomial::integer(prime))
    }

    /// The variable of a root of a polynomial.
    fn root_variable(&mut self, index: u32, radicand: Polynomial) -> u32 {
        let value = radicand.clone();
        let radicand = Ratio::from_polynomial(radicand);
        let root = Atom::Root { index, radicand, scale: Polynomial::one() };
        self.atom(root, Some(Rule::Power { degree: index, value }))
    }

    /// `base^(above/below)`
    pub(super) fn rational_power(
        &mut self,
        base: &Ratio,
        above: i64,
        below: i64,
        budget: &Budget,
    ) -> Result<Ratio, Exhausted> {
        let mut root = base.clone();
        let mut rest = below;
        while rest % 2 == 0 {
            root = self.square_root(&root, budget)?;
            rest /= 2;
        }
        if rest > 1 {
            root = self.odd_root(&root, rest, budget)?;
        }
        match i32::try_from(above) {
            Ok(above) if rest <= 1 << 16 => self.power(&root, above, budget),
            _ => Err(Exhausted::TOO_LARGE),
        }
    }

    /// `√(4x³/y)` is `2|x|√(xy)/|y|`.
    pub(super) fn square_root(&mut self, radicand: &Ratio, budget: &Budget) -> Result<Ratio, Exhausted> {
        if radicand.is_zero() || radicand.is_one() {
            return Ok(radicand.clone());
        }
        let (above, below) = (self.shortest_form(radicand.numerator(), budget)?, radicand.denominator());
        let mut outside = Ratio::one();
        let mut inside: Vec<(Polynomial, bool)> = Vec::new(); // with whether it is known not to be negative
        let mut rest = Polynomial::one();
        let mut number = Integer::ONE;
        for (polynomial, is_above) in [(&above, true), (&self.shortest_form(below, budget)?, false)] {
            let parts = factors(polynomial, budget)?;
            number = &number * &parts.coefficient;
            if !is_above {
                let whole = Ratio::from_polynomial(Polynomial::constant(parts.coefficient.abs()));
                outside = self.divide(&outside, &whole, budget)?;
            }
            for (factor, exponent) in parts.factors {
                let outer = if is_above { exponent / 2 } else { exponent.div_ceil(2) };
                let magnitude = match outer % 2 {
                    0 => Ratio::from_polynomial(factor.clone()),
                    _ => self.magnitude(&Ratio::from_polynomial(factor.clone()), budget)?,
                };
                let outer = i32::try_from(outer).map_err(|_| Exhausted::TOO_LARGE)?;
                let power = self.power(&magnitude, if is_above { outer } else { -outer }, budget)?;
                outside = self.multiply(&outside, &power, budget)?;
                if exponent % 2 == 1 {
                    let never_negative = self.is_never_negative(&factor);
                    inside.push((factor, never_negative));
                }
            }
        }
        let (square, primes, left) = square_part(&number.abs());
        outside = self.multiply(&outside, &Ratio::from_polynomial(Polynomial::constant(square)), budget)?;
        for prime in primes {
            let root = Ratio::variable(self.root_of_prime(prime));
            outside = self.multiply(&outside, &root, budget)?;
        }
        if !left.is_one() {
            let root = Ratio::variable(self.root_variable(2, Polynomial::constant(left)));
            outside = self.multiply(&outside, &root, budget)?;
        }
        if number.is_negative() {
            rest = rest.negate();
        }
        // Of factors with unknown signs only the product is known not to be negative; one alone is, then.
        let several = inside.len() > 1 || number.is_negative();
        for (factor, known) in inside {
            if known {
                if several {
                    self.rely_on(&factor);
                }
                let root = Ratio::variable(self.root_variable(2, factor));
                outside = self.multiply(&outside, &root, budget)?;
            } else {
                rest = rest.multiply(&factor, budget)?;
            }
        }
        if rest.is_one() {
            return Ok(outside);
        }
        let rest = self.reduce_polynomial(&rest, budget)?;
        let root = Ratio::variable(self.root_variable(2, rest));
        self.multiply(&outside, &root, budget)
    }

    /// A root of odd index, of what is not negative.
    fn odd_root(&mut self, radicand: &Ratio, index: i64, budget: &Budget) -> Result<Ratio, Exhausted> {
        let index = u32::try_from(index).map_err(|_| Exhausted::TOO_LARGE)?;
        if radicand.is_zero() || radicand.is_one() {
            return Ok(radicand.clone());
        }
        // With ρ = D·(N/D)^(1/k) the power ρᵏ = N·Dᵏ⁻¹ is a polynomial.
        let scale = radicand.denominator().clone();
        let value = radicand.numerator().multiply(&scale.power(index - 1, budget)?, budget)?;
        let value = self.reduce_polynomial(&value, budget)?;
        let root = Atom::Root { index, radicand: radicand.clone(), scale: scale.clone() };
        let root = Ratio::variable(self.atom(root, Some(Rule::Power { degree: index, value })));
        self.divide(&root, &Ratio::from_polynomial(scale), budget)
    }

    /// The magnitude.
    pub(super) fn magnitude(&mut self, ratio: &Ratio, budget: &Budget) -> Result<Ratio, Exhausted> {
        let sign = self.sign(ratio, budget)?;
        self.multiply(&sign, ratio, budget)
    }

    /// The sign: the product of the signs of all factors.
    pub(super) fn sign(&mut self, ratio: &Ratio, budget: &Budget) -> Result<Ratio, Exhausted> {
        let mut sign = Ratio::one();
        for polynomial in [ratio.numerator(), ratio.denominator()] {
            if polynomial.is_zero() {
                return Ok(Ratio::zero());
            }
            let polynomial = self.shortest_form(polynomial, budget)?;
            let parts = factors(&polynomial, budget)?;
            if parts.coefficient.is_negative() {
                sign = sign.negate();
            }
            for (factor, exponent) in parts.factors {
                if exponent % 2 == 0 {
                    continue;
                }
                if self.is_never_negative(&factor) {
                    self.rely_on(&factor);
                    continue;
                }
                let variables = factor.variables();
                // The sign of a sign is the sign.
                let own = match variables {
                    &[only] if factor.len() == 1 && matches!(self.atoms[only as usize], Atom::Sign(_)) => only,
                    _ => {
                        let rule = Rule::Power { degree: 2, value: Polynomial::one() };
                        self.atom(Atom::Sign(factor), Some(rule))
                    }
                };
                sign = self.multiply(&sign, &Ratio::variable(own), budget)?;
            }
        }
        Ok(sign)
    }

    /// In terms of cosines instead of sines, angle by angle, where that has fewer terms: so 1 − sin² shows that it is a
    /// square.
    pub(super) fn shortest_form(&self, polynomial: &Polynomial, budget: &Budget) -> Result<Polynomial, Exhausted> {
        let mut shortest = polynomial.clone();
        for &variable in polynomial.variables() {
            let Some((sine, _, value)) = self.other_way(variable) else { continue };
            if sine == variable && shortest.degree(sine) > 1 {
                let other = powers_replaced(&shortest, sine, 2, &value, budget)?;
                if other.len() < shortest.len() {
                    shortest = other;
                }
            }
        }
        Ok(shortest)
    }

    /// Whether a polynomial is known not to be negative: sums of products of squares and of what is positive.
    pub(super) fn is_never_negative(&self, polynomial: &Polynomial) -> bool {
        polynomial.terms().all(|(coefficient, powers)| {
            let mut powers = powers;
            !coefficient.is_negative()
                && powers.all(|(variable, exponent)| exponent % 2 == 0 || self.is_positive_atom(variable))
        })
    }

    /// Whether a polynomial is never negative, and not zero either.
    pub(super) fn is_positive(&self, polynomial: &Polynomial) -> bool {
        let has_no_zero = |variable: u32| match &self.atoms[variable as usize] {
            Atom::Root { .. } => false,
            _ => self.is_positive_atom(variable),
        };
        self.is_never_negative(polynomial)
            && polynomial.terms().any(|(_, mut powers)| powers.all(|(variable, _)| has_no_zero(variable)))
    }

    /// Notes the symbols that have to be positive for a polynomial not to be negative.
    fn rely_on(&mut self, polynomial: &Polynomial) {
        for (variable, _) in polynomial.terms().flat_map(|(_, powers)| powers.filter(|(_, exponent)| exponent % 2 == 1))
        {
            if let Atom::Symbol(symbol) = &self.atoms[variable as usize] {
                self.relied.insert(*symbol);
            }
        }
    }

    fn is_positive_atom(&self, variable: u32) -> bool {
        match &self.atoms[variable as usize] {
            Atom::Symbol(symbol) => self.positive.contains(symbol),
            Atom::Pi | Atom::HyperbolicCosine(_) | Atom::Exponential(_) => true,
            Atom::Root { scale, .. } => scale.is_one(),
            _ => false,
        }
    }
}

/// A positive integer as s²·p₁·p₂⋯·rest with small primes p and a rest that has none.
fn square_part(number: &Integer) -> (Integer, Vec<i64>, Integer) {
    let (mut square, mut primes, mut rest) = (Integer::ONE, Vec::new(), number.clone());
    let mut prime = 2;
    while prime < LARGEST_PRIME && !rest.is_one() {
        let divisor = Integer::from(prime);
        let mut odd = false;
        while let Some(quotient) = rest.divide_exactly(&divisor) {
            rest = quotient;
            if odd {
                square = &square * &divisor;
            }
            odd = !odd;
        }
        if odd {
            primes.push(prime);
        }
        prime += if prime == 2 { 1 } else { 2 };
    }
    if let Some(value) = rest.to_i128() {
        let root = value.unsigned_abs().isqrt() as i128;
        if root * root == value {
            square = &square * &Integer::from(root);
            rest = Integer::ONE;
        }
    }
    (square, primes, rest)
}
