//! Sums: like terms are collected, and so are terms that differ only in what no state changes.

use super::graph::{FastMap, Graph, Id, Node};
use super::number::Number;

impl Graph {
    /// `Σ coefficient·term`
    pub fn sum(&mut self, terms: &[(Number, Id)]) -> Id {
        self.sum_with(Number::ZERO, terms)
    }

    /// `constant + Σ coefficient·term`
    pub fn sum_with(&mut self, constant: Number, terms: &[(Number, Id)]) -> Id {
        let mut constant = constant;
        let mut collected: Vec<(Number, Id)> = Vec::with_capacity(terms.len());
        for &(coefficient, term) in terms {
            let (coefficient, term) = match self.node(term) {
                _ if coefficient.is_zero() => continue,
                Node::Number(number) => match number.times(coefficient).and_then(|more| constant.plus(more)) {
                    Some(total) => {
                        constant = total;
                        continue;
                    }
                    None => (coefficient, term), // not finite: stays as it is
                },
                Node::Product { coefficient: inner, factors } if !inner.is_one() => match inner.times(coefficient) {
                    Some(outer) => {
                        let factors = factors.clone();
                        (outer, self.product(Number::ONE, &factors))
                    }
                    None => (coefficient, term),
                },
                _ => (coefficient, term),
            };
            collected.push((coefficient, term));
        }
        collected.sort_unstable_by_key(|&(_, term)| term);
        merge(&mut collected);
        if collected.len() > 1 {
            self.collect_fixed_parts(&mut collected);
        }
        match collected[..] {
            [] => self.number(constant),
            [(coefficient, term)] if constant.is_zero() => self.scale(coefficient, term),
            _ => self.intern(Node::Sum { constant, terms: collected.into() }),
        }
    }

    /// `m·x + M·x` becomes `(m + M)·x` where m and M are parameters: then the sum of parameters is formed once per set of
    /// parameters and not at every state.
    fn collect_fixed_parts(&mut self, terms: &mut Vec<(Number, Id)>) {
        let mixed = |graph: &Self, term: Id| {
            !graph.depends(term).is_fixed() && matches!(graph.node(term), Node::Product { .. })
        };
        if terms.iter().filter(|&&(_, term)| mixed(self, term)).count() == 0 {
            return;
        }
        let mut varying: Vec<(Id, Number, Id)> = Vec::with_capacity(terms.len()); // (what varies, coefficient, what is fixed)
        let mut seen: FastMap<Id, u32> = FastMap::default();
        for &(coefficient, term) in terms.iter() {
            let (fixed, rest) = if self.depends(term).is_fixed() { (term, Id::ONE) } else { self.fixed_part(term) };
            *seen.entry(rest).or_insert(0) += 1;
            varying.push((rest, coefficient, fixed));
        }
        if seen.iter().all(|(&rest, &count)| count == 1 || rest == Id::ONE) {
            return;
        }
        let mut result: Vec<(Number, Id)> = Vec::with_capacity(terms.len());
        let mut groups: Vec<(Id, Vec<(Number, Id)>)> = Vec::new();
        for (&(coefficient, term), &(rest, _, fixed)) in terms.iter().zip(&varying) {
            if rest == Id::ONE || seen[&rest] == 1 {
                result.push((coefficient, term));
            } else if let Some((_, group)) = groups.iter_mut().find(|(key, _)| *key == rest) {
                group.push((coefficient, fixed));
            } else {
                groups.push((rest, vec![(coefficient, fixed)]));
            }
        }
        for (rest, group) in groups {
            let factor = self.sum(&group);
            let term = self.multiply(factor, rest);
            match self.node(term) {
                Node::Number(number) if number.is_zero() => {}
                Node::Product { coefficient, factors } if !coefficient.is_one() => {
                    let (coefficient, factors) = (*coefficient, factors.clone());
                    result.push((coefficient, self.product(Number::ONE, &factors)));
                }
                _ => result.push((Number::ONE, term)),
            }
        }
        result.sort_unstable_by_key(|&(_, term)| term);
        merge(&mut result);
        *terms = result;
    }

    /// A term as a product of what no state changes and the rest.
    pub(super) fn fixed_part(&mut self, term: Id) -> (Id, Id) {
        if let Some(&split) = self.split.get(&term) {
            return split;
        }
        let Node::Product { coefficient, factors } = self.node(term) else { return (Id::ONE, term) };
        let (coefficient, factors) = (*coefficient, factors.clone());
        let is_fixed = |&&(factor, _): &&(Id, i32)| self.depends(factor).is_fixed();
        let fixed: Vec<_> = factors.iter().filter(is_fixed).copied().collect();
        let split = if fixed.is_empty() && coefficient.is_one() {
            (Id::ONE, term)
        } else {
            let rest: Vec<_> = factors.iter().filter(|factor| !is_fixed(factor)).copied().collect();
            (self.product(coefficient, &fixed), self.product(Number::ONE, &rest))
        };
        self.split.insert(term, split);
        split
    }
}

/// Adds up neighbours with the same term, and drops what cancels.
fn merge(terms: &mut Vec<(Number, Id)>) {
    let mut kept: usize = 0;
    for index in 0..terms.len() {
        let (coefficient, term) = terms[index];
        if kept > 0
            && terms[kept - 1].1 == term
            && let Some(total) = terms[kept - 1].0.plus(coefficient)
        {
            terms[kept - 1].0 = total;
            continue;
        }
        if kept > 0 && terms[kept - 1].0.is_zero() {
            kept -= 1;
        }
        terms[kept] = (coefficient, term);
        kept += 1;
    }
    if kept > 0 && terms[kept - 1].0.is_zero() {
        kept -= 1;
    }
    terms.truncate(kept);
}

#[cfg(test)]
mod tests {
    use super::super::{Function, Graph, Id, Number, Symbol};

    #[test]
    fn like_terms_are_collected_and_cancel() {
        let mut g = Graph::new();
        let x = g.symbol(Symbol::Position(0));
        let y = g.symbol(Symbol::Position(1));
        let two_x = g.add(x, x);
        assert_eq!(two_x, g.scale(Number::integer(2), x));
        let sum = g.add(two_x, y);
        assert_ne!(sum, Id::ZERO);
        assert_eq!(g.subtract(sum, sum), Id::ZERO);
        assert_eq!(g.sum(&[(Number::ONE, x), (Number::ONE, y), (Number::MINUS_ONE, x)]), y);
    }

    #[test]
    fn parameters_in_front_of_the_same_motion_add_up() {
        let mut g = Graph::new();
        let (m, n) = (g.symbol(Symbol::Parameter(0)), g.symbol(Symbol::Parameter(1)));
        let angle = g.symbol(Symbol::Position(0));
        let c = g.call(Function::Cos, angle);
        let (mc, nc) = (g.multiply(m, c), g.multiply(n, c));
        let sum = g.add(mc, nc);
        let both = g.add(m, n);
        assert_eq!(sum, g.multiply(both, c));
    }
}
