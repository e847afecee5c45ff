//! Where expressions are cut: what many of them share is computed once, and a long sum term by term.

use holonom_symbols::expr::{Graph, Id, Node};

/// A sum of more terms than this that vary is added up from values of its terms.
const LONG: usize = 32;
/// What takes at least this many operations and is needed in several places is computed once.
const HEAVY: u16 = 12;
/// What a function counts as, in operations.
const FUNCTION: u16 = 16;
/// Nothing counts as more than this.
const MOST: u16 = 1000;

const NOBODY: u32 = u32::MAX;
const MANY: u32 = u32::MAX - 1;

/// The expressions that some items are made of, and which of them are cut.
pub(super) struct Cuts {
    /// All of them, operands first.
    pub order: Vec<Id>,
    /// The place in `order`, by the number of an expression.
    place: Vec<u32>,
    /// A number that is the same for expressions which differ in nothing but symbols and numbers.
    likeness: Vec<u64>,
    cut: Vec<bool>,
    /// About how many operations one program for all items takes.
    pub operations: usize,
}

impl Cuts {
    /// About how many operations `roots` take as one program.
    pub fn estimate(graph: &Graph, roots: &[Id]) -> (Vec<Id>, usize) {
        let order = graph.reachable(roots);
        let varying = order.iter().filter(|&&id| !graph.depends(id).is_fixed());
        let operations = varying.map(|&id| steps(graph.node(id))).sum();
        (order, operations)
    }

    /// Cuts the expressions of `items`, which are made of `order`.
    pub fn new<'a>(
        graph: &Graph,
        (order, operations): (Vec<Id>, usize),
        items: impl Iterator<Item = impl Iterator<Item = &'a Id>>,
    ) -> Self {
        let mut place = vec![NOBODY; graph.len()];
        order.iter().zip(0..).for_each(|(id, number)| place[id.index()] = number);
        let (costs, likeness) = costs_and_likeness(graph, &order, &place);
        let mut cuts = Self { cut: vec![false; order.len()], order, place, likeness, operations };
        let mut users = vec![NOBODY; cuts.order.len()];
        let mut next = 0;
        for item in items {
            item.for_each(|&root| meet(&mut users, cuts.at(root), next));
            next += 1;
        }
        // Users come after what they use: backwards all users of an expression are known when it is reached.
        for at in (0..cuts.order.len()).rev() {
            let id = cuts.order[at];
            let user = users[at];
            if user == NOBODY || graph.depends(id).is_fixed() || matches!(graph.node(id), Node::Symbol(_)) {
                continue;
            }
            let long = is_long(graph, id);
            cuts.cut[at] = long || user == MANY && costs[at] >= HEAVY;
            let fresh = cuts.cut[at];
            let mut user = user;
            if fresh {
                user = next;
                next += 1;
            }
            graph.node(id).operands(|operand| {
                meet(&mut users, cuts.at(operand), user);
                if long {
                    user = next;
                    next += 1;
                }
            });
        }
        cuts
    }

    /// The place of an expression among all of them.
    pub fn at(&self, id: Id) -> usize {
        self.place[id.index()] as usize
    }

    /// Whether it is cut.
    pub fn is_cut(&self, id: Id) -> bool {
        self.cut[self.at(id)]
    }

    /// The same for expressions which differ in nothing but symbols and numbers, and hardly ever for others.
    pub fn likeness(&self, id: Id) -> u64 {
        self.likeness[self.at(id)]
    }
}

/// Whether a sum is added up from values of its terms.
pub(super) fn is_long(graph: &Graph, id: Id) -> bool {
    match graph.node(id) {
        Node::Sum { terms, .. } if terms.len() > LONG => {
            terms.iter().filter(|(_, term)| !graph.depends(*term).is_fixed()).count() > LONG
        }
        _ => false,
    }
}

fn meet(users: &mut [u32], at: usize, user: u32) {
    users[at] = if users[at] == NOBODY || users[at] == user { user } else { MANY };
}

/// About how many steps of a program a node takes.
fn steps(node: &Node) -> usize {
    match node {
        Node::Number(_) | Node::Pi | Node::Symbol(_) => 0,
        Node::Sum { terms, .. } => terms.len(),
        Node::Product { factors, .. } => factors.len(),
        _ => 1,
    }
}

/// How long a node takes, in operations of arithmetic.
fn own_cost(node: &Node) -> u16 {
    match node {
        Node::Power(..) | Node::Call(..) | Node::Table { .. } | Node::Unspecified { .. } => FUNCTION,
        _ => steps(node).min(usize::from(MOST)) as u16,
    }
}

fn costs_and_likeness(graph: &Graph, order: &[Id], place: &[u32]) -> (Vec<u16>, Vec<u64>) {
    let (mut costs, mut likeness) = (Vec::with_capacity(order.len()), Vec::with_capacity(order.len()));
    for &id in order {
        let node = graph.node(id);
        if graph.depends(id).is_fixed() {
            costs.push(0u16);
            likeness.push(mixed(1, 0));
            continue;
        }
        let mut cost = own_cost(node);
        node.operands(|operand| cost = cost.saturating_add(costs[place[operand.index()] as usize]).min(MOST));
        costs.push(cost);
        let of = |operand: Id| likeness[place[operand.index()] as usize];
        // The order of terms and factors is that in which they were made, and says nothing.
        let value = match node {
            Node::Symbol(symbol) => mixed(2, super::shape::kind(*symbol).0.into()),
            Node::Sum { terms, .. } => terms.iter().fold(3, |sum: u64, &(coefficient, term)| {
                sum.wrapping_add(mixed(of(term), u64::from(coefficient.is_negative())))
            }),
            Node::Product { factors, .. } => factors
                .iter()
                .fold(5, |sum: u64, &(factor, exponent)| sum.wrapping_add(mixed(of(factor), exponent as u64))),
            _ => {
                let mut value = 7;
                node.operands(|operand| value = mixed(value, of(operand)));
                value
            }
        };
        likeness.push(mixed(value, 11));
    }
    (costs, likeness)
}

fn mixed(a: u64, b: u64) -> u64 {
    let z = (a.rotate_left(23) ^ b).wrapping_add(0x9e37_79b9_7f4a_7c15).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z ^ (z >> 29)
}
