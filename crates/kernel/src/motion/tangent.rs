//! How the acceleration changes when forces and right sides do: one more answer of the factors at hand.

use super::workspace::{Answers, Workspace};

impl Workspace {
    /// `M ∂q̈ − Aᵀ∂λ = ∂f, A ∂q̈ = ∂b` for the system that was solved last, along several directions.
    ///
    /// `force` is ∂f, n × `directions`, `rows` is ∂b, m × `directions`, and so is what is filled in: ∂q̈, n × `directions`, all row-major. With the
    /// derivatives of `Q + C + Aᵀλ − M q̈` and `b − A q̈` by the state, taken with q̈ and λ held, this is the Jacobian of the acceleration.
    /// Rows that depend on others are not consulted, and what is not unique does not change. Answers are not refined: they
    /// are as good as the factors.
    ///
    /// # Panics
    /// If a slice has not the size of the system that was solved last.
    ///
    /// # Examples
    ///
    /// ```
    /// use holonom_kernel::{Snapshot, Workspace};
    ///
    /// // A spring of 8 N/m pulls a particle of 2 kg along the line y = x.
    /// let mut workspace = Workspace::new();
    /// workspace.solve(&Snapshot::new(&[2.0, 0.0, 0.0, 2.0], &[-8.0, 0.0]).constrained(&[1.0, -1.0], &[0.0]))?;
    /// let mut slopes = [0.0; 4];
    /// workspace.respond(2, &[-8.0, 0.0, 0.0, 0.0], &[0.0, 0.0], &mut slopes);
    /// assert!(slopes.iter().zip([-2.0, 0.0, -2.0, 0.0]).all(|(found, exact)| (found - exact).abs() < 1e-14));
    /// # Ok::<(), holonom_kernel::MotionError>(())
    /// ```
    pub fn respond(&mut self, directions: usize, force: &[f64], rows: &[f64], accelerations: &mut [f64]) {
        let (n, m) = (self.factor.n, self.factor.m);
        assert_eq!((force.len(), rows.len(), accelerations.len()), (n * directions, m * directions, n * directions));
        let Answers { qdd, lambda, .. } = &mut self.correction;
        for first in (0..directions).step_by(2) {
            // The last of an odd number goes alone.
            let second = (first + 1 < directions).then_some(first + 1);
            let pair = |matrix: &[f64], row: usize| {
                let at = |column: usize| matrix[row * directions + column];
                [at(first), second.map_or(0.0, at)]
            };
            self.factor.respond(|j| pair(force, j), |i| pair(rows, i), qdd, lambda);
            for (row, answer) in accelerations.chunks_exact_mut(directions).zip(&*qdd) {
                row[first] = answer[0];
                if let Some(second) = second {
                    row[second] = answer[1];
                }
            }
        }
    }
}
