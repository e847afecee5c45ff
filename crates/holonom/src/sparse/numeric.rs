//! The memory of one thread, and the factorisation in it.

use std::cmp::Ordering;
use std::fmt;

use crate::linalg::echelon::Echelon;
use crate::linalg::rank::Margin;
use crate::linalg::scale::{LEAST, equilibrate, inverse_power, inverse_root_power};
use crate::linalg::tolerance::{ROUNDING, rank_tolerance};
use crate::{Array, MotionError, Rank};

use super::band::Band;
use super::desk::Desk;
use super::dual::Dual;
use super::front::Decisions;
use super::span::Span;
use super::symbolic::{Symbolic, TooLarge};

/// The numbers of a system, in the order of its [`Pattern`](super::Pattern).
#[derive(Clone, Copy, Debug)]
pub struct Values<'a> {
    /// The lower triangle of M.
    pub mass: &'a [f64],
    /// A, row by row.
    pub a: &'a [f64],
}

/// Why there are no factors.
#[derive(Clone, Debug, PartialEq)]
pub enum SparseError {
    /// Numbers that describe no mechanical system, or a held rank that is lost.
    Motion(MotionError),
    /// Coordinates that had to wait for others have made a front too large.
    TooLarge(TooLarge),
}

impl fmt::Display for SparseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Motion(error) => error.fmt(f),
            Self::TooLarge(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for SparseError {}

impl From<TooLarge> for SparseError {
    fn from(error: TooLarge) -> Self {
        Self::TooLarge(error)
    }
}

impl SparseError {
    pub(super) fn held_lost(row: u32) -> Self {
        Self::Motion(MotionError::HeldRankLost { row: row as usize })
    }

    pub(super) fn held_mass(coordinate: u32) -> Self {
        Self::Motion(MotionError::HeldRankLost { row: coordinate as usize })
    }

    pub(super) fn indefinite(i: u32, j: u32) -> Self {
        Self::Motion(MotionError::Indefinite { row: i.min(j) as usize, column: i.max(j) as usize })
    }
}

/// What a factorisation found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ranks {
    /// The rank of A.
    pub constraints: Rank,
    /// The rank of `[M; A]`: the motion is unique exactly when it is n (2006, result 3).
    pub system: Rank,
}

