//! Products: factors with integer exponents, each base once.

use super::function::Function;
use super::graph::{Graph, Id, Node};
use super::number::Number;

impl Graph {
    /// `coefficient·Π factor^exponent`
    pub fn product(&mut self, coefficient: Number, factors: &[(Id, i32)]) -> Id {
        let mut coefficient = coefficient;
        let mut collected: Vec<(Id, i32)> = Vec::with_capacity(factors.len());
        for &(factor, exponent) in factors {
            if exponent == 0 {
                continue;
            }
            match self.node(factor) {
                Node::Number(number) => match number.power(exponent).and_then(|power| coefficient.times(power)) {
                    Some(total) => coefficient = total,
                    None => {
                        let exponent = self.integer(i64::from(exponent));
                        let power = self.raw_power(factor, exponent);
                        collected.push((power, 1));
                    }
                },
                Node::Product { coefficient: inner, factors } => {
                    let (inner, factors) = (*inner, factors.clone());
                    let outer = inner.power(exponent).and_then(|power| coefficient.times(power));
                    let raised: Option<Vec<_>> =
                        factors.iter().map(|&(base, e)| Some((base, e.checked_mul(exponent)?))).collect();
                    match (outer, raised) {
                        (Some(outer), Some(raised)) => {
                            coefficient = outer;
                            collected.extend(raised);
                        }
                        _ => {
                            let exponent = self.integer(i64::from(exponent));
                            let power = self.raw_power(factor, exponent);
                            collected.push((power, 1));
                        }
                    }
                }
                // (√x)² is x, where x is known not to be negative.
                &Node::Call(_, x, _) if self.is_whole_root(factor, exponent) => {
                    let power = self.integer_power(x, exponent / 2);
                    match self.node(power) {
                        Node::Product { coefficient: inner, factors } if inner.is_one() => {
                            collected.extend(factors.clone().iter());
                        }
                        _ => collected.push((power, 1)),
                    }
                }
                _ => collected.push((factor, exponent)),
            }
        }
        if coefficient.is_zero() {
            return Id::ZERO;
        }
        collected.sort_unstable();
        self.merge_factors(&mut collected);
        if self.join_roots(&mut collected)
            || collected.iter().any(|&(factor, exponent)| self.is_whole_root(factor, exponent))
        {
            return self.product(coefficient, &collected);
        }
        match collected[..] {
            [] => self.number(coefficient),
            [(factor, 1)] if coefficient.is_one() => factor,
            _ => self.intern(Node::Product { coefficient, factors: collected.into() }),
        }
    }

    /// x/√x is √x, also where x is zero and the quotient is not defined: so the drag |v|²v/|v| vanishes at rest.
    ///
    /// Says whether there was something to join.
    fn join_roots(&self, factors: &mut Vec<(Id, i32)>) -> bool {
        for root in 0..factors.len() {
            let (factor, below) = factors[root];
            let Node::Call(Function::Sqrt, x, _) = *self.node(factor) else { continue };
            let Some(whole) = factors.iter().position(|&(base, above)| base == x && above > 0) else { continue };
            if below > 0 || !self.is_never_negative(x) {
                continue;
            }
            let Some(exponent) = factors[whole].1.checked_mul(2).and_then(|twice| twice.checked_add(below)) else {
                continue;
            };
            factors[root].1 = exponent;
            factors.remove(whole);
            return true;
        }
        false
    }

    /// An even power of a root of what is never negative.
    fn is_whole_root(&self, factor: Id, exponent: i32) -> bool {
        exponent % 2 == 0 && matches!(*self.node(factor), Node::Call(Function::Sqrt, x, _) if self.is_never_negative(x))
    }

    /// Adds the exponents of neighbours with the same base, and drops what cancels.
    fn merge_factors(&mut self, factors: &mut Vec<(Id, i32)>) {
        let mut kept: Vec<(Id, i32)> = Vec::with_capacity(factors.len());
        let mut beyond = Vec::new();
        for &(base, exponent) in factors.iter() {
            match kept.last_mut() {
                Some((last, total)) if *last == base => match total.checked_add(exponent) {
                    Some(sum) => *total = sum,
                    None => {
                        // Beyond the range of exponents: a factor of its own.
                        let exponent = self.integer(i64::from(exponent));
                        beyond.push((self.raw_power(base, exponent), 1));
                    }
                },
                _ => kept.push((base, exponent)),
            }
        }
        kept.retain(|&(_, exponent)| exponent != 0);
        if !beyond.is_empty() {
            kept.extend(beyond);
            kept.sort_unstable();
            kept.dedup_by_key(|&mut (base, _)| base);
        }
        *factors = kept;
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Function, Graph, Id, Number, Symbol};

    #[test]
    fn exponents_add_up() {
        let mut g = Graph::new();
        let x = g.symbol(Symbol::Position(0));
        let y = g.symbol(Symbol::Position(1));
        let xy = g.multiply(x, y);
        let square = g.multiply(xy, x);
        assert_eq!(square, g.product(Number::ONE, &[(x, 2), (y, 1)]));
        assert_eq!(g.divide(square, xy), x);
        let half = g.number(Number::ratio(1, 2).unwrap());
        let squared = g.product(Number::ONE, &[(x, 2)]);
        let root = g.power(squared, half);
        assert_eq!(root, g.call(Function::Sqrt, squared)); // |x|, not x
        assert_eq!(g.multiply(root, root), squared);
    }

    #[test]
    fn roots_leave_no_hole_where_they_vanish() {
        // The cube of a length, differentiated: 3 |v| x, which is 0 at rest.
        let mut g = Graph::new();
        let (x, y) = (g.symbol(Symbol::Velocity(0)), g.symbol(Symbol::Velocity(1)));
        let (xx, yy) = (g.integer_power(x, 2), g.integer_power(y, 2));
        let square = g.add(xx, yy);
        let length = g.call(Function::Sqrt, square);
        let cube = g.integer_power(length, 3);
        let slope = g.partial(cube, Symbol::Velocity(0));
        assert_eq!(g.evaluate(&[slope], |_| 0.0)[0], 0.0);
        let gradient = g.gradient(cube, &[Symbol::Velocity(0)])[0];
        assert_eq!(g.evaluate(&[gradient], |_| 0.0)[0], 0.0);
    }

    #[test]
    fn nothing_overflows() {
        let mut g = Graph::new();
        let x = g.symbol(Symbol::Position(0));
        let big = g.integer_power(x, i32::MAX);
        let bigger = g.multiply(big, big);
        assert_ne!(bigger, big);
        let zero = g.divide(Id::ONE, Id::ZERO);
        assert!(g.as_number(zero).is_none());
        let ten = g.integer(10);
        let huge = g.integer_power(ten, 400);
        assert!(g.as_number(huge).is_none());
    }
}
