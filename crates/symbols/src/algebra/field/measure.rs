//! How long an expression is to read.

use crate::expr::{FastMap, Graph, Id, Node, Number};

/// How many nodes the tree of an expression has: names, numbers, functions and operations, with what is shared counted
/// as often as it stands there. A sum is one node and its summands, a product one and its factors, a power one, its base
/// and its exponent; division and minus are products with −1.
pub fn measure(graph: &Graph, id: Id) -> u64 {
    measure_all(graph, &[id])
}

/// The nodes of several expressions.
pub(super) fn measure_all(graph: &Graph, ids: &[Id]) -> u64 {
    let mut sizes: FastMap<Id, u64> = FastMap::default();
    for id in graph.reachable(ids) {
        let size = match graph.node(id) {
            Node::Sum { constant, terms } => {
                let start = 1 + u64::from(!constant.is_zero());
                terms.iter().fold(start, |sum, &(coefficient, term)| {
                    // A number before a product is one factor more; before anything else it makes a product.
                    let number = match graph.node(term) {
                        _ if coefficient.is_one() => 0,
                        Node::Product { .. } => 1,
                        _ => 2,
                    };
                    sum.saturating_add(sizes[&term] + number)
                })
            }
            Node::Product { coefficient, factors } => {
                let single = factors.len() == 1 && coefficient.is_one();
                let start = u64::from(!single) + number(*coefficient);
                factors.iter().fold(start, |sum, &(factor, exponent)| {
                    sum.saturating_add(sizes[&factor] + if exponent == 1 { 0 } else { 2 })
                })
            }
            node => {
                let mut sum = 1u64;
                node.operands(|operand| sum = sum.saturating_add(sizes[&operand]));
                sum
            }
        };
        sizes.insert(id, size.min(u64::MAX / 4));
    }
    ids.iter().fold(0, |sum: u64, id| sum.saturating_add(sizes[id]))
}

/// A number before a product: nothing, an integer, or an integer over another.
fn number(coefficient: Number) -> u64 {
    u64::from(!coefficient.is_one())
}
