//! The papers' own examples, with the numbers they print.

use super::*;

/// 2006, example 1: the wheel of (5.6) to (5.12) rolls as (5.17); example 2 adds a massless particle.
#[test]
fn the_wheel() {
    let (m, R, Ic, g) = (2.0, 0.5, 0.25, 9.81);
    for degrees in [5.0_f64, 30.0, 80.0] {
        let sin = Twofold::from(degrees.to_radians().sin());
        let [m, R, Ic, g] = [m, R, Ic, g].map(Twofold::from);
        let zero = Twofold::zero();
        let inertia = m * R * R + Ic;
        let expected = [m * g * R * sin / inertia, m * g * R * R * sin * sin / inertia];
        let wheel = Instant {
            M: Matrix::diagonal(&[inertia, zero]),
            Q: vec![zero, m * g],
            A: Matrix::column(&[-R * sin, Twofold::one()]).transpose(),
            b: vec![zero],
            C: vec![zero; 2],
            ranks: Ranks { A: 1, Mhat: 2 },
        };
        for motion in [wheel.by_2006(), wheel.by_parts()] {
            assert_near(&motion.qdd, &expected, 1e-29, "(5.17)");
            assert_near(&motion.lambda, &[-m * g], 1e-29, "the constraint carries the weight");
            assert_eq!((motion.rank_A, motion.rank_Mhat, motion.null_space.cols()), (1, 2, 0));
        }
        let particle = Instant {
            M: Matrix::diagonal(&[inertia, zero, zero]),
            Q: vec![zero, m * g, zero],
            A: Matrix::column(&[-R * sin, Twofold::one(), zero]).transpose(),
            C: vec![zero; 3],
            ..wheel
        };
        for motion in [particle.by_2006(), particle.by_parts()] {
            assert_near(&motion.qdd, &[expected[0], expected[1], zero], 1e-29, "(5.23)");
            assert_near(&[motion.null_space.get(2, 0).abs()], &[Twofold::one()], 1e-29, "x is free");
        }
        let mut pushed = Instant { ..particle };
        pushed.Q[2] = Twofold::from(3.0);
        assert_near(&pushed.by_parts().unbalanced, &lift(&[0.0, 0.0, 3.0]), 1e-29, "a force on no mass");
    }
}

/// 2006, example 3: (5.39), and (5.47) with its hidden constraint.
#[test]
fn two_masses_in_parts() {
    let [m1, m2, k1, k2, x1, q2] = [2.0, 3.0, 5.0, 7.0, 0.1, -0.2].map(Twofold::from);
    let zero = Twofold::zero();
    let mass = |m1, m2| {
        Matrix::from_fn(3, 3, |i, j| match (i, j) {
            (0, 0) => m1,
            (0, _) | (_, 0) => zero,
            _ => m2,
        })
    };
    let connected = Instant {
        M: mass(m1, m2),
        Q: vec![-k1 * x1, zero, -k2 * q2],
        A: Matrix::from_f64(1, 3, &[1.0, -1.0, 0.0]),
        b: vec![zero],
        C: vec![zero; 3],
        ranks: Ranks { A: 1, Mhat: 3 },
    };
    let first = (-k1 * x1 + k2 * q2) / m1;
    for motion in [connected.by_2006(), connected.by_parts()] {
        assert_near(&motion.qdd, &[first, first, -first - k2 * q2 / m2], 1e-29, "(5.39)");
    }
    let massless = Instant {
        M: mass(zero, m2),
        A: connected.A.stack(&Matrix::column(&[k1, zero, -k2]).transpose()),
        b: vec![zero; 2],
        ranks: Ranks { A: 2, Mhat: 3 },
        ..connected
    };
    let common = -k1 * k2 * (x1 + q2) / (m2 * (k1 + k2) * (k1 + k2));
    for motion in [massless.by_2006(), massless.by_parts()] {
        assert_near(&motion.qdd, &[common * k2, common * k2, common * k1], 1e-29, "(5.47)");
    }
}

/// Udwadia 2005, (39) with the sign of ERRATA: a block sliding up a rough incline.
#[test]
fn the_rough_incline() {
    let (m, g, mu, theta) = (2.0, 9.81, 0.2, 30f64.to_radians());
    let (sin, cos) = theta.sin_cos();
    let force = mu * m * g * cos;
    let motion = motion_2005(
        &Matrix::<f64>::identity(2).scaled(m),
        &[0.0, -m * g],
        &Matrix::from_f64(1, 2, &[-theta.tan(), 1.0]),
        &[0.0],
        &[-force * cos, -force * sin],
        Cut::Rank(1),
    )
    .unwrap();
    assert!((motion.Qi[1] - m * g * cos * cos).abs() < 1e-13);
    assert!((motion.Qni[0] + force * cos).abs() < 1e-13);
    assert!((motion.qdd[0] + g * cos * (sin + mu * cos)).abs() < 1e-13);
}
