//! Is this expression zero? Asked at a few states, with the rounding of each evaluation bounded.
//!
//! Decisions such as "does this constraint really contain a velocity" must not hang on how an expression happens to be
//! written. An analytic expression that vanishes at several unrelated states vanishes everywhere, for all practical
//! purposes. What rounding leaves of a zero is bounded along with the value, so no bare tolerance is needed.
//!
//! An expression in pieces (`if`, `abs`, `min`, a table, …) may vanish in one piece and not in another that no state nearby
//! reaches. So which side of a comparison holds is drawn anew at every state: all pieces are asked, also those that no
//! state belongs to. What is zero then is zero in every piece.

use holonom_elementary as elementary;
use holonom_language::Model;
use holonom_symbols::expr::{Depends, FastMap, Function, Graph, Id, Node, Symbol};

/// How many states are asked.
const STATES: u64 = 6;
/// How many are asked about expressions in pieces, so that pieces within pieces are met.
const STATES_IN_PIECES: u64 = 48;

/// Values of parameters, and states to ask at.
#[derive(Clone, Debug)]
pub(super) struct Probe {
    parameters: Vec<f64>,
    /// Whether parameters are moved off their values, so that only what holds for all of them counts.
    generic: bool,
}

impl Probe {
    /// At the parameters as they are given: what is zero only because `m1 = 0` counts as zero.
    pub(super) fn at_values(model: &Model, graph: &Graph) -> Self {
        Self { parameters: parameter_values(model, graph), generic: false }
    }

    /// At parameters of which some, by their place, have other values than the model gives.
    pub(super) fn at_other_values(model: &Model, graph: &Graph, set: &[(usize, f64)]) -> Self {
        Self { parameters: parameter_values_with(model, graph, set), generic: false }
    }

    /// At parameters in general.
    pub(super) fn generic(model: &Model, graph: &Graph) -> Self {
        Self { parameters: parameter_values(model, graph), generic: true }
    }

    /// Whether `id` is zero wherever it is defined.
    pub(super) fn is_zero(&self, graph: &Graph, id: Id) -> bool {
        self.are_zero(graph, &[id])
    }

    /// Whether all of `ids` are zero wherever they are defined.
    pub(super) fn are_zero(&self, graph: &Graph, ids: &[Id]) -> bool {
        let open: Vec<Id> = ids.iter().copied().filter(|&id| id != Id::ZERO).collect();
        if open.is_empty() {
            return true;
        }
        // A symbol, or a number that is not 0, needs no probing.
        let plain = |&id: &Id| match *graph.node(id) {
            Node::Symbol(Symbol::Parameter(_)) => self.generic,
            Node::Number(_) | Node::Pi | Node::Symbol(_) => true,
            _ => false,
        };
        if open.iter().any(plain) {
            return false;
        }
        let mut asked = 0;
        let states = if in_pieces(graph, &open) { STATES_IN_PIECES } else { STATES };
        for state in 0..4 * states {
            let values = self.evaluate(graph, &open, state);
            if values.iter().any(|value| !value.value.is_finite() || !value.error.is_finite()) {
                continue; // outside of where it is defined
            }
            if values.iter().any(|value| value.value.abs() > 8.0 * value.error) {
                return false;
            }
            asked += 1;
            if asked == states {
                break;
            }
        }
        asked > 0
    }

    /// For each of `ids`, whether it is clearly not zero at some state.
    pub(super) fn nonzero(&self, graph: &Graph, ids: &[Id]) -> Vec<bool> {
        let mut result = vec![false; ids.len()];
        let states = if in_pieces(graph, ids) { STATES_IN_PIECES } else { STATES };
        for state in 0..states {
            for (known, value) in result.iter_mut().zip(self.evaluate(graph, ids, state)) {
                *known |= value.value.is_finite() && value.value.abs() > 8.0 * value.error;
            }
        }
        result
    }

    /// The size of an expression at a typical state: for choosing pivots.
    pub(super) fn size(&self, graph: &Graph, ids: &[Id]) -> Vec<f64> {
        let mut sizes = vec![f64::INFINITY; ids.len()];
        for state in 0..STATES {
            for (size, value) in sizes.iter_mut().zip(self.evaluate(graph, ids, state)) {
                if value.value.is_finite() {
                    *size = size.min(value.value.abs());
                }
            }
        }
        sizes.iter().map(|&size| if size.is_finite() { size } else { 0.0 }).collect()
    }

