//! A program: some expressions of a graph, ready to be evaluated at many states.
//!
//! Its memory is one row of numbers, the same for every evaluator:
//!
//! | place | what |
//! |---|---|
//! | inputs | time, positions, velocities, and what else the expressions depend on |
//! | fixed | numbers, and what depends on parameters alone: filled in once per set of parameters |
//! | work | what is computed on the way; places are used again as soon as they are free |
//! | outputs | the values of the expressions |

use super::code::{Code, Op, Ref, Value};
use super::lower::lower;
#[cfg(feature = "native")]
use super::native::Native;
use super::tape::{self, Step};
use super::wide::Wide;
use holonom_symbols::expr::{FastMap, Graph, Id, Symbol, Table};
use std::ops::Range;
use std::sync::Arc;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

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

/// How many kinds of inputs there are, apart from time.
pub(super) const KINDS: usize = 7;

/// The kind of an input and its number; nothing for time and parameters.
fn kind(symbol: Symbol) -> Option<(usize, u32)> {
    match symbol {
        Symbol::Time | Symbol::Parameter(_) => None,
        Symbol::Position(i) => Some((0, i)),
        Symbol::Velocity(i) => Some((1, i)),
        Symbol::Acceleration(i) => Some((2, i)),
        Symbol::Multiplier(i) => Some((3, i)),
        Symbol::Reaction(i) => Some((4, i)),
        Symbol::Slip(i) => Some((5, i)),
        Symbol::Normal(i) => Some((6, i)),
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
    pub(super) steps: Vec<Step>,
    /// Outputs that equal some other place: (from, to).
    pub(super) copies: Vec<(u32, u32)>,
    /// How many inputs of each kind come before in the memory.
    pub(super) counts: [u32; KINDS],
    /// The place of the fixed part.
    resident: Range<usize>,
    outputs: Range<usize>,
    fixed: FixedPart,
    /// Fixed outputs: (number in the fixed part, place).
    fixed_outputs: Vec<(u32, u32)>,
    pub(super) tables: Arc<[Arc<Table>]>,
    /// The same for wide blocks of states, made when it is first asked for.
    pub(super) wide: OnceLock<Arc<Wide>>,
    #[cfg(feature = "native")]
    native: OnceLock<Option<Arc<Native>>>,
}

/// What depends on parameters alone.
#[derive(Clone, Debug)]
struct FixedPart {
    parameters: usize,
    constants: Vec<(u32, f64)>,
    steps: Vec<Step>,
    size: usize,
    /// Where in its memory the values are that the program needs.
    exports: Vec<u32>,
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
        let (code, values) = lower(graph, roots);
        let (fixed_order, order) = schedule(&code, &values);
        let (fixed, exported) = FixedPart::new(&code, &values, &fixed_order, &order);
        let mut counts = [0u32; KINDS];
        for value in &code.values {
            if let Value::Input(symbol) = *value
                && let Some((kind, number)) = kind(symbol)
            {
                counts[kind] = counts[kind].max(number + 1);
            }
        }
        let inputs = 1 + counts.iter().sum::<u32>();
        let resident = inputs as usize..inputs as usize + exported.len();
        let mut places = Places::new(&code, &values, &order, resident.end as u32);
        for (&value, number) in exported.iter().zip(resident.start as u32..) {
            places.of.insert(value, number);
        }
        for (index, value) in code.values.iter().enumerate() {
            if let Value::Input(symbol) = *value {
                let place = match kind(symbol) {
                    Some((kind, number)) => 1 + counts[..kind].iter().sum::<u32>() + number,
                    None if symbol == Symbol::Time => 0,
                    None => continue,
                };
                places.of.insert(Ref(index as u32), place);
            }
        }
        let steps = places.steps(&code, &order);
        let work = places.end as usize;
        let outputs = work..work + values.len();
        let (mut copies, mut fixed_outputs) = (Vec::new(), Vec::new());
        for (&value, place) in values.iter().zip(work as u32..) {
            if code.is_fixed(value) {
                fixed_outputs.push((places.of[&value] - resident.start as u32, place));
            } else {
                match places.home.get(&value) {
                    Some(&home) if home + work as u32 == place => {}
                    Some(&home) => copies.push((home + work as u32, place)),
                    None => copies.push((places.of[&value], place)),
                }
            }
        }
        let mut program = Self {
            steps,
            copies,
            counts,
            resident,
            outputs,
            fixed,
            fixed_outputs,
            tables: graph.tables().into(),
            wide: OnceLock::new(),
            #[cfg(feature = "native")]
            native: OnceLock::new(),
        };
        program.resolve_homes(work as u32);
        program
    }

    /// Outputs were placed before the size of the work area was known.
    fn resolve_homes(&mut self, work: u32) {
        let resolve = |place: &mut u32| {
            if *place & HOME != 0 {
                *place = (*place & !HOME) + work;
            }
        };
        for step in &mut self.steps {
            step.from.iter_mut().for_each(resolve);
            resolve(&mut step.to);
            resolve(&mut step.also);
        }
        for (from, _) in &mut self.copies {
            resolve(from);
        }
    }

    /// What depends on parameters alone, for these values of the parameters.
    ///
    /// # Panics
    /// If there are fewer than the expressions mention.
    pub fn fixed(&self, parameters: &[f64]) -> Fixed {
        Fixed { values: self.fixed.evaluate(parameters, &self.tables), stamp: stamp() }
    }

    /// Memory to evaluate in.
    pub fn memory(&self) -> Memory {
        Memory { cells: vec![0.0; self.outputs.end], outputs: self.outputs.clone(), stamp: 0 }
    }

    /// Makes machine code, which evaluations use from then on; says whether there is some. The second call costs nothing.
    ///
    /// Another thread may do this while programs are evaluated. Machine code gives the same bits as the interpreter.
    #[cfg(feature = "native")]
    pub fn compile(&self) -> bool {
        self.native.get_or_init(|| Native::new(self).map(Arc::new)).is_some()
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
        tape::run(&self.steps, &self.tables, &mut memory.cells);
        for &(from, to) in &self.copies {
            memory.cells[to as usize] = memory.cells[from as usize];
        }
        memory.outputs()
    }

    /// Puts inputs in their places, and the fixed part where it is not there yet.
    pub(super) fn load(&self, fixed: &Fixed, inputs: &Inputs, memory: &mut Memory) {
        assert_eq!(memory.cells.len(), self.outputs.end, "the memory is another program's");
        let cells = &mut memory.cells[..];
        if memory.stamp != fixed.stamp {
            self.place_fixed(fixed, |place, value| cells[place] = value);
            memory.stamp = fixed.stamp;
        }
        cells[0] = inputs.t;
        let mut place = 1;
        for (count, slice) in self.counts.into_iter().zip(inputs.slices()) {
            let count = count as usize;
            if count != 0 {
                cells[place..place + count].copy_from_slice(&slice[..count]);
                place += count;
            }
        }
    }

    /// Says where values of the fixed part belong, those that are outputs included.
    pub(super) fn place_fixed(&self, fixed: &Fixed, mut place: impl FnMut(usize, f64)) {
        assert_eq!(fixed.values.len(), self.resident.len(), "the fixed part is another program's");
        self.resident.clone().zip(&fixed.values).for_each(|(at, &value)| place(at, value));
        for &(number, at) in &self.fixed_outputs {
            place(at as usize, fixed.values[number as usize]);
        }
    }

    /// How many operations an evaluation takes; sine and cosine of one argument count as one.
    pub fn operations(&self) -> usize {
        self.steps.len()
    }

    /// How many operations a new set of parameters takes.
    pub fn fixed_operations(&self) -> usize {
        self.fixed.steps.len()
    }

    #[cfg(feature = "native")]
    pub(super) fn input_count(&self) -> u32 {
        self.resident.start as u32
    }

    /// The place of the fixed part.
    pub(super) fn resident(&self) -> Range<usize> {
        self.resident.clone()
    }

    /// Outputs that are fixed: (number in the fixed part, place).
    pub(super) fn fixed_outputs(&self) -> &[(u32, u32)] {
        &self.fixed_outputs
    }

    pub(super) fn output_count(&self) -> usize {
        self.outputs.len()
    }

    /// Where each output is found when the steps are done and before copies are made.
    pub(super) fn result_places(&self) -> Vec<u32> {
        let mut places: Vec<u32> = self.outputs.clone().map(|place| place as u32).collect();
        for &(from, to) in &self.copies {
            places[to as usize - self.outputs.start] = from;
        }
        places
    }

    /// How many numbers its memory holds.
    pub fn memory_size(&self) -> usize {
        self.outputs.end
    }
}

