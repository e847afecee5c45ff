//! The explicit method of order 8(5,3), a step at a time, on memory of its own.

use super::field::Field;
use super::tableau::*;

/// Stages of a step, and those that its dense output adds.
const STAGES: usize = 16;

/// A step of the explicit method of order 8, its error estimate and its dense output.
///
/// It allocates when it is made, and never again. The caller controls the length of steps and may change the end of a
/// step (by projection, say) before the dense output is made, which then leads there.
///
/// ```
/// use holonom_simulate::integrate::{Explicit, Field};
///
/// struct Oscillator;
/// impl Field for Oscillator {
///     type Failure = ();
///     fn coordinates(&self) -> usize {
///         1
///     }
///     fn quadratures(&self) -> usize {
///         0
///     }
///     fn rate(&mut self, _: f64, y: &[f64], rate: &mut [f64]) -> Result<(), ()> {
///         rate.copy_from_slice(&[y[1], -y[0]]);
///         Ok(())
///     }
/// }
///
/// let (mut method, mut next) = (Explicit::new(2), [0.0; 2]);
/// let error = method.attempt(&mut Oscillator, 0.0, 0.1, &[1.0, 0.0], &[0.0, -1.0], &[1.0; 2], &mut next)?;
/// assert!((next[0] - 0.1f64.cos()).abs() < 1e-14 && error < 1e-10);
/// # Ok::<(), ()>(())
/// ```
#[derive(Clone, Debug)]
pub struct Explicit {
    size: usize,
    /// The rates of the stages, one after the other.
    rates: Vec<f64>,
    stage: Vec<f64>,
    /// y(θ) = y₀ + θ(c₀ + (1−θ)(c₁ + θ(c₂ + (1−θ)(…)))).
    dense: [Vec<f64>; 7],
    /// The error estimates of orders 5 and 3.
    errors: [Vec<f64>; 2],
    from: Vec<f64>,
    /// The last stage of the step, which is at its end as well.
    last_stage: Vec<f64>,
    /// Where the last step began, and how long it was.
    t: f64,
    h: f64,
}

impl Explicit {
    /// The method for states of a size.
    pub fn new(size: usize) -> Self {
        let zeros = || vec![0.0; size];
        Self {
            size,
            rates: vec![0.0; STAGES * size],
            stage: zeros(),
            dense: std::array::from_fn(|_| zeros()),
            errors: [zeros(), zeros()],
            from: zeros(),
            last_stage: zeros(),
            t: 0.0,
            h: 0.0,
        }
    }

    /// Tries a step of length `h` from y, whose rate is known, and returns its error, measured in `scale`.
    ///
    /// `scale` is over the first components, those whose errors count; the root of the mean square is returned.
    ///
    /// # Errors
    /// Where the field has no rate.
    #[allow(clippy::too_many_arguments)]
    pub fn attempt<F: Field>(
        &mut self,
        field: &mut F,
        t: f64,
        h: f64,
        y: &[f64],
        rate: &[f64],
        scale: &[f64],
        next: &mut [f64],
    ) -> Result<f64, F::Failure> {
        (self.t, self.h) = (t, h);
        self.from.copy_from_slice(y);
        self.rates[..self.size].copy_from_slice(rate);
        self.stage(field, 1, &STAGE_1)?;
        self.stage(field, 2, &STAGE_2)?;
        self.stage(field, 3, &STAGE_3)?;
        self.stage(field, 4, &STAGE_4)?;
        self.stage(field, 5, &STAGE_5)?;
        self.stage(field, 6, &STAGE_6)?;
        self.stage(field, 7, &STAGE_7)?;
        self.stage(field, 8, &STAGE_8)?;
        self.stage(field, 9, &STAGE_9)?;
        self.stage(field, 10, &STAGE_10)?;
        self.stage(field, 11, &STAGE_11)?;
        combine(&self.rates, &self.from, h, &NEXT, next);
        self.last_stage.copy_from_slice(&self.stage);
        self.stage.fill(0.0);
        let [fifth, third] = &mut self.errors;
        combine(&self.rates, &self.stage, h, &ERROR_5, fifth);
        combine(&self.rates, &self.stage, h, &ERROR_3, third);
        Ok(self.error(scale))
    }