    /// The values of expressions at one state.
    pub(super) fn values(&self, graph: &Graph, ids: &[Id], state: u64) -> Vec<f64> {
        self.evaluate(graph, ids, state).into_iter().map(|value| value.value).collect()
    }

    /// The value of a parameter.
    pub(super) fn parameter(&self, index: usize) -> f64 {
        self.parameters.get(index).copied().unwrap_or(f64::NAN)
    }

    fn symbol_value(&self, symbol: Symbol, state: u64) -> f64 {
        let (kind, index) = match symbol {
            Symbol::Time => (1, 0),
            Symbol::Parameter(i) => (2, i),
            Symbol::Position(i) => (3, i),
            Symbol::Velocity(i) => (4, i),
            Symbol::Acceleration(i) => (5, i),
            Symbol::Multiplier(i) => (6, i),
            Symbol::Reaction(i) => (7, i),
            Symbol::Slip(i) => (8, i),
            Symbol::Normal(i) => (9, i),
        };
        let random = unit(state << 48 | kind << 40 | u64::from(index));
        if let Symbol::Parameter(i) = symbol {
            let given = self.parameter(i as usize);
            return match (self.generic, given == 0.0) {
                (false, _) => given,
                (true, false) => given * (1.0 + 0.2 * random),
                (true, true) => random,
            };
        }
        // Near and far: some expressions are defined only near zero, others only away from it.
        let scale = [0.9, 0.25, 1.7, 0.05][(state % 4) as usize];
        match symbol {
            Symbol::Time => 0.1 + scale * random.abs(),
            _ => scale * random,
        }
    }

    fn evaluate(&self, graph: &Graph, roots: &[Id], state: u64) -> Vec<Bounded> {
        let order = graph.reachable(roots);
        let mut place: FastMap<Id, usize> = FastMap::default();
        place.reserve(order.len());
        let mut values: Vec<Bounded> = Vec::with_capacity(order.len());
        for (index, &id) in order.iter().enumerate() {
            let at = |operand: Id| place.get(&operand).map_or(Bounded::default(), |&i| values[i]);
            let value = match graph.node(id) {
                Node::Symbol(symbol) => Bounded::exact(self.symbol_value(*symbol, state)),
                node => piece(graph, node, state, at).unwrap_or_else(|| bounded(graph, node, at)),
            };
            place.insert(id, index);
            values.push(value);
        }
        roots.iter().map(|root| values[place[root]]).collect()
    }
}

/// The values of the parameters, each from those before it.
fn parameter_values(model: &Model, graph: &Graph) -> Vec<f64> {
    parameter_values_with(model, graph, &[])
}

/// The same where some of them, by their place, were set from outside.
fn parameter_values_with(model: &Model, graph: &Graph, set: &[(usize, f64)]) -> Vec<f64> {
    let mut values: Vec<f64> = Vec::with_capacity(model.parameters.len());
    for (place, parameter) in model.parameters.iter().enumerate() {
        let given = set.iter().rev().find(|(which, _)| *which == place);
        let value = match (given, graph.as_number(parameter.value)) {
            (Some((_, value)), _) => *value,
            (None, Some(number)) => number.to_f64(),
            (None, None) => graph.evaluate(&[parameter.value], |symbol| match symbol {
                Symbol::Parameter(i) => values.get(i as usize).copied().unwrap_or(f64::NAN),
                _ => f64::NAN,
            })[0],
        };
        values.push(value);
    }
    values
}

/// A value, and a bound on what rounding did to it.
#[derive(Clone, Copy, Debug, Default)]
struct Bounded {
    value: f64,
    error: f64,
}

impl Bounded {
    fn exact(value: f64) -> Self {
        Self { value, error: 0.0 }
    }

    fn rounded(value: f64) -> Self {
        Self { value, error: f64::EPSILON * value.abs() }
    }

