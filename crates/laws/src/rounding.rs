//! How far an answer moves when every number of the system changes by one rounding, ranks held.
//!
//! To first order, with Z a basis of N(A), G = Z (ZᵀMZ)⁺ Zᵀ and K₁ = (I − G M) A⁺, a change of forces f and of
//! right sides r moves q̈ by G f + K₁ r and the constraint force by (G M − I)ᵀf + M K₁ r. What is multiplied by a
//! changed entry of M or A is itself a change of a force or a right side. No solver that reads rounded
//! data can be asked for more digits than this leaves; for exact data the kernel is asked for more.

use crate::subject::Subject;
use holonom::Motion;
use holonom_reference::{Cut, Matrix, pseudo_inverse, pseudo_inverse_of_rank};

/// What one rounding of the data does to an answer, component by component.
pub struct Rounding {
    /// To q̈.
    pub acceleration: Vec<f64>,
    /// To Qᵢ and Qₙᵢ.
    pub force: Vec<f64>,
    /// To λ and λᵢ.
    pub multiplier: Vec<f64>,
}

impl Rounding {
    /// No movement at all.
    pub fn none(subject: &Subject) -> Rounding {
        let (n, m) = (subject.arrays().n(), subject.arrays().m());
        Rounding { acceleration: vec![0.0; n], force: vec![0.0; n], multiplier: vec![0.0; m] }
    }

    /// To the part of a force f that virtual displacements can see, (I − A⁺A) f.
    pub fn of_visible(subject: &Subject, f: &[f64]) -> Option<Vec<f64>> {
        let a = subject.arrays();
        let A = Matrix::<f64>::from_f64(a.m(), a.n(), &a.A);
        let A_plus = magnitude(&pseudo_inverse_of_rank(&A, subject.system.facts.rank_A?));
        let (A, f) = (magnitude(&A), Matrix::column(&f.iter().map(|x| x.abs()).collect::<Vec<_>>()));
        let moved = A.transpose() * (A_plus.transpose() * &f) + A_plus * (A * f);
        Some(moved.column_at(0).iter().map(|x| f64::EPSILON * x).collect())
    }

    /// Measured at a motion; nothing where ranks are not known.
    pub fn of(subject: &Subject, motion: &Motion) -> Option<Rounding> {
        let (a, facts) = (subject.arrays(), &subject.system.facts);
        let (n, rank_A, rank_Mhat) = (a.n(), facts.rank_A?, facts.rank_Mhat?);
        let Z = subject.virtual_displacements()?.to_f64();
        let M = Matrix::<f64>::from_f64(n, n, &a.M);
        let A = Matrix::from_f64(a.m(), n, &a.A);
        let A_plus = pseudo_inverse_of_rank(&A, rank_A);
        let G = &Z
            * pseudo_inverse(&(Z.transpose() * &M * &Z), Cut::Rank(rank_Mhat.saturating_sub(rank_A)))
            * Z.transpose();
        let GM = &G * &M;
        let K1 = (Matrix::identity(n) - &GM) * &A_plus;

        let C = a.C_or_zero();
        let column = |x: &[f64]| Matrix::column(&x.iter().map(|x| x.abs()).collect::<Vec<_>>());
        let (M, A) = (magnitude(&M), magnitude(&A));
        let (qdd, At) = (column(&motion.acceleration), A.transpose());
        let pull = column(&motion.reactions) + column(&motion.ideal_multipliers);
        let forces = column(&a.Q) + column(&C) + &M * &qdd + &At * &pull;
        let mut rows = column(&a.b) + &A * &qdd;
        if !motion.consistent {
            // Least squares: a changed row also turns the residual, A⁺ᵀ δAᵀ r.
            rows = rows + magnitude(&A_plus.transpose()) * (&At * column(&motion.residuals));
        }
        let mut acceleration = magnitude(&G) * &forces + magnitude(&K1) * &rows;
        for w in motion.free_directions() {
            // The least norm is taken across free directions, and they turn.
            let turned = &M * (magnitude(&G) * &qdd) + &At * (magnitude(&K1.transpose()) * &qdd);
            acceleration = acceleration + column(&w).scaled((column(&w).transpose() * turned).get(0, 0));
        }
        let passed = Matrix::identity(n) + magnitude(&GM.transpose());
        let force = passed * &forces + &M * (magnitude(&K1) * &rows);
        let multiplier = magnitude(&A_plus.transpose()) * &force + &A * (magnitude(&A_plus) * &pull);
        let found = |x: Matrix<f64>| x.column_at(0).iter().map(|x| f64::EPSILON * x).collect();
        Some(Rounding { acceleration: found(acceleration), force: found(force), multiplier: found(multiplier) })
    }
}

fn magnitude(x: &Matrix<f64>) -> Matrix<f64> {
    Matrix::from_fn(x.rows(), x.cols(), |i, j| x.get(i, j).abs())
}
