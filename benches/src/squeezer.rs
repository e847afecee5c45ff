//! Andrews' mechanism in motion, as a person would write it who knows that M is positive and that no row repeats another:
//! fixed sizes, M = LLᵀ, S = A M⁻¹ Aᵀ = KKᵀ, no check, no evidence; the same method, tolerance and control of steps, and
//! the end of each step projected with the factors of its last stage.

use crate::by_hand::Andrews;
use holonom::simulate::integrate::{Explicit, Field};

const N: usize = 7;
const M: usize = 6;

/// The part of the tolerance that a step may use up, as in the library.
const SHARE: f64 = 0.05;

/// The mechanism and its factors.
pub struct Squeezer {
    equations: Andrews,
    /// xa, ya, xb, yb, d, e, rr, ss, u, zf, zt.
    p: [f64; 11],
    l: [[f64; N]; N],
    /// The inverses of the diagonals of L and K.
    by_l: [f64; N],
    by_k: [f64; M],
    /// A L⁻ᵀ, by rows.
    b: [[f64; N]; M],
    k: [[f64; M]; M],
    /// How often the acceleration was evaluated.
    pub evaluations: u64,
}

/// What came of a run.
#[derive(Clone, Copy, Debug)]
pub struct Ended {
    /// q and q̇.
    pub state: [f64; 2 * N],
    /// Steps that were taken, and that were too long.
    pub steps: u64,
    /// Steps that were too long.
    pub rejected: u64,
}

impl Squeezer {
    /// From the parameters of the model, by name.
    pub fn new(parameter: impl Fn(&str) -> f64) -> Self {
        let p = ["xa", "ya", "xb", "yb", "d", "e", "rr", "ss", "u", "zf", "zt"].map(&parameter);
        Self {
            equations: Andrews::new(parameter),
            p,
            l: [[0.0; N]; N],
            by_l: [0.0; N],
            by_k: [0.0; M],
            b: [[0.0; N]; M],
            k: [[0.0; M]; M],
            evaluations: 0,
        }
    }

    #[allow(clippy::needless_range_loop)] // as one writes it by hand
    fn factor(&mut self) {
        let Self { equations, l, by_l, by_k, b, k, .. } = self;
        for i in 0..N {
            for j in 0..=i {
                let mut sum = equations.mass[i][j];
                for p in 0..j {
                    sum -= l[i][p] * l[j][p];
                }
                if i == j {
                    l[i][i] = sum.sqrt();
                    by_l[i] = 1.0 / l[i][i];
                } else {
                    l[i][j] = sum * by_l[j];
                }
            }
        }
        for i in 0..M {
            for j in 0..N {
                let mut sum = equations.a[i][j];
                for p in 0..j {
                    sum -= l[j][p] * b[i][p];
                }
                b[i][j] = sum * by_l[j];
            }
            for j in 0..=i {
                let mut sum = 0.0;
                for p in 0..N {
                    sum += b[i][p] * b[j][p];
                }
                for p in 0..j {
                    sum -= k[i][p] * k[j][p];
                }
                if i == j {
                    k[i][i] = sum.sqrt();
                    by_k[i] = 1.0 / k[i][i];
                } else {
                    k[i][j] = sum * by_k[j];
                }
            }
        }
    }

    /// x with M x = force + Aᵀλ and A x = right, with the factors at hand.
    #[allow(clippy::needless_range_loop)]
    fn respond(&self, force: &[f64; N], right: &[f64; M]) -> [f64; N] {
        let Self { l, by_l, by_k, b, k, .. } = self;
        let (mut y, mut e) = ([0.0; N], [0.0; M]);
        for i in 0..N {
            let mut sum = force[i];
            for j in 0..i {
                sum -= l[i][j] * y[j];
            }
            y[i] = sum * by_l[i];
        }
        for i in 0..M {
            let mut sum = right[i];
            for j in 0..N {
                sum -= b[i][j] * y[j];
            }
            for j in 0..i {
                sum -= k[i][j] * e[j];
            }
            e[i] = sum * by_k[i];
        }
        for i in (0..M).rev() {
            e[i] *= by_k[i];
            for j in 0..i {
                e[j] -= k[i][j] * e[i];
            }
            for j in 0..N {
                y[j] += b[i][j] * e[i];
            }
        }
        for i in (0..N).rev() {
            y[i] *= by_l[i];
            for j in 0..i {
                y[j] -= l[i][j] * y[i];
            }
        }
        y
    }

