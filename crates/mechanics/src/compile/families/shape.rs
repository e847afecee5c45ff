//! The shape of expressions: what is left of them when symbols and numbers are taken out.
//!
//! A shape is a list of words that a graph can be made of again; what was taken out are its slots, in the order in which
//! they are met. Expressions of one shape differ in the contents of their slots alone.

use super::cut::Cuts;
use holonom_symbols::expr::{FastMap, Graph, Id, Node, Number, Symbol};

/// What a slot is filled with: an input of some kind, something fixed (numbers too), or a value that was computed before.
pub(super) type Kind = u8;
pub(super) const TIME: Kind = 7;
pub(super) const FIXED: Kind = 8;
pub(super) const COMPUTED: Kind = 9;

/// The kind of a symbol and its number. The first seven kinds are those of [`Inputs`](super::super::Inputs), in order.
pub(super) fn kind(symbol: Symbol) -> (Kind, u32) {
    match symbol {
        Symbol::Time => (TIME, 0),
        Symbol::Position(i) => (0, i),
        Symbol::Velocity(i) => (1, i),
        Symbol::Acceleration(i) => (2, i),
        Symbol::Multiplier(i) => (3, i),
        Symbol::Reaction(i) => (4, i),
        Symbol::Slip(i) => (5, i),
        Symbol::Normal(i) => (6, i),
        Symbol::Parameter(i) => (FIXED, i),
    }
}

/// Words of shapes.
pub(super) mod word {
    /// A slot; its kind follows.
    pub const SLOT: u32 = 0;
    /// A sum: how many terms, what is fixed in it, then (coefficient, expression) for each.
    pub const SUM: u32 = 1;
    /// A product: how many factors, what is fixed in it, then (expression, exponent) for each.
    pub const PRODUCT: u32 = 2;
    /// Another operation: which of those of the shape's list, how many operands, then these.
    pub const OTHER: u32 = 3;
    /// The end: how many results, then (coefficient, expression) for each.
    pub const RESULTS: u32 = 4;

    /// A coefficient, or what is fixed in a sum or product: 1 or nothing, −1, or a slot.
    pub const PLAIN: u32 = 0;
    pub const OPPOSITE: u32 = 1;
    pub const IN_SLOT: u32 = 2;
}

/// What depends on parameters alone, in a graph of its own; and numbers.
pub(super) struct Fixed<'a> {
    from: &'a Graph,
    pub graph: Graph,
    known: FastMap<Id, Id>,
    /// Expressions of `graph`, by the number that slots know them by.
    pub values: Vec<Id>,
    numbers: FastMap<Id, u32>,
}

impl<'a> Fixed<'a> {
    pub fn new(from: &'a Graph) -> Self {
        Self {
            from,
            graph: Graph::with_tables_of(from),
            known: FastMap::default(),
            values: vec![],
            numbers: FastMap::default(),
        }
    }

    /// An expression of the model's graph in this one.
    fn import(&mut self, id: Id) -> Id {
        let mut stack = vec![id];
        while let Some(&top) = stack.last() {
            let before = stack.len();
            let node = self.from.node(top);
            if !self.known.contains_key(&top) {
                node.operands(|operand| {
                    if !self.known.contains_key(&operand) {
                        stack.push(operand);
                    }
                });
                if stack.len() > before {
                    continue;
                }
                let known = &self.known;
                let here = self.graph.made_of(node, |operand| known[&operand]);
                self.known.insert(top, here);
            }
            stack.pop();
        }
        self.known[&id]
    }

    fn number_of(&mut self, here: Id) -> u32 {
        *self.numbers.entry(here).or_insert_with(|| {
            self.values.push(here);
            (self.values.len() - 1) as u32
        })
    }

    /// The number of an expression.
    pub fn of(&mut self, id: Id) -> u32 {
        let here = self.import(id);
        self.number_of(here)
    }

    fn of_number(&mut self, number: Number) -> u32 {
        let here = self.graph.number(number);
        self.number_of(here)
    }

    /// `constant + Σ coefficient·term`
    pub fn sum(&mut self, constant: Number, terms: &[(Number, Id)]) -> u32 {
        let terms: Vec<_> = terms.iter().map(|&(coefficient, term)| (coefficient, self.import(term))).collect();
        let here = self.graph.sum_with(constant, &terms);
        self.number_of(here)
    }

