//! Which kernel answers: the dense one, or the sparse one for models that are large and have few entries to a row.

use super::entries::{Entries, Rows, Symmetric};
use super::nonideal::Nonideals;
use super::numbers::Evaluator;
use holonom_kernel::sparse::choice::{Costs, DENSE};
use holonom_kernel::sparse::{
    Numeric, Pattern, SparseError, SparseRanks, SparseValues, SparseVerdict, Symbolic, TooLarge,
};
use holonom_kernel::{Array, Audit, Directions, Motion, MotionError, Snapshot, Workspace};

/// Nanoseconds for one answer of the dense kernel that nobody notices: it says more about small models than the sparse one.
const UNNOTICED: f64 = 25_000.0;
/// How many analyses are kept: levels of the constraints with some coordinates free, and the system itself.
const KEPT: usize = 4;

/// Coordinates with components along a direction that is open, ascending.
pub(crate) type Direction = Vec<(usize, f64)>;

/// Where rows say nothing.
#[derive(Default)]
pub(crate) struct Open {
    /// One direction for each degree of freedom; or one that stands for very many.
    pub(crate) directions: Vec<Direction>,
    /// Then, one coordinate for each of them.
    pub(crate) many: Option<Vec<usize>>,
}

/// A kernel, with its memory.
pub(crate) enum Kernel {
    Dense(Box<Workspace>),
    Sparse(Box<Lean>),
}

/// Why no kernel takes a model.
pub(crate) enum Refused {
    /// Too many coordinates meet at once.
    Block(TooLarge),
    /// Friction, or a C that depends on reactions, in so many coordinates.
    Reactions,
}

/// The most coordinates with forces that depend on reactions.
pub(crate) const WITH_REACTIONS: usize = DENSE;

impl Kernel {
    pub(crate) fn dense() -> Self {
        Self::Dense(Box::default())
    }

    pub(crate) fn is_sparse(&self) -> bool {
        matches!(self, Self::Sparse(_))
    }

    /// The kernel for a model, by what each would cost; or the sparse one where it is possible at all, or the dense one.
    pub(crate) fn choose(
        evaluator: &Evaluator,
        nonideals: &Nonideals,
        sparse: Option<bool>,
    ) -> Result<Self, Box<Refused>> {
        let n = evaluator.coordinates();
        if n == 0 || sparse == Some(false) {
            return Ok(Self::dense());
        }
        if nonideals.hang_on_reactions() {
            let many = n > WITH_REACTIONS;
            return if many { Err(Box::new(Refused::Reactions)) } else { Ok(Self::dense()) };
        }
        let mut lean = Lean::default();
        let (mass, a) = evaluator.shapes();
        match lean.analysis(n, &mass, &a) {
            Ok((symbolic, _)) => {
                let costs = Costs::of(symbolic);
                let dense_will_do = costs.dense < UNNOTICED || !costs.prefer_sparse();
                if sparse.is_none() && n <= DENSE && dense_will_do {
                    return Ok(Self::dense());
                }
                Ok(Self::Sparse(Box::new(lean)))
            }
            Err(_) if n <= DENSE => Ok(Self::dense()),
            Err(too_large) => Err(Box::new(Refused::Block(too_large))),
        }
    }

    /// What kept the sparse kernel from an answer on the way, if anything.
    pub(crate) fn trouble(&mut self) -> Option<TooLarge> {
        match self {
            Self::Dense(_) => None,
            Self::Sparse(lean) => lean.trouble.take(),
        }
    }

    /// Directions along which rows over `k` coordinates say nothing.
    pub(crate) fn open_directions(&mut self, k: usize, rows: &Rows) -> Open {
        match self {
            Self::Dense(workspace) => {
                let (mass, none) = (vec![0.0; k * k], vec![0.0; k.max(rows.len())]);
                let rows_full = rows.dense(k);
                let snapshot = Snapshot::new(&mass, &none[..k]).constrained(&rows_full, &none[..rows.len()]);
                let Ok(motion) = workspace.solve(&snapshot) else { return Open::default() };
                Open { directions: lists(&motion.free_directions), many: None }
            }
            Self::Sparse(lean) => lean.open_directions(k, rows),
        }
    }

    /// The smallest sets of rows that cannot hold together.
    pub(crate) fn conflicts(&mut self, n: usize, rows: &Rows, right: &[f64]) -> Vec<holonom_kernel::Conflict> {
        let (mass, force) = (Symmetric::one(n), vec![0.0; n]);
        match self {
            Self::Dense(workspace) => {
                let (mass, rows) = (mass.dense(n), rows.dense(n));
                let audit = workspace.audit(&Snapshot::new(&mass, &force).constrained(&rows, right));
                audit.map_or_else(|_| Vec::new(), |audit| audit.conflicts)
            }
            Self::Sparse(lean) => {
                let Ok(solved) = lean.solve(&mass, &force, rows, right) else { return Vec::new() };
                let Ok((symbolic, numeric)) = lean.analysis(n, &mass.places, rows) else { return Vec::new() };
                let values = SparseValues { mass: &mass.values, a: &rows.values };
                numeric.audit(symbolic, values, right, &solved.x).conflicts
            }
        }
    }

