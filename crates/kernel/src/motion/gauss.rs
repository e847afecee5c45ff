//! Gauss's function of any possible acceleration, in each of its forms.

use super::error::{Array, MotionError};
use super::snapshot::{Snapshot, check};
use super::workspace::Workspace;
use crate::linalg::vector::{add_scaled, apply, dot};

/// What the motion makes least, at one acceleration. The first three exist for positive definite M and
/// are equal; each is computed by its own formula.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GaussForms {
    /// `‖M q̈ − (Q + C)‖²` in the norm of M⁻¹ (Udwadia 2005, eq. 16).
    pub by_momentum: Option<f64>,
    /// `‖Q^c − C‖²` in the norm of M⁻¹, with Q^c = M q̈ − Q (eq. 17).
    pub by_force: Option<f64>,
    /// `‖q̈ − a − c‖²` in the norm of M (eq. 19).
    pub by_acceleration: Option<f64>,
    /// `q̈ᵀMq̈/2 − (Q + C)ᵀq̈`, for any M.
    pub general: f64,
}

impl Workspace {
    /// Gauss's function at the acceleration `possible`, which should satisfy the constraints.
    ///
    /// # Errors
    ///
    /// As [`solve`](Self::solve), and when the acceleration has the wrong length or is not finite.
    ///
    /// # Examples
    ///
    /// ```
    /// use holonom_kernel::{Snapshot, Workspace};
    ///
    /// let snapshot = Snapshot::new(&[2.0, 0.0, 0.0, 1.0], &[0.0, -9.81]).constrained(&[1.0, -1.0], &[0.0]);
    /// let mut workspace = Workspace::new();
    /// let found = workspace.solve(&snapshot)?.acceleration.clone();
    /// let least = workspace.gauss(&snapshot, &found)?;
    /// let other = workspace.gauss(&snapshot, &[1.0, 1.0])?; // possible too: it satisfies x₁ = x₂
    /// assert!(least.general < other.general && least.by_force < other.by_force);
    /// # Ok::<(), holonom_kernel::MotionError>(())
    /// ```
    pub fn gauss(&mut self, snapshot: &Snapshot, possible: &[f64]) -> Result<GaussForms, MotionError> {
        let s = snapshot;
        self.factor_for(s, None)?;
        let n = s.coordinates();
        check(Array::Acceleration, possible, n, 1)?;
        let mut force = s.Q.to_vec();
        if let Some(C) = s.C {
            add_scaled(&mut force, 1.0, C);
        }
        let mut momentum = vec![0.0; n];
        apply(s.M, possible, &mut momentum);
        let general = 0.5 * dot(possible, &momentum) - dot(&force, possible);
        if self.factor.mass.rank < n {
            return Ok(GaussForms { by_momentum: None, by_force: None, by_acceleration: None, general });
        }
        let mut by_momentum = momentum.clone();
        add_scaled(&mut by_momentum, -1.0, &force);
        let mut by_force = momentum;
        add_scaled(&mut by_force, -1.0, s.Q); // Q^c
        if let Some(C) = s.C {
            add_scaled(&mut by_force, -1.0, C);
        }
        let (by_momentum, by_force) =
            (self.factor.inverse_mass_norm(|j| by_momentum[j]), self.factor.inverse_mass_norm(|j| by_force[j]));
        let unconstrained = self.solve(&Snapshot::new(s.M, &force))?; // a + c  (18)
        let mut away = possible.to_vec();
        add_scaled(&mut away, -1.0, &unconstrained.acceleration);
        let mut pulled = vec![0.0; n];
        apply(s.M, &away, &mut pulled);
        Ok(GaussForms {
            by_momentum: Some(by_momentum),
            by_force: Some(by_force),
            by_acceleration: Some(dot(&away, &pulled)),
            general,
        })
    }
}
