//! The field of a model's expressions: rational functions of atoms, with the relations between them.
//!
//! An atom has no further algebraic structure: it is a symbol, the sine or cosine of an angle of which others are multiples, a
//! root, an exponential, a sign. Every expression of a [`Graph`] is a quotient of polynomials in atoms, and with
//! sin² + cos² = 1, (√x)² = x and the like applied, it is zero exactly when its numerator is. This makes the
//! algebra exact: whether a pivot is zero is decided without rounding.

mod atom;
mod half;
mod measure;
mod read;
mod reduce;
mod root;
mod unit;
mod write;

use std::collections::{BTreeMap, BTreeSet};

use super::{Budget, Exhausted, Ideal, Integer, Polynomial, Ratio, factors, gcd};
use crate::expr::{FastMap, Symbol};
use atom::{Atom, Rule, Unit};
pub use measure::measure;

/// The variable that stands for what division by zero gives.
const UNDEFINED: u32 = 0;

/// Rational functions of atoms, and the relations between these.
///
/// ```
/// use holonom_symbols::algebra::{Budget, FunctionField};
/// use holonom_symbols::expr::{Function, Graph, Symbol};
///
/// let mut graph = Graph::new();
/// let angle = graph.symbol(Symbol::Position(0));
/// let (sine, cosine) = (graph.call(Function::Sin, angle), graph.call(Function::Cos, angle));
/// let (first, second) = (graph.multiply(sine, sine), graph.multiply(cosine, cosine));
/// let sum = graph.add(first, second);
///
/// let (mut field, budget) = (FunctionField::new(), Budget::new(10_000));
/// assert!(field.read(&graph, sum, &budget)?.is_one());
/// # Ok::<(), holonom_symbols::algebra::Exhausted>(())
/// ```
#[derive(Clone, Debug)]
pub struct FunctionField {
    atoms: Vec<Atom>,
    /// The variable of each atom.
    known: FastMap<Atom, u32>,
    /// The relation that each variable obeys.
    rules: Vec<Option<Rule>>,
    units: Vec<Unit>,
    positive: BTreeSet<Symbol>,
    /// Those of them whose sign was used.
    relied: BTreeSet<Symbol>,
    /// Numbers of many digits that were read, by the digits of the nearest double, with its exponent.
    numbers: BTreeMap<u64, (i32, Ratio)>,
}

impl Default for FunctionField {
    fn default() -> Self {
        Self::new()
    }
}

impl FunctionField {
    /// The field of rational numbers, to which reading adds what it meets.
    pub fn new() -> Self {
        let mut field = Self {
            atoms: Vec::new(),
            known: FastMap::default(),
            rules: Vec::new(),
            units: Vec::new(),
            positive: BTreeSet::new(),
            relied: BTreeSet::new(),
            numbers: BTreeMap::new(),
        };
        field.atom(Atom::Undefined, None);
        field
    }

    /// The roots of this symbol's squares are the symbol itself: it is never negative.
    ///
    /// To be said before anything is read.
    pub fn assume_positive(&mut self, symbol: Symbol) {
        self.positive.insert(symbol);
    }

    /// The symbols that had to be positive for what was read to be as it is: √(k²) was read as k.
    pub fn relied_on(&self) -> &BTreeSet<Symbol> {
        &self.relied
    }

    /// Does something whose result is not kept: signs that it uses are not counted.
    pub fn on_trial<T>(&mut self, trial: impl FnOnce(&mut Self) -> T) -> T {
        let relied = self.relied.clone();
        let result = trial(self);
        self.relied = relied;
        result
    }

    /// Whether a quotient has no zero, as long as symbols that are taken to be positive are.
    pub fn never_vanishes(&self, ratio: &Ratio) -> bool {
        self.is_positive(ratio.numerator())
    }

    /// A symbol as an element of the field.
    pub fn symbol(&mut self, symbol: Symbol) -> Ratio {
        Ratio::variable(self.atom(Atom::Symbol(symbol), None))
    }

