//! How a program is laid out: in which order its operations are done, and where its values are.
//!
//! The memory of a program is one row of numbers, the same for every evaluator:
//!
//! | place | what |
//! |---|---|
//! | inputs | time, positions, velocities, and what else the expressions depend on |
//! | fixed | numbers, and what depends on parameters alone: filled in once per set of parameters |
//! | work | what is computed on the way; places are used again as soon as they are free |
//! | outputs | the values of the expressions |

use super::code::{Code, Op, Ref, Value};
use super::lower::lower;
use super::tape::{self, Step};
use holonom_symbols::expr::{FastMap, Graph, Id, Symbol, Table};
use std::ops::Range;
use std::sync::Arc;

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

/// The steps of a program and the places of their values.
#[derive(Clone, Debug)]
pub(super) struct ProgramLayout {
    pub(super) steps: Vec<Step>,
    /// Outputs that equal some other place: (from, to).
    pub(super) copies: Vec<(u32, u32)>,
    /// How many inputs of each kind come before in the memory.
    pub(super) counts: [u32; KINDS],
    /// The place of the fixed part.
    pub(super) resident: Range<usize>,
    pub(super) outputs: Range<usize>,
    fixed: FixedPart,
    /// Fixed outputs: (number in the fixed part, place).
    pub(super) fixed_outputs: Vec<(u32, u32)>,
    pub(super) tables: Arc<[Arc<Table>]>,
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

impl ProgramLayout {
    /// The expressions `roots` of `graph`, laid out.
    pub(super) fn new(graph: &Graph, roots: &[Id]) -> Self {
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
        let mut layout =
            Self { steps, copies, counts, resident, outputs, fixed, fixed_outputs, tables: graph.tables().into() };
        layout.resolve_homes(work as u32);
        layout
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

    #[cfg(feature = "native")]
    pub(super) fn input_count(&self) -> u32 {
        self.resident.start as u32
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
    pub(super) fn memory_size(&self) -> usize {
        self.outputs.end
    }

    /// What depends on parameters alone, for these values of the parameters.
    pub(super) fn fixed(&self, parameters: &[f64]) -> Vec<f64> {
        self.fixed.evaluate(parameters, &self.tables)
    }

    /// How many operations that takes.
    pub(super) fn fixed_operations(&self) -> usize {
        self.fixed.steps.len()
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
