//! The memory of one thread, and the factorisation in it.

use std::cmp::Ordering;

use crate::Rank;
use crate::linalg::echelon::Echelon;
use crate::linalg::scale::equilibrate;

use super::dual::Dual;
use super::error::SparseError;
use super::factors::{Factors, rounding};
use super::null::NullSpaces;
use super::strip::Band;
use super::symbolic::Symbolic;
use super::values::SparseValues;

/// What a factorisation found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SparseRanks {
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
/// use holonom_kernel::sparse::{Numeric, Pattern, Symbolic, SparseValues};
///
/// let pattern = Pattern::new(2, [[0, 1], [0, 1]], [(0, 0), (1, 1)])?;
/// let symbolic = Symbolic::new(&pattern)?;
/// let mut numeric = Numeric::new();
/// let values = SparseValues { mass: &[2.0, 2.0], a: &[1.0, -1.0, 1.0, -1.0] };
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
    pub(super) factors: Factors,
    pub(super) null: NullSpaces,
    pub(super) dual: Option<Box<Dual>>,
    pub(super) band: Band,
    /// Whether the last factorisation went through the band, and the least part of a diagonal that it left as pivot.
    pub(super) by_band: bool,
    gap: f64,
    /// Whether it followed earlier decisions, and whether right sides could be met where it was decided last.
    pub(super) held: bool,
    pub(super) consistent: bool,
    /// Forces and right sides without what cannot be met.
    pub(super) force: Vec<f64>,
    pub(super) reachable: Vec<f64>,
}

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
    pub fn factor(&mut self, symbolic: &Symbolic, values: SparseValues) -> Result<SparseRanks, SparseError> {
        values.check_sizes(&symbolic.pattern)?;
        // The band sees by itself what is not a number, and leaves it to the fronts.
        let band = symbolic.band.as_ref().and_then(|plan| self.band.factor(plan, &symbolic.pattern, values));
        if let Some(gap) = band {
            (self.by_band, self.held, self.gap) = (true, false, gap);
            self.factors.elimination.forget();
            let (n, m) = (symbolic.pattern.n, symbolic.pattern.rows());
            let rank = |rank, gap| Rank { rank, gap, dropped: 0.0 };
            return Ok(SparseRanks { constraints: rank(m, gap), system: rank(n, 1.0) });
        }
        self.factor_fronts(symbolic, values)
    }

    /// Factors through fronts, whatever the pattern: the way that decides every rank.
    ///
    /// # Errors
    ///
    /// As [`factor`](Self::factor).
    pub fn factor_fronts(&mut self, symbolic: &Symbolic, values: SparseValues) -> Result<SparseRanks, SparseError> {
        values.check(&symbolic.pattern)?;
        self.factors.scales.set(&symbolic.pattern, &values);
        self.factors.scales.check_rows()?;
        self.decide(symbolic, values, rounding(symbolic))?;
        if self.factors.elimination.is_worn() && !self.factors.elimination.is_strict {
            self.decide_strictly(symbolic, values)?;
        }
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
    pub fn factor_near(
        &mut self,
        symbolic: &Symbolic,
        values: SparseValues,
        tolerance: f64,
    ) -> Result<SparseRanks, SparseError> {
        values.check(&symbolic.pattern)?;
        self.factors.scales.set(&symbolic.pattern, &values);
        self.factors.scales.check_rows()?;
        self.factors.scales.row_noise.fill(1.0);
        self.factors.scales.column_noise.fill(1.0);
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
        (self.factors.elimination.least_pivot * self.factors.elimination.least_pivot).min(1.0)
    }

    /// The largest entry that the last factorisation left out because it vanished when pivots were decided, relative to its row:
    /// along a straight line many do, and once it bends, pivots must be decided anew.
    pub fn neglected(&self) -> f64 {
        if self.by_band || !self.held { 0.0 } else { self.factors.elimination.neglected }
    }

    /// Goes through fronts and decides, once scales are known; null spaces are not found yet.
    fn decide(&mut self, symbolic: &Symbolic, values: SparseValues, tolerance: f64) -> Result<(), SparseError> {
        (self.by_band, self.held) = (false, false);
        self.factors.decide(symbolic, &values, tolerance)
    }

    /// Decides again, and from then on, so that no mass is lost on the way, unless fronts would grow beyond the limit.
    fn decide_strictly(&mut self, symbolic: &Symbolic, values: SparseValues) -> Result<(), SparseError> {
        for is_strict in [true, false] {
            self.factors.elimination.is_strict = is_strict;
            self.factors.scales.set(&symbolic.pattern, &values);
            match self.decide(symbolic, values, rounding(symbolic)) {
                Err(SparseError::TooLarge(_)) if is_strict => {}
                decided => return decided,
            }
        }
        Ok(())
    }

    /// What makes multipliers and accelerations those of least norm.
    fn find_projections(&mut self, symbolic: &Symbolic, values: SparseValues) {
        self.null.find(symbolic, &self.factors, true);
        if self.null.wide {
            if self.dual.is_none() {
                self.dual = Dual::new(&symbolic.pattern).map(Box::new);
            }
            let factored = self.dual.as_mut().map(|dual| dual.factor(&symbolic.pattern, values.a));
            if !matches!(factored, Some(Ok(()))) {
                // Too many rows meet: long vectors after all.
                self.null.find(symbolic, &self.factors, false);
                self.null.rows.factor();
            }
        }
    }

    /// Factors with the rows and pivots that [`factor_fronts`](Self::factor_fronts) decided last.
    ///
    /// # Errors
    ///
    /// When a held row has become dependent on the others, and as [`factor`](Self::factor).
    pub fn factor_held(&mut self, symbolic: &Symbolic, values: SparseValues) -> Result<(), SparseError> {
        values.check_sizes(&symbolic.pattern)?;
        self.held = true;
        if let Some(plan) =
            symbolic.band.as_ref().filter(|_| self.by_band || self.factors.elimination.decisions.dropped.is_empty())
        {
            let gap = self.band.factor(plan, &symbolic.pattern, values);
            self.by_band = gap.is_some();
            if let Some(gap) = gap {
                self.gap = gap;
                return Ok(());
            }
        }
        if !self.factors.elimination.is_decided_for(symbolic) {
            return self.factor_fronts(symbolic, values).map(|_| ());
        }
        values.check(&symbolic.pattern)?;
        self.by_band = false;
        self.factors.follow(symbolic, &values)?;
        self.find_projections(symbolic, values);
        Ok(())
    }

    fn ranks(&self, symbolic: &Symbolic) -> SparseRanks {
        SparseRanks {
            constraints: self.factors.elimination.row_margin.rank(self.row_rank(symbolic)),
            system: self
                .factors
                .elimination
                .mass_margin
                .rank(symbolic.pattern.n - self.factors.elimination.decisions.free.len()),
        }
    }

    /// The rank of the rows, as fronts found it.
    fn row_rank(&self, symbolic: &Symbolic) -> usize {
        symbolic.pattern.rows() - self.factors.elimination.decisions.dropped.len() - symbolic.empty_rows.len()
    }

    /// Where pivots leave doubt, singular values decide, as in the dense kernel, if there are few enough: fronts are gone through again
    /// with the tolerance at which they find that rank.
    fn settle(&mut self, symbolic: &Symbolic, values: SparseValues) -> Result<(), SparseError> {
        let pattern = &symbolic.pattern;
        let (n, m) = (pattern.n, pattern.rows());
        if !self.factors.elimination.row_margin.is_grey() || n.max(m) > ASKED {
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
            let margin = self.factors.elimination.row_margin;
            let tolerance = match self.row_rank(symbolic).cmp(&echelon.rank) {
                Ordering::Equal => break,
                Ordering::Greater => margin.kept,
                Ordering::Less => 0.5 * margin.dropped,
            };
            self.factors.scales.set(&symbolic.pattern, &values);
            self.decide(symbolic, values, tolerance)?;
        }
        if self.row_rank(symbolic) == echelon.rank {
            self.factors.elimination.row_margin = echelon.margin();
        }
        Ok(())
    }

    /// The rows that are not consulted, since they follow from the others; ascending. Which of several rows that
    /// repeat each other these are is the choice of the elimination: see [`audit`](Self::audit).
    pub fn redundant_rows(&self, symbolic: &Symbolic) -> Vec<usize> {
        let mut rows: Vec<usize> = symbolic.empty_rows.iter().map(|row| *row as usize).collect();
        if !self.by_band {
            for (f, at) in &self.factors.elimination.decisions.dropped {
                rows.push(
                    self.factors.elimination.decisions.rows
                        [(self.factors.elimination.decisions.records[*f as usize].rows + at) as usize]
                        as usize,
                );
            }
        }
        rows.sort_unstable();
        rows
    }
}
