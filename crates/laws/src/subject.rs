//! A system under examination, with what the reference makes of it in 32 digits, and the kernel's answer.

use crate::exact::Span;
use crate::system::{Arrays, System};
use holonom::{
    Motion, MotionError, Workspace,
    kernel::{Audit, ObservedForces},
};
use holonom_reference::{
    Cut, Matrix, Ranks, Reference, Twofold, complement, motion_by_parts, motion_by_parts_with, null_space,
    pseudo_inverse_of_rank, row_scaled_inverse, row_space, singular_values,
};
use std::cell::OnceCell;

/// Everything the kernel says about a system. Laws take it as an argument, so that wrong answers can be tried.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The motion.
    pub motion: Motion,
    /// What the constraints say about each other.
    pub audit: Audit,
    /// The forces that explain the motion.
    pub explanation: ObservedForces,
}

impl Answer {
    /// The kernel's own answer.
    ///
    /// # Errors
    ///
    /// Whatever the kernel refuses; it should refuse no generated system.
    pub fn of(arrays: &Arrays, workspace: &mut Workspace) -> Result<Answer, MotionError> {
        let snapshot = arrays.snapshot();
        let motion = workspace.solve(&snapshot)?.clone();
        let audit = workspace.audit(&snapshot)?;
        let explanation = workspace.explain(&snapshot, &motion.acceleration)?;
        Ok(Answer { motion, audit, explanation })
    }
}

/// A system, and what can be worked out about it once for all laws.
pub struct Subject<'a> {
    /// The system.
    pub system: &'a System,
    reference: OnceCell<Option<Reference<Twofold>>>,
    virtual_displacements: OnceCell<Option<Matrix<Twofold>>>,
    left_null: OnceCell<Option<Matrix<Twofold>>>,
}

impl<'a> Subject<'a> {
    /// Nothing is worked out before it is asked for.
    pub fn new(system: &'a System) -> Subject<'a> {
        Subject {
            system,
            reference: OnceCell::new(),
            virtual_displacements: OnceCell::new(),
            left_null: OnceCell::new(),
        }
    }

    /// The arrays of the system.
    pub fn arrays(&self) -> &'a Arrays {
        &self.system.arrays
    }

    /// Rounding of the largest numbers of the system: what may stand where exact arithmetic has zero.
    pub fn floor(&self) -> f64 {
        let a = self.arrays();
        let C = a.C.as_deref().unwrap_or_default();
        1e-15 * [largest(&a.M), largest(&a.Q), largest(C), 1.0].into_iter().fold(0.0, f64::max)
    }

    fn A(&self) -> Matrix<Twofold> {
        let a = self.arrays();
        Matrix::from_f64(a.m(), a.n(), &a.A)
    }

    /// The motion by the reference, where the ranks are known and the size allows it.
    pub fn reference(&self) -> Option<&Reference<Twofold>> {
        self.reference.get_or_init(|| self.find_reference()).as_ref()
    }

    fn find_reference(&self) -> Option<Reference<Twofold>> {
        if !self.system.has_reference() {
            return None;
        }
        let (a, facts) = (self.arrays(), &self.system.facts);
        let (rank_A, rank_Mhat) = (facts.rank_A?, facts.rank_Mhat?);
        let M = Matrix::from_f64(a.n(), a.n(), &a.M);
        let lift = |v: &[f64]| holonom_reference::lift(v);
        let (Q, b, C, A) = (lift(&a.Q), lift(&a.b), lift(&a.C_or_zero()), self.A());
        let mut reference = if facts.consistent == Some(true) {
            // Any {1,4}-inverse serves; over rows as given, those of 10¹⁵ would drown those of 10⁻¹⁵ even in 32 digits.
            let X = row_scaled_inverse(&A, rank_A);
            motion_by_parts_with(&M, &Q, &A, &b, &C, &X, Ranks { A: rank_A, Mhat: rank_Mhat })
        } else {
            motion_by_parts(&M, &Q, &A, &b, &C, rank_A, rank_Mhat)
        };
        // Beside rows twelve orders shorter, the pseudo-inverse leaves eight of 32 digits in what long rows share. How
        // they share it is known better: nothing along the combinations of rows that vanish.
        if let Some(null) = self.left_null() {
            let onto = null * pseudo_inverse_of_rank(null, null.cols());
            for lambda in [&mut reference.lambda, &mut reference.lambda_ideal] {
                let column = Matrix::column(lambda);
                let rest = &column - &onto * &column;
                *lambda = (0..rest.rows()).map(|i| rest.get(i, 0)).collect();
            }
        }
        Some(reference)
    }

