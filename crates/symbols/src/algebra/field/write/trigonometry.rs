//! Sines and cosines in the shortest form: angles put together again.
//!
//! A polynomial in sines and cosines is a sum of waves, a cos(k·θ) + b sin(k·θ), and in one way only. From the waves
//! other forms are made: the sum itself, and polynomials in the sine and cosine of one or two sums of angles that all
//! waves are multiples of. So sin θ₁ cos θ₂ − cos θ₁ sin θ₂ is one wave, sin(θ₁ − θ₂), and its square a polynomial in that.

use std::collections::BTreeMap;

use super::tree::{Base, Scaled, plain};
use super::wave::{Wave, bases, coordinates};
use super::{Extra, Multiples, Writer};
use crate::algebra::field::atom::{Atom, Family, Rule, Unit};
use crate::algebra::field::reduce::powers_replaced;
use crate::algebra::{Budget, Exhausted, Factors, Integer, Polynomial};
use crate::expr::Function;

/// The highest degree in sines and cosines that is looked at.
const HIGHEST: u32 = 16;
/// The most waves that forms are made of.
const MOST_WAVES: usize = 12;

/// What stands before each product of variables that are no sines or cosines.
type Groups = BTreeMap<Vec<(u32, u32)>, Vec<(Integer, Vec<(u32, u32)>)>>;

