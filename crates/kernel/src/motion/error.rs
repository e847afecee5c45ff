//! What can be wrong with the numbers given to the kernel, and what to do about it.

use std::fmt;

/// One of the arrays that the kernel takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Array {
    /// The mass matrix.
    M,
    /// The impressed force.
    Q,
    /// The constraint matrix.
    A,
    /// The right side of the constraints.
    B,
    /// The non-ideal part.
    C,
    /// An acceleration.
    Acceleration,
    /// How the non-ideal part depends on the reactions.
    Feedback,
}

impl fmt::Display for Array {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Array::M => "M",
            Array::Q => "Q",
            Array::A => "A",
            Array::B => "b",
            Array::C => "C",
            Array::Acceleration => "qdd",
            Array::Feedback => "N",
        })
    }
}

/// Why there is no answer. Indices count from 0.
///
/// Redundant or contradictory constraints, singular masses and forces that nothing can balance are
/// *not* errors: they are verdicts in the [`Motion`](crate::Motion).
#[derive(Clone, Debug, PartialEq)]
pub enum MotionError {
    /// The system has no coordinates.
    NoCoordinates,
    /// An array does not have the size that the others ask for.
    Shape {
        /// Which array.
        array: Array,
        /// Rows it should have.
        rows: usize,
        /// Columns it should have.
        columns: usize,
        /// Entries it has.
        found: usize,
    },
    /// An entry is infinite or not a number.
    NotFinite {
        /// Which array.
        array: Array,
        /// Row of the entry.
        row: usize,
        /// Column of the entry.
        column: usize,
        /// The entry.
        value: f64,
    },
    /// M differs from its transpose.
    NotSymmetric {
        /// Row of the upper entry.
        row: usize,
        /// Column of the upper entry.
        column: usize,
        /// The entry (row, column).
        upper: f64,
        /// The entry (column, row).
        lower: f64,
    },
    /// M gives some motion a negative kinetic energy.
    Indefinite {
        /// Row of the entry that shows it.
        row: usize,
        /// Column of the entry that shows it.
        column: usize,
    },
    /// A rank held from an earlier solve does not fit these numbers any more.
    HeldRankLost {
        /// The constraint row (or the coordinate, for the mass) whose pivot vanished.
        row: usize,
    },
    /// A structure held from an earlier solve belongs to a system of another size.
    HeldShape {
        /// Coordinates and rows of the structure.
        held: (usize, usize),
        /// Coordinates and rows of the system.
        system: (usize, usize),
    },
    /// The non-ideal force hangs on reactions that the system does not determine.
    ReactionNotUnique {
        /// The constraint rows whose reaction is only the minimum-norm choice.
        rows: Vec<usize>,
    },
    /// The non-ideal force and the reactions it depends on have no solution together, or more than one.
    NoReaction,
    /// `M⁻¹` was asked for and M is singular.
    SingularMass {
        /// The rank of M.
        rank: usize,
        /// The number of coordinates.
        coordinates: usize,
    },
    /// The answer does not fit into double precision.
    OutOfRange,
}

impl MotionError {
    /// A short name, stable across versions.
    pub fn code(&self) -> &'static str {
        match self {
            MotionError::NoCoordinates => "no-coordinates",
            MotionError::Shape { .. } => "shape",
            MotionError::NotFinite { .. } => "not-finite",
            MotionError::NotSymmetric { .. } => "not-symmetric",
            MotionError::Indefinite { .. } => "indefinite-mass",
            MotionError::HeldRankLost { .. } => "held-rank-lost",
            MotionError::HeldShape { .. } => "held-shape",
            MotionError::ReactionNotUnique { .. } => "reaction-not-unique",
            MotionError::NoReaction => "no-reaction",
            MotionError::SingularMass { .. } => "singular-mass",
            MotionError::OutOfRange => "out-of-range",
        }
    }

    /// Why this is wrong, and what would be right.
    pub fn why(&self) -> &'static str {
        match self {
            MotionError::NoCoordinates => "a system needs at least one coordinate; give `Q` one entry for each",
            MotionError::Shape { .. } => {
                "with n coordinates and m constraint rows, M is n × n, Q and C have n entries, A is m × n and b has m"
            }
            MotionError::NotFinite { .. } => "every entry must be a finite number; look at what produced this one",
            MotionError::NotSymmetric { .. } => "a mass matrix is symmetric: kinetic energy is q̇ᵀMq̇/2; use (M + Mᵀ)/2",
            MotionError::Indefinite { .. } => {
                "kinetic energy would be negative for some velocity; a mass matrix is positive semi-definite"
            }
            MotionError::HeldRankLost { .. } => "rank must be decided again, at a state that satisfies the constraints",
            MotionError::HeldShape { .. } => "a structure can only be held for the system that it was decided on",
            MotionError::ReactionNotUnique { .. } => {
                "redundant constraints share their load in no unique way; remove what repeats, or let the law depend \
                 on a reaction that is unique"
            }
            MotionError::NoReaction => {
                "friction of this size and direction leads to no or to many reactions (Painlevé); \
                 the rigid model says nothing here"
            }
            MotionError::SingularMass { .. } => {
                "the free acceleration M⁻¹Q exists only for positive definite M; use the forms of 2006"
            }
            MotionError::OutOfRange => "sizes in the data differ by more than double precision can carry; change units",
        }
    }
}

impl fmt::Display for MotionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MotionError::NoCoordinates => write!(f, "there are no coordinates"),
            MotionError::Shape { array, rows, columns: 1, found } => {
                write!(f, "`{array}` has {found} entries and needs {rows}")
            }
            MotionError::Shape { array, rows, columns, found } => {
                write!(f, "`{array}` has {found} entries and needs {rows} × {columns}")
            }
            MotionError::NotFinite { array: array @ (Array::M | Array::A | Array::Feedback), row, column, value } => {
                write!(f, "entry ({row}, {column}) of `{array}` is {value}")
            }
            MotionError::NotFinite { array, row, value, .. } => write!(f, "entry {row} of `{array}` is {value}"),
            MotionError::NotSymmetric { row, column, upper, lower } => {
                write!(
                    f,
                    "`M` is not symmetric: entry ({row}, {column}) is {upper} and entry ({column}, {row}) is {lower}"
                )
            }
            MotionError::Indefinite { row, column } if row == column => {
                write!(f, "`M` is not positive semi-definite: entry ({row}, {row}) is too small for its row")
            }
            MotionError::Indefinite { row, column } => {
                write!(f, "`M` is not positive semi-definite: entry ({row}, {column}) is too large for its diagonal")
            }
            MotionError::HeldRankLost { row } => {
                write!(f, "the held rank is lost: row {row} now depends on the others")
            }
            MotionError::HeldShape { held, system } => {
                let ((n, m), (sn, sm)) = (held, system);
                write!(f, "the held structure has {n} coordinates and {m} rows, the system {sn} and {sm}")
            }
            MotionError::ReactionNotUnique { rows } => {
                write!(f, "the non-ideal force depends on reactions that are not unique: rows {rows:?}")
            }
            MotionError::NoReaction => write!(f, "the non-ideal force and its reactions have no unique solution"),
            MotionError::SingularMass { rank, coordinates } => {
                write!(f, "`M` is singular: its rank is {rank} of {coordinates}")
            }
            MotionError::OutOfRange => write!(f, "the answer overflows or is lost in rounding"),
        }
    }
}

impl std::error::Error for MotionError {}
