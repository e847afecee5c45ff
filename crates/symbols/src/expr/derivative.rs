//! Derivatives: along a direction, and of one expression by many symbols at once.
//!
//! The direct derivative goes through the graph once and gives how everything changes along one direction: a coordinate,
//! or time itself. The gradient goes through it backwards and gives the derivatives of one expression by all symbols
//! at about the cost of one. Lagrange's equation needs both: momenta are a gradient, their rate is along time.

use super::function::Function;
use super::function::Relation;
use super::graph::{Depends, FastMap, Graph, Id, Node, Symbol};
use super::number::Number;

impl Graph {
    /// The partial derivative by a symbol.
    pub fn partial(&mut self, expression: Id, symbol: Symbol) -> Id {
        self.derivatives(&[expression], |s, _| (s == symbol).then_some(Id::ONE))[0]
    }

    /// The total derivative by time: positions change by velocities, velocities by accelerations.
    ///
    /// Accelerations must not occur: nothing goes beyond the second derivative. Parameters do not change.
    pub fn rate(&mut self, expressions: &[Id]) -> Vec<Id> {
        self.derivatives(expressions, |symbol, graph| match symbol {
            Symbol::Time => Some(Id::ONE),
            Symbol::Position(i) => Some(graph.symbol(Symbol::Velocity(i))),
            Symbol::Velocity(i) => Some(graph.symbol(Symbol::Acceleration(i))),
            _ => None,
        })
    }

    /// The total derivative by time, where `known` remembers what was derived before.
    ///
    /// Asking for the rates of many expressions one by one then costs as much as asking for all at once.
    pub fn rate_with(&mut self, expression: Id, known: &mut std::collections::HashMap<Id, Id>) -> Id {
        let mut stack = vec![expression];
        while let Some(&id) = stack.last() {
            if known.contains_key(&id) {
                stack.pop();
                continue;
            }
            let node = self.node(id).clone();
            let rate = match node {
                _ if !self.depends(id).on(Depends::TIME | Depends::POSITION | Depends::VELOCITY) => Id::ZERO,
                Node::Symbol(Symbol::Time) => Id::ONE,
                Node::Symbol(Symbol::Position(i)) => self.symbol(Symbol::Velocity(i)),
                Node::Symbol(Symbol::Velocity(i)) => self.symbol(Symbol::Acceleration(i)),
                _ => {
                    let before = stack.len();
                    node.operands(|operand| {
                        if !known.contains_key(&operand) {
                            stack.push(operand);
                        }
                    });
                    if stack.len() > before {
                        continue;
                    }
                    self.rate_of(id, &node, &|operand| known.get(&operand).copied().unwrap_or(Id::ZERO))
                }
            };
            known.insert(id, rate);
            stack.pop();
        }
        known.get(&expression).copied().unwrap_or(Id::ZERO)
    }

    /// The rate at which expressions change when symbols change at the rates that `seed` gives; nothing means not at all.
    pub fn derivatives(
        &mut self,
        expressions: &[Id],
        mut seed: impl FnMut(Symbol, &mut Self) -> Option<Id>,
    ) -> Vec<Id> {
        let mut rates: FastMap<Id, Id> = FastMap::default();
        for id in self.reachable(expressions) {
            if self.depends(id) == Depends::NOTHING {
                continue;
            }
            let node = self.node(id).clone();
            let rate = if let Node::Symbol(symbol) = node {
                seed(symbol, self).unwrap_or(Id::ZERO)
            } else {
                let mut changes = false;
                node.operands(|operand| changes |= rates.contains_key(&operand));
                if !changes {
                    continue;
                }
                self.rate_of(id, &node, &|operand| rates.get(&operand).copied().unwrap_or(Id::ZERO))
            };
            if rate != Id::ZERO {
                rates.insert(id, rate);
            }
        }
        expressions.iter().map(|id| rates.get(id).copied().unwrap_or(Id::ZERO)).collect()
    }

