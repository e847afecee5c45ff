//! Exact division, and remainders with respect to one variable.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::budget::{Budget, Exhausted};
use super::integer::{Integer, Sum};
use super::multiply::{Key, Layout, with_width};
use super::polynomial::Polynomial;

impl Polynomial {
    /// The quotient, if there is one without remainder. By zero there is none.
    pub fn divide_exactly(&self, divisor: &Self, budget: &Budget) -> Result<Option<Self>, Exhausted> {
        if divisor.is_zero() {
            return Ok(None);
        }
        if self.is_zero() {
            return Ok(Some(Self::zero()));
        }
        budget.spend(self.len() as u64 * self.words() * divisor.words() + divisor.len() as u64)?;
        if divisor.is_constant() {
            return Ok(self.divide_by_integer(&divisor.coefficients()[0]));
        }
        // Degrees, and the least and greatest terms, of a quotient would be differences.
        let mut bounds = Vec::with_capacity(self.width());
        let (degrees, divisor_rows) = (self.degrees(), divisor.rows_in_variables_of(self));
        let Some(divisor_rows) = divisor_rows else { return Ok(None) };
        let width = self.width();
        for (column, &degree) in degrees.iter().enumerate() {
            let least = divisor_rows.iter().skip(column).step_by(width).copied().max().unwrap_or(0);
            match degree.checked_sub(least) {
                Some(bound) => bounds.push(bound),
                None => return Ok(None),
            }
        }
        let last = divisor_rows.len() - width;
        let under = |a: &[u32], b: &[u32]| b.iter().zip(a).all(|(b, a)| b <= a);
        if !under(self.row(0), &divisor_rows[..width]) || !under(self.row(self.len() - 1), &divisor_rows[last..]) {
            return Ok(None);
        }
        if divisor.len() == 1 {
            let least = self.least_exponents();
            if !under(&least, &divisor_rows) {
                return Ok(None);
            }
            let quotient = self.divide_by_integer(&divisor.coefficients()[0]);
            return Ok(quotient.map(|quotient| quotient.lower(&divisor_rows)));
        }
        let ends = [(0, 0), (self.len() - 1, divisor.len() - 1)];
        if ends.iter().any(|&(i, j)| self.coefficients()[i].divide_exactly(&divisor.coefficients()[j]).is_none()) {
            return Ok(None);
        }
        let layout = Layout::new(&degrees);
        with_width!(layout, quotient, self, divisor, &divisor_rows, &bounds, &layout, budget)
    }

    /// The exponents in terms of the variables of another, if all occur there.
    fn rows_in_variables_of(&self, other: &Self) -> Option<Vec<u32>> {
        let occur = self.variables().iter().all(|&v| other.column(v).is_some());
        occur.then(|| self.rows_in(other.variables()).into_owned())
    }

    /// The remainder of `lᵏ self` divided by the divisor as polynomials in one variable, where l is the divisor's
    /// leading coefficient in it and k one more than the difference of the degrees.
    ///
    /// A divisor without the variable divides everything, so that the remainder is zero.
    pub fn pseudo_remainder(&self, divisor: &Self, variable: u32, budget: &Budget) -> Result<Self, Exhausted> {
        let degree = divisor.degree(variable);
        if degree == 0 {
            return Ok(Self::zero());
        }
        let parts = divisor.coefficients_in(variable);
        let lead = &parts[0].1;
        let rest = divisor.subtract(&lead.multiply(&power_of(variable, degree), budget)?);
        let mut remainder = self.clone();
        let mut steps = (self.degree(variable).saturating_add(1)).saturating_sub(degree);
        while !remainder.is_zero() && remainder.degree(variable) >= degree {
            let high = remainder.degree(variable);
            let top = remainder.coefficients_in(variable).swap_remove(0).1;
            let below = remainder.subtract(&top.multiply(&power_of(variable, high), budget)?);
            let shifted = top.multiply(&power_of(variable, high - degree), budget)?;
            remainder = below.multiply(lead, budget)?.subtract(&shifted.multiply(&rest, budget)?);
            steps -= 1;
        }
        remainder.multiply(&lead.power(steps, budget)?, budget)
    }
}

/// A power of a variable.
fn power_of(variable: u32, exponent: u32) -> Polynomial {
    Polynomial::monomial(&[variable], &[exponent])
}

/// A product of a term of the quotient and a term of the divisor, waiting to be subtracted.
struct Pending<K> {
    key: K,
    quotient: usize,
    divisor: usize,
}

impl<K: Ord> Ord for Pending<K> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key.cmp(&other.key)
    }
}
impl<K: Ord> PartialOrd for Pending<K> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl<K: Ord> PartialEq for Pending<K> {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}
impl<K: Ord> Eq for Pending<K> {}

/// Division from the greatest term down. For each term of the quotient one product with the divisor waits in a heap,
/// so that the remainder is never written down.
fn quotient<K: Key>(
    dividend: &Polynomial,
    divisor: &Polynomial,
    divisor_rows: &[u32],
    bounds: &[u32],
    layout: &Layout,
    budget: &Budget,
) -> Result<Option<Polynomial>, Exhausted> {
    let guard: K = layout.guard();
    let bound = K::pack(layout, bounds);
    let above = layout.pack_all::<K>(&dividend.rows_in(dividend.variables()));
    let below = layout.pack_all::<K>(divisor_rows);
    let (lead, words) = (&divisor.coefficients()[0], divisor.words());
    // No term of the quotient is less than the quotient of the least terms.
    let Some(least) = above[above.len() - 1].over(&below[below.len() - 1], &guard) else { return Ok(None) };
    let mut keys: Vec<K> = Vec::new();
    let mut coefficients: Vec<Integer> = Vec::new();
    let mut heap: BinaryHeap<Pending<K>> = BinaryHeap::new();
    let mut next = 0;
    loop {
        let key = match (above.get(next), heap.peek()) {
            (Some(a), Some(b)) => a.max(&b.key).clone(),
            (Some(a), None) => a.clone(),
            (None, Some(b)) => b.key.clone(),
            (None, None) => break,
        };
        let mut sum = Sum::default();
        if above.get(next) == Some(&key) {
            sum.add_product(&dividend.coefficients()[next], &Integer::ONE);
            next += 1;
        }
        while heap.peek().is_some_and(|top| top.key == key) {
            let Some(mut top) = heap.peek_mut() else { break };
            sum.subtract_product(&coefficients[top.quotient], &divisor.coefficients()[top.divisor]);
            top.divisor += 1;
            if top.divisor < below.len() {
                top.key = keys[top.quotient].times(&below[top.divisor]);
            } else {
                std::collections::binary_heap::PeekMut::pop(top);
            }
        }
        let sum = sum.finish();
        if sum.is_zero() {
            continue;
        }
        let Some(term) = key.over(&below[0], &guard) else { return Ok(None) };
        let Some(coefficient) = sum.divide_exactly(lead) else { return Ok(None) };
        if term < least || bound.over(&term, &guard).is_none() {
            return Ok(None);
        }
        budget.spend(4 * below.len() as u64 * words * coefficient.words())?;
        budget.room(keys.len() * 2, dividend.width() + 2 * coefficient.words() as usize)?;
        heap.push(Pending { key: term.times(&below[1]), quotient: keys.len(), divisor: 1 });
        keys.push(term);
        coefficients.push(coefficient);
    }
    let rows = layout.unpack_all(keys.iter());
    Ok(Some(Polynomial::from_sorted(dividend.variables().to_vec(), rows, coefficients)))
}
