//! The principles behind the equation of motion, at one instant and in numbers: D'Alembert's, Gauss's, and Δa = K₁e.
//!
//! Nothing here is needed for the motion. Each principle is evaluated by its own formula, so that it can be seen to hold.

use super::answer::Motion;
use super::error::MotionError;
use super::explicit::ExplicitForm;
use super::gauss::GaussForms;
use super::snapshot::Snapshot;
use super::workspace::Workspace;
use crate::linalg::vector::{add_scaled, apply, dot};

/// Below this part of the largest component of a displacement, a component is rounding.
const ROUNDING: f64 = 1e-12;

/// The principles of mechanics for one system at one instant.
#[derive(Clone, Debug, PartialEq)]
pub struct Principles {
    /// The matrices of the papers.
    pub form: ExplicitForm,
    /// The motion.
    pub motion: Motion,
    /// C, zero where the constraints are ideal.
    pub nonideal: Vec<f64>,
    /// A basis of the virtual displacements, A v = 0, each with what the principles say about it.
    pub displacements: Vec<VirtualDisplacement>,
    /// Gauss's function at the motion.
    pub gauss: GaussForms,
    /// K₁e, the deviation that the constraints cause if they are ideal (1992, eq. 5c′). For positive definite M.
    pub proportional: Option<Vec<f64>>,
    /// N C = M⁻¹Qₙᵢ, what non-ideal constraints add to q̈ (Udwadia, Kalaba & Fan 2005, eq. 7).
    pub added: Vec<f64>,
    /// q̈ by the {1,4}-inverse in place of the Moore–Penrose inverse. It equals the motion where the constraints are consistent.
    pub by_one_four: Vec<f64>,
}

/// A direction that satisfies A v = 0.
#[derive(Clone, Debug, PartialEq)]
pub struct VirtualDisplacement {
    /// v: one coordinate moves by 1, others follow.
    pub direction: Vec<f64>,
    /// The coordinate that moves by 1; none of the other displacements moves it.
    pub leader: usize,
    /// vᵀQᶜ, the work of the constraints.
    pub work: f64,
    /// vᵀC, the work that is given for them (Udwadia 2005, eq. 9).
    pub given_work: f64,
    /// vᵀQᵢ, zero by D'Alembert's principle.
    pub ideal_work: f64,
    /// Σ|vⱼQᶜⱼ| + Σ|vⱼCⱼ|, what rounding of the work is relative to.
    pub work_scale: f64,
    /// vᵀMv, what Gauss's function gains between q̈ and q̈ + v (Udwadia 2005, eq. 15). In its general form it gains half of that.
    pub gain: f64,
    /// The same gain as the difference of two values of Gauss's function.
    pub measured_gain: f64,
    /// 2vᵀ(M q̈ − Q − C), the slope of Gauss's function along v, zero at its minimum (Udwadia 2005, eq. 13).
    pub slope: f64,
}

impl VirtualDisplacement {
    /// How far vᵀQᶜ and vᵀC are apart, relative to the terms that they are sums of.
    pub fn mismatch(&self) -> f64 {
        match (self.work - self.given_work).abs() {
            0.0 => 0.0,
            apart => apart / self.work_scale,
        }
    }
}

impl Workspace {
    /// The principles, evaluated for this system.
    ///
    /// # Errors
    ///
    /// As [`solve`](Self::solve).
    ///
    /// # Examples
    ///
    /// A bead of 1 kg on the line y = x, with friction C along it:
    ///
    /// ```
    /// use holonom_kernel::{Snapshot, Workspace};
    ///
    /// let (mass, force, friction) = ([1.0, 0.0, 0.0, 1.0], [0.0, -9.81], [1.0, 1.0]);
    /// let bead = Snapshot::new(&mass, &force).constrained(&[1.0, -1.0], &[0.0]).nonideal(&friction);
    /// let found = Workspace::new().principles(&bead)?;
    /// let v = &found.displacements[0];
    /// assert_eq!(v.direction, [1.0, 1.0]);
    /// assert!((v.work - 2.0).abs() < 1e-14 && v.given_work == 2.0);   // the work of C and no other
    /// assert!((v.measured_gain - v.gain).abs() < 1e-13 && v.gain == 2.0);
    /// // q̈ − a is K₁e and what friction adds.
    /// let (proportional, deviation) = (found.proportional.unwrap(), found.form.deviation.unwrap());
    /// assert!((proportional[0] + found.added[0] - deviation[0]).abs() < 1e-14);
    /// # Ok::<(), holonom_kernel::MotionError>(())
    /// ```
    pub fn principles(&mut self, snapshot: &Snapshot) -> Result<Principles, MotionError> {
        let (n, m) = (snapshot.coordinates(), snapshot.rows());
        let form = self.explicit_form(snapshot)?;
        let motion = self.solve(snapshot)?.clone();
        let nonideal = snapshot.C.map_or_else(|| vec![0.0; n], <[f64]>::to_vec);
        let gauss = self.gauss(snapshot, &motion.acceleration)?;
        let bases = self.displacements(snapshot)?;
        let mut displacements = Vec::with_capacity(bases.len());
        for (leader, direction) in bases {
            displacements.push(self.displaced(snapshot, &motion, &gauss, &nonideal, leader, direction)?);
        }
        let proportional = form.constraint_error.as_ref().map(|e| times(&form.acceleration_gain, e, n));
        let added = times(&form.response, &nonideal, n);
        let by_one_four = by_one_four(snapshot, &form, &nonideal, n, m);
        Ok(Principles { form, motion, nonideal, displacements, gauss, proportional, added, by_one_four })
    }

