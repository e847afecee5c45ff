//! Straight-line code over numbered values, each computed once: what lowering makes and every evaluator reads.

use holonom_symbols::expr::{Function, Symbol};
use std::collections::HashMap;

/// A value of a [`Code`], by its number; operands come before what is made of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Ref(pub u32);

impl Ref {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What is done to operands. Every evaluator does the same operations in the same order, none fused, so that all
/// give the same bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Op {
    Add,
    Subtract,
    Multiply,
    Divide,
    Negate,
    /// A function of one argument.
    Call(Function),
    /// A function of two arguments.
    Call2(Function),
    /// Sine and cosine of one argument; the value is the sine, that of [`Op::Cosine`] the cosine.
    SineCosine,
    /// The cosine that an [`Op::SineCosine`] computed along; no work of its own.
    Cosine,
    /// A power whose exponent is no integer.
    Power,
    /// A table, or one of its derivatives.
    Table {
        table: u32,
        order: u8,
    },
    Less,
    LessEqual,
    And,
    Or,
    Not,
    Select,
}

impl Op {
    /// How many operands it has.
    pub fn arity(self) -> usize {
        match self {
            Self::Negate | Self::Call(_) | Self::SineCosine | Self::Cosine | Self::Table { .. } | Self::Not => 1,
            Self::Select => 3,
            _ => 2,
        }
    }
}

/// Where a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Value {
    /// A number, by its bits.
    Constant(u64),
    /// Something given from outside.
    Input(Symbol),
    /// An operation; operands that it does not have are value 0.
    Operation(Op, [Ref; 3]),
}

/// Values in an order of evaluation, equal ones once.
#[derive(Debug, Default)]
pub(crate) struct Code {
    pub values: Vec<Value>,
    /// Whether a value depends on parameters at most.
    pub fixed: Vec<bool>,
    index: HashMap<Value, Ref>,
}

impl Code {
    fn intern(&mut self, value: Value, fixed: bool) -> Ref {
        *self.index.entry(value).or_insert_with(|| {
            self.values.push(value);
            self.fixed.push(fixed);
            Ref((self.values.len() - 1) as u32)
        })
    }

    pub fn constant(&mut self, value: f64) -> Ref {
        self.intern(Value::Constant(value.to_bits()), true)
    }

    pub fn input(&mut self, symbol: Symbol) -> Ref {
        self.intern(Value::Input(symbol), matches!(symbol, Symbol::Parameter(_)))
    }

    pub fn is_fixed(&self, value: Ref) -> bool {
        self.fixed[value.index()]
    }

    pub fn is_one(&self, value: Ref) -> bool {
        self.values[value.index()] == Value::Constant(1f64.to_bits())
    }

    /// How many operations `roots` take at every state.
    pub fn operations(&self, roots: &[Ref]) -> usize {
        let mut seen = vec![false; self.values.len()];
        let mut stack = roots.to_vec();
        let mut count = 0;
        while let Some(value) = stack.pop() {
            if self.is_fixed(value) || std::mem::replace(&mut seen[value.index()], true) {
                continue;
            }
            if let Value::Operation(op, operands) = self.values[value.index()] {
                count += usize::from(op != Op::Cosine);
                stack.extend_from_slice(&operands[..op.arity()]);
            }
        }
        count
    }

    /// Whether it takes a call of a function, which keeps nothing in registers.
    pub fn is_call(&self, value: Ref) -> bool {
        !self.is_fixed(value)
            && match self.values[value.index()] {
                Value::Operation(Op::Call(function), _) => !matches!(function, Function::Sqrt | Function::Abs),
                Value::Operation(op, _) => {
                    matches!(op, Op::SineCosine | Op::Power | Op::Table { .. } | Op::Call2(Function::Atan2))
                }
                _ => false,
            }
    }

    /// An operation on one or more operands. The order of those of a sum or product does not matter; what was made last,
    /// and so takes longest, comes first.
    pub fn operation(&mut self, op: Op, operands: &[Ref]) -> Ref {
        let fixed = operands.iter().all(|&operand| self.is_fixed(operand));
        let mut all = [Ref(0); 3];
        all[..operands.len()].copy_from_slice(operands);
        if matches!(op, Op::Add | Op::Multiply) && all[0] < all[1] {
            all.swap(0, 1);
        }
        self.intern(Value::Operation(op, all), fixed)
    }

    pub fn multiply(&mut self, a: Ref, b: Ref) -> Ref {
        if self.is_one(a) {
            b
        } else if self.is_one(b) {
            a
        } else {
            self.operation(Op::Multiply, &[a, b])
        }
    }

    pub fn divide(&mut self, a: Ref, b: Ref) -> Ref {
        if self.is_one(b) { a } else { self.operation(Op::Divide, &[a, b]) }
    }

    /// A positive integer power, by squarings.
    pub fn power(&mut self, base: Ref, exponent: u32) -> Ref {
        let mut result: Option<Ref> = None;
        let (mut square, mut rest) = (base, exponent);
        while rest != 0 {
            if rest & 1 != 0 {
                result = Some(match result {
                    Some(result) => self.multiply(result, square),
                    None => square,
                });
            }
            rest >>= 1;
            if rest != 0 {
                square = self.multiply(square, square);
            }
        }
        match result {
            Some(result) => result,
            None => self.constant(1.0),
        }
    }
}
