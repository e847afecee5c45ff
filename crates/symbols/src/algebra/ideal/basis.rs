//! Gröbner bases: relations completed until the remainder of a polynomial does not depend on the way it was found.
//!
//! A term is a row of exponents behind the degree that it is ordered by first, so that rows compare as terms do and a product of
//! terms is a sum of rows. What Buchberger's algorithm does not finish within its budget is left out: remainders are then
//! not unique, but every step on the way to them subtracts multiples of relations all the same.

use std::collections::BTreeMap;

use crate::algebra::{Budget, Exhausted, Integer, Polynomial};

/// The degree, and the exponents in the order of the basis.
type Row = Vec<u32>;
/// Terms, greatest first.
type Terms = Vec<(Row, Integer)>;

/// More members than this are not collected.
const MOST_MEMBERS: usize = 48;
/// Members with more terms than this are left out.
const MOST_TERMS: usize = 60;

/// Relations in an order of their variables.
#[derive(Clone, Debug)]
pub(super) struct Basis {
    /// The greatest first.
    variables: Vec<u32>,
    /// How many of them count for the degree.
    weighed: usize,
    members: Vec<Terms>,
    complete: bool,
}

impl Basis {
    /// Completes relations, with `variables` in descending order, of which the first `weighed` count for the degree.
    pub(super) fn new(
        relations: &[Polynomial],
        variables: Vec<u32>,
        weighed: usize,
        budget: &Budget,
    ) -> Result<Self, Exhausted> {
        let mut basis = Self { variables, weighed, members: Vec::new(), complete: false };
        for relation in relations {
            let (rest, _) = basis.remainder(relation, budget)?;
            if !rest.is_zero() {
                basis.members.push(basis.ordered(&rest.primitive(), &[]));
            }
        }
        Ok(basis)
    }

    /// Whether it contains a relation among variables that do not count, or a contradiction.
    pub(super) fn binds_the_rest(&self) -> bool {
        self.members.iter().any(|member| member[0].0[0] == 0)
    }

    pub(super) fn is_complete(&self) -> bool {
        self.complete
    }

    /// Buchberger's algorithm, as far as the budget goes.
    pub(super) fn complete(&mut self, budget: &Budget) -> Result<(), Exhausted> {
        let mut pairs: Vec<(usize, usize)> = Vec::new();
        for second in 1..self.members.len() {
            pairs.extend((0..second).map(|first| (first, second)));
        }
        while !pairs.is_empty() {
            // The pair of least degree first.
            let degree = |&(a, b): &(usize, usize)| {
                let common = self.least_multiple(&self.members[a][0].0, &self.members[b][0].0);
                (common.iter().map(|&e| u64::from(e)).sum::<u64>(), b, a)
            };
            let Some(next) = (0..pairs.len()).min_by_key(|&at| degree(&pairs[at])) else { break };
            let (first, second) = pairs.swap_remove(next);
            budget.spend(8 * pairs.len() as u64 + 8)?;
            let (a, b) = (&self.members[first], &self.members[second]);
            let common = self.least_multiple(&a[0].0, &b[0].0);
            let coprime = a[0].0.iter().zip(&b[0].0).skip(1).all(|(x, y)| *x == 0 || *y == 0);
            if coprime {
                continue; // Buchberger's first criterion
            }
            let mut difference: BTreeMap<Row, Integer> = BTreeMap::new();
            add_multiple(&mut difference, a, &over(&common, &a[0].0), &b[0].1, budget)?;
            add_multiple(&mut difference, b, &over(&common, &b[0].0), &-&a[0].1, budget)?;
            let (rest, _) = self.reduced(difference, budget)?;
            if rest.is_empty() {
                continue;
            }
            if rest.len() > MOST_TERMS || self.members.len() >= MOST_MEMBERS {
                return Err(Exhausted::TOO_LARGE);
            }
            let new = self.members.len();
            self.members.push(primitive(rest));
            pairs.extend((0..new).map(|old| (old, new)));
        }
        self.settle(budget)?;
        self.complete = true;
        Ok(())
    }

