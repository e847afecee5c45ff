//! The graph: every expression of a model once.
//!
//! Equal expressions are one node (hash-consing), so common sub-expressions are common from the start. A node is made
//! after its operands: the order of [`Id`]s is an order of evaluation. What the constructors simplify, they simplify
//! without changing a value, and locally: a sum inside a sum stays one, since it may be a partial sum that a
//! thousand other expressions share.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};
use std::ops::BitOr;
use std::sync::Arc;

use super::function::{Function, Relation};
use super::number::Number;
use super::table::Table;
use super::unspecified::{Level, Unspecified};

/// An expression of a [`Graph`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Id(u32);

impl Id {
    /// The number 0.
    pub const ZERO: Self = Self(0);
    /// The number 1.
    pub const ONE: Self = Self(1);

    /// Its place in the order of evaluation.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    pub(super) fn from_index(index: usize) -> Self {
        Self(index as u32)
    }
}

/// What an expression may depend on, apart from numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Symbol {
    /// Time.
    Time,
    /// A parameter, by its place in the model.
    Parameter(u32),
    /// A coordinate q.
    Position(u32),
    /// Its velocity q̇.
    Velocity(u32),
    /// Its acceleration q̈.
    Acceleration(u32),
    /// The ideal multiplier of a row of constraints, λᵢ with Qᵢ = Aᵀλᵢ.
    Multiplier(u32),
    /// The total reaction of a row, λ with Q^c = C + Aᵀλ.
    Reaction(u32),
    /// The speed of slip of a friction law, in the law's own expression.
    Slip(u32),
    /// The normal force of a friction law, in the law's own expression.
    Normal(u32),
}

/// What an expression is made of.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// A number.
    Number(Number),
    /// π.
    Pi,
    /// Something that varies.
    Symbol(Symbol),
    /// `constant + Σ coefficient·term`. Terms are distinct, in order of their ids, are no numbers and carry no numeric
    /// coefficient of their own. At least two summands.
    Sum {
        /// The number in the sum.
        constant: Number,
        /// The other summands.
        terms: Arc<[(Number, Id)]>,
    },
    /// `coefficient·Π factor^exponent`. Factors are distinct, in order, are neither numbers nor products; exponents are not 0.
    Product {
        /// The number in front.
        coefficient: Number,
        /// The factors.
        factors: Arc<[(Id, i32)]>,
    },
    /// `base^exponent` with an exponent that is no integer.
    Power(Id, Id),
    /// A function of one argument, or of two; the second is [`Id::ZERO`] where there is only one.
    Call(Function, Id, Id),
    /// A table, or one of its derivatives.
    Table {
        /// Which table.
        table: u32,
        /// How many times differentiated.
        order: u8,
        /// The argument.
        argument: Id,
    },
    /// A function that is declared and not specified, or one of its derivatives.
    Unspecified {
        /// Which function.
        function: Arc<Unspecified>,
        /// How many times it is differentiated by each argument.
        orders: Arc<[u8]>,
        /// The arguments.
        arguments: Arc<[Id]>,
    },
    /// 1 if the relation holds, else 0.
    Compare(Relation, Id, Id),
    /// 1 if both are not 0, else 0.
    And(Id, Id),
    /// 1 if one of them is not 0, else 0.
    Or(Id, Id),
    /// 1 if it is 0, else 0.
    Not(Id),
    /// `if(condition, then, otherwise)`; the condition holds when it is not 0.
    Select(Id, Id, Id),
}

/// What an expression depends on: a set of kinds of symbols.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Depends(u8);

impl Depends {
    /// On nothing: a constant.
    pub const NOTHING: Self = Self(0);
    /// On parameters.
    pub const PARAMETER: Self = Self(1);
    /// On time.
    pub const TIME: Self = Self(2);
    /// On coordinates.
    pub const POSITION: Self = Self(4);
    /// On velocities.
    pub const VELOCITY: Self = Self(8);
    /// On accelerations.
    pub const ACCELERATION: Self = Self(16);
    /// On multipliers or reactions.
    pub const FORCE: Self = Self(32);
    /// On slip or normal force of a friction law.
    pub const CONTACT: Self = Self(64);

    /// Whether it depends on any kind in `kinds`.
    pub fn on(self, kinds: Self) -> bool {
        self.0 & kinds.0 != 0
    }

