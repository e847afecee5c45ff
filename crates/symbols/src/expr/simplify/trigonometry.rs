//! Sines and cosines that join: sin² + cos² = 1 and the addition formulas, read backwards.

use super::Work;
use super::polynomial::{Poly, collect};
use crate::expr::function::Function;
use crate::expr::graph::{FastMap, Id, Node};
use crate::expr::number::Number;

/// Beyond this many sines and cosines a monomial is not looked at pair by pair.
const MOST_ANGLES: usize = 8;

impl Work {
    /// The angle of a sine or cosine.
    fn angle(&self, id: Id) -> Option<(Function, Id)> {
        match *self.graph.node(id) {
            Node::Call(function @ (Function::Sin | Function::Cos), angle, _) => Some((function, angle)),
            _ => None,
        }
    }

    /// A key for monomials that could meet: sines and cosines of one angle count together, and only whether they are even or odd in number.
    pub(super) fn without_parity(&mut self, monomial: Id) -> Id {
        let factors = self.factors(monomial);
        if !factors.iter().any(|&(factor, e)| e > 0 && self.angle(factor).is_some()) {
            return monomial;
        }
        let mut odd: Vec<(Id, bool)> = Vec::new();
        let mut rest = Vec::with_capacity(factors.len());
        for (factor, exponent) in factors {
            match self.angle(factor) {
                Some((_, angle)) if exponent > 0 => match odd.iter_mut().find(|(other, _)| *other == angle) {
                    Some((_, parity)) => *parity ^= exponent % 2 != 0,
                    None => odd.push((angle, exponent % 2 != 0)),
                },
                _ => rest.push((factor, exponent)),
            }
        }
        // sin(a − b) may come from products of both angles: an odd angle counts by the angle alone.
        for (angle, parity) in odd {
            if parity {
                let sine = self.graph.call(Function::Sin, angle);
                rest.push((sine, 1));
            }
        }
        self.graph.product(Number::ONE, &rest)
    }

    /// Other ways to write a polynomial in sines and cosines; none if it has no squares and no products of them.
    pub(super) fn trigonometric_forms(&mut self, poly: &Poly) -> Vec<Poly> {
        let mut squares = false;
        let mut products = false;
        for &(monomial, _) in poly {
            let mut angles = 0;
            for (factor, exponent) in self.factors(monomial) {
                if exponent > 0 && self.angle(factor).is_some() {
                    angles += 1;
                    squares |= exponent > 1;
                }
            }
            products |= angles > 1;
        }
        if poly.len() < 2 || !(squares || products) || !self.spend(4 * poly.len()) {
            return Vec::new();
        }
        let mut forms = vec![self.joined(poly)];
        if squares {
            for function in [Function::Cos, Function::Sin] {
                if let Some(form) = self.without_squares(poly, function) {
                    let joined = self.joined(&form);
                    if joined != form {
                        forms.push(joined);
                    }
                    forms.push(form);
                }
            }
        }
        forms
    }

    /// The polynomial with every square of `function` (cosine or sine) replaced by one less the square of the other: one
    /// way to write each polynomial in sines and cosines of independent angles, so that what is zero becomes empty.
    pub(super) fn without_squares(&mut self, poly: &Poly, function: Function) -> Option<Poly> {
        let mut done: Poly = Vec::new();
        let mut left = poly.clone();
        while !left.is_empty() {
            if !self.spend(left.len()) || left.len() + done.len() > self.budget.saturating_mul(2) {
                return None;
            }
            let mut next = Vec::new();
            for (monomial, k) in left {
                let square = self
                    .factors(monomial)
                    .into_iter()
                    .find_map(|(f, e)| self.angle(f).filter(|&(g, _)| g == function && e > 1).map(|(_, a)| (f, a)));
                match square {
                    None => done.push((monomial, k)),
                    Some((factor, angle)) => {
                        let other = if function == Function::Cos { Function::Sin } else { Function::Cos };
                        let other = self.graph.call(other, angle);
                        let rest = self.graph.product(Number::ONE, &[(monomial, 1), (factor, -2)]);
                        let with = self.graph.product(Number::ONE, &[(rest, 1), (other, 2)]);
                        let (rest, more) = self.split(rest);
                        next.push((rest, k.times(more)?));
                        let (with, more) = self.split(with);
                        next.push((with, k.times(more)?.negated()));
                    }
                }
            }
            left = collect(next);
        }
        Some(collect(done))
    }

