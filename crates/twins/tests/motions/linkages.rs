//! Closed loops: of bodies in space, of parts that are glued, in line at the start.

use crate::harness::{Expected, GAIN, RECORDS, expected, motion, run, worst};
use crate::truth::{Quadratic, distance, integrate, points_rate};

/// P8, with the digits that are known.
fn bricard(name: &str, loosest: i32) {
    let known = [[0.51050146, -1.64916760, 0.14012311], [-0.96934034, -1.22124689, 0.75427801]];
    let mut faults = Vec::new();
    for exponent in loosest..=11 {
        let rtol = 10f64.powi(-exponent);
        match run(name, 4.0, rtol, None) {
            Err(why) => faults.push(format!("rtol {rtol:e}: {why}")),
            Ok(rows) => {
                let right: Vec<Vec<f64>> = known.iter().map(|row| row.to_vec()).collect();
                let error = worst(&rows[..2], &right);
                if error > GAIN * rtol + 2e-8 {
                    faults.push(format!("rtol {rtol:e}: error {error:.2e}"));
                }
            }
        }
        if let Err(why) = run(name, 10.0, rtol, None) {
            faults.push(format!("rtol {rtol:e}, to 10 s: {why}"));
        }
    }
    assert!(faults.is_empty(), "{name}:\n{}", faults.join("\n"));
}

#[test]
fn bricards_mechanism() {
    bricard("bricard", 5);
}

#[test]
fn bricards_mechanism_with_turned_frames() {
    bricard("bricard-turned", 5);
}

/// The kinetic energy of uniform bars O–A, A–B, C–B by their ends, and their weights along the last axis.
fn bars(size: usize, masses: [f64; 3], gravity: f64) -> (Vec<Vec<f64>>, Vec<f64>) {
    let [crank, coupler, rocker] = masses;
    let (mut mass, mut force) = (vec![vec![0.0; 2 * size]; 2 * size], vec![0.0; 2 * size]);
    for k in 0..size {
        mass[k][k] = (crank + coupler) / 3.0;
        mass[size + k][size + k] = (coupler + rocker) / 3.0;
        mass[k][size + k] = coupler / 6.0;
        mass[size + k][k] = coupler / 6.0;
    }
    force[size - 1] = -gravity * (crank + coupler) / 2.0;
    force[2 * size - 1] = -gravity * (coupler + rocker) / 2.0;
    (mass, force)
}

fn linear(slope: Vec<f64>) -> Quadratic {
    Quadratic { slope: Box::new(move |_| slope.clone()) }
}

/// Points A and B in space: circles about z and x, and the coupler's length.
fn rssr(name: &str) {
    expected(name, 2.0, 1.0).follows(rssr_truth);
}

fn rssr_truth(t: f64) -> Vec<f64> {
    let (mut mass, force) = bars(3, [1.0, 2.0, 1.5], 9.81);
    // The bars are 0.1 wide, which adds m 0.1²/12 to their inertia across: as a mass at their ends.
    let wide = |m: f64, square: f64| m * 0.01 / 12.0 / square;
    let (crank, coupler, rocker) = (wide(1.0, 0.09), wide(2.0, 1.38), wide(1.5, 0.64));
    for k in 0..3 {
        mass[k][k] += crank + coupler;
        mass[3 + k][3 + k] += rocker + coupler;
        mass[k][3 + k] -= coupler;
        mass[3 + k][k] -= coupler;
    }
    let rows = [
        distance(3, 0, None, vec![0.0; 3]),
        linear(vec![0.0, 0.0, 1.0, 0.0, 0.0, 0.0]),
        distance(3, 1, None, vec![1.0, 0.5, 0.0]),
        linear(vec![0.0, 0.0, 0.0, 1.0, 0.0, 0.0]),
        distance(3, 1, Some(0), vec![]),
    ];
    // vA = (0, 0.6, 0), and vB is along y and keeps the coupler: (vB − vA)·(B − A) = 0 with B − A = (0.7, 0.5, 0.8).
    let start = [0.3, 0.0, 0.0, 1.0, 0.5, 0.8, 0.0, 0.6, 0.0, 0.0, 0.6, 0.0];
    let rate = |_: f64, y: &[f64]| points_rate(&mass, &force, &rows, y);
    integrate(rate, &start, t, 400)[..6].to_vec()
}

