//! Polynomials where others are zero: on the constraints of a mechanism, x² + y² is L².
//!
//! All forms of a polynomial differ by multiples of the relations. [`Ideal::shortest`] looks for a short one: it takes the best of the
//! remainders in several orders of the variables, and exchanges one term for others while that makes it shorter. The result equals
//! the input wherever the relations hold.

mod basis;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use super::{Budget, Exhausted, Integer, Polynomial};
use basis::Basis;

/// What completing the relations in one order may cost.
const COMPLETING: u64 = 300_000;
/// Polynomials with more terms than this are divided, but terms are not exchanged in them.
const EXCHANGED: usize = 40;
/// How many forms are looked at around the shortest.
const FORMS: usize = 60;

/// Relations between variables, ready to be used.
#[derive(Clone, Debug, Default)]
pub struct Ideal {
    relations: Vec<Polynomial>,
    /// Variables that a short form has rather few of, in order.
    changing: Vec<u32>,
    bases: Vec<Basis>,
}

impl Ideal {
    /// Of polynomials that are zero, with the variables that are rather replaced and those that are rather kept, as parameters are.
    ///
    /// Relations that bind the latter alone make it empty: they hold for special values of these, not in general.
    ///
    /// # Errors
    /// Where nobody wants it any more.
    pub fn new(
        relations: Vec<Polynomial>,
        changing: Vec<u32>,
        kept: &[u32],
        budget: &Budget,
    ) -> Result<Self, Exhausted> {
        let reversed: Vec<u32> = changing.iter().rev().copied().collect();
        let orders = [changing.clone(), reversed];
        let (mut ideal, weighed) = (Self { relations, changing, bases: Vec::new() }, orders[0].len());
        for first in orders {
            let order: Vec<u32> = first.into_iter().chain(kept.iter().copied()).collect();
            let Some(mut basis) =
                budget.attempt(COMPLETING, |inner| Basis::new(&ideal.relations, order, weighed, inner))?
            else {
                continue;
            };
            let begun = basis.clone();
            if budget.attempt(COMPLETING, |inner| basis.complete(inner))?.is_none() && !basis.binds_the_rest() {
                // Members found until then hold as well, but there may be many of them.
                basis = begun;
            }
            if basis.binds_the_rest() {
                return Ok(Self::default());
            }
            ideal.bases.push(basis);
        }
        // What is said in another way is to look the same.
        if let Some(complete) = ideal.bases.iter().find(|basis| basis.is_complete()) {
            ideal.relations = complete.members();
        }
        Ok(ideal)
    }

    /// Whether it has no relations.
    pub fn is_empty(&self) -> bool {
        self.bases.is_empty()
    }

    /// The relations; those of a complete basis where one was found, which does not depend on how they were given.
    pub fn relations(&self) -> &[Polynomial] {
        &self.relations
    }

    /// Whether a polynomial is zero wherever the relations hold; `false` also where that cannot be told.
    ///
    /// # Errors
    /// Where the budget is exhausted.
    pub fn contains(&self, polynomial: &Polynomial, budget: &Budget) -> Result<bool, Exhausted> {
        let basis = self.bases.iter().find(|basis| basis.is_complete()).or(self.bases.first());
        basis.map_or(Ok(polynomial.is_zero()), |basis| Ok(basis.remainder(polynomial, budget)?.0.is_zero()))
    }

    /// `(p, k)` where p equals k times the polynomial on the relations: what is left of it in the first order, if that is shorter.
    ///
    /// # Errors
    /// Where the budget is exhausted.
    pub fn reduce(&self, polynomial: &Polynomial, budget: &Budget) -> Result<(Polynomial, Integer), Exhausted> {
        let as_it_is = (polynomial.clone(), Integer::ONE);
        if !self.concerns(polynomial) {
            return Ok(as_it_is);
        }
        let mut best = as_it_is;
        for basis in &self.bases {
            let found = basis.remainder(polynomial, budget)?;
            if self.length(&found.0) < self.length(&best.0) {
                best = found;
            }
        }
        Ok(best)
    }

