//! Small motions beside large ones, in models without units.

use crate::harness::{Expected, RECORDS, expected, run, worst};
use crate::truth::integrate;

/// θ″ = −3 n² sin θ cos θ.
fn libration(t: f64) -> Vec<f64> {
    let rate = |_: f64, y: &[f64]| vec![y[1], -3.0 * 4e-4 * y[0].sin() * y[0].cos()];
    integrate(rate, &[1e-3, 0.0], t, 400)[..1].to_vec()
}

#[test]
fn a_satellite() {
    expected("satellite", 1000.0, 1e-3).follows(libration);
}

#[test]
fn a_satellite_with_rows() {
    expected("satellite-rows", 1000.0, 1e-3).follows(libration);
}

#[test]
fn a_satellite_with_a_boom() {
    expected("satellite-fast", 100.0, 1e-3).follows(|t| vec![1e-3 * (2.0 * t).cos()]);
}

/// What is asked for with a small absolute tolerance is given.
#[test]
fn a_satellite_with_no_absolute_tolerance() {
    for (name, until) in [("satellite", 1000.0), ("satellite-fast", 100.0)] {
        let rows = run(name, until, 1e-13, Some(1e-20)).expect("it runs");
        let t = |k: usize| (k + 1) as f64 * until / RECORDS as f64;
        let right = |k| if until == 1000.0 { libration(t(k)) } else { vec![1e-3 * (2.0 * t(k)).cos()] };
        let error = worst(&rows, &(0..RECORDS).map(right).collect::<Vec<_>>()) / 1e-3;
        assert!(error < 1e-10, "{name}: {error:.2e}");
    }
}

#[test]
fn a_small_oscillation_beside_a_large_one() {
    expected("small-beside-large", 20.0, 1e-6).follows(|t| vec![1e-6 * (3.0 * t).cos()]);
    // In one row with a coordinate of 1e3, positions are rounded by 1e-13 at every step: 1e-7 of u, and some fifty times that
    // after a hundred and fifty steps. From rtol = 1e-8 on the run says so.
    let in_one_row = Expected { floor: 1e-5, ..expected("small-in-one-row", 20.0, 1e-6) };
    in_one_row.follows(|t| vec![1e-6 * (3.0 * t).cos()]);
}

#[test]
fn a_small_circle_beside_a_large_one() {
    expected("small-in-its-row", 20.0, 1e-6).follows(|t| vec![1e-6 * (3.0 * t).cos(), 1e-6 * (3.0 * t).sin()]);
}
