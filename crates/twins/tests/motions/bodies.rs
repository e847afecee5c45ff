//! Bodies with a unit quaternion: M is singular, and its null vector turns.

use crate::harness::expected;
use crate::truth::{self, integrate};

/// Euler's equations of a free body, inertia 1, 2, 3.
fn euler(t: f64) -> Vec<f64> {
    let rate = |_: f64, w: &[f64]| vec![-w[1] * w[2], w[2] * w[0], -w[0] * w[1] / 3.0];
    integrate(rate, &[0.01, 1.0, 0.0], t, (t * 4.0) as usize + 1)
}

/// P9: Euler's equations give 20.754609764669 s between two flips.
#[test]
fn the_truth_of_the_free_body_has_its_period() {
    let w = euler(2.0 * 20.754609764669);
    assert!((w[0] - 0.01).abs() < 1e-10 && (w[1] - 1.0).abs() < 1e-10 && w[2].abs() < 1e-10, "{w:?}");
}

#[test]
fn a_free_body() {
    expected("free-body", 25.0, 1.0).follows(euler);
}

#[test]
fn a_free_body_started_turned() {
    expected("free-body-turned", 25.0, 1.0).follows(euler);
}

#[test]
fn a_body_that_turns_about_one_axis() {
    expected("crawl", 20.0, 1.0).follows(|t| vec![(t / 2.0).cos(), (t / 2.0).sin()]);
}

/// Newton and Euler in space: J ω′ = −ω × Jω + torque, with a unit quaternion that no row holds.
#[test]
fn a_heavy_top() {
    let moments = [0.4, 0.4, 0.1];
    let (s, c) = 0.3f64.sin_cos();
    let axis = truth::turn(&[c, s, 0.0, 0.0], &[0.0, 0.0, 1.0]);
    let start = [c, s, 0.0, 0.0, 30.0 * axis[0], 30.0 * axis[1], 30.0 * axis[2]];
    let rate = |_: f64, y: &[f64]| {
        let (q, w) = y.split_at(4);
        let tensor = truth::inertia(q, &moments);
        let axis = truth::turn(q, &[0.0, 0.0, 1.0]);
        let torque = truth::cross(&axis.map(|x| 0.5 * x), &[0.0, 0.0, -9.81]);
        let gyroscopic = truth::cross(w, &truth::times(&tensor, w));
        let right = (0..3).map(|i| torque[i] - gyroscopic[i]).collect();
        let mut out = truth::quaternion_rate(q, w).to_vec();
        out.extend(truth::solve(tensor.iter().map(|row| row.to_vec()).collect(), right));
        out
    };
    expected("heavy-top", 3.0, 1.0)
        .follows(|t| truth::turn(&integrate(rate, &start, t, 100)[..4], &[0.0, 0.0, 1.0]).to_vec());
}