/// The truth keeps lengths and energy, with the same numbers as the model: it starts as a valid four-bar.
#[test]
fn the_truth_of_the_spatial_four_bar_keeps_its_lengths() {
    let y = rssr_truth(2.0);
    let length = |d: [f64; 3]| d.iter().map(|x| x * x).sum::<f64>();
    assert!((length([y[0], y[1], y[2]]) - 0.09).abs() < 1e-11 && y[2].abs() < 1e-11);
    assert!((length([y[3] - y[0], y[4] - y[1], y[5] - y[2]]) - 1.38).abs() < 1e-11);
}

#[test]
fn a_spatial_four_bar() {
    rssr("rssr");
}

#[test]
fn a_spatial_four_bar_with_turned_frames() {
    rssr("rssr-turned");
}

/// What rests in an equilibrium stays there but for rounding, which grows by exp(√(3g/2s) t) at most.
fn rests(name: &str) {
    let floor = 1e-7;
    Expected { name, until: 2.0, size: 1.0, floor }.follows(|_| vec![0.0, 0.0, 0.8, 1.0, 0.0, 0.8]);
}

#[test]
fn an_unstable_equilibrium() {
    rests("rssr-upright");
}

#[test]
fn an_unstable_equilibrium_with_turned_frames() {
    rests("rssr-upright-turned");
}

/// A and B in the plane, B on the x-axis.
#[test]
fn a_slider_crank_of_parts() {
    let (mut mass, mut force) = bars(2, [1.0, 1.5, 0.0], 9.81);
    mass[2][2] += 0.7;
    // The slider has a mass along x alone; across, its row holds it.
    force[3] = -9.81 * 1.5 / 2.0;
    let rows = [distance(2, 0, None, vec![0.0; 2]), distance(2, 1, Some(0), vec![]), linear(vec![0.0, 0.0, 0.0, 1.0])];
    let (s, c) = (std::f64::consts::PI / 3.0).sin_cos();
    let a = [0.3 * c, 0.3 * s];
    let reach = (0.64 - a[1] * a[1]).sqrt();
    let va = [-0.9 * s, 0.9 * c];
    // (vB − vA)·(B − A) = 0.
    let vb = va[0] - va[1] * a[1] / reach;
    let start = [a[0], a[1], a[0] + reach, 0.0, va[0], va[1], vb, 0.0];
    let rate = |_: f64, y: &[f64]| points_rate(&mass, &force, &rows, y);
    expected("crank-of-parts", 5.0, 1.0).follows(|t| {
        let y = integrate(rate, &start, t, 2000);
        vec![y[2], y[0] / 0.3, y[1] / 0.3]
    });
}

/// A and B in the plane, with a mass in the middle of the coupler.
#[test]
fn a_four_bar_of_five_parts() {
    let (mut mass, mut force) = bars(2, [1.0, 2.0, 1.0], 9.81);
    for k in 0..2 {
        mass[k][k] += 0.5 / 4.0;
        mass[2 + k][2 + k] += 0.5 / 4.0;
        mass[k][2 + k] += 0.5 / 4.0;
        mass[2 + k][k] += 0.5 / 4.0;
    }
    force[1] -= 0.5 * 9.81 / 2.0;
    force[3] -= 0.5 * 9.81 / 2.0;
    let rows =
        [distance(2, 0, None, vec![0.0; 2]), distance(2, 1, Some(0), vec![]), distance(2, 1, None, vec![1.2, 0.0])];
    let (s, c) = 1f64.sin_cos();
    let a = [0.4 * c, 0.4 * s];
    // B above the line from A to C: |B − A| = 1.1, |B − C| = 0.9.
    let way = [1.2 - a[0], -a[1]];
    let square = way[0] * way[0] + way[1] * way[1];
    let along = (1.21 - 0.81 + square) / (2.0 * square);
    let across = (1.21 / square - along * along).sqrt();
    let b = [a[0] + along * way[0] - across * way[1], a[1] + along * way[1] + across * way[0]];
    let va = [-1.6 * s, 1.6 * c];
    // vB is normal to B − C and keeps the coupler.
    let free = [-b[1], b[0] - 1.2];
    let coupler = [b[0] - a[0], b[1] - a[1]];
    let rate3 = (coupler[0] * va[0] + coupler[1] * va[1]) / (coupler[0] * free[0] + coupler[1] * free[1]);
    let start = [a[0], a[1], b[0], b[1], va[0], va[1], rate3 * free[0], rate3 * free[1]];
    let rate = |_: f64, y: &[f64]| points_rate(&mass, &force, &rows, y);
    expected("five-parts", 2.0, 1.0).follows(|t| {
        let y = integrate(rate, &start, t, 1000);
        vec![(y[0] + y[2]) / 2.0, (y[1] + y[3]) / 2.0]
    });
}

