//! Polynomials over the atoms of a graph: terms with numbers in front, multiplied out and factored again.

use super::{Content, Work};
use crate::expr::graph::{FastMap, Id, Node};
use crate::expr::number::Number;

/// `Σ number·monomial`, in the order of the monomials, each once. A monomial is a product without a number of its own, or
/// 1; negative exponents are allowed.
pub(super) type Poly = Vec<(Id, Number)>;

/// Adds up what stands before the same monomial and drops what cancels.
pub(super) fn collect(mut terms: Vec<(Id, Number)>) -> Poly {
    terms.sort_by_key(|&(monomial, _)| monomial);
    let mut kept: Poly = Vec::with_capacity(terms.len());
    for (monomial, k) in terms {
        match kept.last_mut() {
            Some((last, total)) if *last == monomial => match total.plus(k) {
                Some(sum) => *total = sum,
                None => kept.push((monomial, k)),
            },
            _ => {
                if kept.last().is_some_and(|(_, total)| total.is_zero()) {
                    kept.pop();
                }
                kept.push((monomial, k));
            }
        }
    }
    kept.retain(|(_, total)| !total.is_zero());
    kept
}

impl Work {
    /// An expression as a monomial and the number before it.
    pub(super) fn split(&mut self, id: Id) -> (Id, Number) {
        match self.graph.node(id) {
            Node::Number(number) => (Id::ONE, *number),
            Node::Product { coefficient, factors } if !coefficient.is_one() => {
                let (coefficient, factors) = (*coefficient, factors.clone());
                (self.graph.product(Number::ONE, &factors), coefficient)
            }
            _ => (id, Number::ONE),
        }
    }

    /// The summands of an expression, as they stand.
    pub(super) fn terms_of(&mut self, id: Id) -> Poly {
        let Node::Sum { constant, terms } = self.graph.node(id) else { return collect(vec![self.split(id)]) };
        let mut poly: Vec<_> = terms.iter().map(|&(k, term)| (term, k)).collect();
        poly.push((Id::ONE, *constant));
        collect(poly)
    }

    /// The factors of a monomial.
    pub(super) fn factors(&self, monomial: Id) -> Vec<(Id, i32)> {
        match self.graph.node(monomial) {
            _ if monomial == Id::ONE => Vec::new(),
            Node::Product { factors, .. } => factors.to_vec(),
            _ => vec![(monomial, 1)],
        }
    }

    /// How much work a polynomial is: its terms, long ones counting for more.
    pub(super) fn weight(&self, poly: &[(Id, Number)]) -> usize {
        let length = |monomial: Id| match self.graph.node(monomial) {
            Node::Product { factors, .. } => factors.len() / 8,
            _ => 0,
        };
        poly.iter().map(|&(monomial, _)| 1 + length(monomial)).sum()
    }

    /// The product of two monomials.
    pub(super) fn monomial_times(&mut self, a: Id, b: Id) -> (Id, Number) {
        let product = self.graph.multiply(a, b);
        self.split(product)
    }

    /// The product; nothing if it would be too long, or if a number overflows.
    pub(super) fn times(&mut self, a: &[(Id, Number)], b: &[(Id, Number)]) -> Option<Poly> {
        let length = a.len().checked_mul(b.len())?;
        let weight = self.weight(a).saturating_mul(b.len()).saturating_add(self.weight(b).saturating_mul(a.len()));
        if length > self.budget.saturating_mul(4) || !self.spend(weight / 2) {
            return None;
        }
        let mut terms = Vec::with_capacity(length);
        for &(left, j) in a {
            for &(right, k) in b {
                let (monomial, more) = self.monomial_times(left, right);
                terms.push((monomial, j.times(k)?.times(more)?));
            }
        }
        let product = collect(terms);
        (product.len() <= self.budget).then_some(product)
    }

    /// Summands that could meet when multiplied out, grouped; each summand by its number.
    ///
    /// Two can meet if they have a monomial in common up to sines and cosines of one angle, whose parity alone counts.
    pub(super) fn groups(&mut self, polys: &[Poly]) -> Vec<Vec<usize>> {
        let mut leader: Vec<usize> = (0..polys.len()).collect();
        fn find(leader: &mut [usize], mut at: usize) -> usize {
            while leader[at] != at {
                leader[at] = leader[leader[at]];
                at = leader[at];
            }
            at
        }
        let mut first: FastMap<Id, usize> = FastMap::default();
        for (index, poly) in polys.iter().enumerate() {
            for &(monomial, _) in poly {
                let key = self.without_parity(monomial);
                let other = *first.entry(key).or_insert(index);
                let (a, b) = (find(&mut leader, index), find(&mut leader, other));
                leader[a.max(b)] = a.min(b);
            }
        }
        let mut groups: Vec<Vec<usize>> = vec![Vec::new(); polys.len()];
        for (index, poly) in polys.iter().enumerate() {
            if !poly.is_empty() {
                let at = find(&mut leader, index);
                groups[at].push(index);
            }
        }
        groups.retain(|group| !group.is_empty());
        groups
    }

