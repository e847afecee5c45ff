//! How long a sum is, and the sum as an expression of the graph.

use super::tree::{Base, Sum, Term, number};
use super::{Extra, Writer};
use crate::expr::{Function, Id, Node, Number};
use std::rc::Rc;

impl Writer<'_> {
    /// A sum as something to raise to powers.
    pub(super) fn base(&self, sum: Sum) -> Base {
        let size = self.size(&sum);
        Base::Sum(Rc::new(sum), size)
    }

    /// How many nodes it takes, as [`measure`](super::super::measure) counts them.
    pub(super) fn size(&self, sum: &[Term]) -> u64 {
        let terms = sum.iter().map(|term| self.term_size(term)).fold(0, u64::saturating_add);
        terms + u64::from(sum.len() != 1)
    }

    pub(super) fn term_size(&self, term: &Term) -> u64 {
        let number = u64::from(term.has_number());
        match &term.factors[..] {
            [] => 1,
            [(base, exponent)] if number == 0 => self.base_size(base) + if *exponent == 1 { 0 } else { 2 },
            factors => factors.iter().fold(1 + number, |sum: u64, (base, exponent)| {
                sum.saturating_add(self.base_size(base) + if *exponent == 1 { 0 } else { 2 })
            }),
        }
    }

    fn base_size(&self, base: &Base) -> u64 {
        match base {
            Base::Atom(variable) => self.atom_size(*variable),
            Base::Sum(_, size) => *size,
        }
    }

    /// A sum as an expression of the graph.
    pub(super) fn emit(&mut self, sum: &[Term]) -> Id {
        if let [term] = sum {
            return self.emit_term(term);
        }
        let mut terms: Vec<(Number, Id)> = Vec::with_capacity(sum.len());
        for term in sum {
            terms.push((Number::ONE, self.emit_term(term)));
        }
        self.graph.sum(&terms)
    }

    /// √2·√g·√h is √(2gh), and 1/√g·1/√h is 1/√(gh).
    fn with_roots_together(&mut self, factors: &[(Base, i32)]) -> Vec<(Base, i32)> {
        let mut together = factors.to_vec();
        for side in [1, -1] {
            let root = |(base, exponent): &(Base, i32)| match base {
                Base::Atom(variable) if *exponent == side && self.is_square_root(*variable) => Some(*variable),
                _ => None,
            };
            let roots: Vec<u32> = together.iter().filter_map(root).collect();
            if roots.len() > 1 {
                together.retain(|factor| root(factor).is_none());
                let joined = self.extra(Extra::Root(roots));
                together.push((Base::Atom(joined), side));
            }
        }
        together
    }

    /// Whether a variable is a square root as it stands.
    fn is_square_root(&self, variable: u32) -> bool {
        let Some(&id) = self.expressions.get(&variable) else { return false };
        variable < self.beyond() && matches!(self.graph.node(id), Node::Call(Function::Sqrt, ..))
    }

    fn emit_term(&mut self, term: &Term) -> Id {
        let mut factors = Vec::with_capacity(term.factors.len());
        for (base, exponent) in &self.with_roots_together(&term.factors) {
            let id = match base {
                Base::Atom(variable) => self.expression(*variable),
                Base::Sum(sum, _) => self.emit(&sum.clone()),
            };
            factors.push((id, *exponent));
        }
        self.graph.product(number(&term.number), &factors)
    }
}