    /// Least-norm weights of directions so that rows over them hold, and what is open after that.
    pub(crate) fn weights(&mut self, k: usize, rows: &Rows, right: &[f64]) -> Option<(Vec<f64>, Vec<Direction>)> {
        match self {
            Self::Dense(workspace) => {
                let (mass, force) = (vec![0.0; k * k], vec![0.0; k]);
                let rows = rows.dense(k);
                let answer = workspace.solve(&Snapshot::new(&mass, &force).constrained(&rows, right)).ok()?;
                Some((answer.acceleration.clone(), lists(&answer.free_directions)))
            }
            Self::Sparse(lean) => {
                let solved = lean.solve(&Symmetric::default(), &vec![0.0; k], rows, right).ok()?;
                let open = lean.open_directions(k, rows);
                open.many.is_none().then_some((solved.x, open.directions))
            }
        }
    }
}

/// Directions as lists of their own.
pub(crate) fn lists(directions: &Directions) -> Vec<Direction> {
    directions.iter().map(<[_]>::to_vec).collect()
}

/// What of a vector is not zero.
pub(crate) fn sparse_of(w: &[f64]) -> Direction {
    w.iter().copied().enumerate().filter(|(_, x)| *x != 0.0).collect()
}

/// The sparse kernel, with the patterns that it has analysed.
#[derive(Default)]
pub(crate) struct Lean {
    analyses: Vec<(Symbolic, Numeric)>,
    trouble: Option<TooLarge>,
}

/// What makes ½xᵀMx − fᵀx least where some rows hold.
pub(crate) struct Solved {
    x: Vec<f64>,
    multipliers: Vec<f64>,
    ranks: SparseRanks,
    verdict: SparseVerdict,
}

impl Lean {
    /// The analysis of a pattern, and memory for it: made anew only where it is not among the last.
    pub(crate) fn analysis(
        &mut self,
        n: usize,
        mass: &[(usize, usize)],
        rows: &Rows,
    ) -> Result<&mut (Symbolic, Numeric), TooLarge> {
        let lists = (0..rows.len()).map(|row| rows.columns(row));
        let Ok(pattern) = Pattern::new(n, lists, mass.iter().copied()) else {
            return Err(TooLarge { size: n, limit: i32::MAX as usize, coordinates: Vec::new(), rows: Vec::new() });
        };
        let at = match self.analyses.iter().position(|(known, _)| *known.pattern() == pattern) {
            Some(at) => at,
            None => {
                let symbolic = Symbolic::new(&pattern)?;
                if self.analyses.len() == KEPT {
                    self.analyses.remove(0);
                }
                self.analyses.push((symbolic, Numeric::new()));
                self.analyses.len() - 1
            }
        };
        // The last used last, so that it is kept longest.
        self.analyses[at..].rotate_left(1);
        let last = self.analyses.len() - 1;
        Ok(&mut self.analyses[last])
    }

    /// Makes ½xᵀMx − fᵀx least where the rows hold, or hold best.
    pub(crate) fn solve(
        &mut self,
        mass: &Symmetric,
        force: &[f64],
        rows: &Rows,
        right: &[f64],
    ) -> Result<Solved, SparseError> {
        let (symbolic, numeric) = self.analysis(force.len(), &mass.places, rows)?;
        let values = SparseValues { mass: &mass.values, a: &rows.values };
        let ranks = numeric.factor(symbolic, values)?;
        let (mut x, mut multipliers) = (vec![0.0; force.len()], vec![0.0; right.len()]);
        let verdict = numeric.solve(symbolic, values, force, right, &mut x, &mut multipliers);
        if !x.iter().chain(&multipliers).all(|x| x.is_finite()) {
            return Err(SparseError::Motion(MotionError::OutOfRange));
        }
        Ok(Solved { x, multipliers, ranks, verdict })
    }

    /// The same as a step of Newton's method: nothing where there is no answer, and why is remembered.
    pub(crate) fn step(&mut self, mass: &Symmetric, force: &[f64], rows: &Rows, right: &[f64]) -> Option<Vec<f64>> {
        match self.solve(mass, force, rows, right) {
            Ok(solved) => Some(solved.x),
            Err(SparseError::TooLarge(too_large)) => {
                self.trouble = Some(too_large);
                None
            }
            Err(SparseError::Motion(_)) => None,
        }
    }

