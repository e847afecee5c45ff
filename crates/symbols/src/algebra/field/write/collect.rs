//! Polynomials as a person writes them: in factors, and with what several terms share taken out.

use super::Writer;
use super::tree::{Base, Sum, Term, plain, powers};
use crate::algebra::{Budget, Exhausted, Factors, Integer, Polynomial, factors};

/// How deep factors are taken out of sums inside one another.
const DEEPEST: usize = 8;
/// Longer polynomials are not factored inside a sum.
const FACTORED: usize = 60;
/// For how many terms several ways to take factors out are compared.
const COMPARED: usize = 24;

impl Writer<'_> {
    /// A polynomial as a product, factored.
    pub(super) fn product(
        &mut self,
        polynomial: &Polynomial,
        depth: usize,
        budget: &Budget,
    ) -> Result<Term, Exhausted> {
        let mut parts = self.factors(polynomial, budget)?;
        self.with_squares(&mut parts);
        let mut term = Term::number(parts.coefficient.clone(), Integer::ONE);
        for (factor, exponent) in &parts.factors {
            let exponent = i32::try_from(*exponent).map_err(|_| Exhausted::TOO_LARGE)?;
            if factor.len() == 1 {
                term.factors.extend(powers(factor).into_iter().map(|(base, e)| (base, e.saturating_mul(exponent))));
                continue;
            }
            let sum = self.collected(factor, depth, budget)?;
            let negative = sum.iter().filter(|term| term.is_negative()).count();
            if 2 * negative > sum.len() || (2 * negative == sum.len() && sum[0].is_negative() && exponent % 2 == 0) {
                let opposite = sum.into_iter().map(|term| term.scaled(&Integer::MINUS_ONE, &Integer::ONE)).collect();
                if exponent % 2 != 0 {
                    term.number.0 = -&term.number.0;
                }
                term.factors.push((self.base(opposite), exponent));
            } else {
                term.factors.push((self.base(sum), exponent));
            }
        }
        Ok(settled(self, term))
    }

    /// The factors of a polynomial; what takes too long stays one factor.
    pub(super) fn factors(&mut self, polynomial: &Polynomial, budget: &Budget) -> Result<Factors, Exhausted> {
        if let Some(known) = self.factored.get(polynomial) {
            return Ok(known.clone());
        }
        let found = budget.attempt(self.patience, |inner| factors(polynomial, inner))?;
        let found = found.unwrap_or_else(|| {
            let mut coefficient = polynomial.content();
            if polynomial.leading_coefficient_sign() < 0 && !coefficient.is_negative() {
                coefficient = -&coefficient;
            }
            let rest = polynomial.divide_by_integer(&coefficient).unwrap_or_else(|| polynomial.clone());
            Factors { coefficient, factors: vec![(rest, 1)] }
        });
        self.factored.insert(polynomial.clone(), found.clone());
        Ok(found)
    }

    /// A polynomial as a sum, with common factors of some of its terms taken out.
    pub(super) fn collected(
        &mut self,
        polynomial: &Polynomial,
        depth: usize,
        budget: &Budget,
    ) -> Result<Sum, Exhausted> {
        budget.spend((polynomial.len() * (8 + 4 * polynomial.variables().len())) as u64)?;
        let plain = plain(polynomial);
        if polynomial.len() < 3 || depth >= DEEPEST {
            return Ok(plain);
        }
        let mut best = (self.size(&plain), plain);
        let ways = if polynomial.len() <= COMPARED && depth < 3 { 3 } else { 1 };
        for (variable, exponent) in self.most_shared(polynomial, ways) {
            let common = Polynomial::from_terms([(Integer::ONE, [(variable, exponent)])]);
            let (mut inside, mut outside) = (Vec::new(), Vec::new());
            for (coefficient, monomial) in polynomial.terms() {
                let mut monomial: Vec<(u32, u32)> = monomial.collect();
                match monomial.iter_mut().find(|(v, e)| *v == variable && *e >= exponent) {
                    Some((_, e)) => {
                        *e -= exponent;
                        inside.push((coefficient.clone(), monomial));
                    }
                    None => outside.push((coefficient.clone(), monomial)),
                }
            }
            let inside = Polynomial::from_terms(inside);
            let mut term = if inside.len() <= FACTORED {
                self.product(&inside, depth + 1, budget)?
            } else {
                let sum = self.collected(&inside, depth + 1, budget)?;
                Term { number: (Integer::ONE, Integer::ONE), factors: vec![(self.base(sum), 1)] }
            };
            term.factors.extend(powers(&common));
            // k·(g − 2) for k·g − 2·k is not worth the parentheses.
            let with_number = |(base, _): &(Base, i32)| match base {
                Base::Sum(sum, _) => sum.iter().any(|part| part.factors.is_empty()),
                Base::Atom(_) => false,
            };
            let penalty = u64::from(term.factors.iter().any(with_number));
            let mut sum = vec![term];
            if !outside.is_empty() {
                sum.extend(self.collected(&Polynomial::from_terms(outside), depth + 1, budget)?);
            }
            let size = self.size(&sum) + penalty;
            if size < best.0 {
                best = (size, sum);
            }
        }
        Ok(best.1)
    }

    /// The variables, with exponents, that are worth most when taken out.
    fn most_shared(&self, polynomial: &Polynomial, ways: usize) -> Vec<(u32, u32)> {
        let mut gains: Vec<(u64, u32, u32)> = Vec::new();
        for &variable in polynomial.variables() {
            let mut exponents: Vec<u32> = polynomial
                .terms()
                .map(|(_, mut powers)| powers.find(|(v, _)| *v == variable).map_or(0, |(_, e)| e))
                .filter(|&e| e > 0)
                .collect();
            exponents.sort_unstable();
            if exponents.len() < 2 {
                continue;
            }
            let length = self.atom_size(variable);
            // All terms that have it, by the least power; or those that have more, by theirs.
            let least = exponents[0];
            let power = |e: u32| length + if e > 1 { 2 } else { 0 };
            gains.push(((exponents.len() as u64 - 1) * power(least), variable, least));
            let more: Vec<u32> = exponents.iter().copied().filter(|&e| e > least).collect();
            if more.len() > 1 {
                gains.push(((more.len() as u64 - 1) * power(more[0]), variable, more[0]));
            }
        }
        gains.sort_by_key(|&(gain, variable, exponent)| (std::cmp::Reverse(gain), variable, exponent));
        gains.truncate(ways);
        gains.into_iter().map(|(_, variable, exponent)| (variable, exponent)).collect()
    }
}