    /// Whether it depends on parameters at most: the same at every state.
    pub fn is_fixed(self) -> bool {
        self.0 & !Self::PARAMETER.0 == 0
    }
}

impl BitOr for Depends {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// A fast hash for small keys; nothing here comes from an adversary who knows it, and the number of nodes is bounded.
#[derive(Default)]
pub struct NodeHasher(u64);

impl Hasher for NodeHasher {
    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 29)
    }
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }
    fn write_u8(&mut self, value: u8) {
        self.write_u64(u64::from(value));
    }
    fn write_u32(&mut self, value: u32) {
        self.write_u64(u64::from(value));
    }
    fn write_u64(&mut self, value: u64) {
        self.0 = (self.0.rotate_left(23) ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    fn write_usize(&mut self, value: usize) {
        self.write_u64(value as u64);
    }
    fn write_i128(&mut self, value: i128) {
        self.write_u64(value as u64);
        self.write_u64((value >> 64) as u64);
    }
}

/// A map with a fast hash, for keys that nobody chooses to collide.
pub type FastMap<K, V> = HashMap<K, V, BuildHasherDefault<NodeHasher>>;

/// All expressions of a model, each once.
///
/// ```
/// use holonom_symbols::expr::{Graph, Function, Id, Symbol};
///
/// let mut graph = Graph::new();
/// let x = graph.symbol(Symbol::Position(0));
/// let energy = graph.multiply(x, x);
/// let slope = graph.partial(energy, Symbol::Position(0));
/// let twice = graph.integer(2);
/// assert_eq!(slope, graph.multiply(twice, x));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Graph {
    nodes: Vec<Node>,
    depends: Vec<Depends>,
    /// Expressions by the hash of what they are made of; where that is taken by another, by the next one that is free.
    index: FastMap<u64, Id>,
    tables: Vec<Arc<Table>>,
    /// How large the stand-ins of unspecified functions are, where compiled programs may use them.
    pub(super) stand_ins: Option<Level>,
    /// For products: the part that no state changes, and the rest.
    pub(super) split: FastMap<Id, (Id, Id)>,
}

impl Graph {
    /// A graph that knows 0 and 1.
    pub fn new() -> Self {
        let mut graph = Self::default();
        graph.intern(Node::Number(Number::ZERO));
        graph.intern(Node::Number(Number::ONE));
        graph
    }

    /// How many expressions there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never: 0 and 1 are always there.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// What `id` is made of.
    pub fn node(&self, id: Id) -> &Node {
        &self.nodes[id.index()]
    }

    /// What `id` depends on.
    pub fn depends(&self, id: Id) -> Depends {
        self.depends[id.index()]
    }

    /// The number that `id` is, where it is one.
    pub fn as_number(&self, id: Id) -> Option<Number> {
        match *self.node(id) {
            Node::Number(number) => Some(number),
            _ => None,
        }
    }

    pub(super) fn intern(&mut self, node: Node) -> Id {
        let mut hasher = NodeHasher::default();
        node.hash(&mut hasher);
        let mut key = hasher.finish();
        while let Some(&id) = self.index.get(&key) {
            if *self.node(id) == node {
                return id;
            }
            key = key.wrapping_add(1);
        }
        let id = Id::from_index(self.nodes.len());
        let mut depends = match &node {
            Node::Symbol(symbol) => match symbol {
                Symbol::Time => Depends::TIME,
                Symbol::Parameter(_) => Depends::PARAMETER,
                Symbol::Position(_) => Depends::POSITION,
                Symbol::Velocity(_) => Depends::VELOCITY,
                Symbol::Acceleration(_) => Depends::ACCELERATION,
                Symbol::Multiplier(_) | Symbol::Reaction(_) => Depends::FORCE,
                Symbol::Slip(_) | Symbol::Normal(_) => Depends::CONTACT,
            },
            _ => Depends::NOTHING,
        };
        node.operands(|operand| depends = depends | self.depends(operand));
        self.nodes.push(node);
        self.depends.push(depends);
        self.index.insert(key, id);
        id
    }

    /// A number.
    pub fn number(&mut self, number: Number) -> Id {
        self.intern(Node::Number(number))
    }

    /// An integer.
    pub fn integer(&mut self, value: i64) -> Id {
        self.number(Number::integer(value))
    }

