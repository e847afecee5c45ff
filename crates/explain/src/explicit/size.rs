//! How long an expression is when it is written out.

use holonom_symbols::expr::{FastMap, Graph, Id, Node, Number};

/// Sizes of expressions as trees, remembered.
#[derive(Debug, Default)]
pub(super) struct Sizes {
    known: FastMap<Id, usize>,
}

impl Sizes {
    /// How many nodes `id` has when nothing is shared: symbols, numbers and operations.
    pub(super) fn of(&mut self, graph: &Graph, id: Id) -> usize {
        if let Some(&size) = self.known.get(&id) {
            return size;
        }
        let mut stack = vec![id];
        while let Some(&top) = stack.last() {
            let mut open = false;
            graph.node(top).operands(|operand| {
                if !self.known.contains_key(&operand) {
                    stack.push(operand);
                    open = true;
                }
            });
            if !open {
                stack.pop();
                let size = self.own(graph, top);
                self.known.insert(top, size);
            }
        }
        self.known[&id]
    }

    /// The size if it was asked for before, else 1.
    pub(super) fn known(&self, id: Id) -> usize {
        self.known.get(&id).copied().unwrap_or(1)
    }

    fn own(&self, graph: &Graph, id: Id) -> usize {
        // A number other than ±1 in front is a node, and so is an exponent other than ±1.
        let number = |n: Number| usize::from(n != Number::ONE && n != Number::MINUS_ONE);
        let mut size: usize = match graph.node(id) {
            Node::Sum { constant, terms } => {
                usize::from(!constant.is_zero()) + 1 + terms.iter().map(|&(c, _)| number(c)).sum::<usize>()
            }
            Node::Product { coefficient, factors } => {
                let powers: usize = factors.iter().map(|&(_, e)| usize::from(e.abs() != 1)).sum();
                number(*coefficient) + 1 + powers
            }
            _ => 1,
        };
        graph.node(id).operands(|operand| size = size.saturating_add(self.known(operand)));
        size
    }
}