/// The factors of one system and all that is needed to refill them in place: one for each thread.
///
/// After the first factorisation and solve, none that decides the same allocates.
///
/// # Examples
///
/// A bead of 2 kg on the line y = x under gravity, with the constraint given twice:
///
/// ```
/// use holonom::sparse::{Numeric, Pattern, Symbolic, Values};
///
/// let pattern = Pattern::new(2, [[0, 1], [0, 1]], [(0, 0), (1, 1)])?;
/// let symbolic = Symbolic::new(&pattern)?;
/// let mut numeric = Numeric::new();
/// let values = Values { mass: &[2.0, 2.0], a: &[1.0, -1.0, 1.0, -1.0] };
/// let ranks = numeric.factor(&symbolic, values)?;
/// assert_eq!((ranks.constraints.rank, ranks.system.rank), (1, 2));
///
/// let (mut acceleration, mut multipliers) = ([0.0; 2], [0.0; 2]);
/// let weight = [0.0, -2.0 * 9.81];
/// let verdict = numeric.solve(&symbolic, values, &weight, &[0.0, 0.0], &mut acceleration, &mut multipliers);
/// assert!(verdict.consistent && (acceleration[0] + 9.81 / 2.0).abs() < 1e-14);
/// assert!((multipliers[0] - multipliers[1]).abs() < 1e-14); // both carry half: the choice of least norm
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Numeric {
    pub(super) decisions: Decisions,
    pub(super) factors: Vec<f64>,
    /// A stack of what fronts hand on, and its top.
    pub(super) handed: Vec<f64>,
    pub(super) top: usize,
    pub(super) desk: Desk,
    pub(super) limit: usize,
    pub(super) tolerance: f64,
    /// Powers of two: unit masses; rows of unit size as they are given; and these of unit size among unit masses. The last two
    /// are kept apart, since their product may be more than a number holds.
    pub(super) column_scale: Vec<f64>,
    pub(super) row_scale: Vec<f64>,
    pub(super) row_unit: Vec<f64>,
    /// What counts as one in the scale in which rank is decided, that of A alone.
    pub(super) column_noise: Vec<f64>,
    pub(super) row_noise: Vec<f64>,
    /// What the mass of a coordinate was made of.
    pub(super) mass_bound: Vec<f64>,
    /// By how much it was clear which rows and which masses count.
    pub(super) row_margin: Margin,
    pub(super) mass_margin: Margin,
    /// The least pivot of a row, with masses and rows at unit size.
    pub(super) least_pivot: f64,
    /// The largest entry that vanished when pivots were decided and does no longer, relative to its row and coordinate.
    pub(super) neglected: f64,
    /// The least part of a diagonal that the band left as pivot.
    pub(super) gap: f64,
    /// The least scale of a coordinate, of the largest.
    pub(super) spread: f64,
    /// Combinations of rows that vanish; directions that nothing determines.
    pub(super) row_null: Span,
    pub(super) free: Span,
    /// Whether one direction stands for more than there is room for.
    pub(super) loose: bool,
    /// Whether the dual problem stands in for the combinations of rows.
    pub(super) wide: bool,
    pub(super) dual: Option<Box<Dual>>,
    pub(super) local: [Vec<f64>; 2],
    pub(super) residual: [Vec<f64>; 2],
    pub(super) correction: [Vec<f64>; 2],
    pub(super) sizes: Vec<f64>,
    pub(super) row_sizes: Vec<f64>,
    pub(super) reachable: Vec<f64>,
    pub(super) force: Vec<f64>,
    pub(super) held: bool,
    pub(super) consistent: bool,
    pub(super) band: Band,
    pub(super) by_band: bool,
    pub(super) decided: bool,
    pub(super) visit: Vec<(u32, bool)>,
    /// Zero between uses.
    pub(super) row_scratch: Vec<f64>,
    pub(super) column_scratch: Vec<f64>,
}

/// Entries above this part of the largest of their row set the scale of coordinates without mass.
const TELLING: f64 = 1e-6;
/// Singular values are asked for up to so many rows and coordinates: some milliseconds.
const ASKED: usize = 128;
/// How often fronts are gone through again for the rank that these say.
const AGAIN: usize = 4;

impl Numeric {
    /// Memory without factors.
    pub fn new() -> Self {
        Self { consistent: true, ..Self::default() }
    }

    /// Factors a system and decides its ranks.
    ///
    /// Goes through the band where there is one and its pivots are clear, else through fronts.
    ///
    /// # Errors
    ///
    /// For numbers that describe no mechanical system, and where fronts grow beyond the limit.
    pub fn factor(&mut self, symbolic: &Symbolic, values: Values) -> Result<Ranks, SparseError> {
        check_sizes(symbolic, &values)?;
        // The band sees by itself what is not a number, and leaves it to the fronts.
        let band = symbolic.band.as_ref().and_then(|plan| self.band.factor(plan, &symbolic.pattern, values));
        if let Some(gap) = band {
            (self.by_band, self.held, self.decided, self.gap) = (true, false, false, gap);
            let (n, m) = (symbolic.pattern.n, symbolic.pattern.rows());
            let rank = |rank, gap| Rank { rank, gap, dropped: 0.0 };
            return Ok(Ranks { constraints: rank(m, gap), system: rank(n, 1.0) });
        }
        self.factor_fronts(symbolic, values)
    }

    /// Factors through fronts, whatever the pattern: the way that decides every rank.
    ///
    /// # Errors
    ///
    /// As [`factor`](Self::factor).
    pub fn factor_fronts(&mut self, symbolic: &Symbolic, values: Values) -> Result<Ranks, SparseError> {
        check(symbolic, &values)?;
        self.scale(symbolic, &values);
        self.check_rows()?;
        self.decide(symbolic, values, rounding(symbolic))?;
        self.settle(symbolic, values)?;
        self.find_projections(symbolic, values);
        Ok(self.ranks(symbolic))
    }

