//! Quotients: as one fraction, or as a sum of several where that is shorter.

use super::collect::settled;
use super::tree::{Base, Sum, Term, lowest, plain};
use super::{Extra, Writer};
use crate::algebra::field::atom::Atom;
use crate::algebra::{Budget, Exhausted, Integer, Polynomial, Ratio};

/// How often a fraction is split.
const SPLITS: usize = 3;
/// Up to here all ways to split twice are tried.
const SHORT: usize = 24;
/// Longer numerators are not split.
const MOST_TERMS: usize = 120;

impl Writer<'_> {
    /// A quotient in the shortest way found.
    pub(super) fn fraction(&mut self, ratio: &Ratio, splits: usize, budget: &Budget) -> Result<Sum, Exhausted> {
        if ratio.is_zero() {
            return Ok(vec![Term::number(Integer::ZERO, Integer::ONE)]);
        }
        let whole = self.one_fraction(ratio, budget)?;
        if splits >= SPLITS || ratio.numerator().len() < 2 || ratio.numerator().len() > MOST_TERMS {
            return Ok(whole);
        }
        let mut best = (self.size(&whole), whole, None);
        // Short ones are followed at once, of long ones only the best.
        let thorough = splits == 0 && ratio.numerator().len() <= SHORT;
        for (first, second) in self.splits(ratio, budget)? {
            let mut sum = Sum::new();
            for part in [&first, &second] {
                sum.extend(if thorough {
                    self.fraction(part, splits + 1, budget)?
                } else {
                    self.one_fraction(part, budget)?
                });
            }
            let size = self.size(&sum);
            if size < best.0 {
                best = (size, sum, Some((first, second)));
            }
        }
        match best {
            (_, _, Some((first, second))) if !thorough => {
                let mut sum = self.fraction(&first, splits + 1, budget)?;
                sum.extend(self.fraction(&second, splits + 1, budget)?);
                Ok(sum)
            }
            (_, sum, _) => Ok(sum),
        }
    }

    /// As one fraction. A numerator that is a sum over 1 stays a sum.
    fn one_fraction(&mut self, ratio: &Ratio, budget: &Budget) -> Result<Sum, Exhausted> {
        let (mut above, mut below) = (ratio.numerator().clone(), ratio.denominator().clone());
        // √x/x is 1/√x.
        let mut roots: Vec<(Base, i32)> = Vec::new();
        for (root, radicand) in self.roots(&above) {
            let Some(rest) = above.divide_exactly(&Polynomial::variable(root), budget)? else { continue };
            let mut exponent = 1;
            while let Some(left) = below.divide_exactly(&radicand, budget)? {
                below = left;
                exponent -= 2;
            }
            if exponent < 0 {
                above = rest;
                roots.push((Base::Atom(root), exponent));
            }
        }
        let mut term = self.shortest_product(&above, budget)?;
        let divisor = self.shortest_product(&below, budget)?;
        term.factors.extend(roots);
        term.factors.extend(divisor.factors.into_iter().map(|(base, exponent)| (base, -exponent)));
        term.number = lowest(&term.number.0 * &divisor.number.1, &term.number.1 * &divisor.number.0);
        self.merge(&mut term);
        let term = settled(self, term);
        Ok(match &term.factors[..] {
            [(Base::Sum(sum, _), 1)] if term.number == (Integer::ONE, Integer::ONE) => sum.to_vec(),
            _ => vec![term],
        })
    }

    /// The roots in a polynomial, with what they are roots of.
    fn roots(&self, polynomial: &Polynomial) -> Vec<(u32, Polynomial)> {
        let root = |&variable: &u32| match self.field.atoms.get(variable as usize) {
            Some(Atom::Root { index: 2, radicand, .. }) => Some((variable, radicand.numerator().clone())),
            _ => None,
        };
        polynomial.variables().iter().filter_map(root).collect()
    }

    /// A polynomial as the shortest product found among its forms.
    fn shortest_product(&mut self, polynomial: &Polynomial, budget: &Budget) -> Result<Term, Exhausted> {
        let mut best: Option<((u64, u64), Term)> = None;
        let mut forms = Vec::new();
        for (form, divisor) in self.forms(polynomial, budget)? {
            let form = self.with_magnitudes(form, budget)?;
            forms.push((self.size(&plain(&form)), form, divisor));
        }
        // What is much longer plainly will not be shorter in factors.
        let least = forms.iter().map(|(size, ..)| *size).min().unwrap_or(0);
        for (long, form, divisor) in forms {
            if long > least + least / 2 + 4 {
                continue;
            }
            let term = self.product(&form, 0, budget)?.scaled(&Integer::ONE, &divisor);
            let term = settled(self, term);
            let size = (self.term_size(&term), long);
            if best.as_ref().is_none_or(|(least, _)| size < *least) {
                best = Some((size, term));
            }
        }
        Ok(best.map_or_else(|| Term::number(Integer::ZERO, Integer::ONE), |(_, term)| term))
    }

    /// |x| for x·sign(x).
    fn with_magnitudes(&mut self, polynomial: Polynomial, budget: &Budget) -> Result<Polynomial, Exhausted> {
        let mut result = polynomial;
        for variable in result.variables().to_vec() {
            let Some(Atom::Sign(of)) = self.field.atoms.get(variable as usize) else { continue };
            let of = of.clone();
            let mut sum = Polynomial::zero();
            for (exponent, part) in result.coefficients_in(variable) {
                let with = match part.divide_exactly(&of, budget)? {
                    Some(rest) if exponent == 1 => {
                        let magnitude = Polynomial::variable(self.extra(Extra::Magnitude(of.clone())));
                        rest.multiply(&magnitude, budget)?
                    }
                    _ => part.multiply(&Polynomial::variable(variable).power(exponent, budget)?, budget)?,
                };
                sum = sum.add(&with);
            }
            result = sum;
        }
        Ok(result)
    }

    /// Joins powers of the same atom; sign(x)/x becomes 1/|x|.
    fn merge(&mut self, term: &mut Term) {
        let mut kept: Vec<(Base, i32)> = Vec::with_capacity(term.factors.len());
        for (base, exponent) in std::mem::take(&mut term.factors) {
            let same = |known: &&mut (Base, i32)| match (&known.0, &base) {
                (Base::Atom(a), Base::Atom(b)) => a == b,
                _ => false,
            };
            match kept.iter_mut().find(same) {
                Some((_, total)) => *total += exponent,
                None => kept.push((base, exponent)),
            }
        }
        kept.retain(|&(_, exponent)| exponent != 0);
        self.with_tangents(&mut kept);
        for place in 0..kept.len() {
            let (Base::Atom(sign), 1) = kept[place] else { continue };
            let Some(Atom::Sign(of)) = self.field.atoms.get(sign as usize) else { continue };
            let &[only] = of.variables() else { continue };
            if *of != Polynomial::variable(only) {
                continue;
            }
            let is_below =
                |(base, exponent): &(Base, i32)| matches!(base, Base::Atom(v) if *v == only) && *exponent == -1;
            if let Some(below) = kept.iter().position(is_below) {
                let magnitude = self.extra(Extra::Magnitude(of.clone()));
                kept[below].0 = Base::Atom(magnitude);
                kept.remove(place);
                break;
            }
        }
        term.factors = kept;
    }

    /// Ways to split a quotient into two.
    fn splits(&mut self, ratio: &Ratio, budget: &Budget) -> Result<Vec<(Ratio, Ratio)>, Exhausted> {
        let (above, below) = (ratio.numerator(), ratio.denominator());
        let mut pairs: Vec<(Polynomial, Polynomial)> = Vec::new();
        if below.is_constant() {
            return Ok(Vec::new());
        }
        // What has a root, where the root is a root of the denominator.
        for (root, radicand) in self.roots(above) {
            if below.divide_exactly(&radicand, budget)?.is_none() {
                continue;
            }
            let (mut with, mut without) = (Polynomial::zero(), Polynomial::zero());
            for (exponent, part) in above.coefficients_in(root) {
                let power = Polynomial::variable(root).power(exponent, budget)?;
                let side = if exponent > 0 { &mut with } else { &mut without };
                *side = side.add(&part.multiply(&power, budget)?);
            }
            pairs.push((without, with));
        }
        for (factor, _) in self.factors(below, budget)?.factors {
            for &variable in factor.variables() {
                if let Some((quotient, rest)) = divided(above, &factor, variable, budget)? {
                    pairs.push((quotient.multiply(&factor, budget)?, rest));
                }
            }
        }
        let mut splits = Vec::new();
        for (first, second) in pairs {
            if first.is_zero() || second.is_zero() || first.len() + second.len() > above.len() + 8 {
                continue;
            }
            let first = Ratio::new(first, below.clone(), budget)?;
            let second = Ratio::new(second, below.clone(), budget)?;
            if let (Some(first), Some(second)) = (first, second)
                && !splits.contains(&(first.clone(), second.clone()))
            {
                splits.push((first, second));
            }
        }
        Ok(splits)
    }
}

