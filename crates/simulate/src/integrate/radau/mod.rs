//! The stiff method: Radau IIA of order 5, for systems of second order (Hairer & Wanner II, section IV.8).
//!
//! Collocation at three points, the last of which is the end of the step: what is stiff dies out as it should, whatever
//! the step. With q̇ = v the positions of the stages follow from their velocities, q = q₀ + hA(v₀ + Z), so that Newton's method
//! has the velocities alone as unknowns. In the coordinates of the eigenvectors of A⁻¹ its linear systems are
//!
//! ```text
//! (γ² − γh ∂q̈/∂q̇ − h² ∂q̈/∂q) ΔW = γ (h F − γ W)
//! ```
//!
//! n × n, for a real and a complex γ. Quadratures take no part in this: they are added up from the stages.
//!
//! The method takes one step at a time and remembers what helps the next one. Who calls it decides on the length of steps.

mod linear;
mod newton;
mod tableau;
#[cfg(test)]
mod tests;

use super::field::StiffField;
use holonom_elementary as elementary;
use linear::{Complex, Lu};
use newton::Iteration;
use tableau::{DEVIATION_AT_START, ERROR, INTEGRAL, NODES, REAL, bends, collocation};

/// Steps that differ by less than this, relatively, share their factors: Newton's method does not notice.
const SAME_STEP: f64 = 1e-3;

/// Where Newton's method gains more than this per iteration, the Jacobian is kept for the next step.
const FAST: f64 = 0.01;

/// Newton's method should gain at least this per iteration.
const SLOWEST: f64 = 0.3;

/// A step longer than the last one by less than this factor is not worth new factors.
const NOT_WORTH: f64 = 1.2;

/// Errors are not taken to be smaller than this: what is next follows from their size.
const LEAST_ERROR: f64 = 1e-10;

/// What came of an attempt.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Attempt<E> {
    /// The step was computed.
    Done {
        /// Its error in units of the tolerance; of order h⁴. A step is good where this is at most 1.
        error: f64,
    },
    /// Newton's method did not converge: a shorter step may do.
    NotConverged {
        /// The rate that failed on the way, if that was the reason. There was a rate at the start of the step, and a shorter
        /// step stays closer to it; where steps become too short for that, this is the reason to give.
        failure: Option<E>,
    },
}

/// What the work was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RadauCounts {
    /// Evaluations of rates.
    pub evaluations: usize,
    /// Evaluations of the Jacobian.
    pub jacobians: usize,
    /// Factorisations, each of a real and a complex matrix.
    pub factorisations: usize,
    /// Iterations of Newton's method, of three evaluations each.
    pub iterations: usize,
}

/// How good the Jacobian is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Jacobian {
    /// There is none.
    Missing,
    /// It is that of an earlier state.
    Earlier,
    /// It is that of the state at which steps are attempted.
    Here,
}

