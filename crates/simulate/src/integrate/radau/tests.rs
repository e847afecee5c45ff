//! Laws of the method: its order, what stiffness costs, what is between steps.

use super::super::field::{Field, StiffField};
use super::{Attempt, Radau, RadauCounts};

/// A field from two closures over (t, q, q̇): q̈ and its derivatives. Its quadrature is the power of `work`.
struct Given<A, J> {
    n: usize,
    acceleration: A,
    jacobian: J,
}

impl<A, J> Field for Given<A, J>
where
    A: Fn(f64, &[f64], &[f64], &mut [f64]),
{
    type Failure = &'static str;

    fn coordinates(&self) -> usize {
        self.n
    }

    fn quadratures(&self) -> usize {
        1
    }

    fn rate(&mut self, t: f64, y: &[f64], rate: &mut [f64]) -> Result<(), &'static str> {
        let n = self.n;
        let (q, v) = (&y[..n], &y[n..2 * n]);
        rate[..n].copy_from_slice(v);
        (self.acceleration)(t, q, v, &mut rate[n..2 * n]);
        // ∫ q̈·q̇ dt is the growth of q̇²/2.
        rate[2 * n] = v.iter().zip(&rate[n..]).map(|(v, a)| v * a).sum();
        if rate.iter().all(|x| x.is_finite()) { Ok(()) } else { Err("no number") }
    }
}

impl<A, J> StiffField for Given<A, J>
where
    A: Fn(f64, &[f64], &[f64], &mut [f64]),
    J: Fn(f64, &[f64], &[f64], &mut [f64], &mut [f64]),
{
    fn jacobian(&mut self, t: f64, y: &[f64], q: &mut [f64], v: &mut [f64]) -> Result<(), &'static str> {
        (self.jacobian)(t, &y[..self.n], &y[self.n..2 * self.n], q, v);
        Ok(())
    }
}

/// A pendulum that drags and is driven: nonlinear in position, velocity and time.
fn driven() -> impl StiffField<Failure = &'static str> {
    Given {
        n: 1,
        acceleration: |t: f64, q: &[f64], v: &[f64], a: &mut [f64]| {
            a[0] = -q[0].sin() - 0.3 * v[0] * v[0] * v[0] + 0.5 * (1.3 * t).cos() * q[0];
        },
        jacobian: |t: f64, q: &[f64], v: &[f64], by_q: &mut [f64], by_v: &mut [f64]| {
            by_q[0] = -q[0].cos() + 0.5 * (1.3 * t).cos();
            by_v[0] = -0.9 * v[0] * v[0];
        },
    }
}

/// Van der Pol's oscillator in the time of its slow motion: q̈ = µ((1 − q²)q̇ − q).
fn van_der_pol(mu: f64) -> impl StiffField<Failure = &'static str> {
    Given {
        n: 1,
        acceleration: move |_: f64, q: &[f64], v: &[f64], a: &mut [f64]| {
            a[0] = mu * ((1.0 - q[0] * q[0]) * v[0] - q[0]);
        },
        jacobian: move |_: f64, q: &[f64], v: &[f64], by_q: &mut [f64], by_v: &mut [f64]| {
            by_q[0] = mu * (-2.0 * q[0] * v[0] - 1.0);
            by_v[0] = mu * (1.0 - q[0] * q[0]);
        },
    }
}

/// With steps of one length, and tolerances that leave nothing of Newton's method: the end, and the largest error of what is
/// between steps against `at`.
fn fixed<F>(field: &mut F, y: &[f64], end: f64, steps: usize, mut between: impl FnMut(f64, &[f64])) -> Vec<f64>
where
    F: StiffField<Failure = &'static str>,
{
    let mut method = Radau::new(field.coordinates(), field.quadratures());
    let (mut y, mut next, mut rate) = (y.to_vec(), y.to_vec(), vec![0.0; y.len()]);
    let (h, scale) = (end / steps as f64, vec![1e-11; y.len()]);
    for step in 0..steps {
        let t = step as f64 * h;
        field.rate(t, &y, &mut rate).expect("a rate");
        let outcome = method.attempt(field, t, h, &y, &rate, &scale, &mut next).expect("a Jacobian");
        assert!(matches!(outcome, Attempt::Done { .. }), "{outcome:?} at {t}");
        for i in 0..=8 {
            let theta = f64::from(i) / 8.0;
            method.interpolate(theta, &mut rate);
            between(t + theta * h, &rate);
        }
        assert_eq!(rate, next, "the polynomial ends where the step does");
        method.accepted();
        y.copy_from_slice(&next);
    }
    y
}