    /// The polynomial with pairs of terms joined as long as one is found; every step makes it shorter by a term.
    fn joined(&mut self, poly: &Poly) -> Poly {
        let mut terms: FastMap<Id, Number> = poly.iter().copied().collect();
        let mut queue: Vec<Id> = poly.iter().rev().map(|&(monomial, _)| monomial).collect();
        while let Some(monomial) = queue.pop() {
            let Some(&k) = terms.get(&monomial) else { continue };
            let angles: Vec<_> = self
                .factors(monomial)
                .into_iter()
                .filter(|&(_, e)| e > 0)
                .filter_map(|(f, e)| self.angle(f).map(|(function, angle)| (f, e, function, angle)))
                .collect();
            if angles.is_empty() || angles.len() > MOST_ANGLES || !self.spend(angles.len() * angles.len()) {
                continue;
            }
            let Some((partner, replacement)) = self.partner(monomial, k, &angles, &terms) else { continue };
            terms.remove(&monomial);
            terms.remove(&partner);
            for (id, value) in replacement {
                let total = terms.get(&id).map_or(Some(value), |old| old.plus(value));
                match total {
                    Some(total) if total.is_zero() => {
                        terms.remove(&id);
                    }
                    Some(total) => {
                        terms.insert(id, total);
                        queue.push(id);
                    }
                    // A number overflows: leave everything as it was.
                    None => return poly.clone(),
                }
            }
        }
        collect(terms.into_iter().collect())
    }

    /// A second term that joins with the first, and what both become.
    fn partner(
        &mut self,
        monomial: Id,
        k: Number,
        angles: &[(Id, i32, Function, Id)],
        terms: &FastMap<Id, Number>,
    ) -> Option<(Id, Vec<(Id, Number)>)> {
        use Function::{Cos, Sin};
        for &(factor, exponent, function, angle) in angles {
            if exponent < 2 {
                continue;
            }
            let other = self.graph.call(if function == Sin { Cos } else { Sin }, angle);
            let rest = self.graph.product(Number::ONE, &[(monomial, 1), (factor, -2)]);
            let (rest, more) = self.split(rest);
            let swapped = self.graph.product(Number::ONE, &[(rest, 1), (other, 2)]);
            let (swapped, again) = self.split(swapped);
            if !more.is_one() || !again.is_one() {
                continue;
            }
            // j·R·c² + k·R·s² = j·R + (k − j)·R·s²
            if let Some(&j) = terms.get(&swapped) {
                let left = k.plus(j.negated())?;
                if left.is_zero() || terms.contains_key(&rest) {
                    return Some((swapped, vec![(rest, j), (monomial, left)]));
                }
            }
            // j·R − j·R·s² = j·R·c²
            if let Some(&j) = terms.get(&rest)
                && j == k.negated()
            {
                return Some((rest, vec![(swapped, j)]));
            }
        }
        for (index, &(first, _, f, a)) in angles.iter().enumerate() {
            for &(second, _, g, b) in &angles[index + 1..] {
                if a == b {
                    continue;
                }
                let turn = |function: Function| if function == Sin { Cos } else { Sin };
                let (first_other, second_other) = (self.graph.call(turn(f), a), self.graph.call(turn(g), b));
                let rest = self.graph.product(Number::ONE, &[(monomial, 1), (first, -1), (second, -1)]);
                let swapped = self.graph.product(Number::ONE, &[(rest, 1), (first_other, 1), (second_other, 1)]);
                let Some(&j) = terms.get(&swapped) else { continue };
                let same = if j == k {
                    true
                } else if j == k.negated() {
                    false
                } else {
                    continue;
                };
                // cos a cos b ± sin a sin b = cos(a ∓ b), sin a cos b ± cos a sin b = sin(a ± b)
                let joined = if f == g {
                    let angle = self.angles_added(a, b, !same);
                    let cosine = self.call(Cos, angle);
                    // −(cos cos − sin sin) where it is the sines that carry k.
                    let sign = if same || f == Cos { Number::ONE } else { Number::MINUS_ONE };
                    self.graph.scale(sign, cosine)
                } else {
                    // k belongs to f(a)·g(b).
                    let angle = if f == Sin { self.angles_added(a, b, same) } else { self.angles_added(b, a, same) };
                    self.call(Sin, angle)
                };
                let together = self.graph.multiply(rest, joined);
                let (together, more) = self.split(together);
                return Some((swapped, vec![(together, k.times(more)?)]));
            }
        }
        None
    }

    /// `a + b` or `a − b`
    fn angles_added(&mut self, a: Id, b: Id, plus: bool) -> Id {
        if plus { self.graph.add(a, b) } else { self.graph.subtract(a, b) }
    }
}
