//! The order in which a person writes terms and factors.

use std::cmp::Reverse;

use crate::expr::graph::{Depends, FastMap, Graph, Id, Node, Symbol};

/// What the order of terms and factors goes by, for every node.
pub(super) struct Order {
    keys: FastMap<Id, Key>,
}

#[derive(Clone, Copy)]
struct Key {
    /// Accelerations, then velocities, positions, time, parameters, numbers.
    kind: u8,
    /// The degree in what varies.
    degree: i32,
    /// The first symbol, what varies before parameters.
    first: Option<(bool, Symbol)>,
    /// Numbers, parameters, sums of them, what varies, sums of that, functions.
    rank: u8,
}

impl Order {
    pub(super) fn new(graph: &Graph, reachable: &[Id]) -> Self {
        let mut keys: FastMap<Id, Key> = FastMap::default();
        for &id in reachable {
            let depends = graph.depends(id);
            let kinds = [
                Depends::ACCELERATION,
                Depends::VELOCITY,
                Depends::FORCE | Depends::CONTACT,
                Depends::POSITION,
                Depends::TIME,
                Depends::PARAMETER,
            ];
            let kind = kinds.iter().position(|&kind| depends.on(kind)).map_or(0, |place| 6 - place as u8);
            let node = graph.node(id);
            let mut first: Option<(bool, Symbol)> = None;
            node.operands(|operand| {
                let other = keys[&operand].first;
                first = match (first, other) {
                    (Some(a), Some(b)) => Some(a.min(b)),
                    (a, b) => a.or(b),
                };
            });
            let degree = match node {
                Node::Symbol(symbol) => {
                    let fixed = matches!(symbol, Symbol::Parameter(_));
                    first = Some((fixed, *symbol));
                    i32::from(!fixed)
                }
                Node::Product { factors, .. } => factors
                    .iter()
                    .fold(0i32, |sum, &(factor, e)| sum.saturating_add(keys[&factor].degree.saturating_mul(e))),
                Node::Sum { terms, .. } => terms.iter().map(|&(_, term)| keys[&term].degree).max().unwrap_or(0),
                _ => 0,
            };
            let rank = match node {
                Node::Number(_) => 0,
                Node::Pi => 1,
                Node::Symbol(Symbol::Parameter(_)) => 2,
                Node::Sum { .. } if depends.is_fixed() => 3,
                Node::Symbol(_) => 4,
                Node::Sum { .. } => 5,
                _ => 6,
            };
            keys.insert(id, Key { kind, degree, first, rank });
        }
        Self { keys }
    }

    /// Terms of a sum: the highest derivative first, then the highest power, then by declaration.
    pub(super) fn of_term(&self, id: Id) -> impl Ord + use<> {
        let key = self.keys[&id];
        (Reverse(key.kind), Reverse(key.degree), key.first, id)
    }

    /// Factors of a product: numbers, parameters in the order of their declaration, then what varies, then functions.
    pub(super) fn of_factor(&self, id: Id) -> impl Ord + use<> {
        let key = self.keys[&id];
        (key.rank, key.first, id)
    }
}