    /// A power, its error to first order.
    fn power(self, exponent: f64) -> Self {
        let value = elementary::powf(self.value, exponent);
        let value = if exponent.fract() == 0.0 { elementary::powi(self.value, exponent as i32) } else { value };
        let grown = match self.error == 0.0 {
            true => 0.0,
            // Of a zero that rounding may have made of something, or something of a zero.
            false if self.value == 0.0 => elementary::powf(self.error, exponent),
            false => (exponent * value / self.value).abs() * self.error,
        };
        Self { value, error: grown + f64::EPSILON * value.abs() * (1.0 + exponent.abs()) }
    }

    fn times(self, other: Self) -> Self {
        let value = self.value * other.value;
        let error = self.value.abs() * other.error + other.value.abs() * self.error + self.error * other.error;
        Self { value, error: error + f64::EPSILON * value.abs() }
    }
}

/// Whether expressions are made of pieces.
fn in_pieces(graph: &Graph, ids: &[Id]) -> bool {
    use Function::{Abs, Max, Min, Sign};
    let has_pieces = |&id: &Id| {
        matches!(graph.node(id), Node::Compare(..) | Node::Table { .. } | Node::Call(Abs | Sign | Min | Max, ..))
    };
    graph.reachable(ids).iter().any(has_pieces)
}

/// The value of a node that has pieces, in a piece drawn at random; nothing for other nodes.
///
/// The draw belongs to the operands compared, so that a function and its derivative are in the same piece.
fn piece(graph: &Graph, node: &Node, state: u64, at: impl Fn(Id) -> Bounded) -> Option<Bounded> {
    let draw = |a: Id, b: Id| unit(state << 48 ^ (a.index() as u64) << 24 ^ b.index() as u64 ^ 0x5eed) > 0.0;
    let negated = |value: Bounded| Bounded { value: -value.value, ..value };
    Some(match *node {
        Node::Compare(_, a, b) => Bounded::exact(if draw(a, b) { 1.0 } else { 0.0 }),
        Node::Call(Function::Min, a, b) => at(if draw(a, b) { a } else { b }),
        Node::Call(Function::Max, a, b) => at(if draw(b, a) { a } else { b }),
        Node::Call(Function::Abs, a, _) => {
            if draw(a, a) {
                at(a)
            } else {
                negated(at(a))
            }
        }
        Node::Call(Function::Sign, a, _) => Bounded::exact(if draw(a, a) { 1.0 } else { -1.0 }),
        Node::Table { table, order, argument } => {
            let table = &graph.tables()[table as usize];
            let (mut first, mut last) = (f64::INFINITY, f64::NEG_INFINITY);
            table.points().for_each(|(x, _)| (first, last) = (first.min(x), last.max(x)));
            let part = 0.5 + 0.5 * unit(state << 48 ^ (argument.index() as u64) << 8 ^ 0x7ab1e);
            let value = table.value(first + (last - first) * part, order);
            Bounded { value, error: 64.0 * f64::EPSILON * value.abs() }
        }
        _ => return None,
    })
}