    /// Leaves out members that others imply and reduces the rest by each other: then the order of the variables determines them.
    fn settle(&mut self, budget: &Budget) -> Result<(), Exhausted> {
        let divides = |a: &Terms, b: &Terms| a[0].0.iter().zip(&b[0].0).all(|(a, b)| a <= b);
        let mut kept: Vec<Terms> = Vec::new();
        self.members.sort_by(|a, b| a[0].0.cmp(&b[0].0));
        for member in std::mem::take(&mut self.members) {
            if !kept.iter().any(|known| divides(known, &member)) {
                kept.push(member);
            }
        }
        for at in 0..kept.len() {
            self.members = kept.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, m)| m.clone()).collect();
            let own: BTreeMap<Row, Integer> = kept[at].iter().cloned().collect();
            kept[at] = primitive(self.reduced(own, budget)?.0);
        }
        self.members = kept;
        Ok(())
    }

    /// The members as polynomials.
    pub(super) fn members(&self) -> Vec<Polynomial> {
        let terms = |member: &Terms| {
            Polynomial::from_terms(member.iter().map(|(row, number)| (number.clone(), powers(row, &self.variables))))
        };
        self.members.iter().map(terms).collect()
    }

    /// `(r, k)` with `k·polynomial ≡ r`, and no term of r divisible by the first term of a member.
    pub(super) fn remainder(
        &self,
        polynomial: &Polynomial,
        budget: &Budget,
    ) -> Result<(Polynomial, Integer), Exhausted> {
        let others: Vec<u32> =
            polynomial.variables().iter().copied().filter(|variable| !self.variables.contains(variable)).collect();
        let terms: BTreeMap<Row, Integer> = self.ordered(polynomial, &others).into_iter().collect();
        let (rest, scale) = self.reduced(terms, budget)?;
        let all: Vec<u32> = self.variables.iter().copied().chain(others).collect();
        Ok((Polynomial::from_terms(rest.into_iter().map(|(row, number)| (number, powers(&row, &all)))), scale))
    }

    /// Terms, greatest first, with rows for further variables at the end.
    fn ordered(&self, polynomial: &Polynomial, others: &[u32]) -> Terms {
        let place = |variable: u32| self.variables.iter().chain(others).position(|&known| known == variable);
        let width = 1 + self.variables.len() + others.len();
        let mut terms: Terms = Vec::with_capacity(polynomial.len());
        for (coefficient, powers) in polynomial.terms() {
            let mut row = vec![0; width];
            for (variable, exponent) in powers {
                let Some(place) = place(variable) else { continue };
                row[1 + place] = exponent;
                if place < self.weighed {
                    row[0] += exponent;
                }
            }
            terms.push((row, coefficient.clone()));
        }
        terms.sort_by(|a, b| b.0.cmp(&a.0));
        terms
    }

    /// The least common multiple of two terms.
    fn least_multiple(&self, a: &[u32], b: &[u32]) -> Row {
        let mut row: Row = a.iter().zip(b).map(|(&a, &b)| a.max(b)).collect();
        row[0] = row[1..=self.weighed].iter().sum();
        row
    }

    /// What is left of terms, and the number that they were multiplied by.
    fn reduced(&self, mut open: BTreeMap<Row, Integer>, budget: &Budget) -> Result<(Terms, Integer), Exhausted> {
        let (mut done, mut scale): (Terms, Integer) = (Vec::new(), Integer::ONE);
        while let Some((row, coefficient)) = open.pop_last() {
            budget.spend(2 * self.members.len() as u64 + 2)?;
            let divides = |member: &&Terms| member[0].0.iter().zip(&row).all(|(least, have)| least <= have);
            let Some(member) = self.members.iter().filter(divides).min_by_key(|member| member.len()) else {
                done.push((row, coefficient));
                continue;
            };
            let lead = &member[0].1;
            let common = lead.gcd(&coefficient);
            let (Some(factor), Some(by)) = (lead.divide_exactly(&common), coefficient.divide_exactly(&common)) else {
                return Err(Exhausted::TOO_LARGE);
            };
            let (factor, by) = if factor.is_negative() { (-&factor, -&by) } else { (factor, by) };
            if !factor.is_one() {
                budget.spend((open.len() + done.len()) as u64)?;
                open.values_mut().chain(done.iter_mut().map(|(_, c)| c)).for_each(|c| *c = &*c * &factor);
                scale = &scale * &factor;
            }
            // The first terms cancel.
            add_multiple(&mut open, &member[1..], &over(&row, &member[0].0), &-&by, budget)?;
        }
        Ok((done, scale))
    }
}

/// The variables of a row with their exponents.
fn powers(row: &[u32], variables: &[u32]) -> Vec<(u32, u32)> {
    row[1..].iter().zip(variables).filter(|(e, _)| **e > 0).map(|(&e, &variable)| (variable, e)).collect()
}

/// Adds `number·row·terms`.
fn add_multiple(
    sum: &mut BTreeMap<Row, Integer>,
    terms: &[(Row, Integer)],
    row: &[u32],
    number: &Integer,
    budget: &Budget,
) -> Result<(), Exhausted> {
    budget.spend(12 * terms.len() as u64 * number.words())?;
    budget.room(sum.len(), row.len())?;
    for (other, coefficient) in terms {
        let mut product = row.to_vec();
        for (sum, &exponent) in product.iter_mut().zip(other) {
            *sum = sum.checked_add(exponent).ok_or(Exhausted::TOO_LARGE)?;
        }
        let add = coefficient * number;
        match sum.entry(product) {
            std::collections::btree_map::Entry::Vacant(place) => {
                place.insert(add);
            }
            std::collections::btree_map::Entry::Occupied(mut place) => {
                let total = place.get() + &add;
                if total.is_zero() {
                    place.remove();
                } else {
                    place.insert(total);
                }
            }
        }
    }
    Ok(())
}

/// The quotient of two rows, the second perhaps shorter.
fn over(row: &[u32], by: &[u32]) -> Row {
    row.iter().enumerate().map(|(at, &e)| e - by.get(at).copied().unwrap_or(0)).collect()
}

/// Without a common factor of the coefficients.
fn primitive(terms: Terms) -> Terms {
    let content = terms.iter().fold(Integer::ZERO, |content, (_, c)| content.gcd(c));
    let negative = terms.first().is_some_and(|(_, c)| c.is_negative());
    let divisor = if negative { -&content } else { content };
    let divided = |(row, c): (Row, Integer)| {
        let c = c.divide_exactly(&divisor).unwrap_or(c);
        (row, c)
    };
    terms.into_iter().map(divided).collect()
}
