//! Why a state has no acceleration.

use holonom_kernel::MotionError;
use holonom_kernel::sparse::TooLarge;
use holonom_language::Diagnostic;

/// Why there is no acceleration at a state.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Trouble {
    /// The kernel refuses the numbers.
    Motion(MotionError),
    /// Projection does not find back to the constraints.
    OffConstraints,
    /// What a message tells: friction has no answer, or more than one.
    Told(Box<Diagnostic>),
    /// Newton's method of the stiff method finds no step.
    NotConverged,
    /// Too many coordinates hang together.
    TooLarge(Box<TooLarge>),
    /// The acceleration is not that of M itself, by this part of its size.
    Disagreement(f64),
}

impl From<MotionError> for Trouble {
    fn from(error: MotionError) -> Self {
        Self::Motion(error)
    }
}