    /// The symbol that a variable stands for, where it stands for one.
    pub fn as_symbol(&self, variable: u32) -> Option<Symbol> {
        match self.atoms.get(variable as usize) {
            Some(Atom::Symbol(symbol)) => Some(*symbol),
            _ => None,
        }
    }

    /// What every quotient is whose divisor is zero.
    pub fn undefined() -> Ratio {
        Ratio::variable(UNDEFINED)
    }

    /// Whether a division by zero took part in it.
    pub fn is_undefined(ratio: &Ratio) -> bool {
        ratio.numerator().degree(UNDEFINED) > 0 || ratio.denominator().degree(UNDEFINED) > 0
    }

    /// The variable of an atom, with the rule it obeys if it is new.
    fn atom(&mut self, atom: Atom, rule: Option<Rule>) -> u32 {
        if let Some(&variable) = self.known.get(&atom) {
            return variable;
        }
        let variable = self.atoms.len() as u32;
        self.known.insert(atom.clone(), variable);
        self.atoms.push(atom);
        self.rules.push(rule);
        variable
    }

    /// The sum.
    ///
    /// # Errors
    /// Where the budget is exhausted, as in all that follows.
    pub fn add(&self, a: &Ratio, b: &Ratio, budget: &Budget) -> Result<Ratio, Exhausted> {
        let sum = a.add(b, budget)?;
        self.settled(sum, budget)
    }

    /// The difference.
    ///
    /// # Errors
    /// Where the budget is exhausted.
    pub fn subtract(&self, a: &Ratio, b: &Ratio, budget: &Budget) -> Result<Ratio, Exhausted> {
        self.add(a, &b.negate(), budget)
    }

    /// The product.
    ///
    /// # Errors
    /// Where the budget is exhausted.
    pub fn multiply(&self, a: &Ratio, b: &Ratio, budget: &Budget) -> Result<Ratio, Exhausted> {
        let product = a.multiply(b, budget)?;
        self.settled(product, budget)
    }

    /// The quotient; [`FunctionField::undefined`] where the divisor is zero.
    ///
    /// # Errors
    /// Where the budget is exhausted.
    pub fn divide(&self, a: &Ratio, b: &Ratio, budget: &Budget) -> Result<Ratio, Exhausted> {
        if self.is_zero(b, budget)? {
            return Ok(Self::undefined());
        }
        match a.divide(b, budget)? {
            Some(quotient) => {
                let quotient = self.settled(quotient, budget)?;
                self.cancelled(quotient, budget)
            }
            None => Ok(Self::undefined()),
        }
    }

    /// An integer power.
    ///
    /// # Errors
    /// Where the budget is exhausted.
    pub fn power(&self, base: &Ratio, exponent: i32, budget: &Budget) -> Result<Ratio, Exhausted> {
        if exponent < 0 && self.is_zero(base, budget)? {
            return Ok(Self::undefined());
        }
        match base.power(exponent, budget)? {
            Some(power) => self.settled(power, budget),
            None => Ok(Self::undefined()),
        }
    }

    /// Whether it is zero, exactly.
    ///
    /// # Errors
    /// Where the budget is exhausted.
    pub fn is_zero(&self, ratio: &Ratio, budget: &Budget) -> Result<bool, Exhausted> {
        Ok(self.reduce_polynomial(ratio.numerator(), budget)?.is_zero())
    }

    /// Whether two elements are equal, exactly.
    ///
    /// # Errors
    /// Where the budget is exhausted.
    pub fn equal(&self, a: &Ratio, b: &Ratio, budget: &Budget) -> Result<bool, Exhausted> {
        if a == b {
            return Ok(true);
        }
        let left = a.numerator().multiply(b.denominator(), budget)?;
        let right = b.numerator().multiply(a.denominator(), budget)?;
        Ok(self.reduce_polynomial(&left.subtract(&right), budget)?.is_zero())
    }
}