/// Radau IIA of order 5: the memory of one motion. Nothing is allocated after it was made.
///
/// ```
/// use holonom_simulate::integrate::{Field, Attempt, Radau, StiffField};
///
/// /// q̈ = −1000 q̇ − q: it creeps back like exp(−t/1000), after a start that is over in milliseconds.
/// struct Creep;
/// impl Field for Creep {
///     type Failure = ();
///     fn coordinates(&self) -> usize { 1 }
///     fn quadratures(&self) -> usize { 0 }
///     fn rate(&mut self, _: f64, y: &[f64], rate: &mut [f64]) -> Result<(), ()> {
///         (rate[0], rate[1]) = (y[1], -1000.0 * y[1] - y[0]);
///         Ok(())
///     }
/// }
/// impl StiffField for Creep {
///     fn jacobian(&mut self, _: f64, _: &[f64], q: &mut [f64], v: &mut [f64]) -> Result<(), ()> {
///         (q[0], v[0]) = (-1.0, -1000.0);
///         Ok(())
///     }
/// }
///
/// let mut method = Radau::new(1, 0);
/// let (y, mut next, mut rate) = ([1.0, -0.001], [0.0; 2], [0.0; 2]);
/// Creep.rate(0.0, &y, &mut rate)?;
/// let outcome = method.attempt(&mut Creep, 0.0, 100.0, &y, &rate, &[1e-6, 1e-6], &mut next)?;
/// assert!(matches!(outcome, Attempt::Done { error } if error < 1.0)); // 100 s in one step
/// assert!((next[0] - (-0.1f64).exp()).abs() < 1e-6);
/// # Ok::<(), ()>(())
/// ```
#[derive(Clone, Debug)]
pub struct Radau {
    /// What the work was so far.
    pub counts: RadauCounts,
    /// By how much the estimate of the error is known to exceed the error.
    relaxation: f64,
    n: usize,
    /// The length of y.
    length: usize,
    jacobian: Jacobian,
    by_position: Vec<f64>,
    by_velocity: Vec<f64>,
    real: Lu<f64>,
    complex: Lu<Complex>,
    /// The step that the factors are for.
    factored: Option<f64>,
    newton: Iteration,
    /// Of the last attempt: its y, its step, and Z = stage − y, three times the length of y.
    start: Vec<f64>,
    step: f64,
    increments: Vec<f64>,
    /// What the motion between its ends has beyond the collocation polynomial.
    bends: Vec<f64>,
    /// The rates at the stages.
    rates: Vec<f64>,
    /// Of the last step that was taken: Z of the velocities.
    earlier: Vec<f64>,
    earlier_step: Option<f64>,
    /// An attempt waits for being taken.
    waiting: bool,
    /// Of (q, q̇).
    estimate: Vec<f64>,
    room: Vec<f64>,
    room_rate: Vec<f64>,
    real_side: Vec<f64>,
    complex_side: Vec<Complex>,
}

impl Radau {
    /// Memory for systems of n coordinates with so many quadratures.
    pub fn new(n: usize, quadratures: usize) -> Self {
        let length = 2 * n + quadratures;
        Self {
            counts: RadauCounts::default(),
            relaxation: 1.0,
            n,
            length,
            jacobian: Jacobian::Missing,
            by_position: vec![0.0; n * n],
            by_velocity: vec![0.0; n * n],
            real: Lu::new(n),
            complex: Lu::new(n),
            factored: None,
            newton: Iteration::default(),
            start: vec![0.0; length],
            step: 0.0,
            increments: vec![0.0; 3 * length],
            bends: vec![0.0; length],
            rates: vec![0.0; 3 * length],
            earlier: vec![0.0; 3 * n],
            earlier_step: None,
            waiting: false,
            estimate: vec![0.0; 2 * n],
            room: vec![0.0; length],
            room_rate: vec![0.0; length],
            real_side: vec![0.0; n],
            complex_side: vec![Complex::default(); n],
        }
    }

    /// Takes into account that the estimate is of order h⁴ and the error of a step of order h⁶, for a relative tolerance.
    ///
    /// Without this a step has to be good by the formula of order 3 that it is compared with. Then a tolerance τ is met with an
    /// error of about τ^(3/2); with it, errors are divided by 0.1·τ^(−1/3) (Hairer & Wanner's codes do the same), and τ is met
    /// with far fewer steps. Newton's method keeps to the tolerance as it is given.
    pub fn relaxed(mut self, tolerance: f64) -> Self {
        self.relaxation = if tolerance > 0.0 { (0.1 / elementary::cbrt(tolerance)).clamp(1.0, 1e4) } else { 1.0 };
        self
    }

