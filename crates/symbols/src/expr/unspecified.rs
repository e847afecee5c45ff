//! Functions that are declared and not specified: they stay symbols in formulas, with derivatives by their arguments.
//!
//! Ranks and identities are decided with numbers. There a stand-in takes the place of such a function: a constant and a
//! few waves whose frequencies and phases are drawn from the name. It is smooth, its derivatives are exact, and it obeys no relation that a model
//! would contain, so that what holds for it at unrelated states holds for every function. At first it is positive, so that roots of it exist.
//! Its values decide and are never shown: compiled programs give NaN until somebody asks for stand-ins.

use holonom_elementary as elementary;
use std::f64::consts::{FRAC_PI_2, TAU};
use std::sync::Arc;

use super::graph::{Graph, Id, Node};

/// A function of which only name and arguments are known.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Unspecified {
    /// What it is called in the model.
    pub name: String,
    /// What its arguments are called: `x`, `x'`, `t`. Derivatives by them are printed with these names.
    pub arguments: Vec<String>,
}

/// How large a stand-in is: its constant, and what its waves are measured by. Waves of a level of one stay below it.
#[derive(Clone, Copy, Debug)]
pub struct Level {
    /// The size of the constant.
    pub constant: f64,
    /// The size of the waves together.
    pub waves: f64,
}

impl Level {
    const ONE: Self = Self { constant: 1.0, waves: 1.0 };
}

/// How many waves a stand-in has: enough that no derivative is a multiple of another.
const WAVES: u64 = 3;

/// A function with numbers, in place of one that is not specified: a constant and waves.
pub struct StandIn {
    pub constant: f64,
    pub waves: Vec<Wave>,
}

/// `amplitude·sin(phase + Σ frequency·argument)`
pub struct Wave {
    pub amplitude: f64,
    pub phase: f64,
    pub frequencies: Vec<f64>,
}

impl StandIn {
    /// For a derivative of these orders.
    fn new(function: &Unspecified, orders: &[u8], level: Level) -> Self {
        let plain = orders.iter().all(|&order| order == 0);
        let wave = |which: u64| {
            let draw = |place: u64| unit(&function.name, which << 32 | place);
            let frequencies: Vec<f64> = (0..orders.len() as u64).map(|place| 0.5 + 1.2 * draw(place + 2)).collect();
            let slopes = frequencies
                .iter()
                .zip(orders)
                .map(|(&frequency, &order)| elementary::powi(frequency, i32::from(order)));
            // A derivative of a sine is the sine a quarter of a turn later.
            let quarters: f64 = orders.iter().map(|&order| f64::from(order)).sum();
            Wave {
                amplitude: level.waves * (0.1 + 0.2 * draw(0)) * slopes.product::<f64>(),
                phase: TAU * draw(1) + FRAC_PI_2 * quarters,
                frequencies,
            }
        };
        Self { constant: if plain { level.constant } else { 0.0 }, waves: (0..WAVES).map(wave).collect() }
    }

    /// The value where the arguments have these.
    pub fn value(&self, arguments: &[f64]) -> f64 {
        self.constant
            + self.waves.iter().map(|wave| wave.amplitude * elementary::sin(wave.angle(arguments))).sum::<f64>()
    }

    /// How far the value may be off where the arguments are off by as much as this, rounding included.
    pub fn error(&self, arguments: &[f64], errors: &[f64]) -> f64 {
        let rounded: Vec<f64> = arguments.iter().zip(errors).map(|(x, e)| e + 2.0 * f64::EPSILON * x.abs()).collect();
        let moved = |wave: &Wave| wave.frequencies.iter().zip(&rounded).map(|(w, e)| w * e).sum::<f64>();
        let off = |wave: &Wave| wave.amplitude.abs() * (moved(wave) + 8.0 * f64::EPSILON * (1.0 + wave.phase));
        self.waves.iter().map(off).sum::<f64>() + f64::EPSILON * self.constant.abs()
    }
}

impl Wave {
    fn angle(&self, arguments: &[f64]) -> f64 {
        self.phase + self.frequencies.iter().zip(arguments).map(|(w, x)| w * x).sum::<f64>()
    }
}

/// A number from 0 to 1 that depends on a name and a place.
fn unit(name: &str, place: u64) -> f64 {
    let mut z = name.bytes().fold(place, |z, byte| (z ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3).rotate_left(17));
    z = z.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
}

impl Graph {
    /// A function that is not specified, or its derivative of some order by each argument.
    ///
    /// ```
    /// use holonom_symbols::expr::{Graph, Symbol, Unspecified};
    ///
    /// let mut graph = Graph::new();
    /// let (x, t) = (graph.symbol(Symbol::Position(0)), graph.symbol(Symbol::Time));
    /// let field = Unspecified { name: "F".into(), arguments: vec!["x".into(), "t".into()] }.into();
    /// let value = graph.unspecified(&field, &[0, 0], &[x, t]);
    /// assert_eq!(graph.partial(value, Symbol::Time), graph.unspecified(&field, &[0, 1], &[x, t]));
    /// ```
    pub fn unspecified(&mut self, function: &Arc<Unspecified>, orders: &[u8], arguments: &[Id]) -> Id {
        let (orders, arguments) = (orders.into(), arguments.into());
        self.intern(Node::Unspecified { function: function.clone(), orders, arguments })
    }

    /// The derivative of an unspecified function by one of its operands, wherever that is an argument.
    pub(super) fn unspecified_slope(
        &mut self,
        function: &Arc<Unspecified>,
        orders: &[u8],
        arguments: &[Id],
        operand: Id,
    ) -> Id {
        let mut slope = Id::ZERO;
        for place in (0..arguments.len()).filter(|&place| arguments[place] == operand) {
            let mut orders = orders.to_vec();
            orders[place] = orders[place].saturating_add(1);
            let partial = self.unspecified(function, &orders, arguments);
            slope = self.add(slope, partial);
        }
        slope
    }