    /// An orthonormal basis of N(A) as columns, where the rank of A is known.
    pub fn virtual_displacements(&self) -> Option<&Matrix<Twofold>> {
        let find = || self.system.facts.rank_A.map(|rank| complement(&row_space(&self.A(), rank)));
        self.virtual_displacements.get_or_init(find).as_ref()
    }

    /// A basis of the u with uᵀA = 0 as columns: orthonormal for rows brought to length one.
    pub fn left_null(&self) -> Option<&Matrix<Twofold>> {
        let find = || {
            let a = self.arrays();
            let rank = self.system.facts.rank_A?;
            let scale: Vec<f64> = a.rows().map(|row| 1.0 / power_of_two(largest(row))).collect();
            let scaled: Vec<f64> = a.rows().zip(&scale).flat_map(|(row, s)| row.iter().map(move |x| x * s)).collect();
            let transposed = Matrix::<Twofold>::from_f64(a.m(), a.n(), &scaled).transpose();
            let mut y = null_space(&transposed, Cut::Rank(rank));
            // Rows that a combination does not need get 10⁻³² of it, and may have multipliers of 10²⁰.
            for i in 0..y.rows() {
                for j in 0..y.cols() {
                    if y.get(i, j).hi().abs() < 1e-20 {
                        y.set(i, j, Twofold::from(0.0));
                    }
                }
            }
            Some(Matrix::diagonal(&holonom_reference::lift(&scale)) * y)
        };
        self.left_null.get_or_init(find).as_ref()
    }

    /// How many of these rows of A are independent: exactly, or, for rounded data, by singular values.
    pub fn rank_of(&self, rows: &[usize]) -> usize {
        let a = self.arrays();
        if self.system.exact {
            return Span::of(rows.iter().map(|i| a.row(*i))).rank();
        }
        let unit = |row: &[f64]| row.iter().map(|x| x / largest(row).max(f64::MIN_POSITIVE)).collect::<Vec<_>>();
        let entries: Vec<f64> = rows.iter().flat_map(|i| unit(a.row(*i))).collect();
        Cut::Relative(1e-11).rank(&singular_values(&Matrix::<f64>::from_f64(rows.len(), a.n(), &entries)))
    }

    /// Whether a contradiction is large enough to be called one, or exact zero: between a part of 10⁻¹² and of
    /// 10⁻⁸ of a row's terms the kernel may say either.
    pub fn is_clear(&self) -> bool {
        if !self.system.exact || self.system.facts.consistent != Some(false) {
            return true;
        }
        let a = self.arrays();
        self.reference().is_none_or(|reference| {
            let reference = reference.to_f64();
            (0..a.m()).any(|i| {
                let terms: f64 = a.row(i).iter().zip(&reference.qdd).map(|(a, x)| (a * x).abs()).sum();
                reference.residual[i].abs() > 1e-8 * (terms + a.b[i].abs())
            })
        })
    }
}

/// The largest magnitude.
pub fn largest(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |m: f64, x| m.max(x.abs()))
}

/// The largest power of two not above a positive number; 1 for zero.
fn power_of_two(x: f64) -> f64 {
    if x == 0.0 { 1.0 } else { f64::from_bits(x.to_bits() & (0x7ff << 52)) }
}
