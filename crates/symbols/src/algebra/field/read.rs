//! Reading: an expression of a graph as an element of the field.

use super::atom::{Atom, Family, bare};
use super::{Budget, Exhausted, FunctionField, Integer, Polynomial, Ratio};
use crate::expr::{FastMap, Function, Graph, Id, Node, Number};

/// Numbers that differ by no more than this many units in the last place differ by rounding.
const ROUNDED: u64 = 8;

impl FunctionField {
    /// An expression, exactly.
    ///
    /// Every expression can be read; what has no algebra here (tables, conditions, `atan2`, …) becomes an atom of its own.
    /// Numbers that were rounded count as what their shortest decimal says, and those that rounding cannot tell apart as one.
    ///
    /// # Errors
    /// Where the budget is exhausted.
    pub fn read(&mut self, graph: &Graph, id: Id, budget: &Budget) -> Result<Ratio, Exhausted> {
        Ok(self.read_all(graph, &[id], budget)?.pop().unwrap_or_else(Ratio::zero))
    }

    /// Many expressions, each part that they share once.
    ///
    /// # Errors
    /// Where the budget is exhausted.
    pub fn read_all(&mut self, graph: &Graph, ids: &[Id], budget: &Budget) -> Result<Vec<Ratio>, Exhausted> {
        let mut known: FastMap<Id, Ratio> = FastMap::default();
        for id in graph.reachable(ids) {
            budget.spend(1)?;
            let ratio = self.read_node(graph.node(id), &known, budget)?;
            known.insert(id, ratio);
        }
        ids.iter().map(|id| self.reduce(&known[id], budget)).collect()
    }

    fn read_node(&mut self, node: &Node, known: &FastMap<Id, Ratio>, budget: &Budget) -> Result<Ratio, Exhausted> {
        match *node {
            Node::Number(number) => self.number(number, budget),
            Node::Pi => Ok(Ratio::variable(self.atom(Atom::Pi, None))),
            Node::Symbol(symbol) => Ok(self.symbol(symbol)),
            Node::Sum { constant, ref terms } => {
                let mut summands = vec![self.number(constant, budget)?];
                for (coefficient, term) in terms.iter() {
                    summands.push(self.number(*coefficient, budget)?.multiply(&known[term], budget)?);
                }
                self.sum(summands, budget)
            }
            Node::Product { coefficient, ref factors } => {
                let mut product = self.number(coefficient, budget)?;
                for &(factor, exponent) in factors.iter() {
                    let power = self.power(&known[&factor], exponent, budget)?;
                    product = self.multiply(&product, &power, budget)?;
                }
                Ok(product)
            }
            Node::Power(base, exponent) => {
                let (base, exponent) = (&known[&base], &known[&exponent]);
                if base.is_zero() && exponent.as_constant().is_none() {
                    return Ok(self.other(node, known));
                }
                self.exponential(&Family::Power(base.clone()), exponent, budget)
            }
            Node::Call(function, argument, _) => match self.function(function, &known[&argument], budget)? {
                Some(value) => Ok(value),
                None => Ok(self.other(node, known)),
            },
            _ => Ok(self.other(node, known)),
        }
    }

    /// A number. Long ones whose quotient is a power of two but for rounding are taken for the same: mL² is rounded differently in
    /// mL·L and mL², and mL² sin² + mL² cos² would not be a number without this.
    fn number(&mut self, number: Number, budget: &Budget) -> Result<Ratio, Exhausted> {
        let is_short = |integer: i128| integer.unsigned_abs() <= 1 << f64::MANTISSA_DIGITS;
        if number.as_ratio().is_some_and(|(above, below)| is_short(above) && is_short(below)) {
            return rational(number, budget);
        }
        let bits = number.magnitude().to_f64().to_bits();
        let (exponent, mantissa) = ((bits >> 52) as i32, bits & ((1 << 52) - 1));
        let near = mantissa.saturating_sub(ROUNDED)..=mantissa + ROUNDED;
        let known = self.numbers.range(near).next().map(|(_, known)| known.clone());
        let (own, ratio) = match known {
            Some(known) => known,
            None => {
                let new = (exponent, rational(number.magnitude(), budget)?);
                self.numbers.insert(mantissa, new.clone());
                new
            }
        };
        let power = Integer::from(2i64).power((exponent - own).unsigned_abs());
        let power = Ratio::from_polynomial(Polynomial::constant(power));
        let ratio =
            if exponent < own { self.divide(&ratio, &power, budget)? } else { ratio.multiply(&power, budget)? };
        Ok(if number.is_negative() { ratio.negate() } else { ratio })
    }