    /// The same for the shortest form that is found.
    ///
    /// # Errors
    /// Where the budget is exhausted.
    pub fn shortest(&self, polynomial: &Polynomial, budget: &Budget) -> Result<(Polynomial, Integer), Exhausted> {
        if !self.concerns(polynomial) {
            return Ok((polynomial.clone(), Integer::ONE));
        }
        // Each form with its length, measured once: there are hundreds of them.
        let mut open: Vec<([u64; 5], Polynomial, Integer)> = Vec::new();
        for basis in &self.bases {
            let (form, scale) = basis.remainder(polynomial, budget)?;
            open.push((self.length(&form), form, scale));
        }
        if !self.bases.iter().any(Basis::is_complete) {
            open.push((self.length(polynomial), polynomial.clone(), Integer::ONE));
        }
        let mut known: BTreeSet<Polynomial> = open.iter().map(|(_, form, _)| form.clone()).collect();
        let Some(at) = least(&open) else { return Ok((polynomial.clone(), Integer::ONE)) };
        let mut best = open[at].clone();
        for _ in 0..FORMS {
            let Some(at) = least(&open) else { break };
            let (_, form, scale) = open.swap_remove(at);
            if form.len() > EXCHANGED {
                continue;
            }
            // A form one term longer may be on the way to one that is shorter.
            let most = best.1.len() + 1;
            for other in self.exchanged(&form, most, budget)? {
                if known.insert(other.clone()) {
                    let length = self.length(&other);
                    if length < best.0 {
                        best = (length, other.clone(), scale.clone());
                    }
                    open.push((length, other, scale.clone()));
                }
            }
        }
        let (_, form, scale) = best;
        Ok((form, scale))
    }

    fn concerns(&self, polynomial: &Polynomial) -> bool {
        !self.is_empty() && polynomial.variables().iter().any(|variable| self.changing.contains(variable))
    }

    /// Terms, different variables that change, factors of terms with these, and degrees.
    fn length(&self, polynomial: &Polynomial) -> [u64; 5] {
        let changes = |variable: &u32| self.changing.contains(variable);
        let different = polynomial.variables().iter().filter(|variable| changes(variable)).count() as u64;
        let (mut factors, mut changing, mut all) = (0, 0, 0);
        for (_, powers) in polynomial.terms() {
            for (variable, exponent) in powers {
                all += u64::from(exponent);
                if changes(&variable) {
                    factors += 1;
                    changing += u64::from(exponent);
                }
            }
        }
        [polynomial.len() as u64, different, factors, changing, all]
    }

    /// The forms with one term exchanged for what a relation says it is, up to some length.
    fn exchanged(&self, form: &Polynomial, most: usize, budget: &Budget) -> Result<Vec<Polynomial>, Exhausted> {
        let mut found = Vec::new();
        for relation in &self.relations {
            budget.spend((form.len() * relation.len()) as u64)?;
            for (number, powers) in form.terms() {
                let term: Vec<(u32, u32)> = powers.collect();
                for (divisor, below) in relation.terms() {
                    let Some(number) = number.divide_exactly(divisor) else { continue };
                    let Some(rest) = quotient(&term, below) else { continue };
                    let multiple = relation.multiply(&Polynomial::from_terms([(number, rest)]), budget)?;
                    budget.spend(2 * (form.len() + multiple.len()) as u64)?;
                    let other = form.subtract(&multiple);
                    if other.len() <= most {
                        found.push(other);
                    }
                }
            }
        }
        Ok(found)
    }
}

/// The place of the shortest form.
fn least(forms: &[([u64; 5], Polynomial, Integer)]) -> Option<usize> {
    (0..forms.len()).min_by_key(|&at| forms[at].0)
}

/// A term over another, if it is divisible.
fn quotient(term: &[(u32, u32)], by: impl Iterator<Item = (u32, u32)>) -> Option<Vec<(u32, u32)>> {
    let mut rest = term.to_vec();
    for (variable, exponent) in by {
        let place = rest.iter_mut().find(|(known, _)| *known == variable)?;
        place.1 = place.1.checked_sub(exponent)?;
    }
    rest.retain(|(_, exponent)| *exponent > 0);
    Some(rest)
}