/// Marks the place of an output, counted from the first.
const HOME: u32 = 1 << 31;

/// The fixed values and the others that are needed, in an order of evaluation: by outputs, so that values do not live long.
fn schedule(code: &Code, roots: &[Ref]) -> (Vec<Ref>, Vec<Ref>) {
    let (mut fixed, mut order) = (Vec::new(), Vec::new());
    let mut seen = vec![false; code.values.len()];
    let mut stack: Vec<(Ref, usize)> = Vec::new();
    // Calls come first: no value has to survive them in a register then.
    let calls = (0..code.values.len() as u32).map(Ref).filter(|&value| code.is_call(value));
    for root in calls.chain(roots.iter().copied()) {
        stack.push((root, 0));
        while let Some((value, next)) = stack.pop() {
            if next == 0 && seen[value.index()] {
                continue;
            }
            match code.values[value.index()] {
                Value::Operation(op, operands) if next < op.arity() => {
                    seen[value.index()] = true;
                    stack.push((value, next + 1));
                    if !seen[operands[next].index()] {
                        stack.push((operands[next], 0));
                    }
                    continue;
                }
                _ => seen[value.index()] = true,
            }
            if code.is_fixed(value) { fixed.push(value) } else { order.push(value) }
        }
    }
    (fixed, order)
}

