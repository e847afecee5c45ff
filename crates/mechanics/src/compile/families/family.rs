//! A family: one small program, and for each of its instances where the inputs are and where the results go.

use super::super::program::Program;
use super::shape::{self, FIXED, Kind, word};
use holonom_symbols::expr::{Graph, Id, Node, Number, Symbol};

/// Numbers, one for each instance.
#[derive(Clone, Debug)]
pub(super) enum Column {
    /// From a first number in equal steps.
    Steps { first: u32, step: i32 },
    /// Any.
    Any(Vec<u32>),
}

impl Column {
    fn new(numbers: impl ExactSizeIterator<Item = u32> + Clone) -> Self {
        let mut pair = numbers.clone().take(2);
        let first = pair.next().unwrap_or(0);
        let step = i64::from(pair.next().unwrap_or(first)) - i64::from(first);
        let even = numbers.clone().zip(0i64..).all(|(number, k)| i64::from(number) == i64::from(first) + k * step);
        match i32::try_from(step) {
            Ok(step) if even => Self::Steps { first, step },
            _ => Self::Any(numbers.collect()),
        }
    }
}

/// Instances of one shape, evaluated together.
#[derive(Clone, Debug)]
pub(super) struct Family {
    pub program: Program,
    pub instances: usize,
    /// What is fixed and the same for all instances: the parameters of the program.
    pub parameters: Vec<u32>,
    /// The inputs of the program: from which list, and which of it.
    pub inputs: Vec<(Kind, Column)>,
    /// Where in the program's memory the results are, and where they go.
    pub results: Vec<(u32, Column)>,
}

/// A family that is being collected.
#[derive(Debug)]
pub(super) struct Collected {
    /// Its shape.
    pub words: Vec<u32>,
    /// The kinds of its slots.
    pub kinds: Vec<Kind>,
    /// After how many others it has its turn.
    pub level: u32,
    pub instances: usize,
    /// The contents of the slots, instance after instance.
    pub slots: Vec<u32>,
    /// Where the results go, instance after instance.
    pub places: Vec<u32>,
}

/// What a slot becomes.
enum Filling {
    Literal(Number),
    Symbol(Symbol),
}

impl Collected {
    /// Makes the program: numbers that all instances share are in it, and what else is fixed and shared are its parameters.
    pub fn finish(self, fixed: &shape::Fixed, operations: &[Node]) -> Family {
        let kinds = &self.kinds;
        let column = |list: &'_ [u32], width: usize, number: usize| {
            list.iter().copied().skip(number).step_by(width.max(1)).collect::<Vec<u32>>()
        };
        let (mut parameters, mut inputs, mut fillings) = (Vec::new(), Vec::new(), Vec::with_capacity(kinds.len()));
        for (number, &kind) in kinds.iter().enumerate() {
            let contents = column(&self.slots, kinds.len(), number);
            let shared = contents.iter().all(|&content| content == contents[0]);
            fillings.push(if kind != FIXED || !shared {
                inputs.push((kind, Column::new(contents.iter().copied())));
                Filling::Symbol(Symbol::Position(inputs.len() as u32 - 1))
            } else if let Some(number) = fixed.graph.as_number(fixed.values[contents[0] as usize]) {
                Filling::Literal(number)
            } else {
                parameters.push(contents[0]);
                Filling::Symbol(Symbol::Parameter(parameters.len() as u32 - 1))
            });
        }
        let (graph, roots) = graph_of(&self.words, &fillings, operations, Graph::with_tables_of(&fixed.graph));
        let program = Program::new(&graph, &roots);
        inputs.truncate(program.layout.counts[0] as usize);
        let results = program
            .layout
            .result_places()
            .into_iter()
            .enumerate()
            .map(|(number, place)| (place, Column::new(column(&self.places, roots.len(), number).into_iter())))
            .collect();
        Family { program, instances: self.instances, parameters, inputs, results }
    }
}

/// The graph of a shape with its slots filled, and its results.
fn graph_of(words: &[u32], fillings: &[Filling], operations: &[Node], mut graph: Graph) -> (Graph, Vec<Id>) {
    let mut read = Words { words, next: 0, fillings, slot: 0 };
    let mut made: Vec<Id> = Vec::new();
    let mut results = Vec::new();
    while read.next < words.len() {
        let id = match read.take() {
            word::SLOT => {
                read.take(); // its kind
                read.filling(&mut graph)
            }
            word::SUM => {
                let count = read.take();
                let constant = match read.take() {
                    word::IN_SLOT => read.filling(&mut graph),
                    _ => Id::ZERO,
                };
                let mut terms = vec![(Number::ONE, constant)];
                for _ in 0..count {
                    let coefficient = read.coefficient(&mut graph);
                    let term = made[read.take() as usize];
                    terms.push((Number::ONE, graph.multiply(coefficient, term)));
                }
                graph.sum(&terms)
            }
            word::PRODUCT => {
                let count = read.take();
                let mut factors = vec![(read.coefficient(&mut graph), 1)];
                factors.extend((0..count).map(|_| (made[read.take() as usize], read.take() as i32)));
                graph.product(Number::ONE, &factors)
            }
            word::OTHER => {
                let operation = &operations[read.take() as usize];
                let count = read.take();
                let operands: Vec<Id> = (0..count).map(|_| made[read.take() as usize]).collect();
                graph.made_of(&shape::with_operands(operation, &operands), |operand| operand)
            }
            _ => {
                for _ in 0..read.take() {
                    let coefficient = read.coefficient(&mut graph);
                    results.push(graph.multiply(coefficient, made[read.take() as usize]));
                }
                break;
            }
        };
        made.push(id);
    }
    (graph, results)
}

struct Words<'a> {
    words: &'a [u32],
    next: usize,
    fillings: &'a [Filling],
    slot: usize,
}

impl Words<'_> {
    fn take(&mut self) -> u32 {
        self.next += 1;
        self.words[self.next - 1]
    }

    fn filling(&mut self, graph: &mut Graph) -> Id {
        self.slot += 1;
        match self.fillings[self.slot - 1] {
            Filling::Literal(number) => graph.number(number),
            Filling::Symbol(symbol) => graph.symbol(symbol),
        }
    }

    fn coefficient(&mut self, graph: &mut Graph) -> Id {
        match self.take() {
            word::PLAIN => Id::ONE,
            word::OPPOSITE => graph.number(Number::MINUS_ONE),
            _ => self.filling(graph),
        }
    }
}
