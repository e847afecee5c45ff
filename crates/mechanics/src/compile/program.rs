//! A program: some expressions of a graph, ready to be evaluated at many states.
//!
//! `layout` says in which order its operations are done and where their values are; interpreter, machine code and wide blocks follow it.

use super::layout::{KINDS, ProgramLayout};
#[cfg(feature = "native")]
use super::native::Native;
use super::tape;
use super::wide::Wide;
use holonom_symbols::expr::{Graph, Id};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

/// What a program is evaluated at. What its expressions do not depend on may be left empty.
#[derive(Clone, Copy, Debug, Default)]
pub struct Inputs<'a> {
    /// Time.
    pub t: f64,
    /// Positions.
    pub q: &'a [f64],
    /// Velocities.
    pub v: &'a [f64],
    /// Accelerations.
    pub acceleration: &'a [f64],
    /// Ideal multipliers, by row.
    pub multiplier: &'a [f64],
    /// Total reactions, by row.
    pub reaction: &'a [f64],
    /// Speeds of slip, by friction.
    pub slip: &'a [f64],
    /// Normal forces, by friction.
    pub normal: &'a [f64],
}

impl Inputs<'_> {
    pub(super) fn slices(&self) -> [&[f64]; KINDS] {
        [self.q, self.v, self.acceleration, self.multiplier, self.reaction, self.slip, self.normal]
    }
}

/// Some expressions of a graph as straight-line code.
///
/// ```
/// use holonom_mechanics::compile::{Inputs, Program};
/// use holonom_symbols::expr::{Function, Graph, Symbol};
///
/// // g sin(q) for a parameter g
/// let mut graph = Graph::new();
/// let (g, q) = (graph.symbol(Symbol::Parameter(0)), graph.symbol(Symbol::Position(0)));
/// let sine = graph.call(Function::Sin, q);
/// let force = graph.multiply(g, sine);
///
/// let program = Program::new(&graph, &[force]);
/// let fixed = program.fixed(&[9.81]);
/// let mut memory = program.memory();
/// let found = program.evaluate(&fixed, &Inputs { q: &[0.5], ..Inputs::default() }, &mut memory);
/// assert_eq!(found, [9.81 * holonom_elementary::sin(0.5)]);
/// assert_eq!(program.operations(), 2);
/// ```
#[derive(Clone, Debug)]
pub struct Program {
    pub(super) layout: ProgramLayout,
    /// Its operations for wide blocks of states, made when it is first asked for.
    pub(super) wide: OnceLock<Arc<Wide>>,
    #[cfg(feature = "native")]
    native: OnceLock<Option<Arc<Native>>>,
}

/// The fixed part of a program for one set of parameters.
#[derive(Clone, Debug)]
pub struct Fixed {
    values: Vec<f64>,
    stamp: u64,
}

impl Fixed {
    /// What depends on parameters alone, in order.
    pub(super) fn values(&self) -> &[f64] {
        &self.values
    }

    /// Tells it from every other.
    pub(super) fn stamp(&self) -> u64 {
        self.stamp
    }
}

/// The memory that a program is evaluated in.
#[derive(Clone, Debug)]
pub struct Memory {
    pub(super) cells: Vec<f64>,
    outputs: Range<usize>,
    /// Which fixed part it holds.
    stamp: u64,
}

impl Memory {
    /// The values of the last evaluation, in the order of the expressions.
    #[inline]
    pub fn outputs(&self) -> &[f64] {
        &self.cells[self.outputs.clone()]
    }

    /// The same, to be written over until the next evaluation. What depends on parameters alone is not evaluated again and must be left.
    pub(super) fn outputs_mut(&mut self) -> &mut [f64] {
        &mut self.cells[self.outputs.clone()]
    }
}

static STAMP: AtomicU64 = AtomicU64::new(1);

/// A number that was not given before.
pub(super) fn stamp() -> u64 {
    STAMP.fetch_add(1, Ordering::Relaxed)
}

impl Program {
    /// The expressions `roots` of `graph` as a program.
    pub fn new(graph: &Graph, roots: &[Id]) -> Self {
        Self {
            layout: ProgramLayout::new(graph, roots),
            wide: OnceLock::new(),
            #[cfg(feature = "native")]
            native: OnceLock::new(),
        }
    }