    /// The residuals of the loops.
    fn positions(&self, q: &[f64; N]) -> [f64; M] {
        let [beta, theta, gamma, phi, delta, omega, epsilon] = *q;
        let [xa, ya, xb, yb, d, e, rr, ss, u, zf, zt] = self.p;
        let (sbe, cbe) = beta.sin_cos();
        let (sga, cga) = gamma.sin_cos();
        let (sde, cde) = delta.sin_cos();
        let (sep, cep) = epsilon.sin_cos();
        let (sbt, cbt) = (beta + theta).sin_cos();
        let (spd, cpd) = (phi + delta).sin_cos();
        let (soe, coe) = (omega + epsilon).sin_cos();
        let (px, py) = (rr * cbe - d * cbt, rr * sbe - d * sbt);
        [
            px - xb - ss * sga,
            py - yb + ss * cga,
            px - xa - zt * cde - e * spd,
            py - ya - zt * sde + e * cpd,
            px - xa - u * sep - zf * coe,
            py - ya + u * cep - zf * soe,
        ]
    }

    /// Moves a state on to the constraints, positions first, until nothing but rounding is left.
    fn project(&mut self, y: &mut [f64; 2 * N]) -> bool {
        let (q, v) = y.split_at_mut(N);
        let (Some(q), Some(v)) = (q.first_chunk_mut::<N>(), v.first_chunk_mut::<N>()) else { return false };
        let mut met = false;
        for _ in 0..10 {
            let residual = self.positions(q);
            if residual.iter().all(|r| r.abs() < 2e-15) {
                met = true;
                break;
            }
            let step = self.respond(&[0.0; N], &residual.map(|r| -r));
            q.iter_mut().zip(step).for_each(|(q, step)| *q += step);
        }
        // A at the positions that were found, with factors of a place near by.
        self.equations.evaluate(q, v);
        for _ in 0..10 {
            let residual: [f64; M] =
                std::array::from_fn(|i| self.equations.a[i].iter().zip(&*v).map(|(a, v)| a * v).sum());
            if residual.iter().all(|r| r.abs() < 2e-13) {
                return met;
            }
            let step = self.respond(&[0.0; N], &residual.map(|r| -r));
            v.iter_mut().zip(step).for_each(|(v, step)| *v += step);
        }
        false
    }

    /// Runs from rest.
    pub fn run(&mut self, start: &[f64; N], until: f64, rtol: f64, atol: f64) -> Ended {
        let mut method = Explicit::new(2 * N);
        let (mut y, mut rate, mut next, mut next_rate) = ([0.0; 2 * N], [0.0; 2 * N], [0.0; 2 * N], [0.0; 2 * N]);
        y[..N].copy_from_slice(start);
        let (mut t, mut h, mut size) = (0.0, 1e-4 * until, [1.0, 1.0]);
        let (mut steps, mut rejected, mut again) = (0, 0, false);
        let Ok(()) = self.rate(t, &y, &mut rate);
        while t < until {
            let last = t + 1.01 * h >= until;
            let length = if last { until - t } else { h };
            for (level, size) in size.iter_mut().enumerate() {
                *size = y[level * N..(level + 1) * N].iter().fold(*size, |m: f64, x| m.max(x.abs()));
            }
            let tolerance: [f64; 2 * N] = std::array::from_fn(|i| {
                SHARE * (atol * size[i / N] + rtol * y[i].abs().max((y[i] + length * rate[i]).abs()))
            });
            let Ok(error) = method.attempt(self, t, length, &y, &rate, &tolerance, &mut next);
            if error > 1.0 || !self.project(&mut next) {
                rejected += 1;
                again = true;
                h = length * (0.9 * error.powf(-0.125)).clamp(0.1, 0.9);
                continue;
            }
            t = if last { until } else { t + length };
            let Ok(()) = self.rate(t, &next, &mut next_rate);
            (y, rate) = (next, next_rate);
            steps += 1;
            h = length * (0.9 * error.max(1e-14).powf(-0.125)).clamp(0.333, if again { 1.0 } else { 6.0 });
            again = false;
        }
        Ended { state: y, steps, rejected }
    }
}

impl Field for Squeezer {
    type Failure = std::convert::Infallible;

    fn coordinates(&self) -> usize {
        N
    }

    fn quadratures(&self) -> usize {
        0
    }

    fn rate(&mut self, _: f64, y: &[f64], rate: &mut [f64]) -> Result<(), Self::Failure> {
        if let Some((q, rest)) = y.split_first_chunk::<N>()
            && let Some(v) = rest.first_chunk::<N>()
        {
            self.evaluations += 1;
            self.equations.evaluate(q, v);
            self.factor();
            let acceleration = self.respond(&self.equations.force, &self.equations.b);
            rate[..N].copy_from_slice(v);
            rate[N..].copy_from_slice(&acceleration);
        }
        Ok(())
    }
}