    /// A function that has an algebra here.
    fn function(&mut self, function: Function, argument: &Ratio, budget: &Budget) -> Result<Option<Ratio>, Exhausted> {
        use Function::{Abs, Asin, Atan, Cos, Cosh, Exp, Sign, Sin, Sinh, Sqrt, Tan, Tanh};
        let family = match function {
            Sin | Cos | Tan => Family::Circular,
            Sinh | Cosh | Tanh => Family::Hyperbolic,
            Exp => return self.exponential(&Family::Exponential, argument, budget).map(Some),
            Sqrt => return self.square_root(argument, budget).map(Some),
            Abs => return self.magnitude(argument, budget).map(Some),
            Sign => return self.sign(argument, budget).map(Some),
            Asin | Atan if argument.numerator().leading_coefficient_sign() < 0 => {
                let node = Node::Call(function, Id::ZERO, Id::ZERO);
                let positive = self.atom(Atom::Other { node, operands: vec![argument.negate()] }, None);
                return Ok(Some(Ratio::variable(positive).negate()));
            }
            _ => return Ok(None),
        };
        let (sine, cosine) = self.sine_and_cosine(&family, argument, budget)?;
        Ok(Some(match function {
            Sin | Sinh => sine,
            Cos | Cosh => cosine,
            _ => self.divide(&sine, &cosine, budget)?,
        }))
    }

    /// What has no algebra: an atom.
    fn other(&mut self, node: &Node, known: &FastMap<Id, Ratio>) -> Ratio {
        let mut operands = Vec::new();
        node.operands(|operand| operands.push(known[&operand].clone()));
        Ratio::variable(self.atom(Atom::Other { node: bare(node), operands }, None))
    }

    /// A sum, halves first, so that long sums are not copied for every term.
    pub(super) fn sum(&self, mut summands: Vec<Ratio>, budget: &Budget) -> Result<Ratio, Exhausted> {
        while summands.len() > 1 {
            let mut halved = Vec::with_capacity(summands.len().div_ceil(2));
            for pair in summands.chunks(2) {
                halved.push(match pair {
                    [a, b] => self.add(a, b, budget)?,
                    _ => pair[0].clone(),
                });
            }
            summands = halved;
        }
        Ok(summands.pop().unwrap_or_else(Ratio::zero))
    }
}

/// A number as a quotient of integers.
fn rational(number: Number, budget: &Budget) -> Result<Ratio, Exhausted> {
    let quotient = |above: Integer, below: Integer| {
        let (above, below) = (Polynomial::constant(above), Polynomial::constant(below));
        Ok(Ratio::new(above, below, budget)?.unwrap_or_else(Ratio::zero))
    };
    if let Some((above, below)) = number.as_ratio() {
        return quotient(above.into(), below.into());
    }
    // The digits that name this double and no other, as `1.25e-7`.
    let text = format!("{:e}", number.to_f64());
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let digits: i128 = format!("{whole}{fraction}").parse().unwrap_or(0);
    let exponent = exponent.parse::<i32>().unwrap_or(0) - fraction.len() as i32;
    let power = Integer::from(10i64).power(exponent.unsigned_abs());
    match exponent {
        0.. => quotient(&Integer::from(digits) * &power, Integer::ONE),
        _ => quotient(Integer::from(digits), power),
    }
}
