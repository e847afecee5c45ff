//! Coordinates without mass, whose rows turn.

use crate::harness::expected;
use crate::truth::{distance, integrate, points_rate};

#[test]
fn an_angle_as_a_sum() {
    // b (1 + b²/10) = a + sin(2a) with a = 0.5, by Newton's method.
    let right = 0.5 + 1f64.sin();
    let b = (0..50).fold(1.0, |b: f64, _| b - (b * (1.0 + b * b / 10.0) - right) / (1.0 + 0.3 * b * b));
    let rate = |_: f64, y: &[f64]| vec![y[1], -9.81 * y[0].sin()];
    expected("redundant-angles", 10.0, 1.0).follows(|t| {
        let angle = integrate(rate, &[0.5 + b, 0.0], t, 400)[0];
        vec![angle.sin(), angle.cos()]
    });
}

/// Units of what has no mass follow from row to row: 3¹⁴ is no part of any mass.
#[test]
fn a_train_of_massless_gears() {
    expected("massless-train", 5.0, 1.0).follows(|t| vec![t.cos()]);
}

#[test]
fn a_massless_blade() {
    expected("turning-null", 10.0, 1.0).follows(|t| vec![(2.0 * t).sin() / 2.0, (1.0 - (2.0 * t).cos()) / 2.0]);
}

/// The ring's place follows from the bob's: the thread's pull along the rod balances the spring.
#[test]
fn a_massless_ring() {
    let (l, inertia, k) = (0.5f64, 0.3, 20.0);
    let start = [0.0, 1.5, -0.4, 0.5, 0.0, 0.0];
    // The least velocities, in the mass norm, that the rows allow with φ′ = 0.5: the bob's take part, the ring's cost nothing.
    let rate = |_: f64, y: &[f64]| {
        let (s, c) = y[0].sin_cos();
        let (u, w) = ([c, s], [-s, c]);
        let side = y[1] * w[0] + y[2] * w[1];
        let place = y[1] * u[0] + y[2] * u[1] - (l * l - side * side).sqrt();
        let n = [(y[1] - place * u[0]) / l, (y[2] - place * u[1]) / l];
        let pull = k * (place - 1.0) / (n[0] * u[0] + n[1] * u[1]);
        let turning = pull * place * (n[0] * w[0] + n[1] * w[1]) / inertia;
        vec![y[3], y[4], y[5], turning, -pull * n[0], -9.81 - pull * n[1]]
    };
    expected("massless-ring", 0.5, 1.0).follows(|t| integrate(rate, &start, t, 200)[1..3].to_vec());
}

#[test]
fn massless_links() {
    let mut mass = vec![vec![0.0; 4]; 4];
    (0..4).for_each(|i| mass[i][i] = 1.0);
    let force = [0.0, -9.81, 0.0, -9.81];
    let rows = [distance(2, 0, None, vec![0.0; 2]), distance(2, 1, Some(0), vec![])];
    let one = [0.7 * 1f64.sin(), -0.7 * 1f64.cos()];
    let two = [one[0] - 0.7 * 0.5f64.sin(), one[1] - 0.7 * 0.5f64.cos()];
    let start = [one[0], one[1], two[0], two[1], 0.0, 0.0, 0.0, 0.0];
    let rate = |_: f64, y: &[f64]| points_rate(&mass, &force, &rows, y);
    expected("massless-links", 3.0, 1.0).follows(|t| integrate(rate, &start, t, 600)[2..4].to_vec());
}

/// Kepler's ellipse in x and y alone.
#[test]
fn polar_and_cartesian() {
    let rate = |_: f64, y: &[f64]| {
        let cube = (y[0] * y[0] + y[1] * y[1]).powf(1.5);
        vec![y[2], y[3], -y[0] / cube, -y[1] / cube]
    };
    let start = [1.5, 0.0, 0.0, 0.75f64.sqrt() / 1.5];
    expected("polar-and-cartesian", std::f64::consts::TAU, 1.0)
        .follows(|t| integrate(rate, &start, t, 400)[..2].to_vec());
}
