//! Where M and A have entries.

use std::fmt;

/// Where the mass matrix and the constraint matrix can have entries that are not zero.
///
/// The numbers that belong to it come as slices in the same order: `a` row by row, and `mass` with the lower
/// triangle row by row. An entry that is not in the pattern is zero.
///
/// # Examples
///
/// Two points of mass on a line, with a rod between them:
///
/// ```
/// use holonom_kernel::sparse::Pattern;
///
/// let pattern = Pattern::new(2, [[0, 1]], [(0, 0), (1, 1)])?;
/// assert_eq!((pattern.coordinates(), pattern.rows()), (2, 1));
/// # Ok::<(), holonom_kernel::sparse::PatternError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    pub(super) n: usize,
    pub(super) row_start: Vec<u32>,
    pub(super) columns: Vec<u32>,
    /// (row, column) with column ≤ row, sorted.
    pub(super) mass: Vec<(u32, u32)>,
}

/// Why a pattern is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PatternError {
    /// A coordinate beyond the last.
    Coordinate {
        /// The coordinate.
        coordinate: usize,
        /// How many there are.
        coordinates: usize,
    },
    /// The coordinates of a constraint row do not ascend.
    RowOrder {
        /// The row.
        row: usize,
    },
    /// An entry of the mass matrix lies above the diagonal, or entries do not ascend row by row.
    MassOrder {
        /// Row of the entry.
        row: usize,
        /// Column of the entry.
        column: usize,
    },
    /// More entries than can be counted in 32 bits.
    Entries,
}

impl fmt::Display for PatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Coordinate { coordinate, coordinates } => {
                write!(f, "coordinate {coordinate} is beyond the last: there are {coordinates}, counted from 0")
            }
            Self::RowOrder { row } => write!(f, "the coordinates of constraint row {row} do not ascend"),
            Self::MassOrder { row, column } => {
                write!(f, "entry ({row}, {column}) of `M` is out of order: give the lower triangle, row by row")
            }
            Self::Entries => write!(f, "the pattern has more than 2³¹ entries"),
        }
    }
}

impl std::error::Error for PatternError {}

impl Pattern {
    /// A pattern of n coordinates: for each row of A its coordinates, ascending, and the entries (row, column)
    /// of the lower triangle of M, row by row.
    ///
    /// # Errors
    ///
    /// When coordinates are out of range or out of order.
    pub fn new<R: AsRef<[usize]>>(
        coordinates: usize,
        rows: impl IntoIterator<Item = R>,
        mass: impl IntoIterator<Item = (usize, usize)>,
    ) -> Result<Self, PatternError> {
        let n = coordinates;
        let within = |coordinate: usize| {
            (coordinate < n).then_some(coordinate as u32).ok_or(PatternError::Coordinate { coordinate, coordinates })
        };
        let mut pattern = Self { n, row_start: vec![0], columns: Vec::new(), mass: Vec::new() };
        for (row, columns) in rows.into_iter().enumerate() {
            let columns = columns.as_ref();
            if columns.windows(2).any(|pair| pair[0] >= pair[1]) {
                return Err(PatternError::RowOrder { row });
            }
            for column in columns {
                pattern.columns.push(within(*column)?);
            }
            pattern.row_start.push(pattern.columns.len() as u32);
        }
        for (row, column) in mass {
            let entry = (within(row)?, within(column)?);
            if column > row || pattern.mass.last().is_some_and(|last| *last >= entry) {
                return Err(PatternError::MassOrder { row, column });
            }
            pattern.mass.push(entry);
        }
        let most = (i32::MAX) as usize;
        if pattern.columns.len() > most || pattern.mass.len() > most || n > most || pattern.rows() > most {
            return Err(PatternError::Entries);
        }
        Ok(pattern)
    }

    /// The number of coordinates, n.
    pub fn coordinates(&self) -> usize {
        self.n
    }

    /// The number of constraint rows, m.
    pub fn rows(&self) -> usize {
        self.row_start.len() - 1
    }

    /// Where the entries of a row of A stand among all.
    pub(super) fn entries(&self, row: usize) -> std::ops::Range<usize> {
        self.row_start[row] as usize..self.row_start[row + 1] as usize
    }

    /// The coordinates of a row of A.
    pub(super) fn row(&self, row: usize) -> &[u32] {
        &self.columns[self.entries(row)]
    }

    /// The force Aᵀλ that multipliers mean.
    ///
    /// # Panics
    ///
    /// When a slice is shorter than the pattern asks for.
    pub fn force(&self, a: &[f64], multipliers: &[f64], force: &mut [f64]) {
        force.fill(0.0);
        for (row, l) in multipliers.iter().enumerate() {
            let entries = self.entries(row);
            for (a, j) in a[entries.clone()].iter().zip(&self.columns[entries]) {
                force[*j as usize] += a * l;
            }
        }
    }

    /// How many numbers `a` has.
    pub fn constraint_entries(&self) -> usize {
        self.columns.len()
    }

    /// How many numbers `mass` has.
    pub fn mass_entries(&self) -> usize {
        self.mass.len()
    }
}