    /// Tries a step of length h from y, where the rate is `rate`, and writes where it leads to `next`.
    ///
    /// `scale` holds the absolute tolerance of each component of (q, q̇); the error is the root mean square of components over
    /// their tolerances. Quadratures are not judged. Steps may be negative.
    ///
    /// After a step was taken call [`accepted`](Self::accepted); if it is not called, the next attempt counts as another try from
    /// the same state.
    ///
    /// # Errors
    /// If there is no Jacobian at y. Rates that fail at stages are no errors: see [`Attempt::NotConverged`].
    ///
    /// # Panics
    /// If slices are shorter than the system that this was made for.
    #[expect(clippy::too_many_arguments, reason = "a step is this much")]
    pub fn attempt<F: StiffField>(
        &mut self,
        field: &mut F,
        t: f64,
        h: f64,
        y: &[f64],
        rate: &[f64],
        scale: &[f64],
        next: &mut [f64],
    ) -> Result<Attempt<F::Failure>, F::Failure> {
        let again = std::mem::replace(&mut self.waiting, true);
        self.start.copy_from_slice(&y[..self.length]);
        self.step = h;
        let doubtful = again || self.newton.contraction > FAST;
        if self.jacobian == Jacobian::Missing || self.jacobian == Jacobian::Earlier && doubtful {
            self.evaluate_jacobian(field, t, y)?;
        }
        let mut outcome = self.iterate(field, t, scale);
        if outcome.is_err() && self.jacobian == Jacobian::Earlier {
            self.evaluate_jacobian(field, t, y)?;
            outcome = self.iterate(field, t, scale);
        }
        if let Err(failure) = outcome {
            // Nothing can be said about this one any more: begin from rest next time.
            self.newton.contraction = 1.0;
            self.increments.fill(0.0);
            self.bends.fill(0.0);
            return Ok(Attempt::NotConverged { failure });
        }
        self.add_up_quadratures();
        let end = &self.increments[2 * self.length..];
        next.iter_mut().zip(&self.start).zip(end).for_each(|((next, y), z)| *next = y + z);
        self.find_estimate(rate);
        if self.error(scale) > 1.0 && self.jacobian == Jacobian::Earlier {
            // The stages are right whatever the Jacobian, but stiff components pass through it to the estimate.
            self.evaluate_jacobian(field, t, y)?;
            if !self.factor() {
                return Ok(Attempt::NotConverged { failure: None });
            }
            self.find_estimate(rate);
        }
        if self.error(scale) > 1.0 {
            self.estimate_again(field, t);
        }
        self.bend(rate);
        let error = self.error(scale);
        if !error.is_finite() || next[..self.length].iter().any(|x| !x.is_finite()) {
            return Ok(Attempt::NotConverged { failure: None });
        }
        Ok(Attempt::Done { error })
    }

    /// The last attempt was taken: the next one begins where it ended.
    pub fn accepted(&mut self) {
        self.waiting = false;
        if self.jacobian == Jacobian::Here {
            self.jacobian = Jacobian::Earlier;
        }
        let velocities = self.n..2 * self.n;
        let stages = self.increments.chunks_exact(self.length.max(1));
        for (earlier, stage) in self.earlier.chunks_exact_mut(self.n.max(1)).zip(stages) {
            earlier.copy_from_slice(&stage[velocities.clone()]);
        }
        self.earlier_step = Some(self.step);
    }

    /// Forgets everything but its counts: the state, the parameters or the equations were changed from outside.
    pub fn restart(&mut self) {
        self.jacobian = Jacobian::Missing;
        self.factored = None;
        self.earlier_step = None;
        self.waiting = false;
        self.newton = Iteration::default();
    }

    /// The step to take instead of a wish, after an attempt that was done.
    ///
    /// It is shorter where Newton's method would not converge (where springs turn, its contraction grows with the fourth
    /// power of the step), and the one that the factors at hand are for where a little more is not worth new ones.
    pub fn favour(&self, wish: f64) -> f64 {
        let contraction = self.newton.contraction;
        let growth = (SLOWEST / contraction).sqrt().sqrt();
        let wish = if wish.abs() > growth * self.step.abs() { growth * self.step } else { wish };
        match self.factored {
            Some(h) if (1.0..=NOT_WORTH).contains(&(wish / h)) && contraction <= FAST => h,
            _ => wish,
        }
    }