    /// The error estimates of the last attempt, of orders 5 and 3: whoever knows that a part of them will be taken away may do
    /// so, and ask for the [error](Self::error) that is left.
    pub fn error_estimates(&mut self) -> &mut [Vec<f64>; 2] {
        &mut self.errors
    }

    /// Evaluates the field at a stage.
    fn stage<F: Field, const N: usize>(
        &mut self,
        field: &mut F,
        number: usize,
        terms: &Terms<N>,
    ) -> Result<(), F::Failure> {
        combine(&self.rates, &self.from, self.h, terms, &mut self.stage);
        let rate = &mut self.rates[number * self.size..(number + 1) * self.size];
        field.rate(self.t + TIMES[number] * self.h, &self.stage, rate)
    }

    /// The error of the last attempt, measured in `scale`: the estimate of order 5, tamed by that of order 3.
    pub fn error(&self, scale: &[f64]) -> f64 {
        let [fifth, third] = &self.errors;
        let (mut five, mut three) = (0.0, 0.0);
        for ((fifth, third), scale) in fifth.iter().zip(third).zip(scale) {
            five += (fifth / scale) * (fifth / scale);
            three += (third / scale) * (third / scale);
        }
        if five == 0.0 {
            return 0.0;
        }
        five / ((five + 0.01 * three) * scale.len() as f64).sqrt()
    }

    /// The step times the rate at which differences between two states at its end grow, over the first `counted` components;
    /// `rate` is the rate at the end, `next`. Beyond 6.1 the method is at the edge of its stability: the problem is stiff.
    pub fn stiffness(&self, next: &[f64], rate: &[f64], counted: usize) -> f64 {
        let before = &self.rates[11 * self.size..12 * self.size];
        let distance = |a: &[f64], b: &[f64]| -> f64 {
            a.iter().zip(b).take(counted).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
        };
        let apart = distance(next, &self.last_stage);
        if apart > 0.0 { self.h.abs() * distance(rate, before) / apart } else { 0.0 }
    }

    /// Makes the dense output of the last step: three more evaluations. `next` is where the step ended, and `rate` the rate there.
    ///
    /// # Errors
    /// Where the field has no rate.
    pub fn make_dense<F: Field>(&mut self, field: &mut F, next: &[f64], rate: &[f64]) -> Result<(), F::Failure> {
        let (size, h) = (self.size, self.h);
        self.rates[12 * size..13 * size].copy_from_slice(rate);
        self.stage(field, 13, &STAGE_13)?;
        self.stage(field, 14, &STAGE_14)?;
        self.stage(field, 15, &STAGE_15)?;
        let [change, start, end, rest @ ..] = &mut self.dense;
        for i in 0..size {
            let (k0, k1) = (h * self.rates[i], h * rate[i]);
            change[i] = next[i] - self.from[i];
            start[i] = k0 - change[i];
            end[i] = 2.0 * change[i] - (k0 + k1);
        }
        let [c3, c4, c5, c6] = rest;
        self.stage.fill(0.0);
        combine(&self.rates, &self.stage, h, &DENSE_0, c3);
        combine(&self.rates, &self.stage, h, &DENSE_1, c4);
        combine(&self.rates, &self.stage, h, &DENSE_2, c5);
        combine(&self.rates, &self.stage, h, &DENSE_3, c6);
        Ok(())
    }

    /// The state at a part of the last step, 0 ≤ θ ≤ 1; after [`Explicit::make_dense`].
    pub fn interpolate(&self, theta: f64, out: &mut [f64]) {
        let (x, y) = (theta, 1.0 - theta);
        let [c0, c1, c2, c3, c4, c5, c6] = &self.dense;
        for i in 0..self.size {
            let inner = c3[i] + x * (c4[i] + y * (c5[i] + x * c6[i]));
            out[i] = self.from[i] + x * (c0[i] + y * (c1[i] + x * (c2[i] + y * inner)));
        }
    }
}