impl Writer<'_> {
    /// Forms of a polynomial, itself first.
    pub(super) fn forms(&mut self, polynomial: &Polynomial, budget: &Budget) -> Result<Vec<Scaled>, Exhausted> {
        let mut forms = vec![(polynomial.clone(), Integer::ONE)];
        if !polynomial.variables().iter().any(|&variable| self.is_of_angle(variable)) {
            return Ok(forms);
        }
        let short = self.field.shortest_form(polynomial, budget)?;
        if short != *polynomial {
            forms.push((short, Integer::ONE));
        }
        // What stands before each product of other variables is looked at by itself.
        let mut groups: Groups = BTreeMap::new();
        for (coefficient, powers) in polynomial.terms() {
            let (angles, rest): (Vec<_>, Vec<_>) = powers.partition(|&(variable, _)| self.is_of_angle(variable));
            groups.entry(rest).or_default().push((coefficient.clone(), angles));
        }
        for with_multiples in [true, false] {
            let form = self.form_of_groups(&groups, with_multiples, budget)?;
            if !forms.contains(&form) {
                forms.push(form);
            }
        }
        Ok(forms)
    }

    /// Every group in its shortest form, put together.
    fn form_of_groups(&mut self, groups: &Groups, with_multiples: bool, budget: &Budget) -> Result<Scaled, Exhausted> {
        let (mut whole, mut below) = (Polynomial::zero(), Integer::ONE);
        for (rest, angles) in groups {
            let angles = Polynomial::from_terms(angles.iter().cloned());
            let forms = self.shortest_wave_forms(&angles, budget)?;
            let (form, divisor) = if with_multiples { forms.0 } else { forms.1 };
            let rest = Polynomial::from_terms([(Integer::ONE, rest)]);
            let part = form.multiply(&rest, budget)?;
            // a/b + c/d over the product of b and d, which are powers of two.
            let common = below.gcd(&divisor);
            let raise = divisor.divide_exactly(&common).unwrap_or(Integer::ONE);
            let other = below.divide_exactly(&common).unwrap_or(Integer::ONE);
            budget.spend(4 * (whole.len() + part.len()) as u64)?;
            whole = whole.scale(&raise).add(&part.scale(&other));
            below = &below * &raise;
        }
        Ok((whole, below))
    }

    /// Whether a variable is sine or cosine of an angle, hyperbolic or not.
    fn is_of_angle(&self, variable: u32) -> bool {
        variable < self.beyond() && self.field.other_way(variable).is_some()
    }

    /// The multiples of units that a variable is sine or cosine of, whether it is the sine, and which kind.
    fn angle_of(&self, variable: u32) -> Option<(Multiples, bool, Family)> {
        if variable < self.beyond() {
            let unit = self.field.atoms[variable as usize].unit()?;
            let Unit { family, first, second, .. } = &self.field.units[unit];
            return (first != second).then(|| (vec![(unit, 1)], *first == variable, family.clone()));
        }
        match &self.extras.get((variable - self.beyond()) as usize)?.0 {
            Extra::Sine(angle) => Some((angle.clone(), true, Family::Circular)),
            Extra::Cosine(angle) => Some((angle.clone(), false, Family::Circular)),
            _ => None,
        }
    }

    /// The cosine of the angle that a variable is the sine of, and the other way round.
    fn partner(&mut self, variable: u32) -> Option<u32> {
        let (angle, is_sine, _) = self.angle_of(variable)?;
        if variable < self.beyond() {
            let unit = &self.field.units[angle[0].0];
            return Some(if is_sine { unit.second } else { unit.first });
        }
        Some(self.extra(if is_sine { Extra::Cosine(angle) } else { Extra::Sine(angle) }))
    }

    /// (s − 1)(s + 1) is −c² for sine and cosine; for the hyperbolic ones (c − 1)(c + 1) is s².
    pub(super) fn with_squares(&mut self, parts: &mut Factors) {
        let near_one = |(factor, _): &(Polynomial, u32)| {
            let &[variable] = factor.variables() else { return None };
            let (mut terms, linear) = (factor.terms(), factor.degree(variable) == 1);
            let ((first, _), (second, _)) = (terms.next()?, terms.next()?);
            (linear && first.is_one() && second.abs().is_one()).then(|| (variable, second.is_negative()))
        };
        for place in 0..parts.factors.len() {
            let Some((variable, negative)) = near_one(&parts.factors[place]) else { continue };
            let other = parts.factors.iter().position(|factor| near_one(factor) == Some((variable, !negative)));
            let (Some(other), Some((_, is_sine, family))) = (other, self.angle_of(variable)) else { continue };
            if family == Family::Hyperbolic && is_sine {
                continue;
            }
            let Some(partner) = self.partner(variable) else { continue };
            let times = parts.factors[place].1.min(parts.factors[other].1);
            parts.factors[place].1 -= times;
            parts.factors[other].1 -= times;
            if family == Family::Circular && times % 2 == 1 {
                parts.coefficient = -&parts.coefficient;
            }
            let partner = Polynomial::variable(partner);
            match parts.factors.iter_mut().find(|(factor, _)| *factor == partner) {
                Some((_, exponent)) => *exponent += 2 * times,
                None => parts.factors.push((partner, 2 * times)),
            }
        }
        parts.factors.retain(|&(_, exponent)| exponent > 0);
    }

    /// sin^n/cos^n is tan^n.
    pub(super) fn with_tangents(&mut self, factors: &mut Vec<(Base, i32)>) {
        for place in 0..factors.len() {
            let (Base::Atom(sine), exponent) = factors[place] else { continue };
            let Some((angle, true, family)) = self.angle_of(sine) else { continue };
            let Some(cosine) = self.partner(sine) else { continue };
            let is_other = |(base, e): &(Base, i32)| matches!(base, Base::Atom(v) if *v == cosine) && *e == -exponent;
            if let Some(other) = factors.iter().position(is_other) {
                let function = if family == Family::Circular { Function::Tan } else { Function::Tanh };
                factors[place].0 = Base::Atom(self.extra(Extra::Tangent(function, angle)));
                factors.remove(other);
                return self.with_tangents(factors);
            }
        }
    }

    /// The unit of the angle that a variable is sine or cosine of.
    fn unit_of(&self, variable: u32) -> Option<usize> {
        match self.field.atoms.get(variable as usize) {
            Some(&(Atom::Sine(unit) | Atom::Cosine(unit))) => {
                let first = self.field.units[unit].first as usize;
                (!matches!(self.field.rules[first], Some(Rule::Is(_)))).then_some(unit)
            }
            _ => None,
        }
    }

    /// The shortest form of a polynomial in sines and cosines alone, and the shortest that is no sum of waves: sin 2θ may be
    /// shorter than 2 sin θ cos θ, but has no factor in common with sin θ.
    fn shortest_wave_forms(&mut self, polynomial: &Polynomial, budget: &Budget) -> Result<(Scaled, Scaled), Exhausted> {
        if polynomial.is_constant() {
            let same = (polynomial.clone(), Integer::ONE);
            return Ok((same.clone(), same));
        }
        if let Some(known) = self.turned.get(polynomial) {
            return Ok(known.clone());
        }
        let mut candidates = vec![(polynomial.clone(), Integer::ONE)];
        let short = self.field.shortest_form(polynomial, budget)?;
        candidates.push((short, Integer::ONE));
        let mut units: Vec<usize> = polynomial.variables().iter().filter_map(|&v| self.unit_of(v)).collect();
        units.sort_unstable();
        units.dedup();
        let mut sum = None;
        if let Some((waves, degree)) = self.waves(polynomial, &units, budget)? {
            let divisor = Integer::from(1i128 << degree);
            sum = Some((self.sum_of_waves(&waves, &units), divisor.clone()));
            for sums in bases(&waves, units.len()) {
                for form in self.in_terms_of(&waves, &sums, &units, budget)? {
                    candidates.push((form, divisor.clone()));
                }
            }
        }
        let mut best: Option<(u64, Scaled)> = None;
        for candidate in candidates {
            let (size, form) = self.sized(candidate);
            if best.as_ref().is_none_or(|(least, _)| size < *least) {
                best = Some((size, form));
            }
        }
        let (size, product) = best.unwrap_or_else(|| (u64::MAX, (polynomial.clone(), Integer::ONE)));
        let shortest = match sum.map(|sum| self.sized(sum)) {
            Some((least, sum)) if least < size => sum,
            _ => product.clone(),
        };
        self.turned.insert(polynomial.clone(), (shortest.clone(), product.clone()));
        Ok((shortest, product))
    }

    /// A form in lowest terms, and its length.
    fn sized(&self, (form, divisor): Scaled) -> (u64, Scaled) {
        let common = form.content().gcd(&divisor);
        let form = form.divide_by_integer(&common).unwrap_or(form);
        let divisor = divisor.divide_exactly(&common).unwrap_or(divisor);
        let terms: Vec<_> = plain(&form).into_iter().map(|term| term.scaled(&Integer::ONE, &divisor)).collect();
        (self.size(&terms), (form, divisor))
    }

    /// A polynomial as a sum of waves over a power of two; nothing if it has too many.
    fn waves(
        &self,
        polynomial: &Polynomial,
        units: &[usize],
        budget: &Budget,
    ) -> Result<Option<(Vec<Wave>, u32)>, Exhausted> {
        let total = |powers: &[(u32, u32)]| powers.iter().map(|&(_, e)| e).sum::<u32>();
        let terms: Vec<(&Integer, Vec<(u32, u32)>)> =
            polynomial.terms().map(|(coefficient, powers)| (coefficient, powers.collect())).collect();
        let degree = terms.iter().map(|(_, powers)| total(powers)).max().unwrap_or(0);
        if degree > HIGHEST || polynomial.len() > 64 {
            return Ok(None);
        }
        // With z = exp(iθ): cos θ = (z + 1/z)/2 and sin θ = −i(z − 1/z)/2.
        let mut spectrum: BTreeMap<Vec<i64>, (i128, i128)> = BTreeMap::new();
        for (coefficient, powers) in terms {
            let Some(coefficient) = coefficient.to_i64() else { return Ok(None) };
            let scale = i128::from(coefficient) << (degree - total(&powers));
            let mut part: Vec<(Vec<i64>, (i128, i128))> = vec![(vec![0; units.len()], (scale, 0))];
            for (variable, exponent) in powers {
                let Some(unit) = self.unit_of(variable) else { return Ok(None) };
                let place = units.iter().position(|&known| known == unit).unwrap_or(0);
                let is_sine = self.field.units[unit].first == variable;
                for _ in 0..exponent {
                    budget.spend(2 * part.len() as u64)?;
                    let mut next: BTreeMap<Vec<i64>, (i128, i128)> = BTreeMap::new();
                    for (k, (re, im)) in part {
                        for step in [1i64, -1] {
                            let mut k = k.clone();
                            k[place] += step;
                            let sign = i128::from(step);
                            let more = if is_sine { (im * sign, -re * sign) } else { (re, im) };
                            let entry = next.entry(k).or_insert((0, 0));
                            *entry = (entry.0 + more.0, entry.1 + more.1);
                        }
                    }
                    part = next.into_iter().filter(|&(_, value)| value != (0, 0)).collect();
                }
            }
            for (k, (re, im)) in part {
                let entry = spectrum.entry(k).or_insert((0, 0));
                *entry = (entry.0 + re, entry.1 + im);
            }
        }
        let mut waves = Vec::new();
        for (k, (re, im)) in spectrum {
            let first = k.iter().copied().find(|&n| n != 0).unwrap_or(0);
            if first < 0 || (re, im) == (0, 0) {
                continue; // the other half says the same
            }
            let twice = if first == 0 { 1 } else { 2 };
            waves.push(Wave { k, cosine: twice * re, sine: -twice * im });
        }
        Ok((waves.len() <= MOST_WAVES).then_some((waves, degree)))
    }

    /// The variables of sine and cosine of a sum of angles.
    fn of_sum(&mut self, k: &[i64], units: &[usize]) -> (u32, u32) {
        let multiples: Vec<(usize, i64)> = units.iter().copied().zip(k.iter().copied()).filter(|m| m.1 != 0).collect();
        if let [(unit, 1)] = multiples[..] {
            let unit = &self.field.units[unit];
            return (unit.first, unit.second);
        }
        (self.extra(Extra::Sine(multiples.clone())), self.extra(Extra::Cosine(multiples)))
    }

    fn sum_of_waves(&mut self, waves: &[Wave], units: &[usize]) -> Polynomial {
        let mut terms = Vec::new();
        for wave in waves {
            if wave.k.iter().all(|&n| n == 0) {
                terms.push((Integer::from(wave.cosine), Vec::new()));
                continue;
            }
            let (sine, cosine) = self.of_sum(&wave.k, units);
            terms.push((Integer::from(wave.cosine), vec![(cosine, 1)]));
            terms.push((Integer::from(wave.sine), vec![(sine, 1)]));
        }
        Polynomial::from_terms(terms)
    }

    /// Waves as polynomials in sine and cosine of sums of angles: in terms of each sine, and of each cosine.
    fn in_terms_of(
        &mut self,
        waves: &[Wave],
        sums: &[Vec<i64>],
        units: &[usize],
        budget: &Budget,
    ) -> Result<Vec<Polynomial>, Exhausted> {
        let variables: Vec<(u32, u32)> = sums.iter().map(|sum| self.of_sum(sum, units)).collect();
        let square = |variable: u32| Polynomial::variable(variable).power(2, budget);
        let mut whole = Polynomial::zero();
        for wave in waves {
            let Some(multiples) = coordinates(&wave.k, sums) else { return Ok(Vec::new()) };
            let (mut sine, mut cosine) = (Polynomial::zero(), Polynomial::one());
            for (&times, &(s, c)) in multiples.iter().zip(&variables) {
                let (s, c) = (Polynomial::variable(s), Polynomial::variable(c));
                let s = if times < 0 { s.negate() } else { s };
                for _ in 0..times.abs() {
                    let turned = sine.multiply(&c, budget)?.add(&cosine.multiply(&s, budget)?);
                    cosine = cosine.multiply(&c, budget)?.subtract(&sine.multiply(&s, budget)?);
                    sine = turned;
                }
            }
            whole = whole.add(&cosine.scale(&Integer::from(wave.cosine))).add(&sine.scale(&Integer::from(wave.sine)));
        }
        let mut forms = vec![whole];
        for &(s, c) in &variables {
            let mut both = Vec::with_capacity(2 * forms.len());
            for form in &forms {
                for (kept, replaced) in [(s, c), (c, s)] {
                    let value = Polynomial::one().subtract(&square(kept)?);
                    both.push(powers_replaced(form, replaced, 2, &value, budget)?);
                }
            }
            forms = both;
        }
        Ok(forms)
    }
}