    /// The shortest of some ways to write a polynomial: plainly, with what is common to all terms in front, and with
    /// terms over the same denominator on one fraction.
    pub(super) fn build(&mut self, poly: &[(Id, Number)]) -> Id {
        let plain = self.factored(poly);
        let mut fractions: Vec<(Id, Poly)> = Vec::new();
        let mut place: FastMap<Id, usize> = FastMap::default();
        for &(monomial, k) in poly {
            let (above, below): (Vec<_>, Vec<_>) = self.factors(monomial).into_iter().partition(|&(_, e)| e > 0);
            let above = self.graph.product(Number::ONE, &above);
            let below = self.graph.product(Number::ONE, &below);
            let at = *place.entry(below).or_insert_with(|| {
                fractions.push((below, Vec::new()));
                fractions.len() - 1
            });
            fractions[at].1.push((above, k));
        }
        if fractions.len() < 2 || fractions.len() == poly.len() {
            return plain;
        }
        let mut terms = Vec::with_capacity(fractions.len());
        for (below, above) in fractions {
            let above = self.factored(&above);
            terms.push((Number::ONE, self.graph.multiply(above, below)));
        }
        let sum = self.graph.sum(&terms);
        self.shorter(plain, sum)
    }

    /// The sum of terms, with what is common to all in front where that is shorter.
    fn factored(&mut self, poly: &[(Id, Number)]) -> Id {
        let terms: Vec<_> = poly.iter().map(|&(monomial, k)| (k, monomial)).collect();
        let plain = self.graph.sum(&terms);
        let (number, factors, rest) = self.content(plain);
        if rest == plain {
            return plain;
        }
        let mut factors = factors.to_vec();
        factors.push((rest, 1));
        let pulled = self.graph.product(number, &factors);
        self.shorter(plain, pulled)
    }

    /// A sum as number × common factors × the rest, whose first term then is positive; anything else is its own rest.
    pub(super) fn content(&mut self, id: Id) -> Content {
        if let Some(content) = self.contents.get(&id) {
            return content.clone();
        }
        let (number, common, rest) = self.find_content(id);
        let content: Content = (number, common.into(), rest);
        self.contents.insert(id, content.clone());
        content
    }

    fn find_content(&mut self, id: Id) -> (Number, Vec<(Id, i32)>, Id) {
        let Node::Sum { constant, terms } = self.graph.node(id) else { return (Number::ONE, Vec::new(), id) };
        let (constant, terms) = (*constant, terms.clone());
        let mut number = if constant.is_zero() { terms[0].0 } else { constant };
        for &(c, _) in terms.iter() {
            number = common_number(number, c);
        }
        if terms[0].0.is_negative() != number.is_negative() {
            number = number.negated();
        }
        let mut common = if constant.is_zero() { self.factors(terms[0].1) } else { Vec::new() };
        for &(_, term) in terms.iter().skip(1) {
            if common.is_empty() {
                break;
            }
            let factors = self.factors(term);
            common.retain_mut(|(base, exponent)| match factors.binary_search_by_key(base, |&(base, _)| base) {
                Ok(at) if (factors[at].1 > 0) == (*exponent > 0) => {
                    let other = factors[at].1;
                    *exponent = if *exponent > 0 { other.min(*exponent) } else { other.max(*exponent) };
                    true
                }
                _ => false,
            });
        }
        if number.is_one() && common.is_empty() {
            return (Number::ONE, Vec::new(), id);
        }
        let mut divided = || -> Option<(Number, Vec<(Number, Id)>)> {
            let inverse = number.inverse()?;
            let below: Vec<_> =
                common.iter().map(|&(base, e)| Some((base, e.checked_neg()?))).collect::<Option<_>>()?;
            let mut rest = Vec::with_capacity(terms.len());
            for &(c, term) in terms.iter() {
                let mut factors = below.clone();
                factors.push((term, 1));
                rest.push((c.times(inverse)?, self.graph.product(Number::ONE, &factors)));
            }
            Some((constant.times(inverse)?, rest))
        };
        let Some((constant, rest)) = divided() else { return (Number::ONE, Vec::new(), id) };
        let rest = self.graph.sum_with(constant, &rest);
        (number, common, rest)
    }
}

/// The largest number that both are integer multiples of, where both are exact, without sign; else 1.
fn common_number(a: Number, b: Number) -> Number {
    if a.magnitude() == b.magnitude() {
        return a.magnitude();
    }
    let common = || {
        let ((a, b), (c, d)) = (a.as_ratio()?, b.as_ratio()?);
        let above = greatest_common_divisor(a.checked_abs()?, c.checked_abs()?);
        let below = (b / greatest_common_divisor(b, d)).checked_mul(d)?;
        Number::ratio(above, below)
    };
    common().unwrap_or(Number::ONE)
}

fn greatest_common_divisor(mut a: i128, mut b: i128) -> i128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.max(1)
}