    /// The same where rows count as dependent up to a tolerance, with masses and rows at unit size: what depends at a state near by
    /// does so here. The [`audit`](Self::audit) says which.
    ///
    /// # Errors
    ///
    /// As [`factor`](Self::factor).
    pub fn factor_near(&mut self, symbolic: &Symbolic, values: Values, tolerance: f64) -> Result<Ranks, SparseError> {
        check(symbolic, &values)?;
        self.scale(symbolic, &values);
        self.check_rows()?;
        self.row_noise.fill(1.0);
        self.column_noise.fill(1.0);
        self.decide(symbolic, values, tolerance)?;
        self.find_projections(symbolic, values);
        Ok(self.ranks(symbolic))
    }

    /// How far the rows are from losing rank, as of the last factorisation: about the square of the least sine between a row and
    /// the others, from 0 to 1.
    ///
    /// Along a motion it falls to zero where rank is lost. Where pivots decided earlier are followed it may be small for another reason,
    /// too: these pivots are poor by now, and deciding anew tells.
    pub fn clearance(&self) -> f64 {
        if self.by_band {
            return self.gap;
        }
        (self.least_pivot * self.least_pivot).min(1.0)
    }

    /// The largest entry that the last factorisation left out because it vanished when pivots were decided, relative to its row:
    /// along a straight line many do, and once it bends, pivots must be decided anew.
    pub fn neglected(&self) -> f64 {
        if self.by_band || !self.held { 0.0 } else { self.neglected }
    }

    /// Factors through fronts and decides, once scales are known; null spaces are not found yet.
    pub(super) fn decide(&mut self, symbolic: &Symbolic, values: Values, tolerance: f64) -> Result<(), SparseError> {
        self.tolerance = tolerance;
        (self.by_band, self.held, self.decided) = (false, false, false);
        self.limit = 2 * symbolic.largest_front().max(256);
        (self.least_pivot, self.neglected) = (1.0, 0.0);
        (self.row_margin, self.mass_margin) = (Margin::CLEAR, Margin::CLEAR);
        self.decisions.clear();
        self.factors.clear();
        self.top = 0;
        for f in 0..symbolic.fronts.len() {
            self.decide_front(symbolic, f, &values)?;
        }
        self.decided = true;
        Ok(())
    }

    /// What makes multipliers and accelerations those of least norm.
    fn find_projections(&mut self, symbolic: &Symbolic, values: Values) {
        self.find_null_spaces(symbolic, true);
        if self.wide {
            if self.dual.is_none() {
                self.dual = Dual::new(&symbolic.pattern).map(Box::new);
            }
            let factored = self.dual.as_mut().map(|dual| dual.factor(&symbolic.pattern, values.a));
            if !matches!(factored, Some(Ok(()))) {
                // Too many rows meet: long vectors after all.
                self.find_null_spaces(symbolic, false);
                self.row_null.factor();
            }
        }
    }

    /// Factors with the rows and pivots that [`factor_fronts`](Self::factor_fronts) decided last.
    ///
    /// # Errors
    ///
    /// When a held row has become dependent on the others, and as [`factor`](Self::factor).
    pub fn factor_held(&mut self, symbolic: &Symbolic, values: Values) -> Result<(), SparseError> {
        check_sizes(symbolic, &values)?;
        self.held = true;
        if let Some(plan) = symbolic.band.as_ref().filter(|_| self.by_band || self.decisions.dropped.is_empty()) {
            let gap = self.band.factor(plan, &symbolic.pattern, values);
            self.by_band = gap.is_some();
            if let Some(gap) = gap {
                self.gap = gap;
                return Ok(());
            }
        }
        if !self.decided || self.decisions.records.len() != symbolic.fronts.len() {
            return self.factor_fronts(symbolic, values).map(|_| ());
        }
        check(symbolic, &values)?;
        self.by_band = false;
        (self.least_pivot, self.neglected) = (1.0, 0.0);
        self.factors.clear();
        self.top = 0;
        for f in 0..symbolic.fronts.len() {
            self.follow_front(symbolic, f, &values)?;
        }
        self.find_projections(symbolic, values);
        Ok(())
    }

