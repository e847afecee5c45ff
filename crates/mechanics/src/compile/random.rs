//! Random graphs, for the laws that all evaluators obey.

pub(crate) use holonom_random::Random;
use holonom_symbols::expr::{Function, Graph, Id, Number, Relation, Symbol, Table};

/// How many symbols of each kind a random graph has.
pub(crate) const SYMBOLS: u32 = 5;

/// Where a graph is evaluated.
pub(crate) struct Point {
    pub t: f64,
    pub q: Vec<f64>,
    pub v: Vec<f64>,
    pub reaction: Vec<f64>,
    pub parameters: Vec<f64>,
}

impl Point {
    pub fn new(random: &mut Random) -> Self {
        let mut list = || (0..SYMBOLS).map(|_| random.uniform(0.4, 1.6)).collect::<Vec<f64>>();
        let (q, v, reaction, parameters) = (list(), list(), list(), list());
        Self { t: random.uniform(0.4, 1.6), q, v, reaction, parameters }
    }

    pub fn value(&self, symbol: Symbol) -> f64 {
        match symbol {
            Symbol::Time => self.t,
            Symbol::Parameter(i) => self.parameters[i as usize],
            Symbol::Position(i) => self.q[i as usize],
            Symbol::Velocity(i) => self.v[i as usize],
            _ => {
                self.reaction[match symbol {
                    Symbol::Reaction(i) => i as usize,
                    _ => 0,
                }]
            }
        }
    }

    pub fn inputs(&self) -> super::Inputs<'_> {
        super::Inputs { t: self.t, q: &self.q, v: &self.v, reaction: &self.reaction, ..Default::default() }
    }
}

/// A graph of about `size` expressions over all operations, and some of them, tame at `point`: none is large or small there, and no
/// comparison is close, so that values hang on their operands smoothly.
pub(crate) fn graph(random: &mut Random, size: usize, point: &Point) -> (Graph, Vec<Id>) {
    let mut g = Graph::new();
    let x: Vec<f64> = (0..9).map(|i| f64::from(i) * 0.5 - 1.0).collect();
    g.add_table(Table::new(x.clone(), x.iter().map(|x| (1.3 * x).sin() + 2.0).collect()).unwrap());
    let mut pool: Vec<(Id, f64)> = Vec::new();
    for i in 0..SYMBOLS {
        for symbol in [Symbol::Parameter(i), Symbol::Position(i), Symbol::Velocity(i), Symbol::Reaction(i)] {
            pool.push((g.symbol(symbol), point.value(symbol)));
        }
    }
    pool.push((g.symbol(Symbol::Time), point.t));
    pool.push((g.pi(), std::f64::consts::PI));
    for _ in 0..size {
        let pick = |random: &mut Random| {
            let recent = pool.len().min(60);
            pool[if random.index(2) == 0 { pool.len() - 1 - random.index(recent) } else { random.index(pool.len()) }]
        };
        let (a, b, c) = (pick(random), pick(random), pick(random));
        let made = match random.index(12) {
            0..3 => {
                let mut number = || Number::ratio(random.index(9) as i128 - 4, 1 + random.index(3) as i128).unwrap();
                let terms = [(number(), a.0), (number(), b.0), (number(), c.0)];
                g.sum_with(number(), &terms)
            }
            3..7 => {
                let mut exponent = || [1, 1, 1, 1, 2, 3, -1, -2][random.index(8)];
                let factors = [(a.0, exponent()), (b.0, exponent()), (c.0, exponent())];
                g.product(Number::ratio(random.index(5) as i128 - 2, 3).unwrap(), &factors)
            }
            7 => g.power(a.0, b.0),
            8 => g.table(0, random.index(3) as u8, a.0),
            9 if (a.1 - b.1).abs() > 1e-3 => {
                let less = g.compare([Relation::Less, Relation::LessEqual][random.index(2)], a.0, b.0);
                let more = g.compare(Relation::Less, b.0, a.0);
                let condition = match random.index(4) {
                    0 => less,
                    1 => g.and(less, more),
                    2 => g.or(less, more),
                    _ => g.not(less),
                };
                g.select(condition, b.0, c.0)
            }
            _ => {
                let function = Function::ALL[random.index(Function::ALL.len())];
                match function.arity() {
                    1 => g.call(function, a.0),
                    _ => g.call2(function, a.0, b.0),
                }
            }
        };
        let value = g.evaluate(&[made], |symbol| point.value(symbol))[0];
        if value.is_finite() && (0.05..20.0).contains(&value.abs()) && g.as_number(made).is_none() {
            pool.push((made, value));
        }
    }
    let roots = (0..20).map(|i| pool[pool.len() - 1 - 3 * i % pool.len()].0).chain([Id::ZERO, Id::ONE]).collect();
    (g, roots)
}
