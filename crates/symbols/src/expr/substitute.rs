//! Expressions with something else in place of their symbols, or in another graph.

use super::graph::{FastMap, Graph, Id, Node, Symbol};

impl Graph {
    /// `roots` with symbols replaced: where `value` gives an expression, it stands in place of the symbol.
    pub fn substitute(&mut self, roots: &[Id], mut value: impl FnMut(Symbol) -> Option<Id>) -> Vec<Id> {
        self.replace(roots, &mut value)
    }

    /// `roots` with some expressions replaced by others, wherever they occur.
    pub fn exchange(&mut self, roots: &[Id], with: &FastMap<Id, Id>) -> Vec<Id> {
        let mut new: FastMap<Id, Id> = FastMap::default();
        for id in self.reachable(roots) {
            let node = self.node(id).clone();
            let mut changed = false;
            node.operands(|operand| changed |= new.contains_key(&operand));
            let replaced = match with.get(&id) {
                Some(other) => *other,
                None if changed => self.made_of(&node, |operand| new.get(&operand).copied().unwrap_or(operand)),
                None => id,
            };
            if replaced != id {
                new.insert(id, replaced);
            }
        }
        roots.iter().map(|root| new.get(root).copied().unwrap_or(*root)).collect()
    }

    /// What `substitute` does. It is compiled once, and not once for every caller.
    fn replace(&mut self, roots: &[Id], value: &mut dyn FnMut(Symbol) -> Option<Id>) -> Vec<Id> {
        let mut new: FastMap<Id, Id> = FastMap::default();
        for id in self.reachable(roots) {
            let node = self.node(id).clone();
            let replaced = match node {
                Node::Symbol(symbol) => value(symbol).unwrap_or(id),
                _ => {
                    let mut changed = false;
                    node.operands(|operand| changed |= new.contains_key(&operand));
                    if changed {
                        self.made_of(&node, |operand| new.get(&operand).copied().unwrap_or(operand))
                    } else {
                        id
                    }
                }
            };
            if replaced != id {
                new.insert(id, replaced);
            }
        }
        roots.iter().map(|root| new.get(root).copied().unwrap_or(*root)).collect()
    }

    /// What `node` says, made of other operands: those that `at` gives in place of its own. It may come from another graph with the same tables.
    pub fn made_of(&mut self, node: &Node, at: impl Fn(Id) -> Id) -> Id {
        match *node {
            Node::Symbol(symbol) => self.symbol(symbol),
            Node::Number(number) => self.number(number),
            Node::Pi => self.pi(),
            Node::Sum { constant, ref terms } => {
                let terms: Vec<_> = terms.iter().map(|&(c, term)| (c, at(term))).collect();
                self.sum_with(constant, &terms)
            }
            Node::Product { coefficient, ref factors } => {
                let factors: Vec<_> = factors.iter().map(|&(factor, e)| (at(factor), e)).collect();
                self.product(coefficient, &factors)
            }
            Node::Power(base, exponent) => self.power(at(base), at(exponent)),
            Node::Call(function, a, _) if function.arity() == 1 => self.call(function, at(a)),
            Node::Call(function, a, b) => self.call2(function, at(a), at(b)),
            Node::Table { table, order, argument } => self.table(table, order, at(argument)),
            Node::Unspecified { ref function, ref orders, ref arguments } => {
                let arguments: Vec<Id> = arguments.iter().map(|&argument| at(argument)).collect();
                self.unspecified(function, orders, &arguments)
            }
            Node::Compare(relation, a, b) => self.compare(relation, at(a), at(b)),
            Node::And(a, b) => self.and(at(a), at(b)),
            Node::Or(a, b) => self.or(at(a), at(b)),
            Node::Not(a) => self.not(at(a)),
            Node::Select(condition, a, b) => self.select(at(condition), at(a), at(b)),
        }
    }
}
