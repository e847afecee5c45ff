//! Non-ideal parts that depend on what they act upon: factor once, hand out, take C, finish.

use super::answer::Motion;
use super::error::{Array, MotionError};
use super::snapshot::{Snapshot, check};
use super::workspace::Workspace;
use crate::linalg::echelon::Echelon;
use crate::linalg::refill;
use crate::linalg::scale::inverse_power;
use crate::linalg::tolerance::rank_tolerance;
use crate::linalg::vector::{Pair, apply};

/// A change of the reactions below this, relative to its terms, is none.
const UNIQUE: f64 = 1e-10;

/// A system that is factored and solved as if ideal, waiting for its non-ideal part.
///
/// # Examples
///
/// Udwadia 2005, example 2: Coulomb friction on an incline of 45 degrees, C = −µ |Qᵢ| along the velocity.
///
/// ```
/// use holonom_kernel::{Snapshot, Workspace};
///
/// let (g, mu) = (9.81, 0.2);
/// let mut workspace = Workspace::new();
/// let weight = [0.0, -g];
/// let snapshot = Snapshot::new(&[1.0, 0.0, 0.0, 1.0], &weight).constrained(&[-1.0, 1.0], &[0.0]);
/// let prepared = workspace.prepare(&snapshot)?;
/// let normal = prepared.ideal_force()[0].hypot(prepared.ideal_force()[1]);
/// let along = 0.5f64.sqrt(); // it slides upwards
/// let motion = prepared.finish(&[-mu * normal * along, -mu * normal * along])?;
/// let expected = -g * 0.5 * (1.0 + mu); // eq. 39
/// assert!((motion.acceleration[0] - expected).abs() < 1e-14);
/// # Ok::<(), holonom_kernel::MotionError>(())
/// ```
pub struct Prepared<'a> {
    pub(crate) workspace: &'a mut Workspace,
    pub(crate) snapshot: Snapshot<'a>,
}

impl<'a> Prepared<'a> {
    /// The same system again, for a workspace in which [`Workspace::prepare`] factored it last.
    pub fn again(workspace: &'a mut Workspace, snapshot: Snapshot<'a>) -> Self {
        Self { workspace, snapshot }
    }

    /// Qᵢ, which no C can change.
    pub fn ideal_force(&self) -> &[f64] {
        &self.workspace.motion.ideal_force
    }

    /// λᵢ, with Qᵢ = Aᵀλᵢ.
    pub fn ideal_multipliers(&self) -> &[f64] {
        &self.workspace.motion.ideal_multipliers
    }

    /// The motion that ideal constraints would give, with its verdicts.
    pub fn ideal_motion(&self) -> &Motion {
        &self.workspace.motion
    }

    /// The motion with the non-ideal part C.
    ///
    /// # Errors
    ///
    /// When C has the wrong length or an entry that is not a number.
    pub fn finish(self, C: &[f64]) -> Result<&'a Motion, MotionError> {
        check(Array::C, C, self.snapshot.coordinates(), 1)?;
        self.workspace.answer_nonideal(&self.snapshot, C);
        self.workspace.assemble(&self.snapshot.nonideal(C))
    }

    /// The motion with `C = constant + feedback · λ`, where λ are the total reactions, which depend on C
    /// themselves. `feedback` is n × m. Sliding friction with given slip directions has this form: one
    /// linear solve with the factors at hand finds both together.
    ///
    /// Returns the motion and the C that was found.
    ///
    /// # Errors
    ///
    /// [`ReactionNotUnique`](MotionError::ReactionNotUnique) when the force would depend on reactions that
    /// redundant constraints leave open, [`NoReaction`](MotionError::NoReaction) when there is no solution
    /// or more than one (Painlevé's paradox).
    ///
    /// # Examples
    ///
    /// A cart (1 kg) on a rough rail with a bob (1 kg) hanging forward on a massless rod, 45° from the
    /// vertical, both moving at 1 m/s. The rail's load depends on the friction, and the friction on it:
    ///
    /// ```
    /// use holonom_kernel::{Snapshot, Workspace};
    ///
    /// let (g, mu, h) = (9.81, 0.5, 0.5f64.sqrt());
    /// let mass: Vec<f64> = (0..16).map(|i| if i % 5 == 0 { 1.0 } else { 0.0 }).collect();
    /// let force = [0.0, -g, 0.0, -g]; // cart (x, y), bob (x, y)
    /// let rows = [0.0, 1.0, 0.0, 0.0, /* rail */ -h, h, h, -h /* rod */];
    /// let feedback = [-mu, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]; // on the cart's x, by the rail's reaction
    /// let mut workspace = Workspace::new();
    /// let snapshot = Snapshot::new(&mass, &force).constrained(&rows, &[0.0, 0.0]);
    /// let (motion, _) = workspace.prepare(&snapshot)?.finish_with_feedback(&[0.0; 4], &feedback)?;
    /// assert!((motion.acceleration[0] + 1.962).abs() < 1e-12); // the ideal multiplier would give −1.09
    /// # Ok::<(), holonom_kernel::MotionError>(())
    /// ```
    pub fn finish_with_feedback(
        self,
        constant: &[f64],
        feedback: &[f64],
    ) -> Result<(&'a Motion, &'a [f64]), MotionError> {
        let (n, m) = (self.snapshot.coordinates(), self.snapshot.rows());
        check(Array::C, constant, n, 1)?;
        check(Array::Feedback, feedback, n, m)?;
        let Prepared { workspace, snapshot } = self;
        workspace.feedback_is_determined(feedback)?;
        let mut C = std::mem::take(&mut workspace.coupled.nonideal);
        let found = workspace.couple(&snapshot, constant, feedback, &mut C);
        if found.is_ok() {
            workspace.answer_nonideal(&snapshot, &C);
            let assembled = workspace.assemble(&snapshot.nonideal(&C)).map(|_| ());
            workspace.coupled.nonideal = C;
            assembled?;
        }
        found?;
        Ok((&workspace.motion, &workspace.coupled.nonideal))
    }
}

