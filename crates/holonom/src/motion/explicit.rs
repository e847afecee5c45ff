//! The matrices of the papers, on request: a, e, Δa, A⁺, M̄, M̄⁺, K and K₁.
//!
//! The kernel never forms them. Here every column is one answer of the kernel to a unit force or a unit
//! right side, so that they hold for repeated rows and singular masses as the papers define them.

use super::error::MotionError;
use super::snapshot::Snapshot;
use super::workspace::Workspace;
use crate::linalg::vector::{add_scaled, apply};

/// The ingredients of the explicit equation of motion, row-major.
#[derive(Clone, Debug, PartialEq)]
pub struct ExplicitForm {
    /// a = M⁻¹Q, the acceleration without constraints (1992, eq. 2). For positive definite M.
    pub free_acceleration: Option<Vec<f64>>,
    /// e = b − A a, how far a misses the constraints (1992, eq. 5c′). For positive definite M.
    pub constraint_error: Option<Vec<f64>>,
    /// Δa = q̈ − a, which is K₁e where the constraints are ideal. For positive definite M.
    pub deviation: Option<Vec<f64>>,
    /// A⁺, n × m, the Moore–Penrose inverse.
    pub pseudo_inverse: Vec<f64>,
    /// M̄ = [(I − A⁺A)M; A], (n + m) × n (2006, eq. 2.13).
    pub stacked: Vec<f64>,
    /// M̄⁺, n × (n + m).
    pub stacked_inverse: Vec<f64>,
    /// K₁, n × m: the last m columns of M̄⁺; M^{-1/2}(A M^{-1/2})⁺ for M > 0 (1992).
    pub acceleration_gain: Vec<f64>,
    /// K = M K₁, n × m (1992, after eq. 5a′).
    pub force_gain: Vec<f64>,
}

impl Workspace {
    /// The matrices of the papers for this system.
    ///
    /// # Errors
    ///
    /// As [`solve`](Self::solve).
    ///
    /// # Examples
    ///
    /// Udwadia & Phohomsiri 2006, eq. 5.13 with R sin α = 1: A = (−1, 1) and A⁺ = (−1, 1)ᵀ/2.
    ///
    /// ```
    /// use holonom::{Snapshot, Workspace};
    ///
    /// let snapshot = Snapshot::new(&[3.0, 0.0, 0.0, 0.0], &[0.0, 2.0]).constrained(&[-1.0, 1.0], &[0.0]);
    /// let form = Workspace::new().explicit_form(&snapshot)?;
    /// assert!((form.pseudo_inverse[0] + 0.5).abs() < 1e-15);
    /// assert!((form.stacked[0] - 1.5).abs() < 1e-15); // (mR² + Ic)/(1 + R² sin² α), eq. 5.15
    /// assert!(form.free_acceleration.is_none()); // M is singular
    /// # Ok::<(), holonom::MotionError>(())
    /// ```
    pub fn explicit_form(&mut self, snapshot: &Snapshot) -> Result<ExplicitForm, MotionError> {
        let (n, m) = (snapshot.coordinates(), snapshot.rows());
        self.solve(snapshot)?;
        let acceleration = self.motion.acceleration.clone();
        let definite = self.motion.mass_rank == n;

        let identity: Vec<f64> = (0..n * n).map(|i| if i % (n + 1) == 0 { 1.0 } else { 0.0 }).collect();
        let zero = vec![0.0; n];
        // q̈ = A⁺b is the motion of unit masses without forces.
        let plain = Snapshot { M: &identity, Q: &zero, A: snapshot.A, b: snapshot.b, C: None };
        let pseudo_inverse = self.columns(&plain, 0)?;
        let stacked_inverse = self.columns(snapshot, n)?;

        let mut stacked = vec![0.0; (n + m) * n];
        stacked[..n * n].copy_from_slice(snapshot.M);
        stacked[n * n..].copy_from_slice(snapshot.A);
        for j in 0..n {
            // Column j of (I − A⁺A)M.
            let column: Vec<f64> = (0..n).map(|i| snapshot.M[i * n + j]).collect();
            let mut reached = vec![0.0; m];
            apply(snapshot.A, &column, &mut reached);
            for i in 0..n {
                let back: f64 = (0..m).map(|r| pseudo_inverse[i * m + r] * reached[r]).sum();
                stacked[i * n + j] -= back;
            }
        }
        let acceleration_gain: Vec<f64> =
            (0..n).flat_map(|i| stacked_inverse[i * (n + m) + n..(i + 1) * (n + m)].iter().copied()).collect();
        let mut force_gain = vec![0.0; n * m];
        for i in 0..n {
            for j in 0..m {
                force_gain[i * m + j] = (0..n).map(|l| snapshot.M[i * n + l] * acceleration_gain[l * m + j]).sum();
            }
        }
        let free_acceleration = if definite { Some(self.free_acceleration(snapshot)?) } else { None };
        let constraint_error = free_acceleration.as_ref().map(|a| {
            let mut e = vec![0.0; m];
            apply(snapshot.A, a, &mut e);
            e.iter().zip(snapshot.b).map(|(reached, b)| b - reached).collect()
        });
        let deviation = free_acceleration.as_ref().map(|a| {
            let mut d = acceleration.clone();
            add_scaled(&mut d, -1.0, a);
            d
        });
        Ok(ExplicitForm {
            free_acceleration,
            constraint_error,
            deviation,
            pseudo_inverse,
            stacked,
            stacked_inverse,
            acceleration_gain,
            force_gain,
        })
    }

    /// a = M⁻¹Q, the acceleration that the system would have without constraints.
    ///
    /// # Errors
    ///
    /// As [`solve`](Self::solve), and [`SingularMass`](MotionError::SingularMass) when M has no inverse.
    pub fn free_acceleration(&mut self, snapshot: &Snapshot) -> Result<Vec<f64>, MotionError> {
        let motion = self.solve(&Snapshot::new(snapshot.M, snapshot.Q))?;
        if motion.is_unique() {
            Ok(motion.acceleration.clone())
        } else {
            Err(MotionError::SingularMass { rank: motion.mass_rank, coordinates: snapshot.coordinates() })
        }
    }

    /// The answers to `forces` unit forces and then m unit right sides, as the columns of a matrix.
    fn columns(&mut self, s: &Snapshot, forces: usize) -> Result<Vec<f64>, MotionError> {
        let (n, m) = (s.coordinates(), s.rows());
        let width = forces + m;
        let mut out = vec![0.0; n * width];
        self.factor_for(&Snapshot { C: None, ..*s }, None)?;
        let (mut Q, mut b) = (vec![0.0; n], vec![0.0; m]);
        for j in 0..width {
            Q.fill(0.0);
            b.fill(0.0);
            if j < forces {
                Q[j] = 1.0;
            } else {
                b[j - forces] = 1.0;
            }
            let unit = Snapshot { M: s.M, Q: &Q, A: s.A, b: &b, C: None };
            let acceleration = self.answer(&unit)?;
            for i in 0..n {
                out[i * width + j] = acceleration[i];
            }
        }
        Ok(out)
    }
}
