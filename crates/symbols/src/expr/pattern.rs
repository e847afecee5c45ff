//! Patterns: expressions that differ in nothing but the numbers of their symbols.
//!
//! The rods of a chain are one equation with other coordinates in it. What is derived from the first of them, renamed, is what
//! would be derived from the others: derivatives know nothing of names. So it is derived once, and written down for the others.

use super::graph::{FastMap, Graph, Id, Node, Symbol};
use super::number::Number;

/// Symbols that are renamed together: x, its velocity and its acceleration belong to one coordinate.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Class {
    Coordinate,
    Parameter,
    Row,
    Contact,
}

/// The class of a symbol, and its number; time is always time.
fn class(symbol: Symbol) -> Option<(Class, u32)> {
    match symbol {
        Symbol::Time => None,
        Symbol::Parameter(i) => Some((Class::Parameter, i)),
        Symbol::Position(i) | Symbol::Velocity(i) | Symbol::Acceleration(i) => Some((Class::Coordinate, i)),
        Symbol::Multiplier(i) | Symbol::Reaction(i) => Some((Class::Row, i)),
        Symbol::Slip(i) | Symbol::Normal(i) => Some((Class::Contact, i)),
    }
}

/// The same symbol with another number.
fn renumbered(symbol: Symbol, i: u32) -> Symbol {
    match symbol {
        Symbol::Time => Symbol::Time,
        Symbol::Parameter(_) => Symbol::Parameter(i),
        Symbol::Position(_) => Symbol::Position(i),
        Symbol::Velocity(_) => Symbol::Velocity(i),
        Symbol::Acceleration(_) => Symbol::Acceleration(i),
        Symbol::Multiplier(_) => Symbol::Multiplier(i),
        Symbol::Reaction(_) => Symbol::Reaction(i),
        Symbol::Slip(_) => Symbol::Slip(i),
        Symbol::Normal(_) => Symbol::Normal(i),
    }
}

/// The numbers of symbols, in the order in which they are met in an expression of some pattern.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Renaming(Vec<(Class, u32)>);

impl std::fmt::Debug for Class {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Coordinate => "q",
            Self::Parameter => "p",
            Self::Row => "row",
            Self::Contact => "contact",
        })
    }
}

impl Renaming {
    /// The number of a coordinate in an expression of the same pattern with other names; itself where it does not occur.
    pub fn coordinate(&self, to: &Self, i: usize) -> usize {
        let place = self.0.iter().position(|&known| known == (Class::Coordinate, i as u32));
        place.map_or(i, |place| to.0[place].1 as usize)
    }
}

/// Reads patterns, and numbers them.
#[derive(Default)]
pub struct ExpressionPattern {
    known: FastMap<Vec<u64>, usize>,
    words: Vec<u64>,
    local: FastMap<Id, u32>,
    stack: Vec<(Id, bool)>,
}

impl ExpressionPattern {
    /// The number of the pattern of `roots`, and the names in it. Patterns are numbered as they come.
    pub fn of(&mut self, graph: &Graph, roots: &[Id]) -> (usize, Renaming) {
        let mut names = Renaming::default();
        self.words.clear();
        self.local.clear();
        for &root in roots {
            self.stack.push((root, false));
            while let Some((id, ready)) = self.stack.pop() {
                if self.local.contains_key(&id) {
                    continue;
                }
                let node = graph.node(id);
                if !ready && !matches!(node, Node::Number(_) | Node::Pi | Node::Symbol(_)) {
                    self.stack.push((id, true));
                    node.operands(|operand| self.stack.push((operand, false)));
                    continue;
                }
                self.node(node, &mut names);
                let count = self.local.len() as u32;
                self.local.insert(id, count);
            }
        }
        self.words.extend(roots.iter().map(|root| u64::from(self.local[root])));
        let next = self.known.len();
        let number = match self.known.get(&self.words) {
            Some(&number) => number,
            None => {
                self.known.insert(self.words.clone(), next);
                next
            }
        };
        (number, names)
    }

    fn number(&mut self, number: Number) {
        match number.as_ratio() {
            Some((num, den)) => self.words.extend([num as u64, (num >> 64) as u64, den as u64, (den >> 64) as u64]),
            None => self.words.extend([u64::MAX, number.to_f64().to_bits()]),
        }
    }