/// With error control: the end, the number of steps taken and refused, and the work.
fn controlled<F>(field: &mut F, y: &[f64], end: f64, tolerance: f64) -> (Vec<f64>, usize, usize, RadauCounts)
where
    F: StiffField<Failure = &'static str>,
{
    let n = field.coordinates();
    let mut method = Radau::new(n, field.quadratures()).relaxed(tolerance);
    let (mut y, mut next, mut rate) = (y.to_vec(), y.to_vec(), vec![0.0; y.len()]);
    let (mut t, mut h, mut scale) = (0.0, 1e-6 * end, vec![0.0; 2 * n]);
    let (mut taken, mut refused) = (0, 0);
    while t < end {
        assert!(taken + refused < 100_000 && h > 1e-15 * end, "at {t}, h = {h}");
        scale.iter_mut().zip(&y).for_each(|(s, y)| *s = tolerance * (1.0 + y.abs()));
        field.rate(t, &y, &mut rate).expect("a rate");
        match method.attempt(field, t, h, &y, &rate, &scale, &mut next).expect("a Jacobian") {
            Attempt::Done { error } => {
                let wish = h * (0.9 * error.powf(-0.25)).clamp(0.2, 8.0);
                if error <= 1.0 {
                    t += h;
                    taken += 1;
                    method.accepted();
                    y.copy_from_slice(&next);
                    h = if t + wish >= end { end - t } else { method.favour(wish) };
                } else {
                    refused += 1;
                    h = wish;
                }
            }
            Attempt::NotConverged { .. } => {
                refused += 1;
                h *= 0.5;
            }
        }
    }
    (y, taken, refused, method.counts)
}

#[test]
fn the_order_is_five() {
    let start = [1.0, 0.4, 0.0];
    let reference = fixed(&mut driven(), &start, 4.0, 1280, |_, _| {});
    let error = |steps: usize| {
        let y = fixed(&mut driven(), &start, 4.0, steps, |_, _| {});
        (0..3).map(|i| (y[i] - reference[i]).abs()).fold(0.0, f64::max)
    };
    let errors: Vec<f64> = [10, 20, 40, 80].into_iter().map(error).collect();
    for pair in errors.windows(2) {
        let order = (pair[0] / pair[1]).log2();
        assert!((4.7..5.3).contains(&order), "{errors:?}");
    }
}

/// Between steps as well as at their ends: of order 5, and q̇ is the rate of q.
#[test]
fn what_is_between_steps_has_its_order() {
    let start = [1.0, 0.4, 0.0];
    let mut exact = std::collections::BTreeMap::new();
    fixed(&mut driven(), &start, 4.0, 1280, |t, y| {
        exact.insert((t * 2560.0).round() as i64, y.to_vec());
    });
    let errors: Vec<f64> = [10, 20, 40, 80]
        .into_iter()
        .map(|steps| {
            let mut worst = 0.0f64;
            fixed(&mut driven(), &start, 4.0, steps, |t, y| {
                let exact = &exact[&((t * 2560.0).round() as i64)];
                worst = (0..3).map(|i| (y[i] - exact[i]).abs()).fold(worst, f64::max);
            });
            worst
        })
        .collect();
    for pair in errors.windows(2) {
        let order = (pair[0] / pair[1]).log2();
        assert!((4.5..5.5).contains(&order), "{errors:?}");
    }
}

#[test]
fn velocities_between_steps_are_the_rates_of_positions() {
    let mut field = van_der_pol(30.0);
    let (y, mut rate, mut next) = ([1.5, 0.4, 0.0], [0.0; 3], [0.0; 3]);
    field.rate(0.0, &y, &mut rate).expect("a rate");
    let mut method = Radau::new(1, 1);
    let outcome = method.attempt(&mut field, 0.0, 0.02, &y, &rate, &[1e-9; 2], &mut next);
    assert!(matches!(outcome, Ok(Attempt::Done { .. })), "{outcome:?}");
    let at = |theta: f64| {
        let mut y = [0.0; 3];
        method.interpolate(theta, &mut y);
        y
    };
    for theta in [0.1, 0.4, 0.9] {
        let slope = (at(theta + 1e-5)[0] - at(theta - 1e-5)[0]) / 4e-7;
        assert!((slope - at(theta)[1]).abs() < 1e-8, "{slope} is not {}", at(theta)[1]);
    }
}

/// What moves at a constant speed keeps Newton's method idle, and steps may grow.
#[test]
fn free_motion_takes_any_step() {
    let mut field = Given {
        n: 1,
        acceleration: |_: f64, _: &[f64], _: &[f64], a: &mut [f64]| a[0] = 0.0,
        jacobian: |_: f64, _: &[f64], _: &[f64], by_q: &mut [f64], by_v: &mut [f64]| (by_q[0], by_v[0]) = (0.0, 0.0),
    };
    let (y, taken, refused, counts) = controlled(&mut field, &[1.0, 2.0, 0.0], 1000.0, 1e-9);
    assert!((y[0] - 2001.0).abs() < 1e-9);
    assert!(taken < 30 && refused == 0 && counts.jacobians <= 2, "{taken}, {refused}, {counts:?}");
}

