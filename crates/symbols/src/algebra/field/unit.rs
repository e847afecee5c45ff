//! Angles and exponents: sums of multiples of a few units, so that addition formulas apply.
//!
//! sin(2θ₁ − θ₂ + π/6) is a polynomial in the sines and cosines of θ₁ and θ₂ and √3. Where θ/2 occurs after θ, the
//! half becomes the unit and the old sine and cosine become polynomials in the new ones.

use super::atom::{Atom, Family, Rule, Unit};
use super::{Budget, Exhausted, FunctionField, Integer, Polynomial, Ratio};

/// Units are not divided finer than this.
const FINEST: i64 = 24;
/// Multiples above this one are units of their own.
const MOST_MULTIPLE: i64 = 32;
/// An angle that is a sum of more units than this is a unit of its own: its sine would have too many terms.
const MOST_PARTS: usize = 6;

/// A part of an angle or exponent: `above/below·of`.
pub(super) struct Part {
    pub of: Ratio,
    pub above: i64,
    pub below: i64,
}

impl FunctionField {
    /// An angle or exponent as a sum of multiples of terms.
    pub(super) fn parts(&mut self, argument: &Ratio, budget: &Budget) -> Result<Vec<Part>, Exhausted> {
        let (above, below) = (argument.numerator(), argument.denominator());
        let whole = |of: Ratio| Part { of, above: 1, below: 1 };
        let mut parts = Vec::new();
        let terms: Vec<Polynomial> = if below.len() == 1 && above.len() <= MOST_PARTS {
            above.terms().map(|(c, powers)| Polynomial::from_terms([(c.clone(), powers.collect::<Vec<_>>())])).collect()
        } else {
            vec![above.clone()]
        };
        for term in terms {
            let Some(term) = Ratio::new(term, below.clone(), budget)? else { continue };
            let (mut top, bottom) = (term.numerator().content(), term.denominator().content());
            if term.numerator().leading_coefficient_sign() < 0 && !top.is_negative() {
                top = -&top;
            }
            let of = (term.numerator().divide_by_integer(&top), term.denominator().divide_by_integer(&bottom));
            parts.push(match (of, top.to_i64(), bottom.to_i64()) {
                ((Some(over), Some(under)), Some(top), Some(bottom)) if top.abs() < 1 << 30 && bottom < 1 << 30 => {
                    Part { of: Ratio::coprime(over, under), above: top, below: bottom }
                }
                _ => whole(term),
            });
        }
        Ok(parts)
    }

    /// The unit for multiples of `of/below`, and how many of it make one of these.
    fn unit(&mut self, family: &Family, of: &Ratio, below: i64, budget: &Budget) -> Result<(usize, i64), Exhausted> {
        budget.spend(self.units.len() as u64)?;
        let known = self.units.iter().rposition(|unit| unit.family == *family && unit.of == *of);
        let Some(known) = known else { return Ok((self.new_unit(family, of.clone(), below, budget)?, 1)) };
        let divisor = self.units[known].divisor;
        if divisor % below == 0 {
            return Ok((known, divisor / below));
        }
        let finer = divisor / greatest_common_divisor(divisor, below) * below;
        if finer > FINEST {
            let own = Ratio::new(of.numerator().clone(), of.denominator().scale(&below.into()), budget)?;
            let own = own.unwrap_or_else(Ratio::zero);
            let place = self.units.iter().rposition(|unit| unit.family == *family && unit.of == own);
            return Ok(match place {
                Some(place) => (place, 1),
                None => (self.new_unit(family, own, 1, budget)?, 1),
            });
        }
        let fine = self.new_unit(family, of.clone(), finer, budget)?;
        let (first, second) = self.multiple(fine, finer / divisor, budget)?;
        let old = &self.units[known];
        let (old_first, old_second) = (old.first as usize, old.second as usize);
        self.rules[old_second] = Some(Rule::Is(second));
        self.rules[old_first] = Some(Rule::Is(first));
        Ok((fine, finer / below))
    }

