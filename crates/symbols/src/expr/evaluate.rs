//! The value of expressions, plainly: the reference that every faster way is measured against.

use super::function::Relation;
use super::graph::{FastMap, Graph, Id, Node, Symbol};
use holonom_elementary as elementary;

impl Graph {
    /// The values of `roots` where the symbols have the values given.
    ///
    /// A function that is not specified has the value of a stand-in, which decides identities and means nothing by itself.
    pub fn evaluate(&self, roots: &[Id], mut value: impl FnMut(Symbol) -> f64) -> Vec<f64> {
        let values = self.values(roots, &mut value);
        roots.iter().map(|root| values[root]).collect()
    }

    /// The values of `roots` if nothing cancelled in their sums: what rounding in them is to be measured by.
    pub fn magnitudes(&self, roots: &[Id], mut value: impl FnMut(Symbol) -> f64) -> Vec<f64> {
        let values = self.values(roots, &mut value);
        let mut sizes: FastMap<Id, f64> = FastMap::default();
        for id in self.reachable(roots) {
            let size = match *self.node(id) {
                Node::Sum { constant, ref terms } => {
                    let terms = terms.iter().map(|&(c, term)| c.to_f64().abs() * sizes[&term]);
                    constant.to_f64().abs() + terms.sum::<f64>()
                }
                Node::Product { coefficient, ref factors } => {
                    let sizes = factors.iter().map(|&(factor, exponent)| match exponent {
                        1.. => elementary::powi(sizes[&factor], exponent),
                        _ => elementary::powi(values[&factor].abs(), exponent),
                    });
                    coefficient.to_f64().abs() * sizes.product::<f64>()
                }
                _ => values[&id].abs(),
            };
            sizes.insert(id, size);
        }
        roots.iter().map(|root| sizes[root]).collect()
    }

    /// The values of everything that `roots` are made of. It is compiled once, and not once for every caller.
    fn values(&self, roots: &[Id], value: &mut dyn FnMut(Symbol) -> f64) -> FastMap<Id, f64> {
        let mut values: FastMap<Id, f64> = FastMap::default();
        for id in self.reachable(roots) {
            let at = |operand: Id| values[&operand];
            let truth = |holds: bool| if holds { 1.0 } else { 0.0 };
            let result = match *self.node(id) {
                Node::Number(number) => number.to_f64(),
                Node::Pi => std::f64::consts::PI,
                Node::Symbol(symbol) => value(symbol),
                Node::Sum { constant, ref terms } => {
                    terms.iter().fold(constant.to_f64(), |sum, &(c, term)| sum + c.to_f64() * at(term))
                }
                Node::Product { coefficient, ref factors } => {
                    let mut above = coefficient.to_f64();
                    let mut below = 1.0;
                    for &(factor, exponent) in factors.iter() {
                        if exponent > 0 {
                            above *= elementary::powi(at(factor), exponent);
                        } else {
                            below *= elementary::powi(at(factor), exponent.saturating_neg());
                        }
                    }
                    above / below
                }
                Node::Power(base, exponent) => elementary::powf(at(base), at(exponent)),
                Node::Call(function, a, b) => function.value(at(a), if function.arity() == 2 { at(b) } else { 0.0 }),
                Node::Table { table, order, argument } => self.tables()[table as usize].value(at(argument), order),
                Node::Unspecified { ref function, ref orders, ref arguments } => {
                    let arguments: Vec<f64> = arguments.iter().map(|&argument| at(argument)).collect();
                    self.stand_in(function, orders).value(&arguments)
                }
                Node::Compare(relation, a, b) => truth(match relation {
                    Relation::Less => at(a) < at(b),
                    Relation::LessEqual => at(a) <= at(b),
                }),
                Node::And(a, b) => truth(at(a) != 0.0 && at(b) != 0.0),
                Node::Or(a, b) => truth(at(a) != 0.0 || at(b) != 0.0),
                Node::Not(a) => truth(at(a) == 0.0),
                Node::Select(condition, a, b) => {
                    if at(condition) != 0.0 {
                        at(a)
                    } else {
                        at(b)
                    }
                }
            };
            values.insert(id, result);
        }
        values
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Function, Graph, Id, Number, Symbol};

    /// Every function and operation, differentiated both ways, beside a central difference.
    #[test]
    fn derivatives_agree_with_differences() {
        let mut g = Graph::new();
        let x = g.symbol(Symbol::Position(0));
        let y = g.symbol(Symbol::Position(1));
        let half = g.number(Number::ratio(1, 2).unwrap());
        let mut expressions = Vec::new();
        let half_x = g.multiply(half, x);
        for function in Function::ALL {
            expressions.push(if function.arity() == 1 {
                g.call(function, half_x)
            } else {
                let a = g.multiply(x, y);
                g.call2(function, a, half_x)
            });
        }
        let third = g.number(Number::ratio(1, 3).unwrap());
        expressions.push(g.power(x, third));
        expressions.push(g.power(x, y));
        expressions.push(g.power(x, x));
        let quotient = g.divide(x, y);
        expressions.push(g.integer_power(quotient, -3));
        let less = g.compare(super::Relation::Less, x, y);
        let product = g.multiply(x, y);
        expressions.push(g.select(less, product, quotient));
        let at =
            |g: &Graph, e: Id, x: f64, y: f64| g.evaluate(&[e], |s| if s == Symbol::Position(0) { x } else { y })[0];
        for e in expressions {
            let gradient = g.gradient(e, &[Symbol::Position(0), Symbol::Position(1)]);
            for (which, symbol) in [Symbol::Position(0), Symbol::Position(1)].into_iter().enumerate() {
                let direct = g.partial(e, symbol);
                let (px, py) = (0.83, 0.37);
                let h = 1e-5;
                let (dx, dy) = if which == 0 { (h, 0.0) } else { (0.0, h) };
                let difference = (at(&g, e, px + dx, py + dy) - at(&g, e, px - dx, py - dy)) / (2.0 * h);
                for found in [direct, gradient[which]] {
                    let found = at(&g, found, px, py);
                    assert!(
                        (found - difference).abs() < 1e-8 * (1.0 + found.abs()),
                        "{:?}: {found} {difference}",
                        g.node(e)
                    );
                }
            }
        }
    }

    #[test]
    fn time_takes_positions_to_velocities() {
        let mut g = Graph::new();
        let x = g.symbol(Symbol::Position(0));
        let sine = g.call(Function::Sin, x);
        let rate = g.rate(&[sine])[0];
        let v = g.symbol(Symbol::Velocity(0));
        let c = g.call(Function::Cos, x);
        assert_eq!(rate, g.multiply(v, c));
    }
}
