//! The chain of P1 as a person would write it who knows its structure: S = A M⁻¹Aᵀ is tridiagonal, no check, no evidence; the same
//! method, tolerance and control of steps as the library, and the end of each step projected with the factors of its last stage.

use holonom::simulate::integrate::{Explicit, Field};

/// The part of the tolerance that a step may use up, as in the library.
const SHARE: f64 = 0.05;
const G: f64 = 9.81;

/// A chain of point masses of 1 kg on massless rods; coordinates x₁ … x_N, y₁ … y_N.
pub struct Chain {
    count: usize,
    /// Along each rod, half the slopes of its constraint, and the difference of velocities.
    dx: Vec<f64>,
    dy: Vec<f64>,
    /// S = L D Lᵀ: the inverse pivots and what is left of the diagonal.
    inverse: Vec<f64>,
    lower: Vec<f64>,
    right: Vec<f64>,
    /// How often the acceleration was evaluated.
    pub evaluations: u64,
}

/// What came of a run.
#[derive(Clone, Debug)]
pub struct Ended {
    /// q and q̇.
    pub state: Vec<f64>,
    /// Steps that were taken.
    pub steps: u64,
    /// Steps that were too long.
    pub rejected: u64,
}

impl Chain {
    /// A chain of so many links, one metre long.
    pub fn new(count: usize) -> Self {
        let zeros = || vec![0.0; count];
        Self { count, dx: zeros(), dy: zeros(), inverse: zeros(), lower: zeros(), right: zeros(), evaluations: 0 }
    }

    /// Straight, 45° from the downward vertical, at rest.
    pub fn start(&self) -> Vec<f64> {
        let n = self.count;
        let along = |i: usize| (i % n + 1) as f64 / n as f64 * std::f64::consts::FRAC_1_SQRT_2;
        let mut y: Vec<f64> = (0..2 * n).map(|i| if i < n { along(i) } else { -along(i) }).collect();
        y.resize(4 * n, 0.0);
        y
    }

    /// Differences along the chain: S = 4 D Dᵀ M⁻¹, tridiagonal.
    fn factor(&mut self, q: &[f64]) {
        let (x, y) = q.split_at(self.count);
        let (mut last, mut previous) = ((0.0, 0.0), 0.0);
        let (mut before, mut massive) = ((0.0, 0.0), 0.0);
        for i in 0..self.count {
            let (dx, dy) = (2.0 * (x[i] - last.0), 2.0 * (y[i] - last.1));
            last = (x[i], y[i]);
            (self.dx[i], self.dy[i]) = (dx, dy);
            // The first rod ends at the wall.
            let diagonal = (1.0 + massive) * (dx * dx + dy * dy);
            let beside = -(dx * before.0 + dy * before.1);
            let l = beside * previous;
            self.lower[i] = l;
            previous = 1.0 / (diagonal - l * beside);
            self.inverse[i] = previous;
            (before, massive) = ((dx, dy), 1.0);
        }
    }

    /// S⁻¹ of `right`, in place.
    fn solve(&mut self) {
        let n = self.count;
        for i in 1..n {
            self.right[i] -= self.lower[i] * self.right[i - 1];
        }
        self.right[n - 1] *= self.inverse[n - 1];
        for i in (0..n - 1).rev() {
            self.right[i] = self.right[i] * self.inverse[i] - self.lower[i + 1] * self.right[i + 1];
        }
    }

    /// out += Aᵀ·right.
    fn push(&self, out: &mut [f64]) {
        let n = self.count;
        let (x, y) = out.split_at_mut(n);
        for i in 0..n {
            let (fx, fy) = (self.dx[i] * self.right[i], self.dy[i] * self.right[i]);
            x[i] += fx;
            y[i] += fy;
            if i > 0 {
                x[i - 1] -= fx;
                y[i - 1] -= fy;
            }
        }
    }

    /// q̈ at a state.
    pub fn accelerate(&mut self, q: &[f64], v: &[f64], out: &mut [f64]) {
        self.evaluations += 1;
        self.factor(q);
        let n = self.count;
        let (vx, vy) = v.split_at(n);
        let mut last = (0.0, 0.0);
        for i in 0..n {
            let (du, dv) = (vx[i] - last.0, vy[i] - last.1);
            last = (vx[i], vy[i]);
            self.right[i] = -2.0 * (du * du + dv * dv);
        }
        // b − A M⁻¹Q: gravity pulls at the first rod alone, all others fall with both ends.
        self.right[0] += G * self.dy[0];
        self.solve();
        out[..n].fill(0.0);
        out[n..2 * n].fill(-G);
        self.push(out);
    }