/// A number before a single sum goes inside where that is shorter: 9.81 m + x/2, not (981 m + 50 x)/100.
pub(super) fn settled(writer: &Writer, term: Term) -> Term {
    let sums = term.factors.iter().filter(|(base, _)| matches!(base, Base::Sum(..))).count();
    let place = term.factors.iter().position(|(base, exponent)| matches!(base, Base::Sum(..)) && *exponent == 1);
    let (Some(place), 1..) = (place, sums) else { return term };
    let Base::Sum(sum, _) = &term.factors[place].0 else { return term };
    let inside = |above: &Integer, below: &Integer| {
        let scaled: Sum = sum.iter().map(|part| part.clone().scaled(above, below)).collect();
        let mut whole = term.clone().scaled(below, above);
        whole.factors[place].0 = writer.base(scaled);
        whole
    };
    let mut best = term.clone();
    let magnitude = (term.number.0.abs(), term.number.1.clone());
    for (above, below) in [term.number.clone(), magnitude] {
        let candidate = inside(&above, &below);
        if !all_negative(&candidate, place) && writer.term_size(&candidate) < writer.term_size(&best) {
            best = candidate;
        }
    }
    // 1 − cos x rather than −(cos x − 1).
    if best.is_negative() {
        let opposite = inside(&Integer::MINUS_ONE, &Integer::ONE);
        if !all_negative(&opposite, place) && writer.term_size(&opposite) <= writer.term_size(&best) {
            best = opposite;
        }
    }
    best
}

/// Whether all terms of a factor have a minus.
fn all_negative(term: &Term, place: usize) -> bool {
    matches!(&term.factors[place].0, Base::Sum(sum, _) if sum.iter().all(Term::is_negative))
}