    fn product(&mut self, coefficient: Number, factors: &[(Id, i32)]) -> u32 {
        let factors: Vec<_> = factors.iter().map(|&(factor, exponent)| (self.import(factor), exponent)).collect();
        let here = self.graph.product(coefficient, &factors);
        self.number_of(here)
    }
}

/// Reads shapes off expressions.
pub(super) struct Reader<'a> {
    graph: &'a Graph,
    pub fixed: Fixed<'a>,
    /// Operations that are no sums and products, as nodes with the same operand everywhere.
    pub operations: Vec<Node>,
    operation_numbers: FastMap<Node, u32>,
    /// The number of an expression within the shape that is being read, and which shape that was.
    local: Vec<(u32, u32)>,
    turn: u32,
    count: u32,
    pub words: Vec<u32>,
    pub kinds: Vec<Kind>,
    pub slots: Vec<u32>,
}

impl<'a> Reader<'a> {
    pub fn new(graph: &'a Graph, cuts: &Cuts) -> Self {
        Self {
            graph,
            fixed: Fixed::new(graph),
            operations: vec![],
            operation_numbers: FastMap::default(),
            local: vec![(0, 0); cuts.order.len()],
            turn: 0,
            count: 0,
            words: vec![],
            kinds: vec![],
            slots: vec![],
        }
    }

    /// Reads the shape of `roots`, with a coefficient each, into `words` and `slots`. What is cut is taken as computed, in the place that
    /// `computed` gives, but `whole` is not.
    pub fn read(
        &mut self,
        cuts: &Cuts,
        roots: &[(Number, Id)],
        whole: Option<Id>,
        mut computed: impl FnMut(Id) -> u32,
    ) {
        self.words.clear();
        self.kinds.clear();
        self.slots.clear();
        self.turn += 1;
        self.count = 0;
        let mut stack: Vec<(Id, bool)> = Vec::new();
        for &(_, root) in roots {
            stack.push((root, false));
            while let Some((id, ready)) = stack.pop() {
                if self.local[cuts.at(id)].0 == self.turn {
                    continue;
                }
                if ready {
                    self.operation(cuts, id);
                } else if self.graph.depends(id).is_fixed() {
                    self.leaf(FIXED, |fixed| fixed.of(id));
                } else if cuts.is_cut(id) && whole != Some(id) {
                    let place = computed(id);
                    self.leaf(COMPUTED, |_| place);
                } else if let Node::Symbol(symbol) = *self.graph.node(id) {
                    let (kind, number) = kind(symbol);
                    self.leaf(kind, |_| number);
                } else {
                    stack.push((id, true));
                    let start = stack.len();
                    let associative = matches!(self.graph.node(id), Node::Sum { .. } | Node::Product { .. });
                    self.graph.node(id).operands(|operand| {
                        if !(associative && self.graph.depends(operand).is_fixed()) {
                            stack.push((operand, false));
                        }
                    });
                    if associative {
                        stack[start..].sort_unstable_by_key(|&(id, _)| (cuts.likeness(id), id));
                    }
                    // The last is taken first.
                    stack[start..].reverse();
                    continue;
                }
                self.local[cuts.at(id)] = (self.turn, self.count);
                self.count += 1;
            }
        }
        self.words.extend([word::RESULTS, roots.len() as u32]);
        for &(coefficient, root) in roots {
            self.coefficient(coefficient);
            self.words.push(self.local[cuts.at(root)].1);
        }
    }

    fn leaf(&mut self, kind: Kind, content: impl FnOnce(&mut Fixed) -> u32) {
        self.words.extend([word::SLOT, kind.into()]);
        let content = content(&mut self.fixed);
        self.slot(kind, content);
    }

    fn slot(&mut self, kind: Kind, content: u32) {
        self.kinds.push(kind);
        self.slots.push(content);
    }

    fn coefficient(&mut self, coefficient: Number) {
        let class = match coefficient {
            Number::ONE => word::PLAIN,
            Number::MINUS_ONE => word::OPPOSITE,
            _ => word::IN_SLOT,
        };
        self.words.push(class);
        if class == word::IN_SLOT {
            let content = self.fixed.of_number(coefficient);
            self.slot(FIXED, content);
        }
    }