    /// What depends on parameters alone, for these values of the parameters.
    ///
    /// # Panics
    /// If there are fewer than the expressions mention.
    pub fn fixed(&self, parameters: &[f64]) -> Fixed {
        Fixed { values: self.layout.fixed(parameters), stamp: stamp() }
    }

    /// Memory to evaluate in.
    pub fn memory(&self) -> Memory {
        Memory { cells: vec![0.0; self.layout.outputs.end], outputs: self.layout.outputs.clone(), stamp: 0 }
    }

    /// Makes machine code, which evaluations use from then on; says whether there is some. The second call costs nothing.
    ///
    /// Another thread may do this while programs are evaluated. Machine code gives the same bits as the interpreter.
    #[cfg(feature = "native")]
    pub fn compile(&self) -> bool {
        self.native.get_or_init(|| Native::new(&self.layout).map(Arc::new)).is_some()
    }

    /// Makes machine code where this library was built with it: it was not.
    #[cfg(not(feature = "native"))]
    pub fn compile(&self) -> bool {
        false
    }

    /// The values of the expressions, by machine code where there is some. Allocates nothing.
    ///
    /// # Panics
    /// If inputs are missing that the expressions mention, or the memory or the fixed part is another program's.
    pub fn evaluate<'m>(&self, fixed: &Fixed, inputs: &Inputs, memory: &'m mut Memory) -> &'m [f64] {
        #[cfg(feature = "native")]
        if let Some(Some(native)) = self.native.get() {
            self.load(fixed, inputs, memory);
            native.run(&mut memory.cells);
            return memory.outputs();
        }
        self.interpret(fixed, inputs, memory)
    }

    /// The values of the expressions, by the interpreter: the reference. Allocates nothing.
    ///
    /// # Panics
    /// As [`Program::evaluate`].
    pub fn interpret<'m>(&self, fixed: &Fixed, inputs: &Inputs, memory: &'m mut Memory) -> &'m [f64] {
        self.load(fixed, inputs, memory);
        tape::run(&self.layout.steps, &self.layout.tables, &mut memory.cells);
        for &(from, to) in &self.layout.copies {
            memory.cells[to as usize] = memory.cells[from as usize];
        }
        memory.outputs()
    }

    /// Puts inputs in their places, and the fixed part where it is not there yet.
    pub(super) fn load(&self, fixed: &Fixed, inputs: &Inputs, memory: &mut Memory) {
        assert_eq!(memory.cells.len(), self.layout.outputs.end, "the memory is another program's");
        let cells = &mut memory.cells[..];
        if memory.stamp != fixed.stamp {
            self.place_fixed(fixed, |place, value| cells[place] = value);
            memory.stamp = fixed.stamp;
        }
        cells[0] = inputs.t;
        let mut place = 1;
        for (count, slice) in self.layout.counts.into_iter().zip(inputs.slices()) {
            let count = count as usize;
            if count != 0 {
                cells[place..place + count].copy_from_slice(&slice[..count]);
                place += count;
            }
        }
    }

    /// Says where values of the fixed part belong, those that are outputs included.
    pub(super) fn place_fixed(&self, fixed: &Fixed, mut place: impl FnMut(usize, f64)) {
        assert_eq!(fixed.values.len(), self.layout.resident.len(), "the fixed part is another program's");
        self.layout.resident.clone().zip(&fixed.values).for_each(|(at, &value)| place(at, value));
        for &(number, at) in &self.layout.fixed_outputs {
            place(at as usize, fixed.values[number as usize]);
        }
    }

    /// How many operations an evaluation takes; sine and cosine of one argument count as one.
    pub fn operations(&self) -> usize {
        self.layout.steps.len()
    }

    /// How many operations a new set of parameters takes.
    pub fn fixed_operations(&self) -> usize {
        self.layout.fixed_operations()
    }

    /// How many numbers its memory holds.
    pub fn memory_size(&self) -> usize {
        self.layout.memory_size()
    }
}

#[cfg(test)]
mod tests {
    use super::super::random::{self, Point, Random};
    use super::*;
    use holonom_symbols::expr::{Function, Number, Symbol};