    fn ranks(&self, symbolic: &Symbolic) -> Ranks {
        Ranks {
            constraints: self.row_margin.rank(self.row_rank(symbolic)),
            system: self.mass_margin.rank(symbolic.pattern.n - self.decisions.free.len()),
        }
    }

    /// The rank of the rows, as fronts found it.
    fn row_rank(&self, symbolic: &Symbolic) -> usize {
        symbolic.pattern.rows() - self.decisions.dropped.len() - symbolic.empty_rows.len()
    }

    /// Where pivots leave doubt, singular values decide, as in the dense kernel, if there are few enough: fronts are gone through again
    /// with the tolerance at which they find that rank.
    fn settle(&mut self, symbolic: &Symbolic, values: Values) -> Result<(), SparseError> {
        let pattern = &symbolic.pattern;
        let (n, m) = (pattern.n, pattern.rows());
        if !self.row_margin.is_grey() || n.max(m) > ASKED {
            return Ok(());
        }
        let mut all = vec![0.0; n * m];
        for row in 0..m {
            let entries = pattern.entries(row);
            for (a, j) in values.a[entries.clone()].iter().zip(&pattern.columns[entries]) {
                all[row * n + *j as usize] = *a;
            }
        }
        let mut echelon = Echelon::default();
        echelon.load(m, n, &all, |row, column| equilibrate(&all, n, row, column));
        echelon.decide(rounding(symbolic), 0..=n, &all);
        for _ in 0..AGAIN {
            let margin = self.row_margin;
            let tolerance = match self.row_rank(symbolic).cmp(&echelon.rank) {
                Ordering::Equal => break,
                Ordering::Greater => margin.kept,
                Ordering::Less => 0.5 * margin.dropped,
            };
            self.scale(symbolic, &values);
            self.decide(symbolic, values, tolerance)?;
        }
        if self.row_rank(symbolic) == echelon.rank {
            self.row_margin = echelon.margin();
        }
        Ok(())
    }

    /// The rows that are not consulted, since they follow from the others; ascending. Which of several rows that
    /// repeat each other these are is the choice of the elimination: see [`audit`](Self::audit).
    pub fn redundant_rows(&self, symbolic: &Symbolic) -> Vec<usize> {
        let mut rows: Vec<usize> = symbolic.empty_rows.iter().map(|row| *row as usize).collect();
        if !self.by_band {
            for (f, at) in &self.decisions.dropped {
                rows.push(self.decisions.rows[(self.decisions.records[*f as usize].rows + at) as usize] as usize);
            }
        }
        rows.sort_unstable();
        rows
    }

    /// No row has lost its digits: what such a row says cannot be scaled up again.
    fn check_rows(&self) -> Result<(), SparseError> {
        let lost = self.row_scale.iter().any(|scale| *scale > 1.0 / LEAST);
        if lost { Err(SparseError::Motion(MotionError::OutOfRange)) } else { Ok(()) }
    }

