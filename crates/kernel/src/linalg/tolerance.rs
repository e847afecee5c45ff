//! The thresholds that the dense and the sparse kernel share: one question, one number.
//!
//! All are relative. What they are relative to stands beside each.

/// How small a pivot or singular value may be and still count as rank, where rows and columns have comparable size.
///
/// Between n·10⁻¹⁵, which rounding reaches in a matrix of n rows, and 10⁻¹²: a gap of 10⁻¹¹ is full rank.
pub fn rank_tolerance(dimension: usize) -> f64 {
    (dimension as f64 * 1e-15).clamp(1e-13, 1e-12)
}

/// An entry this far below the largest of its row is rounding of it, not a coefficient: cos(π/2) in a row of ones.
pub const ROUNDING: f64 = 2.0 * f64::EPSILON;

/// A coordinate below this part of its size is zero up to rounding: some digits more than one operation loses.
pub const DUST: f64 = 64.0 * f64::EPSILON;

/// A row is met when its residual is below this part of the terms that make it up, Σⱼ|Aᵢⱼ q̈ⱼ| + |bᵢ|. Models round their
/// right sides in several steps, so it lies between 10⁻¹², which rounding reaches, and 10⁻⁸, which no rounding explains.
pub(crate) const CONSISTENT: f64 = 1e-10;

/// A free direction is balanced when the force along it is below this part of its terms, for the same reason.
pub(crate) const BALANCED: f64 = 1e-10;

/// What rounding leaves of a sum of a few dozen terms that vanishes, relative to their sizes added up.
pub(crate) const SUMMED: f64 = 32.0 * f64::EPSILON;

/// A row may be expressed by others where its coefficient is at least this part of the largest, at comparable size: no
/// coefficient of the result is larger than its inverse.
pub(crate) const SOLVABLE: f64 = 1e-3;

/// Along a motion, more rows than before count once they are independent by this: a state that is off the constraints by rounding tells
/// redundant rows apart. A sine that grows from a singular configuration is larger soon.
pub const GROWN: f64 = 1e-8;

/// How well a row that depends on others agrees with what those give.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Agreement {
    /// But for rounding: it may be left out.
    Exact,
    /// So well that nobody would call it a contradiction, but not to the last digits: it must not matter which row is left
    /// out, so all are met by least squares.
    Close,
    /// Not at all. Also where something is not a number.
    None,
}

impl Agreement {
    /// For what is missing, beside the terms of the row and what rounding explains.
    pub(crate) fn of(missing: f64, terms: f64, rounding: f64) -> Self {
        if missing <= rounding {
            Self::Exact
        } else if missing <= CONSISTENT * terms + rounding {
            Self::Close
        } else {
            Self::None
        }
    }
}
