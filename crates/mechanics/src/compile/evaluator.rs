//! What a group is evaluated by: one program, or families where they pay.

use super::families::{Families, FixedParts, Room};
use super::program::{Fixed, Inputs, Memory, Program};
use holonom_symbols::expr::{Graph, Id};

/// Some expressions of a graph, ready to be evaluated at many states.
#[derive(Clone, Debug)]
pub(crate) enum Evaluator {
    One(Box<Program>),
    Many(Box<Families>),
}

/// What depends on parameters alone, for one set of parameters.
#[derive(Clone, Debug)]
pub(crate) enum Held {
    One(Fixed),
    Many(FixedParts),
}

/// The memory of an evaluation.
#[derive(Clone, Debug)]
pub(crate) enum Place {
    One(Memory),
    Many(Room),
}

impl Place {
    /// The values of the last evaluation, in the order of the expressions.
    #[inline]
    pub fn outputs(&self) -> &[f64] {
        match self {
            Self::One(memory) => memory.outputs(),
            Self::Many(room) => room.outputs(),
        }
    }

    /// The same, to be written over until the next evaluation.
    pub fn outputs_mut(&mut self) -> &mut [f64] {
        match self {
            Self::One(memory) => memory.outputs_mut(),
            Self::Many(room) => room.outputs_mut(),
        }
    }
}

impl Evaluator {
    /// For the expressions `roots` of `graph`; `items` says which of them go together: for each its item.
    pub fn new(graph: &Graph, roots: &[Id], items: &[u32]) -> Self {
        match Families::new(graph, roots, items) {
            Some(families) => Self::Many(Box::new(families)),
            None => Self::One(Box::new(Program::new(graph, roots))),
        }
    }

    pub fn fixed(&self, parameters: &[f64]) -> Held {
        match self {
            Self::One(program) => Held::One(program.fixed(parameters)),
            Self::Many(families) => Held::Many(families.fixed(parameters)),
        }
    }

    pub fn place(&self) -> Place {
        match self {
            Self::One(program) => Place::One(program.memory()),
            Self::Many(families) => Place::Many(families.room()),
        }
    }

    /// # Panics
    /// If inputs are missing that the expressions mention, or memory and fixed part belong to another evaluator.
    pub fn evaluate(&self, held: &Held, inputs: &Inputs, place: &mut Place) {
        match (self, held, place) {
            (Self::One(program), Held::One(fixed), Place::One(memory)) => {
                program.evaluate(fixed, inputs, memory);
            }
            (Self::Many(families), Held::Many(fixed), Place::Many(room)) => families.evaluate(fixed, inputs, room),
            _ => panic!("memory and fixed part belong to another evaluator"),
        }
    }
}