/// Hairer & Wanner II, chapter IV.10, problem VDPOL with µ = 10⁶ in scaled time: y(2).
#[test]
fn a_very_stiff_oscillator_takes_few_steps() {
    let (y, taken, refused, counts) = controlled(&mut van_der_pol(1e6), &[2.0, 0.0, 0.0], 2.0, 1e-7);
    assert!((y[0] - 1.706_167_732_170_457).abs() < 1e-5, "{y:?}");
    assert!((y[1] + 0.892_809_701_024_790_4).abs() < 1e-5, "{y:?}");
    assert!(taken + refused < 1000 && counts.jacobians < taken, "{taken} + {refused}, {counts:?}");
}

/// A spring a million times as stiff as the motion needs, damped: steps are those of the slow motion.
#[test]
fn a_stiff_spring_costs_nothing_once_it_is_at_rest() {
    let field = |k: f64| Given {
        n: 2,
        acceleration: move |t: f64, q: &[f64], v: &[f64], a: &mut [f64]| {
            a[0] = -q[0] + 0.1 * q[1];
            a[1] = -k * (q[1] - t.sin() * q[0]) - 2.0 * k.sqrt() * v[1];
        },
        jacobian: move |t: f64, _: &[f64], _: &[f64], q: &mut [f64], v: &mut [f64]| {
            q.copy_from_slice(&[-1.0, 0.1, k * t.sin(), -k]);
            v.copy_from_slice(&[0.0, 0.0, 0.0, -2.0 * k.sqrt()]);
        },
    };
    let start = [1.0, 0.0, 0.0, 1.0, 0.0];
    let (_, soft, ..) = controlled(&mut field(1e2), &start, 10.0, 1e-6);
    let (_, stiff, refused, _) = controlled(&mut field(1e10), &start, 10.0, 1e-6);
    assert!(stiff + refused < 2 * soft, "{stiff} + {refused} against {soft}");
}

/// Newton's method reaches tolerances near rounding, and a quadrature follows the motion.
#[test]
fn tight_tolerances_are_met() {
    let exact = fixed(&mut driven(), &[1.0, 0.4, 0.0], 4.0, 1280, |_, _| {});
    for tolerance in [1e-6, 1e-9, 1e-11] {
        let (y, taken, refused, counts) = controlled(&mut driven(), &[1.0, 0.4, 0.0], 4.0, tolerance);
        assert!((0..2).all(|i| (y[i] - exact[i]).abs() < 10.0 * tolerance), "{tolerance}: {y:?}");
        assert!((y[2] - (y[1] * y[1] - 0.16) / 2.0).abs() < 100.0 * tolerance, "{tolerance}: {y:?}");
        assert!(refused * 10 <= taken + 20, "{taken}, {refused}");
        assert!(counts.iterations < 4 * (taken + refused), "{taken}, {refused}, {counts:?}");
    }
}

/// A rate that does not exist beyond q = 1: shorter steps come closer, and the reason is handed on.
#[test]
fn rates_that_fail_at_stages_ask_for_shorter_steps() {
    let mut field = Given {
        n: 1,
        acceleration: |_: f64, q: &[f64], _: &[f64], a: &mut [f64]| a[0] = (1.0 - q[0]).sqrt(),
        jacobian: |_: f64, q: &[f64], _: &[f64], by_q: &mut [f64], by_v: &mut [f64]| {
            (by_q[0], by_v[0]) = (-0.5 / (1.0 - q[0]).sqrt(), 0.0);
        },
    };
    let mut method = Radau::new(1, 1);
    let (y, mut rate, mut next) = ([0.5, 1.0, 0.0], [0.0; 3], [0.0; 3]);
    field.rate(0.0, &y, &mut rate).expect("a rate");
    let mut attempt = |h| method.attempt(&mut field, 0.0, h, &y, &rate, &[1e-9; 2], &mut next);
    assert_eq!(attempt(2.0), Ok(Attempt::NotConverged { failure: Some("no number") }));
    assert!(matches!(attempt(0.01), Ok(Attempt::Done { .. })));
}

#[test]
fn a_second_try_from_the_same_state_keeps_its_jacobian() {
    let mut field = driven();
    let mut method = Radau::new(1, 1);
    let (y, mut rate, mut next) = ([1.0, 0.4, 0.0], [0.0; 3], [0.0; 3]);
    field.rate(0.0, &y, &mut rate).expect("a rate");
    for (h, factorisations) in [(0.2, 1), (0.1, 2), (0.1, 2)] {
        method.attempt(&mut field, 0.0, h, &y, &rate, &[1e-9; 2], &mut next).expect("a Jacobian");
        assert_eq!((method.counts.jacobians, method.counts.factorisations), (1, factorisations));
    }
    method.restart();
    method.attempt(&mut field, 0.0, 0.1, &y, &rate, &[1e-9; 2], &mut next).expect("a Jacobian");
    assert_eq!((method.counts.jacobians, method.counts.factorisations), (2, 3));
}