    /// How an expression changes, given how its operands do.
    fn rate_of(&mut self, id: Id, node: &Node, rate: &impl Fn(Id) -> Id) -> Id {
        match *node {
            Node::Sum { ref terms, .. } => {
                let terms: Vec<_> =
                    terms.iter().map(|&(c, term)| (c, rate(term))).filter(|&(_, r)| r != Id::ZERO).collect();
                self.sum(&terms)
            }
            Node::Select(condition, a, b) => {
                let (a, b) = (rate(a), rate(b));
                self.select(condition, a, b)
            }
            _ => {
                let mut terms = Vec::new();
                let mut operands = Vec::new();
                node.operands(|operand| operands.push(operand));
                // One argument may stand in several places that are no neighbours.
                if let Node::Unspecified { .. } = node {
                    operands.sort_unstable();
                }
                operands.dedup();
                for operand in operands {
                    let change = rate(operand);
                    if change != Id::ZERO {
                        let slope = self.slope(id, node, operand);
                        terms.push((Number::ONE, self.multiply(slope, change)));
                    }
                }
                self.sum(&terms)
            }
        }
    }

    /// The derivative of an expression by one of its operands.
    fn slope(&mut self, id: Id, node: &Node, operand: Id) -> Id {
        match *node {
            Node::Sum { ref terms, .. } => {
                let coefficient = terms.iter().find(|&&(_, term)| term == operand).map_or(Number::ZERO, |t| t.0);
                self.number(coefficient)
            }
            Node::Product { coefficient, ref factors } => {
                let mut factors = factors.to_vec();
                let mut coefficient = coefficient;
                if let Some((_, exponent)) = factors.iter_mut().find(|(factor, _)| *factor == operand) {
                    coefficient = coefficient.times(Number::integer(i64::from(*exponent))).unwrap_or(coefficient);
                    *exponent = exponent.saturating_sub(1);
                }
                self.product(coefficient, &factors)
            }
            Node::Power(base, exponent) => {
                // b^e by b is e·b^(e−1); by e it is b^e·log b. Where both are the operand, both count.
                let mut terms = Vec::new();
                if operand == base {
                    let less = self.sum_with(Number::MINUS_ONE, &[(Number::ONE, exponent)]);
                    let power = self.power(base, less);
                    terms.push((Number::ONE, self.multiply(exponent, power)));
                }
                if operand == exponent {
                    let log = self.call(Function::Log, base);
                    terms.push((Number::ONE, self.multiply(id, log)));
                }
                self.sum(&terms)
            }
            Node::Call(function, a, b) => self.function_slope(id, function, a, b, operand),
            Node::Table { table, order, argument } => self.table(table, order.saturating_add(1), argument),
            Node::Unspecified { ref function, ref orders, ref arguments } => {
                self.unspecified_slope(function, orders, arguments, operand)
            }
            Node::Select(condition, a, b) => {
                let then = if operand == a { Id::ONE } else { Id::ZERO };
                let otherwise = if operand == b { Id::ONE } else { Id::ZERO };
                self.select(condition, then, otherwise)
            }
            // Comparisons are constant wherever they have a derivative.
            _ => Id::ZERO,
        }
    }