fn bounded(graph: &Graph, node: &Node, at: impl Fn(Id) -> Bounded) -> Bounded {
    let truth = |holds: bool| Bounded::exact(if holds { 1.0 } else { 0.0 });
    match *node {
        Node::Number(number) => Bounded::rounded(number.to_f64()),
        Node::Pi => Bounded::rounded(std::f64::consts::PI),
        Node::Symbol(_) => Bounded::default(),
        Node::Sum { constant, ref terms } => {
            let mut sum = Bounded::rounded(constant.to_f64());
            for &(coefficient, term) in terms.iter() {
                let term = Bounded::rounded(coefficient.to_f64()).times(at(term));
                sum.value += term.value;
                sum.error += term.error + f64::EPSILON * (sum.value.abs() + term.value.abs());
            }
            sum
        }
        Node::Product { coefficient, ref factors } => {
            let start = Bounded::rounded(coefficient.to_f64());
            factors.iter().fold(start, |product, &(factor, e)| product.times(at(factor).power(f64::from(e))))
        }
        Node::Power(base, exponent) => {
            let (base, exponent) = (at(base), at(exponent));
            let power = base.power(exponent.value);
            let moved = if exponent.error == 0.0 {
                0.0
            } else {
                (power.value * elementary::ln(base.value)).abs() * exponent.error
            };
            Bounded { value: power.value, error: power.error + moved }
        }
        Node::Call(function, a, b) => {
            let (a, b) = (at(a), if function.arity() == 2 { at(b) } else { Bounded::default() });
            let value = function.value(a.value, b.value);
            let moved = |da: f64, db: f64| {
                let there = function.value(a.value + da, b.value + db);
                if there.is_finite() { (there - value).abs() } else { 0.0 }
            };
            let error = moved(a.error, 0.0).max(moved(-a.error, 0.0)) + moved(0.0, b.error).max(moved(0.0, -b.error));
            Bounded { value, error: error + 2.0 * f64::EPSILON * value.abs() }
        }
        Node::Table { table, order, argument } => {
            let argument = at(argument);
            let table = &graph.tables()[table as usize];
            let value = table.value(argument.value, order);
            let moved = (table.value(argument.value + argument.error, order) - value).abs();
            Bounded { value, error: moved + 64.0 * f64::EPSILON * value.abs() }
        }
        Node::Unspecified { ref function, ref orders, ref arguments } => {
            let at: Vec<Bounded> = arguments.iter().map(|&argument| at(argument)).collect();
            let (x, errors): (Vec<f64>, Vec<f64>) = at.iter().map(|bounded| (bounded.value, bounded.error)).unzip();
            let curve = graph.stand_in(function, orders);
            Bounded { value: curve.value(&x), error: curve.error(&x, &errors) }
        }
        Node::Compare(relation, a, b) => truth(match relation {
            holonom_symbols::expr::Relation::Less => at(a).value < at(b).value,
            holonom_symbols::expr::Relation::LessEqual => at(a).value <= at(b).value,
        }),
        Node::And(a, b) => truth(at(a).value != 0.0 && at(b).value != 0.0),
        Node::Or(a, b) => truth(at(a).value != 0.0 || at(b).value != 0.0),
        Node::Not(a) => truth(at(a).value == 0.0),
        Node::Select(condition, a, b) => {
            if at(condition).value != 0.0 {
                at(a)
            } else {
                at(b)
            }
        }
    }
}

/// A number between −1 and 1, not too near 0, that depends on `seed` alone.
fn unit(seed: u64) -> f64 {
    let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^= z >> 31;
    let magnitude = 0.1 + 0.9 * ((z >> 11) as f64 / (1u64 << 53) as f64);
    if z & 1 == 0 { magnitude } else { -magnitude }
}

/// `id` without those symbols of `kinds` that it only seems to depend on.
///
/// Nothing if some symbol of these kinds really matters.
pub(super) fn without(graph: &mut Graph, probe: &Probe, id: Id, kinds: Depends) -> Option<Id> {
    if !graph.depends(id).on(kinds) {
        return Some(id);
    }
    let symbols: Vec<Symbol> = graph.symbols(&[id]).into_iter().filter(|&s| kinds.on(kind_of(s))).collect();
    let slopes = graph.gradient(id, &symbols);
    if !probe.are_zero(graph, &slopes) {
        return None;
    }
    // Any value will do; different ones, so that differences do not vanish below a line.
    let mut next = 1;
    let values: Vec<Id> = symbols
        .iter()
        .map(|_| {
            next += 1;
            graph.integer(next)
        })
        .collect();
    let at = |symbol: Symbol| symbols.iter().position(|&s| s == symbol).map(|index| values[index]);
    let plain = graph.substitute(&[id], at)[0];
    let difference = graph.subtract(id, plain);
    probe.is_zero(graph, difference).then_some(plain) // steps have no slope, and matter
}

fn kind_of(symbol: Symbol) -> Depends {
    match symbol {
        Symbol::Time => Depends::TIME,
        Symbol::Parameter(_) => Depends::PARAMETER,
        Symbol::Position(_) => Depends::POSITION,
        Symbol::Velocity(_) => Depends::VELOCITY,
        Symbol::Acceleration(_) => Depends::ACCELERATION,
        Symbol::Multiplier(_) | Symbol::Reaction(_) => Depends::FORCE,
        Symbol::Slip(_) | Symbol::Normal(_) => Depends::CONTACT,
    }
}