    /// An operation whose operands were read.
    fn operation(&mut self, cuts: &Cuts, id: Id) {
        let graph = self.graph;
        let is_fixed = |id: Id| graph.depends(id).is_fixed();
        let local = |reader: &Self, id: Id| reader.local[cuts.at(id)].1;
        match graph.node(id) {
            Node::Sum { constant, terms } => {
                let (fixed, mut varying): (Vec<_>, Vec<_>) = terms.iter().copied().partition(|&(_, t)| is_fixed(t));
                varying.sort_unstable_by_key(|&(_, term)| local(self, term));
                self.words.extend([word::SUM, varying.len() as u32]);
                if fixed.is_empty() && constant.is_zero() {
                    self.words.push(word::PLAIN);
                } else {
                    self.words.push(word::IN_SLOT);
                    let content = self.fixed.sum(*constant, &fixed);
                    self.slot(FIXED, content);
                }
                for (coefficient, term) in varying {
                    self.coefficient(coefficient);
                    self.words.push(local(self, term));
                }
            }
            Node::Product { coefficient, factors } => {
                let (fixed, mut varying): (Vec<_>, Vec<_>) = factors.iter().copied().partition(|&(f, _)| is_fixed(f));
                varying.sort_unstable_by_key(|&(factor, _)| local(self, factor));
                self.words.extend([word::PRODUCT, varying.len() as u32]);
                if fixed.is_empty() {
                    self.coefficient(*coefficient);
                } else {
                    self.words.push(word::IN_SLOT);
                    let content = self.fixed.product(*coefficient, &fixed);
                    self.slot(FIXED, content);
                }
                for (factor, exponent) in varying {
                    self.words.extend([local(self, factor), exponent as u32]);
                }
            }
            node => {
                let plain = without_operands(node);
                let number = *self.operation_numbers.entry(plain).or_insert_with_key(|plain| {
                    self.operations.push(plain.clone());
                    (self.operations.len() - 1) as u32
                });
                self.words.extend([word::OTHER, number, 0]);
                let count = self.words.len() - 1;
                node.operands(|operand| self.words.push(local(self, operand)));
                self.words[count] = (self.words.len() - count - 1) as u32;
            }
        }
    }
}

/// An operation that is no sum and no product, with 0 for its operands.
fn without_operands(node: &Node) -> Node {
    let zero = Id::ZERO;
    match *node {
        Node::Power(..) => Node::Power(zero, zero),
        Node::Call(function, ..) => Node::Call(function, zero, zero),
        Node::Table { table, order, .. } => Node::Table { table, order, argument: zero },
        Node::Unspecified { ref function, ref orders, .. } => {
            let arguments = orders.iter().map(|_| zero).collect();
            Node::Unspecified { function: function.clone(), orders: orders.clone(), arguments }
        }
        Node::Compare(relation, ..) => Node::Compare(relation, zero, zero),
        Node::And(..) => Node::And(zero, zero),
        Node::Or(..) => Node::Or(zero, zero),
        Node::Not(..) => Node::Not(zero),
        Node::Select(..) => Node::Select(zero, zero, zero),
        ref other => other.clone(),
    }
}

/// The same operation with these operands.
pub(super) fn with_operands(node: &Node, operands: &[Id]) -> Node {
    match (node, operands) {
        (Node::Power(..), &[a, b]) => Node::Power(a, b),
        (&Node::Call(function, ..), &[a]) => Node::Call(function, a, Id::ZERO),
        (&Node::Call(function, ..), &[a, b]) => Node::Call(function, a, b),
        (&Node::Table { table, order, .. }, &[argument]) => Node::Table { table, order, argument },
        (Node::Unspecified { function, orders, .. }, arguments) => {
            Node::Unspecified { function: function.clone(), orders: orders.clone(), arguments: arguments.into() }
        }
        (&Node::Compare(relation, ..), &[a, b]) => Node::Compare(relation, a, b),
        (Node::And(..), &[a, b]) => Node::And(a, b),
        (Node::Or(..), &[a, b]) => Node::Or(a, b),
        (Node::Not(..), &[a]) => Node::Not(a),
        (Node::Select(..), &[a, b, c]) => Node::Select(a, b, c),
        _ => node.clone(),
    }
}