    /// π.
    pub fn pi(&mut self) -> Id {
        self.intern(Node::Pi)
    }

    /// Something that varies.
    pub fn symbol(&mut self, symbol: Symbol) -> Id {
        self.intern(Node::Symbol(symbol))
    }

    /// `a + b`
    pub fn add(&mut self, a: Id, b: Id) -> Id {
        self.sum(&[(Number::ONE, a), (Number::ONE, b)])
    }

    /// `a − b`
    pub fn subtract(&mut self, a: Id, b: Id) -> Id {
        self.sum(&[(Number::ONE, a), (Number::MINUS_ONE, b)])
    }

    /// `−a`
    pub fn negate(&mut self, a: Id) -> Id {
        self.scale(Number::MINUS_ONE, a)
    }

    /// A number times an expression.
    pub fn scale(&mut self, coefficient: Number, a: Id) -> Id {
        self.product(coefficient, &[(a, 1)])
    }

    /// `a·b`
    pub fn multiply(&mut self, a: Id, b: Id) -> Id {
        if a == Id::ONE {
            return b;
        }
        if b == Id::ONE {
            return a;
        }
        self.product(Number::ONE, &[(a, 1), (b, 1)])
    }

    /// `a/b`
    pub fn divide(&mut self, a: Id, b: Id) -> Id {
        self.product(Number::ONE, &[(a, 1), (b, -1)])
    }

    /// `a` to an integer power.
    pub fn integer_power(&mut self, a: Id, exponent: i32) -> Id {
        self.product(Number::ONE, &[(a, exponent)])
    }

    /// `base^exponent`. Integer exponents become products, halves become roots.
    pub fn power(&mut self, base: Id, exponent: Id) -> Id {
        if let Some(number) = self.as_number(exponent) {
            if let Some(integer) = number.as_integer().and_then(|integer| i32::try_from(integer).ok()) {
                return self.integer_power(base, integer);
            }
            if let Some((num, 2)) = number.as_ratio()
                && let Ok(num) = i32::try_from(num)
            {
                let root = self.call(Function::Sqrt, base);
                return self.integer_power(root, num);
            }
        }
        if base == Id::ONE {
            return Id::ONE;
        }
        self.intern(Node::Power(base, exponent))
    }

    /// A power that stays as it is: 0 to a negative power, and exponents beyond the range of integers here.
    pub(super) fn raw_power(&mut self, base: Id, exponent: Id) -> Id {
        self.intern(Node::Power(base, exponent))
    }

    /// A function of one argument.
    pub fn call(&mut self, function: Function, argument: Id) -> Id {
        if let Some(known) = self.known_value(function, argument) {
            return known;
        }
        // Odd and even functions take the sign out, so that sin(−x) and sin(x) share a node.
        if let Node::Product { coefficient, .. } = self.node(argument)
            && coefficient.is_negative()
        {
            use Function::{Abs, Asin, Atan, Cos, Cosh, Sign, Sin, Sinh, Tan, Tanh};
            match function {
                Sin | Tan | Asin | Atan | Sinh | Tanh | Sign => {
                    let opposite = self.negate(argument);
                    let value = self.call(function, opposite);
                    return self.negate(value);
                }
                Cos | Cosh | Abs => {
                    let opposite = self.negate(argument);
                    return self.call(function, opposite);
                }
                _ => {}
            }
        }
        if function == Function::Abs && self.is_never_negative(argument) {
            return argument;
        }
        self.intern(Node::Call(function, argument, Id::ZERO))
    }

    /// A function of two arguments.
    pub fn call2(&mut self, function: Function, a: Id, b: Id) -> Id {
        if matches!(function, Function::Min | Function::Max) {
            if a == b {
                return a;
            }
            if let (Some(x), Some(y)) = (self.as_number(a), self.as_number(b)) {
                return if x.compare(y).is_le() == (function == Function::Min) { a } else { b };
            }
        }
        self.intern(Node::Call(function, a, b))
    }