/// out = y + h Σ c·rate, over the stages that enter.
fn combine<const N: usize>(rates: &[f64], y: &[f64], h: f64, terms: &Terms<N>, out: &mut [f64]) {
    let size = out.len();
    let y = &y[..size];
    let sources: [&[f64]; N] = std::array::from_fn(|k| &rates[terms[k].0 * size..][..size]);
    for i in 0..size {
        let mut sum = 0.0;
        for k in 0..N {
            sum += terms[k].1 * sources[k][i];
        }
        out[i] = y[i] + h * sum;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// q̈ = −q with a force that depends on time: q = cos t + t sin t.
    struct Driven;

    impl Field for Driven {
        type Failure = ();
        fn coordinates(&self) -> usize {
            1
        }
        fn quadratures(&self) -> usize {
            1
        }
        fn rate(&mut self, t: f64, y: &[f64], rate: &mut [f64]) -> Result<(), ()> {
            rate.copy_from_slice(&[y[1], 2.0 * t.cos() - y[0], y[0]]);
            Ok(())
        }
    }

    fn exact(t: f64) -> [f64; 2] {
        [t.cos() + t * t.sin(), t * t.cos()]
    }

    /// Errors at the end of `steps` steps over one unit of time, and the largest inside.
    fn errors(steps: usize) -> (f64, f64) {
        let mut method = Explicit::new(3);
        let (mut y, mut rate, mut next, mut next_rate) = ([1.0, 0.0, 0.0], [0.0; 3], [0.0; 3], [0.0; 3]);
        let h = 2.0 / steps as f64;
        Driven.rate(0.0, &y, &mut rate).unwrap();
        let mut inside: f64 = 0.0;
        for step in 0..steps {
            let t = step as f64 * h;
            method.attempt(&mut Driven, t, h, &y, &rate, &[1.0; 2], &mut next).unwrap();
            Driven.rate(t + h, &next, &mut next_rate).unwrap();
            method.make_dense(&mut Driven, &next, &next_rate).unwrap();
            for theta in [0.2, 0.45, 0.7] {
                let mut middle = [0.0; 3];
                method.interpolate(theta, &mut middle);
                inside = inside.max((middle[0] - exact(t + theta * h)[0]).abs());
            }
            (y, rate) = (next, next_rate);
        }
        ((y[0] - exact(2.0)[0]).abs(), inside)
    }

    #[test]
    fn order_of_convergence() {
        let (coarse, fine) = (errors(4), errors(8));
        let order = |a: f64, b: f64| (a / b).log2();
        assert!((7.5..9.5).contains(&order(coarse.0, fine.0)), "{coarse:?} {fine:?}");
        assert!((6.5..9.5).contains(&order(coarse.1, fine.1)), "{coarse:?} {fine:?}");
    }

    #[test]
    fn dense_output_leads_from_one_end_to_the_other() {
        let mut method = Explicit::new(3);
        let (y, mut rate, mut next, mut next_rate) = ([1.0, 0.0, 0.0], [0.0; 3], [0.0; 3], [0.0; 3]);
        Driven.rate(0.0, &y, &mut rate).unwrap();
        method.attempt(&mut Driven, 0.0, 0.5, &y, &rate, &[1.0; 2], &mut next).unwrap();
        next[0] += 1e-6; // the caller moved the end
        Driven.rate(0.5, &next, &mut next_rate).unwrap();
        method.make_dense(&mut Driven, &next, &next_rate).unwrap();
        let mut out = [0.0; 3];
        method.interpolate(0.0, &mut out);
        assert_eq!(out, y);
        method.interpolate(1.0, &mut out);
        assert!(out.iter().zip(next).all(|(a, b)| (a - b).abs() < 1e-15), "{out:?} {next:?}");
    }
}
