//! Atoms: what the variables of a field stand for.

use super::{Polynomial, Ratio};
use crate::expr::{Id, Node, Symbol};

/// What a variable stands for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Atom {
    /// What division by zero gives.
    Undefined,
    /// π.
    Pi,
    /// A symbol of the model.
    Symbol(Symbol),
    /// The sine of a [`Unit`], by number.
    Sine(usize),
    /// The cosine of a unit.
    Cosine(usize),
    /// The hyperbolic sine of a unit.
    HyperbolicSine(usize),
    /// The hyperbolic cosine of a unit.
    HyperbolicCosine(usize),
    /// The exponential function of a unit, or a power with the unit as its exponent.
    Exponential(usize),
    /// `scale·radicand^(1/index)`. With this scale its power is a polynomial.
    Root {
        /// Which root.
        index: u32,
        /// What it is the root of.
        radicand: Ratio,
        /// What stands before it.
        scale: Polynomial,
    },
    /// The sign of a polynomial.
    Sign(Polynomial),
    /// Something without an algebra of its own: a node whose operands are these.
    Other {
        /// The node; its own operands do not count.
        node: Node,
        /// Its operands, in order.
        operands: Vec<Ratio>,
    },
}

/// A relation that a variable obeys.
#[derive(Clone, Debug)]
pub(super) enum Rule {
    /// A power of it is a polynomial in others.
    Power {
        /// Which power.
        degree: u32,
        /// The polynomial.
        value: Polynomial,
    },
    /// It is a polynomial in others.
    Is(Polynomial),
}

/// Families of functions that turn sums into products.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Family {
    /// sin and cos.
    Circular,
    /// sinh and cosh.
    Hyperbolic,
    /// exp.
    Exponential,
    /// Powers of a base.
    Power(Ratio),
}

/// An angle or exponent of which others are integer multiples: `of/divisor`.
#[derive(Clone, Debug)]
pub(super) struct Unit {
    pub family: Family,
    /// A term with 1 before it.
    pub of: Ratio,
    pub divisor: i64,
    /// The sine or the exponential function of it.
    pub first: u32,
    /// The cosine of it; the same as the first where the family has one function only.
    pub second: u32,
}

/// An operation that is not read further, with the place of each operand left open.
pub(super) fn bare(node: &Node) -> Node {
    match *node {
        Node::Power(..) => Node::Power(Id::ZERO, Id::ZERO),
        Node::Call(function, ..) => Node::Call(function, Id::ZERO, Id::ZERO),
        Node::Table { table, order, .. } => Node::Table { table, order, argument: Id::ZERO },
        Node::Unspecified { ref function, ref orders, .. } => {
            let arguments = orders.iter().map(|_| Id::ZERO).collect();
            Node::Unspecified { function: function.clone(), orders: orders.clone(), arguments }
        }
        Node::Compare(relation, ..) => Node::Compare(relation, Id::ZERO, Id::ZERO),
        Node::And(..) => Node::And(Id::ZERO, Id::ZERO),
        Node::Or(..) => Node::Or(Id::ZERO, Id::ZERO),
        Node::Not(_) => Node::Not(Id::ZERO),
        Node::Select(..) => Node::Select(Id::ZERO, Id::ZERO, Id::ZERO),
        ref other => other.clone(),
    }
}

impl Atom {
    /// The unit that it is a function of.
    pub(super) fn unit(&self) -> Option<usize> {
        match *self {
            Self::Sine(unit)
            | Self::Cosine(unit)
            | Self::HyperbolicSine(unit)
            | Self::HyperbolicCosine(unit)
            | Self::Exponential(unit) => Some(unit),
            _ => None,
        }
    }
}
