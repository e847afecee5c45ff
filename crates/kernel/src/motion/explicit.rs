//! The matrices of the papers, on request: a, e, Δa, A⁺, B, B⁺, M̄, M̄⁺, K, K₁ and their projectors.
//!
//! The kernel never forms them. Here every column is one answer of the kernel to a unit force or a unit
//! right side, so that they hold for repeated rows and singular masses as the papers define them.

use super::error::MotionError;
use super::snapshot::Snapshot;
use super::workspace::Workspace;
use crate::linalg::root::roots;
use crate::linalg::vector::{add_scaled, apply};

/// The ingredients of the explicit equation of motion, row-major.
#[derive(Clone, Debug, PartialEq)]
pub struct ExplicitForm {
    /// n, the number of coordinates.
    pub coordinates: usize,
    /// m, the number of rows of A.
    pub rows: usize,
    /// a = M⁻¹Q, the acceleration without constraints (1992, eq. 2). For positive definite M.
    pub free_acceleration: Option<Vec<f64>>,
    /// e = b − A a, how far a misses the constraints (1992, eq. 5c′). For positive definite M.
    pub constraint_error: Option<Vec<f64>>,
    /// Δa = q̈ − a, which is K₁e where the constraints are ideal. For positive definite M.
    pub deviation: Option<Vec<f64>>,
    /// A⁺, n × m, the Moore–Penrose inverse.
    pub pseudo_inverse: Vec<f64>,
    /// A⁺A, n × n, which projects on what the constraints reach.
    pub constrained_part: Vec<f64>,
    /// I − A⁺A, n × n, which projects on the virtual displacements (2006, eq. 2.8).
    pub virtual_part: Vec<f64>,
    /// B = A M^{-1/2}, m × n (Udwadia 2005, eq. 21). For positive definite M.
    pub weighted: Option<Vec<f64>>,
    /// B Bᵀ = A M⁻¹Aᵀ, m × m. For positive definite M.
    pub weighted_square: Option<Vec<f64>>,
    /// B⁺, n × m (Udwadia 2005, eq. 22). For positive definite M.
    pub weighted_inverse: Option<Vec<f64>>,
    /// M̂ = [M; A], (n + m) × n (2006, result 3).
    pub system: Vec<f64>,
    /// M̄ = [(I − A⁺A)M; A], (n + m) × n (2006, eq. 2.13).
    pub stacked: Vec<f64>,
    /// M̄⁺, n × (n + m).
    pub stacked_inverse: Vec<f64>,
    /// K₁, n × m: the last m columns of M̄⁺; M^{-1/2}(A M^{-1/2})⁺ for M > 0 (1992).
    pub acceleration_gain: Vec<f64>,
    /// K = M K₁, n × m (1992, after eq. 5a′).
    pub force_gain: Vec<f64>,
    /// N, n × n: the first n columns of M̄⁺, the accelerations that unit forces c cause; M^{-1/2}(I − B⁺B)M^{-1/2} for M > 0
    /// (Udwadia, Kalaba & Fan 2005, eq. 7).
    pub response: Vec<f64>,
    /// I − M̄⁺M̄, n × n, which η is multiplied by (2006, eq. 2.14); zero where the motion is unique.
    pub free_part: Vec<f64>,
    /// A {1,4}-inverse, of B where M is positive definite (n × m) and of M̄ elsewhere (n × (n + m)): the one that ignores redundant
    /// rows, whose columns are zero. It is the Moore–Penrose inverse where no row is redundant.
    pub one_four_inverse: Vec<f64>,
}

/// A matrix of the papers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Matrix<'a> {
    /// What it is called, in plain letters: `A+`, `Mbar`.
    pub name: &'static str,
    /// What it is.
    pub meaning: &'static str,
    /// Where the papers define it.
    pub equation: &'static str,
    /// How many rows it has.
    pub rows: usize,
    /// How many columns.
    pub columns: usize,
    /// Row by row.
    pub entries: &'a [f64],
}