    /// Values that are known exactly.
    fn known_value(&mut self, function: Function, argument: Id) -> Option<Id> {
        use Function::{Abs, Acos, Asin, Atan, Cos, Cosh, Exp, Log, Sign, Sin, Sinh, Sqrt, Tan, Tanh};
        let number = self.as_number(argument);
        match function {
            Sin | Tan | Asin | Atan | Sinh | Tanh | Sqrt | Sign | Abs if argument == Id::ZERO => Some(Id::ZERO),
            Cos | Cosh | Exp if argument == Id::ZERO => Some(Id::ONE),
            Log | Acos if argument == Id::ONE => Some(Id::ZERO),
            Sqrt => number?.square_root().map(|root| self.number(root)),
            Abs => number.map(|number| self.number(number.magnitude())),
            Sign => number.map(|number| self.integer(if number.is_negative() { -1 } else { 1 })),
            Sin | Cos | Tan => self.trigonometric_value(function, argument),
            _ => None,
        }
    }

    /// Sines and cosines of multiples of π/6 and π/2 that are rational.
    fn trigonometric_value(&mut self, function: Function, argument: Id) -> Option<Id> {
        let turns = match self.node(argument) {
            Node::Pi => Number::ONE,
            Node::Product { coefficient, factors } => match factors[..] {
                [(factor, 1)] if *self.node(factor) == Node::Pi => *coefficient,
                _ => return None,
            },
            _ => return None,
        };
        // In twelfths of a turn, 0 to 11.
        let twelfths = turns.times(Number::integer(6))?.as_integer()?.rem_euclid(12);
        let sine = |twelfths: i64| match twelfths % 12 {
            0 | 6 => Some((0, 1)),
            1 | 5 => Some((1, 2)),
            3 => Some((1, 1)),
            7 | 11 => Some((-1, 2)),
            9 => Some((-1, 1)),
            _ => None,
        };
        let (num, den) = match function {
            Function::Sin => sine(twelfths)?,
            Function::Cos => sine(twelfths + 3)?,
            _ => match twelfths % 6 {
                0 => (0, 1),
                _ => return None,
            },
        };
        Number::ratio(num, den).map(|value| self.number(value))
    }

    /// Whether the value is known not to be negative wherever it is defined.
    pub fn is_never_negative(&self, id: Id) -> bool {
        self.never_negative(id, 16)
    }

    fn never_negative(&self, id: Id, depth: u8) -> bool {
        if depth == 0 {
            return false;
        }
        match self.node(id) {
            Node::Number(number) => !number.is_negative(),
            Node::Pi | Node::Call(Function::Sqrt | Function::Exp | Function::Cosh | Function::Abs, ..) => true,
            Node::Sum { constant, terms } => {
                !constant.is_negative()
                    && terms.len() <= 64
                    && terms.iter().all(|&(c, term)| !c.is_negative() && self.never_negative(term, depth - 1))
            }
            Node::Product { coefficient, factors } => {
                !coefficient.is_negative()
                    && factors
                        .iter()
                        .all(|&(factor, exponent)| exponent % 2 == 0 || self.never_negative(factor, depth - 1))
            }
            Node::Compare(..) | Node::And(..) | Node::Or(..) | Node::Not(..) => true,
            Node::Select(_, a, b) => self.never_negative(*a, depth - 1) && self.never_negative(*b, depth - 1),
            _ => false,
        }
    }

    /// `a < b` or `a <= b`.
    pub fn compare(&mut self, relation: Relation, a: Id, b: Id) -> Id {
        if let (Some(x), Some(y)) = (self.as_number(a), self.as_number(b)) {
            let holds = match relation {
                Relation::Less => x.compare(y).is_lt(),
                Relation::LessEqual => x.compare(y).is_le(),
            };
            return if holds { Id::ONE } else { Id::ZERO };
        }
        self.intern(Node::Compare(relation, a, b))
    }

    /// Both.
    pub fn and(&mut self, a: Id, b: Id) -> Id {
        match (self.as_number(a), self.as_number(b)) {
            (Some(x), _) if x.is_zero() => Id::ZERO,
            (_, Some(y)) if y.is_zero() => Id::ZERO,
            _ => self.intern(Node::And(a, b)),
        }
    }

    /// One of them at least.
    pub fn or(&mut self, a: Id, b: Id) -> Id {
        match (self.as_number(a), self.as_number(b)) {
            (Some(x), Some(y)) if x.is_zero() && y.is_zero() => Id::ZERO,
            (Some(x), _) if !x.is_zero() => Id::ONE,
            (_, Some(y)) if !y.is_zero() => Id::ONE,
            _ => self.intern(Node::Or(a, b)),
        }
    }