    fn open_directions(&mut self, k: usize, rows: &Rows) -> Open {
        let found = self.analysis(k, &[], rows).map_err(SparseError::from).and_then(|(symbolic, numeric)| {
            numeric.factor_fronts(symbolic, SparseValues { mass: &[], a: &rows.values })?;
            let many = numeric.one_direction_stands_for_all().then(|| numeric.free_coordinates());
            Ok(Open { directions: lists(&numeric.free_directions()), many })
        });
        match found {
            Ok(open) => open,
            Err(SparseError::TooLarge(too_large)) => {
                self.trouble = Some(too_large);
                Open::default()
            }
            Err(SparseError::Motion(_)) => Open::default(),
        }
    }

    /// The motion of a system, as the dense kernel gives it; C is asked for once the ideal multipliers are known.
    pub(crate) fn motion(
        &mut self,
        entries: &Entries,
        nonideal: impl FnOnce(&[f64]) -> Vec<f64>,
    ) -> Result<(Motion, Audit, Vec<f64>), SparseError> {
        let Entries { mass, force, a, b } = entries;
        let n = force.len();
        let check = |array, list: &[f64]| match list.iter().position(|x| !x.is_finite()) {
            Some(row) => Err(SparseError::Motion(MotionError::NotFinite { array, row, column: 0, value: list[row] })),
            None => Ok(()),
        };
        check(Array::Q, force)?;
        check(Array::B, b)?;
        let mass_rank = self.mass_rank(n, mass)?;
        let ideal = self.solve(mass, force, a, b)?;
        let nonideal = nonideal(&ideal.multipliers);
        check(Array::C, &nonideal)?;
        let (symbolic, numeric) = self.analysis(n, &mass.places, a)?;
        let values = SparseValues { mass: &mass.values, a: &a.values };
        let audit = numeric.audit(symbolic, values, b, &ideal.x);
        let mut motion = Motion {
            reactions: ideal.multipliers.clone(),
            acceleration: ideal.x,
            ideal_multipliers: ideal.multipliers,
            constraint_rank: ideal.ranks.constraints,
            system_rank: ideal.ranks.system,
            mass_rank,
            free_directions: numeric.free_directions(),
            consistent: ideal.verdict.consistent,
            balanced: ideal.verdict.balanced,
            refinements: ideal.verdict.refinements,
            residuals: vec![0.0; b.len()],
            ideal_force: vec![0.0; n],
            nonideal_force: vec![0.0; n],
            unbalanced_force: vec![0.0; n],
            ..Motion::empty()
        };
        symbolic.pattern().force(values.a, &motion.ideal_multipliers, &mut motion.ideal_force);
        let total: Vec<f64> = force.iter().zip(&nonideal).map(|(q, c)| q + c).collect();
        if nonideal.iter().any(|c| *c != 0.0) {
            let Motion { acceleration, reactions, ideal_multipliers, nonideal_force, balanced, .. } = &mut motion;
            *balanced = numeric.solve(symbolic, values, &total, b, acceleration, reactions).balanced;
            // Qₙᵢ = C + Aᵀ(λ − λᵢ).
            let more: Vec<f64> = reactions.iter().zip(&*ideal_multipliers).map(|(x, y)| x - y).collect();
            symbolic.pattern().force(values.a, &more, nonideal_force);
            nonideal_force.iter_mut().zip(&nonideal).for_each(|(f, c)| *f += c);
        }
        if !motion.balanced {
            motion.unbalanced_force = numeric.unbalanced(&total);
        }
        for (row, left) in motion.residuals.iter_mut().enumerate() {
            *left = a.row(row).map(|(j, a)| a * motion.acceleration[j]).sum::<f64>() - b[row];
        }
        let x = &motion.acceleration;
        let momentum = mass.times(x, |term| term);
        motion.gauss.general = (0..n).map(|j| x[j] * (momentum[j] / 2.0 - total[j])).sum();
        Ok((motion, audit, nonideal))
    }

    /// The rank of M alone.
    fn mass_rank(&mut self, n: usize, mass: &Symmetric) -> Result<usize, SparseError> {
        let none = Rows::from_lists(std::iter::empty());
        let (symbolic, numeric) = self.analysis(n, &mass.places, &none)?;
        let ranks = numeric.factor_fronts(symbolic, SparseValues { mass: &mass.values, a: &[] })?;
        Ok(ranks.system.rank)
    }

    /// About how many operations the answer to a system takes.
    pub(crate) fn cost(&mut self, evaluator: &Evaluator) -> usize {
        let (mass, a) = evaluator.shapes();
        let entries = mass.len() + a.entries() + evaluator.coordinates();
        match self.analysis(evaluator.coordinates(), &mass, &a) {
            Ok((symbolic, _)) => symbolic.flops() as usize + 100 * entries,
            Err(_) => usize::MAX,
        }
    }
}

impl Evaluator<'_> {
    /// Where M and A can have entries.
    fn shapes(&self) -> (std::sync::Arc<Vec<(usize, usize)>>, Rows) {
        (self.mass_places.clone(), Rows::new(self.shape.clone(), Vec::new()))
    }
}