/// With velocities given it is a parallelogram, or refused as singular.
#[test]
fn links_in_line_that_move() {
    match run("in-line-moving", 1.0, 1e-9, None) {
        Err(why) => assert!(why.starts_with("singular-start"), "{why}"),
        Ok(_) => {
            let rate = |_: f64, y: &[f64]| vec![y[1], -9.81 * y[0].cos()];
            expected("in-line-moving", 1.0, 1.0).follows(|t| {
                let angle = integrate(rate, &[0.0, 8.0], t, 200)[0];
                vec![angle.cos(), angle.sin()]
            });
        }
    }
}

/// The path of a slider-crank with links of 1 and 1 + e by its crank's angle a: s = cos a + √((1 + e)² − sin² a). Its speed is constant, so
/// time is the length of the path, by Gauss's rule on panels that shrink towards the bends.
fn near_crossing(e: f64, t: f64) -> Vec<f64> {
    use std::f64::consts::{FRAC_PI_2, PI};
    let root = |a: f64| (2.0 * e + e * e + a.cos().powi(2)).sqrt();
    let speed = |a: f64| (1.0 + (a.sin() * (1.0 + a.cos() / root(a))).powi(2)).sqrt();
    let nodes = [0.238_619_186_083_196_9, 0.661_209_386_466_264_5, 0.932_469_514_203_152];
    let weights = [0.467_913_934_572_691_05, 0.360_761_573_048_138_6, 0.171_324_492_379_170_34];
    let panel = |from: f64, to: f64| -> f64 {
        let (middle, half) = (0.5 * (from + to), 0.5 * (to - from));
        let pair = |(x, w): (&f64, &f64)| w * (speed(middle - half * x) + speed(middle + half * x));
        half * nodes.iter().zip(&weights).map(pair).sum::<f64>()
    };
    let start = 0.6f64.acos();
    let (mut a, mut left) = (start, t * speed(start));
    loop {
        // A panel is short beside the distance to the nearest bend, which is as wide as √(2 e).
        let bend = ((a - FRAC_PI_2) / PI).round() * PI + FRAC_PI_2;
        let next = a + 0.05 * (a - bend).abs().max((2.0 * e).sqrt()).max(1e-9);
        let length = panel(a, next);
        if length > left {
            break;
        }
        (a, left) = (next, left - length);
    }
    let end = (0..4).fold(a + left / speed(a), |end, _| end + (left - panel(a, end)) / speed(end));
    vec![end.cos(), end.sin(), end.cos() + root(end)]
}

#[test]
fn branches_that_come_near_each_other_and_do_not_cross() {
    let mut faults = Vec::new();
    for e in [1e-10, 1e-8, 1e-6, 1e-4, 1e-2] {
        let right: Vec<Vec<f64>> = (1..=RECORDS).map(|k| near_crossing(e, 10.0 * k as f64 / RECORDS as f64)).collect();
        for exponent in 4..=11 {
            let rtol = 10f64.powi(-exponent);
            // What is rounded in a bend as narrow as √(2 e) is larger by its inverse.
            let floor = 1e-11 / e.sqrt();
            match motion("near-crossing", 10.0, rtol, None, &[("e".to_string(), e)]) {
                Err(why) => faults.push(format!("e = {e:e}, rtol {rtol:e}: {why}")),
                Ok((rows, outcome)) => {
                    let error = worst(&rows, &right);
                    // Where rounding decides, the run has to say so.
                    let warned = outcome.diagnostics.iter().any(|message| message.code == "tolerance-rounding");
                    let floor = if warned { 30.0 * floor } else { floor };
                    if error > GAIN * rtol + floor || !outcome.ranks.is_empty() {
                        faults.push(format!("e = {e:e}, rtol {rtol:e}: error {error:.2e}, {:?}", outcome.ranks));
                    }
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn branches_that_cross_are_left_on_the_branch_on_which_they_were_reached() {
    for exponent in 4..=11 {
        let rtol = 10f64.powi(-exponent);
        let (rows, outcome) = motion("near-crossing", 10.0, rtol, None, &[("e".to_string(), 0.0)]).unwrap();
        assert!(rows.iter().all(|row| (row[2] - 2.0 * row[0]).abs() < 1e-12), "{rows:?}");
        assert_eq!(outcome.ranks.len(), 4, "{:?}", outcome.ranks);
    }
}