    /// Moves a state on to the constraints, positions first, until nothing but rounding is left.
    fn project(&mut self, y: &mut [f64], step: &mut [f64]) -> bool {
        let n = self.count;
        let (q, v) = y.split_at_mut(2 * n);
        let square = 1.0 / (n * n) as f64;
        let mut met = false;
        for _ in 0..10 {
            let (mut worst, mut last): (f64, _) = (0.0, (0.0, 0.0));
            for i in 0..n {
                let (dx, dy) = (q[i] - last.0, q[n + i] - last.1);
                last = (q[i], q[n + i]);
                self.right[i] = square - (dx * dx + dy * dy);
                worst = worst.max(self.right[i].abs());
            }
            // The scale of a row as the library takes it: the magnitudes of its terms.
            if worst < 2e-14 * (2.0 * square).max(4.0 / n as f64) {
                met = true;
                break;
            }
            self.solve();
            step.fill(0.0);
            self.push(step);
            q.iter_mut().zip(&*step).for_each(|(q, step)| *q += step);
        }
        for _ in 0..10 {
            let (mut worst, mut last): (f64, _) = (0.0, ((0.0, 0.0), (0.0, 0.0)));
            for i in 0..n {
                let (dx, dy) = (q[i] - last.0.0, q[n + i] - last.0.1);
                let (du, dv) = (v[i] - last.1.0, v[n + i] - last.1.1);
                last = ((q[i], q[n + i]), (v[i], v[n + i]));
                self.right[i] = -2.0 * (dx * du + dy * dv);
                worst = worst.max(self.right[i].abs());
            }
            if worst < 2e-14 * 4.0 / n as f64 {
                return met;
            }
            self.solve();
            step.fill(0.0);
            self.push(step);
            v.iter_mut().zip(&*step).for_each(|(v, step)| *v += step);
        }
        false
    }

    /// Runs from rest.
    pub fn run(&mut self, until: f64, rtol: f64, atol: f64) -> Ended {
        let n = self.count;
        let mut method = Explicit::new(4 * n);
        let mut y = self.start();
        let (mut rate, mut next, mut next_rate) = (y.clone(), y.clone(), y.clone());
        let (mut tolerance, mut step) = (y.clone(), vec![0.0; 2 * n]);
        let (mut t, mut h, mut size) = (0.0, 1e-6 * until, [1.0, 1.0]);
        let (mut steps, mut rejected, mut again) = (0, 0, false);
        let Ok(()) = self.rate(t, &y, &mut rate);
        while t < until {
            let last = t + 1.01 * h >= until;
            let length = if last { until - t } else { h };
            for (level, size) in size.iter_mut().enumerate() {
                *size = y[level * 2 * n..(level + 1) * 2 * n].iter().fold(*size, |m: f64, x| m.max(x.abs()));
            }
            for (i, tolerance) in tolerance.iter_mut().enumerate() {
                let value = y[i].abs().max((y[i] + length * rate[i]).abs());
                *tolerance = SHARE * (atol * size[i / (2 * n)] + rtol * value);
            }
            let Ok(error) = method.attempt(self, t, length, &y, &rate, &tolerance, &mut next);
            if error > 1.0 || error.is_nan() || !self.project(&mut next, &mut step) {
                rejected += 1;
                again = true;
                h = length * (0.9 * error.powf(-0.125)).clamp(0.1, 0.9);
                continue;
            }
            t = if last { until } else { t + length };
            let Ok(()) = self.rate(t, &next, &mut next_rate);
            std::mem::swap(&mut y, &mut next);
            std::mem::swap(&mut rate, &mut next_rate);
            steps += 1;
            h = length * (0.9 * error.max(1e-14).powf(-0.125)).clamp(0.333, if again { 1.0 } else { 6.0 });
            again = false;
        }
        Ended { state: y, steps, rejected }
    }
}

impl Field for Chain {
    type Failure = std::convert::Infallible;

    fn coordinates(&self) -> usize {
        2 * self.count
    }

    fn quadratures(&self) -> usize {
        0
    }

    fn rate(&mut self, _: f64, y: &[f64], rate: &mut [f64]) -> Result<(), Self::Failure> {
        let (q, v) = y.split_at(2 * self.count);
        let (of_q, of_v) = rate.split_at_mut(2 * self.count);
        of_q.copy_from_slice(v);
        self.accelerate(q, v, of_v);
        Ok(())
    }
}
