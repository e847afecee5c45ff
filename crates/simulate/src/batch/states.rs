//! What goes in and what comes out: states, why they are done one by one, and what is wrong with their motion.

use holonom_kernel::MotionError;
use holonom_mechanics::derive::Equations;
use std::fmt;

/// Many states, quantity after quantity: coordinate i of state k is at `i·count + k`, and likewise for velocities and parameters.
#[derive(Clone, Copy, Debug, Default)]
pub struct States<'a> {
    /// How many states.
    pub count: usize,
    /// Times, one for each state; may be left empty: then all are zero.
    pub t: &'a [f64],
    /// Positions.
    pub q: &'a [f64],
    /// Velocities.
    pub v: &'a [f64],
    /// Values of the parameters that [`Accelerations::over`](super::Accelerations::over) names, in its order.
    pub parameters: &'a [f64],
}

/// A parameter that every state has a value of its own for.
#[derive(Clone, Debug)]
pub(super) struct Varied {
    pub(super) place: usize,
    pub(super) name: String,
}

/// Why a model is done one state after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alone {
    /// Forces hang on reactions: friction, or C with multipliers.
    Feedback,
    /// A coordinate that is left without mass when those before it are eliminated, and no row stands in for it.
    Massless {
        /// Which.
        coordinate: usize,
    },
    /// A row that has nothing to act on when those before it are eliminated.
    IdleRow {
        /// Which, among the rows in force.
        row: usize,
    },
    /// The solution is too long to be written out.
    Large,
}

impl fmt::Display for Alone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Feedback => write!(f, "forces depend on reactions"),
            Self::Massless { coordinate } => {
                write!(f, "coordinate {coordinate} has no mass of its own, and no row stands in for it")
            }
            Self::IdleRow { row } => write!(f, "row {row} is empty or repeats others everywhere"),
            Self::Large => write!(f, "the solution is too long to be written out"),
        }
    }
}

/// What happened to the states.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BatchReport {
    /// The states that were done one by one, in order: all of them where [`Accelerations::alone`](super::Accelerations::alone) says why, else those whose
    /// pivots came too close to zero, or whose numbers are none.
    pub redone: Vec<usize>,
    /// The states whose motion is in question, in order, and why.
    pub troubles: Vec<(usize, Trouble)>,
}

/// Why a state has no motion, or more than one.
#[derive(Clone, Debug, PartialEq)]
pub enum Trouble {
    /// The numbers describe no mechanical system. Its accelerations are not numbers.
    Refused(MotionError),
    /// Functions have no value. Its accelerations are not numbers.
    Unspecified(String),
    /// The constraints contradict each other. Its accelerations are not numbers.
    Contradiction,
    /// A force acts where there is neither mass nor constraint. Its accelerations are not numbers.
    Unbalanced,
    /// Friction has no answer, or more than one. Its accelerations are not numbers.
    Friction(String),
    /// Nothing determines some coordinates; the acceleration is that of least norm.
    NotUnique {
        /// Which.
        coordinates: Vec<usize>,
    },
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(error) => write!(f, "{error}"),
            Self::Contradiction => write!(f, "the constraints contradict each other"),
            Self::Unbalanced => write!(f, "a force acts where there is neither mass nor constraint"),
            Self::Unspecified(message) | Self::Friction(message) => write!(f, "{message}"),
            Self::NotUnique { coordinates } => write!(f, "nothing determines the coordinates {coordinates:?}"),
        }
    }
}

/// Whether some row of a constraint is in force.
pub(super) fn in_force(equations: &Equations, constraint: usize) -> bool {
    equations.rows.iter().any(|row| !row.off && row.constraint.is_some_and(|(own, _)| own == constraint))
}