    /// The contrary.
    pub fn not(&mut self, a: Id) -> Id {
        match self.as_number(a) {
            Some(x) => {
                if x.is_zero() {
                    Id::ONE
                } else {
                    Id::ZERO
                }
            }
            None => self.intern(Node::Not(a)),
        }
    }

    /// `if(condition, then, otherwise)`
    pub fn select(&mut self, condition: Id, then: Id, otherwise: Id) -> Id {
        match self.as_number(condition) {
            _ if then == otherwise => then,
            Some(number) => {
                if number.is_zero() {
                    otherwise
                } else {
                    then
                }
            }
            None => self.intern(Node::Select(condition, then, otherwise)),
        }
    }

    /// Adds a table and says which one it became.
    pub fn add_table(&mut self, table: Table) -> u32 {
        self.tables.push(Arc::new(table));
        (self.tables.len() - 1) as u32
    }

    /// A graph that knows 0 and 1, the tables of another by the same numbers, and its stand-ins.
    pub fn with_tables_of(other: &Self) -> Self {
        Self { tables: other.tables.clone(), stand_ins: other.stand_ins, ..Self::new() }
    }

    /// The tables, by number.
    pub fn tables(&self) -> &[Arc<Table>] {
        &self.tables
    }

    /// The value of a table, or of its derivative of some order.
    pub fn table(&mut self, table: u32, order: u8, argument: Id) -> Id {
        self.intern(Node::Table { table, order, argument })
    }

    /// The expressions that `roots` are made of, operands first, each once.
    pub fn reachable(&self, roots: &[Id]) -> Vec<Id> {
        // A row of a large model is a small part of its graph: what is looked at must not grow with the rest.
        let (few, mut found) = (self.nodes.len() / 16, Vec::new());
        let mut seen: FastMap<Id, ()> = FastMap::default();
        let mut stack: Vec<Id> = roots.to_vec();
        while let Some(id) = stack.pop() {
            if seen.insert(id, ()).is_none() {
                found.push(id);
                if found.len() > few {
                    return self.reachable_of_many(roots);
                }
                self.node(id).operands(|operand| stack.push(operand));
            }
        }
        found.sort_unstable();
        found
    }

    /// The same, with a mark for every node.
    fn reachable_of_many(&self, roots: &[Id]) -> Vec<Id> {
        let mut seen = vec![false; self.nodes.len()];
        let mut stack: Vec<Id> = roots.to_vec();
        while let Some(id) = stack.pop() {
            if !std::mem::replace(&mut seen[id.index()], true) {
                self.node(id).operands(|operand| {
                    if !seen[operand.index()] {
                        stack.push(operand);
                    }
                });
            }
        }
        (0..seen.len()).filter(|&index| seen[index]).map(Id::from_index).collect()
    }

    /// The symbols that occur in `roots`, in order.
    pub fn symbols(&self, roots: &[Id]) -> Vec<Symbol> {
        let mut symbols: Vec<Symbol> = self
            .reachable(roots)
            .into_iter()
            .filter_map(|id| match self.node(id) {
                Node::Symbol(symbol) => Some(*symbol),
                _ => None,
            })
            .collect();
        symbols.sort_unstable();
        symbols
    }
}

impl Node {
    /// Calls `visit` with every operand.
    pub fn operands(&self, mut visit: impl FnMut(Id)) {
        match self {
            Self::Number(_) | Self::Pi | Self::Symbol(_) => {}
            Self::Sum { terms, .. } => terms.iter().for_each(|&(_, term)| visit(term)),
            Self::Product { factors, .. } => factors.iter().for_each(|&(factor, _)| visit(factor)),
            Self::Unspecified { arguments, .. } => arguments.iter().for_each(|&argument| visit(argument)),
            Self::Call(function, a, b) => {
                visit(*a);
                if function.arity() == 2 {
                    visit(*b);
                }
            }
            Self::Power(a, b) | Self::Compare(_, a, b) | Self::And(a, b) | Self::Or(a, b) => {
                visit(*a);
                visit(*b);
            }
            Self::Table { argument: a, .. } | Self::Not(a) => visit(*a),
            Self::Select(condition, a, b) => {
                visit(*condition);
                visit(*a);
                visit(*b);
            }
        }
    }
}