    /// Brings masses to one and rows to comparable size, by powers of two.
    pub(super) fn scale(&mut self, symbolic: &Symbolic, values: &Values) {
        let pattern = &symbolic.pattern;
        let (n, m) = (pattern.n, pattern.rows());
        for (v, len) in [
            (&mut self.column_scale, n),
            (&mut self.column_noise, n),
            (&mut self.mass_bound, n),
            (&mut self.row_scale, m),
            (&mut self.row_unit, m),
            (&mut self.row_noise, m),
        ] {
            v.clear();
            v.resize(len, 0.0);
        }
        for ((i, j), x) in pattern.mass.iter().zip(values.mass) {
            if i == j {
                self.mass_bound[*i as usize] = *x;
                self.column_scale[*i as usize] = if *x >= LEAST { inverse_root_power(*x) } else { 0.0 };
            }
        }
        for row in 0..m {
            let entries = pattern.entries(row);
            let largest = values.a[entries.clone()].iter().fold(0.0, |m: f64, x| m.max(x.abs()));
            let scale = inverse_power(largest);
            self.row_scale[row] = scale;
            let mut massive = 0.0f64;
            for (x, j) in values.a[entries.clone()].iter().zip(&pattern.columns[entries]) {
                let noise = &mut self.column_noise[*j as usize];
                *noise = noise.max(x.abs() * scale);
                // What is small in its row says nothing about the size of the others.
                if x.abs() * scale > TELLING {
                    massive = massive.max(x.abs() * scale * self.column_scale[*j as usize]);
                }
            }
            self.row_unit[row] = massive;
        }
        // A coordinate without mass gets the size of the rows it stands in: the least of them, kept with a minus
        // sign until all rows are seen.
        for row in 0..m {
            let (entries, massive, comparable) = (pattern.entries(row), self.row_unit[row], self.row_scale[row]);
            for (x, j) in values.a[entries.clone()].iter().zip(&pattern.columns[entries]) {
                let (scale, x) = (&mut self.column_scale[*j as usize], x.abs() * comparable);
                if *scale <= 0.0 && x > TELLING && massive > 0.0 {
                    let wanted = inverse_power(x / massive);
                    *scale = if *scale == 0.0 { -wanted } else { scale.max(-wanted) };
                }
            }
        }
        let (mut least, mut most) = (f64::INFINITY, 0.0f64);
        for j in 0..n {
            let scale = &mut self.column_scale[j];
            *scale = if *scale == 0.0 { 1.0 } else { scale.abs() };
            (least, most) = (least.min(*scale), most.max(*scale));
            self.mass_bound[j] = self.mass_bound[j] * *scale * *scale;
            let noise = self.column_noise[j];
            // A column of nothing but rounding is not lifted.
            self.column_noise[j] = if noise > ROUNDING { noise * *scale } else { *scale };
        }
        self.spread = least / most;
        for row in 0..m {
            let entries = pattern.entries(row);
            let (sizes, scale) = (values.a[entries.clone()].iter().zip(&pattern.columns[entries]), self.row_scale[row]);
            let largest = sizes.fold(0.0, |m: f64, (x, j)| m.max(x.abs() * scale * self.column_scale[*j as usize]));
            self.row_unit[row] = inverse_power(largest);
            self.row_noise[row] = self.row_unit[row];
        }
    }
}

/// Rows that depend on others up to this part of their size do so but for rounding.
pub(super) fn rounding(symbolic: &Symbolic) -> f64 {
    rank_tolerance(symbolic.pattern.n.max(symbolic.pattern.rows()))
}

/// Sizes fit.
fn check_sizes(symbolic: &Symbolic, values: &Values) -> Result<(), SparseError> {
    let pattern = &symbolic.pattern;
    for (array, given, wanted) in
        [(Array::M, values.mass, pattern.mass.len()), (Array::A, values.a, pattern.columns.len())]
    {
        if given.len() != wanted {
            return Err(SparseError::Motion(MotionError::Shape {
                array,
                rows: wanted,
                columns: 1,
                found: given.len(),
            }));
        }
    }
    Ok(())
}

/// Sizes fit, and every number is one.
fn check(symbolic: &Symbolic, values: &Values) -> Result<(), SparseError> {
    check_sizes(symbolic, values)?;
    let pattern = &symbolic.pattern;
    for (array, given) in [(Array::M, values.mass), (Array::A, values.a)] {
        // Nothing but numbers: nought times each is nought. Four sums side by side fit vector registers.
        let (fours, rest) = given.as_chunks::<4>();
        let mut sums = [0.0; 4];
        for four in fours {
            for lane in 0..4 {
                sums[lane] += four[lane] * 0.0;
            }
        }
        if sums.iter().sum::<f64>() + rest.iter().map(|x| x * 0.0).sum::<f64>() == 0.0 {
            continue;
        }
        if let Some(at) = given.iter().position(|x| !x.is_finite()) {
            let (row, column) = match array {
                Array::M => pattern.mass[at],
                _ => (pattern.row_start.partition_point(|s| *s as usize <= at) as u32 - 1, pattern.columns[at]),
            };
            let (row, column) = (row as usize, column as usize);
            return Err(SparseError::Motion(MotionError::NotFinite { array, row, column, value: given[at] }));
        }
    }
    Ok(())
}
