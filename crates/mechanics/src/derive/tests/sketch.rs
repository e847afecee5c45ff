//! Models built by hand, random expressions, and states to evaluate them at.

use crate::derive::{Equations, derive};
use holonom_language::units::Dimension;
use holonom_language::{Answer, Constraint, Coordinate, Model, Parameter, Span, Term};
use holonom_random::Random;
use holonom_symbols::expr::{Function, Graph, Id, Number, Symbol};

/// A model in the making.
pub(super) struct Sketch {
    pub(super) model: Model,
}

impl Sketch {
    /// n coordinates named `q1`, `q2`, …
    pub(super) fn new(n: usize) -> Self {
        let names: Vec<String> = (1..=n).map(|i| format!("q{i}")).collect();
        Self::named(&names.iter().map(String::as_str).collect::<Vec<_>>())
    }

    pub(super) fn named(names: &[&str]) -> Self {
        let coordinates = names
            .iter()
            .map(|name| Coordinate {
                name: name.to_string(),
                dimension: Dimension::NUMBER,
                size: None,
                span: Span::default(),
            })
            .collect();
        let model = Model { coordinates, ..Model::empty(false) };
        Self { model }
    }

    pub(super) fn g(&mut self) -> &mut Graph {
        &mut self.model.graph
    }
    pub(super) fn q(&mut self, i: usize) -> Id {
        self.g().symbol(Symbol::Position(i as u32))
    }
    pub(super) fn v(&mut self, i: usize) -> Id {
        self.g().symbol(Symbol::Velocity(i as u32))
    }
    pub(super) fn a(&mut self, i: usize) -> Id {
        self.g().symbol(Symbol::Acceleration(i as u32))
    }
    pub(super) fn parameter(&mut self, name: &str, value: &str) -> Id {
        let value = Number::decimal(value).unwrap();
        let value = self.g().number(value);
        let parameter = Parameter {
            name: name.to_string(),
            dimension: Dimension::NUMBER,
            value,
            unit: None,
            span: Span::default(),
        };
        self.model.parameters.push(parameter);
        let index = self.model.parameters.len() - 1;
        self.g().symbol(Symbol::Parameter(index as u32))
    }
    /// coefficient·Π factors
    pub(super) fn times(&mut self, num: i128, den: i128, factors: &[(Id, i32)]) -> Id {
        self.g().product(Number::ratio(num, den).unwrap(), factors)
    }
    pub(super) fn kinetic(&mut self, value: Id) {
        self.model.kinetic.push(Term { value, span: Span::default() });
    }
    pub(super) fn potential(&mut self, value: Id) {
        self.model.potential.push(Term { value, span: Span::default() });
    }
    pub(super) fn constrain(&mut self, name: &str, left: &[Id], right: &[Id]) -> usize {
        let rows = left.iter().zip(right).map(|(&l, &r)| self.model.graph.subtract(l, r)).collect();
        let constraint = Constraint {
            name: name.to_string(),
            first_row: self.model.row_count(),
            rows,
            left: left.to_vec(),
            right: right.to_vec(),
            dimension: Dimension::NUMBER,
            off: false,
            side: None,
            span: Span::default(),
            is_made: false,
            size: None,
            name_span: Span::default(),
        };
        self.model.constraints.push(constraint);
        self.model.constraints.len() - 1
    }
    pub(super) fn derive(self) -> Answer<Equations> {
        derive(self.model)
    }
    pub(super) fn equations(self) -> Equations {
        self.derive().unwrap_or_else(|errors| panic!("{errors:#?}")).value
    }
    /// The code of the only error.
    pub(super) fn error(self) -> &'static str {
        let messages = self.derive().unwrap_err();
        let errors: Vec<_> = messages.iter().filter(|d| d.is_error()).collect();
        assert_eq!(errors.len(), 1, "{errors:#?}");
        errors[0].code
    }
}

/// A state.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    pub(super) t: f64,
    pub(super) q: Vec<f64>,
    pub(super) v: Vec<f64>,
    pub(super) a: Vec<f64>,
    pub(super) parameters: Vec<f64>,
}

impl State {
    pub(super) fn random(n: usize, parameters: usize, random: &mut Random) -> Self {
        let mut list = |n| (0..n).map(|_| random.real()).collect::<Vec<_>>();
        Self { t: 0.7, q: list(n), v: list(n), a: list(n), parameters: list(parameters) }
    }
    pub(super) fn of(&self, graph: &Graph, roots: &[Id]) -> Vec<f64> {
        graph.evaluate(roots, |symbol| match symbol {
            Symbol::Time => self.t,
            Symbol::Parameter(i) => self.parameters[i as usize],
            Symbol::Position(i) => self.q[i as usize],
            Symbol::Velocity(i) => self.v[i as usize],
            Symbol::Acceleration(i) => self.a[i as usize],
            _ => 0.0,
        })
    }
}

/// An expression of `leaves` that is defined everywhere and not too wild.
pub(super) fn expression(random: &mut Random, g: &mut Graph, leaves: &[Id], depth: usize) -> Id {
    if depth == 0 || random.index(8) == 0 {
        return if random.index(6) == 0 {
            g.number(Number::ratio(random.index(9) as i128 - 4, 1 + random.index(3) as i128).unwrap())
        } else {
            leaves[random.index(leaves.len())]
        };
    }
    let mut part = || expression(random, g, leaves, depth - 1);
    let a = part();
    let b = part();
    match random.index(11) {
        0 | 1 => g.add(a, b),
        2 => g.subtract(a, b),
        3 | 4 => g.multiply(a, b),
        5 => g.call(Function::Sin, a),
        6 => g.call(Function::Cos, a),
        7 => g.call(Function::Atan, a),
        8 => {
            let power = 2 + random.index(2) as i32;
            let sine = g.call(Function::Tanh, a);
            g.integer_power(sine, power)
        }
        9 => {
            let square = g.integer_power(b, 2);
            let below = g.sum_with(Number::integer(2), &[(Number::ONE, square)]);
            g.divide(a, below)
        }
        _ => {
            let square = g.integer_power(a, 2);
            let inside = g.add(square, Id::ONE);
            g.call(Function::Sqrt, inside)
        }
    }
}

pub(super) fn assert_close(found: f64, expected: f64, tolerance: f64, what: &str) {
    assert!((found - expected).abs() <= tolerance * (1.0 + expected.abs()), "{what}: {found} instead of {expected}");
}