    fn new_unit(&mut self, family: &Family, of: Ratio, divisor: i64, budget: &Budget) -> Result<usize, Exhausted> {
        let number = self.units.len();
        let one = Polynomial::one();
        let square = |variable: u32| Polynomial::variable(variable).power(2, budget);
        let next = self.atoms.len() as u32;
        let (first, second) = match family {
            Family::Circular => {
                let sine = self.atom(Atom::Sine(number), None);
                let value = one.subtract(&square(sine)?);
                (sine, self.atom(Atom::Cosine(number), Some(Rule::Power { degree: 2, value })))
            }
            Family::Hyperbolic => {
                let sine = self.atom(Atom::HyperbolicSine(number), None);
                let value = one.add(&square(sine)?);
                (sine, self.atom(Atom::HyperbolicCosine(number), Some(Rule::Power { degree: 2, value })))
            }
            Family::Exponential | Family::Power(_) => {
                self.atom(Atom::Exponential(number), None);
                (next, next)
            }
        };
        self.units.push(Unit { family: family.clone(), of, divisor, first, second });
        Ok(number)
    }

    /// Sine and cosine of a multiple of a unit; for exponentials both are the power.
    fn multiple(&self, unit: usize, times: i64, budget: &Budget) -> Result<(Polynomial, Polynomial), Exhausted> {
        let Unit { family, first, second, .. } = &self.units[unit];
        let (s, c) = (Polynomial::variable(*first), Polynomial::variable(*second));
        if matches!(family, Family::Exponential | Family::Power(_)) {
            let power = s.power(times.unsigned_abs() as u32, budget)?;
            return Ok((power.clone(), power));
        }
        let (mut sine, mut cosine) = (Polynomial::zero(), Polynomial::one());
        for _ in 0..times.unsigned_abs() {
            (sine, cosine) = self.turned(&(sine, cosine), &(s.clone(), c.clone()), family, budget)?;
        }
        Ok((if times < 0 { sine.negate() } else { sine }, cosine))
    }

    /// Sine and cosine of a sum of two angles.
    fn turned(
        &self,
        (s, c): &(Polynomial, Polynomial),
        (more_s, more_c): &(Polynomial, Polynomial),
        family: &Family,
        budget: &Budget,
    ) -> Result<(Polynomial, Polynomial), Exhausted> {
        let sine = s.multiply(more_c, budget)?.add(&c.multiply(more_s, budget)?);
        let (cc, ss) = (c.multiply(more_c, budget)?, s.multiply(more_s, budget)?);
        let cosine = if *family == Family::Hyperbolic { cc.add(&ss) } else { cc.subtract(&ss) };
        Ok((self.reduce_polynomial(&sine, budget)?, self.reduce_polynomial(&cosine, budget)?))
    }

    /// Sine and cosine, circular or hyperbolic, of any angle.
    pub(super) fn sine_and_cosine(
        &mut self,
        family: &Family,
        angle: &Ratio,
        budget: &Budget,
    ) -> Result<(Ratio, Ratio), Exhausted> {
        let (mut sum, mut scale) = ((Polynomial::zero(), Polynomial::one()), Polynomial::one());
        for part in self.parts(angle, budget)? {
            let more = match self.special(family, &part) {
                Some(quarters) => {
                    scale = scale.scale(&Integer::from(4i64));
                    quarters
                }
                None => {
                    let (unit, times) = self.multiple_of(family, part, budget)?;
                    self.multiple(unit, times, budget)?
                }
            };
            sum = self.turned(&sum, &more, family, budget)?;
        }
        Ok((self.normal(&sum.0, &scale, budget)?, self.normal(&sum.1, &scale, budget)?))
    }

    /// The unit and the multiple of it that a part is.
    fn multiple_of(&mut self, family: &Family, part: Part, budget: &Budget) -> Result<(usize, i64), Exhausted> {
        if *family == Family::Hyperbolic {
            self.exponentials_as_hyperbolic(&part.of, budget)?;
        }
        let (unit, per_part) = self.unit(family, &part.of, part.below, budget)?;
        let times = part.above.saturating_mul(per_part);
        if times.abs() <= MOST_MULTIPLE {
            return Ok((unit, times));
        }
        let of = Ratio::new(
            part.of.numerator().scale(&part.above.abs().into()),
            part.of.denominator().scale(&part.below.into()),
            budget,
        )?;
        let (unit, times) = self.unit(family, &of.unwrap_or_else(Ratio::zero), 1, budget)?;
        Ok((unit, times * part.above.signum()))
    }

