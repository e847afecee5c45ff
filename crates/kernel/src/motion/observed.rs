//! The inverse question (Udwadia, Kalaba & Fan 2005): which forces explain a motion that was observed?

use super::error::{Array, MotionError};
use super::snapshot::{Snapshot, check};
use super::workspace::Workspace;
use crate::linalg::range::Range;
use crate::linalg::tolerance::CONSISTENT;
use crate::linalg::twofold::TwofoldSum;
use crate::linalg::vector::{add_scaled, apply, dot, finite, max_abs};

/// The forces behind an observed acceleration.
#[derive(Clone, Debug, PartialEq)]
pub struct ObservedForces {
    /// Q^c = M q̈ − Q, all that the constraints exert.
    pub constraint_force: Vec<f64>,
    /// F^L, the part that ideal constraints would exert (science paper, eq. 10).
    pub ideal_force: Vec<f64>,
    /// F^C, the rest (eq. 11).
    pub nonideal_force: Vec<f64>,
    /// C, of least norm. No motion can tell C from C + Aᵀµ.
    pub nonideal_part: Vec<f64>,
    /// λ with Q^c = C + Aᵀλ.
    pub reactions: Vec<f64>,
    /// `A q̈ − b` of the observed acceleration, row by row.
    pub residuals: Vec<f64>,
    /// Whether the observed acceleration satisfies the constraints. If not, no C explains it.
    pub admissible: bool,
    /// Whether the constraints behaved as ideal ones: the motion needs no C.
    pub ideal: bool,
}

impl Workspace {
    /// The forces that explain the acceleration `observed`. A C in the snapshot is ignored.
    ///
    /// # Errors
    ///
    /// As [`solve`](Self::solve), and when the acceleration has the wrong length or is not finite.
    ///
    /// # Examples
    ///
    /// A bead on the x-axis that slows down by 3 m/s²: the constraint pushes back with 3 N.
    ///
    /// ```
    /// use holonom_kernel::{Snapshot, Workspace};
    ///
    /// let snapshot = Snapshot::new(&[1.0, 0.0, 0.0, 1.0], &[0.0, -9.81]).constrained(&[0.0, 1.0], &[0.0]);
    /// let why = Workspace::new().explain(&snapshot, &[-3.0, 0.0])?;
    /// assert_eq!(why.nonideal_part, [-3.0, 0.0]);
    /// assert_eq!(why.ideal_force, [0.0, 9.81]);
    /// assert!(why.admissible && !why.ideal);
    /// # Ok::<(), holonom_kernel::MotionError>(())
    /// ```
    pub fn explain(&mut self, snapshot: &Snapshot, observed: &[f64]) -> Result<ObservedForces, MotionError> {
        let (n, m) = (snapshot.coordinates(), snapshot.rows());
        let mut s = *snapshot;
        s.C = None;
        self.solve(&s)?;
        check(Array::Acceleration, observed, n, 1)?;
        let mut constraint_force = vec![0.0; n];
        apply(s.M, observed, &mut constraint_force);
        add_scaled(&mut constraint_force, -1.0, s.Q);
        let ideal_force = self.motion.ideal_force.clone();
        let mut nonideal_force = constraint_force.clone();
        add_scaled(&mut nonideal_force, -1.0, &ideal_force);

        // C = (I − A⁺A) Q^c: the only part of C that virtual displacements can see. The echelon rows span what
        // the rows of A span, and are never close to dependence.
        self.factor.rows.sharpen(s.A);
        let rows = &self.factor.rows;
        let mut range = Range::default();
        range.factor(n, rows.rank, |j, i| rows.upper(i).as_flattened()[j] / rows.column_scale[j]);
        let mut normal = constraint_force.clone();
        range.project(&mut normal);
        let mut nonideal_part = constraint_force.clone();
        add_scaled(&mut nonideal_part, -1.0, &normal);
        let size = max_abs(&constraint_force).max(max_abs(s.Q));
        let ideal = max_abs(&nonideal_part) <= CONSISTENT * size;

        // An acceleration of zero is never observed: what stands for it is rounding of others, and of forces that
        // cancel. Both in comparable units.
        let scale = &self.factor.mass.scale;
        let sizes = observed.iter().zip(&constraint_force).zip(s.Q).zip(scale);
        let largest = sizes.fold(0.0, |m: f64, (((x, f), q), d)| m.max((x / d).abs()).max(f.abs().max(q.abs()) * d));
        let (mut residuals, mut admissible) = (vec![0.0; m], true);
        for (i, residual) in residuals.iter_mut().enumerate() {
            let (mut terms, mut noise) = (s.b[i].abs(), 0.0);
            for ((a, x), d) in s.row(i).iter().zip(observed).zip(scale) {
                terms += (a * x).abs();
                noise += a.abs() * d * largest;
            }
            *residual = dot(s.row(i), observed) - s.b[i];
            admissible &= residual.abs() <= CONSISTENT * terms + 1e-13 * noise;
        }
        let mut reactions = self.multipliers_of(&normal);
        // Refined once: multipliers of nearly dependent rows are huge, and their rounding is that of the force.
        let missing: Vec<f64> = (0..n).map(|j| missing_force(&s, &normal, &reactions, j)).collect();
        add_scaled(&mut reactions, 1.0, &self.multipliers_of(&missing));
        if finite(&nonideal_force) + finite(&nonideal_part) + finite(&reactions) + finite(&residuals) != 0.0 {
            return Err(MotionError::OutOfRange);
        }
        Ok(ObservedForces {
            constraint_force,
            ideal_force,
            nonideal_force,
            nonideal_part,
            reactions,
            residuals,
            admissible,
            ideal,
        })
    }

    /// λ of least norm with Aᵀλ = f, for an f in the range of Aᵀ.
    fn multipliers_of(&mut self, f: &[f64]) -> Vec<f64> {
        let pairs: Vec<[f64; 2]> = f.iter().map(|f| [*f, 0.0]).collect();
        let mut shares = vec![[0.0; 2]; self.factor.m];
        self.factor.multipliers_of(&pairs, &mut shares);
        let mut lambda: Vec<f64> = shares.iter().map(|x| x[0]).collect();
        self.project_on_range(&mut lambda);
        lambda
    }
}

/// `(f − Aᵀλ)ⱼ`, without rounding on the way.
fn missing_force(s: &Snapshot, f: &[f64], lambda: &[f64], j: usize) -> f64 {
    let mut sum = TwofoldSum::from(f[j]);
    for (i, lambda) in lambda.iter().enumerate() {
        sum.add_product(-s.row(i)[j], *lambda);
    }
    sum.value()
}