/// Quotient and rest in one variable, by a divisor whose leading coefficient in it is ±1.
fn divided(
    polynomial: &Polynomial,
    divisor: &Polynomial,
    variable: u32,
    budget: &Budget,
) -> Result<Option<(Polynomial, Polynomial)>, Exhausted> {
    let degree = divisor.degree(variable);
    let leading = divisor.coefficients_in(variable).into_iter().find(|(exponent, _)| *exponent == degree);
    let Some(sign) = leading.and_then(|(_, part)| part.as_constant()).filter(|c| c.abs().is_one()) else {
        return Ok(None);
    };
    let (mut quotient, mut rest) = (Polynomial::zero(), polynomial.clone());
    while rest.degree(variable) >= degree {
        let top = rest.degree(variable);
        budget.spend(8 * rest.len() as u64)?;
        let Some((_, part)) = rest.coefficients_in(variable).into_iter().find(|(exponent, _)| *exponent == top) else {
            break;
        };
        let step = part.scale(&sign).multiply(&Polynomial::variable(variable).power(top - degree, budget)?, budget)?;
        rest = rest.subtract(&step.multiply(divisor, budget)?);
        quotient = quotient.add(&step);
        if rest.len() > 4 * MOST_TERMS {
            return Ok(None);
        }
    }
    Ok(Some((quotient, rest)))
}