/// Two bodies on ball joints by d'Alembert's principle in (ω₁, ω₂): Σ Jᵀ(m a − m g) + Iω′ + ω × Iω = 0.
#[test]
fn two_bodies_on_ball_joints() {
    let moments = [0.02, 0.05, 0.06];
    let start = [1.0, 0.0, 0.0, 0.0, 0.8, 0.0, 0.6, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    // From the upper joint to the centre and to the lower one.
    let (centre, lower) = ([-0.3, -0.1, -0.4], [-0.5, 0.0, -0.9]);
    let rate = |_: f64, y: &[f64]| {
        let (q, w) = ([&y[0..4], &y[4..8]], [&y[8..11], &y[11..14]]);
        let arms = [truth::turn(q[0], &centre), truth::turn(q[1], &centre)];
        let link = truth::turn(q[0], &lower);
        let swirl = |w: &[f64], r: &[f64]| truth::cross(w, &truth::cross(w, r));
        // The centres move with ω₁ × r and ω₁ × link + ω₂ × r: pairs of a body's ω and an arm.
        let movers = [vec![(0, arms[0])], vec![(0, link), (1, arms[1])]];
        let (mut a, mut b) = (vec![vec![0.0; 6]; 6], vec![0.0; 6]);
        for body in 0..2 {
            let tensor = truth::inertia(q[body], &moments);
            let gyroscopic = truth::cross(w[body], &truth::times(&tensor, w[body]));
            for i in 0..3 {
                (0..3).for_each(|j| a[3 * body + i][3 * body + j] += tensor[i][j]);
                b[3 * body + i] -= gyroscopic[i];
            }
            let mut bias = [0.0, 0.0, -9.81];
            for (of, arm) in &movers[body] {
                let s = swirl(w[*of], arm);
                (0..3).for_each(|i| bias[i] -= s[i]);
            }
            for (of, arm) in &movers[body] {
                let moment = truth::cross(arm, &bias);
                (0..3).for_each(|i| b[3 * of + i] += moment[i]);
                for (by, other) in &movers[body] {
                    for j in 0..3 {
                        let mut basis = [0.0; 3];
                        basis[j] = 1.0;
                        let column = truth::cross(arm, &truth::cross(&basis, other));
                        (0..3).for_each(|i| a[3 * of + i][3 * by + j] += column[i]);
                    }
                }
            }
        }
        let mut out = truth::quaternion_rate(q[0], w[0]).to_vec();
        out.extend(truth::quaternion_rate(q[1], w[1]));
        out.extend(truth::solve(a, b));
        out
    };
    expected("two-bodies", 2.0, 1.0).follows(|t| {
        let y = integrate(rate, &start, t, 200);
        let (link, end) = (truth::turn(&y[0..4], &lower), truth::turn(&y[4..8], &lower));
        (0..3).map(|i| link[i] + end[i]).collect()
    });
}

#[test]
fn a_stewart_platform_with_driven_legs() {
    expected("stewart", 10.0, 1.0)
        .follows(|t| vec![0.1 * t.sin(), 0.05 * (1.0 - (2.0 * t).cos()), 1.0 + 0.1 * (3.0 * t).sin(), 0.0, 0.0, 0.0]);
}

/// Newton and Euler with the multipliers of three legs.
#[test]
fn a_stewart_platform_with_three_springs() {
    let at = |i: usize, shift: f64, radius: f64| {
        let sign = if i.is_multiple_of(2) { 1.0 } else { -1.0 };
        let angle = std::f64::consts::PI * i as f64 / 3.0 + shift * sign;
        [radius * angle.cos(), radius * angle.sin(), 0.0]
    };
    let (base, top) = (|i: usize| at(i, 0.2, 1.0), |i: usize| at(i, -0.3, 0.6));
    let long = |i: usize| {
        let (b, t) = (base(i), top(i));
        ((t[0] - b[0]).powi(2) + (t[1] - b[1]).powi(2) + 1.0).sqrt()
    };
    // p, q, v, ω
    let start = [0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    let rate = |_: f64, y: &[f64]| {
        let (p, q, v, w) = (&y[0..3], &y[3..7], &y[7..10], &y[10..13]);
        let tensor = truth::inertia(q, &[0.2, 0.3, 0.4]);
        let gyroscopic = truth::cross(w, &truth::times(&tensor, w));
        let (mut a, mut b) = (vec![vec![0.0; 9]; 9], vec![0.0; 9]);
        for i in 0..3 {
            a[i][i] = 3.0;
            (0..3).for_each(|j| a[3 + i][3 + j] = tensor[i][j]);
            b[3 + i] = -gyroscopic[i];
        }
        b[2] = -3.0 * 9.81;
        for leg in 1..=6 {
            let r = truth::turn(q, &top(leg));
            let foot = base(leg);
            let way = [0, 1, 2].map(|k| p[k] + r[k] - foot[k]);
            let now = way.iter().map(|x| x * x).sum::<f64>().sqrt();
            let n = way.map(|x| x / now);
            let moment = truth::cross(&r, &n);
            if leg % 2 == 0 {
                let pull = -400.0 * (now - long(leg));
                (0..3).for_each(|k| b[k] += pull * n[k]);
                (0..3).for_each(|k| b[3 + k] += pull * moment[k]);
            } else {
                let row = 6 + leg / 2;
                for k in 0..3 {
                    (a[row][k], a[row][3 + k]) = (n[k], moment[k]);
                    (a[k][row], a[3 + k][row]) = (-n[k], -moment[k]);
                }
                let (turned, swirl) = (truth::cross(w, &r), truth::cross(w, &truth::cross(w, &r)));
                let u = [0, 1, 2].map(|k| v[k] + turned[k]);
                let along: f64 = (0..3).map(|k| n[k] * u[k]).sum();
                let square: f64 = u.iter().map(|x| x * x).sum();
                b[row] = -(0..3).map(|k| n[k] * swirl[k]).sum::<f64>() - (square - along * along) / now;
            }
        }
        let found = truth::solve(a, b);
        let mut out = v.to_vec();
        out.extend(truth::quaternion_rate(q, w));
        out.extend_from_slice(&found[..6]);
        out
    };
    expected("stewart-sprung", 3.0, 1.0).follows(|t| {
        let y = integrate(rate, &start, t, 400);
        let r = truth::turn(&y[3..7], &top(1));
        vec![y[0], y[1], y[2], y[0] + r[0], y[1] + r[1], y[2] + r[2]]
    });
}