    /// A node whose operands were read.
    fn node(&mut self, node: &Node, names: &mut Renaming) {
        let (kind, more): (u64, [u64; 2]) = match *node {
            Node::Number(_) => (0, [0, 0]),
            Node::Pi => (1, [0, 0]),
            Node::Symbol(symbol) => {
                let place = class(symbol).map_or(0, |name| {
                    names.0.iter().position(|&known| known == name).unwrap_or_else(|| {
                        names.0.push(name);
                        names.0.len() - 1
                    })
                });
                let kind = match symbol {
                    Symbol::Time => 0,
                    Symbol::Parameter(_) => 1,
                    Symbol::Position(_) => 2,
                    Symbol::Velocity(_) => 3,
                    Symbol::Acceleration(_) => 4,
                    Symbol::Multiplier(_) => 5,
                    Symbol::Reaction(_) => 6,
                    Symbol::Slip(_) => 7,
                    Symbol::Normal(_) => 8,
                };
                (2, [kind, place as u64])
            }
            Node::Sum { ref terms, .. } => (3, [terms.len() as u64, 0]),
            Node::Product { ref factors, .. } => (4, [factors.len() as u64, 0]),
            Node::Power(..) => (5, [0, 0]),
            Node::Call(function, ..) => (6, [function as u64, 0]),
            Node::Table { table, order, .. } => (7, [table.into(), order.into()]),
            Node::Compare(relation, ..) => (8, [relation as u64, 0]),
            Node::And(..) => (9, [0, 0]),
            Node::Or(..) => (10, [0, 0]),
            Node::Not(..) => (11, [0, 0]),
            Node::Select(..) => (12, [0, 0]),
            Node::Unspecified { ref function, ref orders, .. } => {
                (13, [function.name.len() as u64, orders.len() as u64])
            }
        };
        self.words.extend([kind, more[0], more[1]]);
        match *node {
            Node::Number(number) => self.number(number),
            Node::Sum { constant, ref terms } => {
                self.number(constant);
                terms.iter().for_each(|&(coefficient, _)| self.number(coefficient));
            }
            Node::Product { coefficient, ref factors } => {
                self.number(coefficient);
                self.words.extend(factors.iter().map(|&(_, exponent)| exponent as u64));
            }
            Node::Unspecified { ref function, ref orders, .. } => {
                self.words.extend(function.name.bytes().chain(orders.iter().copied()).map(u64::from));
            }
            _ => {}
        }
        node.operands(|operand| self.words.push(u64::from(self.local[&operand])));
    }
}

/// How to write down some expressions with other names.
#[derive(Debug)]
pub struct Recipe {
    /// Nodes whose operands are places in this list.
    nodes: Vec<Node>,
    /// For symbols, which name.
    names: Vec<Option<usize>>,
    results: Vec<usize>,
}

impl Recipe {
    /// For expressions in which the names are those of `names`, or others that stay as they are.
    pub fn new(graph: &Graph, expressions: &[Id], names: &Renaming) -> Self {
        let order = graph.reachable(expressions);
        let place: FastMap<Id, usize> = order.iter().enumerate().map(|(place, &id)| (id, place)).collect();
        let local = |id: Id| Id::from_index(place[&id]);
        let nodes = order.iter().map(|&id| with_operands(graph.node(id), local)).collect();
        let name = |&id: &Id| match *graph.node(id) {
            Node::Symbol(symbol) => class(symbol).and_then(|name| names.0.iter().position(|&known| known == name)),
            _ => None,
        };
        let names = order.iter().map(name).collect();
        Self { nodes, names, results: expressions.iter().map(|id| place[id]).collect() }
    }

    /// The expressions with the names of `names`; `made` is memory that is used again.
    pub fn write(&self, graph: &mut Graph, names: &Renaming, made: &mut Vec<Id>) -> Vec<Id> {
        made.clear();
        for (node, name) in self.nodes.iter().zip(&self.names) {
            let id = match (node, name) {
                (Node::Symbol(symbol), Some(name)) => graph.symbol(renumbered(*symbol, names.0[*name].1)),
                _ => graph.made_of(node, |operand| made[operand.index()]),
            };
            made.push(id);
        }
        self.results.iter().map(|&place| made[place]).collect()
    }
}

/// A node with other operands, nothing else changed.
fn with_operands(node: &Node, at: impl Fn(Id) -> Id) -> Node {
    match *node {
        Node::Sum { constant, ref terms } => {
            Node::Sum { constant, terms: terms.iter().map(|&(c, term)| (c, at(term))).collect() }
        }
        Node::Product { coefficient, ref factors } => {
            Node::Product { coefficient, factors: factors.iter().map(|&(factor, e)| (at(factor), e)).collect() }
        }
        Node::Power(a, b) => Node::Power(at(a), at(b)),
        Node::Call(function, a, b) if function.arity() == 2 => Node::Call(function, at(a), at(b)),
        Node::Call(function, a, b) => Node::Call(function, at(a), b),
        Node::Table { table, order, argument } => Node::Table { table, order, argument: at(argument) },
        Node::Unspecified { ref function, ref orders, ref arguments } => {
            let arguments = arguments.iter().map(|&argument| at(argument)).collect();
            Node::Unspecified { function: function.clone(), orders: orders.clone(), arguments }
        }
        Node::Compare(relation, a, b) => Node::Compare(relation, at(a), at(b)),
        Node::And(a, b) => Node::And(at(a), at(b)),
        Node::Or(a, b) => Node::Or(at(a), at(b)),
        Node::Not(a) => Node::Not(at(a)),
        Node::Select(condition, a, b) => Node::Select(at(condition), at(a), at(b)),
        Node::Number(_) | Node::Pi | Node::Symbol(_) => node.clone(),
    }
}