impl ExplicitForm {
    /// All matrices and vectors that exist for this system, in the order in which the papers define them.
    pub fn matrices<'s>(&'s self) -> Vec<Matrix<'s>> {
        let (n, m) = (self.coordinates, self.rows);
        let (definite, singular) = match self.weighted.is_some() {
            true => (Some(&self.one_four_inverse), None),
            false => (None, Some(&self.one_four_inverse)),
        };
        let of_B = "a {1,4}-inverse of B, without redundant rows";
        let of_Mbar = "a {1,4}-inverse of Mbar, without redundant rows";
        let list = [
            ("a", "M^-1 Q", "1992, eq. 2", n, 1, self.free_acceleration.as_ref()),
            ("e", "b - A a", "1992, after eq. 5c'", m, 1, self.constraint_error.as_ref()),
            ("A+", "the pseudo-inverse of A", "2006, eq. 2.8", n, m, Some(&self.pseudo_inverse)),
            ("A+A", "the part that the constraints reach", "2006, eq. 2.8", n, n, Some(&self.constrained_part)),
            ("I-A+A", "the part of virtual displacements", "2006, eq. 2.8", n, n, Some(&self.virtual_part)),
            ("B", "A M^(-1/2)", "2005p, eq. 21", m, n, self.weighted.as_ref()),
            ("B+", "the pseudo-inverse of B", "2005p, eq. 22", n, m, self.weighted_inverse.as_ref()),
            ("BBT", "A M^-1 A^T", "2005p, eq. 21", m, m, self.weighted_square.as_ref()),
            ("B14", of_B, "2005p, after eq. 22", n, m, definite),
            ("Mbar", "[(I - A+A) M; A]", "2006, eq. 2.13", n + m, n, Some(&self.stacked)),
            ("Mbar+", "its pseudo-inverse", "2006, eq. 2.14", n, n + m, Some(&self.stacked_inverse)),
            ("Mhat", "[M; A]", "2006, result 3", n + m, n, Some(&self.system)),
            ("Mbar14", of_Mbar, "2006, eq. 2.14", n, n + m, singular),
            ("K1", "the last columns of Mbar+", "1992, after eq. 5c'", n, m, Some(&self.acceleration_gain)),
            ("K", "M K1", "1992, after eq. 5a'", n, m, Some(&self.force_gain)),
            ("N", "the first columns of Mbar+", "2005s, eq. 7", n, n, Some(&self.response)),
            ("I-Mbar+Mbar", "the part that nothing determines", "2006, eq. 2.14", n, n, Some(&self.free_part)),
            ("da", "q'' - a", "1992, eq. 5c'", n, 1, self.deviation.as_ref()),
        ];
        let exists = |(name, meaning, equation, rows, columns, entries): (_, _, _, _, _, Option<&'s Vec<f64>>)| {
            entries.map(|entries| Matrix { name, meaning, equation, rows, columns, entries })
        };
        list.into_iter().filter_map(exists).collect()
    }
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
    /// use holonom_kernel::{Snapshot, Workspace};
    ///
    /// let snapshot = Snapshot::new(&[3.0, 0.0, 0.0, 0.0], &[0.0, 2.0]).constrained(&[-1.0, 1.0], &[0.0]);
    /// let form = Workspace::new().explicit_form(&snapshot)?;
    /// assert!((form.pseudo_inverse[0] + 0.5).abs() < 1e-15);
    /// assert!((form.stacked[0] - 1.5).abs() < 1e-15); // (mR² + Ic)/(1 + R² sin² α), eq. 5.15
    /// assert!(form.free_acceleration.is_none()); // M is singular
    /// # Ok::<(), holonom_kernel::MotionError>(())
    /// ```
    pub fn explicit_form(&mut self, snapshot: &Snapshot) -> Result<ExplicitForm, MotionError> {
        let (n, m) = (snapshot.coordinates(), snapshot.rows());
        self.solve(snapshot)?;
        let acceleration = self.motion.acceleration.clone();
        let (definite, is_unique) = (self.motion.mass_rank == n, self.motion.is_unique());
        let redundant: Vec<usize> = self.audit(snapshot)?.redundant.iter().map(|r| r.row).collect();

        let identity: Vec<f64> = (0..n * n).map(|i| if i % (n + 1) == 0 { 1.0 } else { 0.0 }).collect();
        let zero = vec![0.0; n];
        // q̈ = A⁺b is the motion of unit masses without forces.
        let plain = Snapshot { M: &identity, Q: &zero, A: snapshot.A, b: snapshot.b, C: None };
        let pseudo_inverse = self.columns(&plain, 0)?;
        let stacked_inverse = self.columns(snapshot, n)?;

        let constrained_part = product(&pseudo_inverse, snapshot.A, [n, m, n]);
        let virtual_part = minus(&identity, &constrained_part);
        // (I − A⁺A)M as M − A⁺(A M), which rounds less where A⁺ is large.
        let mut stacked =
            minus(snapshot.M, &product(&pseudo_inverse, &product(snapshot.A, snapshot.M, [m, n, n]), [n, m, n]));
        stacked.extend_from_slice(snapshot.A);
        let part = |from: usize, to: usize| -> Vec<f64> {
            let rows = stacked_inverse.chunks((n + m).max(1));
            rows.flat_map(|row| row[from..to].iter().copied()).collect()
        };
        let (response, acceleration_gain) = (part(0, n), part(n, n + m));
        let force_gain = product(snapshot.M, &acceleration_gain, [n, n, m]);
        let free_part = match is_unique {
            true => vec![0.0; n * n],
            false => minus(&identity, &product(&stacked_inverse, &stacked, [n, n + m, n])),
        };
        let gain_of_independent = self.gain_of_independent(snapshot, &redundant)?;
        // B⁺ = M^{1/2}K₁ (1992, after eq. 5c′), and so for the {1,4}-inverse.
        let root = if definite { roots(n, snapshot.M) } else { None };
        let weighted = root.as_ref().map(|(_, inverse)| product(snapshot.A, inverse, [m, n, n]));
        let weighted_square = weighted.as_ref().map(|B| {
            let across: Vec<f64> = (0..n * m).map(|i| B[i % m * n + i / m]).collect();
            product(B, &across, [m, n, m])
        });
        let weighted_inverse = root.as_ref().map(|(root, _)| product(root, &acceleration_gain, [n, n, m]));
        let one_four_inverse = match &root {
            Some((root, _)) => product(root, &gain_of_independent, [n, n, m]),
            None => (0..n)
                .flat_map(|i| response[i * n..][..n].iter().chain(&gain_of_independent[i * m..][..m]).copied())
                .collect(),
        };
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
            coordinates: n,
            rows: m,
            free_acceleration,
            constraint_error,
            deviation,
            pseudo_inverse,
            constrained_part,
            virtual_part,
            weighted,
            weighted_square,
            weighted_inverse,
            system: [snapshot.M, snapshot.A].concat(),
            stacked,
            stacked_inverse,
            acceleration_gain,
            force_gain,
            response,
            free_part,
            one_four_inverse,
        })
    }

    /// K₁ of the independent rows alone; the columns of redundant ones are zero.
    fn gain_of_independent(&mut self, s: &Snapshot, redundant: &[usize]) -> Result<Vec<f64>, MotionError> {
        let (n, m) = (s.coordinates(), s.rows());
        let kept: Vec<usize> = (0..m).filter(|row| !redundant.contains(row)).collect();
        let A: Vec<f64> = kept.iter().flat_map(|&row| s.row(row).iter().copied()).collect();
        let b = vec![0.0; kept.len()];
        let width = kept.len();
        let gain = self.columns(&Snapshot { A: &A, b: &b, C: None, ..*s }, 0)?;
        let mut all = vec![0.0; n * m];
        for i in 0..n {
            kept.iter().enumerate().for_each(|(at, &row)| all[i * m + row] = gain[i * width + at]);
        }
        Ok(all)
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

/// The product of a `rows` × `inner` matrix and an `inner` × `columns` one.
fn product(X: &[f64], Y: &[f64], [rows, inner, columns]: [usize; 3]) -> Vec<f64> {
    let mut out = vec![0.0; rows * columns];
    for i in 0..rows {
        for k in 0..inner {
            add_scaled(&mut out[i * columns..][..columns], X[i * inner + k], &Y[k * columns..][..columns]);
        }
    }
    out
}

fn minus(X: &[f64], Y: &[f64]) -> Vec<f64> {
    X.iter().zip(Y).map(|(x, y)| x - y).collect()
}