    /// The values of unspecified functions among what `roots` are made of, operands first.
    pub fn unspecified_in(&self, roots: &[Id]) -> Vec<Id> {
        let mut all = self.reachable(roots);
        all.retain(|&id| matches!(self.node(id), Node::Unspecified { .. }));
        all
    }

    /// What takes the place of an unspecified function where something is decided with numbers.
    pub fn stand_in(&self, function: &Unspecified, orders: &[u8]) -> StandIn {
        StandIn::new(function, orders, self.stand_ins.unwrap_or(Level::ONE))
    }

    /// Whether compiled programs may use stand-ins.
    pub fn has_stand_ins(&self) -> bool {
        self.stand_ins.is_some()
    }

    /// Lets compiled programs use stand-ins of this size.
    pub fn use_stand_ins(&mut self, level: Level) {
        self.stand_ins = Some(level);
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Notation, Style, Symbol, Zero};
    use super::*;

    fn declared(name: &str, arguments: &[&str]) -> Arc<Unspecified> {
        let arguments = arguments.iter().map(ToString::to_string).collect();
        Unspecified { name: name.to_string(), arguments }.into()
    }

    fn print(graph: &Graph, id: Id, notation: Notation) -> String {
        let name = |symbol| match symbol {
            Symbol::Time => "t".to_string(),
            Symbol::Position(_) => "x".to_string(),
            _ => "x'".to_string(),
        };
        graph.print(id, &Style::new(notation, &name))
    }

    /// By each argument, twice, and in both directions through the graph.
    #[test]
    fn derivatives_agree_with_differences() {
        let mut g = Graph::new();
        let (x, y) = (g.symbol(Symbol::Position(0)), g.symbol(Symbol::Position(1)));
        let f = declared("F", &["x", "y", "z"]);
        let product = g.multiply(x, y);
        // One argument stands in two places.
        let value = g.unspecified(&f, &[0, 0, 0], &[x, product, x]);
        let at =
            |g: &Graph, e: Id, x: f64, y: f64| g.evaluate(&[e], |s| if s == Symbol::Position(0) { x } else { y })[0];
        let mut open = vec![value];
        for _ in 0..2 {
            for e in std::mem::take(&mut open) {
                let gradient = g.gradient(e, &[Symbol::Position(0), Symbol::Position(1)]);
                for (which, (dx, dy)) in [(1e-5, 0.0), (0.0, 1e-5)].into_iter().enumerate() {
                    let direct = g.partial(e, Symbol::Position(which as u32));
                    let difference = (at(&g, e, 0.8 + dx, 0.3 + dy) - at(&g, e, 0.8 - dx, 0.3 - dy)) / 2e-5;
                    for found in [direct, gradient[which]] {
                        assert!((at(&g, found, 0.8, 0.3) - difference).abs() < 1e-8, "{which}");
                    }
                    open.push(direct);
                }
            }
        }
    }

    #[test]
    fn identities_are_told_from_accidents() {
        let mut g = Graph::new();
        let (x, t) = (g.symbol(Symbol::Position(0)), g.symbol(Symbol::Time));
        let f = declared("F", &["x", "t"]);
        let value = g.unspecified(&f, &[0, 0], &[x, t]);
        let (by_x, by_t) = (g.partial(value, Symbol::Position(0)), g.partial(value, Symbol::Time));
        let (xt, tx) = (g.partial(by_x, Symbol::Time), g.partial(by_t, Symbol::Position(0)));
        assert_eq!(xt, tx);
        let square = g.integer_power(value, 2);
        let rate = g.partial(square, Symbol::Time);
        let twice = g.product(super::super::Number::integer(2), &[(value, 1), (by_t, 1)]);
        let nothing = g.subtract(rate, twice);
        assert_eq!(g.is_zero(nothing), Zero::Proved);
        let oscillation = g.partial(by_t, Symbol::Time);
        for other in [value, by_x, xt] {
            let sum = g.add(oscillation, other);
            assert_eq!(g.is_zero(sum), Zero::Refuted);
        }
    }

    #[test]
    fn derivatives_are_printed_by_argument() {
        let mut g = Graph::new();
        let (x, t) = (g.symbol(Symbol::Position(0)), g.symbol(Symbol::Time));
        let (single, double) = (declared("g", &["t"]), declared("F", &["x", "x'", "t"]));
        let bend = g.unspecified(&single, &[2], &[t]);
        let v = g.symbol(Symbol::Velocity(0));
        let mixed = g.unspecified(&double, &[1, 1, 0], &[x, v, t]);
        let squared = g.integer_power(mixed, 2);
        assert_eq!(print(&g, bend, Notation::Text), "g''(t)");
        assert_eq!(print(&g, bend, Notation::Unicode), "g″(t)");
        assert_eq!(print(&g, mixed, Notation::Unicode), "(∂²F/∂x∂ẋ)(x, ẋ, t)");
        assert_eq!(print(&g, squared, Notation::Unicode), "(∂²F/∂x∂ẋ)(x, ẋ, t)²");
        let latex = "\\frac{\\partial^{2} F}{\\partial x \\, \\partial \\dot{x}}(x, \\dot{x}, t)";
        assert_eq!(print(&g, mixed, Notation::Latex), latex);
        let bent = g.unspecified(&double, &[0, 0, 2], &[x, v, t]);
        assert_eq!(print(&g, bent, Notation::Text), "(∂²F/∂t²)(x, x', t)");
        assert!(print(&g, bent, Notation::MathMl).starts_with("<mrow><mfrac>"));
    }
}