    /// Four times sine and cosine of a multiple of π/12.
    fn special(&mut self, family: &Family, part: &Part) -> Option<(Polynomial, Polynomial)> {
        let pi = self.atom(Atom::Pi, None);
        if *family != Family::Circular || 12 % part.below != 0 || part.of != Ratio::variable(pi) {
            return None;
        }
        let twelfths = (part.above % (2 * part.below) * (12 / part.below)).rem_euclid(24);
        let (two, three) = (self.root_of_prime(2), self.root_of_prime(3));
        let term = |factor: i64, variables: &[u32]| {
            let powers: Vec<(u32, u32)> = variables.iter().map(|&variable| (variable, 1)).collect();
            Polynomial::from_terms([(factor.into(), powers)])
        };
        let sine = |at: i64| {
            let at = at.rem_euclid(24);
            let (at, sign) = if at >= 12 { (at - 12, -1) } else { (at, 1) };
            let value = match at.min(12 - at) {
                0 => Polynomial::zero(),
                1 => term(1, &[two, three]).subtract(&term(1, &[two])),
                2 => term(2, &[]),
                3 => term(2, &[two]),
                4 => term(2, &[three]),
                5 => term(1, &[two, three]).add(&term(1, &[two])),
                _ => term(4, &[]),
            };
            if sign < 0 { value.negate() } else { value }
        };
        Some((sine(twelfths), sine(twelfths + 6)))
    }

    /// Where exp(x) is known and sinh(x) or cosh(x) comes, the first is their sum from then on.
    fn exponentials_as_hyperbolic(&mut self, of: &Ratio, budget: &Budget) -> Result<(), Exhausted> {
        let Some(known) = self.units.iter().rposition(|unit| unit.family == Family::Exponential && unit.of == *of)
        else {
            return Ok(());
        };
        let Unit { divisor, first, .. } = self.units[known];
        if self.rules[first as usize].is_none() {
            let (unit, times) = self.unit(&Family::Hyperbolic, of, divisor, budget)?;
            let (sine, cosine) = self.multiple(unit, times, budget)?;
            self.rules[first as usize] = Some(Rule::Is(sine.add(&cosine)));
        }
        Ok(())
    }

    /// The exponential function, or a power of a base, of any exponent.
    pub(super) fn exponential(
        &mut self,
        family: &Family,
        exponent: &Ratio,
        budget: &Budget,
    ) -> Result<Ratio, Exhausted> {
        let mut product = Ratio::one();
        for part in self.parts(exponent, budget)? {
            let factor = match family {
                Family::Power(base) if part.of.is_one() => self.rational_power(base, part.above, part.below, budget)?,
                Family::Exponential if self.is_hyperbolic(&part.of) => {
                    let (unit, times) = self.multiple_of(&Family::Hyperbolic, part, budget)?;
                    let (sine, cosine) = self.multiple(unit, times, budget)?;
                    Ratio::from_polynomial(sine.add(&cosine))
                }
                _ => {
                    let (unit, times) = self.multiple_of(family, part, budget)?;
                    let power = Ratio::from_polynomial(self.multiple(unit, times, budget)?.0);
                    if times < 0 { power.inverse().unwrap_or_else(Self::undefined) } else { power }
                }
            };
            product = self.multiply(&product, &factor, budget)?;
        }
        Ok(product)
    }

    fn is_hyperbolic(&self, of: &Ratio) -> bool {
        self.units.iter().any(|unit| unit.family == Family::Hyperbolic && unit.of == *of)
    }
}

fn greatest_common_divisor(mut a: i64, mut b: i64) -> i64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.abs().max(1)
}