    /// The state within the last attempt that was done, 0 ≤ θ ≤ 1, with an error of order h⁵ or less.
    ///
    /// Velocities are the collocation polynomial and the next term of the motion: the rate at the start of the step, which
    /// the polynomial does not have, tells it, damped where it is stiff as in the estimate of the error. Positions are
    /// their integral. At θ = 1 this is what the attempt gave, to the last bit.
    pub fn interpolate(&self, theta: f64, out: &mut [f64]) {
        let ([a, b, c], [once, twice]) = (collocation(theta), bends(theta));
        let (n, twice) = (self.n, self.step * twice);
        let (first, rest) = self.increments.split_at(self.length);
        let (second, third) = rest.split_at(self.length);
        for (i, (out, y)) in out.iter_mut().zip(&self.start).enumerate() {
            let mut bend = once * self.bends[i];
            if i < n {
                bend += twice * self.bends[n + i];
            }
            *out = y + (a * first[i] + b * second[i] + c * third[i] + bend);
        }
    }

    /// Multiples of ∫M in the motion: by how much the rate at the start deviates from that of the collocation polynomial.
    ///
    /// For velocities, the estimate of the error is this deviation over γ with what is stiff damped.
    fn bend(&mut self, rate: &[f64]) {
        let (n, length, h) = (self.n, self.length, self.step);
        for (k, bend) in self.bends.iter_mut().enumerate() {
            let deviation = if (n..2 * n).contains(&k) {
                REAL * self.estimate[k]
            } else {
                let stages = |i: usize| ERROR[i] * self.increments[i * length + k];
                h * rate[k] + (stages(0) + stages(1) + stages(2))
            };
            *bend = deviation / DEVIATION_AT_START;
        }
    }

    fn evaluate_jacobian<F: StiffField>(&mut self, field: &mut F, t: f64, y: &[f64]) -> Result<(), F::Failure> {
        self.jacobian = Jacobian::Missing;
        self.factored = None;
        field.jacobian(t, y, &mut self.by_position, &mut self.by_velocity)?;
        self.jacobian = Jacobian::Here;
        self.counts.jacobians += 1;
        Ok(())
    }

    /// Factors for the step, unless those at hand serve; false where there are none.
    fn factor(&mut self) -> bool {
        let (n, h) = (self.n, self.step);
        if self.factored.is_some_and(|factored| (h - factored).abs() <= SAME_STEP * h.abs()) {
            return true;
        }
        self.counts.factorisations += 1;
        let (q, v) = (&self.by_position, &self.by_velocity);
        let real = |i: usize, j: usize| {
            let diagonal = if i == j { REAL * REAL } else { 0.0 };
            diagonal - REAL * (h * v[i * n + j]) - h * (h * q[i * n + j])
        };
        let eigenvalue = Complex::new(tableau::COMPLEX.0, tableau::COMPLEX.1);
        let square = eigenvalue * eigenvalue;
        let complex = |i: usize, j: usize| {
            let diagonal = if i == j { square } else { Complex::default() };
            diagonal - eigenvalue.scaled(h * v[i * n + j]) - Complex::new(h * (h * q[i * n + j]), 0.0)
        };
        let regular = self.real.factor(real) && self.complex.factor(complex);
        self.factored = regular.then_some(h);
        regular
    }

    /// w of the stages: nothing depends on them, so that the rates of the last iteration settle them.
    fn add_up_quadratures(&mut self) {
        let (length, h) = (self.length, self.step);
        for (i, weights) in INTEGRAL.iter().enumerate() {
            for k in 2 * self.n..length {
                let rate = |j: usize| weights[j] * self.rates[j * length + k];
                self.increments[i * length + k] = h * (rate(0) + rate(1) + rate(2));
            }
        }
    }

    /// The estimate of the error of (q, q̇) at the end of the last attempt that was done.
    ///
    /// A caller that projects may take from it what projection takes from the step, and ask for its [size](Self::error) again.
    pub fn error_estimate(&mut self) -> &mut [f64] {
        &mut self.estimate
    }