    fn function_slope(&mut self, id: Id, function: Function, a: Id, b: Id, operand: Id) -> Id {
        use Function::{Abs, Acos, Asin, Atan, Atan2, Cos, Cosh, Exp, Log, Max, Min, Sign, Sin, Sinh, Sqrt, Tan, Tanh};
        match function {
            Sin => self.call(Cos, a),
            Cos => {
                let sine = self.call(Sin, a);
                self.negate(sine)
            }
            Tan => {
                let square = self.integer_power(id, 2);
                self.add(Id::ONE, square)
            }
            Asin | Acos => {
                let square = self.integer_power(a, 2);
                let rest = self.subtract(Id::ONE, square);
                let root = self.call(Sqrt, rest);
                let sign = if function == Asin { Number::ONE } else { Number::MINUS_ONE };
                self.product(sign, &[(root, -1)])
            }
            Atan => {
                let square = self.integer_power(a, 2);
                let sum = self.add(Id::ONE, square);
                self.integer_power(sum, -1)
            }
            Atan2 => {
                // atan2(y, x): by y it is x/(x² + y²), by x it is −y/(x² + y²).
                let (y, x) = (a, b);
                let (xx, yy) = (self.integer_power(x, 2), self.integer_power(y, 2));
                let square = self.add(xx, yy);
                let mut terms = Vec::new();
                if operand == y {
                    terms.push((Number::ONE, self.divide(x, square)));
                }
                if operand == x {
                    terms.push((Number::MINUS_ONE, self.divide(y, square)));
                }
                self.sum(&terms)
            }
            Sinh => self.call(Cosh, a),
            Cosh => self.call(Sinh, a),
            Tanh => {
                let square = self.integer_power(id, 2);
                self.subtract(Id::ONE, square)
            }
            Exp => id,
            Log => self.integer_power(a, -1),
            Sqrt => self.product(Number::ratio(1, 2).unwrap_or(Number::ONE), &[(id, -1)]),
            Abs => self.call(Sign, a),
            Sign => Id::ZERO,
            Min | Max => {
                let (low, high) = if function == Min { (a, b) } else { (b, a) };
                let first = self.compare(Relation::LessEqual, low, high);
                let (then, otherwise) = if operand == a { (Id::ONE, Id::ZERO) } else { (Id::ZERO, Id::ONE) };
                self.select(first, then, otherwise)
            }
        }
    }

    /// The partial derivatives of one expression by many symbols.
    ///
    /// It goes backwards through the graph: how the expression changes with each of its parts, from the whole to the
    /// symbols. Partial sums that the expression shares stay shared in its derivatives.
    pub fn gradient(&mut self, expression: Id, symbols: &[Symbol]) -> Vec<Id> {
        let wanted: FastMap<Id, ()> = symbols.iter().map(|&symbol| (self.symbol(symbol), ())).collect();
        let order = self.reachable(&[expression]);
        // Only what leads to a wanted symbol matters.
        let mut matters: FastMap<Id, ()> = FastMap::default();
        for &id in &order {
            let mut leads = wanted.contains_key(&id);
            self.node(id).operands(|operand| leads |= matters.contains_key(&operand));
            if leads {
                matters.insert(id, ());
            }
        }
        let mut parts: FastMap<Id, Vec<(Number, Id)>> = FastMap::default();
        parts.insert(expression, vec![(Number::ONE, Id::ONE)]);
        let mut whole: FastMap<Id, Id> = FastMap::default();
        for &id in order.iter().rev() {
            if !matters.contains_key(&id) {
                continue;
            }
            let Some(contributions) = parts.remove(&id) else { continue };
            let adjoint = self.sum(&contributions);
            if wanted.contains_key(&id) {
                whole.insert(id, adjoint);
            }
            if adjoint == Id::ZERO {
                continue;
            }
            let node = self.node(id).clone();
            if let Node::Sum { terms, .. } = &node {
                for &(coefficient, term) in terms.iter() {
                    if matters.contains_key(&term) {
                        parts.entry(term).or_default().push((coefficient, adjoint));
                    }
                }
                continue;
            }
            let mut operands = Vec::new();
            node.operands(|operand| operands.push(operand));
            operands.sort_unstable();
            operands.dedup();
            for operand in operands {
                if matters.contains_key(&operand) {
                    let slope = self.slope(id, &node, operand);
                    let contribution = self.multiply(adjoint, slope);
                    if contribution != Id::ZERO {
                        parts.entry(operand).or_default().push((Number::ONE, contribution));
                    }
                }
            }
        }
        symbols
            .iter()
            .map(|&symbol| {
                let id = self.symbol(symbol);
                whole.get(&id).copied().unwrap_or(Id::ZERO)
            })
            .collect()
    }
}