    fn displaced(
        &mut self,
        s: &Snapshot,
        motion: &Motion,
        least: &GaussForms,
        C: &[f64],
        leader: usize,
        direction: Vec<f64>,
    ) -> Result<VirtualDisplacement, MotionError> {
        let v = &direction;
        let n = v.len();
        let Qc: Vec<f64> = (0..n).map(|j| motion.constraint_force(j)).collect();
        let mut momentum = vec![0.0; n];
        apply(s.M, v, &mut momentum);
        let gain = dot(v, &momentum);
        let mut balance = vec![0.0; n]; // M q̈ − Q − C
        apply(s.M, &motion.acceleration, &mut balance);
        add_scaled(&mut balance, -1.0, s.Q);
        add_scaled(&mut balance, -1.0, C);
        let mut moved = motion.acceleration.clone();
        add_scaled(&mut moved, 1.0, v);
        let other = self.gauss(s, &moved)?;
        let measured_gain = match (other.by_acceleration, least.by_acceleration) {
            (Some(other), Some(least)) => other - least,
            _ => 2.0 * (other.general - least.general),
        };
        let terms = |f: &[f64]| v.iter().zip(f).map(|(v, f)| (v * f).abs()).sum::<f64>();
        Ok(VirtualDisplacement {
            leader,
            work: dot(v, &Qc),
            given_work: dot(v, C),
            ideal_work: dot(v, &motion.ideal_force),
            work_scale: terms(&Qc) + terms(C),
            gain,
            measured_gain,
            slope: 2.0 * dot(v, &balance),
            direction,
        })
    }

    /// A basis of N(A) in which each member moves one coordinate by 1 that no other member moves.
    ///
    /// Of all coordinates those lead that make the others follow by the least: complete pivoting on an orthonormal basis. A coordinate that no
    /// constraint touches leads alone.
    pub fn displacements(&mut self, s: &Snapshot) -> Result<Vec<(usize, Vec<f64>)>, MotionError> {
        let n = s.coordinates();
        let (massless, nothing) = (vec![0.0; n * n], vec![0.0; n.max(s.rows())]);
        let free = Snapshot::new(&massless, &nothing[..n]).constrained(s.A, &nothing[..s.rows()]);
        let mut rows: Vec<Vec<f64>> = self.solve(&free)?.free_directions().collect();
        let mut leaders = Vec::with_capacity(rows.len());
        for at in 0..rows.len() {
            let mut best = (0.0, at, 0);
            for (i, row) in rows.iter().enumerate().skip(at) {
                for (j, x) in row.iter().enumerate() {
                    // Of equals, the first coordinate: `x forward`, `y follows`.
                    let better = x.abs() > best.0 * (1.0 + ROUNDING);
                    if better || (x.abs() > best.0 * (1.0 - ROUNDING) && best.0 > 0.0 && j < best.2) {
                        best = (x.abs(), i, j);
                    }
                }
            }
            let (size, row, leader) = best;
            if size == 0.0 {
                break;
            }
            rows.swap(at, row);
            let pivot = rows[at][leader];
            rows[at].iter_mut().for_each(|x| *x /= pivot);
            let lead = rows[at].clone();
            for (_, other) in rows.iter_mut().enumerate().filter(|(i, _)| *i != at) {
                let by = other[leader];
                add_scaled(other, -by, &lead);
                other[leader] = 0.0;
            }
            leaders.push(leader);
        }
        let mut found: Vec<(usize, Vec<f64>)> = leaders.into_iter().zip(rows).collect();
        for (leader, v) in &mut found {
            let largest = v.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
            v.iter_mut().filter(|x| x.abs() <= ROUNDING * largest).for_each(|x| *x = 0.0);
            v[*leader] = 1.0;
        }
        found.sort_by_key(|(leader, _)| *leader);
        Ok(found)
    }
}

/// A matrix with `rows` rows times a vector.
fn times(X: &[f64], y: &[f64], rows: usize) -> Vec<f64> {
    (0..rows).map(|i| dot(&X[i * y.len()..][..y.len()], y)).collect()
}

/// q̈ by the {1,4}-inverse: a + c + M^{-1/2}B^{1,4}(b − A(a + c)) (Udwadia 2005, after eq. 22), or M̄^{1,4}[Q + C; b] for singular M.
fn by_one_four(s: &Snapshot, form: &ExplicitForm, C: &[f64], n: usize, m: usize) -> Vec<f64> {
    let inverse = &form.one_four_inverse;
    let mut total = s.Q.to_vec();
    add_scaled(&mut total, 1.0, C);
    let Some((_, half)) = form.weighted.as_ref().and_then(|_| crate::linalg::root::roots(n, s.M)) else {
        total.extend_from_slice(s.b);
        return times(inverse, &total, n);
    };
    let forced = times(&half, &times(&half, &total, n), n); // a + c
    let reached = times(s.A, &forced, m);
    let error: Vec<f64> = s.b.iter().zip(&reached).map(|(b, reached)| b - reached).collect();
    let mut acceleration = times(&half, &times(inverse, &error, n), n);
    add_scaled(&mut acceleration, 1.0, &forced);
    acceleration
}