    /// The size of the estimate in units of the tolerance: see [`attempt`](Self::attempt) and [`relaxed`](Self::relaxed).
    pub fn error(&self, scale: &[f64]) -> f64 {
        let sum: f64 = self.estimate.iter().zip(scale).map(|(e, s)| (e / s) * (e / s)).sum();
        let error = (sum / self.estimate.len().max(1) as f64).sqrt() / self.relaxation;
        if error < LEAST_ERROR { LEAST_ERROR } else { error }
    }

    /// The estimate once more, at the rate of y plus the estimate; it stays where there is no such rate.
    ///
    /// For stiff components the first one does not become small with the step: what is left of their velocities, divided by the
    /// step, is all it sees. This one is damped once more, and much cheaper than a step refused without need.
    fn estimate_again<F: StiffField>(&mut self, field: &mut F, t: f64) {
        self.room.copy_from_slice(&self.start);
        self.room.iter_mut().zip(&self.estimate).for_each(|(y, e)| *y += e);
        self.counts.evaluations += 1;
        let mut rate = std::mem::take(&mut self.room_rate);
        let known = field.rate(t, &self.room, &mut rate).is_ok() && rate.iter().all(|x| x.is_finite());
        if known {
            self.find_estimate(&rate);
        }
        self.room_rate = rate;
    }

    /// The error of (q, q̇): `(γ/h − J)⁻¹(f(y) + Σ eᵢZᵢ/h)` with some rate f(y), where J is that of the whole system.
    fn find_estimate(&mut self, rate: &[f64]) {
        let (n, length, h) = (self.n, self.length, self.step);
        let [first, second, third] = [0, 1, 2].map(|i| &self.increments[i * length..]);
        for (k, estimate) in self.estimate.iter_mut().enumerate() {
            let stages = ERROR[0] * first[k] + ERROR[1] * second[k] + ERROR[2] * third[k];
            *estimate = h * rate[k] + stages;
        }
        let (positions, velocities) = self.estimate.split_at_mut(n);
        for (i, (side, s)) in self.real_side.iter_mut().zip(&*velocities).enumerate() {
            let row = &self.by_position[i * n..(i + 1) * n];
            let along: f64 = row.iter().zip(&*positions).map(|(j, s)| j * s).sum();
            *side = REAL * s + h * along;
        }
        self.real.solve(&mut self.real_side);
        for ((q, v), e) in positions.iter_mut().zip(velocities).zip(&self.real_side) {
            *v = *e;
            *q = (*q + h * e) / REAL;
        }
    }

    /// Where the stages probably are: on the polynomial of the step before, or where the step begins.
    fn guess(&mut self, fresh: bool) {
        let (n, length) = (self.n, self.length);
        let earlier = self.earlier_step.filter(|_| !fresh);
        for (i, node) in NODES.into_iter().enumerate() {
            let velocities = &mut self.increments[i * length + n..i * length + 2 * n];
            let Some(before) = earlier else {
                velocities.fill(0.0);
                continue;
            };
            let [a, b, c] = collocation(1.0 + node * self.step / before);
            for (k, z) in velocities.iter_mut().enumerate() {
                let [first, second, third] = [0, 1, 2].map(|j| self.earlier[j * n + k]);
                *z = a * first + b * second + (c - 1.0) * third;
            }
        }
        self.positions_follow();
    }

    /// Zq = hA(v₀ + Zv): the positions of the stages from their velocities.
    fn positions_follow(&mut self) {
        let (n, length, h) = (self.n, self.length, self.step);
        for (i, (weights, node)) in INTEGRAL.iter().zip(NODES).enumerate() {
            for k in 0..n {
                let z = |j: usize| weights[j] * self.increments[j * length + n + k];
                self.increments[i * length + k] = h * (node * self.start[n + k] + (z(0) + z(1) + z(2)));
            }
        }
    }
}