/// Room for the reactions that depend on themselves.
#[derive(Clone, Default)]
pub(crate) struct Coupled {
    system: Vec<f64>,
    bound: Vec<f64>,
    echelon: Echelon,
    column: Vec<f64>,
    added: Vec<f64>,
    reduced: Vec<Pair>,
    reactions: Vec<Pair>,
    right_side: Vec<f64>,
    /// The C that was found.
    nonideal: Vec<f64>,
}

impl Workspace {
    /// Finds λ of `λ = λᵢ + Λ(C₀ + N λ)`, where Λ maps a non-ideal part to what it adds to the reactions.
    fn couple(&mut self, s: &Snapshot, C0: &[f64], N: &[f64], C: &mut Vec<f64>) -> Result<(), MotionError> {
        let (n, m) = (s.coordinates(), s.rows());
        let mut room = std::mem::take(&mut self.coupled);
        refill(&mut room.system, m * m, 0.0);
        refill(&mut room.bound, m * m, 0.0);
        for j in 0..m {
            room.column.clear();
            room.column.extend((0..n).map(|i| N[i * m + j]));
            self.add_reactions(s, &room.column, &mut room.added);
            for (i, added) in room.added.iter().enumerate() {
                room.system[i * m + j] = f64::from(i == j) - added;
                room.bound[i * m + j] = f64::from(i == j) + added.abs();
            }
        }
        room.right_side.clone_from(&self.motion.ideal_multipliers);
        self.add_reactions(s, C0, &mut room.added);
        for (r, added) in room.right_side.iter_mut().zip(&room.added) {
            *r += added;
        }
        // In multipliers of rows of comparable size, and measured by what was subtracted, not by what is left of
        // it: a coefficient that cancels must look like zero.
        let (system, bound, row_scale) = (&room.system, &room.bound, &self.factor.rows.row_scale);
        room.echelon.load(m, m, system, |row, column| {
            column.copy_from_slice(row_scale);
            for (i, row) in row.iter_mut().enumerate() {
                let terms = bound[i * m..(i + 1) * m].iter().zip(&*column);
                *row = inverse_power(terms.fold(0.0, |m: f64, (b, c)| m.max(b * c)));
            }
            true
        });
        room.echelon.decide(rank_tolerance(m), 0..=m, system);
        if room.echelon.rank < m {
            self.coupled = room;
            return Err(MotionError::NoReaction);
        }
        refill(&mut room.reduced, m, [0.0; 2]);
        let right_side = &room.right_side;
        room.echelon.reduce(|i| [right_side[i], 0.0], &mut room.reduced);
        refill(&mut room.reactions, m, [0.0; 2]);
        room.echelon.solve_upper(&room.reduced, &mut room.reactions);
        let scaled = room.reactions.iter().zip(&room.echelon.column_scale);
        room.column.clear();
        room.column.extend(scaled.map(|(x, scale)| x[0] * scale));
        refill(C, n, 0.0);
        if m > 0 {
            apply(N, &room.column, C);
        }
        for (C, C0) in C.iter_mut().zip(C0) {
            *C += C0;
        }
        self.coupled = room;
        Ok(())
    }

    /// What a force adds to acceleration and reactions of the system that was solved last; reactions of least norm.
    pub fn answer_to_force(&mut self, s: &Snapshot, force: &[f64], x: &mut [f64], added: &mut Vec<f64>) {
        self.add_reactions(s, force, added);
        x.iter_mut().zip(&self.answers.qdd).for_each(|(x, pair)| *x = pair[1]);
    }

    /// Λ C: what a non-ideal part adds to the reactions, of least norm.
    fn add_reactions(&mut self, s: &Snapshot, C: &[f64], added: &mut Vec<f64>) {
        self.answer_nonideal(s, C);
        added.clear();
        added.extend(self.answers.lambda.iter().map(|x| x[1]));
        self.project_on_range(added);
    }

    /// Every change of λ that leaves Aᵀλ alone must leave `feedback · λ` alone.
    fn feedback_is_determined(&self, N: &[f64]) -> Result<(), MotionError> {
        let (n, m) = (self.factor.n, self.factor.m);
        let basis = &self.dependencies.basis;
        // The change: 1 on a dependent row, minus its coefficients on the others. Whether coordinate i feels it.
        let felt = |row: usize, coefficients: &[f64], i: usize| {
            let N = &N[i * m..(i + 1) * m];
            let (mut sum, mut size) = (N[row], N[row].abs());
            for (c, other) in coefficients.iter().zip(basis) {
                sum -= c * N[*other];
                size += (c * N[*other]).abs();
            }
            sum.abs() > UNIQUE * size
        };
        if self.dependencies.iter().all(|(row, c)| (0..n).all(|i| !felt(row, c, i))) {
            return Ok(());
        }
        let mut rows = Vec::new();
        for (row, c) in self.dependencies.iter() {
            for i in (0..n).filter(|i| felt(row, c, *i)) {
                let concerned = basis.iter().zip(c).filter(|(_, c)| **c != 0.0).map(|(other, _)| *other);
                rows.extend(concerned.chain([row]).filter(|row| N[i * m + row] != 0.0));
            }
        }
        rows.sort_unstable();
        rows.dedup();
        Err(MotionError::ReactionNotUnique { rows })
    }
}