    #[test]
    fn places_are_used_again() {
        // x₁ √x₁ + … + x₅₀ √x₅₀ needs an accumulator and a term.
        let mut g = Graph::new();
        let terms: Vec<_> = (0..50)
            .map(|i| {
                let x = g.symbol(Symbol::Position(i));
                let root = g.call(Function::Sqrt, x);
                (Number::ONE, g.multiply(x, root))
            })
            .collect();
        let sum = g.sum(&terms);
        let program = Program::new(&g, &[sum]);
        assert_eq!(program.operations(), 149);
        assert!(program.memory_size() < 56, "{}", program.memory_size());
    }

    #[test]
    fn what_is_fixed_is_computed_once() {
        let mut g = Graph::new();
        let (m, l, x) = (g.symbol(Symbol::Parameter(0)), g.symbol(Symbol::Parameter(1)), g.symbol(Symbol::Position(0)));
        let root = g.call(Function::Sqrt, m);
        let term = g.product(Number::integer(3), &[(root, 1), (l, 2), (x, 1)]);
        let program = Program::new(&g, &[term, l, Id::ZERO, x]);
        assert_eq!(program.operations(), 1);
        assert_eq!(program.fixed_operations(), 4);
        let mut memory = program.memory();
        for parameters in [[4.0, 2.0], [9.0, 1.0]] {
            let fixed = program.fixed(&parameters);
            let found = program.evaluate(&fixed, &Inputs { q: &[0.5], ..Inputs::default() }, &mut memory);
            let [m, l] = parameters;
            assert_eq!(found, [3.0 * m.sqrt() * l * l * 0.5, l, 0.0, 0.5]);
        }
    }

    #[test]
    fn sine_and_cosine_of_one_argument_are_one_operation() {
        let mut g = Graph::new();
        let x = g.symbol(Symbol::Position(0));
        let (s, c) = (g.call(Function::Sin, x), g.call(Function::Cos, x));
        let both = g.multiply(s, c);
        let program = Program::new(&g, &[both, c, s, c]);
        assert_eq!(program.operations(), 2);
        let fixed = program.fixed(&[]);
        let mut memory = program.memory();
        let found = program.evaluate(&fixed, &Inputs { q: &[0.5], ..Inputs::default() }, &mut memory);
        let (s, c) = holonom_elementary::sin_cos(0.5);
        assert_eq!(found, [s * c, c, s, c]);
    }

    /// The law of the interpreter: what the graph says, to rounding.
    #[test]
    fn the_tape_agrees_with_the_graph() {
        for seed in 0..200 {
            let mut random = Random::new(seed);
            let point = Point::new(&mut random);
            let (graph, roots) = random::graph(&mut random, 20 + 3 * seed as usize, &point);
            let expected = graph.evaluate(&roots, |symbol| point.value(symbol));
            let program = Program::new(&graph, &roots);
            let fixed = program.fixed(&point.parameters);
            let mut memory = program.memory();
            let found = program.interpret(&fixed, &point.inputs(), &mut memory);
            for (found, expected) in found.iter().zip(&expected) {
                assert!((found - expected).abs() <= 1e-9 * expected.abs(), "seed {seed}: {found} {expected}");
            }
        }
    }

    /// The law of machine code: the bits of the interpreter, whatever the inputs.
    #[test]
    #[cfg(feature = "native")]
    fn machine_code_gives_the_bits_of_the_tape() {
        for seed in 0..60 {
            let mut random = Random::new(seed);
            let point = Point::new(&mut random);
            let (graph, roots) = random::graph(&mut random, 20 + 10 * seed as usize, &point);
            let program = Program::new(&graph, &roots);
            let mut memory = program.memory();
            for turn in 0..4 {
                let mut point = Point::new(&mut random);
                if turn == 3 {
                    // Where nothing is tame: zeros, infinities, signs.
                    point.q.fill(0.0);
                    point.v.fill(-1e200);
                }
                let fixed = program.fixed(&point.parameters);
                let expected = program.interpret(&fixed, &point.inputs(), &mut memory).to_vec();
                assert!(program.compile(), "this host is supported");
                let found = program.evaluate(&fixed, &point.inputs(), &mut memory);
                for (found, expected) in found.iter().zip(&expected) {
                    let same = found.to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan();
                    assert!(same, "seed {seed}: {found} {expected}");
                }
            }
        }
    }
}
