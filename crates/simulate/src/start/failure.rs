//! Why there is no motion at a state.

use holonom_kernel::MotionError;
use holonom_kernel::sparse::{SparseError, TooLarge};
use holonom_mechanics::contact::{Does, Undone};

/// Why there is no motion at a state.
pub(crate) enum Failure {
    /// Numbers that describe no mechanical system.
    Wrong(MotionError),
    /// More coordinates meet at once than the sparse kernel takes.
    TooLarge(TooLarge),
    /// `free` is to decide along so many directions, which do not fit.
    TooFree(usize),
    /// Friction without an answer: none.
    NoFriction,
    /// … or several: for each, what contacts do and their loads.
    ManyFrictions(Vec<Vec<(usize, Does, f64)>>),
    /// … or none that was found, and none excluded.
    Undecided,
    /// A law that makes the friction of a contact negative: which, and the friction.
    NegativeFriction(usize, f64),
    /// Friction that hangs on reactions of these rows, which are not unique.
    NotUnique(Vec<usize>),
}

impl From<SparseError> for Failure {
    fn from(error: SparseError) -> Self {
        match error {
            SparseError::Motion(error) => Self::Wrong(error),
            SparseError::TooLarge(too_large) => Self::TooLarge(too_large),
        }
    }
}

impl From<Undone> for Failure {
    fn from(undone: Undone) -> Self {
        match undone {
            Undone::Wrong(error) => Self::Wrong(error),
            Undone::None => Self::NoFriction,
            Undone::Several(answers) => Self::ManyFrictions(answers),
            Undone::Negative(which, force) => Self::NegativeFriction(which, force),
            Undone::NotUnique(rows) => Self::NotUnique(rows),
            Undone::Undecided => Self::Undecided,
        }
    }
}

impl From<TooLarge> for Failure {
    fn from(error: TooLarge) -> Self {
        Self::TooLarge(error)
    }
}