impl FixedPart {
    /// The part, and which of its values the rest needs.
    fn new(code: &Code, roots: &[Ref], fixed: &[Ref], order: &[Ref]) -> (Self, Vec<Ref>) {
        let parameters = code.values.iter().fold(0, |count, value| match value {
            Value::Input(Symbol::Parameter(i)) => count.max(*i as usize + 1),
            _ => count,
        });
        let mut places: FastMap<Ref, u32> = FastMap::default();
        let (mut constants, mut steps) = (Vec::new(), Vec::new());
        let mut end = parameters as u32;
        for &value in fixed {
            let place = match code.values[value.index()] {
                Value::Input(Symbol::Parameter(i)) => i,
                _ => {
                    end += 1;
                    end - 1
                }
            };
            match code.values[value.index()] {
                Value::Constant(bits) => constants.push((place, f64::from_bits(bits))),
                Value::Operation(op, operands) => {
                    let mut from = [0; 3];
                    for (from, operand) in from.iter_mut().zip(&operands[..op.arity()]) {
                        *from = places[operand];
                    }
                    steps.push(Step { op, from, to: place, also: place });
                }
                Value::Input(_) => {}
            }
            places.insert(value, place);
        }
        let mut exported: Vec<Ref> = roots.iter().copied().filter(|&root| code.is_fixed(root)).collect();
        for value in order {
            if let Value::Operation(op, operands) = code.values[value.index()] {
                exported.extend(operands[..op.arity()].iter().filter(|&&operand| code.is_fixed(operand)));
            }
        }
        let mut seen: FastMap<Ref, ()> = FastMap::default();
        exported.retain(|&value| seen.insert(value, ()).is_none());
        let exports = exported.iter().map(|value| places[value]).collect();
        (Self { parameters, constants, steps, size: end as usize, exports }, exported)
    }

    fn evaluate(&self, parameters: &[f64], tables: &[Arc<Table>]) -> Vec<f64> {
        let mut memory = vec![0.0; self.size.max(1)];
        memory[..self.parameters].copy_from_slice(&parameters[..self.parameters]);
        for &(place, value) in &self.constants {
            memory[place as usize] = value;
        }
        tape::run(&self.steps, tables, &mut memory);
        self.exports.iter().map(|&place| memory[place as usize]).collect()
    }
}

/// Which place every value takes.
struct Places {
    of: FastMap<Ref, u32>,
    /// The first output that a value is, counted from the first output.
    home: FastMap<Ref, u32>,
    /// The last step that uses a value.
    last: FastMap<Ref, usize>,
    free: Vec<u32>,
    end: u32,
}

impl Places {
    fn new(code: &Code, roots: &[Ref], order: &[Ref], start: u32) -> Self {
        let mut home = FastMap::default();
        for (&root, number) in roots.iter().zip(0..) {
            if !code.is_fixed(root) && matches!(code.values[root.index()], Value::Operation(..)) {
                home.entry(root).or_insert(number);
            }
        }
        let mut last: FastMap<Ref, usize> = FastMap::default();
        for (step, value) in order.iter().enumerate() {
            if let Value::Operation(op, operands) = code.values[value.index()] {
                for operand in &operands[..op.arity()] {
                    last.insert(*operand, step);
                }
            }
        }
        Self { of: FastMap::default(), home, last, free: Vec::new(), end: start }
    }

    fn steps(&mut self, code: &Code, order: &[Ref]) -> Vec<Step> {
        // Which sine has its cosine asked for.
        let mut cosines: FastMap<Ref, Ref> = FastMap::default();
        for &value in order {
            if let Value::Operation(Op::Cosine, [sine, ..]) = code.values[value.index()] {
                cosines.insert(sine, value);
            }
        }
        let mut steps = Vec::new();
        for (index, &value) in order.iter().enumerate() {
            let Value::Operation(op, operands) = code.values[value.index()] else { continue };
            if op == Op::Cosine {
                self.release(code, &operands[..1], index);
                continue;
            }
            let mut from = [0; 3];
            for (from, operand) in from.iter_mut().zip(&operands[..op.arity()]) {
                *from = self.of[operand];
            }
            self.release(code, &operands[..op.arity()], index);
            let to = self.take(value);
            let also =
                if op == Op::SineCosine { cosines.get(&value).map_or(to, |&cosine| self.take(cosine)) } else { to };
            steps.push(Step { op, from, to, also });
        }
        steps
    }

    fn take(&mut self, value: Ref) -> u32 {
        let place = match self.home.get(&value) {
            Some(&number) => number | HOME,
            None => self.free.pop().unwrap_or_else(|| {
                self.end += 1;
                self.end - 1
            }),
        };
        self.of.insert(value, place);
        place
    }

    /// Places whose values are used for the last time at this step are free again.
    fn release(&mut self, code: &Code, operands: &[Ref], step: usize) {
        for (i, operand) in operands.iter().enumerate() {
            let computed = !code.is_fixed(*operand) && matches!(code.values[operand.index()], Value::Operation(..));
            if computed
                && self.last[operand] == step
                && !self.home.contains_key(operand)
                && !operands[..i].contains(operand)
            {
                self.free.push(self.of[operand]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::random::{self, Point, Random};
    use super::*;
    use holonom_symbols::expr::{Function, Number};

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
